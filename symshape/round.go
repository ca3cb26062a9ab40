// This file turns binary64 numbers into integers: floor, ceil, int and round, folded into integer arithmetic where
// that is exactly what CPython computes, and kept as opaque atoms elsewhere. It also evaluates Reals.

package symshape

import (
	"errors"
	"fmt"
	"math"
	"math/big"
)

// A Rounding makes an integer of a binary64 number.
type Rounding uint8

// The roundings.

const (
	roundNone  Rounding = iota
	RoundFloor          // math.floor
	RoundCeil           // math.ceil
	RoundTrunc          // int()
	RoundEven           // round(), half to even
)

func (r Rounding) String() string {
	return [...]string{"", "floor", "ceil", "int", "round"}[r]
}

// FloorReal returns math.floor(r).
func (p *Pool) FloorReal(r Real) *Expr { return p.roundReal(r, RoundFloor) }

// CeilReal returns math.ceil(r).
func (p *Pool) CeilReal(r Real) *Expr { return p.roundReal(r, RoundCeil) }

// TruncReal returns int(r): towards zero.
func (p *Pool) TruncReal(r Real) *Expr { return p.roundReal(r, RoundTrunc) }

// RoundReal returns round(r): to the nearest integer, half to even.
func (p *Pool) RoundReal(r Real) *Expr { return p.roundReal(r, RoundEven) }

// roundReal folds where r is num/den in the sense of realNode. For integers |num| < 2^50 and den > 0, the correctly
// rounded quotient lies on the same side of every integer as the exact one: if num/den is no integer, the nearest one
// is at least 1/den away, while the rounding error is at most 2^-53·|num|/den < 1/den (the same holds for halves with
// 2·den, as long as |num| < 2^51). testdata-free proof by exhaustion of corner cases is in real_test.go.
func (p *Pool) roundReal(r Real, how Rounding) *Expr {
	n := r.n
	if n == nil {
		return nil
	}
	if v, ok := r.Const(); ok {
		i, err := RoundFloat(v, how)
		if err != nil {
			return nil
		}
		return p.Const(i)
	}
	if n.op == OpInt {
		return n.e
	}
	if n.den != nil {
		num, den := n.num, n.den
		if den.hi < 0 {
			num, den = p.Neg(num), p.Neg(den)
		}
		if num != nil && den != nil && den.lo > 0 {
			switch how {
			case RoundFloor:
				return p.FloorDiv(num, den)
			case RoundCeil:
				return p.CeilDiv(num, den)
			case RoundTrunc:
				if num.lo >= 0 {
					return p.FloorDiv(num, den)
				}
				if num.hi <= 0 {
					return p.CeilDiv(num, den)
				}
				// -5 // 2 is -3 but int(-5 / 2) is -2: with an undecided sign, the two halves of the number
				zero := p.Const(0)
				return p.Add(p.FloorDiv(p.Max(num, zero), den), p.CeilDiv(p.Min(num, zero), den))
			case RoundEven:
				if d, ok := den.Const(); ok {
					return p.roundHalfEven(num, d)
				}
			}
		}
	}
	return p.internAtom(atomReal, nil, how, n)
}

// roundHalfEven is num/d rounded to the nearest integer, halves to the even one:
// (2·num + d) // (2·d), less one where num/d is a half above an even number, which is where num ≡ d/2 modulo 2·d.
func (p *Pool) roundHalfEven(num *Expr, d int64) *Expr {
	if d%2 != 0 {
		return p.FloorDiv(p.AddConst(p.scale(num, 2), d), p.Const(2*d))
	}
	up := p.FloorDiv(p.AddConst(num, d/2), p.Const(d))
	tie := p.AddConst(num, -d/2)
	dd := p.Const(2 * d)
	return p.Sub(up, p.Sub(p.FloorDiv(tie, dd), p.FloorDiv(p.AddConst(tie, -1), dd)))
}

var (
	errRange        = errors.New("result out of range")
	errInexactPower = errors.New("power is not computed exactly")
)

// RoundFloat rounds a number; beyond 2^62 there is no result. There, and for NaN, it returns an error.
func RoundFloat(v float64, how Rounding) (int64, error) {
	switch how {
	case RoundFloor:
		v = math.Floor(v)
	case RoundCeil:
		v = math.Ceil(v)
	case RoundTrunc:
		v = math.Trunc(v)
	case RoundEven:
		v = math.RoundToEven(v)
	}
	if !(v > -(1<<62) && v < 1<<62) {
		return 0, errRange
	}
	return int64(v), nil
}

