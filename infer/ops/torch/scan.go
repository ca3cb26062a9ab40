package torch

// This file holds the records of running sums and of finite differences and
// integrals along an axis. A scan keeps the shape and gives for each place the result of all
// elements up to it. Known elements of a tracked dtype (ops.Tracked) are computed; of others only type and shape are followed. Shapes and dtypes are those that
// PyTorch's documentation of each function states; where a check depends on the major version of
// PyTorch, the rule asks for it.

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

const scanSig = "(Tensor input, int dim, *, ScalarType? dtype=None)"

var scanOps = [...]ops.Op{
	{Names: spelled("cumsum"), Sig: scanSig, Rule: scanRule(ops.AddElem), InPlace: true, Out: true,
		Quirks: ops.NamedDims, Doc: "running sum; of integers and bool int64"},
	{Names: spelled("cumprod"), Sig: scanSig, Rule: scanRule(ops.MulElem), InPlace: true, Out: true,
		Quirks: ops.NamedDims, Doc: "running product; of integers and bool int64"},
	{Names: spelled("logcumsumexp"), Sig: "(Tensor input, int dim)", Rule: logcumsumexpRule, Out: true, ExactOut: true,
		Quirks: ops.NamedDims, Doc: "log of the running sum of exponentials"},
	{Names: spelled("cummax"), Sig: "(Tensor input, int dim)", Rule: cumExtremeRule("cummax"), Out: true,
		Quirks: ops.NamedDims, Doc: "running maximum with indices"},
	{Names: spelled("cummin"), Sig: "(Tensor input, int dim)", Rule: cumExtremeRule("cummin"), Out: true,
		Quirks: ops.NamedDims, Doc: "running minimum with indices"},
	{Names: spelled("diff"), Sig: "(Tensor input, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None)", Rule: diffRule,
		Out: true, ExactOut: true, Doc: "n-th difference of neighbours"},
	{Names: spelled("torch.trapezoid torch.trapz"), Sig: "(Tensor y, Tensor x, *, int dim=-1) | (Tensor y, *, Scalar dx=1, int dim=-1)",
		Rule: trapezoidRule(false), Doc: "integral along an axis"},
	{Names: spelled("torch.cumulative_trapezoid"), Sig: "(Tensor y, Tensor x, *, int dim=-1) | (Tensor y, *, Scalar dx=1, int dim=-1)",
		Rule: trapezoidRule(true), Doc: "running integral along an axis"},
	{Names: spelled("torch.gradient"), Sig: "(Tensor input, *, any spacing=None, int[1]? dim=None, int edge_order=1)", Rule: gradientRule,
		Doc: "differences along axes, a tensor for each"},
}

// scanRule makes the rule of cumsum and cumprod: integers are summed in int64 as by sum, but in place the
// tensor keeps its dtype, and the sum wraps. dtype= converts before the sum. A number (a 0-dim
// tensor) with dtype= and an empty tensor are only converted, so their dtype is not checked.
func scanRule(fold ops.ElemFunc) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		axis := scanAxis(c, t)
		d, given := computeDType(c, t)
		switch {
		// In place: dtype= may only repeat the tensor's own dtype.
		case c.InPlace:
			if given && d != t.Type().DType && d != dtype.Unknown && t.Type().DType != dtype.Unknown {
				return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): the dtype of a tensor cannot be changed in place, from %s to %s",
					c.Short(), t.Type().DType, d)
			}
			d = t.Type().DType
		case !given && d != dtype.Unknown:
			d = ops.SumType(d)
		}
		if !(t.Type().Rank() == 0 && given) && !c.Empty(t) && !c.Accepts(ops.Numbers, d) { // one number is copied
			return nil
		}
		out := c.Like(t, d)
		if ops.Tracked(d) {
			out.SetContents(scanElems(c, t, d, axis, fold))
		}
		return out
	}
}

// scanAxis reads the parameter dim, also of an unranked tensor, of which it cannot be checked. It
// is 0 where the axis is not known or wrong; the fault is noted in the call.
func scanAxis(c *ops.Call, t *value.Tensor) int {
	if !t.Type().Ranked {
		return 0
	}
	return c.Axis("dim", len(t.Type().Shape))
}

