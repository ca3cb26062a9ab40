package lib

// This file defines the integer functions of the module math. The functions are computed with big
// integers and charged by their length. Of sizes gcd, lcm and isqrt may have an expression; the
// others give the example's value alone.

import (
	"errors"
	"math"
	"math/big"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// mathIntFuncs defines math's functions of integers, which are exact for any size in Python, and so here, up to
// the bounds of time and memory.
func mathIntFuncs(m *mod) {
	// The result has the type that multiplication gives.
	m.def("prod(iterable, /, *, start?)", mathProd)
	m.fn("gcd", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return foldInts(th, args, 0, gcdInts, false)
	})
	m.fn("lcm", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return foldInts(th, args, 1, lcmInts, true)
	})
	m.def("isqrt(n, /)", mathIsqrt)
	// f gives nil for a number that is too large to compute, which makes the result unknown.
	m.def("factorial(x, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return intFunc(th, a, func(x []*big.Int) (*big.Int, error) {
			if x[0].Sign() < 0 {
				return nil, th.Raise("ValueError", "factorial() not defined for negative values")
			}
			if !few(x[0]) {
				return nil, nil
			}
			return new(big.Int).MulRange(1, max(1, x[0].Int64())), nil
		})
	})
	// comb(n, k) is n! / (k! (n-k)!), or 0 if k is greater than n.
	m.def("comb(n, k, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return intFunc(th, a, func(x []*big.Int) (*big.Int, error) {
			n, k := x[0], x[1]
			if err := natural(th, x); err != nil {
				return nil, err
			}
			if rest := new(big.Int).Sub(n, k); rest.Sign() < 0 {
				// comb(n, k) is comb(n, n-k), of which the smaller has fewer factors.
				return new(big.Int), nil
			} else if rest.Cmp(k) < 0 {
				k = rest
			}
			if !few(k) {
				return nil, nil
			}
			if n.IsInt64() {
				return new(big.Int).Binomial(n.Int64(), k.Int64()), nil
			}
			r, err := falling(th, n, k.Int64())
			if err != nil {
				return nil, err
			}
			return r.Quo(r, new(big.Int).MulRange(1, max(1, k.Int64()))), nil
		})
	})
	// perm(n) is n!.
	m.def("perm(n, k?, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if !isGiven(a[1]) {
			a[1] = a[0]
		}
		return intFunc(th, a, func(x []*big.Int) (*big.Int, error) {
			switch err := natural(th, x); {
			case err != nil:
				return nil, err
			case x[1].Cmp(x[0]) > 0:
				return new(big.Int), nil
			case !few(x[1]):
				return nil, nil
			}
			return falling(th, x[0], x[1].Int64())
		})
	})
}

// few reports whether a product of n factors is computed. 10,000 factors keep the time short.
func few(n *big.Int) bool { return n.IsInt64() && n.Int64() <= 10000 }

// falling is n·(n-1)·…, k factors. An error is a budget that is used up.
func falling(th value.Thread, n *big.Int, k int64) (*big.Int, error) {
	if n.IsInt64() {
		return new(big.Int).MulRange(n.Int64()-k+1, n.Int64()), nil
	}
	r, x := big.NewInt(1), new(big.Int).Set(n)
	for range k {
		if err := th.Step(mulSteps(words(r), words(x))); err != nil {
			return nil, err
		}
		r.Mul(r, x)
		x.Sub(x, big.NewInt(1))
	}
	return r, nil
}

// natural refuses negative arguments of comb and perm. The message names the first one that is
// negative.
func natural(th value.Thread, x []*big.Int) error {
	for i, name := range [...]string{"n", "k"} {
		if x[i].Sign() < 0 {
			return th.Raise("ValueError", "%s must be a non-negative integer", name)
		}
	}
	return nil
}

// floatToInt converts an integral float. The float must be finite.
func floatToInt(f float64) value.Value {
	if math.Abs(f) < 1<<62 {
		return value.Int(int64(f))
	}
	n, _ := big.NewFloat(f).Int(nil)
	return value.FromBig(n)
}

// elements lists what an iterable gives; an open one gives *value.OpenError. Exceptions of the
// iteration are passed on.
func elements(th value.Thread, v value.Value) ([]value.Value, error) {
	var out []value.Value
	err := th.Iterate(v, func(x value.Value) (err error) {
		out, err = push(th, out, x)
		return err
	})
	return out, err
}

