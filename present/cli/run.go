package cli

// This file runs models: shapecheck run PROGRAM|MODEL.onnx|FILE.py. What is run may be a compiled
// program, an ONNX model or Python code, of which the latter two are compiled first. The program
// itself is executed by runtime/vm; here its inputs are made, its outputs printed and saved, and
// its faults reported.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/codegen"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/pass"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/localfile"
	"shapecheck/internal/reads"
	"shapecheck/internal/safetext"
	"shapecheck/internal/timing"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/observe"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// runFlags say how a program is run. cfg is filled by the flags and by check, and seed holds for
// all inputs that are drawn.
type runFlags struct {
	// fast or ref.
	engine string
	cfg    vm.Config
	seed   uint64
	// The values of --input.
	inputs []string
}

func (r *runFlags) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&r.engine, "engine", "fast", "fast, or ref: the reference, which computes in float64 and rounds once for each node")
	f.IntVar(&r.cfg.Threads, "threads", 0, "threads of a run; 0: as many as there are processors")
	r.kernelFlags(c)
	f.BoolVar(&r.cfg.CheckSums, "check-sums", false,
		"compare the SHA-256 of a program's weights with those that it has, for which all of them are read")
	f.BoolVar(&r.cfg.CheckNaN, "check-nans", false, "stop at the first result with an element that is not a number")
	f.BoolVar(&r.cfg.CheckInf, "check-infs", false, "stop at the first result with an infinite element")
	// The bounds are 0 where there are none.
	f.Int64Var(&r.cfg.Budget.Instructions, "max-instructions", 0, "the most instructions that a run may execute; 0: any number")
	f.Int64Var(&r.cfg.Budget.Bytes, "max-bytes", 0, "the most bytes that values may take; 0: as many as --max-memory allows")
	f.Int64Var(&r.cfg.Budget.Trips, "max-trips", 0,
		"the most trips of a loop; 0: any number, so that a loop ends by itself, for want of memory, or by --timeout")
}

// inputFlags are those of what inputs are.
func (r *runFlags) inputFlags(c *cobra.Command) {
	c.Flags().StringArrayVar(&r.inputs, "input", nil,
		"the value of an input: NAME=FILE of npy, npz or pb, NAME:f32[1,3] drawn from the seed, or FILE.npz with several")
	c.Flags().Uint64Var(&r.seed, "seed", 0, "of inputs that are drawn")
}

// kernelFlags are those that decide how weights are packed.
func (r *runFlags) kernelFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&r.cfg.Tier, "tier", "", "the kernels: portable, avx2 or avx512; the best ones that the processor has by default")
	f.StringVar(&r.cfg.Precision, "precision", "f32",
		"of products and convolutions: f32, or bf16 where the processor multiplies such numbers, which is faster and leaves about three digits")
}

// check reads --engine. It returns an error for another name.
func (r *runFlags) check() error {
	switch r.engine {
	case "fast":
		r.cfg.Engine = vm.Fast
	case "ref":
		r.cfg.Engine = vm.Reference
	default:
		return fmt.Errorf("--engine=%s: expected fast or ref", r.engine)
	}
	return nil
}

// tier is the name of the kernels' tier; the reference engine has none. It returns an error for a
// tier that the processor does not have.
func (r *runFlags) tier() (string, error) {
	if r.cfg.Engine == vm.Reference {
		return "the reference", nil
	}
	t, err := kernel.ChooseTier(r.cfg.Tier)
	return t.String(), err
}

// loadProgram loads a program's file, or compiles a model and loads the program, with the compiler's report. Without
// a program and an error the findings have been printed. The report is nil for a program that was
// compiled before.
func (a *app) loadProgram(m *modelFlags, r *runFlags, args []string) (*vm.Model, *pass.Report, error) {
	if err := r.check(); err != nil {
		return nil, nil, err
	}
	if len(args) > 0 && isProgram(args[0]) {
		defer a.track().Begin(timing.Phase, timing.Loading).End()
		x, err := vm.LoadFile(args[0], r.cfg)
		return x, nil, err
	}
	p, err := a.compile(m, args)
	// Python code with findings does not compile, and they were printed already.
	if p == nil || err != nil {
		return nil, nil, err
	}
	defer a.track().Begin(timing.Phase, timing.Loading).End()
	x, err := loadCompiled(p, r.cfg)
	return x, p.Report, err
}

// loadCompiled loads a program that was just compiled.
func loadCompiled(p *codegen.Program, cfg vm.Config) (*vm.Model, error) {
	return vm.LoadMemory(p.ISA, p.Segments, cfg)
}

