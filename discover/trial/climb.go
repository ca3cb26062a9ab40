package trial

// This file looks for the forms of several inputs one by one, where no form for all of them makes an entry run.

import (
	"maps"
	"slices"
	"strings"

	srctext "shapecheck/discover/text"
)

// Bounds of the search: runs, and the steps of one that is worth repeating.
const maxClimb, maxClimbSteps = 24, 100_000

// varied are the types that are tried for one input.
var varied = []srctext.Form{
	srctext.Image, srctext.Sequence, srctext.Features, "f32[B]", srctext.Tokens, srctext.Numbers, srctext.Volume, "int",
}

// climb varies one input of the best run at a time and keeps what comes further, until the entry runs, which it gives
// back, or nothing comes further: nil. What fails on the way is no finding, and hides none.
func (p *prober) climb(best *trial, run func(choice) (*trial, error)) (*trial, error) {
	if best == nil || best.err != nil || best.errors == 0 || best.res.Exceeded ||
		best.isIncomplete(best.fill.class) || best.res.Steps-best.res.LoadSteps > maxClimbSteps {
		return nil, nil
	}
	tried := map[string]bool{strings.Join(best.fill.args, " "): true}
	for n := 0; ; {
		further := false
		for _, seen := range best.variations() {
			c := best.fill.choice
			c.seen, c.climbed = seen, true
			key := c.would(best.fill.args)
			if tried[key] {
				continue
			}
			tried[key] = true
			if n++; n > maxClimb || p.spent() {
				return nil, nil
			}
			t, err := run(c)
			if err != nil || t.clean() {
				return t, err
			}
			if further = t.further(best); further {
				best = t
				break
			}
		}
		if !further {
			return nil, nil
		}
	}
}

// further reports whether a run came further than another.
func (t *trial) further(o *trial) bool {
	if t.err != nil {
		return false
	}
	if t.errors != o.errors {
		return t.errors < o.errors && t.res.Typed >= o.res.Typed
	}
	return t.res.Typed-t.res.Open > o.res.Typed-o.res.Open
}

// would are the arguments with the forms of a choice.
func (c choice) would(args []string) string {
	out := slices.Clone(args)
	for i, a := range out {
		if name, _, ok := strings.Cut(a, ":"); ok && c.seen[name] != "" {
			out[i] = name + ":" + string(c.seen[name])
		}
	}
	return strings.Join(out, " ")
}

// variations are the forms of the inputs of a run with another for one of them; first what its fault asks for, then those
// of inputs that the place or the message of the fault names.
func (t *trial) variations() []map[string]srctext.Form {
	d := t.first()
	if d == nil {
		return nil
	}
	now := map[string]srctext.Form{}
	var names, later []string
	at := identifier.FindAllString(t.textAt(d), -1)
	for _, a := range t.fill.args {
		name, typ, ok := strings.Cut(a, ":")
		if !ok || strings.HasPrefix(typ, "=") {
			continue
		}
		now[name] = srctext.Form(typ)
		if slices.Contains(at, name) || isAbout(d, typ) {
			names = append(names, name)
		} else {
			later = append(later, name)
		}
	}
	with := func(more map[string]srctext.Form) map[string]srctext.Form {
		out := maps.Clone(now)
		maps.Copy(out, more)
		return out
	}
	var out []map[string]srctext.Form
	if asked := t.asked(); asked != nil {
		out = append(out, with(asked))
	}
	for _, name := range append(names, later...) {
		for _, form := range varied {
			if kind(form) != kind(now[name]) {
				out = append(out, with(map[string]srctext.Form{name: form}))
			}
		}
	}
	return out
}

// kind are the dtype and the rank of a form.
func kind(f srctext.Form) string {
	dtype, _, tensor := strings.Cut(string(f), "[")
	if !tensor {
		return dtype
	}
	return dtype + strings.Repeat(",", f.Rank())
}
