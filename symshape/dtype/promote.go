// This file holds torch's type promotion: the table of two dtypes, and result_type with its three categories.

package dtype

// Promote is torch.promote_types(a, b): the smallest type both convert to, where any float beats any integer.
// Source: c10/core/ScalarType.cpp, promoteTypes. Combinations torch has no rule for give Invalid (uint16 and wider
// unsigned types with other integers).
func Promote(a, b DType) DType {
	if a == b {
		return a
	}
	if a > b {
		a, b = b, a
	}
	switch {
	case a == Invalid || a.IsFloat8() || b.IsFloat8():
		return Invalid
	case b == BC32:
		switch a {
		case F16, F32, C32, C64:
			return C64
		case F64, C128:
			return C128
		case U16, U32, U64:
			return Invalid
		}
		return b
	case a == Bool:
		return b
	case b.IsComplex():
		if a.IsIntegral() {
			return b
		}
		if c := a.Complex(); c > b {
			return c
		}
		return b
	case b.IsFloat():
		if a.IsIntegral() {
			return b
		}
		if a == F16 && b == BF16 {
			return F32 // neither holds the other
		}
		return b
	case a == U8 && b == I8:
		return I16
	case a >= U16 && a <= U64 || b >= U16 && b <= U64:
		return Invalid
	}
	return b // u8 with a wider signed type, or two signed types
}

// Operand is what takes part in a promotion: a tensor with dimensions, a tensor without, or a Python number.
type Operand struct {
	Type DType // of a tensor
	Dims int   // number of dimensions of a tensor; -1: unknown, treated as some
	Num  Kind  // of a Python number: KindBool … KindComplex; KindInvalid: this is a tensor
}

// TensorOp returns the operand for a tensor.
func TensorOp(d DType, dims int) Operand { return Operand{Type: d, Dims: dims} }

// NumberOp returns the operand for a Python bool, int, float or complex.
func NumberOp(k Kind) Operand { return Operand{Num: k} }

// ResultType is torch.result_type over any number of operands: types are promoted within the three categories, and a
// lower category counts only if it is of a higher kind. def is torch.get_default_dtype().
// Source: aten/src/ATen/native/TypeProperties.cpp, update_result_type_state and result_type.
func ResultType(def DType, operands ...Operand) DType { return result(def, C64, operands) }

// ResultTypeBF is ResultType where a bfloat16 tensor with a complex number gives a complex type of bfloat16, as since
// PyTorch 2.15.
func ResultTypeBF(def DType, operands ...Operand) DType { return result(def, BC32, operands) }

// result promotes; bf is the complex type for bfloat16.
func result(def, bf DType, operands []Operand) DType {
	var dim, zero, wrapped DType
	for _, x := range operands {
		switch {
		case x.Num != KindInvalid:
			wrapped = promoteKnown(wrapped, x.Num.torchType(def))
		case x.Dims == 0:
			zero = promoteKnown(zero, x.Type)
		default:
			dim = promoteKnown(dim, x.Type)
		}
	}
	return combineCategories(bf, dim, combineCategories(bf, zero, wrapped))
}

// torchType is the dtype of a Python number in torch.
func (k Kind) torchType(def DType) DType {
	switch k {
	case KindBool:
		return Bool
	case KindInt:
		return I64
	case KindFloat:
		return def
	case KindComplex:
		return def.Complex()
	}
	return Invalid
}

func promoteKnown(a, b DType) DType {
	switch {
	case a == Invalid:
		return b
	case b == Invalid:
		return a
	}
	return Promote(a, b)
}

// combineCategories promotes across categories (bool, integer, float, complex): the higher one's
// type wins, as torch.result_type has it for numbers and tensors without dimensions. bf is what
// bfloat16 becomes with a complex number.
func combineCategories(bf, higher, lower DType) DType {
	switch {
	case higher.IsComplex():
		return higher
	case higher.IsFloat():
		if lower.IsComplex() {
			if higher == BF16 {
				return bf
			}
			return higher.Complex()
		}
		return higher
	case higher == Bool || lower.IsFloat() || lower.IsComplex():
		return promoteKnown(higher, lower)
	case higher != Invalid:
		return higher
	}
	return lower
}

// CanCast is torch.can_cast: whether a result of type from may be written to a tensor of type to.
// Source: c10/core/ScalarType.h, canCast.
func CanCast(from, to DType) bool {
	switch {
	case from == Invalid || to == Invalid:
		return false
	case from.IsComplex() && !to.IsComplex():
		return false
	case from.IsFloat() && to.IsIntegralOrBool():
		return false
	case from != Bool && to == Bool:
		return false
	}
	return true
}
