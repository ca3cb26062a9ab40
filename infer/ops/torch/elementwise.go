package torch

// This file holds the records of element-wise functions of three operands, of
// selection, of comparison as a whole, and of filling and copying in place. Operands broadcast and
// are promoted as torch.result_type has it, unless the rule demands one dtype. Elements are
// computed where they are known (whereElem, clamp, equal), since masks and limits decide sizes. All
// element-wise results have the broadcast shape of their operands (ops.BroadcastOut), and strides
// as PyTorch's TensorIterator gives them.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// The parameters of isclose and allclose.
const closeSig = "(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)"

var elementwiseOps = [...]ops.Op{
	{Names: spelled("torch.where"), Sig: "(Tensor condition, Operand input, Operand other) | (Tensor condition)", Rule: whereRule, Out: true,
		Quirks: ops.OneDevice, Numbers: []ops.Converted{{Param: "input", To: ops.ToWide}, {Param: "other", To: ops.ToWide}},
		Trace: ops.EndsGraphAlone | ops.SizesByElements, Doc: "selects by a bool tensor; with one argument like nonzero(as_tuple=True)"},
	{Names: spelled(".where"), Sig: "(Tensor input, Tensor condition, Operand other)", Rule: whereRule,
		Quirks: ops.OneDevice, Trace: ops.EndsGraphAlone | ops.SizesByElements, Doc: "torch.where(condition, input, other)"},
	{Names: spelled("clamp clip"), Sig: "(Tensor input, Operand? min=None, Operand? max=None)", Rule: clampRule, InPlace: true, Out: true,
		Numbers: []ops.Converted{{Param: "min", Bounds: ops.Lower}, {Param: "max", Bounds: ops.Upper}},
		Trace:   ops.ClonesInPlace, Doc: "limits elements"},
	{Names: spelled("clamp_min"), Sig: "(Tensor input, Operand min)", Rule: clampRule, InPlace: true, Out: true,
		Numbers: []ops.Converted{{Param: "min", Bounds: ops.Lower}}, Doc: "limits elements from below"},
	{Names: spelled("clamp_max"), Sig: "(Tensor input, Operand max)", Rule: clampRule, InPlace: true, Out: true,
		Numbers: []ops.Converted{{Param: "max", Bounds: ops.Upper}}, Doc: "limits elements from above"},
	{Names: spelled("lerp"), Sig: "(Tensor input, Tensor end, Operand weight)", Rule: lerpRule, InPlace: true, Out: true, ExactOut: true,
		Quirks: ops.OneDevice, Numbers: []ops.Converted{{Param: "weight", To: ops.ToComputed}},
		Doc: "input + weight * (end - input); all of one dtype"},
	{Names: spelled("addcmul"), Sig: "(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)", Rule: addcRule(false),
		InPlace: true, Out: true,
		Quirks: ops.OneDevice, Numbers: []ops.Converted{{Param: "value", To: ops.ToComputed}}, Doc: "input + value * tensor1 * tensor2"},
	{Names: spelled("addcdiv"), Sig: "(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)", Rule: addcRule(true),
		InPlace: true, Out: true,
		Quirks: ops.OneDevice, Numbers: []ops.Converted{{Param: "value", To: ops.ToComputed}}, Doc: "input + value * tensor1 / tensor2"},
	{Names: spelled("isclose"), Sig: closeSig, Rule: iscloseRule, Ranges: []ops.Span{{Param: "rtol", Lo: 0, Hi: ops.Inf},
		{Param: "atol", Lo: 0, Hi: ops.Inf}}, Doc: "element-wise closeness; both of one dtype"},
	{Names: spelled("allclose"), Sig: closeSig, Rule: allcloseRule, Pure: true,
		Ranges: []ops.Span{{Param: "rtol", Lo: 0, Hi: ops.Inf}, {Param: "atol", Lo: 0, Hi: ops.Inf}},
		Trace:  ops.AsksTruth | ops.TakesConstant | ops.EndsGraph, Doc: "whether all elements are close"},
	{Names: spelled("equal"), Sig: "(Tensor input, Tensor other)", Rule: equalRule, Pure: true,
		Trace: ops.AsksTruth | ops.TakesConstant | ops.EndsGraph, Doc: "whether sizes and elements are the same"},
	{Names: spelled("torch.isin"), Sig: "(Operand elements, Operand test_elements, *, bool assume_unique=False, bool invert=False)",
		Rule: isinRule, Out: true, ExactOut: true, Doc: "membership"},
	{Names: spelled("dist"), Sig: "(Tensor input, Tensor other, Scalar p=2)", Rule: distRule,
		Numbers: []ops.Converted{{Param: "p", To: ops.ToReal}}, Doc: "norm of the difference"},
	{Names: spelled(".fill_ torch.fill_"), Sig: "(Tensor input, Operand value)", Rule: fillRule, Repeats: true,
		Is: graph.Overwrites, Numbers: []ops.Converted{{Param: "value", Fills: true}}, Doc: "writes one number everywhere"},
	{Names: spelled("torch.fill"), Sig: "(Tensor input, Operand value)", Rule: fillRule, Is: graph.Overwrites, Doc: "a tensor of one number"},
	{Names: spelled(".zero_ torch.zero_"), Sig: "(Tensor input)", Rule: zeroRule, Repeats: true, Is: graph.Overwrites,
		Doc: "writes 0 everywhere"},
	{Names: spelled(".copy_"), Sig: "(Tensor input, Operand src, bool non_blocking=False)", Rule: copyRule,
		Is: graph.Overwrites, Quirks: ops.OnFirst, Doc: "writes src, broadcast and converted"},
}

