package check

// This file checks the elements of tensors.
//
// The rules are those of onnx.checker, with the same leniency, so that the two agree on real
// files. Elements themselves are looked at only where a type has fewer bits than its field.

import (
	"fmt"
	"math"

	"shapecheck/onnx"
)

// A store is a field of a tensor that holds elements. have is the number of entries, or of bytes
// for raw data.
type store struct {
	name string
	have int
}

// tensor checks that a tensor has its elements in one of the fields that its type allows, as many as its sizes
// say, or in a file. A tensor without elements, because a size is 0, must have none in any field.
// Only the first fault of a tensor is reported.
func (c *checker) tensor(t *onnx.Tensor) {
	if t.DType == onnx.Undefined {
		c.errorf(t.Name, "the tensor has no element type")
		return
	}
	stores := []store{
		{"float_data", len(t.Floats)}, {"int32_data", len(t.Int32s)}, {"string_data", len(t.Strings)}, {"int64_data", len(t.Int64s)},
		{"raw_data", len(t.Raw)}, {"double_data", len(t.Doubles)}, {"uint64_data", len(t.Uint64s)},
	}
	used := stores[:0:0]
	for _, s := range stores {
		if s.have > 0 {
			used = append(used, s)
		}
	}
	if t.IsExternal {
		c.external(t, used)
		return
	}
	if t.Source != nil && len(used) == 0 {
		return // a model that is being written: the elements come later
	}
	n, err := onnx.Count(t.Dims)
	switch {
	case err != nil:
		c.errorf(t.Name, "%v", err)
		return
	case n == 0 && len(used) > 0:
		c.errorf(t.Name, "a tensor of dimensions %v has no elements, and there are some in %s", t.Dims, used[0].name)
		return
	case n == 0:
		return
	case len(used) == 0:
		c.errorf(t.Name, "the tensor has no elements; its dimensions are %v", t.Dims)
		return
	case len(used) > 1:
		c.errorf(t.Name, "the tensor has elements in %s and in %s", used[0].name, used[1].name)
		return
	}
	if err := enough(t, used[0], n); err != nil {
		c.errorf(t.Name, "%v", err)
	}
}

// enough checks that a tensor's elements are where its element type wants them, and that
// none is missing. More than there are elements of is no fault to ONNX's checker. It returns what
// is wrong, or nil. s is the one field that has entries.
func enough(t *onnx.Tensor, s store, n int64) error {
	if s.name == "raw_data" {
		if t.DType == onnx.String {
			return fmt.Errorf("strings cannot be in raw_data")
		}
		if t.DType.Bits() == 0 {
			return nil
		}
		size, err := onnx.ByteSize(t.DType, n)
		if err != nil {
			return err
		}
		if int64(len(t.Raw)) < size {
			return fmt.Errorf("there are %d bytes of elements; %d elements of type %s need %d", len(t.Raw), n, t.DType, size)
		}
		if rest := n * 6 % 8; t.DType.Bits() == 6 && rest != 0 && t.Raw[size-1]>>rest != 0 {
			return fmt.Errorf("the bits behind the last element are not zero")
		}
		return nil
	}
	field, need := home(t.DType, n)
	switch {
	case field == "":
		return fmt.Errorf("there is no element type %s", t.DType)
	case field != s.name:
		return fmt.Errorf("elements of type %s belong into %s, not %s", t.DType, field, s.name)
	case int64(s.have) < need:
		return fmt.Errorf("there are %d entries in %s; %d elements of type %s need %d", s.have, field, n, t.DType, need)
	}
	if t.DType == onnx.Float6E2M3 || t.DType == onnx.Float6E3M2 {
		for _, x := range t.Int32s {
			if x < 0 || x > 0x3f {
				return fmt.Errorf("an element of type %s is %d, which has more than 6 bits", t.DType, x)
			}
		}
	}
	return nil
}

