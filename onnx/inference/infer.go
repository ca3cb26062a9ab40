// Package inference infers the types of an ONNX model's values: element types
// and shapes with symbolic dimensions, through subgraphs, model-local functions,
// sequences and optionals. Integer tensors that sizes are computed with keep
// their elements as expressions, so that a Reshape to what Shape gave stays
// symbolic.
//
// What is not known is a symbol of its own (unk0, unk1 …): a size that comes from
// data. Nothing is guessed. A model that cannot run is reported with the node,
// the value and the reason.
//
//	infer.go   Run, scopes, the walk over nodes    apply.go   writes types back
//	session.go Session: one node at a time
//	type.go    types and dimensions                value.go   known elements
//	call.go    what the rules see of a node        table.go   all operators
//	compare.go the declared types beside the inferred ones
//	contract.go the conditions on sizes that the metadata has
//	allowed.go element types that operators take   print.go   the types as text
//
// Elements of small tensors, with which sizes are computed:
//
//	data.go compute.go   integers, as expressions
//	real.go exact.go     floats, and which integers binary32 holds
//
// The rules, by family:
//
//	element-wise   elementwise.go cast.go quant.go
//	reductions     reduce.go norm.go
//	products       linalg.go conv.go
//	signals        signal.go
//	layers         attention.go rnn.go pool.go loss.go
//	images         resize.go vision.go
//	shapes         view.go join.go slice.go
//	indices        index.go
//	new tensors    create.go
//	control        control.go sequence.go
//	text           text.go
//	ai.onnx.ml     ml.go; org.chainer: chainer.go
//
// The walk is a forward pass: nodes are in topological order, each rule sees the types and known
// elements of its operands and gives those of its results. Only loops are gone through several
// times (see control.go). A rule never fails for lack of knowledge; it gives a result of which
// less is known. It reports a fault only when no assignment of the symbols lets the node run, so
// that a report is always true.
package inference

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
	"shapecheck/symshape"
)

// Versions of the standard operators that the rules are written for. Models of
// other versions are read too, with a note: operators whose meaning changed give
// unknown results.
const (
	MinOpset = 7
	MaxOpset = schema.Newest
)

// Limits on work, so that no file can keep the program busy.
const (
	maxNodes  = 1_000_000 // nodes visited, counting each pass over a body
	maxNest   = 60        // subgraphs and functions within one another
	maxErrors = 50
)

// A Config says how a model is inferred. The zero value is the usual way.
type Config struct {
	// IgnoreDeclared leaves out what the file says about values that are not inputs
	// of the model: the inference then checks it instead of using it.
	IgnoreDeclared bool
}

// A Result is what was inferred. Types are those after refinement by what the file declares,
// unless the configuration leaves that out.
type Result struct {
	Pool *symshape.Pool
	// Graphs holds the types of the values that each graph defines: inputs,
	// initializers and results of nodes.
	Graphs map[*onnx.Graph]map[string]*Type
	// Errors are the places at which the model contradicts itself.
	Errors []*Error
	// Notes are remarks on the model as a whole.
	Notes []string
}

