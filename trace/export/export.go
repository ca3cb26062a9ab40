// Package export keeps of a run what torch.export keeps, and finds which sizes share a trace of a tracer.
//
// torch.export runs the body of a module: sizes that Dim makes dynamic are symbols, and what Python asks of them is decided by the
// example and kept as a condition; elements of tensors are not known, and nothing may be decided by them. A Run hears the body as the
// interpreter runs it, and has the conditions. A Program is the body with its arguments: Outcome says what the conditions leave of its
// sizes, Bind holds the arguments of a later run against them. Under torch.compile and torch.jit.trace other things are kept of sizes
// (see Mode), by the same rules for the most part: trace/dynamo asks a Run what a graph relies on, and Share runs an entry as any of
// them does, with sizes of one class after the other.
//
// The rules are those of torch 2.15, found by experiments: sizes of 0 and 1 are never symbols, a size that an operation makes is taken
// not to be 1, and is asked to be at least 2 where the tensor has no other. The interpreter is seen through Host and Engine alone.
//
//	export.go       Host; Run: what a run notes
//	events.go       what it hears: names for the events of the interpreter
//	calls.go        calls of functions of Python, which make numbers of sizes
//	operations.go   operations: the sizes that they fix, compare and make
//	elements.go     operations that ask for elements
//	extremes.go     the least and the largest of several sizes
//	numbers.go      numbers by which operations count axes, and indices
//	numpy.go        functions of NumPy under Dynamo
//	draws.go        those of numpy.random
//	ones.go         operations that compare sizes with 1
//	order.go        the order of tensors in memory
//	reshape.go      views and reshapes
//	arguments.go    Program: its arguments with symbols
//	bind.go         the arguments of a later run
//	outcome.go      Outcome and Error: a program, or why there is none
//	declaration.go  how a Dim is to be declared
//	sizes.go        what the conditions leave of the sizes
//	entry.go        Entry: a callable with arguments whose sizes have symbols
//	sharing.go      Sharing: the classes of sizes that share a trace
//	search.go       sizes that meet conditions
//	text.go         the call of a tracer as Python
//	shapes.go       tracers whose traces are for the sizes of their arguments
package export

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A Host is the interpreter, as far as a Run and a Program need it.
type Host interface {
	value.Thread
	// OwnCode reports whether the program's own code runs, not a library's.
	OwnCode() bool
	// IsBuiltin reports whether a class is one of Python's own.
	IsBuiltin(c *value.Class) bool
	// Catching reports whether the program may catch an exception.
	Catching() bool
	// Example is the example of a symbol, SetExample gives it one; ExampleDim fills in that of a size.
	Example(symbol string) (int64, bool)
	SetExample(symbol string, n int64)
	ExampleDim(d symshape.Dim) symshape.Dim
	// Assume takes a condition for granted on this path, which is none of the contract's.
	Assume(c *symshape.Cond)
	// IsRandom reports whether a symbol is a random number of Python, IsNumber whether it is a number out of a tensor. Guessed reports
	// whether a condition rests on the truth of something unknown.
	IsRandom(s *symshape.Expr) bool
	IsNumber(s *symshape.Expr) bool
	Guessed(c *symshape.Cond) bool
	// Known reports whether all types in a value are known.
	Known(v value.Value) bool
	// InProgram is a place where it is in the file that runs or under an entry, else invalid; OwnPlace the innermost such place of an
	// exception.
	InProgram(at source.Span) source.Span
	OwnPlace(e *value.Exception) source.Span
}

// A Mode says as whose body a body runs.
type Mode uint8

const (
	// Plain and Strict are those of torch.export: in strict mode Dynamo runs the body, which keeps more of Python than a plain run does.
	Plain Mode = iota
	Strict
	// Trace is torch.jit.trace: it keeps more numbers, asks nothing of sizes itself and goes on where elements decide.
	Trace
	// Compile is torch.compile, which leaves RNN, GRU and LSTM to Python.
	Compile
	// Guards are those of a graph under torch.compile, with what PyTorch asks to choose what computes it.
	Guards
)

// A Run is what a body run for torch.export notes.
type Run struct {
	host Host
	pool *symshape.Pool
	mode Mode
	// strict says that Dynamo runs the body, jit that torch.jit.trace does, guards that the conditions are those of Guards.
	strict, jit, guards bool
	// Values are the places of which a trace of torch.jit.trace keeps what elements were.
	Values []KeptValue
	// Conds are the conditions on sizes on which the run relies, in their order.
	Conds []Condition
	// Apart are conditions that sizes made by operations are not 1.
	Apart []*symshape.Cond
	// unseen are conditions that always hold, which torch.export does not see: no more than a size is selected of it.
	unseen []unseenBound
	// roots are the symbols of Dims of which sizes are made and that are none themselves. They are taken to be at least 2, but the
	// program is refused where the conditions in later do not hold: that what is made of them is not 1.
	roots map[*symshape.Expr]bool
	later []*symshape.Cond
	// data are the numbers and sizes that the elements of tensors decide.
	data  []number
	fault *fault
	// missed says that something of which nothing is known decided.
	missed bool
}

