package eval

// This file holds the gradients of ONNX+.
//
// A gradient operator gets the gradient gy of a result and what the forward operator kept:
// tensors, or a context, which is an opaque value with the forward call and its operands. The
// formulas are the derivatives; sums over the batch are in float64.

import (
	"math"
	"slices"
)

// linearGradWeight is gyᵀ·x. x and gy are flattened to matrices of as many rows as gy has.
func linearGradWeight(c *call) []Value {
	x, gy := c.floatArg(0), c.floatArg(1)
	c.ranked(1, 1)
	out := gy.Dims[len(gy.Dims)-1]
	rows := int64(gy.Len()) / max(out, 1)
	if rows == 0 || int64(x.Len())%rows != 0 {
		c.failf("an input of the sizes %v and a gradient of %v", x.Dims, gy.Dims)
	}
	g := c.transposed(gy.with([]int64{rows, out}), []int{1, 0})
	return []Value{c.matMul(g, x.with([]int64{rows, int64(x.Len()) / rows}))}
}

// reluGrad passes the gradient where the result was positive: Chainer keeps the result, not the input.
func reluGrad(c *call) []Value {
	y, gy := c.floatArg(0), c.floatArg(1)
	c.sized("the gradient", gy, y.Dims...)
	out := c.like(gy, gy.DType)
	for i, f := range y.F {
		c.tick(1)
		if f > 0 {
			out.F[i] = gy.F[i]
		}
	}
	return []Value{out}
}

// context gives the values that an operator kept, and its call. kind is the operator's name and n
// the least number of values. It fails for any other value.
func (c *call) context(i int, kind string, n int) ([]Value, *call) {
	o, ok := c.val(i).(*Opaque)
	if !ok || o.Kind != kind || len(o.Items) < n {
		c.failf("input %d is %s instead of a context of %s", i, describe(c.val(i)), kind)
	}
	return o.Items, o.node
}

// kept is a tensor of a context.
func (c *call) kept(v Value) *Tensor {
	t, ok := v.(*Tensor)
	if !ok {
		c.failf("a context with %s", describe(v))
	}
	return t
}

// maxPoolGrad sends each gradient to the element that was the largest. The places were kept by
// the pooling; a place below 0 is a window without elements.
func maxPoolGrad(c *call) []Value {
	gy := c.floatArg(0)
	items, _ := c.context(1, "MaxPool", 3)
	x, idx := c.kept(items[0]), c.kept(items[2])
	c.sized("the gradient", gy, idx.Dims...)
	out := c.make(gy.DType, x.Dims)
	for i, p := range idx.I {
		c.tick(1)
		if p >= 0 {
			out.F[p] += gy.F[i]
		}
	}
	return []Value{out}
}

// averagePoolGrad gives each element of a window its share, over as many elements as the average
// was taken of. With count_include_pad the padding counts.
func averagePoolGrad(c *call) []Value {
	gy := c.floatArg(0)
	items, of := c.context(1, "AveragePool", 2)
	x := c.kept(items[0])
	win := of.poolWindow(x)
	all := of.int("count_include_pad") != 0
	c.sized("the gradient", gy, c.kept(items[1]).Dims...)
	out := c.make(gy.DType, x.Dims)
	c.eachWindow(x, win, func(base, o int, taps []tap, padded int) {
		n := len(taps)
		if all {
			n = padded
		}
		for _, t := range taps {
			out.F[base+t.in] += gy.F[o] / float64(n)
		}
	})
	return []Value{out}
}

