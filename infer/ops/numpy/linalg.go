package numpy

// This file holds numpy's products and linear algebra. Products in NumPy promote their operands, so
// that both are converted to one dtype before a rule of PyTorch, which demands it, has the shape.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
	"slices"
	"strings"
)

// arrayLinalgOps lists numpy's products of arrays, convolutions, interpolation and einsum. vdot and outer
// flatten both operands; vdot needs equal numbers of elements, and a result of outer may be broadcast to
// out=. kron with a scalar second operand is a multiplication. Each record says what it promotes
// and where it differs from PyTorch's function of that name.
func arrayLinalgOps() []ops.Op {
	return []ops.Op{
		array("matmul", "(any x1, any x2, any out=None, *, any casting='same_kind', any order='K', any dtype=None, any subok=True, any axes=None, any axis=None)",
			matmulArrays, "matrix product; leading axes broadcast").
			With(ops.Op{Is: graph.NewIfRows}),
		array("__matmul__", dunderPair, matmulArrays, "matrix product"),
		array("__imatmul__", dunderPair, matmulInPlace, "matrix product in place, since numpy 1.25"),
		array("__rmatmul__", dunderPair, func(c *ops.Call) value.Value { return product(c, "x2", "x1") },
			"matrix product with the operands exchanged"),
		array("+dot", "(any a, any b, any out=None)", dotArrays, "product over the last axis and the last but one").
			With(ops.Op{Is: graph.NewIfRows}),
		array("inner", "(any a, any b)", innerArrays, "product over the last axes"),
		// vdot and outer flatten both operands.
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
			// out= of outer is a ufunc's, to which the result is cast under same_kind.
			if t, ok := v.(*value.Tensor); ok && c.Has("out") { // a product, whose result may be broadcast there
				return writeCast(c, c.Value("out"), t, "same_kind")
			}
			return v
		}, "all products of two vectors"),
		array("tensordot", "(any a, any b, any axes=2)", tensordotArrays, "product over given axes"),
		// NumPy multiplies by a number b, whatever its dimensions.
		array("kron", "(any a, any b)", func(c *ops.Call) value.Value {
			if b := numbers(c, "b"); b != nil && b.Type().Ranked && len(b.Type().Shape) == 0 {
				return ufMul.apply(c, c.Value("a"), b)
			}
			return c.Delegate("torch.kron", pair(c, "a", "b"))
		}, "Kronecker product"),
		array("cross", "(any a, any b, any axisa=-1, any axisb=-1, any axisc=-1, any axis=None)", crossArrays,
			"cross product of vectors of two or three numbers"),
		array("einsum", "(*operands, **kwargs)", einsumArrays, "sums of products by Einstein's convention"),
		array("convolve", "(any a, any v, any mode='full')", convolveArrays, "convolution of vectors"),
		array("correlate", "(any a, any v, any mode='valid')", convolveArrays, "correlation of vectors").With(ops.Op{Variant: needsVectors}),
		array("interp", "(any x, any xp, any fp, any left=None, any right=None, any period=None)", interpArray, "linear interpolation"),
	}
}

// needsVectors: an array without dimensions is no vector of one element.
const needsVectors ops.Variant = "vectors"

// pair reads two arrays and converts them to one dtype; nil after a fault. Both must hold numbers.
func pair(c *ops.Call, a, b string) []value.Value {
	x, y := numbers(c, a), numbers(c, b)
	if x == nil || y == nil {
		return nil
	}
	return ofOneDType(c, x, y)
}

// ofOneDType converts two arrays to the dtype of both. Where one dtype is not known, the result
// would not be right for the other, and is lost. Both become arrays where they were scalars or
// lists.
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
		// A literal has no class yet.
		if t.Class == nil {
			t.Class = c.NDArray()
		}
	}
	return []value.Value{x, y}
}

// matmulInPlace is x1 @= x2, of which the result must be of the array's shape and kind. Before
// NumPy 1.25 the operator is a TypeError. The result is cast to the array's dtype.
func matmulInPlace(c *ops.Call) value.Value {
	if ops.NumpyBefore(c.Th, 25) {
		return c.Errorf("TypeError", diag.BadCall, "matrix products in place are not supported before numpy 1.25: write a = a @ b")
	}
	t, isArray := c.Value("x1").(*value.Tensor)
	v := product(c, "x1", "x2")
	if r, ok := v.(*value.Tensor); ok && isArray && c.OK() {
		sameKind(c, r.Type().DType, t.Type().DType)
		if have, want := t.Type(), r.Type(); c.OK() && have.Ranked && want.Ranked &&
			(len(have.Shape) != len(want.Shape) || !c.SameSizes(want.Shape, have.Shape)) {
			return c.Shapef("matrix product in place: a result of shape %s cannot be written to an array of shape %s", want.Shape, have.Shape)
		}
		return astype(c, r, t.Type().DType)
	}
	return v
}

