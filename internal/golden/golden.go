// Package golden runs cases that are written as txtar archives.
//
// The comment at the head of an archive holds the command line after
// "shapecheck", on lines that start with "run:". The Python files hold what is
// expected, at the lines it is about:
//
//	y = self.conv(x)     # shape: f32[b,64,h//2,w//2]
//	m, s = f(x)          # shape: m=f32[b], s=f32[b]
//	z = f(x)             # shape: f32[b,3] ; f32[b,5]     two call contexts
//	n = len(x)           # nothing is said of lines without a comment
//	u = y @ self.w       # error: SC101 "64 and 32"
//
// Every error and warning must be expected. Types are compared as values: sizes
// that are equal expressions agree however they are written. The sections
// want/output, want/contract and want/graph hold whole texts. With -update
// the # shape: comments and the sections are rewritten.
package golden

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/internal/report"
)

var update = flag.Bool("update", false, "rewrite the expectations")

// Run runs every archive of a folder as a subtest.
func Run(t *testing.T, dir string) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives in %s: %v", dir, err)
	}
	for _, p := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(p), ".txtar"), func(t *testing.T) { runFile(t, p) })
	}
}

// A chunk is one case of an archive: files up to the next file named "---".
func runFile(t *testing.T, path string) {
	t.Parallel()
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	run := commandLine(string(ar.Comment))
	dir := t.TempDir()
	for _, f := range ar.Files {
		if strings.HasPrefix(f.Name, "want/") {
			continue
		}
		p := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cfg, err := config(run, dir)
	if err != nil {
		t.Fatal(err)
	}
	res, err := infer.Run(cfg)
	if err != nil {
		want, ok := section(ar, "want/usage")
		if !ok {
			t.Fatalf("run: %v", err)
		}
		if got := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""); strings.TrimSpace(want) != got {
			t.Errorf("usage error:\n got %s\nwant %s", got, strings.TrimSpace(want))
		}
		return
	}
	if err := graph.Verify(res.Graph); err != nil {
		t.Errorf("the typed graph: %v", err)
	}
	doc := report.Build(res)
	changed := checkComments(t, ar, doc)
	changed = checkSections(t, ar, res, doc) || changed
	if changed && *update {
		if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func section(ar *txtar.Archive, name string) (string, bool) {
	for _, f := range ar.Files {
		if f.Name == name {
			return string(f.Data), true
		}
	}
	return "", false
}

func commandLine(comment string) []string {
	var out []string
	for _, l := range strings.Split(comment, "\n") {
		if rest, ok := strings.CutPrefix(l, "run:"); ok {
			out = append(out, splitWords(rest)...)
		}
	}
	return out
}

// splitWords splits at spaces outside single quotes.
func splitWords(s string) []string {
	var words []string
	var b strings.Builder
	inWord, quoted := false, false
	for _, r := range s {
		switch {
		case r == '\'':
			quoted = !quoted
			inWord = true
		case r == ' ' && !quoted:
			if inWord {
				words = append(words, b.String())
				b.Reset()
			}
			inWord = false
		default:
			b.WriteRune(r)
			inWord = true
		}
	}
	if inWord {
		words = append(words, b.String())
	}
	return words
}

func config(words []string, dir string) (infer.Config, error) {
	var cfg infer.Config
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	fs.SetOutput(bytes.NewBuffer(nil))
	add := func(list *[]string) func(string) error {
		return func(s string) error { *list = append(*list, s); return nil }
	}
	fs.StringVar(&cfg.Entry, "entry", "", "")
	fs.StringVar(&cfg.Call, "call", "", "")
	fs.StringVar(&cfg.Module, "m", "", "")
	fs.StringVar(&cfg.TorchVersion, "torch-version", "", "")
	fs.BoolVar(&cfg.Eval, "eval", false, "")
	fs.Func("arg", "", add(&cfg.Args))
	fs.Func("set", "", add(&cfg.Set))
	var file string
	for len(words) > 0 { // a file name may stand anywhere
		if !strings.HasPrefix(words[0], "-") {
			file, words = words[0], words[1:]
			continue
		}
		if err := fs.Parse(words); err != nil {
			return cfg, err
		}
		words = fs.Args()
	}
	if cfg.Module != "" {
		cfg.Roots = []string{dir}
		return cfg, nil
	}
	if file == "" {
		return cfg, fmt.Errorf("the archive has no line run: FILE …")
	}
	cfg.File = filepath.Join(dir, file)
	return cfg, nil
}

var expectation = regexp.MustCompile(`#\s*(shape|error|warning|info): ?(.*?)\s*$`)

// checkComments compares the # comments with the document. It returns whether
// it rewrote any.
func checkComments(t *testing.T, ar *txtar.Archive, doc *report.Document) (changed bool) {
	t.Helper()
	type place struct {
		file string
		line int
	}
	found := map[place][]report.Diagnostic{}
	for _, d := range doc.Diagnostics {
		p := place{filepath.Base(d.File), d.Line}
		found[p] = append(found[p], d)
	}
	types := map[place][]report.Line{}
	for _, l := range doc.Lines {
		p := place{filepath.Base(l.File), l.Line}
		types[p] = append(types[p], l)
	}
	for i := range ar.Files {
		f := &ar.Files[i]
		if !strings.HasSuffix(f.Name, ".py") {
			continue
		}
		lines := strings.Split(string(f.Data), "\n")
		for n, text := range lines {
			p := place{filepath.Base(f.Name), n + 1}
			m := expectation.FindStringSubmatchIndex(text)
			if m == nil {
				continue
			}
			kind, want := text[m[2]:m[3]], text[m[4]:m[5]]
			if kind == "shape" {
				got := lineTypes(types[p], strings.Contains(want, "="))
				if !sameTypes(got, want) {
					if *update {
						lines[n] = text[:m[4]] + got
						changed = true
						continue
					}
					t.Errorf("%s:%d: shape %s, not %s", f.Name, n+1, got, want)
				}
				continue
			}
			list := found[p]
			hit := -1
			for k, d := range list {
				code, msg, _ := strings.Cut(want, " ")
				msg, err := strconv.Unquote(strings.TrimSpace(msg))
				if err != nil {
					msg = ""
				}
				if d.Severity == kind && d.Code == code && strings.Contains(d.Message, msg) {
					hit = k
				}
			}
			if hit < 0 {
				t.Errorf("%s:%d: expected %s %s, found %s", f.Name, n+1, kind, want, describe(list))
				continue
			}
			found[p] = append(list[:hit:hit], list[hit+1:]...)
		}
		f.Data = []byte(strings.Join(lines, "\n"))
	}
	for p, list := range found {
		for _, d := range list {
			if d.Severity != diag.Info.String() {
				t.Errorf("%s:%d: unexpected %s %s: %s", p.file, p.line, d.Severity, d.Code, d.Message)
			}
		}
	}
	return changed
}

func describe(list []report.Diagnostic) string {
	if len(list) == 0 {
		return "nothing"
	}
	var parts []string
	for _, d := range list {
		parts = append(parts, fmt.Sprintf("%s %s %q", d.Severity, d.Code, d.Message))
	}
	return strings.Join(parts, ", ")
}

// lineTypes writes the types of a line as the comments do.
func lineTypes(list []report.Line, named bool) string {
	var parts []string
	for _, l := range list {
		s := strings.Join(l.Types, " ; ")
		if named {
			s = l.Target + "=" + s
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// sameTypes compares as text without spaces; the sizes are printed in one
// canonical form, so that equal sizes are equal texts.
func sameTypes(got, want string) bool {
	strip := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	return strip(got) == strip(want)
}

// checkSections compares the want/ sections.
func checkSections(t *testing.T, ar *txtar.Archive, res *infer.Result, doc *report.Document) (changed bool) {
	t.Helper()
	for i := range ar.Files {
		f := &ar.Files[i]
		var got string
		switch f.Name {
		case "want/output":
			got = doc.OutputType + "\n"
		case "want/contract":
			var b strings.Builder
			for _, c := range doc.Contract {
				b.WriteString(c.Condition + "\n")
			}
			got = b.String()
		case "want/graph":
			var b bytes.Buffer
			graph.Print(&b, res.Graph, res.Files)
			got = regexp.MustCompile(`  # \S*?([^/\s]+\.py:)`).ReplaceAllString(b.String(), "  # $1")
		default:
			continue
		}
		if got != string(f.Data) {
			if *update {
				f.Data = []byte(got)
				changed = true
				continue
			}
			t.Errorf("%s:\n got %s\nwant %s", f.Name, got, f.Data)
		}
	}
	return changed
}
