package aten

// This file lowers padding. PyTorch lists the pairs from the last dimension on.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var padRecords = []Record{
	{Op: "torch.nn.functional.pad", Lower: func(c *Call) { pad(c, c.Str("mode")) }},
	{Op: "torch.constant_pad_nd", Lower: func(c *Call) { pad(c, "constant") }},
}

var padModes = map[string]string{"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}

func pad(c *Call, how string) {
	e := c.emit
	rank := c.Rank("input")
	d := c.OutDType(0)
	x := c.Tensor("input")
	list := c.Items("pad")
	before := slices.Repeat([]graph.Operand{graph.Int(0)}, rank)
	after := slices.Clone(before)
	for i := 0; i+1 < len(list) && i/2 < rank; i += 2 {
		before[rank-1-i/2], after[rank-1-i/2] = list[i], list[i+1]
	}
	finish := func(x V) V { return x }
	if how == "reflect" || how == "replicate" { // what is cut away is mirrored nevertheless
		finish = e.cropAfter(before, after)
	} else {
		x = e.crop(x, before, after)
	}
	if how == "circular" {
		c.Return(c.wrapPad(x, before, after))
		return
	}
	mode, ok := padModes[how]
	if !ok {
		failf("there is no mode %q", how)
	}
	if allZero(before) && allZero(after) {
		c.Return(finish(x))
		return
	}
	fill := V{}
	w := workType(d)
	x = e.Cast(x, w)
	if how == "constant" {
		fill = e.Scalar(w, 0)
		if c.Has("value") {
			fill = e.Cast(c.Number("value", d), w)
		}
	}
	c.Return(e.Cast(finish(e.Op("Pad", In(x, c.Sizes("pads", append(before, after...)), fill), onnx.StringAttr("mode", mode))), d))
}

func allZero(list []graph.Operand) bool {
	for _, o := range list {
		if n, ok := ConstInt(o); !ok || n != 0 {
			return false
		}
	}
	return true
}

// crop cuts what known negative paddings take away, and sets them to zero.
func (e *Emitter) crop(x V, before, after []graph.Operand) V {
	var start, end, axes []int64
	for i := range before {
		b, _ := ConstInt(before[i])
		a, _ := ConstInt(after[i])
		if b >= 0 && a >= 0 {
			continue
		}
		to := int64(1) << 62
		if a < 0 {
			to, after[i] = a, graph.Int(0)
		}
		if b < 0 {
			before[i] = graph.Int(0)
		}
		start, end, axes = append(start, max(-b, 0)), append(end, to), append(axes, int64(i))
	}
	if len(axes) == 0 {
		return x
	}
	return e.Op("Slice", In(x, e.I64(start...), e.I64(end...), e.I64(axes...)))
}

// cropAfter sets known negative paddings to zero and returns what cuts them when the
// others are there.
func (e *Emitter) cropAfter(before, after []graph.Operand) func(V) V {
	less := [2][]graph.Operand{slices.Clone(before), slices.Clone(after)}
	for i, list := range [...][]graph.Operand{before, after} {
		for k := range list {
			if n, ok := ConstInt(list[k]); ok && n < 0 {
				list[k] = graph.Int(0)
			} else {
				less[i][k] = graph.Int(0)
			}
		}
	}
	return func(x V) V { return e.crop(x, less[0], less[1]) }
}

// wrapPad puts the end before the start, and the start behind the end, of one
// dimension after the other.
func (c *Call) wrapPad(x V, before, after []graph.Operand) V {
	e := c.emit
	for i := range before {
		axis := int64(i)
		parts := []V{x}
		if n, ok := ConstInt(before[i]); !ok || n != 0 {
			size := e.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
			from := e.Op("Sub", In(size, c.bound(before[i], 0)))
			parts = slices.Insert(parts, 0, e.Op("Slice", In(x, from, size, e.I64(axis))))
		}
		if n, ok := ConstInt(after[i]); !ok || n != 0 {
			parts = append(parts, e.Op("Slice", In(x, e.I64(0), c.bound(after[i], 0), e.I64(axis))))
		}
		if len(parts) > 1 {
			x = e.Concat(axis, parts...)
		}
	}
	return x
}
