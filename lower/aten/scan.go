package aten

// This file lowers running sums and their relatives, and differences along an axis.
//
// ONNX has CumSum alone of the running functions. The others are a Scan with a body, which is
// slow, one step for each position, but exact in the order of operations. The lists of results
// are PyTorch's: cummax gives values and places.

import (
	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var scanRecords = []Record{
	{Op: "torch.gradient", Lower: gradient},
	{Op: "torch.cumsum", Lower: func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		c.Return(e.Cast(e.cumsum(e.Cast(c.Tensor("input"), workType(out)), c.Rank("input"), c.Axis("dim", c.Rank("input"))), out))
	}},
	{Op: "torch.cumprod", Lower: func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		x := e.Cast(c.Tensor("input"), out)
		if x = e.Cast(x, workType(out)); out == onnx.Bool { // the product of bools is their conjunction
			x = e.Cast(x, onnx.Int32)
		}
		v := c.scan(x, c.Axis("dim", c.Rank("input")), []V{e.Scalar(x.DType, 1)}, 1, func(s *Emitter, state []V, at V) []V {
			return In(s.mul(state[0], at))
		})
		c.Return(e.Cast(v[0], out))
	}},
	{Op: "torch.logcumsumexp", Lower: func(c *Call) {
		x := c.first()
		d := x.DType
		v := c.scan(x, c.Axis("dim", c.Rank("input")), []V{c.emit.lowest(d)}, 1, func(s *Emitter, state []V, at V) []V {
			hi, lo := s.Op("Max", In(state[0], at)), s.Op("Min", In(state[0], at))
			sum := s.Op("Add", In(hi, s.Op("Log", In(s.Op("Add", In(s.Scalar(d, 1), s.Op("Exp", In(s.Op("Sub", In(lo, hi))))))))))
			return In(s.Op("Where", In(s.Op("Equal", In(lo, hi)), s.Op("Add", In(hi, s.Scalar(d, 0.6931471805599453))), sum))) // also of infinities
		})
		c.Return(v[0])
	}},
	{Op: "torch.cummax", Lower: extremeScan("GreaterOrEqual")},
	{Op: "torch.cummin", Lower: extremeScan("LessOrEqual")},
	{Op: "torch.diff", Lower: diff},
	{Op: "torch.trapezoid", Lower: func(c *Call) {
		e := c.emit
		v, axis := c.trapezoids()
		c.Return(e.Op("Div", In(e.Reduce("ReduceSum", v, false, axis), e.Scalar(v.DType, 2))))
	}},
	{Op: "torch.cumulative_trapezoid", Lower: func(c *Call) {
		e := c.emit
		v, axis := c.trapezoids()
		c.Return(e.Op("Div", In(e.cumsum(v, c.Rank("y"), axis), e.Scalar(v.DType, 2))))
	}},
}

// cumsum of a tensor without dimensions is the tensor. Float16 is summed up in f32, since
// runtimes have no kernel for it.
func (e *Emitter) cumsum(x V, rank int, axis int64) V {
	if rank == 0 {
		return x
	}
	d := x.DType
	if d == onnx.Float16 {
		x = e.Cast(x, onnx.Float)
	}
	return e.Cast(e.Op("CumSum", In(x, e.I64Scalar(axis))), d)
}

// gradient is half the difference of the neighbours of each element; at the ends
// the difference to the only one. That is the central difference of the second order, (x[i+1] -
// x[i-1]) / 2h, and at the ends of the first order (edge_order = 1). There is one result for each
// axis. spacing may be one number, or one for each axis; coordinates of each point are refused.
func gradient(c *Call) {
	e := c.emit
	if c.Int("edge_order") != 1 {
		failf("edge_order must be 1")
	}
	rank := c.Rank("input")
	axes, spacing := c.Axes("dim", rank), c.Items("spacing")
	for _, o := range spacing {
		if t, ok := o.(*graph.Value); ok && t.Type.Rank() != 0 {
			failf("the spacing must be numbers")
		}
	}
	outs := make([]V, len(axes))
	for i, axis := range axes {
		x := c.first()
		h := e.Scalar(x.DType, 1)
		switch {
		case len(spacing) == 1:
			h = c.number("spacing", spacing[0], x.DType)
		case len(spacing) > 1:
			h = c.number("spacing", spacing[i], x.DType)
		}
		end := int64(1) << 62
		apart := func(a, b, m, n int64) V { return e.sub(e.Slice(x, axis, m, n, 1), e.Slice(x, axis, a, b, 1)) }
		inner := e.over(apart(0, -2, 2, end), e.times(h, 2))
		outs[i] = e.Concat(axis, e.over(apart(0, 1, 1, 2), h), inner, e.over(apart(-2, -1, -1, end), h))
	}
	c.Return(outs...)
}

