package infer

// This file implements the hot parts of torch.nn.Module, which the prelude
// imports from the module _shapecheck: attribute access, calls, parameters.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// moduleTables are the dicts in which a module keeps its parts, in the order in
// which attribute access searches them.
var moduleTables = [...]string{"_parameters", "_buffers", "_modules"}

// nativeShapecheck makes the module _shapecheck: the functions by which the library's Python code asks the interpreter
// for what it cannot do itself, such as to make an unknown value or a parameter.
func (in *Interp) nativeShapecheck() *value.Attrs {
	a := in.heap.NewAttrs()
	def := func(name string, fn value.NativeFunc) {
		a.Set(&in.heap, name, &value.Builtin{Name: "_shapecheck." + name, Fn: fn})
	}
	def("module_init", in.moduleInit)
	def("module_setattr", in.moduleSetattr)
	def("module_getattr", in.moduleGetattr)
	def("module_delattr", in.moduleDelattr)
	def("module_call", in.moduleCall)
	in.walkNatives(def)
	in.imports.loaderNatives(def)
	in.annotationNatives(def)
	in.dataNatives(def)
	def("init_arguments", in.initArguments)
	in.retraceNatives(def)
	in.jitNatives(def)
	in.exportNatives(def)
	in.dynamoNatives(def)
	def("project_text", in.finder.projectText)
	def("outside_file", in.outsideText)
	def("project_arrays", in.projectArrays)
	def("writes_file", in.writesFile)
	def("file_key", in.fileKey)
	def("make_parameter", in.makeParameter)
	def("make_buffer", in.makeBuffer)
	def("empty_param", func(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return in.emptyTensor(args, kw, "torch.nn.parameter.Parameter")
	})
	def("empty_buffer", func(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return in.emptyTensor(args, kw, "")
	})
	def("compiled", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		in.compiled = true
		for _, v := range args {
			if fn, ok := v.(*value.Func); ok && in.cfg.Retraces {
				in.retraces.script(fn)
			}
		}
		return value.None, nil
	})
	def("global_hooks", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		for i, a := range args {
			if d, ok := a.(*value.Dict); ok && i < len(in.globalHooks) {
				in.globalHooks[i] = d
			}
		}
		return value.None, nil
	})
	def("modes", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 1 {
			in.modes, _ = args[0].(*value.Dict)
		}
		return value.None, nil
	})
	def("init", in.initNative)
	def("before_call", in.beforeCall)
	def("unknown", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		s := "not known"
		if len(args) > 0 {
			if t, ok := value.AsStr(args[0]); ok {
				s = t
			}
		}
		return in.Unknown(s), nil
	})
	def("is_unknown", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		return value.Bool(len(args) > 0 && value.IsUnknown(args[0])), nil
	})
	def("is_one_of_many", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		_, ok := args[0].(*value.Choice)
		return value.Bool(ok), nil
	})
	def("certainly_without_grad", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		t, ok := args[0].(*value.Tensor)
		return value.Bool(ok && in.grads.gradOf(t) == gradNo), nil
	})
	def("is_gradient", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		in.grads.noteGradients(args[0], args[1], args[2])
		return value.None, nil
	})
	def("new_size", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		lo := int64(0)
		if len(args) > 0 {
			if n, ok := value.AsInt(args[0]); ok {
				lo = max(lo, n)
			}
		}
		return in.DataInt("u", lo, nil), nil
	})
	def("runs_in_mode", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 2 {
			in.rec.grads.decorate(args[0], args[1])
		}
		return value.None, nil
	})
	def("stepped", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		for _, a := range args {
			if l, ok := a.(*value.List); ok {
				in.grads.stepped(l.Elems)
			}
		}
		return value.None, nil
	})
	def("updated", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		for _, a := range args {
			if l, ok := a.(*value.List); ok {
				in.grads.updated(l.Elems)
			}
		}
		return value.None, nil
	})
	def("boundary", in.boundary)
	def("shares_storage", in.sharesStorage)
	def("is_symbolic", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 0 {
			return value.Bool(false), nil
		}
		switch args[0].(type) {
		case *value.SymInt, *value.SymFloat, *value.SymBool:
			return value.Bool(true), nil
		}
		return value.Bool(false), nil
	})
	def("set_option", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 2 {
			k, _ := value.AsStr(args[0])
			v, _ := value.AsStr(args[1])
			if d, ok := args[1].(value.DType); ok {
				v = d.D.String()
			}
			in.SetOption(k, v)
		}
		return value.None, nil
	})
	def("get_option", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 1 {
			k, _ := value.AsStr(args[0])
			return value.Str(in.Option(k)), nil
		}
		return value.None, nil
	})
	def("report", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 2 {
			code, _ := value.AsStr(args[0])
			msg, _ := value.AsStr(args[1])
			in.Report(diag.New(diag.Code(code), in.Here(), msg))
		}
		return value.None, nil
	})
	return a
}

