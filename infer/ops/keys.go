package ops

// This file takes the keys of indexing apart.

import (
	"shapecheck/infer/value"
	"shapecheck/symshape/dtype"
)

// IndexItems splits a key as PyTorch does: a list is a tuple of indices when it
// holds anything but numbers.
func IndexItems(key value.Value) []value.Value {
	switch k := key.(type) {
	case *value.Tuple:
		return k.Elems
	case *value.List:
		if k.Open == nil && len(k.Elems) < 32 {
			for _, e := range k.Elems {
				switch e.(type) {
				case *value.Tensor, *value.List, *value.Tuple, *value.Range, *value.Slice, value.Str, value.EllipsisType, value.NoneType:
					return k.Elems
				}
			}
		}
	}
	return []value.Value{key}
}

// SpecifiedAxes counts the axes that an index uses up.
func SpecifiedAxes(v value.Value) int {
	switch v := v.(type) {
	case value.NoneType, value.EllipsisType, value.Bool, *value.SymBool:
		return 0
	case *value.Tensor:
		if d := v.Type().DType; d == dtype.Bool || d == dtype.U8 {
			return len(v.Type().Shape)
		}
	}
	return 1
}
