package cli

// This file checks files and folders without being told an entry: shapecheck PATH…

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/present/render/markdown"
	"shapecheck/present/render/text"
	"shapecheck/present/report"
	"shapecheck/project/notebook"
)

// arePaths reports whether the words of a command line name files to look at rather than one
// FILE: there are several, or a folder, a pattern or a notebook.
func (r *checkRun) arePaths(args []string) bool {
	if r.isScript || len(args) == 0 || !r.namesNoEntry() {
		return false
	}
	if len(args) > 1 || notebook.Is(args[0]) {
		return true
	}
	_, err := os.Stat(args[0])
	return isFolder(args[0]) || err != nil && strings.ContainsAny(args[0], "*?[")
}

// isAlone reports whether the words of a command line name one FILE of which no more is said than what is said of a folder's files:
// it is checked as these are.
func (r *checkRun) isAlone(args []string) bool {
	return len(args) == 1 && args[0] != "-" && r.stdinName == "" && !notebook.Is(args[0]) && areFiles(args) &&
		!r.isScript && r.namesNoEntry() && !r.fixes.on() && r.cost.format == "" && r.load.file == "" && r.attributes == "" && !r.explore &&
		!r.types && !r.all && r.notation == "" && r.caches.dir == "" && r.shard == ""
}

// errNoEntry says that nothing was found in a FILE that is alone.
var errNoEntry = errors.New("no entry was found")

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// checkPaths checks what is found in files.
func (a *app) checkPaths(r *checkRun, s *check.Session, words []string, outs []output) error {
	switch {
	case r.fixes.on():
		return errors.New("--fix changes what one entry says is wrong: give one FILE, or none for the configured entries")
	case r.shard != "":
		return errors.New("--shard is for the entries of a configuration; it needs no FILE")
	}
	if r.caches.dir != "" {
		a.say("shapecheck: --cache keeps results of entries that are named: what is discovered is run anew")
	}
	if err := wrongCommand(words, false); err != nil && !strings.ContainsAny(words[0], "*?[") {
		return err
	}
	start := time.Now()
	files, err := s.Files(words)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s: no Python files", strings.Join(words, " "))
	}
	s.Keep = keeps(outs)
	defer r.limits.pace(s, len(files))()
	show, done := a.newProgress(len(files), "files"), func() {}
	if len(files) == 1 {
		done = a.wait(files[0], s)
	}
	named := len(words) == 1 && areFiles(words)
	table := newPathTable(a.out, s.Cache.Files(), files, r.verbose)
	format := ""
	if !named {
		format = a.stream(s, outs, show, table.printPart)
	}
	ctx, stop := a.withBudget(r.limits.runBudget(s.Config, !areFiles(words)))
	p, err := trial.CheckFiles(ctx, s, files, show, nil)
	stop()
	show.clear()
	done()
	if err != nil && p == nil {
		return err
	}
	if named && len(p.Entries)+len(p.Diagnostics) == 0 && p.Skipped == nil && r.isAlone(words) {
		return errNoEntry
	}
	return a.printFound(r, s, p, outs, start, files, named, format)
}

// areFiles reports whether all words name a file each.
func areFiles(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return isFolder(w) || strings.ContainsAny(w, "*?[") })
}

// printFound prints what was found in files, of which standard output has all but the end in the format streamed. Where nothing
// was found that is a fault of the command line if it names one file.
func (a *app) printFound(r *checkRun, s *check.Session, p *check.Project, outs []output, start time.Time, files []string, named bool,
	streamed string) error {
	a.code = p.ExitCode()
	var unchecked []diag.Unchecked
	for _, x := range p.Entries {
		if x.Err != nil {
			a.say("shapecheck: %s: %v", x.Name, x.Err)
			unchecked = append(unchecked, diag.Unchecked{Entry: x.Name, Why: x.Err.Error(), Failed: true, Said: true})
		} else if x.State() == check.NotChecked {
			unchecked = append(unchecked, diag.Unchecked{Entry: x.Name, Why: x.WhyNot(), Failed: !p.Checked()})
		}
	}
	if len(p.Entries) == 0 && p.Skipped == nil {
		if named {
			a.code = check.ExitUsage
		}
		why := "no model was found, and nothing annotated"
		if len(p.Discovered) == 1 {
			why = p.Discovered[0].WhyNot
		}
		unchecked = append(unchecked, diag.Unchecked{Why: why, Failed: named})
	}
	a.cutShort(s, p)
	unchecked = append(unchecked, skipped(p)...)
	end := func(w io.Writer) error { return printPathsEnd(w, p, len(files), r.verbose, time.Since(start)) }
	err := a.write(outs, &findings{
		files: p.Files, list: p.Diagnostics, unchecked: unchecked,
		entries: func() []markdown.Entry { return entriesOf(s, p.Entries) },
		page:    pageOf(p.Entries, s), outcomes: p.Entries, session: s,
		text: func(w io.Writer) error {
			table := newPathTable(w, p.Files, files, r.verbose)
			for i, d := range p.Discovered {
				if err := table.printPart(&check.Part{Discovery: d, Entries: d.Entries, Shown: p.Shown[i]}); err != nil {
					return err
				}
			}
			return end(w)
		},
		json:     func(w io.Writer) error { return pathsJSON(s, w, p) },
		streamed: streamed, late: p.Late, end: end,
	})
	a.sayCut(p, outs)
	a.sayKnown(s, p, true)
	if err != nil {
		return err
	}
	return a.finish(&r.filters, p.Files, p.Diagnostics)
}

