// Package check tells whether an ONNX model is well-formed: what ONNX's own checker
// (onnx.checker.check_model, of onnx 1.23) refuses is an error here, and what it takes
// is none. Types of values are not compared; that is the work of package inference.
//
//	check.go   Model, errors, graphs and functions   node.go   nodes and attributes
//	tensor.go  elements of tensors and sparse tensors
//
// Other than ONNX's checker it reports all that is wrong, not the first fault, and
// names the source line of a node when the model tells it.
package check

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"shapecheck/onnx"
)

// NewestIR is the newest version of the file format that is known.
const NewestIR = 14

// Limits on work, so that no file can keep the program busy.
const (
	maxErrors    = 50
	maxNest      = 100    // graphs within nodes of graphs
	maxFunctions = 10_000 // as ONNX's checker has it
	maxCalls     = 100    // functions that call functions; the same
)

// An Error is a fault of a model. All fields but Reason may be empty; the text has those that are
// there.
type Error struct {
	Node   string // the name of the node at fault; empty when it has none
	Op     string // its operator
	Value  string // the value, tensor or function at fault, when it is one
	Source string // where the node comes from in the source, when the file says it
	Reason string
	// NoRank says that an input or output of the model has a type without a shape.
	// ONNX's checker refuses that; runtimes take it, and a result whose rank depends on
	// data has no other type.
	NoRank bool
}

func (e *Error) Error() string {
	var at []string
	switch {
	case e.Node != "" && e.Op != "":
		at = append(at, fmt.Sprintf("node %q (%s)", e.Node, e.Op))
	case e.Node != "":
		at = append(at, fmt.Sprintf("node %q", e.Node))
	case e.Op != "":
		at = append(at, fmt.Sprintf("a %s node", e.Op))
	}
	if e.Value != "" {
		at = append(at, fmt.Sprintf("%q", e.Value))
	}
	out := e.Reason
	if len(at) > 0 {
		out = strings.Join(at, ", ") + ": " + out
	}
	if e.Source != "" {
		out = e.Source + ": " + out
	}
	return out
}

// Model checks a model. The list is empty when it is well-formed, and ends after 50
// faults. Its time is linear in the model, with nesting and calls of functions bounded.
func Model(m *onnx.Model) []*Error {
	c := &checker{ir: m.IRVersion}
	c.model(m)
	return c.errs
}

// node is what errors are about at the moment, which saves handing it to each check.
type checker struct {
	ir    int64
	errs  []*Error
	node  *onnx.Node // that is looked at; nil outside of nodes
	depth int
	// inner is set within subgraphs, where values need no types.
	inner bool
}

// full reports whether enough was found.
func (c *checker) full() bool { return len(c.errs) >= maxErrors }

func (c *checker) errorf(value, format string, args ...any) {
	if c.full() {
		return
	}
	e := &Error{Value: value, Reason: fmt.Sprintf(format, args...)}
	if n := c.node; n != nil {
		e.Node, e.Op, e.Source = n.Name, n.Op, onnx.SourceOf(n)
	}
	c.errs = append(c.errs, e)
}

// imports are versions by domain. A domain that stands twice counts as its last entry.
type imports map[string]int64

// version finds the version of a node's domain. The standard domain may be imported
// under both of its names; a node that uses the long one needs that import.
func (i imports) version(domain string) (int64, bool) {
	v, ok := i[domain]
	if !ok && domain == "" {
		v, ok = i["ai.onnx"]
	}
	return v, ok
}

func (c *checker) imports(list []onnx.Opset) imports {
	out := imports{}
	for _, o := range list {
		if o.Version != int64(int32(o.Version)) {
			c.errorf("", "version %d of domain %q is out of range", o.Version, o.Domain)
		}
		out[o.Domain] = o.Version
	}
	return out
}

// A model without opset_import is legal only before version 3 of the format, where it means
// version 1 of the standard operators. Functions exist from version 8 on.
func (c *checker) model(m *onnx.Model) {
	switch {
	case m.IRVersion == 0:
		c.errorf("", "the model has no ir_version")
	case m.IRVersion > NewestIR:
		c.errorf("", "ir_version %d is newer than %d, the newest that is known", m.IRVersion, NewestIR)
	}
	seen := map[string]bool{}
	for _, e := range m.Metadata {
		if seen[e.Key] {
			c.errorf("", "the metadata has the key %q twice", e.Key)
		}
		seen[e.Key] = true
	}
	ops := c.imports(m.Opsets)
	switch {
	case m.IRVersion >= 3 && len(ops) == 0:
		c.errorf("", "the model does not say which versions of operators it uses (opset_import)")
	case m.IRVersion < 3 && len(ops) > 0:
		c.errorf("", "a model of ir_version %d cannot say which versions of operators it uses (opset_import)", m.IRVersion)
	case len(ops) == 0:
		ops[""] = 1
	}
	if m.Graph == nil {
		c.errorf("", "the model has no graph")
		return
	}
	c.graph(m.Graph, nil, ops)
	if m.IRVersion >= 8 {
		c.functions(m, ops)
	}
}

