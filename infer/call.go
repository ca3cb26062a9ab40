package infer

// This file calls functions, methods, classes and objects.
//
// It also ends recursions over what is not known: a function that walks a
// nested structure calls itself for its parts, and of an unknown structure the
// parts are unknown, too, to any depth. All calls of the program come through evalCall, all others
// (of native code, hooks, operators) through Call. Both end in call, which knows the kinds of
// callables.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

// evalCall evaluates callee, arguments and keywords in this order, as Python does. What a graph builtin or a
// library's compiled form makes of the call comes before the call itself. Classes that only mix given
// containers together, and were lost, give what they were given, so that its sizes are not lost
// with them. It returns what the call raises. Arguments of a call that consumes an iterator at once
// (consumed) are not evaluated one by one.
func (in *Interp) evalCall(f *frame, e *ast.Call) (value.Value, error) {
	fn, err := in.eval(f, e.Func)
	if err != nil {
		return nil, err
	}
	var args []value.Value
	switch all, err := in.consumed(f, e, fn); {
	case err != nil:
		return nil, err
	case all != nil:
		args = []value.Value{all}
	default:
		if args, err = in.evalAll(f, e.Args); err != nil {
			return nil, err
		}
	}
	parts := make([]value.Kw, len(e.Keywords))
	for i, k := range e.Keywords {
		v, err := in.eval(f, k.Value)
		if err != nil {
			return nil, err
		}
		parts[i] = value.Kw{Name: k.Name.Name, Value: v}
	}
	f.at = e.Span()
	// A builtin of a tracer's graph.
	if v, err := in.tracing.graphBuiltin(f, fn, args, parts); v != nil || err != nil {
		return v, err
	}
	v, err := in.callWith(f, e, fn, args, parts)
	// zip, map and filter (mixes) of which nothing is known.
	if _, lost := v.(*value.Unknown); lost {
		if c, ok := fn.(*value.Class); ok && mixes[c.Name] && in.world.Class(c.Name) == c {
			for _, a := range args {
				in.opaqueCalls.givesContainers(a, givenDepth)
			}
		}
	}
	return v, err
}

// callWith calls fn with keyword arguments, of which those without a name are dicts
// that are unpacked: one of two dicts makes a call of each. parts are all keywords in their order.
// Values that are not known make the call one with open arguments.
func (in *Interp) callWith(f *frame, e *ast.Call, fn value.Value, args []value.Value, parts []value.Kw) (value.Value, error) {
	var kw []value.Kw
	var open openArgs
	for i, k := range parts {
		if k.Name != "" {
			kw = append(kw, k)
			continue
		}
		// A choice that was decided meanwhile.
		v := raiseAgain(in, k.Value)
		if c, ok := v.(*value.Choice); ok && isContainers(c) {
			return in.distribute(c, func(v value.Value) (value.Value, error) {
				each := slices.Clone(parts)
				each[i].Value = v
				return in.callWith(f, e, fn, args, each)
			})
		}
		if d := inWays(v); d != nil {
			return in.eachWay(d, func() (value.Value, error) { return in.callWith(f, e, fn, args, parts) })
		}
		// Tracers see dicts that are unpacked.
		if given, ok := v.(*value.Dict); ok {
			for _, t := range in.tracers.all {
				t.Unpack(given)
			}
		}
		d, isDict := v.(*value.Dict)
		if !isDict {
			d = in.heap.NewDict()
			if err := mergeInto(in, d, v); err != nil {
				return nil, err
			}
		}
		// A mapping that may have other keys.
		if d.Open != nil {
			if u, ok := v.(*value.Unknown); ok {
				open.kw = u
			} else {
				open.kw = in.Unknown("the keyword arguments of this call are not known")
			}
		}
		// A key that is no text is a TypeError.
		for i := range d.Len() {
			s, ok := value.AsStr(d.Key(i))
			if k := d.Key(i); !ok && (value.IsUnknown(k) || in.TypeOf(k).IsSubclass(in.world.Class("str"))) {
				open.kw = in.Unknown("the name of a keyword argument is not known")
				continue
			}
			if !ok {
				return nil, in.Raise("TypeError", "keywords must be strings")
			}
			kw = append(kw, value.Kw{Name: s, Value: d.At(i)})
		}
	}
	// A starred argument of unknown length.
	args, open.pos = splitOpen(args)
	for _, t := range in.tracers.all {
		t.Arguments(f, e, fn, args, kw)
	}
	if open.pos != nil || open.kw != nil {
		return in.opaqueCalls.callOpen(fn, args, kw, &open)
	}
	// An argument that is one of two may make a call of each.
	v, ok, err := in.callOnEach(fn, args, kw)
	if !ok {
		v, err = in.Call(fn, args, kw)
	}
	// Advice is added to the error's diagnostic.
	if err != nil {
		in.adviseCall(f, e, fn, args, kw, err)
	}
	return v, err
}

