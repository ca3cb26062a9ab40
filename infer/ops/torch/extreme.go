package torch

// This file holds the rules of extreme and middle elements: max, min, median, mode,
// kthvalue, aminmax, quantile. With a dim most of them give a named tuple of values and indices,
// the indices in int64 and of the values' shape. An axis without elements has no extreme element
// and is refused; which dtypes are refused, and when, differs among the kernels.

import (
	"math"
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// name is that of the named tuple's class. max(a, b) is an operation on two operands.
func extremeRule(name string, fold ops.ElemFunc) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		if c.HasParam("other") {
			return binaryRule{accept: realDTypes, elem: fold}.apply(c)
		}
		t := c.Tensor("input")
		if t == nil || !c.Accepts(realDTypes, t.Type().DType) {
			return nil
		}
		r := reduceRule{fold: fold, full: true}
		v := reduce(c, t, t.Type().DType, r)
		if v == nil || !c.HasParam("dim") {
			return v
		}
		return withIndices(c, name, t, v)
	}
}

// withIndices adds to the values of a reduction over one axis their indices. values is a tensor.
func withIndices(c *ops.Call, name string, t *value.Tensor, values value.Value) value.Value {
	i := c.Like(values.(*value.Tensor), dtype.I64)
	return named(c, name, []string{"values", "indices"}, values, i)
}

// median looks at the dtype of empty tensors, too.
const median ops.Variant = "median"

// The dtype of an empty tensor is only looked at by median.
func namedReduce(name string, accept ops.DTypeSet) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil || c.Is(median) && !c.Accepts(accept, t.Type().DType) || !isEmpty(t.Type().Shape) && !ordered(c, t, accept) {
			return nil
		}
		v := reduce(c, t, t.Type().DType, reduceRule{full: true})
		if v == nil || !c.OK() {
			return nil
		}
		return withIndices(c, name, t, v)
	}
}

// medianRule makes the rule of a function with a named result.
func medianRule(name string) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		// Without dim the median has no index.
		if c.HasParam("dim") {
			return namedReduce(name, ops.RealNums)(c)
		}
		if !numelIsZero(c, t.Type().Shape) && !c.Accepts(ops.RealNums, t.Type().DType) {
			return nil // the median of nothing is nan, of any dtype
		}
		return reduce(c, t, t.Type().DType, reduceRule{})
	}
}

// k counts from 1 to the size. A scalar counts as an axis of one element.
func kthvalueRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	if s := t.Type().Shape; t.Type().Ranked {
		axis := c.Axis("dim", len(s))
		if !c.OK() {
			return nil
		}
		size := c.Const(1)
		if len(s) > 0 {
			size = s[axis]
		}
		if !selects(c, c.Dim("k"), size, t, axis, 1) {
			return nil
		}
		if len(s) == 0 {
			return namedReduce("kthvalue", ops.AnyDType)(c)
		}
	}
	if !c.Accepts(ops.RealNums, t.Type().DType) {
		return nil
	}
	return namedReduce("kthvalue", ops.RealNums)(c)
}

// selects checks that k of an axis's elements can be chosen: lo <= k <= size. It is a condition
// where sizes are symbols. False after a report.
func selects(c *ops.Call, k, size symshape.Dim, t *value.Tensor, axis int, lo int64) bool {
	if k.Expr == nil || size.Expr == nil {
		return true
	}
	if c.Th.Require(c.P.Le(k.Expr, size.Expr), "") == symshape.No || !c.AtLeast(k, lo) {
		c.Blame(ops.Ref{Tensor: t, Axis: axis})
		c.Errorf("RuntimeError", diag.InvalidSize, "%s(): k is %s, but dimension %d has size %s: %s", c.Short(), k, axis, size, t)
		return false
	}
	return true
}

// Without dim both are scalars. An axis of size 0 is refused.
func aminmaxRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil || !c.Accepts(realDTypes, t.Type().DType) {
		return nil
	}
	if t.Type().Ranked && len(t.Type().Shape) == 0 && c.Has("dim") && c.Torch1() && c.Bool("keepdim") {
		one := symshape.Shape{c.Const(1)} // PyTorch 1 keeps the dimension that a scalar does not have
		c.Axis("dim", 0)
		return named(c, "aminmax", []string{"min", "max"}, c.Out(t.Type().DType, one), c.Out(t.Type().DType, one))
	}
	lo := reduce(c, t, t.Type().DType, reduceRule{full: true, fold: ops.MinElem})
	hi := reduce(c, t, t.Type().DType, reduceRule{full: true, fold: ops.MaxElem})
	if lo == nil || hi == nil {
		return nil
	}
	return named(c, "aminmax", []string{"min", "max"}, lo, hi)
}

// quantileRule needs a float32 or float64 input with elements, and q as a number in [0, 1] or as a tensor
// of at most one dimension and of the input's dtype. The result is reduced over dim, or over all
// dimensions without it, with the dimension of q in front. linear interpolation is the default.
func quantileRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	d := t.Type().DType
	if !c.Accepts(1<<dtype.F32|1<<dtype.F64, d) {
		return nil
	}
	var front symshape.Shape
	if ops.NumberKind(c.Value("q")) == dtype.KindComplex {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s(): q must be a float or a Tensor, not complex", c.Short())
	}
	if q, ok := c.Value("q").(*value.Tensor); ok {
		if !sameDType(c, t, q, "q") {
			return nil
		}
		front = c.Shape(q)
		if c.OK() && len(front) > 1 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "%s(): q must be a number or a tensor of one dimension, not %s", c.Short(), q)
		}
	} else if f, known := c.Float("q"); known && (f < 0 || f > 1 || math.IsNaN(f)) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): q must lie between 0 and 1, but is %v", c.Short(), f)
	}
	switch m := c.Str("interpolation"); m {
	case "linear", "lower", "higher", "midpoint", "nearest", "":
	default:
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): interpolation must be linear, lower, higher, midpoint or nearest, not '%s'",
			c.Short(), m)
	}
	// Only sizes that are known to be 0 are refused.
	if numelIsZero(c, s) {
		return c.Errorf("RuntimeError", diag.InvalidSize, "%s() needs a tensor with elements, not %s", c.Short(), t)
	}
	keep := c.Bool("keepdim")
	axes, _ := reduceAxes(c, len(s), false)
	if !c.OK() {
		return nil
	}
	rest := ops.ReduceShape(c, s, axes, keep)
	if !fewAxes(c, len(rest)+1) { // the quantiles are an axis of their own
		return nil
	}
	out := c.Out(d, append(slices.Clone(front), rest...))
	if len(front) > 0 { // computed with the axis of q at the end
		strides := c.RowMajor(append(slices.Clone(rest), front...))
		c.SetStrides(out, append(strides[len(rest):len(strides):len(strides)], strides[:len(rest)]...))
	}
	return out
}