// sameDType checks that two tensors have one dtype, unknown ones agreeing with all: these functions
// do not promote. It reports whether they have. what names the other tensor in the message.
func sameDType(c *ops.Call, a, b *value.Tensor, what string) bool {
	x, y := a.Type().DType, b.Type().DType
	if x == y || x == dtype.Unknown || y == dtype.Unknown {
		return true
	}
	c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): %s must have the dtype of the input, %s, but has %s: %s and %s", c.Short(), what, x,
		y, a, b)
	return false
}

// whereRule: the condition is of bool or u8 and broadcasts with both others, whose promoted dtype
// the result has. Alone it gives the indices of its true elements. As a method, input is the tensor
// and the condition an argument. Shapes that do not broadcast are a fault of Pointwise.
func whereRule(c *ops.Call) value.Value {
	cond := c.Tensor("condition")
	if cond == nil {
		return nil
	}
	// where(condition) alone is nonzero(as_tuple=True).
	if !c.HasParam("other") {
		return nonzeroTuple(c, cond)
	}
	if d := cond.Type().DType; d != dtype.Bool && d != dtype.U8 && d != dtype.Unknown {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "where(): the condition must be a bool tensor, but it is %s", cond)
	}
	a, b := c.Value("input"), c.Value("other")
	// Numbers as other came to the method with PyTorch 2.
	if !ops.IsTensor(b) && c.Torch1() && ops.Torch.IsMethod(c.Name) && ops.NumberKind(b) != dtype.KindInvalid {
		return c.Errorf("TypeError", diag.TypeMismatch, "where(): the method of PyTorch 1 takes a Tensor as other, not %s", ops.TypeName(b))
	}
	if c.OutDType != dtype.Unknown && (!ops.IsTensor(a) || !ops.IsTensor(b)) {
		return c.Errorf("TypeError", diag.BadCall, "where() with out= needs two tensors, not %s and %s", ops.TypeName(a), ops.TypeName(b))
	}
	return c.Pointwise(c.ResultType(a, b), whereElem, cond, a, b)
}

// whereElem chooses by a condition that is known. An element of which the condition is not known is
// not known.
func whereElem(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
	b, ok := c.ElemTruth(x[0]).(value.Bool)
	if !ok {
		return nil
	}
	if b {
		return c.CastElem(d, x[1])
	}
	return c.CastElem(d, x[2])
}

