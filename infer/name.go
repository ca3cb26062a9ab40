package infer

// This file reads and writes variables.
//
// It also reports, without a run, names that nothing in a file binds. Which kind of variable a name
// is was found by the resolver; here its value is read. A variable of one of two values is narrowed
// by what the branch has decided.

import (
	"cmp"
	"strings"

	"shapecheck/infer/lint"
	"shapecheck/infer/value"
	"shapecheck/internal/closest"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// load reads a variable. Tracers see the value before it is narrowed. The error is the NameError of
// a variable without a value.
func (in *Interp) load(f *frame, n *ast.Name) (value.Value, error) {
	v, err := in.loadBinding(f, f.unit.info.Names[n.Index], n.ID, n)
	if err != nil {
		return nil, err
	}
	for _, t := range in.tracers.all {
		t.Name(f, n, f.unit.info.Names[n.Index], v)
	}
	if c, ok := v.(*value.Choice); ok {
		return decided(in, c), nil
	}
	return v, nil
}

// bound is what a variable holds: the program does not read it. It is for the interpreter's own
// questions: no tracer sees it.
func (in *Interp) bound(f *frame, n *ast.Name) (value.Value, error) {
	v, err := in.loadBinding(f, f.unit.info.Names[n.Index], n.ID, n)
	if c, ok := v.(*value.Choice); ok {
		return decided(in, c), err
	}
	return v, err
}

// loadBinding loads a name where the resolver has found it: in a slot, a cell, a closure, the class's
// namespace, or globally. A class body reads its own namespace, then the function around it, then
// the globals, as Python does. The error is an UnboundLocalError for variables of the function,
// else a NameError.
func (in *Interp) loadBinding(f *frame, b resolve.Binding, name string, at ast.Node) (value.Value, error) {
	switch b.Kind {
	case resolve.Local:
		if v := f.V[b.Slot]; v != nil {
			return v, nil
		}
		return nil, in.unbound(f, "UnboundLocalError", name, at)
	case resolve.Cell:
		if v := f.cells[b.Slot].V; v != nil {
			return v, nil
		}
		return nil, in.unbound(f, "UnboundLocalError", name, at)
	case resolve.Free:
		if v := f.free[b.Slot].V; v != nil {
			return v, nil
		}
		return nil, in.unbound(f, "NameError", name, at)
	case resolve.Class:
		if v, ok := f.ns.Get(mangle(f, name)); ok {
			return v, nil
		}
		if b.Slot >= 0 { // a free variable of the class body
			if v := f.free[b.Slot].V; v != nil {
				return v, nil
			}
		}
	}
	return in.loadGlobal(f, mangle(f, name), at)
}

// loadGlobal looks up module, then builtins. Between them come names that are there later: imports that wait,
// star imports that may have the name, what a module without all of its code may have defined. Only when
// nothing of this is left is the name an error.
func (in *Interp) loadGlobal(f *frame, name string, at ast.Node) (value.Value, error) {
	// Faults at the top level of a module matter only if the entry needs what was lost.
	if in.stack.inEntry && in.imports.topFaults != nil {
		in.imports.needs(f.globals.Name, name)
	}
	if v, ok := f.globals.Attrs.Get(name); ok {
		return v, nil
	}
	if v, ok := in.overrides[name]; ok && f.globals == in.main && in.stack.inEntry { // --set of what the top level did not come to
		return v, nil
	}
	if v, ok, err := in.imports.awaited(f.globals, name); ok || err != nil {
		return v, err
	}
	if v, ok := in.world.Builtins().Get(name); ok {
		return v, nil
	}
	if v, ok, err := in.imports.awaitedStar(f.globals, name); ok || err != nil {
		return v, err
	}
	if f.globals.Prelude { // a native function or record of the module's own
		if v, ok, err := in.imports.moduleFallback(f.globals, name); ok || err != nil {
			return v, err
		}
	}
	// Python's import system sets these two, here they are made when they are asked for.
	if name == "__spec__" || name == "__loader__" {
		return in.imports.moduleSpec(f.globals, name)
	}
	// A module of which a part is not known may have any name, and so the value is unknown.
	if c := f.globals.Lost(); c != nil {
		return in.losses.unknown(c), nil
	}
	err := in.unbound(f, "NameError", name, at)
	// A name that this run did not bind, but that another would: unless the program catches the
	// error, it is taken as unknown.
	if c := in.absent[f.globals][name]; c != nil && !in.caught(err) {
		return in.losses.unknown(c), nil
	}
	return nil, err
}

// noteAbsent notes the names of a module that statements did not bind, for the cause c: elsewhere
// they are there. Only statements of the top level of a program's module count. A name that is
// bound already keeps its value. Bodies of functions and classes bind names of their own.
func (ex *exceptions) noteAbsent(f *frame, body []ast.Stmt, c *value.Cause) {
	if f.globals == nil || f.ns != f.globals.Attrs || f.globals.Prelude {
		return
	}
	note := func(name string) {
		if name == "" || name == "*" {
			return
		}
		if _, bound := f.globals.Attrs.Get(name); bound {
			return
		}
		if ex.absent == nil {
			ex.absent = map[*value.Module]map[string]*value.Cause{}
		}
		if ex.absent[f.globals] == nil {
			ex.absent[f.globals] = map[string]*value.Cause{}
		}
		ex.absent[f.globals][name] = c
	}
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Import:
				for _, a := range n.Names {
					// import a.b binds a.
					top, _, _ := strings.Cut(a.Name.Name, ".")
					note(cmp.Or(a.AsName.Name, top))
				}
			case *ast.ImportFrom:
				for _, a := range n.Names {
					note(cmp.Or(a.AsName.Name, a.Name.Name))
				}
			case *ast.FunctionDef:
				note(n.Name.Name)
				return false
			case *ast.ClassDef:
				note(n.Name.Name)
				return false
			case *ast.Lambda, *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
				return false
			case *ast.Name:
				if n.Ctx == ast.Store {
					note(n.ID)
				}
			}
			return true
		})
	}
}

