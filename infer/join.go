package infer

// This file joins values where two paths meet.
//
// Values without a common abstraction become one of several, of which there are few.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A joiner joins the values of two paths: the first holds under cond. The
// tensors it joins become the results of an If node.
type joiner struct {
	in    *Interp
	cond  *symshape.Cond
	phis  []phi
	memo  map[[2]value.Value]value.Value
	facts [2]*symshape.Facts // of the two paths, when something asked
	// sides are what each path changed, where that is not the state of the heap.
	sides [2]map[value.Mutable]any
	// first is as old as the condition: what is older may have other names.
	first value.Mark
	// loop is set while a loop is brought to a fixpoint; see loop.go.
	loop *fixpoint
	// elem is set for the elements of a list that the loop adds to.
	elem bool
}

// A phi is a value that differs between two branches: an output of the If node.
type phi struct {
	then, els graph.Operand
	out       *graph.Value
}

func (in *Interp) newJoiner(c *symshape.Cond) *joiner { return &joiner{in: in, cond: c} }

// Join joins two values of which either may be the case, without a condition
// that could tell them apart later.
func (in *Interp) Join(a, b value.Value) value.Value {
	j := in.newJoiner(in.DataBool(nil).Cond)
	return j.value(a, b)
}

// JoinIf gives a where c holds and b where it does not; the graph has an If node that tells them apart. It returns an
// error only where the run has reached a limit.
func (in *Interp) JoinIf(c *symshape.Cond, a, b value.Value) (value.Value, error) {
	return in.flow.fork(c, graph.Cond{Cond: c}, func() (value.Value, error) { return a, nil }, func() (value.Value, error) { return b, nil })
}

// between notes what each path changed.
func (j *joiner) between(a, b []value.Change) *joiner {
	for i, list := range [...][]value.Change{a, b} {
		j.sides[i] = make(map[value.Mutable]any, len(list))
		for _, ch := range list {
			j.sides[i][ch.Obj] = ch.Contents
		}
	}
	return j
}

// contentsOf gives the contents of an object on one of the two paths.
func (j *joiner) contentsOf(side int, o value.Mutable) any {
	if c, ok := j.sides[side][o]; ok {
		return c
	}
	return value.Contents(o)
}

// merge joins the changes of two branches relative to the present state. An object
// that was born since the condition at first belongs to the branch that lists it,
// if only one does.
func (j *joiner) merge(a, b []value.Change, first value.Mark) []value.Change {
	shared := func(o value.Mutable) bool { return first == value.Mark{} || first.Older(o) }
	inB := make(map[value.Mutable]any, len(b))
	for _, ch := range b {
		inB[ch.Obj] = ch.Contents
	}
	var out []value.Change
	for _, ch := range a {
		other, ok := inB[ch.Obj]
		switch {
		case ok:
			delete(inB, ch.Obj)
		case shared(ch.Obj):
			other = value.Contents(ch.Obj)
		default:
			out = append(out, ch)
			continue
		}
		out = append(out, value.Change{Obj: ch.Obj, Contents: value.JoinContents(ch.Obj, ch.Contents, other, j)})
	}
	for _, ch := range b {
		other, ok := inB[ch.Obj]
		switch {
		case ok && !shared(ch.Obj):
			out = append(out, ch)
		case ok:
			out = append(out, value.Change{Obj: ch.Obj, Contents: value.JoinContents(ch.Obj, value.Contents(ch.Obj), other, j)})
		}
	}
	return out
}

// emit records the If node of the tensors that were joined.
func (j *joiner) emit(test graph.Operand, then, els *graph.Region) {
	if len(j.phis) == 0 && len(then.Nodes) == 0 && len(els.Nodes) == 0 {
		return
	}
	if test == nil { // a condition beyond what can be written
		test = graph.Opaque("condition")
		j.in.build.Incomplete(j.in.Here(), "the condition is not shown")
	}
	n := &graph.Node{Op: graph.If, Args: []graph.Arg{{Name: "cond", Value: test}}, Regions: []*graph.Region{then, els}, At: j.in.Here(),
		Module: j.in.ModulePath()}
	for _, p := range j.phis {
		then.Results = append(then.Results, p.then)
		els.Results = append(els.Results, p.els)
		n.Outputs = append(n.Outputs, p.out)
	}
	j.in.build.Emit(n)
}

