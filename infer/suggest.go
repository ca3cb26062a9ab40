package infer

// This file finds what would make a failing call of library code right.
//
// Where user code calls something of a library and that fails, the moves of
// suggest_moves.go propose other arguments, and suggest_layer.go other sizes of
// the layer. A proposal is tried: the call is made again with it, in a state that
// is rolled back. Only what then succeeds, without a new equation between sizes,
// becomes a fix of the diagnostic.

import (
	"errors"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// Bounds of the search for suggestions: trials in a run, trials for one fault,
// and steps of one trial.
const (
	maxAdviceRun   = 300
	maxAdviceFault = 24
	maxAdviceSteps = 200_000
)

// errNoAdvice refuses a proposal that would succeed and still be wrong.
var errNoAdvice = errors.New("no advice")

// An advisor holds what the search for suggestions keeps in a run.
type advisor struct {
	busy   bool // a trial runs
	trials int  // made in this run
	failed []failedLayer
	// about is the fault that failed tells of.
	about *diag.Diagnostic
	// numbers are the changes to try when the run is over.
	numbers []faultNumbers
}

// A failedLayer is a call of a library's module that a fault passed through.
type failedLayer struct {
	inst *value.Instance
	args []value.Value
	kw   []value.Kw
}

// layerFailed notes a module call that a fault passes through, innermost first.
func (in *Interp) layerFailed(inst *value.Instance, args []value.Value, kw []value.Kw, err error) {
	d := faultOf(err)
	if d == nil || in.advice.busy || !inst.Class.Prelude {
		return
	}
	if in.advice.about != d {
		in.advice.about, in.advice.failed = d, nil
	}
	in.advice.failed = append(in.advice.failed, failedLayer{inst, args, kw})
}

// faultOf is the diagnostic of a fault, or nil.
func faultOf(err error) *diag.Diagnostic {
	var e *value.Exception
	if errors.As(err, &e) {
		return e.Diag
	}
	return nil
}

// A site is a call in user code that failed: its callee and its operands. The
// operands are the positional arguments, with self of a method first, and then
// the arguments by name.
type site struct {
	in    *Interp
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

// adviseCall looks for suggestions for a call that failed.
func (in *Interp) adviseCall(f *frame, e *ast.Call, fn value.Value, args []value.Value, kw []value.Kw, err error) {
	d := in.mayAdvise(f, e, err)
	if d == nil {
		return
	}
	s := &site{in: in, diag: d, node: e}
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
	s.name = in.calleeName(fn)
	if slices.ContainsFunc(tracing, func(module string) bool { return strings.HasPrefix(s.name, module) }) {
		return // a trial does not trace, and so would succeed
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
		return in.Call(s.callee, args, kw)
	}
	if d.Code == diag.BadCall {
		s.advise(s.keywords(fn))
		return
	}
	if l := in.userLayer(d); l != nil {
		if s.layer = l.inst; fn != value.Value(l.inst) {
			s.enter(*l)
		}
	}
	s.adviseMoves()
}

// userLayer is the layer of the user's making in which a fault arose: not the
// Sequential around it, and not what it consists of.
func (in *Interp) userLayer(d *diag.Diagnostic) *failedLayer {
	if in.advice.about != d {
		return nil
	}
	for i := len(in.advice.failed) - 1; i >= 0; i-- {
		if l := &in.advice.failed[i]; l.inst.Class.Name != "Sequential" {
			return l
		}
	}
	return nil
}

// enter makes s the call of an inner layer.
func (s *site) enter(l failedLayer) {
	s.inner, s.name = true, l.inst.Class.FullName()
	s.vals, s.names = append([]value.Value(nil), l.args...), nil
	for _, k := range l.kw {
		s.names, s.vals = append(s.names, k.Name), append(s.vals, k.Value)
	}
	s.exprs = make([]ast.Expr, len(s.vals))
	s.callee = l.inst
}

// split divides operands into positional ones and those by name.
func (s *site) split(vals []value.Value) ([]value.Value, []value.Kw) {
	n := len(vals) - len(s.names)
	var kw []value.Kw
	for i, name := range s.names {
		kw = append(kw, value.Kw{Name: name, Value: vals[n+i]})
	}
	return vals[:n:n], kw
}

// redoNamed makes the call with one more argument by name.
func (s *site) redoNamed(vals []value.Value, name string, v value.Value) (value.Value, error) {
	args, kw := s.split(vals)
	return s.in.Call(s.callee, args, append(kw, value.Kw{Name: name, Value: v}))
}

// adviseBinary looks for suggestions for an operator that failed.
func (in *Interp) adviseBinary(f *frame, e *ast.BinOp, a, b value.Value, err error) {
	s := &site{node: e, vals: []value.Value{a, b}, exprs: []ast.Expr{e.Left, e.Right}}
	s.redo = func(v []value.Value) (value.Value, error) { return in.Binary(e.Op, v[0], v[1]) }
	in.adviseOperator(f, s, e.Op, err)
}

// adviseInPlace looks for suggestions for an augmented assignment that failed.
func (in *Interp) adviseInPlace(f *frame, e *ast.AugAssign, a, b value.Value, err error) {
	s := &site{node: e, vals: []value.Value{a, b}, exprs: []ast.Expr{e.Target, e.Value}, target: true}
	s.redo = func(v []value.Value) (value.Value, error) { return in.inPlace(e.Op, v[0], v[1]) }
	in.adviseOperator(f, s, e.Op, err)
}

func (in *Interp) adviseOperator(f *frame, s *site, op ast.BinOperator, err error) {
	s.in, s.name, s.diag = in, "operator.arithmetic", in.mayAdvise(f, s.node, err)
	if op == ast.MatMult {
		s.name = "torch.matmul"
	}
	if s.diag != nil {
		s.adviseMoves()
	}
}

// mayAdvise gives the fault of the call at e when it is one to look into: made
// by library code that user code called there, and not caught by the program.
func (in *Interp) mayAdvise(f *frame, e ast.Node, err error) *diag.Diagnostic {
	d := faultOf(err)
	a := &in.advice
	if d == nil || f.prelude || a.busy || in.trial > 0 || in.quiet > 0 || d.At != e.Span() || len(d.Fixes) > 0 ||
		a.trials >= maxAdviceRun || in.caught(err) || in.repeated(d) || in.sink.Has(d) {
		return nil
	}
	return d
}

func (in *Interp) calleeName(fn value.Value) string {
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
func (s *site) short() string {
	return strings.TrimSuffix(s.name[strings.LastIndexByte(s.name, '.')+1:], "_")
}

// adviseMoves tries the moves that fit the code and the callee, and then other sizes of the layer.
func (s *site) adviseMoves() {
	s.describe()
	short := s.short()
	for _, m := range moveTable() {
		if m.fits(s.diag.Code, short) && s.advise(m.find(s)) {
			return
		}
	}
	if !s.advise(s.layerSizes()) && !s.in.cfg.Trial {
		s.numbers()
	}
}

// advise makes a fix of the first proposal that works.
func (s *site) advise(list []advice) bool {
	for i := range list {
		if i == maxAdviceFault {
			break
		}
		if a := &list[i]; s.in.works(a.try) {
			s.diag.Fixes = append(s.diag.Fixes, diag.Fix{Title: a.title, Edits: a.edits, Safe: a.safe && len(a.edits) > 0})
			return true
		}
	}
	return false
}

// works reports whether a call succeeds. Everything that it changes is rolled
// back.
func (in *Interp) works(call func() (value.Value, error)) bool {
	if in.advice.trials >= maxAdviceRun {
		return false
	}
	in.advice.trials++
	m := in.heap.Mark()
	before, refused, sink, rec := in.path, in.refused, in.sink.Len(), in.rec.mark()
	typed, open, spent, limit, pendings := in.rec.typed, in.rec.open, in.spent, in.cfg.MaxSteps, len(in.pendings)
	outer := in.build.Enter(&graph.Region{})
	in.cfg.MaxSteps = min(in.cfg.maxSteps(), in.spentSteps()+maxAdviceSteps)
	in.advice.busy = true

	v, err := call()
	ok := err == nil && v != nil && !Lost(v) && in.sink.Len() == sink && len(in.pendings) == pendings
	for _, c := range in.rec.conds[min(rec.conds, len(in.rec.conds)):] {
		ok = ok && !strings.Contains(c.Cond.String(), " == ") // it would only work for some sizes
	}

	in.advice.busy = false
	in.cfg.MaxSteps, in.spent = limit, spent
	in.build.Leave(outer)
	in.heap.Rollback(m)
	in.heap.Close(m)
	in.path, in.refused, in.pendings = before, refused, in.pendings[:min(pendings, len(in.pendings))]
	in.sink.Truncate(sink)
	in.rec.rollback(rec)
	in.rec.typed, in.rec.open = typed, open
	return ok
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
