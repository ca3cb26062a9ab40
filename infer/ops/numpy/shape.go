package numpy

// This file holds what changes the shape of arrays, joins, splits and copies
// them. Most rules are PyTorch's.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// sameAs makes the record of a function whose rule is PyTorch's for the array a
// and the named parameters, in that order.
func sameAs(names, sig, torch string, doc string, params ...string) ops.Op {
	return array(names, sig, func(c *ops.Call) value.Value {
		first := c.Sig.Params[0].Name
		t := arrayArg(c, first)
		if t == nil {
			return nil
		}
		args := []value.Value{t}
		for _, p := range params {
			args = append(args, plainArgs(c.Value(p)))
		}
		return keepRank(c, c.Delegate(torch, args), t)
	}, doc)
}

// plainArgs makes Python numbers of scalars, also inside a tuple.
func plainArgs(v value.Value) value.Value {
	switch x := v.(type) {
	case *value.Tuple:
		out := make([]value.Value, len(x.Elems))
		for i, e := range x.Elems {
			out[i] = plainArgs(e)
		}
		return value.NewTuple(out...)
	case *value.List:
		if x.Open == nil {
			return plainArgs(value.NewTuple(x.Elems...))
		}
	}
	return value.Plain(v)
}

func arrayShapeOps() []ops.Op {
	return []ops.Op{
		array("+reshape", "(any a, int[]* newshape, *, any order='C', any copy=None) | (any a, int[]* shape, any order='C', *, any copy=None) | (any a, any newshape, any order='C')", reshapeArray, "another shape with one -1; fails when sizes do not fit").With(ops.Op{Is: graph.View | graph.MergesAxes}),
		array("+ravel", "(any a, any order='C')", ravelArray, "one dimension").With(ops.Op{Is: graph.View}),
		array(".flatten", "(any a, any order='C')", flattenArray, "a copy of one dimension").With(ops.Op{Is: graph.View}),
		array("transpose", "(any a, any axes=None)", transposeArray, "axes in another order; reversed without one").With(ops.Op{Is: graph.View}), array(".transpose", "(any a, *axes)", transposeArray, "axes in another order; reversed without one").With(ops.Op{Is: graph.View}),
		array(".T.get", anyArray, transposeArray, "axes reversed").With(ops.Op{Is: graph.View}), array("matrix_transpose .mT.get", anyArray, matrixTranspose, "the last two axes exchanged"),
		sameAs("+swapaxes", "(any a, int axis1, int axis2)", "torch.transpose", "two axes exchanged", "axis1", "axis2").With(ops.Op{Is: graph.View}),
		sameAs("moveaxis", "(any a, any source, any destination)", "torch.movedim", "axes moved", "source", "destination").With(ops.Op{Is: graph.View}),
		array("rollaxis", "(any a, int axis, int start=0)", rollaxis, "an axis rolled back to a place").With(ops.Op{Is: graph.View}),
		array("+squeeze", "(any a, any axis=None)", squeezeArray, "axes of size 1 removed; an axis that is named must have size 1").With(ops.Op{Is: graph.View}),
		array("expand_dims", "(any a, any axis)", expandDims, "axes of size 1 added").With(ops.Op{Is: graph.View}),
		array("atleast_1d", "(*arys)", atleast("torch.atleast_1d"), "with at least one dimension").With(ops.Op{Is: graph.View}),
		array("atleast_2d", "(*arys)", atleast("torch.atleast_2d"), "with at least two dimensions").With(ops.Op{Is: graph.View}),
		array("atleast_3d", "(*arys)", atleast("torch.atleast_3d"), "with at least three dimensions").With(ops.Op{Is: graph.View}),
		array("tile", "(any A, any reps)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "A")
			if t == nil {
				return nil
			}
			return c.Delegate("torch.tile", []value.Value{t, value.NewTuple(tupleOf(plainArgs(c.Value("reps")))...)})
		}, "repeated along axes"),
		array("+repeat", "(any a, any repeats, any axis=None)", repeatArray, "each element repeated"),
		array("flip", "(any m, any axis=None)", flipArray(), "reversed along axes"), array("flipud", "(any m)", flipArray(0), "reversed along axis 0"), array("fliplr", "(any m)", flipArray(1), "reversed along axis 1"),
		array("roll", "(any a, any shift, any axis=None)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "a")
			if t == nil {
				return nil
			}
			args := []value.Value{t, plainArgs(c.Value("shift"))}
			if c.Has("axis") {
				args = append(args, plainArgs(c.Value("axis")))
			}
			return c.Delegate("torch.roll", args)
		}, "elements moved round"),
		sameAs("rot90", "(any m, any k=1, any axes=[0, 1])", "torch.rot90", "rotated by right angles", "k", "axes"),
		sameAs("broadcast_to", "(any array, any shape, any subok=False)", "torch.broadcast_to", "broadcast to a shape", "shape").With(ops.Op{Is: graph.View}),
		array("broadcast_arrays", "(*args)", func(c *ops.Call) value.Value {
			ts := ToArrays(c, c.Rest())
			if ts == nil {
				return nil
			}
			return listOrTuple(c, c.Delegate("torch.broadcast_tensors", ts))
		}, "arrays broadcast against each other"),
		arrayPure("broadcast_shapes", "(*args)", func(c *ops.Call) value.Value {
			var shapes []symshape.Shape
			for _, a := range c.Rest() {
				shapes = append(shapes, arrayShape(c, a))
			}
			if !c.OK() {
				return nil
			}
			s, _, ok := c.Broadcast(shapes...)
			if !ok {
				return c.Errorf("ValueError", diag.ShapeMismatch, "broadcast_shapes(): the shapes cannot be broadcast together")
			}
			out := make([]value.Value, len(s))
			for i, d := range s {
				out[i] = value.FromDim(d)
			}
			return value.NewTuple(out...)
		}, "the shape to which shapes broadcast"),
		array("diff", "(any a, any n=1, any axis=-1, any prepend=None, any append=None)", diffArray, "differences of neighbours"),
		array("+copy", "(any a, any order='K', any subok=False)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "a")
			if t == nil {
				return nil
			}
			return keepRank(c, c.Delegate("torch.clone", []value.Value{t}), t)
		}, "a copy"), array(".__copy__ .__deepcopy__", "(any a, any memo=None)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "a")
			if t == nil {
				return nil
			}
			return keepRank(c, c.Delegate("torch.clone", []value.Value{t}), t)
		}, "a copy"),
		array(".astype", "(any a, any dtype, any order='K', any casting='unsafe', any subok=True, any copy=True)", astypeArray(true), "converted to a dtype"),
		array("astype", "(any a, any dtype, *, any copy=True)", astypeArray(true), "converted to a dtype"),
		array(".__array__", "(any a, any dtype=None)", astypeArray(false), "the array itself"),
		array("require", "(any a, any dtype=None, any requirements=None)", astypeArray(false), "the array with properties of its memory"),
		array(".shape.set", "(any a, any value)", setShape, "another shape in place"),
		array("tril triu", "(any m, any k=0)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "m")
			if t == nil {
				return nil
			}
			return c.Like(t, t.Type().DType)
		}, "a triangle of matrices"),
		array("diag", "(any v, int k=0)", diagArray, "the diagonal of a matrix, or a matrix of a diagonal"),
		sameAs("+diagonal", "(any a, int offset=0, int axis1=0, int axis2=1)", "torch.diagonal", "the diagonal as the last axis", "offset", "axis1", "axis2"),
		array("+trace", "(any a, int offset=0, int axis1=0, int axis2=1, any dtype=None, any out=None)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "a")
			if t == nil {
				return nil
			}
			d := c.DelegateTensor("torch.diagonal", []value.Value{t, c.Value("offset"), c.Value("axis1"), c.Value("axis2")})
			if d == nil {
				return nil
			}
			s := d.Type().Shape
			return c.Out(arrayDType(c, WideSum(c, t.Type().DType)), s[:len(s)-1])
		}, "sum of the diagonal"),
		array("indices", "(any dimensions, any dtype=None, any sparse=False)", func(c *ops.Call) value.Value {
			s := arrayShape(c, c.Value("dimensions"))
			if !c.OK() {
				return nil
			}
			return c.Out(arrayDType(c, dtype.I64), ops.Insert(s, 0, c.Const(int64(len(s)))))
		}, "the index of each element"),
		triangleIndices("tril_indices", "torch.tril_indices"),
		triangleIndices("triu_indices", "torch.triu_indices"),
	}
}

