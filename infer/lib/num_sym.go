package lib

// This file computes with symbolic ints and floats. Both halves of a size are
// carried: the expression and the value under the example sizes. A result without an expression
// keeps at least its example value, marked as lost with a cause that a report can show. A condition
// that an operation needs (a divisor that is not 0) becomes part of the contract by Require, which
// also decides it where it can. Faults that the example alone would have are not raised, since they
// say nothing about other sizes.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// boolInt is the int that a truth value is: an expression, and of long conditions a 0/1 symbol, which an If
// of the typed graph makes.
func boolInt(th value.Thread, b *value.SymBool) *value.SymInt {
	truth := th.Facts().Truth(th.Pool(), b.Cond)
	d := symshape.MakeDim(truth)
	if truth == nil {
		d = symshape.MakeDim(th.Pool().FreshIn("b", 0, 1))
	}
	// The example decides which of the two it is.
	if b.Known {
		d.Known, d.Val = true, 0
		if b.Val {
			d.Val = 1
		}
	}
	// The truth has no expression and no source yet, so an If makes the number.
	if truth == nil && b.Source == nil && b.Cond != nil {
		way := func(n int64) *graph.Region { return &graph.Region{Results: []graph.Operand{graph.Int(n)}} }
		th.Graph().Emit(&graph.Node{Op: graph.If, Args: []graph.Arg{{Name: "cond", Value: graph.Cond{Cond: b.Cond}}},
			Regions: []*graph.Region{way(1), way(0)},
			Outputs: []*graph.Value{th.Graph().Scalar(d.Expr, th.Here())}, At: th.Here(), Module: th.ModulePath()})
	}
	return &value.SymInt{D: d, Source: b.Source}
}

// intDim returns the dimension of an int that fits 64 bits or is symbolic. A BigInt gives the zero
// Dim, of which nothing is known; the second result is false for values that are no ints.
func intDim(th value.Thread, v value.Value) (symshape.Dim, bool) {
	switch v := v.(type) {
	case *value.SymInt:
		return v.D, true
	case *value.SymBool:
		return boolInt(th, v).D, true
	case *value.BigInt:
		return symshape.Dim{}, true
	}
	n, ok := smallInt(v)
	if !ok {
		return symshape.Dim{}, false
	}
	return th.Pool().ConstDim(n), true
}

// realOf returns the symbolic form of a number and its value. The symbolic form is the zero Real
// where there is none; ok is false for what is no real number.
func realOf(th value.Thread, v value.Value) (r symshape.Real, val float64, known, ok bool) {
	p := th.Pool()
	switch v := v.(type) {
	case value.Float:
		return p.RealConst(float64(v), ""), float64(v), true, true
	case *value.SymFloat:
		return v.R, v.Val, v.Known, true
	case *value.BigInt:
		f, _ := value.AsFloat(v)
		return symshape.Real{}, f, true, true
	}
	d, ok := intDim(th, v)
	if !ok {
		return symshape.Real{}, 0, false, false
	}
	return p.RealFromInt(d.Expr), float64(d.Val), d.Known, true
}

// symFloat makes a float; a constant form gives a Float. A NaN in the example is taken for not
// known.
func symFloat(r symshape.Real, val float64, known bool) value.Value {
	if f, ok := r.Const(); ok {
		return value.Float(f)
	}
	if known && math.IsNaN(val) {
		known = false
	}
	return &value.SymFloat{R: r, Val: val, Known: known}
}

// nonzero makes sure that a divisor is not zero: a condition of the contract
// where that depends on sizes. It reports false when the divisor is zero. A divisor of which
// nothing is known counts as not zero.
func nonzero(th value.Thread, d symshape.Dim) bool {
	if d.Expr == nil {
		return !d.Known || d.Val != 0
	}
	p := th.Pool()
	// Its bounds suffice.
	if lo, hi := d.Expr.Bounds(); lo > 0 || hi < 0 {
		return true
	}
	return th.Require(p.Ne(d.Expr, p.Const(0)), "division by zero") != symshape.No
}

// symIntBinary is a op b for ints of which one is symbolic. The last two results are those of
// World.binary: ok is false for operators that ints lack.
func (w *World) symIntBinary(th value.Thread, op ast.BinOperator, a, b value.Value) (value.Value, bool, error) {
	v, ok, err := w.exactIntBinary(th, op, a, b)
	if n, isInt := v.(*value.SymInt); isInt && n.Lost() && n.Cause == nil {
		n.Cause = lostSize(th, op, a, b)
	}
	return v, ok, err
}

