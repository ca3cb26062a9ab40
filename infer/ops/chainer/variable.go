package chainer

// This file holds what a Variable has: attributes, methods and operators. A Variable is a tensor of
// the class chainer.Variable; its array is the tensor with the class of an array. What the array
// can answer is asked of NumPy's records (Delegate "numpy.ndarray…"). A Parameter that was created
// without a shape waits for its first call (IsPending); until then most attributes are those of
// None. Methods that build a graph have the label by which Chainer's type checks name them, since
// it appears in their messages.

import (
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

const self = "(x)"

// variableGetter makes the record of an attribute or method that says something of a Variable.
// names are written with blanks between them, without the class. What is no tensor, such as an
// unknown Variable, loses the result.
func variableGetter(names string, f func(k *call, x *value.Tensor) value.Value, doc string) ops.Op {
	return about(names, self, func(k *call) value.Value {
		x, ok := k.Value("x").(*value.Tensor)
		if !ok {
			return k.Lose("the Variable is not known")
		}
		return f(k, x)
	}, doc)
}

// nothing is the rule of methods of which shapes tell nothing. Their result is None whatever they
// do.
func nothing(*call) value.Value { return value.None }

// labelOf writes the type of a Variable as Chainer's graphs show it: (5, 4), float32. The text is
// that of Variable.label. It is unknown unless the rank, all sizes and the dtype are known.
func labelOf(k *call, x *value.Tensor) value.Value {
	ty := x.Type()
	text := ty.DType.Numpy()
	sizes := make([]string, len(ty.Shape))
	for i, d := range ty.Shape {
		n, known := ops.DimVal(d)
		if !known {
			return k.Th.Unknown("the text of a Variable")
		}
		sizes[i] = strconv.FormatInt(n, 10)
	}
	if !ty.Ranked || ty.DType == dtype.Unknown || IsPending(x) {
		return k.Th.Unknown("the text of a Variable")
	}
	if len(sizes) > 0 {
		text = "(" + strings.Join(sizes, ", ") + "), " + text
	}
	return value.Str(text)
}

// noArray is the array of a Parameter that waits: None, or an unknown one. An unknown value says that it is not known whether the Parameter still waits.
func noArray(waitsFor value.Value) value.Value {
	if value.IsUnknown(waitsFor) {
		return waitsFor
	}
	return value.None
}

// variables lists what a Variable has: attributes and methods of its array, which a parameter without a
// shape does not have yet, methods that differentiate, and those that Chainer refuses, such as comparison
// and assignment to elements. copydata needs a source that broadcasts to the target.
func variables() []ops.Op {
	// get gives the getter for an attribute of the array.
	get := func(name string) func(k *call, x *value.Tensor) value.Value {
		return func(k *call, x *value.Tensor) value.Value {
			if w := waitsFor(x); value.IsUnknown(w) {
				return w
			} else if w != nil && name != "dtype" {
				return k.Errorf("AttributeError", diag.TypeMismatch, "'NoneType' object has no attribute '%s': the parameter has no array yet", name)
			}
			op, ok := k.Find("numpy.ndarray." + name + ".get")
			if !ok {
				return k.Lose("no rule for %s", name)
			}
			return k.Delegate(op.Names[0], []value.Value{k.arrayOf(x)})
		}
	}
	list := []ops.Op{
		variableGetter("array.get data.get chx_array.get raw_array.get", func(k *call, x *value.Tensor) value.Value {
			if w := waitsFor(x); w != nil {
				return noArray(w)
			}
			return k.arrayOf(x)
		}, "the array"),
		// Assignment replaces the array, also of a parameter, which keeps its name and its place
		// among the parameters. A new graph value based on the array's is made, since the array
		// itself may be used elsewhere. A parameter that waited has its shape from now on.
		about("array.set data.set", "(x, value)", func(k *call) value.Value {
			x, _ := k.Value("x").(*value.Tensor)
			a, ok := k.Value("value").(*value.Tensor)
			if x == nil || !ok {
				return value.None
			}
			h := k.Th.Heap()
			h.Touch(x)
			param := x.V.Param
			v := k.Th.Graph().NewValue(a.V.Kind, *a.Type(), k.Th.Here())
			v.Name, v.Param, v.Base = x.V.Name, param, a.V
			x.V = v
			x.SetContents(a.Contents())
			if x.Attrs != nil {
				x.Attrs.Delete(h, Pending)
			}
			return value.None
		}, "puts another array in"),
		variableGetter("shape.get", get("shape"), "the sizes"), variableGetter("ndim.get", get("ndim"), "the number of axes"),
		variableGetter("size.get", get("size"), "the number of elements"), variableGetter("dtype.get", get("dtype"), "the dtype"),
		// A scalar raises TypeError in the record of ndarray.
		variableGetter("__len__", func(k *call, x *value.Tensor) value.Value {
			return k.Delegate("numpy.ndarray.__len__", []value.Value{k.arrayOf(x)})
		}, "the size of the first axis"),
		variableGetter("item", func(k *call, x *value.Tensor) value.Value {
			return k.Delegate("numpy.ndarray.item", []value.Value{k.arrayOf(x)})
		}, "the element as a Python number"),
		// False for a parameter whose shape is not known yet.
		variableGetter("is_initialized.get", func(_ *call, x *value.Tensor) value.Value { return value.Bool(waitsFor(x) != value.Bool(true)) },
			"whether a parameter has its shape"),
		// None of them says anything about shapes.
		variableGetter("node.get device.get layout.get", func(k *call,
			_ *value.Tensor) value.Value {
			return k.Th.Unknown("an attribute of Variables that is not modelled")
		}, "not modelled"),
		about("as_layout", "(x, layout)", func(k *call) value.Value {
			return k.Th.Unknown("layouts of arrays on a GPU")
		}, "not modelled"),
		variableGetter("label.get", labelOf, "its type as text"),
		variableGetter("summary debug_print", func(k *call, _ *value.Tensor) value.Value { return k.Th.Unknown("the text of a Variable") },
			"its contents as text"),
		// Variable.
		variableGetter("__bool__", func(k *call, _ *value.Tensor) value.Value {
			return k.Errorf("TypeError", diag.TypeMismatch, "a Variable has no truth value: use .array")
		}, "refused"),
		about("backward", "(x, retain_grad=False, enable_double_backprop=False, loss_scale=None)", nothing, "computes gradients"),
		about("cleargrad zerograd unchain unchain_backward retain_data to_cpu to_intel64 to_chx from_chx", self, nothing,
			"changes nothing that shapes tell"),
		about("to_gpu to_device set_creator set_creator_node addgrad", "(x, other=None)", nothing, "changes nothing that shapes tell"),
		about("copydata", "(x, var)", func(k *call) value.Value {
			x, _ := k.Value("x").(*value.Tensor)
			v, ok := k.Value("var").(*value.Tensor)
			if x == nil || !ok {
				return value.None
			}
			// A parameter that waits takes the shape of the other one in Chainer, which is not
			// modelled here.
			if IsPending(x) || IsPending(v) {
				return value.None
			}
			a, b := k.Shape(x), k.Shape(v)
			if k.OK() && !k.BroadcastsTo(b, a) {
				return k.Errorf("ValueError", diag.ShapeMismatch, "copydata(): %s cannot be copied to %s", v, x)
			}
			return value.None
		}, "copies the elements of another Variable"),
		variableGetter("__copy__ __deepcopy__", func(k *call, x *value.Tensor) value.Value { return x },
			"itself: what shapes tell of it does not change"),
		method("reshape", "Reshape", "(x, *shape)", func(k *call) value.Value {
			// The sizes come one by one or as one sequence.
			shape := value.Value(value.NewTuple(k.Rest()...))
			if r := k.Rest(); len(r) == 1 && ops.IsSequence(r[0]) {
				shape = r[0]
			}
			return k.reshape("x", shape)
		}, "another shape of the same elements"),
		method("transpose", "Transpose", "(x, *axes)", func(k *call) value.Value {
			axes := value.Value(value.NewTuple(k.Rest()...))
			// No axes, or None, reverse their order.
			switch r := k.Rest(); {
			case len(r) == 0:
				axes = value.None
			case len(r) == 1 && (ops.IsSequence(r[0]) || r[0] == value.None):
				axes = r[0]
			}
			return k.transpose("x", axes)
		}, "the axes in another order"),
		method("T.get", "Transpose", self, func(k *call) value.Value { return k.transpose("x", value.None) }, "the axes in the opposite order"),
		method("mean", "Mean", "(x, axis=None, *, weights=None, keepdims=False)", averageRule, "the mean along axes").
			With(ops.Op{Variant: "mean", Is: graph.OneTensor}),
		method("__neg__", "Neg|__neg__", self, func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			// NumPy refuses the negative of bools.
			if k.d("x") == dtype.Bool {
				return k.Errorf("TypeError", diag.DTypeMismatch, "booleans have no negative")
			}
			return k.like("x")
		}, "the opposite number"),
		method("__pos__", "Identity", self, func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			return k.t("x")
		}, "itself"),
		method("__abs__", "Absolute||_|", self, keepsType, "without the sign"),
		record([]string{"chainer.as_variable"}, "Variable", "(obj)", func(k *call) value.Value {
			t, ok := k.Value("obj").(*value.Tensor)
			switch {
			// It must not make a second Variable of one.
			case ok && (IsVariable(t)):
				return t
			case ok && ops.IsArray(t):
				return NewVariable(k.Th.Heap(), k.Th.Class("chainer.Variable"), t)
			case k.Value("obj") == value.None:
				return k.Lose("a Variable without an array")
			}
			return k.Errorf("TypeError", diag.TypeMismatch, "as_variable(): an array is expected, not %s", ops.TypeName(k.Value("obj")))
		}, "a Variable of an array"),
		record([]string{"chainer.as_array"}, "Variable", "(obj)", func(k *call) value.Value {
			if t, ok := k.Value("obj").(*value.Tensor); ok && IsVariable(t) {
				return k.arrayOf(t)
			}
			return k.Value("obj")
		}, "the array of a Variable"),
	}
	// as_variable and as_array, the last two, change nothing.
	for i := range list[len(list)-2:] {
		list[len(list)-1-i].Pure = true
	}
	for _, op := range operators {
		list = append(list, op.record())
	}
	list = append(list, about("__setitem__", "(x, index, value)", func(k *call) value.Value {
		return k.Errorf("TypeError", diag.TypeMismatch, "a Variable is not written into: use F.scatter_add, or write to its .array")
	}, "refused: it has no gradient"))
	for _, name := range strings.Fields("__eq__ __ne__ __lt__ __le__ __gt__ __ge__") {
		list = append(list, about(name, "(x, other)", func(k *call) value.Value {
			return k.Errorf("TypeError", diag.TypeMismatch, "Variables are not compared: compare their arrays (x.array)")
		}, "refused: a comparison has no gradient"))
	}
	return list
}

