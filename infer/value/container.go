package value

// This file defines the containers. Their fields may be read directly; a write
// needs Heap.Touch first, so that a branch can be rolled back.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// A Tuple is a tuple, torch.Size, or an instance of a namedtuple class.
type Tuple struct {
	Class *Class // nil: tuple
	Elems []Value
	Attrs *Attrs // of an instance of a subclass; may be nil
}

// A List is a list. When Open is set its elements are not known one by one. One of
// class tuple, always with Open, is a tuple of unknown length.
type List struct {
	Header
	Class *Class // nil: list
	Elems []Value
	Open  *Open
	Attrs *Attrs
}

// An Open is the abstract content of a list, set, dict or iterator of which the
// single elements are not known: each is like Elem, and there are Len of them.
type Open struct {
	Elem Value // for a dict: of the values
	Key  Value // for a dict: of the keys; else nil
	Len  symshape.Dim
	// Fact holds of Elem where there is an element at all: i < n in range(n). It may be nil.
	Fact *symshape.Cond
	// Index, if set, is the symbol of the number of the element that Elem is.
	Index *symshape.Expr
	// At, if set, makes element number i instead of Elem: a loop's body calls it, so
	// that the typed graph shows which element an iteration takes.
	At func(th Thread, i *SymInt) (Value, error)
	// Seq is a list of tensors as a value of the typed graph; nil when that is not
	// known.
	Seq *graph.Value
}

// A Dict is a dict in insertion order. Open, when set, describes further
// entries that are not known.
type Dict struct {
	Header
	Class *Class // nil: dict
	keys  []Value
	vals  []Value
	// hashes are the hash keys of the keys, index where they are: it is made when there are more than a few.
	hashes []any
	index  map[any]int
	odd    int // keys that are not plain
	Open   *Open
	ways   *Ways
	Attrs  *Attrs
	// Factory is the default factory of a defaultdict, or nil.
	Factory Value
	// Fill adds the entry of a text that is not there, or with "" all that could still
	// be added, and reports whether the text is there now; nil: all is there.
	Fill func(key string) bool
	// Mirror is the attribute table of which this dict is the __dict__: its texts are read
	// and written there, and come before other keys. Nil for other dicts.
	Mirror *Attrs
}

// AnswersMissing reports whether a value is a dict that has an answer for a key that it has not: a factory that makes an entry, or a
// method of its class.
func AnswersMissing(v Value) bool {
	d, ok := v.(*Dict)
	if !ok {
		return false
	}
	if d.HasFactory() || d.Class == nil {
		return d.HasFactory()
	}
	_, ok = d.Class.Lookup("__missing__")
	return ok
}

// HasFactory reports whether a dict makes an entry for a key that it has not.
func (d *Dict) HasFactory() bool { return d.Factory != nil && d.Factory != None }

// A Set is a set or, when Frozen, a frozenset. Its order is CPython's where that is
// known (see OrderKnown), else that of insertion.
type Set struct {
	Header
	Class  *Class
	Frozen bool
	elems  []Value // in the order of insertion
	index  map[any]int
	odd    int       // elements that are not plain
	table  *setTable // nil for a set that was empty so far, and for one without a known order
	lost   bool      // the order is not known
	order  []int     // of elems in the table, made when it is asked for
	Open   *Open
	Attrs  *Attrs
}

// A Range is a range object.
type Range struct{ Start, Stop, Step Value }

// A Slice is a slice object; absent parts are None.
type Slice struct {
	Start, Stop, Step Value
	// Written is what the program wrote, where this slice stands for it only as far as sizes go: one with a negative step.
	Written *Slice
}

func (*Tuple) value() {}
func (*List) value()  {}
func (*Dict) value()  {}
func (*Set) value()   {}
func (*Range) value() {}
func (*Slice) value() {}

// NewTuple returns a plain tuple.
func NewTuple(elems ...Value) *Tuple { return &Tuple{Elems: elems} }

// Len returns the number of known entries.
func (d *Dict) Len() int {
	if d.Fill != nil {
		d.Fill("")
	}
	return d.Mirror.Len() + len(d.keys)
}

// Has reports whether a text is among the keys that are there now.
func (d *Dict) Has(key string) bool {
	_, ok := d.Get(key)
	return ok
}

// Key returns the i-th key in insertion order.
func (d *Dict) Key(i int) Value {
	if n := d.Mirror.Len(); i >= n {
		return d.keys[i-n]
	}
	return Str(d.Mirror.Name(i))
}

// At returns the i-th value in insertion order.
func (d *Dict) At(i int) Value {
	if n := d.Mirror.Len(); i >= n {
		return d.vals[i-n]
	}
	return d.Mirror.At(i)
}

