package text

// This file chooses arguments of constructors.

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"shapecheck/internal/lazyregexp"
	"shapecheck/parser/ast"
)

// A Param is a parameter of a constructor that needs an argument.
type Param struct {
	Name, Annotation string
	// Made is an expression for an instance of the class that the program means; empty: none is known.
	Made string
	// Scope is the constructor; nil: it is not known.
	Scope ast.Node
}

// Construct chooses an argument for a parameter of a class, which may be of another file; empty when nothing is
// known of it.
func (f *File) Construct(class string, p Param) string {
	p.Annotation = Plain(p.Annotation)
	if v := f.called(class, p.Name); v != "" {
		return v
	}
	if v := f.settingsOf(class, p); v != "" {
		return v
	}
	if v := f.space(p); v != "" {
		return v
	}
	if p.Made != "" {
		return p.Made
	}
	if v := literalOf(p.Annotation); v != "" {
		return v
	}
	if v := f.comparedBy(class, p.Name); v != "" {
		return v
	}
	if p.Annotation == "" && isMatrix(p) {
		return tensorKinds[1]
	}
	usual := valueOf(p.Name, p.Annotation)
	if usual == "" || number.MatchString(usual) {
		usual = cmp.Or(f.named(class, p), usual)
	}
	if p.Scope == nil || usual != "" && oneValue.MatchString(p.Annotation) {
		return usual
	}
	u := f.useOf(p.Scope, f.classes[class], p.Name)
	if v := u.builtin(); v != "" && usual == "" {
		return v
	}
	if v := f.layerHaving(class, u); v != "" && (usual == "" || strings.HasPrefix(usual, "torch.nn.Identity")) {
		return v
	}
	plain := usual == "" || number.MatchString(usual) // a number has no attributes of its own
	if slices.Contains(settings, strings.TrimLeft(p.Name, "_")) || plain && !u.called && !u.makes && !u.sequence &&
		len(u.fields)+len(u.keys) > 0 {
		if v := f.settingsHaving(u.fields); v != "" {
			return v
		}
		if v := f.namespace(p.Name, u); v != "" {
			return v
		}
	}
	return u.valueUsed(usual)
}

// isMatrix reports whether the docstring of a constructor says that a parameter is a matrix: "pairs : torch matrix".
func isMatrix(p Param) bool {
	fn, ok := p.Scope.(*ast.FunctionDef)
	if !ok {
		return false
	}
	m := regexp.MustCompile(`(?m)^[ \t]*` + regexp.QuoteMeta(p.Name) + `[ \t]*(?::|\()[ \t]*(.*)$`).FindStringSubmatch(docstring(fn.Body))
	return m != nil && matrixSaid.MatchString(m[1])
}

// Matrices are the parameters of the constructor of a class of the file of which its docstring says that they are matrices.
func (f *File) Matrices(class string) []string {
	c := f.classes[class]
	if c == nil {
		return nil
	}
	init := method(c, "__init__")
	if init == nil {
		return nil
	}
	var out []string
	for _, p := range slices.Concat(init.Params.PosOnly, init.Params.Args, init.Params.KwOnly) {
		if isMatrix(Param{Name: p.Name, Scope: init}) {
			out = append(out, p.Name)
		}
	}
	return out
}

var matrixSaid = lazyregexp.New(`(?i)^(?:a )?(?:2-?d )?(?:torch )?(?:matrix\b|2-?d (?:torch )?tensor\b)`)

// An Evidence is what speaks for an argument.
type Evidence int

// What may speak for an argument of a constructor.
const (
	ByUse      Evidence = iota // what the constructor does with it
	ByCall                     // a call in the file
	ByClass                    // a class of the program, by the annotation or the use
	ByCompared                 // what the file compares it with
	ByName                     // the name or the annotation
	ByConstant                 // a constant of the file
)

