package chainer

// This file holds the functions that join inputs or divide one. Lists of unknown length are in
// openlist.go: each rule here asks for one first (openList). The demands are written as texts, as
// in Chainer's own type checks (expect), so that messages read like Chainer's.

import (
	"strconv"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// Expectations are texts, in which numbers of inputs and axes stand.
func itoa(n int) string { return strconv.Itoa(n) }

// joins lists the functions that join inputs or divide one. Joined inputs have one dtype and agree on the
// other axes, on all axes for stack; separate cannot divide an axis of size 0. Lists of unknown length
// give results of unknown number.
func joins() []ops.Op {
	return []ops.Op{
		// The default axis is 1, in contrast to NumPy's 0, as the first axis is the batch.
		fn("concat", "Concat", "(xs, axis=1)", func(k *call) value.Value {
			n := k.integer("axis")
			return k.join(n, 0)
		}, "inputs one after the other along an axis"),
		fn("hstack", "Hstack", "(xs)", func(k *call) value.Value { return k.join(1, 1) }, "inputs side by side"),
		fn("vstack", "Vstack", "(xs)", func(k *call) value.Value { return k.join(0, 2) }, "inputs one below the other"),
		fn("dstack", "Dstack", "(xs)", func(k *call) value.Value { return k.join(2, 3) }, "inputs one behind the other"),
		fn("stack", "Stack", "(xs, axis=0)", func(k *call) value.Value {
			n := k.integer("axis")
			count, isOpen := k.openList("xs")
			var xs []*value.Tensor
			if !isOpen {
				xs = k.list("xs")
				count = k.Const(int64(len(xs)))
			}
			if !isOpen && !k.some(xs) {
				return nil
			}
			s := k.s("x0")
			if !k.OK() {
				return nil
			}
			// The axis of stack is one of the result, which has one axis more.
			if n > len(s) || n < -len(s)-1 {
				k.invalid(diag.DimOutOfRange, "-x0.ndim - 1 <= axis <= x0.ndim", "axis "+itoa(n)+", x0.ndim "+itoa(len(s)))
				return nil
			}
			if n < 0 {
				n += len(s) + 1
			}
			for i := range xs {
				if i > 0 && !k.expect("x"+itoa(i)+".dtype == x0.dtype", "x"+itoa(i)+".shape == x0.shape") {
					return nil
				}
			}
			return k.out(k.d("x0"), ops.Insert(s, n, count)...)
		}, "inputs of one shape along a new axis"),
		fn("split_axis", "SplitAxis", "(x, indices_or_sections, axis, force_tuple=True)", splitRule,
			"parts along an axis, of one size or at indices"),
		fn("separate", "Separate", "(x, axis=0)", func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			a := k.axis("axis", "x")
			s := k.s("x")
			if !k.OK() {
				return nil
			}
			// Each element of the axis is a result of its own, so that their number must be known.
			// A number that is not known gives a tuple of unknown length.
			n, ok := ops.DimVal(s[a])
			if !ok {
				return k.openParts(k.Out(k.d("x"), ops.Without(s, a)), s[a])
			}
			if n == 0 {
				return k.Errorf("ZeroDivisionError", diag.BadValue, "separate(): axis %d has no elements", a)
			}
			// The number of results makes the size a number from now on.
			k.Pin(s[a], n)
			parts := make([]value.Value, n)
			for i := range parts {
				parts[i] = k.Out(k.d("x"), ops.Without(s, a))
			}
			return value.NewTuple(parts...)
		}, "the elements of an axis one by one"),
		fn("pad_sequence", "PadSequence", "(xs, length=None, padding=0)", padSequenceRule, "inputs of different lengths as one batch"),
		fn("transpose_sequence", "TransposeSequence", "(xs)", transposeSequenceRule, "sequences by step, of steps by sequence"),
	}
}

// some checks that there are inputs, as Chainer's type check does, and reports whether there are.
// The message is that of Chainer's type check for an empty list.
func (k *call) some(xs []*value.Tensor) bool {
	if k.OK() && len(xs) == 0 {
		k.Errorf(InvalidType, diag.BadCall, "%s(): invalid operation in %s (Forward): expect in_types.size > 0, actual 0 <= 0", k.Short(),
			k.label)
	}
	return k.OK()
}

