package eval

// This file converts numbers between element types.

import (
	"math"
	"strconv"
	"strings"

	"shapecheck/onnx"
)

// Round rounds a number to a float type. Types of 8 bits and fewer saturate.
func Round(d onnx.DType, f float64) float64 {
	switch d {
	case onnx.Float:
		return float64(float32(f))
	case onnx.Float16:
		return onnx.FromHalf(onnx.ToHalf(f))
	case onnx.BFloat16:
		return roundBFloat16(f)
	}
	if d.IsMini() {
		return onnx.FromMini(d, onnx.ToMini(d, f, true))
	}
	return f
}

// roundBFloat16 rounds once, to the nearest and ties to even, from double precision:
// by way of a float32 a tie could appear that is none.
func roundBFloat16(f float64) float64 {
	g := float32(f)
	if float64(g) != f && !math.IsNaN(f) && math.Float32bits(g)&0xffff == 0x8000 { // the float32 is a tie, f is not
		away := math.Abs(f) > math.Abs(float64(g))
		u := math.Float32bits(g) &^ 0xffff
		if away {
			u += 1 << 16
		}
		return float64(math.Float32frombits(u))
	}
	return float64(math.Float32frombits(uint32(onnx.ToBFloat16(f)) << 16))
}

// wrap reduces an integer to the range of its type. It keeps the lower bits, with the sign of the
// type.
func wrap(d onnx.DType, i int64) int64 {
	switch d {
	case onnx.Int32:
		return int64(int32(i))
	case onnx.Int16:
		return int64(int16(i))
	case onnx.Int8:
		return int64(int8(i))
	case onnx.Uint32:
		return int64(uint32(i))
	case onnx.Uint16:
		return int64(uint16(i))
	case onnx.Uint8:
		return int64(uint8(i))
	case onnx.Int4:
		return int64(int8(i<<4) >> 4)
	case onnx.Uint4:
		return i & 15
	case onnx.Int2:
		return int64(int8(i<<6) >> 6)
	case onnx.Uint2:
		return i & 3
	case onnx.Bool:
		return boolOf(i != 0)
	}
	return i
}

// bounds are the least and the largest integer of a type, which has fewer than 64 bits
// or is i64.
func bounds(d onnx.DType) (low, high int64) {
	b := d.Bits()
	switch d {
	case onnx.Bool:
		return 0, 1
	case onnx.Int64, onnx.Int32, onnx.Int16, onnx.Int8, onnx.Int4, onnx.Int2:
		return -1 << (b - 1), 1<<(b-1) - 1
	}
	return 0, 1<<b - 1
}

// chunk is the number of elements between two steps that are counted.
const chunk = 1 << 14

// round rounds all elements to the type, once. A tensor that is not fresh is rounded already.
func (t *Tensor) round(tick func(n int)) {
	if !t.fresh {
		return
	}
	t.fresh = false
	switch t.DType {
	case onnx.Double, onnx.Int64, onnx.Uint64:
		return
	case onnx.Complex64:
		for i, z := range t.C {
			if i%chunk == 0 {
				tick(chunk)
			}
			t.C[i] = complex(float64(float32(real(z))), float64(float32(imag(z))))
		}
	}
	for i, f := range t.F {
		if i%chunk == 0 {
			tick(chunk)
		}
		t.F[i] = Round(t.DType, f)
	}
	for i, n := range t.I {
		if i%chunk == 0 {
			tick(chunk)
		}
		t.I[i] = wrap(t.DType, n)
	}
}

// toInt cuts off the fraction and keeps the lower bits; what has no place in 64 bits,
// and NaN, is the least i64 of which those are taken. The specification leaves numbers
// outside of the type's range open; this is what processors of today do for i64.
func toInt(d onnx.DType, f float64) int64 {
	switch {
	case d == onnx.Bool:
		return boolOf(f != 0)
	case d == onnx.Uint64 && f >= 1<<63 && f < 1<<64:
		return int64(uint64(f))
	case !(f >= -1<<63 && f < 1<<63):
		return wrap(d, math.MinInt64)
	}
	return wrap(d, int64(f))
}

// Cast converts the elements, as ONNX's Cast does.
func (t *Tensor) Cast(d onnx.DType) *Tensor {
	if d == t.DType {
		return t
	}
	return t.cast(d, func(int) {})
}

// cast is Cast, which counts its steps.
func (t *Tensor) cast(d onnx.DType, tick func(n int)) *Tensor {
	o := zeros(d, t.Dims, t.Len())
	o.fresh = true
	for i := range t.Len() {
		if i%chunk == 0 {
			tick(chunk)
		}
		switch {
		case o.F != nil:
			o.F[i] = t.At(i)
		case t.F != nil:
			o.I[i] = toInt(d, t.F[i])
		default:
			o.I[i] = t.I[i]
		}
	}
	o.round(tick)
	return o
}

