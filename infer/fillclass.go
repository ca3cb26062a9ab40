package infer

// This file makes instances for parameters that nobody has given: of the class that an annotation or an assertion
// names, or of one that has the attributes that are asked for.

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// maxFilled bounds how deep instances are arguments of instances.
const maxFilled = 4

// A need is what the text of a class says of an argument of its constructor.
type need struct {
	attrs   []string   // attributes that are taken from it
	classes []ast.Expr // of which it is asserted to be an instance
}

// needOf reads what a class does with a parameter of its constructor, also where it keeps it as an attribute.
func needOf(c *value.Class, init *value.Func, param string) need {
	var out need
	kept := ""
	read := func(fn ast.Node, is func(ast.Expr) bool) {
		ast.Inspect(fn, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Assign:
				a, ok := n.Targets[0].(*ast.Attribute)
				if ok && len(n.Targets) == 1 && is(n.Value) && isNamed(a.Value, "self") {
					kept = a.Attr.Name
				}
			case *ast.Attribute:
				if is(n.Value) && !slices.Contains(out.attrs, n.Attr.Name) {
					out.attrs = append(out.attrs, n.Attr.Name)
				}
			case *ast.Call:
				if isNamed(n.Func, "isinstance") && len(n.Args) == 2 && is(n.Args[0]) {
					out.classes = append(out.classes, n.Args[1])
				}
			}
			return true
		})
	}
	read(init.Definition(), func(e ast.Expr) bool { return isNamed(e, param) })
	if kept == "" {
		return out
	}
	for i := range c.Attrs.Len() {
		if fn, ok := c.Attrs.At(i).(*value.Func); ok && fn.Module == init.Module {
			read(fn.Definition(), func(e ast.Expr) bool {
				a, ok := e.(*ast.Attribute)
				return ok && a.Attr.Name == kept && isNamed(a.Value, "self")
			})
		}
	}
	return out
}

func isNamed(e ast.Expr, name string) bool {
	x, ok := e.(*ast.Name)
	return ok && x.ID == name
}

// madeFor is an expression, in the scope of m, for an argument of the constructor init of c; empty where nothing names a
// class for it that can be made.
func (ar *arguments) madeFor(m *value.Module, c *value.Class, init *value.Func, p *ast.Param, depth int) string {
	if depth > maxFilled || init.Module == nil || init.Module.Prelude {
		return ""
	}
	if k := ar.paramClass(c, init, p.Name); k != nil {
		if text := ar.instanceText(m, k, depth); text != "" {
			return text
		}
	}
	if p.Annotation != nil {
		if text := ar.madeAs(m, init.Module, p.Annotation, depth); text != "" || !isModuleText(p.Annotation) {
			return text
		}
	}
	need := needOf(c, init, p.Name)
	for _, e := range need.classes {
		if t, ok := e.(*ast.Tuple); ok && len(t.Elts) > 0 {
			e = t.Elts[0]
		}
		if text := ar.madeAs(m, init.Module, e, depth); text != "" {
			return text
		}
	}
	if k := ar.having(m, init.Module, need.attrs, c); k != nil {
		return ar.instanceText(m, k, depth)
	}
	return ""
}

// paramClass is the class that a class names for a parameter of a constructor which it has from a base, or which others may have from
// it: config_class = MyConfig, or config: MyConfig in a class whose base has the constructor; nil where it names none.
func (ar *arguments) paramClass(c *value.Class, init *value.Func, param string) *value.Class {
	if v, ok := c.Lookup(param + "_class"); ok {
		if k, ok := v.(*value.Class); ok && !k.Prelude {
			return k
		}
	}
	for _, k := range c.MRO {
		if v, ok := k.Attrs.Get("__init__"); ok && v == value.Value(init) {
			return nil // its own annotation says it
		}
		notes, _ := k.Attrs.Get("__annotations__")
		d, ok := notes.(*value.Dict)
		if !ok {
			continue
		}
		note, _ := d.GetStr(param)
		switch note := note.(type) {
		case *value.Class:
			if !note.Prelude {
				return note
			}
		case value.Str:
			if there, ok := ar.finder.imported(k.Module).(*value.Module); ok {
				if own := ar.classNamed(there, strings.Split(strings.TrimSpace(string(note)), ".")); own != nil && !own.Prelude {
					return own
				}
			}
		}
	}
	return nil
}

