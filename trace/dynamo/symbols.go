package dynamo

// This file runs a function with symbols for what varies between calls, to see what its graph
// relies on. When a second call has other sizes, Dynamo compiles again with symbols for those that
// changed. This file does so: it makes the arguments anew, with a symbol for each source that
// varies, runs the function, and keeps the conditions under which the run went as it did. They are
// the guards of the symbolic graph.

import (
	"slices"
	"strconv"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
	"shapecheck/trace/export"
)

// runSymbolic runs the body with symbols for what varies, to see what the graph relies on. The
// conditions noted before the first break are those of this graph.
func (d *Run) runSymbolic(e *guardedGraph, p *framePart, varies map[sizeKey]int64) {
	w := &arguments{host: d.host, visit: value.Visit{Repeats: value.SomeRepeats}, varies: varies, symbols: e.symbols}
	x := &export.Program{Target: d.target}
	for i, v := range d.args {
		x.Args = append(x.Args, w.value(d.positional(i), v))
	}
	for _, k := range d.kw {
		x.Kw = append(x.Kw, value.Kw{Name: k.Name, Value: w.value(d.keyword(k.Name), k.Value)})
	}
	// What varies and is no part of an argument, as a global number, is open without a symbol.
	for k := range varies {
		if e.symbols[k] == "" {
			e.symbols[k], e.branches = openNumber, p.branches
		}
	}
	r := export.NewRun(d.host, x, export.Guards)
	if err := d.host.RunIn(d.state, x, r); err != nil {
		return
	}
	// Conditions of what runs after the first break belong to another graph.
	first := source.Pos(0)
	if len(p.ends) > 0 {
		first = p.ends[0].Start
	}
	var known symshape.Facts
	fixes := map[*symshape.Expr]source.Span{}
	for _, c := range r.Conds {
		if first != 0 && c.At.Start >= first {
			break
		}
		before := known
		for _, part := range c.Cond.Conjuncts() {
			if f, ok := known.Assume(part); ok {
				known = f
			}
		}
		// A condition that leaves one value fixes the symbol.
		for _, s := range c.Cond.Symbols() {
			_, was := before.Only(s)
			if _, is := known.Only(s); is && !was {
				fixes[s] = c.At
			}
		}
		e.conds = append(e.conds, c.Cond)
	}
	for k, name := range e.symbols { // a size that can be one number only is no symbol
		if s := d.host.Pool().Lookup(name); s != nil {
			if _, only := known.Only(s); only {
				delete(e.symbols, k)
				switch r := p.of[k.source]; {
				case r == nil:
				case k.axis < 0:
					r.typed = true
				// A size that was marked as dynamic and can be one number is an error of Dynamo.
				case r.dynamic[int64(k.axis)]:
					d.refused, d.refusedAt = constraintError, fixes[s]
				}
			}
		}
	}
	e.conds = append(e.conds, r.Apart...)
}

// positional is the source of an argument of the call without a name.
func (d *Run) positional(i int) string {
	if d.root.frame == nil { // a module of torch
		return "args[" + strconv.Itoa(i) + "]"
	}
	p := d.root.frame.Func().Params
	switch d.target.(type) {
	case *value.Instance, *value.BoundMethod:
		i++ // self
	}
	names := slices.Concat(p.PosOnly, p.Args)
	switch {
	case i < len(names):
		return names[i].Name
	case p.VarArg != nil:
		return p.VarArg.Name + "[" + strconv.Itoa(i-len(names)) + "]"
	}
	return ""
}

// keyword is the source of an argument with a name.
func (d *Run) keyword(name string) string {
	if d.root.frame == nil {
		return "kwargs['" + name + "']"
	}
	p := d.root.frame.Func().Params
	named := func(q *ast.Param) bool { return q.Name == name }
	if p.KwArg == nil || slices.ContainsFunc(p.Args, named) || slices.ContainsFunc(p.KwOnly, named) {
		return name
	}
	return p.KwArg.Name + "['" + name + "']"
}

// An arguments makes the arguments of a call with symbols for what varies.
type arguments struct {
	host    Host
	varies  map[sizeKey]int64
	symbols map[sizeKey]string
	visit   value.Visit
}

// value is an argument with symbols for what varies of it.
func (w *arguments) value(src string, v value.Value) value.Value {
	if !w.visit.Enter(v) {
		return v
	}
	defer w.visit.Leave()
	// A new symbol with the present number as its example.
	symbol := func(k sizeKey, n, lo int64) *symshape.Expr {
		s := export.NewSymbol(w.host, "d0", lo, symshape.PosInf, n)
		w.symbols[k] = s.String()
		return s
	}
	switch v := v.(type) {
	case *value.Tensor:
		typ := *v.Type()
		if typ.Ranked {
			typ.Shape = append(symshape.Shape{}, typ.Shape...)
			for i := range typ.Shape {
				k := sizeKey{src, i}
				if n, ok := w.varies[k]; ok {
					typ.Shape[i] = w.host.ExampleDim(symshape.MakeDim(symbol(k, n, 2)))
				}
			}
		}
		t := &value.Tensor{Header: w.host.Heap().Header(), Class: v.Class, V: w.host.Graph().NewValue(v.V.Kind, typ, w.host.Here())}
		k := sizeKey{itemOf(src), -1}
		// The number in a tensor of one element may vary, too.
		if n, ok := w.varies[k]; ok {
			t.SetContents([]value.Value{value.FromDim(w.host.ExampleDim(symshape.MakeDim(symbol(k, n, symshape.NegInf))))})
		}
		return t
	case value.Int:
		k := sizeKey{src, -1}
		if n, ok := w.varies[k]; ok {
			return value.FromDim(w.host.ExampleDim(symshape.MakeDim(symbol(k, n, symshape.NegInf))))
		}
	case *value.Slice:
		return &value.Slice{Start: w.value(src+".start", v.Start), Stop: w.value(src+".stop", v.Stop), Step: w.value(src+".step", v.Step)}
	case *value.Tuple:
		elems := make([]value.Value, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = w.value(src+"["+strconv.Itoa(i)+"]", e)
		}
		if v.Class != nil {
			return &value.Tuple{Class: v.Class, Elems: elems, Attrs: v.Attrs}
		}
		return &value.Tuple{Elems: elems}
	case *value.List:
		if v.Open == nil {
			elems := make([]value.Value, len(v.Elems))
			for i, e := range v.Elems {
				elems[i] = w.value(src+"["+strconv.Itoa(i)+"]", e)
			}
			return w.host.Heap().NewList(elems)
		}
	case *value.Dict:
		if v.Class == nil && v.Plain() {
			dict := w.host.Heap().NewDict()
			for i, k := range v.Keys() {
				if key, ok, err := w.host.Key(k); ok && err == nil {
					dict.Set(w.host.Heap(), key, k, w.value(src+"["+keyText(k)+"]", v.At(i)))
				}
			}
			return dict
		}
	}
	return v
}
