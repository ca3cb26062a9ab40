// Package eval runs ONNX nodes on small tensors. It is a reference, not a runtime:
// each kernel follows the operator's definition, element by element, in double
// precision with a rounding to the element type after each node. Package
// lower/initial computes buffers with it that a model's constructor computes.
//
//	tensor.go       values       eval.go     Run: nodes in order
//	elementwise.go  broadcasting arithmetic  unary.go   functions of one tensor
//	view.go         sizes and places         index.go   gather and scatter
//	reduce.go       sums, products of matrices          random.go  random numbers
//	table.go        the list of kernels
package eval

import (
	"encoding/binary"
	"fmt"
	"math"

	"shapecheck/internal/onnx"
)

// A Tensor is a value: of floats in F, of integers and bools in I, in row-major order.
type Tensor struct {
	DType onnx.DType
	Dims  []int64
	F     []float64
	I     []int64
}

// MaxElems bounds the elements of one value.
const MaxElems = 1 << 28

// isFloat reports whether the elements are in F.
func isFloat(d onnx.DType) bool {
	switch d {
	case onnx.Float, onnx.Double, onnx.Float16, onnx.BFloat16:
		return true
	}
	return false
}

// New makes a tensor of zeros.
func New(d onnx.DType, dims []int64) (*Tensor, error) {
	n, err := onnx.Count(dims)
	if err != nil {
		return nil, err
	}
	if n > MaxElems {
		return nil, fmt.Errorf("a value has %d elements, more than the %d that are computed here", n, MaxElems)
	}
	t := &Tensor{DType: d, Dims: dims}
	if isFloat(d) {
		t.F = make([]float64, n)
	} else {
		t.I = make([]int64, n)
	}
	return t, nil
}

// FromONNX reads a constant.
func FromONNX(x *onnx.Tensor) (*Tensor, error) {
	t := &Tensor{DType: x.DType, Dims: x.Dims}
	var err error
	if isFloat(x.DType) {
		t.F, err = x.Float64s()
	} else {
		t.I, err = x.Ints()
	}
	return t, err
}

// Ints makes an i64 tensor; nil dims make it one-dimensional.
func Ints(dims []int64, list ...int64) *Tensor {
	if dims == nil {
		dims = []int64{int64(len(list))}
	}
	return &Tensor{DType: onnx.Int64, Dims: dims, I: list}
}

// Len is the number of elements.
func (t *Tensor) Len() int {
	if isFloat(t.DType) {
		return len(t.F)
	}
	return len(t.I)
}

// like makes a tensor of zeros with other elements.
func (t *Tensor) like(d onnx.DType) *Tensor {
	o := &Tensor{DType: d, Dims: t.Dims}
	if isFloat(d) {
		o.F = make([]float64, t.Len())
	} else {
		o.I = make([]int64, t.Len())
	}
	return o
}

// get and set move one element.
func (t *Tensor) set(i int, from *Tensor, j int) {
	if t.F != nil {
		t.F[i] = from.F[j]
	} else {
		t.I[i] = from.I[j]
	}
}

// At is an element as a float.
func (t *Tensor) At(i int) float64 {
	if isFloat(t.DType) {
		return t.F[i]
	}
	return float64(t.I[i])
}

// Round rounds a number to a float type.
func Round(d onnx.DType, f float64) float64 {
	switch d {
	case onnx.Float:
		return float64(float32(f))
	case onnx.Float16:
		return onnx.FromHalf(onnx.ToHalf(f))
	case onnx.BFloat16:
		return float64(math.Float32frombits(uint32(onnx.ToBFloat16(f)) << 16))
	}
	return f
}

// wrap reduces an integer to the range of its type.
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
	case onnx.Bool:
		if i != 0 {
			return 1
		}
	}
	return i
}

// normalize rounds all elements to the type.
func (t *Tensor) normalize() {
	switch t.DType {
	case onnx.Double, onnx.Int64, onnx.Uint64:
		return
	}
	for i, f := range t.F {
		t.F[i] = Round(t.DType, f)
	}
	for i, n := range t.I {
		t.I[i] = wrap(t.DType, n)
	}
}

// Cast converts the elements, as ONNX's Cast does: floats are rounded to zero.
func (t *Tensor) Cast(d onnx.DType) *Tensor {
	if d == t.DType {
		return t
	}
	o := t.like(d)
	for i := range t.Len() {
		switch {
		case o.F != nil:
			o.F[i] = t.At(i)
		case t.F != nil && d == onnx.Bool:
			if t.F[i] != 0 {
				o.I[i] = 1
			}
		case t.F != nil:
			o.I[i] = int64(t.F[i])
		default:
			o.I[i] = t.I[i]
		}
	}
	o.normalize()
	return o
}

// AppendRaw appends elements from to to in the form of raw data.
func (t *Tensor) AppendRaw(b []byte, from, to int) ([]byte, error) {
	for i := from; i < to; i++ {
		switch t.DType {
		case onnx.Float:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(t.F[i])))
		case onnx.Double:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(t.F[i]))
		case onnx.Float16:
			b = binary.LittleEndian.AppendUint16(b, onnx.ToHalf(t.F[i]))
		case onnx.BFloat16:
			b = binary.LittleEndian.AppendUint16(b, onnx.ToBFloat16(t.F[i]))
		case onnx.Int64, onnx.Uint64:
			b = binary.LittleEndian.AppendUint64(b, uint64(t.I[i]))
		case onnx.Int32, onnx.Uint32:
			b = binary.LittleEndian.AppendUint32(b, uint32(t.I[i]))
		case onnx.Int16, onnx.Uint16:
			b = binary.LittleEndian.AppendUint16(b, uint16(t.I[i]))
		case onnx.Int8, onnx.Uint8, onnx.Bool:
			b = append(b, byte(t.I[i]))
		default:
			return nil, fmt.Errorf("no elements of type %s can be written", t.DType)
		}
	}
	return b, nil
}

// strides are the distances between elements in row-major order.
func strides(dims []int64) []int {
	s := make([]int, len(dims))
	n := 1
	for i := len(dims) - 1; i >= 0; i-- {
		s[i] = n
		n *= int(dims[i])
	}
	return s
}
