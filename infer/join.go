package infer

// This file joins values where two paths meet.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A joiner joins the values of two paths: the first holds under cond. The
// tensors it joins become the results of an If node.
type joiner struct {
	in   *Interp
	cond *symshape.Cond
	phis []phi
	memo map[[2]value.Value]value.Value
	// start is the newest graph value before the paths parted; values after it
	// belong to their branch and are handed out as results. 0: all are visible.
	start int
	// loop is set while a loop is brought to a fixpoint; see loop.go.
	loop *fixpoint
}

type phi struct {
	then, els graph.Operand
	out       *graph.Value
}

func (in *Interp) newJoiner(c *symshape.Cond) *joiner { return &joiner{in: in, cond: c} }

// joinAny joins two values of which either may be the case, without a condition
// that could tell them apart later.
func (in *Interp) joinAny(a, b value.Value) value.Value {
	j := in.newJoiner(in.DataBool(nil).Cond)
	return j.value(a, b)
}

// Join gives a value that stands for either of two.
func (in *Interp) Join(a, b value.Value) value.Value { return in.joinAny(a, b) }

// contents joins and writes what two branches changed. The heap stands at the
// state before both.
func (j *joiner) contents(a, b []value.Change) {
	for _, ch := range j.merge(a, b) {
		j.in.heap.Replace(ch.Obj, ch.Contents)
	}
}

