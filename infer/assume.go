package infer

// This file reads what the user vouches for: conditions on the sizes (--assume)
// and ranges of sizes in arguments (H=32..512).

import (
	"strings"

	"shapecheck/symshape"
)

// sizeRange reads a size with a range, H=32..512, and gives the size's name.
func sizeRange(s string) (name string, ok bool) {
	name, bounds, ok := strings.Cut(s, "=")
	name = strings.TrimSpace(name)
	if !ok || !strings.Contains(bounds, "..") || !isName(name) {
		return "", false
	}
	return name, true
}

// assume makes the conditions facts. It runs after the arguments are read, which
// declare the symbols.
func (ar *arguments) assume() error {
	declared := map[*symshape.Expr]bool{}
	var names []string
	for _, s := range ar.pool.Symbols() {
		declared[s] = true
		names = append(names, s.String())
	}
	add := func(flag, text string) error {
		c, err := ar.pool.ParseCond(text)
		if err != nil {
			return usagef("%s '%s': %v", flag, text, err)
		}
		for _, s := range c.Symbols() {
			if !declared[s] {
				return usagef("%s '%s': no argument has the size %s%s", flag, text, s, didYouMean(s.String(), names))
			}
		}
		facts, ok := ar.region.path.facts.Assume(c)
		if !ok {
			if len(ar.settings.assumed) == 0 {
				return usagef("%s '%s': no sizes satisfy this", flag, text)
			}
			var before []string
			for _, a := range ar.settings.assumed {
				before = append(before, a.String())
			}
			return usagef("%s '%s': no sizes satisfy this and %s", flag, text, strings.Join(before, ", "))
		}
		if v, known := ar.host.example(c); known && !v {
			return usagef("%s '%s': the given sizes do not satisfy this", flag, text)
		}
		ar.region.path.facts = facts
		ar.settings.assumed = append(ar.settings.assumed, c)
		return nil
	}
	for _, r := range ar.settings.ranges {
		if err := add("--arg", r); err != nil {
			return err
		}
	}
	for _, a := range ar.cfg.Assume {
		if err := add("--assume", a); err != nil {
			return err
		}
	}
	return nil
}
