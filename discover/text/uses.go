package text

// This file reads what a class does with a parameter of its constructor. Nothing is run for it: it
// looks at the tree for calls, indices, attributes and arithmetic with the parameter, or with the
// attribute that keeps it. What it finds chooses a value to construct the class with. All rules are
// guesses, which the trial of the class confirms or refutes.

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"shapecheck/internal/lazyregexp"
	"shapecheck/parser/ast"
)

// A use is what a text does with a value. It is of a parameter and of all that the class does with
// the attribute of it.
type use struct {
	called   bool     // as a function, with the instance made
	makes    bool     // as a function in the constructor
	sequence bool     // its elements are asked for
	length   int      // as many elements at least
	modules  bool     // it is a list of modules
	inputs   int      // arguments of its calls
	byName   bool     // it is called with keywords alone
	results  int      // to how many values its calls are unpacked; 0: it is one
	checked  bool     // its type is asked for, or it is bound anew: it may be of several kinds
	computed bool     // it is a number
	branches bool     // it is a condition
	names    []string // of the parameters to which calls hand it on
	fields   []string // its attributes
	keys     []string // the texts by which it is indexed
}

// useOf reads the uses of a parameter in a function, and of the attribute that keeps it in all of the class, which
// may be nil. scope is the constructor.
func (f *File) useOf(scope ast.Node, c *ast.ClassDef, param string) *use {
	u := &use{}
	kept := ""
	// is says whether an expression is the value.
	is := func(e ast.Expr) bool {
		x, ok := e.(*ast.Name)
		return ok && x.ID == param
	}
	u.read(f, scope, is, true, func(name string) { kept = name })
	if kept == "" && c != nil && !assigns(c, param) { // by a call that keeps all of them: set_attributes(self, locals())
		kept = param
	}
	// The attribute self.kept is followed in all methods.
	if kept != "" && c != nil {
		own := func(e ast.Expr) bool {
			a, ok := e.(*ast.Attribute)
			return ok && a.Attr.Name == kept && lastName(a.Value) == "self"
		}
		for _, s := range c.Body {
			if fn, ok := s.(*ast.FunctionDef); ok {
				u.read(f, fn, own, fn.Name.Name == "__init__", func(string) {})
			}
		}
	}
	return u
}

// assigns reports whether a class gives its instances an attribute. Assignments to several targets
// count.
func assigns(c *ast.ClassDef, attr string) bool {
	found := false
	ast.Inspect(c, func(n ast.Node) bool {
		s, ok := n.(*ast.Assign)
		if !ok {
			return !found
		}
		for _, t := range s.Targets {
			list := []ast.Expr{t}
			if several, ok := t.(*ast.Tuple); ok {
				list = several.Elts
			}
			for _, e := range list {
				a, ok := e.(*ast.Attribute)
				found = found || ok && a.Attr.Name == attr && lastName(a.Value) == "self"
			}
		}
		return !found
	})
	return found
}

