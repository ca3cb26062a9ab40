package resolve

// This file finds names that nothing binds.

import (
	"slices"
	"strings"
	"sync"

	"shapecheck/parser/ast"
)

// builtins are the names of Python's module builtins, and those that every module has.
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

// given are the names of a module without what is in it, those of class bodies, and those of notebooks.
var given = sync.OnceValue(func() [3]map[string]bool {
	var sets [3]map[string]bool
	for i, list := range [...]string{builtins, classNames, notebookNames} {
		sets[i] = map[string]bool{}
		for _, name := range strings.Fields(list) {
			sets[i][name] = true
		}
	}
	return sets
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
	u.walk(m, where{})
	if u.dynamic {
		return nil
	}
	slices.SortFunc(u.names, func(a, b *ast.Name) int { return int(a.Span().Start) - int(b.Span().Start) })
	return u.names
}

// An unbound collects names.
type unbound struct {
	info     *Info
	notebook bool
	lazy     bool // annotations are not evaluated
	dynamic  bool // the file makes names as it runs
	skip     map[ast.Node]bool
	names    []*ast.Name
}

// A where is what surrounds a node.
type where struct {
	class    int32 // the scope of the class in whose body it stands, or 0
	function bool
	guarded  bool // a NameError is caught
}

func (u *unbound) walk(n ast.Node, at where) {
	if u.skip[n] || u.dynamic {
		return
	}
	each := func(at where) { ast.Children(n, func(c ast.Node) { u.walk(c, at) }) }
	switch n := n.(type) {
	case *ast.Name:
		u.name(n, at)
	case *ast.Call:
		u.call(n, at)
		each(at)
	case *ast.AnnAssign:
		if u.lazy || at.function {
			u.skip[n.Annotation] = true
		}
		each(at)
	case *ast.FunctionDef:
		u.function(n, at)
	case *ast.Lambda:
		u.params(n.Params, at)
		u.walk(n.Body, where{function: true})
	case *ast.ClassDef:
		body := where{class: n.Scope, function: at.function, guarded: at.guarded}
		within := map[ast.Node]bool{}
		for _, s := range n.Body {
			within[s] = true
		}
		ast.Children(n, func(c ast.Node) {
			if within[c] {
				u.walk(c, body)
			} else {
				u.walk(c, at)
			}
		})
	case *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
		at.class = 0 // its names have no part in the class's
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

// function walks what is evaluated where a function is defined, and its body.
func (u *unbound) function(n *ast.FunctionDef, at where) {
	for _, d := range n.Decorators {
		u.walk(d, at)
	}
	u.params(n.Params, at)
	if n.Returns != nil && !u.lazy {
		u.walk(n.Returns, at)
	}
	for _, s := range n.Body {
		u.walk(s, where{function: true})
	}
}

func (u *unbound) params(p *ast.Params, at where) {
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

// call notes calls that bind names.
func (u *unbound) call(n *ast.Call, at where) {
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

func (u *unbound) name(n *ast.Name, at where) {
	sets := given()
	if n.Ctx != ast.Load || at.guarded || sets[0][n.ID] || u.notebook && sets[2][n.ID] {
		return
	}
	switch b := u.info.Names[n.Index]; b.Kind {
	case Builtin:
	case Class:
		if b.Slot >= 0 || sets[1][n.ID] || u.info.boundInClass(at.class, n.ID) {
			return
		}
	default:
		return
	}
	u.names = append(u.names, n)
}

// boundInClass reports whether a class body, or the module, binds a name of the body.
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