// lostSize says why the result of an operation on two ints is not known. The cause of an operand
// that is lost already goes before; then it is the operation itself.
func lostSize(th value.Thread, op ast.BinOperator, a, b value.Value) *value.Cause {
	for _, v := range [...]value.Value{a, b} {
		if n, ok := value.Plain(v).(*value.SymInt); ok && n.D.Expr == nil {
			return n.Cause
		}
	}
	reason := "the expression of a size is too large: its numbers, its exponents or the number of its terms"
	switch op {
	case ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor:
		reason = "no expression of sizes is made for this operation on bits"
	case ast.Pow:
		if _, ok := value.Plain(b).(*value.SymInt); ok {
			reason = "no expression of sizes is made for an exponent that is a size"
		}
	}
	return &value.Cause{At: th.Here(), Reason: reason}
}

// exactIntBinary computes with sizes: the result is an expression wherever symshape has one, with the example's
// value beside it. A divisor that may be 0 makes it a condition that it is not. An error is a
// ZeroDivisionError, or a ValueError for a negative shift.
func (w *World) exactIntBinary(th value.Thread, op ast.BinOperator, a, b value.Value) (value.Value, bool, error) {
	p := th.Pool()
	x, _ := intDim(th, a)
	y, _ := intDim(th, b)
	switch op {
	case ast.Add:
		return value.FromDim(p.DimAdd(x, y)), true, nil
	case ast.Sub:
		return value.FromDim(p.DimSub(x, y)), true, nil
	case ast.Mult:
		return value.FromDim(p.DimMul(x, y)), true, nil
	case ast.FloorDiv:
		if !nonzero(th, y) {
			return nil, true, th.Raise("ZeroDivisionError", "integer division or modulo by zero")
		}
		return value.FromDim(p.DimFloorDiv(x, y)), true, nil
	case ast.Mod:
		if !nonzero(th, y) {
			return nil, true, th.Raise("ZeroDivisionError", "integer modulo by zero")
		}
		return value.FromDim(p.DimMod(x, y)), true, nil
	case ast.Div:
		if !nonzero(th, y) {
			return nil, true, th.Raise("ZeroDivisionError", "division by zero")
		}
		// The quotient is a real number with an expression of its own; the example may be exact
		// where a float would round.
		r := p.RealDiv(p.RealFromInt(x.Expr), p.RealFromInt(y.Expr))
		if x.Known && y.Known && y.Val != 0 {
			return symFloat(r, intDiv(x.Val, y.Val), true), true, nil
		}
		return symFloat(r, 0, false), true, nil
	case ast.Pow:
		return w.symPow(th, a, b, x, y)
	}
	e, ok := symBits(p, op, x, y)
	if !ok {
		return nil, false, nil
	}
	d := symshape.MakeDim(e)
	// The example is computed even if there is no expression.
	if x.Known && y.Known && !d.Known {
		if v, ok, err := w.intBinary(th, op, x.Val, y.Val); ok && err == nil {
			if n, ok := v.(value.Int); ok {
				d.Val, d.Known = int64(n), true
			}
		}
	}
	// A shift by a negative constant fails for all sizes.
	if n, ok := y.Const(); ok && n < 0 && (op == ast.LShift || op == ast.RShift) {
		return nil, true, th.Raise("ValueError", "negative shift count")
	}
	return value.FromDim(d), true, nil
}

// symBits gives the expression of a shift or bit operation where it is an
// arithmetic one: x << k is x·2^k, x >> k is x // 2^k, x & (2^k - 1) is x % 2^k
// and x & -2^k is x - x % 2^k, for all x. ok is false for other operators. e is nil where no
// expression exists.
func symBits(p *symshape.Pool, op ast.BinOperator, x, y symshape.Dim) (e *symshape.Expr, ok bool) {
	k, isConst := y.Const()
	switch op {
	case ast.LShift:
		// Below 62 the power fits an int64 with room for products.
		if isConst && k >= 0 && k < 62 {
			e = p.Mul(x.Expr, p.Const(1<<k))
		}
		return e, true
	case ast.RShift:
		if isConst && k >= 0 && k < 62 {
			e = p.FloorDiv(x.Expr, p.Const(1<<k))
		}
		return e, true
	case ast.BitAnd:
		// The constant may stand on either side.
		if n, ok := x.Const(); ok && !isConst {
			x, k, isConst = y, n, true
		}
		switch {
		case !isConst || x.Expr == nil:
		case k >= 0 && k < 1<<62 && k&(k+1) == 0:
			e = p.Mod(x.Expr, p.Const(k+1))
		case k < 0 && k > math.MinInt64 && -k&(-k-1) == 0:
			e = p.Sub(x.Expr, p.Mod(x.Expr, p.Const(-k)))
		}
		return e, true
	case ast.BitOr, ast.BitXor:
		if n, ok := x.Const(); ok && n == 0 {
			return y.Expr, true
		}
		if isConst && k == 0 {
			return x.Expr, true
		}
		return nil, true
	}
	return nil, false
}

