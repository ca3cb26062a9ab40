package cli

// This file lists entries by their files, as these end: their states, what they take and give, on
// what conditions. An entry is reduced to a listedEntry first, because shapecheck merge has only
// documents and must list the same. All texts of the checked program pass safetext before they are
// printed.

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/internal/columns"
	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/present/render/concise"
	"shapecheck/present/render/listing"
	"shapecheck/present/render/markdown"
	"shapecheck/present/report"
)

// A listedEntry is what is said of an entry, whose result may have been read from a document. It is
// made by listed, or from a document by merge.
type listedEntry struct {
	file, name string
	fault      string // why it could not be run; the rest is empty then
	state      check.State
	kind       string // what it is counted as: "model"
	entry      string
	script     bool // it is a program that runs from its top level
	eval       bool // it was run in evaluation, which nobody asked for
	args       []string
	anyRank    *check.AnyRank // what is shown instead of the arguments and the result; nil: these are
	assumed    []string       // as of check.Target
	accepted   bool           // its state, for a time
	hidden     int            // findings that the baseline hides
	count      string         // of errors and warnings
	whyNot     string         // it was not checked, or is unsettled; empty: neither
	metAt, met string         // the place and the fault that the best run of an unsettled one came upon
	counts     record.Summary // of its findings
	lacks      []string       // modules that were not found
	traces     bool           // it is a program that has a framework trace its functions
	typed      int
	open       int
	exceeded   bool
	output     string
	brief      record.Brief
	took       string // how long it took, or that it was not run anew; empty: that is not told
}

// cached says that an entry was not run anew.
const cached = "cached"

// What entries are counted as, in the order of the sum.
const (
	aModel    = "model"
	anEntry   = "entry" // somebody wrote it
	aFunction = "function"
	aProgram  = "program"
	aPart     = "part" // of models
)

// Their order is also that in which unsettled entries are told.
var kinds = []string{aModel, anEntry, aFunction, aProgram, aPart}

// kindOf is what an entry is counted as, by how it was found and its text. An annotated class is a
// model, an annotated function a function.
func kindOf(how, entry string, part bool) string {
	switch {
	case part:
		return aPart
	case how == check.AsScript:
		return aProgram
	case how == check.ByAnnotation && entry != "" && !strings.Contains(entry, "("):
		return aFunction
	case how == check.ByTrial, how == check.ByAnnotation && entry != "":
		return aModel
	}
	return anEntry
}

// listed is what is said of an entry. An entry that failed has its fault alone.
func listed(fs *source.FileSet, file string, x check.Outcome) listedEntry {
	if x.Err != nil {
		return listedEntry{file: file, name: x.Name, kind: anEntry, state: x.State(), fault: x.Err.Error()}
	}
	r := x.Result
	t := r.Target
	e := listedEntry{
		file: file, name: x.Name, entry: cmp.Or(t.Run.Entry, r.Entry), script: t.How == check.AsScript, args: t.Run.Args, kind: kindOf(t.How, t.Run.Entry, t.Part),
		assumed: t.Assumed, state: x.State(), whyNot: x.WhyNot(), count: report.Count(r.Result), typed: r.Typed, open: r.Open, lacks: r.Lacks,
		anyRank: t.AnyRank, traces: t.Traces, exceeded: r.Exceeded, output: r.OutputType, eval: t.How == check.ByTrial && t.Run.Eval,
	}
	e.counts = record.SummaryOf(r.Diagnostics)
	e.hidden, e.accepted = r.Hidden, r.Accepted != ""
	if e.took = elapsed(r.Time); r.Recalled {
		e.took = cached
	}
	if b := r.Brief(); b != nil {
		e.brief = *b
	}
	if e.state == check.Unsettled {
		e.metAt, e.met = metBy(fs, r)
	}
	return e
}

// metBy is the fault that the run of an unsettled entry came upon, and where: "net.py:73", "raises
// AssertionError: 5 labels". Faults that stand aside are passed over. Empty where none is found.
func metBy(fs *source.FileSet, r *check.Result) (at, what string) {
	for _, d := range r.Diagnostics {
		if p, ok := place.Of(fs, d.At); ok && !d.Aside && (d.Code.Info().Severity == diag.Error || d.Severity == diag.Error) {
			return fmt.Sprintf("%s:%d", p.Where(), p.Line), place.OneLine(d)
		}
	}
	return "", ""
}

// shownName is the name of an entry below its file. It leaves out the file, under which it stands.
func (e *listedEntry) shownName() string {
	name := e.name
	if !e.script && e.kind != anEntry && e.entry != "" {
		name = e.entry
	}
	if rest, ok := strings.CutPrefix(name, e.file+" "); ok {
		name = rest
	}
	if name == e.file { // it cannot be read, or is the one of its file
		name = e.entry
	}
	return safetext.Line(name)
}