// read adds what one function does with the expressions that is accepts. kept is called with the
// attribute that keeps the value. constructor says that fn makes the instance.
func (u *use) read(f *File, fn ast.Node, is func(ast.Expr) bool, constructor bool, kept func(string)) {
	// most notes that it is a sequence of at least n elements.
	most := func(n int) { u.sequence, u.length = true, max(u.length, n) }
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Assign:
			// The result of calling it is unpacked.
			if call, ok := n.Value.(*ast.Call); ok && len(n.Targets) == 1 && is(call.Func) {
				if t, ok := n.Targets[0].(*ast.Tuple); ok {
					u.results = len(t.Elts)
				}
			}
			// self.x = value.
			keep := func(target, v ast.Expr) {
				if a, ok := target.(*ast.Attribute); ok && is(v) && lastName(a.Value) == "self" {
					kept(a.Attr.Name)
				}
			}
			if len(n.Targets) == 1 {
				keep(n.Targets[0], n.Value)
				t, several := n.Targets[0].(*ast.Tuple)
				v, parts := n.Value.(*ast.Tuple)
				switch {
				// Parallel assignments keep each part.
				case several && parts && len(t.Elts) == len(v.Elts):
					for i := range t.Elts {
						keep(t.Elts[i], v.Elts[i])
					}
				case several && is(n.Value):
					most(len(t.Elts))
				}
			}
			// It is bound anew.
			u.checked = u.checked || slices.ContainsFunc(n.Targets, is)
		case *ast.Call:
			// name is the last part of what is called.
			name := lastName(n.Func)
			first := len(n.Args) > 0 && is(n.Args[0])
			switch {
			case is(n.Func):
				u.called, u.makes = u.called || !constructor, u.makes || constructor
				u.inputs = max(u.inputs, len(n.Args)+len(n.Keywords))
				u.byName = u.byName || !constructor && len(n.Args) == 0 && len(n.Keywords) > 0
			// A list of modules.
			case first && (name == "ModuleList" || name == "extend"):
				u.modules = true
			// Its type is asked for.
			case first && (name == "isinstance" || name == "callable" || strings.HasPrefix(name, "to_") || strings.HasSuffix(name, "tuple")):
				u.checked = true
			// It has elements.
			case first && slices.Contains([]string{"len", "enumerate", "sum", "reversed", "prod"}, name), name == "zip" &&
				slices.ContainsFunc(n.Args, is):
				most(0)
			// range(n) counts layers.
			case name == "range" && slices.ContainsFunc(n.Args, is):
				u.names = append(u.names, countName)
			default:
				u.handed(f, n, is)
			}
			for _, a := range n.Args {
				if s, ok := a.(*ast.Starred); ok && is(s.Value) {
					most(0)
				}
			}
		case *ast.For:
			if is(n.Iter) {
				most(0)
			}
		case *ast.ListComp:
			u.iterated(n.Generators, is)
		case *ast.GeneratorExp:
			u.iterated(n.Generators, is)
		case *ast.Subscript:
			if !is(n.Value) {
				break
			}
			// A text as index is a key, a number an element.
			switch k := n.Index.(type) {
			case *ast.Constant:
				switch k.Kind {
				case ast.StrConst:
					u.keys = add(u.keys, k.Str)
				case ast.IntConst:
					most(min(int(k.Int)+1, maxElements))
				}
			default:
				most(0)
			}
		// Its own attributes.
		case *ast.Attribute:
			if is(n.Value) {
				u.fields = add(u.fields, n.Attr.Name)
			}
		case *ast.BinOp:
			u.computed = u.computed || is(n.Left) || is(n.Right)
		case *ast.If:
			u.branches = u.branches || is(n.Test)
		case *ast.IfExp:
			u.branches = u.branches || is(n.Test)
		}
		return true
	})
}

// countName is a name of what counts things. A small number is the value of such a parameter.
const countName = "num_layers"

// maxElements bounds a sequence that is made up. More layers than that would only take time.
const maxElements = 8

