package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryLimitIsListed compares the document with the source: a limit that is declared and not listed, or has no comment, fails.
func TestEveryLimitIsListed(t *testing.T) {
	root := filepath.Join("..", "..")
	limits, err := find(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(limits) < 90 {
		t.Errorf("only %d limits were found", len(limits))
	}
	for _, l := range unexplained(limits) {
		t.Errorf("%s has no comment of its own that says what it bounds", l)
	}
	text, err := os.ReadFile(filepath.Join(root, document))
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != string(generate(limits)) {
		for _, l := range limits {
			if !strings.Contains(string(text), rowOf(l)) {
				t.Errorf("%s has no row of %s as %s declares it", document, l.name, l.file)
			}
		}
		t.Errorf("%s is not what the source says: go run ./tools/limitsdoc", document)
	}
}
