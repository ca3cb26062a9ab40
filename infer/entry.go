package infer

// This file finds the entry and calls it. The order of a run: the file is read and its module
// executed; the entry expression is evaluated, or an entry chosen, and the object made (makeEntry);
// the arguments are parsed from their texts (--arg) and ordered by the signature; then the entry is
// called and its result becomes the output of the graph. What the user typed is evaluated by
// evalText in the module's scope. Mistakes in it are UsageErrors, not diagnostics of the program.

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"

	"shapecheck/infer/fill"
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

// An entry finds what a run is of, or the script, makes and calls it, and says at the end what came of it.
type entry struct {
	*base
	*entryRun
	in *Interp
}

// readMain reads the file of the entry, or takes the text of the configuration under the file's name. It
// refuses what is outside of the folders that may be read, what is no regular file, and what is too large, each
// with its reason as a usage error.
func (en *entry) readMain(path string) (*source.File, error) {
	// A text of the configuration is that of an editor or of standard input.
	text := en.cfg.Text
	if text == "" {
		info, err := en.fs.Stat(path)
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
		// The error of the file system is shown as it is; others (the encoding) get the path in
		// front.
		if text, err = en.in.finder.readText(path); err != nil {
			var pe *fs.PathError
			if errors.As(err, &pe) {
				return nil, usagef("%v", err)
			}
			return nil, usagef("%s: %v", path, err)
		}
	}
	switch {
	// A notebook is turned to a Python file whose cells are kept apart.
	case notebook.Is(path):
	case en.cfg.Text != "": // as of standard input, which has any name
		return en.in.finder.newFile(en.in.finder.shown(path), path, text), nil
	default:
		return en.in.finder.sourceFile(en.in.finder.shown(path), path, text), nil
	}
	f, err := notebook.File(en.in.finder.shown(path), text)
	if err != nil {
		return nil, usagef("%s: %v", path, err)
	}
	return en.in.finder.asShown(f, path), nil
}

// evalText evaluates an expression of the command line in a module's scope.
// vars are further names. what names the text in messages ("entry", "--arg x"). The module itself
// is not changed: names that the text binds are its own. It returns a UsageError for a text that is
// no expression, or whose evaluation finds a slip of typing.
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
	// The names of the module, then the further ones.
	attrs := in.heap.NewAttrs()
	for i := range m.Attrs.Len() {
		attrs.Set(&in.heap, m.Attrs.Name(i), m.Attrs.At(i))
	}
	for k, v := range vars {
		attrs.Set(&in.heap, k, v)
	}
	if err := in.entry.awaitNames(m, tree, attrs); err != nil {
		return nil, err
	}
	if err := in.entry.usualNames(tree, attrs); err != nil {
		return nil, err
	}
	in.entry.fullNames(m, tree, attrs)
	// A partial module gives unknown values for names that it has not.
	scope := &value.Module{Name: m.Name, Attrs: attrs, Partial: m.Partial, Fallback: m.Fallback}
	f := in.stack.newFrame(&code{unit: u, scope: &info.Scopes[0]}, scope)
	f.ns, f.typed = attrs, true
	if err := in.stack.push(f); err != nil {
		return nil, err
	}
	defer in.stack.pop()
	// Diagnostics of the text are those after this place.
	before := in.sink.Len()
	v, err := in.eval(f, e.Value)
	var fault typedFault
	if errors.As(err, &fault) {
		v, err = in.losses.unknown(fault.cause), nil
	}
	for _, d := range in.sink.All()[before:] {
		refused := d.Code == diag.UncaughtRaise || d.Code == diag.BadValue
		// Faults of types and sizes in the text itself were typed; exceptions that the program
		// raises are its own.
		if d.Code >= diag.TypeMismatch && !refused && d.Severity == diag.Error && in.files.Position(d.At.Start).File == file {
			in.sink.Truncate(before)
			return nil, &UsageError{Msg: what + ": " + slip(d), Fact: d.Fact} // a slip in what was typed, and no value that a library refuses
		}
	}
	return v, err
}

