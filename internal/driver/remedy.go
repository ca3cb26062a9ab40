package driver

// This file learns from a run that failed what its arguments should have been.

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/discover"
	"shapecheck/internal/lazyregexp"
)

// remedies are arguments of a constructor beside those that it needs, or instead of their usual values.
type remedies struct {
	// extra are keywords of a class to which the constructor hands all that it takes.
	extra []string
	// spare says that what is None by default is given, too.
	spare bool
	// instead are values by the name of a parameter.
	instead map[string]string
	// keys are those by which parts of an input are taken, by its name; parts are those of the parts.
	keys, parts map[string][]string
	// masks says that inputs that are masks are given, too.
	masks bool
}

// more are the arguments of a constructor beside those that it needs.
func (r remedies) more(c infer.Constructor) []string {
	var out []string
	give := func(name, value string) {
		if value != "" && value != "None" {
			out = append(out, name+"="+value)
		}
	}
	for _, name := range r.extra {
		if !slices.ContainsFunc(c.Needed, func(p infer.Param) bool { return p.Name == name }) {
			give(name, discover.Usual(name, ""))
		}
	}
	if r.spare {
		for _, p := range c.Spare {
			if !slices.Contains(r.extra, p.Name) {
				give(p.Name, discover.Usual(p.Name, p.Annotation))
			}
		}
	}
	return out
}

// maxRemedies bounds the remedies of an entry.
const maxRemedies = 6

var (
	channelsIn  = lazyregexp.New(`^((n|num|nb)_)?(in|inp|input|cin|img|image|nin)(_|$)|_in$|^(in|inp)(planes|channels?|ch)$`)
	channelsOut = lazyregexp.New(`^((n|num|nb)_)?(out|oup|output|cout|nout)(_|$)|_out$|^out(planes|channels?|ch)$`)
)

// remedied are remedies for what a run failed with; ok is false where there is none that is not made already.
func (t *trial) remedied() (r remedies, ok bool) {
	r = t.fill.choice.made
	f := t.fact()
	switch f.Kind {
	case diag.LacksArguments:
		for _, name := range f.Names {
			if t.fill.open && strings.HasSuffix(f.Of, ".__init__") && !slices.Contains(r.extra, name) && discover.Usual(name, "") != "" {
				r.extra, ok = append(slices.Clone(r.extra), name), true
			}
		}
		if ok {
			return r, true
		}
	case diag.UnfitSize:
		if r.replace(t.fill.made, channelsIn, f.Wants, f.Has) {
			return r, true
		}
	case diag.UnequalSizes:
		for _, name := range []*lazyregexp.Regexp{channelsOut, channelsIn} {
			if r.replace(t.fill.made, name, f.Has, f.Wants) || r.replace(t.fill.made, name, f.Wants, f.Has) {
				return r, true
			}
		}
	}
	if r.list(t, f) || r.take(t, f) || r.mask(t, f) {
		return r, true
	}
	if !t.fill.called && t.fill.spare && !r.spare {
		r.spare = true
		return r, true
	}
	return r, r.stand(t)
}

// replace has another number given to the first argument of a name that has the number had.
func (r *remedies) replace(made []string, named *lazyregexp.Regexp, had, asked int64) bool {
	for _, arg := range made {
		if name, v, _ := strings.Cut(arg, "="); v == strconv.FormatInt(had, 10) && named.MatchString(name) && r.instead[name] == "" {
			r.give(name, strconv.FormatInt(asked, 10))
			return true
		}
	}
	return false
}

var (
	identifier = lazyregexp.New(`[A-Za-z_]\w*`)
	madeNumber = lazyregexp.New(`\b(\w+)=(\d+)\b`)
	madeByName = lazyregexp.New(`^(\w+)=(?:\w+\.)*[A-Z]\w*\(`)
	defined    = lazyregexp.New(`(?m)^[ \t]*def (\w+)`)
)

// list gives a parameter of the constructor several numbers instead of one, where the place of the fault names it.
func (r *remedies) list(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil || f.Kind != diag.OneForMany || f.Of != "int" {
		return false
	}
	names := identifier.FindAllString(t.textAt(d), -1)
	for _, m := range madeNumber.FindAllStringSubmatch(strings.Join(t.fill.made, ", "), -1) {
		if slices.Contains(names, m[1]) && r.instead[m[1]] == "" {
			r.give(m[1], "["+m[2]+", "+m[2]+"]")
			return true
		}
	}
	return false
}

