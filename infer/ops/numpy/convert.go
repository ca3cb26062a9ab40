package numpy

// This file holds conversions of arrays, triangles and diagonals, and differences. Rules that
// change an array in place give None and make the new value the array's (becomes, Mutate). It has
// numpy.tril, triu and their indices, require, diff, astype and asarray's conversions, view and the
// assignments to dtype, flat and shape, ndarray.resize and diag. Elements are carried along only
// where they are known and of a tracked dtype.

import (
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// triangleArray makes the rule of a triangle: a vector is taken for all rows of a square. Of
// matrices with known elements those outside of the triangle become 0. tril keeps elements on and
// below the diagonal k, triu those on and above. The last two axes are the matrix. An array without
// dimensions is a TypeError; a k that is no number too, while a float k is accepted as NumPy
// compares with it.
func triangleArray(upper bool) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := arrayArg(c, "m")
		if t == nil {
			return nil
		}
		s := c.Shape(t)
		k := value.Plain(c.Value("k"))
		switch k.(type) {
		case value.Str, value.NoneType, *value.Tuple, *value.List:
			return c.Errorf("TypeError", diag.TypeMismatch, "%s(): k must be an int, not %s", c.Short(), ops.TypeName(k))
		}
		if !c.OK() {
			return nil
		}
		switch len(s) {
		case 0:
			return c.Errorf("TypeError", diag.RankMismatch, "%s() needs an array with dimensions, not %s", c.Short(), t)
		// The vector is broadcast to the rows of the mask of n by n.
		case 1:
			s = symshape.Shape{s[0], s[0]}
		}
		out := c.Out(t.Type().DType, slices.Clone(s))
		n, known := value.AsInt(k)
		sizes, ok := ops.ConstShape(s)
		if e := t.Contents(); e != nil && known && ok && len(s) == 2 && len(e) == sizes[0]*sizes[1] && ops.Tracked(t.Type().DType) {
			elems := slices.Clone(e)
			for i := range elems {
				// column − row of the element, row-major.
				if d := int64(i%sizes[1] - i/sizes[1]); upper && d < n || !upper && d > n {
					elems[i] = c.CastElem(t.Type().DType, value.Int(0))
				}
			}
			out.SetContents(elems)
		}
		return out
	}
}

// triangleIndices makes the record of tril_indices and triu_indices, which give a pair of vectors where torch
// gives a matrix of two rows. n is the number of rows, m that of columns, which is n if None. The
// pair is torch's matrix, taken apart.
func triangleIndices(name, torch string) ops.Op {
	return array(name, "(any n, any k=0, any m=None)", func(c *ops.Call) value.Value {
		n := value.FromDim(rangeSize(c, c.Value("n")))
		m := n
		if c.Has("m") {
			m = value.FromDim(rangeSize(c, c.Value("m")))
		}
		if !c.OK() {
			return nil
		}
		// NumPy negates k for the upper triangle, which wraps for an unsigned scalar.
		k := wholeOf(c.Value("k"))
		if _, isArray := k.(*value.Tensor); isArray || unsignedScalar(c.Value("k")) {
			return c.Lose("the value of k is not known, or wraps around when it is negated")
		}
		t := c.DelegateTensor(torch, []value.Value{n, m, k})
		if t == nil {
			return nil
		}
		return c.Delegate("torch.unbind", []value.Value{t})
	}, "row and column indices of a triangle")
}

// requireArray checks the names of properties (KeyError), which may be letters in one text, and
// gives the array in the order that they ask for. It is numpy.require: C and F ask for an order,
// the others for properties that arrays here always have. NumPy takes a text of letters as a list
// of them.
func requireArray(c *ops.Call) value.Value {
	v := c.Value("requirements")
	elems, isList, _ := c.Sequence(v)
	if !isList {
		elems = nil
		if s, ok := value.AsStr(v); ok {
			for _, r := range s {
				elems = append(elems, value.Str(string(r)))
			}
		}
	}
	rows, columns := false, false
	for _, e := range elems {
		s, ok := value.AsStr(e)
		if !ok {
			continue
		}
		s = strings.ToUpper(s)
		rows, columns = rows || s == "C" || strings.HasPrefix(s, "C_") || s == "CONTIGUOUS", columns || s == "F" ||
			strings.HasPrefix(s, "F_") || s == "FORTRAN"
		switch s {
		case "C", "F", "A", "W", "O", "E", "CONTIGUOUS", "C_CONTIGUOUS", "FORTRAN", "F_CONTIGUOUS", "ALIGNED", "WRITEABLE", "OWNDATA",
			"ENSUREARRAY":
		default:
			return c.Errorf("KeyError", diag.BadValue, "require(): there is no property '%s'", s)
		}
	}
	v = astypeArray(false)(c)
	if isSequence(c, v) {
		v = ToArray(c, v)
	}
	// Only arrays with at least two dimensions have an order that can be wrong.
	if t, ok := v.(*value.Tensor); ok && c.OK() && len(t.Type().Shape) > 1 {
		switch {
		case columns && !columnsFirst(c, t):
			return copied(c, t, "F")
		case rows && t.Type().Strides != nil:
			return copied(c, t, "C")
		}
	}
	return v
}

