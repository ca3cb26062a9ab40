package cli

// This file is the main job: shapecheck FILE.

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
	"shapecheck/discover/trial"
	"shapecheck/internal/diag"
	"shapecheck/present/render/markdown"
	"shapecheck/project/config"
	"shapecheck/project/notebook"
	"shapecheck/project/pyenv"
	"shapecheck/project/suppress"
)

// shown says what the text of a check shows, and how.
type shown struct {
	all, types bool
	verbose    bool // all places that lead to a finding, and the environment
	quiet      bool // findings alone
	// notation is how types are written: empty, or seedNotation.
	notation string
}

// seedNotation is that of chainer-compiler's inference engine.
const seedNotation = "seed"

// A checkRun are the flags of a check.
type checkRun struct {
	target
	formats []string
	shown
	strict, explore  bool
	statistics       bool
	newSince         string
	noStepSummary    bool
	noProgress       bool
	annotate, dry    bool // write comments that hide what is found; dry: show them alone
	minTyped, jobs   int
	isScript, watch  bool
	stdinName, shard string

	filters filterFlags
	conf    configFlags
	fixes   fixFlags
	cost    summaryFlags
	caches  cacheFlags
	load    weightsFlags
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
			if r.watch && a.reads == nil {
				return a.watch(r)
			}
			return a.check(r, args)
		},
	}
	r.flags(c)
	return c
}

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
	f := c.Flags()
	f.StringVar(&r.shard, "shard", "", "check a part of the configured entries: 2/5 the second of five; auto asks the CI system")
	f.StringVar(&r.stdinName, "stdin-filename", "", "the name of the file that standard input (FILE -) stands for")
	f.StringArrayVar(&r.formats, "output-format", nil, formatHelp)
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
	f.BoolVar(&r.noStepSummary, "no-step-summary", false, "with --output-format github: append no report to the summary of the job")
	f.BoolVar(&r.noProgress, "no-progress", false, "do not show on a terminal how far the check is")
	f.BoolVar(&r.isScript, check.ScriptFlag, false, "run FILE from its top level, as python FILE ARGS… would; what follows is given to it")
	f.BoolVar(&r.strict, "strict", false, "anything unknown is a finding")
	f.BoolVar(&r.watch, "watch", false, "check again whenever a file changes that the check has read")
}

// check is one check, of a file or of the configured entries.
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
	if len(args) == 0 && conf == nil && r.namesNoEntry() && r.cost.format == "" && r.contract == "" && r.shard == "" && !r.isScript {
		args = []string{"."}
		a.say("shapecheck: no configuration was found, so this is `shapecheck .`")
	}
	whole := conf != nil && len(args) == 0 && r.namesNoEntry() && r.cost.format == ""
	if len(args) == 1 && r.namesNoEntry() && (notebook.Is(args[0]) && r.fixes.on() || args[0] == "-" && notebook.Is(r.stdinName)) {
		r.isScript = true // of a notebook without an entry its cells are run
	}
	alone := r.isAlone(args)
	paths := alone || r.arePaths(args)
	if !r.isScript && (len(args) != 1 || paths || isFolder(args[0])) {
		if err := r.ofOneEntry(args, len(args) == 0 && conf == nil); err != nil {
			return err
		}
	}
	if whole || paths {
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
	filter, err := r.filters.configured(conf)
	if err != nil {
		return err
	}
	if err := r.fixes.check(r.Run.File); err != nil {
		return err
	}
	a.statistics, a.noStepSummary, a.noProgress = r.statistics, r.noStepSummary, r.noProgress
	if r.annotate {
		dirs := []string{"."}
		switch {
		case whole:
			dirs = append(dirs, filepath.Dir(conf.File()))
		case !paths:
			dirs = append(dirs, r.dirs()...)
		}
		may := (&check.Session{}).MayChange(dirs)
		a.instead = func(f *findings) error { return a.addIgnores(f, may, r.dry) }
	}
	if r.minTyped < 0 || r.minTyped > 100 {
		return fmt.Errorf("--min-typed %d: expected a percentage", r.minTyped)
	}
	session := a.session(conf, filter, r.Run.Environment)
	if session.MinTyped = r.minTyped; session.MinTyped == 0 && conf != nil {
		session.MinTyped = conf.MinTyped
	}
	session.Explore, session.Eval = r.explore, r.Run.Eval
	if r.jobs < 0 {
		return fmt.Errorf("--jobs %d: a number from 1; 0: as many as there are processors", r.jobs)
	}
	session.Jobs = r.jobs
	session.Limits, session.Strict = r.limits.setFor(conf), r.strict || conf != nil && conf.Strict
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
	session.Limits.ProcessMemory = 0
	return a.checkOne(r, session, outs)
}

