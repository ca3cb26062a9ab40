// Package eval runs ONNX models. It is a reference, not a runtime: each kernel follows the
// operator's definition, element by element, in double precision with one rounding to the
// element type at the end of the node. Integers wrap around. What the specification leaves
// open is defined here: a division of integers by zero gives zero, a float that an integer
// type does not hold keeps its lower bits (toInt in cast.go), NaN wins in maxima and minima
// and is the largest in sorts.
//
//	eval.go        Model, Run: nodes in order      scope.go      names of a graph, and when they end
//	session.go     single nodes
//	call.go        what a kernel sees of its node  attrs.go      its attributes, by package schema
//	function.go    functions and graphs            upgrade.go    nodes of old versions
//	budget.go      limits of a run                 value.go      tensors, sequences, optionals
//	tensor.go      elements                        cast.go       conversions and rounding
//	walk.go        places of elements              window.go     places of windows
//	table.go       the list of kernels
//
// The kernels, by family:
//
//	element-wise   unary.go elementwise.go activation.go quant.go
//	reductions     reduce.go softmax.go norm.go
//	products       matmul.go einsum.go conv.go
//	signals        signal.go
//	layers         attention.go linearattention.go recurrent.go pool.go loss.go
//	images         resize.go sample.go image.go
//	shapes         view.go slice.go
//	indices        index.go scatter.go
//	new tensors    create.go random.go
//	control        control.go sequence.go
//	text           text.go
//	ai.onnx.ml     learning.go trees.go; ai.onnx.preview.training: training.go
//	org.chainer    chainer.go chainer_grad.go chainer_sequence.go
//
// Kernels get operands whose number the schema has checked; each checks types, ranks and
// sizes before it reads elements. They allocate with call.make, which asks the limits first,
// and count their work with call.tick, which also looks whether the run was stopped.
package eval

// This file runs nodes.

