// This file holds numpy's and chainer's type promotion.

package dtype

// Numpy is numpy.promote_types(a, b): the smallest type that holds all values of both, so int64 with float32 is
// float64. Types numpy lacks (bfloat16, complex32) give Invalid unless both are the same.
func Numpy(a, b DType) DType {
	if a == b {
		return a
	}
	if a > b {
		a, b = b, a
	}
	switch {
	case a == Invalid || a == BF16 || b == BF16 || a == C32 || b == C32:
		return Invalid
	case a == Bool:
		return b
	case b.IsComplex():
		if floatFor(a) == F64 || a == C128 {
			return C128
		}
		return b
	case b.IsFloat():
		return max(floatFor(a), b)
	case a.IsSigned() == b.IsSigned():
		return b // both unsigned or both signed: the wider one
	}
	// a is unsigned, b signed
	if b.Size() > a.Size() {
		return b
	}
	switch a {
	case U8:
		return I16
	case U16:
		return I32
	case U32:
		return I64
	}
	return F64 // no integer type holds uint64 and negative numbers
}

// floatFor returns the smallest of numpy's floats that holds all values of d as numpy sees it.
func floatFor(d DType) DType {
	switch d {
	case U8, I8, Bool, F16:
		return F16
	case U16, I16, F32, C64:
		return F32
	}
	return F64
}

// NumpyScalar is the type of an array of type a combined with a Python number, or with a 0-dim array before
// numpy 2 (value-based casting): the array's type unless the number is of a higher kind. Integers are taken to fit;
// one that does not is an error in numpy 2 and widens the result before.
func NumpyScalar(a DType, num Kind) DType {
	if a.Kind() >= num {
		return a
	}
	switch num {
	case KindInt:
		return I64
	case KindFloat:
		return Numpy(a, F64)
	case KindComplex:
		if a == F16 || a == F32 {
			return C64
		}
		return C128
	}
	return a
}

// NumpyNumber is the dtype of np.array(x) of a Python number.
func NumpyNumber(num Kind) DType {
	switch num {
	case KindBool:
		return Bool
	case KindInt:
		return I64
	case KindFloat:
		return F64
	case KindComplex:
		return C128
	}
	return Invalid
}

// Chainer is the type of a binary operation of two chainer variables. Chainer converts nothing: operands of
// different types are an error (type_check.expect(lhs.dtype == rhs.dtype) in chainer/functions/math/basic_math.py).
// A Python number takes the variable's type.
func Chainer(a, b DType) (DType, bool) {
	if a != b {
		return Invalid, false
	}
	return a, true
}

// NumpyKind is numpy's letter for the kind of a dtype (dtype.kind): b, c, f, i or u.
func (d DType) NumpyKind() string {
	switch {
	case d == Bool:
		return "b"
	case d.IsComplex():
		return "c"
	case d.IsFloat():
		return "f"
	case d.IsSigned():
		return "i"
	}
	return "u"
}
