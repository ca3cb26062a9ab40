package read

// This file reads graphs and nodes.
//
// A node goes through three steps: the operator's version is brought to the newest one (which may
// add constants and nodes, see onnx/schema), the types of its results are inferred from those of
// its operands, and the node is added to the graph. Inference and reading go hand in hand,
// because attributes and bodies are closed with what inference knows.

import (
	"fmt"
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/op"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/onnx/schema"
	"shapecheck/runtime/memory"
)

// A scope is the values that the nodes of a graph may use, by name.
type scope struct {
	g    *ir.Graph
	vals map[string]*ir.Value
}

// initializers makes constants of a graph's initializers. A sparse one is written out, as no
// kernel reads sparse operands.
func (r *reader) initializers(s *scope, g *onnx.Graph) {
	for _, t := range g.Initializers {
		s.vals[t.Name] = r.constant(t.Name, t, nil)
	}
	for _, sp := range g.SparseInitializers {
		t, err := dense(sp)
		if err != nil {
			r.fail(&Error{Value: sp.Values.Name, Reason: err.Error()})
			continue
		}
		s.vals[sp.Values.Name] = r.constant(sp.Values.Name, t, nil)
	}
}

// maxDense bounds the elements of a sparse tensor that is written out.
const maxDense = 1 << 28

// dense writes a sparse tensor out; package check has checked its indices. Indices are either one
// linear place for each value, or a row of positions. Errors are a tensor that is too large, of
// elements below a byte, or memory that is not there.
func dense(s *onnx.SparseTensor) (*onnx.Tensor, error) {
	n, err := onnx.Count(s.Dims)
	if err != nil {
		return nil, err
	}
	bits := int64(s.Values.DType.Bits())
	if n > maxDense || bits < 8 {
		return nil, fmt.Errorf("a sparse tensor of dimensions %v and type %s is not compiled", s.Dims, s.Values.DType)
	}
	values, err := s.Values.RawData()
	if err != nil {
		return nil, err
	}
	var at []int64
	if s.Indices != nil {
		if at, err = s.Indices.Ints(); err != nil {
			return nil, err
		}
	}
	size := bits / 8
	if err := memory.Ask(n * size); err != nil {
		return nil, err
	}
	out := &onnx.Tensor{DType: s.Values.DType, Dims: s.Dims, Raw: make([]byte, n*size), HasRaw: true}
	wide := 1
	if s.Indices != nil && len(s.Indices.Dims) == 2 {
		wide = len(s.Dims)
	}
	for i := 0; (i+1)*wide <= len(at); i++ {
		place := at[i*wide]
		for j := 1; j < wide; j++ {
			place = place*s.Dims[j] + at[i*wide+j]
		}
		copy(out.Raw[place*size:(place+1)*size], values[int64(i)*size:])
	}
	return out, nil
}

// constant makes a value of a tensor; n is the node that it is of, or nil. It gives nil after
// reporting the fault; external elements are loaded by the caller's function.
func (r *reader) constant(name string, t *onnx.Tensor, n *onnx.Node) *ir.Value {
	fail := func(err error) *ir.Value {
		e := &Error{Value: name, Reason: err.Error(), Cause: err}
		if n != nil {
			e.Node, e.Op, e.Source = n.Name, n.Op, onnx.SourceOf(n)
		}
		r.fail(e)
		return nil
	}
	if t.IsExternal || t.Source != nil {
		if r.opts.Load == nil {
			return fail(onnx.ErrExternal)
		}
		var err error
		if t, err = r.opts.Load(t); err != nil {
			return fail(err)
		}
	}
	if t.DType == onnx.String {
		return fail(fmt.Errorf("strings are not compiled"))
	}
	v, err := r.module.AddConst(name, t)
	if err != nil {
		return fail(err)
	}
	if v.Info, err = r.session.Constant(v.Const.Tensor); err != nil {
		return fail(err)
	}
	return v
}

// info is what inference knows of a value. It is kept in the value, as many nodes ask for the
// same operand.
func (r *reader) info(v *ir.Value) *inference.Value {
	if v == nil {
		return nil
	}
	if v.Info == nil {
		v.Info = r.session.ValueOf(&v.Type, v.Elems)
	}
	return v.Info
}

// nodes reads nodes in order. After a node that cannot be read, those that use its
// results are left out, and the others go on, so that all faults are found.
func (r *reader) nodes(s *scope, list []*onnx.Node) {
	for _, n := range list {
		if r.ctx.Err() != nil { // which Model says
			return
		}
		r.node(s, n)
	}
}

// All nodes that an upgrade makes keep the old one's name and origin.
func (r *reader) node(s *scope, n *onnx.Node) {
	known := schema.Lookup(n.Domain, n.Op, r.version(n.Domain))
	if known == nil {
		r.failAt(n, "version %d of the domain %q has no such operator", r.version(n.Domain), n.Domain)
		return
	}
	up, err := known.Upgrade(n, nil, r.freshName)
	if err != nil {
		r.failAt(n, "%v", err)
		return
	}
	for _, t := range up.Constants {
		s.vals[t.Name] = r.constant(t.Name, t, n)
	}
	from := r.origin(n)
	for _, m := range up.Nodes {
		m := *m
		m.Name, m.Doc, m.Metadata = n.Name, n.Doc, n.Metadata
		r.newest(s, &m, from)
	}
}