// isModuleText reports whether an annotation is the base of all modules, which tells nothing of the class.
func isModuleText(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Name:
		return e.ID == "Module"
	case *ast.Attribute:
		return e.Attr.Name == "Module"
	}
	return false
}

// madeAs is an expression for a value of an annotated type, as the module there names it.
func (ar *arguments) madeAs(m, there *value.Module, e ast.Expr, depth int) string {
	switch e := e.(type) {
	case *ast.Constant:
		if e.Kind != ast.StrConst {
			return ""
		}
		path := strings.Split(strings.TrimSpace(e.Str), ".")
		if c := ar.classNamed(there, path); c != nil {
			return ar.instanceText(m, c, depth)
		}
		return ""
	case *ast.BinOp:
		if text := ar.madeAs(m, there, e.Left, depth); text != "" {
			return text
		}
		return ar.madeAs(m, there, e.Right, depth)
	case *ast.Subscript:
		name := ""
		if path := pathOf(e.Value); len(path) > 0 {
			name = path[len(path)-1]
		}
		args := []ast.Expr{e.Index}
		if t, ok := e.Index.(*ast.Tuple); ok {
			args = t.Elts
		}
		if len(args) == 0 {
			return ""
		}
		switch name {
		case "Type", "type":
			return ar.classOf(m, there, args[0])
		case "Union":
			for _, a := range args {
				if text := ar.madeAs(m, there, a, depth); text != "" {
					return text
				}
			}
		case "List", "list", "Sequence", "Iterable":
			if text := ar.madeAs(m, there, args[0], depth); text != "" {
				return "[" + text + "]"
			}
		}
		return ""
	}
	if c := ar.classNamed(there, pathOf(e)); c != nil {
		return ar.instanceText(m, c, depth)
	}
	return ""
}

// classNamed is the class that a name means in a module, or where it has no such name (which may be imported for annotations only) in
// another file of the package; nil where there is none.
func (ar *arguments) classNamed(there *value.Module, path []string) *value.Class {
	v := ar.namedIn(there, path)
	if v != nil || len(path) != 1 || path[0] == "" || !unicode.IsUpper(rune(path[0][0])) || ar.world.Class(path[0]) != nil {
		c, _ := v.(*value.Class)
		return c
	}
	for _, full := range ar.cfg.Fill.Defining(path[0]) {
		at := strings.LastIndexByte(full, '.')
		v, err := ar.host.Import(full[:at])
		if k, ok := v.(*value.Module); ok && err == nil {
			if c, ok := ar.namedIn(k, path).(*value.Class); ok {
				return c
			}
		}
	}
	return nil
}

// classOf is the first class that a type names, itself.
func (ar *arguments) classOf(m, there *value.Module, e ast.Expr) string {
	switch x := e.(type) {
	case *ast.BinOp:
		return ar.classOf(m, there, x.Left)
	case *ast.Subscript:
		if t, ok := x.Index.(*ast.Tuple); ok && len(t.Elts) > 0 {
			return ar.classOf(m, there, t.Elts[0])
		}
		return ""
	}
	c, ok := ar.namedIn(there, pathOf(e)).(*value.Class)
	if !ok || c.Prelude {
		return ""
	}
	if c = ar.concrete(m, c); c == nil {
		return ""
	}
	return ar.classText(m, c)
}

// pathOf are the names of a dotted expression; nil for others.
func pathOf(e ast.Expr) []string {
	switch e := e.(type) {
	case *ast.Name:
		return []string{e.ID}
	case *ast.Attribute:
		if path := pathOf(e.Value); path != nil {
			return append(path, e.Attr.Name)
		}
	}
	return nil
}

// namedIn is what a dotted name means in a module; nil where that is not known.
func (ar *arguments) namedIn(m *value.Module, path []string) value.Value {
	var v value.Value
	for i, name := range path {
		at := m
		if i > 0 {
			var ok bool
			if at, ok = v.(*value.Module); !ok {
				return nil
			}
		}
		found, ok := at.Attrs.Get(name)
		if !ok {
			var err error
			if found, ok, err = ar.imports.awaited(at, name); err != nil || !ok {
				return nil
			}
		}
		v = found
	}
	return v
}

