package parser_test

// This file feeds the parser hostile input: nothing may panic, hang or overflow
// the stack, and every node must lie inside the file.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

func parse(t testing.TB, text string) (*ast.Module, []string) {
	t.Helper()
	f := source.NewFile("t.py", text)
	if err := source.NewFileSet().Add(f); err != nil {
		t.Fatal(err)
	}
	m, diags := parser.Parse(f)
	var msgs []string
	for _, d := range diags {
		if d.At.Start < f.Pos(0) || d.At.End > f.Pos(f.Size()) || d.At.End < d.At.Start {
			t.Fatalf("error outside the file: %v %s", d.At, d.Msg)
		}
		msgs = append(msgs, d.Msg)
	}
	return m, msgs
}

func FuzzParse(f *testing.F) {
	for _, dir := range []string{"testdata/errors/*.txtar", "testdata/*.txt", "*.go"} {
		names, _ := filepath.Glob(dir)
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			for _, piece := range strings.Split(string(data), "\n-- ") {
				f.Add(piece)
			}
		}
	}
	for _, s := range []string{
		"f'{x:{y:{z}}}{{}}'\n", "if x:\n  y\n else:\n", "match x:\n case [a, *_] | {'k': v, **r} if g: pass\n",
		"async def f[T: int](a, /, *b, c=1, **d) -> int:\n  async with a as b, (c): await d\n",
		"lambda *a, **k: (yield)\n", "x = [y := 1, *z for a in b]\n", "@\n@a\nclass A(b, c=d): pass\n",
		"try:\n pass\nexcept* A as b:\n pass\nelse:\n pass\nfinally:\n pass\n", "\\\n\\", "\t \f x\n\ty\n", "f'''{\na\n}'''",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if decoded, err := parser.Decode([]byte(text)); err == nil {
			text = decoded
		}
		m, msgs := parse(t, text)
		end := m.End
		ast.Inspect(m, func(n ast.Node) bool {
			if s := n.Span(); s.Start < m.Start || s.End > end || s.End < s.Start {
				t.Fatalf("%T has range %v outside the file %v", n, s, m.Span())
			}
			return true
		})
		resolve.Resolve(m)
		checkOutline(t, text)
		ast.Dump(m, ast.DumpOptions{Attributes: true})
		if len(msgs) == 0 && len(text) < 1000 {
			// A second statement does not change what the first one means.
			if _, again := parse(t, text+"\npass\n"); len(again) > 0 && !strings.HasSuffix(text, "\\") {
				t.Fatalf("%q is valid, but not before another statement: %v", text, again)
			}
		}
	})
}

func TestHostileInputEndsInAnError(t *testing.T) {
	const n = 100_000
	for _, c := range []struct{ name, text, want string }{
		{"brackets", strings.Repeat("(", n), "too many nested parentheses"},
		{"closed brackets", strings.Repeat("[", n) + strings.Repeat("]", n), "too many nested parentheses"},
		{"conditionals", strings.Repeat("1 if 1 else ", n) + "1", "too many nested conditional expressions"},
		{"lambdas", strings.Repeat("lambda: ", n) + "1", "too many nested conditional expressions"},
		{"lambda defaults", strings.Repeat("lambda a=", n) + "1", "too many nested conditional expressions"},
		{"unary", strings.Repeat("-", n) + "1", "nested too deeply"},
		{"not", strings.Repeat("not ", n) + "1", "nested too deeply"},
		{"power", strings.Repeat("1**", n) + "1", "nested too deeply"},
		{"sum", strings.Repeat("1+", n) + "1", "nested too deeply"},
		{"attributes", "a" + strings.Repeat(".a", n), "nested too deeply"},
		{"calls", "a" + strings.Repeat("()", n), "nested too deeply"},
		{"subscripts", "a" + strings.Repeat("[0]", n), "nested too deeply"},
		{"elif", "if a: pass\n" + strings.Repeat("elif a: pass\n", n), "too many elif"},
		{"indentation", indented(200), "too many levels of indentation"},
		{"f-strings", strings.Repeat("f'{", n), "too many nested"},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			m, msgs := parse(t, c.text+"\n")
			if len(msgs) == 0 || !strings.Contains(msgs[0], c.want) {
				t.Errorf("got %q, want %q", msgs, c.want)
			}
			resolve.Resolve(m)
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

func indented(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	return b.String()
}

func TestLongInputIsAccepted(t *testing.T) {
	const n = 100_000
	for _, c := range []struct{ name, text string }{
		{"sum of 5000 terms", strings.Repeat("1+", 5000) + "1"},
		{"list", "[" + strings.Repeat("1,", n) + "]"},
		{"comparison", strings.Repeat("1<", n) + "1"},
		{"and", strings.Repeat("a and ", n) + "a"},
		{"statements in a line", strings.Repeat("a;", n)},
		{"lines", strings.Repeat("a\n", n)},
		{"assignments", strings.Repeat("a=", n) + "1"},
		{"strings", strings.Repeat("'a' ", n)},
		{"fields", "f'" + strings.Repeat("{a}{{", n) + "'"},
		{"decorators", strings.Repeat("@a\n", n) + "def f(): pass"},
		{"arguments", "f(" + strings.Repeat("a,", n) + ")"},
		{"cases", "match x:\n" + strings.Repeat(" case 1: pass\n", n)},
		{"handlers", "try: pass\n" + strings.Repeat("except a: pass\n", n)},
		{"imports", strings.Repeat("import a\n", n)},
		{"comments", strings.Repeat("# a\n", n)},
		{"brackets at the limit", strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200)},
		{"indentation at the limit", indented(99) + strings.Repeat(" ", 98) + " pass"},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			m, msgs := parse(t, c.text+"\n")
			if len(msgs) > 0 {
				t.Errorf("refused: %v", msgs)
			}
			resolve.Resolve(m)
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}