// diffArray needs an array of at least one dimension and n >= 0; with n = 0 it returns the argument.
// Values to prepend and append are scalars, which count as one element, or agree with the array on every
// other axis. The axis shrinks by n, not below 0. The dtype is NumPy's promotion of all arrays; of
// bool it is the exclusive or, and bool. The values n and axis must be integers.
func diffArray(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	needInt(c, "n")
	n := c.Dim("n")
	if !c.OK() {
		return nil
	}
	if !c.AtLeast(n, 0) {
		return c.Errorf("ValueError", diag.BadValue, "diff(): n must not be negative, but is %s", n)
	}
	if ops.IsConst(n, 0) {
		return c.Value("a")
	}
	if len(s) == 0 {
		return c.Errorf("ValueError", diag.RankMismatch, "diff() needs an array with dimensions, not %s", t)
	}
	a := anAxis(c, c.Value("axis"), len(s))
	if !c.OK() {
		return nil
	}
	size, d := s[a], t.Type().DType
	// None that was passed is data: an array of an object. Whether None was passed or is the
	// default shows in the number of positional arguments alone.
	for _, name := range [...]string{"prepend", "append"} {
		i := c.Sig.Params
		for k := range i {
			if i[k].Name != name || c.Args[k] == value.None && !(c.Positional > k) {
				continue
			}
			x := numbers(c, name)
			if x == nil {
				return nil
			}
			xs := c.Shape(x)
			if !c.OK() {
				return nil
			}
			if d != dtype.Unknown && x.Type().DType != dtype.Unknown {
				d = dtype.Numpy(d, x.Type().DType)
			}
			// A scalar is broadcast to size 1 along the axis.
			if len(xs) == 0 {
				size = c.P.DimAdd(size, c.Const(1))
				continue
			}
			if len(xs) != len(s) {
				return c.Errorf("ValueError", diag.RankMismatch, "diff(): %s and %s have different numbers of dimensions", t, x)
			}
			for q := range s {
				if _, ok := c.Same(s[q], xs[q]); q != a && !ok {
					return c.Errorf("ValueError", diag.ShapeMismatch, "diff(): %s and %s do not fit", t, x)
				}
			}
			size = c.P.DimAdd(size, xs[a])
		}
	}
	if d == dtype.Unknown {
		return c.Lose("the dtype is not known")
	}
	return c.Out(d, ops.With(s, a, c.P.DimMax(c.P.DimSub(size, n), c.Const(0))))
}

// astypeArray makes the rule of a conversion, which copies an array of the dtype
// unless copy=False, or gives it back. It serves both forms of astype, for which a dtype of None means float64, and
// __array__ and require, for which it means the array's own. casting= is checked as
// numpy.can_cast does and is a TypeError. keepRank gives back a scalar where the argument was one.
func astypeArray(copies bool) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := arrayArg(c, "a")
		if t == nil {
			return nil
		}
		d := arrayDType(c, t.Type().DType)
		if copies && c.Value("dtype") == value.None {
			d = dtype.F64
		}
		if !c.OK() {
			return nil
		}
		if c.HasParam("casting") && c.Has("casting") {
			if rule, ok := value.AsStr(c.Value("casting")); ok && !canCast(t.Type().DType, d, rule) {
				return c.Errorf("TypeError", diag.DTypeMismatch, "astype(): %s cannot be converted to %s with casting '%s'", t, d.Numpy(), rule)
			}
		}
		order := orderOf(c, "K")
		// Another dtype is always a copy, laid out by order=: "K" keeps the order of the source.
		if d != t.Type().DType {
			out := astype(c, t, d)
			lay(c, out, t, order)
			return keepRank(c, out, c.Value("a"))
		}
		// The array is given back itself where its order is as asked, unless a copy is asked for.
		if same := order == "K" || order == "A" || order == "C" && t.Type().Strides == nil || order == "F" &&
			(columnsFirst(c, t) || len(t.Type().Shape) < 2); same &&
			(!copies || c.Value("copy") == value.Value(value.Bool(false))) {
			return c.Value("a")
		}
		return keepRank(c, copied(c, t, order), c.Value("a"))
	}
}

