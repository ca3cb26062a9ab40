package infer

// This file finds the entry and calls it.

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/localfile"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
	"shapecheck/project/notebook"
	"shapecheck/trace/export"
)

// readMain reads the file of the entry, or takes the text of the configuration under the file's name. It
// refuses what is outside of the folders that may be read, what is no regular file, and what is too large, each
// with its reason as a usage error.
func (in *Interp) readMain(path string) (*source.File, error) {
	text := in.cfg.Text
	if text == "" {
		info, err := in.fs.Stat(path)
		if errors.Is(err, reads.ErrOutside) {
			return nil, usagef("%s: the file is outside of the checked folders: name it without links, or give its folder with --path", path)
		}
		if err != nil {
			return nil, usagef("%s: no such file", path)
		}
		if kind := localfile.Kind(info.Mode()); kind != "" {
			return nil, usagef("%s: is %s, not a regular file", path, kind)
		}
		if info.Size() > source.MaxFileSize {
			return nil, usagef("%s: file is too large (%d bytes)", path, info.Size())
		}
		if text, err = in.finder.readText(path); err != nil {
			var pe *fs.PathError
			if errors.As(err, &pe) {
				return nil, usagef("%v", err)
			}
			return nil, usagef("%s: %v", path, err)
		}
	}
	switch {
	case notebook.Is(path):
	case in.cfg.Text != "": // as of standard input, which has any name
		return in.finder.newFile(in.finder.shown(path), path, text), nil
	default:
		return in.finder.sourceFile(in.finder.shown(path), path, text), nil
	}
	f, err := notebook.File(in.finder.shown(path), text)
	if err != nil {
		return nil, usagef("%s: %v", path, err)
	}
	return in.finder.asShown(f, path), nil
}

// evalText evaluates an expression of the command line in a module's scope.
// vars are further names.
func (in *Interp) evalText(m *value.Module, what, text string, vars map[string]value.Value) (value.Value, error) {
	file := source.NewFile("<"+what+">", text)
	if err := in.files.Add(file); err != nil {
		return nil, usagef("%v", err)
	}
	tree, diags := parser.ParseExpr(file)
	if len(diags) > 0 {
		return nil, usagef("%s: %s\n    %s", what, diags[0].Msg, text)
	}
	e, ok := tree.Body[0].(*ast.ExprStmt)
	if !ok {
		return nil, usagef("%s: expected an expression, not %q", what, text)
	}
	info, _ := resolve.Resolve(tree)
	u := &unit{file: file, tree: tree, info: info}
	attrs := in.heap.NewAttrs()
	for i := range m.Attrs.Len() {
		attrs.Set(&in.heap, m.Attrs.Name(i), m.Attrs.At(i))
	}
	for k, v := range vars {
		attrs.Set(&in.heap, k, v)
	}
	if err := in.awaitNames(m, tree, attrs); err != nil {
		return nil, err
	}
	if err := in.usualNames(tree, attrs); err != nil {
		return nil, err
	}
	in.fullNames(m, tree, attrs)
	scope := &value.Module{Name: m.Name, Attrs: attrs, Partial: m.Partial, Fallback: m.Fallback}
	f := in.stack.newFrame(&code{unit: u, scope: &info.Scopes[0]}, scope)
	f.ns, f.typed = attrs, true
	if err := in.stack.push(f); err != nil {
		return nil, err
	}
	defer in.stack.pop()
	before := in.sink.Len()
	v, err := in.eval(f, e.Value)
	var fault typedFault
	if errors.As(err, &fault) {
		v, err = in.losses.unknown(fault.cause), nil
	}
	for _, d := range in.sink.All()[before:] {
		refused := d.Code == diag.UncaughtRaise || d.Code == diag.BadValue
		if d.Code >= diag.TypeMismatch && !refused && d.Severity == diag.Error && in.files.Position(d.At.Start).File == file {
			in.sink.Truncate(before)
			return nil, &UsageError{Msg: what + ": " + slip(d), Fact: d.Fact} // a slip in what was typed, and no value that a library refuses
		}
	}
	return v, err
}

