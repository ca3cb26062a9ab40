package cli

// This file makes a program of what a command line names: a program's file, an ONNX
// model, or a Python file whose entry is exported first. compile, run, test and their like share
// these flags and ways: codegen reads ONNX models, and a Python file becomes an ONNX model in
// memory first.

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/check/export"
	"shapecheck/codegen"
	"shapecheck/codegen/ir"
	"shapecheck/codegen/pass"
	"shapecheck/internal/timing"
	"shapecheck/internal/version"
	"shapecheck/lower"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

// modelFlags say what is compiled, and how. Those that begin with a flag's name hold its text.
type modelFlags struct {
	t      target
	load   weightsFlags
	level  string
	verify string
	strip  bool
	// NAME=NUMBER each: values of symbols for which the program is specialised.
	sizes []string
	// NAME=NUMBER each: the sizing point.
	point []string
	train bool     // the model stays in training mode
	after []string // passes after which the graph is printed
	time  timeFlag // of commands that have it
	o     codegen.Options
}

func (m *modelFlags) flags(c *cobra.Command) {
	m.t.flags(c)
	m.load.flags(c)
	m.load.initFlag(c)
	f := c.Flags()
	m.t.AssumeFlag(f)
	f.BoolVar(&m.train, "train", false, "leave a Python model in training mode; without it eval() is called first")
	f.StringVar(&m.level, "opt", "fast", "how much the compiler may change: none, exact (the same bits in the reference engine) or fast")
	f.StringArrayVar(&m.o.Passes.Disable, "disable", nil, "a pass, or a rule of one as PASS:RULE, that is left out")
	f.StringVar(&m.o.Passes.StopAfter, "stop-after", "", "the last pass that runs")
	f.StringArrayVar(&m.after, "dump-after", nil, "a pass after which the graph is printed to the error stream")
	f.StringVar(&m.verify, "verify", "", "check the graph after each pass: passes; or full, which also infers each node's types again")
	f.Lookup("verify").NoOptDefVal = "passes"
	f.StringArrayVar(&m.sizes, "bind", nil, "the value of a symbol: H=224; the program is for this size alone")
	f.BoolVar(&m.strip, "strip", false, "leave out what the program does not need to run: source lines, names of nodes, reasons, metadata")
	f.StringSliceVar(&m.point, "size", nil,
		"the usual value of a symbol, H=224,W=224: at these sizes orders are compared and memory is reported; it changes no result")
	f.StringArrayVar(&m.o.Keep, "keep", nil, "a value of the model that becomes an output")
}

// isModel reports whether a path is an ONNX model's, by its ending.
func isModel(path string) bool { return strings.EqualFold(filepath.Ext(path), ".onnx") }

// options reads the flags. It returns an error for a level, a pass or a size that does not exist.
func (a *app) options(m *modelFlags) (err error) {
	if m.o.Passes.Level, err = pass.ParseLevel(m.level); err != nil {
		return fmt.Errorf("--opt: %w", err)
	}
	switch m.verify {
	case "":
	case "passes":
		m.o.Passes.Verify = true
	case "full":
		m.o.Passes.Types = true
	default:
		return fmt.Errorf("--verify=%s: expected passes or full", m.verify)
	}
	if m.o.Bind, err = namedSizes("bind", m.sizes); err != nil {
		return err
	}
	if m.o.Passes.Sizes, err = namedSizes("size", m.point); err != nil {
		return err
	}
	for _, name := range m.after {
		if !passExists(name) {
			return fmt.Errorf("--dump-after: there is no pass %q; see --print-passes", name)
		}
	}
	// The hook is called by the compiler after each pass.
	m.o.Passes.After = func(p *pass.Pass, mod *ir.Module) {
		for _, name := range m.after {
			if name == p.Name {
				fmt.Fprintf(a.err, "after %s:\n%s", p.Name, mod)
			}
		}
	}
	m.o.Producer, m.o.Time = "shapecheck "+version.String(), a.track()
	return nil
}

// namedSizes reads the values of a flag. An error is anything but NAME=NUMBER with a number from 0.
func namedSizes(flag string, list []string) (map[string]int64, error) {
	out := map[string]int64{}
	for _, s := range list {
		name, value, ok := strings.Cut(s, "=")
		n, err := strconv.ParseInt(value, 10, 64)
		if !ok || err != nil || n < 0 || name == "" {
			return nil, fmt.Errorf("--%s %s: expected NAME=NUMBER", flag, s)
		}
		out[name] = n
	}
	return out, nil
}

// compile compiles the model that the arguments name. Without a program and an error the
// findings have been printed, and the exit code is set. A Python file with errors gives neither.
func (a *app) compile(m *modelFlags, args []string) (p *codegen.Program, err error) {
	if err := a.options(m); err != nil {
		return nil, err
	}
	if len(args) > 0 && isModel(args[0]) {
		p, err = codegen.CompileFile(a.context(), args[0], m.o)
	} else {
		var model *onnx.Model
		if model, err = a.exported(m, args); model == nil || err != nil {
			return nil, err
		}
		p, err = codegen.Compile(a.context(), model, m.o)
	}
	if err == nil && m.strip {
		p.ISA.Strip()
	}
	return p, err
}

