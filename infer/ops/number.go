package ops

// This file checks the values of number arguments: whether they fit into the dtype
// in which PyTorch computes with them, and ranges that functions refuse to leave.
// What converts is c10::Scalar::to, checked (c10/util/TypeCast.h, overflows), as
// measured for each function, dtype and a row of odd numbers in PyTorch 1.13.

import (
	"math"
	"strconv"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// A Conversion says of which dtype a number becomes.
type Conversion uint8

// The conversions of numbers.
const (
	ToResult   Conversion = iota // the dtype of the result
	ToComputed                   // the same, but float32 for the halves
	ToReal                       // a float64
	ToPower                      // the result's where that is an integer or a half
	ToLong                       // an int64, and then the result's where that is an integer
	ToWide                       // the result's, but for the halves, of which it becomes inf; since PyTorch 2
)

// A Side says that a number bounds the elements, and from where.
type Side uint8

// The sides.
const (
	NoSide Side = iota
	Lower
	Upper
)

// A Converted is a parameter whose number is converted.
type Converted struct {
	Param string     // the name of the parameter
	To    Conversion // of which dtype its number must be
	// used: only when there are elements to compute.
	Used bool
	// steps: only when there are steps between the ends of a range.
	Steps bool
	// Real: an int is made a float first.
	Real bool
	// Fills: where there is one element, a number that a floating-point dtype cannot hold becomes inf.
	Fills bool
	// Bounds: since PyTorch 2 a bound of integers may lie beyond the dtype on its own side, where it bounds nothing.
	Bounds Side
}

// A Span is a range of numbers that a parameter must lie in; nan lies in none.
type Span struct {
	Param    string // the name of the parameter
	Lo, Hi   float64
	Open     bool // lo is not part of it
	OpenHigh bool // nor hi
}

// checkScalars looks at the number arguments once the rule has made its results.
func (c *Call) checkScalars() {
	for _, s := range c.Op.Ranges {
		if !c.HasParam(s.Param) {
			continue
		}
		f, known := c.Float(s.Param)
		if known && !(f > s.Lo && f < s.Hi || f == s.Lo && !s.Open || f == s.Hi && !s.OpenHigh) {
			c.Errorf("RuntimeError", diag.BadValue, "%s(): %s=%g is out of range: it must lie between %g and %g", c.Short(), s.Param, f, s.Lo, s.Hi)
			return
		}
	}
	list := c.Op.Numbers
	if len(list) == 0 || len(c.Outs) == 0 {
		return
	}
	out := c.Outs[0]
	for _, p := range list {
		if !c.HasParam(p.Param) || p.Used && (c.Empty(out) || c.noIndices()) || p.Steps && c.fewSteps() {
			continue
		}
		d := out.Type().DType
		switch p.To {
		case ToComputed:
			if d == dtype.F16 || d == dtype.BF16 {
				d = dtype.F32
			}
		case ToReal:
			d = dtype.F64
		case ToPower:
			if !d.IsIntegral() && d != dtype.F16 && d != dtype.BF16 {
				continue
			}
		}
		v := value.Plain(c.Value(p.Param))
		if n, ok := v.(value.Int); ok && p.Real {
			v = value.Float(n)
		}
		if f, ok := v.(value.Float); ok && p.To == ToLong && d.IsIntegral() && FitsDType(v, dtype.I64) {
			v = value.Int(int64(f))
		}
		switch {
		case p.Fills && c.holdsInf(out, d):
			continue
		case p.To == ToWide && !c.Torch1() && (d == dtype.F16 || d == dtype.BF16):
			continue
		}
		if n, ok := v.(value.Int); ok && p.Bounds != NoSide && d.IsIntegral() && !c.Torch1() {
			if boundFits(int64(n), d, p.Bounds) {
				continue
			}
			c.Errorf("RuntimeError", diag.BadValue, "%s(): no %s reaches %s=%d", c.Short(), d, p.Param, int64(n))
			return
		}
		if !FitsDType(v, d) {
			c.Errorf("RuntimeError", diag.BadValue, "%s(): %s does not fit into %s: %s", c.Short(), p.Param, d, NumberText(v))
			return
		}
	}
}

// NumberText is a number as messages have it.
func NumberText(v value.Value) string {
	if f, ok := v.(value.Float); ok {
		return strconv.FormatFloat(float64(f), 'g', -1, 64)
	}
	return v.String()
}

// holdsInf reports whether a number that is written to a tensor of a dtype becomes inf where it is too large: PyTorch writes one element
// without looking, since version 2 (at::native::fill_out, fill_fast).
func (c *Call) holdsInf(t *value.Tensor, d dtype.DType) bool {
	n, known := c.NumelOf(t).Const()
	return known && n == 1 && d.IsFloat() && !c.Torch1()
}

// boundFits reports whether a bound leaves a number of an integer dtype (at::native::clamp_scalar_out).
func boundFits(n int64, d dtype.DType, side Side) bool {
	if d == dtype.I64 || d == dtype.U64 {
		return d == dtype.I64 || side == Lower || n >= 0
	}
	bits := 8 * d.Size()
	lo, hi := int64(0), int64(1)<<bits-1
	if d.IsSigned() {
		lo, hi = -1<<(bits-1), int64(1)<<(bits-1)-1
	}
	return side == Lower && n <= hi || side == Upper && n >= lo
}

// FitsDType reports whether a number, where it is known, can be converted.
func FitsDType(v value.Value, d dtype.DType) bool {
	if d == dtype.Unknown || d == dtype.Bool {
		return true
	}
	switch v := v.(type) {
	case value.Complex:
		re, im := real(complex128(v)), imag(complex128(v))
		if d.IsComplex() {
			return FitsFloat(re, d.Real()) && FitsFloat(im, d.Real())
		}
		return im == 0 && fitsNumber(re, d)
	case value.Int:
		return fitsInt(int64(v), d)
	case value.Float:
		if d.IsComplex() {
			d = d.Real()
		}
		return fitsNumber(float64(v), d)
	}
	return true
}

// fitsInt: a negative number may wrap around in an unsigned dtype.
func fitsInt(n int64, d dtype.DType) bool {
	switch d {
	case dtype.U8:
		return n >= -255 && n <= 255
	case dtype.I64, dtype.U64:
		return true
	case dtype.U16, dtype.U32:
		whole := int64(1) << (8 * d.Size())
		return n > -whole && n < whole
	case dtype.I8, dtype.I16, dtype.I32:
		half := int64(1) << (8*d.Size() - 1)
		return n >= -half && n < half
	}
	if d.IsComplex() {
		d = d.Real()
	}
	return FitsFloat(float64(n), d)
}

func fitsNumber(f float64, d dtype.DType) bool {
	switch d {
	case dtype.U8:
		return f >= 0 && f <= 255
	case dtype.U16, dtype.U32, dtype.U64:
		return f >= 0 && f < math.Ldexp(1, 8*d.Size())
	case dtype.I8, dtype.I16, dtype.I32, dtype.I64:
		half := math.Ldexp(1, int(8*d.Size()-1))
		return f >= -half && f < half
	}
	return FitsFloat(f, d)
}

// FitsFloat reports whether a number can be converted to a floating-point dtype: inf and
// nan can, an integer beyond its range cannot.
func FitsFloat(f float64, d dtype.DType) bool {
	greatest := math.MaxFloat64
	switch d {
	case dtype.F16:
		greatest = 65504
	case dtype.BF16:
		greatest = math.Ldexp(255, 120)
	case dtype.F32:
		greatest = math.MaxFloat32
	}
	return math.IsInf(f, 0) || f != f || math.Abs(f) <= greatest
}

// noIndices reports whether an index without elements chooses where a number goes.
func (c *Call) noIndices() bool {
	if !c.HasParam("index") {
		return false
	}
	t, ok := c.Value("index").(*value.Tensor)
	return ok && c.Empty(t)
}

// fewSteps reports whether there are no steps between the ends of a range.
func (c *Call) fewSteps() bool {
	d, ok := value.AsDim(c.P, c.Value("steps"))
	if !ok {
		return false
	}
	n, ok := DimVal(d)
	return ok && n <= 1
}