// instanceText is an expression that makes an instance of a class; empty where none is known.
func (ar *arguments) instanceText(m *value.Module, c *value.Class, depth int) string {
	module := ar.host.Class("torch.nn.Module")
	if c == module || c.Prelude && !c.IsSubclass(module) {
		return ""
	}
	name := ar.classText(m, c)
	if slices.ContainsFunc(c.MRO, func(k *value.Class) bool { return k.Name == "Enum" && k.Prelude }) {
		if name == "" {
			return ""
		}
		return "list(" + name + ")[0]"
	}
	if c = ar.concrete(m, c); c == nil {
		return ""
	}
	if name = ar.classText(m, c); name == "" || slices.Contains(ar.making, c) {
		return ""
	}
	ar.making = append(ar.making, c)
	defer func() { ar.making = ar.making[:len(ar.making)-1] }()
	args, ok := ar.constructed(m, c, depth+1)
	if !ok {
		return ""
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// constructed are arguments for the constructor of a class.
func (ar *arguments) constructed(m *value.Module, c *value.Class, depth int) ([]string, bool) {
	v, _ := c.Lookup("__init__")
	init, ok := v.(*value.Func)
	if !ok {
		init, ok = newOf(c)
	}
	if !ok {
		if needed, spare := ar.dataFields(m, c, v, depth); len(needed)+len(spare) > 0 {
			return ar.cfg.Fill.Construct(Constructor{Class: c.Name, Needed: needed, Spare: spare, Input: ar.isObject()})
		}
		return nil, true
	}
	if init = wrapped(init); init.Params == nil {
		return nil, true
	}
	k := Constructor{Class: c.Name, Needed: ar.required(init, 1, nil), Spare: ar.optional(init, 1), Open: init.Params.KwArg != nil,
		Input: ar.isObject()}
	needed, spare, bases := ar.handedOn(c, init)
	k.Needed, k.Spare = append(k.Needed, needed...), append(k.Spare, spare...)
	made := func(p *Param) string {
		for _, fn := range append([]*value.Func{init}, bases...) {
			for _, x := range slices.Concat(fn.Params.PosOnly, fn.Params.Args, fn.Params.KwOnly) {
				if x.Name == p.Name {
					return ar.madeFor(m, c, fn, x, depth)
				}
			}
		}
		return ""
	}
	k.Instance = func(class string) string {
		if k := ar.classCalled(m, class); k != nil {
			return ar.instanceText(m, k, depth)
		}
		return ""
	}
	for i := range k.Needed {
		k.Needed[i].Made = made(&k.Needed[i])
	}
	for i := range k.Spare {
		k.Spare[i].Make = func() string { return made(&k.Spare[i]) }
	}
	return ar.cfg.Fill.Construct(k)
}

// newOf is the __new__ of a class that has no constructor of its own otherwise, as named tuples have it.
func newOf(c *value.Class) (*value.Func, bool) {
	v, _ := c.Lookup("__new__")
	if s, ok := v.(*value.StaticMethod); ok {
		v = s.Func
	}
	fn, ok := v.(*value.Func)
	return fn, ok && fn.Module != nil && !fn.Module.Prelude
}

// classCalled is the class of a full name, or of a name of m; nil where there is none.
func (ar *arguments) classCalled(m *value.Module, name string) *value.Class {
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		v, err := ar.host.Import(name[:at])
		there, ok := v.(*value.Module)
		if !ok || err != nil {
			return nil
		}
		m, name = there, name[at+1:]
	}
	c, _ := ar.namedIn(m, []string{name}).(*value.Class)
	return c
}

// isObject reports whether the class of which an instance is made is that of an input.
func (ar *arguments) isObject() bool { return ar.object && len(ar.making) == 1 }

// dataFields are the fields of a dataclass that its own constructor init asks for, and those that are None without it; none for other
// classes.
func (ar *arguments) dataFields(m *value.Module, c *value.Class, init value.Value, depth int) (needed, spare []Param) {
	b, ok := init.(*value.Builtin)
	if !ok || len(b.Params) == 0 || depth > maxFilled {
		return nil, nil
	}
	v, _ := c.Lookup("__dataclass_fields__")
	fields, ok := v.(*value.Dict)
	if !ok {
		return nil, nil
	}
	for _, p := range b.Params[1:] {
		field, ok := fields.GetStr(p.Name)
		x, isField := field.(*value.Instance)
		if p.Default != nil && p.Default != value.None || !ok || !isField {
			continue
		}
		t, _ := x.Attrs.Get("type")
		one := Param{Name: p.Name, Annotation: typeText(t)}
		if p.Default != nil {
			spare = append(spare, one)
			continue
		}
		if k, ok := t.(*value.Class); ok && !k.Prelude {
			one.Made = ar.instanceText(m, k, depth)
		}
		needed = append(needed, one)
	}
	return needed, spare
}

// typeText is a type as an annotation writes it; empty where that is not known.
func typeText(t value.Value) string {
	return typeTextIn(&value.Visit{Repeats: 256}, t)
}

// typeTextIn writes an annotation as discovery reads it: names without modules, Optional and Union in place of
// bars.
func typeTextIn(w *value.Visit, t value.Value) string {
	if !w.Enter(t) {
		return ""
	}
	defer w.Leave()
	switch t := t.(type) {
	case value.Str:
		return string(t)
	case *value.Class:
		return t.Name
	case value.EllipsisType:
		return "..."
	case *value.GenericAlias:
		name := typeTextIn(w, t.Origin)
		if name == "" {
			return ""
		}
		if name == "Callable" {
			return name + "[...]" // of which nobody asks what it takes
		}
		var args []string
		for _, a := range t.Args {
			args = append(args, typeTextIn(w, a))
		}
		if name == "UnionType" { // of several types, or one and None
			args = slices.DeleteFunc(args, func(a string) bool { return a == "NoneType" })
			if name = "Union"; len(args) == 1 {
				name = "Optional"
			}
		}
		return name + "[" + strings.Join(args, ", ") + "]"
	}
	return ""
}

// concrete is a class that can be called, c or one of its subclasses, of these the first that needs no arguments, else the
// first; nil where there is none. One whose methods raise NotImplementedError can be called, but does nothing.
func (ar *arguments) concrete(m *value.Module, c *value.Class) *value.Class {
	module := ar.host.Class("torch.nn.Module")
	abstract := func(k *value.Class) bool {
		return abstractMethods(k) != "" || k.IsSubclass(module) && leftToOthers(k, module)
	}
	if c.Prelude || !abstract(c) && !leavesMethods(c) {
		return c
	}
	var first *value.Class
	take := func(k *value.Class) bool {
		if k == c || !k.IsSubclass(c) || abstract(k) || leavesMethods(k) || slices.Contains(ar.making, k) {
			return false
		}
		if first == nil {
			first = k
		}
		return noArguments(k)
	}
	for _, there := range ar.modulesAround(m, c.Module) {
		for i := range there.Attrs.Len() {
			if k, ok := there.Attrs.At(i).(*value.Class); ok && take(k) {
				return k
			}
		}
	}
	for _, path := range ar.cfg.Fill.Deriving(c.Name) {
		at := strings.LastIndexByte(path, '.')
		v, err := ar.host.Import(path[:at])
		if there, ok := v.(*value.Module); ok && err == nil {
			if k, ok := ar.namedIn(there, []string{path[at+1:]}).(*value.Class); ok && take(k) {
				return k
			}
		}
	}
	if first == nil && !abstract(c) {
		return c
	}
	return first
}

// leavesMethods reports whether a method that a class has does nothing but raise NotImplementedError.
func leavesMethods(c *value.Class) bool {
	seen := map[string]bool{}
	for _, k := range c.MRO {
		if k.Prelude {
			continue
		}
		for i := range k.Attrs.Len() {
			name := k.Attrs.Name(i)
			fn, ok := k.Attrs.At(i).(*value.Func)
			if seen[name] || !ok {
				seen[name] = true
				continue
			}
			seen[name] = true
			if def, ok := fn.Definition().(*ast.FunctionDef); ok && onlyRaises(def.Body) {
				return true
			}
		}
	}
	return false
}

// onlyRaises reports whether a body is raise NotImplementedError, with or without a text about it.
func onlyRaises(body []ast.Stmt) bool {
	for _, s := range body {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if _, ok := s.Value.(*ast.Constant); !ok {
				return false
			}
		case *ast.Raise:
			e := s.Exc
			if call, ok := e.(*ast.Call); ok {
				e = call.Func
			}
			return isNamed(e, "NotImplementedError")
		default:
			return false
		}
	}
	return false
}

