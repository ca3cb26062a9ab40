package numpy

// This file holds what changes the shape of arrays, joins, splits and copies
// them. Most rules are PyTorch's. NumPy's own part is mostly how arguments are read: axes are
// counted and refused with NumPy's exceptions (AxisError), sizes may be arrays or floats where
// NumPy takes them, and sequences may be nested. What is then done to the shape is PyTorch's
// function, applied by Delegate.
//
// The file also follows which results share memory. Where an array lies in another order than C's,
// a view in C order is a copy in NumPy, although PyTorch's rule would give a view.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// sameAs makes the record of a function whose rule is PyTorch's for the array a and the named
// parameters, in that order. Scalars and arrays among them become Python numbers first, since
// PyTorch's rules do not know NumPy's.
func sameAs(names, sig, torch string, doc string, params ...string) ops.Op {
	return array(names, sig, func(c *ops.Call) value.Value {
		first := c.Sig.Params[0].Name
		t := arrayArg(c, first)
		if t == nil {
			return nil
		}
		args := []value.Value{t}
		for _, p := range params {
			v := plainArgs(c.Value(p))
			if _, ok := v.(value.Int); ok && p == "shape" {
				v = value.NewTuple(v) // one size
			}
			args = append(args, v)
		}
		return keepRank(c, c.Delegate(torch, args), t)
	}, doc)
}

// plainArgs makes Python numbers of scalars and of arrays without dimensions that are known, also inside a tuple.
func plainArgs(v value.Value) value.Value {
	return plainArgsIn(new(value.Memo[value.Value]), v)
}

// plainArgsIn turns nested sequences into tuples of plain numbers, as the rules of torch take them. The memo
// has what is done: a list may contain itself. The empty tuple stands for a list inside of itself.
func plainArgsIn(done *value.Memo[value.Value], v value.Value) value.Value {
	return done.Of(v, value.NewTuple(), func() value.Value {
		var elems []value.Value
		switch x := v.(type) {
		case *value.Tuple:
			elems = x.Elems
		case *value.List:
			if x.Open != nil {
				return x
			}
			elems = x.Elems
		case *value.Tensor:
			if e := x.Contents(); len(e) == 1 && x.Type().Rank() == 0 {
				return e[0]
			}
			return x
		default:
			return value.Plain(v)
		}
		out := make([]value.Value, len(elems))
		for i, e := range elems {
			out[i] = plainArgsIn(done, e)
		}
		return value.NewTuple(out...)
	})
}

