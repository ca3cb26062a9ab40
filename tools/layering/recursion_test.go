package layering

// This file finds recursion over Python values. A program can nest values without limit
// and put a list into itself, so that each cycle of calls must pass a function that counts.

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

const valuePackage = "shapecheck/infer/value"

// guards are the methods that count how deep a recursion is, or remember what was visited.
var guards = map[string]bool{
	"(shapecheck/infer/value.Thread).Enter": true,
	"(*shapecheck/infer.Interp).Enter":      true,
	"(*shapecheck/infer.budget).enter":      true,
	"(*shapecheck/infer/value.Visit).Enter": true,
	"(*shapecheck/infer/value.Memo).Of":     true,
	"(*shapecheck/infer.stack).push":        true, // a frame of Python
}

// bounded lists recursions over values that need no guard, by one function of each, with the reason.
var bounded = map[string]string{
	"(*shapecheck/infer/value.walker).walk":               "counts itself: what lies too deep comes last",
	"(*shapecheck/infer.results).operand":                 "goes to maxResultDepth and through maxResultParts",
	"(*shapecheck/infer.annotations).fits":                "is as deep as the annotation",
	"(*shapecheck/infer.annReader).fromValue":             "goes to maxAnnotation",
	"(*shapecheck/infer.opaqueCalls).givesContainers":     "goes to givenDepth",
	"(*shapecheck/infer.imports).watchAttrs":              "goes to a depth, in tables of the preludes",
	"(*shapecheck/infer/fill.Maker).constructed":          "makes no class that it is making",
	"(*shapecheck/trace/retrace.argumentWriter).text":     "goes to maxArgumentDepth and through maxArgumentParts",
	"(shapecheck/infer.pick).in1":                         "goes to the depth to which choices are looked for",
	"shapecheck/infer.listsUnder.func1":                   "has a level for each of maxMaybe conditions",
	"(*shapecheck/present/report.seedWriter).typeOf":      "goes to maxSeedDepth and through maxSeedValues",
	"shapecheck/infer/ops/chainer.Variables":              "takes what a rule made",
	"shapecheck/infer/ops/torch.groups":                   "goes through the sizes of a shape",
	"shapecheck/infer/ops/torch.nest":                     "is as deep as a tensor has dimensions",
	"shapecheck/infer/ops/torch.readScale":                "goes from a tensor to an element, which is none",
	"(*shapecheck/infer.variables).newVariable":           "goes to the values of a choice, which are none",
	"(*shapecheck/infer.variables).variableGrads.func1.1": "calls the function of a record",
	"(shapecheck/infer.tracers).call.func1":               "has a level for each tracer that hears the run",
	"(shapecheck/infer.tracers).op.func1":                 "has a level for each tracer that hears the run",
	"(*shapecheck/trace/dynamo.framePart).addLayers":      "goes down the functions that a call called, which were frames of Python",
	"(*shapecheck/trace/dynamo.Run).compiles":             "goes down the functions that a call called, which were frames of Python",
	"(*shapecheck/trace/dynamo.Run).resume":               "goes up the functions that run, which are frames of Python",
	"field shapecheck/infer/advice.try":                   "tries what was there before, once",
	"field shapecheck/infer/value.At":                     "has a level for each element that was taken before",
}

// A listedPackage is what go list tells of one.
type listedPackage struct {
	ImportPath, Dir, Export string
	GoFiles, Imports        []string
}

// A callGraph says which function mentions which: functions, literals, and the variables and
// fields that hold functions. Each node is named by its full name or its place.
type callGraph struct {
	mu      sync.Mutex
	edges   map[string]map[string]bool
	takes   map[string]bool            // functions that take values
	guarded map[string]bool            // functions that enter a guard or go down the syntax tree
	methods map[string]map[string]bool // methods of concrete types, by name and signature
	place   map[string]token.Position
	passed  map[string]string // literals that are handed to a function, with its name
}

func newCallGraph() *callGraph {
	return &callGraph{
		edges: map[string]map[string]bool{}, methods: map[string]map[string]bool{}, takes: map[string]bool{}, guarded: map[string]bool{},
		place: map[string]token.Position{}, passed: map[string]string{},
	}
}

