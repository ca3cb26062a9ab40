package notebook

// This file tests that what does not change keeps its bytes, over the notebooks of testdata.

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// notebooks are the texts of testdata that can be read.
func notebooks(tb testing.TB) map[string]string {
	paths, err := filepath.Glob("../../testdata/notebooks/*.txtar")
	if err != nil {
		tb.Fatal(err)
	}
	out := map[string]string{}
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			tb.Fatal(err)
		}
		for _, f := range a.Files {
			if !Is(f.Name) {
				continue
			}
			if _, err := File(f.Name, string(f.Data)); err == nil {
				out[filepath.Base(p)+" "+f.Name] = string(f.Data)
			}
		}
	}
	if len(out) < 12 {
		tb.Fatalf("%d notebooks", len(out))
	}
	return out
}

func TestRewritingNothingChangesNothing(t *testing.T) {
	for name, text := range notebooks(t) {
		f, err := File(name, text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Rewrite(f, f.Text()); err != nil || got != text {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

// Comments are added to each line, and lines before and after each; then the notebook must be the
// program with them, and without their texts be what it was.
func TestAddedTextIsAllThatIsNew(t *testing.T) {
	const added = "#+é☃"
	changes := 0
	for name, text := range notebooks(t) {
		f, err := File(name, text)
		if err != nil {
			t.Fatal(err)
		}
		lines := splitLines(f.Text())
		for i, l := range lines {
			if strings.Contains(l, "# cell ") {
				continue // the head of a cell
			}
			body := strings.TrimRight(l, "\r\n")
			for _, with := range []string{body + added + l[len(body):], added + "\n" + l, l + added + "\n"} {
				changed := strings.Join(lines[:i], "") + with + strings.Join(lines[i+1:], "")
				got, err := Rewrite(f, changed)
				if err != nil {
					if !strings.Contains(err.Error(), errTranslated.Error()) {
						t.Fatalf("%s: line %d: %v", name, i+1, err)
					}
					continue
				}
				again, err := File(name, got)
				if err != nil {
					t.Fatalf("%s: line %d: %v\n%s", name, i+1, err, got)
				}
				if again.Text() != changed {
					t.Fatalf("%s: line %d: the program is\n%s\nwant\n%s", name, i+1, again.Text(), changed)
				}
				if len(got) > len(text)+200 || common(text, got) < len(text)-2 {
					t.Fatalf("%s: line %d: more is new than %q:\n%s", name, i+1, with, got)
				}
				changes++
			}
		}
	}
	if changes < 100 {
		t.Errorf("%d changes", changes)
	}
}

// common is how many bytes two texts begin and end with alike.
func common(a, b string) int {
	n, m := 0, 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for m < min(len(a), len(b))-n && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	return n + m
}

func TestMagics(t *testing.T) {
	for cell, want := range map[string]string{
		"x = %pwd":                      "x = eval(input())",
		"x = !ls":                       "x = input().splitlines()",
		"x != 3":                        "x != 3",
		"f(x\n%y)":                      "f(x\n%y)",
		"a = '''\n%b\n'''":              "a = '''\n%b\n'''",
		"a = 1 + \\\n%b":                "a = 1 + \\\n%b",
		"if x:\n\t!ls":                  "if x:\n\tpass",
		"!a \\\nb\nc":                   "pass\n\nc",
		"%time y = f(x)":                "if 1: y = f(x)",
		"%time for i in x: pass":        "pass",
		"%time formed = 1":              "if 1: formed = 1",
		"%timeit y = f(x)":              "pass",
		"%run x.py":                     "exec(input())",
		"x?":                            "pass",
		"'x?'":                          "'x?'",
		"x # ?":                         "x # ?",
		"%%time\nx":                     "pass\nx",
		"%%capture a\nx":                "a = eval(input())\nx",
		"%%capture --no-stderr a\nx":    "a = eval(input())\nx",
		"%%html\n<a>":                   "\n",
		"%%cython\ndef f(int x): pass":  "exec(input())\n",
		"x = 1\n%%time":                 "x = 1\npass",
		"s = \"it's\"\n!echo 'a\ny = 1": "s = \"it's\"\npass\ny = 1",
	} {
		var b strings.Builder
		for _, l := range python(splitLines(cell)) {
			b.WriteString(l.text)
		}
		if got := b.String(); got != want {
			t.Errorf("%q is %q, want %q", cell, got, want)
		}
	}
}

func FuzzFile(f *testing.F) {
	for _, text := range notebooks(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := File("net.ipynb", text)
		if err != nil {
			return
		}
		if got, err := Rewrite(p, p.Text()); err != nil || got != text {
			t.Errorf("%v: %q", err, got)
		}
	})
}
