package infer

// This file replaces symbols in values: at the end of a loop, by what they came to.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// A substitution replaces symbols. Tensors keep their identity: they are
// changed in place, through the heap.
type substitution struct {
	in    *Interp
	final map[*symshape.Expr]*symshape.Expr
	done  map[value.Value]value.Value
	// outs are the outputs of the loop for the values that it carries.
	outs map[*graph.Value]*graph.Value
}

func (s *substitution) dim(d symshape.Dim) symshape.Dim {
	if d.Expr == nil {
		return d
	}
	touched := false
	for _, x := range d.Expr.Symbols() {
		touched = touched || s.final[x] != nil
	}
	if !touched {
		return d
	}
	return symshape.Dim{Expr: s.in.pool.Subst(d.Expr, func(x *symshape.Expr) *symshape.Expr {
		if e := s.final[x]; e != nil {
			return e
		}
		return x
	})}
}

func (s *substitution) value(v value.Value) value.Value {
	if v == nil {
		return nil
	}
	if out, ok := s.done[v]; ok {
		return out
	}
	if s.in.Enter("") != nil {
		return s.in.Unknown("values are nested too deeply")
	}
	defer s.in.Leave()
	s.done[v] = v // ends cycles
	out := s.replace(v)
	s.done[v] = out
	return out
}

// replace gives a value in which the sizes of the substitution are replaced. Tensors and containers that have an
// identity are changed in place; others are made anew where a part of them changes.
func (s *substitution) replace(v value.Value) value.Value {
	h := &s.in.heap
	switch v := v.(type) {
	case *value.SymInt:
		if d := s.dim(v.D); d != v.D {
			return value.FromDim(d)
		}
	case *value.Tensor:
		shape := make(symshape.Shape, len(v.Type().Shape))
		changed := false
		for i, d := range v.Type().Shape {
			shape[i] = s.dim(d)
			changed = changed || shape[i] != d
		}
		if changed {
			t := *v.Type()
			t.Shape = shape
			nv := s.outs[v.V]
			if nv == nil {
				nv = s.in.build.NewValue(graph.TensorKind, t, v.V.At)
				nv.Name = v.V.Name
			}
			nv.Type = t
			h.Touch(v)
			v.V = nv
		}
	case *value.Tuple:
		elems := make([]value.Value, len(v.Elems))
		changed := false
		for i, e := range v.Elems {
			elems[i] = s.value(e)
			changed = changed || elems[i] != e
		}
		if changed {
			return &value.Tuple{Class: v.Class, Elems: elems, Attrs: v.Attrs}
		}
	case *value.List:
		h.Replace(v, value.MapContents(value.Contents(v), s.value, s.dim))
	case *value.Dict:
		h.Replace(v, value.MapContents(value.Contents(v), s.value, s.dim))
	}
	return v
}
