package infer

// This file implements the hot parts of torch.nn.Module, which the prelude
// imports from the module _shapecheck: attribute access, calls, parameters.
//
// It also records how constructors initialise parameters: the calls of
// torch.nn.init, the elements that a parameter takes over from another tensor, and
// what comes from a checkpoint. See "Initialisation" in package graph.
//
// It also runs the forward hooks of modules. The tables are copied first: a
// hook may remove itself, as those of lazy modules do. They are Go because each attribute access
// and call of a model passes here; all else of torch.nn is Python in the prelude. A function of
// _shapecheck takes its arguments by position, as the prelude calls it; missing ones are passed
// over, since only the prelude can call it.

import (
	"maps"
	"slices"
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

// natives are the functions that the Python of the prelude has from here: the heart of torch.nn, and what makes arrays,
// devices and loaders of data. They call the program's hooks and methods, so that they have the interpreter.
type natives struct {
	*base
	*settings
	in *Interp
}

// moduleTables are the dicts in which a module keeps its parts, in the order in
// which attribute access searches them. A name is in at most one of them.
var moduleTables = [...]string{"_parameters", "_buffers", "_modules"}

// nativeShapecheck makes the module _shapecheck: the functions by which the library's Python code asks the interpreter
// for what it cannot do itself, such as to make an unknown value or a parameter.
func (na *natives) nativeShapecheck() *value.Attrs {
	a := na.heap.NewAttrs()
	def := func(name string, fn value.NativeFunc) {
		a.Set(&na.heap, name, &value.Builtin{Name: "_shapecheck." + name, Fn: fn})
	}
	def("module_init", na.moduleInit)
	def("module_setattr", na.moduleSetattr)
	def("module_getattr", na.moduleGetattr)
	def("module_delattr", na.moduleDelattr)
	def("module_call", na.moduleCall)
	na.walkNatives(def)
	na.in.imports.loaderNatives(def)
	na.annotationNatives(def)
	na.dataNatives(def)
	na.backwardNatives(def)
	na.suiteNatives(def)
	def("init_arguments", na.initArguments)
	na.in.tracing.retraceNatives(def)
	na.in.tracing.jitNatives(def)
	na.in.tracing.exportNatives(def)
	na.in.tracing.dynamoNatives(def)
	def("project_text", na.in.finder.projectText)
	def("outside_file", na.outsideText)
	def("project_arrays", na.projectArrays)
	def("writes_file", na.writesFile)
	def("file_key", na.fileKey)
	def("make_parameter", na.makeParameter)
	def("make_buffer", na.makeBuffer)
	def("empty_param", func(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return na.emptyTensor(args, kw, "torch.nn.parameter.Parameter")
	})
	def("empty_buffer", func(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return na.emptyTensor(args, kw, "")
	})
	// compiled remembers functions that a compiler replaced: their attributes are not known.
	def("compiled", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		compiled := map[value.Value]bool{}
		// A copy, so that a branch that is undone leaves the other's table alone.
		maps.Copy(compiled, na.compiled) // that before belongs to the state before
		na.compiled = compiled
		for _, v := range args {
			switch v.(type) {
			case *value.Func, *value.BoundMethod, *value.Builtin, *value.Instance:
				na.compiled[v] = true
			}
			if fn, ok := v.(*value.Func); ok && na.cfg.Retraces {
				na.in.retraces.script(fn)
			}
		}
		return value.None, nil
	})
	// The tables of hooks for all modules: those before and after forward, and before and after backward.
	def("global_hooks", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		for i, a := range args {
			if d, ok := a.(*value.Dict); ok && i < len(na.globalHooks) {
				na.globalHooks[i] = d
			}
		}
		return value.None, nil
	})
	def("modes", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 1 {
			d, _ := args[0].(*value.Dict)
			na.in.imports.library.noteEffect(func() { na.modes = d })
		}
		return value.None, nil
	})
	def("init", na.initNative)
	def("before_call", na.beforeCall)
	// unknown(reason) is how the prelude gives up a value.
	def("unknown", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		s := "not known"
		if len(args) > 0 {
			if t, ok := value.AsStr(args[0]); ok {
				s = t
			}
		}
		return na.in.Unknown(s), nil
	})
	def("is_unknown", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		return value.Bool(len(args) > 0 && value.IsUnknown(args[0])), nil
	})
	// calling_module() is the name of the module of the program or of a package that called the library.
	def("calling_module", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		for f := na.in.stack.frame; f != nil; f = f.caller {
			if !f.prelude && f.globals != nil {
				return value.Str(f.globals.Name), nil
			}
		}
		return value.Str("__main__"), nil
	})
	// It tells a choice between values.
	def("is_one_of_many", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		_, ok := args[0].(*value.Choice)
		return value.Bool(ok), nil
	})
	def("certainly_without_grad", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		t, ok := args[0].(*value.Tensor)
		return value.Bool(ok && na.in.grads.gradOf(t) == gradNo), nil
	})
	def("is_gradient", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		na.in.grads.noteGradients(args[0], args[1], args[2])
		return value.None, nil
	})
	// new_size(least) is a size that data decide.
	def("new_size", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		lo := int64(0)
		if len(args) > 0 {
			if n, ok := value.AsInt(args[0]); ok {
				lo = max(lo, n)
			}
		}
		return na.in.DataInt("u", lo, nil), nil
	})
	def("runs_in_mode", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 2 {
			na.in.rec.grads.decorate(args[0], args[1])
		}
		return value.None, nil
	})
	// stepped and updated are called by optimizers with the parameters that they changed.
	def("stepped", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		for _, a := range args {
			if l, ok := a.(*value.List); ok {
				na.in.grads.stepped(l.Elems)
			}
		}
		return value.None, nil
	})
	def("updated", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		for _, a := range args {
			if l, ok := a.(*value.List); ok {
				na.in.grads.updated(l.Elems)
			}
		}
		return value.None, nil
	})
	def("boundary", na.boundary)
	def("shares_storage", na.sharesStorage)
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
	// Options are texts; a dtype is kept by its name.
	def("set_option", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 2 {
			k, _ := value.AsStr(args[0])
			v, _ := value.AsStr(args[1])
			if d, ok := args[1].(value.DType); ok {
				v = d.D.String()
			}
			na.in.SetOption(k, v)
		}
		return value.None, nil
	})
	def("get_option", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 1 {
			k, _ := value.AsStr(args[0])
			return value.Str(na.in.Option(k)), nil
		}
		return value.None, nil
	})
	// report(code, message) is a diagnostic at the user's call.
	def("report", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 2 {
			code, _ := value.AsStr(args[0])
			msg, _ := value.AsStr(args[1])
			na.in.Report(diag.New(diag.Code(code), na.in.Here(), msg))
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

// All modules begin with the same names, so that they share a layout until one is added.
var moduleLayout = value.NewNameLayout(moduleState[:]...)

// failedBefore reports whether the function that runs has an error already: the run goes on after it, and what Python would not come to is
// no second one.
func (na *natives) failedBefore() bool {
	f := na.in.stack.frame
	if f.fn == nil || f.fn.Node == nil {
		return false
	}
	span := f.fn.Node.Span()
	return slices.ContainsFunc(na.in.sink.All(), func(d *diag.Diagnostic) bool { return d.Severity == diag.Error && span.Contains(d.At) })
}

// moduleInit makes the state of a module. Like PyTorch, it writes past a __setattr__ of the class.
// args are the module and what was passed to __init__. It is a TypeError of a class that passes on
// arguments.
func (na *natives) moduleInit(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	self := args[0]
	c := na.in.TypeOf(self)
	fault := moduleTakesNothing(na.in, c, args[1:]) // the run goes on after it, with a module that may be written to
	inst, isNew := self.(*value.Instance)
	isNew = isNew && inst.Attrs.Len() == 0
	dicts := na.heap.NewDicts(len(moduleState) - 3)
	var vals [len(moduleState)]value.Value
	for i, name := range moduleState {
		switch name {
		case "training":
			vals[i] = value.Bool(true)
		case "_non_persistent_buffers_set":
			vals[i] = na.heap.NewSet()
		case "_is_full_backward_hook":
			vals[i] = value.None
		default:
			vals[i], dicts = &dicts[0], dicts[1:]
		}
		// Tracers see the writes as if Python made them.
		for _, t := range na.in.tracers.all {
			t.WriteAttr(self, name, vals[i])
		}
		// Then they are written one by one, by what the class has.
		if isNew { // a property of the class takes what is written
			_, declared := c.Lookup(name)
			isNew = !declared
		}
	}
	if isNew {
		inst.Attrs.Begin(&na.heap, moduleLayout, vals[:])
		return value.None, fault
	}
	for i, name := range moduleState {
		if err := na.in.plainSetAttr(self, c, name, vals[i]); err != nil {
			return nil, err
		}
	}
	return value.None, fault
}

// moduleTakesNothing refuses arguments of Module.__init__, unless a class whose base is not
// known may have taken them, or the class passes them on. given are *args and **kwargs of the call.
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
func (na *natives) moduleSetattr(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 3 {
		return nil, na.in.Raise("TypeError", "__setattr__ takes 2 arguments")
	}
	self, v := args[0], args[2]
	name, _ := value.AsStr(args[1])
	inst, ok := self.(*value.Instance)
	if !ok {
		return value.None, na.in.plainSetAttr(self, na.in.TypeOf(self), name, v)
	}
	h := &na.heap
	// table is one of the three dicts; nil before __init__ was called.
	table := func(name string) *value.Dict {
		t, _ := inst.Attrs.Get(name)
		d, _ := t.(*value.Dict)
		return d
	}
	into := ""
	// What is assigned decides the table. Of a choice the first alternative does, as both are
	// likely of a kind.
	switch x := v.(type) {
	case *value.Tensor:
		if c := x.Class; c != nil && c.IsSubclass(na.in.Class("torch.nn.parameter.Parameter")) {
			into = "_parameters"
		} else if c != nil && c.Name == "Buffer" {
			into = "_buffers"
		}
	case *value.Instance:
		if x.Class.IsSubclass(na.in.Class("torch.nn.Module")) {
			into = "_modules"
		}
	case *value.Choice:
		if t, ok := x.Then.(*value.Instance); ok && t.Class.IsSubclass(na.in.Class("torch.nn.Module")) {
			into = "_modules"
		}
	}
	// A value of another kind under a registered name: None and tensors may replace, others are
	// refused.
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
			return nil, na.in.Raise("TypeError", "cannot assign '%s' object to %s '%s' (%s or None expected)", na.in.TypeOf(v).Name, what, name, want)
		}
		return value.None, na.in.plainSetAttr(self, inst.Class, name, v)
	}
	d := table(into)
	if d == nil && na.failedBefore() { // so it may be the call that makes the tables that failed
		if _, err := na.moduleInit(nil, []value.Value{self}, nil); err != nil {
			return nil, err
		}
		d = table(into)
	}
	if d == nil {
		what := map[string]string{"_parameters": "parameters", "_buffers": "buffers", "_modules": "module"}[into]
		return nil, na.in.Raise("AttributeError", "cannot assign %s before Module.__init__() call", what)
	}
	for _, other := range moduleTables {
		// Before Module.__init__ there are no tables.
		if other != into {
			if t := table(other); t != nil {
				t.Delete(h, name)
			}
		}
	}
	// An attribute of the name would be found before the table.
	inst.Attrs.Delete(h, name)
	if into == "_parameters" {
		if err := na.freeName(inst, d, name); err != nil {
			return nil, err
		}
	}
	// The name that a tensor has in the graph is the first that it was given.
	if t, ok := v.(*value.Tensor); ok && t.V.Name == "" {
		t.V.Name = name
	}
	d.SetStr(h, name, v)
	if into == "_buffers" {
		return value.None, keepsBuffer(na.in, inst, v, args[1])
	}
	return value.None, nil
}

