package ops

// This file reduces shapes, and the contents of small tensors, over axes.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// BoolButByte is the dtype of any and all: uint8 stays, for compatibility.
func BoolButByte(d dtype.DType) dtype.DType {
	if d == dtype.U8 {
		return d
	}
	return dtype.Bool
}

// ReduceShape is the shape s without the axes, or with sizes of 1 in their places.
func ReduceShape(c *Call, s symshape.Shape, axes []int, keep bool) symshape.Shape {
	out := make(symshape.Shape, 0, len(s))
	for i, d := range s {
		switch {
		case !slices.Contains(axes, i):
			out = append(out, d)
		case keep:
			out = append(out, c.Const(1))
		}
	}
	return out
}

// FoldElems reduces the contents of t over axes by fold, as elements of dtype d, in
// row-major order, or returns nil when they are not known or not computed (Computes). With truth they are bools
// first, and so is what fold gives.
func (c *Call) FoldElems(t *value.Tensor, d dtype.DType, axes []int, fold ElemFunc, truth bool) []value.Value {
	elems := t.Contents()
	shape, ok := ConstShape(t.Type().Shape)
	if elems == nil || !ok || len(elems) != Product(shape) || len(elems) == 0 || !c.Th.Computes(len(elems)) {
		return nil
	}
	outShape := slices.Clone(shape)
	for _, a := range axes {
		if len(outShape) > 0 {
			outShape[a] = 1
		}
	}
	strides := RowMajorInts(outShape)
	for _, a := range axes {
		if len(strides) > 0 {
			strides[a] = 0
		}
	}
	out := make([]value.Value, Product(outShape))
	idx := make([]int, len(shape))
	for _, e := range elems {
		at := 0
		for k, i := range idx {
			at += i * strides[k]
		}
		if truth {
			e = c.ElemTruth(e)
		}
		switch x := c.CastElem(d, e); {
		case out[at] == nil:
			out[at] = x
		default:
			out[at] = fold(c, d, []value.Value{out[at], x})
			if truth && out[at] != nil {
				out[at] = c.CastElem(d, out[at])
			}
		}
		if out[at] == nil {
			return nil
		}
		for k := len(idx) - 1; k >= 0; k-- {
			if idx[k]++; idx[k] < shape[k] {
				break
			}
			idx[k] = 0
		}
	}
	return out
}
