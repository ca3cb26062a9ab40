package graph

// This file names what the readers of a graph (lint, summary, lowering, initial
// values) ask of an operation. The record of the operation says it (ops.Op), and
// each node carries it, so that no reader keeps a list of operations by name.

// A Form is what an operation computes, as far as somebody tells its steps apart:
// how the axes of the result follow from the operands, what it costs.
type Form uint8

const (
	NoForm Form = iota // element-wise work, reductions and all that nobody asks about

	// Layers with a weight.
	Linear     // input [.., in], weight [out, in]
	Bilinear   // input1 [.., a], input2 [.., b], weight [out, a, b]
	Conv       // input [N, C, spatial…], weight [out, in/groups, kernel…]
	ConvTransp // the same, weight [in, out/groups, kernel…]
	ConvTime   // input [T, N, C], weight [kernel, in, out]
	Embedding  // rows of the weight at the indices
	Recurrent  // LSTM, GRU and RNN over a sequence
	Cell       // one step of them
	Attention  // query [.., L, E], key [.., S, E], value [.., S, Ev]
	MultiHead  // attention with its projections, [L, N, E]

	// Products.
	MatMul      // matmul, mm, bmm: the first operand's last axis is summed over
	Product     // the same sum, with other rules for the axes: mv, dot, inner
	ProductOf   // the product is written y.op(x): the second operand's last axis
	AddProduct  // self + a @ b
	AddProducts // self + the sum of a batch of products a @ b
	Outer
	Einsum

	// Axes that move.
	Reshape   // the elements in their order under other sizes
	Transpose // two axes, dim0 and dim1, change places
	Permute
	Reverse   // the axes in the opposite order
	Rearrange // axes move otherwise, each with its size
	Squeeze   // axes of size 1 go
	Concat
	Stack
	Gather // elements at indices along dim
	GetItem
	SetItem
	Resize // axes are cut or padded, in their places

	// Element-wise work and reductions that lint rules or ONNX+ know.
	Arithmetic // +, -, *, /
	Comparison // ==, <, …
	Logic      // and, or
	Square
	SumTo // sums down to a shape that broadcasts to the input's
	Interpolate
	PadSequence
	Softmax   // probabilities along dim
	Normalize // vectors along dim get one length
	CrossEntropy
	NLL
	OneHot   // an axis of classes at the end
	Spectrum // frequencies and frames in place of the last axis
	BinaryEntropy
	LogitEntropy // binary entropy of scores, to which it applies sigmoid itself
	Sampling     // indices drawn by the weights along the last axis
	PairLoss     // of an input and a target of the same shape
)

// Traits are properties of an operation that readers of the graph ask for.
type Traits uint64

const (
	// View: the result shares the memory of an argument, always or for some arguments.
	View Traits = 1 << iota
	// Ordered: the result has all elements of the first argument in their order.
	Ordered
	// ViewIfStrided: it is a view if the strides allow the new shape, else a copy.
	ViewIfStrided
	// ViewIfContiguous: it is a view if the argument is contiguous, else a copy.
	ViewIfContiguous
	// MaybeSelf: it gives the argument itself where that is as asked for already: of
	// the dtype, on the device.
	MaybeSelf
	// Metadata: forms in place change how a tensor looks at its memory, not the memory.
	Metadata
	// Regrows: the result may have memory that the argument does not have.
	Regrows
	// Overwrites: forms in place do not read what they overwrite.
	Overwrites
	// Writes: it writes into its first argument, although its name does not say so.
	Writes

	// How a new array of NumPy lies in memory, which its strides and flags show. Of the rest that is not known.

	// NewInRows: in C order unless order= says otherwise, whatever the arguments are.
	NewInRows
	// NewCopy: in an order that the record computes from that of its argument and order=.
	NewCopy
	// NewElementwise: in the order of its operands, as order='K' is the default of universal functions.
	NewElementwise
	// NewIfRows: in C order where all arrays among its arguments are.
	NewIfRows

	// Uninitialised: the elements of the result are anything.
	Uninitialised

	// KeepsElements: the result has the elements of its first argument, each at least
	// once, and no others.
	KeepsElements
	// KeepsAxes: each axis of the input stays in its place, with its size or another:
	// an equal size of another axis is a coincidence.
	KeepsAxes
	// MergesAxes: sizes of the result may be products of the input's.
	MergesAxes
	// SizesGiven: the program writes the sizes of the result as the argument.
	SizesGiven

	// BatchFirst: the first axis is the batch, where the input has all its axes: two
	// more than Node.Spatial, or three or more if that is 0.
	BatchFirst
	// AlongDim: each element of the result depends on all elements along dim.
	AlongDim
	// ImplicitDim: PyTorch chooses dim where it is None.
	ImplicitDim
	// TimeFirst: reads a sequence, time in front unless batch_first says otherwise.
	TimeFirst
	// Loss: compares each sample with a target, and usually sums up.
	Loss
	// Commutes: the operands may be exchanged.
	Commutes
	// Drawn: random numbers of a given size, which stand for data where the program is tried out.
	Drawn
	// CutsGradient: the result requires no gradients, whatever the operands do.
	CutsGradient
	// StandIn: stands for what is not computed; nothing is known but the type.
	StandIn
	// Backward: computes the gradients of the operand's graph.
	Backward
	// Probability: each element of the result is between 0 and 1.
	Probability
	// Uncounted: multiplies matrices in a number that is not counted.
	Uncounted
	// Multiplies: each element is the product of one of each operand.
	Multiplies
	// Averages: the mean of elements.
	Averages
	// NormalizesLast: each group of the last axes gets mean 0 and variance 1.
	NormalizesLast
	// OneTensor: what it is given first is one tensor, no list of tensors; where it is called by
	// name, no number either.
	OneTensor
	// Combines: each element is made of one of each operand, which are alike in kind, as the two sides of
	// a skip connection are: a sum, a product, the greater of two; no comparison and no angle.
	Combines
)

// Has reports whether t has all of x.
func (t Traits) Has(x Traits) bool { return t&x == x }