// moduleState are the attributes that Module.__init__ makes, in its order: each is an empty dict but the three that
// moduleInit names.
var moduleState = [...]string{
	"training", "_parameters", "_buffers", "_non_persistent_buffers_set", "_backward_pre_hooks", "_backward_hooks", "_is_full_backward_hook",
	"_forward_hooks", "_forward_pre_hooks", "_state_dict_hooks", "_state_dict_pre_hooks", "_load_state_dict_pre_hooks",
	"_load_state_dict_post_hooks", "_modules",
}

var moduleLayout = value.NewNameLayout(moduleState[:]...)

// moduleInit makes the state of a module. Like PyTorch, it writes past a __setattr__ of the class.
func (in *Interp) moduleInit(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	self := args[0]
	c := in.TypeOf(self)
	if err := moduleTakesNothing(in, c, args[1:]); err != nil {
		return nil, err
	}
	inst, isNew := self.(*value.Instance)
	isNew = isNew && inst.Attrs.Len() == 0
	dicts := in.heap.NewDicts(len(moduleState) - 3)
	var vals [len(moduleState)]value.Value
	for i, name := range moduleState {
		switch name {
		case "training":
			vals[i] = value.Bool(true)
		case "_non_persistent_buffers_set":
			vals[i] = in.heap.NewSet()
		case "_is_full_backward_hook":
			vals[i] = value.None
		default:
			vals[i], dicts = &dicts[0], dicts[1:]
		}
		for _, t := range in.tracers.all {
			t.WriteAttr(self, name, vals[i])
		}
		if isNew { // a property of the class takes what is written
			_, declared := c.Lookup(name)
			isNew = !declared
		}
	}
	if isNew {
		inst.Attrs.Begin(&in.heap, moduleLayout, vals[:])
		return value.None, nil
	}
	for i, name := range moduleState {
		if err := in.plainSetAttr(self, c, name, vals[i]); err != nil {
			return nil, err
		}
	}
	return value.None, nil
}

// moduleTakesNothing refuses arguments of Module.__init__, unless a class whose base is not
// known may have taken them, or the class passes them on.
func moduleTakesNothing(th value.Thread, c *value.Class, given []value.Value) error {
	if passes, ok := c.Lookup("call_super_init"); c.UnknownBase != nil || len(given) != 2 || ok && passes != value.Bool(false) {
		return nil
	}
	if kw, ok := given[1].(*value.Dict); ok && kw.Len() > 0 {
		name, _ := value.AsStr(kw.Keys()[0])
		return th.Raise("TypeError", "%s.__init__() got an unexpected keyword argument '%s'", c.Name, name)
	}
	if t, ok := given[0].(*value.Tuple); ok && len(t.Elems) > 0 {
		return th.Raise("TypeError", "%s.__init__() takes 1 positional argument but %d were given", c.Name, len(t.Elems)+1)
	}
	return nil
}