// isOpen reports whether an iteration failed because the number of elements is
// not known. It unwraps err.
func isOpen(err error) bool {
	var open *value.OpenError
	return asOpen(err, &open)
}

func asOpen(err error, open **value.OpenError) bool { return errors.As(err, open) }

// Factors of any type are multiplied in turn by the thread, tensors as well. An unknown number of
// factors makes an unknown product.
func mathProd(th value.Thread, a []value.Value) (value.Value, error) {
	if u, ok := a[0].(*value.Unknown); ok {
		return u, nil
	}
	var acc value.Value = value.Int(1)
	if a[1] != nil {
		acc = a[1]
	}
	err := th.Iterate(a[0], func(x value.Value) (err error) {
		acc, err = th.Binary(ast.Mult, acc, x)
		return err
	})
	if isOpen(err) {
		return th.Unknown("product of an unknown number of factors"), nil
	}
	return acc, err
}

// intFunc computes a function of concrete ints; a nil result or an abstract
// argument gives an unknown int. Arguments are converted by __index__, which raises TypeError for
// what has none. A size gives a result for the example only, and an error of the function under the
// example alone is none.
func intFunc(th value.Thread, args []value.Value, f func(x []*big.Int) (*big.Int, error)) (value.Value, error) {
	xs := make([]*big.Int, len(args))
	exact, known := true, true
	for i, a := range args {
		a = value.Plain(a)
		switch a.(type) {
		case *value.Unknown:
			return a, nil
		case value.Int, value.Bool, *value.BigInt:
		case *value.SymInt:
			// The function is computed for the example.
			exact = false
		default:
			v, err := toIndex(th, a)
			if err != nil {
				return nil, err
			}
			a = v
		}
		if n, ok := bigInt(a); ok {
			xs[i] = n
		} else if n, ok := value.AsInt(a); ok { // under example sizes
			xs[i] = big.NewInt(n)
		} else {
			known = false
		}
	}
	if !known {
		return &value.SymInt{}, nil
	}
	n, err := f(xs)
	switch {
	case exact && err != nil:
		return nil, err
	case err != nil || n == nil:
		return &value.SymInt{}, nil
	case exact:
		return value.FromBig(n), nil
	case n.IsInt64():
		return &value.SymInt{D: symshape.Dim{Val: n.Int64(), Known: true}}, nil
	}
	return &value.SymInt{}, nil
}

// toIndex reads an int as operator.index does. Unknown values and sizes come back as they are;
// TypeError for what is no int.
func toIndex(th value.Thread, v value.Value) (value.Value, error) {
	switch x := value.Plain(v).(type) {
	case value.Int, *value.BigInt, *value.SymInt, *value.Unknown:
		return x, nil
	case value.Bool:
		n, _ := value.AsInt(x)
		return value.Int(n), nil
	case *value.SymBool:
		return th.Call(th.Class("int"), []value.Value{x}, nil)
	}
	if m, ok, err := th.LookupAttr(v, "__index__"); err != nil {
		return nil, err
	} else if ok {
		return th.Call(m, nil, nil)
	}
	return nil, th.Raise("TypeError", "'%s' object cannot be interpreted as an integer", th.TypeOf(v).Name)
}

// foldInts is gcd and lcm. On sizes the result is known symbolically when one
// argument divides the other. gcd() is 0 and lcm() is 1. TypeError for an argument that is no int.
func foldInts(th value.Thread, args []value.Value, start int64, f func(a, b *big.Int) *big.Int, greater bool) (value.Value, error) {
	var acc value.Value = value.Int(start)
	for _, a := range args {
		x, err := toIndex(th, a)
		if err != nil {
			return nil, err
		}
		if value.IsUnknown(x) {
			return x, nil
		}
		acc = foldInt(th, acc, x, f, greater)
	}
	return acc, nil
}

