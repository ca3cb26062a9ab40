package contract

// This file finds the lines that need a condition.

import (
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// maxCulprits is the number of raw conditions up to which the smallest set that
// implies a condition is looked for.
const maxCulprits = 12

// because gives the places of the raw conditions that need a condition.
func (b *builder) because(needed []int, cond *symshape.Cond) []Reason {
	var out []Reason
	seen := map[source.Span]bool{}
	for _, i := range needed {
		if at := b.raw[i].At; !seen[at] {
			seen[at] = true
			out = append(out, Reason{at, what(&b.raw[i], cond)})
		}
	}
	return out
}

// maxWhat is the length of the longest condition that is written out as a reason.
const maxWhat = 160

// what says what needs a raw condition that a part of the contract stands for.
func what(raw *infer.Condition, part *symshape.Cond) string {
	if raw.Op == "" {
		return raw.Why
	}
	op := strings.Trim(raw.Op[strings.LastIndexByte(raw.Op, '.')+1:], "_")
	needs := raw.Why
	if needs == "" {
		needs = raw.Cond.String()
	}
	text := part.String()
	if needs == text || needs == strings.Replace(text, " == ", " = ", 1) || len(needs) > maxWhat {
		return op
	}
	return op + " needs " + needs
}

// needed finds the raw conditions that a part stands for: those that need it by themselves, else those that need it
// together. It goes by their places: one line of a loop may need a dozen conditions.
func (b *builder) needed(x part) []int {
	var places []source.Span
	byPlace := map[source.Span][]int{}
	for _, i := range x.from {
		at := b.raw[i].At
		if byPlace[at] == nil {
			places = append(places, at)
		}
		byPlace[at] = append(byPlace[at], i)
	}
	if len(places) < 2 || len(places) > maxCulprits {
		return x.from
	}
	base := b.base
	for _, d := range b.defs {
		if d.cond != x.cond {
			base, _ = base.Assume(d.cond)
		}
	}
	conds := make([]*symshape.Cond, len(places))
	all := make([]int, len(places))
	var alone []int
	for k, at := range places {
		all[k] = k
		var here []*symshape.Cond
		for _, i := range byPlace[at] {
			here = append(here, b.implication(b.raw[i]))
		}
		conds[k] = b.pool.And(here...)
		if f, ok := base.Assume(conds[k]); ok && f.Decide(x.cond).Answer == symshape.Yes {
			alone = append(alone, byPlace[at]...)
		}
	}
	if len(alone) > 0 {
		return alone
	}
	var out []int
	for _, k := range deletion(all, func(keep []int) bool {
		f := base
		for _, k := range keep {
			f, _ = f.Assume(conds[k])
		}
		return f.Decide(x.cond).Answer == symshape.Yes
	}) {
		out = append(out, byPlace[places[k]]...)
	}
	return out
}

// culprits gives few raw conditions that contradict each other, x's among them.
func (b *builder) culprits(x part) []int {
	all := x.from
	for _, d := range append(b.defs, b.parts...) {
		all = union(all, d.from)
	}
	if len(all) > 2*maxCulprits {
		return all
	}
	return deletion(all, func(keep []int) bool {
		sub := &builder{pool: b.pool, base: b.base, raw: nil}
		for _, i := range keep {
			sub.raw = append(sub.raw, b.raw[i])
		}
		return !sub.consistent()
	})
}

// consistent reports whether the raw conditions, assumed one after the other, do
// not contradict each other.
func (b *builder) consistent() bool {
	f := b.base
	var all []*symshape.Cond
	for _, r := range b.raw {
		c := b.implication(r)
		var ok bool
		if f, ok = f.Assume(c); !ok {
			return false
		}
		all = append(all, c)
	}
	return b.base.Decide(b.pool.And(all...)).Answer != symshape.No
}

// deletion removes what is not needed for test to hold, from the front. Without
// any that can go it returns all.
func deletion(all []int, test func(keep []int) bool) []int {
	keep := all
	for _, i := range all {
		var fewer []int
		for _, j := range keep {
			if j != i {
				fewer = append(fewer, j)
			}
		}
		if len(fewer) > 0 && test(fewer) {
			keep = fewer
		}
	}
	return keep
}
