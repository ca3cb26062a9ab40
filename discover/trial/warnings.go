package trial

// This file decides which warnings about code that runs count where arguments were guessed.

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"shapecheck/check"
	"shapecheck/contract"
	srctext "shapecheck/discover/text"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
)

// isSilent reports whether a finding is a warning about code that runs, of which no more than the form of the inputs is guessed.
func isSilent(d *diag.Diagnostic) bool {
	return d.Severity == diag.Warning && !d.Aside && strings.HasPrefix(string(d.Code), "SC4") && (!check.IsAboutForm(d.Code) || d.Fact.Shown) &&
		(!check.IsTie(d.Code) || d.Fact.ConfusesAxes())
}

// silentOf are those findings of a run.
func silentOf(list []*diag.Diagnostic) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	for _, d := range list {
		if isSilent(d) {
			out = append(out, d)
		}
	}
	return out
}

// warnings are those of a clean run that count: its inputs are evidence, and a run with other numbers for those of the constructor
// that were guessed has them again.
func (p *prober) warnings(best *trial, run func(choice) (*trial, error)) ([]*diag.Diagnostic, error) {
	out := silentOf(best.res.Diagnostics)
	if name, _, _ := strings.Cut(best.res.Entry, "("); slices.ContainsFunc(out, func(d *diag.Diagnostic) bool { return check.IsTie(d.Code) }) {
		if _, others := p.found.Calls(name); others || p.madeElsewhere(name) { // with other arguments nothing may be tied
			out = slices.DeleteFunc(out, func(d *diag.Diagnostic) bool { return check.IsTie(d.Code) })
		}
	}
	if len(out) == 0 || best.basis == check.BasisWeak ||
		slices.ContainsFunc(best.fill.made, func(arg string) bool { return !plainMade.MatchString(arg) }) {
		return nil, nil
	}
	out, err := p.withoutAvoided(best, out, run)
	if len(out) == 0 || err != nil {
		return nil, err
	}
	if inParts(best.fill.args) {
		c := best.fill.choice
		c.channels = "1"
		t, err := run(c)
		if err != nil {
			return nil, err
		}
		if t.settle(); t.clean() {
			out = slices.DeleteFunc(out, func(d *diag.Diagnostic) bool { return !p.named(silentOf(t.res.Diagnostics), d) })
		}
	}
	made := false
	for _, factor := range []int{3, 4} {
		c := best.fill.choice
		c.channels = "" // that are its number
		c.made.instead = maps.Clone(c.made.instead)
		if c.made.instead == nil {
			c.made.instead = map[string]string{}
		}
		for i, a := range best.fill.made {
			name, v, _ := strings.Cut(a, "=")
			if slices.Contains(c.solved, name) || i < len(best.fill.madeWhy) && best.fill.madeWhy[i].text == byConstant {
				continue // what the file says is no guess, and the rest of it may rest on the same number
			}
			if v == "1" && factor == 3 { // a width of one, or no more than one group; where it is neither, it stays
				c.made.instead[name] = "2"
				made = true
			}
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
				return d.Code == diag.BatchMixed || !p.named(silentOf(t.res.Diagnostics), d)
			}), nil
		}
	}
	return nil, nil
}

// maxLikened bounds the runs in which a tensor of the inputs has another form.
const maxLikened = 12

// withoutAvoided leaves out findings that two tensors are broadcast, or that the batch is tied, which the same call with another form of one
// input does not have: nothing but the guess says then that their shapes differ, or that the batch comes first.
func (p *prober) withoutAvoided(best *trial, list []*diag.Diagnostic, run func(choice) (*trial, error)) ([]*diag.Diagnostic, error) {
	grows := func(d *diag.Diagnostic) bool { return d.Code == diag.LossBroadcast || d.Code == diag.BothGrow }
	ties := func(d *diag.Diagnostic) bool { return d.Fact.Kind == diag.TiesBatch }
	likened := best.likened()
	list, err := p.dropAvoided(likened, grows, best, list, run)
	if err == nil { // of a wrong rank, the sizes behind the batch meet it
		likened = slices.DeleteFunc(likened, func(o likeness) bool { return !o.ranked || !o.like })
		list, err = p.dropAvoided(likened, ties, best, list, run)
	}
	if err != nil || len(best.fill.args) < 2 { // of one input it is the same under another name
		return list, err
	}
	return p.dropAvoided(best.swapped(), ties, best, list, run)
}

