package aten

// This file lowers complex numbers, which runtimes have not: a complex tensor is a real one with
// a last dimension of 2, the real and the imaginary part. What only moves elements or adds them up
// is done to each part by the rule for real tensors (eachPart), what is linear in two operands to
// each pair of parts (eachProduct), and the rest has rules of its own.
//
// The layout is that of torch.view_as_real, and of the operand of ONNX's DFT, so that
// view_as_complex and view_as_real cost nothing. A value inside a rule is thus either stored
// (with the dimension of parts) or one part (without); parts splits and pair joins them.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape/dtype"
)

const noComplex = "it has no form for complex numbers"

// Stored is the type of the tensor that holds a complex one: the element type of its parts, and the
// dimension that they are in is behind the others. ok is false for other tensors. C64 is complex
// of two f32, C128 of two f64.
func Stored(d dtype.DType) (part onnx.DType, ok bool) {
	switch d {
	case dtype.C64:
		return onnx.Float, true
	case dtype.C128:
		return onnx.Double, true
	}
	return onnx.Undefined, false
}

var (
	// A function belongs into this list if f(x + iy) = f(x) + i·f(y), which is so for all that
	// only moves elements and for sums over the reals.
	eachPart = names("torch.reshape torch.Tensor.reshape torch.Tensor.reshape_as torch.Tensor.view torch.Tensor.view_as torch.flatten torch.unflatten " +
		"torch.squeeze torch.unsqueeze torch.permute torch.Tensor.permute torch.transpose torch.swapaxes torch.t torch.Tensor.T.get torch.Tensor.mT.get " +
		"torch.movedim torch.Tensor.expand torch.broadcast_to torch.Tensor.expand_as torch.Tensor.contiguous torch.clone torch.detach torch.narrow torch.select " +
		"torch.Tensor.repeat torch.flip torch.roll torch.cat torch.stack torch.split torch.Tensor.split torch.chunk torch.unbind torch.tile " +
		"torch.Tensor.__getitem__ torch.index_select torch.gather torch.diagonal torch.sum torch.mean torch.cumsum torch.neg torch.zeros torch.zeros_like " +
		"torch.Tensor.new_zeros torch.empty torch.resolve_conj torch.Tensor.copy_ torch.repeat_interleave torch.fft.fftshift torch.fft.ifftshift torch.nan_to_num")
	eachProduct = names("torch.matmul torch.bmm torch.mm torch.mv torch.einsum torch.outer")
	// written is like eachPart where what is written is complex, too.
	written = names("torch.Tensor.__setitem__ torch.index_put torch.slice_scatter torch.select_scatter torch.where")
)

// names makes a set of a list of words.
func names(list string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(list) {
		m[n] = true
	}
	return m
}

// complexRules are rules for complex arguments or results. They use the elementary formulas:
// exp(x + iy) = exp(x)·(cos y + i sin y), |z| = √(x² + y²), which may overflow where the result
// would not.
var complexRules = map[string]func(c *Call){
	"torch.view_as_complex": asStored,
	"torch.view_as_real":    asStored,
	"torch.complex": func(c *Call) {
		c.Return(c.emit.pair(c.Operand("real", c.OutDType(0)), c.Operand("imag", c.OutDType(0))))
	},
	"torch.polar": func(c *Call) {
		e := c.emit
		size, angle := c.Operand("abs", c.OutDType(0)), c.Operand("angle", c.OutDType(0))
		c.Return(e.pair(e.mul(size, e.Op("Cos", In(angle))), e.mul(size, e.Op("Sin", In(angle)))))
	},
	"torch.real": func(c *Call) { re, _ := c.parts(c.Node.Args[0].Name); c.Return(re) },
	"torch.imag": func(c *Call) { _, im := c.parts(c.Node.Args[0].Name); c.Return(im) },
	"torch.abs": func(c *Call) {
		e := c.emit
		re, im := c.parts("input")
		c.Return(e.sqrt(e.add(e.mul(re, re), e.mul(im, im))))
	},
	"torch.angle": func(c *Call) {
		re, im := c.parts("input")
		c.Return(c.emit.atan2(im, re))
	},
	"torch.conj":          conjugate,
	"torch.conj_physical": conjugate,
	"torch.exp": func(c *Call) {
		e := c.emit
		re, im := c.parts("input")
		size := e.Op("Exp", In(re))
		c.Return(e.pair(e.mul(size, e.Op("Cos", In(im))), e.mul(size, e.Op("Sin", In(im)))))
	},
	"torch.add":       func(c *Call) { c.complexSum("Add") },
	"torch.sub":       func(c *Call) { c.complexSum("Sub") },
	"torch.mul":       complexProduct,
	"torch.div":       complexQuotient,
	"torch.Tensor.to": complexCast, "torch.Tensor.cfloat": complexCast, "torch.Tensor.cdouble": complexCast, "torch.Tensor.type": complexCast,
}