func triangleIndices(name, torch string) ops.Op {
	return array(name, "(any n, any k=0, any m=None)", func(c *ops.Call) value.Value {
		n, m := plainArgs(c.Value("n")), plainArgs(c.Value("n"))
		if c.Has("m") {
			m = plainArgs(c.Value("m"))
		}
		t := c.DelegateTensor(torch, []value.Value{n, m, plainArgs(c.Value("k"))})
		if t == nil {
			return nil
		}
		return c.Delegate("torch.unbind", []value.Value{t})
	}, "row and column indices of a triangle")
}

// ToArrays is ToArray of each, or nil after a fault.
func ToArrays(c *ops.Call, vs []value.Value) []value.Value {
	out := make([]value.Value, len(vs))
	for i, v := range vs {
		t := ToArray(c, v)
		if t == nil {
			return nil
		}
		out[i] = t
	}
	return out
}

// listOrTuple makes a list of a tuple for numpy 1, where numpy 2 gives a tuple.
func listOrTuple(c *ops.Call, v value.Value) value.Value {
	t, ok := v.(*value.Tuple)
	if !ok {
		return v
	}
	if !c.Numpy1() {
		return value.NewTuple(t.Elems...)
	}
	return c.Th.Heap().NewList(t.Elems)
}

func reshapeArray(c *ops.Call) value.Value {
	name := "newshape"
	if !c.HasParam(name) {
		name = "shape"
	}
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	v := c.Value(name)
	if x, ok := v.(*value.Tensor); ok && x.Contents() != nil {
		v = value.NewTuple(x.Contents()...)
	}
	elems, isList, open := c.Sequence(v)
	if open != nil {
		return c.Lose("the shape is not known")
	}
	if !isList {
		elems = []value.Value{v}
	}
	if len(elems) == 1 {
		if inner, ok, _ := c.Sequence(elems[0]); ok {
			elems = inner
		}
	}
	for i, e := range elems {
		if arraySize(c, e); !c.OK() {
			return nil
		}
		elems[i] = value.Plain(e)
	}
	out := c.DelegateTensor("torch.reshape", []value.Value{t, value.NewTuple(elems...)})
	if out == nil {
		return nil
	}
	if s, ok := value.AsStr(c.Value("order")); ok && s != "C" && s != "A" {
		out.SetContents(nil)
	}
	return KeepArray(c, out)
}