// matmulArrays is @ and matmul, a universal function with a signature, which explains axes= and
// axis=. axis= and axes= are not those of other functions; both are rare, and neither is followed.
func matmulArrays(c *ops.Call) value.Value {
	if c.Has("axis") {
		return c.Errorf("TypeError", diag.BadCall, "matmul(): axis works only with a single shared dimension: give axes")
	}
	if c.Has("axes") {
		return c.Lose("the argument axes is not modelled")
	}
	return product(c, "x1", "x2")
}

// product is the matrix product of two arguments, which must have dimensions. dtype= is what is
// computed in, and out= takes the result. The shape is torch.matmul's: vectors get an axis that
// goes again, matrices (n, k) and (k, m) give (n, m), and the leading axes broadcast.
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
	if c.HasParam("dtype") && value.IsUnknown(c.Value("dtype")) {
		return c.Lose("the dtype is not known")
	}
	// dtype= converts both under casting=, which is same_kind by default.
	if asked := arrayDType(c, dtype.Unknown); asked != dtype.Unknown {
		for i, x := range [...]string{left, right} {
			if from := numbers(c, x).Type().DType; !canCast(from, asked, casting(c)) {
				return c.Errorf("TypeError", diag.DTypeMismatch, "matmul in %s: %s cannot be converted to that with casting '%s'", asked.Numpy(),
					from.Numpy(), casting(c))
			}
			ts[i] = astype(c, ts[i].(*value.Tensor), asked)
		}
	}
	if !c.OK() {
		return nil
	}
	v := c.Delegate("torch.matmul", ts)
	if t, ok := v.(*value.Tensor); ok && c.HasParam("out") && c.Has("out") {
		// A result with leading sizes of 1 fits an out= without them.
		if o, ok := c.Value("out").(*value.Tensor); ok && o.Type().Ranked && t.Type().Ranked { // sizes 1 in front may be missing in out
			s := t.Type().Shape
			for len(s) > len(o.Type().Shape) && ops.IsConst(s[0], 1) {
				s = s[1:]
			}
			if len(s) < len(t.Type().Shape) {
				t = c.Out(t.Type().DType, slices.Clone(s))
			}
		}
		return writeArray(c, c.Value("out"), t)
	}
	return v
}

// overAxes multiplies a and b over one axis of each: axis i of a and j of b must be equal, and the
// result has the other axes of a, then those of b. ts are of one dtype. The elements of two vectors
// of integers are multiplied.
func overAxes(c *ops.Call, ts []value.Value, i, j int) value.Value {
	a, b := ts[0].(*value.Tensor), ts[1].(*value.Tensor)
	s, r := c.Shape(a), c.Shape(b)
	if _, ok := c.Same(s[i], r[j]); !ok {
		c.Blame(ops.Ref{Tensor: a, Axis: i}, ops.Ref{Tensor: b, Axis: j})
		return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): size %s at dimension %d of %s and size %s at dimension %d of %s do not match",
			c.Short(), s[i], i, a, r[j], j, b)
	}
	out := c.Out(a.Type().DType, append(ops.Without(s, i), ops.Without(r, j)...))
	if len(s) == 1 && len(r) == 1 {
		out.SetContents(dotElems(c, a.Type().DType, a.Contents(), b.Contents()))
	}
	return out
}

// dotElems is the product of two vectors of integers, nil where elements are not known. Floats
// would depend on the order of the sum. The sum begins at 0.
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

// dotArrays: for up to two dimensions dot is matmul, with numbers it multiplies, and of more it sums over the
// last axis of a and the last but one of b, without a batch: the axes of both are in the result, one after the
// other. A vector with a matrix is matmul too; two vectors are their inner product, with no
// dimensions.
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

// times multiplies element by element: operands of one dtype that broadcast.
func times(c *ops.Call, ts []value.Value) value.Value {
	return c.Pointwise(ts[0].(*value.Tensor).Type().DType, ops.MulElem, ts...)
}

// outOr writes a product to out=, which must be an array of its shape and dtype (ValueError). dot
// writes straight into out=, so that the dtypes must be equal, unlike for ufuncs.
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

// innerArrays sums over the last axes of both, which must be equal; numbers multiply. The result
// has the other axes of a, then those of b, without a batch.
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

