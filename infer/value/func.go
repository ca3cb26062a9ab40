package value

// This file defines callables and descriptors.

import (
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A Func is a Python function or lambda.
type Func struct {
	Name     string
	Qualname string
	// Node is an *ast.FunctionDef, which may lack its body, or an *ast.Lambda.
	Node   ast.Node
	Params *ast.Params
	// Code is the interpreter's compiled form of the body.
	Code any
	// Defaults are the values of the last positional parameters that have one.
	Defaults []Value
	// KwDefaults are parallel to Params.KwOnly; nil where there is none.
	KwDefaults []Value
	Closure    []*Cell
	Module     *Module
	Attrs      *Attrs
	// Class is the class whose body defined it, for zero-argument super; or nil.
	Class *Class
	// Decorated is why a decorator is not known that was taken to leave the function as
	// it is; nil without one.
	Decorated *Cause
}

// A NativeFunc implements a function in Go.
type NativeFunc func(th Thread, args []Value, kw []Kw) (Value, error)

// A Builtin is a function implemented in Go. As a class attribute it binds like
// a Python function unless Static.
type Builtin struct {
	Name   string // qualified, as "math.floor" or "list.append"
	Fn     NativeFunc
	Static bool // does not bind to an instance
	// Params are the parameters as inspect tells them; nil where Object has the signature, or there is none.
	Params []Param
	// Object is what programs can see of it as an object; nil where that is not known.
	Object *FuncObject
	// Defaults holds the tuple of defaults where programs may set it (__defaults__), as of
	// the __new__ of a namedtuple, which Python writes in Python; else nil.
	Defaults *Cell
}

// A FuncKind says what the object of a function is in the library that has it.
type FuncKind uint8

// The kinds of function objects.
const (
	OfC FuncKind = iota
	// Dispatcher is NumPy's own: it is of C, and binds to instances.
	Dispatcher
	OfPython
)

// A FuncObject is what programs can see of a function of a library. Module and Qualname are empty where nothing is recorded. Signature is
// as inspect writes it, without annotations, with ? for a default that is not known; it is empty where inspect finds none.
type FuncObject struct {
	Kind                        FuncKind
	Module, Qualname, Signature string
}

// IsPython reports whether the library has a function of Python there.
func (b *Builtin) IsPython() bool { return b.Object != nil && b.Object.Kind == OfPython }

// A Param is a parameter of a Builtin. Kind is CPython's number of its kind; Default is
// nil where there is none.
type Param struct {
	Name    string
	Kind    int
	Default Value
}

// A BoundMethod is a function with its first argument.
type BoundMethod struct {
	Self Value
	Func Value
}

// A Property is a property object; absent functions are nil.
type Property struct {
	Get, Set, Del Value
	// Doc is the docstring that it was made with, nil where it has that of Get.
	Doc Value
	// Attrs has what the program wrote to it since: its docstring and its name; nil before.
	Attrs *Attrs
}

// A StaticMethod and a ClassMethod wrap a function of a class body. Attrs has the attributes that the program wrote to
// them, not to the function; nil before.
type (
	StaticMethod struct {
		Func  Value
		Attrs *Attrs
	}
	ClassMethod struct {
		Func  Value
		Attrs *Attrs
	}
)

// A Super is the object that super() returns.
type Super struct {
	Class *Class // the class after which the search starts
	Self  Value  // an instance, or a *Class in a class method
	Of    *Class // the class whose MRO is searched
}

// An Iterator is an iterator with state: iter(x), a generator, map, zip, …
type Iterator struct {
	Header
	Name string // "generator", "list_iterator", …
	// Next returns the next value; ok is false at the end.
	Next func(th Thread) (v Value, ok bool, err error)
	// Send passes a value to a generator; nil for other iterators.
	Send func(th Thread, v Value) (Value, bool, error)
	// Throw raises an exception inside a generator; nil for other iterators.
	Throw func(th Thread, exc error) (Value, bool, error)
	// Close ends a generator; nil for other iterators.
	Close func(th Thread) error
	// Copy makes a copy that goes on by itself; copy is applied to what the iterator holds. Nil: that is not known.
	Copy func(th Thread, copy func(Value) (Value, error)) (Value, error)
	// Open is set when the number of elements is not known; then Next gives a
	// representative element and never ends.
	Open *Open
	// First are elements of an open iterator that stand for themselves: a loop
	// runs for each of them before Open sums up all.
	First []Value
	// Pos counts the elements taken, so that a rollback is noticed.
	Pos int
	// AnyOf is the set whose elements it gives, where their order is not known.
	AnyOf *Set
	// Attrs has the names that the program wrote to a generator; nil before.
	Attrs *Attrs
}

// A GenericAlias is a parametrised type such as list[int] or Optional[Tensor].
type GenericAlias struct {
	Origin Value
	Args   []Value
}

// A Definer is compiled code that knows its node.
type Definer interface{ Definition() ast.Node }

// Definition is the function's node with its body, which Node may lack.
func (f *Func) Definition() ast.Node {
	if c, ok := f.Code.(Definer); ok {
		return c.Definition()
	}
	return f.Node
}

// FuncAt returns where a function is defined.
func (f *Func) FuncAt() source.Span { return f.Node.Span() }

func (*Func) value()         {}
func (*Builtin) value()      {}
func (*BoundMethod) value()  {}
func (*Property) value()     {}
func (*StaticMethod) value() {}
func (*ClassMethod) value()  {}
func (*Super) value()        {}
func (*Iterator) value()     {}
func (*GenericAlias) value() {}

// AsDecorated is v, or where it is a function of which a decorator is not known, that what the decorator has made:
// unknown. It is for what functions cannot do: f[1], len(f), f + 1, with f. Other objects can, and were made of functions.
func AsDecorated(v Value) Value {
	switch f := v.(type) {
	case *Func:
		if f.Decorated != nil {
			return &Unknown{Cause: f.Decorated}
		}
	case *BoundMethod:
		if d := AsDecorated(f.Func); IsUnknown(d) && !IsUnknown(f.Func) {
			return d
		}
	}
	return v
}

// Wrapped is the function to which a wrapper passes all its arguments, as
// functools.wraps notes it: that says what they are called.
func (f *Func) Wrapped() *Func {
	for f.Params != nil && f.Params.VarArg != nil && f.Params.KwArg != nil && len(f.Params.PosOnly)+len(f.Params.Args) <= 1 {
		v, _ := f.Attrs.Get("__wrapped__")
		inner, ok := v.(*Func)
		if !ok || inner == f {
			break
		}
		f = inner
	}
	return f
}
