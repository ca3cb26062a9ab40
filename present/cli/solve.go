package cli

// This file solves the contract of an entry for numbers: shapecheck solve FILE --entry 'Net(hidden=?)'.

import (
	"fmt"

	"github.com/spf13/cobra"

	"shapecheck/check"
)

func (a *app) solveCommand() *cobra.Command {
	var t target
	asJSON := false
	c := &cobra.Command{
		Use:   "solve FILE --entry 'Net(hidden=?)' --arg 'x:f32[B,784]'",
		Short: "Find numbers with which an entry works: each ? in --entry and --arg is one",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := t.resolve(args, false); err != nil {
				return err
			}
			x, err := (&check.Session{Limits: t.limits.set()}).Solve(a.context(), &t.Target)
			if err != nil {
				return err
			}
			if x.Failed != "" {
				a.code = check.ExitFindings
			}
			if asJSON {
				return printJSON(a.out, x)
			}
			_, err = fmt.Fprint(a.out, x.Text())
			return err
		},
	}
	t.flags(c)
	t.AssumeFlag(c.Flags())
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON document")
	return c
}
