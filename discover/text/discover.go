// Package text finds by a file's text alone what in it may be checked, and with which
// arguments: entries that comments name, model classes, functions that make models, annotated
// functions. It runs nothing; whoever tries what it proposes is check.Discover.
//
//	discover.go   Read: the models, makers and functions of a file; methods.go: what else computes; made.go: whether it is a program;
//	              traces.go: one that is traced
//	construct.go  arguments of constructors; constants.go: the values of constants; names.go, parameters.txt: usual values by the names of
//	              parameters; uses.go: by what is done with them; spaces.go: spaces, and their observations
//	inputs.go     arguments of forward: forms; parts.go: of what they are made;
//	              shapes.go shapecomments.go: what the text says of their ranks; examples.go: docstrings
//	classes.go    classes by what their instances hold
//	index.go      names through the imports of a project
//	surroundings.go what the files around one say of its names; given.go: what calls give to a parameter
//	walk.go       the Python files that paths name; gitignore.go: those that are left out
package text

// This file reads the models of a file.

import (
	"slices"
	"strings"

	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/project/comments"
)

// A File is what the text of a file tells.
type File struct {
	Source *source.File
	// Comments are those that speak to shapecheck: entries, and faults.
	Comments comments.List
	// Models are the model classes that may be entries, those first that no other class uses.
	Models []*Model
	// Abstract are classes that leave their forward to others.
	Abstract []string
	// Functions are functions whose annotations tell shapes.
	Functions []string
	// Main says that the file is also a program: it has a block for __name__ == "__main__",
	// or calls of its own or computes with what it made at the top level or in loops there, imports a framework, and is no module of a package
	// and asks for no arguments.
	Main bool
	// Unreadable says that the file has syntax errors, and imports a framework or has something to check.
	Unreadable bool

	tree    *ast.Module
	around  *Surroundings
	classes map[string]*ast.ClassDef
	calls   map[string][]*ast.Call // of names, in the order of the text
	// compared are the results of Compared by parameter; nil before the first.
	compared map[string]string
	// bound are the results of scopes; nil before the first.
	bound []scope
}

// A Model is a class with a forward, or one of another file that a registered function makes.
type Model struct {
	Name string
	// Makers are functions without required parameters that return one.
	Makers []string
	// Used says that another class of the file mentions it.
	Used bool
	// Public says that it is for users: a package exports it, a function makes it, or no class of the project does. One whose name begins
	// with an underscore is not.
	Public bool
	// Applied says that it is an autograd.Function, which its apply runs: no model, but what there is in its file.
	Applied bool
	// Lines are those of its forward, from 1; zero where it is inherited.
	First, Last int
}

// Read reads a file by its tree; faulty says that it has errors, which a run tells.
func Read(src *source.File, tree *ast.Module, faulty bool, around *Surroundings) *File {
	f := &File{Source: src, tree: tree, around: around, classes: map[string]*ast.ClassDef{}, calls: map[string][]*ast.Call{}}
	f.Comments = comments.Read(src, tree.Comments)
	imported, framework, relative := map[string]string{}, false, false
	made := makings{}
	var functions []*ast.FunctionDef
	topLevel(tree.Body, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.Import:
			for _, a := range s.Names {
				framework = framework || isFramework(a.Name.Name)
				made.imports(a, a.Name.Name)
			}
		case *ast.ImportFrom:
			framework = framework || s.Level == 0 && isFramework(s.Module.Name)
			for _, a := range s.Names {
				name := a.Name.Name
				if a.AsName.Name != "" {
					name = a.AsName.Name
				}
				imported[name] = strings.Repeat(".", s.Level) + s.Module.Name
				made.imports(a, s.Module.Name)
			}
		case *ast.ClassDef:
			f.classes[s.Name.Name] = s
			made[s.Name.Name] = ownClass
		case *ast.FunctionDef:
			functions = append(functions, s)
			made[s.Name.Name] = ownFunction
		case *ast.If:
			f.Main = f.Main || asksForMain(s.Test)
		case *ast.ExprStmt:
			f.Main = f.Main || calls(s) || made.used(s)
		case *ast.For:
			f.Main = f.Main || calls(s.Body...) || made.used(s)
		case *ast.While:
			f.Main = f.Main || calls(s.Body...) || made.used(s)
		case *ast.With:
			f.Main = f.Main || calls(s.Body...) || made.used(s)
		case *ast.Assign:
			f.Main = f.Main || made.used(s)
			made.assigns(s)
		}
	})
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Call:
			f.calls[lastName(n.Func)] = append(f.calls[lastName(n.Func)], n)
		case *ast.ImportFrom: // also one in a function
			relative = relative || n.Level > 0
		}
		return true
	})
	f.Main = (f.Main || src.Notebook != nil) && framework && !relative && !strings.Contains(src.Text(), "sys.argv")
	f.findModels(tree)
	f.Unreadable = faulty && (framework || len(f.Models) > 0)
	f.findMakers(functions, imported)
	for _, m := range f.Models {
		m.Public = !strings.HasPrefix(m.Name, "_") && !m.Applied && (len(m.Makers) > 0 || f.around.exports(m.Name) ||
			!m.Used && !f.around.constructs(m.Name))
	}
	slices.SortStableFunc(f.Models, func(a, b *Model) int { return a.rank() - b.rank() })
	for _, fn := range functions {
		if f.annotated(fn, 0) {
			f.Functions = append(f.Functions, fn.Name.Name)
		}
	}
	return f
}

