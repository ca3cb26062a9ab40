package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// archive makes the archive of a target: the program, licence, README, manual pages and
// completions; for Windows a zip, else a compressed tar.
func (r *release) archive(t target, program string, pages []file) error {
	top := fmt.Sprintf("shapecheck-%s-%s-%s", r.version, t.os, t.arch)
	files := []file{{top + "/" + t.program(), nil, 0o755}, {top + "/LICENSE", nil, 0o644}, {top + "/README.md", nil, 0o644}}
	for i, path := range []string{program, filepath.Join(r.root, "LICENSE"), filepath.Join(r.root, "README.md")} {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files[i].data = data
	}
	for _, p := range pages {
		files = append(files, file{top + "/" + p.name, p.data, p.mode})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	pack, ext := tarred, ".tar.gz"
	if t.os == "windows" {
		pack, ext = zipped, ".zip"
	}
	data, err := pack(files)
	if err != nil {
		return err
	}
	return r.write(top+ext, data)
}

// tarred is a compressed tar archive that depends on its files alone.
func tarred(files []file) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if err := writeTar(tar.NewWriter(z), files); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

// writeTar writes files with fixed times and owners, so that the same tree makes the same
// archive.
func writeTar(w *tar.Writer, files []file) error {
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: int64(f.mode.Perm()), ModTime: epoch, Typeflag: tar.TypeReg, Size: int64(len(f.data)),
			Format: tar.FormatUSTAR}
		if f.mode.IsDir() {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	return w.Close()
}

// sums writes SHA256SUMS over everything that was made, as sha256sum -c reads it.
func (r *release) sums() error {
	slices.Sort(r.made)
	var b bytes.Buffer
	for _, name := range r.made {
		data, err := os.ReadFile(filepath.Join(r.out, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), b.Bytes(), 0o666)
}
