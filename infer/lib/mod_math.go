package lib

// This file defines the module math. A function of sizes keeps the symbolic
// expression where symshape has one for it; otherwise its result is a float of
// which at most the value under the example sizes is known. Three kinds of arguments: constants
// give constants, with CPython's exceptions; sizes give an expression where there is one; and
// floats from tensors give a float that remembers its source in the graph. A domain error that only
// the example value has is none, because other sizes may be within the domain.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// A number is a real argument: its symbolic form, if any, and its value. It is made by toNumber.
// exact implies known.
type number struct {
	real  symshape.Real // unknown when it has no symbolic form
	val   float64
	known bool // val is known
	exact bool // it is a constant, not a value under example sizes
	// unknown is set instead of all others when the argument is Unknown.
	unknown *value.Unknown
	source  *graph.Value
	whole   bool // it is an integer
}

// toNumber reads a real argument as float() does. TypeError for what float() does not take. Objects
// are converted by calling float, which looks for __float__.
func toNumber(th value.Thread, v value.Value) (number, error) {
	p := th.Pool()
	switch x := value.Plain(v).(type) {
	case value.Float:
		return number{real: p.RealConst(float64(x), ""), val: float64(x), known: true, exact: true}, nil
	case value.Int, value.Bool, *value.BigInt:
		f, _ := value.AsFloat(x)
		return number{real: p.RealConst(f, ""), val: f, known: true, exact: true}, nil
	case *value.SymInt:
		n := number{val: float64(x.D.Val), known: x.D.Known, source: x.Source, whole: true}
		if x.D.Expr != nil {
			n.real = p.RealFromInt(x.D.Expr)
		}
		return n, nil
	case *value.SymFloat:
		// A float that is only nearly known is not known here.
		return number{real: x.R, val: x.Val, known: x.Known, source: x.Source}, nil
	case *value.SymBool:
		return number{known: x.Known, val: b2f(x.Val)}, nil
	case *value.Unknown:
		return number{unknown: x}, nil
	case *value.Choice, *value.Abstract:
		return number{}, nil
	case value.Str, value.NoneType, *value.List, *value.Tuple, *value.Dict:
		return number{}, th.Raise("TypeError", "must be real number, not %s", th.TypeOf(v).Name)
	}
	if err := th.Enter(""); err != nil {
		return number{}, err
	}
	defer th.Leave()
	f, err := th.Call(th.Class("float"), []value.Value{v}, nil)
	if err != nil {
		return number{}, err
	}
	switch f.(type) {
	case value.Float, *value.SymFloat, *value.Unknown:
		return toNumber(th, f)
	}
	return number{}, nil
}

// For truths that count as numbers.
func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// float makes the result of a function: r its symbolic form, val its value. A NaN is not taken for
// known.
func floatResult(r symshape.Real, val float64, known bool, src *graph.Value) *value.SymFloat {
	s := &value.SymFloat{R: r, Source: src}
	if known && !math.IsNaN(val) {
		s.Val, s.Known = val, true
	}
	return s
}

// mathFunc makes a function of real arguments. f gives NaN outside its domain;
// real, when not nil, gives the symbolic form. name is that in math; arity is exact, as these
// functions take no keywords. r is unknown without real.
func (m *mod) mathFunc(name string, arity int, f func(x []float64) float64, real func(p *symshape.Pool, x []symshape.Real) symshape.Real) {
	m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) != arity || len(kw) > 0 {
			return nil, th.Raise("TypeError", "math.%s() takes exactly %d argument%s (%d given)", name, arity, plural(arity), len(args)+len(kw))
		}
		xs, vals, reals := make([]number, arity), make([]float64, arity), make([]symshape.Real, arity)
		known, exact, nan, inf := true, true, false, false
		var src *graph.Value
		for i, a := range args {
			n, err := toNumber(th, a)
			if err != nil {
				return nil, err
			}
			if n.unknown != nil {
				return n.unknown, nil
			}
			xs[i], vals[i], reals[i] = n, n.val, n.real
			known, exact = known && n.known, exact && n.exact
			nan, inf = nan || math.IsNaN(n.val), inf || math.IsInf(n.val, 0)
			if arity == 1 {
				src = n.source
			}
		}
		val := math.NaN()
		if known {
			val = f(vals)
		}
		// A NaN from numbers, or an infinity from finite ones, is an error in CPython: a domain
		// error at a pole, else an overflow.
		if exact {
			switch {
			case math.IsNaN(val) && !nan:
				return nil, th.Raise("ValueError", "math domain error")
			case math.IsInf(val, 0) && !inf:
				if mathPole[name] && (name != "pow" || vals[0] == 0) {
					return nil, th.Raise("ValueError", "math domain error")
				}
				return nil, th.Raise("OverflowError", "math range error")
			}
			return value.Float(val), nil
		}
		var r symshape.Real
		if real != nil {
			r = real(th.Pool(), reals)
		}
		out := floatResult(r, val, known, src)
		out.NotNegative = mathLogs[name] && xs[0].whole // the logarithm of one that is less than 1 is an error
		return out, nil
	})
}

