package weights

// This file reads npz archives and npy files: a header in Python's notation, then
// the elements in row- or column-major order.
//
// The format is that of numpy/lib/format.py. The header's literal is read by a small parser of
// its own, since only three keys and four kinds of values may be there; numpy itself evaluates it
// as a Python literal. Arrays of objects are pickles and are not read.

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"shapecheck/onnx"
)

// Limits of npy headers, and of what must be in memory: arrays that are both
// compressed and in column-major order.
const (
	maxNPYHeader = 64 << 10
	maxInflated  = 128 << 20
)

// npyTypes are numpy's type codes without the byte order.
var npyTypes = map[string]onnx.DType{
	"f2": onnx.Float16, "f4": onnx.Float, "f8": onnx.Double, "c8": onnx.Complex64, "c16": onnx.Complex128,
	"i1": onnx.Int8, "i2": onnx.Int16, "i4": onnx.Int32, "i8": onnx.Int64,
	"u1": onnx.Uint8, "u2": onnx.Uint16, "u4": onnx.Uint32, "u8": onnx.Uint64, "b1": onnx.Bool,
}

// An npyHeader is what stands before the elements.
type npyHeader struct {
	dtype   onnx.DType
	dims    []int64
	fortran bool
	big     bool  // the elements are big endian
	object  bool  // the elements are Python objects
	length  int64 // of the header itself
	size    int64 // of the elements
}

// readNPYHeader reads numpy's format: a version, the length of the header, and the header as a Python literal.
// The error is of the stream, or says what of the header is not read.
func readNPYHeader(r io.Reader) (*npyHeader, error) {
	head := make([]byte, 8)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, unexpected(err)
	}
	if !bytes.HasPrefix(head, []byte("\x93NUMPY")) {
		return nil, errors.New("not an npy file")
	}
	b := make([]byte, 2)
	switch head[6] {
	case 1:
	case 2, 3:
		b = make([]byte, 4)
	default:
		return nil, fmt.Errorf("version %d of the npy format is not known", head[6])
	}
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, unexpected(err)
	}
	n := int64(binary.LittleEndian.Uint16(b))
	if len(b) == 4 {
		n = int64(binary.LittleEndian.Uint32(b))
	}
	if n > maxNPYHeader {
		return nil, fmt.Errorf("the header has %d bytes, more than %d", n, maxNPYHeader)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, unexpected(err)
	}
	h := &npyHeader{length: 8 + int64(len(b)) + n}
	if err := h.parse(string(text)); err != nil {
		return nil, err
	}
	if h.object {
		return h, nil
	}
	var err error
	h.size, err = sizeOf(h.dtype, h.dims)
	return h, err
}