func (j *joiner) JoinValue(a, b value.Value) value.Value { return j.value(a, b) }

// JoinElem joins elements of a sequence of unknown length: what stands for them
// is no single value of the graph.
func (j *joiner) JoinElem(a, b value.Value) value.Value {
	free := j.in.newJoiner(j.cond)
	free.loop = j.loop
	if j.loop != nil {
		free.sides, free.elem = j.sides, true
		return free.value(a, b)
	}
	if v := free.oneOf(a, b); v != nil {
		return v
	}
	return free.value(a, b)
}

// value joins two values. Where they have no common abstraction it makes a Choice.
func (j *joiner) value(a, b value.Value) value.Value {
	if a == nil { // bound on one path only: reading it elsewhere would raise
		if j.loop != nil {
			j.loop.born(b)
		}
		j.in.retraces.halfBound = true
		return b
	}
	if b == nil {
		j.in.retraces.halfBound = true
		return a
	}
	if in := j.in; in.spent.charge(1) != nil || same(a, b) {
		return a
	}
	if a, b = j.settled(0, a), j.settled(1, b); same(a, b) {
		return a
	}
	if j.in.Enter("") != nil {
		return j.in.Unknown("values are nested too deeply to be joined")
	}
	defer j.in.Leave()
	key := [2]value.Value{a, b}
	if comparable(a) && comparable(b) {
		if v, ok := j.memo[key]; ok {
			return v
		}
	}
	v := j.join(a, b)
	if comparable(a) && comparable(b) {
		if j.memo == nil {
			j.memo = make(map[[2]value.Value]value.Value)
		}
		j.memo[key] = v
	}
	return v
}

// settled is the value that a choice is on one of the paths, where the condition of the
// join decides it: that path may have asked the same.
func (j *joiner) settled(side int, v value.Value) value.Value {
	for j.cond != nil && j.loop == nil {
		c, ok := v.(*value.Choice)
		if !ok {
			break
		}
		if j.facts[side] == nil {
			cond := j.cond
			if side == 1 {
				cond = j.in.pool.Not(cond)
			}
			facts, ok := j.in.path.facts.Assume(cond)
			if !ok {
				facts = j.in.path.facts
			}
			j.facts[side] = &facts
		}
		switch j.facts[side].Decide(c.Cond).Answer {
		case symshape.Yes:
			v = c.Then
		case symshape.No:
			v = c.Else
		default:
			return v
		}
	}
	return v
}

// comparable reports whether == on the interface is defined for v.
func comparable(v value.Value) bool { return v != nil }

// same reports whether two values are one.
func same(a, b value.Value) bool {
	w := value.Visit{Repeats: value.SomeRepeats}
	return sameIn(&w, a, b)
}

