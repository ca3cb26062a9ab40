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
	"shapecheck/internal/contract"
	"shapecheck/internal/diag"
	"shapecheck/internal/diag/render/text"
	"shapecheck/internal/report"
	"shapecheck/internal/suppress"
)

func (a *app) checkCommand() *cobra.Command {
	var t target
	var formats []string
	var all, strict bool
	var script bool
	var filters filterFlags
	var conf configFlags
	var fixes fixFlags
	var cost summaryFlags
	var stdinName, shard string
	c := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Find the type, dtype and shape of every expression of a model",
		Long: "Find the type, dtype and shape of every expression of a model, and what is wrong with them.\n" +
			"Without FILE: check all entries of shapecheck.toml, or of [tool.shapecheck] in pyproject.toml.",
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if args = t.script(script, args); len(args) > 1 {
				return fmt.Errorf("unexpected argument %s: one FILE is checked at a time; arguments of the file's own need --script", args[1])
			}
			if err := cost.resolve(); err != nil {
				return err
			}
			conf, err := conf.load()
			if err != nil {
				return err
			}
			whole := conf != nil && len(args) == 0 && t.whole() && cost.format == ""
			if !whole {
				t.configure(conf)
				if err := t.resolve(args); err != nil {
					return err
				}
			}
			outs, err := outputs(formats, []string{t.cfg.File})
			if err != nil {
				return err
			}
			filter, err := filters.configured(conf)
			if err != nil {
				return err
			}
			strict := strict || conf != nil && conf.Strict
			if err := fixes.check(t.cfg.File); err != nil {
				return err
			}
			if whole {
				if fixes.on() {
					if done, err := a.fixProject(conf, filter, &fixes); done || err != nil {
						return err
					}
				}
				fs, list, err := a.project(conf, outs, filter, strict, shard)
				if err != nil {
					return err
				}
				return a.finish(&filters, fs, list)
			}
			if shard != "" {
				return errors.New("--shard is for the entries of a configuration; it needs no FILE")
			}
			if t.cfg.File == "-" {
				if err := t.stdinFile(a.in, stdinName); err != nil {
					return err
				}
			} else if stdinName != "" {
				return errors.New("--stdin-filename needs the FILE -")
			}
			start := time.Now()
			run := checker(filter)
			var res *infer.Result
			if fixes.on() {
				x := newFixer(&fixes, t.dirs(), run)
				if res, err = x.fix(t.cfg); err != nil {
					return err
				}
				if done, err := x.finish(a, &fixes); done || err != nil {
					return err
				}
			} else if res, err = run(t.cfg); err != nil {
				return err
			}
			a.code = exitCode(res, strict)
			if t.contract != "" {
				return a.printContract(res, t.contract)
			}
			if cost.format != "" {
				return a.printSummary(res, &cost)
			}
			if err := a.write(outs, a.findings(res, all, start)); err != nil {
				return err
			}
			return a.finish(&filters, res.Files, res.Diagnostics)
		},
	}
	t.flags(c)
	t.contractFlags(c)
	cost.flags(c)
	filters.flags(c)
	conf.flags(c)
	fixes.flags(c)
	c.Flags().StringVar(&shard, "shard", "", "check a part of the configured entries: 2/5 the second of five; auto asks the CI system")
	c.Flags().StringVar(&stdinName, "stdin-filename", "", "the name of the file that standard input (FILE -) stands for")
	c.Flags().StringArrayVar(&formats, "output-format", nil, formatHelp)
	c.Flags().BoolVar(&all, "all", false, "show all files, not only the entry's")
	c.Flags().BoolVar(&script, "script", false, "run FILE from its top level, as python FILE ARGS… would; what follows is given to it")
	c.Flags().BoolVar(&strict, "strict", false, "anything unknown is a finding")
	return c
}

// checker runs one entry and leaves what the filter shows.
func checker(filter *suppress.Filter) func(infer.Config) (*infer.Result, error) {
	return func(cfg infer.Config) (*infer.Result, error) {
		res, err := infer.Run(cfg)
		if err != nil {
			return nil, err
		}
		contract.Check(res)
		res.Diagnostics = filter.Apply(res.Files, res.Diagnostics, res.Reached)
		return res, nil
	}
}

// findings are what a run of one entry prints.
func (a *app) findings(res *infer.Result, all bool, start time.Time) *findings {
	return &findings{
		files: res.Files, list: res.Diagnostics,
		text: func(w io.Writer) error {
			report.Text(w, res, report.Options{Style: text.Style{Color: colored(w)}, Width: width(), All: all})
			_, err := fmt.Fprintf(w, "\n%s, %s\n", report.Tally(res), elapsed(time.Since(start)))
			return err
		},
		json: func(w io.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", " ")
			return enc.Encode(report.Build(res))
		},
	}
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
