package aten

// This file lowers complex numbers, which runtimes have not: a complex tensor is a real one with
// a last dimension of 2, the real and the imaginary part. What only moves elements or adds them up
// is done to each part by the rule for real tensors (eachPart), what is linear in two operands to
// each pair of parts (eachProduct), and the rest has rules of its own.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape/dtype"
)

const noComplex = "it has no form for complex numbers"

// Stored is the type of the tensor that holds a complex one: the element type of its parts, and the
// dimension that they are in is behind the others. ok is false for other tensors.
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

func names(list string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(list) {
		m[n] = true
	}
	return m
}

// complexRules are rules for complex arguments or results.
var complexRules = map[string]func(c *Call){
	"torch.view_as_complex": asStored,
	"torch.view_as_real":    asStored,
	"torch.complex": func(c *Call) {
		c.Return(c.pair(c.Operand("real", c.OutDType(0)), c.Operand("imag", c.OutDType(0))))
	},
	"torch.polar": func(c *Call) {
		size, angle := c.Operand("abs", c.OutDType(0)), c.Operand("angle", c.OutDType(0))
		c.Return(c.pair(c.mul(size, c.Op("Cos", In(angle))), c.mul(size, c.Op("Sin", In(angle)))))
	},
	"torch.real": func(c *Call) { re, _ := c.parts(c.Node.Args[0].Name); c.Return(re) },
	"torch.imag": func(c *Call) { _, im := c.parts(c.Node.Args[0].Name); c.Return(im) },
	"torch.abs": func(c *Call) {
		re, im := c.parts("input")
		c.Return(c.sqrt(c.add(c.mul(re, re), c.mul(im, im))))
	},
	"torch.angle": func(c *Call) {
		re, im := c.parts("input")
		c.Return(c.atan2(im, re))
	},
	"torch.conj":          conjugate,
	"torch.conj_physical": conjugate,
	"torch.exp": func(c *Call) {
		re, im := c.parts("input")
		size := c.Op("Exp", In(re))
		c.Return(c.pair(c.mul(size, c.Op("Cos", In(im))), c.mul(size, c.Op("Sin", In(im)))))
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

// lowerComplex lowers a node with complex arguments or results.
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
			c.outs[i] = c.pair(re[i], im)
		}
	case eachProduct[op]:
		c.products(rec)
	default:
		c.Failf(noComplex)
	}
}

// allComplex reports whether all float arguments are complex: a real one that is written into a
// complex tensor has no imaginary part, which a rule for parts would not know.
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

// products lowers what is linear in each of two complex operands, or in one.
func (c *Call) products(rec *Record) {
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
		c.Return(c.pair(of(0), of(1)))
	case len(operands) == 2 && operands[0] != operands[1]:
		c.Return(c.pair(c.sub(of(0, 0), of(1, 1)), c.add(of(0, 1), of(1, 0))))
	default:
		c.Failf(noComplex)
	}
}

// partOf is one part of a stored complex tensor.
func (c *Call) partOf(v V, i int64) V {
	return c.Op("Gather", In(v, c.I64Scalar(i)), onnx.IntAttr("axis", -1))
}

// pair stores two parts; that of less dimensions or sizes of 1 is broadcast.
func (c *Call) pair(re, im V) V {
	shape := c.Shape(c.add(re, im))
	up := func(v V) V { return c.Unsqueeze(c.Op("Expand", In(v, shape)), -1) }
	return c.Concat(-1, up(re), up(im))
}

// stored is a complex argument as it is stored.
func (c *Call) stored(name string) V {
	v, ok := c.Arg(name).(*graph.Value)
	if !ok {
		c.Failf("argument %s is not a tensor", name)
	}
	return c.Value(name, v)
}

// parts are those of a complex argument; a real one, or a number, has no imaginary part, which is a V
// without a name.
func (c *Call) parts(name string) (re, im V) {
	v, ok := c.Arg(name).(*graph.Value)
	if !ok {
		return c.Number(name, c.partType()), V{}
	}
	x := c.Value(name, v)
	if _, ok := Stored(v.Type.DType); !ok {
		return c.Cast(x, c.partType()), V{}
	}
	return c.Cast(c.partOf(x, 0), c.partType()), c.Cast(c.partOf(x, 1), c.partType())
}

// partType is the element type of the parts of the result.
func (c *Call) partType() onnx.DType { return c.OutDType(0) }

func asStored(c *Call) { c.Return(c.stored(c.Node.Args[0].Name)) }

func conjugate(c *Call) {
	re, im := c.parts(c.Node.Args[0].Name)
	c.Return(c.pair(re, c.neg(im)))
}