// moduleSetattr is torch.nn.Module.__setattr__: parameters, buffers and modules go into tables of their own and out of
// the others, and another value for a registered name is a TypeError, as in PyTorch.
func (in *Interp) moduleSetattr(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 3 {
		return nil, in.Raise("TypeError", "__setattr__ takes 2 arguments")
	}
	self, v := args[0], args[2]
	name, _ := value.AsStr(args[1])
	inst, ok := self.(*value.Instance)
	if !ok {
		return value.None, in.plainSetAttr(self, in.TypeOf(self), name, v)
	}
	h := &in.heap
	table := func(name string) *value.Dict {
		t, _ := inst.Attrs.Get(name)
		d, _ := t.(*value.Dict)
		return d
	}
	into := ""
	switch x := v.(type) {
	case *value.Tensor:
		if c := x.Class; c != nil && c.IsSubclass(in.Class("torch.nn.parameter.Parameter")) {
			into = "_parameters"
		} else if c != nil && c.Name == "Buffer" {
			into = "_buffers"
		}
	case *value.Instance:
		if x.Class.IsSubclass(in.Class("torch.nn.Module")) {
			into = "_modules"
		}
	case *value.Choice:
		if t, ok := x.Then.(*value.Instance); ok && t.Class.IsSubclass(in.Class("torch.nn.Module")) {
			into = "_modules"
		}
	}
	if into == "" {
		for _, name2 := range moduleTables {
			d := table(name2)
			if d == nil {
				continue
			}
			if _, ok := d.GetStr(name); !ok {
				continue
			}
			if name2 == "_buffers" {
				if _, isTensor := v.(*value.Tensor); isTensor || v == value.None || value.IsUnknown(v) {
					d.SetStr(h, name, v)
					return value.None, nil
				}
			}
			_, several := v.(*value.Choice) // one of which may be of the kind
			if v == value.None || value.IsUnknown(v) || several {
				d.SetStr(h, name, v)
				return value.None, nil
			}
			what := map[string]string{"_parameters": "parameter", "_buffers": "buffer", "_modules": "child module"}[name2]
			want := map[string]string{"_parameters": "torch.nn.Parameter", "_buffers": "torch.Tensor", "_modules": "torch.nn.Module"}[name2]
			return nil, in.Raise("TypeError", "cannot assign '%s' object to %s '%s' (%s or None expected)", in.TypeOf(v).Name, what, name, want)
		}
		return value.None, in.plainSetAttr(self, inst.Class, name, v)
	}
	d := table(into)
	if d == nil {
		what := map[string]string{"_parameters": "parameters", "_buffers": "buffers", "_modules": "module"}[into]
		return nil, in.Raise("AttributeError", "cannot assign %s before Module.__init__() call", what)
	}
	for _, other := range moduleTables {
		if other != into {
			if t := table(other); t != nil {
				t.Delete(h, name)
			}
		}
	}
	inst.Attrs.Delete(h, name)
	if into == "_parameters" {
		if err := in.freeName(inst, d, name); err != nil {
			return nil, err
		}
	}
	if t, ok := v.(*value.Tensor); ok && t.V.Name == "" {
		t.V.Name = name
	}
	d.SetStr(h, name, v)
	if into == "_buffers" {
		return value.None, keepsBuffer(in, inst, v, args[1])
	}
	return value.None, nil
}

// keepsBuffer notes whether a Buffer that is assigned is in the state_dict.
func keepsBuffer(th value.Thread, inst *value.Instance, v, name value.Value) error {
	persistent, err := th.GetAttr(v, "persistent")
	if err != nil {
		return err
	}
	without, ok := inst.Attrs.Get("_non_persistent_buffers_set")
	if !ok || value.IsUnknown(persistent) {
		return nil
	}
	method := "add"
	if yes, err := th.Truth(persistent); err != nil {
		return err
	} else if holds, known := th.Holds(yes); !known || holds {
		method = "discard"
	}
	_, err = th.CallMethod(without, method, name)
	return err
}

// freeName refuses the name of a parameter that its class uses otherwise, as PyTorch's
// register_parameter does, which Module.__setattr__ calls.
func (in *Interp) freeName(inst *value.Instance, params *value.Dict, name string) error {
	if _, ok := params.GetStr(name); ok {
		return nil
	}
	x, ok := inst.Class.Lookup(name)
	if !ok {
		return nil
	}
	if _, computed := x.(*value.Property); computed {
		v, found, err := in.LookupAttr(inst, name)
		if err != nil && !value.IsException(err, in.world.Class("AttributeError")) {
			return err
		}
		if err != nil || !found || value.IsUnknown(v) {
			return nil
		}
	}
	return in.Raise("KeyError", "attribute '%s' already exists", name)
}

