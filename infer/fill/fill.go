// Package fill asks for the arguments that nobody has written, so that a model can be tried without them.
//
// A Filler chooses texts for the parameters that a Maker lists. For those whose annotation, or what the class does with the
// argument, names a class of the program, the Maker writes an expression that makes an instance.
//
//	fill.go   Filler, Maker, the parameters of a call    chain.go   what constructors hand on to those of bases
//	class.go  instances for constructors                 object.go  inputs that are instances
package fill

import (
	"cmp"
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A Filler chooses arguments for the parameters of an entry that have neither a default nor
// an argument. What a run finds with them is about its choices as much as about the program.
type Filler interface {
	// Begin begins a run: what was chosen for an earlier one does not count.
	Begin()
	// Construct gives the arguments with which a class is called, each as Python writes it:
	// "dim=64". ok is false where it knows none for one of the parameters that need one.
	Construct(c Constructor) (args []string, ok bool)
	// Inputs gives arguments of the entry's call, as in Config.Args; those that it has no
	// idea of are left out. Spare are the parameters that are None unless they are given; open says that the call
	// takes keyword arguments of any name.
	Inputs(params, spare []Param, open bool) []string
	// Having is a module beside the entry's, by its last name, and a class there that has these attributes; empty
	// where none is known.
	Having(attrs []string) (module, class string)
	// Deriving are the full names of classes around the entry's file that derive from one of this name.
	Deriving(class string) []string
	// Defining are the full names of classes of this name around the entry's file.
	Defining(class string) []string
	// Optional is Inputs for a call that needs no argument: params are those that may be left
	// out, None otherwise.
	Optional(params []Param) []string
}

// A Param is a parameter that needs an argument.
type Param struct {
	Name string
	// Annotation is what is written after the colon; empty: nothing.
	Annotation string
	// Keys are the texts by which the function's own lines take parts of the argument: x["image"].
	Keys []string
	// Made is an expression that makes an instance of the class that the program means; empty: none is known. Make
	// finds one for a parameter that may be left out, where Made is not looked for; nil: there is none.
	Made string
	Make func() string
	// Scope is the function whose parameter it is.
	Scope ast.Node
	// ByPlace says that the argument cannot be given by name.
	ByPlace bool
}

// A Constructor is the __init__ of a class that is called.
type Constructor struct {
	Class string
	// Needed are the parameters without default, Spare those that are None unless they are given.
	Needed, Spare []Param
	// Open says that it takes keyword arguments of any name.
	Open bool
	// Instance is an expression that makes an instance of a class, by its full name or, where it is the entry's file's, its own; empty
	// where none is known.
	Instance func(class string) string
	// Input says that the instance is an input of the entry's call.
	Input bool
}

// A Host is the program whose classes are looked for.
type Host interface {
	// Filler is who chooses the arguments of this run; nil: nobody does.
	Filler() Filler
	// Class is a class of a library by its full name; IsBuiltin reports whether Python itself has a class of a name.
	Class(name string) *value.Class
	IsBuiltin(name string) bool
	// Import imports a module of the program. The error is what that raises.
	Import(name string) (value.Value, error)
	// Imported is what sys.modules has under a name; nil: nothing. Loaded are the names of the modules there, sorted.
	Imported(name string) value.Value
	Loaded() []string
	// Awaited is the value of a name that an import of m was to bind, which waits for that. The error is what the import raises.
	Awaited(m *value.Module, name string) (value.Value, bool, error)
	// IsAbstract reports whether a class leaves methods to others: abstract ones, or a module its forward.
	IsAbstract(c *value.Class) bool
}

// A Maker lists parameters for a Filler and writes expressions for their arguments.
type Maker struct {
	Host  Host
	Files *source.FileSet

	// making are the classes for which the Filler is asked, outermost first; object says that the outermost of them is an input.
	making []*value.Class
	object bool
}

// Instance is the expression that makes an entry that is a class of this name, with the arguments that the Filler chooses for it; ok
// is false where it knows none.
func (mk *Maker) Instance(m *value.Module, c *value.Class, name string) (text string, ok bool) {
	mk.making = []*value.Class{c}
	args, ok := mk.constructed(m, c, 0)
	if !ok {
		return "", false
	}
	return name + "(" + strings.Join(args, ", ") + ")", true
}

// Inputs are the arguments that the Filler chooses for a call of fn beside those given; skip leaves out the first parameters.
func (mk *Maker) Inputs(m *value.Module, fn *value.Func, skip int, given []value.Kw) []string {
	if mk.Host.Filler() == nil || fn == nil || fn.Params == nil {
		return nil
	}
	missing := mk.required(fn, skip, given)
	if p := fn.Params; p.VarArg != nil && len(p.PosOnly)+len(p.Args) <= skip && len(missing)+len(given) == 0 {
		missing = []Param{mk.param(fn, p.VarArg)} // who calls forward(*inputs) gives it one at least
	}
	missing = append(missing, openKeys(fn, given)...)
	for i := range missing {
		missing[i].Made = mk.objectFor(m, fn, missing[i].Name)
	}
	if open := fn.Params.KwArg != nil; len(missing) > 0 || open {
		if list := mk.Host.Filler().Inputs(missing, mk.Optional(fn, skip), open); len(missing)+len(list) > 0 {
			return list
		}
	}
	if len(given) > 0 {
		return nil
	}
	return mk.Host.Filler().Optional(mk.Optional(fn, skip))
}

// openKeys are the names by which a function takes parts of the keyword arguments that have no parameter of their own:
// kwargs["mask"].
func openKeys(fn *value.Func, given []value.Kw) []Param {
	if fn.Params.KwArg == nil {
		return nil
	}
	var out []Param
	for _, k := range textKeys(fn.Definition(), fn.Params.KwArg.Name) {
		if k != "" && !strings.ContainsAny(k, "/\\.:\x00") && !slices.ContainsFunc(given, func(g value.Kw) bool { return g.Name == k }) {
			out = append(out, Param{Name: k, Scope: fn.Definition()})
		}
	}
	return out
}

// Optional are the parameters whose default is None.
func (mk *Maker) Optional(fn *value.Func, skip int) []Param {
	var out []Param
	first := append(append([]*ast.Param(nil), fn.Params.PosOnly...), fn.Params.Args...)
	for i, v := range fn.Defaults {
		if at := len(first) - len(fn.Defaults) + i; v == value.None && at >= skip {
			out = append(out, mk.param(fn, first[at]))
		}
	}
	for i, x := range fn.Params.KwOnly {
		if i < len(fn.KwDefaults) && fn.KwDefaults[i] == value.None {
			out = append(out, mk.param(fn, x))
		}
	}
	return out
}

// param is a parameter with what the text says of it.
func (mk *Maker) param(fn *value.Func, x *ast.Param) Param {
	one := Param{Name: x.Name, Keys: textKeys(fn.Definition(), x.Name), Scope: fn.Definition(), ByPlace: slices.Contains(fn.Params.PosOnly, x)}
	if x.Annotation != nil {
		if f := mk.Files.File(x.Annotation.Span().Start); f != nil {
			one.Annotation = f.Slice(x.Annotation.Span())
		}
		if fn.Module != nil && !fn.Module.Prelude {
			if v, ok := mk.namedIn(fn.Module, Path(x.Annotation)).(*value.GenericAlias); ok { // a name for a type
				one.Annotation = cmp.Or(typeText(v), one.Annotation)
			}
		}
	}
	return one
}

// required are the parameters without default that are not given; skip leaves out the first.
func (mk *Maker) required(fn *value.Func, skip int, given []value.Kw) []Param {
	p := fn.Params
	var out []Param
	add := func(x *ast.Param) {
		for _, g := range given {
			if g.Name == x.Name {
				return
			}
		}
		out = append(out, mk.param(fn, x))
	}
	first := append(append([]*ast.Param(nil), p.PosOnly...), p.Args...)
	for i := skip; i < len(first)-len(fn.Defaults); i++ {
		add(first[i])
	}
	for i, x := range p.KwOnly {
		if i >= len(fn.KwDefaults) || fn.KwDefaults[i] == nil {
			add(x)
		}
	}
	return out
}

// maxKeys bounds the keys of one argument.
const maxKeys = 32

// textKeys are the texts by which a function takes parts of one of its parameters, each once.
func textKeys(fn ast.Node, param string) []string {
	var out []string
	ast.Inspect(fn, func(n ast.Node) bool {
		s, ok := n.(*ast.Subscript)
		if !ok {
			return true
		}
		name, isName := s.Value.(*ast.Name)
		key, isText := s.Index.(*ast.Constant)
		if !isName || name.ID != param || !isText || key.Kind != ast.StrConst || len(out) == maxKeys {
			return true
		}
		for _, k := range out {
			if k == key.Str {
				return true
			}
		}
		out = append(out, key.Str)
		return true
	})
	return out
}