// complexNode reports whether an argument or a result is complex.
func complexNode(n *graph.Node) bool {
	found := false
	note := func(v *graph.Value) {
		_, ok := Stored(v.Type.DType)
		found = found || ok
	}
	for _, a := range n.Args {
		graph.Operands(a.Value, note)
	}
	for _, o := range n.Outputs {
		note(o)
	}
	return found
}

// lowerComplex lowers a node with complex arguments or results. rec is the record of the real
// rule. A function without a rule of its own that is in none of the lists has no form, and the
// call fails with that. For eachPart the real rule runs twice, once with the real parts as its
// tensors and once with the imaginary ones: part says which one a value gives.
func (c *Call) lowerComplex(rec *Record) {
	op := c.Node.Op
	if c.pairsOfNumpy(); c.Node.Op != op {
		op = c.Node.Op
		rec = index()[op]
	}
	if copied, ok := strings.CutSuffix(op, "_copy"); ok && complexRules[op] == nil {
		op = copied
	}
	c.paired = true
	rule := fourier[op]
	if rule == nil {
		rule = complexRules[op]
	}
	switch {
	case rule != nil:
		rule(c)
	case written[op] && c.allComplex(), eachPart[op]:
		c.part = func(*graph.Value) int { return 0 }
		rec.Lower(c)
		re := c.outs
		c.part = func(*graph.Value) int { return 1 }
		rec.Lower(c)
		for i, im := range c.outs {
			c.outs[i] = c.emit.pair(re[i], im)
		}
	case eachProduct[op]:
		c.products(rec)
	default:
		failf(noComplex)
	}
}

// allComplex reports whether all float arguments are complex: a real one that is written into a
// complex tensor has no imaginary part, which a rule for parts would not know. A value of 0 is
// its own imaginary part and is let through.
func (c *Call) allComplex() bool {
	all := true
	for _, a := range c.Node.Args {
		switch v := a.Value.(type) {
		case *graph.Value:
			_, ok := Stored(v.Type.DType)
			all = all && (ok || !v.Type.DType.IsFloat())
		case graph.Float, graph.Real:
			return false
		case graph.Int:
			all = all && (v == 0 || a.Name != "value")
		}
	}
	return all
}

// products lowers what is linear in each of two complex operands, or in one. With operands a + ib
// and x + iy it is (ax - by) + i(ay + bx), where each product is one run of the real rule: four
// of them, and not three as in Gauss' trick, whose additions cost precision. More than two
// operands, or one that stands twice, are refused.
func (c *Call) products(rec *Record) {
	e := c.emit
	var operands []*graph.Value
	for _, a := range c.Node.Args {
		graph.Operands(a.Value, func(v *graph.Value) {
			if _, ok := Stored(v.Type.DType); ok {
				operands = append(operands, v)
			}
		})
	}
	of := func(parts ...int) V {
		c.part = func(v *graph.Value) int {
			for i, o := range operands {
				if o == v {
					return parts[i]
				}
			}
			return 0
		}
		rec.Lower(c)
		return c.outs[0]
	}
	switch {
	case len(operands) == 1:
		c.Return(e.pair(of(0), of(1)))
	case len(operands) == 2 && operands[0] != operands[1]:
		c.Return(e.pair(e.sub(of(0, 0), of(1, 1)), e.add(of(0, 1), of(1, 0))))
	default:
		failf(noComplex)
	}
}

