package aten

// This file makes tensors of one number.

import (
	"math"

	"shapecheck/onnx"
)

// filled is a tensor of that shape which holds one number everywhere.
func (e *Emitter) filled(shape V, d onnx.DType, f float64) V {
	if isComplex(d) {
		failf("there are no complex numbers")
	}
	if d == onnx.BFloat16 { // which ConstantOfShape has since version 20
		return e.Op("Expand", In(e.Scalar(d, f), shape))
	}
	t, err := onnx.NewFull(d, []int64{1}, f)
	if err != nil {
		failf("%v", err)
	}
	v := e.Op("ConstantOfShape", In(shape), onnx.TensorAttr("value", t))
	return v
}

// intRanges are the limits of integer types, as far as a float64 has them.
var intRanges = map[onnx.DType][2]int64{
	onnx.Int8: {math.MinInt8, math.MaxInt8}, onnx.Uint8: {0, math.MaxUint8}, onnx.Int16: {math.MinInt16, math.MaxInt16},
	onnx.Uint16: {0, math.MaxUint16},
	onnx.Int32:  {math.MinInt32, math.MaxInt32}, onnx.Uint32: {0, math.MaxUint32}, onnx.Int64: {math.MinInt64, math.MaxInt64},
	onnx.Bool: {0, 1},
}

// lowest is the least number of a type, highest the greatest: infinities of floats.
func (e *Emitter) lowest(d onnx.DType) V  { return e.limit(d, 0, math.Inf(-1)) }
func (e *Emitter) highest(d onnx.DType) V { return e.limit(d, 1, math.Inf(1)) }

func (e *Emitter) limit(d onnx.DType, i int, inf float64) V {
	r, ok := intRanges[d]
	switch {
	case isFloat(d):
		return e.Scalar(d, inf)
	case !ok:
		failf("the limits of %s", d)
	case d == onnx.Int64:
		return e.I64Scalar(r[i])
	}
	return e.Scalar(d, float64(r[i]))
}