// keepsBuffer notes whether a Buffer that is assigned is in the state_dict. A Buffer that is not
// persistent is in the set. What is not known counts as persistent.
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
// register_parameter does, which Module.__setattr__ calls. It returns a KeyError where the class
// has an attribute of the name, or a property that gives something.
func (na *natives) freeName(inst *value.Instance, params *value.Dict, name string) error {
	if _, ok := params.GetStr(name); ok {
		return nil
	}
	x, ok := inst.Class.Lookup(name)
	if !ok {
		return nil
	}
	if _, computed := x.(*value.Property); computed {
		v, found, err := na.in.LookupAttr(inst, name)
		if err != nil && !value.IsException(err, na.world.Class("AttributeError")) {
			return err
		}
		if err != nil || !found || value.IsUnknown(v) {
			return nil
		}
	}
	return na.in.Raise("KeyError", "attribute '%s' already exists", name)
}

// moduleGetattr is nn.Module.__getattr__, which Python calls for what the attributes do not have: parameters,
// buffers and submodules. A table with names that are not known may have any name. An
// AttributeError says that no table has the name.
func (na *natives) moduleGetattr(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 2 {
		return nil, na.in.Raise("TypeError", "__getattr__ takes 1 argument")
	}
	name, _ := value.AsStr(args[1])
	if a := attrsOf(args[0]); a != nil {
		for _, t := range moduleTables {
			v, _ := a.Get(t)
			if d, ok := v.(*value.Dict); ok {
				if x, ok := d.GetStr(name); ok {
					return x, nil
				}
				// Sequential names its parts by numbers, so that another name is not one of them.
				if d.Open != nil && d.Open.Elem != nil && !(numbersParts(na.in, args[0]) && strings.Trim(name, "0123456789") != "") {
					return d.Open.Elem, nil
				}
			} else if value.IsUnknown(v) {
				return v, nil
			}
		}
	}
	if u := na.compiledAttr(args[0], name); u != nil && na.compiled[args[0]] { // hasattr() asks here, for others too
		return u, nil
	}
	return nil, na.in.noAttr(args[0], name)
}

