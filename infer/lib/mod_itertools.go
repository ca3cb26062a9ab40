package lib

// This file defines itertools: the iterators that pass elements on. Those that
// combine elements are in mod_combinatorics.go.
//
// All are lazy. An input of which the number of elements is not known makes an
// output of the same sort; a predicate that is not decided ends the iteration
// with *value.OpenError, because from there on the elements are not known one
// by one.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// nextFunc gives the next element of an iterator. ok is false at the end.
type nextFunc = func(th value.Thread) (value.Value, bool, error)

// newIter makes an iterator whose elements next gives. State in the closure of next is not restored
// when a branch of the program is undone; the iterator's position is. name is that of the Python
// class, as type() and repr show it.
func newIter(th value.Thread, name string, next nextFunc) *value.Iterator {
	return &value.Iterator{Header: th.Heap().Header(), Name: name, Next: next}
}

// newOpenIter makes an iterator of unknown length whose elements are like elem; n may be unknown,
// too. Its next is not called by loops, which look at Open first.
func newOpenIter(th value.Thread, name string, elem value.Value, n symshape.Dim) *value.Iterator {
	it := newIter(th, name, func(th value.Thread) (value.Value, bool, error) { return elem, true, nil })
	it.Open = &value.Open{Elem: elem, Len: n}
	return it
}

// pull takes the next element of an iterator. One of unknown length is an OpenError, which carries
// what is known of its elements to whoever can go on with that. It is what functions of this file
// use, so that an unknown length spreads from source to result.
func pull(th value.Thread, it *value.Iterator) (value.Value, bool, error) {
	if it.Open != nil {
		return nil, false, &value.OpenError{Open: it.Open}
	}
	return nextOf(th, it)
}

// nextOf takes an element of an iterator, which may go over others: both the depth of calls and the
// steps are counted, since a chain of iterators may be long, and some have no end. It returns the
// errors of the limits, and that of the element's own code.
func nextOf(th value.Thread, it *value.Iterator) (value.Value, bool, error) {
	if err := th.Enter(""); err != nil {
		return nil, false, err
	}
	defer th.Leave()
	if err := th.Step(1); err != nil {
		return nil, false, err
	}
	return it.Next(th)
}

// push appends to a list that grows without a bound of its own: memory is asked for each time that
// it doubles. It returns an error where the memory of the run is used up.
func push(th value.Thread, list []value.Value, v value.Value) ([]value.Value, error) {
	if n := len(list); n == cap(list) {
		if err := th.Alloc(2 * valueBytes * n); err != nil {
			return list, err
		}
	}
	return append(list, v), nil
}

// undecided is the error of an iteration that depends on an undecided condition: an OpenError whose
// elements are not known. what says which function it was, for the report of what is not known.
func undecided(th value.Thread, what string) error {
	return &value.OpenError{Open: &value.Open{Elem: th.Unknown(what)}}
}

// test calls a predicate (nil or None: the value itself) and decides its truth. Where that is not
// decided the iteration ends with the error of undecided. The error is also that of the predicate.
func test(th value.Thread, pred, x value.Value, name string) (bool, error) {
	if isGiven(pred) {
		var err error
		if x, err = th.Call(pred, []value.Value{x}, nil); err != nil {
			return false, err
		}
	}
	b, err := th.Truth(x)
	if err != nil {
		return false, err
	}
	val, known := th.Holds(b)
	if !known {
		return false, undecided(th, name+"() with a condition that is not decided")
	}
	return val, nil
}

// iterAll makes iterators of all values; the first that cannot be iterated is the error.
func iterAll(th value.Thread, vs []value.Value) ([]*value.Iterator, error) {
	its := make([]*value.Iterator, len(vs))
	for i, v := range vs {
		it, err := th.Iter(v)
		if err != nil {
			return nil, err
		}
		its[i] = it
	}
	return its, nil
}

// tupleElems gives the elements of a tuple, and nil for any other value.
func tupleElems(v value.Value) []value.Value {
	if t, ok := v.(*value.Tuple); ok {
		return t.Elems
	}
	return nil
}

