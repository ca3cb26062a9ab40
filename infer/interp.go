package infer

// This file defines Interp, the state of one run, and the small parts of
// value.Thread that need no file of their own.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/lib"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
	"shapecheck/trace/dynamo"
	"shapecheck/trace/export"
)

// An Interp interprets one entry abstractly. It implements value.Thread and is
// not safe for concurrent use. Its fields are grouped by what they are about.
type Interp struct {
	base
	settings
	stack    stack    // of frames
	spent    budget   // of the limits
	losses   losses   // of types and values
	finder   finder   // of modules and their files
	versions versions // of libraries
	imports  imports
	texts
	control
	entryRun
	annotations  annotations
	grads        gradients
	variables    variables // of Chainer
	flow         controlFlow
	rankTrials   rankTrials
	exceptions   exceptions // that the program catches
	patterns     patterns   // of match statements
	opaqueCalls  opaqueCalls
	packageCalls packageCalls
	deciding     deciding
	args         arguments // of the entry
	entry        entry
	tracedRuns   tracedRuns // of the entry
	native       natives    // of the prelude
	builtin      builtins
	tracing      tracing // of functions by the script

	rec    recorder
	advice advisor // the search for suggestions

	// keeping is what the run keeps of its imports; nil: nothing. ready is the entry's file where they are
	// those of an earlier run; see kept.go.
	keeping *keptModules
	ready   *unit
	// object is that of the entry, where runs of a Loaded share it; nil: each makes its own; see entryobject.go.
	object *entryObject
	// quickLoops are the loops that have run for some turns, with their form; nil: none.
	quickLoops map[ast.Stmt]*quickLoop
	// suite is the test suite whose cases run; nil: none does; see suite.go.
	suite *Suite
	// batchesMade are the tensors of each batch that a loader put together.
	batchesMade [][]*graph.Value
}

// base is what every part of a run works with. A part points to that of its Interp, as a run may exchange the
// builder, the sink, the pool and the gate.
type base struct {
	cfg   *Config
	fs    *reads.Gate
	files *source.FileSet
	pool  *symshape.Pool
	heap  value.Heap
	world *lib.World
	sink  *diag.Sink
	build *graph.Builder
	// main is the module of the entry, of this file and these statements; modules are those that are imported or being
	// imported.
	main     *value.Module
	mainFile *source.File
	mainBody []ast.Stmt
	modules  map[string]*value.Module
}

// settings are what the caller and the program say of the run as a whole.
type settings struct {
	options   map[string]string      // see Option
	overrides map[string]value.Value // --set
	// overridden are those of which an assignment was met.
	overridden map[string]bool
	ranges     []string         // H=32..512, from arguments
	assumed    []*symshape.Cond // what the user vouches for
	examples   map[string]int64 // example values of symbols
	// openSizes are the first sizes of arguments that Config.SizesOpen made symbols of, by their numbers.
	openSizes map[int64]symshape.Dim
	// compiled are the modules and functions that torch.jit compiled; nil: it compiled nothing.
	compiled map[value.Value]bool
	// globalHooks are the hooks of all modules: those before and after forward, and those of backward passes.
	globalHooks [4]*value.Dict
	// modes are the modes that the program is in: see modes.go.
	modes *value.Dict
}

// texts are what was made of the texts of the run.
type texts struct {
	// contents are texts that are what a file holds, by the file's path; see exec.go.
	contents map[*value.Abstract]string
	// fileKeys are what stands for the names of files that are not known, by the keys of these; see loadfile.go.
	fileKeys map[any]value.Value
	// evals are the texts that eval was given.
	evals   map[string]*unit
	codes   map[any]*code // compiled functions by their syntax node
	opFuncs map[string]*value.Builtin
}

// A region is under which conditions and in which loops the run is.
type region struct {
	path      path
	loops     []int // those of unknown length; see oplog.go
	loopCount int
}

