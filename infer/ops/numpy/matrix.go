package numpy

// This file holds numpy.linalg, as numpy/linalg/linalg.py checks and types it: matrices
// are the last two axes, integers are computed in float64, float16 is refused. A rule reads its
// argument by readMatrices, which demands at least two axes, for many functions equal last two, and
// a dtype in which LAPACK computes. Faults are a LinAlgError where linalg.py checks itself, and a
// ValueError where a universal function of it broadcasts. Results of several arrays are named
// tuples since NumPy 2.
//
// What LAPACK finds out while it computes, as a singular matrix, is only reported where the
// elements are known integers, for which it is certain.

import (
	"math"
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

const linAlgError = "numpy.linalg.LinAlgError"

// arrayMatrixOps lists numpy.linalg. Decompositions take stacks of matrices, the last two of at least two
// axes, and square ones for inverses, determinants and eigenvalues (numpy/linalg/linalg.py). Singular
// values and the eigenvalues of symmetric matrices are real; those of other matrices are complex when the
// data make them so.
func arrayMatrixOps() []ops.Op {
	return []ops.Op{
		array("linalg.inv", "(any a)", squareRule(func(c *ops.Call, m matrices) value.Value {
			if m.zero(c) {
				return c.Errorf(linAlgError, diag.BadValue, "inv(): the matrix is singular")
			}
			return c.Out(m.d, m.s)
		}), "inverse").With(ops.Op{Torch: "torch.linalg.inv A=a"}),
		// pinv exchanges the last two axes.
		array("linalg.pinv", "(any a, any rcond=1e-15, any hermitian=False) | (any a, any rcond=None, any hermitian=False, *, any rtol=None)",
			func(c *ops.Call) value.Value {
				m := readMatrices(c, "a", false)
				if !c.OK() {
					return nil
				}
				d := m.d
				if n, ok := c.Numel(m.s).Const(); ok && n == 0 { // returned before anything is computed
					d = c.Value("a").(*value.Tensor).Type().DType
				}
				return c.Out(d, append(m.batch(), m.cols(), m.rows()))
			}, "pseudo-inverse"),
		// det and slogdet leave the batch axes; the logarithm is real.
		array("linalg.det", "(any a)", squareRule(func(c *ops.Call, m matrices) value.Value { return c.Out(m.d, m.batch()) }), "determinant"),
		array("linalg.slogdet", "(any a)", squareRule(func(c *ops.Call, m matrices) value.Value {
			return result(c, "SlogdetResult", []string{"sign", "logabsdet"}, c.Out(m.d, m.batch()), c.Out(m.d.Real(), m.batch()))
		}), "sign and logarithm of the determinant"),
		array("linalg.cholesky", "(any a, *, any upper=False)", squareRule(func(c *ops.Call, m matrices) value.Value {
			if c.Numpy1() && c.Value("upper") != value.Value(value.Bool(false)) {
				return c.Errorf("TypeError", diag.BadCall, "cholesky() has the argument upper since numpy 2.0")
			}
			return c.Out(m.d, m.s)
		}), "Cholesky factor"),
		// eigh and eigvalsh read one triangle; eigenvalues of symmetric matrices are real.
		array("linalg.eigh", "(any a, any UPLO='L')", squareRule(func(c *ops.Call, m matrices) value.Value {
			if !triangle(c) {
				return nil
			}
			return result(c, "EighResult", []string{"eigenvalues", "eigenvectors"}, c.Out(m.d.Real(), m.vector()), c.Out(m.d, m.s))
		}), "eigenvalues and vectors of symmetric matrices"),
		array("linalg.eigvalsh", "(any a, any UPLO='L')", squareRule(func(c *ops.Call, m matrices) value.Value {
			if !triangle(c) {
				return nil
			}
			return c.Out(m.d.Real(), m.vector())
		}), "eigenvalues of symmetric matrices"),
		// The eigenvalues are a vector for each matrix, the vectors a matrix.
		array("linalg.eig", "(any a)", squareRule(func(c *ops.Call, m matrices) value.Value {
			d := m.eigenDType(c)
			return result(c, "EigResult", []string{"eigenvalues", "eigenvectors"}, c.Out(d, m.vector()), c.Out(d, m.s))
		}), "eigenvalues and vectors; complex when data make them so"),
		array("linalg.eigvals", "(any a)", squareRule(func(c *ops.Call, m matrices) value.Value { return c.Out(m.eigenDType(c), m.vector()) }),
			"eigenvalues; complex when data make them so"),
		array("linalg.svd", "(any a, any full_matrices=True, any compute_uv=True, any hermitian=False)", svdArray,
			"singular value decomposition"),
		// svdvals: min(rows, columns) values for each matrix.
		array("linalg.svdvals", "(any x)", func(c *ops.Call) value.Value {
			m := readMatrices(c, "x", false)
			if !c.OK() {
				return nil
			}
			return c.Out(m.d.Real(), append(m.batch(), m.least(c)))
		}, "singular values"),
		array("linalg.qr", "(any a, any mode='reduced')", qrArray, "QR decomposition"),
		array("linalg.solve", "(any a, any b)", solveArray, "solution of linear equations"),
		array("linalg.lstsq", "(any a, any b, any rcond='warn')", lstsqArray, "least squares"),
		array("linalg.matrix_rank", "(any A, any tol=None, any hermitian=False, *, any rtol=None)", matrixRank, "the rank of matrices"),
		array("linalg.matrix_power", "(any a, any n)", matrixPower, "power of square matrices"),
		array("linalg.cond", "(any x, any p=None)", condArray, "condition number"),
		array("linalg.multi_dot", "(any arrays, *, any out=None)", multiDot, "product of several matrices"),
		array("linalg.tensorinv", "(any a, any ind=2)", tensorInverse, "inverse of an array as a matrix"),
		array("linalg.tensorsolve", "(any a, any b, any axes=None)", tensorSolve, "solution of a tensor equation"),
		array("linalg.norm", "(any x, any ord=None, any axis=None, any keepdims=False)", normArray, "norm of vectors or matrices"),
		array("linalg.matrix_norm", "(any x, *, any keepdims=False, any ord='fro')", func(c *ops.Call) value.Value {
			return c.Delegate("numpy.linalg.norm", []value.Value{c.Value("x"), c.Value("ord"), value.NewTuple(value.Int(-2), value.Int(-1)),
				c.Value("keepdims")})
		}, "norm of matrices"),
	}
}

// matrices are an argument of linear algebra: shape and the dtype of computation. t is the argument
// as an array, s its shape of at least two axes, and d the dtype in which is computed: float64 for
// integers.
type matrices struct {
	t *value.Tensor
	s symshape.Shape
	d dtype.DType
}

func (m matrices) rows() symshape.Dim     { return m.s[len(m.s)-2] }
func (m matrices) cols() symshape.Dim     { return m.s[len(m.s)-1] }
func (m matrices) batch() symshape.Shape  { return slices.Clone(m.s[:len(m.s)-2]) }
func (m matrices) vector() symshape.Shape { return slices.Clone(m.s[:len(m.s)-1]) }

// least is the number of singular values of a matrix.
func (m matrices) least(c *ops.Call) symshape.Dim { return c.P.DimMin(m.rows(), m.cols()) }

// zero reports whether a matrix is surely singular: one of integers has a row of zeros or two equal
// ones. Other singular matrices are not searched for, since rounding decides whether LAPACK
// notices.
func (m matrices) zero(c *ops.Call) bool {
	n, ok := m.rows().Const()
	e := m.t.Contents()
	if !ok || n == 0 || len(e) == 0 || int64(len(e))%(n*n) != 0 || !m.t.Type().DType.IsIntegralOrBool() {
		return false
	}
	// The elements of all matrices in a row.
	a := make([]int64, len(e))
	for i, x := range e {
		b, isBool := x.(value.Bool)
		k, ok := value.AsInt(x)
		if isBool {
			k, ok = 0, true
			if bool(b) {
				k = 1
			}
		}
		if !ok {
			return false
		}
		a[i] = k
	}
	for each := range slices.Chunk(a, int(n*n)) {
		rows := slices.Collect(slices.Chunk(each, int(n)))
		for i, row := range rows {
			if !slices.ContainsFunc(row, func(k int64) bool { return k != 0 }) ||
				slices.ContainsFunc(rows[:i], func(r []int64) bool { return slices.Equal(r, row) }) {
				return true
			}
		}
	}
	return false
}

// eigenDType is the dtype of eigenvalues: real ones become complex where data ask for it, which
// they do not where the matrix is triangular or symmetric. It is unknown where the elements are not
// known.
func (m matrices) eigenDType(c *ops.Call) dtype.DType {
	n, ok := m.rows().Const()
	if m.d.IsComplex() || ok && n <= 1 {
		return m.d
	}
	e := m.t.Contents()
	if !ok || len(m.s) != 2 || int64(len(e)) != n*n {
		return dtype.Unknown
	}
	symmetric, lower, upper := true, true, true
	for i := range n {
		// Each pair of elements across the diagonal.
		for k := range i {
			x, ok1 := value.AsFloat(e[i*n+k])
			y, ok2 := value.AsFloat(e[k*n+i])
			if !ok1 || !ok2 {
				return dtype.Unknown
			}
			symmetric, lower, upper = symmetric && x == y, lower && y == 0, upper && x == 0
		}
	}
	if symmetric || lower || upper {
		return m.d
	}
	return dtype.Unknown
}

// readMatrices reads an argument of matrices, square ones where that is asked for. Fewer than two
// axes and unequal last sizes are a LinAlgError, float16 is a TypeError; after each the call has
// failed, and what is returned is not to be used.
func readMatrices(c *ops.Call, name string, square bool) matrices {
	t := numbers(c, name)
	if t == nil {
		return matrices{}
	}
	s := c.Shape(t)
	if !c.OK() {
		return matrices{}
	}
	m := matrices{t, s, quotient(c, t.Type().DType)}
	if len(s) < 2 {
		c.Errorf(linAlgError, diag.RankMismatch, "%s() needs matrices, not %s", c.Short(), t)
		return m
	}
	if square {
		if _, ok := c.Same(m.rows(), m.cols()); !ok {
			c.Blame(ops.Ref{Tensor: t, Axis: len(s) - 2}, ops.Ref{Tensor: t, Axis: len(s) - 1})
			c.Errorf(linAlgError, diag.ShapeMismatch, "%s() needs square matrices, not %s", c.Short(), t)
			return m
		}
	}
	if m.d == dtype.F16 {
		c.Errorf("TypeError", diag.DTypeMismatch, "numpy.linalg does not compute in float16: %s", t)
	}
	return m
}

// squareRule makes the rule of a function of square matrices a.
func squareRule(rule func(c *ops.Call, m matrices) value.Value) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		m := readMatrices(c, "a", true)
		if !c.OK() {
			return nil
		}
		return rule(c, m)
	}
}

