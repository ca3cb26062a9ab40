package cli

// This file is the main job: shapecheck FILE. The flags become a check.Session and a target;
// everything after that is done by package check, and what it gives is printed by the writers of
// --output-format. There are three ways through check: the configured entries (checkProject), files
// and folders whose entries are discovered (checkPaths), and one entry that the command line names
// (checkOne). Nothing here infers shapes.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/present/render/markdown"
	"shapecheck/project/config"
	"shapecheck/project/notebook"
	"shapecheck/project/pyenv"
	"shapecheck/project/suppress"
)

// shown says what the text of a check shows, and how. It is part of the key of cached texts, so a
// field that changes the text must be here.
type shown struct {
	// all: what other files than the entry's have. types: one line for each statement.
	all, types bool
	verbose    bool // all places that lead to a finding, and the environment
	quiet      bool // findings alone
	// notation is how types are written: empty, or seedNotation.
	notation string
}

// seedNotation is that of chainer-compiler's inference engine.
const seedNotation = "seed"

// A checkRun are the flags of a check. Only flags are in it, and what they resolve to (Run,
// Session) is made by check. The embedded target has the flags that name the entry.
type checkRun struct {
	target
	formats []string
	shown
	// explore: run also with other values of configuration conditions.
	strict, explore bool
	statistics      bool
	// A revision of git; findings that it has already are hidden.
	newSince      string
	noStepSummary bool
	// 0 is the newest.
	jsonVersion   int
	noProgress    bool
	annotate, dry bool // write comments that hide what is found; dry: show them alone
	// minTyped is a percentage, 0 for no demand; jobs is how many files or entries are checked at the same time, 0 for as many as there are processors.
	minTyped, jobs  int
	isScript, watch bool
	// stdinName is the name that the file "-" stands for; shard is N/M or auto.
	stdinName, shard string
	// interfaceFile gets what users of the entries can see of them; empty: none does.
	interfaceFile string

	filters filterFlags
	conf    configFlags
	fixes   fixFlags
	cost    summaryFlags
	caches  cacheFlags
	load    weightsFlags
	time    timeFlag
}

func (a *app) checkCommand() *cobra.Command {
	r := &checkRun{}
	c := &cobra.Command{
		Use:   "check [FILE | PATH…]",
		Short: "Find the type, dtype and shape of every expression of a model",
		Long: "Find the type, dtype and shape of every expression of a model, and what is wrong with them.\n" +
			"Without FILE: check all entries of shapecheck.toml, or of [tool.shapecheck] in pyproject.toml.",
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			// With --watch the first call starts the loop, which calls check again with a.reads
			// set.
			if r.watch && a.reads == nil {
				return a.watch(r)
			}
			return a.check(r, args)
		},
	}
	r.flags(c)
	return c
}

// Each part adds its own flags; those of the check itself follow.
func (r *checkRun) flags(c *cobra.Command) {
	r.target.flags(c)
	r.limits.processFlags(c)
	r.limits.budgetFlag(c)
	r.contractFlags(c)
	r.cost.flags(c)
	r.filters.flags(c)
	r.conf.flags(c)
	r.fixes.flags(c)
	r.caches.flags(c)
	r.load.flags(c)
	r.time.flag(c)
	f := c.Flags()
	f.StringVar(&r.shard, "shard", "", "check a part of the configured entries: 2/5 the second of five; auto asks the CI system")
	f.StringVar(&r.stdinName, "stdin-filename", "", "the name of the file that standard input (FILE -) stands for")
	f.StringArrayVar(&r.formats, "output-format", nil, formatHelp)
	f.StringVar(&r.interfaceFile, "interface", "", "write to this file what users of the checked entries can see of them, for build systems")
	f.BoolVar(&r.all, "all", false, "show all files, not only the entry's")
	f.BoolVar(&r.types, "types", false, "show the type of every statement, however many lines that takes")
	f.StringVar(&r.notation, "notation", "",
		"how the text output writes types: seed, as chainer-compiler's inference engine did: ndarray(float32, (2, 3))")
	f.IntVar(&r.jobs, "jobs", 0, "how many files or entries are checked at the same time; 0: as many as there are processors")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "print findings alone: no entries, no sum")
	f.BoolVarP(&r.verbose, "verbose", "v", false, "name the environment that was found and which of its packages are followed")
	f.IntVar(&r.minTyped, "min-typed", 0, "a finding where less than this percentage of the values is typed")
	f.BoolVar(&r.explore, "explore", false,
		"run also under settings that the entry does not have, once for each condition on the configuration that leaves code out")
	f.StringVar(&r.newSince, "new-since", "", "show only findings that are new since this revision of git, such as origin/main")
	f.BoolVar(&r.statistics, "statistics", false, "print as text how many findings there are of each code, and no more")
	f.IntVar(&r.jsonVersion, "json-version", record.Version, "the version of the JSON document: 2, or 1, which is written for a while")
	f.BoolVar(&r.noStepSummary, "no-step-summary", false, "with --output-format github: append no report to the summary of the job")
	f.BoolVar(&r.noProgress, "no-progress", false, "do not show on a terminal how far the check is")
	f.BoolVar(&r.isScript, check.ScriptFlag, false, "run FILE from its top level, as python FILE ARGS… would; what follows is given to it")
	f.BoolVar(&r.strict, "strict", false, "anything unknown is a finding")
	f.BoolVar(&r.watch, "watch", false, "check again whenever a file changes that the check has read")
}