// arrayShapeOps lists numpy's functions of shapes: views, reshaping, broadcasting, copies, casts, and
// triangles, diagonals and indices. Most delegate to PyTorch's function after the axes and sizes are read
// as numpy reads them.
func arrayShapeOps() []ops.Op {
	return []ops.Op{
		// _windows is sliding_window_view for one axis: unfold with steps of 1.
		array("_windows", "(any x, any axis, any size)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "x")
			if t == nil {
				return nil
			}
			return c.Delegate("torch.Tensor.unfold", []value.Value{t, c.Value("axis"), c.Value("size"), value.Int(1)})
		}, "all windows of a size along an axis, in a new last axis"),
		array("_strided", "(any x, any shape, any strides)", stridedArray,
			"the memory of an array in any shape, by strides in bytes").With(ops.Op{Is: graph.View}),
		array("reshape", "(any a, any newshape, any order='C', *, any copy=None) | (any a, *, any shape, any order='C', any copy=None) | (any a, any shape, any order='C', *, any copy=None)", reshapeArray, "another shape with one -1; fails when sizes do not fit").With(ops.Op{Is: graph.View | graph.MergesAxes,
			Trace: ops.AsksContiguity | ops.TakesSizes | ops.ReshapesByNumbers, Quirks: ops.CallsMethod}),
		array(".reshape", "(any a, any[]?* shape, *, any order='C', any copy=None)", reshapeArray,
			"another shape with one -1; fails when sizes do not fit").With(ops.Op{Is: graph.View | graph.MergesAxes,
			Trace: ops.AsksContiguity | ops.TakesSizes | ops.ReshapesByNumbers}),
		array("+ravel", "(any a, any order='C')", ravelArray, "one dimension").With(ops.Op{Is: graph.View, Quirks: ops.CallsMethod}),
		array(".flatten", "(any a, any order='C')", flattenArray, "a copy of one dimension").With(ops.Op{Is: graph.View,
			Trace: ops.AsksContiguity}),
		array("transpose permute_dims", "(any a, any axes=None)", transposeArray,
			"axes in another order; reversed without one").With(ops.Op{Is: graph.View, Quirks: ops.CallsMethod}),
		array(".transpose", "(any a, *axes)", transposeArray, "axes in another order; reversed without one").With(ops.Op{Is: graph.View}),
		array(".T.get", anyArray, transposeArray, "axes reversed").With(ops.Op{Is: graph.View}),
		array("matrix_transpose .mT.get", anyArray, matrixTranspose, "the last two axes exchanged"),
		// The axes are counted here, since NumPy refuses what PyTorch takes for an array without
		// dimensions.
		array("+swapaxes", "(any a, any axis1, any axis2)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "a")
			if t == nil {
				return nil
			}
			n := len(c.Shape(t))
			i, k := anAxis(c, c.Value("axis1"), n), anAxis(c, c.Value("axis2"), n)
			return c.Delegate("torch.transpose", []value.Value{t, value.Int(i), value.Int(k)})
		}, "two axes exchanged").With(ops.Op{Is: graph.View, Quirks: ops.CallsMethod}),
		sameAs("moveaxis", "(any a, any source, any destination)", "torch.movedim", "axes moved", "source",
			"destination").With(ops.Op{Is: graph.View}),
		array("rollaxis", "(any a, any axis, any start=0)", rollaxis, "an axis rolled back to a place").With(ops.Op{Is: graph.View}),
		array("+squeeze", "(any a, any axis=None)", squeezeArray,
			"axes of size 1 removed; an axis that is named must have size 1").With(ops.Op{Is: graph.View, Quirks: ops.CallsMethod}),
		array("expand_dims", "(any a, any axis)", expandDims, "axes of size 1 added").With(ops.Op{Is: graph.View}),
		array("atleast_1d", "(*arys)", atleast("torch.atleast_1d", 1), "with at least one dimension").With(ops.Op{Is: graph.View}),
		array("atleast_2d", "(*arys)", atleast("torch.atleast_2d", 2), "with at least two dimensions").With(ops.Op{Is: graph.View}),
		array("atleast_3d", "(*arys)", atleast("torch.atleast_3d", 3), "with at least three dimensions").With(ops.Op{Is: graph.View}),
		array("tile", "(any A, any reps)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "A")
			if t == nil {
				return nil
			}
			reps := c.Value("reps")
			if n, ok := reps.(*value.Tensor); ok && n.Type().Rank() != 0 {
				if n.Type().Rank() != 1 || integersIn(n) == nil {
					return c.Lose("how often it is repeated is not known")
				}
				reps = value.NewTuple(integersIn(n)...)
			}
			return c.Delegate("torch.tile", []value.Value{t, value.NewTuple(tupleOf(plainArgs(reps))...)})
		}, "repeated along axes").With(ops.Op{Is: graph.NewIfRows, Trace: ops.TakesSizes}),
		array("+repeat", "(any a, any repeats, any axis=None)", repeatArray,
			"each element repeated").With(ops.Op{Is: graph.NewIfRows, Trace: ops.TakesSizes, Quirks: ops.CallsMethod}),
		array("flip", "(any m, any axis=None)", flipArray(), "reversed along axes"),
		array("flipud", "(any m)", flipArray(0), "reversed along axis 0"), array("fliplr", "(any m)", flipArray(1), "reversed along axis 1"),
		array("roll", "(any a, any shift, any axis=None)", rollArray, "elements moved round").With(ops.Op{Trace: ops.TakesSizes}),
		array("rot90", "(any m, any k=1, any axes=[0, 1])", func(c *ops.Call) value.Value {
			t := arrayArg(c, "m")
			if t == nil {
				return nil
			}
			// Known turns are views that keep track of strides; the rest is PyTorch's rule.
			if v := rotated(c, t); v != nil || !c.OK() {
				return v
			}
			return keepRank(c, c.Delegate("torch.rot90", []value.Value{t, partsOf(value.Plain(c.Value("k"))), plainArgs(c.Value("axes"))}), t)
		}, "rotated by right angles").With(ops.Op{Is: graph.View}),
		sameAs("broadcast_to", "(any array, any shape, any subok=False)", "torch.broadcast_to", "broadcast to a shape",
			"shape").With(ops.Op{Is: graph.View,
			Trace: ops.TakesSizes}),
		array("broadcast_arrays", "(*args)", func(c *ops.Call) value.Value {
			ts := ToArrays(c, c.Rest())
			if ts == nil {
				return nil
			}
			return listOrTuple(c, c.Delegate("torch.broadcast_tensors", ts))
		}, "arrays broadcast against each other"),
		// broadcast_shapes takes shapes, not arrays, and gives a tuple of ints.
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
		array("copy", "(any a, any order='K', any subok=False)", copyArray("K"), "a copy").With(ops.Op{Is: graph.NewCopy}),
		array(".copy", "(any a, any order='C')", copyArray("C"), "a copy").With(ops.Op{Is: graph.NewCopy}),
		array(".__copy__ .__deepcopy__", "(any a, any memo=None)", copyArray("K"), "a copy"),
		array(".astype", "(any a, any dtype, any order='K', any casting='unsafe', any subok=True, any copy=True)", astypeArray(true),
			"converted to a dtype").With(ops.Op{Is: graph.NewCopy}),
		array("astype", "(any a, any dtype, *, any copy=True, any device=None)", astypeArray(true), "converted to a dtype").
			With(ops.Op{Is: graph.NewCopy}),
		array(".__array__", "(any a, any dtype=None)", astypeArray(false), "the array itself").With(ops.Op{Trace: ops.ReadsNumber}),
		array("require", "(any a, any dtype=None, any requirements=None, *, any like=None)", requireArray,
			"the array with properties of its memory"),
		array(".view", "(any a, any dtype=None, any type=None)", viewArray, "the same memory as another dtype").With(ops.Op{Is: graph.View,
			Trace: ops.AsksContiguity | ops.ReshapesByNumbers}),
		array(".resize", "(any a, *new_shape, any refcheck=True)", resizeArray, "another size in place, filled with zeros"),
		array(".flat.get", anyArray, func(c *ops.Call) value.Value {
			t := arrayArg(c, "a")
			if t == nil {
				return nil
			}
			return KeepArray(c, c.DelegateTensor("torch.flatten", []value.Value{t}))
		}, "the elements in order, as an array of one dimension"),
		array(".flat.set", "(any a, any value)", setFlat, "the elements, written in order").With(ops.Op{Is: graph.Writes}),
		array(".dtype.set", "(any a, any dtype)", setDType, "the same memory as another dtype, in place"),
		array(".shape.set", "(any a, any value)", setShape, "another shape in place"),
		array("tril", "(any m, any k=0)", triangleArray(false), "a lower triangle of matrices"),
		array("triu", "(any m, any k=0)", triangleArray(true), "an upper triangle of matrices"),
		array("diag", "(any v, any k=0)", diagArray, "the diagonal of a matrix, or a matrix of a diagonal"),
		sameAs("+diagonal", "(any a, any offset=0, any axis1=0, any axis2=1)", "torch.diagonal", "the diagonal as the last axis", "offset",
			"axis1", "axis2"),
		// The sum of the diagonal of two axes: the diagonal first, whose last axis is summed. Sums
		// of small integers are computed in the widest integer of their kind.
		array("+trace", "(any a, any offset=0, any axis1=0, any axis2=1, any dtype=None, any out=None)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "a")
			if t == nil {
				return nil
			}
			d := c.DelegateTensor("torch.diagonal", []value.Value{t, c.Value("offset"), c.Value("axis1"), c.Value("axis2")})
			if d == nil {
				return nil
			}
			s := d.Type().Shape
			sum := arrayDType(c, WideSum(c, t.Type().DType))
			out := c.Out(sum, s[:len(s)-1])
			if ops.Tracked(sum) && sum.IsIntegral() {
				out.SetContents(c.FoldElems(d, sum, []int{len(s) - 1}, ops.AddElem, false))
			}
			return out
		}, "sum of the diagonal"),
		// indices: with n sizes an array (n, sizes…), or with sparse=True n arrays that broadcast
		// to the sizes.
		array("indices", "(any dimensions, any dtype=None, any sparse=False)", func(c *ops.Call) value.Value {
			sparse := c.Bool("sparse")
			dims := c.Value("dimensions")
			if list, ok, open := c.Sequence(dims); sparse && ok && open == nil { // ranges, of which negative ones are empty
				cut := slices.Clone(list)
				for i, e := range cut {
					if n, isInt := value.AsInt(value.Plain(e)); isInt && n < 0 {
						cut[i] = value.Int(0)
					}
				}
				dims = value.NewTuple(cut...)
			}
			s := arrayShape(c, dims)
			if !c.OK() {
				return nil
			}
			d := arrayDType(c, dtype.I64)
			if sparse {
				outs := make([]value.Value, len(s))
				for i := range s {
					one := make(symshape.Shape, len(s))
					for k := range one {
						one[k] = c.Const(1)
					}
					one[i] = s[i]
					outs[i] = c.Out(d, one)
				}
				return value.NewTuple(outs...)
			}
			return c.Out(d, ops.Insert(s, 0, c.Const(int64(len(s)))))
		}, "the index of each element").With(ops.Op{Trace: ops.TakesSizes}),
		triangleIndices("tril_indices", "torch.tril_indices"),
		triangleIndices("triu_indices", "torch.triu_indices"),
	}
}

