// This file indexes facts by symbols: a run asks many questions under the same facts, and each touches few of them.

package symshape

import "slices"

// A factIndex says which symbols and conditions of facts depend on which remaining symbols, and what they are where
// those have the values that Pool.others gives them.
type factIndex struct {
	of    *factNode
	atoms []*atom // the user's symbols in the conditions
	exprs []*Expr // of atoms, in the remaining symbols
	at    map[*atom]int
	// values are those of the symbols by name, without those that cannot be computed, which undefined has.
	values    map[string]int64
	undefined []int
	// by are the symbols whose expressions mention a remaining symbol, in the conditions that mention a symbol.
	by      map[*atom][]int
	in      [][]int
	ends    []int // the number of symbols after each condition
	failing []int // the conditions that are not true of values
}

// index is the index of facts, which must not be the zero Facts. The pool keeps the last one, and takes conditions from it and adds
// others where facts express symbols alike: those of two branches, and those before and after a condition is learnt.
func (f Facts) index() *factIndex {
	x := f.n.pool.factIndex
	if x != nil && x.of == f.n {
		return x
	}
	same := 0
	if x != nil && slices.Equal(x.of.subst, f.n.subst) && slices.Equal(x.of.rules, f.n.rules) {
		for same < min(len(x.of.conds), len(f.n.conds)) && x.of.conds[same] == f.n.conds[same] {
			same++
		}
		x.truncate(same)
	} else {
		x = &factIndex{at: map[*atom]int{}, values: map[string]int64{}, by: map[*atom][]int{}}
		f.n.pool.factIndex = x
	}
	x.of = f.n
	reduced := f.symbols()
	for _, c := range f.n.conds[same:] {
		x.add(c, reduced)
	}
	return x
}

// add adds a condition behind the others.
func (x *factIndex) add(c *Cond, reduced func(*atom) *Expr) {
	k := len(x.ends)
	for _, a := range c.symbols() {
		if a.hidden {
			continue
		}
		i, known := x.at[a]
		if !known {
			i = len(x.atoms)
			x.at[a] = i
			e := reduced(a)
			x.atoms, x.exprs, x.in = append(x.atoms, a), append(x.exprs, e), append(x.in, nil)
			for _, v := range e.symbols() {
				x.by[v] = append(x.by[v], i)
			}
			if v, err := e.Eval(x.of.pool.others); err != nil {
				x.undefined = append(x.undefined, i)
			} else {
				x.values[a.name] = v
			}
		}
		x.in[i] = append(x.in[i], k)
	}
	x.ends = append(x.ends, len(x.atoms))
	if ok, err := c.Eval(Env(x.values)); err != nil || !ok {
		x.failing = append(x.failing, k)
	}
}

// truncate leaves the first n conditions.
func (x *factIndex) truncate(n int) {
	conds := x.of.conds
	for k := len(x.ends) - 1; k >= n; k-- {
		for _, a := range conds[k].symbols() {
			if i, ok := x.at[a]; ok {
				x.in[i] = x.in[i][:len(x.in[i])-1]
			}
		}
		if last := len(x.failing) - 1; last >= 0 && x.failing[last] == k {
			x.failing = x.failing[:last]
		}
		from := 0
		if k > 0 {
			from = x.ends[k-1]
		}
		for i := len(x.atoms) - 1; i >= from; i-- {
			delete(x.at, x.atoms[i])
			delete(x.values, x.atoms[i].name)
			for _, v := range x.exprs[i].symbols() {
				x.by[v] = x.by[v][:len(x.by[v])-1]
			}
			if last := len(x.undefined) - 1; last >= 0 && x.undefined[last] == i {
				x.undefined = x.undefined[:last]
			}
		}
		x.atoms, x.exprs, x.in, x.ends = x.atoms[:from], x.exprs[:from], x.in[:from], x.ends[:k]
	}
}

// has reports whether a symbol is in a condition of the facts. A nil index has none.
func (x *factIndex) has(a *atom) bool {
	if x == nil {
		return false
	}
	_, ok := x.at[a]
	return ok
}

// value is the value of a symbol by its name.
func (x *factIndex) value(name string) (int64, bool) {
	if x == nil {
		return 0, false
	}
	v, ok := x.values[name]
	return v, ok
}

// touchedFacts are what depends on some remaining symbols: symbols, as numbers of an index, and conditions. fails says that
// something else is not true, or not defined, of the values in the index.
type touchedFacts struct {
	atoms []int
	conds []*Cond
	fails bool
}

// touched finds what depends on remaining symbols.
func (x *factIndex) touched(vars []*atom) touchedFacts {
	var out touchedFacts
	var conds []int
	for _, v := range vars {
		for _, i := range x.by[v] {
			if !slices.Contains(out.atoms, i) {
				out.atoms = append(out.atoms, i)
				conds = append(conds, x.in[i]...)
			}
		}
	}
	slices.Sort(conds)
	conds = slices.Compact(conds)
	for _, k := range conds {
		out.conds = append(out.conds, x.of.conds[k])
	}
	out.fails = slices.ContainsFunc(x.failing, func(k int) bool { return !slices.Contains(conds, k) }) ||
		slices.ContainsFunc(x.undefined, func(i int) bool { return !slices.Contains(out.atoms, i) })
	return out
}
