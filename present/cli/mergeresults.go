package cli

// This file puts the results of the parts of a project together: shapecheck merge. With --shard
// several machines each check a part of the entries and write a JSON document. merge reads these
// and prints what one run of all entries would have printed: the same findings once, the same
// order, the same exit code. The sources are read again for the excerpts that a text shows; where
// they are missing, findings are shown without.

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/inorder"
	"shapecheck/internal/localfile"
	"shapecheck/internal/reads"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/present/render/junit"
	"shapecheck/present/report"
	"shapecheck/present/report/html"
	"shapecheck/project/config"
)

// mergeCommand prints the results of the parts of a project as a run of the whole project prints them, and exits as
// that does.
func (a *app) mergeCommand() *cobra.Command {
	var formats []string
	var strict, exitZero, partial bool
	c := &cobra.Command{
		Use:   "merge FILE…",
		Short: "Put the JSON results of the parts of a project (--shard) together",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			outs, err := outputs(formats, args)
			// The time that is shown is that of merging.
			if err != nil {
				return err
			}
			start := time.Now()
			all, left, err := readParts(args, partial)
			if err != nil {
				return err
			}
			m := &merged{project: all, files: source.NewFileSet(), strict: strict}
			if err := m.readPages(wantsPage(outs)); err != nil {
				return err
			}
			if err := m.diagnostics(); err != nil {
				return err
			}
			var unchecked []diag.Unchecked
			for n, e := range all.Entries {
				if e.Error != "" {
					a.say("shapecheck: entry %s: %s", e.Name, e.Error)
					unchecked = append(unchecked, diag.Unchecked{Entry: e.Name, Why: e.Error, Failed: true, Said: true})
				} else if why := e.Result.Unchecked(); why != "" {
					// Failed: nothing was checked at all, so this counts.
					unchecked = append(unchecked, diag.Unchecked{Entry: e.Name, Why: why, By: m.ended[n], Failed: !m.checked()})
				}
			}
			unchecked = append(unchecked, left...)
			a.code = m.exitCode()
			// --exit-zero hides findings only; errors of usage remain.
			if exitZero && a.code == check.ExitFindings {
				a.code = check.ExitClean
			}
			return a.write(outs, &findings{
				files: m.files, list: m.list, parts: append(slices.Clone(m.shown), m.late), unchecked: unchecked,
				entries: (&summing{entries: m.listed()}).markdown,
				page:    m.page, junit: m.cases(),
				sum: func(w io.Writer) error { return m.ending(w, time.Since(start)).printSum(w) },
				text: func(w io.Writer) error {
					if err := m.text(w, time.Since(start)); err != nil {
						return err
					}
					for _, u := range left {
						fmt.Fprintln(w, safetext.Line(u.String()))
					}
					return nil
				},
				json: func(w io.Writer) error { return printJSON(w, all) },
			})
		},
	}
	f := c.Flags()
	f.StringArrayVar(&formats, "output-format", nil, formatHelp)
	f.BoolVar(&strict, "strict", false, "anything unknown is a finding")
	f.BoolVar(&exitZero, "exit-zero", false, "findings do not change the exit code")
	f.BoolVar(&partial, "partial", false, "parts may be missing")
	return c
}

// maxPart is the size of the largest result that is read.
const maxPart = 256 << 20

// readParts reads the results and checks that they are the parts of one run. Where not all is there
// it says what is left out. all has the entries in the order of the configuration, which is rebuilt
// from the number of each part: entries are dealt out in turn. With partial, what is missing is
// listed in left; otherwise it is an error, as are two files with one part, an entry that occurs
// twice, and a file that is no result.
func readParts(files []string, partial bool) (all *report.Project[*record.Stored], left []diag.Unchecked, err error) {
	all = &report.Project[*record.Stored]{Version: record.Version, Entries: []report.ProjectEntry[*record.Stored]{},
		Diagnostics: []record.Diagnostic{}}
	from := map[string]string{}
	parts := map[int]string{}
	total := 0
	order := map[string]int{} // of the entries in the configuration
	for _, file := range files {
		data, err := localfile.Read(file, maxPart)
		if err != nil {
			return nil, nil, err
		}
		p, err := report.ReadProject(data)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		if s := p.Shard; s != nil {
			// All parts must agree on how many there are.
			switch {
			case total != 0 && s.Parts != total:
				return nil, nil, fmt.Errorf("%s is one of %d parts, %s one of %d", file, s.Parts, files[0], total)
			case parts[s.Part] != "":
				return nil, nil, fmt.Errorf("%s and %s are both part %d", parts[s.Part], file, s.Part)
			}
			total = s.Parts
			parts[s.Part] = file
		}
		for i, e := range p.Entries {
			if p.Shard != nil { // see sharded
				order[e.Name] = i*p.Shard.Parts + p.Shard.Part
			}
			if from[e.Name] != "" {
				return nil, nil, fmt.Errorf("entry %s is in %s and in %s", e.Name, from[e.Name], file)
			}
			from[e.Name] = file
			all.Entries = append(all.Entries, e)
		}
		if p.Partial != nil && !partial {
			return nil, nil, fmt.Errorf("%s: %s; --partial takes it as it is", file, p.Partial.Message)
		}
		if p.Partial != nil {
			left = append(left, diag.Unchecked{Why: file + ": " + p.Partial.Message, Skipped: p.Skipped})
			all.Partial, all.Skipped = joinPartial(all.Partial, p.Partial), append(all.Skipped, p.Skipped...)
		}
		all.Diagnostics = append(all.Diagnostics, p.Diagnostics...)
	}
	// Documents without a shard are no parts of a number and can be merged as they are.
	for i := 1; i <= total; i++ {
		switch {
		case parts[i] != "":
		case !partial:
			return nil, nil, fmt.Errorf("part %d of %d is missing; --partial does without", i, total)
		default:
			why := fmt.Sprintf("part %d of %d is missing", i, total)
			left = append(left, diag.Unchecked{Why: why})
			all.Partial, all.Missing = joinPartial(all.Partial, &report.Partial{Cause: report.PartMissing, Message: why}), append(all.Missing, i)
		}
	}
	inorder.StableBy(all.Entries, func(a, b report.ProjectEntry[*record.Stored]) int { return order[a.Name] - order[b.Name] })
	return all, left, nil
}