// isModuleGetattr reports whether a __getattr__ is Module's, which looks where the object itself
// put its parts. It is the builtin that the prelude's Module has.
func isModuleGetattr(m value.Value) bool {
	b, ok := m.(*value.Builtin)
	return ok && strings.HasSuffix(b.Name, "module_getattr")
}

// numbersParts reports whether the parts of a module are named by their numbers, and by nothing else.
func numbersParts(th value.Thread, v value.Value) bool {
	i, ok := v.(*value.Instance)
	return ok && (i.Class == th.Class("torch.nn.Sequential") || i.Class == th.Class("torch.nn.ModuleList"))
}

// moduleDelattr is nn.Module.__delattr__: the tables first, then properties and attributes. An
// AttributeError says that there is nothing to delete.
func (na *natives) moduleDelattr(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 2 {
		return nil, na.in.Raise("TypeError", "__delattr__ takes 1 argument")
	}
	name, _ := value.AsStr(args[1])
	if a := attrsOf(args[0]); a != nil {
		for _, t := range moduleTables {
			v, _ := a.Get(t)
			if d, ok := v.(*value.Dict); ok && d.Delete(&na.heap, name) {
				return value.None, nil
			}
		}
		if attr, ok := na.in.TypeOf(args[0]).Lookup(name); ok {
			if _, ok := attr.(*value.Property); ok {
				del, _ := na.world.Object().Attrs.Get("__delattr__")
				return na.in.Call(del, args, nil)
			}
		}
		if a.Delete(&na.heap, name) {
			return value.None, nil
		}
	}
	return nil, na.in.noAttr(args[0], name)
}

