package diag

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"shapecheck/internal/source"
)

func TestSinkCountsTheSameFindingOfSeveralContexts(t *testing.T) {
	var s Sink
	at := source.Span{Start: 3, End: 5}
	for range 3 {
		s.Report(New(ShapeMismatch, at, "same"))
	}
	s.Report(New(ShapeMismatch, at, "other"))
	if s.Len() != 2 || s.All()[0].Count != 3 || s.All()[1].Count != 0 {
		t.Errorf("%d findings, counts %d and %d", s.Len(), s.All()[0].Count, s.All()[1].Count)
	}
	s.Truncate(1)
	s.Report(New(ShapeMismatch, at, "other"))
	if s.Len() != 2 {
		t.Error("a finding that was cut off is not reported again")
	}
}

func TestFindingsOfOnePlaceAreGrouped(t *testing.T) {
	at, other := source.Span{Start: 3, End: 5}, source.Span{Start: 8, End: 9}
	list := []*Diagnostic{
		New(ShapeMismatch, at, "1"), New(ShapeMismatch, other, "1"), New(ShapeMismatch, at, "2"), New(RankMismatch, at, "3"),
		New(ShapeMismatch, at, "4"), New(ShapeMismatch, at, "5"), New(ShapeMismatch, at, "6"),
	}
	list[2].Count = 2
	got := Group(list)
	if len(got) != 3 || got[0].Count != 6 || got[1] != list[1] || got[2] != list[3] {
		t.Fatalf("%+v", got)
	}
	if n := strings.Join(got[0].Others, "; "); n != "2; 4; 5; 6" {
		t.Error(n)
	}
	if list[0].Count != 0 || list[0].Others != nil {
		t.Error("the input was changed")
	}
}

// TestEveryCodeHasARow holds the rows against the constants of the package's source:
// each constant of type Code has one row, and each row a constant.
func TestEveryCodeHasARow(t *testing.T) {
	rows := map[Code]bool{}
	for _, c := range Codes() {
		if rows[c.Code] || len(c.Code) != 5 || c.Title == "" || c.Doc == "" {
			t.Errorf("row %q is a duplicate or incomplete", c.Code)
		}
		rows[c.Code] = true
		if c.Code.Info().Code != c.Code {
			t.Errorf("%s: the wrong row is found", c.Code)
		}
	}
	constants := map[Code]string{}
	for name, code := range codeConstants(t) {
		if other, ok := constants[code]; ok {
			t.Errorf("%s and %s are both %s", name, other, code)
		}
		constants[code] = name
		if !rows[code] {
			t.Errorf("%s (%s) has no row", name, code)
		}
	}
	for code := range rows {
		if constants[code] == "" {
			t.Errorf("the row of %s has no constant", code)
		}
	}
}

// codeConstants reads the constants of type Code from the files of the package.
func codeConstants(t *testing.T) map[string]Code {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]Code{}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				if typ, ok := v.Type.(*ast.Ident); !ok || typ.Name != "Code" {
					continue
				}
				for i, n := range v.Names {
					lit, ok := v.Values[i].(*ast.BasicLit)
					if !ok {
						t.Fatalf("%s: %s is no literal", name, n.Name)
					}
					text, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					found[n.Name] = Code(text)
				}
			}
		}
	}
	if len(found) < 30 {
		t.Fatalf("only %d constants were found", len(found))
	}
	return found
}

func TestLongMessagesAreShortened(t *testing.T) {
	long := strings.Repeat("é", maxMessage)
	got := New(ShapeMismatch, source.Span{}, "begins "+long+" ends").Msg
	if len(got) > maxMessage+8 || !utf8.ValidString(got) || !strings.HasPrefix(got, "begins é") || !strings.HasSuffix(got, "é ends") {
		t.Errorf("%d bytes, %.20q", len(got), got)
	}
	if got := New(ShapeMismatch, source.Span{}, "short").Msg; got != "short" {
		t.Errorf("%q", got)
	}
}

// The name of a finding has its function and its facts, and none of its words.
func TestFingerprintsHaveNoWords(t *testing.T) {
	const text = `import torch
class Net:
    def forward(self, x):
        y = f(x)

        return y
    def other(self, x):
        y = f(x)
def g(x):
    y = f(x)
y = f(1)
`
	print := func(text string, line int, msg string, args ...any) string {
		t.Helper()
		f := source.NewFile("a.py", text)
		fs := source.NewFileSet()
		if err := fs.Add(f); err != nil {
			t.Fatal(err)
		}
		at := f.LineStart(line) + source.Pos(strings.Index(f.Line(line), "y"))
		return Fingerprints(fs, []*Diagnostic{New(ShapeMismatch, source.Span{Start: at, End: at + 1}, msg, args...)})[0]
	}
	base := print(text, 4, "sizes 3 and 4 differ", 3, "f32[3,4]")
	for name, same := range map[string]string{
		"other words":         print(text, 4, "3 is not 4, as it must be", 3, "f32[3,4]", "because of words"),
		"another line of it":  print(text, 6, "sizes 3 and 4 differ", 3, "f32[3,4]"),
		"lines above":         print("# one\n\n"+text, 6, "sizes 3 and 4 differ", 3, "f32[3,4]"),
		"another text before": print(strings.Replace(text, "y = f(x)\n\n", "y = f(x, 3)\n", 1), 5, "sizes", 3, "f32[3,4]"),
	} {
		if same != base {
			t.Errorf("%s: another name", name)
		}
	}
	seen := map[string]string{base: "the first"}
	for name, other := range map[string]string{
		"another size":     print(text, 4, "sizes 3 and 5 differ", 3, "f32[3,5]"),
		"another method":   print(text, 8, "sizes 3 and 4 differ", 3, "f32[3,4]"),
		"a function":       print(text, 10, "sizes 3 and 4 differ", 3, "f32[3,4]"),
		"the top level":    print(text, 11, "sizes 3 and 4 differ", 3, "f32[3,4]"),
		"no facts":         print(text, 4, "sizes differ"),
		"no facts, a line": print(text, 6, "sizes differ"),
	} {
		if before := seen[other]; before != "" {
			t.Errorf("%s has the name of %s", name, before)
		}
		seen[other] = name
	}
}