// stand puts a module that gives back its input in the place of an instance that was made for the constructor, where
// a constructor of another file fails.
func (r *remedies) stand(t *trial) bool {
	d := t.first()
	if d == nil {
		return false
	}
	f := t.res.Files.File(d.At.Start)
	if f == nil || f == t.res.File {
		return false
	}
	if defs := defined.FindAllStringSubmatch(f.Text()[:f.Offset(d.At.Start)], -1); len(defs) == 0 || defs[len(defs)-1][1] != "__init__" {
		return false
	}
	for _, arg := range t.fill.made {
		if m := madeByName.FindStringSubmatch(arg); m != nil && r.instead[m[1]] == "" && !strings.Contains(arg, "=torch.") && !strings.Contains(arg, "=types.") {
			r.give(m[1], "torch.nn.Identity()")
			return true
		}
	}
	return false
}

// take adds a key to an input of which parts are taken by keys.
func (r *remedies) take(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil || !t.fill.called || f.Kind != diag.LacksKey {
		return false
	}
	key, input := f.Names[0], ""
	if f.Of == "Tensor" {
		for _, a := range t.fill.args {
			if name, _, ok := strings.Cut(a, ":"); ok && (input == "" || slices.Contains(identifier.FindAllString(t.textAt(d), -1), name)) {
				input = name
			}
		}
		if name := dictGiven(t.fill.args); name != "" { // of what it has by another key
			return add(&r.parts, name, key)
		}
	} else {
		input = dictGiven(t.fill.args)
		if len(r.parts[input]) > 0 && strings.HasPrefix(t.textAt(d), input) && strings.Count(t.textAt(d), "[") > 1 {
			return add(&r.parts, input, key) // of a part, as those that were asked for before
		}
	}
	return add(&r.keys, input, key)
}

// dictGiven is the first input that is a dictionary, or several; empty where there is none.
func dictGiven(args []string) string {
	for _, a := range args {
		if name, v, _ := strings.Cut(a, "="); strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[{") {
			return name
		}
	}
	return ""
}

// add adds a key to those of an input, and reports whether it was not there.
func add(to *map[string][]string, input, key string) bool {
	if key == "" || input == "" || slices.Contains((*to)[input], key) {
		return false
	}
	keys := map[string][]string{}
	maps.Copy(keys, *to)
	keys[input] = append(slices.Clone(keys[input]), key)
	*to = keys
	return true
}

// mask has masks given, where something is done with None in the place of one.
func (r *remedies) mask(t *trial, f diag.Fact) bool {
	if r.masks || !t.fill.called || !f.AboutNone() || !slices.ContainsFunc(t.fill.args, func(a string) bool {
		name, v, _ := strings.Cut(a, "=")
		return v == "None" && discover.IsMask(name)
	}) {
		return false
	}
	r.masks = true
	return true
}

// give has the constructor given a value for a parameter.
func (r *remedies) give(name, v string) {
	instead := map[string]string{name: v}
	maps.Copy(instead, r.instead)
	r.instead = instead
}

// first is the error that a run came upon first; nil where there is none.
func (t *trial) first() *diag.Diagnostic {
	if t.err != nil {
		return nil
	}
	for _, d := range t.res.Diagnostics {
		if d.Severity == diag.Error && !d.Aside {
			return d
		}
	}
	return nil
}

// textAt is the text of the program at a fault.
func (t *trial) textAt(d *diag.Diagnostic) string {
	if f := t.res.Files.File(d.At.Start); f != nil {
		return f.Slice(d.At)
	}
	return ""
}

// fact is what a failed run came upon first.
func (t *trial) fact() diag.Fact {
	var usage *infer.UsageError
	if errors.As(t.err, &usage) {
		return usage.Fact
	}
	if d := t.first(); d != nil {
		return d.Fact
	}
	return diag.Fact{}
}

// asked are the forms that a fault asks for, by the names of the inputs that have the form which it names; nil
// where it asks for none.
func (t *trial) asked() map[string]discover.Form {
	if t.err != nil {
		return nil
	}
	f := t.fact()
	var form func(typ string) discover.Form
	switch f.Kind {
	case diag.WrongRank:
		form = func(string) discover.Form { return discover.OfRank(int(f.Wants)) }
	case diag.NeedsIndices:
		form = func(string) discover.Form { return discover.Tokens }
	case diag.NeedsComplex:
		form = func(typ string) discover.Form { return discover.Form("c64" + strings.TrimPrefix(typ, "f32")) }
	default:
		return nil
	}
	out := map[string]discover.Form{}
	for _, a := range t.fill.args {
		name, typ, ok := strings.Cut(a, ":")
		if ok && strings.HasPrefix(typ, "f32[") && (f.Of == "" || strings.TrimPrefix(typ, "f32") == strings.TrimPrefix(f.Of, "f32")) {
			if f := form(typ); f != "" && string(f) != typ {
				out[name] = f
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