// control is where the run is: in which frames, on which paths, in which loops.
type control struct {
	region
	handlers []handler
	pendings []*pending
	border   int // how many completions were pending when the generator that runs was entered
	unclosed int // while positive, folding leaves the If nodes of pendings open
	// firstTurn collects the faults of the first iteration of the innermost open loop; nil: none runs.
	firstTurn *firstTurn
	// choosing is set while an operation is performed on the values of a choice:
	// then integers that differ stay apart, so that what x.dim() says goes with x.
	choosing   bool
	trial      int                                       // nesting of alternatives that may fail silently
	guesses    map[*symshape.Expr]bool                   // the truth values of what is not known
	absent     map[*value.Module]map[string]*value.Cause // names that are not there for want of a package
	doubtful   doubtful                                  // the branches under conditions on them
	quiet      int                                       // while positive, faults are not reported
	unrolled   []source.Span                             // loops that are not kept as loops; see loop.go
	compared   compared                                  // what was compared last
	printed    *[]value.Value                            // what f-strings of the library's code print; nil: nobody asks
	generators []*generator
	callbacks  []*callback                  // functions that something unknown may call
	given      map[value.Value]*value.Cause // containers that it may put more into
	// there are the conditions under which optional values of conditions are tensors.
	there   map[*graph.Value]*symshape.Cond
	probe   *probe  // of the operation that is attempted; see attempt.go
	fails   bool    // the operation runs where what it requires does not hold
	refused refusal // what the last operation needed and did not get
	// supposing says that an operation is tried with one of several numbers of dimensions; see anyrank.go.
	supposing bool
	// ranks are the numbers of dimensions of values of unknown rank.
	ranks map[*graph.Value]*symshape.Expr
}

// entryRun is what concerns the entry: how far it is, what it got and gave.
type entryRun struct {
	// savedFiles are the files that the program writes; "": one whose name is not known.
	savedFiles map[string]bool
	// unreadable says that the entry's file has a syntax error: nothing of it is run.
	unreadable bool
	entryName  string
	unknowns   []string           // the symbols that stand for each ? of the entry's expression
	tracers    tracers            // that hear the run
	decisions  *decisions         // those that are recorded; nil: none are
	originals  map[source.Pos]int // the lines of libraries that lines of built-in code stand for
	dynamo     *dynamo.Run        // the call of a compiled function that runs; nil: none
	traced     *Traced
	shared     *export.Sharing
	retraces   retraces
	called     bool        // it has its arguments and is being called, or the script runs
	exit       source.Span // where a script ended itself
	inputs     []value.Kw  // the arguments as given
	left       leftOut     // the parameters that are None without them
	wants      string      // the package that is not installed for want of which the entry ended
	output     value.Value
	// state are the values of the state_dict when the entry is called.
	state map[*value.Tensor]*graph.Value
}

var (
	_ value.Thread         = (*Interp)(nil)
	_ value.RefusalWatcher = (*Interp)(nil)
	_ value.FaultTrier     = (*Interp)(nil)
	_ value.SourceReader   = (*Interp)(nil)
	_ value.Annotator      = (*Interp)(nil)
	_ value.ForeignTeller  = (*Interp)(nil)
	_ value.Installed      = (*Interp)(nil)
	_ value.PlainGetter    = (*Interp)(nil)
	_ value.PrintWatcher   = (*Interp)(nil)
	_ value.GradientTeller = (*Interp)(nil)
	_ value.ModuleTeller   = (*Interp)(nil)
	_ value.Definer        = (*code)(nil)
)

func (in *Interp) Heap() *value.Heap     { return &in.heap }
func (in *Interp) Pool() *symshape.Pool  { return in.pool }
func (in *Interp) Graph() *graph.Builder { return in.build }
func (in *Interp) Report(d *diag.Diagnostic) {
	if in.doubtful.any() {
		doubt(d)
	}
	in.doubtInstalled(d)
	if d.Severity == diag.Error && !d.Aside && len(in.path.conds) == 0 {
		in.spent.failed()
	}
	if w := in.firstTurn; w != nil && d.Severity == diag.Error && !d.Aside && len(in.path.conds) == w.conds {
		w.faults = append(w.faults, d)
	}
	in.suite.noteFinding(d)
	in.sink.Report(d)
}

// Class returns a builtin or loaded library class. A library class is named in
// full and its module is loaded when need be.
func (in *Interp) Class(name string) *value.Class {
	if c := in.world.Class(name); c != nil {
		return c
	}
	if c := in.imports.libraryClass(name); c != nil {
		return c
	}
	return nil
}

// libraryClass finds a class of the prelude by its full name, importing its module.
func (im *imports) libraryClass(name string) *value.Class {
	for i := len(name) - 1; i > 0; i-- {
		if name[i] != '.' {
			continue
		}
		m, err := im.importModule(name[:i])
		if err != nil {
			return nil
		}
		if mod, ok := m.(*value.Module); ok {
			if v, ok, _ := im.moduleAttr(mod, name[i+1:]); ok {
				if c, ok := v.(*value.Class); ok {
					im.world.Register(name, c)
					return c
				}
			}
		}
		return nil
	}
	return nil
}

func (in *Interp) TypeOf(v value.Value) *value.Class { return in.world.TypeOf(v) }

// Option returns a setting of the run.
func (in *Interp) Option(name string) string {
	if name == ops.OptionDefaultDevice {
		return in.native.deviceMode()
	}
	return in.versions.Option(name)
}

