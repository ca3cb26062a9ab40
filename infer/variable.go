package infer

// This file makes the native part of the module chainer, the class of Variables, and
// applies operators to them.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// variables are Chainer's Variables, its links, and their gradients.
type variables struct {
	*base
	host     variablesHost
	region   *region
	rec      *recorder
	losses   *losses
	settings *settings
}

// A variablesHost applies operations and makes parameters.
type variablesHost interface {
	value.Thread
	applyTensor(name string, args ...value.Value) (value.Value, error)
	distribute(c *value.Choice, op func(value.Value) (value.Value, error)) (value.Value, error)
	opFunc(name string) *value.Builtin
	newParameter(ty graph.TensorType, cls *value.Class) *value.Tensor
	initialising() bool
	takesOver(v, from *graph.Value)
}

// natives makes the compiled part of the module chainer: the class Variable, with methods and properties from the
// records, and the functions that the library's Python code calls.
func (vr *variables) natives() *value.Attrs {
	h := &vr.heap
	a := h.NewAttrs()
	object := vr.world.Class("object")
	c := &value.Class{Name: "Variable", Qualname: "Variable", Module: "chainer", Layout: value.TensorLayout, Attrs: h.NewAttrs(),
		Prelude: true, Bases: []*value.Class{object}}
	c.MRO = []*value.Class{c, object}
	vr.world.Register(chainer.Library.Class, c)
	a.Set(h, "Variable", c)
	prefix := chainer.Library.Method("")
	catalog.Of(chainer.Library, func(op *ops.Op) {
		for _, full := range op.Names {
			name, ok := strings.CutPrefix(full, prefix)
			if !ok || strings.HasSuffix(name, ".set") {
				continue
			}
			attr, isProperty := strings.CutSuffix(name, ".get")
			if !isProperty {
				c.Attrs.Set(h, name, vr.host.opFunc(full))
				continue
			}
			p := &value.Property{Get: vr.host.opFunc(full)}
			if set := prefix + attr + ".set"; hasRecord(set) {
				p.Set = vr.host.opFunc(set)
			}
			c.Attrs.Set(h, attr, p)
		}
	})
	constructor(vr.host, c, vr.newVariable)
	c.Attrs.Set(h, "name", value.None)
	vr.rec.backprop = newBackprop()
	c.Attrs.Set(h, "__hash__", value.None)
	vr.variableGrads(c)
	def := func(name string, fn value.NativeFunc) {
		a.Set(h, name, &value.Builtin{Name: "chainer." + name, Fn: fn})
	}
	def("_make_parameter", vr.makeChainerParameter)
	def("_give_shape", vr.giveShape)
	def("_share_array", vr.shareArray)
	def("_shape_in_file", vr.shapeInFile)
	def("_gradients", vr.gradients)
	def("_chained", vr.chained)
	return a
}

// newVariable implements Variable(data, name=, grad=, requires_grad=).
func (vr *variables) newVariable(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	cls, _ := args[0].(*value.Class)
	data := value.Value(value.None)
	if len(args) > 2 {
		return nil, vr.host.Raise("TypeError", "__init__() takes from 1 to 2 positional arguments but %d were given", len(args))
	}
	if len(args) == 2 {
		data = args[1]
	}
	var name, grad value.Value = value.None, value.None
	fixed := false
	for _, k := range kw {
		switch k.Name {
		case "data":
			data = k.Value
		case "name":
			name = k.Value
		case "grad":
			grad = k.Value
		case "requires_grad":
			if _, ok := k.Value.(value.Bool); !ok && !value.IsUnknown(k.Value) {
				return nil, vr.host.Raise("AssertionError", "requires_grad must be a bool")
			}
			fixed = k.Value == value.Bool(false)
		case "layout", "_grad_valid":
		case "volatile":
			return nil, vr.host.Raise("ValueError", "volatile is not supported any more: use chainer.no_backprop_mode()")
		default:
			return nil, vr.host.Raise("TypeError", "__init__() got an unexpected keyword argument '%s'", k.Name)
		}
	}
	var t *value.Tensor
	switch d := data.(type) {
	case value.NoneType:
		t = vr.pending(cls, dtype.Unknown)
	case *value.Unknown:
		return d, nil
	case *value.Choice:
		return vr.host.distribute(d, func(v value.Value) (value.Value, error) {
			return vr.newVariable(vr.host, []value.Value{cls, v}, nil)
		})
	case *value.Tensor:
		if !ops.IsArray(d) {
			return nil, vr.host.Raise("TypeError", "numpy.ndarray is expected, not %s: give a Variable an array", vr.host.TypeOf(d).Name)
		}
		t = chainer.NewVariable(&vr.heap, cls, d)
		if vr.rec.backprop.known(t.V) {
			t.V = vr.anotherVariable(d.V)
		}
		vr.rec.backprop.ownVariable(t.V, fixed)
	default:
		return nil, vr.host.Raise("TypeError", "numpy.ndarray is expected, not %s", vr.host.TypeOf(data).Name)
	}
	if name != value.None {
		ensureAttrs(vr.host, t).Set(&vr.heap, "name", name)
	}
	if grad != value.None {
		_, err := vr.setVariableAttr(t, "grad", grad)
		return t, err
	}
	return t, nil
}

