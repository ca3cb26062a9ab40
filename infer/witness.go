package infer

// This file finds the sizes that an error depends on: those at which it happens,
// and the nearest ones at which the operation is right.

import (
	"fmt"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A refusal is a condition that the last operation needed and that does not hold.
type refusal struct {
	cond *symshape.Cond
	at   source.Span
}

// Refused notes a condition that does not hold, for the note of the fault that follows. A trace relies on it where the program
// catches that.
func (in *Interp) Refused(c *symshape.Cond) {
	in.refused = refusal{c, in.Here()}
	for _, t := range in.tracers.all {
		t.Refuse(c)
	}
}

const (
	// maxTrials bounds the assignments that are tried for one note.
	maxTrials = 4000
	// maxWitnessSize bounds the sizes in such an assignment.
	maxWitnessSize = 1 << 12
)

// explainSizes adds a note to a fault of shapes that depends on the sizes.
func (cf *controlFlow) explainSizes(d *diag.Diagnostic) {
	r := cf.refused
	cf.refused = refusal{}
	if r.at != d.At {
		r.cond = nil
	}
	d.Fact.OnPath = len(cf.path.conds) > 0
	if r.cond == nil && len(cf.path.conds) == 0 || cf.trial > 0 || cf.quiet > 0 || cf.in.advice.busy {
		return
	}
	switch d.Code {
	case diag.ShapeMismatch, diag.RankMismatch, diag.InvalidSize, diag.ReshapeMismatch, diag.DimOutOfRange, diag.DTypeMismatch:
	default:
		return
	}
	w := witness{known: cf.path.facts.Conds(), trials: maxTrials}
	// What is wrong for all sizes happens where the path leads here.
	fixed := r.cond == nil || len(r.cond.Symbols()) == 0
	if len(cf.in.examples) > 0 {
		if fixed {
			return
		}
		w.want = r.cond
		w.syms = r.cond.Symbols()
		w.start = cf.in.examples
	} else if len(cf.path.conds) > 0 {
		// It fails for all sizes that come here: it works for those that do not.
		here := cf.pool.And(cf.path.conds...)
		w.want = cf.pool.Not(here)
		w.syms = here.Symbols()
		w.known = nil
		for _, c := range cf.path.facts.Conds() {
			if !hasCond(cf.path.conds, c) {
				w.known = append(w.known, c)
			}
		}
		if w.start = w.smallest(here); w.start == nil {
			return
		}
	}
	if len(w.syms) == 0 || len(w.syms) > 3 || w.want == nil {
		return
	}
	for _, s := range w.syms {
		if _, ok := w.start[s.String()]; !ok {
			return
		}
	}
	pass := w.nearest()
	if pass == nil {
		return
	}
	if fixed {
		d.Notes = append(d.Notes, fmt.Sprintf("this line is reached at %s, not at %s", w.text(w.start), w.text(pass)))
		return
	}
	fails := w.text(w.start)
	if len(cf.in.examples) > 0 {
		w.trials = maxTrials
		if least := w.smallest(cf.pool.Not(r.cond)); least != nil && w.text(least) != fails {
			fails += " and first at " + w.text(least)
		}
	}
	d.Notes = append(d.Notes, fmt.Sprintf("fails at %s; this line is right at %s", fails, w.text(pass)))
}

func hasCond(list []*symshape.Cond, c *symshape.Cond) bool {
	for _, x := range list {
		if x == c {
			return true
		}
	}
	return false
}

// A witness is a search for sizes.
type witness struct {
	want   *symshape.Cond
	known  []*symshape.Cond
	syms   []*symshape.Expr
	start  map[string]int64
	trials int
}

// holds evaluates c and the known conditions. A condition on symbols without
// values says nothing.
func (w *witness) holds(c *symshape.Cond, env map[string]int64) bool {
	w.trials--
	if ok, err := c.Eval(symshape.Env(env)); err != nil || !ok {
		return false
	}
	for _, k := range w.known {
		if ok, err := k.Eval(symshape.Env(env)); err == nil && !ok {
			return false
		}
	}
	return true
}

// nearest finds sizes that are right by changing one symbol as little as
// possible, or all those of equal size together.
func (w *witness) nearest() map[string]int64 {
	var groups [][]string
	for i, s := range w.syms {
		name := s.String()
		groups = append(groups, []string{name})
		same := []string{name}
		for _, t := range w.syms[i+1:] {
			if w.start[t.String()] == w.start[name] {
				same = append(same, t.String())
			}
		}
		if len(same) > 1 {
			groups = append(groups, same)
		}
	}
	for d := int64(1); d <= maxWitnessSize && w.trials > 0; d++ {
		for _, g := range groups {
			for _, n := range [...]int64{w.start[g[0]] - d, w.start[g[0]] + d} {
				if n < 1 {
					continue
				}
				env := w.with(g, n)
				if w.holds(w.want, env) {
					return env
				}
			}
		}
	}
	return nil
}

// smallest finds the smallest sizes for which c holds: all symbols alike, or all
// but one 1.
func (w *witness) smallest(c *symshape.Cond) map[string]int64 {
	w.start = map[string]int64{}
	var all []string
	for _, s := range w.syms {
		all = append(all, s.String())
		w.start[s.String()] = 1
	}
	for n := int64(1); n <= maxWitnessSize && w.trials > maxTrials/2; n++ {
		for _, name := range all {
			if env := w.with([]string{name}, n); w.holds(c, env) {
				return env
			}
		}
		if env := w.with(all, n); w.holds(c, env) {
			return env
		}
	}
	return nil
}

func (w *witness) with(names []string, n int64) map[string]int64 {
	env := make(map[string]int64, len(w.start))
	for k, v := range w.start {
		env[k] = v
	}
	for _, name := range names {
		env[name] = n
	}
	return env
}

func (w *witness) text(env map[string]int64) string {
	var parts []string
	for _, s := range w.syms {
		parts = append(parts, fmt.Sprintf("%s=%d", s, env[s.String()]))
	}
	return strings.Join(parts, ", ")
}
