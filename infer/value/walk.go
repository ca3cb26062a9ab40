package value

// This file walks over the values inside a value: it knows the parts of each kind.

import "iter"

// Parts says which parts of values are looked at: a set of the constants below.
type Parts uint16

const (
	TupleElems Parts = 1 << iota // the elements of tuples
	ListElems                    // the known elements of lists, and the first elements of an open iterator
	SetElems                     // the known elements of sets, in the order of Set.At
	DictKeys                     // the known keys of dicts, all before the first value
	DictValues                   // the known values of dicts
	OpenKeys                     // Open.Key, which stands for keys that are not known one by one; after what is known
	OpenElems                    // Open.Elem, which stands for elements that are not known one by one; after what is known
	Attributes                   // the attributes of instances
	Payloads                     // the builtin value of an instance of a subclass of int, str, …
	Sides                        // both values of a choice
	Bounds                       // start, stop and step of ranges and slices
	// contents of tensors, default factories, attributes of what is no instance, what callables and descriptors hold
	Others

	AllParts  = 1<<iota - 1
	Sequences = TupleElems | ListElems
)

// Deep is a depth without limit.
const Deep = -1

// PartsOf yields the parts of v that are asked for, in the order of the constants within
// each kind of value and in Python's order within a container. Parts that are absent (nil)
// are left out. What an iterator will give is no part of it, but what stands for that is.
func PartsOf(v Value, which Parts) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		one := func(p Parts, vals ...Value) bool {
			if which&p == 0 {
				return true
			}
			for _, x := range vals {
				if x != nil && !yield(x) {
					return false
				}
			}
			return true
		}
		open := func(o *Open) bool { return o == nil || one(OpenKeys, o.Key) && one(OpenElems, o.Elem) }
		attrs := func(p Parts, a *Attrs) bool { return a == nil || one(p, a.vals...) }
		switch v := v.(type) {
		case *Tuple:
			_ = one(TupleElems, v.Elems...) && attrs(Others, v.Attrs)
		case *List:
			_ = one(ListElems, v.Elems...) && open(v.Open) && attrs(Others, v.Attrs)
		case *Set:
			for i := range v.Len() {
				if !one(SetElems, v.At(i)) {
					return
				}
			}
			_ = open(v.Open) && attrs(Others, v.Attrs)
		case *Dict:
			_ = one(DictKeys, v.Keys()...) && one(DictValues, v.values()...) && open(v.Open) && attrs(Others, v.Attrs) && one(Others, v.Factory)
		case *Instance:
			_ = attrs(Attributes, v.Attrs) && one(Payloads, v.Payload)
		case *Class:
			_ = attrs(Others, v.Attrs)
		case *Module:
			_ = attrs(Others, v.Attrs)
		case *Tensor:
			_ = attrs(Others, v.Attrs) && one(Others, v.Contents()...)
		case *Choice:
			_ = one(Sides, v.Then, v.Else)
		case *Range:
			one(Bounds, v.Start, v.Stop, v.Step)
		case *Slice:
			one(Bounds, v.Start, v.Stop, v.Step)
		case *Iterator:
			_ = one(ListElems, v.First...) && open(v.Open) && attrs(Others, v.Attrs)
		case *Func:
			if !attrs(Others, v.Attrs) || !one(Others, v.Defaults...) || !one(Others, v.KwDefaults...) {
				return
			}
			for _, c := range v.Closure {
				if !one(Others, c.V) {
					return
				}
			}
		case *Builtin:
			if v.Defaults != nil {
				one(Others, v.Defaults.V)
			}
		case *BoundMethod:
			one(Others, v.Self, v.Func)
		case *Property:
			_ = one(Others, v.Get, v.Set, v.Del, v.Doc) && attrs(Others, v.Attrs)
		case *StaticMethod:
			_ = one(Others, v.Func) && attrs(Others, v.Attrs)
		case *ClassMethod:
			_ = one(Others, v.Func) && attrs(Others, v.Attrs)
		case *Super:
			one(Others, v.Self)
		case *GenericAlias:
			_ = one(Others, v.Origin) && one(Others, v.Args...)
		}
	}
}

// Walk yields v and then what is inside it, to the given depth of nesting: each value
// before its parts, these in the order of PartsOf. Depth 0 is v alone; a choice is no
// nesting, its sides are as deep as itself. A value that is met several times is yielded
// each time, but its parts only where it lies less deep than before, so that the walk
// ends for a list that holds itself and is short for lists that share lists. What lies
// below MaxNesting others comes after all else.
func Walk(v Value, depth int, which Parts) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		w := walker{which: which, yield: yield}
		w.all(v, depth) // short, so that the loops over a walk can be inlined
	}
}

type walker struct {
	which  Parts
	nested int32 // values that the walk is in
	yield  func(Value) bool
	// seen are the values whose parts were yielded, with the depth that was left.
	seen map[Value]int
}

// A late value lies too deep to be walked on the way.
type late struct {
	v     Value
	depth int
}

// all walks v, then what lay too deep.
func (w *walker) all(v Value, depth int) {
	switch v := v.(type) { // most values have no parts
	case Int, Str, Bool, Float, NoneType, *SymInt, *Unknown, DType:
		w.yield(v)
		return
	case *Tensor:
		if w.which&Others == 0 {
			w.yield(v)
			return
		}
	}
	var deep []late // apart from w, so that what w holds need not be on the heap
	if !w.walk(v, depth, &deep) {
		return
	}
	for len(deep) > 0 {
		l := deep[0]
		deep = deep[1:]
		if !w.walk(l.v, l.depth, &deep) {
			return
		}
	}
}

// walk reports whether the walk goes on. What is too deep it adds to deep.
func (w *walker) walk(v Value, depth int, deep *[]late) bool {
	if w.nested >= MaxNesting {
		*deep = append(*deep, late{v, depth})
		return true
	}
	if !w.yield(v) {
		return false
	}
	inside := depth
	if _, ok := v.(*Choice); !ok {
		if depth == 0 {
			return true
		}
		inside = max(depth-1, Deep)
	}
	w.nested++
	entered := false
	for x := range PartsOf(v, w.which) {
		if !entered {
			if entered = true; !w.enter(v, depth) {
				break
			}
		}
		if !w.walk(x, inside, deep) {
			return false
		}
	}
	w.nested--
	return true
}

// enter reports whether the parts of v are to be yielded, and notes that they are.
func (w *walker) enter(v Value, depth int) bool {
	if before, ok := w.seen[v]; ok && before >= depth {
		return false
	}
	if w.seen == nil {
		w.seen = map[Value]int{}
	}
	w.seen[v] = depth
	return true
}