// Call calls any callable. An error is what the call raises, as a TypeError where fn cannot be called or its parameters
// do not fit, or the end of the run by a limit. A result that is an argument's unknown value is
// derived, as the function may have changed it.
func (in *Interp) Call(fn value.Value, args []value.Value, kw []value.Kw) (value.Value, error) {
	v, err := in.counted(fn, args, kw)
	if u, ok := v.(*value.Unknown); ok && u.One {
		// an argument that it hands on stands for what it makes of it
		if f, isFunc := fn.(*value.Func); !isFunc || f.Module == nil || f.Module.Prelude {
			for _, a := range args {
				if a == v || ops.FirstUnknown(a, 2) == u {
					return u.Derived(), err
				}
			}
			for _, k := range kw {
				if k.Value == v {
					return u.Derived(), err
				}
			}
		}
	}
	return v, err
}

// counted is a call that native code makes: it counts as a frame, since native code that calls back may recurse
// without a frame of Python between. A function whose calls are logged notes its start and end.
func (in *Interp) counted(fn value.Value, args []value.Value, kw []value.Kw) (value.Value, error) {
	if f, ok := fn.(*value.Func); !ok { // whose frames are counted
		if err := in.Enter(""); err != nil {
			return nil, err
		}
		defer in.Leave()
	} else if name, ok := in.logsFunc(f); ok {
		i := in.startOp(name, args, kw)
		v, err := in.callFunc(f, args, kw, nil)
		in.endOp(i, v, err)
		return v, err
	}
	return in.call(fn, args, kw)
}

// call is Call inside of the frame that counts. It is apart, since a deferred call in a
// function of many returns is slow. The kinds are in the order of how frequent they are.
func (in *Interp) call(fn value.Value, args []value.Value, kw []value.Kw) (value.Value, error) {
	switch fn := fn.(type) {
	case *value.Func:
		return in.callFunc(fn, args, kw, nil)
	case *value.BoundMethod:
		all := make([]value.Value, 0, len(args)+1)
		all = append(all, fn.Self)
		return in.Call(fn.Func, append(all, args...), kw)
	// Tracers see builtins, and may run the call themselves.
	case *value.Builtin:
		in.spent.steps++
		for _, t := range in.tracers.all {
			t.Call(fn, args)
		}
		var v value.Value
		var err error
		if len(in.tracers.calls) == 0 {
			v, err = in.callNative(fn, args, kw)
		} else {
			v, err = in.tracers.call(fn, args, func(args []value.Value) (value.Value, error) { return in.callNative(fn, args, kw) })
		}
		if err == nil {
			in.losses.causedBy(fn, v, args, kw)
		}
		return v, err
	// A class is called like a builtin.
	case *value.Class:
		for _, t := range in.tracers.all {
			t.Call(fn, args)
		}
		if len(in.tracers.calls) == 0 {
			return in.instantiate(fn, args, kw)
		}
		return in.tracers.call(fn, args, func(args []value.Value) (value.Value, error) { return in.instantiate(fn, args, kw) })
	case *value.StaticMethod:
		return in.Call(fn.Func, args, kw)
	case *value.ClassMethod:
		return in.Call(fn.Func, args, kw)
	case *value.GenericAlias:
		return in.Call(fn.Origin, args, kw)
	// What it does to its arguments is not known.
	case *value.Unknown:
		in.opaqueCalls.callsUnknown(args, kw)
		return fn, nil
	case *value.Choice:
		return in.distributeOp(methodName(fn), fn, func(v value.Value) (value.Value, error) { return in.Call(v, args, kw) })
	case *value.Abstract:
		in.opaqueCalls.callsUnknown(args, kw)
		return in.losses.unknown(fn.Cause), nil
	}
	// An object is called by __call__ of its class.
	c := in.TypeOf(fn)
	if m, ok := c.Lookup("__call__"); ok {
		b, err := in.bindAttr(m, fn, c)
		if err != nil {
			return nil, err
		}
		// Chainer's links count their calls.
		if link, ok := fn.(*value.Instance); ok && in.variables.callsItself(link) {
			return in.variables.callLink(link, b, args, kw)
		}
		return in.Call(b, args, kw)
	}
	if u := in.unknownBase(c); u != nil {
		// A class with forward and a base from a library that is not at hand
		// (LightningModule, PreTrainedModel) is a module: calling it runs forward.
		if m, ok := c.Lookup("forward"); ok {
			b, err := in.bindAttr(m, fn, c)
			if err != nil {
				return nil, err
			}
			return in.Call(b, args, kw)
		}
		return u, nil
	}
	fact := diag.Fact{Kind: diag.NotCallable, Of: c.Name}
	if fn == value.NotImplemented { // which derived classes replace
		fact.Kind = diag.NotImplemented
	}
	return nil, value.Saying(in.Raise("TypeError", "'%s' object is not callable", c.Name), fact)
}

