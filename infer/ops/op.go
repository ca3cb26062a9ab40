// Package ops is the kernel of what shapecheck knows of library functions: what a
// record of one is, with its names, its signature and its rule, how calls of it are
// bound and checked, and what the rules of several libraries share. The records stand
// in a package for each library (torch, numpy, einops), in one file per family as array
// tables; package catalog finds them by any of their names.
//
// Op.Apply applies a record to arguments: it binds them to one of the signatures, runs
// the rule, records the node of the typed graph, and turns faults into diagnostics. A
// rule reads its arguments and makes its results by a Call. What only one library needs
// are functions in its package, with the Call as their first argument.
//
//	op.go         the record            node.go       its nodes in the typed graph
//	tracing.go    what tracers ask of it
//	library.go    what a library is     delegate.go   rules that use another library's
//	sig.go        signatures            bind.go       their binding
//	apply.go      Apply, in-place and out= forms
//	call.go       Call: the arguments as a rule reads them, and its results
//	operand.go    arguments as operands of the typed graph
//	valueonly.go  arguments that may be unknown
//	number.go     number arguments that must fit a dtype or a range
//	literal.go    Python data as elements of tensors
//	array.go      numpy's arrays and scalars as arguments
//	sparse.go     sparse tensors as arguments
//	keys.go       the keys of indexing
//	dims.go       comparing, unifying and broadcasting dimensions
//	pointwise.go  results of element-wise work
//	promote.go    type promotion               dtypeset.go   sets of dtypes
//	contents.go   elements of small tensors    elemrange.go  bounds of elements
//	arithmetic.go computing with elements      fold.go       reducing them
//	progression.go  the number of elements from a start to an end
//	property.go   sizes and bytes as a tensor tells them
//	strides.go    strides of views             device.go     devices
//	chain.go      the lines that made a size   faultaxes.go  the operands of a fault
package ops

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
)

// An Op is the record of one library function.
type Op struct {
	// Names are all spellings, the canonical one first: functions
	// ("torch.nn.functional.conv2d"), methods ("torch.Tensor.view") and, with the
	// suffix ".get", properties ("torch.Tensor.shape.get").
	Names []string
	// Sig holds the overloads in PyTorch's schema notation, separated by " | ".
	// See sig.go.
	Sig string
	// Sig1 holds the overloads in PyTorch 1.x where they differ, in the same order.
	Sig1 string
	// Rule computes the result: usually through c.Out for each tensor. After a
	// fault (c.Errorf) or a loss (c.Lose) what it returns does not matter.
	Rule func(c *Call) value.Value
	// InPlace says that the form with a trailing underscore exists.
	InPlace bool
	// Removed names, for a function that PyTorch 2 refuses to run, what takes its place.
	Removed string
	// Reshapes says that the in-place form takes the result's shape, as squeeze_
	// does; other in-place forms keep the tensor's own.
	Reshapes bool
	// Repeats says that the in-place form may write to a tensor of which several
	// elements are one place in memory, as expand makes them: it writes one number
	// to all it writes, or changes the view alone.
	Repeats bool
	// Out says that the functions take out=, except those of NoOut.
	Out   bool
	NoOut []string
	// ExactOut says that out= must have the result's dtype; otherwise the result
	// is converted.
	ExactOut bool
	// Pure results are Python values (sizes, booleans) that are not recorded in
	// the graph.
	Pure bool

	// Form, Spatial and Is say what the readers of the graph ask of the function:
	// see package graph.
	Form    graph.Form
	Spatial uint8
	Is      graph.Traits
	// Trace and Warns say what tracers ask of the function, and Floats which parameters PyTorch's
	// schema calls floats beside those that the signature does, or with a "-" not: a graph of
	// torch.compile has a number for them, and a symbol for other scalars.
	Trace  TraceTraits
	Warns  TracerWarning
	Floats string
	// Variant tells apart the functions that share a rule, where it treats them
	// differently; the files of the families name the values.
	Variant Variant
	// Creator says which function class makes the result, for a library that shows it to programs: see package chainer.
	Creator string
	// Quirks say how a call of it is bound and checked beside the rule.
	Quirks Quirks
	// Sparse says what it does with a sparse argument.
	Sparse SparseUse
	// Numbers are the number parameters that are converted to a dtype into which they
	// may not fit, and Ranges those that must lie within bounds.
	Numbers []Converted
	Ranges  []Span
	// ReadsData: an argument is nested data, of which each element is one number.
	ReadsData bool
	// Loose are parameters that may be unknown without the result being so.
	Loose string
	// Torch names, for a function of another library, the function of PyTorch that
	// computes the same, and for each of its parameters the one that is passed:
	// "torch.pow input=x1 exponent=x2".
	Torch string
	// Axes are what the axes of operands are called: "weight: out_features
	// in_features; bias: out_features". An operand may have several rows, one for each
	// number of axes; a first name "…" stands for any number of them.
	Axes string

	// Doc is one line: what it does and the source of the rule where it is not
	// PyTorch's documentation of the function itself.
	Doc string
}

