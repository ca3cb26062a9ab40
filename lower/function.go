package lower

// This file writes library calls as calls of model-local functions.

import (
	"fmt"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/internal/source"
	"shapecheck/lower/aten"
	"shapecheck/onnx"
)

// functionDomain is the domain of the functions: that of PyTorch's operators.
const functionDomain = "aten"

// call lowers a library call.
func (l *lowerer) call(b *block, n *graph.Node) {
	if l.Plus && l.plus(b, n) {
		return
	}
	body, err := aten.Run(n, l.Pool, l.Opset)
	if err != nil && l.Plus && l.host(b, n) {
		return
	}
	if err != nil {
		l.fail(n.At, "%v", err)
		for _, o := range n.Outputs { // one error is enough
			l.names[o] = "?"
		}
		return
	}
	node := &onnx.Node{Op: l.function(body), Domain: functionDomain, Attrs: body.Attrs, Doc: l.place(n)}
	for _, f := range body.Formals {
		var name string
		switch {
		case f.Value != nil:
			name = l.argument(b, f.Value, n)
		case f.Scalar:
			name = l.scalar(b, f.Sizes[0], n.At)
		default:
			name = l.vector(b, f.Sizes, n.At)
		}
		node.Inputs = append(node.Inputs, name)
	}
	node.Outputs = l.bindOutputs(n)
	node.Name = l.nodeName(n)
	if n.Module != "" {
		node.Metadata = append(node.Metadata, onnx.Entry{Key: "module", Value: n.Module})
	}
	b.emit(node)
	l.defined(b, n, node.Outputs)
}

// argument returns the name of a value as an argument of a call.
func (l *lowerer) argument(b *block, v *graph.Value, n *graph.Node) string {
	if v.Kind == graph.SequenceKind {
		return l.value(v, n.At)
	}
	return l.tensor(b, v, n.At)
}

// nodeName is a unique, readable name: /layer1/0/conv1/conv2d.
func (l *lowerer) nodeName(n *graph.Node) string {
	return l.unique("node:" + nodePath(n) + lastName(n.Op))[len("node:"):]
}

// place is the line of source that a node comes from: "net.py:12", "net.ipynb:cell 3:2".
func (l *lowerer) place(n *graph.Node) string {
	if l.Files == nil {
		return ""
	}
	pos := l.Files.Position(n.At.Start)
	if pos.File == nil {
		return ""
	}
	return pos.Place()
}

// function returns the name of a function with this body, which is made once.
func (l *lowerer) function(b *aten.Body) string {
	f := &onnx.Function{Domain: functionDomain, Outputs: b.Outputs, Nodes: b.Nodes, Opsets: []onnx.Opset{{Version: l.Opset}}}
	for _, x := range b.Formals {
		f.Inputs = append(f.Inputs, x.Name)
	}
	for _, a := range b.Attrs {
		f.Attrs = append(f.Attrs, a.Name)
	}
	bytes, err := onnx.Marshal(&onnx.Model{Functions: []*onnx.Function{f}})
	if err != nil {
		l.errs = append(l.errs, err)
		return b.Name
	}
	key := b.Name + "\x00" + string(bytes)
	if old := l.functions[key]; old != nil {
		return old.Name
	}
	f.Name = b.Name
	for i := 2; l.functionTaken(f.Name); i++ {
		f.Name = fmt.Sprintf("%s_%d", b.Name, i)
	}
	l.functions[key] = f
	l.order = append(l.order, f)
	return f.Name
}

func (l *lowerer) functionTaken(name string) bool {
	for _, f := range l.order {
		if f.Name == name {
			return true
		}
	}
	return false
}

// constant materialises a number as a tensor and gives its type.
func (l *lowerer) constant(b *block, o graph.Operand, at source.Span) (string, *onnx.Type) {
	f := &folder{l: l, b: b, at: at}
	switch o := o.(type) {
	case graph.Str:
		return "", nil
	case graph.Bool:
		return f.Bool(bool(o)), onnx.TensorOf(onnx.Bool)
	case graph.Float:
		return f.full(onnx.Float, float64(o)), onnx.TensorOf(onnx.Float)
	}
	switch o.(type) {
	case graph.Cond:
		return l.scalar(b, o, f.at), onnx.TensorOf(onnx.Bool)
	case graph.Real:
		return l.scalar(b, o, f.at), onnx.TensorOf(onnx.Double)
	}
	switch text := graph.OperandString(o); {
	case strings.HasPrefix(text, "<"):
		return "", nil
	default:
		return l.scalar(b, o, f.at), onnx.TensorOf(onnx.Int64)
	}
}
