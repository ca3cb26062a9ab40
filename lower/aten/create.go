package aten

// This file lowers tensors made from sizes and numbers.
//
// Sizes may be symbolic: a tensor of shape (B, 4) is an Expand of one element to a shape that is
// computed. Numbers in a row are counted with Range in int64 or float64 and converted once at the
// end, as PyTorch counts in a wider type too.

import (
	"math"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var createRecords = []Record{
	{Op: "torch.zeros torch.empty torch.empty_strided torch.empty_permuted torch.Tensor.new_zeros torch.Tensor.new_empty torch.Tensor.new_empty_strided", Lower: sized(0)},
	{Op: "torch.ones torch.Tensor.new_ones", Lower: sized(1)},
	{Op: standIn, Lower: func(c *Call) { // nobody wrote its name: what is not computed has one
		what, _ := c.Arg("what").(graph.Str)
		failf("%s cannot be written as ONNX: its shape is known, its elements are not computed", what)
	}},
	{Op: "torch.zeros_like torch.empty_like", Lower: like(0)},
	{Op: "torch.ones_like", Lower: like(1)},
	{Op: "torch.full torch.Tensor.new_full", Lower: func(c *Call) {
		c.Return(c.emit.Op("Expand",
			In(c.scalarOf("fill_value", c.OutDType(0)), c.sizeArg())))
	}},
	{Op: "torch.full_like", Lower: func(c *Call) {
		c.Return(c.emit.Op("Expand", In(c.scalarOf("fill_value", c.OutDType(0)), c.likeShape())))
	}},
	{Op: "torch.scalar_tensor", Lower: func(c *Call) { c.Return(c.scalarOf("s", c.OutDType(0))) }},
	{Op: "torch.arange", Lower: inOneRow(arange)},
	{Op: "torch.range", Lower: inOneRow(func(c *Call) { c.Return(c.steps("start", "step", c.OutDType(0))) })},
	{Op: "torch.linspace", Lower: inOneRow(func(c *Call) { c.Return(c.emit.Cast(c.linspace(), c.OutDType(0))) })},
	{Op: "torch.logspace", Lower: inOneRow(func(c *Call) {
		c.Return(c.emit.Cast(c.emit.Op("Pow", In(c.Number("base", onnx.Double), c.linspace())), c.OutDType(0)))
	})},
	{Op: "torch.eye", Lower: func(c *Call) {
		e := c.emit
		n := c.number("n", c.Arg("n"), onnx.Int64)
		m := n
		if c.Has("m") {
			m = c.number("m", c.Arg("m"), onnx.Int64)
		}
		eq := e.Op("Equal", In(e.Unsqueeze(e.rangeTo(n), 1), e.Unsqueeze(e.rangeTo(m), 0)))
		c.Return(e.Cast(eq, c.OutDType(0)))
	}},
	{Op: "torch.tril_indices", Lower: triangleIndices("LessOrEqual")},
	{Op: "torch.triu_indices", Lower: triangleIndices("GreaterOrEqual")},
	{Op: "torch.hann_window torch.hamming_window torch.blackman_window torch.bartlett_window torch.kaiser_window", Lower: window},
}

// sizeArg is the argument size as a tensor. Items that are numbers, sizes or values are used as
// they are; if one is not known the inferred shape of the result is used.
func (c *Call) sizeArg() V {
	items := c.Spread("size")
	for _, o := range items {
		switch o := o.(type) {
		case graph.Int, *graph.Value:
		case graph.Dim:
			if o.Expr == nil && !o.Known {
				return c.ShapeTensor(c.OutType(0).Shape)
			}
		default:
			return c.ShapeTensor(c.OutType(0).Shape)
		}
	}
	return c.Sizes("size", items)
}

// likeShape is the shape of a result that follows the argument input. It is a constant where the
// shape is numbers, so that the operand need not be there.
func (c *Call) likeShape() V {
	if t := c.OutType(0); t.Ranked {
		dims := make([]int64, len(t.Shape))
		all := true
		for i, d := range t.Shape {
			n, ok := d.Const()
			dims[i], all = n, all && ok
		}
		if all {
			return c.emit.I64(dims...)
		}
	}
	return c.emit.Shape(c.Tensor("input"))
}

// sized makes a tensor of the argument size; memory that is not set is zero.
func sized(f float64) func(c *Call) {
	return func(c *Call) { c.Return(c.emit.filled(c.sizeArg(), c.OutDType(0), f)) }
}

// like makes a tensor in the shape of the argument, filled with a number.
func like(f float64) func(c *Call) {
	return func(c *Call) { c.Return(c.emit.filled(c.likeShape(), c.OutDType(0), f)) }
}

// isReal reports whether an operand is a float or computed as one.
func (c *Call) isReal(o graph.Operand) bool {
	switch o := o.(type) {
	case graph.Float, graph.Real:
		return true
	case *graph.Value:
		return isFloat(c.dtype(o.Type.DType))
	}
	return false
}

// inOneRow is for functions whose result has one dimension, unless out= has as many
// elements in another shape. It fails for such an out=, before the rule runs.
func inOneRow(lower func(c *Call)) func(c *Call) {
	return func(c *Call) {
		if t := c.OutType(0); t.Ranked && len(t.Shape) != 1 {
			failf("numbers in a row are written into a tensor of another shape")
		}
		lower(c)
	}
}

// arange counts in integers where all arguments are, else in double, and converts. Float
// arguments with an integer result are the odd case: the number of elements is computed from the
// floats and each element from truncated arguments.
func arange(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	real := c.isReal(c.Arg("start")) || c.isReal(c.Arg("end")) || c.isReal(c.Arg("step"))
	work := onnx.Int64
	if real {
		if !isFloat(d) { // the arguments become integers first, but for their number
			c.Return(c.steps("start", "step", d))
			return
		}
		work = onnx.Double
	}
	start, step := e.I64Scalar(0), e.I64Scalar(1)
	if real {
		start, step = e.Scalar(work, 0), e.Scalar(work, 1)
	}
	if c.Has("start") {
		start = c.scalarOf("start", work)
	}
	if c.Has("step") {
		step = c.scalarOf("step", work)
	}
	c.Return(e.Cast(e.Op("Range", In(start, c.scalarOf("end", work), step)), d))
}

// steps is start + i·step for as many i as the result has elements.
func (c *Call) steps(start, step string, d onnx.DType) V {
	e := c.emit
	work := onnx.Double
	if !isFloat(d) {
		work = onnx.Int64
	}
	v := e.Cast(e.rangeTo(c.length()), work)
	if c.Has(step) {
		v = e.mul(v, c.scalarOf(step, work))
	}
	if c.Has(start) {
		v = e.Op("Add", In(v, c.scalarOf(start, work)))
	}
	return e.Cast(v, d)
}

// length is the number of elements of a result with one dimension, as a scalar. It fails if the
// length is not known, as Range needs it.
func (c *Call) length() V {
	d := c.OutType(0).Shape[0]
	if d.Expr == nil && !d.Known {
		failf("the length of the result is not known")
	}
	return c.number("length", graph.Dim{Dim: d}, onnx.Int64)
}

// linspace counts from both ends, as PyTorch does, in double. The first half is start + i·step
// and the second end - (n - 1 - i)·step, so that both ends are exact.
func (c *Call) linspace() V {
	e := c.emit
	const d = onnx.Double
	n := c.length()
	i, start, end := e.rangeTo(n), c.scalarOf("start", d), c.scalarOf("end", d)
	if out := c.OutDType(0); !isFloat(out) { // the ends become integers first
		start, end = e.Cast(e.Cast(start, onnx.Int64), d), e.Cast(e.Cast(end, onnx.Int64), d)
	}
	last := e.Op("Sub", In(n, e.I64Scalar(1)))
	step := e.Op("Div", In(e.Op("Sub", In(end, start)), e.Cast(e.Op("Max", In(last, e.I64Scalar(1))), d)))
	up := e.Op("Add", In(start, e.mul(step, e.Cast(i, d))))
	down := e.Op("Sub", In(end, e.mul(step, e.Cast(e.Op("Sub", In(last, i)), d))))
	first := e.Op("Less", In(e.mul(i, e.I64Scalar(2)), n))
	return e.Op("Where", In(first, up, down))
}

// triangleIndices lists the places (i, j) where j is at most, or at least,
// i + offset.
func triangleIndices(op string) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		i := e.Unsqueeze(e.rangeTo(c.number("row", c.Arg("row"), onnx.Int64)), 1)
		j := e.Unsqueeze(e.rangeTo(c.number("col", c.Arg("col"), onnx.Int64)), 0)
		mask := e.Op(op, In(j, e.Op("Add", In(i, c.number("offset", c.Arg("offset"), onnx.Int64)))))
		c.Return(e.Cast(e.Op("NonZero", In(mask)), c.OutDType(0)))
	}
}

