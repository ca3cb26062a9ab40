package infer

// This file tells when a loop of a script changes nothing new any more. A turn of it is watched: if all that it wrote has the
// form that it had before (numbers, texts and the elements of tensors apart), the turns that are left are summed up as those of
// an unknown number are. What grows by the same amount in each turn has its value after the last one.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

const (
	// steadySteps is what the turns of a while loop may take before one of them is watched: it may end at any time, and what it leaves is
	// known then. The turns that are left of a for loop would take as much as would end its being run turn by turn (loopSteps).
	steadySteps = 100_000
	// steadyTurns is the number of turns that are run at least: what an optimiser keeps is there after the first.
	steadyTurns = 3
	// maxWatched bounds the turns that are watched: a loop that is not steady after some turns will rarely become so.
	maxWatched = 4
)

// A watch watches turns of a loop.
type watch struct {
	in      *Interp
	start   loopStart
	watched int
	steady  bool
	// last is the number of steps at the beginning of the last turn: the first one reads functions that the others have read.
	last int
}

// newWatch watches a loop; nil where each turn is run, since a model may be made of the run.
func (in *Interp) newWatch(f *frame) *watch {
	if in.cfg.Script == nil || f.prelude || f.gen != nil || len(in.tracers.all) > 0 || in.deciding.decisions != nil || in.retraces.graph ||
		in.cfg.Unroll == UnrollAlways || in.trial > 0 {
		return nil
	}
	return &watch{in: in, start: in.entry.startLoop()}
}

// turn begins to watch turn number n; end is to be called after it, with whether it came to its end. rest is the number of
// turns that are left, or below 0. A loop of numbers alone is run: nothing of it is to be lost.
func (w *watch) turn(n int, rest int64) (end func(whole bool)) {
	if w == nil || w.steady || n < steadyTurns || w.watched >= maxWatched {
		return func(bool) {}
	}
	steps, last := w.in.spent.steps-w.start.steps, w.in.spent.steps-w.last
	w.last = w.in.spent.steps
	if rest < 0 && steps < steadySteps || rest >= 0 && (n == steadyTurns || float64(last)*float64(rest) < loopSteps) {
		return func(bool) {}
	}
	w.watched++
	typed := w.in.rec.typed
	m := w.in.heap.Mark()
	depth := w.in.heap.Depth()
	return func(whole bool) {
		if whole && w.in.heap.Depth() == depth {
			w.steady = w.in.rec.typed > typed && w.same(m)
		}
		w.in.heap.Drop(m)
	}
}

// same reports whether all that changed since m has its form still.
func (w *watch) same(m value.Mark) bool {
	before := map[value.Mutable]any{}
	for _, ch := range w.in.heap.Before(m) {
		before[ch.Obj] = ch.Contents
	}
	for _, ch := range w.in.heap.Changes(m) {
		visit := &value.Visit{Repeats: value.SomeRepeats}
		same := func(a, b value.Value) bool { return sameForm(visit, a, b) }
		if l, ok := ch.Obj.(*value.List); ok && l.Open == nil {
			if !w.grownAlike(before[ch.Obj], l, same) {
				return false
			}
			continue
		}
		if !value.SameContents(before[ch.Obj], ch.Contents, same) {
			return false
		}
	}
	return true
}

// grownAlike reports whether a list has the elements that it had, and others of their form: numbers, texts or tensors, which
// nothing tells apart.
func (w *watch) grownAlike(before any, l *value.List, same func(a, b value.Value) bool) bool {
	old, ok := value.ElemsOf(before)
	if !ok || len(old) > len(l.Elems) {
		return false
	}
	for i, v := range l.Elems {
		switch {
		case i < len(old):
			if !same(old[i], v) {
				return false
			}
		case i == 0 || !isScalar(v) || !same(l.Elems[i-1], v):
			return false
		}
	}
	return true
}

func isScalar(v value.Value) bool {
	switch v.(type) {
	case value.Int, value.Float, *value.SymInt, *value.SymFloat:
		return true
	}
	return false
}

// sameSizes reports whether two tensors have the same type, but for sizes that data decides.
func sameSizes(a, b *graph.TensorType) bool {
	if a.DType != b.DType || a.Ranked != b.Ranked || len(a.Shape) != len(b.Shape) {
		return false
	}
	fresh := func(d symshape.Dim) bool { return slices.ContainsFunc(d.Expr.Symbols(), (*symshape.Expr).IsFresh) }
	for i, d := range a.Shape {
		if d.Expr != b.Shape[i].Expr && (d.Expr == nil || b.Shape[i].Expr == nil || !fresh(d) || !fresh(b.Shape[i])) {
			return false
		}
	}
	return true
}

