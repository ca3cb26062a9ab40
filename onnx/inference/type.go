package inference

// This file holds types: conversion from and to the file's, and what two
// statements about one value, or one of two values, have in common.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/internal/lazyregexp"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

// A Type is what is known of a value's type. The zero Type knows nothing. Types are shared
// between values and are not changed once a value has them; rules copy before they write.
type Type struct {
	Kind onnx.TypeKind
	Elem onnx.DType // Undefined: not known
	// Ranked says that the number of dimensions is known; Dims are then the
	// dimensions, none of them nil. An unknown one is a symbol of its own.
	Ranked bool
	Dims   []*symshape.Expr
	Of     *Type // of a sequence, an optional or a map
	Key    onnx.DType
}

// String writes the type as in f32[N,4], seq(…) or optional(…); without dimensions as f32[...].
func (t *Type) String() string {
	if t == nil {
		return "?"
	}
	switch t.Kind {
	case onnx.TensorType, onnx.SparseTensorType:
		name := t.Elem.String()
		if t.Kind == onnx.SparseTensorType {
			name = "sparse " + name
		}
		if !t.Ranked {
			return name + "[...]"
		}
		dims := make([]string, len(t.Dims))
		for i, d := range t.Dims {
			dims[i] = d.Compact()
		}
		return name + "[" + strings.Join(dims, ",") + "]"
	case onnx.SequenceType:
		return "seq(" + t.Of.String() + ")"
	case onnx.OptionalType:
		return "optional(" + t.Of.String() + ")"
	case onnx.MapType:
		return "map(" + t.Key.String() + ", " + t.Of.String() + ")"
	}
	return "?"
}

// hyphenated matches names such as batch-size, which are no differences.
var hyphenated = lazyregexp.New(`^[A-Za-z_]\w*(-[A-Za-z_]\w*)+$`)

// producer is what shapecheck's own models say; their dimensions are expressions.
const producer = "shapecheck"

// maxParam bounds the length of a dimension that is read as an expression.
const maxParam = 2000

// param reads a dim_param: an expression over the model's symbols when it parses
// as one, else a symbol with that name. What stands for "unknown" gives nil. Our own exporter
// writes expressions (2*N, (H - 1)//2 + 1) as names of dimensions; other programs write words, of
// which one with a hyphen would be read as a difference.
func (e *engine) param(pool *symshape.Pool, s string) *symshape.Expr {
	s = strings.TrimSpace(s)
	switch s {
	case "", "?", "None", "unknown":
		return nil
	}
	if len(s) <= maxParam && (e.m.ProducerName == producer || !hyphenated.MatchString(s)) {
		if x, err := pool.Parse(s); err == nil && x != nil {
			if n, isConst := x.Const(); !isConst || n >= 0 {
				return x
			}
			return nil
		}
	}
	return pool.Symbol(s)
}

// declareSymbols makes the symbols of the whole file before anything is inferred,
// so that no unknown gets one of their names. Symbols in the types of the model's
// inputs are at least 1, as sizes of arguments are everywhere in shapecheck;
// others may be sizes that come from data, and 0. Symbols of subgraphs and results are declared
// too, as a name must stand for one size in the whole file.
func (e *engine) declareSymbols() {
	scratch := symshape.NewPool()
	var names []string
	inputs := 0
	var types func(t *onnx.Type, depth int)
	types = func(t *onnx.Type, depth int) {
		if t == nil || depth > maxNest {
			return
		}
		types(t.Of, depth+1)
		if t.Shape == nil {
			return
		}
		for _, d := range t.Shape.Dims {
			if d.Known {
				continue
			}
			for _, sym := range symbolsOf(e.param(scratch, d.Param)) {
				name, _ := sym.IsSymbol()
				names = append(names, name)
			}
		}
	}
	infos := func(list []*onnx.ValueInfo) {
		for _, v := range list {
			types(v.Type, 0)
		}
	}
	var graph func(g *onnx.Graph, depth int)
	graph = func(g *onnx.Graph, depth int) {
		infos(g.Inputs)
		if depth == 0 {
			inputs = len(names)
		}
		infos(g.Outputs)
		infos(g.Values)
		for _, n := range g.Nodes {
			for _, a := range n.Attrs {
				types(a.TypeProto, 0)
			}
			if depth < maxNest {
				n.Subgraphs(func(_ string, sub *onnx.Graph) { graph(sub, depth+1) })
			}
		}
	}
	graph(e.m.Graph, 0)
	for i, name := range names {
		low := int64(0)
		if i < inputs {
			low = 1
		}
		e.pool.Declare(name, low, symshape.PosInf)
	}
	for _, v := range e.m.Graph.Inputs {
		if v.Type == nil || v.Type.Shape == nil {
			continue
		}
		for _, d := range v.Type.Shape.Dims {
			for _, s := range symbolsOf(e.param(e.pool, d.Param)) {
				e.sized[s] = true
			}
		}
	}
}

