package infer

// This file says what slips on the command line were meant to be: misspelt entries,
// types, methods and globals, missing arguments.

import (
	"errors"
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/closest"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
	"shapecheck/symshape/dtype"
)

// didYouMean ends a message about a misspelt name; empty where nothing is close.
func didYouMean(name string, names []string) string {
	if s := closest.Identifier(name, names); s != "" {
		return "; did you mean " + s + "?"
	}
	return ""
}

// slip is the message about a fault in an expression that was typed.
func slip(d *diag.Diagnostic) string {
	msg := d.Msg
	for _, f := range d.Fixes {
		if strings.HasPrefix(f.Title, "did you mean ") {
			return msg + "; " + f.Title
		}
	}
	if d.Code == diag.BadCall && len(d.Args) == 1 {
		if signature, ok := d.Args[0].(string); ok && signature != "" {
			return msg + "; it is " + signature
		}
	}
	return msg
}

// signatureText writes a function's name and parameters, with the defaults as they stand
// in the source; skip leaves out the first ones (self).
func (in *Interp) signatureText(fn *value.Func, skip int) string {
	p := fn.Params
	if p == nil {
		return ""
	}
	one := func(stars string, x *ast.Param) string {
		text := stars + x.Name
		if x.Default != nil {
			if f := in.files.File(x.Default.Span().Start); f != nil {
				text += "=" + f.Slice(x.Default.Span())
			}
		}
		return text
	}
	var parts []string
	for i, x := range slices.Concat(p.PosOnly, p.Args) {
		if i >= skip {
			parts = append(parts, one("", x))
		}
	}
	if p.VarArg != nil {
		parts = append(parts, one("*", p.VarArg))
	} else if len(p.KwOnly) > 0 {
		parts = append(parts, "*")
	}
	for _, x := range p.KwOnly {
		parts = append(parts, one("", x))
	}
	if p.KwArg != nil {
		parts = append(parts, one("**", p.KwArg))
	}
	name := fn.Name
	if fn.Name == "__init__" && fn.Class != nil {
		name = fn.Class.Name
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

// needsArguments says that an entry that is a class cannot be made without arguments;
// nil where it can.
func (in *Interp) needsArguments(c *value.Class, entry string) error {
	v, _ := c.Lookup("__init__")
	fn, ok := v.(*value.Func)
	if !ok || in.noArguments(c) || fn.Module == nil || fn.Module.Prelude {
		return nil
	}
	return usagef("%s is a class that needs arguments: %s; give them as in --entry '%s(…)'", entry, in.signatureText(fn, 1), entry)
}

// lackedArguments says what a class raised that was made without arguments, and that may well need some:
// those without names, or those that are None. Faults are those reported since before, and err; empty where there is none.
func (in *Interp) lackedArguments(c *value.Class, before int, err error) string {
	v, _ := c.Lookup("__init__")
	fn, ok := v.(*value.Func)
	if !ok || fn.Params == nil || fn.Module == nil || fn.Module.Prelude {
		return ""
	}
	p := fn.Params
	switch {
	case p.VarArg != nil || p.KwArg != nil:
		return in.raisedSince(before, err, diag.UncaughtRaise, diag.BadIndex, diag.BadCall)
	case slices.Contains(fn.Defaults, value.None) || slices.Contains(fn.KwDefaults, value.None):
		why := in.raisedSince(before, err, diag.UncaughtRaise, diag.TypeMismatch, diag.UnknownAttribute)
		if strings.HasPrefix(why, "raises ") || strings.Contains(why, "'NoneType'") {
			return why
		}
	}
	return ""
}

// lackedInputs says what an entry that nobody named raised without arguments, where it takes any number
// of them, or leaves a part of its work to classes that derive from it; nil where it raised nothing.
func (in *Interp) lackedInputs(target value.Value, before int, err error) error {
	fn, _ := in.signature(target)
	if fn == nil || fn.Params == nil {
		return nil
	}
	why := ""
	if e := new(value.Exception); errors.As(err, &e) && e.Value.Class == in.world.Class("NotImplementedError") {
		why = "raises NotImplementedError"
	} else if fn.Params.VarArg != nil || fn.Params.KwArg != nil {
		why = in.raisedSince(before, err, diag.UncaughtRaise, diag.BadIndex, diag.BadCall, diag.TypeMismatch, diag.UnknownAttribute)
	}
	if why == "" {
		return nil
	}
	in.sink.Truncate(before)
	return usagef("%s is called without arguments: %s; give them with --arg, it is %s", in.entryName, why, in.signatureText(fn, 1))
}

// raisedSince is the first message of an error of one of some kinds that was reported since
// before, or of err.
func (in *Interp) raisedSince(before int, err error, codes ...diag.Code) string {
	list := in.sink.All()[before:]
	var e *value.Exception
	if errors.As(err, &e) {
		d := e.Diag
		if d == nil {
			d = in.raises(e)
		}
		list = append(list[:len(list):len(list)], d)
	}
	for _, d := range list {
		if d.Severity == diag.Error && slices.Contains(codes, d.Code) {
			return d.Msg
		}
	}
	return ""
}

// leftToOthers reports whether a class has no forward of its own, or one that only says that
// others have it: no model, but what models derive from. A class that has one by a misspelt
// name has it.
func (in *Interp) leftToOthers(c, module *value.Class) bool {
	if in.abstractMethods(c) != "" {
		return true
	}
	v, ok := c.Lookup("forward")
	fn, isFunc := v.(*value.Func)
	if !ok || !isFunc {
		return false
	}
	if module != nil {
		if own, _ := module.Attrs.Get("forward"); own == v {
			var names []string
			for i := range c.Attrs.Len() {
				names = append(names, c.Attrs.Name(i))
			}
			return closest.Identifier("forward", names) == ""
		}
	}
	body := statements(fn)
	if len(body) != 1 || fn.Module == nil || fn.Module.Prelude {
		return false
	}
	if r, ok := body[0].(*ast.Return); ok && callsSuper(r.Value) { // as Lightning's
		return module != nil && !slices.ContainsFunc(c.MRO, func(k *value.Class) bool {
			f, ok := k.Attrs.Get("forward")
			return ok && f != v && k != module
		})
	}
	raise, ok := body[0].(*ast.Raise)
	if !ok {
		return false
	}
	e := raise.Exc
	if call, ok := e.(*ast.Call); ok {
		e = call.Func
	}
	name, ok := e.(*ast.Name)
	return ok && name.ID == "NotImplementedError"
}

// statements are those of a function after its docstring.
func statements(fn *value.Func) []ast.Stmt {
	def, ok := fn.Definition().(*ast.FunctionDef)
	if !ok {
		return nil
	}
	if s, ok := def.Body[0].(*ast.ExprStmt); ok && len(def.Body) > 1 {
		if _, ok := s.Value.(*ast.Constant); ok {
			return def.Body[1:]
		}
	}
	return def.Body
}

// callsSuper reports whether an expression is super().forward(…).
func callsSuper(e ast.Expr) bool {
	call, ok := e.(*ast.Call)
	if !ok {
		return false
	}
	method, ok := call.Func.(*ast.Attribute)
	if !ok || method.Attr.Name != "forward" {
		return false
	}
	of, ok := method.Value.(*ast.Call)
	if !ok {
		return false
	}
	name, ok := of.Func.(*ast.Name)
	return ok && name.ID == "super"
}

// noType says that a word of an argument's type names no type; nil where it is a name of
// the module or of Python's.
func (in *Interp) noType(m *value.Module, what, word string) error {
	if _, ok := m.Attrs.Get(word); ok || !isName(word) {
		return nil
	}
	if _, ok := in.world.Builtins().Get(word); ok {
		return nil
	}
	names := []string{"int", "float", "bool", "str"}
	for _, d := range dtype.All() {
		names = append(names, d.String(), d.Torch())
	}
	return usagef("%s: there is no type %s%s", what, word, didYouMean(word, names))
}

// checkOverrides says which of --set is no global of the entry's file.
func (in *Interp) checkOverrides() error {
	if in.unreadable || in.spent.over != nil || in.main == nil {
		return nil
	}
	for _, s := range in.cfg.Set {
		name, _, _ := strings.Cut(s, "=")
		name = strings.TrimSpace(name)
		if _, ok := in.main.Attrs.Get(name); ok || in.overridden[name] {
			continue
		}
		if in.main.Lost() != nil || in.exit.IsValid() { // a line that was not reached may define it
			continue
		}
		if in.declaredGlobal(name) {
			continue
		}
		var names []string
		for i := range in.main.Attrs.Len() {
			names = append(names, in.main.Attrs.Name(i))
		}
		return usagef("--set %s: %s has no global of that name%s", name, in.cfg.File+in.cfg.Module, didYouMean(name, names))
	}
	return nil
}

// declaredGlobal reports whether the entry's file has a global of a name for code that did not run: a function
// declares it, or it is read where no scope binds it, as args is that "if __name__ == '__main__'" makes.
func (in *Interp) declaredGlobal(name string) bool {
	u, err := in.parse(in.main.File)
	if err != nil {
		return false
	}
	found := false
	ast.Inspect(u.tree, func(n ast.Node) bool {
		if g, ok := n.(*ast.Global); ok {
			found = found || slices.ContainsFunc(g.Names, func(id ast.Ident) bool { return id.Name == name })
		}
		if x, ok := n.(*ast.Name); ok && x.ID == name {
			found = found || u.info.Names[x.Index].Kind == resolve.Global
		}
		return !found
	})
	return found
}
