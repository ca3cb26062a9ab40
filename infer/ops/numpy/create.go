package numpy

// This file holds the records that make arrays: np.array, zeros, arange,
// linspace and their kin. Arrays of data are read by ops.ReadArray, which gives the shape, the
// dtype and, where there are few, the elements of nested sequences; sizes are read by arrayShape.
// Elements of small arrays are kept, since shapes are often computed from them. An array made here
// lies in memory as lay has it (memory.go), which decides whether later reshapes of it share its
// memory.

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// What numpy.zeros and its kin take after the shape.
const arrayTail = ", any dtype=None, any order='C', *, any device=None, any like=None)"

// arrayCreateOps lists what makes arrays of data, of sizes and of other arrays. Shapes are an int or a sequence
// of ints; the dtype is float64 where nothing else says it, unlike in torch, whose default is float32.
func arrayCreateOps() []ops.Op {
	return []ops.Op{
		array("array", "(any object, any dtype=None, *, any copy=True, any order='K', any subok=False, any ndmin=0, any ndmax=None, any like=None)",
			newArrayRule, "copies array-like data").
			With(ops.Op{Is: graph.NewCopy}),
		array("asarray asanyarray asarray_chkfinite",
			"(any a, any dtype=None, any order=None, *, any device=None, any copy=None, any like=None)", asarrayRule,
			"array-like data as an array, without a copy where possible").With(ops.Op{Is: graph.NewIfRows}),
		array("ascontiguousarray", "(any a, any dtype=None, *, any like=None)", inOrder(false),
			"array-like data as an array with at least one dimension, in C order"),
		array("asfortranarray", "(any a, any dtype=None, *, any like=None)", inOrder(true),
			"array-like data as an array with at least one dimension, in Fortran order"),
		array("fromiter", "(any iter, any dtype, any count=-1, *, any like=None)", fromIter, "an array of what an iterator gives"),
		array("zeros", "(any shape"+arrayTail, filledArray(value.Int(0)), "zeros").
			With(ops.Op{Is: graph.NewInRows, Trace: ops.ComparesNumbers | ops.TakesSizes}),
		array("ones", "(any shape"+arrayTail, filledArray(value.Int(1)), "ones").
			With(ops.Op{Is: graph.NewInRows, Trace: ops.ComparesNumbers | ops.TakesSizes}),
		array("empty", "(any shape"+arrayTail, filledArray(nil), "memory").With(ops.Op{Is: graph.Uninitialised | graph.NewInRows,
			Trace: ops.ComparesNumbers | ops.TakesSizes}),
		array("full", "(any shape, any fill_value"+arrayTail, fullArray, "one number").
			With(ops.Op{Is: graph.NewInRows, Trace: ops.TakesSizes | ops.TakesFill}),
		array("zeros_like", "(any a, any dtype=None, any order='K', any subok=True, any shape=None, *, any device=None)",
			likeArray(value.Int(0)), "zeros like another array").With(ops.Op{Is: graph.NewCopy}),
		array("ones_like", "(any a, any dtype=None, any order='K', any subok=True, any shape=None, *, any device=None)",
			likeArray(value.Int(1)), "ones like another array").With(ops.Op{Is: graph.NewCopy}),
		array("empty_like", "(any prototype, any dtype=None, any order='K', any subok=True, any shape=None, *, any device=None)",
			likeArray(nil), "memory like another array").With(ops.Op{Is: graph.Uninitialised | graph.NewCopy}),
		array("full_like", "(any a, any fill_value, any dtype=None, any order='K', any subok=True, any shape=None, *, any device=None)",
			likeArray(nil), "one number like another array").With(ops.Op{Is: graph.NewCopy}),
		array("arange", "(Scalar stop, *, any dtype=None, any device=None, any like=None) | (Scalar start, Scalar? stop=None, Scalar? step=1, any dtype=None, *, any device=None, any like=None) | (str start, any stop=None, any step=None, any dtype=None, *, any device=None, any like=None) | (*, Scalar stop, Scalar step, any dtype=None, any device=None, any like=None)",
			arangeArray, "ceil((stop - start) / step) numbers; none if that is negative").
			With(ops.Op{Is: graph.NewInRows, Torch: "torch.arange start=start end=stop step=step",
				Trace: ops.ComparesNumbers | ops.TakesSizes}),
		array("linspace", "(any start, any stop, any num=50, any endpoint=True, any retstep=False, any dtype=None, any axis=0, *, any device=None)", linspaceArray(linspaced), "numbers from start to stop").
			With(ops.Op{Is: graph.NewInRows, Trace: ops.FixesNumbers | ops.ComparesNumbers}),
		array("logspace", "(any start, any stop, any num=50, any endpoint=True, any base=10.0, any dtype=None, any axis=0)", linspaceArray(nil),
			"powers of base").
			With(ops.Op{Trace: ops.FixesNumbers}),
		array("geomspace", "(any start, any stop, any num=50, any endpoint=True, any dtype=None, any axis=0)", geomspaceArray,
			"numbers of a constant ratio; 0 is no end of them").With(ops.Op{Variant: geometric}),
		array("eye", "(int N, int? M=None, any k=0, any dtype=None, any order='C', *, any device=None, any like=None)", eyeArray(false),
			"ones on a diagonal").
			With(ops.Op{Is: graph.NewInRows, Trace: ops.ComparesNumbers | ops.TakesSizes}),
		array("identity", "(int n, any dtype=None, *, any like=None)", eyeArray(false), "identity matrix").
			With(ops.Op{Is: graph.NewInRows, Trace: ops.TakesSizes}),
		array("tri", "(any N, any M=None, any k=0, any dtype=None, *, any like=None)", eyeArray(true), "ones on and below a diagonal").
			With(ops.Op{Is: graph.NewInRows, Trace: ops.TakesSizes}),
		array("generic.__new__", "(any cls, any x=0, *args)", scalarNew, "np.float32(x): a scalar, or an array of that dtype"),
	}
}

