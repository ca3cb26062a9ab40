package report

import (
	"slices"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/source"
)

func TestDefsOfLines(t *testing.T) {
	text := "import x\nclass A:\n    def f(self):\n        y = 1\n        # a comment\n\n        if y:\n            z = 2\n    a = 3\n" +
		"    async def g(\n        self,\n    ):\n        def h():\n            return 1\n        return h\nb = 4\n"
	want := []int{0, 0, 0, 0, 3, 3, 0, 3, 3, 0, 0, 10, 0, 10, 13, 10, 0, 0}
	if got := DefsOf(source.NewFile("a.py", text)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestTextOfManyLines prints the lines of a function of many statements. Where each line cost a look at those before it, that
// would take minutes.
func TestTextOfManyLines(t *testing.T) {
	const n = 200_000
	f := source.NewFile("a.py", "def f(x):\n"+strings.Repeat("    x = x + 1\n", n)+"    return x\n")
	files := source.NewFileSet()
	if err := files.Add(f); err != nil {
		t.Fatal(err)
	}
	lines, typed := map[int]bool{}, map[int][]*infer.Line{}
	for i := range n {
		lines[i+2] = true
		typed[i+2] = []*infer.Line{{At: source.Span{Start: f.LineStart(i + 2), End: f.LineStart(i + 2)}}}
	}
	if got := FunctionLines(f, lines, typed); len(got) != n+1 || got[0] != 1 {
		t.Errorf("%d lines", len(got))
	}
}