func (g *callGraph) edge(from, to string) {
	m := g.edges[from]
	if m == nil {
		m = map[string]bool{}
		g.edges[from] = m
	}
	m[to] = true
}

func TestRecursionOverValuesIsGuarded(t *testing.T) {
	pkgs := listPackages(t)
	exports := map[string]string{}
	for _, p := range pkgs {
		exports[p.ImportPath] = p.Export
	}
	g := newCallGraph()
	var wg sync.WaitGroup
	limit := make(chan bool, runtime.NumCPU())
	for _, p := range pkgs {
		if p.ImportPath != valuePackage && !slices.Contains(p.Imports, valuePackage) {
			continue
		}
		wg.Go(func() {
			limit <- true
			defer func() { <-limit }()
			if err := g.read(p, exports); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	used := map[string]bool{}
	for _, c := range g.cycles() {
		i := slices.IndexFunc(c, func(f string) bool { return bounded[f] != "" })
		if i >= 0 {
			used[c[i]] = true
			continue
		}
		var b strings.Builder
		for _, f := range c {
			fmt.Fprintf(&b, "\n\t%s\t%s", f, g.place[f])
		}
		t.Errorf("a recursion over values without a guard (value.Visit, value.Memo, Thread.Enter):%s", &b)
	}
	for f := range bounded {
		if !used[f] {
			t.Errorf("%s is listed, but is in no such recursion", f)
		}
	}
}

// listPackages gives the packages of the program and what they import.
func listPackages(t *testing.T) []listedPackage {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Imports",
		"shapecheck/cmd/shapecheck", "shapecheck/present/playground")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pkgs []listedPackage
	for d := json.NewDecoder(out); ; {
		var p listedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// read adds what a package mentions.
func (g *callGraph) read(p listedPackage, exports map[string]string) error {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}}
	pkg, err := conf.Check(p.ImportPath, fset, files, info)
	if err != nil {
		return err
	}
	r := reader{
		callGraph: newCallGraph(), fset: fset, pkg: pkg, info: info,
		holds: map[types.Type]bool{}, linked: map[*ast.Ident]bool{}, held: map[*ast.FuncLit]bool{}, literals: map[*ast.FuncLit]string{},
		count: map[string]int{},
	}
	for _, f := range files {
		for _, d := range f.Decls {
			r.decl(d)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for f, m := range r.edges {
		for to := range m {
			g.edge(f, to)
		}
	}
	maps.Copy(g.takes, r.takes)
	maps.Copy(g.guarded, r.guarded)
	maps.Copy(g.place, r.place)
	maps.Copy(g.passed, r.passed)
	for k, m := range r.methods {
		if g.methods[k] == nil {
			g.methods[k] = map[string]bool{}
		}
		maps.Copy(g.methods[k], m)
	}
	return nil
}

// A reader reads one package.
type reader struct {
	*callGraph
	fset     *token.FileSet
	pkg      *types.Package
	info     *types.Info
	holds    map[types.Type]bool   // whether a type holds values, as far as it was looked at
	linked   map[*ast.Ident]bool   // called with what a link leads to
	held     map[*ast.FuncLit]bool // in a variable or a field
	literals map[*ast.FuncLit]string
	count    map[string]int // of the literals of a function
}

func (r *reader) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		fn := r.info.Defs[d.Name].(*types.Func)
		name := fn.FullName()
		if d.Recv == nil && d.Name.Name == "init" {
			name = r.at(d)
		}
		r.place[name] = r.fset.Position(d.Pos())
		sig := fn.Signature()
		if sig.Recv() != nil {
			k := methodKey(fn)
			if r.methods[k] == nil {
				r.methods[k] = map[string]bool{}
			}
			r.methods[k][name] = true
		}
		r.signature(name, sig)
		if d.Body != nil {
			r.body(name, d.Body)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			s, ok := s.(*ast.ValueSpec)
			if !ok {
				continue
			}
			r.assign(r.at(s), exprs(s.Names), s.Values)
			for _, id := range s.Names {
				if o := r.info.Defs[id]; o != nil && id.Name != "_" {
					for _, v := range s.Values {
						r.body(r.variable(o), v)
					}
				}
			}
		}
	}
}

func exprs(ids []*ast.Ident) []ast.Expr {
	var all []ast.Expr
	for _, id := range ids {
		all = append(all, id)
	}
	return all
}

// literal names a function literal as stack traces do.
func (r *reader) literal(in string, n *ast.FuncLit) string {
	if r.literals[n] == "" {
		r.count[in]++
		if strings.Contains(in, ".func") {
			r.literals[n] = fmt.Sprintf("%s.%d", in, r.count[in])
		} else {
			r.literals[n] = fmt.Sprintf("%s.func%d", in, r.count[in])
		}
	}
	return r.literals[n]
}

func (r *reader) at(n ast.Node) string {
	p := r.fset.Position(n.Pos())
	return fmt.Sprintf("%s/%s:%d:%d", r.pkg.Path(), filepath.Base(p.Filename), p.Line, p.Column)
}

// variable names the node of a variable or a field.
func (r *reader) variable(o types.Object) string {
	if v, ok := o.(*types.Var); ok && v.IsField() {
		return "field " + o.Pkg().Path() + "." + o.Name()
	}
	if o.Parent() == o.Pkg().Scope() {
		return "var " + o.Pkg().Path() + "." + o.Name()
	}
	p := r.fset.Position(o.Pos())
	return fmt.Sprintf("var %s %s:%d:%d", o.Name(), filepath.Base(p.Filename), p.Line, p.Column)
}

// signature notes whether a function takes values, and whether it goes down the syntax tree,
// whose depth the parser limits.
func (r *reader) signature(name string, sig *types.Signature) {
	if recv := sig.Recv(); recv != nil && r.pkg.Path() == valuePackage && r.holdsValues(recv.Type()) {
		r.takes[name] = true
	}
	for p := range sig.Params().Variables() {
		t := p.Type()
		if r.holdsValues(t) {
			r.takes[name] = true
		}
		if s := types.TypeString(t, nil); strings.Contains(s, "shapecheck/parser/ast.") && !strings.Contains(s, "Operator") {
			r.guarded[name] = true
		}
	}
}

// body adds what a node mentions.
func (r *reader) body(name string, body ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			r.call(name, n)
		case *ast.FuncLit:
			lit := r.literal(name, n)
			r.place[lit] = r.fset.Position(n.Pos())
			if r.passed[lit] == "" && !r.held[n] {
				r.edge(name, lit)
			}
			r.signature(lit, r.info.Types[n].Type.(*types.Signature))
			if n.Type.Params.NumFields() == 0 && r.takes[name] {
				r.takes[lit] = true
			}
			r.body(lit, n.Body)
			return false
		case *ast.AssignStmt:
			r.assign(name, n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			r.assign(name, exprs(n.Names), n.Values)
		case *ast.CompositeLit:
			r.composite(name, n)
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				if v, ok := r.info.Uses[id].(*types.Var); ok && v.IsField() { // which is no call of it
					r.body(name, n.Value)
					return false
				}
			}
		case *ast.Ident:
			r.mention(name, n)
		case *ast.SelectorExpr:
			if s := r.info.Selections[n]; s != nil {
				if f, ok := s.Obj().(*types.Func); ok && types.IsInterface(s.Recv()) && !r.linked[n.Sel] && r.handsOn(s.Recv(), f.Signature()) {
					r.edge(name, "method "+methodKey(f))
				}
			}
		}
		return true
	})
}

