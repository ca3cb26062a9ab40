package resolve

// This file finds names that nothing binds.

import (
	"slices"
	"strings"
	"sync"

	"shapecheck/parser/ast"
)

// builtins are the names of the module builtins of Python 3.13 on all platforms, and those that every module has. reveal_type is
// for type checkers, which replace it.
const builtins = `ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError
 BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError
 Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning
 GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt
 LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError OverflowError
 PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError
 RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError
 UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning
 WindowsError ZeroDivisionError __build_class__ __debug__ __import__ abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr
 classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals
 hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print
 property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
 __annotations__ __builtins__ __cached__ __dict__ __doc__ __file__ __loader__ __name__ __package__ __path__ __spec__ __class__ reveal_type`

// classNames are the names that every class body has.
const classNames = "__module__ __qualname__ __firstlineno__ __static_attributes__"

// notebookNames are the names that IPython gives a notebook.
const notebookNames = "get_ipython display In Out exit quit _ __ ___"

// predefinedNames are the names that need no binding in the text: in every module, in class bodies, in notebooks.
type predefinedNames struct{ module, class, notebook map[string]bool }

// predefined makes the sets when the first file asks for them.
var predefined = sync.OnceValue(func() predefinedNames {
	set := func(list string) map[string]bool {
		out := map[string]bool{}
		for _, name := range strings.Fields(list) {
			out[name] = true
		}
		return out
	}
	return predefinedNames{module: set(builtins), class: set(classNames), notebook: set(notebookNames)}
})

// Unbound lists the names of a file that are read where Python evaluates them and that no scope, import or built-in binds, in
// order. It lists none where names may be bound in ways that the text does not show: by a star import, exec or globals(). Names
// in a try statement that catches NameError are left out, as the program deals with them. The file must be parsed whole.
func (in *Info) Unbound(m *ast.Module) []*ast.Name {
	if len(in.Scopes) == 0 || in.Scopes[0].HasStar {
		return nil
	}
	u := unbound{info: in, notebook: m.File != nil && m.File.Notebook != nil, skip: map[ast.Node]bool{}}
	u.lazy = slices.ContainsFunc(m.Body, func(s ast.Stmt) bool {
		from, ok := s.(*ast.ImportFrom)
		return ok && from.Module.Name == "__future__" && slices.ContainsFunc(from.Names, func(a *ast.Alias) bool { return a.Name.Name == "annotations" })
	})
	u.walk(m, context{})
	if u.dynamic {
		return nil
	}
	slices.SortFunc(u.names, func(a, b *ast.Name) int { return int(a.Span().Start) - int(b.Span().Start) })
	return u.names
}

// An unbound walks a file and collects the names that nothing binds.
type unbound struct {
	info     *Info
	notebook bool
	lazy     bool              // annotations are not evaluated
	dynamic  bool              // the file makes names as it runs
	skip     map[ast.Node]bool // nodes that are not evaluated, or were walked before
	names    []*ast.Name
}

// A context is what surrounds a node.
type context struct {
	class    int32 // the scope of the class in whose body the node stands, or 0
	function bool  // it is in the body of a function
	guarded  bool  // a NameError is caught
}

// walk visits a node in the order in which Python evaluates it. The cases are the nodes that change what surrounds the nodes
// inside of them: functions, class bodies, comprehensions, which do not see the names of a class body, and try statements that
// catch NameError.
func (u *unbound) walk(n ast.Node, at context) {
	if u.skip[n] || u.dynamic {
		return
	}
	each := func(at context) { ast.Children(n, func(c ast.Node) { u.walk(c, at) }) }
	switch n := n.(type) {
	case *ast.Name:
		u.checkName(n, at)
	case *ast.Call:
		u.noteDynamicNames(n, at)
		each(at)
	case *ast.AnnAssign:
		if u.lazy || at.function {
			u.skip[n.Annotation] = true
		}
		each(at)
	case *ast.FunctionDef:
		u.walkFunction(n, at)
	case *ast.Lambda:
		u.walkParams(n.Params, at)
		u.walk(n.Body, context{function: true})
	case *ast.ClassDef:
		body := context{class: n.Scope, function: at.function, guarded: at.guarded}
		inBody := map[ast.Node]bool{}
		for _, s := range n.Body {
			inBody[s] = true
		}
		ast.Children(n, func(c ast.Node) {
			if inBody[c] {
				u.walk(c, body)
			} else {
				u.walk(c, at)
			}
		})
	case *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
		at.class = 0 // a comprehension does not see the names of the class
		each(at)
	case *ast.Try:
		body := at
		body.guarded = at.guarded || slices.ContainsFunc(n.Handlers, catchesNames)
		for _, s := range n.Body {
			u.walk(s, body)
			u.skip[s] = true
		}
		each(at)
	default:
		each(at)
	}
}

