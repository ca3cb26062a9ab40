package check

// This file runs a whole program with a fix that was suggested for it, and compares what came of
// it. A fix is a guess that was made from one finding. Before it is shown it is tried: the file is
// changed in an overlay, the parts of the program that read the file run again, and the two
// outcomes are compared by the places of findings, which a lineMap translates since a fix moves
// lines. Verified is a fix with which the finding is gone, nothing new counts, and no entry lost
// its result. The Fixer, which writes fixes into files, compares in the same way.

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/fix"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
)

// MaxVerified is how many fixes of a run are verified: each takes a run of every entry that reads the changed file.
const MaxVerified = 10

// A Program is what fixes are tried on. Its parts are entries, or files with what is found in them.
// It is made by OfEntry, OfEntries or OfFiles and has no state, so one can be run many times.
type Program struct {
	// The number of parts, from 0 on.
	parts int
	// run runs the given parts only and returns their outcomes in the order of parts.
	run func(ctx context.Context, s *Session, parts []int) (*Project, error)
}

// OfEntry is the program that one entry is, as Session.Check runs it. There is one part.
func OfEntry(t *Target) *Program {
	return &Program{1, func(ctx context.Context, s *Session, _ []int) (*Project, error) {
		changed := *t
		// The text of standard input is no file that an overlay could change, so the changed text
		// is put in.
		if text, ok := s.texts[s.abs(t.Run.File)]; ok && t.Run.Text != "" { // standard input
			changed.Run.Text = text
		}
		r, err := s.Check(ctx, &changed)
		if err != nil {
			return nil, err
		}
		return &Project{Files: r.Files, Entries: []Outcome{{Name: t.Name, Result: r}}}, nil
	}}
}

// OfEntries is the program that these entries are, as Session.CheckAll runs them.
func OfEntries(list []*Target) *Program {
	return &Program{len(list), func(ctx context.Context, s *Session, parts []int) (*Project, error) {
		return s.CheckAll(ctx, picked(list, parts), Unwatched{})
	}}
}

// OfFiles is the program that files are, as Session.CheckFiles runs them. discover finds entries in
// a file; nil stands for none.
func OfFiles(files []string, discover Discoverer) *Program {
	return &Program{len(files), func(ctx context.Context, s *Session, parts []int) (*Project, error) {
		return s.CheckFiles(ctx, picked(files, parts), Unwatched{}, discover)
	}}
}

// The numbers of all parts.
func (p *Program) all() []int {
	out := make([]int, p.parts)
	for i := range out {
		out[i] = i
	}
	return out
}

// parts are places in list.
func picked[T any](list []T, parts []int) []T {
	out := make([]T, len(parts))
	for i, n := range parts {
		out[i] = list[n]
	}
	return out
}

// An outcome is what came of each part of a program. The parts are in the order of the program's.
type outcome struct {
	files *source.FileSet
	parts []partOutcome
}

type partOutcome struct {
	file string // empty: it is an entry
	// A file was run although nothing in it became an entry.
	ran     bool // something of the file, also where that is no entry
	entries []Outcome
	found   []*diag.Diagnostic
}

// A project with Discovered has a part for each file, another one a part for each entry.
func outcomeOf(p *Project) *outcome {
	out := &outcome{files: p.Files}
	for _, d := range p.Discovered {
		out.parts = append(out.parts, partOutcome{file: d.File, ran: d.Runs > 0, entries: d.Entries, found: foundIn(d.Entries, d.Diagnostics)})
	}
	for i := range p.Entries {
		if p.Discovered == nil {
			out.parts = append(out.parts, partOutcome{entries: p.Entries[i : i+1], found: foundIn(p.Entries[i:i+1], nil)})
		}
	}
	return out
}

// foundIn are the findings of entries, and others. Entries that failed have no findings of their
// own.
func foundIn(list []Outcome, more []*diag.Diagnostic) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	for _, x := range list {
		if x.Err == nil {
			out = append(out, x.Result.Diagnostics...)
		}
	}
	return append(out, more...)
}

