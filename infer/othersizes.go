package infer

// This file finds inputs for which a traced entry goes another way: sizes for which the condition of a place comes out otherwise,
// where those that were given do not show it.

import (
	"maps"
	"slices"

	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/trace/export"
)

// maxFound bounds the inputs that are made.
const maxFound = 16

// tryOtherSizes calls the entry with sizes for which a place goes another way that none of the other inputs has go so.
func (in *Interp) tryOtherSizes(m *value.Module, start value.Value, inputs []value.Value) error {
	t := in.traced
	if len(t.Symbolic) == 0 || t.First.Error != nil {
		return nil
	}
	looked := t.Symbolic[len(t.Symbolic)-1]
	for _, x := range t.First.Decisions {
		s := decisionAt(looked, x)
		if s == nil || s.OnData || x.Kind == DecisionFor || len(t.Found) == maxFound || x.Original != "" || slices.Contains(x.Ways, NoWay) {
			continue
		}
		shown := func(c *TracedCall) bool { // it alone goes another way
			return !slices.ContainsFunc(t.First.Decisions, func(o *Decision) bool {
				y := decisionAt(c, o)
				return (y != nil && !slices.Equal(o.Ways, y.Ways)) != (o == x)
			})
		}
		if slices.ContainsFunc(t.Others, shown) || slices.ContainsFunc(t.Found, shown) {
			continue
		}
		var args []value.Value
		for _, cond := range s.Conds {
			if args = in.sizedOtherwise(m, looked, inputs, cond); args != nil {
				break
			}
		}
		if args == nil {
			continue
		}
		found := in.sink.Len()
		c, err := in.otherCall(m, start, args)
		if err != nil {
			return err
		}
		in.sink.Truncate(found) // nobody asked for these sizes
		t.Found = append(t.Found, c)
	}
	return nil
}

// sizedOtherwise makes inputs with other sizes, for which a condition on sizes comes out otherwise; nil: none are found.
func (in *Interp) sizedOtherwise(m *value.Module, looked *TracedCall, inputs []value.Value, want *symshape.Cond) []value.Value {
	if val, ok := in.example(want); !ok {
		return nil
	} else if val {
		want = in.pool.Not(want)
	}
	env := in.nearbySizes(want, looked.facts)
	if env == nil {
		return nil
	}
	out := slices.Clone(inputs)
	for i, v := range looked.Inputs {
		sized := false
		at := export.Resized(in, v, func(d symshape.Dim) symshape.Dim {
			if d.Expr == nil {
				return d
			}
			sized = sized || len(d.Expr.Symbols()) > 0
			if n, err := d.Expr.Eval(symshape.Env(env)); err == nil {
				return in.pool.ConstDim(n)
			}
			return d
		})
		if !sized {
			continue
		}
		text, ok := export.ExampleText(at)
		if !ok {
			return nil
		}
		made, err := in.evalText(m, "--inputs", text, nil)
		if err != nil {
			return nil // what cannot be written is not tried
		}
		out[i] = made
	}
	return out
}

// nearbySizes are the examples with as few other sizes as possible, for which a condition holds, and if possible what else a run
// relied on.
func (in *Interp) nearbySizes(want *symshape.Cond, facts symshape.Facts) map[string]int64 {
	var agrees, apart []*symshape.Cond // with what is wanted; those that have no size of it
	for _, c := range facts.Conds() {
		if _, ok := (symshape.Facts{}).Assume(in.pool.And(c, want)); ok {
			agrees = append(agrees, c)
		}
		if !slices.ContainsFunc(c.Symbols(), func(s *symshape.Expr) bool { return slices.Contains(want.Symbols(), s) }) {
			apart = append(apart, c)
		}
	}
	var bounds symshape.Facts
	if f, ok := bounds.Assume(want); ok {
		bounds = f
	}
	base := maps.Clone(in.examples)
	for _, known := range [][]*symshape.Cond{agrees, apart} {
		for _, least := range []int64{2, 1} {
			f := &export.SizeSearch{Facts: bounds, Known: append([]*symshape.Cond{want}, known...), Symbols: want.Symbols(), Env: maps.Clone(base),
				Least: least}
			for _, s := range f.Symbols {
				delete(f.Env, s.String())
			}
			if env := f.Find(); env != nil {
				return env
			}
		}
	}
	return nil
}
