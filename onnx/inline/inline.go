// Package inline replaces calls of model-local functions by their bodies, for the compiler, which knows operators alone,
// and for exports that want none. A function in other versions of the operators than the model's stays: its nodes would
// change their meaning.
package inline

import (
	"context"
	"fmt"
	"slices"

	"shapecheck/onnx"
)

// maxSize bounds the result, in bytes of names and nodeSize for each node:
// functions that call functions can double it with each level.
const (
	maxSize  = 64 << 20
	nodeSize = 128
)

// maxDepth bounds the nesting of calls; a function may not call itself.
const maxDepth = 200

// Model replaces the calls of all model-local functions, also in subgraphs and in
// one another, and drops the functions. References to attributes get the call's
// values, or the function's defaults, or vanish. Values, nodes and subgraphs of a
// body get names of their own. A function whose operator versions are others than
// the model's cannot be inlined; it stays, with its calls, and is returned.
func Model(ctx context.Context, m *onnx.Model) (kept []*onnx.Function, err error) {
	in := &inliner{ctx: ctx, functions: map[key]*onnx.Function{}, taken: map[string]bool{}, numbers: map[string]int{}}
	for _, f := range m.Functions {
		k := keyOf(f.Domain, f.Name, f.Overload)
		if in.functions[k] != nil {
			return nil, fmt.Errorf("function %s::%s is defined twice", f.Domain, f.Name)
		}
		in.functions[k] = f
	}
	for changed := true; changed; { // what calls a function that stays may still be inlined
		changed = false
		for k, f := range in.functions {
			if !compatible(f, m) {
				delete(in.functions, k)
				kept = append(kept, f)
				changed = true
			}
		}
	}
	in.takeGraph(m.Graph)
	if m.Graph.Nodes, err = in.nodes(m.Graph.Nodes, &m.Graph.Values, 0); err != nil {
		return nil, err
	}
	slices.SortFunc(kept, func(a, b *onnx.Function) int { return slices.Index(m.Functions, a) - slices.Index(m.Functions, b) })
	for _, f := range kept { // their bodies may call what was inlined elsewhere
		if f.Nodes, err = in.nodes(f.Nodes, &f.Values, 0); err != nil {
			return nil, err
		}
	}
	m.Functions = kept
	m.Opsets = slices.DeleteFunc(m.Opsets, func(o onnx.Opset) bool { return in.emptied(m, o.Domain) })
	return kept, nil
}

type key struct{ domain, name, overload string }

func keyOf(domain, name, overload string) key {
	return key{onnx.StandardDomain(domain), name, overload}
}

type inliner struct {
	ctx       context.Context
	functions map[key]*onnx.Function
	taken     map[string]bool // names of values, nodes and graphs
	numbers   map[string]int  // the last number given to a name
	stack     []*onnx.Function
	size      int
}

// compatible reports whether the versions of the operators of f are the model's.
func compatible(f *onnx.Function, m *onnx.Model) bool {
	for _, o := range f.Opsets {
		if v := m.Opset(o.Domain); v != 0 && v != o.Version {
			return false
		}
	}
	for _, o := range f.Opsets { // a domain that only the function uses becomes the model's
		if m.Opset(o.Domain) == 0 {
			m.Opsets = append(m.Opsets, o)
		}
	}
	return true
}

// emptied reports whether a domain had only functions, which are gone.
func (in *inliner) emptied(m *onnx.Model, domain string) bool {
	had := false
	for k := range in.functions {
		had = had || k.domain == onnx.StandardDomain(domain)
	}
	return had && !usesDomain(m, domain)
}

// usesDomain reports whether a node anywhere in the model, its functions and subgraphs included,
// is of the domain.
func usesDomain(m *onnx.Model, domain string) bool {
	var uses func(nodes []*onnx.Node) bool
	uses = func(nodes []*onnx.Node) bool {
		for _, n := range nodes {
			found := onnx.StandardDomain(n.Domain) == onnx.StandardDomain(domain)
			n.Subgraphs(func(_ string, g *onnx.Graph) { found = found || uses(g.Nodes) })
			if found {
				return true
			}
		}
		return false
	}
	for _, f := range m.Functions {
		if uses(f.Nodes) {
			return true
		}
	}
	return uses(m.Graph.Nodes)
}

