package tensor

// This file reads and writes single elements of every type as numbers.

import (
	"fmt"
	"math"

	"shapecheck/onnx"
)

// IsFloat reports whether a type's elements are real numbers with a fraction.
func IsFloat(d DType) bool {
	switch d {
	case Float32, Float64, Float16, BFloat16:
		return true
	}
	return isSmallFloat(d)
}

// IsComplex reports whether a type's elements are complex.
func IsComplex(d DType) bool { return d == Complex64 || d == Complex128 }

func isSmallFloat(d DType) bool {
	switch d {
	case Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ, Float8E8M0, Float4E2M1:
		return true
	}
	return false
}

// Float gives the element i as a number; of a complex one the real part. u64 and i64 are
// rounded.
func (t *Tensor) Float(i int) float64 {
	switch t.dtype {
	case Float32:
		return float64(view[float32](t)[i])
	case Float64:
		return view[float64](t)[i]
	case Float16:
		return onnx.FromHalf(view[uint16](t)[i])
	case BFloat16:
		return float64(math.Float32frombits(uint32(view[uint16](t)[i]) << 16))
	case Complex64:
		return float64(view[float32](t)[2*i])
	case Complex128:
		return view[float64](t)[2*i]
	case Uint64:
		return float64(view[uint64](t)[i])
	}
	if isSmallFloat(t.dtype) {
		return smallFloats(t.dtype)[t.small(i)]
	}
	return float64(t.Int(i))
}

// Int gives the element i of a type of integers or bools; a u64 above 2^63 - 1 as the
// negative number of the same bits. Of other types it is the integral part.
func (t *Tensor) Int(i int) int64 {
	switch t.dtype {
	case Int64, Uint64:
		return view[int64](t)[i]
	case Int32:
		return int64(view[int32](t)[i])
	case Uint32:
		return int64(view[uint32](t)[i])
	case Int16:
		return int64(view[int16](t)[i])
	case Uint16:
		return int64(view[uint16](t)[i])
	case Int8:
		return int64(int8(t.data[i]))
	case Uint8:
		return int64(t.data[i])
	case Bool:
		if t.data[i] != 0 {
			return 1
		}
		return 0
	case Uint4, Uint2:
		return int64(t.small(i))
	case Int4:
		return int64(int8(t.small(i)<<4) >> 4)
	case Int2:
		return int64(int8(t.small(i)<<6) >> 6)
	}
	return int64(t.Float(i))
}

// Imag gives the imaginary part of the element i.
func (t *Tensor) Imag(i int) float64 {
	switch t.dtype {
	case Complex64:
		return float64(view[float32](t)[2*i+1])
	case Complex128:
		return view[float64](t)[2*i+1]
	}
	return 0
}

// SetFloat writes a number, rounded to the nearest of the element type, ties to even; to
// integers it is cut. An 8- or 4-bit float beyond the largest becomes the largest.
func (t *Tensor) SetFloat(i int, f float64) {
	switch t.dtype {
	case Float32:
		view[float32](t)[i] = float32(f)
	case Float64:
		view[float64](t)[i] = f
	case Float16:
		view[uint16](t)[i] = onnx.ToHalf(f)
	case BFloat16:
		view[uint16](t)[i] = toBFloat16(f)
	case Complex64:
		view[float32](t)[2*i], view[float32](t)[2*i+1] = float32(f), 0
	case Complex128:
		view[float64](t)[2*i], view[float64](t)[2*i+1] = f, 0
	default:
		if isSmallFloat(t.dtype) {
			t.setSmall(i, toSmall(t.dtype, f))
			return
		}
		t.SetInt(i, int64(f))
	}
}

// SetComplex writes a complex element.
func (t *Tensor) SetComplex(i int, re, im float64) {
	switch t.dtype {
	case Complex64:
		view[float32](t)[2*i], view[float32](t)[2*i+1] = float32(re), float32(im)
	case Complex128:
		view[float64](t)[2*i], view[float64](t)[2*i+1] = re, im
	default:
		t.SetFloat(i, re)
	}
}

// SetInt writes an integer, of which the lowest bits are kept; a bool becomes x != 0.
func (t *Tensor) SetInt(i int, x int64) {
	switch t.dtype {
	case Int64, Uint64:
		view[int64](t)[i] = x
	case Int32, Uint32:
		view[int32](t)[i] = int32(x)
	case Int16, Uint16:
		view[int16](t)[i] = int16(x)
	case Int8, Uint8:
		t.data[i] = byte(x)
	case Bool:
		t.data[i] = 0
		if x != 0 {
			t.data[i] = 1
		}
	case Uint4, Int4, Uint2, Int2:
		t.setSmall(i, byte(x))
	default:
		t.SetFloat(i, float64(x))
	}
}

// small gives the bits of an element of at most 8 bits.
func (t *Tensor) small(i int) byte {
	switch t.dtype.Bits() {
	case 4:
		return t.data[i/2] >> (i % 2 * 4) & 15
	case 2:
		return t.data[i/4] >> (i % 4 * 2) & 3
	}
	return t.data[i]
}

// setSmall sets an element of 4, 2 or 8 bits; the first element is in the lowest bits of a byte.
func (t *Tensor) setSmall(i int, x byte) {
	switch t.dtype.Bits() {
	case 4:
		s := i % 2 * 4
		t.data[i/2] = t.data[i/2]&^(15<<s) | x&15<<s
	case 2:
		s := i % 4 * 2
		t.data[i/4] = t.data[i/4]&^(3<<s) | x&3<<s
	default:
		t.data[i] = x
	}
}

// toBFloat16 rounds once: going through float32 first could round twice.
func toBFloat16(f float64) uint16 {
	r := float32(f)
	if b := math.Float32bits(r); float64(r) != f && b&0xffff == 0x8000 && !math.IsNaN(f) && !math.IsInf(float64(r), 0) {
		// The float32 lies in the middle of two bfloat16 numbers and f beside it.
		if math.Abs(f) > math.Abs(float64(r)) {
			b++
		} else {
			b--
		}
		r = math.Float32frombits(b)
	}
	return onnx.ToBFloat16(float64(r))
}

// Ints gives all elements as integers. It returns an error if they are floats or complex numbers.
func (t *Tensor) Ints() ([]int64, error) {
	if IsFloat(t.dtype) || IsComplex(t.dtype) {
		return nil, fmt.Errorf("%s has no integers", t.Type())
	}
	out := make([]int64, t.Len())
	for i := range out {
		out[i] = t.Int(i)
	}
	return out, nil
}

// CopyElem copies the element j of x, which has the same type, to place i.
func (t *Tensor) CopyElem(i int, x *Tensor, j int) {
	switch bits := t.dtype.Bits(); {
	case bits < 8:
		t.setSmall(i, x.small(j))
	default:
		n := bits / 8
		copy(t.data[i*n:(i+1)*n], x.data[j*n:(j+1)*n])
	}
}
