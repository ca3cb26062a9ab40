package cli

// This file serves agents: shapecheck mcp.

import (
	"github.com/spf13/cobra"

	"shapecheck/present/lsp"
	"shapecheck/present/mcp"
)

func (a *app) mcpCommand() *cobra.Command {
	var t target
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve an agent: the Model Context Protocol on standard input and output",
		Long: "Serve an agent: the Model Context Protocol on standard input and output, with the tools check_edit, explain, contract and\n" +
			"solve. Nothing is written, and only files below the working directory are looked at.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := t.findEnvironment(); err != nil {
				return err
			}
			s := &mcp.Server{Options: lsp.Options{Environment: t.Run.Environment, Limits: t.limits.set(), Timed: t.limits.asked()}}
			return s.Serve(a.context(), a.in, a.out.To())
		},
	}
	t.limits.flags(c)
	c.Flags().StringVar(&t.Run.Environment.Python, "python", "", "the environment whose packages are used, as for a check")
	return c
}