// join puts inputs one after the other along an axis. Of a stack (1 for hstack, 2 for vstack, 3 for
// dstack, else 0), inputs with too few axes get more. Dtypes, ranks and the other sizes must be
// equal. Chainer's functions of this name (F.concat, hstack, vstack, dstack) are documented as
// NumPy's. The result has the dtype of all.
func (k *call) join(axis, stack int) value.Value {
	if count, ok := k.openList("xs"); ok {
		return k.openJoin(count, axis, stack)
	}
	xs := k.list("xs")
	if !k.some(xs) {
		return nil
	}
	s := k.s("x0")
	if !k.OK() {
		return nil
	}
	rank := len(s)
	// A stack's axis is that of the shapes after they got more axes.
	if stack == 0 {
		axis = k.wrap(axis, "x0")
	}
	for i := range xs {
		x := "x" + itoa(i)
		if i == 0 || !k.expect("x0.dtype == "+x+".dtype", "x0.ndim == "+x+".ndim") {
			continue
		}
		// Vectors that become rows need equal lengths; those that are joined end to end do not.
		switch {
		case stack == 1 && rank <= 1:
			continue
		case stack == 2 && rank <= 1, stack == 3 && rank <= 2:
			k.expect("x0.shape == " + x + ".shape")
			continue
		}
		for d := range rank {
			if d != axis && !k.expect("x0.shape["+itoa(d)+"] == "+x+".shape["+itoa(d)+"]") {
				return nil
			}
		}
	}
	if !k.OK() {
		return nil
	}
	out := append(symshape.Shape(nil), joined(k, k.Shape(xs[0]), stack)...)
	// Vectors side by side are joined along their only axis.
	if stack == 1 && len(out) == 1 {
		axis = 0
	}
	// The sizes along the axis add up.
	total := k.Const(0)
	for _, x := range xs {
		p := joined(k, k.Shape(x), stack)
		if len(p) != len(out) {
			return k.Lose("an input whose shape is not known")
		}
		total = k.P.DimAdd(total, p[axis])
	}
	out[axis] = total
	return k.out(k.d("x0"), out...)
}

// joined is a shape with the axes that a stack adds to few: as numpy.atleast_1d, 2d and 3d do.
// hstack makes a number a vector, vstack a row, dstack a layer.
func joined(k *call, s symshape.Shape, stack int) symshape.Shape {
	one := k.Const(1)
	switch {
	case stack == 1 && len(s) == 0:
		return dims(one)
	case stack == 2 && len(s) == 0:
		return dims(one, one)
	case stack == 2 && len(s) == 1:
		return dims(one, s[0])
	case stack == 3 && len(s) == 0:
		return dims(one, one, one)
	case stack == 3 && len(s) == 1:
		return dims(one, s[0], one)
	case stack == 3 && len(s) == 2:
		return dims(s[0], s[1], one)
	}
	return s
}