// dropAvoided leaves out those of a kind of findings that a run with another form of one input does not have.
func (p *prober) dropAvoided(others []likeness, is func(*diag.Diagnostic) bool, best *trial, list []*diag.Diagnostic,
	run func(choice) (*trial, error)) ([]*diag.Diagnostic, error) {
	for i, o := range others {
		if !slices.ContainsFunc(list, is) || i >= maxLikened || p.spent() {
			break
		}
		t, err := run(o.with(best.fill.choice))
		if err != nil {
			return nil, err
		}
		free := t.clean() && !t.tied && !t.relates()
		if t.settle(); free {
			list = slices.DeleteFunc(slices.Clone(list), func(d *diag.Diagnostic) bool { return is(d) && !p.named(silentOf(t.res.Diagnostics), d) })
		}
	}
	return list, nil
}

// A likeness is an input one of whose tensors has another form.
type likeness struct {
	name, arg string
	ranked    bool // it has another rank
	like      bool // it has the sizes of another tensor
}

// with is a choice with that input.
func (o likeness) with(c choice) choice {
	given := map[string]string{o.name: o.arg}
	for name, arg := range c.given {
		if name != o.name {
			given[name] = arg
		}
	}
	c.given = given
	return c
}

// likened are the inputs of a run one of whose tensors, of which the text does not tell the form, has a last axis of 1, one axis
// more or less, or the sizes of another one.
func (t *trial) likened() []likeness {
	var sizes []string // of all tensors
	for _, a := range t.fill.args {
		for _, typ := range tensorPart.FindAllString(a, -1) {
			_, of, _ := strings.Cut(typ, "[")
			sizes = append(sizes, "["+of)
		}
	}
	var out []likeness
	for _, a := range t.fill.args {
		name, _, _ := strings.Cut(a, ":")
		name, _, _ = strings.Cut(name, "=")
		if t.fill.evident[name] {
			continue
		}
		for _, at := range tensorPart.FindAllStringSubmatchIndex(a, -1) {
			dtype, of, _ := strings.Cut(strings.TrimSuffix(a[at[0]:at[1]], "]"), "[")
			list := strings.Split(of, ",")
			others := []string{"[" + of + ",1]"}
			if front := strings.Join(list[:len(list)-1], ","); front != "" {
				others = append(others, "["+front+"]", "["+front+",1]")
			}
			for i, other := range append(others[:len(others):len(others)], sizes...) {
				if other != "["+of+"]" {
					out = append(out, likeness{name, a[:at[0]] + dtype + other + a[at[1]:], strings.Count(other, ",") != len(list)-1, i >= len(others)})
				}
			}
		}
	}
	return out
}

// relates reports whether a condition of a run is about several sizes of its inputs.
func (t *trial) relates() bool {
	return slices.ContainsFunc(t.conditions, func(c contract.Condition) bool { return len(c.Cond.Symbols()) > 1 })
}

// swapped are the inputs of a run one of whose tensors, of which the text does not tell the form, has the first axis behind another one, as
// time first does.
func (t *trial) swapped() []likeness {
	var out []likeness
	for _, a := range t.fill.args {
		name, typ, ok := strings.Cut(a, ":")
		if !ok || t.fill.evident[name] || !tensorPart.MatchString(typ) {
			continue
		}
		dtype, of, _ := strings.Cut(strings.TrimSuffix(typ, "]"), "[")
		if list := strings.Split(of, ","); len(list) > 1 {
			list[0], list[1] = ownSize, list[0]
			out = append(out, likeness{name: name, arg: name + ":" + dtype + "[" + strings.Join(list, ",") + "]"})
		}
	}
	return out
}

// ownSize is the symbol of a size that no form has.
const ownSize = "Z"

// confused reports whether a run holds for some sizes alone as the program confuses two axes.
func (t *trial) confused() bool {
	return slices.ContainsFunc(silentOf(t.res.Diagnostics), func(d *diag.Diagnostic) bool { return check.IsTie(d.Code) })
}

// inParts reports whether an input is a list or a dictionary of tensors with channels: nothing tells that these have more than one.
func inParts(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		return strings.Contains(arg, "=") && srctext.WithChannels(arg, "1") != arg
	})
}

// plainMade is an argument of a constructor that has no sizes in it but a number that can be another one.
var plainMade = lazyregexp.New(`^(?:\w+=)?(?:[\d.]+|True|False|None|'[^']*'|"[^"]*")$`)

// smallestOther is from which number on one of the constructor is a size: smaller ones count layers.
const smallestOther = 8