// window makes the window functions of signal processing. A periodic one is one
// longer, without its last element. The formulas are PyTorch's, over i / span with span = n for
// periodic windows and n - 1 for symmetric ones. A window of one element is 1 whatever its kind.
func window(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	n := c.number("window_length", c.Arg("window_length"), onnx.Int64)
	span := e.Op("Max", In(n, e.I64Scalar(1)))
	if !c.Bool("periodic") {
		span = e.Op("Max", In(e.Op("Sub", In(n, e.I64Scalar(1))), e.I64Scalar(1)))
	}
	const w = onnx.Double
	num := func(f float64) V { return e.Scalar(w, f) }
	at := e.Op("Div", In(e.Cast(e.rangeTo(n), w), e.Cast(span, w))) // 0 … 1
	cosine := func(times float64) V { return e.cosineOf(e.mul(at, num(2*math.Pi*times))) }
	var v V
	switch name := lastName(c.Node.Op); {
	case strings.HasPrefix(name, "hann_"):
		v = e.Op("Sub", In(num(0.5), e.mul(num(0.5), cosine(1))))
	case strings.HasPrefix(name, "hamming_"):
		v = e.Op("Sub", In(num(c.Float("alpha")), e.mul(num(c.Float("beta")), cosine(1))))
	case strings.HasPrefix(name, "blackman_"):
		v = e.Op("Add", In(e.Op("Sub", In(num(0.42), e.mul(num(0.5), cosine(1)))), e.mul(num(0.08), cosine(2))))
	case strings.HasPrefix(name, "bartlett_"):
		v = e.Op("Sub", In(num(1), e.Op("Abs", In(e.Op("Sub", In(e.mul(at, num(2)), num(1)))))))
	default:
		c.Return(c.kaiser())
		return
	}
	single := e.Op("Equal", In(n, e.I64Scalar(1))) // of one element it is 1
	c.Return(e.Cast(e.Op("Where", In(single, num(1), v)), d))
}

