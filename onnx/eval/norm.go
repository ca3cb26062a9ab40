package eval

// This file normalises by means and variances.

import (
	"math"
	"slices"

	"shapecheck/onnx"
)

// batchNorm normalises each channel, when training by the batch's own mean and variance.
func batchNorm(c *call) []Value {
	x := c.ranked(0, 1)
	c.floatArg(0)
	ch := int64(1)
	if len(x.Dims) > 1 {
		ch = x.Dims[1]
	}
	scale, bias := c.vector("the scale", c.floatArg(1), ch), c.vector("the bias", c.floatArg(2), ch)
	mean, variance := c.vector("the mean", c.floatArg(3), ch), c.vector("the variance", c.floatArg(4), ch)
	eps := c.float("epsilon")
	outs := []Value{nil, mean, variance}
	context := c.wants(5) // as ONNX+ asks for a gradient's context: it is of training
	if c.int("training_mode") != 0 || context {
		m, v := channelMoments(c, x, ch)
		keep := c.float("momentum")
		rm, rv := c.like(mean, mean.DType), c.like(variance, variance.DType)
		for i := range rm.F {
			c.tick(1)
			rm.F[i] = mean.F[i]*keep + m.F[i]*(1-keep)
			rv.F[i] = variance.F[i]*keep + v.F[i]*(1-keep)
		}
		mean, variance = m, v
		outs = []Value{nil, rm, rv}
	}
	out := c.like(x, x.DType)
	each := channelOf(x.Dims)
	for i, f := range x.F {
		c.tick(1)
		k := each(i)
		out.F[i] = (f-mean.F[k])/math.Sqrt(variance.F[k]+eps)*scale.F[k] + bias.F[k]
	}
	outs[0] = out
	if context {
		outs = append(outs, mean, variance)
		outs = c.withContext(outs, x, scale, mean, variance)
	}
	return outs
}

// channelOf gives the index of dimension 1 of an element.
func channelOf(dims []int64) func(i int) int {
	if len(dims) < 2 {
		return func(int) int { return 0 }
	}
	inner, n := max(count(dims[2:]), 1), int(dims[1])
	return func(i int) int { return i / inner % n }
}

// channelMoments are the mean and the variance of each channel.
func channelMoments(c *call, x *Tensor, ch int64) (mean, variance *Tensor) {
	mean, variance = c.make(onnx.Double, []int64{ch}), c.make(onnx.Double, []int64{ch})
	each := channelOf(x.Dims)
	n := float64(x.Len()) / float64(max(ch, 1))
	for i, f := range x.F {
		c.tick(1)
		mean.F[each(i)] += f / n
	}
	for i, f := range x.F {
		c.tick(1)
		d := f - mean.F[each(i)]
		variance.F[each(i)] += d * d / n
	}
	return mean, variance
}

// moments are the mean and the variance of n numbers.
func moments(row []float64) (mean, variance float64) {
	for _, f := range row {
		mean += f
	}
	mean /= float64(len(row))
	for _, f := range row {
		variance += (f - mean) * (f - mean)
	}
	return mean, variance / float64(len(row))
}

// instanceNorm normalises each channel of each element of the batch.
func instanceNorm(c *call) []Value {
	x := c.floatArg(0)
	c.ranked(0, 2)
	return []Value{c.groupNorm(x, x.Dims[1], c.vector("the scale", c.floatArg(1), x.Dims[1]), c.vector("the bias", c.floatArg(2), x.Dims[1]))}
}

func groupNormKernel(c *call) []Value {
	x := c.floatArg(0)
	c.ranked(0, 2)
	return []Value{c.groupNorm(x, c.int("num_groups"), c.vector("the scale", c.floatArg(1), x.Dims[1]),
		c.vector("the bias", c.floatArg(2), x.Dims[1]))}
}

// groupNorm normalises groups of channels of each element of the batch.
func (c *call) groupNorm(x *Tensor, groups int64, scale, bias *Tensor) *Tensor {
	if groups < 1 || x.Dims[1]%groups != 0 {
		c.failf("%d groups of %d channels", groups, x.Dims[1])
	}
	eps := c.float("epsilon")
	out := c.like(x, x.DType)
	size := count(x.Dims[1:]) / int(groups)
	each := channelOf(x.Dims)
	for base := 0; base < x.Len(); base += size {
		mean, variance := moments(x.F[base : base+size])
		for i := base; i < base+size; i++ {
			k := each(i)
			out.F[i] = (x.F[i]-mean)/math.Sqrt(variance+eps)*scale.F[k] + bias.F[k]
		}
	}
	return out
}

