package inference

// This file follows elements of floating point tensors: scales of images, and sizes
// on their way through a division. Constants are computed as runtimes do. With sizes,
// binary64 computes what symshape.Real stands for; in binary32 an element is the
// rounded value of a fraction, as long as that says what floor, ceil and conversions
// to integers give. Anything else has no form, but the same computation gives the
// same result: it is a number of its own.

import (
	"math"

	"shapecheck/onnx"
	"shapecheck/symshape"
)

// A real is what is known of a float. The zero real is not known.
type real struct {
	kind realKind
	// x is the value of a constant.
	x float64
	// wide is the value of a binary64 number.
	wide symshape.Real
	// num/den rounds to the value of a binary32 number; den is positive. It is the
	// value itself when den is a power of two.
	num, den expr
	// id tells numbers of their own apart; positive says that they are not negative.
	id       int
	positive bool
}

type realKind uint8

const (
	noReal    realKind = iota
	constReal          // x
	wideReal           // wide
	fracReal           // num/den
	ownReal            // id
)

func number(x float64) real { return real{kind: constReal, x: x} }

// constFloats gives the values when all are constants.
func constFloats(list []real) ([]float64, bool) {
	if list == nil {
		return nil, false
	}
	out := make([]float64, len(list))
	for i, r := range list {
		if r.kind != constReal {
			return nil, false
		}
		out[i] = r.x
	}
	return out, true
}

// fraction makes a binary32 number of num/den in lowest terms; not known when the
// rounded value says too little.
//
// A quotient that is no integer is at least 1/den away from the next one, and
// rounding moves it by at most num/den · 2^-24: with num < 2^24 it does not get there.
func (e *engine) fraction(num, den expr) real {
	if num == nil || den == nil || low(den) < 1 {
		return real{}
	}
	p := e.pool
	if divides(p, den, num) {
		num, den = p.FloorDiv(num, den), p.Const(1)
	}
	if d, ok := den.Const(); ok {
		for _, prime := range [...]int64{2, 3, 5, 7} {
			k := p.Const(prime)
			for d%prime == 0 && divides(p, k, num) {
				num, d = p.FloorDiv(num, k), d/prime
			}
		}
		den = p.Const(d)
	}
	if !exact(num) || !exact(den) {
		return real{}
	}
	n, isConst := num.Const()
	d, isConst2 := den.Const()
	if isConst && isConst2 {
		return number(float64(float32(float64(n) / float64(d))))
	}
	return real{kind: fracReal, num: num, den: den}
}

// divides reports whether x is a multiple of d for all sizes.
func divides(p *symshape.Pool, d, x expr) bool {
	rest := p.Mod(x, d)
	return rest != nil && rest.IsConst(0)
}

// dyadic reports whether the value is the fraction itself.
func (r real) dyadic() bool {
	d, ok := r.den.Const()
	return ok && d&(d-1) == 0
}

// asFraction writes a constant as a fraction with a small power of two below.
func (e *engine) asFraction(r real) real {
	if r.kind != constReal {
		return r
	}
	const most = 1 << 10
	for d := int64(1); d <= most; d *= 2 {
		if n := r.x * float64(d); n == math.Trunc(n) && math.Abs(n) <= exactBelow {
			return real{kind: fracReal, num: e.pool.Const(int64(n)), den: e.pool.Const(d)}
		}
	}
	return real{}
}

// asWide writes a constant as a binary64 number.
func (e *engine) asWide(r real) symshape.Real {
	switch r.kind {
	case constReal:
		return e.pool.RealConst(r.x, "")
	case wideReal:
		return r.wide
	}
	return symshape.Real{}
}

func wide(r symshape.Real) real {
	if x, ok := r.Const(); ok {
		return number(x)
	}
	if !r.Known() {
		return real{}
	}
	return real{kind: wideReal, wide: r}
}

// notNegative reports whether a number is at least 0.
func (e *engine) notNegative(r real) bool {
	switch r.kind {
	case constReal:
		return r.x >= 0
	case wideReal:
		n := e.pool.FloorReal(r.wide)
		return n != nil && low(n) >= 0
	case fracReal:
		return low(r.num) >= 0
	}
	return r.positive
}