// countFrom is itertools.count: it has no end, and adds with the operators of its numbers, which
// may be sizes. cur and step may be anything that can be added.
func countFrom(th value.Thread, cur, step value.Value) *value.Iterator {
	it := newIter(th, "count", func(th value.Thread) (value.Value, bool, error) {
		v := cur
		next, err := th.Binary(ast.Add, cur, step)
		cur = next
		return v, err == nil, err
	})
	// A copy goes on from the present number. It is for copy.copy and copy.deepcopy: copy copies
	// one part.
	it.Copy = func(th value.Thread, copy func(value.Value) (value.Value, error)) (value.Value, error) {
		from, err := copy(cur)
		if err != nil {
			return nil, err
		}
		by, err := copy(step)
		if err != nil {
			return nil, err
		}
		return countFrom(th, from, by), nil
	}
	return it
}

// A cycle is what an itertools.cycle holds.
type cycle struct {
	it    *value.Iterator // nil when it is exhausted
	saved *[]value.Value  // what it gave; a shallow copy has the same list
	i     int             // of the next one in saved
}

// newCycle makes the iterator of itertools.cycle: it keeps what it has passed on, and repeats that from the
// moment its source ends. Its copy shares or copies what is kept, as copy.copy and copy.deepcopy
// ask. A source without elements gives none.
func newCycle(th value.Thread, c *cycle) *value.Iterator {
	it := newIter(th, "cycle", func(th value.Thread) (value.Value, bool, error) {
		if c.it != nil {
			v, ok, err := pull(th, c.it)
			if err != nil {
				return nil, false, err
			}
			if ok {
				if *c.saved, err = push(th, *c.saved, v); err != nil {
					return nil, false, err
				}
				return v, true, nil
			}
			// The source has ended: from now on what was kept is repeated.
			c.it = nil
		}
		if len(*c.saved) == 0 {
			return nil, false, nil
		}
		v := (*c.saved)[c.i]
		c.i = (c.i + 1) % len(*c.saved)
		return v, true, nil
	})
	// copy is copy.copy of a part, or copy.deepcopy.
	it.Copy = func(th value.Thread, copy func(value.Value) (value.Value, error)) (value.Value, error) {
		d := &cycle{saved: c.saved, i: c.i}
		if c.it != nil {
			v, err := copy(c.it)
			if err != nil {
				return nil, err
			}
			var ok bool
			if d.it, ok = v.(*value.Iterator); !ok {
				return th.Unknown("a copy of a cycle of a " + c.it.Name), nil
			}
		}
		// The list is copied in both cases, but used only for a deep copy: a shallow one shares the
		// list of its original.
		var saved []value.Value
		for _, v := range *c.saved {
			x, err := copy(v)
			if err != nil {
				return nil, err
			}
			if saved, err = push(th, saved, x); err != nil {
				return nil, err
			}
		}
		if d.it == nil || d.it != c.it { // a deep copy
			d.saved = &saved
		}
		return newCycle(th, d), nil
	}
	return it
}