// check is one check, of a file or of the configured entries. It returns an error for flags that do
// not fit together and for what cannot be read; findings are no error but set a.code. Where a watch
// is on, a.reads notes every file that is looked at, also those that are missing.
func (a *app) check(r *checkRun, args []string) error {
	if err := r.cost.resolve(r.contract != ""); err != nil {
		return err
	}
	conf, err := r.conf.load(a.reads)
	if err != nil {
		return err
	}
	a.reads.Look(r.filters.baseline)
	if conf != nil && conf.Baseline != "" {
		a.reads.Look(check.BaselineFile(conf))
	}
	if r.isScript && len(args) == 0 {
		return errors.New("--script runs a program: give FILE")
	}
	// A folder without a configuration is checked by discovery, as most who try the program expect.
	if len(args) == 0 && conf == nil && r.namesNoEntry() && r.cost.format == "" && r.contract == "" && r.shard == "" && !r.isScript {
		args = []string{"."}
		a.say("shapecheck: no configuration was found, so this is `shapecheck .`")
	}
	// The whole project, as the configuration says.
	whole := conf != nil && len(args) == 0 && r.namesNoEntry() && r.cost.format == ""
	if len(args) == 1 && r.namesNoEntry() && (notebook.Is(args[0]) && r.fixes.on() || args[0] == "-" && notebook.Is(r.stdinName)) {
		r.isScript = true // of a notebook without an entry its cells are run
	}
	// isAlone: one FILE of which nothing more is said is checked by discovery, as the files of a folder are.
	alone := r.isAlone(args)
	paths := alone || r.arePaths(args)
	if !r.isScript && (len(args) != 1 || paths || isFolder(args[0])) {
		// A flag for one entry would silently hold for none or for all of several.
		if err := r.ofOneEntry(args, len(args) == 0 && conf == nil); err != nil {
			return err
		}
	}
	if whole || paths {
		// Entries have their own settings, so only the environment is found here.
		if err := r.findEnvironment(); err != nil {
			return err
		}
	} else {
		r.configure(conf)
		if err := r.resolve(args, r.isScript); err != nil {
			return err
		}
	}
	inputs := []string{r.Run.File}
	if alone {
		inputs = args
	}
	outs, err := outputs(r.formats, inputs)
	if err != nil {
		return err
	}
	if outs, err = r.interfaceOut(outs, inputs); err != nil {
		return err
	}
	files := inputs
	for _, o := range outs {
		files = append(files[:len(files):len(files)], o.file)
	}
	if err := a.measure(&r.time, files...); err != nil {
		return err
	}
	filter, err := r.filters.configured(conf)
	if err != nil {
		return err
	}
	if err := r.fixes.check(r.Run.File); err != nil {
		return err
	}
	// These are read by the writers, which know the app only.
	a.statistics, a.noStepSummary, a.noProgress = r.statistics, r.noStepSummary, r.noProgress
	if r.annotate {
		dirs := []string{"."}
		switch {
		// Files below these folders may be changed by --annotate.
		case whole:
			dirs = append(dirs, filepath.Dir(conf.File()))
		case !paths:
			dirs = append(dirs, r.dirs()...)
		}
		may := (&check.Session{}).MayChange(dirs)
		a.instead = func(f *findings) error { return a.addIgnores(f, may, r.dry) }
	}
	// Checked here rather than in the writer, so that a long check is not lost.
	if r.jsonVersion != 0 && !record.Reads(r.jsonVersion) {
		return fmt.Errorf("--json-version %d: there are 1 and 2", r.jsonVersion)
	}
	a.jsonVersion = r.jsonVersion
	if r.minTyped < 0 || r.minTyped > 100 {
		return fmt.Errorf("--min-typed %d: expected a percentage", r.minTyped)
	}
	session := a.session(conf, filter, r.Run.Environment)
	if session.MinTyped = r.minTyped; session.MinTyped == 0 && conf != nil {
		session.MinTyped = conf.MinTyped
	}
	session.Explore, session.Eval, session.Interface = r.explore, r.Run.Eval, r.interfaceFile != ""
	if r.jobs < 0 {
		return fmt.Errorf("--jobs %d: a number from 1; 0: as many as there are processors", r.jobs)
	}
	session.Jobs = r.jobs
	session.Limits, session.Strict = r.limits.setFor(conf), r.strict || conf != nil && conf.Strict
	if paths && !r.conf.asked() {
		session.Nearest = func(c *config.Config) (*check.Session, error) { return a.sessionBelow(r, session, c) }
	}
	// --new-since runs the old revision and hides what it has as well.
	if err := a.hideOld(r, session, args, paths, whole); err != nil {
		return err
	}
	if paths {
		if conf != nil {
			r.override(conf)
		} else {
			session.Everywhere = r.Run
		}
		err := a.checkPaths(r, session, args, outs)
		// errNoEntry: discovery found nothing in the FILE, so it is taken as one entry, whose fault is then told.
		if !errors.Is(err, errNoEntry) {
			return err
		}
		r.configure(conf)
		if err := r.resolve(args, false); err != nil {
			return err
		}
		session.Environment = r.Run.Environment
	}
	if whole {
		r.override(conf)
		return a.checkProject(r, session, outs)
	}
	if r.shard != "" {
		return errors.New("--shard is for the entries of a configuration; it needs no FILE")
	}
	if r.Run.File == "-" {
		if err := r.stdinFile(a.in, r.stdinName); err != nil {
			return err
		}
	} else if r.stdinName != "" {
		return errors.New("--stdin-filename needs the FILE -")
	}
	// The bound of a process is for several entries; one has its own bound of memory.
	session.Limits.ProcessMemory = 0
	return a.checkOne(r, session, outs)
}

