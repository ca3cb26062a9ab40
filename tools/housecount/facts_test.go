package main

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/internal/localfile"
)

// TestNoMessageIsMatchedAsText holds that no decision of the product reads the words of a message: they are for people, and change.
// What is decided by is diag.Fact and diag.Sizes.
func TestNoMessageIsMatchedAsText(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".") && path != root):
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := localfile.Read(path, maxFile)
		if err != nil {
			return err
		}
		files++
		number := 0
		for line := range strings.Lines(string(text)) {
			if number++; matchesMessage(line) {
				t.Errorf("%s:%d: a message is matched as text: %s", path, number, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("only %d files were read", files)
	}
}

// TestMatchesMessage checks which lines count.
func TestMatchesMessage(t *testing.T) {
	for line, want := range map[string]bool{
		`	empty := d.Code == diag.BadIndex || emptyNamed.MatchString(d.Msg)`:      true,
		`	return d.Severity == diag.Error && strings.HasSuffix(u.Why, d.Msg)`:     true,
		`	return shapesNamed.ReplaceAllString(fault.Msg, "…")`:                    true,
		`		return r.Msg == diag.CalledFrom && best.functionAt(r.At) == "forward"`: true,
		`	if d.Msg == "raises" {`:                                                   true,
		`	if d.Msg == "" { // the exception has no text`:                            false,
		`		if x == d || x.Code == d.Code && x.At == d.At && x.Msg == d.Msg {`:       false,
		`	return d.Fact.Kind == diag.OfNone // not strings.Contains(d.Msg, "None")`: false,
		`	msg := safetext.Indented(d.Msg, "")`:                                      false,
		`	return strings.Join(strings.FieldsFunc(d.Msg, newline), " ")`:             false,
		`	p.names = strings.Contains(text, "None") || p.Msgs`:                       false,
	} {
		if got := matchesMessage(line); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
