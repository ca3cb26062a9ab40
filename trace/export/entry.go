package export

// This file has callables with arguments whose sizes have symbols: what is asked about the sizes of an entry.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// An Entry is a callable with arguments whose sizes have symbols.
type Entry struct {
	Target value.Value
	Module *value.Module // in which it is an expression
	Name   string        // that expression
	// Params are the parameters that may be given by position, without self; nil: they are not known.
	Params []string
	Args   []value.Value
	Kw     []value.Kw
	// Symbols are those of the sizes, Given the sizes that the user gave.
	Symbols []*symshape.Expr
	Given   map[string]int64
	// Contract is what is known of the sizes at first, Valid with what the model needs.
	Contract, Valid symshape.Facts

	th value.Thread
}

// NewEntry is an entry with arguments, of whose sizes facts are known.
func NewEntry(th value.Thread, m *value.Module, target value.Value, args []value.Value, kw []value.Kw, facts symshape.Facts) *Entry {
	e := &Entry{Target: target, Module: m, Args: args, Kw: kw, Contract: facts, Valid: facts, Given: map[string]int64{}, th: th}
	for _, v := range e.Arguments() {
		for x := range value.Walk(v, maxDepth, value.Sequences|value.DictValues) {
			switch x := x.(type) {
			case *value.Tensor:
				for _, d := range x.Type().Shape {
					e.meets(d)
				}
			case *value.SymInt:
				e.meets(x.D)
			}
		}
	}
	return e
}

// maxDepth bounds the nesting of arguments.
const maxDepth = 12

// Arguments are those in their order, the ones by name last.
func (e *Entry) Arguments() []value.Value {
	out := slices.Clone(e.Args)
	for _, k := range e.Kw {
		out = append(out, k.Value)
	}
	return out
}

// Types are the arguments as types with symbols.
func (e *Entry) Types() []string {
	var out []string
	for _, v := range e.Args {
		out = append(out, v.String())
	}
	for _, k := range e.Kw {
		out = append(out, k.Name+"="+k.Value.String())
	}
	return out
}

// meets notes the symbols of a size.
func (e *Entry) meets(d symshape.Dim) {
	if d.Expr == nil {
		return
	}
	for _, x := range d.Expr.Symbols() {
		if !slices.Contains(e.Symbols, x) {
			e.Symbols = append(e.Symbols, x)
		}
	}
}

// Sized reports whether all sizes of the tensors among the arguments are numbers or have symbols.
func (e *Entry) Sized() bool {
	for _, v := range e.Arguments() {
		for x := range value.Walk(v, maxDepth, value.Sequences|value.DictValues) {
			t, ok := x.(*value.Tensor)
			if !ok {
				continue
			}
			unknown := func(d symshape.Dim) bool {
				return d.Expr == nil || slices.ContainsFunc(d.Expr.Symbols(), (*symshape.Expr).IsFresh)
			}
			if !t.Type().Ranked || slices.ContainsFunc(t.Type().Shape, unknown) {
				return false
			}
		}
	}
	return true
}

// At are the arguments with example sizes.
func (e *Entry) At(env map[string]int64) (args []value.Value, kw []value.Kw) {
	size := func(d symshape.Dim) symshape.Dim {
		if d.Expr != nil {
			if n, err := d.Expr.Eval(symshape.Env(env)); err == nil {
				return e.th.Pool().ConstDim(n)
			}
		}
		return d
	}
	for _, v := range e.Args {
		args = append(args, Resized(e.th, v, size))
	}
	for _, k := range e.Kw {
		kw = append(kw, value.Kw{Name: k.Name, Value: Resized(e.th, k.Value, size)})
	}
	return args, kw
}

// isNumber reports whether a symbol is an argument of Python, which a trace keeps.
func (e *Entry) isNumber(sym *symshape.Expr) bool {
	is := func(v value.Value) bool {
		n, ok := v.(*value.SymInt)
		return ok && n.D.Expr != nil && slices.Contains(n.D.Expr.Symbols(), sym)
	}
	return slices.ContainsFunc(e.Args, is) || slices.ContainsFunc(e.Kw, func(k value.Kw) bool { return is(k.Value) })
}

// Resized is an argument with other sizes.
func Resized(th value.Thread, v value.Value, size func(symshape.Dim) symshape.Dim) value.Value {
	return resized(th, &value.Visit{Repeats: value.SomeRepeats}, v, size)
}

// resized is Resized within a visit, which bounds the work for values that contain themselves.
func resized(th value.Thread, w *value.Visit, v value.Value, size func(symshape.Dim) symshape.Dim) value.Value {
	if !w.Enter(v) {
		return v
	}
	defer w.Leave()
	switch v := v.(type) {
	case *value.Tensor:
		typ := *v.Type()
		typ.Shape = slices.Clone(typ.Shape)
		for i, d := range typ.Shape {
			typ.Shape[i] = size(d)
		}
		return &value.Tensor{Header: th.Heap().Header(), Class: v.Class, V: th.Graph().NewValue(v.V.Kind, typ, th.Here())}
	case *value.SymInt:
		return value.FromDim(size(v.D))
	case *value.Tuple:
		elems := make([]value.Value, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = resized(th, w, e, size)
		}
		return &value.Tuple{Elems: elems}
	case *value.List:
		if v.Open == nil {
			elems := make([]value.Value, len(v.Elems))
			for i, e := range v.Elems {
				elems[i] = resized(th, w, e, size)
			}
			return th.Heap().NewList(elems)
		}
	case *value.Dict:
		if v.Open == nil {
			d := th.Heap().NewDict()
			for i := range v.Len() {
				if err := th.SetItem(d, v.Key(i), resized(th, w, v.At(i), size)); err != nil {
					return v
				}
			}
			return d
		}
	}
	return v
}