// scanElems folds known elements along an axis: each is joined with the one before. Nil where one
// is not known. Elements lie in row-major order. Each element is converted to d first, so that the
// sum wraps as that dtype does.
func scanElems(c *ops.Call, t *value.Tensor, d dtype.DType, axis int, fold ops.ElemFunc) []value.Value {
	elems := t.Contents()
	shape, ok := ops.ConstShape(t.Type().Shape)
	if elems == nil || !ok || !t.Type().Ranked || len(elems) != ops.Product(shape) || !c.OK() {
		return nil
	}
	// Elements that follow each other along the axis are this far apart.
	out := make([]value.Value, len(elems))
	step := 1
	if len(shape) > 0 {
		step = ops.RowMajorInts(shape)[axis]
	}
	for i, e := range elems {
		out[i] = c.CastElem(d, e)
		// The first of each line is itself; all others are folded with the result before them.
		if len(shape) > 0 && i/step%shape[axis] > 0 && out[i] != nil {
			out[i] = fold(c, d, []value.Value{out[i-step], out[i]})
		}
		if out[i] == nil {
			return nil
		}
	}
	return out
}

// logcumsumexpRule keeps shape and dtype; complex numbers are taken since PyTorch 2. It works on
// floating dtypes alone.
func logcumsumexpRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	scanAxis(c, t)
	accept := ops.RealFloats
	if !c.Torch1() {
		accept = ops.Inexact
	}
	if !c.Accepts(accept, t.Type().DType) {
		return nil
	}
	return c.Like(t, t.Type().DType)
}

// cumExtremeRule makes the rule of cummax and cummin: values and int64 indices of the input's
// shape. name is that of the named tuple. The input must be real, and an empty or 0-dim one is not
// checked.
func cumExtremeRule(name string) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		// A 0-dim or empty tensor is copied before anything is looked at.
		if t.Type().Rank() != 0 && !isEmpty(t.Type().Shape) {
			scanAxis(c, t)
			if !c.Accepts(realDTypes, t.Type().DType) {
				return nil
			}
		}
		return named(c, name, []string{"values", "indices"}, c.Like(t, t.Type().DType), c.Like(t, dtype.I64))
	}
}

// diffRule needs at least one dimension and n >= 0, which PyTorch 1 does not check. prepend and append
// agree with the input but for dim, which becomes the joint size less n, not below 0. The dtype is the
// promoted one; n = 0 copies the input. The formula for the size of dim is max(s + p + a − n, 0),
// with p and a the sizes of prepend and append.
func diffRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	n := c.Dim("n")
	if t == nil || !c.OK() {
		return nil
	}
	if len(s) == 0 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "diff() needs at least one dimension, but got %s", t)
	}
	if ops.IsConst(n, 0) && !c.Has("prepend") && !c.Has("append") { // copied before dim is looked at
		return c.BroadcastOut(t.Type().DType, []value.Value{t})
	}
	axis := c.Axis("dim", len(s))
	if !c.OK() {
		return nil
	}
	if !c.Torch1() && !c.AtLeast(n, 0) {
		return c.Errorf("RuntimeError", diag.BadValue, "diff(): n must not be negative, but is %s", n)
	}
	// prepend and append are concatenated with the input before the differences are taken, so they
	// must have its rank; a 0-dim one is not broadcast as NumPy does.
	operands := []value.Value{t}
	size := s[axis]
	for _, name := range [...]string{"prepend", "append"} {
		if !c.Has(name) {
			continue
		}
		x := c.Tensor(name)
		if x == nil {
			return nil
		}
		xs := c.Shape(x)
		if !c.OK() {
			return nil
		}
		if len(xs) != len(s) {
			return c.Errorf("RuntimeError", diag.RankMismatch, "diff(): %s has %s, but the input has %s: %s and %s",
				name, ops.CountWord(len(xs), "dimension"), ops.CountWord(len(s), "dimension"), x, t)
		}
		for i := range s {
			if i == axis {
				continue
			}
			if _, ok := c.Same(s[i], xs[i]); !ok {
				c.Blame(ops.Ref{Tensor: t, Axis: i}, ops.Ref{Tensor: x, Axis: i})
				return c.Shapef("diff(): %s has size %s at dimension %d, but the input has %s: %s and %s", name, xs[i], i, s[i], x, t)
			}
		}
		operands = append(operands, x)
		size = c.P.DimAdd(size, xs[axis])
	}
	// n = 0 with prepend or append: the checks above hold, but PyTorch still returns the input
	// alone.
	if ops.IsConst(n, 0) {
		return c.BroadcastOut(t.Type().DType, []value.Value{t})
	}
	d := c.ResultType(operands...)
	c.CastOut = true                          // only a copy, of n = 0, needs the dtype
	if k, ok := ops.DimVal(n); !ok || k > 0 { // PyTorch 1 takes a negative n as 0
		size = c.P.DimMax(c.P.DimSub(size, n), c.Const(0))
	}
	out := c.Out(d, ops.With(s, axis, size))
	// Elements are only computed for one difference of the input itself. Of bool PyTorch takes the
	// exclusive or, which is left out.
	if v, ok := n.Const(); ok && v == 1 && len(operands) == 1 && ops.Tracked(d) && d != dtype.Bool {
		out.SetContents(diffElems(c, t, d, axis))
	}
	return out
}

