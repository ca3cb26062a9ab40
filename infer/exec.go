package infer

// This file runs texts: exec of statements that are known, and of files. A text that is
// not known may change whatever its names are looked up in.
//
// It also evaluates texts: eval of an expression that is known, as in models
// that are built from tables of class names. A text is parsed once in a run and cached by itself.
// It runs in names that are a copy, from which changes are written back to the dict that was given:
// so writes of the text show there, and its own functions keep their names.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// execBuiltin is the builtin exec. Faults of the text are the caller's: it counts as
// library code. args are those of exec: a text and up to two dicts. The result is None; errors are
// those of the text.
func (bu *builtins) execBuiltin(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	if len(args) == 0 || len(args) > 3 || len(kw) > 0 {
		return bu.in.Unknown("exec() is called in a way that is not followed"), nil
	}
	// A text that is one of two is run in both ways.
	if c, ok := args[0].(*value.Choice); ok {
		each := func(v value.Value) func() (flow, error) {
			return func() (flow, error) {
				_, err := bu.execBuiltin(nil, append([]value.Value{v}, args[1:]...), nil)
				return next, err
			}
		}
		_, err := bu.in.flow.ifStmt(bu.in.stack.frame, &value.SymBool{Cond: c.Cond}, each(c.Then), each(c.Else))
		return value.None, err
	}
	// None for the dicts counts as not given.
	for len(args) > 1 && args[len(args)-1] == value.None {
		args = args[:len(args)-1]
	}
	text, ok := value.AsStr(args[0])
	u, lost, err := (*unit)(nil), (*value.Cause)(nil), error(nil)
	switch ok = ok && len(text) <= maxEval; {
	case !dictsKnown(args[1:]):
	case ok:
		if u, err = bu.execUnit(text); err != nil {
			return nil, err
		}
	default:
		// The text of a file of the project.
		if path := bu.fileOf(args[0]); path != "" {
			if u, lost, err = bu.execFile(path); err != nil {
				return nil, err
			}
		}
	}
	f := bu.in.stack.frame
	// A text that is not known: what it may have changed is not known.
	if u == nil {
		c := lost
		if c == nil {
			c = &value.Cause{At: bu.in.Here(), Reason: "exec() of a text that is not known"}
			bu.in.losses.explain(c, diag.New(diag.Unsupported, c.At, "exec() of a text that is not known: what it may change is unknown",
				"exec"))
			if bu.in.stack.inEntry {
				bu.in.losses.surface(c)
			}
		}
		bu.forgetNames(f, args[1:], c)
		return value.None, nil
	}
	// At the top of a module it runs in the module's names.
	if len(args) == 1 && f.ns == f.globals.Attrs {
		return value.None, bu.execIn(u, f.globals)
	}
	attrs := bu.heap.NewAttrs()
	scope := &value.Module{Name: f.globals.Name, Attrs: attrs}
	var target *value.Dict
	// In a function it sees global and local names, and writes to none of them.
	if len(args) == 1 {
		if err := bu.in.imports.finishImports(f.globals); err != nil {
			return nil, err
		}
		for i := range f.globals.Attrs.Len() {
			attrs.Set(&bu.heap, f.globals.Attrs.Name(i), f.globals.Attrs.At(i))
		}
		target, _ = bu.locals().(*value.Dict)
		args = []value.Value{args[0], target}
	}
	for _, a := range args[1:] {
		target = a.(*value.Dict)
		for i := range target.Len() {
			if k, ok := value.AsStr(target.Key(i)); ok {
				attrs.Set(&bu.heap, k, target.At(i))
			}
		}
	}
	// What the names were, to find the changes.
	before := map[string]value.Value{}
	for i := range attrs.Len() {
		before[attrs.Name(i)] = attrs.At(i)
	}
	if err := bu.execIn(u, scope); err != nil {
		return nil, err
	}
	// Changes go to the dict.
	for i := range attrs.Len() {
		if name := attrs.Name(i); before[name] != attrs.At(i) {
			target.SetStr(&bu.heap, name, attrs.At(i))
		}
	}
	// Deleted names as well.
	for name := range before {
		if _, ok := attrs.Get(name); !ok {
			target.Delete(&bu.heap, name)
		}
	}
	// Functions of the text look names up there later.
	scope.Partial = &value.Cause{At: bu.in.Here(), Reason: "a name that was defined after exec()"}
	return value.None, nil
}

