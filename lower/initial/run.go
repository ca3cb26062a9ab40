package initial

// This file runs nodes.
//
// Initial values of parameters are computed by running the nodes that the interpreter recorded in
// the module's constructor: initialisers, arithmetic, views and assignments. Memory is modelled
// as PyTorch has it: a view is a list of places in a base tensor, found by running the operation
// on the places' numbers instead of the elements, so all functions of views work without a rule
// of their own.

import (
	"fmt"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/lower"
	"shapecheck/lower/aten"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/symshape/dtype"
)

// A runner runs the nodes of a plan. views has for each value the memory that it is.
type runner struct {
	d     *Drawer
	views map[*graph.Value]*view
}

// opset is the version of the operators that are run; it has all that is needed.
const opset = lower.DefaultOpset

// run computes a value. plan lists the nodes in order. The error has the place of the node in the
// source.
func (d *Drawer) run(v *graph.Value, plan []int) (*eval.Tensor, error) {
	r := &runner{d, map[*graph.Value]*view{}}
	for _, i := range plan {
		n := d.nodes[i]
		if err := r.node(n, i); err != nil {
			return nil, &lower.Error{At: n.At, Reason: err.Error()}
		}
	}
	w, err := r.view(v)
	if err != nil {
		return nil, err
	}
	return w.read(false)
}

// view finds the memory of a value. What no node of the plan made is a parameter's
// own, or all of it is written later. It is an error when the value depends on something that
// only a call has.
func (r *runner) view(v *graph.Value) (*view, error) {
	if w := r.views[v]; w != nil {
		return w, nil
	}
	from := r.d.shares[v]
	if n := r.d.defs[v]; from == nil && v.Base != nil && n != nil && (ops.Writes(n) || n.Is.Has(graph.Ordered) || !usesValue(n, v.Base)) {
		from = v.Base
	}
	var w *view
	var err error
	switch {
	case from != nil:
		if w, err = r.view(from); err == nil {
			w = r.shaped(w, v)
		}
	case v.Kind == graph.TensorKind && v.Base == nil: // what made it was overwritten
		w, err = fresh(v)
	default:
		err = fmt.Errorf("it depends on a value (%s) that is not computed before the model is called", &v.Type)
	}
	if err != nil {
		return nil, err
	}
	r.views[v] = w
	return w, nil
}

// shaped gives a view the sizes of v, which has the same elements in the same order.
func (r *runner) shaped(w *view, v *graph.Value) *view {
	dims, _, err := typeOf(v)
	if err != nil || slices.Equal(dims, w.dims) {
		return w
	}
	return &view{w.of, dims, w.at}
}

// node runs one node of what initialises parameters: an initialiser fills its tensor, a view becomes a
// window into its base, and a result that shares memory is written through to it. A condition or loop that
// is not decided is an error. Other operations are lowered to ONNX and evaluated.
func (r *runner) node(n *graph.Node, i int) error {
	if kind, ok := isInit(n); ok {
		return r.init(n, kind, i)
	}
	if len(n.Regions) > 0 {
		return fmt.Errorf("a condition or loop that is not decided changes it")
	}
	if n.Is.Has(graph.Uninitialised) {
		w, err := fresh(n.Outputs[0])
		r.views[n.Outputs[0]] = w
		return err
	}
	write := ops.Writes(n)
	if !write && len(n.Outputs) > 0 {
		if base := n.Outputs[0].Base; base != nil && usesValue(n, base) {
			return r.look(n)
		}
	}
	if m := asTorch(n); write && m.Op == "torch.Tensor.__setitem__" {
		return r.setItem(m, i)
	}
	outs, err := r.call(n, i, nil)
	if err != nil {
		return err
	}
	for k, o := range n.Outputs {
		if o.Base == nil {
			r.views[o] = full(outs[k])
			continue
		}
		w, err := r.view(o.Base)
		if err == nil {
			err = w.write(outs[k])
		}
		if err != nil {
			return err
		}
		r.views[o] = w
	}
	return nil
}

// setItem writes into some elements; the others, also those that nothing has set, stay as they are. Which they are
// the operation says itself, given zeros and the value one. The operation is run twice: once on
// zeros, to find where it writes, and once on the elements.
func (r *runner) setItem(n *graph.Node, i int) error {
	self, ok := arg(n, "self").(*graph.Value)
	if !ok {
		return fmt.Errorf("%s of something unknown", n.Op)
	}
	w, err := r.view(self)
	if err != nil {
		return err
	}
	old, err := w.read(true)
	if err != nil {
		return err
	}
	zeros, err := eval.New(old.DType, old.Dims)
	if err != nil {
		return err
	}
	m := *n
	m.Args = slices.Clone(n.Args)
	for k := range m.Args {
		if m.Args[k].Name == "value" {
			m.Args[k].Value = graph.Int(1)
		}
	}
	ones, err := r.call(&m, -1, map[*graph.Value]*eval.Tensor{self: zeros})
	if err != nil {
		return err
	}
	outs, err := r.call(n, i, map[*graph.Value]*eval.Tensor{self: old})
	if err != nil {
		return err
	}
	at, chosen := w.places().I, &view{of: w.of}
	var list []int64
	for k := range at {
		if ones[0].F != nil && ones[0].F[k] != 0 || ones[0].F == nil && ones[0].I[k] != 0 {
			list, chosen.at = append(list, int64(k)), append(chosen.at, at[k])
		}
	}
	chosen.dims = []int64{int64(len(list))}
	from := &view{full(outs[0]).of, chosen.dims, list}
	t, err := from.read(false)
	if err == nil {
		err = chosen.write(t)
	}
	r.views[n.Outputs[0]] = w
	return err
}

