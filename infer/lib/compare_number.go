package lib

// This file compares numbers, concrete and symbolic. Numbers of all kinds compare by their exact
// value: an int is never rounded to a float for it. With symbols the answer is a condition,
// together with what the example says; a comparison of floats with tensors' data is a node of the
// typed graph.

import (
	"math"
	"math/big"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// compareNumbers compares concrete real numbers exactly; nan reports an
// unordered pair. c is -1, 0 or 1. Both must be real numbers that are known.
func compareNumbers(a, b value.Value) (c int, nan bool) {
	if x, ok := smallInt(a); ok {
		if y, ok := smallInt(b); ok {
			switch {
			case x < y:
				return -1, false
			case x > y:
				return 1, false
			}
			return 0, false
		}
	}
	fa, aFloat := a.(value.Float)
	fb, bFloat := b.(value.Float)
	if aFloat && bFloat {
		switch {
		case fa < fb:
			return -1, false
		case fa > fb:
			return 1, false
		}
		return 0, fa != fb
	}
	if !aFloat && !bFloat {
		x, _ := bigInt(a)
		y, _ := bigInt(b)
		return x.Cmp(y), false
	}
	if bFloat {
		c, nan = compareIntFloat(a, float64(fb))
		return c, nan
	}
	c, nan = compareIntFloat(b, float64(fa))
	return -c, nan
}

// The int goes first. A float is converted to an exact big.Float.
func compareIntFloat(a value.Value, f float64) (int, bool) {
	switch {
	case math.IsNaN(f):
		return 0, true
	case math.IsInf(f, 1):
		return -1, false
	case math.IsInf(f, -1):
		return 1, false
	}
	x, _ := bigInt(a)
	return new(big.Float).SetPrec(0).SetInt(x).Cmp(big.NewFloat(f)), false
}

// c is the order of the operands; equality is what is left.
func decideOrder(op ast.CmpOperator, c int) bool {
	switch op {
	case ast.Lt:
		return c < 0
	case ast.LtE:
		return c <= 0
	case ast.Gt:
		return c > 0
	case ast.GtE:
		return c >= 0
	case ast.NotEq:
		return c != 0
	}
	return c == 0
}

// compareReal compares real numbers; ok is false when one is none. The result is a Bool, or a
// SymBool whose condition may be missing.
func (w *World) compareReal(th value.Thread, op ast.CmpOperator, a, b value.Value) (value.Value, bool) {
	ka, kb := kindOf(a), kindOf(b)
	if ka == notNumber || kb == notNumber || ka == complexKind || kb == complexKind {
		return nil, false
	}
	// A symbolic bool is a symbolic int here.
	symbolic := func(k numKind) bool { return k == symIntKind || k == symFloatKind }
	if !symbolic(ka) && !symbolic(kb) {
		c, nan := compareNumbers(a, b)
		if nan {
			return value.Bool(op == ast.NotEq), true
		}
		return value.Bool(decideOrder(op, c)), true
	}
	if ta, ok := truthValue(a); ok && (op == ast.Eq || op == ast.NotEq) {
		// Conditions are joined as such, since their numbers would lose them.
		if tb, ok := truthValue(b); ok { // a == b of truth values is "not xor"
			same := w.orBool(th, w.andBool(th, ta, tb), w.andBool(th, w.notBool(th, ta), w.notBool(th, tb)))
			if op == ast.NotEq {
				same = w.notBool(th, same)
			}
			return same, true
		}
	}
	// Either operand may be the extreme one.
	if v, ok := w.compareExtreme(op, a, b, 1); ok {
		return v, true
	}
	if v, ok := w.compareExtreme(op, b, a, -1); ok {
		return v, true
	}
	if ka <= symIntKind && kb <= symIntKind {
		x, _ := intDim(th, a)
		y, _ := intDim(th, b)
		return w.compareDims(th, op, x, y), true
	}
	return w.compareReals(th, op, a, b), true
}

// compareExtreme compares a symbolic number with one that is greater or less
// than all sizes: an infinity or an int beyond 64 bits. sign is -1 when the
// operands are swapped. A NaN compares as unequal to everything.
func (w *World) compareExtreme(op ast.CmpOperator, a, b value.Value, sign int) (value.Value, bool) {
	if s, ok := a.(*value.SymInt); !ok || s.D.Unknown() {
		return nil, false
	}
	c := 0
	switch y := b.(type) {
	case *value.BigInt:
		c = -y.V.Sign()
	case value.Float:
		switch {
		case math.IsInf(float64(y), 0):
			c = 1
			if y > 0 {
				c = -1
			}
		case math.IsNaN(float64(y)):
			return value.Bool(op == ast.NotEq), true
		}
	}
	if c == 0 {
		return nil, false
	}
	return value.Bool(decideOrder(op, c*sign)), true
}

// sizeConditions are the conditions on two sizes, by the operator that compares them. Each gives a
// condition that may be decided at once.
var sizeConditions = [...]func(*symshape.Pool, *symshape.Expr, *symshape.Expr) *symshape.Cond{
	ast.Eq: (*symshape.Pool).Eq, ast.NotEq: (*symshape.Pool).Ne, ast.Lt: (*symshape.Pool).Lt, ast.LtE: (*symshape.Pool).Le,
	ast.Gt: (*symshape.Pool).Gt, ast.GtE: (*symshape.Pool).Ge,
}

// Without expressions on both sides the condition is missing, and only the example tells.
func (w *World) compareDims(th value.Thread, op ast.CmpOperator, x, y symshape.Dim) value.Value {
	var c *symshape.Cond
	if x.Expr != nil && y.Expr != nil {
		c = sizeConditions[op](th.Pool(), x.Expr, y.Expr)
	}
	known := x.Known && y.Known
	if known && x.Expr == nil && y.Expr == nil {
		// Neither has an expression: the values are all there is.
		return value.Bool(decideOrder(op, int(sign64(x.Val, y.Val))))
	}
	return w.condBool(th, c, known && decideOrder(op, int(sign64(x.Val, y.Val))), known)
}

// -1, 0 or 1.
func sign64(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// compareReals compares through the sign of the difference, which binary64 gives
// exactly: a < b is floor(a - b) < 0, a > b is ceil(a - b) > 0. The condition is on integers, to
// which both roundings lead, as symshape has no conditions on reals.
func (w *World) compareReals(th value.Thread, op ast.CmpOperator, a, b value.Value) value.Value {
	if order, ok := nearOrder(a, b); ok {
		return value.Bool(decideOrder(op, order))
	}
	p := th.Pool()
	x, xv, xk, _ := realOf(th, a)
	y, yv, yk, _ := realOf(th, b)
	var c *symshape.Cond
	if d := p.RealSub(x, y); d.Known() {
		zero := p.Const(0)
		floor, ceil := p.FloorReal(d), p.CeilReal(d)
		if floor != nil && ceil != nil {
			switch op {
			case ast.Lt:
				c = p.Lt(floor, zero)
			case ast.GtE:
				c = p.Ge(floor, zero)
			case ast.Gt:
				c = p.Gt(ceil, zero)
			case ast.LtE:
				c = p.Le(ceil, zero)
			case ast.Eq:
				c = p.And(p.Eq(floor, zero), p.Eq(ceil, zero))
			case ast.NotEq:
				c = p.Not(p.And(p.Eq(floor, zero), p.Eq(ceil, zero)))
			}
		}
	}
	known := xk && yk
	order := 0
	switch {
	case xv < yv:
		order = -1
	case xv > yv:
		order = 1
	}
	// A test in the graph is better than a bool of which nothing is known.
	if c == nil {
		if src := floatNode(th, floatTests[op], a, b, dtype.Bool); src != nil {
			t := th.DataBool(src)
			t.Val, t.Known = known && decideOrder(op, order), known
			return t
		}
	}
	return w.condBool(th, c, known && decideOrder(op, order), known)
}

// nearOrder compares numbers of which one is known but for its last digits; false where those
// decide. The intervals of both must not overlap.
func nearOrder(a, b value.Value) (order int, ok bool) {
	ends := func(v value.Value) (least, most float64, ok bool) {
		if f, isSym := v.(*value.SymFloat); isSym {
			least, most = f.Within()
			return least, most, f.Near
		}
		f, ok := value.AsFloat(v)
		return f, f, ok
	}
	x0, x1, ok1 := ends(a)
	y0, y1, ok2 := ends(b)
	switch {
	case !ok1 || !ok2:
		return 0, false
	case x1 < y0:
		return -1, true
	case x0 > y1:
		return 1, true
	}
	return 0, false
}
