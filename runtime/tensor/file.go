package tensor

// This file reads and writes values as files: npy, npz and ONNX's messages.

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"shapecheck/internal/atomicfile"
	"shapecheck/internal/reads"
	"shapecheck/onnx"
	"shapecheck/onnx/weights"
	"shapecheck/runtime/memory"
)

// MaxFile bounds the elements that ReadFile reads, in bytes.
const MaxFile = 1 << 34

// A Named is a value of a file with several.
type Named struct {
	Name  string
	Value Value
}

// ReadFile reads the values of a file. The format is told by its first bytes and its name: npy
// (one value, named after the file), npz, safetensors and PyTorch's files (as onnx/weights
// reads them), else, when the name ends in .pb, ONNX's message for a value of that kind. The file comes from a file system;
// nil: from the disk. It returns an error if the file cannot be read, is malformed, is larger than a message may be, or
// has more than MaxFile bytes of elements.
func ReadFile(fsys reads.FS, path string, kind Kind) ([]Named, error) {
	if strings.EqualFold(filepath.Ext(path), ".pb") {
		return readProto(fsys, path, kind)
	}
	f, err := weights.Open(path, weights.Options{FS: fsys})
	if err != nil {
		return nil, err
	}
	list, err := readWeights(f)
	return list, errors.Join(err, f.Close())
}

func readProto(fsys reads.FS, path string, kind Kind) ([]Named, error) {
	b, err := reads.File(reads.Or(fsys), path, onnx.MaxMessage)
	if err != nil {
		return nil, err
	}
	v, err := UnmarshalProto(b, kind)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return []Named{{strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), v}}, nil
}

// readWeights reads all tensors of a file of weights. It returns an error if they have more than
// MaxFile bytes together, or one cannot be read.
func readWeights(f *weights.File) ([]Named, error) {
	var out []Named
	total := int64(0)
	for _, x := range f.Tensors {
		if total += x.Size(); total > MaxFile || total < 0 {
			return nil, fmt.Errorf("%s has more than %d bytes of elements", f.Path, int64(MaxFile))
		}
		t, err := FromWeights(x)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
		out = append(out, Named{x.Name, t})
	}
	return out, nil
}

// FromWeights reads the elements of an array of a weights file. Memory grows with what the
// file holds, not with what its header says. It returns an error if the process may not have the memory, if the file
// cannot be read, or if tensors here have no such type.
func FromWeights(x *weights.Tensor) (*Tensor, error) {
	if err := memory.Ask(x.Size()); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if _, err := x.WriteTo(&b); err != nil {
		return nil, err
	}
	return fromLittle(x.DType, x.Dims, b.Bytes())
}

// WriteFile writes a tensor as npy, or, when the name ends in .pb, a value as ONNX's message. It returns an error if v
// is no tensor or of a type that numpy does not have while the name does not end in .pb, and if the file cannot be
// written.
func WriteFile(path, name string, v Value) error {
	if strings.EqualFold(filepath.Ext(path), ".pb") {
		b, err := MarshalProto(name, v)
		if err != nil {
			return err
		}
		return atomicfile.Write(path, b)
	}
	t, ok := v.(*Tensor)
	if !ok {
		return fmt.Errorf("only tensors can be written as npy; %s is none: use a name that ends in .pb", name)
	}
	var b bytes.Buffer
	if err := t.WriteNPY(&b); err != nil {
		return err
	}
	return atomicfile.Write(path, b.Bytes())
}

// WriteNPZ writes tensors as an npz archive without compression. It returns an error for a value that is no tensor or
// of a type that numpy does not have, and that of w.
func WriteNPZ(w io.Writer, list []Named) error {
	z := zip.NewWriter(w)
	for _, x := range list {
		t, ok := x.Value.(*Tensor)
		if !ok {
			return fmt.Errorf("only tensors can be written as npz; %q is none", x.Name)
		}
		f, err := z.CreateHeader(&zip.FileHeader{Name: x.Name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		if err := t.WriteNPY(f); err != nil {
			return err
		}
	}
	return z.Close()
}
