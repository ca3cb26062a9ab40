package infer

// This file is the way in: what a run is asked for, Run, and what it found.

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"shapecheck/infer/advice"
	"shapecheck/infer/fill"
	"shapecheck/infer/graph"
	"shapecheck/infer/lib"
	"shapecheck/infer/ops/torch"
	"shapecheck/infer/value"
	"shapecheck/internal/cputime"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
	"shapecheck/project/pyenv"
	"shapecheck/symshape"
	"shapecheck/trace/export"
	"shapecheck/trace/retrace"
)

// The values of Config.Device.
const (
	DeviceCUDA = "cuda"
	DeviceCPU  = "cpu"
)

// A Config says what to run. The zero values of the limits stand for defaults.
type Config struct {
	// File is the path of the entry's file; or Module its name under the roots.
	File   string
	Module string
	// Text is the file's text when it is not to be read from File.
	Text string
	// Base is the folder from which findings name files: that of the configuration.
	// What does not lie in it is named from the working directory.
	Base string
	// Roots are the directories in which modules are looked for, in order.
	Roots []string
	// Stubs are the directories of Python files that stand for modules; see stubs.go.
	Stubs []string
	// Environment says where installed packages are, which are looked at after Roots and
	// the project's own folders.
	Environment pyenv.Search
	// Entry is an expression in the file's scope; empty: see findEntry.
	Entry string
	// Args are the arguments as on the command line: "x:f32[B,3]", "h=None".
	Args []string
	// Positional passes Args in their order, whatever their names.
	Positional bool
	// Set are globals that are given a value: "ngf=64".
	Set []string
	// Attributes are set on the entry's object after its construction.
	Attributes []Attribute
	// Saved is a file of weights by its names: numbers, int64 or float64, which the persistent numbers of Chainer's links become, and
	// arrays as *Array, whose types its parameters get that wait for their first input.
	Saved map[string]any
	// Call is the method of the entry to call instead of calling it.
	Call string
	// Script runs the file as "python FILE ARGS…" would, with these as ARGS; nil:
	// the file is a module, of which an entry is run.
	Script []string
	// ArgumentsOpen leaves to the user what argparse would have from the command line: what ARGS does not give,
	// and has no default, is unknown instead of None or an error.
	ArgumentsOpen bool
	// Assume are conditions on the sizes that hold: "H % 32 == 0", "H=32..512".
	Assume []string
	// ArgsByName are further arguments, always passed by name.
	ArgsByName []string
	// NoGrad runs the entry without gradients, as the recorded traces do.
	NoGrad bool
	// LogOps keeps a log of the calls of library functions: Result.Ops.
	LogOps bool
	// NoteRan notes of each module what of it ran: Result.Ran.
	NoteRan bool
	// Retraces ends a script at an exception of a function that a framework traces, as Python
	// does: the calls of such functions are what is asked for.
	Retraces bool
	// Numbers computes values that nodes made: the elements of each for each of several samples of the random numbers that
	// they draw, nil where that cannot be done. Traces compare results by them. It may be nil.
	Numbers func(nodes []*graph.Node, pool *symshape.Pool, values ...*graph.Value) [][][]float64 `json:"-"` // the cache has no traces
	// Trace calls the entry several times and records how it decides; nil: it is called once,
	// with Args.
	Trace *TraceSpec
	// Eval calls eval() on the entry first.
	Eval bool
	// Exporting says that a model is made of the entry: torch.compiler.is_exporting() holds while it runs.
	Exporting bool
	// KeptState looks for state that a model of the entry keeps as the first call has it.
	KeptState bool
	// TorchVersion is what torch.__version__ says; empty: that of the environment, else
	// the newest known.
	TorchVersion string
	// NumpyVersion is what numpy.__version__ says; empty: that of the environment, else
	// see versions.go.
	NumpyVersion string
	// PythonVersion is the Python that runs the program, such as 3.12: what sys.version_info
	// says; what it cannot parse is noted. Empty: sys.version_info says 3.11, and all syntax
	// is taken.
	PythonVersion string
	// Device is what the machine has: DeviceCUDA (or empty), one GPU of NVIDIA's, or
	// DeviceCPU, none.
	Device string

	// Unroll says what becomes of loops over known ranges: UnrollAuto (or empty) and
	// UnrollAlways run each iteration, UnrollNever keeps a loop of the typed graph
	// where all iterations are alike.
	Unroll string

	// Explore notes the conditions on the configuration: Result.Switches. Flip is one of
	// them that this run decides the other way.
	Explore bool
	Flip    *Switch

	// InsertComments proposes shape comments for the statements that have none.
	InsertComments bool

	// Cache keeps parsed files between runs; nil: this run keeps its own.
	Cache *Cache `json:"-"`
	// Modules keeps what the entry's file imports between runs; nil: nothing is kept.
	Modules *Modules `json:"-"`
	// Ahead has imported files parsed on another processor. For the only run of a
	// process: several runs keep all processors busy.
	Ahead bool
	// FS is where files come from; nil: the disk. Only reads.FS is asked for files.
	FS reads.FS `json:"-"`
	// gate is what of FS the run may read; see Gate.
	gate *reads.Gate

	// The limits of the run; where one is reached it ends with what was found until
	// then and SC904. 0 stands for a default, of time and memory for no limit.
	MaxSteps int
	// EntrySteps is a limit on the steps of the entry alone, after its file is loaded; 0: none.
	EntrySteps    int
	MaxDepth      int
	MaxIterations int
	// Timeout is a limit on the clock's time and on the processors' time alike.
	Timeout time.Duration
	// MaxMemory is a limit in bytes on what the process holds for one run, ProcessMemory for several that share it;
	// 0: there are no others.
	MaxMemory, ProcessMemory int64
	// Fill chooses the arguments that nobody has written, those of a class that is the entry,
	// too; nil: a parameter without an argument is a usage error.
	Fill fill.Filler `json:"-"`
	// Open says what of the arguments of the entry's expression, which somebody has guessed, is left open: what is an error
	// then does not rest on the guess.
	Open OpenArguments
	// Pin is a symbol that somebody has guessed to be free: the run ends as soon as it must be one number, so that it can be
	// made anew with that (Result.Pinned). Empty: there is none.
	Pin string
	// AfterFault is how many steps the run goes on after its first error (Result.Curtailed); 0: to its end.
	AfterFault int
	// SizesOpen takes the numbers in the types of tensors among Args for symbols that have them as example sizes: sizes that are
	// equal by chance are told apart then.
	SizesOpen bool
	// Trial says that this run tries a suggestion: it makes no Proposals of its own.
	Trial bool

	// Cancel ends the run when it is closed: Run then returns ErrCancelled.
	Cancel <-chan struct{} `json:"-"`
	// Stage is told where the run is; nil: nobody wants to know.
	Stage *Stage `json:"-"`
	// Time measures the run; nil: nothing does.
	Time *timing.Track `json:"-"`
}