// names are the values that are in scope. Subgraphs see the values of the graphs around them, so
// scopes are a list from the inside.
type names struct {
	own   map[string]bool
	outer *names
}

func (n *names) has(name string) bool {
	for ; n != nil; n = n.outer {
		if n.own[name] {
			return true
		}
	}
	return false
}

// graph checks a graph: each value has one maker, which comes before its users; names are those of the graph
// and of the graphs around it.
func (c *checker) graph(g *onnx.Graph, outer *names, ops imports) {
	if c.depth++; c.depth > maxNest {
		c.errorf("", "graphs nest deeper than %d", maxNest)
	}
	defer func() { c.depth-- }()
	if c.full() || c.depth > maxNest {
		return
	}
	if g.Name == "" {
		c.errorf("", "a graph has no name")
	}
	scope := &names{map[string]bool{}, outer}
	for _, v := range g.Inputs {
		c.valueInfo(v)
		if scope.own[v.Name] {
			c.errorf(v.Name, "two inputs of the graph have this name")
		}
		scope.own[v.Name] = true
	}
	for _, v := range g.Outputs {
		c.valueInfo(v)
	}
	c.initializers(g, scope)
	for _, n := range g.Nodes {
		if c.full() {
			return
		}
		for _, in := range n.Inputs {
			if in != "" && !scope.has(in) {
				c.at(n, func() {
					c.errorf(in, "no node before this one makes the value, and it is no input of the graph")
				})
			}
		}
		c.at(n, func() { c.checkNode(n, scope, ops) })
		for _, out := range n.Outputs {
			if out == "" {
				continue
			}
			if scope.has(out) {
				c.at(n, func() { c.errorf(out, "the value has been made before: each name is given once") })
			}
			scope.own[out] = true
		}
	}
	for _, v := range g.Outputs {
		if !scope.own[v.Name] {
			c.errorf(v.Name, "nothing in the graph makes this output")
		}
	}
}

// at runs f with the node as the one that errors are about.
func (c *checker) at(n *onnx.Node, f func()) {
	old := c.node
	c.node = n
	f()
	c.node = old
}

// From version 4 on an initializer need not be an input. Names are unique among dense and sparse
// ones together.
func (c *checker) initializers(g *onnx.Graph, scope *names) {
	seen := map[string]bool{}
	once := func(name string) {
		switch {
		case name == "":
			c.errorf("", "an initializer has no name")
		case seen[name]:
			c.errorf(name, "two initializers have this name")
		}
		seen[name] = true
	}
	for _, t := range g.Initializers {
		once(t.Name)
		c.tensor(t)
		if c.ir <= 3 && !scope.own[t.Name] {
			c.errorf(t.Name, "before ir_version 4 an initializer must be an input of the graph, too")
		}
		scope.own[t.Name] = true
	}
	for _, s := range g.SparseInitializers {
		name := ""
		if s.Values != nil {
			name = s.Values.Name
		}
		once(name)
		c.sparse(s)
		scope.own[name] = true
	}
}

// valueInfo checks an input or output of a graph. Only inputs and outputs of the model need a
// type; those of subgraphs may leave it out.
func (c *checker) valueInfo(v *onnx.ValueInfo) {
	if v.Name == "" {
		c.errorf("", "an input or output of a graph has no name")
	}
	if c.inner {
		return
	}
	if v.Type == nil {
		c.errorf(v.Name, "an input or output of the model has no type")
		return
	}
	switch t := v.Type; t.Kind {
	case onnx.TensorType, onnx.SparseTensorType:
		if t.Elem == onnx.Undefined {
			c.errorf(v.Name, "the type does not say the element type")
		}
		if t.Shape == nil && !c.full() {
			c.errorf(v.Name, "the type of an input or output of the model has no shape")
			c.errs[len(c.errs)-1].NoRank = true
		}
	case onnx.SequenceType, onnx.OptionalType:
		if t.Of == nil {
			c.errorf(v.Name, "the type does not say of what it is")
		}
	case onnx.MapType:
		if t.Key == onnx.Undefined || t.Of == nil {
			c.errorf(v.Name, "the type of a map lacks that of keys or values")
		}
	case onnx.OpaqueType:
	default:
		c.errorf(v.Name, "the type is of no kind")
	}
}

