package infer

// This file makes calls of which some arguments are not known even by number or by name:
// f(*args) and f(**options) of unknown values. What is given is bound, each parameter that
// the rest may reach is unknown, and the body runs: what it makes of its receiver stays, as
// after super().__init__(**options).
//
// It also knows the functions of the program that were given to something unknown, as
// hooks are to a model that is not known: it may call them, then or later, so that what they
// change is unknown after each call of something unknown.
//
// It also knows the lists and dicts of the program that something unknown was given: it may put
// more into them, then or later.
//
// It also makes unknown what code may change that is not followed: the rest of a
// generator, and functions that were given to something unknown. Seen are the changes that
// the code writes down: to variables of functions around it and of the module, to attributes
// and elements of what its names stand for, and calls of methods that change lists, dicts
// and sets.

import (
	"errors"
	"slices"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// openArgs are the arguments of such a call beyond the known ones.
type openArgs struct {
	pos []value.Value  // from the first openElems on; nil: all positional arguments are known
	kw  *value.Unknown // what the keyword arguments are; nil: all are known
}

// openArg is what a parameter is that the arguments may reach.
func openArg(th value.Thread, open *openArgs) *value.Unknown {
	if open.kw != nil {
		return open.kw
	}
	if u, ok := open.pos[0].(*openElems).open.Elem.(*value.Unknown); ok {
		return u
	}
	return th.Unknown("the number of arguments of this call is not known")
}

// splitOpen parts positional arguments before the first of unknown number.
func splitOpen(args []value.Value) (known, open []value.Value) {
	i := slices.IndexFunc(args, func(v value.Value) bool { _, ok := v.(*openElems); return ok })
	if i < 0 {
		return args, nil
	}
	return args[:i:i], args[i:]
}

// callOpen calls fn with more arguments than args and kw. What is no function written in
// Python gives an unknown value.
func (un *opaqueCalls) callOpen(fn value.Value, args []value.Value, kw []value.Kw, open *openArgs) (value.Value, error) {
	switch fn := fn.(type) {
	case *value.Func:
		return un.in.callFunc(fn, args, kw, open)
	case *value.BoundMethod:
		if m, ok := fn.Func.(*value.Func); ok {
			return un.in.callFunc(m, append([]value.Value{fn.Self}, args...), kw, open)
		}
		return openArg(un.in, open), nil
	case *value.StaticMethod:
		return un.callOpen(fn.Func, args, kw, open)
	case *value.GenericAlias:
		return un.callOpen(fn.Origin, args, kw, open)
	case *value.Class:
		return un.constructOpen(fn, args, kw, open)
	case *value.Instance:
		c := un.in.TypeOf(fn)
		if m, ok := c.Lookup("__call__"); ok {
			if m, ok := m.(*value.Func); ok {
				return un.in.callFunc(m, append([]value.Value{fn}, args...), kw, open)
			}
		}
	case *value.Unknown:
		un.callsUnknown(args, kw)
		return fn, nil
	}
	return openArg(un.in, open), nil
}

// constructOpen makes an object of a class whose __init__ is written in Python.
func (un *opaqueCalls) constructOpen(c *value.Class, args []value.Value, kw []value.Kw, open *openArgs) (value.Value, error) {
	if c.Meta != nil {
		if m, ok := c.Meta.Lookup("__call__"); ok && !un.in.isTypes(m, "__call__") {
			return openArg(un.in, open), nil
		}
	}
	if m, ok := c.Lookup("__new__"); ok && !un.in.isObjects(m, "__new__") || abstractMethods(c) != "" {
		return openArg(un.in, open), nil
	}
	m, _ := c.Lookup("__init__")
	init, ok := m.(*value.Func)
	if !ok {
		return openArg(un.in, open), nil
	}
	obj := un.heap.NewInstance(c)
	if _, err := un.in.callFunc(init, append([]value.Value{obj}, args...), kw, open); err != nil {
		return nil, err
	}
	return obj, nil
}

// bindOpen is bindParams for a call with open arguments.
func (un *opaqueCalls) bindOpen(f *frame, fn *value.Func, args []value.Value, kw []value.Kw, open *openArgs) error {
	p, u := fn.Params, openArg(un.in, open)
	npos := len(p.PosOnly) + len(p.Args)
	known := len(args)
	args, kw = slices.Clone(args), slices.Clone(kw)
	for open.pos != nil && len(args) < len(p.PosOnly) {
		args = append(args, u)
	}
	fill := func(params []*ast.Param) {
		for _, q := range params {
			if !slices.ContainsFunc(kw, func(k value.Kw) bool { return k.Name == q.Name }) {
				kw = append(kw, value.Kw{Name: q.Name, Value: u})
			}
		}
	}
	fill(p.Args[min(max(len(args)-len(p.PosOnly), 0), len(p.Args)):])
	if open.kw != nil {
		fill(p.KwOnly)
	}
	if err := un.in.bindParams(f, fn, args, kw); err != nil {
		return err
	}
	slot := npos + len(p.KwOnly)
	if p.VarArg != nil {
		if open.pos != nil {
			rest := openElemsOf(un.in, open.pos)
			if known < npos { // of which some are parameters
				rest = &value.Open{Elem: rest.Elem, Len: un.in.DataInt("n", 0, nil).D}
			} else if known > npos {
				rest = openElemsOf(un.in, slices.Concat(args[npos:known], open.pos))
			}
			f.setParam(slot, un.world.OpenTuple(un.in, rest))
		}
		slot++
	}
	if p.KwArg != nil && open.kw != nil {
		f.param(slot).(*value.Dict).Open = &value.Open{Key: u, Elem: u}
	}
	return nil
}

// opaqueCalls are calls of what is not known, or with arguments of unknown number: what they may change is forgotten.
type opaqueCalls struct {
	*base
	*control
	in *Interp
	// writers are what the functions write, as writersIn finds it, by their code.
	writers map[ast.Node][]ast.Node
	// calls are what the functions call, as callsIn finds it, by their code.
	calls map[ast.Node][]ast.Node
}

// A callback is a function that something unknown may call. Its frame has the receiver of a
// method; other parameters are unknown.
type callback struct {
	fn    *value.Func
	self  value.Value
	frame *frame
}

// maxCallbacks bounds how many are remembered; each costs a look at every call of something
// unknown.
const maxCallbacks = 256

// callsUnknown notes the functions among the arguments of something unknown that is called,
// and forgets what all that were given away may change.
func (un *opaqueCalls) callsUnknown(args []value.Value, kw []value.Kw) {
	un.in.grads.hidesGradients(args, kw)
	for _, t := range un.in.tracers.all {
		t.CallUnknown(args)
	}
	for _, a := range args {
		un.givesAway(a)
		un.givesContainers(a, givenDepth)
	}
	for _, k := range kw {
		un.givesAway(k.Value)
		un.givesContainers(k.Value, givenDepth)
	}
	for _, c := range un.callbacks {
		un.forgetEffects(c.frame, "a function that was given to something unknown may change it")
	}
}

// DeepCopied has a copy of something unknown call the methods of the copied receivers.
func (in *Interp) DeepCopied(old, copied value.Value) {
	for _, c := range in.callbacks {
		if c.self == old {
			in.opaqueCalls.givesAway(&value.BoundMethod{Self: copied, Func: c.fn})
		}
	}
}

// givesAway notes a function of the program that was passed to something unknown, which may call it at any time
// with anything: what such a call changes is then not known either. Functions that change nothing outside of
// themselves are left out.
func (un *opaqueCalls) givesAway(v value.Value) {
	var self value.Value
	if b, ok := v.(*value.BoundMethod); ok {
		self, v = b.Self, b.Func
	}
	fn, ok := v.(*value.Func)
	if !ok || fn.Module == nil || fn.Module.Prelude || len(un.callbacks) >= maxCallbacks {
		return
	}
	for _, c := range un.callbacks {
		if c.fn == fn && c.self == self {
			return
		}
	}
	if f := un.openFrame(fn, self); f != nil {
		un.callbacks = append(un.callbacks, &callback{fn, self, f})
	}
}

// openFrame is a frame for a call of a function of the program with this receiver and arguments that are not known; nil where the
// function changes nothing outside of itself.
func (un *opaqueCalls) openFrame(fn *value.Func, self value.Value) *frame {
	c := fn.Code.(*code)
	if un.in.imports.complete(c) != nil {
		return nil
	}
	if un.in.cfg.NoteRan { // what follows depends on its text
		un.in.rec.noteBody(c, fn.Module)
	}
	if !changes(c.node) {
		return nil
	}
	var given []value.Value
	if self != nil {
		given = []value.Value{self}
	}
	return un.frameWith(fn, given)
}

// frameWith is a frame for a call of a function of the program with these as its first positional arguments; others are not known.
func (un *opaqueCalls) frameWith(fn *value.Func, given []value.Value) *frame {
	c := fn.Code.(*code)
	f := un.in.stack.newFrame(c, fn.Module)
	f.fn, f.free = fn, fn.Closure
	for i := range parameters(fn.Params) {
		v := value.Value(un.in.Unknown("what something unknown gives to a function"))
		if i < len(given) && given[i] != nil && i < len(fn.Params.PosOnly)+len(fn.Params.Args) {
			v = given[i]
		}
		if f.V[i] = v; c.scope.IsCell(i) {
			f.cells[i] = un.heap.NewCell(v)
		}
	}
	return f
}

// parameters is how many slots parameters take: they are the first of a frame.
func parameters(p *ast.Params) int {
	n := len(p.PosOnly) + len(p.Args) + len(p.KwOnly)
	if p.VarArg != nil {
		n++
	}
	if p.KwArg != nil {
		n++
	}
	return n
}

// changes reports whether code writes to more than its own variables, as far as it is
// written down.
func changes(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Attribute:
			found = found || changers[n.Attr.Name] || n.Ctx == ast.Store
		case *ast.Subscript:
			found = found || n.Ctx == ast.Store
		case *ast.Nonlocal, *ast.Global:
			found = true
		}
		return !found
	})
	return found
}

