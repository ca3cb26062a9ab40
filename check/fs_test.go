package check

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/internal/reads"
)

// fileSystems are the same files in each kind of file system. The working directory
// is that of the files.
func fileSystems(t *testing.T, files map[string]string) map[string]reads.FS {
	t.Helper()
	dir := t.TempDir()
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	texts := map[string]string{}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		texts["/"+name] = text
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	archive, err := reads.NewZip(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	return map[string]reads.FS{
		"disk": nil, "memory": reads.NewMemory(files), "zip": archive, "overlay": reads.NewOverlay(reads.NewMemory(nil), texts),
	}
}

// TestFilesAreTheSameFromEverywhere checks the programs of testdata that have several
// files on the disk and elsewhere.
func TestFilesAreTheSameFromEverywhere(t *testing.T) {
	cache := infer.NewCache()
	n := 0
	archived(t, func(name string, run []string, files map[string]string) {
		target, err := ParseTarget(run)
		if len(files) < 2 && n > 5 || err != nil {
			return
		}
		n++
		t.Run(name, func(t *testing.T) {
			var want []byte
			all := fileSystems(t, files)
			for _, kind := range []string{"disk", "memory", "zip", "overlay"} {
				s := &Session{FS: all[kind], Cache: cache}
				var got []byte
				if res, err := s.Check(t.Context(), target); err != nil {
					got = []byte(err.Error())
				} else if got, err = json.MarshalIndent(res.Document(record.Version), "", " "); err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = got
				} else if !bytes.Equal(got, want) {
					t.Errorf("%s:\n%s\ndisk:\n%s", kind, got, want)
				}
			}
		})
	})
	if n < 20 {
		t.Errorf("only %d programs", n)
	}
}

// A text that is laid over a file is the file for imports, for what a package needs of
// it, and where the disk has none; its declared encoding is not applied to it.
func TestTextsOverFiles(t *testing.T) {
	disk := reads.NewMemory(map[string]string{
		"net.py":          "from part import width\nimport torch\ndef forward(x):\n    return torch.zeros(width)\n",
		"part.py":         "width = 3\n",
		"pkg/model.py":    "from . import size\nimport torch\ndef forward(x):\n    return torch.zeros(size)\n",
		"pkg/__init__.py": "size = 3\n",
	})
	for _, c := range []struct{ file, over, text, want string }{
		{"net.py", "/part.py", "# coding: latin-1\nwidth = len('ä') + 3\n", "f32[4]"},
		{"net.py", "/net.py", "import torch\ndef forward(x):\n    return torch.zeros(7)\n", "f32[7]"},
		{"pkg/model.py", "/pkg/__init__.py", "size = 5\n", "f32[5]"},
		{"new.py", "/new.py", "from part import width\nimport torch\ndef forward(x):\n    return torch.zeros(width, 2)\n", "f32[3,2]"},
		{"new/net.py", "/new/net.py", "from other import n\nimport torch\ndef forward(x):\n    return torch.zeros(n)\n", "?"},
	} {
		s := &Session{FS: reads.NewOverlay(disk, map[string]string{c.over: c.text})}
		res, err := s.Check(t.Context(), &Target{Run: infer.Config{File: c.file, Args: []string{"x:f32[2]"}}})
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
		} else if res.OutputType != c.want {
			t.Errorf("%s over %s: %s, not %s", c.over, c.file, res.OutputType, c.want)
		}
	}
	over := reads.NewOverlay(disk, map[string]string{"/pkg/new.py": "", "/other/deep/a.py": ""})
	for dir, want := range map[string][]string{"/pkg": {"__init__.py", "model.py", "new.py"}, "/other": {"deep"},
		".": {"net.py", "other", "part.py", "pkg"}} {
		list, err := over.ReadDir(dir)
		var got []string
		for _, e := range list {
			got = append(got, e.Name())
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s holds %v, %v; want %v", dir, got, err, want)
		}
	}
	if _, err := over.Stat("/none.py"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is nowhere: %v", err)
	}
	log := &reads.Log{FS: over}
	if text, ok := reads.TextOf(log, "pkg/new.py"); !ok || text != "" || len(log.List()) != 1 {
		t.Errorf("a log over texts: %q, %v, %v", text, ok, log.List())
	}
}
