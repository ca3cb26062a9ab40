package infer

// This file tells what Dynamo makes of numpy.random: arrays that its own functions draw are part of the graph, numbers are none of
// its, and other functions and generators it does not take.

import (
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
)

// numpyDraw notes a call of a function of numpy.random in the run of a graph or of a strict export.
func (in *Interp) numpyDraw(fn *value.Builtin, v value.Value) {
	name, ok := strings.CutPrefix(fn.Name, numpy.Library.Prefix+"random.")
	x := in.decisions.export
	if !ok || in.dynamo == nil && (x == nil || !x.strict || x.jit || x.guards) {
		return
	}
	_, array := v.(*value.Tensor)
	op, seeds := recordOf(fn.Name), name == "seed"
	taken := (op.Trace.Has(ops.DrawsInGraph) || seeds) && !in.frame.prelude // a method of a generator calls it there
	if taken && (array || seeds) {
		return
	}
	if in.dynamo != nil {
		in.dynamo.breaks()
		return
	}
	switch what := "a number that NumPy draws is not known while a graph is made"; {
	case taken && op.Trace.Has(ops.DrawsSize):
		x.fails(in, userError, "data-dependent size", what)
	case taken || op.Trace.Has(ops.DrawsChoice):
		x.fails(in, userError, "data-dependent guard", what)
	default:
		x.fails(in, unsupportedError, "unsupported", "torch.export has no numpy.random."+strings.TrimPrefix(name, "_g_"))
	}
}
