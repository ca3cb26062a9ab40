package eval

// This file holds tensors: their elements as wide numbers, read and written.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"shapecheck/onnx"
)

// A Tensor is a value in row-major order: floats of all types in F, integers and
// bools in I (u64 as the same bits), strings in S, complex numbers in C.
type Tensor struct {
	DType onnx.DType
	Dims  []int64
	F     []float64
	I     []int64
	S     []string
	C     []complex128
	// fresh: a kernel made the elements, which are not yet rounded to the type.
	fresh bool
}

// MaxElems bounds the elements of one value where Limits say nothing else.
const MaxElems = 1 << 28

// isFloat reports whether the elements are in F.
func isFloat(d onnx.DType) bool {
	switch d {
	case onnx.Float, onnx.Double, onnx.Float16, onnx.BFloat16:
		return true
	}
	return d.IsMini()
}

// isComplex reports whether the elements are in C.
func isComplex(d onnx.DType) bool { return d == onnx.Complex64 || d == onnx.Complex128 }

// New makes a tensor of zeros. It returns an error if a dimension is negative, if there are more than MaxElems
// elements, if the type is no element type, or if the process may not have the memory.
func New(d onnx.DType, dims []int64) (*Tensor, error) {
	n, err := onnx.Count(dims)
	if err != nil {
		return nil, err
	}
	if n > MaxElems {
		return nil, fmt.Errorf("a value has %d elements, more than the %d that are computed here", n, MaxElems)
	}
	if !d.Valid() {
		return nil, fmt.Errorf("no elements of type %s can be made", d)
	}
	if err := asked(BytesOf(d, n)); err != nil {
		return nil, err
	}
	return zeros(d, dims, int(n)), nil
}

// BytesOf is what a tensor of n elements takes.
func BytesOf(d onnx.DType, n int64) int64 {
	const own = 256 // for itself
	if isComplex(d) || d == onnx.String {
		return 16*n + own
	}
	return 8*n + own
}

// zeros makes n elements of a valid type.
func zeros(d onnx.DType, dims []int64, n int) *Tensor {
	t := &Tensor{DType: d, Dims: dims}
	switch {
	case isFloat(d):
		t.F = make([]float64, n)
	case d == onnx.String:
		t.S = make([]string, n)
	case isComplex(d):
		t.C = make([]complex128, n)
	default:
		t.I = make([]int64, n)
	}
	return t
}

// FromONNX reads a constant. It returns an error if the elements are in another file, if there are not as many as the
// dimensions say, or if the process may not have the memory.
func FromONNX(x *onnx.Tensor) (*Tensor, error) {
	t := &Tensor{DType: x.DType, Dims: x.Dims}
	if t.Dims == nil {
		t.Dims = []int64{}
	}
	err := asked(BytesOf(x.DType, x.Given()))
	switch {
	case err != nil:
	case isFloat(x.DType):
		t.F, err = x.Float64s()
	case x.DType == onnx.String:
		t.S, err = texts(x)
	case isComplex(x.DType):
		t.C, err = complexes(x)
	default:
		t.I, err = x.Ints()
	}
	if err != nil {
		return nil, err
	}
	return t.withList(), nil
}

// withList gives a tensor without elements the list of its type, by which kernels tell types.
func (t *Tensor) withList() *Tensor {
	if t.F != nil || t.I != nil || t.S != nil || t.C != nil || !t.DType.Valid() {
		return t
	}
	o := zeros(t.DType, t.Dims, 0)
	if o.Dims == nil {
		o.Dims = []int64{}
	}
	return o
}

// check reports whether a value that a caller made is one: elements of its type, as many
// as its sizes say.
func check(v Value) error {
	switch v := v.(type) {
	case *Tensor:
		n, err := onnx.Count(v.Dims)
		if err != nil {
			return err
		}
		if !v.DType.Valid() || int64(v.Len()) != n || len(v.F)+len(v.I)+len(v.S)+len(v.C) != v.Len() {
			return fmt.Errorf("a tensor %s%v of %d elements", v.DType, v.Dims, v.Len())
		}
	case *Sequence:
		for _, x := range v.Items {
			if err := check(x); err != nil {
				return err
			}
		}
	case *Optional:
		return check(v.Of)
	}
	return nil
}