// inOrder makes the rule of a conversion to one order in memory, which copies what is in another.
// Both functions give at least one dimension, unlike asarray: a scalar becomes a vector of one
// element.
func inOrder(fortran bool) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t, ok := asarray(c, c.Value("a")).(*value.Tensor)
		if ok && c.OK() && len(t.Type().Shape) > 1 {
			switch {
			case fortran && !columnsFirst(c, t):
				return copied(c, t, "F")
			case !fortran && t.Type().Strides != nil:
				return copied(c, t, "C")
			}
		}
		if !ok || !c.OK() || !t.Type().Ranked || len(t.Type().Shape) > 0 {
			return orLost(c, t, ok)
		}
		return viewWith(c, t, symshape.Shape{c.Const(1)})
	}
}

// OfTensors are the records of PyTorch that give arrays.
func OfTensors() []ops.Op {
	return []ops.Op{
		array("torch.Tensor.numpy", "(Tensor input, *, any force=False)", tensorNumpy, "an array on the memory of a tensor").
			With(ops.Op{Trace: ops.TakesArray | ops.TakesConstant | ops.ReadsNumber, Warns: ops.WarnsArray}),
		array("torch.Tensor.__array__", "(Tensor input, any dtype=None)", tensorNumpy, "an array on the memory of a tensor").
			With(ops.Op{Trace: ops.ReadsNumber}),
	}
}

// newArrayRule makes an array of nested numbers or copies one, in the dtype asked for or that of the data,
// float64 for empty data. Axes of size 1 are added in front up to ndmin. Without a copy it follows
// asarray; copy=None needs numpy 2.
func newArrayRule(c *ops.Call) value.Value {
	v := data(c, c.Value("object"))
	if !c.OK() {
		return nil
	}
	if c.Value("copy") == value.None && c.Numpy1() {
		return c.Errorf("ValueError", diag.BadValue, "array(): copy=None is not allowed before numpy 2")
	}
	if !copies(c.Value("copy")) {
		return asarray(c, v)
	}
	// Python's numbers must fit the dtype that is asked for.
	if fitsDType(c, v); !c.OK() {
		return nil
	}
	var t *value.Tensor
	switch x := v.(type) {
	case *value.Tensor, *value.Instance:
		src := ToArray(c, x)
		if src == nil {
			return nil
		}
		// The dtype is that of the source unless dtype= says otherwise; order K keeps its order in
		// memory.
		t = c.Like(src, arrayDType(c, src.Type().DType))
		lay(c, t, src, orderOf(c, "K"))
		c.Convert(t, src.Contents())
	default:
		lit := c.ReadArray(v, 0)
		if !c.OK() {
			return nil
		}
		// Data without any element have numpy's default dtype.
		if lit.Kind == dtype.Unknown {
			lit.Kind = dtype.F64
		}
		t = c.Out(arrayDType(c, lit.Kind), lit.Shape)
		lay(c, t, nil, orderOf(c, "K"))
		if !lit.Lost {
			c.Convert(t, append([]value.Value{}, lit.Elems...))
		}
	}
	if !c.OK() {
		return nil
	}
	// Axes of size 1 are added in front until there are ndmin.
	for n := c.Int("ndmin"); c.OK() && t.Type().Ranked && len(t.Type().Shape) < n; {
		t.Type().Shape = ops.Insert(t.Type().Shape, 0, c.Const(1))
	}
	t.Class = c.NDArray() // also without dimensions
	return t
}

