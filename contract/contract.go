// Package contract reduces the conditions that a run met to the contract of the
// entry: the weakest conditions on its symbols under which the run has no shape
// error, simplified and without redundant ones. It takes an infer.Result; Of is
// the way in (contract.go). The steps are in reduce.go, the lines that need a
// condition in because.go, other notations of a contract in export.go, the
// comparison with one that was written down in same.go, the warning of ties in tied.go,
// results under the contract in results.go.
// For people lines.go joins conditions of a kind, and example.go gives sizes that fit, by what sizes are usual (usual.go).
package contract

// This file holds the model and the entry point.

import (
	"slices"
	"sort"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A Contract is a conjunction of conditions.
type Contract struct {
	Conditions []Condition
	// Never is set when no sizes satisfy the conditions.
	Never bool
	// Given are the conditions that the user vouched for; the others are
	// simplified by them.
	Given []*symshape.Cond
}

// A Condition is one condition and the places that need it.
type Condition struct {
	Cond    *symshape.Cond
	Because []Reason
	// Training says that it is needed in training alone.
	Training bool
}

// A Reason is a place that needs a condition, and what needs it there, such as
// "cat needs 2*(H//2) = H"; empty where it is not known.
type Reason struct {
	At   source.Span
	What string
}

// Of computes the contract of a run. Conditions of paths that elements of tensors decide are part of it where all of
// them can be: else each is needed for other elements.
func Of(r *infer.Result) *Contract {
	out := &Contract{Given: r.Assumed}
	b := newBuilder(r, true)
	if !b.reduce() {
		b = newBuilder(r, false)
		out.Never = !b.reduce()
	}
	out.Conditions = b.conditions()
	return out
}

// newBuilder takes the conditions of a run, but for those whose violation is reported as an
// exception that nobody catches, and the assumptions as facts that need not be stated again. Those of paths that
// elements of tensors decide are taken with onData alone.
func newBuilder(r *infer.Result, onData bool) *builder {
	b := &builder{pool: r.Pool}
	for _, c := range r.Contract {
		if !failed(r, c) && (onData || !c.OnData) {
			b.raw = append(b.raw, c)
		}
	}
	for _, c := range r.Assumed {
		b.base, _ = b.base.Assume(c)
	}
	return b
}

// failed reports whether c is what made an assertion fail with the given sizes.
func failed(r *infer.Result, c infer.Condition) bool {
	for _, d := range r.Diagnostics {
		if d.Code == diag.UncaughtRaise && d.At.Start <= c.At.Start && c.At.End <= d.At.End {
			return true
		}
	}
	return false
}

// Check adds an error to the result's diagnostics when no sizes satisfy the
// conditions that its lines need, else a warning for each declared size that they tie.
func Check(r *infer.Result) {
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Error {
			return // the conditions of a run that fails are not all
		}
	}
	b := newBuilder(r, false)
	if b.reduce() {
		b.ties(r)
		return
	}
	if len(b.clash) == 0 {
		return
	}
	last := b.raw[b.clash[len(b.clash)-1]]
	d := diag.New(diag.ShapeMismatch, last.At, "no sizes satisfy this together with what other lines need: "+last.Cond.String(), last.Cond).
		Measured("no sizes satisfy this", last.Cond)
	d.Sizes.Numbered = last.Cond.ComparesNumber()
	for _, i := range b.clash[:len(b.clash)-1] {
		d.Related = append(d.Related, diag.Related{At: b.raw[i].At, Msg: "needs " + b.raw[i].Cond.String()})
	}
	r.Diagnostics = append(r.Diagnostics, d)
}

// conditions gives the parts in canonical order: those on one symbol and the
// definitions by their first symbol, then the others; what training needs comes last.
func (b *builder) conditions() []Condition {
	order := map[*symshape.Expr]int{}
	for i, s := range b.pool.Symbols() {
		order[s] = i
	}
	key := func(c *symshape.Cond) (first, n int, other bool) {
		syms := c.Symbols()
		if len(syms) == 0 {
			return 0, 0, false
		}
		def, _ := c.Definition()
		return order[syms[0]], len(syms), len(syms) > 1 && def == nil
	}
	parts := append([]part(nil), b.parts...)
	sort.SliceStable(parts, func(i, j int) bool {
		fi, ni, oi := key(parts[i].cond)
		fj, nj, oj := key(parts[j].cond)
		if oi != oj {
			return oj
		}
		if fi != fj {
			return fi < fj
		}
		return ni < nj
	})
	var out []Condition
	for _, p := range parts {
		needed := b.needed(p)
		out = append(out, Condition{Cond: p.cond, Because: b.because(needed, p.cond), Training: b.inTraining(needed)})
	}
	slices.SortStableFunc(out, func(x, y Condition) int {
		switch {
		case x.Training == y.Training:
			return 0
		case x.Training:
			return 1
		}
		return -1
	})
	return out
}

// inTraining reports whether only training needs these raw conditions.
func (b *builder) inTraining(list []int) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(i int) bool { return !b.raw[i].InTraining() })
}