// An ownKey says how a number of its own is computed.
type ownKey struct {
	how  string
	d    onnx.DType
	a, b real
}

// freshReal gives a number that has no form: the same one for the same computation.
func (e *engine) freshReal(how string, d onnx.DType, a, b real, positive bool) real {
	if a.kind == noReal || b.kind == noReal {
		return real{}
	}
	k := ownKey{how, d, a, b}
	id, ok := e.owns[k]
	if !ok {
		id = len(e.owns) + 1
		e.owns[k] = id
	}
	return real{kind: ownReal, id: id, positive: positive}
}

// freshInteger gives the integer that a number of its own is rounded to: a symbol, at least
// 0. Nothing is known of negative ones.
func (e *engine) freshInteger(how string, d onnx.DType, r real) expr {
	if !e.notNegative(r) {
		return nil
	}
	k := ownKey{how: how, d: d, a: r}
	if e.wholes[k] == nil {
		e.wholes[k] = e.fresh()
	}
	return e.wholes[k]
}

var floatOps = map[string]func(x, y float64) float64{
	"add": func(x, y float64) float64 { return x + y }, "sub": func(x, y float64) float64 { return x - y },
	"mul": func(x, y float64) float64 { return x * y }, "div": func(x, y float64) float64 { return x / y },
	"max": func(x, y float64) float64 { return max(x, y) }, "min": func(x, y float64) float64 { return min(x, y) },
}

// combineReals applies an operator to two floats of one type.
func (e *engine) combineReals(how string, d onnx.DType, a, b real) real {
	f := floatOps[how]
	if f == nil || a.kind == noReal || b.kind == noReal || !isFloat(d) {
		return real{}
	}
	if a.kind == constReal && b.kind == constReal {
		return number(rounded(d, f(a.x, b.x)))
	}
	p := e.pool
	if d == onnx.Double {
		x, y := e.asWide(a), e.asWide(b)
		r := map[string]func(a, b symshape.Real) symshape.Real{"add": p.RealAdd, "sub": p.RealSub, "mul": p.RealMul, "div": p.RealDiv,
			"max": p.RealMax, "min": p.RealMin}[how]
		if out := wide(r(x, y)); out.kind != noReal {
			return out
		}
	} else if x, y := e.asFraction(a), e.asFraction(b); x.kind == fracReal && y.kind == fracReal {
		if out := e.combineFractions(how, x, y); out.kind != noReal {
			return out
		}
	}
	return e.freshReal(how, d, a, b, how != "sub" && e.notNegative(a) && e.notNegative(b))
}

// combineFractions computes with binary32 numbers that are fractions: exact ones, or
// a rounded one and a power of two.
func (e *engine) combineFractions(how string, a, b real) real {
	p := e.pool
	if !a.dyadic() || !b.dyadic() {
		if how != "mul" && how != "div" || !powerOfTwo(b) && (how == "div" || !powerOfTwo(a)) {
			return real{}
		}
	}
	left, right := p.Mul(a.num, b.den), p.Mul(b.num, a.den)
	if left == nil || right == nil {
		return real{}
	}
	den := p.Mul(a.den, b.den)
	switch how {
	case "add":
		return e.fraction(p.Add(left, right), den)
	case "sub":
		return e.fraction(p.Sub(left, right), den)
	case "max":
		return e.fraction(p.Max(left, right), den)
	case "min":
		return e.fraction(p.Min(left, right), den)
	case "mul":
		return e.fraction(p.Mul(a.num, b.num), den)
	}
	if _, high := right.Bounds(); high < 0 {
		left, right = p.Neg(left), p.Neg(right)
	}
	if k := p.FloorDiv(right, left); left != nil && low(left) >= 1 && low(right) >= 1 && divides(p, left, right) { // 1/k
		return e.fraction(p.Const(1), k)
	}
	return e.fraction(left, right)
}

// powerOfTwo reports whether an exact fraction is a constant power of two.
func powerOfTwo(r real) bool {
	n, ok := r.num.Const()
	return ok && n > 0 && n&(n-1) == 0 && r.dyadic()
}

