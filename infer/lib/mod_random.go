package lib

// This file defines the module random. A seed does not make its results known:
// the sequence of numbers is not reproduced, only their ranges. A program that draws a size gets a
// symbol with bounds, so that what depends on the size holds for each draw.

import (
	"strings"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// randomModule makes random: numbers that are not known, within the bounds that the arguments give, so that
// what is indexed or sliced by them keeps what all outcomes have in common. Seeds are ignored, as no outcome is
// computed. The functions are also methods of Random, whose instances all share this behaviour.
func randomModule(m *mod) {
	th, w := m.th, m.w
	c := m.class("Random")
	m.set("SystemRandom", c)
	rawMethod(th, c, "__init__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) { return value.None, nil })
	// A function of the module is also a method of Random.
	both := func(signature string, f func(th value.Thread, a []value.Value) (value.Value, error)) {
		m.def(signature, f)
		open := strings.IndexByte(signature, '(')
		method(th, c, signature[:open]+"(self, "+signature[open+1:], func(th value.Thread, a []value.Value) (value.Value, error) {
			return f(th, a[1:])
		})
	}
	// There is no state to set.
	for _, s := range []string{"seed(a?, version?)", "setstate(state)"} {
		both(s, func(th value.Thread, a []value.Value) (value.Value, error) { return value.None, nil })
	}
	both("getstate()", func(th value.Thread, a []value.Value) (value.Value, error) {
		return th.Unknown("state of the random generator"), nil
	})
	both("random()", func(th value.Thread, a []value.Value) (value.Value, error) { return &value.SymFloat{Chance: true}, nil })
	for _, s := range []string{"uniform(a, b)", "triangular(low?, high?, mode?)", "gauss(mu?, sigma?)",
		"normalvariate(mu?, sigma?)",
		"lognormvariate(mu, sigma)", "expovariate(lambd?)", "betavariate(alpha, beta)", "gammavariate(alpha, beta)", "vonmisesvariate(mu, kappa)",
		"paretovariate(alpha)", "weibullvariate(alpha, beta)"} {
		// The ranges of floats are not stated: only that they are floats.
		both(s, func(th value.Thread, a []value.Value) (value.Value, error) { return &value.SymFloat{}, nil })
	}
	both("randint(a, b)", func(th value.Thread, a []value.Value) (value.Value, error) { return randomInt(th, a[0], a[1], 0) })
	both("randrange(start, stop?, step?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if !isGiven(a[1]) {
			// The last number is excluded.
			return randomInt(th, value.Int(0), a[0], -1)
		}
		return randomInt(th, a[0], a[1], -1)
	})
	both("getrandbits(k)", func(th value.Thread, a []value.Value) (value.Value, error) { return th.DataInt("r", 0, nil), nil })
	both("randbytes(n)", func(th value.Thread, a []value.Value) (value.Value, error) { return w.abstract(th, w.bytes), nil })
	// A choice of an open list is its element in general; an empty sequence is an IndexError.
	both("choice(seq)", func(th value.Thread, a []value.Value) (value.Value, error) {
		elems, err := elements(th, a[0])
		if open := openOf(err); open != nil {
			return open.Elem, nil
		}
		if err != nil {
			return nil, err
		}
		if len(elems) == 0 {
			return nil, th.Raise("IndexError", "Cannot choose from an empty sequence")
		}
		pick, err := w.picker(th, elems)
		if err != nil {
			return nil, err
		}
		return pick(), nil
	})
	both("choices(population, weights?, *, cum_weights?, k?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return w.randomSample(th, a[0], or(a[3], value.Int(1)))
	})
	both("sample(population, k, *, counts?)", func(th value.Thread, a []value.Value) (value.Value,
		error) {
		return w.randomSample(th, a[0], a[1])
	})
	// The list keeps its length; each place may hold any of its elements. A list with fewer than
	// two elements stays.
	both("shuffle(x)", func(th value.Thread, a []value.Value) (value.Value, error) {
		l, ok := a[0].(*value.List)
		if !ok || l.Open != nil || len(l.Elems) < 2 {
			return value.None, nil
		}
		pick, err := w.picker(th, l.Elems)
		if err == nil {
			err = th.Alloc(valueBytes * len(l.Elems))
		}
		if err != nil {
			return nil, err
		}
		shuffled := make([]value.Value, len(l.Elems))
		for i := range shuffled {
			if err := th.Step(1); err != nil {
				return nil, err
			}
			shuffled[i] = pick()
		}
		th.Heap().Touch(l)
		l.Elems = shuffled
		return value.None, nil
	})
	inst := th.Heap().NewInstance(c)
	m.set("_inst", inst)
}

