// Package tensor holds the values that enter and leave a program: dense tensors of all of
// ONNX's element types, sequences and optionals, and reads and writes them as npy, npz and
// ONNX's TensorProto files.
//
// It is not the tensor of onnx/eval, which keeps float64 or int64 whatever the type: the reference would be hard to
// believe if each of its kernels handled 25 element types, and a program would need several times the memory.
// Conversions are exact in both directions.
//
//	tensor.go    Tensor               elem.go   elements as numbers, for every type
//	smallfloat.go  floats of 8 and 4 bits
//	value.go     Value, Optional      sequence.go  Sequence
//	file.go      files of all formats npy.go    writing npy and npz
//	proto.go     ONNX's messages      spec.go   type strings: f32[1,3,224,224]
package tensor

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"shapecheck/onnx"
	"shapecheck/runtime/memory"
)

// A DType is an element type; the numbers are those of ONNX's TensorProto.
type DType = onnx.DType

// The element types.
const (
	Float32        = onnx.Float
	Float64        = onnx.Double
	Float16        = onnx.Float16
	BFloat16       = onnx.BFloat16
	Int8           = onnx.Int8
	Int16          = onnx.Int16
	Int32          = onnx.Int32
	Int64          = onnx.Int64
	Uint8          = onnx.Uint8
	Uint16         = onnx.Uint16
	Uint32         = onnx.Uint32
	Uint64         = onnx.Uint64
	Bool           = onnx.Bool
	Complex64      = onnx.Complex64
	Complex128     = onnx.Complex128
	Float8E4M3FN   = onnx.Float8E4M3FN
	Float8E4M3FNUZ = onnx.Float8E4M3FNUZ
	Float8E5M2     = onnx.Float8E5M2
	Float8E5M2FNUZ = onnx.Float8E5M2FNUZ
	Float8E8M0     = onnx.Float8E8M0
	Float4E2M1     = onnx.Float4E2M1
	Uint4          = onnx.Uint4
	Int4           = onnx.Int4
	Uint2          = onnx.Uint2
	Int2           = onnx.Int2
)

// MaxRank bounds the number of dimensions, as in numpy.
const MaxRank = 64

// Align is the alignment of the memory of tensors that this package makes, in bytes: that
// of a cache line and of the widest vector.
const Align = 64

// A Tensor is a dense row-major tensor. Types of less than 8 bits are packed, the first
// element in the lowest bits of the first byte, as ONNX stores them. Other layouts exist
// only inside of programs and never in a Tensor.
//
// The dimensions never change. The elements may be written through Data and Bytes until
// the tensor is given to a run or put into a sequence; from then on it is shared and must
// not be written.
type Tensor struct {
	dtype DType
	dims  []int64
	data  []byte
}

// sizeOf checks the type and the dimensions and gives the number of bytes.
func sizeOf(d DType, dims []int64) (int64, error) {
	switch d.Bits() {
	case 2, 4, 8, 16, 32, 64, 128:
	default:
		return 0, fmt.Errorf("tensors of type %s are not supported", d)
	}
	if len(dims) > MaxRank {
		return 0, fmt.Errorf("%d dimensions are more than %d", len(dims), MaxRank)
	}
	n, err := onnx.Count(dims)
	if err != nil {
		return 0, err
	}
	size, err := onnx.ByteSize(d, n)
	if err == nil && size > math.MaxInt-Align {
		err = fmt.Errorf("a tensor of dimensions %v is larger than this machine's memory", dims)
	}
	return size, err
}

// own is about what a tensor takes beside its elements, in bytes.
const own = 128

// New makes a tensor of zeros. The dimensions are copied. The error is a *memory.FullError when the process may not have the memory.
func New(d DType, dims ...int64) (*Tensor, error) {
	size, err := sizeOf(d, dims)
	if err != nil {
		return nil, err
	}
	if err := memory.Ask(size + own); err != nil {
		return nil, err
	}
	return &Tensor{d, slices.Clone(dims), aligned(size)}, nil
}

// aligned makes memory at an address that is a multiple of Align.
func aligned(size int64) []byte {
	b := make([]byte, size+Align-1)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (Align - 1))
	return b[skip : skip+int(size) : skip+int(size)]
}

// Wrap makes a tensor that uses data, in the machine's byte order, without copying it
// unless its address does not suit the element type. It returns an error if the type is not supported, if there are
// more than MaxRank dimensions or a negative one, if data has another length than they say, or if there is no memory
// for a copy.
func Wrap(d DType, dims []int64, data []byte) (*Tensor, error) {
	size, err := sizeOf(d, dims)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != size {
		return nil, fmt.Errorf("%s%v has %d bytes, not %d", d, dims, size, len(data))
	}
	if unit := uintptr(wordBytes(d)); uintptr(unsafe.Pointer(unsafe.SliceData(data)))%unit != 0 {
		if err := memory.Ask(size); err != nil {
			return nil, err
		}
		data = append(aligned(size)[:0], data...)
	}
	return &Tensor{d, slices.Clone(dims), data}, nil
}

