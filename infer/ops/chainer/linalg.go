package chainer

// This file holds products of matrices, and what is computed of one. NumPy computes all of these,
// so that the dtypes are those of numpy.linalg and errors of the computation LinAlgError. The axes
// in expectations count from the end where a stack of matrices may be in front.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// linalg lists products and functions of matrices, all of floating numbers: inverses and determinants need
// square matrices, the batch forms stacks of them with three axes. The Fourier transforms take a pair of
// real and imaginary parts of one type, with elements along the last axis. Sparse matrices are not
// modelled. Results are of floating dtype; k.expect gives Chainer's message where a demand does not
// hold.
func linalg() []ops.Op {
	const square = "a.shape[0] == a.shape[1]"
	return []ops.Op{
		fn("matmul", "MatMul", "(a, b, transa=False, transb=False)", func(k *call) value.Value {
			if !k.apply("a", "b") {
				return nil
			}
			return k.product(k.flag("transa"), k.flag("transb"))
		}, "the product of matrices").With(ops.Op{Is: graph.OneTensor}),
		fn("batch_matmul", "BatchMatMul", "(a, b, transa=False, transb=False)", batchMatmul,
			"the products of matrices or vectors of a batch; older than matmul"),
		fn("tensordot", "TensorDot", "(a, b, axes=2)", tensordotRule, "the sum of products over axes"),
		fn("einsum", "EinSum", "(*operands)", einsumRule, "sums of products by Einstein's notation"),
		// Chainer computes it by one of its own functions, which the creator of the result is.
		fn("cholesky", "Cholesky|cholesky", "(a)", func(k *call) value.Value {
			if !k.apply("a") || !k.expect("a.dtype.kind == f", "a.ndim == 2") {
				return nil
			}
			return k.squareMatrix()
		}, "the Cholesky factor"),
		fn("inv", "Inv", "(a)", func(k *call) value.Value {
			if !k.apply("a") || !k.expect("a.dtype.kind == f", "a.ndim == 2", square) {
				return nil
			}
			return k.squareMatrix()
		}, "the inverse of a matrix"),
		// A stack has three axes, of which the last two are the matrix.
		fn("batch_inv", "BatchInv", "(a)", func(k *call) value.Value {
			if !k.apply("a") || !k.expect("a.dtype.kind == f", "a.ndim == 3", "a.shape[-1] == a.shape[-2]") {
				return nil
			}
			return k.squareMatrix()
		}, "the inverses of matrices"),
		// det is computed by batch_det on a batch of one; the checks for a square matrix are those
		// of the inverse, whose result is then dropped.
		fn("batch_det", "BatchDet|det", "(a)", func(k *call) value.Value {
			if !k.apply("a") || !k.expect("a.dtype.kind == f", "a.ndim == 3", "a.shape[-1] == a.shape[-2]") {
				return nil
			}
			if k.squareMatrix() == nil {
				return nil
			}
			// The matrix of squareMatrix is no result of this function.
			k.Outs = nil
			return k.out(k.d("a"), k.s("a")[0])
		}, "the determinants of matrices"),
		// Fewer than two axes are an IndexError, as det looks at them before its type check.
		fn("det", "BatchDet|?", "(a)", func(k *call) value.Value {
			if !k.apply("a") {
				return nil
			}
			s := k.s("a")
			if k.OK() && len(s) < 2 {
				return k.Errorf("IndexError", diag.RankMismatch, "det(): needs a matrix: %s", k.t("a"))
			}
			if !k.expect("a.ndim == 2", "a.dtype.kind == f", square) || k.squareMatrix() == nil {
				return nil
			}
			k.Outs = nil
			return k.out(k.d("a"))
		}, "the determinant of a matrix"),
		// Both parts have one type; the transform keeps it. x is a pair of arrays; the results are
		// a pair too.
		fn("fft ifft", "FFT", "(x)", func(k *call) value.Value {
			elems, ok := k.sequence("x", k.Value("x"))
			if !ok {
				return nil
			}
			if len(elems) != 2 {
				return k.Errorf("ValueError", diag.BadValue, "%s(): x must be a pair of real and imaginary parts, not of %d", k.Short(), len(elems))
			}
			k.bind("real", k.asInput("real", elems[0]))
			k.bind("imag", k.asInput("imag", elems[1]))
			if !k.OK() || !k.expect("real.dtype.kind == f", "real.ndim > 0", "real.shape == imag.shape", "real.dtype == imag.dtype") {
				return nil
			}
			s := k.s("real")
			if !k.AtLeast(s[len(s)-1], 1) {
				return k.Errorf("ValueError", diag.InvalidSize, "%s(): the last axis has no elements: %s", k.Short(), k.t("real"))
			}
			return value.NewTuple(k.Out(k.d("real"), s), k.Out(k.d("imag"), s))
		}, "Fourier transform of the last axis, as real and imaginary parts"),
		// The class CooMatrix is one of the prelude, an object here.
		fn("sparse_matmul", "CooMatMul", "(a, b, transa=False, transb=False)", func(k *call) value.Value {
			for _, n := range [...]string{"a", "b"} {
				if _, ok := k.Value(n).(*value.Instance); ok {
					return k.Lose("sparse matrices are not modelled")
				}
			}
			return k.Errorf("ValueError", diag.TypeMismatch, "sparse_matmul(): one of the two must be a CooMatrix")
		}, "the product with a sparse matrix"),
	}
}

