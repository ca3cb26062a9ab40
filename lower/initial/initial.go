// Package initial computes the elements that a model's parameters and buffers have
// before the entry is called: what the constructors drew, filled in and computed.
//
// It runs the part of the typed graph's Setup on which a parameter depends, with
// memory as PyTorch has it: views share it, in-place operations and torch.nn.init
// write to it. Operations are lowered (package aten) and run by package eval.
// Random numbers follow PyTorch's distributions, not its bits: each parameter has a
// stream of its own, which its name and the seed decide, so that another layer does
// not change it.
//
// The constructors' graph is run because user code initialises models as much as layers do.
//
//	initial.go  New, Tensor    slice.go   what a parameter depends on
//	run.go      nodes          memory.go  storages and views
//	fill.go     torch.nn.init  matrix.go  orthogonal and sparse matrices
//	numpy.go    numpy's functions by torch's
//	source.go   elements that are drawn when the file is written
package initial

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"shapecheck/infer/graph"
	"shapecheck/lower"
	"shapecheck/lower/aten"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/symshape"
)

// A Drawer computes parameters.
type Drawer struct {
	seed  uint64
	pool  *symshape.Pool
	nodes []*graph.Node
	// roots are the values whose memory others have, writers the nodes that make or
	// write the memory of a root, in order, and shares the values that Parameter was
	// given.
	shares  map[*graph.Value]*graph.Value
	writers map[*graph.Value][]int
	index   map[*graph.Node]int
	// defs are the nodes that made values; lowering may replace those that the values
	// name.
	defs map[*graph.Value]*graph.Node
	// streams are the names of the nodes' random numbers.
	streams map[int]string
}

// New prepares for the nodes of a graph's Setup.
func New(setup *graph.Region, pool *symshape.Pool, seed uint64) *Drawer {
	d := &Drawer{seed: seed, pool: pool, shares: map[*graph.Value]*graph.Value{}, writers: map[*graph.Value][]int{},
		index: map[*graph.Node]int{}, defs: map[*graph.Value]*graph.Node{}, streams: map[int]string{}}
	if setup != nil {
		d.nodes = setup.Nodes
	}
	d.prepare()
	return d
}

// small is the number of bytes up to which elements are kept; larger tensors are
// computed once more when they are written.
const small = 1 << 16

// Tensor computes the parameter with the given name, whose value before the call is
// v. Random numbers of large tensors are drawn when the file is written. What cannot
// be computed is a *lower.Error that names the parameter.
func (d *Drawer) Tensor(name string, v *graph.Value) (*onnx.Tensor, error) {
	dims, dt, err := typeOf(v)
	if err != nil {
		return nil, &lower.Error{At: v.At, Reason: fmt.Sprintf("%s cannot be initialised: %v", name, err)}
	}
	n, err := onnx.Count(dims)
	if err != nil {
		return nil, &lower.Error{At: v.At, Reason: fmt.Sprintf("%s: %v", name, err)}
	}
	size, err := onnx.ByteSize(dt, n)
	if err != nil {
		return nil, &lower.Error{At: v.At, Reason: fmt.Sprintf("%s: %v", name, err)}
	}
	out := &onnx.Tensor{DType: dt, Dims: dims}
	plan := d.slice(v, len(d.nodes))
	d.name(name, plan)
	fail := func(err error) error {
		at := v.At
		if e, ok := err.(*lower.Error); ok {
			at = e.At
		}
		return &lower.Error{At: at, Reason: fmt.Sprintf("%s cannot be initialised: %v", name, err)}
	}
	if f, ok, err := d.stream(v, plan); err != nil {
		return nil, fail(err)
	} else if ok {
		out.Source = &stream{fill: f, dtype: dt, n: n, size: size}
		return out, nil
	}
	t, err := d.run(v, plan)
	if err != nil {
		return nil, fail(err)
	}
	if t.DType != dt || int64(t.Len()) != n {
		return nil, fail(fmt.Errorf("%d elements of %s were computed instead of %d of %s", t.Len(), t.DType, n, dt))
	}
	if size <= small {
		if out.Raw, err = t.AppendRaw(nil, 0, t.Len()); err != nil {
			return nil, fail(err)
		}
		out.HasRaw = true
		return out, nil
	}
	out.Source = &lazy{d: d, v: v, plan: plan, size: size}
	return out, nil
}

// name gives the nodes of a plan that have none the names of their random numbers:
// the parameter that needs them first, and their number there.
func (d *Drawer) name(param string, plan []int) {
	k := 0
	for _, i := range plan {
		if d.streams[i] == "" {
			d.streams[i] = fmt.Sprintf("%s#%d", param, k)
			k++
		}
	}
}

// random makes the generator of a node.
func (d *Drawer) random(node int) *rand.Rand {
	h := fnv.New128a()
	fmt.Fprintf(h, "%d/%s", d.seed, d.streams[node])
	sum := h.Sum(nil)
	var a, b uint64
	for i := range 8 {
		a, b = a<<8|uint64(sum[i]), b<<8|uint64(sum[8+i])
	}
	return rand.New(rand.NewPCG(a, b))
}

// typeOf gives the sizes and the element type of a value.
func typeOf(v *graph.Value) ([]int64, onnx.DType, error) {
	dt, ok := aten.DTypeOf(v.Type.DType)
	if !ok {
		return nil, 0, fmt.Errorf("its type %s has no form in ONNX", &v.Type)
	}
	if !v.Type.Ranked {
		return nil, 0, fmt.Errorf("its shape is not known")
	}
	dims := make([]int64, len(v.Type.Shape))
	for i, x := range v.Type.Shape {
		n, ok := x.Const()
		if !ok {
			return nil, 0, fmt.Errorf("its shape %s is not known before the model is called", v.Type.Shape)
		}
		dims[i] = n
	}
	return dims, dt, nil
}

// newTensor makes memory for a value.
func newTensor(v *graph.Value) (*eval.Tensor, error) {
	dims, dt, err := typeOf(v)
	if err != nil {
		return nil, err
	}
	return eval.New(dt, dims)
}