// copies reports whether copy= asks for a copy: every value but False does here.
func copies(v value.Value) bool {
	b, ok := v.(value.Bool)
	return !ok || bool(b)
}

// orLost gives the array, or loses the result where there is none.
func orLost(c *ops.Call, t *value.Tensor, ok bool) value.Value {
	if !ok || t == nil {
		return c.Lose("the array is not known")
	}
	return t
}

// parsed replaces what numpy converts to a dtype when data are read: texts by their
// numbers, None by nan where that exists.
func parsed(c *ops.Call, v value.Value, d dtype.DType) value.Value {
	return parsedIn(&value.Visit{Thread: c.Th, Repeats: value.MaxElems}, c, v, d, 0)
}

// parsedIn converts None and texts in nested data to numbers of dtype d, as float() and int() parse them.
// None becomes nan, or False in bool; it fails for integers. A text that is no number is a ValueError.
// Everything else stays as it is.
func parsedIn(w *value.Visit, c *ops.Call, v value.Value, d dtype.DType, depth int) value.Value {
	if depth > 8 || !w.Enter(v) {
		return v
	}
	defer w.Leave()
	// A fault or loss of one element gives nil for the whole.
	each := func(elems []value.Value) value.Value {
		out := make([]value.Value, len(elems))
		for i, e := range elems {
			if out[i] = parsedIn(w, c, e, d, depth+1); out[i] == nil {
				return nil
			}
		}
		return value.NewTuple(out...)
	}
	switch x := v.(type) {
	case value.NoneType:
		switch {
		// NumPy reads None as nan in floats, and bool(None) is False.
		case d == dtype.Bool:
			return value.Bool(false)
		case d.IsFloat() || d.IsComplex():
			return value.Float(math.NaN())
		}
		return c.Errorf("TypeError", diag.TypeMismatch, "%s(): None is no number", c.Short())
	case value.Str:
		text := strings.TrimSpace(string(x))
		switch {
		case d == dtype.Bool:
			// Which texts are true is not modelled.
			return c.Lose("a truth value from a text")
		case d.IsIntegral():
			n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
			if err != nil {
				return c.Errorf("ValueError", diag.BadValue, "%s(): '%s' is no int", c.Short(), x)
			}
			return value.Int(n)
		case d.IsComplex():
			return value.Complex(0)
		}
		f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return c.Errorf("ValueError", diag.BadValue, "%s(): '%s' is no number", c.Short(), x)
		}
		return value.Float(f)
	// Data that hold no texts and no None stay the object that they are, so that its identity is
	// kept.
	case *value.List:
		if x.Open == nil && notNumber(x) != "" {
			return each(x.Elems)
		}
	case *value.Tuple:
		if notNumber(x) != "" {
			return each(x.Elems)
		}
	}
	return v
}

// data reads array-like data that are to be of the dtype that the call asks for, if any. An object
// with __array__ becomes its array. It gives nil after a fault.
func data(c *ops.Call, v value.Value) value.Value {
	if a := ownArray(c, v); a != nil || !c.OK() {
		return a
	}
	if notNumber(v) == "" || !c.HasParam("dtype") || !c.Has("dtype") {
		return v
	}
	d, known := DTypeOf(c.Value("dtype"))
	if !known {
		return v
	}
	return parsed(c, v, d)
}

