package suppress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
)

// at makes a diagnostic over the lines from and to of f.
func at(f *source.File, code diag.Code, from, to int) *diag.Diagnostic {
	return diag.New(code, source.Span{Start: f.LineStart(from), End: f.LineStart(to) + 1}, "message")
}

func add(t *testing.T, fs *source.FileSet, name, text string) *source.File {
	t.Helper()
	f := source.NewFile(name, text)
	if err := fs.Add(f); err != nil {
		t.Fatal(err)
	}
	return f
}

func lines(fs *source.FileSet, list []*diag.Diagnostic) string {
	var out []string
	for _, d := range list {
		out = append(out, fs.Position(d.At.Start).String()+" "+string(d.Code))
	}
	return strings.Join(out, "\n")
}

const program = `a = 1  # shapecheck: ignore[SC101]
b = 2  # shapecheck: ignore
# shapecheck: ignore[SC102, SC103]  with a reason
# another comment

c = 3
d = (4 +
     5)  # noqa  # shapecheck: ignore[SC101]
e = "# shapecheck: ignore[SC101]"
f = 6  # shapecheck: ignore[SC1]
g = 7  # shapecheck: ignore
h = 8  # shapecheck: ignore[SC101]
`

func TestCommentsHideFindingsAndAreCheckedThemselves(t *testing.T) {
	fs := source.NewFileSet()
	f := add(t, fs, "a.py", program)
	list := []*diag.Diagnostic{
		at(f, diag.ShapeMismatch, 1, 1), at(f, diag.DTypeMismatch, 1, 1), at(f, diag.BadCall, 2, 2), at(f, diag.RankMismatch, 6, 6),
		at(f, diag.ShapeMismatch, 7, 8), at(f, diag.ShapeMismatch, 9, 9), at(f, diag.InternalError, 2, 2),
	}
	reached := map[*source.File]map[int]bool{f: {1: true, 2: true, 6: true, 7: true, 9: true, 10: true, 11: true}}
	var filter Filter
	got := lines(fs, filter.Apply(fs, list, reached))
	want := `a.py:1:1 SC201
a.py:9:1 SC101
a.py:2:1 SC999
a.py:3:29 SC690
a.py:10:29 SC690
a.py:11:8 SC690`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMisspeltCommentsHideNothing(t *testing.T) {
	for _, c := range []struct {
		comment string
		hides   bool
	}{
		{"# shapecheck: ignoree[SC101]", false}, {"# shapecheck: ignored", false}, {"# shapecheck: ignore[SC101", false},
		{"# shapecheck: ignore SC101", false},
		{"# shapecheck: ignore: SC101", false}, {"# shapecheck: ignore [SC101]", false}, {"# shapecheck: ignore(SC101)", false},
		{"# shapecheck: ignore-SC101", false},
		{"# noqa  # shapecheck: ignor[SC101]", false}, {"# shapecheck: chekc f x:f32[3]", false}, {"# shapecheck: check f x", false},
		{"# shapecheck: ignore[SC101]", true}, {"#shapecheck:ignore[ SC101 , SC201 ]  why", true}, {"# shapecheck: ignore", true},
		{"# shapecheck: ignore  SCipy is old", true},
		{"# shapecheck: ignore: old", true}, {"# noqa  # shapecheck: ignore[SC101]", true}, {"## shapecheck: ignore", true},
	} {
		fs := source.NewFileSet()
		f := add(t, fs, "a.py", "a = f(x)  "+c.comment+"\n")
		var filter Filter
		list := []*diag.Diagnostic{at(f, diag.ShapeMismatch, 1, 1), at(f, diag.DTypeMismatch, 1, 1)}
		want := "SC101 SC201 SC692"
		if c.hides {
			want = ""
			if strings.Contains(c.comment, "[SC101]") {
				want = "SC201"
			}
		}
		var got []string
		for _, d := range filter.Apply(fs, list, map[*source.File]map[int]bool{}) {
			got = append(got, string(d.Code))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", c.comment, strings.Join(got, " "), want)
		}
		if got := filter.Apply(fs, list, nil); strings.Contains(lines(fs, got), "SC692") {
			t.Errorf("%s is told where comments are not asked for", c.comment)
		}
	}
}

func TestCommentsAtTheEndOfStringsSpeakOfAllTheirLines(t *testing.T) {
	fs := source.NewFileSet()
	f := add(t, fs, "a.py", `a = f"""
{g(
  x)}
{h('' 'b' """
c
""")}"""  # shapecheck: ignore[SC101, SC201]
b = (f"{x}"
     f"{x}")  # shapecheck: ignore[SC101]
c = g(x) + """
"""
`)
	var list []*diag.Diagnostic
	for n := 1; n <= 10; n++ {
		list = append(list, at(f, diag.ShapeMismatch, n, n))
	}
	var filter Filter
	got := lines(fs, filter.Apply(fs, list, map[*source.File]map[int]bool{f: {2: true}}))
	if want := "a.py:7:1 SC101\na.py:9:1 SC101\na.py:10:1 SC101\na.py:6:39 SC690"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSelectorsAndRulesForFiles(t *testing.T) {
	fs := source.NewFileSet()
	a, b := add(t, fs, "src/a.py", "x\n"), add(t, fs, "src/old/b.py", "x\n")
	list := []*diag.Diagnostic{
		at(a, diag.ShapeMismatch, 1, 1), at(a, diag.UnknownModule, 1, 1), at(a, diag.Unsupported, 1, 1), at(b, diag.ShapeMismatch, 1, 1),
		at(b, diag.DTypeMismatch, 1, 1),
	}
	for _, c := range []struct {
		name   string
		filter Filter
		want   string
	}{
		{"nothing", Filter{}, "SC101 SC902 SC903 SC101 SC201"},
		{"a family", Filter{Select: []string{"SC1"}}, "SC101 SC101"},
		{"a severity", Filter{Select: []string{"warning", "SC201"}}, "SC201"},
		{"ignored", Filter{Ignore: []string{"info", "SC101"}}, "SC201"},
		{"in files", Filter{PerFile: []FileRule{{"src/old", []string{"SC1"}}}}, "SC101 SC902 SC903 SC201"},
		{"with another severity", Filter{Severity: map[diag.Code]diag.Severity{diag.UnknownModule: diag.Error}, Select: []string{"error"}},
			"SC101 SC902 SC101 SC201"},
	} {
		var codes []string
		for _, d := range c.filter.Apply(fs, list, nil) {
			codes = append(codes, string(d.Code))
		}
		if got := strings.Join(codes, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if list[1].Severity != diag.Info {
		t.Error("the filter changed what it was given")
	}
	if err := Check([]string{"SC101", "SC9", "warning"}); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"SC", "SC101x", "", "warnings", "E501"} {
		if Check([]string{bad}) == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, file string
		want          bool
	}{
		{"a.py", "src/a.py", true}, {"a.py", "src/ba.py", false}, {"src", "src/a.py", true}, {"src/", "x/src/a.py", true},
		{"src/*.py", "src/a.py", true}, {"src/*.py", "src/b/a.py", false}, {"src/**/*.py", "src/b/c/a.py", true},
		{"src/**/*.py", "src/a.py", true},
		{"./src", "src/a.py", true}, {"tests/*", "src/a.py", false}, {"**", "a.py", true}, {"src/**", "src/a.py", true},
		{"src/**", "a.py", false},
	} {
		if got := Match(c.pattern, c.file); got != c.want {
			t.Errorf("Match(%q, %q) = %t", c.pattern, c.file, got)
		}
	}
}

func TestBaselineKnowsFindingsThatMoved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "base.json")
	fs := source.NewFileSet()
	a := add(t, fs, "a.py", "x = 1\ny = 2\n")
	if err := WriteBaseline(file, fs, []*diag.Diagnostic{at(a, diag.ShapeMismatch, 2, 2), at(a, diag.InternalError, 1, 1)}); err != nil {
		t.Fatal(err)
	}
	base, err := ReadBaseline(reads.Disk{}, file)
	if err != nil {
		t.Fatal(err)
	}
	later := source.NewFileSet()
	b := add(t, later, "a.py", "# new\nx = 1\ny =  2\n")
	filter := Filter{Baseline: base}
	got := lines(later, filter.Apply(later, []*diag.Diagnostic{
		at(b, diag.ShapeMismatch, 3, 3), at(b, diag.ShapeMismatch, 3, 3), at(b, diag.ShapeMismatch, 2, 2), at(b, diag.InternalError, 2, 2),
	}, nil))
	if want := "a.py:3:1 SC101\na.py:2:1 SC101\na.py:2:1 SC999"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	_, known := filter.Split(later, []*diag.Diagnostic{at(b, diag.ShapeMismatch, 3, 3)}, nil)
	if n := base.Gone(later, known); len(known) != 1 || n != 1 { // that of the internal error
		t.Errorf("%v hidden, %d gone", known, n)
	}
	if n := base.Gone(source.NewFileSet(), nil); n != 0 {
		t.Errorf("%d gone of files that were not read", n)
	}
	if _, err := ReadBaseline(reads.Disk{}, file+"x"); err == nil || !strings.Contains(err.Error(), "--write-baseline") {
		t.Errorf("%v", err)
	}
}

// A baseline of the first version names findings by their words.
func TestBaselinesOfTheFirstVersionAreRead(t *testing.T) {
	fs := source.NewFileSet()
	a := add(t, fs, "a.py", "x = 1\ny = 2\n")
	list := []*diag.Diagnostic{at(a, diag.ShapeMismatch, 2, 2), at(a, diag.ShapeMismatch, 1, 1)}
	old := diag.WordedFingerprints(fs, list[:1])
	file := filepath.Join(t.TempDir(), "base.json")
	text := `{"version": 1, "findings": [{"fingerprint": "` + old[0] + `", "code": "SC101", "file": "a.py", "message": "message"}]}`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	base, err := ReadBaseline(reads.Disk{}, file)
	if err != nil {
		t.Fatal(err)
	}
	filter := Filter{Baseline: base}
	if got := lines(fs, filter.Apply(fs, list, nil)); got != "a.py:1:1 SC101" {
		t.Errorf("shown: %s", got)
	}
	if err := os.WriteFile(file, []byte(`{"version": 3, "findings": []}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadBaseline(reads.Disk{}, file); err == nil || !strings.Contains(err.Error(), "version 3 is not known") {
		t.Errorf("%v", err)
	}
}