// links are the fields of values that are made after what they hold, so that no chain of
// them ends where it began.
var links = map[string]bool{"Then": true, "Else": true, "Payload": true, "Func": true, "Origin": true, "Get": true}

// call notes what is special of a call: where it goes along a link, and which literals it
// hands to which function.
func (r *reader) call(name string, n *ast.CallExpr) {
	var id *ast.Ident
	switch f := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
		if x, ok := ast.Unparen(f.X).(*ast.SelectorExpr); ok && r.isLink(x) {
			r.linked[id] = true
		}
	}
	if id == nil {
		return
	}
	fn, _ := r.info.Uses[id].(*types.Func)
	for _, a := range n.Args {
		switch a := ast.Unparen(a).(type) {
		case *ast.SelectorExpr:
			if r.isLink(a) {
				r.linked[id] = true
			}
		case *ast.FuncLit:
			if fn != nil {
				lit := r.literal(name, a)
				r.passed[lit] = fn.Origin().FullName()
				r.edge(name, "passed "+lit)
			}
		}
	}
}

func (r *reader) isLink(x *ast.SelectorExpr) bool {
	f, ok := r.info.Uses[x.Sel].(*types.Var)
	return ok && f.IsField() && f.Pkg().Path() == valuePackage && links[f.Name()]
}

