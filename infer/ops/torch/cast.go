package torch

// This file holds the records of conversions: to another dtype or device, to
// Python values, and out of the autograd graph. A conversion keeps the shape; whether it makes new
// memory decides whether later writes reach the old tensor, which is why cast returns the very
// tensor where nothing changes. Conversions to Python values (item, int, bool) read one element: if
// it is known the value is exact, and otherwise it is a symbol with the tensor as its source, so
// that the typed graph can compute it.

import (
	"math"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// The parameters that all overloads of to end in.
const toTail = "bool non_blocking=False, bool copy=False, *, any memory_format=None"

var castOps = [...]ops.Op{
	{Names: spelled(".to"), Sig: "(Tensor input, ScalarType dtype, " + toTail +
		") | (Tensor input, Device? device, ScalarType? dtype=None, " + toTail + ") | (Tensor input, Operand other, " + toTail +
		") | (Tensor input, *, ScalarType? dtype=None, Device? device=None, any layout=None, bool? non_blocking=False, bool? copy=False, any memory_format=None)",
		Rule: toRule, Is: graph.MaybeSelf | graph.KeepsElements, Quirks: ops.PlacesResult, Sparse: ops.SparseKeeps,
		Trace: ops.Converts, Doc: "another dtype or device; the tensor itself if nothing changes"},
	castTo(".float", dtype.F32).With(ops.Op{Sparse: ops.SparseKeeps,
		Is: graph.OneTensor}), castTo(".double", dtype.F64).With(ops.Op{Sparse: ops.SparseKeeps}),
	castTo(".half", dtype.F16).With(ops.Op{Sparse: ops.SparseKeeps}), castTo(".bfloat16", dtype.BF16),
	castTo(".long", dtype.I64).With(ops.Op{Is: graph.KeepsElements}), castTo(".int", dtype.I32), castTo(".short", dtype.I16),
	castTo(".char", dtype.I8), castTo(".byte", dtype.U8), castTo(".bool", dtype.Bool),
	castTo(".cfloat", dtype.C64), castTo(".cdouble", dtype.C128), castTo(".chalf", dtype.C32),
	{Names: spelled(".type"), Sig: "(Tensor input, any dtype=None, bool non_blocking=False)", Rule: typeRule,
		Quirks: ops.PlacesResult, Trace: ops.Converts, Doc: "the name of the type, or another dtype"},
	{Names: spelled(".type_as"), Sig: "(Tensor input, Tensor other)", Rule: toRule,
		Is: graph.MaybeSelf, Quirks: ops.PlacesResult, Trace: ops.Converts, Doc: "the dtype and device of another tensor"},
	{Names: spelled(".cpu"), Sig: "(Tensor input, any memory_format=None)", Rule: moveRule("cpu"),
		Is: graph.MaybeSelf, Quirks: ops.PlacesResult, Sparse: ops.SparseKeeps, Doc: "on the CPU"},
	{Names: spelled(".xpu"), Sig: "(Tensor input, any device=None, bool non_blocking=False, any memory_format=None)", Rule: moveRule("xpu"),
		Quirks: ops.PlacesResult, Doc: "on an XPU"},
	{Names: spelled(".ipu"), Sig: "(Tensor input, any device=None, bool non_blocking=False, any memory_format=None)", Rule: moveRule("ipu"),
		Quirks: ops.PlacesResult, Doc: "on an IPU"},
	{Names: spelled(".apply_ .map_ .map2_"), Sig: "(Tensor input, *args)", Rule: func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		return c.Like(t, t.Type().DType)
	}, Doc: "a Python function of each element, in place"},
	{Names: spelled(".cuda"), Sig: "(Tensor input, any device=None, bool non_blocking=False, any memory_format=None)", Rule: moveRule("cuda"),
		Is: graph.MaybeSelf | graph.KeepsElements, Quirks: ops.PlacesResult, Sparse: ops.SparseKeeps, Doc: "on a GPU"},
	{Names: spelled("clone"), Sig: "(Tensor input, *, any memory_format=None)", Rule: cloneRule, Is: graph.KeepsElements,
		Sparse: ops.SparseKeeps,
		Trace:  ops.Clones, Doc: "a copy"},
	{Names: spelled("detach .data.get"), Sig: "(Tensor input)", Rule: alias(ops.AnyDType),
		Is: graph.CutsGradient | graph.View | graph.Ordered | graph.Metadata | graph.KeepsElements, Sparse: ops.SparseKeeps,
		Trace: ops.LeavesSizes, Doc: "the same memory, outside of the autograd graph"},
	{Names: spelled(".requires_grad_"), Sig: "(Tensor input, any requires_grad=True)", Rule: requiresGradRule,
		Is: graph.View | graph.Ordered | graph.Metadata, Sparse: ops.SparseTells, Doc: "marks a leaf for autograd"},
	{Names: spelled(".detach_ torch.detach_"), Sig: "(Tensor input)", Rule: itselfRule(false),
		Is: graph.View | graph.Ordered | graph.Metadata, Doc: "the tensor itself, for what matters here"},
	{Names: spelled(".share_memory_ .pin_memory"), Sig: "(Tensor input)", Rule: itselfRule(true),
		Is: graph.View | graph.Ordered | graph.Metadata, Doc: "the tensor itself, for what matters here"},
	itemAs(".item", anyItem, "the element of a tensor with one, as a Python number").
		With(ops.Op{Trace: ops.TakesItem | ops.GivesNumber, Warns: ops.WarnsNumber}),
	itemAs("__int__ __long__", intItem, "the element of a tensor with one, as an int").
		With(ops.Op{Trace: ops.GivesNumber, Warns: ops.WarnsInt}),
	itemAs("__index__", indexItem,
		"the element of an integer tensor with one, as an int").With(
		ops.Op{Trace: ops.TakesConstant | ops.AsksElements | ops.ReadsNumber | ops.EndsGraph | ops.TakesScalar}),
	itemAs("__float__", floatItem, "the element of a tensor with one, as a float").
		With(ops.Op{Trace: ops.GivesNumber, Warns: ops.WarnsFloat}),
	itemAs("__complex__", complexItem, "the element of a tensor with one, as a complex number"),
	itemAs("__bool__ __nonzero__", truthItem, "whether the element of a tensor with one is not zero").
		With(ops.Op{Trace: ops.TakesConstant | ops.ReadsNumber | ops.EndsGraph, Warns: ops.WarnsBool}),
	itemAs("is_nonzero", truthItem, "whether the element of a tensor with one is not zero").
		With(ops.Op{Trace: ops.TakesConstant | ops.EndsGraph | ops.AsksTruth}),
	{Names: spelled(".tolist"), Sig: "(Tensor input)", Rule: tolistRule, Pure: true,
		Trace: ops.TakesItem | ops.GivesNumber, Warns: ops.WarnsList, Doc: "nested lists of Python numbers"},
}

