package infer

// This file has what traces know of numbers by samples: the elements of tensors for several draws of the random numbers of a
// program. What is the same for all of them is taken for certain.
//
// It also finds what gives something else at each call: functions of Python and numpy that draw numbers or tell the time. A
// number that one of them gives is a symbol while decisions are recorded, so that two runs that use it differ.

import (
	"math"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
	"shapecheck/trace/jit"
)

// samples are the elements of tensors, by sample; nil: they are not known.
func (tc *tracing) samples(list ...*value.Tensor) [][][]float64 {
	if tc.in.cfg.Numbers == nil {
		return nil
	}
	var values []*graph.Value
	for _, t := range list {
		if !constantType(t) {
			return nil
		}
		values = append(values, t.V)
	}
	g := tc.in.build.Graph()
	var nodes []*graph.Node
	if g.Setup != nil {
		nodes = append(nodes, g.Setup.Nodes...)
	}
	return tc.in.cfg.Numbers(append(nodes, g.Body.Nodes...), tc.in.pool, values...)
}

// sameNumbers compares tensors by numbers: they are the same on all samples or on none, else that is not known.
func (tc *tracing) sameNumbers(x, y *value.Tensor) (same, known bool) {
	agree, all := 0, tc.samples(x, y)
	for _, s := range all {
		if slices.EqualFunc(s[0], s[1], allClose) {
			agree++
		}
	}
	return len(all) > 0 && agree == len(all), len(all) > 0 && (agree == 0 || agree == len(all))
}

// allClose compares as torch.allclose does, with NaN equal to itself.
func allClose(x, y float64) bool {
	return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= 1e-5+1e-4*math.Abs(y)
}

// looksAtNumbers reports whether what runs is a traced entry, or a run of a trace or its model in a script.
func (tc *tracing) looksAtNumbers() bool {
	return tc.in.cfg.Trace != nil || tc.in.cfg.Retraces && tc.in.decisions != nil && !tc.isExporting()
}

// asksElements finds the elements of what an operation asks for elements of, where an entry is traced.
func (tc *tracing) asksElements(op *ops.Op, args []value.Value) {
	if !tc.looksAtNumbers() || tc.in.cfg.Numbers == nil || len(args) == 0 || !op.Trace.Has(ops.AsksElements) && !op.Trace.Has(ops.AsksMasks) {
		return
	}
	masks := op.Trace.Has(ops.AsksMasks)
	if masks {
		args = args[1:]
		if t, ok := args[0].(*value.Tuple); ok {
			args = t.Elems
		}
	}
	for _, v := range args {
		t, ok := v.(*value.Tensor)
		if ok && (!masks || t.Type().DType == dtype.Bool) {
			tc.sampledContents(t)
		}
	}
}

// sampledContents gives a tensor the elements that it has in all samples.
func (tc *tracing) sampledContents(t *value.Tensor) {
	if !tc.looksAtNumbers() || !catalog.IsTorch(t) || t.Contents() != nil {
		return
	}
	all := tc.samples(t)
	if len(all) == 0 {
		return
	}
	for _, s := range all[1:] {
		if !slices.EqualFunc(s[0], all[0][0], allClose) {
			return
		}
	}
	elems := make([]value.Value, len(all[0][0]))
	for i, x := range all[0][0] {
		switch d := t.Type().DType; {
		case d == dtype.Bool:
			elems[i] = value.Bool(x != 0)
		case d.IsFloat():
			elems[i] = value.Float(x)
		case d.IsIntegral():
			elems[i] = value.Int(x)
		default:
			return
		}
	}
	tc.in.heap.Touch(t)
	t.SetContents(elems)
}

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