// newest reads a node of the newest version of its operator. Missing operands at the end are cut
// off, so that absent means nil in the middle only. A node whose operand has failed before is
// left out without a further message.
func (r *reader) newest(s *scope, n *onnx.Node, from ir.Origin) {
	if n.Op == "Constant" && onnx.StandardDomain(n.Domain) == "" {
		r.constantNode(s, n)
		return
	}
	if n.Op == "FlexAttention" && n.Domain == previewDomain {
		r.flex(s, n, from)
		return
	}
	rec := op.Lookup(n.Domain, n.Op)
	if rec == nil {
		r.failAt(n, "the operator is not compiled: it works on strings, maps or files, or is of another domain")
		return
	}
	spec := ir.Spec{Op: rec, From: from}
	for i, name := range n.Inputs {
		if name == "" {
			if p := rec.Schema.Input(i); p != nil && p.Variadic && !p.Mixed { // ONNX's checker accepts it
				r.failAt(n, "input %d (%s) is missing", i, p.Name)
				return
			}
			spec.Ins = append(spec.Ins, nil)
			continue
		}
		v := s.vals[name]
		if v == nil {
			return // its node is at fault
		}
		spec.Ins = append(spec.Ins, v)
	}
	for len(spec.Ins) > 0 && spec.Ins[len(spec.Ins)-1] == nil {
		spec.Ins = spec.Ins[:len(spec.Ins)-1]
	}
	if len(graphsOf(rec)) > 0 {
		r.control(s, n, spec)
		return
	}
	var err error
	if spec.Attr, err = rec.Schema.Decode(n, nil); err != nil {
		r.failAt(n, "%v", err)
		return
	}
	ask := &inference.Node{Op: rec.Schema, Attrs: spec.Attr, Name: n.Name, Inputs: n.Inputs, Outs: len(n.Outputs)}
	for _, v := range spec.Ins {
		ask.Ins = append(ask.Ins, r.info(v))
	}
	outs, errs := r.session.Infer(ask)
	r.finish(s, n, spec, outs, errs)
}

// finish makes a node from what was inferred. It returns nil when inference has found a fault or
// a result's type is unknown or of a kind that is not compiled.
func (r *reader) finish(s *scope, n *onnx.Node, spec ir.Spec, outs []*inference.Value, errs []*inference.Error) *ir.Node {
	for _, e := range errs {
		r.fail(&Error{Node: n.Name, Op: n.Op, Value: e.Value, Source: onnx.SourceOf(n), Reason: e.Reason})
	}
	if len(errs) > 0 {
		return nil
	}
	for i, o := range outs {
		spec.Want = append(spec.Want, n.Outputs[i] != "")
		if o == nil || o.Type == nil {
			spec.Types = append(spec.Types, inference.Type{})
			if n.Outputs[i] != "" {
				r.failAt(n, "the type of result %q is not known", n.Outputs[i])
				return nil
			}
			continue
		}
		if t := o.Type; n.Outputs[i] != "" && !compilable(t) {
			r.failAt(n, "result %q is of type %s, which is not compiled", n.Outputs[i], t)
			return nil
		}
		spec.Types = append(spec.Types, *o.Type)
	}
	node := r.module.AddNode(s.g, nil, spec)
	for i, v := range node.Outs {
		if v == nil {
			continue
		}
		v.Name, v.Info, v.Elems = n.Outputs[i], outs[i], outs[i].Elements()
		s.vals[n.Outputs[i]] = v
	}
	return node
}

// compilable reports whether values of a type are compiled.
func compilable(t *inference.Type) bool {
	switch t.Kind {
	case onnx.TensorType:
		return t.Elem.Valid() && t.Elem != onnx.String
	case onnx.SequenceType, onnx.OptionalType:
		return t.Of != nil && compilable(t.Of)
	}
	return false
}

// constantNode makes a constant of a Constant node. Its attribute is one of seven, of which those
// with strings are not compiled.
func (r *reader) constantNode(s *scope, n *onnx.Node) {
	a, err := schema.Last("", "Constant").Decode(n, nil)
	if err != nil {
		r.failAt(n, "%v", err)
		return
	}
	var t *onnx.Tensor
	switch {
	case a.Given("value"):
		t = a.Tensor("value")
	case a.Given("value_int"):
		t = onnx.NewInts([]int64{}, a.Int("value_int"))
	case a.Given("value_ints"):
		t = onnx.NewInts([]int64{int64(len(a.Ints("value_ints")))}, a.Ints("value_ints")...)
	case a.Given("value_float"):
		t = &onnx.Tensor{DType: onnx.Float, Floats: []float32{a.Float("value_float")}}
	case a.Given("value_floats"):
		t = &onnx.Tensor{DType: onnx.Float, Dims: []int64{int64(len(a.Floats("value_floats")))}, Floats: a.Floats("value_floats")}
	case a.Given("sparse_value"):
		if t, err = dense(a.SparseTensor("sparse_value")); err != nil {
			r.failAt(n, "%v", err)
			return
		}
	default:
		r.failAt(n, "a constant without elements, or of strings, is not compiled")
		return
	}
	if len(n.Outputs) > 0 {
		s.vals[n.Outputs[0]] = r.constant(n.Outputs[0], t, n)
	}
}

// graphsOf lists the attributes of an operator that are graphs, in the order in which a
// node has its bodies.
func graphsOf(rec *ir.Record) []string {
	var out []string
	for i := range rec.Schema.Attrs {
		if rec.Schema.Attrs[i].Type == onnx.AttrGraph {
			out = append(out, rec.Schema.Attrs[i].Name)
		}
	}
	slices.Sort(out)
	if slices.Equal(out, []string{"else_branch", "then_branch"}) {
		return []string{"then_branch", "else_branch"}
	}
	return out
}
