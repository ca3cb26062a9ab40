package ops

// This file holds the rules of ranges: arange, range, linspace, logspace.

import (
	"math"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// arangeRule counts ceil((end - start) / step), as at::arange does in float64.
func arangeRule(c *Call) value.Value {
	start, step := value.Value(value.Int(0)), value.Value(value.Int(1))
	if c.HasParam("start") {
		start, step = c.Value("start"), c.Value("step")
	}
	return c.steps(start, c.Value("end"), step, false)
}

// countShape is the shape of a range of n numbers: that of out= where it holds as many, for then
// it is not resized.
func (c *Call) countShape(n symshape.Dim) symshape.Shape {
	if c.outDType != dtype.Unknown {
		have, ok1 := DimVal(c.Numel(c.outShape))
		want, ok2 := DimVal(n)
		if ok1 && ok2 && have == want {
			return c.outShape
		}
	}
	return symshape.Shape{n}
}

func rangeRule(c *Call) value.Value {
	return c.steps(c.Value("start"), c.Value("end"), c.Value("step"), true)
}

// scalarElem reads a number argument, also a 0-dim tensor, as an element.
func scalarElem(v value.Value) value.Value {
	if t, ok := v.(*value.Tensor); ok {
		if e := t.Contents(); len(e) == 1 {
			return e[0]
		}
		if t.Type().DType.IsFloat() {
			return &value.SymFloat{}
		}
		return &value.SymInt{}
	}
	return value.Plain(v)
}

func (c *Call) steps(start, end, step value.Value, closed bool) value.Value {
	def := dtype.I64
	var x [3]value.Value
	for i, v := range [...]value.Value{start, end, step} {
		x[i] = scalarElem(v)
		switch {
		case numberKind(x[i]) == dtype.KindComplex:
			return c.Errorf("RuntimeError", diag.TypeMismatch, "%s() is not defined for complex numbers", c.short())
		case isRealElem(x[i]):
			def = c.DefaultDType()
		}
	}
	if closed {
		def = c.DefaultDType()
	}
	d := c.factoryDType(def)
	if d == dtype.Bool || d.IsComplex() {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() is not defined for %s", c.short(), d)
	}
	if d == dtype.I64 { // the ends are converted first, only for int64
		for i := range x {
			if e := c.castElem(d, x[i]); e != nil {
				x[i] = e
			}
		}
	}
	if e := c.elemReal(x[2]); d.IsIntegral() && e.known && math.Trunc(e.val) == 0 { // the step is one of that dtype
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): step must not be 0", c.short())
	}
	var n symshape.Dim
	integral := !isRealElem(x[0]) && !isRealElem(x[1]) && !isRealElem(x[2])
	if integral {
		n = c.countInts(x, closed)
	} else {
		n = c.countReals(x, closed)
	}
	if !c.OK() {
		return nil
	}
	out := c.made(def, c.countShape(n))
	if out == nil {
		return nil
	}
	if k, ok := n.Const(); ok && k <= value.MaxElems && tracked(d) && (integral || d.IsFloat()) {
		elems := make([]value.Value, k)
		for i := range elems {
			at := mulElem(c, wide(d), []value.Value{value.Int(i), x[2]})
			if at != nil {
				at = addElem(c, wide(d), []value.Value{x[0], at})
			}
			if at != nil {
				at = c.castElem(d, at)
			}
			if at == nil {
				elems = nil
				break
			}
			elems[i] = at
		}
		out.SetContents(elems)
	}
	if integral && !closed && out.Contents() == nil {
		c.setSteps(out, x[0], x[2], n)
	}
	return out
}

// wide is the dtype in which factories compute.
func wide(d dtype.DType) dtype.DType {
	if d.IsFloat() {
		return dtype.F64
	}
	return dtype.I64
}

