package infer

// This file keeps loops over ranges of known length as loops of the typed graph
// (Config.Unroll "never"), where that loses nothing: the loop is run as one of unknown
// length first, and if then something that it leaves is not known, or has a size that
// only the loop knows, all is taken back and the iterations run one by one.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// Values of Config.Unroll.
const (
	UnrollAuto   = "auto"
	UnrollNever  = "never"
	UnrollAlways = "always"
)

// keep runs a loop over a known range as a loop of the typed graph, and reports
// whether it could.
func (in *Interp) keep(f *frame, s *ast.For, seq value.Value) (fl flow, kept bool, err error) {
	r, ok := seq.(*value.Range)
	if !ok || in.cfg.Unroll != UnrollNever || f.prelude || in.build.InSetup() || in.trial > 0 || in.quiet > 0 {
		return next, false, nil
	}
	it, last := in.world.OpenRange(in, r)
	if n, known := it.Open.Len.Const(); !known || n < 2 {
		return next, false, nil
	}
	depth, region := in.heap.Depth(), in.build.Region()
	m := in.heap.Mark()
	before, sink, rec, mark, ret := in.path, in.sink.Len(), in.rec.mark(), in.build.Mark(), f.ret
	typed, open, pendings, symbols := in.rec.typed, in.rec.open, len(in.pendings), len(in.pool.Symbols())
	gaps := len(in.build.Graph().Incomplete)
	index := indexOf(in, it.Open)
	fl, err = in.openLoop(f, len(in.pendings), it.Open, index, func() (flow, bool, error) {
		in.assumeFact(it.Open.Fact)
		if err := in.assign(f, s.Target, it.Open.Elem); err != nil {
			return next, false, err
		}
		in.recordTarget(f, s, s.Target, it.Open.Elem)
		fl, err := in.block(f, s.Body)
		return fl, true, err
	}, func() (flow, error) { return in.block(f, s.Else) })
	if fatal(err) {
		return next, true, err
	}
	if err == nil && fl == next { // the target keeps the last element
		err = in.assign(f, s.Target, last)
	}
	uniform := err == nil && fl == next && in.sink.Len() == sink && len(in.pendings) == pendings &&
		len(in.rec.causes) == rec.causes && len(in.build.Graph().Incomplete) == gaps
	if uniform {
		w := knower{fresh: map[*symshape.Expr]bool{}}
		for _, x := range in.pool.Symbols()[symbols:] {
			w.fresh[x] = true
		}
		w.fresh[index.D.Expr] = true
		for _, c := range in.heap.Changes(m) {
			value.MapContents(c.Contents, w.value, w.dim)
			if t, ok := c.Obj.(*value.Tensor); ok {
				w.value(t)
			}
		}
		uniform = !w.lost
	}
	if uniform {
		in.heap.Close(m)
		return fl, true, nil
	}
	in.heap.Rollback(m)
	in.heap.CloseTo(depth) // exceptions may be pending
	in.build.Leave(region)
	in.build.Discard(mark)
	in.build.Graph().Incomplete = in.build.Graph().Incomplete[:gaps]
	in.path, in.pendings, f.ret = before, in.pendings[:min(pendings, len(in.pendings))], ret
	in.sink.Truncate(sink)
	in.rec.rollback(rec)
	in.rec.typed, in.rec.open = typed, open
	in.noteUnrolled(s.Span())
	return next, false, nil
}

// noteUnrolled lists a loop that could not be kept, once.
func (in *Interp) noteUnrolled(at source.Span) {
	for _, x := range in.unrolled {
		if x == at {
			return
		}
	}
	in.unrolled = append(in.unrolled, at)
}

// A knower looks for what is not known of values, or known to a loop alone.
type knower struct {
	fresh map[*symshape.Expr]bool
	lost  bool
}

func (w *knower) dim(d symshape.Dim) symshape.Dim {
	if d.Expr == nil && !d.Known {
		w.lost = true
	}
	w.symbols(d.Expr.Symbols())
	return d
}

func (w *knower) symbols(list []*symshape.Expr) {
	for _, s := range list {
		w.lost = w.lost || w.fresh[s]
	}
}

func (w *knower) value(v value.Value) value.Value {
	for x := range value.Walk(v, value.Deep, value.Sequences|value.OpenElems) {
		w.addPart(x)
	}
	return v
}

// addPart looks for what is not known in a part of a value: a loop that would lose more than it keeps is run
// turn by turn instead.
func (w *knower) addPart(v value.Value) {
	switch v := v.(type) {
	case *value.Unknown, *value.Choice:
		w.lost = true
	case *value.SymInt:
		w.dim(v.D)
	case *value.SymFloat:
		if v.R.Known() {
			w.symbols(v.R.Symbols())
		}
		w.lost = w.lost || !v.R.Known() && !v.Known
	case *value.SymBool:
		w.symbols(v.Cond.Symbols())
	case *value.Tensor:
		t := v.Type()
		w.lost = w.lost || !t.Ranked || t.DType == 0
		for _, d := range t.Shape {
			w.dim(d)
		}
	case *value.List:
		if v.Open != nil {
			w.dim(v.Open.Len)
			w.lost = w.lost || v.Open.Seq == nil
		}
	}
}
