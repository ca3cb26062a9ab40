package torch

// This file holds the records of what a tensor tells about itself: shape, dtype,
// device and the like, as Python values. They are pure: nothing is computed on the device, and the
// value is known as far as the tensor's type is. Sizes come as SymInts that remember their tensor
// and axis, by which a fault can name them later. What is not modelled (gradients, addresses) is
// unknown or a fixed answer that programs can live with.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// pure makes the record of a function of a tensor that gives a Python value. names are as in
// spelled; the tensor is the parameter input. An unknown tensor gives an unknown value before the
// rule is asked.
func pure(names, sig string, rule func(c *ops.Call, t *value.Tensor) value.Value, doc string) ops.Op {
	return ops.Op{Names: spelled(names), Sig: sig, Pure: true, Doc: doc, Rule: func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		return rule(c, t)
	}}
}

// The signature of most.
const onlyInput = "(Tensor input)"

var propertyOps = [...]ops.Op{
	pure(".shape.get", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value { return shapeTuple(c, t) },
		"the sizes, as torch.Size").With(ops.Op{Sparse: ops.SparseTells}),
	pure(".size", "(Tensor input, int? dim=None)", sizeRule, "the sizes, or the size of one dimension").
		With(ops.Op{Quirks: ops.NamedDims, Sparse: ops.SparseTells, Is: graph.OneTensor, Trace: ops.ComputesNothing}),
	pure(".dim .ndimension .ndim.get", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		s := c.Shape(t)
		return value.Int(len(s))
	}, "the number of dimensions").With(ops.Op{Quirks: ops.CountsAxes, Sparse: ops.SparseTells, Is: graph.OneTensor,
		Trace: ops.ComputesNothing}),
	pure("numel .nelement", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		s := c.Shape(t)
		return value.FromDim(c.Numel(s))
	}, "the number of elements").With(ops.Op{Sparse: ops.SparseTells, Is: graph.OneTensor, Trace: ops.ComputesNothing}),
	pure("__len__", onlyInput, lenRule, "the size of the first dimension").With(ops.Op{Quirks: ops.CountsAxes, Sparse: ops.SparseTells,
		Trace: ops.TakesConstant | ops.ReadsNumber | ops.ComputesNothing, Warns: ops.WarnsLen}),
	pure(".dtype.get", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		if t.Type().DType == dtype.Unknown {
			return c.Lose("the dtype is not known")
		}
		return value.DType{D: t.Type().DType}
	}, "the dtype").With(ops.Op{Sparse: ops.SparseTells}),
	pure(".device.get", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		return value.Device{Name: deviceName(t), Assumed: t.Type().Device == ""}
	}, "the device").With(ops.Op{Sparse: ops.SparseTells}),
	pure(".layout.get", onlyInput, func(*ops.Call, *value.Tensor) value.Value { return value.Constant{Name: "torch.strided"} },
		"the layout").With(ops.Op{Sparse: ops.SparseLayout}),
	pure(".requires_grad.get", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		switch c.GradientState(t) {
		case value.NoGradient:
			return value.Bool(false)
		case value.GradientUnknown:
			if t.V.Def != nil && ops.Inexact.Has(t.Type().DType) && c.Th.Option("grad") != "off" {
				return c.Th.DataBool(nil) // as its inputs, which are not followed
			}
		}
		return value.Bool(t.RequiresGrad || c.GradientState(t) == value.ResultWithGradient)
	}, "whether gradients are computed").With(ops.Op{Sparse: ops.SparseTells}),
	pure(".grad.get", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		if th, ok := c.Th.(value.GradientTeller); ok {
			if grad := th.Gradient(t); grad != nil {
				return grad
			}
		}
		// A leaf without gradients has none, and others may have one.
		if t.RequiresGrad || t.V.Def != nil {
			return c.Lose("whether a gradient has arrived here is not known")
		}
		return value.None
	}, "the gradient after a backward pass, None of a leaf without gradients"),
	pure(".grad_fn.get", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		switch c.GradientState(t) {
		case value.NoGradient, value.LeafWithGradient:
			return value.None
		case value.GradientUnknown:
			if t.V.Def == nil {
				return value.None
			}
		}
		return c.Lose("the graph of gradients is not shown")
	}, "None of leaves and of what has no gradients"),
	pure(".names.get", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		out := value.NewTuple()
		for range c.Shape(t) {
			out.Elems = append(out.Elems, value.None)
		}
		return out
	}, "no names of dimensions"),
	pure(".retain_grad", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		if th, ok := c.Th.(value.GradientTeller); ok {
			th.RetainGradient(t)
		}
		return value.None
	}, "has a result keep its gradient"),
	pure(".backward", "(Tensor input, any gradient=None, any retain_graph=None, bool create_graph=False, any inputs=None)",
		func(*ops.Call, *value.Tensor) value.Value { return value.None }, "gradients have their types alone").With(ops.Op{Is: graph.Backward,
		Trace: ops.EndsGraph}),
	pure("__contains__", "(Tensor input, any element)", contains, "whether an element is equal to a number"),
	pure(".is_leaf.get", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		switch c.GradientState(t) {
		case value.ResultWithGradient:
			return value.Bool(false)
		case value.GradientUnknown:
			if t.V.Def != nil {
				return c.Th.DataBool(nil)
			}
		}
		return value.Bool(true)
	}, "whether it is no result with gradients"),
	pure(".is_cpu.get", onlyInput, isOnRule, "whether it is on the CPU"),
	pure(".is_cuda.get .is_meta.get .is_mps.get .is_xpu.get .is_ipu.get .is_ort.get .is_vulkan.get .is_mkldnn.get", onlyInput, isOnRule,
		"whether the device is of a kind").With(ops.Op{Sparse: ops.SparseTells}),
	pure(".is_sparse.get", onlyInput, never, "whether it is sparse, in coordinates").With(ops.Op{Sparse: ops.SparseIsCOO}),
	pure(".is_sparse_csr.get", onlyInput, never, "whether it is sparse, in compressed rows").With(ops.Op{Sparse: ops.SparseIsCSR}),
	pure(".is_quantized.get .is_nested.get is_conj is_neg is_inference is_distributed", onlyInput, never, "not modelled, and so never"),
	pure(".is_shared", onlyInput, somewhere, "whether its memory is shared by processes"),
	pure(".is_pinned", "(Tensor input, Device? device=None)", somewhere, "whether its memory is locked"),
	pure(".is_coalesced", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		return c.Errorf("RuntimeError", diag.BadCall, "is_coalesced() is one of sparse tensors, not of %s", t)
	}, "sparse tensors are not modelled: dense ones have none"),
	pure("is_floating_point", onlyInput, kindRule(dtype.DType.IsFloat), "whether the dtype is a real float").
		With(ops.Op{Sparse: ops.SparseTells, Trace: ops.ComputesNothing}),
	pure("is_complex", onlyInput, kindRule(dtype.DType.IsComplex), "whether the dtype is complex").With(ops.Op{Sparse: ops.SparseTells,
		Trace: ops.ComputesNothing}),
	pure("is_signed", onlyInput, kindRule(dtype.DType.IsSigned), "whether the dtype has negative numbers"),
	pure("is_same_size", "(Tensor input, Tensor other)", sameSizeRule, "whether two tensors have one shape").With(ops.Op{Quirks: ops.OnFirst}),
	pure(".element_size", onlyInput, ops.ElemBytes, "bytes of an element"),
	pure(".itemsize.get", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		if c.Torch1() {
			return c.Errorf("AttributeError", diag.UnknownAttribute, "a Tensor has no attribute itemsize before PyTorch 2")
		}
		return ops.ElemBytes(c, t)
	}, "bytes of an element"),
	pure(".nbytes.get", onlyInput, ops.AllBytes, "bytes of all elements"),
	pure(".storage_offset", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		// A view may begin anywhere in its storage.
		if t.Storage == nil {
			return value.Int(0)
		}
		return c.Th.DataInt("offset", 0, nil)
	}, "the first element's place in memory; of views not modelled"),
	pure(".get_device torch.get_device", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value {
		// Number 0 is the GPU where none is named.
		if _, n, ok := strings.Cut(t.Type().Device, ":"); ok && n == "0" || t.Type().Device == "cuda" {
			return value.Int(0)
		}
		if d := deviceName(t); d == "cpu" {
			return value.Int(-1)
		}
		return c.Th.DataInt("device", 0, nil)
	}, "the number of the GPU"),
	pure(".data_ptr", onlyInput, func(c *ops.Call, t *value.Tensor) value.Value { return c.Th.DataInt("address", 0, nil) }, "the address"),
	// Subclasses of Tensor count, arrays do not.
	{Names: spelled("torch.is_tensor"), Sig: "(any obj)", Pure: true, Rule: func(c *ops.Call) value.Value {
		switch v := c.Value("obj").(type) {
		case *value.Tensor:
			return value.Bool(!ops.IsArray(v))
		case *value.Choice:
			return c.Lose("the argument is not known")
		}
		return value.Bool(false)
	}, Sparse: ops.SparseTells, Doc: "whether the argument is a Tensor"},
	{Names: spelled("torch.result_type"), Sig: "(Operand tensor1, Operand tensor2)", Pure: true, Rule: func(c *ops.Call) value.Value {
		d := c.ResultType(c.Value("tensor1"), c.Value("tensor2"))
		if d == dtype.Unknown {
			return c.Lose("a dtype is not known")
		}
		return value.DType{D: d}
	}, Doc: "the dtype to which two operands are promoted"},
	{Names: spelled("torch.promote_types"), Sig: "(ScalarType type1, ScalarType type2)", Pure: true, Rule: func(c *ops.Call) value.Value {
		return value.DType{D: c.Promote(c.DType("type1", dtype.Unknown), c.DType("type2", dtype.Unknown))}
	}, Doc: "the smallest dtype to which both convert"},
	{Names: spelled("torch.can_cast"), Sig: "(ScalarType from, ScalarType to)", Pure: true, Rule: func(c *ops.Call) value.Value {
		return value.Bool(dtype.CanCast(c.DType("from", dtype.Unknown), c.DType("to", dtype.Unknown)))
	}, Doc: "whether results of one dtype may be written to another"},
	{Names: spelled("torch.get_default_dtype"), Sig: "()", Pure: true,
		Rule: func(c *ops.Call) value.Value { return value.DType{D: c.DefaultDType()} }, Doc: "the dtype of new float tensors"},
}

