package ops

// This file describes the libraries whose functions have records: what the calls of one
// have in common beside the rules.

import (
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// A Library is a framework or a package of functions on arrays.
type Library struct {
	// Prefix begins the names of its functions: "torch.".
	Prefix string
	// Class is the full name of its class of arrays; methods are named after it.
	Class string
	// Error gives the exception that it raises where PyTorch raises class; nil: the same.
	Error func(c *Call, class string, code diag.Code) string
	// Promote is the dtype in which it computes with several operands, unknown where
	// that depends on what is not known.
	Promote func(c *Call, operands ...value.Value) dtype.DType
	// Wrap makes the library's objects of what a rule gave; nil: it stays as it is.
	Wrap func(c *Call, v value.Value) value.Value
	// MaxAxes is the greatest number of axes of its arrays; nil: there is no limit.
	MaxAxes func(c *Call) int
	// Devices: its arrays are on devices, which its operations compare.
	Devices bool
	// OwnArrays: its functions refuse arrays of other libraries.
	OwnArrays bool
	// OutOfFunctions: functions take out=; methods and forms in place do not.
	OutOfFunctions bool
}

// Torch is PyTorch. It stands here as its ways are those of calls that no library
// changes: in words and exceptions, in binding and promotion.
var Torch = &Library{Prefix: "torch.", Class: "torch.Tensor", Promote: (*Call).ResultType, Devices: true, OwnArrays: true,
	OutOfFunctions: true}

// Method is the full name of a method of its arrays.
func (l *Library) Method(name string) string { return l.Class + "." + name }

// IsMethod reports whether a full name is that of a method.
func (l *Library) IsMethod(name string) bool {
	return l.Class != "" && strings.HasPrefix(name, l.Class) && strings.HasPrefix(name[len(l.Class):], ".")
}

// Of makes a rule of the library: its faults and results are those of the library.
func (l *Library) Of(rule func(c *Call) value.Value) func(c *Call) value.Value {
	return func(c *Call) value.Value {
		c.Lib = l
		v := rule(c)
		if !c.OK() || v == nil {
			return nil
		}
		if c.Lib.Wrap == nil { // also where the rule chose another library
			return v
		}
		return c.Lib.Wrap(c, v)
	}
}