// Keys returns a copy of the keys.
func (d *Dict) Keys() []Value {
	n := d.Mirror.Len()
	keys := make([]Value, 0, n+len(d.keys))
	for i := range n {
		keys = append(keys, Str(d.Mirror.Name(i)))
	}
	return append(keys, d.keys...)
}

// values are those of Keys; they may be shared with the dict.
func (d *Dict) values() []Value {
	if d.Mirror == nil {
		return d.vals
	}
	return append(slices.Clone(d.Mirror.vals), d.vals...)
}

// Get returns the value under a hash key (see HashKey).
func (d *Dict) Get(key any) (Value, bool) {
	if name, ok := key.(string); ok && d.Mirror != nil {
		return d.Mirror.Get(name)
	}
	i := d.find(key)
	if i < 0 {
		return nil, false
	}
	return d.vals[i], true
}

// dictScan is the number of keys up to which a linear scan beats a map.
const dictScan = 8

// find gives the place of a hash key among those of the dict itself; -1: it is not there.
func (d *Dict) find(key any) int {
	if d.index != nil {
		if i, ok := d.index[key]; ok {
			return i
		}
		return -1
	}
	return slices.Index(d.hashes, key)
}

// reindex makes the index of the hash keys.
func (d *Dict) reindex() {
	d.index = nil
	if n := len(d.hashes); n > dictScan {
		d.index = make(map[any]int, max(2*n, cap(d.hashes)))
		for i, k := range d.hashes {
			d.index[k] = i
		}
	}
}

// GetStr returns the value under a string key.
func (d *Dict) GetStr(s string) (Value, bool) { return d.Get(s) }

// Set writes an entry. key is the hash key of k.
func (d *Dict) Set(h *Heap, key any, k, v Value) {
	h.Touch(d)
	d.ways = nil
	if name, ok := key.(string); ok && d.Mirror != nil {
		d.Mirror.Set(h, name, v)
		return
	}
	if i := d.find(key); i >= 0 {
		d.vals[i] = v
		return
	}
	h.countMade()
	d.odd += oddity(k)
	d.hashes = append(d.hashes, key)
	if d.index != nil {
		d.index[key] = len(d.keys)
	} else if len(d.hashes) > dictScan {
		d.reindex()
	}
	d.keys = append(d.keys, k)
	d.vals = append(d.vals, v)
}

// Grow makes room for n more entries.
func (d *Dict) Grow(n int) {
	if n > 1 && d.Mirror == nil {
		d.keys, d.vals, d.hashes = slices.Grow(d.keys, n), slices.Grow(d.vals, n), slices.Grow(d.hashes, n)
	}
}

// SetStr writes an entry under a string key.
func (d *Dict) SetStr(h *Heap, s string, v Value) { d.Set(h, s, Str(s), v) }

// Delete removes an entry and reports whether it was there.
func (d *Dict) Delete(h *Heap, key any) bool {
	if name, ok := key.(string); ok && d.Mirror != nil {
		h.Touch(d)
		d.ways = nil
		return d.Mirror.Delete(h, name)
	}
	i := d.find(key)
	if i < 0 {
		return false
	}
	h.Touch(d)
	d.ways = nil
	d.odd -= oddity(d.keys[i])
	// Fresh arrays: a snapshot may share the old ones.
	d.keys = append(append([]Value(nil), d.keys[:i]...), d.keys[i+1:]...)
	d.vals = append(append([]Value(nil), d.vals[:i]...), d.vals[i+1:]...)
	d.hashes = append(append([]any(nil), d.hashes[:i]...), d.hashes[i+1:]...)
	if d.index != nil {
		delete(d.index, key)
		for j, k := range d.hashes[i:] {
			d.index[k] = i + j
		}
	}
	return true
}

// Clear removes all entries.
func (d *Dict) Clear(h *Heap) {
	h.Touch(d)
	if d.Mirror != nil {
		d.Mirror.Clear(h)
	}
	d.keys, d.vals, d.hashes, d.index, d.odd, d.Open, d.ways = nil, nil, nil, nil, 0, nil, nil
}

// Plain reports whether all keys are numbers or texts that are known, None or
// classes: then a known key that is not found by its hash is not there.
func (d *Dict) Plain() bool { return d.odd == 0 }

// oddity is 1 for a key that may be equal to one with another hash key, else 0.
func oddity(k Value) int {
	switch k.(type) {
	case Str, Int, Bool, Float, *Class, NoneType:
		return 0
	}
	return 1
}

// Sequence gives the elements of a list as an operand of the typed graph; nil
// unless they are tensors that the graph knows.
func Sequence(elems []Value, o *Open) graph.Operand {
	if o != nil {
		if o.Seq == nil || len(elems) > 0 {
			return nil
		}
		return o.Seq
	}
	list := make(graph.List, len(elems))
	for i, e := range elems {
		t, ok := e.(*Tensor)
		if !ok {
			return nil
		}
		list[i] = t.V
	}
	return list
}