// fromIter makes a vector of the numbers of an iterable; elements that are sequences fail. With count >= 0
// the iterable must have at least that many, and the rest is left out.
func fromIter(c *ops.Call) value.Value {
	d := arrayDType(c, dtype.Unknown)
	v := c.Value("iter")
	// What is no sequence yet is run to its end first; its side effects are those of the program.
	switch v.(type) {
	case *value.List, *value.Tuple, *value.Range, *value.Tensor:
	default:
		var elems []value.Value
		err := c.Th.Iterate(v, func(e value.Value) error {
			elems = append(elems, e)
			return c.Th.Step(1)
		})
		var open *value.OpenError
		if errors.As(err, &open) {
			return c.Lose("how many elements there are")
		}
		if c.SetErr(err); err != nil {
			return nil
		}
		v = value.NewTuple(elems...)
	}
	if !c.OK() {
		return nil
	}
	if v = parsed(c, v, d); v == nil {
		return nil
	}
	t := ToArray(c, v)
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	needInt(c, "count")
	n, known := value.AsInt(value.Plain(c.Value("count")))
	if !c.OK() {
		return nil
	}
	// Elements that are sequences would make more than one axis.
	if len(s) != 1 {
		return c.Errorf("ValueError", diag.RankMismatch, "fromiter(): the iterator must give numbers")
	}
	if !known {
		return c.Lose("the number of elements is not known")
	}
	// With count the vector has that many elements, of which there must be enough.
	size := s[0]
	if n >= 0 {
		if !c.AtLeast(size, n) {
			return c.Errorf("ValueError", diag.BadValue, "fromiter(): %d elements are asked for, and there are %s", n, size)
		}
		size = c.Const(n)
	}
	out := c.Out(d, symshape.Shape{size})
	if e := t.Contents(); e != nil && d != dtype.Unknown {
		k, ok := size.Const()
		if ok && int(k) <= len(e) {
			c.Convert(out, e[:k])
		}
	}
	return out
}

func asarrayRule(c *ops.Call) value.Value { return asarray(c, data(c, c.Value("a"))) }

// asarray converts without a copy where dtype and order are as asked for; copy=False makes a copy an error
// since NumPy 2.
func asarray(c *ops.Call, v value.Value) value.Value {
	t := ToArray(c, v)
	if t == nil {
		return nil
	}
	d := arrayDType(c, t.Type().DType)
	if fitsDType(c, v); !c.OK() {
		return nil
	}
	// copy=False is an error where the result cannot share the memory of the argument.
	_, isArray := v.(*value.Tensor)
	if c.HasParam("copy") && c.Value("copy") == value.Value(value.Bool(false)) && !c.Numpy1() && (!isArray || d != t.Type().DType) {
		return c.Errorf("ValueError", diag.BadValue, "%s(): copy=False, and %s cannot be made an array without a copy", c.Short(),
			ops.TypeName(v))
	}
	order := orderOf(c, "K")
	switch src := t; {
	case d != t.Type().DType:
		if t = astype(c, t, d); t != nil {
			t.Class = c.NDArray()
			lay(c, t, src, order)
		}
	// Another order in memory needs a copy, also in the same dtype.
	case order == "F" && len(t.Type().Shape) > 1 && !columnsFirst(c, t), order == "C" && t.Type().Strides != nil:
		t = copied(c, t, order)
	}
	if t == nil {
		return nil
	}
	return t
}

// arrayShape reads a shape argument: an int or a sequence of ints, also as an array. A negative
// size is a ValueError; a length that is not known is a loss. It gives nil after both.
func arrayShape(c *ops.Call, v value.Value) symshape.Shape {
	if v == value.None && c.Numpy1() && !strings.HasPrefix(c.Op.Names[0], "numpy.random.") {
		return symshape.Shape{} // numpy 1 warns
	}
	if t, ok := v.(*value.Tensor); ok && t.Type().Rank() == 1 {
		if n := integersIn(t); n != nil {
			v = value.NewTuple(n...)
		}
	}
	elems, isList, open := c.Sequence(v)
	switch {
	case open != nil || value.IsUnknown(v):
		c.Lose("the shape is not known")
		return nil
	case !isList:
		elems = []value.Value{v}
	}
	s := make(symshape.Shape, len(elems))
	for i, e := range elems {
		s[i] = arraySize(c, e)
		if !c.OK() {
			return nil
		}
		if !c.AtLeast(s[i], 0) {
			c.Errorf("ValueError", diag.InvalidSize, "%s(): the size %s at dimension %d is negative", c.Short(), s[i], i)
			return nil
		}
	}
	return s
}

// arraySize reads one size as an integer in the way of NumPy's shape arguments.
func arraySize(c *ops.Call, e value.Value) symshape.Dim {
	if e = oneInteger(c, readParam{"shape", asSizes}, e, true); !c.OK() {
		return symshape.Dim{}
	}
	return c.ToDim("shape", e)
}

