package numpy

// This file is the engine of universal functions: operands, the dtype of computation,
// results and where they are written. A universal function is applied in this order: operands
// become arrays or stay Python numbers (operands), the dtype of the loop is found (loopDType),
// checks follow, the result's dtype comes from the loop's, shapes broadcast (Pointwise), and the
// result is written to out= or wrapped. NumPy 1 and 2 differ in almost all of these; c.Numpy1 tells
// which is checked.

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

// A ufunc describes a universal function. The zero value keeps the dtype, is defined for all and
// follows no elements.
type ufunc struct {
	// result maps the promoted dtype of the operands to that of the result; nil: the same.
	result func(c *ops.Call, d dtype.DType) dtype.DType
	// accept are the promoted dtypes for which it is defined; 0: all.
	accept ops.DTypeSet
	// elem computes one element of the result; nil: elements are not followed.
	elem ops.ElemFunc
	// check records faults of operands after promotion.
	check func(c *ops.Call, xs []value.Value, d dtype.DType)
	// swap exchanges the operands of reflected operators.
	swap bool
	// objects: None is an operand like others, which makes an array of objects.
	objects bool
	// truths: it takes operands as truth values, since numpy 2 texts, too.
	truths bool
	// texts: since numpy 2 it has a loop for texts.
	texts bool
	// limits: its Python numbers are limits, and may lie outside of the dtype.
	limits bool
	// inexact: it computes in floats, to which integers are converted first.
	inexact bool
	// first: in numpy 1 its loop is the first that the operands fit, not one of the promoted dtype.
	first bool
}

// inexactFor is the float in which numpy computes functions of integers. Small integers get small
// floats: int8 float16, int16 float32.
func inexactFor(_ *ops.Call, d dtype.DType) dtype.DType {
	switch d {
	case dtype.Bool, dtype.I8, dtype.U8:
		return dtype.F16
	case dtype.I16, dtype.U16:
		return dtype.F32
	}
	if d.IsIntegral() {
		return dtype.F64
	}
	return d
}

// quotient is the dtype of true division. Integers of any size give float64.
func quotient(_ *ops.Call, d dtype.DType) dtype.DType {
	if d.IsIntegralOrBool() {
		return dtype.F64
	}
	return d
}

// rounded is the dtype of floor, ceil and trunc, which leave integers alone since numpy 2.1.
func rounded(c *ops.Call, d dtype.DType) dtype.DType {
	if c.Numpy1() {
		return inexactFor(c, d)
	}
	return d
}

// Comparisons and tests.
func truthDType(*ops.Call, dtype.DType) dtype.DType { return dtype.Bool }

// The dtype of the absolute value, of real and imag.
func realDType(_ *ops.Call, d dtype.DType) dtype.DType { return d.Real() }

// noBool is the dtype of operations that have no loop for bool.
func noBool(_ *ops.Call, d dtype.DType) dtype.DType {
	if d == dtype.Bool {
		return dtype.I8
	}
	return d
}

// uf1 and uf2 make the records of universal functions of one and two operands;
// operators are names that start with two underscores.
func uf1(names string, u ufunc, doc string) ops.Op {
	return array(names, unaryUfunc, func(c *ops.Call) value.Value { return u.apply(c, c.Value("x")) }, doc)
}

// names are separated by blanks; those of methods begin with two underscores.
func uf2(names string, u ufunc, doc string) ops.Op {
	return array(names, pairUfunc, func(c *ops.Call) value.Value { return u.apply(c, c.Value("x1"), c.Value("x2")) }, doc).
		With(ops.Op{Is: graph.NewElementwise})
}

// The operands are self and other, exchanged for reflected operators.
func dunder2(names string, u ufunc, doc string) ops.Op {
	return array(names, dunderPair, func(c *ops.Call) value.Value {
		a, b := c.Value("x1"), c.Value("x2")
		if u.swap {
			a, b = b, a
		}
		return u.apply(c, a, b)
	}, doc).With(ops.Op{Is: graph.NewElementwise})
}