// cosineOf is computed in float, for which runtimes have it.
func (e *Emitter) cosineOf(x V) V {
	return e.Cast(e.Op("Cos", In(e.Cast(x, onnx.Float))), x.DType)
}

// kaiser is a constant: ONNX has no Bessel functions. The element at x from -1 to 1 is I0(β·√(1 -
// x²)) / I0(β). The length must be a number.
func (c *Call) kaiser() V {
	n := c.Int("window_length")
	beta := 12.0
	if c.Has("beta") {
		beta = c.Float("beta")
	}
	span := float64(n - 1)
	if c.Bool("periodic") {
		span = float64(n)
	}
	list := make([]float64, n)
	for i := range list {
		list[i] = 1
		if n > 1 {
			x := 2*float64(i)/span - 1
			list[i] = bessel0(beta*math.Sqrt(max(0, 1-x*x))) / bessel0(beta)
		}
	}
	t, err := onnx.NewFloats(c.OutDType(0), []int64{n}, list)
	if err != nil {
		failf("%v", err)
	}
	return c.emit.Const(t)
}

// bessel0 is the modified Bessel function I0, by its power series. The series Σ (x²/4)ᵏ/(k!)² has
// positive terms alone, so that nothing cancels; it ends when a term is below the rounding of the
// sum.
func bessel0(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-17; k++ {
		term *= x * x / (4 * k * k)
		sum += term
	}
	return sum
}