// pending makes a Variable without an array.
func (vr *variables) pending(cls *value.Class, d dtype.DType) *value.Tensor {
	t := &value.Tensor{Header: vr.heap.Header(), Class: cls,
		V: vr.build.NewValue(graph.TensorKind, graph.TensorType{DType: d}, vr.host.Here())}
	ensureAttrs(vr.host, t).Set(&vr.heap, chainer.Pending, value.Bool(true))
	vr.rec.backprop.ownVariable(t.V, false)
	return t
}

// makeChainerParameter implements _make_parameter(cls, data, shape, dtype): a parameter
// with the array data, or of a shape and dtype; without both it waits for its shape.
func (vr *variables) makeChainerParameter(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 4 {
		return nil, vr.host.Raise("TypeError", "_make_parameter takes 4 arguments")
	}
	cls, _ := args[0].(*value.Class)
	if d, ok := args[1].(*value.Tensor); ok {
		t := vr.host.newParameter(*d.Type(), cls)
		t.SetContents(d.Contents())
		vr.host.takesOver(t.V, d.V)
		if op, ok := catalog.Lookup("numpy.array"); ok &&
			!vr.host.initialising() { // one that a model makes while it runs has the array's elements
			n := &graph.Node{At: vr.host.Here(), Module: vr.host.ModulePath(), Outputs: []*graph.Value{t.V},
				Args: []graph.Arg{{Name: "object", Value: d.V}}}
			op.Describe(n, "")
			vr.build.Emit(n)
		}
		vr.rec.backprop.ownVariable(t.V, false)
		return t, nil
	}
	d := dtypeArg(args[3])
	if args[2] == value.None {
		t := vr.pending(cls, d)
		t.V.Param = true
		return t, nil
	}
	s, u, err := shapeArg(vr.host, args[2])
	if err != nil {
		return nil, err
	}
	if u != nil {
		return u, nil
	}
	t := vr.host.newParameter(graph.TensorType{DType: d, Ranked: true, Shape: s}, cls)
	vr.rec.backprop.ownVariable(t.V, false)
	return t, nil
}

// giveShape implements _give_shape(parameter, shape, dtype): the parameter gets its array.
func (vr *variables) giveShape(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	t, ok := args[0].(*value.Tensor)
	if !ok || len(args) != 3 {
		return nil, vr.host.Raise("TypeError", "_give_shape takes a parameter, a shape and a dtype")
	}
	s, u, err := shapeArg(vr.host, args[1])
	if err != nil {
		return nil, err
	}
	ty := graph.TensorType{DType: dtypeArg(args[2])}
	if u == nil {
		ty.Ranked, ty.Shape = true, s
	}
	vr.heap.Touch(t)
	v := vr.build.NewValue(graph.TensorKind, ty, vr.host.Here())
	v.Name, v.Param = t.V.Name, true
	vr.rec.backprop.moved(t.V, v)
	t.V = v
	t.SetContents(nil)
	ensureAttrs(vr.host, t).Delete(&vr.heap, chainer.Pending)
	return value.None, nil
}