// inPlace2 makes the record of an augmented assignment. The result must have the array's shape,
// which Apply checks, and a dtype of the same kind.
func inPlace2(name string, u ufunc) ops.Op {
	return array(name, dunderPair, func(c *ops.Call) value.Value {
		t, ok := c.Value("x1").(*value.Tensor)
		if !ok {
			return c.Lose("the array is not known")
		}
		if t.Locked && !writable(c, t) {
			return nil
		}
		v := u.apply(c, t, c.Value("x2"))
		if r, ok := v.(*value.Tensor); ok && c.OK() {
			sameKind(c, r.Type().DType, t.Type().DType)
			// The array stays one, where an operation would give a scalar.
			if r.Type().Ranked && len(r.Type().Shape) == 0 {
				r.Class = c.NDArray()
			}
		}
		return v
	}, "in place; the result must be of the array's shape and kind").With(ops.Op{Is: graph.Writes})
}

// isObjectDType reports whether a dtype is that of objects.
func isObjectDType(v value.Value) bool {
	if s, ok := value.AsStr(v); ok {
		return s == "O" || s == "object"
	}
	k, ok := v.(*value.Class)
	return ok && (k.Name == "object" || k.Name == "object_")
}

// sameKind checks that results of one dtype may be written to an array of another. The fault is a
// TypeError (UFuncTypeError in NumPy).
func sameKind(c *ops.Call, from, to dtype.DType) {
	if !canCast(from, to, casting(c)) {
		c.Errorf("TypeError", diag.DTypeMismatch, "%s gives %s, which cannot be written to an array of %s", c.Short(), from.Numpy(), to.Numpy())
	}
}

// operands reads the arguments of a universal function: arrays, and Python numbers beside
// them. wrap says that one is PyTorch's. strong says that an operand has a dtype of its own; if
// none has, or there is only one, Python numbers become arrays as well.
func (u ufunc) operands(c *ops.Call, args []value.Value) (xs []value.Value, wrap bool) {
	xs = make([]value.Value, len(args))
	strong := false
	for i, a := range args {
		s := notNumber(a)
		if s == "str" && u.truths && !c.Numpy1() {
			c.Lose("truth values of texts")
			return nil, false
		}
		if s != "" && !(u.objects && s == "None") {
			c.Errorf("TypeError", diag.TypeMismatch, "%s is not defined for %s: operand %d is %s", c.Short(), s, i+1, ops.TypeName(a))
			return nil, false
		}
		switch x := a.(type) {
		case *value.Tensor:
			if !ops.IsArray(x) {
				wrap = true
			}
			xs[i] = ToArray(c, a)
			strong = true
		// A NumPy scalar is an array without dimensions here.
		default:
			if _, wrapped := a.(*value.Instance); !wrapped && ops.NumberKind(a) != dtype.KindInvalid {
				xs[i] = a
			} else {
				xs[i] = ToArray(c, a)
				strong = true
			}
		}
		if !c.OK() {
			return nil, false
		}
	}
	if !strong || len(xs) == 1 {
		for i := range xs {
			xs[i] = ToArray(c, xs[i])
		}
	}
	return xs, wrap
}

// casting is the rule of casting that a call asks for. An unknown rule counts as the default.
func casting(c *ops.Call) string {
	if c.HasParam("casting") {
		if s, ok := value.AsStr(c.Value("casting")); ok {
			return s
		}
	}
	return "same_kind"
}

