package export

// This file has what torch.export hears of a run.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// Perform gives the arguments with which a function goes on. The error is that of do.
func (x *Run) Perform(fn value.Value, args []value.Value, do func(args []value.Value) (value.Value, error)) (value.Value, error) {
	v, err := do(x.replaceArguments(fn, args))
	if b, ok := fn.(*value.Builtin); ok && err == nil {
		x.drawsNumbers(b, v)
	}
	return v, err
}

// CallUnknown notes that what is asked of sizes is not known.
func (x *Run) CallUnknown(args []value.Value) {
	x.missed = x.missed || slices.ContainsFunc(args, catalog.IsTorch)
}

// Apply notes what an operation asks of its arguments, and the sizes that it makes. The error is that of do.
func (x *Run) Apply(op *ops.Op, name string, args []value.Value, kw []value.Kw,
	do func(args []value.Value) (value.Value, error)) (value.Value, error) {
	x.asksElements(op, args, kw)
	x.before(op, args)
	x.counts(op, name, args, kw)
	v, err := do(args)
	if err == nil {
		x.made(op, name, args, v)
	}
	return v, err
}

// Index is the index of a list, tuple or text, which is a number of Python.
func (x *Run) Index(v, index value.Value) value.Value { return x.index(v, index) }

// Contains is what is looked for in a dict or set, which is a number of Python.
func (x *Run) Contains(container, v value.Value) value.Value {
	return x.index(container, v)
}

// Repeat fixes how often a sequence is repeated.
func (x *Run) Repeat(a, b value.Value) (value.Value, value.Value) { return x.repeats(a, b) }

// Format fixes what the program writes into a text, where Dynamo runs it.
func (x *Run) Format(v value.Value) value.Value {
	if !x.strict {
		return v
	}
	return x.fixed(v)
}

// Iterator fixes the number of rows that Python goes over. It returns neither an iterator nor an error: Python's own
// goes on.
func (x *Run) Iterator(v value.Value) (*value.Iterator, error) {
	if t, ok := v.(*value.Tensor); ok && catalog.IsTorch(t) && t.Type().Ranked && len(t.Type().Shape) > 0 {
		x.fixed(value.FromDim(t.Type().Shape[0]))
	}
	return nil, nil
}

// Undecided notes a condition of the program that sizes do not decide; assertion: that of an assert.
func (x *Run) Undecided(assertion bool, t value.Value) {
	b, ok := t.(*value.SymBool)
	if !ok || !OnElements(x.host, b) || b.Source == nil && !slices.ContainsFunc(b.Cond.Symbols(), x.isData) {
		x.missed = true
		return
	}
	what := "the elements of a tensor decide here, which are not known while a graph is made: torch.cond keeps both ways, " +
		"torch._check states what holds"
	switch {
	case !x.strict:
		x.fails(GuardError, DataDependentGuard, what)
	case assertion:
	case b.Source != nil && b.Source.Kind == graph.TensorKind: // not what a number of it decides
		x.fails(UnsupportedError, DataDependentBranch, what)
	default:
		x.fails(UserError, DataDependentGuard, what)
	}
}

// Require notes a condition that the run takes for granted.
func (x *Run) Require(c *symshape.Cond) {
	x.Conds = append(x.Conds, Condition{c, x.host.Here()})
}

// Refuse notes that an operation fails: a program relies on that where it catches the exception.
func (x *Run) Refuse(c *symshape.Cond) {
	if x.host.Catching() && x.host.Decide(c) == symshape.Unknown {
		x.Require(x.pool.Not(c))
	}
}
