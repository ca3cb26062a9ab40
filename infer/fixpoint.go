package infer

// This file holds what stands for the state of a loop of unknown length: the
// values and symbols that change from iteration to iteration.
//
// It also counts the iterations of while loops such as "while len(out) < n", in
// which a number that the loop is left by changes by the same amount each time.
//
// It also replaces symbols in values: at the end of a loop, by what they came to.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// A carried is a value that a loop carries from iteration to iteration.
type carried struct {
	param      *graph.Value
	init, next graph.Operand // a nil next: unchanged
}

// A fixpoint is the state of a loop that is being brought to rest.
type fixpoint struct {
	in *Interp
	// syms are the symbols that stand for what changes; numbers holds those that
	// the program reads, params the tensors and lists.
	syms    map[*symshape.Expr]bool
	numbers map[*symshape.Expr]*carried
	params  map[*graph.Value]*carried
	bools   map[*symshape.Cond]*carried
	order   []*carried
	// start is what a symbol stood for before the first iteration, step what an
	// iteration adds to it; a nil step is not constant.
	start, step map[*symshape.Expr]*symshape.Expr
	// next is what the last round leaves for the next turn, where that is one thing.
	next map[*symshape.Expr]*symshape.Expr
	// unborn are the tensors and numbers that variables hold at the end of the first
	// iteration which were not bound before it.
	unborn map[any]bool
	// elements are the values that stand for the elements of a list.
	elements map[*graph.Value]bool
	// texts are the values that stand for texts that change.
	texts  map[*value.Abstract]bool
	round  int
	region *graph.Region // the body
	gap    string        // what the typed graph does not show, or empty
}

// newFixpoint begins the search for the state that an open loop keeps from turn to turn.
func (cf *controlFlow) newFixpoint() *fixpoint {
	return &fixpoint{in: cf.in, syms: map[*symshape.Expr]bool{}, numbers: map[*symshape.Expr]*carried{}, params: map[*graph.Value]*carried{},
		bools: map[*symshape.Cond]*carried{}, unborn: map[any]bool{}, elements: map[*graph.Value]bool{}, texts: map[*value.Abstract]bool{},
		start: map[*symshape.Expr]*symshape.Expr{}, step: map[*symshape.Expr]*symshape.Expr{}}
}

// begin starts an iteration anew.
func (fx *fixpoint) begin() {
	for _, c := range fx.order {
		c.next = nil
	}
	fx.gap, fx.next = "", map[*symshape.Expr]*symshape.Expr{}
}

// born notes what a variable holds that was not bound before the loop.
func (fx *fixpoint) born(v value.Value) {
	for x := range value.Walk(v, value.Deep, value.TupleElems) {
		switch x := x.(type) {
		case *value.Tensor:
			fx.unborn[x.V] = true
		case *value.SymInt:
			fx.unborn[x.D.Expr] = true
		}
	}
}

// carry makes a value a loop-carried one: a parameter of the Loop's body, with its first value and the one of
// the next turn.
func (fx *fixpoint) carry(param *graph.Value, init, next graph.Operand) *carried {
	c := &carried{param, init, next}
	fx.order = append(fx.order, c)
	return c
}

// goesOn notes what a carried value is in the next iteration; false when another
// place that it stands for says otherwise.
func (c *carried) goesOn(next graph.Operand) bool {
	if c.next != nil && c.next != next {
		return false
	}
	c.next = next
	return true
}

// number notes that the program reads a number d that changes: a before, b after
// the iteration.
func (fx *fixpoint) number(d symshape.Dim, a, b graph.Operand) symshape.Dim {
	if d.Expr == nil {
		fx.gap = "an integer that changes from iteration to iteration is not shown"
		return d
	}
	if !fx.syms[d.Expr] {
		return d
	}
	c := fx.numbers[d.Expr]
	if c == nil {
		if x, ok := a.(graph.Dim); ok && fx.unborn[x.Expr] {
			a = graph.Int(0) // nobody reads it before the first iteration
		}
		fx.numbers[d.Expr] = fx.carry(fx.in.build.Scalar(d.Expr, fx.in.Here()), a, b)
		return d
	}
	if comparableOperand(b) && c.goesOn(b) {
		return d
	}
	lo, hi := fx.in.path.facts.Range(d.Expr) // two numbers that were one until now
	e := fx.in.pool.FreshIn("u", lo, hi)
	fx.in.rec.data(e)
	fx.syms[e] = true
	fx.start[e], fx.step[e] = fx.start[d.Expr], nil
	fx.numbers[e] = fx.carry(fx.in.build.Scalar(e, fx.in.Here()), c.init, b)
	return symshape.Dim{Expr: e}
}

