package infer

// This file follows the gradients of Chainer's Variables: which functions made a Variable of which others, and so
// which of them have a gradient after backward(), of the type of their arrays.
//
// What is kept is kept for the values of the graph, which never change. A gradient that depends on a branch or a
// loop of unknown length is unknown, and so is what lies behind a value whose origin is not seen.
// Chainer keeps a graph of functions behind each Variable; here it is kept beside the typed graph,
// keyed by values. Only what the program can see matters: whether grad is None or an array, and
// what creator and requires_grad give.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
	"shapecheck/symshape/dtype"
)

// A backprop is what is known of the gradients of a run's Variables.
type backprop struct {
	made  map[*graph.Value]*madeBy
	own   map[*graph.Value]ownVariable // those that the program made of arrays, parameters among them
	grads map[*graph.Value]gradient
	array map[*graph.Value]*graph.Value // of a Variable on the array of another one, the value of that
	// lost is set once backward() met a value whose origin is not seen: then any Variable may have got a gradient.
	lost bool
}

// A madeBy says of which Variables a function made one.
type madeBy struct {
	from     []*graph.Value
	requires bool // whether it requires a gradient
	unsure   bool // which of them get a gradient is not known
	several  bool // the function made others, too
	function creator
}

// An ownVariable is one that no function made. A Variable of the program's own has no function
// behind it.
type ownVariable struct {
	fixed bool // it requires no gradient
	// several Variables have this value, or a function made it, too.
	several bool
}

// A gradient is what the attribute grad of a Variable holds.
type gradient uint8

const (
	gradientAtFirst gradient = iota // NaNs for a parameter, else None
	gradientNone
	gradientArray
	gradientUnknown
)

// newBackprop is made with the module chainer; without it nothing is recorded. All maps are empty
// at first; a value that is in none of made and own has an origin that is not seen.
func newBackprop() *backprop {
	return &backprop{made: map[*graph.Value]*madeBy{}, own: map[*graph.Value]ownVariable{}, grads: map[*graph.Value]gradient{},
		array: map[*graph.Value]*graph.Value{}}
}

// ownVariable notes a Variable that the program made. The same value may be made twice, as by
// Variable(x) of one array.
func (b *backprop) ownVariable(v *graph.Value, fixed bool) {
	_, twice := b.own[v]
	b.own[v] = ownVariable{fixed: fixed, several: twice || b.made[v] != nil}
}

// known reports whether a Variable has this value already.
func (b *backprop) known(v *graph.Value) bool {
	_, own := b.own[v]
	return own || b.made[v] != nil
}

// anotherVariable gives a Variable of the array of another one a value of its own, on the same
// memory. In the graph it is an identity, so that exports still see one array.
func (vr *variables) anotherVariable(of *graph.Value) *graph.Value {
	v := vr.build.NewValue(of.Kind, of.Type, vr.host.Here())
	v.Base = of
	n := catalog.NewNode("chainer.functions.identity")
	n.Args, n.Outputs, n.At, n.Module = []graph.Arg{{Name: "inputs", Value: graph.List{of}}}, []*graph.Value{v}, vr.host.Here(),
		vr.host.ModulePath()
	vr.build.Emit(n)
	vr.rec.backprop.array[v] = vr.rec.backprop.arrayOf(of)
	return v
}

// arrayOf is the value that stands for the array of a Variable, the same for all Variables that have it.
func (b *backprop) arrayOf(v *graph.Value) *graph.Value {
	if a := b.array[v]; a != nil {
		return a
	}
	return v
}

// moved notes that a Variable has another array. Its history and gradient go with it.
func (b *backprop) moved(from, to *graph.Value) {
	if o, ok := b.own[from]; ok {
		b.own[to] = o
	}
	if m := b.made[from]; m != nil {
		b.made[to] = m
	}
	if g, ok := b.grads[from]; ok {
		b.grads[to] = g
	}
}

// requires reports whether a Variable requires a gradient. One that the program made requires it
// unless it said otherwise.
func (b *backprop) requires(v *graph.Value) bool {
	if m := b.made[v]; m != nil {
		return m.requires
	}
	return !b.own[v].fixed
}