// noteProgram notes the names that the entry's file binds only where it runs as a program, below
// if __name__ == "__main__": what reads them is written for that run. A run as a script executes
// that block, so that nothing is noted then.
func (ex *exceptions) noteProgram(f *frame, s *ast.If) {
	if f.globals != ex.main || ex.cfg.Script != nil {
		return
	}
	c, ok := s.Test.(*ast.Compare)
	if !ok || len(c.Ops) != 1 || c.Ops[0] != ast.Eq {
		return
	}
	// Either side of the comparison may be __name__.
	for _, e := range []ast.Expr{c.Left, c.Comparators[0]} {
		if x, ok := e.(*ast.Name); ok && x.ID == "__name__" {
			ex.noteAbsent(f, s.Body, &value.Cause{At: s.Test.Span(), Reason: "it is made where the file runs as a program (--script), or by --set"})
		}
	}
}

// unbound makes the exception for a name without a value. A misspelt name gets the closest name
// that is visible as a fix, which is not applied by itself.
func (in *Interp) unbound(f *frame, class, name string, at ast.Node) error {
	span := spanIn(in, f, at)
	if class == "UnboundLocalError" {
		if err := in.tracing.undefinedBefore(f, name, span); err != nil {
			return err
		}
		return failAt(in, class, diag.UnknownName, span, "local variable '%s' is used before it is assigned", name)
	}
	d := undefined(name, span)
	if s := closest.Identifier(name, in.namesIn(f)); s != "" {
		d.Fixes = append(d.Fixes, respelling(in.files, s, name, span, false))
	}
	return in.Fail(class, d)
}

// undefined says that a name has no value.
func undefined(name string, at source.Span) *diag.Diagnostic {
	return diag.New(diag.UnknownName, at, "name '"+name+"' is not defined", name)
}

