package weights

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// formatFiles are testdata/formats.zip, or the folder that SHAPECHECK_FORMATS names: what testdata/record.py wrote.
func formatFiles(t testing.TB) fs.FS {
	t.Helper()
	if dir := os.Getenv("SHAPECHECK_FORMATS"); dir != "" {
		return os.DirFS(dir)
	}
	z, err := zip.OpenReader("testdata/formats.zip")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := z.Close(); err != nil {
			t.Error(err)
		}
	})
	return z
}

// An expectedFile is the tensors of a file, or the words of its refusal.
type expectedFile struct {
	tensors []expected
	refused string
}

func (e *expectedFile) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, &e.refused)
	}
	return json.Unmarshal(b, &e.tensors)
}

func expectedFormats(t testing.TB, from fs.FS) map[string]expectedFile {
	t.Helper()
	b, err := fs.ReadFile(from, "expect.json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]expectedFile{}
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestEveryFormatIsReadOrRefused compares what torch, h5py and NumPy read from files of all features with what is read here;
// what is not read is refused by its name, by Open and by Load.
func TestEveryFormatIsReadOrRefused(t *testing.T) {
	from := formatFiles(t)
	all := expectedFormats(t, from)
	if len(all) < 60 {
		t.Errorf("%d files, at least 60 are wanted", len(all))
	}
	dir := t.TempDir()
	for name, want := range all {
		data, err := fs.ReadFile(from, name)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		_, _, loaded := Load(bytes.NewReader(data), int64(len(data)))
		got, err := readAll(path)
		if want.refused != "" {
			if err == nil || !strings.Contains(err.Error(), want.refused) {
				t.Errorf("%s: %v; want a refusal with %q", name, err, want.refused)
			}
			continue
		}
		if err != nil || loaded != nil {
			t.Errorf("%s: %v; Load: %v", name, err, loaded)
			continue
		}
		if len(got) != len(want.tensors) {
			t.Errorf("%s: %d tensors, want %d", name, len(got), len(want.tensors))
		}
		for _, w := range want.tensors {
			x, ok := got[w.name]
			if !ok {
				t.Errorf("%s: no tensor %q", name, w.name)
			} else if x.dtype != w.dtype || !slices.Equal(x.dims, w.dims) || !bytes.Equal(x.data, w.data) {
				t.Errorf("%s: %s is %s%v %.200x; want %s%v %.200x", name, w.name, x.dtype, x.dims, x.data, w.dtype, w.dims, w.data)
			}
		}
	}
}

// readAll reads all tensors of a file.
func readAll(path string) (got map[string]expected, err error) {
	f, err := Open(path, Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	got = map[string]expected{}
	for _, x := range f.Tensors {
		var b bytes.Buffer
		n, err := x.WriteTo(&b)
		if err == nil && n != x.Size() {
			err = io.ErrShortWrite
		}
		if err != nil {
			return nil, err
		}
		got[x.Name] = expected{x.Name, x.DType.String(), x.Dims, b.Bytes()}
	}
	return got, nil
}
