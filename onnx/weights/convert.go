package weights

// This file rounds elements to another float type while they are written.

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"shapecheck/onnx"
)

// A floatType reads and appends one element.
type floatType struct {
	get func(b []byte) float64
	put func(b []byte, f float64) []byte
}

var floatTypes = map[onnx.DType]floatType{
	onnx.Double: {
		func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) },
		func(b []byte, f float64) []byte { return binary.LittleEndian.AppendUint64(b, math.Float64bits(f)) },
	},
	onnx.Float: {
		func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) },
		func(b []byte, f float64) []byte {
			return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(f)))
		},
	},
	onnx.Float16: {
		func(b []byte) float64 { return onnx.FromHalf(binary.LittleEndian.Uint16(b)) },
		func(b []byte, f float64) []byte { return binary.LittleEndian.AppendUint16(b, onnx.ToHalf(f)) },
	},
	onnx.BFloat16: {
		func(b []byte) float64 {
			return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
		},
		func(b []byte, f float64) []byte { return binary.LittleEndian.AppendUint16(b, onnx.ToBFloat16(f)) },
	},
}

// CanConvert reports whether both are float types.
func CanConvert(from, to onnx.DType) bool {
	_, ok1 := floatTypes[from]
	_, ok2 := floatTypes[to]
	return ok1 && ok2
}

// Convert returns t with elements of another float type, rounded to the nearest. It returns an error if CanConvert
// reports false, or if the result has more bytes than 63 bits can count.
func Convert(t *Tensor, to onnx.DType) (*Tensor, error) {
	if t.DType == to {
		return t, nil
	}
	if !CanConvert(t.DType, to) {
		return nil, fmt.Errorf("tensor %q: elements of type %s cannot be converted to %s", t.Name, t.DType, to)
	}
	size, err := sizeOf(to, t.Dims)
	if err != nil {
		return nil, err
	}
	return &Tensor{Name: t.Name, DType: to, Dims: t.Dims, size: size, write: func(w io.Writer) (int64, error) {
		c := converter{w: w, from: floatTypes[t.DType], to: floatTypes[to], width: t.DType.Bits() / 8}
		_, err := t.WriteTo(&c)
		if err == nil && len(c.rest) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return c.done, err
	}}, nil
}

// A converter rounds what is written to it.
type converter struct {
	w         io.Writer
	from, to  floatType
	width     int
	rest, out []byte
	done      int64
}

// Write passes on what is rounded. The error is that of the writer behind it; a last element that is not complete waits
// for the next call.
func (c *converter) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		if len(c.rest) > 0 || len(b) < c.width { // an element across two pieces
			k := min(c.width-len(c.rest), len(b))
			c.rest = append(c.rest, b[:k]...)
			if b = b[k:]; len(c.rest) < c.width {
				return n, nil
			}
			c.out = c.to.put(c.out[:0], c.from.get(c.rest))
			c.rest = c.rest[:0]
		} else {
			k := min(len(b), pieceSize) / c.width * c.width
			c.out = c.out[:0]
			for i := 0; i < k; i += c.width {
				c.out = c.to.put(c.out, c.from.get(b[i:i+c.width]))
			}
			b = b[k:]
		}
		k, err := c.w.Write(c.out)
		if c.done += int64(k); err != nil {
			return n - len(b), err
		}
	}
	return n, nil
}