// add appends a text once.
func add(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// iterated notes that comprehensions go over the value.
func (u *use) iterated(list []*ast.Comprehension, is func(ast.Expr) bool) {
	for _, g := range list {
		u.sequence = u.sequence || is(g.Iter)
	}
}

// layerParams are the parameters of layers by position. They say by name what a number is for.
var layerParams = map[string][]string{
	"Linear": {"in_features", "out_features", "bias"}, "Embedding": {"num_embeddings", "embedding_dim"}, "Dropout": {"dropout"},
	"LayerNorm": {"dim"},
	"Conv1d":    {"in_channels", "out_channels", "kernel_size", "stride", "padding"},
	"Conv2d":    {"in_channels", "out_channels", "kernel_size", "stride", "padding"},
	"Conv3d":    {"in_channels", "out_channels", "kernel_size", "stride", "padding"}, "BatchNorm1d": {"num_features"},
	"BatchNorm2d": {"num_features"}, "BatchNorm3d": {"num_features"},
	"LSTM": {"input_size", "hidden_size", "num_layers"}, "GRU": {"input_size", "hidden_size", "num_layers"},
	"MultiheadAttention": {"embed_dim", "num_heads"},
	"GroupNorm":          {"num_groups", "num_channels"}, "PReLU": {"channels"}, "InstanceNorm2d": {"num_features"},
}

// handed notes the names of the parameters that a call gives the value to: those of a layer, or of
// a class of the file. A parameter of the constructor is counted without self.
func (u *use) handed(f *File, call *ast.Call, is func(ast.Expr) bool) {
	for _, k := range call.Keywords {
		if is(k.Value) && k.Name.Name != "" {
			u.names = append(u.names, k.Name.Name)
		}
	}
	for i, a := range call.Args {
		if !is(a) {
			continue
		}
		name := lastName(call.Func)
		if c := f.classes[name]; c != nil {
			if init := method(c, "__init__"); init != nil {
				if list := slices.Concat(init.Params.PosOnly, init.Params.Args); i+1 < len(list) {
					u.names = append(u.names, list[i+1].Name)
				}
			}
		} else if list := layerParams[name]; i < len(list) {
			u.names = append(u.names, list[i])
		}
	}
}

// several is a list of a value, as long as a use asks for. It is a list of two where no length is
// known.
func (u *use) several(v string) string {
	n := u.length
	if n == 0 {
		n = 2
	}
	return "[" + strings.Join(apartTexts(slices.Repeat([]string{v}, n)), ", ") + "]"
}

// plainNumber reports whether a value is a number. Signs other than minus are none of the texts
// made here.
func plainNumber(v string) bool { return v != "" && strings.Trim(v, "0123456789.e-") == "" }

// valueUsed is a value for a parameter by what is done with it; usual is what its name tells, which
// may be empty. It gives the text of a value, empty if nothing is known. The order of the rules is
// that of how sure they are.
func (u *use) valueUsed(usual string) string {
	// The names under which it is handed on may tell more.
	if usual == "" {
		for _, n := range u.names {
			if usual = valueOf(n, ""); usual != "" {
				break
			}
		}
	}
	// An activation that is never called is a number of actions.
	if strings.HasPrefix(usual, "torch.nn.") && !u.called && !u.makes { // act of policies: how many actions there are
		i := slices.IndexFunc(u.names, func(n string) bool { return plainNumber(valueOf(n, "")) })
		switch {
		case i >= 0:
			usual = valueOf(u.names[i], "")
		case u.computed:
			usual = "8"
		}
	}
	other := func(n string) bool { return n != countName }
	// A large number that only counts layers is reduced.
	if n, err := strconv.Atoi(usual); err == nil && n > maxElements && len(u.names) > 0 && !slices.ContainsFunc(u.names, other) {
		usual = valueOf(countName, "") // of layers, which are made one by one
	}
	switch {
	case u.modules && (usual == "" || plainNumber(usual)):
		return u.several("torch.nn.Identity()")
	case u.sequence && !u.checked && plainNumber(usual):
		// A list of the usual number.
		return u.several(usual)
	case u.called && (usual == "torch.nn.Identity()" || usual == "" || plainNumber(usual)):
		return u.standIn()
	case u.makes && plainNumber(usual):
		return "torch.nn.Identity"
	case usual != "":
		return usual
	case u.sequence:
		return u.several("8")
	case u.makes:
		return "torch.nn.Identity"
	case u.computed:
		return "8"
	case u.branches:
		return "False"
	}
	return ""
}

// Attributes that texts, lists and dicts have and hardly anything else, and those of layers, with layers that have them.
var (
	ofTexts = []string{"split", "strip", "lower", "upper", "startswith", "endswith", "replace", "format", "join", "isdigit", "rsplit",
		"lstrip", "rstrip"}
	ofLists   = []string{"append", "index", "extend", "insert", "reverse", "sort", "copy", "count"}
	ofConvs   = []string{"in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation", "weight", "bias"}
	ofLinears = []string{"in_features", "out_features", "weight", "bias"}
)

// builtin is a text, list or dict where only methods of such are called; empty otherwise. An object
// that is called is none of these.
func (u *use) builtin() string {
	all := func(of []string) bool {
		return len(u.fields) > 0 && !slices.ContainsFunc(u.fields, func(a string) bool { return !slices.Contains(of, a) })
	}
	switch {
	case u.called || u.makes:
	case all(ofTexts):
		return "'a'"
	case all(ofLists):
		return u.several("8")
	case all(methodsOfDicts) && len(u.keys) == 0:
		return "{}"
	}
	return ""
}

// layerHaving is a layer that has the attributes that are taken of a parameter: a convolution, of as many dimensions as
// the class speaks for, or a Linear; empty where none has them. class is the one whose constructor
// has the parameter.
func (f *File) layerHaving(class string, u *use) string {
	// Attributes of all modules do not tell.
	own := slices.DeleteFunc(slices.Clone(u.fields), func(a string) bool { return slices.Contains(ofModules, a) })
	has := func(of []string) bool {
		return !slices.ContainsFunc(own, func(a string) bool { return !slices.Contains(of, a) })
	}
	switch {
	case len(own) == 0:
	case has(ofLinears):
		return "torch.nn.Linear(64, 64)"
	case has(ofConvs):
		switch f.FormOf(class) {
		case Signal, Sequence:
			return "torch.nn.Conv1d(64, 64, 1)"
		case Volume:
			return "torch.nn.Conv3d(64, 64, 1)"
		}
		return "torch.nn.Conv2d(64, 64, 1)"
	}
	return ""
}

// ofModules are attributes of all modules. They are left out when a layer is chosen.
var ofModules = []string{"parameters", "named_parameters", "modules", "named_modules", "children", "named_children", "state_dict",
	"load_state_dict", "train", "eval", "to",
	"training", "apply", "buffers", "named_buffers", "requires_grad_", "forward", "__class__", "register_forward_hook", "cuda", "cpu",
	"float", "half", "zero_grad"}

// AnyModule is an expression for a module that gives back its first input, whatever it is given
// beside it. It is for parameters that hold any module of the program.
const AnyModule = "type('AnyModule', (torch.nn.Module,), {'forward': lambda self, x, *others, **named: x})()"

// standIn is a module, or where it is called with more than one argument or gives more than one value a function,
// that gives back its first argument. The text is a lambda where Identity would not do.
func (u *use) standIn() string {
	const first = "lambda x, *others, **named: "
	switch {
	case u.byName && len(u.fields) == 0:
		return "lambda *given, **named: [*given, *named.values()][0]"
	case u.results > 1 && u.results <= maxElements && len(u.fields) == 0:
		return first + "(x" + strings.Repeat(", None", u.results-1) + ")"
	case u.inputs > 1 && len(u.fields) == 0:
		return first + "x"
	}
	return "torch.nn.Identity()"
}

// namespace is the text of an object with the attributes, or of a dict with the keys, that a class and those to
// which it may hand the object take from it; empty where it takes none. A dict is made where only
// keys are asked for, else a namespace.
func (f *File) namespace(param string, u *use) string {
	fields, keys := slices.Clone(u.fields), slices.Clone(u.keys)
	// All classes of the file, as settings are handed on.
	ast.Inspect(f.tree, func(n ast.Node) bool { // other classes are given the same object
		switch n := n.(type) {
		case *ast.Attribute:
			if lastName(n.Value) == param {
				fields = add(fields, n.Attr.Name)
			}
		case *ast.Subscript:
			if k, ok := n.Index.(*ast.Constant); ok && k.Kind == ast.StrConst && lastName(n.Value) == param {
				keys = add(keys, k.Str)
			}
		}
		return true
	})
	fields = slices.DeleteFunc(fields, func(s string) bool { return slices.Contains(methodsOfDicts, s) })
	// Very many fields are no settings.
	if len(fields)+len(keys) == 0 || len(fields)+len(keys) > maxFields {
		return ""
	}
	var parts []string
	if len(fields) > 0 {
		for _, name := range fields {
			parts = append(parts, name+"="+f.field(param, name))
		}
		return "types.SimpleNamespace(" + strings.Join(parts, ", ") + ")"
	}
	for _, name := range keys {
		parts = append(parts, fmt.Sprintf("%q: %s", name, f.field(param, name)))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// maxFields bounds the fields of an object that is made up for a parameter.
const maxFields = 64

// They are no fields of settings.
var methodsOfDicts = []string{"get", "items", "keys", "values", "update", "pop", "copy", "setdefault", "to_dict", "__dict__"}

// field is a value for one attribute of an object of settings. Its value is chosen by the same
// rules, with 8 as the last resort.
func (f *File) field(param, name string) string {
	u := &use{}
	u.read(f, f.tree, func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Attribute:
			return e.Attr.Name == name && lastName(e.Value) == param
		case *ast.Subscript:
			k, ok := e.Index.(*ast.Constant)
			return ok && k.Kind == ast.StrConst && k.Str == name && lastName(e.Value) == param
		}
		return false
	}, true, func(string) {})
	if len(u.fields) > 0 {
		var parts []string
		for _, n := range u.fields {
			if !strings.HasPrefix(n, "__") { // which every object has
				parts = append(parts, n+"="+orDefault(valueOf(n, ""), "8"))
			}
		}
		return "types.SimpleNamespace(" + strings.Join(parts, ", ") + ")"
	}
	// A value that the file compares it with is likely to be a valid one.
	if text := f.Compared(name); text != "" {
		return text
	}
	if IsFlag(name) {
		return "False"
	}
	return orDefault(u.valueUsed(valueOf(name, "")), "8")
}

// IsFlag reports whether a name is that of a switch. Such parameters are False.
func IsFlag(name string) bool {
	name = strings.ToLower(strings.TrimLeft(name, "_"))
	for _, p := range []string{"use_", "is_", "with_", "do_", "has_", "enable_", "no_", "add_", "tie_"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// orDefault is other where v is empty.
func orDefault(v, other string) string {
	if v == "" {
		return other
	}
	return v
}

// ClassHaving is the first class of a text whose own lines give its instances, or define, all of the attributes;
// empty where there is none. It works on texts, since the files are not parsed for it.
func ClassHaving(text string, attrs []string) string {
	for name, body := range classTexts(text) {
		if !slices.ContainsFunc(attrs, func(a string) bool {
			return !strings.Contains(body, "self."+a+" = ") && !strings.Contains(body, "def "+a+"(")
		}) {
			return name
		}
	}
	return ""
}

// Calls gives the places in a text where a name is called, alone or as that of a module: the byte at which it begins and that after the
// parenthesis. Most texts do not have the name, and an expression for it takes a hundred times as
// long. The name must be a whole word and no method of an object.
func Calls(text, name string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for end := 0; ; {
			at := strings.Index(text[end:], name+"(")
			if at < 0 {
				return
			}
			start := end + at
			end = start + len(name) + 1
			if before := strings.TrimRightFunc(text[:start], isWordRune); len(before) < start {
				continue // it ends a longer name
			} else if module, ok := strings.CutSuffix(before, "."); ok {
				if start = len(strings.TrimRightFunc(module, isWordRune)); start == len(module) || strings.HasSuffix(text[:start], ".") {
					continue // it is a method of something else
				}
			}
			if !yield(start, end) {
				return
			}
		}
	}
}

// isWordRune reports whether a character may be in a name.
func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// maxArguments bounds the text of arguments that are taken from another file.
const maxArguments = 300

// LiteralArguments are the arguments of a call, from the text after its parenthesis, on one line; empty where there are none, or
// one is more than numbers, texts and collections of them. Arguments with names or calls in them
// could not be evaluated elsewhere.
func LiteralArguments(text string) string {
	// The end of the arguments is found by counting brackets; texts are passed over.
	depth, end := 1, -1
	for i := 0; i < len(text) && i < maxArguments && end < 0; i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				end = i
			}
		case '\'', '"':
			n := strings.IndexByte(text[i+1:], c)
			if n < 0 {
				return ""
			}
			i += n + 1
		// Comments and comparisons are none of literals.
		case '#', '\\', '=':
			if c != '=' || i+1 < len(text) && text[i+1] == '=' {
				return ""
			}
		}
	}
	if end < 0 {
		return ""
	}
	args := strings.TrimSuffix(strings.Join(strings.Fields(text[:end]), " "), ",")
	// Texts count as 0 in the search for names.
	bare := quotedText.ReplaceAllString(args, "0")
	if strings.ContainsAny(bare, "'\"<>%@&|~^!?;`$*") || strings.Contains(bare, "for ") {
		return ""
	}
	for _, m := range wordBefore.FindAllStringSubmatch(bare, -1) {
		if m[2] == "" && m[1] != "True" && m[1] != "False" && m[1] != "None" {
			return ""
		}
	}
	return args
}