// dictsKnown reports whether the arguments for names are dicts whose entries are known. They must
// be dicts whose keys are all known.
func dictsKnown(args []value.Value) bool {
	for _, a := range args {
		if d, ok := a.(*value.Dict); !ok || d.Open != nil {
			return false
		}
	}
	return true
}

// execIn runs the statements of a text in the names of a module. The error is that of a statement.
func (bu *builtins) execIn(u *unit, m *value.Module) error {
	f := bu.in.stack.newFrame(&code{unit: u, scope: &u.info.Scopes[0], prelude: u.file.Prelude}, m)
	f.ns = m.Attrs
	if err := bu.in.stack.push(f); err != nil {
		return err
	}
	defer bu.in.stack.pop()
	_, err := bu.in.block(f, u.tree.Body)
	return err
}

// forgetNames makes what a text may have changed unknown: the values of the names it
// sees, but not functions, classes and modules, which texts add rather than replace. dicts are
// those of the call, f the caller's frame.
func (bu *builtins) forgetNames(f *frame, dicts []value.Value, c *value.Cause) {
	u := bu.in.losses.unknown(c)
	forget := func(a *value.Attrs) {
		for i := range a.Len() {
			switch v := a.At(i).(type) {
			case *value.Func, *value.Builtin, *value.Class, *value.Module, *value.Unknown:
			default:
				if name := a.Name(i); v != nil && (len(name) < 2 || name[:2] != "__") {
					a.Set(&bu.heap, name, u)
				}
			}
		}
	}
	// Without dicts the names of the caller's module or class.
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
	// globals() is the module itself.
	if d.Mirror != nil && d.Mirror == f.globals.Attrs {
		forget(d.Mirror)
		if f.globals.Partial == nil {
			f.globals.Partial = c
		}
	}
	d.Clear(&bu.heap)
	bu.heap.Touch(d)
	d.Open = &value.Open{Key: u, Elem: u, Len: bu.in.DataInt("u", 0, nil).D}
}

// execUnit parses the text of an exec once in a run. What is no Python raises a SyntaxError, a text
// beyond the limits a MemoryError.
func (bu *builtins) execUnit(text string) (*unit, error) {
	key := "exec:" + text
	if u := bu.evals[key]; u != nil {
		return u, nil
	}
	if err := bu.parses(text); err != nil {
		return nil, err
	}
	file := source.NewFile("<exec>", text)
	file.Prelude = true
	if err := bu.files.Add(file); err != nil {
		return nil, bu.in.Raise("MemoryError", "%v", err)
	}
	tree, diags := parser.Parse(file)
	if len(diags) > 0 {
		return nil, bu.in.Raise("SyntaxError", "%s", diags[0].Msg)
	}
	info, _ := resolve.Resolve(tree)
	u := &unit{file: file, tree: tree, info: info}
	if bu.evals == nil {
		bu.evals = map[string]*unit{}
	}
	bu.evals[key] = u
	return u, nil
}

// noteFile notes that a text is what a file holds. Then exec(open(path).read()) can be followed.
func (bu *builtins) noteFile(text *value.Abstract, file value.Value) {
	bu.in.quiet++
	defer func() { bu.in.quiet-- }()
	name, ok := bu.in.Str(file)
	if !ok || name == "" {
		return
	}
	if bu.contents == nil {
		bu.contents = map[*value.Abstract]string{}
	}
	bu.contents[text] = name
}

// fileOf names the file whose text v is; empty where it is none. Texts that were changed since are
// other values.
func (bu *builtins) fileOf(v value.Value) string {
	if a, ok := v.(*value.Abstract); ok {
		return bu.contents[a]
	}
	return ""
}

// execFile parses the file that a program executes, where it may be read; lost says why it is not. Faults of a
// text that is not named as Python code are those of the call: nothing of what it holds is shown.
// The error is one of the limits, or the SyntaxError of the call.
func (bu *builtins) execFile(name string) (u *unit, lost *value.Cause, err error) {
	path, outside := bu.in.finder.projectFile(name)
	if outside {
		return nil, bu.in.losses.outsideFile(name), nil
	}
	// No file of the project.
	if path == "" {
		return nil, nil, nil
	}
	key := "execfile:" + path
	if u := bu.evals[key]; u != nil {
		return u, nil, nil
	}
	text, err := bu.in.finder.readText(path)
	if err != nil {
		return nil, nil, nil
	}
	file := bu.in.finder.newFile(bu.in.finder.shown(path), path, text)
	// A file of Python is shown with its own lines; others count as library code.
	if reads.IsSource(path) {
		u, err = bu.in.imports.parse(file)
	} else {
		file.Prelude = true
		u, err = bu.cfg.Cache.unit(file, false, bu.cfg.Time)
	}
	if err != nil {
		return nil, nil, err
	}
	if len(u.diags) > 0 && file.Prelude {
		return nil, nil, bu.in.Raise("SyntaxError", "the text of '%s' is no Python", name)
	}
	if len(u.diags) > 0 {
		return nil, nil, nil
	}
	if bu.evals == nil {
		bu.evals = map[string]*unit{}
	}
	bu.evals[key] = u
	return u, nil, nil
}

