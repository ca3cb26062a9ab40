package onnx

// This file holds the element types of tensors.

import "strconv"

// A DType is a TensorProto.DataType.
type DType int32

const (
	Undefined      DType = 0
	Float          DType = 1
	Uint8          DType = 2
	Int8           DType = 3
	Uint16         DType = 4
	Int16          DType = 5
	Int32          DType = 6
	Int64          DType = 7
	String         DType = 8
	Bool           DType = 9
	Float16        DType = 10
	Double         DType = 11
	Uint32         DType = 12
	Uint64         DType = 13
	Complex64      DType = 14
	Complex128     DType = 15
	BFloat16       DType = 16
	Float8E4M3FN   DType = 17
	Float8E4M3FNUZ DType = 18
	Float8E5M2     DType = 19
	Float8E5M2FNUZ DType = 20
	Uint4          DType = 21
	Int4           DType = 22
	Float4E2M1     DType = 23
	Float8E8M0     DType = 24
	Uint2          DType = 25
	Int2           DType = 26
	Float6E2M3     DType = 27
	Float6E3M2     DType = 28
)

// dtypes holds the name in type strings, the name in ONNX's text form and the
// size of an element in bits (0: no fixed size).
var dtypes = [...]struct {
	name, onnx string
	bits       int
}{
	Undefined: {"?", "undefined", 0},
	Float:     {"f32", "float", 32}, Uint8: {"u8", "uint8", 8}, Int8: {"i8", "int8", 8},
	Uint16: {"u16", "uint16", 16}, Int16: {"i16", "int16", 16}, Int32: {"i32", "int32", 32}, Int64: {"i64", "int64", 64},
	String: {"str", "string", 0}, Bool: {"bool", "bool", 8}, Float16: {"f16", "float16", 16}, Double: {"f64", "double", 64},
	Uint32: {"u32", "uint32", 32}, Uint64: {"u64", "uint64", 64}, Complex64: {"c64", "complex64", 64}, Complex128: {"c128", "complex128", 128},
	BFloat16: {"bf16", "bfloat16", 16}, Float8E4M3FN: {"f8e4m3fn", "float8e4m3fn", 8}, Float8E4M3FNUZ: {"f8e4m3fnuz", "float8e4m3fnuz", 8},
	Float8E5M2: {"f8e5m2", "float8e5m2", 8}, Float8E5M2FNUZ: {"f8e5m2fnuz", "float8e5m2fnuz", 8},
	Uint4: {"u4", "uint4", 4}, Int4: {"i4", "int4", 4}, Float4E2M1: {"f4e2m1", "float4e2m1", 4}, Float8E8M0: {"f8e8m0", "float8e8m0", 8},
	Uint2: {"u2", "uint2", 2}, Int2: {"i2", "int2", 2}, Float6E2M3: {"f6e2m3", "float6e2m3", 6}, Float6E3M2: {"f6e3m2", "float6e3m2", 6},
}

// Valid reports whether d is an element type of the specification.
func (d DType) Valid() bool { return d > 0 && int(d) < len(dtypes) }

// String gives the name in type strings: f32, i64, bool.
func (d DType) String() string {
	if d < 0 || int(d) >= len(dtypes) {
		return "dtype" + strconv.Itoa(int(d))
	}
	return dtypes[d].name
}

// ONNXName gives the name in ONNX's own text form: float, int64.
func (d DType) ONNXName() string {
	if d < 0 || int(d) >= len(dtypes) {
		return "dtype" + strconv.Itoa(int(d))
	}
	return dtypes[d].onnx
}

// Bits is the size of an element, or 0 for strings and unknown types.
func (d DType) Bits() int {
	if d < 0 || int(d) >= len(dtypes) {
		return 0
	}
	return dtypes[d].bits
}

// DTypeOf finds the type with a name in type strings.
func DTypeOf(name string) (DType, bool) {
	for d := range dtypes {
		if d > 0 && dtypes[d].name == name {
			return DType(d), true
		}
	}
	return Undefined, false
}
