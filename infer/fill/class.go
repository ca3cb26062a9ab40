package fill

// This file makes instances for parameters that nobody has given: of the class that an annotation or an assertion
// names, or of one that has the attributes that are asked for. A text is sought in this order: a
// class that the entry's class names for the parameter (paramClass), the annotation, a class of
// which the constructor asserts that the argument is an instance, and last a class of the modules
// around that has the attributes which are read of the argument. Texts are expressions in the scope
// of the entry's module m, so that classes of other files are named in full. Classes of the
// libraries are not made, since nobody would write them there. making is the stack of classes that
// are being made, so that none is its own argument.

import (
	"slices"
	"strings"
	"unicode"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// maxFilled bounds how deep instances are arguments of instances. The depth counts constructors, as
// each may need an instance of another class.
const maxFilled = 4

// A need is what the text of a class says of an argument of its constructor.
type need struct {
	attrs   []string   // attributes that are taken from it
	classes []ast.Expr // of which it is asserted to be an instance
}

// needOf reads what a class does with a parameter of its constructor, also where it keeps it as an
// attribute: then in all of its methods.
func needOf(c *value.Class, init *value.Func, param string) need {
	var out need
	// The attribute of self that keeps the argument.
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
	// What is not kept can be used in the constructor alone.
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

// isNamed reports whether an expression is a variable of that name.
func isNamed(e ast.Expr, name string) bool {
	x, ok := e.(*ast.Name)
	return ok && x.ID == name
}

// madeFor is an expression, in the scope of m, for an argument of the constructor init of c; empty where nothing names a
// class for it that can be made.
func (mk *Maker) madeFor(m *value.Module, c *value.Class, init *value.Func, p *ast.Param, depth int) string {
	if depth > maxFilled || init.Module == nil || init.Module.Prelude {
		return ""
	}
	if k := mk.paramClass(c, init, p.Name); k != nil {
		if text := mk.instanceText(m, k, depth); text != "" {
			return text
		}
	}
	if p.Annotation != nil {
		if text := mk.madeAs(m, init.Module, p.Annotation, depth); text != "" || !isModuleText(p.Annotation) {
			return text
		}
	}
	// Neither a name nor an annotation tells the class: what the constructor does with the argument
	// may.
	need := needOf(c, init, p.Name)
	for _, e := range need.classes {
		if t, ok := e.(*ast.Tuple); ok && len(t.Elts) > 0 {
			e = t.Elts[0]
		}
		if text := mk.madeAs(m, init.Module, e, depth); text != "" {
			return text
		}
	}
	// An object with the attributes that are read of it.
	if k := mk.having(m, init.Module, need.attrs, c); k != nil {
		return mk.instanceText(m, k, depth)
	}
	return ""
}

// paramClass is the class that a class names for a parameter of a constructor which it has from a base, or which others may have from
// it: config_class = MyConfig, or config: MyConfig in a class whose base has the constructor; nil where it names none.
func (mk *Maker) paramClass(c *value.Class, init *value.Func, param string) *value.Class {
	if v, ok := c.Lookup(param + "_class"); ok {
		if k, ok := v.(*value.Class); ok && !k.Prelude {
			return k
		}
	}
	// The classes from c on to the one that has the constructor may annotate the name.
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
			if there, ok := mk.Host.Imported(k.Module).(*value.Module); ok {
				if own := mk.classNamed(there, strings.Split(strings.TrimSpace(string(note)), ".")); own != nil && !own.Prelude {
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
	// Any module would do, and that is not enough to make one.
	return false
}

// madeAs is an expression for a value of an annotated type, as the module there names it: the first
// class that can be made of a union, a list of one element for a list, a class itself for Type[…].
// Empty where there is none.
func (mk *Maker) madeAs(m, there *value.Module, e ast.Expr, depth int) string {
	switch e := e.(type) {
	case *ast.Constant:
		if e.Kind != ast.StrConst {
			return ""
		}
		path := strings.Split(strings.TrimSpace(e.Str), ".")
		if c := mk.classNamed(there, path); c != nil {
			return mk.instanceText(m, c, depth)
		}
		return ""
	// X | Y is a union.
	case *ast.BinOp:
		if text := mk.madeAs(m, there, e.Left, depth); text != "" {
			return text
		}
		return mk.madeAs(m, there, e.Right, depth)
	case *ast.Subscript:
		name := ""
		if path := Path(e.Value); len(path) > 0 {
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
			return mk.classOf(m, there, args[0])
		case "Union":
			for _, a := range args {
				if text := mk.madeAs(m, there, a, depth); text != "" {
					return text
				}
			}
		case "List", "list", "Sequence", "Iterable":
			if text := mk.madeAs(m, there, args[0], depth); text != "" {
				return "[" + text + "]"
			}
		}
		return ""
	}
	if c := mk.classNamed(there, Path(e)); c != nil {
		return mk.instanceText(m, c, depth)
	}
	return ""
}

// classNamed is the class that a name means in a module, or where it has no such name (which may be imported for annotations only) in
// another file of the package; nil where there is none. Only names that look like classes are
// sought in other files.
func (mk *Maker) classNamed(there *value.Module, path []string) *value.Class {
	v := mk.namedIn(there, path)
	if v != nil || len(path) != 1 || path[0] == "" || !unicode.IsUpper(rune(path[0][0])) || mk.Host.IsBuiltin(path[0]) {
		c, _ := v.(*value.Class)
		return c
	}
	for _, full := range mk.Host.Filler().Defining(path[0]) {
		at := strings.LastIndexByte(full, '.')
		v, err := mk.Host.Import(full[:at])
		if k, ok := v.(*value.Module); ok && err == nil {
			if c, ok := mk.namedIn(k, path).(*value.Class); ok {
				return c
			}
		}
	}
	return nil
}

// classOf is the first class that a type names, itself: not an instance. Empty where there is none.
func (mk *Maker) classOf(m, there *value.Module, e ast.Expr) string {
	switch x := e.(type) {
	case *ast.BinOp:
		return mk.classOf(m, there, x.Left)
	case *ast.Subscript:
		if t, ok := x.Index.(*ast.Tuple); ok && len(t.Elts) > 0 {
			return mk.classOf(m, there, t.Elts[0])
		}
		return ""
	}
	c, ok := mk.namedIn(there, Path(e)).(*value.Class)
	if !ok || c.Prelude {
		return ""
	}
	if c = mk.concrete(m, c); c == nil {
		return ""
	}
	return mk.classText(m, c)
}

// Path are the names of a dotted expression, from the left; nil for others.
func Path(e ast.Expr) []string {
	switch e := e.(type) {
	case *ast.Name:
		return []string{e.ID}
	case *ast.Attribute:
		if path := Path(e.Value); path != nil {
			return append(path, e.Attr.Name)
		}
	}
	return nil
}

// namedIn is what a dotted name means in a module; nil where that is not known.
func (mk *Maker) namedIn(m *value.Module, path []string) value.Value {
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
		// Names that are imported when they are used are imported now.
		if !ok {
			var err error
			if found, ok, err = mk.Host.Awaited(at, name); err != nil || !ok {
				return nil
			}
		}
		v = found
	}
	return v
}

// instanceText is an expression that makes an instance of a class; empty where none is known. Of an
// enumeration it is the first member.
func (mk *Maker) instanceText(m *value.Module, c *value.Class, depth int) string {
	module := mk.Host.Class("torch.nn.Module")
	if c == module || c.Prelude && !c.IsSubclass(module) {
		return ""
	}
	name := mk.classText(m, c)
	if slices.ContainsFunc(c.MRO, func(k *value.Class) bool { return k.Name == "Enum" && k.Prelude }) {
		if name == "" {
			return ""
		}
		return "list(" + name + ")[0]"
	}
	if c = mk.concrete(m, c); c == nil {
		return ""
	}
	if name = mk.classText(m, c); name == "" || slices.Contains(mk.making, c) {
		return ""
	}
	mk.making = append(mk.making, c)
	defer func() { mk.making = mk.making[:len(mk.making)-1] }()
	args, ok := mk.constructed(m, c, depth+1)
	if !ok {
		return ""
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// constructed are arguments for the constructor of a class, as the Filler chooses them among the
// parameters that it lists; ok is false where it has none for one that is needed. Made and Make of
// a parameter are expressions for instances, the second of which is only sought when it is asked
// for.
func (mk *Maker) constructed(m *value.Module, c *value.Class, depth int) ([]string, bool) {
	v, _ := c.Lookup("__init__")
	init, ok := v.(*value.Func)
	if !ok {
		init, ok = newOf(c)
	}
	if !ok {
		// The constructor of a dataclass is no function of Python; its fields are the parameters.
		if needed, spare := mk.dataFields(m, c, v, depth); len(needed)+len(spare) > 0 {
			return mk.Host.Filler().Construct(Constructor{Class: c.Name, Needed: needed, Spare: spare, Input: mk.isObject()})
		}
		return nil, true
	}
	if init = init.Wrapped(); init.Params == nil {
		return nil, true
	}
	k := Constructor{Class: c.Name, Needed: mk.required(init, 1, nil), Spare: mk.Optional(init, 1), Open: init.Params.KwArg != nil,
		Input: mk.isObject()}
	// Keyword arguments that are handed on to constructors of bases are parameters, too.
	needed, spare, bases := mk.handedOn(c, init)
	k.Needed, k.Spare = append(k.Needed, needed...), append(k.Spare, spare...)
	// The parameter belongs to the constructor that has it.
	made := func(p *Param) string {
		for _, fn := range append([]*value.Func{init}, bases...) {
			for _, x := range slices.Concat(fn.Params.PosOnly, fn.Params.Args, fn.Params.KwOnly) {
				if x.Name == p.Name {
					return mk.madeFor(m, c, fn, x, depth)
				}
			}
		}
		return ""
	}
	k.Instance = func(class string) string {
		if k := mk.classCalled(m, class); k != nil {
			return mk.instanceText(m, k, depth)
		}
		return ""
	}
	for i := range k.Needed {
		k.Needed[i].Made = made(&k.Needed[i])
	}
	for i := range k.Spare {
		k.Spare[i].Make = func() string { return made(&k.Spare[i]) }
	}
	return mk.Host.Filler().Construct(k)
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
func (mk *Maker) classCalled(m *value.Module, name string) *value.Class {
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		v, err := mk.Host.Import(name[:at])
		there, ok := v.(*value.Module)
		if !ok || err != nil {
			return nil
		}
		m, name = there, name[at+1:]
	}
	c, _ := mk.namedIn(m, []string{name}).(*value.Class)
	return c
}

// isObject reports whether the class of which an instance is made is that of an input, and not of
// an argument of another constructor.
func (mk *Maker) isObject() bool { return mk.object && len(mk.making) == 1 }

// annotatedFields are the fields that a class of an unknown base annotates without a value that is known: bases that make constructors of
// fields ask for them.
func (mk *Maker) annotatedFields(m *value.Module, c *value.Class, depth int) []Param {
	var out []Param
	for _, k := range slices.Backward(c.MRO) {
		v, _ := k.Attrs.Get("__annotations__")
		fields, ok := v.(*value.Dict)
		if !ok || k.Prelude {
			continue
		}
		for i := range fields.Len() {
			name, ok := value.AsStr(fields.Key(i))
			if v, given := c.Lookup(name); !ok || given && !value.IsUnknown(v) || strings.HasPrefix(name, "_") ||
				slices.ContainsFunc(out, func(p Param) bool { return p.Name == name }) {
				continue
			}
			t := fields.At(i)
			one := Param{Name: name, Annotation: typeText(t)}
			if k, ok := t.(*value.Class); ok && !k.Prelude {
				one.Made = mk.instanceText(m, k, depth)
			}
			out = append(out, one)
		}
	}
	return out
}

// dataFields are the fields of a dataclass that its own constructor init asks for, and those that are None without it; none for other
// classes, but for those of an unknown base.
func (mk *Maker) dataFields(m *value.Module, c *value.Class, init value.Value, depth int) (needed, spare []Param) {
	if depth > maxFilled {
		return nil, nil
	}
	b, ok := init.(*value.Builtin)
	_, computes := c.Lookup("forward")
	if !computes && slices.ContainsFunc(c.MRO, func(k *value.Class) bool { return k.UnknownBase != nil }) {
		return mk.annotatedFields(m, c, depth), nil
	}
	if !ok || len(b.Params) == 0 {
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
		// Fields that have a default need nothing.
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
			one.Made = mk.instanceText(m, k, depth)
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

// concrete is a class that can be called, c or one of its subclasses, of these the first that needs
// no arguments, else the first; nil where there is none. One whose methods raise
// NotImplementedError can be called, but does nothing.
func (mk *Maker) concrete(m *value.Module, c *value.Class) *value.Class {
	abstract := mk.Host.IsAbstract
	if c.Prelude || !abstract(c) && !leavesMethods(c) {
		return c
	}
	var first *value.Class
	take := func(k *value.Class) bool {
		if k == c || !k.IsSubclass(c) || abstract(k) || leavesMethods(k) || slices.Contains(mk.making, k) {
			return false
		}
		if first == nil {
			first = k
		}
		return NoArguments(k)
	}
	// First among what is loaded, then in the files around, which takes an import.
	for _, there := range mk.modulesAround(m, c.Module) {
		for i := range there.Attrs.Len() {
			if k, ok := there.Attrs.At(i).(*value.Class); ok && take(k) {
				return k
			}
		}
	}
	for _, path := range mk.Host.Filler().Deriving(c.Name) {
		at := strings.LastIndexByte(path, '.')
		v, err := mk.Host.Import(path[:at])
		if there, ok := v.(*value.Module); ok && err == nil {
			if k, ok := mk.namedIn(there, []string{path[at+1:]}).(*value.Class); ok && take(k) {
				return k
			}
		}
	}
	if first == nil && !abstract(c) {
		return c
	}
	return first
}

// leavesMethods reports whether a method that a class has does nothing but raise
// NotImplementedError. A method of a subclass hides those of the same name above it.
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
func (mk *Maker) modulesAround(m *value.Module, names ...string) []*value.Module {
	out := []*value.Module{m}
	add := func(name string) {
		if k, ok := mk.Host.Imported(name).(*value.Module); ok && !k.Prelude && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	for _, n := range names {
		add(n)
	}
	top, _, _ := strings.Cut(m.Name, ".")
	for _, n := range mk.Host.Loaded() {
		if strings.HasPrefix(n, top+".") {
			add(n)
		}
	}
	return out
}

// classText names a class in the scope of m: by its name there, else in full.
func (mk *Maker) classText(m *value.Module, c *value.Class) string {
	if v, ok := m.Attrs.Get(c.Name); ok && v == value.Value(c) {
		return c.Name
	}
	if there, ok := mk.Host.Imported(c.Module).(*value.Module); ok && c.Module != m.Name {
		if v, ok := there.Attrs.Get(c.Name); ok && v == value.Value(c) {
			return c.Module + "." + c.Name
		}
	}
	return ""
}

// having is a class of modules around that has all the attributes that are asked for and that not every module has.
func (mk *Maker) having(m, there *value.Module, attrs []string, not *value.Class) *value.Class {
	module := mk.Host.Class("torch.nn.Module")
	var asked []string
	for _, a := range attrs {
		if _, ok := module.Lookup(a); !ok && a != "training" && a != "device" {
			asked = append(asked, a)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	for _, k := range mk.modulesAround(m, there.Name) {
		for i := range k.Attrs.Len() {
			c, ok := k.Attrs.At(i).(*value.Class)
			if !ok || c == not || c.IsSubclass(not) || !c.IsSubclass(module) || mk.Host.IsAbstract(c) {
				continue
			}
			if have := attributesGiven(c); !slices.ContainsFunc(asked, func(a string) bool { return !have[a] }) {
				return c
			}
		}
	}
	// The files around, by what their texts say of attributes.
	name, class := mk.Host.Filler().Having(asked)
	if name == "" {
		return nil
	}
	if i := strings.LastIndexByte(m.Name, '.'); i >= 0 {
		name = m.Name[:i+1] + name
	}
	v, err := mk.Host.Import(name)
	if k, ok := v.(*value.Module); ok && err == nil {
		if c, ok := mk.namedIn(k, []string{class}).(*value.Class); ok && c != not && c.IsSubclass(module) {
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

// NoArguments reports whether a class can be made without arguments.
func NoArguments(c *value.Class) bool {
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