// itertoolsModule makes itertools. All of it is lazy as in Python, since models zip a count() or a cycle()
// without an end with a finite list. Where the source has an unknown number of elements (Open), so has the
// result, whose element is the common one; and where a predicate cannot be decided, the iteration ends with a
// value that is not known, because from there on it is not known which elements are passed on.
func itertoolsModule(m *mod) {
	chainClassOf(m)
	// The functions follow the definitions in Python that the documentation of itertools has.
	m.def("count(start?, step?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return countFrom(th, or(a[0], value.Int(0)), or(a[1], value.Int(1))), nil
	})
	m.def("cycle(iterable, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		it, err := th.Iter(a[0])
		if err != nil {
			return nil, err
		}
		// A cycle over an unknown number of elements has them for ever.
		if it.Open != nil {
			return newOpenIter(th, "cycle", it.Open.Elem, symshape.Dim{}), nil
		}
		return newCycle(th, &cycle{it: it, saved: new([]value.Value)}), nil
	})
	m.def("repeat(object, times?)", itertoolsRepeat)
	m.def("accumulate(iterable, func?, *, initial?)", itertoolsAccumulate)
	m.def("starmap(function, iterable, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		it, err := th.Iter(a[1])
		if err != nil {
			return nil, err
		}
		// Each element is the arguments of a call.
		apply := func(th value.Thread, v value.Value) (value.Value, error) {
			args, err := elements(th, v)
			if err != nil {
				return nil, err
			}
			return th.Call(a[0], args, nil)
		}
		return mapIter(th, "starmap", it, apply)
	})
	m.def("takewhile(predicate, iterable, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		it, err := th.Iter(a[1])
		if err != nil {
			return nil, err
		}
		// After the first element that fails no more are looked at. After the end nothing is asked
		// of the source.
		done := false
		return newIter(th, "takewhile", func(th value.Thread) (value.Value, bool, error) {
			if done {
				return nil, false, nil
			}
			v, ok, err := pull(th, it)
			if !ok || err != nil {
				return nil, false, err
			}
			if ok, err = test(th, a[0], v, "takewhile"); !ok || err != nil {
				done = true
				return nil, false, err
			}
			return v, true, nil
		}), nil
	})
	m.def("dropwhile(predicate, iterable, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		it, err := th.Iter(a[1])
		if err != nil {
			return nil, err
		}
		// started turns true at the first element that is passed on; later ones are not tested.
		started := false
		return newIter(th, "dropwhile", func(th value.Thread) (value.Value, bool, error) {
			for {
				v, ok, err := pull(th, it)
				if !ok || err != nil || started {
					return v, ok, err
				}
				drop, err := test(th, a[0], v, "dropwhile")
				if err != nil {
					return nil, false, err
				}
				if !drop {
					started = true
					return v, true, nil
				}
			}
		}), nil
	})
	// filterfalse without a function drops what is true.
	m.def("filterfalse(function, iterable, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		it, err := th.Iter(a[1])
		if err != nil {
			return nil, err
		}
		return newIter(th, "filterfalse", func(th value.Thread) (value.Value, bool, error) {
			for {
				v, ok, err := pull(th, it)
				if !ok || err != nil {
					return nil, false, err
				}
				if skip, err := test(th, a[0], v, "filterfalse"); err != nil || !skip {
					return v, err == nil, err
				}
			}
		}), nil
	})
	// compress ends with the shorter of both; the data are read first, as in CPython.
	m.def("compress(data, selectors)", func(th value.Thread, a []value.Value) (value.Value, error) {
		its, err := iterAll(th, a)
		if err != nil {
			return nil, err
		}
		return newIter(th, "compress", func(th value.Thread) (value.Value, bool, error) {
			for {
				v, ok, err := pull(th, its[0])
				if !ok || err != nil {
					return nil, false, err
				}
				s, ok, err := pull(th, its[1])
				if !ok || err != nil {
					return nil, false, err
				}
				if keep, err := test(th, nil, s, "compress"); err != nil || keep {
					return v, err == nil, err
				}
			}
		}), nil
	})
	m.fn("islice", itertoolsIslice)
	m.def("pairwise(iterable, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		it, err := th.Iter(a[0])
		if err != nil {
			return nil, err
		}
		// Of neighbours in an unknown number of elements it is only known that both are elements.
		if it.Open != nil {
			return newOpenIter(th, "pairwise", value.NewTuple(it.Open.Elem, it.Open.Elem), symshape.Dim{}), nil
		}
		// nil until the first element was read.
		var prev value.Value
		return newIter(th, "pairwise", func(th value.Thread) (value.Value, bool, error) {
			if prev == nil {
				v, ok, err := pull(th, it)
				if !ok || err != nil {
					return nil, false, err
				}
				prev = v
			}
			v, ok, err := pull(th, it)
			if !ok || err != nil {
				return nil, false, err
			}
			pair := value.NewTuple(prev, v)
			prev = v
			return pair, true, nil
		}), nil
	})
	m.def("batched(iterable, n, *, strict?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		it, err := th.Iter(a[0])
		if err != nil {
			return nil, err
		}
		// The last batch may be shorter.
		n, ok := value.AsInt(a[1])
		if !ok {
			return th.Unknown("batched() with an unknown size"), nil
		}
		return newIter(th, "batched", func(th value.Thread) (value.Value, bool, error) {
			var batch []value.Value
			for int64(len(batch)) < n {
				v, ok, err := pull(th, it)
				if err != nil {
					return nil, false, err
				}
				if !ok {
					break
				}
				if batch, err = push(th, batch, v); err != nil {
					return nil, false, err
				}
			}
			// An empty batch is the end.
			return value.NewTuple(batch...), len(batch) > 0, nil
		}), nil
	})
	m.def("tee(iterable, n?, /)", itertoolsTee)
	m.def("zip_longest(*iters, fillvalue?)", itertoolsZipLongest)
	m.def("groupby(iterable, key?)", itertoolsGroupby)
	combinatorics(m)
}