// castTo makes the record of a method that changes the dtype. The tensor itself comes back if it
// has the dtype.
func castTo(name string, d dtype.DType) ops.Op {
	return ops.Op{Names: spelled(name), Sig: "(Tensor input, *, any memory_format=None)", Is: graph.MaybeSelf, Trace: ops.Converts,
		Doc: "the dtype " + d.Torch(), Rule: func(c *ops.Call) value.Value {
			t := c.Tensor("input")
			if t == nil {
				return nil
			}
			return cast(c, t, d, "", false)
		}}
}

// cast makes t of another dtype or on another device, or gives t itself. copying asks for new
// memory in any case. device is empty to keep it, and ops.Anywhere for one that is not known. An
// unknown dtype never counts as equal, so the result is new.
func cast(c *ops.Call, t *value.Tensor, d dtype.DType, device string, copying bool) value.Value {
	ty := *t.Type()
	if device == ops.Anywhere { // from now on nothing is known of where it is
		if device = ""; !copying {
			t.Type().Device = ""
		}
		ty.Device = ""
	}
	if !copying && d == ty.DType && d != dtype.Unknown && (device == "" || device == ty.Device) && !formats(c, t) {
		return t
	}
	ty.DType = d
	if device != "" {
		ty.Device = device
	}
	// A copy of a tensor that is not contiguous keeps the order of its axes.
	if ty.Ranked && ty.Strides != nil {
		ty.Strides = c.PointwiseStrides(ty.Shape, []*value.Tensor{t})
		if c.IsRowMajor(ty.Shape, ty.Strides) {
			ty.Strides = nil
		}
	}
	out := c.OutType(ty)
	c.Convert(out, t.Contents())
	// preserve_format is the default and was done before.
	if c.HasParam("memory_format") {
		if f, ok := c.Value("memory_format").(value.Constant); ok && f.Name != "torch.preserve_format" {
			out.Type().Strides = nil
			setFormat(c, out)
		}
	}
	return out
}