// loopDType is the dtype in which a universal function computes: the promoted one, or
// what dtype= asks for, to which operands must be convertible. A signature goes before dtype=. With
// casting "no" and "equiv" operands must have the dtype already.
func (u ufunc) loopDType(c *ops.Call, xs []value.Value) dtype.DType {
	d := c.Lib.Promote(c, xs...)
	if u.first && c.Numpy1() && firstFits(d, xs) {
		d = signedOf(d)
	}
	if loop := u.signature(c, len(xs)); loop != dtype.Unknown || !c.OK() {
		u.castsTo(c, xs, loop)
		return loop
	}
	if !c.HasParam("dtype") || !c.Has("dtype") {
		if rule := casting(c); rule == "no" || rule == "equiv" {
			for _, x := range xs {
				if t, ok := x.(*value.Tensor); ok && len(t.Type().Shape) > 0 && !canCast(t.Type().DType, d, rule) {
					c.Errorf("TypeError", diag.DTypeMismatch, "%s in %s: %s cannot be converted to that with casting '%s'", c.Short(), d.Numpy(), t, rule)
				}
			}
		}
		return d
	}
	if isTextDType(c.Value("dtype")) && (c.Numpy1() || !u.texts) {
		c.Errorf("TypeError", diag.DTypeMismatch, "%s does not compute with texts", c.Short())
		return dtype.Unknown
	}
	asked := arrayDType(c, d)
	if !c.OK() || asked == dtype.Unknown {
		return asked
	}
	// A comparison is asked for the dtype of its result.
	if u.result != nil && u.result(c, dtype.F64) == dtype.Bool { // it names the result
		if asked != dtype.Bool && (!c.Numpy1() || len(xs) == 1) {
			c.Errorf("TypeError", diag.DTypeMismatch, "%s gives bools, not %s", c.Short(), asked.Numpy())
			return dtype.Unknown
		}
		if asked != dtype.Bool || c.Numpy1() && len(xs) == 2 && !u.truths && !oneDType(xs) { // numpy 1 takes it for that of the operands
			u.castsTo(c, xs, asked)
		}
		return d
	}
	if u.result != nil && u.result(c, asked) != asked {
		c.Errorf("TypeError", diag.DTypeMismatch, "%s does not compute in %s", c.Short(), asked.Numpy())
		return dtype.Unknown
	}
	u.castsTo(c, xs, asked)
	return asked
}

// resultOf is the dtype of the results of the loop of a dtype. It may be asked without operands.
func (u ufunc) resultOf(c *ops.Call, d dtype.DType) dtype.DType {
	if u.result == nil {
		return d
	}
	return u.result(c, d)
}

// roundedTo makes Python floats numbers of the dtype of computation, as their loop does. A number
// between two float32 counts as the nearer one.
func roundedTo(c *ops.Call, xs []value.Value, d dtype.DType) []value.Value {
	if d != dtype.F32 && d != dtype.F16 {
		return xs
	}
	for i, x := range xs {
		if f, ok := x.(value.Float); ok {
			if r := c.CastElem(d, f); r != nil && r != x {
				xs = slices.Clone(xs)
				xs[i] = r
			}
		}
	}
	return xs
}

// castsTo refuses operands that the rule of casting does not convert to the dtype of computation.
// One fault is enough, later ones are ignored.
func (u ufunc) castsTo(c *ops.Call, xs []value.Value, d dtype.DType) {
	for _, x := range xs {
		if t, ok := x.(*value.Tensor); ok && !canCast(t.Type().DType, d, casting(c)) {
			c.Errorf("TypeError", diag.DTypeMismatch, "%s in %s: %s cannot be converted to that with casting '%s'", c.Short(), d.Numpy(), t,
				casting(c))
		}
	}
}

// oneDType reports whether operands may all be arrays of one dtype. Arrays without dimensions do
// not count.
func oneDType(xs []value.Value) bool {
	d := dtype.Unknown
	for _, x := range xs {
		t, ok := x.(*value.Tensor)
		if !ok || t.Type().Ranked && len(t.Type().Shape) == 0 {
			return false
		}
		if own := t.Type().DType; d == dtype.Unknown || own == dtype.Unknown {
			d = own
		} else if own != d {
			return false
		}
	}
	return true
}