// moduleCall runs a module: forward pre-hooks, forward, forward hooks. The call
// is recorded. It is Module.__call__. The errors are those of hooks and of forward; a failure of a
// layer of the library is described with the layer.
func (na *natives) moduleCall(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	self := args[0]
	rest := args[1:]
	inst, ok := self.(*value.Instance)
	if !ok {
		return nil, na.in.Raise("TypeError", "not a module")
	}
	// A module whose forward was compiled in place.
	if compiled := na.in.tracing.compiledForward(inst); compiled != nil {
		return na.in.Call(compiled, rest, kw)
	}
	rest, kw, err := na.preHooks(inst, rest, kw)
	if err != nil {
		return nil, err
	}
	fn, err := na.in.GetAttr(self, "forward")
	if err != nil {
		return nil, err
	}
	var before *value.Tuple
	if na.hasBackwardHooks(inst) {
		before = na.in.grads.moment()
	}
	// The record has what forward was called with, after pre-hooks changed it.
	call := na.in.rec.enter(na.in.Here(), inst, rest, kw)
	out, err := na.in.Call(fn, rest, kw)
	na.in.rec.leave(call, out, err)
	if err != nil {
		na.in.layerFailed(inst, rest, kw, err)
		return nil, err
	}
	out, ran, err := na.postHooks(inst, rest, kw, out)
	if err != nil {
		return nil, err
	}
	// The result that hooks gave is recorded in its place.
	if ran {
		na.in.rec.leave(call, out, nil)
	}
	return out, na.hookResults(inst, rest, out, before)
}

