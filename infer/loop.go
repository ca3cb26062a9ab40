package infer

// This file runs loops. A loop over known elements runs once for each. A loop
// whose number of iterations is not known runs its body from a state that is
// joined with what the body leaves, until that changes nothing (a fixpoint);
// sizes that differ from iteration to iteration become fresh symbols.

import (
	"errors"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

func (in *Interp) forStmt(f *frame, s *ast.For) (flow, error) {
	seq, err := in.eval(f, s.Iter)
	if err != nil {
		return next, err
	}
	f.at = s.Iter.Span()
	if c, ok := seq.(*value.Choice); ok {
		in.rec.assumed(&value.Cause{At: f.at, Reason: "one of two iterables"}, "loop over one of two iterables")
		seq = in.again(c.Then)
	}
	it, err := in.Iter(seq)
	if err != nil {
		v, err := in.settle(f, nil, err)
		if err != nil {
			return next, err
		}
		it = unknownIterator(v)
	}
	base := len(in.pendings)
	start := in.steps
	for n := 0; ; n++ {
		if err := in.Step(1); err != nil {
			return next, err
		}
		if it.Open != nil {
			open := it.Open
			if first := it.First; len(first) > 0 {
				it = in.firstThen(f, first, open)
				continue
			}
			fl, err := in.openLoop(f, base, open.Len, func() (flow, bool, error) {
				in.assumeFact(open.Fact)
				if err := in.assign(f, s.Target, open.Elem); err != nil {
					return next, false, err
				}
				in.recordTarget(f, s, s.Target, open.Elem)
				fl, err := in.block(f, s.Body)
				return fl, true, err
			}, func() (flow, error) { return in.block(f, s.Else) })
			return fl, err
		}
		f.at = s.Iter.Span()
		v, ok, err := it.Next(in)
		var more *value.OpenError
		if errors.As(err, &more) && more.Open != nil {
			it = &value.Iterator{Name: it.Name, Open: more.Open}
			continue
		}
		if err != nil {
			if _, err = in.settle(f, nil, err); err != nil {
				return in.endLoop(f, base, next, err)
			}
			return in.endLoop(f, base, next, nil)
		}
		if it.Open != nil {
			continue
		}
		if !ok {
			break
		}
		if k, ok := v.(value.Int); ok && in.enough(n, start) {
			it = &value.Iterator{Name: it.Name, Open: &value.Open{Elem: in.DataInt("i", int64(k), nil)}}
			continue
		}
		if err := in.assign(f, s.Target, v); err != nil {
			return in.endLoop(f, base, next, err)
		}
		in.recordTarget(f, s, s.Target, v)
		fl, err := in.block(f, s.Body)
		fl, err = in.merge(f, base, continues, fl, err)
		if err != nil {
			return in.endLoop(f, base, fl, err)
		}
		switch fl {
		case breaks:
			if it.Close != nil {
				if err := it.Close(in); err != nil {
					return next, err
				}
			}
			return in.endLoop(f, base, breaks, nil)
		case returns:
			if it.Close != nil {
				if err := it.Close(in); err != nil {
					return next, err
				}
			}
			return in.endLoop(f, base, returns, nil)
		}
	}
	fl, err := in.block(f, s.Else)
	return in.endLoop(f, base, fl, err)
}

// assumeFact adds what is known of a representative element to the facts.
func (in *Interp) assumeFact(c *symshape.Cond) {
	if c == nil {
		return
	}
	if facts, ok := in.path.facts.Assume(c); ok {
		in.path.facts = facts
	}
}

// endLoop joins what broke out of the loop with what came to its end.
func (in *Interp) endLoop(f *frame, base int, fl flow, err error) (flow, error) {
	if err != nil && (fatal(err) || in.caught(err)) {
		return next, err
	}
	fl, err = in.merge(f, base, breaks, fl, err)
	if err != nil {
		return next, err
	}
	if fl == breaks {
		return next, nil
	}
	return fl, nil
}

func unknownIterator(v value.Value) *value.Iterator {
	return &value.Iterator{Name: "iterator", Open: &value.Open{Elem: v}}
}

func (in *Interp) whileStmt(f *frame, s *ast.While) (flow, error) {
	base, exits := len(in.pendings), 0
	for n := 0; ; n++ {
		if err := in.Step(1); err != nil {
			return next, err
		}
		t, err := in.test(f, s.Test)
		if err != nil {
			return in.endLoop(f, base, next, err)
		}
		val, known := in.Holds(t)
		// A loop such as "while True" that never decides to leave is cut off:
		// after many iterations it is taken as one of unknown length; and after
		// few of them when each may have been the last, which costs more.
		if !known || n > in.cfg.maxIterations() || exits > maxUndecidedExits {
			return in.openLoop(f, base, symshape.Dim{}, func() (flow, bool, error) {
				t, err := in.test(f, s.Test)
				if err != nil {
					return next, false, err
				}
				if val, known := in.Holds(t); known {
					if !val {
						return next, false, nil
					}
				} else {
					p, ok := in.path.assume(in.cond(t))
					if !ok {
						return next, false, nil
					}
					in.path = p
				}
				fl, err := in.block(f, s.Body)
				return fl, true, err
			}, func() (flow, error) { return in.block(f, s.Else) })
		}
		if !val {
			break
		}
		open := len(in.pendings)
		fl, err := in.block(f, s.Body)
		fl, err = in.merge(f, base, continues, fl, err)
		if err != nil || fl == breaks || fl == returns {
			return in.endLoop(f, base, fl, err)
		}
		if len(in.pendings) > open {
			exits++
		}
	}
	fl, err := in.block(f, s.Else)
	return in.endLoop(f, base, fl, err)
}

// maxUndecidedExits bounds the iterations of a while loop that are run one by one
// although each of them may leave the loop.
const maxUndecidedExits = 32

// maxRounds bounds the iterations of a fixpoint. Joins only lose information, so
// a few suffice; what still changes then becomes unknown.
const maxRounds = 12

// A fixpoint is the state of a loop that is being brought to rest.
type fixpoint struct {
	in *Interp
	// syms are the symbols and params the values that stand for what changes from
	// iteration to iteration.
	syms   map[*symshape.Expr]bool
	params map[*graph.Value]bool
	inits  map[*graph.Value]*graph.Value // param → value before the loop
	bools  map[*symshape.Cond]bool
	// start is what a symbol stood for before the first iteration, step what an
	// iteration adds to it; a nil step is not constant.
	start, step map[*symshape.Expr]*symshape.Expr
	round       int
}

// openLoop runs a loop of unknown length; trips is the number of iterations where
// a symbol is known for it. body runs one iteration and reports
// whether it ran at all; els is the else clause.
func (in *Interp) openLoop(f *frame, base int, trips symshape.Dim, body func() (flow, bool, error), els func() (flow, error)) (flow, error) {
	fx := &fixpoint{in: in, syms: map[*symshape.Expr]bool{}, params: map[*graph.Value]bool{},
		inits: map[*graph.Value]*graph.Value{}, bools: map[*symshape.Cond]bool{}, start: map[*symshape.Expr]*symshape.Expr{}, step: map[*symshape.Expr]*symshape.Expr{}}
	before := in.path
	at := in.Here()
	var comps []*completion
	region := &graph.Region{}
	m := in.heap.Mark()
	ret := f.ret
	for {
		sink, rec := in.sink.Len(), in.rec.mark()
		*region = graph.Region{}
		outer := in.build.Enter(region)
		inner := in.heap.Mark()
		n := len(in.pendings)
		in.path = before
		leave := in.enterLoop()
		fl, ran, err := body()
		leave()
		if fatal(err) {
			in.build.Leave(outer)
			return next, err
		}
		if err == nil {
			fl, err = in.merge(f, n, continues, fl, nil)
			if fl == continues {
				fl = next
			}
		}
		self := &completion{flow: fl, frame: f, ret: f.ret, cond: in.DataBool(nil).Cond, region: region}
		comps = in.fold(n, inner, self, err, in.DataBool(nil).Cond) // in an iteration, if there is one
		in.build.Leave(outer)
		in.heap.Rollback(inner)
		in.heap.Close(inner)
		f.ret = ret
		in.path = before
		if err != nil { // an iteration that always raises is not entered
			if in.caught(err) {
				in.heap.Close(m)
				return next, err
			}
			self = nil
		}
		if self != nil && (fl == breaks || fl == returns) {
			comps = append(comps, self)
			self = nil
		}
		changed := false
		if self != nil && ran {
			j := in.newJoiner(self.cond)
			j.loop = fx
			for _, ch := range self.changes {
				old := value.Contents(ch.Obj)
				joined := value.JoinContents(ch.Obj, old, ch.Contents, j)
				if !value.SameContents(old, joined, sameInLoop) {
					changed = true
					in.heap.Replace(ch.Obj, joined)
				}
			}
		}
		fx.round++
		if !changed {
			break
		}
		if fx.round > maxRounds {
			in.Report(diag.New(diag.BudgetExceeded, at, "the state of this loop does not settle; what it changes is unknown"))
			break
		}
		in.sink.Truncate(sink)
		in.rec.rollback(rec)
	}
	for _, c := range comps {
		c.region = nil // part of the loop's body
	}
	in.emitLoop(region, fx)
	if len(comps) > 0 {
		in.build.Incomplete(at)
	}
	if trips.Expr != nil && len(comps) == 0 {
		fx.close(m, trips.Expr)
	}
	// The state is that at the head: zero or more iterations have run.
	var here []*completion
	var rest []*completion
	for _, c := range comps {
		if c.frame == f && c.flow == breaks {
			here = append(here, c)
		} else {
			rest = append(rest, c)
		}
	}
	fl, err := els()
	if fatal(err) {
		return fl, err
	}
	if err == nil && fl == next {
		for _, c := range here {
			j := in.newJoiner(c.cond)
			self := in.heap.Changes(m)
			in.heap.Rollback(m)
			for _, ch := range j.merge(c.changes, self) {
				in.heap.Replace(ch.Obj, ch.Contents)
			}
		}
	}
	if len(rest) > 0 {
		in.pendings = append(in.pendings, &pending{mark: m, path: before, comps: rest, outer: in.build.Region(), els: in.build.Region(), cond: rest[0].cond, test: rest[0].cond})
	} else {
		in.heap.Close(m)
	}
	return in.endLoop(f, base, fl, err)
}

// emitLoop records the Loop node.
func (in *Interp) emitLoop(r *graph.Region, fx *fixpoint) {
	if len(r.Nodes) == 0 {
		return
	}
	n := &graph.Node{Op: "loop", Regions: []*graph.Region{r}, At: in.Here(), Module: in.ModulePath()}
	var init graph.List
	for p := range fx.params {
		r.Params = append(r.Params, p)
	}
	sortValues(r.Params)
	for _, p := range r.Params {
		init = append(init, fx.inits[p])
	}
	n.Args = []graph.Arg{{Name: "init", Value: init}}
	in.build.Emit(n)
}

func sortValues(list []*graph.Value) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j].ID < list[j-1].ID; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// sameInLoop compares abstractly: two tensors of one type are the same.
func sameInLoop(a, b value.Value) bool {
	if a == b || a != nil && b != nil && same(a, b) {
		return true
	}
	switch x := a.(type) {
	case *value.Tensor:
		y, ok := b.(*value.Tensor)
		return ok && sameType(&x.V.Type, &y.V.Type)
	case *value.Tuple:
		y, ok := b.(*value.Tuple)
		if !ok || len(x.Elems) != len(y.Elems) {
			return false
		}
		for i := range x.Elems {
			if !sameInLoop(x.Elems[i], y.Elems[i]) {
				return false
			}
		}
		return true
	case *value.List:
		y, ok := b.(*value.List)
		return ok && value.SameContents(value.Contents(x), value.Contents(y), sameInLoop)
	case *value.Dict:
		y, ok := b.(*value.Dict)
		return ok && value.SameContents(value.Contents(x), value.Contents(y), sameInLoop)
	case *value.SymInt: // two integers of which nothing is known
		y, ok := b.(*value.SymInt)
		return ok && x.D.Expr == nil && y.D.Expr == nil && !x.D.Known && !y.D.Known
	case *value.SymFloat:
		y, ok := b.(*value.SymFloat)
		return ok && !x.R.Known() && !y.R.Known() && !x.Known && !y.Known
	case *value.Unknown:
		return value.IsUnknown(b)
	}
	return false
}

