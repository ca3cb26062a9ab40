// This file defines Real, the symbolic binary64 number, and its arithmetic.

package symshape

import (
	"math"
	"math/bits"

	"github.com/shopspring/decimal"
)

// Real is a symbolic Python float: an expression over integers converted to binary64, literals, and operations.
// The zero Real is the unknown number; every operation accepts it and gives it. Reals of one pool are interned, so ==
// is equality of form.
//
// Where all operations are exact for sizes below 2^50, a Real is kept as the fraction it equals, which is what lets
// FloorReal and its relatives fold into integer arithmetic. Everything else stays as written and is evaluated with
// binary64 arithmetic, as CPython does.
type Real struct{ n *realNode }

// Known reports whether r is not the unknown number.
func (r Real) Known() bool { return r.n != nil }

// A RealOp is an operation on binary64 numbers, each with one rounding.
type RealOp uint8

// The operations.

const (
	OpInt   RealOp = iota // float(e)
	OpConst               // a literal
	OpAdd                 // x + y
	OpSub                 // x - y
	OpMul                 // x * y
	OpDiv                 // x / y; of two integers: Python's int / int
	OpNeg                 // -x
	OpSqrt                // sqrt(x)
	OpFDiv                // x // y
	OpMod                 // x % y
	OpPow                 // x ** y
	OpMin                 // min(x, y)
	OpMax                 // max(x, y)
)

type realNode struct {
	next  *realNode
	pool  *Pool
	hash  uint64
	op    RealOp
	e     *Expr // of OpInt
	f     float64
	dec   decimal.Decimal // the literal's exact decimal form
	x, y  *realNode
	depth int32

	// num/den is the exact fraction whose correctly rounded value the node is known to be close to: equal when
	// num/den is a binary64 number, and otherwise off by less than the distance to the nearest fraction of the same
	// denominator, for |num| < 2^50. den is nil when there is no such fraction.
	num, den *Expr
	loss     int32 // how many roundings; beyond maxLoss the argument of roundReal no longer holds
}

const maxLoss = 8

// maxDenominator bounds the constant denominators of fractions; a quotient by more stays as written.
const maxDenominator = 1 << 20

func (n *realNode) walk(f func(*Expr)) {
	if n == nil {
		return
	}
	if n.e != nil {
		f(n.e)
	}
	n.x.walk(f)
	n.y.walk(f)
}

// RealFromInt returns float(e).
func (p *Pool) RealFromInt(e *Expr) Real {
	if e == nil {
		return Real{}
	}
	return p.internReal(realNode{op: OpInt, e: e, num: e, den: p.Const(1)})
}

// RealConst returns the literal f. spelling is the literal in decimal, as in the source; empty: the shortest decimal
// that reads as f. Infinities and NaN are the unknown number: no size is made of them.
func (p *Pool) RealConst(f float64, spelling string) Real {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return Real{}
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<50 {
		return p.RealFromInt(p.Const(int64(f))) // 2.0 acts like float(2), and no size depends on the sign of a zero
	}
	d, err := decimal.NewFromString(spelling)
	if g, _ := d.Float64(); err != nil || g != f || len(d.String()) > 40 {
		d = decimal.NewFromFloat(f)
	}
	n := realNode{op: OpConst, f: f, dec: d}
	if num, den, ok := dyadic(f); ok {
		n.num, n.den = p.Const(num), p.Const(den)
	}
	return p.internReal(n)
}

// dyadic returns the fraction that f, which is not 0, is, when its parts are small enough to calculate with.
func dyadic(f float64) (num, den int64, ok bool) {
	frac, exp := math.Frexp(f)
	m := int64(math.Ldexp(frac, 53))
	tz := bits.TrailingZeros64(uint64(m))
	m >>= tz
	exp += tz - 53
	if exp > 0 || exp < -20 || m > 1<<20 || m < -(1<<20) {
		return 0, 0, false
	}
	return m, 1 << -exp, true
}

// Const returns the value of a Real without symbols.
func (r Real) Const() (float64, bool) {
	if r.n == nil {
		return 0, false
	}
	switch r.n.op {
	case OpConst:
		return r.n.f, true
	case OpInt:
		if c, ok := r.n.e.Const(); ok {
			return float64(c), true
		}
	case OpDiv:
		x, ok1 := Real{r.n.x}.Const()
		y, ok2 := Real{r.n.y}.Const()
		if ok1 && ok2 && y != 0 {
			return x / y, true
		}
	}
	return 0, false
}