// result makes a tuple, with names in numpy 2: a class like those of collections.namedtuple, of the
// module numpy.linalg.
func result(c *ops.Call, name string, fields []string, elems ...value.Value) value.Value {
	if c.Numpy1() {
		return value.NewTuple(elems...)
	}
	cls := &value.Class{Name: name, Qualname: name, Module: "numpy.linalg", Layout: value.TupleLayout, Fields: fields,
		Attrs: c.Th.Heap().NewAttrs()}
	cls.MRO = []*value.Class{cls}
	if base := c.Th.Class("tuple"); base != nil {
		cls.Bases = []*value.Class{base}
		cls.MRO = append(cls.MRO, base.MRO...)
	}
	return &value.Tuple{Class: cls, Elems: elems}
}

// triangle checks which triangle of a symmetric matrix is read, which changes no shape, and reports
// whether the call is still without a fault.
func triangle(c *ops.Call) bool {
	v := c.Value("UPLO")
	s, ok := value.AsStr(v)
	switch {
	case value.IsUnknown(v):
	case !ok:
		c.Errorf("AttributeError", diag.TypeMismatch, "%s(): UPLO must be 'L' or 'U', not %s", c.Short(), ops.TypeName(v))
	case s != "L" && s != "U" && s != "l" && s != "u":
		c.Errorf("ValueError", diag.BadValue, "%s(): UPLO must be 'L' or 'U', not '%s'", c.Short(), s)
	}
	return c.OK()
}

