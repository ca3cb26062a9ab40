package chainer

// This file holds the activation functions, and other functions of one input that keep
// its type.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

const floating = "x.dtype.kind == f"

// unary makes records of functions of one floating input: pairs of name and label.
func unary(doc, pairs string) []ops.Op {
	var out []ops.Op
	f := strings.Fields(pairs)
	for i := 0; i+1 < len(f); i += 2 {
		out = append(out, fn(f[i], f[i+1], "(x)", keepsType, doc).With(ops.Op{Is: graph.OneTensor}))
	}
	return out
}

// keepsType is the rule of a function of a floating input that gives its type.
func keepsType(k *call) value.Value {
	if !k.apply("x") || !k.expect(floating) {
		return nil
	}
	return k.like("x")
}

// withNumbers is keepsType with further arguments that must be numbers.
func withNumbers(names ...string) rule {
	return func(k *call) value.Value {
		for _, n := range names {
			k.real(n)
		}
		return keepsType(k)
	}
}

// along is keepsType with an axis, in a chain of comparisons.
func along(k *call) value.Value {
	k.asksTruth = true
	if !k.apply("x") || !k.expect(floating) {
		return nil
	}
	a := k.axis("axis", "x")
	k.largestOf("x", a)
	return k.like("x")
}

// largestOf refuses to look for the largest of no elements along an axis.
func (k *call) largestOf(name string, axis int) {
	if k.OK() && !k.AtLeast(k.s(name)[axis], 1) {
		k.Errorf("ValueError", diag.BadValue, "%s(): axis %d of %s has no elements", k.Short(), axis, k.t(name))
	}
}

// activations lists the activation functions: a floating input whose type the result has, except for
// crelu, which doubles an axis. The learned slopes of prelu and swish have the sizes of the axes after the
// first, in order; parameters that are numbers are read as real numbers within the bounds that a record
// checks.
func activations() []ops.Op {
	return append(unary("an activation function", "relu ReLU hard_sigmoid HardSigmoid sigmoid Sigmoid tanh Tanh relu6 ClippedReLU"),
		fn("elu", "ELU", "(x, alpha=1.0)", withNumbers("alpha"), "exponential linear unit"),
		fn("selu", "ELU|?", "(x, alpha=1.6732632423543772, scale=1.0507009873554805)", withNumbers("alpha", "scale"),
			"scaled exponential linear unit"),
		fn("leaky_relu", "LeakyReLU", "(x, slope=0.2)", withNumbers("slope"), "max(x, slope·x)"),
		fn("softplus", "Softplus", "(x, beta=1.0)", func(k *call) value.Value {
			k.real("beta")
			if f, known := k.Float("beta"); k.OK() && known && f == 0 {
				return k.Errorf("ZeroDivisionError", diag.BadValue, "softplus(): beta is 0")
			}
			return keepsType(k)
		}, "log(1 + exp(beta·x)) / beta"),
		fn("clipped_relu", "ClippedReLU", "(x, z=20.0)", func(k *call) value.Value {
			v := k.Value("z")
			switch v.(type) {
			case value.Float, *value.SymFloat, *value.Unknown, *value.Instance:
			default:
				return k.Errorf("TypeError", diag.TypeMismatch, "clipped_relu(): z must be a float, not %s", ops.TypeName(v))
			}
			if f, known := k.Float("z"); known && f <= 0 {
				return k.Errorf("AssertionError", diag.BadValue, "clipped_relu(): z must be positive, but is %v", f)
			}
			return keepsType(k)
		}, "min(max(x, 0), z)"),
		fn("softmax", "Softmax", "(x, axis=1)", along, "exp(x) over its sum along an axis").With(ops.Op{Is: graph.OneTensor}),
		fn("log_softmax", "LogSoftmax", "(x, axis=1)", along, "the logarithm of softmax"),
		fn("crelu", "CReLU", "(x, axis=1)", func(k *call) value.Value {
			n := k.integer("axis")
			if !k.apply("x") || !k.expect(floating) {
				return nil
			}
			a := k.wrap(n, "x")
			if !k.OK() {
				return nil
			}
			s := k.s("x")
			return k.out(k.d("x"), ops.With(s, a, k.P.DimMul(s[a], k.Const(2)))...)
		}, "relu of x and of -x, side by side along an axis"),
		fn("prelu", "PReLUFunction", "(x, W)", func(k *call) value.Value {
			if !k.apply("x", "W") || !k.expect(floating, "W.dtype == x.dtype", "x.ndim >= W.ndim + 1", "x.shape[1:1 + W.ndim] == W.shape") {
				return nil
			}
			return k.like("x")
		}, "leaky relu with slopes that are learned"),
		fn("swish", "Swish", "(x, beta)", func(k *call) value.Value {
			if !k.apply("x", "beta") || !k.expect(floating, "beta.dtype == x.dtype", "beta.ndim <= x.ndim - 1",
				"beta.shape == x.shape[1:1 + beta.ndim]") {
				return nil
			}
			return k.like("x")
		}, "x · sigmoid(beta·x)"),
		fn("rrelu", "RReLU", "(x, l=0.125, u=0.3333333333333333, *, r=None, return_r=False)", func(k *call) value.Value {
			k.ratio("l")
			k.ratio("u")
			l, known := k.Float("l")
			if u, too := k.Float("u"); k.OK() && known && too && l >= u {
				return k.Errorf("ValueError", diag.BadValue, "rrelu(): l must be less than u, but they are %v and %v", l, u)
			}
			if !k.apply("x", "r?") || !k.expect(floating) {
				return nil
			}
			if u, too := k.Float("u"); !k.training() && known && too && !k.Has("r") { // the slope is the mean of both
				k.applied("l", (l+u)/2)
				k.applied("u", (l+u)/2)
			}
			if k.t("r") != nil && !k.expect("x.dtype == r.dtype", "x.shape == r.shape") {
				return nil
			}
			return k.withArray(k.like("x"), "return_r", k.d("x"), "x")
		}, "leaky relu with random slopes"),
	)
}

// withArray gives a result, and with it an array of the shape of an input where an argument
// asks for it.
func (k *call) withArray(v value.Value, asked string, d dt, of string) value.Value {
	if !k.OK() || !k.flag(asked) {
		return v
	}
	extra := k.Like(k.t(of), d)
	extra.Class = k.NDArray()
	return value.NewTuple(v, extra)
}