// handsOn reports whether a method of an interface is given values.
func (r *reader) handsOn(recv types.Type, sig *types.Signature) bool {
	if r.holdsValues(recv) {
		return true
	}
	for p := range sig.Params().Variables() {
		if r.holdsValues(p.Type()) {
			return true
		}
	}
	return false
}

// mention adds an edge to the function, or the holder of functions, that a name means.
func (r *reader) mention(name string, id *ast.Ident) {
	if r.linked[id] {
		return
	}
	switch o := r.info.Uses[id].(type) {
	case *types.Func:
		full := o.Origin().FullName()
		r.edge(name, full)
		if guards[full] {
			r.guarded[name] = true
		}
	case *types.Var:
		if o.Pkg() != nil && holdsFunctions(o.Type(), 0) {
			r.edge(name, r.variable(o.Origin()))
		}
	}
}

// assign adds edges from the variables and fields to the functions that they are given.
func (r *reader) assign(name string, lhs, rhs []ast.Expr) {
	for i, l := range lhs {
		var o types.Object
		switch l := ast.Unparen(l).(type) {
		case *ast.Ident:
			if o = r.info.Defs[l]; o == nil {
				o = r.info.Uses[l]
			}
		case *ast.SelectorExpr:
			o = r.info.Uses[l.Sel]
		case *ast.IndexExpr:
			if id, ok := ast.Unparen(l.X).(*ast.Ident); ok {
				o = r.info.Uses[id]
			}
		}
		v, ok := o.(*types.Var)
		if !ok || v.Pkg() == nil || !holdsFunctions(v.Type(), 0) || len(rhs) == 0 {
			continue
		}
		r.gives(name, r.variable(v.Origin()), rhs[min(i, len(rhs)-1)])
	}
}

// composite adds edges from the fields of a literal.
func (r *reader) composite(name string, n *ast.CompositeLit) {
	t := r.info.Types[n].Type
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if o, ok := r.info.Uses[kv.Key.(*ast.Ident)].(*types.Var); ok && holdsFunctions(o.Type(), 0) {
				r.gives(name, r.variable(o.Origin()), kv.Value)
			}
		} else if o := s.Field(i); holdsFunctions(o.Type(), 0) {
			r.gives(name, r.variable(o.Origin()), e)
		}
	}
}

// gives adds edges to the functions that an expression gives.
func (r *reader) gives(name, holder string, e ast.Expr) {
	if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
		r.held[lit] = true // who calls it does that through the holder
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			r.edge(holder, r.literal(name, n))
			return false
		case *ast.Ident:
			r.mention(holder, n)
		}
		return true
	})
}

// methodKey is what methods of one name and signature share.
func methodKey(f *types.Func) string {
	sig := f.Origin().Signature()
	key := f.Name()
	for _, list := range []*types.Tuple{sig.Params(), sig.Results()} {
		key += "("
		for v := range list.Variables() { // whose names may differ
			key += types.TypeString(v.Type(), (*types.Package).Path) + ","
		}
	}
	return key
}

