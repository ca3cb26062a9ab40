package dynamo

// This file notes what a call of a compiled function reads, where it breaks, and which functions
// of the program it calls. A call is a tree of nodes, one for each function of the program that
// runs, and each node has its events in order: what it read, where a graph broke, what it computed
// and which functions it called. A source is the text by which Dynamo names what is guarded: "x",
// "self.layers[0].weight", "G['scale']". A read is noted once for each source and part: Dynamo
// makes a guard of the first read alone, and after a break the rest of a function is compiled on
// its own, with variables that are read anew.

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// A node is a function of the program that runs in a call. code is what stands for the function,
// body its statements, frame the running call.
type node struct {
	name   string
	code   any
	body   []ast.Stmt
	parent *node
	frame  Frame
	events []event
	// paths are the sources of objects, local those of variables that were there at the beginning
	// of a part. The paths are how an object was reached, so that what is read of it has a source.
	paths    map[value.Value]string
	local    []value.Value
	written  map[string]bool // sources, since the last part began
	part     int             // the number of parts that began
	children []*node
	failed   bool
	def      source.Span // where its definition begins
	lazy     *lazyUses
	reads    map[string]*guardedRead // the latest of each source
	// modules are sources, local those at the time when the part began.
	modules map[string]bool      // the variables that are modules: numbers in them are never symbols
	uses    map[ast.Expr]listUse // how expressions that give lists are used
	loops   map[ast.Expr][]loopTarget
	layers  map[layerAttr]int // what layers read of themselves, and the part in which they did so last
}

// A event is a read (layer: what a layer reads of itself), a break, an operation, or a call of a function of the program.
type event struct {
	read     *guardedRead
	at       source.Span
	child    *node
	layer    *layerRead
	broke    bool
	computes bool
	fixed    value.Value // a float of which an operation takes the number
}

func (n *node) key() any { return n.code }

// messages are the functions of logging and warnings that end a graph.
var messages = []string{"debug", "info", "warning", "warn", "error", "critical", "exception", "log"}

// endsGraph reports whether a function of a library that is written in Python ends a graph.
func endsGraph(module, name string) bool {
	switch {
	case module == "logging" || module == "warnings" || strings.HasPrefix(module, "logging."):
		return slices.Contains(messages, name)
	case module == "numpy.random":
		return name != "seed"
	case module == "torch.autograd":
		return name == "grad"
	case strings.HasPrefix(module, "torch.optim"):
		return name == "step" || name == "zero_grad"
	}
	return false
}

// Enter notes that a function of the program is called; what it returns ends it. Functions of
// libraries are no nodes, but some of them end a graph.
func (d *Run) Enter(f Frame) (leave func()) {
	if f.InLibrary() {
		switch {
		case !f.CalledByProgram() || f.Func().Module == nil || d.node == nil || !endsGraph(f.Func().Module.Name, f.Func().Name):
		// The optimizers compile their step themselves: it is a part of its own.
		case strings.HasPrefix(f.Func().Module.Name, "torch.optim") && !d.lost(): // compiled on its own
			at := f.CallSite()
			n := &node{name: f.Func().Name, code: f.Func().Node, parent: d.node, events: []event{{broke: true, at: at}}}
			d.node.events = append(d.node.events, event{child: n, at: at})
			d.node.children = append(d.node.children, n)
			d.resume(d.node)
		default:
			d.breaks()
		}
		return nil
	}
	known := d.graphs.function(f)
	n := &node{name: f.Func().Name, code: f.Func().Node, body: f.Body(), parent: d.node, frame: f,
		reads: make(map[string]*guardedRead, known.reads), paths: make(map[value.Value]string, known.paths), lazy: known.lazyUses()}
	n.def, n.uses, n.loops = definition(f.Definition()), known.lists, known.loops
	n.local = slices.Clone(f.Variables())
	// Variables in cells are local ones, too.
	for i, c := range f.Cells() {
		if c != nil && i < len(n.local) && n.local[i] == nil {
			n.local[i] = c.V
		}
	}
	// The first function is the one that is compiled.
	if d.root == nil {
		d.root = n
	}
	if d.node != nil {
		d.node.events = append(d.node.events, event{child: n, at: f.CallSite()})
		d.node.children = append(d.node.children, n)
		for _, name := range known.uses.results { // the caller looks at them, perhaps
			n.lazy.sees(name)
		}
	}
	d.arrive(f, n.lazy)
	d.node = n
	return func() {
		d.node = n.parent
		known.reads, known.paths = len(n.reads), len(n.paths)
	}
}

