package lib

// This file computes with concrete ints: int64 where the result fits, big.Int
// beyond, with a budget on the size. Each operation is tried on int64 first; an overflow, or a case
// that is rare, falls through to big.Int. Longer numbers than maxIntBits are unknown instead of
// making a check slow. Division and shifts follow CPython's longobject.c.

import (
	"math"
	"math/big"
	"math/bits"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// maxIntBits bounds the integers that are computed: beyond it a result is lost.
const maxIntBits = 1 << 20

// smallInt returns the int64 that v is. Bools are ints.
func smallInt(v value.Value) (int64, bool) {
	switch v := v.(type) {
	case value.Int:
		return int64(v), true
	case value.Bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// bigInt returns the concrete int of any size that v is. false for symbolic numbers.
func bigInt(v value.Value) (*big.Int, bool) {
	if b, ok := v.(*value.BigInt); ok {
		return b.V, true
	}
	if n, ok := smallInt(v); ok {
		return big.NewInt(n), true
	}
	return nil, false
}

// intBinary is a op b for concrete ints; ok is false for operators that ints lack. Errors are a
// ZeroDivisionError and a ValueError for negative shifts.
func (w *World) intBinary(th value.Thread, op ast.BinOperator, a, b int64) (value.Value, bool, error) {
	switch op {
	case ast.Add:
		// The sum overflowed unless it moved in the direction of b.
		if c := a + b; (c > a) == (b > 0) {
			return value.Int(c), true, nil
		}
	case ast.Sub:
		if c := a - b; (c < a) == (b > 0) {
			return value.Int(c), true, nil
		}
	case ast.Mult:
		hi, lo := bits.Mul64(absInt(a), absInt(b))
		if hi == 0 && lo <= math.MaxInt64 {
			return value.Int(a * b), true, nil
		}
	case ast.FloorDiv:
		if b == 0 {
			return nil, true, th.Raise("ZeroDivisionError", "integer division or modulo by zero")
		}
		// MinInt64 // -1 does not fit.
		if a != math.MinInt64 || b != -1 {
			q := a / b
			// Go rounds to zero, Python down.
			if a%b != 0 && (a < 0) != (b < 0) {
				q--
			}
			return value.Int(q), true, nil
		}
	case ast.Mod:
		if b == 0 {
			return nil, true, th.Raise("ZeroDivisionError", "integer modulo by zero")
		}
		if b == -1 {
			return value.Int(0), true, nil
		}
		r := a % b
		// The remainder has the sign of the divisor.
		if r != 0 && (r < 0) != (b < 0) {
			r += b
		}
		return value.Int(r), true, nil
	case ast.Div:
		if b == 0 {
			return nil, true, th.Raise("ZeroDivisionError", "division by zero")
		}
		return value.Float(intDiv(a, b)), true, nil
	case ast.BitAnd:
		return value.Int(a & b), true, nil
	case ast.BitOr:
		return value.Int(a | b), true, nil
	case ast.BitXor:
		return value.Int(a ^ b), true, nil
	case ast.RShift:
		if b >= 0 {
			return value.Int(a >> min(b, 63)), true, nil
		}
	case ast.LShift:
		// No bit that counts may be lost.
		if b >= 0 && b < 62 && a>>(62-b) == a>>63 {
			return value.Int(a << b), true, nil
		}
	}
	return w.bigBinary(th, op, big.NewInt(a), big.NewInt(b))
}

// It also holds for MinInt64, whose absolute value fits an uint64.
func absInt(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}

// intDiv is int / int: the exact quotient rounded once. b is not 0.
func intDiv(a, b int64) float64 {
	if a == 0 && b < 0 {
		return math.Copysign(0, -1)
	}
	// Both are exact as floats, and one division rounds once.
	if absInt(a) <= 1<<53 && absInt(b) <= 1<<53 {
		return float64(a) / float64(b)
	}
	f, _ := new(big.Rat).SetFrac64(a, b).Float64()
	return f
}

// words is the length of a number. In machine words.
func words(n *big.Int) int { return len(n.Bits()) }

// mulSteps is about how many steps it takes to multiply numbers of x and y words: the
// school's way for short ones, Karatsuba's for long ones. At least 0, for numbers that are short.
func mulSteps(x, y int) int {
	x, y = min(x, y), max(x, y)
	const short, perStep = 40, 256
	if x <= short {
		return x * y / perStep
	}
	return int(float64(y) / float64(x) * short * short * math.Pow(float64(x)/short, math.Log2(3)) / perStep)
}

// powSteps is that of x ** e modulo m for numbers of so many bits. Each bit of the exponent takes a
// squaring and perhaps a product.
func powSteps(e, m *big.Int) int {
	if n := float64(e.BitLen()) * 5 * float64(mulSteps(words(m), words(m))+1); n < math.MaxInt32 {
		return int(n)
	}
	return math.MaxInt32
}

// bigBinary computes with integers of any size, as Python does, bounded by maxIntBits; the time of a product
// grows with the square of its length and is charged to the run's budget. True division rounds the exact
// fraction once, which dividing two floats would not. ok is false for operators that ints lack. A
// result that is too large is unknown.
func (w *World) bigBinary(th value.Thread, op ast.BinOperator, a, b *big.Int) (value.Value, bool, error) {
	if a.BitLen() > maxIntBits || b.BitLen() > maxIntBits {
		return th.Unknown("an integer is too large to compute with"), true, nil
	}
	steps := (words(a) + words(b)) / 512
	switch op {
	case ast.Mult:
		steps = mulSteps(words(a), words(b))
	case ast.FloorDiv, ast.Mod, ast.Div:
		steps = 4 * mulSteps(words(a), words(b))
	}
	if err := th.Step(steps); err != nil {
		return nil, true, err
	}
	z := new(big.Int)
	switch op {
	case ast.Add:
		z.Add(a, b)
	case ast.Sub:
		z.Sub(a, b)
	case ast.Mult:
		z.Mul(a, b)
	case ast.FloorDiv, ast.Mod:
		if b.Sign() == 0 {
			if op == ast.Mod {
				return nil, true, th.Raise("ZeroDivisionError", "integer modulo by zero")
			}
			return nil, true, th.Raise("ZeroDivisionError", "integer division or modulo by zero")
		}
		q, m := bigDivMod(a, b)
		if z = q; op == ast.Mod {
			z = m
		}
	case ast.Div:
		if b.Sign() == 0 {
			return nil, true, th.Raise("ZeroDivisionError", "division by zero")
		}
		if a.Sign() == 0 {
			return value.Float(math.Copysign(0, float64(b.Sign()))), true, nil
		}
		f, _ := new(big.Rat).SetFrac(a, b).Float64()
		if math.IsInf(f, 0) {
			return nil, true, th.Raise("OverflowError", "integer division result too large for a float")
		}
		return value.Float(f), true, nil
	case ast.BitAnd:
		z.And(a, b)
	case ast.BitOr:
		z.Or(a, b)
	case ast.BitXor:
		z.Xor(a, b)
	case ast.LShift, ast.RShift:
		if b.Sign() < 0 {
			return nil, true, th.Raise("ValueError", "negative shift count")
		}
		switch {
		case op == ast.RShift && b.BitLen() > 31:
			// The result is 0, or -1 for negative numbers.
			z.SetInt64(int64(min(a.Sign(), 0)))
		case op == ast.RShift:
			z.Rsh(a, uint(b.Int64()))
		case a.Sign() == 0:
		case b.BitLen() > 31 || int(b.Int64())+a.BitLen() > maxIntBits:
			return th.Unknown("an integer is too large to compute with"), true, nil
		default:
			z.Lsh(a, uint(b.Int64()))
		}
	case ast.Pow:
		return w.bigPow(th, a, b)
	default:
		return nil, false, nil
	}
	return value.FromBig(z), true, nil
}

// bigDivMod is floor division with its remainder. b is not 0. The remainder has the divisor's sign.
func bigDivMod(a, b *big.Int) (q, m *big.Int) {
	q, m = new(big.Int).QuoRem(a, b, new(big.Int))
	if m.Sign() != 0 && (m.Sign() < 0) != (b.Sign() < 0) {
		q.Sub(q, big.NewInt(1))
		m.Add(m, b)
	}
	return q, m
}

// A negative exponent computes with floats, as CPython does.
func (w *World) bigPow(th value.Thread, a, b *big.Int) (value.Value, bool, error) {
	if b.Sign() < 0 {
		x, err := bigToFloat(th, a)
		if err != nil {
			return nil, true, err
		}
		y, err := bigToFloat(th, b)
		if err != nil {
			return nil, true, err
		}
		v, err := w.floatPow(th, x, y)
		return v, true, err
	}
	// The length of the result is known before it is computed.
	if n := a.BitLen(); n > 1 && (b.BitLen() > 31 || int64(n-1)*b.Int64() > maxIntBits) {
		return th.Unknown("an integer is too large to compute with"), true, nil
	}
	if a.BitLen() <= 1 { // -1, 0, 1
		if b.Sign() != 0 && (a.Sign() >= 0 || b.Bit(0) == 1) {
			return value.FromBig(a), true, nil
		}
		return value.Int(1), true, nil
	}
	n := int(b.Int64()) * a.BitLen() / 128 // words of the root of the result
	if err := th.Step(4 * mulSteps(n, n)); err != nil {
		return nil, true, err
	}
	return value.FromBig(new(big.Int).Exp(a, b, nil)), true, nil
}

// OverflowError for a number beyond all floats.
func bigToFloat(th value.Thread, n *big.Int) (float64, error) {
	f, _ := new(big.Float).SetInt(n).Float64()
	if math.IsInf(f, 0) {
		return 0, th.Raise("OverflowError", "int too large to convert to float")
	}
	return f, nil
}

// intUnary is op a. It never fails. Bools become ints.
func intUnary(op ast.UnaryOperator, v value.Value) value.Value {
	if n, ok := smallInt(v); ok && n != math.MinInt64 {
		switch op {
		case ast.USub:
			return value.Int(-n)
		case ast.Invert:
			return value.Int(^n)
		}
		return value.Int(n)
	}
	n, _ := bigInt(v)
	switch op {
	case ast.USub:
		return value.FromBig(new(big.Int).Neg(n))
	case ast.Invert:
		return value.FromBig(new(big.Int).Not(n))
	}
	return value.FromBig(n)
}