// Eval computes r in binary64 as CPython would. It returns an error if r is unknown, if env does not know a symbol, and
// where EvalReal does.
func (r Real) Eval(env func(sym string) (int64, bool)) (float64, error) {
	if r.n == nil {
		return 0, errUnknown
	}
	return r.n.eval(env)
}

// eval computes in binary64, operation by operation. The quotient of two integers is Python's
// true division, which rounds once.
func (n *realNode) eval(env func(string) (int64, bool)) (float64, error) {
	switch n.op {
	case OpConst:
		return n.f, nil
	case OpInt:
		i, err := n.e.Eval(env)
		return float64(i), err
	case OpDiv:
		if n.x.op == OpInt && n.y.op == OpInt {
			a, err := n.x.e.Eval(env)
			if err != nil {
				return 0, err
			}
			b, err := n.y.e.Eval(env)
			if err != nil {
				return 0, err
			}
			return IntQuotient(a, b)
		}
	}
	x, err := n.x.eval(env)
	if err != nil {
		return 0, err
	}
	var y float64
	if n.y != nil {
		if y, err = n.y.eval(env); err != nil {
			return 0, err
		}
	}
	return EvalReal(n.op, x, y)
}

// IntQuotient is Python's int / int, which rounds the exact quotient once, however large the operands are. It returns
// an error if b is 0.
func IntQuotient(a, b int64) (float64, error) {
	if b == 0 {
		return 0, errZeroDiv
	}
	if absU(a) <= 1<<53 && absU(b) <= 1<<53 {
		return float64(a) / float64(b), nil
	}
	if a == 0 {
		return math.Copysign(0, float64(b)), nil
	}
	f, _ := new(big.Rat).SetFrac64(a, b).Float64()
	return f, nil
}

// EvalReal computes an operation as CPython does; y is of those with two operands. Infinities,
// NaN and powers that are not exact are errors.
func EvalReal(op RealOp, x, y float64) (float64, error) {
	var v float64
	switch op {
	case OpAdd:
		v = x + y
	case OpSub:
		v = x - y
	case OpMul:
		v = x * y
	case OpDiv:
		if y == 0 {
			return 0, errZeroDiv
		}
		v = x / y
	case OpNeg:
		v = -x
	case OpSqrt:
		if x < 0 {
			return 0, errors.New("math domain error")
		}
		v = math.Sqrt(x)
	case OpFDiv, OpMod:
		if y == 0 {
			return 0, errZeroDiv
		}
		div, mod := floatDivmod(x, y)
		if v = div; op == OpMod {
			v = mod
		}
	case OpPow:
		// Libraries differ in the last bit of pow; only exact cases are answered.
		switch {
		case y == 0:
			v = 1
		case y == 1:
			v = x
		case y == 2:
			v = x * x
		case y == -1 && x != 0:
			v = 1 / x
		case y == 0.5 && x >= 0:
			v = math.Sqrt(x)
		case x == 2 && y == math.Trunc(y) && math.Abs(y) < 1000:
			v = math.Ldexp(1, int(y))
		default:
			if x != math.Trunc(x) || y != math.Trunc(y) || y < 0 || y > 64 || math.Abs(x) > 1<<30 {
				return 0, errInexactPower
			}
			b := new(big.Int).Exp(big.NewInt(int64(x)), big.NewInt(int64(y)), nil)
			if b.BitLen() > 53 {
				return 0, errInexactPower
			}
			if v = float64(b.Int64()); v == 0 && int64(y)%2 == 1 {
				v = x // which may be -0.0
			}
		}
	case OpMin:
		if v = x; y < x {
			v = y
		}
	case OpMax:
		if v = x; y > x {
			v = y
		}
	default:
		return 0, fmt.Errorf("no operation %d", op)
	}
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, errRange
	}
	return v, nil
}

// floatDivmod is CPython's float_divmod.
func floatDivmod(vx, wx float64) (div, mod float64) {
	mod = math.Mod(vx, wx)
	div = (vx - mod) / wx
	if mod != 0 {
		if (wx < 0) != (mod < 0) {
			mod += wx
			div--
		}
	} else {
		mod = math.Copysign(0, wx)
	}
	if div != 0 {
		floor := math.Floor(div)
		if div-floor > 0.5 {
			floor++
		}
		return floor, mod
	}
	return math.Copysign(0, vx/wx), mod
}