// definition is where the first line of a function is, which may be a decorator.
func definition(n ast.Node) source.Span {
	fn, ok := n.(*ast.FunctionDef)
	if !ok {
		return source.Span{}
	}
	at := fn.Span()
	for _, x := range fn.Decorators {
		if x.Span().Start < at.Start {
			at.Start = x.Span().Start
		}
	}
	return at
}

// note notes a read in a node, once for each source, and what is in a list.
func (d *Run) note(n *node, src string, v value.Value, fixed bool) {
	d.notes(n, src, v, fixed, true)
}

// notes notes a read in a node, once for each source; of a list only how long it is, if it is not looked at as a whole.
func (d *Run) notes(n *node, src string, v value.Value, fixed, whole bool) {
	if d.host.Enter("") != nil { // a list may hold itself
		d.loses()
		return
	}
	defer d.host.Leave()
	if whole && sequence(v) != nil {
		defer d.noteList(v, nil)
	}
	// A source that was written, or read before, has no other guard.
	if n.written[src] || n.hasRead(src) || d.lost() {
		if r := n.reads[src]; r != nil {
			d.noteTaken(r, false)
		}
		return
	}
	// What cannot be guarded by anything that is known here is lost.
	r := d.readOf(src, v)
	if r == nil {
		switch v.(type) {
		case *value.Unknown, *value.Abstract, *value.Choice, *value.SymInt, *value.SymFloat, *value.SymBool, *value.BigInt,
			*value.List, *value.Set, *value.BoundMethod, *value.Iterator:
			d.loses()
		}
		return
	}
	// fixed numbers are compared by value and never become symbols.
	r.fixed = fixed
	switch v := v.(type) {
	case *value.Tensor: // sizes of parameters are never symbols
		r.fixed = fixed || v.Class != nil && v.Class.Prelude && v.Class.Name == "Parameter"
	// Integers of globals and of modules are constants of the graph.
	case value.Int:
		if !fixed {
			root := src
			if i := strings.IndexAny(src, ".["); i >= 0 {
				root = src[:i]
			}
			r.fixed = root == "G" || n.modules[root]
		}
	case *value.Instance:
		if !strings.ContainsAny(src, ".[") && v.Class.IsSubclass(d.moduleClass()) {
			r.module = true
			if n.modules == nil {
				n.modules = map[string]bool{}
			}
			n.modules[src] = true
		}
	}
	d.noteTaken(r, true)
	d.read(n, r)
	// What is read of an object has a source that begins with that of the object.
	switch v := v.(type) {
	case *value.List:
		n.paths[v] = src
	case *value.Tuple:
		if n.paths[v] == "" {
			n.paths[v] = src
		}
	case *value.Slice:
		for part, e := range sliceParts(v) {
			d.note(n, src+"."+part, e, fixed)
		}
	case *value.Dict, *value.Set:
		if n.paths[v] == "" {
			n.paths[v] = src
		}
	case *value.Instance:
		if n.paths[v] == "" {
			n.paths[v] = src
			d.modules(n, v, src)
		}
		d.partsOf(n, src, v)
	}
}

// sliceParts are the parts of a slice by their names, as an iterator.
func sliceParts(s *value.Slice) iter.Seq2[string, value.Value] {
	return func(yield func(string, value.Value) bool) {
		_ = yield("start", s.Start) && yield("stop", s.Stop) && yield("step", s.Step)
	}
}

// read adds a read to what a node did.
func (d *Run) read(n *node, r *guardedRead) {
	r.part = n.part
	n.reads[r.source] = r
	n.events = append(n.events, event{read: r})
}

// hasRead reports whether a source was read since the last part began.
func (n *node) hasRead(src string) bool {
	r := n.reads[src]
	return r != nil && r.part == n.part
}

// writes notes that a source was written.
func (n *node) writes(src string) {
	if n.written == nil {
		n.written = map[string]bool{}
	}
	n.written[src] = true
}

// containers is the module of the modules that hold others.
const containers = "torch.nn.modules.container"

// layers notes how many layers a module has that goes over them.
func (d *Run) layers(base *value.Instance, layers *value.Dict) {
	// All functions that are running have read what an inner one reads through an object of theirs.
	for p := d.node; p != nil; p = p.parent {
		src := p.paths[base]
		if src == "" {
			continue
		}
		src += "._modules"
		if p.hasRead(src) {
			continue
		}
		d.read(p, &guardedRead{source: src, kind: readKeys, length: layers.Len()})
		for i := range layers.Len() {
			if k, ok := layers.At(i).(*value.Instance); ok {
				d.note(p, src+"["+keyText(layers.Key(i))+"]", k, false)
			}
		}
	}
}