// shapeTuple is t.shape, a torch.Size of sizes, each of which remembers its axis. It is nil where
// the rank is not known, which SizeValues reports.
func shapeTuple(c *ops.Call, t *value.Tensor) value.Value {
	sizes := c.SizeValues(t)
	if !c.OK() {
		return nil
	}
	return &value.Tuple{Class: c.Th.Class("torch.Size"), Elems: sizes}
}

// sizeRule is t.size(): all sizes, or that of dim. Of an unranked tensor the last sizes may be
// known. dim counts from either end.
func sizeRule(c *ops.Call, t *value.Tensor) value.Value {
	if !c.Has("dim") {
		return shapeTuple(c, t)
	}
	ty := t.Type()
	d := c.Dim("dim")
	n, known := ops.DimVal(d)
	axis := int(n)
	switch {
	case known:
	case ty.Ranked && len(ty.Shape) > 0:
		c.AxisOf(d, "dim", len(ty.Shape))
	default:
		c.Lose("the value of 'dim' is not known")
	}
	if !c.OK() {
		return nil
	}
	// Of an unranked tensor the type's Shape holds the last sizes.
	if !ty.Ranked {
		if axis < 0 && -axis <= len(ty.Shape) {
			return c.SizeValue(t, len(ty.Shape)+axis)
		}
		return c.Lose("the number of dimensions is not known")
	}
	if len(ty.Shape) == 0 {
		return c.Errorf("IndexError", diag.DimOutOfRange, "size(): dimension %d of a tensor without dimensions", axis)
	}
	axis = c.WrapAxis(axis, len(ty.Shape))
	if !c.OK() {
		return nil
	}
	return c.SizeValue(t, axis)
}

