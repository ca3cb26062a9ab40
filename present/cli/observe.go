package cli

// This file observes runs: --trace, --dump-outputs-dir, --chrome-trace, --profile,
// --check-against-ref, --memory and --bench. The machine calls hooks at each instruction
// (vm.Hooks); each observer of runtime/observe gives such hooks, and they are joined. The hooks of
// a model are one value whose fields change between runs, as a model is loaded with a pointer to
// it.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/codegen/isa"
	"shapecheck/codegen/op"
	"shapecheck/codegen/pass"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/safetext"
	"shapecheck/runtime/observe"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// A watchedRun says what is observed of runs. Flags and, at the end, what a run has left.
type watchedRun struct {
	// trace: 0 to 2.
	trace int
	// Folder and file; empty: not wanted.
	dump, chrome    string
	profile, memory bool
	fusion          bool
	reference, skip bool
	tolerance       vm.Tolerance
	// The number of runs to measure.
	bench   int
	bisect  bool
	noCatch bool
	// Names of operators as ONNX has them.
	operators []string
	// A file for the report; empty: none.
	report  string
	refused []pass.Refusal // by the compiler, of this model
	stats   vm.Stats       // of the last observed run
	hooks   *vm.Hooks      // of the model; the fields change between its runs
}

func (w *watchedRun) flags(c *cobra.Command) {
	f := c.Flags()
	f.IntVar(&w.trace, "trace", 0,
		"1: print each instruction with its place and the types of operands and results; 2: elements of results, too")
	f.StringVar(&w.dump, "dump-outputs-dir", "", "a folder for the results of all instructions, ORDER_NAME.npy each")
	f.StringVar(&w.chrome, "chrome-trace", "", "a file for the run's timeline, which Perfetto opens")
	f.StringSliceVar(&w.operators, "verbose-ops", nil,
		"operators whose instructions are printed with elements of their results, as --trace=2 does of all: Conv,Softmax")
	f.BoolVar(&w.noCatch, "no-catch", false, "a kernel's panic ends the program with its stack; test ends at the first failure")
	f.BoolVar(&w.memory, "memory", false, "print how many instructions ran and the most bytes that values held at one time")
	f.BoolVar(&w.reference, "check-against-ref", false,
		"compute what kernels compute with the reference as well, and stop at the first difference")
	f.Float64Var(&w.tolerance.Rel, "ref-rtol", 1e-4,
		"what counts as a difference from the reference, as a part of the result's largest element")
	f.Float64Var(&w.tolerance.Abs, "ref-atol", 1e-6, "what is added to that")
	f.BoolVar(&w.skip, "skip-type-check", false, "do not compare each result's element type and sizes with the program's")
}

// runFlags are those of single models.
func (w *watchedRun) runFlags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&w.profile, "profile", false,
		"run once more, or as often as --bench says, and print time, share and GFLOP/s of each operator and each instruction")
	f.BoolVar(&w.fusion, "explain-fusion", false,
		"print which instructions are computed together at the inputs' sizes, and why their neighbours are not; of a model that is compiled now, also why a softmax between two products is no attention")
	f.BoolVar(&w.bisect, "bisect", false,
		"find the first pass, and in it the first application of a rule, that changes an output; then the first instruction that differs in the engine. The model without passes, in the reference engine, is right to --ref-rtol and --ref-atol")
	f.IntVar(&w.bench, "bench", 0, "run so many times more and print how long a run takes, and time, GFLOP/s and bytes of each operator")
	f.StringVar(&w.report, "report-json", "", "a file for times, memory, outputs' types and, with --bench, what each operator took")
}

// It returns an error for values out of range, an operator that does not exist and files that
// cannot be written, all before the run.
func (w *watchedRun) check() error {
	switch {
	case w.bench < 0:
		return errors.New("--bench takes a number of runs")
	case w.trace < 0 || w.trace > 2:
		return errors.New("--trace is 1 or 2")
	// Written so that NaN is refused as well.
	case !(w.tolerance.Rel >= 0 && w.tolerance.Abs >= 0):
		return errors.New("--ref-rtol and --ref-atol are not below 0")
	}
	for _, name := range w.operators {
		if !isa.Known(name) {
			return fmt.Errorf("--verbose-ops: there is no operator %q", name)
		}
	}
	for _, path := range []string{w.chrome, w.report} {
		if path == "" {
			continue
		}
		if err := atomicfile.Check(path); err != nil {
			return err
		}
	}
	return nil
}

// configure says what of it the model is loaded with. It must be called before the model is loaded.
func (w *watchedRun) configure(cfg *vm.Config) {
	w.hooks = &vm.Hooks{}
	cfg.Hooks, cfg.SkipTypeCheck, cfg.NoCatch = w.hooks, w.skip, w.noCatch
	if w.reference {
		cfg.CheckReference = &w.tolerance
	}
}

