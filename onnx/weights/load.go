package weights

// This file gives what a program gets when it loads a file: the tensors by name, and all else
// that torch.save wrote beside them.

import (
	"errors"
	"fmt"
	"io"

	"shapecheck/onnx"
)

// A Dict, List or Tuple is a value of Python in what Load gives; other values are nil, bool,
// int64, float64, string, []byte, Array and Class.
type (
	Dict  struct{ Keys, Values []any }
	List  struct{ Items []any }
	Tuple struct{ Items []any }
	// An Array is a tensor of torch or an array of numpy.
	Array struct {
		DType onnx.DType
		Dims  []int64
	}
	// A Class is a reference to a class or a dtype, by its full name.
	Class struct{ Name string }
)

// maxDepth bounds how deep values are nested, also those that hold themselves.
const maxDepth = 100

// Load reads the headers of a weights file of size bytes, and what torch.save wrote beside
// tensors. The format is told by the first bytes: "safetensors", "npz" and "hdf5" give a *Dict, "npy" an
// Array, "torch" what was saved. A list of shards is an error.
func Load(r io.ReaderAt, size int64) (format string, v any, err error) {
	if format, err = formatOf(r, size); err != nil {
		return "", nil, err
	}
	var list []*Tensor
	switch format {
	case "safetensors":
		list, err = readSafetensors(r, size)
	case "hdf5":
		list, err = readHDF5(r, size)
	case "npy":
		if list, err = readNPY(r, size, ""); err == nil {
			return format, list[0].array(), nil
		}
	case "index":
		err = errors.New("a list of shards holds no tensors")
	case "legacy":
		return loadedTorch(readLegacy(r, size))
	case "zip":
		a, aerr := openArchive(r, size)
		if aerr != nil {
			return "", nil, aerr
		}
		prefix, torch, aerr := a.kind()
		if aerr != nil {
			return "", nil, aerr
		}
		if torch {
			return loadedTorch(readPickle(a, prefix))
		}
		format = "npz"
		list, err = readNPZ(a)
	}
	if err != nil {
		return "", nil, err
	}
	d, seen := &Dict{}, map[string]bool{}
	for _, t := range list {
		if seen[t.Name] {
			return "", nil, fmt.Errorf("two tensors are named %q", t.Name)
		}
		seen[t.Name] = true
		d.Keys, d.Values = append(d.Keys, t.Name), append(d.Values, t.array())
	}
	return format, d, nil
}

func loadedTorch(root any, err error) (string, any, error) {
	if err != nil {
		return "torch", nil, err
	}
	v, err := (&loaded{left: maxObjects}).of(root, maxDepth)
	return "torch", v, err
}

func (t *Tensor) array() Array { return Array{t.DType, t.Dims} }

// loaded makes values of what the unpickler made; left counts those that may be made, since a
// small pickle can hold one list in itself many times.
type loaded struct{ left int }

// of turns what the unpickler made into the package's own types. A list may contain itself, and
// one may stand in many places: both the depth and the number of values are bounded.
func (l *loaded) of(v any, depth int) (any, error) {
	if l.left--; depth == 0 || l.left < 0 {
		return nil, errors.New("what was saved is nested too deep")
	}
	switch v := v.(type) {
	case *view:
		return Array{v.dtype, v.dims}, nil
	case *global:
		return Class{v.name}, nil
	case *list:
		items, err := l.all(v.items, depth)
		return &List{items}, err
	case *tuple:
		items, err := l.all(v.items, depth)
		return &Tuple{items}, err
	case *dict:
		keys, err := l.all(v.keys, depth)
		if err != nil {
			return nil, err
		}
		values, err := l.all(v.values, depth)
		return &Dict{keys, values}, err
	case nil, bool, int64, float64, string, []byte:
		return v, nil
	}
	return nil, fmt.Errorf("a value of type %T in a pickle", v)
}

func (l *loaded) all(items []any, depth int) ([]any, error) {
	out := make([]any, len(items))
	for i, x := range items {
		var err error
		if out[i], err = l.of(x, depth-1); err != nil {
			return nil, err
		}
	}
	return out, nil
}