// A Variant is one of several functions of one rule.
type Variant string

// Is reports whether the function is a variant of its rule.
func (c *Call) Is(v Variant) bool { return c.Op.Variant == v }

// Quirks are properties of a function that decide how its calls are bound and checked.
type Quirks uint32

const (
	// OneDevice: it refuses tensors on different devices. From native_functions.yaml:
	// all have kernels for CUDA that check their arguments, or go through
	// TensorIterator, which does. A CPU tensor without dimensions counts as a number
	// for most of them; here for all.
	OneDevice Quirks = 1 << iota
	// PlacesResult: its rule says on which device the result is.
	PlacesResult
	// OnFirst: the result is where the first argument is, whatever the others are for.
	OnFirst

	// NamedDims: an overload takes dimensions by name, for which None passes as a name,
	// so that another exception is raised.
	NamedDims
	// InPython: PyTorch defines it in Python, as all of torch.nn.functional and
	// torch.masked: it does not know numpy's names of parameters.
	InPython
	// Compiled: it is in torch.nn.functional and yet not defined in Python, as all forms in
	// place are: torch 2.15, types.BuiltinFunctionType.
	Compiled
	// PythonOperators: its operator methods are defined in Python and take numbers, too.
	PythonOperators
	// Declines: since PyTorch 2 its operator method gives NotImplemented when it is
	// called for what is no tensor.
	Declines
	// WholeWithoutOut: the first overload, of all elements, takes no out in PyTorch 1.
	WholeWithoutOut
	// ScalarWithoutOut: the overload for a number and a tensor takes no out.
	ScalarWithoutOut
	// ByColumns: the result stands column by column where out= is resized.
	ByColumns

	// HalfRefused: half precision is refused before the size is looked at; other matrix
	// functions only fail when there is something to compute.
	HalfRefused
	// EmptyIntegers: the dtype of empty matrices is not looked at.
	EmptyIntegers
	// AnyRank: the reduction chooses an element and makes no mask of axes, so that
	// their number is not limited.
	AnyRank
	// NoneIsAxes: None stands for a list of all axes.
	NoneIsAxes
	// EmptyChecked: the dtypes of operands must agree also where one of them is empty.
	EmptyChecked
	// EmptyWhole: an empty operand needs no look at which of its sizes are 0.
	EmptyWhole
	// CountsAxes: the result goes with the tensor: where that is one of two of different
	// rank, so is the number, not a number between them.
	CountsAxes
	// TakesIndices: what is out of range is an index of an element, not the number of an
	// axis, for which numpy has an exception of its own.
	TakesIndices
	// CallsMethod: a function of NumPy that calls the method of its name, its first, of what is
	// no array of NumPy's, as numpy.core.fromnumeric._wrapfunc and _wrapreduction do.
	CallsMethod
	// Shifts: the elements of the result are the input's plus alpha times other.
	Shifts
)

// Has reports whether the function has a quirk.
func (op *Op) Has(q Quirks) bool { return op.Quirks&q != 0 }

// IsPython reports whether PyTorch defines the function of one of the record's names in Python.
func (op *Op) IsPython(name string) bool {
	return (op.Has(InPython) || strings.HasPrefix(name, "torch.nn.functional.") || strings.HasPrefix(name, "torch.masked.")) &&
		!op.Has(Compiled) && !IsInPlace(name)
}

// TakesInPlace reports whether the function has a parameter inplace.
func (op *Op) TakesInPlace() bool { return strings.Contains(op.Sig, " inplace=") }

// With completes a record that a constructor made: what more leaves out is as it was.
func (op Op) With(more Op) Op {
	if more.Form != graph.NoForm {
		op.Form = more.Form
	}
	if more.Spatial != 0 {
		op.Spatial = more.Spatial
	}
	if more.Variant != "" {
		op.Variant = more.Variant
	}
	op.Is |= more.Is
	op.Quirks |= more.Quirks
	op.Trace |= more.Trace
	if more.Warns != NoWarning {
		op.Warns = more.Warns
	}
	for _, text := range []struct {
		to   *string
		more string
	}{{&op.Floats, more.Floats}, {&op.Loose, more.Loose}, {&op.Torch, more.Torch}, {&op.Axes, more.Axes}} {
		if text.more != "" {
			*text.to = text.more
		}
	}
	if more.Sparse != 0 {
		op.Sparse = more.Sparse
	}
	if more.Numbers != nil {
		op.Numbers = more.Numbers
	}
	if more.Ranges != nil {
		op.Ranges = more.Ranges
	}
	if more.NoOut != nil {
		op.NoOut = more.NoOut
	}
	return op
}