// formats reports whether a memory format is asked for that t does not have. A tensor in row-major
// order has every format but channels_last.
func formats(c *ops.Call, t *value.Tensor) bool {
	if !c.HasParam("memory_format") {
		return false
	}
	f, ok := c.Value("memory_format").(value.Constant)
	if !ok || f.Name == "torch.preserve_format" {
		return false
	}
	n := t.Type().Rank() // what is not ordered by channels passes for contiguous
	return f.Name != "torch.contiguous_format" || n < 0 || (n == 4 || n == 5) && t.Type().Strides != nil
}

// numberTensor gives the dtype of the tensor that a number becomes. Ints are missing, as they are
// devices in to().
var numberTensor = map[dtype.Kind]dtype.DType{dtype.KindBool: dtype.Bool, dtype.KindFloat: dtype.F64, dtype.KindComplex: dtype.C128}

// toRule is that of Tensor.to, whose overloads take a dtype, a device, both, or another tensor that has both.
// What is not asked for stays, and where nothing changes the tensor itself comes back (cast).
func toRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	d, dev := t.Type().DType, ""
	if c.HasParam("other") {
		// PyTorch takes a number other than an int, which is a device, for a tensor.
		if d, ok := numberTensor[ops.NumberKind(c.Value("other"))]; ok {
			return cast(c, t, d, "", false)
		}
		o := c.Tensor("other")
		if o == nil {
			return nil
		}
		// Its device may not be known.
		if d, dev = o.Type().DType, o.Type().Device; dev == "" {
			dev = ops.Anywhere
		}
	}
	if c.HasParam("dtype") {
		d = c.DType("dtype", d)
	}
	if x, given := c.DeviceArgument("device"); given {
		dev = x
	}
	if !c.OK() {
		return nil
	}
	// A copy that is not known is taken for one.
	copying := c.HasParam("copy") && c.Has("copy") && (value.IsUnknown(c.Value("copy")) || c.Bool("copy"))
	return cast(c, t, d, dev, copying)
}

// tensorTypeName is what x.type() gives. The names are those of the old classes, such as
// torch.FloatTensor.
var tensorTypeName = map[dtype.DType]string{
	dtype.F32: "Float", dtype.F64: "Double", dtype.F16: "Half", dtype.BF16: "BFloat16", dtype.U8: "Byte", dtype.I8: "Char", dtype.I16: "Short",
	dtype.I32: "Int", dtype.I64: "Long", dtype.Bool: "Bool", dtype.C64: "ComplexFloat", dtype.C128: "ComplexDouble", dtype.C32: "ComplexHalf",
}

// typeRule is that of Tensor.type: without an argument it names the type as torch.FloatTensor, the old way to
// ask for dtype and device; with one it converts to what such a name, its class or a dtype says.
func typeRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	switch v := value.Plain(c.Value("dtype")).(type) {
	case value.NoneType:
		name, ok := tensorTypeName[t.Type().DType]
		if !ok {
			return c.Lose("the dtype is not known")
		}
		prefix := "torch."
		if strings.HasPrefix(t.Type().Device, "cuda") {
			prefix = "torch.cuda."
		}
		return value.Str(prefix + name + "Tensor")
	case value.Str:
		d, ok := dtype.ParseTensorType(string(v))
		if !ok {
			return c.Errorf("ValueError", diag.BadValue, "type(): '%s' is not a type of tensors", string(v))
		}
		return cast(c, t, d, "", false)
	case *value.Class:
		if d, ok := dtype.ParseTensorType(v.Name); ok {
			return cast(c, t, d, "", false)
		}
	}
	return cast(c, t, c.DType("dtype", t.Type().DType), "", false)
}

