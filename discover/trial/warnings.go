package trial

// This file decides which warnings about code that runs count where arguments were guessed.

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"shapecheck/check"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
)

// isSilent reports whether a finding is a warning about code that runs, of which no more than the form of the inputs is guessed.
func isSilent(d *diag.Diagnostic) bool {
	return d.Severity == diag.Warning && !d.Aside && strings.HasPrefix(string(d.Code), "SC4") && !check.IsTie(d.Code) &&
		!check.IsAboutOrder(d.Code)
}

// warnings are those of a clean run that count: its inputs are evidence, and a run with other numbers for those of the constructor
// that were guessed has them again.
func (p *prober) warnings(best *trial, run func(choice) (*trial, error)) ([]*diag.Diagnostic, error) {
	var out []*diag.Diagnostic
	for _, d := range best.res.Diagnostics {
		if isSilent(d) {
			out = append(out, d)
		}
	}
	if len(out) == 0 || best.basis == check.BasisWeak ||
		slices.ContainsFunc(best.fill.made, func(arg string) bool { return !plainMade.MatchString(arg) }) {
		return nil, nil
	}
	made := false
	for _, factor := range []int{3, 4} {
		c := best.fill.choice
		c.channels = "" // that are its number
		c.made.instead = maps.Clone(c.made.instead)
		if c.made.instead == nil {
			c.made.instead = map[string]string{}
		}
		for _, a := range best.fill.made {
			name, v, _ := strings.Cut(a, "=")
			if n, err := strconv.Atoi(v); err == nil && n >= smallestOther && n%2 == 0 {
				c.made.instead[name] = strconv.Itoa(n * factor / 2)
				made = true
			}
		}
		if !made {
			return out, nil
		}
		t, err := run(c)
		if err != nil {
			return nil, err
		}
		if t.settle(); t.clean() {
			return slices.DeleteFunc(out, func(d *diag.Diagnostic) bool {
				// a guessed width that divides no size of the program takes elements of other samples, whichever it is
				return d.Code == diag.BatchMixed || !p.named(t.res.Diagnostics, d)
			}), nil
		}
	}
	return nil, nil
}

// plainMade is an argument of a constructor that has no sizes in it but a number that can be another one.
var plainMade = lazyregexp.New(`^(?:\w+=)?(?:[\d.]+|True|False|None|'[^']*'|"[^"]*")$`)

// smallestOther is from which number on one of the constructor is a size: smaller ones count layers.
const smallestOther = 8
