package export

// This file writes an ONNX model and, where its weights are too many for one
// file or somebody asks for it, a second file with their elements.

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"shapecheck/internal/atomicfile"
	"shapecheck/onnx"
)

// Elements in the second file start at a multiple of a page, so that runtimes can
// map them; small tensors stay in the model.
const externalAlign = 4096

// Save writes a model to path, its weights to path.data when external or
// when the model would be larger than a protobuf message may be. Both files are
// complete before the first of them replaces an old one. It returns an error where a file cannot be made, written or
// put in place. A file that was not yet put in place is removed then, and what stood there before is left.
func Save(path string, m *onnx.Model, external bool) (err error) {
	if onnx.Size(m) > onnx.MaxMessage {
		external = true
	}
	var files []*atomicfile.File
	defer func() {
		for _, f := range files {
			err = errors.Join(err, f.Discard())
		}
	}()
	create := func(path string) (*atomicfile.File, error) {
		f, err := atomicfile.Create(path)
		if err == nil {
			files = append(files, f)
		}
		return f, err
	}
	if external && slices.ContainsFunc(m.Graph.Initializers, movable) {
		data, err := create(path + ".data")
		if err != nil {
			return err
		}
		if err := moveOut(data, filepath.Base(path)+".data", m.Graph.Initializers); err != nil {
			return err
		}
	}
	f, err := create(path)
	if err != nil {
		return err
	}
	if _, err := onnx.Write(f, m); err != nil {
		return err
	}
	for _, f := range files {
		if err := f.Finish(); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := f.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// moveOut writes the elements of tensors to w and makes the tensors refer to them.
func moveOut(w io.Writer, location string, list []*onnx.Tensor) error {
	at := int64(0)
	zeros := make([]byte, externalAlign)
	for _, t := range list {
		if !movable(t) {
			continue
		}
		if pad := -at & (externalAlign - 1); pad > 0 {
			if _, err := w.Write(zeros[:pad]); err != nil {
				return err
			}
			at += pad
		}
		n, err := t.Source.WriteTo(w)
		if err != nil {
			return err
		}
		if n != t.Source.Size() {
			return fmt.Errorf("tensor %q has %d bytes instead of %d", t.Name, n, t.Source.Size())
		}
		t.IsExternal = true
		t.External = []onnx.Entry{
			{Key: "location", Value: location}, {Key: "offset", Value: strconv.FormatInt(at, 10)}, {Key: "length", Value: strconv.FormatInt(n, 10)},
		}
		at += n
	}
	return nil
}
