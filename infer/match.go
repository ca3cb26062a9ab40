package infer

// This file runs match statements.

import (
	"errors"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// matchStmt tries the cases in order. subject is nil before the first.
func (in *Interp) matchStmt(f *frame, s *ast.Match, cases []*ast.MatchCase, subject value.Value) (flow, error) {
	if subject == nil {
		v, err := in.eval(f, s.Subject)
		if err != nil {
			return next, err
		}
		subject = v
	}
	if c, ok := raiseAgain(in, subject).(*value.Choice); ok { // each has its own way through the cases
		over := func(v value.Value) func() (flow, error) {
			return func() (flow, error) { return in.matchStmt(f, s, cases, v) }
		}
		return in.ifStmt(f, &value.SymBool{Cond: c.Cond}, over(c.Then), over(c.Else))
	}
	if len(cases) == 0 {
		return next, nil
	}
	c := cases[0]
	f.at = c.Pattern.Span()
	t, err := in.matchPattern(f, c.Pattern, subject)
	if err != nil {
		return next, err
	}
	t = in.decidesCase(f, c, c.Pattern.Span(), t)
	rest := func() (flow, error) { return in.matchStmt(f, s, cases[1:], subject) }
	return in.ifStmt(f, t, func() (flow, error) {
		if c.Guard == nil {
			return in.block(f, c.Body)
		}
		g, err := in.test(f, c.Guard)
		if err != nil {
			return next, err
		}
		g = in.decidesCase(f, c, c.Guard.Span(), g)
		return in.ifStmt(f, g, func() (flow, error) { return in.block(f, c.Body) }, rest)
	}, rest)
}

// matchPattern gives the truth value of a match and binds its names.
func (in *Interp) matchPattern(f *frame, p ast.Pattern, v value.Value) (value.Value, error) {
	yes, no := value.Value(value.Bool(true)), value.Value(value.Bool(false))
	switch p := p.(type) {
	case *ast.MatchValue:
		x, err := in.eval(f, p.Value)
		if err != nil {
			return nil, err
		}
		r, err := in.Compare(ast.Eq, v, x)
		if err != nil {
			return nil, err
		}
		return in.Truth(r)
	case *ast.MatchSingleton:
		want := value.None
		switch p.Value {
		case ast.TrueConst:
			want = value.Bool(true)
		case ast.FalseConst:
			want = value.Bool(false)
		}
		r, err := in.Identical(v, want)
		if err != nil {
			return nil, err
		}
		return in.Truth(r)
	case *ast.MatchAs:
		if p.Pattern != nil {
			t, err := in.matchPattern(f, p.Pattern, v)
			if err != nil || t == no {
				return t, err
			}
			if p.Name != nil {
				err = in.store(f, p.Name, v)
			}
			return t, err
		}
		if p.Name != nil {
			return yes, in.store(f, p.Name, v)
		}
		return yes, nil
	case *ast.MatchOr:
		for _, alt := range p.Patterns {
			t, err := in.matchPattern(f, alt, v)
			if err != nil || t != no {
				return t, err
			}
		}
		return no, nil
	case *ast.MatchSequence:
		return in.matchSequence(f, p, v)
	case *ast.MatchMapping:
		return in.matchMapping(f, p, v)
	case *ast.MatchClass:
		return in.matchClass(f, p, v)
	}
	return no, nil
}

// allTrue combines the truth values of several parts.
func allTrue(th value.Thread, parts func(yield func(value.Value, error) bool)) (value.Value, error) {
	result := value.Value(value.Bool(true))
	for t, err := range parts {
		if err != nil {
			return nil, err
		}
		if t == value.Value(value.Bool(false)) {
			return t, nil
		}
		if t == value.Value(value.Bool(true)) {
			continue
		}
		r, err := bothTrue(th, result, t)
		if err != nil {
			return nil, err
		}
		result = r
	}
	return result, nil
}

// matchSequence matches a sequence pattern, with at most one star. For a sequence of unknown length the match is
// undecided, and all names of the pattern are bound to its element.
func (in *Interp) matchSequence(f *frame, p *ast.MatchSequence, v value.Value) (value.Value, error) {
	var elems []value.Value
	switch x := v.(type) {
	case *value.Tuple:
		elems = x.Elems
	case *value.List:
		if x.Open != nil {
			return in.DataBool(nil), in.bindAll(f, p.Patterns, x.Open.Elem)
		}
		elems = x.Elems
	case *value.Unknown:
		return in.DataBool(nil), in.bindAll(f, p.Patterns, x)
	default:
		if !isSequence(in.TypeOf(v)) {
			return value.Bool(false), nil
		}
		err := in.Iterate(v, func(x value.Value) error {
			elems = append(elems, x)
			return in.Step(1)
		})
		var open *value.OpenError
		if errors.As(err, &open) {
			return in.DataBool(nil), in.bindAll(f, p.Patterns, open.Open.Elem)
		}
		if err != nil {
			return nil, err
		}
	}
	star := -1
	for i, q := range p.Patterns {
		if _, ok := q.(*ast.MatchStar); ok {
			star = i
		}
	}
	n := len(p.Patterns)
	if star < 0 && len(elems) != n || len(elems) < n-1 {
		return value.Bool(false), nil
	}
	return allTrue(in, func(yield func(value.Value, error) bool) {
		for i, q := range p.Patterns {
			if i == star {
				s := q.(*ast.MatchStar)
				if s.Name != nil {
					rest := append([]value.Value(nil), elems[i:len(elems)-(n-1-i)]...)
					if err := in.store(f, s.Name, in.heap.NewList(rest)); err != nil {
						yield(nil, err)
						return
					}
				}
				continue
			}
			at := i
			if star >= 0 && i > star {
				at = len(elems) - (n - i)
			}
			if !yield(in.matchPattern(f, q, elems[at])) {
				return
			}
		}
	})
}

// isSequence reports whether a sequence pattern takes objects of a class, tuples and lists
// aside: texts are none (PEP 634).
func isSequence(c *value.Class) bool {
	for _, k := range c.MRO {
		switch k.FullName() {
		case "builtins.range", "range", "builtins.memoryview", "memoryview", "collections.deque",
			"collections.abc.Sequence", "_collections_abc.Sequence", "typing.Sequence", "collections.abc.MutableSequence", "typing.MutableSequence":
			return true
		}
	}
	return false
}

// bindAll binds every name of the patterns to the same value.
func (in *Interp) bindAll(f *frame, patterns []ast.Pattern, v value.Value) error {
	for _, p := range patterns {
		if s, ok := p.(*ast.MatchStar); ok {
			if s.Name != nil {
				if err := in.store(f, s.Name, v); err != nil {
					return err
				}
			}
			continue
		}
		if _, err := in.matchPattern(f, p, v); err != nil {
			return err
		}
	}
	return nil
}

// matchMapping matches a mapping pattern: every key must be there and its value match. The rest, where it has a name,
// is a new dict of the other keys.
func (in *Interp) matchMapping(f *frame, p *ast.MatchMapping, v value.Value) (value.Value, error) {
	d, ok := v.(*value.Dict)
	if !ok {
		if value.IsUnknown(v) {
			return in.DataBool(nil), in.bindAll(f, p.Patterns, v)
		}
		return value.Bool(false), nil
	}
	used := map[any]bool{}
	t, err := allTrue(in, func(yield func(value.Value, error) bool) {
		for i, k := range p.Keys {
			x, err := in.eval(f, k)
			if err != nil {
				yield(nil, err)
				return
			}
			h, err := in.HashKey(x)
			if err != nil {
				yield(nil, err)
				return
			}
			used[h] = true
			e, ok := d.Get(h)
			if !ok {
				yield(value.Bool(false), nil)
				return
			}
			if !yield(in.matchPattern(f, p.Patterns[i], e)) {
				return
			}
		}
	})
	if err != nil || p.Rest == nil {
		return t, err
	}
	rest := in.heap.NewDict()
	for i := range d.Len() {
		h, err := in.HashKey(d.Key(i))
		if err != nil {
			return nil, err
		}
		if !used[h] {
			rest.Set(&in.heap, h, d.Key(i), d.At(i))
		}
	}
	return t, in.store(f, p.Rest, rest)
}

// matchClass matches a class pattern: isinstance, then positional patterns by __match_args__ and keyword patterns by
// attribute. A builtin class without __match_args__, such as int, matches its one pattern with the value itself.
func (in *Interp) matchClass(f *frame, p *ast.MatchClass, v value.Value) (value.Value, error) {
	c, err := in.eval(f, p.Cls)
	if err != nil {
		return nil, err
	}
	isinstance, _ := in.world.Builtins().Get("isinstance")
	r, err := in.Call(isinstance, []value.Value{v, c}, nil)
	if err != nil {
		return nil, err
	}
	t, err := in.Truth(r)
	if err != nil || t == value.Value(value.Bool(false)) {
		return t, err
	}
	cls, _ := c.(*value.Class)
	var names []string
	if cls != nil {
		if ma, ok := cls.Lookup("__match_args__"); ok {
			if tup, ok := ma.(*value.Tuple); ok {
				for _, e := range tup.Elems {
					s, _ := value.AsStr(e)
					names = append(names, s)
				}
			}
		}
	}
	parts, err := allTrue(in, func(yield func(value.Value, error) bool) {
		for i, q := range p.Patterns {
			if i >= len(names) { // int(x), str(s): the value itself
				if !yield(in.matchPattern(f, q, v)) {
					return
				}
				continue
			}
			x, err := in.GetAttr(v, names[i])
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(in.matchPattern(f, q, x)) {
				return
			}
		}
		for i, q := range p.KwdPatterns {
			x, ok, err := in.LookupAttr(v, p.KwdAttrs[i].Name)
			if err != nil {
				yield(nil, err)
				return
			}
			if !ok {
				yield(value.Bool(false), nil)
				return
			}
			if !yield(in.matchPattern(f, q, x)) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return bothTrue(in, t, parts)
}