// clampRule needs min, max or both, as numbers or as tensors that broadcast with the input, but not a
// number beside a tensor with dimensions. The result is of the promoted dtype, which must be real; with
// numbers PyTorch 1 has no kernel for bool. clip is another name. clamp_min and clamp_max have one
// of both parameters.
func clampRule(c *ops.Call) value.Value {
	in := c.Value("input")
	operands := []value.Value{in}
	lo, hi := c.HasParam("min") && c.Has("min"), c.HasParam("max") && c.Has("max")
	if lo {
		operands = append(operands, c.Value("min"))
	}
	if hi {
		operands = append(operands, c.Value("max"))
	}
	if !lo && !hi {
		return c.Errorf("RuntimeError", diag.BadCall, "%s(): at least one of min and max must be given", c.Short())
	}
	// Numbers and tensors do not mix, since there is no overload for both.
	numbers, tensors := 0, 0
	for _, v := range operands[1:] {
		if t, ok := v.(*value.Tensor); !ok {
			numbers++
		} else if t.Type().Rank() > 0 {
			tensors++
		}
	}
	if numbers > 0 && tensors > 0 {
		return c.Errorf("TypeError", diag.BadCall, "%s(): min and max must both be numbers or both be tensors", c.Short())
	}
	d := c.ResultType(operands...)
	accept := realDTypes
	if c.Torch1() && ops.NumberKind(operands[1]) != dtype.KindInvalid {
		accept = ops.RealNums // with numbers there was no kernel for bool
	}
	if !c.Accepts(accept|ops.Unsigned, d) {
		return nil
	}
	// With numbers out= must have the result's dtype.
	c.ExactOut = numbers > 0
	// max after min, as PyTorch has it: where min exceeds max the result is max.
	return c.Pointwise(d, ops.InCommon(d, func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
		v := c.CastElem(d, x[0])
		if lo && v != nil {
			v = ops.MaxElem(c, d, []value.Value{v, x[1]})
		}
		if hi && v != nil {
			v = ops.MinElem(c, d, []value.Value{v, x[len(x)-1]})
		}
		return v
	}), operands...)
}

// lerpRule: input, end and a weight that is a tensor have one floating dtype and broadcast. A
// number as weight has no dtype to agree; a complex one needs complex tensors.
func lerpRule(c *ops.Call) value.Value {
	a, b := c.Tensor("input"), c.Tensor("end")
	if a == nil || b == nil || !sameDType(c, a, b, "end") || !c.Accepts(ops.Inexact, a.Type().DType) {
		return nil
	}
	operands := []value.Value{a, b}
	if w, ok := c.Value("weight").(*value.Tensor); ok {
		if !sameDType(c, a, w, "weight") {
			return nil
		}
		operands = append(operands, w)
	} else if c.CastOut = true; ops.NumberKind(c.Value("weight")) == dtype.KindComplex && !a.Type().DType.IsComplex() {
		return c.Errorf("RuntimeError", diag.TypeMismatch, "lerp(): a complex weight needs complex tensors, not %s", a)
	}
	return c.Pointwise(a.Type().DType, nil, operands...)
}

// addcRule makes the rule of addcmul and addcdiv (div): three tensors that broadcast, with the
// promoted dtype, which is none of bool. Integers are not divided. The formulas are input +
// value·tensor1·tensor2 and input + value·tensor1/tensor2. Elements are not computed.
func addcRule(div bool) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		a, x, y := c.Tensor("input"), c.Tensor("tensor1"), c.Tensor("tensor2")
		if a == nil || x == nil || y == nil {
			return nil
		}
		// Two integers; one of both may be an integer, as the quotient then is floating.
		if div && x.Type().DType.IsIntegralOrBool() && y.Type().DType.IsIntegralOrBool() {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "addcdiv(): integer division is not supported: tensor1 and tensor2 are %s and %s",
				x, y)
		}
		d := c.ResultType(a, x, y)
		if !c.Accepts(ops.Numbers, d) {
			return nil
		}
		if ops.NumberKind(c.Value("value")) == dtype.KindComplex && d != dtype.Unknown && !d.IsComplex() {
			return c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): a complex value needs complex tensors, but the result has dtype %s",
				c.Short(), d)
		}
		return c.Pointwise(d, nil, a, x, y)
	}
}