var (
	quotedText = lazyregexp.New(`'[^'\n]*'|"[^"\n]*"`)
	wordBefore = lazyregexp.New(`\b([A-Za-z_]\w*)\b *(=?)`)
)

// A head with bases in one line.
var classHead = lazyregexp.New(`(?m)^class +(\w+)\(([^)]*)\)`)

// ClassText is the text of a class of a file's first level; empty where there is none.
func ClassText(text, class string) string {
	_, after, ok := strings.Cut("\n"+text, "\nclass "+class)
	if !ok || after == "" || isWordRune(rune(after[0])) {
		return ""
	}
	for i := range after {
		if after[i] == '\n' && i+1 < len(after) && (isWordRune(rune(after[i+1])) || after[i+1] == '@') {
			return after[:i]
		}
	}
	return after
}

// Deriving are the classes of a text that have another among their bases. Brackets of generic bases
// are dropped.
func Deriving(text, base string) []string {
	if base == "" || !strings.Contains(text, base) { // most texts: the expression takes a hundred times as long
		return nil
	}
	var out []string
	for _, m := range classHead.FindAllStringSubmatch(text, -1) {
		for _, b := range strings.Split(m[2], ",") {
			b, _, _ = strings.Cut(strings.TrimSpace(b), "[")
			if b[strings.LastIndexByte(b, '.')+1:] == base {
				out = append(out, m[1])
			}
		}
	}
	return out
}

