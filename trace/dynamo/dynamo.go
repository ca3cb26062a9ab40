// Package dynamo tells what torch.compile compiles in a script: which calls of compiled functions serve from a graph there is, which
// make one and why, and where graphs break.
//
// The rules are those of torch 2.15's Dynamo. A function is compiled frame by frame, a frame in parts that breaks divide. What a part
// reads (arguments, globals, variables of enclosing functions, attributes, lengths) guards its graph: a call takes the newest graph
// whose guards hold, or makes one. A size or number that differs from the last time becomes a symbol, and what the graph relies on of
// it a guard: trace/export finds it. A Run hears a call; Settle says what it compiled. The interpreter is seen through Host alone.
//
//	dynamo.go   Host, Frame; Run: a call that runs
//	events.go   what it hears: names for the events of the interpreter
//	reads.go    what a call reads, where it breaks, and which functions it calls
//	objects.go  attributes; keys.go: keys of dicts and sets
//	lists.go    elements of lists and tuples; loops.go: those that loops hold
//	layers.go   what layers read of themselves
//	floats.go   floats that a graph has as numbers; items.go: numbers out of tensors
//	strides.go  strides of tensors
//	lazy.go     numbers that a graph does not look at; handed.go: those that are handed on
//	graphs.go   graphs and what guards them
//	guards.go   guards of what is read; kinds.go: their kinds
//	ahead.go    graphs whose guards are asked before the function runs
//	symbols.go  a run with symbols for what varies
//	settle.go   the end of a call
package dynamo

import (
	"slices"
	"strconv"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
	"shapecheck/trace/export"
)

// A Host is the interpreter, as far as a Run needs it.
type Host interface {
	export.Host
	// InLibrary reports whether code of a library runs.
	InLibrary() bool
	// Certain reports whether what runs does so whatever conditions and loops of unknown length do.
	Certain() bool
	// Recording reports whether the run is recorded: not in modules that it imports, nor in scripted functions.
	Recording() bool
	// Setting is an attribute of torch._dynamo.config; ok is false where it has none, or where nothing has imported it.
	Setting(name string) (v value.Value, ok bool)
	// BuiltinName is the name of one of Python's own functions and classes; empty for others.
	BuiltinName(fn value.Value) string
	// Key is the key of a dict that a value is; ok is false where it is not known.
	Key(v value.Value) (key any, ok bool, err error)
	// RequiresGrad reports whether a tensor does, MadeInInference whether it was made in the inference mode, InferenceMode whether
	// that is on.
	RequiresGrad(t *value.Tensor) bool
	MadeInInference(v *graph.Value) bool
	InferenceMode() bool
	// RunIn runs a program in a state and takes back what it does. The error is one that ends the program's run.
	RunIn(state []value.Change, p *export.Program, r *export.Run) error
}

// A Frame is an activation of a function: equal for one alone.
type Frame interface {
	// InLibrary reports whether it is one of a library. CalledByProgram reports whether the program's own code called it, CallSite is
	// where the program's innermost code stands that did.
	InLibrary() bool
	CalledByProgram() bool
	CallSite() source.Span
	Func() *value.Func
	// Code is equal for activations of one function, Body its statements, Definition its node.
	Code() Code
	Body() []ast.Stmt
	Definition() ast.Node
	// Variables are the values by slot, Cells the cells of those that others see, Free those of the functions around it. Binding is
	// what a name means.
	Variables() []value.Value
	Cells() []*value.Cell
	Free() []*value.Cell
	Binding(n *ast.Name) resolve.Binding
}

// A Code is what a function runs.
type Code interface{ InLibrary() bool }

// A Branch is a place that decides which way the program goes, and how it did.
type Branch struct {
	Kind     string
	At, Test source.Span
	Ways     []int // -1: not known
}

// sameBranches reports whether two calls met the same places, which all went the same known ways.
func sameBranches(a, b []Branch) bool {
	return slices.EqualFunc(a, b, func(x, y Branch) bool {
		return x.Kind == y.Kind && x.At == y.At && x.Test == y.Test && slices.Equal(x.Ways, y.Ways) && !slices.Contains(x.Ways, -1)
	})
}

// Graphs are those of all compiled functions of a program.
type Graphs struct {
	codes  map[codeKey]*compiledCode // parts of functions
	funcs  map[Code]*function
	module *value.Class // torch.nn.Module
	ahead  framePart    // what ServesAhead asked for last
}