// ofOneEntry refuses what is asked for where several entries are checked, and would be left out without a word. None says that
// there is nothing to check, which is said otherwise. none says that no entry was found at all.
func (r *checkRun) ofOneEntry(words []string, none bool) error {
	if r.Run.Module != "" {
		return nil
	}
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"--weights", r.load.file != ""}, {"--attributes", r.attributes != ""}, {"--stdin-filename", r.stdinName != ""},
		{"--contract", r.contract != ""}, {"--summary", r.cost.format != ""}, {"--entry", r.Run.Entry != ""}, {"--call", r.Run.Call != ""},
		{"--arg", len(r.Run.Args) > 0}, {"--set", len(r.Run.Set) > 0}, {"--assume", len(r.Run.Assume) > 0},
	} {
		if !f.given || none {
			continue
		}
		if len(words) == 1 && isFolder(words[0]) {
			return fmt.Errorf("%s is for one entry: give one FILE; %s is a directory", f.name, words[0])
		}
		return errors.New(f.name + " is for one entry: give one FILE")
	}
	return nil
}

// session is the session of a check. The cache of parsed files serves the next check where the program watches files.
func (a *app) session(conf *config.Config, filter *suppress.Filter, env pyenv.Search) *check.Session {
	s := &check.Session{Cache: a.parsedFiles(), Config: conf, Filter: filter, Environment: env, Time: a.track()}
	if a.reads != nil {
		s.FS = a.reads
	}
	return s
}

// sessionBelow is the session of a project whose configuration lies below that of the command line. What the command line says goes
// before it.
func (a *app) sessionBelow(r *checkRun, s *check.Session, c *config.Config) (*check.Session, error) {
	filter, err := r.filters.configured(c)
	if err != nil {
		return nil, err
	}
	if r.newSince != "" || r.filters.baseline != "" {
		filter.Baseline = s.Filter.Baseline
	}
	r.override(c)
	out := *s
	out.Config, out.Filter, out.Everywhere = c, filter, infer.Config{}
	if out.MinTyped = r.minTyped; out.MinTyped == 0 {
		out.MinTyped = c.MinTyped
	}
	limits := r.limits
	out.Limits, out.Strict = limits.setFor(c), r.strict || c.Strict
	return &out, nil
}

// checkProject checks the entries of the configuration. With fixes the files are changed first, and
// checked again unless that was all.
func (a *app) checkProject(r *checkRun, s *check.Session, outs []output) error {
	if r.fixes.on() {
		targets, err := s.Targets()
		if err != nil {
			return err
		}
		// Each target has its own run, so the setting goes to all.
		for _, t := range targets {
			t.Run.InsertComments = r.fixes.comments == "insert"
		}
		if done, err := a.fixAll(s, &r.fixes, check.OfEntries(targets), []string{filepath.Dir(s.Config.File())}); done || err != nil {
			return err
		}
	}
	fs, list, err := a.project(s, outs, r)
	if err != nil {
		return err
	}
	return a.finish(&r.filters, fs, list)
}

