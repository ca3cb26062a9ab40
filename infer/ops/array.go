package ops

// This file knows numpy's arrays and scalars as arguments of any library's functions.
//
// An array is a *value.Tensor whose class is numpy.ndarray. A scalar (what an
// operation without dimensions gives: np.float64, np.int64 …) is an instance of
// its class whose payload is the Python number, so that it goes wherever a number
// goes.

import (
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// The functions that make tensors of data, where they are not like torch.tensor.
const (
	FromNumpy Variant = "from_numpy"
	AsTensor  Variant = "as_tensor"
)

// IsArray reports whether v is a numpy array.
func IsArray(v value.Value) bool {
	t, ok := v.(*value.Tensor)
	return ok && t.Class != nil && IsNumpyClass(t.Class, "ndarray")
}

// IsArrayClass reports whether instances of c are arrays.
func IsArrayClass(c *value.Class) bool { return IsNumpyClass(c, "ndarray") }

// IsNumpyScalar reports whether v is one of numpy's scalars.
func IsNumpyScalar(v value.Value) bool {
	i, ok := v.(*value.Instance)
	return ok && i.Payload != nil && IsNumpyClass(i.Class, "generic")
}

// IsVariableClass reports whether c is Chainer's Variable or derives from it.
func IsVariableClass(c *value.Class) bool {
	for _, k := range c.MRO {
		if k.Name == "Variable" && k.Module == "chainer" {
			return true
		}
	}
	return false
}

// IsNumpyClass reports whether c is a class of numpy or derives from it.
func IsNumpyClass(c *value.Class, name string) bool {
	for _, k := range c.MRO {
		if k.Name == name && k.Module == "numpy" {
			return true
		}
	}
	return false
}

// NDArray is numpy's class of arrays.
func (c *Call) NDArray() *value.Class { return c.Th.Class("numpy.ndarray") }

// refuseArrays says which argument for a tensor is an array, or "".
func (c *Call) refuseArrays() string {
	for i, a := range c.Args {
		p := &c.Sig.Params[i]
		if p.Type != TensorType && p.Type != OperandType {
			continue
		}
		if IsArray(a) {
			return "argument '" + p.Name + "' must be a Tensor, not numpy.ndarray"
		}
		var elems []value.Value
		switch v := a.(type) {
		case *value.Tuple:
			elems = v.Elems
		case *value.List:
			elems = v.Elems
		}
		for _, e := range elems {
			if IsArray(e) {
				return "argument '" + p.Name + "' must hold Tensors, not numpy.ndarray"
			}
		}
	}
	return ""
}

// GradientState asks the thread, which may know more of a result than the tensor says.
func (c *Call) GradientState(x *value.Tensor) value.GradientState {
	th, ok := c.Th.(value.GradientTeller)
	switch {
	case ok:
		return th.Gradients(x)
	case x.RequiresGrad:
		return value.LeafWithGradient
	case x.V.Def == nil:
		return value.NoGradient
	}
	return value.GradientUnknown
}

// gradientsOn reports whether operations are certainly recorded for gradients.
func (c *Call) gradientsOn() bool {
	th, ok := c.Th.(value.GradientTeller)
	if !ok {
		return true
	}
	on, known := th.GradientsOn()
	return on && known
}

// ArrayOfTensor is tensor.numpy(): an array on the memory of a tensor.
func (c *Call) ArrayOfTensor(x *value.Tensor) *value.Tensor {
	ty := x.Type()
	if x.Class != nil && IsVariableClass(x.Class) {
		c.Lose("an array of a Variable, of which numpy makes objects: use its .array")
		return nil
	}
	switch {
	case (x.RequiresGrad || c.GradientState(x) >= value.LeafWithGradient) && c.gradientsOn():
		c.Lib = Torch // the exception is PyTorch's
		c.Errorf("RuntimeError", diag.BadValue, "a tensor that requires gradients cannot be made an array: use detach() first: %s", x)
		return nil
	case strings.HasPrefix(ty.Device, "cuda"):
		c.Errorf("TypeError", diag.DeviceMismatch, "a tensor on %s cannot be made an array: use cpu() first", ty.Device)
		return nil
	case ty.DType == dtype.BF16 || ty.DType == dtype.C32:
		c.Errorf("TypeError", diag.DTypeMismatch, "numpy has no %s", ty.DType.Torch())
		return nil
	}
	t := &value.Tensor{Header: c.Th.Heap().Header(), Class: c.NDArray(), V: x.V, Elems: x.Contents()}
	t.ShareStorage(c.Th.Heap(), x)
	return t
}

// ReadArray collects Python data as np.array does: nested sequences of numbers,
// scalars and arrays, promoted by numpy's rules.
func (c *Call) ReadArray(v value.Value, depth int) (lit Literal) {
	if depth > 64 {
		c.Errorf("ValueError", diag.RankMismatch, "%s(): the data are nested too deep", c.Short())
		return lit
	}
	switch x := v.(type) {
	case *value.Tensor:
		if !IsArray(x) {
			if x = c.ArrayOfTensor(x); x == nil {
				return lit
			}
		}
		lit.Shape, lit.Kind = c.Shape(x), x.Type().DType
		if lit.Kind == dtype.Unknown {
			c.Lose("the dtype of an array is not known")
		}
		if lit.Elems = x.Contents(); lit.Elems == nil {
			lit.Lost = true
		}
		return lit
	case *value.Instance:
		if IsNumpyScalar(x) {
			return Literal{Shape: symshape.Shape{}, Kind: ScalarDType(x), Elems: []value.Value{x.Payload}, Lost: !Tracked(ScalarDType(x))}
		}
	}
	lit = c.readNested(v, depth, &arrayReader{})
	if lit.Elems == nil && !lit.Lost && c.OK() && lit.Shape != nil {
		lit.Elems = []value.Value{}
	}
	return lit
}

// An arrayReader reads the elements of one list.
type arrayReader struct {
	arrays bool // some are arrays
}

func (r *arrayReader) element(c *Call, v value.Value, depth int) Literal {
	_, isArray := v.(*value.Tensor)
	r.arrays = r.arrays || isArray
	return c.ReadArray(v, depth)
}

func (r *arrayReader) even(c *Call, want, have symshape.Shape, depth int) bool {
	return c.evenNesting(want, have, depth, r.arrays)
}

func (*arrayReader) promote(a, b dtype.DType) dtype.DType { return dtype.Numpy(a, b) }

// number reads a number of the data of an array.
func (*arrayReader) number(c *Call, v value.Value, _ int) (lit Literal) {
	k := NumberKind(v)
	if k == dtype.KindInvalid {
		c.Lose("an array of %s is not modelled", TypeName(v))
		return lit
	}
	lit = Literal{Shape: symshape.Shape{}, Kind: dtype.NumpyNumber(k), Elems: []value.Value{v}}
	big, isBig := v.(*value.BigInt)
	switch {
	case isBig && big.V.IsUint64():
		lit.Kind = dtype.U64
	case isBig && !(c.HasParam("dtype") && c.Has("dtype")):
		c.Lose("an array of ints of more than 64 bits, which are objects")
	}
	if isBig || k == dtype.KindComplex {
		lit.Elems, lit.Lost = nil, true
	}
	return lit
}

// evenNesting makes it a condition that all rows have one shape. Before numpy 1.24 others
// make an array of objects, unless a dtype is asked for, or arrays agree in their first sizes
// alone (numpy/core/src/multiarray/array_coercion.c).
func (c *Call) evenNesting(want, have symshape.Shape, depth int, arrays bool) bool {
	ok := len(want) == len(have)
	for i := range min(len(want), len(have)) {
		if _, same := c.Same(want[i], have[i]); !same {
			ok = false
		}
	}
	if !ok {
		asked := c.HasParam("dtype") && c.Has("dtype") && !c.objects()
		if arrays && len(want) > 0 && len(have) > 0 {
			_, same := c.Same(want[0], have[0])
			asked = asked || same
		}
		if c.objects() || NumpyBefore(c.Th, 24) && !asked {
			c.Lose("an array of rows of different lengths") // an object array before numpy 1.24
		} else {
			c.Errorf("ValueError", diag.ShapeMismatch,
				"%s(): the data are not rectangular: at depth %d there are elements of shape %s and of shape %s", c.Short(), depth, want, have)
		}
	}
	return ok
}

// objects reports whether the call asks for an array of objects.
func (c *Call) objects() bool {
	if !c.HasParam("dtype") {
		return false
	}
	switch x := c.Value("dtype").(type) {
	case *value.Class:
		return x.Name == "object" || x.Name == "object_"
	case value.Str:
		return x == "O" || x == "object"
	}
	return false
}

// ScalarDType is the dtype of a scalar.
func ScalarDType(i *value.Instance) dtype.DType {
	for _, k := range i.Class.MRO {
		if d, ok := k.Data.(dtype.DType); ok {
			return d
		}
	}
	return dtype.Unknown
}

// Numpy1 reports whether the run is to behave like numpy 1.x.
func (c *Call) Numpy1() bool { return !NumpyTwo(c.Th) }

// NumpyTwo reports whether the run's numpy is 2.x: by its own version where that is
// known, else by that of PyTorch, which works with numpy 2 since 2.3.
func NumpyTwo(th interface{ Option(name string) string }) bool {
	if v := th.Option("numpy-version"); v != "" {
		return !strings.HasPrefix(v, "0.") && !strings.HasPrefix(v, "1.")
	}
	major, rest, _ := strings.Cut(th.Option("torch-version"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	switch {
	case major == "" || major > "2" || len(major) > 1:
		return true
	case major < "2":
		return false
	}
	return len(minor) > 1 || minor >= "3"
}

// NumpyBefore reports whether the run's numpy is older than 1.minor.
func NumpyBefore(th value.Thread, minor int) bool {
	if NumpyTwo(th) {
		return false
	}
	major, rest, _ := strings.Cut(th.Option("numpy-version"), ".")
	if major == "" { // PyTorch 1 came with versions up to 1.23
		return strings.HasPrefix(th.Option("torch-version"), "1.") && minor > 23
	}
	text, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(text)
	return major == "0" || err == nil && n < minor
}

// TensorOfArray is torch.tensor(array) and its kin; as_tensor and from_numpy share the memory.
func (c *Call) TensorOfArray(t *value.Tensor) value.Value {
	ty := *t.Type()
	if d := ty.DType; d == dtype.U16 || d == dtype.U32 || d == dtype.U64 {
		if c.Torch1() {
			return c.Errorf("TypeError", diag.DTypeMismatch, "%s(): PyTorch 1 cannot convert an array of %s", c.Short(), d.Numpy())
		}
	}
	if c.HasParam("input") { // new_tensor keeps the dtype of its receiver
		if x := c.Tensor("input"); x != nil {
			ty.DType = x.Type().DType
		}
	}
	if shares := c.Is(FromNumpy) || c.Op.Is.Has(graph.MaybeSelf); shares &&
		(!c.HasParam("dtype") || c.FactoryDType(ty.DType) == ty.DType && c.DeviceArg("device") == "") {
		out := &value.Tensor{Header: c.Th.Heap().Header(), V: t.V, Elems: t.Contents()}
		out.ShareStorage(c.Th.Heap(), t)
		return out
	}
	out := c.MadeType(ty)
	if out == nil {
		return nil
	}
	c.Convert(out, t.Contents())
	return out
}