// lenRule is the size of the first axis. TypeError for a tensor without dimensions, as Python's len
// raises it.
func lenRule(c *ops.Call, t *value.Tensor) value.Value {
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		return c.Errorf("TypeError", diag.RankMismatch, "len() of a tensor without dimensions")
	}
	return c.SizeValue(t, 0)
}

// deviceName is the device of a tensor; the CPU when nothing was said of it. The name is a kind
// with an optional number: cuda:1.
func deviceName(t *value.Tensor) string {
	if d := t.Type().Device; d != "" {
		return d
	}
	return "cpu"
}

// somewhere is what depends on where the elements lie; memory is of no special kind unless the
// program asked for it. Shared and pinned memory are meant.
func somewhere(c *ops.Call, t *value.Tensor) value.Value {
	if t.Storage == nil || !t.Storage.Placed {
		return value.Bool(false)
	}
	return c.Th.DataBool(nil)
}

// never is what is false of all tensors that are modelled.
func never(*ops.Call, *value.Tensor) value.Value { return value.Bool(false) }

// isOnRule is that of the properties with the name of a device. The property's name ends in the
// kind of the device.
func isOnRule(c *ops.Call, t *value.Tensor) value.Value {
	what := strings.TrimSuffix(strings.TrimPrefix(c.Name, "torch.Tensor.is_"), ".get")
	return value.Bool(what == deviceName(t) || strings.HasPrefix(deviceName(t), what+":"))
}