// scan runs f along an axis of x. The states start as the numbers init, in the
// shape of a slice; the first of them are the results. f gets a Call that writes into the body,
// the states and the slice at the current position, and gives the next states. The body's graph
// may not refer to values outside here, so that f makes its constants itself.
func (c *Call) scan(x V, axis int64, init []V, results int, f func(s *Emitter, state []V, at V) []V) []V {
	e := c.emit
	rank := c.Rank("input")
	if emptyShape(c.Type("input")) { // runtimes do not loop over nothing
		outs := make([]V, results)
		for i := range outs {
			outs[i] = e.Cast(x, init[i].DType)
		}
		return outs
	}
	// A tensor without dimensions is scanned as one with one element.
	if rank == 0 {
		x = e.flat(x)
		rank, axis = 1, 0
	}
	shape := e.Shape(x)
	var rest V
	switch {
	case rank == 1:
		rest = e.I64()
	default:
		keep := make([]int64, 0, rank-1)
		for i := range int64(rank) {
			if i != axis {
				keep = append(keep, i)
			}
		}
		rest = e.Op("Gather", In(shape, e.I64(keep...)), onnx.IntAttr("axis", 0))
	}
	s := e.nested()
	g := &onnx.Graph{Name: "scan"}
	ins := make([]V, 0, len(init)+1)
	states := make([]V, len(init))
	for i, v := range init {
		ins = append(ins, e.Op("Expand", In(v, rest)))
		states[i] = V{s.temp(), v.DType}
		g.Inputs = append(g.Inputs, &onnx.ValueInfo{Name: states[i].Name, Type: onnx.TensorOf(v.DType, make([]onnx.Dim, rank-1)...)})
	}
	at := V{s.temp(), x.DType}
	g.Inputs = append(g.Inputs, &onnx.ValueInfo{Name: at.Name, Type: onnx.TensorOf(x.DType, make([]onnx.Dim, rank-1)...)})
	next := f(s, states, at)
	for _, v := range next {
		g.Outputs = append(g.Outputs, &onnx.ValueInfo{Name: v.Name, Type: onnx.TensorOf(v.DType, make([]onnx.Dim, rank-1)...)})
	}
	for _, v := range next[:results] {
		o := s.Op("Identity", In(v))
		g.Outputs = append(g.Outputs, &onnx.ValueInfo{Name: o.Name, Type: onnx.TensorOf(v.DType, make([]onnx.Dim, rank-1)...)})
	}
	g.Nodes = s.nodes
	axes := make([]int64, results)
	for i := range axes {
		axes[i] = axis
	}
	outs := e.Ops("Scan", len(init)+results, append(ins, x), onnx.GraphAttr("body", g), onnx.IntAttr("num_scan_inputs", 1),
		onnx.IntsAttr("scan_input_axes", axis), onnx.IntsAttr("scan_output_axes", axes...))
	outs = outs[len(init):]
	for i := range outs {
		outs[i].DType = next[i].DType
		if c.Rank("input") == 0 {
			outs[i] = e.scalar0(outs[i])
		}
	}
	return outs
}

// foldSteps runs f along the first axis of x and gives the last states. ranks are the states'
// numbers of dimensions. The states may have shapes of their own, unlike those of scan, and
// nothing is stacked.
func (e *Emitter) foldSteps(x V, init []V, ranks []int, f func(s *Emitter, state []V, at V) []V) []V {
	s := e.nested()
	g := &onnx.Graph{Name: "steps"}
	declare := func(d onnx.DType, rank int) *onnx.ValueInfo {
		return &onnx.ValueInfo{Name: s.temp(), Type: onnx.TensorOf(d, make([]onnx.Dim, rank)...)}
	}
	states := make([]V, len(init))
	for i, v := range init {
		in := declare(v.DType, ranks[i])
		states[i] = V{in.Name, v.DType}
		g.Inputs = append(g.Inputs, in)
	}
	in := declare(x.DType, ranks[0])
	g.Inputs = append(g.Inputs, in)
	for i, v := range f(s, states, V{in.Name, x.DType}) {
		g.Outputs = append(g.Outputs, &onnx.ValueInfo{Name: v.Name, Type: onnx.TensorOf(v.DType, make([]onnx.Dim, ranks[i])...)})
	}
	g.Nodes = s.nodes
	outs := e.Ops("Scan", len(init), append(append([]V{}, init...), x), onnx.GraphAttr("body", g), onnx.IntAttr("num_scan_inputs", 1))
	for i := range outs {
		outs[i].DType = init[i].DType
	}
	return outs
}