// functions checks the model's local functions. Versions of domains that only a function imports
// are added to the model's, to compare them.
func (c *checker) functions(m *onnx.Model, ops imports) {
	if len(m.Functions) > maxFunctions {
		c.errorf("", "the model has %d functions, more than %d", len(m.Functions), maxFunctions)
		return
	}
	all := imports{}
	for d, v := range ops {
		all[d] = v
	}
	for _, f := range m.Functions {
		for _, o := range f.Opsets {
			if _, ok := all[o.Domain]; !ok {
				all[o.Domain] = o.Version
			}
		}
	}
	c.calls(m.Functions)
	for _, f := range m.Functions {
		if c.full() {
			return
		}
		c.function(f, all)
	}
}

// function checks a local function: its inputs and outputs are names, its attributes are declared, and it sees
// nothing of the graphs that call it.
func (c *checker) function(f *onnx.Function, model imports) {
	if f.Name == "" {
		c.errorf("", "a function has no name")
	}
	ops := c.imports(f.Opsets)
	scope := &names{own: map[string]bool{}}
	for _, in := range f.Inputs {
		if scope.own[in] {
			c.errorf(in, "function %s has two inputs of this name", f.Name)
		}
		scope.own[in] = true
	}
	twice := func(list []string, what string) {
		seen := map[string]bool{}
		for _, name := range list {
			if seen[name] {
				c.errorf(name, "function %s has two %s of this name", f.Name, what)
			}
			seen[name] = true
		}
	}
	twice(f.Outputs, "outputs")
	twice(f.Attrs, "attributes")
	for _, n := range f.Nodes {
		if c.full() {
			return
		}
		c.at(n, func() {
			for _, in := range n.Inputs {
				if in != "" && !scope.own[in] {
					c.errorf(in, "no node of function %s before this one makes the value, and it is no input of the function", f.Name)
				}
			}
			c.compatible(n, ops, model)
			c.checkNode(n, scope, ops)
			for _, out := range n.Outputs {
				if out == "" {
					continue
				}
				if scope.own[out] {
					c.errorf(out, "the value has been made before: each name is given once")
				}
				scope.own[out] = true
			}
		})
	}
}

// functionKey names a function as nodes call it.
func functionKey(domain, name, overload string) string {
	return domain + "\x00" + name + "\x00" + overload
}

// calls finds functions that are defined twice, that call themselves, or whose calls nest
// too deeply. It is a depth-first search with three states of a function (unseen, open, done with
// its height); an edge to an open one is a cycle. Heights bound the depth of inlining.
func (c *checker) calls(list []*onnx.Function) {
	index := map[string]int{}
	for i, f := range list {
		k := functionKey(f.Domain, f.Name, f.Overload)
		if _, ok := index[k]; ok {
			c.errorf(f.Name, "the function is defined twice")
			continue
		}
		index[k] = i
	}
	callees := make([][]int, len(list))
	for i, f := range list {
		eachNode(f.Nodes, 0, func(n *onnx.Node) {
			if j, ok := index[functionKey(n.Domain, n.Op, n.Overload)]; ok && !slices.Contains(callees[i], j) {
				callees[i] = append(callees[i], j)
			}
		})
	}
	const unseen, open = 0, math.MaxInt32
	height := make([]int, len(list)) // of the calls below a function, once it is known
	var visit func(i, depth int) bool
	visit = func(i, depth int) bool {
		if depth > maxCalls {
			c.errorf(list[i].Name, "calls of functions nest deeper than %d", maxCalls)
			return false
		}
		height[i] = open
		h := 1
		for _, j := range callees[i] {
			switch {
			case height[j] == open:
				c.errorf(list[j].Name, "the function calls itself")
				return false
			case height[j] == unseen && !visit(j, depth+1):
				return false
			}
			h = max(h, height[j]+1)
		}
		if h > maxCalls {
			c.errorf(list[i].Name, "calls of functions nest deeper than %d", maxCalls)
			return false
		}
		height[i] = h
		return true
	}
	for i := range list {
		if height[i] == unseen && !visit(i, 1) {
			return
		}
	}
}

// eachNode calls f for nodes and those of their subgraphs.
func eachNode(list []*onnx.Node, depth int, f func(*onnx.Node)) {
	if depth > maxNest {
		return
	}
	for _, n := range list {
		f(n)
		n.Subgraphs(func(_ string, g *onnx.Graph) { eachNode(g.Nodes, depth+1, f) })
	}
}