// shareArray implements _share_array(parameter, of): the parameter gets the array of another one.
func (vr *variables) shareArray(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 2 || !chainer.IsVariable(args[0]) || !chainer.IsVariable(args[1]) {
		return nil, vr.host.Raise("TypeError", "_share_array takes two parameters")
	}
	t, of := args[0].(*value.Tensor), args[1].(*value.Tensor)
	vr.heap.Touch(t)
	v := vr.anotherVariable(of.V)
	vr.rec.backprop.moved(t.V, v)
	t.V = v
	t.SetContents(of.Contents())
	t.ShareStorage(&vr.heap, of)
	ensureAttrs(vr.host, t).Delete(&vr.heap, chainer.Pending)
	return value.None, nil
}

// shapeInFile implements _shape_in_file(parameter, unknown): a parameter without a shape has that of an array of which
// nothing is known.
func (vr *variables) shapeInFile(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) == 2 && chainer.IsPending(args[0]) && value.IsUnknown(args[1]) {
		t := args[0].(*value.Tensor)
		ensureAttrs(vr.host, t).Set(&vr.heap, chainer.Pending, args[1])
	}
	return value.None, nil
}

// dtypeArg is the dtype of a numpy dtype object, float32 for None.
func dtypeArg(v value.Value) dtype.DType {
	switch v := v.(type) {
	case value.NoneType:
		return dtype.F32
	case *value.Instance:
		if d, ok := v.Data.(dtype.DType); ok {
			return d
		}
	case *value.Class:
		if d, ok := v.Data.(dtype.DType); ok {
			return d
		}
	case value.Str:
		d, _ := dtype.ParseNumpy(string(v))
		return d
	}
	return dtype.Unknown
}

// shapeArg reads an int or a sequence of ints as sizes that are not negative; u is what
// is not known of them.
func shapeArg(th value.Thread, v value.Value) (s symshape.Shape, u *value.Unknown, err error) {
	elems := []value.Value{v}
	switch x := v.(type) {
	case *value.Tuple:
		elems = x.Elems
	case *value.List:
		if x.Open != nil {
			return nil, th.Unknown("the shape of a parameter"), nil
		}
		elems = x.Elems
	}
	for _, e := range elems {
		if i, ok := e.(*value.Instance); ok && ops.IsNumpyScalar(i) {
			e = i.Payload
		}
		if t, ok := e.(*value.Tensor); ok && ops.IsArray(t) && t.Type().Ranked && len(t.Type().Shape) == 0 &&
			(t.Type().DType.IsIntegral() || t.Type().DType == dtype.Unknown) {
			if e, err = th.Call(th.Class("int"), []value.Value{t}, nil); err != nil {
				return nil, nil, err
			}
		}
		d, ok := value.AsDim(th.Pool(), e)
		if _, isBool := e.(value.Bool); isBool { // numpy's sizes are no bools
			ok = false
		}
		switch {
		case !ok && value.IsUnknown(e):
			return nil, th.Unknown("the shape of a parameter"), nil
		case !ok:
			return nil, nil, th.Raise("TypeError", "'%s' object cannot be interpreted as an integer", th.TypeOf(e).Name)
		}
		if n, known := ops.DimVal(d); known && n < 0 {
			return nil, nil, th.Raise("ValueError", "negative dimensions are not allowed: %d", n)
		}
		s = append(s, d)
	}
	return s, nil, nil
}

// variableBinary gives a op b when one of them is a Variable, whose methods go before
// those of arrays.
func (vr *variables) variableBinary(op ast.BinOperator, a, b value.Value) (value.Value, bool, error) {
	names := &binaryTable[op]
	name, x, other := names.method, a, b
	if !chainer.IsVariable(a) {
		if !chainer.IsVariable(b) {
			return nil, false, nil
		}
		name, x, other = names.reflected, b, a
	}
	if !hasRecord(chainer.Library.Method(name)) {
		return nil, false, vr.host.Raise("TypeError", "unsupported operand types for %s: '%s' and '%s'", op, vr.host.TypeOf(a).Name,
			vr.host.TypeOf(b).Name)
	}
	v, err := vr.host.applyTensor(name, x, other)
	return v, err == nil, err
}

