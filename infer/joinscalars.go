package infer

// This file joins numpy's scalars.

import (
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
)

// scalars joins two of numpy's floats of one class, or one with a choice of which a side is:
// the best score of some epochs is else one of as many values as there were epochs.
func (j *joiner) scalars(a, b value.Value) value.Value {
	if x, y := numpyFloat(a), numpyFloat(b); x != nil && y != nil && x.Class == y.Class {
		if f, ok := x.Payload.(*value.SymFloat); ok && !f.R.Known() && !f.Known && x.Data == nil { // any already
			return x
		}
		s := j.in.heap.NewInstance(x.Class)
		s.Payload = j.value(x.Payload, y.Payload)
		return s
	}
	if j.loop != nil {
		return nil
	}
	p := j.in.pool
	kind := func(x value.Value, c *value.Choice) (then, els bool) {
		s := numpyFloat(x)
		if s == nil {
			return false, false
		}
		t, e := numpyFloat(c.Then), numpyFloat(c.Else)
		return t != nil && t.Class == s.Class, e != nil && e.Class == s.Class
	}
	if c, ok := b.(*value.Choice); ok {
		switch then, els := kind(a, c); {
		case then:
			return &value.Choice{Cond: j.either(p.Bool(true), c.Cond), Then: j.value(a, c.Then), Else: c.Else}
		case els:
			return &value.Choice{Cond: j.either(p.Bool(false), c.Cond), Then: c.Then, Else: j.value(a, c.Else)}
		}
	}
	if c, ok := a.(*value.Choice); ok {
		switch then, els := kind(b, c); {
		case then:
			return &value.Choice{Cond: j.either(c.Cond, p.Bool(true)), Then: j.value(c.Then, b), Else: c.Else}
		case els:
			return &value.Choice{Cond: j.either(c.Cond, p.Bool(false)), Then: c.Then, Else: j.value(c.Else, b)}
		}
	}
	return nil
}

// numpyFloat gives v where it is one of numpy's scalars of floats.
func numpyFloat(v value.Value) *value.Instance {
	if s, ok := v.(*value.Instance); ok && ops.IsNumpyScalar(s) && isFloat(s.Payload) {
		return s
	}
	return nil
}
