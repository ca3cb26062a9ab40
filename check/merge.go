package check

// This file puts what several entries found together. Parts come one after the other in the order
// of the entries, whatever order they ended in, so that the output does not depend on how they were
// scheduled.

import (
	"cmp"
	"maps"
	"slices"

	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/source"
	"shapecheck/project/suppress"
)

// A merger filters the diagnostics of all entries together, so that a comment counts
// as used when one of them needs it, and leaves in each result its own. The same
// finding in several entries is shown once, as the surest of them has it. Entries come in parts; what a
// later one may be surer of is shown after the last, so that what was printed stays true. It is
// used by CheckAll and CheckFiles, which stream what takePart returns.
type merger struct {
	fs   *source.FileSet
	pass *suppress.Pass
	same identical
	met  map[findingKey]*metFinding
	// open are the findings of all parts, in their order, that wait for the end.
	open []findingKey
}

// Findings with the same key are the same finding.
type findingKey struct {
	code diag.Code
	at   source.Span
	msg  string
}

// A metFinding is a finding with the highest severity that it had; shown is nil where it is hidden.
// severity may be higher than that of what is shown, if a later entry was surer.
type metFinding struct {
	severity diag.Severity
	shown    *diag.Diagnostic
	released bool // a part has it
	known    bool // the baseline hides it
}

// Provisional reports whether another entry may be surer of a finding: it is less severe than its
// code says. Such a finding rests on a guess of one entry.
func Provisional(d *diag.Diagnostic) bool { return d.Severity < d.Code.Info().Severity }

// The filter's comments and baseline hold for all parts.
func newMerger(fs *source.FileSet, filter *suppress.Filter) *merger {
	return &merger{fs: fs, pass: filter.Begin(fs), same: identical{}, met: map[findingKey]*metFinding{}}
}

// sibling is a merger with another filter, which knows what this one has shown.
func (m *merger) sibling(filter *suppress.Filter) *merger {
	return &merger{fs: m.fs, pass: filter.Begin(m.fs), same: m.same, met: m.met}
}

// takePart takes the entries of the next part and returns what is shown of it and no part before
// had, but for what is provisional. The results of list keep what is shown of their own findings.
func (m *merger) takePart(list []Outcome) []*diag.Diagnostic {
	m.same.add(list, m.fs)
	key := func(d *diag.Diagnostic) findingKey { return findingKey{d.Code, d.At, d.Msg} }
	var fresh []*diag.Diagnostic
	begun := map[findingKey]int{} // in fresh
	surer := map[findingKey]*diag.Diagnostic{}
	// reached are the lines that ran, by which unused comments are found.
	reached := map[*source.File]map[int]bool{}
	for _, x := range list {
		if x.Err != nil {
			continue
		}
		for i, d := range x.Result.Diagnostics {
			d = m.same.diagnostic(m.fs, d)
			m.pass.Grade(d)
			x.Result.Diagnostics[i] = d
			k := key(d)
			before := m.met[k]
			at, again := begun[k]
			switch {
			case before != nil:
				if d.Severity > before.severity {
					before.severity, surer[k] = d.Severity, d
				}
			case !again:
				begun[k] = len(fresh)
				fresh = append(fresh, d)
			case d.Severity > fresh[at].Severity: // one entry guessed, and another did not need to
				fresh[at] = d
			}
		}
		for f, lines := range x.Result.Reached {
			f = m.same.file(f)
			if reached[f] == nil {
				reached[f] = map[int]bool{}
			}
			for n := range lines {
				reached[f][n] = true
			}
		}
	}
	// From here on later parts know these findings.
	for _, d := range fresh {
		m.met[key(d)] = &metFinding{severity: d.Severity}
	}
	kept := m.pass.Part(fresh, reached)
	for _, d := range kept {
		m.met[key(d)].shown = d
	}
	for _, d := range fresh {
		m.met[key(d)].known = m.pass.Hid(d)
	}
	for _, x := range list { // in their order
		if x.Err != nil {
			continue
		}
		for _, d := range x.Result.Diagnostics {
			k := key(d)
			if surer[k] != d {
				continue
			}
			before := m.met[k]
			if again := m.pass.Again(d); again != nil && !before.released && (before.shown == nil || again.Severity > before.shown.Severity) {
				before.shown = again
				kept = append(kept, again)
			}
		}
	}
	// Each result shows its own severity where that is lower.
	for _, x := range list {
		if x.Err != nil {
			continue
		}
		var mine []*diag.Diagnostic
		for _, d := range x.Result.Diagnostics {
			s := m.met[key(d)].shown
			if m.met[key(d)].known {
				x.Result.Hidden++
			}
			if s != nil && d.Severity < s.Severity {
				s = d
			}
			if s != nil {
				mine = append(mine, s)
			}
		}
		x.Result.Diagnostics = mine
	}
	var out []*diag.Diagnostic
	for _, d := range withoutEchoes(list, kept) {
		if Provisional(d) {
			m.open = append(m.open, key(d))
			continue
		}
		m.met[key(d)].released = true
		out = append(out, d)
	}
	return out
}