// usualNames binds the names with which values are written, whatever the file calls those modules (lib.WrittenModule). A module is
// imported once: its classes are those of the program.
func (in *Interp) usualNames(text *ast.Module, attrs *value.Attrs) (err error) {
	ast.Inspect(text, func(n ast.Node) bool {
		a, ok := n.(*ast.Attribute)
		if !ok || err != nil {
			return err == nil
		}
		name, ok := a.Value.(*ast.Name)
		if !ok {
			return true
		}
		module, beside, ok := lib.WrittenModule(name.ID)
		if !ok || beside != "" && in.modules[beside] == nil {
			return true
		}
		if _, bound := attrs.Get(name.ID); bound {
			return true
		}
		var v value.Value
		if v, err = in.Import(module); err == nil {
			attrs.Set(&in.heap, name.ID, v)
		}
		return true
	})
	return err
}

// fullNames binds the first part of names that are given in full, of modules that are loaded or in the package of m.
func (in *Interp) fullNames(m *value.Module, text *ast.Module, attrs *value.Attrs) {
	own, _, _ := strings.Cut(m.Name, ".")
	ast.Inspect(text, func(n ast.Node) bool {
		a, ok := n.(*ast.Attribute)
		if !ok {
			return true
		}
		path := pathOf(a.Value)
		if len(path) == 0 {
			return true
		}
		if _, bound := attrs.Get(path[0]); bound {
			return false
		}
		if full := strings.Join(path, "."); in.finder.imported(full) == nil && path[0] == own {
			if v, err := in.Import(full); err != nil || value.IsUnknown(v) {
				return true // the name of a class may stand before the last dot
			}
		}
		if top, ok := in.finder.imported(path[0]).(*value.Module); ok && !top.Prelude {
			attrs.Set(&in.heap, path[0], top)
		}
		return false
	})
}

// awaitNames runs the imports of a module that wait and bind names of a text.
func (in *Interp) awaitNames(m *value.Module, text *ast.Module, attrs *value.Attrs) (err error) {
	if in.imports.waiting[m] == nil {
		return nil
	}
	ast.Inspect(text, func(n ast.Node) bool {
		name, ok := n.(*ast.Name)
		if !ok || err != nil {
			return err == nil
		}
		if _, there := attrs.Get(name.ID); there {
			return true
		}
		v, found, e := in.imports.awaited(m, name.ID)
		if _, builtin := in.world.Builtins().Get(name.ID); e == nil && !found && !builtin {
			v, found, e = in.imports.awaitedStar(m, name.ID)
		}
		if err = e; found {
			attrs.Set(&in.heap, name.ID, v)
		}
		return err == nil
	})
	return err
}

// constructEntry evaluates the entry expression, of a class with the arguments that the Filler chooses, and gives its text.
func (in *Interp) constructEntry(m *value.Module) (value.Value, string, error) {
	if in.cfg.Fill != nil {
		in.cfg.Fill.Begin()
	}
	if in.object.isMade() {
		return in.madeBefore(m)
	}
	in.stack.inEntry = true
	in.imports.beginAside()
	in.rec.begin()
	target, name, err := in.findEntry(m)
	if err != nil {
		return nil, "", err
	}
	in.entryName = name
	if in.cfg.Entry == "" {
		in.imports.needs(m.Name, strings.TrimSuffix(name, "()"))
	}
	c, isClass := target.(*value.Class)
	if isClass && in.cfg.Fill != nil {
		of := name
		if name, err = in.args.filled(m, c, of); err != nil {
			return nil, "", err
		}
		in.entryName = name
		vars := map[string]value.Value{}
		if target, err = in.evalText(m, "entry", in.entryText(name, vars), vars); err != nil {
			return nil, "", err
		}
		in.keepMade(target, name, c, of)
	} else if !isClass {
		in.keepMade(target, name, nil, "")
	}
	return target, name, nil
}