// callNative calls a function of Go, which may be left where a limit is reached. An outer limit is
// restored after it.
func (in *Interp) callNative(fn *value.Builtin, args []value.Value, kw []value.Kw) (v value.Value, err error) {
	outer := in.spent.enterNative()
	defer in.spent.leaveNative(outer, &err)
	return fn.Fn(in, args, kw)
}

// CallMethod calls v.name(args…). An error is that of GetAttr or of Call. Special methods of a
// class are those of its metaclass.
func (in *Interp) CallMethod(v value.Value, name string, args ...value.Value) (value.Value, error) {
	var fn value.Value
	var err error
	if m, ok := metaMethod(in, v, name); ok {
		fn, err = in.bindAttr(m, v, in.TypeOf(v))
	} else {
		fn, err = in.GetAttr(v, name)
	}
	if err != nil {
		return nil, err
	}
	return in.Call(fn, args, nil)
}

// metaMethod finds a special method that the metaclass of a class defines: len(C) does not
// ask C for the method of its instances. Only functions in Python count.
func metaMethod(th value.Thread, v value.Value, name string) (*value.Func, bool) {
	if _, ok := v.(*value.Class); !ok || !strings.HasPrefix(name, "__") {
		return nil, false
	}
	m, _ := th.TypeOf(v).Lookup(name)
	fn, ok := m.(*value.Func)
	return fn, ok
}

// callFunc calls a function written in Python; open, if set, are arguments beyond args and kw. A
// decorated function may have a gradient mode (torch.no_grad as decorator).
func (in *Interp) callFunc(fn *value.Func, args []value.Value, kw []value.Kw, open *openArgs) (value.Value, error) {
	if mode := in.rec.grads.decorated[fn]; mode != nil {
		return inMode(in, mode, func() (value.Value, error) { return in.callBody(fn, args, kw, open) })
	}
	return in.callBody(fn, args, kw, open)
}

