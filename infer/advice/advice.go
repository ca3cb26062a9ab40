// Package advice finds what would make a failing call of library code right.
//
// Where user code calls something of a library and that fails, moves propose other arguments, and layer.go other sizes of
// the layer. A proposal is tried: the call is made again with it, in a state that is rolled back (Host.Try). Only what then
// succeeds, without a new equation between sizes, becomes a fix of the diagnostic. The interpreter is seen through Host alone.
//
//	advice.go    Host; Site: a call that failed, and its proposals
//	describe.go  what operands are called
//	moves.go     the table of moves: other arguments
//	view.go      moves of views and reshapes
//	name.go      names of arguments
//	layer.go     sizes of layers, and the calls that made them
//	proposal.go  changes of numbers for which the whole entry is to be run again
//	sizes.go     the channels of sums, the features of images
//	heads.go     numbers of heads
//	numeral.go   where the source writes a number
//	alike.go     calls that are written alike
package advice

import (
	"errors"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// maxAdvice bounds the trials for one fault.
const maxAdvice = 24

// A Host is the interpreter, as far as the search needs it.
type Host interface {
	value.Thread
	value.SourceReader
	// Try reports whether a call succeeds. Everything that it changes is rolled back.
	Try(call func() (value.Value, error)) bool
	// Function is the function that a call of an object runs; self says that its first parameter is the object.
	Function(v value.Value) (fn *value.Func, self bool)
	// Files are those of the run, Main is the entry's, or nil.
	Files() *source.FileSet
	Main() *source.File
	// Tree is the tree of a file that was parsed, or nil; Trees are those of the modules that the project consists of.
	Tree(f *source.File) *ast.Module
	Trees() []*ast.Module
	// Whole gives a function of a tree with its body.
	Whole(def *ast.FunctionDef) *ast.FunctionDef
}

// errNoAdvice refuses a proposal that would succeed and still be wrong.
var errNoAdvice = errors.New("no advice")

// A Layer is a call of a library's module that a fault passed through.
type Layer struct {
	Inst *value.Instance
	Args []value.Value
	Kw   []value.Kw
}

// A Site is a call in user code that failed: its callee and its operands. The
// operands are the positional arguments, with self of a method first, and then
// the arguments by name.
type Site struct {
	host  Host
	diag  *diag.Diagnostic
	node  ast.Node // *ast.Call, *ast.BinOp or *ast.AugAssign
	name  string   // the callee's name in full: torch.Tensor.view
	vals  []value.Value
	exprs []ast.Expr // of vals; nil where the source has none
	names []string   // of the last operands, those by name
	// redo makes the call with other operands.
	redo func(vals []value.Value) (value.Value, error)
	// callee is what a call calls.
	callee value.Value
	// target says that the first operand is assigned to: it is to stay as it is.
	target bool
	// layer is the layer that is called, if one is. inner says that the callee
	// calls it, as a Sequential does: then the operands are not in the source.
	layer *value.Instance
	inner bool
}

// An advice is a proposal.
type advice struct {
	title string
	edits []diag.Edit
	safe  bool
	try   func() (value.Value, error)
}

// tracing are the modules of functions that trace what they are given.
var tracing = []string{"torch.jit.", "torch.export.", "torch.onnx."}

// AtCall is the call of fn at e that failed with d, through some calls of layers, the innermost first; nil where a trial would
// tell nothing.
func AtCall(h Host, d *diag.Diagnostic, e *ast.Call, fn value.Value, args []value.Value, kw []value.Kw, layers []Layer) *Site {
	s := &Site{host: h, diag: d, node: e}
	starred := len(args) != len(e.Args)
	if b, ok := fn.(*value.BoundMethod); ok {
		s.vals = append(s.vals, b.Self)
		var self ast.Expr
		if a, ok := e.Func.(*ast.Attribute); ok {
			self = a.Value
		}
		s.exprs = append(s.exprs, self)
		fn = b.Func
	}
	s.name = calleeName(fn)
	if slices.ContainsFunc(tracing, func(module string) bool { return strings.HasPrefix(s.name, module) }) {
		return nil // a trial does not trace, and so would succeed
	}
	s.vals = append(s.vals, args...)
	for i := range args {
		if starred {
			s.exprs = append(s.exprs, nil)
		} else {
			s.exprs = append(s.exprs, e.Args[i])
		}
	}
	for _, k := range kw {
		s.names, s.vals = append(s.names, k.Name), append(s.vals, k.Value)
		s.exprs = append(s.exprs, keywordExpr(e, k.Name))
	}
	s.callee = fn
	s.redo = func(vals []value.Value) (value.Value, error) {
		args, kw := s.split(vals)
		return h.Call(s.callee, args, kw)
	}
	if l := userLayer(layers); l != nil && d.Code != diag.BadCall {
		if s.layer = l.Inst; fn != value.Value(l.Inst) {
			s.enter(*l)
		}
	}
	return s
}

// userLayer is the layer of the user's making in which a fault arose: not the
// Sequential around it, and not what it consists of.
func userLayer(layers []Layer) *Layer {
	for i := len(layers) - 1; i >= 0; i-- {
		if l := &layers[i]; l.Inst.Class.Name != "Sequential" {
			return l
		}
	}
	return nil
}

// enter makes s the call of an inner layer.
func (s *Site) enter(l Layer) {
	s.inner, s.name = true, l.Inst.Class.FullName()
	s.vals, s.names = append([]value.Value(nil), l.Args...), nil
	for _, k := range l.Kw {
		s.names, s.vals = append(s.names, k.Name), append(s.vals, k.Value)
	}
	s.exprs = make([]ast.Expr, len(s.vals))
	s.callee = l.Inst
}

// split divides operands into positional ones and those by name.
func (s *Site) split(vals []value.Value) ([]value.Value, []value.Kw) {
	n := len(vals) - len(s.names)
	var kw []value.Kw
	for i, name := range s.names {
		kw = append(kw, value.Kw{Name: name, Value: vals[n+i]})
	}
	return vals[:n:n], kw
}

// redoNamed makes the call with one more argument by name.
func (s *Site) redoNamed(vals []value.Value, name string, v value.Value) (value.Value, error) {
	args, kw := s.split(vals)
	return s.host.Call(s.callee, args, append(kw, value.Kw{Name: name, Value: v}))
}

// AtBinary is an operator that failed with d.
func AtBinary(h Host, d *diag.Diagnostic, e *ast.BinOp, x, y value.Value) *Site {
	s := &Site{host: h, diag: d, node: e, name: operator(e.Op), vals: []value.Value{x, y}, exprs: []ast.Expr{e.Left, e.Right}}
	s.redo = func(v []value.Value) (value.Value, error) { return h.Binary(e.Op, v[0], v[1]) }
	return s
}

// AtInPlace is an augmented assignment that failed with d; redo makes it.
func AtInPlace(h Host, d *diag.Diagnostic, e *ast.AugAssign, x, y value.Value, redo func(x, y value.Value) (value.Value, error)) *Site {
	s := &Site{host: h, diag: d, node: e, name: operator(e.Op), vals: []value.Value{x, y}, exprs: []ast.Expr{e.Target, e.Value}, target: true}
	s.redo = func(v []value.Value) (value.Value, error) { return redo(v[0], v[1]) }
	return s
}

// elementwise is what all operators but that of matrices are called: which of them failed makes no difference to moves.
const elementwise = "operator.arithmetic"

// combines reports whether the callee makes each element of one of each operand.
func (s *Site) combines() bool {
	op, ok := catalog.Lookup(s.name)
	return s.name == elementwise || ok && op.Is.Has(graph.Combines)
}

// operator is the callee of an operator.
func operator(op ast.BinOperator) string {
	if op == ast.MatMult {
		return "torch.matmul"
	}
	return elementwise
}

func calleeName(fn value.Value) string {
	switch fn := fn.(type) {
	case *value.Builtin:
		return fn.Name
	case *value.Func:
		if fn.Module != nil {
			return fn.Module.Name + "." + fn.Name
		}
		return fn.Name
	case *value.Class:
		return fn.FullName()
	case *value.Instance:
		return fn.Class.FullName()
	}
	return ""
}

// short is the last part of the callee's name.
func (s *Site) short() string {
	return strings.TrimSuffix(s.name[strings.LastIndexByte(s.name, '.')+1:], "_")
}

// Fix tries what fits the code and the callee, names of arguments or the moves, and then other sizes of the layer. It reports
// whether the fault has a fix then, or is none that another number could mend.
func (s *Site) Fix() bool {
	if s.diag.Code == diag.BadCall {
		s.advise(s.keywords(s.callee))
		return true
	}
	s.describe()
	for _, m := range moveTable() {
		if m.fits(s) && s.advise(m.find(s)) {
			return true
		}
	}
	return s.advise(s.layerSizes())
}

// advise makes a fix of the first proposal that works.
func (s *Site) advise(list []advice) bool {
	for i := range list {
		if i == maxAdvice {
			break
		}
		if a := &list[i]; s.host.Try(a.try) {
			s.diag.Fixes = append(s.diag.Fixes, diag.Fix{Title: a.title, Edits: a.edits, Safe: a.safe && len(a.edits) > 0})
			return true
		}
	}
	return false
}

// insert is an edit that adds text at a place.
func insert(at source.Pos, text string) diag.Edit {
	return diag.Edit{At: source.Span{Start: at, End: at}, NewText: text}
}

func keywordExpr(e *ast.Call, name string) ast.Expr {
	for _, k := range e.Keywords {
		if k.Name.Name == name {
			return k.Value
		}
	}
	return nil
}