// filledArray makes the rule of zeros, ones and empty: the elements are v, or not known for nil.
func filledArray(v value.Value) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		s := arrayShape(c, c.Value("shape"))
		d := arrayDType(c, dtype.F64)
		if !c.OK() {
			return nil
		}
		out := c.Out(d, s)
		lay(c, out, nil, orderOf(c, "C"))
		return KeepArray(c, c.Filled(out, v))
	}
}

// KeepArray marks a result as an array even when it has no dimensions.
func KeepArray(c *ops.Call, v value.Value) value.Value {
	if t, ok := v.(*value.Tensor); ok && c.OK() {
		t.Class = c.NDArray()
	}
	return v
}

// fullArray: the value may be an array, which broadcasts to the shape; its dtype is that of the result.
func fullArray(c *ops.Call) value.Value {
	s, number := arrayShape(c, c.Value("shape")), data(c, c.Value("fill_value"))
	fill := ToArray(c, number)
	if fill == nil {
		return nil
	}
	d := arrayDType(c, fill.Type().DType)
	if fits(c, number, d); !c.OK() {
		return nil
	}
	// The value broadcasts to the shape, never the shape to the value.
	if !c.BroadcastsTo(c.Shape(fill), s) {
		return c.Errorf("ValueError", diag.ShapeMismatch, "full(): a value of shape %s cannot be broadcast to shape %s", fill.Type().Shape, s)
	}
	out := c.Out(d, s)
	lay(c, out, nil, orderOf(c, "C"))
	if e := fill.Contents(); len(e) == 1 {
		return KeepArray(c, c.Filled(out, e[0]))
	}
	return KeepArray(c, out)
}

// likeArray makes the rule of the _like functions; shape= replaces the sizes, and order='K' keeps the order in
// memory.
func likeArray(v value.Value) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := arrayArg(c, c.Sig.Params[0].Name)
		if t == nil {
			return nil
		}
		d := arrayDType(c, t.Type().DType)
		// The result has the type of the argument, without its device and its order in memory.
		ty := *t.Type()
		ty.DType, ty.Strides, ty.Device = d, nil, ""
		if c.Has("shape") {
			ty.Ranked, ty.Shape = true, arrayShape(c, c.Value("shape"))
		}
		if !c.OK() {
			return nil
		}
		out := c.OutType(ty)
		lay(c, out, t, orderOf(c, "K"))
		fill := v
		if c.HasParam("fill_value") {
			number := parsed(c, c.Value("fill_value"), d)
			x := ToArray(c, number)
			if fits(c, number, d); x == nil || !c.OK() {
				return nil
			}
			if ty.Ranked && !c.BroadcastsTo(c.Shape(x), ty.Shape) {
				return c.Errorf("ValueError", diag.ShapeMismatch, "full_like(): a value of shape %s cannot be broadcast to shape %s", x.Type().Shape,
					ty.Shape)
			}
			if e := x.Contents(); len(e) == 1 {
				fill = e[0]
			}
		}
		return KeepArray(c, c.Filled(out, fill))
	}
}

// isText reports whether v is a str whose text is known.
func isText(v value.Value) bool {
	_, ok := value.AsStr(v)
	return ok
}