// topLevel calls f for the statements of a module, also for those in blocks that are run
// when it is imported.
func topLevel(body []ast.Stmt, f func(ast.Stmt)) {
	for _, s := range body {
		f(s)
		switch s := s.(type) {
		case *ast.If:
			if !asksForMain(s.Test) {
				topLevel(s.Body, f)
				topLevel(s.Else, f)
			}
		case *ast.Try:
			topLevel(s.Body, f)
		}
	}
}

// calls reports whether one of the statements, or of those in their loops, is a call.
func calls(list ...ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.ExprStmt:
			_, ok := s.Value.(*ast.Call)
			return ok
		case *ast.For:
			return calls(s.Body...)
		case *ast.While:
			return calls(s.Body...)
		case *ast.With:
			return calls(s.Body...)
		}
		return false
	})
}

// asksForMain reports whether a condition is __name__ == "__main__".
func asksForMain(test ast.Expr) bool {
	found := false
	ast.Inspect(test, func(n ast.Node) bool {
		x, ok := n.(*ast.Name)
		found = found || ok && x.ID == "__name__"
		return !found
	})
	return found
}

func isFramework(module string) bool {
	top, _, _ := strings.Cut(module, ".")
	return slices.Contains([]string{"torch", "chainer", "torchvision", "lightning", "pytorch_lightning", "transformers", "timm",
		"torch_geometric"}, top)
}

// lastName is the name of an expression: X of X, a.X and X[T]; empty for others.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Name:
		return e.ID
	case *ast.Attribute:
		return e.Attr.Name
	case *ast.Subscript:
		return lastName(e.Value)
	}
	return ""
}

// Bases of models that have no forward of their own, and names of bases of what is none.
var (
	bare = []string{"Module", "ModuleList", "ModuleDict", "LightningModule", "Chain", "ChainList", "Link", "ParameterList",
		"ParameterDict"}
	noModels = lazyregexp.New(
		`^(Function|object|ABC|Protocol|Generic|Enum|IntEnum|StrEnum|Flag|NamedTuple|TypedDict|TestCase|.*(Dataset|Loader|Sampler|Optimizer|Scheduler|Exception|Error|Config|Callback|Metric|Weights|WeightsEnum|Mixin|DataModule|Scheduler))$`)
	frameNets = lazyregexp.New(`^torch\.nn(\.|$)|^torchvision\.(models|ops|transforms\.v2)(\.|$)|^timm\.(models|layers)(\.|$)`)
)

// findModels finds the classes that may be models.
func (f *File) findModels(tree *ast.Module) {
	is := map[string]bool{}
	var order []*ast.ClassDef
	topLevel(tree.Body, func(s ast.Stmt) {
		if c, ok := s.(*ast.ClassDef); ok {
			order = append(order, c)
		}
	})
	for range 2 { // a base may stand below in a conditional block
		for _, c := range order {
			is[c.Name.Name] = is[c.Name.Name] || f.isModel(c, is)
		}
	}
	used := f.mentions(order)
	for _, c := range order {
		applied := isFunction(c)
		if !is[c.Name.Name] && !applied {
			continue
		}
		if abstract(c) {
			f.Abstract = append(f.Abstract, c.Name.Name)
			continue
		}
		m := &Model{Name: c.Name.Name, Used: used[c.Name.Name], Applied: applied}
		if fn := forward(c); fn != nil {
			m.First, _ = f.Source.LineCol(fn.Span().Start)
			m.Last, _ = f.Source.LineCol(fn.Span().End)
		}
		f.Models = append(f.Models, m)
	}
}

// isModel reports whether a class is a model; is says which classes of the file were found to be.
func (f *File) isModel(c *ast.ClassDef, is map[string]bool) bool {
	own := definesForward(c)
	for _, b := range c.Bases {
		name := lastName(b)
		if is[name] {
			return true
		}
		if name == "" || noModels.MatchString(name) && !(own && strings.HasSuffix(name, "Metric")) { // those are modules, if they have a forward
			if name == "Function" {
				return false
			}
			continue
		}
		if own {
			return true
		}
		if slices.Contains(bare, name) {
			continue
		}
		if a, ok := b.(*ast.Attribute); ok { // nn.Sequential, nn.Linear
			if owner := lastName(a.Value); owner == "nn" || owner == "L" {
				return true
			}
		}
		if f.around.inherits(b) {
			return true
		}
	}
	return false
}