var errObjects = errors.New("an array of Python objects: it would have to be unpickled")

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// parse reads {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }. Each key must be there
// exactly once. Errors say where the header cannot be read.
func (h *npyHeader) parse(s string) error {
	p := npyParser{strings.TrimSpace(s)}
	if !p.take("{") {
		return errors.New("the header is no dict")
	}
	seen := map[string]bool{}
	for !p.take("}") {
		key, ok := p.str()
		if !ok || !p.take(":") {
			return fmt.Errorf("the header cannot be read at %.20q", p.s)
		}
		if seen[key] {
			return fmt.Errorf("the key %q is there twice", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			d, ok := p.str()
			if !ok {
				return errors.New("arrays of records are not read")
			}
			if err := h.descr(d); err != nil {
				return err
			}
		case "fortran_order":
			if h.fortran = p.take("True"); !h.fortran && !p.take("False") {
				return errors.New("fortran_order is neither True nor False")
			}
		case "shape":
			if h.dims, ok = p.shape(); !ok {
				return errors.New("the shape is no tuple of sizes")
			}
		default:
			return fmt.Errorf("%q is no key of the npy format", key)
		}
		if !p.take(",") && !strings.HasPrefix(p.s, "}") {
			return fmt.Errorf("the header cannot be read at %.20q", p.s)
		}
	}
	if p.s != "" || len(seen) != 3 {
		return errors.New("the header must have descr, fortran_order and shape, and nothing else")
	}
	return nil
}

// descr reads an element type as numpy writes it, byte order first. Objects are pickles, of which only their
// being there is noted.
func (h *npyHeader) descr(d string) error {
	if d == "" {
		return errors.New("the type is empty")
	}
	order, code := d[:1], d[1:]
	switch {
	case code == "O":
		h.object = true
		return nil
	case npyTypes[code] == onnx.Undefined:
		return fmt.Errorf("elements of numpy's type %q are not read", d)
	case !strings.Contains("<|>", order):
		return fmt.Errorf("the byte order of %q is not known", d)
	}
	h.dtype, h.big = npyTypes[code], order == ">"
	return nil
}

// An npyParser reads Python's notation.
type npyParser struct{ s string }

func (p *npyParser) take(tok string) bool {
	rest, ok := strings.CutPrefix(p.s, tok)
	if ok {
		p.s = strings.TrimLeft(rest, " \t\n")
	}
	return ok
}

func (p *npyParser) str() (string, bool) {
	for _, q := range []string{"'", `"`} {
		if rest, ok := strings.CutPrefix(p.s, q); ok {
			text, rest, ok := strings.Cut(rest, q)
			p.s = strings.TrimLeft(rest, " \t\n")
			return text, ok && !strings.Contains(text, `\`)
		}
	}
	return "", false
}

// shape reads a tuple of numbers.
func (p *npyParser) shape() ([]int64, bool) {
	if !p.take("(") {
		return nil, false
	}
	dims := []int64{}
	for !p.take(")") {
		i := 0
		for i < len(p.s) && p.s[i] >= '0' && p.s[i] <= '9' {
			i++
		}
		n, err := strconv.ParseInt(p.s[:i], 10, 64)
		if err != nil {
			return nil, false
		}
		p.s = p.s[i:]
		p.take("L") // as Python 2 wrote long numbers
		dims = append(dims, n)
		if !p.take(",") && !strings.HasPrefix(p.s, ")") {
			return nil, false
		}
	}
	return dims, true
}

// tensor makes a tensor of the elements at off. Column-major arrays are written in row-major
// order by their strides.
func (h *npyHeader) tensor(name string, r io.ReaderAt, off int64) *Tensor {
	l := &layout{dims: h.dims, elem: int64(h.dtype.Bits()) / 8, alter: h.alter()}
	if h.fortran {
		l.strides = fortran(h.dims)
	} else {
		l.strides = rowMajor(h.dims)
	}
	return &Tensor{Name: name, DType: h.dtype, Dims: h.dims, size: h.size,
		write: func(w io.Writer) (int64, error) { return l.writeTo(w, r, off) }}
}

// alter makes little endian elements of those of the file; nil: they are.
func (h *npyHeader) alter() alteration {
	if h.big {
		return swapped(h.dtype)
	}
	return nil
}

// rowMajor gives the strides of the row-major order.
func rowMajor(dims []int64) []int64 {
	strides, n := make([]int64, len(dims)), int64(1)
	for i := len(dims) - 1; i >= 0; i-- {
		strides[i] = n
		n *= dims[i]
	}
	return strides
}

// readNPY reads an array of a file of its own, whose length must be exactly what the header says; otherwise it
// is an error.
func readNPY(r io.ReaderAt, size int64, name string) ([]*Tensor, error) {
	h, err := readNPYHeader(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, err
	}
	if h.object {
		return nil, errObjects
	}
	if h.length+h.size != size {
		return nil, fmt.Errorf("%d bytes of elements where the header says %d", size-h.length, h.size)
	}
	return []*Tensor{h.tensor(name, r, h.length)}, nil
}

// readNPZ reads all arrays of an archive, in its order. The error names the array.
func readNPZ(a *archive) ([]*Tensor, error) {
	var out []*Tensor
	for _, f := range a.order {
		t, err := a.npy(f)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", f.Name, err)
		}
		if t != nil {
			out = append(out, t)
		}
	}
	return out, nil
}

// npy reads the header of an entry. One object, as Chainer saves it for a parameter without a
// shape, is no tensor. Entries that are stored are read where they lie; compressed ones are
// inflated when they are written, in one pass if their order is row-major.
func (a *archive) npy(f *zip.File) (t *Tensor, err error) {
	rc, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rc.Close()) }()
	h, err := readNPYHeader(rc)
	if err != nil {
		return nil, err
	}
	if h.object {
		if len(h.dims) == 0 {
			return nil, nil
		}
		return nil, errObjects
	}
	if uint64(h.length+h.size) != f.UncompressedSize64 {
		return nil, fmt.Errorf("the entry has %d bytes where its header says %d", f.UncompressedSize64, h.length+h.size)
	}
	name := strings.TrimSuffix(f.Name, ".npy")
	if f.Method == zip.Store {
		off, _, err := a.stored(f)
		if err != nil {
			return nil, err
		}
		return h.tensor(name, a.r, off+h.length), nil
	}
	t = h.tensor(name, nil, 0)
	if h.fortran && len(h.dims) > 1 && h.size > maxInflated {
		return nil, fmt.Errorf(
			"%d bytes, compressed and in column-major order: more than %d must be stored uncompressed (numpy.savez) or in row-major order", h.size,
			maxInflated)
	}
	t.write = func(w io.Writer) (int64, error) { return h.inflate(w, f) }
	return t, nil
}

// inflate writes the elements of a compressed entry.
func (h *npyHeader) inflate(w io.Writer, f *zip.File) (n int64, err error) {
	rc, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rc.Close()) }()
	if _, err := io.CopyN(io.Discard, rc, h.length); err != nil {
		return 0, unexpected(err)
	}
	if h.fortran && len(h.dims) > 1 {
		b, err := io.ReadAll(io.LimitReader(rc, h.size+1))
		if err != nil {
			return 0, err
		}
		if int64(len(b)) != h.size {
			return 0, io.ErrUnexpectedEOF
		}
		return h.tensor("", bytes.NewReader(b), 0).write(w)
	}
	if n, err = copyStream(w, rc, h.size, h.alter()); err != nil {
		return n, err
	}
	// Reading to the end checks the sum of the entry.
	_, err = io.ReadFull(rc, make([]byte, 1))
	if err == io.EOF {
		return n, nil
	}
	if err == nil {
		err = errors.New("the entry has more bytes than its header says")
	}
	return n, err
}
