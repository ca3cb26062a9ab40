package aten

// This file maps element types.

import (
	"shapecheck/onnx"
	"shapecheck/symshape/dtype"
)

var dtypes = map[dtype.DType]onnx.DType{
	dtype.Bool: onnx.Bool, dtype.U8: onnx.Uint8, dtype.U16: onnx.Uint16, dtype.U32: onnx.Uint32, dtype.U64: onnx.Uint64,
	dtype.I8: onnx.Int8, dtype.I16: onnx.Int16, dtype.I32: onnx.Int32, dtype.I64: onnx.Int64,
	dtype.F16: onnx.Float16, dtype.BF16: onnx.BFloat16, dtype.F32: onnx.Float, dtype.F64: onnx.Double,
	dtype.F8E4M3FN: onnx.Float8E4M3FN, dtype.F8E5M2: onnx.Float8E5M2, dtype.F8E4M3FNUZ: onnx.Float8E4M3FNUZ,
	dtype.F8E5M2FNUZ: onnx.Float8E5M2FNUZ,
	dtype.C64:        onnx.Complex64, dtype.C128: onnx.Complex128,
}

// DTypeOf returns ONNX's element type; false for those that it does not have.
func DTypeOf(d dtype.DType) (onnx.DType, bool) {
	t, ok := dtypes[d]
	return t, ok
}

// Classes of element types.
func isFloat(d onnx.DType) bool {
	return d == onnx.Float || d == onnx.Double || d == onnx.Float16 || d == onnx.BFloat16
}

func isComplex(d onnx.DType) bool { return d == onnx.Complex64 || d == onnx.Complex128 }

func isUnsigned(d onnx.DType) bool {
	return d == onnx.Uint8 || d == onnx.Uint16 || d == onnx.Uint32 || d == onnx.Uint64
}

const boolType = onnx.Bool
