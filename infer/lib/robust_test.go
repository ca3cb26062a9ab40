package lib

// This file calls every builtin with arguments of all kinds: whatever they are,
// a call ends in a value or a Python exception, never in a panic.

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// oddValues are values of all kinds, abstract ones above all.
func oddValues(th *testThread) []value.Value {
	h := &th.heap
	dict := h.NewDict()
	dict.SetStr(h, "a", value.Int(1))
	symKeys := h.NewDict()
	size := &value.SymInt{D: th.pool.SymDim("H")}
	if err := th.w.store(th, symKeys, size, value.Int(1)); err != nil {
		panic(err)
	}
	openDict := h.NewDict()
	openDict.Open = &value.Open{}
	openSet := h.NewSet()
	openSet.Open = &value.Open{}
	cls, err := th.w.NewClass(h, "User", "m", []*value.Class{th.w.Class("int")}, nil, nil)
	if err != nil {
		panic(err)
	}
	payload := h.NewInstance(cls)
	payload.Payload = value.Int(3)
	openIter := newOpenIter(th, "iterator", value.Int(1), symshape.Dim{})
	t := &value.Tensor{V: &graph.Value{}}
	return []value.Value{
		value.None, value.Ellipsis, value.NotImplemented, value.Bool(true), value.Int(0), value.Int(-3), value.Int(math.MaxInt64),
		value.Int(math.MinInt64),
		&value.BigInt{V: new(big.Int).Lsh(big.NewInt(1), 100)}, value.Float(1.5), value.Float(math.NaN()), value.Float(math.Inf(1)),
		value.Complex(1i),
		value.Str(""), value.Str("ab{}%s"), value.Bytes("x"), size, &value.SymInt{},
		&value.SymInt{D: symshape.MakeDimValue(th.pool.Symbol("N"), 2)},
		&value.SymFloat{}, &value.SymFloat{Val: 2, Known: true}, th.DataBool(nil), th.Unknown("x"), th.w.abstractStr(th, "t"),
		th.w.abstract(th, th.w.Class("bytes")),
		th.w.abstract(th, th.w.Class("complex")), th.w.abstract(th, th.w.Class("list")), value.NewTuple(), value.NewTuple(value.Int(1), size),
		value.NewTuple(th.Unknown("x"), value.Int(1)),
		h.NewList(nil), h.NewList([]value.Value{value.Int(2), value.Str("a")}),
		h.NewOpenList(&value.Open{Elem: value.Int(1), Len: th.pool.SymDim("H")}), h.NewOpenList(&value.Open{}),
		dict, symKeys, openDict, h.NewSet(), openSet, &value.Set{Frozen: true}, &value.Range{Start: value.Int(0), Stop: size, Step: value.Int(1)},
		&value.Range{Start: value.Int(0), Stop: value.Int(5), Step: value.Int(2)},
		&value.Slice{Start: value.None, Stop: size, Step: value.None}, &value.Slice{Start: value.Int(1), Stop: value.None, Step: value.Int(-1)},
		th.w.Class("int"), th.w.Class("ValueError"), cls, payload, h.NewInstance(th.w.object), th.w.Exception("KeyError", "k"),
		&value.Module{Name: "m", Attrs: h.NewAttrs()},
		&value.Property{}, &value.StaticMethod{Func: value.None}, th.w.newView(th, dict, itemsView), th.w.newView(th, openDict, keysView),
		elemsIter(th, "list_iterator", []value.Value{value.Int(1)}), openIter,
		&value.GenericAlias{Origin: th.w.Class("list"), Args: []value.Value{th.w.Class("int")}}, t, value.DType{}, value.Device{},
		value.Constant{Name: "c"},
		&value.Builtin{Name: "f", Fn: func(value.Thread, []value.Value, []value.Kw) (value.Value, error) { return value.Int(1), nil }},
	}
}

func TestNoCallPanics(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 1
	}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range rounds {
		th := newTestThread()
		vals := oddValues(th)
		pick := func() value.Value { return vals[r.IntN(len(vals))] }
		try := func(what string, args []value.Value, f func() (value.Value, error)) {
			defer func() {
				if e := recover(); e != nil {
					text := what + "("
					for _, a := range args {
						text += fmt.Sprintf("%T %v, ", a, a)
					}
					t.Fatalf("round %d: %s): %v", round, text, e)
				}
			}()
			v, err := f()
			var exc *value.Exception
			var open *value.OpenError
			switch {
			case err == nil && v == nil:
				t.Fatalf("%s: neither value nor error", what)
			case err == nil:
				th.Repr(v)
			case !errors.As(err, &exc) && !errors.As(err, &open) && !errors.Is(err, errNotMine):
				t.Fatalf("%s: %v", what, err)
			}
		}
		for i := range th.w.arena.builtins {
			b, p := &th.w.arena.builtins[i], th.w.arena.procs[i]
			var args []value.Value
			if p.cls != nil && p.p.kind != staticProc {
				var self []value.Value
				for _, v := range vals {
					c, isClass := v.(*value.Class)
					switch {
					case p.p.kind == newProc || p.p.kind == classProc:
						if isClass && c.IsSubclass(p.cls) {
							self = append(self, v)
						}
					case th.w.TypeOf(v).IsSubclass(p.cls):
						self = append(self, v)
					}
				}
				if p.p.kind == newProc || p.p.kind == classProc {
					self = append(self, p.cls)
				}
				if len(self) == 0 {
					continue
				}
				args = append(args, self[r.IntN(len(self))])
			}
			for range r.IntN(4) {
				args = append(args, pick())
			}
			try(b.Name, args, func() (value.Value, error) { return b.Fn(th, args, nil) })
		}
		for range 3000 {
			a, b := pick(), pick()
			args := []value.Value{a, b}
			op, cmp := ast.BinOperator(r.IntN(13)), ast.CmpOperator(r.IntN(10))
			try(op.Name(), args, func() (value.Value, error) { return th.Binary(op, a, b) })
			try(op.Name()+" in place", args, func() (value.Value, error) { return th.take(th.w.InPlace(th, op, a, b)) })
			try(cmp.Name(), args, func() (value.Value, error) { return th.Compare(cmp, a, b) })
			try("getitem", args, func() (value.Value, error) { return th.GetItem(a, b) })
			try("setitem", args, func() (value.Value, error) { return value.None, th.SetItem(a, b, value.Int(1)) })
			try("delitem", args, func() (value.Value, error) { return value.None, th.DelItem(a, b) })
			try("len", args[:1], func() (value.Value, error) { return th.take(th.w.Len(th, a)) })
			try("hash", args[:1], func() (value.Value, error) { _, err := th.HashKey(a); return value.None, err })
			try("format", args[:1], func() (value.Value, error) { return th.w.Format(th, a, "5.2f") })
			try("unary", args[:1], func() (value.Value, error) { return th.Unary(ast.UnaryOperator(r.IntN(4)), a) })
		}
	}
}