// arangeArray needs numbers and a step other than 0; its result is a vector of ceil((stop - start) / step)
// elements. The dtype is int64 promoted with those of the arguments, unless dtype= names one. Elements are
// start + i*delta, with delta the difference of the first two, as numpy computes them.
func arangeArray(c *ops.Call) value.Value {
	if c.HasParam("start") && isText(c.Value("start")) {
		if d, ok := value.AsStr(c.Value("dtype")); ok && (strings.HasPrefix(d, "datetime64") ||
			strings.HasPrefix(strings.TrimLeft(d, "<>="), "M8")) {
			return c.Lose("arrays of this dtype are not modelled")
		}
		return c.Errorf("TypeError", diag.TypeMismatch, "arange() takes numbers, not str")
	}
	// One argument is the stop; a step alone leaves the start at 0.
	start, stop, step := value.Value(value.Int(0)), c.Value("stop"), value.Value(value.Int(1))
	if c.HasParam("start") {
		start = c.Value("start")
		if c.Has("step") {
			step = c.Value("step")
		}
		if stop == value.None {
			if c.Positional == 0 {
				return c.Errorf("TypeError", diag.BadCall, "arange() needs a stop")
			}
			start, stop = value.Int(0), start
		}
	} else if c.HasParam("step") {
		step = c.Value("step")
	}
	// The numbers as elements, and whether one of them is a float.
	var x [3]value.Value
	real := false
	for i, v := range [...]value.Value{start, stop, step} {
		x[i] = ops.ScalarElem(v)
		real = real || ops.IsRealElem(x[i])
	}
	// The dtype is promoted from that of int64; Python's ints do not change it.
	def := dtype.I64
	for _, v := range [...]value.Value{start, stop, step} {
		if ops.IsNumpyScalar(v) {
			def = dtype.Numpy(def, ops.ScalarDType(v.(*value.Instance)))
		} else if t, ok := v.(*value.Tensor); ok && t.Type().DType != dtype.Unknown {
			def = dtype.Numpy(def, t.Type().DType)
		} else if k := ops.NumberKind(v); k == dtype.KindFloat || k == dtype.KindComplex {
			def = dtype.Numpy(def, dtype.NumpyNumber(k))
		}
	}
	d := arrayDType(c, def)
	if !c.OK() {
		return nil
	}
	if n, ok := value.AsFloat(x[2]); ok && n == 0 {
		return c.Errorf("ZeroDivisionError", diag.BadValue, "arange(): the step must not be 0")
	}
	// An unsigned start above the stop: their difference wraps around in NumPy 2.
	if unsignedScalar(start) || unsignedScalar(stop) {
		a, ok1 := value.AsFloat(x[0])
		b, ok2 := value.AsFloat(x[1])
		if !c.Numpy1() && !(ok1 && ok2 && a <= b) {
			return c.Lose("the distance from an unsigned integer down wraps around")
		}
	}
	// The number of elements: a constant where all three are, else an expression, whose example
	// value is kept.
	var n symshape.Dim
	if a, ok := value.AsFloat(x[0]); ok {
		b, ok1 := value.AsFloat(x[1])
		s, ok2 := value.AsFloat(x[2])
		if ok1 && ok2 {
			count := max(0, math.Ceil((b-a)/s))
			if !(count < math.MaxInt64) {
				return c.Errorf("ValueError", diag.InvalidSize, "arange(): an array of %g elements is too large", count)
			}
			n = c.P.ConstDim(int64(count))
			// Numbers that depend on symbols give the count of this run only; the expression comes
			// below.
			if symbolicElem(x[0]) || symbolicElem(x[1]) || symbolicElem(x[2]) {
				n = symshape.Dim{Val: n.Val, Known: true}
			}
		}
	}
	if _, isConst := n.Const(); !isConst {
		var e symshape.Dim
		if real {
			e = c.CountReals(x, false)
		} else {
			e = c.CountInts(x, false)
		}
		if !c.OK() {
			return nil
		}
		e.Val, e.Known = n.Val, n.Known || e.Known
		n = e
	}
	out := c.Out(d, symshape.Shape{n})
	if k, ok := n.Const(); ok && k <= value.MaxElems && ops.Tracked(d) {
		// numpy computes start + i*delta, where delta is the difference of the first two.
		first := c.Ramp(d, ops.WideDType(def), x[0], x[2], min(int(k), 2))
		if start, step, ok := firstTwo(c, d, first); ok {
			out.SetContents(c.RampIn(d, start, step, int(k)))
		} else {
			out.SetContents(c.Ramp(d, ops.WideDType(def), x[0], x[2], int(k)))
		}
	}
	return out
}

// firstTwo gives the first of some floats, and the step to the second; ok is false where there are
// not two known floats. NumPy's fill function computes all elements from these.
func firstTwo(c *ops.Call, d dtype.DType, first []value.Value) (start, step value.Value, ok bool) {
	if len(first) < 2 {
		return nil, nil, false
	}
	_, ok1 := first[0].(value.Float)
	_, ok2 := first[1].(value.Float)
	if !ok1 || !ok2 {
		return nil, nil, false
	}
	step = ops.SubElem(c, d, []value.Value{first[1], first[0]})
	return first[0], step, step != nil
}

// symbolicElem reports whether an element is an expression and no constant.
func symbolicElem(v value.Value) bool {
	switch v := v.(type) {
	case *value.SymInt:
		_, isConst := v.D.Expr.Const()
		return !isConst
	case *value.SymFloat:
		_, isConst := v.R.Const()
		return !isConst
	}
	return false
}

// geometric is the variant of linspace whose numbers have a constant ratio.
const geometric ops.Variant = "geometric"