// NewRun is a Run of a program that has heard nothing.
func NewRun(h Host, p *Program, mode Mode) *Run {
	return &Run{host: h, pool: h.Pool(), mode: mode, strict: mode == Strict || mode == Compile || mode == Guards, jit: mode == Trace,
		guards: mode == Guards, roots: p.roots}
}

// Option is what the prelude finds under "exporting" while the body runs; empty: what is there already.
func (x *Run) Option() string {
	switch x.mode {
	case Trace:
		return ""
	case Compile, Guards:
		return "compile"
	case Strict:
		return "strict"
	}
	return "export"
}

// A Condition on sizes is met at a place.
type Condition struct {
	Cond *symshape.Cond
	At   source.Span
}

// A KeptValue is a place of which a trace keeps what the elements of tensors were: the way that they decide, or a number.
type KeptValue struct {
	At     source.Span
	Number bool
}

// An unseenBound is a number that is no more than a size.
type unseenBound struct{ k, size *symshape.Expr }

// A number is one that the elements of tensors decide, or a size.
type number struct {
	sym    *symshape.Expr // nil: a float or truth value
	lo, hi int64
	// size says that it is a size that an operation made, which was known to be at least least.
	size  bool
	least int64
}

// someNumber is a number of which nothing is known.
var someNumber = number{lo: symshape.NegInf, hi: symshape.PosInf}

// A fault is what torch.export does not take.
type fault struct {
	class string
	kind  ErrorKind
	text  string
	at    source.Span
}

// keeps notes that a trace of torch.jit.trace keeps what elements decide, or the number that is taken out of a tensor.
func (x *Run) keeps(number bool) {
	at := x.host.Here()
	if !slices.ContainsFunc(x.Values, func(v KeptValue) bool { return v.At == at }) {
		x.Values = append(x.Values, KeptValue{at, number})
	}
}

// fails notes the first thing that cannot be exported.
func (x *Run) fails(class string, kind ErrorKind, text string) {
	if x.jit {
		x.keeps(false)
		return
	}
	if x.fault == nil {
		x.fault = &fault{class, kind, text, x.host.Here()}
	}
}

// The exceptions of PyTorch for what is not exported or compiled.
const (
	GuardError       = "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode"
	UserError        = "torch._dynamo.exc.UserError"
	UnsupportedError = "torch._dynamo.exc.Unsupported"
)

// OnElements reports whether elements of tensors decide a truth value.
func OnElements(h Host, b *value.SymBool) bool {
	if b.Source != nil {
		return true
	}
	for _, s := range b.Cond.Symbols() {
		if s.IsFresh() && !h.IsRandom(s) && !h.Guessed(b.Cond) {
			return true
		}
	}
	return false
}

// isData reports whether a symbol is a number or size that elements decide, as a random number of Python is not.
func (x *Run) isData(s *symshape.Expr) bool {
	return x.host.IsNumber(s) || slices.ContainsFunc(x.data, func(n number) bool { return n.sym == s })
}

// isNumber reports whether a value is a number that the elements of tensors decide.
func (x *Run) isNumber(v value.Value) bool {
	var symbols []*symshape.Expr
	switch v := v.(type) {
	case *value.SymInt:
		if v.D.Expr == nil {
			return v.Source != nil
		}
		symbols = v.D.Expr.Symbols()
	case *value.SymFloat:
		if v.Source != nil {
			return true
		}
		symbols = v.R.Symbols()
	case *value.SymBool:
		return OnElements(x.host, v)
	}
	return slices.ContainsFunc(symbols, func(s *symshape.Expr) bool {
		return s.IsFresh() && (!x.host.IsRandom(s) || x.host.IsNumber(s))
	})
}

// example evaluates a condition under the example sizes.
func (x *Run) example(c *symshape.Cond) (val, ok bool) {
	v, err := c.Eval(x.host.Example)
	return v, err == nil
}

// ofNumbers reports whether a size is made of ints that are arguments alone.
func ofNumbers(e *symshape.Expr) bool {
	symbols := e.Symbols()
	return len(symbols) > 0 && !slices.ContainsFunc(symbols, func(s *symshape.Expr) bool {
		lo, _ := (symshape.Facts{}).Range(s)
		return lo >= 0
	})
}

// firstTensor is the first tensor among arguments; nil: there is none.
func firstTensor(args []value.Value) *value.Tensor {
	for _, v := range args {
		if t, ok := v.(*value.Tensor); ok {
			return t
		}
	}
	return nil
}
