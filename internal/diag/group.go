package diag

// This file puts together what several calls of the same code report, and what has one cause.

import (
	"fmt"
	"slices"

	"shapecheck/internal/source"
)

// Group makes one diagnostic of those that have the same code and place and
// differ in sizes: a function that is called with several shapes has the same
// fault each time. The first stays, counts them all, and has what the others say
// in Others. The given diagnostics are not changed.
func Group(list []*Diagnostic) []*Diagnostic {
	out, _ := join(list, placeKey, (*Diagnostic).addAgain)
	return out
}

// Causes makes one diagnostic of those that Group does, and of those that have the same code and whose sizes at odds were made
// at the same places: where one width is wrong, each layer that takes it fails. The first stays; it names the other places, and its
// fixes change them, too. The given diagnostics are not changed. What is known or hidden is a single place: fingerprints
// are made of the list itself.
func Causes(list []*Diagnostic) []*Diagnostic {
	out, _ := FirstOfCauses(list)
	return out
}

// FirstOfCauses is Causes, with the index in list of the first diagnostic of each.
func FirstOfCauses(list []*Diagnostic) (out []*Diagnostic, first []int) {
	places, of := join(list, placeKey, (*Diagnostic).addAgain)
	out, first = join(places, func(d *Diagnostic) (string, bool) { return fmt.Sprint(d.Code, d.Severity, d.Born), len(d.Born) > 1 }, (*Diagnostic).addElsewhere)
	for i, n := range first {
		first[i] = of[n]
	}
	return out, first
}

type codeAt struct {
	code Code
	at   source.Span
}

func placeKey(d *Diagnostic) (codeAt, bool) { return codeAt{d.Code, d.At}, d.At.IsValid() }

// join makes one diagnostic of those with the same key, in the order of the first of each, of which it gives the indices; add adds to a copy
// of the first. What has no key stays alone.
func join[K comparable](list []*Diagnostic, key func(*Diagnostic) (K, bool), add func(g, d *Diagnostic)) (out []*Diagnostic, first []int) {
	met := map[K]int{}
	for n, d := range list {
		k, ok := key(d)
		i, again := met[k]
		if !ok || !again {
			if ok {
				met[k] = len(out)
			}
			out, first = append(out, d), append(first, n)
			continue
		}
		g := *out[i]
		add(&g, d)
		g.Aside = g.Aside && d.Aside
		g.Severity = max(g.Severity, d.Severity)
		out[i] = &g
	}
	return out, first
}

// addAgain adds a diagnostic of the same place.
func (d *Diagnostic) addAgain(x *Diagnostic) {
	d.Count = max(d.Count, 1) + max(x.Count, 1)
	d.Others = append(d.Others[:len(d.Others):len(d.Others)], x.Msg)
	d.also(x.Also)
}

// addElsewhere adds a diagnostic of another place.
func (d *Diagnostic) addElsewhere(x *Diagnostic) {
	d.also([]Also{{x.At, x.Msg, x.Facts()}})
	d.also(x.Also)
	d.Fixes = slices.Clone(d.Fixes)
	for i := range d.Fixes {
		f := &d.Fixes[i]
		if n := slices.IndexFunc(x.Fixes, func(g Fix) bool { return g.Title == f.Title && g.Safe == f.Safe }); n >= 0 {
			f.unite(x.Fixes[n].Edits)
		}
	}
}

// also adds places that are not there.
func (d *Diagnostic) also(list []Also) {
	d.Also = slices.Clone(d.Also)
	for _, x := range list {
		if x.At != d.At && !slices.ContainsFunc(d.Also, func(y Also) bool { return y.At == x.At }) {
			d.Also = append(d.Also, x)
		}
	}
}

// unite adds edits that change other text.
func (f *Fix) unite(edits []Edit) {
	f.Edits = slices.Clone(f.Edits)
	for _, e := range edits {
		if !slices.ContainsFunc(f.Edits, func(x Edit) bool { return x == e || x.At.Start < e.At.End && e.At.Start < x.At.End || x.At == e.At }) {
			f.Edits = append(f.Edits, e)
		}
	}
}
