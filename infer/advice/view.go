package advice

// This file proposes what makes a view or a reshape right. A proposal is an edit with a trial: the
// call is repeated with other arguments in a copy of the state, and is kept only if it succeeds without a new equation
// between sizes (advice.go). Proposals that would reorder elements without the
// program's intention are held back.

import (
	"fmt"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// reshapeForView: reshape copies where the strides do not allow a view, and is a
// view where they do. Where an axis would move without its elements a transpose
// is missing instead. The transposes tried are those of two axes behind the batch.
func reshapeForView(s *Site) []advice {
	call, ok := s.node.(*ast.Call)
	x := s.tensor(0)
	if !ok || x == nil {
		return nil
	}
	attr, ok := call.Func.(*ast.Attribute)
	if !ok {
		return nil
	}
	// The reshape must keep neighbours together.
	reshape := func(t value.Value) (value.Value, error) {
		fn, err := s.host.GetAttr(t, "reshape")
		if err != nil {
			return nil, err
		}
		args, kw := s.split(s.vals[1:])
		v, err := s.host.Call(fn, args, kw)
		if err == nil && !s.regroups(t, v) {
			err = errNoAdvice
		}
		return v, err
	}
	list := []advice{{
		title: "use reshape, which copies where it has to", safe: true,
		edits: []diag.Edit{{At: attr.Attr.Span(), NewText: "reshape"}},
		try:   func() (value.Value, error) { return reshape(x) },
	}}
	for j := 1; j < x.Type().Rank(); j++ {
		for i := 1; i < j; i++ {
			a := s.method(0, "", "transpose", ints(i, j)...)
			a.title += ": the elements of an axis go with it"
			call := a.try
			a.try = func() (value.Value, error) {
				t, err := s.host.CallMethod(x, "transpose", ints(i, j)...)
				if err != nil {
					return nil, err
				}
				if _, err := reshape(t); err != nil {
					return nil, err
				}
				return call()
			}
			list = append(list, a)
		}
	}
	return list
}

// regroups reports whether the shape of v has the sizes of t merged or split, each
// in its place: each size is a product of neighbours, or they are of it. A merge across axes that
// are not neighbours would mix elements of different ones.
func (s *Site) regroups(t, v value.Value) bool {
	a, ok := t.(*value.Tensor)
	b, isTensor := v.(*value.Tensor)
	if !ok || !isTensor {
		return false
	}
	p := s.host.Pool()
	from, to := a.Type().Shape, b.Type().Shape
	for len(from) > 0 && len(to) > 0 {
		i, j := 1, 1
		x, y := from[0], to[0]
		// The smaller product takes the next size, until both are equal.
		for x.Expr == nil || x.Expr != y.Expr {
			nx, xok := ops.DimVal(x)
			ny, yok := ops.DimVal(y)
			switch {
			case i == len(from) && j == len(to):
				return false
			case j == len(to), i < len(from) && (xok && yok && nx < ny || grows(p, x, y)):
				x = p.DimMul(x, from[i])
				i++
			default:
				y = p.DimMul(y, to[j])
				j++
			}
			// Several sizes on both sides are neither a merge nor a split.
			if i > 1 && j > 1 {
				return false
			}
		}
		from, to = from[i:], to[j:]
	}
	return true
}

// grows reports whether y is a multiple of x that is not x, so that x is to be
// multiplied by what follows it. A 1 grows into anything.
func grows(p *symshape.Pool, x, y symshape.Dim) bool {
	if n, ok := x.Expr.Const(); ok && n <= 1 {
		return n == 1
	}
	q := p.DimFloorDiv(y, x)
	return q.Expr != nil && p.DimMul(q, x).Expr == y.Expr
}

// otherViewSizes replaces one of the sizes asked for by what is left for it, or,
// beside a -1, by what one element of the batch has. The last size is tried first. Only sizes that
// stand in the text as literals are replaced.
func otherViewSizes(s *Site) []advice {
	x := s.tensor(0)
	if x == nil || len(s.names) > 0 {
		return nil
	}
	p, shape := s.host.Pool(), x.Type().Shape
	// all is the number of elements, one that of an element of the batch.
	all, one := p.ConstDim(1), p.ConstDim(1)
	for i, d := range shape {
		if all = p.DimMul(all, d); i > 0 {
			one = p.DimMul(one, d)
		}
	}
	first := 1
	sizes, exprs := s.vals[1:], s.exprs[1:]
	packed := false
	// The sizes may come as one tuple.
	if len(sizes) == 1 {
		t, ok := sizes[0].(*value.Tuple)
		e, isTuple := exprs[0].(*ast.Tuple)
		if !ok || !isTuple || len(e.Elts) != len(t.Elems) {
			return nil
		}
		sizes, exprs, packed = t.Elems, e.Elts, true
	}
	// rest is what is left for size i; false where another size is not known, or several are left
	// open.
	rest := func(i int) (value.Value, bool) {
		n := all
		for j, v := range sizes {
			d, ok := value.AsDim(p, v)
			if !ok {
				return nil, false
			}
			if j == i {
				continue
			}
			if c, ok := ops.DimVal(d); ok && c == -1 {
				if len(sizes) != 2 {
					return nil, false
				}
				return value.FromDim(one), true
			}
			n = p.DimFloorDiv(n, d)
		}
		return value.FromDim(n), true
	}
	var out []advice
	for i := len(sizes) - 1; i >= 0; i-- {
		if c, ok := sizes[i].(value.Int); !ok || c == -1 { // a size that was computed follows the tensor's
			continue
		}
		if _, starred := exprs[i].(*ast.Starred); starred || exprs[i] == nil { // it stands nowhere in the text
			continue
		}
		v, ok := rest(i)
		if !ok {
			continue
		}
		a := advice{title: s.becomes(exprs[i], sizes[i], v)}
		a.edits = s.literal(exprs[i], v)
		a.try = func() (value.Value, error) {
			vals := append([]value.Value(nil), s.vals...)
			if packed {
				elems := append([]value.Value(nil), sizes...)
				elems[i] = v
				vals[first] = value.NewTuple(elems...)
			} else {
				vals[first+i] = v
			}
			return s.redo(vals)
		}
		out = append(out, a)
	}
	return out
}

// becomes is the title of another value for an expression. A short expression is named with its
// value.
func (s *Site) becomes(e ast.Expr, before, v value.Value) string {
	old, _ := s.host.Repr(before)
	text, _ := s.host.Repr(v)
	if e != nil {
		if t := s.host.SpanText(e.Span()); len(t) <= 24 && t != old && !strings.ContainsAny(t, "\n\r") {
			return fmt.Sprintf("%s (%s) should be %s", t, old, text)
		}
	}
	return fmt.Sprintf("%s should be %s", old, text)
}
