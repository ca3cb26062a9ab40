package aten

// This file lowers resampling: interpolate and its old names, and sampling at the
// positions of a grid.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

var interpolateRecords = []Record{
	{Op: "torch.nn.functional.interpolate torch.nn.functional.upsample", Lower: func(c *Call) {
		c.interpolate(c.Str("mode"), c.Bool("align_corners"))
	}},
	{Op: "torch.nn.functional.upsample_nearest", Lower: func(c *Call) { c.interpolate("nearest", false) }},
	{Op: "torch.nn.functional.upsample_bilinear", Lower: func(c *Call) { c.interpolate("bilinear", true) }},
	{Op: "torch.nn.functional.grid_sample", Lower: func(c *Call) {
		c.gridSample(c.Str("mode"), c.Str("padding_mode"))
	}},
	{Op: "torch.grid_sampler torch.grid_sampler_2d torch.grid_sampler_3d", Lower: func(c *Call) {
		modes, paddings := []string{"bilinear", "nearest", "bicubic"}, []string{"zeros", "border", "reflection"}
		c.gridSample(modes[c.Int("interpolation_mode")], paddings[c.Int("padding_mode")])
	}},
	{Op: "torch.nn.functional.affine_grid torch.affine_grid_generator", Lower: affineGrid},
}

// interpolate lowers to Resize. With a scale that PyTorch does not recompute the
// positions follow from it, with a size from the quotient of the sizes; Resize
// makes the same difference between scales and sizes.
func (c *Call) interpolate(mode string, corners bool) {
	e := c.emit
	n := c.Rank("input") - 2
	if mode == "area" {
		for _, d := range c.OutType(0).Shape {
			if size, ok := d.Const(); ok && size == 0 {
				failf("an empty result")
			}
		}
		adaptive(n, "AveragePool")(c)
		return
	}
	transform := "half_pixel"
	if corners {
		transform = "align_corners"
	}
	var attrs []*onnx.Attr
	switch mode {
	case "nearest": // the element in which a position falls
		transform = "asymmetric"
		attrs = append(attrs, onnx.StringAttr("mode", "nearest"), onnx.StringAttr("nearest_mode", "floor"))
	case "nearest-exact":
		attrs = append(attrs, onnx.StringAttr("mode", "nearest"), onnx.StringAttr("nearest_mode", "round_prefer_ceil"))
	case "bicubic":
		a := float32(-0.75)
		if c.Bool("antialias") {
			a = -0.5
		}
		attrs = append(attrs, onnx.StringAttr("mode", "cubic"), onnx.FloatAttr("cubic_coeff_a", a))
	default:
		attrs = append(attrs, onnx.StringAttr("mode", "linear"))
	}
	if c.Bool("antialias") {
		if e.Opset < 18 {
			failf("antialias needs opset 18")
		}
		attrs = append(attrs, onnx.IntAttr("antialias", 1), onnx.IntAttr("exclude_outside", 1)) // not the edge repeated
	}
	attrs = append(attrs, onnx.StringAttr("coordinate_transformation_mode", transform))
	x := c.first()
	// With aligned corners PyTorch's positions follow from the size in any case, ONNX's from
	// the scale, whose product with the size need not be whole.
	space := c.OutType(0).Shape[2:]
	unknown := slices.ContainsFunc(space, func(d symshape.Dim) bool { return d.Expr == nil && !d.Known })
	if c.Has("scale_factor") && !c.Bool("recompute_scale_factor") && !corners {
		c.Return(e.Op("Resize", In(x, V{}, c.scales(n)), attrs...))
		return
	}
	if unknown {
		failf("the size of the result is not known")
	}
	sizes := make([]graph.Operand, n)
	for i, d := range space {
		sizes[i] = graph.Dim{Dim: d}
	}
	keep := e.Op("Shape", In(x), onnx.IntAttr("end", 2))
	c.Return(e.Op("Resize", In(x, V{}, V{}, e.Concat(0, keep, c.Sizes("size", sizes))), attrs...))
}