// foldInt joins two numbers by gcd or lcm (greater). Of sizes the result is an expression only where one is
// known to divide the other, or is 0 or 1; otherwise only the example is known.
func foldInt(th value.Thread, a, b value.Value, f func(a, b *big.Int) *big.Int, greater bool) value.Value {
	x, okx := concreteBig(a)
	y, oky := concreteBig(b)
	if okx && oky {
		// The time is about the product of the lengths.
		if x.BitLen() > maxIntBits || y.BitLen() > maxIntBits || th.Step(words(x)*words(y)/64) != nil {
			return th.Unknown("an integer is too large to compute with")
		}
		return value.FromBig(f(x, y))
	}
	p := th.Pool()
	da, _ := value.AsDim(p, a)
	db, _ := value.AsDim(p, b)
	var d symshape.Dim
	if da.Known && db.Known {
		if r := f(big.NewInt(da.Val), big.NewInt(db.Val)); r.IsInt64() {
			d.Val, d.Known = r.Int64(), true
		}
	}
	if da.Expr != nil && db.Expr != nil {
		// gcd and lcm are never negative.
		abs := func(e *symshape.Expr) *symshape.Expr { return p.Abs(e) }
		switch {
		case da.Expr == db.Expr:
			d.Expr = abs(da.Expr)
		// gcd(0, b) is |b|.
		case da.Expr.IsConst(0) && !greater:
			d.Expr = abs(db.Expr)
		// lcm(1, b) is |b|.
		case da.Expr.IsConst(1) && greater:
			d.Expr = abs(db.Expr)
		// The divisor is the gcd, and the other one the lcm.
		case th.Decide(p.Divides(da.Expr, db.Expr)) == symshape.Yes:
			d.Expr = abs(da.Expr)
			if greater {
				d.Expr = abs(db.Expr)
			}
		case th.Decide(p.Divides(db.Expr, da.Expr)) == symshape.Yes:
			d.Expr = abs(db.Expr)
			if greater {
				d.Expr = abs(da.Expr)
			}
		}
	}
	return value.FromDim(d)
}

// false for sizes.
func concreteBig(v value.Value) (*big.Int, bool) {
	switch v := v.(type) {
	case value.Int:
		return big.NewInt(int64(v)), true
	case *value.BigInt:
		return v.V, true
	}
	return nil, false
}

// The result is not negative.
func gcdInts(a, b *big.Int) *big.Int {
	return new(big.Int).GCD(nil, nil, new(big.Int).Abs(a), new(big.Int).Abs(b))
}

// 0 if one of them is 0.
func lcmInts(a, b *big.Int) *big.Int {
	if a.Sign() == 0 || b.Sign() == 0 {
		return new(big.Int)
	}
	r := new(big.Int).Mul(a, b)
	return r.Abs(r.Quo(r, gcdInts(a, b)))
}

// mathIsqrt is math.isqrt. The root of a size is its symbolic square root
// rounded down; below 2^52 that is the same number. TypeError for what is no int, ValueError for
// negative numbers.
func mathIsqrt(th value.Thread, a []value.Value) (value.Value, error) {
	v, err := toIndex(th, a[0])
	if err != nil || value.IsUnknown(v) {
		return v, err
	}
	if n, ok := concreteBig(v); ok {
		if n.Sign() < 0 {
			return nil, th.Raise("ValueError", "isqrt() argument must be nonnegative")
		}
		return value.FromBig(new(big.Int).Sqrt(n)), th.Step(40 * mulSteps(words(n), words(n)))
	}
	d, _ := value.AsDim(th.Pool(), v)
	var r symshape.Dim
	if d.Expr != nil {
		// Only where the size is known not to be negative.
		if p := th.Pool(); th.Decide(p.Ge(d.Expr, p.Const(0))) == symshape.Yes {
			r.Expr = p.FloorReal(p.RealSqrt(p.RealFromInt(d.Expr)))
		}
	}
	if d.Known && d.Val >= 0 {
		r.Val, r.Known = new(big.Int).Sqrt(big.NewInt(d.Val)).Int64(), true
	}
	return value.FromDim(r), nil
}

// mathSumprod is math.sumprod of Python 3.12. The sum of the products of equal places. ValueError
// for different lengths; an unknown number of elements gives an unknown float.
func mathSumprod(th value.Thread, a []value.Value) (value.Value, error) {
	p, err := elements(th, a[0])
	if err != nil {
		return openFloat(err)
	}
	q, err := elements(th, a[1])
	if err != nil {
		return openFloat(err)
	}
	if len(p) != len(q) {
		return nil, th.Raise("ValueError", "Inputs are not the same length")
	}
	var acc value.Value = value.Int(0)
	for i := range p {
		x, err := th.Binary(ast.Mult, p[i], q[i])
		if err != nil {
			return nil, err
		}
		if acc, err = th.Binary(ast.Add, acc, x); err != nil {
			return nil, err
		}
	}
	return acc, nil
}