// texts are the strings of a tensor; it returns an error if they are not as many as the
// dimensions say.
func texts(x *onnx.Tensor) ([]string, error) {
	n, err := x.Count()
	if err != nil {
		return nil, err
	}
	if int64(len(x.Strings)) != n {
		return nil, fmt.Errorf("a tensor has %d strings where its dimensions say %d", len(x.Strings), n)
	}
	out := make([]string, n)
	for i, b := range x.Strings {
		out[i] = string(b)
	}
	return out, nil
}

// complexes reads pairs of real and imaginary parts.
func complexes(x *onnx.Tensor) ([]complex128, error) {
	n, err := x.Count()
	if err != nil {
		return nil, err
	}
	if n > MaxElems {
		return nil, errors.New("too many complex numbers")
	}
	half := *x
	half.Dims = []int64{2 * n}
	half.DType = onnx.Float
	if x.DType == onnx.Complex128 {
		half.DType = onnx.Double
	}
	list, err := half.Float64s()
	if err != nil {
		return nil, err
	}
	out := make([]complex128, n)
	for i := range out {
		out[i] = complex(list[2*i], list[2*i+1])
	}
	return out, nil
}

// Ints makes an i64 tensor; nil dims make it one-dimensional.
func Ints(dims []int64, list ...int64) *Tensor {
	if dims == nil {
		dims = []int64{int64(len(list))}
	}
	return (&Tensor{DType: onnx.Int64, Dims: dims, I: list}).withList()
}

// Len is the number of elements.
func (t *Tensor) Len() int {
	switch {
	case isFloat(t.DType):
		return len(t.F)
	case t.DType == onnx.String:
		return len(t.S)
	case isComplex(t.DType):
		return len(t.C)
	}
	return len(t.I)
}

// set copies the element j of a tensor of the same type.
func (t *Tensor) set(i int, from *Tensor, j int) {
	switch {
	case t.F != nil:
		t.F[i] = from.F[j]
	case t.I != nil:
		t.I[i] = from.I[j]
	case t.S != nil:
		t.S[i] = from.S[j]
	default:
		t.C[i] = from.C[j]
	}
}

// copyOf makes a tensor with elements of its own.
func (t *Tensor) copyOf() *Tensor {
	ask(BytesOf(t.DType, int64(t.Len())))
	o := zeros(t.DType, t.Dims, t.Len())
	o.copyFrom(t)
	o.fresh = t.fresh
	return o
}

func (t *Tensor) copyFrom(x *Tensor) {
	copy(t.F, x.F)
	copy(t.I, x.I)
	copy(t.S, x.S)
	copy(t.C, x.C)
}

// with gives a tensor other sizes.
func (t *Tensor) with(dims []int64) *Tensor {
	o := *t
	if dims == nil {
		dims = []int64{}
	}
	o.Dims = dims
	return &o
}

// At is an element as a float.
func (t *Tensor) At(i int) float64 {
	switch {
	case t.F != nil:
		return t.F[i]
	case t.DType == onnx.Uint64:
		return float64(uint64(t.I[i]))
	}
	return float64(t.I[i])
}

// put sets an element to a number, which is rounded or cut off as Cast does it.
func (t *Tensor) put(i int, f float64) {
	if t.F != nil {
		t.F[i] = f
	} else {
		t.I[i] = toInt(t.DType, f)
	}
}

// AppendRaw appends elements from to to in the form of raw data. It returns an error for a type other than bool, the
// integers of at least eight bits, and the floats of at least sixteen.
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

// count is the number of elements of a shape that is known to be small enough.
func count(dims []int64) int {
	n := 1
	for _, d := range dims {
		n *= int(d)
	}
	return n
}