func sameType(a, b *graph.TensorType) bool {
	if a.DType != b.DType || a.Ranked != b.Ranked || len(a.Shape) != len(b.Shape) {
		return false
	}
	for i := range a.Shape {
		if a.Shape[i].Expr != b.Shape[i].Expr {
			return false
		}
	}
	return true
}

// freshDim stands for a size that changes from iteration to iteration.
func (fx *fixpoint) freshDim(a, b symshape.Dim) symshape.Dim {
	if fx.syms[a.Expr] {
		fx.grows(a.Expr, b.Expr)
		return a
	}
	// Growing sizes only grow, and shrinking ones only shrink: keep that bound.
	lo, hi := int64(symshape.NegInf), int64(symshape.PosInf)
	f := fx.in.path.facts
	alo, ahi := f.Range(a.Expr)
	blo, _ := f.Range(b.Expr)
	switch {
	case f.Decide(fx.in.pool.Ge(b.Expr, a.Expr)).Answer == symshape.Yes:
		lo = alo
	case f.Decide(fx.in.pool.Le(b.Expr, a.Expr)).Answer == symshape.Yes:
		hi = ahi
	}
	if lo < 0 && alo >= 0 && blo >= 0 {
		lo = 0
	}
	e := fx.in.pool.FreshIn("u", lo, hi)
	fx.in.rec.data(e)
	fx.syms[e] = true
	fx.start[e] = a.Expr
	return symshape.Dim{Expr: e}
}