// merge joins the changes of two branches relative to the present state.
func (j *joiner) merge(a, b []value.Change) []value.Change {
	inB := make(map[value.Mutable]any, len(b))
	for _, ch := range b {
		inB[ch.Obj] = ch.Contents
	}
	var out []value.Change
	for _, ch := range a {
		other, ok := inB[ch.Obj]
		if ok {
			delete(inB, ch.Obj)
		} else {
			other = value.Contents(ch.Obj)
		}
		out = append(out, value.Change{Obj: ch.Obj, Contents: value.JoinContents(ch.Obj, ch.Contents, other, j)})
	}
	for _, ch := range b {
		if other, ok := inB[ch.Obj]; ok {
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
	n := &graph.Node{Op: "if", Args: []graph.Arg{{Name: "cond", Value: test}}, Regions: []*graph.Region{then, els}, At: j.in.Here(), Module: j.in.ModulePath()}
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
	if j.loop != nil {
		return j.value(a, b)
	}
	free := j.in.newJoiner(j.cond)
	return free.value(a, b)
}

// value joins two values. Where they have no common abstraction it makes a Choice.
func (j *joiner) value(a, b value.Value) value.Value {
	if a == nil { // bound on one path only: reading it elsewhere would raise
		return j.handOut(b, false)
	}
	if b == nil {
		return j.handOut(a, true)
	}
	if same(a, b) {
		return a
	}
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

// comparable reports whether == on the interface is defined for v.
func comparable(v value.Value) bool { return v != nil }

// same reports whether two values are one.
func same(a, b value.Value) bool {
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
		if !ok || len(x.Elems) != len(y.Elems) || x.Class != y.Class {
			return false
		}
		for i := range x.Elems {
			if !same(x.Elems[i], y.Elems[i]) {
				return false
			}
		}
		return true
	}
	return false
}

func (j *joiner) join(a, b value.Value) value.Value {
	in := j.in
	if u, ok := a.(*value.Unknown); ok {
		return u
	}
	if u, ok := b.(*value.Unknown); ok {
		return u
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
			return value.FromDim(j.dim(da, db))
		}
		if isFloat(a) && isFloat(b) {
			return &value.SymFloat{}
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
		if y, ok := b.(*value.List); ok && x.Class == y.Class {
			joined := in.heap.NewList(nil)
			in.heap.Replace(joined, value.JoinContents(x, value.Contents(x), value.Contents(y), j))
			return joined
		}
	case *value.Dict:
		if y, ok := b.(*value.Dict); ok && x.Class == y.Class {
			joined := in.heap.NewDict()
			joined.Class = x.Class
			in.heap.Replace(joined, value.JoinContents(x, value.Contents(x), value.Contents(y), j))
			return joined
		}
	}
	if j.loop != nil {
		return j.loop.lost(a, b)
	}
	return &value.Choice{Cond: j.cond, Then: j.handOut(a, true), Else: j.handOut(b, false)}
}

// handOut makes a tensor of one branch a result of the If node.
func (j *joiner) handOut(v value.Value, then bool) value.Value {
	if j.start == 0 || j.loop != nil {
		return v
	}
	switch v := v.(type) {
	case *value.Tensor:
		if v.V.ID <= j.start {
			return v
		}
		t := *v
		t.Header = j.in.heap.Header()
		t.V = j.result(v.V, then)
		return &t
	case *value.Tuple:
		elems := make([]value.Value, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = j.handOut(e, then)
		}
		return &value.Tuple{Class: v.Class, Elems: elems, Attrs: v.Attrs}
	case *value.List:
		if v.Open != nil && v.Open.Elem != nil {
			o := *v.Open
			o.Elem = j.handOut(o.Elem, then)
			return j.in.heap.NewOpenList(&o)
		}
	}
	return v
}

// result makes a value that one branch alone computes a result of the If node.
func (j *joiner) result(v *graph.Value, then bool) *graph.Value {
	p := phi{then: v}
	if !then {
		p = phi{els: v}
	}
	for _, q := range j.phis {
		if q.then == p.then && q.els == p.els {
			return q.out
		}
	}
	p.out = j.in.build.NewValue(v.Kind, v.Type, v.At)
	p.out.Name = v.Name
	j.phis = append(j.phis, p)
	return p.out
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
	p := j.in.pool
	ca, cb := j.in.cond(a), j.in.cond(b)
	if v, ok := ca.Const(); ok { // c or b, not c and b: no need to say c twice
		if v {
			return j.in.symBool(p.Or(j.cond, cb))
		}
		return j.in.symBool(p.And(p.Not(j.cond), cb))
	}
	if v, ok := cb.Const(); ok {
		if v {
			return j.in.symBool(p.Or(p.Not(j.cond), ca))
		}
		return j.in.symBool(p.And(j.cond, ca))
	}
	return &value.SymBool{Cond: p.Or(p.And(j.cond, ca), p.And(p.Not(j.cond), cb))}
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
	alo, ahi := f.Range(a.Expr)
	blo, bhi := f.Range(b.Expr)
	e := j.in.pool.FreshIn("u", min(alo, blo), max(ahi, bhi))
	j.in.rec.data(e)
	return symshape.Dim{Expr: e}
}

func (j *joiner) JoinLen(a, b symshape.Dim) symshape.Dim { return j.dim(a, b) }
func (j *joiner) ConstLen(n int) symshape.Dim            { return j.in.pool.ConstDim(int64(n)) }

func (j *joiner) tensors(a, b *value.Tensor) value.Value {
	if a.Class != b.Class {
		return nil
	}
	if a.V == b.V {
		return a
	}
	ta, tb := a.Type(), b.Type()
	if ta.DType != tb.DType || ta.Ranked != tb.Ranked || len(ta.Shape) != len(tb.Shape) {
		return nil
	}
	h := &j.in.heap
	out := &value.Tensor{Header: h.Header(), Class: a.Class, V: j.JoinGraph(a.V, b.V)}
	if ea, eb := a.Contents(), b.Contents(); len(ea) > 0 && len(ea) == len(eb) && j.loop == nil {
		elems := make([]value.Value, len(ea))
		for i := range ea {
			elems[i] = j.value(ea[i], eb[i])
		}
		out.SetContents(elems)
	}
	return out
}

// JoinGraph joins two tensor values into a result of the If node.
func (j *joiner) JoinGraph(a, b *graph.Value) *graph.Value {
	if a == b {
		return a
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
	j.phis = append(j.phis, phi{a, b, out})
	return out
}

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
