package infer

// This file makes the native part of the module chainer, the class of Variables, and
// applies operators to them.
//
// It also tells of the functions behind Chainer's Variables: creator, with its label, rank and inputs.
//
// It also calls the hooks of Chainer's functions: what they see is made by package chainer's
// Python. Operations of Variables are records as those of tensors; what differs is dispatch (a
// Variable refuses much that a tensor takes) and the bookkeeping of functions in backprop.go.

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

// variables are Chainer's Variables, its links, and their gradients. They are one part of the
// interpreter, which gives them what they need of it.
type variables struct {
	*base
	host     variablesHost
	region   *region
	rec      *recorder
	losses   *losses
	settings *settings
}

// A variablesHost applies operations and makes parameters. Interp implements it.
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
// records, and the functions that the library's Python code calls. They are made when chainer is
// imported.
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
	// Records give the methods, those in .get and .set the properties.
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
	// Variables compare element by element, and have no hash.
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

// newVariable implements Variable(data, name=, grad=, requires_grad=). Its errors are Chainer's.
// Data of None makes a Variable without an array.
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
		// Parameters by name.
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
	// What data may be.
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
		// The array has a Variable already, so that this one needs a value of its own.
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

// pending makes a Variable without an array. Its attribute Pending says so.
func (vr *variables) pending(cls *value.Class, d dtype.DType) *value.Tensor {
	t := &value.Tensor{Header: vr.heap.Header(), Class: cls,
		V: vr.build.NewValue(graph.TensorKind, graph.TensorType{DType: d}, vr.host.Here())}
	ensureAttrs(vr.host, t).Set(&vr.heap, chainer.Pending, value.Bool(true))
	vr.rec.backprop.ownVariable(t.V, false)
	return t
}

// makeChainerParameter implements _make_parameter(cls, data, shape, dtype): a parameter
// with the array data, or of a shape and dtype; without both it waits for its shape. The type is
// that of data, or float32 where no dtype is given.
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
			// A node shows where the elements come from.
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
	// The shape may be unknown.
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

// giveShape implements _give_shape(parameter, shape, dtype): the parameter gets its array. The
// parameter keeps its name and gradient.
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
// Both then write into one memory.
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
// nothing is known. It comes from a file that is not read.
func (vr *variables) shapeInFile(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) == 2 && chainer.IsPending(args[0]) && value.IsUnknown(args[1]) {
		t := args[0].(*value.Tensor)
		ensureAttrs(vr.host, t).Set(&vr.heap, chainer.Pending, args[1])
	}
	return value.None, nil
}

// dtypeArg is the dtype of a numpy dtype object, float32 for None. Unknown stands for what is none.
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
// is not known of them. err is a TypeError for what is no integer and a ValueError for a negative
// size.
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
		// Scalars and arrays of NumPy count as integers.
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
// those of arrays. ok is false where neither is one. An error is that of the rule, or a TypeError.
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

// variableUnary is a unary operator of a Variable.
func (vr *variables) variableUnary(op ast.UnaryOperator, x *value.Tensor) (value.Value, error) {
	if name := unaryMethods[op]; hasRecord(chainer.Library.Method(name)) {
		return vr.host.applyTensor(name, x)
	}
	return nil, vr.host.Raise("TypeError", "bad operand type for unary %s: 'Variable'", op)
}

// variableCompare refuses to compare Variables. The record of the comparison raises.
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

