// Package cache keeps bytes by key in a folder, between runs of the program.
//
// A Store (store.go) is a folder of entries under keys; it never trusts what it
// finds there. key.go makes the keys. What the bytes say is the caller's: package check
// keeps results.
package cache

// This file holds the folder.

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"shapecheck/internal/atomicfile"
	"shapecheck/internal/localfile"
)

const (
	// DirName is the folder's name where none is given.
	DirName = ".shapecheck_cache"
	// magic begins every entry; a new form of entries gets a new number.
	magic = "shapecheck cache 3\n"
	ext   = ".entry"
	// maxBytes bounds the folder; more is thrown away, what was not used for the
	// longest time first.
	maxBytes = 64 << 20
	// maxEntry bounds an entry when it is unpacked.
	maxEntry = 256 << 20
)

// A Store is a folder of entries. It is safe for concurrent use, also by several
// processes.
type Store struct {
	dir string
	max int64

	mu    sync.Mutex
	wrote bool
}

// Open makes the folder where it is missing. It returns an error if the folder, or what marks it for other tools,
// cannot be made.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	// Version control and backups leave the folder out.
	for name, text := range map[string]string{
		".gitignore":   "*\n",
		"CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n# Made by shapecheck; it can be removed at any time.\n",
	} {
		file := filepath.Join(dir, name)
		if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
			if err := atomicfile.Write(file, []byte(text)); err != nil {
				return nil, err
			}
		}
	}
	return &Store{dir: dir, max: maxBytes}, nil
}

func (s *Store) file(key string) string { return filepath.Join(s.dir, key+ext) }

// head begins an entry: it names its key, so that another entry's file counts as none.
func head(key string) []byte { return []byte(magic + key + "\n") }

// Get returns an entry. What is no whole entry of ours counts as none.
func (s *Store) Get(key string) ([]byte, bool) {
	file := s.file(key)
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() { // a link is none of ours
		return nil, false
	}
	data, err := localfile.Read(file, s.max)
	if err != nil {
		return nil, false
	}
	rest, ours := bytes.CutPrefix(data, head(key))
	if !ours || len(rest) < sha256.Size {
		return nil, false
	}
	sum, packed := rest[:sha256.Size], rest[sha256.Size:]
	if got := sha256.Sum256(packed); !bytes.Equal(got[:], sum) {
		return nil, false
	}
	out, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxEntry))
	if err != nil {
		return nil, false
	}
	now := time.Now()
	// Only the order in which entries are thrown away depends on it.
	_ = os.Chtimes(file, now, now)
	return out, true
}

// Put writes an entry. It returns an error if the file cannot be written; an entry that is too large is left out
// without one.
func (s *Store) Put(key string, data []byte) error {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if int64(packed.Len()) > s.max/4 {
		return nil // one entry must not push out all others
	}
	sum := sha256.Sum256(packed.Bytes())
	s.mu.Lock()
	s.wrote = true
	s.mu.Unlock()
	return atomicfile.Replace(s.file(key), append(append(head(key), sum[:]...), packed.Bytes()...))
}

// Close keeps the folder within its bounds. It returns an error if the folder cannot be listed or an old entry cannot
// be removed.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.wrote {
		return nil
	}
	list, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	type entry struct {
		path string
		size int64
		used time.Time
	}
	var entries []entry
	var sum int64
	for _, e := range list {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(e.Name(), ext) {
			continue // gone by now, or not ours
		}
		entries = append(entries, entry{filepath.Join(s.dir, e.Name()), info.Size(), info.ModTime()})
		sum += info.Size()
	}
	if sum <= s.max {
		return nil
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].used.Before(entries[j].used) })
	for _, e := range entries {
		if sum <= s.max*3/4 {
			break
		}
		if err := os.Remove(e.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the cache cannot be kept small: %w", err)
		}
		sum -= e.size
	}
	return nil
}