// makeParameter implements Parameter(data, requires_grad): a new leaf with data's type. data may be
// unknown, or one of two. A number of another dtype that requires gradients is a RuntimeError, an
// array of NumPy an AttributeError.
func (na *natives) makeParameter(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) < 2 {
		return nil, na.in.Raise("TypeError", "Parameter takes a tensor")
	}
	cls, _ := args[0].(*value.Class)
	if ops.IsArray(args[1]) {
		return nil, na.in.Raise("AttributeError", "'numpy.ndarray' object has no attribute 'detach': Parameter takes a tensor, use torch.from_numpy")
	}
	data, ok := args[1].(*value.Tensor)
	if !ok {
		if value.IsUnknown(args[1]) {
			return args[1], nil
		}
		if c, ok := args[1].(*value.Choice); ok {
			return na.in.distribute(c, func(v value.Value) (value.Value, error) {
				return na.makeParameter(na.in, append([]value.Value{cls, v}, args[2:]...), nil)
			})
		}
		return nil, na.in.Raise("TypeError", "Parameter data must be a tensor, not '%s'", na.in.TypeOf(args[1]).Name)
	}
	if ops.Sparse(data) != "" { // the class, which tells the layout, would be another
		return na.in.Unknown("sparse parameters are not modelled"), nil
	}
	grad := true
	if len(args) > 2 {
		if b, ok := args[2].(value.Bool); ok {
			grad = bool(b)
		}
	}
	if grad && data.Type().DType != dtype.Unknown && !data.Type().DType.IsFloat() && !data.Type().DType.IsComplex() {
		return nil, na.in.Raise("RuntimeError", "only tensors of floating point and complex dtype can require gradients")
	}
	// The type is copied: the parameter has it apart from data.
	ty := *data.Type()
	ty.Device = na.stateDevice(ty.Device)
	t := na.in.newParameter(ty, cls)
	t.RequiresGrad = grad
	t.SetContents(data.Contents())
	// Elements and initialisation are those of data.
	na.in.takesOver(t.V, data.V)
	return t, nil
}

// makeBuffer implements make_buffer(class, data): unlike a parameter, a buffer that is not in the state_dict is what
// its data is computed as. Arrays and sparse tensors are treated as for a parameter.
func (na *natives) makeBuffer(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	data, ok := args[1].(*value.Tensor)
	if !ok || ops.IsArray(data) || ops.Sparse(data) != "" {
		return na.makeParameter(na.in, args, nil)
	}
	v, err := na.in.CallMethod(data, "detach")
	if err != nil {
		return nil, err
	}
	d, ok := v.(*value.Tensor)
	if !ok {
		return v, nil
	}
	cls, _ := args[0].(*value.Class)
	t := &value.Tensor{Header: na.heap.Header(), Class: cls, V: d.V}
	t.SetContents(d.Contents())
	return t, nil
}

// stateDevice is the device of a model's state that is made on d. A script moves its
// models before it calls them; an entry is moved by those who use it, so that where it
// was made says nothing. The empty text stands for a device that the user of the model chooses.
func (na *natives) stateDevice(d string) string {
	if m := na.deviceMode(); d == "cpu" && m != "" && m != "cpu" {
		return m
	}
	if d == "cpu" && (na.cfg.Script == nil || na.options[ops.OptionDevices] != "") {
		return ""
	}
	return d
}

// newParameter makes a parameter of the graph. Where it was made is the place of the call.
func (in *Interp) newParameter(ty graph.TensorType, cls *value.Class) *value.Tensor {
	v := in.build.NewValue(graph.TensorKind, ty, in.Here())
	v.Param = true
	v.Calls = in.native.callsOfSizes()
	return &value.Tensor{Header: in.heap.Header(), Class: cls, V: v}
}

