package eval

// This file lists the kernels of ONNX+, the domain org.chainer, and holds those that
// compute forwards; chainer_grad.go holds the gradients, chainer_sequence.go the sequences.
//
// The reference for each kernel is the runtime of chainer-compiler and the functions of Chainer
// that it calls; they are computed in float64 here, as all of this package, and rounded once.

import (
	"math"
	"slices"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

func plus(name string) opName { return opName{domain: schema.Chainer, name: "Chainer" + name} }

var chainer = map[opName]kernel{
	plus("Linear"): linear, plus("ReduceSumTo"): reduceSumTo, plus("Square"): square, plus("Dtype"): dtypeOf, plus("DynamicCast"): dynamicCast,
	plus("ROIMaxPool2D"): roiPool(true), plus("ROIAveragePool2D"): roiPool(false), plus("ROIMaxAlign2D"): roiSample(true),
	plus("ROIAverageAlign2D"): roiSample(false),
	plus("ResizeImages"):      resizeImages, plus("PadBatchSize"): padBatchSize, plus("BatchNormalizationExpandedStatsShape"): statsShape,
	plus("ConvTransposeWithDynamicOutputShape"): convTransposeTo, plus("SoftmaxCrossEntropy"): softmaxCrossEntropy,
	plus("SelectItem"):  selectItem,
	plus("FusionGroup"): fusionGroup, plus("Print"): func(*call) []Value { return nil },
	plus("NullConstant"): func(*call) []Value { return []Value{nil} },
	plus("GetItem"):      getItem, plus("SetItem"): setItem,

	plus("LinearGradWeight"): linearGradWeight, plus("ReluGrad"): reluGrad, plus("MaxPoolGrad"): maxPoolGrad,
	plus("AveragePoolGrad"): averagePoolGrad, plus("ResizeGrad"): resizeGrad,
	plus("BatchNormalizationGrad"): batchNormGrad, plus("SelectItemGrad"): selectItemGrad, plus("LRNGrad"): lrnGrad,
	plus("ConvGradWeight"): convGradWeight, plus("GatherGrad"): gatherGrad,
	plus("ConcatGrad"): concatGrad, plus("DynamicSliceGrad"): sliceGrad, plus("GetItemGrad"): getItemGrad,

	plus("SequenceConstants"): sequenceConstants, plus("SequenceExtend"): sequenceExtend, plus("SequencePop"): sequencePop,
	plus("SequenceUpdate"):   sequenceUpdate,
	plus("SequenceGetSlice"): sequenceGetSlice, plus("SequencePad"): sequencePad, plus("SequenceUnpad"): sequenceUnpad,
	plus("SequenceLengths"): sequenceLengths, plus("SequenceRange"): sequenceRange,
	plus("SequenceAtGrad"): sequenceAtGrad, plus("SequenceGetSliceGrad"): sequenceGetSliceGrad,
	plus("GenericLen"): genericLen, plus("GenericGetItem"): genericGetItem, plus("GenericGetSlice"): genericGetSlice,
	plus("GenericAdd"): genericAdd, plus("GenericIs"): genericIs,
	plus("GenericAccumulateGrad"): genericAccumulateGrad,
}

// withContext adds what the operator's gradient needs as a last output. A gradient operator gets
// it back as an operand; nobody else looks into it.
func (c *call) withContext(outs []Value, items ...Value) []Value {
	return append(outs, &Opaque{Kind: c.node.Op, Items: items, node: c})
}

// linear is x·Wᵀ + b; the dimensions of x behind the first ones are one.
func linear(c *call) []Value {
	x, w := c.floatArg(0), c.floatArg(1)
	n := int(c.int("n_batch_axes"))
	if n > len(x.Dims) || len(w.Dims) != 2 {
		c.failf("%d dimensions of %v, and weights of %v", n, x.Dims, w.Dims)
	}
	batch := slices.Clone(x.Dims[:n])
	y := c.matMul(x.with([]int64{int64(count(batch)), int64(count(x.Dims[n:]))}), c.transposed(w, []int{1, 0}))
	y = y.with(append(batch, w.Dims[0]))
	if b := c.opt(2); b != nil {
		c.vector("the bias", c.floatArg(2), w.Dims[0])
		for i := range y.F {
			c.tick(1)
			y.F[i] += b.F[i%b.Len()]
		}
	}
	return []Value{y}
}

// reduceSumTo adds up what broadcasting to x would repeat.
func reduceSumTo(c *call) []Value {
	x, dims := c.arg(0), slices.Clone(c.list(1))
	out := c.make(x.DType, dims)
	c.sized("the result of broadcasting", x, c.broadcast(out, &Tensor{Dims: x.Dims})...)
	c.eachOf(x.Dims, []*Tensor{out}, func(i int, at []int) {
		if x.F != nil {
			out.F[at[0]] += x.F[i]
		} else {
			out.I[at[0]] += x.I[i]
		}
	})
	return []Value{out}
}

func square(c *call) []Value {
	c.ins = append(c.ins, c.ins[0])
	return fold(mul, mulInt)(c)
}

// dtypeOf is the number of the element type, as ONNX has it.
func dtypeOf(c *call) []Value { return []Value{Ints([]int64{}, int64(c.arg(0).DType))} }

// dynamicCast has its type as an operand.
func dynamicCast(c *call) []Value {
	d := c.oneInt(1)
	x := c.arg(0)
	if d != int64(int32(d)) || !onnx.DType(d).Valid() || onnx.DType(d) == onnx.String || x.S != nil || x.C != nil {
		c.failf("a conversion of %s to the type %d", x.DType, d)
	}
	c.tick(x.Len())
	return []Value{c.cast(x, onnx.DType(d))}
}

// regions checks the operands of the operators on regions: images, boxes y0, x0, y1, x1,
// and the number of the image of each box.
func (c *call) regions() (x, rois *Tensor, images []int64, oh, ow int64) {
	x, rois = c.floatArg(0), c.floatArg(1)
	size := length(c, "output_shape", c.ints("output_shape"), 2)
	if len(x.Dims) != 4 || len(rois.Dims) != 2 || rois.Dims[1] != 4 || size[0] < 1 || size[1] < 1 || count(x.Dims[2:]) == 0 {
		c.failf("images of the sizes %v and boxes of %v to %v", x.Dims, rois.Dims, size)
	}
	return x, rois, length(c, "the list of images", c.list(2), int(rois.Dims[0])), size[0], size[1]
}

// roiPool takes the largest element or the mean of each bin; empty bins give 0. It follows
// Chainer's roi_max_pooling_2d and roi_average_pooling_2d: box corners are scaled and rounded,
// and bins overlap where the size does not divide.
func roiPool(largest bool) kernel {
	return func(c *call) []Value {
		x, rois, images, oh, ow := c.regions()
		scale := c.float("spatial_scale")
		h, w := x.Dims[2], x.Dims[3]
		out := c.make(x.DType, []int64{rois.Dims[0], x.Dims[1], oh, ow})
		for r, image := range images {
			image = c.place(image, x.Dims[0])
			var box [4]int64
			for k := range box {
				f := math.RoundToEven(rois.F[r*4+k] * scale)
				if !(math.Abs(f) < 1<<31) {
					c.failf("a box at %v", f)
				}
				box[k] = int64(f)
			}
			span := func(p, size, first, last, n int64) (int64, int64) {
				bin := float64(max(last-first, 1)) / float64(size)
				from, to := int64(math.Floor(float64(p)*bin)), int64(math.Ceil(float64(p+1)*bin))
				return min(max(from+first, 0), n), min(max(to+first, 0), n)
			}
			for o := range x.Dims[1] * oh * ow {
				top, bottom := span(o/ow%oh, oh, box[0], box[2], h)
				left, right := span(o%ow, ow, box[1], box[3], w)
				c.tick(int(max(bottom-top, 0)*max(right-left, 0)) + 1)
				if bottom <= top || right <= left {
					continue
				}
				plane := x.F[(image*x.Dims[1]+o/(oh*ow))*h*w:]
				most, sum := math.Inf(-1), 0.0
				for i := top; i < bottom; i++ {
					for j := left; j < right; j++ {
						most = nanMax(most, plane[i*w+j])
						sum += plane[i*w+j]
					}
				}
				if !largest {
					most = sum / float64((bottom-top)*(right-left))
				}
				out.F[int64(r)*x.Dims[1]*oh*ow+o] = most
			}
		}
		return []Value{out}
	}
}

// roiSample takes the largest or the mean of samples in each bin. It follows Chainer's
// roi_max_align_2d and roi_average_align_2d, without an offset of half a pixel.
func roiSample(largest bool) kernel {
	return func(c *call) []Value {
		x, rois, images, oh, ow := c.regions()
		scale := c.float("spatial_scale")
		ratio := []int64{0, 0}
		if l := c.ints("sampling_ratio"); len(l) > 0 {
			ratio = length(c, "sampling_ratio", l, 2)
		}
		h, w := int(x.Dims[2]), int(x.Dims[3])
		out := c.make(x.DType, []int64{rois.Dims[0], x.Dims[1], oh, ow})
		for r, image := range images {
			image = c.place(image, x.Dims[0])
			b := rois.F[r*4:][:4]
			y0, x0 := b[0]*scale, b[1]*scale
			bh, bw := max(b[2]*scale-y0, 1)/float64(oh), max(b[3]*scale-x0, 1)/float64(ow)
			nh, nw := c.samples(ratio[0], bh), c.samples(ratio[1], bw)
			for o := range x.Dims[1] * oh * ow {
				c.tick(nh*nw + 1)
				plane := x.F[(int(image)*int(x.Dims[1])+int(o/(oh*ow)))*h*w:][:h*w]
				py, px := float64(o/ow%oh), float64(o%ow)
				most, sum := math.Inf(-1), 0.0
				for iy := range nh {
					for ix := range nw {
						p := corners(plane, h, w, y0+py*bh+(float64(iy)+0.5)*bh/float64(nh), x0+px*bw+(float64(ix)+0.5)*bw/float64(nw))
						v := p[0] + p[1] + p[2] + p[3]
						most = nanMax(most, v)
						sum += v
					}
				}
				if !largest {
					most = sum / float64(nh*nw)
				}
				out.F[int64(r)*x.Dims[1]*oh*ow+o] = most
			}
		}
		return []Value{out}
	}
}

// resizeImages interpolates linearly; the corners stay in place.
func resizeImages(c *call) []Value {
	x := c.floatArg(0)
	size := length(c, "output_shape", c.ints("output_shape"), 2)
	if len(x.Dims) != 4 || size[0] < 1 || size[1] < 1 || count(x.Dims[2:]) == 0 {
		c.failf("images of the sizes %v to %v", x.Dims, size)
	}
	h, w := int(x.Dims[2]), int(x.Dims[3])
	out := c.make(x.DType, []int64{x.Dims[0], x.Dims[1], size[0], size[1]})
	at := func(o, n int64, in int) float64 {
		if n == 1 {
			return 0
		}
		return float64(o) * float64(in-1) / float64(n-1)
	}
	for i := range out.F {
		c.tick(1)
		o := int64(i)
		plane := x.F[i/int(size[0]*size[1])*h*w:][:h*w]
		p := corners(plane, h, w, at(o/size[1]%size[0], size[0], h), at(o%size[1], size[1], w))
		out.F[i] = p[0] + p[1] + p[2] + p[3]
	}
	return []Value{out}
}

// padBatchSize adds zeros behind the batch.
func padBatchSize(c *call) []Value {
	x, size := c.ranked(0, 1), c.int("size")
	if size < x.Dims[0] {
		c.failf("a size of %d of %d", size, x.Dims[0])
	}
	more := make([]int64, len(x.Dims))
	more[0] = size - x.Dims[0]
	return []Value{c.padded(x, make([]int64, len(x.Dims)), more, "constant", c.make(x.DType, []int64{}))}
}

// statsShape is the sizes of statistics of channels that are broadcast to x.
func statsShape(c *call) []Value {
	x := c.ranked(0, 2)
	dims := slices.Repeat([]int64{1}, len(x.Dims))
	dims[1] = x.Dims[1]
	return []Value{Ints(nil, dims...)}
}

// convTransposeTo has the spatial sizes of the result as an operand.
func convTransposeTo(c *call) []Value {
	x, w := c.floatArg(0), c.floatArg(1)
	c.same(x, w)
	return []Value{c.deconvolved(x, w, length(c, "the sizes of the result", c.list(2), len(x.Dims))[2:])}
}

// softmaxCrossEntropy is the mean over all rows. It is -Σ log softmax(x)[i, t[i]]/n.
func softmaxCrossEntropy(c *call) []Value {
	x, t := c.floatArg(0), c.list(1)
	if len(x.Dims) != 2 || len(t) != int(x.Dims[0]) {
		c.failf("scores of the sizes %v and %d classes", x.Dims, len(t))
	}
	out := c.make(x.DType, []int64{})
	k := int(x.Dims[1])
	for i, class := range t {
		row := slices.Clone(x.F[i*k:][:k])
		c.tick(k)
		softmax(row, true)
		out.F[0] -= row[c.place(class, int64(k))] / float64(len(t))
	}
	return []Value{out}
}

// picks are the places x[i, t[i]].
func (c *call) picks(dims []int64, t []int64) []int {
	if len(dims) != 2 || len(t) != int(dims[0]) {
		c.failf("%d indices into %v", len(t), dims)
	}
	out := make([]int, len(t))
	for i, k := range t {
		out[i] = i*int(dims[1]) + int(c.place(k, dims[1]))
	}
	return out
}

// selectItem takes from each row one element.
func selectItem(c *call) []Value {
	x := c.arg(0)
	at := c.picks(x.Dims, c.list(1))
	return []Value{c.picked(x, c.arg(1).Dims, func(pos []int64) int { return at[pos[0]] })}
}

// fusionGroup is its graph, run in place.
func fusionGroup(c *call) []Value {
	if !c.has("subgraph") {
		c.failf("a group without a graph")
	}
	return c.sub(c.body("subgraph"), c.ins)
}

// A selection is the places of each dimension that numpy's indexing takes. The result has the
// kept axes in order; an index drops its axis.
type selection struct {
	places [][]int64
	dims   []int64 // of the result
	kept   []int   // the dimensions of the result
}

// selection reads slice_specs: for each dimension 0 all, 1 an index, 2 start:stop, 3
// start:stop:step, 4 a list of indices. The operands begin with the input number first. It also
// returns the number of the first operand behind those of the key. It fails on indices that are
// out of range.
func (c *call) selection(dims []int64, first int) (s selection, next int) {
	specs := c.ints("slice_specs")
	if len(specs) > len(dims) {
		c.failf("%d indices of %d dimensions", len(specs), len(dims))
	}
	for a, d := range dims {
		spec := int64(0)
		if a < len(specs) {
			spec = specs[a]
		}
		c.space(8 * d)
		var list []int64
		switch spec {
		case 0:
			list = places(0, 1, d)
		case 1:
			list = []int64{c.place(c.oneInt(first), d)}
		case 2:
			from, n := sliced(c, c.oneInt(first), c.oneInt(first+1), 1, d)
			list = places(from, 1, n)
		case 3:
			step := c.oneInt(first + 2)
			from, n := sliced(c, c.oneInt(first), c.oneInt(first+1), step, d)
			list = places(from, step, n)
		case 4:
			for _, i := range c.integers(c.val(first)) {
				list = append(list, c.place(i, d))
			}
		default:
			c.failf("slice_specs is %v", specs)
		}
		first += [...]int{0, 1, 2, 3, 1}[spec]
		s.places = append(s.places, list)
		if spec != 1 {
			s.dims = append(s.dims, int64(len(list)))
			s.kept = append(s.kept, a)
		}
	}
	return s, first
}

// places are n numbers from a first one.
func places(from, step, n int64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = from + int64(i)*step
	}
	return out
}