func symbolsOf(x *symshape.Expr) []*symshape.Expr {
	if x == nil {
		return nil
	}
	return x.Symbols()
}

// typeOf reads a type of the file. Without symbols, dimensions that are not
// numbers are unknown.
func (e *engine) typeOf(t *onnx.Type, symbols bool) *Type { return e.typeAt(t, symbols, 0) }

// depth bounds types within types; what lies deeper is unknown.
func (e *engine) typeAt(t *onnx.Type, symbols bool, depth int) *Type {
	if t == nil || depth > maxNest {
		return &Type{}
	}
	out := &Type{Kind: t.Kind, Elem: t.Elem, Key: t.Key}
	if !out.Elem.Valid() {
		out.Elem = onnx.Undefined
	}
	switch t.Kind {
	case onnx.TensorType, onnx.SparseTensorType:
		if t.Shape != nil {
			out.Ranked = true
			out.Dims = make([]*symshape.Expr, len(t.Shape.Dims))
			for i, d := range t.Shape.Dims {
				switch {
				case d.Known && d.Value >= 0:
					out.Dims[i] = e.pool.Const(d.Value)
				case !d.Known && symbols:
					out.Dims[i] = e.param(e.pool, d.Param)
				}
				if out.Dims[i] == nil {
					out.Dims[i] = e.fresh()
				}
			}
		}
	case onnx.OptionalType:
		out.Of = e.typeAt(t.Of, symbols, depth+1)
	case onnx.SequenceType, onnx.MapType:
		out.Of = e.typeAt(t.Of, symbols, depth+1)
		if e.m.ProducerName != producer {
			e.loosen(out.Of)
		}
	}
	return out
}

// loosen makes unknown what other programs name in the types of a sequence's
// elements: the elements differ in such sizes, unless a tensor among the model's
// inputs says what a name stands for.
func (e *engine) loosen(t *Type) {
	for i, d := range t.Dims {
		if slices.ContainsFunc(d.Symbols(), func(s expr) bool { return !e.sized[s] }) {
			t.Dims[i] = e.fresh()
		}
	}
}

// fresh makes a size that nothing is known of. Each call makes another one, so two unknown sizes
// are never taken for equal.
func (e *engine) fresh() *symshape.Expr { return e.pool.Fresh("unk") }

// unknownDim reports whether an expression has a part that is an unknown of the
// inference's own.
func unknownDim(x *symshape.Expr) bool {
	return x == nil || slices.ContainsFunc(x.Symbols(), (*symshape.Expr).IsFresh)
}

// normalize puts unknowns where a rule left dimensions empty. A size that is known to be negative
// is a fault that somebody else reports; here it becomes unknown so that nothing follows from it.
func (e *engine) normalize(t *Type) {
	for ; t != nil; t = t.Of {
		if !t.Ranked {
			t.Dims = nil
		}
		for i, d := range t.Dims {
			if d == nil {
				t.Dims[i] = e.fresh()
			} else if _, hi := d.Bounds(); hi < 0 {
				t.Dims[i] = e.fresh()
			}
		}
	}
}

func (e *engine) consts(dims []int64) []*symshape.Expr {
	out := make([]*symshape.Expr, len(dims))
	for i, d := range dims {
		out[i] = e.pool.Const(d)
	}
	return out
}

// neverEqual reports whether two sizes differ for all values of the symbols. It is decided by
// bounds of the difference, under the facts; true is a proof.
func (e *engine) neverEqual(a, b *symshape.Expr) bool {
	if a == b || a == nil || b == nil {
		return false
	}
	d := e.pool.Sub(a, b)
	if d == nil {
		return false
	}
	lo, hi := e.facts.Range(d)
	return lo > 0 || hi < 0
}

