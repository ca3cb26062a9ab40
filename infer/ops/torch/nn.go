package torch

// This file holds what the families of torch.nn.functional share: the trailing
// axes of inputs with or without a batch, agreement of dtypes and sizes, and the
// arithmetic of sliding windows.

import (
	"slices"

	"fmt"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// The sets of dtypes by kind: integers and real numbers are without bool.

// Has reports whether d is in the set; an unknown dtype may be.

// wantDType checks that t, unless nil, has a dtype of the set.
func wantDType(c *ops.Call, t *value.Tensor, what string, set ops.DTypeSet) bool {
	if t == nil || set.Has(t.Type().DType) {
		return true
	}
	if t.Type().DType.IsFloat() && set&(ops.RealFloats|ops.Complexes) == 0 {
		c.Saying(diag.Fact{Kind: diag.NeedsIndices})
	}
	c.Errorf("RuntimeError", diag.DTypeMismatch, "%s: %s has dtype %s, but %s is needed", c.Short(), what, t.Type().DType, set)
	return false
}

// matchDType checks that t, unless nil, has the dtype of x.
func matchDType(c *ops.Call, x *value.Tensor, whatX string, t *value.Tensor, what string) bool {
	if x == nil || t == nil {
		return true
	}
	a, b := x.Type().DType, t.Type().DType
	if a == dtype.Unknown || b == dtype.Unknown || a == b {
		return true
	}
	c.Errorf("RuntimeError", diag.DTypeMismatch, "%s: %s has dtype %s but %s has %s", c.Short(), whatX, a, what, b)
	return false
}

// knownDType is the dtype of operands that must have one: of the first whose dtype is known.
func knownDType(ts ...*value.Tensor) dtype.DType {
	for _, t := range ts {
		if t != nil && t.Type().DType != dtype.Unknown {
			return t.Type().DType
		}
	}
	return dtype.Unknown
}

// castable checks that t, unless nil, may be added to or multiplied with x in
// place.
func castable(c *ops.Call, x, t *value.Tensor, what string) bool {
	if t == nil {
		return c.OK()
	}
	if d := c.ResultType(x, t); d != dtype.Unknown && !dtype.CanCast(d, x.Type().DType) {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "%s: %s has dtype %s, which does not fit into %s", c.Short(), what, t.Type().DType,
			x.Type().DType)
		return false
	}
	return c.OK()
}

// ref names the axis of t that is i from its end (1 is the last).
func ref(t *value.Tensor, fromEnd int) ops.Ref {
	return ops.Ref{Tensor: t, Axis: len(t.Type().Shape) - fromEnd}
}

// tail returns the last n sizes of t; an unranked tensor may leave some unknown.
func tail(t *value.Tensor, n int) symshape.Shape {
	s := t.Type().Shape
	out := make(symshape.Shape, n)
	for i := 1; i <= n && i <= len(s); i++ {
		out[n-i] = s[len(s)-i]
	}
	return out
}

// retail makes a result of t's leading sizes without the last n, followed by s.
func retail(c *ops.Call, t *value.Tensor, d dtype.DType, n int, s ...symshape.Dim) *value.Tensor {
	ty := graph.TensorType{DType: d, Ranked: t.Type().Ranked, Device: t.Type().Device}
	if have := t.Type().Shape; len(have) > n {
		ty.Shape = append(ty.Shape, have[:len(have)-n]...)
	}
	ty.Shape = append(ty.Shape, s...)
	return laidOut(c, c.OutType(ty), t)
}

// sized gives axes of a result, from one on, the sizes that the rule needs there, where the input's are not known.
func sized(t *value.Tensor, axis int, sizes ...symshape.Dim) *value.Tensor {
	shape := slices.Clone(t.Type().Shape)
	for i, d := range sizes {
		if k := axis + i; k >= 0 && k < len(shape) && shape[k].Expr == nil && !shape[k].Known {
			shape[k] = d
		}
	}
	t.V.Type.Shape = shape
	return t
}

// laidOut makes the strides of out unknown where an input's memory is not
// contiguous: kernels that know channels_last keep it, others do not.
func laidOut(c *ops.Call, out *value.Tensor, inputs ...*value.Tensor) *value.Tensor {
	ty := out.Type()
	for _, t := range inputs {
		if t != nil && t.Type().Strides != nil && ty.Ranked && len(ty.Shape) > 2 {
			ty.Strides = make([]*symshape.Expr, len(ty.Shape))
		}
	}
	return out
}

// likeLaid is Like for functions that may keep channels_last.
func likeLaid(c *ops.Call, t *value.Tensor, d dtype.DType) *value.Tensor {
	return laidOut(c, c.Like(t, d), t)
}

// wantRank checks that x is an input of n trailing axes with or without a batch
// axis before them. An unranked tensor may have the right rank.
func wantRank(c *ops.Call, x *value.Tensor, ranks ...int) bool {
	if x == nil || !c.OK() {
		return false
	}
	if !x.Type().Ranked {
		return true
	}
	return c.Rank(x, "an input", ranks...)
}

// need makes d ≥ n a condition of the run; when it cannot hold it reports.
func need(c *ops.Call, d symshape.Dim, n int64, format string, args ...any) bool {
	if !c.OK() {
		return false
	}
	if c.AtLeast(d, n) {
		return true
	}
	c.Errorf("RuntimeError", diag.InvalidSize, format, args...)
	return false
}