// findings are those of all parts, each once, as the surest has it. Two parts may have the same
// finding, of which the more severe one stays.
func (o *outcome) findings() []*diag.Diagnostic {
	met := map[findingKey]int{} // in out
	var out []*diag.Diagnostic
	for _, p := range o.parts {
		for _, d := range p.found {
			k := findingKey{d.Code, d.At, d.Msg}
			i, again := met[k]
			switch {
			case !again:
				met[k] = len(out)
				out = append(out, d)
			case d.Severity > out[i].Severity:
				out[i] = d
			}
		}
	}
	return out
}

// reading are the parts that ran lines of files, or are such a file. They must run again when these
// files change. A part whose files are not known counts as one that reads everything.
func (o *outcome) reading(x *Fixer, changed map[string]bool) []int {
	var out []int
	for i, p := range o.parts {
		reads := changed[x.session.abs(p.file)] || p.ran && len(p.entries) == 0 // of which nobody knows what was read
		for _, e := range p.entries {
			// An entry that failed may have read the file before it did.
			reads = reads || e.Err != nil || changed[x.session.abs(e.Result.Target.Run.File)] ||
				slices.ContainsFunc(e.Result.RanFiles(), func(f *source.File) bool { return changed[x.absolute(f)] })
		}
		if reads {
			out = append(out, i)
		}
	}
	return out
}

// with is the outcome where these parts came out otherwise. A part that did not run again, or that
// the budget left out, keeps its outcome.
func (o *outcome) with(after *outcome, parts []int) *outcome {
	out := &outcome{o.files, slices.Clone(o.parts)}
	for i, n := range parts {
		if i < len(after.parts) {
			out.parts[n] = after.parts[i]
		}
	}
	return out
}

// lost reports whether an entry of these parts had a result and has none, or came to its end and
// does not. The fixed program must not be worse: an entry may lose its result where a fix hides the
// code that made it. An entry that exceeds a bound now counts as lost, too.
func lost(before, after *outcome, parts []int) bool {
	known := func(r *Result) bool { return r.OutputType != "" && r.OutputType != "?" }
	for _, i := range parts {
		// Entries are found again by name, as a fix may change how many there are.
		now := map[string]Outcome{}
		for _, x := range after.parts[i].entries {
			now[x.Name] = x
		}
		for _, x := range before.parts[i].entries {
			if x.Err != nil {
				continue
			}
			y, ok := now[x.Name]
			if !ok { // of a program without values and errors there is no entry
				if known(x.Result) || x.Result.Typed > 0 {
					return true
				}
				continue
			}
			if y.Err != nil || x.Result.Checked && !y.Result.Checked || y.Result.Exceeded && !x.Result.Exceeded ||
				known(x.Result) && !known(y.Result) {
				return true
			}
		}
	}
	return false
}

// A lineMap tells for each line of a changed text, from 1, which it was before, and which lines before were replaced.
type lineMap struct {
	old      []int
	replaced map[int]bool
}

// A line that was replaced has one old line for each new line; further new lines share the last old
// one, and those that replace nothing have the line before them.
func newLineMap(before, after string) *lineMap {
	m := &lineMap{old: []int{0}, replaced: map[int]bool{}}
	var gone []int // that the next added lines replace
	line := 0
	for _, op := range fix.CompareTexts(before, after) {
		switch op.Kind {
		case ' ':
			line++
			gone = nil
			m.old = append(m.old, line)
		case '-':
			line++
			gone = append(gone, line)
			m.replaced[line] = true
		case '+':
			at := line
			if len(gone) > 0 {
				if at = gone[0]; len(gone) > 1 {
					gone = gone[1:]
				}
			}
			m.old = append(m.old, at)
			m.replaced[at] = true
		}
	}
	return m
}

// after is the map of both steps; first may be nil. A fix may be applied to a text that was changed
// already; the map leads to the first text.
func (m *lineMap) after(first *lineMap) *lineMap {
	if first == nil {
		return m
	}
	out := &lineMap{old: make([]int, len(m.old)), replaced: maps.Clone(first.replaced)}
	for i, n := range m.old {
		out.old[i] = first.line(n)
	}
	for n := range m.replaced {
		out.replaced[first.line(n)] = true
	}
	return out
}

