package infer

// This file runs what importing asks of the interpreter: import statements, and the code of modules.

import (
	"errors"
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

// importStmt binds the first part of a dotted name, or the module itself under another name. An import of an
// installed package may wait until one of its names is used (waiting.go).
func (in *Interp) importStmt(f *frame, s *ast.Import) error {
	for _, a := range s.Names {
		f.at = a.Span()
		if in.imports.letModuleWait(f, a) {
			continue
		}
		m, err := in.Import(a.Name.Name)
		if err != nil {
			return err
		}
		name := a.AsName.Name
		if name == "" {
			top, _, dotted := strings.Cut(a.Name.Name, ".")
			name = top
			if dotted {
				if t := in.finder.imported(top); t != nil {
					m = t
				}
			}
		} else if m, err = in.imports.namedInPackages(a.Name.Name, m); err != nil {
			return err
		}
		if err := in.imports.missingImport(f, m); err != nil {
			return err
		}
		if err := in.bind(f, name, m); err != nil {
			return err
		}
	}
	return nil
}

// importFrom runs "from module import names". Names that the frame does not want are skipped, and a module without
// effects of its own may wait: it runs when one of its names is used.
func (in *Interp) importFrom(f *frame, s *ast.ImportFrom) error {
	if !slices.ContainsFunc(s.Names, f.wants) {
		return nil
	}
	f.at = s.Span()
	if in.imports.letWait(f, s) {
		return nil
	}
	name, fault := absoluteName(f.globals, s)
	if fault != "" {
		err := in.imports.noParent(fault)
		if errors.Is(err, errNoParent) {
			return in.unknownNames(f, s)
		}
		return in.settleNames(f, s, err)
	}
	m, err := in.Import(name)
	if err != nil {
		return err
	}
	if err := in.imports.missingImport(f, m); err != nil {
		return err
	}
	for _, a := range s.Names {
		f.at = a.Span()
		if !f.wants(a) {
			continue
		}
		if a.Name.Name == "*" && f.only != "" {
			if v, ok, err := in.LookupAttr(m, f.only); err != nil {
				return err
			} else if ok {
				f.globals.Attrs.Set(&in.heap, f.only, v)
			}
			continue
		}
		if a.Name.Name == "*" {
			if err := in.imports.importStar(f, m, name); err != nil {
				return err
			}
			continue
		}
		if in.imports.letNameWait(f, m, a) {
			continue
		}
		as := a.AsName.Name
		if as == "" {
			as = a.Name.Name
		}
		v, err := in.imports.importName(m, name, a.Name.Name)
		if err != nil {
			if v, err = in.settle(f, nil, err); err != nil {
				return err
			}
		}
		if err := in.bind(f, as, v); err != nil {
			return err
		}
	}
	return nil
}

// unknownNames binds what a relative import without a package would have given.
func (in *Interp) unknownNames(f *frame, s *ast.ImportFrom) error {
	name := strings.Repeat(".", s.Level) + s.Module.Name
	u := in.imports.unknownPackage(f, s, name)
	if err := in.imports.missingImport(f, u); err != nil {
		return err
	}
	return in.bindUnknown(f, s, u)
}

// settleNames is settle for an import that fails: its names are unknown by what is reported.
func (in *Interp) settleNames(f *frame, s *ast.ImportFrom, err error) error {
	v, err := in.settle(f, nil, err)
	if u, ok := v.(*value.Unknown); ok && err == nil {
		return in.bindUnknown(f, s, u)
	}
	return err
}

// bindUnknown gives the names of an import u.
func (in *Interp) bindUnknown(f *frame, s *ast.ImportFrom, u *value.Unknown) error {
	for _, a := range s.Names {
		as := a.AsName.Name
		if as == "" {
			as = a.Name.Name
		}
		if as == "*" {
			if f.globals.Partial == nil {
				f.globals.Partial = u.Cause
			}
			continue
		}
		if err := in.bind(f, as, u); err != nil {
			return err
		}
	}
	return nil
}

// runModule runs a module's top-level code. What stops it early is kept, so that
// names that were not reached are Unknown.
func (in *Interp) runModule(m *value.Module, u *unit) error {
	c := &code{unit: u, scope: &u.info.Scopes[0], prelude: u.file.Prelude}
	f := in.stack.newFrame(c, m)
	f.ns, f.conds = m.Attrs, len(in.path.conds)+len(in.loops)
	m.Attrs.Set(&in.heap, "__doc__", in.world.DocOf(u.tree.Body, u.file.Prelude))
	if err := in.stack.push(f); err != nil {
		return err
	}
	defer in.stack.pop()
	if in.cfg.Time != nil {
		defer in.timeModule(m, u.file)()
	}
	if len(in.tracers.all) > 0 {
		defer in.tracers.load(m)()
	}
	if !m.Prelude && in.finder.thirdParty(u.file.Place()) {
		loading := in.rec.loading // what a package does while a script imports it is no value of the script
		in.rec.loading = loading || u.file != in.mainFile
		defer func() { in.rec.loading = loading }()
		if in.imports.unfinished == nil {
			in.imports.unfinished = map[*value.Module]bool{}
		}
		in.imports.unfinished[m] = true
		defer func() {
			delete(in.imports.unfinished, m)
			in.imports.watchModule(m)
		}()
	}
	in.imports.parseAhead(f, u.tree.Body)
	base, quiet := len(in.pendings), in.quiet
	stopped := false
	for i := 0; i < len(u.tree.Body); i++ {
		if in.imports.deferNames(m, u, u.tree.Body[i]) {
			continue
		}
		if stopped { // Python would not run it; it may define names all the same
			in.quiet = quiet + 1
		}
		before := in.sink.Len()
		_, err := in.stmt(f, u.tree.Body[i], u.tree.Body[i+1:])
		in.imports.noteTopLevel(m, u.tree.Body[i], before)
		in.quiet = quiet
		in.flow.dropPendings(base)
		if err == nil {
			continue
		}
		var e *value.Exception
		if !errors.As(err, &e) || m.Prelude || in.cfg.Script != nil {
			if e != nil && m != in.main {
				delete(in.modules, m.Name) // another import runs it again
			}
			return err
		}
		if in.caught(e) {
			delete(in.modules, m.Name)
			return err
		}
		stopped = true
		if stop := in.imports.topLevelFault(m, f, u.tree.Body[i], e); stop {
			break
		}
	}
	return nil
}

// runAlone runs one statement, of which no completion waits.
func (in *Interp) runAlone(f *frame, s ast.Stmt) error {
	base := len(in.pendings)
	_, err := in.stmt(f, s, nil)
	in.flow.dropPendings(base)
	return err
}

// outside runs f as if at the top level of the program, whatever runs now.
func (in *Interp) outside(f func() error) error {
	handlers, inEntry, quiet, choosing, loading := in.handlers, in.stack.inEntry, in.quiet, in.choosing, in.rec.loading
	in.handlers, in.stack.inEntry, in.quiet, in.choosing, in.rec.loading = nil, false, min(in.imports.finishing, 1), false, true
	defer func() {
		in.handlers, in.stack.inEntry, in.quiet, in.choosing, in.rec.loading = handlers, inEntry, quiet, choosing, loading
	}()
	defer in.heap.Outside()()
	return f()
}

// conditions counts the conditions and loops under which the program runs.
func (in *Interp) conditions() int { return len(in.path.conds) + len(in.loops) }

// catchesMissing reports whether a try statement that runs takes a missing module for an answer.
func (in *Interp) catchesMissing() bool {
	return len(in.handlers) > 0 && in.hasFallback(in.Fail("ModuleNotFoundError",
		diag.New(diag.ImportFailed, in.Here(), "module was not found")))
}

// askModule calls the __getattr__ of a module, one of the library outside of all try statements: it is imported already,
// and a try around it is no other way without the package.
func (in *Interp) askModule(fn value.Value, name string, library bool) (value.Value, bool, error) {
	handlers := in.handlers
	if library {
		in.handlers = nil
	}
	v, ok, err := in.maybeAttr(fn, name)
	in.handlers = handlers
	return v, ok, err
}

// natives are the names of a library's module that are not written in Python; nil where there are none.
func (in *Interp) natives(name string) *value.Attrs {
	switch name {
	case "torch":
		return in.native.nativeTorch()
	case "numpy":
		return in.native.nativeNumpy()
	case "chainer":
		return in.variables.natives()
	case "_shapecheck":
		return in.native.nativeShapecheck()
	}
	attrs, _ := in.world.Native(in, name)
	return attrs
}
