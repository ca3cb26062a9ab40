package infer

// This file finds what gives something else at each call: functions of Python and numpy that draw numbers or tell the time. A
// number that one of them gives is a symbol while decisions are recorded, so that two runs that use it differ.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/trace/jit"
)

// unitNumber is how many numbers random.random() chooses from: the integers below it, divided by it.
const unitNumber = 1 << 53

// drawn gives a number of Python that is not known a symbol, where a function that gives something else at each call, or what
// makes a number of a random array, made it: two runs that use it differ.
func (in *Interp) drawn(fn *value.Builtin, args []value.Value, v value.Value) value.Value {
	x, ok := v.(*value.SymFloat)
	if !ok || x.R.Known() || !jit.IsStateful(fn.Name) && !slices.ContainsFunc(args, isDrawn) {
		return v
	}
	lo, hi := int64(symshape.NegInf), int64(symshape.PosInf)
	switch {
	case fn.Name == "random.random" || strings.HasPrefix(fn.Name, numpy.Library.Prefix) && catalog.RecordOf(fn.Name).Trace.Has(ops.DrawsUnit):
		lo, hi = 0, unitNumber-1
	case jit.IsClock(fn.Name):
		lo = 1
	}
	e := in.pool.FreshIn("r", lo, hi)
	in.rec.random[e], in.rec.drawnAt[e] = true, in.Here()
	if jit.IsClock(fn.Name) {
		in.rec.clock[e] = true
	}
	return &value.SymFloat{R: in.pool.RealDiv(in.pool.RealFromInt(e), in.pool.RealFromInt(in.pool.Const(unitNumber)))}
}

// isDrawn reports whether a value is a random array.
func isDrawn(v value.Value) bool {
	t, ok := v.(*value.Tensor)
	return ok && !catalog.IsTorch(t) && t.V.Def != nil && t.V.Def.Is.Has(graph.Drawn)
}
