package infer

// This file tells which faults at the top level of modules the entry has nothing to
// do with: a script trains and prints beside defining the model that is exported.
//
// A statement that had a fault may have left what it names half done. The entry needs
// it when it reads one of these names, from the module itself or by an import; names of
// functions, classes and modules that the statement only uses do not count. What the
// entry meets again is a fault of its own.
//
// It also finds the places of faults of an entry that runs library code only, such as a Sequential at the top level of
// the file, and of the tensors that the entry is given.
//
// It also tells which parameters of the entry, left to their default None, a fault may come from.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
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

// place gives a diagnostic without a place that of the layer in the statement that
// makes the entry, else that of the statement; of a class's instance, that of the
// layer in the file. There is no line of the user's that
// was running: PyTorch's trace ends in its own files, too.
func (en *entry) place(d *diag.Diagnostic) {
	if d.At.IsValid() || en.entryName == "" {
		return
	}
	at := en.entryPlace()
	d.At = at
	for i := len(d.Related) - 1; i >= 0; i-- {
		r := d.Related[i].At
		if !at.IsValid() && en.files.File(r.Start) == en.mainFile || r.Start >= at.Start && r.End <= at.End {
			d.At = r
			return
		}
	}
}

// entryPlace is the value that the top level of the file last gives to the name of
// the entry.
func (en *entry) entryPlace() source.Span {
	name := en.entryName
	for i, c := range name {
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			name = name[:i]
			break
		}
	}
	var at source.Span
	if en.mainFile == nil {
		return at
	}
	u := en.in.finder.parsed(en.mainFile)
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
func (en *entry) placeInputs(target value.Value, args []value.Value, kw []value.Kw) {
	fn, self := en.in.Function(target)
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

// leftOut are the parameters of the entry's call that are None as nothing is given for them.
type leftOut struct {
	def   ast.Node // the function
	names []string
}

// leaves notes which parameters of the entry are left to None.
func (ar *arguments) leaves(fn *value.Func, skip int, given []value.Kw) {
	ar.entryRun.left = leftOut{}
	if fn == nil || fn.Params == nil {
		return
	}
	for _, p := range ar.fill.Optional(fn, skip) {
		if !slices.ContainsFunc(given, func(g value.Kw) bool { return g.Name == p.Name }) {
			ar.entryRun.left.names = append(ar.entryRun.left.names, p.Name)
		}
	}
	ar.entryRun.left.def = fn.Definition()
}

// explain adds to a fault about None, or one that the program raises, the parameters from which it may come: those of
// which what fails in the entry's own function is made, or on which it depends.
func (l *leftOut) explain(e *value.Exception, frames []source.Span) {
	d := e.Diag
	if len(l.names) == 0 || d.Severity != diag.Error || !d.Fact.AboutNone() && d.Code != diag.UncaughtRaise {
		return
	}
	own := l.def.Span()
	for _, at := range append([]source.Span{d.At}, frames...) {
		if own.Start <= at.Start && at.End <= own.End {
			d.Fact.LeftOut = l.behind(at)
			return
		}
	}
}

// behind lists the parameters behind a place of the function, those that are nearest first.
func (l *leftOut) behind(at source.Span) []string {
	from := map[string][]string{} // of variables
	for _, p := range l.names {
		from[p] = []string{p}
	}
	read := func(n ast.Node) []string {
		var out []string
		if n == nil {
			return nil
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if x, ok := n.(*ast.Name); ok {
				out = append(out, from[x.ID]...)
			}
			return true
		})
		return out
	}
	write := func(target ast.Node, origins []string) {
		ast.Inspect(target, func(n ast.Node) bool {
			if x, ok := n.(*ast.Name); ok && x.Ctx == ast.Store {
				from[x.ID] = append(from[x.ID], origins...)
			}
			return true
		})
	}
	var tests []ast.Node // around the place
	var found []string
	ast.Inspect(l.def, func(n ast.Node) bool {
		s := n.Span()
		inside := s.Start <= at.Start && at.End <= s.End
		if at.Start <= s.Start && s.End <= at.End {
			found = append(found, read(n)...)
			return false
		}
		switch n := n.(type) {
		case *ast.If:
			if inside {
				tests = append(tests, n.Test)
			}
		case *ast.IfExp:
			if inside {
				tests = append(tests, n.Test)
			}
		case *ast.Assign:
			if !inside {
				origins := read(n.Value)
				for _, t := range n.Targets {
					write(t, origins)
				}
			}
		case *ast.For:
			write(n.Target, read(n.Iter))
		}
		return s.Start < at.End // what follows does not count
	})
	for _, t := range slices.Backward(tests) {
		found = append(found, read(t)...)
	}
	var out []string
	for _, p := range found {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}
