package cli

// This file finds the step of the compiler, or the kernel, that makes a difference: run --bisect.
// The outputs without passes in the reference engine are taken to be right. Passes are tried in
// that engine too, so that a difference is theirs alone; only if there is none, the fast engine
// runs beside the reference engine, instruction by instruction. The inputs are the same in each
// run.

import (
	"errors"
	"fmt"

	"shapecheck/codegen"
	"shapecheck/codegen/pass"
	"shapecheck/internal/localfile"
	"shapecheck/onnx"
	"shapecheck/runtime/vm"
)

// loader gives the model that the arguments name, as often as it is asked. Without one and an
// error the findings have been printed. The model is read anew each time, since compiling changes
// it. A file is read once, and a program is exported once, which is kept as the bytes of a model.
func (a *app) loader(m *modelFlags, args []string) (func() (*onnx.Model, error), error) {
	if len(args) > 0 && isModel(args[0]) {
		file, err := localfile.Read(args[0], onnx.MaxMessage)
		m.o.File = args[0]
		return func() (*onnx.Model, error) { return onnx.Unmarshal(file) }, err
	}
	model, err := a.exported(m, args)
	if model == nil || err != nil {
		return nil, err
	}
	file, err := onnx.Marshal(model)
	return func() (*onnx.Model, error) { return onnx.Unmarshal(file) }, err
}

// bisect runs a model without passes in the reference engine, and says which pass and which
// application of a rule first changes an output by more than the tolerance; when none does,
// which instruction first differs in the engine that is asked for. The exit code is 1 if a step
// makes a difference. Errors are those of flags that do not fit, of the model, of the compiler and
// of a run without passes.
func (a *app) bisect(m *modelFlags, r *runFlags, w *watchedRun, args []string) error {
	if err := errors.Join(a.options(m), r.check()); err != nil {
		return err
	}
	if len(args) > 0 && isProgram(args[0]) {
		return errors.New("--bisect compiles a model: give the model instead of its program")
	}
	load, err := a.loader(m, args)
	if load == nil || err != nil {
		return err
	}
	// Hooks are for the program that the user asked to run, not for the many runs of the search.
	ref := r.cfg
	ref.Engine, ref.Hooks, ref.CheckReference = vm.Reference, nil, nil
	var in vm.Inputs
	run := func(p *codegen.Program, cfg vm.Config) (vm.Outputs, error) {
		model, err := loadCompiled(p, cfg)
		if err != nil {
			return nil, err
		}
		defer model.Close()
		// The inputs are made at the first run and kept, as random ones differ from run to run.
		if in == nil {
			if in, err = r.values(a.context(), model.Program()); err != nil {
				return nil, err
			}
		}
		return model.Run(a.context(), in)
	}
	plain := m.o
	plain.Passes.Level = pass.NoneO
	first, err := load()
	if err != nil {
		return err
	}
	p, err := codegen.Compile(a.context(), first, plain)
	if err != nil {
		return err
	}
	want, err := run(p, ref)
	if err != nil {
		return a.runFailed(err)
	}
	// differs gives the first difference from the run without passes, or nothing. A program that
	// fails differs by its error.
	differs := func(p *codegen.Program) (string, error) {
		got, err := run(p, ref)
		if err != nil {
			return err.Error(), nil
		}
		for _, x := range p.ISA.Outputs {
			if why := vm.Differ(got[x.Name], want[x.Name], w.tolerance); why != "" {
				return fmt.Sprintf("output %q: %s", x.Name, why), nil
			}
		}
		return "", nil
	}
	step, err := codegen.Bisect(a.context(), load, m.o, differs)
	if err != nil {
		return err
	}
	if step != nil {
		fmt.Fprintln(a.out, step)
		a.code = 1
		return nil
	}
	fmt.Fprintln(a.out, "no pass changes the outputs in the reference engine")
	if r.cfg.Engine == vm.Reference {
		return nil
	}
	last, err := load()
	if err != nil {
		return err
	}
	if p, err = codegen.Compile(a.context(), last, m.o); err != nil {
		return err
	}
	// A check against the reference engine stops at the first instruction that differs, as an
	// error.
	fast := r.cfg
	fast.CheckReference = &w.tolerance
	if _, err := run(p, fast); err != nil {
		return a.runFailed(err)
	}
	fmt.Fprintln(a.out, "no instruction of the fast engine differs from the reference engine")
	return nil
}
