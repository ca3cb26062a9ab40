package cli

// This file holds the test that docs/vm.md is true: its commands print what it says, and its Go
// code is the example that is compiled and run.

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// guideBlocks gives the blocks of code of one language.
func guideBlocks(text, language string) (out []string) {
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// equalButDigits reports whether two texts are equal but for the last digits of numbers with a point, which
// depend on the processor's kernels, and for the bytes of drawn weights.
func equalButDigits(a, b string) bool {
	fa, fb := strings.Fields(a), strings.Fields(b)
	if len(fa) != len(fb) {
		return false
	}
	for i := range fa {
		x, errX := strconv.ParseFloat(strings.Trim(fa[i], ",()"), 64)
		y, errY := strconv.ParseFloat(strings.Trim(fb[i], ",()"), 64)
		if fa[i] != fb[i] && (errX != nil || errY != nil || math.Abs(x-y) > 1e-4*math.Max(1, math.Abs(x))) {
			return false
		}
	}
	return true
}

func TestTheGuideIsTrue(t *testing.T) {
	b, err := os.ReadFile("../../docs/vm.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := string(b)
	example, err := os.ReadFile("../../codegen/example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	code := guideBlocks(guide, "go")
	if len(code) != 1 || !strings.Contains(string(example), code[0]) {
		t.Error("the Go code is not the example's in codegen/example_test.go")
	}
	source := guideBlocks(guide, "python")
	if len(source) != 1 {
		t.Fatalf("%d models", len(source))
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("net.py", []byte(source[0]), 0o666); err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, block := range guideBlocks(guide, "console") {
		for _, part := range strings.Split("\n"+block, "\n$ shapecheck ")[1:] {
			line, want, _ := strings.Cut(part, "\n")
			var out strings.Builder
			Run(strings.Fields(line), strings.NewReader(""), &out, &out)
			if commands++; !equalButDigits(out.String(), want) {
				t.Errorf("%s prints\n%s\nnot\n%s", line, out.String(), want)
			}
		}
	}
	if commands < 5 {
		t.Errorf("only %d commands", commands)
	}
	if _, err := os.Stat(filepath.Join(".", "net.prog")); err != nil {
		t.Error(err)
	}
}
