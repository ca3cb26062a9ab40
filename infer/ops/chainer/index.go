package chainer

// This file holds indexing and choosing of elements. Indices are NumPy's: the record of
// numpy.ndarray.__getitem__ reads them, on the array behind the Variable. Chainer's functions check
// types first (InvalidType), then compute by NumPy; so rules here bind and check their arguments,
// then delegate to the NumPy record for what an index selects. The names of classes in the records
// (GetItem) are those of Chainer's FunctionNode, which its graphs show.

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// indexing lists the functions that read, add to, or choose elements. Indices are integers within the axis
// that they count in, checked where they are known. scatter_add does not broadcast b; where needs a bool
// condition, x and y of one dtype, and broadcasts all three.
func indexing() []ops.Op {
	return []ops.Op{
		// The gradient of a read is a scatter_add, which is why both are in one file.
		fn("get_item chainer.Variable.__getitem__", "GetItem|GetItem*", "(x, slices)", func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			return k.getItem(k.t("x"), k.Value("slices"))
		}, "elements by NumPy's indices"),
		// The part that is read has the shape that b must have; reading it makes no node. The
		// outputs of the read are dropped so that only scatter_add itself is a node.
		fn("scatter_add", "ScatterAdd", "(a, slices, b)", func(k *call) value.Value {
			if !k.apply("a", "b") {
				return nil
			}
			part, _ := k.getItem(k.t("a"), k.Value("slices")).(*value.Tensor)
			if !k.OK() || part == nil {
				return nil
			}
			k.Outs = nil
			k.bind("part", part)
			s, b := k.Shape(part), k.s("b")
			same := len(s) == len(b)
			for i := range s {
				if same {
					_, same = k.Same(s[i], b[i])
				}
			}
			if !same {
				return k.Errorf("ValueError", diag.ShapeMismatch,
					"scatter_add(): the elements are of shape %s, but b is %s: inputs are not broadcast", s, k.t("b"))
			}
			return k.like("a")
		}, "a with b added to some elements"),
		// It demands signed integer labels t, a matrix x, and a label for each row; the result is a
		// vector of x's dtype.
		fn("select_item", "SelectItem", "(x, t)", func(k *call) value.Value {
			if !k.apply("x", "t") || !k.expect("t.dtype.kind == i", "x.ndim == 2", "t.ndim == 1", "x.shape[0] == t.shape[0]") {
				return nil
			}
			k.labels("t", k.s("x")[1])
			return k.out(k.d("x"), k.s("x")[0])
		}, "the element of each row that an index names"),
		// A condition may be a single bool. A condition that is a Variable or array must be bool; a
		// Python bool is taken as it is.
		fn("where", "Where|Where*", "(condition, x, y)", func(k *call) value.Value {
			v := k.Value("condition")
			switch c := v.(type) {
			case *value.Tensor:
				k.bind("condition", c)
			case value.Bool, *value.SymBool:
			default:
				if !value.IsUnknown(v) {
					return k.Errorf(InvalidType, diag.DTypeMismatch, "where(): condition must be an array of booleans, not %s", ops.TypeName(v))
				}
			}
			if !k.apply("x", "y") {
				return nil
			}
			names := []string{"x", "y"}
			if k.t("condition") != nil {
				names = append(names, "condition")
				if !k.expect("condition.dtype == bool") {
					return nil
				}
			}
			// x and y are not promoted: Chainer demands one dtype.
			if !k.expect("x.dtype == y.dtype") {
				return nil
			}
			return k.out(k.d("x"), k.broadcast(names...)...)
		}, "elements of x where a condition holds, else of y"),
		// The demands on indices are a ValueError that comes before the type check, as Chainer's
		// function looks at them first.
		fn("permutate", "Permutate|Permutate*", "(x, indices, axis=0, inv=False)", func(k *call) value.Value {
			idx := k.input("indices")
			if !k.OK() {
				return nil
			}
			if d := idx.Type().DType; d != dtype.Unknown && d.NumpyKind() != "i" || idx.Type().Rank() != 1 {
				return k.Errorf("ValueError", diag.BadValue, "permutate(): indices must be a one-dimensional int array, not %s", idx)
			}
			if !k.apply("x") {
				return nil
			}
			n := k.integer("axis")
			a := k.wrap(n, "x")
			k.flag("inv")
			if !k.OK() {
				return nil
			}
			// permutate makes the index by (slice(None),) * axis; for a negative axis that is
			// empty, so the first axis is permuted.
			if n < 0 { // a tuple repeated less than no times is empty
				a = 0
			}
			s := k.s("x")
			k.bind("indices", idx)
			count := k.Shape(idx)[0]
			// Indices count in the axis, those of an inverse in their own number.
			if !k.flag("inv") {
				k.labels("indices", s[a])
			} else if k.labels("indices", count); k.OK() && idx.Contents() != nil { // the inverse counts as many places as there are indices
				if n, ok := ops.DimVal(count); ok {
					if size, known := ops.DimVal(s[a]); known && n > size {
						return k.Errorf("IndexError", diag.BadIndex, "permutate(): index %d is out of bounds for size %d", n-1, size)
					}
				}
			}
			return k.out(k.d("x"), ops.With(s, a, count)...)
		}, "the elements of an axis in another order"),
	}
}

