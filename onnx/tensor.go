package onnx

// This file reads the elements of tensors and makes small ones.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// ErrExternal says that a tensor's elements are in another file.
var ErrExternal = errors.New("the elements are in an external file")

// Count returns the number of elements, or an error for negative dimensions and
// for products beyond 63 bits.
func (t *Tensor) Count() (int64, error) { return Count(t.Dims) }

// Count multiplies dimensions; see Tensor.Count. It returns an error for a negative dimension, and for a product beyond
// 63 bits unless a dimension is 0.
func Count(dims []int64) (int64, error) {
	n := uint64(1)
	over := false
	for _, d := range dims {
		if d < 0 {
			return 0, fmt.Errorf("a tensor has the negative dimension %d", d)
		}
		if d == 0 {
			return 0, nil
		}
		hi, lo := bits.Mul64(n, uint64(d))
		over = over || hi != 0 || lo > math.MaxInt64
		n = lo
	}
	if over {
		return 0, fmt.Errorf("a tensor of dimensions %v has too many elements", dims)
	}
	return int64(n), nil
}

// ByteSize returns the size of n elements of d in raw data, or an error for
// types without a fixed size and for sizes beyond 63 bits.
func ByteSize(d DType, n int64) (int64, error) {
	b := d.Bits()
	if b == 0 {
		return 0, fmt.Errorf("elements of type %s have no fixed size", d)
	}
	hi, lo := bits.Mul64(uint64(n), uint64(b))
	if hi != 0 || lo > math.MaxInt64-7 {
		return 0, fmt.Errorf("%d elements of type %s are too many", n, d)
	}
	return int64(lo+7) / 8, nil
}

// Given is the number of elements that the tensor has, whatever its dimensions say; of types below 8 bits it may be
// too large by those that are left of a byte, and of complex ones it is at most twice as much.
func (t *Tensor) Given() int64 {
	switch b := t.DType.Bits(); {
	case t.HasRaw && b > 0:
		return int64(len(t.Raw)) * 8 / int64(b)
	case b > 0 && b < 8:
		return int64(len(t.Int32s)) * 8 / int64(b)
	}
	return int64(len(t.Floats) + len(t.Doubles) + len(t.Int32s) + len(t.Int64s) + len(t.Uint64s) + len(t.Strings))
}

// Ints returns the elements of an integer or bool tensor. It returns ErrExternal if they are in another file, and an
// error if the tensor is of another type or has not as many elements as its dimensions say.
func (t *Tensor) Ints() ([]int64, error) {
	n, err := t.Count()
	if err != nil {
		return nil, err
	}
	if t.IsExternal {
		return nil, ErrExternal
	}
	if b := t.DType.Bits(); b == 2 || b == 4 {
		return t.smallInts(n)
	}
	if t.HasRaw {
		raw, err := t.rawOf(n)
		if err != nil {
			return nil, err
		}
		out := make([]int64, n)
		for i := range out {
			switch t.DType {
			case Int64, Uint64:
				out[i] = int64(binary.LittleEndian.Uint64(raw[8*i:]))
			case Int32:
				out[i] = int64(int32(binary.LittleEndian.Uint32(raw[4*i:])))
			case Uint32:
				out[i] = int64(binary.LittleEndian.Uint32(raw[4*i:]))
			case Int16:
				out[i] = int64(int16(binary.LittleEndian.Uint16(raw[2*i:])))
			case Uint16:
				out[i] = int64(binary.LittleEndian.Uint16(raw[2*i:]))
			case Int8:
				out[i] = int64(int8(raw[i]))
			case Uint8, Bool:
				out[i] = int64(raw[i])
			default:
				return nil, fmt.Errorf("a tensor of type %s has no integers", t.DType)
			}
		}
		return out, nil
	}
	switch t.DType {
	case Int64:
		return exact(t.Int64s, n)
	case Int32, Int16, Int8, Uint16, Uint8, Bool:
		out := make([]int64, len(t.Int32s))
		for i, x := range t.Int32s {
			out[i] = int64(x)
		}
		return exact(out, n)
	case Uint32, Uint64:
		out := make([]int64, len(t.Uint64s))
		for i, x := range t.Uint64s {
			out[i] = int64(x)
		}
		return exact(out, n)
	}
	return nil, fmt.Errorf("a tensor of type %s has no integers", t.DType)
}