// joinPartial says of two parts why they were cut short; a may be nil. Total is the sum of what
// both lack.
func joinPartial(a, b *report.Partial) *report.Partial {
	if a == nil {
		return b
	}
	return &report.Partial{Cause: a.Cause, Message: a.Message + "; " + b.Message, Total: a.Total + b.Total}
}

// A merged is a project that was read, with its findings, each once. It is made by mergeCommand and
// filled by readPages and diagnostics, in this order.
type merged struct {
	project *report.Project[*record.Stored]
	files   *source.FileSet
	strict  bool
	list    []*diag.Diagnostic
	// shown are the findings of each entry that none before had.
	shown [][]*diag.Diagnostic
	// late are the others.
	late []*diag.Diagnostic
	// of are all findings of each entry. By keys, in the order of the entry's own list.
	of    [][]diagKey
	ended []diag.Origin // what ended each entry before anything was checked
	// pages are what a page shows of each entry; nil: no page is wanted.
	pages []*html.Entry
}

// readPages reads what the parts have for a page, where one is wanted, and takes it out of the document of the whole, which has
// none. It returns an error where one is wanted and a part has nothing for it.
func (m *merged) readPages(wanted bool) error {
	for i := range m.project.Entries {
		e := &m.project.Entries[i]
		data := e.Page
		e.Page = nil
		if !wanted {
			continue
		}
		var page *html.Entry
		if e.Error == "" {
			if data == nil {
				return fmt.Errorf("--output-format html: entry %s has nothing for a page; give --output-format html=FILE to its part, too", e.Name)
			}
			var err error
			if page, err = html.Read(data); err != nil {
				return fmt.Errorf("entry %s: its page: %w", e.Name, err)
			}
		}
		m.pages = append(m.pages, page)
	}
	return nil
}

// pageOf is what a page shows of entry n; nil where that is nothing. n is -1 for findings of no
// entry.
func (m *merged) pageOf(n int) *html.Entry {
	if n < 0 || m.pages == nil {
		return nil
	}
	return m.pages[n]
}

// page is what a page shows. Entries with an error have a page part with that error.
func (m *merged) page() []pagePart {
	var out []pagePart
	for i, e := range m.project.Entries {
		out = append(out, pagePart{name: e.Name, fault: e.Error, page: m.pageOf(i)})
	}
	return out
}