// diffElems are the differences of neighbours along an axis, nil where one is not known. The last
// of each line has no next one and gives no element.
func diffElems(c *ops.Call, t *value.Tensor, d dtype.DType, axis int) []value.Value {
	elems := t.Contents()
	shape, ok := ops.ConstShape(t.Type().Shape)
	if elems == nil || !ok || len(elems) != ops.Product(shape) {
		return nil
	}
	step := ops.RowMajorInts(shape)[axis]
	var out []value.Value
	for i, e := range elems {
		if i/step%shape[axis] == shape[axis]-1 {
			continue
		}
		x := ops.SubElem(c, d, []value.Value{elems[i+step], e})
		if x == nil {
			return nil
		}
		out = append(out, x)
	}
	return out
}

// trapezoidRule follows aten/src/ATen/native/Integration.cpp: differences of x broadcast with means
// of y, which are summed along the axis. cumulative keeps the axis, one shorter. The result is
// floating. Either x gives the points, or dx their distance; a bool tensor among the operands is
// refused since its difference is not defined.
func trapezoidRule(cumulative bool) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		y := c.Tensor("y")
		s := c.Shape(y)
		if y == nil || !c.OK() {
			return nil
		}
		if len(s) == 0 {
			return c.Errorf("IndexError", diag.RankMismatch, "%s() needs at least one dimension, but got %s", c.Short(), y)
		}
		axis := c.Axis("dim", len(s))
		if !c.OK() {
			return nil
		}
		operands := []value.Value{y}
		// There is one interval less than points.
		between := func(d symshape.Dim) symshape.Dim { return c.P.DimMax(c.P.DimSub(d, c.Const(1)), c.Const(0)) }
		out := ops.With(s, axis, between(s[axis]))
		// An axis without points: PyTorch returns zeros before it looks at x, for the integral but
		// not for the running one.
		empty := ops.IsConst(s[axis], 0) && !cumulative
		x := (*value.Tensor)(nil)
		if c.HasParam("x") {
			if x = c.Tensor("x"); x == nil {
				return nil
			}
			operands = append(operands, x)
		} else {
			if k := ops.NumberKind(c.Value("dx")); k == dtype.KindBool || k == dtype.KindComplex {
				return c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): dx must be a real number, not %s", c.Short(), ops.TypeName(c.Value("dx")))
			}
			operands = append(operands, c.Value("dx"))
		}
		for _, v := range operands {
			if t, ok := v.(*value.Tensor); ok && t.Type().DType == dtype.Bool && !empty {
				return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() is not defined for bool: %s", c.Short(), t)
			}
		}
		// x may be a vector for the axis, or a tensor that broadcasts with y.
		if x != nil && !empty {
			var ok bool
			if out, ok = spaced(c, x, y, axis, out, between); !ok {
				return nil
			}
		}
		d := c.ToFloat(c.ResultType(operands...))
		if empty { // zeros like y, without any arithmetic
			d = y.Type().DType
		}
		// The running integral keeps the axis, the integral drops it.
		if cumulative {
			return c.Out(d, out)
		}
		return c.Out(d, ops.Without(out, axis))
	}
}