var floatFunctions = map[string]func(float64) float64{
	"abs": math.Abs, "neg": func(x float64) float64 { return -x }, "ceil": math.Ceil, "floor": math.Floor, "round": math.RoundToEven,
	"sqrt": math.Sqrt, "reciprocal": func(x float64) float64 { return 1 / x }, "relu": func(x float64) float64 { return max(x, 0) },
}

// applyReal applies a function of one float.
func (e *engine) applyReal(how string, d onnx.DType, a real) real {
	f := floatFunctions[how]
	if f == nil || a.kind == noReal || !isFloat(d) {
		return real{}
	}
	if a.kind == constReal {
		return number(rounded(d, f(a.x)))
	}
	switch how {
	case "neg":
		return e.combineReals("sub", d, number(0), a)
	case "reciprocal":
		return e.combineReals("div", d, number(1), a)
	case "relu", "abs":
		if e.notNegative(a) {
			return a
		}
		if how == "relu" {
			return e.combineReals("max", d, a, number(0))
		}
	case "floor", "ceil", "round":
		n := e.roundReal(how, d, a)
		if d == onnx.Double {
			return wide(e.pool.RealFromInt(n))
		}
		if n != nil {
			return e.fraction(n, e.pool.Const(1))
		}
	case "sqrt":
		if d == onnx.Double {
			return wide(e.pool.RealSqrt(e.asWide(a)))
		}
	}
	return e.freshReal(how, d, a, a, how != "sqrt" && e.notNegative(a))
}

// roundReal gives the integer to which floor, ceil, round (half to even) or trunc
// takes a float; nil when it is not known.
func (e *engine) roundReal(how string, d onnx.DType, a real) expr {
	p := e.pool
	switch a.kind {
	case wideReal:
		return map[string]func(symshape.Real) *symshape.Expr{"floor": p.FloorReal, "ceil": p.CeilReal, "round": p.RoundReal,
			"trunc": p.TruncReal}[how](a.wide)
	case fracReal:
		switch {
		case a.den.IsConst(1):
			return a.num
		case how == "floor", how == "trunc" && low(a.num) >= 0:
			return p.FloorDiv(a.num, a.den)
		case how == "ceil":
			return p.CeilDiv(a.num, a.den)
		case a.dyadic():
			r := p.RealDiv(p.RealFromInt(a.num), p.RealFromInt(a.den))
			if how == "round" {
				return p.RoundReal(r)
			}
			return p.TruncReal(r)
		}
		return e.freshInteger(how, d, a)
	case ownReal:
		return e.freshInteger(how, d, a)
	}
	return nil
}

// realOf converts an integer to a float.
func (e *engine) realOf(d onnx.DType, x expr) real {
	if x == nil || !isFloat(d) {
		return real{}
	}
	if n, ok := x.Const(); ok {
		if f := rounded(d, float64(n)); int64(f) == n {
			return number(f)
		}
		return real{}
	}
	if d == onnx.Double {
		return wide(e.pool.RealFromInt(x))
	}
	if exact(x) {
		return real{kind: fracReal, num: x, den: e.pool.Const(1)}
	}
	w := real{kind: wideReal, wide: e.pool.RealFromInt(x)}
	return e.freshReal("cast", d, w, w, low(x) >= 0)
}

// convertReal converts a float to another type of floats.
func (e *engine) convertReal(from, to onnx.DType, a real) real {
	switch {
	case a.kind == noReal || !isFloat(from) || !isFloat(to):
		return real{}
	case a.kind == constReal:
		return number(rounded(to, a.x))
	case from == to:
		return a
	case a.kind == fracReal && a.dyadic(): // to binary64
		return wide(e.pool.RealDiv(e.pool.RealFromInt(a.num), e.pool.RealFromInt(a.den)))
	case a.kind == wideReal:
		for d := int64(1); d <= 1<<10; d *= 2 { // a fraction with a small power of two below
			if n, ok := e.pool.RealMul(a.wide, e.pool.RealConst(float64(d), "")).Int(); ok && exact(n) {
				return e.fraction(n, e.pool.Const(d))
			}
		}
	}
	return e.freshReal("cast", to, a, a, e.notNegative(a))
}