// sameForm reports whether two values differ in numbers, texts or the elements of tensors at most.
func sameForm(w *value.Visit, a, b value.Value) bool {
	if a == b || a != nil && b != nil && same(a, b) {
		return true
	}
	if a == nil || b == nil {
		return false
	}
	if !w.Enter(a) {
		return false
	}
	defer w.Leave()
	all := func(x, y []value.Value) bool {
		if len(x) != len(y) {
			return false
		}
		for i := range x {
			if !sameForm(w, x[i], y[i]) {
				return false
			}
		}
		return true
	}
	part := func(a, b value.Value) bool { return sameForm(w, a, b) }
	switch x := a.(type) {
	case value.Int, *value.SymInt:
		switch b.(type) {
		case value.Int, *value.SymInt:
			return true
		}
	case value.Float, *value.SymFloat:
		switch b.(type) {
		case value.Float, *value.SymFloat:
			return true
		}
	case value.Str, *value.Abstract:
		switch y := b.(type) {
		case value.Str:
			s, ok := x.(*value.Abstract)
			return !ok || s.Class.Name == "str"
		case *value.Abstract:
			s, ok := x.(*value.Abstract)
			return ok && s.Class == y.Class || !ok && y.Class.Name == "str"
		}
	case value.Bool, *value.SymBool:
		_, sym := b.(*value.SymBool)
		_, symA := a.(*value.SymBool)
		return sym && symA
	case *value.Unknown:
		_, ok := b.(*value.Unknown)
		return ok
	case *value.Tensor:
		y, ok := b.(*value.Tensor)
		return ok && x.Class == y.Class && sameSizes(x.Type(), y.Type())
	case *value.Tuple:
		y, ok := b.(*value.Tuple)
		return ok && x.Class == y.Class && all(x.Elems, y.Elems)
	case *value.List:
		y, ok := b.(*value.List)
		return ok && x.Class == y.Class && value.SameContents(value.Contents(x), value.Contents(y), part)
	case *value.Dict:
		y, ok := b.(*value.Dict)
		return ok && x.Class == y.Class && value.SameContents(value.Contents(x), value.Contents(y), part)
	case *value.Instance:
		y, ok := b.(*value.Instance)
		return ok && x.Class == y.Class && x.Payload == nil && y.Payload == nil &&
			value.SameContents(value.Contents(x.Attrs), value.Contents(y.Attrs), part)
	case *value.Iterator:
		y, ok := b.(*value.Iterator)
		return ok && x.Name == y.Name
	case *value.Module, *value.Class, *value.Func:
		return false
	}
	return false
}

// settled reports whether a turn changed nothing new.
func (w *watch) settled() bool { return w != nil && w.steady }

// rangeFrom gives the part of a range that begins with one of its elements; nil for other iterables.
func rangeFrom(seq, first value.Value) *value.Range {
	r, ok := seq.(*value.Range)
	_, known := first.(value.Int)
	if !ok || !known {
		return nil
	}
	return &value.Range{Start: first, Stop: r.Stop, Step: r.Step}
}

// left is the number of elements of a range of numbers; 0 where it is not known.
func left(in *Interp, r *value.Range) int64 {
	if r == nil {
		return 0
	}
	start, ok1 := value.AsInt(r.Start)
	stop, ok2 := value.AsInt(r.Stop)
	step, ok3 := value.AsInt(r.Step)
	if !ok1 || !ok2 || !ok3 || step == 0 {
		return 0
	}
	return max((stop-start)/step, 0)
}

// sumUp runs the turns of a loop that are left as those of an unknown number. Its variable has the last element behind it.
func (in *Interp) sumUp(f *frame, s *ast.For, base int, r *value.Range, count *tripCount) (flow, error) {
	count.unknown()
	it, last := in.world.OpenRange(in, r)
	index := indexOf(in, it.Open)
	leaves := slices.ContainsFunc(s.Body, func(b ast.Stmt) bool { return mayQuit(b) })
	return in.flow.openLoop(f, base, it.Open, index, func() (flow, bool, error) {
		in.flow.assumeFact(it.Open.Fact)
		elem, err := in.flow.element(it.Open, index)
		if err != nil {
			return next, false, err
		}
		if err := in.assign(f, s.Target, elem); err != nil {
			return next, false, err
		}
		in.recordTarget(f, s, s.Target, elem)
		fl, err := in.block(f, s.Body)
		return fl, true, err
	}, func() (flow, error) {
		if name, ok := s.Target.(*ast.Name); ok && !leaves && !writes(s.Body, name.ID) {
			if err := in.assign(f, s.Target, last); err != nil {
				return next, err
			}
		}
		return in.block(f, s.Else)
	})
}

// writes reports whether statements may write a variable.
func writes(body []ast.Stmt, name string) bool {
	found := false
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			if x, ok := n.(*ast.Name); ok && x.ID == name && x.Ctx != ast.Load {
				found = true
			}
			return !found
		})
	}
	return found
}