func (c *Config) maxSteps() int      { return orDefault(c.MaxSteps, DefaultMaxSteps) }
func (c *Config) maxDepth() int      { return orDefault(c.MaxDepth, 600) }
func (c *Config) maxIterations() int { return orDefault(c.MaxIterations, 100_000) }

func orDefault(n, def int) int {
	if n > 0 {
		return n
	}
	return def
}

// A Result is what a run found.
type Result struct {
	Files *source.FileSet
	Pool  *symshape.Pool
	// symbols are those of Pool, where other runs have it, too; nil: it is that of this run alone.
	symbols *symshape.Mark
	// File is the entry's file.
	File *source.File
	// Entry is the expression that was run, Unknowns the symbols that stand for each ? in it.
	Entry    string
	Unknowns []string
	// Checked says that the run came upon something to check; WhyNot says why it did not.
	Checked bool
	WhyNot  string
	// Model is the entry's module instance, or nil for a function.
	Model *value.Instance
	// AttributeSizes are the numbers for which names in annotations of attributes stand.
	AttributeSizes map[string][]int64
	// Output is what the entry returned; nil when it raised.
	Output value.Value
	Lines  []*Line
	Calls  []*ModuleCall
	// Ops are the calls of library functions when Config.LogOps asks for them.
	Ops []*OpCall
	// Traced is what Config.Trace asks for, or Shared where that has a tracer.
	Traced *Traced
	Shared *export.Sharing
	// Retraces are the calls of functions that a framework traces, Maybe those of which it is
	// not known whether they run.
	Retraces    []*retrace.Call
	Maybe       []*retrace.MaybeCall
	Diagnostics []*diag.Diagnostic
	// Foreign are the files of installed packages that findings name.
	Foreign map[*source.File]bool
	// Contract are the conditions as they were met; package contract reduces them.
	Contract []Condition
	// Assumed are the conditions of Config.Assume and the ranges in Config.Args.
	Assumed []*symshape.Cond
	// Inputs are the arguments as they were given.
	Inputs []value.Kw
	// Unknown are the causes of values that were lost, in order.
	Unknown []*value.Cause
	// Weights are how many targets each cause made unknown, the heaviest first: that of the
	// result, where it is unknown, goes before all.
	Weights []Weight
	// Stopped says where a script ended before its last statement; empty where it did not.
	Stopped string
	// Untaken are the branches of the project's own code that no call took.
	Untaken []Branch
	// Switches are the conditions on the configuration that were met, with Config.Explore.
	Switches []Switch
	// OutputLost are the causes of parts of Output of which no more than the type is known,
	// as far as they are not in Unknown.
	OutputLost []*value.Cause
	// Typed and Open count the tensor-valued targets that are fully known and those that are not.
	Typed, Open int
	Graph       *graph.Graph
	// Reached are the lines of user code that ran.
	Reached map[*source.File]map[int]bool
	// Ran are the modules of which a statement ran, by their names, when Config.NoteRan asks for them.
	Ran []RanModule
	// Parameters and Buffers are those of Model, in PyTorch's order.
	Parameters, Buffers []NamedTensor
	// State are the entries of Model's state_dict: without buffers that are not
	// persistent, and a tensor that has two names under both.
	State []NamedTensor
	// Numbers are the names of the persistent values of Chainer's links that are no arrays.
	Numbers []string
	// before are the values of its tensors when the entry was called; see AtCall.
	before map[*value.Tensor]*graph.Value
	Facts  symshape.Facts
	// Unrolled are the loops that UnrollNever did not keep.
	Unrolled []source.Span
	// Exceeded says that the run ended at one of its limits; Crowded that the memory
	// was shared with other runs of the process, so that alone it might get further.
	Exceeded, Crowded bool
	// Pinned is the number that Config.Pin must be; nil: the run did not come upon one.
	Pinned *int64
	// Curtailed says that Config.AfterFault ended the run.
	Curtailed bool
	// Partial lists modules whose top-level code did not run to its end.
	Partial []*value.Cause
	// Proposals are changes that may resolve faults, to be tried by further runs.
	Proposals []advice.Proposal
	// Steps is how much of Config.MaxSteps was spent, LoadSteps the part of it before the entry.
	Steps, LoadSteps int
	// Spent is how much of Config.Timeout was spent.
	Spent time.Duration
	// Installed is the environment that was looked at; nil: there was none, or no need.
	Installed *Installed
}

