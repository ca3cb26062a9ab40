package trial

// This file gives the targets of a loss that a call leaves out, in runs of their own: what is wrong with the loss shows only then.

import (
	"slices"
	"strings"

	"shapecheck/check"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// targetNames are names of inputs from which a loss is computed where they are given.
var targetNames = lazyregexp.New(`^(\w+_)?(labels?|targets?|start_positions|end_positions)$`)

// maxTargetForms bounds the forms of targets that are tried.
const maxTargetForms = 12

// withTargets runs an entry that is right without its targets with them, and notes the errors that no targets can avoid: those with
// targets of which nothing is known, and a clash of shapes with targets of all the forms that its tensors speak for.
func (p *prober) withTargets(best *trial, run func(choice) (*trial, error)) error {
	targets := slices.DeleteFunc(best.fill.withheld(), func(name string) bool { return !targetNames.MatchString(name) })
	if len(targets) == 0 || best.basis == check.BasisWeak || p.spent() || p.call != "" && !p.whole {
		return nil
	}
	forms, before := targetForms(best), equations(best)
	with := func(typ string) (*trial, error) {
		c := best.fill.choice
		c.open, c.tensors = slices.Concat(c.open, targets), map[string]string{}
		for _, name := range targets {
			c.tensors[name] = typ
		}
		t, err := run(c)
		if err != nil {
			return nil, err
		}
		same := t.err == nil && len(t.fill.args) == len(best.fill.args)+len(targets)
		for _, a := range best.fill.args {
			same = same && slices.Contains(t.fill.args, a)
		}
		if !same {
			return nil, nil
		}
		return t, nil
	}
	t, err := with(anyTensor)
	if err != nil || t == nil {
		return err
	}
	if d := p.faultOfTargets(t); d != nil {
		if p.isCertain(d, best) {
			best.certain = append(best.certain, aboutTargets(d, targets, "any tensor"))
		}
		return nil
	}
	if t.errors > 0 {
		return nil
	}
	var fault *diag.Diagnostic
	var at source.Pos
	for _, typ := range forms {
		if p.spent() {
			return nil
		}
		t, err := with(typ)
		switch {
		case err != nil || t == nil:
			return err
		case t.clean() && equations(t) > before:
			continue // by chance
		case t.clean():
			return nil
		}
		d := p.faultOfTargets(t)
		t.settle()
		if d == nil || at != source.NoPos && d.At.Start != at {
			return nil
		}
		at = d.At.Start
		switch {
		case d.Code == diag.DTypeMismatch:
		case !check.OfShapes(d.Code) || !p.isCertain(d, best):
			return nil
		case fault == nil:
			fault = aboutTargets(d, targets, typ)
		}
	}
	if fault != nil {
		best.certain = append(best.certain, fault)
	}
	return nil
}

// faultOfTargets is the first error of a run, nil where there is none.
func (p *prober) faultOfTargets(t *trial) *diag.Diagnostic {
	i := slices.IndexFunc(t.res.Diagnostics, t.counts)
	if i < 0 {
		return nil
	}
	return t.res.Diagnostics[i]
}

// aboutTargets is a finding that says what the targets were.
func aboutTargets(d *diag.Diagnostic, targets []string, typ string) *diag.Diagnostic {
	x := *d
	x.Notes = append(slices.Clone(d.Notes), "found with "+strings.Join(targets, " and ")+" given, as "+typ)
	return &x
}

// freeSize begins the names of sizes that targets alone have.
const freeSize = "n_target"

// equations counts the conditions of a run that make sizes equal to others, or to numbers, but for those that say what a size of the
// targets alone is.
func equations(t *trial) int {
	n := 0
	for _, c := range t.res.Contract {
		sym, to := c.Cond.Repeated().Definition()
		if sym != nil && strings.HasPrefix(to.String(), freeSize) {
			sym, to = to, sym
		}
		if sym != nil && strings.HasPrefix(sym.String(), freeSize) {
			if _, number := to.Const(); number {
				continue
			}
			if _, symbol := to.IsSymbol(); symbol {
				continue
			}
		}
		if c.Cond.IsEquation() {
			n++
		}
	}
	return n
}

// targetForms are the types that the tensors of a run speak for: a number of each sample, and one of each place of an input of numbers
// or of a result, with and without its classes.
func targetForms(t *trial) []string {
	var out, free []string
	add := func(shape symshape.Shape) {
		text := shape.String()
		for _, dtype := range [...]string{"i64", "f32"} {
			if form := dtype + text; !strings.Contains(text, "?") && !slices.Contains(out, form) && len(out) < maxTargetForms {
				out = append(out, form)
			}
		}
	}
	whole := func(typ *graph.TensorType) {
		if typ.Ranked && len(typ.Shape) > 0 {
			add(typ.Shape[:1])
			add(typ.Shape)
		}
	}
	for _, in := range t.res.Inputs {
		if x, ok := in.Value.(*value.Tensor); ok {
			whole(x.Type())
			if s := x.Type().Shape; x.Type().Ranked && len(s) > 0 && len(free) == 0 {
				first := s[:1].String()
				for _, sizes := range [...]string{"1]", "1," + freeSize + "2]", "1," + freeSize + "2," + freeSize + "3]"} {
					free = append(free, "i64"+strings.TrimSuffix(first, "]")+","+freeSize+sizes, "f32"+strings.TrimSuffix(first, "]")+","+freeSize+sizes)
				}
			}
		}
	}
	for v := range value.Walk(t.res.Output, 3, value.Sequences|value.DictValues|value.Attributes) {
		x, ok := v.(*value.Tensor)
		if !ok || !x.Type().Ranked || len(x.Type().Shape) < 2 {
			continue
		}
		s := x.Type().Shape
		whole(x.Type())
		add(s[:len(s)-1])
		add(slices.Concat(s[:1], s[2:]))
	}
	return slices.Concat(out, free)
}