// squareMatrix gives the type of a matrix for NumPy's linalg, which takes no half precision. The
// last two sizes must be equal (LinAlgError). The check of half precision is that of cholesky
// alone; Chainer converts for the others.
func (k *call) squareMatrix() value.Value {
	s := k.s("a")
	if k.d("a") == dtype.F16 && k.Short() == "cholesky" {
		return k.Errorf("TypeError", diag.DTypeMismatch, "%s(): array type float16 is unsupported in linalg", k.Short())
	}
	if n := len(s); k.OK() {
		if _, ok := k.Same(s[n-1], s[n-2]); !ok {
			return k.Errorf("numpy.linalg.LinAlgError", diag.ShapeMismatch, "%s(): the last 2 dimensions of the array must be square: %s", k.Short(),
				k.t("a"))
		}
	}
	return k.like("a")
}

// product multiplies a and b, whose last two axes may be exchanged. A vector is a row on the left
// and a column on the right, and its axis goes; leading axes broadcast. The result has the wider
// dtype. For matrices (m, k) and (k, n) the result is batch + (m, n).
func (k *call) product(ta, tb bool) value.Value {
	if !k.expect("a.dtype.kind == f", "b.dtype.kind == f", "a.ndim >= 1", "b.ndim >= 1") {
		return nil
	}
	a, b := k.s("a"), k.s("b")
	d := wider(k.d("a"), k.d("b"))
	// A vector on the right: what remains of a has no columns.
	switch {
	// i is the axis of a that is summed over.
	case len(b) == 1:
		i := len(a) - 1
		if ta && len(a) > 1 {
			i--
		}
		if !k.expect("a.shape[" + itoa(i-len(a)) + "] == b.shape[0]") {
			return nil
		}
		return k.out(d, ops.Without(a, i)...)
	case len(a) == 1:
		i := len(b) - 2
		if tb {
			i++
		}
		if !k.expect("a.shape[0] == b.shape[" + itoa(i-len(b)) + "]") {
			return nil
		}
		return k.out(d, ops.Without(b, i)...)
	}
	// i and j are summed over, m and n remain.
	i, m := -1, -2
	if ta {
		i, m = m, i
	}
	j, n := -2, -1
	if tb {
		j, n = n, j
	}
	if !k.expect("a.shape[" + itoa(i) + "] == b.shape[" + itoa(j) + "]") {
		return nil
	}
	batch, _, ok := k.Broadcast(a[:len(a)-2], b[:len(b)-2])
	if !ok {
		k.invalid(diag.ShapeMismatch, "a.shape[:-2] and b.shape[:-2] that broadcast", a[:len(a)-2].String()+", "+b[:len(b)-2].String())
		return nil
	}
	return k.out(d, append(append(symshape.Shape(nil), batch...), a[len(a)+m], b[len(b)+n])...)
}