// mathLogs lists the logarithms. Of integers from 1 on they are not negative.
var mathLogs = map[string]bool{"log2": true, "log10": true}

// mathPole lists the functions that have a pole, where CPython raises ValueError.
var mathPole = map[string]bool{"log": true, "log2": true, "log10": true, "log1p": true, "atanh": true, "gamma": true, "lgamma": true,
	"pow": true}

// math1 lists the functions of one argument. Those beginning with c follow the C library; the
// others are exact enough in Go.
var math1 = map[string]func(float64) float64{
	"acos": cAcos, "acosh": math.Acosh, "asin": cAsin, "asinh": math.Asinh, "atan": cAtan,
	"atanh": math.Atanh, "cbrt": math.Cbrt, "cos": cCos, "cosh": cCosh,
	"degrees": func(x float64) float64 { return x * (180 / math.Pi) }, "radians": func(x float64) float64 { return x * (math.Pi / 180) },
	"erf": math.Erf, "erfc": math.Erfc, "exp": cExp, "exp2": func(x float64) float64 { return cPow(2, x) }, "expm1": cExpm1,
	"gamma": math.Gamma, "lgamma": func(x float64) float64 { v, _ := math.Lgamma(x); return v },
	"log2": cLog2, "log10": cLog10, "log1p": cLog1p, "sin": cSin, "sinh": cSinh, "tan": cTan, "tanh": cTanh,
	"ulp": func(x float64) float64 { x = math.Abs(x); return math.Nextafter(x, math.Inf(1)) - x },
}

// math2 lists the functions of two arguments without symbolic form. Both arguments are real.
var math2 = map[string]func(a, b float64) float64{
	"atan2": cAtan2, "copysign": math.Copysign, "fmod": math.Mod, "remainder": math.Remainder, "nextafter": math.Nextafter,
}