// How deep, and how many elements of each, containers inside of containers are looked at.
const (
	givenDepth = 2
	maxGiven   = 64
)

// givesContainers notes the containers in v. What is empty is there to be filled: its contents are unknown
// from now on. Of others those stay known that are in them.
func (un *opaqueCalls) givesContainers(v value.Value, depth int) {
	c := &value.Cause{At: un.in.Here(), Reason: "something unknown was given the container and may have put it there"}
	switch x := v.(type) {
	case *value.List:
		if len(x.Elems) == 0 && x.Open == nil {
			un.heap.Touch(x)
			x.Open = &value.Open{Elem: un.in.losses.unknown(c), Len: un.in.DataInt("n", 0, nil).D}
			return
		}
	case *value.Dict:
		if x.Len() == 0 && x.Open == nil {
			un.heap.Touch(x)
			x.Open = &value.Open{Key: un.in.losses.unknown(c), Elem: un.in.losses.unknown(c)}
			return
		}
	case *value.Set:
		if x.Len() == 0 && x.Open == nil && !x.Frozen {
			un.heap.Touch(x)
			x.Open = &value.Open{Elem: un.in.losses.unknown(c)}
			return
		}
	default:
		return
	}
	if un.given == nil {
		un.given = map[value.Value]*value.Cause{}
	}
	un.given[v] = c
	if depth > 0 {
		un.givesElements(v, depth-1)
	}
}

