package ops

// This file has what tensors and arrays tell about themselves in the same way.

import (
	"shapecheck/infer/value"
	"shapecheck/symshape/dtype"
)

// SizeValues are the sizes of t, one by one; nil, where its shape is not known, and the call says so.
func (c *Call) SizeValues(t *value.Tensor) []value.Value {
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	sizes := make([]value.Value, len(s))
	for i := range s {
		sizes[i] = c.SizeValue(t, i)
	}
	return sizes
}

// ElemBytes is the number of bytes of an element.
func ElemBytes(c *Call, t *value.Tensor) value.Value {
	if t.Type().DType == dtype.Unknown {
		return c.Lose("the dtype is not known")
	}
	return value.Int(t.Type().DType.Size())
}

// AllBytes is the number of bytes of all elements.
func AllBytes(c *Call, t *value.Tensor) value.Value {
	if t.Type().DType == dtype.Unknown {
		return c.Lose("the dtype is not known")
	}
	return value.FromDim(c.P.DimMul(c.Numel(c.Shape(t)), c.Const(int64(t.Type().DType.Size()))))
}