// EvidenceOf is what speaks for an argument that Construct chose.
func (f *File) EvidenceOf(class string, p Param, arg string) Evidence {
	p.Annotation = Plain(p.Annotation)
	switch arg {
	case f.called(class, p.Name):
		return ByCall
	case p.Made, f.settingsOf(class, p):
		return ByClass
	case literalOf(p.Annotation), valueOf(p.Name, p.Annotation):
		return ByName
	case f.comparedBy(class, p.Name):
		return ByCompared
	case f.named(class, p):
		return ByConstant
	}
	return ByUse
}

// Plain is an annotation without quotes and the names of the modules that types come from.
func Plain(annotation string) string {
	if n := len(annotation); n > 2 && (annotation[0] == '"' || annotation[0] == '\'') &&
		strings.IndexByte(annotation[1:], annotation[0]) == n-2 {
		annotation = annotation[1 : n-1]
	}
	return typingNames.ReplaceAllString(annotation, "")
}

var typingNames = lazyregexp.New(`\b(typing|tp|t|T|collections\.abc)\.`)

var number = lazyregexp.New(`^\d+$`)

// oneValue is an annotation of a plain value, of a list or of a class: what is done with it tells no more.
var oneValue = lazyregexp.New(
	`^(typing\.)?(int|float|bool|str|(Optional|Union|List|Sequence|Tuple|Callable|Type|Literal|list|tuple|type)\b.*|.*\|.*|(torch\.)?dtype)$`)

// literalOf is the first value of an annotation Literal["a", "b"].
func literalOf(annotation string) string {
	_, text, ok := strings.Cut(annotation, "Literal[")
	if !ok {
		return ""
	}
	text, _, _ = strings.Cut(text, "]")
	text, _, _ = strings.Cut(text, ",")
	return strings.TrimSpace(text)
}

// Compared is the first text, or constant by its name, with which the file compares a parameter, or an attribute of
// its name: mode == "row", mode in ["batch", "row"], mode in {BINARY, MULTICLASS}; else the first by which a table of
// the file has something for it, MODES[mode], and an activation where it names something of torch.nn, getattr(nn, act).
func (f *File) Compared(param string) string {
	if f.compared != nil {
		return f.compared[param]
	}
	f.compared = map[string]string{}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if x, ok := n.(*ast.Compare); ok {
			if name := lastName(x.Left); f.compared[name] == "" {
				f.compared[name] = f.firstText(x.Comparators)
			}
		}
		return true
	})
	tables := f.tables()
	ast.Inspect(f.tree, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Subscript:
			if name := lastName(x.Index); name != "" && f.compared[name] == "" {
				f.compared[name] = tables[lastName(x.Value)]
			}
		case *ast.Call:
			if lastName(x.Func) == "getattr" && len(x.Args) == 2 {
				if name, of := lastName(x.Args[1]), lastName(x.Args[0]); f.compared[name] == "" {
					f.compared[name] = map[string]string{"nn": "'ReLU'", "F": "'relu'", "functional": "'relu'"}[of]
				}
			}
		}
		return true
	})
	return f.compared[param]
}

// comparedBy is the first text with which a class of the file compares a parameter, before others of the file do, which may mean something else
// by the name; else what Compared gives.
func (f *File) comparedBy(class, param string) string {
	found := ""
	if c := f.classes[class]; c != nil {
		ast.Inspect(c, func(n ast.Node) bool {
			if x, ok := n.(*ast.Compare); ok && found == "" && lastName(x.Left) == param {
				found = f.firstText(x.Comparators)
			}
			return found == ""
		})
	}
	return cmp.Or(found, f.Compared(param))
}

// tables are the first texts by which tables of the file have something, by the names of the tables.
func (f *File) tables() map[string]string {
	out := map[string]string{}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		a, ok := n.(*ast.Assign)
		if !ok || len(a.Targets) != 1 {
			return true
		}
		if d, ok := a.Value.(*ast.Dict); ok && len(d.Keys) > 0 {
			if k, ok := d.Keys[0].(*ast.Constant); ok && k.Kind == ast.StrConst {
				out[lastName(a.Targets[0])] = f.Source.Slice(k.Span())
			}
		}
		return true
	})
	return out
}