// callBody is callFunc in the gradient mode of the function. It returns what the body returns or
// raises; a generator function returns its generator without running.
func (in *Interp) callBody(fn *value.Func, args []value.Value, kw []value.Kw, open *openArgs) (value.Value, error) {
	c := fn.Code.(*code)
	// Bodies of large modules are parsed when they are first called.
	if err := in.imports.complete(c); err == errSyntax { // which is reported
		return in.losses.unknown(&value.Cause{At: in.Here(), Reason: "the function has a syntax error", Reported: true}), nil
	} else if err != nil {
		return nil, err
	}
	f := in.stack.newFrame(c, fn.Module)
	f.fn, f.free = fn, fn.Closure
	if open == nil {
		open = in.decoratedArgs(fn, args, kw)
	}
	var err error
	if open != nil {
		err = in.opaqueCalls.bindOpen(f, fn, args, kw, open)
	} else {
		err = in.bindParams(f, fn, args, kw)
	}
	// The unknown decorator may pass others.
	if err != nil {
		if fn.Decorated != nil { // it may take other arguments
			return in.losses.unknown(fn.Decorated), nil
		}
		return nil, err
	}
	if !c.prelude {
		in.annotations.checkParams(f, fn)
	}
	if c.scope.IsGenerator {
		in.rec.grads.unsure = in.rec.grads.unsure || in.rec.grads.decorated[fn] != nil // each step is in the mode
		return in.newGenerator(f, "generator", func() error {
			_, err := in.block(f, c.body)
			return err
		}), nil
	}
	// A call costs steps by its arguments.
	if err := in.Step(1 + len(args)/4 + len(kw)/2); err != nil {
		return nil, err
	}
	if !c.prelude && in.doubtful.exhausted() {
		return in.opaqueCalls.unfollowed(f, args, kw), nil
	}
	// A recursion over unknown values ends here.
	if u := in.flow.recurs(f, args, kw); u != nil {
		return u, nil
	}
	if err := in.stack.push(f); err != nil {
		return nil, err
	}
	defer in.stack.pop()
	if in.cfg.Time != nil && !c.prelude {
		defer in.timeCall(c, fn)()
	}
	if len(in.tracers.all) > 0 {
		defer in.tracers.enter(f)()
	}
	// A lambda.
	if c.expr != nil {
		return in.eval(f, c.expr)
	}
	if in.packageCalls.enters(f) {
		return in.packageCalls.call(f, args, kw, func() (value.Value, error) { return in.runBody(f, c.body) })
	}
	return in.runBody(f, c.body)
}

// runBody runs the statements of a function and joins what returned early on
// undecided conditions with what reached the end. base separates the returns of this function from
// those of its callers.
func (in *Interp) runBody(f *frame, body []ast.Stmt) (value.Value, error) {
	base := len(in.pendings)
	fl, err := in.block(f, body)
	if fl != returns {
		f.ret = value.None
	}
	if len(in.pendings) == base {
		if err != nil {
			return nil, err
		}
		return f.ret, nil
	}
	return in.flow.joinReturns(f, base, err)
}