// closeArgs checks what isclose and allclose have in common: two tensors of one dtype, and
// tolerances that are not negative. ok is false after a fault. The records have the tolerances as
// ranges; they are checked here for their own message.
func closeArgs(c *ops.Call) (a, b *value.Tensor, ok bool) {
	a, b = c.Tensor("input"), c.Tensor("other")
	if a == nil || b == nil || !sameDType(c, a, b, "other") {
		return nil, nil, false
	}
	for _, name := range [...]string{"rtol", "atol"} {
		if f, known := c.Float(name); known && f < 0 {
			c.Errorf("RuntimeError", diag.BadValue, "%s(): %s must not be negative, but is %v", c.Short(), name, f)
			return nil, nil, false
		}
	}
	return a, b, true
}

// iscloseRule gives a bool for each pair of elements of the broadcast shape. The shape is the
// broadcast one.
func iscloseRule(c *ops.Call) value.Value {
	a, b, ok := closeArgs(c)
	if !ok {
		return nil
	}
	if nan := c.HasParam("equal_nan") && c.Bool("equal_nan"); nan && c.OK() && c.Torch1() && ops.Inexact.Has(a.Type().DType) &&
		a.Type().Ranked && b.Type().Ranked {
		// PyTorch 1 combines the nan of both in a tensor of the input's shape.
		if !c.BroadcastsTo(b.Type().Shape, a.Type().Shape) {
			return c.Shapef("%s(): with equal_nan, other must be expandable to the input: %s and %s", c.Short(), b, a)
		}
	}
	return c.Pointwise(dtype.Bool, nil, a, b)
}

// allcloseRule gives one bool, which is computed where all elements are constants; otherwise data
// decide. The formula is |a − b| ≤ atol + rtol·|b| for all elements, and equal infinities are
// close. Tensors that do not broadcast are a fault.
func allcloseRule(c *ops.Call) value.Value {
	a, b, ok := closeArgs(c)
	if !ok {
		return nil
	}
	if c.BroadcastOut(dtype.Bool, []value.Value{a, b}) == nil {
		return nil
	}
	rtol, _ := c.Float("rtol")
	atol, _ := c.Float("atol")
	x, y := a.Contents(), b.Contents()
	// Different numbers of elements broadcast, which is not computed.
	if x == nil || len(x) != len(y) {
		return c.Th.DataBool(nil)
	}
	for i := range x {
		p, ok1 := value.AsFloat(x[i])
		q, ok2 := value.AsFloat(y[i])
		if !ok1 || !ok2 || isSymbolic(x[i]) || isSymbolic(y[i]) {
			return c.Th.DataBool(nil)
		}
		if p != q && !(math.Abs(p-q) <= atol+rtol*math.Abs(q)) {
			return value.Bool(false)
		}
	}
	return value.Bool(true)
}

// isSymbolic reports whether an element follows from sizes, so that it is one of this run alone. An
// element of a symbol would decide for the sizes of this run alone.
func isSymbolic(v value.Value) bool {
	switch v.(type) {
	case *value.SymInt, *value.SymFloat, *value.SymBool:
		return true
	}
	return false
}

// equalRule: tensors of different shapes are not equal, which is no fault. Elements decide where
// all are known. The result is a Python bool. Sizes that are symbols may be equal: then data
// decide, without a condition.
func equalRule(c *ops.Call) value.Value {
	a, b := c.Tensor("input"), c.Tensor("other")
	if a == nil || b == nil {
		return nil
	}
	x, y := a.Type(), b.Type()
	if x.Ranked && y.Ranked {
		if len(x.Shape) != len(y.Shape) {
			return value.Bool(false)
		}
		for i, d := range x.Shape {
			if e := y.Shape[i]; d.Expr != nil && e.Expr != nil && c.Decide(c.P.Eq(d.Expr, e.Expr)) == symshape.No {
				return value.Bool(false)
			}
		}
	}
	if s, t := a.Contents(), b.Contents(); s != nil && t != nil && len(s) == len(t) {
		same := true
		for i := range s {
			switch ops.EqElem(c, dtype.Bool, []value.Value{s[i], t[i]}) {
			case value.Bool(false):
				return value.Bool(false)
			case value.Bool(true):
			default:
				same = false
			}
		}
		if same {
			return value.Bool(true)
		}
	}
	return c.Th.DataBool(nil)
}