// NewGraphs has none.
func NewGraphs() *Graphs {
	return &Graphs{codes: map[codeKey]*compiledCode{}, funcs: map[Code]*function{}}
}

// Forget drops all graphs.
func (g *Graphs) Forget() { g.codes = map[codeKey]*compiledCode{} }

// A Run is a call of a compiled function that runs.
type Run struct {
	host   Host
	graphs *Graphs
	opts   Options
	node   *node    // of the innermost function of the program
	site   ast.Expr // that the program evaluates, if what is in its list is noted by Evaluated
	// element is the name of an element or attribute that it evaluates for arithmetic, took that it is one which was there before.
	element string
	took    bool
	// iterated are the values of the expressions that loops go through, held the elements in their variables; through says that the
	// function that is called gives a loop its elements.
	iterated map[ast.Expr]value.Value
	held     map[heldVariable]heldElement
	through  bool
	tensor   guardedRead // of the tensor that was read last
	// scalars and shapes are switches that operations ask for.
	scalars, shapes configSwitch
	root            *node
	out             *Call
	made            int // graphs of beginnings of functions
	// handing are the arguments of the call that the program makes.
	handing *handing
	// changed are the objects whose attributes were written.
	changed map[value.Value]bool
	// before is the last value that was there before the graph began.
	before int
	// missed says that something of which nothing is known was read before a break, unsure that it was
	// after one, or that it is not known which way the program goes on.
	missed, unsure bool
	branches       []Branch // of the places that decide
	target         value.Value
	args           []value.Value
	kw             []value.Kw
	global         string
	// state is what the objects that the call changed held before it.
	state     []value.Change
	asserting bool
	onTensor  bool // an assertion asked for the truth value of a tensor
	asserted  bool // the last one did
	// refused is the class of the exception that ends the call, refusedAt its place.
	refused   string
	refusedAt source.Span
	// ofOp is the last exception of an operation; ended says that an exception ended what was compiled.
	ofOp  error
	ended bool
	// unmet is the message of an assertion over a tensor that does not hold, nil: there is none. The graph goes on.
	unmet *string
}

// NewRun is a call of a compiled function that is about to run. global is what decides over a graph besides what it reads.
func NewRun(h Host, g *Graphs, opts Options, target value.Value, args []value.Value, kw []value.Kw, global string) *Run {
	d := &Run{host: h, graphs: g, opts: opts, out: &Call{}, target: target, args: args, kw: kw, before: h.Graph().Last(), global: global}
	if d.root = libraryModule(target); d.root == nil {
		return d
	}
	d.node = d.root
	if module, ok := target.(*value.Instance); ok {
		d.modules(d.root, module, "self")
		d.partsOf(d.root, "fn", module)
	}
	for i, a := range args {
		d.note(d.root, "args["+strconv.Itoa(i)+"]", a, false)
	}
	d.read(d.root, &guardedRead{source: "keys of kwargs", kind: readKeys, length: len(kw)})
	for _, k := range kw {
		d.note(d.root, "kwargs['"+k.Name+"']", k.Value, false)
	}
	return d
}

// IsEager reports whether the call runs as it is, and nothing hears it.
func (d *Run) IsEager() bool { return d.opts.Stance == forceEager }

// Ran notes what the objects that the call changed held before it, and how places in it decided.
func (d *Run) Ran(state []value.Change, branches []Branch) { d.state, d.branches = state, branches }

// Breaks notes that the graph cannot go on here.
func (d *Run) Breaks() { d.breaks() }

// Opaque notes that an operation of the graph gave a value, whose function is not looked into.
func (d *Run) Opaque(v value.Value) { d.computed(false, v, nil) }

// IsSet reports whether a switch of torch._dynamo.config is on.
func IsSet(h Host, name string) bool {
	v, ok := h.Setting(name)
	return ok && v == value.Bool(true)
}

// inLibrary reports whether code of a library runs.
func (d *Run) inLibrary() bool { return d.host.InLibrary() }

// moduleClass is torch.nn.Module; nil: no module was made so far.
func (d *Run) moduleClass() *value.Class {
	if d.graphs.module == nil {
		d.graphs.module = d.host.Class("torch.nn.modules.module.Module")
	}
	return d.graphs.module
}