// extremeScan keeps the extreme so far, its place, and the number of the step. Of
// equal elements the last counts. op says when the element at the position takes over, and so the
// direction. A NaN takes over always, and no number does from a NaN, since comparisons with it
// are false.
func extremeScan(op string) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		x := c.Tensor("input")
		d := workType(x.DType)
		if d == onnx.Bool {
			d = onnx.Int32
		}
		x = e.Cast(x, d)
		start := e.lowest(d)
		if op == "LessOrEqual" {
			start = e.highest(d)
		}
		v := c.scan(x, c.Axis("dim", c.Rank("input")), []V{start, e.I64Scalar(0), e.I64Scalar(0)}, 2, func(s *Emitter, state []V, at V) []V {
			take := s.Op(op, In(at, state[0]))
			if isFloat(d) { // a NaN stays
				take = s.Op("Or", In(take, s.Op("IsNaN", In(at))))
			}
			return In(s.Op("Where", In(take, at, state[0])), s.Op("Where", In(take, state[2], state[1])), s.Op("Add", In(state[2], s.I64Scalar(1))))
		})
		c.Return(e.Cast(v[0], out), v[1])
	}
}

// ends are x without its first and without its last element along an axis. Both are one element
// shorter than x.
func (e *Emitter) ends(x V, axis int64) (tail, head V) {
	return e.Slice(x, axis, 1, 1<<62, 1), e.Slice(x, axis, 0, -1, 1)
}

// diff takes differences of neighbours n times; of bools whether they differ. Each time the axis
// loses one element. prepend and append are joined before.
func diff(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	w := workType(d)
	axis := c.Axis("dim", c.Rank("input"))
	x := c.Operand("input", w)
	if c.Int("n") == 0 {
		c.Return(e.Cast(x, d))
		return
	}
	if c.Has("prepend") {
		x = e.Concat(axis, c.Operand("prepend", w), x)
	}
	if c.Has("append") {
		x = e.Concat(axis, x, c.Operand("append", w))
	}
	for range c.Int("n") {
		tail, head := e.ends(x, axis)
		if d == onnx.Bool {
			x = e.Op("Xor", In(tail, head))
		} else {
			x = e.Op("Sub", In(tail, head))
		}
	}
	c.Return(e.Cast(x, d))
}

// trapezoids are twice the areas between neighbours along an axis, computed in the
// arguments' types as PyTorch does. (y[i+1] + y[i]) · dx[i], where dx is a number or the
// differences of x. The callers divide by two at the end, as PyTorch does. The int64 is the axis.
func (c *Call) trapezoids() (V, int64) {
	e := c.emit
	d := c.OutDType(0)
	rank := c.Rank("y")
	axis := c.Axis("dim", rank)
	y := c.Tensor("y")
	tail, head := e.ends(e.Cast(y, workType(y.DType)), axis)
	v := e.Cast(e.Op("Add", In(tail, head)), y.DType)
	if !c.Has("x") {
		return e.mul(e.Cast(v, d), c.Number("dx", d)), axis
	}
	x := c.Tensor("x")
	xrank := c.Rank("x")
	xaxis := axis - int64(rank-xrank)
	if xrank == 1 && rank > 1 { // a vector is the axis
		after := make([]int64, rank-1-int(axis))
		for i := range after {
			after[i] = int64(i + 1)
		}
		if xaxis = 0; len(after) > 0 {
			x = e.Unsqueeze(x, after...)
		}
	}
	if xaxis < 0 {
		failf("x has fewer dimensions than y")
	}
	tail, head = e.ends(e.Cast(x, workType(x.DType)), xaxis)
	common := c.common("y", "x")
	w := workType(common)
	dx := e.Cast(e.Op("Sub", In(tail, head)), x.DType)
	return e.Cast(e.Cast(e.mul(e.Cast(e.Cast(v, common), w), e.Cast(e.Cast(dx, common), w)), common), d), axis
}
