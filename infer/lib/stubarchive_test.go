package lib

import (
	"io/fs"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestArchivesAreThoseOfTheTexts holds what is embedded against the texts that are reviewed.
func TestArchivesAreThoseOfTheTexts(t *testing.T) {
	list, err := stubArchives.ReadDir("stub")
	if err != nil || len(list) == 0 {
		t.Fatalf("%d archives, %v", len(list), err)
	}
	for _, e := range list {
		r, err := openArchive("stub/" + e.Name())
		if err != nil {
			t.Errorf("%s: %v", e.Name(), err)
			continue
		}
		want, err := txtar.ParseFile("stub/" + strings.TrimSuffix(e.Name(), ".zip") + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		if len(r.File) != len(want.Files) {
			t.Errorf("%s has %d files, its text %d: run go generate ./infer/lib", e.Name(), len(r.File), len(want.Files))
		}
		for _, f := range want.Files {
			if got, err := fs.ReadFile(r, f.Name); err != nil || string(got) != string(f.Data) {
				t.Errorf("%s: %s is not what its text says (%v): run go generate ./infer/lib", e.Name(), f.Name, err)
			}
		}
	}
}

// TestStubsOfArchives finds modules of an archive.
func TestStubsOfArchives(t *testing.T) {
	if path, text, ok := Stub("torchvision.models.resnet"); !ok || path != "stub/torchvision.models.resnet.py" ||
		!strings.Contains(text, "def conv3x3") {
		t.Errorf("%q, %d bytes, %v", path, len(text), ok)
	}
	if path, text, ok := Stub("torchvision.nothing"); !ok || path != "" || text != "" {
		t.Errorf("a module without a file: %q, %d bytes, %v", path, len(text), ok)
	}
}
