package conformance

// This file compares the log of op applications with the recorded ops.

import (
	"fmt"
	"strings"

	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/infer/ops/catalog"
)

// A TraceOp is a recorded call of a torch function.
type TraceOp struct {
	Fn    string         `json:"fn"`
	At    *string        `json:"at"`
	M     *int           `json:"m"`
	In    []any          `json:"in"`
	Kw    map[string]any `json:"kw"`
	Out   any            `json:"out"`
	Lib   int            `json:"lib"`
	Error any            `json:"error"`
}

// implicit are calls that Python's protocols make without an expression of
// their own; the interpreter takes the values directly.
var implicit = map[string]bool{
	"torch.Tensor.__bool__": true, "torch.Tensor.__int__": true, "torch.Tensor.__float__": true, "torch.Tensor.__len__": true,
	"torch.Tensor.__index__": true, "torch.Tensor.unbind": true,
}

// isImplicit reports whether op i is such a call; iterating over a tensor asks
// for its dim first.
func (t *Trace) isImplicit(i int) bool {
	o := &t.Ops[i]
	if implicit[o.Fn] {
		return true
	}
	return o.Fn == "torch.Tensor.dim" && i+1 < len(t.Ops) && t.Ops[i+1].Fn == "torch.Tensor.unbind" && *t.Ops[i+1].At == *o.At
}

// place names an expression by its file and its end: the records start the call
// of a method at the method's name when that stands on a line of its own.
func place(at string) string {
	i, j := strings.LastIndexByte(at, '-'), strings.IndexByte(at, ':')
	if i < 0 || j < 0 || j > i {
		return at
	}
	return at[:j] + "-" + at[i+1:]
}

// A callSite is a function at a place; library code is apart from the user's own.
type callSite struct {
	at  string
	op  string
	lib bool
}

// compareOps compares every recorded op with ours at the same place.
func compareOps(r *ZooResult, t *Trace, res *infer.Result, m *matcher) {
	ours := map[callSite][]*infer.OpCall{}
	for _, o := range res.Ops {
		if at := record.Span(res.Files, o.At); at != nil {
			k := callSite{place(*at), canonical(o.Name), o.Lib}
			ours[k] = append(ours[k], o)
		}
	}
	recorded := map[callSite][]int{}
	var sites []callSite
	for i := range t.Ops {
		o := &t.Ops[i]
		if o.At == nil {
			continue
		}
		k := callSite{place(*o.At), canonical(o.Fn), o.Lib != 0}
		if len(ours[k]) == 0 && t.isImplicit(i) {
			if o.Fn == "torch.Tensor.unbind" { // of unknown length: one select stands for all
				delete(ours, callSite{k.at, "torch.select", k.lib})
			}
			continue
		}
		if len(recorded[k]) == 0 {
			sites = append(sites, k)
		}
		recorded[k] = append(recorded[k], i)
	}
	for _, k := range sites {
		r.compareSite(t, m, recorded[k], ours[k])
	}
	if t.Error == nil {
		r.compareUnrecorded(recorded, ours)
	}
}

// unrecorded are the functions whose calls the records lack: those that tell
// nothing of shapes, and indexing, of which PyTorch 1.13 shows the recorder only
// the calls with a tuple.
var unrecorded = map[string]bool{
	"torch.Tensor.__getitem__": true, "torch.Tensor.__setitem__": true, "torch._assert": true,
	"torch.Tensor.device.get": true, "torch.Tensor.dtype.get": true, "torch.Tensor.requires_grad.get": true,
	"torch.is_floating_point": true,
}

// compareUnrecorded finds calls that every run of ours makes at places where the
// record has none.
func (r *ZooResult) compareUnrecorded(recorded map[callSite][]int, ours map[callSite][]*infer.OpCall) {
	for k, calls := range ours {
		if len(recorded[k]) > 0 || unrecorded[k.op] {
			continue
		}
		for _, o := range calls {
			if !o.Maybe && len(o.Loops) == 0 {
				r.Ops.add(different)
				r.OpProblems = append(r.OpProblems, fmt.Sprintf("%s %s: the record has no such call", k.op, k.at))
			}
		}
	}
}

// compareSite compares the recorded calls of a function at a place with ours.
func (r *ZooResult) compareSite(t *Trace, m *matcher, recorded []int, ours []*infer.OpCall) {
	docs := make([]*opDoc, len(ours))
	steps, extra := align(len(recorded), ours, func(i, j int) (verdict, string) {
		if docs[j] == nil {
			docs[j] = document(ours[j])
		}
		return matchOp(m, docs[j], &t.Ops[recorded[i]])
	})
	for i, s := range steps {
		o := &t.Ops[recorded[i]]
		if o.Error == nil {
			r.opProblem(recorded[i], o, s.verdict, s.why)
		}
	}
	if t.Error == nil {
		for range extra {
			last := recorded[len(recorded)-1]
			r.opProblem(last, &t.Ops[last], different, "is called once more")
		}
	}
}

// An opDoc is a call of ours in the form of the record.
type opDoc struct {
	raised bool
	out    any
	in     []any
	kw     map[string]any
}

// document brings an operation of ours into the form of the recorded ones.
func document(o *infer.OpCall) *opDoc {
	d := &opDoc{raised: o.Out == nil, kw: map[string]any{}}
	if !d.raised {
		d.out = normal(record.Value(o.Out))
	}
	for _, a := range o.In {
		d.in = append(d.in, normal(record.Value(a)))
	}
	for _, k := range o.Kw {
		d.kw[k.Name] = normal(record.Value(k.Value))
	}
	return d
}

// matchOp compares results first and then arguments; the verdict is the worse one of both. An
// operation that raises must raise in both.
func matchOp(m *matcher, got *opDoc, want *TraceOp) (verdict, string) {
	switch {
	case got.raised && want.Error != nil:
		return equal, ""
	case got.raised:
		return different, "raises"
	case want.Error != nil:
		return different, "does not raise"
	}
	worst := m.match(got.out, want.Out)
	if worst > dataDependent {
		return worst, fmt.Sprintf("out %v, not %v", got.out, want.Out)
	}
	v, why := m.arguments(want.Fn, got, want)
	return max(worst, v), why
}

// canonical names the record of a function, so that x + y is torch.add.
func canonical(name string) string {
	if op, ok := catalog.Lookup(name); ok {
		return op.Names[0]
	}
	return name
}

func (r *ZooResult) opProblem(i int, o *TraceOp, v verdict, why string) {
	r.Ops.add(v)
	if v > dataDependent && len(r.OpProblems) < maxProblems {
		at := ""
		if o.At != nil {
			at = *o.At
		}
		r.OpProblems = append(r.OpProblems, fmt.Sprintf("op %d %s %s: %s", i, o.Fn, at, why))
	}
}
