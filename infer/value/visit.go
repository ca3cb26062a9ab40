package value

// This file limits recursion over values: a program nests them as deep as it likes, puts
// them into themselves, and uses one value in many places.

// MaxNesting is how many values inside each other a recursion goes down: as many as
// CPython's calls.
const MaxNesting = 1000

// SomeRepeats are the repeats of a Visit that looks at each occurrence of a value.
const SomeRepeats = 1 << 14

// fewEntries are so few values that it costs nothing to enter them again.
const fewEntries = 64

// A Visit is one recursion over values. Whatever calls itself for the parts of a value
// takes one and goes on only where Enter says so:
//
//	func find(v Value, w *Visit) bool {
//		if !w.Enter(v) {
//			return false
//		}
//		defer w.Leave()
//		…
//	}
//
// The zero Visit enters each container once and is charged to nobody.
type Visit struct {
	// Thread is charged a step for each container; nil: nobody. Once its budget is spent,
	// nothing is entered.
	Thread Thread
	// Repeats is how many values may be entered that were entered before, for a
	// recursion that has to say something of each occurrence. A container counts with
	// its elements.
	Repeats int

	depth   int
	entries int
	seen    map[Value]struct{}
}

// Enter reports whether the recursion goes into v; then Leave ends that. It does not go into what
// it was in before, nor below MaxNesting others. What holds no values is always entered.
func (w *Visit) Enter(v Value) bool {
	n, nests := width(v)
	if !nests {
		w.depth++
		return true
	}
	if w.depth >= MaxNesting || w.Thread != nil && w.Thread.Step(1) != nil {
		return false
	}
	if w.entries++; w.Repeats == 0 || w.entries > fewEntries {
		if _, again := w.seen[v]; again {
			if n >= w.Repeats {
				return false
			}
			w.Repeats -= n + 1
		} else {
			if w.seen == nil {
				w.seen = map[Value]struct{}{}
			}
			w.seen[v] = struct{}{}
		}
	}
	w.depth++
	return true
}

// Leave ends what Enter began.
func (w *Visit) Leave() { w.depth-- }

// width is the number of the elements of a value that can hold others.
func width(v Value) (n int, nests bool) {
	switch v := v.(type) {
	case *Tuple:
		return len(v.Elems), true
	case *List:
		return len(v.Elems), true
	case *Dict:
		return v.Mirror.Len() + len(v.keys), true
	case *Set:
		return len(v.elems), true
	case *Instance, *Class, *Module, *Choice, *Slice, *Range, *Iterator, *Func, *Builtin, *BoundMethod,
		*Property, *StaticMethod, *ClassMethod, *Super, *GenericAlias:
		return 1, true
	}
	return 0, false
}

// A Memo holds what was computed of values, so that it is computed once for each.
type Memo[T any] struct {
	Visit Visit
	known map[Value]T
}

// Of gives what compute gives for v. While that runs, and where the recursion does not go,
// it is instead.
func (m *Memo[T]) Of(v Value, instead T, compute func() T) T {
	if _, nests := width(v); !nests {
		return compute()
	}
	if out, ok := m.known[v]; ok {
		return out
	}
	if !m.Visit.Enter(v) {
		return instead
	}
	defer m.Visit.Leave()
	if m.known == nil {
		m.known = map[Value]T{}
	}
	m.known[v] = instead
	out := compute()
	m.known[v] = out
	return out
}
