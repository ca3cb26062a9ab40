package chainer

// This file is the ground of the records: the library, its Variables, and how records
// are written.

import (
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// Library is Chainer. Its Variables are tensors of a class of their own.
var Library = &ops.Library{Prefix: "chainer.", Class: "chainer.Variable", Error: chainerError, Promote: promote, Wrap: Variables}

// AllNamesKnown reports whether all public names of a module of Chainer are known, so that another one is a mistake.
func AllNamesKnown(module string) bool {
	switch module {
	case "chainer.functions", "chainer.links", "chainer.optimizers", "chainer.optimizer_hooks", "chainer.iterators", "chainer.function_hooks",
		"chainer.distributions", "chainer.datasets", "chainer.training", "chainer.training.extensions", "chainer.training.updaters",
		"chainer.training.triggers", "chainer.serializers":
		return true
	}
	return false
}

// InvalidType is the exception of Chainer's type checks.
const InvalidType = "chainer.utils.type_check.InvalidType"

// runtimeError is the exception of what Chainer itself refuses so; one of PyTorch's rules is another one of Chainer's.
const runtimeError = "builtins.RuntimeError"

// A rule gives the result of a function.
type rule func(k *call) value.Value

// fn makes the record of chainer.functions.name, which a function class of the given
// label computes. Several names are separated by blanks.
func fn(names, label, sig string, r rule, doc string) ops.Op {
	return record(prefixed("chainer.functions.", names), label, sig, r, doc)
}

// method makes a record of Variables.
func method(names, label, sig string, r rule, doc string) ops.Op {
	return record(prefixed("chainer.Variable.", names), label, sig, r, doc)
}

// about makes the record of what a Variable tells of itself: no node is recorded.
func about(names, sig string, r rule, doc string) ops.Op {
	op := method(names, "Variable", sig, r, doc)
	op.Pure = true
	return op
}

func prefixed(prefix, names string) []string {
	var out []string
	for _, n := range strings.Fields(names) {
		if !strings.HasPrefix(n, "chainer.") {
			n = prefix + n
		}
		out = append(out, n)
	}
	return out
}

// record makes a record whose rule is Chainer's: the label is what type errors call the function, and ints are
// the arguments that must be whole numbers.
func record(names []string, label, sig string, r rule, doc string) ops.Op {
	label, creator := splitLabel(label)
	ints := intParams()[names[0]]
	return ops.Op{Names: names, Sig: sig, Doc: doc, Creator: creator, Rule: Library.Of(func(c *ops.Call) value.Value {
		k := &call{Call: c, label: label}
		if k.checkInts(ints); !k.OK() {
			return nil
		}
		return r(k)
	})}
}

// IsVariable reports whether v is a Variable or a Parameter.
func IsVariable(v value.Value) bool {
	t, ok := v.(*value.Tensor)
	return ok && t.Class != nil && ops.IsVariableClass(t.Class)
}

// Pending marks a Parameter that has no shape yet, among its attributes: True, or an unknown
// value where the shape is that of a file of which nothing is known, until a call tells it.
const Pending = "_pending"

// IsPending reports whether v is a Parameter that waits for its shape.
func IsPending(v value.Value) bool { return waitsFor(v) != nil }

// waitsFor is what a Parameter without a shape waits for; nil where v is none.
func waitsFor(v value.Value) value.Value {
	t, ok := v.(*value.Tensor)
	if !ok || t.Attrs == nil {
		return nil
	}
	p, _ := t.Attrs.Get(Pending)
	return p
}

// Variables makes Variables of the tensors that a rule gave.
func Variables(c *ops.Call, v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Tensor:
		if v.Class == nil {
			v.Class = c.Th.Class("chainer.Variable")
		}
	case *value.Tuple:
		v.Class = nil
		for i, e := range v.Elems {
			v.Elems[i] = Variables(c, e)
		}
	case *value.List:
		for i, e := range v.Elems {
			v.Elems[i] = Variables(c, e)
		}
	}
	return v
}

// NewVariable is a Variable on the memory of an array.
func NewVariable(h *value.Heap, cls *value.Class, a *value.Tensor) *value.Tensor {
	t := &value.Tensor{Header: h.Header(), Class: cls, V: a.V, Elems: a.Contents()}
	t.ShareStorage(h, a)
	return t
}

// arrayOf is the array of a Variable.
func (k *call) arrayOf(t *value.Tensor) *value.Tensor {
	if ops.IsArray(t) {
		return t
	}
	return NewVariable(k.Th.Heap(), k.NDArray(), t)
}

// chainerError is the exception that Chainer raises where PyTorch raises class: sizes
// and dtypes are compared by its type checks.
func chainerError(_ *ops.Call, class string, code diag.Code) string {
	switch {
	case class == "IndexError" && code == diag.DimOutOfRange: // numpy counts the axes
		return "numpy.AxisError"
	case class != "RuntimeError":
		return class
	}
	switch code {
	case diag.ShapeMismatch, diag.RankMismatch, diag.DTypeMismatch:
		return InvalidType
	}
	return "ValueError"
}

// promote is the dtype of several operands, which is one.
func promote(_ *ops.Call, operands ...value.Value) dtype.DType {
	for _, v := range operands {
		if t, ok := v.(*value.Tensor); ok {
			return t.Type().DType
		}
	}
	return dtype.Unknown
}
