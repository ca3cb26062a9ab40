package lower

// This file lowers conditions and loops.

import (
	"shapecheck/infer/graph"
	"shapecheck/internal/source"
	"shapecheck/onnx"
)

// argument returns an argument of a node that is no library call.
func argument(n *graph.Node, name string) graph.Operand {
	for _, a := range n.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// inner opens the graph of a region, which sees the values around it.
func (l *lowerer) inner(b *block, name string, at source.Span) *block {
	if b.depth >= maxDepth {
		l.fail(at, "conditions and loops of more than %d levels make a file that readers of protobuf refuse", maxDepth)
	}
	return newBlock(&onnx.Graph{Name: l.unique("node:" + name)[len("node:"):]}, b)
}

// maxDepth bounds how deep graphs nest: readers of protobuf take 100 messages inside of each other, a graph
// in a node's attribute is three, and seven more are the type of a list of tensors.
const maxDepth = 30

// ifNode lowers a condition: each region becomes a graph without inputs.
func (l *lowerer) ifNode(b *block, n *graph.Node, live map[*graph.Node]bool) {
	node := &onnx.Node{Op: "If", Name: l.nodeName(n), Inputs: []string{l.truth(b, argument(n, "cond"), n)}, Doc: l.place(n)}
	for i, attr := range [...]string{"then_branch", "else_branch"} {
		r := n.Regions[i]
		sub := l.inner(b, attr, n.At)
		sources := l.saveSources()
		l.region(sub, r, live)
		for j, o := range r.Results {
			l.result(sub, o, n.Outputs[j], n)
		}
		l.sources = sources
		node.Attrs = append(node.Attrs, onnx.GraphAttr(attr, sub.g))
	}
	node.Outputs = l.bindOutputs(n)
	b.emit(node)
	l.defined(b, n, node.Outputs)
}

// loopNode lowers a loop. The graph of its body has the number of the iteration,
// a condition and the carried values as inputs.
func (l *lowerer) loopNode(b *block, n *graph.Node, live map[*graph.Node]bool) {
	node := &onnx.Node{Op: "Loop", Name: l.nodeName(n), Inputs: []string{"", ""}, Doc: l.place(n)}
	if trips := argument(n, "trips"); trips != nil {
		node.Inputs[0] = l.scalar(b, trips, n.At)
	}
	init, _ := argument(n, "init").(graph.List)
	body := n.Regions[0]
	for i, o := range init {
		name, _ := l.as(b, o, body.Params[i+1], n)
		node.Inputs = append(node.Inputs, name)
	}
	sub := l.inner(b, "body", n.At)
	sources := l.saveSources()
	for i, p := range body.Params {
		typ, base := typeOf(p), orElse(p.Name, "carried")
		if i == 0 {
			base = "iteration"
		}
		name := l.unique(nodePath(n) + base)
		if typ == nil {
			l.fail(n.At, "the dtype of a value that a loop carries is not known")
			return
		}
		l.names[p], l.types[name] = name, typ
		sub.g.Inputs = append(sub.g.Inputs, &onnx.ValueInfo{Name: name, Type: typ})
		if i == 0 {
			sub.g.Inputs = append(sub.g.Inputs, &onnx.ValueInfo{Name: l.unique(nodePath(n) + "condition"), Type: onnx.TensorOf(onnx.Bool)})
		}
		l.bindNumber(sub, p, name)
		l.bindSymbols(p, name)
	}
	l.region(sub, body, live)
	l.resultOf(sub, l.truth(sub, body.Results[0], n), onnx.TensorOf(onnx.Bool))
	for i, o := range body.Results[1:] {
		l.result(sub, o, n.Outputs[i], n)
	}
	l.sources = sources
	node.Attrs = append(node.Attrs, onnx.GraphAttr("body", sub.g))
	node.Outputs = l.bindOutputs(n)
	b.emit(node)
	l.defined(b, n, node.Outputs)
}

// truth returns a bool of no dimensions for what a condition tests.
func (l *lowerer) truth(b *block, o graph.Operand, n *graph.Node) string {
	v, ok := o.(*graph.Value)
	if !ok {
		return l.scalar(b, o, n.At)
	}
	f := &folder{l: l, b: b, at: n.At}
	name := l.tensor(b, v, n.At)
	typ := tensorTypeOf(v)
	if typ == nil {
		l.fail(n.At, "the type of the condition is not known")
		return name
	}
	if typ.Elem != onnx.Bool {
		name = f.cast(name, onnx.Bool)
	}
	if typ.Shape == nil || len(typ.Shape.Dims) > 0 {
		name = f.op("Reshape", []string{name, f.tensor(onnx.NewInts([]int64{0}))})
	}
	return name
}

// number lowers the nodes that make a number of a tensor with one element.
func (l *lowerer) number(b *block, n *graph.Node) {
	v, ok := argument(n, "input").(*graph.Value)
	if !ok {
		l.fail(n.At, "%s has no tensor", n.Op)
		return
	}
	f := &folder{l: l, b: b, at: n.At}
	var name string
	if n.Op == graph.Truth {
		name = f.cast(l.truth(b, v, n), onnx.Int64)
	} else if name = f.cast(l.tensor(b, v, n.At), onnx.Int64); v.Kind != graph.ScalarKind { // Cast rounds to zero
		name = f.op("Reshape", []string{name, f.tensor(onnx.NewInts([]int64{0}))})
	}
	out := n.Outputs[0]
	l.names[out] = name
	l.bindNumber(b, out, name)
}

// bindNumber notes the symbol that stands for a number.
func (l *lowerer) bindNumber(b *block, v *graph.Value, name string) {
	if v.Kind != graph.ScalarKind || v.Symbol == nil {
		return
	}
	if s, ok := v.Symbol.IsSymbol(); ok {
		b.sizes[s] = name
	}
}

// result makes an operand an output of a region's graph, of the kind that the
// node's output has.
func (l *lowerer) result(b *block, o graph.Operand, out *graph.Value, n *graph.Node) {
	name, typ := l.as(b, o, out, n)
	if typ == nil {
		return
	}
	l.resultOf(b, name, typ)
}

// as gives an operand in the kind and element type of out: a result of a region, or
// what a loop starts with. Its type has the sizes of the operand itself.
func (l *lowerer) as(b *block, o graph.Operand, out *graph.Value, n *graph.Node) (string, *onnx.Type) {
	typ := typeOf(out)
	if typ == nil {
		l.fail(n.At, "a condition or loop gives values of different or unknown dtype")
		return "", nil
	}
	switch out.Kind {
	case graph.SequenceKind:
		return l.sequence(b, o, out, n), typ
	case graph.OptionalKind:
		return l.optional(b, o, out, n), typ
	}
	var name string
	var have *onnx.Type
	if o == nil && out.Kind == graph.ScalarKind { // nobody reads the number here
		o = graph.Int(0)
	}
	if v, ok := o.(*graph.Value); ok {
		if v.Kind == graph.SequenceKind {
			l.fail(n.At, "a list in place of a tensor has no form in ONNX")
			return "", nil
		}
		name, have = l.tensor(b, v, n.At), tensorTypeOf(v)
	} else {
		name, have = l.constant(b, o, n.At)
	}
	if have == nil {
		l.fail(n.At, "%s has no form in ONNX", graph.OperandString(o))
		return "", nil
	}
	if have.Elem != typ.Elem {
		f := &folder{l: l, b: b, at: n.At}
		name = f.cast(name, typ.Elem)
	}
	return name, &onnx.Type{Kind: onnx.TensorType, Elem: typ.Elem, Shape: have.Shape}
}
