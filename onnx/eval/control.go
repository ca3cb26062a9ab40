package eval

// This file runs graphs under conditions and in loops.
//
// A body is a graph that is evaluated anew in each trip, with its inputs by position; names of
// the outer graph are visible in it. There is no limit of trips here: every trip ticks, and the
// evaluation's limit of steps ends a loop that does not end by itself.

import (
	"math"
	"slices"

	"shapecheck/onnx"
)

// truthOf is a condition. ONNX says one element of type bool; its rank does not matter.
func (c *call) truthOf(v Value) bool {
	t, ok := v.(*Tensor)
	if !ok || t.DType != onnx.Bool || t.Len() != 1 {
		c.failf("a condition is %s", describe(v))
	}
	return t.I[0] != 0
}

// ifKernel runs one of two graphs. In ONNX+ further operands are inputs of both.
func ifKernel(c *call) []Value {
	name := "else_branch"
	if c.truthOf(c.val(0)) {
		name = "then_branch"
	}
	return c.sub(c.body(name), c.ins[1:])
}

// loopKernel runs a graph until a number of trips or until its condition is false. Without a
// first operand there is no number of trips, without a second one the condition is true; with
// neither it runs until the body's condition is false. The results are the last states and, for
// each scan output, the values of all trips stacked along a new axis, which is 0 unless the
// extension stack_axis says another. The body may have no inputs at all, if it captures what it
// needs.
func loopKernel(c *call) []Value {
	g := c.body("body")
	trips := int64(math.MaxInt64)
	if c.val(0) != nil {
		trips = c.oneInt(0)
	}
	goOn := c.val(1) == nil || c.truthOf(c.val(1))
	var states []Value
	if len(c.ins) > 2 {
		states = slices.Clone(c.ins[2:])
	}
	n := len(states)
	if len(g.Inputs) != n+2 && len(g.Inputs) != 0 || len(g.Outputs) < n+1 {
		c.failf("a body of %d inputs and %d outputs for %d states", len(g.Inputs), len(g.Outputs), n)
	}
	scans := make([][]*Tensor, len(g.Outputs)-n-1)
	for i := int64(0); goOn && i < trips; i++ {
		c.tick(1)
		ins := append([]Value{Ints([]int64{}, i), &Tensor{DType: onnx.Bool, Dims: []int64{}, I: []int64{1}}}, states...)
		outs := c.sub(g, ins[:len(g.Inputs)])
		goOn = outs[0] == nil || c.truthOf(outs[0])
		states = outs[1 : n+1]
		for k, v := range outs[n+1:] {
			scans[k] = append(scans[k], c.scanned(v))
		}
	}
	axis := int64(0)
	if a, ok := c.extra("stack_axis"); ok {
		axis = a
	}
	outs := slices.Clone(states)
	for k, list := range scans {
		if len(list) == 0 {
			outs = append(outs, c.emptyScan(g.Outputs[n+1+k].Type))
			continue
		}
		outs = append(outs, c.stacked(list, c.axis(axis, len(list[0].Dims)+1)))
	}
	return outs
}

// scanned is a result of one trip that is kept. Its memory counts, as the values of all trips are
// alive at the end.
func (c *call) scanned(v Value) *Tensor {
	t, ok := v.(*Tensor)
	if !ok {
		c.failf("a scan output is %s", describe(v))
	}
	c.space(sizeOf(t))
	return t
}

// emptyScan is what no trip has made: no elements of the type that the graph declares. A
// dimension that is a symbol counts as 0 there.
func (c *call) emptyScan(t *onnx.Type) *Tensor {
	if t == nil || t.Kind != onnx.TensorType || !t.Elem.Valid() {
		c.failf("a scan output of no trips, whose type the graph does not say")
	}
	dims := []int64{0}
	if t.Shape != nil {
		for _, d := range t.Shape.Dims {
			dims = append(dims, d.Value)
		}
	}
	return c.make(t.Elem, dims)
}

// stacked joins tensors of equal sizes along a new dimension. It fails if the sizes differ, as
// concat does.
func (c *call) stacked(list []*Tensor, axis int) *Tensor {
	wide := make([]*Tensor, len(list))
	for i, t := range list {
		wide[i] = t.with(slices.Insert(slices.Clone(t.Dims), axis, 1))
	}
	return c.concat(wide, axis)
}

// at takes one place of a dimension, which goes. axis is counted from 0, and i must be in range.
func (c *call) at(x *Tensor, axis int, i int64) *Tensor {
	y := c.takeRange(x, axis, i, 1)
	return y.with(slices.Delete(slices.Clone(y.Dims), axis, axis+1))
}

// scanKernel runs a graph for each place of the scan inputs. In ONNX states and scan inputs stand
// in one list; num_scan_inputs says how many at the end are scanned.
func scanKernel(c *call) []Value {
	if c.Op().Since < 9 {
		return c.batchScan()
	}
	n := c.int("num_scan_inputs")
	if n < 1 || n > int64(len(c.ins)) {
		c.failf("%d scan inputs of %d inputs", n, len(c.ins))
	}
	states := slices.Clone(c.ins[:len(c.ins)-int(n)])
	ins := c.tensors(len(states))
	outs := len(c.body("body").Outputs) - len(states)
	if outs < 0 {
		c.failf("a body of %d outputs for %d states", len(c.body("body").Outputs), len(states))
	}
	return c.scan(states, ins, c.scanList("scan_input_axes", len(ins)), c.scanList("scan_input_directions", len(ins)),
		c.scanList("scan_output_axes", outs), c.scanList("scan_output_directions", outs))
}