// Int returns the integer expression that r equals, if r is known to be an integer below 2^50 for all sizes.
func (r Real) Int() (*Expr, bool) {
	if r.n != nil && r.n.op == OpInt {
		return r.n.e, true
	}
	return nil, false
}

// Symbols returns the symbols of r in declaration order.
func (r Real) Symbols() []*Expr {
	var set symSet
	r.n.walk(set.addExpr)
	return set.exprs()
}

// RealAdd returns a + b.
func (p *Pool) RealAdd(a, b Real) Real { return p.realBinary(OpAdd, a, b) }

// RealSub returns a - b.
func (p *Pool) RealSub(a, b Real) Real { return p.realBinary(OpSub, a, b) }

// RealMul returns a * b.
func (p *Pool) RealMul(a, b Real) Real { return p.realBinary(OpMul, a, b) }

// RealDiv returns a / b. Division by the constant zero is the unknown number.
func (p *Pool) RealDiv(a, b Real) Real { return p.realBinary(OpDiv, a, b) }

// RealFloorDiv returns a // b, a float.
func (p *Pool) RealFloorDiv(a, b Real) Real { return p.realBinary(OpFDiv, a, b) }

// RealMod returns a % b, a float with the sign of b.
func (p *Pool) RealMod(a, b Real) Real { return p.realBinary(OpMod, a, b) }

// RealPow returns a ** b.
func (p *Pool) RealPow(a, b Real) Real { return p.realBinary(OpPow, a, b) }

// RealMin returns min(a, b).
func (p *Pool) RealMin(a, b Real) Real { return p.realBinary(OpMin, a, b) }

// RealMax returns max(a, b).
func (p *Pool) RealMax(a, b Real) Real { return p.realBinary(OpMax, a, b) }

// RealNeg returns -a.
func (p *Pool) RealNeg(a Real) Real { return p.realUnary(OpNeg, a) }

// NonNegative reports whether r is at least 0 for all values of its symbols within their bounds.
func (r Real) NonNegative() bool {
	if r.n == nil {
		return false
	}
	lo, _ := r.n.bounds()
	return lo >= 0
}

// RealSqrt returns math.sqrt(a).
func (p *Pool) RealSqrt(a Real) Real { return p.realUnary(OpSqrt, a) }

// realUnary applies an operation to a number; of a constant the result is computed at once, and
// an unknown number or a result that does not exist gives an unknown one.
func (p *Pool) realUnary(op RealOp, a Real) Real {
	if a.n == nil {
		return Real{}
	}
	if f, ok := a.Const(); ok {
		v, err := EvalReal(op, f, 0)
		if err != nil {
			return Real{}
		}
		return p.RealConst(v, "")
	}
	if op == OpSqrt && a.n.op == OpInt { // the rounded root of a rounded square is the number itself
		if r := p.squareRoot(a.n.e); r != nil {
			return p.RealFromInt(r)
		}
	}
	if op == OpNeg && a.n.den != nil {
		return p.fraction(p.Neg(a.n.num), a.n.den, p.internReal(realNode{op: op, x: a.n}))
	}
	return p.internReal(realNode{op: op, x: a.n})
}