// diagnostics collects the findings of all parts. One that several entries have is kept once, as in a run of the whole
// project. It returns an error for a finding that this version does not know. The rule for a
// finding that occurs several times is that of the merger of a run: the first one stays, unless a
// later one is more severe; a finding of no entry, or a provisional one, waits until all entries
// were read, since an entry may still have it.
func (m *merged) diagnostics() error {
	r := &report.Reader{Files: m.files, Open: sources()}
	type found struct {
		n, i  int    // the entry, and the finding's place in it; -1: of none
		entry string // its text
		d     *record.Diagnostic
	}
	var all []found
	for n, e := range m.project.Entries {
		if e.Result == nil {
			continue
		}
		for i := range e.Result.Diagnostics {
			all = append(all, found{n, i, e.Result.Entry, &e.Result.Diagnostics[i]})
		}
	}
	m.shown = make([][]*diag.Diagnostic, len(m.project.Entries))
	m.of = make([][]diagKey, len(m.project.Entries))
	m.ended = make([]diag.Origin, len(m.project.Entries))
	for i := range m.project.Diagnostics {
		all = append(all, found{-1, 0, "", &m.project.Diagnostics[i]})
	}
	// --strict is given to merge, so the parts have not made findings of unknown values.
	if m.strict {
		var told []*record.Diagnostic
		for _, x := range all {
			told = append(told, x.d)
		}
		lost, err := m.unknown(told)
		if err != nil {
			return err
		}
		for _, d := range lost {
			all = append(all, found{-1, 0, "", d})
		}
	}
	// The files that findings name are read together before the first is made.
	for _, x := range all {
		r.Need(x.d)
	}
	type metFinding struct {
		d        *diag.Diagnostic
		from     found
		released bool
	}
	met := map[diagKey]*metFinding{}
	var open []*metFinding // as those of driver.merger
	for _, x := range all {
		r.Begin(x.entry)
		d, err := r.Diagnostic(x.d)
		if err != nil {
			return err
		}
		k := keyOf(d)
		if x.n >= 0 {
			m.of[x.n] = append(m.of[x.n], k)
			if d.Ended {
				m.ended[x.n] = diag.Origin{Code: d.Code, At: d.At}
			}
		}
		before := met[k]
		switch {
		case before == nil:
			before = &metFinding{}
			met[k] = before
		case d.Severity == before.d.Severity:
			// The document of an entry shares the details of the first one, as one run writes them.
			also, ended := x.d.AlsoAt, x.d.Ended
			*x.d = *before.from.d // each entry has it as the first one
			x.d.AlsoAt, x.d.Ended = also, ended
			// The page shares the explanation as well.
			m.pageOf(x.n).Share(x.i, m.pageOf(before.from.n), before.from.i)
			continue
		// A less severe one says nothing new, and what was released cannot be withdrawn.
		case d.Severity < before.d.Severity || before.released:
			continue
		}
		before.d, before.from = d, x
		if x.n < 0 || check.Provisional(d) {
			open = append(open, before)
			continue
		}
		before.released = true
		m.list = append(m.list, d)
		m.shown[x.n] = append(m.shown[x.n], d)
	}
	// What no entry had is shown at the end.
	for _, x := range open {
		if !x.released {
			x.released = true
			m.list, m.late = append(m.list, x.d), append(m.late, x.d)
		}
	}
	if m.strict {
		m.list, m.late = check.Strictly(m.list), check.Strictly(m.late)
		for i, list := range m.shown {
			m.shown[i] = check.Strictly(list)
		}
	}
	return nil
}

// unknown are the causes of unknown values on lines that no finding is about, as findings. Each
// line is told once, as in a strict run. It returns an error for a result whose causes cannot be
// decoded.
func (m *merged) unknown(told []*record.Diagnostic) ([]*record.Diagnostic, error) {
	type line struct {
		file string
		n    int
	}
	met := map[line]bool{}
	for _, d := range told {
		met[line{d.File, d.Line}] = true
		for _, x := range d.AlsoAt {
			met[line{x.File, x.Line}] = true
		}
	}
	var out []*record.Diagnostic
	for _, e := range m.project.Entries {
		if e.Result == nil || e.Result.Summary.Unknown == 0 {
			continue
		}
		causes, err := e.Result.Causes()
		if err != nil {
			return nil, fmt.Errorf("entry %s: %w", e.Name, err)
		}
		for _, c := range causes {
			if k := (line{c.File, c.Line}); !met[k] {
				met[k] = true
				out = append(out, &record.Diagnostic{
					Code: string(diag.UnknownValue), Severity: diag.Warning.String(), File: c.File, Line: c.Line, Column: 1, EndLine: c.Line, EndColumn: 1,
					Message: "not known: " + c.Reason,
				})
			}
		}
	}
	return out, nil
}

// sources reads the source files, and the configuration, that results name: from the folder of the configuration, or
// else from the working directory, and none outside of these. The texts come from this machine's
// disk; the results may be from another one, therefore only files below these folders are read.
func sources() func(path string) (string, error) {
	dir := "."
	gate := reads.NewGate(reads.Disk{}, reads.Root{Path: dir, Reach: reads.Sources})
	if conf, err := config.Find(reads.Disk{}, dir); err == nil && conf != "" {
		dir = filepath.Dir(conf)
		gate.Add(reads.Root{Path: dir, Reach: reads.Sources}, reads.Root{Path: conf, Reach: reads.Everything}) // which findings may name, too
	}
	openSource := func(path string) (string, error) { return readSource(gate, path) }
	// A relative path is first taken from the folder of the configuration.
	return func(path string) (string, error) {
		if text, err := openSource(filepath.Join(dir, filepath.FromSlash(path))); err == nil && !filepath.IsAbs(path) {
			return text, nil
		}
		return openSource(path)
	}
}

