package export

// This file finds sizes that meet conditions.

import (
	"slices"

	"shapecheck/symshape"
)

// commonSize is what examples of sizes are at least, where they can.
const commonSize = 8

// maxSizeTrials bounds the sizes that are tried for one class.
const maxSizeTrials = 20_000

// Sizes finds sizes that meet what the model needs and further conditions: of at least commonSize and different ones if possible,
// else from 2 on, else any.
func (e *Entry) Sizes(rest []*symshape.Cond) map[string]int64 {
	for _, least := range []int64{commonSize, 2, 0} {
		if env := e.search(rest, least, nil); env != nil {
			return env
		}
	}
	return nil
}

// search finds sizes of at least so many, and for each symbol at least as many as are said for it.
func (e *Entry) search(rest []*symshape.Cond, least int64, each map[string]int64) map[string]int64 {
	facts := e.Valid
	for _, c := range rest {
		if f, ok := facts.Assume(c); ok {
			facts = f
		}
	}
	known := append(slices.Clone(e.Valid.Conds()), rest...)
	if len(rest) == 0 {
		for _, sym := range e.Symbols {
			if n, ok := e.Given[sym.String()]; ok {
				c := e.th.Pool().Eq(sym, e.th.Pool().Const(n))
				known = append(known, c)
				if f, ok := facts.Assume(c); ok {
					facts = f
				}
			}
		}
	}
	f := &SizeSearch{Facts: facts, Known: known, Symbols: e.Symbols, Env: map[string]int64{}, Least: least, Each: each}
	return f.Find()
}

// A SizeSearch looks for sizes that meet conditions.
type SizeSearch struct {
	// Facts bound the sizes, Known are conditions that they must meet.
	Facts   symshape.Facts
	Known   []*symshape.Cond
	Symbols []*symshape.Expr // whose sizes are looked for
	// Env has sizes of other symbols, and those that are found.
	Env map[string]int64
	// Least is what sizes are at least, Each that for single symbols.
	Least int64
	Each  map[string]int64

	left int
}

// Find finds the sizes; nil: there are none among those that are tried.
func (f *SizeSearch) Find() map[string]int64 {
	if f.left = maxSizeTrials; !f.from(0) {
		return nil
	}
	return f.Env
}

// from finds the sizes of the symbols from the i-th on.
func (f *SizeSearch) from(i int) bool {
	if i == len(f.Symbols) {
		return true
	}
	name := f.Symbols[i].String()
	for _, again := range []bool{false, true} { // sizes that no other symbol has are tried first
		for _, n := range f.candidates(f.Symbols[i]) {
			used := false
			for _, o := range f.Symbols[:i] {
				used = used || f.Env[o.String()] == n
			}
			if used != again {
				continue
			}
			if f.left--; f.left < 0 {
				return false
			}
			f.Env[name] = n
			if f.holds() && f.from(i+1) {
				return true
			}
		}
	}
	delete(f.Env, name)
	return false
}

// holds reports whether no condition is known to fail.
func (f *SizeSearch) holds() bool {
	for _, c := range f.Known {
		if ok, err := c.Eval(symshape.Env(f.Env)); err == nil && !ok {
			return false
		}
	}
	return true
}

// candidates are sizes for a symbol: the least ones, then rounder and larger ones.
func (f *SizeSearch) candidates(sym *symshape.Expr) []int64 {
	lo, hi := f.Facts.Range(sym)
	lo = max(lo, f.Least, f.Each[sym.String()])
	var out []int64
	add := func(n int64) {
		if n >= lo && n <= hi && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	for n := lo; n < lo+24; n++ {
		add(n)
	}
	for step := int64(8); step <= 1024; step *= 2 {
		for n := (lo + step - 1) / step * step; n <= lo+8*step; n += step {
			add(n)
		}
	}
	return out
}
