package parser

import (
	"fmt"
	"strings"
	"testing"

	"shapecheck/internal/source"
)

func TestPieces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"def f(x):  # a size\n    return not x[0]\n", `k"def" c"# a size" k"return" k"not" n"0"`},
		{"match = 'a' 'b'\n", `s"'a'" s"'b'"`},
		{"match x:\n    case 1.5e3: pass\n", `k"match" k"case" n"1.5e3" k"pass"`},
		{"f'{x!r} of {y:3}'", `s"f'" s" of " s"3" s"'"`},
		{"x = 'open\ny = 1\n", `s"'open" n"1"`},
		{"\"\"\"é\n# no\n\"\"\"", `s"\"\"\"é\n# no\n\"\"\""`},
	} {
		f := source.NewFile("a.py", c.text)
		if err := source.NewFileSet().Add(f); err != nil {
			t.Fatal(err)
		}
		var got []string
		last := 0
		for _, p := range Pieces(f) {
			if p.Start < last {
				t.Errorf("%q: pieces overlap", c.text)
			}
			last = p.End
			got = append(got, fmt.Sprintf("%c%q", "ksnc"[p.Kind], c.text[p.Start:p.End]))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, g, c.want)
		}
	}
}