func ravelArray(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	if len(c.Shape(t)) == 1 {
		return t
	}
	if out := flat(c, t); out != nil {
		return out
	}
	return nil
}

func flattenArray(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	out := flat(c, t)
	if out == nil {
		return nil
	}
	if out.Storage == nil {
		return out
	}
	cp := c.Like(out, out.Type().DType)
	cp.SetContents(out.Contents())
	return cp
}

// flat is t with one dimension, in the order that is asked for.
func flat(c *ops.Call, t *value.Tensor) *value.Tensor {
	out := c.DelegateTensor("torch.flatten", []value.Value{t})
	if s, ok := value.AsStr(c.Value("order")); ok && s == "F" && out != nil {
		out.SetContents(nil)
	}
	return out
}

func transposeArray(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	var axes []value.Value
	if c.Sig.Rest >= 0 {
		axes = c.Rest()
		if len(axes) == 1 {
			if axes[0] == value.None {
				axes = nil
			} else if inner, ok, _ := c.Sequence(axes[0]); ok {
				axes = inner
			}
		}
	} else if c.HasParam("axes") && c.Has("axes") {
		inner, ok, open := c.Sequence(c.Value("axes"))
		if !ok || open != nil {
			return c.Lose("the axes are not known")
		}
		axes = inner
	}
	if axes == nil {
		for i := len(s) - 1; i >= 0; i-- {
			axes = append(axes, value.Int(i))
		}
	} else if len(axes) != len(s) {
		return c.Errorf("ValueError", diag.RankMismatch, "transpose(): %d axes are given for %s", len(axes), t)
	}
	return KeepArray(c, c.Delegate("torch.permute", []value.Value{t, plainArgs(value.NewTuple(axes...))}))
}

