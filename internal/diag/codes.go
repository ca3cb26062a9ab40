package diag

// This file is the table of diagnostic codes. Codes are append-only; a code's
// number says its family (design: SC0xx syntax, 1xx shape, 2xx dtype and type,
// 3xx names, attributes and calls, 4xx dimension lint, 5xx export and trace
// safety, 6xx shape comments and annotations, 7xx lowering, 8xx program and VM,
// 9xx unsupported, budget and internal).

import "slices"

// A Code names a kind of finding, as "SC101".
type Code string

// A CodeInfo documents a Code.
type CodeInfo struct {
	Code     Code
	Severity Severity
	Title    string // a few words, lower case
	Doc      string // what is wrong, why it matters, what to do
	// Bad is a program that reports this code and no other; Good is the same
	// without the fault. The comment "# run:" in their first line holds the
	// flags. Both are run as tests.
	Bad, Good string
	// NoExample says why there is no such program.
	NoExample string
}

const (
	SyntaxError      Code = "SC001"
	NewerSyntax      Code = "SC002" // syntax that the named version of Python does not have
	ShapeMismatch    Code = "SC101" // sizes that must agree differ
	RankMismatch     Code = "SC102" // wrong number of dimensions
	DimOutOfRange    Code = "SC103" // an axis or index outside its range
	InvalidSize      Code = "SC104" // a size that cannot be: negative, zero, not divisible
	ReshapeMismatch  Code = "SC105" // view or reshape to another number of elements
	DTypeMismatch    Code = "SC201"
	TypeMismatch     Code = "SC202" // an argument of the wrong Python type
	DeviceMismatch   Code = "SC203"
	UnknownName      Code = "SC301"
	UnknownAttribute Code = "SC302"
	BadCall          Code = "SC303" // missing, unexpected or repeated arguments
	UncaughtRaise    Code = "SC304" // the program raises
	ImportFailed     Code = "SC305" // a name missing in a module that was found
	BadValue         Code = "SC306" // a value that the callee refuses
	BadIndex         Code = "SC307" // an index or key of a Python container
	AutogradFault    Code = "SC308" // what autograd refuses
	BatchMixed       Code = "SC401" // a reshape mixes the samples of a batch
	ReshapeReorders  Code = "SC402" // a reshape where axes should be swapped
	BothGrow         Code = "SC403" // broadcasting of (N,1) with (N)
	LossBroadcast    Code = "SC404" // a loss of two shapes
	AcrossBatch      Code = "SC405" // softmax or normalize over the batch
	ImplicitDim      Code = "SC406" // softmax without dim
	SqueezeBatch     Code = "SC407" // squeeze() drops a batch of one
	FixedBatch       Code = "SC408" // a number in place of the batch
	SequenceIsBatch  Code = "SC409" // the batch taken for time
	ProbabilityLoss  Code = "SC410" // cross_entropy of probabilities
	Coincidence      Code = "SC411" // sizes that agree only by coincidence
	TiedSizes        Code = "SC412" // a declared size that can be one number only
	DrawnIndices     Code = "SC413" // indices are drawn that are out of range
	UnsummedWeights  Code = "SC414" // attention weights that do not sum up to 1
	OnlyScore        Code = "SC415" // softmax of one score
	Untrained        Code = "SC416" // parameters that no loss reaches
	// Traced functions.
	DataBranch      Code = "SC501" // a branch on tensor values is decided by a trace
	SizeBranch      Code = "SC502" // a branch on sizes is decided by a trace
	TakenNumber     Code = "SC503" // a number is taken out of a tensor or size
	UnrolledLoop    Code = "SC504" // a loop over a tensor is unrolled
	LostCheck       Code = "SC505" // a check is lost in a trace
	KeptState       Code = "SC506" // a trace keeps state of Python
	PrintedOnce     Code = "SC507" // printed while tracing, not at each call
	RetracesByValue Code = "SC511" // a trace for each value of an argument of Python
	RetracesByType  Code = "SC512" // a trace for each shape, dtype or structure
	NewFunction     Code = "SC513" // the function object is new at each call
	RetracingWarned Code = "SC514" // a function is traced or compiled too often
	GraphBreak      Code = "SC521" // torch.compile ends a graph
	TraceFails      Code = "SC531" // a tensor without a value is used as one
	TraceRefuses    Code = "SC532" // arguments that a traced function refuses
	LeavesTrace     Code = "SC533" // a variable made later, a tensor of a trace that ended
	RestrictedDim   Code = "SC541" // a dynamic size that torch.export finds restricted
	DataDecides     Code = "SC542" // torch.export meets what the elements of tensors decide
	// Annotations and shape comments.
	AnnotationMismatch  Code = "SC601" // an annotation that is not so
	CommentMismatch     Code = "SC602" // a shape comment that is not so
	AnnotationUndecided Code = "SC603" // an annotation that the sizes do not decide
	BadAnnotation       Code = "SC604" // an annotation that cannot be read
	MissingComment      Code = "SC605" // a place for a shape comment
	RevealedType        Code = "SC606" // reveal_type

	UnusedIgnore     Code = "SC690" // an ignore comment that hides nothing
	UnexpectedResult Code = "SC691" // not the result that the configuration expects
	BadComment       Code = "SC692" // a comment that is misspelt
	NotLowered       Code = "SC701" // no form in ONNX
	WeightMissing    Code = "SC711" // of the model, not in the weights file
	WeightUnexpected Code = "SC712" // in the weights file, not of the model
	WeightShape      Code = "SC713"
	WeightDType      Code = "SC714"
	UnknownFunction  Code = "SC901" // a library function without a record
	UnknownModule    Code = "SC902" // a module that was not found
	Unsupported      Code = "SC903"
	BudgetExceeded   Code = "SC904"
	PartialTopLevel  Code = "SC905" // top-level code that could not be run to its end
	UnknownValue     Code = "SC906" // something unknown, in a strict check
	InternalError    Code = "SC999"
)

// families are the rows, in the order of their numbers. They are in files
// code_*.go, with the programs that show them.
var families = [...][]CodeInfo{
	syntaxCodes[:], shapeCodes[:], typeCodes[:], nameCodes[:], lintCodes[:], traceCodes[:], annotationCodes[:], commentCodes[:],
	lowerCodes[:], engineCodes[:],
}

// Info returns the documentation of c.
func (c Code) Info() *CodeInfo {
	if i := c.find(); i != nil {
		return i
	}
	panic("diag: code without a row: " + string(c))
}

// Known reports whether c is in the table.
func (c Code) Known() bool { return c.find() != nil }

func (c Code) find() *CodeInfo {
	for _, f := range families {
		for i := range f {
			if f[i].Code == c {
				return &f[i]
			}
		}
	}
	return nil
}

// Codes returns all rows.
func Codes() []CodeInfo { return slices.Concat(families[:]...) }
