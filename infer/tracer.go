package infer

// This file defines what a tracer hears of a run. The engine emits events and knows no tracer: torch.jit.trace, torch.export,
// Dynamo, the record of decisions and the watch for effects are heard through one interface. An event that replaces what it is
// given lets a tracer run a program as a framework does, which keeps numbers of an earlier run or takes tensors for sizes.

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
	"shapecheck/symshape"
)

// A Frame is an activation of code, as tracers see it.
type Frame = frame

// A Tracer hears what a run does, and may decide how it goes on. Embed Nop to hear a part.
//
// Events of what a function of the program does come for built-in code, too: Frame.Prelude tells them apart.
type Tracer interface {
	// Name is a variable that is read.
	Name(f *Frame, n *ast.Name, b resolve.Binding, v value.Value)
	// Write is a variable that is bound.
	Write(f *Frame, b resolve.Binding, name string)
	// Attr is an attribute that is read, WriteAttr one before x is assigned to it.
	Attr(v value.Value, name string, x value.Value)
	WriteAttr(v value.Value, name string, x value.Value)
	// Evaluate comes before an attribute or element that an expression names is read, Evaluated after it.
	Evaluate(f *Frame, e ast.Expr)
	Evaluated(f *Frame, e ast.Expr, v value.Value)
	// Index gives the index that is used of v, Item what was found there, or the exception where nothing was.
	Index(v, index value.Value) value.Value
	Item(v, index, x value.Value, err error)
	// Contains gives what is looked for in a container by "in".
	Contains(container, x value.Value) value.Value
	// Truth is a value of which the truth value is asked.
	Truth(v value.Value)
	// Format gives the value that is written into a text.
	Format(f *Frame, v value.Value) value.Value
	// Repeat gives the operands of a product, which may repeat a sequence.
	Repeat(a, b value.Value) (value.Value, value.Value)

	// Arguments are those with which an expression of the program is about to call fn, Unpack a dict whose elements are some of them.
	Arguments(f *Frame, e *ast.Call, fn value.Value, args []value.Value, kw []value.Kw)
	Unpack(d *value.Dict)
	// Call is a call of a function that is not written in Python, or of a class; see CallTracer.
	Call(fn value.Value, args []value.Value)
	// CallUnknown is a call of something of which nothing is known.
	CallUnknown(args []value.Value)
	// Enter is a function that begins to run; what it returns is called when it ends, unless it is nil.
	Enter(f *Frame) (leave func())
	// Load is a module whose top level begins to run, as Enter is.
	Load(m *value.Module) (leave func())

	// Iterator gives an iterator over v; nil: that which v has.
	Iterator(v value.Value) (*value.Iterator, error)
	// Iterate is turn number turn, from 0 on, of a loop or comprehension over the value of an expression, once its variable is bound.
	// A turn that stands for turns of which the number is not known is none of them.
	Iterate(f *Frame, over ast.Expr, turn int)

	// Assert evaluates the condition of an assertion with test. AssertFails is that it does not hold, for which fail makes the
	// exception; goesOn says that the run goes on nevertheless.
	Assert(f *Frame, test func() (value.Value, error)) (value.Value, error)
	AssertFails(fail func() error) (goesOn bool, err error)
	// Decide is a truth value by which a place in the program goes one way, before it does, Undecided one that is not known.
	Decide(kind DecisionKind, test source.Span, v value.Value)
	Undecided(kind DecisionKind, v value.Value)
	// Diverge is a place that goes another way than that which it was to go again.
	Diverge(kind DecisionKind)

	// Require is a condition that the run takes for granted from then on, Refuse one that an operation needs and that does not hold.
	Require(c *symshape.Cond)
	Refuse(c *symshape.Cond)
	// Number is a symbol that stands for a number out of a tensor.
	Number(e *symshape.Expr)
	// Print is what print is called with.
	Print(args []value.Value)
}

// A CallFunc goes on with a call or operation.
type CallFunc = func(args []value.Value) (value.Value, error)

// A CallTracer is a Tracer that performs a call of a function that is not written in Python, or of a class, with do: it may give
// other arguments, or another result. Few do, and each costs a function value in each call.
type CallTracer interface {
	Perform(fn value.Value, args []value.Value, do CallFunc) (value.Value, error)
}

// An OpTracer is a Tracer that applies an operation with do, as a CallTracer performs a call.
type OpTracer interface {
	Apply(op *ops.Op, name string, args []value.Value, kw []value.Kw, do CallFunc) (value.Value, error)
}

// A Nop hears nothing and changes nothing.
type Nop struct{}

var _ Tracer = Nop{}

