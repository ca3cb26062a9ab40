package parser

// This file checks the wording and the place of syntax errors. Each archive in
// testdata/errors holds programs and, in a section of the same name with the
// ending .want, their errors. "go test ./parser -update" rewrites these.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

var update = flag.Bool("update", false, "rewrite the expected errors")

func newFile(t testing.TB, name, text string) *source.File {
	t.Helper()
	f := source.NewFile(name, text)
	if err := source.NewFileSet().Add(f); err != nil {
		t.Fatal(err)
	}
	return f
}

// render writes diagnostics with their line and a caret.
func render(f *source.File, diags []*diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range diags {
		line, col := f.LineCol(d.At.Start)
		text := f.Line(line)
		fmt.Fprintf(&b, "%d:%d: %s\n", line, col+1, d.Msg)
		endLine, endCol := f.LineCol(d.At.End)
		if endLine != line {
			endCol = len(text)
		}
		n := max(1, utf8.RuneCountInString(text[min(col, len(text)):min(max(endCol, col), len(text))]))
		pad := strings.Map(func(r rune) rune {
			if r == '\t' {
				return r
			}
			return ' '
		}, text[:min(col, len(text))])
		fmt.Fprintf(&b, "    %s\n    %s%s\n", text, pad, strings.Repeat("^", n))
	}
	return b.String()
}

func TestSyntaxErrors(t *testing.T) {
	archives, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{}
			for _, f := range a.Files {
				want[f.Name] = string(f.Data)
			}
			out := &txtar.Archive{Comment: a.Comment}
			for _, f := range a.Files {
				if strings.HasSuffix(f.Name, ".want") {
					continue
				}
				file := newFile(t, f.Name, string(f.Data))
				_, diags := Parse(file)
				got := render(file, diags)
				if len(diags) == 0 {
					t.Errorf("%s: no error reported", f.Name)
				}
				out.Files = append(out.Files, f, txtar.File{Name: f.Name + ".want", Data: []byte(got)})
				if w := want[f.Name+".want"]; got != w && !*update {
					t.Errorf("%s:\ngot:\n%swant:\n%s", f.Name, got, w)
				}
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
