package graph

// This file holds the Builder, through which the interpreter records nodes.

import (
	"slices"

	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A Builder appends nodes to the current region of a graph. Conditions and
// loops open regions; a trial run may be discarded as a whole.
type Builder struct {
	graph  *Graph
	region *Region
	nextID int
	made   int // nodes
}

// NewBuilder returns a Builder for an empty graph.
func NewBuilder() *Builder {
	body := &Region{}
	return &Builder{graph: &Graph{Body: body}, region: body}
}

// Again returns a Builder that goes on from where b is, as b itself may: both have the nodes made so far, and neither
// those that the other adds. It must be called outside of all conditions and loops, before the entry.
func (b *Builder) Again() *Builder {
	body := &Region{Nodes: slices.Clone(b.graph.Body.Nodes), Params: b.graph.Body.Params}
	return &Builder{graph: &Graph{Body: body, Incomplete: slices.Clone(b.graph.Incomplete)}, region: body, nextID: b.nextID, made: b.made}
}

// Graph returns the graph that is built.
func (b *Builder) Graph() *Graph { return b.graph }

// NewValue returns a value that no node defines yet.
func (b *Builder) NewValue(kind Kind, t TensorType, at source.Span) *Value {
	b.nextID++
	return &Value{ID: b.nextID, Kind: kind, Type: t, At: at}
}

// Input adds an input of the graph.
func (b *Builder) Input(name string, t TensorType, at source.Span) *Value {
	v := b.NewValue(TensorKind, t, at)
	v.Name = name
	b.graph.Inputs = append(b.graph.Inputs, v)
	return v
}

// Emit appends a node and makes it the definition of its outputs. What a rule has read
// from its own outputs before its node was made (an element, its truth) comes after it.
func (b *Builder) Emit(n *Node) {
	for _, o := range n.Outputs {
		o.Def = n
	}
	nodes := append(b.region.Nodes, n)
	i := len(nodes) - 1
	for ; i > 0 && readsOutput(nodes[i-1], n); i-- {
		nodes[i] = nodes[i-1]
	}
	nodes[i] = n
	b.region.Nodes = nodes
	b.made++
}

// Made is how many nodes were made, those among them that were discarded.
func (b *Builder) Made() int { return b.made }

// readsOutput reports whether a node reads a number from an output of another.
func readsOutput(n, of *Node) bool {
	if n.Op != Item && n.Op != Truth {
		return false
	}
	v, ok := n.Args[0].Value.(*Value)
	return ok && v.Def == of
}

// Depth is how many regions are around the current one.
func (b *Builder) Depth() int { return b.region.depth }

// Enter makes r the current region and returns the one that was current.
func (b *Builder) Enter(r *Region) (outer *Region) {
	outer, b.region = b.region, r
	r.depth = outer.depth + 1
	return outer
}

// Leave makes outer the current region again.
func (b *Builder) Leave(outer *Region) { b.region = outer }

// Mark returns the length of the current region, for Discard.
func (b *Builder) Mark() int { return len(b.region.Nodes) }

// Discard drops the nodes of the current region after mark.
func (b *Builder) Discard(mark int) { b.region.Nodes = b.region.Nodes[:mark] }

// Region returns the current region.
func (b *Builder) Region() *Region { return b.region }

// Next returns a Builder for the graph of the entry itself: values made so far
// (parameters, buffers, constants of the constructor) stay valid as free values.
func (b *Builder) Next() *Builder {
	body := &Region{}
	return &Builder{graph: &Graph{Setup: b.graph.Body, Body: body}, region: body, nextID: b.nextID, made: b.made}
}

// Adopt makes an existing value an input of the graph.
func (b *Builder) Adopt(v *Value) { b.graph.Inputs = append(b.graph.Inputs, v) }

// Incomplete notes that a place is not shown in full, once for each.
func (b *Builder) Incomplete(at source.Span, why string) {
	for _, g := range b.graph.Incomplete {
		if g.At == at {
			return
		}
	}
	b.graph.Incomplete = append(b.graph.Incomplete, Gap{at, why})
}

// Scalar returns a value that stands for a number; sym may be nil.
func (b *Builder) Scalar(sym *symshape.Expr, at source.Span) *Value {
	v := b.NewValue(ScalarKind, TensorType{}, at)
	v.Symbol = sym
	return v
}

// Last is the ID of the newest value: later ones have greater IDs.
func (b *Builder) Last() int { return b.nextID }

// InSetup reports whether the entry is still to be called: the graph is that of
// modules and constructors.
func (b *Builder) InSetup() bool { return b.graph.Setup == nil }