// grows notes by how much an iteration changes what s stands for.
func (fx *fixpoint) grows(s, after *symshape.Expr) {
	d := fx.in.pool.Sub(after, s)
	if _, ok := d.Const(); !ok {
		fx.step[s] = nil
		return
	}
	if old, seen := fx.step[s]; seen && old != d {
		d = nil
	}
	fx.step[s] = d
}

// close replaces the symbols that grow by a constant in each iteration, in what
// changed since m, by their values after trips iterations.
func (fx *fixpoint) close(m value.Mark, trips *symshape.Expr) {
	p := fx.in.pool
	final := map[*symshape.Expr]*symshape.Expr{}
	for s := range fx.syms {
		if d := fx.step[s]; d != nil && fx.start[s] != nil && !fx.syms[fx.start[s]] {
			final[s] = p.Add(fx.start[s], p.Mul(d, trips))
		}
	}
	if len(final) == 0 {
		return
	}
	sub := &substitution{in: fx.in, final: final, done: map[value.Value]value.Value{}}
	for _, ch := range fx.in.heap.Changes(m) {
		fx.in.heap.Replace(ch.Obj, value.MapContents(ch.Contents, sub.value, sub.dim))
	}
}

// freshBool stands for a truth value that changes.
func (fx *fixpoint) freshBool(a, b value.Value) value.Value {
	if x, ok := a.(*value.SymBool); ok && fx.bools[x.Cond] {
		return a
	}
	t := fx.in.DataBool(nil)
	fx.bools[t.Cond] = true
	return t
}

