package eval

// This file holds the activation functions.

import (
	"math"

	"shapecheck/onnx"
)

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

func softsign(x float64) float64 { return x / (1 + math.Abs(x)) }

func relu(x float64) float64 { return atLeast(x, 0) }

func reluInt(d onnx.DType, x int64) int64 { return maxInt(d, x, 0) }

func elu(alpha, x float64) float64 {
	if x < 0 {
		return alpha * math.Expm1(x)
	}
	return x
}

func leakyRelu(alpha, x float64) float64 {
	if x < 0 {
		return alpha * x
	}
	return x
}

func thresholdedRelu(alpha, x float64) float64 {
	if x > alpha || math.IsNaN(x) {
		return x
	}
	return 0
}

func hardSigmoid(alpha, beta, x float64) float64 { return nanMax(0, nanMin(1, alpha*x+beta)) }

func swish(alpha, x float64) float64 {
	if math.IsInf(x, 0) && alpha != 0 {
		if (x > 0) == (alpha > 0) {
			return x
		}
		return 0
	}
	return x * sigmoid(alpha*x)
}

// withAlpha is a kernel of a function with the attribute alpha.
func withAlpha(f func(alpha, x float64) float64) kernel {
	return func(c *call) []Value {
		alpha := c.float("alpha")
		return []Value{c.mapped(func(x float64) float64 { return f(alpha, x) })}
	}
}

func celu(alpha, x float64) float64 { return nanMax(0, x) + nanMin(0, alpha*math.Expm1(x/alpha)) }

func selu(c *call) []Value {
	alpha, gamma := c.float("alpha"), c.float("gamma")
	return []Value{c.mapped(func(x float64) float64 { return gamma * elu(alpha, x) })}
}

func hardSigmoidKernel(c *call) []Value {
	alpha, beta := c.float("alpha"), c.float("beta")
	return []Value{c.mapped(func(x float64) float64 { return hardSigmoid(alpha, beta, x) })}
}

func hardSwish(x float64) float64 { return x * hardSigmoid(1.0/6, 0.5, x) }

func mish(x float64) float64 { return x * math.Tanh(softplus(x)) }

// gelu is exact, or the approximation by tanh.
func gelu(c *call) []Value {
	if c.text("approximate") == "tanh" {
		return []Value{c.mapped(func(x float64) float64 {
			return 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
		})}
	}
	return []Value{c.mapped(func(x float64) float64 { return 0.5 * x * math.Erfc(-x/math.Sqrt2) })}
}

// swiGLU is the swish of the first input times the second.
func swiGLU(c *call) []Value {
	alpha, x, y := c.float("alpha"), c.floatArg(0), c.floatArg(1)
	c.same(x, y)
	c.sized("the second input", y, x.Dims...)
	out := c.like(x, x.DType)
	for i := range out.F {
		c.tick(1)
		out.F[i] = swish(alpha, x.F[i]) * y.F[i]
	}
	return []Value{out}
}

// shrink moves what is far from zero towards it.
func shrink(c *call) []Value {
	bias, lambd := c.float("bias"), c.float("lambd")
	x := c.arg(0)
	if x.F == nil && x.I == nil {
		c.failf("elements of type %s", x.DType)
	}
	out := c.like(x, x.DType)
	for i := range x.Len() {
		switch v := x.At(i); {
		case v < -lambd:
			out.put(i, v+bias)
		case v > lambd:
			out.put(i, v-bias)
		}
	}
	return []Value{out}
}