// variableAttr finds attributes of Variables that their class does not hold. ok is false for names
// that it has not.
func (vr *variables) variableAttr(t *value.Tensor, name string) (value.Value, bool, error) {
	switch name {
	case "__class__":
		return vr.host.TypeOf(t), true, nil
	case "__dict__":
		return vr.losses.dictView(ensureAttrs(vr.host, t)), true, nil
	// The prelude asks for it.
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
// program that has Chainer or NumPy and none of the libraries with tensors, else PyTorch's tensors
// (nil). It is asked when types are given on the command line.
func (vr *variables) argClass() *value.Class {
	has := func(library string) bool { return vr.modules[library] != nil }
	arrays := has("chainer") || has("numpy") && !has("jax") && !has("tensorflow")
	if !arrays || has("torch") && !(has("chainer") && vr.isLink(vr.rec.root)) {
		return nil
	}
	return vr.host.Class("numpy.ndarray")
}

// isLink reports whether a model is one of Chainer. m may be nil.
func (vr *variables) isLink(m *value.Instance) bool {
	base := vr.linkClass()
	return m != nil && base != nil && m.Class.IsSubclass(base)
}

// callsItself reports whether a link has a __call__ of the program's own, which its base does not
// see. Such links are called without Link.__call__, which records calls.
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

// callLink calls such a method as a call of the link. The call is recorded as one of the link,
// unless Link.__call__ did so.
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

// linkClass is chainer.Link, nil where Chainer is not imported. It serves as the base class of
// models.
func (vr *variables) linkClass() *value.Class {
	if vr.modules["chainer"] == nil {
		return nil
	}
	return vr.host.Class("chainer.Link")
}

// setEvaluated makes chainer.config.train false, as a run without training has it. The error is
// that of setting it.
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

// isLinkTable reports whether a model keeps the tables of Chainer's links. It tells links from
// modules.
func isLinkTable(m *value.Instance) bool {
	_, ok := m.Attrs.Get("_persistent")
	return ok
}

// A creator is the function that made a Variable, as far as it is known. Its zero value is a
// function of which nothing is known.
type creator struct {
	none   bool        // the Variable keeps no function
	own    value.Value // of the program's own, else nil
	label  string      // empty where it is not known
	inputs []*value.Tensor
	// exact says that inputs are all it has, and nothing else.
	exact bool
	rank  int // how many functions lie before it, unknownRank where that is not known
	// node is what the program sees, made when it asks.
	node value.Value
}

const unknownRank = -1

// creatorOf is what is known before a record is applied. Labels come from the records.
func (vr *variables) creatorOf(op *ops.Op, args []value.Value, kw []value.Kw) creator {
	of := chainer.CreatorOf(op, args, kw)
	c := creator{none: of.None, label: of.Label, exact: of.Inputs, rank: vr.deepest(args, kw)}
	if of.Label != "" {
		all := tensorsIn(args, withoutState(kw), func(t *value.Tensor) { c.inputs = append(c.inputs, t) })
		c.exact = c.exact && all
	}
	return c
}

// withoutState leaves out the arguments that a function keeps as attributes: they are no inputs of
// its own. Chainer keeps them for its backward.
func withoutState(kw []value.Kw) []value.Kw {
	var out []value.Kw
	for _, k := range kw {
		switch k.Name {
		case "running_mean", "running_var", "running_projection", "mask":
		default:
			out = append(out, k)
		}
	}
	return out
}

// deepest is the rank of a function of the Variables in args. It is the largest rank of its inputs.
func (vr *variables) deepest(args []value.Value, kw []value.Kw) int {
	rank := 0
	all := tensorsIn(args, kw, func(t *value.Tensor) {
		switch r := vr.rec.backprop.rank(t); {
		case !chainer.IsVariable(t) || rank == unknownRank:
		case r == unknownRank:
			rank = r
		default:
			rank = max(rank, r)
		}
	})
	if !all {
		return unknownRank
	}
	return rank
}

// rank is how many functions lie before a Variable. A Variable of the program's own has 0.
func (b *backprop) rank(t *value.Tensor) int {
	m := b.made[t.V]
	own, isOwn := b.own[t.V]
	switch {
	case own.several || m == nil && !isOwn:
		return unknownRank
	case m == nil || m.function.none:
		return 0
	case m.function.rank == unknownRank || m.unsure && m.function.own == nil || m.function.own == nil && m.function.label == "":
		return unknownRank
	}
	return m.function.rank + 1
}

// rankOf is Variable.rank of Chainer: how many functions lie before it, which is not known after
// loops. After loops it is not known.
func (vr *variables) rankOf(t *value.Tensor) (value.Value, error) {
	r := vr.rec.backprop.rank(t)
	if r == unknownRank {
		return vr.host.DataInt("rank", 0, nil), nil
	}
	return value.Int(r), nil
}

// functionBehind gives the attribute creator. It is a FunctionNode of the prelude, made when asked
// for; None for a Variable of the program's own.
func (vr *variables) functionBehind(t *value.Tensor) (value.Value, error) {
	b := vr.rec.backprop
	m := b.made[t.V]
	own, isOwn := b.own[t.V]
	switch {
	case own.several || m == nil && !isOwn:
		return vr.host.Unknown("whether a function made the Variable is not known"), nil
	case m == nil || m.function.none:
		return value.None, nil
	}
	f := &m.function
	switch {
	case f.own != nil:
		return f.own, nil
	case m.unsure:
		return vr.host.Unknown("whether a function made the Variable is not known"), nil
	case f.label == "":
		return vr.host.Unknown("the function that made the Variable is not modelled"), nil
	case f.node != nil:
		return f.node, nil
	}
	inputs := value.Value(vr.host.Unknown("the inputs of the function " + f.label))
	// Arrays among the inputs become Variables that require no gradient.
	if f.exact {
		elems := make([]value.Value, len(f.inputs))
		for i, x := range f.inputs {
			elems[i] = x
			if !chainer.IsVariable(x) {
				v := chainer.NewVariable(&vr.heap, vr.host.Class("chainer.Variable"), x)
				v.V = vr.anotherVariable(x.V)
				b.ownVariable(v.V, true)
				elems[i] = v
			}
		}
		inputs = value.NewTuple(elems...)
	}
	rank := value.Value(value.Int(f.rank))
	if f.rank == unknownRank {
		rank = vr.host.DataInt("rank", 0, nil)
	}
	made, err := vr.host.Import("chainer.function_node")
	if err != nil {
		return nil, err
	}
	v, err := vr.host.CallMethod(made, "_made_by", value.Str(f.label), rank, inputs)
	if err == nil {
		f.node = v
	}
	return v, err
}

// hooksModule defines hooks of functions, and the table of those that are in force. The module is
// the prelude's.
const hooksModule = "chainer.function_node"

// hasFunctionHooks reports whether hooks see the functions that run now. A table that is not known
// counts as not empty.
func (vr *variables) hasFunctionHooks() bool {
	m := vr.modules[hooksModule]
	if m == nil {
		return false
	}
	v, _ := m.Attrs.Get("_hooks")
	hooks, ok := v.(*value.Dict)
	return v != nil && !(ok && hooks.Len() == 0 && hooks.Open == nil)
}

// callHooks calls a function of that module.
func callHooks(th value.Thread, name string, args ...value.Value) (value.Value, error) {
	m, err := th.Import(hooksModule)
	if err != nil {
		return nil, err
	}
	return th.CallMethod(m, name, args...)
}

// tellFunctionHooks tells the hooks of a record that has been applied: before and after it are one time for them, as
// nothing lies between. Pure operations make no function. The error is that of a hook.
func (vr *variables) tellFunctionHooks(op *ops.Op, c *creator, args []value.Value, kw []value.Kw) error {
	if op.Pure || c.none || !vr.hasFunctionHooks() {
		return nil
	}
	label, inputs := value.Value(value.None), value.Value(value.None)
	if c.label != "" {
		label = value.Str(c.label)
		inputs = vr.host.Unknown("the inputs of the function " + c.label)
	}
	if c.label != "" && c.exact {
		arrays := make([]value.Value, len(c.inputs))
		for i, x := range c.inputs {
			if chainer.IsVariable(x) {
				x = chainer.NewVariable(&vr.heap, vr.host.Class("numpy.ndarray"), x)
			}
			arrays[i] = x
		}
		inputs = value.NewTuple(arrays...)
	}
	_, err := callHooks(vr.host, "_tell_hooks", label, inputs)
	return err
}
