package lower_test

// This file tests ONNX+: what becomes an operator of org.chainer, and why others of
// them are never written.

import (
	"slices"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/lower"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
)

// plusOperators are the operators of org.chainer without their prefix: a program that
// becomes one ("body; arguments"), or after "-" the reason why none does.
var plusOperators = map[string]string{
	"Linear":                              "return F.linear(x, w, b); x:f32[A,B,3] w:f32[4,3] b:f32[4]",
	"Square":                              "return torch.square(x); x:f32[A]",
	"ResizeImages":                        "return F.interpolate(x, size=(7, 9), mode='bilinear', align_corners=True); x:f32[B,3,5,6]",
	"GetItem":                             "return x[1:, ..., 2] + x[0, :, 0, 1][None]; x:f32[2,B,3,3]",
	"SetItem":                             "x = x.clone()\n    x[0, 1:3] = w\n    x[..., -1] = 2\n    return x; x:f32[A,5,C] w:f32[C]",
	"ReduceSumTo":                         "return x.sum_to_size(1, x.shape[1]); x:f32[A,B]",
	"SequencePad":                         "return nn.utils.rnn.pad_sequence([x, w], batch_first=True, padding_value=1.5); x:f32[A,3] w:f32[B,3]",
	"ConvTransposeWithDynamicOutputShape": "return F.conv_transpose2d(x, w, b, stride=2, output_padding=x.shape[2] % 2); x:f32[1,3,H,W] w:f32[3,4,3,3] b:f32[4]",
	"SequenceExtend":                      "a, more = [x], []\n    for i in range(int(x.sum())):\n        more.append(x * 2)\n    a.extend(more)\n    return torch.stack(a); x:i64[N]",
	"DoSomething":                         "return torch.linalg.svdvals(x); x:f32[4,N]",

	"LinearGradWeight":                     "-" + gradient,
	"ReluGrad":                             "-" + gradient,
	"MaxPoolGrad":                          "-" + gradient,
	"AveragePoolGrad":                      "-" + gradient,
	"ResizeGrad":                           "-" + gradient,
	"BatchNormalizationExpandedStatsShape": "-" + gradient,
	"BatchNormalizationGrad":               "-" + gradient,
	"SelectItemGrad":                       "-" + gradient,
	"LRNGrad":                              "-" + gradient,
	"LSTMGrad":                             "-" + gradient,
	"ConvGradWeight":                       "-" + gradient,
	"GatherGrad":                           "-" + gradient,
	"ConcatGrad":                           "-" + gradient,
	"DynamicSliceGrad":                     "-" + gradient,
	"GetItemGrad":                          "-" + gradient,
	"SequenceAtGrad":                       "-" + gradient,
	"SequenceGetSliceGrad":                 "-" + gradient,
	"GenericAccumulateGrad":                "-" + gradient,

	"ROIMaxPool2D":        "-torchvision's roi_pool has a standard operator, MaxRoiPool",
	"ROIAveragePool2D":    "-neither PyTorch nor torchvision has average pooling of regions without position sensitivity",
	"ROIMaxAlign2D":       "-torchvision's roi_align takes averages",
	"ROIAverageAlign2D":   "-torchvision's roi_align has a standard operator, RoiAlign",
	"PadBatchSize":        "-padding has a standard operator, Pad",
	"SoftmaxCrossEntropy": "-PyTorch's cross_entropy passes over targets of -100; the operator has no such label",
	"SelectItem":          "-PyTorch's indices may be negative",
	"Dtype":               "-element types are known when the model is written",
	"DynamicCast":         "-element types are known when the model is written: Cast",
	"FusionGroup":         "-the compiler's passes make it",
	"Print":               "-print() leaves no trace in the typed graph",
	"NullConstant":        "-no operator asks whether a value is null; Optional is standard",
	"SequenceConstants":   "-SequenceConstruct of constants is standard, and the compiler folds it",
	"SequencePop":         "-a list from which a loop of unknown length takes elements is not followed",
	"SequenceUpdate":      "-a list of unknown length whose elements are replaced is not followed",
	"SequenceGetSlice":    "-a slice of a list of unknown length is a Loop in both dialects: its bounds are sizes",
	"SequenceUnpad":       "-unpad_sequence selects by masks, element by element",
	"SequenceLengths":     "-lengths are sizes, which are computed as numbers",
	"SequenceRange":       "-ranges are bounds of loops",
	"GenericLen":          "-whether a value is a list or a tensor is known: lengths are sizes",
	"GenericGetItem":      "-whether a value is a list or a tensor is known: SequenceAt, GetItem",
	"GenericGetSlice":     "-whether a value is a list or a tensor is known: GetItem",
	"GenericAdd":          "-whether a value is a list or a tensor is known: Add, SequenceExtend",
	"GenericIs":           "-identity is decided by the interpreter",
}