// randomInt is an integer from a to b+add. A range without a number is a ValueError, a range with a
// single number gives it. The error is also that of bounds that are no integers.
func randomInt(th value.Thread, a, b value.Value, add int64) (value.Value, error) {
	lo, err := toIndex(th, a)
	if err != nil {
		return nil, err
	}
	hi, err := toIndex(th, b)
	if err != nil {
		return nil, err
	}
	l, okl := lo.(value.Int)
	h, okh := hi.(value.Int)
	switch {
	case okl && okh && l > h+value.Int(add):
		return nil, th.Raise("ValueError", "empty range in randrange(%d, %d)", int64(l), int64(h)+add+1)
	case okl && okh && l == h+value.Int(add):
		return l, nil
	case okl:
		// The upper bound may be an expression.
		if d, ok := value.AsDim(th.Pool(), hi); ok && d.Expr != nil {
			return value.DataBetween(th, "r", int64(l), th.Pool().AddConst(d.Expr, add)), nil
		}
		return th.DataInt("r", int64(l), nil), nil
	}
	return &value.SymInt{}, nil
}

// openOf returns what is known of an iteration of unknown length, else nil. It returns nil for an
// error that is another one.
func openOf(err error) *value.Open {
	var open *value.OpenError
	if asOpen(err, &open) {
		return open.Open
	}
	return nil
}

// picker looks at several values once, and gives what makes one of them at a time, not
// known which. The cost is one step for each element. Elements that are all equal give that value,
// integers a number between the least and the greatest, and others what they have in common.
func (w *World) picker(th value.Thread, elems []value.Value) (func() value.Value, error) {
	same, ints := true, true
	lo, hi := int64(1<<62), int64(-1<<62)
	for _, e := range elems {
		if err := th.Step(1); err != nil {
			return nil, err
		}
		// An error of comparing (tensors) means not equal.
		eq, err := th.Compare(ast.Eq, elems[0], e)
		same = same && (sameObject(e, elems[0]) || err == nil && eq == value.Value(value.Bool(true)) && scalar(e))
		n, ok := e.(value.Int)
		ints = ints && ok
		lo, hi = min(lo, int64(n)), max(hi, int64(n))
	}
	switch {
	case same:
		return func() value.Value { return elems[0] }, nil
	case ints:
		return func() value.Value { return value.DataBetween(th, "r", lo, th.Pool().Const(hi)) }, nil
	}
	// One join of all, and for each pick another with an element: a value of its own that is no
	// less general.
	th.MeansOneOf(elems)
	all := w.commonOf(th, elems, "a random choice")
	if _, mixed := all.(*value.Choice); mixed {
		return func() value.Value { return th.Unknown("a random choice") }, nil
	}
	return func() value.Value { return w.commonOf(th, []value.Value{all, elems[0]}, "a random choice") }, nil
}

// scalar reports whether equal values of v's kind are the same value. Equal lists are still
// different objects.
func scalar(v value.Value) bool {
	switch v.(type) {
	case value.Int, value.Float, value.Str, value.Bool, value.NoneType:
		return true
	}
	return false
}

// randomSample is a list of k of the elements. With k that is not known it is a list of unknown
// length. That a sample has at most as many elements as the population is not checked. It returns
// an error for a population that cannot be iterated over.
func (w *World) randomSample(th value.Thread, population, k value.Value) (value.Value, error) {
	elems, err := elements(th, population)
	open := openOf(err)
	if err != nil && open == nil {
		return nil, err
	}
	pick := func() value.Value { return th.Unknown("a random choice") }
	if open != nil {
		pick = func() value.Value { return open.Elem }
	} else if len(elems) > 0 {
		if pick, err = w.picker(th, elems); err != nil {
			return nil, err
		}
	}
	n, ok := k.(value.Int)
	if !ok {
		d, _ := value.AsDim(th.Pool(), k)
		return th.Heap().NewOpenList(&value.Open{Elem: pick(), Len: d}), nil
	}
	out := th.Heap().NewList(nil)
	for range n {
		if err := th.Step(1); err != nil {
			return nil, err
		}
		out.Elems = append(out.Elems, pick())
	}
	return out, nil
}
