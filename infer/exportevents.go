package infer

// This file has what torch.export hears of a run.

import (
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// exporting is what notes for torch.export what runs; nil: nothing does.
func (in *Interp) exporting() *exporting {
	if in.decisions == nil {
		return nil
	}
	x, _ := in.decisions.with.(*exporting)
	return x
}

// Perform gives the arguments with which a function goes on. The error is that of do.
func (x *exporting) Perform(fn value.Value, args []value.Value, do CallFunc) (value.Value, error) {
	v, err := do(x.replaceArguments(x.in, fn, args))
	if b, ok := fn.(*value.Builtin); ok && err == nil {
		x.drawsNumbers(b, v)
	}
	return v, err
}

// drawsNumbers notes a call of a function of numpy.random in a strict export.
func (x *exporting) drawsNumbers(fn *value.Builtin, v value.Value) {
	name, ok := numpyDraw(fn)
	if !ok || !x.strict || x.jit || x.guards || x.in.drawsInGraph(fn, v) {
		return
	}
	op := catalog.RecordOf(fn.Name)
	taken := op.Trace.Has(ops.DrawsInGraph) && !x.in.stack.frame.prelude
	switch what := "a number that NumPy draws is not known while a graph is made"; {
	case taken && op.Trace.Has(ops.DrawsSize):
		x.fails(x.in, userError, "data-dependent size", what)
	case taken || op.Trace.Has(ops.DrawsChoice):
		x.fails(x.in, userError, "data-dependent guard", what)
	default:
		x.fails(x.in, unsupportedError, "unsupported", "torch.export has no numpy.random."+strings.TrimPrefix(name, "_g_"))
	}
}

// CallUnknown notes that what is asked of sizes is not known.
func (x *exporting) CallUnknown(args []value.Value) {
	x.missed = x.missed || slices.ContainsFunc(args, catalog.IsTorch)
}

// Apply notes what an operation asks of its arguments, and the sizes that it makes. The error is that of do.
func (x *exporting) Apply(op *ops.Op, name string, args []value.Value, kw []value.Kw, do CallFunc) (value.Value, error) {
	x.asksElements(op, args, kw)
	x.before(x.in, op, args)
	x.counts(x.in, op, name, args, kw)
	v, err := do(args)
	if err == nil {
		x.made(x.in, op, name, args, v)
	}
	return v, err
}

// Index is the index of a list, tuple or text, which is a number of Python.
func (x *exporting) Index(v, index value.Value) value.Value { return x.index(x.in, v, index) }

// Contains is what is looked for in a dict or set, which is a number of Python.
func (x *exporting) Contains(container, v value.Value) value.Value {
	return x.index(x.in, container, v)
}

// Repeat fixes how often a sequence is repeated.
func (x *exporting) Repeat(a, b value.Value) (value.Value, value.Value) { return x.repeats(x.in, a, b) }

// Format fixes what the program writes into a text, where Dynamo runs it.
func (x *exporting) Format(f *Frame, v value.Value) value.Value {
	if !x.strict || f.prelude {
		return v
	}
	return x.fixed(x.in, v)
}

// Iterator fixes the number of rows that Python goes over. It returns neither an iterator nor an error: Python's own
// goes on.
func (x *exporting) Iterator(v value.Value) (*value.Iterator, error) {
	if t, ok := v.(*value.Tensor); ok && catalog.IsTorch(t) && t.Type().Ranked && len(t.Type().Shape) > 0 {
		x.fixed(x.in, value.FromDim(t.Type().Shape[0]))
	}
	return nil, nil
}

// Undecided notes a place that sizes do not decide.
func (x *exporting) Undecided(kind DecisionKind, v value.Value) { x.undecided(x.in, kind, v) }

// Require notes a condition that the run takes for granted.
func (x *exporting) Require(c *symshape.Cond) {
	x.conds = append(x.conds, exportCond{c, x.in.Here()})
}

// Refuse notes that an operation fails: a program relies on that where it catches the exception.
func (x *exporting) Refuse(c *symshape.Cond) {
	if x.in.catching() && x.in.Decide(c) == symshape.Unknown {
		x.Require(x.in.pool.Not(c))
	}
}