// isProgram reports whether a file begins as programs do. What is named as Python code is not
// opened for that. A file that cannot be read is no program, and its error comes up when it is
// compiled.
func isProgram(path string) bool {
	if reads.IsSource(path) {
		return false
	}
	f, _, err := localfile.OpenRegular(path)
	if err != nil {
		return false
	}
	head := make([]byte, len(isa.Magic))
	n, _ := f.Read(head)
	return f.Close() == nil && n == len(head) && string(head) == isa.Magic
}

func (a *app) runCommand() *cobra.Command {
	var m modelFlags
	var r runFlags
	var w watchedRun
	var out string
	var compile bool
	c := &cobra.Command{
		Use:   "run PROGRAM|MODEL.onnx|FILE.py",
		Short: "Run a program, an ONNX model or an entry of a Python file, and print its outputs",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := w.check(); err != nil {
				return err
			}
			if err := a.measure(&m.time, append(args, out)...); err != nil {
				return err
			}
			return a.bounded(&m.t.limits, func() error {
				return a.timed(&m.t.limits, func() error { return a.runModel(&m, &r, &w, compile, out, args) })
			})
		},
	}
	m.flags(c)
	m.time.flag(c)
	r.flags(c)
	w.flags(c)
	w.runFlags(c)
	c.Flags().BoolVar(&compile, "compile-only", false, "compile and load the model and run nothing")
	r.inputFlags(c)
	m.t.limits.forModels(c, "a command")
	c.Flags().StringVarP(&out, "output", "o", "", "a folder for the outputs, one npy each; or a file that ends in .npz")
	return c
}

// runModel is the command run. The exit code is 1 for a run that was refused or stopped, and 101
// for a panic of a kernel. It returns an error for anything before the run that failed.
func (a *app) runModel(m *modelFlags, r *runFlags, w *watchedRun, compile bool, out string, args []string) (err error) {
	if w.bisect {
		return a.bisect(m, r, w, args)
	}
	w.configure(&r.cfg)
	// Without weights a model of Python is run with the parameters that its constructors draw,
	// which is said since the outputs mean little then.
	if len(args) > 0 && reads.IsSource(args[0]) && m.load.file == "" && m.load.seed == "" && !compile {
		m.load.seed = "0"
		a.say("note: parameters have what their constructors compute and draw, as with --init=0; --weights FILE gives others")
	}
	start := time.Now()
	model, report, err := a.loadProgram(m, r, args)
	if model == nil || err != nil {
		return err
	}
	defer model.Close()
	// Compiling and loading was all.
	if compile {
		return nil
	}
	if report != nil {
		w.refused = report.Refused
	}
	tier, err := r.tier()
	if err != nil {
		return err
	}
	rep := &runReport{Version: runReportVersion, Engine: r.engine, Tier: tier, Threads: model.Threads(), PrepareMS: millis(time.Since(start))}
	// The report is written however the run ends.
	if w.report != "" {
		defer func() { err = errors.Join(err, writeJSON(w.report, rep)) }()
	}
	in, err := r.values(a.context(), model.Program())
	if err != nil {
		return err
	}
	start = time.Now()
	execution := a.track().Begin(timing.Phase, timing.Execution)
	whole := a.track().WholeProcess() // the threads of its kernels
	y, err := a.watched(w, model, in)
	whole.End()
	execution.End()
	rep.RunMS, rep.Instructions, rep.PeakBytes = millis(time.Since(start)), w.stats.Instructions, w.stats.PeakBytes
	rep.ArenaBytes, rep.ArenaBound = w.stats.ArenaBytes, w.stats.ArenaBound
	if err != nil {
		// The error is part of the report.
		rep.Error = err.Error()
		return a.runFailed(err)
	}
	for _, x := range model.Program().Outputs {
		rep.Outputs = append(rep.Outputs, outputReport{x.Name, tensor.ShortType(y[x.Name])})
	}
	if out != "" {
		if err := saveOutputs(out, model.Program(), y); err != nil {
			return err
		}
	}
	a.printOutputs(model.Program(), y)
	return a.measured(w, model, in, tier, rep)
}

// runFailed makes the outcome of a run that was refused or stopped: a finding. An error of another
// kind is returned as it is.
func (a *app) runFailed(err error) error {
	var e *vm.Error
	if !errors.As(err, &e) {
		return err
	}
	a.say("error: %v", e)
	a.code = 1
	// Scripts tell a fault of this program from one of the model by it.
	if e.Code == vm.CodePanic {
		a.code = 101
	}
	return nil
}

