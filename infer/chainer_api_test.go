package infer

// This file holds the public names of Chainer against what the prelude and the records
// know.

import (
	"os"
	"strings"
	"testing"

	"shapecheck/infer/value"
)

// TestChainerAPIIsKnown looks up every public function and class of Chainer: each is
// known, or stands in testdata/chainer_unknown.txt with the reason.
func TestChainerAPIIsKnown(t *testing.T) {
	run, err := newChainerRun()
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{} // whether a name is of any use
	for _, l := range apiLines(t, "testdata/chainer_unknown.txt") {
		name, why, _ := strings.Cut(l, "\t")
		if why == "" {
			t.Errorf("%s has no reason", name)
		}
		reasons[name] = false
	}
	for _, name := range apiLines(t, "testdata/chainer_api.txt") {
		v, err := run.lookup(name)
		known := err == nil && !value.IsUnknown(v)
		listed := false
		for p := name; p != ""; p = p[:max(0, strings.LastIndexByte(p, '.'))] {
			if _, ok := reasons[p]; ok {
				listed = true
				if !known {
					reasons[p] = true
				}
			}
		}
		switch {
		case !known && !listed:
			t.Errorf("%s is not known: %v %v", name, v, err)
		case listed && err != nil:
			t.Errorf("%s is listed as unknown, but gives an error: %v", name, err)
		}
	}
	for name, used := range reasons {
		if !used {
			t.Errorf("testdata/chainer_unknown.txt: everything of %s is known", name)
		}
	}
}

// lookup evaluates a dotted name, importing the modules on the way.
func (run *moduleRun) lookup(name string) (value.Value, error) {
	parts := strings.Split(name, ".")
	v, err := run.in.Import(parts[0])
	for i := 1; i < len(parts) && err == nil && !value.IsUnknown(v); i++ {
		if _, isModule := v.(*value.Module); isModule {
			if m, err := run.in.imports.loadModule(strings.Join(parts[:i+1], ".")); err == nil && m != nil && i+1 < len(parts) {
				v = m
				continue
			}
		}
		v, err = run.in.GetAttr(v, parts[i])
	}
	return v, err
}

func apiLines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for l := range strings.Lines(string(text)) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			out = append(out, l)
		}
	}
	return out
}
