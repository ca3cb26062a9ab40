package advice

// This file proposes numbers of heads that divide what is split into heads. A head count that does
// not divide is changed to the nearest divisor, since the size is fixed by the layers around, and
// the number of heads is free. Whether the call succeeds with it is tried before it is proposed.

import (
	"fmt"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

// headParams are the constructors that split a size into heads. The names are those of the
// parameters in PyTorch: heads has to divide size.
var headParams = [...]struct{ class, size, heads string }{
	{"MultiheadAttention", "embed_dim", "num_heads"},
	{"TransformerEncoderLayer", "d_model", "nhead"},
	{"TransformerDecoderLayer", "d_model", "nhead"},
	{"Transformer", "d_model", "nhead"},
}

// headsOfLayer proposes a number of heads that divides for a layer that refuses another. The callee
// is a class of torch.nn, one of the stubs (Prelude), and both numbers are known.
func (s *Site) headsOfLayer() *faultNumbers {
	class, ok := s.callee.(*value.Class)
	if !ok || s.diag.Code != diag.BadValue || !class.Prelude {
		return nil
	}
	for _, h := range headParams {
		if h.class != class.Name {
			continue
		}
		size, heads := s.argument(class, h.size), s.argument(class, h.heads)
		if size < 0 || heads < 0 {
			// Of an argument that is not given the default holds, which is not what the program
			// wrote.
			return nil
		}
		n, ok := value.AsInt(s.vals[size])
		m, isInt := value.AsInt(s.vals[heads])
		if !ok || !isInt || m == 0 || n%m == 0 { // it refuses something else
			return nil
		}
		return s.otherHeads(s.exprs[heads], h.heads, n, m, func(k int64) bool {
			return s.host.Try(func() (value.Value, error) { return s.with(heads, value.Int(k)) })
		})
	}
	return nil
}

// argument is the operand that is a parameter of a constructor, or -1. The index counts among all
// operands of the call, those by position first and then those by name.
func (s *Site) argument(class *value.Class, name string) int {
	n := len(s.vals) - len(s.names)
	for i, k := range s.names {
		if k == name {
			return n + i
		}
	}
	for i, p := range constructorParams(class) {
		if p.name == name && i < n {
			return i
		}
	}
	return -1
}

// headsOfView proposes a number of heads that divides where a view splits what the
// other sizes leave into h heads of size // h each. Only views that multiply their sizes are taken
// (ReshapesByNumbers), with the sizes as arguments or as one tuple that is written there.
func (s *Site) headsOfView() *faultNumbers {
	x := s.tensor(0)
	if x == nil || s.diag.Code != diag.ReshapeMismatch || len(s.names) > 0 || x.Type().Rank() == 0 {
		return nil
	}
	if op, ok := catalog.Lookup(s.name); !ok || !op.Trace.Has(ops.ReshapesByNumbers) {
		return nil
	}
	sizes, exprs := s.vals[1:], s.exprs[1:]
	if len(sizes) == 1 {
		t, ok := sizes[0].(*value.Tuple)
		e, isTuple := exprs[0].(*ast.Tuple)
		if !ok || !isTuple || len(e.Elts) != len(t.Elems) {
			return nil
		}
		sizes, exprs = t.Elems, e.Elts
	}
	i, n, a := s.headsAt(x, sizes, exprs)
	if i >= 0 {
		try := func(k int64) bool {
			// Both sizes are replaced, since the program computes the second one from the first.
			return s.host.Try(func() (value.Value, error) {
				vals := append([]value.Value{x}, sizes...)
				vals[1+i], vals[2+i] = value.Int(k), value.Int(n/k)
				return s.redo(vals)
			})
		}
		// The words of the program name the number; where they are long, or of several lines, a
		// phrase does.
		name := s.host.SpanText(exprs[i].Span())
		if len(name) > 24 || strings.ContainsAny(name, "\n\r") {
			name = "the number of heads"
		}
		return s.otherHeads(exprs[i], name, n, a, try)
	}
	return nil
}

// headsAt finds the number of heads among the sizes of a view: the only one, a,
// that is followed by n // a, where the two are to be n. A number that is written
// there, and a size that the tensor has at this place, is none of heads. With several places of
// this form none is chosen: at is -1, as it is where there is none.
func (s *Site) headsAt(x *value.Tensor, sizes []value.Value, exprs []ast.Expr) (at int, n, a int64) {
	at = -1
	for i := 0; i+1 < len(sizes); i++ {
		k, known := s.left(x, sizes, i)
		h, ok := value.AsInt(sizes[i])
		size, isInt := value.AsInt(sizes[i+1])
		if !known || !ok || !isInt || h <= 1 || k/h != size || k%h == 0 || exprs[i] == nil || isNumeral(exprs[i]) ||
			i < x.Type().Rank() && ops.IsConst(x.Type().Shape[i], h) {
			continue
		}
		if at >= 0 {
			return -1, 0, 0
		}
		at, n, a = i, k, h
	}
	return at, n, a
}

// left is what all sizes of a view but two neighbours leave of x. It is the number of elements of x
// divided by the other sizes. It is not known if it depends on sizes, if a size is not known, or if
// one is 0, negative or -1, which takes what is left.
func (s *Site) left(x *value.Tensor, sizes []value.Value, i int) (int64, bool) {
	p, n := s.host.Pool(), s.host.Pool().ConstDim(1)
	for _, d := range x.Type().Shape {
		n = p.DimMul(n, d)
	}
	for j, v := range sizes {
		d, ok := value.AsDim(p, v)
		if !ok {
			return 0, false
		}
		if j == i || j == i+1 {
			continue
		}
		if c, ok := d.Expr.Const(); ok && c <= 0 {
			return 0, false
		}
		n = p.DimFloorDiv(n, d)
	}
	return n.Expr.Const()
}

// otherHeads proposes for m heads of n the nearest number that divides n, if it
// is near. Near is from half of m to twice m; 1 head is never proposed. The number below and that
// above are tried together, and both are named where they are equally near.
func (s *Site) otherHeads(e ast.Expr, name string, n, m int64, try func(k int64) bool) *faultNumbers {
	if m <= 1 || n <= 0 {
		return nil
	}
	var near []int64
	for d := int64(1); d < m && near == nil; d++ {
		for _, k := range [...]int64{m - d, m + d} {
			if k > 1 && 2*k >= m && k <= 2*m && k <= n && n%k == 0 && try(k) {
				near = append(near, k)
			}
		}
	}
	f := &faultNumbers{diag: s.diag}
	switch len(near) {
	case 1:
		// The text stands for itself where the number is not written in the source as a numeral.
		f.otherwise = fmt.Sprintf("%s should be %d, which divides %d", name, near[0], n)
		if at := s.numeralOf(e, m); at != nil {
			title := fmt.Sprintf("%s should be %d, which divides %d", s.numeralName(at, name), near[0], n)
			f.changes = []numberChange{{title: title, at: at, n: near[0]}}
		}
	// Of two candidates none can be put into the source, so that they are only named.
	case 2:
		f.otherwise = fmt.Sprintf("%s should be %d or %d: they divide %d", name, near[0], near[1], n)
	default:
		return nil
	}
	return f
}