// tensordotArrays: axes is a number of axes, or a pair of which either part may be an int. An int n
// means the last n axes of a and the first n of b. The other axes of a come first in the result,
// then those of b.
func tensordotArrays(c *ops.Call) value.Value {
	ts := pair(c, "a", "b")
	if ts == nil {
		return nil
	}
	axes := plainArgs(c.Value("axes"))
	// A negative number is no axis at all in NumPy, as ranges of it are empty.
	if n, ok := value.AsInt(axes); ok && n < 0 { // ranges of no axes
		axes = value.Int(0)
	}
	if !contractible(c, ts, axes) {
		return nil
	}
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

// contractible checks that the axes over which tensordot adds have equal sizes: unlike PyTorch,
// numpy does not stretch those of size 1. It reports whether they have. Axes that are not numbers,
// or not there, are left to torch.tensordot's rule.
func contractible(c *ops.Call, ts []value.Value, axes value.Value) bool {
	a, b := ts[0].(*value.Tensor), ts[1].(*value.Tensor)
	s, r := c.Shape(a), c.Shape(b)
	if !c.OK() {
		return false
	}
	var left, right []value.Value
	// The last n axes of a in order, with the first n of b.
	if n, ok := value.AsInt(axes); ok {
		for i := range max(n, 0) {
			left, right = append(left, value.Int(int64(len(s))-n+i)), append(right, value.Int(i))
		}
	} else if t, ok := axes.(*value.Tuple); ok && len(t.Elems) == 2 {
		left, right = tupleOf(t.Elems[0]), tupleOf(t.Elems[1])
	}
	// Axes of both, in pairs.
	for k := range min(len(left), len(right)) {
		i, ok1 := value.AsInt(left[k])
		j, ok2 := value.AsInt(right[k])
		if i < 0 {
			i += int64(len(s))
		}
		if j < 0 {
			j += int64(len(r))
		}
		if !ok1 || !ok2 || i < 0 || j < 0 || i >= int64(len(s)) || j >= int64(len(r)) {
			continue // the rule says what is wrong
		}
		if _, ok := c.Same(s[i], r[j]); !ok {
			c.Blame(ops.Ref{Tensor: a, Axis: int(i)})
			c.Errorf("ValueError", diag.ShapeMismatch, "%s(): axis %d of size %s and axis %d of size %s do not match: %s and %s",
				c.Short(), int(i),
				s[i], int(j), r[j], a, b)
			return false
		}
	}
	return true
}

// einsumArrays needs an equation and operands, or operands beside lists of subscripts. Operands are
// promoted to one dtype, in which numpy also adds; dtype= asks for another, to which every operand must
// cast safely. Shapes follow torch.einsum, and out= must have the shape of the result.
func einsumArrays(c *ops.Call) value.Value {
	args := c.Rest()
	// Parameters by name are read by hand, since the operands take all others.
	out, asked, optimize := value.Value(value.None), dtype.Unknown, false
	if kw, ok := c.Value("kwargs").(*value.Dict); ok {
		for _, k := range kw.Keys() {
			name, _ := value.AsStr(k)
			v, _ := kw.GetStr(name)
			switch name {
			case "out":
				out = v
			case "dtype":
				if v != value.None {
					d, known := DTypeOf(v)
					if !known || d == dtype.Unknown {
						return c.Lose("einsum in a dtype that is not known")
					}
					asked = d
				}
			// optimize may be a text or a list; both count as true.
			case "optimize":
				optimize = v != value.Value(value.Bool(false)) && v != value.None
			case "order", "casting":
			default:
				return c.Errorf("TypeError", diag.BadCall, "einsum() has no parameter '%s'", name)
			}
		}
	}
	if len(args) < 2 {
		return c.Errorf("ValueError", diag.BadCall, "einsum() needs an equation and operands")
	}
	equation, isText := value.AsStr(args[0])
	operands := args[1:]
	if !isText {
		if equation, operands = listSubscripts(c, args); !c.OK() {
			return nil
		}
	}
	// At least one operand remains.
	ts := OneDType(c, value.NewTuple(operands...))
	if ts == nil {
		return nil
	}
	d := ts[0].(*value.Tensor).Type().DType
	// The view keeps the operand's dtype.
	if len(ts) == 1 && out == value.None && !sums(equation) { // a view
		asked = dtype.Unknown
	}
	if asked != dtype.Unknown && asked != d {
		for _, t := range ts {
			if from := t.(*value.Tensor).Type().DType; !canCast(from, asked, "safe") {
				return c.Errorf("TypeError", diag.DTypeMismatch, "einsum(): %s cannot be converted to %s", t, asked.Numpy())
			}
		}
		if ts = ToArrays(c, ts); ts == nil {
			return nil
		}
		for i := range ts {
			ts[i] = astype(c, ts[i].(*value.Tensor), asked)
		}
		d = asked
	}
	if !c.OK() {
		return nil
	}
	v := c.DelegateTensor("torch.einsum", append([]value.Value{value.Str(equation)}, ts...))
	if v == nil {
		return nil
	}
	// PyTorch adds bools and small integers in a wider dtype.
	if v.Type().DType != d && d != dtype.Unknown { // numpy adds in the operands' dtype
		v = astype(c, v, d)
	}
	switch {
	case out != value.None:
		return writeShaped(c, out, v, "safe")
	case optimize && (c.Numpy1() || shares(equation)):
		return KeepArray(c, v)
	}
	return v
}

// sums reports whether an equation of one operand adds anything. An index that is missing on the
// right is added over; without a right side, one that appears twice.
func sums(equation string) bool {
	in, out, arrow := strings.Cut(strings.NewReplacer(" ", "", ".", "").Replace(equation), "->")
	return strings.ContainsFunc(in, func(r rune) bool {
		return arrow && !strings.ContainsRune(out, r) || !arrow && strings.Count(in, string(r)) > 1
	})
}

// shares reports whether two operands of an equation have an index in common: numpy 2 multiplies them as matrices when it may
// optimize, and the result is an array, also without dimensions, as all results of numpy 1 are
// then. Dots of an ellipsis count as indices that all operands share.
func shares(equation string) bool {
	in, _, _ := strings.Cut(strings.ReplaceAll(equation, " ", ""), "->")
	operands := strings.Split(in, ",")
	for i, a := range operands {
		for _, b := range operands[:i] {
			if strings.ContainsAny(strings.ReplaceAll(a, ".", ""), b) {
				return true
			}
		}
	}
	return strings.Contains(in, ",") && strings.Contains(in, "...")
}

// subscriptLetters are what the numbers of einsum's lists of subscripts stand for. The order is
// that of NumPy, upper case first.
const subscriptLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// listSubscripts makes an equation of operands with lists of subscripts: operand, list, …, and
// perhaps the list of the result. It is NumPy's other form, einsum(a, [0, 1], b, [1, 2], [0, 2]).
// It notes a fault and returns nothing for what is no such list.
func listSubscripts(c *ops.Call, args []value.Value) (equation string, operands []value.Value) {
	var b strings.Builder
	text := func(v value.Value) {
		elems, isList, open := c.Sequence(v)
		switch {
		case open != nil || value.IsUnknown(v):
			c.Lose("the subscripts are not known")
			return
		case !isList:
			c.Errorf("TypeError", diag.TypeMismatch, "einsum(): the subscripts of an operand must be a list or a tuple, not %s", ops.TypeName(v))
			return
		}
		for _, e := range elems {
			n, isInt := value.AsInt(value.Plain(e))
			switch {
			case e == value.Value(value.Ellipsis):
				b.WriteString("...")
			case isInt && ops.NumberKind(e) == dtype.KindInt:
				if n < 0 || n >= int64(len(subscriptLetters)) {
					c.Errorf("ValueError", diag.BadValue, "einsum(): the subscript %d is not in the range from 0 to %d", n, len(subscriptLetters)-1)
					return
				}
				b.WriteByte(subscriptLetters[n])
			case value.IsUnknown(e):
				c.Lose("a subscript is not known")
				return
			default:
				c.Errorf("TypeError", diag.TypeMismatch, "einsum(): each subscript must be an int or an ellipsis, not %s", ops.TypeName(e))
				return
			}
		}
	}
	// Operands and lists in turns.
	for i := 0; i+1 < len(args); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		operands = append(operands, args[i])
		if text(args[i+1]); !c.OK() {
			return "", nil
		}
	}
	// An odd number of arguments has the list of the result at the end.
	if len(args)%2 == 1 {
		b.WriteString("->")
		text(args[len(args)-1])
	}
	return b.String(), operands
}

// crossArrays needs vectors of two or three numbers along an axis of each operand; the other axes
// broadcast. Two vectors of two numbers give the broadcast shape alone, all others that shape with an axis
// of size 3 at axisc. The keyword axis overrides the three others. The dtype is the promoted one.
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
		// Whether it is two or three decides the rank of the result, so it must be known.
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
	// The new axis is counted in the result.
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

// convolveArrays needs two vectors of n and m elements, none of them empty; convolve takes scalars as
// vectors of one. The result has n+m-1 elements in mode "full", max(n, m) in "same", and max(n, m) -
// min(n, m) + 1 in "valid", in the promoted dtype. A mode may be numpy's number in C: 0 valid, 1 same, 2
// full. mode=None is a TypeError, another text a ValueError.
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
	// The argument is replaced by its name, so that one check follows.
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
	mode := oneOf(c, "mode", "full", "same", "valid")
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
	return c.Lose("the mode is not known")
}

// interpArray: points and values are vectors of one length; the result has the shape of x. That points grow is
// not checked by NumPy either. The result is float64, or complex128 for complex values. Places are
// real.
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
	// There must be at least one point, which becomes a condition for a symbol.
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