// resizeGrad is the gradient of a Resize to the nearest element below, by scales of which
// each or its reciprocal is whole. Each element of gy belongs to one of the operand, whose
// gradients are summed.
func resizeGrad(c *call) []Value {
	gy := c.floatArg(0)
	scales := length(c, "the list of scales", c.floatArg(1).F, len(gy.Dims))
	dims := slices.Clone(gy.Dims)
	for i, s := range scales {
		if !(s > 0) || s >= 1 && s != math.Trunc(s) || s < 1 && math.Abs(1/s-math.Round(1/s)) > 1e-6 || float64(dims[i])/s > float64(c.Elems) {
			c.failf("scales of %v", scales)
		}
		dims[i] = int64(math.Round(float64(dims[i]) / s))
	}
	out := c.make(gy.DType, dims)
	own := strides(dims)
	c.walk(gy.Dims, func(i int, pos []int64) {
		at := 0
		for a, p := range pos {
			q := int64(float64(p)/scales[a] + 1e-6)
			at += int(min(q, dims[a]-1)) * own[a]
		}
		out.F[at] += gy.F[i]
	})
	return []Value{out}
}

// batchNormGrad is the gradient of normalisation by the batch's own statistics. With x̂ the
// normalised input, gβ = Σ g, gγ = Σ g·x̂ and gx = γ/σ·(g - gβ/n - x̂·gγ/n), each by channel over
// n elements.
func batchNormGrad(c *call) []Value {
	gy := c.floatArg(0)
	items, of := c.context(1, "BatchNormalization", 4)
	x, scale, mean, variance := c.kept(items[0]), c.kept(items[1]), c.kept(items[2]), c.kept(items[3])
	c.sized("the gradient", gy, x.Dims...)
	eps := of.float("epsilon")
	gx, gg, gb := c.like(x, x.DType), c.like(scale, scale.DType), c.like(scale, scale.DType)
	each := channelOf(x.Dims)
	norm := func(i, k int) float64 { return (x.F[i] - mean.F[k]) / math.Sqrt(variance.F[k]+eps) }
	for i, g := range gy.F {
		c.tick(1)
		k := each(i)
		gb.F[k] += g
		gg.F[k] += g * norm(i, k)
	}
	n := float64(x.Len()) / float64(max(scale.Len(), 1))
	for i, g := range gy.F {
		c.tick(1)
		k := each(i)
		gx.F[i] = scale.F[k] / math.Sqrt(variance.F[k]+eps) * (g - gb.F[k]/n - norm(i, k)*gg.F[k]/n)
	}
	return []Value{gx, gg, gb}
}

// selectItemGrad puts each gradient where its element was picked.
func selectItemGrad(c *call) []Value {
	gy := c.floatArg(0)
	out := c.make(gy.DType, slices.Clone(c.list(2)))
	at := c.picks(out.Dims, c.list(1))
	length(c, "the gradient", gy.F, len(at))
	for i, p := range at {
		out.F[p] += gy.F[i]
	}
	return []Value{out}
}

// lrnGrad has x, y, gy and what the power was taken of. With y = x·u^-β and u = k + α/n·Σx², gx =
// gy·u^-β - 2αβ/n·x·Σ gy·y/u over the channels whose windows hold this one.
func lrnGrad(c *call) []Value {
	x, y, gy, unit := c.floatArg(0), c.floatArg(1), c.floatArg(2), c.floatArg(3)
	c.ranked(0, 2)
	for _, t := range []*Tensor{y, gy, unit} {
		c.sized("an operand", t, x.Dims...)
	}
	size, alpha, beta := min(c.int("size"), 1<<31), c.float("alpha"), c.float("beta")
	out := c.like(x, x.DType)
	inner, ch := count(x.Dims[2:]), int(x.Dims[1])
	each := channelOf(x.Dims)
	for i := range x.F {
		c.tick(1)
		k := each(i) // the channels whose windows hold this one
		from, to := max(k-int(size/2), 0), min(k+int((size-1)/2), ch-1)
		c.tick(to - from + 1)
		sum := 0.0
		for j := from; j <= to; j++ {
			p := i + (j-k)*inner
			sum += gy.F[p] * y.F[p] / unit.F[p]
		}
		out.F[i] = gy.F[i]*math.Pow(unit.F[i], -beta) - 2*alpha/float64(size)*beta*x.F[i]*sum
	}
	return []Value{out}
}

