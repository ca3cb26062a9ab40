package ops

// This file names what the tracers ask of a function: what torch.export, torch.compile and
// torch.jit.trace keep of a call, what they ask of sizes because of it, and where they stop. All of
// it was found by experiments with PyTorch 2.15 unless a constant says otherwise. The record of the
// function says it, so that no tracer keeps a list of functions by name.

import "strings"

// TraceTraits are properties of a function that tracers ask for.
type TraceTraits uint64

const (
	// FixesNumbers: a graph has the numbers in place of the sizes that are its arguments.
	FixesNumbers TraceTraits = 1 << iota
	// FixesLength: a graph has a number in place of the last axis of a batch of sequences.
	FixesLength
	// FixesSizes: a graph has numbers in place of all sizes of its tensors.
	FixesSizes
	// FixesGiven: it takes the numbers that it is given, and no symbols for them.
	FixesGiven
	// Slices: where a size of the result is the least or largest of several, the example decides which.
	Slices
	// AsksContiguity: it asks whether the tensor is contiguous, and so compares its sizes with 1.
	AsksContiguity
	// ReshapesByNumbers: it compares the sizes one after the other with numbers that it is given,
	// as torch._refs._reshape_view_helper does.
	ReshapesByNumbers
	// KeepsContents: its tensors have elements while a graph is made.
	KeepsContents
	// SelectsNumber: it takes as many elements as its second argument says, no more than there are.
	SelectsNumber

	// ComparesResult: it compares the sizes of its result with 1, although it is not element-wise.
	ComparesResult
	// ComparesAlways: so it does also where conditions are not asked of graphs of torch.compile.
	ComparesAlways
	// ComparesOperands: it compares the sizes of its arguments with 1, as losses do, which are
	// element-wise before they are reduced.
	ComparesOperands
	// ComparesVectors: it compares the sizes with 1 where an operand is a vector.
	ComparesVectors
	// ComparesNumbers: it compares sizes with 0 and 1 that numbers of Python give.
	ComparesNumbers
	// ComparesRepeats: so it does with the numbers that it is given alone.
	ComparesRepeats
	// AllowsZero: it does not ask whether such a size is 0.
	AllowsZero
	// LeavesSizes: it compares nothing, although its result has the sizes of an argument.
	LeavesSizes
	// LeavesSizesInPlace: so does the form in place alone.
	LeavesSizesInPlace

	// Windows: it goes over windows, so that a result of the argument's sizes says nothing.
	Windows
	// Clones: it copies in the order in memory that the tensor has, for which strides are sorted.
	Clones
	// ClonesInPlace: so the form in place does.
	ClonesInPlace
	// Converts: so it does where the dtype is another one.
	Converts

	// TakesItem: it gives elements as numbers of Python.
	TakesItem
	// TakesScalar: it gives one, or all, by a method that a graph may go on after.
	TakesScalar
	// TakesArray: it gives an array of NumPy.
	TakesArray
	// TakesConstant: torch.jit.trace keeps the result as a constant.
	TakesConstant
	// ReadsNumber: a method that makes numbers of Python or an array of NumPy.
	ReadsNumber
	// AsksTruth: it gives a truth value of Python that elements decide.
	AsksTruth
	// AsksElements: it asks for elements of its arguments.
	AsksElements
	// AsksMasks: so a subscript does of masks alone.
	AsksMasks
	// AsksSign: in Python, whether elements of its argument var are negative.
	AsksSign
	// SizesByElements: elements decide the sizes of the result.
	SizesByElements
	// EndsGraph: it ends a graph of torch.compile.
	EndsGraph
	// GoesOn: it does not where torch.compile captures numbers (capture_scalar_outputs).
	GoesOn
	// EndsGraphAlone: it does where it has one argument.
	EndsGraphAlone

	// ComputesNothing: it tells what a tensor is, and makes none.
	ComputesNothing

	// KeepsNumbers: a trace of torch.jit.trace keeps a size that it is given as a number, without
	// a warning in the program.
	KeepsNumbers
	// KeepsParts: so it does, but what it gives is not run again with the numbers.
	KeepsParts
	// GivesPieces: it gives several tensors; a trace keeps how many.
	GivesPieces
	// WarnsInLibrary: the tracer's warning for it is in the lines of the library.
	WarnsInLibrary

	// Draws: it draws random numbers.
	Draws
	// DrawsInTraining: it does where its arguments training or train and p say so.
	DrawsInTraining
	// DrawsUnit: it draws a number from 0 on and below 1.
	DrawsUnit
	// DrawsInGraph: a function of numpy.random that is part of a graph where it draws an array.
	DrawsInGraph
	// DrawsChoice: one that is not, and that torch.export takes for a number.
	DrawsChoice
	// DrawsSize: the number that it draws may be a size.
	DrawsSize

	// TakesSizes: a function of NumPy of which a graph leaves open the sizes that it is given. A
	// size that others take is an element of an array, which is fixed.
	TakesSizes
	// TakesFill: it does but for its second argument, which is an element.
	TakesFill
	// GivesTensor: a function of NumPy that gives a tensor for one.
	GivesTensor
)

// GivesNumber is what all methods have that give elements as numbers of Python.
const GivesNumber = TakesConstant | AsksElements | ReadsNumber | EndsGraph | GoesOn | TakesScalar

// Has reports whether t has all of x.
func (t TraceTraits) Has(x TraceTraits) bool { return t&x == x }

// LeavesSizesAs reports whether the function, called by a name, compares no size with 1, although
// its result has the sizes of an argument.
func (op *Op) LeavesSizesAs(name string) bool {
	if IsInPlace(name) {
		return op.Trace.Has(LeavesSizesInPlace)
	}
	return op.Trace.Has(LeavesSizes)
}

// TakesFloat reports whether PyTorch's schema (native_functions.yaml of 2.15) has a float for a
// parameter of the function.
func (op *Op) TakesFloat(p *Param) bool {
	for name := range strings.FieldsSeq(op.Floats) {
		if plain, not := strings.CutPrefix(name, "-"); plain == p.Name {
			return !not
		}
	}
	return p.Type == FloatType && !p.List
}

// A TracerWarning is what torch.jit.trace says in a warning that it makes of a tensor.
type TracerWarning uint8

const (
	NoWarning TracerWarning = iota
	WarnsNumber
	WarnsList
	WarnsArray
	WarnsLen
	WarnsInt
	WarnsFloat
	WarnsBool
	WarnsTensor    // torch.tensor, which the trace has as any other call
	WarnsAsTensor  // torch.as_tensor
	WarnsFromArray // torch.from_numpy, which warns of whatever it is given
)

var tracerWarnings = [...]string{"", "number", "list", "numpy", "len", "int", "float", "bool", "torch.tensor", "as_tensor", "from_numpy"}

func (w TracerWarning) String() string { return tracerWarnings[w] }
