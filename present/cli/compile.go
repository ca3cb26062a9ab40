package cli

// This file compiles models to programs: shapecheck compile MODEL.onnx|FILE.py -o P. The work is
// that of package codegen; the flags are those of a model (modelFlags) and, with --pack, of a run.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/codegen"
	"shapecheck/codegen/isa"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/timing"
)

// compileCommand compiles a model's file, or an entry of a Python file that it exports first, to a program. Whether the
// output can be written is asked before the work, not after it. --print-passes needs no model.
func (a *app) compileCommand() *cobra.Command {
	var m modelFlags
	var r runFlags
	var out string
	var list, report, pack bool
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
			if err := a.measure(&m.time, append(args, out)...); err != nil {
				return err
			}
			return a.bounded(&m.t.limits, func() error {
				return a.timed(&m.t.limits, func() error {
					// No program and no error: what stopped it has been said.
					p, err := a.compile(&m, args)
					if p == nil || err != nil {
						return err
					}
					if report {
						a.printReport(p.Report)
					}
					err = a.track().Do(timing.Writing, func() error {
						if pack {
							return a.packed(&r, p, out)
						}
						return p.WriteFile(out)
					})
					if err == nil {
						a.say("%s: %s", out, programContents(p))
					}
					return err
				})
			})
		},
	}
	m.flags(c)
	m.time.flag(c)
	r.kernelFlags(c)
	r.inputFlags(c)
	m.t.limits.forModels(c, "a command")
	c.Flags().BoolVar(&pack, "pack", false,
		"write the weights also in the form that this processor's kernels (--tier, --precision) read, so that a program's file is ready as soon as it is in memory; the program runs once for it, on --input")
	c.Flags().StringVarP(&out, "output", "o", "", "the file to write")
	c.Flags().BoolVar(&list, "print-passes", false, "list the passes in their order and do nothing else")
	c.Flags().BoolVar(&report, "report", false, "say what each pass did: nodes before and after, time, and how often each rule was applied")
	return c
}

// packed writes a program with its weights in the forms that its kernels take in a run. It runs the
// program once with the inputs of the flags, because only a run shows which kernels read which
// weights. It returns an error where the program does not load, the inputs do not fit, or the run
// fails.
func (a *app) packed(r *runFlags, p *codegen.Program, out string) (err error) {
	model, err := loadCompiled(p, r.cfg)
	if err != nil {
		return err
	}
	defer model.Close()
	in, err := r.values(a.context(), model.Program())
	if err != nil {
		return fmt.Errorf("--pack runs the program once: %w", err)
	}
	if _, err := model.Run(a.context(), in); err != nil {
		return a.runFailed(err)
	}
	// Kernels that read weights as they are leave nothing to pack.
	if s, data := model.Packed(); len(s.Packed) > 0 {
		p.Add(s, data)
	}
	return p.WriteFile(out)
}

// programContents says in a line what a program is: its instructions, inputs and results. Long
// lists of ports are cut after maxListed.
func programContents(p *codegen.Program) string {
	list := func(ports []*isa.Port) string {
		var parts []string
		for i, port := range ports {
			if i == maxListed {
				parts = append(parts, fmt.Sprintf("%d more", len(ports)-i))
				break
			}
			parts = append(parts, port.Name+" "+p.ISA.TypeText(port.Type))
		}
		return strings.Join(parts, ", ")
	}
	bytes := uint64(0)
	for _, s := range p.ISA.Segments {
		bytes += uint64(s.Length)
	}
	return fmt.Sprintf("%d instructions, %d bytes of constants; inputs %s; outputs %s",
		len(p.ISA.Code), bytes, list(p.ISA.Inputs), list(p.ISA.Outputs))
}
