package infer

// This file asks package advice what would make a failing call of library code right, and lets it try proposals in a state
// that is rolled back. What it proposes to change far from the call is for runs of the whole entry (check/numbers.go).

import (
	"errors"
	"strings"

	"shapecheck/infer/advice"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// Bounds of the search for suggestions: trials in a run, and steps of one trial.
const (
	maxAdviceRun   = 300
	maxAdviceSteps = 200_000
)

// An advisor holds what the search for suggestions keeps in a run.
type advisor struct {
	busy   bool // a trial runs
	trials int  // made in this run
	failed []advice.Layer
	// about is the fault that failed tells of.
	about *diag.Diagnostic
	// numbers are the changes to try when the run is over.
	numbers []*advice.Proposal
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
	in.advice.failed = append(in.advice.failed, advice.Layer{Inst: inst, Args: args, Kw: kw})
}

// faultOf is the diagnostic of a fault, or nil.
func faultOf(err error) *diag.Diagnostic {
	var e *value.Exception
	if errors.As(err, &e) {
		return e.Diag
	}
	return nil
}

// adviseCall looks for suggestions for a call that failed.
func (in *Interp) adviseCall(f *frame, e *ast.Call, fn value.Value, args []value.Value, kw []value.Kw, err error) {
	d := in.mayAdvise(f, e, err)
	if d == nil {
		return
	}
	var layers []advice.Layer
	if in.advice.about == d {
		layers = in.advice.failed
	}
	if s := advice.AtCall(in, d, e, fn, args, kw, layers); s != nil {
		in.advise(s)
	}
}

// advise looks for a fix of a fault, and else for numbers to try when the run is over.
func (in *Interp) advise(s *advice.Site) {
	if s.Fix() || in.cfg.Trial {
		return
	}
	if p := s.Numbers(); p != nil {
		in.advice.numbers = append(in.advice.numbers, p)
	}
}

// adviseBinary looks for suggestions for an operator that failed.
func (in *Interp) adviseBinary(f *frame, e *ast.BinOp, a, b value.Value, err error) {
	if d := in.mayAdvise(f, e, err); d != nil {
		in.advise(advice.AtBinary(in, d, e, a, b))
	}
}

// adviseInPlace looks for suggestions for an augmented assignment that failed.
func (in *Interp) adviseInPlace(f *frame, e *ast.AugAssign, a, b value.Value, err error) {
	if d := in.mayAdvise(f, e, err); d != nil {
		redo := func(a, b value.Value) (value.Value, error) { return in.inPlace(e.Op, a, b) }
		in.advise(advice.AtInPlace(in, d, e, a, b, redo))
	}
}

// mayAdvise gives the fault of the call at e when it is one to look into: made
// by library code that user code called there, and not caught by the program.
func (in *Interp) mayAdvise(f *frame, e ast.Node, err error) *diag.Diagnostic {
	d := faultOf(err)
	a := &in.advice
	if d == nil || f.prelude || a.busy || in.trial > 0 || in.quiet > 0 || d.At != e.Span() || len(d.Fixes) > 0 ||
		a.trials >= maxAdviceRun || in.caught(err) || in.entry.repeated(d) || in.sink.Has(d) {
		return nil
	}
	return d
}

// Try reports whether a call succeeds. Everything that it changes is rolled back.
func (in *Interp) Try(call func() (value.Value, error)) bool {
	if in.advice.trials >= maxAdviceRun {
		return false
	}
	in.advice.trials++
	m := in.heap.Mark()
	before, refused, sink, rec := in.path, in.refused, in.sink.Len(), in.rec.mark()
	typed, open, spent, limit, pendings := in.rec.typed, in.rec.open, in.spent, in.cfg.MaxSteps, len(in.pendings)
	outer := in.build.Enter(&graph.Region{})
	in.cfg.MaxSteps = min(in.cfg.maxSteps(), in.spent.totalSteps()+maxAdviceSteps)
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

var _ advice.Host = (*Interp)(nil)

// Files are those of the run.
func (in *Interp) Files() *source.FileSet { return in.files }

// Main is the entry's file, or nil.
func (in *Interp) Main() *source.File {
	if in.main == nil {
		return nil
	}
	return in.main.File
}

// Tree is the tree of a file that was parsed, or nil.
func (in *Interp) Tree(f *source.File) *ast.Module {
	if u := in.finder.parsed(f); u != nil {
		return u.tree
	}
	return nil
}

// Whole gives a function of a parsed file with its body.
func (in *Interp) Whole(def *ast.FunctionDef) *ast.FunctionDef { return in.finder.bodyOf(def) }

// Trees are the trees of the modules that the project consists of.
func (in *Interp) Trees() []*ast.Module {
	var out []*ast.Module
	seen := map[*source.File]bool{}
	for _, m := range in.modules {
		if m.File == nil || m.File.Prelude || seen[m.File] {
			continue
		}
		seen[m.File] = true
		if u := in.finder.parsed(m.File); u != nil && u.outline == nil {
			out = append(out, u.tree)
		}
	}
	return out
}

// proposals are those of the faults that are reported without a fix.
func (in *Interp) proposals() []advice.Proposal {
	var out []advice.Proposal
	for _, p := range in.advice.numbers {
		if len(p.Diag.Fixes) == 0 && in.sink.Has(p.Diag) {
			out = append(out, *p)
		}
	}
	return out
}

// respelling is the fix that writes another name for one that stands last at a place.
// Without that text there it has no edits.
func respelling(files *source.FileSet, better, name string, at source.Span, safe bool) diag.Fix {
	f := diag.Fix{Title: "did you mean " + better + "?"}
	if at := lastWord(files, at, name); at.IsValid() {
		f.Edits, f.Safe = []diag.Edit{{At: at, NewText: better}}, safe
	}
	return f
}

// lastWord is the place of a word at the end of a span, or none.
func lastWord(files *source.FileSet, at source.Span, word string) source.Span {
	if f := files.File(at.Start); f == nil || f.Prelude || !strings.HasSuffix(f.Slice(at), word) {
		return source.Span{}
	}
	return source.Span{Start: at.End - source.Pos(len(word)), End: at.End}
}

// inTuple proposes the first element of a tuple, when that has the attribute.
func (in *Interp) inTuple(v value.Value, name string, at source.Span) (diag.Fix, bool) {
	t, ok := v.(*value.Tuple)
	if !ok || len(t.Elems) == 0 || in.Enter("") != nil {
		return diag.Fix{}, false
	}
	defer in.Leave()
	if _, ok := t.Elems[0].(*value.Tensor); !ok || !in.Try(func() (value.Value, error) { return in.GetAttr(t.Elems[0], name) }) {
		return diag.Fix{}, false
	}
	f := diag.Fix{Title: "the first element of the tuple has it: [0] is missing"}
	if word := lastWord(in.files, at, name); word.IsValid() {
		if before, ok := strings.CutSuffix(in.SpanText(source.Span{Start: at.Start, End: word.Start}), "."); ok &&
			strings.TrimRight(before, " \t\r\n") == before {
			f.Edits = []diag.Edit{{At: source.Span{Start: word.Start - 1, End: word.Start - 1}, NewText: "[0]"}}
		}
	}
	return f, true
}