// convGradWeight is the gradient of a convolution's weights, of which the first input
// gives the sizes. It is the sum over batch and positions of gy times the elements under the
// window.
func convGradWeight(c *call) []Value {
	w, x, gy := c.floatArg(0), c.floatArg(1), c.floatArg(2)
	win, group := c.convSizes(x, w)
	c.sized("the gradient", gy, convDims(x, w, win)...)
	out := c.like(w, w.DType)
	n, ic, oc := int(x.Dims[0]), int(w.Dims[1]), int(w.Dims[0])
	area, kernel, spots := count(win.in), count(win.kernel), count(win.out)
	c.walk(win.out, func(at int, pos []int64) {
		c.tick(kernel)
		taps, _ := win.taps(pos)
		for b := range n {
			for o := range oc {
				c.tick(ic * len(taps))
				g := gy.F[(b*oc+o)*spots+at]
				for i := range ic {
					u := x.F[((b*group+o/(oc/group))*ic+i)*area:]
					for _, t := range taps {
						out.F[(o*ic+i)*kernel+t.kernel] += g * u[t.in]
					}
				}
			}
		}
	})
	return []Value{out}
}

// gatherGrad adds up the gradients of equal indices. The third operand is the shape of what was
// gathered from.
func gatherGrad(c *call) []Value {
	gy, idx := c.floatArg(0), c.arg(1)
	list := c.list(1)
	out := c.make(gy.DType, slices.Clone(c.list(2)))
	axis := c.axis(c.int("axis"), len(out.Dims))
	c.sized("the gradient", gy, slices.Concat(out.Dims[:axis], idx.Dims, out.Dims[axis+1:])...)
	own, steps := strides(out.Dims), strides(idx.Dims)
	k := len(idx.Dims)
	c.walk(gy.Dims, func(i int, pos []int64) {
		at := c.place(list[dot(pos[axis:axis+k], steps)], out.Dims[axis])
		out.F[dot(pos[:axis], own[:axis])+int(at)*own[axis]+dot(pos[axis+k:], own[axis+1:])] += gy.F[i]
	})
	return []Value{out}
}

// concatGrad cuts the gradient into pieces of the given shapes.
func concatGrad(c *call) []Value {
	gy := c.ranked(0, 1)
	axis := c.axis(c.int("axis"), len(gy.Dims))
	var sizes []int64
	for i := range c.ins[1:] {
		sizes = append(sizes, length(c, "a shape", c.list(1+i), len(gy.Dims))[axis])
	}
	return values(c.pieces(gy, axis, sizes))
}

// sliceGrad puts the gradient into zeros where the slice was. The operands are those of the slice
// behind gy and the shape.
func sliceGrad(c *call) []Value {
	gy, dims := c.floatArg(0), slices.Clone(c.list(1))
	starts := c.list(2)
	ends := length(c, "the list of ends", c.list(3), len(starts))
	axes := places(0, 1, int64(len(starts)))
	if c.opt(4) != nil {
		axes = length(c, "the list of dimensions", c.list(4), len(starts))
	}
	out := c.make(gy.DType, dims)
	own, base := strides(dims), 0
	steps, want := slices.Clone(own), slices.Clone(dims)
	for i, a := range c.axesOf(axes, len(dims)) {
		step := int64(1)
		if c.opt(5) != nil {
			step = length(c, "the list of steps", c.list(5), len(starts))[i]
		}
		from, n := sliced(c, starts[i], ends[i], step, dims[a])
		want[a] = n
		base += int(from) * own[a]
		steps[a] = own[a] * int(step)
	}
	c.sized("the gradient", gy, want...)
	c.walk(want, func(i int, pos []int64) { out.F[base+dot(pos, steps)] += gy.F[i] })
	return []Value{out}
}

func getItemGrad(c *call) []Value {
	gy := c.floatArg(0)
	out := c.make(gy.DType, slices.Clone(c.list(1)))
	s, _ := c.selection(out.Dims, 2)
	c.sized("the gradient", gy, s.dims...)
	own := strides(out.Dims)
	c.walk(s.dims, func(i int, pos []int64) { out.F[s.at(pos, own)] += gy.F[i] })
	return []Value{out}
}
