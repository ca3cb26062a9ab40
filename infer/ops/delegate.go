package ops

// This file applies the records of one library in the rules of another.

import "shapecheck/infer/value"

// Delegate applies the rule of another record, by the name of a function of any library,
// to arguments of this one, where the two libraries agree. The node of the typed graph
// is the other function's, faults and losses are this call's.
func (c *Call) Delegate(name string, args []value.Value, kw ...value.Kw) value.Value {
	if !c.OK() {
		return nil
	}
	if c.SetErr(c.Th.Enter("")); !c.OK() {
		return nil
	}
	defer c.Th.Leave()
	op, ok := c.Find(name)
	if !ok {
		return c.Lose("no rule for %s", name)
	}
	sub := &Call{Th: c.Th, P: c.P, Op: op, Name: c.Name, Lib: c.Lib, Find: c.Find}
	if why := sub.bind(args, kw); why != nil {
		c.err = c.Th.Fail("TypeError", why)
		return nil
	}
	v := op.Rule(sub)
	switch {
	case sub.err != nil:
		c.err = sub.err
		return nil
	case sub.lost != "":
		return c.Lose("%s", sub.lost)
	case v == nil:
		return c.Lose("%s gave no result", name)
	}
	if !op.Pure {
		sub.Record(false)
	}
	return v
}

// DelegateTensor is Delegate for functions that give one tensor; nil after a fault or loss.
func (c *Call) DelegateTensor(name string, args []value.Value, kw ...value.Kw) *value.Tensor {
	t, _ := c.Delegate(name, args, kw...).(*value.Tensor)
	return t
}
