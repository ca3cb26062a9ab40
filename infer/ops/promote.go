package ops

// This file applies PyTorch's type promotion to arguments: tensors with and
// without dimensions, Python numbers, and the default dtype.

import (
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// NumberKind returns the kind of a Python number; KindInvalid for anything else.
func NumberKind(v value.Value) dtype.Kind {
	switch v := value.Plain(v).(type) {
	case value.Bool, *value.SymBool:
		return dtype.KindBool
	case value.Int, *value.SymInt, *value.BigInt:
		return dtype.KindInt
	case value.Float, *value.SymFloat:
		return dtype.KindFloat
	case value.Complex:
		return dtype.KindComplex
	case *value.Abstract:
		if v.Class.Name == "complex" {
			return dtype.KindComplex
		}
	}
	return dtype.KindInvalid
}

// NumberDType returns the dtype of the tensor that a Python number becomes.
func (c *Call) NumberDType(v value.Value) dtype.DType {
	return dtype.ResultType(c.DefaultDType(), dtype.NumberOp(NumberKind(v)))
}

// ResultType is torch.result_type of tensors and Python numbers; None and absent
// arguments do not count. It is Unknown when an operand's dtype is not known, or
// when it depends on a number of dimensions that is not known.
func (c *Call) ResultType(vs ...value.Value) dtype.DType {
	a, ok := c.promoteWith(1, vs)
	if !ok {
		return dtype.Unknown
	}
	if b, _ := c.promoteWith(0, vs); a != b {
		return dtype.Unknown
	}
	if a == dtype.Invalid {
		return c.noPromotion(vs)
	}
	return a
}

// noPromotion records that the dtypes of operands have no dtype to which all convert.
func (c *Call) noPromotion(vs []value.Value) dtype.DType {
	var names []string
	for _, v := range vs {
		if t, ok := v.(*value.Tensor); ok {
			names = append(names, t.Type().DType.String())
		} else if NumberKind(v) != dtype.KindInvalid {
			names = append(names, "a number")
		}
	}
	c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): there is no dtype for %s together", c.Short(), strings.Join(names, " and "))
	return dtype.Unknown
}

// Promote is the dtype to which two dtypes are promoted. It records a fault where there is none.
func (c *Call) Promote(a, b dtype.DType) dtype.DType {
	if a == dtype.Unknown || b == dtype.Unknown {
		return dtype.Unknown
	}
	d := dtype.Promote(a, b)
	if d == dtype.Invalid && c.OK() {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): there is no dtype for %s and %s together", c.Short(), a, b)
		return dtype.Unknown
	}
	return d
}

// promoteWith promotes with unranked tensors taken to have so many dimensions.
func (c *Call) promoteWith(dims int, vs []value.Value) (d dtype.DType, ok bool) {
	var buf [4]dtype.Operand
	list := buf[:0]
	for _, v := range vs {
		if t, ok := v.(*value.Tensor); ok {
			ty := t.Type()
			if ty.DType == dtype.Unknown {
				return dtype.Unknown, false
			}
			n := ty.Rank()
			if n < 0 {
				n = max(dims, len(ty.Shape))
			}
			list = append(list, dtype.TensorOp(ty.DType, n))
		} else if k := NumberKind(v); k != dtype.KindInvalid {
			list = append(list, dtype.NumberOp(k))
		}
	}
	if c.Torch1() {
		return dtype.ResultType(c.DefaultDType(), list...), true
	}
	return dtype.ResultTypeBF(c.DefaultDType(), list...), true
}

// ToFloat is the dtype in which an operation on d computes that has no integer
// form: the default dtype for integers and bool.
func (c *Call) ToFloat(d dtype.DType) dtype.DType {
	if d.IsIntegralOrBool() {
		return c.DefaultDType()
	}
	return d
}

// SumType is the dtype of sums and products: int64 for integers and bool.
func SumType(d dtype.DType) dtype.DType {
	if d.IsIntegralOrBool() {
		return dtype.I64
	}
	return d
}

// AlwaysBool is the dtype of comparisons.
func AlwaysBool(dtype.DType) dtype.DType { return dtype.Bool }

// Accepts records a fault unless d is one of the dtypes of set.
func (c *Call) Accepts(set DTypeSet, d dtype.DType) bool {
	if set.Has(d) {
		return true
	}
	if d.IsFloat8() {
		c.Lose("which functions are defined for %s is not known", d)
		return false
	}
	name := c.Short() + "()"
	if full, ok := strings.CutSuffix(c.Name, ".get"); ok { // a property
		name = full[strings.LastIndexByte(full, '.')+1:]
	}
	class := "NotImplementedError" // since 2.0, a subclass of RuntimeError
	if c.Torch1() {
		class = "RuntimeError"
	}
	if set&^Complexes == 0 && d.IsFloat() {
		c.Saying(diag.Fact{Kind: diag.NeedsComplex})
	}
	c.Errorf(class, diag.DTypeMismatch, "%s is not defined for %s; it takes %s", name, d, set)
	return false
}

// Torch1 reports whether the run is to behave like PyTorch 1.x, for refusals
// that 2.0 lifted.
func (c *Call) Torch1() bool { return strings.HasPrefix(c.Th.Option("torch-version"), "1.") }