// emptyTensor implements empty_param(shape, dtype, device) and empty_buffer. shape is a size, or a
// tuple or list of sizes. With class it is a parameter, else a buffer. A negative size is a
// RuntimeError, what is no size a TypeError.
func (na *natives) emptyTensor(args []value.Value, kw []value.Kw, class string) (value.Value, error) {
	// arg is an argument by position or name.
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
			return na.in.Unknown("the shape of a parameter"), nil
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
				return na.in.Unknown("the shape of a parameter"), nil
			}
			elems = e.Elems
		}
	}
	// A size that is not known leaves the rank known.
	for _, e := range elems {
		switch e := e.(type) {
		case *value.Unknown:
			if !several { // it may be a tuple
				return e, nil
			}
			na.in.rec.surface(e.Cause)
			shape = append(shape, symshape.Dim{})
			continue
		case *value.Choice:
			return na.in.Unknown("the shape of a parameter"), nil
		// A number of a tensor counts as a size.
		case *value.Tensor:
			if ty := e.Type(); ty.Ranked && len(ty.Shape) == 0 && ty.DType.IsIntegral() {
				d := symshape.Dim{}
				if elems := e.Contents(); len(elems) == 1 {
					d, _ = value.AsDim(na.pool, elems[0])
				}
				shape = append(shape, d)
				continue
			}
		}
		d, ok := value.AsDim(na.pool, e)
		if t, isTensor := e.(*value.Tensor); isTensor && ops.IsIndex(t) { // __index__ of one whole number
			ok = true
			if c := t.Contents(); len(c) == 1 {
				d, _ = value.AsDim(na.pool, c[0])
			}
		}
		if !ok {
			if u := na.in.unknownBase(na.in.TypeOf(e)); u != nil {
				return u, nil
			}
			return nil, na.in.Raise("TypeError", "a size must be int, not '%s'", na.in.TypeOf(e).Name)
		}
		if n, known := ops.DimVal(d); known && n < 0 {
			return nil, na.in.Fail("RuntimeError", diag.New(diag.InvalidSize, na.in.Here(),
				"a tensor cannot have the negative size "+d.String()).
				Measured("negative size", d))
		}
		shape = append(shape, d)
	}
	ty := graph.TensorType{DType: defaultDType(na.in), Ranked: true, Shape: shape}
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
		ty.Device = na.stateDevice("cpu")
	}
	var cls *value.Class
	if class != "" {
		cls = na.in.Class(class)
	}
	t := na.in.newParameter(ty, cls)
	t.RequiresGrad = class != ""
	// A layer that makes parameters when it is called trains what is not seen here.
	if t.RequiresGrad && na.in.ModulePath() != "" { // a module that takes another parameter in its forward
		na.in.rec.grads.train.blind = true
	}
	return t, nil
}

// defaultDType is the dtype of torch.set_default_dtype, float32 if none was set.
func defaultDType(th value.Thread) dtype.DType {
	if d, ok := dtype.Parse(th.Option("default-dtype")); ok {
		return d
	}
	return dtype.F32
}