// Names are those of --print-passes.
func passExists(name string) bool {
	for _, p := range pass.Passes() {
		if p.Name == name {
			return true
		}
	}
	return false
}

// exported makes the ONNX model of a Python file's entry. It is nil when the findings,
// which are printed, refuse it. Elements of weights are read before the file of weights is closed.
func (a *app) exported(m *modelFlags, args []string) (model *onnx.Model, err error) {
	if err := m.t.resolve(args, false); err != nil {
		return nil, err
	}
	target := &m.t.Target
	if target.Weights, err = m.load.open(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeWeights(target.Weights)) }()
	// The bound on time is for the whole command, not for this part of it.
	ctx := a.context()
	if m.t.limits.untimed != nil {
		ctx = m.t.limits.untimed
	}
	// The check sets a limit on memory for itself, which must not hold for the run of the model.
	heap := debug.SetMemoryLimit(-1)
	limits := m.t.limits.set() // which changes it
	defer debug.SetMemoryLimit(heap)
	session := &check.Session{Limits: limits, Time: a.track()}
	var x *export.Result
	err = a.completed(&m.t, session, need{one: true}, func() (err error) {
		x, err = export.Entry(ctx, session, target, export.Options{Version: version.String(), Opset: lower.MaxOpset, Train: m.train})
		return err
	})
	if err != nil {
		return nil, err
	}
	a.printFindings(x.Result)
	if x.Model == nil {
		a.code = check.ExitCode(x.Result.Result)
		return nil, nil
	}
	// the elements are read while the file of weights is open
	defer a.track().Begin(timing.Phase, timing.Weights).End()
	for _, t := range x.Model.Graph.Initializers {
		if t.Source == nil {
			continue
		}
		raw, err := onnx.ReadSource(t.Source)
		if err != nil {
			return nil, err
		}
		t.Raw, t.HasRaw, t.Source = raw, true, nil
	}
	if n := parametersWithout(x.Model, x.Result); n > 0 {
		a.say("note: %d parameters have no elements and are inputs; --weights FILE or --init=SEED gives them some", n)
	}
	return x.Model, nil
}

// parametersWithout counts the parameters that are inputs of the model. They have no elements to be
// constants.
func parametersWithout(m *onnx.Model, res *check.Result) int {
	names := map[string]bool{}
	for _, p := range res.State {
		names[p.Name] = true
	}
	n := 0
	for _, v := range m.Graph.Inputs {
		if names[v.Name] {
			n++
		}
	}
	return n
}

// printPasses lists the passes in their order. For --print-passes: name, class and what it does.
func (a *app) printPasses() {
	for _, p := range pass.Passes() {
		fmt.Fprintf(a.out, "%-10s %-9s %s\n", p.Name, p.Class, p.Doc)
	}
}

// printReport says what the passes did. One line for each pass with the rules that it applied.
func (a *app) printReport(r *pass.Report) {
	for _, l := range r.Lines {
		fmt.Fprintf(a.err, "%-10s %5d → %5d nodes  %8.3f ms", l.Pass, l.Before, l.Nodes, float64(l.Time.Nanoseconds())/1e6)
		for _, c := range l.Rules {
			fmt.Fprintf(a.err, "  %s %d", c.Rule, c.Count)
		}
		fmt.Fprintln(a.err)
	}
	if r.Memory != nil {
		a.printMemory(r.Memory)
	}
}

// printMemory says what the program needs at the sizing point, and as expressions. The numbers are
// bytes and operations, with their expressions if these are known.
func (a *app) printMemory(m *pass.Memory) {
	var at []string
	for _, name := range slices.Sorted(maps.Keys(m.Point)) {
		at = append(at, fmt.Sprintf("%s=%d", name, m.Point[name]))
	}
	where := "at all sizes"
	if len(at) > 0 {
		where = "at " + strings.Join(at, " ")
	}
	text := func(e *symshape.Expr) string {
		if e == nil {
			return "not known as an expression"
		}
		return e.String()
	}
	fmt.Fprintf(a.err, "%s:\n  values    %d bytes at most, in the naive order %d = %s", where, m.Peak, m.Naive, text(m.PeakExpr))
	if m.PeakAt != "" {
		fmt.Fprintf(a.err, "  # %s", m.PeakAt)
	}
	if m.Unknown > 0 {
		fmt.Fprintf(a.err, "  # without %d values of unknown size", m.Unknown)
	}
	fmt.Fprintf(a.err, "\n  constants %d bytes\n  work      %d operations = %s", m.Constants, m.Flops, text(m.FlopsExpr))
	if m.UnknownFlops > 0 {
		fmt.Fprintf(a.err, "  # without %d nodes of unknown work", m.UnknownFlops)
	}
	fmt.Fprintln(a.err)
}
