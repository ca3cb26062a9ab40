package tensor

// This file holds sequences: balanced trees whose nodes never change, so that two
// sequences share what they have in common, and every operation makes a new one in
// logarithmic time. The ancestor shared sequences by pointer, so that an append in a loop
// emptied the caller's; this cannot happen here.

import "strings"

// A Sequence is a list of values. The zero Sequence is empty. It is immutable and may be
// used by many goroutines.
type Sequence struct{ root *node }

// A node is one element, what is before it and what is behind it: a weight-balanced tree.
type node struct {
	left, right *node
	size        int
	bytes       int64 // of all elements
	value       Value
}

// NewSequence makes a sequence of the values in order.
func NewSequence(list ...Value) *Sequence { return &Sequence{build(list)} }

func build(list []Value) *node {
	if len(list) == 0 {
		return nil
	}
	m := len(list) / 2
	return mk(build(list[:m]), list[m], build(list[m+1:]))
}

func (n *node) len() int {
	if n == nil {
		return 0
	}
	return n.size
}

// weight and ratio are the constants of a balanced tree for which single and double
// rotations suffice: (3, 2) of Hirai and Yamamoto, Balancing weight-balanced trees (2011).
const (
	weight = 3
	ratio  = 2
)

// join makes a node of two trees whose sizes are out of balance by at most one element.
func join(l *node, v Value, r *node) *node {
	ln, rn := l.len()+1, r.len()+1
	switch {
	case rn > weight*ln:
		if r.left.len()+1 < ratio*(r.right.len()+1) {
			return mk(mk(l, v, r.left), r.value, r.right)
		}
		return mk(mk(l, v, r.left.left), r.left.value, mk(r.left.right, r.value, r.right))
	case ln > weight*rn:
		if l.right.len()+1 < ratio*(l.left.len()+1) {
			return mk(l.left, l.value, mk(l.right, v, r))
		}
		return mk(mk(l.left, l.value, l.right.left), l.right.value, mk(l.right.right, v, r))
	}
	return mk(l, v, r)
}

func mk(l *node, v Value, r *node) *node {
	return &node{l, r, l.len() + r.len() + 1, l.memory() + r.memory() + Memory(v), v}
}

func (n *node) memory() int64 {
	if n == nil {
		return 0
	}
	return n.bytes
}

// Memory is the number of bytes that a value keeps: of its elements and for itself. What two values
// share counts for both.
func Memory(v Value) int64 {
	switch v := v.(type) {
	case *Tensor:
		return own + int64(len(v.data))
	case *Sequence:
		return own + v.root.memory()
	case *Optional:
		if v.Of != nil {
			return own + Memory(v.Of)
		}
	}
	return own
}

// link joins two trees of any sizes.
func link(l *node, v Value, r *node) *node {
	switch ln, rn := l.len()+1, r.len()+1; {
	case rn > weight*ln:
		return join(link(l, v, r.left), r.value, r.right)
	case ln > weight*rn:
		return join(l.left, l.value, link(l.right, v, r))
	}
	return mk(l, v, r)
}

func insert(n *node, i int, v Value) *node {
	if n == nil {
		return mk(nil, v, nil)
	}
	if k := n.left.len(); i <= k {
		return join(insert(n.left, i, v), n.value, n.right)
	} else {
		return join(n.left, n.value, insert(n.right, i-k-1, v))
	}
}

// erase gives the tree without element i. The old tree is not changed: the nodes on the way are
// copied, which are logarithmically many.
func erase(n *node, i int) *node {
	switch k := n.left.len(); {
	case i < k:
		return join(erase(n.left, i), n.value, n.right)
	case i > k:
		return join(n.left, n.value, erase(n.right, i-k-1))
	}
	if n.right == nil {
		return n.left
	}
	return join(n.left, n.right.at(0), erase(n.right, 0))
}

// at finds element i by the sizes of the subtrees.
func (n *node) at(i int) Value {
	for {
		switch k := n.left.len(); {
		case i < k:
			n = n.left
		case i > k:
			n, i = n.right, i-k-1
		default:
			return n.value
		}
	}
}

func set(n *node, i int, v Value) *node {
	switch k := n.left.len(); {
	case i < k:
		return mk(set(n.left, i, v), n.value, n.right)
	case i > k:
		return mk(n.left, n.value, set(n.right, i-k-1, v))
	}
	return mk(n.left, v, n.right)
}

// cut gives the first i elements and the others.
func cut(n *node, i int) (*node, *node) {
	if n == nil {
		return nil, nil
	}
	k := n.left.len()
	if i <= k {
		l, r := cut(n.left, i)
		return l, link(r, n.value, n.right)
	}
	l, r := cut(n.right, i-k-1)
	return link(n.left, n.value, l), r
}

// Len is the number of elements.
func (s *Sequence) Len() int { return s.root.len() }

// At gives the element i, 0 ≤ i < Len; it panics for others, as a slice does.
func (s *Sequence) At(i int) Value {
	s.check(i, s.Len())
	return s.root.at(i)
}

func (s *Sequence) check(i, n int) {
	if i < 0 || i >= n {
		panic("tensor: index out of a sequence's range")
	}
}

// Insert puts v before the element i, 0 ≤ i ≤ Len.
func (s *Sequence) Insert(i int, v Value) *Sequence {
	s.check(i, s.Len()+1)
	return &Sequence{insert(s.root, i, v)}
}

// Append puts v behind the last element.
func (s *Sequence) Append(v Value) *Sequence { return s.Insert(s.Len(), v) }

// Set replaces the element i.
func (s *Sequence) Set(i int, v Value) *Sequence {
	s.check(i, s.Len())
	return &Sequence{set(s.root, i, v)}
}

// Erase takes the element i out.
func (s *Sequence) Erase(i int) *Sequence {
	s.check(i, s.Len())
	return &Sequence{erase(s.root, i)}
}

// Slice gives the elements from i to j, 0 ≤ i ≤ j ≤ Len.
func (s *Sequence) Slice(i, j int) *Sequence {
	s.check(j, s.Len()+1)
	s.check(i, j+1)
	head, _ := cut(s.root, j)
	_, mid := cut(head, i)
	return &Sequence{mid}
}

// Concat puts the elements of t behind those of s.
func (s *Sequence) Concat(t *Sequence) *Sequence {
	if t.root == nil {
		return s
	}
	return &Sequence{link(s.root, t.At(0), erase(t.root, 0))}
}

// All calls yield for the elements in order.
func (s *Sequence) All(yield func(int, Value) bool) {
	i := 0
	var walk func(n *node) bool
	walk = func(n *node) bool {
		if n == nil {
			return true
		}
		if !walk(n.left) || !yield(i, n.value) {
			return false
		}
		i++
		return walk(n.right)
	}
	walk(s.root)
}

// Type lists the types of the elements: [f32[2], f32[3]].
func (s *Sequence) Type() string {
	var b strings.Builder
	b.WriteByte('[')
	for i, v := range s.All {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(v.Type())
	}
	b.WriteByte(']')
	return b.String()
}