// setTensorAttr handles the attributes of tensors that are more than storage. done is false for a
// name that is kept as an attribute. The error is that of the assignment.
func (na *natives) setTensorAttr(t *value.Tensor, name string, x value.Value) (done bool, err error) {
	if chainer.IsVariable(t) {
		if done, err := na.in.variables.setVariableAttr(t, name, x); done || err != nil {
			return done, err
		}
	}
	// x.data = y gives x the elements and type of y, without a gradient.
	switch name {
	case "data":
		d, ok := x.(*value.Tensor)
		if !ok {
			if value.IsUnknown(x) {
				na.heap.Touch(t)
				t.V = na.build.NewValue(graph.TensorKind, graph.TensorType{}, na.in.Here())
				return true, nil
			}
			return true, na.in.Raise("TypeError", "data must be a tensor, not '%s'", na.in.TypeOf(x).Name)
		}
		na.heap.Touch(t)
		v := *t.V
		nv := na.build.NewValue(graph.TensorKind, *d.Type(), na.in.Here())
		nv.Name, nv.Param = v.Name, v.Param
		t.V = nv
		t.SetContents(d.Contents())
		// In the setup it counts as initialisation, later it is an operation of the graph.
		if na.inSetup() {
			na.in.takesOver(nv, d.V)
			return true, nil
		}
		nv.Base = d.V
		n := catalog.NewNode("torch.detach")
		n.Called = "torch.Tensor" + dataAttribute
		n.Args, n.Outputs, n.At, n.Module = []graph.Arg{{Name: "input", Value: d.V}}, []*graph.Value{nv}, na.in.Here(), na.in.ModulePath()
		na.build.Emit(n)
		return true, nil
	// Only None is a gradient that is known.
	case "grad":
		na.in.grads.dropGradient(t)
		if x != value.None || ops.IsArray(t) {
			na.in.rec.grads.train.blind = true
			return false, nil
		}
		// What it is after the next backward() is not known, as for one that was never set.
		if a := ensureAttrs(na.in, t); a != nil {
			a.Delete(&na.heap, "grad")
		}
		return true, nil
	// Parts of complex tensors are written in place.
	case "real", "imag":
		part, err := na.in.GetAttr(t, name)
		if err == nil && !ops.IsArray(t) {
			_, err = na.in.CallMethod(part, "copy_", x)
		}
		na.heap.Touch(t)
		t.SetContents(nil)
		return true, err
	case "requires_grad":
		if b, ok := x.(value.Bool); ok {
			na.heap.Touch(t)
			t.RequiresGrad = bool(b)
		}
		return true, nil
	case "__class__":
		if c, ok := x.(*value.Class); ok {
			na.heap.Touch(t)
			t.Class = c
		}
		return true, nil
	}
	return false, nil
}

// inSetup reports whether the entry of a model is still to be called, or a script runs whose traces
// are compared by numbers. Then initialisation is noted for reports.
func (na *natives) inSetup() bool {
	return (na.cfg.Script == nil || na.cfg.Retraces) && na.build.Graph().Setup == nil
}

// initialising reports whether what is noted is part of Setup: before the entry is called, or in beforeCall.
func (in *Interp) initialising() bool {
	return in.native.inSetup() || in.build.Region() == in.build.Graph().Setup
}

// beforeCall implements before_call(function, *args): the function runs as part of Setup. It gives a parameter that waited for the call its
// elements, which depend on nothing that is computed there but sizes.
func (na *natives) beforeCall(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if setup := na.build.Graph().Setup; setup != nil {
		defer na.build.Leave(na.build.Enter(setup))
	}
	return na.in.Call(args[0], args[1:], nil)
}

// initNative implements init(kind, args, *tensors), which writes into each tensor,
// and returns the last one. What is no tensor is passed over. kind is the name of the function of
// torch.nn.init, args its further arguments.
func (na *natives) initNative(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) < 3 {
		return value.None, nil
	}
	last := args[len(args)-1]
	kind, _ := value.AsStr(args[0])
	if !na.in.initialising() || kind == "" {
		return last, nil
	}
	var rest graph.Tuple
	if t, ok := args[1].(*value.Tuple); ok {
		for _, a := range t.Elems {
			rest = append(rest, ops.Operand(na.pool, a))
		}
	}
	for _, a := range args[2:] {
		if t, ok := a.(*value.Tensor); ok {
			initialises(na.in, kind, t.V, rest)
		}
	}
	return last, nil
}

// initialises records that a value's memory is written to. It is a node of the graph, from which
// reports tell how a model is initialised.
func initialises(th value.Thread, kind string, v *graph.Value, args graph.Tuple) {
	th.Graph().Emit(&graph.Node{Op: graph.InitPrefix + kind, Args: []graph.Arg{{Name: "self", Value: v}, {Name: "args", Value: args}},
		At: th.Here()})
}

// takesOver records that v, a parameter that is made of a tensor, shares its memory.
func (in *Interp) takesOver(v, from *graph.Value) {
	if in.initialising() {
		initialises(in, "share", v, graph.Tuple{from})
	}
}

// The tables of a module; those for all modules come first.
const (
	preHookTable  = "_forward_pre_hooks"
	postHookTable = "_forward_hooks"
)

