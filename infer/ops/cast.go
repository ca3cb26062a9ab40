package ops

// This file holds the records of conversions: to another dtype or device, to
// Python values, and out of the autograd graph.

import (
	"math"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

const toTail = "bool non_blocking=False, bool copy=False, *, any memory_format=None"

var castOps = [...]Op{
	{Names: spelled(".to"), Sig: "(Tensor input, ScalarType dtype, " + toTail + ") | (Tensor input, Device? device, ScalarType? dtype=None, " + toTail + ") | (Tensor input, Operand other, " + toTail +
		") | (Tensor input, *, ScalarType? dtype=None, Device? device=None, any layout=None, bool? non_blocking=False, bool? copy=False, any memory_format=None)",
		Rule: toRule, Is: graph.MaybeSelf | graph.KeepsElements, Quirks: PlacesResult, Sparse: sparseKeeps, Doc: "another dtype or device; the tensor itself if nothing changes"},
	castTo(".float", dtype.F32).With(Op{Sparse: sparseKeeps}), castTo(".double", dtype.F64).With(Op{Sparse: sparseKeeps}), castTo(".half", dtype.F16).With(Op{Sparse: sparseKeeps}), castTo(".bfloat16", dtype.BF16),
	castTo(".long", dtype.I64).With(Op{Is: graph.KeepsElements}), castTo(".int", dtype.I32), castTo(".short", dtype.I16), castTo(".char", dtype.I8), castTo(".byte", dtype.U8), castTo(".bool", dtype.Bool),
	castTo(".cfloat", dtype.C64), castTo(".cdouble", dtype.C128), castTo(".chalf", dtype.C32),
	{Names: spelled(".type"), Sig: "(Tensor input, any dtype=None, bool non_blocking=False)", Rule: typeRule,
		Quirks: PlacesResult, Doc: "the name of the type, or another dtype"},
	{Names: spelled(".type_as"), Sig: "(Tensor input, Tensor other)", Rule: toRule,
		Is: graph.MaybeSelf, Quirks: PlacesResult, Doc: "the dtype and device of another tensor"},
	{Names: spelled(".cpu"), Sig: "(Tensor input, any memory_format=None)", Rule: moveRule("cpu"),
		Is: graph.MaybeSelf, Quirks: PlacesResult, Sparse: sparseKeeps, Doc: "on the CPU"},
	{Names: spelled(".xpu"), Sig: "(Tensor input, any device=None, bool non_blocking=False, any memory_format=None)", Rule: moveRule("xpu"),
		Quirks: PlacesResult, Doc: "on an XPU"},
	{Names: spelled(".ipu"), Sig: "(Tensor input, any device=None, bool non_blocking=False, any memory_format=None)", Rule: moveRule("ipu"),
		Quirks: PlacesResult, Doc: "on an IPU"},
	{Names: spelled(".apply_ .map_ .map2_"), Sig: "(Tensor input, *args)", Rule: func(c *Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		return c.Like(t, t.Type().DType)
	}, Doc: "a Python function of each element, in place"},
	{Names: spelled(".cuda"), Sig: "(Tensor input, any device=None, bool non_blocking=False, any memory_format=None)", Rule: moveRule("cuda"),
		Is: graph.MaybeSelf | graph.KeepsElements, Quirks: PlacesResult, Sparse: sparseKeeps, Doc: "on a GPU"},
	{Names: spelled("clone"), Sig: "(Tensor input, *, any memory_format=None)", Rule: cloneRule, Is: graph.KeepsElements, Sparse: sparseKeeps, Doc: "a copy"},
	{Names: spelled("detach .data.get"), Sig: "(Tensor input)", Rule: alias(anyDType),
		Is: graph.View | graph.Ordered | graph.Metadata | graph.KeepsElements, Sparse: sparseKeeps, Doc: "the same memory, outside of the autograd graph"},
	{Names: spelled(".requires_grad_"), Sig: "(Tensor input, any requires_grad=True)", Rule: requiresGradRule,
		Is: graph.View | graph.Ordered | graph.Metadata, Sparse: sparseTells, Doc: "marks a leaf for autograd"},
	{Names: spelled(".detach_ torch.detach_ .share_memory_ .pin_memory"), Sig: "(Tensor input)", Rule: itselfRule,
		Is: graph.View | graph.Ordered | graph.Metadata, Doc: "the tensor itself, for what matters here"},
	itemAs(".item", anyItem, "the element of a tensor with one, as a Python number"),
	itemAs("__int__ __long__", intItem, "the element of a tensor with one, as an int"),
	itemAs("__index__", indexItem, "the element of an integer tensor with one, as an int"),
	itemAs("__float__", floatItem, "the element of a tensor with one, as a float"),
	itemAs("__complex__", complexItem, "the element of a tensor with one, as a complex number"),
	itemAs("__bool__ is_nonzero __nonzero__", truthItem, "whether the element of a tensor with one is not zero"),
	{Names: spelled(".tolist"), Sig: "(Tensor input)", Rule: tolistRule, Pure: true, Doc: "nested lists of Python numbers"},
}

// castTo makes the record of a method that changes the dtype.
func castTo(name string, d dtype.DType) Op {
	return Op{Names: spelled(name), Sig: "(Tensor input, *, any memory_format=None)", Doc: "the dtype " + d.Torch(), Rule: func(c *Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		return c.cast(t, d, "", false)
	}}
}

// cast makes t of another dtype or on another device, or gives t itself.
func (c *Call) cast(t *value.Tensor, d dtype.DType, device string, copying bool) value.Value {
	ty := *t.Type()
	if device == anywhere { // from now on nothing is known of where it is
		if device = ""; !copying {
			t.Type().Device = ""
		}
		ty.Device = ""
	}
	if !copying && d == ty.DType && d != dtype.Unknown && (device == "" || device == ty.Device) && !c.formats(t) {
		return t
	}
	ty.DType = d
	if device != "" {
		ty.Device = device
	}
	if ty.Ranked && ty.Strides != nil {
		ty.Strides = c.pointwiseStrides(ty.Shape, []*value.Tensor{t})
		if c.isRowMajor(ty.Shape, ty.Strides) {
			ty.Strides = nil
		}
	}
	out := c.OutType(ty)
	c.convert(out, t.Contents())
	if c.HasParam("memory_format") {
		if f, ok := c.Value("memory_format").(value.Constant); ok && f.Name != "torch.preserve_format" {
			out.Type().Strides = nil
			c.setFormat(out)
		}
	}
	return out
}

// formats reports whether a memory format is asked for that t does not have.
func (c *Call) formats(t *value.Tensor) bool {
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

// numberTensor gives the dtype of the tensor that a number becomes.
var numberTensor = map[dtype.Kind]dtype.DType{dtype.KindBool: dtype.Bool, dtype.KindFloat: dtype.F64, dtype.KindComplex: dtype.C128}

func toRule(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	d, dev := t.Type().DType, ""
	if c.HasParam("other") {
		// PyTorch takes a number other than an int, which is a device, for a tensor.
		if d, ok := numberTensor[numberKind(c.Value("other"))]; ok {
			return c.cast(t, d, "", false)
		}
		o := c.Tensor("other")
		if o == nil {
			return nil
		}
		if d, dev = o.Type().DType, o.Type().Device; dev == "" {
			dev = anywhere
		}
	}
	if c.HasParam("dtype") {
		d = c.DType("dtype", d)
	}
	if x, given := c.deviceArgument("device"); given {
		dev = x
	}
	if !c.OK() {
		return nil
	}
	copying := c.HasParam("copy") && c.Has("copy") && (value.IsUnknown(c.Value("copy")) || c.Bool("copy"))
	return c.cast(t, d, dev, copying)
}

// tensorTypeName is what x.type() gives.
var tensorTypeName = map[dtype.DType]string{
	dtype.F32: "Float", dtype.F64: "Double", dtype.F16: "Half", dtype.BF16: "BFloat16", dtype.U8: "Byte", dtype.I8: "Char", dtype.I16: "Short",
	dtype.I32: "Int", dtype.I64: "Long", dtype.Bool: "Bool", dtype.C64: "ComplexFloat", dtype.C128: "ComplexDouble", dtype.C32: "ComplexHalf",
}

func typeRule(c *Call) value.Value {
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
		return c.cast(t, d, "", false)
	case *value.Class:
		if d, ok := dtype.ParseTensorType(v.Name); ok {
			return c.cast(t, d, "", false)
		}
	}
	return c.cast(t, c.DType("dtype", t.Type().DType), "", false)
}

func moveRule(device string) func(*Call) value.Value {
	return func(c *Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		dev := device
		if x, given := c.deviceArgument("device"); given && x != anywhere {
			dev = x
		}
		return c.cast(t, t.Type().DType, dev, false)
	}
}

func cloneRule(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	return c.cast(t, t.Type().DType, "", true)
}

func requiresGradRule(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil || value.IsUnknown(c.Value("requires_grad")) {
		return t
	}
	on, known := c.Th.Holds(c.truth("requires_grad"))
	if !c.OK() {
		return nil
	}
	if d := t.Type().DType; known && on && !inexact.has(d) {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "requires_grad_(): only floating-point and complex tensors can require gradients, not %s", t)
	}
	c.Th.Heap().Touch(t)
	t.RequiresGrad = on
	c.inout = false
	return t
}