// linspaceArray makes the rule of a function that gives n numbers between two. Function
// elems computes them from numbers in binary64; nil: not tracked.
func linspaceArray(elems func(start, stop float64, n int, endpoint bool) []value.Value) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		n := c.Dim("num")
		if !c.AtLeast(n, 0) {
			return c.Errorf("ValueError", diag.BadValue, "%s(): the number of samples must not be negative, but is %s", c.Short(), n)
		}
		a, b := numbers(c, "start"), numbers(c, "stop")
		if a == nil || b == nil {
			return nil
		}
		d := c.Lib.Promote(c, a, b)
		if !c.Numpy1() { // Python numbers are weak
			d = c.Lib.Promote(c, weakOr(c.Value("start"), a), weakOr(c.Value("stop"), b))
		}
		// with the number of samples as a float The number of samples takes part in the promotion
		// as a float: integers become float64.
		if d.IsIntegralOrBool() || c.Is(geometric) && !c.Numpy1() && len(c.Shape(a))+len(c.Shape(b)) == 0 {
			d = dtype.Numpy(d, dtype.F64)
		}
		step := d
		d = arrayDType(c, d)
		shape := symshape.Shape{}
		if len(c.Shape(a))+len(c.Shape(b)) > 0 {
			shape = c.BroadcastTensors(a, b)
		}
		if !c.OK() {
			return nil
		}
		// The new axis counts in the result, which has one more than the bounds.
		at := c.Int("axis")
		if at < 0 {
			at += len(shape) + 1
		}
		if at < 0 || at > len(shape) {
			return c.Errorf("ValueError", diag.DimOutOfRange, "%s(): axis %d is out of range", c.Short(), c.Int("axis"))
		}
		out := c.Out(d, ops.Insert(shape, at, n))
		count, ok := n.Const()
		x, y := a.Contents(), b.Contents()
		endpoint := c.Bool("endpoint")
		if !c.OK() {
			return nil
		}
		if ok && count <= value.MaxElems && len(shape) == 0 && elems != nil && len(x) == 1 && len(y) == 1 && ops.IsNumberElem(x[0]) &&
			ops.IsNumberElem(y[0]) &&
			ops.Tracked(d) {
			out.SetContents(c.CastElems(d, elems(c.ElemReal(x[0]).Val, c.ElemReal(y[0]).Val, int(count), endpoint)))
		}
		// The step has the shape of the bounds and the dtype before dtype=; it is nan where there
		// is no step.
		if c.HasParam("retstep") && c.Value("retstep") != value.Value(value.Bool(false)) {
			by := c.Out(step, slices.Clone(shape))
			if ops.IsConst(n, 0) || ops.IsConst(n, 1) && endpoint {
				return value.NewTuple(out, &value.SymFloat{})
			}
			return value.NewTuple(out, by)
		}
		return out
	}
}

// weakOr is v where that is a Python number, else its array.
func weakOr(v value.Value, t *value.Tensor) value.Value {
	if !ops.IsNumpyScalar(v) && ops.NumberKind(v) != dtype.KindInvalid {
		return v
	}
	return t
}

// linspaced computes as numpy/core/function_base.py does, in binary64.
func linspaced(a, b float64, n int, endpoint bool) []value.Value {
	div := n
	if endpoint {
		div--
	}
	elems := make([]value.Value, n)
	step := (b - a) / float64(div)
	for i := range elems {
		x := float64(i)
		switch {
		case div <= 0:
			x *= b - a
		case step == 0:
			x = x / float64(div) * (b - a)
		default:
			x *= step
		}
		elems[i] = value.Float(x + a)
	}
	if endpoint && n > 1 {
		elems[n-1] = value.Float(b)
	}
	return elems
}

