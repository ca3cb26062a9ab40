package cli

// This file prints what a model costs: shapecheck FILE --summary[=FORMAT], and shapecheck summary FILE.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/present/render/text"
	"shapecheck/present/summary"
)

// summaryFormats are the notations of --summary, the first being the default.
var summaryFormats = []string{"text", "json"}

type summaryFlags struct {
	format string
	at     []string
	depth  int
	opt    summary.Options
}

func (f *summaryFlags) flags(c *cobra.Command) {
	s := c.Flags()
	s.StringVar(&f.format, "summary", "",
		"print only what the model costs: its modules, parameters, multiply-adds, memory: "+strings.Join(summaryFormats, ", "))
	s.Lookup("summary").NoOptDefVal = summaryFormats[0]
	f.sizeFlags(c)
}

// sizeFlags are those that say for which sizes and modules.
func (f *summaryFlags) sizeFlags(c *cobra.Command) {
	s := c.Flags()
	s.StringArrayVar(&f.at, "at", nil, "for a summary, sizes for the numbers, for a contract, sizes to try: H=224,W=224,B=1; may be repeated")
	s.IntVar(&f.depth, "depth", 0, "for a summary: show modules to this depth; default: all")
}

// summaryCommand is a check of one entry that prints its summary.
func (a *app) summaryCommand() *cobra.Command {
	r, asJSON := &checkRun{}, false
	c := &cobra.Command{
		Use:   "summary FILE",
		Short: "Tell what a model costs: its modules, parameters, multiply-adds and memory",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if r.cost.format = summaryFormats[0]; asJSON {
				r.cost.format = "json"
			}
			return a.check(r, args)
		},
	}
	r.target.flags(c)
	r.AssumeFlag(c.Flags())
	r.cost.sizeFlags(c)
	r.conf.flags(c)
	r.load.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON document")
	return c
}

// resolve reads the flags that only count with --summary, or with --contract.
func (f *summaryFlags) resolve(contract bool) error {
	switch f.format {
	case "":
		switch {
		case f.depth != 0:
			return errors.New("--depth needs --summary")
		case len(f.at) > 0 && !contract:
			return errors.New("--at needs --summary or --contract")
		}
	case "text", "json":
	default:
		return fmt.Errorf("--summary=%s: expected %s", f.format, strings.Join(summaryFormats, " or "))
	}
	if f.depth < 0 {
		return fmt.Errorf("--depth %d: expected a number of levels", f.depth)
	}
	f.opt.Depth = f.depth
	for _, text := range f.at {
		sizes, err := summary.ParseSizes(text)
		if err != nil {
			return fmt.Errorf("--at %w", err)
		}
		f.opt.Sizes = append(f.opt.Sizes, sizes)
	}
	return nil
}

// printSummary prints the table, and before it the errors of the run: what comes
// after an error is not counted.
func (a *app) printSummary(res *infer.Result, f *summaryFlags) error {
	if err := f.known(res); err != nil {
		return err
	}
	f.fit(res)
	for _, list := range f.opt.Misfits {
		if len(list) > 0 {
			a.code = check.ExitUsage
		}
	}
	style := styleOf(a.err)
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error && f.format != "json" {
			text.Print(a.err, res.Files, d, style)
		}
	}
	s := summary.Of(res)
	if f.format == "json" {
		return printJSON(a.out, summary.JSON(s, f.opt))
	}
	allowStyle(a.out)
	f.opt.Paint = text.Style{Color: colored(a.out)}.Paint
	summary.Text(a.out, s, f.opt)
	return nil
}

// fit looks which sizes of --at satisfy the contract.
func (f *summaryFlags) fit(res *infer.Result) {
	c := contract.Of(res)
	for _, sizes := range f.opt.Sizes {
		f.opt.Misfits = append(f.opt.Misfits, contract.Misfits(res, c, contract.Sizes(sizes)))
	}
}

// known checks that the sizes of --at are sizes of the run.
func (f *summaryFlags) known(res *infer.Result) error {
	for _, sizes := range f.opt.Sizes {
		for name := range sizes {
			if res.Pool.Lookup(name) == nil {
				return fmt.Errorf("--at %s: the arguments have no size %s", sizes, name)
			}
		}
	}
	return nil
}