// moveRule makes the rule of cpu() and cuda(), the latter with a device number. Where a tensor is decides which
// calls may have it together with others, and nothing else. The device given as an argument counts
// more than the method's own.
func moveRule(device string) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		dev := device
		if x, given := c.DeviceArgument("device"); given && x != ops.Anywhere {
			dev = x
		}
		return cast(c, t, t.Type().DType, dev, false)
	}
}

// New memory with the same elements, in the format asked for.
func cloneRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	return cast(c, t, t.Type().DType, "", true)
}

// requiresGradRule changes the tensor itself: the heap's journal has it, so that a branch which is rolled back
// leaves no trace. Only floating and complex dtypes have gradients.
func requiresGradRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	// An unknown argument changes nothing that is followed.
	if t == nil || value.IsUnknown(c.Value("requires_grad")) {
		return t
	}
	on, known := c.Th.Holds(truth(c, "requires_grad"))
	if !c.OK() {
		return nil
	}
	if d := t.Type().DType; known && on && !ops.Inexact.Has(d) {
		return c.Errorf("RuntimeError", diag.DTypeMismatch,
			"requires_grad_(): only floating-point and complex tensors can require gradients, not %s", t)
	}
	c.Th.Heap().Touch(t)
	t.RequiresGrad = on
	// The result is the tensor, and no node is recorded for it.
	c.InPlace = false
	return t
}

// itselfRule is that of methods which change nothing that is modelled, but for the kind of
// memory where they place the tensor.
func itselfRule(places bool) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		c.InPlace = false
		if places {
			t.Place(c.Th.Heap())
		}
		return t
	}
}

// truth is the truth value of an argument that Python's code would test with if. An error of
// __bool__ becomes that of the call.
func truth(c *ops.Call, name string) value.Value {
	b, err := c.Th.Truth(c.Value(name))
	c.SetErr(err)
	return b
}

// The conversions of an element to a Python value.
const (
	anyItem     ops.Variant = "" // of the dtype's own kind
	intItem     ops.Variant = "int"
	indexItem   ops.Variant = "index"
	floatItem   ops.Variant = "float"
	complexItem ops.Variant = "complex"
	truthItem   ops.Variant = "truth"
)

// itemAs makes the record of a conversion. Such functions have no node in the graph, hence Pure.
func itemAs(names string, kind ops.Variant, doc string) ops.Op {
	return ops.Op{Names: spelled(names), Sig: "(Tensor input)", Rule: itemRule, Pure: true, Variant: kind, Doc: doc}
}

// itemRule needs a tensor of one element, for __index__ an integer or bool one. The result is the element
// as the number of Python that the variant asks for; float() refuses complex elements. An element that is
// not known gives a symbol whose source is the tensor.
func itemRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	if c.Is(indexItem) {
		if d := t.Type().DType; d != dtype.Unknown && !d.IsIntegralOrBool() || !c.OK() {
			return c.Errorf("TypeError", diag.DTypeMismatch, "only an integer tensor can be used as an index, not %s", t)
		}
	}
	// TypeError or RuntimeError for more than one element.
	if !c.OneElement(t, c.Is(truthItem)) {
		return nil
	}
	elems := t.Contents()
	// a number's value has no dimensions
	if rank := len(t.Type().Shape); rank > 0 && !c.Is(truthItem) && !(len(elems) > 0 && known(elems[0])) {
		path := slices.Repeat([]value.Value{value.Int(0)}, rank)
		if one := c.DelegateTensor("torch.Tensor.__getitem__", []value.Value{t, &value.Tuple{Elems: path}}); one != nil {
			t, elems = one, one.Contents()
		}
	}
	v := c.ElementOf(t, 0, elems)
	switch c.Op.Variant {
	case truthItem:
		if v == nil {
			// Which truth the element has decides the branch that is taken.
			return c.Th.DataBool(t.V)
		}
		return withSource(c, c.ElemTruth(v), t)
	case intItem, indexItem:
		if v == nil || ops.IsRealElem(v) {
			if f, ok := v.(value.Float); ok && math.Abs(float64(f)) < 1<<62 {
				return value.Int(int64(f))
			}
			// It is cut towards zero.
			if f, ok := v.(*value.SymFloat); ok && f.R.Known() {
				return c.CastElem(dtype.I64, f)
			}
			return c.Th.DataInt("i", ops.LowestInt(t.Type().DType), t.V)
		}
		return c.CastElem(dtype.I64, v)
	case floatItem:
		if t.Type().DType.IsComplex() {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "float(): a complex number cannot be made a float: %s", t)
		}
		// The tensor computes the number in the typed graph.
		if v == nil {
			return &value.SymFloat{Source: t.V}
		}
		out := c.CastElem(dtype.F64, v)
		if f, ok := out.(*value.SymFloat); ok && f.Source == nil {
			own := *f
			own.Source = t.V
			return &own
		}
		return out
	// The value of a complex element is not followed.
	case complexItem:
		return &value.Abstract{Class: c.Th.Class("complex")}
	}
	if v == nil {
		return c.Lose("the dtype is not known")
	}
	return v
}