// eyeArray makes the rule of a matrix with ones on a diagonal, and below it: eye and identity take
// sizes as ints, tri (below) as ranges.
func eyeArray(below bool) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		size := c.Dim
		if below { // numpy makes ranges of them: floats are rounded up, and of negative sizes there is nothing
			size = func(name string) symshape.Dim { return rangeSize(c, c.Value(name)) }
		}
		n := size(c.Sig.Params[0].Name)
		m := n
		if c.HasParam("M") && c.Has("M") {
			m = size("M")
		}
		if below && (notNumber(c.Value("k")) != "" || isSequence(c, c.Value("k"))) {
			return c.Errorf("TypeError", diag.TypeMismatch, "%s(): k must be a number", c.Short())
		}
		if below && unsignedScalar(c.Value("k")) {
			return c.Lose("the negated unsigned integer k wraps around")
		}
		for _, x := range [...]symshape.Dim{n, m} {
			if !c.AtLeast(x, 0) {
				return c.Errorf("ValueError", diag.InvalidSize, "%s(): a size must not be negative, but is %s", c.Short(), x)
			}
		}
		d := arrayDType(c, dtype.F64)
		if !c.OK() {
			return nil
		}
		out := c.Out(d, symshape.Shape{n, m})
		lay(c, out, nil, orderOf(c, "C"))
		rows, ok1 := n.Const()
		cols, ok2 := m.Const()
		// Up to 256 elements are kept.
		if !ok1 || !ok2 || rows > 256 || cols > 256 || rows*cols > 256 || !ops.Tracked(d) {
			return out
		}
		k := 0
		if c.HasParam("k") {
			n, known := value.AsInt(wholeOf(c.Value("k")))
			if k = int(n); !known {
				return out
			}
		}
		elems := make([]value.Value, 0, rows*cols)
		for i := range int(rows) {
			for j := range int(cols) {
				e := value.Int(0)
				if j-i == k || below && j-i <= k {
					e = 1
				}
				elems = append(elems, c.CastElem(d, e))
			}
		}
		out.SetContents(elems)
		return out
	}
}

// unsignedScalar reports whether v is a scalar of numpy of an unsigned dtype: negated it wraps around.
func unsignedScalar(v value.Value) bool {
	i, ok := v.(*value.Instance)
	return ok && ops.IsNumpyScalar(i) && ops.ScalarDType(i).IsIntegral() && !ops.ScalarDType(i).IsSigned()
}

// rangeSize is the number of elements of numpy.arange(v): a float is rounded up, and a negative
// number is none.
func rangeSize(c *ops.Call, v value.Value) symshape.Dim {
	v = value.Plain(v)
	if f, ok := v.(value.Float); ok {
		v = value.Int(math.Ceil(float64(f)))
	}
	d := c.ToDim("N", v)
	if n, ok := d.Const(); ok && n < 0 {
		return c.Const(0)
	}
	return d
}

// scalarNew is np.float32(x) and so on: a scalar of a number, but an array of a sequence. Complex dtypes take
// an imaginary part since NumPy 2.
func scalarNew(c *ops.Call) value.Value {
	cls, _ := c.Value("cls").(*value.Class)
	if cls == nil {
		return c.Lose("the class is not known")
	}
	d, ok := DTypeOf(cls)
	if !ok {
		return c.Lose("%s is not modelled", cls.Name)
	}
	if more := c.Rest(); len(more) > 0 {
		if c.Numpy1() || !d.IsComplex() || len(more) > 1 {
			return c.Errorf("TypeError", diag.BadCall, "%s() takes one argument, not %d", d.Numpy(), 1+len(more))
		}
		return c.Out(d, symshape.Shape{}) // the imaginary part
	}
	x := parsed(c, c.Value("x"), d)
	if !c.OK() || x == nil {
		return nil
	}
	t := ToArray(c, x)
	if t == nil {
		return nil
	}
	if fits(c, x, d); !c.OK() {
		return nil
	}
	out := c.Like(t, d)
	c.Convert(out, t.Contents())
	if !out.Type().Ranked {
		return KeepArray(c, out)
	}
	return out
}

// tensorNumpy is Tensor.numpy: an array in the tensor's memory. What it refuses, as tensors that require
// gradients, force=True copies.
func tensorNumpy(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	if ops.IsArray(t) {
		return t
	}
	if c.HasParam("force") && c.Value("force") == value.Value(value.Bool(true)) {
		x := *t
		x.RequiresGrad = false
		ty := *t.Type()
		ty.Device = ""
		out := c.OutType(ty)
		out.SetContents(x.Contents())
		return KeepArray(c, out)
	}
	a := c.ArrayOfTensor(t)
	if a == nil {
		return nil
	}
	if c.HasParam("dtype") {
		return KeepArray(c, astype(c, a, arrayDType(c, a.Type().DType)))
	}
	return a
}

// geomspaceArray is linspaceArray for a constant ratio, of which 0 is no end (ValueError). Elements
// are not computed.
func geomspaceArray(c *ops.Call) value.Value {
	for _, name := range [...]string{"start", "stop"} {
		t := numbers(c, name)
		if t == nil {
			return nil
		}
		for _, e := range t.Contents() {
			if x, ok := value.AsFloat(e); ok && x == 0 {
				return c.Errorf("ValueError", diag.BadValue, "geomspace(): a geometric sequence cannot include 0, which is in %s", name)
			}
		}
	}
	return linspaceArray(nil)(c)
}