// A hook is an entry of _forward_hooks or _forward_pre_hooks.
type hook struct {
	fn     value.Value
	kwargs bool // it takes the keyword arguments, too
}

// hooks lists a table of hooks of a module; its companion with the suffix
// _with_kwargs has the ids of those that take keyword arguments. The error is that of hashing an
// id.
func (na *natives) hooks(m *value.Instance, table string) ([]hook, error) {
	var list []hook
	if d := na.globalHooks[0]; d != nil && table == preHookTable {
		list = appendHooks(list, d)
	}
	if d := na.globalHooks[1]; d != nil && table == postHookTable {
		list = appendHooks(list, d)
	}
	v, _ := m.Attrs.Get(table)
	d, ok := v.(*value.Dict)
	if !ok || d.Len() == 0 {
		return list, nil
	}
	// shared counts the hooks for all modules, which take no keyword arguments.
	shared := len(list)
	list = appendHooks(list, d)
	w, _ := m.Attrs.Get(table + "_with_kwargs")
	with, _ := w.(*value.Dict)
	if with == nil {
		return list, nil
	}
	for i := range d.Len() {
		key, err := na.in.HashKey(d.Key(i))
		if err != nil {
			return nil, err
		}
		_, list[shared+i].kwargs = with.Get(key)
	}
	return list, nil
}

// appendHooks adds the entries of a table in order.
func appendHooks(list []hook, d *value.Dict) []hook {
	for i := range d.Len() {
		list = append(list, hook{fn: d.At(i)})
	}
	return list
}

// preHooks runs the forward pre-hooks: what one returns replaces the arguments. A hook that takes
// keywords returns both or nothing. The errors are those of the hooks.
func (na *natives) preHooks(m *value.Instance, args []value.Value, kw []value.Kw) ([]value.Value, []value.Kw, error) {
	list, err := na.hooks(m, preHookTable)
	if err != nil {
		return nil, nil, err
	}
	for _, h := range list {
		if h.kwargs {
			r, err := na.in.Call(h.fn, []value.Value{m, value.NewTuple(args...), kwDict(na.in, kw)}, nil)
			if err != nil {
				return nil, nil, err
			}
			if t, ok := r.(*value.Tuple); ok && len(t.Elems) == 2 {
				a, okA := t.Elems[0].(*value.Tuple)
				k, okK := t.Elems[1].(*value.Dict)
				if okA && okK {
					args, kw = a.Elems, dictKw(k)
				}
			}
			continue
		}
		r, err := na.in.Call(h.fn, []value.Value{m, value.NewTuple(args...)}, nil)
		if err != nil {
			return nil, nil, err
		}
		switch r := r.(type) {
		case value.NoneType, *value.Unknown:
		case *value.Tuple:
			args = r.Elems
		default:
			args = []value.Value{r}
		}
	}
	return args, kw, nil
}

// postHooks runs the forward hooks: what one returns replaces the result. ran says whether there
// were any.
func (na *natives) postHooks(m *value.Instance, args []value.Value, kw []value.Kw, out value.Value) (v value.Value, ran bool, err error) {
	list, err := na.hooks(m, postHookTable)
	if err != nil {
		return nil, false, err
	}
	for _, h := range list {
		given := []value.Value{m, value.NewTuple(args...), out}
		if h.kwargs {
			given = []value.Value{m, value.NewTuple(args...), kwDict(na.in, kw), out}
		}
		r, err := na.in.Call(h.fn, given, nil)
		if err != nil {
			return nil, true, err
		}
		if r != value.None && !value.IsUnknown(r) {
			out = r
		}
	}
	return out, len(list) > 0, nil
}

// kwDict and dictKw turn keyword arguments to a dict and back; keys that are no texts are dropped.
func kwDict(th value.Thread, kw []value.Kw) *value.Dict {
	d := th.Heap().NewDict()
	for _, k := range kw {
		d.SetStr(th.Heap(), k.Name, k.Value)
	}
	return d
}

func dictKw(d *value.Dict) []value.Kw {
	var kw []value.Kw
	for i := range d.Len() {
		if name, ok := value.AsStr(d.Key(i)); ok {
			kw = append(kw, value.Kw{Name: name, Value: d.At(i)})
		}
	}
	return kw
}