// An Error is a contradiction in a model.
type Error struct {
	Node   string // the node's name; empty when it has none
	Op     string
	Value  string // the value at fault, when it is one
	Reason string
	Source string // where the node comes from in the source, when the file says it
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Source != "" {
		b.WriteString(e.Source + ": ")
	}
	switch {
	case e.Node != "":
		fmt.Fprintf(&b, "node %q", e.Node)
		if e.Op != "" {
			fmt.Fprintf(&b, " (%s)", e.Op)
		}
		if e.Value != "" {
			b.WriteString(", ")
		}
	case e.Op != "":
		fmt.Fprintf(&b, "a %s node", e.Op)
		if e.Value != "" {
			b.WriteString(", ")
		}
	}
	if e.Value != "" {
		fmt.Fprintf(&b, "value %q", e.Value)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	b.WriteString(e.Reason)
	return b.String()
}

// Run infers the types of all values of m, which is not changed. The error is for
// models that cannot be walked at all; contradictions are in the result. The symbols of the
// model's inputs keep their names. Errors end up in the result once each, at most maxErrors of
// them.
func Run(m *onnx.Model, cfg Config) (*Result, error) {
	if m.Graph == nil {
		return nil, fmt.Errorf("the model has no graph")
	}
	e := newEngine(m, symshape.NewPool(), cfg)
	for _, f := range m.Functions {
		k := keyOf(f.Domain, f.Name, f.Overload)
		if e.functions[k] != nil {
			return nil, fmt.Errorf("function %s::%s is defined twice", f.Domain, f.Name)
		}
		e.functions[k] = f
	}
	switch v := m.Opset(""); {
	case v == 0 && len(m.Functions) == 0:
		e.note("the model does not say which version of the standard operators it uses; version %d is assumed", MaxOpset)
	case v != 0 && v < MinOpset:
		e.note("opset %d is older than %d: results of operators whose meaning changed since are unknown", v, MinOpset)
	case v > MaxOpset:
		e.note("opset %d is newer than %d, the newest one whose rules are known: they are used for what follows", v, MaxOpset)
	}
	e.declareSymbols()
	s := &scope{e: e, vals: map[string]*Value{}, opsets: m.Opsets, graph: m.Graph}
	e.openGraph(s, nil)
	e.closeGraph(s)
	return e.res, nil
}

// Functions are told apart by overload too, since ONNX 1.16.
type funcKey struct{ domain, name, overload string }

func keyOf(domain, name, overload string) funcKey {
	return funcKey{onnx.StandardDomain(domain), name, overload}
}

// It belongs to one run and one goroutine. quiet counts nested reasons to report nothing.
type engine struct {
	cfg       Config
	m         *onnx.Model
	pool      *symshape.Pool
	functions map[funcKey]*onnx.Function
	res       *Result
	seen      map[string]bool         // errors that were reported
	sized     map[*symshape.Expr]bool // symbols of tensors among the model's inputs
	// owns and wholes are the floats without a form, and the integers they round to.
	owns    map[ownKey]int
	wholes  map[ownKey]expr
	visited int
	stack   []*onnx.Function
	facts   symshape.Facts // what holds of the symbols, beside their bounds
	quiet   int            // above 0 in what is known not to run, and in trial passes
}

func newEngine(m *onnx.Model, pool *symshape.Pool, cfg Config) *engine {
	return &engine{
		cfg: cfg, m: m, pool: pool, functions: map[funcKey]*onnx.Function{}, seen: map[string]bool{}, sized: map[*symshape.Expr]bool{},
		owns: map[ownKey]int{}, wholes: map[ownKey]expr{}, res: &Result{Pool: pool, Graphs: map[*onnx.Graph]map[string]*Type{}},
	}
}

func (e *engine) note(format string, args ...any) {
	e.res.Notes = append(e.res.Notes, fmt.Sprintf(format, args...))
}

// A node in the body of a function or a loop is visited several times and says the same each
// time.
func (e *engine) fail(err *Error) {
	key := err.Error()
	if e.quiet > 0 || e.seen[key] || len(e.res.Errors) >= maxErrors {
		return
	}
	e.seen[key] = true
	e.res.Errors = append(e.res.Errors, err)
}

// A scope holds the values that the nodes of a graph or of a function's body see. A subgraph sees
// the values of its outer scopes, a function's body only its own.
type scope struct {
	e      *engine
	outer  *scope // of a subgraph
	vals   map[string]*Value
	opsets []onnx.Opset
	graph  *onnx.Graph // nil for a function's body
	fn     *onnx.Function
	attrs  []*onnx.Attr // of the function: what the call gives, then the defaults
	// declared are the types that the file gives.
	declared map[string]*Type
	depth    int
}

// The innermost scope wins, as ONNX forbids names to be given twice but files do so.
func (s *scope) lookup(name string) *Value {
	for x := s; x != nil; x = x.outer {
		if v := x.vals[name]; v != nil {
			return v
		}
	}
	return nil
}

// openGraph enters the inputs and initializers of a graph. args are the values of
// a subgraph's inputs; those of the model's graph have their declared types. The order is:
// declared types of inner values, inputs, initializers, and then the nodes. A declared type
// refines what is inferred; where both contradict each other, the inferred one is kept and the
// fault reported.
func (e *engine) openGraph(s *scope, args []*Value) {
	g := s.graph
	s.declared = map[string]*Type{}
	if !e.cfg.IgnoreDeclared {
		for _, list := range [][]*onnx.ValueInfo{g.Values, g.Outputs} {
			for _, v := range list {
				s.declare(v)
			}
		}
	}
	constant := map[string]*onnx.Tensor{}
	for _, t := range g.Initializers {
		constant[t.Name] = t
	}
	for i, in := range g.Inputs {
		if in.Name == "" {
			continue
		}
		t := s.read(in.Type)
		v := &Value{Type: t}
		if args != nil {
			v = unknownValue()
			if i < len(args) && args[i] != nil {
				v = args[i]
			}
			if !e.cfg.IgnoreDeclared {
				v = e.refine(v, t, func(reason string) {
					e.fail(&Error{Value: in.Name, Reason: "this input of a subgraph " + reason})
				})
			}
		}
		if init := constant[in.Name]; init != nil && s.outer == nil {
			w := e.constant(init)
			// From IR version 4 on, an initializer that is also an input is a default that
			// the caller may replace.
			if e.m.IRVersion >= 4 {
				w = &Value{Type: w.Type}
			}
			v = e.refine(w, t, func(reason string) {
				e.fail(&Error{Value: in.Name, Reason: "this initializer " + reason})
			})
		}
		s.vals[in.Name] = v
	}
	for _, t := range g.Initializers {
		if s.vals[t.Name] == nil && t.Name != "" {
			s.vals[t.Name] = e.refine(e.constant(t), s.declared[t.Name], func(reason string) {
				e.fail(&Error{Value: t.Name, Reason: "this initializer " + reason})
			})
		}
	}
	for _, t := range g.SparseInitializers {
		if t.Values != nil && t.Values.Name != "" {
			s.vals[t.Values.Name] = &Value{Type: &Type{Kind: onnx.TensorType, Elem: t.Values.DType, Ranked: true, Dims: e.consts(t.Dims)}}
		}
	}
	e.nodes(s, g.Nodes)
}

// read reads a declared type. The symbols of a function's body are its own and mean
// nothing to the caller; in a subgraph, a symbol that no input of the model has may
// be another size each time the subgraph runs.
func (s *scope) read(t *onnx.Type) *Type {
	out := s.e.typeOf(t, s.fn == nil)
	if s.outer != nil {
		for x := out; x != nil; x = x.Of {
			s.e.loosen(x)
		}
	}
	return out
}

// declare notes what the file says about a value.
func (s *scope) declare(v *onnx.ValueInfo) {
	if v.Name == "" || v.Type == nil {
		return
	}
	t := s.read(v.Type)
	if old := s.declared[v.Name]; old != nil {
		if joined, reason := s.e.meet(old, t); reason == "" {
			t = joined
		}
	}
	s.declared[v.Name] = t
}

// closeGraph checks that the outputs exist and notes the types of the values.
func (e *engine) closeGraph(s *scope) {
	for _, o := range s.graph.Outputs {
		if s.lookup(o.Name) == nil {
			e.fail(&Error{Value: o.Name, Reason: "this output of the graph is computed by no node"})
		}
	}
	types := map[string]*Type{}
	for name, v := range s.vals {
		types[name] = v.Type
	}
	e.res.Graphs[s.graph] = types
}

// nodes infers a list of nodes. Beyond the limit results are unknown, which ends the work without
// a false report.
func (e *engine) nodes(s *scope, list []*onnx.Node) {
	for _, n := range list {
		if e.visited++; e.visited > maxNodes {
			if e.visited == maxNodes+1 {
				e.note("the inference stopped after %d nodes", maxNodes)
			}
			for _, o := range n.Outputs {
				s.define(o, unknownValue())
			}
			continue
		}
		e.node(s, n)
	}
}

// define enters a value; the empty name is a result that nobody wants.
func (s *scope) define(name string, v *Value) {
	if name != "" {
		s.vals[name] = v
	}
}

// node infers one node. A missing operand is reported and counts as unknown, so that the results
// are unknown and the rest of the model is still inferred.
func (e *engine) node(s *scope, n *onnx.Node) {
	c := &call{e: e, s: s, n: n, outs: make([]*Value, len(n.Outputs))}
	c.ins = make([]*Value, len(n.Inputs))
	for i, name := range n.Inputs {
		if name == "" {
			continue
		}
		v := s.lookup(name)
		if v == nil {
			c.value = name
			c.errorf("input %d is %q, which no node before this one computes", i, name)
			v = unknownValue()
		}
		c.ins[i] = v
	}
	if !c.failed {
		c.run()
	}
	c.settle()
	for i, name := range n.Outputs {
		if name == "" {
			continue
		}
		v := c.outs[i]
		if d := s.declared[name]; d != nil {
			v = e.refine(v, d, func(reason string) {
				c.value = name
				c.errorf("%s", reason)
			})
		}
		if s.vals[name] != nil {
			c.value = name
			c.errorf("the value is computed a second time")
		}
		s.vals[name] = v
	}
}

// settle makes what the rule left open unknown. Rules may leave results nil, and those of a
// failed rule must not be used.
func (c *call) settle() {
	for i, v := range c.outs {
		if v == nil || c.failed {
			v = unknownValue()
			c.outs[i] = v
		}
		c.e.normalize(v.Type)
	}
}

// run applies the rule of the node's operator or the body of its function. Functions of the model
// come before operators of the same name. An operator of a domain that is not known has unknown
// results, without a message, as a runtime may have it.
func (c *call) run() {
	n, e := c.n, c.e
	if f := e.functions[keyOf(n.Domain, n.Op, n.Overload)]; f != nil {
		e.callFunction(c, f)
		return
	}
	domain := onnx.StandardDomain(n.Domain)
	o := rules()[opKey{domain, n.Op}]
	if o == nil {
		return // an operator of somebody else's
	}
	if c.version = onnx.OpsetVersion(c.s.opsets, n.Domain); c.version == 0 {
		c.version = schema.NewestOf(domain)
	}
	if c.op = schema.Lookup(domain, n.Op, c.version); c.op == nil {
		c.errorf("the operator exists from opset %d on; the model uses opset %d", schema.First(domain, n.Op), c.version)
		return
	}
	if err := c.op.CheckCounts(n); err != nil {
		c.errorf("%v", err)
		return
	}
	var err error
	if c.a, err = c.op.Decode(n, c.s.attrs); err != nil {
		c.errorf("%v", err)
		return
	}
	c.byRule(o)
}

// byRule applies the rule of an operator whose attributes are decoded. The checks of element
// types that operators have in common (allowed, sameElements) are around the rule; data computes
// known elements at the end, when the type of the result is known.
func (c *call) byRule(o *op) {
	if c.allowed(); c.failed {
		return
	}
	o.rule(c)
	if !c.failed { // rules say more of what they look at
		c.sameElements()
	}
	if !c.failed {
		c.makes()
	}
	if !c.failed && o.data != nil && len(c.outs) > 0 && c.outs[0] != nil {
		o.data(c)
	}
}

// callFunction infers the body of a model-local function with the call's values. It is inferred
// anew for each call, with the types of its operands; recursion is reported. An operand that the
// call leaves out is marked absent and not unknown. Faults within the body get the caller's place
// in the source, as the body usually has none.
func (e *engine) callFunction(c *call, f *onnx.Function) {
	if slices.Contains(e.stack, f) {
		c.errorf("function %s::%s calls itself", f.Domain, f.Name)
		return
	}
	if len(c.n.Inputs) > len(f.Inputs) || len(c.n.Outputs) > len(f.Outputs) {
		c.errorf("function %s::%s has %d inputs and %d results; the node has %d and %d", f.Domain, f.Name, len(f.Inputs), len(f.Outputs),
			len(c.n.Inputs),
			len(c.n.Outputs))
		return
	}
	if c.s.depth >= maxNest {
		c.errorf("functions and subgraphs nest deeper than %d", maxNest)
		return
	}
	e.stack = append(e.stack, f)
	defer func() { e.stack = e.stack[:len(e.stack)-1] }()
	b := &scope{e: e, vals: map[string]*Value{}, opsets: f.Opsets, fn: f, declared: map[string]*Type{}, depth: c.s.depth + 1}
	if len(f.Opsets) == 0 {
		b.opsets = c.s.opsets
	}
	for _, a := range c.n.Attrs {
		if a = c.s.resolve(a); a != nil {
			b.attrs = append(b.attrs, a)
		}
	}
	b.attrs = append(b.attrs, f.Defaults...)
	absent := map[string]bool{}
	for i, name := range f.Inputs {
		if i < len(c.ins) && c.ins[i] != nil {
			b.define(name, c.ins[i])
		} else {
			absent[name] = true
			b.define(name, &Value{Type: &Type{}, absent: true})
		}
	}
	if !e.cfg.IgnoreDeclared {
		for _, v := range f.Values {
			if !absent[v.Name] {
				b.declare(v)
			}
		}
	}
	before := len(e.res.Errors)
	e.nodes(b, f.Nodes)
	for _, err := range e.res.Errors[before:] {
		if err.Source == "" {
			err.Source = onnx.SourceOf(c.n)
		}
		err.Reason += fmt.Sprintf(" (in function %s::%s, called by node %q)", f.Domain, f.Name, c.n.Name)
	}
	for i := range c.n.Outputs {
		if v := b.lookup(f.Outputs[i]); v != nil && !v.absent {
			c.outs[i] = v
		}
	}
}

// resolve replaces a reference to an attribute of the enclosing function; nil when
// the call leaves it out.
func (s *scope) resolve(a *onnx.Attr) *onnx.Attr {
	if a == nil || a.Ref == "" {
		return a
	}
	for _, v := range s.attrs {
		if v.Name == a.Ref {
			w := *v
			w.Name = a.Name
			return &w
		}
	}
	return nil
}
