package ir

// This file makes modules and changes them, one step at a time. Everything here keeps the
// uses of values right; nothing else writes Ins, Results, Uses or Nodes.

import (
	"fmt"
	"slices"

	"shapecheck/onnx/inference"
	"shapecheck/onnx/schema"
	"shapecheck/symshape"
)

// NewModule makes an empty module over a pool.
func NewModule(name string, pool *symshape.Pool) *Module {
	return &Module{Name: name, Pool: pool, Main: &Graph{}, Consts: &Store{}, Places: &Places{}}
}

// NewGraph makes the body of a node that is yet to be made.
func (m *Module) NewGraph() *Graph { return &Graph{} }

// value makes a value.
func (m *Module) value(t inference.Type) *Value {
	m.Values++
	return &Value{ID: m.Values - 1, Type: t}
}

// AddParam appends a parameter to a graph.
func (m *Module) AddParam(g *Graph, name string, t inference.Type) *Value {
	v := m.value(t)
	v.Name, v.Param, v.Index = name, g, len(g.Params)
	g.Params = append(g.Params, v)
	return v
}

// RemoveParam takes the parameter out of a graph; nothing may use it.
func (g *Graph) RemoveParam(i int) {
	if len(g.Params[i].Uses) > 0 {
		panic(fmt.Sprintf("ir: parameter %%%d is removed and is still used", g.Params[i].ID))
	}
	g.Params = slices.Delete(g.Params, i, i+1)
	for k := i; k < len(g.Params); k++ {
		g.Params[k].Index = k
	}
}

// AddResult appends a result to a graph.
func (g *Graph) AddResult(v *Value) {
	g.Results = append(g.Results, v)
	v.Uses = append(v.Uses, Use{Graph: g, Index: len(g.Results) - 1})
}

// SetResult replaces a result of a graph.
func (g *Graph) SetResult(i int, v *Value) {
	g.Results[i].dropUse(Use{Graph: g, Index: i})
	g.Results[i] = v
	v.Uses = append(v.Uses, Use{Graph: g, Index: i})
}

// RemoveResult takes a result out of a graph.
func (g *Graph) RemoveResult(i int) {
	for k := i; k < len(g.Results); k++ {
		g.Results[k].dropUse(Use{Graph: g, Index: k})
	}
	g.Results = slices.Delete(g.Results, i, i+1)
	for k := i; k < len(g.Results); k++ {
		g.Results[k].Uses = append(g.Results[k].Uses, Use{Graph: g, Index: k})
	}
}

// A Spec says what node to make.
type Spec struct {
	Op       *Record
	Ins      []*Value
	Attr     schema.Attrs
	Graphs   []*Graph
	Captured int
	// Types are the results' types.
	Types []inference.Type
	From  Origin
	// Want says which results are wanted; nil: all.
	Want []bool
}

// AddNode makes a node and puts it into a graph, before another node of it, or at its end.
func (m *Module) AddNode(g *Graph, before *Node, s Spec) *Node {
	n := &Node{ID: m.Nodes, Op: s.Op, Attr: s.Attr, Graphs: s.Graphs, Captured: s.Captured, From: s.From, Graph: g}
	m.Nodes++
	for _, v := range s.Ins {
		n.AddInput(v)
	}
	for i, t := range s.Types {
		if s.Want != nil && !s.Want[i] {
			n.Outs = append(n.Outs, nil)
			continue
		}
		v := m.value(t)
		v.Def, v.Index = n, i
		n.Outs = append(n.Outs, v)
	}
	for _, sub := range s.Graphs {
		sub.Owner = n
	}
	at := len(g.Nodes)
	if before != nil {
		at = g.find(before)
	}
	g.Nodes = slices.Insert(g.Nodes, at, n)
	return n
}

func (g *Graph) find(n *Node) int {
	i := slices.Index(g.Nodes, n)
	if i < 0 {
		panic(fmt.Sprintf("ir: node %d is not in the graph", n.ID))
	}
	return i
}

// AddInput appends an operand; nil is an absent one.
func (n *Node) AddInput(v *Value) {
	n.Ins = append(n.Ins, v)
	if v != nil {
		v.Uses = append(v.Uses, Use{Node: n, Index: len(n.Ins) - 1})
	}
}

// SetInput replaces an operand.
func (n *Node) SetInput(i int, v *Value) {
	if old := n.Ins[i]; old != nil {
		old.dropUse(Use{Node: n, Index: i})
	}
	n.Ins[i] = v
	if v != nil {
		v.Uses = append(v.Uses, Use{Node: n, Index: i})
	}
}

