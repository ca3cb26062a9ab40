package infer

// This file knows the functions of the program that were given to something unknown, as
// hooks are to a model that is not known: it may call them, then or later, so that what they
// change is unknown after each call of something unknown.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

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
func (in *Interp) callsUnknown(args []value.Value, kw []value.Kw) {
	in.grads.hidesGradients(args, kw)
	for _, t := range in.tracers.all {
		t.CallUnknown(args)
	}
	for _, a := range args {
		in.givesAway(a)
		in.givesContainers(a, givenDepth)
	}
	for _, k := range kw {
		in.givesAway(k.Value)
		in.givesContainers(k.Value, givenDepth)
	}
	for _, c := range in.callbacks {
		in.forgetEffects(c.frame, "a function that was given to something unknown may change it")
	}
}

// DeepCopied has a copy of something unknown call the methods of the copied receivers.
func (in *Interp) DeepCopied(old, copied value.Value) {
	for _, c := range in.callbacks {
		if c.self == old {
			in.givesAway(&value.BoundMethod{Self: copied, Func: c.fn})
		}
	}
}

// givesAway notes a function of the program that was passed to something unknown, which may call it at any time
// with anything: what such a call changes is then not known either. Functions that change nothing outside of
// themselves are left out.
func (in *Interp) givesAway(v value.Value) {
	var self value.Value
	if b, ok := v.(*value.BoundMethod); ok {
		self, v = b.Self, b.Func
	}
	fn, ok := v.(*value.Func)
	if !ok || fn.Module == nil || fn.Module.Prelude || len(in.callbacks) >= maxCallbacks {
		return
	}
	for _, c := range in.callbacks {
		if c.fn == fn && c.self == self {
			return
		}
	}
	c := fn.Code.(*code)
	if in.imports.complete(c) != nil || !changes(c.node) {
		return
	}
	f := in.stack.newFrame(c, fn.Module)
	f.fn, f.free = fn, fn.Closure
	for i := range parameters(fn.Params) {
		v := value.Value(in.Unknown("what something unknown gives to a function"))
		if i == 0 && self != nil && len(fn.Params.PosOnly)+len(fn.Params.Args) > 0 {
			v = self
		}
		if f.V[i] = v; c.scope.IsCell(i) {
			f.cells[i] = in.heap.NewCell(v)
		}
	}
	in.callbacks = append(in.callbacks, &callback{fn, self, f})
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