// itselfRule is that of methods which change nothing that is modelled.
func itselfRule(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	c.inout = false
	return t
}

func (c *Call) truth(name string) value.Value {
	b, err := c.Th.Truth(c.Value(name))
	c.SetErr(err)
	return b
}

// one checks that t can have a single element, whose truth or value is asked for.
func (c *Call) one(t *value.Tensor, truth bool) bool {
	ty := t.Type()
	if !ty.Ranked {
		return true
	}
	n := c.Numel(ty.Shape)
	if n.Expr == nil || c.Th.Require(c.P.Eq(n.Expr, c.P.Const(1)), "") != symshape.No {
		return true
	}
	if truth {
		c.Errorf("RuntimeError", diag.RankMismatch, "the truth value of a tensor with %s elements is ambiguous: %s; use any() or all()", n, t)
	} else {
		c.Errorf("ValueError", diag.RankMismatch, "%s(): only a tensor with one element has a Python value, not %s", c.short(), t)
	}
	return false
}

// The conversions of an element to a Python value.
const (
	anyItem     Variant = "" // of the dtype's own kind
	intItem     Variant = "int"
	indexItem   Variant = "index"
	floatItem   Variant = "float"
	complexItem Variant = "complex"
	truthItem   Variant = "truth"
)

// itemAs makes the record of a conversion.
func itemAs(names string, kind Variant, doc string) Op {
	return Op{Names: spelled(names), Sig: "(Tensor input)", Rule: itemRule, Pure: true, Variant: kind, Doc: doc}
}