// Assigns reports whether a class of the file, or a base of it there, sets an attribute of its instances in one of its methods. Where
// that has not run the attribute is not there yet. list are the classes of the file that it derives
// from, and itself.
func (f *File) Assigns(class, attr string) bool {
	list, _ := f.ancestry(class)
	return slices.ContainsFunc(list, func(c *ast.ClassDef) bool { return assigns(c, attr) })
}

// BeginsConstant reports whether a class of the file, or a base of it there, sets an attribute of its instances to a constant: where others
// set it as well, this one only stands for what they give.
func (f *File) BeginsConstant(class, attr string) bool {
	list, _ := f.ancestry(class)
	return slices.ContainsFunc(list, func(c *ast.ClassDef) bool {
		found := false
		note := func(to, v ast.Expr) {
			a, ok := to.(*ast.Attribute)
			if ok && a.Attr.Name == attr && lastName(a.Value) == "self" {
				_, constant := v.(*ast.Constant)
				found = found || constant
			}
		}
		ast.Inspect(c, func(n ast.Node) bool {
			switch s := n.(type) {
			case *ast.AnnAssign:
				note(s.Target, s.Value)
			case *ast.Assign:
				for _, t := range s.Targets {
					note(t, s.Value)
					to, _ := t.(*ast.Tuple)
					of, _ := s.Value.(*ast.Tuple)
					if to != nil && of != nil && len(to.Elts) == len(of.Elts) {
						for i := range to.Elts {
							note(to.Elts[i], of.Elts[i])
						}
					}
				}
			}
			return !found
		})
		return found
	})
}