// modulesAround are the modules in which classes are looked for: m, the others named, and all of the package that are loaded.
func (ar *arguments) modulesAround(m *value.Module, names ...string) []*value.Module {
	out := []*value.Module{m}
	add := func(name string) {
		if k, ok := ar.finder.imported(name).(*value.Module); ok && !k.Prelude && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	for _, n := range names {
		add(n)
	}
	top, _, _ := strings.Cut(m.Name, ".")
	for _, n := range slices.Sorted(maps.Keys(ar.modules)) {
		if strings.HasPrefix(n, top+".") {
			add(n)
		}
	}
	return out
}

// classText names a class in the scope of m: by its name there, else in full.
func (ar *arguments) classText(m *value.Module, c *value.Class) string {
	if v, ok := m.Attrs.Get(c.Name); ok && v == value.Value(c) {
		return c.Name
	}
	if there, ok := ar.finder.imported(c.Module).(*value.Module); ok && c.Module != m.Name {
		if v, ok := there.Attrs.Get(c.Name); ok && v == value.Value(c) {
			return c.Module + "." + c.Name
		}
	}
	return ""
}

// having is a class of modules around that has all the attributes that are asked for and that not every module has.
func (ar *arguments) having(m, there *value.Module, attrs []string, not *value.Class) *value.Class {
	module := ar.host.Class("torch.nn.Module")
	var asked []string
	for _, a := range attrs {
		if _, ok := module.Lookup(a); !ok && a != "training" && a != "device" {
			asked = append(asked, a)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	for _, k := range ar.modulesAround(m, there.Name) {
		for i := range k.Attrs.Len() {
			c, ok := k.Attrs.At(i).(*value.Class)
			if !ok || c == not || c.IsSubclass(not) || !c.IsSubclass(module) || leftToOthers(c, module) {
				continue
			}
			if have := attributesGiven(c); !slices.ContainsFunc(asked, func(a string) bool { return !have[a] }) {
				return c
			}
		}
	}
	name, class := ar.cfg.Fill.Having(asked)
	if name == "" {
		return nil
	}
	if i := strings.LastIndexByte(m.Name, '.'); i >= 0 {
		name = m.Name[:i+1] + name
	}
	v, err := ar.host.Import(name)
	if k, ok := v.(*value.Module); ok && err == nil {
		if c, ok := ar.namedIn(k, []string{class}).(*value.Class); ok && c != not && c.IsSubclass(module) {
			return c
		}
	}
	return nil
}

// attributesGiven are the names of attributes of a class, and of those that its methods give its instances.
func attributesGiven(c *value.Class) map[string]bool {
	out := map[string]bool{}
	for _, k := range c.MRO {
		if k.Prelude {
			continue
		}
		for i := range k.Attrs.Len() {
			out[k.Attrs.Name(i)] = true
			fn, ok := k.Attrs.At(i).(*value.Func)
			if !ok {
				continue
			}
			ast.Inspect(fn.Definition(), func(n ast.Node) bool {
				a, ok := n.(*ast.Assign)
				if !ok {
					return true
				}
				for _, t := range a.Targets {
					list := []ast.Expr{t}
					if several, ok := t.(*ast.Tuple); ok {
						list = several.Elts
					}
					for _, e := range list {
						if x, ok := e.(*ast.Attribute); ok && isNamed(x.Value, "self") {
							out[x.Attr.Name] = true
						}
					}
				}
				return true
			})
		}
	}
	return out
}
