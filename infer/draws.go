package infer

// This file has what traces know of numbers by samples: the elements of tensors for several draws of the random numbers of a
// program. What is the same for all of them is taken for certain.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/symshape/dtype"
)

// samples are the elements of tensors, by sample; nil: they are not known.
func (in *Interp) samples(list ...*value.Tensor) [][][]float64 {
	if in.cfg.Numbers == nil {
		return nil
	}
	var values []*graph.Value
	for _, t := range list {
		if !constantType(t) {
			return nil
		}
		values = append(values, t.V)
	}
	g := in.build.Graph()
	var nodes []*graph.Node
	if g.Setup != nil {
		nodes = append(nodes, g.Setup.Nodes...)
	}
	return in.cfg.Numbers(append(nodes, g.Body.Nodes...), in.pool, values...)
}

// sameNumbers compares tensors by numbers: they are the same on all samples or on none, else that is not known.
func (in *Interp) sameNumbers(x, y *value.Tensor) (same, known bool) {
	agree, all := 0, in.samples(x, y)
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
func (in *Interp) looksAtNumbers() bool {
	return in.cfg.Trace != nil || in.cfg.Retraces && in.decisions != nil && !in.isExporting()
}

// asksElements finds the elements of what an operation asks for elements of, where an entry is traced.
func (in *Interp) asksElements(op *ops.Op, args []value.Value) {
	if !in.looksAtNumbers() || in.cfg.Numbers == nil || len(args) == 0 || !op.Trace.Has(ops.AsksElements) && !op.Trace.Has(ops.AsksMasks) {
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
			in.sampledContents(t)
		}
	}
}

// sampledContents gives a tensor the elements that it has in all samples.
func (in *Interp) sampledContents(t *value.Tensor) {
	if !in.looksAtNumbers() || !catalog.IsTorch(t) || t.Contents() != nil {
		return
	}
	all := in.samples(t)
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
	in.heap.Touch(t)
	t.SetContents(elems)
}
