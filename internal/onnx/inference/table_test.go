package inference

// This file holds the test that every operator has a rule.

import (
	"strings"
	"testing"
)

// standard lists the operators of the default domain up to opset 21, from the
// specification's operator list, with those that later versions deprecate.
const standard = `
Abs Acos Acosh Add AffineGrid And ArgMax ArgMin Asin Asinh Atan Atanh AveragePool BatchNormalization Bernoulli BitShift BitwiseAnd BitwiseNot
BitwiseOr BitwiseXor BlackmanWindow Cast CastLike Ceil Celu CenterCropPad Clip Col2Im Compress Concat ConcatFromSequence Constant ConstantOfShape Conv
ConvInteger ConvTranspose Cos Cosh CumSum DFT DeformConv DepthToSpace DequantizeLinear Det Div Dropout DynamicQuantizeLinear Einsum Elu Equal Erf Exp
Expand EyeLike Flatten Floor GRU Gather GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalLpPool GlobalMaxPool Greater GreaterOrEqual
GridSample GroupNormalization HammingWindow HannWindow HardSigmoid HardSwish Hardmax Identity If ImageDecoder InstanceNormalization IsInf IsNaN LRN
LSTM LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax Loop LpNormalization LpPool MatMul MatMulInteger Max MaxPool MaxRoiPool MaxUnpool
Mean MeanVarianceNormalization MelWeightMatrix Min Mish Mod Mul Multinomial Neg NegativeLogLikelihoodLoss NonMaxSuppression NonZero Not OneHot
Optional OptionalGetElement OptionalHasElement Or PRelu Pad Pow QLinearConv QLinearMatMul QuantizeLinear RNN RandomNormal RandomNormalLike
RandomUniform RandomUniformLike Range Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum
ReduceSumSquare RegexFullMatch Relu Reshape Resize ReverseSequence RoiAlign Round STFT Scan Scatter ScatterElements ScatterND Selu SequenceAt
SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength SequenceMap Shape Shrink Sigmoid Sign Sin Sinh Size Slice Softmax
SoftmaxCrossEntropyLoss Softplus Softsign SpaceToDepth Split SplitToSequence Sqrt Squeeze StringConcat StringNormalizer StringSplit Sub Sum Tan Tanh
TfIdfVectorizer ThresholdedRelu Tile TopK Transpose Trilu Unique Unsqueeze Upsample Where Xor`

func TestEveryStandardOperatorHasARule(t *testing.T) {
	table := opTable()
	listed := map[string]bool{}
	for _, name := range strings.Fields(standard) {
		listed[name] = true
		if o := table[opKey{"", name}]; o == nil || o.rule == nil {
			t.Errorf("%s has no rule", name)
		}
	}
	n := 0
	for k, o := range table {
		if k.domain != "" {
			continue
		}
		n++
		if !listed[k.name] {
			t.Errorf("%s is no operator of opset %d", k.name, MaxOpset)
		}
		if o.min < o.since && o.min != 1 || o.since < 1 || o.since > MaxOpset {
			t.Errorf("%s: since %d, min %d", k.name, o.since, o.min)
		}
		if o.in[1] >= 0 && o.in[1] < o.in[0] || o.out[1] >= 0 && o.out[1] < o.out[0] {
			t.Errorf("%s: inputs %v, results %v", k.name, o.in, o.out)
		}
	}
	if n != len(listed) {
		t.Errorf("the table has %d operators; there are %d", n, len(listed))
	}
	total := 0
	for _, f := range families() {
		total += len(f)
	}
	if total != n {
		t.Errorf("the families have %d records for %d operators: one stands twice", total, n)
	}
}
