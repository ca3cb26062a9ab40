package cli

// This file serves editors: shapecheck lsp.

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"shapecheck/internal/atomicfile"
	"shapecheck/present/lsp"
)

func (a *app) lspCommand() *cobra.Command {
	var t target
	var logFile string
	c := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor: the Language Server Protocol on standard input and output",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) (err error) {
			if err := t.findEnvironment(); err != nil {
				return err
			}
			o := lsp.Options{Environment: t.Run.Environment, Limits: t.limits.set(), Timed: t.limits.asked(), Checked: t.limits.serve}
			t.limits.serve()
			if logFile != "" {
				f, err := atomicfile.OpenLog(logFile)
				if err != nil {
					return fmt.Errorf("--log %w", err)
				}
				defer func() { err = errors.Join(err, f.Close()) }()
				o.Log = f
			}
			if a.code, err = lsp.Serve(a.ctx, a.in, closer{a.out.To()}, o); err != nil {
				a.say("shapecheck: the editor's messages cannot be read: %v", err)
				err = nil
			}
			return err
		},
	}
	t.limits.flags(c)
	c.Flags().StringVar(&logFile, "log", "", "a file for what the server says about its work")
	c.Flags().StringVar(&t.Run.Environment.Python, "python", "",
		"where packages are installed: an interpreter, an environment, or a folder of modules")
	return c
}

// A closer is a stream that whoever made it closes.
type closer struct{ io.Writer }

// Close does nothing and returns no error.
func (closer) Close() error { return nil }
