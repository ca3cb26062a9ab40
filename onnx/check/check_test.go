package check_test

import (
	"compress/gzip"
	"os"
	"strings"
	"testing"

	"shapecheck/onnx"
	"shapecheck/onnx/check"
	"shapecheck/onnx/check/checktest"
)

// TestVerdictsOfONNXsChecker compares with what onnx.checker of onnx 1.23.2 said of node
// tests that were changed at random (tools/onnxcheck/mutants.py, seed 5).
func TestVerdictsOfONNXsChecker(t *testing.T) {
	f, err := os.Open("testdata/mutants.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	res, err := checktest.Compare(z)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Differences {
		t.Error(d)
	}
	if res.Models != 600 || res.Refused < 300 {
		t.Errorf("%d models, %d of them refused by onnx.checker", res.Models, res.Refused)
	}
}

func TestFaultsAreToldWithNodeAndSource(t *testing.T) {
	m := &onnx.Model{IRVersion: 10, Opsets: []onnx.Opset{{Version: 20}}, Graph: &onnx.Graph{Name: "g",
		Inputs:  []*onnx.ValueInfo{{Name: "x", Type: &onnx.Type{Kind: onnx.TensorType, Elem: onnx.Float, Shape: &onnx.Shape{}}}},
		Outputs: []*onnx.ValueInfo{{Name: "y", Type: &onnx.Type{Kind: onnx.TensorType, Elem: onnx.Float, Shape: &onnx.Shape{}}}},
		Nodes: []*onnx.Node{
			{Op: "Relu", Name: "act", Inputs: []string{"x", "z"}, Outputs: []string{"y"}, Doc: "net.py:12"},
			{Op: "Softmax", Inputs: []string{"y"}, Outputs: []string{"s"}, Attrs: []*onnx.Attr{{Name: "axes", Type: onnx.AttrInt}}},
		}}}
	want := []string{
		`net.py:12: node "act" (Relu), "z": no node before this one makes the value, and it is no input of the graph`,
		`net.py:12: node "act" (Relu): the operator has at most 1 inputs; the node has 2`,
		`a Softmax node: the operator has no attribute axes`,
	}
	var got []string
	for _, e := range check.Model(m) {
		got = append(got, e.Error())
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