// integers are the elements of a list of numbers or of a sequence of single numbers.
func (c *call) integers(v Value) []int64 {
	switch v := v.(type) {
	case *Tensor:
		if v.I != nil {
			return v.I
		}
	case *Sequence:
		var out []int64
		for _, t := range c.elements(v) {
			if t.I == nil || t.Len() != 1 {
				c.failf("a list with %s", describe(t))
			}
			out = append(out, t.I[0])
		}
		return out
	}
	c.failf("%s instead of integers", describe(v))
	return nil
}

// at is the place in a tensor with the given strides of a place of the result.
func (s selection) at(pos []int64, own []int) int {
	at := 0
	for a, list := range s.places {
		i := int64(0)
		if k := slices.Index(s.kept, a); k >= 0 {
			i = pos[k]
		}
		at += int(list[i]) * own[a]
	}
	return at
}

func getItem(c *call) []Value {
	x := c.arg(0)
	s, _ := c.selection(x.Dims, 1)
	own := strides(x.Dims)
	return []Value{c.picked(x, s.dims, func(pos []int64) int { return s.at(pos, own) })}
}

// setItem gives a copy with a region replaced; the value is broadcast to it.
func setItem(c *call) []Value {
	x := c.arg(0)
	s, next := c.selection(x.Dims, 1)
	v := c.arg(next)
	c.same(x, v)
	v = c.expanded(v, c.broadcast(&Tensor{Dims: s.dims}, v))
	c.sized("the value", v, s.dims...)
	out := c.copied(x)
	own := strides(x.Dims)
	c.walk(s.dims, func(i int, pos []int64) { out.set(s.at(pos, own), v, i) })
	return []Value{out}
}
