package numpy

// This file holds numpy's products and linear algebra.

import (
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

func arrayLinalgOps() []ops.Op {
	return []ops.Op{
		array("matmul", "(any x1, any x2, any out=None, *, any casting='same_kind', any order='K', any dtype=None)", matmulArrays, "matrix product; leading axes broadcast"),
		array("__matmul__", dunderPair, matmulArrays, "matrix product"),
		array("__rmatmul__", dunderPair, func(c *ops.Call) value.Value { return product(c, "x2", "x1") }, "matrix product with the operands exchanged"),
		array("+dot", "(any a, any b, any out=None)", dotArrays, "product over the last axis and the last but one"),
		array("inner", "(any a, any b)", innerArrays, "product over the last axes"),
		array("vdot", "(any a, any b)", func(c *ops.Call) value.Value {
			ts := pair(c, "a", "b")
			if ts == nil {
				return nil
			}
			for i, t := range ts {
				ts[i] = c.DelegateTensor("torch.flatten", []value.Value{t})
			}
			if !c.OK() {
				return nil
			}
			return overAxes(c, ts, 0, 0)
		}, "product of all elements"),
		array("outer", "(any a, any b, any out=None)", func(c *ops.Call) value.Value {
			ts := pair(c, "a", "b")
			if ts == nil {
				return nil
			}
			for i, t := range ts {
				ts[i] = c.DelegateTensor("torch.flatten", []value.Value{t})
			}
			v := c.Delegate("torch.outer", ts)
			if t, ok := v.(*value.Tensor); ok && c.Has("out") {
				return writeReduced(c, c.Value("out"), t)
			}
			return v
		}, "all products of two vectors"),
		array("tensordot", "(any a, any b, any axes=2)", tensordotArrays, "product over given axes"),
		array("kron", "(any a, any b)", func(c *ops.Call) value.Value { return c.Delegate("torch.kron", pair(c, "a", "b")) }, "Kronecker product"),
		array("cross", "(any a, any b, any axisa=-1, any axisb=-1, any axisc=-1, any axis=None)", crossArrays, "cross product of vectors of two or three numbers"),
		array("einsum", "(*operands, **kwargs)", einsumArrays, "sums of products by Einstein's convention"),
		array("convolve", "(any a, any v, any mode='full')", convolveArrays, "convolution of vectors"),
		array("correlate", "(any a, any v, any mode='valid')", convolveArrays, "correlation of vectors").With(ops.Op{Variant: needsVectors}),
		array("interp", "(any x, any xp, any fp, any left=None, any right=None, any period=None)", interpArray, "linear interpolation"),
	}
}

// needsVectors: an array without dimensions is no vector of one element.
const needsVectors ops.Variant = "vectors"

// pair reads two arrays and converts them to one dtype.
func pair(c *ops.Call, a, b string) []value.Value {
	x, y := numbers(c, a), numbers(c, b)
	if x == nil || y == nil {
		return nil
	}
	return ofOneDType(c, x, y)
}

// ofOneDType converts two arrays to the dtype of both.
func ofOneDType(c *ops.Call, x, y *value.Tensor) []value.Value {
	d := dtype.Unknown
	if x.Type().DType != d && y.Type().DType != d {
		d = dtype.Numpy(x.Type().DType, y.Type().DType)
	}
	if d == dtype.Unknown && (x.Type().DType != d || y.Type().DType != d) {
		c.Lose("the dtype of an operand is not known")
		return nil
	}
	x, y = astype(c, x, d), astype(c, y, d)
	if x == nil || y == nil {
		return nil
	}
	for _, t := range [...]*value.Tensor{x, y} {
		if t.Class == nil {
			t.Class = c.NDArray()
		}
	}
	return []value.Value{x, y}
}

func matmulArrays(c *ops.Call) value.Value { return product(c, "x1", "x2") }

// product is the matrix product of two arguments.
func product(c *ops.Call, left, right string) value.Value {
	ts := pair(c, left, right)
	if ts == nil {
		return nil
	}
	for i, t := range ts {
		if len(c.Shape(t.(*value.Tensor))) == 0 && c.OK() {
			return c.Errorf("ValueError", diag.RankMismatch, "matmul: operand %d has no dimensions: use *", i)
		}
	}
	v := c.Delegate("torch.matmul", ts)
	if t, ok := v.(*value.Tensor); ok && c.HasParam("out") && c.Has("out") {
		return writeArray(c, c.Value("out"), t)
	}
	return v
}

// overAxes multiplies a and b over one axis of each.
func overAxes(c *ops.Call, ts []value.Value, i, j int) value.Value {
	a, b := ts[0].(*value.Tensor), ts[1].(*value.Tensor)
	s, r := c.Shape(a), c.Shape(b)
	if _, ok := c.Same(s[i], r[j]); !ok {
		c.Blame(ops.Ref{Tensor: a, Axis: i}, ops.Ref{Tensor: b, Axis: j})
		return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): size %s at dimension %d of %s and size %s at dimension %d of %s do not match", c.Short(), s[i], i, a, r[j], j, b)
	}
	out := c.Out(a.Type().DType, append(ops.Without(s, i), ops.Without(r, j)...))
	if len(s) == 1 && len(r) == 1 {
		out.SetContents(dotElems(c, a.Type().DType, a.Contents(), b.Contents()))
	}
	return out
}

