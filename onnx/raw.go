package onnx

// This file gives the elements of any tensor as raw data.

import (
	"encoding/binary"
	"fmt"
	"math"

	"shapecheck/runtime/memory"
)

// RawData returns the elements in the form of raw_data: little endian and row-major,
// types of less than 8 bits packed. Raw data that is there is returned as it is and must
// not be changed. Elements in other files, and strings, are an error.
func (t *Tensor) RawData() ([]byte, error) {
	n, err := t.Count()
	if err != nil {
		return nil, err
	}
	if t.IsExternal || t.Source != nil {
		return nil, ErrExternal
	}
	size, err := ByteSize(t.DType, n)
	if err != nil {
		return nil, err
	}
	if t.HasRaw {
		if int64(len(t.Raw)) != size {
			return nil, fmt.Errorf("there are %d bytes of elements; dimensions %v of %s need %d", len(t.Raw), t.Dims, t.DType, size)
		}
		return t.Raw, nil
	}
	if n == 0 {
		return nil, nil
	}
	var have int
	var word func(b []byte, i int) []byte
	width := max(t.DType.Bits()/8, 1) // bytes of an entry
	want := n
	switch t.DType {
	case Float, Complex64:
		width, have = 4, len(t.Floats)
		word = func(b []byte, i int) []byte {
			return binary.LittleEndian.AppendUint32(b, math.Float32bits(t.Floats[i]))
		}
	case Double, Complex128:
		width, have = 8, len(t.Doubles)
		word = func(b []byte, i int) []byte {
			return binary.LittleEndian.AppendUint64(b, math.Float64bits(t.Doubles[i]))
		}
	case Int64:
		have = len(t.Int64s)
		word = func(b []byte, i int) []byte { return binary.LittleEndian.AppendUint64(b, uint64(t.Int64s[i])) }
	case Uint32, Uint64:
		have = len(t.Uint64s)
		word = func(b []byte, i int) []byte { return appendWord(b, width, t.Uint64s[i]) }
	default:
		have = len(t.Int32s)
		switch bits := t.DType.Bits(); {
		case bits == 6: // an entry for each element
			return t.packSix(n, size)
		case bits < 8: // an entry for each byte, as onnx.numpy_helper reads them
			want = size
		}
		word = func(b []byte, i int) []byte { return appendWord(b, width, uint64(uint32(t.Int32s[i]))) }
	}
	if t.DType == Complex64 || t.DType == Complex128 {
		want = 2 * n
	}
	if int64(have) != want {
		return nil, fmt.Errorf("there are %d entries of elements; dimensions %v of %s need %d", have, t.Dims, t.DType, want)
	}
	if err := memory.Ask(int64(have) * int64(width)); err != nil {
		return nil, err
	}
	out := make([]byte, 0, int64(have)*int64(width))
	for i := range have {
		out = word(out, i)
	}
	if int64(len(out)) < size {
		return nil, fmt.Errorf("there are %d bytes of elements; dimensions %v of %s need %d", len(out), t.Dims, t.DType, size)
	}
	return out[:size], nil
}

// packSix packs elements of six bits, the first in the lowest bits of the first byte.
func (t *Tensor) packSix(n, size int64) ([]byte, error) {
	if int64(len(t.Int32s)) != n {
		return nil, fmt.Errorf("there are %d entries of elements; dimensions %v of %s need %d", len(t.Int32s), t.Dims, t.DType, n)
	}
	out := make([]byte, size)
	for i, x := range t.Int32s {
		at := 6 * i
		two := uint16(x&0x3f) << (at % 8)
		out[at/8] |= byte(two)
		if two>>8 != 0 {
			out[at/8+1] |= byte(two >> 8)
		}
	}
	return out, nil
}

// appendWord appends the lowest bytes of x, little endian.
func appendWord(b []byte, bytes int, x uint64) []byte {
	for range bytes {
		b = append(b, byte(x))
		x >>= 8
	}
	return b
}
