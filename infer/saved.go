package infer

// This file finds tensors that are written in place after a function has kept them for its
// gradient, as PyTorch's version counters do: each memory has one, which every write in place
// advances, those under no_grad and of optimisers as well; detach() shares it, .data does not.
// What a function keeps is in package ops/torch (saved.go).

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/torch"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A tensorWrite is a write to the memory of a tensor.
type tensorWrite struct {
	memory *graph.Value
	order  int // among the operations: gradRecord.made
	at     source.Span
	what   string
	conds  []*symshape.Cond // of the path on which it was
}

// counted gives the value whose memory a tensor has, up to where .data begins a counter of
// its own.
func counted(v *graph.Value) (memory *graph.Value, ofData bool) {
	for ; v.Base != nil; v = v.Base {
		if v.Def != nil && strings.HasSuffix(v.Def.Called, dataAttribute) {
			return v, true
		}
	}
	return v, false
}

// dataAttribute ends the name by which the operation is called that reading x.data is, and
// what x.data = y makes of y.
const dataAttribute = ".data.get"

// noteWrite notes that an operation has made the value after of the one before, in place.
func (gr *gradients) noteWrite(op *ops.Op, before, after *graph.Value) {
	if op.Is.Has(graph.Metadata) || after.Base != before || gr.stack.frame != nil && gr.stack.frame.prelude && !op.TakesInPlace() {
		return
	}
	memory, _ := counted(before)
	gr.wrote(memory, gr.host.Here(), "written in place here")
}

func (gr *gradients) wrote(memory *graph.Value, at source.Span, what string) {
	g := &gr.rec.grads
	g.writes = append(g.writes, tensorWrite{memory: memory, order: g.made, at: at, what: what, conds: gr.region.path.conds})
}

// stepped notes that an optimiser has written to those of the parameters that have gradients.
func (gr *gradients) stepped(params []value.Value) {
	gr.updated(params)
	gr.rec.grads.made++
	for _, p := range params {
		t, ok := p.(*value.Tensor)
		if !ok {
			continue
		}
		if _, ok := gr.rec.grads.train.stepped[t.V]; !ok && t.RequiresGrad && t.V.Param {
			gr.rec.grads.train.stepped[t.V] = gr.host.Here()
		}
		if gr.rec.grads.reached[t.V] {
			memory, _ := counted(t.V)
			gr.wrote(memory, gr.host.Here(), "written by the optimiser here")
		}
	}
}

// overwritten finds a tensor that one of the values keeps for its gradient and that was
// written since.
func (gr *gradients) overwritten(values map[*graph.Value]bool) (kept, by *graph.Value, w *tensorWrite) {
	g := &gr.rec.grads
	if len(g.writes) == 0 {
		return nil, nil, nil
	}
	writes := map[*graph.Value]*tensorWrite{} // the last to each memory
	for i := range g.writes {
		w := &g.writes[i]
		if onPath(w.conds, gr.region.path.conds) {
			writes[w.memory] = w
		}
	}
	for v := range values {
		gr.savedBy(v, func(x *graph.Value) {
			memory, _ := counted(x)
			if last := writes[memory]; last != nil && last.order > g.order[v] && (by == nil || v.ID < by.ID) {
				kept, by, w = x, v, last
			}
		})
	}
	return kept, by, w
}

// onPath reports whether what happened under conditions is part of the path under others.
func onPath(conds, path []*symshape.Cond) bool {
	return len(conds) <= len(path) && slices.Equal(conds, path[:len(conds)])
}