// values makes the inputs: those that are given, the others drawn from the seed where
// their sizes are numbers. --input gives NAME=FILE, NAME:TYPE[SIZES] or FILE alone, whose values
// have names. It returns an error for a name that the program does not have, one that is given
// twice, a file that cannot be read, and an input that is missing and whose sizes are not all
// numbers.
func (r *runFlags) values(ctx context.Context, p *isa.Program) (vm.Inputs, error) {
	in := vm.Inputs{}
	kinds := map[string]tensor.Kind{}
	var names []string
	for _, x := range p.Inputs {
		names = append(names, x.Name)
		switch x.Type.Kind {
		case isa.Type_SEQUENCE:
			kinds[x.Name] = tensor.SequenceKind
		case isa.Type_OPTIONAL:
			kinds[x.Name] = tensor.OptionalKind
		default:
			kinds[x.Name] = tensor.TensorKind
		}
	}
	// set adds one value and looks at its name only, since the machine checks types.
	set := func(name string, v tensor.Value) error {
		if _, ok := kinds[name]; !ok {
			return fmt.Errorf("the program has no input %q; it has %s", name, strings.Join(names, ", "))
		}
		if in[name] != nil {
			return fmt.Errorf("the input %q is given twice", name)
		}
		in[name] = v
		return nil
	}
	for _, s := range r.inputs {
		name, rest, file := strings.Cut(s, "=")
		switch {
		case file:
			list, err := tensor.ReadFile(nil, rest, kinds[name])
			if err != nil {
				return nil, err
			}
			if len(list) != 1 {
				return nil, fmt.Errorf("%s has %d values; give it without a name", rest, len(list))
			}
			if err := set(name, list[0].Value); err != nil {
				return nil, err
			}
		case strings.HasSuffix(s, "]") && strings.Contains(s, ":"):
			// An inner name hides the outer one, which had the text up to an equals sign.
			name, typ, _ := strings.Cut(s, ":")
			t, err := tensor.FromType(ctx, typ, name, r.seed)
			if err != nil {
				return nil, fmt.Errorf("the input %q: %w", name, err)
			}
			if err := set(name, t); err != nil {
				return nil, err
			}
		default:
			list, err := tensor.ReadFile(nil, s, tensor.TensorKind)
			if err != nil {
				return nil, err
			}
			for _, x := range list {
				if err := set(x.Name, x.Value); err != nil {
					return nil, err
				}
			}
		}
	}
	// The others are drawn, by their name and the seed, so that one input does not change with
	// another.
	for _, x := range p.Inputs {
		if in[x.Name] != nil {
			continue
		}
		text, ok := p.StaticType(x.Type)
		if !ok {
			return nil, fmt.Errorf("the input %q is missing: give --input '%s=FILE.npy', or --input '%s:TYPE' with numbers for the sizes of %s",
				x.Name, x.Name, x.Name, p.TypeText(x.Type))
		}
		t, err := tensor.FromType(ctx, text, x.Name, r.seed)
		if err != nil {
			return nil, fmt.Errorf("the input %q: %w", x.Name, err)
		}
		in[x.Name] = t
	}
	return in, nil
}

// saveOutputs writes all outputs into a folder, or into one npz file. The folder is made if needed.
// Names that do not fit a file system are replaced, and tensors become npy, other values pb. It
// returns an error where a file cannot be written, and then some may have been.
func saveOutputs(path string, p *isa.Program, y vm.Outputs) error {
	if strings.EqualFold(filepath.Ext(path), ".npz") {
		var list []tensor.Named
		for _, x := range p.Outputs {
			list = append(list, tensor.Named{Name: x.Name, Value: y[x.Name]})
		}
		var b bytes.Buffer
		if err := tensor.WriteNPZ(&b, list); err != nil {
			return err
		}
		return atomicfile.Write(path, b.Bytes())
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return err
	}
	taken := map[string]bool{}
	for i, x := range p.Outputs {
		name := fileName(x.Name, i)
		// Two names may differ in case only, or in characters that were replaced.
		for taken[strings.ToLower(name)] { // as another output's, also where case does not count
			name += "_"
		}
		taken[strings.ToLower(name)] = true
		if _, ok := y[x.Name].(*tensor.Tensor); ok {
			name += ".npy"
		} else {
			name += ".pb"
		}
		if err := tensor.WriteFile(filepath.Join(path, name), x.Name, y[x.Name]); err != nil {
			return err
		}
	}
	return nil
}

// fileName makes the name of a file of an output's name. A name that needs any change is replaced
// as a whole by its place i, so that it cannot collide with another in a confusing way.
func fileName(name string, i int) string {
	clean := strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, name)
	if clean != name || clean == "" || strings.HasPrefix(clean, ".") || len(clean) > 100 {
		return fmt.Sprintf("output_%d", i)
	}
	return clean
}

// printOutputs prints each output's type and what its elements are like. One line for each output,
// in the order of the program.
func (a *app) printOutputs(p *isa.Program, y vm.Outputs) {
	for _, x := range p.Outputs {
		v := y[x.Name]
		fmt.Fprintf(a.out, "%s  %s%s\n", safetext.Line(x.Name), tensor.ShortType(v), observe.Describe(v))
	}
}
