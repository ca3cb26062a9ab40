package pass_test

import (
	"slices"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/codegen/pass"
	"shapecheck/onnx/schema"
)

// What an ancestor of this compiler rewrote (chainer-compiler's simplifier and merges), and what
// does the same here. Of the fields one is set.
var ancestors = []struct {
	what   string
	rules  []string // pass:rule, or a pass
	native string   // an instruction that computes it as it stands
	older  string   // an operator whose older forms become the newest one when a model is read
	none   string   // why nothing does
}{
	{what: "Mul(x, x) → Square", none: "a product with itself is no slower"},
	{what: "Sum → chain of Add", rules: []string{"canon:sum-of-one", "canon:sum-of-two", "canon:sum-of-more"}},
	{what: "Mean → Sum / n", native: "Mean"}, // one rounding instead of n
	{what: "Less → Greater", native: "Less"},
	{what: "ArgMin → ArgMax of the negation", native: "ArgMin"}, // wrong for unsigned numbers and the least integer
	{what: "LpNormalization → x / (norm + 1e-5)", native: "LpNormalization"},
	{what: "SoftmaxCrossEntropy → LogSoftmax, SelectItem, means", native: "ChainerSoftmaxCrossEntropy"},
	{what: "Scan → Loop", rules: []string{"loops"}},
	{what: "GlobalMaxPool → MaxPool", rules: []string{"canon:global-pool"}},
	{what: "GlobalAveragePool → AveragePool", rules: []string{"canon:global-pool"}},
	{what: "Flatten → Reshape", rules: []string{"canon:view"}},
	{what: "ReduceL1 → Abs, ReduceSum", native: "ReduceL1"},
	{what: "ReduceL2 → ReduceSumSquare, Sqrt", native: "ReduceL2"},
	{what: "ReduceLogSum → ReduceSum, Log", native: "ReduceLogSum"},
	{what: "ReduceLogSumExp → Exp, ReduceLogSum", native: "ReduceLogSumExp"}, // overflows without the maximum
	{what: "ChainerReduceSumTo of equal sizes → Identity", rules: []string{"canon:no-sum"}},
	{what: "Softsign → x / (|x| + 1)", native: "Softsign"},
	{what: "ConstantOfShape → ConstantFill", rules: []string{"canon:fill"}},
	{what: "ConstantLike → ConstantFill", none: "ONNX has no such operator since its version 1.3"},
	{what: "Shape of known sizes → constant", rules: []string{"sizes"}},
	{what: "Identity", rules: []string{"canon:identity"}},
	{what: "Concat of one", rules: []string{"canon:concat-of-one"}},
	{what: "ImageScaler → Mul, Add", none: "ONNX has no such operator since its version 1.5"},
	{what: "Slice with attributes → with inputs", older: "Slice"},
	{what: "MaxRoiPool → ChainerROIMaxPool2D", native: "MaxRoiPool"},
	{what: "ChainerSelectItem → OneHot, sums", rules: []string{"canon:select-item"}},
	{what: "MaxPool with unequal pads → Pad, MaxPool", native: "MaxPool"},
	{what: "AveragePool with unequal pads → Pad, AveragePool", native: "AveragePool"},
	{what: "QLinearMatMul → MatMul of dequantized operands", native: "QLinearMatMul"},
	{what: "SequenceEmpty → SequenceConstruct", native: "SequenceEmpty"},
	{what: "Clip with attributes → with inputs", older: "Clip"},
	{what: "TopK with an attribute → with an input", older: "TopK"},
	{what: "Upsample → Resize", older: "Upsample"},
	{what: "Pad with attributes → with inputs", older: "Pad"},
	{what: "ChainerLinear → Gemm", rules: []string{"canon:linear"}},
	{what: "Split → Slices", none: "Split is computed as it stands"},
	{what: "Constant → initializer", none: "both are constants of the module"},
	{what: "Pad → its old form", none: "was for a foreign backend"},
	{what: "Resize → Upsample", none: "was for a foreign backend"},
	{what: "function operators → their bodies", native: "DynamicQuantizeLinear"},
	{what: "MeanVarianceNormalization → its body", native: "MeanVarianceNormalization"},

	{what: "Split, Concat", rules: []string{"canon:concat-of-split"}},
	{what: "Pad, Conv", rules: []string{"merge:pad-conv"}},
	{what: "Transpose, Gemm", rules: []string{"merge:product-transpose", "merge:gemm"}},
	{what: "MatMul, Add", rules: []string{"merge:product-add"}},
	{what: "Conv, BatchNormalization", rules: []string{"merge:conv-norm"}},
	{what: "ConvTranspose, BatchNormalization", rules: []string{"merge:conv-norm"}},
	{what: "Conv, Add of a constant", rules: []string{"merge:conv-bias"}},
	{what: "Add, Add → Sum", none: "a sum of n rounds otherwise, and was off"},
	{what: "Sum, Add → Sum", none: "a sum of n rounds otherwise, and was off"},
}

func TestRewritingsOfTheAncestorAreHereOrHaveAReason(t *testing.T) {
	names := pass.RuleNames()
	for _, p := range pass.Passes() {
		names = append(names, p.Name)
	}
	for _, a := range ancestors {
		n := 0
		for _, r := range a.rules {
			if n = 1; !slices.Contains(names, r) {
				t.Errorf("%s: there is no rule or pass %s", a.what, r)
			}
		}
		if a.native != "" {
			if n++; !isa.Known(a.native) {
				t.Errorf("%s: there is no instruction %s", a.what, a.native)
			}
		}
		if a.older != "" {
			if n++; schema.Last("", a.older) == nil || schema.Last("", a.older).Since < 10 {
				t.Errorf("%s: %s has no newer form", a.what, a.older)
			}
		}
		if a.none != "" {
			n++
		}
		if n != 1 {
			t.Errorf("%s: %d answers", a.what, n)
		}
	}
	if len(ancestors) != 41+9 {
		t.Errorf("%d rewritings", len(ancestors))
	}
}
