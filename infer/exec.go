package infer

// This file runs texts: exec of statements that are known, and of files. A text that is
// not known may change whatever its names are looked up in.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/resolve"
)

// execBuiltin is the builtin exec. Faults of the text are the caller's: it counts as
// library code.
func (in *Interp) execBuiltin(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	if len(args) == 0 || len(args) > 3 || len(kw) > 0 {
		return in.Unknown("exec() is called in a way that is not followed"), nil
	}
	if c, ok := args[0].(*value.Choice); ok {
		each := func(v value.Value) func() (flow, error) {
			return func() (flow, error) {
				_, err := in.execBuiltin(nil, append([]value.Value{v}, args[1:]...), nil)
				return next, err
			}
		}
		_, err := in.ifStmt(in.stack.frame, &value.SymBool{Cond: c.Cond}, each(c.Then), each(c.Else))
		return value.None, err
	}
	for len(args) > 1 && args[len(args)-1] == value.None {
		args = args[:len(args)-1]
	}
	text, ok := value.AsStr(args[0])
	u, lost, err := (*unit)(nil), (*value.Cause)(nil), error(nil)
	switch ok = ok && len(text) <= maxEval; {
	case !dictsKnown(args[1:]):
	case ok:
		if u, err = in.execUnit(text); err != nil {
			return nil, err
		}
	default:
		if path := in.fileOf(args[0]); path != "" {
			if u, lost, err = in.execFile(path); err != nil {
				return nil, err
			}
		}
	}
	f := in.stack.frame
	if u == nil {
		c := lost
		if c == nil {
			c = &value.Cause{At: in.Here(), Reason: "exec() of a text that is not known"}
			in.losses.explain(c, diag.New(diag.Unsupported, c.At, "exec() of a text that is not known: what it may change is unknown",
				"exec"))
			if in.stack.inEntry {
				in.losses.surface(c)
			}
		}
		in.forgetNames(f, args[1:], c)
		return value.None, nil
	}
	if len(args) == 1 && f.ns == f.globals.Attrs {
		return value.None, in.execIn(u, f.globals)
	}
	attrs := in.heap.NewAttrs()
	scope := &value.Module{Name: f.globals.Name, Attrs: attrs}
	var target *value.Dict
	if len(args) == 1 {
		if err := in.imports.finishImports(f.globals); err != nil {
			return nil, err
		}
		for i := range f.globals.Attrs.Len() {
			attrs.Set(&in.heap, f.globals.Attrs.Name(i), f.globals.Attrs.At(i))
		}
		target, _ = in.locals().(*value.Dict)
		args = []value.Value{args[0], target}
	}
	for _, a := range args[1:] {
		target = a.(*value.Dict)
		for i := range target.Len() {
			if k, ok := value.AsStr(target.Key(i)); ok {
				attrs.Set(&in.heap, k, target.At(i))
			}
		}
	}
	before := map[string]value.Value{}
	for i := range attrs.Len() {
		before[attrs.Name(i)] = attrs.At(i)
	}
	if err := in.execIn(u, scope); err != nil {
		return nil, err
	}
	for i := range attrs.Len() {
		if name := attrs.Name(i); before[name] != attrs.At(i) {
			target.SetStr(&in.heap, name, attrs.At(i))
		}
	}
	for name := range before {
		if _, ok := attrs.Get(name); !ok {
			target.Delete(&in.heap, name)
		}
	}
	// Functions of the text look names up there later.
	scope.Partial = &value.Cause{At: in.Here(), Reason: "a name that was defined after exec()"}
	return value.None, nil
}

// dictsKnown reports whether the arguments for names are dicts whose entries are known.
func dictsKnown(args []value.Value) bool {
	for _, a := range args {
		if d, ok := a.(*value.Dict); !ok || d.Open != nil {
			return false
		}
	}
	return true
}

// execIn runs the statements of a text in the names of a module.
func (in *Interp) execIn(u *unit, m *value.Module) error {
	f := in.stack.newFrame(&code{unit: u, scope: &u.info.Scopes[0], prelude: u.file.Prelude}, m)
	f.ns = m.Attrs
	if err := in.stack.push(f); err != nil {
		return err
	}
	defer in.stack.pop()
	_, err := in.block(f, u.tree.Body)
	return err
}

