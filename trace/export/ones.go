package export

// This file says which operations compare sizes with 1 while torch.export or torch.compile runs them, so that a graph is not for a size
// that turns out to be 1. The records say it, as was found by calls with sizes that make one of 1.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// compares reports whether an operation compares the sizes of its result with 1.
func (x *Run) compares(op *ops.Op, name string, args []value.Value, elementwise bool) bool {
	switch {
	case !x.strict, op.Trace.Has(ops.ComparesAlways):
		return true
	case !x.guards:
		return elementwise
	case op.LeavesSizesAs(name):
		return false
	case elementwise:
		return true
	case op.Trace.Has(ops.ComparesVectors):
		return len(args) > 1 && isVector(args[1])
	}
	switch op.Form {
	case graph.GetItem: // None adds an axis, as unsqueeze does
		return slices.ContainsFunc(args, hasNewAxis)
	case graph.Linear: // adds a bias to a matrix
		t := firstTensor(args)
		return len(args) > 2 && firstTensor(args[2:3]) != nil && t != nil && len(t.Type().Shape) == 2
	case graph.OneHot: // it asks elements for the number of classes where that is not given
		return len(args) > 1 && args[1] != value.Int(-1)
	}
	return op.Trace.Has(ops.ComparesResult)
}

// comparesGiven notes the sizes of the arguments of an operation that compares them with 1 under torch.compile.
func (x *Run) comparesGiven(op *ops.Op, args []value.Value) {
	product := op.Trace.Has(ops.ComparesVectors)
	if !x.guards || !product && !op.Trace.Has(ops.ComparesOperands) {
		return
	}
	for i, a := range args {
		if t, ok := a.(*value.Tensor); ok && (!product || i == 0 && isVector(a)) {
			x.sizes(t, nil, nil, symshape.PosInf, true)
		}
	}
}

// hasNewAxis reports whether an index has None.
func hasNewAxis(v value.Value) bool {
	for x := range value.Walk(v, value.Deep, value.TupleElems) {
		if x == value.None {
			return true
		}
	}
	return false
}

// isVector reports whether a value is a tensor of rank 1.
func isVector(v value.Value) bool {
	t, ok := v.(*value.Tensor)
	return ok && t.Type().Ranked && len(t.Type().Shape) == 1
}