// signature is the dtype of the operands of the loop that signature= or sig= asks for ("dd->d"),
// unknown without one. Only loops of one letter for all operands are modelled.
func (u ufunc) signature(c *ops.Call, operands int) dtype.DType {
	name := "signature"
	if !c.HasParam(name) {
		return dtype.Unknown
	}
	if !c.Has(name) {
		name = "sig"
	}
	if !c.Has(name) {
		return dtype.Unknown
	}
	s, ok := value.AsStr(c.Value(name))
	in, out, arrow := strings.Cut(s, "->")
	if ok && arrow && (len(in) != operands || len(out) != 1) {
		c.Errorf("ValueError", diag.BadValue, "%s takes a signature with %d letters before '->' and one after, not '%s'", c.Short(), operands, s)
		return dtype.Unknown
	}
	d, known := dtype.ParseNumpy(in[:min(1, len(in))])
	o, known2 := dtype.ParseNumpy(out)
	if ok && arrow && known && known2 && in == strings.Repeat(in[:1], operands) {
		if want := u.resultOf(c, d); want != o && want != dtype.Unknown {
			c.Errorf("TypeError", diag.DTypeMismatch, "%s has no loop '%s'", c.Short(), s)
			return dtype.Unknown
		}
		return d
	}
	c.Lose("the signature of a loop")
	return dtype.Unknown
}

// isTextDType reports whether v is a dtype of texts or bytes. Dates are not among them.
func isTextDType(v value.Value) bool {
	switch x := v.(type) {
	case value.Str:
		s := strings.TrimLeft(string(x), "<>=|")
		return NoDType(v) == "" && s != "" && strings.Contains("SUa", s[:1])
	case *value.Class:
		return x.Name == "str" || x.Name == "bytes" || x.Name == "str_" || x.Name == "bytes_"
	}
	return false
}

// mask reads where=: an array of bool that is broadcast with the operands, or nil. nil where
// nothing is masked, and after a fault.
func mask(c *ops.Call) *value.Tensor {
	if !c.HasParam("where") || c.Value("where") == value.Value(value.Bool(true)) {
		return nil
	}
	if c.Value("where") == value.None { // false
		return ToArray(c, value.Bool(false))
	}
	t := numbers(c, "where")
	if _, isArray := c.Value("where").(*value.Tensor); !isArray && !ops.IsNumpyScalar(c.Value("where")) {
		return t // Python data become truth values
	}
	if t != nil && t.Type().DType != dtype.Bool && t.Type().DType != dtype.Unknown {
		c.Errorf("TypeError", diag.DTypeMismatch, "%s(): where must be an array of bool, not %s", c.Short(), t)
	}
	return t
}

