package cli

// This file compiles models to programs: shapecheck compile MODEL.onnx|FILE.py -o P.

import (
	"errors"

	"github.com/spf13/cobra"

	"shapecheck/internal/atomicfile"
)

func (a *app) compileCommand() *cobra.Command {
	var m modelFlags
	var out string
	var list, report bool
	c := &cobra.Command{
		Use:   "compile MODEL.onnx|FILE.py -o PROGRAM",
		Short: "Compile an ONNX model, or an entry of a Python file, to a program",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if list {
				a.printPasses()
				return nil
			}
			if out == "" {
				return errors.New("compile writes a program: give -o PROGRAM")
			}
			if err := atomicfile.Check(out); err != nil {
				return err
			}
			p, err := a.compile(&m, args)
			if p == nil || err != nil {
				return err
			}
			if report {
				a.printReport(p.Report)
			}
			return p.WriteFile(out)
		},
	}
	m.flags(c)
	c.Flags().StringVarP(&out, "output", "o", "", "the file to write")
	c.Flags().BoolVar(&list, "print-passes", false, "list the passes in their order and do nothing else")
	c.Flags().BoolVar(&report, "report", false, "say what each pass did: nodes before and after, time, and how often each rule was applied")
	return c
}
