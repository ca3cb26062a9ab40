package ops

// This file tracks between which sizes the elements of an integer tensor lie
// where there are too many, or a symbolic number of them, to be tracked one by
// one: positions made by arange. Both bounds are elements, so that an index
// taken from the tensor fits exactly if they do.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// rangedType reports whether sizes are taken to fit into the dtype.
func rangedType(d dtype.DType) bool { return d == dtype.I64 || d == dtype.I32 }

// elemRange gives the bounds of a tensor's elements, nil when not known.
func elemRange(t *value.Tensor) *graph.ElemRange {
	if t == nil || !t.Fresh() {
		return nil
	}
	return t.V.Elems
}

// ElemEnds are the least and the greatest element of an integer tensor; nil when not known.
func ElemEnds(t *value.Tensor) []symshape.Dim {
	r := elemRange(t)
	if r == nil {
		return nil
	}
	return []symshape.Dim{r.Least, r.Most}
}

// keepRange hands the bounds of the first argument's elements on to the result.
func (c *Call) keepRange(v value.Value) {
	add := c.Op.Has(Shifts)
	if !add && !c.Op.Is.Has(graph.KeepsElements) || c.InPlace {
		return
	}
	out, ok := v.(*value.Tensor)
	if !ok || !rangedType(out.Type().DType) || out.V.Elems != nil {
		return
	}
	from, ok := c.Args[0].(*value.Tensor)
	if !ok || !rangedType(from.Type().DType) {
		return
	}
	r := elemRange(from)
	if r == nil {
		return
	}
	if !add {
		out.V.Elems = r
		return
	}
	other := ScalarElem(c.Value("other"))
	if alpha, ok := c.Value("alpha").(value.Int); !ok || alpha != 1 || IsRealElem(other) {
		return
	}
	if by, ok := c.elemDim(other); ok && by.Expr != nil {
		out.V.Elems = &graph.ElemRange{Least: c.P.DimAdd(r.Least, by), Most: c.P.DimAdd(r.Most, by)}
	}
}

// SetSteps records the bounds of start, start+step … of n elements.
func (c *Call) SetSteps(out *value.Tensor, start, step value.Value, n symshape.Dim) {
	if !rangedType(out.Type().DType) {
		return
	}
	lo, ok := c.elemDim(start)
	by, ok2 := c.elemDim(step)
	if k, known := DimVal(by); !ok || !ok2 || !known || k <= 0 || lo.Expr == nil || n.Expr == nil {
		return
	}
	most := c.P.DimAdd(lo, c.P.DimMul(c.P.DimSub(n, c.Const(1)), by))
	out.V.Elems = &graph.ElemRange{Least: lo, Most: most}
}

// RangeFits makes it a condition of the run that the elements of idx, where their
// bounds are known, count the rows of a table; false when they cannot.
func (c *Call) RangeFits(idx *value.Tensor, rows symshape.Dim, w *value.Tensor) bool {
	r := elemRange(idx)
	if r == nil {
		return true
	}
	if !c.AtLeast(r.Least, 0) {
		c.Blame(Ref{w, 0})
		c.Errorf("IndexError", diag.DimOutOfRange, "%s: index %s is outside the %s rows of the table %s", c.Short(), r.Least, rows, w)
		return false
	}
	if !c.AtLeast(c.P.DimSub(rows, r.Most), 1) {
		c.Blame(Ref{w, 0})
		c.Errorf("IndexError", diag.DimOutOfRange, "%s: indices to %s are outside the %s rows of the table %s", c.Short(), r.Most, rows, w)
		return false
	}
	return true
}