// variableFunction applies a record of Chainer and notes of what it made its results. The result's
// origin is noted for each Variable among the results. Errors are those of the record and of
// function hooks.
func (vr *variables) variableFunction(op *ops.Op, args []value.Value, kw []value.Kw, apply applier) (value.Value, error) {
	b := vr.rec.backprop
	var self *value.Tensor
	var before *graph.Value
	if len(args) > 0 && chainer.IsVariable(args[0]) {
		self = args[0].(*value.Tensor)
		before = self.V
	}
	m := &madeBy{}
	// Variables in lists count.
	all := tensorsIn(args, kw, func(t *value.Tensor) {
		if chainer.IsVariable(t) {
			m.from = append(m.from, t.V)
			m.requires = m.requires || b.requires(t.V)
		}
	})
	m.unsure = !all
	m.function = vr.creatorOf(op, args, kw)
	out, err := apply(args, kw)
	if err != nil {
		return out, err
	}
	// The function changed its first argument in place.
	if self != nil && self.V != before {
		b.moved(before, self.V)
	}
	if err := vr.tellFunctionHooks(op, &m.function, args, kw); err != nil {
		return nil, err
	}
	// Without backprop nothing is kept.
	switch vr.settings.options[backpropOption] {
	case "off":
		m.from, m.function = nil, creator{none: true}
	case "": // it is on
	default:
		m.unsure = true
	}
	if op.Is.Has(graph.CutsGradient) {
		m.from = nil
	}
	made, one := out.(*value.Tensor)
	m.several = !one
	// as_variable of an array.
	if one && op.Names[0] == "chainer.as_variable" && !containsValue(m.from, made.V) { // of an array: it requires no gradient
		if b.known(made.V) {
			made.V = vr.anotherVariable(made.V)
		}
		b.ownVariable(made.V, true)
	}
	// Results two levels deep.
	for x := range value.Walk(out, 2, value.Sequences) {
		if t, ok := x.(*value.Tensor); ok && chainer.IsVariable(t) && t != self && b.made[t.V] == nil && !containsValue(m.from, t.V) {
			if _, own := b.own[t.V]; !own {
				b.made[t.V] = m
			}
		}
	}
	return out, nil
}

// backpropOption is where chainer.config.enable_backprop is kept, for the engine: "off" or nothing.
const backpropOption = "chainer-backprop"

// containsValue reports whether a value is in a list.
func containsValue(list []*graph.Value, v *graph.Value) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// setGradient notes what a gradient is now; what it becomes on some of the ways only is not known.
// A loop or a branch makes it unknown unless it stays the same.
func (vr *variables) setGradient(v *graph.Value, g gradient) {
	b := vr.rec.backprop
	if (len(vr.region.path.conds) > 0 || len(vr.region.loops) > 0) && b.grads[v] != g {
		g = gradientUnknown
	}
	b.grads[v] = g
}

// gradientOf gives the attribute grad of a Variable. The gradient is an array of the Variable's
// type. A parameter without a shape is a RuntimeError.
func (vr *variables) gradientOf(t *value.Tensor) (value.Value, error) {
	b := vr.rec.backprop
	lost := func() (value.Value, error) {
		return vr.host.Unknown("which Variables have a gradient here is not known"), nil
	}
	array := func() (value.Value, error) {
		return &value.Tensor{Header: vr.heap.Header(), Class: vr.host.Class("numpy.ndarray"),
			V: vr.build.NewValue(graph.TensorKind, *t.Type(), vr.host.Here())}, nil
	}
	switch b.grads[t.V] {
	case gradientNone:
		return value.None, nil
	case gradientArray:
		return array()
	case gradientUnknown:
		return lost()
	}
	own, isOwn := b.own[t.V]
	switch {
	case b.lost || isOwn && own.several:
		return lost()
	// A Variable that a function made has none before backward().
	case !t.V.Param || b.made[t.V] != nil:
		return value.None, nil
	case chainer.IsPending(t):
		return nil, vr.host.Fail("RuntimeError", diag.New(diag.AutogradFault, vr.host.Here(),
			"the parameter has no shape yet, and so no gradient: call cleargrads() before, or the link"))
	}
	return array()
}

// A reach is how certainly a gradient arrives at a value. They are in order, so that the larger one
// counts where both are found.
type reach uint8

const (
	reachNot reach = iota
	reachMaybe
	reachSure
)