// checkOne checks the entry that the command line names. The error of closing the weights is joined
// with that of the check. Results of earlier runs are taken from the cache, unless the output needs
// values that it does not keep, fixes are on, or the file is a notebook.
func (a *app) checkOne(r *checkRun, s *check.Session, outs []output) (err error) {
	if r.notation != "" && r.notation != seedNotation {
		return fmt.Errorf("--notation=%s: expected %s", r.notation, seedNotation)
	}
	if r.attributes != "" {
		a.reads.Look(r.attributes)
	}
	t := &r.Target
	if t.Weights, err = r.load.open(); err != nil {
		return err
	}
	if t.Weights != nil {
		a.reads.Look(r.load.file)
		defer func() { err = errors.Join(err, closeWeights(t.Weights)) }()
	}
	if r.contract == "" && r.cost.format == "" && !r.fixes.on() && !notebook.Is(t.Run.File) && !a.keepsValues(outs) {
		if s.Kept, err = a.openCache(&r.caches, s, a.texts(outs, r.shown)); err != nil {
			return err
		}
		defer a.closeCache(s.Kept)
	}
	if r.fixes.on() {
		t.Run.InsertComments = r.fixes.comments == "insert"
		x := s.Fixer(check.OfEntry(t), r.fixes.unsafe, r.dirs())
		err := a.completed(&r.target, s, need{}, func() error { return x.Fix(a.context()) })
		if err != nil {
			return err
		}
		if done, err := a.fixed(x, &r.fixes); done || err != nil {
			return err
		}
	}
	var res *check.Result
	// Suggested edits are tried out only where they will be shown.
	s.Verify = !a.statistics && a.instead == nil
	done := a.wait(cmp.Or(t.Run.File, t.Run.Module), s)
	err = a.completed(&r.target, s, need{}, func() (err error) {
		res, err = s.Check(a.context(), t)
		return err
	})
	if done(); err != nil {
		return err
	}
	// It is set before the output, whose failure is an error of its own.
	a.code = check.ExitCode(res.Result)
	if r.contract != "" {
		return a.printContract(res.Result, r.contract, &r.cost)
	}
	if r.cost.format != "" {
		return a.printSummary(res.Result, &r.cost)
	}
	if err := a.write(outs, a.findings(s, res, r)); err != nil {
		return err
	}
	// Findings that a baseline hides are counted, so that none of them is forgotten.
	if n := len(res.Known); n > 0 {
		a.say("shapecheck: %d hidden by %s", n, s.Filter.Baseline.Name())
	}
	return a.finish(&r.filters, res.Files, res.Diagnostics)
}

// findings are what a run of one entry prints. Everything is made when it is printed, since most
// formats need only a part of it.
func (a *app) findings(s *check.Session, res *check.Result, r *checkRun) *findings {
	var unchecked []diag.Unchecked
	if !res.Checked {
		unchecked = []diag.Unchecked{{Entry: res.Entry, Why: res.WhyNot, By: diag.Ending(res.Diagnostics), Failed: true}}
	}
	outcomes := []check.Outcome{{Name: res.Entry, Result: res}}
	return &findings{
		files: res.Files, list: res.Diagnostics, unchecked: unchecked,
		entries: func() []markdown.Entry {
			e := listed(res.Files, sourceOf(s, res), outcomes[0])
			return []markdown.Entry{e.markdown()}
		},
		page: pageOf(outcomes, s), outcomes: outcomes, session: s,
		text: func(w io.Writer) error {
			// --quiet prints findings and no types.
			if r.quiet {
				return (&summing{lister: newLister(w, res.Files, true, r.shown), list: res.Diagnostics}).print(w)
			}
			// The text of a recalled result was kept with it, made with the same flags.
			body, took := res.Texts[body(w)], "cached"
			if !res.Recalled {
				body, took = annotated(w, res.Result, r.shown), elapsed(res.Time)+fixable(res.Diagnostics)
			}
			if r.verbose {
				body += "\n" + foundOf(res)
			}
			_, err := fmt.Fprintf(w, "%s\n%s, %s\n", body, tallyOf(res), took)
			return err
		},
		sum: func(w io.Writer) error {
			_, err := fmt.Fprintln(w, tallyOf(res))
			return err
		},
		json: func(w io.Writer) error { return printJSON(w, a.entryDocument(s, res)) },
	}
}

// printJSON writes a document. Names of types have < and >, so HTML escapes are off.
func printJSON(w io.Writer, doc any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(doc)
}

// Less than a second in whole milliseconds.
func elapsed(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