// A pathRow is a line of the table.
type pathRow struct{ file, entry, inputs, result, rest string }

// maxCell bounds the width of a column that others follow.
const maxCell = 40

// A pathTable prints a line for each entry or file without one, as the files end. Columns are as wide as the widest cell so far.
type pathTable struct {
	w       io.Writer
	fs      *source.FileSet
	files   int
	verbose bool
	widths  [4]int
}

func newPathTable(w io.Writer, fs *source.FileSet, files []string, verbose bool) *pathTable {
	t := &pathTable{w: w, fs: fs, files: len(files), verbose: verbose}
	for _, f := range files {
		if n := utf8.RuneCountInString(safetext.Line(f)); n <= maxCell {
			t.widths[0] = max(t.widths[0], n)
		}
	}
	return t
}

// printPart prints what came of a file, and a line for each of its findings where there are other files.
func (t *pathTable) printPart(p *check.Part) error {
	var rows []pathRow
	d := p.Discovery
	if len(d.Entries) == 0 && (t.files < maxEmpty || strings.Contains(d.WhyNot, ":") || t.verbose) {
		rows = append(rows, pathRow{file: d.File, rest: "nothing to check: " + d.WhyNot})
	}
	for _, x := range p.Entries {
		rows = append(rows, rowOf(d.File, x))
	}
	if err := t.print(rows); err != nil || t.files == 1 {
		return err
	}
	return printShown(t.w, t.fs, p.Shown, t.verbose)
}

