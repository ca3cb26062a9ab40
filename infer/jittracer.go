package infer

// This file lets a tracer of torch.jit.trace hear a run; trace/jit has what it keeps.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/trace/jit"
)

// A jitTracer hears a run for a tracer, which has some of the events itself.
type jitTracer struct {
	*jit.Tracer
	quiet
}

// quiet hears nothing, where an embedded tracer has an event, too.
type quiet struct{ Nop }

// Decide notes the truth value of a condition.
func (t jitTracer) Decide(_ DecisionKind, test source.Span, v value.Value) { t.Ask(test, v) }

// Diverge notes that a run does not go as the one that is traced did.
func (t jitTracer) Diverge(DecisionKind) { t.Missed = true }

// Assert gives the condition of an assert in built-in code, which a trace does not have. The error is that of test.
func (t jitTracer) Assert(f *Frame, test func() (value.Value, error)) (value.Value, error) {
	v, err := test()
	if err != nil || !f.prelude {
		return v, err
	}
	return t.AssertLibrary(v), nil
}

// A jitHost is the interpreter for trace/jit.
type jitHost struct{ *Interp }

var _ jit.Host = jitHost{}

func (h jitHost) Place() jit.Place {
	f := h.stack.frame
	if f == nil {
		return jit.Place{}
	}
	return jit.Place{Frame: f, At: f.at, Own: !f.prelude}
}

func (h jitHost) DecidedBy(symbols []*symshape.Expr) (sizes, data bool) {
	return h.decisions.decidedBy(h.Interp, symbols)
}

func (h jitHost) IsBuiltin(c *value.Class) bool { return h.world.Class(c.Name) == c }

func (h jitHost) IsOperation(fn *value.Builtin) bool { return h.opFuncs[fn.Name] == fn }

// Row gives row i of x. An error is what x[i] raises.
func (h jitHost) Row(x *value.Tensor, i int) (value.Value, error) {
	return h.applyTensor("__getitem__", x, value.Int(i))
}
