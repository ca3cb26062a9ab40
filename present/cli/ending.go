package cli

// This file prints the end of a check: what is unsettled, the findings, the sum, and what to do next.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"shapecheck/check"
	"shapecheck/internal/columns"
	"shapecheck/internal/cputime"
	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
	"shapecheck/present/render/concise"
	"shapecheck/present/render/markdown"
	"shapecheck/present/render/text"
)

// A summing is the end of a check.
type summing struct {
	*lister
	entries []listedEntry
	list    []*diag.Diagnostic // the findings
	untried int                // parts that were not tried
	empty   int                // files without a model
	skipped string             // what the run left out; empty: nothing
	took    time.Duration
	// environment names that of the run, where that is to be said.
	environment string
}

// maxInFull is how many findings, and unsettled entries, are printed in full.
const maxInFull = 10

// to is the end as a lister prints it that has printed the entries.
func (e *summing) to(l *lister) *summing {
	out := *e
	out.lister = l
	l.begun = slices.ContainsFunc(e.entries, func(x listedEntry) bool { return l.shows(&x) }) || l.single && len(e.entries) == 0
	return &out
}

// markdown are the entries as rows of a table.
func (e *summing) markdown() []markdown.Entry {
	out := make([]markdown.Entry, len(e.entries))
	for i := range e.entries {
		out[i] = e.entries[i].markdown()
	}
	return out
}

