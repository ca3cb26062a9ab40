// Package value defines what a Python expression can evaluate to.
//
// Python control state is concrete: None, Bool, Int, Float, Str, tuples, lists,
// dicts, functions, classes and instances behave as in CPython. What the run
// cannot know is abstract: SymInt and SymFloat carry symbolic expressions,
// SymBool a condition, Tensor a dtype and a symbolic shape, Choice one of two
// values, and Unknown nothing but the cause of its loss.
//
//	value.go      Value, Kw
//	scalar.go     None, Bool, Int, Float, Complex, Str, Bytes and their abstract forms
//	container.go  Tuple, List, Dict, Set, Range, Slice
//	set.go        elements of sets; settable.go: their order, as CPython has it
//	object.go     Class, Instance, Module, Attrs, Cell
//	func.go       Func, Builtin, BoundMethod, Property, …
//	tensor.go     Tensor, DType, Device
//	unknown.go    Unknown, Choice
//	heap.go       the Heap: allocation and the journal of writes
//	walk.go       PartsOf and Walk: the values inside a value
//	visit.go      Visit and Memo: what a recursion over values goes into
//	several.go    writes to one object that stands for several
//	join.go       joining values and contents at control-flow merges
//	branches.go       the contents of dicts whose keys depend on a condition
//	thread.go     Thread, what library code may ask of the interpreter
//	print.go      type strings (design §10)
package value

// A Value is a Python value, concrete or abstract.
type Value interface {
	// String returns the type string of the value (design §10).
	String() string
	value()
}

// A Kw is a keyword argument.
type Kw struct {
	Name  string
	Value Value
}
