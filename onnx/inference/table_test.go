package inference

// This file holds the tests that every operator has a rule, and every rule asks for
// attributes that its operators have.

import (
	"fmt"
	"testing"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

func TestEveryOperatorHasARule(t *testing.T) {
	known := map[opKey]bool{}
	for _, op := range schema.Ops() {
		k := opKey{op.Domain, op.Name}
		known[k] = true
		if o := rules()[k]; o == nil || o.rule == nil {
			t.Errorf("%s of domain %q has no rule", op.Name, op.Domain)
		}
	}
	for k := range rules() {
		if !known[k] {
			t.Errorf("%s of domain %q is no operator", k.name, k.domain)
		}
	}
	total := len(previewOps) + len(mlOps) + len(experimentalOps()) + len(chainerOps)
	for _, f := range families() {
		total += len(f)
	}
	if n := len(rules()); total != n {
		t.Errorf("the families have %d records for %d operators: one stands twice", total, n)
	}
}

// TestRulesAskForAttributesThatExist runs every version's rule with inputs of several
// ranks: asking for an attribute that no version of the operator has panics.
func TestRulesAskForAttributesThatExist(t *testing.T) {
	body := &onnx.Graph{Inputs: []*onnx.ValueInfo{{Name: "a"}}, Outputs: []*onnx.ValueInfo{{Name: "a"}}}
	for _, op := range schema.Ops() {
		least, most := op.InputLimits()
		if most < 0 || most > len(op.Inputs) {
			most = len(op.Inputs) + 1
		}
		for _, ins := range []int{least, most} {
			for rank := -1; rank < 6; rank++ {
				n := &onnx.Node{Op: op.Name, Domain: op.Domain}
				g := &onnx.Graph{Nodes: []*onnx.Node{n}}
				for i := range ins {
					name := fmt.Sprintf("x%d", i)
					v := &onnx.ValueInfo{Name: name}
					if rank >= 0 {
						p := op.Input(i)
						v.Type = typeIn(p.Types, rank)
					}
					n.Inputs, g.Inputs = append(n.Inputs, name), append(g.Inputs, v)
				}
				for i := range op.Outputs {
					n.Outputs = append(n.Outputs, fmt.Sprintf("y%d", i))
				}
				for _, a := range op.Attrs {
					if a.Required {
						n.Attrs = append(n.Attrs, sampleAttr(a, body, max(rank-2, 1)))
					}
				}
				m := &onnx.Model{IRVersion: 10, Graph: g, Opsets: []onnx.Opset{{Domain: op.Domain, Version: op.Since}}}
				func() {
					defer func() {
						if err := recover(); err != nil {
							t.Errorf("%s %d, %d inputs of rank %d: %v", op.Name, op.Since, ins, rank, err)
						}
					}()
					recordAgrees(t, op, n, m, infer(t, m))
				}()
			}
		}
	}
}

// recordAgrees holds the element types of results against what the operator's record says of
// them, where both say something.
func recordAgrees(t *testing.T, op *schema.Op, n *onnx.Node, m *onnx.Model, res *Result) {
	if len(res.Errors) > 0 {
		return
	}
	elem := func(x *Type) onnx.DType {
		for x != nil && x.Of != nil {
			x = x.Of
		}
		if x == nil || x.Kind == onnx.MapType {
			return onnx.Undefined
		}
		return x.Elem
	}
	types := res.Graphs[m.Graph]
	var ins []onnx.DType
	for _, name := range n.Inputs {
		ins = append(ins, elem(types[name]))
	}
	for i, name := range n.Outputs {
		got, want := elem(types[name]), op.ResultDType(i, ins, n)
		if got != onnx.Undefined && want != onnx.Undefined && got != want {
			t.Errorf("%s %d of %v: result %d is %s by its rule and %s by its record", op.Name, op.Since, ins, i, got, want)
		}
		if p := op.Output(i); got != onnx.Undefined && types[name].Kind == onnx.TensorType && !p.Types.Tensors.Has(got) {
			t.Errorf("%s %d of %v: result %d is %s, which it cannot be", op.Name, op.Since, ins, i, got)
		}
	}
}

// typeIn gives a type that an input may have.
func typeIn(s *schema.Types, rank int) *onnx.Type {
	dims := make([]onnx.Dim, rank)
	for i := range dims {
		dims[i] = onnx.Static(4)
	}
	switch {
	case s.Tensors != 0:
		d := s.Tensors.List()[0]
		if s.Tensors.Has(onnx.Float) {
			d = onnx.Float
		}
		return onnx.TensorOf(d, dims...)
	case s.Sequences != 0:
		return &onnx.Type{Kind: onnx.SequenceType, Of: onnx.TensorOf(s.Sequences.List()[0], dims...)}
	case s.Optionals != 0:
		return &onnx.Type{Kind: onnx.OptionalType, Of: onnx.TensorOf(s.Optionals.List()[0], dims...)}
	}
	return &onnx.Type{Kind: onnx.MapType, Key: onnx.Int64, Of: onnx.TensorOf(onnx.Float)}
}

func sampleAttr(a schema.AttrDef, body *onnx.Graph, n int) *onnx.Attr {
	out := &onnx.Attr{Name: a.Name, Type: a.Type, Int: 1, Graph: body,
		Tensor: &onnx.Tensor{DType: onnx.Float, Dims: []int64{1}, Floats: []float32{1}}}
	for range n {
		out.Ints = append(out.Ints, 1)
		out.Floats = append(out.Floats, 1)
	}
	if a.OneOf != nil {
		out.String = []byte(a.OneOf[0])
	}
	return out
}
