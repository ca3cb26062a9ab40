package lower

// This file declares the types of the values that the lowering itself makes:
// computed sizes, elements of lists, results of regions.

import (
	"shapecheck/onnx"
)

// A block is a graph under construction: the model's, or one inside a node.
type block struct {
	g     *onnx.Graph
	outer *block
	sizes map[string]string // computed sizes, by their text
	// made are the values that its nodes make.
	made map[string]bool
	// depth is how many graphs are around it.
	depth int
}

func newBlock(g *onnx.Graph, outer *block) *block {
	b := &block{g: g, outer: outer, sizes: map[string]string{}, made: map[string]bool{}}
	if outer != nil {
		b.depth = outer.depth + 1
	}
	return b
}

func (b *block) emit(n *onnx.Node) {
	b.g.Nodes = append(b.g.Nodes, n)
	for _, o := range n.Outputs {
		b.made[o] = true
	}
}

// size looks for what is computed already, here or in a graph around this one.
func (b *block) size(key string) (string, bool) {
	for ; b != nil; b = b.outer {
		if name, ok := b.sizes[key]; ok {
			return name, true
		}
	}
	return "", false
}

// resultOf makes a value an output of a graph inside of a node: itself, when a node
// of the graph makes it and it is no output yet.
func (l *lowerer) resultOf(b *block, name string, typ *onnx.Type) {
	fresh := b.made[name]
	for _, o := range b.g.Outputs {
		fresh = fresh && o.Name != name
	}
	if !fresh {
		to := l.unique("/result")
		b.emit(&onnx.Node{Op: "Identity", Name: to, Inputs: []string{name}, Outputs: []string{to}})
		name = to
	}
	kept := b.g.Values[:0]
	for _, v := range b.g.Values {
		if v.Name != name {
			kept = append(kept, v)
		}
	}
	b.g.Values = kept
	b.g.Outputs = append(b.g.Outputs, &onnx.ValueInfo{Name: name, Type: typ})
}

// declare notes the type of a value, if it is known.
func (l *lowerer) declare(b *block, name string, typ *onnx.Type) {
	if typ != nil {
		l.types[name] = typ
		b.g.Values = append(b.g.Values, &onnx.ValueInfo{Name: name, Type: typ})
	}
}

// sizeType is the type that a node of the computation of sizes has; nil when that
// of its operands is not known.
func (l *lowerer) sizeType(n *onnx.Node) *onnx.Type {
	arg := func(i int) *onnx.Type {
		if i >= len(n.Inputs) {
			return nil
		}
		return l.types[n.Inputs[i]]
	}
	switch n.Op {
	case "Constant":
		if t := n.Attr("value").Tensor; t != nil {
			dims := make([]onnx.Dim, len(t.Dims))
			for i, d := range t.Dims {
				dims[i] = onnx.Static(d)
			}
			return onnx.TensorOf(t.DType, dims...)
		}
	case "Shape":
		return onnx.TensorOf(onnx.Int64, onnx.Static(n.Attr("end").Int-n.Attr("start").Int))
	case "Cast":
		if t := arg(0); t != nil {
			return &onnx.Type{Kind: onnx.TensorType, Elem: onnx.DType(n.Attr("to").Int), Shape: t.Shape}
		}
	case "Squeeze", "Reshape": // to a scalar
		if t := arg(0); t != nil {
			return onnx.TensorOf(t.Elem)
		}
	case "Unsqueeze": // of a scalar
		if t := arg(0); t != nil {
			return onnx.TensorOf(t.Elem, onnx.Static(1))
		}
	case "Concat":
		sum := int64(0)
		for i := range n.Inputs {
			t := arg(i)
			if t == nil || t.Shape == nil || len(t.Shape.Dims) != 1 || !t.Shape.Dims[0].Known {
				return nil
			}
			sum += t.Shape.Dims[0].Value
		}
		return onnx.TensorOf(arg(0).Elem, onnx.Static(sum))
	case "Equal", "GreaterOrEqual", "And", "Or", "Not":
		return onnx.TensorOf(onnx.Bool)
	case "SequenceLength":
		return onnx.TensorOf(onnx.Int64)
	case "Add", "Sub", "Mul", "Div", "Mod", "Max", "Min", "Pow", "Neg", "Sqrt", "Floor", "Ceil", "Round":
		if t := arg(0); t != nil {
			return onnx.TensorOf(t.Elem)
		}
	}
	return nil
}
