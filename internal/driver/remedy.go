package driver

// This file learns from a run that failed what its arguments should have been.

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/discover"
)

// remedies are arguments of a constructor beside those that it needs, or instead of their usual values.
type remedies struct {
	// extra are keywords of a class to which the constructor hands all that it takes.
	extra []string
	// spare says that what is None by default is given, too.
	spare bool
	// instead are values by the name of a parameter.
	instead map[string]string
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
const maxRemedies = 3

var (
	lacking     = regexp.MustCompile(`\.__init__\(\) (?:is )?missing \d+ required (?:positional |keyword-only )?arguments?: ('\w+'(?:(?:, and |, | and )'\w+')*)`)
	wordNamed   = regexp.MustCompile(`'(\w+)'`)
	unfitting   = regexp.MustCompile(`input has (\d+) (?:channels|features).* expects (\d+)`)
	unequal     = regexp.MustCompile(`sizes (\d+) and (\d+) do not match`)
	channelsIn  = regexp.MustCompile(`^((n|num|nb)_)?(in|inp|input|cin|img|image|nin)(_|$)|_in$|^(in|inp)(planes|channels?|ch)$`)
	channelsOut = regexp.MustCompile(`^((n|num|nb)_)?(out|oup|output|cout|nout)(_|$)|_out$|^out(planes|channels?|ch)$`)
)

// remedied are remedies for what a run failed with; ok is false where there is none that is not made already.
func (t *trial) remedied() (r remedies, ok bool) {
	r = t.fill.choice.made
	text := t.said()
	if m := lacking.FindStringSubmatch(text); m != nil && t.fill.open {
		for _, name := range wordNamed.FindAllStringSubmatch(m[1], -1) {
			if !slices.Contains(r.extra, name[1]) && discover.Usual(name[1], "") != "" {
				r.extra, ok = append(slices.Clone(r.extra), name[1]), true
			}
		}
		if ok {
			return r, true
		}
	}
	if m := unfitting.FindStringSubmatch(text); m != nil {
		if r.replace(t.fill.made, channelsIn, m[2], m[1]) {
			return r, true
		}
	}
	if m := unequal.FindStringSubmatch(text); m != nil {
		for _, name := range []*regexp.Regexp{channelsOut, channelsIn} {
			if r.replace(t.fill.made, name, m[1], m[2]) || r.replace(t.fill.made, name, m[2], m[1]) {
				return r, true
			}
		}
	}
	if !t.fill.called && t.fill.spare && !r.spare {
		r.spare = true
		return r, true
	}
	return r, false
}

// replace has another number given to the first argument of a name that has the number had.
func (r *remedies) replace(made []string, named *regexp.Regexp, had, asked string) bool {
	for _, arg := range made {
		if name, v, _ := strings.Cut(arg, "="); v == had && named.MatchString(name) && r.instead[name] == "" {
			instead := map[string]string{name: asked}
			maps.Copy(instead, r.instead)
			r.instead = instead
			return true
		}
	}
	return false
}

// said is what a failed run says first.
func (t *trial) said() string {
	if t.err != nil {
		return t.err.Error()
	}
	for _, d := range t.res.Diagnostics {
		if d.Severity == diag.Error && !d.Aside {
			return d.Msg
		}
	}
	return ""
}

var (
	ranksAsked = regexp.MustCompile(`'[\w ]+' has (\d+) subscripts for operand \d+, (\w+\[[^\]]*\])|the pattern needs (\d+) dimensions, but the tensor has \d+: (\w+\[[^\]]*\])|expects an input of (?:\d+D or )?(\d+)D, but got \d+D: (\w+\[[^\]]*\])`)
	indexAsked = regexp.MustCompile(`the index tensor has dtype f\d+, but`)
	complexity = regexp.MustCompile(`is not defined for f32; it takes complex`)
)

// asked are the forms that a fault asks for, by the names of the inputs that have the form which it names; nil
// where it asks for none.
func (t *trial) asked() map[string]discover.Form {
	if t.err != nil {
		return nil
	}
	text := t.said()
	had := "" // the type of the inputs that are meant; empty: all
	var form func(typ string) discover.Form
	switch m := ranksAsked.FindStringSubmatch(text); {
	case m != nil:
		m = slices.DeleteFunc(m[1:], func(s string) bool { return s == "" })
		n, err := strconv.Atoi(m[0])
		if err != nil {
			return nil // more digits than an int has
		}
		had, form = m[1], func(string) discover.Form { return discover.OfRank(n) }
	case indexAsked.MatchString(text):
		form = func(string) discover.Form { return discover.Tokens }
	case complexity.MatchString(text):
		form = func(typ string) discover.Form { return discover.Form("c64" + strings.TrimPrefix(typ, "f32")) }
	case unpacking.MatchString(text):
		m := unpacking.FindStringSubmatch(text)
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return nil
		}
		had = "f32[" + strings.ReplaceAll(strings.ReplaceAll(m[2], "int=", ""), " ", "") + "]"
		form = func(string) discover.Form { return discover.OfRank(n) }
	default:
		return nil
	}
	out := map[string]discover.Form{}
	for _, a := range t.fill.args {
		name, typ, ok := strings.Cut(a, ":")
		if ok && strings.HasPrefix(typ, "f32[") && (had == "" || typ == had) {
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
