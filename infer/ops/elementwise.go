package ops

// This file holds the records of element-wise functions of three operands, of
// selection, of comparison as a whole, and of filling and copying in place.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

const closeSig = "(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)"

var elementwiseOps = [...]Op{
	{Names: spelled("torch.where"), Sig: "(Tensor condition, Operand input, Operand other) | (Tensor condition)", Rule: whereRule, Out: true,
		Quirks: OneDevice, Numbers: []Converted{{param: "input"}, {param: "other"}}, Doc: "selects by a bool tensor; with one argument like nonzero(as_tuple=True)"},
	{Names: spelled(".where"), Sig: "(Tensor input, Tensor condition, Operand other)", Rule: whereRule,
		Quirks: OneDevice, Doc: "torch.where(condition, input, other)"},
	{Names: spelled("clamp clip"), Sig: "(Tensor input, Operand? min=None, Operand? max=None)", Rule: clampRule, InPlace: true, Out: true, Numbers: []Converted{{param: "min"}, {param: "max"}}, Doc: "limits elements"},
	{Names: spelled("clamp_min"), Sig: "(Tensor input, Operand min)", Rule: clampRule, InPlace: true, Out: true, Numbers: []Converted{{param: "min"}}, Doc: "limits elements from below"},
	{Names: spelled("clamp_max"), Sig: "(Tensor input, Operand max)", Rule: clampRule, InPlace: true, Out: true, Numbers: []Converted{{param: "max"}}, Doc: "limits elements from above"},
	{Names: spelled("lerp"), Sig: "(Tensor input, Tensor end, Operand weight)", Rule: lerpRule, InPlace: true, Out: true, ExactOut: true,
		Quirks: OneDevice, Numbers: []Converted{{param: "weight", to: toComputed}}, Doc: "input + weight * (end - input); all of one dtype"},
	{Names: spelled("addcmul"), Sig: "(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)", Rule: addcRule(false), InPlace: true, Out: true,
		Quirks: OneDevice, Numbers: []Converted{{param: "value", to: toComputed}}, Doc: "input + value * tensor1 * tensor2"},
	{Names: spelled("addcdiv"), Sig: "(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)", Rule: addcRule(true), InPlace: true, Out: true,
		Quirks: OneDevice, Numbers: []Converted{{param: "value", to: toComputed}}, Doc: "input + value * tensor1 / tensor2"},
	{Names: spelled("isclose"), Sig: closeSig, Rule: iscloseRule, Ranges: []Span{{param: "rtol", lo: 0, hi: inf}, {param: "atol", lo: 0, hi: inf}}, Doc: "element-wise closeness; both of one dtype"},
	{Names: spelled("allclose"), Sig: closeSig, Rule: allcloseRule, Pure: true, Ranges: []Span{{param: "rtol", lo: 0, hi: inf}, {param: "atol", lo: 0, hi: inf}}, Doc: "whether all elements are close"},
	{Names: spelled("equal"), Sig: "(Tensor input, Tensor other)", Rule: equalRule, Pure: true, Doc: "whether sizes and elements are the same"},
	{Names: spelled("torch.isin"), Sig: "(Operand elements, Operand test_elements, *, bool assume_unique=False, bool invert=False)", Rule: isinRule, Out: true, ExactOut: true, Doc: "membership"},
	{Names: spelled("dist"), Sig: "(Tensor input, Tensor other, Scalar p=2)", Rule: distRule, Numbers: []Converted{{param: "p", to: toReal}}, Doc: "norm of the difference"},
	{Names: spelled(".fill_ torch.fill_"), Sig: "(Tensor input, Operand value)", Rule: fillRule, Repeats: true,
		Is: graph.Overwrites, Numbers: []Converted{{param: "value"}}, Doc: "writes one number everywhere"},
	{Names: spelled("torch.fill"), Sig: "(Tensor input, Operand value)", Rule: fillRule, Is: graph.Overwrites, Doc: "a tensor of one number"},
	{Names: spelled(".zero_ torch.zero_"), Sig: "(Tensor input)", Rule: zeroRule, Repeats: true, Is: graph.Overwrites, Doc: "writes 0 everywhere"},
	{Names: spelled(".copy_"), Sig: "(Tensor input, Operand src, bool non_blocking=False)", Rule: copyRule,
		Is: graph.Overwrites, Quirks: OnFirst, Doc: "writes src, broadcast and converted"},
}

// sameDType checks that two tensors have one dtype.
func (c *Call) sameDType(a, b *value.Tensor, what string) bool {
	x, y := a.Type().DType, b.Type().DType
	if x == y || x == dtype.Unknown || y == dtype.Unknown {
		return true
	}
	c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): %s must have the dtype of the input, %s, but has %s: %s and %s", c.short(), what, x, y, a, b)
	return false
}

