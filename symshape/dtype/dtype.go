// This file defines DType, its names and its classes.

// Package dtype knows the element types of tensors: their names in torch, numpy and type strings, and how each
// library promotes them when they meet (promote.go, numpy.go).
package dtype

import "strings"

// DType is the type of a tensor's elements. The zero DType is Invalid, the unknown type.
type DType uint8

const (
	Invalid DType = iota
	Bool
	U8
	U16
	U32
	U64
	I8
	I16
	I32
	I64
	F16
	BF16
	F32
	F64
	C32
	C64
	C128
	// What PyTorch stores and converts, and computes with in a few functions only. The
	// names are those of ml_dtypes without "float".
	F8E4M3FN
	F8E5M2
	F8E4M3FNUZ
	F8E5M2FNUZ
	F8E8M0FNU
	BC32 // complex of two bfloat16
	numTypes
)

// Unknown is the zero DType under the name that fits a tensor whose dtype is not known.
const Unknown = Invalid

// Kind is the class of a dtype, or of a Python number, in the order of promotion.
type Kind uint8

const (
	KindInvalid Kind = iota
	KindBool
	KindInt
	KindFloat
	KindComplex
)

type info struct {
	short, torch, numpy string
	kind                Kind
	size                int
}

// infos has a row per DType.
var infos = [numTypes]info{
	Invalid: {"?", "?", "?", KindInvalid, 0},
	Bool:    {"bool", "bool", "bool_", KindBool, 1},
	U8:      {"u8", "uint8", "uint8", KindInt, 1},
	U16:     {"u16", "uint16", "uint16", KindInt, 2},
	U32:     {"u32", "uint32", "uint32", KindInt, 4},
	U64:     {"u64", "uint64", "uint64", KindInt, 8},
	I8:      {"i8", "int8", "int8", KindInt, 1},
	I16:     {"i16", "int16", "int16", KindInt, 2},
	I32:     {"i32", "int32", "int32", KindInt, 4},
	I64:     {"i64", "int64", "int64", KindInt, 8},
	F16:     {"f16", "float16", "float16", KindFloat, 2},
	BF16:    {"bf16", "bfloat16", "bfloat16", KindFloat, 2},
	F32:     {"f32", "float32", "float32", KindFloat, 4},
	F64:     {"f64", "float64", "float64", KindFloat, 8},
	C32:     {"c32", "complex32", "complex32", KindComplex, 4},
	C64:     {"c64", "complex64", "complex64", KindComplex, 8},
	C128:    {"c128", "complex128", "complex128", KindComplex, 16},

	F8E4M3FN:   {"f8e4m3fn", "float8_e4m3fn", "?", KindFloat, 1},
	F8E5M2:     {"f8e5m2", "float8_e5m2", "?", KindFloat, 1},
	F8E4M3FNUZ: {"f8e4m3fnuz", "float8_e4m3fnuz", "?", KindFloat, 1},
	F8E5M2FNUZ: {"f8e5m2fnuz", "float8_e5m2fnuz", "?", KindFloat, 1},
	F8E8M0FNU:  {"f8e8m0fnu", "float8_e8m0fnu", "?", KindFloat, 1},
	BC32:       {"bc32", "bcomplex32", "?", KindComplex, 4},
}

func (d DType) info() *info {
	if d >= numTypes {
		d = Invalid
	}
	return &infos[d]
}

// String returns the short name of type strings: f32, i64, bool.
func (d DType) String() string { return d.info().short }

// Torch returns torch's name without the module: float32.
func (d DType) Torch() string { return d.info().torch }

// Numpy returns numpy's name: float32, bool_.
func (d DType) Numpy() string { return d.info().numpy }

// Kind returns the class of d.
func (d DType) Kind() Kind { return d.info().kind }

// Size returns the number of bytes of an element; 0 for Invalid.
func (d DType) Size() int { return d.info().size }

// IsFloat reports whether d is a real floating point type.
func (d DType) IsFloat() bool { return d.Kind() == KindFloat }

// IsComplex reports whether d is a complex type.
func (d DType) IsComplex() bool { return d.Kind() == KindComplex }

// IsIntegral reports whether d is an integer type; bool is none, see IsIntegralOrBool.
func (d DType) IsIntegral() bool { return d.Kind() == KindInt }

// IsIntegralOrBool reports whether d is an integer type or bool.
func (d DType) IsIntegralOrBool() bool { return d.Kind() == KindInt || d == Bool }