// layerNorm normalises the dimensions from axis on. The second and third output are the
// means and the inverses of the standard deviations.
func layerNorm(c *call) []Value {
	x, scale := c.floatArg(0), c.floatArg(1)
	axis := c.axis(c.int("axis"), len(x.Dims))
	eps := c.float("epsilon")
	stat := slices.Clone(x.Dims)
	for i := axis; i < len(stat); i++ {
		stat[i] = 1
	}
	stash := onnx.DType(c.int("stash_type"))
	out, means, inverse := c.like(x, x.DType), c.make(stash, stat), c.make(stash, stat)
	size := count(x.Dims[axis:])
	for r := range means.Len() {
		row := x.F[r*size : (r+1)*size]
		mean, variance := moments(row)
		inv := 1 / math.Sqrt(variance+eps)
		means.put(r, mean)
		inverse.put(r, inv)
		for i, f := range row {
			out.F[r*size+i] = (f - mean) * inv
		}
	}
	c.affine(out, scale, c.opt(2))
	return []Value{out, means, inverse}
}

// affine multiplies by a scale and adds a bias, which are broadcast to the result.
func (c *call) affine(out, scale, bias *Tensor) {
	for _, t := range []*Tensor{scale, bias} {
		if t == nil {
			continue
		}
		if t.F == nil {
			c.failf("a scale or bias of type %s", t.DType)
		}
		c.sized("the result", &Tensor{Dims: c.broadcast(out, t)}, out.Dims...)
		c.eachOf(out.Dims, []*Tensor{t}, func(i int, at []int) {
			if t == scale {
				out.F[i] *= t.F[at[0]]
			} else {
				out.F[i] += t.F[at[0]]
			}
		})
	}
}

// rmsNorm divides by the root of the mean square of the dimensions from axis on.
func rmsNorm(c *call) []Value {
	x, scale := c.floatArg(0), c.floatArg(1)
	axis := c.axis(c.int("axis"), len(x.Dims))
	eps := c.float("epsilon")
	out := c.make(scale.DType, x.Dims)
	size := count(x.Dims[axis:])
	for base := 0; base < x.Len(); base += size {
		sum := 0.0
		for _, f := range x.F[base : base+size] {
			sum += f * f
		}
		rms := math.Sqrt(sum/float64(size) + eps)
		for i := base; i < base+size; i++ {
			out.F[i] = x.F[i] / rms
		}
	}
	c.affine(out, scale, nil)
	return []Value{out}
}

// meanVarianceNorm makes the mean zero and the variance one; 1e-9, which is added to the
// standard deviation, is of the operator's definition.
func meanVarianceNorm(c *call) []Value {
	x := c.floatArg(0)
	axes := c.axesOf(c.ints("axes"), len(x.Dims))
	mean := c.reduced(reduceMean, x.withType(onnx.Double), axes, true)
	square := c.reduced(reduction{f: addSquare, last: meanOf}, x.withType(onnx.Double), axes, true)
	out := c.like(x, x.DType)
	c.eachOf(x.Dims, []*Tensor{mean, square}, func(i int, at []int) {
		m := mean.F[at[0]]
		out.F[i] = (x.F[i] - m) / (math.Sqrt(max(square.F[at[1]]-m*m, 0)) + 1e-9)
	})
	return []Value{out}
}

// withType is a tensor of floats as of another float type, unrounded.
func (t *Tensor) withType(d onnx.DType) *Tensor {
	o := *t
	o.DType = d
	return &o
}

// lrn divides by the squares of the channels nearby. The second output, of ONNX+, is
// what the power is taken of.
func lrn(c *call) []Value {
	x := c.floatArg(0)
	c.ranked(0, 2)
	size, alpha, beta, bias := c.int("size"), c.float("alpha"), c.float("beta"), c.float("bias")
	if size < 1 {
		c.failf("size is %d", size)
	}
	out, unit := c.like(x, x.DType), c.like(x, x.DType)
	inner, ch := count(x.Dims[2:]), int(x.Dims[1])
	each := channelOf(x.Dims)
	for i, f := range x.F {
		c.tick(1)
		k := each(i)
		from, to := max(k-int(min(size-1, 1<<31)/2), 0), min(k+int((min(size-1, 1<<31)+1)/2), ch-1)
		c.tick(to - from + 1)
		sum := 0.0
		for j := from; j <= to; j++ {
			v := x.F[i+(j-k)*inner]
			sum += v * v
		}
		unit.F[i] = bias + alpha/float64(size)*sum
		out.F[i] = f / math.Pow(unit.F[i], beta)
	}
	return []Value{out, unit}
}