// moduleGetattr is nn.Module.__getattr__, which Python calls for what the attributes do not have: parameters,
// buffers and submodules. A table with names that are not known may have any name.
func (in *Interp) moduleGetattr(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 2 {
		return nil, in.Raise("TypeError", "__getattr__ takes 1 argument")
	}
	name, _ := value.AsStr(args[1])
	if a := attrsOf(args[0]); a != nil {
		for _, t := range moduleTables {
			v, _ := a.Get(t)
			if d, ok := v.(*value.Dict); ok {
				if x, ok := d.GetStr(name); ok {
					return x, nil
				}
				if d.Open != nil && d.Open.Elem != nil && !(numbersParts(in, args[0]) && strings.Trim(name, "0123456789") != "") {
					return d.Open.Elem, nil
				}
			} else if value.IsUnknown(v) {
				return v, nil
			}
		}
	}
	if u := in.compiledAttr(args[0], name); u != nil {
		return u, nil
	}
	return nil, in.noAttr(args[0], name)
}

// isModuleGetattr reports whether a __getattr__ is Module's, which looks where the object itself put its parts.
func isModuleGetattr(m value.Value) bool {
	b, ok := m.(*value.Builtin)
	return ok && strings.HasSuffix(b.Name, "module_getattr")
}

// numbersParts reports whether the parts of a module are named by their numbers, and by nothing else.
func numbersParts(th value.Thread, v value.Value) bool {
	i, ok := v.(*value.Instance)
	return ok && (i.Class == th.Class("torch.nn.Sequential") || i.Class == th.Class("torch.nn.ModuleList"))
}

// moduleDelattr is nn.Module.__delattr__: the tables first, then properties and attributes.
func (in *Interp) moduleDelattr(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 2 {
		return nil, in.Raise("TypeError", "__delattr__ takes 1 argument")
	}
	name, _ := value.AsStr(args[1])
	if a := attrsOf(args[0]); a != nil {
		for _, t := range moduleTables {
			v, _ := a.Get(t)
			if d, ok := v.(*value.Dict); ok && d.Delete(&in.heap, name) {
				return value.None, nil
			}
		}
		if attr, ok := in.TypeOf(args[0]).Lookup(name); ok {
			if _, ok := attr.(*value.Property); ok {
				del, _ := in.world.Object().Attrs.Get("__delattr__")
				return in.Call(del, args, nil)
			}
		}
		if a.Delete(&in.heap, name) {
			return value.None, nil
		}
	}
	return nil, in.noAttr(args[0], name)
}

// moduleCall runs a module: forward pre-hooks, forward, forward hooks. The call
// is recorded.
func (in *Interp) moduleCall(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	self := args[0]
	rest := args[1:]
	inst, ok := self.(*value.Instance)
	if !ok {
		return nil, in.Raise("TypeError", "not a module")
	}
	if compiled := in.compiledForward(inst); compiled != nil {
		return in.Call(compiled, rest, kw)
	}
	rest, kw, err := in.preHooks(inst, rest, kw)
	if err != nil {
		return nil, err
	}
	fn, err := in.GetAttr(self, "forward")
	if err != nil {
		return nil, err
	}
	call := in.rec.enter(in.Here(), inst, rest, kw)
	out, err := in.Call(fn, rest, kw)
	in.rec.leave(call, out, err)
	if err != nil {
		in.layerFailed(inst, rest, kw, err)
		return nil, err
	}
	out, ran, err := in.postHooks(inst, rest, kw, out)
	if err != nil {
		return nil, err
	}
	if ran {
		in.rec.leave(call, out, nil)
	}
	return out, nil
}