// firstText is the first text, or constant by its name, in expressions.
func (f *File) firstText(list []ast.Expr) string {
	out := ""
	for _, e := range list {
		ast.Inspect(e, func(n ast.Node) bool {
			switch t := n.(type) {
			case *ast.Constant:
				if t.Kind == ast.StrConst && out == "" {
					out = f.Source.Slice(t.Span())
				}
			case *ast.Name:
				if constantName.MatchString(t.ID) && out == "" {
					out = t.ID
				}
			}
			return out == ""
		})
	}
	return out
}

// constantName is a name that PEP 8 gives to constants.
var constantName = lazyregexp.New(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)

var settingsClass = lazyregexp.New(`(Config|Configuration|Args|Arguments|Params|HParams|Hparams|Settings|Options)$`)

// IsSettings reports whether the name of a class is that of settings.
func IsSettings(class string) bool { return settingsClass.MatchString(class) }

// MadeFields are the fields of an object that stands for settings of which no class is known; none of another value.
func MadeFields(value string) []string {
	inner, ok := strings.CutPrefix(value, "types.SimpleNamespace(")
	if !ok {
		return nil
	}
	var out []string
	depth := 0
	for _, part := range strings.Split(strings.TrimSuffix(inner, ")"), ", ") {
		if name, _, ok := strings.Cut(part, "="); ok && depth == 0 {
			out = append(out, name)
		}
		depth += strings.Count(part, "(") + strings.Count(part, "[") - strings.Count(part, ")") - strings.Count(part, "]")
	}
	return out
}

// settingsOf is an instance of a class of settings that can be made without arguments.
func (f *File) settingsOf(class string, p Param) string {
	if c := strings.Trim(p.Annotation, `"' `); settingsClass.MatchString(c) && !strings.ContainsAny(c, "[|") {
		if made, _, _ := strings.Cut(p.Made, "("); made != "" && made[strings.LastIndexByte(made, '.')+1:] != c {
			return "" // the class that is made names another one
		}
		own := f.classes[c]
		if own != nil && !plain(own) || own == nil && (p.Made != "" || f.classes[class] == nil || !f.imports(c)) {
			return "" // it is made with what it needs, or the file has no such name
		}
		return c + "()"
	}
	if !slices.Contains(settings, strings.TrimLeft(p.Name, "_")) {
		return ""
	}
	var found []string
	for name, c := range f.classes {
		if settingsClass.MatchString(name) && plain(c) {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0] + "()"
}

// imports reports whether an import of the file binds a name, or the first of several names with dots.
func (f *File) imports(name string) bool {
	name, _, _ = strings.Cut(name, ".")
	found := false
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if a, ok := n.(*ast.Alias); ok {
			first, _, _ := strings.Cut(a.Name.Name, ".")
			found = found || a.AsName.Name == name || a.AsName.Name == "" && first == name || a.Name.Name == "*"
		}
		return !found
	})
	return found
}

// settingsHaving is an instance of the one class of the file whose body gives values to all of the attributes and that can be made
// without arguments.
func (f *File) settingsHaving(attrs []string) string {
	found := ""
	for name, c := range f.classes {
		has := map[string]bool{}
		for _, s := range c.Body {
			switch s := s.(type) {
			case *ast.AnnAssign:
				has[lastName(s.Target)] = true
			case *ast.Assign:
				has[lastName(s.Targets[0])] = true
			}
		}
		if len(attrs) == 0 || !plain(c) || slices.ContainsFunc(attrs, func(a string) bool { return !has[a] }) {
			continue
		}
		if found != "" {
			return ""
		}
		found = name + "()"
	}
	return found
}

// plain reports whether a class can be made without arguments, as far as its text tells.
func plain(c *ast.ClassDef) bool {
	if fn := method(c, "__init__"); fn != nil {
		return len(requiredOf(fn.Params, 1)) == 0
	}
	if len(c.Bases) > 0 && slices.ContainsFunc(c.Body, isField) { // a base may make a constructor of the fields
		return false
	}
	for _, d := range c.Decorators {
		if call, ok := d.(*ast.Call); ok && lastName(call.Func) == "dataclass" || lastName(d) == "dataclass" {
			return !slices.ContainsFunc(c.Body, isField)
		}
	}
	return true
}

