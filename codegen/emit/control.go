package emit

// This file writes conditions and loops. A body has no frame of its own: what it uses
// from outside is the value outside. Where only the run knows the sizes of a result, the
// arms leave it without dimensions, and a copy behind the region gives it those it has.
//
// The instructions of an If are jmpf, the first arm, jmp, the second arm, and those of a Loop are
// loop.begin, jmpf, the body, loop.next, jmpt, loop.end; both lie in a region of the program,
// which says where the arms begin and end, so that the jumps need no targets of their own and the
// verifier can read the structure back without a search for dominators. The instruction set is
// not in single assignment form inside a region: both arms write the same value, and loop.next
// writes the states again.

import (
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// region opens a region that begins at the next instruction. It returns the region, whose middle
// and end the caller sets when it has written so far, and the number that instructions name it
// by, which counts from 1, as 0 means none.
func (e *emitter) region(kind isa.Region_Kind) (*isa.Region, uint32) {
	r := &isa.Region{Kind: kind, Begin: uint32(len(e.p.Code))}
	e.p.Regions = append(e.p.Regions, r)
	return r, uint32(len(e.p.Regions))
}

// bindsOf lists the symbols that a node binds by the dimensions of one result. A symbol that is
// an element, and not a dimension, is bound by an instruction of its own behind the node: see
// elements.
func (e *emitter) bindsOf(n *ir.Node, v *ir.Value) []uint32 {
	var out []uint32
	for i, s := range e.m.Syms {
		if s.Node == n && !s.Element && slices.Contains(v.Type.Dims, s.Expr) {
			out = append(out, uint32(i))
		}
	}
	return out
}

// open reports whether a type has a symbol that the node binds, so that it has no sizes before
// the node is done. It looks into element types of sequences and optionals, and into sizes that
// are computed from such a symbol.
func (e *emitter) open(n *ir.Node, t *inference.Type) bool {
	for x := t; x != nil; x = x.Of {
		for _, d := range x.Dims {
			for _, s := range d.Symbols() {
				if slices.ContainsFunc(e.m.Syms, func(k ir.Symbol) bool { return k.Expr == s && k.Node == n }) {
					return true
				}
			}
		}
	}
	return false
}

// condition writes an If. Results whose sizes the If itself binds are set by the arms under a
// temporary number without dimensions, and a copy behind the region gives them their type and
// binds the symbols: an arm cannot bind, as the other one would have to bind the same symbols in
// the same way. All other results are set by the arms directly. An If with two empty arms, as
// nobody reads its results, leaves no instruction at all.
func (e *emitter) condition(n *ir.Node) {
	outer := n.Ins[len(n.Ins)-n.Captured:]
	ids := make([]int32, len(n.Outs)) // what the arms set
	open := make([]bool, len(n.Outs))
	for k, v := range n.Outs {
		if v == nil {
			continue
		}
		if open[k] = e.open(n, &v.Type); open[k] {
			ids[k] = e.temp()
		} else {
			ids[k] = e.id(v)
		}
	}
	debug := e.debug
	r, id := e.region(isa.Region_IF)
	e.put(&isa.Instruction{Op: uint32(isa.Jmpf), In: []int32{e.operand(n.Ins[0])}, Region: id})
	e.arm(n, n.Graphs[0], outer, ids, open)
	e.debug = debug
	e.put(&isa.Instruction{Op: uint32(isa.Jmp), Region: id})
	r.Middle = uint32(len(e.p.Code))
	e.arm(n, n.Graphs[1], outer, ids, open)
	r.End = uint32(len(e.p.Code))
	if r.Middle == r.End { // an empty second arm is no arm: nothing is set
		e.p.Code = slices.Delete(e.p.Code, int(r.Middle)-1, int(r.Middle))
		r.Middle--
		r.End--
		if r.Middle == r.Begin+1 { // nor a first one
			e.p.Code = e.p.Code[:r.Begin]
			e.p.Regions = e.p.Regions[:len(e.p.Regions)-1]
			return
		}
	}
	e.node, e.debug = n, debug
	for k, v := range n.Outs {
		if v != nil && open[k] {
			e.put(&isa.Instruction{Op: uint32(isa.Copy), In: []int32{ids[k]}, Out: []*isa.Result{{Value: e.id(v), Type: e.typ(&v.Type)}},
				Binds: e.bindsOf(n, v)})
			e.free(ids[k])
		}
	}
}

// arm writes one arm of an If. outer are the values outside that the parameters stand for, ids
// the numbers under which the results are set, and open says which of these are set without
// dimensions. Results are always copied, even if they are computed in the arm: they may be
// captured values or constants, and a copy costs nothing at run time, as it has the memory of its
// operand.
func (e *emitter) arm(n *ir.Node, g *ir.Graph, outer []*ir.Value, ids []int32, open []bool) {
	keep := map[int32]bool{}
	for i, p := range g.Params {
		e.capture(p, outer[i], keep)
	}
	e.nodes(g, e.lastUses(g), keep)
	e.node, e.debug = n, e.origin(n.From)
	for k, v := range g.Results {
		if n.Outs[k] == nil {
			continue
		}
		t := &n.Outs[k].Type
		if open[k] {
			t = unranked(t)
		}
		e.copyTo(ids[k], v, t, nil)
	}
	e.freeResults(g, keep)
}

// capture lets a body's parameter stand for a value outside, which the body must not free. A
// constant or absent value has no number and needs no protection.
func (e *emitter) capture(p, v *ir.Value, keep map[int32]bool) {
	e.outer[p] = v
	if x := e.operand(v); x >= 0 {
		keep[x] = true
	}
}

// freeResults ends the lives of the results of a body, which nodes leaves alone. A result that
// stands twice is freed once, and a constant or a parameter of the body not at all.
func (e *emitter) freeResults(g *ir.Graph, keep map[int32]bool) {
	done := map[int32]bool{}
	for _, v := range g.Results {
		if v.Const != nil || v.Param == g {
			continue
		}
		if id := e.operand(v); !keep[id] && !done[id] {
			done[id] = true
			e.free(id)
		}
	}
}

// loop writes a Loop: its states, then a sequence for each result that the trips' values
// are joined to. The operands of the node are the most trips, the condition, the initial states
// and the captured values; the body's parameters are the trip's number, the condition, the states
// and the captured values, and its results the next condition, the next states and the scan
// values. These are collected in a sequence for each scan result, which is an additional state,
// and stacked to one tensor behind the loop by seq.stack, as the number of trips is known only
// then.
//
// Who owns what: loop.begin and loop.next take over the states they get, so that these are not
// freed in the body; a value that is a next state and a scan value as well is taken once.
func (e *emitter) loop(n *ir.Node) {
	body := n.Graphs[0]
	states := len(body.Params) - 2 - n.Captured
	scans := len(body.Results) - 1 - states
	inits := n.Ins[2 : 2+states]
	outer := n.Ins[len(n.Ins)-n.Captured:]
	debug := e.debug

	seqs := make([]int32, scans)
	empty := make([]int32, scans)
	// The elements have no dimensions: they may differ from trip to trip, and it is seq.stack
	// that fails then.
	seqType := func(k int) *isa.Type {
		return &isa.Type{Kind: isa.Type_SEQUENCE, Of: e.typ(unranked(&body.Results[1+states+k].Type))}
	}
	for k := range seqs {
		seqs[k], empty[k] = e.temp(), e.temp()
		e.put(&isa.Instruction{Op: uint32(isa.Lookup("", "SequenceEmpty")),
			Attr: []*isa.Attr{isa.IntAttrOf("dtype", int64(body.Results[1+states+k].Type.Elem))},
			Out:  []*isa.Result{{Value: empty[k], Type: seqType(k)}}})
	}
	// The trip's number and the condition are set by loop.begin and loop.next, like the states.
	count, more := e.temp(), e.temp()
	r, id := e.region(isa.Region_LOOP)
	outs := func() []*isa.Result {
		list := []*isa.Result{{Value: count, Type: e.scalar(onnx.Int64)}, {Value: more, Type: e.scalar(onnx.Bool)}}
		for k := range states {
			p := body.Params[2+k]
			list = append(list, &isa.Result{Value: e.id(p), Type: e.typ(&p.Type)})
		}
		for k := range seqs {
			list = append(list, &isa.Result{Value: seqs[k], Type: seqType(k)})
		}
		return list
	}
	binds := e.stateBinds(body, states)
	begin := &isa.Instruction{Op: uint32(isa.LoopBegin), In: []int32{e.operand(n.Ins[0]), e.operand(n.Ins[1])}, Out: outs(), Region: id,
		Binds: binds}
	for _, v := range inits {
		begin.In = append(begin.In, e.operand(v))
	}
	begin.In = append(begin.In, empty...)
	e.put(begin)
	e.put(&isa.Instruction{Op: uint32(isa.Jmpf), In: []int32{more}, Region: id})

	// What the loop itself holds from trip to trip must outlive the last use in the body.
	keep := map[int32]bool{count: true, more: true}
	e.ids[body.Params[0]], e.ids[body.Params[1]] = count, more
	for k := range states {
		keep[e.id(body.Params[2+k])] = true
	}
	for i, v := range outer {
		e.capture(body.Params[2+states+i], v, keep)
	}
	e.bindElements(body.Params[0], func(s *ir.Symbol) bool { return s.Param == body.Params[0] })
	for k := range states {
		p := body.Params[2+k]
		e.bindElements(p, func(s *ir.Symbol) bool { return s.Param == p })
	}
	e.nodes(body, e.lastUses(body), keep)
	e.node, e.debug = n, debug
	next := &isa.Instruction{Op: uint32(isa.LoopNext), In: []int32{count, e.operand(n.Ins[0]), e.operand(body.Results[0])}, Out: outs(),
		Region: id, Binds: binds}
	taken := map[int32]bool{}
	for k := range states {
		x := e.operand(body.Results[1+k])
		taken[x] = true
		next.In = append(next.In, x)
	}
	for k := range seqs {
		grown := e.temp()
		e.put(&isa.Instruction{Op: uint32(isa.Lookup("", "SequenceInsert")), In: []int32{seqs[k], e.operand(body.Results[1+states+k])},
			Out: []*isa.Result{{Value: grown, Type: seqType(k)}}})
		next.In = append(next.In, grown)
	}
	// loop.next takes the states; the condition and what only the sequences have ends here
	cond := body.Results[0]
	if cond.Const == nil && cond.Param != body && !taken[e.id(cond)] && !keep[e.id(cond)] {
		taken[e.id(cond)] = true // taken by loop.next as well
	}
	done := map[int32]bool{}
	for k := range seqs {
		v := body.Results[1+states+k]
		if v.Const != nil || v.Param == body {
			continue
		}
		if x := e.id(v); !taken[x] && !keep[x] && !done[x] {
			done[x] = true
			e.free(x)
		}
	}
	r.Middle = uint32(len(e.p.Code))
	e.put(next)
	e.put(&isa.Instruction{Op: uint32(isa.Jmpt), In: []int32{more}, Region: id})
	r.End = uint32(len(e.p.Code))
	e.put(&isa.Instruction{Op: uint32(isa.LoopEnd), In: []int32{count, more}, Region: id})

	// Behind the loop its states become the results of the node, with their types and symbols.
	for _, x := range empty {
		e.free(x)
	}
	for k := range states {
		p := body.Params[2+k]
		if v := n.Outs[k]; v != nil {
			e.put(&isa.Instruction{Op: uint32(isa.Copy), In: []int32{e.id(p)}, Out: []*isa.Result{{Value: e.id(v), Type: e.typ(&v.Type)}},
				Binds: e.bindsOf(n, v)})
		}
		e.free(e.id(p))
	}
	for k := range seqs {
		if v := n.Outs[states+k]; v != nil {
			e.put(&isa.Instruction{Op: uint32(isa.SeqStack), In: []int32{seqs[k]}, Out: []*isa.Result{{Value: e.id(v), Type: e.typ(&v.Type)}},
				Binds: e.bindsOf(n, v)})
		}
		e.free(seqs[k])
	}
}

// stateBinds lists the symbols that are dimensions of a loop's states, in each trip anew. Index 0
// and 1 of the parameters are the trip's number and the condition, which have no dimensions.
func (e *emitter) stateBinds(body *ir.Graph, states int) []uint32 {
	var out []uint32
	for i, s := range e.m.Syms {
		if s.Param != nil && s.Param.Param == body && !s.Element && s.Param.Index >= 2 && s.Param.Index < 2+states {
			out = append(out, uint32(i))
		}
	}
	return out
}

// scalar is the type of one element of a dtype, without dimensions.
func (e *emitter) scalar(d onnx.DType) *isa.Type {
	return e.typ(&inference.Type{Kind: onnx.TensorType, Elem: d, Ranked: true, Dims: []*symshape.Expr{}})
}
