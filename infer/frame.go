package infer

// This file defines frames and the compiled form of functions.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// A code is what is needed to run a function, a class body or a comprehension.
type code struct {
	unit    *unit
	node    ast.Node
	scope   *resolve.Scope
	index   int32
	name    string
	params  *ast.Params
	body    []ast.Stmt // of a def
	expr    ast.Expr   // of a lambda
	prelude bool
	// row is that of the function in timedBy, where calls are measured.
	row     *timing.Row
	timedBy *timing.Track
}

// A frame is one activation.
type frame struct {
	value.Slots
	code    *code
	unit    *unit
	cells   []*value.Cell // by slot; nil for plain locals
	free    []*value.Cell
	globals *value.Module
	ns      *value.Attrs // namespace of a module or class body; else nil
	fn      *value.Func
	caller  *frame
	at      source.Span // the operation that is being performed
	op      string      // the library function that is being applied
	prelude bool
	typed   bool // it evaluates a text of the command line: a fault there ends it
	ret     value.Value
	yield   func(value.Value) (value.Value, error) // of a generator
	gen     *generator                             // whose body runs here
	current *value.Exception                       // being handled, for a bare raise
	// names are the sizes that names in annotations and shape comments stand for.
	names *value.Attrs
	// args are what a function was called with, conds how many undecided branches
	// and loops were open then; see recurs.
	args  []value.Value
	conds int
	// only is the one name that imports bind here; empty: all.
	only string
	// lost is why a class body may define more names than are known.
	lost *value.Cause
}

// A flow says how a statement ended.
type flow uint8

const (
	next flow = iota
	breaks
	continues
	returns
	exhausts // the test of a loop of unknown length fails
	raises   // only of completions: an exception that some try statement catches
	passes   // only of completions: the end of a try or with statement is reached
)

// newFrame makes a frame with a slot for each local variable; those that inner functions use lie in cells.
func (s *stack) newFrame(c *code, globals *value.Module) *frame {
	f := &frame{code: c, unit: c.unit, globals: globals, prelude: c.prelude}
	f.Header = s.heap.Header()
	if !c.prelude {
		f.names = s.heap.NewAttrs()
	}
	n := len(c.scope.Locals)
	f.V = make([]value.Value, n)
	for i := 0; i < n; i++ {
		if c.scope.IsCell(i) {
			if f.cells == nil {
				f.cells = make([]*value.Cell, n)
			}
			f.cells[i] = s.heap.NewCell(nil)
		}
	}
	return f
}

// A stack is the frames that run.
type stack struct {
	*base
	host stackHost
	// frame is the innermost.
	frame *frame
	depth int
	// inEntry says that the entry is being made and called; before, modules load.
	inEntry bool
}

// A stackHost makes the exception of a stack that is too deep.
type stackHost interface {
	Raise(class, format string, args ...any) error
	noteLibraryCall(f *frame)
}

// push makes f the innermost frame.
func (s *stack) push(f *frame) error {
	f.caller = s.frame
	s.frame = f
	s.depth++
	if f.prelude && f.caller != nil && !f.caller.prelude {
		s.host.noteLibraryCall(f)
	}
	if s.depth > s.cfg.maxDepth() {
		s.pop()
		return s.host.Raise("RecursionError", "maximum recursion depth exceeded")
	}
	return nil
}

// inPrelude reports whether the library's own code runs.
func (s *stack) inPrelude() bool { return s.frame != nil && s.frame.prelude }

func (s *stack) pop() {
	s.frame = s.frame.caller
	s.depth--
}

// RunningModule is part of value.ModuleTeller.
func (in *Interp) RunningModule() string {
	if f := in.stack.frame; f != nil && f.globals != nil {
		return f.globals.Name
	}
	return ""
}
