package dynamo

// This file tells what a graph of torch.compile keeps of numbers that are taken out of tensors, and which numbers it has to know: those by
// which operations count axes and results, and bounds of indices.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
	"shapecheck/trace/export"
)

// keepsNumbers reports whether a graph goes on with a number that is taken out of a tensor.
func (d *Run) keepsNumbers() bool {
	return d.opts.Fullgraph || d.is(&d.scalars, "capture_scalar_outputs")
}

// refuses notes that a graph cannot go on without a number that it does not know.
func (d *Run) refuses(class string) {
	if n := len(d.node.events); n > 0 && d.node.events[n-1].broke && d.node.events[n-1].at == d.host.Here() { // the truth value of a tensor
		return
	}
	if d.refused == "" && (d.opts.Fullgraph || class == export.GuardError) { // others end the graph alone
		d.refused, d.refusedAt = class, d.host.Here()
	}
	d.breaks()
}

// Truth notes that a truth value is asked for: of a tensor, which an assertion makes a check of, or of a number that a graph
// keeps without knowing it.
func (d *Run) Truth(v value.Value) {
	if !d.host.OwnCode() || d.node == nil {
		return
	}
	_, tensor := v.(*value.Tensor) // arrays and numbers of NumPy are tensors of a graph, too
	if i, ok := v.(*value.Instance); ok && i.Payload != nil && i.Class.Module == "numpy" {
		tensor = true
	}
	switch {
	case !tensor:
		if d.asserting || !d.keepsNumbers() {
			return
		}
	case d.asserting:
		d.onTensor = true
	default:
		d.breaks()
	}
	switch x := v.(type) {
	case *value.SymBool:
		if export.OnElements(d.host, x) && d.host.Decide(x.Cond) == symshape.Unknown {
			d.refuses(export.UserError)
		}
	case *value.SymInt:
		if e := x.D.Expr; e != nil && slices.ContainsFunc(e.Symbols(), d.unbacked) &&
			d.host.Decide(d.host.Pool().Ne(e, d.host.Pool().Const(0))) == symshape.Unknown {
			d.refuses(export.GuardError)
		}
	case *value.SymFloat:
		if x.Source != nil && !x.Known {
			d.refuses(export.GuardError)
		}
	}
}

// unbacked reports whether a symbol is a number that elements of tensors decide.
func (d *Run) unbacked(s *symshape.Expr) bool { return s.IsFresh() && !d.host.IsRandom(s) }

// asksNumbers notes that Python needs numbers, as the ends of a range, the index of a list or a number of pieces: a graph has to know them.
func (d *Run) asksNumbers(args []value.Value) {
	if d.node == nil || !d.host.OwnCode() || !d.keepsNumbers() {
		return
	}
	for _, a := range args {
		var of []*symshape.Expr
		switch a := a.(type) {
		case *value.SymInt:
			of = a.D.Expr.Symbols()
		case *value.SymBool:
			of = a.Cond.Symbols()
		}
		if slices.ContainsFunc(of, d.unbacked) {
			d.refuses(export.UserError)
			return
		}
	}
}

// sizeParams are those of which a graph has to know a number that elements decide, and may leave open one that is an input.
var sizeParams = []string{"split_size", "split_size_or_sections"}

// asksCounts notes the numbers by which an operation counts axes or results.
func (d *Run) asksCounts(op *ops.Op, args []value.Value, kw []value.Kw) {
	if d.node != nil && d.keepsNumbers() {
		d.asksNumbers(export.SymbolsGiven(op, args, kw, slices.Concat(export.AxisParams, sizeParams)...))
	}
}

// itemOf is what an operation that takes numbers out of a tensor is given: where a graph goes on without knowing them, a
// tensor whose elements are not known. Dynamo knows the number of a tensor with one element that the function makes of
// numbers; that of an int64 or float64 of rank 0 on the processor that was there before is a symbol with guards.
func (d *Run) itemOf(op *ops.Op, args []value.Value) []value.Value {
	if d.node == nil || len(args) == 0 || !d.keepsNumbers() || !op.Trace.Has(ops.TakesScalar) {
		return args
	}
	t, ok := args[0].(*value.Tensor)
	switch {
	case !ok || d.ofConstants(t.V) || d.notesItem(t):
		return args
	}
	hidden := *t
	hidden.SetContents(nil)
	args = slices.Clone(args)
	args[0] = &hidden
	return args
}

// notesItem notes the number in a tensor that the call was given or that a variable outside of it holds.
func (d *Run) notesItem(t *value.Tensor) bool {
	typ := t.Type()
	if !typ.Ranked || len(typ.Shape) != 0 || typ.DType != dtype.I64 && typ.DType != dtype.F64 || d.root.itemSource(t) == "" {
		return false
	}
	elems := t.Contents()
	if len(elems) != 1 {
		d.loses()
		return true
	}
	if f, ok := elems[0].(value.Float); ok && (math.IsNaN(float64(f)) || math.IsInf(float64(f), 0)) {
		return false
	}
	for p := d.node; p != nil; p = p.parent {
		src := p.itemSource(t)
		if src == "" || p.hasRead(src) || d.lost() {
			continue
		}
		if r := readOf(d.host, src, elems[0]); r != nil {
			r.open = true
			d.read(p, r)
		} else {
			d.loses()
		}
	}
	return true
}

// itemSource is the source of the number in a tensor that a function read and that is still as it was; empty: it did not.
func (n *node) itemSource(t *value.Tensor) string {
	for _, r := range n.reads {
		if r.id == t && r.value == t.V {
			return itemOf(r.source)
		}
	}
	return ""
}

// itemOf is the source of the number in a tensor.
func itemOf(src string) string { return src + ".item()" }

// ofConstants reports whether a tensor has at most one element and a graph makes it of numbers and of such tensors alone.
func (d *Run) ofConstants(v *graph.Value) bool {
	if v.ID <= d.before || v.Def == nil || !v.Type.Ranked || v.Def.Is.Has(graph.Drawn) {
		return false
	}
	for _, size := range v.Type.Shape {
		if n, ok := size.Const(); !ok || n > 1 {
			return false
		}
	}
	numbers := false
	switch v.Def.Op {
	case "torch.Tensor.new_tensor":
		return true
	case "torch.tensor", "torch.as_tensor", "torch.asarray": // those of torch.full and torch.zeros it does not go on knowing
		numbers = true
	}
	found := false
	for _, a := range v.Def.Args {
		if x, ok := a.Value.(*graph.Value); ok && x.Kind == graph.TensorKind {
			if found = true; !d.ofConstants(x) {
				return false
			}
		}
	}
	return found || numbers
}