// look makes views: the operation is run on the places of the elements instead of the
// elements. Functions of several tensors, as meshgrid, give views of several. Each base is
// replaced by a tensor of its places as int64, and the result's elements are then the view's
// places.
func (r *runner) look(n *graph.Node) error {
	if base := n.Outputs[0].Base; n.Is.Has(graph.Ordered) && len(n.Outputs) == 1 {
		w, err := r.view(base)
		if err == nil {
			r.views[n.Outputs[0]] = r.shaped(w, n.Outputs[0])
		}
		return err
	}
	m := *n
	m.Outputs = make([]*graph.Value, len(n.Outputs))
	given, places := map[*graph.Value]*eval.Tensor{}, map[*graph.Value]*graph.Value{}
	for i, o := range n.Outputs {
		if o.Base == nil {
			return fmt.Errorf("%s gives a view and a tensor with memory of its own", n.Op)
		}
		if places[o.Base] == nil {
			w, err := r.view(o.Base)
			if err != nil {
				return err
			}
			x := &graph.Value{Type: o.Base.Type}
			x.Type.DType = dtype.I64
			places[o.Base], given[x] = x, w.places()
		}
		t := o.Type
		t.DType, t.Strides = dtype.I64, nil
		m.Outputs[i] = &graph.Value{Kind: o.Kind, Type: t, Def: &m}
	}
	m.Args = slices.Clone(n.Args)
	for i := range m.Args {
		m.Args[i].Value = replaced(m.Args[i].Value, places)
	}
	outs, err := r.call(&m, -1, given)
	if err != nil {
		return err
	}
	for i, o := range n.Outputs {
		w, err := r.view(o.Base)
		if err != nil {
			return err
		}
		r.views[o] = &view{w.of, outs[i].Dims, outs[i].I}
	}
	return nil
}

// replaced puts other values into an argument.
func replaced(o graph.Operand, by map[*graph.Value]*graph.Value) graph.Operand {
	switch o := o.(type) {
	case *graph.Value:
		if x := by[o]; x != nil {
			return x
		}
	case graph.List:
		list := slices.Clone(o)
		for i := range list {
			list[i] = replaced(list[i], by)
		}
		return list
	case graph.Tuple:
		list := slices.Clone(o)
		for i := range list {
			list[i] = replaced(list[i], by)
		}
		return list
	}
	return o
}

// call lowers an operation and runs its body. given has tensors for values that are not in views.
// The error says that the operation has no form in ONNX, or which operand is unknown.
func (r *runner) call(n *graph.Node, i int, given map[*graph.Value]*eval.Tensor) ([]*eval.Tensor, error) {
	if own := native[n.Op]; own != nil {
		return r.native(n, i, own)
	}
	n = asTorch(n)
	body, err := aten.Run(n, r.d.pool, opset)
	if err != nil {
		return nil, err
	}
	in := eval.Input{Nodes: body.Nodes, Attrs: body.Attrs, Opsets: []onnx.Opset{{Version: opset}}, Values: map[string]*eval.Tensor{},
		Outputs: body.Outputs}
	if i >= 0 {
		in.Random = r.d.random(i)
	}
	for _, f := range body.Formals {
		t, err := r.formal(n, f, given)
		if err != nil {
			return nil, err
		}
		in.Values[f.Name] = t
	}
	outs, err := eval.Run(in)
	if err != nil {
		return nil, fmt.Errorf("%s is not computed here (%w)", n.Op, err)
	}
	return outs, nil
}

// formal computes an input of a body. An overwritten tensor is read even where some of its
// elements have not been set.
func (r *runner) formal(n *graph.Node, f aten.Formal, given map[*graph.Value]*eval.Tensor) (*eval.Tensor, error) {
	if f.Value != nil {
		if t := given[f.Value]; t != nil {
			return t, nil
		}
		w, err := r.view(f.Value)
		if err != nil {
			return nil, err
		}
		return w.read(n.Is.Has(graph.Overwrites) && len(n.Args) > 0 && n.Args[0].Value == graph.Operand(f.Value))
	}
	if f.Scalar {
		x, err := number(f.Sizes[0])
		if err != nil {
			return nil, err
		}
		if k, ok := x.(int64); ok {
			return eval.Ints([]int64{}, k), nil
		}
		return &eval.Tensor{DType: onnx.Double, Dims: []int64{}, F: []float64{x.(float64)}}, nil
	}
	list := make([]int64, len(f.Sizes))
	for k, s := range f.Sizes {
		x, err := number(s)
		if err != nil {
			return nil, err
		}
		j, ok := x.(int64)
		if !ok {
			return nil, fmt.Errorf("the size %v is no integer", x)
		}
		list[k] = j
	}
	return eval.Ints(nil, list...), nil
}

// number is a constant operand as an int64 or float64. The error says that the number is a
// symbol, or data.
func number(o graph.Operand) (any, error) {
	switch o := o.(type) {
	case graph.Float:
		return float64(o), nil
	case graph.Real:
		if f, ok := o.Const(); ok {
			return f, nil
		}
	default:
		if k, ok := aten.ConstInt(o); ok {
			return k, nil
		}
	}
	return nil, fmt.Errorf("the number %s is not known before the model is called", graph.OperandString(o))
}

// numbers are the arguments of a node of torch.nn.init.
func numbers(n *graph.Node) ([]float64, error) {
	t, _ := arg(n, "args").(graph.Tuple)
	var out []float64
	for _, o := range t {
		switch o.(type) {
		case graph.Str, *graph.Value:
			continue
		}
		x, err := number(o)
		if err != nil {
			return nil, err
		}
		switch x := x.(type) {
		case int64:
			out = append(out, float64(x))
		case float64:
			out = append(out, x)
		}
	}
	return out, nil
}