// withSource notes where a truth value comes from. A new value is made, as elements are shared.
func withSource(c *ops.Call, v value.Value, t *value.Tensor) value.Value {
	if b, ok := v.(*value.SymBool); ok && b.Source == nil {
		n := *b
		n.Source = t.V
		return &n
	}
	return v
}

// tolistRule makes lists of Python numbers, nested by the axes. Of a vector whose length is a symbol it makes a
// list of that length whose elements are read when they are asked for; of more axes the nesting cannot be made.
func tolistRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	shape, ok := ops.ConstShape(s)
	if !ok || ops.Product(shape) > value.MaxElems {
		if len(s) == 1 {
			if e := c.ElementOf(t, 0, nil); e != nil {
				// Later writes to the tensor do not change the list, so its present value is kept.
				now := &value.Tensor{Class: t.Class, V: t.V}
				return c.Th.Heap().NewOpenList(&value.Open{Elem: unsourced(c, e, t), Len: s[0],
					At: func(th value.Thread, i *value.SymInt) (value.Value, error) {
						x, err := th.GetItem(now, i)
						if err != nil {
							return nil, err
						}
						return th.CallMethod(x, "item")
					}})
			}
		}
		return c.Lose("the number of elements is not known")
	}
	at := 0
	return nest(c, t, shape, nil, t.Contents(), &at)
}

// unsourced is a number that stands for any element of a tensor: no value of the typed graph is
// that. Bounds come from the dtype.
func unsourced(c *ops.Call, elem value.Value, t *value.Tensor) value.Value {
	switch elem.(type) {
	case *value.SymBool:
		return c.Th.DataBool(nil)
	case *value.SymInt:
		return c.Th.DataInt("i", ops.LowestInt(t.Type().DType), nil)
	case *value.SymFloat:
		return &value.SymFloat{}
	}
	return elem
}

// nest makes the lists of the elements from position at on; path are the indices so far. The number of an
// element that is not known comes from that element alone. at counts the elements in row-major
// order.
func nest(c *ops.Call, t *value.Tensor, shape []int, path []value.Value, elems []value.Value, at *int) value.Value {
	if len(shape) == 0 {
		from, i := t, *at
		*at++
		if len(path) > 0 && !(i < len(elems) && known(elems[i])) {
			one := c.DelegateTensor("torch.Tensor.__getitem__", []value.Value{t, &value.Tuple{Elems: slices.Clone(path)}})
			if one == nil {
				return nil
			}
			from, i, elems = one, 0, one.Contents()
		}
		v := c.ElementOf(from, i, elems)
		if v == nil {
			return c.Lose("the dtype is not known")
		}
		return v
	}
	list := make([]value.Value, shape[0])
	for i := range list {
		list[i] = nest(c, t, shape[1:], append(path, value.Int(i)), elems, at)
	}
	return c.Th.Heap().NewList(list)
}

// known says whether an element is more than a number that data decides. Such numbers are read from
// the tensor anew, each with a source of its own.
func known(elem value.Value) bool {
	s, ok := elem.(*value.SymInt)
	return !ok || s.D.Expr != nil || s.D.Known
}
