package infer

// This file tells which faults at the top level of modules the entry has nothing to
// do with: a script trains and prints beside defining the model that is exported.
//
// A statement that had a fault may have left what it names half done. The entry needs
// it when it reads one of these names, from the module itself or by an import; names of
// functions, classes and modules that the statement only uses do not count. What the
// entry meets again is a fault of its own.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

// A topFault are the faults at the top level of one module.
type topFault struct {
	diags  []*diag.Diagnostic
	counts []int // how often each was met before the entry
	names  map[string]bool
	needed bool
}

// noteTopLevel keeps the errors that a statement of a module's top level has added to
// the first before of the sink.
func (im *imports) noteTopLevel(m *value.Module, s ast.Stmt, before int) {
	if m.Prelude || im.stack.inEntry || im.cfg.Script != nil {
		return
	}
	var errs []*diag.Diagnostic
	for _, d := range im.sink.All()[min(before, im.sink.Len()):] {
		if d.Severity == diag.Error {
			errs = append(errs, d)
		}
	}
	switch s.(type) {
	case *ast.Import, *ast.ImportFrom: // the faults are those of another module's statements
		return
	}
	t := im.topFaults[m.Name]
	if len(errs) == 0 && t == nil {
		return
	}
	if t == nil {
		t = &topFault{names: map[string]bool{}}
		if im.topFaults == nil {
			im.topFaults = map[string]*topFault{}
		}
		im.topFaults[m.Name] = t
	}
	if len(errs) == 0 {
		im.spreadFault(t, m, s)
		return
	}
	t.diags = append(t.diags, errs...)
	im.suspect(t, m, s)
}

// suspect adds the names of a statement to those that it may have left half done.
func (im *imports) suspect(t *topFault, m *value.Module, s ast.Stmt) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ClassDef:
			t.names[n.Name.Name] = true
		case *ast.FunctionDef:
			t.names[n.Name.Name] = true
		case *ast.Name:
			v, _ := m.Attrs.Get(n.ID)
			switch v.(type) {
			case *value.Func, *value.Class, *value.Module, *value.Builtin:
				if n.Ctx == ast.Load && !assigns(s, n) {
					return true
				}
			}
			t.names[n.ID] = true
		}
		return true
	})
}

// spreadFault makes what a statement computes from half done things half done.
func (im *imports) spreadFault(t *topFault, m *value.Module, s ast.Stmt) {
	switch s.(type) {
	case *ast.FunctionDef, *ast.ClassDef: // reads nothing yet, but for decorators and bases
		return
	}
	reads := false
	ast.Inspect(s, func(n ast.Node) bool {
		if x, ok := n.(*ast.Name); ok && t.names[x.ID] {
			reads = true
		}
		return !reads
	})
	if reads {
		im.suspect(t, m, s)
	}
}

// assigns reports whether a statement assigns to a part of what a name stands for:
// name.x = …, name[i] = ….
func assigns(s ast.Stmt, name *ast.Name) bool {
	found := false
	root := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.Attribute:
				e = x.Value
				continue
			case *ast.Subscript:
				e = x.Value
				continue
			}
			found = found || e == ast.Expr(name)
			return
		}
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Attribute:
			if n.Ctx != ast.Load {
				root(n)
			}
		case *ast.Subscript:
			if n.Ctx != ast.Load {
				root(n)
			}
		}
		return true
	})
	return found
}

// needs notes that a name of a module is read where it matters to the entry.
func (im *imports) needs(module, name string) {
	if t := im.topFaults[module]; t != nil && t.names[name] {
		t.needed = true
	}
}

// beginAside remembers how often the faults of the top level were met.
func (im *imports) beginAside() {
	for _, t := range im.topFaults {
		t.counts = make([]int, len(t.diags))
		for i, d := range t.diags {
			t.counts[i] = d.Count
		}
	}
}

// settleAside marks the faults that are none of the entry's.
func (im *imports) settleAside() {
	for _, t := range im.topFaults {
		for i, d := range t.diags {
			d.Aside = !t.needed && t.counts != nil && d.Count == t.counts[i]
		}
	}
}