// reached gives the values that the gradients of roots arrive at; opaque says that one was met
// whose origin is not seen. The search runs twice: first over certain steps, then over all.
func (b *backprop) reached(roots []*graph.Value) (at map[*graph.Value]reach, opaque bool) {
	at = map[*graph.Value]reach{}
	for _, sure := range [...]reach{reachSure, reachMaybe} {
		var next []*graph.Value
		visit := func(v *graph.Value, how reach) {
			if how >= sure && at[v] < sure {
				at[v] = sure
				next = append(next, v)
			}
		}
		for _, r := range roots {
			visit(r, reachSure)
		}
		if sure == reachMaybe { // what lies behind certain ones, too
			for v := range at {
				next = append(next, v)
			}
		}
		for len(next) > 0 {
			v := next[len(next)-1]
			next = next[:len(next)-1]
			m, own := b.made[v], b.own[v]
			if m == nil {
				_, seen := b.own[v]
				opaque = opaque || !seen
				continue
			}
			how := reachSure
			// Integers have no gradient.
			if m.unsure || own.several || !v.Type.DType.IsFloat() && !v.Type.DType.IsComplex() {
				how = reachMaybe
			}
			for _, x := range m.from {
				visit(x, how)
			}
		}
	}
	return at, opaque
}

// hasGradient reports whether a Variable that a gradient arrives at keeps it. A dtype that is not
// known may have one.
func (b *backprop) hasGradient(v *graph.Value) bool {
	return !b.own[v].fixed && (v.Type.DType.IsFloat() || v.Type.DType.IsComplex() || v.Type.DType == dtype.Unknown)
}

// variableBackward is the effect of Variable.backward. The error is a TypeError for a Variable with
// several elements whose gradient was not set.
func (vr *variables) variableBackward(t *value.Tensor, retain bool) error {
	b := vr.rec.backprop
	m := b.made[t.V]
	if m == nil {
		if _, own := b.own[t.V]; !own {
			b.lose()
		}
		return nil
	}
	n, known := ops.DimVal(vr.pool.Numel(t.V.Type.Shape))
	bare := b.grads[t.V] == gradientAtFirst && !b.lost
	// Only where it is certain that the default gradient would be used.
	if known && n != 1 && t.V.Type.Ranked && bare && len(m.from) > 0 && !m.several && !m.unsure {
		d := diag.New(diag.AutogradFault, vr.host.Here(),
			"backward() of a "+t.V.Type.String()+" needs one element, as of a loss that is summed up, or its grad to be set")
		if t.V.At.IsValid() && t.V.At != d.At {
			d.Related = append(d.Related, diag.Related{At: t.V.At, Msg: "the Variable is made here: " + t.V.Type.String()})
		}
		return vr.host.Fail("TypeError", d)
	}
	at, opaque := b.reached([]*graph.Value{t.V})
	if opaque {
		b.lose()
	}
	for v, how := range at {
		switch {
		// Gradients in between are dropped unless retain_grad is set.
		case b.made[v] != nil && !retain:
			if b.grads[v] != gradientAtFirst {
				vr.setGradient(v, gradientNone)
			}
		case !b.hasGradient(v):
		case how == reachMaybe && b.grads[v] != gradientArray, v.Type.DType == dtype.Unknown, b.own[v].several:
			vr.setGradient(v, gradientUnknown)
		default:
			vr.setGradient(v, gradientArray)
		}
	}
	return nil
}

// lose notes that any Variable may have got a gradient. None may now be an array.
func (b *backprop) lose() {
	b.lost = true
	for v, g := range b.grads {
		if g == gradientNone {
			b.grads[v] = gradientUnknown
		}
	}
}

// unchain is the effect of Variable.unchain, and with all of unchain_backward. On a branch it is
// not known whether the functions are still there.
func (vr *variables) unchain(t *value.Tensor, all bool) {
	b := vr.rec.backprop
	for next := []*graph.Value{t.V}; len(next) > 0; next = next[1:] {
		m := b.made[next[0]]
		if m == nil || len(m.from) == 0 {
			continue
		}
		from := m.from
		cut := *m
		cut.from, cut.function = nil, creator{none: true}
		if len(vr.region.path.conds) > 0 || len(vr.region.loops) > 0 {
			cut.from, cut.unsure, cut.function = from, true, creator{}
		}
		b.made[next[0]] = &cut
		// The Variables behind it are cut as well.
		if all && !cut.unsure {
			next = append(next, from...)
		}
	}
}