// usualNames binds the names with which values are written, whatever the file calls those modules (lib.WrittenModule). A module is
// imported once: its classes are those of the program. An entry such as "Net(torch.rand(3))" works
// also in a file that does not import torch. err is that of the import.
func (en *entry) usualNames(text *ast.Module, attrs *value.Attrs) (err error) {
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
		if !ok || beside != "" && en.modules[beside] == nil {
			return true
		}
		if _, bound := attrs.Get(name.ID); bound {
			return true
		}
		var v value.Value
		if v, err = en.in.Import(module); err == nil {
			attrs.Set(&en.heap, name.ID, v)
		}
		return true
	})
	return err
}

// fullNames binds the first part of names that are given in full, of modules that are loaded or in
// the package of m. own is the package of m. Without it "pkg.models.Net()" would not find pkg.
func (en *entry) fullNames(m *value.Module, text *ast.Module, attrs *value.Attrs) {
	own, _, _ := strings.Cut(m.Name, ".")
	ast.Inspect(text, func(n ast.Node) bool {
		a, ok := n.(*ast.Attribute)
		if !ok {
			return true
		}
		path := fill.Path(a.Value)
		if len(path) == 0 {
			return true
		}
		top := en.in.finder.imported(path[0])
		if v, bound := attrs.Get(path[0]); bound && (v != top || path[0] != own) {
			return false
		}
		// The module is imported if it is of the same package.
		if full := strings.Join(path, "."); en.in.finder.imported(full) == nil && path[0] == own {
			if v, err := en.in.Import(full); err != nil || value.IsUnknown(v) {
				return true // the name of a class may stand before the last dot
			}
		}
		if top, ok := en.in.finder.imported(path[0]).(*value.Module); ok && !top.Prelude {
			attrs.Set(&en.heap, path[0], top)
		}
		return false
	})
}

// awaitNames runs the imports of a module that wait and bind names of a text. Imports of a module
// are executed when a name of theirs is needed; a text may need one that the module itself has not
// needed.
func (en *entry) awaitNames(m *value.Module, text *ast.Module, attrs *value.Attrs) (err error) {
	if en.in.imports.waiting[m] == nil {
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
		v, found, e := en.in.imports.awaited(m, name.ID)
		// A name that nothing binds may come from an import with a star.
		if _, builtin := en.world.Builtins().Get(name.ID); e == nil && !found && !builtin {
			v, found, e = en.in.imports.awaitedStar(m, name.ID)
		}
		if err = e; found {
			attrs.Set(&en.heap, name.ID, v)
		}
		return err == nil
	})
	return err
}

// constructEntry evaluates the entry expression, of a class with the arguments that the Filler
// chooses, and gives its text. It returns the value, the text of the entry as it was filled in, and
// the error of the evaluation or a UsageError.
func (en *entry) constructEntry(m *value.Module) (value.Value, string, error) {
	// Filler is what chooses arguments that the user did not give.
	if en.cfg.Fill != nil {
		en.cfg.Fill.Begin()
	}
	// An object that a former run of the same module made is taken over.
	if en.in.object.isMade() {
		return en.keptObject(m)
	}
	en.in.stack.inEntry = true
	// Diagnostics from here on are of the entry.
	en.in.imports.beginAside()
	en.in.rec.begin()
	target, name, err := en.findEntry(m)
	if err != nil {
		return nil, "", err
	}
	en.entryName = name
	if en.cfg.Entry == "" {
		en.in.imports.needs(m.Name, strings.TrimSuffix(name, "()"))
	}
	c, isClass := target.(*value.Class)
	if isClass && en.cfg.Fill != nil {
		of := name
		if name, err = en.in.args.filled(m, c, of); err != nil {
			return nil, "", err
		}
		en.entryName = name
		vars := map[string]value.Value{}
		if target, err = en.in.evalText(m, "entry", en.entryText(name, c, vars), vars); err != nil {
			return nil, "", err
		}
		en.keepObject(target, name, c, of)
	} else if !isClass {
		en.keepObject(target, name, nil, "")
	}
	return target, name, nil
}

