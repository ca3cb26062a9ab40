package evaltest

// This file reads archives of cases.

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"testing/fstest"
)

// Archive reads a .tar.gz of folders with cases into memory. It returns an error if the file cannot be read or is no
// gzipped tar archive.
func Archive(name string) (fs.FS, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	out := fstest.MapFS{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		out[h.Name] = &fstest.MapFile{Data: b}
	}
}
