package diag

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
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

func TestFindingsOfOneCauseAreOne(t *testing.T) {
	at := func(n int) source.Span { return source.Span{Start: source.Pos(n), End: source.Pos(n + 2)} }
	born := []source.Span{at(100), at(200)}
	fix := func(n int, title string) []Fix {
		return []Fix{{Title: title, Edits: []Edit{{At: at(n), NewText: "64"}}}}
	}
	list := []*Diagnostic{
		{Code: ShapeMismatch, Severity: Warning, At: at(10), Msg: "q", Born: born, Fixes: fix(50, "wide")},
		{Code: ShapeMismatch, Severity: Error, At: at(10), Msg: "q of another size", Born: born},
		{Code: ShapeMismatch, Severity: Error, At: at(20), Msg: "of another cause", Born: []source.Span{at(100), at(300)}},
		{Code: ShapeMismatch, Severity: Error, At: at(30), Msg: "k", Born: born, Fixes: fix(60, "wide")},
		{Code: RankMismatch, Severity: Error, At: at(40), Msg: "of another code", Born: born},
		{Code: ShapeMismatch, Severity: Error, At: at(50), Msg: "v", Born: born, Fixes: fix(60, "wide")},
		{Code: ShapeMismatch, Severity: Error, At: at(60), Msg: "of no known cause"},
		{Code: ShapeMismatch, Severity: Error, At: at(70), Msg: "of no known cause"},
		{Code: ShapeMismatch, Severity: Error, At: at(80), Msg: "of one side", Born: born[:1]},
		{Code: ShapeMismatch, Severity: Error, At: at(90), Msg: "of one side", Born: born[:1]},
	}
	got, first := FirstOfCauses(list)
	if !slices.Equal(first, []int{0, 2, 4, 6, 7, 8, 9}) {
		t.Fatalf("the first of each: %v", first)
	}
	d := got[0]
	if d.Severity != Error || d.At != at(10) || len(d.Also) != 2 || d.Also[0].Msg != "k" || d.Also[1].At != at(50) || d.Count != 2 || len(d.Others) != 1 {
		t.Errorf("%+v", d)
	}
	if n := len(d.Fixes[0].Edits); n != 2 { // that of k and v is one edit
		t.Errorf("the fix has %d edits", n)
	}
	if again := Causes(got); len(again) != len(got) || len(again[0].Also) != 2 {
		t.Errorf("causes of causes: %+v", again)
	}
	if list[0].Also != nil || len(list[0].Fixes[0].Edits) != 1 || list[0].Severity != Warning {
		t.Error("the input was changed")
	}
}

// sizeOf is a size of a test: a number, or a symbol.
type sizeOf struct {
	n      int64
	symbol string
}

func (s sizeOf) Const() (int64, bool) { return s.n, s.symbol == "" }

func (s sizeOf) SymbolNames() []string { return []string{s.symbol} }

func (s sizeOf) Outline() uint64 { return 1 }

// listOfSizes are sizes that a message lists.
type listOfSizes []sizeOf

func (l listOfSizes) EachListed(do func(Size)) {
	for _, s := range l {
		do(s)
	}
}

// typeOfSizes is a type with sizes.
type typeOfSizes []sizeOf

func (l typeOfSizes) EachSize(do func(n int64, isNumber bool, symbols []string)) {
	for _, s := range l {
		do(s.n, s.symbol == "", s.SymbolNames()[:min(1, len(s.symbol))])
	}
}

// TestSizesOfValues checks what the values of a message tell, whatever its words are; one without values tells nothing.
func TestSizesOfValues(t *testing.T) {
	for _, c := range []struct {
		code   Code
		values []any
		want   Sizes
	}{
		{ShapeMismatch, nil, Sizes{}},
		{ShapeMismatch, []any{"f32[0,B] -1 negative"}, Sizes{}},
		{ShapeMismatch, []any{sizeOf{symbol: "C"}, 4}, Sizes{Symbols: []string{"C"}}},
		{ShapeMismatch, []any{sizeOf{symbol: "C"}, int64(4), sizeOf{symbol: "C"}}, Sizes{Symbols: []string{"C"}, Numbered: true}},
		{ShapeMismatch, []any{listOfSizes{{n: 3}, {n: 3}}}, Sizes{Numbered: true}},
		{ShapeMismatch, []any{typeOfSizes{{n: 0}, {symbol: "B"}}}, Sizes{Symbols: []string{"B"}, Empty: true}},
		{RankMismatch, []any{4, typeOfSizes{{symbol: "B"}}}, Sizes{Symbols: []string{"B"}, Numbered: true}},
		{RankMismatch, []any{Counted{2, "dimension"}}, Sizes{Numbered: true}},
		{RankMismatch, []any{typeOfSizes{{symbol: "B"}}}, Sizes{Symbols: []string{"B"}}},
		{InvalidSize, []any{sizeOf{n: -1}, sizeOf{n: 3}}, Sizes{Numbered: true, Negative: true}},
		{BadValue, []any{-0.5}, Sizes{Numbered: true, Negative: true}},
		{BadValue, []any{int64(0)}, Sizes{Numbered: true, Negative: true}},
		{BadValue, []any{int64(0), int64(2)}, Sizes{Numbered: true}},
		{BadValue, []any{-1}, Sizes{}}, // an axis
		{BadValue, []any{Count(0)}, Sizes{Numbered: true, Empty: true}},
	} {
		got := New(c.code, source.Span{}, "words", c.values...).Sizes
		if got.Key == 0 {
			t.Errorf("%v has no key", c.values)
		}
		if got.Key = 0; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %v: got %+v, want %+v", c.code, c.values, got, c.want)
		}
	}
	key := func(code Code, format string, values ...any) uint64 {
		return Newf(code, source.Span{}, format, values...).Sizes.Key
	}
	b, h := sizeOf{symbol: "B"}, sizeOf{symbol: "H"}
	if key(ShapeMismatch, "%v %v %v", b, 1, typeOfSizes{b}) != key(ShapeMismatch, "%v %v %v", h, 2, typeOfSizes{h, h}) {
		t.Error("another form of the input has another key")
	}
	if key(ShapeMismatch, "%v", sizeOf{n: 3}) == key(ShapeMismatch, "%v",
		sizeOf{n: 4}) || key(ShapeMismatch, "a") == key(ShapeMismatch, "b") ||
		key(ShapeMismatch, "%v", listOfSizes{{n: 3}}) == key(ShapeMismatch, "%v", listOfSizes{{n: 4}}) {
		t.Error("another number, or another statement, has the same key")
	}
	if key(RankMismatch, "%v", typeOfSizes{b}) == key(RankMismatch, "%v",
		typeOfSizes{h}) || key(BadValue, "%v", 1) == key(BadValue, "%v", 2) {
		t.Error("what is no fault between sizes leaves values out")
	}
}