func holdsFunctions(t types.Type, depth int) bool {
	if depth > 4 {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Slice:
		return holdsFunctions(t.Elem(), depth+1)
	case *types.Array:
		return holdsFunctions(t.Elem(), depth+1)
	case *types.Map:
		return holdsFunctions(t.Elem(), depth+1)
	case *types.Pointer:
		return holdsFunctions(t.Elem(), depth+1)
	}
	return false
}

// surroundings are types that hold values, none of which is handed down a recursion in them.
var surroundings = map[string]bool{
	"shapecheck/infer.Interp": true, "shapecheck/infer.frame": true, "shapecheck/infer/lib.World": true, "shapecheck/infer/value.Heap": true,
	"shapecheck/infer.dynamoNode": true, "shapecheck/infer.Result": true, "shapecheck/infer.Config": true, "shapecheck/infer.Loaded": true,
	"shapecheck/infer.decisions": true, "shapecheck/infer.Decision": true, "shapecheck/infer.Traced": true,
	"shapecheck/present/summary.module": true, "shapecheck/present/summary.Row": true,
}

// holdsValues reports whether a parameter of a type gives a function Python values.
func (r *reader) holdsValues(t types.Type) bool {
	if v, ok := r.holds[t]; ok {
		return v
	}
	met := map[types.Type]bool{}
	v := r.leadsToValue(t, met)
	if r.holds[t] = v; !v {
		maps.Copy(r.holds, met)
	}
	return v
}

// leadsToValue looks through the parts of a type; met are the types that were looked at.
func (r *reader) leadsToValue(t types.Type, met map[types.Type]bool) bool {
	if _, ok := met[t]; ok || r.holds[t] {
		return r.holds[t]
	}
	met[t] = false
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		o := t.Obj()
		if o.Pkg() == nil || surroundings[o.Pkg().Path()+"."+o.Name()] {
			return false
		}
		if o.Pkg().Path() == valuePackage && o.Name() == "Value" {
			return true
		}
		return r.leadsToValue(t.Underlying(), met)
	case *types.Struct:
		for f := range t.Fields() {
			if r.leadsToValue(f.Type(), met) {
				return true
			}
		}
	case interface{ Elem() types.Type }: // pointers, slices, arrays, maps, channels
		return r.leadsToValue(t.Elem(), met)
	}
	return false
}

// cycles gives the strongly connected components of the graph without the functions with a
// guard, in which a function takes values.
func (g *callGraph) cycles() [][]string {
	for _, m := range g.edges {
		for to := range m {
			if k, ok := strings.CutPrefix(to, "method "); ok {
				maps.Copy(m, g.methods[k])
			}
			if lit, ok := strings.CutPrefix(to, "passed "); ok && !g.guarded[g.passed[lit]] {
				m[lit] = true
			}
		}
	}
	index, low, on := map[string]int{}, map[string]int{}, map[string]bool{}
	var stack []string
	var all [][]string
	var visit func(f string)
	visit = func(f string) {
		index[f], low[f] = len(index)+1, len(index)+1
		stack, on[f] = append(stack, f), true
		for _, to := range slices.Sorted(maps.Keys(g.edges[f])) {
			if !g.hands(to) {
				continue
			}
			if index[to] == 0 {
				visit(to)
				low[f] = min(low[f], low[to])
			} else if on[to] {
				low[f] = min(low[f], index[to])
			}
		}
		if low[f] != index[f] {
			return
		}
		i := slices.Index(stack, f)
		c := slices.Clone(stack[i:])
		stack = stack[:i]
		takes := false
		for _, x := range c {
			on[x] = false
			takes = takes || g.takes[x]
		}
		if takes && (len(c) > 1 || g.edges[f][f]) {
			slices.Sort(c)
			all = append(all, c)
		}
	}
	for _, f := range slices.Sorted(maps.Keys(g.edges)) {
		if index[f] == 0 && g.hands(f) {
			visit(f)
		}
	}
	return all
}

// hands reports whether a node can hand values down a recursion that nothing limits: a function
// that takes values and enters no guard, or what holds functions.
func (g *callGraph) hands(f string) bool {
	_, isFunc := g.place[f]
	return !g.guarded[f] && (g.takes[f] || !isFunc)
}