// savedBy calls f for the tensors that the operation of v keeps for certain.
func (gr *gradients) savedBy(v *graph.Value, f func(*graph.Value)) {
	n := v.Def
	if n == nil || gr.rec.grads.order[v] == 0 || len(n.Outputs) != 1 {
		return
	}
	how := torch.SavingOf(n.Op)
	if how == torch.SavesNothing {
		return
	}
	var operands []*graph.Value
	for _, a := range n.Args {
		if !torch.NeverSaved(a.Name) {
			graph.Operands(a.Value, func(x *graph.Value) {
				if x.Kind == graph.TensorKind {
					operands = append(operands, x)
				}
			})
		}
	}
	if len(operands) == 0 {
		return
	}
	inPlace := v.Base == operands[0]
	keep := func(x *graph.Value) {
		if x.Type.Ranked && x.Type.DType == v.Type.DType && !(inPlace && x == operands[0]) && (x.Type.Strides == nil || keptAsIs(n, how, x)) {
			f(x)
		}
	}
	keepOther := func(x, other *graph.Value) {
		if gr.requires(other) {
			keep(x)
		}
	}
	switch how {
	case torch.SavesInput:
		keep(operands[0])
	case torch.SavesResult:
		f(v)
	case torch.SavesBoth:
		if len(operands) == 1 {
			keep(operands[0])
			f(v)
		}
	case torch.SavesSelf:
		if inPlace {
			f(v)
		} else {
			keep(operands[0])
		}
	case torch.SavesAll:
		for _, x := range operands {
			keep(x)
		}
	case torch.SavesPower:
		for _, x := range operands {
			keep(x)
		}
		if _, number := n.Args[0].Value.(*graph.Value); len(operands) > 1 || !number {
			f(v)
		}
	case torch.SavesProduct:
		if len(operands) == 3 {
			keepOther(operands[1], operands[2])
			keepOther(operands[2], operands[1])
		}
	case torch.SavesSecond:
		if len(operands) == 2 {
			keep(operands[1])
			keepOther(operands[0], operands[1])
		}
	case torch.SavesOthers:
		if len(operands) != 2 || !keptWhole(n, operands) {
			return
		}
		keepOther(operands[0], operands[1])
		keepOther(operands[1], operands[0])
	}
}

// keptAsIs reports whether an operand whose elements are not in their order is kept itself,
// and no copy that has them so.
func keptAsIs(n *graph.Node, how torch.Saving, x *graph.Value) bool {
	switch {
	case n.Form == graph.Linear || n.Form == graph.Einsum:
		return x.Type.Rank() <= 2
	case n.Form == graph.MatMul:
		return x.Type.Rank() <= 3
	}
	return n.Spatial == 0 && how != torch.SavesAll
}

// keptWhole reports whether a product keeps its operands, and no copies that have their axes
// in another form.
func keptWhole(n *graph.Node, operands []*graph.Value) bool {
	a, b := operands[0].Type, operands[1].Type
	switch {
	case n.Form == graph.Einsum:
		return a.Rank() == 2 && b.Rank() == 2
	case n.Form != graph.MatMul:
		return true
	case !a.Ranked || !b.Ranked || a.Rank() < b.Rank():
		return false
	case b.Rank() <= 2:
		return true
	}
	if a.Rank() != b.Rank() {
		return false
	}
	for i := range a.Shape[:a.Rank()-2] {
		if a.Shape[i] != b.Shape[i] {
			return false
		}
	}
	return true
}

// noteLeaf notes an operand that is a leaf.
func (gr *gradients) noteLeaf(t *value.Tensor) {
	leaves := gr.rec.grads.leaves
	if old, ok := leaves[t.V]; t.RequiresGrad && !ok {
		leaves[t.V] = true
	} else if old && !t.RequiresGrad {
		leaves[t.V] = false
	}
}

// requires reports whether the value certainly requires gradients.
func (gr *gradients) requires(v *graph.Value) bool {
	return gr.rec.grads.states[v] == gradYes || gr.rec.grads.leaves[v]
}

// overwrittenFault is what backward() says of a tensor that was written.
func overwrittenFault(th value.Thread, kept, by *graph.Value, w *tensorWrite) *diag.Diagnostic {
	name := by.Def.Op
	what := "its operand"
	if kept == by {
		what = "its result"
	}
	d := diag.New(diag.AutogradFault, th.Here(),
		fmt.Sprintf("backward() needs a tensor that is no longer what it was: %s keeps %s, %s, for its gradient, which was written in place since",
			name[strings.LastIndexByte(name, '.')+1:], what, kept.Type.String()))
	d.Related = append(d.Related, diag.Related{At: w.at, Msg: w.what}, diag.Related{At: by.At, Msg: "kept for the gradient here"})
	return d
}