// complexCast converts between complex types, and makes complex numbers of real ones.
func complexCast(c *Call) {
	if _, ok := Stored(c.OutType(0).DType); !ok {
		c.Failf("the imaginary part would be dropped: take .real")
	}
	re, im := c.parts(c.Node.Args[0].Name)
	if im.Name == "" {
		im = c.filled(c.Shape(re), re.DType, 0)
	}
	c.Return(c.pair(re, im))
}

// operands are those of a binary operation, by their parts.
func (c *Call) operands() (a, b, x, y V) {
	a, b = c.parts(c.Node.Args[0].Name)
	x, y = c.parts(c.Node.Args[1].Name)
	return a, b, x, y
}

func (c *Call) complexSum(op string) {
	a, b, x, y := c.operands()
	if c.Has("alpha") {
		alpha := c.Number("alpha", x.DType)
		x = c.mul(x, alpha)
		if y.Name != "" {
			y = c.mul(y, alpha)
		}
	}
	im := V{}
	switch {
	case b.Name != "" && y.Name != "":
		im = c.Op(op, In(b, y))
	case b.Name != "":
		im = b
	case op == "Sub":
		im = c.neg(y)
	default:
		im = y
	}
	c.Return(c.pair(c.Op(op, In(a, x)), im))
}

func complexProduct(c *Call) {
	a, b, x, y := c.operands()
	switch {
	case y.Name == "":
		c.Return(c.pair(c.mul(a, x), c.mul(b, x)))
	case b.Name == "":
		c.Return(c.pair(c.mul(a, x), c.mul(a, y)))
	default:
		c.Return(c.pair(c.sub(c.mul(a, x), c.mul(b, y)), c.add(c.mul(a, y), c.mul(b, x))))
	}
}

// complexQuotient divides by a real number, or by the square of the divisor's size after a product
// with its conjugate.
func complexQuotient(c *Call) {
	if c.Has("rounding_mode") {
		c.Failf(noComplex)
	}
	a, b, x, y := c.operands()
	if y.Name == "" {
		c.Return(c.pair(c.over(a, x), c.over(b, x)))
		return
	}
	size := c.add(c.mul(x, x), c.mul(y, y))
	if b.Name == "" {
		c.Return(c.pair(c.over(c.mul(a, x), size), c.neg(c.over(c.mul(a, y), size))))
		return
	}
	c.Return(c.pair(c.over(c.add(c.mul(a, x), c.mul(b, y)), size), c.over(c.sub(c.mul(b, x), c.mul(a, y)), size)))
}

// scaleOf is what a transform over n elements is multiplied by, where ONNX divides the inverse by n.
func (c *Call) scaleOf(y, n V, norm string, inverse bool) V {
	n = c.Cast(n, y.DType)
	switch {
	case norm == "ortho" && inverse:
		return c.mul(y, c.sqrt(n))
	case norm == "ortho":
		return c.over(y, c.sqrt(n))
	case norm == "forward" && inverse:
		return c.mul(y, n)
	case norm == "forward":
		return c.over(y, n)
	}
	return y
}

// dft transforms the stored tensor x, of which real ones have a last dimension of 1, along an axis that
// counts from the front.
func (c *Call) dft(x V, axis int64, n V, norm string, inverse, half bool) V {
	attrs := []*onnx.Attr{}
	if inverse {
		attrs = append(attrs, onnx.IntAttr("inverse", 1))
	}
	if half {
		attrs = append(attrs, onnx.IntAttr("onesided", 1))
	}
	ins := In(c.Unsqueeze(x, 0), n) // the operator's first dimension is the batch
	if c.Opset < 20 {
		attrs = append(attrs, onnx.IntAttr("axis", axis+1))
	} else {
		ins = append(ins, c.I64Scalar(axis+1))
	}
	return c.scaleOf(c.Squeeze(c.Op("DFT", ins, attrs...), 0), n, norm, inverse)
}

// hermitian makes all n frequencies of the first ones, of a real signal: that of -k is the conjugate.
func (c *Call) hermitian(x V, axis int64, n V) V {
	two := c.I64Scalar(2)
	k := c.Op("Range", In(c.I64Scalar(0), n, c.I64Scalar(1)))
	first := c.Op("LessOrEqual", In(k, c.over(n, two)))
	at := c.either(first, k, c.sub(n, k))
	sign := c.either(first, c.Scalar(x.DType, 1), c.Scalar(x.DType, -1))
	re, im := c.partOf(x, 0), c.partOf(x, 1)
	pick := func(v V) V { return c.Op("Gather", In(v, at), onnx.IntAttr("axis", axis)) }
	rank := int64(c.OutRank(0))
	shape := make([]int64, rank)
	for i := range shape {
		shape[i] = 1
	}
	shape[axis] = -1
	return c.pair(pick(re), c.mul(pick(im), c.ReshapeTo(sign, c.I64(shape...))))
}