import (
	"context"
	"fmt"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// An Input is a list of nodes that is run.
type Input struct {
	Nodes []*onnx.Node
	// Attrs are the attributes of the function whose nodes these are.
	Attrs []*onnx.Attr
	// Opsets say which versions of the operators are meant; the newest without one.
	Opsets []onnx.Opset
	// Functions are what nodes may call besides operators.
	Functions []*onnx.Function
	// Values are the inputs by name.
	Values map[string]*Tensor
	// Outputs are the names of what is wanted.
	Outputs []string
	Config
}

// A Config says how a run goes. The zero value works.
type Config struct {
	// Context ends the run when it ends.
	Context context.Context
	Limits  Limits
	// Seed is of the random numbers of nodes without a seed of their own.
	Seed uint64
	// Random draws the random numbers instead.
	Random Random
}

// An Error is a node that cannot be run.
type Error struct {
	Op, Name string // operator and name of the node
	Reason   string
	Cause    error // of a node within this one, or a *Stop
	// Internal is a fault of this package.
	Internal bool
}

func (e *Error) Error() string {
	s := "ONNX's " + e.Op
	if e.Name != "" {
		s += " (" + e.Name + ")"
	}
	return s + ": " + e.Reason
}

// Unwrap returns the error behind this one, so that errors.As finds a *Stop.
func (e *Error) Unwrap() error { return e.Cause }

// Run runs the nodes in order. It returns an error if an input has not as many elements as its dimensions say, if an
// output is no tensor, an *Error for a node that cannot be run, and a *Stop when a limit is reached or the context
// ends.
func Run(in Input) (list []*Tensor, err error) {
	defer stopped(&err)
	r := newRun(in.Config, in.Functions)
	sc := &scope{values: map[string]Value{}, attrs: in.Attrs, opsets: in.Opsets}
	for k, v := range in.Values {
		if err := check(v); err != nil {
			return nil, fmt.Errorf("input %q: %w", k, err)
		}
		sc.values[k] = v.withList()
	}
	outs, err := r.nodes(sc, in.Nodes, in.Outputs)
	if err != nil {
		return nil, err
	}
	list = make([]*Tensor, len(outs))
	for i, v := range outs {
		t, ok := v.(*Tensor)
		if !ok {
			return nil, fmt.Errorf("the value %q is %s instead of a tensor", in.Outputs[i], describe(v))
		}
		list[i] = t
	}
	return list, nil
}

// Model runs a model. Inputs are by name; what has an initializer may be absent, and so
// may optional ones. It returns the graph's outputs in order. It returns an error if an input has not as many elements
// as its dimensions say or an initializer cannot be read, an *Error for a node that cannot be run, and a *Stop when a
// limit is reached or the context ends.
func Model(m *onnx.Model, inputs map[string]Value, cfg Config) (outs []Value, err error) {
	defer stopped(&err)
	r := newRun(cfg, m.Functions)
	sc := &scope{values: map[string]Value{}, opsets: m.Opsets}
	for _, v := range m.Graph.Inputs {
		if x, ok := inputs[v.Name]; ok {
			if err := check(x); err != nil {
				return nil, fmt.Errorf("input %q: %w", v.Name, err)
			}
			if t, ok := x.(*Tensor); ok {
				x = t.withList()
			}
			sc.values[v.Name] = x
			r.hold(sizeOf(x))
		}
	}
	return r.graph(sc, m.Graph)
}

// stopped makes a *Stop that happens between nodes an error.
func stopped(err *error) {
	switch x := recover().(type) {
	case nil:
	case *Stop:
		*err = x
	default:
		panic(x)
	}
}

// A run holds what all nodes share.
type run struct {
	budget
	kernels   map[opName]kernel
	functions map[opName]*onnx.Function
	random    Random
	seed      uint64
	fresh     int // names made
	draws     map[*onnx.Node]uint64
	ids       map[*onnx.Node]uint64
	lives     map[*onnx.Node][]string // names that are used last by a node
	planned   map[*onnx.Node]bool
	upgraded  map[*onnx.Node]*schema.Upgraded
	consts    map[*onnx.Tensor]*Tensor
}

// An opName names an operator or function.
type opName struct{ domain, name, overload string }

func newRun(cfg Config, functions []*onnx.Function) *run {
	r := &run{kernels: kernels(), random: cfg.Random, seed: cfg.Seed, functions: map[opName]*onnx.Function{},
		draws: map[*onnx.Node]uint64{}, ids: map[*onnx.Node]uint64{}, lives: map[*onnx.Node][]string{}, planned: map[*onnx.Node]bool{},
		upgraded: map[*onnx.Node]*schema.Upgraded{}, consts: map[*onnx.Tensor]*Tensor{}}
	r.Limits, r.ctx = cfg.Limits.filled(), cfg.Context
	for _, f := range functions {
		r.functions[opName{onnx.StandardDomain(f.Domain), f.Name, f.Overload}] = f
	}
	return r
}

// node runs one node and sets its outputs.
func (r *run) one(sc *scope, n *onnx.Node) (err error) {
	ins := make([]Value, len(n.Inputs))
	for i, name := range n.Inputs {
		if name == "" {
			continue
		}
		v, ok := sc.get(name)
		if !ok {
			return &Error{Op: n.Op, Name: n.Name, Reason: fmt.Sprintf("the value %q is not there", name)}
		}
		ins[i] = v
	}
	made := r.budget.node
	outs, err := r.apply(sc, n, ins)
	r.budget.node = made
	if err != nil {
		return err
	}
	for i, o := range outs {
		if i < len(n.Outputs) && n.Outputs[i] != "" {
			r.set(sc, n.Outputs[i], o)
		}
	}
	return nil
}

// apply computes the outputs of a node of which the inputs are known.
func (r *run) apply(sc *scope, n *onnx.Node, ins []Value) (outs []Value, err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case failure:
			err = &Error{Op: n.Op, Name: n.Name, Reason: string(x)}
		case *Stop:
			err = &Error{Op: n.Op, Name: n.Name, Reason: x.Reason, Cause: x}
		case *Error: // of a node within
			err = x
		default:
			err = &Error{Op: n.Op, Name: n.Name, Reason: fmt.Sprint("internal fault: ", x), Internal: true}
		}
	}()
	r.tick(1)
	if r.depth++; r.depth > r.Depth {
		panic(&Stop{Reason: fmt.Sprintf("functions and graphs nest deeper than %d", r.Depth)})
	}
	defer func() { r.depth-- }()
	name := opName{onnx.StandardDomain(n.Domain), n.Op, n.Overload}
	if f := r.functions[name]; f != nil {
		return r.function(sc, f, n, ins)
	}
	name.overload = ""
	c := &call{run: r, node: n, scope: sc, ins: ins}
	op := c.version(name)
	if u := r.newest(c, op); u != nil {
		return r.steps(c, u)
	}
	k := r.kernels[name]
	if k == nil {
		if why := unsupported[name]; why != "" {
			c.failf("it is not computed here: %s", why)
		}
		c.failf("it is not computed here")
	}
	outs = k(c)
	for _, o := range outs {
		r.finish(o)
	}
	return outs, nil
}

// finish rounds what a kernel has made.
func (r *run) finish(v Value) {
	switch v := v.(type) {
	case *Tensor:
		if v != nil {
			v.round(r.tick)
		}
	case *Sequence:
		for _, x := range v.Items {
			r.finish(x)
		}
	case *Optional:
		r.finish(v.Of)
	}
}