// or is an argument that may be left out, or the value that stands for it then. nil stands for an
// argument that was not given.
func or(v, fallback value.Value) value.Value {
	if v == nil {
		return fallback
	}
	return v
}

// mapIter applies f to each element: once, for what stands for all, where their number is not
// known. The length stays. The error is that of f on the common element; on single elements it
// comes when they are asked for.
func mapIter(th value.Thread, name string, it *value.Iterator, f func(value.Thread, value.Value) (value.Value, error)) (value.Value,
	error) {
	if it.Open != nil {
		v, err := f(th, it.Open.Elem)
		if err != nil {
			return nil, err
		}
		return newOpenIter(th, name, v, it.Open.Len), nil
	}
	return newIter(th, name, func(th value.Thread) (value.Value, bool, error) {
		v, ok, err := pull(th, it)
		if !ok || err != nil {
			return nil, false, err
		}
		v, err = f(th, v)
		return v, err == nil, err
	}), nil
}

// chainClassOf defines chain, a class because of chain.from_iterable. The prelude has no other
// class of itertools with a method of its own.
func chainClassOf(m *mod) {
	c := m.class("chain")
	// The inner iterators are made when their turn comes, since that may have effects. The chain of
	// iterables is itself an iterator, so that from_iterable may take one without an end.
	chain := func(th value.Thread, outer *value.Iterator) *value.Iterator {
		var cur *value.Iterator
		return newIter(th, "chain", func(th value.Thread) (value.Value, bool, error) {
			for {
				if cur == nil {
					v, ok, err := pull(th, outer)
					if !ok || err != nil {
						return nil, false, err
					}
					if cur, err = th.Iter(v); err != nil {
						return nil, false, err
					}
				}
				v, ok, err := pull(th, cur)
				if ok || err != nil {
					return v, ok, err
				}
				cur = nil
			}
		})
	}
	rawMethod(m.th, c, "__new__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		rest := args[1:]
		// A chain of one iterable of unknown length is that iterable.
		if len(rest) == 1 {
			if it, err := th.Iter(rest[0]); err == nil && it.Open != nil {
				return it, nil
			}
		}
		i := 0
		// The arguments as an iterator; the position is kept in its closure.
		return chain(th, newIter(th, "tuple_iterator", func(th value.Thread) (value.Value, bool, error) {
			if i == len(rest) {
				return nil, false, nil
			}
			i++
			return rest[i-1], true, nil
		})), nil
	})
	c.Attrs.Set(m.th.Heap(), "from_iterable", &value.StaticMethod{Func: defFunc("chain", "from_iterable(iterable, /)",
		func(th value.Thread, a []value.Value) (value.Value, error) {
			outer, err := th.Iter(a[0])
			if err != nil {
				return nil, err
			}
			// Of an unknown number of iterables the length is not known; their elements are, where
			// they are of one type.
			if outer.Open != nil {
				if inner, err := th.Iter(outer.Open.Elem); err == nil && inner.Open != nil {
					return newOpenIter(th, "chain", inner.Open.Elem, symshape.Dim{}), nil
				}
				return newOpenIter(th, "chain", th.Unknown("elements of an unknown number of iterables"), symshape.Dim{}), nil
			}
			return chain(th, outer), nil
		})})
}

// itertoolsRepeat without a number has no end. A number that is a size of a tensor gives an iterator of that
// length. A negative number is none at all.
func itertoolsRepeat(th value.Thread, a []value.Value) (value.Value, error) {
	if a[1] == nil {
		return newIter(th, "repeat", func(th value.Thread) (value.Value, bool, error) { return a[0], true, nil }), nil
	}
	n, err := toIndex(th, a[1])
	if err != nil {
		return nil, err
	}
	// A number that is a size of the model: so many elements, which are all the same object. The
	// elements are the same, whatever their number is.
	times, ok := n.(value.Int)
	if !ok {
		d, _ := value.AsDim(th.Pool(), n)
		return newOpenIter(th, "repeat", a[0], d), nil
	}
	return newIter(th, "repeat", func(th value.Thread) (value.Value, bool, error) {
		if times <= 0 {
			return nil, false, nil
		}
		times--
		return a[0], true, nil
	}), nil
}