// svdArray gives U (rows, rows or k), S (k) and V transposed (k or columns, columns) with k =
// min(rows, columns), full square factors with full_matrices. Without compute_uv it gives the
// singular values alone, which are real.
func svdArray(c *ops.Call) value.Value {
	m := readMatrices(c, "a", c.Surely("hermitian"))
	if !c.OK() {
		return nil
	}
	k := m.least(c)
	s := c.Out(m.d.Real(), append(m.batch(), k))
	if !c.Bool("compute_uv") {
		return s
	}
	u, v := k, k
	if c.Bool("full_matrices") {
		u, v = m.rows(), m.cols()
	}
	if !c.OK() {
		return nil
	}
	return result(c, "SVDResult", []string{"U", "S", "Vh"}, c.Out(m.d, append(m.batch(), m.rows(), u)), s,
		c.Out(m.d, append(m.batch(), v, m.cols())))
}

// qrArray: with k = min(rows, columns), 'reduced' gives Q (rows, k) and R (k, columns), 'complete'
// a square Q, 'r' R alone. 'raw' gives what LAPACK does, the factors transposed; the old modes
// 'full' and 'economic' are still taken.
func qrArray(c *ops.Call) value.Value {
	mode := c.Value("mode")
	text, ok := value.AsStr(mode)
	switch {
	case value.IsUnknown(mode):
		return c.Lose("the mode is not known")
	case !ok || !slices.Contains([]string{"reduced", "complete", "r", "raw", "f", "full", "e", "economic"}, text):
		return c.Errorf("ValueError", diag.BadValue, "qr(): there is no mode %s", mode)
	}
	m := readMatrices(c, "a", false)
	if !c.OK() {
		return nil
	}
	k := m.least(c)
	switch text {
	case "r":
		return c.Out(m.d, append(m.batch(), k, m.cols()))
	case "raw":
		return value.NewTuple(c.Out(m.d, append(m.batch(), m.cols(), m.rows())), c.Out(m.d, append(m.batch(), k)))
	case "complete":
		k = m.rows()
	case "e", "economic":
		return c.Lose("qr in the mode 'economic'")
	}
	return result(c, "QRResult", []string{"Q", "R"}, c.Out(m.d, append(m.batch(), m.rows(), k)), c.Out(m.d, append(m.batch(), k, m.cols())))
}

