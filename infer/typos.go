package infer

// This file says what slips on the command line were meant to be: misspelt entries,
// types, methods and globals, missing arguments.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/fill"
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
func (ar *arguments) signatureText(fn *value.Func, skip int) string {
	p := fn.Params
	if p == nil {
		return ""
	}
	one := func(stars string, x *ast.Param) string {
		text := stars + x.Name
		if x.Default != nil {
			if f := ar.files.File(x.Default.Span().Start); f != nil {
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
func (ar *arguments) needsArguments(c *value.Class, entry string) error {
	v, _ := c.Lookup("__init__")
	fn, ok := v.(*value.Func)
	if !ok || fill.NoArguments(c) || fn.Module == nil || fn.Module.Prelude {
		return nil
	}
	return &UsageError{Lacks: true, Msg: fmt.Sprintf("%s is a class that needs arguments: %s; give them as in --entry '%s(…)'", entry,
		ar.signatureText(fn, 1), entry)}
}

// lackedArguments says what a class raised that was made without arguments, and that may well need some:
// those without names, or those that are None. Faults are those reported since before, and err; empty where there is none.
func (ar *arguments) lackedArguments(c *value.Class, before int, err error) string {
	v, _ := c.Lookup("__init__")
	fn, ok := v.(*value.Func)
	if !ok || fn.Params == nil || fn.Module == nil || fn.Module.Prelude {
		return ""
	}
	p := fn.Params
	switch {
	case p.VarArg != nil || p.KwArg != nil:
		return ar.raisedSince(before, err, diag.UncaughtRaise, diag.BadIndex, diag.BadCall)
	case slices.Contains(fn.Defaults, value.None) || slices.Contains(fn.KwDefaults, value.None):
		why := ar.raisedSince(before, err, diag.UncaughtRaise, diag.TypeMismatch, diag.UnknownAttribute)
		if strings.HasPrefix(why, "raises ") || strings.Contains(why, "'NoneType'") {
			return why
		}
	}
	return ""
}

// lackedInputs says what an entry that nobody named raised without arguments, where it takes any number
// of them, or leaves a part of its work to classes that derive from it; nil where it raised nothing.
func (ar *arguments) lackedInputs(target value.Value, before int, err error) error {
	fn, _ := signatureOfTarget(ar.host, target)
	if fn == nil || fn.Params == nil {
		return nil
	}
	why := ""
	if e := new(value.Exception); errors.As(err, &e) && e.Value.Class == ar.world.Class("NotImplementedError") {
		why = "raises NotImplementedError"
	} else if fn.Params.VarArg != nil || fn.Params.KwArg != nil {
		why = ar.raisedSince(before, err, diag.UncaughtRaise, diag.BadIndex, diag.BadCall, diag.TypeMismatch, diag.UnknownAttribute)
	}
	if why == "" {
		return nil
	}
	ar.sink.Truncate(before)
	return usagef("%s is called without arguments: %s; give them with --arg, it is %s", ar.entryRun.entryName, why, ar.signatureText(fn, 1))
}

// raisedSince is the first message of an error of one of some kinds that was reported since
// before, or of err.
func (ar *arguments) raisedSince(before int, err error, codes ...diag.Code) string {
	list := ar.sink.All()[before:]
	var e *value.Exception
	if errors.As(err, &e) {
		d := e.Diag
		if d == nil {
			d = ar.host.raises(e)
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
func leftToOthers(c, module *value.Class) bool {
	if abstractMethods(c) != "" {
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
func (ar *arguments) noType(m *value.Module, what, word string) error {
	if _, ok := m.Attrs.Get(word); ok || !isName(word) {
		return nil
	}
	if _, ok := ar.world.Builtins().Get(word); ok {
		return nil
	}
	names := []string{"int", "float", "bool", "str"}
	for _, d := range dtype.All() {
		names = append(names, d.String(), d.Torch())
	}
	return usagef("%s: there is no type %s%s", what, word, didYouMean(word, names))
}

// checkOverrides says which of --set is no global of the entry's file.
func (ar *arguments) checkOverrides() error {
	if ar.entryRun.unreadable || ar.spent.over != nil || ar.main == nil {
		return nil
	}
	for _, s := range ar.cfg.Set {
		name, _, _ := strings.Cut(s, "=")
		name = strings.TrimSpace(name)
		if _, ok := ar.main.Attrs.Get(name); ok || ar.settings.overridden[name] {
			continue
		}
		if ar.main.Lost() != nil || ar.entryRun.exit.IsValid() { // a line that was not reached may define it
			continue
		}
		if ar.declaredGlobal(name) {
			continue
		}
		var names []string
		for i := range ar.main.Attrs.Len() {
			names = append(names, ar.main.Attrs.Name(i))
		}
		return usagef("--set %s: %s has no global of that name%s", name, ar.cfg.File+ar.cfg.Module, didYouMean(name, names))
	}
	return nil
}

// declaredGlobal reports whether the entry's file has a global of a name for code that did not run: a function
// declares it, or it is read where no scope binds it, as args is that "if __name__ == '__main__'" makes.
func (ar *arguments) declaredGlobal(name string) bool {
	u, err := ar.imports.parse(ar.main.File)
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