// A Weight is a cause of unknown values and how many it has made.
type Weight struct {
	Cause *value.Cause
	Count int
}

// A NamedTensor is a parameter or buffer under its state_dict name.
type NamedTensor struct {
	Name   string
	Tensor *value.Tensor
}

// A UsageError is a fault in what was asked for: no such file, a bad argument.
type UsageError struct {
	Msg string
	// Fact is what the finding comes down to that Msg tells, if there is one.
	Fact diag.Fact
	// Lacks says that arguments are not given which the entry needs.
	Lacks bool
	// noModule says that the module to run was not found.
	noModule bool
}

func (e *UsageError) Error() string { return e.Msg }

func usagef(format string, args ...any) error { return &UsageError{Msg: fmt.Sprintf(format, args...)} }

// ErrCancelled is what Run returns when Config.Cancel was closed.
var ErrCancelled = errors.New("the run was cancelled")

// Run runs an entry. An error is a *UsageError, ErrCancelled, or a bug: what is
// wrong with the program is in the result's diagnostics.
func Run(cfg Config) (*Result, error) {
	again := cfg
	in := begin(&cfg)
	res, err := in.guarded(func() (*Result, error) {
		m, err := in.entry.loadMain()
		if err != nil {
			return nil, err
		}
		return in.entry.runLoaded(m)
	})
	cfg.Modules.give(in.keeping)
	if err == errUnfit {
		again.Modules = nil
		return Run(again)
	}
	if other, ok := in.imports.inOrder(); ok && err == nil && countErrors(res) > 0 { // else the other order is no better
		r, err := Run(other)
		return better(res, r, err)
	}
	return res, err
}

