package lib

// This file defines the iterators of itertools that combine elements. The
// pools are read at once, as in CPython; the combinations are made one by one. Their position is kept in the closures (idx, state) and not in the iterator.

import "shapecheck/infer/value"

// combinatorics defines product, permutations and combinations of itertools. They need all elements at once,
// unlike the others of the module, and their results grow fast, so memory is asked for before
// anything is made. The order of results is the lexicographic order of positions, as documented.
func combinatorics(m *mod) {
	m.fn("product", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		repeat := int64(1)
		for _, k := range kw {
			if k.Name != "repeat" {
				return nil, th.Raise("TypeError", "product() got an unexpected keyword argument '%s'", k.Name)
			}
			n, err := m.w.wantIndex(th, k.Value)
			if err != nil {
				return nil, err
			}
			v, ok := value.AsInt(n)
			if !ok {
				return th.Unknown("how often product() repeats"), nil
			}
			repeat = v
		}
		var once, pools [][]value.Value
		for _, a := range args {
			p, err := elements(th, a)
			if err != nil {
				return openResult(th, "product", err)
			}
			once = append(once, p)
		}
		if repeat < 0 {
			return nil, th.Raise("ValueError", "repeat argument cannot be negative")
		}
		// Four words for each pool.
		if fits, err := elemsFit(th, int(repeat), 4*len(once)); !fits || err != nil {
			return th.Unknown("product() of too many iterables"), err
		}
		for range repeat {
			pools = append(pools, once...)
		}
		idx := make([]int, len(pools))
		state := starting
		return newIter(th, "product", func(th value.Thread) (value.Value, bool, error) {
			if state == starting {
				state = running
				for _, p := range pools {
					if len(p) == 0 {
						state = ended
					}
				}
			} else if state == running {
				// The last position moves fastest.
				i := len(idx) - 1
				for ; i >= 0; i-- {
					if idx[i]++; idx[i] < len(pools[i]) {
						break
					}
					idx[i] = 0
				}
				if i < 0 {
					state = ended
				}
			}
			if state == ended {
				return nil, false, nil
			}
			row := make([]value.Value, len(idx))
			for i, j := range idx {
				row[i] = pools[i][j]
			}
			return value.NewTuple(row...), true, th.Step(len(row) / 16)
		}), nil
	})
	// The indices are strictly rising.
	m.def("combinations(iterable, r)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return choose(th, "combinations", a[0], a[1], func(idx []int, n int) bool {
			for i := len(idx) - 1; i >= 0; i-- {
				if idx[i] < n-len(idx)+i {
					idx[i]++
					for j := i + 1; j < len(idx); j++ {
						idx[j] = idx[j-1] + 1
					}
					return true
				}
			}
			return false
		}, true)
	})
	// The indices do not fall.
	m.def("combinations_with_replacement(iterable, r)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return choose(th, "combinations_with_replacement", a[0], a[1], func(idx []int, n int) bool {
			for i := len(idx) - 1; i >= 0; i-- {
				if idx[i] < n-1 {
					k := idx[i] + 1
					for j := i; j < len(idx); j++ {
						idx[j] = k
					}
					return true
				}
			}
			return false
		}, false)
	})
	// Without r all elements are taken.
	m.def("permutations(iterable, r?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return choose(th, "permutations", a[0], a[1], nextPermutation, true)
	})
}

// The states of such an iterator.
const (
	starting = iota
	running
	ended
)

// openResult makes the result for pools of unknown size. Another error is returned as it is.
func openResult(th value.Thread, name string, err error) (value.Value, error) {
	if isOpen(err) {
		return th.Unknown(name + "() of an unknown number of elements"), nil
	}
	return nil, err
}

// choose iterates over selections of r elements; next steps the indices. With
// distinct, no element is taken twice, so that r is at most the pool's size. ValueError for a
// negative r.
func choose(th value.Thread, name string, iterable, r value.Value, next func(idx []int, n int) bool, distinct bool) (value.Value, error) {
	pool, err := elements(th, iterable)
	if err != nil {
		return openResult(th, name, err)
	}
	k := int64(len(pool))
	if isGiven(r) {
		var ok bool
		if k, ok = value.AsInt(r); !ok {
			return th.Unknown(name + "() of an unknown number of elements"), nil
		}
		if k < 0 {
			return nil, th.Raise("ValueError", "r must be non-negative")
		}
	}
	state := starting
	// Nothing can be chosen.
	if distinct && k > int64(len(pool)) || len(pool) == 0 && k > 0 {
		state = ended
	}
	if fits, err := elemsFit(th, int(k), 1); state == starting && !fits || err != nil {
		return th.Unknown(name + "() of too many elements"), err
	}
	var idx []int
	return newIter(th, name, func(th value.Thread) (value.Value, bool, error) {
		switch state {
		case starting:
			idx = make([]int, k)
			for i := range idx {
				if distinct {
					idx[i] = i
				}
			}
			state = running
		case running:
			if !next(idx, len(pool)) {
				state = ended
			}
		}
		if state == ended {
			return nil, false, nil
		}
		if err := th.Alloc(int(k) * valueBytes); err != nil {
			return nil, false, err
		}
		row := make([]value.Value, k)
		for i, j := range idx {
			row[i] = pool[j]
		}
		return value.NewTuple(row...), true, th.Step((len(row) + len(pool)) / 16)
	}), nil
}

// nextPermutation steps to the next selection of len(idx) different numbers
// below n in lexicographic order. False after the last one. n may be greater than len(idx).
func nextPermutation(idx []int, n int) bool {
	used := make([]bool, n)
	for _, j := range idx {
		used[j] = true
	}
	// The last index that can grow does, and those after it become the least ones that are free.
	for i := len(idx) - 1; i >= 0; i-- {
		used[idx[i]] = false
		for j := idx[i] + 1; j < n; j++ {
			if used[j] {
				continue
			}
			idx[i] = j
			used[j] = true
			for k := i + 1; k < len(idx); k++ {
				for l := range n {
					if !used[l] {
						idx[k] = l
						used[l] = true
						break
					}
				}
			}
			return true
		}
	}
	return false
}