// Float64s returns the elements of a float tensor. It returns ErrExternal if they are in another file, and an error if
// the tensor is of another type or has not as many elements as its dimensions say.
func (t *Tensor) Float64s() ([]float64, error) {
	n, err := t.Count()
	if err != nil {
		return nil, err
	}
	if t.IsExternal {
		return nil, ErrExternal
	}
	if t.DType.IsMini() {
		codes, err := t.codes(n)
		out := make([]float64, len(codes))
		for i, c := range codes {
			out[i] = FromMini(t.DType, c)
		}
		return out, err
	}
	if t.HasRaw {
		raw, err := t.rawOf(n)
		if err != nil {
			return nil, err
		}
		out := make([]float64, n)
		for i := range out {
			switch t.DType {
			case Float:
				out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
			case Double:
				out[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
			case Float16:
				out[i] = FromHalf(binary.LittleEndian.Uint16(raw[2*i:]))
			case BFloat16:
				out[i] = float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(raw[2*i:])) << 16))
			default:
				return nil, fmt.Errorf("a tensor of type %s has no floats", t.DType)
			}
		}
		return out, nil
	}
	switch t.DType {
	case Float:
		out := make([]float64, len(t.Floats))
		for i, x := range t.Floats {
			out[i] = float64(x)
		}
		return exact(out, n)
	case Double:
		return exact(t.Doubles, n)
	case Float16, BFloat16:
		out := make([]float64, len(t.Int32s))
		for i, x := range t.Int32s {
			if t.DType == Float16 {
				out[i] = FromHalf(uint16(x))
			} else {
				out[i] = float64(math.Float32frombits(uint32(uint16(x)) << 16))
			}
		}
		return exact(out, n)
	}
	return nil, fmt.Errorf("a tensor of type %s has no floats", t.DType)
}

// smallInts are the elements of an integer type of two or four bits.
func (t *Tensor) smallInts(n int64) ([]int64, error) {
	codes, err := t.codes(n)
	if err != nil {
		return nil, err
	}
	out := make([]int64, n)
	for i, c := range codes {
		out[i] = int64(c)
		switch t.DType {
		case Uint2, Uint4:
		case Int2:
			out[i] = int64(int8(c<<6) >> 6)
		case Int4:
			out[i] = int64(int8(c<<4) >> 4)
		default:
			return nil, fmt.Errorf("a tensor of type %s has no integers", t.DType)
		}
	}
	return out, nil
}

// codes are the bits of elements of eight bits or fewer, which stand one after the
// other from the lowest bit of the first byte on: of the raw data, or of int32_data
// with a byte in each number. Elements of types below 8 bits are packed without regard to bytes,
// as ONNX has it. An error says that the data have another length.
func (t *Tensor) codes(n int64) ([]uint8, error) {
	b := int64(t.DType.Bits())
	raw := t.Raw
	if t.HasRaw {
		if _, err := t.rawOf(n); err != nil {
			return nil, err
		}
	} else {
		want, err := ByteSize(t.DType, n)
		if err != nil {
			return nil, err
		}
		if int64(len(t.Int32s)) != want {
			return nil, fmt.Errorf("a tensor has %d bytes of data where its dimensions say %d", len(t.Int32s), want)
		}
		raw = make([]byte, want)
		for i, x := range t.Int32s {
			raw[i] = byte(x)
		}
	}
	out := make([]uint8, n)
	for i := range n {
		at := i * b
		two := uint16(raw[at/8])
		if at/8+1 < int64(len(raw)) {
			two |= uint16(raw[at/8+1]) << 8
		}
		out[i] = uint8(two >> (at % 8) & (1<<b - 1))
	}
	return out, nil
}

// exact checks the number of elements.
func exact[T any](list []T, n int64) ([]T, error) {
	if int64(len(list)) != n {
		return nil, fmt.Errorf("a tensor has %d elements where its dimensions say %d", len(list), n)
	}
	return list, nil
}

// rawOf checks the size of the raw data, before anything is made for it.
func (t *Tensor) rawOf(n int64) ([]byte, error) {
	want, err := ByteSize(t.DType, n)
	if err != nil {
		return nil, err
	}
	if int64(len(t.Raw)) != want {
		return nil, fmt.Errorf("a tensor has %d bytes of data where its dimensions say %d", len(t.Raw), want)
	}
	return t.Raw, nil
}