// ToArrays is ToArray of each, or nil after a fault: what cannot be an array is one.
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

// rollArray broadcasts shifts and axes, of which there must be one, or as many as of the other;
// neither changes the shape. Shifts are ints; which floats pass depends on the version of NumPy,
// since NumPy 1 slices by them. The elements are followed where PyTorch's function does the same.
func rollArray(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if k := notNumber(c.Value("shift")); k != "" && !(k == "str" && !c.Numpy1()) {
		return c.Errorf("TypeError", diag.TypeMismatch, "roll(): shifts must be ints, not %s", k)
	}
	// The numbers of shifts and of axes.
	counts := [2]int{1, 1}
	for i, name := range [...]string{"shift", "axis"} {
		v := plainArgs(c.Value(name))
		if name == "axis" && v == value.None {
			continue
		}
		elems, isList, open := c.Sequence(v)
		if open != nil {
			return c.Lose("'%s' is not known", name)
		}
		if !isList {
			elems = []value.Value{v}
		} else {
			counts[i] = len(elems)
		}
		for _, e := range elems {
			if name == "axis" {
				if _, isInt := value.AsDim(c.P, value.Plain(e)); !isInt && !value.IsUnknown(e) {
					return c.Errorf("TypeError", diag.TypeMismatch, "roll(): axis must be an int, not %s", ops.TypeName(e))
				}
				anAxis(c, e, len(s))
			}
		}
	}
	if counts[0] != counts[1] && counts[0] != 1 && counts[1] != 1 && c.Has("axis") {
		return c.Errorf("ValueError", diag.ShapeMismatch, "roll(): %d shifts do not fit %d axes", counts[0], counts[1])
	}
	if !c.OK() {
		return nil
	}
	shift := plainArgs(c.Value("shift"))
	// NumPy 2 converts shifts by int(), so that a float loses its fraction.
	if c.Has("axis") && !c.Numpy1() { // read as int() does
		if shift, _ = asWholes(&value.Visit{Thread: c.Th, Repeats: value.MaxElems}, shift, 0); !c.OK() {
			return nil
		}
	}
	// NumPy 1 takes the shift modulo the size of the axis and slices by it; a float that leaves 0
	// passes.
	if f, isFloat := value.Plain(c.Value("shift")).(value.Float); isFloat && c.Numpy1() {
		size := c.Numel(s)
		if n, ok := value.AsInt(value.Plain(c.Value("axis"))); ok && len(s) > 0 {
			size = s[(int(n)+len(s))%len(s)]
		}
		if n, known := size.Const(); known && n > 0 && math.Mod(float64(f), float64(n)) != 0 { // a slice by a float
			return c.Errorf("TypeError", diag.TypeMismatch, "roll(): shifts must be ints, not %s", f)
		}
	}
	// Where the shifts are plain ints, PyTorch's rule also moves known elements.
	args := []value.Value{t, shift}
	if !c.Has("axis") && counts[0] == 1 {
		if _, isInt := value.AsDim(c.P, value.Plain(c.Value("shift"))); isInt {
			return keepRank(c, c.Delegate("torch.roll", args), t)
		}
	} else if counts[0] == counts[1] && c.Has("axis") {
		if _, isFloat := value.Plain(c.Value("shift")).(value.Float); !isFloat {
			return keepRank(c, c.Delegate("torch.roll", append(args, plainArgs(c.Value("axis")))), t)
		}
	}
	return keepRank(c, c.Like(t, t.Type().DType), t)
}