func whereRule(c *Call) value.Value {
	cond := c.Tensor("condition")
	if cond == nil {
		return nil
	}
	if !c.HasParam("other") {
		return nonzeroTuple(c, cond)
	}
	if d := cond.Type().DType; d != dtype.Bool && d != dtype.U8 && d != dtype.Unknown {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "where(): the condition must be a bool tensor, but it is %s", cond)
	}
	a, b := c.Value("input"), c.Value("other")
	if !isTensor(b) && c.torch1() && Torch.isMethod(c.Name) && numberKind(b) != dtype.KindInvalid {
		return c.Errorf("TypeError", diag.TypeMismatch, "where(): the method of PyTorch 1 takes a Tensor as other, not %s", TypeName(b))
	}
	if c.outDType != dtype.Unknown && (!isTensor(a) || !isTensor(b)) {
		return c.Errorf("TypeError", diag.BadCall, "where() with out= needs two tensors, not %s and %s", TypeName(a), TypeName(b))
	}
	return c.pointwise(c.ResultType(a, b), whereElem, cond, a, b)
}

func whereElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	b, ok := c.elemTruth(x[0]).(value.Bool)
	if !ok {
		return nil
	}
	if b {
		return c.castElem(d, x[1])
	}
	return c.castElem(d, x[2])
}

func clampRule(c *Call) value.Value {
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
		return c.Errorf("RuntimeError", diag.BadCall, "%s(): at least one of min and max must be given", c.short())
	}
	numbers, tensors := 0, 0
	for _, v := range operands[1:] {
		if t, ok := v.(*value.Tensor); !ok {
			numbers++
		} else if t.Type().Rank() > 0 {
			tensors++
		}
	}
	if numbers > 0 && tensors > 0 {
		return c.Errorf("TypeError", diag.BadCall, "%s(): min and max must both be numbers or both be tensors", c.short())
	}
	d := c.ResultType(operands...)
	accept := realDTypes
	if c.torch1() && numberKind(operands[1]) != dtype.KindInvalid {
		accept = realNums // with numbers there was no kernel for bool
	}
	if !c.accepts(accept, d) {
		return nil
	}
	c.exactOut = numbers > 0
	return c.pointwise(d, inCommon(d, func(c *Call, d dtype.DType, x []value.Value) value.Value {
		v := c.castElem(d, x[0])
		if lo && v != nil {
			v = maxElem(c, d, []value.Value{v, x[1]})
		}
		if hi && v != nil {
			v = minElem(c, d, []value.Value{v, x[len(x)-1]})
		}
		return v
	}), operands...)
}

func lerpRule(c *Call) value.Value {
	a, b := c.Tensor("input"), c.Tensor("end")
	if a == nil || b == nil || !c.sameDType(a, b, "end") || !c.accepts(inexact, a.Type().DType) {
		return nil
	}
	operands := []value.Value{a, b}
	if w, ok := c.Value("weight").(*value.Tensor); ok {
		if !c.sameDType(a, w, "weight") {
			return nil
		}
		operands = append(operands, w)
	} else if c.castOut = true; numberKind(c.Value("weight")) == dtype.KindComplex && !a.Type().DType.IsComplex() {
		return c.Errorf("RuntimeError", diag.TypeMismatch, "lerp(): a complex weight needs complex tensors, not %s", a)
	}
	return c.pointwise(a.Type().DType, nil, operands...)
}

func addcRule(div bool) func(*Call) value.Value {
	return func(c *Call) value.Value {
		a, x, y := c.Tensor("input"), c.Tensor("tensor1"), c.Tensor("tensor2")
		if a == nil || x == nil || y == nil {
			return nil
		}
		if div && x.Type().DType.IsIntegralOrBool() && y.Type().DType.IsIntegralOrBool() {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "addcdiv(): integer division is not supported: tensor1 and tensor2 are %s and %s", x, y)
		}
		d := c.ResultType(a, x, y)
		if !c.accepts(numbers, d) {
			return nil
		}
		if numberKind(c.Value("value")) == dtype.KindComplex && d != dtype.Unknown && !d.IsComplex() {
			return c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): a complex value needs complex tensors, but the result has dtype %s", c.short(), d)
		}
		return c.pointwise(d, nil, a, x, y)
	}
}

// closeArgs checks what isclose and allclose have in common.
func closeArgs(c *Call) (a, b *value.Tensor, ok bool) {
	a, b = c.Tensor("input"), c.Tensor("other")
	if a == nil || b == nil || !c.sameDType(a, b, "other") {
		return nil, nil, false
	}
	for _, name := range [...]string{"rtol", "atol"} {
		if f, known := c.Float(name); known && f < 0 {
			c.Errorf("RuntimeError", diag.BadValue, "%s(): %s must not be negative, but is %v", c.short(), name, f)
			return nil, nil, false
		}
	}
	return a, b, true
}

