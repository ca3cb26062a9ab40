package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

func report(t *testing.T, name, text string) (*Report, *source.File) {
	t.Helper()
	fs := source.NewFileSet()
	f := source.NewFile(name, text)
	if err := fs.Add(f); err != nil {
		t.Fatal(err)
	}
	return &Report{Files: fs}, f
}

func printed(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	if err := Print(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPrint(t *testing.T) {
	r, f := report(t, "a b/net.py", "x = f(```)\n")
	r.Base = "https://example.org/o/r/blob/abc/"
	r.Entries = []Entry{{File: "a b/net.py", Name: "Net()", Inputs: "x f32[B,3]", Rest: "1 error | `a`"},
		{Name: "Other()", Rest: "holds when B == 2"}}
	r.Unchecked = []diag.Unchecked{{Entry: "Third()", Why: "no <module>"}}
	one := diag.New(diag.ShapeMismatch, source.Span{Start: f.Pos(4), End: f.Pos(10)}, "<b>no</b>\n# not a heading")
	r.List = []*diag.Diagnostic{one, diag.New(diag.UnknownModule, source.Span{Start: f.Pos(0), End: f.Pos(1)}, "an info")}
	want := "**shapecheck: 1 error, 1 info in 2 entries, 1 not checked**\n" +
		"\n" +
		"| file | entry | inputs |  |\n" +
		"| --- | --- | --- | --- |\n" +
		"| `a b/net.py` | `Net()` | `x f32[B,3]` | `` 1 error \\| `a` `` |\n" +
		"|  | `Other()` |  | `holds when B == 2` |\n" +
		"\n" +
		"Not checked: `Third(): no <module>`\n" +
		"\n" +
		"**error SC101** [`a b/net.py:1`](<https://example.org/o/r/blob/abc/a%20b/net.py#L1>)\n" +
		"\n" +
		"````text\n" +
		"error[SC101]: <b>no</b>\n" +
		"    # not a heading\n" +
		"  --> a b/net.py:1:5\n" +
		" 1 | x = f(```)\n" +
		"   |     ^^^^^^\n" +
		"````\n"
	if diff := cmp.Diff(want, printed(t, r)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestNothingFound(t *testing.T) {
	r, _ := report(t, "net.py", "x = 1\n")
	if got := printed(t, r); got != "**shapecheck: no findings**\n" {
		t.Errorf("%q", got)
	}
}

func TestSizeIsBounded(t *testing.T) {
	r, f := report(t, "net.py", "x = 1\n")
	for range 3000 {
		r.Entries = append(r.Entries, Entry{Name: strings.Repeat("é", 1000)})
		r.List = append(r.List, diag.New(diag.ShapeMismatch, source.Span{Start: f.Pos(0), End: f.Pos(1)}, strings.Repeat("m", 200)))
	}
	got := printed(t, r)
	if len(got) > MaxSize || strings.Count(got, " more\n") != 2 {
		t.Errorf("%d bytes, ends with %q", len(got), got[len(got)-100:])
	}
}

func TestPlacesOutsideHaveNoLink(t *testing.T) {
	for _, name := range []string{"/usr/lib/net.py", "../net.py", "<stdin>"} {
		r, f := report(t, name, "x = 1\n")
		r.List = []*diag.Diagnostic{diag.New(diag.ShapeMismatch, source.Span{Start: f.Pos(0), End: f.Pos(1)}, "m")}
		if got := printed(t, r); strings.Contains(got, "](") || !strings.Contains(got, "**error SC101** `"+name+":1`") {
			t.Errorf("%s", got)
		}
	}
}
