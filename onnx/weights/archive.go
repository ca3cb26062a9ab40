package weights

// This file opens zip archives, within limits: the directory is bounded before it
// is read, names are there once, and what is stored lies inside the file.

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxDirectory bounds what the directory of an archive may have: 300 000
// entries with names of the usual length.
const maxDirectory = 32 << 20

// An archive is a zip file by the names of its entries.
type archive struct {
	r      io.ReaderAt
	size   int64
	order  []*zip.File
	byName map[string]*zip.File
}

// boundedReader fails when more was read than a directory may have.
type boundedReader struct {
	r    io.ReaderAt
	left int64
}

// ReadAt fails when more than left bytes were asked for, which a directory within bounds does not need.
func (b *boundedReader) ReadAt(p []byte, off int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, fmt.Errorf("the directory of the archive has more than %d bytes", maxDirectory)
	}
	return b.r.ReadAt(p, off)
}

// openArchive reads the directory of a zip file. The bytes that it may take are bounded, since
// archive/zip reads a directory of any size. It returns an error for names that stand twice,
// encrypted entries and impossible sizes.
func openArchive(r io.ReaderAt, size int64) (*archive, error) {
	b := &boundedReader{r, maxDirectory}
	z, err := zip.NewReader(b, size)
	if err != nil {
		return nil, fmt.Errorf("zip archive: %w", err)
	}
	b.left = 1 << 62 // the directory is read
	a := &archive{r: r, size: size, byName: map[string]*zip.File{}}
	for _, f := range z.File {
		if a.byName[f.Name] != nil {
			return nil, fmt.Errorf("zip archive: two entries are named %q", f.Name)
		}
		if f.Flags&1 != 0 {
			return nil, fmt.Errorf("zip archive: %q is encrypted", f.Name)
		}
		if f.UncompressedSize64 >= 1<<62 || f.CompressedSize64 >= 1<<62 {
			return nil, fmt.Errorf("zip archive: %q has an impossible size", f.Name)
		}
		a.byName[f.Name] = f
		a.order = append(a.order, f)
	}
	return a, nil
}

// stored returns where an entry lies that is not compressed.
func (a *archive) stored(f *zip.File) (off, n int64, err error) {
	if f.Method != zip.Store {
		return 0, 0, fmt.Errorf("%q is compressed", f.Name)
	}
	if f.CompressedSize64 != f.UncompressedSize64 {
		return 0, 0, fmt.Errorf("%q is stored and has two sizes", f.Name)
	}
	n = int64(f.UncompressedSize64)
	if off, err = f.DataOffset(); err != nil {
		return 0, 0, err
	}
	if off < 0 || off > a.size || n > a.size-off {
		return 0, 0, fmt.Errorf("%q is beyond the end of the file", f.Name)
	}
	return off, n, nil
}

// readEntry reads an entry of at most limit bytes.
func (a *archive) readEntry(f *zip.File, limit int64) (b []byte, err error) {
	if f.UncompressedSize64 > uint64(limit) {
		return nil, fmt.Errorf("%q has %d bytes, more than %d", f.Name, f.UncompressedSize64, limit)
	}
	rc, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%q: %w", f.Name, err)
	}
	defer func() { err = errors.Join(err, rc.Close()) }()
	// The entry may hold more than its directory says.
	b, err = io.ReadAll(io.LimitReader(rc, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("%q has more than %d bytes", f.Name, limit)
	}
	return b, err
}

// readZip tells npz and torch.save's archives apart.
func (f *File) readZip(r io.ReaderAt, size int64, o Options) ([]*Tensor, error) {
	a, err := openArchive(r, size)
	if err != nil {
		return nil, err
	}
	prefix, torch, err := a.kind()
	if err != nil {
		return nil, err
	}
	if torch {
		f.Format = "torch"
		root, err := readPickle(a, prefix)
		if err != nil {
			return nil, err
		}
		return torchTensors(root, a.r, o)
	}
	if o.Key != "" {
		return nil, errors.New("only checkpoints of torch.save have entries to choose from")
	}
	f.Format = "npz"
	return readNPZ(a)
}

// kind tells an archive of torch.save, whose entries begin with prefix, from an npz file.
func (a *archive) kind() (prefix string, torch bool, err error) {
	for _, e := range a.order {
		if prefix, ok := strings.CutSuffix(e.Name, "data.pkl"); ok && strings.Count(e.Name, "/") == 1 {
			return prefix, true, nil
		}
	}
	for _, e := range a.order {
		if !strings.HasSuffix(e.Name, ".npy") {
			return "", false, fmt.Errorf("a zip archive with %q is neither an npz file nor one of torch.save", e.Name)
		}
	}
	return "", false, nil
}
