package read

// This file reads FlexAttention of ai.onnx.preview as its specified body: its graphs change
// the scores and the probabilities of an attention, and stand between its nodes.

import (
	"maps"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

const previewDomain = "ai.onnx.preview"

// flex expands a node. Heads of keys and values that several heads of queries share are
// repeated, scores are computed in the operands' type and from there to the sums over
// values in the type of the softmax.
func (r *reader) flex(s *scope, n *onnx.Node, from ir.Origin) {
	a, err := schema.Last(previewDomain, "FlexAttention").DecodeClosed(n)
	if err != nil {
		r.failAt(n, "%v", err)
		return
	}
	if r.nest++; r.nest > maxNest {
		r.failAt(n, "subgraphs nest deeper than %d", maxNest)
	}
	defer func() { r.nest-- }()
	before := len(r.errs)
	inner := &scope{g: s.g, vals: maps.Clone(s.vals)}
	if len(n.Inputs) != 3 || len(n.Outputs) != 1 {
		r.failAt(n, "it has %d inputs and %d outputs; expected 3 and 1", len(n.Inputs), len(n.Outputs))
		return
	}
	for _, in := range n.Inputs {
		if inner.vals[in] == nil {
			return // its node is at fault
		}
	}
	q, k, v := n.Inputs[0], n.Inputs[1], n.Inputs[2]
	elem := inner.vals[q].Type.Elem
	precision := onnx.Float
	if a.Given("softmax_precision") {
		precision = onnx.DType(a.Int("softmax_precision"))
	} else if elem == onnx.Double {
		precision = elem
	}
	do := func(op string, ins []string, attrs ...*onnx.Attr) string {
		out := r.freshName("flex")
		if len(r.errs) > before {
			return out
		}
		m := &onnx.Node{Op: op, Name: n.Name, Doc: n.Doc, Metadata: n.Metadata, Inputs: ins, Outputs: []string{out}, Attrs: attrs}
		r.newest(inner, m, from)
		return out
	}
	ints := func(dims []int64, list ...int64) string {
		name := r.freshName("flex")
		inner.vals[name] = r.constant(name, onnx.NewInts(dims, list...), n)
		return name
	}
	size := func(x string, axis int64) string {
		return do("Shape", []string{x}, onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	}
	cast := func(x string, d onnx.DType) string {
		return do("Cast", []string{x}, onnx.IntAttr("to", int64(d)))
	}
	join := func(sizes ...string) string { return do("Concat", sizes, onnx.IntAttr("axis", 0)) }
	heads, kvHeads := size(q, 1), size(k, 1)
	times := do("Div", []string{heads, kvHeads})
	aligned := func(x string) string {
		batch, length, width := size(x, 0), size(x, 2), size(x, 3)
		wide := do("Expand", []string{do("Unsqueeze", []string{x, ints([]int64{1}, 2)}), join(batch, kvHeads, times, length, width)})
		return do("Reshape", []string{wide, join(batch, heads, length, width)})
	}
	var scale string
	if a.Given("scale") {
		scale = r.freshName("flex")
		inner.vals[scale] = r.constant(scale, &onnx.Tensor{DType: onnx.Float, Floats: []float32{a.Float("scale")}}, n)
	} else {
		scale = do("Reciprocal", []string{do("Sqrt", []string{cast(do("Squeeze", []string{size(q, 3)}), onnx.Float)})})
	}
	root := cast(do("Sqrt", []string{scale}), elem)
	scaled := do("Mul", []string{aligned(k), root})
	keys := do("Transpose", []string{scaled}, onnx.IntsAttr("perm", 0, 1, 3, 2))
	scores := cast(do("MatMul", []string{do("Mul", []string{q, root}), keys}), precision)
	scores = r.modified(inner, n, "score_mod", scores)
	probs := r.modified(inner, n, "prob_mod", do("Softmax", []string{scores}, onnx.IntAttr("axis", 3)))
	y := cast(do("MatMul", []string{probs, cast(aligned(v), precision)}), elem)
	if len(r.errs) == before && inner.vals[y] != nil {
		inner.vals[y].Name = n.Outputs[0]
		s.vals[n.Outputs[0]] = inner.vals[y]
	}
}

// modified reads the nodes of a graph that changes a value, if the node has it.
func (r *reader) modified(s *scope, n *onnx.Node, name, value string) string {
	at := n.Attr(name)
	if at == nil || at.Graph == nil || s.vals[value] == nil {
		return value
	}
	g := at.Graph
	if len(g.Inputs) != 1 || len(g.Outputs) != 1 {
		r.failAt(n, "%s has %d inputs and %d outputs; expected one of each", name, len(g.Inputs), len(g.Outputs))
		return value
	}
	inner := &scope{g: s.g, vals: maps.Clone(s.vals)}
	inner.vals[g.Inputs[0].Name] = s.vals[value]
	r.initializers(inner, g)
	r.nodes(inner, g.Nodes)
	out := r.freshName("flex")
	s.vals[out] = inner.vals[g.Outputs[0].Name]
	if x := s.vals[out]; x != nil && x.Type.Elem != s.vals[value].Type.Elem {
		r.failAt(n, "%s gives %s for %s", name, x.Type.Elem, s.vals[value].Type.Elem)
	}
	return out
}
