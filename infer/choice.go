package infer

// This file calls library functions on arguments of which some are one of two
// values, also inside lists.
//
// It also performs operations on dicts whose keys depend on a condition, once for each
// of their contents.

import (
	"errors"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// maxChoices bounds the undecided conditions of one call: each doubles the work.
const maxChoices = 6

// choiceIn finds a choice among arguments or the elements of lists there.
func choiceIn(args []value.Value, kw []value.Kw) *value.Choice {
	for _, a := range args {
		if c := firstChoice(a, 2); c != nil {
			return c
		}
	}
	for _, k := range kw {
		if c := firstChoice(k.Value, 2); c != nil {
			return c
		}
	}
	return nil
}

// firstChoice finds a value of two branches inside of v: whoever wants one value asks for each of them.
func firstChoice(v value.Value, depth int) *value.Choice {
	for x := range value.Walk(v, depth, value.Sequences|value.OpenElems) {
		if c, ok := x.(*value.Choice); ok {
			return c
		}
	}
	return nil
}

// applyToChoice calls a record once for each value of a choice that is in its
// arguments. What is chosen under the same condition is chosen together.
func (in *Interp) applyToChoice(c *value.Choice, name string, args []value.Value, kw []value.Kw) (value.Value, error) {
	if err := in.Enter(""); err != nil {
		return nil, err
	}
	defer in.Leave()
	conds := map[*symshape.Cond]bool{}
	for _, a := range args {
		countChoices(conds, a, 2)
	}
	for _, k := range kw {
		countChoices(conds, k.Value, 2)
	}
	if len(conds) > maxChoices {
		return in.Unknown("the arguments of this call have too many alternatives"), nil
	}
	return in.distributeOp(name, c, func(v value.Value) (value.Value, error) {
		p := pick{in: in, of: c, value: v}
		named := make([]value.Kw, len(kw))
		for i, k := range kw {
			named[i] = value.Kw{Name: k.Name, Value: p.in1(k.Value, 2)}
		}
		return in.opFunc(name).Fn(in, p.all(args, 3), named)
	})
}

// distributeOp is distribute for the call of a library function.
func (in *Interp) distributeOp(name string, c *value.Choice, op func(value.Value) (value.Value, error)) (value.Value, error) {
	if err := in.Enter(""); err != nil {
		return nil, err
	}
	defer in.Leave()
	was := in.choosing
	record, ok := catalog.Lookup(name)
	in.choosing = ok && record.Has(ops.CountsAxes)
	defer func() { in.choosing = was }()
	return in.distribute(c, op)
}

// methodName is the full name of the library function that a choice of methods
// calls, or empty.
func methodName(c *value.Choice) string {
	for v := range value.Walk(c, 0, value.Sides) {
		if m, ok := v.(*value.BoundMethod); ok {
			if b, ok := m.Func.(*value.Builtin); ok {
				return b.Name
			}
		}
	}
	return ""
}

// countChoices collects the conditions of all choices inside of a value, which bounds in how many cases it
// falls apart.
func countChoices(conds map[*symshape.Cond]bool, v value.Value, depth int) {
	for x := range value.Walk(v, depth, value.Sequences|value.OpenElems|value.Sides) {
		if c, ok := x.(*value.Choice); ok {
			conds[c.Cond] = true
		}
	}
}

// A pick resolves choices where one value of a choice was taken.
type pick struct {
	in    *Interp
	of    *value.Choice
	value value.Value // the one that was taken
}

// choice resolves a choice: by the side that was taken when the condition is the
// same, even where the path cannot decide it; else by the path.
func (p pick) choice(c *value.Choice) value.Value {
	if c == p.of {
		return p.value
	}
	if c.Cond != nil && (p.value == p.of.Then || p.value == p.of.Else) {
		then := p.value == p.of.Then
		switch c.Cond {
		case p.of.Cond:
		case p.in.pool.Not(p.of.Cond):
			then = !then
		default:
			return decided(p.in, c)
		}
		if then {
			return c.Then
		}
		return c.Else
	}
	return decided(p.in, c)
}

// in1 gives v, looking for choices in lists to the given depth.
func (p pick) in1(v value.Value, depth int) value.Value {
	if firstChoice(v, depth) == nil {
		return v
	}
	switch v := v.(type) {
	case *value.Choice:
		if d := p.choice(v); d != value.Value(v) {
			return p.in1(d, depth)
		}
	case *value.Tuple:
		return &value.Tuple{Class: v.Class, Elems: p.all(v.Elems, depth)}
	case *value.List:
		out := p.in.heap.NewList(p.all(v.Elems, depth))
		out.Class = v.Class
		if v.Open != nil {
			open := *v.Open
			open.Elem = p.in1(open.Elem, depth-1)
			out.Open = &open
		}
		return out
	}
	return v
}

func (p pick) all(elems []value.Value, depth int) []value.Value {
	out := make([]value.Value, len(elems))
	for i, e := range elems {
		out[i] = p.in1(e, depth-1)
	}
	return out
}

// isContainers reports whether v is one of two containers.
func isContainers(v value.Value) bool {
	switch v := v.(type) {
	case *value.Choice:
		return container(v.Then) && container(v.Else)
	}
	return false
}

// asksType are the builtins that ask what kind of value their argument is, or call a method
// of it.
var asksType = map[string]bool{"len": true, "isinstance": true, "type": true, "callable": true, "hasattr": true, "getattr": true,
	"int": true, "float": true, "complex": true}

// isPlain reports whether v is a choice of values of Python's own types.
func isPlain(v value.Value) bool {
	switch v := v.(type) {
	case *value.Choice:
		return isPlain(v.Then) && isPlain(v.Else)
	case value.Str, value.Bytes, *value.Abstract, value.Bool, *value.SymBool, value.Int, *value.SymInt, value.Float, *value.SymFloat:
		return true
	}
	return v == value.None || container(v)
}

func container(v value.Value) bool {
	switch v.(type) {
	case *value.Tuple, *value.List, *value.Dict, *value.Set, *value.Range:
		return true
	}
	return isContainers(v)
}

// iterChoice iterates over one of two iterables. Where both have the same number
// of elements each element is one of two, else their number is not known.
func (in *Interp) iterChoice(c *value.Choice) (*value.Iterator, error) {
	if err := in.Enter(""); err != nil {
		return nil, err
	}
	defer in.Leave()
	if v := decided(in, c); v != value.Value(c) {
		return in.Iter(v)
	}
	if !isContainers(c) {
		in.rec.assumed(&value.Cause{At: in.Here(), Reason: "one of two iterables"}, "iteration over one of two iterables")
		return in.Iter(raiseAgain(in, c.Then))
	}
	var sides [2][]value.Value
	var all value.Value
	open := false
	add := func(v value.Value) {
		if all == nil {
			all = v
		} else {
			all = in.Join(all, v)
		}
	}
	for i, side := range [...]value.Value{c.Then, c.Else} {
		err := in.Iterate(side, func(v value.Value) error {
			sides[i] = append(sides[i], v)
			return in.Step(1)
		})
		var more *value.OpenError
		if errors.As(err, &more) && more.Open != nil {
			open = true
			if more.Open.Elem != nil {
				add(more.Open.Elem)
			}
		} else if err != nil {
			return nil, err
		}
	}
	if open || len(sides[0]) != len(sides[1]) {
		for _, v := range append(sides[0], sides[1]...) {
			add(v)
		}
		if all == nil {
			all = in.Unknown("an element of one of two iterables")
		}
		return &value.Iterator{Header: in.heap.Header(), Name: "iterator", Open: &value.Open{Elem: all, Len: in.DataInt("u", 0, nil).D}}, nil
	}
	elems := make([]value.Value, len(sides[0]))
	for i, a := range sides[0] {
		if elems[i] = a; a != sides[1][i] {
			elems[i] = &value.Choice{Cond: c.Cond, Then: a, Else: sides[1][i]}
		}
	}
	return in.Iter(value.NewTuple(elems...))
}

// callOnEach calls a function or class of the builtins once for each of the
// containers that its argument may be; ok is false for other calls.
func (in *Interp) callOnEach(fn value.Value, args []value.Value, kw []value.Kw) (v value.Value, ok bool, err error) {
	if m, ok := fn.(*value.BoundMethod); !ok && len(args) == 0 || ok && m.Self == nil {
		return nil, false, nil
	}
	native, called := false, "" // a library function sees to choices itself
	switch fn := fn.(type) {
	case *value.BoundMethod:
		if _, ok := fn.Func.(*value.Builtin); !ok {
			return nil, false, nil
		}
		return in.callOnWays(fn, append([]value.Value{fn.Self}, args...), args, kw)
	case *value.Class:
		if in.world.Class(fn.Name) != fn {
			return nil, false, nil
		}
		called = fn.Name
	case *value.Builtin:
		if strings.HasSuffix(fn.Name, "reveal_type") { // shows both
			return nil, false, nil
		}
		native, called = strings.Contains(fn.Name, "."), fn.Name
	default:
		return nil, false, nil
	}
	if v, ok, err := in.callOnWays(fn, args, args, kw); ok {
		return v, ok, err
	}
	for i, a := range args {
		c, ok := raiseAgain(in, a).(*value.Choice)
		if !ok || !isContainers(c) && (native || !asksType[called] && !isPlain(c)) {
			continue
		}
		v, err := in.distribute(c, func(v value.Value) (value.Value, error) {
			each := slices.Clone(args)
			each[i] = v
			if v, ok, err := in.callOnEach(fn, each, kw); ok {
				return v, err
			}
			return in.Call(fn, each, kw)
		})
		return v, true, err
	}
	return nil, false, nil
}

// inWays gives the dict that v is or holds, if its contents are one of two; else nil.
func inWays(v value.Value) *value.Dict {
	if d, ok := value.Plain(v).(*value.Dict); ok && d.Ways() != nil {
		return d
	}
	return nil
}

// eachWay performs an operation with each of the contents that d may have.
func (in *Interp) eachWay(d *value.Dict, op func() (value.Value, error)) (value.Value, error) {
	if err := in.Enter(""); err != nil {
		return nil, err
	}
	defer in.Leave()
	w := d.Ways()
	with := func(contents any) func() (value.Value, error) {
		return func() (value.Value, error) {
			in.heap.Replace(d, contents)
			return op()
		}
	}
	switch in.Decide(w.Cond) {
	case symshape.Yes:
		return with(w.Then)()
	case symshape.No:
		return with(w.Else)()
	}
	return in.flow.fork(w.Cond, graph.Cond{Cond: w.Cond}, with(w.Then), with(w.Else))
}

// callOnWays calls a builtin once for each of the contents that a dict among its operands
// may have; ok is false where there is none.
func (in *Interp) callOnWays(fn value.Value, operands, args []value.Value, kw []value.Kw) (v value.Value, ok bool, err error) {
	for _, a := range operands {
		if d := inWays(a); d != nil {
			v, err = in.eachWay(d, func() (value.Value, error) {
				if v, ok, err := in.callOnEach(fn, args, kw); ok {
					return v, err
				}
				return in.Call(fn, args, kw)
			})
			return v, true, err
		}
	}
	return nil, false, nil
}
