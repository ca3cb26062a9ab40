package symshape

import (
	"math/rand"
	"slices"
	"testing"
)

// Conditions with many parts, as any() over a symbol makes them, contradict each other as those with few do.
func TestOppositesAmongManyParts(t *testing.T) {
	p := NewPool()
	n := p.Symbol("n")
	for _, size := range []int64{3, manyParts, manyParts + 1, 100} {
		var list []*Cond
		for i := range size {
			list = append(list, p.Eq(n, p.Const(3*i+1)))
		}
		if c := p.Or(list...); len(c.args) != int(size) {
			t.Errorf("%d parts: %v", size, c)
		}
		for _, i := range []int64{0, size / 2, size - 1} {
			if c := p.Or(append(list[:size:size], p.Not(list[i]))...); c != p.Or(p.Not(list[i]), list[i]) {
				t.Errorf("%d parts and the opposite of part %d: %v", size, i, c)
			}
		}
	}
}

// tightenMany keeps what tighten keeps: it is held against parts few enough for that.
func TestManyPartsAreTightenedAsFew(t *testing.T) {
	p := NewPool()
	r := rand.New(rand.NewSource(1))
	forms := []*Expr{p.Symbol("a"), p.Symbol("b"), p.Add(p.Symbol("a"), p.Mul(p.Symbol("b"), p.Const(2)))}
	for range 2000 {
		var list []*Cond
		for range 1 + r.Intn(manyParts) {
			e, n := forms[r.Intn(len(forms))], p.Const(int64(3+r.Intn(4)))
			list = append(list, []*Cond{p.Ge(e, n), p.Eq(e, n), p.Not(p.Eq(e, n))}[r.Intn(3)])
		}
		for _, kind := range []condKind{condAnd, condOr} {
			if few, many := p.tighten(kind, list), p.tightenMany(kind, list); !slices.Equal(few, many) {
				t.Fatalf("%v of %v: %v, with many %v", kind, list, few, many)
			}
		}
	}
}

// A part behind many is added as if all were joined anew.
func TestPartBehindMany(t *testing.T) {
	p := NewPool()
	r := rand.New(rand.NewSource(2))
	forms := []*Expr{p.Symbol("a"), p.Symbol("b"), p.Symbol("c"), p.Add(p.Symbol("a"), p.Symbol("b"))}
	anew := func(kind condKind, all, part *Cond) *Cond {
		args := p.tightenMany(kind, append(slices.Clone(all.args), part))
		if p.oppose(args) {
			return p.Bool(kind == condOr)
		}
		slices.SortStableFunc(args, compareCond)
		return p.formula(kind, args)
	}
	added := 0
	for range 200 {
		kind := []condKind{condAnd, condOr}[r.Intn(2)]
		join := p.And
		if kind == condOr {
			join = p.Or
		}
		all := p.Bool(kind == condAnd)
		for range 40 {
			e, n := forms[r.Intn(len(forms))], p.Const(int64(3+r.Intn(40)))
			part := []*Cond{p.Ge(e, n), p.Eq(e, n), p.Ne(e, n), p.Lt(e, n)}[r.Intn(4)]
			if len(all.args) > manyParts && all.kind == kind {
				want := anew(kind, all, part)
				if got := join(all, part); got != want {
					t.Fatalf("%v with %v: %v, want %v", all, part, got, want)
				}
				added++
			}
			if next := join(all, part); next.kind == kind || len(all.args) == 0 {
				all = next
			}
		}
	}
	if added < 1000 {
		t.Errorf("%d parts were added behind many", added)
	}
}