// home gives the field that elements of a type are in, and how many entries of it n of
// them take: the comments of TensorProto in onnx.proto. Types of 16 bits and less use int32_data,
// one element in an entry, but for 4 and 2 bits, which are packed.
func home(d onnx.DType, n int64) (field string, entries int64) {
	if n > math.MaxInt64/2 {
		n = math.MaxInt64 / 2 // more than there can be
	}
	switch d {
	case onnx.Float:
		return "float_data", n
	case onnx.Complex64:
		return "float_data", 2 * n
	case onnx.Double:
		return "double_data", n
	case onnx.Complex128:
		return "double_data", 2 * n
	case onnx.Int64:
		return "int64_data", n
	case onnx.Uint32, onnx.Uint64:
		return "uint64_data", n
	case onnx.String:
		return "string_data", n
	case onnx.Int4, onnx.Uint4, onnx.Float4E2M1:
		return "int32_data", (n + 7) / 8
	case onnx.Int2, onnx.Uint2:
		return "int32_data", (n + 15) / 16
	}
	if d.Valid() {
		return "int32_data", n
	}
	return "", 0
}

// external checks what a tensor says of the file that its elements are in. Whether the
// file may be read is found out where it is (internal/localfile). The rest of the entries
// (offset, length, checksum) may be missing.
func (c *checker) external(t *onnx.Tensor, used []store) {
	if len(used) > 0 {
		c.errorf(t.Name, "the elements are in an external file, and in %s", used[0].name)
	}
	if _, ok := onnx.Meta(t.External, "location"); !ok {
		c.errorf(t.Name, "the elements are in an external file that is not named")
	}
}

// sparse checks a tensor that is given by values and places: values of one dimension, positive
// sizes, and indices if there are values.
func (c *checker) sparse(s *onnx.SparseTensor) {
	if s.Values == nil {
		c.errorf("", "a sparse tensor has no values")
		return
	}
	name := s.Values.Name
	c.tensor(s.Values)
	if len(s.Values.Dims) != 1 {
		c.errorf(name, "the values of a sparse tensor have one dimension; these have %d", len(s.Values.Dims))
		return
	}
	if len(s.Dims) == 0 {
		c.errorf(name, "a sparse tensor has at least one dimension")
		return
	}
	for _, d := range s.Dims {
		if d <= 0 {
			c.errorf(name, "the dimensions %v of a sparse tensor are not all positive", s.Dims)
			return
		}
	}
	n := s.Values.Dims[0]
	if s.Indices == nil {
		if n != 0 {
			c.errorf(name, "a sparse tensor has %d values and no indices", n)
		}
		return
	}
	found := len(c.errs)
	c.tensor(s.Indices)
	if len(c.errs) > found || c.full() {
		return
	}
	if err := indices(s, n); err != nil {
		c.errorf(s.Indices.Name, "%v", err)
	}
}

// indices checks the places of a sparse tensor's n values: numbers of places, or rows of
// one index for each dimension, in ascending order. The order is that of memory, without
// repetition. It returns what is wrong first.
func indices(s *onnx.SparseTensor, n int64) error {
	x := s.Indices
	if x.DType != onnx.Int64 {
		return fmt.Errorf("indices of a sparse tensor are i64; these are %s", x.DType)
	}
	wide := int64(1)
	switch {
	case len(x.Dims) == 2 && x.Dims[1] == int64(len(s.Dims)):
		wide = x.Dims[1]
	case len(x.Dims) != 1:
		return fmt.Errorf("indices of dimensions %v do not fit a sparse tensor of %d dimensions", x.Dims, len(s.Dims))
	}
	if x.Dims[0] != n {
		return fmt.Errorf("there are %d indices for %d values", x.Dims[0], n)
	}
	total, err := onnx.Count(s.Dims)
	if err != nil {
		return err
	}
	list, err := x.Ints()
	if err != nil {
		return err
	}
	last := int64(-1)
	for i := int64(0); i < n; i++ {
		at := int64(0)
		for j := int64(0); j < wide; j++ {
			k, size := list[i*wide+j], total
			if len(x.Dims) == 2 {
				size = s.Dims[j]
			}
			if k < 0 || k >= size {
				return fmt.Errorf("index %d of value %d is not below %d", k, i, size)
			}
			at = at*size + k
		}
		if at <= last {
			return fmt.Errorf("the indices are not in ascending order at value %d", i)
		}
		last = at
	}
	return nil
}
