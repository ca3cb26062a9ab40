package lib

// This file computes with concrete floats and complex numbers as CPython does. Rounding, signed
// zeros and the texts of exceptions follow CPython's floatobject.c and complexobject.c. Powers and
// other transcendental functions are those of the C library (libm*.go), since Go's differ in last
// digits.

import (
	"math"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// asFloat returns the float of a concrete real number. err is an OverflowError for an int beyond
// all floats; ok is false for what is no real number.
func asFloat(th value.Thread, v value.Value) (f float64, ok bool, err error) {
	switch v := v.(type) {
	case value.Float:
		return float64(v), true, nil
	case *value.BigInt:
		f, err = bigToFloat(th, v.V)
		return f, true, err
	}
	n, ok := smallInt(v)
	return float64(n), ok, nil
}

// The second result is false for operators that floats do not have. ZeroDivisionError for a divisor
// of 0, OverflowError for powers.
func (w *World) floatBinary(th value.Thread, op ast.BinOperator, a, b float64) (value.Value, bool, error) {
	switch op {
	case ast.Add:
		return value.Float(a + b), true, nil
	case ast.Sub:
		return value.Float(a - b), true, nil
	case ast.Mult:
		return value.Float(a * b), true, nil
	case ast.Div:
		if b == 0 {
			return nil, true, th.Raise("ZeroDivisionError", "float division by zero")
		}
		return value.Float(a / b), true, nil
	case ast.FloorDiv:
		if b == 0 {
			return nil, true, th.Raise("ZeroDivisionError", "float floor division by zero")
		}
		q, _ := floatDivMod(a, b)
		return value.Float(q), true, nil
	case ast.Mod:
		if b == 0 {
			return nil, true, th.Raise("ZeroDivisionError", "float modulo")
		}
		_, m := floatDivMod(a, b)
		return value.Float(m), true, nil
	case ast.Pow:
		v, err := w.floatPow(th, a, b)
		return v, true, err
	}
	return nil, false, nil
}

// floatDivMod follows float_divmod of CPython. The remainder has the sign of the divisor; the
// quotient is a whole number.
func floatDivMod(a, b float64) (q, m float64) {
	m = math.Mod(a, b)
	q = (a - m) / b
	if m != 0 {
		if (b < 0) != (m < 0) {
			m += b
			q--
		}
	} else {
		// A remainder of 0 has the divisor's sign.
		m = math.Copysign(0, b)
	}
	if q != 0 {
		f := math.Floor(q)
		// Rounding may have put the quotient just below a whole number.
		if q-f > 0.5 {
			f++
		}
		return f, m
	}
	return math.Copysign(0, a/b), m
}

// A negative base with a fractional exponent gives a complex number.
func (w *World) floatPow(th value.Thread, a, b float64) (value.Value, error) {
	switch {
	case a == 0 && b < 0:
		return nil, th.Raise("ZeroDivisionError", "0.0 cannot be raised to a negative power")
	case a < 0 && b != math.Trunc(b) && !math.IsInf(a, 0) && !math.IsInf(b, 0) && !math.IsNaN(b):
		return complexPow(th, complex(a, 0), complex(b, 0))
	}
	f := cPow(a, b)
	if math.IsInf(f, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		return nil, th.Raise("OverflowError", "(34, 'Numerical result out of range')")
	}
	return value.Float(f), nil
}

// asComplex returns the complex of a concrete number. err and ok are those of asFloat.
func asComplex(th value.Thread, v value.Value) (complex128, bool, error) {
	if c, ok := v.(value.Complex); ok {
		return complex128(c), true, nil
	}
	f, ok, err := asFloat(th, v)
	return complex(f, 0), ok, err
}

// Complex numbers have no // and no %.
func complexBinary(th value.Thread, op ast.BinOperator, a, b complex128) (value.Value, bool, error) {
	switch op {
	case ast.Add:
		return value.Complex(a + b), true, nil
	case ast.Sub:
		return value.Complex(a - b), true, nil
	case ast.Mult:
		// The plain formula of CPython's _Py_c_prod.
		ar, ai, br, bi := real(a), imag(a), real(b), imag(b)
		return value.Complex(complex(ar*br-ai*bi, ar*bi+ai*br)), true, nil
	case ast.Div:
		if b == 0 {
			return nil, true, th.Raise("ZeroDivisionError", "complex division by zero")
		}
		return value.Complex(complexDiv(a, b)), true, nil
	case ast.Pow:
		v, err := complexPow(th, a, b)
		return v, true, err
	}
	return nil, false, nil
}

// complexDiv scales by the larger part of the divisor, as _Py_c_quot does. b is not 0.
func complexDiv(a, b complex128) complex128 {
	ar, ai, br, bi := real(a), imag(a), real(b), imag(b)
	if math.Abs(br) >= math.Abs(bi) {
		ratio := bi / br
		denom := br + bi*ratio
		return complex((ar+ai*ratio)/denom, (ai-ar*ratio)/denom)
	}
	ratio := br / bi
	denom := br*ratio + bi
	return complex((ar*ratio+ai)/denom, (ai*ratio-ar)/denom)
}

// Other exponents go through the polar form. ZeroDivisionError for 0 to a negative or complex
// power, OverflowError for a length beyond all floats.
func complexPow(th value.Thread, a, b complex128) (value.Value, error) {
	// A small integer exponent is done by multiplication, as in CPython.
	if imag(b) == 0 && real(b) == math.Trunc(real(b)) && math.Abs(real(b)) <= 100 {
		n := int(math.Abs(real(b)))
		mask, r, p := 1, complex128(1), a
		for mask > 0 && n >= mask {
			if n&mask != 0 {
				r *= p
			}
			mask <<= 1
			p *= p
		}
		if real(b) < 0 {
			if r == 0 {
				return nil, th.Raise("ZeroDivisionError", "0.0 to a negative or complex power")
			}
			r = complexDiv(1, r)
		}
		return value.Complex(r), nil
	}
	if a == 0 {
		if imag(b) != 0 || real(b) < 0 {
			return nil, th.Raise("ZeroDivisionError", "0.0 to a negative or complex power")
		}
		return value.Complex(0), nil
	}
	vabs := cHypot([]float64{real(a), imag(a)})
	length := cPow(vabs, real(b))
	at := cAtan2(imag(a), real(a))
	phase := at * real(b)
	if imag(b) != 0 {
		length *= cExp(-at * imag(b))
		phase += imag(b) * cLog(vabs)
	}
	if math.IsInf(length, 0) && !math.IsInf(vabs, 0) {
		return nil, th.Raise("OverflowError", "complex exponentiation")
	}
	s, c := cSin(phase), cCos(phase)
	return value.Complex(complex(length*c, length*s)), nil
}
