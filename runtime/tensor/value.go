package tensor

// This file holds what a value can be.

import "strconv"

// A Value is a *Tensor, a *Sequence or an *Optional. Values do not change when they are
// shared: an operation on a sequence makes another one.
type Value interface {
	// Type is the type string: f32[2,3], [f32[2], f32[3]], None.
	Type() string
	isValue()
}

func (*Tensor) isValue()   {}
func (*Sequence) isValue() {}
func (*Optional) isValue() {}

// An Optional is a value that may be absent.
type Optional struct {
	Of Value // nil: absent
}

// Type is that of the value, or None.
func (o *Optional) Type() string {
	if o.Of == nil {
		return "None"
	}
	return o.Of.Type()
}

// ShortType is the type string of a value, of a long sequence the number of its elements alone.
func ShortType(v Value) string {
	if o, ok := v.(*Optional); ok && o.Of != nil {
		v = o.Of
	}
	if s, ok := v.(*Sequence); ok {
		return ListType(s.Len(), s.Type)
	}
	return v.Type()
}

// ListType is the type of n values, which list gives, or their number alone.
func ListType(n int, list func() string) string {
	const long = 1000
	if n > long {
		return "[" + strconv.Itoa(n) + " values]"
	}
	return list()
}

// Equal reports whether two values are of the same type and bits. Not a number is equal
// to the same bits.
func Equal(a, b Value) bool {
	switch a := a.(type) {
	case *Tensor:
		b, ok := b.(*Tensor)
		return ok && a.dtype == b.dtype && equalDims(a.dims, b.dims) && string(a.data) == string(b.data)
	case *Sequence:
		b, ok := b.(*Sequence)
		if !ok || a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !Equal(a.At(i), b.At(i)) {
				return false
			}
		}
		return true
	case *Optional:
		b, ok := b.(*Optional)
		return ok && (a.Of == nil) == (b.Of == nil) && (a.Of == nil || Equal(a.Of, b.Of))
	}
	return false
}

func equalDims(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
