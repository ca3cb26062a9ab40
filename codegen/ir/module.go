package ir

// This file holds the graph.

import (
	"hash/maphash"

	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/onnx/schema"
	"shapecheck/symshape"
)

// A Module is a whole model.
type Module struct {
	Name string
	// Pool makes all size expressions of the module.
	Pool *symshape.Pool
	// Facts are what is known of the symbols: the model's ranges and contract, and what the
	// rules of inference added.
	Facts symshape.Facts
	// Contract are the conditions that a run checks before it starts.
	Contract []Condition
	Main     *Graph
	// Syms are the symbols in the order in which they are bound.
	Syms []Symbol
	// Ins and Outs are the ports; Ins[i] is Main.Params[i], Outs[i] is Main.Results[i].
	Ins, Outs []Port
	Consts    *Store
	Places    *Places
	// Metadata are the model's entries that programs keep.
	Metadata []onnx.Entry
	// Nodes and Values count what has been made: the next ID.
	Nodes, Values int32
}

// A Condition is a part of the contract with its reasons.
type Condition struct {
	Cond    *symshape.Cond
	Because []string
}

// A Symbol is a size that a run binds. Exactly one of the ways is used.
type Symbol struct {
	Expr *symshape.Expr // the symbol itself
	// Element says that the symbol is element number Axis of a small integer tensor, and not
	// the size of axis number Axis.
	Element bool
	// Port and Axis: the dimension of an input that is the symbol; Port is -1 for the other ways.
	Port, Axis int
	// Param is the parameter of a loop's body whose dimension Axis is the symbol, in each trip anew.
	Param *Value
	// Node binds the symbol when it runs: a dimension of one of its results is the symbol, or an
	// element of one.
	Node *Node
	// Upper bounds the symbol by what is bound before it; nil: by its range in the facts alone.
	Upper *symshape.Expr
}

// A Port is a named input or output.
type Port struct {
	Name string
	Type inference.Type
	// State is, for an input, 1 + the number of the output whose value it gets in a session's
	// next run; 0: none.
	State int
}

// A Graph is a body: of the module, an arm of an if, the body of a loop. It is closed: nodes
// use its parameters, its own values and constants.
type Graph struct {
	Owner   *Node // nil: the module
	Params  []*Value
	Results []*Value // each defined in the graph, a parameter or a constant
	// Nodes are in topological order, and after scheduling in that of the run.
	Nodes []*Node
}

// A Node is an operation.
type Node struct {
	ID int32
	Op *Record
	// Ins are the operands; nil is an absent one. Outs are the results; nil is one that nobody wants.
	Ins, Outs []*Value
	// Attr are the attributes, decoded by the record's schema, with defaults. They never change:
	// a rewrite makes new ones.
	Attr schema.Attrs
	// Graphs are: of an if, then and else; of a loop or scan, the body. Captured is how many of the
	// last operands are there because a body uses them: they are the last parameters of each body.
	Graphs   []*Graph
	Captured int
	From     Origin
	// Order is the place in the schedule, from 1; 0 before scheduling.
	Order int32
	// Reuse is 1 + the operand whose memory the first result has; 0: none.
	Reuse int
	Graph *Graph // the graph it is in
}

// A Value is what a node or a graph's parameter gives, or a constant.
type Value struct {
	ID int32
	// Name is the original model's; it need not be unique, and reports alone use it.
	Name string
	Type inference.Type
	// Const are the elements of a constant, which has no Def and belongs to no graph.
	Const *Const
	// Elems are the elements of a small integer tensor as far as they are known: nil, or one
	// expression for each element, of which each may be nil.
	Elems []*symshape.Expr
	// Info is all that inference knows, for making nodes; nil: Type and Elems.
	Info *inference.Value
	// Def is the node whose result number Index this is; nil: a parameter or a constant.
	Def   *Node
	Index int
	// Param is the graph whose parameter number Index this is; nil: another value.
	Param *Graph
	// Uses are the operands that are this value, each once, in the order in which they were made.
	Uses []Use
}

// A Use is one operand of one node, or one result of a graph.
type Use struct {
	Node  *Node  // nil: Graph's result
	Graph *Graph // nil: Node's operand
	Index int
}

// A Const is the elements of a constant. Two constants of equal type and elements are the
// same Const. It never changes.
type Const struct {
	// Tensor has the elements, in raw data or a source that is read when they are needed.
	Tensor *onnx.Tensor
	// Bytes is the size of the elements.
	Bytes int64
	// ID numbers the constants of a store in the order in which they came.
	ID int32
}

// A Store holds a module's constants, each content once. The zero Store is empty.
type Store struct {
	List []*Const
	// Bytes is the sum of all.
	Bytes int64

	contents map[content][]*Const
	seed     maphash.Seed
}