// ofOneEntry refuses what is asked for where several entries are checked, and would be left out without a word. None says that
// there is nothing to check, which is said otherwise.
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

// session is the session of a check.
func (a *app) session(conf *config.Config, filter *suppress.Filter, env pyenv.Search) *check.Session {
	s := &check.Session{Cache: a.parsedFiles(), Config: conf, Filter: filter, Environment: env}
	if a.reads != nil {
		s.FS = a.reads
	}
	return s
}

// checkProject checks the entries of the configuration.
func (a *app) checkProject(r *checkRun, s *check.Session, outs []output) error {
	if r.fixes.on() {
		if done, err := a.fixProject(s, &r.fixes); done || err != nil {
			return err
		}
	}
	fs, list, err := a.project(s, outs, r)
	if err != nil {
		return err
	}
	return a.finish(&r.filters, fs, list)
}

// checkOne checks the entry that the command line names.
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
	if r.contract == "" && r.cost.format == "" && !r.fixes.on() && !notebook.Is(t.Run.File) && !wantsPage(outs) {
		if s.Kept, err = a.openCache(&r.caches, s, a.texts(outs, r.shown)); err != nil {
			return err
		}
		defer a.closeCache(s.Kept)
	}
	var res *check.Result
	if r.fixes.on() && r.namesNoEntry() && t.Run.Script == nil && !r.noGuess {
		if g, err := trial.Complete(a.context(), s, t); err == nil && g != nil && g.Target.Run.Script != nil {
			t.Run.Script = g.Target.Run.Script // of a program that has no model
		}
	}
	if r.fixes.on() {
		t.Run.InsertComments = r.fixes.comments == "insert"
		x := s.Fixer(r.fixes.unsafe, r.dirs())
		err = a.completed(&r.target, s, need{}, func() (err error) {
			res, err = x.Fix(a.context(), t, nil)
			return err
		})
		if err != nil {
			return err
		}
		if done, err := a.fixed(x, &r.fixes); done || err != nil {
			return err
		}
	} else {
		done := a.wait(cmp.Or(t.Run.File, t.Run.Module), s)
		err = a.completed(&r.target, s, need{}, func() (err error) {
			res, err = s.Check(a.context(), t)
			return err
		})
		if done(); err != nil {
			return err
		}
	}
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
	if n := len(res.Known); n > 0 {
		a.say("shapecheck: %d hidden by %s", n, s.Filter.Baseline.Name())
	}
	return a.finish(&r.filters, res.Files, res.Diagnostics)
}

// findings are what a run of one entry prints.
func (a *app) findings(s *check.Session, res *check.Result, r *checkRun) *findings {
	var unchecked []diag.Unchecked
	if !res.Checked {
		unchecked = []diag.Unchecked{{Entry: res.Entry, Why: res.WhyNot, Failed: true}}
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
			if r.quiet {
				return (&summing{lister: newLister(w, res.Files, true, r.shown), list: res.Diagnostics}).print(w)
			}
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
		json: func(w io.Writer) error { return printJSON(w, res.Document()) },
	}
}

// printJSON writes a document.
func printJSON(w io.Writer, doc any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(doc)
}

func elapsed(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
