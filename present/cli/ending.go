package cli

// This file prints the end of a check: what is unsettled, the findings, the sum, and what to do
// next. It reads the entries that were listed and the findings and computes nothing about them.
// Every text from the checked program passes safetext, so that it cannot control the terminal, and
// is wrapped at the terminal's width.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"shapecheck/check"
	"shapecheck/infer/lib"
	"shapecheck/internal/columns"
	"shapecheck/internal/cputime"
	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
	"shapecheck/present/render/concise"
	"shapecheck/present/render/markdown"
	"shapecheck/present/render/text"
	"shapecheck/project/comments"
)

// A summing is the end of a check. The embedded lister knows where and how to print; it is set by
// to.
type summing struct {
	*lister
	entries []listedEntry
	list    []*diag.Diagnostic // the findings
	untried int                // parts that were not tried
	// Files that were looked at and have none.
	empty   int    // files without a model
	skipped string // what the run left out; empty: nothing
	took    time.Duration
	// surroundings are the flags that a command needs which runs the same programs.
	surroundings []string
	// environment names that of the run, where that is to be said.
	environment string
}

// maxInFull is how many findings, and unsettled entries, are printed in full.
const maxInFull = 10

// to is the end as a lister prints it that has printed the entries. begun says whether anything
// stands above, which an empty line then separates.
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

// printSum prints the sum alone. It returns an error of writing only.
func (e *summing) printSum(w io.Writer) error {
	var b strings.Builder
	e.sum(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// print prints the end to w. The order: unsettled entries, findings, the sum, commands that could
// help. With --quiet only findings.
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

// unsettled says what entries came upon that ran with nothing that was tried. An entry is unsettled
// where no call that was tried got through. Entries that the configuration accepts as such are left
// out, unless -v asks for everything.
func (e *summing) unsettled(b *strings.Builder) {
	var list []*listedEntry
	for i := range e.entries {
		if x := &e.entries[i]; x.state == check.Unsettled && (!x.accepted || e.verbose) {
			list = append(list, x)
		}
	}
	// In the order of the kinds, and as they were listed within one.
	slices.SortStableFunc(list, func(x, y *listedEntry) int {
		return cmp.Compare(slices.Index(kinds, x.kind), slices.Index(kinds, y.kind))
	})
	if len(list) > 0 {
		b.WriteByte('\n')
	}
	left := len(list)
	for i, group := range e.byFault(list) {
		x := group[0]
		if i == maxInFull && !e.verbose {
			fmt.Fprintf(b, "%s and %d more: -v\n", x.state.Mark(e.plain), left)
			// The rest is only counted.
			break
		}
		left -= len(group)
		said := x.file + ": " + x.className() + ": " + x.whyNot
		if x.met != "" {
			// Where an attempt failed, its place and message say more than the reason.
			said = fmt.Sprintf("%s: %s fails%s: %s%s", x.metAt, x.className(), tried(x.args), x.met, others(group[1:]))
		}
		for i, line := range columns.Wrap(safetext.Line(said), e.style.Width-4) {
			front := "    "
			if i == 0 {
				front = e.style.Paint(stateColors[x.state], x.state.Mark(e.plain)) + " "
			}
			fmt.Fprintln(b, front+line)
		}
	}
	// One comment is shown as an example of how to settle them.
	for _, x := range list {
		if e.example(b, x) {
			break
		}
	}
}

// byFault puts entries together that failed at one place with one message, each group where its first one stood. With -v each is alone, as
// what they failed with may differ.
func (e *summing) byFault(list []*listedEntry) [][]*listedEntry {
	var out [][]*listedEntry
	at := map[string]int{}
	for _, x := range list {
		fault := x.metAt + ": " + x.met
		if i, ok := at[fault]; ok && x.met != "" && !e.verbose {
			out[i] = append(out[i], x)
			continue
		}
		at[fault] = len(out)
		out = append(out, []*listedEntry{x})
	}
	return out
}

// others names entries that fail as another one does, at most two of them.
func others(list []*listedEntry) string {
	switch n := len(list); n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" (so does %s)", list[0].className())
	case 2:
		return fmt.Sprintf(" (so do %s and %s)", list[0].className(), list[1].className())
	default:
		return fmt.Sprintf(" (so do %s, %s and %d more)", list[0].className(), list[1].className(), n-2)
	}
}

// example prints the comment that names an entry as it was tried, for a user to copy and change. It is a line, so false is returned and
// nothing printed where the screen has no room for it, and where no comment can name the entry.
func (e *summing) example(b *strings.Builder, x *listedEntry) bool {
	comment := comments.CheckLine(x.entry, x.args, x.eval)
	if comment == "" || safetext.Line(comment) != comment || columns.Of(comment)+4 > e.style.Width {
		return false
	}
	said := safetext.Line(fmt.Sprintf("if %s is called in another way, say so in %s:", x.className(), x.file))
	if columns.Of(said+" "+comment)+4 <= e.style.Width {
		fmt.Fprintln(b, "    "+said+" "+comment)
		return true
	}
	for _, line := range e.hung("    ", said) {
		fmt.Fprintln(b, line)
	}
	fmt.Fprintln(b, "    "+comment)
	return true
}

