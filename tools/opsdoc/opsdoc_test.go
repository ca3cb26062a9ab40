package main

// These tests hold the generated document, and the claim that PyTorch's modules
// and functions are covered.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

func load(t *testing.T) ([]string, map[string]string) {
	t.Helper()
	api, err := readAPI(filepath.Join(root, apiFile))
	if err != nil {
		t.Fatal(err)
	}
	left, err := readLeftOut(filepath.Join(root, leftOutFile))
	if err != nil {
		t.Fatal(err)
	}
	return api, left
}

func TestDocumentIsCurrent(t *testing.T) {
	api, left := load(t)
	want, err := document(root, api, left)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, docFile))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not current: run go run ./tools/opsdoc", docFile)
	}
}

func TestEveryNameIsKnownOrLeftOutWithAReason(t *testing.T) {
	api, left := load(t)
	miss, prelude, err := missing(api, left)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range miss {
		t.Errorf("%s is neither known nor listed in %s", n, leftOutFile)
	}
	public := map[string]bool{}
	for _, n := range api {
		public[n] = true
		if strings.HasPrefix(n, "torch.nn.") && left[n] != "" {
			t.Errorf("%s may not be left out", n)
		}
	}
	for n := range left {
		switch {
		case !public[n]:
			t.Errorf("%s in %s is no public name", n, leftOutFile)
		case recorded(n) || prelude[n]:
			t.Errorf("%s in %s is known by now", n, leftOutFile)
		}
	}
}