// end returns what waited for it, and what is wrong with comments. Of a project that was not checked to its end
// nobody knows whether a comment has an effect. whole says that all entries ran.
func (m *merger) end(whole bool) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	for _, k := range m.open {
		if x := m.met[k]; !x.released {
			x.released = true
			out = append(out, x.shown)
		}
	}
	about := m.pass.End()
	if !whole {
		about = slices.DeleteFunc(about, func(d *diag.Diagnostic) bool { return d.Code == diag.UnusedIgnore })
	}
	return append(out, about...)
}

// withoutEchoes leaves out that a result is another one than expected where an error
// that is shown says why: that is one fault, not two. The result's own diagnostics lose them as
// well.
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
// same time or under the names of a script and of a module, to one of them. Positions differ
// between copies of a file by their bases alone.
type identical map[fileKey]*source.File

type fileKey struct{ path, text string }

func keyOf(f *source.File) fileKey { return fileKey{place.Path(f), f.Text()} }

// add adds the files of entries; those that are there stay. Only files that findings or reached
// lines name are looked at.
func (m identical) add(list []Outcome, fs *source.FileSet) {
	fresh := identical{}
	add := func(f *source.File) {
		if f == nil || f.Prelude {
			return
		}
		k := keyOf(f)
		if m[k] != nil {
			return
		}
		// The choice does not depend on which entry was first. The shortest name wins, then the
		// alphabetical order.
		old := fresh[k]
		if old == nil || cmp.Or(cmp.Compare(len(old.Name), len(f.Name)), cmp.Compare(f.Name, old.Name), cmp.Compare(f.Base(), old.Base())) < 0 {
			fresh[k] = f
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
			for _, at := range d.Born {
				add(fs.File(at.Start))
			}
		}
	}
	maps.Copy(m, fresh)
}

// A file that is not known stays.
func (m identical) file(f *source.File) *source.File {
	if g := m[keyOf(f)]; g != nil {
		return g
	}
	return f
}

// The copy has the same text, so that only the base changes.
func (m identical) span(fs *source.FileSet, s source.Span) source.Span {
	f := fs.File(s.Start)
	if f == nil {
		return s
	}
	by := m.file(f).Base() - f.Base()
	return source.Span{Start: s.Start + by, End: s.End + by}
}

// diagnostic is d with all its places in the files of m. Everything that has a place is copied, and
// the rest is shared.
func (m identical) diagnostic(fs *source.FileSet, d *diag.Diagnostic) *diag.Diagnostic {
	out := *d
	out.At = m.span(fs, d.At)
	out.Related = append([]diag.Related(nil), d.Related...)
	for i := range out.Related {
		out.Related[i].At = m.span(fs, d.Related[i].At)
	}
	out.Born = slices.Clone(d.Born)
	for i := range out.Born {
		out.Born[i] = m.span(fs, d.Born[i])
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