// SetOption changes a setting that the program can change (the default dtype).
func (in *Interp) SetOption(name, val string) { in.options[name] = val }

// currentSpan is the innermost expression of user code that is being evaluated.
func (s *stack) currentSpan() source.Span {
	for f := s.frame; f != nil; f = f.caller {
		if !f.prelude && f.at.IsValid() {
			return f.at
		}
	}
	return source.Span{}
}

// Here is part of value.Thread.
func (in *Interp) Here() source.Span { return in.stack.currentSpan() }

// userFrames returns the call sites in user code from the innermost outwards,
// without the innermost itself.
func (in *Interp) userFrames() []source.Span {
	var out []source.Span
	for f := in.stack.frame; f != nil; f = f.caller {
		if !f.prelude && f.at.IsValid() {
			out = append(out, f.at)
		}
	}
	in.spent.extra += len(out)
	if len(out) > 0 {
		out = out[1:]
	}
	return out
}

// lose makes an unknown value with a cause at Here.
func (l *losses) lose(reason string) *value.Unknown {
	c := &value.Cause{At: l.stack.currentSpan(), Reason: reason}
	if l.stack.inEntry {
		l.surface(c)
	}
	return l.unknown(c)
}

// Unknown is part of value.Thread.
func (in *Interp) Unknown(reason string) *value.Unknown { return in.losses.lose(reason) }

func (l *losses) unknown(c *value.Cause) *value.Unknown {
	l.placeless = l.placeless || !c.At.IsValid()
	return &value.Unknown{Cause: c}
}

// explain keeps the info that tells of a loss until the loss matters: what a
// module's top-level code could not know is of no interest unless the entry
// comes upon it.
func (l *losses) explain(c *value.Cause, d *diag.Diagnostic) {
	if l.explained == nil {
		l.explained = map[*value.Cause]*diag.Diagnostic{}
	}
	l.explained[c] = d
}

// surface notes that the entry came upon a loss.
func (l *losses) surface(c *value.Cause) {
	l.rec.lost(c)
	if d := l.explained[c]; d != nil {
		delete(l.explained, c)
		l.host.Report(d)
	}
}

// Raise makes a Python exception of a builtin class. Uncaught, it is reported
// as a fault of the operation that raised it.
func (in *Interp) Raise(class, format string, args ...any) error {
	d := diag.Newf(raiseCode(class), in.Here(), format, args...)
	d.About, d.Args = d.Facts(), nil // which hold values
	err := in.Fail(class, d)
	if d.Msg == "" { // the exception has no text
		d.Msg = "raises " + class
	}
	return err
}

// Fail makes the exception for a fault in a library call.
func (in *Interp) Fail(class string, d *diag.Diagnostic) error {
	in.flow.explainSizes(d)
	c := in.Class(class)
	if c == nil {
		c = in.world.Class("RuntimeError")
	}
	name := c.Name
	if in.world.Class(name) != c { // of a library
		name = "Exception"
	}
	inst := in.world.Exception(name, d.Msg)
	inst.Class = c
	in.exceptions.setContext(inst)
	return &value.Exception{Value: inst, Diag: d, At: d.At, Frames: in.userFrames()}
}

// raiseCode gives the diagnostic code for a builtin exception class.
func raiseCode(class string) diag.Code {
	switch class {
	case "TypeError":
		return diag.TypeMismatch
	case "AttributeError":
		return diag.UnknownAttribute
	case "NameError", "UnboundLocalError":
		return diag.UnknownName
	case "KeyError", "IndexError":
		return diag.BadIndex
	case "ImportError", "ModuleNotFoundError":
		return diag.ImportFailed
	case "TracerBoolConversionError", "TracerIntegerConversionError", "TracerArrayConversionError", "ConcretizationTypeError",
		"NonConcreteBooleanIndexError",
		"OperatorNotAllowedInGraphError":
		return diag.TraceFails
	case "UnexpectedTracerError":
		return diag.LeavesTrace
	}
	return diag.BadValue
}

// Instance makes an instance of c, running __init__. An error is what Call returns for the class.
func (in *Interp) Instance(c *value.Class, args ...value.Value) (value.Value, error) {
	return in.Call(c, args, nil)
}

// ModulePath is the qualified name of the module whose forward runs.
func (in *Interp) ModulePath() string { return in.rec.modulePath() }

// Line is the line where a span begins, from 1.
func (in *Interp) Line(s source.Span) int { return in.files.Position(s.Start).Line }

// SpanText returns the source text of a span.
func (in *Interp) SpanText(s source.Span) string {
	f := in.files.File(s.Start)
	if f == nil {
		return ""
	}
	return f.Slice(s)
}