// splitRule divides an axis into a number of equal sections, which must divide its size, or at indices,
// the last of which must not exceed it; others are taken as slices take them. An array of indices is a
// vector of signed integers, and a number of sections Python's int. A single part is returned alone when
// force_tuple is false.
func splitRule(k *call) value.Value {
	v := k.Value("indices_or_sections")
	var at []symshape.Dim
	// The number of indices of which nothing else is known. Only the count is known: openSplit
	// gives that many parts of unknown size.
	var unknown *symshape.Dim // the number of indices that are not known
	bySize := false
	switch x := v.(type) {
	case *value.Tuple, *value.List, *value.Range:
		elems, ok, open := k.Sequence(x)
		switch {
		case open != nil && len(elems) == 0:
			unknown = &open.Len
		case !ok || open != nil:
			return k.Lose("the indices are not known")
		}
		for _, e := range elems {
			at = append(at, k.asInt("indices_or_sections", e))
		}
	// An array of indices must be a vector of signed integers; without dimensions it is the number
	// of sections.
	case *value.Tensor:
		switch d := x.Type().DType; {
		case IsVariable(x), d != dtype.Unknown && !d.IsSigned() && !k.Empty(x), x.Type().Rank() > 1:
			return k.Errorf("TypeError", diag.TypeMismatch, "split_axis(): indices_or_sections must be a sequence of ints, not %s", x)
		case x.Contents() == nil && x.Type().Rank() == 1:
			n := k.Shape(x)[0]
			unknown = &n
		case x.Contents() == nil:
			return k.Lose("the indices are not known")
		case x.Type().Rank() == 0:
			bySize = true
			at = append(at, k.asInt("indices_or_sections", x.Contents()[0]))
		default:
			for _, e := range x.Contents() {
				at = append(at, k.asInt("indices_or_sections", e))
			}
		}
	default:
		bySize = true
		// NumPy's scalars are refused by Chainer, which checks for int.
		if ops.IsNumpyScalar(v) {
			return k.Errorf("TypeError", diag.TypeMismatch,
				"split_axis(): 'indices_or_sections' must be an int of Python or a sequence of ints, not %s: use int()", ops.TypeName(v))
		}
		at = append(at, k.number("indices_or_sections"))
	}
	n := k.integer("axis")
	force := k.flag("force_tuple")
	if !k.apply("x") {
		return nil
	}
	s := k.s("x")
	if !k.OK() {
		return nil
	}
	a := k.wrap(n, "x")
	if !k.OK() {
		return nil
	}
	if unknown != nil {
		return k.openSplit(*unknown, a, force)
	}
	var parts []value.Value
	if bySize {
		if z, ok := ops.DimVal(at[0]); ok && z == 0 {
			return k.Errorf("ZeroDivisionError", diag.BadValue, "split_axis(): into 0 sections")
		}
		if z, ok := ops.DimVal(at[0]); ok && z < 0 {
			return k.Errorf("ValueError", diag.BadValue, "split_axis(): into %d sections", z)
		}
		// Equal sections, without a rest.
		if !k.MultipleOf(s[a], at[0]) {
			k.Blame(ops.Ref{Tensor: k.t("x"), Axis: a})
			k.invalid(diag.ShapeMismatch, "x.shape["+itoa(a)+"] % sections == 0", s[a].String()+" % "+at[0].String()+" != 0")
			return nil
		}
		count, ok := ops.DimVal(at[0])
		each := k.P.DimFloorDiv(s[a], at[0])
		// Too many parts are kept as a tuple of unknown length.
		if !ok || count > 4096 {
			return k.openParts(k.Out(k.d("x"), ops.With(s, a, each)), at[0])
		}
		for range count {
			parts = append(parts, k.Out(k.d("x"), ops.With(s, a, each)))
		}
	} else {
		// Only the last index is compared with the size.
		if len(at) > 0 && !k.holds(">=", s[a], at[len(at)-1]) {
			k.Blame(ops.Ref{Tensor: k.t("x"), Axis: a})
			k.invalid(diag.ShapeMismatch, "x.shape["+itoa(a)+"] >= max_index", s[a].String()+" < "+at[len(at)-1].String())
			return nil
		}
		// Each part goes from one index to the next, none of them backwards.
		from := k.Const(0)
		for i := 0; i <= len(at); i++ {
			to := s[a]
			if i < len(at) {
				to = k.clampIndex(at[i], s[a])
			}
			parts = append(parts, k.Out(k.d("x"), ops.With(s, a, k.P.DimMax(k.P.DimSub(to, from), k.Const(0)))))
			from = to
		}
	}
	// force_tuple is true by default since Chainer 2.
	if len(parts) == 1 && !force {
		return parts[0]
	}
	return value.NewTuple(parts...)
}

// clampIndex is an index as a slice takes it: counted from the end where it is negative, and not
// beyond it. size may be a symbol.
func (k *call) clampIndex(at, size symshape.Dim) symshape.Dim {
	if n, ok := ops.DimVal(at); ok && n < 0 {
		return k.P.DimMax(k.P.DimAdd(size, at), k.Const(0))
	}
	// Where it is known that the index is within, no minimum is needed.
	if k.Decide(k.P.Le(at.Expr, size.Expr)) == symshape.Yes {
		return at
	}
	return k.P.DimMin(at, size)
}

