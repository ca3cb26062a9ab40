package value

// This file joins the contents of objects at control-flow merges. What a single
// value joins to is the interpreter's matter (Joiner). Two paths end in two states of each object
// that either has changed. For each kind of object there is a function that makes one content of
// both: what both have is joined value by value, what only one has is kept as possible, and where
// the numbers of elements differ the container becomes open. The journal calls JoinContents for the
// objects that it noted (heap.go); the interpreter calls SameContents to see that a loop has come
// to rest.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// A Joiner joins two values, the first of one path and the second of the other. It is implemented
// by the interpreter, as joining two values makes choices, conditions and nodes of the graph, of
// which this package knows nothing.
type Joiner interface {
	// JoinValue joins two values; one may be nil (unbound), not both.
	JoinValue(a, b Value) Value
	// JoinElem joins two elements of which either may stand at a place of a
	// sequence of unknown length; one may be nil, not both.
	JoinElem(a, b Value) Value
	// JoinGraph joins two tensor values.
	JoinGraph(a, b *graph.Value) *graph.Value
	// JoinLen joins two lengths.
	JoinLen(a, b symshape.Dim) symshape.Dim
	// ConstLen gives a known length, UnknownLen one that is not known.
	ConstLen(n int) symshape.Dim
	UnknownLen() symshape.Dim
	// AddLen adds two lengths.
	AddLen(a, b symshape.Dim) symshape.Dim
	// Lost stands for what the join cannot tell.
	Lost(reason string) Value
}

// A SequenceJoiner joins lists of tensors as values of the typed graph, too. A Joiner may lack it,
// and then no list is known to the graph.
type SequenceJoiner interface {
	JoinSequence(a, b graph.Operand, elem *graph.TensorType, length symshape.Dim) *graph.Value
}

// JoinContents joins two contents of the same object. a and b are what save returned of o in the
// two states. It panics for a kind of object that is missing here.
func JoinContents(o Mutable, a, b any, j Joiner) any {
	switch o := o.(type) {
	case *Slots:
		return joinSlots(a.([]Value), b.([]Value), j)
	case *Cell:
		x, _ := a.(Value)
		y, _ := b.(Value)
		return joinOne(x, y, j)
	case *List:
		return joinLists(a.(listContents), b.(listContents), j)
	case *Attrs:
		return joinAttrs(o, a.(attrsContents), b.(attrsContents), j)
	case *Dict:
		return joinDicts(a.(dictContents), b.(dictContents), j)
	case *Set:
		return joinSets(a.(setContents), b.(setContents), j)
	case *Tensor:
		return joinTensors(a.(tensorContents), b.(tensorContents), j)
	// A version of a storage is new after the join, so that views read it again.
	case *Storage:
		return max(a.(int), b.(int)) + 1
	case *Iterator:
		return joinIterators(a.(iteratorContents), b.(iteratorContents), j)
	}
	panic("value: contents of an unknown kind of object")
}

// nil stands for a variable that is not bound on that path.
func joinOne(a, b Value, j Joiner) Value {
	if a == nil && b == nil {
		return nil
	}
	return j.JoinValue(a, b)
}

// The number of slots of a function does not change.
func joinSlots(a, b []Value, j Joiner) []Value {
	out := make([]Value, len(a))
	for i := range a {
		out[i] = joinOne(a[i], b[i], j)
	}
	return out
}

// Lists of one length are joined by places.
func joinLists(a, b listContents, j Joiner) listContents {
	if a.open == nil && b.open == nil && len(a.elems) == len(b.elems) {
		return listContents{elems: joinSlots(a.elems, b.elems, j)}
	}
	o := joinOpen(openOf(a.elems, a.open, j), openOf(b.elems, b.open, j), j)
	if s, ok := j.(SequenceJoiner); ok {
		if t, isTensor := o.Elem.(*Tensor); isTensor {
			if x, y := Sequence(a.elems, a.open), Sequence(b.elems, b.open); x != nil && y != nil {
				o.Seq = s.JoinSequence(x, y, t.Type(), o.Len)
			}
		}
	}
	return listContents{open: o}
}

