package inference

// This file holds the types of ONNX+: the operators of the domain org.chainer, which
// chainer-compiler 2020-06 defines. Results that it keeps to itself (contexts of
// gradients) have no type.
//
// There is no specification of these operators but the source of chainer-compiler, whose
// gen_node.py lists them and whose runtime computes them. Gradients have the type of what they
// are the gradient of, so most rules copy a type. Rules say less than they could where that
// compiler's own inference does: ONNX+ is a format that we write and read back.

import (
	"slices"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// Chainer is the domain of ONNX+.
const Chainer = schema.Chainer

var chainerOps = [...]op{
	{"ChainerLinear", chainerLinear, nil},
	{"ChainerLinearGradWeight", rankOf(2), nil},
	{"ChainerReluGrad", same, nil},
	{"ChainerReduceSumTo", shapeIn(1), nil},
	{"ChainerROIMaxPool2D", chainerROI, nil},
	{"ChainerROIAveragePool2D", chainerROI, nil},
	{"ChainerROIMaxAlign2D", chainerROI, nil},
	{"ChainerROIAverageAlign2D", chainerROI, nil},
	{"ChainerResizeImages", resizeImages, nil},
	{"ChainerPadBatchSize", padBatchSize, nil},
	{"ChainerDoSomething", untyped, nil},
	{"ChainerMaxPoolGrad", unranked, nil},
	{"ChainerAveragePoolGrad", unranked, nil},
	{"ChainerResizeGrad", sameRank, nil},
	{"ChainerBatchNormalizationExpandedStatsShape", statsShape, nil},
	{"ChainerBatchNormalizationGrad", same, nil},
	{"ChainerConvTransposeWithDynamicOutputShape", deconvTo, nil},
	{"ChainerSoftmaxCrossEntropy", func(c *call) { c.out(0, c.elem(0), nil) }, nil},
	{"ChainerSelectItem", selectItem, nil},
	{"ChainerSelectItemGrad", shapeIn(2), nil},
	{"ChainerLRNGrad", same, nil},
	{"ChainerLSTMGrad", untyped, nil},
	{"ChainerConvGradWeight", same, nil},
	{"ChainerGatherGrad", shapeIn(2), nil},
	{"ChainerConcatGrad", concatGrad, nil},
	{"ChainerDynamicSliceGrad", shapeIn(1), nil},
	{"ChainerDtype", numberOf(onnx.Int64), nil},
	{"ChainerDynamicCast", func(c *call) { c.outLike(0, onnx.Undefined, 0) }, nil},
	{"ChainerSquare", same, nil},
	{"ChainerFusionGroup", untyped, nil},
	{"ChainerGetItem", getItem, nil},
	{"ChainerGetItemGrad", shapeIn(1), nil},
	{"ChainerSetItem", same, nil},
	{"ChainerPrint", untyped, nil},
	{"ChainerNullConstant", untyped, nil},
	{"ChainerSequenceConstants", sequenceConstants, nil},
	{"ChainerSequenceExtend", sequenceExtend, nil},
	{"ChainerSequencePop", sequencePop, nil},
	{"ChainerSequenceUpdate", sequenceUpdate, nil},
	{"ChainerSequenceGetSlice", sequenceLike, nil},
	{"ChainerSequencePad", sequencePad, nil},
	{"ChainerSequenceUnpad", sequenceUnpad, nil},
	{"ChainerSequenceLengths", integers, nil},
	{"ChainerSequenceRange", integers, nil},
	{"ChainerSequenceAtGrad", untyped, nil},
	{"ChainerSequenceGetSliceGrad", untyped, nil},
	{"ChainerGenericLen", genericLen, nil},
	{"ChainerGenericGetItem", genericGetItem, nil},
	{"ChainerGenericGetSlice", genericGetSlice, nil},
	{"ChainerGenericAdd", genericAdd, nil},
	{"ChainerGenericIs", numberOf(onnx.Bool), nil},
	{"ChainerGenericAccumulateGrad", untyped, nil},
}

// ChainerNames lists the operators of org.chainer.
func ChainerNames() []string {
	names := make([]string, len(chainerOps))
	for i, o := range chainerOps {
		names[i] = o.name
	}
	return names
}

// untyped says nothing of the results.
func untyped(*call) {}

func unranked(c *call) { c.outUnranked(0, c.elem(0)) }

func rankOf(n int) func(*call) { return func(c *call) { c.outRank(0, c.elem(0), n) } }

func numberOf(d onnx.DType) func(*call) { return func(c *call) { c.out(0, d, nil) } }

func sameRank(c *call) {
	if d, ok := c.dims(0); ok {
		c.outRank(0, c.elem(0), len(d))
		return
	}
	unranked(c)
}

// shapeIn gives the first input's element type and the sizes that input i holds. Such an operand
// is a vector of integers, as Shape gives it.
func shapeIn(i int) func(*call) {
	return func(c *call) { c.shapedBy(0, i, c.elem(0)) }
}

// shapedBy makes a result with the sizes that an input holds. When the elements are not known but
// their number is, the rank of the result is known.
func (c *call) shapedBy(out, in int, d onnx.DType) {
	list, known := c.exprs(in)
	n, sized := c.length(in)
	switch {
	case known && (!sized || len(list) == n):
		c.out(out, d, list)
	case sized:
		c.outRank(out, d, n)
	default:
		c.outUnranked(out, d)
	}
}

// chainerLinear keeps the first dimensions; the others are the features. The result is x·Wᵀ + b
// with W [out, features], where the features are the product of all axes behind the batch axes.
// It reports features that do not fit the weights, and a bias of another size.
func chainerLinear(c *call) {
	d := c.sameElem(0, 1, 2)
	x, ok := c.dims(0)
	w, ok2 := c.ranked(1, 2)
	n := int(c.a.Int("n_batch_axes"))
	if c.failed || !ok {
		if !c.failed {
			c.outUnranked(0, d)
		}
		return
	}
	if n < 1 || n >= len(x) {
		c.errorf("n_batch_axes is %d for an input of %d dimensions", n, len(x))
		return
	}
	out := append(slices.Clone(x[:n]), nil)
	if ok2 {
		features := c.pool().Const(1)
		for _, s := range x[n:] {
			if features != nil && s != nil {
				features = c.pool().Mul(features, s)
			} else {
				features = nil
			}
		}
		c.unify(features, w[1], "the features of %s and %s do not fit", c.in(0).Type, c.in(1).Type)
		out[n] = w[0]
		if b, ok := c.ranked(2, 1); ok && c.has(2) {
			out[n] = c.unify(out[n], b[0], "the bias %s does not fit %s", c.in(2).Type, c.in(1).Type)
		}
	}
	if !c.failed {
		c.out(0, d, out)
	}
}

// chainerROI gives one image for each region. The sizes of a region's result are an attribute.
func chainerROI(c *call) {
	size := c.intsN("output_shape", 2)
	c.ranked(2, 1)
	if !c.failed {
		c.rois(size[0], size[1])
	}
}

// resizeImages keeps batch and channels; the sizes of the image are attributes.
func resizeImages(c *call) {
	x, ok := c.ranked(0, 4)
	size := c.intsN("output_shape", 2)
	if c.failed {
		return
	}
	out := []expr{nil, nil, c.pool().Const(size[0]), c.pool().Const(size[1])}
	if ok {
		out[0], out[1] = x[0], x[1]
	}
	c.out(0, c.elem(0), out)
}

// padBatchSize changes the first size alone.
func padBatchSize(c *call) {
	x, ok := c.ranked(0, -1)
	if c.failed {
		return
	}
	if !ok {
		unranked(c)
		return
	}
	c.out(0, c.elem(0), append([]expr{c.pool().Const(c.a.Int("size"))}, x[1:]...))
}

// statsShape gives one number for each axis.
func statsShape(c *call) {
	n := expr(nil)
	if x, ok := c.dims(0); ok {
		n = c.pool().Const(int64(len(x)))
	}
	c.out(0, onnx.Int64, []expr{n})
}

// deconvTo has the spatial sizes that the third input holds, which are the last of
// the whole shape. Channels are those of the weights, times the groups.
func deconvTo(c *call) {
	x, ok := c.ranked(0, -3)
	w, ok2 := c.ranked(1, -3)
	if c.failed {
		return
	}
	if !ok {
		unranked(c)
		return
	}
	out := make([]expr, len(x))
	out[0] = x[0]
	if ok2 && w[1] != nil {
		out[1] = c.pool().Mul(w[1], c.pool().Const(c.a.Int("group")))
	}
	if list, known := c.exprs(2); known && len(list) == len(x) {
		copy(out[2:], list[2:])
	}
	c.out(0, c.elem(0), out)
}

// selectItem takes one element of each row, so rows and indices are as many.
func selectItem(c *call) {
	x, ok := c.ranked(0, 2)
	t, ok2 := c.ranked(1, 1)
	if c.failed {
		return
	}
	var n expr
	if ok && ok2 {
		n = c.unify(x[0], t[0], "the rows of %s and %s do not fit", c.in(0).Type, c.in(1).Type)
	} else if ok {
		n = x[0]
	}
	if !c.failed {
		c.out(0, c.elem(0), []expr{n})
	}
}

// concatGrad gives each part of the gradient the shape of the part that was joined.
func concatGrad(c *call) {
	for i := range c.outs {
		if c.has(i + 1) {
			c.shapedBy(i, i+1, c.elem(0))
		}
	}
}

// getItem reads a code for each dimension: 0 all, 1 an index, 2 start and stop, 3
// with a step, 4 a list of indices. A list of indices leaves the size of its axis unknown.
func getItem(c *call) {
	x, ok := c.dims(0)
	specs := c.a.Ints("slice_specs")
	if !ok || c.failed {
		unranked(c)
		return
	}
	if len(specs) > len(x) {
		c.errorf("%d slice_specs for %d dimensions", len(specs), len(x))
		return
	}
	at := 1
	number := func() expr {
		e := c.scalar(at)
		at++
		return e
	}
	var out []expr
	for i, d := range x {
		spec := int64(0)
		if i < len(specs) {
			spec = specs[i]
		}
		switch spec {
		case 0:
			out = append(out, d)
		case 1:
			at++
		case 2, 3:
			from, to, step := number(), number(), c.pool().Const(1)
			if spec == 3 {
				step = number()
			}
			out = append(out, c.cut(d, from, to, step))
		case 4:
			at++
			out = append(out, nil)
		default:
			c.errorf("slice_specs has %d; expected 0 to 4", spec)
			return
		}
	}
	if at != len(c.ins) {
		c.errorf("slice_specs %v need %d inputs; the node has %d", specs, at, len(c.ins))
		return
	}
	c.out(0, c.elem(0), out)
}

func sequenceConstants(c *call) {
	var items []*Value
	for _, t := range c.a.Tensors("tensor_values") {
		items = append(items, c.e.constant(t))
	}
	c.sequence(0, c.elementType(items), items, true)
}

// sequenceExtend knows the elements of the result where it knows those of both.
func sequenceExtend(c *call) {
	if !c.isSequence(0) || !c.isSequence(1) {
		return
	}
	x, y := c.in(0), c.in(1)
	if x.known && y.known {
		items := slices.Concat(x.items, y.items)
		if len(items) > 0 {
			c.sequence(0, c.elementType(items), items, true)
			return
		}
	}
	c.sequence(0, c.e.join(x.Of, y.Of), nil, false)
}

// sequencePop gives the sequence without its last element, and the element. Where the elements
// are known, the last one is the very value that was put in.
func sequencePop(c *call) {
	if !c.isSequence(0) {
		return
	}
	v := c.in(0)
	c.setType(1, c.oneOf(v.Of))
	if n := len(v.items); v.known && n > 0 {
		c.sequence(0, v.Of, v.items[:n-1], true)
		c.outs[1] = v.items[n-1]
		return
	}
	c.sequence(0, v.Of, nil, false)
}

func sequenceUpdate(c *call) {
	if c.isSequence(0) {
		c.sequence(0, c.e.join(c.in(0).Of, c.in(2).Type), nil, false)
	}
}

func sequenceLike(c *call) {
	if c.isSequence(0) {
		c.sequence(0, c.in(0).Of, nil, false)
	}
}

// sequencePad stacks; the second dimension is the longest. The length is an attribute, or the
// longest element's first size, which is a maximum of expressions.
func sequencePad(c *call) {
	if !c.isSequence(0) {
		return
	}
	v := c.in(0)
	if v.Of == nil || !v.Of.Ranked || len(v.Of.Dims) == 0 {
		c.outUnranked(0, onnx.Undefined)
		return
	}
	out := []expr{nil, nil}
	if n := c.a.Int("length"); n > 0 {
		out[1] = c.pool().Const(n)
	}
	if v.known {
		out[0] = c.pool().Const(int64(len(v.items)))
		longest := expr(nil)
		for i, x := range v.items {
			if !x.Ranked || len(x.Dims) == 0 || x.Dims[0] == nil {
				longest = nil
				break
			}
			if i == 0 {
				longest = x.Dims[0]
			} else if longest != nil {
				longest = c.pool().Max(longest, x.Dims[0])
			}
		}
		if out[1] == nil {
			out[1] = longest
		}
	}
	c.out(0, v.Of.Elem, append(out, c.oneOf(v.Of).Dims[1:]...))
}

// sequenceUnpad cuts each row of a padded batch to its length, of which nothing is known here.
func sequenceUnpad(c *call) {
	t := &Type{Kind: onnx.TensorType, Elem: c.elem(0)}
	if x, ok := c.ranked(0, -2); ok {
		t.Ranked, t.Dims = true, append([]expr{nil}, x[2:]...)
	}
	if !c.failed {
		c.sequence(0, t, nil, false)
	}
}

// integers gives a sequence of numbers.
func integers(c *call) {
	c.sequence(0, &Type{Kind: onnx.TensorType, Elem: onnx.Int64, Ranked: true}, nil, false)
}

// genericLen is len() of a sequence or of a tensor's first axis, whichever comes at run time. A
// number, which has no axis, counts as one element there.
func genericLen(c *call) {
	c.out(0, onnx.Int64, nil)
	switch v := c.in(0); {
	case v.Kind == onnx.SequenceType && v.known:
		c.setInts(0, []expr{c.pool().Const(int64(len(v.items)))})
	case v.Kind == onnx.TensorType && v.Ranked && len(v.Dims) == 0:
		c.setInts(0, []expr{c.pool().Const(1)})
	case v.Kind == onnx.TensorType && v.Ranked && v.Dims[0] != nil:
		c.setInts(0, []expr{v.Dims[0]})
	}
}

func genericGetItem(c *call) {
	switch v := c.in(0); {
	case v.Kind == onnx.SequenceType:
		sequenceAt(c)
	case v.Kind == onnx.TensorType && v.Ranked && len(v.Dims) > 0:
		c.out(0, v.Elem, v.Dims[1:])
	case v.Kind == onnx.TensorType:
		unranked(c)
	}
}

func genericGetSlice(c *call) {
	switch v := c.in(0); {
	case v.Kind == onnx.SequenceType:
		sequenceLike(c)
	case v.Kind == onnx.TensorType && v.Ranked && len(v.Dims) > 0:
		c.out(0, v.Elem, append([]expr{nil}, v.Dims[1:]...))
	case v.Kind == onnx.TensorType:
		unranked(c)
	}
}

// genericAdd joins sequences and adds tensors, as Python's + does; of tensors it promotes the types in
// Chainer's way, which is not followed where they differ.
func genericAdd(c *call) {
	x, y := c.in(0), c.in(1)
	switch {
	case x.Kind == onnx.SequenceType && y.Kind == onnx.SequenceType:
		sequenceExtend(c)
	case x.Kind == onnx.TensorType && y.Kind == onnx.TensorType && x.Ranked && y.Ranked:
		d := x.Elem
		if d != y.Elem { // it coerces
			d = onnx.Undefined
		}
		c.out(0, d, c.broadcast(x.Dims, y.Dims))
	case x.Kind == onnx.TensorType && y.Kind == onnx.TensorType:
		c.outUnranked(0, onnx.Undefined)
	}
}
