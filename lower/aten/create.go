package aten

// This file lowers tensors made from sizes and numbers.

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
		c.Failf("%s cannot be written as ONNX: its shape is known, its elements are not computed", what)
	}},
	{Op: "torch.zeros_like torch.empty_like", Lower: like(0)},
	{Op: "torch.ones_like", Lower: like(1)},
	{Op: "torch.full torch.Tensor.new_full", Lower: func(c *Call) {
		c.Return(c.Op("Expand",
			In(c.scalarOf("fill_value", c.OutDType(0)), c.sizeArg())))
	}},
	{Op: "torch.full_like", Lower: func(c *Call) {
		c.Return(c.Op("Expand", In(c.scalarOf("fill_value", c.OutDType(0)), c.likeShape())))
	}},
	{Op: "torch.scalar_tensor", Lower: func(c *Call) { c.Return(c.scalarOf("s", c.OutDType(0))) }},
	{Op: "torch.arange", Lower: inOneRow(arange)},
	{Op: "torch.range", Lower: inOneRow(func(c *Call) { c.Return(c.steps("start", "step", c.OutDType(0))) })},
	{Op: "torch.linspace", Lower: inOneRow(func(c *Call) { c.Return(c.Cast(c.linspace(), c.OutDType(0))) })},
	{Op: "torch.logspace", Lower: inOneRow(func(c *Call) {
		c.Return(c.Cast(c.Op("Pow", In(c.Number("base", onnx.Double), c.linspace())), c.OutDType(0)))
	})},
	{Op: "torch.eye", Lower: func(c *Call) {
		n := c.number("n", c.Arg("n"), onnx.Int64)
		m := n
		if c.Has("m") {
			m = c.number("m", c.Arg("m"), onnx.Int64)
		}
		eq := c.Op("Equal", In(c.Unsqueeze(c.rangeTo(n), 1), c.Unsqueeze(c.rangeTo(m), 0)))
		c.Return(c.Cast(eq, c.OutDType(0)))
	}},
	{Op: "torch.tril_indices", Lower: triangleIndices("LessOrEqual")},
	{Op: "torch.triu_indices", Lower: triangleIndices("GreaterOrEqual")},
	{Op: "torch.hann_window torch.hamming_window torch.blackman_window torch.bartlett_window torch.kaiser_window", Lower: window},
}

// sizeArg is the argument size as a tensor.
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

// likeShape is the shape of a result that follows the argument input.
func (c *Call) likeShape() V {
	if t := c.OutType(0); t.Ranked {
		dims := make([]int64, len(t.Shape))
		all := true
		for i, d := range t.Shape {
			n, ok := d.Const()
			dims[i], all = n, all && ok
		}
		if all {
			return c.I64(dims...)
		}
	}
	return c.Shape(c.Tensor("input"))
}

// sized makes a tensor of the argument size; memory that is not set is zero.
func sized(f float64) func(c *Call) {
	return func(c *Call) { c.Return(c.filled(c.sizeArg(), c.OutDType(0), f)) }
}

