package infer

// This file counts the iterations of while loops such as "while len(out) < n", in
// which a number that the loop is left by changes by the same amount each time.

import (
	"math"

	"shapecheck/symshape"
)

// grown is what a symbol stands for after k iterations, if that is known.
func (fx *fixpoint) grown(s, k *symshape.Expr) *symshape.Expr {
	d, start := fx.step[s], fx.start[s]
	if d == nil || start == nil || fx.syms[start] {
		return nil
	}
	return fx.in.pool.Add(start, fx.in.pool.Mul(d, k))
}

// trips counts the iterations of a loop that does nothing else than run its body until
// a test fails; nil when that is not known.
func (fx *fixpoint) trips(comps []*completion) *symshape.Expr {
	if len(comps) != 1 || comps[0].flow != exhausts || len(comps[0].changes) > 0 {
		return nil
	}
	p := fx.in.pool
	left := p.Not(comps[0].cond).NonNegative()
	if left == nil {
		return nil
	}
	for _, s := range left.Symbols() {
		// What an iteration makes anew is no number that the loop lessens.
		if s.IsFresh() && (!fx.syms[s] || fx.grown(s, p.Const(0)) == nil) {
			return nil
		}
	}
	after := func(k *symshape.Expr) *symshape.Expr {
		return p.Subst(left, func(s *symshape.Expr) *symshape.Expr { return fx.grown(s, k) })
	}
	k := p.FreshIn("k", 0, math.MaxInt32)
	by, ok := p.Sub(after(k), after(p.Add(k, p.Const(1)))).Const()
	if !ok || by <= 0 {
		return nil
	}
	return p.Max(p.Add(p.FloorDiv(after(p.Const(0)), p.Const(by)), p.Const(1)), p.Const(0))
}
