package contract

// This file simplifies the types of results by the contract: under its conditions they are the same sizes.

import (
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// Facts are what holds where the contract does.
func (c *Contract) Facts() symshape.Facts {
	var facts symshape.Facts
	assume := func(cond *symshape.Cond) {
		if more, ok := facts.Assume(cond); ok {
			facts = more
		}
	}
	for _, g := range c.Given {
		assume(g)
	}
	for _, x := range c.Conditions {
		assume(x.Cond)
	}
	return facts
}

// Simplify is a type whose sizes are written as short as the facts allow: 4*ceil(H/4) is H where H % 4 == 0.
func Simplify(t graph.TensorType, facts symshape.Facts, p *symshape.Pool) graph.TensorType {
	shape := make(symshape.Shape, len(t.Shape))
	for i, d := range t.Shape {
		if d.Expr != nil {
			d.Expr = simpler(d.Expr, facts, p)
		}
		shape[i] = d
	}
	t.Shape = shape
	return t
}

// simpler is an expression that is equal to e under the facts, and shorter; e itself where none is known.
func simpler(e *symshape.Expr, facts symshape.Facts, p *symshape.Pool) *symshape.Expr {
	s := facts.Simplify(e)
	if s == e || len(s.String()) >= len(e.String()) || facts.Decide(p.Eq(s, e)).Answer != symshape.Yes {
		return e
	}
	return s
}

// Result is what the entry returned, with the types of tensors, in sequences, too, simplified by the
// contract. It is for people: the graph of the run keeps its own.
func (c *Contract) Result(r *infer.Result) value.Value {
	if r.Output == nil || c.Never || len(c.Conditions)+len(c.Given) == 0 {
		return r.Output
	}
	s := simplifier{facts: c.Facts(), pool: r.Pool}
	return s.value(r.Output)
}

type simplifier struct {
	facts symshape.Facts
	pool  *symshape.Pool
	visit value.Visit
}

func (s *simplifier) value(v value.Value) value.Value {
	if !s.visit.Enter(v) {
		return v
	}
	defer s.visit.Leave()
	switch v := v.(type) {
	case *value.Tensor:
		x, of := *v, *v.V
		of.Type = Simplify(of.Type, s.facts, s.pool)
		x.V = &of
		return &x
	case *value.SymInt:
		if v.D.Expr == nil {
			return v
		}
		x := *v
		x.D.Expr = simpler(v.D.Expr, s.facts, s.pool)
		return &x
	case *value.Tuple:
		x := *v
		x.Elems = s.values(v.Elems)
		return &x
	case *value.List:
		x := *v
		x.Elems = s.values(v.Elems)
		return &x
	}
	return v
}

func (s *simplifier) values(list []value.Value) []value.Value {
	out := make([]value.Value, len(list))
	for i, v := range list {
		out[i] = s.value(v)
	}
	return out
}