func matrixTranspose(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	if len(c.Shape(t)) < 2 {
		return c.Errorf("ValueError", diag.RankMismatch, "a matrix transpose needs at least two dimensions, not %s", t)
	}
	return c.Delegate("torch.transpose", []value.Value{t, value.Int(-2), value.Int(-1)})
}

func rollaxis(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	n := len(c.Shape(t))
	axis := c.Axis("axis", n)
	start := c.Int("start")
	if !c.OK() {
		return nil
	}
	if start < 0 {
		start += n
	}
	if start < 0 || start > n {
		return c.Errorf("IndexError", diag.DimOutOfRange, "rollaxis(): start %d is out of range for %s", c.Int("start"), t)
	}
	if axis < start {
		start--
	}
	return c.Delegate("torch.movedim", []value.Value{t, value.Int(axis), value.Int(start)})
}

// viewWith makes a view of t with another shape of the same elements in order.
func viewWith(c *ops.Call, t *value.Tensor, s symshape.Shape) value.Value {
	sizes := make([]value.Value, len(s))
	for i, d := range s {
		sizes[i] = value.FromDim(d)
	}
	return KeepArray(c, c.Delegate("torch.reshape", []value.Value{t, value.NewTuple(sizes...)}))
}

func squeezeArray(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if c.Value("axis") == value.None {
		return KeepArray(c, c.Delegate("torch.squeeze", []value.Value{t}))
	}
	axes, _ := arrayAxes(c, len(s))
	if !c.OK() {
		return nil
	}
	var out symshape.Shape
	for i, d := range s {
		if !slices.Contains(axes, i) {
			out = append(out, d)
			continue
		}
		if _, ok := c.Same(d, c.Const(1)); !ok {
			c.Blame(ops.Ref{Tensor: t, Axis: i})
			return c.Errorf("ValueError", diag.ShapeMismatch, "squeeze(): axis %d has size %s and not 1: %s", i, d, t)
		}
	}
	return viewWith(c, t, out)
}

func expandDims(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	n := 1
	if elems, isList, _ := c.Sequence(c.Value("axis")); isList {
		n = len(elems)
	}
	axes, _ := arrayAxes(c, len(s)+n)
	if !c.OK() || c.Value("axis") == value.None {
		return c.Lose("the axis is not known")
	}
	slices.Sort(axes)
	out := s
	for _, a := range axes {
		out = ops.Insert(out, a, c.Const(1))
	}
	return viewWith(c, t, out)
}

// atleast makes the rule of a function that applies PyTorch's to each array.
func atleast(torch string) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		ts := ToArrays(c, c.Rest())
		if ts == nil {
			return nil
		}
		outs := make([]value.Value, len(ts))
		for i, t := range ts {
			outs[i] = c.Delegate(torch, []value.Value{t})
		}
		if len(outs) == 1 {
			return outs[0]
		}
		return listOrTuple(c, value.NewTuple(outs...))
	}
}

