package conformance

// This file compares the arguments of calls. Both calls are bound to the
// function's signature, as the same argument may be given by position or by name,
// and sizes one by one or as a list.

import (
	"fmt"
	"maps"
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
)

// bound are the arguments of a call by their parameters.
type bound map[string]any

// bindBoth binds two calls to the first overload that takes both.
func bindBoth(op *ops.Op, in1 []any, kw1 map[string]any, in2 []any, kw2 map[string]any) (a, b bound, ok bool) {
	for _, s := range op.Signatures() {
		a, ok1 := bindTo(&s, in1, kw1)
		b, ok2 := bindTo(&s, in2, kw2)
		if ok1 && ok2 {
			return a, b, true
		}
	}
	return nil, nil, false
}

// bindTo assigns a call's arguments to the parameters of a signature as Python does; ok is false
// where the call does not fit it.
func bindTo(s *ops.Signature, in []any, kw map[string]any) (bound, bool) {
	b := bound{}
	for i, v := range in {
		if i >= len(s.Params) || s.Params[i].KwOnly || i == s.Rest || i == s.KwRest {
			return nil, false
		}
		p := &s.Params[i]
		if _, ok := b[p.Name]; ok {
			return nil, false
		}
		if _, isList := plain(v).([]any); p.Variadic && !isList {
			b[p.Name] = append([]any(nil), in[i:]...)
			break
		}
		b[p.Name] = v
	}
	for name, v := range kw {
		i := slices.IndexFunc(s.Params, func(p ops.Param) bool { return p.Name == name })
		if _, twice := b[name]; i < 0 || twice {
			return nil, false
		}
		b[name] = v
	}
	return b, true
}

// plain takes the sequence out of a tuple, a size or a list.
func plain(v any) any {
	if o, ok := v.(map[string]any); ok && len(o) == 1 {
		for _, key := range [...]string{"tuple", "size"} {
			if list, ok := o[key].([]any); ok {
				return list
			}
		}
	}
	return v
}

// arguments compares the arguments of a call; those that one of the calls leaves
// to their defaults are not compared.
func (m *matcher) arguments(fn string, got *opDoc, want *TraceOp) (verdict, string) {
	op, ok := catalog.Lookup(fn)
	if !ok {
		return m.positional(got.in, want.In)
	}
	a, b, ok := bindBoth(op, got.in, got.kw, want.In, want.Kw)
	if !ok {
		return m.positional(got.in, want.In)
	}
	worst := equal
	for _, name := range slices.Sorted(maps.Keys(b)) {
		g, ok := a[name]
		if !ok {
			continue
		}
		v := m.argument(g, b[name])
		if v > dataDependent {
			return v, fmt.Sprintf("%s=%v, not %v", name, g, b[name])
		}
		worst = max(worst, v)
	}
	return worst, ""
}

func (m *matcher) positional(got, want []any) (verdict, string) {
	worst := equal
	for i := range min(len(got), len(want)) {
		v := m.argument(got[i], want[i])
		if v > dataDependent {
			return v, fmt.Sprintf("in %d: %v, not %v", i, got[i], want[i])
		}
		worst = max(worst, v)
	}
	return worst, ""
}

// argument compares an argument: a list or tuple will do for each other, and a
// number for several that are equal.
func (m *matcher) argument(got, want any) verdict {
	g, w := plain(got), plain(want)
	gl, ok1 := g.([]any)
	wl, ok2 := w.([]any)
	switch {
	case ok1 && ok2 && len(gl) == len(wl):
		worst := equal
		for i := range wl {
			worst = max(worst, m.argument(gl[i], wl[i]))
		}
		return worst
	case ok1 != ok2 && ok1 && isNumber(w):
		return m.spread(gl, func(x any) verdict { return m.argument(x, w) })
	case ok1 != ok2 && ok2 && isNumber(g):
		return m.spread(wl, func(x any) verdict { return m.argument(g, x) })
	}
	return m.match(got, want)
}

func (m *matcher) spread(list []any, match func(any) verdict) verdict {
	worst := equal
	for _, x := range list {
		worst = max(worst, match(x))
	}
	return worst
}

func isNumber(v any) bool { _, ok := v.(float64); return ok }
