package pass

// This file compares the types of nodes with what inference says of them: what --verify=full
// does after each pass.

import (
	"fmt"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// checkTypes infers each node of a schema from its operands' types and finds results that
// contradict it. Nodes with bodies and the machine's own are left out, and sizes of which it is
// not known whether they are equal.
func checkTypes(m *ir.Module) error {
	s := inference.NewSession(m.Pool)
	s.Facts = m.Facts
	var err error
	m.Walk(func(g *ir.Graph) {
		for _, n := range g.Nodes {
			if err != nil || n.Op.Schema == nil || len(n.Graphs) > 0 {
				continue
			}
			if why := contradicts(s, m.Facts, n); why != "" {
				err = fmt.Errorf("node %d (%s): %s", n.ID, n.Op.Name, why)
			}
		}
	})
	return err
}

// contradicts infers the results of a node anew from its operands and says in which way they
// contradict the types that it has; empty: they do not. Sizes are compared under the facts.
func contradicts(s *inference.Session, facts symshape.Facts, n *ir.Node) string {
	ask := &inference.Node{Op: n.Op.Schema, Attrs: n.Attr, Outs: len(n.Outs)}
	for _, v := range n.Ins {
		if v == nil {
			ask.Ins = append(ask.Ins, nil)
			continue
		}
		elems := v.Elems
		ask.Ins = append(ask.Ins, s.ValueOf(&v.Type, elems))
	}
	vals, errs := s.Infer(ask)
	if len(errs) > 0 {
		return errs[0].Error()
	}
	for i, o := range n.Outs {
		if o == nil || i >= len(vals) || vals[i] == nil || vals[i].Type == nil {
			continue
		}
		if !agrees(facts, &o.Type, vals[i].Type) {
			return fmt.Sprintf("result %d is %s; the operands make it %s", i, &o.Type, vals[i].Type)
		}
	}
	return ""
}

// agrees reports whether a type can be what inference says.
func agrees(facts symshape.Facts, t, want *inference.Type) bool {
	if want.Kind == onnx.NoType || t.Kind == onnx.NoType {
		return true
	}
	if t.Kind != want.Kind {
		return false
	}
	if t.Kind != onnx.TensorType {
		return t.Of == nil || want.Of == nil || agrees(facts, t.Of, want.Of)
	}
	if t.Elem != want.Elem && t.Elem.Valid() && want.Elem.Valid() || t.Ranked && want.Ranked && len(t.Dims) != len(want.Dims) {
		return false
	}
	if !t.Ranked || !want.Ranked {
		return true
	}
	for i, d := range t.Dims {
		if w := want.Dims[i]; d != nil && w != nil && d != w && facts.Decide(d.Pool().Eq(d, w)).Answer == symshape.No {
			return false
		}
	}
	return true
}