func (c *Call) countInts(x [3]value.Value, closed bool) symshape.Dim {
	var a [3]symshape.Dim
	for i := range x {
		a[i], _ = c.elemDim(x[i])
	}
	step, ok := DimVal(a[2])
	if !ok {
		return symshape.Dim{}
	}
	if step == 0 {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): step must not be 0", c.short())
		return symshape.Dim{}
	}
	span := c.P.DimSub(a[1], a[0])
	if step < 0 {
		span = c.P.DimNeg(span)
	}
	if !c.AtLeast(span, 0) {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): end %s cannot be reached from start %s by steps of %s", c.short(), a[1], a[0], a[2])
		return symshape.Dim{}
	}
	by := a[2]
	if v, _ := DimVal(by); v < 0 {
		by = c.P.DimNeg(by)
	}
	if closed {
		return c.P.DimAdd(c.P.DimFloorDiv(span, by), c.Const(1))
	}
	return c.P.DimCeilDiv(span, by)
}

func (c *Call) countReals(x [3]value.Value, closed bool) symshape.Dim {
	var a [3]realElem
	known, symbolic := true, false
	for i := range x {
		a[i] = c.elemReal(x[i])
		known = known && a[i].known
		if _, isConst := a[i].r.Const(); a[i].r.Known() && !isConst {
			symbolic = true
		}
	}
	var n symshape.Dim
	if a[2].known && a[2].val == 0 {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): step must not be 0", c.short())
		return n
	}
	if known {
		q := (a[1].val - a[0].val) / a[2].val
		switch {
		case math.IsNaN(q) || math.IsInf(q, 0) || math.Abs(q) > 1<<52:
			c.Errorf("RuntimeError", diag.BadValue, "%s(): the range from %v to %v by %v is not finite", c.short(), a[0].val, a[1].val, a[2].val)
			return n
		case q < 0:
			c.Errorf("RuntimeError", diag.BadValue, "%s(): end %v cannot be reached from start %v by steps of %v", c.short(), a[1].val, a[0].val, a[2].val)
			return n
		}
		count := int64(math.Ceil(q))
		if closed {
			count = int64(math.Floor(q)) + 1
		}
		n.Val, n.Known = count, true
		if !symbolic {
			return c.Const(count)
		}
	}
	for i := range a {
		if !a[i].r.Known() && !a[i].known {
			return n
		}
	}
	q := c.P.RealDiv(c.P.RealSub(c.realOf(a[1]), c.realOf(a[0])), c.realOf(a[2]))
	if closed {
		n.Expr = c.P.AddConst(c.P.FloorReal(q), 1)
	} else {
		n.Expr = c.P.CeilReal(q)
	}
	if !c.AtLeast(n, 0) {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): the end cannot be reached from the start", c.short())
	}
	return n
}

// linspace is the rule's function whose elements are tracked.
const linspace Variant = "linspace"

func linspaceRule(c *Call) value.Value {
	steps := c.Dim("steps")
	if !c.AtLeast(steps, 0) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): the number of steps must not be negative, but is %s", c.short(), steps)
	}
	a, b := scalarElem(c.Value("start")), scalarElem(c.Value("end"))
	def := c.DefaultDType()
	if isComplexNumber(c.Value("start")) || isComplexNumber(c.Value("end")) {
		def = def.Complex()
		if c.Has("dtype") && !c.DType("dtype", def).IsComplex() {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): dtype must be complex for complex numbers", c.short())
		}
	}
	if d := c.factoryDType(def); d == dtype.Bool && c.AtLeast(steps, 2) { // one step is written without arithmetic
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() is not defined for bool", c.short())
	}
	if !c.OK() {
		return nil
	}
	out := c.made(def, symshape.Shape{steps})
	if out == nil {
		return nil
	}
	if s := c.outShape; s != nil && c.Numel(s).Expr == steps.Expr && steps.Expr != nil {
		out.Type().Shape = s // out= is not resized when it has enough elements
	}
	n, ok := steps.Const()
	if d := out.Type().DType; ok && n <= value.MaxElems && isNumber(a) && isNumber(b) && c.is(linspace) && d.IsFloat() && tracked(d) {
		out.SetContents(linspaceElems(c.elemReal(a).val, c.elemReal(b).val, int(n), d))
	}
	return out
}

// isNumber reports whether an element is a constant.
func isNumber(v value.Value) bool {
	switch v.(type) {
	case value.Int, value.Float:
		return true
	}
	return false
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
	return numberKind(v) == dtype.KindComplex
}
