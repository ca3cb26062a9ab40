package inference

// This file holds values: a type, and the elements of small tensors whose elements
// are known.

import (
	"slices"

	"shapecheck/onnx"
	"shapecheck/symshape"
)

// maxData bounds the elements that are kept of a tensor.
const maxData = 1024

// A Value is what is known of a value of the model.
type Value struct {
	*Type
	// ints are the elements of an integer or bool tensor in row-major order, nil
	// where one is not known; nil when none is. The dimensions are then constants.
	ints []*symshape.Expr
	// floats are the elements of a float tensor, when all of them are constants; reals
	// are what is known of them when they are not.
	floats []float64
	reals  []real
	// nonZero says that no element is zero.
	nonZero bool
	// items are the elements of a sequence, when their number is known.
	items []*Value
	known bool // items counts
	// absent is an input of a function that the call leaves out.
	absent bool
	// full says of an optional whether it holds a value: 1, -1 for empty, 0 for not known.
	full int
}

func unknownValue() *Value { return &Value{Type: &Type{}} }

func isInt(d onnx.DType) bool {
	switch d {
	case onnx.Int64, onnx.Int32, onnx.Int16, onnx.Int8, onnx.Uint8, onnx.Uint16, onnx.Uint32, onnx.Uint64, onnx.Bool:
		return true
	}
	return false
}

// ranges are the values that an element of an integer type can have, as far as
// arithmetic is followed.
func rangeOf(d onnx.DType) (lo, hi int64) {
	switch d {
	case onnx.Int64:
		return symshape.NegInf, symshape.PosInf
	case onnx.Uint64:
		return 0, symshape.PosInf
	case onnx.Bool:
		return 0, 1
	}
	b := d.Bits()
	if b == 0 || b > 32 {
		return 1, 0
	}
	switch d {
	case onnx.Uint8, onnx.Uint16, onnx.Uint32:
		return 0, 1<<b - 1
	}
	return -1 << (b - 1), 1<<(b-1) - 1
}

// constant makes the value of an initializer or a constant.
func (e *engine) constant(t *onnx.Tensor) *Value {
	v := &Value{Type: &Type{Kind: onnx.TensorType, Elem: t.DType}}
	if !t.DType.Valid() {
		v.Elem = onnx.Undefined
	}
	n, err := t.Count()
	if err != nil {
		e.fail(&Error{Value: t.Name, Reason: err.Error()})
		return v
	}
	v.Ranked, v.Dims = true, e.consts(t.Dims)
	if n > maxData || t.IsExternal {
		return v
	}
	if isInt(t.DType) {
		list, err := t.Ints()
		if err != nil {
			e.fail(&Error{Value: t.Name, Reason: err.Error()})
			return v
		}
		v.ints = make([]*symshape.Expr, n)
		for i, x := range list {
			if t.DType != onnx.Uint64 || x >= 0 {
				v.ints[i] = e.pool.Const(x)
			}
		}
		return v
	}
	switch t.DType {
	case onnx.Float, onnx.Double, onnx.Float16, onnx.BFloat16:
		list, err := t.Float64s()
		if err != nil {
			e.fail(&Error{Value: t.Name, Reason: err.Error()})
			return v
		}
		v.floats = list
		if v.floats == nil {
			v.floats = []float64{}
		}
	}
	return v
}

// refine adds what the file declares about a value.
func (e *engine) refine(v *Value, d *Type, fail func(reason string)) *Value {
	if d == nil || d.Kind == onnx.NoType {
		return v
	}
	t, reason := e.meet(v.Type, e.trusted(v.Type, d))
	if reason != "" {
		fail(reason)
		return v
	}
	out := *v
	out.Type = t
	return &out
}

// trusted leaves out of a declaration what files get wrong: the sizes of the
// elements of a sequence, which many of them give as those of some element. They
// count where nothing else is known, and in our own files.
func (e *engine) trusted(t, d *Type) *Type {
	if e.m.ProducerName == producer || t == nil || t.Kind != d.Kind || d.Of == nil || t.Of == nil {
		return d
	}
	out := *d
	if d.Kind == onnx.SequenceType && d.Of.Kind == onnx.TensorType {
		out.Of = &Type{Kind: d.Of.Kind, Elem: d.Of.Elem}
	} else {
		out.Of = e.trusted(t.Of, d.Of)
	}
	return &out
}

// joinValues gives what holds of one of two values.
func (e *engine) joinValues(a, b *Value) *Value {
	out := &Value{Type: e.join(a.Type, b.Type)}
	if a.full == b.full {
		out.full = a.full
	}
	if len(a.ints) == len(b.ints) && a.ints != nil && b.ints != nil && out.Ranked {
		out.ints = make([]*symshape.Expr, len(a.ints))
		some := false
		for i, x := range a.ints {
			if x != nil && x == b.ints[i] {
				out.ints[i], some = x, true
			}
		}
		if !some {
			out.ints = nil
		}
	}
	if a.floats != nil && slices.Equal(a.floats, b.floats) {
		out.floats = a.floats
	}
	if a.reals != nil && slices.Equal(a.reals, b.reals) {
		out.reals = a.reals
	}
	return out
}

// constShape gives the dimensions when all are constants.
func (t *Type) constShape() ([]int64, bool) {
	if !t.Ranked {
		return nil, false
	}
	out := make([]int64, len(t.Dims))
	for i, d := range t.Dims {
		if d == nil {
			return nil, false
		}
		n, ok := d.Const()
		if !ok {
			return nil, false
		}
		out[i] = n
	}
	return out, true
}

// count is the number of elements of a tensor that is small enough for its
// elements to be kept, or -1.
func (t *Type) count() int {
	dims, ok := t.constShape()
	if !ok {
		return -1
	}
	n, err := onnx.Count(dims)
	if err != nil || n > maxData {
		return -1
	}
	return int(n)
}
