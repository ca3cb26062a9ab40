package lower

// This file computes sizes inside the model.

import (
	"maps"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/internal/source"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

// A size is a place where the value of a symbol or of an expression can be read: a
// dimension of a value, which is coef·symbol + offset.
type size struct {
	value        string
	axis         int
	coef, offset int64
	// rest is what the dimension has besides the symbol, which is one of several there; or nil.
	rest *symshape.Expr
}

// lengthOf stands for an axis: the size is the number of elements of a sequence.
const lengthOf = -1

// bindSymbols notes the symbols that the shape of a value gives.
func (l *lowerer) bindSymbols(v *graph.Value, name string) {
	if v.Kind == graph.TensorKind {
		l.bindShape(v, name)
	}
	if v.Length != nil {
		l.sources[v.Length] = size{value: name, axis: lengthOf, coef: 1}
	}
}

// bindShape notes those of a tensor of v's type.
func (l *lowerer) bindShape(v *graph.Value, name string) {
	if !v.Type.Ranked {
		return
	}
	for i, d := range v.Type.Shape {
		if d.Expr == nil {
			continue
		}
		syms := d.Expr.Symbols()
		if _, one := d.Expr.IsSymbol(); !one {
			if _, have := l.sources[d.Expr]; !have { // a size that is there is read, not computed again
				l.sources[d.Expr] = size{value: name, axis: i, coef: 1}
			}
		}
		if len(syms) != 1 {
			l.bindLast(d.Expr, syms, name, i)
			continue
		}
		s := syms[0]
		coef, offset, ok := linear(d.Expr, s)
		if old, have := l.sources[s]; !ok || have && (old.coef == 1 || coef != 1) {
			continue
		}
		l.sources[s] = size{value: name, axis: i, coef: coef, offset: offset}
	}
}

// bindLast notes a summand of a dimension that nothing else gives, when all others are known: the sum of many
// sizes that data decide has a symbol for its end.
func (l *lowerer) bindLast(e *symshape.Expr, syms []*symshape.Expr, name string, axis int) {
	var last *symshape.Expr
	for _, s := range syms {
		if _, have := l.sources[s]; have || l.integers[s] != "" {
			continue
		}
		if last != nil {
			return
		}
		last = s
	}
	if last == nil {
		return
	}
	if rest := e.Pool().Sub(e, last); !slices.Contains(rest.Symbols(), last) {
		l.sources[last] = size{value: name, axis: axis, coef: 1, rest: rest}
	}
}

// linear writes e as coef·s + offset.
func linear(e, s *symshape.Expr) (coef, offset int64, ok bool) {
	p := e.Pool()
	at := func(x int64) (int64, bool) {
		v, err := e.Eval(func(string) (int64, bool) { return x, true })
		return v, err == nil
	}
	v0, ok0 := at(0)
	v1, ok1 := at(1)
	if !ok0 || !ok1 || v1 == v0 {
		return 0, 0, false
	}
	coef, offset = v1-v0, v0
	return coef, offset, p.AddConst(p.Mul(p.Const(coef), s), offset) == e
}

// scalar returns the name of a value of no dimensions that holds a number: i64 of
// integers and f64 of floats.
func (l *lowerer) scalar(b *block, o graph.Operand, at source.Span) string {
	key := graph.OperandString(o)
	if _, real := o.(graph.Real); real {
		key = "real " + o.(graph.Real).Real.String()
	}
	if name, ok := b.size(key); ok {
		return name
	}
	f := &folder{l: l, b: b, at: at}
	var name string
	switch o := o.(type) {
	case graph.Int:
		name = f.Int(int64(o))
	case graph.Bool:
		name = f.Bool(bool(o))
	case graph.Float:
		name = f.Float(float64(o))
	case graph.Dim:
		if n, ok := o.Const(); ok {
			name = f.Int(n)
			break
		}
		if o.Expr == nil {
			l.fail(at, "a size is not known here")
			return ""
		}
		if at, ok := l.exact(b, o.Expr); ok {
			name = f.squeezed(f.dimension(at, o.Expr), o.Expr)
			break
		}
		name = symshape.FoldExpr(o.Expr, symshape.Folder[string](f))
	case graph.Real:
		if !o.Known() {
			l.fail(at, "a float that data decide is not known here")
			return ""
		}
		name = symshape.FoldReal(o.Real, symshape.Folder[string](f))
	case graph.Cond:
		name = symshape.FoldCond(o.Cond, symshape.Folder[string](f))
	case *graph.Value:
		name = l.tensor(b, o, at)
		if typ := tensorTypeOf(o); typ != nil && typ.Elem != onnx.Int64 {
			name = f.cast(name, onnx.Int64)
		}
		return name
	default:
		l.fail(at, "%s is not a number", key)
		return ""
	}
	b.sizes[key] = name
	return name
}

// vector returns the name of an i64 tensor of one dimension that holds sizes.
func (l *lowerer) vector(b *block, list []graph.Operand, at source.Span) string {
	key := "vector " + graph.OperandString(graph.List(list))
	if name, ok := b.size(key); ok {
		return name
	}
	f := &folder{l: l, b: b, at: at}
	var parts []string
	var fixed []int64 // neighbours that are constants are one part
	flush := func() {
		if len(fixed) > 0 {
			parts = append(parts, f.tensor(onnx.NewInts([]int64{int64(len(fixed))}, fixed...)))
			fixed = nil
		}
	}
	for _, o := range list {
		switch o := o.(type) {
		case graph.Int:
			fixed = append(fixed, int64(o))
			continue
		case graph.Dim:
			if n, ok := o.Const(); ok {
				fixed = append(fixed, n)
				continue
			}
			if from, ok := l.exact(b, o.Expr); ok {
				flush()
				parts = append(parts, f.dimension(from, o.Expr))
				continue
			}
		}
		flush()
		parts = append(parts, f.unsqueezed(l.scalar(b, o, at)))
	}
	flush()
	var name string
	switch len(parts) {
	case 0:
		name = f.tensor(onnx.NewInts([]int64{0}))
	case 1:
		name = parts[0]
	default:
		name = f.op("Concat", parts, onnx.IntAttr("axis", 0))
	}
	b.sizes[key] = name
	return name
}

// exact finds a dimension that is this expression.
func (l *lowerer) exact(b *block, e *symshape.Expr) (size, bool) {
	if e == nil {
		return size{}, false
	}
	if name, one := e.IsSymbol(); one {
		if _, number := b.size(name); number { // computed already, or no size of a tensor
			if _, read := b.size("dimension " + name); !read {
				return size{}, false
			}
		}
	}
	at, ok := l.sources[e]
	return at, ok && at.coef == 1 && at.offset == 0 && at.rest == nil && at.axis != lengthOf
}

// saveSources returns a copy of the sources: those of a block are not seen
// outside of it.
func (l *lowerer) saveSources() map[*symshape.Expr]size { return maps.Clone(l.sources) }
