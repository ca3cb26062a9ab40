package ops

// This file counts the elements of start, start+step … torch.arange, linspace, range and their like
// in NumPy need two things: how many elements, which is the size of the result, and the elements
// themselves where they are known. Sizes may be symbols, so counting is done with expressions.

import (
	"math"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// ScalarElem reads a number argument, also a 0-dim tensor, as an element. An element that is not
// known is symbolic without an expression.
func ScalarElem(v value.Value) value.Value {
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

// WideDType is the dtype in which factories compute. PyTorch computes ranges in the widest type of
// the kind, then converts.
func WideDType(d dtype.DType) dtype.DType {
	if d.IsFloat() {
		return dtype.F64
	}
	return dtype.I64
}

// Ramp is the elements start + i*step for i < n, computed in wide and then converted to d;
// nil where one is not known. It is how torch.arange works on integers and floats.
func (c *Call) Ramp(d, wide dtype.DType, start, step value.Value, n int) []value.Value {
	elems := make([]value.Value, n)
	for i := range elems {
		e := MulElem(c, wide, []value.Value{value.Int(i), step})
		if e != nil {
			e = AddElem(c, wide, []value.Value{start, e})
		}
		if e != nil {
			e = c.CastElem(d, e)
		}
		if e == nil {
			return nil
		}
		elems[i] = e
	}
	return elems
}

// RampIn is the elements start + i*step in the dtype d, rounded after each step. It is how NumPy
// fills a range of small floats; start must be of d already.
func (c *Call) RampIn(d dtype.DType, start, step value.Value, n int) []value.Value {
	elems := make([]value.Value, n)
	for i := range elems {
		elems[i] = start
		if i == 0 {
			continue
		}
		e := MulElem(c, d, []value.Value{value.Float(i), step})
		if e != nil {
			e = AddElem(c, d, []value.Value{start, e})
		}
		if e == nil {
			return nil
		}
		elems[i] = e
	}
	return elems
}

// CountInts is the number of elements of start, end, step, which are integers: to the
// end alone, or with it where closed. It is unknown where the step is. The formula is ceil((end −
// start)/step), or floor((end − start)/step) + 1 where closed. A step of 0, and an end that cannot
// be reached, are faults of the call.
func (c *Call) CountInts(x [3]value.Value, closed bool) symshape.Dim {
	var a [3]symshape.Dim
	for i := range x {
		a[i], _ = c.elemDim(x[i])
	}
	step, ok := DimVal(a[2])
	if !ok {
		return symshape.Dim{}
	}
	if step == 0 {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): step must not be 0", c.Short())
		return symshape.Dim{}
	}
	span := c.P.DimSub(a[1], a[0])
	if step < 0 {
		span = c.P.DimNeg(span)
	}
	if !c.AtLeast(span, 0) {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): end %s cannot be reached from start %s by steps of %s", c.Short(), a[1], a[0], a[2])
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

// CountReals is CountInts for real numbers, counted in float64. The formulas are those of
// CountInts. Where all three are known the count is computed as PyTorch does, in float64; where
// sizes are in it there is an expression too, with the count as its value in this run.
func (c *Call) CountReals(x [3]value.Value, closed bool) symshape.Dim {
	var a [3]RealElem
	known, symbolic := true, false
	for i := range x {
		a[i] = c.ElemReal(x[i])
		known = known && a[i].Known
		if _, isConst := a[i].Real.Const(); a[i].Real.Known() && !isConst {
			symbolic = true
		}
	}
	var n symshape.Dim
	if a[2].Known && a[2].Val == 0 {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): step must not be 0", c.Short())
		return n
	}
	if known {
		// PyTorch refuses counts that are no number or too large for a float64 to be exact.
		q := (a[1].Val - a[0].Val) / a[2].Val
		switch {
		case math.IsNaN(q) || math.IsInf(q, 0) || math.Abs(q) > 1<<52:
			c.Errorf("RuntimeError", diag.BadValue, "%s(): the range from %v to %v by %v is not finite", c.Short(), a[0].Val, a[1].Val, a[2].Val)
			return n
		case q < 0:
			c.Errorf("RuntimeError", diag.BadValue, "%s(): end %v cannot be reached from start %v by steps of %v", c.Short(), a[1].Val, a[0].Val,
				a[2].Val)
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
	// One that is not known at all leaves no expression.
	for i := range a {
		if !a[i].Real.Known() && !a[i].Known {
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
		c.Errorf("RuntimeError", diag.BadValue, "%s(): the end cannot be reached from the start", c.Short())
	}
	return n
}

// IsNumberElem reports whether an element is a constant. Bool is none.
func IsNumberElem(v value.Value) bool {
	switch v.(type) {
	case value.Int, value.Float:
		return true
	}
	return false
}