// needAll is need for every one of an argument's numbers.
func needAll(c *ops.Call, name string, dims []symshape.Dim, n int64) bool {
	for _, d := range dims {
		if !need(c, d, n, "%s: %s must be at least %d, but it is %s", c.Short(), name, n, listOf(dims)) {
			return false
		}
	}
	return c.OK()
}

// nonEmpty checks that the last n sizes of x are not zero.
func nonEmpty(c *ops.Call, x *value.Tensor, n int) bool {
	for i := 1; i <= n && i <= len(x.Type().Shape); i++ {
		c.Blame(ref(x, i))
		if !need(c, x.Type().Shape[len(x.Type().Shape)-i], 1, "%s: dimension %d of the input %s is empty", c.Short(), -i, x) {
			return false
		}
	}
	c.Blame()
	return true
}

// A sizeList is the sizes of a kernel, a padding or the like in a message: (3, 3), or 3×3 where they are of one block.
type sizeList struct {
	dims  []symshape.Dim
	block bool
}

func listOf(dims []symshape.Dim) sizeList  { return sizeList{dims: dims} }
func blockOf(dims []symshape.Dim) sizeList { return sizeList{dims, true} }

func (l sizeList) String() string {
	if l.block {
		return sizesString(l.dims)
	}
	return listString(l.dims)
}

// EachListed calls do with each size.
func (l sizeList) EachListed(do func(diag.Size)) {
	for _, d := range l.dims {
		do(d)
	}
}

func listString(dims []symshape.Dim) string {
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = d.String()
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func sizesString(dims []symshape.Dim) string {
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = d.String()
	}
	return strings.Join(parts, "×")
}

// windowSpan is how far a window can move over in with pads in sum on both sides:
// in + pads - dilation·(k-1) - 1. The window fits when it is not negative.
func windowSpan(c *ops.Call, in, pads, dilation, k symshape.Dim) symshape.Dim {
	p, one := c.P, c.Const(1)
	reach := p.DimMul(dilation, p.DimSub(k, one))
	return p.DimSub(p.DimSub(p.DimAdd(in, pads), reach), one)
}

// windows is the number of positions of a window: span // stride + 1.
func windows(c *ops.Call, span, stride symshape.Dim) symshape.Dim {
	return c.P.DimAdd(c.P.DimFloorDiv(span, stride), c.Const(1))
}

func twice(c *ops.Call, d symshape.Dim) symshape.Dim { return c.P.DimMul(d, c.Const(2)) }

// truthy is Python's truth of an argument used as a condition: numbers and None,
// too.
func truthy(c *ops.Call, name string) bool { return c.Bool(name) }

// vector checks that t, unless nil, has one dimension of the size n; of is the
// axis of other that n comes from.
func vector(c *ops.Call, t *value.Tensor, what string, n symshape.Dim, from ops.Ref, why string) bool {
	if t == nil || !t.Type().Ranked {
		return c.OK()
	}
	s := t.Type().Shape
	if len(s) != 1 {
		c.Errorf("RuntimeError", diag.RankMismatch, "%s: %s must have one dimension of size %s, %s, but it is %s", c.Short(), what, n, why, t)
		return false
	}
	c.Blame(ops.Ref{Tensor: t, Axis: 0}, from)
	if _, ok := c.Same(s[0], n); !ok {
		c.Saying(c.OfSizes(diag.UnequalSizes, n, s[0])).Shapef("%s: %s has %s elements, but %s %s", c.Short(), what, s[0], why, n)
		return false
	}
	c.Blame()
	return true
}

// numelIs checks that t, unless nil, has n elements in any shape; why and args are a format.
func numelIs(c *ops.Call, t *value.Tensor, what string, n symshape.Dim, from ops.Ref, why string, args ...any) bool {
	if t == nil || !t.Type().Ranked || !c.OK() {
		return c.OK()
	}
	c.Blame(ops.Ref{Tensor: t, Axis: 0}, from)
	have := c.NumelOf(t)
	if _, ok := c.Same(have, n); !ok {
		c.Measuring(what+why, append([]any{have, n}, args...)...)
		c.Saying(c.OfSizes(diag.UnequalSizes, n, have)).Shapef("%s: %s has %s elements, but %s %s", c.Short(), what, have,
			fmt.Sprintf(why, args...), n)
		return false
	}
	c.Blame()
	return true
}

// finish makes out the result of a function with an inplace argument.
func finish(c *ops.Call, out value.Value) value.Value {
	if c.HasParam("inplace") && truthy(c, "inplace") {
		c.InPlace = true
	}
	return out
}

// matchShapes makes equality of two shapes a condition of the run. Unranked
// tensors fit as far as is known.
func matchShapes(c *ops.Call, a *value.Tensor, whatA string, b *value.Tensor, whatB string) bool {
	if !c.OK() || a == nil || b == nil {
		return c.OK()
	}
	sa, sb := a.Type().Shape, b.Type().Shape
	if a.Type().Ranked && b.Type().Ranked && len(sa) != len(sb) {
		c.Errorf("RuntimeError", diag.RankMismatch, "%s: %s and %s must have the same shape, but they are %s and %s", c.Short(), whatA, whatB,
			a, b)
		return false
	}
	for i := 1; i <= len(sa) && i <= len(sb); i++ {
		c.Blame(ref(a, i), ref(b, i))
		if _, ok := c.Same(sa[len(sa)-i], sb[len(sb)-i]); !ok {
			c.Shapef("%s: %s and %s must have the same shape, but they are %s and %s", c.Short(), whatA, whatB, a, b)
			return false
		}
	}
	c.Blame()
	return true
}
