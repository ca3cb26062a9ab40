package infer

// This file finds parameters that an optimiser steps and that no loss reaches, since detach()
// or .data cuts the graph between them: SC416. Nothing is said where a loss is not known, or
// something unknown may have computed gradients.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// A trainRecord is what is known of which parameters are trained.
type trainRecord struct {
	// stepped are the parameters of optimisers that made a step, with its place.
	stepped map[*graph.Value]source.Span
	// cuts are the results of detach() and .data that a backward() has come to, and looked
	// the values without gradients behind which they were looked for.
	cuts   []*graph.Value
	looked map[*graph.Value]bool
	// written are the parameters that a step of the entry has written to: what is read of them
	// later is not shown.
	written map[*graph.Value]writtenParameter
	// blind is set where gradients may flow that are not followed.
	blind bool
}

// A writtenParameter is the first step that wrote to a parameter: its place, and the number of
// the newest value before it.
type writtenParameter struct {
	at   source.Span
	last int
}

// updated notes that an optimiser has written to parameters, which the typed graph does not show.
func (gr *gradients) updated(params []value.Value) {
	train := &gr.rec.grads.train
	for _, p := range params {
		t, ok := p.(*value.Tensor)
		if !ok || t.V == nil {
			continue
		}
		if _, ok := train.written[t.V]; ok {
			continue
		}
		if train.written == nil {
			train.written = map[*graph.Value]writtenParameter{}
		}
		w := writtenParameter{at: gr.host.Here(), last: gr.build.Last()}
		if gr.build.Depth() > 0 {
			w.last = 0 // in a loop or a branch: whatever reads it may come after it
		}
		train.written[t.V] = w
	}
}

// readsUpdated notes in the finished graph where the entry reads or returns parameters after a step has written to them.
func (gr *gradients) readsUpdated(g *graph.Graph) {
	written := gr.rec.grads.train.written
	if len(written) == 0 {
		return
	}
	stale := func(o graph.Operand, id int) (found bool) {
		graph.Operands(o, func(v *graph.Value) {
			for ; v != nil; v = v.Base {
				if w, ok := written[v]; ok && id > w.last {
					found = true
				}
			}
		})
		return found
	}
	const why = "it reads parameters that an optimiser has written to in the entry: the steps of training are not shown"
	var walk func(r *graph.Region)
	walk = func(r *graph.Region) {
		for _, n := range r.Nodes {
			for _, a := range n.Args {
				if len(n.Outputs) > 0 && stale(a.Value, n.Outputs[0].ID) {
					gr.build.Incomplete(n.At, why)
					break
				}
			}
			for _, sub := range n.Regions {
				walk(sub)
			}
		}
	}
	walk(g.Body)
	if stale(g.Output, math.MaxInt) {
		gr.build.Incomplete(g.Returned,
			"it returns parameters that an optimiser has written to in the entry: the steps of training are not shown")
	}
}

// cutsGraph reports whether a value is a tensor cut from the graph that it had.
func (gr *gradients) cutsGraph(v *graph.Value) bool {
	return gr.rec.grads.cut[v] != "" && v.Def != nil && v.Def.Op == "torch.detach"
}

// seesGradients notes an operand that a backward() has come to.
func (gr *gradients) seesGradients(v *graph.Value) {
	g := &gr.rec.grads
	_, leaf := g.leaves[v]
	switch {
	case g.states[v] == gradNo:
		gr.looksForCuts(v)
	case g.states[v] == gradUnknown && !leaf && !v.Param && v.Kind == graph.TensorKind:
		g.train.blind = true
	}
}

// looksForCuts notes where an operand without gradients was cut from a graph.
func (gr *gradients) looksForCuts(v *graph.Value) {
	train := &gr.rec.grads.train
	for next := []*graph.Value{v}; len(next) > 0; {
		v := next[len(next)-1]
		next = next[:len(next)-1]
		if train.looked[v] || gr.rec.grads.states[v] != gradNo {
			continue
		}
		train.looked[v] = true
		if gr.rec.grads.cut[v] != "" {
			if gr.cutsGraph(v) {
				train.cuts = append(train.cuts, v)
			}
			continue
		}
		if v.Def != nil {
			for _, a := range v.Def.Args {
				graph.Operands(a.Value, func(w *graph.Value) { next = append(next, w) })
			}
		}
	}
}

// hidesGradients notes that something unknown is given tensors: it may compute their gradients.
func (gr *gradients) hidesGradients(args []value.Value, kw []value.Kw) {
	tensorsIn(args, kw, func(t *value.Tensor) {
		if gr.gradOf(t) != gradNo {
			gr.rec.grads.train.blind = true
		}
	})
}

// untrained reports the parameters that steps leave as they are.
func (gr *gradients) untrained() {
	g := &gr.rec.grads
	if g.train.blind || len(g.train.cuts) == 0 || len(g.train.stepped) == 0 || hasErrors(gr.sink.All()) {
		return
	}
	told := map[source.Span]bool{}
	for _, cut := range g.train.cuts {
		lost := gr.behind(cut)
		if len(lost) == 0 || told[cut.At] {
			continue
		}
		told[cut.At] = true
		d := diag.New(diag.Untrained, cut.At,
			fmt.Sprintf("no loss reaches the parameters behind this, of which %s is one: the graph is cut here, and the optimiser's steps leave them as they are",
				lost[0].Type.String()))
		for i, p := range lost {
			if p.At.IsValid() && (i == 0 || p.At != lost[0].At) && len(d.Related) < maxCuts {
				d.Related = append(d.Related, diag.Related{At: p.At, Msg: fmt.Sprintf("%s is made here", p.Type.String())})
			}
		}
		d.Related = append(d.Related, diag.Related{At: g.train.stepped[lost[0]], Msg: "the optimiser steps here"})
		gr.host.Report(d)
	}
}

// behind gives the parameters that a cut tensor is computed from, that are stepped, and that no
// backward() has reached nor the program written.
func (gr *gradients) behind(cut *graph.Value) (lost []*graph.Value) {
	g := &gr.rec.grads
	seen := map[*graph.Value]bool{}
	for next := []*graph.Value{cut}; len(next) > 0; {
		v := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if _, ok := g.train.stepped[v]; ok {
			if g.reached[v] || slices.ContainsFunc(g.writes, func(w tensorWrite) bool { return w.memory == v }) {
				continue
			}
			lost = append(lost, v)
		}
		if v.Def != nil {
			for _, a := range v.Def.Args {
				graph.Operands(a.Value, func(w *graph.Value) { next = append(next, w) })
			}
		}
	}
	slices.SortFunc(lost, func(a, b *graph.Value) int { return cmp.Compare(a.ID, b.ID) })
	return lost
}