// reshapeArray needs sizes whose product is the number of elements, one of which may be negative for what
// is left; None keeps the shape. Order "F" is a reshape in C order with the axes reversed before and
// after.
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
	if v == value.None { // the same shape
		return viewWith(c, t, c.Shape(t))
	}
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
	// One argument may be the whole shape, as an array or a sequence.
	if len(elems) == 1 {
		if x, ok := elems[0].(*value.Tensor); ok && x.Type().Rank() == 1 && integersIn(x) != nil {
			elems = slices.Clone(integersIn(x))
		} else if inner, ok, _ := c.Sequence(elems[0]); ok {
			elems = inner
		}
	}
	for i, e := range elems {
		if arraySize(c, e); !c.OK() {
			return nil
		}
		elems[i] = value.Plain(e)
		if n, ok := value.AsInt(elems[i]); ok && n < -1 { // any negative size stands for what is left
			elems[i] = value.Int(-1)
		}
	}
	columns := readOrder(c, t) == "F"
	if columns { // the axes are turned around before and after
		slices.Reverse(elems)
		if t = turned(c, t); t == nil {
			return nil
		}
	}
	out := c.DelegateTensor("torch.reshape", []value.Value{t, value.NewTuple(elems...)})
	if out != nil && columns {
		out = turned(c, out)
	}
	if out == nil {
		return nil
	}
	return KeepArray(c, out)
}

