package cli

// This file tests that no command is forgotten in the guide or in the tests.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryCommandIsDocumentedAndTested(t *testing.T) {
	read := func(pattern string) string {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		var all strings.Builder
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
		return all.String()
	}
	docs, tests := read("../../docs/*.md"), read("*_test.go")
	n := 0
	for _, d := range commands() {
		c := d.make(&app{})
		if c.Name() != d.name {
			t.Errorf("the command %s is listed as %s", c.Name(), d.name)
		}
		n++
		if !strings.Contains(docs, "shapecheck "+c.Name()) {
			t.Errorf("no document in docs says what `shapecheck %s` does", c.Name())
		}
		if !strings.Contains(tests, `"`+c.Name()+`"`) {
			t.Errorf("no test of present/cli runs `shapecheck %s`", c.Name())
		}
	}
	if n < 10 {
		t.Errorf("only %d commands were found", n)
	}
}