// An exponent that may be negative makes a float of an int, so the type would not be known. A
// constant negative one is a power of floats.
func (w *World) symPow(th value.Thread, a, b value.Value, x, y symshape.Dim) (value.Value, bool, error) {
	p := th.Pool()
	n, isConst := y.Const()
	if !isConst {
		// The type of the result depends on the exponent's sign.
		if y.Expr != nil {
			if lo, _ := y.Expr.Bounds(); lo < 0 {
				return th.Unknown("the sign of an exponent is not known"), true, nil
			}
		} else if exponent, ok := value.Plain(b).(*value.SymInt); !y.Known && !(ok && exponent.NotNegative) {
			return th.Unknown("the sign of an exponent is not known"), true, nil
		}
	}
	if isConst && n < 0 || y.Expr == nil && y.Val < 0 {
		return w.symFloatBinary(th, ast.Pow, a, b)
	}
	var d symshape.Dim
	// Larger exponents give no expression.
	if isConst && x.Expr != nil && n <= math.MaxInt32 {
		d = symshape.MakeDim(p.Pow(x.Expr, int(n)))
	}
	// The expression may be too large, but the example is small.
	if x.Known && y.Known && !d.Known {
		if v, ok, err := w.intBinary(th, ast.Pow, x.Val, y.Val); ok && err == nil {
			if n, ok := v.(value.Int); ok {
				d.Val, d.Known = int64(n), true
			}
		}
	}
	return value.FromDim(d), true, nil
}

// realOperations compute with symbolic real numbers, by operator; others have none. By their place
// in the table; shifts and bit operations are missing.
var realOperations = [ast.FloorDiv + 1]func(*symshape.Pool, symshape.Real, symshape.Real) symshape.Real{
	ast.Add: (*symshape.Pool).RealAdd, ast.Sub: (*symshape.Pool).RealSub, ast.Mult: (*symshape.Pool).RealMul,
	ast.Div:      (*symshape.Pool).RealDiv,
	ast.FloorDiv: (*symshape.Pool).RealFloorDiv, ast.Mod: (*symshape.Pool).RealMod, ast.Pow: (*symshape.Pool).RealPow,
}

// symFloatBinary is a op b for real numbers of which one is symbolic. The result is a float. ok is
// false for operands that are no real numbers and for operators that floats lack. A divisor of 0
// raises, if it is 0 for all sizes.
func (w *World) symFloatBinary(th value.Thread, op ast.BinOperator, a, b value.Value) (value.Value, bool, error) {
	p := th.Pool()
	// Numbers that are nearly known need no expression.
	if v := nearBinary(op, a, b); v != nil {
		return v, true, nil
	}
	x, xv, xk, ok1 := realOf(th, a)
	y, yv, yk, ok2 := realOf(th, b)
	if !ok1 || !ok2 {
		return nil, false, nil
	}
	f := realOperations[op]
	if f == nil {
		return nil, false, nil
	}
	if op == ast.Div || op == ast.FloorDiv || op == ast.Mod {
		zero := false
		if c, ok := y.Const(); ok {
			// An integer divisor is a condition on sizes.
			zero = c == 0
		} else if e, ok := y.Int(); ok {
			zero = !nonzero(th, symshape.Dim{Expr: e, Val: int64(yv), Known: yk})
		} else if c, ok := b.(value.Float); ok {
			zero = c == 0
		} else if !y.Known() && yk {
			zero = yv == 0
		}
		if zero {
			// It gives the ZeroDivisionError with CPython's text.
			_, _, err := w.floatBinary(th, op, 1, 0)
			return nil, true, err
		}
		// The example divides by zero, though not all sizes do; the example's result is then not
		// known.
		if yk && yv == 0 {
			yk = false
		}
	}
	var val float64
	known := false
	if xk && yk {
		// A fault by the example values alone is not one of all sizes.
		if v, ok, err := w.floatBinary(th, op, xv, yv); ok && err == nil {
			if c, ok := v.(value.Float); ok {
				val, known = float64(c), true
			} else {
				return th.Unknown("a power of a negative number is complex"), true, nil
			}
		}
	}
	r := f(p, x, y)
	// A float that the typed graph computes from data has a node as its source.
	if src := floatNode(th, floatOps[op], a, b, dtype.F64); src != nil && !r.Known() {
		return &value.SymFloat{R: r, Val: val, Known: known, Source: src}, true, nil
	}
	return symFloat(r, val, known), true, nil
}