// openOf describes elements as if they were not known one by one; nil for none. The length includes
// those of o; the elements are joined in order.
func openOf(elems []Value, o *Open, j Joiner) *Open {
	if o != nil && len(elems) == 0 {
		return o
	}
	out := &Open{Len: j.ConstLen(len(elems))}
	if o != nil {
		out.Elem, out.Key, out.Len = o.Elem, o.Key, j.AddLen(out.Len, o.Len)
	}
	for _, e := range elems {
		if out.Elem == nil {
			out.Elem = e
		} else {
			out.Elem = j.JoinElem(out.Elem, e)
		}
	}
	return out
}

// Neither a nor b is nil.
func joinOpen(a, b *Open, j Joiner) *Open {
	elem := func(x, y Value) Value {
		if x == nil && y == nil {
			return nil
		}
		return j.JoinElem(x, y)
	}
	return &Open{Elem: elem(a.Elem, b.Elem), Key: elem(a.Key, b.Key), Len: j.JoinLen(a.Len, b.Len)}
}

// joinAttrs keeps the names of both sides. Where only one side has a name, an instance
// has the class's attribute on the other, if there is one. t is the object whose attributes they
// are; the class tells what reading a missing attribute would give.
func joinAttrs(t *Attrs, a, b attrsContents, j Joiner) attrsContents {
	other := func(name string) Value {
		if t.Class == nil {
			return nil
		}
		v, _ := t.Class.Lookup(name)
		switch v.(type) {
		// These give something else than themselves when they are read.
		case *Property, *Func, *Builtin, *ClassMethod, *StaticMethod, *Instance: // not the value that an access gives
			return nil
		}
		return v
	}
	out := attrsContents{open: a.open}
	if out.open == nil {
		out.open = b.open
	}
	// maybe has, for each name that may be missing, on which condition it exists.
	lacks := func(name string, when Presence) {
		if out.maybe == nil {
			out.maybe = map[string]Presence{}
		}
		out.maybe[name] = when
	}
	for _, m := range [...]map[string]Presence{a.maybe, b.maybe} {
		for name := range m {
			lacks(name, Presence{})
		}
	}
	for name, when := range a.maybe { // the same on both sides: joined before, and not written since
		if other, ok := b.maybe[name]; ok && other == when {
			lacks(name, when)
		}
	}
	var cond *symshape.Cond
	if c, ok := j.(ConditionJoiner); ok {
		cond = c.Condition()
	}
	// born notes a name that one side alone has: the first, or with not the second. Without a
	// condition, or if the name was unsure before, nothing but the doubt is noted.
	born := func(name string, not bool) {
		when := Presence{cond, not}
		if _, unsure := out.maybe[name]; unsure || cond == nil {
			when = Presence{}
		}
		lacks(name, when)
	}
	at := make(map[string]Value, len(b.names))
	for i, n := range b.names {
		at[n] = b.vals[i]
	}
	seen := make(map[string]bool, len(a.names))
	for i, n := range a.names {
		seen[n] = true
		out.names = append(out.names, n)
		v, ok := at[n]
		if !ok {
			if v = other(n); v == nil {
				born(n, false)
			}
		}
		out.vals = append(out.vals, j.JoinValue(a.vals[i], v))
	}
	for i, n := range b.names {
		if !seen[n] {
			out.names = append(out.names, n)
			v := other(n)
			if v == nil {
				born(n, true)
			}
			out.vals = append(out.vals, j.JoinValue(v, b.vals[i]))
		}
	}
	return out
}