// makeParameter implements Parameter(data, requires_grad): a new leaf with data's type.
func (in *Interp) makeParameter(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) < 2 {
		return nil, in.Raise("TypeError", "Parameter takes a tensor")
	}
	cls, _ := args[0].(*value.Class)
	if ops.IsArray(args[1]) {
		return nil, in.Raise("AttributeError", "'numpy.ndarray' object has no attribute 'detach': Parameter takes a tensor, use torch.from_numpy")
	}
	data, ok := args[1].(*value.Tensor)
	if !ok {
		if value.IsUnknown(args[1]) {
			return args[1], nil
		}
		if c, ok := args[1].(*value.Choice); ok {
			return in.distribute(c, func(v value.Value) (value.Value, error) {
				return in.makeParameter(in, append([]value.Value{cls, v}, args[2:]...), nil)
			})
		}
		return nil, in.Raise("TypeError", "Parameter data must be a tensor, not '%s'", in.TypeOf(args[1]).Name)
	}
	if ops.Sparse(data) != "" { // the class, which tells the layout, would be another
		return in.Unknown("sparse parameters are not modelled"), nil
	}
	grad := true
	if len(args) > 2 {
		if b, ok := args[2].(value.Bool); ok {
			grad = bool(b)
		}
	}
	if grad && data.Type().DType != dtype.Unknown && !data.Type().DType.IsFloat() && !data.Type().DType.IsComplex() {
		return nil, in.Raise("RuntimeError", "only tensors of floating point and complex dtype can require gradients")
	}
	ty := *data.Type()
	ty.Device = in.stateDevice(ty.Device)
	t := in.newParameter(ty, cls)
	t.RequiresGrad = grad
	t.SetContents(data.Contents())
	in.takesOver(t.V, data.V)
	return t, nil
}

// makeBuffer implements make_buffer(class, data): unlike a parameter, a buffer that is not in the state_dict is what
// its data is computed as.
func (in *Interp) makeBuffer(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	data, ok := args[1].(*value.Tensor)
	if !ok || ops.IsArray(data) || ops.Sparse(data) != "" {
		return in.makeParameter(in, args, nil)
	}
	v, err := in.CallMethod(data, "detach")
	if err != nil {
		return nil, err
	}
	d, ok := v.(*value.Tensor)
	if !ok {
		return v, nil
	}
	cls, _ := args[0].(*value.Class)
	t := &value.Tensor{Header: in.heap.Header(), Class: cls, V: d.V}
	t.SetContents(d.Contents())
	return t, nil
}

// stateDevice is the device of a model's state that is made on d. A script moves its
// models before it calls them; an entry is moved by those who use it, so that where it
// was made says nothing.
func (in *Interp) stateDevice(d string) string {
	if m := in.deviceMode(); d == "cpu" && m != "" && m != "cpu" {
		return m
	}
	if d == "cpu" && (in.cfg.Script == nil || in.options[ops.OptionDevices] != "") {
		return ""
	}
	return d
}

// newParameter makes a parameter of the graph.
func (in *Interp) newParameter(ty graph.TensorType, cls *value.Class) *value.Tensor {
	v := in.build.NewValue(graph.TensorKind, ty, in.Here())
	v.Param = true
	v.Calls = in.callsOfSizes()
	return &value.Tensor{Header: in.heap.Header(), Class: cls, V: v}
}

// emptyTensor implements empty_param(shape, dtype, device) and empty_buffer.
func (in *Interp) emptyTensor(args []value.Value, kw []value.Kw, class string) (value.Value, error) {
	arg := func(i int, name string) value.Value {
		if i < len(args) {
			return args[i]
		}
		for _, k := range kw {
			if k.Name == name {
				return k.Value
			}
		}
		return value.None
	}
	var shape symshape.Shape
	var elems []value.Value
	several := true
	switch s := arg(0, "shape").(type) {
	case *value.Tuple:
		elems = s.Elems
	case *value.List:
		if s.Open != nil {
			return in.Unknown("the shape of a parameter"), nil
		}
		elems = s.Elems
	default:
		elems, several = []value.Value{s}, false
	}
	if len(elems) == 1 { // torch.empty(n) takes a tuple or list for n, and so do the constructors
		switch e := elems[0].(type) {
		case *value.Tuple:
			elems = e.Elems
		case *value.List:
			if e.Open != nil {
				return in.Unknown("the shape of a parameter"), nil
			}
			elems = e.Elems
		}
	}
	for _, e := range elems {
		switch e := e.(type) {
		case *value.Unknown:
			if !several { // it may be a tuple
				return e, nil
			}
			in.rec.surface(e.Cause)
			shape = append(shape, symshape.Dim{})
			continue
		case *value.Choice:
			return in.Unknown("the shape of a parameter"), nil
		case *value.Tensor:
			if ty := e.Type(); ty.Ranked && len(ty.Shape) == 0 && ty.DType.IsIntegral() {
				d := symshape.Dim{}
				if elems := e.Contents(); len(elems) == 1 {
					d, _ = value.AsDim(in.pool, elems[0])
				}
				shape = append(shape, d)
				continue
			}
		}
		d, ok := value.AsDim(in.pool, e)
		if t, isTensor := e.(*value.Tensor); isTensor && ops.IsIndex(t) { // __index__ of one whole number
			ok = true
			if c := t.Contents(); len(c) == 1 {
				d, _ = value.AsDim(in.pool, c[0])
			}
		}
		if !ok {
			if u := in.unknownBase(in.TypeOf(e)); u != nil {
				return u, nil
			}
			return nil, in.Raise("TypeError", "a size must be int, not '%s'", in.TypeOf(e).Name)
		}
		if n, known := ops.DimVal(d); known && n < 0 {
			return nil, in.Fail("RuntimeError", diag.New(diag.InvalidSize, in.Here(), "a tensor cannot have the negative size "+d.String()))
		}
		shape = append(shape, d)
	}
	ty := graph.TensorType{DType: defaultDType(in), Ranked: true, Shape: shape}
	switch d := arg(1, "dtype").(type) {
	case value.DType:
		ty.DType = d.D
	case *value.Unknown:
		ty.DType = dtype.Unknown
	}
	switch d := arg(2, "device").(type) {
	case value.Device:
		ty.Device = d.Name
	case value.Str:
		ty.Device = string(d)
	case value.NoneType:
		ty.Device = in.stateDevice("cpu")
	}
	var cls *value.Class
	if class != "" {
		cls = in.Class(class)
	}
	t := in.newParameter(ty, cls)
	t.RequiresGrad = class != ""
	if t.RequiresGrad && in.ModulePath() != "" { // a module that takes another parameter in its forward
		in.rec.grads.train.blind = true
	}
	return t, nil
}

