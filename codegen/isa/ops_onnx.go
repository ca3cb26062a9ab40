package isa

import (
	"math"
	"strings"
	"sync"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// This file numbers the operators of ONNX and ONNX+ that are instructions of their own.
// Numbers are never changed or used again: a new operator gets the next free one of its
// domain. Not here: If, Loop, Scan and SequenceMap, which are emitted as regions; Constant,
// which is a constant; ChainerFusionGroup, which is a group; and operators on strings.

// TrainingDomain is the domain of ONNX's optimisers.
const TrainingDomain = "ai.onnx.preview.training"

// LearningDomain is the domain of classical machine learning.
const LearningDomain = "ai.onnx.ml"

// A numbered operator.
type numbered struct {
	op   Op
	name string
}

var onnxDomains = []struct {
	domain string
	list   []numbered
}{{"", standardOps}, {TrainingDomain, trainingOps}, {schema.Chainer, chainerOps}, {LearningDomain, learningOps}}

// attrKinds are the forms that attributes of ONNX have here: a tensor is a constant.
var attrKinds = [onnx.AttrTypeProtos + 1]AttrKind{onnx.AttrInt: IntAttr, onnx.AttrFloat: FloatAttr, onnx.AttrString: StringAttr,
	onnx.AttrInts:   IntsAttr,
	onnx.AttrFloats: FloatsAttr, onnx.AttrStrings: StringsAttr, onnx.AttrTensor: ConstantAttr, onnx.AttrTypeProto: TypeAttr}

// fromSchema makes an opcode's schema from the operator's newest version, which is the
// canonical form of its instruction.
func fromSchema(o Op, domain, name string) *Info {
	op := schema.Last(domain, name)
	i := &Info{Op: o, Name: name, Domain: domain, Doc: "ONNX's operator"}
	operands := func(list []schema.Param) (out []Operand) {
		for _, p := range list {
			x := Operand{Name: p.Name, Elem: p.Types.Tensors, Var: p.Var, Optional: p.Optional, Variadic: p.Variadic, Mixed: p.Mixed, Min: p.Min}
			for _, k := range []struct {
				set  schema.DTypes
				kind Kinds
			}{{p.Types.Tensors, Tensors}, {p.Types.Sequences, Sequences}, {p.Types.Optionals | p.Types.OptionalSequences, Optionals}} {
				if k.set != 0 {
					x.Kinds |= k.kind
				}
			}
			if p.Types.String() == "" { // ONNX+ says nothing of some
				x.Kinds = AnyKind
			}
			out = append(out, x)
		}
		return out
	}
	i.In, i.Out = operands(op.Inputs), operands(op.Outputs)
	for k := range i.In {
		if x := &i.In[k]; x.Elem != 0 { // programs are made of models of all versions
			x.Elem |= op.Took(k)
		}
	}
	for k := range i.Out { // and results are of the operands' types
		for _, x := range i.In {
			if i.Out[k].Elem != 0 && i.Out[k].Var != "" && i.Out[k].Var == x.Var {
				i.Out[k].Elem |= x.Elem
			}
		}
	}
	if domain == "" && name == "SequenceInsert" { // loops collect their rows with it, of every type
		i.In[1].Elem = 0
	}
	for _, a := range op.Attrs {
		spec := AttrSpec{Name: a.Name, Kind: attrKinds[a.Type], Required: a.Required, Enum: a.OneOf}
		if a.HasMin {
			spec.Lo, spec.Hi = a.Min, math.MaxInt64
		}
		if spec.Kind != 0 {
			i.Attrs = append(i.Attrs, spec)
		}
	}
	i.InPlace = InPlaceOf(domain, name)
	return i
}

// InPlaceOf lists the operands of an operator of ONNX whose memory the first result may
// take, where they have its type and sizes: each element of the result needs only the
// operand's element at its place, or the operand is what the result begins as.
func InPlaceOf(domain, name string) []int {
	if onnx.StandardDomain(domain) != "" {
		return nil
	}
	return inPlace()[name]
}

var inPlace = sync.OnceValue(func() map[string][]int {
	out := map[string][]int{"Where": {1, 2}}
	for _, name := range strings.Fields(`Abs Acos Acosh Asin Asinh Atan Atanh BitwiseNot Cast Ceil Celu Clip Cos Cosh Dropout Elu Erf Exp Floor Gelu HardSigmoid
		HardSwish Identity IsInf IsNaN LeakyRelu Log Mish Neg Not Reciprocal Relu Round ScatterElements ScatterND Selu Shrink Sigmoid Sign Sin Sinh Softplus
		Softsign Sqrt Swish Tan Tanh TensorScatter ThresholdedRelu Trilu`) {
		out[name] = []int{0}
	}
	for _, name := range strings.Fields(`Add And BitShift BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater GreaterOrEqual Less LessOrEqual Max Mean Min Mod Mul Or
		PRelu Pow Sub Sum Xor`) {
		out[name] = []int{0, 1}
	}
	return out
})

// standardOps are those of the default domain.
var standardOps = []numbered{
	{256, "Abs"}, {257, "Acos"}, {258, "Acosh"}, {259, "Add"}, {260, "AffineGrid"}, {261, "And"}, {262, "ArgMax"}, {263, "ArgMin"},
	{264, "Asin"},
	{265, "Asinh"}, {266, "Atan"}, {267, "Atanh"}, {268, "Attention"}, {269, "AveragePool"}, {270, "BatchNormalization"}, {271, "Bernoulli"},
	{272, "BitCast"}, {273, "BitShift"}, {274, "BitwiseAnd"}, {275, "BitwiseNot"}, {276, "BitwiseOr"}, {277, "BitwiseXor"},
	{278, "BlackmanWindow"},
	{279, "Cast"}, {280, "CastLike"}, {281, "CausalConvWithState"}, {282, "Ceil"}, {283, "Celu"}, {284, "CenterCropPad"}, {285, "Clip"},
	{286, "Col2Im"}, {287, "Compress"}, {288, "Concat"}, {289, "ConcatFromSequence"}, {290, "ConstantOfShape"}, {291, "Conv"},
	{292, "ConvInteger"},
	{293, "ConvTranspose"}, {294, "Cos"}, {295, "Cosh"}, {296, "CumProd"}, {297, "CumSum"}, {298, "DFT"}, {299, "DeformConv"},
	{300, "DepthToSpace"},
	{301, "DequantizeLinear"}, {302, "Det"}, {303, "Div"}, {304, "Dropout"}, {305, "DynamicQuantizeLinear"}, {306, "Einsum"}, {307, "Elu"},
	{308, "Equal"}, {309, "Erf"}, {310, "Exp"}, {311, "Expand"}, {312, "EyeLike"}, {313, "Flatten"}, {314, "Floor"}, {315, "GRU"},
	{316, "Gather"},
	{317, "GatherElements"}, {318, "GatherND"}, {319, "Gelu"}, {320, "Gemm"}, {321, "GlobalAveragePool"}, {322, "GlobalLpPool"},
	{323, "GlobalMaxPool"},
	{324, "Greater"}, {325, "GreaterOrEqual"}, {326, "GridSample"}, {327, "GroupNormalization"}, {328, "HammingWindow"}, {329, "HannWindow"},
	{330, "HardSigmoid"}, {331, "HardSwish"}, {332, "Hardmax"}, {333, "Identity"}, {334, "ImageDecoder"}, {335, "InstanceNormalization"},
	{336, "IsInf"}, {337, "IsNaN"}, {338, "LRN"}, {339, "LSTM"}, {340, "LayerNormalization"}, {341, "LeakyRelu"}, {342, "Less"},
	{343, "LessOrEqual"},
	{344, "LinearAttention"}, {345, "Log"}, {346, "LogSoftmax"}, {347, "LpNormalization"}, {348, "LpPool"}, {349, "MatMul"},
	{350, "MatMulInteger"},
	{351, "Max"}, {352, "MaxPool"}, {353, "MaxRoiPool"}, {354, "MaxUnpool"}, {355, "Mean"}, {356, "MeanVarianceNormalization"},
	{357, "MelWeightMatrix"}, {358, "Min"}, {359, "Mish"}, {360, "Mod"}, {361, "Mul"}, {362, "Multinomial"}, {363, "Neg"},
	{364, "NegativeLogLikelihoodLoss"}, {365, "NonMaxSuppression"}, {366, "NonZero"}, {367, "Not"}, {368, "OneHot"}, {369, "Optional"},
	{370, "OptionalGetElement"}, {371, "OptionalHasElement"}, {372, "Or"}, {373, "PRelu"}, {374, "Pad"}, {375, "Pow"}, {376, "QLinearConv"},
	{377, "QLinearMatMul"}, {378, "QuantizeLinear"}, {379, "RMSNormalization"}, {380, "RNN"}, {381, "RandomNormal"}, {382, "RandomNormalLike"},
	{383, "RandomUniform"}, {384, "RandomUniformLike"}, {385, "Range"}, {386, "Reciprocal"}, {387, "ReduceL1"}, {388, "ReduceL2"},
	{389, "ReduceLogSum"}, {390, "ReduceLogSumExp"}, {391, "ReduceMax"}, {392, "ReduceMean"}, {393, "ReduceMin"}, {394, "ReduceProd"},
	{395, "ReduceSum"}, {396, "ReduceSumSquare"}, {397, "Relu"}, {398, "Reshape"}, {399, "Resize"}, {400, "ReverseSequence"},
	{401, "RoiAlign"},
	{402, "RotaryEmbedding"}, {403, "Round"}, {404, "STFT"}, {405, "ScatterElements"}, {406, "ScatterND"}, {407, "Selu"}, {408, "SequenceAt"},
	{409, "SequenceConstruct"}, {410, "SequenceEmpty"}, {411, "SequenceErase"}, {412, "SequenceInsert"}, {413, "SequenceLength"},
	{414, "Shape"},
	{415, "Shrink"}, {416, "Sigmoid"}, {417, "Sign"}, {418, "Sin"}, {419, "Sinh"}, {420, "Size"}, {421, "Slice"}, {422, "Softmax"},
	{423, "SoftmaxCrossEntropyLoss"}, {424, "Softplus"}, {425, "Softsign"}, {426, "SpaceToDepth"}, {427, "Split"}, {428, "SplitToSequence"},
	{429, "Sqrt"}, {430, "Squeeze"}, {431, "Sub"}, {432, "Sum"}, {433, "SwiGLU"}, {434, "Swish"}, {435, "Tan"}, {436, "Tanh"},
	{437, "TensorScatter"},
	{438, "TfIdfVectorizer"}, {439, "ThresholdedRelu"}, {440, "Tile"}, {441, "TopK"}, {442, "Transpose"}, {443, "Trilu"}, {444, "Unique"},
	{445, "Unsqueeze"}, {446, "Where"}, {447, "Xor"},
}

// trainingOps are those of TrainingDomain.
var trainingOps = []numbered{
	{1000, "Adagrad"}, {1001, "Adam"}, {1002, "Momentum"},
}

// chainerOps are those of schema.Chainer.
var chainerOps = []numbered{
	{1024, "ChainerLinear"}, {1025, "ChainerLinearGradWeight"}, {1026, "ChainerReluGrad"}, {1027, "ChainerReduceSumTo"},
	{1028, "ChainerROIMaxPool2D"},
	{1029, "ChainerROIAveragePool2D"}, {1030, "ChainerROIMaxAlign2D"}, {1031, "ChainerROIAverageAlign2D"}, {1032, "ChainerResizeImages"},
	{1033, "ChainerPadBatchSize"}, {1034, "ChainerDoSomething"}, {1035, "ChainerMaxPoolGrad"}, {1036, "ChainerAveragePoolGrad"},
	{1037, "ChainerResizeGrad"}, {1038, "ChainerBatchNormalizationExpandedStatsShape"}, {1039, "ChainerBatchNormalizationGrad"},
	{1040, "ChainerConvTransposeWithDynamicOutputShape"}, {1041, "ChainerSoftmaxCrossEntropy"}, {1042, "ChainerSelectItem"},
	{1043, "ChainerSelectItemGrad"}, {1044, "ChainerLRNGrad"}, {1045, "ChainerLSTMGrad"}, {1046, "ChainerConvGradWeight"},
	{1047, "ChainerGatherGrad"},
	{1048, "ChainerConcatGrad"}, {1049, "ChainerDynamicSliceGrad"}, {1050, "ChainerDtype"}, {1051, "ChainerDynamicCast"},
	{1052, "ChainerSquare"},
	{1053, "ChainerGetItem"}, {1054, "ChainerGetItemGrad"}, {1055, "ChainerSetItem"}, {1056, "ChainerPrint"}, {1057, "ChainerNullConstant"},
	{1058, "ChainerSequenceConstants"}, {1059, "ChainerSequenceExtend"}, {1060, "ChainerSequencePop"}, {1061, "ChainerSequenceUpdate"},
	{1062, "ChainerSequenceGetSlice"}, {1063, "ChainerSequencePad"}, {1064, "ChainerSequenceUnpad"}, {1065, "ChainerSequenceLengths"},
	{1066, "ChainerSequenceRange"}, {1067, "ChainerSequenceAtGrad"}, {1068, "ChainerSequenceGetSliceGrad"}, {1069, "ChainerGenericLen"},
	{1070, "ChainerGenericGetItem"}, {1071, "ChainerGenericGetSlice"}, {1072, "ChainerGenericAdd"}, {1073, "ChainerGenericIs"},
	{1074, "ChainerGenericAccumulateGrad"},
}

// learningOps are those of LearningDomain that take and give numbers.
var learningOps = []numbered{
	{1296, "ArrayFeatureExtractor"}, {1297, "Binarizer"}, {1298, "FeatureVectorizer"}, {1299, "Imputer"}, {1300, "LinearRegressor"},
	{1301, "OneHotEncoder"},
	{1302, "Scaler"}, {1303, "TreeEnsemble"}, {1304, "TreeEnsembleRegressor"}, {1305, "LabelEncoder"},
}