// bindParams writes the arguments into the frame's parameter slots, in the
// order positional-only, plain, keyword-only, *args, **kwargs. The errors are TypeErrors with
// CPython's reasons. Defaults fill what is not given.
func (in *Interp) bindParams(f *frame, fn *value.Func, args []value.Value, kw []value.Kw) error {
	p := fn.Params
	npos := len(p.PosOnly) + len(p.Args)
	set := f.setParam
	given := func(slot int) bool { return f.param(slot) != nil }
	param := func(i int) *ast.Param {
		if i < len(p.PosOnly) {
			return p.PosOnly[i]
		}
		return p.Args[i-len(p.PosOnly)]
	}
	// Positional arguments.
	for i := 0; i < len(args) && i < npos; i++ {
		set(i, args[i])
	}
	nkw := len(p.KwOnly)
	slot := npos + nkw
	if p.VarArg != nil {
		var rest []value.Value
		if len(args) > npos {
			rest = append(rest, args[npos:]...)
		}
		set(slot, &value.Tuple{Elems: rest})
		slot++
	} else if len(args) > npos {
		err := in.badCall(fn, "takes %s but %d %s given", plural(npos, "positional argument"), len(args), wasWere(len(args)))
		return value.Saying(err, diag.Fact{Kind: diag.TakesLess, Of: calledName(fn), Has: int64(len(args)), Wants: int64(npos)})
	}
	var extra *value.Dict
	if p.KwArg != nil {
		extra = in.heap.NewDict()
		set(slot, extra)
	}
	// Keywords find parameters by name, but positional-only ones.
keywords:
	for _, k := range kw {
		for i := len(p.PosOnly); i < npos; i++ {
			if param(i).Name == k.Name {
				if given(i) {
					return in.badCall(fn, "got multiple values for argument '%s'", k.Name)
				}
				set(i, k.Value)
				continue keywords
			}
		}
		for i, kp := range p.KwOnly {
			if kp.Name == k.Name {
				set(npos+i, k.Value)
				continue keywords
			}
		}
		if extra == nil {
			err := in.badCall(fn, "got an unexpected keyword argument '%s'", k.Name)
			return value.Saying(err, diag.Fact{Kind: diag.TakesLess, Of: calledName(fn), Names: []string{k.Name}})
		}
		extra.SetStr(&in.heap, k.Name, k.Value)
	}
	// Defaults belong to the last parameters.
	firstDefault := npos - len(fn.Defaults)
	var missing []string // required parameters
	for i := range npos {
		if given(i) {
			continue
		}
		if i >= firstDefault {
			set(i, fn.Defaults[i-firstDefault])
			continue
		}
		missing = append(missing, param(i).Name)
	}
	for i, kp := range p.KwOnly {
		if given(npos + i) {
			continue
		}
		if i < len(fn.KwDefaults) && fn.KwDefaults[i] != nil {
			set(npos+i, fn.KwDefaults[i])
			continue
		}
		missing = append(missing, kp.Name)
	}
	if len(missing) > 0 {
		err := in.badCall(fn, "is missing %s: %s", plural(len(missing), "required argument"), listOf(quoted(missing)))
		return value.Saying(err, diag.Fact{Kind: diag.LacksArguments, Of: calledName(fn), Names: missing})
	}
	return nil
}

// setParam writes a parameter of a frame that has not run.
func (f *frame) setParam(slot int, v value.Value) {
	if f.cells != nil && f.cells[slot] != nil {
		f.cells[slot].V = v
	} else {
		f.V[slot] = v
	}
}

// param is what setParam wrote, or nil.
func (f *frame) param(slot int) value.Value {
	if f.cells != nil && f.cells[slot] != nil {
		return f.cells[slot].V
	}
	return f.V[slot]
}

// badCall is the TypeError of a call whose arguments do not fit, with the signature; of a class
// without self. A fault shows the signature.
func (in *Interp) badCall(fn *value.Func, format string, args ...any) error {
	skip := 0
	if fn.Name == "__init__" || fn.Name == "__new__" {
		skip = 1
	}
	return in.Fail("TypeError", diag.New(diag.BadCall, in.Here(), calledName(fn)+"() "+fmt.Sprintf(format, args...),
		in.args.signatureText(fn, skip)))
}

// calledName names a function as Python's messages do: the constructor of a
// class with the class.
func calledName(fn *value.Func) string {
	if fn.Name == "__init__" || fn.Name == "__new__" {
		return fn.Qualname
	}
	return fn.Name
}

// plural is the number with the word, in the plural unless it is 1.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// wasWere is the verb for a number of things.
func wasWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// quoted are words in the quotes of Python's messages.
func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = "'" + w + "'"
	}
	return out
}

// listOf joins words as a sentence does: a, b and c.
func listOf(words []string) string {
	s := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			s += " and "
		default:
			s += ", "
		}
		s += w
	}
	return s
}

// instantiate calls a class. A metaclass's __call__ comes first.
func (in *Interp) instantiate(c *value.Class, args []value.Value, kw []value.Kw) (value.Value, error) {
	if c.Meta != nil {
		if m, ok := c.Meta.Lookup("__call__"); ok && !in.isTypes(m, "__call__") {
			fn, err := in.bindAttr(m, c, c.Meta)
			if err != nil {
				return nil, err
			}
			return in.Call(fn, args, kw)
		}
	}
	return in.construct(c, args, kw)
}

// isTypes reports whether a method is the one of type.
func (in *Interp) isTypes(m value.Value, name string) bool {
	o, ok := in.world.Class("type").Attrs.Get(name)
	return ok && o == m
}