// MeansOneOf is part of value.Thread.
func (in *Interp) MeansOneOf(list []value.Value) {
	for _, e := range list[:min(len(list), maxGiven)] {
		in.opaqueCalls.givesContainers(e, givenDepth-1)
	}
}

// givesElements notes the containers that are elements of one: which of them an unknown index means is
// not known, and what is written into it is written into one of these.
func (un *opaqueCalls) givesElements(v value.Value, depth int) {
	switch x := v.(type) {
	case *value.List:
		for _, e := range x.Elems[:min(len(x.Elems), maxGiven)] {
			un.givesContainers(e, depth)
		}
	case *value.Tuple:
		for _, e := range x.Elems[:min(len(x.Elems), maxGiven)] {
			un.givesContainers(e, depth)
		}
	case *value.Dict:
		for i := range min(x.Len(), maxGiven) {
			un.givesContainers(x.At(i), depth)
		}
	}
}

// mixes are the builtins whose result gives their arguments' elements on: an unknown one among the arguments
// leaves nothing known of it.
var mixes = map[string]bool{"zip": true, "map": true, "filter": true}

// mayHold reports why a container may hold what a lookup did not find in it; nil: it does not.
func (un *opaqueCalls) mayHold(container value.Value, err error) *value.Cause {
	var e *value.Exception
	c := un.given[container]
	if c == nil || !errors.As(err, &e) || !e.Value.Class.IsSubclass(un.world.Class("LookupError")) {
		return nil
	}
	return c
}

// changers are methods that change their container.
var changers = map[string]bool{"append": true, "extend": true, "insert": true, "remove": true, "pop": true, "clear": true, "sort": true,
	"reverse": true,
	"update":  true, "setdefault": true, "popitem": true, "add": true, "discard": true, "appendleft": true, "popleft": true, "extendleft": true}

// lostGenerator is why the values are unknown that the rest of a generator may change.
const lostGenerator = "a generator that is not followed any more may change it"

// An oblivion forgets what the code of a frame may change.
type oblivion struct {
	in   *Interp
	f    *frame
	why  string
	seen map[value.Value]bool
}