// lost is the join of two values without a common abstraction.
func (fx *fixpoint) lost(a, b value.Value) value.Value {
	if c, ok := a.(*value.Choice); ok && fx.bools[c.Cond] {
		j := fx.in.newJoiner(c.Cond)
		j.loop = fx
		if sameKind(c.Then, b) {
			return fx.rechoose(c, j.value(c.Then, b), c.Else)
		}
		if sameKind(c.Else, b) {
			return fx.rechoose(c, c.Then, j.value(c.Else, b))
		}
		return fx.in.Unknown("it changes from iteration to iteration")
	}
	if fx.round > 2 {
		return fx.in.Unknown("it changes from iteration to iteration")
	}
	t := fx.in.DataBool(nil)
	fx.bools[t.Cond] = true
	return &value.Choice{Cond: t.Cond, Then: a, Else: b}
}

func (fx *fixpoint) rechoose(c *value.Choice, x, y value.Value) value.Value {
	if sameInLoop(x, c.Then) && sameInLoop(y, c.Else) {
		return c
	}
	return &value.Choice{Cond: c.Cond, Then: x, Else: y}
}

func sameKind(a, b value.Value) bool {
	if same(a, b) || isNumber(a) && isNumber(b) {
		return true
	}
	switch a.(type) {
	case *value.Tensor:
		_, ok := b.(*value.Tensor)
		return ok
	case *value.List:
		_, ok := b.(*value.List)
		return ok
	case *value.Tuple:
		_, ok := b.(*value.Tuple)
		return ok
	}
	return false
}

// param stands for a tensor that changes: a parameter of the loop's body.
func (fx *fixpoint) param(a, b *graph.Value) *graph.Value {
	j := fx.in.newJoiner(nil)
	j.loop = fx
	t := j.types(&a.Type, &b.Type)
	if fx.params[a] && sameType(&a.Type, &t) {
		return a
	}
	if t.DType == dtype.Unknown && a.Type.DType != dtype.Unknown {
		t.DType = dtype.Unknown
	}
	p := fx.in.build.NewValue(a.Kind, t, fx.in.Here())
	p.Name = a.Name
	fx.params[p] = true
	if fx.params[a] {
		delete(fx.params, a)
		fx.inits[p] = fx.inits[a]
	} else {
		fx.inits[p] = a
	}
	return p
}
