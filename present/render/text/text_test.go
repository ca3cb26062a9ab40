package text

import (
	"fmt"
	"strings"
	"testing"

	"shapecheck/internal/columns"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// finding is one with many places, and texts that are long.
func finding(t *testing.T) (*source.FileSet, *diag.Diagnostic) {
	t.Helper()
	fs := source.NewFileSet()
	f := source.NewFile("net.py", strings.Repeat("y = layer(x)\n", 60))
	if err := fs.Add(f); err != nil {
		t.Fatal(err)
	}
	at := func(line int) source.Span { return source.Span{Start: f.LineStart(line), End: f.LineStart(line) + 1} }
	words := strings.Repeat("of the input 画像 that disagree ", 12)
	d := diag.New(diag.ShapeMismatch, at(1), "sizes "+words+"\nsecond line "+words)
	d.Count, d.Notes, d.Others = 3, []string{words}, []string{words}
	for i := range 5 {
		d.Related = append(d.Related, diag.Related{At: at(10 + i), Msg: fmt.Sprintf("made %d %s", i, words)})
	}
	for i := range 20 {
		d.Related = append(d.Related, diag.Calling(at(20+i)))
	}
	return fs, d
}

func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	fs, d := finding(t)
	for width := 40; width <= 160; width++ {
		var b strings.Builder
		Print(&b, fs, d, Style{Width: width})
		for line := range strings.Lines(b.String()) {
			if n := columns.Of(strings.TrimSuffix(line, "\n")); n > width {
				t.Fatalf("width %d: a line of %d columns: %q", width, n, line)
			}
		}
	}
	var wide, narrow strings.Builder
	Print(&wide, fs, d, Style{})
	Print(&narrow, fs, d, Style{Width: 60})
	if got, want := strings.Fields(narrow.String()), strings.Fields(wide.String()); len(got) < len(want) ||
		!strings.HasPrefix(wide.String(), "error[SC101]: sizes ") {
		t.Errorf("words are missing in\n%s", narrow.String())
	}
}

func TestTheNearestPlacesAreShown(t *testing.T) {
	_, d := finding(t)
	for _, c := range []struct{ most, left int }{{0, 0}, {30, 0}, {8, 18}, {3, 23}} {
		list, left := Shown(d.Related, c.most)
		if left != c.left || len(list)+left != len(d.Related) || c.most > 0 && len(list) >= max(c.most, 1) {
			t.Errorf("of %d: %d shown, %d left", c.most, len(list), left)
		}
		if c.most != 8 {
			continue
		}
		if list[len(list)-1] != d.Related[len(d.Related)-1] || list[0] != d.Related[0] {
			t.Errorf("the first line that made a size, or the outermost call, is missing: %v", list)
		}
		calls := 0
		for _, r := range list {
			if r.Call {
				calls++
			}
		}
		if calls < 3 || calls == len(list) {
			t.Errorf("%d calls of %d places", calls, len(list))
		}
	}
	var b strings.Builder
	fs, d := finding(t)
	Print(&b, fs, d, Style{Places: 8})
	if n := strings.Count(b.String(), " ... net.py:"); n != 7 || !strings.Contains(b.String(), "... and 18 more: -v\n") {
		t.Errorf("%d places in\n%s", n, b.String())
	}
}
