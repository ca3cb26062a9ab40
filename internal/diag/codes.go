package diag

// This file is the table of diagnostic codes. Codes are append-only; a code's
// number says its family (design: SC0xx syntax, 1xx shape, 2xx dtype and type,
// 3xx names, attributes and calls, 4xx dimension lint, 5xx export and trace
// safety, 6xx shape comments and annotations, 7xx lowering, 8xx program and VM,
// 9xx unsupported, budget and internal).

// A Code names a kind of finding, as "SC101".
type Code string

// A CodeInfo documents a Code.
type CodeInfo struct {
	Code     Code
	Severity Severity
	Title    string // a few words, lower case
	Doc      string // what is wrong, why it matters, what to do
	Bad      string // a program (entry forward) that reports the code; run as a test
	Good     string // the same program without the fault; run as a test
}

const (
	SyntaxError      Code = "SC001"
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
	UnknownFunction  Code = "SC901" // a library function without a record
	UnknownModule    Code = "SC902" // a module that was not found
	Unsupported      Code = "SC903"
	BudgetExceeded   Code = "SC904"
	PartialTopLevel  Code = "SC905" // top-level code that could not be run to its end
	InternalError    Code = "SC999"
)

var codes = [...]CodeInfo{
	{Code: SyntaxError, Severity: Error, Title: "syntax error"},
	{Code: ShapeMismatch, Severity: Error, Title: "shapes do not fit together"},
	{Code: RankMismatch, Severity: Error, Title: "wrong number of dimensions"},
	{Code: DimOutOfRange, Severity: Error, Title: "dimension or index out of range"},
	{Code: InvalidSize, Severity: Error, Title: "invalid size"},
	{Code: ReshapeMismatch, Severity: Error, Title: "reshape to another number of elements"},
	{Code: DTypeMismatch, Severity: Error, Title: "dtypes do not fit together"},
	{Code: TypeMismatch, Severity: Error, Title: "argument of the wrong type"},
	{Code: DeviceMismatch, Severity: Error, Title: "tensors on different devices"},
	{Code: UnknownName, Severity: Error, Title: "name is not defined"},
	{Code: UnknownAttribute, Severity: Error, Title: "no such attribute"},
	{Code: BadCall, Severity: Error, Title: "arguments do not fit the signature"},
	{Code: UncaughtRaise, Severity: Error, Title: "uncaught exception"},
	{Code: ImportFailed, Severity: Error, Title: "name cannot be imported"},
	{Code: BadValue, Severity: Error, Title: "value is not accepted"},
	{Code: BadIndex, Severity: Error, Title: "index or key is not in the container"},
	{Code: UnknownFunction, Severity: Info, Title: "function is not known"},
	{Code: UnknownModule, Severity: Info, Title: "module was not found"},
	{Code: Unsupported, Severity: Warning, Title: "not supported"},
	{Code: BudgetExceeded, Severity: Warning, Title: "analysis budget exceeded"},
	{Code: PartialTopLevel, Severity: Info, Title: "top-level code was not run to its end"},
	{Code: InternalError, Severity: Error, Title: "internal error"},
}

// Info returns the documentation of c.
func (c Code) Info() *CodeInfo {
	for i := range codes {
		if codes[i].Code == c {
			return &codes[i]
		}
	}
	panic("diag: code without a row: " + string(c))
}

// Codes returns the table.
func Codes() []CodeInfo { return codes[:] }