// variableGrads gives chainer.Variable what is about gradients: methods over the records', and
// properties. c is the class of Variables.
func (vr *variables) variableGrads(c *value.Class) {
	h := &vr.heap
	// effect is a record with an effect on gradients after it.
	effect := func(name string, f func(t *value.Tensor, args []value.Value, kw []value.Kw) error) {
		record := vr.host.opFunc(chainer.Library.Method(name))
		c.Attrs.Set(h, name, &value.Builtin{Name: record.Name, Fn: func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			v, err := record.Fn(th, args, kw)
			if err != nil || len(args) == 0 {
				return v, err
			}
			if t, ok := args[0].(*value.Tensor); ok {
				err = f(t, args[1:], kw)
			}
			return v, err
		}})
	}
	// set makes the effect of setting a gradient.
	set := func(g gradient) func(t *value.Tensor, _ []value.Value, _ []value.Kw) error {
		return func(t *value.Tensor, _ []value.Value, _ []value.Kw) error {
			vr.setGradient(t.V, g)
			return nil
		}
	}
	effect("cleargrad", set(gradientNone))
	effect("zerograd", set(gradientArray))
	// addgrad adds the gradient of another Variable, which may be None.
	effect("addgrad", func(t *value.Tensor, args []value.Value, _ []value.Kw) error {
		if len(args) == 1 && chainer.IsVariable(args[0]) {
			if g, err := vr.gradientOf(args[0].(*value.Tensor)); err != nil || g == value.None {
				return err
			} else if value.IsUnknown(g) {
				vr.setGradient(t.V, gradientUnknown)
				return nil
			}
		}
		vr.setGradient(t.V, gradientArray)
		return nil
	})
	effect("unchain", func(t *value.Tensor, _ []value.Value, _ []value.Kw) error { vr.unchain(t, false); return nil })
	effect("unchain_backward", func(t *value.Tensor, _ []value.Value, _ []value.Kw) error { vr.unchain(t, true); return nil })
	effect("backward", func(t *value.Tensor, args []value.Value, kw []value.Kw) error {
		var retain value.Value = value.Bool(false)
		if len(args) > 0 {
			retain = args[0]
		}
		for _, k := range kw {
			if k.Name == "retain_grad" {
				retain = k.Value
			}
		}
		on, _ := retain.(value.Bool)
		if err := vr.variableBackward(t, bool(on)); err != nil || !vr.hasFunctionHooks() {
			return err
		}
		_, err := callHooks(vr.host, "_tell_hooks_backward")
		return err
	})
	// property defines one that f computes.
	property := func(name string, f func(t *value.Tensor) (value.Value, error)) {
		c.Attrs.Set(h, name, &value.Property{Get: &value.Builtin{Name: name,
			Fn: func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
				t, ok := args[0].(*value.Tensor)
				if !ok {
					return vr.host.Unknown("the Variable is not known"), nil
				}
				return f(t)
			}}})
	}
	property("requires_grad", func(t *value.Tensor) (value.Value, error) { return value.Bool(vr.rec.backprop.requires(t.V)), nil })
	property("creator", vr.functionBehind)
	property("creator_node", vr.functionBehind)
	property("rank", vr.rankOf)
}

// setVariableAttr handles the assignment of gradients. done is false for other names. Errors are
// Chainer's: a gradient must be of the right class, shape and dtype.
func (vr *variables) setVariableAttr(t *value.Tensor, name string, x value.Value) (done bool, err error) {
	switch name {
	case "grad", "grad_var", "grad_array":
	default:
		return false, nil
	}
	switch g := x.(type) {
	case value.NoneType:
		vr.setGradient(t.V, gradientNone)
	case *value.Tensor:
		if name == "grad_var" != chainer.IsVariable(g) {
			return true, vr.host.Raise("TypeError", "the gradient of a Variable must be of the type %s, not %s",
				map[bool]string{true: "Variable", false: "ndarray"}[name == "grad_var"], vr.host.TypeOf(x).Name)
		}
		a, b := g.Type(), t.Type()
		switch {
		case a.Ranked && b.Ranked && len(a.Shape) != len(b.Shape), a.Ranked && b.Ranked && differs(g, t):
			return true, vr.host.Fail("ValueError",
				diag.New(diag.ShapeMismatch, vr.host.Here(), "the shapes of data and gradient differ: "+b.String()+" and "+a.String()).
					Measured("shape of a gradient", b, a))
		case a.DType != b.DType && a.DType != dtype.Unknown && b.DType != dtype.Unknown:
			return true, vr.host.Fail("TypeError",
				diag.New(diag.DTypeMismatch, vr.host.Here(), "the dtypes of data and gradient differ: "+b.String()+" and "+a.String()))
		}
		vr.setGradient(t.V, gradientArray)
	case *value.Unknown, *value.Choice, *value.Abstract:
		vr.setGradient(t.V, gradientUnknown)
	default:
		return true, vr.host.Raise("TypeError", "the type of the gradient is invalid: ndarray is expected, not %s", vr.host.TypeOf(x).Name)
	}
	return true, nil
}