// isField reports whether a statement of a class annotates a field that has no default.
func isField(s ast.Stmt) bool {
	a, ok := s.(*ast.AnnAssign)
	return ok && a.Value == nil
}

// called is the literal, or the value of a constant, that calls of a class in the file give to a parameter most often.
func (f *File) called(class, param string) string {
	c := f.classes[class]
	if c == nil {
		return ""
	}
	at := -1
	if init := method(c, "__init__"); init != nil {
		for i, x := range slices.Concat(init.Params.PosOnly, init.Params.Args) {
			if x.Name == param {
				at = i - 1
			}
		}
	}
	count := map[string]int{}
	best := ""
	for _, call := range f.calls[class] {
		text := ""
		if at >= 0 && at < len(call.Args) && !slices.ContainsFunc(call.Args[:at+1], starred) {
			text = f.calledWith(call, call.Args[at])
		}
		for _, k := range call.Keywords {
			if k.Name.Name == param {
				text = f.calledWith(call, k.Value)
			}
		}
		if text != "" {
			if count[text]++; count[text] > count[best] {
				best = text
			}
		}
	}
	return best
}

func starred(e ast.Expr) bool { _, ok := e.(*ast.Starred); return ok }

// literal is the text of an expression that means the same everywhere; empty for others.
func (f *File) literal(e ast.Expr) string { return f.fixedText(e, false) }

// fixedText is the text of an expression that is a literal, or where wide is true one of classes of torch, too, or a list of as many equal
// elements as a range has; empty for others.
func (f *File) fixedText(e ast.Expr, wide bool) string {
	ok := true
	bound := map[string]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Constant, *ast.List, *ast.Tuple, *ast.UnaryOp, *ast.BinOp, *ast.Dict:
		case *ast.ListComp:
			ok = wide
			for _, g := range n.Generators {
				ok = ok && f.isRange(g)
				bound[lastName(g.Target)] = true
			}
		case *ast.Call: // of a comprehension, that is a range
			_, inList := e.(*ast.ListComp)
			ok = inList && lastName(n.Func) == "range"
		case *ast.Name:
			ok = bound[n.ID] || n.ID == "range"
		case *ast.Attribute:
			ok = wide && ofTorch.MatchString(f.Source.Slice(n.Span())) && f.imports(f.Source.Slice(n.Span()))
			return false
		default:
			ok = false
		}
		return ok
	})
	if !ok {
		return ""
	}
	text := f.Source.Slice(e.Span())
	if strings.Contains(text, "\n") && strings.ContainsAny(text, "#\"'") {
		return "" // a comment ends with its line, and a string may have spaces
	}
	return strings.Join(strings.Fields(text), " ")
}

// ofTorch is a name of torch, as files import it.
var ofTorch = lazyregexp.New(`^(torch\.)?nn\.(\w+\.)*[A-Z]\w*$`)

// isRange reports whether a comprehension goes over a range of literal bounds, whole.
func (f *File) isRange(g *ast.Comprehension) bool {
	call, ok := g.Iter.(*ast.Call)
	return ok && len(g.Ifs) == 0 && lastName(call.Func) == "range" && len(call.Keywords) == 0 &&
		!slices.ContainsFunc(call.Args, func(e ast.Expr) bool { _, number := e.(*ast.Constant); return !number })
}

// LeavesEmpty reports whether the constructor of a class has a parameter that is an empty list, tuple or dict
// where it is not given: callers are meant to give one.
func (f *File) LeavesEmpty(class string) bool {
	return f.leaves(class, func(e ast.Expr) bool {
		switch x := e.(type) {
		case *ast.Tuple:
			return len(x.Elts) == 0
		case *ast.List:
			return len(x.Elts) == 0
		case *ast.Dict:
			return len(x.Keys) == 0
		}
		return false
	})
}