func itemRule(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	if c.is(indexItem) {
		if d := t.Type().DType; d != dtype.Unknown && !d.IsIntegralOrBool() || !c.OK() {
			return c.Errorf("TypeError", diag.DTypeMismatch, "only an integer tensor can be used as an index, not %s", t)
		}
	}
	if !c.one(t, c.is(truthItem)) {
		return nil
	}
	v := c.elementOf(t, 0, t.Contents())
	switch c.Op.Variant {
	case truthItem:
		if v == nil {
			return c.Th.DataBool(t.V)
		}
		return c.withSource(c.elemTruth(v), t)
	case intItem, indexItem:
		if v == nil || isRealElem(v) {
			if f, ok := v.(value.Float); ok && math.Abs(float64(f)) < 1<<62 {
				return value.Int(int64(f))
			}
			if f, ok := v.(*value.SymFloat); ok && f.R.Known() {
				return c.castElem(dtype.I64, f)
			}
			return c.Th.DataInt("i", lowest(t.Type().DType), t.V)
		}
		return c.castElem(dtype.I64, v)
	case floatItem:
		if t.Type().DType.IsComplex() {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "float(): a complex number cannot be made a float: %s", t)
		}
		if v == nil {
			return &value.SymFloat{Source: t.V}
		}
		return c.castElem(dtype.F64, v)
	case complexItem:
		return &value.Abstract{Class: c.Th.Class("complex")}
	}
	if v == nil {
		return c.Lose("the dtype is not known")
	}
	return v
}

// withSource notes where a truth value comes from.
func (c *Call) withSource(v value.Value, t *value.Tensor) value.Value {
	if b, ok := v.(*value.SymBool); ok && b.Source == nil {
		n := *b
		n.Source = t.V
		return &n
	}
	return v
}

// elementOf is element i of t as a Python value, nil when even its type is not known.
func (c *Call) elementOf(t *value.Tensor, i int, elems []value.Value) value.Value {
	d := t.Type().DType
	if i < len(elems) {
		if s, ok := elems[i].(*value.SymInt); !ok || s.D.Expr != nil || s.D.Known {
			return elems[i]
		}
	}
	switch {
	case d == dtype.Bool:
		return c.Th.DataBool(t.V)
	case d.IsIntegral():
		return c.Th.DataInt("i", lowest(d), t.V)
	case d.IsFloat():
		return &value.SymFloat{Source: t.V}
	case d.IsComplex():
		return &value.Abstract{Class: c.Th.Class("complex")}
	}
	return nil
}

// lowest is the least integer that an element of the dtype can be, or become when
// it is cut to one.
func lowest(d dtype.DType) int64 {
	switch {
	case d == dtype.Bool || d.IsIntegral() && !d.IsSigned():
		return 0
	case d == dtype.I8:
		return math.MinInt8
	case d == dtype.I16:
		return math.MinInt16
	case d == dtype.I32:
		return math.MinInt32
	}
	return symshape.NegInf
}

func tolistRule(c *Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	shape, ok := constShape(s)
	if !ok || product(shape) > value.MaxElems {
		if len(s) == 1 {
			if e := c.elementOf(t, 0, nil); e != nil {
				return c.Th.Heap().NewOpenList(&value.Open{Elem: e, Len: s[0]})
			}
		}
		return c.Lose("the number of elements is not known")
	}
	at := 0
	return c.nest(t, shape, t.Contents(), &at)
}

func (c *Call) nest(t *value.Tensor, shape []int, elems []value.Value, at *int) value.Value {
	if len(shape) == 0 {
		v := c.elementOf(t, *at, elems)
		*at++
		if v == nil {
			return c.Lose("the dtype is not known")
		}
		return v
	}
	list := make([]value.Value, shape[0])
	for i := range list {
		list[i] = c.nest(t, shape[1:], elems, at)
	}
	return c.Th.Heap().NewList(list)
}