// ravelArray gives the array itself if it is a vector, a view where memory allows it, and else a
// copy. Writing to a copy does not change the array, which is why the difference is followed.
func ravelArray(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	if len(c.Shape(t)) == 1 {
		return t
	}
	out, shared := flat(c, t)
	if out == nil {
		return nil
	}
	if !shared {
		return detached(c, out)
	}
	return out
}

// flattenArray always copies: one dimension with all elements, in the order that is asked for.
func flattenArray(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	out, _ := flat(c, t)
	if out == nil {
		return nil
	}
	return detached(c, out)
}

// detached is t, or a copy of it where it shares the memory of another array. Elements that are
// known stay known.
func detached(c *ops.Call, t *value.Tensor) *value.Tensor {
	if t.Storage == nil {
		return t
	}
	cp := c.Like(t, t.Type().DType)
	cp.SetContents(t.Contents())
	return cp
}

// flat is t with one dimension, in the order that is asked for, and whether it shares the memory of t,
// which it does where t lies in that order.
func flat(c *ops.Call, t *value.Tensor) (out *value.Tensor, shared bool) {
	order := readOrder(c, t)
	if order == "F" && t.Type().Ranked {
		if t = turned(c, t); t == nil {
			return nil, false
		}
	}
	// Without strides the elements lie in C order.
	shared = t.Type().Strides == nil
	out = c.DelegateTensor("torch.flatten", []value.Value{t})
	if out != nil && order == "" { // in an order of its own: which element is where is not followed
		out.SetContents(nil)
	}
	return out, shared || order == ""
}