// apply computes a universal function: the operands broadcast, and are promoted to the dtype of the loop,
// which must be one that the function accepts. The dtype of the result follows from that, the bounds of
// Python's integers are checked since numpy 2, and out= and where= take effect. Elements that where= may
// leave out are not known.
func (u ufunc) apply(c *ops.Call, args ...value.Value) value.Value {
	if u.objects && u.result != nil && !u.truths && len(args) == 2 && (args[0] == value.None || args[1] == value.None) {
		args = slices.Clone(args) // a comparison with None is one of objects: of its operands the shape counts
		for i := range args {
			if args[i] == value.None {
				args[i] = value.Float(math.NaN())
			}
		}
	}
	xs, wrap := u.operands(c, args)
	if !c.OK() {
		return nil
	}
	// Since NumPy 2 such numbers are an OverflowError beside integers.
	if tooBig(xs) && !c.Numpy1() && !anyFloat(xs) && u.result == nil {
		return c.Errorf("OverflowError", diag.BadValue, "%s: a Python int of more than 64 bits does not fit", c.Short())
	}
	if u.inexact && c.HasParam("dtype") && isObjectDType(c.Value("dtype")) {
		return c.Errorf("TypeError", diag.DTypeMismatch, "%s of objects calls a method that numbers do not have", c.Short())
	}
	d := u.loopDType(c, xs)
	if u.inexact && d.IsIntegralOrBool() && c.HasParam("casting") {
		if rule, in := casting(c), u.result(c, d); !canCast(d, in, rule) {
			return c.Errorf("TypeError", diag.DTypeMismatch, "%s in %s: %s cannot be converted to that with casting '%s'", c.Short(), in.Numpy(),
				d.Numpy(), rule)
		}
	}
	if d == dtype.Unknown && u.accept != 0 && u.accept&ops.Inexact == 0 && anyFloat(xs) {
		return c.Errorf("TypeError", diag.DTypeMismatch, "%s is not defined for floats", c.Short())
	}
	if u.check != nil {
		u.check(c, xs, d)
	}
	// A dtype for which no loop exists.
	if u.accept != 0 && d != dtype.Unknown && !u.accept.Has(d) {
		return c.Errorf("TypeError", diag.DTypeMismatch, "%s is not defined for %s", c.Short(), d.Numpy())
	}
	if d != dtype.Unknown {
		xs = roundedTo(c, xs, d)
	}
	out := d
	if u.result != nil && (d != dtype.Unknown || u.result(c, dtype.F64) == dtype.Bool) {
		out = u.result(c, d)
		// Two arrays of small integers may fit a smaller loop together.
		if each := eachResult(c, u, xs); d.IsIntegralOrBool() && each.Size() > 0 && each.Size() < out.Size() && out.IsFloat() {
			out = each
		}
	}
	if !c.Numpy1() && d.IsIntegral() && out.IsIntegral() && !u.limits {
		if n, ok := tooLarge(xs, d); ok {
			return c.Errorf("OverflowError", diag.BadValue, "%s: %d is out of bounds for %s", c.Short(), n, d.Numpy())
		}
	}
	elem := u.elem
	// The mask broadcasts with the operands, and hides which elements are computed.
	if m := mask(c); m != nil {
		elem, xs = nil, append(xs, m)
	}
	if !c.OK() {
		return nil
	}
	v := c.Pointwise(out, elem, xs...)
	t, ok := v.(*value.Tensor)
	if !ok || !c.OK() {
		return nil
	}
	// Arrays have no device.
	t.V.Type.Device = ""
	if c.HasParam("out") && c.Has("out") {
		return writeArray(c, c.Value("out"), t)
	}
	if wrap {
		return wrapped(c, t)
	}
	return t
}

// eachResult is the dtype to which the result of each operand alone promotes, where all are arrays of integers or bool of
// different dtypes, or Python ints in numpy 1: a loop is taken that each of them fits, u8 and i8
// one of float16. Unknown elsewhere. The loops are tried in the order of their size.
func eachResult(c *ops.Call, u ufunc, xs []value.Value) dtype.DType {
	if len(xs) != 2 {
		return dtype.Unknown
	}
	var each [2]dtype.DType
	for i, x := range xs {
		t, ok := x.(*value.Tensor)
		d := dtype.Unknown
		if n, isInt := x.(value.Int); isInt && c.Numpy1() && integers(xs[1-i]) {
			if d, ok = leastDType(dtype.I64, n); ok {
				d = signedOf(d)
			}
			ok = true
		} else if ok {
			d = t.Type().DType
		}
		if !ok || !d.IsIntegralOrBool() {
			return dtype.Unknown
		}
		if each[i] = u.result(c, d); !each[i].IsFloat() {
			return dtype.Unknown
		}
	}
	if each[0].Size() > each[1].Size() {
		return each[0]
	}
	return each[1]
}

// integers reports whether x is an array of integers, beside which numpy 1 looks at the values of Python ints.
func integers(x value.Value) bool {
	t, ok := x.(*value.Tensor)
	return ok && t.Type().DType.IsIntegral()
}

// tooLarge finds a Python int that an integer dtype does not hold. It is the bound that NEP 50 sets
// for Python ints.
func tooLarge(xs []value.Value, d dtype.DType) (n int64, found bool) {
	for _, x := range xs {
		n, ok := x.(value.Int)
		if !ok {
			continue
		}
		bits := d.Size() * 8
		switch {
		case d.IsSigned() && bits < 64 && (int64(n) >= 1<<(bits-1) || int64(n) < -1<<(bits-1)),
			!d.IsSigned() && (n < 0 || bits < 64 && int64(n) >= 1<<bits):
			return int64(n), true
		}
	}
	return 0, false
}

