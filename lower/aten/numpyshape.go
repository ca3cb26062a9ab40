package aten

// This file lowers what reorders, picks and joins elements of NumPy's arrays, and products of them.
//
// Functions that only rearrange are PyTorch's under other names; products of vectors and matrices
// differ in how they treat axes and are written out. Linear algebra exists as far as it has a
// form in the operators of ONNX: inverses, Cholesky and solving unroll the algorithm for known
// sizes, decompositions have no form.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var numpyShapeRecords = []Record{
	{Op: "numpy.ndarray.flatten", Lower: func(c *Call) {
		x := c.first()
		switch o := c.Str("order"); o {
		case "C":
		case "F":
			perm := identity(c.Rank(c.Node.Args[0].Name))
			slices.Reverse(perm)
			x = c.emit.permute(x, perm)
		default:
			failf("the order %q is not written", o)
		}
		c.Return(c.emit.flat(x))
	}},
	{Op: "numpy.pad", Lower: func(c *Call) {
		c.rename("numpy.pad", "x=array pad_width=pad_width mode=mode keywords=kwargs")
		chainerPad(c)
	}},
	{Op: "numpy.take", Lower: func(c *Call) {
		e := c.emit
		if c.Has("out") {
			failf("out= is not written")
		}
		x, axis := c.first(), int64(0)
		if c.Has("axis") {
			axis = c.Axis("axis", c.Rank("a"))
		} else {
			x = e.flat(x)
		}
		at := c.data(c.Arg("indices"), onnx.Int64)
		switch size := e.dimSize(x, axis); c.Str("mode") {
		case "clip":
			at = e.Op("Min", In(e.atLeastOf(at, 0), e.sub(size, e.I64Scalar(1))))
		case "wrap":
			at = e.Op("Mod", In(at, size))
		}
		c.Return(e.Op("Gather", In(x, at), onnx.IntAttr("axis", axis)))
	}},
	{Op: "numpy.take_along_axis", Lower: func(c *Call) {
		if t, ok := c.Arg("indices").(*graph.Value); !ok || t.Kind != graph.TensorKind {
			failf("the indices are no array")
		}
		adaptRecord("torch.take_along_dim", "self=arr indices=indices dim=axis")(c)
	}},
	{Op: "numpy.repeat", Lower: numpyRepeat},
	{Op: "numpy.sort", Lower: numpySort},
	{Op: "numpy.unique", Lower: numpyUnique},
	{Op: "numpy.bincount", Lower: adaptRecord("torch.bincount", "input=x weights=weights minlength=minlength")},
	{Op: "numpy.meshgrid", Lower: func(c *Call) {
		if !c.Bool("sparse") {
			adaptRecord("torch.meshgrid", "tensors=xi indexing=indexing")(c)
			return
		}
		items := c.Items("xi")
		outs := make([]V, len(items))
		for i, o := range items {
			at := i
			if c.Str("indexing") == "xy" && i < 2 && len(items) > 1 {
				at = 1 - i
			}
			outs[i] = c.emit.Op("Reshape", In(c.data(o, c.OutDType(i)), c.emit.I64(onesBut(len(items), int64(at), -1)...)))
		}
		c.Return(outs...)
	}},
	{Op: "numpy.indices", Lower: func(c *Call) {
		e := c.emit
		if c.Bool("sparse") {
			failf("sparse grids are not written")
		}
		t := c.OutType(0)
		whole := c.ShapeTensor(t.Shape[1:])
		parts := make([]V, len(t.Shape)-1)
		for i := range parts {
			at := e.rangeTo(e.Op("Gather", In(whole, e.I64Scalar(int64(i)))))
			at = e.Op("Reshape", In(at, e.I64(onesBut(len(parts), int64(i), -1)...)))
			parts[i] = e.Unsqueeze(e.Op("Expand", In(at, whole)), 0)
		}
		c.Return(e.Cast(e.Concat(0, parts...), c.OutDType(0)))
	}},
	{Op: "numpy.fromiter", Lower: func(c *Call) { c.Return(c.data(c.Arg("iter"), c.OutDType(0))) }},
	{Op: "numpy.tri", Lower: func(c *Call) {
		e := c.emit
		d := c.OutDType(0)
		w := onnx.Float
		ones := e.filled(c.ShapeTensor(c.OutType(0).Shape), w, 1)
		k := e.I64Scalar(0)
		if c.Has("k") {
			k = e.I64Scalar(c.Int("k"))
		}
		c.Return(e.Cast(e.Op("Trilu", In(ones, k), onnx.IntAttr("upper", 0)), d))
	}},
	{Op: "numpy.modf", Lower: func(c *Call) {
		e := c.emit
		if c.Arg("out") != nil || c.Arg("out1") != nil || c.Arg("out2") != nil {
			failf("out= is not written")
		}
		x := c.first()
		n := e.mul(e.Op("Floor", In(e.Op("Abs", In(x)))), e.Op("Sign", In(x)))
		c.Return(e.either(e.Op("IsInf", In(x)), e.Scalar(x.DType, 0), e.sub(x, n)), n)
	}},
	{Op: "numpy.diff", Lower: func(c *Call) {
		if c.Has("prepend") || c.Has("append") {
			failf("prepend= and append= are not written")
		}
		adaptRecord("torch.diff", "input=a n=n dim=axis")(c)
	}},
	{Op: "numpy.trace", Lower: func(c *Call) {
		e := c.emit
		c.noOptions()
		rank := c.Rank("a")
		if c.Int("offset") == 0 && rank == 2 {
			adaptRecord("torch.trace", "self=a")(c)
			return
		}
		d := c.OutDType(0)
		x := e.diagonal(e.Cast(c.Tensor("a"), workType(d)), rank, c.Int("offset"), c.Axis("axis1", rank), c.Axis("axis2", rank))
		c.Return(e.Cast(e.Reduce("ReduceSum", x, false, int64(rank-2)), d))
	}},
	{Op: "numpy.dot numpy.inner numpy.vdot", Lower: func(c *Call) {
		e := c.emit
		if c.Has("out") {
			failf("out= is not written")
		}
		d := c.OutDType(0)
		x, y := c.Operand("a", d), c.Operand("b", d)
		rx, ry := c.operandRank("a"), c.operandRank("b")
		switch {
		case d == onnx.Bool || !isFloat(d) && d != onnx.Int32 && d != onnx.Int64:
			failf("of these operands it is not written")
		case rx == 0 || ry == 0:
			c.Return(e.mul(x, y))
		case rx == 1 && ry == 1:
			c.Return(e.Reduce("ReduceSum", e.mul(x, y), false, 0))
		case c.Node.Op == "numpy.vdot":
			c.Return(e.Reduce("ReduceSum", e.mul(e.flat(x), e.flat(y)), false, 0))
		case c.Node.Op == "numpy.inner":
			c.Return(c.contract(x, y, rx, ry, []int64{int64(rx - 1)}, []int64{int64(ry - 1)}))
		default:
			c.Return(c.contract(x, y, rx, ry, []int64{int64(rx - 1)}, []int64{int64(max(ry-2, 0))}))
		}
	}},
	{Op: "numpy.linalg.det", Lower: adaptRecord("torch.linalg.det", "A=a")},
	{Op: "numpy.insert", Lower: numpyInsert},
	{Op: "numpy.delete", Lower: numpyDelete},
	{Op: "numpy.linalg.inv", Lower: func(c *Call) { c.Return(c.emit.inverse(c.first(), c.OutType(0).Shape)) }},
	{Op: "numpy.linalg.cholesky", Lower: func(c *Call) {
		if c.Bool("upper") {
			failf("upper=True is not written")
		}
		c.Return(c.emit.cholesky(c.first(), c.OutType(0).Shape))
	}},
	{Op: "numpy.linalg.solve", Lower: numpySolve},
	{Op: "numpy.linalg.eig numpy.linalg.eigvals numpy.linalg.eigh numpy.linalg.eigvalsh", None: "ONNX has no eigenvalues"},
	{Op: "numpy.linalg.svdvals numpy.linalg.cond numpy.linalg.matrix_rank", None: "ONNX has no singular values"},
	{Op: "numpy.linalg.qr", None: noFactors},
	{Op: "numpy.linalg.lstsq numpy.linalg.tensorsolve numpy.linalg.tensorinv",
		None: "ONNX solves no systems of equations; solve and inv of matrices have forms"},
	{Op: "numpy.ndarray.__rlshift__ numpy.ndarray.__rrshift__ numpy.bitwise_count",
		None: "the bits of elements have no form where their number is data"},
	{Op: "numpy.linalg.pinv", None: "the pseudo-inverse needs singular values, of which small ones count as zero"},
	{Op: "numpy.linalg.svd", None: "the signs of singular vectors are those of LAPACK's reflections, and ONNX has no decomposition of matrices"},
	{Op: "numpy.convolve numpy.correlate", Lower: numpyConvolve},
	{Op: "numpy.real", Lower: func(c *Call) { // and imag, which share a record
		x := c.first()
		if lastName(c.Node.Called) == "imag" {
			x = c.emit.filled(c.emit.Shape(x), x.DType, 0)
		}
		c.Return(x)
	}},
	{Op: "numpy.isreal", Lower: func(c *Call) { c.Return(c.emit.filled(c.emit.Shape(c.first()), onnx.Bool, 1)) }},
	{Op: "numpy.iscomplex", Lower: func(c *Call) { c.Return(c.emit.filled(c.emit.Shape(c.first()), onnx.Bool, 0)) }},
	{Op: "numpy.linalg.slogdet", Lower: adaptRecord("torch.linalg.slogdet", "A=a")},
	{Op: "numpy.fft.fftfreq numpy.fft.rfftfreq", Lower: numpyFrequencies},
	{Op: "numpy.nan_to_num", Lower: adaptRecord("torch.nan_to_num", "input=x nan=nan posinf=posinf neginf=neginf")},
	{Op: "numpy.isclose", Lower: func(c *Call) {
		a, ok := c.Arg("a").(*graph.Value)
		b, both := c.Arg("b").(*graph.Value)
		if !ok || !both || a.Type.DType != b.Type.DType {
			failf("of operands of two types it is not written")
		}
		adaptRecord("torch.isclose", "input=a other=b rtol=rtol atol=atol equal_nan=equal_nan")(c)
	}},
	{Op: "numpy.isneginf", Lower: plain(func(c *Call) { // and isposinf, which share a record
		adaptRecord("torch."+lastName(c.Node.Called), "input=x")(c)
	})},
	{Op: "numpy.left_shift numpy.ndarray.__lshift__ numpy.ndarray.__ilshift__", Lower: shifted("torch.bitwise_left_shift")},
	{Op: "numpy.right_shift numpy.ndarray.__rshift__ numpy.ndarray.__irshift__", Lower: shifted("torch.bitwise_right_shift")},
	{Op: "numpy.divmod numpy.ndarray.__divmod__ numpy.ndarray.__rdivmod__", Lower: func(c *Call) {
		e := c.emit
		c.noOptions()
		if c.Arg("out1") != nil || c.Arg("out2") != nil {
			failf("out= is not written")
		}
		d := c.OutDType(0)
		x, y := c.Operand("x1", workType(d)), c.Operand("x2", workType(d))
		if reflected(c.Node.Op) {
			x, y = y, x
		}
		c.Return(e.Cast(guardZero((*Emitter).floorDiv)(e, x, y), d), e.Cast(guardZero((*Emitter).remainder)(e, x, y), d))
	}},
}

