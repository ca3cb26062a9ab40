package emit

// This file writes nodes as instructions, and frees values after their last use.
//
// Every value has exactly one number, and a free instruction ends it: the runtime needs no
// reference counts, and the verifier can check that nothing is read after its end and nothing is
// left at the end of the program. A value ends right behind the node that uses it last, or behind
// the node that makes it if nobody uses it.

import (
	"strconv"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
)

// put appends an instruction of the node that is written. It carries the node's origin as debug
// information, unless it has its own. The result is the instruction, so that a caller may add to
// it.
func (e *emitter) put(i *isa.Instruction) *isa.Instruction {
	if i.Debug == 0 {
		i.Debug = e.debug
	}
	e.p.Code = append(e.p.Code, i)
	return i
}

// free writes the end of a value's life.
func (e *emitter) free(id int32) {
	e.put(&isa.Instruction{Op: uint32(isa.Free), In: []int32{id}})
}

// main writes the whole module. The order is: an in instruction for each input, frees of inputs
// that nobody reads, the nodes, an out instruction for each output, and the ends of the results,
// the last one first, each once even if it is given out twice. An output that is a constant is
// made a value first, as out takes values alone.
func (e *emitter) main() {
	g := e.m.Main
	for i, v := range g.Params {
		e.put(&isa.Instruction{Op: uint32(isa.In), Attr: []*isa.Attr{isa.IntAttrOf("port", int64(i))},
			Out: []*isa.Result{{Value: e.id(v), Type: e.typ(&v.Type)}}})
	}
	last := e.lastUses(g)
	for i, v := range g.Params {
		if _, used := last[v]; !used && !v.IsResult() {
			e.free(e.id(g.Params[i]))
		}
	}
	e.nodes(g, last, nil)
	e.debug = 0
	for k, v := range g.Results {
		id := e.operand(v)
		if v.Const != nil {
			id = e.temp()
			e.put(&isa.Instruction{Op: uint32(isa.Const), In: []int32{e.operand(v)}, Out: []*isa.Result{{Value: id, Type: e.typ(&v.Type)}}})
		}
		e.put(&isa.Instruction{Op: uint32(isa.Out), In: []int32{id}, Attr: []*isa.Attr{isa.IntAttrOf("port", int64(k))}})
		if v.Const != nil {
			e.free(id)
		}
	}
	freed := map[*ir.Value]bool{}
	for i := len(g.Results) - 1; i >= 0; i-- {
		if v := g.Results[i]; v.Const == nil && !freed[v] {
			freed[v] = true
			e.free(e.id(v))
		}
	}
}

// lastUses gives for each value that nodes of a graph use the last of these nodes. Constants have
// no life that ends. A node with bodies lists what they capture among its operands, so that
// bodies need not be walked.
func (e *emitter) lastUses(g *ir.Graph) map[*ir.Value]*ir.Node {
	last := map[*ir.Value]*ir.Node{}
	for _, n := range g.Nodes {
		for _, v := range n.Ins {
			if v != nil && v.Const == nil {
				last[v] = n
			}
		}
	}
	return last
}

// nodes writes the nodes of a graph. Values that are results of the graph are kept, and
// so are those of keep, which belong to somebody else. last is what lastUses gives for the graph.
func (e *emitter) nodes(g *ir.Graph, last map[*ir.Value]*ir.Node, keep map[int32]bool) {
	for _, n := range g.Nodes {
		e.node, e.debug = n, e.origin(n.From)
		switch {
		case n.Op.Name == "If" && n.Op.Domain == "":
			e.condition(n)
		case n.Op.Name == "Loop" && n.Op.Domain == "":
			e.loop(n)
		default:
			e.plain(n)
		}
		e.node, e.debug = n, e.origin(n.From)
		e.elements(n)
		done := map[*ir.Value]bool{}
		for _, v := range n.Ins {
			if x := e.operand(v); x >= 0 && last[v] == n && !v.IsResult() && !done[v] && !keep[x] {
				done[v] = true
				e.free(x)
			}
		}
		for _, v := range n.Outs {
			if v != nil && last[v] == nil && !v.IsResult() {
				e.free(e.id(v))
			}
		}
	}
}

// plain writes a node that is one instruction. It panics by failf if the node's operator exists
// in the IR alone; the pass that rewrites such operators has run before. Absent results at the
// end are left out, as ONNX does.
func (e *emitter) plain(n *ir.Node) {
	if n.Op.Opcode == 0 {
		e.failf("the operator has no instruction: it should have been rewritten to %s", n.Op.Via)
	}
	i := &isa.Instruction{Op: uint32(n.Op.Opcode), Attr: e.attrs(n)}
	for _, v := range n.Ins {
		i.In = append(i.In, e.operand(v))
	}
	for _, v := range n.Outs {
		i.Out = append(i.Out, e.result(v))
	}
	for len(i.Out) > 0 && i.Out[len(i.Out)-1].Value == isa.Absent {
		i.Out = i.Out[:len(i.Out)-1]
	}
	if n.Reuse > 0 && len(i.Out) > 0 && i.In[n.Reuse-1] >= 0 {
		i.Out[0].Alias = uint32(n.Reuse)
	}
	i.Binds = e.binds(n, false)
	e.put(i)
}

// A nil value is an optional result that nobody wants.
func (e *emitter) result(v *ir.Value) *isa.Result {
	if v == nil {
		return &isa.Result{Value: isa.Absent}
	}
	return &isa.Result{Value: e.id(v), Type: e.typ(&v.Type)}
}

