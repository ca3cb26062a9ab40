// Package weights reads the tensors of files that hold a model's parameters:
// safetensors (also in shards with an index), npz and npy, HDF5, and what torch.save
// writes (a zip archive with a pickle, read by an unpickler that can execute
// nothing).
//
// Open reads names, types and shapes. Elements are read when a tensor is
// written, in pieces: nothing is held as a whole. Files are not mapped: whoever
// truncates a mapped file ends the process with SIGBUS. A pickle that refers to a global
// that tensors do not need is refused, also where it could be skipped: what is skipped
// may have been the weights.
//
//	weights.go      the interface        section.go   reading elements in pieces
//	safetensors.go  safetensors          index.go     shards
//	npy.go          npz and npy          archive.go   zip archives and their limits
//	hdf5.go hdf5group.go hdf5tree.go     HDF5: objects, groups and trees
//	hdf5data.go hdf5type.go              its arrays and their elements
//	hdf5chunk.go hdf5index.go            parts of arrays, and where they lie
//	torch.go        torch.save           unpickle.go  the restricted unpickler
//	torchzip.go     its archives         legacy.go    its files before PyTorch 1.6
//	alter.go        other byte orders and signs
//	convert.go      other float types    compare.go   what a model wants and a file has
//	load.go         what a program that loads a file gets
package weights

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"shapecheck/internal/reads"
	"shapecheck/onnx"
)

// A Tensor is one array of a file. It is an onnx.Source.
type Tensor struct {
	Name  string
	DType onnx.DType
	Dims  []int64
	size  int64
	write func(w io.Writer) (int64, error)
}

// Size is the number of bytes of the elements.
func (t *Tensor) Size() int64 { return t.size }

// WriteTo writes the elements, little endian and in row-major order. It returns an error, which names the tensor, if
// reading or writing fails or if the file gives another number of bytes than the header says.
func (t *Tensor) WriteTo(w io.Writer) (int64, error) {
	n, err := t.write(w)
	if err == nil && n != t.size {
		err = fmt.Errorf("%d bytes instead of %d", n, t.size)
	}
	if err != nil {
		err = fmt.Errorf("tensor %q: %w", t.Name, err)
	}
	return n, err
}

// A File holds the tensors of a weights file, in its order, each name once.
type File struct {
	Path    string
	Format  string // "safetensors", "npz", "npy", "hdf5", "torch"
	Tensors []*Tensor
	fsys    reads.FS
	files   []reads.Part
}

// Close closes the file and its shards. The error joins those of the files.
func (f *File) Close() error {
	var errs []error
	for _, x := range f.files {
		errs = append(errs, x.Close())
	}
	f.files = nil
	return errors.Join(errs...)
}

// Options say how to read a file.
type Options struct {
	// FS is where the file and its shards come from; nil: the disk.
	FS reads.FS
	// Key names the entry of a checkpoint that holds the tensors, as "ema.model"
	// for an entry of an entry; empty: the usual ones are looked for.
	Key string
}

// Open reads the headers of a weights file. Its format is told by its first
// bytes, not by its name. It returns an error if the file cannot be read, if its format is unknown or malformed, if two
// tensors have one name, or if o.Key is set for a format without entries.
func Open(path string, o Options) (*File, error) {
	x, size, err := reads.Open(o.FS, path)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, fsys: o.FS, files: []reads.Part{x}}
	if err := f.read(x, size, o); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return f, nil
}

// read finds the format by what the file has, not by its name, and lists the tensors. The error is the
// format's, or that none is recognised, or that two tensors have one name.
func (f *File) read(x io.ReaderAt, size int64, o Options) error {
	format, err := formatOf(x, size)
	if err != nil {
		return err
	}
	if o.Key != "" && format != "zip" && format != "legacy" {
		return errors.New("only checkpoints of torch.save have entries to choose from")
	}
	var list []*Tensor
	switch format {
	case "safetensors":
		f.Format = format
		list, err = readSafetensors(x, size)
	case "index":
		f.Format = "safetensors"
		list, err = f.readIndex(x, size)
	case "npy":
		f.Format = format
		name := filepath.Base(f.Path)
		list, err = readNPY(x, size, strings.TrimSuffix(name, filepath.Ext(name)))
	case "hdf5":
		f.Format = format
		list, err = readHDF5(x, size)
	case "zip":
		list, err = f.readZip(x, size, o)
	case "legacy":
		f.Format = "torch"
		var root any
		if root, err = readLegacy(x, size); err == nil {
			list, err = torchTensors(root, x, o)
		}
	}
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, t := range list {
		if seen[t.Name] {
			return fmt.Errorf("two tensors are named %q", t.Name)
		}
		seen[t.Name] = true
	}
	f.Tensors = list
	return nil
}

// formats are the first bytes by which files are known, and why some are not read.
var formats = []struct{ magic, format, refused string }{
	{"PK\x03\x04", "zip", ""},
	{"PK\x05\x06", "zip", ""},
	{"\x93NUMPY", "npy", ""},
	{"\x80", "", "a bare pickle, which is no weights file; save the state_dict with torch.save or safetensors"},
	{hdf5Signature, "hdf5", ""},
	{"GGUF", "", "a GGUF file, which is not read"},
	{"\x08", "", "not a weights file (an ONNX model has its own weights)"},
}

// formatOf tells the format by the first bytes, or says why the file is not read.
func formatOf(r io.ReaderAt, size int64) (string, error) {
	head := make([]byte, min(size, 512))
	if _, err := readAt(r, head, 0); err != nil {
		return "", err
	}
	if len(head) == 0 {
		return "", errors.New("the file is empty")
	}
	if len(head) >= 9 && head[7] == 0 && head[8] == '{' { // JSON has no zero bytes
		return "safetensors", nil
	}
	if isLegacy(head) {
		return "legacy", nil
	}
	for _, f := range formats {
		switch {
		case !bytes.HasPrefix(head, []byte(f.magic)):
		case f.refused != "":
			return "", errors.New(f.refused)
		default:
			return f.format, nil
		}
	}
	if userBlock(r, size) > 0 {
		return "hdf5", nil
	}
	if len(head) >= 262 && string(head[257:262]) == "ustar" {
		return "", errors.New("a file in PyTorch's oldest format (a tar archive, before 0.1.10); load it in PyTorch and save it again")
	}
	if text := bytes.TrimLeft(head, " \t\r\n"); len(text) > 0 && text[0] == '{' {
		return "index", nil
	}
	return "", errors.New(
		"not a weights file: known are safetensors, model.safetensors.index.json, npz, npy, HDF5 and the files of torch.save")
}

// sizeOf checks the dimensions and returns the number of bytes.
func sizeOf(d onnx.DType, dims []int64) (int64, error) {
	if len(dims) > maxRank {
		return 0, fmt.Errorf("%d dimensions are more than %d", len(dims), maxRank)
	}
	n, err := onnx.Count(dims)
	if err != nil {
		return 0, err
	}
	return onnx.ByteSize(d, n)
}

// maxRank is the rank that PyTorch and numpy allow.
const maxRank = 64