// printSum prints the sum alone.
func (e *summing) printSum(w io.Writer) error {
	var b strings.Builder
	e.sum(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// print prints the end to w.
func (e *summing) print(w io.Writer) error {
	var b strings.Builder
	if e.quiet {
		e.findings(&b)
		_, err := io.WriteString(w, b.String())
		return err
	}
	e.unsettled(&b)
	e.findings(&b)
	if e.begun || b.Len() > 0 {
		b.WriteByte('\n')
	}
	e.sum(&b)
	for _, line := range e.next() {
		fmt.Fprintln(&b, line)
	}
	if e.environment != "" && e.verbose {
		fmt.Fprintln(&b, e.environment)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// unsettled says what entries came upon that ran with nothing that was tried.
func (e *summing) unsettled(b *strings.Builder) {
	var list []*listedEntry
	for i := range e.entries {
		if x := &e.entries[i]; x.state == check.Unsettled {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(x, y *listedEntry) int {
		return cmp.Compare(slices.Index(kinds, x.kind), slices.Index(kinds, y.kind))
	})
	if len(list) > 0 {
		b.WriteByte('\n')
	}
	for i, x := range list {
		if i == maxInFull && !e.verbose {
			fmt.Fprintf(b, "%s and %d more: -v\n", x.state.Mark(e.plain), len(list)-i)
			break
		}
		said := x.file + ": " + x.className() + ": " + x.whyNot
		if x.met != "" {
			said = fmt.Sprintf("%s: %s fails%s: %s", x.metAt, x.className(), tried(x.args), x.met)
		}
		for i, line := range columns.Wrap(safetext.Line(said), e.style.Width-4) {
			front := "    "
			if i == 0 {
				front = e.style.Paint(stateColors[x.state], x.state.Mark(e.plain)) + " "
			}
			fmt.Fprintln(b, front+line)
		}
	}
	if len(list) > 0 {
		x := list[0]
		comment := strings.TrimSpace(fmt.Sprintf("# shapecheck: check %s %s", x.entry, strings.Join(x.args, " ")))
		for _, line := range e.hung("    ", safetext.Line("if that is not how it is called, say so in "+x.file+": "+comment)) {
			fmt.Fprintln(b, line)
		}
	}
}

// tried are the arguments that an entry fails with.
func tried(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return " with " + strings.Join(inputs(args), ", ")
}

// findings prints the findings, the most severe first. What several entries have at one place, of other sizes, is one finding.
func (e *summing) findings(b *strings.Builder) {
	list := slices.DeleteFunc(slices.Clone(e.list), func(d *diag.Diagnostic) bool { return d.Severity == diag.Info && !e.verbose })
	slices.SortStableFunc(list, func(x, y *diag.Diagnostic) int { return cmp.Compare(y.Severity, x.Severity) })
	list = diag.Group(list)
	st := e.style.Style
	st.Width = width(e.w)
	if e.verbose {
		st.Places = 0
	}
	for i, d := range list {
		if i < maxInFull {
			b.WriteByte('\n')
			text.Print(b, e.fs, d, st)
			continue
		}
		if i == maxInFull {
			b.WriteByte('\n')
		}
		for i, line := range columns.Wrap(concise.Line(e.fs, d), e.style.Width-4) {
			if i > 0 {
				line = "    " + line
			}
			fmt.Fprintln(b, line)
		}
	}
}

// sum prints how the entries ended, and what else there is to say of all.
func (e *summing) sum(b *strings.Builder) {
	var counts []string
	for _, kind := range kinds {
		if s := e.counts(kind); s != "" {
			counts = append(counts, s)
		}
	}
	if e.untried > 0 {
		counts = append(counts, counted(e.untried, aPart)+" not tried")
	}
	var more []string
	if s := bySeverity(diag.Group(e.list)); s != "" {
		more = append(more, s)
	}
	more = append(more, e.common()...)
	switch {
	case e.empty > 0 && len(counts) == 0:
		more = append(more, counted(e.empty, "file")+" without a model or an annotated function")
	case e.empty > 0:
		more = append(more, counted(e.empty, "file")+" without a model")
	}
	typed, open := 0, 0
	for i := range e.entries {
		typed, open = typed+e.entries[i].typed, open+e.entries[i].open
	}
	if e.verbose && typed+open > 0 {
		more = append(more, fmt.Sprintf("%d of %s typed", typed, counted(typed+open, "value")))
	}
	recalled := 0
	for i := range e.entries {
		if e.entries[i].took == cached {
			recalled++
		}
	}
	if recalled > 0 {
		more = append(more, fmt.Sprintf("%d cached", recalled))
	}
	cost := elapsed(e.took)
	if n := cputime.Peak(); n > 0 {
		cost += fmt.Sprintf(", %d MB", n>>20)
	}
	if len(more) == 0 && len(counts) > 0 {
		counts[len(counts)-1] += ". " + cost
		e.fields(b, counts, "; ")
	} else {
		e.fields(b, counts, "; ")
		e.fields(b, append(more, cost), ". ")
	}
	if e.skipped != "" {
		fmt.Fprintln(b, safetext.Line(e.skipped))
	}
}

// fields prints parts of a line, which breaks between them.
func (e *summing) fields(b *strings.Builder, parts []string, sep string) {
	line := ""
	for i, p := range parts {
		if i < len(parts)-1 {
			p += strings.TrimRight(sep, " ")
		}
		if line != "" && columns.Of(line)+1+columns.Of(p) > e.style.Width {
			fmt.Fprintln(b, line)
			line = ""
		}
		for columns.Of(p) > e.style.Width {
			head, rest := columns.Cut(p, e.style.Width, true)
			fmt.Fprintln(b, strings.TrimRight(head, " "))
			p = rest
		}
		if line != "" {
			line += " "
		}
		line += p
	}
	if line != "" {
		fmt.Fprintln(b, line)
	}
}

// counts says how the entries of a kind ended: "12 models: 9 checked, 1 with findings".
func (e *summing) counts(kind string) string {
	var n check.Counts
	all, hidden := 0, false
	for i := range e.entries {
		if x := &e.entries[i]; x.kind == kind {
			n[x.state]++
			all++
			hidden = hidden || !e.shows(x)
		}
	}
	if all == 0 {
		return ""
	}
	text := counted(all, kind) + byState(n)
	if hidden {
		text += " (-v)"
	}
	return text
}

// byState says how many entries ended in each state: ": 2 checked, 1 unsettled".
func byState(n check.Counts) string {
	var parts []string
	for _, s := range []check.State{check.Verified, check.HasFindings, check.Weak, check.Unsettled, check.NotChecked} {
		switch {
		case n[s] == 0:
		case s == check.HasFindings:
			parts = append(parts, fmt.Sprintf("%d with findings", n[s]))
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n[s], s))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// bySeverity counts findings: "1 error, 2 warnings (1 fixable), 3 infos (-v)".
func bySeverity(list []*diag.Diagnostic) string {
	var n [diag.Error + 1]int
	fixable := 0
	for _, d := range list {
		n[d.Severity]++
		if d.Severity > diag.Info && slices.ContainsFunc(d.Fixes, func(f diag.Fix) bool { return len(f.Edits) > 0 }) {
			fixable++
		}
	}
	var parts []string
	if s := severities(n[diag.Error], n[diag.Warning]); s != "" {
		parts = append(parts, s)
	}
	if fixable > 0 {
		parts = append(parts, fmt.Sprintf("%d fixable", fixable))
	}
	if n[diag.Info] > 0 {
		parts = append(parts, counted(n[diag.Info], "info")+" (-v)")
	}
	return strings.Join(parts, ", ")
}

// severities counts findings that count: "1 error, 2 warnings".
func severities(errors, warnings int) string {
	var parts []string
	if errors > 0 {
		parts = append(parts, counted(errors, diag.Error.String()))
	}
	if warnings > 0 {
		parts = append(parts, counted(warnings, diag.Warning.String()))
	}
	return strings.Join(parts, ", ")
}

// maxCommon is how many conditions are said to be those of several models, and fewCommon from how many models on.
const maxCommon, fewCommon = 2, 3

// common are the conditions of several models: "H, W % 32 == 0 for 9 models".
func (e *summing) common() []string {
	n := map[string]int{}
	var order []string
	for i := range e.entries {
		x := &e.entries[i]
		if x.kind == aPart || x.state != check.Verified {
			continue
		}
		for _, c := range x.brief.Lines[:len(x.brief.Lines)-x.brief.Training] {
			if n[c]++; n[c] == 1 {
				order = append(order, c)
			}
		}
	}
	order = slices.DeleteFunc(order, func(c string) bool { return n[c] < fewCommon })
	slices.SortStableFunc(order, func(x, y string) int { return cmp.Compare(n[y], n[x]) })
	var out []string
	for _, c := range order[:min(len(order), maxCommon)] {
		out = append(out, safetext.Line(fmt.Sprintf("%s for %d models", c, n[c])))
	}
	return out
}

// maxNext is how many commands are suggested.
const maxNext = 2

// next are commands that would settle entries, those that settle most first.
func (e *summing) next() []string {
	needs := map[string][]string{}
	var order []string
	for i := range e.entries {
		x := &e.entries[i]
		if x.state != check.NotChecked && x.state != check.Unsettled {
			continue
		}
		for _, m := range x.lacks {
			if len(needs[m]) == 0 {
				order = append(order, m)
			}
			needs[m] = append(needs[m], x.className())
		}
	}
	slices.SortStableFunc(order, func(x, y string) int { return cmp.Compare(len(needs[y]), len(needs[x])) })
	var out []string
	for _, m := range order[:min(len(order), maxNext)] {
		who, verb := needs[m][0], "needs"
		if n := len(needs[m]) - 1; n > 0 {
			who, verb = fmt.Sprintf("%s and %d more", who, n), "need"
		}
		head := "next: "
		if len(out) > 0 {
			head = "      "
		}
		line := safetext.Line(head + "pip install " + m)
		if why := safetext.Line(fmt.Sprintf("    (%s %s it)", who, verb)); columns.Of(line+why) <= e.style.Width {
			line += why
		}
		out = append(out, line)
	}
	return out
}