// wrapped makes a tensor of PyTorch of the result of a universal function of one
// (Tensor.__array_wrap__), which turns bool into uint8.
func wrapped(c *ops.Call, t *value.Tensor) value.Value {
	if t.Type().DType == dtype.Bool {
		t = astype(c, t, dtype.U8)
		if t == nil {
			return nil
		}
	}
	c.Lib = ops.Torch
	return t
}

// writeArray makes t the new contents of the array out. The dtype must convert by the call's
// casting, and the shape must broadcast to that of out.
func writeArray(c *ops.Call, out value.Value, t *value.Tensor) value.Value {
	return writeCast(c, out, t, casting(c))
}

// writeCast is writeArray with a rule of casting of its own. out may be a tuple with one array. Nil
// after a report.
func writeCast(c *ops.Call, out value.Value, t *value.Tensor, rule string) value.Value {
	if tup, ok := out.(*value.Tuple); ok && len(tup.Elems) == 1 {
		out = tup.Elems[0]
	}
	o, ok := out.(*value.Tensor)
	if !ok || !ops.IsArray(o) {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s(): out must be an array, not %s", c.Short(), ops.TypeName(out))
	}
	if from, to := t.Type().DType, o.Type().DType; !canCast(from, to, rule) {
		return c.Errorf("TypeError", diag.DTypeMismatch, "%s gives %s, which cannot be written to an array of %s", c.Short(), from.Numpy(),
			to.Numpy())
	}
	if have, want := o.Type(), t.Type(); have.Ranked && want.Ranked && c.OK() {
		if len(have.Shape) < len(want.Shape) || !c.BroadcastsTo(want.Shape, have.Shape) {
			return c.Shapef("%s(): a result of shape %s cannot be written to an array of shape %s", c.Short(), want.Shape, have.Shape)
		}
	}
	if !c.OK() || !writable(c, o) {
		return nil
	}
	c.Record(false)
	c.Outs = nil
	ty := *o.Type()
	c.Redefine(o, t, ty)
	return o
}

// A copy of u with its operands exchanged.
func reflected(u ufunc) ufunc {
	u.swap = true
	return u
}

// twoResults applies a universal function with two results. Such as divmod and modf. out is a tuple
// of two arrays or None; given arrays are written after both were computed.
func twoResults(c *ops.Call, first, second ufunc, args ...value.Value) value.Value {
	outs := [2]value.Value{value.None, value.None}
	given := false
	if c.HasParam("out1") {
		outs[0], outs[1] = c.Value("out1"), c.Value("out2")
	}
	if c.HasParam("out") && c.Has("out") {
		t, ok := c.Value("out").(*value.Tuple)
		if !ok || len(t.Elems) != 2 {
			return c.Errorf("TypeError", diag.TypeMismatch, "%s(): out must be a tuple of two arrays", c.Short())
		}
		outs[0], outs[1] = t.Elems[0], t.Elems[1]
	}
	given = outs[0] != value.None || outs[1] != value.None
	if given {
		c.Args = slices.Clone(c.Args)
		for i := range c.Sig.Params {
			if c.Sig.Params[i].Name == "out" {
				c.Args[i] = value.None
			}
		}
	}
	q, r := first.apply(c, args...), second.apply(c, args...)
	if q == nil || r == nil {
		return nil
	}
	if given {
		for i, v := range [...]value.Value{q, r} {
			if outs[i] == value.None {
				outs[i] = v
				continue
			}
			t, ok := v.(*value.Tensor)
			if !ok {
				return c.Lose("two results in given arrays")
			}
			if outs[i] = writeArray(c, outs[i], t); !c.OK() {
				return nil
			}
		}
		return value.NewTuple(outs[:]...)
	}
	return value.NewTuple(q, r)
}

// The rule of a function of one operand.
func (u ufunc) one(c *ops.Call) value.Value { return u.apply(c, c.Value("x")) }

// keepRank keeps a 0-dim array one. Functions that keep arrays arrays, unlike operators.
func keepRank(c *ops.Call, v, from value.Value) value.Value {
	if ops.IsArray(from) {
		return KeepArray(c, v)
	}
	return v
}