// makeEntry evaluates the entry expression and prepares what is called: the object in the mode
// and with the attributes that are asked for, or its method. It is nil where a fault that is
// reported already left nothing to call. A UsageError says that there is no entry, that it lacks
// arguments, or that it is not known.
func (en *entry) makeEntry(m *value.Module) (value.Value, error) {
	target, name, err := en.constructEntry(m)
	if err != nil {
		return nil, err
	}
	// A class is called without arguments, unless these are chosen.
	if c, ok := target.(*value.Class); ok && en.cfg.Fill == nil {
		if err := en.in.args.needsArguments(c, name); err != nil {
			return nil, err
		}
		before := en.sink.Len()
		target, err = en.in.Call(c, nil, nil)
		if why := en.in.args.lackedArguments(c, before, err); why != "" && en.cfg.Entry == "" {
			en.sink.Truncate(before)
			return nil, usagef("%s is not made without arguments: %s; give them as in --entry '%s(…)'", c.Name, why, c.Name)
		}
		if err != nil {
			return nil, err
		}
	}
	if u, ok := target.(*value.Unknown); ok {
		if u.Cause.Reported && hasErrors(en.sink.All()) {
			return nil, nil
		}
		return nil, usagef("entry %s is not known: %s", name, u.Cause.Reason)
	}
	// eval() of a module, and Chainer's configuration.
	if en.cfg.Eval {
		if err := en.in.variables.setEvaluated(); err != nil {
			return nil, err
		}
		if _, ok, _ := en.in.LookupAttr(target, "eval"); ok {
			if _, err := en.in.CallMethod(target, "eval"); err != nil {
				return nil, err
			}
		}
	}
	// root is the module whose parts the report names by their paths.
	en.in.rec.root, en.in.rec.names = nil, nil // a constructor may have called a part of the model
	if i, ok := target.(*value.Instance); ok {
		en.in.rec.root = i
	}
	if b, ok := target.(*value.BoundMethod); ok {
		if i, ok := b.Self.(*value.Instance); ok {
			en.in.rec.root = i
		}
	}
	// Weights of a file, then --set of attributes.
	if err := en.loadSaved(); err != nil {
		return nil, err
	}
	if err := en.in.args.setAttributes(); err != nil {
		return nil, err
	}
	if en.cfg.Call != "" {
		if target, err = en.in.GetAttr(target, en.cfg.Call); err != nil {
			return nil, err
		}
	}
	return target, nil
}

