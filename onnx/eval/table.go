package eval

// This file lists the kernels of the standard domain. Each computes the newest version of
// its operator; upgrade.go says how older versions get there.

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"shapecheck/onnx"
)

// std names an operator of the standard domain.
func std(name string) opName { return opName{name: name} }

// An Op names an operator.
type Op struct{ Domain, Name string }

// Supported lists the operators that are computed.
func Supported() []Op {
	var out []Op
	for name := range kernels() {
		out = append(out, Op{name.domain, name.name})
	}
	slices.SortFunc(out, func(a, b Op) int { return cmp.Or(cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.Name, b.Name)) })
	return out
}

// unsupported are the operators that are not computed, with the reason.
var unsupported = map[opName]string{
	ml("CastMap"): "it takes a map", ml("DictVectorizer"): "it takes a map", ml("ZipMap"): "it gives maps",
	ml("SVMClassifier"): "no exporter of networks writes it", ml("SVMRegressor"): "no exporter of networks writes it",
	ml("LinearClassifier"):       "no exporter of networks writes it",
	ml("TreeEnsembleClassifier"): "no exporter of networks writes it", ml("Normalizer"): "no exporter of networks writes it",
	plus("DoSomething"): "it calls a function of the host", plus("LSTMGrad"): "the compiler writes gradients of recurrent networks as nodes",
	{domain: "ai.onnx.preview.training", name: "Gradient"}: "it differentiates the graph around it",
}

// kernels is made when a model is first evaluated: most commands evaluate none.
var kernels = sync.OnceValue(func() map[opName]kernel {
	out := map[opName]kernel{}
	for name, k := range standard() {
		out[std(name)] = k
	}
	for _, table := range []map[opName]kernel{previewKernels, learning, training, chainer} {
		for name, k := range table {
			out[name] = k
		}
	}
	return out
})

var previewKernels = map[opName]kernel{{domain: "ai.onnx.preview", name: "FlexAttention"}: flexAttention}