// kindRule makes the rule of a question about the dtype.
func kindRule(f func(dtype.DType) bool) func(*ops.Call, *value.Tensor) value.Value {
	return func(c *ops.Call, t *value.Tensor) value.Value {
		if t.Type().DType == dtype.Unknown {
			return c.Lose("the dtype is not known")
		}
		return value.Bool(f(t.Type().DType))
	}
}

// sameSizeRule compares shapes; of symbols it is a condition. Unknown sizes make the answer
// unknown, and different ranks make it False.
func sameSizeRule(c *ops.Call, t *value.Tensor) value.Value {
	o := c.Tensor("other")
	if o == nil {
		return nil
	}
	a, b := c.Shape(t), c.Shape(o)
	if !c.OK() {
		return nil
	}
	if len(a) != len(b) {
		return value.Bool(false)
	}
	conds := make([]*symshape.Cond, 0, len(a))
	val, known := true, true
	for i := range a {
		if a[i].Expr == nil || b[i].Expr == nil {
			return c.Th.DataBool(nil)
		}
		conds = append(conds, c.P.Eq(a[i].Expr, b[i].Expr))
		known = known && a[i].Known && b[i].Known
		val = val && a[i].Val == b[i].Val
	}
	return c.BoolElem(c.P.And(conds...), val && known, known)
}

// contains is whether any element is equal to what is looked for; of other things than numbers and
// tensors it is not known. A comparison and any, of which the result depends on the elements.
func contains(c *ops.Call, t *value.Tensor) value.Value {
	x := value.Plain(c.Value("element"))
	switch x.(type) {
	case *value.Tensor, value.Int, value.Float, value.Bool, *value.SymInt, *value.SymFloat, *value.SymBool:
	default:
		return c.Th.DataBool(nil)
	}
	equal := c.DelegateTensor("torch.eq", []value.Value{t, x})
	if equal == nil {
		return c.Th.DataBool(nil)
	}
	found := c.DelegateTensor("torch.any", []value.Value{equal})
	if found == nil {
		return c.Th.DataBool(nil)
	}
	return c.Th.DataBool(found.V)
}