// itertoolsAccumulate adds up where no function is passed. The first result is the first element, or initial,
// for which nothing is called. It returns the error of an object that cannot be iterated over.
func itertoolsAccumulate(th value.Thread, a []value.Value) (value.Value, error) {
	it, err := th.Iter(a[0])
	if err != nil {
		return nil, err
	}
	// A sum of an unknown number of elements is not known.
	if it.Open != nil {
		return newOpenIter(th, "accumulate", th.Unknown("accumulate() over an unknown number of elements"), it.Open.Len), nil
	}
	// initial of None counts as not given.
	acc := a[2]
	first := isGiven(acc)
	if !first {
		acc = nil
	}
	return newIter(th, "accumulate", func(th value.Thread) (value.Value, bool, error) {
		if first {
			first = false
			return acc, true, nil
		}
		v, ok, err := pull(th, it)
		if !ok || err != nil {
			return nil, false, err
		}
		// The first element needs no call.
		switch {
		case acc == nil:
			acc = v
		case isGiven(a[1]):
			acc, err = th.Call(a[1], []value.Value{acc, v}, nil)
		default:
			acc, err = th.Binary(ast.Add, acc, v)
		}
		return acc, err == nil, err
	}), nil
}

// itertoolsIslice counts elements that it drops like those that it passes on: they are taken from the source
// either way, which programs that go on with the source can see. Bounds that are no constants make a result of
// unknown length. It raises a ValueError for negative bounds and a TypeError for another number of
// arguments.
func itertoolsIslice(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	if len(args) < 2 || len(args) > 4 {
		return nil, th.Raise("TypeError", "islice expected 2 to 4 arguments, got %d", len(args))
	}
	it, err := th.Iter(args[0])
	if err != nil {
		return nil, err
	}
	// With one bound it is stop; otherwise the places are start, stop, step.
	bounds := [3]int64{0, -1, 1} // start, stop (-1: none), step
	for i, v := range args[1:] {
		if v == value.None {
			continue
		}
		n, ok := v.(value.Int)
		if !ok {
			if _, err := toIndex(th, v); err != nil {
				return nil, err
			}
			return newOpenIter(th, "islice", th.Unknown("islice() with bounds that are not known"), symshape.Dim{}), nil
		}
		if n < 0 {
			if len(args) == 2 {
				return nil, th.Raise("ValueError", "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
			}
			return nil, th.Raise("ValueError", "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
		}
		if len(args) == 2 {
			bounds[1] = int64(n)
		} else {
			bounds[i] = int64(n)
		}
	}
	if it.Open != nil {
		return newOpenIter(th, "islice", it.Open.Elem, symshape.Dim{}), nil
	}
	// pos is the number of elements taken, next the number of the one to pass on.
	pos, next := int64(0), bounds[0]
	return newIter(th, "islice", func(th value.Thread) (value.Value, bool, error) {
		for {
			if bounds[1] >= 0 && next >= bounds[1] {
				return nil, false, nil
			}
			v, ok, err := pull(th, it)
			if !ok || err != nil {
				return nil, false, err
			}
			pos++
			if pos-1 == next {
				next += bounds[2]
				return v, true, nil
			}
		}
	}), nil
}

// teeBytes is what one iterator of tee takes. It is an estimate for the limit on memory.
const teeBytes = 256

// tee: what the foremost of the iterators has read is kept for the others in one buffer. The buffer
// grows for ever, as what all have read is not dropped. A negative n is a ValueError.
func itertoolsTee(th value.Thread, a []value.Value) (value.Value, error) {
	it, err := th.Iter(a[0])
	if err != nil {
		return nil, err
	}
	n := int64(2)
	if a[1] != nil {
		var ok bool
		if n, ok = value.AsInt(a[1]); !ok {
			return th.Unknown("tee() into an unknown number of iterators"), nil
		}
		if n < 0 {
			return nil, th.Raise("ValueError", "n must be >= 0")
		}
	}
	// The memory is asked for with n bounded, so that the multiplication cannot overflow.
	if err := th.Alloc(int(min(n, maxElems)) * teeBytes); err != nil {
		return nil, err
	}
	if n > maxElems {
		return th.Unknown("a tuple is too long"), nil
	}
	var buffer []value.Value
	out := make([]value.Value, n)
	for i := range out {
		// The position of each iterator is its own.
		pos := 0
		if it.Open != nil {
			out[i] = newOpenIter(th, "tee", it.Open.Elem, it.Open.Len)
			continue
		}
		out[i] = newIter(th, "tee", func(th value.Thread) (value.Value, bool, error) {
			if pos == len(buffer) {
				v, ok, err := pull(th, it)
				if !ok || err != nil {
					return nil, false, err
				}
				if buffer, err = push(th, buffer, v); err != nil {
					return nil, false, err
				}
			}
			pos++
			return buffer[pos-1], true, nil
		})
	}
	return value.NewTuple(out...), nil
}

// zip_longest ends when all have ended; an iterator that has ended is not asked again. The rows of
// sources of unknown length end with an OpenError.
func itertoolsZipLongest(th value.Thread, a []value.Value) (value.Value, error) {
	fill := or(a[1], value.None)
	its, err := iterAll(th, tupleElems(a[0]))
	if err != nil {
		return nil, err
	}
	// done says of each source whether it has ended.
	done := make([]bool, len(its))
	return newIter(th, "zip_longest", func(th value.Thread) (value.Value, bool, error) {
		row, live := make([]value.Value, len(its)), false
		for i, it := range its {
			row[i] = fill
			if done[i] {
				continue
			}
			v, ok, err := pull(th, it)
			if err != nil {
				return nil, false, err
			}
			if done[i] = !ok; ok {
				row[i], live = v, true
			}
		}
		return value.NewTuple(row...), live, nil
	}), nil
}

// groupby follows CPython's groupbyobject: the groups and the outer iterator share one source, so that a group
// is used up as soon as the next one is asked for. Serial tells an old group's iterator that it is
// out of date. A key whose equality is not decided ends the iteration. The keys are compared by ==,
// and the key of the group is that of its last element read.
func itertoolsGroupby(th value.Thread, a []value.Value) (value.Value, error) {
	it, err := th.Iter(a[0])
	if err != nil {
		return nil, err
	}
	var key, elem value.Value // of the element that was read ahead; nil at the start
	serial, ended := 0, false
	// advance reads the next element and says whether it belongs to the group of the one before.
	advance := func(th value.Thread) (same bool, err error) {
		v, ok, err := pull(th, it)
		if err != nil || !ok {
			ended = !ok
			return false, err
		}
		k := v
		if isGiven(a[1]) {
			if k, err = th.Call(a[1], []value.Value{v}, nil); err != nil {
				return false, err
			}
		}
		if key != nil {
			eq, err := th.Compare(ast.Eq, key, k)
			if err != nil {
				return false, err
			}
			if same, err = test(th, nil, eq, "groupby"); err != nil {
				return false, err
			}
		}
		key, elem = k, v
		return same, nil
	}
	inGroup := false
	return newIter(th, "groupby", func(th value.Thread) (value.Value, bool, error) {
		serial++
		for key == nil || inGroup { // skip what is left of the group
			same, err := advance(th)
			if err != nil || ended {
				return nil, false, err
			}
			if inGroup = same; !same {
				break
			}
		}
		if ended {
			return nil, false, nil
		}
		// fresh: the first element of the group was read already.
		mine, fresh := serial, true
		inGroup = true
		group := newIter(th, "_grouper", func(th value.Thread) (value.Value, bool, error) {
			if mine != serial || ended || !fresh && !inGroup {
				return nil, false, nil
			}
			if !fresh {
				same, err := advance(th)
				if err != nil || ended || !same {
					inGroup = false
					return nil, false, err
				}
			}
			fresh = false
			return elem, true, nil
		})
		return value.NewTuple(key, group), true, nil
	}), nil
}