// nearBinary is a op b where one is known but for its last digits, and the other is, too, or
// wholly; or nil. Near says that the value is known but for its last digits.
func nearBinary(op ast.BinOperator, a, b value.Value) value.Value {
	near := false
	read := func(v value.Value) (float64, bool) {
		if f, ok := v.(*value.SymFloat); ok {
			near = near || f.Near
			return f.Val, f.Near
		}
		return value.AsFloat(v)
	}
	x, ok1 := read(a)
	y, ok2 := read(b)
	if !ok1 || !ok2 || !near {
		return nil
	}
	switch op {
	case ast.Add:
		x += y
	case ast.Sub:
		x -= y
	case ast.Mult:
		x *= y
	case ast.Div:
		// Division by zero is decided elsewhere.
		if y == 0 {
			return nil
		}
		x /= y
	default:
		return nil
	}
	// Such a result is not near anything.
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &value.SymFloat{Val: x, Near: true}
}

// symUnary is op v for a symbolic number. The second result is false for operators that floats lack
// (~).
func (w *World) symUnary(th value.Thread, op ast.UnaryOperator, v value.Value) (value.Value, bool) {
	p := th.Pool()
	if f, ok := v.(*value.SymFloat); ok {
		switch op {
		case ast.USub:
			if f.Near {
				return &value.SymFloat{Val: -f.Val, Near: true}, true
			}
			return symFloat(p.RealNeg(f.R), -f.Val, f.Known), true
		case ast.UAdd:
			return f, true
		}
		return nil, false
	}
	d, ok := intDim(th, v)
	if !ok {
		return nil, false
	}
	switch op {
	case ast.USub:
		d = p.DimNeg(d)
	case ast.Invert:
		// ~x is -1 - x.
		d = p.DimSub(p.ConstDim(-1), d)
	case ast.UAdd:
		if s, ok := v.(*value.SymInt); ok {
			return s, true
		}
	}
	return value.FromDim(d), true
}

// andBool, orBool and notBool combine truth values that are Bool or SymBool. The example of a
// condition is true unless it is known to be false; a result is known if both are, or one is false.
func (w *World) andBool(th value.Thread, a, b value.Value) value.Value {
	if x, ok := a.(value.Bool); ok {
		if x {
			return b
		}
		return a
	}
	if y, ok := b.(value.Bool); ok {
		if y {
			return a
		}
		return b
	}
	x, y := a.(*value.SymBool), b.(*value.SymBool)
	val := (x.Val || !x.Known) && (y.Val || !y.Known)
	return w.condBool(th, th.Pool().And(x.Cond, y.Cond), val, x.Known && y.Known || !val)
}

// By De Morgan's law.
func (w *World) orBool(th value.Thread, a, b value.Value) value.Value {
	return w.notBool(th, w.andBool(th, w.notBool(th, a), w.notBool(th, b)))
}

// Other values, such as unknown ones, come back unchanged.
func (w *World) notBool(th value.Thread, a value.Value) value.Value {
	switch x := a.(type) {
	case value.Bool:
		return !x
	case *value.SymBool:
		n := *x
		n.Cond, n.Val, n.Source = th.Pool().Not(x.Cond), !x.Val, nil // the source is the opposite
		return &n
	}
	return a
}

// condBool makes the truth value of a condition; without one it is a fresh one. A condition that is
// constant gives a Bool.
func (w *World) condBool(th value.Thread, c *symshape.Cond, val, known bool) value.Value {
	if v, ok := c.Const(); ok {
		return value.Bool(v)
	}
	if c == nil {
		b := th.DataBool(nil)
		b.Val, b.Known = val, known
		return b
	}
	return &value.SymBool{Cond: c, Val: val, Known: known}
}