// watched runs a model once, observed. It prints what was asked for to standard error, as standard
// output has the outputs. It returns an error of the run or of writing what was observed.
func (a *app) watched(w *watchedRun, m *vm.Model, in vm.Inputs) (vm.Outputs, error) {
	p := m.Program()
	var hooks []*vm.Hooks
	var dump observe.Dump
	var chrome observe.Chrome
	// Trace goes first, so that a later hook cannot delay what it prints.
	if w.trace > 0 || len(w.operators) > 0 {
		hooks = append(hooks, observe.Trace(a.err, p, observe.Detail{Types: w.trace > 0, Elements: w.trace > 1, Verbose: w.operators}))
	}
	if w.dump != "" {
		if err := os.MkdirAll(w.dump, 0o777); err != nil {
			return nil, err
		}
		dump.Dir = w.dump
		hooks = append(hooks, dump.Hooks(p))
	}
	if w.chrome != "" {
		hooks = append(hooks, chrome.Hooks(p, m.Threads()))
	}
	if w.memory || w.report != "" {
		hooks = append(hooks, &vm.Hooks{End: func(s vm.Stats) { w.stats = s }})
	}
	if h := observe.Join(hooks...); h != nil {
		*w.hooks = *h
	}
	if w.fusion {
		if err := a.explainFusion(m, in, w.refused); err != nil {
			return nil, err
		}
	}
	y, err := m.Run(a.context(), in)
	// Further runs, such as measured ones, are not observed.
	*w.hooks = vm.Hooks{}
	if w.memory {
		fmt.Fprintf(a.err, "%d instructions; values held %d bytes at most", w.stats.Instructions, w.stats.PeakBytes)
		if w.stats.ArenaBytes > 0 {
			fmt.Fprintf(a.err, "; planned in %d bytes, of which %d are in use at one time", w.stats.ArenaBytes, w.stats.ArenaBound)
		}
		fmt.Fprintln(a.err)
	}
	// What was seen before an error is what shows its cause.
	if w.chrome != "" {
		var b bytes.Buffer
		err = errors.Join(err, chrome.Write(&b), atomicfile.Write(w.chrome, b.Bytes()))
	}
	if err := errors.Join(err, dump.Err()); err != nil {
		return nil, err
	}
	return y, nil
}

// explainFusion prints what is computed together, and what is not and why; refused are what the
// compiler has said so of. PCs of a fusion are places in the program. It returns an error where the
// inputs do not fit.
func (a *app) explainFusion(m *vm.Model, in vm.Inputs, refused []pass.Refusal) error {
	list, err := m.Fusions(in)
	if err != nil {
		return err
	}
	for _, x := range refused {
		fmt.Fprintf(a.err, "apart: no attention by %s: %s\n", safetext.Line(x.Node), safetext.Line(x.Reason))
	}
	// name is the place of an instruction with its operator, its place in the source and the nodes
	// that it comes from.
	p := m.Program()
	name := func(pc int) string {
		text := fmt.Sprintf("%d %s", pc, isa.Op(p.Code[pc].Op))
		place, nodes := vm.Origin(p, pc)
		for _, s := range []string{place, strings.Join(nodes, ", ")} {
			if s != "" {
				text += " " + safetext.Line(s)
			}
		}
		return text
	}
	for _, x := range list {
		names := make([]string, len(x.PCs))
		for k, pc := range x.PCs {
			names[k] = name(pc)
		}
		if x.Reason == "" {
			fmt.Fprintf(a.err, "together: %s\n", strings.Join(names, "; "))
		} else {
			fmt.Fprintf(a.err, "apart: %s: %s\n", strings.Join(names, "; "), x.Reason)
		}
	}
	return nil
}

// measured runs a model some times more for --bench and --profile. The runs of --bench come first
// and are not slowed by the hooks of the profile.
func (a *app) measured(w *watchedRun, m *vm.Model, in vm.Inputs, tier string, rep *runReport) (err error) {
	if w.bench > 0 {
		// A run that was stopped has set a.code.
		if rep.Bench, err = a.bench(m, in, w.bench, tier); err != nil || a.code != 0 {
			return err
		}
	}
	if w.bench == 0 && !w.profile {
		return nil
	}
	profile := observe.Profile{Flops: flops}
	*w.hooks = *profile.Hooks(m.Program())
	// The profile needs at least one run.
	n := max(w.bench, 1)
	for range n {
		if _, err := m.Run(a.context(), in); err != nil {
			return a.runFailed(err)
		}
	}
	rep.Operators = costsOf(profile.Operators(), int64(n))
	profile.WriteOperators(a.out, n)
	if w.profile {
		fmt.Fprintln(a.out)
		profile.WriteInstructions(a.out, n)
	}
	return nil
}

// flops counts the work of an instruction by its operator's record. The second result is false for
// an operator whose work is not counted.
func flops(i *isa.Instruction, in, out []tensor.Value) (int64, bool) {
	return op.Flops(i, observe.Dims(in), observe.Dims(out))
}

// bench runs a program n times and prints percentiles. Nil: a run was refused or stopped.
func (a *app) bench(m *vm.Model, in vm.Inputs, n int, tier string) (*benchReport, error) {
	times := make([]time.Duration, n)
	for i := range times {
		start := time.Now()
		if _, err := m.Run(a.context(), in); err != nil {
			return nil, a.runFailed(err)
		}
		times[i] = time.Since(start)
	}
	r := percentiles(times)
	fmt.Fprintf(a.out, "%d runs with %d threads on %s: min %.3f ms, median %.3f ms, 90 %% %.3f ms, 99 %% %.3f ms, max %.3f ms\n",
		n, m.Threads(), tier, r.MinMS, r.MedianMS, r.P90MS, r.P99MS, r.MaxMS)
	return r, nil
}
