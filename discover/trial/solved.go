package trial

// This file finds the numbers of a constructor with which an entry runs, where those that were guessed do not agree with the program: the
// contract of a run in which they are symbols tells them.

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer"
)

// maxSolved bounds a number that a contract tells.
const maxSolved = 1 << 14

// solved is a clean run with the numbers that the contract of a run with open numbers asks for; nil where the run is clean already, or
// there is none.
func (t *trial) solved(run func(choice) (*trial, error)) (*trial, error) {
	if t == nil || t.err != nil || t.clean() || t.res.Exceeded || len(t.fill.made) == 0 || !t.fill.numbersAlone() {
		return nil, nil
	}
	c := t.fill.choice
	c.constructor = infer.NumbersOpen
	open, err := run(c)
	if err != nil || !open.clean() {
		return nil, err
	}
	made := map[string]string{}
	for _, arg := range t.fill.made {
		if name, v, ok := strings.Cut(arg, "="); ok {
			made[name] = v
		}
	}
	c.constructor = infer.NothingOpen
	c.made.instead = maps.Clone(c.made.instead)
	if c.made.instead == nil {
		c.made.instead = map[string]string{}
	}
	changed := false
	for _, x := range open.conditions {
		sym, to := x.Cond.Repeated().Definition()
		n, number := to.Const()
		if sym == nil || !number || n < 1 || n > maxSolved {
			continue
		}
		if v, ok := made[sym.String()]; ok && v != strconv.FormatInt(n, 10) {
			c.made.instead[sym.String()] = strconv.FormatInt(n, 10)
			c.solved = append(slices.Clip(c.solved), sym.String())
			changed = true
		}
	}
	open.settle()
	if !changed {
		return nil, nil
	}
	s, err := run(c)
	if err != nil || !s.clean() {
		return nil, err
	}
	return s, nil
}