// construct follows type.__call__: __new__, then __init__. The error is that of either, or a
// TypeError for an abstract class.
func (in *Interp) construct(c *value.Class, args []value.Value, kw []value.Kw) (value.Value, error) {
	var obj value.Value
	if m, ok := c.Lookup("__new__"); ok && !in.isObjects(m, "__new__") {
		if s, ok := m.(*value.StaticMethod); ok {
			m = s.Func
		}
		v, err := in.Call(m, append([]value.Value{c}, args...), kw)
		if err != nil {
			return nil, err
		}
		// __new__ may give something else, which is not initialised.
		if !in.TypeOf(v).IsSubclass(c) {
			return v, nil
		}
		obj = v
	} else if u := in.unknownBase(c); u != nil && c.Layout == value.ObjectLayout {
		obj = in.heap.NewInstance(c)
	} else {
		if missing := abstractMethods(c); missing != "" {
			err := in.Raise("TypeError", "Can't instantiate abstract class %s with abstract method %s", c.Name, missing)
			return nil, value.Saying(err, diag.Fact{Kind: diag.NotImplemented})
		}
		obj = in.heap.NewInstance(c)
	}
	// object's __init__ takes nothing, unless __new__ takes all.
	m, ok := c.Lookup("__init__")
	if !ok || in.isObjects(m, "__init__") {
		if u, ok := in.unknownBase(c).(*value.Unknown); ok {
			in.fillFields(obj, c, args, kw, u)
			return obj, nil
		}
		if len(args)+len(kw) > 0 {
			if n, ok := c.Lookup("__new__"); !ok || in.isObjects(n, "__new__") {
				return nil, in.Fail("TypeError", diag.New(diag.BadCall, in.Here(), c.Name+"() takes no arguments"))
			}
		}
		return obj, nil
	}
	fn, err := in.bindAttr(m, obj, c)
	if err != nil {
		return nil, err
	}
	if _, err := in.Call(fn, args, kw); err != nil {
		return nil, err
	}
	return obj, nil
}

// abstractMethods names an abstract method that c does not implement, or "". Only classes with a
// metaclass can have them.
func abstractMethods(c *value.Class) string {
	if c.Meta == nil {
		return ""
	}
	for _, k := range c.MRO {
		for i := range k.Attrs.Len() {
			name := k.Attrs.Name(i)
			attr := k.Attrs.At(i)
			fn, ok := underlying(attr).(*value.Func)
			if !ok || fn.Attrs == nil {
				continue
			}
			if flag, ok := fn.Attrs.Get("__isabstractmethod__"); !ok || flag != value.Bool(true) {
				continue
			}
			if v, _ := c.Lookup(name); v == attr {
				return name
			}
		}
	}
	return ""
}

// underlying is the function inside a property, static method or class method.
func underlying(v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Property:
		return v.Get
	case *value.StaticMethod:
		return v.Func
	case *value.ClassMethod:
		return v.Func
	}
	return v
}

// makeFunc makes the function object of a def or lambda. Defaults are evaluated now, in the scope
// of the definition.
func (in *Interp) makeFunc(f *frame, name string, node ast.Node, params *ast.Params, scope int32) (*value.Func, error) {
	fn := &value.Func{Name: name, Qualname: name, Node: node, Params: params, Module: f.globals}
	fn.Qualname = qualname(f, name)
	for _, p := range append(append([]*ast.Param(nil), params.PosOnly...), params.Args...) {
		if p.Default == nil {
			continue
		}
		v, err := in.eval(f, p.Default)
		if err != nil {
			return nil, err
		}
		fn.Defaults = append(fn.Defaults, v)
	}
	for _, p := range params.KwOnly {
		var v value.Value
		if p.Default != nil {
			var err error
			if v, err = in.eval(f, p.Default); err != nil {
				return nil, err
			}
		}
		fn.KwDefaults = append(fn.KwDefaults, v)
	}
	c := in.codeOf(f.unit, node, scope, name)
	fn.Code = c
	fn.Closure = closure(f, c)
	return fn, nil
}