// viewArray reads the same memory as elements of another size, which only the last axis shows.
// Views as other classes are not followed. view() without arguments is the array again, with the
// same memory.
func viewArray(c *ops.Call) value.Value {
	t, ok := c.Value("a").(*value.Tensor)
	if !ok {
		return c.Lose("the array is not known")
	}
	own := t.Type().DType
	if k, isClass := c.Value("dtype").(*value.Class); isClass && ops.IsArrayClass(k) {
		return c.Lose("a view as another class")
	}
	// type= must be a class: a number or text is a ValueError.
	if c.Has("type") {
		if k := c.Value("type"); ops.NumberKind(k) != dtype.KindInvalid || notNumber(k) == "str" {
			return c.Errorf("ValueError", diag.TypeMismatch, "view(): type must be a class of arrays, not %s", ops.TypeName(k))
		}
		return c.Lose("a view as another class")
	}
	if v := viewAs(c, t, arrayDType(c, own)); v != nil {
		return KeepArray(c, v)
	}
	return nil
}

// viewAs gives the memory of an array as another dtype: the last axis has size·a/b elements for
// elements of a and b bytes, which must be whole and lie one after another. Nil after a fault or a
// loss. In a view the strides count elements of the new size, which are only known for elements of
// the same size.
func viewAs(c *ops.Call, t *value.Tensor, d dtype.DType) *value.Tensor {
	own := t.Type().DType
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if d == dtype.Unknown || own == dtype.Unknown {
		c.Lose("the dtype is not known")
		return nil
	}
	if d == own {
		return c.View(t, s)
	}
	a, b := int64(own.Size()), int64(d.Size())
	// Only where memory and stride are known can an axis be called discontiguous. A last axis of
	// size 1 has no next element, so that its stride does not matter.
	if st := c.StridesOf(t); a != b && len(s) > 0 && memoryOf(t.V).known && st[len(s)-1] != nil {
		if n, known := st[len(s)-1].Const(); known && n != 1 && !ops.IsConst(s[len(s)-1], 1) {
			c.Errorf("ValueError", diag.BadValue,
				"view(): the last axis of %s is not contiguous, so that its elements cannot be seen as ones of another size", t)
			return nil
		}
	}
	shape := slices.Clone(s)
	switch {
	case a == b:
	case len(s) == 0:
		c.Errorf("ValueError", diag.RankMismatch, "view(): an array without dimensions cannot be seen as elements of another size")
		return nil
	// Larger elements become several smaller ones; the quotient is whole as sizes of elements are
	// powers of two.
	case a > b:
		shape[len(s)-1] = c.P.DimMul(s[len(s)-1], c.Const(a/b))
	// Smaller elements are joined: the bytes of the axis must be a multiple, which becomes a
	// condition for symbols.
	default:
		last := s[len(s)-1]
		if !c.MultipleOf(c.P.DimMul(last, c.Const(a)), c.Const(b)) {
			c.Errorf("ValueError", diag.ShapeMismatch, "view(): %s elements of %d bytes are not a whole number of %s", last, a, d.Numpy())
			return nil
		}
		shape[len(s)-1] = c.P.DimFloorDiv(c.P.DimMul(last, c.Const(a)), c.Const(b))
	}
	out := c.View(t, shape)
	out.Type().DType = d
	if t.Type().Strides != nil { // in elements of another size
		out.Type().Strides = make([]*symshape.Expr, len(shape))
		if a == b {
			out.Type().Strides = t.Type().Strides
		}
	}
	return out
}