// mathModule makes math. Functions of numbers that are known are computed with the C library's rounding, which
// libm*.go follow, since sizes are made of them with int(). Of sizes, those that symshape has an expression for
// give one (sqrt, pow, floor …), the others a float that is not known, with the example's value.
func mathModule(m *mod) {
	for _, c := range []struct {
		name string
		val  float64
	}{{"pi", math.Pi}, {"e", math.E}, {"tau", 2 * math.Pi}, {"inf", math.Inf(1)}, {"nan", math.NaN()}} {
		m.set(c.name, value.Float(c.val))
	}
	// In the order of names.
	for _, name := range sortedNames(math1) {
		f := math1[name]
		m.mathFunc(name, 1, func(x []float64) float64 { return f(x[0]) }, nil)
	}
	for _, name := range sortedNames(math2) {
		f := math2[name]
		m.mathFunc(name, 2, func(x []float64) float64 { return f(x[0], x[1]) }, nil)
	}
	m.mathFunc("sqrt", 1, func(x []float64) float64 { return math.Sqrt(x[0]) },
		func(p *symshape.Pool, x []symshape.Real) symshape.Real { return p.RealSqrt(x[0]) })
	m.mathFunc("fabs", 1, func(x []float64) float64 { return math.Abs(x[0]) },
		func(p *symshape.Pool, x []symshape.Real) symshape.Real { return p.RealMax(x[0], p.RealNeg(x[0])) })
	m.mathFunc("pow", 2, func(x []float64) float64 { return cPow(x[0], x[1]) },
		func(p *symshape.Pool, x []symshape.Real) symshape.Real { return p.RealPow(x[0], x[1]) })
	m.def("log(x, base?, /)", mathLog)
	m.def("floor(x, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return roundTo(th, a[0], "__floor__", math.Floor, (*symshape.Pool).FloorReal)
	})
	m.def("ceil(x, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return roundTo(th, a[0], "__ceil__", math.Ceil, (*symshape.Pool).CeilReal)
	})
	m.def("trunc(x, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return roundTo(th, a[0], "__trunc__", math.Trunc, (*symshape.Pool).TruncReal)
	})
	m.fn("hypot", mathHypot)
	m.def("dist(p, q, /)", mathDist)
	m.def("fsum(seq, /)", mathFsum)
	m.def("sumprod(p, q, /)", mathSumprod)
	m.def("modf(x, /)", mathModf)
	m.def("frexp(x, /)", mathFrexp)
	m.def("ldexp(x, i, /)", mathLdexp)
	m.def("isclose(a, b, *, rel_tol?, abs_tol?)", mathIsclose)
	m.mathTest("isnan", math.IsNaN)
	m.mathTest("isinf", func(x float64) bool { return math.IsInf(x, 0) })
	m.mathTest("isfinite", func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) })
	mathIntFuncs(m)
}

// mathLog is math.log: with a base the quotient of two rounded logarithms, as
// in CPython. ValueError for numbers that are not positive, ZeroDivisionError for base 1.
func mathLog(th value.Thread, a []value.Value) (value.Value, error) {
	x, err := toNumber(th, a[0])
	if err != nil {
		return nil, err
	}
	base := number{val: math.E, known: true, exact: true}
	if a[1] != nil {
		if base, err = toNumber(th, a[1]); err != nil {
			return nil, err
		}
	}
	if x.unknown != nil {
		return x.unknown, nil
	}
	if base.unknown != nil {
		return base.unknown, nil
	}
	exact, known := x.exact && base.exact, x.known && base.known
	if exact && (x.val <= 0 || base.val <= 0) {
		return nil, th.Raise("ValueError", "math domain error")
	}
	val := cLog(x.val)
	if a[1] != nil {
		d := cLog(base.val)
		if exact && d == 0 {
			return nil, th.Raise("ZeroDivisionError", "float division by zero")
		}
		val /= d
	}
	if exact {
		return value.Float(val), nil
	}
	out := floatResult(symshape.Real{}, val, known && x.val > 0 && base.val > 0 && !math.IsInf(val, 0), nil)
	out.NotNegative = x.whole && base.exact && base.val > 1
	return out, nil
}

// roundTo is floor, ceil and trunc: an int from a real. special is the method that objects can
// define. f rounds a float, sym an expression; ValueError for NaN, OverflowError for infinities.
func roundTo(th value.Thread, v value.Value, special string, f func(float64) float64,
	sym func(*symshape.Pool, symshape.Real) *symshape.Expr) (value.Value, error) {
	switch x := value.Plain(v).(type) {
	case value.Int, *value.BigInt, *value.SymInt:
		return x, nil
	case value.Bool:
		n, _ := value.AsInt(x)
		return value.Int(n), nil
	case *value.SymFloat:
		if n, ok := x.Rounded(f); ok {
			return value.Int(n), nil
		}
	case *value.Instance:
		if method, ok, err := th.LookupAttr(x, special); err != nil {
			return nil, err
		} else if ok {
			return th.Call(method, nil, nil)
		}
	}
	n, err := toNumber(th, v)
	switch {
	case err != nil:
		return nil, err
	case n.unknown != nil:
		return n.unknown, nil
	case n.exact && math.IsNaN(n.val):
		return nil, th.Raise("ValueError", "cannot convert float NaN to integer")
	case n.exact && math.IsInf(n.val, 0):
		return nil, th.Raise("OverflowError", "cannot convert float infinity to integer")
	case n.exact:
		return floatToInt(f(n.val)), nil
	}
	d := symshape.Dim{Expr: sym(th.Pool(), n.real)}
	if r := f(n.val); n.known && math.Abs(r) < 1<<62 {
		d.Val, d.Known = int64(r), true
	}
	from, _ := value.Plain(v).(*value.SymFloat)
	return &value.SymInt{D: d, Source: n.source, NotNegative: from != nil && from.NotNegative}, nil
}

