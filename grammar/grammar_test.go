package grammar

// This file holds the grammar to its promises: LL(1), and generated code that
// belongs to it.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestGeneratedParserNeedsNoPrediction(t *testing.T) {
	code, err := os.ReadFile("pygen/python_parser.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(code, []byte("AdaptivePredict")); n > 0 {
		t.Errorf("%d decisions of Python.g4 are not LL(1): they call AdaptivePredict and cost milliseconds at the start", n)
	}
	if !bytes.HasPrefix(code, []byte("// Code generated from Python.g4 by ANTLR")) {
		t.Error("the generated code does not begin with the line that marks it")
	}
}

// TestGeneratedParserIsUpToDate needs Java, Node and the network, so it runs on
// request only.
func TestGeneratedParserIsUpToDate(t *testing.T) {
	if os.Getenv("SHAPECHECK_GENERATE") == "" {
		t.Skip("set SHAPECHECK_GENERATE=1 to generate the parser and compare")
	}
	for _, tool := range []string{"npx", "java"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	dir := t.TempDir()
	if out, err := exec.Command("sh", "generate.sh", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "python_parser.go"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("pygen/python_parser.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("pygen/python_parser.go does not belong to Python.g4; run: go generate ./grammar")
	}
}