// differs reports whether two tensors of one rank certainly have another size somewhere. Sizes that
// are not known do not differ.
func differs(a, b *value.Tensor) bool {
	for i, d := range a.Type().Shape {
		x, known := ops.DimVal(d)
		y, too := ops.DimVal(b.Type().Shape[i])
		if known && too && x != y {
			return true
		}
	}
	return false
}

// gradients implements _gradients(outputs, inputs): for each input its gradient, a Variable, or
// None. It is chainer.grad. An input on which the outputs do not depend has None.
func (vr *variables) gradients(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 2 {
		return nil, vr.host.Raise("TypeError", "_gradients takes outputs and inputs")
	}
	b := vr.rec.backprop
	var roots, all []*graph.Value
	known := tensorsIn(args[:1], nil, func(t *value.Tensor) { roots = append(roots, t.V) })
	at, opaque := b.reached(roots)
	var out []value.Value
	known = tensorsIn(args[1:], nil, func(t *value.Tensor) {
		all = append(all, t.V)
		switch how := at[t.V]; {
		case how == reachMaybe, how == reachNot && (opaque || !known), b.own[t.V].several:
			out = append(out, vr.host.Unknown("whether the gradient depends on the input is not known"))
		case how == reachNot || !b.hasGradient(t.V):
			out = append(out, value.None)
		default:
			out = append(out, &value.Tensor{Header: vr.heap.Header(), Class: vr.host.Class("chainer.Variable"),
				V: vr.build.NewValue(graph.TensorKind, *t.Type(), vr.host.Here())})
		}
	}) && known
	if !known && len(out) == 0 {
		return vr.host.Unknown("the inputs of grad() are not known"), nil
	}
	// The gradients may be differentiated again.
	for _, g := range out {
		if t, ok := g.(*value.Tensor); ok {
			b.made[t.V] = &madeBy{from: append(roots[:len(roots):len(roots)], all...), requires: true, unsure: true}
		}
	}
	return &value.List{Header: vr.heap.Header(), Elems: out}, nil
}

// chained implements _chained(outputs, inputs, function): a function of the user's made outputs of
// inputs. It is how FunctionNodes of the program enter the graph.
func (vr *variables) chained(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 3 {
		return nil, vr.host.Raise("TypeError", "_chained takes outputs, inputs and the function")
	}
	b := vr.rec.backprop
	m := &madeBy{unsure: !givesAllGradients(args[2]), function: creator{own: args[2], rank: vr.deepest(args[1:2], nil)}}
	tensorsIn(args[1:2], nil, func(t *value.Tensor) {
		if chainer.IsVariable(t) {
			m.from = append(m.from, t.V)
			m.requires = m.requires || b.requires(t.V)
		}
	})
	if vr.settings.options[backpropOption] == "off" {
		m.from, m.unsure, m.function = nil, false, creator{none: true}
	}
	tensorsIn(args[:1], nil, func(t *value.Tensor) {
		own := b.own[t.V]
		if own.several {
			return
		}
		delete(b.own, t.V)
		b.made[t.V] = m
	})
	return value.None, nil
}

// givesAllGradients reports whether the backward of a function of the user's own gives a gradient for each input: it is
// the program's, and None is nowhere in it. A None in it may be one of the gradients.
func givesAllGradients(function value.Value) bool {
	f, ok := function.(*value.Instance)
	if !ok {
		return false
	}
	if v := ownMethod(f.Class, "backward_accumulate"); v != nil {
		return false
	}
	v := ownMethod(f.Class, "backward")
	if v == nil { // a Function of the old style computes on the CPU in a method of its own
		v = ownMethod(f.Class, "backward_cpu")
	}
	fn, ok := v.(*value.Func)
	if !ok {
		return false
	}
	all := fn.Definition() != nil
	ast.Inspect(fn.Definition(), func(n ast.Node) bool {
		if c, ok := n.(*ast.Constant); ok && c.Kind == ast.NoneConst {
			all = false
		}
		return all
	})
	return all
}

// ownMethod is a method that the program defines, nil where it leaves Chainer's. The first class
// that defines it decides.
func ownMethod(c *value.Class, name string) value.Value {
	for _, c := range c.MRO {
		if v, ok := c.Attrs.Get(name); ok {
			if c.Prelude {
				return nil
			}
			return v
		}
	}
	return nil
}