// dotElems is the product of two vectors of integers.
func dotElems(c *ops.Call, d dtype.DType, x, y []value.Value) []value.Value {
	if x == nil || len(x) != len(y) || !d.IsIntegral() || !ops.Tracked(d) {
		return nil
	}
	sum := value.Value(value.Int(0))
	for i := range x {
		p := ops.MulElem(c, d, []value.Value{x[i], y[i]})
		if p == nil {
			return nil
		}
		if sum = ops.AddElem(c, d, []value.Value{sum, p}); sum == nil {
			return nil
		}
	}
	return []value.Value{sum}
}

func dotArrays(c *ops.Call) value.Value {
	ts := pair(c, "a", "b")
	if ts == nil {
		return nil
	}
	n, m := len(c.Shape(ts[0].(*value.Tensor))), len(c.Shape(ts[1].(*value.Tensor)))
	switch {
	case !c.OK():
		return nil
	case n == 0 || m == 0:
		return outOr(c, times(c, ts))
	case (n == 2 || m == 2) && n <= 2 && m <= 2:
		return outOr(c, c.Delegate("torch.matmul", ts))
	}
	return outOr(c, overAxes(c, ts, n-1, max(0, m-2)))
}

// times multiplies element by element.
func times(c *ops.Call, ts []value.Value) value.Value {
	return c.Pointwise(ts[0].(*value.Tensor).Type().DType, ops.MulElem, ts...)
}

// outOr writes a product to out=, which must be an array of its shape and dtype.
func outOr(c *ops.Call, v value.Value) value.Value {
	t, ok := v.(*value.Tensor)
	if !ok || !c.OK() || !c.HasParam("out") || !c.Has("out") {
		return v
	}
	o, ok := c.Value("out").(*value.Tensor)
	if ok && o.Type().DType != t.Type().DType && o.Type().DType != dtype.Unknown && t.Type().DType != dtype.Unknown {
		return c.Errorf("ValueError", diag.DTypeMismatch, "%s(): out must be an array of %s, not %s", c.Short(), t.Type().DType.Numpy(), o)
	}
	return writeReduced(c, c.Value("out"), t)
}

func innerArrays(c *ops.Call) value.Value {
	ts := pair(c, "a", "b")
	if ts == nil {
		return nil
	}
	n, m := len(c.Shape(ts[0].(*value.Tensor))), len(c.Shape(ts[1].(*value.Tensor)))
	switch {
	case !c.OK():
		return nil
	case n == 0 || m == 0:
		return times(c, ts)
	}
	return overAxes(c, ts, n-1, m-1)
}

func tensordotArrays(c *ops.Call) value.Value {
	ts := pair(c, "a", "b")
	if ts == nil {
		return nil
	}
	axes := plainArgs(c.Value("axes"))
	if t, ok := axes.(*value.Tuple); ok { // an int stands for one axis
		list := make([]value.Value, len(t.Elems))
		for i, e := range t.Elems {
			if _, isInt := value.AsDim(c.P, e); isInt {
				e = value.NewTuple(e)
			}
			list[i] = e
		}
		axes = value.NewTuple(list...)
	}
	v := c.Delegate("torch.tensordot", ts, value.Kw{Name: "dims", Value: axes})
	if t, ok := v.(*value.Tensor); ok { // an array also without dimensions, as it is reshaped
		t.Class = c.NDArray()
	}
	return v
}

func einsumArrays(c *ops.Call) value.Value {
	args := c.Rest()
	if kw, ok := c.Value("kwargs").(*value.Dict); ok {
		for _, k := range kw.Keys() {
			switch s, _ := value.AsStr(k); s {
			case "out", "dtype", "order", "casting", "optimize":
			default:
				return c.Errorf("TypeError", diag.BadCall, "einsum() has no parameter '%s'", s)
			}
		}
		if v, ok := kw.GetStr("out"); ok && v != value.None {
			return c.Lose("einsum into a given array")
		}
		if v, ok := kw.GetStr("dtype"); ok && v != value.None {
			return c.Lose("einsum in a given dtype")
		}
	}
	if len(args) < 2 {
		return c.Errorf("ValueError", diag.BadCall, "einsum() needs an equation and operands")
	}
	if _, ok := value.AsStr(args[0]); !ok {
		return c.Lose("einsum with lists of subscripts")
	}
	ts := OneDType(c, value.NewTuple(args[1:]...))
	if ts == nil {
		return nil
	}
	return c.Delegate("torch.einsum", append([]value.Value{args[0]}, ts...))
}