// scanList is an attribute with a number for each of n values, zeros without it.
func (c *call) scanList(name string, n int) []int64 {
	if !c.has(name) || len(c.ints(name)) == 0 {
		return make([]int64, n)
	}
	return length(c, name, c.ints(name), n)
}

// scan runs the body for each position of the scan axes. States go from one turn to the next, and what the body
// gives beside them is stacked, on outAxes and from the back where that is asked for. With no turns the outputs
// are empty, and their sizes are those of the graph's types. All scan inputs must have the same
// size on their axes. back and outBack are 1 for what runs from the end.
func (c *call) scan(states []Value, ins []*Tensor, axes, back, outAxes, outBack []int64) []Value {
	g := c.body("body")
	at := make([]int, len(ins))
	trips := int64(-1)
	for i, x := range ins {
		at[i] = c.axis(axes[i], len(x.Dims))
		if n := x.Dims[at[i]]; trips >= 0 && n != trips {
			c.failf("scan inputs of %d and %d places", trips, n)
		} else {
			trips = n
		}
	}
	scans := make([][]*Tensor, len(outAxes))
	for t := range max(trips, 0) {
		c.tick(1)
		args := slices.Clone(states)
		for i, x := range ins {
			p := t
			if back[i] != 0 {
				p = trips - 1 - t
			}
			args = append(args, c.at(x, at[i], p))
		}
		outs := c.sub(g, args)
		if len(outs) != len(states)+len(scans) {
			c.failf("a body of %d outputs for %d states", len(outs), len(states))
		}
		states = outs[:len(states)]
		for k, v := range outs[len(states):] {
			scans[k] = append(scans[k], c.scanned(v))
		}
	}
	outs := slices.Clone(states)
	for k, list := range scans {
		if len(list) == 0 {
			outs = append(outs, c.emptyScan(g.Outputs[len(states)+k].Type))
			continue
		}
		if outBack[k] != 0 {
			slices.Reverse(list)
		}
		outs = append(outs, c.stacked(list, c.axis(outAxes[k], len(list[0].Dims)+1)))
	}
	return outs
}

// batchScan is Scan's version 8: all operands have the batch as first dimension, the
// first input is the lengths. Each element of the batch is a scan of its own, over the first
// lengths[b] places, and the results are stacked along the batch. It fails if the lengths leave
// results of different sizes.
func (c *call) batchScan() []Value {
	n := int(c.int("num_scan_inputs"))
	if n < 1 || n > len(c.ins)-1 {
		c.failf("%d scan inputs of %d inputs", n, len(c.ins))
	}
	all := c.tensors(1)
	k := len(all) - n
	var outs [][]*Tensor
	batch := c.ranked(1+k, 2).Dims[0]
	for b := range batch {
		var states []Value
		for _, s := range all[:k] {
			states = append(states, c.at(s, 0, c.place(b, s.Dims[0])))
		}
		var ins []*Tensor
		for _, x := range all[k:] {
			y := c.at(x, 0, c.place(b, x.Dims[0]))
			if c.opt(0) != nil {
				lens := length(c, "the list of lengths", c.list(0), int(batch))
				if lens[b] < 0 || len(y.Dims) < 1 || lens[b] > y.Dims[0] {
					c.failf("a length of %d", lens[b])
				}
				y = c.takeRange(y, 0, 0, lens[b])
			}
			ins = append(ins, y)
		}
		m := len(c.body("body").Outputs) - k
		got := c.scan(states, ins, make([]int64, n), c.scanList("directions", n), make([]int64, max(m, 0)), make([]int64, max(m, 0)))
		for i, v := range got {
			if b == 0 {
				outs = append(outs, nil)
			}
			outs[i] = append(outs[i], c.scanned(v))
		}
	}
	list := make([]Value, len(outs))
	for i, ts := range outs {
		list[i] = c.stacked(ts, 0)
	}
	return list
}

// sequenceMap runs a graph for each element of sequences; tensors are the same each time. All
// sequences must have as many elements as the first one. Each output of the body becomes a
// sequence.
func sequenceMap(c *call) []Value {
	g := c.body("body")
	first := c.seq(0)
	outs := make([]*Sequence, len(g.Outputs))
	for i := range outs {
		outs[i] = &Sequence{}
	}
	for i := range first.Items {
		c.tick(1)
		args := make([]Value, len(c.ins))
		for k, v := range c.ins {
			args[k] = v
			if s, ok := v.(*Sequence); ok {
				if len(s.Items) != len(first.Items) {
					c.failf("sequences of %d and %d", len(first.Items), len(s.Items))
				}
				args[k] = s.Items[i]
			}
		}
		for k, v := range c.sub(g, args) {
			c.space(sizeOf(v))
			outs[k].Items = append(outs[k].Items, v)
		}
	}
	list := make([]Value, len(outs))
	for i, s := range outs {
		list[i] = s
	}
	return list
}