// makeEntry evaluates the entry expression and prepares what is called: the object in the mode
// and with the attributes that are asked for, or its method. It is nil where a fault that is
// reported already left nothing to call.
func (in *Interp) makeEntry(m *value.Module) (value.Value, error) {
	target, name, err := in.constructEntry(m)
	if err != nil {
		return nil, err
	}
	if c, ok := target.(*value.Class); ok && in.cfg.Fill == nil {
		if err := in.args.needsArguments(c, name); err != nil {
			return nil, err
		}
		before := in.sink.Len()
		target, err = in.Call(c, nil, nil)
		if why := in.args.lackedArguments(c, before, err); why != "" && in.cfg.Entry == "" {
			in.sink.Truncate(before)
			return nil, usagef("%s is not made without arguments: %s; give them as in --entry '%s(…)'", c.Name, why, c.Name)
		}
		if err != nil {
			return nil, err
		}
	}
	if u, ok := target.(*value.Unknown); ok {
		if u.Cause.Reported && hasErrors(in.sink.All()) {
			return nil, nil
		}
		return nil, usagef("entry %s is not known: %s", name, u.Cause.Reason)
	}
	if in.cfg.Eval {
		if err := in.variables.setEvaluated(); err != nil {
			return nil, err
		}
		if _, ok, _ := in.LookupAttr(target, "eval"); ok {
			if _, err := in.CallMethod(target, "eval"); err != nil {
				return nil, err
			}
		}
	}
	in.rec.root, in.rec.names = nil, nil // a constructor may have called a part of the model
	if i, ok := target.(*value.Instance); ok {
		in.rec.root = i
	}
	if b, ok := target.(*value.BoundMethod); ok {
		if i, ok := b.Self.(*value.Instance); ok {
			in.rec.root = i
		}
	}
	if err := in.loadSaved(); err != nil {
		return nil, err
	}
	if err := in.args.setAttributes(); err != nil {
		return nil, err
	}
	if in.cfg.Call != "" {
		if target, err = in.GetAttr(target, in.cfg.Call); err != nil {
			return nil, err
		}
	}
	return target, nil
}

