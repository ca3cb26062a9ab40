package eval

// This file lists the kernels.

import "math"

// A kernel computes a node's outputs; what it cannot is a panic of call.failf.
type kernel func(c *call) []*Tensor

var kernels = map[string]kernel{
	"Add":            arithmetic(func(x, y float64) float64 { return x + y }, func(x, y int64) int64 { return x + y }),
	"Sub":            arithmetic(func(x, y float64) float64 { return x - y }, func(x, y int64) int64 { return x - y }),
	"Mul":            arithmetic(func(x, y float64) float64 { return x * y }, func(x, y int64) int64 { return x * y }),
	"Div":            arithmetic(func(x, y float64) float64 { return x / y }, intDiv),
	"Mod":            modKernel,
	"Pow":            powKernel,
	"Max":            arithmetic(nanMax, func(x, y int64) int64 { return max(x, y) }),
	"Min":            arithmetic(nanMin, func(x, y int64) int64 { return min(x, y) }),
	"And":            arithmetic(nil, func(x, y int64) int64 { return x & y }),
	"Or":             arithmetic(nil, func(x, y int64) int64 { return x | y }),
	"Xor":            arithmetic(nil, func(x, y int64) int64 { return x ^ y }),
	"BitwiseAnd":     arithmetic(nil, func(x, y int64) int64 { return x & y }),
	"BitwiseOr":      arithmetic(nil, func(x, y int64) int64 { return x | y }),
	"BitwiseXor":     arithmetic(nil, func(x, y int64) int64 { return x ^ y }),
	"BitwiseNot":     numbers(nil, func(x int64) int64 { return ^x }),
	"BitShift":       shift,
	"Equal":          comparison(func(x, y float64) bool { return x == y }, func(x, y int64) bool { return x == y }),
	"Less":           comparison(func(x, y float64) bool { return x < y }, func(x, y int64) bool { return x < y }),
	"Greater":        comparison(func(x, y float64) bool { return x > y }, func(x, y int64) bool { return x > y }),
	"LessOrEqual":    comparison(func(x, y float64) bool { return x <= y }, func(x, y int64) bool { return x <= y }),
	"GreaterOrEqual": comparison(func(x, y float64) bool { return x >= y }, func(x, y int64) bool { return x >= y }),
	"Where":          whereKernel,
	"Clip":           clipKernel,

	"Neg":        numbers(func(x float64) float64 { return -x }, func(x int64) int64 { return -x }),
	"Abs":        numbers(math.Abs, func(x int64) int64 { return max(x, -x) }),
	"Sign":       numbers(sign, func(x int64) int64 { return boolOf(x > 0) - boolOf(x < 0) }),
	"Not":        numbers(nil, func(x int64) int64 { return 1 - x }),
	"Exp":        floats(math.Exp),
	"Log":        floats(math.Log),
	"Sqrt":       floats(math.Sqrt),
	"Reciprocal": floats(func(x float64) float64 { return 1 / x }),
	"Sin":        floats(math.Sin),
	"Cos":        floats(math.Cos),
	"Tan":        floats(math.Tan),
	"Asin":       floats(math.Asin),
	"Acos":       floats(math.Acos),
	"Atan":       floats(math.Atan),
	"Sinh":       floats(math.Sinh),
	"Cosh":       floats(math.Cosh),
	"Tanh":       floats(math.Tanh),
	"Asinh":      floats(math.Asinh),
	"Acosh":      floats(math.Acosh),
	"Atanh":      floats(math.Atanh),
	"Erf":        floats(math.Erf),
	"Floor":      floats(math.Floor),
	"Ceil":       floats(math.Ceil),
	"Round":      floats(math.RoundToEven),
	"Sigmoid":    floats(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
	"Softplus":   floats(softplus),
	"Relu":       numbers(func(x float64) float64 { return nanMax(x, 0) }, func(x int64) int64 { return max(x, 0) }),
	"LeakyRelu": withAlpha(0.01, 0, func(x, a, _ float64) float64 {
		if x < 0 {
			return a * x
		}
		return x
	}),
	"Elu": withAlpha(1, 0, func(x, a, _ float64) float64 {
		if x < 0 {
			return a * math.Expm1(x)
		}
		return x
	}),
	"HardSigmoid": withAlpha(0.2, 0.5, func(x, a, b float64) float64 { return max(0, min(1, a*x+b)) }),
	"IsNaN":       test(func(_ *call, x float64) bool { return math.IsNaN(x) }),
	"IsInf": test(func(c *call, x float64) bool {
		return math.IsInf(x, 1) && c.intAttr("detect_positive", 1) != 0 || math.IsInf(x, -1) && c.intAttr("detect_negative", 1) != 0
	}),
	"Softmax":    softmaxKernel(false),
	"LogSoftmax": softmaxKernel(true),
	"Cast":       castKernel,
	"Identity":   identity,
	"Dropout":    dropout,
	"Constant":   constantKernel,

	"Shape": shapeKernel, "Size": sizeKernel, "Reshape": reshapeKernel, "Flatten": flattenKernel, "Squeeze": squeezeKernel, "Unsqueeze": unsqueezeKernel,
	"Transpose": transposeKernel, "Expand": expandKernel, "Tile": tileKernel, "Concat": concatKernel, "Split": splitKernel, "Slice": sliceKernel,
	"Pad": padKernel, "Trilu": triluKernel, "ConstantOfShape": fillKernel, "Range": rangeKernel,

	"Gather": gatherKernel, "GatherElements": gatherElements, "GatherND": gatherND, "ScatterElements": scatterElements, "ScatterND": scatterND,
	"NonZero": nonZero, "Compress": compress, "OneHot": oneHot,

	"ReduceSum": reduceKernel, "ReduceMean": reduceKernel, "ReduceProd": reduceKernel, "ReduceMax": reduceKernel, "ReduceMin": reduceKernel,
	"ReduceSumSquare": reduceKernel, "ReduceL1": reduceKernel, "ReduceL2": reduceKernel,
	"ArgMax": argKernel(func(x, y float64) bool { return x > y }), "ArgMin": argKernel(func(x, y float64) bool { return x < y }),
	"CumSum": cumSum, "MatMul": matMul, "Einsum": einsum, "TopK": topK,

	"RandomUniformLike": drawn(uniform), "RandomNormalLike": drawn(normal), "Bernoulli": bernoulli,
}
