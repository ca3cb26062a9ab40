package lower

// This file lowers conditions and loops.

import (
	"shapecheck/infer/graph"
	"shapecheck/internal/onnx"
)

// ifNode lowers a condition: each region becomes a graph without inputs, which
// sees the values around it.
func (l *lowerer) ifNode(b *block, n *graph.Node, live map[*graph.Node]bool) {
	var cond string
	for _, a := range n.Args {
		if a.Name != "cond" {
			continue
		}
		if v, ok := a.Value.(*graph.Value); ok {
			cond = l.truth(b, v, n)
		} else {
			cond = l.scalar(b, a.Value, n.At)
		}
	}
	node := &onnx.Node{Op: "If", Name: l.nodeName(n), Inputs: []string{cond}, Doc: l.place(n)}
	for i, attr := range [...]string{"then_branch", "else_branch"} {
		r := n.Regions[i]
		sub := &block{g: &onnx.Graph{Name: l.unique("node:" + attr)[len("node:"):]}, outer: b, sizes: map[string]string{}}
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

// truth returns a bool of no dimensions for a tensor that a condition tests.
func (l *lowerer) truth(b *block, v *graph.Value, n *graph.Node) string {
	f := &folder{l: l, b: b, at: n.At}
	name := l.value(v, n.At)
	typ := typeOf(v)
	if typ == nil {
		l.fail(n.At, "the type of the condition is not known")
		return name
	}
	if typ.Elem != onnx.Bool {
		name = f.op("Cast", []string{name}, onnx.IntAttr("to", int64(onnx.Bool)))
	}
	if typ.Shape == nil || len(typ.Shape.Dims) > 0 {
		name = f.op("Reshape", []string{name, f.tensor(onnx.NewInts([]int64{0}))})
	}
	return name
}

// result makes an operand an output of a region's graph, in the element type of
// the node's output.
func (l *lowerer) result(b *block, o graph.Operand, out *graph.Value, n *graph.Node) {
	typ := typeOf(out)
	if typ == nil {
		l.fail(n.At, "the branches of the condition give values of different types")
		return
	}
	var name string
	elem := typ.Elem
	have := elem
	switch o := o.(type) {
	case *graph.Value:
		name = l.value(o, n.At)
		if t := typeOf(o); t != nil {
			have = t.Elem
		}
	case nil:
		l.fail(n.At, "a value that may be None has no form here")
		return
	default:
		var t *onnx.Type
		if name, t = l.constant(b, o); t == nil {
			l.fail(n.At, "%s has no form in ONNX", graph.OperandString(o))
			return
		}
		have = t.Elem
	}
	to := l.unique("/result")
	if have != elem {
		b.emit(&onnx.Node{Op: "Cast", Name: to, Inputs: []string{name}, Outputs: []string{to}, Attrs: []*onnx.Attr{onnx.IntAttr("to", int64(elem))}})
	} else {
		b.emit(&onnx.Node{Op: "Identity", Name: to, Inputs: []string{name}, Outputs: []string{to}})
	}
	b.g.Outputs = append(b.g.Outputs, &onnx.ValueInfo{Name: to, Type: typ})
}

func (l *lowerer) loopNode(b *block, n *graph.Node, live map[*graph.Node]bool) {
	l.fail(n.At, "loops of unknown length are not written yet")
}