// setDType is the assignment to a.dtype, a view in place: the array is the view from then on. It
// gives None, as an assignment has no value.
func setDType(c *ops.Call) value.Value {
	t, ok := c.Value("a").(*value.Tensor)
	if !ok {
		return c.Lose("the array is not known")
	}
	v := c.DelegateTensor("numpy.ndarray.view", []value.Value{t, c.Value("dtype")})
	if v == nil {
		return nil
	}
	t.Mutate(c.Th.Heap(), v.V, v.Contents())
	return value.None
}

// setFlat writes elements in order, or one to all places; where there are too few they are taken
// again from the first, which is not followed. It is the assignment to a.flat.
func setFlat(c *ops.Call) value.Value {
	t, ok := c.Value("a").(*value.Tensor)
	if !ok {
		return c.Lose("the array is not known")
	}
	s := c.Shape(t)
	v := c.DelegateTensor("numpy.array", []value.Value{c.Value("value")})
	if !c.OK() || v == nil {
		return nil
	}
	from := c.Shape(v)
	switch n, m := c.Numel(s), c.Numel(from); {
	case !c.OK():
		return nil
	// One element goes to all places.
	case len(from) == 0:
	// As many elements as places: they are written in row-major order, so the values are reshaped
	// and assigned as a whole.
	case n.Expr != nil && n.Expr == m.Expr:
		sizes := make([]value.Value, len(s))
		for i, d := range s {
			sizes[i] = value.FromDim(d)
		}
		v = c.DelegateTensor("numpy.ndarray.reshape", []value.Value{v, value.NewTuple(sizes...)})
	default:
		return c.Lose("the elements are repeated")
	}
	c.Delegate("numpy.ndarray.__setitem__", []value.Value{t, value.Ellipsis, v})
	return value.None
}

// resizeArray is ndarray.resize, which changes the array itself and so needs memory of its own, unless the
// number of elements stays. The shape is given as one argument or several; a single None changes
// nothing. The elements are not followed. It gives None.
func resizeArray(c *ops.Call) value.Value {
	t, ok := c.Value("a").(*value.Tensor)
	if !ok {
		return c.Lose("the array is not known")
	}
	args := c.Rest()
	if len(args) == 1 {
		if args[0] == value.None {
			return value.None
		}
		if inner, isList, _ := c.Sequence(args[0]); isList {
			args = inner
		}
	}
	s := arrayShape(c, value.NewTuple(args...))
	if !c.OK() {
		return nil
	}
	have, want := c.Numel(c.Shape(t)), c.Numel(s)
	// Whether an array owns its memory is not always known; then no fault is reported.
	if m := memoryOf(t.V); m.known && !m.own && c.OK() && have.Expr != want.Expr { // of one size there is nothing to move
		return c.Errorf("ValueError", diag.BadValue, "resize(): %s is a view, of which the memory cannot grow or shrink", t)
	}
	ty := *t.Type()
	ty.Ranked, ty.Shape, ty.Strides = true, s, nil
	out := c.OutType(ty)
	becomes(c, t, out, nil)
	return value.None
}

// setShape is the assignment to a.shape, a reshape in place. One size may be -1. It delegates to
// torch.reshape, which demands the same number of elements and infers -1. The array itself becomes
// the result.
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

// diagArray is torch's, but for diagonals outside of the matrix, which are empty here and an error
// there. A vector becomes the matrix with it on the diagonal k, a matrix gives its diagonal as a
// vector. Other ranks are a ValueError.
func diagArray(c *ops.Call) value.Value {
	t := arrayArg(c, "v")
	if t == nil {
		return nil
	}
	if n := len(c.Shape(t)); c.OK() && n != 1 && n != 2 {
		return c.Errorf("ValueError", diag.RankMismatch, "diag() needs one or two dimensions, not %s", t)
	}
	s := c.Shape(t)
	rows, cols := symshape.Dim{}, symshape.Dim{}
	if len(s) == 2 {
		rows, cols = s[0], s[1]
	}
	if n, ok := rows.Const(); ok && len(s) == 2 { // a diagonal outside of the matrix is empty
		m, ok := cols.Const()
		if k, known := value.AsInt(value.Plain(c.Value("k"))); ok && known && (k > 0 && k >= m || k <= 0 && -k >= n) {
			return c.Out(t.Type().DType, symshape.Shape{c.Const(0)})
		}
	}
	return c.Delegate("torch.diag", []value.Value{t, c.Value("k")})
}
