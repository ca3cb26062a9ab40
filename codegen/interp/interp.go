// Package interp runs modules of the compiler with the reference evaluator, node by node:
// what a module means, against which passes are tested, and what constant subgraphs are
// folded with. Every value is compared with its type on the way.
//
//	interp.go  Module, Node      control.go  If and Loop      machine.go  the machine's own operators
//
// It is slow and simple on purpose: one map from values to tensors, one call of the evaluator for
// each node, no memory that is used twice. A pass is right if a module gives the same before and
// after it here.
package interp

import (
	"fmt"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// An Error is a node that cannot be run, or whose results are not of their types. It is returned
// by Module for errors of nodes in bodies too, wrapped once for each level.
type Error struct {
	Node  *ir.Node
	Cause error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s (node %d): %v", e.Node.Op.Name, e.Node.ID, e.Cause)
}

// Unwrap returns the error of the node's operator.
func (e *Error) Unwrap() error { return e.Cause }

// Module runs a module that has passed Verify with values for its inputs, and gives those
// of its outputs. It returns an error if the number of inputs or the type of one differs from the module's, and an
// *Error if a node cannot be run or a result is not of its type. Symbols of inputs are bound
// before the run, those of nodes after their node, and those of parameters of bodies with each
// trip.
func Module(m *ir.Module, ins []eval.Value, cfg eval.Config) ([]eval.Value, error) {
	if len(ins) != len(m.Main.Params) {
		return nil, fmt.Errorf("the module has %d inputs and gets %d", len(m.Main.Params), len(ins))
	}
	r := newRun(cfg)
	for i := range m.Syms {
		s := &m.Syms[i]
		switch {
		case s.Param != nil:
			r.params[s.Param] = append(r.params[s.Param], s)
		case s.Node != nil:
			r.nodes[s.Node] = append(r.nodes[s.Node], s)
		default:
			if t, ok := ins[s.Port].(*eval.Tensor); ok && s.Axis < len(t.Dims) {
				r.bind(s, t)
			}
		}
	}
	for i, p := range m.Main.Params {
		if err := r.check(&p.Type, ins[i]); err != nil {
			return nil, fmt.Errorf("input %q: %w", m.Ins[i].Name, err)
		}
		r.values[p] = ins[i]
	}
	return r.graph(m.Main)
}

// Node runs one node without bodies whose sizes are numbers. It returns an error if its operator cannot be run on the
// operands. Constant folding uses it.
func Node(n *ir.Node, ins []eval.Value, cfg eval.Config) ([]eval.Value, error) {
	return newRun(cfg).apply(n, ins)
}

// A run holds the values of the graphs that run. nodes and params list the symbols that a node or
// a body's parameter binds.
type run struct {
	cfg     eval.Config
	values  map[*ir.Value]eval.Value
	symbols map[string]int64
	nodes   map[*ir.Node][]*ir.Symbol
	params  map[*ir.Value][]*ir.Symbol
}

// newRun is a run without values.
func newRun(cfg eval.Config) *run {
	return &run{cfg: cfg, values: map[*ir.Value]eval.Value{}, symbols: map[string]int64{}, nodes: map[*ir.Node][]*ir.Symbol{},
		params: map[*ir.Value][]*ir.Symbol{}}
}

// bind gives a symbol the size, or the element, that it is. t must have the axis, or the element.
func (r *run) bind(s *ir.Symbol, t *eval.Tensor) {
	name, _ := s.Expr.IsSymbol()
	if s.Element {
		r.symbols[name] = t.I[s.Axis]
	} else {
		r.symbols[name] = t.Dims[s.Axis]
	}
}

// size evaluates an expression with the symbols that are bound; it returns an error if one is
// not, or if the expression has no value.
func (r *run) size(x *symshape.Expr) (int64, error) {
	return x.Eval(func(s string) (int64, bool) { n, ok := r.symbols[s]; return n, ok })
}

// sizes evaluates several.
func (r *run) sizes(list []*symshape.Expr) ([]int64, error) {
	out := make([]int64, len(list))
	for i, x := range list {
		var err error
		if out[i], err = r.size(x); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// check compares a value with its type. Elements of sequences and optionals are not looked at.
func (r *run) check(t *inference.Type, v eval.Value) error {
	switch v := v.(type) {
	case *eval.Tensor:
		if t.Kind != onnx.TensorType || v.DType != t.Elem {
			return fmt.Errorf("a tensor of %s where the type says %s", v.DType, t)
		}
		if !t.Ranked {
			return nil
		}
		dims, err := r.sizes(t.Dims)
		if err != nil {
			return err
		}
		if len(dims) != len(v.Dims) {
			return fmt.Errorf("dimensions %v where the type says %s", v.Dims, t)
		}
		for i, d := range dims {
			if d != v.Dims[i] {
				return fmt.Errorf("dimensions %v where the type says %s, which is %v", v.Dims, t, dims)
			}
		}
	case *eval.Sequence:
		if t.Kind != onnx.SequenceType {
			return fmt.Errorf("a sequence where the type says %s", t)
		}
	case *eval.Optional:
		if t.Kind != onnx.OptionalType {
			return fmt.Errorf("an optional value where the type says %s", t)
		}
	}
	return nil
}

// operand is the value of an operand. An absent operand is nil. Constants are read once and kept.
func (r *run) operand(v *ir.Value) (eval.Value, error) {
	if v == nil {
		return nil, nil
	}
	if x, ok := r.values[v]; ok {
		return x, nil
	}
	if v.Const == nil {
		return nil, fmt.Errorf("%%%d has no value", v.ID)
	}
	x, err := eval.FromONNX(v.Const.Tensor)
	if err == nil {
		r.values[v] = x
	}
	return x, err
}

// operands gives the values of a list of operands.
func (r *run) operands(list []*ir.Value) ([]eval.Value, error) {
	out := make([]eval.Value, len(list))
	for i, v := range list {
		var err error
		if out[i], err = r.operand(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// graph runs the nodes of a graph whose parameters have values. It returns an *Error with the
// node that failed.
func (r *run) graph(g *ir.Graph) ([]eval.Value, error) {
	for _, n := range g.Nodes {
		if err := r.node(n); err != nil {
			return nil, &Error{n, err}
		}
	}
	return r.operands(g.Results)
}

// node runs one node, binds its symbols and checks the types of its results, in this order, as
// the types are made of the symbols. It ends early with the error of the context.
func (r *run) node(n *ir.Node) error {
	if r.cfg.Context != nil && r.cfg.Context.Err() != nil {
		return r.cfg.Context.Err()
	}
	ins, err := r.operands(n.Ins)
	if err != nil {
		return err
	}
	outs, err := r.apply(n, ins)
	if err != nil {
		return err
	}
	for _, s := range r.nodes[n] {
		for i, v := range n.Outs {
			list := []*symshape.Expr(nil)
			if v != nil && s.Element {
				list = v.Elems
			} else if v != nil {
				list = v.Type.Dims
			}
			if t, ok := outs[i].(*eval.Tensor); ok && s.Axis < len(list) && list[s.Axis] == s.Expr && (s.Element || s.Axis < len(t.Dims)) {
				r.bind(s, t)
				break
			}
		}
	}
	for i, v := range n.Outs {
		if v == nil {
			continue
		}
		if outs[i] == nil {
			return fmt.Errorf("result %d has no value", i)
		}
		if err := r.check(&v.Type, outs[i]); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
		r.values[v] = outs[i]
	}
	return nil
}

// apply computes the results of a node. The machine's own operators have functions here; standard
// operators are wrapped in a model of one node.
func (r *run) apply(n *ir.Node, ins []eval.Value) ([]eval.Value, error) {
	switch {
	case n.Op.Domain == isa.MachineDomain:
		return r.machine(n, ins)
	case n.Op.Domain == "" && n.Op.Name == "If":
		return r.runIf(n, ins)
	case n.Op.Domain == "" && n.Op.Name == "Loop":
		return r.runLoop(n, ins)
	case len(n.Graphs) > 0:
		return nil, fmt.Errorf("it is not run here")
	}
	outs := make([]string, len(n.Outs))
	for i, v := range n.Outs {
		if v != nil {
			outs[i] = fmt.Sprintf("o%d", i)
		}
	}
	return r.eval(ins, outs, &onnx.Node{Op: n.Op.Name, Domain: n.Op.Domain, Inputs: names(ins), Outputs: outs, Attrs: n.Attr.All()})
}

// names are those that eval gives to operands: i0, i1, …; absent ones have none.
func names(ins []eval.Value) []string {
	out := make([]string, len(ins))
	for i, v := range ins {
		if v != nil {
			out[i] = fmt.Sprintf("i%d", i)
		}
	}
	return out
}

// eval runs nodes over operands i0, i1, … and gives the values of some names; an empty
// name has none. It returns an error if the evaluator does.
func (r *run) eval(ins []eval.Value, outs []string, nodes ...*onnx.Node) ([]eval.Value, error) {
	g := &onnx.Graph{Nodes: nodes}
	given := map[string]eval.Value{}
	for i, name := range names(ins) {
		if name != "" {
			g.Inputs = append(g.Inputs, &onnx.ValueInfo{Name: name})
			given[name] = ins[i]
		}
	}
	for _, name := range outs {
		if name != "" {
			g.Outputs = append(g.Outputs, &onnx.ValueInfo{Name: name})
		}
	}
	list, err := eval.Model(&onnx.Model{Graph: g}, given, r.cfg)
	if err != nil {
		return nil, err
	}
	out := make([]eval.Value, len(outs))
	for i, name := range outs {
		if name != "" {
			out[i], list = list[0], list[1:]
		}
	}
	return out, nil
}
