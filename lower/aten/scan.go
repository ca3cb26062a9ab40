package aten

// This file lowers running sums and their relatives, and differences along an axis.

import (
	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var scanRecords = []Record{
	{Op: "torch.gradient", Lower: gradient},
	{Op: "torch.cumsum", Lower: func(c *Call) {
		out := c.OutDType(0)
		c.Return(c.Cast(c.cumsum(c.Cast(c.Tensor("input"), workType(out)), c.Rank("input"), c.Axis("dim", c.Rank("input"))), out))
	}},
	{Op: "torch.cumprod", Lower: func(c *Call) {
		out := c.OutDType(0)
		x := c.Cast(c.Tensor("input"), out)
		if x = c.Cast(x, workType(out)); out == onnx.Bool { // the product of bools is their conjunction
			x = c.Cast(x, onnx.Int32)
		}
		v := c.scan(x, c.Axis("dim", c.Rank("input")), []V{c.Scalar(x.DType, 1)}, 1, func(s *Call, state []V, at V) []V {
			return In(s.mul(state[0], at))
		})
		c.Return(c.Cast(v[0], out))
	}},
	{Op: "torch.logcumsumexp", Lower: func(c *Call) {
		x := c.first()
		d := x.DType
		v := c.scan(x, c.Axis("dim", c.Rank("input")), []V{c.lowest(d)}, 1, func(s *Call, state []V, at V) []V {
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
		v, axis := c.trapezoids()
		c.Return(c.Op("Div", In(c.Reduce("ReduceSum", v, false, axis), c.Scalar(v.DType, 2))))
	}},
	{Op: "torch.cumulative_trapezoid", Lower: func(c *Call) {
		v, axis := c.trapezoids()
		c.Return(c.Op("Div", In(c.cumsum(v, c.Rank("y"), axis), c.Scalar(v.DType, 2))))
	}},
}

// cumsum of a tensor without dimensions is the tensor.
func (c *Call) cumsum(x V, rank int, axis int64) V {
	if rank == 0 {
		return x
	}
	d := x.DType
	if d == onnx.Float16 {
		x = c.Cast(x, onnx.Float)
	}
	return c.Cast(c.Op("CumSum", In(x, c.I64Scalar(axis))), d)
}

// gradient is half the difference of the neighbours of each element; at the ends
// the difference to the only one.
func gradient(c *Call) {
	if c.Int("edge_order") != 1 {
		c.Failf("edge_order must be 1")
	}
	rank := c.Rank("input")
	axes, spacing := c.Axes("dim", rank), c.Items("spacing")
	for _, o := range spacing {
		if t, ok := o.(*graph.Value); ok && t.Type.Rank() != 0 {
			c.Failf("the spacing must be numbers")
		}
	}
	outs := make([]V, len(axes))
	for i, axis := range axes {
		x := c.first()
		h := c.Scalar(x.DType, 1)
		switch {
		case len(spacing) == 1:
			h = c.number("spacing", spacing[0], x.DType)
		case len(spacing) > 1:
			h = c.number("spacing", spacing[i], x.DType)
		}
		end := int64(1) << 62
		apart := func(a, b, m, n int64) V { return c.sub(c.Slice(x, axis, m, n, 1), c.Slice(x, axis, a, b, 1)) }
		inner := c.over(apart(0, -2, 2, end), c.times(h, 2))
		outs[i] = c.Concat(axis, c.over(apart(0, 1, 1, 2), h), inner, c.over(apart(-2, -1, -1, end), h))
	}
	c.Return(outs...)
}

// scan runs f along an axis of x. The states start as the numbers init, in the
// shape of a slice; the first of them are the results.
func (c *Call) scan(x V, axis int64, init []V, results int, f func(s *Call, state []V, at V) []V) []V {
	rank := c.Rank("input")
	if emptyShape(c.Type("input")) { // runtimes do not loop over nothing
		outs := make([]V, results)
		for i := range outs {
			outs[i] = c.Cast(x, init[i].DType)
		}
		return outs
	}
	if rank == 0 {
		x = c.flat(x)
		rank, axis = 1, 0
	}
	shape := c.Shape(x)
	var rest V
	switch {
	case rank == 1:
		rest = c.I64()
	default:
		keep := make([]int64, 0, rank-1)
		for i := range int64(rank) {
			if i != axis {
				keep = append(keep, i)
			}
		}
		rest = c.Op("Gather", In(shape, c.I64(keep...)), onnx.IntAttr("axis", 0))
	}
	// The body is written with the calls of a Call of its own, whose names must not
	// meet those around it.
	s := &Call{Node: c.Node, Pool: c.Pool, Opset: c.Opset, taken: map[string]bool{}, temps: 10000}
	g := &onnx.Graph{Name: "scan"}
	ins := make([]V, 0, len(init)+1)
	states := make([]V, len(init))
	for i, v := range init {
		ins = append(ins, c.Op("Expand", In(v, rest)))
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
	outs := c.Ops("Scan", len(init)+results, append(ins, x), onnx.GraphAttr("body", g), onnx.IntAttr("num_scan_inputs", 1),
		onnx.IntsAttr("scan_input_axes", axis), onnx.IntsAttr("scan_output_axes", axes...))
	outs = outs[len(init):]
	for i := range outs {
		outs[i].DType = next[i].DType
		if c.Rank("input") == 0 {
			outs[i] = c.scalar0(outs[i])
		}
	}
	return outs
}

// foldSteps runs f along the first axis of x and gives the last states. ranks are the states' numbers of dimensions.
func (c *Call) foldSteps(x V, init []V, ranks []int, f func(s *Call, state []V, at V) []V) []V {
	s := &Call{Node: c.Node, Pool: c.Pool, Opset: c.Opset, taken: map[string]bool{}, temps: 10000} // its names must not meet those around it
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
	outs := c.Ops("Scan", len(init), append(append([]V{}, init...), x), onnx.GraphAttr("body", g), onnx.IntAttr("num_scan_inputs", 1))
	for i := range outs {
		outs[i].DType = init[i].DType
	}
	return outs
}

// extremeScan keeps the extreme so far, its place, and the number of the step. Of
// equal elements the last counts.
func extremeScan(op string) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		x := c.Tensor("input")
		d := workType(x.DType)
		if d == onnx.Bool {
			d = onnx.Int32
		}
		x = c.Cast(x, d)
		start := c.lowest(d)
		if op == "LessOrEqual" {
			start = c.highest(d)
		}
		v := c.scan(x, c.Axis("dim", c.Rank("input")), []V{start, c.I64Scalar(0), c.I64Scalar(0)}, 2, func(s *Call, state []V, at V) []V {
			take := s.Op(op, In(at, state[0]))
			if isFloat(d) { // a NaN stays
				take = s.Op("Or", In(take, s.Op("IsNaN", In(at))))
			}
			return In(s.Op("Where", In(take, at, state[0])), s.Op("Where", In(take, state[2], state[1])), s.Op("Add", In(state[2], s.I64Scalar(1))))
		})
		c.Return(c.Cast(v[0], out), v[1])
	}
}

// ends are x without its first and without its last element along an axis.
func (c *Call) ends(x V, axis int64) (tail, head V) {
	return c.Slice(x, axis, 1, 1<<62, 1), c.Slice(x, axis, 0, -1, 1)
}

// diff takes differences of neighbours n times; of bools whether they differ.
func diff(c *Call) {
	d := c.OutDType(0)
	w := workType(d)
	axis := c.Axis("dim", c.Rank("input"))
	x := c.Operand("input", w)
	if c.Int("n") == 0 {
		c.Return(c.Cast(x, d))
		return
	}
	if c.Has("prepend") {
		x = c.Concat(axis, c.Operand("prepend", w), x)
	}
	if c.Has("append") {
		x = c.Concat(axis, x, c.Operand("append", w))
	}
	for range c.Int("n") {
		tail, head := c.ends(x, axis)
		if d == onnx.Bool {
			x = c.Op("Xor", In(tail, head))
		} else {
			x = c.Op("Sub", In(tail, head))
		}
	}
	c.Return(c.Cast(x, d))
}

// trapezoids are twice the areas between neighbours along an axis, computed in the
// arguments' types as PyTorch does.
func (c *Call) trapezoids() (V, int64) {
	d := c.OutDType(0)
	rank := c.Rank("y")
	axis := c.Axis("dim", rank)
	y := c.Tensor("y")
	tail, head := c.ends(c.Cast(y, workType(y.DType)), axis)
	v := c.Cast(c.Op("Add", In(tail, head)), y.DType)
	if !c.Has("x") {
		return c.mul(c.Cast(v, d), c.Number("dx", d)), axis
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
			x = c.Unsqueeze(x, after...)
		}
	}
	if xaxis < 0 {
		c.Failf("x has fewer dimensions than y")
	}
	tail, head = c.ends(c.Cast(x, workType(x.DType)), xaxis)
	common := c.common("y", "x")
	w := workType(common)
	dx := c.Cast(c.Op("Sub", In(tail, head)), x.DType)
	return c.Cast(c.Cast(c.mul(c.Cast(c.Cast(v, common), w), c.Cast(c.Cast(dx, common), w)), common), d), axis
}