// partOf is one part of a stored complex tensor.
func (e *Emitter) partOf(v V, i int64) V {
	return e.Op("Gather", In(v, e.I64Scalar(i)), onnx.IntAttr("axis", -1))
}

// pair stores two parts; that of less dimensions or sizes of 1 is broadcast. Both are expanded to
// the common shape first, as Concat does not broadcast.
func (e *Emitter) pair(re, im V) V {
	shape := e.Shape(e.add(re, im))
	up := func(v V) V { return e.Unsqueeze(e.Op("Expand", In(v, shape)), -1) }
	return e.Concat(-1, up(re), up(im))
}

// stored is a complex argument as it is stored. It fails if the argument is no tensor.
func (c *Call) stored(name string) V {
	v, ok := c.Arg(name).(*graph.Value)
	if !ok {
		failf("argument %s is not a tensor", name)
	}
	return c.Value(name, v)
}

// parts are those of a complex argument; a real one, or a number, has no imaginary part, which is a V
// without a name. Both are cast to the type of the result's parts.
func (c *Call) parts(name string) (re, im V) {
	e := c.emit
	v, ok := c.Arg(name).(*graph.Value)
	if !ok {
		return c.Number(name, c.partType()), V{}
	}
	x := c.Value(name, v)
	if _, ok := Stored(v.Type.DType); !ok {
		return e.Cast(x, c.partType()), V{}
	}
	return e.Cast(e.partOf(x, 0), c.partType()), e.Cast(e.partOf(x, 1), c.partType())
}

// partType is the element type of the parts of the result.
func (c *Call) partType() onnx.DType { return c.OutDType(0) }

// asStored is the first argument as it is stored: both views are the identity.
func asStored(c *Call) { c.Return(c.stored(c.Node.Args[0].Name)) }

// conjugate is x - iy.
func conjugate(c *Call) {
	re, im := c.parts(c.Node.Args[0].Name)
	c.Return(c.emit.pair(re, c.emit.neg(im)))
}

// complexCast converts between complex types, and makes complex numbers of real ones. A cast to a
// real type fails here, as PyTorch warns of it and drops the imaginary part.
func complexCast(c *Call) {
	e := c.emit
	if _, ok := Stored(c.OutType(0).DType); !ok {
		failf("the imaginary part would be dropped: take .real")
	}
	re, im := c.parts(c.Node.Args[0].Name)
	if im.Name == "" {
		im = e.filled(e.Shape(re), re.DType, 0)
	}
	c.Return(e.pair(re, im))
}

// operands are those of a binary operation, by their parts.
func (c *Call) operands() (a, b, x, y V) {
	a, b = c.parts(c.Node.Args[0].Name)
	x, y = c.parts(c.Node.Args[1].Name)
	return a, b, x, y
}

// complexSum is the sum or difference (op Add or Sub) of the first argument and alpha times the
// second; either of them may be real.
func (c *Call) complexSum(op string) {
	e := c.emit
	a, b, x, y := c.operands()
	if c.Has("alpha") {
		alpha := c.Number("alpha", x.DType)
		x = e.mul(x, alpha)
		if y.Name != "" {
			y = e.mul(y, alpha)
		}
	}
	im := V{}
	switch {
	case b.Name != "" && y.Name != "":
		im = e.Op(op, In(b, y))
	case b.Name != "":
		im = b
	case op == "Sub":
		im = e.neg(y)
	default:
		im = y
	}
	c.Return(e.pair(e.Op(op, In(a, x)), im))
}

// complexProduct is (ax - by) + i(ay + bx), with the two products by a real factor where one is
// real.
func complexProduct(c *Call) {
	e := c.emit
	a, b, x, y := c.operands()
	switch {
	case y.Name == "":
		c.Return(e.pair(e.mul(a, x), e.mul(b, x)))
	case b.Name == "":
		c.Return(e.pair(e.mul(a, x), e.mul(a, y)))
	default:
		c.Return(e.pair(e.sub(e.mul(a, x), e.mul(b, y)), e.add(e.mul(a, y), e.mul(b, x))))
	}
}