// spaced broadcasts the differences of x along the axis with out. A vector x has as many points as
// the axis. ok is false after a fault. A tensor x is padded with axes of size 1 in front until it
// has y's rank, then has one step less than points along the axis, and broadcasts.
func spaced(c *ops.Call, x, y *value.Tensor, axis int, out symshape.Shape, between func(symshape.Dim) symshape.Dim) (symshape.Shape, bool) {
	xs, s := c.Shape(x), c.Shape(y)
	if !c.OK() {
		return nil, false
	}
	if len(xs) == 1 {
		if _, ok := c.Same(xs[0], s[axis]); !ok {
			c.Blame(ops.Ref{Tensor: x, Axis: 0}, ops.Ref{Tensor: y, Axis: axis})
			c.Shapef("%s(): x has size %s, but y has %s along the axis: %s and %s", c.Short(), xs[0], s[axis], x, y)
			return nil, false
		}
		return out, true
	}
	dx := symshape.Shape{}
	for range max(len(s)-len(xs), 0) {
		dx = append(dx, c.Const(1))
	}
	dx = append(dx, xs...)
	dx[axis] = between(dx[axis])
	b, bad, ok := c.Broadcast(dx, out)
	if !ok {
		c.Blame(ops.Ref{Tensor: x, Axis: len(xs) - bad}, ops.Ref{Tensor: y, Axis: len(s) - bad})
		c.Shapef("%s(): the steps of x and y do not match at dimension %d: %s and %s", c.Short(), -bad, x, y)
		return nil, false
	}
	return b, true
}

// gradientRule needs an edge_order of 1 or 2 and more elements than that along each of the dims, and no
// uint8 input. The result is a tuple with a floating tensor of the input's shape for each dim, promoted
// with its spacing's tensor. spacing is a number, or a list with a number or a vector for each
// axis. The tuple has one element even if dim is a single number. Without dim it is all axes, as
// reduceAxes gives them.
func gradientRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	axes, all := reduceAxes(c, len(s), false)
	edge := c.Dim("edge_order")
	if n, ok := edge.Const(); ok && n != 1 && n != 2 {
		return c.Errorf("RuntimeError", diag.BadValue, "gradient(): edge_order must be 1 or 2, but is %d", n)
	}
	if t.Type().DType == dtype.U8 {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "gradient() is not defined for u8")
	}
	if !c.OK() {
		return nil
	}
	d := c.ToFloat(t.Type().DType)
	var spacing []value.Value
	if list, ok := c.Value("spacing").(*value.Tuple); ok {
		spacing = list.Elems
		checkSpacing(c, list.Elems, s, axes, all, t)
	} else if list, ok := c.Value("spacing").(*value.List); ok && list.Open == nil {
		spacing = list.Elems
		checkSpacing(c, list.Elems, s, axes, all, t)
	} else if x, ok := c.Value("spacing").(*value.Tensor); ok && x.Type().Rank() > 0 {
		return c.Lose("spacing as a tensor is not supported")
	}
	var results []value.Value
	for i, a := range axes {
		if !c.AtLeast(c.P.DimSub(s[a], edge), 1) {
			c.Blame(ops.Ref{Tensor: t, Axis: a})
			return c.Errorf("RuntimeError", diag.InvalidSize,
				"gradient(): dimension %d must have more elements than edge_order, %s, but has %s: %s", a, edge, s[a], t)
		}
		di := d
		if i < len(spacing) { // divided by the differences of the spacing
			if x, ok := spacing[i].(*value.Tensor); ok && x.Type().Rank() > 0 {
				di = c.ToFloat(c.ResultType(t, x))
			}
		}
		results = append(results, c.Out(di, slices.Clone(s)))
	}
	return value.NewTuple(results...)
}

// checkSpacing checks a list with the spacing of each axis: numbers, or vectors as long as the
// axis. It notes a fault for another number of elements than axes and for tensors that are no
// vectors. A vector of another length than the axis loses the result.
func checkSpacing(c *ops.Call, list []value.Value, s symshape.Shape, axes []int, all bool, t *value.Tensor) {
	if len(list) != len(axes) {
		c.Errorf("RuntimeError", diag.BadValue, "gradient(): spacing has %d elements for %s of %s",
			diag.Count(len(list)), ops.CountWord(len(axes), "axis"),
			t)
		return
	}
	for i, v := range list {
		x, ok := v.(*value.Tensor)
		if !ok || !x.Type().Ranked {
			continue
		}
		if x.Type().Rank() != 1 {
			c.Errorf("RuntimeError", diag.RankMismatch, "gradient(): spacing must be tensors of one dimension, but element %d is %s", i, x)
			return
		}
		if d, e := x.Type().Shape[0], s[axes[i]]; d.Expr != e.Expr || d.Expr == nil {
			c.Lose("spacing of another length than the axis") // what then happens depends on the order of the axes
			return
		}
	}
}