// shifted shifts by a known number of bits that the type has; beyond, languages differ. A shift
// by the width or more is undefined in C, zero in NumPy, and anything in runtimes.
func shifted(op string) func(c *Call) {
	return plain(func(c *Call) {
		if n, ok := ConstInt(c.Arg("x2")); !ok || n < 0 || n >= int64(c.OutType(0).DType.Size()*8) {
			failf("a shift by a number of bits that is not known is not written")
		}
		adaptRecord(op, "input=x1 other=x2")(c)
	})
}

// numpySolve is the inverse of a times b, which is a vector where the result has one axis less than a.
func numpySolve(c *Call) {
	e := c.emit
	a := c.Operand("a", c.OutDType(0))
	b := c.Operand("b", a.DType)
	inverse := e.inverse(a, c.Type("a").Shape)
	last := int64(c.Rank("b"))
	if c.OutRank(0) < c.Rank("a") {
		c.Return(e.Squeeze(e.matMul(inverse, e.Unsqueeze(b, last)), -1))
		return
	}
	c.Return(e.matMul(inverse, b))
}

// numpyConvolve is a product of the windows of the longer array, with zeros at its ends, and the shorter one, which
// convolve turns round. Windows are gathered by a constant index, so both sizes must be known; a
// convolution is a correlation with the second array reversed. It fails on arrays that have other
// types or unknown sizes.
func numpyConvolve(c *Call) {
	e := c.emit
	turned := c.Node.Op == "numpy.convolve"
	d := c.OutDType(0)
	a, v := e.flat(c.data(c.Arg("a"), d)), e.flat(c.data(c.Arg("v"), d))
	n, okN := lengthOf(c.Arg("a"))
	k, okK := lengthOf(c.Arg("v"))
	if okN && okK && n < k && turned { // a convolution gives the same either way
		a, v, n, k = v, a, k, n
	}
	if !okK || k < 1 || okN && n < k {
		failf("the second array must be the shorter one, and its size known")
	}
	if !okN {
		failf("the size of the first array must be known")
	}
	if isComplex(d) || d == onnx.Bool {
		failf("arrays of %s", d)
	}
	var before, after int64
	switch c.Str("mode") {
	case "full":
		before, after = k-1, k-1
	case "same":
		before, after = k/2, (k-1)/2
		if turned {
			before, after = (k-1)/2+(k-1)%2, (k-1)/2
		}
	case "valid":
	default:
		failf("the mode %q", c.Str("mode"))
	}
	if turned {
		v = e.backwards(v, 0)
	}
	if before+after > 0 {
		a = e.Op("Pad", In(a, e.I64(before, after), e.Scalar(d, 0)), onnx.StringAttr("mode", "constant"))
	}
	list := make([]int64, 0, k*(n+before+after-k+1))
	for i := int64(0); i+k <= n+before+after; i++ {
		for j := range k {
			list = append(list, i+j)
		}
	}
	windows := e.Op("Gather", In(a, e.Const(onnx.NewInts([]int64{int64(len(list)) / k, k}, list...))), onnx.IntAttr("axis", 0))
	c.Return(e.Reduce("ReduceSum", e.mul(windows, v), false, 1))
}

