package cli

// This file is the main job: shapecheck FILE.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/infer"
	"shapecheck/internal/config"
	"shapecheck/internal/contract"
	"shapecheck/internal/diag"
	"shapecheck/internal/report"
	"shapecheck/internal/suppress"
)

// A checkRun are the flags of a check.
type checkRun struct {
	target
	formats          []string
	all, strict      bool
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
		Use:   "check [FILE]",
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
	f.BoolVar(&r.isScript, "script", false, "run FILE from its top level, as python FILE ARGS… would; what follows is given to it")
	f.BoolVar(&r.strict, "strict", false, "anything unknown is a finding")
	f.BoolVar(&r.watch, "watch", false, "check again whenever a file changes that the check has read")
}

// check is one check, of a file or of the configured entries.
func (a *app) check(r *checkRun, args []string) error {
	if args = r.script(r.isScript, args); len(args) > 1 {
		return fmt.Errorf("unexpected argument %s: one FILE is checked at a time; arguments of the file's own need --script", args[1])
	}
	if err := r.cost.resolve(); err != nil {
		return err
	}
	conf, err := r.conf.load(a.reads)
	if err != nil {
		return err
	}
	a.reads.Look(r.filters.baseline)
	if conf != nil && conf.Baseline != "" {
		a.reads.Look(baselineOf(conf))
	}
	if r.load.file != "" && len(args) == 0 && r.module == "" {
		return errors.New("--weights is for one entry: give FILE and --entry")
	}
	whole := conf != nil && len(args) == 0 && r.whole() && r.cost.format == ""
	if !whole {
		r.configure(conf)
		if err := r.resolve(args); err != nil {
			return err
		}
	}
	outs, err := outputs(r.formats, []string{r.cfg.File})
	if err != nil {
		return err
	}
	filter, err := r.filters.configured(conf)
	if err != nil {
		return err
	}
	r.strict = r.strict || conf != nil && conf.Strict
	if err := r.fixes.check(r.cfg.File); err != nil {
		return err
	}
	if whole {
		r.override(conf)
		if r.fixes.on() {
			if done, err := a.fixProject(conf, filter, &r.fixes); done || err != nil {
				return err
			}
		}
		fs, list, err := a.project(conf, outs, filter, r.strict, r.shard, &r.caches)
		if err != nil {
			return err
		}
		return a.finish(&r.filters, fs, list)
	}
	if r.shard != "" {
		return errors.New("--shard is for the entries of a configuration; it needs no FILE")
	}
	if r.cfg.File == "-" {
		if err := r.stdinFile(a.in, r.stdinName); err != nil {
			return err
		}
	} else if r.stdinName != "" {
		return errors.New("--stdin-filename needs the FILE -")
	}
	return a.checkOne(r, conf, outs, filter)
}

// checkOne checks the entry that the command line names.
func (a *app) checkOne(r *checkRun, conf *config.Config, outs []output, filter *suppress.Filter) (err error) {
	start := time.Now()
	r.cfg.Cache, r.cfg.Reads = a.parsedFiles(), a.reads
	if r.contract == "" && r.cost.format == "" && r.load.file == "" && !r.fixes.on() && r.cfg.Text == "" {
		mem, err := a.openCache(&r.caches, conf, r.cfg.Cache.Files())
		if err != nil {
			return err
		}
		if mem != nil {
			return a.checkCached(r, outs, filter, mem, start)
		}
	}
	file, err := r.load.open()
	if err != nil {
		return err
	}
	if file != nil {
		a.reads.Look(r.load.file)
		defer func() { err = errors.Join(err, file.Close()) }()
	}
	run := checker(filter, func(res *infer.Result) error {
		if file == nil {
			return nil
		}
		return r.load.compare(file, res)
	})
	var res *infer.Result
	if r.fixes.on() {
		r.cfg.InsertComments = r.fixes.comments == "insert"
		x := newFixer(&r.fixes, r.dirs(), run)
		if res, err = x.fix(r.cfg); err != nil {
			return err
		}
		if done, err := x.finish(a, &r.fixes); done || err != nil {
			return err
		}
	} else if res, err = run(r.cfg); err != nil {
		return err
	}
	a.code = exitCode(res, r.strict)
	if r.contract != "" {
		return a.printContract(res, r.contract)
	}
	if r.cost.format != "" {
		return a.printSummary(res, &r.cost)
	}
	if err := a.write(outs, a.findings(res, r.all, start)); err != nil {
		return err
	}
	return a.finish(&r.filters, res.Files, res.Diagnostics)
}

// checker runs one entry, adds what more finds and leaves what the filter shows.
func checker(filter *suppress.Filter, more ...func(*infer.Result) error) func(infer.Config) (*infer.Result, error) {
	return func(cfg infer.Config) (*infer.Result, error) {
		res, err := infer.Run(cfg)
		if err != nil {
			return nil, err
		}
		contract.Check(res)
		for _, f := range more {
			if err := f(res); err != nil {
				return nil, err
			}
		}
		res.Diagnostics = filter.Apply(res.Files, res.Diagnostics, res.Reached)
		return res, nil
	}
}

// findings are what a run of one entry prints.
func (a *app) findings(res *infer.Result, all bool, start time.Time) *findings {
	return &findings{
		files: res.Files, list: res.Diagnostics,
		text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s\n%s, %s%s\n", annotated(w, res, all), report.Tally(res), elapsed(time.Since(start)), fixable(res.Diagnostics))
			return err
		},
		json: func(w io.Writer) error { return printJSON(w, report.Build(res)) },
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

func exitCode(r *infer.Result, strict bool) int {
	code := exitClean
	for _, d := range r.Diagnostics {
		switch {
		case d.Code == diag.InternalError:
			return exitInternal
		case d.Severity >= diag.Warning || strict:
			code = exitFindings
		}
	}
	if strict && r.Open > 0 {
		code = exitFindings
	}
	return code
}