// printPathsEnd prints the findings and the sum of a check of so many files.
func printPathsEnd(w io.Writer, p *check.Project, files int, verbose bool, took time.Duration) error {
	style := styleOf(w)
	empty := 0
	for _, d := range p.Discovered {
		if len(d.Entries) == 0 {
			empty++
		}
	}
	for _, d := range p.Diagnostics {
		if d.Severity > diag.Info || verbose {
			fmt.Fprintln(w)
			text.Print(w, p.Files, d, style)
		}
	}
	typed, open := 0, 0
	for _, x := range p.Entries {
		if x.Err == nil {
			typed, open = typed+x.Result.Typed, open+x.Result.Open
		}
	}
	parts := []string{fmt.Sprintf("%s, %s%s", counted(files, "file"), counted(len(p.Entries), "entry"), byState(p.Count())),
		counted(p.Counting(), "finding")}
	if n := len(p.Diagnostics) - shownOf(p.Diagnostics, verbose); n > 0 {
		parts = append(parts, counted(n, "info")+" with -v")
	}
	if empty > 0 {
		parts = append(parts, fmt.Sprintf("%d with nothing to check", empty))
	}
	parts = append(parts, fmt.Sprintf("%d of %s typed", typed, counted(typed+open, "value")), elapsed(took))
	if _, err := fmt.Fprintf(w, "\n%s\n%s", strings.Join(parts, "; "), hints(p.Discovered)); err != nil {
		return err
	}
	if err := printSkipped(w, p); err != nil || !verbose {
		return err
	}
	var results []*infer.Result
	for _, x := range p.Entries {
		if x.Err == nil {
			results = append(results, x.Result.Result)
		}
	}
	_, err := fmt.Fprintln(w, report.FoundOfAll(results))
	return err
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

// hints say what to do about files of which no model could be tried: a line for each of the causes, with the first example.
func hints(list []*check.Discovery) string {
	missing, untold := "", ""
	for _, d := range list {
		for _, x := range d.Entries {
			s := x.State()
			switch {
			case d.Ran() || x.Err != nil || s != check.NotChecked && s != check.Unsettled || x.Result.Target.How != check.ByTrial:
			case x.Result.Missing:
				missing = "modules that are not found are looked for in the project's environment (.venv, --python) and in --path\n"
			case untold == "" && !strings.HasSuffix(x.Name, ".apply"):
				name, _, _ := strings.Cut(x.Name, "(")
				untold = fmt.Sprintf("how a model is made and called, a comment in its file tells: # shapecheck: check %s(…) x:f32[B,3,H,W]\n", name)
			}
		}
	}
	return untold + missing
}

// maxEmpty is from how many files on those without a model are only counted.
const maxEmpty = 20

func shownOf(list []*diag.Diagnostic, verbose bool) int {
	n := 0
	for _, d := range list {
		if d.Severity > diag.Info || verbose {
			n++
		}
	}
	return n
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// A tableEntry is what the table says of an entry, whose result may have been read from a document.
type tableEntry struct {
	file, name string
	fault      string // why it could not be run; the rest is empty then
	state      check.State
	entry      string
	script     bool // it is a program that runs from its top level
	args       []string
	assumed    []string // as of check.Target
	count      string   // of errors and warnings
	whyNot     string   // it was not checked, or is unsettled; empty: neither
	typed      int
	exceeded   bool
	output     string
	conditions []string
}

// rowOf is the line of an entry.
func rowOf(file string, x check.Outcome) pathRow {
	if x.Err != nil {
		return (&tableEntry{file: file, name: x.Name, fault: x.Err.Error()}).row()
	}
	r := x.Result
	e := tableEntry{
		file: file, name: x.Name, entry: cmp.Or(r.Target.Run.Entry, r.Entry), script: r.Target.How == check.AsScript, args: r.Target.Run.Args,
		assumed: r.Target.Assumed, state: x.State(), whyNot: x.WhyNot(), count: report.Count(r.Result), typed: r.Typed,
		exceeded: r.Exceeded, output: r.OutputType, conditions: r.Conditions(),
	}
	return e.row()
}

func (e *tableEntry) row() pathRow {
	row := pathRow{file: e.file, entry: e.name} // of a program, (script)
	if e.fault != "" {
		row.rest = e.fault
		if row.entry == e.file { // the file cannot be read
			row.entry = ""
		}
		return row
	}
	if !e.script {
		row.entry = e.entry
	}
	row.inputs = strings.Join(inputs(e.args), ", ")
	switch {
	case e.state == check.HasFindings:
		row.rest = e.count
	case e.whyNot != "":
		row.rest = e.state.String() + ": " + e.whyNot
	case e.script:
		row.rest = "no errors, " + counted(e.typed, "value") + " typed"
		if e.exceeded {
			row.rest += " until it was stopped"
		}
	default:
		row.result = "→ " + e.output
		var rest []string
		if c := strings.Join(e.conditions, ", "); c != "" {
			rest = append(rest, "holds when "+c)
		}
		if made := e.constructed(); made != "" {
			rest = append(rest, made+" assumed")
		}
		row.rest = strings.Join(rest, "; ")
	}
	return row
}

// inputs are arguments as they are shown: x f32[B,3,H,W].
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

// constructed are the guesses about the constructor.
func (e *tableEntry) constructed() string {
	return strings.Join(e.assumed[:max(len(e.assumed)-len(e.args), 0)], ", ")
}

// entriesOf are the rows of the table for markdown.
func entriesOf(s *check.Session, list []check.Outcome) []markdown.Entry {
	out := make([]markdown.Entry, len(list))
	for i, x := range list {
		file := ""
		if x.Result != nil {
			file = sourceOf(s, x.Result)
		}
		out[i] = rowOf(file, x).markdown()
	}
	return out
}

func (r pathRow) markdown() markdown.Entry {
	return markdown.Entry{File: r.file, Name: r.entry, Inputs: r.inputs, Result: strings.TrimPrefix(r.result, "→ "), Rest: r.rest}
}

// sourceOf is the file of an entry that was checked, or the module, by which it was named.
func sourceOf(s *check.Session, r *check.Result) string {
	if r.Target.Run.Module != "" {
		return r.Target.Run.Module
	}
	return s.Shown(r.Target.Run.File)
}

var blanks = lazyregexp.New(`\s+$`)

// print prints rows in columns. A cell that is long does not push the others apart.
func (t *pathTable) print(rows []pathRow) error {
	cells := func(r pathRow) [4]string { return [4]string{r.file, r.entry, r.inputs, r.result} }
	for _, r := range rows {
		for i, c := range cells(r) {
			if n := utf8.RuneCountInString(safetext.Line(c)); n > t.widths[i] && (n <= maxCell || i == 0) && (r.entry != "" || i == 0) {
				t.widths[i] = n
			}
		}
	}
	var b strings.Builder
	for _, r := range rows {
		line := fmt.Sprintf("%-*s   %s", t.widths[0], safetext.Line(r.file), safetext.Line(r.rest))
		if r.entry != "" {
			line = ""
			for i, c := range cells(r) {
				c = safetext.Line(c)
				line += c + strings.Repeat(" ", max(t.widths[i]-utf8.RuneCountInString(c), 0))
				if t.widths[i] > 0 || c != "" {
					line += "   "
				}
			}
			line += safetext.Line(r.rest)
		}
		b.WriteString(blanks.ReplaceAllString(line, "") + "\n")
	}
	_, err := io.WriteString(t.w, b.String())
	return err
}

// pathsJSON writes the documents of the entries, and why files have none.
func pathsJSON(s *check.Session, w io.Writer, p *check.Project) error {
	doc := projectDocument(s, p, nil)
	doc.Files = []report.ProjectFile{}
	i := 0
	for _, d := range p.Discovered {
		doc.Files = append(doc.Files, report.ProjectFile{File: d.File, Entries: len(d.Entries), WhyNot: d.WhyNot, Runs: d.Runs})
		for range d.Entries {
			doc.Entries[i].File = d.File
			i++
		}
	}
	return printJSON(w, doc)
}