// Lines beyond the text, and those of files without a map, stay what they are.
func (m *lineMap) line(n int) int {
	if m == nil || n >= len(m.old) {
		return n
	}
	return m.old[n]
}

// A spot is where a finding is, in the text before a change. Of lines that were replaced there is
// no piece. Two findings at one spot are of the same kind, whatever their messages say, since a
// message has sizes that a fix changes.
type spot struct {
	code  diag.Code
	path  string
	line  int
	piece string
}

// spots counts findings by where they were before a change; after says that the findings are those
// after it. abs gives the absolute path of a file, lines the maps of the changed files, and counts
// which findings are taken.
func (o *outcome) spots(abs func(string) string, lines map[string]*lineMap, after bool, counts func(*diag.Diagnostic) bool) map[spot]int {
	out := map[spot]int{}
	for _, d := range o.findings() {
		if counts(d) {
			out[o.spotOf(d, abs, lines, after)]++
		}
	}
	return out
}

func (o *outcome) spotOf(d *diag.Diagnostic, abs func(string) string, lines map[string]*lineMap, after bool) spot {
	p, q := o.files.Position(d.At.Start), o.files.Position(d.At.End)
	if p.File == nil {
		// A finding that has no place is known by its message.
		return spot{code: d.Code, piece: d.Msg}
	}
	at := spot{code: d.Code, path: abs(p.File.Place()), line: p.Line}
	m := lines[at.path]
	if after {
		at.line = m.line(p.Line)
	}
	// The text of a replaced line says nothing about the line before.
	if m != nil && m.replaced[at.line] {
		return at
	}
	text := p.File.Line(p.Line)
	end := len(text)
	if q.Line == p.Line {
		end = min(q.Col, end)
	}
	at.piece = text[min(p.Col, end):end]
	return at
}

// It takes every finding.
func always(*diag.Diagnostic) bool { return true }

// fresh are the findings that count of a trial which the program did not have before. Where there
// were two at a spot and are three, one is fresh.
func (x *Fixer) fresh(before *outcome, t *trial) []*diag.Diagnostic {
	had := before.spots(x.session.abs, t.lines, false, counts)
	var out []*diag.Diagnostic
	for _, d := range t.outcome.findings() {
		if !counts(d) {
			continue
		}
		k := t.outcome.spotOf(d, x.session.abs, t.lines, true)
		if had[k]--; had[k] < 0 {
			out = append(out, d)
		}
	}
	return out
}

// gone reports whether there are fewer findings where those are that fixes are for. made are the
// fixes that were applied. Each finding that has one must be gone from its spot, unless others are
// there that were there before.
func (x *Fixer) gone(before, after *outcome, lines map[string]*lineMap, made map[*diag.Fix]bool) bool {
	then, now := before.spots(x.session.abs, lines, false, always), after.spots(x.session.abs, lines, true, always)
	for _, d := range before.findings() {
		for i := range d.Fixes {
			if !made[&d.Fixes[i]] {
				continue
			}
			k := before.spotOf(d, x.session.abs, lines, false)
			if then[k]--; then[k] < now[k] {
				return false
			}
		}
	}
	return true
}

// A fix that is safe does not change what the program does but for its fault.
func allSafe(fixes map[*diag.Fix]bool) bool {
	for f := range fixes {
		if !f.Safe {
			return false
		}
	}
	return true
}

// faults is the number of errors. A finding that stands for several counts as often.
func faults(o *outcome) (n int) {
	for _, d := range o.findings() {
		if d.Severity == diag.Error {
			n += max(d.Count, 1)
		}
	}
	return n
}

// RanFiles are the files of which lines ran. A result that was recalled or reduced has the files
// alone.
func (r *Result) RanFiles() []*source.File {
	if r.Reached == nil {
		return r.ran
	}
	return slices.Collect(maps.Keys(r.Reached))
}

