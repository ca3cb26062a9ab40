package aten

// This file holds Emitter, which writes the nodes of a function's body.

import (
	"fmt"
	"slices"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// A V is a value in the body: its name and element type. Without a name it is an
// optional input that is absent.
type V struct {
	Name  string
	DType onnx.DType
}

// An Emitter writes the nodes of a body. It knows ONNX's operators of one version and the element types of values, and
// nothing of the graph: what depends on the node that is being lowered is a method of Call. The body of a loop has an
// Emitter of its own (nested).
type Emitter struct {
	Opset int64

	nodes  []*onnx.Node
	consts map[string]V    // by their elements
	taken  map[string]bool // names that temporaries must not have
	temps  int             // how many have a name
}

// newEmitter writes the body of a function for a version of the standard operators.
func newEmitter(opset int64) *Emitter { return &Emitter{Opset: opset, taken: map[string]bool{}} }

// nested writes a graph that is an attribute of a node of e. Its temporaries are numbered far above those of e, since
// ONNX forbids that names of a graph are those of one around it.
func (e *Emitter) nested() *Emitter {
	inner := newEmitter(e.Opset)
	inner.temps = 10000
	return inner
}

// reserve keeps a name from being that of a temporary.
func (e *Emitter) reserve(name string) { e.taken[name] = true }

// Op emits a node with one result.
func (e *Emitter) Op(op string, ins []V, attrs ...*onnx.Attr) V {
	return e.Ops(op, 1, ins, attrs...)[0]
}

// Ops emits a node with n results.
func (e *Emitter) Ops(op string, n int, ins []V, attrs ...*onnx.Attr) []V {
	known := schema.Lookup("", op, e.Opset)
	if known == nil {
		failf("%s needs opset %d", op, schema.First("", op))
	}
	ins, back := e.fit(known, ins)
	node := &onnx.Node{Op: op, Attrs: attrs}
	for len(ins) > 0 && ins[len(ins)-1].Name == "" { // absent inputs at the end are left out
		ins = ins[:len(ins)-1]
	}
	types := make([]onnx.DType, len(ins))
	for i, v := range ins {
		node.Inputs = append(node.Inputs, v.Name)
		types[i] = v.DType
	}
	outs := make([]V, n)
	for i := range outs {
		outs[i] = V{e.temp(), known.ResultDType(i, types, node)}
		node.Outputs = append(node.Outputs, outs[i].Name)
	}
	e.nodes = append(e.nodes, node)
	if back != onnx.Undefined {
		for i := range outs {
			if outs[i].DType == onnx.Float {
				outs[i] = e.Cast(outs[i], back)
			}
		}
	}
	return outs
}

// In is a short way to write a list of inputs.
func In(v ...V) []V { return v }

// temp returns a name for a result.
func (e *Emitter) temp() string {
	for {
		e.temps++
		if s := fmt.Sprintf("t%d", e.temps); !e.taken[s] {
			return s
		}
	}
}

// Cast converts to an element type; a value that has it stays as it is.
func (e *Emitter) Cast(v V, d onnx.DType) V {
	if v.DType == d || v.Name == "" {
		return v
	}
	if isComplex(v.DType) || isComplex(d) {
		failf("there are no complex numbers")
	}
	if _, integer := intRanges[d]; integer && d != onnx.Bool && v.DType == onnx.Float16 {
		v = e.Op("Max", In(v)) // ONNX Runtime computes in f32 and would cut off what was not rounded to f16
	}
	return e.Op("Cast", In(v), onnx.IntAttr("to", int64(d)))
}

// Const emits a constant. Equal constants of a body are one.
func (e *Emitter) Const(t *onnx.Tensor) V {
	key := fmt.Sprintf("%d%v%s", t.DType, t.Dims, t.Raw)
	if v, ok := e.consts[key]; ok {
		return v
	}
	v := e.Op("Constant", nil, onnx.TensorAttr("value", t))
	if e.consts == nil {
		e.consts = map[string]V{}
	}
	e.consts[key] = v
	return v
}

// Scalar emits a constant of no dimensions.
func (e *Emitter) Scalar(d onnx.DType, f float64) V {
	if isComplex(d) {
		failf("there are no complex numbers")
	}
	t, err := onnx.NewScalar(d, f)
	if err != nil {
		failf("%v", err)
	}
	return e.Const(t)
}

// I64 emits a one-dimensional constant of integers, as axes and shapes are.
func (e *Emitter) I64(list ...int64) V { return e.Const(onnx.NewInts(nil, list...)) }

// I64Scalar emits an integer constant of no dimensions.
func (e *Emitter) I64Scalar(i int64) V { return e.Const(onnx.NewInts([]int64{}, i)) }

// live returns the nodes on which the values used depend, and adds what these read to used.
func (e *Emitter) live(used map[string]bool) []*onnx.Node {
	var keep []*onnx.Node
	for _, n := range slices.Backward(e.nodes) {
		live := false
		for _, o := range n.Outputs {
			live = live || used[o]
		}
		if live {
			markInputs(n, used)
			keep = append(keep, n)
		}
	}
	slices.Reverse(keep)
	return keep
}

// markInputs notes what a node reads, in its subgraphs too.
func markInputs(n *onnx.Node, used map[string]bool) {
	for _, in := range n.Inputs {
		used[in] = true
	}
	n.Subgraphs(func(_ string, g *onnx.Graph) {
		for _, m := range g.Nodes {
			markInputs(m, used)
		}
		for _, o := range g.Outputs {
			used[o.Name] = true
		}
	})
}
