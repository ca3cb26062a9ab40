package driver

// This file puts what several entries found together.

import (
	"slices"

	"shapecheck/internal/diag"
	"shapecheck/internal/diag/render/place"
	"shapecheck/internal/source"
	"shapecheck/internal/suppress"
)

// merge filters the diagnostics of all entries together, so that a comment counts
// as used when one of them needs it, and leaves in each result its own. The same
// finding in several entries is shown once, as the surest of them has it.
func merge(list []Outcome, fs *source.FileSet, filter *suppress.Filter) []*diag.Diagnostic {
	type key struct {
		code diag.Code
		at   source.Span
		msg  string
	}
	same := sameFiles(list, fs)
	var all []*diag.Diagnostic
	met := map[key]int{}
	reached := map[*source.File]map[int]bool{}
	for _, x := range list {
		if x.Err != nil {
			continue
		}
		for i, d := range x.Result.Diagnostics {
			d = same.diagnostic(fs, d)
			x.Result.Diagnostics[i] = d
			k := key{d.Code, d.At, d.Msg}
			at, again := met[k]
			switch {
			case !again:
				met[k] = len(all)
				all = append(all, d)
			case d.Severity > all[at].Severity: // one entry guessed, and another did not need to
				all[at] = d
			}
		}
		for f, lines := range x.Result.Reached {
			f = same.file(f)
			if reached[f] == nil {
				reached[f] = map[int]bool{}
			}
			for n := range lines {
				reached[f][n] = true
			}
		}
	}
	kept := filter.Apply(fs, all, reached)
	shown := map[key]*diag.Diagnostic{}
	for _, d := range kept {
		shown[key{d.Code, d.At, d.Msg}] = d
	}
	for _, x := range list {
		if x.Err != nil {
			continue
		}
		var mine []*diag.Diagnostic
		for _, d := range x.Result.Diagnostics {
			s := shown[key{d.Code, d.At, d.Msg}]
			if s != nil && d.Severity < s.Severity {
				s = d
			}
			if s != nil {
				mine = append(mine, s)
			}
		}
		x.Result.Diagnostics = mine
	}
	return withoutEchoes(list, kept)
}

// withoutEchoes leaves out that a result is another one than expected where an error
// that is shown says why: that is one fault, not two.
func withoutEchoes(list []Outcome, kept []*diag.Diagnostic) []*diag.Diagnostic {
	echo := map[*diag.Diagnostic]bool{}
	for _, x := range list {
		if x.Err != nil || !HasErrors(slices.DeleteFunc(slices.Clone(x.Result.Diagnostics), func(d *diag.Diagnostic) bool {
			return d.Aside || d.Code == diag.UnexpectedResult
		})) {
			continue
		}
		x.Result.Diagnostics = slices.DeleteFunc(x.Result.Diagnostics, func(d *diag.Diagnostic) bool {
			if d.Code == diag.UnexpectedResult {
				echo[d] = true
			}
			return echo[d]
		})
	}
	return slices.DeleteFunc(kept, func(d *diag.Diagnostic) bool { return echo[d] })
}

// identical maps files that were read several times, by entries at work at the
// same time or under the names of a script and of a module, to one of them.
type identical map[fileKey]*source.File

type fileKey struct{ path, text string }

func keyOf(f *source.File) fileKey { return fileKey{place.Path(f), f.Text()} }

func sameFiles(list []Outcome, fs *source.FileSet) identical {
	out := identical{}
	add := func(f *source.File) {
		if f == nil || f.Prelude {
			return
		}
		// The choice does not depend on which entry was first.
		if old := out[keyOf(f)]; old == nil || len(f.Name) > len(old.Name) || len(f.Name) == len(old.Name) && f.Base() < old.Base() {
			out[keyOf(f)] = f
		}
	}
	for _, x := range list {
		if x.Err != nil {
			continue
		}
		for f := range x.Result.Reached {
			add(f)
		}
		for _, d := range x.Result.Diagnostics {
			add(fs.File(d.At.Start))
			for _, r := range d.Related {
				add(fs.File(r.At.Start))
			}
		}
	}
	return out
}

func (m identical) file(f *source.File) *source.File {
	if g := m[keyOf(f)]; g != nil {
		return g
	}
	return f
}

func (m identical) span(fs *source.FileSet, s source.Span) source.Span {
	f := fs.File(s.Start)
	if f == nil {
		return s
	}
	by := m.file(f).Base() - f.Base()
	return source.Span{Start: s.Start + by, End: s.End + by}
}

// diagnostic is d with all its places in the files of m.
func (m identical) diagnostic(fs *source.FileSet, d *diag.Diagnostic) *diag.Diagnostic {
	out := *d
	out.At = m.span(fs, d.At)
	out.Related = append([]diag.Related(nil), d.Related...)
	for i := range out.Related {
		out.Related[i].At = m.span(fs, d.Related[i].At)
	}
	out.Fixes = append([]diag.Fix(nil), d.Fixes...)
	for i := range out.Fixes {
		out.Fixes[i].Edits = append([]diag.Edit(nil), d.Fixes[i].Edits...)
		for j := range out.Fixes[i].Edits {
			out.Fixes[i].Edits[j].At = m.span(fs, d.Fixes[i].Edits[j].At)
		}
	}
	return &out
}
