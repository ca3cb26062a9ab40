package ir

// This file holds what the compiler knows of an operator. The table of records is package
// codegen/op; a node of an operator without a record does not exist.

import (
	"shapecheck/codegen/isa"
	"shapecheck/onnx/inference"
	"shapecheck/onnx/schema"
	"shapecheck/symshape"
)

// Traits are properties of an operator that passes ask for.
type Traits uint32

// The traits.
const (
	// Pure: the results depend on operands and attributes alone, and nothing else happens.
	Pure Traits = 1 << iota
	// View: the first result is the first operand's elements in the same order.
	View
	// Pointwise: each element of the result depends on the elements of the operands that
	// broadcasting puts at its place. Expr says how.
	Pointwise
	// Reduction: some axes of the operand are folded.
	Reduction
	// Contraction: sums of products over common axes.
	Contraction
	// Injective: each element of the result is an element of an operand, at a place that is an
	// affine function of the result's.
	Injective
	// Commutative: the first two operands may be exchanged.
	Commutative
	// Effect: it must run once and in order: prints, calls of the host, random draws, writes of state.
	Effect
	// DataSized: the extents of results depend on elements of operands that are no sizes.
	DataSized
)

// A Record is what the compiler knows of an operator. One literal each, in the file of its
// family in codegen/op.
type Record struct {
	// Name and Domain are those of the schema, in the canonical form of the newest opset in use;
	// domain isa.MachineDomain for the compiler's own operators.
	Name, Domain string
	Traits       Traits
	// Unranked says that results may have a rank that only the run knows.
	Unranked bool
	// Sizes lists the operands that count as sizes only: when their elements are known, the
	// operand is not needed at run time.
	Sizes []int
	// InPlace gives, for a node, the operands whose memory the first result may take; nil: none.
	InPlace func(*Node) []int
	// Flops counts multiplications and additions as an expression over the node's sizes; nil: one
	// for each element of the first result.
	Flops func(*symshape.Pool, *Node) *symshape.Expr
	// Schema describes the operands, the results and the attributes.
	Schema *schema.Op
	// Check is the condition on a node's attributes beyond what the schema says; nil: none.
	Check func(schema.Attrs) error
	// Infer gives the results' types; nil: the operator's rule in onnx/inference.
	Infer func(*Module, *Node) ([]inference.Type, error)
	// Opcode is the instruction; 0: the operator exists only before a rewrite, which Via names.
	Opcode isa.Op
	Via    string
	// Doc is one line with the specification's section.
	Doc string
}
