package comments

import (
	"slices"
	"testing"

	"shapecheck/internal/source"
)

// A comment that is written for an entry is read as that entry, however its text is quoted; where that is not possible there is none.
func TestCheckLineIsReadBack(t *testing.T) {
	for _, c := range []struct {
		entry, want string
		args        []string
	}{
		{"Net(10)", "# shapecheck: check Net(10) x:f32[B,3] --eval", []string{"x:f32[B,3]"}},
		{`Net("it's", act='a b')`, `# shapecheck: check Net("it's", act='a b') --eval`, nil},
		{`Net('it\'s "b')`, `# shapecheck: check Net('it\'s "b') --eval`, nil},
		{"A() if B else C()", "# shapecheck: check 'A() if B else C()' --eval", nil},
		{"Net()", `# shapecheck: check Net() how='a b' xs=(f32[2], i64[3]) --eval`, []string{"how='a b'", "xs=(f32[2], i64[3])"}},
		{"f(\n1)", "", nil},
		{`'a' if b else "c"`, `# shapecheck: check ''a' if b else "c"' --eval`, nil},
	} {
		got := CheckLine(c.entry, c.args, true)
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.entry, got, c.want)
		}
		if got == "" {
			continue
		}
		f := source.NewFile("a.py", got)
		l := Read(f, []source.Span{{Start: 0, End: source.Pos(len(got))}})
		if len(l.Checks) != 1 || l.Checks[0].Entry != c.entry || !slices.Equal(l.Checks[0].Args, c.args) || !l.Checks[0].Eval {
			t.Errorf("%s is read as %+v, %+v", got, l.Checks, l.Faults)
		}
	}
}