func defaultDType(th value.Thread) dtype.DType {
	if d, ok := dtype.Parse(th.Option("default-dtype")); ok {
		return d
	}
	return dtype.F32
}

// setTensorAttr handles the attributes of tensors that are more than storage.
func (in *Interp) setTensorAttr(t *value.Tensor, name string, x value.Value) (done bool, err error) {
	if chainer.IsVariable(t) {
		if done, err := in.variables.setVariableAttr(t, name, x); done || err != nil {
			return done, err
		}
	}
	switch name {
	case "data":
		d, ok := x.(*value.Tensor)
		if !ok {
			if value.IsUnknown(x) {
				in.heap.Touch(t)
				t.V = in.build.NewValue(graph.TensorKind, graph.TensorType{}, in.Here())
				return true, nil
			}
			return true, in.Raise("TypeError", "data must be a tensor, not '%s'", in.TypeOf(x).Name)
		}
		in.heap.Touch(t)
		v := *t.V
		nv := in.build.NewValue(graph.TensorKind, *d.Type(), in.Here())
		nv.Name, nv.Param = v.Name, v.Param
		t.V = nv
		t.SetContents(d.Contents())
		if in.inSetup() {
			in.takesOver(nv, d.V)
			return true, nil
		}
		nv.Base = d.V
		n := catalog.NewNode("torch.detach")
		n.Called = "torch.Tensor" + dataAttribute
		n.Args, n.Outputs, n.At, n.Module = []graph.Arg{{Name: "input", Value: d.V}}, []*graph.Value{nv}, in.Here(), in.ModulePath()
		in.build.Emit(n)
		return true, nil
	case "grad":
		if x != value.None || ops.IsArray(t) {
			in.rec.grads.train.blind = true
			return false, nil
		}
		// What it is after the next backward() is not known, as for one that was never set.
		if a := ensureAttrs(in, t); a != nil {
			a.Delete(&in.heap, "grad")
		}
		return true, nil
	case "real", "imag":
		part, err := in.GetAttr(t, name)
		if err == nil && !ops.IsArray(t) {
			_, err = in.CallMethod(part, "copy_", x)
		}
		in.heap.Touch(t)
		t.SetContents(nil)
		return true, err
	case "requires_grad":
		if b, ok := x.(value.Bool); ok {
			in.heap.Touch(t)
			t.RequiresGrad = bool(b)
		}
		return true, nil
	case "__class__":
		if c, ok := x.(*value.Class); ok {
			in.heap.Touch(t)
			t.Class = c
		}
		return true, nil
	}
	return false, nil
}
