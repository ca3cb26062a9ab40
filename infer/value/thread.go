package value

// This file defines what library code may ask of the interpreter.

import (
	"errors"
	"time"

	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// WhyTraining is why an operation needs a condition that it does not need in evaluation.
const WhyTraining = "more than one value per channel in training"

// A Thread is the running interpreter as library code sees it. Errors that it
// returns are Python exceptions (*Exception) or the end of the analysis; they
// are passed on unchanged.
type Thread interface {
	Heap() *Heap
	Pool() *symshape.Pool
	Graph() *graph.Builder

	// Call calls any callable.
	Call(fn Value, args []Value, kw []Kw) (Value, error)
	// CallMethod calls v.name(args…).
	CallMethod(v Value, name string, args ...Value) (Value, error)
	GetAttr(v Value, name string) (Value, error)
	// LookupAttr is GetAttr, but ok is false instead of an AttributeError.
	LookupAttr(v Value, name string) (x Value, ok bool, err error)
	// AskAttr is LookupAttr for hasattr and the like, which take any AttributeError for an attribute that is not there.
	AskAttr(v Value, name string) (x Value, ok bool, err error)
	SetAttr(v Value, name string, x Value) error
	DelAttr(v Value, name string) error
	GetItem(v, index Value) (Value, error)
	SetItem(v, index, x Value) error
	DelItem(v, index Value) error
	Binary(op ast.BinOperator, a, b Value) (Value, error)
	Unary(op ast.UnaryOperator, a Value) (Value, error)
	// Compare gives Python's result of a comparison: a bool, a tensor, ….
	Compare(op ast.CmpOperator, a, b Value) (Value, error)
	// Truth gives bool(v): a Bool, or a *SymBool that the sizes or data decide.
	Truth(v Value) (Value, error)
	// Holds decides a truth value. known is false when it depends on data or on
	// sizes in a way that the path does not decide. A decision by example sizes
	// alone is recorded as a condition of the contract.
	Holds(b Value) (val, known bool)
	// Iterate calls yield for each element of v. It ends at the first error of
	// yield; ErrStop ends it without error. When the number of elements is not
	// known it fails with *OpenError, which carries what is known.
	Iterate(v Value, yield func(Value) error) error
	// Iter gives iter(v).
	Iter(v Value) (*Iterator, error)
	// HashKey gives a comparable Go value, equal for equal Python keys.
	HashKey(v Value) (any, error)
	// Identical decides "a is b".
	Identical(a, b Value) (Value, error)
	// Repr and Str give repr(v) and str(v); known is false when the text depends
	// on something abstract, and then text is only good for messages.
	Repr(v Value) (text string, known bool)
	Str(v Value) (text string, known bool)

	// TypeOf gives type(v).
	TypeOf(v Value) *Class
	// Class returns a builtin or loaded library class: "int", "ValueError",
	// "torch.Tensor", "torch.nn.Module".
	Class(name string) *Class
	// Import returns a module by its absolute name, running it on first use.
	Import(name string) (Value, error)
	// Instance makes an instance of c, running __init__.
	Instance(c *Class, args ...Value) (Value, error)

	// Facts are what is known of the symbols on this path.
	Facts() symshape.Facts
	// Decide decides a condition on the path.
	Decide(c *symshape.Cond) symshape.Answer
	// Require makes c a condition of the contract: Yes when it holds on the path
	// or can hold and is from now on assumed, No when it cannot hold. why is the
	// condition in terms of an operation's operands, or outside of operations what needs it.
	Require(c *symshape.Cond, why string) symshape.Answer
	// DataBool gives a fresh truth value that data decides.
	DataBool(source *graph.Value) *SymBool
	// DataInt gives a fresh integer ≥ lo that data decides, named after prefix.
	DataInt(prefix string, lo int64, source *graph.Value) *SymInt

	// Join gives a value that stands for either of two, as where two paths meet.
	Join(a, b Value) Value

	// MeansOneOf notes that the program has one of these values and that it is not known which: what is written into it is written
	// into one of them.
	MeansOneOf(list []Value)

	// DeepCopied notes that a value is a deep copy of another: what held that holds the copy, too.
	DeepCopied(old, copied Value)
	// JoinIf gives a where c holds and b where it does not.
	JoinIf(c *symshape.Cond, a, b Value) (Value, error)

	// Here is the innermost expression of user code that is being evaluated.
	Here() source.Span
	// ModulePath is the qualified name of the module whose forward runs.
	ModulePath() string
	// Raise makes a Python exception of a builtin class.
	Raise(class, format string, args ...any) error
	// Fail makes the exception for a fault in a library call: d is reported, and
	// the call's result is poisoned, unless the program catches class.
	Fail(class string, d *diag.Diagnostic) error
	// Unknown makes an unknown value with a cause at Here.
	Unknown(reason string) *Unknown
	// Report adds a diagnostic.
	Report(d *diag.Diagnostic)
	// Step spends n units of the budget of steps, each some tenths of a microsecond.
	Step(n int) error
	// Alloc charges n bytes that are about to be made, with the time that it takes. What
	// can be large is charged before it is made.
	Alloc(n int) error
	// Computes charges the computation of n elements of an array, and reports whether it is to
	// be done: after a number of large ones a run keeps types alone.
	Computes(n int) bool
	// Enter begins a native call that may come back to itself through the values it is
	// given; Leave ends it. Too many inside each other are a RecursionError, whose
	// message ends with what.
	Enter(what string) error
	Leave()
	// Remaining is how long one operation may take, at most the given time.
	Remaining(most time.Duration) time.Duration
	// TensorMethod finds a method or property of tensors by name.
	TensorMethod(t *Tensor, name string) (Value, bool, error)
	// Option returns a setting of the run: "torch-version".
	Option(name string) string
}

// These are further abilities of the interpreter, which a thread in a test may lack.
type (
	// A RefusalWatcher wants to know which condition of an operation does not hold.
	RefusalWatcher interface{ Refused(c *symshape.Cond) }
	// A FaultTrier says whether an operation is tried on the way where its fault is
	// caught.
	FaultTrier interface{ Fails() bool }
	// A SourceReader gives the text of a span, and the line where it begins (from 1).
	SourceReader interface {
		SpanText(s source.Span) string
		Line(s source.Span) int
	}
	// A ForeignTeller says that no value of one of Python's types is an instance of what comes
	// from a module that was not found.
	ForeignTeller interface {
		Foreign(c *Class, u *Unknown) bool
	}
	// A PlainGetter gives attributes as object.__getattribute__ does.
	PlainGetter interface {
		PlainAttr(v Value, name string) (Value, error)
	}
	// An Installed knows which modules and distributions are installed: FindSpec gives
	// the specification of a module or None, Version that of a distribution as a str.
	// Distributions are the names of those that provide a module. ImportModule imports a
	// module as the import statement does: where it is not found and the program has
	// another way then, that is an error. IsLoaded reports whether it is in sys.modules, LoadedModules are the names of those that
	// the program has imported, sorted.
	// SourcePath is the absolute path, without links, of a file of source or of a folder with
	// such, empty for others.
	Installed interface {
		ImportModule(name string) (Value, error)
		IsLoaded(name string) bool
		LoadedModules() []string
		SourcePath(path string) string
		FindSpec(module string) (Value, error)
		Version(dist string) (Value, error)
		Distributions(module string) []string
	}
	// A PrintWatcher wants to know what print is called with.
	PrintWatcher interface{ Printed(args []Value, kw []Kw) }
	// A GradientTeller may know more of whether a tensor requires a gradient than the tensor says. Gradient is its attribute grad, nil where
	// that is not known; a tensor that is retained keeps it, though it is a result. GradientsOn says whether operations are recorded
	// for gradients, as they are outside of no_grad().
	GradientTeller interface {
		Gradients(t *Tensor) GradientState
		GradientsOn() (on, known bool)
		Gradient(t *Tensor) *Tensor
		RetainGradient(t *Tensor)
	}
	// A ModuleTeller gives the name of the module whose code runs: classes that a function makes belong to it.
	ModuleTeller interface{ RunningModule() string }
	// An Annotator evaluates the annotations of a function.
	Annotator interface{ Annotations(f *Func) *Dict }
)

// A GradientState says whether a tensor requires a gradient.
type GradientState uint8

const (
	GradientUnknown GradientState = iota
	NoGradient
	LeafWithGradient
	ResultWithGradient
)

// ErrStop ends an iteration without an error.
var ErrStop = errors.New("stop iteration")

// An OpenError says that an iteration has no known number of elements.
type OpenError struct{ Open *Open }

func (e *OpenError) Error() string { return "number of elements is not known" }

// An Exception is a Python exception on its way up.
type Exception struct {
	Value *Instance
	// Diag is what to report when nobody catches a fault of a library call; nil
	// for exceptions that the program raised itself.
	Diag *diag.Diagnostic
	// Advise completes Diag before it is reported; nil: it is complete.
	Advise func()
	// At is where the program raised it.
	At source.Span
	// Frames are the call sites it passed, innermost first.
	Frames []source.Span
	// Sides are what an assert compares.
	Sides []diag.Operand
	// Negative says that the program raised it for a negative number.
	Negative bool
}

// Single is the TypeError that a value of the type that format names is used as a collection. The error is the
// exception of th.Raise, never nil.
func Single(th Thread, format, typ string) error {
	return Saying(th.Raise("TypeError", format, typ), diag.Fact{Kind: diag.OneForMany, Of: typ})
}

// Saying adds to an exception what its fault comes down to.
func Saying(err error, f diag.Fact) error {
	var e *Exception
	if errors.As(err, &e) && e.Diag != nil {
		e.Diag.Fact = f
	}
	return err
}

func (e *Exception) Error() string {
	if e.Diag != nil {
		return e.Diag.Msg
	}
	return e.Value.Class.Name
}

// IsException reports whether err is a Python exception of class c.
func IsException(err error, c *Class) bool {
	var e *Exception
	return errors.As(err, &e) && e.Value.Class.IsSubclass(c)
}

// DataBetween is an integer from lo to hi that data decides: the least of hi and one without upper bound, so that no
// fact has to be added to the path.
func DataBetween(th Thread, prefix string, lo int64, hi *symshape.Expr) Value {
	n := th.DataInt(prefix, lo, nil)
	return FromDim(symshape.MakeDim(th.Pool().Min(n.D.Expr, hi)))
}