// comparableOperand reports whether == is defined for an operand.
func comparableOperand(o graph.Operand) bool {
	switch o.(type) {
	case graph.List, graph.Tuple, graph.Dict:
		return false
	}
	return true
}

// sequence stands for a list to which iterations add.
func (fx *fixpoint) sequence(a, b graph.Operand, elem *graph.TensorType) *graph.Value {
	if x, ok := a.(*graph.Value); ok {
		if c := fx.params[x]; c != nil && sameType(&x.Type, elem) && c.goesOn(b) {
			return x
		}
	}
	p := fx.in.build.NewValue(graph.SequenceKind, *elem, fx.in.Here())
	fx.params[p] = fx.carry(p, fx.initOf(a), b)
	return p
}

// entered notes that an iteration has run: what was so only before it is not so any more.
func (fx *fixpoint) entered() {
	for _, c := range fx.order {
		for cond, other := range fx.bools {
			if c != other || c.init != graph.Bool(true) || c.next != graph.Bool(false) {
				continue
			}
			if p, ok := fx.in.path.assume(fx.in.pool.Not(cond)); ok {
				fx.in.path = p
			}
		}
	}
}

// follows reports whether a tensor that an iteration writes into, from now to its
// contents afterwards, is there only when an iteration has run before: loss = 0; for
// …: loss += x. What is carried on then is what the variable holds.
func (fx *fixpoint) follows(t *value.Tensor, contents any) bool {
	c := fx.params[t.V]
	return c != nil && c.init == nil && t.V.Kind == graph.OptionalKind && sameType(&t.V.Type, &value.TensorOf(contents).V.Type)
}

// follow carries a tensor of follows on, where no variable does.
func (fx *fixpoint) follow(t *value.Tensor, after *graph.Value) {
	c := fx.params[t.V]
	switch {
	case c.next == nil:
		c.next = after
	case c.next != graph.Operand(after) && !fx.onePath(c.next, after):
		fx.gap = "a tensor that an iteration writes into is not shown"
	}
}

// onePath reports whether two results of a condition are the same tensor on its path
// on which an iteration has run before.
func (fx *fixpoint) onePath(a graph.Operand, b *graph.Value) bool {
	x, ok := a.(*graph.Value)
	if !ok || x.Def == nil || x.Def.Op != graph.If {
		return false
	}
	n := x.Def
	cond, _ := n.Args[0].Value.(graph.Cond)
	if cond.Cond == nil || fx.bools[cond.Cond] == nil && fx.bools[fx.in.pool.Not(cond.Cond)] == nil {
		return false
	}
	i := slices.Index(n.Outputs, x)
	for _, r := range n.Regions {
		if i >= 0 && i < len(r.Results) && (r.Results[i] == graph.Operand(b) || b.Def == n &&
			r.Results[i] == r.Results[slices.Index(n.Outputs, b)]) {
			return true
		}
	}
	return false
}

// initOf gives what stood before the loop where a stands.
func (fx *fixpoint) initOf(a graph.Operand) graph.Operand {
	if x, ok := a.(*graph.Value); ok {
		if c := fx.params[x]; c != nil {
			return c.init
		}
		if fx.unborn[x] {
			return nil
		}
	}
	return a
}

// sameInLoop compares abstractly: tensors are the same where one value of the
// typed graph stands for them.
func sameInLoop(a, b value.Value) bool {
	return sameInLoopIn(&value.Visit{Repeats: value.SomeRepeats}, a, b)
}

