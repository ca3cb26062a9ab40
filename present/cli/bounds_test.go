package cli

// This file holds that --timeout and --max-memory end commands that run models, and that no size of a model ends the process.

import (
	"os"
	"strings"
	"testing"
	"time"

	"shapecheck/onnx"
	"shapecheck/runtime/memory"
)

// writeModel writes a model of one node whose operands are constants.
func writeModel(t *testing.T, path string, n *onnx.Node, operands ...*onnx.Tensor) {
	t.Helper()
	n.Outputs = []string{"y"}
	for i, x := range operands {
		x.Name = string(rune('a' + i))
		n.Inputs = append(n.Inputs, x.Name)
	}
	y := &onnx.Type{Kind: onnx.TensorType, Elem: onnx.Float}
	b, err := onnx.Marshal(&onnx.Model{IRVersion: 10, Opsets: []onnx.Opset{{Version: 21}},
		Graph: &onnx.Graph{Name: "g", Nodes: []*onnx.Node{n}, Initializers: operands, Outputs: []*onnx.ValueInfo{{Name: "y", Type: y}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestMemoryOfARunIsBounded(t *testing.T) {
	t.Chdir(t.TempDir())
	before := memory.Limit()
	one := func() *onnx.Tensor { return &onnx.Tensor{DType: onnx.Float, Dims: []int64{1}, Floats: []float32{1}} }
	for i, n := range []*onnx.Tensor{onnx.NewInts(nil, 1<<21, 1<<21), onnx.NewInts(nil, 1<<30)} {
		writeModel(t, "m.onnx", &onnx.Node{Op: "Expand"}, one(), n)
		for _, engine := range []string{"fast", "ref"} {
			args := []string{"run", "m.onnx", "--engine", engine}
			if i > 0 {
				args = append(args, "--max-memory", "2GB")
			}
			if _, errs := runCLI(t, 1, args...); !strings.Contains(errs, "SC860: instruction 0, Expand") || strings.Count(errs, "\n") > 1 {
				t.Errorf("%v: %s", args, errs)
			}
		}
	}
	if now := memory.Limit(); now != before {
		t.Errorf("a command has left the limit %d instead of %d", now, before)
	}
}

func TestTimeOfARunIsBounded(t *testing.T) {
	t.Chdir(t.TempDir())
	const source = "import torch\n\n\ndef count(x, n):\n    i = 0\n    while i < n:\n        x = x * 0.5 + 1\n        i = i + 1\n    return x\n"
	if err := os.WriteFile("count.py", []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	runCLI(t, 0, "export", "count.py", "--entry", "count", "--arg", "x:f32[]", "--arg", "n:int", "-o", "count.onnx")
	n, err := onnx.MarshalTensor(onnx.NewInts([]int64{}, 1<<50))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("n.pb", n, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"run", "count.py", "--entry", "count", "--arg", "x:f32[]", "--arg", "n:int"},
		{"run", "count.onnx"},
		{"run", "count.onnx", "--engine", "ref"},
		{"run", "count.onnx", "--check-against-ref"},
	} {
		start := time.Now()
		args = append(args, "--input", "x:f32[]", "--input", "n=n.pb", "--timeout", "0.3")
		if _, errs := runCLI(t, 1, args...); !strings.Contains(errs, "SC861: ") || !strings.Contains(errs, "the time is up") {
			t.Errorf("%v: %s", args, errs)
		}
		if took := time.Since(start); took < 200*time.Millisecond {
			t.Errorf("%v ends after %v", args, took)
		}
	}
	// drawing the inputs, and the compiler
	if _, errs := runCLI(t, 1, "run", "count.onnx", "--input", "x:f32[]", "--input", "n=n.pb", "--timeout", "1ns"); !strings.Contains(errs,
		"SC861") {
		t.Error(errs)
	}
	if _, errs := runCLI(t, 1, "compile", "count.onnx", "-o", "p.prog", "--timeout", "1ns"); !strings.Contains(errs, "SC861") {
		t.Error(errs)
	}
}