// mayBeModule reports whether the models that a class makes may be its parts: it has a forward, or a base that can lead to one. A trainer,
// a predictor or a data set makes whole models.
func mayBeModule(c *ast.ClassDef) bool {
	return forward(c) != nil || slices.ContainsFunc(c.Bases, func(b ast.Expr) bool {
		name := lastName(b)
		return name == "Function" || !noModels.MatchString(name)
	})
}

// isFunction reports whether a class is an autograd.Function with a forward.
func isFunction(c *ast.ClassDef) bool {
	return method(c, "forward") != nil && slices.ContainsFunc(c.Bases, func(b ast.Expr) bool { return lastName(b) == "Function" })
}

// forward is the function that a call of a model runs; nil where the class has none.
func forward(c *ast.ClassDef) *ast.FunctionDef {
	if fn := method(c, "forward"); fn != nil {
		return fn
	}
	for _, b := range c.Bases {
		if n := lastName(b); n == "Chain" || n == "ChainList" || n == "Link" || n == "Module" {
			return method(c, "__call__")
		}
	}
	return nil
}

// definesForward reports whether a class says itself what a call of it runs: not that of its base.
func definesForward(c *ast.ClassDef) bool {
	fn := forward(c)
	if fn == nil {
		return false
	}
	body := fn.Body
	if len(body) > 0 {
		if doc, ok := body[0].(*ast.ExprStmt); ok {
			if _, text := doc.Value.(*ast.Constant); text {
				body = body[1:]
			}
		}
	}
	if len(body) != 1 {
		return true
	}
	out, ok := body[0].(*ast.Return)
	if !ok {
		return true
	}
	call, ok := out.Value.(*ast.Call)
	if !ok {
		return true
	}
	of, ok := call.Func.(*ast.Attribute)
	if !ok || of.Attr.Name != fn.Name.Name {
		return true
	}
	base, ok := of.Value.(*ast.Call)
	return !ok || lastName(base.Func) != "super"
}

// method is the method of a name that a class has itself, the last of several: those before are overloads.
func method(c *ast.ClassDef, name string) *ast.FunctionDef {
	for _, s := range slices.Backward(c.Body) {
		if fn, ok := s.(*ast.FunctionDef); ok && fn.Name.Name == name {
			return fn
		}
	}
	return nil
}

// abstract reports whether a class leaves its forward to others.
func abstract(c *ast.ClassDef) bool {
	fn := method(c, "forward")
	return fn != nil && isLeft(fn)
}

// LeavesMethod reports whether a class of the file has a method that classes which derive from it replace: theirs may take other arguments.
func (f *File) LeavesMethod(class, name string) bool {
	c := f.classes[class]
	if c == nil {
		return false
	}
	fn := method(c, name)
	return fn != nil && isLeft(fn)
}

// isLeft reports whether a method does no more than to raise, or nothing.
func isLeft(fn *ast.FunctionDef) bool {
	for _, d := range fn.Decorators {
		if lastName(d) == "abstractmethod" {
			return true
		}
	}
	for _, s := range fn.Body {
		switch s := s.(type) {
		case *ast.Pass:
		case *ast.ExprStmt:
			if _, ok := s.Value.(*ast.Constant); !ok {
				return false
			}
		case *ast.Raise:
			return true
		default:
			return false
		}
	}
	return true
}

// mentions are the classes that other classes mention.
func (f *File) mentions(order []*ast.ClassDef) map[string]bool {
	used := map[string]bool{}
	for _, c := range order {
		if !mayBeModule(c) {
			continue
		}
		ast.Inspect(c, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.Name:
				if x.ID != c.Name.Name {
					used[x.ID] = true
				}
			case *ast.Call: // what initialises all kinds of modules uses none
				if name := lastName(x.Func); name == "isinstance" || name == "issubclass" {
					return false
				}
			}
			return true
		})
	}
	return used
}

// findMakers finds the functions that make models: by their result's annotation, else by
// what they return. Registered ones may make a model of another file.
func (f *File) findMakers(functions []*ast.FunctionDef, imported map[string]string) {
	named := map[string]*ast.FunctionDef{}
	for _, fn := range functions {
		named[fn.Name.Name] = fn
	}
	for _, fn := range functions {
		if strings.HasPrefix(fn.Name.Name, "_") || len(requiredOf(fn.Params, 0)) > 0 {
			continue
		}
		made := f.made(fn, named, 0)
		i := slices.IndexFunc(f.Models, func(m *Model) bool { return m.Name == made })
		if i < 0 && imported[made] != "" && registered(fn) {
			i = len(f.Models)
			f.Models = append(f.Models, &Model{Name: made})
		}
		if i >= 0 {
			f.Models[i].Makers = append(f.Models[i].Makers, fn.Name.Name)
		}
	}
}

