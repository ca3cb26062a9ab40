package cli

// This file reads --attributes: what a running program knows of the entry's object. A program that
// runs can tell the sizes and numbers of its objects where the code alone does not: it writes them
// by their path (layer1.weight, n_heads) to a JSON file, or arrays to an npz, and the check takes
// them as the values of these attributes.

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/localfile"
	"shapecheck/onnx"
	"shapecheck/onnx/weights"
)

// Limits of a file of attributes: of JSON in bytes and depth, and the elements up to which
// an array of integers is read by value.
const (
	maxAttributes     = 16 << 20
	maxAttributeDepth = 64
	maxArrayElements  = 4096
)

// readAttributes reads a file of attributes, by its ending; none for no file. It returns an error
// for another ending, a file that cannot be read, and what is malformed in it.
func readAttributes(path string) ([]infer.Attribute, error) {
	var list []infer.Attribute
	var err error
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
		list, err = jsonAttributes(path)
	case ".npz":
		list, err = npzAttributes(path)
	default:
		if path != "" {
			err = fmt.Errorf("%s: expected a file .json or .npz", path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("--attributes: %w", err)
	}
	return list, nil
}

// jsonAttributes reads {"path.to.attribute": value}. Numbers are kept as texts (UseNumber), since
// an int64 does not fit a float64.
func jsonAttributes(path string) ([]infer.Attribute, error) {
	data, err := localfile.Read(path, maxAttributes)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	list, err := decodeAttributes(d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// The tokens are read one by one, because Go's decoder would accept a name twice and take the last.
// It returns an error for anything but one object.
func decodeAttributes(d *json.Decoder) ([]infer.Attribute, error) {
	if tok, err := d.Token(); err != nil {
		return nil, unfinished(err)
	} else if tok != json.Delim('{') {
		return nil, errors.New(`expected an object, {"path.to.attribute": value}`)
	}
	var list []infer.Attribute
	seen := map[string]bool{}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return nil, unfinished(err)
		}
		name, ok := tok.(string)
		if !ok {
			return nil, fmt.Errorf("%v is no path of an attribute", tok)
		}
		if seen[name] {
			return nil, fmt.Errorf("%q is given twice", name)
		}
		seen[name] = true
		var v any
		if err := d.Decode(&v); err != nil {
			return nil, fmt.Errorf("%q: %w", name, unfinished(err))
		}
		if v, err = attributeOf(v, maxAttributeDepth); err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		list = append(list, infer.Attribute{Path: name, Value: v})
	}
	if _, err := d.Token(); err != nil {
		return nil, unfinished(err)
	}
	// Nothing but blanks may follow.
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	return list, nil
}

// The end of a file within a value is an unexpected one.
func unfinished(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// attributeOf checks a value and makes arrays of {"shape": […], "dtype": "f32"}. Lists, numbers,
// texts, bools and null stay as they are. It returns an error for lists that are nested too deeply
// and for an object that is no array's type.
func attributeOf(v any, depth int) (any, error) {
	if depth == 0 {
		return nil, fmt.Errorf("lists are nested more than %d deep", maxAttributeDepth)
	}
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			x, err := attributeOf(e, depth-1)
			if err != nil {
				return nil, err
			}
			v[i] = x
		}
	case map[string]any:
		return arrayOf(v)
	}
	return v, nil
}

// Sizes are numbers or texts with an expression, which may not have a comma or an equals sign, as
// these separate sizes elsewhere. dtype is checked by the caller's user, not here.
func arrayOf(m map[string]any) (*infer.Array, error) {
	const form = `an object is an array's type, {"shape": [2, "N"], "dtype": "f32"}`
	dims, isList := m["shape"].([]any)
	d, isText := m["dtype"].(string)
	if !isList || !isText || len(m) != 2 {
		return nil, errors.New(form)
	}
	a := &infer.Array{DType: d, Dims: []string{}}
	for _, x := range dims {
		text := ""
		switch x := x.(type) {
		case json.Number:
			text = string(x)
		case string:
			text = x
		}
		if strings.TrimSpace(text) == "" || strings.ContainsAny(text, ",=") {
			return nil, fmt.Errorf("%v is no size: %s", x, form)
		}
		a.Dims = append(a.Dims, text)
	}
	return a, nil
}

// npzAttributes reads the types of the arrays of an npz, and the elements of small ones of
// integers. It returns an error for what is no npz. Elements of larger arrays and of floats would
// not help with shapes.
func npzAttributes(path string) (list []infer.Attribute, err error) {
	f, err := weights.Open(path, weights.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if f.Format != "npz" {
		return nil, fmt.Errorf("%s: expected an npz, not %s", path, f.Format)
	}
	for _, t := range f.Tensors {
		a := &infer.Array{DType: t.DType.String(), Dims: []string{}}
		for _, n := range t.Dims {
			a.Dims = append(a.Dims, fmt.Sprint(n))
		}
		if a.Elems, err = integers(t); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, infer.Attribute{Path: t.Name, Value: a})
	}
	return list, nil
}

// integers reads the elements of a small array of signed integers or bytes; nil for others.
// Unsigned integers of more than 8 bits might not fit and are left out. It returns an error where
// the data cannot be read.
func integers(t *weights.Tensor) ([]int64, error) {
	width := int64(t.DType.Bits()) / 8
	switch t.DType {
	case onnx.Int8, onnx.Int16, onnx.Int32, onnx.Int64, onnx.Uint8:
	default:
		return nil, nil
	}
	if t.Size()/width > maxArrayElements {
		return nil, nil
	}
	var b bytes.Buffer
	if _, err := t.WriteTo(&b); err != nil {
		return nil, err
	}
	out := make([]int64, 0, t.Size()/width)
	// The data is little-endian, as npy files are written by default.
	for data := b.Bytes(); len(data) > 0; data = data[width:] {
		var n int64
		switch t.DType {
		case onnx.Uint8:
			n = int64(data[0])
		case onnx.Int8:
			n = int64(int8(data[0]))
		case onnx.Int16:
			n = int64(int16(binary.LittleEndian.Uint16(data)))
		case onnx.Int32:
			n = int64(int32(binary.LittleEndian.Uint32(data)))
		default:
			n = int64(binary.LittleEndian.Uint64(data))
		}
		out = append(out, n)
	}
	return out, nil
}
