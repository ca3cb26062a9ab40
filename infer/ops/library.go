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
	// Devices: its arrays are on devices, which its operations compare.
	Devices bool
	// OwnArrays: its functions refuse arrays of other libraries.
	OwnArrays bool
	// OutOfFunctions: functions take out=; methods and forms in place do not.
	OutOfFunctions bool
}

// The libraries. Records without one are PyTorch's; einops works on the arrays of any.
var (
	Torch  = &Library{Prefix: "torch.", Class: "torch.Tensor", Promote: (*Call).ResultType, Devices: true, OwnArrays: true, OutOfFunctions: true}
	Numpy  = &Library{Prefix: "numpy.", Class: "numpy.ndarray", Error: numpyError, Promote: (*Call).numpyPromote, Wrap: (*Call).arrays}
	Einops = &Library{Prefix: "einops.", Promote: (*Call).ResultType, Devices: true}
)

var libraries = [...]*Library{Torch, Numpy, Einops}

// LibraryOf is the library of a function's name, PyTorch if it is that of none.
func LibraryOf(name string) *Library {
	for _, l := range libraries {
		if strings.HasPrefix(name, l.Prefix) {
			return l
		}
	}
	return Torch
}

// ArrayLibrary is the library of a tensor, an array or a scalar of numpy.
func ArrayLibrary(v value.Value) *Library {
	if IsArray(v) || IsNumpyScalar(v) {
		return Numpy
	}
	return Torch
}

// Method is the full name of a method of its arrays.
func (l *Library) Method(name string) string { return l.Class + "." + name }

// isMethod reports whether a full name is that of a method.
func (l *Library) isMethod(name string) bool {
	return l.Class != "" && strings.HasPrefix(name, l.Class) && strings.HasPrefix(name[len(l.Class):], ".")
}

// of makes a rule of the library: its faults and results are those of the library.
func (l *Library) of(rule func(c *Call) value.Value) func(c *Call) value.Value {
	return func(c *Call) value.Value {
		c.lib = l
		v := rule(c)
		if !c.OK() || v == nil {
			return nil
		}
		if c.lib.Wrap == nil { // also where the rule chose another library
			return v
		}
		return c.lib.Wrap(c, v)
	}
}