// isinRule: one of both is a tensor; the result has the shape of elements. Which dtypes there is an
// order for depends on the version. test_elements may have any shape. The dtypes are not promoted
// in the result, which is bool.
func isinRule(c *ops.Call) value.Value {
	a, b := c.Value("elements"), c.Value("test_elements")
	_, ok1 := a.(*value.Tensor)
	_, ok2 := b.(*value.Tensor)
	if !ok1 && !ok2 {
		return c.Errorf("TypeError", diag.TypeMismatch, "isin(): one of elements and test_elements must be a Tensor")
	}
	for _, v := range [...]value.Value{a, b} {
		if t, ok := v.(*value.Tensor); ok && !c.Accepts(byVersion(c, ops.RealNums&^(1<<dtype.BF16), ops.RealNums), t.Type().DType) {
			return nil
		}
		if k := ops.NumberKind(v); k == dtype.KindBool || k == dtype.KindComplex {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "isin() is not defined for %s numbers", ops.TypeName(v))
		}
	}
	return c.Pointwise(dtype.Bool, nil, a)
}

// distRule is the norm of a difference: operands broadcast, and the result is a real scalar. The
// shapes must broadcast, the promoted dtype must be floating or complex, and p is a real number.
func distRule(c *ops.Call) value.Value {
	a, b := c.Tensor("input"), c.Tensor("other")
	if a == nil || b == nil {
		return nil
	}
	checkSub(c, a, b, dtype.Unknown)
	d := c.ResultType(a, b)
	if !c.OK() || !c.Accepts(ops.Inexact, d) || c.BroadcastOut(d, []value.Value{a, b}) == nil {
		return nil
	}
	switch k := ops.NumberKind(c.Value("p")); {
	// The broadcast tensor was only made for the checks; it is dropped before the result is made.
	case c.Empty(c.Outs[0]): // nothing to take a norm of
		if k == dtype.KindComplex {
			return c.Lose("a complex p is not looked at, for there are no elements")
		}
	case k == dtype.KindBool || k == dtype.KindComplex:
		return c.Errorf("RuntimeError", diag.TypeMismatch, "dist(): p must be an int or a float, not %s", ops.TypeName(c.Value("p")))
	}
	c.Outs = nil
	return c.Out(d.Real(), symshape.Shape{})
}

// fillRule writes a number, or a tensor without dimensions, everywhere. The shape and dtype of the
// tensor stay. fill_ writes in place; torch.fill gives another tensor.
func fillRule(c *ops.Call) value.Value {
	t, v := c.Tensor("input"), c.Value("value")
	if t == nil {
		return nil
	}
	if x, ok := v.(*value.Tensor); ok {
		if n := x.Type().Rank(); n > 0 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "%s(): the value must be a number or a 0-dim tensor, not %s", c.Short(), x)
		}
		// The element is taken where it is known.
		v = nil
		if e := x.Contents(); len(e) == 1 {
			v = e[0]
		}
	} else if d := t.Type().DType; ops.NumberKind(v) == dtype.KindComplex && d != dtype.Unknown && d != dtype.Bool && !d.IsComplex() {
		return c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): a complex number cannot be written into %s", c.Short(), t)
	}
	return c.Filled(c.Like(t, t.Type().DType), v)
}

// zeroRule is fill_ of 0.
func zeroRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	return c.Filled(c.Like(t, t.Type().DType), value.Int(0))
}

// copyRule writes src, broadcast to the tensor and converted to its dtype, whatever that loses. The
// shape of src must broadcast to the tensor's. Elements of src become those of the tensor where
// they are known.
func copyRule(c *ops.Call) value.Value {
	t, src := c.Tensor("input"), c.Value("src")
	if t == nil {
		return nil
	}
	out := c.BroadcastOut(t.Type().DType, []value.Value{t, src})
	if out != nil && ops.Tracked(t.Type().DType) {
		out.SetContents(c.MapElems(out, t.Type().DType, ops.SameElem, []value.Value{src}))
	}
	if out == nil {
		return nil
	}
	return out
}