// batchMatmul takes a batch of vectors as one of matrices with a column. Batches broadcast, and all
// is float32. It needs two or three axes in each; the result has three.
func batchMatmul(k *call) value.Value {
	if !k.apply("a", "b") || !k.expect("a.dtype == float32", "b.dtype == float32", "a.ndim >= 2", "a.ndim <= 3", "b.ndim >= 2",
		"b.ndim <= 3") {
		return nil
	}
	three := func(s symshape.Shape) symshape.Shape {
		if len(s) == 2 {
			return dims(s[0], s[1], k.Const(1))
		}
		return s
	}
	// An input without elements leaves the size of the third axis open, which a reshape to -1 asks
	// for.
	for _, n := range [...]string{"a", "b"} {
		if z, ok := ops.DimVal(k.Numel(k.s(n)[:2])); ok && z == 0 {
			return k.Errorf("ValueError", diag.InvalidSize, "batch_matmul(): the last axis of %s is not decided", k.t(n))
		}
	}
	a, b := three(k.s("a")), three(k.s("b"))
	i, m, j, n := 2, 1, 1, 2
	if k.flag("transa") {
		i, m = m, i
	}
	if k.flag("transb") {
		j, n = n, j
	}
	// Named numbers serve the text of the expectation.
	k.let("columns", a[i])
	k.let("rows", b[j])
	if !k.expect("columns == rows") {
		return nil
	}
	batch, ok := k.BroadcastDim(a[0], b[0])
	if !ok {
		return k.Errorf("ValueError", diag.ShapeMismatch, "batch_matmul(): batches of %s and %s", a[0], b[0])
	}
	return k.out(dtype.F32, batch, a[m], b[n])
}

// tensordotRule sums products over axes: with an int the last axes of a and the first of b, with a pair
// the axes listed for each, which must pair up in number and size. Negative axes fail. The result has the
// remaining axes of a, then those of b, in the wider floating dtype. Chainer's own function is not
// NumPy's: it refuses negative axes by failing in a transpose.
func tensordotRule(k *call) value.Value {
	v := k.Value("axes")
	if !k.apply("a", "b") {
		return nil
	}
	if ops.IsSequence(v) {
		if elems, ok := k.sequence("axes", v); ok && len(elems) != 2 {
			return k.Errorf("ValueError", diag.BadValue, "tensordot(): axes must be a pair of sequences of ints, or an int")
		}
	} else {
		k.number("axes")
	}
	if !k.expect("a.dtype.kind == f", "b.dtype.kind == f") {
		return nil
	}
	a, b := k.s("a"), k.s("b")
	// read gives the axes of one operand.
	read := func(of string, s symshape.Shape, v value.Value) []int {
		list := []value.Value{v}
		if ops.IsSequence(v) {
			list, _ = k.sequence("axes", v)
		}
		var out []int
		for _, e := range list {
			n, ok := ops.DimVal(k.asInt("axes", e))
			if !ok || !k.OK() {
				k.Lose("an axis is not known")
				return nil
			}
			if int(n) >= len(s) || int(n) < -len(s) {
				k.Errorf("IndexError", diag.DimOutOfRange, "tensordot(): axis %d of %s", int(n), k.t(of))
				return nil
			}
			if n < 0 { // the axis is both summed over and kept
				k.Errorf("ValueError", diag.DimOutOfRange, "tensordot(): negative axis %d", n)
				return nil
			}
			out = append(out, int(n))
		}
		return out
	}
	var ia, ib []int
	if ops.IsSequence(v) {
		// A pair, of which either part may be an int.
		elems, _ := k.sequence("axes", v)
		ia, ib = read("a", a, elems[0]), read("b", b, elems[1])
	} else {
		n := k.integer("axes")
		if k.OK() && (n > len(a) || n > len(b) || n < 0) {
			return k.Errorf("ValueError", diag.RankMismatch, "tensordot(): %d axes of %s and %s", n, k.t("a"), k.t("b"))
		}
		for i := range n {
			ia = append(ia, len(a)-n+i)
			ib = append(ib, i)
		}
	}
	if !k.OK() {
		return nil
	}
	if len(ia) != len(ib) {
		return k.Errorf("ValueError", diag.BadValue, "tensordot(): %d axes of a, %d of b", len(ia), len(ib))
	}
	for i := range ia {
		if _, ok := k.Same(a[ia[i]], b[ib[i]]); !ok {
			k.Blame(ops.Ref{Tensor: k.t("a"), Axis: ia[i]}, ops.Ref{Tensor: k.t("b"), Axis: ib[i]})
			return k.Errorf("ValueError", diag.ShapeMismatch, "tensordot(): axis %d of a has size %s, but axis %d of b %s: %s and %s", ia[i],
				a[ia[i]], ib[i], b[ib[i]], k.t("a"), k.t("b"))
		}
	}
	return k.out(wider(k.d("a"), k.d("b")), append(k.reduced(a, ia, false), k.reduced(b, ib, false)...)...)
}