// copyArray makes the rule of a copy, in an order in memory that is def without order=.
func copyArray(def string) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := arrayArg(c, "a")
		if t == nil {
			return nil
		}
		if out := copied(c, t, orderOf(c, def)); out != nil {
			return keepRank(c, out, t)
		}
		return nil
	}
}

// turned is t with its axes in the opposite order: in C order it has the elements of t in Fortran
// order. With less than two axes there is nothing to turn. Nil after a fault.
func turned(c *ops.Call, t *value.Tensor) *value.Tensor {
	axes := make([]value.Value, len(c.Shape(t)))
	for i := range axes {
		axes[i] = value.Int(len(axes) - 1 - i)
	}
	if len(axes) < 2 {
		return t
	}
	return c.DelegateTensor("torch.permute", []value.Value{t, value.NewTuple(axes...)})
}

// transposeArray is transpose, .transpose and .T: axes as arguments, as one tuple, or none, which reverses
// them.
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
	// The method takes axes as arguments of their own, or all of them as one.
	if c.Sig.Rest >= 0 {
		axes = c.Rest()
		if len(axes) == 1 {
			if axes[0] == value.None {
				axes = nil
			} else if inner, ok, _ := c.Sequence(axes[0]); ok {
				axes = inner
			} else if x, ok := axes[0].(*value.Tensor); ok && x.Type().Rank() != 0 {
				if x.Type().Rank() == 1 {
					axes = integersIn(x)
				}
				if axes == nil {
					return c.Lose("the axes are not known")
				}
			}
		}
	} else if c.HasParam("axes") && c.Has("axes") {
		inner, ok, open := c.Sequence(c.Value("axes"))
		if x, isArray := c.Value("axes").(*value.Tensor); isArray && x.Type().Rank() == 1 {
			inner = integersIn(x)
			ok = inner != nil
		}
		if !ok || open != nil {
			return c.Lose("the axes are not known")
		}
		axes = inner
	}
	// No axes reverse them all.
	if axes == nil {
		for i := len(s) - 1; i >= 0; i-- {
			axes = append(axes, value.Int(i))
		}
	} else if len(axes) != len(s) {
		return c.Errorf("ValueError", diag.RankMismatch, "transpose(): %d axes are given for %s", len(axes), t)
	}
	return KeepArray(c, c.Delegate("torch.permute", []value.Value{t, plainArgs(value.NewTuple(axes...))}))
}

// matrixTranspose exchanges the last two axes, of which there must be two (ValueError).
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

// rollaxis moves an axis in front of another one; the place is one less if it comes from before.
// start counts from either end and may be the number of axes (IndexError otherwise).
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

// squeezeArray removes axes of size 1: all of them, or those that are named. Unlike PyTorch's,
// NumPy's refuses an axis that is named and has another size than 1 (ValueError).
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

