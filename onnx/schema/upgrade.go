package schema

// This file writes nodes of old versions in the newest form, so that what runs or
// compiles operators knows one version of each.

import (
	"bytes"
	"fmt"
	"slices"

	"shapecheck/onnx"
)

// Upgraded is a node in the newest form of its domain: nodes in the order in which
// they run, and the constants that they read besides the values that exist.
type Upgraded struct {
	Nodes     []*onnx.Node
	Constants []*onnx.Tensor
}

// Upgrade writes a node of the version op, which Lookup gave, in the newest form:
// what moved from attributes to inputs becomes a constant, defaults that changed are
// spelled out, and operators that were replaced or changed their meaning become
// nodes that compute the same. The results have the names that n has; fresh makes
// names for what is between them from a hint. References to attributes of a function
// are resolved in fn, as Decode does. A node whose form did not change is n itself;
// graphs among the attributes are as they were.
//
// What cannot be written is an error: the few old forms that the newest operators do
// not have, such as nodes before opset 7 that train.
// Deprecated operators without a successor of the same meaning stay as they are.
func (op *Op) Upgrade(n *onnx.Node, fn []*onnx.Attr, fresh func(hint string) string) (Upgraded, error) {
	a, err := op.Decode(n, fn)
	if err != nil {
		return Upgraded{}, err
	}
	u := &upgrade{n: n, a: a, fresh: fresh}
	to := op.family.last()
	rule := upgrades[op.Name]
	switch {
	case rule != nil && op.Domain == "" && op.Since < rule.before:
		rule.write(u)
		return u.out, u.err
	case op == to:
		return Upgraded{Nodes: []*onnx.Node{u.resolved()}}, nil
	}
	m := u.resolved()
	for i := range op.Attrs {
		old := &op.Attrs[i]
		def := to.Attr(old.Name)
		switch {
		case old.Name == "consumed_inputs": // which memory could be used again
			m = withoutAttr(m, old.Name)
		case def == nil && u.a.Given(old.Name):
			return Upgraded{}, fmt.Errorf("version %d of the operator has no attribute %s, and no newer form of it is known", to.Since, old.Name)
		case def != nil && old.Default != nil && !u.a.Given(old.Name) && !sameDefault(old.Default, def.Default):
			m = withAttrs(m, old.Default)
		}
	}
	return Upgraded{Nodes: []*onnx.Node{m}}, nil
}

func sameDefault(a, b *onnx.Attr) bool {
	return b != nil && a.Type == b.Type && a.Int == b.Int && a.Float == b.Float && bytes.Equal(a.String, b.String) &&
		slices.Equal(a.Ints, b.Ints) &&
		slices.Equal(a.Floats, b.Floats) && slices.EqualFunc(a.Strings, b.Strings, bytes.Equal)
}

// withAttrs copies a node and sets attributes.
func withAttrs(n *onnx.Node, attrs ...*onnx.Attr) *onnx.Node {
	m := *n
	m.Attrs = slices.Clone(n.Attrs)
	for _, a := range attrs {
		m.Attrs = slices.DeleteFunc(m.Attrs, func(x *onnx.Attr) bool { return x.Name == a.Name })
		m.Attrs = append(m.Attrs, a)
	}
	return &m
}

// withoutAttr gives a node without an attribute.
func withoutAttr(n *onnx.Node, name string) *onnx.Node {
	if n.Attr(name) == nil {
		return n
	}
	m := *n
	m.Attrs = slices.DeleteFunc(slices.Clone(n.Attrs), func(x *onnx.Attr) bool { return x.Name == name })
	return &m
}

// An upgrade is what a rule works with. The first error counts.
type upgrade struct {
	n     *onnx.Node
	a     Attrs
	fresh func(hint string) string
	out   Upgraded
	err   error
}

// resolved gives the node without references.
func (u *upgrade) resolved() *onnx.Node {
	if !slices.ContainsFunc(u.n.Attrs, func(a *onnx.Attr) bool { return a.Ref != "" }) {
		return u.n
	}
	m := *u.n
	m.Attrs = nil
	for i, v := range u.a.vals {
		if u.a.given>>i&1 != 0 {
			w := *v
			w.Name = u.a.op.Attrs[i].Name
			m.Attrs = append(m.Attrs, &w)
		}
	}
	return &m
}

// in gives the name of an input; empty when it is absent.
func (u *upgrade) in(i int) string {
	if i < len(u.n.Inputs) {
		return u.n.Inputs[i]
	}
	return ""
}

// result gives the name of a result, empty when nobody wants it.
func (u *upgrade) result(i int) string {
	if i < len(u.n.Outputs) {
		return u.n.Outputs[i]
	}
	return ""
}

// node adds a node; it keeps the old one's name, place and texts. Absent inputs and
// results at the end are left out.
func (u *upgrade) node(op string, ins, outs []string, attrs ...*onnx.Attr) {
	for len(ins) > 0 && ins[len(ins)-1] == "" {
		ins = ins[:len(ins)-1]
	}
	for len(outs) > 1 && outs[len(outs)-1] == "" {
		outs = outs[:len(outs)-1]
	}
	u.out.Nodes = append(u.out.Nodes, &onnx.Node{Name: u.n.Name, Op: op, Inputs: ins, Outputs: outs, Attrs: attrs, Doc: u.n.Doc,
		Metadata: u.n.Metadata})
}

// value adds a node with one new result and gives its name.
func (u *upgrade) value(op string, ins []string, attrs ...*onnx.Attr) string {
	name := u.fresh(op)
	u.node(op, ins, []string{name}, attrs...)
	return name
}

// constant adds a constant and gives its name.
func (u *upgrade) constant(hint string, t *onnx.Tensor) string {
	t.Name = u.fresh(hint)
	u.out.Constants = append(u.out.Constants, t)
	return t.Name
}

// ints adds a list of integers as a constant.
func (u *upgrade) ints(hint string, list ...int64) string {
	return u.constant(hint, onnx.NewInts(nil, list...))
}

// float adds a binary32 number as a constant.
func (u *upgrade) float(hint string, f float32) string {
	t, err := onnx.NewScalar(onnx.Float, float64(f))
	if err != nil && u.err == nil {
		u.err = err
		return ""
	}
	return u.constant(hint, t)
}

// keep gives the attributes of the node that the newest form has, too, besides those
// named; references are resolved, and defaults that changed are given.
func (u *upgrade) keep(to string, without ...string) []*onnx.Attr {
	var out []*onnx.Attr
	newest := Last("", to)
	for i, v := range u.a.vals {
		def := &u.a.op.Attrs[i]
		now := newest.Attr(def.Name)
		if v == nil || now == nil || slices.Contains(without, def.Name) {
			continue
		}
		if u.a.given>>i&1 != 0 || !sameDefault(v, now.Default) {
			w := *v
			w.Name, w.Type = def.Name, def.Type
			out = append(out, &w)
		}
	}
	return out
}
