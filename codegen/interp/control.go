package interp

// This file runs If and Loop.

import (
	"errors"
	"fmt"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

// truthOf gives the only element of a tensor of truth values. It returns an error if the value is another one.
func truthOf(v eval.Value) (bool, error) {
	t, ok := v.(*eval.Tensor)
	if !ok || t.DType != onnx.Bool || len(t.I) != 1 {
		return false, errors.New("the condition is not one truth value")
	}
	return t.I[0] != 0, nil
}

// runIf runs one of the two graphs of an ONNX If: the first where the condition, operand 0, is true. The parameters of the
// graphs are what they capture, the last operands.
func (r *run) runIf(n *ir.Node, ins []eval.Value) ([]eval.Value, error) {
	yes, err := truthOf(ins[0])
	if err != nil {
		return nil, err
	}
	g := n.Graphs[1]
	if yes {
		g = n.Graphs[0]
	}
	return r.runBody(g, ins[len(ins)-n.Captured:])
}

// runBody runs a graph with values for its parameters, after it has bound the symbols that these introduce: the types of
// the parameters are made of them. A symbol whose axis or element the value lacks stays unbound; check then returns the error.
func (r *run) runBody(g *ir.Graph, ins []eval.Value) ([]eval.Value, error) {
	for i, p := range g.Params {
		for _, s := range r.params[p] {
			t, ok := ins[i].(*eval.Tensor)
			if n := 0; ok {
				if n = len(t.Dims); s.Element {
					n = len(t.I)
				}
				if s.Axis < n {
					r.bind(s, t)
				}
			}
		}
	}
	for i, p := range g.Params {
		if err := r.check(&p.Type, ins[i]); err != nil {
			return nil, fmt.Errorf("parameter %d: %w", i, err)
		}
		r.values[p] = ins[i]
	}
	return r.graph(g)
}

// runLoop runs ONNX's Loop. Its operands are a number of trips, which must be one integer where present, a condition, which may be
// absent, the states, and what the body captures. The body takes the trip, the condition, the states and what is captured; it returns the
// condition, the states, and an element of each scan output, which are stacked along a new first axis.
func (r *run) runLoop(n *ir.Node, ins []eval.Value) ([]eval.Value, error) {
	body := n.Graphs[0]
	states := len(body.Params) - 2 - n.Captured
	scans := len(body.Results) - 1 - states
	trips := int64(-1)
	if ins[0] != nil {
		t, ok := ins[0].(*eval.Tensor)
		if !ok || len(t.I) != 1 {
			return nil, errors.New("the number of trips is not one integer")
		}
		trips = max(t.I[0], 0)
	}
	more := true
	var err error
	if ins[1] != nil {
		if more, err = truthOf(ins[1]); err != nil {
			return nil, err
		}
	}
	state := append([]eval.Value{}, ins[2:2+states]...)
	joined := make([]*eval.Sequence, scans) // for each scan output, an element of each trip
	for k := range joined {
		joined[k] = &eval.Sequence{}
	}
	for i := int64(0); more && i != trips; i++ {
		flag := eval.Ints([]int64{}, 1)
		flag.DType = onnx.Bool
		list := append([]eval.Value{eval.Ints([]int64{}, i), flag}, state...)
		outs, err := r.runBody(body, append(list, ins[len(ins)-n.Captured:]...))
		if err != nil {
			return nil, err
		}
		if more, err = truthOf(outs[0]); err != nil {
			return nil, err
		}
		state = outs[1 : 1+states]
		for k, v := range outs[1+states:] {
			joined[k].Items = append(joined[k].Items, v)
		}
	}
	outs := append([]eval.Value{}, state...)
	for k, s := range joined {
		v, err := r.stack(s, 0, n.Outs[states+k])
		if err != nil {
			return nil, err
		}
		outs = append(outs, v)
	}
	return outs, nil
}

// stack joins tensors along a new axis. Where there are none, after a loop without trips, the result has the type of like:
// the axis has size 0, as have those whose size is not known without a trip. It is nil where like is: nobody uses it.
func (r *run) stack(s *eval.Sequence, axis int64, like *ir.Value) (eval.Value, error) {
	if like == nil {
		return nil, nil
	}
	if len(s.Items) > 0 {
		outs, err := r.eval([]eval.Value{s}, []string{"o"}, &onnx.Node{Op: "ConcatFromSequence", Inputs: []string{"i0"}, Outputs: []string{"o"},
			Attrs: []*onnx.Attr{onnx.IntAttr("axis", axis), onnx.IntAttr("new_axis", 1)}})
		if err != nil {
			return nil, err
		}
		return outs[0], nil
	}
	dims := make([]int64, len(like.Type.Dims))
	for i, d := range like.Type.Dims {
		if n, err := r.size(d); err == nil {
			dims[i] = n
		}
	}
	if len(dims) == 0 {
		dims = []int64{0}
	}
	dims[axis] = 0
	return eval.New(like.Type.Elem, dims)
}
