package schema

// This file takes attributes apart and changes them.

import (
	"slices"
	"strings"

	"shapecheck/onnx"
)

// All lists the attributes whose value is not the default, by name, without graphs: two
// nodes with equal lists mean the same. It must not be changed.
func (a Attrs) All() []*onnx.Attr {
	if a.op == nil {
		return nil
	}
	var out []*onnx.Attr
	for i, x := range a.vals {
		if x == nil || x == a.op.Attrs[i].Default || a.op.Attrs[i].Type == onnx.AttrGraph || SameValue(x, a.op.Attrs[i].Default) {
			continue
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(x, y *onnx.Attr) int { return strings.Compare(x.Name, y.Name) })
	return out
}

// With gives the attributes with some changed; nil attributes are those of a node that
// has none. The new ones are checked as Decode does. An unknown attribute, one that occurs twice, a wrong type and a
// value that is not allowed are errors.
func (op *Op) With(a Attrs, list ...*onnx.Attr) (Attrs, error) {
	n := &onnx.Node{Op: op.Name}
	for i, x := range a.vals {
		if x != nil && x != a.op.Attrs[i].Default && !slices.ContainsFunc(list, func(y *onnx.Attr) bool { return y.Name == x.Name }) {
			n.Attrs = append(n.Attrs, x)
		}
	}
	n.Attrs = append(n.Attrs, list...)
	return op.Decode(n, nil)
}

// DecodeClosed is Decode for nodes whose graphs are kept elsewhere: the attributes have
// none, and none is missed. It returns the errors that Decode returns of the other attributes.
func (op *Op) DecodeClosed(n *onnx.Node) (Attrs, error) {
	m := &onnx.Node{Op: n.Op}
	for _, x := range n.Attrs {
		if x.Type != onnx.AttrGraph {
			m.Attrs = append(m.Attrs, x)
		}
	}
	for i := range op.Attrs {
		if d := &op.Attrs[i]; d.Type == onnx.AttrGraph && d.Required {
			m.Attrs = append(m.Attrs, &onnx.Attr{Name: d.Name, Type: d.Type, Graph: &onnx.Graph{}})
		}
	}
	a, err := op.Decode(m, nil)
	for i := range op.Attrs {
		if op.Attrs[i].Type == onnx.AttrGraph {
			a.vals[i] = nil
		}
	}
	return a, err
}

// SameValue reports whether two attributes have the same type and value. Graphs and
// types are the same only when they are one.
func SameValue(a, b *onnx.Attr) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.Type != b.Type || a.Ref != b.Ref {
		return false
	}
	switch a.Type {
	case onnx.AttrInt:
		return a.Int == b.Int
	case onnx.AttrFloat:
		return a.Float == b.Float
	case onnx.AttrString:
		return string(a.String) == string(b.String)
	case onnx.AttrInts:
		return slices.Equal(a.Ints, b.Ints)
	case onnx.AttrFloats:
		return slices.Equal(a.Floats, b.Floats)
	case onnx.AttrStrings:
		return slices.EqualFunc(a.Strings, b.Strings, func(x, y []byte) bool { return string(x) == string(y) })
	case onnx.AttrTensor:
		x, err1 := a.Tensor.RawData()
		y, err2 := b.Tensor.RawData()
		return err1 == nil && err2 == nil && a.Tensor.DType == b.Tensor.DType && slices.Equal(a.Tensor.Dims, b.Tensor.Dims) &&
			string(x) == string(y)
	}
	return false
}
