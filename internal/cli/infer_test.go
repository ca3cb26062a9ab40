package cli

// This file tests shapecheck infer, and the self-check of export.

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		if code := Run(args, strings.NewReader(""), &out, &errs); code != 0 || !strings.Contains(out.String(), want) || errs.Len() > 0 {
			t.Errorf("%v: code %d, %q, %q", args, code, out.String(), errs.String())
		}
	}
	run("", "export", net, "--arg", "x:f32[N,3,H+5]", "-o", first, "--check", "--functions", "inline")
	run("f32[N,3*H+15]", "infer", first)
	run("0 wrong", "infer", first, "--check")
	run("", "infer", first, "-o", second)
	run("f32[N,3*H+15]", "infer", second)
}

func TestInferRejectsWhatIsNoModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.onnx")
	if err := os.WriteFile(path, []byte("not a model"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Run([]string{"infer", path}, strings.NewReader(""), &out, &errs); code != exitUsage || !strings.Contains(errs.String(), "not a valid ONNX file") {
		t.Errorf("code %d, %q", code, errs.String())
	}
}