// expandDims: axes count in the result. Since several of them are inserted from the least on, each is where it
// is asked for.
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
	// The range of axes depends on how many there are: it is that of the result.
	if elems, isList, _ := c.Sequence(c.Value("axis")); isList {
		n = len(elems)
	}
	if c.Value("axis") == value.None {
		return c.Errorf("TypeError", diag.TypeMismatch, "expand_dims(): axis must be an int, not None")
	}
	// NumPy tells several axes from one by the type: only a tuple or a list is several.
	switch x := c.Value("axis").(type) {
	case *value.Range:
		return c.Errorf("TypeError", diag.TypeMismatch, "expand_dims(): several axes are a tuple or list, not range")
	case *value.Tensor:
		if x.Type().Rank() > 0 {
			return c.Errorf("TypeError", diag.TypeMismatch, "expand_dims(): several axes are a tuple or list, not %s", x)
		}
	}
	axes, _ := looseAxes(c, len(s)+n)
	if !c.OK() {
		return nil
	}
	slices.Sort(axes)
	out := s
	for _, a := range axes {
		out = ops.Insert(out, a, c.Const(1))
	}
	return viewWith(c, t, out)
}

// atleast makes the rule of a function that applies PyTorch's to each array. One array gives an
// array, several a tuple, which was a list before NumPy 2. An array that has enough dimensions is
// itself the result.
func atleast(torch string, rank int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		ts := ToArrays(c, c.Rest())
		if ts == nil {
			return nil
		}
		outs := make([]value.Value, len(ts))
		for i, t := range ts {
			if ty := t.(*value.Tensor).Type(); ty.Ranked && len(ty.Shape) >= rank { // the array itself
				outs[i] = t
				continue
			}
			outs[i] = c.Delegate(torch, []value.Value{t})
		}
		if len(outs) == 1 {
			return outs[0]
		}
		return listOrTuple(c, value.NewTuple(outs...))
	}
}

// repeatArray repeats elements along an axis, of the flattened array without one. The counts are integers
// >= 0: one for all, or a vector with one for each element of the axis. The axis becomes their sum, which
// depends on the data where counts are not known.
func repeatArray(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	r := wholes(c, "repeats", "TypeError")
	if r == nil {
		return nil
	}
	// Without an axis the elements are repeated in one dimension.
	axis := 0
	if c.Value("axis") == value.None {
		if len(s) != 1 {
			if t = c.DelegateTensor("torch.flatten", []value.Value{t}); t == nil {
				return nil
			}
		}
	} else {
		if len(s) == 0 { // one element has an axis 0
			if t = c.DelegateTensor("torch.flatten", []value.Value{t}); t == nil {
				return nil
			}
		}
		axis = c.Axis("axis", max(len(s), 1))
	}
	rs := c.Shape(r)
	if !c.OK() {
		return nil
	}
	if len(rs) > 1 {
		return c.Errorf("ValueError", diag.RankMismatch, "repeat(): counts are a number or a vector, not %s", r)
	}
	s = t.Type().Shape
	// Counts that are known are compared with 0 before their number is.
	for _, x := range r.Contents() {
		if n, ok := value.AsDim(c.P, x); ok && !c.AtLeast(n, 0) {
			return c.Errorf("ValueError", diag.BadValue, "repeat(): a count must not be negative, but is %s", n)
		}
	}
	// One count, also as a vector of one element, is for all.
	single := len(rs) == 0 || ops.IsConst(rs[0], 1)
	if !single {
		if _, ok := c.Same(s[axis], rs[0]); !ok {
			return c.Errorf("ValueError", diag.ShapeMismatch, "repeat(): %s counts for axis %d of size %s", rs[0], axis, s[axis])
		}
	}
	e := r.Contents()
	// One count: the axis is multiplied by it. A bool is a count of 0 or 1.
	if single && len(e) == 1 {
		n, ok := value.AsDim(c.P, value.Plain(e[0]))
		if b, isBool := e[0].(value.Bool); isBool {
			n, ok = c.Const(0), true
			if b {
				n = c.Const(1)
			}
		}
		if !ok {
			return c.Out(t.Type().DType, ops.With(s, axis, dataSize(c, r, 0)))
		}
		out := c.Out(t.Type().DType, ops.With(s, axis, c.P.DimMul(s[axis], n)))
		// Small vectors keep their elements, each repeated.
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
	if e == nil {
		return c.Out(t.Type().DType, ops.With(s, axis, dataSize(c, r, 0)))
	}
	// One count for each element: the axis becomes their sum.
	total := c.Const(0)
	for _, x := range e {
		d, ok := value.AsDim(c.P, x)
		if b, isBool := x.(value.Bool); isBool {
			d, ok = c.Const(0), true
			if b {
				d = c.Const(1)
			}
		}
		if !ok {
			return c.Out(t.Type().DType, ops.With(s, axis, dataSize(c, r, 0)))
		}
		total = c.P.DimAdd(total, d)
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
			axes, _ = looseAxes(c, len(s))
		}
		if !c.OK() {
			return nil
		}
		for _, a := range axes {
			if a >= len(s) {
				return c.Errorf("ValueError", diag.RankMismatch, "%s() needs an array with more dimensions than %s", c.Short(), t)
			}
		}
		return reversedAlong(c, t, axes)
	}
}

