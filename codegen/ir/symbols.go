package ir

// This file finds where symbols are bound.

import (
	"fmt"

	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// BindSymbols makes the table of symbols anew: each symbol is bound by the first
// dimension, or known element of a small integer tensor, that is the symbol itself: of an
// input, of a parameter of a loop's body, or of a node's result, in the order in which a
// run meets them. Symbols that only elements are and no size needs are forgotten, with
// these elements. Types of a sequence's elements forget sizes that nothing outside of the
// sequence binds: each element may have its own. What a body binds is not bound behind it. Bounds that symbols had are kept. The
// error names a size whose symbol nothing binds.
func (m *Module) BindSymbols() error {
	b := &binder{m: m, met: map[*symshape.Expr]bool{}, bound: map[*symshape.Expr]bool{}, needed: map[*symshape.Expr]bool{},
		upper: map[*symshape.Expr]*symshape.Expr{}}
	for _, s := range m.Syms {
		b.upper[s.Expr] = s.Upper
	}
	m.Syms = nil
	m.Walk(func(g *Graph) {
		for _, v := range g.Params {
			b.need(v)
		}
		for _, n := range g.Nodes {
			for _, v := range n.Outs {
				b.need(v)
			}
		}
	})
	for i, p := range m.Main.Params {
		b.dims(&p.Type, Symbol{Port: i})
	}
	for i, p := range m.Main.Params {
		b.settle(p)
		m.Ins[i].Type = p.Type
	}
	b.graph(m.Main)
	for i, v := range m.Main.Results {
		m.Outs[i].Type = v.Type
	}
	return b.err
}

type binder struct {
	m      *Module
	met    map[*symshape.Expr]bool // the symbols that are bound somewhere
	bound  map[*symshape.Expr]bool // here
	needed map[*symshape.Expr]bool // the symbols of sizes
	upper  map[*symshape.Expr]*symshape.Expr
	err    error
}

func (b *binder) need(v *Value) {
	if v == nil {
		return
	}
	for _, d := range v.Type.Dims {
		for _, s := range d.Symbols() {
			b.needed[s] = true
		}
	}
}

// bind notes that a symbol is bound.
func (b *binder) bind(d *symshape.Expr, s Symbol) {
	s.Expr, s.Upper = d, b.upper[d]
	b.met[d], b.bound[d] = true, true
	b.m.Syms = append(b.m.Syms, s)
}

// free reports whether an expression is a symbol that has not been bound yet.
func (b *binder) free(d *symshape.Expr) bool {
	if d == nil {
		return false
	}
	_, ok := d.IsSymbol()
	return ok && !b.met[d]
}

// dims binds the symbols that are dimensions of a type.
func (b *binder) dims(t *inference.Type, s Symbol) {
	for axis, d := range t.Dims {
		if b.free(d) {
			s.Axis = axis
			b.bind(d, s)
		}
	}
}

// elems binds the symbols that are elements of a value, where sizes need them.
func (b *binder) elems(v *Value, s Symbol) {
	for i, e := range v.Elems {
		if b.free(e) && b.needed[e] {
			s.Axis, s.Element = i, true
			b.bind(e, s)
		}
	}
}

// settle forgets what has symbols that are not bound, and reports sizes that have.
func (b *binder) settle(v *Value) {
	for _, d := range v.Type.Dims {
		if s := b.unbound(d); s != nil && b.err == nil {
			at := "an input"
			if v.Def != nil {
				at = fmt.Sprintf("a result of node %d (%s)", v.Def.ID, v.Def.Op.Name)
			}
			b.err = fmt.Errorf("the size %s of %s, %q, has the symbol %s, which nothing binds", d, at, v.Name, s)
		}
	}
	for i, e := range v.Elems {
		if b.unbound(e) != nil {
			v.Elems[i] = nil
		}
	}
	if v.Type.Of != nil {
		of := b.loosen(v.Type.Of)
		v.Type.Of = &of
	}
}

func (b *binder) unbound(x *symshape.Expr) *symshape.Expr {
	if x == nil {
		return nil
	}
	for _, s := range x.Symbols() {
		if !b.bound[s] {
			return s
		}
	}
	return nil
}

// loosen makes a type of elements without sizes that are not bound.
func (b *binder) loosen(t *inference.Type) inference.Type {
	out := *t
	if t.Of != nil {
		of := b.loosen(t.Of)
		out.Of = &of
		return out
	}
	for _, d := range t.Dims {
		if b.unbound(d) != nil {
			return inference.Type{Kind: onnx.TensorType, Elem: t.Elem}
		}
	}
	return out
}

// graph finds what binds each symbol, node by node in the order of the run: the first place where
// it stands alone as a size or element. Symbols that a body binds are forgotten behind it, since
// the next trip binds them anew.
func (b *binder) graph(g *Graph) {
	for _, n := range g.Nodes {
		for _, sub := range n.Graphs {
			outside := len(b.m.Syms)
			for _, p := range sub.Params {
				b.dims(&p.Type, Symbol{Port: -1, Param: p})
				b.elems(p, Symbol{Port: -1, Param: p})
			}
			for _, p := range sub.Params {
				b.settle(p)
			}
			b.graph(sub)
			for _, s := range b.m.Syms[outside:] {
				delete(b.bound, s.Expr)
			}
		}
		for _, v := range n.Outs {
			if v != nil {
				b.dims(&v.Type, Symbol{Port: -1, Node: n})
				b.elems(v, Symbol{Port: -1, Node: n})
			}
		}
		for _, v := range n.Outs {
			if v != nil {
				b.settle(v)
			}
		}
	}
}
