package infer

// This file runs match statements. A pattern's match is a truth value, which may be symbolic: then
// the body and the other cases are both followed, as for an if. Names are bound as soon as their
// part matches, also where the whole then fails, as CPython does.

import (
	"errors"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// patterns compare a subject with the patterns of match statements, which ask for its class, attributes and items.
type patterns struct {
	*base
	in *Interp
}

// matchStmt tries the cases in order. subject is nil before the first. cases are those that are
// left. The error is that of evaluating a pattern, a guard or a body.
func (pt *patterns) matchStmt(f *frame, s *ast.Match, cases []*ast.MatchCase, subject value.Value) (flow, error) {
	if subject == nil {
		v, err := pt.in.eval(f, s.Subject)
		if err != nil {
			return next, err
		}
		subject = v
	}
	// The subject is one of two values.
	if c, ok := raiseAgain(pt.in, subject).(*value.Choice); ok { // each has its own way through the cases
		over := func(v value.Value) func() (flow, error) {
			return func() (flow, error) { return pt.matchStmt(f, s, cases, v) }
		}
		return pt.in.flow.ifStmt(f, &value.SymBool{Cond: c.Cond}, over(c.Then), over(c.Else))
	}
	// No case matched.
	if len(cases) == 0 {
		return next, nil
	}
	c := cases[0]
	f.at = c.Pattern.Span()
	t, err := pt.matchPattern(f, c.Pattern, subject)
	if err != nil {
		return next, err
	}
	t = pt.in.deciding.decidesCase(f, c, c.Pattern.Span(), t)
	rest := func() (flow, error) { return pt.matchStmt(f, s, cases[1:], subject) }
	return pt.in.flow.ifStmt(f, t, func() (flow, error) {
		// A guard is evaluated after the names are bound.
		if c.Guard == nil {
			return pt.in.block(f, c.Body)
		}
		g, err := pt.in.test(f, c.Guard)
		if err != nil {
			return next, err
		}
		g = pt.in.deciding.decidesCase(f, c, c.Guard.Span(), g)
		return pt.in.flow.ifStmt(f, g, func() (flow, error) { return pt.in.block(f, c.Body) }, rest)
	}, rest)
}

// matchPattern gives the truth value of a match and binds its names. The error is that of comparing
// or of evaluating a value.
func (pt *patterns) matchPattern(f *frame, p ast.Pattern, v value.Value) (value.Value, error) {
	yes, no := value.Value(value.Bool(true)), value.Value(value.Bool(false))
	switch p := p.(type) {
	// A literal or dotted name is compared by equality, None, True and False by identity.
	case *ast.MatchValue:
		x, err := pt.in.eval(f, p.Value)
		if err != nil {
			return nil, err
		}
		r, err := pt.in.Compare(ast.Eq, v, x)
		if err != nil {
			return nil, err
		}
		return pt.in.Truth(r)
	case *ast.MatchSingleton:
		want := value.None
		switch p.Value {
		case ast.TrueConst:
			want = value.Bool(true)
		case ast.FalseConst:
			want = value.Bool(false)
		}
		r, err := pt.in.Identical(v, want)
		if err != nil {
			return nil, err
		}
		return pt.in.Truth(r)
	// "pattern as name", a name alone, or the wildcard.
	case *ast.MatchAs:
		if p.Pattern != nil {
			t, err := pt.matchPattern(f, p.Pattern, v)
			if err != nil || t == no {
				return t, err
			}
			if p.Name != nil {
				err = pt.in.store(f, p.Name, v)
			}
			return t, err
		}
		if p.Name != nil {
			return yes, pt.in.store(f, p.Name, v)
		}
		return yes, nil
	// The first alternative that may match decides; later ones are then not looked at.
	case *ast.MatchOr:
		for _, alt := range p.Patterns {
			t, err := pt.matchPattern(f, alt, v)
			if err != nil || t != no {
				return t, err
			}
		}
		return no, nil
	case *ast.MatchSequence:
		return pt.matchSequence(f, p, v)
	case *ast.MatchMapping:
		return pt.matchMapping(f, p, v)
	case *ast.MatchClass:
		return pt.matchClass(f, p, v)
	}
	return no, nil
}

// allTrue combines the truth values of several parts. The parts after one that is false are not
// asked for, and so their names are not bound.
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
func (pt *patterns) matchSequence(f *frame, p *ast.MatchSequence, v value.Value) (value.Value, error) {
	var elems []value.Value
	switch x := v.(type) {
	case *value.Tuple:
		elems = x.Elems
	case *value.List:
		if x.Open != nil {
			return pt.in.DataBool(nil), pt.bindAll(f, p.Patterns, x.Open.Elem)
		}
		elems = x.Elems
	case *value.Unknown:
		return pt.in.DataBool(nil), pt.bindAll(f, p.Patterns, x)
	// Other sequences are gone over.
	default:
		if !isSequence(pt.in.TypeOf(v)) {
			return value.Bool(false), nil
		}
		err := pt.in.Iterate(v, func(x value.Value) error {
			elems = append(elems, x)
			return pt.in.Step(1)
		})
		var open *value.OpenError
		if errors.As(err, &open) {
			return pt.in.DataBool(nil), pt.bindAll(f, p.Patterns, open.Open.Elem)
		}
		if err != nil {
			return nil, err
		}
	}
	// At most one pattern is a star, which the parser checks.
	star := -1
	for i, q := range p.Patterns {
		if _, ok := q.(*ast.MatchStar); ok {
			star = i
		}
	}
	n := len(p.Patterns)
	// With a star all others must have an element.
	if star < 0 && len(elems) != n || len(elems) < n-1 {
		return value.Bool(false), nil
	}
	return allTrue(pt.in, func(yield func(value.Value, error) bool) {
		for i, q := range p.Patterns {
			if i == star {
				s := q.(*ast.MatchStar)
				if s.Name != nil {
					rest := append([]value.Value(nil), elems[i:len(elems)-(n-1-i)]...)
					if err := pt.in.store(f, s.Name, pt.heap.NewList(rest)); err != nil {
						yield(nil, err)
						return
					}
				}
				continue
			}
			// Patterns behind the star count from the end.
			at := i
			if star >= 0 && i > star {
				at = len(elems) - (n - i)
			}
			if !yield(pt.matchPattern(f, q, elems[at])) {
				return
			}
		}
	})
}

// isSequence reports whether a sequence pattern takes objects of a class, tuples and lists
// aside: texts are none (PEP 634). The classes are those that CPython marks as sequences, and their
// subclasses.
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

// bindAll binds every name of the patterns to the same value. What the patterns demand is not
// looked at.
func (pt *patterns) bindAll(f *frame, patterns []ast.Pattern, v value.Value) error {
	for _, p := range patterns {
		if s, ok := p.(*ast.MatchStar); ok {
			if s.Name != nil {
				if err := pt.in.store(f, s.Name, v); err != nil {
					return err
				}
			}
			continue
		}
		if _, err := pt.matchPattern(f, p, v); err != nil {
			return err
		}
	}
	return nil
}

// matchMapping matches a mapping pattern: every key must be there and its value match. The rest, where it has a name,
// is a new dict of the other keys. A mapping that is no dict does not match here.
func (pt *patterns) matchMapping(f *frame, p *ast.MatchMapping, v value.Value) (value.Value, error) {
	d, ok := v.(*value.Dict)
	if !ok {
		if value.IsUnknown(v) {
			return pt.in.DataBool(nil), pt.bindAll(f, p.Patterns, v)
		}
		return value.Bool(false), nil
	}
	// Keys that the pattern names.
	used := map[any]bool{}
	t, err := allTrue(pt.in, func(yield func(value.Value, error) bool) {
		for i, k := range p.Keys {
			x, err := pt.in.eval(f, k)
			if err != nil {
				yield(nil, err)
				return
			}
			h, err := pt.in.HashKey(x)
			if err != nil {
				yield(nil, err)
				return
			}
			used[h] = true
			// A key that is missing fails; a dict with other keys that are not known fails too.
			e, ok := d.Get(h)
			if !ok {
				yield(value.Bool(false), nil)
				return
			}
			if !yield(pt.matchPattern(f, p.Patterns[i], e)) {
				return
			}
		}
	})
	if err != nil || p.Rest == nil {
		return t, err
	}
	rest := pt.heap.NewDict()
	for i := range d.Len() {
		if err := pt.in.Step(1); err != nil {
			return nil, err
		}
		h, err := pt.in.HashKey(d.Key(i))
		if err != nil {
			return nil, err
		}
		if !used[h] {
			rest.Set(&pt.heap, h, d.Key(i), d.At(i))
		}
	}
	return t, pt.in.store(f, p.Rest, rest)
}

// matchClass matches a class pattern: isinstance, then positional patterns by __match_args__ and keyword patterns by
// attribute. A builtin class without __match_args__, such as int, matches its one pattern with the
// value itself. The error is that of isinstance, or of an attribute that raises.
func (pt *patterns) matchClass(f *frame, p *ast.MatchClass, v value.Value) (value.Value, error) {
	c, err := pt.in.eval(f, p.Cls)
	if err != nil {
		return nil, err
	}
	isinstance, _ := pt.world.Builtins().Get("isinstance")
	r, err := pt.in.Call(isinstance, []value.Value{v, c}, nil)
	if err != nil {
		return nil, err
	}
	t, err := pt.in.Truth(r)
	if err != nil || t == value.Value(value.Bool(false)) {
		return t, err
	}
	// The names of positional patterns.
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
	// The attributes are read only if the object may be an instance.
	parts, err := allTrue(pt.in, func(yield func(value.Value, error) bool) {
		for i, q := range p.Patterns {
			if i >= len(names) { // int(x), str(s): the value itself
				if !yield(pt.matchPattern(f, q, v)) {
					return
				}
				continue
			}
			x, err := pt.in.GetAttr(v, names[i])
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(pt.matchPattern(f, q, x)) {
				return
			}
		}
		for i, q := range p.KwdPatterns {
			x, ok, err := pt.in.LookupAttr(v, p.KwdAttrs[i].Name)
			if err != nil {
				yield(nil, err)
				return
			}
			if !ok {
				yield(value.Bool(false), nil)
				return
			}
			if !yield(pt.matchPattern(f, q, x)) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return bothTrue(pt.in, t, parts)
}