// modules gives the layers of a module their sources, as it calls them without a read of the program.
func (d *Run) modules(n *node, module *value.Instance, src string) {
	v, ok := module.Attrs.Get("_modules")
	if !ok {
		return
	}
	layers, ok := v.(*value.Dict)
	if !ok || !module.Class.IsSubclass(d.moduleClass()) || d.host.Enter("") != nil {
		return
	}
	defer d.host.Leave()
	for i := range layers.Len() {
		if k, ok := layers.At(i).(*value.Instance); ok && n.paths[k] == "" {
			n.paths[k] = src + "._modules[" + keyText(layers.Key(i)) + "]"
			d.modules(n, k, n.paths[k])
		}
	}
}

// uses notes how the function of the innermost node uses a variable that it reads: the value of a
// number that is computed and kept alone does not guard the graph, unless it is computed with a
// tensor. own: it is a variable of the function itself.
func (d *Run) uses(src, name string, v value.Value, own bool) {
	n := d.node
	switch v.(type) {
	case value.Int, value.Float, value.Str, value.Bool, value.NoneType:
	default:
		n.lazy.sees(name)
	}
	for p := n; p != nil && (p == n || !own); p = p.parent {
		r := p.reads[src]
		switch {
		case r == nil || r.kind != readScalar && r.kind != readNone:
		case r.lazy == nil && r.name == "":
			r.lazy, r.name = n.lazy, name
		case r.lazy != n.lazy: // another function looks at it, perhaps
			r.lazy = nil
		}
	}
}

// lost reports whether it is not known what runs: what is read there is not noted.
func (d *Run) lost() bool {
	if d.host.Certain() {
		return false
	}
	d.loses()
	return true
}

// loses notes that something is not known: before the first break the whole graph is, after it only
// what follows.
func (d *Run) loses() {
	if _, broken := d.root.firstBreak(); broken {
		d.unsure = true
	} else {
		d.missed = true
	}
}

// name notes that a variable was read. Its source is the name for variables of the function, and
// G['name'] for globals.
func (d *Run) name(f Frame, b resolve.Binding, name string, v value.Value) {
	n := d.node
	if n == nil || f.InLibrary() {
		return
	}
	src, whole := name, d.site == nil
	if b.Kind != resolve.Local && b.Kind != resolve.Cell && b.Kind != resolve.Free {
		src = "G['" + name + "']"
	}
	defer func() {
		if n.lazy != nil && f == n.frame {
			d.uses(src, name, v, b.Kind == resolve.Local || b.Kind == resolve.Cell)
		}
	}()
	switch b.Kind {
	case resolve.Local, resolve.Cell:
		// A variable that the function has set itself is no input of the graph.
		if f != n.frame || int(b.Slot) >= len(n.local) || n.local[b.Slot] == nil || n.local[b.Slot] != v {
			src = cmp.Or(d.readsHeld(f, int(b.Slot), v, whole), src)
			return
		}
		d.notes(n, name, v, false, whole)
	case resolve.Free: // a function's own, or that of one around it, or read by a comprehension or generator of it
		cell := f.Free()[b.Slot]
		for p := n; p != nil; p = p.parent {
			// The function around whose variable it is.
			if slot := p.variable(cell); slot >= 0 {
				if slot < len(p.local) && p.local[slot] != nil && p.local[slot] == v {
					d.notes(p, name, v, false, whole)
				} else {
					d.readsHeld(p.frame, slot, v, whole)
				}
				return
			}
			d.notes(p, name, v, false, whole)
		}
	case resolve.Class:
	default:
		switch v.(type) {
		// Functions, classes and modules are read by many names and guarded by their own reads.
		case *value.Builtin, *value.Class, *value.Module, *value.Func:
			return
		}
		for p := n; p != nil; p = p.parent {
			d.notes(p, src, v, false, whole)
		}
	}
}

// variable is the slot of the function's own variable that a cell holds; -1: it is none of them.
func (n *node) variable(cell *value.Cell) int {
	if n.frame == nil {
		return -1
	}
	return slices.Index(n.frame.Cells(), cell)
}

// Write notes that a global was written.
func (d *Run) Write(f Frame, b resolve.Binding, name string) {
	if b.Kind == resolve.Local || b.Kind == resolve.Cell || b.Kind == resolve.Free || b.Kind == resolve.Class || f.InLibrary() {
		return
	}
	for p := d.node; p != nil; p = p.parent {
		p.writes("G['" + name + "']")
	}
}