// binds lists the symbols that a node binds by the dimensions of its results, or by
// elements.
func (e *emitter) binds(n *ir.Node, elements bool) []uint32 {
	var out []uint32
	for i, s := range e.m.Syms {
		if s.Node == n && s.Element == elements {
			out = append(out, uint32(i))
		}
	}
	return out
}

// elements writes the bind instructions of symbols that are elements of a node's results. These
// are symbols for numbers that the run computes and later shapes use, such as the number that
// NonZero finds or an element of a Reshape's operand.
func (e *emitter) elements(n *ir.Node) {
	if len(e.binds(n, true)) == 0 {
		return
	}
	for _, v := range n.Outs {
		if v != nil {
			e.bindElements(v, func(s *ir.Symbol) bool { return s.Node == n })
		}
	}
}

// bindElements binds all elements of a value, of which some are symbols that mine accepts;
// the others get symbols that nobody uses. A bind instruction lists one symbol for each element,
// since the runtime reads the whole value anyway; elements whose sizes are known already are read
// into symbols that have no other use.
func (e *emitter) bindElements(v *ir.Value, mine func(*ir.Symbol) bool) {
	binds := make([]uint32, len(v.Elems))
	some := false
	for i, x := range v.Elems {
		binds[i] = ^uint32(0)
		for k := range e.m.Syms {
			if s := &e.m.Syms[k]; s.Element && s.Expr == x && s.Axis == i && mine(s) {
				binds[i], some = uint32(k), true
			}
		}
	}
	if !some {
		return
	}
	for i, b := range binds {
		if b == ^uint32(0) {
			binds[i] = e.unused()
		}
	}
	e.put(&isa.Instruction{Op: uint32(isa.Bind), In: []int32{e.operand(v)}, Binds: binds})
}

// unused makes a symbol that no size has. Its bounds say nothing, so that no check is made of it.
// The name is searched until it is free.
func (e *emitter) unused() uint32 {
	id := uint32(len(e.p.Symbols))
	name := ""
	for k := 0; ; k++ {
		name = "_" + string(rune('a'+k%26)) + strconv.Itoa(int(id)+k)
		if _, taken := e.symbols[name]; !taken {
			break
		}
	}
	e.symbols[name] = id
	e.p.Symbols = append(e.p.Symbols, &isa.Symbol{Name: name, Lo: -1 << 62})
	return id
}

// attrs writes a node's attributes. Floats are widened to binary64, which has all of them
// exactly, and tensors become constants of the program. A sizes instruction has its expressions
// as an attribute. It panics by failf at graphs and at lists of graphs, which only If and Loop
// have, and at lists of tensors.
func (e *emitter) attrs(n *ir.Node) []*isa.Attr {
	var out []*isa.Attr
	for _, a := range n.Attr.All() {
		x := &isa.Attr{Name: a.Name}
		switch a.Type {
		case onnx.AttrInt:
			x.V = &isa.Attr_I{I: a.Int}
		case onnx.AttrFloat:
			x.V = &isa.Attr_F{F: float64(a.Float)}
		case onnx.AttrString:
			x.V = &isa.Attr_S{S: a.String}
		case onnx.AttrInts:
			x.V = &isa.Attr_Ints{Ints: &isa.Ints{List: a.Ints}}
		case onnx.AttrFloats:
			list := make([]float64, len(a.Floats))
			for i, f := range a.Floats {
				list[i] = float64(f)
			}
			x.V = &isa.Attr_Floats{Floats: &isa.Floats{List: list}}
		case onnx.AttrStrings:
			x.V = &isa.Attr_Strings{Strings: &isa.Strings{List: a.Strings}}
		case onnx.AttrTensor:
			x.V = &isa.Attr_Constant{Constant: e.tensor(a.Tensor)}
		case onnx.AttrTypeProto:
			continue // the type of an optional value, which the result's type says
		default:
			e.failf("the attribute %s of type %s cannot be written", a.Name, a.Type)
		}
		out = append(out, x)
	}
	if n.Op.Opcode == isa.Sizes {
		out = append(out, e.sizesAttr(n.Outs[0]))
	}
	return out
}

// sizesAttr is the attribute of a node whose result's elements are sizes.
func (e *emitter) sizesAttr(v *ir.Value) *isa.Attr {
	list := &isa.SizeList{}
	for _, x := range v.Elems {
		if x == nil {
			e.failf("an element of the sizes is not known")
		}
		list.List = append(list.List, e.size(x))
	}
	return &isa.Attr{Name: "of", V: &isa.Attr_Sizes{Sizes: list}}
}

// copyTo writes a copy of a value under another number and type. Constants have an instruction of
// their own; since that binds no symbols a constant whose sizes bind goes through a temporary
// value.
func (e *emitter) copyTo(id int32, v *ir.Value, t *inference.Type, binds []uint32) {
	op := isa.Copy
	if v = e.resolve(v); v.Const != nil {
		op = isa.Const
	}
	if v.Const != nil && len(binds) > 0 { // a constant binds nothing
		tmp := e.temp()
		e.put(&isa.Instruction{Op: uint32(isa.Const), In: []int32{e.operand(v)}, Out: []*isa.Result{{Value: tmp, Type: e.typ(&v.Type)}}})
		e.put(&isa.Instruction{Op: uint32(isa.Copy), In: []int32{tmp}, Out: []*isa.Result{{Value: id, Type: e.typ(t)}}, Binds: binds})
		e.free(tmp)
		return
	}
	e.put(&isa.Instruction{Op: uint32(op), In: []int32{e.operand(v)}, Out: []*isa.Result{{Value: id, Type: e.typ(t)}}, Binds: binds})
}