// wordBytes is the number of bytes of one number of an element: half of a complex one.
func wordBytes(d DType) int {
	switch d {
	case Complex64, Complex128:
		return d.Bits() / 16
	}
	return max(d.Bits()/8, 1)
}

// Elem lists the Go types whose slices are the elements of a tensor. f16 and bf16 have
// uint16, 8-bit floats uint8.
type Elem interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | bool | complex64 | complex128
}

// dtypeOf is the element type that Of gives a slice.
func dtypeOf[T Elem]() DType {
	switch any(*new(T)).(type) {
	case float32:
		return Float32
	case float64:
		return Float64
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case uint8:
		return Uint8
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case bool:
		return Bool
	case complex64:
		return Complex64
	}
	return Complex128
}

// Of makes a tensor that uses the slice as its elements; without dims it has one
// dimension. It panics when the number of elements is not the product of dims: both are
// written at the call.
func Of[T Elem](elems []T, dims ...int64) *Tensor {
	if dims == nil {
		dims = []int64{int64(len(elems))}
	}
	t, err := Wrap(dtypeOf[T](), dims, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(elems))), len(elems)*int(unsafe.Sizeof(*new(T)))))
	if err != nil {
		panic("tensor.Of: " + err.Error())
	}
	return t
}

// Scalar makes a tensor without dimensions.
func Scalar[T Elem](x T) *Tensor { return Of([]T{x}, []int64{}...) }

// Become makes t the tensor over data, whose length must suit, without allocating: dims are copied into the
// memory that t's had. Only for who owns t alone: values do not change for anybody else.
func (t *Tensor) Become(d DType, dims []int64, data []byte) {
	t.dtype, t.dims, t.data = d, append(t.dims[:0], dims...), data
}

// reshaped gives the same elements other dimensions.
func (t *Tensor) reshaped(dims []int64) *Tensor { return &Tensor{t.dtype, dims, t.data} }

// Data gives the elements as a slice over the tensor's memory. T must be the Go type of
// the element type (see Elem); for another one the result is nil and false.
func Data[T Elem](t *Tensor) ([]T, bool) {
	want := dtypeOf[T]()
	ok := want == t.dtype
	switch t.dtype {
	case Float16, BFloat16:
		ok = want == Uint16
	case Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ, Float8E8M0:
		ok = want == Uint8
	}
	if !ok {
		return nil, false
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(t.data))), len(t.data)/int(unsafe.Sizeof(*new(T)))), true
}

// DType is the element type.
func (t *Tensor) DType() DType { return t.dtype }

// Dims are the dimensions, not to be changed.
func (t *Tensor) Dims() []int64 { return t.dims }

// Len is the number of elements.
func (t *Tensor) Len() int {
	n := 1
	for _, d := range t.dims {
		n *= int(d)
	}
	return n
}

// Bytes are the elements in memory, in the machine's byte order.
func (t *Tensor) Bytes() []byte { return t.data }

// Clone copies the elements.
func (t *Tensor) Clone() *Tensor {
	return &Tensor{t.dtype, slices.Clone(t.dims), append(aligned(int64(len(t.data)))[:0], t.data...)}
}

// Reshape gives the same elements other dimensions with the same product. Both tensors
// share their memory. It returns an error if the product differs, or if there are more than MaxRank dimensions or a
// negative one.
func (t *Tensor) Reshape(dims ...int64) (*Tensor, error) {
	size, err := sizeOf(t.dtype, dims)
	if err != nil {
		return nil, err
	}
	if n, _ := onnx.Count(dims); n != int64(t.Len()) || size != int64(len(t.data)) {
		return nil, fmt.Errorf("%s cannot have the dimensions %v", t.Type(), dims)
	}
	return t.reshaped(slices.Clone(dims)), nil
}

// Type is the type string: f32[2,3].
func (t *Tensor) Type() string { return TypeText(t.dtype, t.dims) }

// TypeText is the type string of a tensor with these elements and sizes.
func TypeText(d DType, dims []int64) string {
	var b strings.Builder
	b.WriteString(d.String())
	b.WriteByte('[')
	for i, d := range dims {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(d, 10))
	}
	b.WriteByte(']')
	return b.String()
}

// sliceOf reads memory as elements.
func sliceOf[T Elem](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(*new(T))))
}
