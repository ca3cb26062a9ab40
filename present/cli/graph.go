package cli

// This file prints the typed graph: shapecheck graph FILE.

import (
	"fmt"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/infer/graph"
)

func (a *app) graphCommand() *cobra.Command {
	var t target
	c := &cobra.Command{
		Use:   "graph FILE",
		Short: "Print the typed graph of an entry",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := t.resolve(args, false); err != nil {
				return err
			}
			var res *check.Result
			session := &check.Session{Limits: t.limits.set()}
			err := a.completed(&t, session, need{}, func() (err error) {
				res, err = session.Check(a.context(), &t.Target)
				return err
			})
			if err != nil {
				return err
			}
			if err := graph.Verify(res.Graph); err != nil {
				return fmt.Errorf("the typed graph is not well formed: %w", err)
			}
			graph.Print(a.out, res.Graph, res.Files)
			a.code = check.ExitCode(res.Result)
			return nil
		},
	}
	t.flags(c)
	return c
}