// mathHypot takes any number of coordinates, with the rounding of CPython's vector_norm.
// Coordinates that are not constants give a float without an expression.
func mathHypot(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	ns, exact, known, unknown, err := toNumbers(th, args)
	if err != nil || unknown != nil {
		return orUnknown(unknown), err
	}
	vals := make([]float64, len(ns))
	for i, n := range ns {
		vals[i] = n.val
	}
	sum := cHypot(vals)
	if exact {
		return value.Float(sum), nil
	}
	return floatResult(symshape.Real{}, sum, known, nil), nil
}

// orUnknown keeps a nil *Unknown from becoming a non-nil Value. A nil pointer in an interface is
// not nil.
func orUnknown(u *value.Unknown) value.Value {
	if u == nil {
		return nil
	}
	return u
}

// toNumbers converts arguments; exact says that all are constants, known that all have values in the example,
// and unknown is the first that is not known at all.
func toNumbers(th value.Thread, vs []value.Value) (ns []number, exact, known bool, unknown *value.Unknown, err error) {
	exact, known = true, true
	for _, v := range vs {
		n, err := toNumber(th, v)
		if err != nil {
			return nil, false, false, nil, err
		}
		if n.unknown != nil {
			return nil, false, false, n.unknown, nil
		}
		exact, known = exact && n.exact, known && n.known
		ns = append(ns, n)
	}
	return ns, exact, known, nil, nil
}

// mathDist is the norm of the differences of two points of one dimension. ValueError for points of
// different dimensions.
func mathDist(th value.Thread, a []value.Value) (value.Value, error) {
	p, err := elements(th, a[0])
	if err != nil {
		return nil, err
	}
	q, err := elements(th, a[1])
	if err != nil {
		return nil, err
	}
	if len(p) != len(q) {
		return nil, th.Raise("ValueError", "both points must have the same number of dimensions")
	}
	ns, exact, known, unknown, err := toNumbers(th, append(p, q...))
	if err != nil || unknown != nil {
		return orUnknown(unknown), err
	}
	diffs := make([]float64, len(p))
	for i := range p {
		diffs[i] = ns[i].val - ns[i+len(q)].val
	}
	sum := cHypot(diffs)
	if exact {
		return value.Float(sum), nil
	}
	return floatResult(symshape.Real{}, sum, known, nil), nil
}

// mathFsum adds with one rounding at the end. The doubles are added in a
// precision that holds any sum of them for the usual magnitudes. Infinities of both signs raise a
// ValueError.
func mathFsum(th value.Thread, a []value.Value) (value.Value, error) {
	xs, err := elements(th, a[0])
	if err != nil {
		return openFloat(err)
	}
	ns, exact, known, unknown, err := toNumbers(th, xs)
	if err != nil || unknown != nil {
		return orUnknown(unknown), err
	}
	// 2,200 bits hold the sum of the largest and the smallest double.
	sum := bigOf(0).SetPrec(2200)
	var special float64
	plus, minus := false, false
	for _, n := range ns {
		if math.IsInf(n.val, 0) || math.IsNaN(n.val) {
			special += n.val
			plus, minus = plus || math.IsInf(n.val, 1), minus || math.IsInf(n.val, -1)
			continue
		}
		sum.Add(sum, bigOf(n.val))
	}
	val := nearest(sum)
	if exact && plus && minus {
		return nil, th.Raise("ValueError", "-inf + inf in fsum")
	}
	if special != 0 {
		val = special
	}
	if exact {
		return value.Float(val), nil
	}
	// A sum that is rounded once is not the sum of floats, so it has no symbolic form.
	return floatResult(symshape.Real{}, val, known, nil), nil
}