// openSource reads the file of a program.
func openSource(path string) (string, error) {
	return readSource((&infer.Config{File: path}).Gate(), path)
}

// It returns an error for a file beyond MaxFileSize and for one that cannot be decoded.
func readSource(fsys reads.FS, path string) (string, error) {
	data, err := reads.File(fsys, path, source.MaxFileSize)
	if err != nil {
		return "", err
	}
	return parser.Decode(data)
}

// exitCode is what one run of all parts would have had. The highest of all: findings, then errors.
// A project of which nothing could be checked exits as a wrong use does.
func (m *merged) exitCode() int {
	code := check.ExitClean
	for _, d := range m.list {
		code = max(code, check.FindingCode(d.Code, d.Severity))
	}
	for _, e := range m.project.Entries {
		if e.Error != "" {
			code = max(code, check.ExitUsage)
		}
	}
	if code == check.ExitClean && !m.checked() && len(m.project.Entries) > 0 {
		code = check.ExitUsage
	}
	return code
}

// checked reports whether something of an entry was checked.
func (m *merged) checked() bool {
	return slices.ContainsFunc(m.project.Entries, func(e report.ProjectEntry[*record.Stored]) bool {
		return e.Result != nil &&
			e.Result.Unchecked() == ""
	})
}

// stateOf is the state of an entry; older documents do not name it.
func stateOf(e *report.ProjectEntry[*record.Stored]) check.State {
	s, known := check.StateNamed(e.State)
	switch r := e.Result; {
	case r == nil:
		return check.NotChecked
	case counts(r):
		return check.HasFindings
	case known && s != check.HasFindings:
		return s
	case r.Unchecked() != "":
		return check.NotChecked
	}
	return check.Verified
}

// counts reports whether an entry has a finding that counts. Informations do not count, except for
// an internal error.
func counts(r *record.Stored) bool {
	return slices.ContainsFunc(r.Diagnostics, func(d record.Diagnostic) bool {
		return d.Severity != diag.Info.String() || d.Code == string(diag.InternalError)
	})
}

func exceeds(d record.Diagnostic) bool { return d.Code == string(diag.BudgetExceeded) }

// cases are the entries with what was found in each, as those of a whole run.
func (m *merged) cases() []junit.Entry {
	shown := map[diagKey]*diag.Diagnostic{}
	for _, d := range m.list {
		shown[keyOf(d)] = d
	}
	out := make([]junit.Entry, len(m.project.Entries))
	for i, x := range m.project.Entries {
		if out[i].Name = x.Name; x.Error == "" { // as of a whole run: what cannot be run is of no file
			out[i].File = x.File
		}
		for _, k := range m.of[i] {
			if d := shown[k]; d != nil {
				out[i].Found = append(out[i].Found, d)
			}
		}
	}
	return out
}

// listed are the entries as a run of the whole project lists them.
func (m *merged) listed() []listedEntry {
	out := make([]listedEntry, len(m.project.Entries))
	for i, x := range m.project.Entries {
		e := listedEntry{file: x.File, name: x.Name, fault: x.Error, script: x.How == check.AsScript, args: x.Args, assumed: x.Assumed,
			state: stateOf(&x), whyNot: x.WhyNot, lacks: x.Lacks, traces: x.Traces}
		if x.AnyRank != nil {
			e.anyRank = &check.AnyRank{Args: x.AnyRank.Args, Result: x.AnyRank.OutputType}
		}
		for _, g := range x.Guess {
			if g.Basis != check.BasisGiven.String() {
				e.assumed = append(e.assumed, g.Text)
			}
		}
		if r := x.Result; r != nil {
			e.entry, e.count, e.typed, e.open, e.output = r.Entry, report.CountOf(&r.Summary), r.Summary.Typed, r.Summary.Unknown, r.OutputType
			e.counts = r.Summary
			e.whyNot = cmp.Or(e.whyNot, r.Unchecked())
			e.exceeded = r.Stopped != "" && slices.ContainsFunc(r.Diagnostics, exceeds)
			e.brief = *r.Brief()
		}
		e.kind = kindOf(x.How, e.entry, x.Part)
		out[i] = e
	}
	return out
}

func (m *merged) text(w io.Writer, d time.Duration) error {
	l := newLister(w, m.files, len(m.project.Entries) == 1, shown{})
	for i, e := range m.listed() {
		if err := l.printEntries(e.file, []listedEntry{e}, m.shown[i], ""); err != nil {
			return err
		}
	}
	return m.ending(w, d).print(w)
}

// ending is the end of what is printed.
func (m *merged) ending(w io.Writer, d time.Duration) *summing {
	end := &summing{entries: m.listed(), list: m.list, took: d}
	return end.to(newLister(w, m.files, len(end.entries) == 1, shown{}))
}
