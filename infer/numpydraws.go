package infer

// This file tells what Dynamo makes of numpy.random: arrays that its own functions draw are part of the graph, numbers are none of
// its, and other functions and generators it does not take.

import (
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
)

// numpyDraw is the name of a function of numpy.random.
func numpyDraw(fn *value.Builtin) (name string, ok bool) {
	return strings.CutPrefix(fn.Name, numpy.Library.Prefix+"random.")
}

// drawsInGraph reports whether what a function of numpy.random gave is part of the graph that Dynamo makes: in a prelude a method of
// a generator calls it.
func (in *Interp) drawsInGraph(fn *value.Builtin, v value.Value) bool {
	if in.stack.frame.prelude {
		return false
	}
	if name, _ := numpyDraw(fn); name == "seed" {
		return true
	}
	_, array := v.(*value.Tensor)
	return array && catalog.RecordOf(fn.Name).Trace.Has(ops.DrawsInGraph)
}