// Item notes that a value of a dict was read, or that it is not there; err says the latter. Of a
// list or tuple it is the element that was taken.
func (d *Run) Item(v, index, x value.Value, err error) {
	dict, ok := v.(*value.Dict)
	switch v.(type) {
	case *value.List, *value.Tuple:
		d.asksNumbers([]value.Value{index})
		if err == nil && d.node != nil {
			d.elementOf(v, index, x)
		}
	}
	handed := d.site != nil
	d.site = nil
	if !ok {
		return
	}
	if err != nil {
		d.hasKey(dict, index)
		d.misses(dict, index, false)
		return
	}
	key := keyText(index)
	for p := d.node; p != nil; p = p.parent {
		if src := p.paths[dict]; src != "" {
			if r := p.reads[key+" in "+src]; r == nil {
				d.read(p, &guardedRead{source: key + " in " + src, kind: readKey, has: true, missing: true})
			}
			d.notes(p, src+"["+key+"]", x, false, !handed)
		}
	}
}

// breaks notes that the graph cannot go on here.
func (d *Run) breaks() {
	if d.node == nil || d.lost() {
		return
	}
	d.node.events = append(d.node.events, event{broke: true, at: d.host.Here()})
	d.resume(d.node)
}

// resume begins another part of a frame: its variables are read anew, and so are those of the
// functions that called it.
func (d *Run) resume(n *node) {
	if n.frame == nil { // a module of torch, whose forward is not looked into
		d.missed = true
		return
	}
	d.before, d.held = d.host.Graph().Last(), nil
	n.local = slices.Clone(n.frame.Variables())
	n.part++
	n.written = nil
	if n.parent != nil {
		d.resume(n.parent)
	}
}

// pythonBreaks are functions of Python and libraries that end a graph: by name, or by prefix up
// to a dot.
var pythonBreaks = []string{"print", "input", "open", "time.", "logging.", "warnings.warn", "breakpoint", "sys.stdout.write",
	"_shapecheck.graph_break"}

// calls notes what a function of Python or torch does to a graph.
func (d *Run) calls(fn value.Value, args []value.Value) {
	if !d.host.OwnCode() || d.node == nil {
		return
	}
	name := ""
	switch fn := fn.(type) {
	case *value.Builtin:
		name = fn.Name
	case *value.Class:
		if name = fn.Name; !d.host.IsBuiltin(fn) {
			return
		}
	default:
		return
	}
	name = strings.TrimPrefix(name, "builtins.")
	d.asksDict(name, args)
	d.asksAttr(name, args)
	d.takesOfMath(name, args)
	if name == "range" || name == "bool" {
		d.asksNumbers(args)
	}
	if strings.HasPrefix(name, "torch.") {
		t := catalog.RecordOf(name).Trace
		ends := t.Has(ops.EndsGraph) || t.Has(ops.EndsGraphAlone) && len(args) == 1
		switch {
		case t.Has(ops.TakesScalar):
			ends = ends && !(t.Has(ops.GoesOn) && d.keepsNumbers())
		case t.Has(ops.SizesByElements):
			ends = ends && !d.dynamicOps()
		}
		if ends {
			d.breaks()
		}
		return
	}
	switch name {
	case "int", "float", "complex":
		if len(args) == 1 {
			switch a := args[0].(type) {
			case *value.Tensor:
				if catalog.IsTorch(a) && !d.keepsNumbers() {
					d.breaks()
				}
			case *value.SymBool:
				d.asksNumbers(args)
			}
		}
		return
	}
	for _, b := range pythonBreaks {
		if name == b || strings.HasSuffix(b, ".") && strings.HasPrefix(name, b) {
			d.breaks()
			return
		}
	}
}

// AssertFails notes that an assertion over a tensor does not hold: the graph checks it when it runs, and what follows is part of it.
// It returns the error of fail only where that is no exception, as where the run has reached a limit.
func (d *Run) AssertFails(fail func() error) (goesOn bool, err error) {
	// What the assertion would have raised is made, for its text.
	if !d.asserted {
		return false, nil
	}
	var e *value.Exception
	if err := fail(); !errors.As(err, &e) {
		return true, err
	}
	if d.unmet == nil {
		text, _ := d.host.Str(e.Value)
		d.unmet = &text
	}
	return true, nil
}

// op notes operations whose sizes elements decide.
func (d *Run) op(name string, args []value.Value) {
	if !d.host.OwnCode() || d.node == nil || d.dynamicOps() {
		return
	}
	if !strings.HasSuffix(name, ".__getitem__") || len(args) != 2 {
		return
	}
	mask := func(v value.Value) bool {
		t, ok := v.(*value.Tensor)
		return ok && t.Type().DType.String() == "bool"
	}
	found := mask(args[1])
	if t, ok := args[1].(*value.Tuple); ok {
		found = slices.ContainsFunc(t.Elems, mask)
	}
	if found {
		d.breaks()
	}
}