// complexQuotient divides by a real number, or by the square of the divisor's size after a product
// with its conjugate. That is ((ax + by) + i(bx - ay)) / (x² + y²) for (a + ib) / (x + iy). The
// square may overflow or vanish for numbers whose quotient is an ordinary one; Smith's method
// would not, and needs comparisons for each element.
func complexQuotient(c *Call) {
	e := c.emit
	if c.Has("rounding_mode") {
		failf(noComplex)
	}
	a, b, x, y := c.operands()
	if y.Name == "" {
		c.Return(e.pair(e.over(a, x), e.over(b, x)))
		return
	}
	size := e.add(e.mul(x, x), e.mul(y, y))
	if b.Name == "" {
		c.Return(e.pair(e.over(e.mul(a, x), size), e.neg(e.over(e.mul(a, y), size))))
		return
	}
	c.Return(e.pair(e.over(e.add(e.mul(a, x), e.mul(b, y)), size), e.over(e.sub(e.mul(b, x), e.mul(a, y)), size)))
}

// scaleOf is what a transform over n elements is multiplied by, where ONNX divides the inverse by
// n. norm is PyTorch's: "backward" divides the inverse by n, which is ONNX's way, "forward" the
// transform itself, and "ortho" each by √n.
func (e *Emitter) scaleOf(y, n V, norm string, inverse bool) V {
	n = e.Cast(n, y.DType)
	switch {
	case norm == "ortho" && inverse:
		return e.mul(y, e.sqrt(n))
	case norm == "ortho":
		return e.over(y, e.sqrt(n))
	case norm == "forward" && inverse:
		return e.mul(y, n)
	case norm == "forward":
		return e.over(y, n)
	}
	return y
}

// dft transforms the stored tensor x, of which real ones have a last dimension of 1, along an axis that
// counts from the front. n is the length of the transform: a shorter signal is filled with zeros
// and a longer one is cut by the operator. inverse selects the other sign of the exponent and
// half the first n/2 + 1 frequencies alone. The axis is an attribute before opset 20 and an input
// since.
func (e *Emitter) dft(x V, axis int64, n V, norm string, inverse, half bool) V {
	attrs := []*onnx.Attr{}
	if inverse {
		attrs = append(attrs, onnx.IntAttr("inverse", 1))
	}
	if half {
		attrs = append(attrs, onnx.IntAttr("onesided", 1))
	}
	ins := In(e.Unsqueeze(x, 0), n) // the operator's first dimension is the batch
	if e.Opset < 20 {
		attrs = append(attrs, onnx.IntAttr("axis", axis+1))
	} else {
		ins = append(ins, e.I64Scalar(axis+1))
	}
	return e.scaleOf(e.Squeeze(e.Op("DFT", ins, attrs...), 0), n, norm, inverse)
}

// hermitian makes all n frequencies of the first ones, of a real signal: that of -k is the
// conjugate. x has at least n/2 + 1 frequencies along the axis; frequency k > n/2 is the
// conjugate of n - k.
func (c *Call) hermitian(x V, axis int64, n V) V {
	e := c.emit
	two := e.I64Scalar(2)
	k := e.Op("Range", In(e.I64Scalar(0), n, e.I64Scalar(1)))
	first := e.Op("LessOrEqual", In(k, e.over(n, two)))
	at := e.either(first, k, e.sub(n, k))
	sign := e.either(first, e.Scalar(x.DType, 1), e.Scalar(x.DType, -1))
	re, im := e.partOf(x, 0), e.partOf(x, 1)
	pick := func(v V) V { return e.Op("Gather", In(v, at), onnx.IntAttr("axis", axis)) }
	rank := int64(c.OutRank(0))
	shape := make([]int64, rank)
	for i := range shape {
		shape[i] = 1
	}
	shape[axis] = -1
	return e.pair(pick(re), e.mul(pick(im), e.ReshapeTo(sign, e.I64(shape...))))
}