// joinDicts keeps the keys of both sides; keys of one side only become part of
// the open rest. The order of keys is that of the first side.
func joinDicts(a, b dictContents, j Joiner) dictContents {
	out := dictContents{factory: a.factory}
	at := make(map[any]int, len(b.hashes))
	for i, h := range b.hashes {
		at[h] = i
	}
	// What only one side has, or may have.
	var only [2]struct {
		key, val Value
		n        int
	}
	side := 0
	// Each side has one joined key and value for all that it has alone.
	uncertain := func(k, v Value) {
		o := &only[side]
		o.key, o.val = elemOf(o.key, k, j), elemOf(o.val, v, j)
		o.n++
	}
	for i, h := range a.hashes {
		k, ok := at[h]
		if !ok {
			uncertain(a.keys[i], a.vals[i])
			continue
		}
		delete(at, h)
		out.keys = append(out.keys, a.keys[i])
		out.hashes = append(out.hashes, h)
		out.vals = append(out.vals, j.JoinValue(a.vals[i], b.vals[k]))
	}
	side = 1
	for i, h := range b.hashes {
		if _, left := at[h]; left {
			uncertain(b.keys[i], b.vals[i])
		}
	}
	// Both have the same keys, so only the open parts are joined.
	if only[0].n+only[1].n == 0 && (a.open == b.open || a.open == nil || b.open == nil) {
		out.open = a.open
		if a.open == nil {
			out.open = b.open
		}
		if out.open != nil && a.open != b.open {
			o := *out.open
			o.Len, o.Seq = j.JoinLen(lenOf(a.open, j), lenOf(b.open, j)), nil
			out.open = &o
		}
		return out
	}
	rest := &Open{}
	var lens [2]symshape.Dim
	for i, o := range [...]*Open{a.open, b.open} {
		lens[i] = j.ConstLen(only[i].n)
		rest.Key, rest.Elem = elemOf(rest.Key, only[i].key, j), elemOf(rest.Elem, only[i].val, j)
		if o != nil {
			lens[i] = j.AddLen(lens[i], o.Len)
			rest.Key, rest.Elem = elemOf(rest.Key, o.Key, j), elemOf(rest.Elem, o.Elem, j)
		}
	}
	rest.Len = j.JoinLen(lens[0], lens[1])
	out.open = rest
	// ways remembers both sides, for a later test that tells which of them was taken.
	out.ways = newWays(a, b, rest, j)
	return out
}

// elemOf joins two elements of a container; either may be nil. nil for none.
func elemOf(a, b Value, j Joiner) Value {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return j.JoinElem(a, b)
}

// 0 without an open part.
func lenOf(o *Open, j Joiner) symshape.Dim {
	if o == nil {
		return j.ConstLen(0)
	}
	return o.Len
}

// sameTables reports whether two contents have the same order, now and after what is
// done to them next. Two tables with equal slots but another history could grow apart.
func sameTables(a, b setContents) bool {
	if a.table == nil || b.table == nil {
		return a.table == b.table && a.lost == b.lost
	}
	return a.table.finger == b.table.finger && slices.Equal(a.table.slots, b.table.slots)
}

func joinSets(a, b setContents, j Joiner) setContents {
	same := len(a.elems) == len(b.elems) && a.open == nil && b.open == nil
	in := make(map[any]bool, len(b.hashes))
	for _, h := range b.hashes {
		in[h] = true
	}
	for _, h := range a.hashes {
		same = same && in[h]
	}
	// The elements agree but the order may not.
	if same {
		if !sameTables(a, b) {
			a.table, a.lost = nil, true
		}
		return a
	}
	return setContents{lost: true, open: joinOpen(openOf(a.elems, a.open, j), openOf(b.elems, b.open, j), j)}
}

