package lsp

// This file says where files are: relative paths start at the folder that the editor has open, not
// where the server was started.

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"shapecheck/internal/reads"
)

// A rooted is the disk seen from a folder.
type rooted struct{ dir string }

func (r rooted) in(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.dir, name)
}

func (r rooted) ReadFile(name string) ([]byte, error)       { return reads.Disk{}.ReadFile(r.in(name)) }
func (r rooted) Stat(name string) (fs.FileInfo, error)      { return reads.Disk{}.Stat(r.in(name)) }
func (r rooted) Lstat(name string) (fs.FileInfo, error)     { return reads.Disk{}.Lstat(r.in(name)) }
func (r rooted) ReadDir(name string) ([]fs.DirEntry, error) { return reads.Disk{}.ReadDir(r.in(name)) }
func (r rooted) Abs(name string) (string, error)            { return r.in(name), nil }
func (r rooted) Getwd() (string, error)                     { return r.dir, nil }

// EvalSymlinks resolves links, of a relative path from the root. It returns an error where a part of the path does not
// exist.
func (r rooted) EvalSymlinks(name string) (string, error) {
	real, err := reads.Disk{}.EvalSymlinks(r.in(name))
	if err == nil && !filepath.IsAbs(name) && real == r.in(name) {
		return filepath.Clean(name), nil // as filepath.EvalSymlinks does
	}
	return real, err
}

// rootOf is the open folder around a file, the innermost; else the file's own.
func (s *Server) rootOf(file string) string {
	best := ""
	for _, r := range s.roots {
		if rel, err := filepath.Rel(r, file); err == nil && filepath.IsLocal(rel) && len(r) > len(best) {
			best = r
		}
	}
	if best == "" {
		return filepath.Dir(file)
	}
	return best
}

// baseOf is the last part of a URI.
func baseOf(uri string) string { return path.Base(strings.TrimSuffix(uri, "/")) }