func iscloseRule(c *Call) value.Value {
	a, b, ok := closeArgs(c)
	if !ok {
		return nil
	}
	if nan := c.HasParam("equal_nan") && c.Bool("equal_nan"); nan && c.OK() && c.torch1() && inexact.has(a.Type().DType) && a.Type().Ranked && b.Type().Ranked {
		// PyTorch 1 combines the nan of both in a tensor of the input's shape.
		if !c.broadcastsTo(b.Type().Shape, a.Type().Shape) {
			return c.Shapef("%s(): with equal_nan, other must be expandable to the input: %s and %s", c.short(), b, a)
		}
	}
	return c.pointwise(dtype.Bool, nil, a, b)
}

func allcloseRule(c *Call) value.Value {
	a, b, ok := closeArgs(c)
	if !ok {
		return nil
	}
	if c.broadcastOut(dtype.Bool, []value.Value{a, b}) == nil {
		return nil
	}
	rtol, _ := c.Float("rtol")
	atol, _ := c.Float("atol")
	x, y := a.Contents(), b.Contents()
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

// isSymbolic reports whether an element follows from sizes.
func isSymbolic(v value.Value) bool {
	switch v.(type) {
	case *value.SymInt, *value.SymFloat, *value.SymBool:
		return true
	}
	return false
}

func equalRule(c *Call) value.Value {
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
			switch eqElem(c, dtype.Bool, []value.Value{s[i], t[i]}) {
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

func isinRule(c *Call) value.Value {
	a, b := c.Value("elements"), c.Value("test_elements")
	_, ok1 := a.(*value.Tensor)
	_, ok2 := b.(*value.Tensor)
	if !ok1 && !ok2 {
		return c.Errorf("TypeError", diag.TypeMismatch, "isin(): one of elements and test_elements must be a Tensor")
	}
	for _, v := range [...]value.Value{a, b} {
		if t, ok := v.(*value.Tensor); ok && !c.accepts(realNums&^(1<<dtype.BF16), t.Type().DType) {
			return nil
		}
		if k := numberKind(v); k == dtype.KindBool || k == dtype.KindComplex {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "isin() is not defined for %s numbers", TypeName(v))
		}
	}
	return c.pointwise(dtype.Bool, nil, a)
}

func distRule(c *Call) value.Value {
	a, b := c.Tensor("input"), c.Tensor("other")
	if a == nil || b == nil {
		return nil
	}
	checkSub(c, a, b, dtype.Unknown)
	d := c.ResultType(a, b)
	if !c.OK() || !c.accepts(inexact, d) || c.broadcastOut(d, []value.Value{a, b}) == nil {
		return nil
	}
	switch k := numberKind(c.Value("p")); {
	case c.empty(c.outs[0]): // nothing to take a norm of
		if k == dtype.KindComplex {
			return c.Lose("a complex p is not looked at, for there are no elements")
		}
	case k == dtype.KindBool || k == dtype.KindComplex:
		return c.Errorf("RuntimeError", diag.TypeMismatch, "dist(): p must be an int or a float, not %s", TypeName(c.Value("p")))
	}
	c.outs = nil
	return c.Out(d.Real(), symshape.Shape{})
}

func fillRule(c *Call) value.Value {
	t, v := c.Tensor("input"), c.Value("value")
	if t == nil {
		return nil
	}
	if x, ok := v.(*value.Tensor); ok {
		if n := x.Type().Rank(); n > 0 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "%s(): the value must be a number or a 0-dim tensor, not %s", c.short(), x)
		}
		v = nil
		if e := x.Contents(); len(e) == 1 {
			v = e[0]
		}
	} else if d := t.Type().DType; numberKind(v) == dtype.KindComplex && d != dtype.Unknown && d != dtype.Bool && !d.IsComplex() {
		return c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): a complex number cannot be written into %s", c.short(), t)
	}
	return c.filled(c.Like(t, t.Type().DType), v)
}

func zeroRule(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	return c.filled(c.Like(t, t.Type().DType), value.Int(0))
}

// filled records that all elements of out are v; v may be nil.
func (c *Call) filled(out *value.Tensor, v value.Value) *value.Tensor {
	ty := out.Type()
	if v == nil || !ty.Ranked || !tracked(ty.DType) {
		return out
	}
	shape, ok := constShape(ty.Shape)
	if !ok || slices.Min(append(shape, 0)) < 0 {
		return out
	}
	if n := product(shape); n >= 0 && n <= value.MaxElems {
		if e := c.castElem(ty.DType, value.Plain(v)); e != nil {
			out.SetContents(slices.Repeat([]value.Value{e}, n))
		}
	}
	return out
}

func copyRule(c *Call) value.Value {
	t, src := c.Tensor("input"), c.Value("src")
	if t == nil {
		return nil
	}
	out := c.broadcastOut(t.Type().DType, []value.Value{t, src})
	if out != nil && tracked(t.Type().DType) {
		out.SetContents(c.mapElems(out, t.Type().DType, sameElem, []value.Value{src}))
	}
	if out == nil {
		return nil
	}
	return out
}