// tried are the arguments that an entry fails with.
func tried(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return " with " + strings.Join(inputs(args), ", ")
}

// findings prints the findings, the most severe first. What several entries have at one place, of other sizes, and
// what has one cause is one finding. Informations are shown with -v only. The first ten are printed
// with excerpts, others in one line each.
func (e *summing) findings(b *strings.Builder) {
	list := slices.DeleteFunc(slices.Clone(e.list), func(d *diag.Diagnostic) bool { return d.Severity == diag.Info && !e.verbose })
	slices.SortStableFunc(list, func(x, y *diag.Diagnostic) int { return cmp.Compare(y.Severity, x.Severity) })
	list = diag.Causes(list)
	// The width of the terminal may be another one than that of the columns of the listing.
	st := e.style.Style
	st.Width = width(e.w)
	if e.verbose {
		// 0 shows all places that lead to a finding.
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

// sum prints how the entries ended, and what else there is to say of all. The parts are: how many
// entries of each kind and how they ended, findings by severity, conditions that many models have,
// files without models, the share of typed values with -v, how many were cached, and time and
// memory.
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
	if s := bySeverity(diag.Causes(e.list)); s != "" {
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
	// Where the system does not tell the peak, it is left out.
	if n := cputime.Peak(); n > 0 {
		cost += fmt.Sprintf(", %d MB", n>>20)
	}
	// Everything fits one sentence.
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

// fields prints parts of a line, which breaks between them. A part that is longer than the line is
// cut at blanks.
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
		for !columns.Fits(p, e.style.Width) {
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

// counts says how the entries of a kind ended: "12 models: 9 checked, 1 with findings". Empty where
// there is none of the kind. (-v) says that some were not listed.
func (e *summing) counts(kind string) string {
	var n check.Counts
	all, accepted, hidden := 0, 0, false
	for i := range e.entries {
		if x := &e.entries[i]; x.kind == kind {
			n[x.state]++
			if all++; x.accepted {
				accepted++
			}
			hidden = hidden || !e.shows(x)
		}
	}
	if all == 0 {
		return ""
	}
	text := counted(all, kind) + byState(n)
	if accepted > 0 {
		text += fmt.Sprintf(", %d of them accepted", accepted)
	}
	if hidden {
		text += " (-v)"
	}
	return text
}

// byState says how many entries ended in each state: ": 2 checked, 1 unsettled". The order is from
// the best to the worst; the numbers of 0 are left out.
func byState(n check.Counts) string {
	var parts []string
	for _, s := range []check.State{check.Verified, check.HasFindings, check.Weak, check.Unsettled, check.NotChecked} {
		if n[s] > 0 {
			parts = append(parts, countState(n, s))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// countState says how many entries ended in a state: "2 checked".
func countState(n check.Counts, s check.State) string {
	if s == check.HasFindings {
		return fmt.Sprintf("%d with findings", n[s])
	}
	return fmt.Sprintf("%d %s", n[s], s)
}

// bySeverity counts findings: "1 error, 2 warnings (1 fixable), 3 infos (-v)". Fixable are those
// with an edit that --fix can apply.
func bySeverity(list []*diag.Diagnostic) string {
	var n [diag.Error + 1]int
	fixable := 0
	for _, d := range list {
		n[d.Severity]++
		if d.Severity > diag.Info && hasEdit(d) {
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

// severities counts findings that count: "1 error, 2 warnings". Empty for none.
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

// common are the conditions of several models: "H, W % 32 == 0 for 9 models". Only models that are
// verified count, and training conditions are left out.
func (e *summing) common() []string {
	n := map[string]int{}
	var order []string
	for i := range e.entries {
		x := &e.entries[i]
		if x.kind == aPart || x.state != check.Verified {
			// A part's conditions are those of the model that has it.
			continue
		}
		for _, c := range x.brief.Lines[:len(x.brief.Lines)-x.brief.Training] {
			if n[c]++; n[c] == 1 {
				order = append(order, c)
			}
		}
	}
	// A condition of few models belongs to their own lines.
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

// next are commands that would settle entries, those that settle most first. A package that is
// missing for most entries comes first. Then tracing is suggested where an entry would profit from
// it.
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
		line := safetext.Line(nextHead(len(out)) + "pip install " + lib.Distribution(m))
		// The reason is left out where it would not fit.
		if why := safetext.Line(fmt.Sprintf("    (%s %s it)", who, verb)); columns.Of(line+why) <= e.style.Width {
			line += why
		}
		out = append(out, line)
	}
	if i := slices.IndexFunc(e.entries, func(x listedEntry) bool { return x.traces }); i >= 0 && len(out) < maxNext {
		words := append([]string{"shapecheck", "trace", check.FileWord(e.entries[i].file)}, e.surroundings...)
		if line := check.ShellLine(words); line != "" {
			out = append(out, nextHead(len(out))+line)
		}
	}
	return out
}

// nextHead is what stands before a command that is suggested, after n others. The commands stand
// below each other.
func nextHead(n int) string {
	if n > 0 {
		return "      "
	}
	return "next: "
}