// forgetLines keeps of the lines that ran only which files they are of. The lines take memory and
// are needed only where a report shows them.
func (r *Result) forgetLines() { r.ran, r.Reached = r.RanFiles(), nil }

// VerifyFixes runs a program, of which p came, with the fixes of its first findings, the most severe first. A fix with which the program
// is better is marked as verified; one with which it is not is left as a hint, without its edits. At most MaxVerified
// fixes are tried.
func (s *Session) VerifyFixes(ctx context.Context, g *Program, p *Project) {
	// Fixes are verified for findings that count. When MaxVerified is reached, the context ends or
	// the run was cut short, the rest is marked as not verified, which shows them with that said.
	defer s.Time.Begin(timing.Phase, timing.Fixes).End()
	before := outcomeOf(p)
	list := before.findings()
	slices.SortStableFunc(list, func(a, b *diag.Diagnostic) int { return int(b.Severity) - int(a.Severity) })
	verified := map[findingKey][]diag.Fix{}
	tried := 0
	for _, d := range list {
		if !counts(d) || !slices.ContainsFunc(d.Fixes, func(f diag.Fix) bool { return len(f.Edits) > 0 }) {
			continue
		}
		fixes := slices.Clone(d.Fixes)
		for i := range fixes {
			if len(fixes[i].Edits) == 0 {
				continue
			}
			if tried == MaxVerified || ctx.Err() != nil || p.Skipped != nil {
				fixes[i].State = diag.FixNotVerified
				continue
			}
			tried++
			s.verify(ctx, g, before, &d.Fixes[i], &fixes[i])
		}
		verified[findingKey{d.Code, d.At, d.Msg}] = fixes
	}
	// One finding may be in several lists, as copies.
	mark := func(list []*diag.Diagnostic) {
		for _, d := range list {
			if fixes, ok := verified[findingKey{d.Code, d.At, d.Msg}]; ok {
				d.Fixes = fixes
			}
		}
	}
	mark(p.Diagnostics)
	for _, part := range before.parts {
		mark(part.found)
	}
}

// verify tries one fix of what a program found, and says in out what came of it. The fix may change
// files below the folders of the entries, of the configuration and the working directory, the same
// that --fix may change.
func (s *Session) verify(ctx context.Context, g *Program, before *outcome, f, out *diag.Fix) {
	dirs := []string{"."}
	for _, part := range before.parts {
		for _, e := range part.entries {
			if e.Err == nil && e.Result.Target.Run.File != "" {
				dirs = append(dirs, filepath.Dir(e.Result.Target.Run.File))
			}
		}
	}
	if s.Config != nil {
		dirs = append(dirs, filepath.Dir(s.Config.File()))
	}
	x := s.Fixer(g, true, dirs)
	after := x.attempt(ctx, before, []*diag.Fix{f})
	switch {
	case after != nil:
		out.State, out.Run = diag.FixVerified, after.summary()
	case ctx.Err() != nil:
		out.State = diag.FixNotVerified
	// A hint without edits is still worth reading.
	default:
		out.Edits = nil
	}
}

// summary says what ran with the fixes of a trial, and what is left: "Net() x:f32[B,3,32,32], 0
// findings". The first entry that ran is named, and the others are counted.
func (t *trial) summary() string {
	name, more, left := "", 0, 0
	for _, i := range t.parts {
		for _, e := range t.outcome.parts[i].entries {
			if e.Err != nil {
				continue
			}
			if name != "" {
				more++
				continue
			}
			if name = "(script)"; e.Result.Target.Run.Script == nil {
				name = strings.Join(append([]string{entryText(e.Result.Result)}, e.Result.Target.Run.Args...), " ")
			}
		}
	}
	for _, d := range t.outcome.findings() {
		if counts(d) {
			left++
		}
	}
	if more > 0 {
		name += fmt.Sprintf(" and %d more", more)
	}
	if left == 1 {
		return name + ", 1 finding"
	}
	return fmt.Sprintf("%s, %d findings", name, left)
}

// The code of a module that is no function has no name.
func entryText(r *infer.Result) string {
	if r.Entry == "" {
		return "(script)"
	}
	return r.Entry
}
