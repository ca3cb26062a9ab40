package kernel

// This file finds elements that are not zero. How many they are only the elements say, so this is no entry: a result's sizes are not known before.

import "shapecheck/runtime/tensor"

// A Truth tells which elements of a tensor are not zero.
type Truth func(i int) bool

// TruthOf gives the truth of elements of a type; nil: the type has none here.
func TruthOf(d tensor.DType, b []byte) Truth {
	switch d {
	case tensor.Bool, tensor.Uint8, tensor.Int8:
		return func(i int) bool { return b[i] != 0 }
	case tensor.Int16, tensor.Uint16:
		x := elems[uint16](b)
		return func(i int) bool { return x[i] != 0 }
	case tensor.Float16, tensor.BFloat16:
		x := elems[uint16](b)
		return func(i int) bool { return x[i]<<1 != 0 }
	case tensor.Int32, tensor.Uint32:
		x := elems[uint32](b)
		return func(i int) bool { return x[i] != 0 }
	case tensor.Float32:
		x := elems[uint32](b)
		return func(i int) bool { return x[i]<<1 != 0 }
	case tensor.Int64, tensor.Uint64:
		x := elems[uint64](b)
		return func(i int) bool { return x[i] != 0 }
	case tensor.Float64:
		x := elems[uint64](b)
		return func(i int) bool { return x[i]<<1 != 0 }
	}
	return nil
}

// Count counts those of n elements that are not zero.
func (is Truth) Count(n int) (count int) {
	for i := range n {
		if is(i) {
			count++
		}
	}
	return count
}

// Places writes, as i64, the places of the elements that are not zero, of a tensor of the sizes: for each axis a row of count numbers.
func (is Truth) Places(dims []int64, b []byte, count int) {
	out := elems[int64](b)
	n, inner := 1, 1
	for i, d := range dims {
		if n *= int(d); i > 0 {
			inner *= int(d)
		}
	}
	k := 0
	for i := range n {
		if !is(i) {
			continue
		}
		rest, size := i, inner
		for a := range dims {
			out[a*count+k] = int64(rest / size)
			if rest %= size; a+1 < len(dims) {
				size /= int(dims[a+1])
			}
		}
		k++
	}
}