// namesIn lists the names that are visible in f, for suggestions.
func (in *Interp) namesIn(f *frame) []string {
	var names []string
	if f.code != nil {
		names = append(names, f.code.scope.Locals...)
	}
	for i := range f.globals.Attrs.Len() {
		names = append(names, f.globals.Attrs.Name(i))
	}
	b := in.world.Builtins()
	for i := range b.Len() {
		names = append(names, b.Name(i))
	}
	return names
}

// spanIn is the span of a node in user code; inside library code it is the user's call.
func spanIn(th value.Thread, f *frame, n ast.Node) source.Span {
	if f.prelude {
		return th.Here()
	}
	return n.Span()
}

func (in *Interp) store(f *frame, n *ast.Name, v value.Value) error {
	if size, ok := v.(*value.SymInt); ok && !f.prelude && lint.NamesBatch(n.ID) {
		in.rec.calledBatch(size)
	}
	return in.storeBinding(f, f.unit.info.Names[n.Index], n.ID, v)
}

// bind writes a name that is not an expression: of a def, class, import, except.
func (in *Interp) bind(f *frame, name string, v value.Value) error {
	return in.storeBinding(f, f.unit.info.Bind(f.scopeIndex(), name), name, v)
}

func (f *frame) scopeIndex() int32 {
	if f.code == nil {
		return 0
	}
	return f.code.index
}

// storeBinding stores a name, by the heap's journal. Names of the main module that --set overrides keep that
// value.
func (in *Interp) storeBinding(f *frame, b resolve.Binding, name string, v value.Value) error {
	for _, t := range in.tracers.all {
		t.Write(f, b, name)
	}
	switch b.Kind {
	case resolve.Local:
		f.Slots.Set(&in.heap, int(b.Slot), v)
	case resolve.Cell:
		f.cells[b.Slot].Set(&in.heap, v)
	case resolve.Free:
		f.free[b.Slot].Set(&in.heap, v)
	case resolve.Class:
		f.ns.Set(&in.heap, mangle(f, name), v)
	default:
		name = mangle(f, name)
		if f.globals == in.main {
			if o, ok := in.overrides[name]; ok { // --set
				v = o
				in.overridden[name] = true
			}
		}
		f.globals.Attrs.Set(&in.heap, name, v)
	}
	return nil
}

func (in *Interp) deleteName(f *frame, n *ast.Name) error {
	b := f.unit.info.Names[n.Index]
	if _, err := in.loadBinding(f, b, n.ID, n); err != nil {
		return err
	}
	in.unbind(f, b, n.ID)
	return nil
}

// unbind makes a variable unbound.
func (in *Interp) unbind(f *frame, b resolve.Binding, name string) {
	switch b.Kind {
	case resolve.Local:
		f.Slots.Set(&in.heap, int(b.Slot), nil)
	case resolve.Cell:
		f.cells[b.Slot].Set(&in.heap, nil)
	case resolve.Free:
		f.free[b.Slot].Set(&in.heap, nil)
	case resolve.Class:
		f.ns.Delete(&in.heap, mangle(f, name))
	default:
		if t := in.imports.waiting[f.globals]; t != nil {
			delete(t.names, mangle(f, name))
		}
		f.globals.Attrs.Delete(&in.heap, mangle(f, name))
	}
}

// UnboundNames are warnings of the names of a file that no scope, import or built-in binds, in the order of the text; see
// resolve.Info.Unbound. Runs report such names where they come to them: these are for code that none came to. There are none
// for a file with syntax errors.
func UnboundNames(file *source.File) []*diag.Diagnostic {
	tree, faults := parser.Parse(file)
	info, more := resolve.Resolve(tree)
	if len(faults)+len(more) > 0 {
		return nil
	}
	var out []*diag.Diagnostic
	for _, n := range info.Unbound(tree) {
		d := undefined(n.ID, n.Span())
		d.Severity = diag.Warning
		out = append(out, d)
	}
	return out
}
