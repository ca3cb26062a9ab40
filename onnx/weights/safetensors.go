package weights

// This file reads safetensors: the length of a header, the header in JSON, the
// elements. The format asks that the elements fill the rest without gaps and in
// the order of their offsets, so that a file has no hidden parts.

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"shapecheck/onnx"
)

// maxHeader is the limit of the safetensors library.
const maxHeader = 100_000_000

// safetensorsTypes are the dtypes of the format.
var safetensorsTypes = map[string]onnx.DType{
	"F64": onnx.Double, "F32": onnx.Float, "F16": onnx.Float16, "BF16": onnx.BFloat16,
	"F8_E4M3": onnx.Float8E4M3FN, "F8_E5M2": onnx.Float8E5M2,
	"I64": onnx.Int64, "I32": onnx.Int32, "I16": onnx.Int16, "I8": onnx.Int8,
	"U64": onnx.Uint64, "U32": onnx.Uint32, "U16": onnx.Uint16, "U8": onnx.Uint8, "BOOL": onnx.Bool,
	"C64": onnx.Complex64,
}

// readSafetensors reads the header, JSON of a length that the first eight bytes say, and checks that the
// tensors follow each other without gaps or overlaps, as the format demands; a file that does not is an error.
func readSafetensors(r io.ReaderAt, size int64) ([]*Tensor, error) {
	var b [8]byte
	if _, err := readAt(r, b[:], 0); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(b[:])
	if n > maxHeader {
		return nil, fmt.Errorf("the header has %d bytes, more than the %d that safetensors allows", n, maxHeader)
	}
	if int64(n) > size-8 {
		return nil, fmt.Errorf("the header of %d bytes is beyond the end of the file", n)
	}
	h := headerReader{dec: json.NewDecoder(io.NewSectionReader(r, 8, int64(n)))}
	h.dec.UseNumber()
	if err := h.object(h.tensor); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if _, err := h.dec.Token(); err != io.EOF {
		return nil, errors.New("header: more than one JSON value")
	}
	base := 8 + int64(n)
	slices.SortStableFunc(h.list, func(a, b *placed) int {
		switch {
		case a.begin < b.begin, a.begin == b.begin && a.end < b.end:
			return -1
		case a.begin == b.begin && a.end == b.end:
			return 0
		}
		return 1
	})
	at := int64(0)
	out := make([]*Tensor, 0, len(h.list))
	for _, p := range h.list {
		if p.begin != at {
			return nil, fmt.Errorf("tensor %q starts at %d where %d was expected: the elements must follow each other without gaps", p.Name,
				p.begin, at)
		}
		at = p.end
		off := base + p.begin
		p.write = func(w io.Writer) (int64, error) { return copyRun(w, r, off, p.size) }
		out = append(out, p.Tensor)
	}
	if at != size-base {
		return nil, fmt.Errorf("the tensors end at %d, the file has %d bytes of elements", at, size-base)
	}
	return out, nil
}

// placed is a tensor and where its elements are.
type placed struct {
	*Tensor
	begin, end int64
}

// A headerReader reads JSON token by token: package json would take the last of
// repeated keys and ignore unknown ones.
type headerReader struct {
	dec  *json.Decoder
	list []*placed
}

// object reads an object; f reads the value of each key.
func (h *headerReader) object(f func(key string) error) error {
	if err := h.delim('{'); err != nil {
		return err
	}
	seen := map[string]bool{}
	for h.dec.More() {
		tok, err := h.dec.Token()
		if err != nil {
			return err
		}
		key, ok := tok.(string)
		if !ok {
			return fmt.Errorf("%v is no key", tok)
		}
		if seen[key] {
			return fmt.Errorf("the key %q is there twice", key)
		}
		seen[key] = true
		if err := f(key); err != nil {
			return fmt.Errorf("%q: %w", key, err)
		}
	}
	return h.delim('}')
}

func (h *headerReader) delim(want json.Delim) error {
	tok, err := h.dec.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err == nil && tok != want {
		err = fmt.Errorf("found %v where %v was expected", tok, want)
	}
	return err
}

func (h *headerReader) str() (string, error) {
	tok, err := h.dec.Token()
	if err != nil {
		return "", err
	}
	s, ok := tok.(string)
	if !ok {
		return "", fmt.Errorf("found %v where a text was expected", tok)
	}
	return s, nil
}

// numbers reads a list of at most max integers that are not negative.
func (h *headerReader) numbers(max int) ([]int64, error) {
	if err := h.delim('['); err != nil {
		return nil, err
	}
	list := []int64{}
	for h.dec.More() {
		tok, err := h.dec.Token()
		if err != nil {
			return nil, err
		}
		num, ok := tok.(json.Number)
		if !ok {
			return nil, fmt.Errorf("found %v where a number was expected", tok)
		}
		n, err := num.Int64()
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%v is no size", num)
		}
		if len(list) == max {
			return nil, fmt.Errorf("more than %d numbers", max)
		}
		list = append(list, n)
	}
	return list, h.delim(']')
}

// tensor reads an entry of the header.
func (h *headerReader) tensor(name string) error {
	if name == "__metadata__" {
		return h.object(func(string) error { _, err := h.str(); return err })
	}
	t := &placed{Tensor: &Tensor{Name: name}}
	var offsets []int64
	err := h.object(func(key string) error {
		var err error
		switch key {
		case "dtype":
			var s string
			if s, err = h.str(); err == nil {
				if t.DType = safetensorsTypes[s]; t.DType == onnx.Undefined {
					err = fmt.Errorf("the dtype %q is not known", s)
				}
			}
		case "shape":
			t.Dims, err = h.numbers(maxRank)
		case "data_offsets":
			offsets, err = h.numbers(2)
		default:
			err = errors.New("not a key of safetensors")
		}
		return err
	})
	if err != nil {
		return err
	}
	if t.DType == onnx.Undefined || t.Dims == nil || len(offsets) != 2 {
		return errors.New("dtype, shape or data_offsets is missing")
	}
	if t.size, err = sizeOf(t.DType, t.Dims); err != nil {
		return err
	}
	if t.begin, t.end = offsets[0], offsets[1]; t.end < t.begin || t.end-t.begin != t.size {
		return fmt.Errorf("data_offsets %v do not hold the %d bytes of %s%v", offsets, t.size, t.DType, t.Dims)
	}
	h.list = append(h.list, t)
	return nil
}