// forgetEffects forgets what the rest of the function of a frame may change.
func (un *opaqueCalls) forgetEffects(f *frame, why string) {
	if f.fn == nil || f.fn.Node == nil {
		return
	}
	o := &oblivion{un.in, f, why, map[value.Value]bool{}}
	list := un.writersIn(f.code.node)
	if un.in.spent.charge(len(list)) != nil {
		return // the run ends
	}
	for _, n := range list {
		switch n := n.(type) {
		case *ast.Assign:
			for _, t := range n.Targets {
				o.target(t)
			}
		case *ast.AugAssign:
			o.target(n.Target)
		case *ast.Nonlocal:
			o.variables(n.Names, func(name string) resolve.Binding { return f.unit.info.Bind(f.scopeIndex(), name) })
		case *ast.Global:
			o.variables(n.Names, func(string) resolve.Binding { return resolve.Binding{Kind: resolve.Global} })
		case *ast.Call:
			o.contents(o.standsFor(n.Func.(*ast.Attribute).Value))
		}
	}
}

// writersIn are the statements and calls in the code of a function that may change something, in order. Each function is looked through
// once, as what it changes is forgotten at each call of something unknown.
func (un *opaqueCalls) writersIn(code ast.Node) []ast.Node {
	if list, ok := un.writers[code]; ok {
		return list
	}
	var list []ast.Node
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Assign, *ast.AugAssign, *ast.Nonlocal, *ast.Global:
			list = append(list, n)
		case *ast.Call:
			if a, ok := n.Func.(*ast.Attribute); ok && changers[a.Attr.Name] {
				list = append(list, n)
			}
		}
		return true
	})
	if un.writers == nil {
		un.writers = map[ast.Node][]ast.Node{}
	}
	un.writers[code] = list
	return list
}

// target forgets what an assignment writes to, unless it is a variable of the function
// itself.
func (o *oblivion) target(t ast.Expr) {
	switch t := t.(type) {
	case *ast.Attribute:
		if i, ok := o.standsFor(t.Value).(*value.Instance); ok && i.Attrs != nil {
			i.Attrs.Set(&o.in.heap, t.Attr.Name, o.in.Unknown(o.why))
		}
	case *ast.Subscript:
		o.contents(o.standsFor(t.Value))
	case *ast.Tuple:
		for _, e := range t.Elts {
			o.target(e)
		}
	}
}

// variables forgets variables of a function around the code, or of its module.
func (o *oblivion) variables(names []ast.Ident, bound func(name string) resolve.Binding) {
	for _, name := range names {
		b := bound(name.Name)
		_, err := o.in.quietly(func() (value.Value, error) {
			return value.None, o.in.storeBinding(o.f, b, name.Name, o.in.Unknown(o.why))
		})
		if err != nil { // there is no such variable, and nothing to forget
			continue
		}
	}
}

// contents forgets the contents of a container.
func (o *oblivion) contents(v value.Value) {
	if v == nil || o.seen[v] {
		return
	}
	o.seen[v] = true
	in, u := o.in, o.in.Unknown(o.why)
	switch v := v.(type) {
	case *value.List:
		in.heap.Touch(v)
		v.Elems, v.Open = nil, &value.Open{Elem: u, Len: in.DataInt("u", 0, nil).D}
	case *value.Dict:
		v.Clear(&in.heap)
		v.Open = &value.Open{Key: u, Elem: u, Len: in.DataInt("u", 0, nil).D}
	case *value.Set:
		in.heap.Touch(v)
		v.Open = &value.Open{Elem: u, Len: in.DataInt("u", 0, nil).D}
	case *value.Choice:
		o.contents(v.Then)
		o.contents(v.Else)
	}
}

// standsFor gives what a name or an attribute of one stands for; nil where that takes
// more than a look. A name in a function, class or comprehension inside the code is taken
// for the variable of that name of the code: what inner frames hold is made when they run.
func (o *oblivion) standsFor(e ast.Expr) value.Value {
	in, f := o.in, o.f
	switch e := e.(type) {
	case *ast.Name:
		v, err := in.quietly(func() (value.Value, error) {
			return in.loadBinding(f, f.unit.info.Bind(f.scopeIndex(), e.ID), e.ID, e)
		})
		if err == nil {
			return v
		}
	case *ast.Attribute:
		if i, ok := o.standsFor(e.Value).(*value.Instance); ok {
			if v, ok := i.Attrs.Get(e.Attr.Name); ok {
				return v
			}
		}
	}
	return nil
}
