package fix

// This file tests fixes and diffs; the diffs against what git applies.

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

func file(t *testing.T, fs *source.FileSet, name, text string) *source.File {
	t.Helper()
	f := source.NewFile(name, text)
	if err := fs.Add(f); err != nil {
		t.Fatal(err)
	}
	return f
}

// replace makes a fix that replaces the first occurrence of old; each is old, new.
func replace(f *source.File, pairs ...string) *diag.Fix {
	fix := &diag.Fix{}
	for i := 0; i < len(pairs); i += 2 {
		at := f.Pos(strings.Index(f.Text(), pairs[i]))
		fix.Edits = append(fix.Edits, diag.Edit{At: source.Span{Start: at, End: at + source.Pos(len(pairs[i]))}, NewText: pairs[i+1]})
	}
	return fix
}

func anyFile(*source.File) bool { return true }

func TestFixesAreAppliedWhole(t *testing.T) {
	var fs = source.NewFileSet()
	f := file(t, fs, "a.py", "one two three four\n")
	g := file(t, fs, "b.py", "five six\n")
	both := &diag.Fix{Edits: append(replace(f, "four", "4").Edits, replace(g, "five", "5").Edits...)}
	got := Apply(fs, []*diag.Fix{
		replace(f, "two three", "2 3"),
		replace(f, "one", "1", "three", "THREE"), // its second edit overlaps: neither is made
		both,
		replace(g, "five six", "56"),
	}, anyFile)
	if len(got) != 2 || got[0].Text != "one 2 3 4\n" || got[1].Text != "5 six\n" || len(got[0].Fixes) != 2 {
		t.Errorf("%+v", got)
	}
	if got := Apply(fs, []*diag.Fix{both}, func(x *source.File) bool { return x == f }); got != nil {
		t.Errorf("a fix that reaches into a file that may not be changed was applied: %+v", got)
	}
}

func TestEditsTouchWithoutOverlapping(t *testing.T) {
	fs := source.NewFileSet()
	f := file(t, fs, "a.py", "f(x + y)\n")
	at := f.Pos(2)
	wrap := &diag.Fix{Edits: []diag.Edit{{At: source.Span{Start: at, End: at}, NewText: "("},
		{At: source.Span{Start: at + 5, End: at + 5}, NewText: ").long()"}}}
	got := Apply(fs, []*diag.Fix{wrap, replace(f, "x", "z"), {Edits: wrap.Edits[:1]}}, anyFile)
	if len(got) != 1 || got[0].Text != "f((z + y).long())\n" {
		t.Errorf("%+v", got)
	}
}

func TestEditsOutsideOfFilesAreRefused(t *testing.T) {
	fs := source.NewFileSet()
	f := file(t, fs, "a.py", "x\n")
	p := file(t, fs, "torch.py", "y\n")
	p.Prelude = true
	for _, fix := range []*diag.Fix{
		{}, replace(p, "y", "z"),
		{Edits: []diag.Edit{{NewText: "no place"}}},
		{Edits: []diag.Edit{{At: source.Span{Start: f.Pos(0), End: f.Pos(90)}, NewText: "past the end"}}},
		{Edits: []diag.Edit{{At: source.Span{Start: f.Pos(1), End: f.Pos(0)}, NewText: "backwards"}}},
	} {
		if got := Apply(fs, []*diag.Fix{fix}, anyFile); got != nil {
			t.Errorf("%+v was applied: %+v", fix, got)
		}
	}
}

func TestSafeFixesAreChosen(t *testing.T) {
	edits := []diag.Edit{{}}
	list := []*diag.Diagnostic{
		{Fixes: []diag.Fix{{Title: "advice", Safe: true}, {Title: "unsafe", Edits: edits}, {Title: "safe", Edits: edits, Safe: true}}},
		{Fixes: []diag.Fix{{Title: "unsafe 2", Edits: edits}}}, {},
	}
	titles := func(unsafe bool) (s string) {
		for _, f := range Chosen(list, unsafe) {
			s += f.Title + ","
		}
		return s
	}
	if got := titles(false) + " " + titles(true); got != "safe, unsafe,unsafe 2," {
		t.Error(got)
	}
}

func TestDiffIsUnified(t *testing.T) {
	got := Diff("a.py", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9")
	want := "--- a.py\n+++ a.py\n@@ -2,8 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n-9\n+9\n\\ No newline at end of file\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if Diff("a", "x", "x") != "" {
		t.Error("equal texts have a difference")
	}
	if got := Diff("a", "", "x\n"); got != "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n" {
		t.Error(got)
	}
}

// TestDiffsApply holds diffs of random texts against the program patch, if it is there.
func TestDiffsApply(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("no patch")
	}
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(string(rune('a'+r.IntN(4))) + "\n")
		}
		if r.IntN(4) == 0 {
			b.WriteString("end")
		}
		return b.String()
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	for range 40 {
		before, after := text(), text()
		if before == after || before == "" || after == "" { // patch deletes files that become empty
			continue
		}
		if err := os.WriteFile(name, []byte(before), 0o666); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(patch, "-s", name)
		c.Stdin = strings.NewReader(Diff("f", before, after))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s\n%q\n%q", err, out, before, after)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != after {
			t.Fatalf("%q became %q, not %q (%v)", before, got, after, err)
		}
	}
}