// solveArray needs square matrices a and right sides b with as many rows. b is a vector when it has one
// dimension (before numpy 2: one less than a), otherwise a stack of matrices; leading axes broadcast. The
// dtype is the promoted one of both; float16 is not computed in.
func solveArray(c *ops.Call) value.Value {
	m := readMatrices(c, "a", true)
	b := numbers(c, "b")
	if !c.OK() {
		return nil
	}
	r := c.Shape(b)
	if !c.OK() {
		return nil
	}
	d := quotient(c, b.Type().DType)
	if d == dtype.F16 {
		return c.Errorf("TypeError", diag.DTypeMismatch, "numpy.linalg does not compute in float16: %s", b)
	}
	if d != dtype.Unknown && m.d != dtype.Unknown {
		d = dtype.Numpy(d, m.d)
	} else {
		d = dtype.Unknown
	}
	// Before NumPy 2 a right side with one axis less than a is a stack of vectors.
	vector := len(r) == 1
	if c.Numpy1() {
		vector = len(r) == len(m.s)-1
	}
	if len(r) == 0 || !vector && len(r) < 2 {
		return c.Errorf("ValueError", diag.RankMismatch, "solve(): %s has too few dimensions for %s", b, m.t)
	}
	// n is the number of leading axes of b: the axes before its rows.
	n := len(r) - 2
	if vector {
		n = len(r) - 1
	}
	if _, ok := c.Same(m.rows(), r[n]); !ok {
		c.Blame(ops.Ref{Tensor: m.t, Axis: len(m.s) - 2}, ops.Ref{Tensor: b, Axis: n})
		return c.Errorf("ValueError", diag.ShapeMismatch, "solve(): %s has %s rows and %s has %s", m.t, m.rows(), b, r[n])
	}
	batch, _, ok := c.Broadcast(m.batch(), r[:n])
	if !ok {
		return c.Errorf("ValueError", diag.ShapeMismatch, "solve(): the leading axes of %s and %s cannot be broadcast together", m.t, b)
	}
	if !c.OK() {
		return nil
	}
	// A matrix that is surely singular makes LAPACK fail.
	if m.zero(c) {
		return c.Errorf(linAlgError, diag.BadValue, "solve(): the matrix is singular")
	}
	return c.Out(d, append(slices.Clone(batch), r[n:]...))
}

