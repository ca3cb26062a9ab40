package parser_test

// This file compares with recorded verdicts and trees of CPython 3.14.

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

func TestConformance(t *testing.T) {
	data, err := os.ReadFile("testdata/conformance.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	n := 0
	for i, line := range lines {
		if line == "" || line[0] != '+' && line[0] != '-' {
			continue
		}
		n++
		text, err := strconv.Unquote(line[2:])
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		got, msg := dump(t, text)
		switch {
		case line[0] == '-' && msg == "":
			t.Errorf("line %d: %q is accepted", i+1, text)
		case line[0] == '+' && msg != "":
			t.Errorf("line %d: %q is refused: %s", i+1, text, msg)
		case line[0] == '+':
			if want := strings.TrimPrefix(lines[i+1], "\t"); got != want {
				t.Errorf("line %d: %q\n got %s\nwant %s", i+1, text, got, want)
			}
		}
	}
	if n < 1200 {
		t.Errorf("only %d programs", n)
	}
}

// dump parses a file's bytes; msg is the first error.
func dump(t *testing.T, data string) (tree, msg string) {
	t.Helper()
	text, err := parser.Decode([]byte(data))
	if err != nil {
		return "", err.Error()
	}
	f := source.NewFile("t.py", text)
	if err := source.NewFileSet().Add(f); err != nil {
		t.Fatal(err)
	}
	m, diags := parser.Parse(f)
	if len(diags) > 0 {
		return "", diags[0].Msg
	}
	return ast.Dump(m, ast.DumpOptions{Attributes: true}), ""
}