// rotated is the view that rot90 gives where turns and axes are known and right: an axis reversed and the two
// exchanged. Nil: PyTorch's rule says what is wrong.
func rotated(c *ops.Call, t *value.Tensor) value.Value {
	n := len(c.Shape(t))
	k, known := value.AsInt(value.Plain(c.Value("k")))
	// The view needs known turns and two different axes in range; else PyTorch's rule reports what
	// is wrong.
	list, ok, open := c.Sequence(plainArgs(c.Value("axes")))
	if !c.OK() || !known || !ok || open != nil || len(list) != 2 {
		return nil
	}
	var axes [2]int
	for i, a := range list {
		x, isInt := value.AsInt(a)
		if !isInt || x < int64(-n) || x >= int64(n) {
			return nil
		}
		axes[i] = (int(x) + n) % n
	}
	if axes[0] == axes[1] {
		return nil
	}
	exchanged := func(t *value.Tensor) *value.Tensor {
		return c.DelegateTensor("torch.transpose", []value.Value{t, value.Int(axes[0]), value.Int(axes[1])})
	}
	var v value.Value
	// A turn by 90° is a reversal of the second axis and an exchange; by 180° a reversal of both;
	// by 270° the exchange comes first (numpy/lib/function_base.py, rot90).
	switch ((k % 4) + 4) % 4 {
	case 0:
		v = reversedAlong(c, t, nil)
	case 1:
		if r, ok := reversedAlong(c, t, axes[1:]).(*value.Tensor); ok {
			v = exchanged(r)
		}
	case 2:
		v = reversedAlong(c, t, axes[:])
	default:
		if r := exchanged(t); r != nil {
			v = reversedAlong(c, r, axes[1:])
		}
	}
	if !c.OK() {
		return nil
	}
	return keepRank(c, v, t)
}

// reversedAlong is the view of t with axes reversed, by slices as numpy takes it.
func reversedAlong(c *ops.Call, t *value.Tensor, axes []int) value.Value {
	key := make([]value.Value, len(t.Type().Shape))
	for i := range key {
		key[i] = &value.Slice{Start: value.None, Stop: value.None, Step: value.None}
		if slices.Contains(axes, i) {
			key[i] = &value.Slice{Start: value.None, Stop: value.None, Step: value.Int(-1)}
		}
	}
	return keepRank(c, c.Delegate("numpy.ndarray.__getitem__", []value.Value{t, value.NewTuple(key...)}), t)
}

// tupleOf gives the elements of a tuple or list, and of anything else itself.
func tupleOf(v value.Value) []value.Value {
	switch v := v.(type) {
	case *value.Tuple:
		return v.Elems
	case *value.List:
		return v.Elems
	}
	return []value.Value{v}
}