// lstsqArray needs one matrix and one right side or a matrix of them, with as many rows; float16 is not
// computed in. It returns the solution, the residuals (none when the rank is too low or there are no more
// rows than columns), the rank in int32, and the singular values.
func lstsqArray(c *ops.Call) value.Value {
	b := numbers(c, "b")
	m := readMatrices(c, "a", false)
	if !c.OK() {
		return nil
	}
	r := c.Shape(b)
	if !c.OK() {
		return nil
	}
	if len(m.s) != 2 || len(r) != 1 && len(r) != 2 {
		return c.Errorf(linAlgError, diag.RankMismatch, "lstsq() needs a matrix and one or several right sides, not %s and %s", m.t, b)
	}
	if _, ok := c.Same(m.rows(), r[0]); !ok {
		return c.Errorf(linAlgError, diag.ShapeMismatch, "lstsq(): %s has %s rows and %s has %s", m.t, m.rows(), b, r[0])
	}
	d := quotient(c, b.Type().DType)
	if d == dtype.F16 {
		return c.Errorf("TypeError", diag.DTypeMismatch, "numpy.linalg does not compute in float16: %s", b)
	}
	if d != dtype.Unknown && m.d != dtype.Unknown {
		d = dtype.Numpy(d, m.d)
	} else {
		d = dtype.Unknown
	}
	rest := symshape.Shape{m.cols()}
	sides := c.Const(1)
	if len(r) == 2 {
		rest, sides = append(rest, r[1]), r[1]
	}
	// The residuals are none where the matrix has a lower rank than columns, which the data decide.
	residuals := dataSize(c, m.t, 0) // none where the rank is too low
	rows, ok1 := m.rows().Const()
	cols, ok2 := m.cols().Const()
	switch {
	case ok1 && ok2 && rows <= cols:
		residuals = c.Const(0)
	case ok1 && ok2 && cols == 0:
		residuals = sides
	}
	return value.NewTuple(c.Out(d, rest), c.Out(d.Real(), symshape.Shape{residuals}), c.Out(dtype.I32, symshape.Shape{}),
		c.Out(d.Real(), symshape.Shape{m.least(c)}))
}

// matrixRank of less than two dimensions is 1 or 0, by whether anything is not zero. Otherwise
// there is an int64 for each matrix.
func matrixRank(c *ops.Call) value.Value {
	t := numbers(c, "A")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) < 2 {
		return c.Th.DataInt("rank", 0, nil)
	}
	m := readMatrices(c, "A", c.Surely("hermitian"))
	if !c.OK() {
		return nil
	}
	if c.Numpy1() && !c.Has("tol") && (ops.IsConst(m.rows(), 0) || ops.IsConst(m.cols(), 0)) {
		return c.Errorf("ValueError", diag.InvalidSize, "matrix_rank(): %s has no singular values", t)
	}
	return c.Out(dtype.I64, m.batch())
}

