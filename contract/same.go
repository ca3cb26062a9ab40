package contract

// This file compares contracts that were written down with contracts that were
// found.

import (
	"fmt"

	"shapecheck/symshape"
)

// Same reports whether two lists of conditions mean the same: each condition of
// one follows from all of the other. What cannot be proved counts as different,
// unless it is written alike. It returns an error for the first text that is no condition.
func Same(a, b []string) (bool, error) {
	p := symshape.NewPool()
	first, err := conditions(p, a)
	if err != nil {
		return false, err
	}
	second, err := conditions(p, b)
	if err != nil {
		return false, err
	}
	return implies(first, second) && implies(second, first), nil
}

func conditions(p *symshape.Pool, list []string) ([]*symshape.Cond, error) {
	out := make([]*symshape.Cond, len(list))
	for i, text := range list {
		c, err := p.ParseCond(text)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		out[i] = c
	}
	return out, nil
}

func implies(given, wanted []*symshape.Cond) bool {
	var facts symshape.Facts
	written := map[*symshape.Cond]bool{}
	for _, c := range given {
		written[c] = true
		next, ok := facts.Assume(c)
		if !ok {
			return true // nothing holds
		}
		facts = next
	}
	for _, c := range wanted {
		if !written[c] && facts.Decide(c).Answer != symshape.Yes {
			return false
		}
	}
	return true
}