// IsSigned reports whether d has negative values.
func (d DType) IsSigned() bool {
	return d != Invalid && d != Bool && (d < U8 || d > U64)
}

// IsFloat8 reports whether d is a floating point type of 8 bits, which is promoted with no other type.
func (d DType) IsFloat8() bool { return d >= F8E4M3FN && d <= F8E8M0FNU }

// Complex returns the complex type with parts of type d (torch's rule before 2.15: bfloat16 has none and gives
// complex64, see ResultTypeBF); d itself if it is complex, Invalid if it is neither real nor complex.
func (d DType) Complex() DType {
	switch d {
	case F16:
		return C32
	case F32, BF16:
		return C64
	case F64:
		return C128
	case C32, C64, C128, BC32:
		return d
	}
	return Invalid
}

// Real returns the type of the parts of a complex type, and d itself for any other.
func (d DType) Real() DType {
	switch d {
	case C32:
		return F16
	case BC32:
		return BF16
	case C64:
		return F32
	case C128:
		return F64
	}
	return d
}

// All returns all types in order, without Invalid.
func All() []DType {
	out := make([]DType, 0, numTypes-1)
	for d := Bool; d < numTypes; d++ {
		out = append(out, d)
	}
	return out
}

// Parse reads a dtype by its short name, by torch's name (float32, half, long, with or without "torch."), or by
// numpy's name with "np." or "numpy." in front. Where torch and numpy differ, torch wins: `float` is F32 and `int`
// is I32; see ParseNumpy.
func Parse(s string) (DType, bool) {
	for _, prefix := range [...]string{"np.", "numpy."} {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			return ParseNumpy(rest)
		}
	}
	name := strings.TrimPrefix(s, "torch.")
	for d := Bool; d < numTypes; d++ {
		if name == infos[d].short && name == s || name == infos[d].torch {
			return d, true
		}
	}
	switch name { // torch's other names
	case "half":
		return F16, true
	case "float":
		return F32, true
	case "double":
		return F64, true
	case "short":
		return I16, true
	case "int":
		return I32, true
	case "long":
		return I64, true
	case "chalf":
		return C32, true
	case "cfloat":
		return C64, true
	case "cdouble":
		return C128, true
	}
	return Invalid, false
}

// ParseTensorType reads the name of one of torch's tensor classes: FloatTensor, torch.cuda.LongTensor.
func ParseTensorType(s string) (DType, bool) {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "torch."), "cuda.")
	switch s {
	case "FloatTensor", "Tensor":
		return F32, true
	case "DoubleTensor":
		return F64, true
	case "HalfTensor":
		return F16, true
	case "BFloat16Tensor":
		return BF16, true
	case "ByteTensor":
		return U8, true
	case "CharTensor":
		return I8, true
	case "ShortTensor":
		return I16, true
	case "IntTensor":
		return I32, true
	case "LongTensor":
		return I64, true
	case "BoolTensor":
		return Bool, true
	}
	return Invalid, false
}

// ParseNumpy reads a dtype as numpy does: np.dtype(s), names and character codes of a 64-bit Linux, where `float` is
// float64 and `int` is int64. A byte order in front ("<f4") is accepted if it is the native one.
func ParseNumpy(s string) (DType, bool) {
	switch s {
	case "float", "float_", "double", "d", "f8":
		return F64, true
	case "int", "int_", "intp", "long", "longlong", "l", "q", "i8", "p":
		return I64, true
	case "uint", "uintp", "ulonglong", "L", "Q", "u8", "P", "ulong":
		return U64, true
	case "complex", "complex_", "cdouble", "D", "c16":
		return C128, true
	case "csingle", "singlecomplex", "F", "c8":
		return C64, true
	case "single", "f", "f4":
		return F32, true
	case "half", "e", "f2":
		return F16, true
	case "byte", "b", "i1":
		return I8, true
	case "ubyte", "B", "u1":
		return U8, true
	case "short", "h", "i2":
		return I16, true
	case "ushort", "H", "u2":
		return U16, true
	case "intc", "i", "i4":
		return I32, true
	case "uintc", "I", "u4":
		return U32, true
	case "bool", "bool8", "?", "b1":
		return Bool, true
	case "bfloat16", "complex32":
		return Invalid, false
	}
	if len(s) > 1 && (s[0] == '<' || s[0] == '=' || s[0] == '|') {
		return ParseNumpy(s[1:])
	}
	for d := Bool; d < numTypes; d++ {
		if s == infos[d].numpy && s != "?" {
			return d, true
		}
	}
	return Invalid, false
}
