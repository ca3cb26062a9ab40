package infer

// This file makes faults speak of the user's program: of the parameters in which
// the entry's arguments arrive, of the layer that refuses its input, of operands
// by what the source calls them.

import (
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// placeInputs gives the entry's tensors the places of its parameters.
func (in *Interp) placeInputs(target value.Value, args []value.Value, kw []value.Kw) {
	fn, self := in.entryFunc(target)
	if fn == nil || fn.Module == nil || fn.Module.Prelude {
		return
	}
	p := fn.Params
	names := append(append([]*ast.Param(nil), p.PosOnly...), p.Args...)
	if self && len(names) > 0 {
		names = names[1:]
	}
	place := func(v value.Value, x *ast.Param) {
		at := source.Span{Start: x.Span().Start, End: x.Span().Start + source.Pos(len(x.Name))}
		var walk func(v value.Value, depth int)
		walk = func(v value.Value, depth int) {
			elems, _ := listed(v)
			if t, ok := v.(*value.Tensor); ok && !t.V.At.IsValid() {
				t.V.At = at
			}
			for _, e := range elems {
				if depth > 0 {
					walk(e, depth-1)
				}
			}
		}
		walk(v, 3)
	}
	for i, a := range args {
		if i < len(names) {
			place(a, names[i])
		} else if p.VarArg != nil {
			place(a, p.VarArg)
		}
	}
	for _, k := range kw {
		for _, list := range [][]*ast.Param{names, p.KwOnly} {
			for _, x := range list {
				if x.Name == k.Name {
					place(k.Value, x)
				}
			}
		}
	}
}

// entryFunc is the function that a call of the entry runs; self says that its
// first parameter is the object.
func (in *Interp) entryFunc(target value.Value) (fn *value.Func, self bool) {
	switch t := target.(type) {
	case *value.Func:
		return t, false
	case *value.BoundMethod:
		fn, _ = t.Func.(*value.Func)
		return fn, true
	case *value.Instance:
		for _, name := range [...]string{"forward", "__call__"} {
			if m, ok := t.Class.Lookup(name); ok {
				fn, _ = m.(*value.Func)
				return fn, true
			}
		}
	}
	return nil, false
}

// preludeText is the message of an error that library code raises, after the
// name of the layer whose code it is.
func (in *Interp) preludeText(f *frame, text string) string {
	if f.fn == nil || len(f.fn.Params.Args) == 0 || f.fn.Params.Args[0].Name != "self" || len(f.V) == 0 {
		return text
	}
	self, ok := f.V[0].(*value.Instance)
	if !ok || in.modules["torch.nn"] == nil || !self.Class.IsSubclass(in.Class("torch.nn.Module")) || strings.Contains(text, self.Class.Name) {
		return text
	}
	return self.Class.Name + ": " + text
}

// describe completes the operands of a fault: those of a layer that refuses its
// input, and the operands of methods and operators by their text.
func (s *site) describe() {
	d := s.diag
	if len(d.Operands) == 0 && s.layer != nil {
		switch d.Code {
		case diag.ShapeMismatch, diag.BadValue, diag.RankMismatch:
		default:
			return
		}
		for i := range s.vals {
			if t := s.tensor(i); t != nil && len(d.Operands) < 4 {
				d.Operands = append(d.Operands, diag.Operand{Name: s.paramName(i), Type: t.String(), Fault: -1})
			}
		}
	}
	for i := range d.Operands {
		o := &d.Operands[i]
		k := -1
		switch o.Name {
		case "self":
			k = 0
		case "other":
			k = 1
		}
		if k < 0 || k >= len(s.vals) || s.exprs[k] == nil || s.tensor(k) == nil || s.tensor(k).String() != o.Type {
			continue
		}
		if text := s.in.SpanText(s.exprs[k].Span()); len(text) <= 24 && !strings.ContainsAny(text, "\n\r") {
			o.Name = text
		}
	}
}

// paramName names operand i of a layer's call.
func (s *site) paramName(i int) string {
	if n := len(s.vals) - len(s.names); i >= n {
		return s.names[i-n]
	}
	if fn, self := s.in.entryFunc(s.layer); fn != nil && self && i+1 < len(fn.Params.Args) {
		return fn.Params.Args[i+1].Name
	}
	return "input"
}