// standard gives the kernels of ONNX's standard domain by the names of their operators. It is a function, as only programs that
// evaluate need the table.
func standard() map[string]kernel {
	return map[string]kernel{
		"Add": fold(add, addInt), "Sub": fold(sub, subInt), "Mul": fold(mul, mulInt), "Div": fold(div, divInt), "Mod": modKernel,
		"Pow": powKernel,
		"Max": fold(nanMax, maxInt), "Min": fold(nanMin, minInt), "Sum": fold(add, nil), "Mean": mean,
		"And": fold(nil, andInt), "Or": fold(nil, orInt), "Xor": fold(nil, xorInt),
		"BitwiseAnd": fold(nil, andInt), "BitwiseOr": fold(nil, orInt), "BitwiseXor": fold(nil, xorInt),
		"BitwiseNot": numbers(nil, func(_ onnx.DType, x int64) int64 { return ^x }), "BitShift": shift,
		"Equal": comparison(func(x, y float64) bool { return x == y }, func(_ onnx.DType, x, y int64) bool { return x == y },
			func(x, y string) bool { return x == y }),
		"Less": comparison(func(x, y float64) bool { return x < y }, lessInt, nil),
		"Greater": comparison(func(x, y float64) bool { return x > y }, func(d onnx.DType, x, y int64) bool { return lessInt(d, y, x) },
			nil),
		"LessOrEqual": comparison(func(x, y float64) bool { return x <= y },
			func(d onnx.DType, x, y int64) bool { return !lessInt(d, y, x) }, nil),
		"GreaterOrEqual": comparison(func(x, y float64) bool { return x >= y },
			func(d onnx.DType, x, y int64) bool { return !lessInt(d, x, y) }, nil),
		"Where": whereKernel, "Clip": clipKernel, "PRelu": pRelu,

		"Neg": numbers(func(x float64) float64 { return -x }, func(_ onnx.DType, x int64) int64 { return -x }),
		"Abs": numbers(math.Abs, absInt), "Sign": numbers(sign, signInt),
		"Not": numbers(nil, func(_ onnx.DType, x int64) int64 { return 1 - x }),
		"Exp": floats(math.Exp), "Log": floats(math.Log), "Sqrt": floats(math.Sqrt),
		"Reciprocal": floats(func(x float64) float64 { return 1 / x }),
		"Sin":        floats(math.Sin), "Cos": floats(math.Cos), "Tan": floats(math.Tan), "Asin": floats(math.Asin), "Acos": floats(math.Acos),
		"Atan": floats(math.Atan),
		"Sinh": floats(math.Sinh), "Cosh": floats(math.Cosh), "Tanh": floats(math.Tanh), "Asinh": floats(math.Asinh),
		"Acosh": floats(math.Acosh), "Atanh": floats(math.Atanh),
		"Erf": floats(math.Erf), "Floor": floats(math.Floor), "Ceil": floats(math.Ceil), "Round": floats(math.RoundToEven),
		"IsNaN": test(isNaN), "IsInf": test(isInf),
		"Identity": identity, "Cast": castKernel, "CastLike": castLike, "BitCast": bitCast,

		"Relu": numbers(relu, reluInt), "LeakyRelu": withAlpha(leakyRelu), "Elu": withAlpha(elu), "Celu": withAlpha(celu),
		"ThresholdedRelu": withAlpha(thresholdedRelu), "Swish": withAlpha(swish),
		"Selu": selu, "HardSigmoid": hardSigmoidKernel, "HardSwish": floats(hardSwish), "Mish": floats(mish), "Gelu": gelu, "SwiGLU": swiGLU,
		"Shrink":  shrink,
		"Sigmoid": floats(sigmoid), "Softplus": floats(softplus), "Softsign": floats(softsign),
		"Softmax": softmaxKernel(false), "LogSoftmax": softmaxKernel(true), "Hardmax": hardmax, "LpNormalization": lpNormalization,

		"Constant": constantKernel, "ConstantOfShape": fillKernel, "Range": rangeKernel, "EyeLike": eyeLike,
		"Shape": shapeKernel, "Size": sizeKernel, "Reshape": reshapeKernel, "Flatten": flattenKernel, "Squeeze": squeezeKernel,
		"Unsqueeze": unsqueezeKernel,
		"Transpose": transposeKernel, "Expand": expandKernel, "Tile": tileKernel, "Concat": concatKernel, "Split": splitKernel,
		"Slice": sliceKernel,
		"Pad":   padKernel, "CenterCropPad": centerCropPad, "Trilu": triluKernel, "DepthToSpace": depthToSpace, "SpaceToDepth": spaceToDepth,
		"ReverseSequence": reverseSequence,

		"Gather": gatherKernel, "GatherElements": gatherElements, "GatherND": gatherND, "ScatterElements": scatterElements,
		"ScatterND": scatterND, "TensorScatter": tensorScatter,
		"NonZero": nonZero, "Compress": compress, "OneHot": oneHot, "TopK": topK, "Unique": unique,

		"ReduceSum": reduceSum.kernel, "ReduceMean": reduceMean.kernel, "ReduceProd": reduceProd.kernel, "ReduceMax": reduceMax.kernel,
		"ReduceMin":       reduceMin.kernel,
		"ReduceSumSquare": reduceSumSquare.kernel, "ReduceL1": reduceL1.kernel, "ReduceL2": reduceL2.kernel,
		"ReduceLogSum": reduceLogSum.kernel, "ReduceLogSumExp": reduceLogSumExp.kernel,
		"ArgMax": argKernel(true), "ArgMin": argKernel(false), "CumSum": running(0, add, addInt), "CumProd": running(1, mul, mulInt),

		"MatMul": matMul, "Gemm": gemm, "MatMulInteger": matMulInteger, "Einsum": einsum, "Det": det,
		"Conv": convKernel, "ConvInteger": convInteger, "ConvTranspose": convTranspose, "DeformConv": deformConv, "Col2Im": col2Im,
		"CausalConvWithState": causalConv,
		"MaxPool":             maxPool, "AveragePool": averagePool, "LpPool": lpPool, "GlobalMaxPool": globalPool(reduceMax),
		"GlobalAveragePool": globalPool(reduceMean), "GlobalLpPool": globalLpPool,
		"MaxUnpool": maxUnpool, "MaxRoiPool": maxRoiPool, "RoiAlign": roiAlign, "Resize": resize, "GridSample": gridSample,
		"AffineGrid": affineGrid, "NonMaxSuppression": nonMaxSuppression, "ImageDecoder": imageDecoder,

		"BatchNormalization": batchNorm, "InstanceNormalization": instanceNorm, "GroupNormalization": groupNormKernel,
		"LayerNormalization": layerNorm, "RMSNormalization": rmsNorm,
		"MeanVarianceNormalization": meanVarianceNorm, "LRN": lrn,
		"RNN": rnnKernel, "GRU": gruKernel, "LSTM": lstmKernel, "Attention": attention, "LinearAttention": linearAttention,
		"RotaryEmbedding":           rotaryEmbedding,
		"NegativeLogLikelihoodLoss": nllLoss, "SoftmaxCrossEntropyLoss": softmaxLoss,

		"QuantizeLinear": quantizeLinear, "DequantizeLinear": dequantizeLinear, "DynamicQuantizeLinear": dynamicQuantizeLinear,
		"QLinearMatMul": qLinearMatMul, "QLinearConv": qLinearConv,
		"DFT": dft, "STFT": stft, "MelWeightMatrix": melWeightMatrix,
		"HannWindow": cosineWindow(0.5, -0.5), "HammingWindow": cosineWindow(25.0/46, -21.0/46), "BlackmanWindow": cosineWindow(0.42, -0.5, 0.08),

		"RandomUniform": drawn(false, uniform), "RandomNormal": drawn(false, normal), "RandomUniformLike": drawn(true, uniform),
		"RandomNormalLike": drawn(true, normal),
		"Bernoulli":        bernoulli, "Multinomial": multinomial, "Dropout": dropout,

		"If": ifKernel, "Loop": loopKernel, "Scan": scanKernel, "SequenceMap": sequenceMap,
		"SequenceEmpty": sequenceEmpty, "SequenceConstruct": sequenceConstruct, "SequenceAt": sequenceAt, "SequenceInsert": sequenceInsert,
		"SequenceErase": sequenceErase, "SequenceLength": sequenceLength,
		"ConcatFromSequence": concatFromSequence, "SplitToSequence": splitToSequence, "Optional": optionalKernel,
		"OptionalGetElement": optionalGetElement, "OptionalHasElement": optionalHasElement,
		"StringConcat": stringConcat, "StringSplit": stringSplit, "StringNormalizer": stringNormalizer, "RegexFullMatch": regexFullMatch,
		"TfIdfVectorizer": tfIdfVectorizer,
	}
}