// LeavesNegative reports whether the constructor of a class has a parameter that is, or has, a negative number where
// it is not given: -1 may stand for none.
func (f *File) LeavesNegative(class string) bool {
	return f.leaves(class, func(e ast.Expr) bool {
		found := false
		ast.Inspect(e, func(n ast.Node) bool {
			x, ok := n.(*ast.UnaryOp)
			found = found || ok && strings.HasPrefix(f.Source.Slice(x.Span()), "-")
			return !found
		})
		return found
	})
}

// TakesMore reports whether the constructor of a class takes further positional arguments (*args) and does more with them than to hand them all on
// to another one: callers are meant to give some.
func (f *File) TakesMore(class string) bool {
	list, _ := f.ancestry(class)
	for _, c := range list {
		init := method(c, "__init__")
		if init == nil {
			continue
		}
		rest := init.Params.VarArg
		if rest == nil {
			return false
		}
		uses, handed := 0, 0
		for _, s := range init.Body {
			ast.Inspect(s, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Name:
					if n.ID == rest.Name {
						uses++
					}
				case *ast.Call:
					if lastName(n.Func) != "__init__" {
						break
					}
					for _, a := range n.Args {
						if x, ok := a.(*ast.Starred); ok && lastName(x.Value) == rest.Name {
							handed++
						}
					}
				}
				return true
			})
		}
		if uses > handed {
			return true
		}
		if handed == 0 {
			return false
		}
	}
	return false
}

// takesArguments reports whether the constructor of a class takes arguments, as far as its file tells.
func (f *File) takesArguments(class string) bool {
	list, whole := f.ancestry(class)
	for _, c := range list {
		if init := method(c, "__init__"); init != nil {
			p := init.Params
			return len(p.PosOnly)+len(p.Args)+len(p.KwOnly) > 1 || p.VarArg != nil || p.KwArg != nil
		}
	}
	return !whole
}

// IsGivenModules reports whether a class is one of torch's containers of modules, and its constructor puts none into it: who makes one adds
// them.
func (f *File) IsGivenModules(class string) bool {
	list, _ := f.ancestry(class)
	container := false
	for _, c := range list {
		container = container || slices.ContainsFunc(c.Bases, func(e ast.Expr) bool { return slices.Contains(containers, lastName(e)) })
		init := method(c, "__init__")
		if init == nil {
			continue
		}
		fills := false
		ast.Inspect(init, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Call:
				name := lastName(n.Func)
				fills = fills || slices.Contains(adders, name) || name == "__init__" && len(n.Args)+len(n.Keywords) > 0
			case *ast.AugAssign:
				fills = fills || lastName(n.Target) == "self"
			}
			return !fills
		})
		if fills {
			return false
		}
	}
	return container
}

var (
	containers = []string{"Sequential", "ModuleList", "ModuleDict"}
	adders     = []string{"add_module", "register_module", "append", "extend", "insert", "update", "setattr", "__setitem__"}
)

// ancestry is a class of the file with its bases there, each once, a class before its bases. Whole is false where a base of another
// file, but for those of all models, or the class itself is not among them.
func (f *File) ancestry(class string) (list []*ast.ClassDef, whole bool) {
	whole = true
	names := []string{class}
	for i := 0; i < len(names); i++ {
		c := f.classes[names[i]]
		if c == nil {
			whole = whole && slices.Contains(bare, names[i])
			continue
		}
		list = append(list, c)
		for _, b := range c.Bases {
			if name := lastName(b); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return list, whole
}

// leaves reports whether a default of the constructor of a class is one that is accepts.
func (f *File) leaves(class string, is func(ast.Expr) bool) bool {
	c := f.classes[class]
	if c == nil {
		return false
	}
	init := method(c, "__init__")
	return init != nil && slices.ContainsFunc(slices.Concat(init.Params.PosOnly, init.Params.Args, init.Params.KwOnly),
		func(p *ast.Param) bool {
			return p.Default != nil && is(p.Default)
		})
}