// SetsAttribute reports whether a text sets an attribute of a name on something else than self.
// setattr with the name counts as well.
func SetsAttribute(text, attr string) bool {
	if !strings.Contains(text, attr) {
		return false
	}
	name := regexp.QuoteMeta(attr)
	set, err := regexp.Compile(`(\w*)[\])]*\.` + name + `\s*(?:=[^=]|:[^=]*=[^=])|setattr\([^,()]*,\s*["']` + name + `["']`)
	if err != nil {
		return false
	}
	for end := 0; ; { // around the places of the name: most texts have few
		at := strings.Index(text[end:], attr)
		if at < 0 {
			return false
		}
		at += end
		start := strings.LastIndexByte(text[:at], '\n') + 1
		if end = at + len(attr); slices.ContainsFunc(set.FindAllStringSubmatch(text[start:min(end+maxAnnotated, len(text))], -1),
			func(m []string) bool { return m[1] != "self" }) {
			return true
		}
	}
}

// maxAnnotated bounds the text between an attribute and the sign of its assignment.
const maxAnnotated = 200

// commented is a comment.
var commented = lazyregexp.New(`(?m)#.*$`)

// Binds reports whether a text may bind a name somewhere. Assignments, loops, imports and
// definitions bind names; comments are left out.
func Binds(text, name string) bool {
	q := regexp.QuoteMeta(name)
	bound, err := regexp.Compile(`(?m)\b` + q + `\b[^=\n(]*=[^=]|\bfor\b[^:\n]*\b` + q + `\b[^:\n]*\bin\b|` +
		`\b(?:as|def|class|import|global|nonlocal)\s[^\n]*\b` + q + `\b`)
	return err == nil && bound.MatchString(commented.ReplaceAllString(text, ""))
}
