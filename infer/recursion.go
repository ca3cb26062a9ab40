package infer

// This file ends recursions over what is not known: a function that walks a
// nested structure calls itself for its parts, and of an unknown structure the
// parts are unknown, too, to any depth.

import "shapecheck/infer/value"

// maxUnknownCalls is how many calls of a function may be under way with the same
// unknown arguments before the next one is not run. It is more than one, so that
// lists that the function fills are seen to grow.
const maxUnknownCalls = 2

// maxUndecidedCalls is how many calls of a function may be under way of which each is in a branch or
// a loop of the one before that data decide.
const maxUndecidedCalls = 6

// recurs gives the result of a call that would only repeat calls that are under
// way: of the same function, with arguments that are known no better, in a branch
// or a loop that data decide. Whether it ends depends on data.
func (in *Interp) recurs(f *frame, args []value.Value, kw []value.Kw) value.Value {
	if len(kw) > 0 {
		all := make([]value.Value, 0, len(args)+len(kw))
		all = append(all, args...)
		for _, k := range kw {
			all = append(all, k.Value)
		}
		args = all
	}
	f.args, f.conds = args, len(in.path.conds)+len(in.loops)
	if f.conds == 0 {
		return nil
	}
	var first *value.Unknown
	for _, a := range args {
		if u, ok := a.(*value.Unknown); ok {
			first = u
		}
	}
	n, deep, least := 0, 0, f.conds
	for g := in.stack.frame; g != nil; g = g.caller {
		if g.fn == nil || g.code != f.code || g.conds >= f.conds {
			continue
		}
		if g.conds < least {
			least = g.conds
			if deep++; deep >= maxUndecidedCalls {
				return in.Unknown("whether " + f.code.name + "(), which calls itself, ends")
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

// sameArgs reports whether two calls cannot be told apart by their arguments.
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

// sameArg reports whether two values are the same number, text or object.
func sameArg(a, b value.Value) bool {
	switch a.(type) {
	case *value.Tensor, *value.SymInt, *value.SymFloat, *value.SymBool, *value.Tuple, *value.Choice: // may be better known in a branch
		return false
	}
	return same(a, b)
}