// padSequenceRule needs at least one sequence; all agree in dtype and in the axes after the first. The
// result has an axis for the sequences and one of the greatest length, or of length=, which none may
// exceed. padding must be a number where anything is padded. It raises InvalidType for what does
// not agree. A padding that is no number is a TypeError.
func padSequenceRule(k *call) value.Value {
	if count, ok := k.openList("xs"); ok {
		return k.openPad(count)
	}
	xs := k.list("xs")
	if !k.some(xs) {
		return nil
	}
	for i := range xs {
		x := "x" + itoa(i)
		if !k.expect(x+".ndim > 0", x+".shape[1:] == x0.shape[1:]", x+".dtype == x0.dtype") {
			return nil
		}
	}
	var length symshape.Dim
	// A given length is at least that of each sequence.
	if k.Has("length") {
		length = k.number("length")
		k.let("length", length)
		for i := range xs {
			if !k.expect("x" + itoa(i) + ".shape[0] <= length") {
				return nil
			}
		}
	} else {
		for i, x := range xs {
			d := k.Shape(x)[0]
			if i > 0 {
				d = k.P.DimMax(length, d)
			}
			length = d
		}
	}
	// The check is made by NumPy's assignment, so that it fails only where something is assigned.
	if v := k.Value("padding"); k.OK() && !isNumber(v) && !value.IsUnknown(v) {
		if _, isTensor := v.(*value.Tensor); !isTensor {
			same := true // nothing is padded
			for _, x := range xs {
				same = same && k.Decide(k.P.Eq(k.Shape(x)[0].Expr, length.Expr)) == symshape.Yes
			}
			if !same {
				return k.Errorf("TypeError", diag.TypeMismatch, "pad_sequence(): padding must be a number, not %s", ops.TypeName(v))
			}
		}
	}
	if !k.OK() {
		return nil
	}
	return k.out(k.d("x0"), append(dims(k.Const(int64(len(xs))), length), k.s("x0")[1:]...)...)
}

// transposeSequenceRule needs sequences in order of decreasing length that agree in the axes after the
// first. The result is a tuple with one array for each step, which has as many rows as sequences reach
// that step. An empty list gives an empty tuple, an iterator is a TypeError.
func transposeSequenceRule(k *call) value.Value {
	xs := k.list("xs")
	if !k.OK() {
		return nil
	}
	if _, ok := k.Value("xs").(*value.Iterator); ok {
		return k.Errorf("TypeError", diag.TypeMismatch, "transpose_sequence(): %s has no elements by number", ops.TypeName(k.Value("xs")))
	}
	if len(xs) == 0 {
		return value.NewTuple()
	}
	for i := range xs {
		x, next := "x"+itoa(i), "x"+itoa(i+1)
		if i+1 < len(xs) && !k.expect(x+".shape[0] >= "+next+".shape[0]", x+".shape[1:] == "+next+".shape[1:]") {
			return nil
		}
	}
	if len(k.s("x0")) == 0 && k.OK() {
		return k.Errorf("TypeError", diag.RankMismatch, "transpose_sequence(): len() of an array without dimensions")
	}
	if !k.OK() {
		return nil
	}
	// The lengths become numbers, since they decide how many results there are. Symbolic lengths
	// are pinned to their values in this run.
	lengths := make([]int64, len(xs))
	for i, x := range xs {
		n, ok := ops.DimVal(k.Shape(x)[0])
		if !ok {
			return k.Lose("the length of sequence %d is not known", i)
		}
		k.Pin(k.Shape(x)[0], n)
		lengths[i] = n
	}
	// The memory of the run bounds the number of steps.
	var out []value.Value
	for step := int64(0); step < lengths[0] && k.Th.Alloc(64) == nil; step++ {
		n := int64(0)
		for _, l := range lengths {
			if l > step {
				n++
			}
		}
		out = append(out, k.Out(k.d("x0"), append(dims(k.Const(n)), k.s("x0")[1:]...)))
	}
	return value.NewTuple(out...)
}