// labels checks known indices against the size that they count in, from either end, except those
// that are ignored. It is an IndexError; indices and sizes that are not known pass. Labels that are
// ignored are those such as ignore_label of a loss.
func (k *call) labels(name string, size symshape.Dim, ignored ...int64) {
	t := k.t(name)
	n, ok := ops.DimVal(size)
	if t == nil || !ok || !k.OK() {
		return
	}
	for _, e := range t.Contents() {
		if i, ok := value.AsInt(e); ok && (i >= n || i < -n) && !slices.Contains(ignored, i) {
			k.Errorf("IndexError", diag.BadIndex, "%s(): index %d is out of bounds for size %d", k.Short(), i, n)
			return
		}
	}
}

// getItem follows numpy's indexing, and gives a Variable also where numpy gives a scalar. It is
// used for Variable.__getitem__, get_item and scatter_add. A list of lists is a tuple of indices
// there, as in NumPy before 1.23.
func (k *call) getItem(x *value.Tensor, index value.Value) value.Value {
	if l, ok := index.(*value.List); ok && l.Open == nil { // a list of ints is one index, another one a tuple
		ints := true
		for _, e := range l.Elems {
			switch e.(type) {
			case value.Int, *value.SymInt, value.Bool:
			default:
				ints = false
			}
		}
		if !ints {
			index = value.NewTuple(l.Elems...)
		}
	}
	// Chainer refuses a second ellipsis before NumPy does.
	if t, ok := index.(*value.Tuple); ok {
		n := 0
		for _, e := range t.Elems {
			if _, is := e.(value.EllipsisType); is {
				n++
			}
		}
		if n > 1 {
			return k.Errorf("IndexError", diag.BadIndex, "an index can only have a single ellipsis ('...')")
		}
	}
	// Variables in an index are read as their arrays.
	index = k.plainIndex(new(value.Memo[value.Value]), index)
	v := k.Delegate("numpy.ndarray.__getitem__", []value.Value{k.arrayOf(x), index})
	// A scalar becomes a Variable without dimensions.
	if i, ok := v.(*value.Instance); ok && ops.IsNumpyScalar(i) {
		return k.Out(x.Type().DType, symshape.Shape{})
	}
	if t, ok := v.(*value.Tensor); ok && ops.IsArray(t) {
		t.Class = nil
	}
	return v
}

// plainIndex makes arrays of the Variables in an index; an index may contain itself. Lists were
// made tuples or are lists of numbers, which hold no Variables; memo stops at a tuple that was met.
func (k *call) plainIndex(done *value.Memo[value.Value], v value.Value) value.Value {
	switch x := v.(type) {
	case *value.Tensor:
		if IsVariable(x) {
			return k.arrayOf(x)
		}
	case *value.Tuple:
		return done.Of(v, v, func() value.Value {
			out := make([]value.Value, len(x.Elems))
			for i, e := range x.Elems {
				out[i] = k.plainIndex(done, e)
			}
			return value.NewTuple(out...)
		})
	}
	return v
}