func (vr *variables) variableUnary(op ast.UnaryOperator, x *value.Tensor) (value.Value, error) {
	if name := unaryMethods[op]; hasRecord(chainer.Library.Method(name)) {
		return vr.host.applyTensor(name, x)
	}
	return nil, vr.host.Raise("TypeError", "bad operand type for unary %s: 'Variable'", op)
}

// variableCompare refuses to compare Variables.
func (vr *variables) variableCompare(op ast.CmpOperator, a, b value.Value) (value.Value, bool, error) {
	switch {
	case chainer.IsVariable(a):
		v, err := vr.host.applyTensor(compareTable[op].method, a, b)
		return v, err == nil, err
	case chainer.IsVariable(b):
		v, err := vr.host.applyTensor(compareTable[op].reflected, b, a)
		return v, err == nil, err
	}
	return nil, false, nil
}

// variableAttr finds attributes of Variables that their class does not hold.
func (vr *variables) variableAttr(t *value.Tensor, name string) (value.Value, bool, error) {
	switch name {
	case "__class__":
		return vr.host.TypeOf(t), true, nil
	case "__dict__":
		return vr.losses.dictView(ensureAttrs(vr.host, t)), true, nil
	case "_waits": // whether a parameter has its shape from its next call
		return value.Bool(chainer.IsPending(t)), true, nil
	case "grad", "grad_array", "grad_var":
		g, err := vr.gradientOf(t)
		if a, ok := g.(*value.Tensor); ok && name == "grad_var" {
			a.Class = vr.host.Class("chainer.Variable")
			vr.rec.backprop.made[a.V] = &madeBy{unsure: true}
		}
		return g, err == nil, err
	case "xp":
		m, err := vr.host.Import("numpy")
		return m, err == nil, err
	}
	return nil, false, nil
}

// argClass is the class of the entry's arguments that are given by their types: NumPy's arrays for a link of Chainer and for a
// program that has Chainer or NumPy and none of the libraries with tensors, else PyTorch's tensors (nil).
func (vr *variables) argClass() *value.Class {
	has := func(library string) bool { return vr.modules[library] != nil }
	arrays := has("chainer") || has("numpy") && !has("jax") && !has("tensorflow")
	if !arrays || has("torch") && !(has("chainer") && vr.isLink(vr.rec.root)) {
		return nil
	}
	return vr.host.Class("numpy.ndarray")
}

// isLink reports whether a model is one of Chainer.
func (vr *variables) isLink(m *value.Instance) bool {
	base := vr.linkClass()
	return m != nil && base != nil && m.Class.IsSubclass(base)
}

// callsItself reports whether a link has a __call__ of the program's own, which its base does not see.
func (vr *variables) callsItself(link *value.Instance) bool {
	if vr.rec.backprop == nil || !vr.isLink(link) {
		return false
	}
	for _, c := range link.Class.MRO {
		if _, ok := c.Attrs.Get("__call__"); ok {
			return !c.Prelude
		}
	}
	return false
}

// callLink calls such a method as a call of the link.
func (vr *variables) callLink(link *value.Instance, call value.Value, args []value.Value, kw []value.Kw) (value.Value, error) {
	i := vr.rec.enter(vr.host.Here(), link, args, kw)
	vr.rec.calls[i].own = true
	out, err := vr.host.Call(call, args, kw)
	if i < len(vr.rec.calls) && vr.rec.calls[i].own {
		vr.rec.leave(i, out, err)
	} else if n := len(vr.rec.stack); n > 0 && vr.rec.stack[n-1] == i {
		vr.rec.stack = vr.rec.stack[:n-1]
	}
	return out, err
}

// linkClass is chainer.Link, nil where Chainer is not imported.
func (vr *variables) linkClass() *value.Class {
	if vr.modules["chainer"] == nil {
		return nil
	}
	return vr.host.Class("chainer.Link")
}

// setEvaluated makes chainer.config.train false, as a run without training has it.
func (vr *variables) setEvaluated() error {
	m := vr.modules["chainer"]
	if m == nil {
		return nil
	}
	config, ok := m.Attrs.Get("config")
	if !ok {
		return nil
	}
	return vr.host.SetAttr(config, "train", value.Bool(false))
}

// isLinkTable reports whether a model keeps the tables of Chainer's links.
func isLinkTable(m *value.Instance) bool {
	_, ok := m.Attrs.Get("_persistent")
	return ok
}