// takeGraph notes the names that are in use.
func (in *inliner) takeGraph(g *onnx.Graph) {
	in.taken[g.Name] = true
	for _, list := range [][]*onnx.ValueInfo{g.Inputs, g.Outputs, g.Values} {
		for _, v := range list {
			in.taken[v.Name] = true
		}
	}
	for _, t := range g.Initializers {
		in.taken[t.Name] = true
	}
	for _, n := range g.Nodes {
		in.taken[n.Name] = true
		for _, o := range n.Outputs {
			in.taken[o] = true
		}
		n.Subgraphs(func(_ string, g *onnx.Graph) { in.takeGraph(g) })
	}
}

// errSize says that the result is too large.
var errSize = fmt.Errorf("inlining the functions gives more than %d MB of nodes", maxSize>>20)

// fresh returns a name that is free: name, or name with a number.
func (in *inliner) fresh(name string) string {
	in.size += len(name)
	s := name
	for in.taken[s] {
		in.numbers[name]++
		s = fmt.Sprintf("%s_%d", name, in.numbers[name])
	}
	in.taken[s] = true
	return s
}

// nodes inlines the calls in a list of nodes; types of new values go to values.
func (in *inliner) nodes(list []*onnx.Node, values *[]*onnx.ValueInfo, depth int) ([]*onnx.Node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("functions and subgraphs nest deeper than %d", maxDepth)
	}
	out := make([]*onnx.Node, 0, len(list))
	for _, n := range list {
		if err := in.ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		n.Subgraphs(func(_ string, g *onnx.Graph) {
			if err == nil {
				g.Nodes, err = in.nodes(g.Nodes, &g.Values, depth+1)
			}
		})
		if err != nil {
			return nil, err
		}
		f := in.functions[keyOf(n.Domain, n.Op, n.Overload)]
		if f == nil {
			out = append(out, n)
			continue
		}
		body, err := in.expand(n, f, values, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, body...)
	}
	return out, nil
}

// expand returns the body of f for the call n.
func (in *inliner) expand(n *onnx.Node, f *onnx.Function, values *[]*onnx.ValueInfo, depth int) ([]*onnx.Node, error) {
	if slices.Contains(in.stack, f) {
		return nil, fmt.Errorf("function %s::%s calls itself", f.Domain, f.Name)
	}
	if len(n.Inputs) > len(f.Inputs) || len(n.Outputs) > len(f.Outputs) {
		return nil, fmt.Errorf("node %q calls %s::%s with %d inputs and %d outputs; it has %d and %d", n.Name, f.Domain, f.Name, len(n.Inputs),
			len(n.Outputs), len(f.Inputs), len(f.Outputs))
	}
	if in.size += nodeSize * len(f.Nodes); in.size > maxSize {
		return nil, errSize
	}
	in.stack = append(in.stack, f)
	defer func() { in.stack = in.stack[:len(in.stack)-1] }()
	s := &scope{in: in, prefix: prefixOf(n), names: map[string]string{}, attrs: map[string]*onnx.Attr{}, doc: n.Doc, meta: n.Metadata}
	for i, formal := range f.Inputs {
		s.names[formal] = ""
		if i < len(n.Inputs) {
			s.names[formal] = n.Inputs[i]
		}
	}
	for _, a := range f.Defaults {
		s.attrs[a.Name] = a
	}
	for _, a := range n.Attrs {
		s.attrs[a.Name] = a
	}
	// A result keeps the call's name, unless it is an input or stands twice: then
	// an Identity gives it the name.
	var after []*onnx.Node
	for i, formal := range f.Outputs {
		if i >= len(n.Outputs) || n.Outputs[i] == "" {
			continue
		}
		if _, bound := s.names[formal]; !bound {
			s.names[formal] = n.Outputs[i]
			continue
		}
		after = append(after, &onnx.Node{Op: "Identity", Name: in.fresh(s.prefix + "Identity"), Inputs: []string{formal},
			Outputs: []string{n.Outputs[i]}, Doc: n.Doc})
	}
	body := s.copyNodes(f.Nodes)
	for _, id := range after {
		id.Inputs[0] = s.use(id.Inputs[0])
	}
	for _, v := range f.Values {
		if name, ok := s.names[v.Name]; ok && name != "" && !slices.Contains(f.Inputs, v.Name) && !slices.Contains(f.Outputs, v.Name) {
			w := *v
			w.Name = name
			*values = append(*values, &w)
		}
	}
	body, err := in.nodes(append(body, after...), values, depth)
	if err != nil {
		return nil, err
	}
	return body, nil
}

// prefixOf is what the names of a body start with: the call's own name.
func prefixOf(n *onnx.Node) string {
	if n.Name != "" {
		return n.Name + "/"
	}
	for _, o := range n.Outputs {
		if o != "" {
			return o + "/"
		}
	}
	return n.Op + "/"
}
