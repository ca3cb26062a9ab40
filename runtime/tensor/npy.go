package tensor

// This file writes npy files (numpy.lib.format, version 1.0).

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// npyTypes are numpy's codes; of types that numpy lacks there are none.
var npyTypes = map[DType]string{
	Float16: "<f2", Float32: "<f4", Float64: "<f8", Complex64: "<c8", Complex128: "<c16",
	Int8: "|i1", Int16: "<i2", Int32: "<i4", Int64: "<i8", Uint8: "|u1", Uint16: "<u2", Uint32: "<u4", Uint64: "<u8", Bool: "|b1",
}

// npyAlign is what the length of everything before the elements is a multiple of.
const npyAlign = 64

// WriteNPY writes the tensor as an npy file. It returns an error for an element type that numpy does not have, and that
// of w.
func (t *Tensor) WriteNPY(w io.Writer) error {
	code := npyTypes[t.dtype]
	if code == "" {
		return fmt.Errorf("numpy has no elements of type %s: use a name that ends in .pb", t.dtype)
	}
	shape := "("
	for _, d := range t.dims {
		shape += fmt.Sprint(d) + ", "
	}
	if len(t.dims) > 1 {
		shape = strings.TrimSuffix(shape, ", ")
	}
	text := "{'descr': '" + code + "', 'fortran_order': False, 'shape': " + strings.TrimSuffix(shape, " ") + "), }"
	const fixed = 10 // magic, version, length
	pad := (npyAlign - (fixed+len(text)+1)%npyAlign) % npyAlign
	text += strings.Repeat(" ", pad) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(b[8:], uint16(len(text)))
	if _, err := w.Write(append(b, text...)); err != nil {
		return err
	}
	_, err := w.Write(t.littleEndian())
	return err
}
