// Package jit keeps of a run what torch.jit.trace keeps.
//
// A tracer runs the body of a function once with example inputs and keeps what ran: the ways that conditions went, and numbers that
// Python took out of sizes and tensors. What a trace gives for other inputs is found by running the body as it was then, with the ways
// and numbers that were kept (Replay); which of them depend on the inputs is found by a run with symbols for all sizes and unknown
// values (Symbolic). The ways are the interpreter's own record; a Tracer has the numbers. The interpreter is seen through Host alone.
//
//	jit.go     Host; Tracer: the runs of a trace, and what a condition asks of its inputs
//	takers.go  calls that take numbers out of sizes and tensors
package jit

import (
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A Host is the interpreter, as far as a tracer needs it.
type Host interface {
	value.Thread
	Place() Place
	// DecidedBy reports whether symbols are sizes of the inputs, and whether they are numbers out of tensors.
	DecidedBy(symbols []*symshape.Expr) (sizes, data bool)
	// IsBuiltin reports whether a class is one of Python's own, IsOperation whether a function is one that a record describes.
	IsBuiltin(c *value.Class) bool
	IsOperation(fn *value.Builtin) bool
	// Row is a row of a tensor, which no tracer hears.
	Row(x *value.Tensor, i int) (value.Value, error)
}

// A Place is where a run is.
type Place struct {
	Frame any         // what runs there: equal for one activation alone
	At    source.Span // the innermost expression
	Own   bool        // the program's own code is there, not a library's
}

// A Site is a place at which a tracer makes a number, truth value, list or array of Python out of a size or tensor, and says so in a
// warning.
type Site struct {
	At source.Span
	// Kind is what the warning tells: bool, int, float, number (item), list (tolist), numpy,
	// len, iterate, torch.tensor, from_numpy, as_tensor.
	Kind string
	// OnData says that the elements of tensors decide, not sizes alone.
	OnData bool
	// Test is where the condition that decides begins; 0: it is no condition of a statement.
	Test source.Pos
}

type mode uint8

const (
	first    mode = iota // the run with the example inputs: numbers are noted
	symbolic             // with symbols: what depends on inputs is noted
	replay               // with other inputs: what depends on inputs is kept
)

// A Tracer is what one trace keeps, besides the ways that places went.
type Tracer struct {
	host  Host
	mode  mode
	taken map[takenKey][]value.Value
	// inputs are the takers that depend on the inputs; the others do again what they do.
	inputs map[takenKey]bool
	count  map[takenKey]int
	// answers are those of isinstance for sizes, which are tensors in a trace, where they are not those for numbers: by the
	// key of the call and how often it was called before.
	answers map[answerKey]bool
	// example is a tensor among the inputs; nil: there is none.
	example value.Value
	// wraps is the call of a function of numpy that ran last whose result, made of a size, is a tensor.
	wraps source.Span
	// busy is the frame whose taker runs: what that calls takes nothing for itself.
	busy any

	// Sites are the warnings in the lines of the program, Elsewhere says that there are others in the lines of a library.
	Sites     []*Site
	Elsewhere bool
	// Missed says that something which the trace keeps is not known, Drew that what changes at each call had a part in it.
	Missed, Drew bool
	// Asked says that a run with symbols found other answers of isinstance than the traced run had.
	Asked bool
	// Refused is a place at which Python does not take the tensor that stands for a size; invalid: there is none. Refusal is what
	// Python says.
	Refused source.Span
	Refusal string
}

// New is a tracer of a run with the example inputs.
func New(h Host) *Tracer {
	return &Tracer{host: h, mode: first, taken: map[takenKey][]value.Value{}, count: map[takenKey]int{}, answers: map[answerKey]bool{}}
}

// Again is a tracer of another such run, with the answers of isinstance that a run with symbols found.
func (t *Tracer) Again() *Tracer {
	again := New(t.host)
	again.answers = t.answers
	return again
}

// Symbolic is a tracer of a run with symbols for all sizes of the inputs, of which example is a tensor; nil: there is none.
func (t *Tracer) Symbolic(example value.Value) *Tracer {
	return &Tracer{host: t.host, mode: symbolic, taken: t.taken, inputs: map[takenKey]bool{}, count: map[takenKey]int{}, answers: t.answers,
		example: example}
}

// Replay is a tracer of a run of the trace with other inputs, as what a run with symbols found to depend on them.
func (t *Tracer) Replay(found *Tracer) *Tracer {
	return &Tracer{host: t.host, mode: replay, taken: t.taken, inputs: found.inputs, count: map[takenKey]int{}, answers: t.answers}
}

type takenKey struct {
	at   source.Pos
	what string
}

type answerKey struct {
	takenKey
	n int
}

// next is the key of a taker that the program now calls, and how often it was called before.
func (t *Tracer) next(at Place, what string) (takenKey, int) {
	k := takenKey{at.At.Start, what}
	n := t.count[k]
	t.count[k]++
	return k, n
}

// site notes a warning of the tracer.
func (t *Tracer) site(at source.Span, kind string, test source.Pos) {
	for _, s := range t.Sites {
		if s.At == at && s.Kind == kind {
			return
		}
	}
	t.Sites = append(t.Sites, &Site{At: at, Kind: kind, Test: test})
}

// Ask notes the truth value of a condition, which is asked for.
func (t *Tracer) Ask(test source.Span, v value.Value) {
	if t.mode != symbolic || !t.ofInputs(v) {
		return
	}
	t.site(test, "bool", test.Start)
	onData := true
	if b, ok := v.(*value.SymBool); ok {
		_, data := t.host.DecidedBy(b.Cond.Symbols())
		onData = data || b.Source != nil
	}
	for _, s := range t.Sites {
		if s.Test == test.Start {
			s.OnData = s.OnData || onData
		}
	}
}

// ofInputs reports whether sizes or tensors decide a value.
func (t *Tracer) ofInputs(v value.Value) bool {
	for x := range value.Walk(v, value.Deep, value.Sequences) {
		if t.ofInput(x) {
			return true
		}
	}
	return false
}

func (t *Tracer) ofInput(v value.Value) bool {
	var symbols []*symshape.Expr
	switch v := v.(type) {
	case *value.Tensor:
		return catalog.IsTorch(v)
	case *value.SymInt:
		if v.Source != nil {
			return true
		}
		if v.D.Expr == nil {
			return false
		}
		symbols = v.D.Expr.Symbols()
	case *value.SymFloat:
		symbols = v.R.Symbols()
	case *value.SymBool:
		if v.Source != nil {
			return true
		}
		symbols = v.Cond.Symbols()
	}
	sizes, data := t.host.DecidedBy(symbols)
	return sizes || data
}