const gradient = "the compiler makes it when it differentiates a graph"

// lowerPlus lowers a program in ONNX+ and infers its types again.
func lowerPlus(t *testing.T, text string, args ...string) (*onnx.Model, error) {
	t.Helper()
	res, err := infer.Run(infer.Config{File: "net.py", Text: text, Args: args})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			t.Fatal(d.Msg)
		}
	}
	m, err := lower.Lower(lower.Input{Graph: res.Graph, Pool: res.Pool, Files: res.Files, Name: "net", Plus: true})
	if err == nil {
		agrees(t, m)
	}
	return m, err
}

// exportPlus is lowerPlus for a program that has a form.
func exportPlus(t *testing.T, text string, args ...string) *onnx.Model {
	t.Helper()
	m, err := lowerPlus(t, text, args...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestOperatorsOfChainerAreWrittenOrHaveAReason(t *testing.T) {
	names := inference.ChainerNames()
	if len(names) != 52 {
		t.Errorf("%d operators have types; there are 52", len(names))
	}
	for _, name := range names {
		c, ok := plusOperators[strings.TrimPrefix(name, "Chainer")]
		if !ok {
			t.Errorf("%s has neither a case nor a reason", name)
		}
		body, args, ok := strings.Cut(c, "; ")
		if !ok || strings.HasPrefix(c, "-") {
			continue
		}
		var params []string
		for _, a := range strings.Fields(args) {
			p, _, _ := strings.Cut(a, ":")
			params = append(params, p)
		}
		m := exportPlus(t, "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\ndef forward("+strings.Join(params,
			", ")+"):\n    "+body+"\n", strings.Fields(args)...)
		if m.Opset(inference.Chainer) != 9 {
			t.Errorf("%s: the model uses org.chainer %d", name, m.Opset(inference.Chainer))
		}
		if !slices.ContainsFunc(m.Graph.Nodes, func(n *onnx.Node) bool { return n.Op == name && n.Domain == inference.Chainer }) {
			t.Errorf("%s is not in the model", name)
		}
	}
	if len(plusOperators) != len(names) {
		t.Errorf("%d cases and reasons for %d operators", len(plusOperators), len(names))
	}
}

// Forms that an operator does not have stay standard.
func TestOtherFormsStayStandard(t *testing.T) {
	m := exportPlus(t, `import torch
import torch.nn.functional as F


def forward(x, w, i):
    y = F.linear(x[0], w) + x[i][0] + x[None, 0][0]
    return y, F.interpolate(x[None, None], size=(4, 4), mode="bilinear", align_corners=False)
`, "x:f32[A,3]", "w:f32[1,3]", "i:i64[2]")
	for _, n := range m.Graph.Nodes {
		if n.Domain == inference.Chainer && n.Op != "ChainerGetItem" {
			t.Errorf("%s is in the model", n.Op)
		}
	}
}

func TestHostFunctionsAreNamedByTheirCall(t *testing.T) {
	m := exportPlus(t, "import torch\n\n\ndef forward(x):\n    return torch.linalg.eigvalsh(x)\n", "x:f32[N,N]")
	for _, n := range m.Graph.Nodes {
		if a := n.Attr("function_name"); a != nil {
			if got := string(a.String); got != "torch.linalg.eigvalsh(self=%0, UPLO=\"L\")" {
				t.Errorf("the function is %s", got)
			}
			return
		}
	}
	t.Error("no function is called")
}

// Each condition under which org.chainer's resizing is PyTorch's is one of its own.
func TestOtherResizesStayStandard(t *testing.T) {
	const form = "F.interpolate(x, size=(7, 9), mode='bilinear', align_corners=True"
	for _, c := range []struct {
		call, arg string
		plus      bool
	}{
		{form + ")", "x:f32[B,3,5,6]", true},
		{"F.interpolate(x, size=(7, 9), mode='nearest')", "x:f32[B,3,5,6]", false},
		{"F.interpolate(x, size=(7, 9), mode='bilinear')", "x:f32[B,3,5,6]", false},
		{"F.interpolate(x, size=(7, 9), mode='bicubic', align_corners=True)", "x:f32[B,3,5,6]", false},
		{"F.interpolate(x, size=(1, 9), mode='bilinear', align_corners=True)", "x:f32[B,3,5,6]", false},
		{"F.interpolate(x, size=(7, 1), mode='bilinear', align_corners=True)", "x:f32[B,3,5,6]", false},
		{form + ")", "x:f32[B,3,1,6]", false},
		{form + ")", "x:f32[B,3,5,1]", false},
		{form + ")", "x:f32[B,3,H,6]", false},
	} {
		m := exportPlus(t, "import torch.nn.functional as F\n\n\ndef forward(x):\n    return "+c.call+"\n", c.arg)
		if got := slices.ContainsFunc(m.Graph.Nodes, func(n *onnx.Node) bool { return n.Domain == inference.Chainer }); got != c.plus {
			t.Errorf("%s of %s: org.chainer's operator: %v", c.call, c.arg, got)
		}
	}
}

// An output padding that depends on sizes has a form in org.chainer only: where its operator is not PyTorch's there is none.
func TestOutputPaddingsThatDependOnSizes(t *testing.T) {
	for _, c := range []struct {
		args, input, weight string
		written             bool
	}{
		{"stride=2, padding=1", "x:f32[1,4,H,W]", "w:f32[4,6,3,3]", true},
		{"stride=2, groups=2", "x:f32[1,4,H,W]", "w:f32[4,3,3,3]", true},
		{"stride=2, dilation=2", "x:f32[1,4,H,W]", "w:f32[4,6,3,3]", false},
		{"stride=2, dilation=(1, 3)", "x:f32[1,4,H,W]", "w:f32[4,6,3,3]", false},
		{"stride=x.shape[2] + 1", "x:f32[1,4,H,W]", "w:f32[4,6,3,3]", false},
		{"stride=2, padding=x.shape[3] % 2", "x:f32[1,4,H,W]", "w:f32[4,6,3,3]", false},
		{"stride=2, dilation=x.shape[3] % 2 + 1", "x:f32[1,4,H,W]", "w:f32[4,6,3,3]", false},
		{"stride=2, groups=x.shape[1]", "x:f32[1,C,H,W]", "w:f32[C,6,3,3]", false},
	} {
		m, err := lowerPlus(t, "import torch.nn.functional as F\n\n\ndef forward(x, w):\n    return F.conv_transpose2d(x, w, output_padding=x.shape[2] % 2, "+
			c.args+")\n", c.input, c.weight)
		switch {
		case !c.written && (err == nil || !strings.Contains(err.Error(), "conv_transpose2d cannot be written")):
			t.Errorf("%s: error %v, want one", c.args, err)
		case c.written && err != nil:
			t.Errorf("%s: %v", c.args, err)
		case c.written:
			of := func(n *onnx.Node) bool { return n.Op == "ChainerConvTransposeWithDynamicOutputShape" }
			if !slices.ContainsFunc(m.Graph.Nodes, of) {
				t.Errorf("%s: the operator is not in the model", c.args)
			}
		}
	}
}