// numpyFrequencies are whole numbers over n·d: from 0 to the middle, and for all of them the
// negative ones after. They are constants, as n and d are numbers.
func numpyFrequencies(c *Call) {
	n, d := c.Int("n"), c.Float("d")
	list := make([]float64, 0, n)
	if lastName(c.Node.Called) == "rfftfreq" {
		for i := range n/2 + 1 {
			list = append(list, float64(i))
		}
	} else {
		for i := range n {
			if i > (n-1)/2 {
				i -= n
			}
			list = append(list, float64(i))
		}
	}
	for i := range list {
		list[i] *= 1 / (float64(n) * d)
	}
	t, err := onnx.NewFloats(c.OutDType(0), []int64{int64(len(list))}, list)
	if err != nil {
		failf("%v", err)
	}
	c.Return(c.emit.Const(t))
}

// lengthOf is the size of a one-dimensional array or list, where it is known; a number is one of one element.
func lengthOf(o graph.Operand) (n int64, known bool) {
	if v, ok := o.(*graph.Value); ok {
		if len(v.Type.Shape) == 0 {
			return 1, true
		}
		return v.Type.Shape[0].Const()
	}
	_, shape := flatten(o)
	if len(shape) == 0 {
		return 1, true
	}
	return shape[0], true
}