// scales are the factors of all dimensions. Resize has them as float32: one that
// would give other sizes is refused.
func (c *Call) scales(n int) V {
	factors := c.floats("scale_factor", n)
	list := []float64{1, 1}
	for i, f := range factors {
		in, known := c.Type("input").Shape[2+i].Const()
		for size := int64(1); size <= 1<<14; size++ {
			if known {
				size = in
			}
			if math.Floor(float64(float32(size)*float32(f))) != math.Floor(float64(size)*f) {
				failf("a scale of %v is not exact enough in float32: give a size or recompute_scale_factor", f)
			}
			if known {
				break
			}
		}
		list = append(list, f)
	}
	t, err := onnx.NewFloats(onnx.Float, []int64{int64(len(list))}, list)
	if err != nil {
		failf("%v", err)
	}
	return c.emit.Const(t)
}

// floats are n known numbers of an argument; one stands for n equal ones.
func (c *Call) floats(name string, n int) []float64 {
	items := c.Items(name)
	out := make([]float64, n)
	for i := range out {
		o := items[0]
		if len(items) > 1 {
			o = items[i]
		}
		f, ok := constFloat(o)
		if !ok {
			failf("argument %s must be known when the model is exported, but is %s", name, graph.OperandString(o))
		}
		out[i] = f
	}
	return out
}

// constFloat returns an operand that is a known number.
func constFloat(o graph.Operand) (float64, bool) {
	switch o := o.(type) {
	case graph.Float:
		return float64(o), true
	case graph.Real:
		return o.Const()
	}
	n, ok := ConstInt(o)
	return float64(n), ok
}

// gridSample lowers to GridSample, whose modes have other names from opset 20 on.
func (c *Call) gridSample(mode, padding string) {
	e := c.emit
	if e.Opset < 20 && c.Rank("input") != 4 {
		failf("sampling volumes needs opset 20")
	}
	if mode == "bicubic" && padding == "border" {
		failf("GridSample moves positions outside of the image to its border, PyTorch only the elements around them")
	}
	if e.Opset >= 20 {
		names := map[string]string{"bilinear": "linear", "bicubic": "cubic"}
		if s := names[mode]; s != "" {
			mode = s
		}
	}
	d := c.OutDType(0)
	c.Return(e.Op("GridSample", In(c.Operand("input", d), c.Operand("grid", d)),
		onnx.StringAttr("mode", mode), onnx.StringAttr("padding_mode", padding), boolAttr("align_corners", c.Bool("align_corners"))))
}

// affineGrid gives position i of n, counted from the middle in halves of the image
// (2i - (n-1)) / n or, with aligned corners, / (n-1), and multiplies with theta.
func affineGrid(c *Call) {
	e := c.emit
	theta := c.first()
	size := c.Items("size")[2:]
	var sum V
	last := int64(len(size))
	column := func(i int64) V { // [N, 1 …, k]: what multiplies coordinate i
		v := e.Squeeze(e.Slice(theta, 2, i, i+1, 1), 2)
		axes := identity(len(size))
		for k := range axes {
			axes[k]++
		}
		return e.Unsqueeze(v, axes...)
	}
	for k, o := range slices.Backward(size) { // the last dimension is x
		n := c.number("size", o, onnx.Int64)
		f := e.Cast(n, theta.DType)
		less := e.plus(f, -1)
		div := f
		if c.Bool("align_corners") {
			div = e.atLeastOf(less, 1)
		}
		r := e.Cast(e.Op("Range", In(e.I64Scalar(0), n, e.I64Scalar(1))), theta.DType)
		pos := e.over(e.sub(e.times(r, 2), less), div)
		axes := make([]int64, last-int64(k)) // behind it come the dimensions after k, and k components
		for i := range axes {
			axes[i] = int64(i + 1)
		}
		term := e.mul(column(last-1-int64(k)), e.Unsqueeze(pos, axes...))
		if sum.Name == "" {
			sum = term
		} else {
			sum = e.add(sum, term)
		}
	}
	c.Return(e.add(sum, column(last)))
}