// matrixPower needs square matrices and an int, and keeps their shape. Of integers it stays one of
// integers for exponents that are not negative, and is an inverse, in floats, for others.
func matrixPower(c *ops.Call) value.Value {
	t := numbers(c, "a")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) < 2 {
		return c.Errorf(linAlgError, diag.RankMismatch, "matrix_power() needs matrices, not %s", t)
	}
	if _, ok := c.Same(s[len(s)-1], s[len(s)-2]); !ok {
		return c.Errorf(linAlgError, diag.ShapeMismatch, "matrix_power() needs square matrices, not %s", t)
	}
	needInt(c, "n")
	n, known := value.AsInt(value.Plain(c.Value("n")))
	if !c.OK() {
		return nil
	}
	if !known {
		return c.Lose("the exponent is not known")
	}
	d := t.Type().DType
	if n < 0 {
		m := readMatrices(c, "a", true)
		if !c.OK() {
			return nil
		}
		if m.zero(c) {
			return c.Errorf(linAlgError, diag.BadValue, "matrix_power(): the matrix is singular")
		}
		d = m.d
	}
	return c.Out(d, s)
}

// condArray gives a real number for each matrix. The norms 2, -2 and None are quotients of singular
// values and take any matrices; others need an inverse, and so square ones.
func condArray(c *ops.Call) value.Value {
	t := numbers(c, "x")
	if t == nil {
		return nil
	}
	for i, d := range c.Shape(t) {
		if i >= len(t.Type().Shape)-2 && ops.IsConst(d, 0) {
			return c.Errorf(linAlgError, diag.InvalidSize, "cond() is not defined for the empty %s", t)
		}
	}
	p := c.Value("p")
	n, isInt := value.AsInt(p)
	byValues := p == value.None || isInt && (n == 2 || n == -2)
	m := readMatrices(c, "x", !byValues)
	if !c.OK() {
		return nil
	}
	if s, ok := value.AsStr(p); ok && s != "fro" && s != "nuc" {
		return c.Errorf("ValueError", diag.BadValue, "cond(): there is no norm '%s'", s)
	}
	return c.Out(m.d.Real(), m.batch())
}

// multiDot needs at least two arrays: matrices, of which the first and last may be vectors. Each one's
// columns must equal the next one's rows. The result has the rows of the first and the columns of the
// last, where these are matrices, in the promoted dtype.
func multiDot(c *ops.Call) value.Value {
	elems, isList, open := c.Sequence(c.Value("arrays"))
	if open != nil || !isList {
		return c.Lose("the arrays are not known")
	}
	if len(elems) < 2 {
		return c.Errorf("ValueError", diag.BadCall, "multi_dot() needs at least two arrays")
	}
	ts := make([]*value.Tensor, len(elems))
	// The promoted dtype of all; bool is only what the loop starts from.
	d := dtype.Bool
	for i, e := range elems {
		if s := notNumber(e); s != "" {
			return c.Errorf("TypeError", diag.TypeMismatch, "multi_dot(): arrays must hold numbers, not %s", s)
		}
		if ts[i] = ToArray(c, e); ts[i] == nil {
			return nil
		}
		x := ts[i].Type().DType
		if x == dtype.Unknown || d == dtype.Unknown {
			d = dtype.Unknown
		} else if i == 0 {
			d = x
		} else {
			d = dtype.Numpy(d, x)
		}
		s := c.Shape(ts[i])
		if !c.OK() {
			return nil
		}
		// Vectors may stand at the ends only: a row in front, a column behind.
		if len(s) == 2 || len(s) == 1 && (i == 0 || i == len(elems)-1) {
			continue
		}
		return c.Errorf(linAlgError, diag.RankMismatch, "multi_dot() needs matrices, and vectors at its ends, not %s", ts[i])
	}
	// The sizes between neighbours are summed over.
	for i := 1; i < len(ts); i++ {
		a, b := ts[i-1].Type().Shape, ts[i].Type().Shape
		if _, ok := c.Same(a[len(a)-1], b[0]); !ok {
			c.Blame(ops.Ref{Tensor: ts[i-1], Axis: len(a) - 1}, ops.Ref{Tensor: ts[i], Axis: 0})
			return c.Errorf("ValueError", diag.ShapeMismatch, "multi_dot(): %s and %s do not fit", ts[i-1], ts[i])
		}
	}
	var shape symshape.Shape
	if s := ts[0].Type().Shape; len(s) == 2 {
		shape = append(shape, s[0])
	}
	if s := ts[len(ts)-1].Type().Shape; len(s) == 2 {
		shape = append(shape, s[1])
	}
	return outOr(c, c.Out(d, shape))
}

