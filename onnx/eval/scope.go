package eval

// This file holds the names of a graph while it runs.
//
// Values are dropped after their last use, since a reference evaluator that kept them all would
// need the memory of a whole model's activations; the memory that names hold is counted against a
// limit.

import (
	"fmt"

	"shapecheck/onnx"
)

// A scope is the values of one graph or function. Graphs of If, Loop and Scan see those
// around them, functions do not. opsets are those of the graph's model or of the function.
type scope struct {
	parent *scope
	values map[string]Value
	attrs  []*onnx.Attr // of the function, to which attributes of nodes may refer
	opsets []onnx.Opset
}

// get finds a name here or around; inner names hide outer ones.
func (s *scope) get(name string) (Value, bool) {
	for ; s != nil; s = s.parent {
		if v, ok := s.values[name]; ok {
			return v, true
		}
	}
	return nil, false
}

// set gives a name to a value, whose memory is held until the name is dropped. It stops the
// evaluation with *Stop if the values take more than the limit. A value that has two names counts
// twice, which errs on the safe side.
func (r *run) set(s *scope, name string, v Value) {
	if t, ok := v.(*Tensor); ok && t == nil {
		v = nil
	}
	if old, ok := s.values[name]; ok {
		r.hold(-sizeOf(old))
	}
	r.hold(sizeOf(v))
	if r.held > r.Bytes {
		panic(&Stop{Reason: fmt.Sprintf("the values take more than %d bytes", r.Bytes)})
	}
	s.values[name] = v
}

// drop forgets a name of this scope, if it is one.
func (r *run) drop(s *scope, name string) {
	if v, ok := s.values[name]; ok {
		r.hold(-sizeOf(v))
		delete(s.values, name)
	}
}

// nodes runs a list and returns the values that are wanted. It returns an error if a node fails
// or a name that is wanted is not there. The scope is empty afterwards.
func (r *run) nodes(sc *scope, list []*onnx.Node, outputs []string) (outs []Value, err error) {
	r.plan(list, outputs)
	for _, n := range list {
		if err := r.one(sc, n); err != nil {
			return nil, err
		}
		for _, name := range r.lives[n] {
			r.drop(sc, name)
		}
	}
	outs = make([]Value, len(outputs))
	for i, name := range outputs {
		v, ok := sc.get(name)
		if !ok {
			return nil, fmt.Errorf("no node makes the value %q", name)
		}
		outs[i] = v
	}
	for name := range sc.values {
		r.drop(sc, name)
	}
	return outs, nil
}

// plan finds out, once for each list, which values a node is the last to use. It numbers
// the nodes, too. It goes backwards over the list: the first mention that it meets is the last
// use. What a subgraph reads counts for the node that has it. A body that runs in many trips is
// planned once, by its first node.
func (r *run) plan(list []*onnx.Node, outputs []string) {
	if len(list) == 0 || r.planned[list[0]] {
		return
	}
	r.planned[list[0]] = true
	keep := map[string]bool{}
	for _, name := range outputs {
		keep[name] = true
	}
	for i := len(list) - 1; i >= 0; i-- {
		n := list[i]
		var last []string
		use := func(name string) {
			if name != "" && !keep[name] {
				keep[name] = true
				last = append(last, name)
			}
		}
		for _, name := range n.Outputs {
			use(name) // of what nobody reads
		}
		for _, name := range n.Inputs {
			use(name)
		}
		n.Subgraphs(func(_ string, g *onnx.Graph) { namesIn(g, use) })
		r.lives[n] = last
	}
	for _, n := range list {
		r.ids[n] = uint64(len(r.ids) + 1)
	}
}

// forget takes back what plan knows of nodes that are run once. The maps would keep the nodes
// alive.
func (r *run) forget(list []*onnx.Node) {
	for _, n := range list {
		delete(r.planned, n)
		delete(r.lives, n)
		delete(r.ids, n)
		delete(r.draws, n)
	}
}

// namesIn calls f for all names that a graph and those within it read. Names that the graph makes
// itself are among them, which does no harm.
func namesIn(g *onnx.Graph, f func(string)) {
	for _, n := range g.Nodes {
		for _, name := range n.Inputs {
			f(name)
		}
		n.Subgraphs(func(_ string, g *onnx.Graph) { namesIn(g, f) })
	}
	for _, o := range g.Outputs {
		f(o.Name)
	}
}

// graph runs a graph whose inputs are set in the scope. An input that is set has precedence over
// an initializer of its name: the latter is a default. A missing optional input is an optional
// without a value.
func (r *run) graph(sc *scope, g *onnx.Graph) ([]Value, error) {
	for _, x := range g.Initializers {
		if _, ok := sc.values[x.Name]; ok {
			continue
		}
		t, err := r.constant(x)
		if err != nil {
			return nil, fmt.Errorf("initializer %q: %w", x.Name, err)
		}
		r.set(sc, x.Name, t)
	}
	for _, x := range g.SparseInitializers {
		if x.Values == nil {
			continue
		}
		t, err := dense(x, r.Elems)
		if err != nil {
			return nil, fmt.Errorf("initializer %q: %w", x.Values.Name, err)
		}
		r.set(sc, x.Values.Name, t)
	}
	for _, v := range g.Inputs {
		if _, ok := sc.values[v.Name]; !ok && v.Type != nil && v.Type.Kind == onnx.OptionalType {
			r.set(sc, v.Name, &Optional{})
		}
	}
	names := make([]string, len(g.Outputs))
	for i, o := range g.Outputs {
		names[i] = o.Name
	}
	return r.nodes(sc, g.Nodes, names)
}

// constant reads a tensor of the model once. It returns an error if the tensor's elements are
// malformed.
func (r *run) constant(x *onnx.Tensor) (*Tensor, error) {
	if t := r.consts[x]; t != nil {
		return t, nil
	}
	t, err := FromONNX(x)
	if err == nil {
		r.consts[x] = t
	}
	return t, err
}

// dense fills a sparse tensor. Indices are places in the flattened tensor, or one row of
// positions for each value. most bounds the elements, since sizes come from the file. It returns
// an error for sizes that do not fit, and for an index that is out of range.
func dense(x *onnx.SparseTensor, most int64) (*Tensor, error) {
	if x.Values == nil || x.Indices == nil {
		return nil, fmt.Errorf("a sparse tensor without values or indices")
	}
	vals, err := FromONNX(x.Values)
	if err != nil {
		return nil, err
	}
	idx, err := FromONNX(x.Indices)
	if err != nil {
		return nil, err
	}
	n, err := onnx.Count(x.Dims)
	if err != nil {
		return nil, err
	}
	k := vals.Len()
	linear := len(idx.Dims) == 1
	if n > most || idx.I == nil || linear && idx.Len() != k || !linear &&
		(len(idx.Dims) != 2 || idx.Dims[0] != int64(k) || idx.Dims[1] != int64(len(x.Dims))) {
		return nil, fmt.Errorf("a sparse tensor whose sizes do not fit")
	}
	t, err := New(vals.DType, x.Dims)
	if err != nil {
		return nil, err
	}
	steps := strides(x.Dims)
	for i := range k {
		at := int64(0)
		if linear {
			at = idx.I[i]
		} else {
			for a, d := range x.Dims {
				p := idx.I[i*len(x.Dims)+a]
				if p < 0 || p >= d {
					return nil, fmt.Errorf("index %d of %d elements", p, d)
				}
				at += p * int64(steps[a])
			}
		}
		if at < 0 || at >= n {
			return nil, fmt.Errorf("index %d of %d elements", at, n)
		}
		t.set(int(at), vals, i)
	}
	return t, nil
}