// FromHalf converts an IEEE 754 binary16 number. Subnormals are frac·2^-24; all results are exact
// in float64.
func FromHalf(h uint16) float64 {
	exp, frac := int(h>>10&31), float64(h&1023)
	v := 0.0
	switch exp {
	case 0:
		v = math.Ldexp(frac, -24)
	case 31:
		v = math.Inf(1)
		if frac != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1024+frac, exp-25)
	}
	if h&0x8000 != 0 {
		return math.Copysign(v, -1)
	}
	return v
}

// ToHalf rounds to the nearest IEEE 754 binary16 number, ties to even. Numbers from 65520 on
// round to infinity, as they are nearer to 65536 than to the largest half; below 2^-14 they are
// subnormal.
func ToHalf(f float64) uint16 {
	sign := uint16(math.Float64bits(f) >> 48 & 0x8000)
	f = math.Abs(f)
	switch {
	case math.IsNaN(f):
		return sign | 0x7e00
	case f >= 65520:
		return sign | 0x7c00
	case f < math.Ldexp(1, -14):
		return sign | uint16(math.RoundToEven(math.Ldexp(f, 24)))
	}
	_, e := math.Frexp(f) // f = m·2^e with m in [½, 1)
	return sign | uint16(int(math.RoundToEven(math.Ldexp(f, 11-e)))+(e+13)<<10)
}

// ToBFloat16 rounds a float32 to the nearest bfloat16 number, ties to even. It adds half of the
// last place that is cut off, less one where the kept part is even. A float64 is rounded to
// float32 first.
func ToBFloat16(f float64) uint16 {
	if math.IsNaN(f) {
		return 0x7fc0
	}
	u := math.Float32bits(float32(f))
	return uint16((u + 0x7fff + u>>16&1) >> 16)
}

// NewInts makes an i64 tensor; nil dims make it one-dimensional.
func NewInts(dims []int64, list ...int64) *Tensor {
	if dims == nil {
		dims = []int64{int64(len(list))}
	}
	raw := make([]byte, 0, 8*len(list))
	for _, x := range list {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	return &Tensor{DType: Int64, Dims: dims, Raw: raw, HasRaw: true}
}

// NewScalar makes a 0-dimensional tensor of any numeric type. It returns an error for a type other than bool, the
// integers of at least eight bits, and the floats of at least sixteen.
func NewScalar(d DType, f float64) (*Tensor, error) { return NewFull(d, []int64{}, f) }

// NewFull makes a tensor whose elements are all f. It returns an error for a negative dimension, and for a type that
// NewScalar refuses.
func NewFull(d DType, dims []int64, f float64) (*Tensor, error) {
	n, err := Count(dims)
	if err != nil {
		return nil, err
	}
	one, err := appendElem(nil, d, f)
	if err != nil {
		return nil, err
	}
	raw := make([]byte, 0, int64(len(one))*n)
	for range n {
		raw = append(raw, one...)
	}
	return &Tensor{DType: d, Dims: dims, Raw: raw, HasRaw: true}, nil
}

// NewFloats makes a tensor of a float type. It returns an error for a type of which NewScalar makes none.
func NewFloats(d DType, dims []int64, list []float64) (*Tensor, error) {
	var raw []byte
	var err error
	for _, f := range list {
		if raw, err = appendElem(raw, d, f); err != nil {
			return nil, err
		}
	}
	return &Tensor{DType: d, Dims: dims, Raw: raw, HasRaw: true}, nil
}

// appendElem appends an element as raw data has it. Integers are exact up to
// 2^53; larger ones are made with NewInts.
func appendElem(b []byte, d DType, f float64) ([]byte, error) {
	switch d {
	case Float:
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(f))), nil
	case Double:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(f)), nil
	case Float16:
		return binary.LittleEndian.AppendUint16(b, ToHalf(f)), nil
	case BFloat16:
		return binary.LittleEndian.AppendUint16(b, ToBFloat16(f)), nil
	case Int64, Uint64:
		if f >= math.MaxInt64 {
			return binary.LittleEndian.AppendUint64(b, uint64(f)), nil
		}
		return binary.LittleEndian.AppendUint64(b, uint64(int64(f))), nil
	case Int32, Uint32:
		return binary.LittleEndian.AppendUint32(b, uint32(int64(f))), nil
	case Int16, Uint16:
		return binary.LittleEndian.AppendUint16(b, uint16(int64(f))), nil
	case Int8, Uint8:
		return append(b, byte(int64(f))), nil
	case Bool:
		if f != 0 {
			return append(b, 1), nil
		}
		return append(b, 0), nil
	}
	return nil, fmt.Errorf("no constant of type %s can be made", d)
}
