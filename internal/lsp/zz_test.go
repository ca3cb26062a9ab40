package lsp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shapecheck/infer"
	"shapecheck/internal/cputime"
	"shapecheck/internal/driver"
)

func TestZZ(t *testing.T) {
	path := os.Getenv("ZZ_FILE")
	root := os.Getenv("ZZ_ROOT")
	if path == "" {
		t.Skip()
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cache := infer.NewCache()
	var w driver.Winners
	text := string(data)
	for i := 0; i < 6; i++ {
		d := newDocument("file://"+path, path, 1, text)
		c := &checking{document: *d, texts: map[string]string{path: text}, cache: cache, winners: &w, root: root, encoding: utf16Encoding}
		a := cputime.Used()
		s := time.Now()
		v, err := c.run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		t.Log(filepath.Base(path), "cpu", cputime.Used()-a, "wall", time.Since(s), "targets", len(v.targets), "entries", len(v.entries), "findings", len(v.findings))
		k := strings.LastIndex(text, "\n\n")
		text = text[:k] + "\n# a comment\n" + text[k:]
	}
}
