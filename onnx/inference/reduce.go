package inference

// This file holds reductions, and operators along one axis.

import (
	"slices"

	"shapecheck/onnx"
)

var reduceOps = [...]op{
	{"ReduceL1", reduce, nil}, {"ReduceL2", reduce, nil},
	{"ReduceLogSum", reduce, nil}, {"ReduceLogSumExp", reduce, nil},
	{"ReduceMax", reduce, dataReduce("max")}, {"ReduceMin", reduce, dataReduce("min")},
	{"ReduceMean", reduce, nil}, {"ReduceProd", reduce, dataReduce("mul")},
	{"ReduceSum", reduce, dataReduce("add")}, {"ReduceSumSquare", reduce, nil},
	{"ArgMax", argReduce, nil}, {"ArgMin", argReduce, nil},
	{"CumProd", same, nil},
	{"CumSum", same, nil},
	{"TopK", topK, nil},
	{"Det", det, nil},
	{"Trilu", trilu, nil},
}

// reduceAxes says over which axes a reduction goes: by attribute, from opset 18
// (ReduceSum: 13) by input. all means all of them; known is false when the data
// decides.
func (c *call) reduceAxes() (axes []int64, all, known bool) {
	inputFrom := int64(18)
	if c.n.Op == "ReduceSum" {
		inputFrom = 13
	}
	if c.version < inputFrom {
		list, ok := c.a.Ints("axes"), c.a.Has("axes")
		return list, !ok || len(list) == 0, true
	}
	noop := c.a.Bool("noop_with_empty_axes")
	if !c.has(1) {
		return nil, !noop, true
	}
	list, ok := c.ints(1)
	if n, sized := c.length(1); sized && n == 0 {
		return nil, !noop, true
	}
	return list, false, ok
}

// reduce: axes are an input since version 18 (of ReduceSum since 13). With keepdims, axes that are not known
// leave each size or make it 1; without, only their number can say the rank.
func reduce(c *call) {
	d, ok := c.dims(0)
	keep := c.a.Bool("keepdims")
	list, all, known := c.reduceAxes()
	switch {
	case all && !keep:
		c.out(0, c.elem(0), nil)
	case !ok:
		c.outUnranked(0, c.elem(0))
	case !known && keep: // each size stays or becomes 1
		out := make([]expr, len(d))
		for i, x := range d {
			if x.IsConst(1) {
				out[i] = x
			}
		}
		c.out(0, c.elem(0), out)
	case !known:
		if n, sized := c.length(1); sized && n > 0 && n <= len(d) {
			c.outRank(0, c.elem(0), len(d)-n)
		} else {
			c.outUnranked(0, c.elem(0))
		}
	default:
		axes, ok := c.axes(list, len(d))
		if !ok {
			return
		}
		c.out(0, c.elem(0), c.reduced(d, axes, all, keep))
	}
}

// reduced drops the axes, or makes them 1.
func (c *call) reduced(d []expr, axes []int, all, keep bool) []expr {
	var out []expr
	for i, x := range d {
		switch gone := all || slices.Contains(axes, i); {
		case !gone:
			out = append(out, x)
		case keep:
			out = append(out, c.pool().Const(1))
		}
	}
	return out
}

func argReduce(c *call) {
	d, ok := c.dims(0)
	if !ok {
		c.outUnranked(0, onnx.Int64)
		return
	}
	a, ok := c.axis(c.a.Int("axis"), len(d))
	if ok {
		c.out(0, onnx.Int64, c.reduced(d, []int{a}, false, c.a.Bool("keepdims")))
	}
}

// topK takes k from an attribute, from opset 10 on from an input.
func topK(c *call) {
	d, ok := c.dims(0)
	if !ok {
		c.outUnranked(0, c.elem(0))
		c.outUnranked(1, onnx.Int64)
		return
	}
	a, ok := c.axis(c.a.Int("axis"), len(d))
	if !ok {
		return
	}
	var k expr
	if c.version < 10 {
		k = c.pool().Const(max(c.a.Int("k"), 0))
	} else if list, ok := c.exprs(1); ok && len(list) == 1 {
		k = list[0]
	}
	if k != nil {
		if more := c.pool().Sub(k, d[a]); more != nil && low(more) > 0 {
			c.errorf("k is %s, and axis %d has size %s", k, a, d[a])
			return
		}
	}
	out := slices.Clone(d)
	out[a] = k
	c.out(0, c.elem(0), out)
	if len(c.outs) > 1 && c.outs[0] != nil {
		c.e.normalize(c.outs[0].Type)
		c.out(1, onnx.Int64, c.outs[0].Dims)
	}
}

// square checks the last two dimensions.
func (c *call) square(i int) ([]expr, bool) {
	d, ok := c.ranked(i, -2)
	if ok && c.e.neverEqual(d[len(d)-1], d[len(d)-2]) {
		c.errorAt(i, "expected square matrices, got %s", c.in(i).Type)
		return nil, false
	}
	return d, ok
}

func det(c *call) {
	d, ok := c.square(0)
	switch {
	case c.failed:
	case ok:
		c.out(0, c.elem(0), d[:len(d)-2])
	default:
		c.outUnranked(0, c.elem(0))
	}
}

func trilu(c *call) {
	c.ranked(0, -2)
	if !c.failed {
		same(c)
	}
}

// low is the least value of an expression.
func low(x expr) int64 {
	lo, _ := x.Bounds()
	return lo
}