// better chooses between two expressions of one size: a constant, then one without
// unknowns, then the first. Both have been found equal, or may be; the shorter knowledge is kept.
func better(a, b *symshape.Expr) *symshape.Expr {
	if _, ok := a.Const(); ok {
		return a
	}
	if _, ok := b.Const(); ok {
		return b
	}
	if unknownDim(a) && !unknownDim(b) {
		return b
	}
	return a
}

// meet joins two statements about one value: what either says is true. The reason
// says how they contradict each other. The first is preferred where both know the
// same. It is the greatest lower bound in the lattice of types, where unknown is the top.
func (e *engine) meet(a, b *Type) (t *Type, reason string) {
	switch {
	case a == nil || a.Kind == onnx.NoType:
		return b, ""
	case b == nil || b.Kind == onnx.NoType || b.Kind == onnx.OpaqueType:
		return a, ""
	case a.Kind != b.Kind:
		return a, fmt.Sprintf("is %s by inference and %s by declaration", a, b)
	}
	out := *a
	if out.Elem == onnx.Undefined {
		out.Elem = b.Elem
	} else if b.Elem != onnx.Undefined && a.Elem != b.Elem {
		return a, fmt.Sprintf("has element type %s by inference and %s by declaration", a.Elem, b.Elem)
	}
	if out.Key == onnx.Undefined {
		out.Key = b.Key
	}
	if a.Of != nil || b.Of != nil {
		if out.Of, reason = e.meet(a.Of, b.Of); reason != "" {
			return a, reason
		}
	}
	switch {
	case !a.Ranked:
		out.Ranked, out.Dims = b.Ranked, b.Dims
	case !b.Ranked:
	case len(a.Dims) != len(b.Dims):
		return a, fmt.Sprintf("is %s by inference and %s by declaration", a, b)
	default:
		out.Dims = make([]*symshape.Expr, len(a.Dims))
		for i, d := range a.Dims {
			if e.neverEqual(d, b.Dims[i]) {
				return a, fmt.Sprintf("is %s by inference and %s by declaration: dimension %d differs", a, b, i)
			}
			out.Dims[i] = better(d, b.Dims[i])
		}
	}
	return &out, ""
}

// join gives what holds of a value that has one type or the other. Sizes that
// differ are unknown; kinds and element types that differ leave nothing. It is the least upper
// bound, with equality of sizes as equality of expressions; it never fails.
func (e *engine) join(a, b *Type) *Type {
	if a == nil || b == nil || a.Kind != b.Kind || a.Kind == onnx.NoType {
		return &Type{}
	}
	out := *a
	if a.Elem != b.Elem {
		out.Elem = onnx.Undefined
	}
	if a.Key != b.Key {
		out.Key = onnx.Undefined
	}
	if a.Of != nil || b.Of != nil {
		out.Of = e.join(a.Of, b.Of)
	}
	if !a.Ranked || !b.Ranked || len(a.Dims) != len(b.Dims) {
		out.Ranked, out.Dims = false, nil
		return &out
	}
	out.Dims = make([]*symshape.Expr, len(a.Dims))
	for i, d := range a.Dims {
		if d == b.Dims[i] {
			out.Dims[i] = d
		} else {
			out.Dims[i] = e.fresh()
		}
	}
	return &out
}

// ONNX gives the type as files have it, or nil when nothing is known. Expressions are written as
// names of dimensions.
func (t *Type) ONNX() *onnx.Type {
	if t == nil {
		return nil
	}
	out := &onnx.Type{Kind: t.Kind, Elem: t.Elem, Key: t.Key}
	switch t.Kind {
	case onnx.TensorType, onnx.SparseTensorType:
		if t.Elem == onnx.Undefined {
			return nil
		}
		if t.Ranked {
			out.Shape = &onnx.Shape{Dims: make([]onnx.Dim, len(t.Dims))}
			for i, d := range t.Dims {
				if n, ok := d.Const(); ok {
					out.Shape.Dims[i] = onnx.Static(n)
				} else {
					out.Shape.Dims[i] = onnx.Sym(d.String())
				}
			}
		}
	case onnx.SequenceType, onnx.OptionalType, onnx.MapType:
		if out.Of = t.Of.ONNX(); out.Of == nil {
			return nil
		}
	default:
		return nil
	}
	return out
}
