// Package graph is the typed graph: the SSA record of the tensor and sequence
// operations that a run met, with regions for conditions and loops.
//
// A Value is defined once, by the Node that has it among its outputs, by a
// Region whose parameter it is, or by the Graph (an input, a parameter of the
// model, a constant). Nodes carry every argument of the call as it was bound, so
// that lowering needs nothing else. Open graph.go for the data, build.go for
// the Builder that the interpreter drives, verify.go for the invariants and
// print.go for the text form.
package graph

import (
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A TensorType is what is known of a tensor. The zero value knows nothing.
type TensorType struct {
	DType  dtype.DType // dtype.Unknown when not known
	Ranked bool        // whether the number of dimensions is known
	// Shape holds all dimensions of a ranked tensor, and of an unranked one the
	// trailing dimensions that are known: f32[*,3] has one.
	Shape symshape.Shape
	// Device is "cpu", "cuda:0", "meta" …; empty when it does not matter.
	Device string
	// Strides in elements; nil means contiguous (row-major).
	Strides []*symshape.Expr
}

// Rank returns the number of dimensions, or -1 when it is unknown.
func (t *TensorType) Rank() int {
	if !t.Ranked {
		return -1
	}
	return len(t.Shape)
}

// String gives the type string of design §10: f32[bsize,3], f32[*,3] when only
// trailing dimensions are known, ?[…] for an unknown dtype.
func (t *TensorType) String() string {
	d := "?"
	if t.DType != dtype.Unknown {
		d = t.DType.String()
	}
	s := t.Shape.String()
	switch {
	case t.Ranked:
		return d + s
	case len(t.Shape) == 0:
		return d + "[*]"
	}
	return d + "[*," + s[1:]
}

// A Kind says what a Value holds.
type Kind uint8

const (
	TensorKind   Kind = iota
	SequenceKind      // a list of tensors of unknown length
	ScalarKind        // a Python number that is computed from tensors or sizes
	OptionalKind      // a tensor or None
)

// A Value is one SSA value.
type Value struct {
	ID   int
	Name string // the user's name for it, or empty
	Kind Kind
	Type TensorType // of a sequence: of each element
	Def  *Node      // nil for graph inputs, model parameters and region parameters
	// At is the user's expression that made it: for a parameter of the model the
	// line that created the layer.
	At source.Span
	// Param says that this is a parameter or buffer of the model.
	Param bool
	// Trues is the number of elements that are not zero, a symbol that data
	// decide; nil until a function needs it. Whatever selects by one mask has one
	// size.
	Trues *symshape.Expr
	// Base is the value whose memory this one shares: it is a view of it, or what
	// became of it in place. Nil: it has memory of its own.
	Base *Value
}

// An Operand is an argument of a node: *Value, symshape.Dim, int64, float64,
// complex128, bool, string, dtype.DType, nil (None), Tuple, List, Dict, Slice,
// Ellipsis, a *symshape.Cond or symshape.Real that sizes decide, or Opaque.
type Operand any

// Python's containers and subscripts as operands.
type (
	List  []Operand
	Tuple []Operand
	// Dict is a dict with str keys, in order.
	Dict []Arg
	// Slice is start:stop:step of a subscript; nil is a part left out.
	Slice struct{ Start, Stop, Step Operand }
	// Ellipsis is the ... of a subscript.
	Ellipsis struct{}
	// Opaque is an object that the graph does not describe: its type's name.
	Opaque string
)

// An Arg is a bound argument.
type Arg struct {
	Name  string
	Value Operand
}

// A Node is one operation.
type Node struct {
	Op      string // canonical name of the op record, or "if", "loop"
	Args    []Arg
	Outputs []*Value
	Regions []*Region // "if": then, else; "loop": body
	At      source.Span
	Module  string // path of the module whose forward made the call: "layer1.0.conv1"
	Lib     bool   // library code made the call: nn.MSELoss, not the user
}

// A Region is a straight sequence of nodes with parameters and results.
type Region struct {
	Params  []*Value
	Nodes   []*Node
	Results []Operand
}

// A Graph is the record of one entry.
type Graph struct {
	Inputs []*Value
	Params []*Value // parameters and buffers of the model that were used
	// Setup holds what ran before the entry was called: the loading of modules and
	// the constructors. Values of it are free in Body.
	Setup *Region
	Body  *Region
	// Output is what the entry returned.
	Output Operand
	// Incomplete lists places whose control flow the graph does not show in full:
	// exits from the middle of loops of unknown length.
	Incomplete []source.Span
}

// Operands calls f for every *Value inside o, in order.
func Operands(o Operand, f func(*Value)) {
	switch o := o.(type) {
	case *Value:
		if o != nil {
			f(o)
		}
	case List:
		for _, e := range o {
			Operands(e, f)
		}
	case Tuple:
		for _, e := range o {
			Operands(e, f)
		}
	case Dict:
		for _, e := range o {
			Operands(e.Value, f)
		}
	case Slice:
		Operands(o.Start, f)
		Operands(o.Stop, f)
		Operands(o.Step, f)
	}
}