// forgetNames makes what a text may have changed unknown: the values of the names it
// sees, but not functions, classes and modules, which texts add rather than replace.
func (in *Interp) forgetNames(f *frame, dicts []value.Value, c *value.Cause) {
	u := in.losses.unknown(c)
	forget := func(a *value.Attrs) {
		for i := range a.Len() {
			switch v := a.At(i).(type) {
			case *value.Func, *value.Builtin, *value.Class, *value.Module, *value.Unknown:
			default:
				if name := a.Name(i); v != nil && (len(name) < 2 || name[:2] != "__") {
					a.Set(&in.heap, name, u)
				}
			}
		}
	}
	if len(dicts) == 0 {
		if f.ns == nil { // names that a text gives values inside a function are lost
			return
		}
		forget(f.ns)
		if f.ns == f.globals.Attrs {
			if f.globals.Partial == nil {
				f.globals.Partial = c
			}
		} else {
			f.lost = c
		}
		return
	}
	d, ok := dicts[len(dicts)-1].(*value.Dict)
	if !ok {
		return
	}
	if d.Mirror != nil && d.Mirror == f.globals.Attrs {
		forget(d.Mirror)
		if f.globals.Partial == nil {
			f.globals.Partial = c
		}
	}
	d.Clear(&in.heap)
	in.heap.Touch(d)
	d.Open = &value.Open{Key: u, Elem: u, Len: in.DataInt("u", 0, nil).D}
}

// execUnit parses the text of an exec once in a run.
func (in *Interp) execUnit(text string) (*unit, error) {
	key := "exec:" + text
	if u := in.evals[key]; u != nil {
		return u, nil
	}
	if err := in.parses(text); err != nil {
		return nil, err
	}
	file := source.NewFile("<exec>", text)
	file.Prelude = true
	if err := in.files.Add(file); err != nil {
		return nil, in.Raise("MemoryError", "%v", err)
	}
	tree, diags := parser.Parse(file)
	if len(diags) > 0 {
		return nil, in.Raise("SyntaxError", "%s", diags[0].Msg)
	}
	info, _ := resolve.Resolve(tree)
	u := &unit{file: file, tree: tree, info: info}
	if in.evals == nil {
		in.evals = map[string]*unit{}
	}
	in.evals[key] = u
	return u, nil
}

// noteFile notes that a text is what a file holds.
func (in *Interp) noteFile(text *value.Abstract, file value.Value) {
	in.quiet++
	defer func() { in.quiet-- }()
	name, ok := in.Str(file)
	if !ok || name == "" {
		return
	}
	if in.contents == nil {
		in.contents = map[*value.Abstract]string{}
	}
	in.contents[text] = name
}

// fileOf names the file whose text v is; empty where it is none.
func (in *Interp) fileOf(v value.Value) string {
	if a, ok := v.(*value.Abstract); ok {
		return in.contents[a]
	}
	return ""
}

// execFile parses the file that a program executes, where it may be read; lost says why it is not. Faults of a
// text that is not named as Python code are those of the call: nothing of what it holds is shown.
func (in *Interp) execFile(name string) (u *unit, lost *value.Cause, err error) {
	path, outside := in.finder.projectFile(name)
	if outside {
		return nil, in.losses.outsideFile(name), nil
	}
	if path == "" {
		return nil, nil, nil
	}
	key := "execfile:" + path
	if u := in.evals[key]; u != nil {
		return u, nil, nil
	}
	text, err := in.finder.readText(path)
	if err != nil {
		return nil, nil, nil
	}
	file := in.finder.newFile(in.finder.shown(path), path, text)
	if reads.IsSource(path) {
		u, err = in.imports.parse(file)
	} else {
		file.Prelude = true
		u, err = in.cfg.Cache.unit(file, false)
	}
	if err != nil {
		return nil, nil, err
	}
	if len(u.diags) > 0 && file.Prelude {
		return nil, nil, in.Raise("SyntaxError", "the text of '%s' is no Python", name)
	}
	if len(u.diags) > 0 {
		return nil, nil, nil
	}
	if in.evals == nil {
		in.evals = map[string]*unit{}
	}
	in.evals[key] = u
	return u, nil, nil
}