// className is the name without arguments. The name itself where nothing stands before the
// parenthesis.
func (e *listedEntry) className() string {
	name, _, _ := strings.Cut(e.shownName(), "(")
	return cmp.Or(name, e.shownName())
}

// signature is what an entry is shown to take and to give. A contract for any number of dimensions
// is shown instead of the example's.
func (e *listedEntry) signature() (args []string, result string) {
	if e.anyRank != nil && e.state == check.Verified {
		return e.anyRank.Args, e.anyRank.Result
	}
	return e.args, cmp.Or(e.brief.Result, e.output)
}

// row lays an entry out. plain asks for marks of ASCII.
func (e *listedEntry) row(plain bool) listing.Row {
	r := listing.Row{Mark: e.state.Mark(plain), Color: stateColors[e.state], Name: e.shownName()}
	if e.fault != "" {
		r.Why = safetext.Line(e.fault)
		return r
	}
	args, result := e.signature()
	for _, in := range inputs(args) {
		r.Inputs = append(r.Inputs, safetext.Line(in))
	}
	switch e.state {
	case check.Unsettled:
		// Its reason is at the end of the output.
		return r // which the end tells
	case check.NotChecked:
		r.Inputs, r.Why = nil, safetext.Line(e.whyNot)
		if len(e.lacks) > 0 && e.kind != anEntry {
			r.Why = safetext.Line(strings.Join(e.lacks, ", ")) + " is not installed"
		}
		return r
	case check.HasFindings:
		r.Count = severities(e.counts.Errors, e.counts.Warnings)
	}
	if e.state != check.HasFindings || e.output != unknownType {
		r.Result = safetext.Line(result)
	}
	r.Example = e.brief.Example
	for _, c := range e.brief.Lines {
		r.Conditions = append(r.Conditions, safetext.Line(c))
	}
	if e.hidden > 0 {
		r.Count = strings.TrimPrefix(fmt.Sprintf("%s, %d hidden", r.Count, e.hidden), ", ")
	}
	switch {
	case e.script && e.exceeded:
		r.Result, r.Count = "", strings.TrimPrefix(r.Count+", stopped", ", ")
	case e.script:
		r.Result = ""
	case e.eval:
		r.Count = strings.TrimPrefix(r.Count+", eval", ", ")
	}
	return r
}

// unknownType is the type of what is not known.
const unknownType = "?"

// stateColors are the colours of marks. As codes of terminals: 1 bold, 31 red, 32 green, 33 yellow.
var stateColors = map[check.State]string{
	check.HasFindings: "1;31", check.Verified: "32", check.Weak: "33", check.Unsettled: "1;33", check.NotChecked: "33",
}

// plainMarks reports whether the locale says that a terminal shows no more than ASCII. Without a
// setting UTF-8 is assumed.
func plainMarks(env func(string) string) bool {
	locale := strings.ToLower(cmp.Or(env("LC_ALL"), env("LC_CTYPE"), env("LANG")))
	return locale != "" && !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
}

// inputs are arguments as they are shown: x f32[B,3,H,W]. Other arguments, such as n=3, stay.
func inputs(args []string) []string {
	var out []string
	for _, arg := range args {
		if i := strings.IndexAny(arg, ":="); i > 0 && arg[i] == ':' {
			arg = arg[:i] + " " + strings.TrimSpace(arg[i+1:])
		}
		out = append(out, arg)
	}
	return out
}

// constructed are the guesses about the constructor. The guesses about arguments stand at the end
// of assumed.
func (e *listedEntry) constructed() string {
	return strings.Join(e.assumed[:max(len(e.assumed)-len(e.args), 0)], ", ")
}

// markdown is an entry as a row of a table. The columns are those of the summary in a CI system.
func (e *listedEntry) markdown() markdown.Entry {
	out := markdown.Entry{File: e.file, Name: e.shownName()}
	if e.fault != "" {
		out.Rest = e.fault
		return out
	}
	args, result := e.signature()
	out.Inputs = strings.Join(inputs(args), ", ")
	switch {
	case e.state == check.HasFindings:
		out.Rest = e.count
	case e.whyNot != "":
		out.Rest = e.state.String() + ": " + e.whyNot
	case e.script:
		out.Rest = "no errors, " + counted(e.typed, "value") + " typed"
		if e.exceeded {
			out.Rest += " until it was stopped"
		}
	default:
		out.Result = result
		var rest []string
		if c := strings.Join(e.brief.Lines, "; "); c != "" {
			rest = append(rest, "holds when "+c)
		}
		if made := e.constructed(); made != "" {
			rest = append(rest, made+" assumed")
		}
		out.Rest = strings.Join(rest, "; ")
	}
	return out
}

