package infer

// This file records how constructors initialise parameters: the calls of
// torch.nn.init, the elements that a parameter takes over from another tensor, and
// what comes from a checkpoint. See "Initialisation" in package graph.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
)

// inSetup reports whether the entry of a model is still to be called, or a script runs whose traces are compared by numbers.
func (in *Interp) inSetup() bool {
	return (in.cfg.Script == nil || in.cfg.Retraces) && in.build.Graph().Setup == nil
}

// initialising reports whether what is noted is part of Setup: before the entry is called, or in beforeCall.
func (in *Interp) initialising() bool {
	return in.inSetup() || in.build.Region() == in.build.Graph().Setup
}

// beforeCall implements before_call(function, *args): the function runs as part of Setup. It gives a parameter that waited for the call its
// elements, which depend on nothing that is computed there but sizes.
func (in *Interp) beforeCall(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if setup := in.build.Graph().Setup; setup != nil {
		defer in.build.Leave(in.build.Enter(setup))
	}
	return in.Call(args[0], args[1:], nil)
}

// initNative implements init(kind, args, *tensors), which writes into each tensor,
// and returns the last one. What is no tensor is passed over.
func (in *Interp) initNative(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) < 3 {
		return value.None, nil
	}
	last := args[len(args)-1]
	kind, _ := value.AsStr(args[0])
	if !in.initialising() || kind == "" {
		return last, nil
	}
	var rest graph.Tuple
	if t, ok := args[1].(*value.Tuple); ok {
		for _, a := range t.Elems {
			rest = append(rest, ops.Operand(in.pool, a))
		}
	}
	for _, a := range args[2:] {
		if t, ok := a.(*value.Tensor); ok {
			initialises(in, kind, t.V, rest)
		}
	}
	return last, nil
}

// initialises records that a value's memory is written to.
func initialises(th value.Thread, kind string, v *graph.Value, args graph.Tuple) {
	th.Graph().Emit(&graph.Node{Op: graph.InitPrefix + kind, Args: []graph.Arg{{Name: "self", Value: v}, {Name: "args", Value: args}},
		At: th.Here()})
}

// takesOver records that v, a parameter that is made of a tensor, shares its memory.
func (in *Interp) takesOver(v, from *graph.Value) {
	if in.initialising() {
		initialises(in, "share", v, graph.Tuple{from})
	}
}