// tensorInverse: the first ind axes are rows of a square matrix, the others its columns. The
// inverse has them the other way round.
func tensorInverse(c *ops.Call) value.Value {
	t := numbers(c, "a")
	if t == nil {
		return nil
	}
	needInt(c, "ind")
	ind, known := value.AsInt(value.Plain(c.Value("ind")))
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if !known {
		return c.Lose("the number of axes is not known")
	}
	if ind <= 0 {
		return c.Errorf("ValueError", diag.BadValue, "tensorinv(): ind must be positive, but is %d", ind)
	}
	if len(s) == 0 {
		return c.Errorf("TypeError", diag.RankMismatch, "tensorinv(): %s has no axes", t)
	}
	// More axes than there are: all are rows, and there is one column.
	k := min(int(ind), len(s))
	rows, cols := c.Numel(s[:k]), c.Numel(s[k:])
	if ops.IsConst(cols, 0) {
		return c.Errorf("ValueError", diag.InvalidSize, "tensorinv(): %s is empty", t)
	}
	if _, ok := c.Same(rows, cols); !ok {
		return c.Errorf(linAlgError, diag.ShapeMismatch, "tensorinv(): as a matrix %s is %s by %s, not square", t, rows, cols)
	}
	d := quotient(c, t.Type().DType)
	if d == dtype.F16 {
		return c.Errorf("TypeError", diag.DTypeMismatch, "numpy.linalg does not compute in float16: %s", t)
	}
	return c.Out(d, slices.Concat(s[k:], s[:k]))
}

// tensorSolve: as many first axes as b has are the rows, the others the columns and the shape of
// the result. The matrix must be square, and b have as many elements as it has rows.
func tensorSolve(c *ops.Call) value.Value {
	a, b := numbers(c, "a"), numbers(c, "b")
	if a == nil || b == nil {
		return nil
	}
	if c.Has("axes") {
		return c.Lose("tensorsolve with other axes")
	}
	s, r := c.Shape(a), c.Shape(b)
	if !c.OK() {
		return nil
	}
	k := min(len(r), len(s))
	rows, cols := c.Numel(s[:k]), c.Numel(s[k:])
	if _, ok := c.Same(rows, cols); !ok {
		return c.Errorf(linAlgError, diag.ShapeMismatch, "tensorsolve(): as a matrix %s is %s by %s, not square", a, rows, cols)
	}
	if n := c.Numel(r); c.OK() {
		if _, ok := c.Same(rows, n); !ok {
			return c.Errorf("ValueError", diag.ShapeMismatch, "tensorsolve(): %s does not fit %s", b, a)
		}
	}
	d := dtype.Unknown
	if x, y := quotient(c, a.Type().DType), quotient(c, b.Type().DType); x == dtype.F16 || y == dtype.F16 {
		return c.Errorf("TypeError", diag.DTypeMismatch, "numpy.linalg does not compute in float16: %s, %s", a, b)
	} else if x != dtype.Unknown && y != dtype.Unknown {
		d = dtype.Numpy(x, y)
	}
	return c.Out(d, slices.Clone(s[k:]))
}

