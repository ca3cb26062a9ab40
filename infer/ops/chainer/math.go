package chainer

// This file holds element-wise mathematics. Functions of one input keep its shape and dtype.
// Operators of Variables (variable.go) go through arith, which the function add shares with them.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

type dt = dtype.DType

// unaryMath are the functions of one floating input, with their labels. The text is pairs of a
// function and its label; a label with a | names the class and what it is called in Chainer's graph
// of computations (see fn).
const unaryMath = "arccos Arccos|arccos arcsin Arcsin|arcsin arctan Arctan|arctan arctanh Arctanh cos Cos|cos sin Sin|sin tan Tan|tan " +
	"cosh Cosh|cosh sinh Sinh|sinh digamma DiGamma|digamma lgamma LGamma|lgamma erf Erf|erf erfc Erfc|erfc erfcinv ErfcInv|erfcinv " +
	"erfcx Erfcx|erfcx erfinv ErfInv|erfinv exp Exp|exp expm1 Expm1|expm1 log Log|log log2 Log2|log2 log10 Log10|log10 log1p Log1p|log1p " +
	"log_ndtr LogNdtr|log_ndtr ndtr Ndtr|ndtr ndtri Ndtri|ndtri rsqrt Sqrt|? sqrt Sqrt|sqrt square Square|square"

// binaryOp is the rule of a function of two inputs of one dtype that are broadcast. The checks are
// the expectations of Chainer's class, in the order of its check_type_forward.
func binaryOp(a, b string, checks ...string) rule {
	return func(k *call) value.Value {
		if !k.apply(a, b) || !k.expect(checks...) {
			return nil
		}
		return k.out(k.d(a), k.broadcast(a, b)...)
	}
}

// rounding is the rule of floor and its kin, which are no functions of the graph: they
// take integers, too.
func rounding(k *call) value.Value {
	if !k.apply("x") {
		return nil
	}
	if k.d("x").IsComplex() && k.Short() != "sign" {
		return k.Errorf("TypeError", diag.DTypeMismatch, "%s(): not defined for complex numbers", k.Short())
	}
	if k.d("x") == dtype.Bool && k.Short() == "sign" {
		return k.Errorf("TypeError", diag.DTypeMismatch, "sign(): not defined for booleans")
	}
	return k.like("x")
}

// signRule is rounding for sign, which takes Python's data, too: numbers and nested lists of them,
// whose dtype and shape are those of the array that NumPy would make.
func signRule(k *call) value.Value {
	switch v := k.Value("x"); v.(type) {
	case *value.Tensor:
		return rounding(k)
	default:
		lit := k.ReadArray(v, 0)
		if !k.OK() {
			return nil
		}
		return k.out(lit.Kind, lit.Shape...)
	}
}