// cast is Cast within a kernel.
func (c *call) cast(x *Tensor, d onnx.DType) *Tensor {
	if d == x.DType {
		return x
	}
	c.space(BytesOf(d, int64(x.Len())))
	return x.cast(d, c.tick)
}

// castTo is the conversion to d of Cast and CastLike. Types of 8 bits have the attribute
// saturate, and the powers of two a mode of rounding. It fails on complex numbers.
func (c *call) castTo(d onnx.DType) []Value {
	x := c.arg(0)
	if !d.Valid() || isComplex(d) || isComplex(x.DType) {
		c.failf("a conversion from %s to %s", x.DType, d)
	}
	switch {
	case d == x.DType:
		return []Value{x}
	case d == onnx.String:
		out := c.make(d, x.Dims)
		for i := range out.S {
			c.tick(1)
			out.S[i] = printed(x, i)
		}
		return []Value{out}
	case x.DType == onnx.String:
		return []Value{c.parsed(x, d)}
	}
	if !d.IsMini() {
		c.tick(x.Len())
		return []Value{c.cast(x, d)}
	}
	out, saturate, mode := c.make(d, x.Dims), c.int("saturate") != 0, c.text("round_mode")
	for i := range out.F {
		c.tick(1)
		if d == onnx.Float8E8M0 {
			out.F[i] = onnx.FromMini(d, onnx.ToPower(x.At(i), saturate, mode))
		} else {
			out.F[i] = onnx.FromMini(d, onnx.ToMini(d, x.At(i), saturate))
		}
	}
	out.fresh = false
	return []Value{out}
}

func castKernel(c *call) []Value { return c.castTo(onnx.DType(c.int("to"))) }

func castLike(c *call) []Value { return c.castTo(c.arg(1).DType) }

// printed is an element as numpy prints it. Floats have the fewest digits that read back to the
// same number.
func printed(x *Tensor, i int) string {
	switch {
	case x.DType == onnx.Bool:
		if x.I[i] != 0 {
			return "True"
		}
		return "False"
	case x.DType == onnx.Uint64:
		return strconv.FormatUint(uint64(x.I[i]), 10)
	case x.F == nil:
		return strconv.FormatInt(x.I[i], 10)
	}
	f, bits := x.F[i], 32
	if x.DType == onnx.Double {
		bits = 64
	}
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "INF"
	case math.IsInf(f, -1):
		return "-INF"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// parsed reads numbers. Integers are read as such, to keep all 64 bits; otherwise as floats and
// then cut. It fails on what is no number.
func (c *call) parsed(x *Tensor, d onnx.DType) *Tensor {
	out := c.make(d, x.Dims)
	for i, s := range x.S {
		c.tick(1)
		s = strings.TrimSpace(s)
		if out.I != nil {
			if n, err := strconv.ParseInt(s, 10, 64); err == nil {
				out.I[i] = n
				continue
			}
		}
		f, err := strconv.ParseFloat(s, 64)
		if err != nil && f == 0 {
			c.failf("%q is no number", x.S[i])
		}
		out.put(i, f)
	}
	return out
}

// bitCast keeps the bits. It fails on types of different widths.
func bitCast(c *call) []Value {
	x, d := c.arg(0), onnx.DType(c.int("to"))
	if !d.Valid() || d.Bits() != x.DType.Bits() || d.Bits() == 0 || isComplex(d) || isComplex(x.DType) {
		c.failf("the bits of %s as %s", x.DType, d)
	}
	out := c.make(d, x.Dims)
	for i := range x.Len() {
		u := bitsOf(x, i)
		switch {
		case d == onnx.Double:
			out.F[i] = math.Float64frombits(u)
		case d == onnx.Float:
			out.F[i] = float64(math.Float32frombits(uint32(u)))
		case d == onnx.Float16:
			out.F[i] = onnx.FromHalf(uint16(u))
		case d == onnx.BFloat16:
			out.F[i] = float64(math.Float32frombits(uint32(u) << 16))
		case d.IsMini():
			out.F[i] = onnx.FromMini(d, uint8(u))
		default:
			out.I[i] = int64(u)
		}
	}
	return []Value{out}
}

// bitsOf is the code of an element, with bits of the sign above it for integers.
func bitsOf(x *Tensor, i int) uint64 {
	switch {
	case x.DType == onnx.Double:
		return math.Float64bits(x.F[i])
	case x.DType == onnx.Float:
		return uint64(math.Float32bits(float32(x.F[i])))
	case x.DType == onnx.Float16:
		return uint64(onnx.ToHalf(x.F[i]))
	case x.DType == onnx.BFloat16:
		return uint64(onnx.ToBFloat16(x.F[i]))
	case x.DType.IsMini():
		return uint64(onnx.ToMini(x.DType, x.F[i], false))
	}
	return uint64(x.I[i])
}