// walkFunction walks what is evaluated where a function is defined, and its body.
func (u *unbound) walkFunction(n *ast.FunctionDef, at context) {
	for _, d := range n.Decorators {
		u.walk(d, at)
	}
	u.walkParams(n.Params, at)
	if n.Returns != nil && !u.lazy {
		u.walk(n.Returns, at)
	}
	for _, s := range n.Body {
		u.walk(s, context{function: true})
	}
}

// walkParams walks the annotations and defaults of parameters: they are evaluated where the function is defined.
func (u *unbound) walkParams(p *ast.Params, at context) {
	visit := func(x *ast.Param) {
		if x == nil {
			return
		}
		if x.Annotation != nil && !u.lazy {
			u.walk(x.Annotation, at)
		}
		if x.Default != nil {
			u.walk(x.Default, at)
		}
	}
	for _, list := range [...][]*ast.Param{p.PosOnly, p.Args, p.KwOnly} {
		for _, x := range list {
			visit(x)
		}
	}
	visit(p.VarArg)
	visit(p.KwArg)
}

// noteDynamicNames notes a call by which names may be bound that the text does not show. At the top level locals()
// and vars() give the dictionary of the module, which can be written to.
func (u *unbound) noteDynamicNames(n *ast.Call, at context) {
	fn, ok := n.Func.(*ast.Name)
	if !ok || u.info.Names[fn.Index].Kind != Builtin {
		return
	}
	switch fn.ID {
	case "exec", "execfile", "globals":
		u.dynamic = true
	case "vars", "locals":
		u.dynamic = u.dynamic || len(n.Args) == 0 && !at.function && at.class == 0
	}
}

// catchesNames reports whether a handler catches a NameError.
func catchesNames(h *ast.ExceptHandler) bool {
	if h.Type == nil {
		return true
	}
	found := false
	ast.Inspect(h.Type, func(n ast.Node) bool {
		if x, ok := n.(*ast.Name); ok {
			found = found || x.ID == "NameError" || x.ID == "Exception" || x.ID == "BaseException"
		}
		return !found
	})
	return found
}

// checkName adds a name that is read and that nothing binds. A name of a class body is looked up at run time, in the body and then in
// the module, so that its binding alone does not say it: boundInClass does.
func (u *unbound) checkName(n *ast.Name, at context) {
	names := predefined()
	if n.Ctx != ast.Load || at.guarded || names.module[n.ID] || u.notebook && names.notebook[n.ID] {
		return
	}
	switch b := u.info.Names[n.Index]; b.Kind {
	case Builtin:
	case Class:
		if b.Slot >= 0 || names.class[n.ID] || u.info.boundInClass(at.class, n.ID) {
			return
		}
	default:
		return
	}
	u.names = append(u.names, n)
}

// boundInClass reports whether a class body, or the module, binds a name of the body. It is true where the scope is no
// class body or lacks the name: then nothing is reported.
func (in *Info) boundInClass(scope int32, name string) bool {
	s := &in.Scopes[scope]
	if s.Kind != ClassScope {
		return true
	}
	name = Mangle(s.ClassName, name)
	for _, i := range s.symbols {
		if sym := &in.symbols[i]; in.texts[sym.name] == name {
			return sym.flags&(bound|nonlocal|global) != 0 || sym.child.Kind != Builtin
		}
	}
	return true
}