// sameIn compares values after two branches. Objects are the same if they are one object, numbers and tensors
// if they have the same expression or value of the graph. It answers no rather than compare deep structures:
// then the values are joined, which is right, too.
func sameIn(w *value.Visit, a, b value.Value) bool {
	if a == b {
		return true
	}
	switch x := a.(type) {
	case *value.SymInt:
		y, ok := b.(*value.SymInt)
		return ok && x.D.Expr == y.D.Expr && x.D.Expr != nil && x.D.Known == y.D.Known && x.D.Val == y.D.Val
	case *value.BoundMethod:
		y, ok := b.(*value.BoundMethod)
		return ok && x.Self == y.Self && x.Func == y.Func
	case *value.Tensor:
		y, ok := b.(*value.Tensor)
		return ok && x.V == y.V && x.Class == y.Class
	case *value.SymBool:
		y, ok := b.(*value.SymBool)
		return ok && x.Cond == y.Cond
	case *value.Tuple:
		y, ok := b.(*value.Tuple)
		if !ok || len(x.Elems) != len(y.Elems) || x.Class != y.Class || !w.Enter(x) {
			return false
		}
		defer w.Leave()
		for i := range x.Elems {
			if !sameIn(w, x.Elems[i], y.Elems[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// join joins the values that a variable has on two paths. The most precise form that covers both is chosen: a number or
// tensor with joined sizes, a container with joined elements, else one of the two under the condition.
func (j *joiner) join(a, b value.Value) value.Value {
	in := j.in
	j.graphDTypes(a, b)
	if u, ok := a.(*value.Unknown); ok {
		if v, both := b.(*value.Unknown); both && u.One && v.One {
			return u
		}
		return u.Derived()
	}
	if u, ok := b.(*value.Unknown); ok {
		return u.Derived()
	}
	if x, ok := a.(value.Device); ok {
		if y, ok := b.(value.Device); ok { // not a choice: no type depends on it
			if x.Name != y.Name {
				return value.Device{}
			}
			return value.Device{Name: x.Name, Assumed: true}
		}
	}
	if isBool(a) && isBool(b) {
		return j.bools(a, b)
	}
	if _, ok := a.(value.Int); ok && in.choosing && j.loop == nil {
		if _, ok := b.(value.Int); ok {
			return &value.Choice{Cond: j.cond, Then: a, Else: b}
		}
	}
	if isNumber(a) && isNumber(b) {
		da, aok := value.AsDim(in.pool, a)
		db, bok := value.AsDim(in.pool, b)
		if aok && bok && !isBool(a) && !isBool(b) {
			return j.ints(a, b, da, db)
		}
		if isFloat(a) && isFloat(b) {
			return j.floats(a, b)
		}
	}
	switch x := a.(type) {
	case *value.Tensor:
		if y, ok := b.(*value.Tensor); ok {
			if v := j.tensors(x, y); v != nil {
				return v
			}
		}
	case *value.Tuple:
		if y, ok := b.(*value.Tuple); ok && len(x.Elems) == len(y.Elems) && x.Class == y.Class {
			elems := make([]value.Value, len(x.Elems))
			for i := range elems {
				elems[i] = j.value(x.Elems[i], y.Elems[i])
			}
			return &value.Tuple{Class: x.Class, Elems: elems}
		}
	case *value.List:
		if y, ok := b.(*value.List); ok && x.Class == y.Class && !j.shared(x, y) {
			joined := in.heap.NewList(nil)
			in.heap.Replace(joined, value.JoinContents(x, j.contentsOf(0, x), j.contentsOf(1, y), j))
			return joined
		}
	case *value.Dict:
		if y, ok := b.(*value.Dict); ok && x.Class == y.Class && !j.shared(x, y) {
			joined := in.heap.NewDict()
			joined.Class = x.Class
			joined.Attrs = j.attrs(x.Attrs, y.Attrs)
			in.heap.Replace(joined, value.JoinContents(x, j.contentsOf(0, x), j.contentsOf(1, y), j))
			return joined
		}
	}
	if v := j.wrapped(a, b); v != nil {
		return v
	}
	if v := j.scalars(a, b); v != nil {
		return v
	}
	if j.loop != nil {
		return j.loop.lost(a, b)
	}
	if v := j.extend(a, b); v != nil {
		return v
	}
	if v := j.anyNumber(a, b); v != nil {
		return v
	}
	if v := j.factor(a, b); v != nil {
		return v
	}
	return oneOfTwo(in, j.cond, j.optional(a, b, true), j.optional(b, a, false))
}

// attrs joins the attributes of two containers, either of which may have none.
func (j *joiner) attrs(a, b *value.Attrs) *value.Attrs {
	if a == nil && b == nil {
		return nil
	}
	joined := j.in.heap.NewAttrs()
	if a == nil {
		a = joined
	}
	if b == nil {
		b = joined
	}
	j.in.heap.Replace(joined, value.JoinContents(a, j.contentsOf(0, a), j.contentsOf(1, b), j))
	return joined
}

// shared reports whether one of two containers is known elsewhere: what is written to
// it later must be seen there, so that the two stay apart.
func (j *joiner) shared(a, b value.Mutable) bool { return j.first.Older(a) || j.first.Older(b) }

// extend joins a value with a choice of which one side is of its kind: that side
// becomes the join of both.
func (j *joiner) extend(a, b value.Value) value.Value {
	p := j.in.pool
	if c, ok := b.(*value.Choice); ok && isTensor(a) && (c.Then == value.None || c.Else == value.None) {
		if isTensor(c.Then) {
			return &value.Choice{Cond: j.either(p.Bool(true), c.Cond), Then: j.value(a, c.Then), Else: c.Else}
		}
		if isTensor(c.Else) {
			return &value.Choice{Cond: j.either(p.Bool(false), c.Cond), Then: c.Then, Else: j.value(a, c.Else)}
		}
	}
	if c, ok := a.(*value.Choice); ok && isTensor(b) && (c.Then == value.None || c.Else == value.None) {
		if isTensor(c.Then) {
			return &value.Choice{Cond: j.either(c.Cond, p.Bool(true)), Then: j.value(c.Then, b), Else: c.Else}
		}
		if isTensor(c.Else) {
			return &value.Choice{Cond: j.either(c.Cond, p.Bool(false)), Then: c.Then, Else: j.value(c.Else, b)}
		}
	}
	return j.maybe(a, b)
}

// factor joins two choices by the same condition side by side, and two that have an
// alternative in common, which stands once in the result: what a loop makes on demand (if
// self.rng is None: self.rng = …, in a branch) or changes in both branches of its own condition
// would else have twice as many alternatives after each iteration. It returns nil for others.
func (j *joiner) factor(a, b value.Value) value.Value {
	p := j.in.pool
	x, xok := a.(*value.Choice)
	y, yok := b.(*value.Choice)
	if !xok || !yok {
		return nil
	}
	then, els := y.Then, y.Else
	if p.Not(x.Cond) == y.Cond {
		then, els = els, then
	}
	// each side is joined again
	few := func(c *value.Choice) bool { return countAlternatives(c, maxElemAlternatives+1) <= maxElemAlternatives }
	if (x.Cond == y.Cond || p.Not(x.Cond) == y.Cond) && (same(x.Then, then) || same(x.Else, els) || few(x) && few(y)) {
		return &value.Choice{Cond: x.Cond, Then: j.value(x.Then, then), Else: j.value(x.Else, els)}
	}
	switch {
	case same(x.Then, b):
		return &value.Choice{Cond: j.either(p.Not(x.Cond), p.Bool(false)), Then: x.Else, Else: b}
	case same(x.Else, b):
		return &value.Choice{Cond: j.either(x.Cond, p.Bool(false)), Then: x.Then, Else: b}
	case same(y.Then, a):
		return &value.Choice{Cond: j.either(p.Bool(false), p.Not(y.Cond)), Then: y.Else, Else: a}
	case same(y.Else, a):
		return &value.Choice{Cond: j.either(p.Bool(false), y.Cond), Then: y.Then, Else: a}
	}
	return nil
}

// maybe joins two values that are None or choices between a tensor and None.
func (j *joiner) maybe(a, b value.Value) value.Value {
	p := j.in.pool
	ca, ta := j.present(a)
	cb, tb := j.present(b)
	switch {
	case ta != nil && tb != nil:
		return &value.Choice{Cond: j.either(ca, cb), Then: j.value(ta, tb), Else: value.None}
	case ta != nil && b == value.None:
		return &value.Choice{Cond: j.either(ca, p.Bool(false)), Then: j.optional(ta, value.None, true), Else: value.None}
	case tb != nil && a == value.None:
		return &value.Choice{Cond: j.either(p.Bool(false), cb), Then: j.optional(tb, value.None, false), Else: value.None}
	}
	return nil
}

// present gives the tensor that a choice between a tensor and None has, and when.
func (j *joiner) present(v value.Value) (*symshape.Cond, value.Value) {
	c, ok := v.(*value.Choice)
	switch {
	case ok && isTensor(c.Then) && c.Else == value.None:
		return c.Cond, c.Then
	case ok && isTensor(c.Else) && c.Then == value.None:
		return j.in.pool.Not(c.Cond), c.Else
	}
	return nil, nil
}

// anyNumber joins more than two numbers of which some are ints and some floats
// (lr /= 4, each time round, where lr began as 20): some int or some float.
func (j *joiner) anyNumber(a, b value.Value) value.Value {
	if n, ok := numbersIn(a); !ok {
		return nil
	} else if m, ok := numbersIn(b); !ok || n+m <= 2 {
		return nil
	}
	return &value.Choice{Cond: j.in.DataBool(nil).Cond, Then: &value.SymInt{}, Else: &value.SymFloat{}}
}

// numbersIn counts the values that v may be; ok when all are ints or floats.
func numbersIn(v value.Value) (n int, ok bool) {
	if c, isChoice := v.(*value.Choice); isChoice {
		n, ok = numbersIn(c.Then)
		m, also := numbersIn(c.Else)
		return n + m, ok && also
	}
	return 1, isNumber(v) && !isBool(v)
}

func isTensor(v value.Value) bool {
	_, ok := v.(*value.Tensor)
	return ok
}

// optional gives v, which stands beside other in a choice: a tensor beside None is
// an optional result of the If node.
func (j *joiner) optional(v, other value.Value, then bool) value.Value {
	t, ok := v.(*value.Tensor)
	if !ok || other != value.None {
		return v
	}
	p, when := phi{then: t.V}, j.cond
	if !then {
		p, when = phi{els: t.V}, j.in.pool.Not(j.cond)
	}
	p.out = j.in.build.NewValue(graph.OptionalKind, t.V.Type, t.V.At)
	p.out.Name = t.V.Name
	j.phis = append(j.phis, p)
	if t.V.Kind == graph.TensorKind {
		if j.in.there == nil {
			j.in.there = map[*graph.Value]*symshape.Cond{}
		}
		j.in.there[p.out] = when
	}
	c := *t
	c.Header = j.in.heap.Header()
	c.V = p.out
	return &c
}

// number makes a number that differs a result of the If node: e stands for it.
func (j *joiner) number(e *symshape.Expr, a, b graph.Operand) {
	out := j.in.build.Scalar(e, j.in.Here())
	j.phis = append(j.phis, phi{a, b, out})
}

func isBool(v value.Value) bool {
	switch v.(type) {
	case value.Bool, *value.SymBool:
		return true
	}
	return false
}

func isFloat(v value.Value) bool {
	switch v.(type) {
	case value.Float, *value.SymFloat:
		return true
	}
	return false
}

func isNumber(v value.Value) bool {
	switch v.(type) {
	case value.Int, *value.SymInt, *value.BigInt:
		return true
	}
	return isBool(v) || isFloat(v)
}

// bools joins truth values: (c and a) or (not c and b).
func (j *joiner) bools(a, b value.Value) value.Value {
	if j.loop != nil {
		return j.loop.freshBool(a, b)
	}
	return symBool(j.either(cond(j.in, a), cond(j.in, b)))
}

// maxCondParts bounds the conditions that joins make of those of joins before: each may say
// the last one twice, so that they would grow exponentially in the steps of a program.
const maxCondParts = 64

// either is the condition that is a on the first path and b on the second. One that
// would be too large is a truth value of its own, a result of the If node.
func (j *joiner) either(a, b *symshape.Cond) *symshape.Cond {
	p := j.in.pool
	if a == b {
		return a
	}
	not := p.Not(j.cond)
	c := p.Or(p.And(j.cond, a), p.And(not, b))
	if v, ok := a.Const(); ok { // c or b, not c and b: no need to say c twice
		if c = p.And(not, b); v {
			c = p.Or(j.cond, b)
		}
	} else if v, ok := b.Const(); ok {
		if c = p.And(j.cond, a); v {
			c = p.Or(not, a)
		}
	}
	if c.Parts() <= maxCondParts {
		return c
	}
	t := j.in.DataBool(nil)
	if j.in.flow.guessed(c) {
		t = j.in.flow.guess()
	}
	sym := t.Cond.Symbols()[0]
	out := j.in.build.Scalar(sym, j.in.Here())
	j.phis = append(j.phis, phi{graph.Cond{Cond: a}, graph.Cond{Cond: b}, out})
	return t.Cond
}

// dim joins two sizes: one expression that is both where one is found, else a
// fresh symbol between them.
func (j *joiner) dim(a, b symshape.Dim) symshape.Dim {
	if a.Expr == b.Expr && a.Expr != nil {
		return symshape.JoinDim(a, b)
	}
	if a.Expr == nil || b.Expr == nil {
		return symshape.JoinDim(a, b)
	}
	if j.loop != nil {
		return j.loop.freshDim(a, b)
	}
	f := j.in.path.facts
	if e := f.Select(j.cond, a.Expr, b.Expr); e != nil {
		return symshape.Dim{Expr: e}
	}
	if e := j.required(a.Expr, b.Expr); e != nil {
		return symshape.Dim{Expr: e}
	}
	alo, ahi := f.Range(a.Expr)
	blo, bhi := f.Range(b.Expr)
	e := j.in.pool.FreshIn("u", min(alo, blo), max(ahi, bhi))
	j.in.rec.data(e)
	if j.cond != nil && j.in.rec.isChance(j.cond) {
		j.in.rec.drawings[e] = drawing{j.cond, [2]*symshape.Expr{a.Expr, b.Expr}}
	}
	return symshape.Dim{Expr: e}
}

// required is the size of one path where the other path runs only if its own is equal to it; nil where neither asked for that.
func (j *joiner) required(a, b *symshape.Expr) *symshape.Expr {
	if j.cond == nil {
		return nil
	}
	p, path := j.in.pool, j.in.path.conds
	asked := func(c *symshape.Cond) bool { return j.in.rec.known(p.Eq(a, b), append(path[:len(path):len(path)], c)) }
	switch {
	case asked(j.cond):
		return b
	case asked(p.Not(j.cond)):
		return a
	}
	return nil
}

// Condition is the condition of the first path; loops have none.
func (j *joiner) Condition() *symshape.Cond {
	if j.loop != nil {
		return nil
	}
	return j.cond
}

func (j *joiner) JoinLen(a, b symshape.Dim) symshape.Dim { return j.dim(a, b) }
func (j *joiner) ConstLen(n int) symshape.Dim            { return j.in.pool.ConstDim(int64(n)) }

// UnknownLen is a number of elements that data decides.
func (j *joiner) UnknownLen() symshape.Dim { return j.in.DataInt("u", 0, nil).D }

// AddLen adds two numbers of elements.
func (j *joiner) AddLen(a, b symshape.Dim) symshape.Dim { return j.in.pool.DimAdd(a, b) }

// Lost stands for what a join cannot tell.
func (j *joiner) Lost(reason string) value.Value {
	return j.in.losses.unknown(&value.Cause{At: j.in.Here(), Reason: reason})
}

// tensors joins two tensors to an output of the If node, where dtype and number of axes agree; else there is
// nothing that they have in common, and nil leaves a choice of both. Elements that are known are joined one by
// one.
func (j *joiner) tensors(a, b *value.Tensor) value.Value {
	if a.Class != b.Class {
		return nil
	}
	x, y := j.changed(0, a), j.changed(1, b)
	if x.V == y.V {
		return a
	}
	tx, ty := x.Type(), y.Type()
	if tx.DType != ty.DType || tx.Ranked != ty.Ranked || len(tx.Shape) != len(ty.Shape) {
		return nil
	}
	h := &j.in.heap
	out := &value.Tensor{Header: h.Header(), Class: a.Class, V: j.JoinGraph(x.V, y.V)}
	if ex, ey := x.Contents(), y.Contents(); len(ex) > 0 && len(ex) == len(ey) && j.loop == nil {
		elems := make([]value.Value, len(ex))
		for i := range ex {
			elems[i] = j.value(ex[i], ey[i])
		}
		out.SetContents(elems)
	}
	return out
}

// changed is a tensor as it is on one of the two paths, which may have written into
// it.
func (j *joiner) changed(side int, t *value.Tensor) *value.Tensor {
	if c, ok := j.sides[side][t]; ok {
		return value.TensorOf(c)
	}
	return t
}

// JoinGraph joins two tensor values into a result of the If node.
func (j *joiner) JoinGraph(a, b *graph.Value) *graph.Value {
	if a == b {
		return a
	}
	if j.elem {
		return j.loop.element(a, b)
	}
	if j.loop != nil {
		return j.loop.param(a, b)
	}
	for _, p := range j.phis {
		if p.then == graph.Operand(a) && p.els == graph.Operand(b) {
			return p.out
		}
	}
	out := j.in.build.NewValue(a.Kind, j.types(&a.Type, &b.Type), j.in.Here())
	if b.Kind == graph.OptionalKind {
		out.Kind = b.Kind
	}
	j.phis = append(j.phis, phi{a, b, out})
	return out
}

// ints joins two integers.
func (j *joiner) ints(a, b value.Value, da, db symshape.Dim) value.Value {
	d := j.dim(da, db)
	if d.Expr == da.Expr && j.loop == nil || d.Expr == db.Expr {
		return value.FromDim(d)
	}
	x, y := operandOf(j.in, a), operandOf(j.in, b)
	if j.elem {
		return value.FromDim(d)
	}
	if j.loop != nil {
		d = j.loop.number(d, x, y)
	} else if d.Expr != nil {
		if _, fresh := d.Expr.IsSymbol(); fresh {
			j.number(d.Expr, x, y)
		}
	}
	return value.FromDim(d)
}

// floats joins two floats: the graph alone knows which.
func (j *joiner) floats(a, b value.Value) value.Value {
	if j.loop != nil {
		j.loop.gap = "a float that changes from iteration to iteration is not shown"
		return &value.SymFloat{}
	}
	out := j.in.build.Scalar(nil, j.in.Here())
	out.Type.DType = dtype.F64
	j.phis = append(j.phis, phi{operandOf(j.in, a), operandOf(j.in, b), out})
	return &value.SymFloat{Source: out}
}

// JoinSequence joins two lists of tensors.
func (j *joiner) JoinSequence(a, b graph.Operand, elem *graph.TensorType, length symshape.Dim) *graph.Value {
	if x, ok := a.(*graph.Value); ok && a == b {
		return x
	}
	if j.loop != nil {
		p := j.loop.sequence(a, b, elem)
		p.Length = freshSymbol(length)
		return p
	}
	out := j.in.build.NewValue(graph.SequenceKind, *elem, j.in.Here())
	out.Length = freshSymbol(length)
	j.phis = append(j.phis, phi{a, b, out})
	return out
}

// freshSymbol is a size that is a symbol of its own, which data decide; nil else.
func freshSymbol(d symshape.Dim) *symshape.Expr {
	if d.Expr == nil || !d.Expr.IsFresh() {
		return nil
	}
	return d.Expr
}

func operandOf(in *Interp, v value.Value) graph.Operand { return ops.Operand(in.pool, v) }

// types joins what is known of two tensors.
func (j *joiner) types(a, b *graph.TensorType) graph.TensorType {
	t := graph.TensorType{DType: a.DType, Device: a.Device}
	if a.DType != b.DType {
		t.DType = dtype.Unknown
	}
	if a.Device != b.Device {
		t.Device = ""
	}
	if !a.Ranked || !b.Ranked || len(a.Shape) != len(b.Shape) {
		return t
	}
	t.Ranked = true
	t.Shape = make(symshape.Shape, len(a.Shape))
	for i := range a.Shape {
		t.Shape[i] = j.dim(a.Shape[i], b.Shape[i])
	}
	return t
}

// scalars joins two of numpy's floats of one class, or one with a choice of which a side is:
// the best score of some epochs is else one of as many values as there were epochs.
func (j *joiner) scalars(a, b value.Value) value.Value {
	if x, y := numpyFloat(a), numpyFloat(b); x != nil && y != nil && x.Class == y.Class {
		if f, ok := x.Payload.(*value.SymFloat); ok && !f.R.Known() && !f.Known && x.Data == nil { // any already
			return x
		}
		s := j.in.heap.NewInstance(x.Class)
		s.Payload = j.value(x.Payload, y.Payload)
		return s
	}
	if j.loop != nil {
		return nil
	}
	p := j.in.pool
	kind := func(x value.Value, c *value.Choice) (then, els bool) {
		s := numpyFloat(x)
		if s == nil {
			return false, false
		}
		t, e := numpyFloat(c.Then), numpyFloat(c.Else)
		return t != nil && t.Class == s.Class, e != nil && e.Class == s.Class
	}
	if c, ok := b.(*value.Choice); ok {
		switch then, els := kind(a, c); {
		case then:
			return &value.Choice{Cond: j.either(p.Bool(true), c.Cond), Then: j.value(a, c.Then), Else: c.Else}
		case els:
			return &value.Choice{Cond: j.either(p.Bool(false), c.Cond), Then: c.Then, Else: j.value(a, c.Else)}
		}
	}
	if c, ok := a.(*value.Choice); ok {
		switch then, els := kind(b, c); {
		case then:
			return &value.Choice{Cond: j.either(c.Cond, p.Bool(true)), Then: j.value(c.Then, b), Else: c.Else}
		case els:
			return &value.Choice{Cond: j.either(c.Cond, p.Bool(false)), Then: c.Then, Else: j.value(c.Else, b)}
		}
	}
	return nil
}

// numpyFloat gives v where it is one of numpy's scalars of floats.
func numpyFloat(v value.Value) *value.Instance {
	if s, ok := v.(*value.Instance); ok && ops.IsNumpyScalar(s) && isFloat(s.Payload) {
		return s
	}
	return nil
}

const (
	// maxAlternatives bounds of how many values without a common abstraction a value may be
	// one. A loop that derives one of two values from the last doubles them in each iteration.
	maxAlternatives = 64
	// maxElemAlternatives is the same for an element of a sequence of unknown length.
	maxElemAlternatives = 8
)

// oneOfTwo is the value that is a where c holds and b where it does not, as long as that
// has few alternatives.
func oneOfTwo(th value.Thread, c *symshape.Cond, a, b value.Value) value.Value {
	if n := countAlternatives(a, maxAlternatives); n+countAlternatives(b, maxAlternatives) > maxAlternatives {
		return th.Unknown("it is one of more than 64 values")
	}
	return &value.Choice{Cond: c, Then: a, Else: b}
}

// countAlternatives counts the values of which v is one, up to a bound.
func countAlternatives(v value.Value, bound int) int {
	c, ok := v.(*value.Choice)
	if !ok || bound <= 1 {
		return 1
	}
	n := countAlternatives(c.Then, bound)
	if n >= bound {
		return n
	}
	return n + countAlternatives(c.Else, bound-n)
}

// oneOf joins elements of which one is a choice already. A sequence that is added to
// under many conditions has each value once: their choices would hold each other. Which
// value an element is no condition tells then. It gives nil for other elements.
func (j *joiner) oneOf(a, b value.Value) value.Value {
	list := alternatives(nil, a)
	n := len(list)
	list = alternatives(list, b)
	if n < 2 && len(list)-n < 2 {
		return nil
	}
	var out []value.Value
	for _, v := range list {
		if !slices.ContainsFunc(out, func(w value.Value) bool { return same(v, w) }) {
			out = append(out, v)
		}
	}
	if len(out) > maxElemAlternatives {
		return j.in.Unknown("an element is one of many values")
	}
	v := out[len(out)-1]
	for i := len(out) - 2; i >= 0; i-- {
		next := j.in.newJoiner(j.in.DataBool(nil).Cond)
		v = next.value(out[i], v)
	}
	return v
}

// alternatives lists the values of which v is one.
func alternatives(list []value.Value, v value.Value) []value.Value {
	if c, ok := v.(*value.Choice); ok {
		return alternatives(alternatives(list, c.Then), c.Else)
	}
	return append(list, v)
}