// An operator is one of a Variable and another operand. label is the name of the function node and,
// behind the bar, the text of the operator in Chainer's messages. reflected says that x is the
// right operand. variant names what record and arith check in addition.
type operator struct {
	names, label string
	reflected    bool
	variant      ops.Variant
	check        string // what the type check asks of two Variables
	doc          string
}

var operators = [...]operator{
	{"__add__ __radd__", "Add|+", false, "", "", "the sum"},
	{"__sub__", "Sub|-", false, "sub", "", "the difference"},
	{"__rsub__", "Sub|r-", true, "sub", "", "the difference"},
	{"__mul__ __rmul__", "Mul|*", false, "", "lhs.dtype.kind == f", "the product"},
	{"__truediv__ __div__", "Div|/", false, "div", "lhs.dtype.kind == f", "the quotient"},
	{"__rtruediv__ __rdiv__", "Div|r/", true, "div", "lhs.dtype.kind == f", "the quotient"},
	{"__floordiv__", "Div|none", false, "floordiv", "lhs.dtype.kind == f", "the quotient, rounded down"},
	{"__rfloordiv__", "Div|none", true, "div", "lhs.dtype.kind == f", "the quotient, rounded down"},
	{"__pow__", "PowVarVar|**", false, "pow", "lhs.dtype.kind == f", "the power"},
	{"__rpow__", "PowVarVar|r**", true, "pow", "lhs.dtype.kind == f", "the power"},
	{"__matmul__", "MatMul", false, "matmul", "", "the product of matrices"},
	{"__rmatmul__", "MatMul", true, "matmul", "", "the product of matrices"},
}