// better is the result of a run, or that of the run of Config inOrder, which says more.
func better(res, ordered *Result, err error) (*Result, error) {
	var usage *UsageError
	switch {
	case errors.As(err, &usage) && !usage.noModule && countErrors(res) > 0:
		return nil, err // what to run has to be said, which the errors hid
	case err == nil && countErrors(ordered) < countErrors(res):
		return ordered, nil
	}
	return res, nil
}

func countErrors(r *Result) int {
	n := 0
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// guarded runs a part of a run. A panic is a finding, but for that of a run that was cancelled.
func (in *Interp) guarded(f func() (*Result, error)) (res *Result, err error) {
	if in.cfg.Time != nil {
		in.cfg.Time.From(in.spent.steps, in.build.Made())
		defer in.tellCounts()
	}
	in.cfg.Cache.runs.Add(1)
	defer in.cfg.Cache.runs.Add(-1)
	defer in.spent.alarm.begin()()
	defer func() {
		if err == nil && in.imports.badStub != nil {
			res, err = nil, in.imports.badStub
		}
	}()
	defer in.flow.stopGenerators()
	defer func() {
		switch r := recover(); r {
		case nil:
		case symshape.Cancelled:
			res, err = nil, ErrCancelled
		default:
			res = in.entry.result()
			in.keeping, in.imports.library = nil, nil
			res.Diagnostics = append(res.Diagnostics, diag.New(diag.InternalError, in.Here(), fmt.Sprintf("internal error: %v", r),
				string(debug.Stack())))
			err = nil
		}
	}()
	return f()
}

// runLoaded runs the entry of a module that is loaded.
func (en *entry) runLoaded(m *value.Module) (*Result, error) {
	cfg := en.cfg
	if err := en.in.args.checkOverrides(); err != nil {
		return nil, err
	}
	if cfg.Script != nil || en.unreadable || en.in.spent.over != nil {
		return en.finish(), nil
	}
	before := en.in.spent.totalSteps()
	if en.in.object.isMade() {
		before = en.in.object.before
	} else {
		en.in.spent.load = en.in.spent.steps
		en.in.object.noteSteps(before)
	}
	if n := cfg.EntrySteps; n > 0 {
		cfg.MaxSteps = min(cfg.maxSteps(), before+n)
	}
	cfg.Time.CountRun()
	run := en.runEntry
	if cfg.Trace != nil {
		run = en.in.tracedRuns.runTraced
		if cfg.Trace.For != "" {
			run = en.in.tracedRuns.runShared
		}
	}
	if err := run(m); err == errMadeOtherwise {
		return nil, err
	} else if err != nil {
		var usage *UsageError
		if errors.As(err, &usage) && en.in.spent.over == nil {
			if en.sink.Len() > 0 && hasErrors(en.sink.All()) { // the fault that led to it says more
				return en.result(), nil
			}
			return nil, err
		}
		if e := (*value.Exception)(nil); errors.As(err, &e) {
			en.wants = en.in.exceptions.wanted(e)
		}
		en.in.uncaught(err)
	}
	return en.finish(), nil
}

// finish looks at what the run has found. What takes a while is left out of a run
// that ended at a limit.
func (en *entry) finish() *Result {
	if en.in.spent.over == nil {
		span := en.in.beginPhase(timing.Linting)
		en.lint()
		en.in.endSpan(span)
		en.in.grads.untrained()
	}
	if b, ok := en.in.spent.over.(errBudget); ok {
		en.in.quiet = 0
		en.in.Report(diag.New(diag.BudgetExceeded, b.at, b.msg))
	}
	return en.result()
}

func hasErrors(list []*diag.Diagnostic) bool {
	for _, d := range list {
		if d.Severity == diag.Error {
			return true
		}
	}
	return false
}

// newInterp makes the interpreter of one run. Its parts hold no Interp: each gets the few things that it asks of it.
func newInterp(cfg *Config) *Interp {
	if cfg.Cache == nil {
		cfg.Cache = NewCache()
	}
	in := &Interp{
		base: base{
			cfg: cfg, fs: cfg.Gate(), files: cfg.Cache.files, pool: symshape.NewPool(), sink: &diag.Sink{}, build: graph.NewBuilder(),
			modules: map[string]*value.Module{},
		},
		rec:      newRecorder(),
		settings: settings{options: map[string]string{}, examples: map[string]int64{}, openSizes: map[int64]symshape.Dim{}},
		texts:    texts{codes: map[any]*code{}, opFuncs: map[string]*value.Builtin{}},
	}
	in.rec.base = &in.base
	in.stack = stack{base: &in.base, host: in}
	in.spent = budget{base: &in.base, host: in, stack: &in.stack, rec: &in.rec, alarm: new(alarm), start: clock(), cpuStart: cputime.Used()}
	in.doubtful.spending = &in.spent
	in.losses = losses{base: &in.base, host: in, stack: &in.stack, rec: &in.rec, versions: &in.versions}
	in.finder = finder{base: &in.base}
	in.annotations = annotations{base: &in.base, host: in, rec: &in.rec, finder: &in.finder}
	in.grads = gradients{base: &in.base, host: in, stack: &in.stack, region: &in.region, rec: &in.rec, settings: &in.settings}
	in.variables = variables{base: &in.base, host: in, region: &in.region, rec: &in.rec, losses: &in.losses, settings: &in.settings}
	in.args = arguments{
		base: &in.base, host: in, region: &in.region, rec: &in.rec, settings: &in.settings, losses: &in.losses, finder: &in.finder,
		imports: &in.imports, annotations: &in.annotations, variables: &in.variables, spent: &in.spent, entryRun: &in.entryRun,
	}
	in.args.fill = fill.Maker{Host: fillHost{in, &in.args}, Files: in.files}
	in.imports = imports{
		base: &in.base, host: in, stack: &in.stack, rec: &in.rec, losses: &in.losses, finder: &in.finder, versions: &in.versions,
		missing: map[string]*value.Unknown{}, asked: map[string]bool{},
	}
	in.native = natives{&in.base, &in.settings, in}
	in.builtin = builtins{&in.base, &in.texts, in}
	in.entry = entry{&in.base, &in.entryRun, in}
	in.tracedRuns = tracedRuns{&in.base, &in.entryRun, in}
	in.flow = controlFlow{&in.base, &in.control, in}
	in.rankTrials = rankTrials{&in.base, &in.control, in}
	in.exceptions = exceptions{&in.base, &in.control, in}
	in.patterns = patterns{&in.base, in}
	in.packageCalls = packageCalls{in: in}
	in.opaqueCalls = opaqueCalls{base: &in.base, control: &in.control, in: in}
	in.deciding = deciding{&in.base, &in.entryRun, in}
	in.tracing = tracing{&in.retraces, in}
	in.versions = versions{base: &in.base, settings: &in.settings, finder: &in.finder, stack: &in.stack}
	in.pool.Cancel = cfg.Cancel
	in.rec.surface = in.losses.surface
	in.heap.Charge = func(n int) { in.Alloc(n) } // what is over shows at the next step
	in.options["default-dtype"] = "f32"
	if cfg.TorchVersion != "" {
		in.options["torch-version"] = cfg.TorchVersion
		in.versions.newer = torch.Newer(cfg.TorchVersion)
	}
	in.options["numpy-version"] = cfg.NumpyVersion
	in.options["python-version"] = cfg.PythonVersion
	in.options["device"] = DeviceCUDA
	if cfg.Device != "" {
		in.options["device"] = cfg.Device
	}
	in.world = lib.NewWorld(&in.heap)
	in.heap.Work = in.spent.work // of the run, which the builtins are no part of
	in.builtin.hookBuiltins()
	cfg.Time.From(0, 0)
	return in
}

// loadMain loads the module that holds the entry.
func (en *entry) loadMain() (*value.Module, error) {
	u := en.in.ready // of which the imports have run
	if en.in.ready = nil; u == nil {
		m, read, err := en.findMain()
		if err != nil || read == nil {
			return m, err
		}
		u = read
	}
	m := en.main
	if en.unreadable = len(u.diags) > 0; en.unreadable {
		return m, nil
	}
	if err := en.in.runModule(m, u); err != nil {
		if en.cfg.Script != nil {
			return m, en.endScript(err)
		}
		en.in.uncaught(err)
	}
	return m, nil
}

// findMain finds the module that holds the entry and reads its file; the unit is nil where the module has run.
func (en *entry) findMain() (*value.Module, *unit, error) {
	if err := en.in.args.parseOverrides(); err != nil {
		return nil, nil, err
	}
	if en.cfg.Module != "" {
		v, err := en.in.Import(en.cfg.Module)
		if err != nil {
			en.in.uncaught(err)
		}
		m := en.modules[en.cfg.Module]
		if m == nil || value.IsUnknown(v) {
			return nil, nil, &UsageError{Msg: fmt.Sprintf("module %s was not found under %s", en.cfg.Module, strings.Join(en.cfg.Roots, ", ")),
				noModule: true}
		}
		return m, nil, nil
	}
	path := en.cfg.File
	added := en.cfg.Roots == nil || !contains(en.cfg.Roots, filepath.Dir(path))
	if added {
		en.cfg.Roots = append([]string{filepath.Dir(path)}, en.cfg.Roots...)
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if en.cfg.Script != nil {
		name = en.startScript(path)
	}
	file, err := en.readMain(path)
	if err != nil {
		return nil, nil, err
	}
	looks := &reads.Log{FS: en.fs.Ungated()}
	if en.in.keeping != nil {
		en.fs = en.fs.Over(looks)
	}
	en.mainFile = file // it is the project's, wherever it lies
	u, err := en.in.imports.parse(file)
	if err != nil {
		return nil, nil, usagef("%v", err)
	}
	m := &value.Module{Name: name, File: u.file, Attrs: en.heap.NewAttrs()}
	en.modules[name] = m
	if en.cfg.Script == nil {
		en.in.imports.locate(m, path, u.tree)
		if added && en.in.finder.insidePackage(path, nil) && en.in.imports.importsPackage(u.tree) {
			en.in.finder.packaged = filepath.Dir(path)
		}
	}
	en.main, en.mainFile, en.mainBody = m, u.file, u.tree.Body
	en.in.imports.setModuleNames(m, path)
	if file.Notebook != nil {
		en.setNotebookNames(m)
	}
	if en.in.keeping != nil {
		err := en.in.keepModules(m, u, looks)
		en.fs = en.fs.Over(looks.FS)
		if err != nil {
			return nil, nil, err
		}
	}
	return m, u, nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// result collects what the run has found. It comes last, when all loops and branches have ended: exporting the
// graph gives values that are used outside of their region a way out, and comments that no branch has confirmed
// are settled.
func (en *entry) result() *Result {
	en.build.Export()
	en.in.imports.settleAside()
	lost := en.outputLost()
	alike := advice.NewAlike(en.in)
	for _, d := range en.sink.All() {
		d.Born = alike.Born(d.Born)
	}
	en.in.tracing.jitVerdicts()
	r := &Result{
		Files: en.files, Pool: en.pool, Entry: en.entryName, Unknowns: en.unknowns, Model: en.in.rec.root, Output: en.output, Lines: en.in.rec.shown(), Calls: en.in.rec.calls,
		Ops: en.in.rec.ops, Traced: en.traced, Shared: en.shared, Retraces: en.retraces.Calls, Maybe: en.retraces.Maybe,
		Diagnostics: diag.Group(append(en.in.annotations.settledComments(en.sink.All()), en.in.annotations.missingComments()...)),
		Contract:    en.in.rec.conds, AttributeSizes: en.in.annotations.attributeSizes, Unknown: en.in.rec.causes, OutputLost: lost,
		Typed: en.in.rec.typed, Open: en.in.rec.open,
		Exceeded: en.in.spent.over != nil, Crowded: en.in.spent.crowded, Graph: en.build.Graph(), Reached: en.in.rec.reachedLines,
		Facts: en.in.path.facts, Assumed: en.in.assumed, Inputs: en.inputs, Unrolled: en.in.unrolled,
		Proposals: en.in.proposals(), Steps: en.in.spent.steps, LoadSteps: en.in.spent.load, Spent: en.in.spent.worked(clock()),
		Installed: en.in.installedPackages(),
	}
	switch over := en.in.spent.over.(type) {
	case errPinned:
		r.Pinned = &over.number
	case errCurtailed:
		r.Exceeded, r.Curtailed = false, true
	}
	r.Foreign, r.Ran = en.in.finder.foreign(r.Diagnostics), en.in.ranModules()
	r.Weights, r.Stopped, r.Untaken, r.Switches = en.weights(), en.stopped(), en.untaken(), en.in.rec.switches
	r.WhyNot = en.unchecked()
	r.Checked = r.WhyNot == ""
	if en.main != nil {
		r.File = en.main.File
	}
	for _, p := range en.in.rec.partials {
		r.Partial = append(r.Partial, p.cause)
	}
	if r.Model != nil {
		r.Parameters = namedTensors(r.Model, "_parameters")
		r.Buffers = namedTensors(r.Model, "_buffers")
		r.State, r.before = stateDict(r.Model), en.state
		for path := range persistentNumbers(r.Model) {
			r.Numbers = append(r.Numbers, path)
		}
	}
	return r
}

// namedTensors lists the tensors of a module tree as named_parameters does:
// in order, each once.
func namedTensors(root *value.Instance, table string) []NamedTensor {
	var out []NamedTensor
	seenT := map[*value.Tensor]bool{}
	var w value.Visit
	var walk func(m *value.Instance, prefix string)
	walk = func(m *value.Instance, prefix string) {
		if !w.Enter(m) {
			return
		}
		defer w.Leave()
		if v, _ := m.Attrs.Get(table); v != nil {
			if d, ok := v.(*value.Dict); ok {
				for i := range d.Len() {
					t, ok := d.At(i).(*value.Tensor)
					if !ok || seenT[t] {
						continue
					}
					seenT[t] = true
					k, _ := value.AsStr(d.Key(i))
					out = append(out, NamedTensor{prefix + k, t})
				}
			}
		}
		if v, _ := m.Attrs.Get("_modules"); v != nil {
			if d, ok := v.(*value.Dict); ok {
				for i := range d.Len() {
					if c, ok := d.At(i).(*value.Instance); ok {
						k, _ := value.AsStr(d.Key(i))
						walk(c, prefix+k+".")
					}
				}
			}
		}
	}
	walk(root, "")
	return out
}
