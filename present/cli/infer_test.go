package cli

// This file tests shapecheck infer, and the self-check of export.

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/onnx"
)

func TestInferPrintsAndWritesTypes(t *testing.T) {
	dir := t.TempDir()
	net := filepath.Join(dir, "net.py")
	if err := os.WriteFile(net, []byte("import torch\n\n\ndef forward(x):\n    return torch.relu(x).flatten(1)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	first, second := filepath.Join(dir, "a.onnx"), filepath.Join(dir, "b.onnx")
	run := func(want string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		code := Run(args, strings.NewReader(""), &out, &errs)
		if code != 0 || !strings.Contains(out.String()+errs.String(), want) || args[0] != "export" && errs.Len() > 0 {
			t.Errorf("%v: code %d, %q, %q", args, code, out.String(), errs.String())
		}
	}
	run("a.onnx: opset 18, 3 nodes, 0 weights of 0 elements; inputs x f32[N,3,H+5]; outputs output f32[N,3*H+15]", "export", net, "--arg",
		"x:f32[N,3,H+5]", "-o", first, "--check", "--functions", "inline")
	run("f32[N,3*H+15]", "infer", first)
	run("0 wrong", "infer", first, "--check")
	run("", "infer", first, "-o", second)
	run("f32[N,3*H+15]", "infer", second)
	run("", "export", net, "--arg", "x:f32[N=1..8,3,H+5]", "-o", first, "--check", "--c90-dims")
	run("f32[N,3*H+15]", "infer", first)
	run("0 wrong", "infer", first, "--check")
	run("", "infer", first, "-o", second)
	b, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	m, err := onnx.Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if d := m.Graph.Outputs[0].Type.Shape.Dims[1].Param; d != "dim_2" {
		t.Errorf("the output has the size %q", d)
	}
	for key, want := range map[string]string{"dims": "dim_1 = H + 5\ndim_2 = 3*H + 15", "ranges": "1 <= N <= 8\nH >= 1"} {
		if got, _ := onnx.Meta(m.Metadata, key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

func TestInferRejectsWhatIsNoModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.onnx")
	if err := os.WriteFile(path, []byte("not a model"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Run([]string{"infer", path}, strings.NewReader(""), &out, &errs); code != check.ExitUsage ||
		!strings.Contains(errs.String(), "not a valid ONNX file") {
		t.Errorf("code %d, %q", code, errs.String())
	}
}