// record makes the record of an operator of Variables. @ needs an array or a Variable, and casts an array
// to the dtype of x; the others follow arith. A known divisor of 0 fails where it is a number of Python,
// complex numbers are not floor-divided, and bools are not subtracted. Two Variables are compared
// by check; another operand is a number or an array, which becomes one of x's dtype.
func (o operator) record() ops.Op {
	op := method(o.names, o.label, "(x, other)", func(k *call) value.Value {
		x := k.input("x")
		if !k.OK() {
			return nil
		}
		if o.variant == "matmul" {
			t, ok := k.Value("other").(*value.Tensor)
			if !ok || !IsVariable(t) && !ops.IsArray(t) {
				return k.Errorf("TypeError", diag.TypeMismatch, "the other operand of @ must be an array or a Variable, not %s",
					ops.TypeName(k.Value("other")))
			}
			a, b := x, t
			if o.reflected {
				a, b = t, x
			}
			k.bind("a", a)
			k.bind("b", b)
			// The type check sees x alone before the operand is cast.
			if !IsVariable(t) { // cast to the dtype of x
				k.bind("x", x)
				if !k.expect(floating) {
					return nil
				}
				k.env[0].t, k.env[1].t = k.castTo(a, x.Type().DType), k.castTo(b, x.Type().DType)
			}
			return k.product(false, false)
		}
		if k.Is("floordiv") && x.Type().DType.IsComplex() {
			return k.Errorf("TypeError", diag.DTypeMismatch, "complex numbers are not rounded")
		}
		// A divisor that is a tensor or a NumPy scalar gives inf or nan instead of an exception.
		if n, known := k.Float("other"); known && n == 0 && (o.variant == "div" || o.variant == "floordiv") && !o.reflected {
			if !ops.IsTensor(k.Value("other")) && !ops.IsNumpyScalar(k.Value("other")) {
				return k.Errorf("ZeroDivisionError", diag.BadValue, "division by zero")
			}
		}
		if k.Is("sub") && x.Type().DType == dtype.Bool && (o.reflected || ops.IsTensor(k.Value("other"))) {
			return k.Errorf("TypeError", diag.DTypeMismatch, "booleans are not subtracted: use the logical_xor function")
		}
		return k.arith(x, k.Value("other"), o.reflected, o.check)
	}, o.doc)
	op.Variant = o.variant
	return op
}

// castTo is a tensor of another dtype, for checks alone. The tensor that it makes has no node in
// the graph, so it must not become part of a result.
func (k *call) castTo(t *value.Tensor, d dt) *value.Tensor {
	if t.Type().DType == d {
		return t
	}
	ty := *t.Type()
	ty.DType = d
	return &value.Tensor{Header: k.Th.Heap().Header(), Class: t.Class, V: k.Th.Graph().NewValue(t.V.Kind, ty, k.Th.Here())}
}
