package infer

// This file runs the first turn of a loop of unknown length by itself, where the body asks whether it is the first and sets
// what there was not before: if i == 0: y = x, else: y = y + x. The other turns are one of any number, as always.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// firstAlone gives an iterator over the first of open's elements and then over the others; nil where the loop does not ask
// for it or an element of a place is not known.
func (in *Interp) firstAlone(f *frame, s *ast.For, seq value.Value, it *value.Iterator) *value.Iterator {
	open := it.Open
	if open.Len.Expr == nil || !in.asksForFirst(f, s) {
		return nil
	}
	var first func() (value.Value, error)
	rest := &value.Iterator{Name: it.Name}
	switch r, isRange := seq.(*value.Range); {
	case open.At != nil:
		first = func() (value.Value, error) { return open.At(in, &value.SymInt{D: in.pool.ConstDim(0)}) }
		rest.Open = &value.Open{Elem: open.Elem, Len: in.pool.DimSub(open.Len, in.pool.ConstDim(1)),
			At: func(th value.Thread, i *value.SymInt) (value.Value, error) {
				return open.At(th, &value.SymInt{D: in.pool.DimAdd(i.D, in.pool.ConstDim(1))})
			}}
	case isRange:
		start, ok1 := value.AsInt(r.Start)
		step, ok2 := value.AsInt(r.Step)
		if !ok1 || !ok2 {
			return nil
		}
		first = func() (value.Value, error) { return r.Start, nil }
		rest, _ = in.world.OpenRange(in, &value.Range{Start: value.Int(start + step), Stop: r.Stop, Step: r.Step})
	default:
		return nil
	}
	out := &value.Iterator{Header: in.heap.Header(), Name: it.Name}
	out.Next = func(value.Thread) (value.Value, bool, error) {
		in.heap.Touch(out)
		if out.Pos++; out.Pos > 1 {
			out.Open = rest.Open
			return nil, true, nil
		}
		v, err := first()
		return v, err == nil, err
	}
	return out
}

// asksForFirst reports whether a statement of a loop's body compares the number of the turn with 0 and sets there a variable
// that has no value yet.
func (in *Interp) asksForFirst(f *frame, s *ast.For) bool {
	numbers := map[string]bool{}
	switch t := s.Target.(type) {
	case *ast.Name:
		numbers[t.ID] = true
	case *ast.Tuple:
		if len(t.Elts) == 0 {
			return false
		}
		if n, ok := t.Elts[0].(*ast.Name); ok {
			numbers[n.ID] = true
		}
	}
	for _, st := range s.Body {
		test, ok := st.(*ast.If)
		if ok && comparesWithZero(test.Test, numbers) && (in.setsNew(f, test.Body) || in.setsNew(f, test.Else)) {
			return true
		}
	}
	return false
}

// comparesWithZero reports whether a test is i, not i or a comparison of i with 0, for one of the names.
func comparesWithZero(e ast.Expr, names map[string]bool) bool {
	switch e := e.(type) {
	case *ast.Name:
		return names[e.ID]
	case *ast.UnaryOp:
		return e.Op == ast.Not && comparesWithZero(e.Operand, names)
	case *ast.Compare:
		n, ok := e.Left.(*ast.Name)
		if !ok || len(e.Ops) != 1 || !names[n.ID] {
			return false
		}
		c, ok := e.Comparators[0].(*ast.Constant)
		return ok && c.Kind == ast.IntConst && c.Int == 0
	}
	return false
}

// setsNew reports whether statements assign a variable that has no value, or None.
func (in *Interp) setsNew(f *frame, body []ast.Stmt) bool {
	for _, st := range body {
		a, ok := st.(*ast.Assign)
		if !ok {
			continue
		}
		for _, t := range a.Targets {
			if n, ok := t.(*ast.Name); ok {
				if v := in.annotations.localNamed(f, n.ID); v == nil || v == value.None {
					return true
				}
			}
		}
	}
	return false
}

// hasFirst is that a loop has a first turn.
func hasFirst(th value.Thread, open *value.Open) *value.SymBool {
	return &value.SymBool{Cond: th.Pool().Lt(th.Pool().Const(0), open.Len.Expr)}
}
