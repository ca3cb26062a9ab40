package infer

// This file finds places: for faults of an entry that runs library code only, such as a Sequential at the top level of
// the file, and for the tensors that the entry is given.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// place gives a diagnostic without a place that of the layer in the statement that
// makes the entry, else that of the statement; of a class's instance, that of the
// layer in the file. There is no line of the user's that
// was running: PyTorch's trace ends in its own files, too.
func (in *Interp) place(d *diag.Diagnostic) {
	if d.At.IsValid() || in.entryName == "" {
		return
	}
	at := in.entryPlace()
	d.At = at
	for i := len(d.Related) - 1; i >= 0; i-- {
		r := d.Related[i].At
		if !at.IsValid() && in.files.File(r.Start) == in.mainFile || r.Start >= at.Start && r.End <= at.End {
			d.At = r
			return
		}
	}
}

// entryPlace is the value that the top level of the file last gives to the name of
// the entry.
func (in *Interp) entryPlace() source.Span {
	name := in.entryName
	for i, c := range name {
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			name = name[:i]
			break
		}
	}
	var at source.Span
	if in.mainFile == nil {
		return at
	}
	u := in.finder.parsed(in.mainFile)
	if u == nil {
		return at
	}
	for _, s := range u.tree.Body {
		a, ok := s.(*ast.Assign)
		if !ok {
			continue
		}
		for _, t := range a.Targets {
			if n, ok := t.(*ast.Name); ok && n.ID == name {
				at = a.Value.Span()
			}
		}
	}
	return at
}

// placeInputs gives the entry's tensors the places of its parameters.
func (in *Interp) placeInputs(target value.Value, args []value.Value, kw []value.Kw) {
	fn, self := in.Function(target)
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
		for e := range value.Walk(v, 3, value.Sequences) {
			if t, ok := e.(*value.Tensor); ok && !t.V.At.IsValid() {
				t.V.At = at
			}
		}
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

// Function is the function that a call of an object runs; self says that its first
// parameter is the object.
func (in *Interp) Function(target value.Value) (fn *value.Func, self bool) {
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
