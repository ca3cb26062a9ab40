package infer

// This file gives calls of functions of the program that are not made: what such a function may change, itself and by the functions that it
// calls, is forgotten.

import (
	"strconv"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// maxReached is how many functions are looked through for what one call that is not made may change. What others change is taken as unchanged.
const maxReached = 256

// whyUnfollowed is why the values are unknown that such a call may change.
const whyUnfollowed = "a function that is not followed may change it"

// unfollowed is the result of a call of a function of the program that is not made, as too much was spent under conditions on what is not
// known. f is the frame of the call, with its arguments.
func (un *opaqueCalls) unfollowed(f *frame, args []value.Value, kw []value.Kw) value.Value {
	un.forgetReached(f)
	un.callsUnknown(args, kw)
	return un.in.Unknown("calls under a condition on something unknown are not followed any more, after " +
		strconv.Itoa(maxDoubtful) + " steps")
}

// A reachedCode is the code of a function with its first argument: what it changes is forgotten once.
type reachedCode struct {
	code  ast.Node
	first value.Value
}

// forgetReached forgets what the function of a frame may change, and the functions that it calls, as far as a look at the names in their code
// tells which these are.
func (un *opaqueCalls) forgetReached(f *frame) {
	seen := map[reachedCode]bool{}
	list := []*frame{f}
	for len(list) > 0 && len(seen) < maxReached {
		f := list[len(list)-1]
		list = list[:len(list)-1]
		if f.fn == nil || f.fn.Node == nil {
			continue
		}
		key := reachedCode{f.code.node, nil}
		if len(f.V) > 0 && parameters(f.fn.Params) > 0 {
			key.first = f.param(0)
		}
		if value.IsUnknown(key.first) { // each is another one
			key.first = nil
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		callees := un.callees(f)
		if changes(f.code.node) {
			un.forgetEffects(f, whyUnfollowed)
		}
		list = append(list, callees...)
	}
}

// callees are frames of the functions that the code of a frame calls, or that its assignments to elements call.
func (un *opaqueCalls) callees(f *frame) []*frame {
	o := &oblivion{un.in, f, whyUnfollowed, map[value.Value]bool{}}
	var out []*frame
	reach := func(v value.Value, args []value.Value) {
		if fn, ok := v.(*value.Func); ok && fn.Module != nil && fn.Code != nil && un.in.imports.complete(fn.Code.(*code)) == nil {
			out = append(out, un.frameWith(fn, args))
		}
	}
	method := func(of value.Value, name string, args []value.Value) {
		if i, ok := of.(*value.Instance); ok {
			if v, ok := i.Class.Lookup(name); ok {
				reach(v, append([]value.Value{i}, args...))
			}
		}
	}
	for _, n := range un.callsIn(f.code.node) {
		switch n := n.(type) {
		case *ast.Subscript:
			method(o.standsFor(n.Value), "__setitem__", nil)
		case *ast.Call:
			var args []value.Value
			for _, a := range n.Args {
				if _, starred := a.(*ast.Starred); starred {
					break
				}
				args = append(args, o.standsFor(a))
			}
			if a, ok := n.Func.(*ast.Attribute); ok {
				if un.callsSuper(a) {
					un.inherited(f, a.Attr.Name, func(v value.Value, self value.Value) { reach(v, append([]value.Value{self}, args...)) })
					continue
				}
				method(o.standsFor(a.Value), a.Attr.Name, args)
			}
			switch v := o.standsFor(n.Func).(type) {
			case *value.Func:
				reach(v, args)
			case *value.BoundMethod:
				reach(v.Func, append([]value.Value{v.Self}, args...))
			case *value.Class:
				if init, ok := v.Lookup("__init__"); ok {
					reach(init, append([]value.Value{nil}, args...))
				}
			case *value.Instance:
				for _, name := range []string{"__call__", "forward"} {
					if m, ok := v.Class.Lookup(name); ok && !ofPrelude(m) {
						method(v, name, args)
					}
				}
			}
		}
	}
	return out
}

// ofPrelude reports whether a value is a function of the prelude: calls of its modules change nothing that programs look at.
func ofPrelude(v value.Value) bool {
	fn, ok := v.(*value.Func)
	return ok && fn.Module != nil && fn.Module.Prelude
}

// callsSuper reports whether an attribute is that of a call of super().
func (un *opaqueCalls) callsSuper(a *ast.Attribute) bool {
	c, ok := a.Value.(*ast.Call)
	if !ok {
		return false
	}
	name, ok := c.Func.(*ast.Name)
	return ok && name.ID == "super"
}

// inherited finds the method that super() gives in the code of a frame.
func (un *opaqueCalls) inherited(f *frame, name string, found func(v, self value.Value)) {
	if f.fn.Class == nil || parameters(f.fn.Params) == 0 {
		return
	}
	self, ok := f.param(0).(*value.Instance)
	if !ok {
		return
	}
	after := false
	for _, c := range self.Class.MRO {
		if v, ok := c.Attrs.Get(name); ok && after {
			found(v, self)
			return
		}
		after = after || c == f.fn.Class
	}
}

// callsIn are the calls in the code of a function and its assignments to elements, in order.
func (un *opaqueCalls) callsIn(code ast.Node) []ast.Node {
	if list, ok := un.calls[code]; ok {
		return list
	}
	var list []ast.Node
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Call:
			list = append(list, n)
		case *ast.Subscript:
			if n.Ctx != ast.Load {
				list = append(list, n)
			}
		}
		return true
	})
	if un.calls == nil {
		un.calls = map[ast.Node][]ast.Node{}
	}
	un.calls[code] = list
	return list
}