// mathematics lists element-wise functions, which need floating inputs unless a record says otherwise.
// Binary ones broadcast and demand one dtype, except arctan2, which takes the wider; clip needs at least
// one bound, and x_min < x_max.
func mathematics() []ops.Op {
	return append(unary("an element-wise function", unaryMath),
		fn("absolute", "Absolute||_|", "(self)", func(k *call) value.Value { // the operator of Variables
			k.bind("x", k.input("self"))
			if !k.OK() || !k.expect(floating) {
				return nil
			}
			return k.like("x")
		}, "an element-wise function"),
		fn("ceil floor fix", "Rounding|none", "(x)", rounding, "rounding, which has no gradient").With(ops.Op{Is: graph.CutsGradient}),
		fn("sign", "Sign|none", "(x)", signRule, "-1, 0 or 1").With(ops.Op{Is: graph.CutsGradient}),
		fn("add", "Add|+", "(*xs)", addRule, "the sum of two inputs or more"),
		fn("maximum", "Maximum", "(x1, x2)", binaryOp("x1", "x2", "x1.dtype.kind == f", "x1.dtype == x2.dtype"), "the larger element"),
		fn("minimum", "Minimum", "(x1, x2)", binaryOp("x1", "x2", "x1.dtype.kind == f", "x1.dtype == x2.dtype"), "the smaller element"),
		fn("fmod", "Fmod|fmod", "(x, divisor)", binaryOp("x", "divisor", "x.dtype == divisor.dtype", "x.dtype.kind == f"), "the remainder"),
		fn("arctan2", "Arctan2|arctan2", "(x1, x2)", func(k *call) value.Value {
			if !k.apply("x1", "x2") || !k.expect("x1.dtype.kind == f", "x2.dtype.kind == f") {
				return nil
			}
			return k.out(wider(k.d("x1"), k.d("x2")), k.broadcast("x1", "x2")...)
		}, "the angle of a point"),
		fn("clip", "Clip", "(x, x_min, x_max)", func(k *call) value.Value {
			if !k.Has("x_min") && !k.Has("x_max") {
				return k.Errorf("ValueError", diag.BadValue, "clip(): either x_min or x_max must be given")
			}
			for _, n := range [...]string{"x_min", "x_max"} {
				if k.Has(n) {
					k.real(n)
				}
			}
			lo, known := k.Float("x_min")
			if hi, too := k.Float("x_max"); k.OK() && known && too && lo >= hi {
				return k.Errorf("ValueError", diag.BadValue, "clip(): x_min must be less than x_max, but they are %v and %v", lo, hi)
			}
			return keepsType(k)
		}, "elements between two bounds"),
		// identity gives new Variables of the types of its arguments, one of them without a tuple.
		fn("identity", "Identity", "(*inputs)", func(k *call) value.Value {
			var out []value.Value
			for _, v := range k.Rest() {
				t := k.asInput("inputs", v)
				if !k.OK() {
					return nil
				}
				out = append(out, k.Like(t, t.Type().DType))
			}
			if len(out) == 1 {
				return out[0]
			}
			return value.NewTuple(out...)
		}, "its arguments"),
		// linear_interpolate: three inputs of one shape and dtype; nothing is broadcast.
		fn("linear_interpolate", "LinearInterpolate", "(p, x, y)", func(k *call) value.Value {
			if !k.apply("p", "x", "y") || !k.expect("p.dtype.kind == f", "x.dtype == p.dtype", "y.dtype == p.dtype", "p.shape == x.shape",
				"p.shape == y.shape") {
				return nil
			}
			return k.like("p")
		}, "p·x + (1-p)·y"),
		fn("polygamma", "PolyGamma|polygamma", "(n, x)", func(k *call) value.Value {
			if !k.apply("n", "x") || !k.expect("n.dtype.kind == i", floating) {
				return nil
			}
			return k.out(k.d("x"), k.broadcast("n", "x")...)
		}, "derivatives of digamma"),
		fn("zeta", "Zeta|?", "(x, q)", func(k *call) value.Value {
			if !k.apply("q") || !k.expect("q.dtype.kind == f") {
				return nil
			}
			// x of zeta is an array or a number that is no input of the graph: it has no gradient.
			v := k.Value("x")
			if t, ok := v.(*value.Tensor); ok {
				k.bind("x", t)
				if n, ok := ops.DimVal(k.NumelOf(t)); IsVariable(t) && !(ok && n == 0) {
					return k.Errorf("TypeError", diag.TypeMismatch, "zeta(): x must be an array or a number, not a Variable")
				}
				return k.out(k.d("q"), k.broadcast("x", "q")...)
			}
			if ops.IsSequence(v) {
				lit := k.ReadArray(v, 0)
				s, _, ok := k.Broadcast(lit.Shape, k.s("q"))
				if !ok {
					return k.Errorf("ValueError", diag.ShapeMismatch, "zeta(): shapes %s and %s cannot be broadcast together", lit.Shape, k.s("q"))
				}
				return k.out(k.d("q"), s...)
			}
			k.real("x")
			return k.like("q")
		}, "the Hurwitz zeta function"),
	)
}