// openFloat turns "unknown number of elements" into an unknown float. Other errors are returned.
func openFloat(err error) (value.Value, error) {
	if isOpen(err) {
		return &value.SymFloat{}, nil
	}
	return nil, err
}

// mathModf gives the fraction first; of an infinity that is a signed zero.
func mathModf(th value.Thread, a []value.Value) (value.Value, error) {
	n, err := toNumber(th, a[0])
	if err != nil || n.unknown != nil {
		return orUnknown(n.unknown), err
	}
	if n.exact {
		i, f := math.Modf(n.val)
		if math.IsInf(n.val, 0) {
			f = math.Copysign(0, n.val)
		}
		return value.NewTuple(value.Float(f), value.Float(i)), nil
	}
	i, f := math.Modf(n.val)
	return value.NewTuple(floatResult(symshape.Real{}, f, n.known, nil), floatResult(symshape.Real{}, i, n.known, nil)), nil
}

// mathFrexp gives a mantissa from 0.5 on and an exponent of 2. An infinity or NaN comes back with
// exponent 0.
func mathFrexp(th value.Thread, a []value.Value) (value.Value, error) {
	n, err := toNumber(th, a[0])
	if err != nil || n.unknown != nil {
		return orUnknown(n.unknown), err
	}
	f, e := math.Frexp(n.val)
	if n.exact {
		return value.NewTuple(value.Float(f), value.Int(e)), nil
	}
	return value.NewTuple(floatResult(symshape.Real{}, f, n.known, nil), &value.SymInt{D: symshape.Dim{Val: int64(e), Known: n.known}}), nil
}

// mathLdexp: exponents beyond all floats are cut, as they all give 0 or an overflow. OverflowError
// for a result that is too large.
func mathLdexp(th value.Thread, a []value.Value) (value.Value, error) {
	ns, exact, known, unknown, err := toNumbers(th, a)
	if err != nil || unknown != nil {
		return orUnknown(unknown), err
	}
	val := math.Ldexp(ns[0].val, int(max(-5000, min(5000, ns[1].val))))
	if exact {
		if math.IsInf(val, 0) && !math.IsInf(ns[0].val, 0) {
			return nil, th.Raise("OverflowError", "math range error")
		}
		return value.Float(val), nil
	}
	return floatResult(symshape.Real{}, val, known, nil), nil
}

// mathIsclose compares with the larger of both tolerances; infinities are close to themselves
// alone. The defaults are 1e-9 relative and 0 absolute.
func mathIsclose(th value.Thread, a []value.Value) (value.Value, error) {
	for i, d := range []float64{0, 0, 1e-9, 0} {
		if a[i] == nil {
			a[i] = value.Float(d)
		}
	}
	ns, exact, known, unknown, err := toNumbers(th, a)
	if err != nil || unknown != nil {
		return orUnknown(unknown), err
	}
	x, y := ns[0].val, ns[1].val
	diff := math.Abs(x - y)
	is := x == y || !math.IsInf(x, 0) && !math.IsInf(y, 0) && (diff <= math.Abs(ns[2].val*y) || diff <= math.Abs(ns[2].val*x) ||
		diff <= ns[3].val)
	return testResult(th, is, exact, known), nil
}

// testResult makes the bool of a test whose condition has no symbolic form. Without exact the truth
// is that of the example.
func testResult(th value.Thread, is, exact, known bool) value.Value {
	if exact {
		return value.Bool(is)
	}
	b := th.DataBool(nil)
	b.Val, b.Known = is && known, known
	return b
}

// mathTest adds isnan and its like. What is computed from sizes is finite. For a size the answer is
// that for any finite number.
func (m *mod) mathTest(name string, f func(float64) bool) {
	m.def(name+"(x, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		n, err := toNumber(th, a[0])
		if err != nil || n.unknown != nil {
			return orUnknown(n.unknown), err
		}
		if _, ok := value.Plain(a[0]).(*value.SymInt); ok {
			return value.Bool(f(1)), nil
		}
		return testResult(th, f(n.val), n.exact, n.known), nil
	})
}
