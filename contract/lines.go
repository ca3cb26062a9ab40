package contract

// This file writes contracts for people: conditions that are alike for sizes of one kind are one line, and what training
// needs is said for the sizes where it matters.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/symshape"
)

// A Line is what one line says of a contract, and the places that need it.
type Line struct {
	Text    string
	Because []Reason
	// Training says that training alone needs it.
	Training bool
}

// Lines writes the conditions of a run's contract: "H, W % 32 == 0", "B >= 2 while training at 32×32".
func Lines(r *infer.Result, c *Contract) []Line {
	s := newSearch(r, c)
	type joined struct {
		Line
		names []string
		rest  string // of a condition on one symbol, which stands in front
		kind  Kind
	}
	var list []*joined
	for _, x := range c.Conditions {
		text := x.Cond.String()
		if x.Training {
			list = append(list, &joined{Line: Line{s.inTraining(x.Cond), x.Because, true}})
			continue
		}
		name, rest := subject(x.Cond, text)
		kind := s.kindOf(name)
		i := slices.IndexFunc(list, func(j *joined) bool { return rest != "" && j.rest == rest && j.kind == kind })
		if i < 0 {
			list = append(list, &joined{Line: Line{text, x.Because, false}, names: []string{name}, rest: rest, kind: kind})
			continue
		}
		j := list[i]
		j.names = append(j.names, name)
		j.Text, j.Because = strings.Join(j.names, ", ")+rest, append(slices.Clip(j.Because), x.Because...)
	}
	out := make([]Line, len(list))
	for i, j := range list {
		out[i] = j.Line
	}
	return out
}

func (s *search) kindOf(name string) Kind {
	for _, x := range s.symbols {
		if x.name == name {
			return x.kind
		}
	}
	return Other
}

// subject takes a condition that says something of one symbol, which it begins with, apart: "H" and " % 32 == 0".
func subject(c *symshape.Cond, text string) (name, rest string) {
	list := c.Symbols()
	if len(list) != 1 || len(c.Disjuncts()) > 1 || len(c.Conjuncts()) > 1 {
		return "", ""
	}
	name, _ = list[0].IsSymbol()
	rest, ok := strings.CutPrefix(text, name+" ")
	if !ok || slices.Contains(strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" ()*+-/%<>=!", r) }), name) {
		return "", ""
	}
	return name, " " + rest
}

// inTraining writes what training needs. Where either a larger batch or larger axes will do, that is the batch for the sizes at which
// the axes do not: with H % 32 == 0, "B >= 2 or H >= 64 or W >= 64" is "B >= 2 while training at 32×32".
func (s *search) inTraining(c *symshape.Cond) string {
	const when = " while training"
	var batch, axes []*symshape.Cond
	for _, d := range c.Disjuncts() {
		list := d.Symbols()
		if len(list) != 1 || len(d.Disjuncts()) > 1 {
			return c.String() + when
		}
		if name, _ := list[0].IsSymbol(); s.kindOf(name) <= Batch {
			batch = append(batch, d)
		} else {
			axes = append(axes, d)
		}
	}
	if len(batch) != 1 {
		return c.String() + when
	}
	if len(axes) == 0 {
		return batch[0].String() + when
	}
	small := make([]axisBelow, len(axes))
	for i, d := range axes {
		var ok bool
		if small[i], ok = s.findLeast(d); !ok {
			return c.String() + when
		}
	}
	if slices.ContainsFunc(small, func(x axisBelow) bool { return x.grid != small[0].grid || x.kind != Spatial }) || len(small) == 1 {
		var parts []string
		for _, x := range small {
			if x.only > 0 {
				parts = append(parts, fmt.Sprintf("%s = %d", x.name, x.only))
			} else {
				parts = append(parts, fmt.Sprintf("%s < %d", x.name, x.least))
			}
		}
		return batch[0].String() + when + " with " + strings.Join(parts, " and ")
	}
	at, names, sizes := " at ", []symbol{}, Sizes{}
	for _, x := range small {
		names, sizes[x.name] = append(names, x.symbol), x.only
	}
	if slices.ContainsFunc(small, func(x axisBelow) bool { return x.only == 0 }) {
		at = " below "
		for _, x := range small {
			sizes[x.name] = x.least
		}
	}
	return batch[0].String() + when + at + byNames(names, sizes)
}

// An axisBelow is an axis with the least size that satisfies a condition; only is the one size below that the contract allows, 0 where
// there are several.
type axisBelow struct {
	symbol
	least, only int64
}

// maxBelow bounds the sizes that are looked at, and beyond is how many after the first one have to satisfy the condition, too.
const maxBelow, beyond = 2048, 64

// findLeast finds up to which size of its symbol a condition is not satisfied, among the sizes that the conditions on this symbol alone
// allow; false where it is satisfied by none, or by smaller sizes and not by larger ones.
func (s *search) findLeast(c *symshape.Cond) (axisBelow, bool) {
	name, _ := c.Symbols()[0].IsSymbol()
	i := slices.IndexFunc(s.symbols, func(x symbol) bool { return x.name == name })
	if i < 0 {
		return axisBelow{}, false
	}
	out := axisBelow{symbol: s.symbols[i]}
	var refused []int64
	after := 0
	for n := max(out.lo, 1); n <= min(out.hi, maxBelow) && after < beyond; n++ {
		env := Sizes{name: n}
		if slices.ContainsFunc(s.conds, func(x *symshape.Cond) bool { ok, err := x.Eval(env.at); return err == nil && !ok }) {
			continue
		}
		ok, err := c.Eval(env.at)
		switch {
		case err != nil || !ok && out.least > 0:
			return out, false
		case !ok:
			refused = append(refused, n)
			continue
		case out.least == 0:
			out.least = n
		}
		after++
	}
	if len(refused) == 1 {
		out.only = refused[0]
	}
	return out, out.least > 0 && len(refused) > 0
}