// sourceOf is the file of an entry that was checked, or the module, by which it was named. A
// relative path where the session shows one.
func sourceOf(s *check.Session, r *check.Result) string {
	if r.Target.Run.Module != "" {
		return r.Target.Run.Module
	}
	return s.Shown(r.Target.Run.File)
}

// A lister prints entries by their files. It is used for one output and remembers under which file
// it stands.
type lister struct {
	w       io.Writer
	fs      *source.FileSet
	style   listing.Style
	plain   bool
	verbose bool
	// quiet says that nothing but findings is printed.
	quiet bool
	// single says that it is one file or entry: all of it is listed, and its findings follow at once.
	single bool
	file   string // whose entries were printed last
	begun  bool
}

func newLister(w io.Writer, fs *source.FileSet, single bool, how shown) *lister {
	st := styleOf(w)
	st.Width = listingWidth(w)
	return &lister{w: w, fs: fs, style: listing.Style{Style: st, Whole: how.verbose}, plain: plainMarks(os.Getenv), verbose: how.verbose,
		quiet: how.quiet, single: single}
}

// listingWidth is the width of what is laid out. A narrow terminal is taken for one of the least
// width.
func listingWidth(w io.Writer) int {
	if n := width(w); n > 0 {
		return max(n, listing.MinWidth)
	}
	return listing.DefaultWidth
}

// shows reports whether an entry has a row. Parts of models and what rests on a guess are counted
// alone. What is not shown is counted at the end.
func (l *lister) shows(e *listedEntry) bool {
	switch {
	case l.verbose || l.single || e.kind == anEntry || e.state == check.HasFindings:
		return true
	case e.kind == aPart:
		return false
	}
	return e.state != check.Weak
}

// printEntries prints what came of a file, or of one of its entries; whyNot says why nothing of it
// was checked. The path is printed once for the entries of one file. It returns an error of writing
// only.
func (l *lister) printEntries(file string, entries []listedEntry, shown []*diag.Diagnostic, whyNot string) error {
	if l.quiet {
		return nil
	}
	var rows []listing.Row
	var guesses []string
	for i := range entries {
		e := &entries[i]
		if !l.shows(e) {
			continue
		}
		row := e.row(l.plain)
		if l.verbose && e.took != "" {
			row.Count = strings.TrimPrefix(row.Count+", "+e.took, ", ")
		}
		rows = append(rows, row)
		if len(e.assumed) > 0 {
			guesses = append(guesses, safetext.Line(fmt.Sprintf("%s with %s", e.className(), strings.Join(e.assumed, ", "))))
		}
	}
	lines := listing.Lines(rows, l.style)
	if len(entries) == 0 && whyNot != "" && (l.verbose || l.single) {
		lines = append(lines, l.hung("  – ", safetext.Line(whyNot))...)
	}
	if l.verbose && len(guesses) > 0 {
		lines = append(lines, l.hung("    guessed: ", strings.Join(guesses, "; "))...)
	}
	found := l.findings(shown)
	if len(lines)+len(found) == 0 {
		return nil
	}
	if (!l.begun || l.file != file) && file != "" {
		lines = slices.Insert(lines, 0, listing.Path(safetext.Line(file), l.style))
	}
	l.begun, l.file = true, file
	_, err := io.WriteString(l.w, strings.Join(append(lines, found...), "\n")+"\n")
	return err
}

// hung breaks a text behind a word in front. Lines after the first are indented to the width of
// front.
func (l *lister) hung(front, s string) []string {
	lines := columns.Wrap(s, l.style.Width-columns.Of(front))
	for i, x := range lines {
		if i == 0 {
			x = front + x
		} else {
			x = strings.Repeat(" ", columns.Of(front)) + x
		}
		lines[i] = l.style.Paint(dimmed, x)
	}
	return lines
}

// dimmed is the colour of what rests on guesses.
const dimmed = "2"

// findings are the lines of the findings of a part that count, each cut to the width: the end has
// all of them. One line for each cause.
func (l *lister) findings(list []*diag.Diagnostic) []string {
	if l.single {
		return nil
	}
	var out []string
	for _, d := range diag.Causes(list) {
		if d.Severity > diag.Info || l.verbose {
			head, _ := columns.Cut("    "+concise.Line(l.fs, d), l.style.Width, false)
			out = append(out, head)
		}
	}
	return out
}