// joinIterators keeps the position of an iterator that both paths left at the same
// place; else it is not known which elements are still to come.
func joinIterators(a, b iteratorContents, j Joiner) iteratorContents {
	// An open iterator stays open.
	switch {
	case a.open != nil:
		return a
	case b.open != nil:
		return b
	case a.pos == b.pos:
		return a
	}
	return iteratorContents{max(a.pos, b.pos),
		&Open{Elem: j.Lost("how far an iterator was advanced depends on a condition that is not known"), Len: j.UnknownLen()}}
}

// Two values of the graph become one by an If, and elements are lost.
func joinTensors(a, b tensorContents, j Joiner) tensorContents {
	if a.t.V == b.t.V {
		return a
	}
	out := a
	out.t.V = j.JoinGraph(a.t.V, b.t.V)
	out.t.Elems = nil
	return out
}

// SameContents reports whether two contents of an object are the same, so that a
// loop that gives them has come to rest. same compares two values; lengths of open parts are
// compared as expressions.
func SameContents(a, b any, same func(a, b Value) bool) bool {
	all := func(x, y []Value) bool {
		if len(x) != len(y) {
			return false
		}
		for i := range x {
			if !same(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	open := func(x, y *Open) bool {
		if x == nil || y == nil {
			return x == y
		}
		return same(x.Elem, y.Elem) && same(x.Key, y.Key) && x.Len.Expr == y.Len.Expr && x.Seq == y.Seq
	}
	switch a := a.(type) {
	case []Value:
		return all(a, b.([]Value))
	case listContents:
		b := b.(listContents)
		return all(a.elems, b.elems) && open(a.open, b.open)
	case attrsContents:
		b := b.(attrsContents)
		return len(a.names) == len(b.names) && (a.open == nil) == (b.open == nil) && all(a.vals, b.vals)
	case dictContents:
		b := b.(dictContents)
		return all(a.keys, b.keys) && all(a.vals, b.vals) && open(a.open, b.open)
	case setContents:
		b := b.(setContents)
		return all(a.elems, b.elems) && open(a.open, b.open) && sameTables(a, b)
	case tensorContents:
		b := b.(tensorContents)
		return same(&a.t, &b.t)
	// The position is not compared, as a loop advances its iterator.
	case iteratorContents:
		b := b.(iteratorContents)
		return (a.open == nil) == (b.open == nil)
	case int:
		return true // versions only grow
	case Value:
		y, ok := b.(Value)
		return ok && same(a, y)
	case nil:
		return b == nil
	}
	return false
}

// Contents returns the present contents of an object, for joins. The result shares memory with the
// object and must not be changed.
func Contents(o Mutable) any { return o.save() }

// MapContents gives the contents of an object with its values and lengths mapped. It is for
// renaming symbols when a loop's body is done. Contents without values are returned as they are.
func MapContents(c any, val func(Value) Value, dim func(symshape.Dim) symshape.Dim) any {
	all := func(list []Value) []Value {
		out := make([]Value, len(list))
		for i, v := range list {
			if v != nil {
				out[i] = val(v)
			}
		}
		return out
	}
	open := func(o *Open) *Open {
		if o == nil {
			return nil
		}
		n := &Open{Elem: o.Elem, Key: o.Key, Len: dim(o.Len), Seq: o.Seq}
		if n.Elem != nil {
			n.Elem = val(n.Elem)
		}
		return n
	}
	switch c := c.(type) {
	case []Value:
		return all(c)
	case listContents:
		return listContents{all(c.elems), open(c.open)}
	case attrsContents:
		return attrsContents{c.names, all(c.vals), c.maybe, c.open}
	case dictContents:
		// The ways were those of other values.
		c.vals, c.open, c.ways = all(c.vals), open(c.open), nil
		return c
	case setContents:
		return setContents{all(c.elems), c.hashes, open(c.open), c.table, c.lost}
	case Value:
		return val(c)
	}
	return c
}

// ElemsOf gives the elements of contents of a list whose elements are known.
func ElemsOf(contents any) ([]Value, bool) {
	l, ok := contents.(listContents)
	return l.elems, ok && l.open == nil
}