// sameInLoopIn is sameInLoop within a visit, which bounds the work for values that contain themselves. Two numbers of
// which nothing is known are the same: else no loop that makes one in each turn would reach its fixpoint.
func sameInLoopIn(w *value.Visit, a, b value.Value) bool {
	if a == b || a != nil && b != nil && same(a, b) {
		return true
	}
	if !w.Enter(a) {
		return false
	}
	defer w.Leave()
	part := func(a, b value.Value) bool { return sameInLoopIn(w, a, b) }
	switch x := a.(type) {
	case *value.Tensor:
		y, ok := b.(*value.Tensor)
		return ok && x.V == y.V
	case *value.Tuple:
		y, ok := b.(*value.Tuple)
		if !ok || len(x.Elems) != len(y.Elems) {
			return false
		}
		for i := range x.Elems {
			if !sameInLoopIn(w, x.Elems[i], y.Elems[i]) {
				return false
			}
		}
		return true
	case *value.List:
		y, ok := b.(*value.List)
		return ok && value.SameContents(value.Contents(x), value.Contents(y), part)
	case *value.Dict:
		y, ok := b.(*value.Dict)
		return ok && value.SameContents(value.Contents(x), value.Contents(y), part)
	case *value.SymInt: // two integers of which nothing is known
		y, ok := b.(*value.SymInt)
		return ok && x.D.Expr == nil && y.D.Expr == nil && !x.D.Known && !y.D.Known
	case *value.SymFloat:
		y, ok := b.(*value.SymFloat)
		return ok && !x.R.Known() && !y.R.Known() && !x.Known && !y.Known
	case *value.Unknown:
		y, ok := b.(*value.Unknown)
		return ok && x.One == y.One
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
	if old, seen := fx.next[s]; seen && old != after {
		fx.next[s] = nil
	} else {
		fx.next[s] = after
	}
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
// changed since m, by their values after trips iterations of the node loop.
func (fx *fixpoint) close(m value.Mark, trips *symshape.Expr, loop *graph.Node) {
	final := map[*symshape.Expr]*symshape.Expr{}
	for s := range fx.syms {
		if e := fx.grown(s, trips); e != nil {
			final[s] = e
		}
	}
	if len(final) == 0 {
		return
	}
	sub := &substitution{in: fx.in, final: final, done: map[value.Value]value.Value{}, outs: map[*graph.Value]*graph.Value{}}
	for i, c := range fx.order {
		sub.outs[c.param] = loop.Outputs[i]
	}
	for _, ch := range fx.in.heap.Changes(m) {
		fx.in.heap.Replace(ch.Obj, value.MapContents(ch.Contents, sub.value, sub.dim))
	}
}

// freshBool stands for a truth value that changes.
func (fx *fixpoint) freshBool(a, b value.Value) value.Value {
	x, y := operandOf(fx.in, a), operandOf(fx.in, b)
	if s, ok := a.(*value.SymBool); ok {
		if c := fx.bools[s.Cond]; c != nil && c.goesOn(y) {
			return a
		} else if c != nil {
			x = c.init
		}
	}
	t, c := fx.flag(x)
	c.next = y
	return t
}

// flag makes a truth value that the loop carries.
func (fx *fixpoint) flag(init graph.Operand) (*value.SymBool, *carried) {
	t := fx.in.DataBool(nil)
	c := fx.carry(fx.in.build.Scalar(t.Cond.Symbols()[0], fx.in.Here()), init, nil)
	fx.bools[t.Cond] = c
	return t, c
}

// lost is the join of two values without a common abstraction.
func (fx *fixpoint) lost(a, b value.Value) value.Value {
	if c, ok := a.(*value.Choice); ok && fx.bools[c.Cond] != nil {
		flag := fx.bools[c.Cond]
		j := fx.in.newJoiner(c.Cond)
		j.loop = fx
		if sameKind(c.Then, b) && flag.goesOn(graph.Bool(true)) {
			return fx.rechoose(c, j.value(c.Then, b), c.Else)
		}
		if sameKind(c.Else, b) && flag.goesOn(graph.Bool(false)) {
			return fx.rechoose(c, c.Then, j.value(c.Else, b))
		}
		if d, ok := b.(*value.Choice); ok {
			switch {
			case sameKind(c.Then, d.Then) && sameKind(c.Else, d.Else) && flag.goesOn(graph.Cond{Cond: d.Cond}):
				return fx.rechoose(c, j.value(c.Then, d.Then), j.value(c.Else, d.Else))
			case sameKind(c.Then, d.Else) && sameKind(c.Else, d.Then) && flag.goesOn(graph.Cond{Cond: fx.in.pool.Not(d.Cond)}):
				return fx.rechoose(c, j.value(c.Then, d.Else), j.value(c.Else, d.Then))
			}
			if x, when, y := fx.split(b, c.Then); x != nil && y != nil && sameKind(c.Else, y) && flag.goesOn(graph.Cond{Cond: when}) {
				return fx.rechoose(c, j.value(c.Then, x), j.value(c.Else, y))
			}
		}
		return fx.in.Unknown("it changes from iteration to iteration")
	}
	if text := fx.text(a, b); text != nil {
		return text
	}
	if fx.round > 2 {
		return fx.in.Unknown("it changes from iteration to iteration")
	}
	if c, ok := a.(*value.Choice); ok {
		if v := fx.chosenBefore(c, b); v != nil {
			return v
		}
	}
	if d, ok := b.(*value.Choice); ok && sameKind(d.Then, a) != sameKind(d.Else, a) {
		// x = None; while …: if c: x = tensor
		other, cond := d.Then, d.Cond
		if sameKind(d.Then, a) {
			other, cond = d.Else, fx.in.pool.Not(d.Cond)
		}
		t, c := fx.flag(graph.Bool(true))
		c.next = graph.Cond{Cond: fx.in.pool.Not(cond)}
		return &value.Choice{Cond: t.Cond, Then: a, Else: fx.optional(other)}
	}
	if _, ok := b.(*value.Choice); ok { // if c: if d: x = tensor
		x, when, y := fx.split(b, a)
		if x == nil || y == nil || !sameInLoop(a, x) {
			return fx.in.Unknown("it changes from iteration to iteration")
		}
		t, c := fx.flag(graph.Bool(true))
		c.next = graph.Cond{Cond: when}
		return &value.Choice{Cond: t.Cond, Then: a, Else: fx.optional(y)}
	}
	t, c := fx.flag(graph.Bool(true))
	c.next = graph.Bool(false)
	return &value.Choice{Cond: t.Cond, Then: a, Else: fx.optional(b)}
}

// text stands for texts that differ; nil where one of the values is none.
func (fx *fixpoint) text(a, b value.Value) value.Value {
	if !fx.in.isStr(a) || !fx.in.isStr(b) {
		return nil
	}
	if x, ok := a.(*value.Abstract); ok && fx.texts[x] {
		return x
	}
	x := &value.Abstract{Class: fx.in.world.Class("str"), Cause: &value.Cause{At: fx.in.Here(),
		Reason: "a text that changes from iteration to iteration"}}
	fx.texts[x] = true
	return x
}

// isStr reports whether v is a str, or one of several.
func (in *Interp) isStr(v value.Value) bool {
	switch v := v.(type) {
	case value.Str:
		return true
	case *value.Abstract:
		return v.Class == in.world.Class("str")
	case *value.Choice:
		return in.isStr(v.Then) && in.isStr(v.Else)
	}
	return false
}

// chosenBefore joins one of two values that stood before the loop with what an iteration
// makes of it.
func (fx *fixpoint) chosenBefore(c *value.Choice, b value.Value) value.Value {
	for _, side := range [...]value.Value{c.Then, c.Else} {
		if _, nested := side.(*value.Choice); nested {
			return nil
		}
	}
	x, when, y := fx.split(b, c.Then)
	if x == nil && y == nil || y != nil && !sameKind(c.Else, y) {
		return nil
	}
	t, flag := fx.flag(graph.Cond{Cond: c.Cond})
	flag.next = graph.Cond{Cond: when}
	j := fx.in.newJoiner(t.Cond)
	j.loop = fx
	out := &value.Choice{Cond: t.Cond, Then: c.Then, Else: c.Else}
	if x != nil {
		out.Then = j.value(c.Then, x)
	}
	if y != nil {
		out.Else = j.value(c.Else, y)
	}
	return out
}

// split divides the values that v may be by their kind: x are those of the kind of
// like, which it is when the condition holds, y the others; nil where there are none
// or where they have no common abstraction.
func (fx *fixpoint) split(v, like value.Value) (x value.Value, when *symshape.Cond, y value.Value) {
	p := fx.in.pool
	c, ok := v.(*value.Choice)
	if !ok {
		if sameKind(v, like) {
			return v, p.Bool(true), nil
		}
		return nil, p.Bool(false), v
	}
	xa, wa, ya := fx.split(c.Then, like)
	xb, wb, yb := fx.split(c.Else, like)
	if xa == nil && ya == nil || xb == nil && yb == nil {
		return nil, nil, nil
	}
	x, okX := fx.either(c.Cond, xa, xb)
	y, okY := fx.either(c.Cond, ya, yb)
	if !okX || !okY {
		return nil, nil, nil
	}
	return x, p.Or(p.And(c.Cond, wa), p.And(p.Not(c.Cond), wb)), y
}

// either joins two values of an iteration at its end, where a stands when cond holds.
func (fx *fixpoint) either(cond *symshape.Cond, a, b value.Value) (value.Value, bool) {
	if a == nil {
		return b, true
	}
	if b == nil {
		return a, true
	}
	outer := fx.in.build.Enter(fx.region)
	defer fx.in.build.Leave(outer)
	j := fx.in.newJoiner(cond)
	v := j.value(a, b)
	j.emit(graph.Cond{Cond: cond}, &graph.Region{}, &graph.Region{})
	_, choice := v.(*value.Choice)
	return v, !choice
}

// optional stands for a tensor that there is not before the first iteration.
func (fx *fixpoint) optional(v value.Value) value.Value {
	t, ok := v.(*value.Tensor)
	if !ok {
		return v
	}
	p := fx.in.build.NewValue(graph.OptionalKind, t.V.Type, fx.in.Here())
	p.Name = t.V.Name
	fx.params[p] = fx.carry(p, nil, t.V)
	return &value.Tensor{Header: fx.in.heap.Header(), Class: t.Class, V: p}
}

// rechoose keeps a choice whose values stayed the same in the turn.
func (fx *fixpoint) rechoose(c *value.Choice, x, y value.Value) value.Value {
	if sameInLoop(x, c.Then) && sameInLoop(y, c.Else) {
		return c
	}
	return &value.Choice{Cond: c.Cond, Then: x, Else: y}
}

// sameKind reports whether two values can be one carried value.
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

// element stands for any of a list's elements: it is no value that the body is given.
func (fx *fixpoint) element(a, b *graph.Value) *graph.Value {
	j := fx.in.newJoiner(nil)
	j.loop = fx
	t := j.types(&a.Type, &b.Type)
	if fx.elements[a] && sameType(&a.Type, &t) {
		return a
	}
	p := fx.in.build.NewValue(a.Kind, t, fx.in.Here())
	fx.elements[p] = true
	return p
}

// param stands for a tensor that changes: a parameter of the loop's body.
func (fx *fixpoint) param(a, b *graph.Value) *graph.Value {
	j := fx.in.newJoiner(nil)
	j.loop = fx
	t := j.types(&a.Type, &b.Type)
	c := fx.params[a]
	if c != nil && sameType(&a.Type, &t) && c.goesOn(b) {
		return a
	}
	p := fx.in.build.NewValue(a.Kind, t, fx.in.Here())
	if b.Kind == graph.OptionalKind {
		p.Kind = b.Kind
	}
	p.Name = a.Name
	init := fx.initOf(a)
	if init == nil {
		p.Kind = graph.OptionalKind
	}
	fx.params[p] = fx.carry(p, init, b)
	return p
}

// grown is what a symbol stands for after k iterations, if that is known.
func (fx *fixpoint) grown(s, k *symshape.Expr) *symshape.Expr {
	d, start := fx.step[s], fx.start[s]
	if d == nil || start == nil || fx.syms[start] {
		return nil
	}
	return fx.in.pool.Add(start, fx.in.pool.Mul(d, k))
}

// trips counts the iterations of a loop that does nothing else than run its body until
// a test fails; nil when that is not known.
func (fx *fixpoint) trips(comps []*completion) *symshape.Expr {
	if len(comps) != 1 || comps[0].flow != exhausts || len(comps[0].changes) > 0 {
		return nil
	}
	p := fx.in.pool
	left := p.Not(comps[0].cond).NonNegative()
	if left == nil {
		return nil
	}
	for _, s := range left.Symbols() {
		// What an iteration makes anew is no number that the loop lessens.
		if s.IsFresh() && (!fx.syms[s] || fx.grown(s, p.Const(0)) == nil) {
			return nil
		}
	}
	after := func(k *symshape.Expr) *symshape.Expr {
		return p.Subst(left, func(s *symshape.Expr) *symshape.Expr { return fx.grown(s, k) })
	}
	k := p.FreshIn("k", 0, math.MaxInt32)
	by, ok := p.Sub(after(k), after(p.Add(k, p.Const(1)))).Const()
	if !ok || by <= 0 {
		return nil
	}
	return p.Max(p.Add(p.FloorDiv(after(p.Const(0)), p.Const(by)), p.Const(1)), p.Const(0))
}

// A substitution replaces symbols. Tensors keep their identity: they are
// changed in place, through the heap.
type substitution struct {
	in    *Interp
	final map[*symshape.Expr]*symshape.Expr
	done  map[value.Value]value.Value
	// outs are the outputs of the loop for the values that it carries.
	outs map[*graph.Value]*graph.Value
}

func (s *substitution) dim(d symshape.Dim) symshape.Dim {
	if d.Expr == nil {
		return d
	}
	touched := false
	for _, x := range d.Expr.Symbols() {
		touched = touched || s.final[x] != nil
	}
	if !touched {
		return d
	}
	return symshape.Dim{Expr: s.in.pool.Subst(d.Expr, func(x *symshape.Expr) *symshape.Expr {
		if e := s.final[x]; e != nil {
			return e
		}
		return x
	})}
}

func (s *substitution) value(v value.Value) value.Value {
	if v == nil {
		return nil
	}
	if out, ok := s.done[v]; ok {
		return out
	}
	if s.in.Enter("") != nil {
		return s.in.Unknown("values are nested too deeply")
	}
	defer s.in.Leave()
	s.done[v] = v // ends cycles
	out := s.replace(v)
	s.done[v] = out
	return out
}

// replace gives a value in which the sizes of the substitution are replaced. Tensors and containers that have an
// identity are changed in place; others are made anew where a part of them changes.
func (s *substitution) replace(v value.Value) value.Value {
	h := &s.in.heap
	switch v := v.(type) {
	case *value.SymInt:
		if d := s.dim(v.D); d != v.D {
			return value.FromDim(d)
		}
	case *value.Tensor:
		shape := make(symshape.Shape, len(v.Type().Shape))
		changed := false
		for i, d := range v.Type().Shape {
			shape[i] = s.dim(d)
			changed = changed || shape[i] != d
		}
		if changed {
			t := *v.Type()
			t.Shape = shape
			nv := s.outs[v.V]
			if nv == nil {
				nv = s.in.build.NewValue(graph.TensorKind, t, v.V.At)
				nv.Name = v.V.Name
			}
			nv.Type = t
			h.Touch(v)
			v.V = nv
		}
	case *value.Tuple:
		elems := make([]value.Value, len(v.Elems))
		changed := false
		for i, e := range v.Elems {
			elems[i] = s.value(e)
			changed = changed || elems[i] != e
		}
		if changed {
			return &value.Tuple{Class: v.Class, Elems: elems, Attrs: v.Attrs}
		}
	case *value.List:
		h.Replace(v, value.MapContents(value.Contents(v), s.value, s.dim))
	case *value.Dict:
		h.Replace(v, value.MapContents(value.Contents(v), s.value, s.dim))
	}
	return v
}