// SetInputs replaces all operands.
func (n *Node) SetInputs(list []*Value) {
	for i, v := range n.Ins {
		if v != nil {
			v.dropUse(Use{Node: n, Index: i})
		}
	}
	n.Ins = nil
	for _, v := range list {
		n.AddInput(v)
	}
}

// AddOutput appends a result of a type; control nodes get them when bodies get results.
func (m *Module) AddOutput(n *Node, t inference.Type) *Value {
	v := m.value(t)
	v.Def, v.Index = n, len(n.Outs)
	n.Outs = append(n.Outs, v)
	return v
}

// RemoveOutput takes a result out of a node; nothing may use it.
func (n *Node) RemoveOutput(i int) {
	if v := n.Outs[i]; v != nil && len(v.Uses) > 0 {
		panic(fmt.Sprintf("ir: result %%%d is removed and is still used", v.ID))
	}
	n.Outs = slices.Delete(n.Outs, i, i+1)
	for k := i; k < len(n.Outs); k++ {
		if v := n.Outs[k]; v != nil {
			v.Index = k
		}
	}
}

func (v *Value) dropUse(u Use) {
	i := slices.Index(v.Uses, u)
	if i < 0 {
		panic(fmt.Sprintf("ir: value %%%d lacks a use", v.ID))
	}
	v.Uses = slices.Delete(v.Uses, i, i+1)
}

// ReplaceUses makes all that uses v use w instead.
func (v *Value) ReplaceUses(w *Value) {
	if v == w {
		return
	}
	for _, u := range slices.Clone(v.Uses) {
		if u.Node != nil {
			u.Node.SetInput(u.Index, w)
		} else {
			u.Graph.SetResult(u.Index, w)
		}
	}
}

// RemoveNode takes a node out of its graph, with its bodies; nothing may use its results.
func (m *Module) RemoveNode(n *Node) {
	for _, v := range n.Outs {
		if v != nil && len(v.Uses) > 0 {
			panic(fmt.Sprintf("ir: %s %%%d is removed and is still used", n.Op.Name, v.ID))
		}
	}
	g := n.Graph
	g.Nodes = slices.Delete(g.Nodes, g.find(n), g.find(n)+1)
	n.unlink()
}

// unlink ends the uses that a node and its bodies make of values.
func (n *Node) unlink() {
	n.SetInputs(nil)
	for _, sub := range n.Graphs {
		sub.Drop()
	}
	n.Graph = nil
}

// Reorder puts the nodes of a graph into another order, which is then that of the schedule.
// It panics when the list has not all nodes.
func (g *Graph) Reorder(list []*Node) {
	seen := make(map[*Node]bool, len(list))
	for i, n := range list {
		if n.Graph != g || seen[n] {
			panic(fmt.Sprintf("ir: node %d is not in the graph, or twice in its order", n.ID))
		}
		seen[n] = true
		n.Order = int32(i + 1)
	}
	if len(list) != len(g.Nodes) {
		panic(fmt.Sprintf("ir: an order of %d nodes has %d", len(g.Nodes), len(list)))
	}
	g.Nodes = slices.Clone(list)
}

// TakeNodes moves the nodes of another graph behind those of this one. What they use must
// be given to them.
func (g *Graph) TakeNodes(from *Graph) {
	for _, n := range from.Nodes {
		n.Graph = g
	}
	g.Nodes = append(g.Nodes, from.Nodes...)
	from.Nodes = nil
}

// Drop ends all uses that a graph which no node has makes of values.
func (g *Graph) Drop() {
	for len(g.Results) > 0 {
		g.RemoveResult(len(g.Results) - 1)
	}
	for _, n := range g.Nodes {
		n.unlink()
	}
	g.Nodes = nil
}

// Dead reports whether nothing uses a node's results.
func (n *Node) Dead() bool {
	for _, v := range n.Outs {
		if v != nil && len(v.Uses) > 0 {
			return false
		}
	}
	return true
}

// IsResult reports whether a value is a result of its graph.
func (v *Value) IsResult() bool {
	return slices.ContainsFunc(v.Uses, func(u Use) bool { return u.Node == nil })
}

// Single reports whether exactly one operand is the value, and no graph gives it out.
func (v *Value) Single() bool { return len(v.Uses) == 1 && v.Uses[0].Node != nil }

// Walk calls f for each graph, the bodies of a graph's nodes after the graph itself.
func (m *Module) Walk(f func(*Graph)) { walk(m.Main, f) }

func walk(g *Graph, f func(*Graph)) {
	f(g)
	for _, n := range slices.Clone(g.Nodes) {
		for _, sub := range n.Graphs {
			walk(sub, f)
		}
	}
}