func like(f float64) func(c *Call) {
	return func(c *Call) { c.Return(c.filled(c.likeShape(), c.OutDType(0), f)) }
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
// elements in another shape.
func inOneRow(lower func(c *Call)) func(c *Call) {
	return func(c *Call) {
		if t := c.OutType(0); t.Ranked && len(t.Shape) != 1 {
			c.Failf("numbers in a row are written into a tensor of another shape")
		}
		lower(c)
	}
}

// arange counts in integers where all arguments are, else in double, and converts.
func arange(c *Call) {
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
	start, step := c.I64Scalar(0), c.I64Scalar(1)
	if real {
		start, step = c.Scalar(work, 0), c.Scalar(work, 1)
	}
	if c.Has("start") {
		start = c.scalarOf("start", work)
	}
	if c.Has("step") {
		step = c.scalarOf("step", work)
	}
	c.Return(c.Cast(c.Op("Range", In(start, c.scalarOf("end", work), step)), d))
}

// steps is start + i·step for as many i as the result has elements.
func (c *Call) steps(start, step string, d onnx.DType) V {
	work := onnx.Double
	if !isFloat(d) {
		work = onnx.Int64
	}
	v := c.Cast(c.rangeTo(c.length()), work)
	if c.Has(step) {
		v = c.mul(v, c.scalarOf(step, work))
	}
	if c.Has(start) {
		v = c.Op("Add", In(v, c.scalarOf(start, work)))
	}
	return c.Cast(v, d)
}

// length is the number of elements of a result with one dimension, as a scalar.
func (c *Call) length() V {
	d := c.OutType(0).Shape[0]
	if d.Expr == nil && !d.Known {
		c.Failf("the length of the result is not known")
	}
	return c.number("length", graph.Dim{Dim: d}, onnx.Int64)
}

// linspace counts from both ends, as PyTorch does, in double.
func (c *Call) linspace() V {
	const d = onnx.Double
	n := c.length()
	i, start, end := c.rangeTo(n), c.scalarOf("start", d), c.scalarOf("end", d)
	if out := c.OutDType(0); !isFloat(out) { // the ends become integers first
		start, end = c.Cast(c.Cast(start, onnx.Int64), d), c.Cast(c.Cast(end, onnx.Int64), d)
	}
	last := c.Op("Sub", In(n, c.I64Scalar(1)))
	step := c.Op("Div", In(c.Op("Sub", In(end, start)), c.Cast(c.Op("Max", In(last, c.I64Scalar(1))), d)))
	up := c.Op("Add", In(start, c.mul(step, c.Cast(i, d))))
	down := c.Op("Sub", In(end, c.mul(step, c.Cast(c.Op("Sub", In(last, i)), d))))
	first := c.Op("Less", In(c.mul(i, c.I64Scalar(2)), n))
	return c.Op("Where", In(first, up, down))
}

// triangleIndices lists the places (i, j) where j is at most, or at least,
// i + offset.
func triangleIndices(op string) func(c *Call) {
	return func(c *Call) {
		i := c.Unsqueeze(c.rangeTo(c.number("row", c.Arg("row"), onnx.Int64)), 1)
		j := c.Unsqueeze(c.rangeTo(c.number("col", c.Arg("col"), onnx.Int64)), 0)
		mask := c.Op(op, In(j, c.Op("Add", In(i, c.number("offset", c.Arg("offset"), onnx.Int64)))))
		c.Return(c.Cast(c.Op("NonZero", In(mask)), c.OutDType(0)))
	}
}

// window makes the window functions of signal processing. A periodic one is one
// longer, without its last element.
func window(c *Call) {
	d := c.OutDType(0)
	n := c.number("window_length", c.Arg("window_length"), onnx.Int64)
	span := c.Op("Max", In(n, c.I64Scalar(1)))
	if !c.Bool("periodic") {
		span = c.Op("Max", In(c.Op("Sub", In(n, c.I64Scalar(1))), c.I64Scalar(1)))
	}
	const w = onnx.Double
	num := func(f float64) V { return c.Scalar(w, f) }
	at := c.Op("Div", In(c.Cast(c.rangeTo(n), w), c.Cast(span, w))) // 0 … 1
	cosine := func(times float64) V { return c.cosineOf(c.mul(at, num(2*math.Pi*times))) }
	var v V
	switch name := lastName(c.Node.Op); {
	case strings.HasPrefix(name, "hann_"):
		v = c.Op("Sub", In(num(0.5), c.mul(num(0.5), cosine(1))))
	case strings.HasPrefix(name, "hamming_"):
		v = c.Op("Sub", In(num(c.Float("alpha")), c.mul(num(c.Float("beta")), cosine(1))))
	case strings.HasPrefix(name, "blackman_"):
		v = c.Op("Add", In(c.Op("Sub", In(num(0.42), c.mul(num(0.5), cosine(1)))), c.mul(num(0.08), cosine(2))))
	case strings.HasPrefix(name, "bartlett_"):
		v = c.Op("Sub", In(num(1), c.Op("Abs", In(c.Op("Sub", In(c.mul(at, num(2)), num(1)))))))
	default:
		c.Return(c.kaiser())
		return
	}
	single := c.Op("Equal", In(n, c.I64Scalar(1))) // of one element it is 1
	c.Return(c.Cast(c.Op("Where", In(single, num(1), v)), d))
}

// cosineOf is computed in float, for which runtimes have it.
func (c *Call) cosineOf(x V) V {
	return c.Cast(c.Op("Cos", In(c.Cast(x, onnx.Float))), x.DType)
}

// kaiser is a constant: ONNX has no Bessel functions.
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
		c.Failf("%v", err)
	}
	return c.Const(t)
}

// bessel0 is the modified Bessel function I0, by its power series.
func bessel0(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-17; k++ {
		term *= x * x / (4 * k * k)
		sum += term
	}
	return sum
}
