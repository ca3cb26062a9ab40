package weights

// This file changes elements where a file says that they are stored in another form: big endian, negated or conjugated.

import (
	"encoding/binary"
	"fmt"

	"shapecheck/onnx"
)

// An alteration changes whole elements in place.
type alteration func(b []byte)

// both is one alteration after another.
func both(first, second alteration) alteration {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	return func(b []byte) {
		first(b)
		second(b)
	}
}

// numberSize is the size of a number of a type: a complex element has two.
func numberSize(d onnx.DType) int {
	n := d.Bits() / 8
	if d == onnx.Complex64 || d == onnx.Complex128 {
		n /= 2
	}
	return n
}

// swapped turns the bytes of numbers around; nil where they have one byte.
func swapped(d onnx.DType) alteration {
	switch numberSize(d) {
	case 2:
		return func(b []byte) {
			for ; len(b) >= 2; b = b[2:] {
				b[0], b[1] = b[1], b[0]
			}
		}
	case 4:
		return func(b []byte) {
			for ; len(b) >= 4; b = b[4:] {
				binary.LittleEndian.PutUint32(b, binary.BigEndian.Uint32(b))
			}
		}
	case 8:
		return func(b []byte) {
			for ; len(b) >= 8; b = b[8:] {
				binary.LittleEndian.PutUint64(b, binary.BigEndian.Uint64(b))
			}
		}
	}
	return nil
}

// signed gives the elements of a tensor with PyTorch's negative bit, conjugate bit or both: the numbers of which are
// stored with the other sign. The conjugate bit is about complex elements alone.
func signed(d onnx.DType, negative, conjugate bool) (alteration, error) {
	n := numberSize(d)
	switch d {
	case onnx.Complex64, onnx.Complex128:
		switch {
		case negative && conjugate: // -(a - bi) is -a + bi
			return flipped(n, 0, 2), nil
		case conjugate:
			return flipped(n, 1, 2), nil
		case negative:
			return flipped(n, 0, 1), nil
		}
		return nil, nil
	case onnx.Float16, onnx.BFloat16, onnx.Float, onnx.Double:
		if negative {
			return flipped(n, 0, 1), nil
		}
		return nil, nil
	case onnx.Int8, onnx.Int16, onnx.Int32, onnx.Int64, onnx.Uint8, onnx.Uint16, onnx.Uint32, onnx.Uint64:
		if negative {
			return negated(n), nil
		}
		return nil, nil
	}
	if negative {
		return nil, fmt.Errorf("the negative bit of elements of type %s is not read: save it again with resolve_neg()", d)
	}
	return nil, nil
}

// flipped changes the sign of floating-point numbers of n bytes: of number first and each step-th after it.
func flipped(n, first, step int) alteration {
	return func(b []byte) {
		for at := first*n + n - 1; at < len(b); at += step * n {
			b[at] ^= 0x80
		}
	}
}

// negated changes the sign of integers of n bytes.
func negated(n int) alteration {
	return func(b []byte) {
		for ; len(b) >= n; b = b[n:] {
			carry := 1
			for i := range n {
				carry += int(^b[i])
				b[i] = byte(carry)
				carry >>= 8
			}
		}
	}
}