func (Nop) Name(*Frame, *ast.Name, resolve.Binding, value.Value)                   {}
func (Nop) Write(*Frame, resolve.Binding, string)                                  {}
func (Nop) Attr(value.Value, string, value.Value)                                  {}
func (Nop) WriteAttr(value.Value, string, value.Value)                             {}
func (Nop) Evaluate(*Frame, ast.Expr)                                              {}
func (Nop) Evaluated(*Frame, ast.Expr, value.Value)                                {}
func (Nop) Index(_, index value.Value) value.Value                                 { return index }
func (Nop) Item(_, _, _ value.Value, _ error)                                      {}
func (Nop) Contains(_, x value.Value) value.Value                                  { return x }
func (Nop) Truth(value.Value)                                                      {}
func (Nop) Format(_ *Frame, v value.Value) value.Value                             { return v }
func (Nop) Repeat(a, b value.Value) (value.Value, value.Value)                     { return a, b }
func (Nop) Arguments(*Frame, *ast.Call, value.Value, []value.Value, []value.Kw)    {}
func (Nop) Unpack(*value.Dict)                                                     {}
func (Nop) Call(value.Value, []value.Value)                                        {}
func (Nop) CallUnknown([]value.Value)                                              {}
func (Nop) Enter(*Frame) (leave func())                                            { return nil }
func (Nop) Load(*value.Module) (leave func())                                      { return nil }
func (Nop) Iterator(value.Value) (*value.Iterator, error)                          { return nil, nil }
func (Nop) Iterate(*Frame, ast.Expr, int)                                          {}
func (Nop) Assert(_ *Frame, test func() (value.Value, error)) (value.Value, error) { return test() }
func (Nop) AssertFails(func() error) (goesOn bool, err error)                      { return false, nil }
func (Nop) Decide(DecisionKind, source.Span, value.Value)                          {}
func (Nop) Undecided(DecisionKind, value.Value)                                    {}
func (Nop) Diverge(DecisionKind)                                                   {}
func (Nop) Require(*symshape.Cond)                                                 {}
func (Nop) Refuse(*symshape.Cond)                                                  {}
func (Nop) Number(*symshape.Expr)                                                  {}
func (Nop) Print([]value.Value)                                                    {}

// tracers are those that hear a run, the outermost first. A list is not changed once it is in use: what is running may go through it.
type tracers struct {
	all   []Tracer
	calls []CallTracer // those of all that are
	ops   []OpTracer
}

func newTracers(all []Tracer) tracers {
	ts := tracers{all: all}
	for _, t := range all {
		if c, ok := t.(CallTracer); ok {
			ts.calls = append(ts.calls, c)
		}
		if o, ok := t.(OpTracer); ok {
			ts.ops = append(ts.ops, o)
		}
	}
	return ts
}

// with is the list and another one, within it.
func (ts tracers) with(t Tracer) tracers {
	return newTracers(append(slices.Clone(ts.all), t))
}

// leavingOut is the list but for those of which out says so.
func (ts tracers) leavingOut(out func(Tracer) bool) tracers {
	return newTracers(slices.DeleteFunc(slices.Clone(ts.all), out))
}

// call performs a call as tracers have it.
func (ts tracers) call(fn value.Value, args []value.Value, do CallFunc) (value.Value, error) {
	for _, t := range slices.Backward(ts.calls) {
		within := do
		do = func(args []value.Value) (value.Value, error) { return t.Perform(fn, args, within) }
	}
	return do(args)
}

// op applies an operation as tracers have it.
func (ts tracers) op(op *ops.Op, name string, args []value.Value, kw []value.Kw, do CallFunc) (value.Value, error) {
	for _, t := range slices.Backward(ts.ops) {
		within := do
		do = func(args []value.Value) (value.Value, error) { return t.Apply(op, name, args, kw, within) }
	}
	return do(args)
}

// assert evaluates the condition of an assertion as tracers have it.
func (ts tracers) assert(f *frame, test func() (value.Value, error)) (value.Value, error) {
	for _, t := range slices.Backward(ts.all) {
		within := test
		test = func() (value.Value, error) { return t.Assert(f, within) }
	}
	return test()
}

// enter tells tracers of a function that begins to run.
func (ts tracers) enter(f *frame) (leave func()) {
	return ts.during(func(t Tracer) func() { return t.Enter(f) })
}

// load tells tracers of a module that begins to run.
func (ts tracers) load(m *value.Module) (leave func()) {
	return ts.during(func(t Tracer) func() { return t.Load(m) })
}

func (ts tracers) during(begin func(Tracer) (end func())) (end func()) {
	var ends []func()
	for _, t := range ts.all {
		if end := begin(t); end != nil {
			ends = append(ends, end)
		}
	}
	return func() {
		for _, end := range slices.Backward(ends) {
			end()
		}
	}
}