// realBinary builds a real operation. Constants are computed at once in float64, as Python would. An operand
// that is an exact fraction of sizes gives an exact fraction again where the float that Python computes is sure
// to be the same, which the comments of the cases argue; elsewhere the operation stays as it is written, since
// reordering would round otherwise than the program.
func (p *Pool) realBinary(op RealOp, a, b Real) Real {
	if a.n == nil || b.n == nil {
		return Real{}
	}
	x, xok := a.Const()
	y, yok := b.Const()
	if yok && y == 0 && (op == OpDiv || op == OpFDiv || op == OpMod) {
		return Real{}
	}
	if xok && yok && !(op == OpDiv && a.n.op == OpInt && b.n.op == OpInt) {
		v, err := EvalReal(op, x, y)
		if err != nil {
			return Real{}
		}
		return p.RealConst(v, "")
	}
	r := p.internReal(realNode{op: op, x: a.n, y: b.n})
	if r.n == nil {
		return r
	}
	m, n := a.n, b.n
	if m.den == nil || n.den == nil {
		return r
	}
	// a is m.num/m.den, b is n.num/n.den.
	switch op {
	case OpAdd, OpSub:
		// Exact if both fractions are dyadic. With one that is not, a sum that is no multiple of 1/den stays clear of
		// it, and a sum that is has an exact rounded operand: 1/3 + 1/2 and 1/6 + 1/2 alike. Two that are not dyadic
		// may meet: unknown. A divisor with symbols makes the numerator of a sum large quickly; only constants are
		// added there.
		if !isDyadic(m.den) && !isDyadic(n.den) || len(m.den.terms) > 0 && !n.constant() || len(n.den.terms) > 0 && !m.constant() {
			return r
		}
		k := int64(1)
		if op == OpSub {
			k = -1
		}
		if m.den == n.den {
			return p.fraction(p.addScaled(m.num, n.num, k), m.den, r)
		}
		return p.fraction(p.addScaled(p.Mul(m.num, n.den), p.Mul(n.num, m.den), k), p.Mul(m.den, n.den), r)
	case OpMul:
		// Exact if both are dyadic; a rounded quotient may be scaled by a power of two only.
		if isDyadic(m.den) && isDyadic(n.den) || isPowerOfTwo(m) || isPowerOfTwo(n) {
			return p.fraction(p.Mul(m.num, n.num), p.Mul(m.den, n.den), r)
		}
	case OpDiv:
		// The quotient of two exact numbers is rounded once; dividing by a power of two is exact.
		if isPowerOfTwo(n) || isDyadic(m.den) && isDyadic(n.den) {
			return p.fraction(p.Mul(m.num, n.den), p.Mul(m.den, n.num), r)
		}
	case OpFDiv:
		// CPython computes x // y of floats from an exact fmod, so for integers it is the integers' x // y.
		if m.op == OpInt && n.op == OpInt {
			return p.RealFromInt(p.FloorDiv(m.e, n.e))
		}
	case OpMod:
		if m.op == OpInt && n.op == OpInt {
			return p.RealFromInt(p.Mod(m.e, n.e))
		}
	case OpPow:
		if k, ok := n.num.Const(); ok && n.op == OpInt && k >= 0 && k <= 8 && m.op == OpInt {
			return p.RealFromInt(p.Pow(m.e, int(k)))
		}
	case OpMin:
		if m.op == OpInt && n.op == OpInt {
			return p.RealFromInt(p.Min(m.e, n.e))
		}
	case OpMax:
		if m.op == OpInt && n.op == OpInt {
			return p.RealFromInt(p.Max(m.e, n.e))
		}
	}
	return r
}

// fraction returns the canonical node of num/den: float(num) for den = 1, else float(num) / float(den) in lowest
// terms, with plain as the way out when that is not possible. The canonical node is a quotient rounded once; it
// replaces nodes that are rounded more often only where folding is indifferent to it, see realNode.
func (p *Pool) fraction(num, den *Expr, plain Real) Real {
	if num == nil || den == nil || plain.n == nil {
		return plain
	}
	if d, ok := den.Const(); ok {
		if d == 0 {
			return plain
		}
		if d < 0 {
			if num, d = p.Neg(num), -d; num == nil {
				return plain
			}
		}
		g := gcd(gcd(num.content(), num.c), d)
		if g > 1 {
			num, d = p.divContent(num, g, num.c/g), d/g
		}
		if d > maxDenominator {
			return plain
		}
		den = p.Const(d)
		if d == 1 {
			return p.RealFromInt(num)
		}
		if d&(d-1) == 0 || plain.n.op == OpDiv && plain.n.x.op == OpInt && plain.n.y.op == OpInt {
			x, y := p.RealFromInt(num), p.RealFromInt(den)
			plain = p.internReal(realNode{op: OpDiv, x: x.n, y: y.n})
			if plain.n == nil {
				return plain
			}
			plain.n.num, plain.n.den = num, den
			if plain.n.loss = 1; isDyadic(den) {
				plain.n.loss = 0
			}
			return plain
		}
	} else if den.lo <= 0 && den.hi >= 0 {
		return plain
	}
	loss := int32(1)
	for _, x := range [...]*realNode{plain.n.x, plain.n.y} {
		if x != nil {
			loss += x.loss
		}
	}
	if loss <= maxLoss {
		plain.n.num, plain.n.den, plain.n.loss = num, den, loss
	}
	return plain
}

// constant reports whether the fraction of the node is a number.
func (n *realNode) constant() bool { return len(n.num.terms) == 0 && len(n.den.terms) == 0 }

func isDyadic(den *Expr) bool {
	d, ok := den.Const()
	return ok && d > 0 && d&(d-1) == 0
}

// isPowerOfTwo reports whether the node is a constant ± 2^k.
func isPowerOfTwo(n *realNode) bool {
	num, ok := n.num.Const()
	if !ok || !isDyadic(n.den) || num == 0 {
		return false
	}
	u := absU(num)
	return u&(u-1) == 0
}
