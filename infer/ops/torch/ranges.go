package torch

// This file holds the rules of ranges: arange, range, linspace, logspace.

import (
	"math"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// arangeRule counts ceil((end - start) / step), as at::arange does in float64.
func arangeRule(c *ops.Call) value.Value {
	start, step := value.Value(value.Int(0)), value.Value(value.Int(1))
	if c.HasParam("start") {
		start, step = c.Value("start"), c.Value("step")
	}
	return steps(c, start, c.Value("end"), step, false)
}

// countShape is the shape of a range of n numbers: that of out= where it holds as many, for then
// it is not resized.
func countShape(c *ops.Call, n symshape.Dim) symshape.Shape {
	if c.OutDType != dtype.Unknown {
		have, ok1 := ops.DimVal(c.Numel(c.OutShape))
		want, ok2 := ops.DimVal(n)
		if ok1 && ok2 && have == want {
			return c.OutShape
		}
	}
	return symshape.Shape{n}
}

func rangeRule(c *ops.Call) value.Value {
	return steps(c, c.Value("start"), c.Value("end"), c.Value("step"), true)
}

// steps makes a range from start to end, with end included where closed: real numbers, a dtype that is
// neither bool nor complex, and a step that is not 0 in an integer dtype. It is int64 for integers, of the
// default dtype when closed or when an argument is a float.
func steps(c *ops.Call, start, end, step value.Value, closed bool) value.Value {
	def := dtype.I64
	var x [3]value.Value
	for i, v := range [...]value.Value{start, end, step} {
		x[i] = ops.ScalarElem(v)
		if t, ok := v.(*value.Tensor); ok {
			if n := c.Held(t); n != nil {
				x[i] = n
			}
		}
		switch {
		case ops.NumberKind(x[i]) == dtype.KindComplex:
			return c.Errorf("RuntimeError", diag.TypeMismatch, "%s() is not defined for complex numbers", c.Short())
		case ops.IsRealElem(x[i]):
			def = c.DefaultDType()
		}
	}
	if closed {
		def = c.DefaultDType()
	}
	d := c.FactoryDType(def)
	if d == dtype.Bool || d.IsComplex() {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() is not defined for %s", c.Short(), d)
	}
	if d == dtype.I64 && c.Torch1() { // the ends are converted first, only for int64
		for i := range x {
			if e := c.CastElem(d, x[i]); e != nil {
				x[i] = e
			}
		}
	}
	if e := c.ElemReal(x[2]); d.IsIntegral() && e.Known && math.Trunc(e.Val) == 0 { // the step is one of that dtype
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): step must not be 0", c.Short())
	}
	var n symshape.Dim
	integral := !ops.IsRealElem(x[0]) && !ops.IsRealElem(x[1]) && !ops.IsRealElem(x[2])
	if integral {
		n = c.CountInts(x, closed)
	} else {
		n = c.CountReals(x, closed)
	}
	if !c.OK() {
		return nil
	}
	out := made(c, def, countShape(c, n))
	if out == nil {
		return nil
	}
	if k, ok := n.Const(); ok && k <= value.MaxElems && ops.Tracked(d) && (integral || d.IsFloat()) {
		out.SetContents(c.Ramp(d, ops.WideDType(d), x[0], x[2], int(k)))
	}
	if integral && !closed && out.Contents() == nil {
		c.SetSteps(out, x[0], x[2], n)
	}
	return out
}

// CountInts is the number of elements of start, end, step, which are integers: to the
// end alone, or with it where closed. It is unknown where the step is.

// CountReals is CountInts for real numbers, counted in float64.

// linspace is the rule's function whose elements are tracked.
const linspace ops.Variant = "linspace"

func linspaceRule(c *ops.Call) value.Value {
	steps := c.Dim("steps")
	if !c.AtLeast(steps, 0) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): the number of steps must not be negative, but is %s", c.Short(), steps)
	}
	a, b := ops.ScalarElem(c.Value("start")), ops.ScalarElem(c.Value("end"))
	def := c.DefaultDType()
	if isComplexNumber(c.Value("start")) || isComplexNumber(c.Value("end")) {
		def = def.Complex()
		if c.Has("dtype") && !c.DType("dtype", def).IsComplex() {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): dtype must be complex for complex numbers", c.Short())
		}
	}
	if d := c.FactoryDType(def); d == dtype.Bool && c.AtLeast(steps, 2) { // one step is written without arithmetic
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() is not defined for bool", c.Short())
	}
	if !c.OK() {
		return nil
	}
	out := made(c, def, symshape.Shape{steps})
	if out == nil {
		return nil
	}
	if s := c.OutShape; s != nil && c.Numel(s).Expr == steps.Expr && steps.Expr != nil {
		out.Type().Shape = s // out= is not resized when it has enough elements
	}
	n, ok := steps.Const()
	if d := out.Type().DType; ok && n <= value.MaxElems && ops.IsNumberElem(a) && ops.IsNumberElem(b) && c.Is(linspace) && d.IsFloat() &&
		ops.Tracked(d) {
		out.SetContents(linspaceElems(c.ElemReal(a).Val, c.ElemReal(b).Val, int(n), d))
	}
	return out
}

// linspaceElems computes as the CPU kernel does: from both ends to the middle, in
// the dtype of the result.
func linspaceElems(a, b float64, n int, d dtype.DType) []value.Value {
	round := func(x float64) float64 { return x }
	if d == dtype.F32 {
		round = func(x float64) float64 { return float64(float32(x)) }
	}
	a, b = round(a), round(b)
	step := 0.0
	if n > 1 {
		step = round(round(b-a) / float64(n-1))
	}
	elems := make([]value.Value, n)
	for i := range elems {
		x := round(a + round(step*float64(i)))
		if n > 1 && i >= n/2 {
			x = round(b - round(step*float64(n-i-1)))
		}
		elems[i] = value.Float(x)
	}
	return elems
}

// isComplexNumber reports whether v is a complex number or a 0-dim tensor of one.
func isComplexNumber(v value.Value) bool {
	if t, ok := v.(*value.Tensor); ok {
		return t.Type().DType.IsComplex()
	}
	return ops.NumberKind(v) == dtype.KindComplex
}
