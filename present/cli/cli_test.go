package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
)

const model = "../../testdata/readme/net.py"

func run(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Run(args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

func TestExitCodesSayWhatHappened(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.py")
	if err := os.WriteFile(bad, []byte("def forward(x:\n    return x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		text string // in stdout or stderr
	}{
		{"a clean model", []string{model, "--arg", "x:f32[B,3,28,28]"}, check.ExitClean, "f32[B,10]"},
		{"a mismatch", []string{model, "--arg", "x:f32[B,3,32,32]"}, check.ExitFindings, "4096"},
		{"a syntax error", []string{bad}, check.ExitFindings, "SC001"},
		{"no such file", []string{"missing.py"}, check.ExitUsage, "missing.py: no such file"},
		{"no file", nil, check.ExitUsage, ".: no Python files"},
		{"a missing argument", []string{model, "--entry", "Net()", "--no-guess"}, check.ExitUsage, "--arg 'x:f32[…]'"},
		{"an unknown argument", []string{model, "--arg", "x:f32[B,3,28,28]", "--arg", "y:int"}, check.ExitUsage, "no parameter y"},
		{"an argument twice", []string{model, "--arg", "x:f32[1]", "--arg", "x:f32[1]"}, check.ExitUsage, "given twice"},
		{"a malformed type", []string{model, "--arg", "x:f32[B,"}, check.ExitUsage, "not closed"},
		{"a malformed size", []string{model, "--arg", "x:f32[B,+]"}, check.ExitUsage, "--arg x"},
		{"a negative size", []string{model, "--arg", "x:f32[-3]"}, check.ExitUsage, "negative"},
		{"an unknown flag", []string{"--bogus"}, check.ExitUsage, "unknown flag"},
		{"a bad root", []string{"-m", "x", "--path", "/nonexistent"}, check.ExitUsage, "no such directory"},
		{"a missing module", []string{"-m", "no_such_module", "--entry", "f"}, check.ExitUsage, "was not found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := run(c.args...)
			if code != c.code || !strings.Contains(stdout+stderr, c.text) {
				t.Errorf("exit code %d, want %d with %q\nstdout: %s\nstderr: %s", code, c.code, c.text, stdout, stderr)
			}
		})
	}
}

func TestJSONHasEveryKeyOfTheSchema(t *testing.T) {
	code, stdout, _ := run(model, "--arg", "x:f32[B,3,28,28]", "--output-format", "json")
	if code != check.ExitClean {
		t.Fatalf("exit code %d", code)
	}
	var doc map[string]any
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../../docs/json-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Required   []string       `json:"required"`
		Properties map[string]any `json:"properties"`
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	for _, k := range schema.Required {
		if _, ok := doc[k]; !ok {
			t.Errorf("key %s is missing", k)
		}
	}
	for k := range doc {
		if _, ok := schema.Properties[k]; !ok {
			t.Errorf("key %s is not in the schema", k)
		}
	}
	if got := doc["output_type"]; got != "f32[B,10]" {
		t.Errorf("output_type %v", got)
	}
}

func TestGraphAndTreeArePrinted(t *testing.T) {
	code, stdout, stderr := run("graph", model, "--arg", "x:f32[B,3,28,28]")
	if code != check.ExitClean || !strings.Contains(stdout, "torch.nn.functional.conv2d") || !strings.Contains(stdout, "return") {
		t.Errorf("graph: exit code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, _ = run("ast", "--format=cpython", model)
	if code != check.ExitClean || !strings.HasPrefix(stdout, "Module(body=[Import(") {
		t.Errorf("ast: exit code %d\n%.100s", code, stdout)
	}
}
