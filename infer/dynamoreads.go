package infer

// This file notes what a call of a compiled function reads, where it breaks, and which functions
// of the program it calls.

import (
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// A dynamoNode is a function of the program that runs in a call.
type dynamoNode struct {
	name   string
	code   any
	body   []ast.Stmt
	parent *dynamoNode
	frame  *frame
	events []dynamoEvent
	// paths are the sources of objects, local those of variables that were there at the beginning of a part.
	paths    map[value.Value]string
	local    []value.Value
	names    []string
	read     map[string]bool
	written  map[string]bool
	children []*dynamoNode
	failed   bool
}

// A dynamoEvent is a read, a break, or a call of a function of the program.
type dynamoEvent struct {
	read  *dynamoRead
	at    source.Span
	child *dynamoNode
	// of says which node was innermost at a read.
	broke bool
}

func (n *dynamoNode) key() any { return n.code }

// messages are the functions of logging and warnings that end a graph.
var messages = []string{"debug", "info", "warning", "warn", "error", "critical", "exception", "log"}

// endsGraph reports whether a function of a library that is written in Python ends a graph.
func endsGraph(module, name string) bool {
	switch {
	case module == "logging" || module == "warnings" || strings.HasPrefix(module, "logging."):
		return slices.Contains(messages, name)
	case strings.HasPrefix(module, "torch.optim"):
		return name == "step" || name == "zero_grad"
	}
	return false
}

// enter notes that a function of the program is called; what it returns ends it.
func (d *dynamoRun) enter(f *frame) (leave func()) {
	if f.prelude {
		switch {
		case f.caller == nil || f.caller.prelude || f.fn.Module == nil || d.node == nil || !endsGraph(f.fn.Module.Name, f.fn.Name):
		case strings.HasPrefix(f.fn.Module.Name, "torch.") && !d.lost(): // compiled on its own
			at := d.in.callSite(f)
			n := &dynamoNode{name: f.fn.Name, code: f.fn.Node, parent: d.node, events: []dynamoEvent{{broke: true, at: at}}}
			d.node.events = append(d.node.events, dynamoEvent{child: n, at: at})
			d.node.children = append(d.node.children, n)
			d.resume(d.node)
		default:
			d.breaks()
		}
		return func() {}
	}
	n := &dynamoNode{name: f.fn.Name, code: f.fn.Node, body: f.code.body, parent: d.node, frame: f,
		paths: map[value.Value]string{}, read: map[string]bool{}, written: map[string]bool{}}
	n.local, n.names = slices.Clone(f.V), f.code.scope.Locals
	for i, c := range f.cells {
		if c != nil && i < len(n.local) && n.local[i] == nil {
			n.local[i] = c.V
		}
	}
	if d.root == nil {
		d.root = n
	}
	if d.node != nil {
		d.node.events = append(d.node.events, dynamoEvent{child: n, at: d.in.callSite(f)})
		d.node.children = append(d.node.children, n)
	}
	d.node = n
	return func() { d.node = n.parent }
}

// callSite is where the frame that called f stands.
func (in *Interp) callSite(f *frame) source.Span {
	for c := f.caller; c != nil; c = c.caller {
		if !c.prelude && c.at.IsValid() {
			return c.at
		}
	}
	return source.Span{}
}

// note notes a read in a node, once for each source.
func (d *dynamoRun) note(n *dynamoNode, src string, v value.Value, fixed bool) {
	if n.written[src] {
		return
	}
	if n.read[src] {
		return
	}
	if d.lost() {
		return
	}
	r := d.in.readOf(src, v)
	if r == nil {
		switch v.(type) {
		case *value.Unknown, *value.Abstract, *value.Choice, *value.SymInt, *value.SymFloat, *value.SymBool, *value.List:
			d.loses()
		}
		return
	}
	r.fixed = fixed
	n.read[src] = true
	n.events = append(n.events, dynamoEvent{read: r})
	switch v := v.(type) {
	case *value.List:
		n.paths[v] = src
		for i, e := range v.Elems {
			d.note(n, src+"["+strconv.Itoa(i)+"]", e, fixed)
		}
	case *value.Tuple:
		for i, e := range v.Elems {
			d.note(n, src+"["+strconv.Itoa(i)+"]", e, fixed)
		}
	case *value.Instance, *value.Dict:
		if n.paths[v] == "" {
			n.paths[v] = src
		}
	}
}

// lost reports whether it is not known what runs: what is read there is not noted.
func (d *dynamoRun) lost() bool {
	if len(d.in.path.conds)+len(d.in.loops) == 0 {
		return false
	}
	d.loses()
	return true
}

// loses notes that something is not known.
func (d *dynamoRun) loses() {
	if _, broken := d.root.firstBreak(); broken {
		d.unsure = true
	} else {
		d.missed = true
	}
}

// name notes that a variable was read.
func (d *dynamoRun) name(f *frame, b resolve.Binding, name string, v value.Value) {
	n := d.node
	if n == nil || f.prelude {
		return
	}
	switch b.Kind {
	case resolve.Local, resolve.Cell:
		if f != n.frame || int(b.Slot) >= len(n.local) || n.local[b.Slot] == nil || n.local[b.Slot] != v {
			return
		}
		d.note(n, name, v, false)
	case resolve.Free:
		if f == n.frame {
			for p := n; p != nil; p = p.parent {
				d.note(p, name, v, false)
			}
		}
	case resolve.Class:
	default:
		switch v.(type) {
		case *value.Builtin, *value.Class, *value.Module, *value.Func:
			return
		}
		for p := n; p != nil; p = p.parent {
			d.note(p, "G['"+name+"']", v, true)
		}
	}
}

// wrote notes that a global was written.
func (d *dynamoRun) wrote(f *frame, b resolve.Binding, name string) {
	if b.Kind == resolve.Local || b.Kind == resolve.Cell || b.Kind == resolve.Free || b.Kind == resolve.Class || f.prelude {
		return
	}
	for p := d.node; p != nil; p = p.parent {
		p.written["G['"+name+"']"] = true
	}
}

// attr notes that an attribute was read.
func (d *dynamoRun) attr(v value.Value, name string, x value.Value) {
	base, ok := v.(*value.Instance)
	if !ok || d.node == nil || strings.HasPrefix(name, "__") {
		return
	}
	if d.in.frame != nil && d.in.frame.prelude { // a layer: its numbers and flags
		switch x.(type) {
		case value.Int, value.Float, value.Bool, value.Str, value.NoneType, *value.Instance:
		default:
			return
		}
		if strings.HasPrefix(name, "_") && name != "_modules" {
			return
		}
	}
	switch x.(type) {
	case *value.Func, *value.BoundMethod, *value.Builtin:
		return
	}
	fixed := false
	if module := d.in.moduleClass(); module != nil && base.Class.IsSubclass(module) {
		_, number := x.(value.Int)
		_, tensor := x.(*value.Tensor)
		fixed = number || tensor
	}
	for p := d.node; p != nil; p = p.parent {
		if src := p.paths[base]; src != "" {
			d.note(p, src+"."+name, x, fixed)
		}
	}
}

// moduleClass is torch.nn.Module.
func (in *Interp) moduleClass() *value.Class { return in.Class("torch.nn.modules.module.Module") }

// wroteAttr notes that an attribute was written.
func (d *dynamoRun) wroteAttr(v value.Value, name string) {
	for p := d.node; p != nil; p = p.parent {
		if src := p.paths[v]; src != "" {
			p.written[src+"."+name] = true
		}
	}
}

// item notes that a value of a dict was read.
func (d *dynamoRun) item(v, index, x value.Value) {
	dict, ok := v.(*value.Dict)
	if !ok {
		return
	}
	key := index.String()
	if s, ok := index.(value.Str); ok {
		key = "'" + string(s) + "'"
	}
	for p := d.node; p != nil; p = p.parent {
		if src := p.paths[dict]; src != "" {
			d.note(p, src+"["+key+"]", x, false)
		}
	}
}

// breaks notes that the graph cannot go on here.
func (d *dynamoRun) breaks() {
	if d.node == nil || d.lost() {
		return
	}
	d.node.events = append(d.node.events, dynamoEvent{broke: true, at: d.in.Here()})
	d.resume(d.node)
}

// resume begins another part of a frame: its variables are read anew.
func (d *dynamoRun) resume(n *dynamoNode) {
	n.local = slices.Clone(n.frame.V)
	n.read, n.written = map[string]bool{}, map[string]bool{}
	if n.parent != nil {
		d.resume(n.parent)
	}
}

// pythonBreaks are functions of Python and libraries that end a graph: by name, or by prefix up
// to a dot.
var pythonBreaks = []string{"print", "input", "open", "time.", "logging.", "warnings.warn", "breakpoint", "sys.stdout.write", "_shapecheck.graph_break"}

// tensorBreaks are functions of torch that need elements.
var tensorBreaks = []string{"item", "tolist", "nonzero", "masked_select", "unique", "unique_consecutive", "equal", "allclose", "is_nonzero", "__bool__", "__int__", "__float__", "__index__", "backward", "multinomial_"}

// calls notes what a function of Python or torch does to a graph.
func (d *dynamoRun) calls(fn value.Value, args []value.Value) {
	if d.in.frame == nil || d.in.frame.prelude || d.node == nil {
		return
	}
	name := ""
	switch fn := fn.(type) {
	case *value.Builtin:
		name = fn.Name
	case *value.Class:
		if name = fn.Name; d.in.world.Class(name) != fn {
			return
		}
	default:
		return
	}
	name = strings.TrimPrefix(name, "builtins.")
	if strings.HasPrefix(name, "torch.") {
		last := name[strings.LastIndexByte(name, '.')+1:]
		numbers := last == "item" || last == "tolist"
		if slices.Contains(tensorBreaks, last) && !(numbers && (d.opts.fullgraph || d.scalars())) {
			d.breaks()
		}
		return
	}
	switch name {
	case "int", "float", "complex":
		if len(args) == 1 {
			if t, ok := args[0].(*value.Tensor); ok && isTorch(t) && !d.opts.fullgraph && !d.scalars() {
				d.breaks()
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

// scalars reports whether torch._dynamo.config.capture_scalar_outputs is set.
func (d *dynamoRun) scalars() bool { return d.in.dynamoConfig("capture_scalar_outputs") }

// truth notes that the truth value of a tensor is asked for. An assertion becomes a check.
func (d *dynamoRun) truth(t *value.Tensor) {
	if d.in.frame == nil || d.in.frame.prelude || d.node == nil || d.asserting || !isTorch(t) {
		return
	}
	d.breaks()
}

// asserts notes that the condition of an assertion is evaluated, until what it returns is called.
func (d *dynamoRun) asserts() (leave func()) {
	if d == nil {
		return func() {}
	}
	outer := d.asserting
	d.asserting = true
	return func() { d.asserting = outer }
}

// op notes operations whose sizes elements decide.
func (d *dynamoRun) op(name string, args []value.Value) {
	if d.in.frame == nil || d.in.frame.prelude || d.node == nil || d.dynamicOps() {
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

func (d *dynamoRun) dynamicOps() bool {
	return d.opts.fullgraph || d.in.dynamoConfig("capture_dynamic_output_shape_ops")
}

// clean reports whether nothing breaks in a function and what it calls.
func (n *dynamoNode) clean() bool {
	for _, e := range n.events {
		if e.broke || e.child != nil && !e.child.clean() {
			return false
		}
	}
	return true
}

// firstBreak is the first break in a function and what it calls.
func (n *dynamoNode) firstBreak() (source.Span, bool) {
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

// parts divides a function by its breaks; eager is the break in a statement in which it cannot be
// resumed.
func (n *dynamoNode) parts(d *dynamoRun) (parts []*dynamoPart, eager *source.Span) {
	p := newDynamoPart(0, d.global)
	end := func(at, place source.Span) {
		p.ends = append(p.ends, at)
		parts = append(parts, p)
		p = newDynamoPart(place.Start, d.global)
	}
	for _, e := range n.events {
		switch {
		case e.read != nil:
			p.add(e.read)
		case e.broke:
			if isNested(n.body, e.at.Start) {
				return nil, &e.at
			}
			end(e.at, e.at)
		case e.child != nil:
			if at, ok := e.child.firstBreak(); ok {
				if isNested(n.body, e.at.Start) {
					return nil, &at
				}
				end(at, e.at)
			}
		}
	}
	p.failed = n.failed
	return append(parts, p), nil
}
