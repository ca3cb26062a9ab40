package export

// This file tells what Dynamo makes of numpy.random: arrays that its own functions draw are part of the graph, numbers are none of
// its, and other functions and generators it does not take.

import (
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
)

// NumpyDraw is the name of a function of numpy.random.
func NumpyDraw(fn *value.Builtin) (name string, ok bool) {
	return strings.CutPrefix(fn.Name, numpy.Library.Prefix+"random.")
}

// DrawsInGraph reports whether what a function of numpy.random gave is part of the graph that Dynamo makes; own says that the program
// calls it: in code of a library a method of a generator does.
func DrawsInGraph(fn *value.Builtin, v value.Value, own bool) bool {
	if !own {
		return false
	}
	if name, _ := NumpyDraw(fn); name == "seed" {
		return true
	}
	_, array := v.(*value.Tensor)
	return array && catalog.RecordOf(fn.Name).Trace.Has(ops.DrawsInGraph)
}

// drawsNumbers notes a call of a function of numpy.random in a strict export.
func (x *Run) drawsNumbers(fn *value.Builtin, v value.Value) {
	name, ok := NumpyDraw(fn)
	if !ok || !x.strict || x.jit || x.guards || DrawsInGraph(fn, v, x.host.OwnCode()) {
		return
	}
	op := catalog.RecordOf(fn.Name)
	taken := op.Trace.Has(ops.DrawsInGraph) && x.host.OwnCode()
	switch what := "a number that NumPy draws is not known while a graph is made"; {
	case taken && op.Trace.Has(ops.DrawsSize):
		x.fails(UserError, DataDependentSize, what)
	case taken || op.Trace.Has(ops.DrawsChoice):
		x.fails(UserError, DataDependentGuard, what)
	default:
		x.fails(UnsupportedError, Unsupported, "torch.export has no numpy.random."+strings.TrimPrefix(name, "_g_"))
	}
}