// sameLabels expects axes of one label to have one size: unlike NumPy, Chainer does not stretch
// those of size 1. It returns false after a fault. Equations that NumPy's rule refuses are left to
// it.
func sameLabels(k *call, text string, operands int) bool {
	in, _, _ := strings.Cut(strings.ReplaceAll(text, " ", ""), "->")
	if strings.Contains(in, ".") {
		return true
	}
	// Equations with an ellipsis are for NumPy's rule alone.
	type axis struct {
		x string
		i int
		d symshape.Dim
	}
	seen := map[rune]axis{}
	for n, labels := range strings.Split(in, ",") {
		name := "x" + itoa(n)
		// A wrong number of labels is a fault of NumPy's rule.
		if n >= operands || !k.t(name).Type().Ranked || len(k.s(name)) != len(labels) {
			return true
		}
		for i, l := range []rune(labels) {
			now := axis{name, i, k.s(name)[i]}
			first, found := seen[l]
			if !found {
				seen[l] = now
				continue
			}
			a, ok1 := first.d.Const()
			// Only sizes that are numbers are compared here; symbols are by NumPy's rule.
			b, ok2 := now.d.Const()
			if ok1 && ok2 && a != b {
				k.invalid(diag.ShapeMismatch, first.x+".shape["+itoa(first.i)+"] == "+now.x+".shape["+itoa(i)+"]",
					first.d.String()+" != "+now.d.String())
				return false
			}
		}
	}
	return true
}

// einsumRule takes a text of subscripts with its operands, which are floating. NumPy's function has
// the shape; the result is a Variable of the widest dtype. Subscripts as lists are not modelled. A
// result without dimensions is a Variable too.
func einsumRule(k *call) value.Value {
	args := k.Rest()
	if len(args) == 0 {
		return k.Errorf("ValueError", diag.BadCall, "einsum(): no input operands")
	}
	text, ok := value.AsStr(args[0])
	if !ok {
		if value.IsUnknown(args[0]) {
			return k.Lose("the subscripts are not known")
		}
		for _, v := range args {
			if _, isTensor := v.(*value.Tensor); !isTensor && !ops.IsSequence(v) {
				return k.Errorf("TypeError", diag.TypeMismatch, "einsum(): %s among the operands", ops.TypeName(v))
			}
		}
		return k.Lose("subscripts as lists")
	}
	// Each operand is bound as x0, x1, …
	operands := []value.Value{value.Str(text)}
	d := dtype.Unknown
	for i, v := range args[1:] {
		t := k.asInput("x"+itoa(i), v)
		if !k.OK() {
			return nil
		}
		k.bind("x"+itoa(i), t)
		if !k.expect("x" + itoa(i) + ".dtype.kind == f") {
			return nil
		}
		if td := t.Type().DType; i == 0 {
			d = td
		} else {
			d = wider(d, td)
		}
		operands = append(operands, k.arrayOf(t))
	}
	if !sameLabels(k, text, len(args)-1) {
		return nil
	}
	v := k.Delegate("numpy.einsum", operands)
	switch v := v.(type) {
	case *value.Tensor:
		if ops.IsArray(v) {
			v.Class = nil
		}
		return v
	case *value.Instance:
		return k.Out(d, symshape.Shape{})
	}
	return v
}