// qualname gives the qualified name of what is defined in f. Nested functions are named as in
// CPython.
func qualname(f *frame, name string) string {
	switch {
	case f.code == nil || f.code.name == "":
		return name
	case f.ns != nil: // a class body
		if q, ok := f.ns.Get("__qualname__"); ok {
			if s, ok := value.AsStr(q); ok {
				return s + "." + name
			}
		}
		return f.code.name + "." + name
	case f.fn != nil:
		return f.fn.Qualname + ".<locals>." + name
	}
	return f.code.name + ".<locals>." + name
}

// codeOf returns the compiled form of a function, class body or comprehension. There is one for
// each node.
func (in *Interp) codeOf(u *unit, node ast.Node, scope int32, name string) *code {
	if c := in.codes[node]; c != nil {
		return c
	}
	c := &code{unit: u, node: node, scope: &u.info.Scopes[scope], index: scope, name: name, prelude: u.file.Prelude}
	switch n := node.(type) {
	case *ast.FunctionDef:
		c.params, c.body = n.Params, n.Body
	case *ast.Lambda:
		c.params, c.expr = n.Params, n.Body
	case *ast.ClassDef:
		c.body = n.Body
	}
	in.codes[node] = c
	return c
}

// closure collects the cells that an inner scope uses. A cell is that of the enclosing function, or
// one that it has from further out.
func closure(f *frame, c *code) []*value.Cell {
	free := c.scope.Free
	if len(free) == 0 {
		return nil
	}
	cells := make([]*value.Cell, len(free))
	for i, fv := range free {
		if fv.FromCell {
			cells[i] = f.cells[fv.Index]
		} else {
			cells[i] = f.free[fv.Index]
		}
	}
	return cells
}

// maxUnknownCalls is how many calls of a function may be under way with the same
// unknown arguments before the next one is not run. It is more than one, so that
// lists that the function fills are seen to grow.
const maxUnknownCalls = 2

// maxUndecidedCalls is how many calls of a function may be under way of which each is in a branch or
// a loop of the one before that data decide.
const maxUndecidedCalls = 6

// recurs gives the result of a call that would only repeat calls that are under
// way: of the same function, with arguments that are known no better, in a branch
// or a loop that data decide. Whether it ends depends on data. f keeps its arguments and how many
// conditions it is under, by which a caller is compared.
func (cf *controlFlow) recurs(f *frame, args []value.Value, kw []value.Kw) value.Value {
	if len(kw) > 0 {
		all := make([]value.Value, 0, len(args)+len(kw))
		all = append(all, args...)
		for _, k := range kw {
			all = append(all, k.Value)
		}
		args = all
	}
	f.args, f.conds = args, len(cf.path.conds)+len(cf.loops)
	if f.conds == 0 {
		return nil
	}
	var first *value.Unknown
	for _, a := range args {
		if u, ok := a.(*value.Unknown); ok {
			first = u
		}
	}
	// deep counts calls each of which is under more conditions than the one before.
	n, deep, least := 0, 0, f.conds
	for g := cf.in.stack.frame; g != nil; g = g.caller {
		if g.fn == nil || g.code != f.code || g.conds >= f.conds {
			continue
		}
		if g.conds < least {
			least = g.conds
			if deep++; deep >= maxUndecidedCalls {
				return cf.in.Unknown("whether " + f.code.name + "(), which calls itself, ends")
			}
		}
		if first == nil || !sameArgs(g.args, args) {
			continue
		}
		if n++; n >= maxUnknownCalls {
			return first.Derived()
		}
	}
	return nil
}

// sameArgs reports whether two calls cannot be told apart by their arguments. Two unknown values
// count as equal.
func sameArgs(a, b []value.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if value.IsUnknown(a[i]) && value.IsUnknown(b[i]) {
			continue
		}
		if !sameArg(a[i], b[i]) {
			return false
		}
	}
	return true
}

// sameArg reports whether two values are the same number, text or object. Values that may be better
// known each time are different.
func sameArg(a, b value.Value) bool {
	switch a.(type) {
	case *value.Tensor, *value.SymInt, *value.SymFloat, *value.SymBool, *value.Tuple, *value.Choice: // may be better known in a branch
		return false
	}
	return same(a, b)
}
