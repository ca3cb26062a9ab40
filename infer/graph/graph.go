// Package graph is the typed graph: the SSA record of the tensor and sequence
// operations that a run met, with regions for conditions and loops.
//
// A Value is defined once, by the Node that has it among its outputs, by a
// Region whose parameter it is, or by the Graph (an input, a parameter of the
// model, a constant). Nodes carry every argument of the call as it was bound, so
// that lowering needs nothing else. It is visible after its definition, in the
// region of the definition and the regions inside. Open graph.go for the data,
// operand.go for the arguments of nodes, traits.go for what is said of operations,
// builtin.go for the graph's own operations, build.go for the Builder that the
// interpreter drives, export.go for how values leave their regions, prune.go for what
// nobody needs, clone.go for copies, verify.go for the invariants and print.go for the
// text form.
//
// # Numbers
//
// Operands may be expressions and conditions over symbols (Dim, Real,
// Cond). A symbol is a size of an input, or a size of a value whose type
// shows it, or it is bound by a Value of ScalarKind whose Symbol it is; then it is
// visible where that value is. A condition is bound as a number that is 1 or 0.
// These nodes bind what data decides:
//
//	item(input)   the element of a tensor with one element, as an int (rounded towards zero)
//	truth(input)  1 where the element of a tensor with one element is not 0, else 0
//
// # Conditions
//
// A node "if" has one argument, cond: a *Value (a tensor with one element, or a
// number; true unless it is 0), a Cond or a Bool. Its two regions, then
// and else, have no parameters. Output i is result i of the region that runs. A
// result that is None gives nothing: the output is of OptionalKind where it is a
// tensor. Whatever uses it is reached only when it holds a tensor, or asks whether
// it does.
//
// # Loops
//
// A node "loop" has the arguments trips and init, and one region, the body.
//
//	trips    the largest number of iterations, a Dim or Int; None: there is no bound
//	init     a List: what the carried values are before the first iteration
//	body     parameters: the number of the iteration (from 0; ScalarKind), then the
//	         carried values; results: whether another iteration follows (a Bool, a
//	         *Value or a Cond), then the carried values for that iteration
//	outputs  the carried values after the last iteration: those of init when there
//	         was none
//
// So a carried value has the same place in init, in the outputs and, one later, in
// the parameters and results of the body. This is ONNX's Loop without scan outputs
// whose first condition is true: the test of a "while" is part of the body. A loop
// that can be left in the middle (a test that fails, break, return) carries a number
// that says where: 0 for another iteration, k for the k-th exit; the code after the
// loop compares it. What only exists after an exit is carried as an optional value
// that is None at first. A list to which iterations append is carried as a sequence:
//
//	sequence.append(input, element), sequence.concat(input, other), sequence.at(input, index)
//	sequence.insert(input, element, index), sequence.erase(input, index)
//	sequence.slice(input, start, step, length): the elements start, start+step, …, length of them
//
// # Initialisation
//
// Setup also says what constructors write into parameters. These nodes have no
// outputs and the arguments self, whose memory they write to, and args, a Tuple:
//
//	init.share(tensor)     self has the memory of the tensor: Parameter(tensor), x.data = tensor
//	init.copy(tensor)      self gets the tensor's elements
//	init.unknown(reason)   the elements come from outside the program: a checkpoint
//	init.uniform(low, high), init.kaiming_uniform(a, mode, nonlinearity), …
//
// The last are the functions of torch.nn.init without the final "_" (package
// lower/initial lists them), which Chainer's initializers are written as; init.uniform_fan(weight) fills a bias within 1/√fan of
// its weight. Lowering passes over them.
package graph

import (
	"cmp"
	"slices"

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
	// Supposed are leading dimensions of which only one number is being tried: texts show them as unknown.
	Supposed int
	// Device is "cpu", "cuda:0", "meta" …; empty when it does not matter.
	Device string
	// Strides in elements; nil means contiguous (row-major).
	Strides []*symshape.Expr
}