// addRule is the sum of two inputs, of which the second may be a number or is cast to the first, or
// of several, which must have the dtype of the first and broadcast together.
func addRule(k *call) value.Value {
	xs := k.Rest()
	if len(xs) == 2 {
		return k.sumOf(xs[0], xs[1])
	}
	var first *value.Tensor
	var shapes []*value.Tensor
	for _, v := range xs {
		t := k.asInput("xs", v)
		if !k.OK() {
			return nil
		}
		if first == nil {
			first = t
		}
		// Each input is compared with the first one alone, by these names.
		k.env = nil
		k.bind("x0", first)
		k.bind("xi", t)
		if !k.expect("x0.dtype == xi.dtype") {
			return nil
		}
		shapes = append(shapes, t)
	}
	if first == nil {
		return k.Errorf("ValueError", diag.BadCall, "add(): needs inputs")
	}
	s := k.BroadcastTensors(shapes...)
	return k.out(first.Type().DType, s...)
}

// sumOf is lhs + rhs for the function add, whose first operand may be an array; the second may be
// all that the operator takes.
func (k *call) sumOf(lhs, rhs value.Value) value.Value {
	x := k.asInput("lhs", lhs)
	if !k.OK() {
		return nil
	}
	return k.arith(x, rhs, false, "")
}

// scalarOperand reports whether numpy takes v as a scalar. A text is one, which then cannot be
// computed with.
func scalarOperand(v value.Value) bool {
	_, isStr := v.(value.Str)
	return isNumber(v) || isStr
}

// arith gives the result of an operator on x and another operand: a number, an array that is cast
// to the dtype of x, or a Variable of the same dtype. The result has the dtype of x and the shape
// to which both broadcast. reflected says that x stands on the right; check is a further
// expectation of the operator, or "".
func (k *call) arith(x *value.Tensor, other value.Value, reflected bool, check string) value.Value {
	d := x.Type().DType
	if scalarOperand(other) {
		if _, isStr := other.(value.Str); isStr {
			return k.Errorf("TypeError", diag.TypeMismatch, "%s(): a text is no number", k.Short())
		}
		// Powers and reciprocals are defined for floating x alone, also beside a number.
		if check != "" && d != dtype.Unknown && !d.IsFloat() && (k.Is("pow") || k.Is("div") && reflected) {
			k.bind("x", x)
			k.expect(floating)
			return nil
		}
		if ops.NumberKind(value.Plain(other)) == dtype.KindComplex && !d.IsComplex() {
			return k.Errorf("TypeError", diag.TypeMismatch, "%s(): a complex number cannot be converted to %s", k.Short(), d.Numpy())
		}
		return k.Like(x, d)
	}
	t, ok := other.(*value.Tensor)
	if !ok {
		return k.Errorf("TypeError", diag.TypeMismatch, "%s(): the operand must be a number, an array or a Variable, not %s", k.Short(),
			ops.TypeName(other))
	}
	if IsPending(t) || IsPending(x) {
		return k.Errorf("AttributeError", diag.TypeMismatch, "%s(): a parameter has no shape yet", k.Short())
	}
	if !IsVariable(t) && !ops.IsArray(t) {
		return k.Errorf("TypeError", diag.TypeMismatch, "%s(): a tensor of PyTorch beside a Variable", k.Short())
	}
	lhs, rhs := x, t
	if reflected {
		lhs, rhs = t, x
	}
	k.bind("lhs", lhs)
	k.bind("rhs", rhs)
	// An array of another dtype: Chainer casts it, so that only x is checked.
	if ops.IsArray(t) && d != t.Type().DType { // cast to the dtype of x
		if check != "" {
			k.bind("x", x)
			if !k.expect(floating) {
				return nil
			}
		}
	} else {
		if check != "" && !k.expect(check) {
			return nil
		}
		if !k.expect("lhs.dtype == rhs.dtype") {
			return nil
		}
	}
	return k.out(d, k.BroadcastTensors(lhs, rhs)...)
}

// wider is NumPy's promotion; unknown where one of the two is.
func wider(a, b dt) dt {
	if a == dtype.Unknown || b == dtype.Unknown {
		return dtype.Unknown
	}
	return dtype.Numpy(a, b)
}

// dims makes a shape.
func dims(d ...symshape.Dim) symshape.Shape { return d }