// maxEval bounds the text of an eval. Longer texts are tables of data.
const maxEval = 1 << 14

// evalBuiltin is the builtin eval. Faults of the text are the caller's: its frame
// counts as library code. It returns the value; errors are those of the text, or a SyntaxError.
func (bu *builtins) evalBuiltin(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	if len(args) == 0 || len(args) > 3 || len(kw) > 0 {
		return bu.in.Unknown("eval() is called in a way that is not followed"), nil
	}
	text, ok := value.AsStr(args[0])
	if !ok || len(text) > maxEval {
		return bu.in.Unknown("eval() of a text that is not known"), nil
	}
	u, err := bu.evalUnit(text)
	if err != nil {
		return nil, err
	}
	// The names are a copy, as for exec.
	attrs := bu.heap.NewAttrs()
	g := bu.in.stack.frame.globals
	scope := &value.Module{Name: g.Name, Attrs: attrs, Partial: g.Partial, Fallback: g.Fallback}
	// Without dicts global names, then local ones.
	if len(args) == 1 {
		if err := bu.in.imports.finishImports(g); err != nil {
			return nil, err
		}
		for i := range g.Attrs.Len() {
			attrs.Set(&bu.heap, g.Attrs.Name(i), g.Attrs.At(i))
		}
		args = []value.Value{args[0], bu.locals()}
	} else {
		scope.Partial, scope.Fallback = nil, nil
	}
	for _, names := range args[1:] {
		if names == value.None {
			continue
		}
		d, ok := names.(*value.Dict)
		if !ok || d.Open != nil {
			return bu.in.Unknown("eval() in names that are not known"), nil
		}
		for i := range d.Len() {
			if k, ok := value.AsStr(d.Key(i)); ok {
				attrs.Set(&bu.heap, k, d.At(i))
			}
		}
	}
	f := bu.in.stack.newFrame(&code{unit: u, scope: &u.info.Scopes[0], prelude: true}, scope)
	f.ns = attrs
	if err := bu.in.stack.push(f); err != nil {
		return nil, err
	}
	defer bu.in.stack.pop()
	return bu.in.eval(f, u.tree.Body[0].(*ast.ExprStmt).Value)
}

// evalUnit parses a text once in a run. What is no expression raises SyntaxError. The cache is
// shared with exec, whose keys have a prefix.
func (bu *builtins) evalUnit(text string) (*unit, error) {
	if u := bu.evals[text]; u != nil {
		return u, nil
	}
	if err := bu.parses(text); err != nil {
		return nil, err
	}
	file := source.NewFile("<eval>", text)
	file.Prelude = true
	if err := bu.files.Add(file); err != nil {
		return nil, bu.in.Raise("MemoryError", "%v", err)
	}
	tree, diags := parser.ParseExpr(file)
	if len(diags) > 0 {
		return nil, bu.in.Raise("SyntaxError", "%s", diags[0].Msg)
	}
	if _, ok := tree.Body[0].(*ast.ExprStmt); !ok {
		return nil, bu.in.Raise("SyntaxError", "invalid syntax")
	}
	info, _ := resolve.Resolve(tree)
	u := &unit{file: file, tree: tree, info: info}
	if bu.evals == nil {
		bu.evals = map[string]*unit{}
	}
	bu.evals[text] = u
	return u, nil
}

// parses charges a text of the program that is about to be parsed. The error is that of the limit.
func (bu *builtins) parses(text string) error {
	if err := bu.in.Alloc(treeBytes * len(text)); err != nil {
		return err
	}
	return bu.in.spent.charge(len(text) / textPerStep)
}

// What a text takes that is parsed.
const (
	treeBytes   = 128 // of memory, for each of its bytes, while that is done
	textPerStep = 4
)