// made is the class of which a function makes an instance: what its annotation names, but for the base of all models;
// else what it returns, which may be what another function of the file makes.
func (f *File) made(fn *ast.FunctionDef, named map[string]*ast.FunctionDef, depth int) string {
	if fn.Returns != nil {
		name := strings.Trim(f.Source.Slice(fn.Returns.Span()), `"'`)
		if !slices.Contains(bare, name[strings.LastIndexByte(name, '.')+1:]) {
			return name
		}
	}
	name := f.returned(fn)
	if next := named[name]; next != nil && depth < 4 {
		return f.made(next, named, depth+1)
	}
	return name
}

// registered reports whether a decorator of a function registers it: @register_model.
func registered(fn *ast.FunctionDef) bool {
	return slices.ContainsFunc(fn.Decorators, func(d ast.Expr) bool {
		if c, ok := d.(*ast.Call); ok {
			d = c.Func
		}
		return strings.Contains(lastName(d), "register")
	})
}

// rank orders models: those that functions make, other public ones, losses, parts of others, private ones, autograd.Functions.
func (m *Model) rank() int {
	switch {
	case m.Applied:
		return 5
	case strings.HasPrefix(m.Name, "_"):
		return 4
	case len(m.Makers) > 0:
		return 0
	case !m.Public:
		return 3
	case IsLoss(m.Name):
		return 2
	}
	return 1
}

// returned is the class of which a function returns an instance, by its text: return Net(…),
// or net = Net(…) and return net. One that chooses between several models of the file makes none of them.
func (f *File) returned(fn *ast.FunctionDef) string {
	made, out := map[string]string{}, ""
	several := false
	chosen := func(old, name string) string {
		several = several || old != name && f.has(old) && f.has(name)
		return name
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.Assign:
			if c, ok := s.Value.(*ast.Call); ok && len(s.Targets) == 1 {
				if x, ok := s.Targets[0].(*ast.Name); ok {
					made[x.ID] = chosen(made[x.ID], lastName(c.Func))
				}
			}
		case *ast.Return:
			switch v := s.Value.(type) {
			case *ast.Call:
				out = chosen(out, lastName(v.Func))
			case *ast.Name:
				out = chosen(out, made[v.ID])
			}
		}
		return true
	})
	if several {
		return ""
	}
	return out
}

// has reports whether a class of the file is one of its models.
func (f *File) has(class string) bool {
	return slices.ContainsFunc(f.Models, func(m *Model) bool { return m.Name == class })
}

// requiredOf are the parameters without default; skip leaves out the first.
func requiredOf(p *ast.Params, skip int) []*ast.Param {
	var out []*ast.Param
	for i, x := range slices.Concat(p.PosOnly, p.Args) {
		if i >= skip && x.Default == nil {
			out = append(out, x)
		}
	}
	for _, x := range p.KwOnly {
		if x.Default == nil {
			out = append(out, x)
		}
	}
	return out
}

// shapeful is an annotation that tells the shape of a tensor: a text in brackets after a name,
// as jaxtyping has it.
var shapeful = lazyregexp.New(
	`^[\w.]+\[\s*[\w.]+\s*,\s*["'][^"']*["']\s*\]$|^["'](bool|(f|i|u|bf|float|int|uint|bfloat|c|complex)\d+)\[[^\]]*\]["']$`)

// listsTypes matches what resembles it: in the brackets are types, of which the text names one that is not there yet.
var listsTypes = lazyregexp.New(
	`^(\w+\.)*(?i:Union|Optional|Literal|(Default|Ordered)?Dict|(Mutable)?Mapping|Tuple|List|Set|Callable|Generator|Iterator|Type)\[`)

// annotated reports whether every parameter of a function that needs an argument has an
// annotation, and one at least the shape of a tensor. Skip leaves out the first.
func (f *File) annotated(fn *ast.FunctionDef, skip int) bool {
	shapes := 0
	for _, p := range requiredOf(fn.Params, skip) {
		if p.Annotation == nil {
			return false
		}
		text := f.Source.Slice(p.Annotation.Span())
		switch {
		case shapeful.MatchString(text) && !listsTypes.MatchString(text):
			shapes++
		case !slices.Contains([]string{"int", "float", "bool", "str"}, text):
			return false
		}
	}
	return shapes > 0
}
