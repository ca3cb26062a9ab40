package lib

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestArchivesAreThoseOfTheTexts compares what is embedded with the texts that are reviewed.
func TestArchivesAreThoseOfTheTexts(t *testing.T) {
	for _, folder := range []string{"stub", "packed"} {
		list, err := archiveFiles.ReadDir(folder)
		if err != nil || len(list) == 0 {
			t.Fatalf("%d archives in %s, %v", len(list), folder, err)
		}
		for _, e := range list {
			name := folder + "/" + strings.TrimSuffix(e.Name(), ".zip")
			r, err := openArchive(name + ".zip")
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			want := map[string]string{}
			if ar, err := txtar.ParseFile(name + ".txtar"); err == nil {
				for _, f := range ar.Files {
					want[f.Name] = string(f.Data)
				}
			} else if err := filepath.WalkDir(name, func(path string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() || filepath.Ext(path) != ".py" {
					return err
				}
				text, err := os.ReadFile(path)
				rel, _ := filepath.Rel(name, path)
				want[filepath.ToSlash(rel)] = string(text)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if len(r.File) != len(want) || len(want) == 0 {
				t.Errorf("%s.zip has %d files, its text %d: run go generate ./infer/lib", name, len(r.File), len(want))
			}
			for file, text := range want {
				if got, err := fs.ReadFile(r, file); err != nil || string(got) != text {
					t.Errorf("%s.zip: %s is not what its text says (%v): run go generate ./infer/lib", name, file, err)
				}
			}
		}
	}
}

// TestEveryPackedFolderHasAnArchive finds folders whose modules no program would find.
func TestEveryPackedFolderHasAnArchive(t *testing.T) {
	list, err := os.ReadDir("packed")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.IsDir() && !Known(e.Name()) {
			t.Errorf("packed/%s is in no archive: name it in stubarchive.go and run go generate ./infer/lib", e.Name())
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