// dynamicOps reports whether operations whose sizes elements decide stay in a graph.
func (d *Run) dynamicOps() bool {
	return d.opts.Fullgraph || d.is(&d.shapes, "capture_dynamic_output_shape_ops")
}

// computed notes an operation that writes elements or has a tensor for its result, or what it raised.
func (d *Run) computed(writes bool, v value.Value, err error) {
	if err != nil {
		d.ofOp = err
		return
	}
	n := d.node
	if n == nil || len(n.events) > 0 && n.events[len(n.events)-1].computes || !writes && !hasTensor(v) {
		return
	}
	n.events = append(n.events, event{computes: true})
}

// hasTensor reports whether a result of an operation is a tensor or has one.
func hasTensor(v value.Value) bool {
	for x := range value.Walk(v, value.Deep, value.Sequences) {
		switch x := x.(type) {
		case *value.Tensor:
			return true // an array is one of a graph
		case *value.List:
			if x.Open != nil {
				return true
			}
		}
		if value.IsUnknown(x) {
			return true
		}
	}
	return false
}

// computes reports whether a function and what it calls have operations.
func (n *node) computes() bool {
	return slices.ContainsFunc(n.events, func(e event) bool { return e.computes || e.child != nil && e.child.computes() })
}

// clean reports whether nothing breaks in a function and what it calls.
func (n *node) clean() bool {
	for _, e := range n.events {
		if e.broke || e.child != nil && !e.child.clean() {
			return false
		}
	}
	return true
}

// firstBreak is the first break in a function and what it calls.
func (n *node) firstBreak() (source.Span, bool) {
	for _, e := range n.events {
		if e.broke {
			return e.at, true
		}
		if e.child != nil {
			if at, ok := e.child.firstBreak(); ok {
				return at, true
			}
		}
	}
	return source.Span{}, false
}

// raises notes that an exception of the program, raised somewhere in the function or in what it
// called last, ends it. The exception may have come from the function that was called last.
func (n *node) raises(at source.Span) {
	n.failed = true
	if last := len(n.events) - 1; last >= 0 && n.events[last].child != nil {
		if k := n.events[last].child; len(k.body) > 0 && k.body[0].Span().Start <= at.Start && at.End <= k.body[len(k.body)-1].Span().End {
			k.raises(at)
			return
		}
	}
	n.events = append(n.events, event{broke: true, at: at})
}

// parts divides a function by its breaks; eager is the break in a statement in which it cannot be
// resumed. A part ends where a graph does; a break within a loop, with or try statement cannot be
// resumed.
func (n *node) parts(d *Run) (parts []*framePart, eager *source.Span) {
	p := d.newPart(0, len(n.reads))
	end := func(at, place source.Span) {
		p.ends = append(p.ends, at)
		parts = append(parts, p)
		p = d.newPart(place.Start, len(n.reads))
	}
	nested := func(at source.Span) ([]*framePart, *source.Span) {
		if len(parts) == 0 {
			return nil, &at
		}
		p.eager, p.ends = true, append(p.ends, at) // what runs after an earlier break
		return append(parts, p), nil
	}
	// In the order of what happened.
	for i, e := range n.events {
		if n.failed && i == len(n.events)-1 {
			at, ok := e.at, e.broke
			if e.child != nil {
				at, ok = e.child.firstBreak()
			}
			if ok {
				p.failed, p.ends = true, append(p.ends, at)
				return append(parts, p), nil
			}
		}
		switch {
		case e.computes:
			p.computes = true
		case e.fixed != nil:
			p.floats = append(p.floats, e.fixed)
		case e.read != nil:
			p.add(e.read)
		case e.layer != nil:
			p.addLayer(n, e.layer)
		case e.broke:
			if isNested(n.body, e.at.Start) {
				return nested(e.at)
			}
			end(e.at, e.at)
		case e.child != nil:
			if at, ok := e.child.firstBreak(); ok {
				if e.child.lazy != nil {
					e.child.lazy.broken = true
				}
				if isNested(n.body, e.at.Start) {
					return nested(at)
				}
				end(at, e.at)
			} else {
				p.computes, p.whole = p.computes || e.child.computes(), append(p.whole, e.child)
			}
			p.addLayers(n, e.child)
		}
	}
	p.failed = n.failed
	if len(parts) == 0 {
		p.branches = d.branches
	}
	return append(parts, p), nil
}
