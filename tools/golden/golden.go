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
// that are equal expressions agree however they are written. An info is compared
// where one is expected. The sections want/output, want/contract and want/graph
// hold whole texts, want/usage the error of a run that cannot start. With
// -update the # shape: comments and the sections are rewritten.
//
// An archive may hold several cases: a file named "case NAME" begins one. It
// holds the case's run: lines; without any, those of the archive's head count.
//
// Lines that start with "sizes:" give concrete sizes, with which
// testdata/against_torch.py runs the same files under PyTorch; they mean
// nothing here.
package golden

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/internal/reads"
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

// runFile runs the cases of an archive.
func runFile(t *testing.T, path string) {
	t.Parallel()
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := false
	for _, c := range cases(ar) {
		if c.name == "" {
			changed = runCase(t, c) || changed
			continue
		}
		t.Run(c.name, func(t *testing.T) { changed = runCase(t, c) || changed })
	}
	if changed && *update {
		if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A testCase is a command line and the files it runs on; files is a part of
// the archive's, so that -update writes there.
type testCase struct {
	name  string
	run   []string
	files []txtar.File
}

// cases splits an archive at its files named "case NAME": each has a command line of its own, or
// that of the archive, and the files that follow.
func cases(ar *txtar.Archive) []testCase {
	head := commandLine(string(ar.Comment))
	list := []testCase{{run: head}}
	start := 0
	for i, f := range ar.Files {
		name, ok := strings.CutPrefix(f.Name, "case ")
		if !ok {
			continue
		}
		list[len(list)-1].files = ar.Files[start:i]
		run := commandLine(string(f.Data))
		if run == nil {
			run = head
		}
		list = append(list, testCase{name: name, run: run})
		start = i + 1
	}
	list[len(list)-1].files = ar.Files[start:]
	if len(list[0].files) == 0 && len(list) > 1 {
		list = list[1:]
	}
	return list
}

// runCase runs one case and returns whether expectations were rewritten.
func runCase(t *testing.T, c testCase) bool {
	files := map[string]string{}
	for _, f := range c.files {
		if !strings.HasPrefix(f.Name, "want/") {
			files[f.Name] = string(f.Data)
		}
	}
	target, err := check.ParseTarget(c.run)
	if err != nil {
		t.Fatal(err)
	}
	s := &check.Session{FS: reads.NewMemory(files)}
	res, err := s.Check(t.Context(), target)
	want, expected := section(c.files, "want/usage")
	if err != nil {
		if !expected {
			t.Fatalf("run: %v", err)
		}
		if got := err.Error(); strings.TrimSpace(want) != got {
			t.Errorf("usage error:\n got %s\nwant %s", got, strings.TrimSpace(want))
		}
		return false
	}
	if expected {
		t.Errorf("the run started; expected the error %s", want)
	}
	if err := errors.Join(graph.Verify(res.Graph), catalog.CheckNodes(res.Graph)); err != nil {
		t.Errorf("the typed graph: %v", err)
	}
	doc := record.Build(res.Result)
	changed := checkComments(t, c.files, doc)
	return checkSections(t, c.files, res.Result, doc) || changed
}

func section(files []txtar.File, name string) (string, bool) {
	for _, f := range files {
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

// checkSections compares the want/ sections.
func checkSections(t *testing.T, files []txtar.File, res *infer.Result, doc *record.Document) (changed bool) {
	t.Helper()
	for i := range files {
		f := &files[i]
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