func repeatArray(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	axis := 0
	if c.Value("axis") == value.None {
		if len(s) != 1 {
			if t = c.DelegateTensor("torch.flatten", []value.Value{t}); t == nil {
				return nil
			}
		}
	} else {
		axis = c.Axis("axis", len(s))
	}
	if !c.OK() {
		return nil
	}
	s = t.Type().Shape
	if n, ok := value.AsDim(c.P, value.Plain(c.Value("repeats"))); ok {
		out := c.Out(t.Type().DType, ops.With(s, axis, c.P.DimMul(s[axis], n)))
		k, isConst := n.Const()
		if e := t.Contents(); e != nil && isConst && len(s) == 1 && k*int64(len(e)) <= value.MaxElems {
			var elems []value.Value
			for _, x := range e {
				elems = append(elems, slices.Repeat([]value.Value{x}, int(k))...)
			}
			out.SetContents(elems)
		}
		return out
	}
	r := arrayArg(c, "repeats")
	if r == nil {
		return nil
	}
	total := symshape.Dim{}
	if e := r.Contents(); e != nil {
		total = c.Const(0)
		for _, x := range e {
			d, ok := value.AsDim(c.P, x)
			if !ok {
				return c.Errorf("TypeError", diag.TypeMismatch, "repeat(): counts must be ints")
			}
			total = c.P.DimAdd(total, d)
		}
		if len(e) == 1 {
			total = c.P.DimMul(total, s[axis])
		}
	} else {
		total = dataSize(c, r, 0)
	}
	return c.Out(t.Type().DType, ops.With(s, axis, total))
}

// flipArray makes the rule of a function that reverses along fixed axes; without
// them, along those of its argument.
func flipArray(fixed ...int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := arrayArg(c, "m")
		if t == nil {
			return nil
		}
		s, axes := c.Shape(t), fixed
		if fixed == nil {
			axes, _ = arrayAxes(c, len(s))
		}
		if !c.OK() {
			return nil
		}
		list := make([]value.Value, len(axes))
		for i, a := range axes {
			if a >= len(s) {
				return c.Errorf("ValueError", diag.RankMismatch, "%s() needs an array with more dimensions than %s", c.Short(), t)
			}
			list[i] = value.Int(a)
		}
		return c.Delegate("torch.flip", []value.Value{t, value.NewTuple(list...)})
	}
}

func diffArray(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	if c.Has("prepend") || c.Has("append") {
		return c.Lose("diff with added values")
	}
	s := c.Shape(t)
	axes, _ := arrayAxes(c, len(s))
	n := c.Dim("n")
	if !c.OK() || len(axes) != 1 {
		return nil
	}
	return c.Out(t.Type().DType, ops.With(s, axes[0], c.P.DimMax(c.P.DimSub(s[axes[0]], n), c.Const(0))))
}

// astypeArray makes the rule of a conversion, which copies an array of the dtype
// unless copy=False, or gives it back.
func astypeArray(copies bool) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := arrayArg(c, "a")
		if t == nil {
			return nil
		}
		d := arrayDType(c, t.Type().DType)
		if !c.OK() {
			return nil
		}
		if d != t.Type().DType {
			return keepRank(c, astype(c, t, d), c.Value("a"))
		}
		if !copies || c.Value("copy") == value.Value(value.Bool(false)) {
			return c.Value("a")
		}
		return keepRank(c, c.Delegate("torch.clone", []value.Value{t}), c.Value("a"))
	}
}

func setShape(c *ops.Call) value.Value {
	t, ok := c.Value("a").(*value.Tensor)
	if !ok {
		return c.Lose("the array is not known")
	}
	out := c.DelegateTensor("torch.reshape", []value.Value{t, plainArgs(value.NewTuple(tupleOf(c.Value("value"))...))})
	if out == nil {
		return nil
	}
	t.Mutate(c.Th.Heap(), out.V, out.Contents())
	return value.None
}

func tupleOf(v value.Value) []value.Value {
	switch v := v.(type) {
	case *value.Tuple:
		return v.Elems
	case *value.List:
		return v.Elems
	}
	return []value.Value{v}
}

func diagArray(c *ops.Call) value.Value {
	t := arrayArg(c, "v")
	if t == nil {
		return nil
	}
	if n := len(c.Shape(t)); c.OK() && n != 1 && n != 2 {
		return c.Errorf("ValueError", diag.RankMismatch, "diag() needs one or two dimensions, not %s", t)
	}
	return c.Delegate("torch.diag", []value.Value{t, c.Value("k")})
}
