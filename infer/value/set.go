package value

// This file holds the elements of sets.

// Len returns the number of known elements.
func (s *Set) Len() int { return len(s.elems) }

// At returns the i-th element in the order in which Python gives them, if that is
// known, else in the order of insertion.
func (s *Set) At(i int) Value {
	if s.table == nil || s.table.used != len(s.elems) { // lost, or in the middle of a change
		return s.elems[i]
	}
	if s.order == nil {
		s.order = make([]int, 0, len(s.elems))
		for _, key := range s.table.keys() {
			s.order = append(s.order, s.index[key])
		}
	}
	return s.elems[s.order[i]]
}

// Elems returns a copy of the elements in the order of At.
func (s *Set) Elems() []Value {
	out := make([]Value, len(s.elems))
	for i := range out {
		out[i] = s.At(i)
	}
	return out
}

// Inserted returns a copy of the elements in the order in which they were added.
func (s *Set) Inserted() []Value { return append([]Value(nil), s.elems...) }

// OrderKnown reports whether At gives the order in which Python gives the elements, in
// every run: that of numbers and tuples of them whose history is known.
func (s *Set) OrderKnown() bool { return s.Open == nil && (!s.lost || len(s.elems) < 2) }

// LoseOrder notes that the order of the elements is not known.
func (s *Set) LoseOrder(h *Heap) {
	if !s.lost {
		h.Touch(s)
		s.lost, s.table, s.order = true, nil, nil
	}
}

// Has reports whether the hash key is in s.
func (s *Set) Has(key any) bool { _, ok := s.index[key]; return ok }

// Plain is as for a Dict.
func (s *Set) Plain() bool { return s.odd == 0 }

// Add adds an element.
func (s *Set) Add(h *Heap, key any, v Value) {
	if s.Has(key) {
		return
	}
	h.countMade()
	h.Touch(s)
	if s.index == nil {
		s.index = make(map[any]int)
	}
	s.odd += oddity(v)
	s.index[key] = len(s.elems)
	s.elems = append(s.elems, v)
	if hash, ok := FixedHash(v); !ok {
		s.LoseOrder(h)
	} else if t := s.tracked(); t != nil {
		if t.add(hash, key); t.unsure {
			s.LoseOrder(h)
		}
	}
}

// tracked gives the table to be changed; nil where the order is not known.
func (s *Set) tracked() *setTable {
	if s.table == nil && !s.lost {
		s.table = newSetTable()
	}
	s.order = nil
	return s.table
}

// Reserve is to be called before the n keys of a dict are added, for which CPython
// makes room at once.
func (s *Set) Reserve(h *Heap, n int) {
	h.Touch(s)
	if t := s.tracked(); t != nil {
		t.reserve(n)
	}
}

// Merge is to be called before the elements of another set are added.
func (s *Set) Merge(h *Heap, x *Set) {
	switch {
	case s == x || len(x.elems) == 0:
	case x.lost:
		s.LoseOrder(h)
	default:
		h.Touch(s)
		if t := s.tracked(); t != nil {
			if t.merge(x.table); t.unsure {
				s.LoseOrder(h)
			}
		}
	}
}

// Take gives s the elements of x, with their order.
func (s *Set) Take(h *Heap, x *Set) {
	h.Touch(s)
	finger := 0
	if s.table != nil {
		finger = s.table.finger
	}
	s.restore(x.save())
	if s.table != nil {
		s.table.finger = finger
	}
}

// Delete removes an element and reports whether it was there.
func (s *Set) Delete(h *Heap, key any) bool {
	i, ok := s.index[key]
	if !ok {
		return false
	}
	h.Touch(s)
	if t := s.tracked(); t != nil {
		hash, _ := FixedHash(s.elems[i])
		t.discard(hash, key)
	}
	s.remove(i, key)
	return true
}

// Shrink is to be called after the elements of another set were removed.
func (s *Set) Shrink(h *Heap) {
	h.Touch(s)
	if t := s.tracked(); t != nil {
		t.shrink()
	}
}

// Pop removes the element that Python removes from a set that is not empty and whose
// order is known.
func (s *Set) Pop(h *Heap) Value {
	h.Touch(s)
	i, key := 0, any(nil)
	if t := s.tracked(); t != nil {
		key = t.pop()
		i = s.index[key]
	} else {
		for key = range s.index { // the only one
		}
	}
	v := s.elems[i]
	s.remove(i, key)
	return v
}

func (s *Set) remove(i int, key any) {
	s.odd -= oddity(s.elems[i])
	s.elems = append(append([]Value(nil), s.elems[:i]...), s.elems[i+1:]...)
	delete(s.index, key)
	for k, j := range s.index {
		if j > i {
			s.index[k] = j - 1
		}
	}
}

// Clear removes all elements.
func (s *Set) Clear(h *Heap) {
	h.Touch(s)
	s.elems, s.index, s.odd, s.Open = nil, nil, 0, nil
	if s.lost = false; s.table != nil {
		s.table = &setTable{slots: make([]setSlot, minTable), finger: s.table.finger}
	}
	s.order = nil
}

// Settle notes how a display of constants lies in memory: CPython makes a frozenset of
// them, perhaps in another order, and adds that to an empty set, or iterates over the
// frozenset. Where these differ the order is not known.
func (s *Set) Settle(h *Heap) {
	if s.table == nil {
		return
	}
	merged := newSetTable()
	merged.merge(s.table)
	at, same := s.table.keys(), merged.keys()
	for i := range at {
		if at[i] != same[i] {
			s.LoseOrder(h)
			return
		}
	}
	for _, t := range []*setTable{s.table, merged} {
		for i, x := range t.slots {
			if x.key != nil && uint64(i) != uint64(x.hash)&uint64(len(t.slots)-1) {
				s.LoseOrder(h)
				return
			}
		}
	}
	h.Touch(s)
	s.table, s.order = merged, nil
}