// runEntry makes the entry, binds the arguments and calls it.
func (in *Interp) runEntry(m *value.Module) error {
	target, err := in.makeEntry(m)
	if target == nil || err != nil {
		return err
	}
	if in.rec.root != nil {
		state := stateDict(in.rec.root)
		for _, t := range state {
			t.Tensor.Type().Device = in.stateDevice(t.Tensor.Type().Device)
		}
		in.state = valuesAtCall(state)
	}
	args, kw, err := in.args.entryArgs(m, target)
	if err != nil {
		return err
	}
	in.rec.calls, in.rec.ops = nil, nil // what the constructor called is not the entry's
	if in.cfg.NoGrad {
		in.options["grad"] = "off"
	}
	if in.cfg.Exporting {
		in.options["exporting"] = "yes"
	}
	in.build = in.build.Next()
	in.placeInputs(target, args, kw)
	bindInputs(in, args, kw)
	in.called = true
	before := in.sink.Len()
	var kept *export.Entry
	var mark value.Mark
	var watch *stateWatch
	if in.cfg.KeptState {
		kept, mark = in.newEntry(m, target, args, kw), in.heap.Mark()
		watch = in.watchState(mark)
	}
	out, err := in.callEntry(m, target, args, kw)
	watch.done()
	if in.cfg.Entry == "" && len(args)+len(kw) == 0 && in.cfg.Fill == nil {
		if err := in.args.lackedInputs(target, before, err); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	in.output = Snapshot(out)
	g := in.build.Graph()
	g.Output, g.Returned = (&results{Interp: in}).operand(out, maxResultDepth), in.rec.left
	in.grads.readsUpdated(g)
	if kept == nil {
		return nil
	}
	changed := in.heap.Before(mark)
	in.heap.Drop(mark)
	kept.Valid = in.path.facts
	return in.keptState(kept, changed, watch)
}

// callEntry calls the entry from a frame outside the user's code.
func (in *Interp) callEntry(m *value.Module, target value.Value, args []value.Value, kw []value.Kw) (value.Value, error) {
	out, err := in.Call(target, args, kw)
	var e *value.Exception
	if errors.As(err, &e) && e.Diag != nil {
		in.report(e)
		return in.losses.unknown(&value.Cause{At: e.Diag.At, Reason: e.Diag.Msg, Reported: true}), nil
	}
	return out, err
}

// findEntry evaluates the entry expression or chooses one: the function forward;
// else a module-level instance of a model; else the only model class that can be
// made without arguments.
func (in *Interp) findEntry(m *value.Module) (value.Value, string, error) {
	if in.cfg.Entry != "" {
		text := in.cfg.Entry
		// With -m, names may be given in full: torchvision.models.resnet50().
		vars := map[string]value.Value{}
		if top, _, ok := strings.Cut(m.Name, "."); ok || in.cfg.Module != "" {
			if t := in.finder.imported(top); t != nil {
				if _, defined := m.Attrs.Get(top); !defined {
					vars[top] = t
				}
			}
		}
		v, err := in.evalText(m, "entry", in.entryText(text, vars), vars)
		return v, text, err
	}
	if v, ok := m.Attrs.Get("forward"); ok {
		if _, isFunc := v.(*value.Func); isFunc {
			return v, "forward", nil
		}
	}
	var instances, classes, all []string
	base := in.variables.linkClass()
	if in.modules["torch.nn"] != nil {
		base = in.Class("torch.nn.Module")
	}
	if base != nil {
		for i := range m.Attrs.Len() {
			name := m.Attrs.Name(i)
			switch v := m.Attrs.At(i).(type) {
			case *value.Instance:
				if isModel(v.Class, base) {
					instances = append(instances, name)
				}
			case *value.Class:
				if isModel(v, base) && v.Module == m.Name && !leftToOthers(v, base) {
					all = append(all, name)
					if noArguments(v) {
						classes = append(classes, name)
					}
				}
			}
		}
	}
	switch {
	case len(instances) == 1:
		v, _ := m.Attrs.Get(instances[0])
		return v, instances[0], nil
	case len(instances) > 1:
		return nil, "", usagef("there are several models to check: give one with --entry %s", strings.Join(instances, ", --entry "))
	case len(classes) == 1:
		v, _ := m.Attrs.Get(classes[0])
		return v, classes[0] + "()", nil
	case len(classes) > 1:
		if c := outermost(m, classes); c != "" {
			v, _ := m.Attrs.Get(c)
			return v, c + "()", nil
		}
		return nil, "", usagef("there are several models to check: give one with --entry '%s()'", strings.Join(classes, "()', --entry '"))
	case len(all) > 0:
		return nil, "", usagef("every model here needs arguments: give them as in --entry '%s(…)' (candidates: %s)", all[0],
			strings.Join(all, ", "))
	}
	var funcs []string
	for i := range m.Attrs.Len() {
		if fn, ok := m.Attrs.At(i).(*value.Func); ok && fn.Module == m {
			funcs = append(funcs, fn.Name)
		}
	}
	sort.Strings(funcs)
	if len(funcs) > 0 {
		return nil, "", usagef("no function forward and no model found: give an entry with --entry NAME (functions here: %s)",
			strings.Join(funcs, ", "))
	}
	return nil, "", usagef("no function forward and no model found in %s", in.cfg.File+in.cfg.Module)
}

// isModel reports whether c is a module, or looks like one: it has forward and a
// base class that is not known.
func isModel(c, module *value.Class) bool {
	if module != nil && c.IsSubclass(module) {
		return true
	}
	v, ok := c.Lookup("forward")
	_, isFunc := v.(*value.Func)
	return ok && isFunc && c.UnknownBase != nil
}

// outermost names the class among candidates that no other class of the module
// mentions: the model rather than its blocks. Empty when that is not one.
func outermost(m *value.Module, candidates []string) string {
	used := map[string]bool{}
	for i := range m.Attrs.Len() {
		c, ok := m.Attrs.At(i).(*value.Class)
		if !ok || c.Module != m.Name {
			continue
		}
		for j := range c.Attrs.Len() {
			fn, ok := c.Attrs.At(j).(*value.Func)
			if !ok {
				continue
			}
			ast.Inspect(fn.Definition(), func(n ast.Node) bool {
				if name, ok := n.(*ast.Name); ok && name.ID != c.Name {
					used[name.ID] = true
				}
				return true
			})
		}
		for _, b := range c.Bases {
			used[b.Name] = true
		}
	}
	found := ""
	for _, c := range candidates {
		if !used[c] {
			if found != "" {
				return ""
			}
			found = c
		}
	}
	return found
}

// noArguments reports whether a class can be made without arguments.
func noArguments(c *value.Class) bool {
	v, ok := c.Lookup("__init__")
	if !ok {
		return true
	}
	fn, ok := v.(*value.Func)
	if !ok {
		return true
	}
	n := len(fn.Params.PosOnly) + len(fn.Params.Args) - len(fn.Defaults)
	if n > 1 {
		return false
	}
	for i := range fn.Params.KwOnly {
		if fn.KwDefaults[i] == nil {
			return false
		}
	}
	return true
}

// signatureOfTarget gives the parameters of what is called, without self.
func signatureOfTarget(th value.Thread, target value.Value) (fn *value.Func, skip int) {
	return signatureWithin(th, new(value.Visit), target)
}

// signatureWithin finds the function whose parameters a call of the target has, and how many of the first it
// passes itself: 1 for a bound self. An instance is called by __call__, and a module by forward, whichever its
// classes define first.
func signatureWithin(th value.Thread, w *value.Visit, target value.Value) (fn *value.Func, skip int) {
	if !w.Enter(target) { // its attribute forward is itself
		return nil, 0
	}
	switch t := target.(type) {
	case *value.Func:
		return wrapped(t), 0
	case *value.BoundMethod:
		if c, ok := t.Self.(*value.Class); ok {
			if forward, skip := appliedForward(th, c, t); forward != nil {
				return forward, skip
			}
		}
		fn, _ := signatureWithin(th, w, t.Func)
		return fn, 1
	case *value.Instance:
		for _, c := range t.Class.MRO { // a class that defines __call__ itself is called by that
			for _, name := range [...]string{"__call__", "forward"} {
				m, _ := c.Attrs.Get(name)
				skip := 1
				if s, ok := m.(*value.StaticMethod); ok {
					m, skip = s.Func, 0
				}
				if f, ok := m.(*value.Func); ok {
					return wrapped(f), skip
				}
			}
		}
		if v, ok := t.Attrs.Get("forward"); ok {
			return signatureWithin(th, w, v)
		}
	}
	return nil, 0
}

// appliedForward is the forward that a method of c runs if it is the apply of an autograd.Function, and whether the
// first of its parameters is the context; nil for other methods.
func appliedForward(th value.Thread, c *value.Class, method *value.BoundMethod) (forward *value.Func, skip int) {
	if fn, ok := method.Func.(*value.Func); !ok || fn.Name != "apply" || fn.Module == nil || !fn.Module.Prelude {
		return nil, 0
	}
	function := th.Class("torch.autograd.Function")
	if function == nil || !c.IsSubclass(function) {
		return nil, 0
	}
	v, _ := c.Lookup("forward")
	if s, ok := v.(*value.StaticMethod); ok {
		v = s.Func
	}
	forward, _ = v.(*value.Func)
	own, _ := c.Lookup("setup_context")
	if theirs, _ := function.Attrs.Get("setup_context"); own == theirs {
		skip = 1
	}
	return forward, skip
}

// wrapped is the function to which a wrapper passes all its arguments, as
// functools.wraps notes it: that says what they are called.
func wrapped(f *value.Func) *value.Func {
	for f.Params != nil && f.Params.VarArg != nil && f.Params.KwArg != nil && len(f.Params.PosOnly)+len(f.Params.Args) <= 1 {
		v, _ := f.Attrs.Get("__wrapped__")
		inner, ok := v.(*value.Func)
		if !ok || inner == f {
			break
		}
		f = inner
	}
	return f
}

// parseArgs reads arguments, none of which may be among those before.
func (ar *arguments) parseArgs(m *value.Module, list []string, before []value.Kw) ([]value.Kw, error) {
	var given []value.Kw
	for _, a := range list {
		name, v, err := ar.parseArg(m, a)
		if err != nil {
			return nil, err
		}
		for _, g := range append(before[:len(before):len(before)], given...) {
			if g.Name == name {
				return nil, usagef("--arg %s is given twice", name)
			}
		}
		given = append(given, value.Kw{Name: name, Value: v})
	}
	return given, nil
}

// entryArgs parses the arguments and orders them by the signature. What may be left out
// is passed by name, as callers write it (model(ids, attention_mask=m)), but for the first
// argument and for one that is the only option (targets=None) and no plain value.
func (ar *arguments) entryArgs(m *value.Module, target value.Value) ([]value.Value, []value.Kw, error) {
	given, err := ar.parseArgs(m, ar.cfg.Args, nil)
	if err != nil {
		return nil, nil, err
	}
	named, err := ar.parseArgs(m, ar.cfg.ArgsByName, given)
	if err != nil {
		return nil, nil, err
	}
	fn, skip := signatureOfTarget(ar.host, target)
	if !ar.cfg.Positional {
		named = append(named, ar.annotatedArgs(target, fn, skip, append(slices.Clone(given), named...))...)
	}
	chosen, err := ar.fillInputs(m, fn, skip, append(slices.Clone(given), named...))
	if err != nil {
		return nil, nil, err
	}
	given = append(given, chosen...)
	ar.entryRun.inputs = append(slices.Clone(given), named...)
	ar.leaves(fn, skip, ar.entryRun.inputs)
	if err := ar.assume(); err != nil {
		return nil, nil, err
	}
	if fn == nil || ar.cfg.Positional {
		args := make([]value.Value, len(given))
		for i, g := range given {
			args[i] = g.Value
		}
		return args, named, nil
	}
	given = append(given, named...)
	p := fn.Params
	names := make([]string, 0, 8)
	for _, x := range append(append([]*ast.Param(nil), p.PosOnly...), p.Args...) {
		names = append(names, x.Name)
	}
	if skip > len(names) {
		skip = len(names)
	}
	for _, g := range given {
		if err := knownParam(fn, names[skip:], g.Name); err != nil {
			return nil, nil, err
		}
	}
	defaults := len(names) - len(fn.Defaults)
	take := func(name string) value.Value {
		for i, g := range given {
			if g.Name == name {
				given = append(given[:i:i], given[i+1:]...)
				return g.Value
			}
		}
		return nil
	}
	var args []value.Value
	var kw []value.Kw
	var missing []string
	positional := true
	options := len(names) - max(defaults, skip)
	for i := skip; i < len(names); i++ {
		v := take(names[i])
		if v != nil && i > skip && i >= defaults && p.VarArg == nil && (options > 1 || isPlain(v)) {
			positional = false // an option, which callers name
		}
		switch {
		case v == nil && i >= defaults:
			positional = false
		case v == nil:
			missing = append(missing, names[i])
			positional = false
		case positional:
			args = append(args, v)
		default:
			kw = append(kw, value.Kw{Name: names[i], Value: v})
		}
	}
	for i, x := range p.KwOnly {
		if v := take(x.Name); v != nil {
			kw = append(kw, value.Kw{Name: x.Name, Value: v})
		} else if fn.KwDefaults[i] == nil {
			missing = append(missing, x.Name)
		}
	}
	if len(missing) > 0 {
		return nil, nil, ar.missingArgs(fn, skip, missing)
	}
	for _, g := range given {
		if p.VarArg != nil && positional {
			args = append(args, g.Value)
		} else {
			kw = append(kw, g)
		}
	}
	return args, kw, nil
}

// knownParam says that fn has no parameter of that name.
func knownParam(fn *value.Func, names []string, name string) error {
	for _, x := range fn.Params.KwOnly {
		names = append(names, x.Name)
	}
	if fn.Params.VarArg != nil || fn.Params.KwArg != nil || contains(names, name) {
		return nil
	}
	return usagef("%s has no parameter %s%s (it has: %s)", fn.Name, name, didYouMean(name, names), strings.Join(names, ", "))
}

// missingArgs is the usage error of an entry that needs arguments, with flags to copy.
func (ar *arguments) missingArgs(fn *value.Func, skip int, missing []string) error {
	var flags []string
	for _, n := range missing {
		flags = append(flags, "--arg '"+n+":f32[…]'")
	}
	return &UsageError{Lacks: true, Msg: fmt.Sprintf("%s needs %s: add %s (a type such as f32[B,3,H,W], i64[B,T], int, or %s=EXPR)",
		ar.signatureText(fn, skip), listOf(missing), strings.Join(flags, " "), missing[0])}
}

// bindInputs makes the tensors among the arguments inputs of the graph. Those
// inside of structures are named by their place: pair_0, batch_image.
func bindInputs(th value.Thread, args []value.Value, kw []value.Kw) {
	seen := 0
	met := map[*value.Instance]bool{} // objects may refer to each other
	w := value.Visit{Repeats: maxResultParts}
	var add func(v value.Value, path string, depth int)
	add = func(v value.Value, path string, depth int) {
		if o, ok := v.(*value.Instance); ok {
			if met[o] {
				return
			}
			met[o] = true
		}
		if t, ok := v.(*value.Tensor); ok {
			if t.V.Def == nil { // not what an expression of the command line computes
				t.V.Name += path
				th.Graph().Adopt(t.V)
			}
			return
		}
		parts, _, ok := partsOf(v)
		if seen++; !ok || depth == 0 || seen > maxResultParts || !w.Enter(v) {
			return
		}
		defer w.Leave()
		for _, x := range parts {
			add(x.v, path+"_"+x.name, depth-1)
		}
	}
	g := th.Graph().Graph()
	number := func(v value.Value) {
		if n, ok := v.(*value.SymInt); ok && n.D.Expr != nil {
			if _, one := n.D.Expr.IsSymbol(); one && !slices.Contains(g.Numbers, n.D.Expr) {
				g.Numbers = append(g.Numbers, n.D.Expr)
			}
		}
	}
	for _, a := range args {
		add(a, "", maxResultDepth)
		number(a)
	}
	for _, k := range kw {
		add(k.Value, "", maxResultDepth)
		number(k.Value)
	}
}

// parseOverrides reads --set.
func (ar *arguments) parseOverrides() error {
	ar.settings.overrides, ar.settings.overridden = map[string]value.Value{}, map[string]bool{}
	empty := &value.Module{Name: "", Attrs: ar.heap.NewAttrs()}
	for _, s := range ar.cfg.Set {
		name, text, ok := strings.Cut(s, "=")
		name = strings.TrimSpace(name)
		if !ok || !isName(name) {
			return usagef("--set %s: expected NAME=EXPR", s)
		}
		v, err := ar.argExpr(empty, "--set "+name, name, text)
		if err != nil {
			return err
		}
		ar.settings.overrides[name] = v
	}
	return nil
}

func isName(s string) bool {
	for i, r := range s {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 || i > 0 && r >= '0' && r <= '9' {
			continue
		}
		return false
	}
	return s != ""
}