// runEntry makes the entry, binds the arguments and calls it. The error is a UsageError, or one
// that ends the run. Faults in the call are diagnostics.
func (en *entry) runEntry(m *value.Module) error {
	target, err := en.makeEntry(m)
	if target == nil || err != nil {
		return err
	}
	// The parameters as they are at the call; the graph has them as inputs.
	if en.in.rec.root != nil {
		state := stateDict(en.in.rec.root)
		for _, t := range state {
			t.Tensor.Type().Device = en.in.native.stateDevice(t.Tensor.Type().Device)
		}
		en.state = valuesAtCall(state)
	}
	args, kw, err := en.in.args.entryArgs(m, target)
	if err != nil {
		return err
	}
	en.in.rec.calls, en.in.rec.ops = nil, nil // what the constructor called is not the entry's
	if en.cfg.NoGrad {
		en.in.options["grad"] = "off"
	}
	// An option as torch.compiler.is_exporting asks for.
	if en.cfg.Exporting {
		en.in.options["exporting"] = "yes"
	}
	// The graph of the call is a new one, without what the constructor computed.
	en.build = en.build.Next()
	en.placeInputs(target, args, kw)
	bindInputs(en.in, args, kw)
	en.called = true
	before := en.sink.Len()
	var kept *export.Entry
	var mark value.Mark
	var watch *stateWatch
	// A run for tracers remembers the heap, to see what the call changes.
	if en.cfg.KeptState {
		kept, mark = en.in.tracedRuns.newEntry(m, target, args, kw), en.heap.Mark()
		watch = en.in.tracing.watchState(mark)
	}
	out, err := en.callEntry(m, target, args, kw)
	watch.done()
	// A call without arguments that lacks them is a usage error, where the user gave no entry.
	if en.cfg.Entry == "" && len(args)+len(kw) == 0 && en.cfg.Fill == nil {
		if err := en.in.args.lackedInputs(target, before, err); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	en.output = Snapshot(out)
	// The output of the graph is the result as operands, as deep as is shown.
	g := en.build.Graph()
	g.Output, g.Returned = (&results{Interp: en.in}).operand(out, maxResultDepth), en.in.rec.left
	en.in.grads.readsUpdated(g)
	if kept == nil {
		return nil
	}
	// What lives longer than the call and was changed in it.
	changed := en.heap.Before(mark)
	en.heap.Drop(mark)
	kept.Valid = en.in.path.facts
	return en.in.tracedRuns.keptState(kept, changed, watch)
}

// callEntry calls the entry from a frame outside the user's code. An exception that has a
// diagnostic is reported, and the output is unknown.
func (en *entry) callEntry(m *value.Module, target value.Value, args []value.Value, kw []value.Kw) (value.Value, error) {
	out, err := en.in.Call(target, args, kw)
	var e *value.Exception
	if errors.As(err, &e) && e.Diag != nil {
		en.in.report(e)
		return en.in.losses.unknown(&value.Cause{At: e.Diag.At, Reason: e.Diag.Msg, Reported: true}), nil
	}
	return out, err
}

// findEntry evaluates the entry expression or chooses one: the function forward;
// else a module-level instance of a model; else the only model class that can be
// made without arguments. It gives the value, its text as an entry, and a UsageError that names
// candidates if there is none or several.
func (en *entry) findEntry(m *value.Module) (value.Value, string, error) {
	if en.cfg.Entry != "" {
		text := en.cfg.Entry
		// With -m, names may be given in full: torchvision.models.resnet50().
		vars := map[string]value.Value{}
		if top, _, ok := strings.Cut(m.Name, "."); ok || en.cfg.Module != "" {
			if t := en.in.finder.imported(top); t != nil {
				if _, defined := m.Attrs.Get(top); !defined {
					vars[top] = t
				}
			}
		}
		v, err := en.in.evalText(m, "entry", en.entryText(text, nil, vars), vars)
		return v, text, err
	}
	if v, ok := m.Attrs.Get("forward"); ok {
		if _, isFunc := v.(*value.Func); isFunc {
			return v, "forward", nil
		}
	}
	var instances, classes, all []string
	// Chainer's Link, or torch's Module if torch is imported.
	base := en.in.variables.linkClass()
	if en.modules["torch.nn"] != nil {
		base = en.in.Class("torch.nn.Module")
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
				// Classes of other modules, and those that leave forward to subclasses, are no
				// models.
				if isModel(v, base) && v.Module == m.Name && !leftToOthers(v, base) {
					all = append(all, name)
					if fill.NoArguments(v) {
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
	// The model that uses the others is likely to be meant.
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
	// Functions are only named in the message.
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
	return nil, "", usagef("no function forward and no model found in %s", en.cfg.File+en.cfg.Module)
}

// isModel reports whether c is a module, or looks like one: it has forward and a
// base class that is not known. module is nil where neither library is imported.
func isModel(c, module *value.Class) bool {
	if module != nil && c.IsSubclass(module) {
		return true
	}
	v, ok := c.Lookup("forward")
	_, isFunc := v.(*value.Func)
	return ok && isFunc && c.UnknownBase != nil
}

// outermost names the class among candidates that no other class of the module
// mentions: the model rather than its blocks. Empty when that is not one. A class that a method
// mentions, or that is a base, is used. The result is its name.
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

// signatureOfTarget gives the parameters of what is called, without self. fn is nil where the
// target has no function of Python.
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
	// A decorated function has the parameters of the one that it wraps.
	case *value.Func:
		return t.Wrapped(), 0
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
				// A static method has no self.
				if s, ok := m.(*value.StaticMethod); ok {
					m, skip = s.Func, 0
				}
				if f, ok := m.(*value.Func); ok {
					return f.Wrapped(), skip
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
// first of its parameters is the context; nil for other methods. The two forms of autograd.Function
// differ in the context: with setup_context of its own forward has none.
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

// parseArgs reads arguments, none of which may be among those before. It returns a UsageError for
// an argument that is given twice, or whose text is none.
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
// argument and for one that is the only option (targets=None) and no plain value. They are args and
// kw as they are passed. The errors are UsageErrors: an unknown parameter, a missing one.
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
	// Annotations give shapes for parameters without an argument.
	if !ar.cfg.Positional {
		named = append(named, ar.annotatedArgs(target, fn, skip, append(slices.Clone(given), named...))...)
	}
	before := append(slices.Clone(given), named...)
	// The Filler chooses the rest.
	chosen, err := ar.parseArgs(m, ar.fill.Inputs(m, fn, skip, before), before)
	if err != nil {
		return nil, nil, err
	}
	given = append(given, chosen...)
	ar.entryRun.inputs = append(slices.Clone(given), named...)
	ar.leaves(fn, skip, ar.entryRun.inputs)
	// Conditions of --assume are noted once all symbols are known.
	if err := ar.assume(); err != nil {
		return nil, nil, err
	}
	// Without a signature the order of the flags is that of the call.
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
	// The first of the names that has a default.
	defaults := len(names) - len(fn.Defaults)
	// take removes an argument from those that are left.
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
	// positional ends at the first parameter that is left out or named.
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
	// Parameters by name only.
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
	// What is left goes to *args or **kwargs: by name where it cannot mean *args, as parameters before it take what comes by position, or
	// others are called like it.
	byName := func(g value.Kw) bool {
		return p.KwArg != nil && p.VarArg != nil && g.Name != p.VarArg.Name &&
			(len(names) > skip || slices.ContainsFunc(given, func(o value.Kw) bool { return o.Name == p.VarArg.Name }))
	}
	for _, g := range given {
		if p.VarArg != nil && positional && !byName(g) {
			args = append(args, g.Value)
		} else {
			kw = append(kw, g)
		}
	}
	return args, kw, nil
}

// knownParam says that fn has no parameter of that name. It returns nil if there is one, or if any
// may be passed.
func knownParam(fn *value.Func, names []string, name string) error {
	for _, x := range fn.Params.KwOnly {
		names = append(names, x.Name)
	}
	if fn.Params.VarArg != nil || fn.Params.KwArg != nil || contains(names, name) {
		return nil
	}
	return usagef("%s has no parameter %s%s (it has: %s)", fn.Name, name, didYouMean(name, names), strings.Join(names, ", "))
}

// missingArgs is the usage error of an entry that needs arguments, with flags to copy. A type is
// shown as an example for each.
func (ar *arguments) missingArgs(fn *value.Func, skip int, missing []string) error {
	var flags []string
	for _, n := range missing {
		flags = append(flags, "--arg '"+n+":f32[…]'")
	}
	return &UsageError{Lacks: true, Msg: fmt.Sprintf("%s needs %s: add %s (a type such as f32[B,3,H,W], i64[B,T], int, or %s=EXPR)",
		ar.signatureText(fn, skip), listOf(missing), strings.Join(flags, " "), missing[0])}
}

// bindInputs makes the tensors among the arguments inputs of the graph. Those
// inside of structures are named by their place: pair_0, batch_image. An argument that is a number
// becomes one of the graph's numbers, if it is a symbol.
func bindInputs(th value.Thread, args []value.Value, kw []value.Kw) {
	// seen bounds the work for large structures.
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

// parseOverrides reads --set. Each is NAME=EXPR; the expression is evaluated without the names of a
// module. It returns a UsageError for another form.
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

// isName is a rough test for an identifier of Python.
func isName(s string) bool {
	for i, r := range s {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 || i > 0 && r >= '0' && r <= '9' {
			continue
		}
		return false
	}
	return s != ""
}