func crossArrays(c *ops.Call) value.Value {
	ts := pair(c, "a", "b")
	if ts == nil {
		return nil
	}
	var rest [2]symshape.Shape
	var sizes [2]symshape.Dim
	for i, name := range [...]string{"axisa", "axisb"} {
		s := c.Shape(ts[i].(*value.Tensor))
		if c.Has("axis") {
			name = "axis"
		}
		a := anAxis(c, c.Value(name), len(s))
		if !c.OK() {
			return nil
		}
		rest[i], sizes[i] = ops.Without(s, a), s[a]
		if n, ok := ops.DimVal(s[a]); ok && n != 2 && n != 3 {
			return c.Errorf("ValueError", diag.ShapeMismatch, "cross(): vectors must have two or three numbers, not %s: %s", s[a], ts[i])
		} else if !ok {
			return c.Lose("whether vectors have two or three numbers")
		}
	}
	shape, _, ok := c.Broadcast(rest[0], rest[1])
	if !ok {
		return c.Errorf("ValueError", diag.ShapeMismatch, "cross(): %s and %s cannot be broadcast together", ts[0], ts[1])
	}
	if !c.OK() {
		return nil
	}
	d := ts[0].(*value.Tensor).Type().DType
	if ops.IsConst(sizes[0], 2) && ops.IsConst(sizes[1], 2) {
		return KeepArray(c, c.Out(d, shape))
	}
	name := "axisc"
	if c.Has("axis") {
		name = "axis"
	}
	at := anAxis(c, c.Value(name), len(shape)+1)
	if !c.OK() {
		return nil
	}
	return c.Out(d, ops.Insert(shape, at, c.Const(3)))
}

func convolveArrays(c *ops.Call) value.Value {
	ts := pair(c, "a", "v")
	if ts == nil {
		return nil
	}
	a, v := c.Shape(ts[0].(*value.Tensor)), c.Shape(ts[1].(*value.Tensor))
	if !c.OK() {
		return nil
	}
	if c.Is(needsVectors) && (len(a) == 0 || len(v) == 0) {
		return c.Errorf("ValueError", diag.RankMismatch, "%s() needs vectors, not %s and %s", c.Short(), ts[0], ts[1])
	}
	if len(a) > 1 || len(v) > 1 {
		return c.Errorf("ValueError", diag.RankMismatch, "%s() needs vectors, not %s and %s", c.Short(), ts[0], ts[1])
	}
	n, m := c.Numel(a), c.Numel(v)
	for i, x := range [...]symshape.Dim{n, m} {
		if !c.AtLeast(x, 1) {
			return c.Errorf("ValueError", diag.InvalidSize, "%s(): argument %d is empty", c.Short(), i)
		}
	}
	if n, ok := value.AsInt(c.Value("mode")); ok { // its number in C
		if n < 0 || n > 2 {
			return c.Errorf("ValueError", diag.BadValue, "%s(): there is no mode %d", c.Short(), n)
		}
		c.Args = append([]value.Value{}, c.Args...)
		c.Args[2] = value.Str([...]string{"valid", "same", "full"}[n])
	}
	if !c.Has("mode") {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s(): mode must be 'full', 'same' or 'valid', not None", c.Short())
	}
	mode := c.Str("mode")
	if !c.OK() {
		return nil
	}
	d := ts[0].(*value.Tensor).Type().DType
	one := c.Const(1)
	switch mode {
	case "full":
		return c.Out(d, symshape.Shape{c.P.DimSub(c.P.DimAdd(n, m), one)})
	case "same":
		return c.Out(d, symshape.Shape{c.P.DimMax(n, m)})
	case "valid":
		return c.Out(d, symshape.Shape{c.P.DimAdd(c.P.DimSub(c.P.DimMax(n, m), c.P.DimMin(n, m)), one)})
	}
	return c.Errorf("ValueError", diag.BadValue, "%s(): mode must be 'full', 'same' or 'valid', not '%s'", c.Short(), mode)
}

func interpArray(c *ops.Call) value.Value {
	t, xp, fp := numbers(c, "x"), numbers(c, "xp"), numbers(c, "fp")
	if t == nil || xp == nil || fp == nil || !vector(c, xp) || !vector(c, fp) {
		return nil
	}
	for _, x := range [...]*value.Tensor{t, xp} {
		if x.Type().DType.IsComplex() {
			return c.Errorf("TypeError", diag.DTypeMismatch, "interp(): places must be real, not %s", x)
		}
	}
	d := dtype.F64
	if fp.Type().DType.IsComplex() {
		d = dtype.C128
	}
	if xp.Type().Ranked && fp.Type().Ranked {
		a, b := xp.Type().Shape[0], fp.Type().Shape[0]
		if !c.AtLeast(a, 1) {
			return c.Errorf("ValueError", diag.InvalidSize, "interp(): there are no points")
		}
		if _, ok := c.Same(a, b); !ok {
			return c.Errorf("ValueError", diag.ShapeMismatch, "interp(): %s places and %s values", a, b)
		}
	}
	return c.Like(t, d)
}