// EachSize calls do with each size that is known to be there: its number, or the symbols of one that is none.
func (t *TensorType) EachSize(do func(n int64, isNumber bool, symbols []string)) {
	t.Shape.EachSize(do)
}

// Overlaps reports whether elements of a view are one place in memory, as those of overlapping windows.
// Sizes that are not numbers are taken to be more than one.
func (t *TensorType) Overlaps() bool {
	if t.Strides == nil || !t.Ranked {
		return false
	}
	type axis struct{ size, step int64 }
	axes := make([]axis, 0, len(t.Shape))
	for i, d := range t.Shape {
		n, known := d.Const()
		if !known {
			n = 2
		}
		if s := t.Strides[i]; n > 1 && s != nil {
			if step, known := s.Const(); known {
				axes = append(axes, axis{n, max(step, -step)})
			}
		}
	}
	slices.SortFunc(axes, func(a, b axis) int { return cmp.Compare(a.step, b.step) })
	reach := int64(0)
	for _, a := range axes {
		if a.step <= reach {
			return true
		}
		reach += a.step * (a.size - 1)
	}
	return false
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
	s := t.Shape[min(t.Supposed, len(t.Shape)):].String()
	switch {
	case t.Ranked && t.Supposed == 0:
		return d + s
	case len(t.Shape) <= t.Supposed:
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
	// Calls are, for a parameter whose sizes At does not write out, the calls around At
	// that gave the constructor its arguments, innermost first.
	Calls []source.Span
	// Trues is the number of elements that are not zero, a symbol that data
	// decide; nil until a function needs it. Whatever selects by one mask has one
	// size.
	Trues *symshape.Expr
	// Symbol is, for a value of ScalarKind, the symbol that stands for it in the
	// operands of other nodes; nil for a number that only nodes use.
	Symbol *symshape.Expr
	// Length is, for a value of SequenceKind, the symbol of its number of elements;
	// nil where other values give that.
	Length *symshape.Expr
	// Base is the value whose memory this one shares: it is a view of it, or what
	// became of it in place. Nil: it has memory of its own.
	Base *Value
	// Elems bounds the elements of a tensor of integers; nil where not known.
	Elems *ElemRange
}

// An ElemRange is the least and the greatest element of a tensor; both occur.
type ElemRange struct{ Least, Most symshape.Dim }

// A Node is one operation.
type Node struct {
	Op string // canonical name of the op record, or a built-in operation
	// Form, Spatial and Is are those of the record: see traits.go.
	Form    Form
	Spatial uint8
	Is      Traits
	Called  string // the name by which the record was called: it may have several
	Args    []Arg
	Outputs []*Value
	// Computed are the element types in which the outputs are computed, before they
	// are converted into those of the tensors that they are written into; nil, and
	// dtype.Unknown, where nothing is converted.
	Computed []dtype.DType
	Regions  []*Region // "if": then, else; "loop": body
	At       source.Span
	Module   string // path of the module whose forward made the call: "layer1.0.conv1"
	Lib      bool   // library code made the call: nn.MSELoss, not the user
}

// A Region is a straight sequence of nodes with parameters and results.
type Region struct {
	Params  []*Value
	Nodes   []*Node
	Results []Operand
	depth   int // how many regions are around it
}

// A Graph is the record of one entry.
type Graph struct {
	Inputs []*Value
	// Numbers are symbols that stand for integers among the entry's arguments.
	Numbers []*symshape.Expr
	Params  []*Value // parameters and buffers of the model that were used
	// Setup holds what ran before the entry was called: the loading of modules and
	// the constructors. Values of it are free in Body.
	Setup *Region
	Body  *Region
	// Output is what the entry returned.
	Output Operand
	// Returned is the statement that returned it; the zero Span when there is none.
	Returned source.Span
	// Incomplete lists what the graph does not show in full.
	Incomplete []Gap
}

// A Gap is a place that the graph does not show in full.
type Gap struct {
	At  source.Span
	Why string
}