// normArray follows numpy/linalg/linalg.py, norm: over one axis a norm of vectors, over two one of
// matrices, and over all without axis. The result is real and of the shape without these axes, or
// with size 1 in their place. Which orders exist depends on the number of axes; those that take a
// maximum or minimum fail over axes of size 0.
func normArray(c *ops.Call) value.Value {
	t := numbers(c, "x")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	keep := keepdims(c)
	if !c.OK() {
		return nil
	}
	ord := value.Plain(c.Value("ord"))
	text, isText := value.AsStr(ord)
	n, isNumber := value.AsFloat(ord)
	if value.IsUnknown(ord) {
		return c.Lose("the kind of norm is not known")
	}
	d := quotient(c, t.Type().DType)
	switch f := value.Plain(c.Value("axis")).(type) { // norm takes int(axis)
	case value.Float:
		if math.Abs(float64(f)) < 1e6 {
			c.Args = slices.Clone(c.Args)
			c.Args[2] = value.Int(int64(f))
		}
	case value.Str:
		if n, ok := parsed(c, f, dtype.I64).(value.Int); ok {
			c.Args = slices.Clone(c.Args)
			c.Args[2] = n
		} else {
			return nil
		}
	}
	axes, all := arrayAxes(c, len(s))
	if !c.OK() {
		return nil
	}
	// Without axis the elements are one vector for the default order, whatever the rank is.
	if all && (ord == value.None || (text == "f" || text == "fro") && len(s) == 2 || isNumber && n == 2 && len(s) == 1) {
		return c.Out(d.Real(), ops.ReduceShape(c, s, axes, keep))
	}
	// empty reports whether an axis of the norm is known to have size 0.
	empty := func() bool {
		for _, a := range axes {
			if ops.IsConst(s[a], 0) {
				return true
			}
		}
		return false
	}
	switch len(axes) {
	// Of vectors every number is an order.
	case 1:
		if isText || ord != value.None && !isNumber {
			return c.Errorf("ValueError", diag.BadValue, "norm(): there is no norm %s of vectors", ord)
		}
		if isNumber && (n > 1e308 && c.Numpy1() || n < -1e308) && empty() {
			return c.Errorf("ValueError", diag.InvalidSize, "norm(): axis %d has size 0", axes[0])
		}
	// Of matrices 2, -2 and nuc are by singular values, 1 and infinity by sums over an axis.
	case 2:
		byValues := text == "nuc" || isNumber && (n == 2 || n == -2)
		switch {
		case byValues || text == "fro" || text == "f" || ord == value.None:
		case isNumber && (n == 1 || n == -1 || n > 1e308 || n < -1e308):
			of := axes[0] // the sums over the other axis, of which NumPy 2 has a greatest even of none
			if math.Abs(n) == 1 {
				of = axes[1]
			}
			if ops.IsConst(s[of], 0) && (c.Numpy1() || n < 0) {
				return c.Errorf("ValueError", diag.InvalidSize, "norm(): axis %d of %s has size 0", of, t)
			}
		default:
			return c.Errorf("ValueError", diag.BadValue, "norm(): there is no norm %s of matrices", ord)
		}
		if byValues && d == dtype.F16 {
			return c.Errorf("TypeError", diag.DTypeMismatch, "numpy.linalg does not compute in float16: %s", t)
		}
		if byValues && text == "" && empty() && (c.Numpy1() || n < 0) {
			return c.Errorf("ValueError", diag.InvalidSize, "norm(): %s is empty", t)
		}
	default:
		return c.Errorf("ValueError", diag.RankMismatch, "norm() is over one or two axes, not %d of %s", len(axes), t)
	}
	return c.Out(d.Real(), ops.ReduceShape(c, s, axes, keep))
}
