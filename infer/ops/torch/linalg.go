package torch

// This file holds matrix decompositions and functions of one matrix. All take
// batches: the last two dimensions are the matrix. Integer and half-precision
// matrices are refused. Results with two or more dimensions are column-major or
// not, depending on the backend, so that their strides are left open. A rule takes its argument by
// matrixArg, which checks rank and dtype in the order of PyTorch, and makes results by matOut. The
// shapes are those of the documentation of torch.linalg with k = min(rows, columns); functions of
// several results give named tuples of the class that PyTorch has for them.

import (
	"fmt"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var linalgOps = [...]ops.Op{
	{Names: []string{"torch.linalg.det", "torch.det", "torch.Tensor.det"}, Sig: "(Tensor A)", Out: true, NoOut: []string{"torch.det"},
		ExactOut: true, Rule: squareRule(func(c *ops.Call, m matrix) value.Value { return matOut(c, m.d, m.batch) }),
		Quirks: ops.ByColumns, Doc: "determinant"},
	{Names: []string{"torch.logdet", "torch.Tensor.logdet"}, Sig: "(Tensor self)",
		Rule:   squareRule(func(c *ops.Call, m matrix) value.Value { return matOut(c, m.d, m.batch) }),
		Quirks: ops.HalfRefused, Doc: "logarithm of the determinant"},
	{Names: []string{"torch.linalg.slogdet"}, Sig: "(Tensor A)", Out: true, Rule: squareRule(slogdetRule("linalg_slogdet")),
		Quirks: ops.ByColumns | ops.HalfRefused, Doc: "sign and logarithm of the determinant"},
	{Names: []string{"torch.slogdet", "torch.Tensor.slogdet"}, Sig: "(Tensor A)", Out: true, Rule: squareRule(slogdetRule("slogdet")),
		Quirks: ops.ByColumns | ops.HalfRefused, Doc: "sign and logarithm of the determinant"},
	{Names: []string{"torch.linalg.inv", "torch.inverse", "torch.Tensor.inverse"}, Sig: "(Tensor A)", Out: true, ExactOut: true,
		Rule: squareRule(sameMatrix),
		Is:   graph.Uncounted, Quirks: ops.ByColumns | ops.HalfRefused, Doc: "inverse"},
	{Names: []string{"torch.linalg.inv_ex"}, Sig: "(Tensor A, *, bool check_errors=False)", Out: true,
		Rule:   squareRule(withInfo("linalg_inv_ex", "inverse")),
		Quirks: ops.ByColumns | ops.HalfRefused, Doc: "inverse, with an error code"},
	{Names: []string{"torch.linalg.cholesky"}, Sig: "(Tensor self, *, bool upper=False)", Out: true, ExactOut: true,
		Rule:   squareRule(sameMatrix),
		Quirks: ops.ByColumns, Doc: "Cholesky factor"},
	{Names: []string{"torch.cholesky", "torch.Tensor.cholesky"}, Sig: "(Tensor self, bool upper=False)", Out: true,
		Rule: squareRule(sameMatrix), Removed: "torch.linalg.cholesky",
		Quirks: ops.ByColumns, Variant: emptyFirst, Doc: "Cholesky factor"},
	{Names: []string{"torch.linalg.cholesky_ex"}, Sig: "(Tensor self, *, bool upper=False, bool check_errors=False)", Out: true,
		Rule:   squareRule(withInfo("linalg_cholesky_ex", "L")),
		Quirks: ops.ByColumns, Doc: "Cholesky factor, with an error code"},
	{Names: []string{"torch.cholesky_inverse", "torch.Tensor.cholesky_inverse"}, Sig: "(Tensor self, bool upper=False)", Out: true,
		Rule:   squareRule(sameMatrix),
		Quirks: ops.ByColumns, Doc: "inverse from a Cholesky factor"},
	{Names: []string{"torch.linalg.matrix_sqrth"}, Sig: "(Tensor A)", Rule: matrixSqrtRule, Doc: "square root of Hermitian matrices"},
	{Names: []string{"torch.linalg.polar"}, Sig: "(Tensor A)", Rule: polarFactors, Doc: "unitary and Hermitian factor of tall matrices"},
	{Names: []string{"torch.matrix_exp", "torch.Tensor.matrix_exp", "torch.linalg.matrix_exp"}, Sig: "(Tensor self)", Rule: matrixExpRule,
		Doc: "matrix exponential"},
	{Names: []string{"torch.linalg.matrix_power", "torch.matrix_power", "torch.Tensor.matrix_power"}, Sig: "(Tensor self, int n)", Out: true,
		ExactOut: true, Rule: matrixPowerRule,
		Is: graph.Uncounted, Quirks: ops.ByColumns, Doc: "integer power"},
	{Names: []string{"torch.linalg.eig"}, Sig: "(Tensor self)", Out: true, Rule: squareRule(func(c *ops.Call, m matrix) value.Value {
		return named(c, "linalg_eig", []string{"eigenvalues", "eigenvectors"}, matOut(c, m.d.Complex(), m.vector()),
			matOut(c, m.d.Complex(), m.shape))
	}), Quirks: ops.ByColumns, Doc: "eigenvalues and eigenvectors, complex"},
	{Names: []string{"torch.linalg.eigvals"}, Sig: "(Tensor self)", Out: true,
		Rule:   squareRule(func(c *ops.Call, m matrix) value.Value { return matOut(c, m.d.Complex(), m.vector()) }),
		Quirks: ops.ByColumns, Doc: "eigenvalues, complex"},
	{Names: []string{"torch.linalg.eigh"}, Sig: "(Tensor self, str UPLO=\"L\")", Out: true,
		Rule: squareRule(func(c *ops.Call, m matrix) value.Value {
			return named(c, "linalg_eigh", []string{"eigenvalues", "eigenvectors"}, matOut(c, m.d.Real(), m.vector()), matOut(c, m.d, m.shape))
		}), Quirks: ops.ByColumns | ops.EmptyIntegers, Doc: "eigenvalues and eigenvectors of a Hermitian matrix"},
	{Names: []string{"torch.linalg.eigvalsh"}, Sig: "(Tensor self, str UPLO=\"L\")", Out: true, ExactOut: true,
		Rule:   squareRule(func(c *ops.Call, m matrix) value.Value { return matOut(c, m.d.Real(), m.vector()) }),
		Quirks: ops.ByColumns | ops.EmptyIntegers, Doc: "eigenvalues of a Hermitian matrix"},
	{Names: []string{"torch.symeig", "torch.Tensor.symeig"}, Sig: "(Tensor self, bool eigenvectors=False, bool upper=True)", Out: true,
		Rule: squareRule(symeigRule), Removed: "torch.linalg.eigh",
		Quirks: ops.EmptyIntegers, Doc: "eigenvalues of a symmetric matrix; gone since torch 2.0"},
	{Names: []string{"torch.linalg.ldl_factor"}, Sig: "(Tensor self, *, bool hermitian=False)", Out: true,
		Rule: squareRule(func(c *ops.Call, m matrix) value.Value {
			return named(c, "linalg_ldl_factor", []string{"LD", "pivots"}, matOut(c, m.d, m.shape), matOut(c, dtype.I32, m.vector()))
		}), Quirks: ops.ByColumns, Doc: "LDL factors"},
	{Names: []string{"torch.linalg.ldl_factor_ex"}, Sig: "(Tensor self, *, bool hermitian=False, bool check_errors=False)", Out: true,
		Rule: squareRule(func(c *ops.Call, m matrix) value.Value {
			return named(c, "linalg_ldl_factor_ex", []string{"LD", "pivots", "info"}, matOut(c, m.d, m.shape), matOut(c, dtype.I32, m.vector()),
				matOut(c, dtype.I32, m.batch))
		}), Quirks: ops.ByColumns, Doc: "LDL factors, with an error code"},
	{Names: []string{"torch.linalg.lu"}, Sig: "(Tensor A, *, bool pivot=True)", Out: true, Rule: luRule,
		Quirks: ops.ByColumns | ops.EmptyIntegers, Variant: luFull, Doc: "permutation, lower and upper factor"},
	{Names: []string{"torch.linalg.lu_factor"}, Sig: "(Tensor A, *, bool pivot=True)", Out: true, Rule: luRule,
		Quirks: ops.ByColumns | ops.EmptyIntegers, Variant: luFactor, Doc: "packed LU factors and pivots"},
	{Names: []string{"torch.linalg.lu_factor_ex"}, Sig: "(Tensor A, *, bool pivot=True, bool check_errors=False)", Out: true, Rule: luRule,
		Quirks: ops.ByColumns | ops.EmptyIntegers, Variant: luFactorEx, Doc: "packed LU factors and pivots, with an error code"},
	{Names: []string{"torch.lu", "torch.functional.lu"}, Sig: "(Tensor A, bool pivot=True, bool get_infos=False)", Rule: luRule,
		Quirks: ops.EmptyIntegers, Doc: "packed LU factors and pivots"},
	{Names: []string{"torch.Tensor.lu"}, Sig: "(Tensor A, bool pivot=True, bool get_infos=False)", Rule: luRule,
		Quirks: ops.EmptyIntegers, Variant: luMethod, Doc: "packed LU factors and pivots"},
	{Names: []string{"torch.lu_unpack"}, Sig: "(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True)",
		Out: true, Rule: luUnpackRule, Doc: "factors from their packed form"},
	{Names: []string{"torch.linalg.qr"}, Sig: "(Tensor A, str mode=\"reduced\")", Out: true, Rule: qrRule,
		Quirks: ops.ByColumns, Doc: "orthogonal and triangular factor"},
	{Names: []string{"torch.qr", "torch.Tensor.qr"}, Sig: "(Tensor A, bool some=True)", Out: true, Rule: qrRule, Removed: "torch.linalg.qr",
		Doc: "orthogonal and triangular factor"},
	{Names: []string{"torch.geqrf", "torch.Tensor.geqrf"}, Sig: "(Tensor A)", Out: true, Rule: func(c *ops.Call) value.Value {
		m, ok := matrixArg(c, "A")
		if !ok {
			return nil
		}
		return named(c, "geqrf", []string{"a", "tau"}, matOut(c, m.d, m.shape), matOut(c, m.d, m.diagonal(c)))
	}, Doc: "packed QR factors"},
	{Names: []string{"torch.linalg.svd"}, Sig: "(Tensor A, bool full_matrices=True, *, str? driver=None)", Out: true, Rule: svdRule,
		Quirks: ops.ByColumns, Doc: "singular value decomposition with V conjugate-transposed"},
	{Names: []string{"torch.svd", "torch.Tensor.svd"}, Sig: "(Tensor A, bool some=True, bool compute_uv=True)", Out: true, Rule: svdRule,
		Doc: "singular value decomposition"},
	{Names: []string{"torch.linalg.svdvals"}, Sig: "(Tensor A, *, str? driver=None)", Out: true, ExactOut: true,
		Rule: func(c *ops.Call) value.Value {
			m, ok := matrixArg(c, "A")
			if !ok {
				return nil
			}
			return matOut(c, m.d.Real(), m.diagonal(c))
		}, Quirks: ops.ByColumns, Doc: "singular values"},
	{Names: []string{"torch.linalg.pinv"},
		Sig: "(Tensor self, float rcond, bool hermitian=False) | (Tensor self, Tensor rcond, bool hermitian=False) | (Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) | (Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False)",
		Out: true, Rule: pinvRule, Quirks: ops.ByColumns | ops.HalfRefused, Doc: "pseudo-inverse"},
	{Names: []string{"torch.pinverse", "torch.Tensor.pinverse"}, Sig: "(Tensor self, float rcond=1e-15)", Rule: pinvRule,
		Quirks: ops.HalfRefused, Doc: "pseudo-inverse"},
	{Names: []string{"torch.linalg.matrix_rank"},
		Sig: "(Tensor self, float tol, bool hermitian=False) | (Tensor self, Tensor tol, bool hermitian=False) | (Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) | (Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False)",
		Out: true, Rule: matrixRankRule, Quirks: ops.ByColumns, Doc: "numerical rank"},
	{Names: []string{"torch.linalg.cond"}, Sig: "(Tensor self, any p=None)", Out: true, Rule: condRule, Quirks: ops.ByColumns,
		Doc: "condition number"},
	{Names: []string{"torch.trace", "torch.Tensor.trace"}, Sig: "(Tensor self)", Rule: traceRule, Doc: "sum of the diagonal of a matrix"},
	{Names: []string{"torch.svd_lowrank"}, Sig: "(Tensor A, any q=6, any niter=2, Tensor? M=None)", Rule: lowrankRule, Variant: svdLowRank,
		Doc: "approximate singular value decomposition of rank q"},
	{Names: []string{"torch.pca_lowrank"}, Sig: "(Tensor A, any q=None, bool center=True, any niter=2)", Rule: lowrankRule,
		Doc: "approximate principal components"},
}

// A matrix is a checked argument: batch dimensions, then rows and columns.
type matrix struct {
	// The tensor, its dtype and shape, and the parts of the shape.
	t          *value.Tensor
	d          dtype.DType
	shape      symshape.Shape
	batch      symshape.Shape
	rows, cols symshape.Dim
}

// vector is the shape of one number per column.
func (m matrix) vector() symshape.Shape { return m.shape[:len(m.shape)-1] }

// with is the batch followed by other sizes.
func (m matrix) with(dims ...symshape.Dim) symshape.Shape {
	return append(append(symshape.Shape(nil), m.batch...), dims...)
}

// diagonal is the shape of one number per row or column, whichever are fewer.
func (m matrix) diagonal(c *ops.Call) symshape.Shape { return m.with(c.P.DimMin(m.rows, m.cols)) }

// matOut is a result whose order in memory is not known: LAPACK writes columns one after another,
// other backends rows. A view of it then says that it does not know whether it is possible.
func matOut(c *ops.Call, d dtype.DType, shape symshape.Shape) *value.Tensor {
	out := c.Out(d, shape)
	if len(shape) > 1 {
		out.Type().Strides = make([]*symshape.Expr, len(shape))
	}
	return out
}

// matrixArg reads a matrix of floats or complex numbers; ok is false after a fault.
func matrixArg(c *ops.Call, name string) (m matrix, ok bool) {
	t := c.Tensor(name)
	s := c.Shape(t)
	if !c.OK() {
		return
	}
	if m, ok = asMatrix(c, t, s); !ok {
		return
	}
	return m, floatMatrix(c, t)
}

// asMatrix takes a tensor of at least two dimensions apart; fewer are a fault, and ok is false.
func asMatrix(c *ops.Call, t *value.Tensor, s symshape.Shape) (m matrix, ok bool) {
	n := len(s)
	if n < 2 {
		c.FixingRank().Errorf("RuntimeError", diag.RankMismatch, "%s() needs at least 2 dimensions, but got %s", c.Short(), t)
		return
	}
	return matrix{t: t, d: t.Type().DType, shape: s, batch: s[:n-2], rows: s[n-2], cols: s[n-1]}, true
}

// floatMatrix checks that a matrix has a dtype of LAPACK, which has no half precision and no
// integers. Of empty matrices some functions look at less, as their quirks say. It reports whether
// there was no fault.
func floatMatrix(c *ops.Call, t *value.Tensor) bool {
	empty := isEmpty(t.Type().Shape)
	switch d := t.Type().DType; {
	case d == dtype.F32, d == dtype.F64, d == dtype.C64, d == dtype.C128, d == dtype.Unknown:
		return true
	case empty && d.IsFloat() && !c.Op.Has(ops.HalfRefused):
		return true
	case empty && c.Op.Has(ops.EmptyIntegers):
		return true
	}
	c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() needs f32, f64, c64 or c128, but got %s", c.Short(), t)
	return false
}

// square makes it a condition that a matrix is square, and reports whether it may be.
func square(c *ops.Call, m matrix) bool {
	if _, ok := c.Same(m.rows, m.cols); !ok {
		c.Blame(ops.Ref{Tensor: m.t, Axis: len(m.shape) - 2}, ops.Ref{Tensor: m.t, Axis: len(m.shape) - 1})
		c.Shapef("%s() needs square matrices, but got %s by %s: %s", c.Short(), m.rows, m.cols, m.t)
		return false
	}
	return true
}

// The functions of a rule that differ from the others.
const (
	emptyFirst ops.Variant = "empty first" // an empty matrix is returned before the checks
	svdLowRank ops.Variant = "svd"
	luFull     ops.Variant = "P, L, U"
	luFactor   ops.Variant = "LU, pivots"
	luFactorEx ops.Variant = "LU, pivots, info"
	luMethod   ops.Variant = "method" // Tensor.lu gives a plain tuple
)

// squareRule makes the rule of a function of square matrices, or batches of them, from what it gives for one
// that passed the checks. The argument has different names in torch and torch.linalg, so it is taken by its
// place. UPLO says which triangle of a symmetric matrix is read; LAPACK takes lower-case letters, too.
func squareRule(f func(c *ops.Call, m matrix) value.Value) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		if t := c.Tensor(c.Sig.Params[0].Name); c.OK() && c.Is(emptyFirst) && isEmpty(t.Type().Shape) {
			return c.Like(t, t.Type().DType) // returned before the checks
		}
		m, ok := matrixArg(c, c.Sig.Params[0].Name)
		if !ok {
			return nil
		}
		if !square(c, m) {
			return nil
		}
		if c.HasParam("UPLO") {
			if u := c.Str("UPLO"); c.OK() && u != "L" && u != "U" && u != "l" && u != "u" {
				return c.Errorf("RuntimeError", diag.BadValue, "%s() needs UPLO to be 'L' or 'U', not '%s'", c.Short(), u)
			}
		}
		return f(c, m)
	}
}

// sameMatrix is the result of a function that gives a matrix of the argument's shape and dtype.
func sameMatrix(c *ops.Call, m matrix) value.Value { return matOut(c, m.d, m.shape) }

// withInfo makes the result of the functions ending in _ex, which report a failure per matrix in info, as
// LAPACK does, and raise nothing.
func withInfo(class, field string) func(c *ops.Call, m matrix) value.Value {
	return func(c *ops.Call, m matrix) value.Value {
		return named(c, class, []string{field, "info"}, matOut(c, m.d, m.shape), matOut(c, dtype.I32, m.batch))
	}
}

// slogdetRule: the logarithm of the absolute determinant is real, its sign has the dtype of the matrix, as for
// complex numbers it is a number of absolute value 1.
func slogdetRule(class string) func(*ops.Call, matrix) value.Value {
	return func(c *ops.Call, m matrix) value.Value {
		return named(c, class, []string{"sign", "logabsdet"}, matOut(c, m.d, m.batch), matOut(c, m.d.Real(), m.batch))
	}
}

// symeigRule is that of torch.symeig, which PyTorch 2 refuses to run (use linalg.eigh). Without vectors their
// field is there and empty.
func symeigRule(c *ops.Call, m matrix) value.Value {
	vectors := symshape.Shape{c.Const(0)}
	if c.Bool("eigenvectors") || isEmpty(m.shape) { // of nothing, both come back uncomputed
		vectors = m.shape
	}
	return named(c, "symeig", []string{"eigenvalues", "eigenvectors"}, matOut(c, m.d.Real(), m.vector()), matOut(c, m.d, vectors))
}

// matrixSqrtRule: a square matrix of single or double precision, as tallMatrix says.
func matrixSqrtRule(c *ops.Call) value.Value {
	m, ok := tallMatrix(c)
	if !ok || !square(c, m) {
		return nil
	}
	return c.Out(m.d, m.shape)
}

// polarFactors: A = U @ H with U of A's shape and H square and positive, which exists where A has no more
// columns than rows.
func polarFactors(c *ops.Call) value.Value {
	m, ok := tallMatrix(c)
	if !ok {
		return nil
	}
	if !requireLE(c, m.cols, m.rows) {
		return c.Shapef("%s() needs at least as many rows as columns: %s", c.Short(), m.t)
	}
	square := append(append(symshape.Shape(nil), m.batch...), m.cols, m.cols)
	return named(c, "linalg_polar", []string{"U", "H"}, c.Out(m.d, m.shape), c.Out(m.d, square))
}

// tallMatrix is the argument A, of single or double precision.
func tallMatrix(c *ops.Call) (m matrix, ok bool) {
	t := c.Tensor("A")
	s := c.Shape(t)
	if !c.OK() {
		return
	}
	if m, ok = asMatrix(c, t, s); !ok {
		return
	}
	return m, c.Accepts(1<<dtype.F32|1<<dtype.F64|wideComplexes, m.d)
}

// matrixExpRule takes half precision and batches, unlike the functions that LAPACK computes: PyTorch computes
// it by Taylor polynomials (LinearAlgebra.cpp, compute_T1 to compute_T18).
func matrixExpRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	m, ok := asMatrix(c, t, s)
	if !ok || !square(c, m) {
		return nil
	}
	if m.d != dtype.Unknown && !m.d.IsFloat() && !m.d.IsComplex() {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "matrix_exp() needs a float or complex tensor, but got %s", t)
	}
	return matOut(c, m.d, s)
}

// matrixPowerRule: powers from 0 on are products, which integers have; a negative power is one of the inverse,
// for which the matrix must be of floats.
func matrixPowerRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	n, known := ops.DimVal(c.Dim("n"))
	if !c.OK() {
		return nil
	}
	m, ok := asMatrix(c, t, s)
	if !ok || !square(c, m) || known && n < 0 && !floatMatrix(c, t) {
		return nil
	}
	c.CastOut = known && (n == 0 || n == 1) // an identity or a copy is written
	if m.d == dtype.Bool && known && n > 1 && !isEmpty(s) {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "matrix_power() is not implemented for bool")
	}
	return matOut(c, m.d, s)
}

// luRule is that of the four functions that factor a matrix by LU. P is a permutation matrix of the rows, and L
// and U share the lesser of rows and columns, k. The packed forms give L and U in one matrix, and pivots as
// LAPACK writes them: int32, counted from 1. Without pivoting there is no P (an empty tensor), and only CUDA
// can do it.
func luRule(c *ops.Call) value.Value {
	m, ok := matrixArg(c, "A")
	pivot := c.Bool("pivot")
	if !ok || !c.OK() {
		return nil
	}
	if !pivot && m.t.Type().Device == "cpu" && !isEmpty(m.shape) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s() without pivoting is not implemented on the CPU", c.Short())
	}
	k := c.P.DimMin(m.rows, m.cols)
	// The results that several forms share.
	lu := func() value.Value { return matOut(c, m.d, m.shape) }
	pivots := func() value.Value { return matOut(c, dtype.I32, m.with(k)) }
	info := func() value.Value { return matOut(c, dtype.I32, m.batch) }
	switch c.Op.Variant {
	case luFull:
		p := m.with(m.rows, m.rows)
		if !pivot {
			p = symshape.Shape{c.Const(0)}
		}
		return named(c, "linalg_lu", []string{"P", "L", "U"}, matOut(c, m.d, p), matOut(c, m.d, m.with(m.rows, k)),
			matOut(c, m.d, m.with(k, m.cols)))
	case luFactor:
		return named(c, "linalg_lu_factor", []string{"LU", "pivots"}, lu(), pivots())
	case luFactorEx:
		return named(c, "linalg_lu_factor_ex", []string{"LU", "pivots", "info"}, lu(), pivots(), info())
	}
	if !c.Bool("get_infos") {
		return value.NewTuple(lu(), pivots())
	}
	if c.Is(luMethod) {
		return value.NewTuple(lu(), pivots(), info())
	}
	return named(c, "_lu_with_info", []string{"LU", "pivots", "info"}, lu(), pivots(), info())
}

// luUnpackRule: pivots are row numbers from 1 on. Where the program gives them as data that is known, each is
// compared with the number of rows, since PyTorch does so before it unpacks. What is not asked for comes back
// as an empty tensor of shape [0], not as None.
func luUnpackRule(c *ops.Call) value.Value {
	t, p := c.Tensor("LU_data"), c.Tensor("LU_pivots")
	s := c.Shape(t)
	data, pivots := c.Bool("unpack_data"), c.Bool("unpack_pivots")
	if !c.OK() {
		return nil
	}
	m, ok := asMatrix(c, t, s)
	if !ok {
		return nil
	}
	// Pivots must be int32, and are row numbers.
	if pivots && !indexDType(c, p, "pivots", dtype.I32) {
		return nil
	}
	if pivots && !isEmpty(s) && (len(s) == 2 || ops.SameShape(p.Type().Shape, m.with(c.P.DimMin(m.rows, m.cols)))) {
		rows, known := ops.DimVal(m.rows)
		read, ok := ops.DimVal(c.P.DimMin(m.rows, m.cols)) // it does not look at how many there are
		ok = ok && len(s) == 2
		for i, e := range p.Contents() {
			if ok && int64(i) >= read {
				break
			}
			if n, ok := ops.ConcreteElem(e); ok && (n < 1 || known && n > rows) {
				return c.Errorf("RuntimeError", diag.BadValue, "lu_unpack(): pivot %d is not between 1 and the %s rows of %s", n, m.rows, t)
			}
		}
	}
	k := c.P.DimMin(m.rows, m.cols)
	none := symshape.Shape{c.Const(0)}
	ps, ls, us := none, none, none
	if pivots {
		ps = m.with(m.rows, m.rows)
	}
	if data {
		ls, us = m.with(m.rows, k), m.with(k, m.cols)
	}
	return named(c, "lu_unpack", []string{"P", "L", "U"}, matOut(c, m.d, ps), matOut(c, m.d, ls), matOut(c, m.d, us))
}

// qrRule is that of torch.qr, whose flag is some, and of linalg.qr, whose mode is NumPy's: "reduced" cuts Q and
// R to k = min(rows, columns), "complete" makes Q square, and "r" leaves Q out as an empty tensor.
func qrRule(c *ops.Call) value.Value {
	m, ok := matrixArg(c, "A")
	if !ok {
		return nil
	}
	class, mode := "qr", "complete"
	if c.HasParam("mode") {
		class, mode = "linalg_qr", c.Str("mode")
	} else if c.Bool("some") {
		mode = "reduced"
	}
	k := c.P.DimMin(m.rows, m.cols)
	fields := []string{"Q", "R"}
	switch mode {
	case "reduced":
		return named(c, class, fields, matOut(c, m.d, m.with(m.rows, k)), matOut(c, m.d, m.with(k, m.cols)))
	case "complete":
		return named(c, class, fields, matOut(c, m.d, m.with(m.rows, m.rows)), matOut(c, m.d, m.shape))
	case "r":
		return named(c, class, fields, matOut(c, m.d, symshape.Shape{c.Const(0)}), matOut(c, m.d, m.with(k, m.cols)))
	}
	return c.Errorf("RuntimeError", diag.BadValue, "qr() knows the modes 'reduced', 'complete' and 'r', not '%s'", mode)
}

// svdRule is that of linalg.svd, which gives V transposed (Vh), and of torch.svd, which gives V itself; their
// flags mean opposite things, full_matrices and some. Singular values are real. torch.svd with compute_uv=False
// gives zeros of the full shapes, not of the reduced ones.
func svdRule(c *ops.Call) value.Value {
	m, ok := matrixArg(c, "A")
	if !ok {
		return nil
	}
	k := c.P.DimMin(m.rows, m.cols)
	if c.HasParam("full_matrices") {
		if c.Has("driver") && m.t.Type().Device == "cpu" && !c.Empty(m.t) {
			return c.Errorf("RuntimeError", diag.BadValue, "svd(): driver is only supported on CUDA")
		}
		u, v := m.with(m.rows, k), m.with(k, m.cols)
		if c.Bool("full_matrices") {
			u, v = m.with(m.rows, m.rows), m.with(m.cols, m.cols)
		}
		return named(c, "linalg_svd", []string{"U", "S", "Vh"}, matOut(c, m.d, u), matOut(c, m.d.Real(), m.with(k)), matOut(c, m.d, v))
	}
	u, v := m.with(m.rows, m.rows), m.with(m.cols, m.cols)
	if c.Bool("compute_uv") && c.Bool("some") {
		u, v = m.with(m.rows, k), m.with(m.cols, k)
	}
	return named(c, "svd", []string{"U", "S", "V"}, matOut(c, m.d, u), matOut(c, m.d.Real(), m.with(k)), matOut(c, m.d, v))
}

// tolerances broadcasts the batch with tensors of tolerances; numbers among them have no shape. ok
// is false after a fault.
func tolerances(c *ops.Call, batch symshape.Shape, names ...string) (symshape.Shape, bool) {
	for _, name := range names {
		if !c.Has(name) {
			continue
		}
		t, ok := c.Value(name).(*value.Tensor)
		if !ok {
			continue
		}
		s := c.Shape(t)
		if !c.OK() {
			return nil, false
		}
		if t.Type().DType.IsComplex() {
			c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): a complex %s is not supported", c.Short(), name)
			return nil, false
		}
		var axis int
		if batch, axis, ok = c.Broadcast(batch, s); !ok {
			c.Shapef("%s(): %s of shape %s does not match the batch at dimension %d", c.Short(), name, s, -axis)
			return nil, false
		}
	}
	return batch, true
}

// pinvRule: the pseudo-inverse of an m by n matrix is n by m. Tolerances may be tensors, one for each matrix of
// the batch, and then broadcast with it. Of matrices without elements neither tolerances nor hermitian are
// looked at: PyTorch returns before.
func pinvRule(c *ops.Call) value.Value {
	m, ok := matrixArg(c, "self")
	if !ok {
		return nil
	}
	batch := m.batch
	if !isEmpty(m.shape) {
		if c.HasParam("hermitian") && c.Bool("hermitian") && !square(c, m) {
			return nil
		}
		if batch, ok = tolerances(c, batch, "rcond", "atol", "rtol"); !ok {
			return nil
		}
	}
	return matOut(c, m.d, append(append(symshape.Shape(nil), batch...), m.cols, m.rows))
}

// matrixRankRule gives one int64 per matrix. The default tolerance is the precision of the dtype times the
// larger size, so a dtype without a precision in torch.finfo for LAPACK (half precision, integers) is refused
// even where nothing is computed.
func matrixRankRule(c *ops.Call) value.Value {
	if t := c.Tensor("self"); t != nil && c.Torch1() && c.Empty(t) && t.Type().DType.IsIntegralOrBool() && c.HasParam("tol") &&
		ops.IsTensor(c.Value("tol")) {
		return c.Lose("of nothing the dtype is not looked at beside a tensor of tolerances")
	}
	if t := c.Tensor("self"); t != nil && c.HasParam("rtol") && c.Has("rtol") && c.Empty(t) && len(t.Type().Shape) >= 2 {
		s := t.Type().Shape // without numbers, and without the precision of the dtype, it asks for no dtype
		return matOut(c, dtype.I64, s[:len(s)-2])
	}
	m, ok := matrixArg(c, "self")
	if !ok {
		return nil
	}
	if m.d == dtype.F16 || m.d == dtype.BF16 || m.d.IsIntegralOrBool() { // also without numbers
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "matrix_rank() does not know the precision of %s", m.d)
	}
	batch := m.batch
	if !isEmpty(m.shape) {
		if c.Bool("hermitian") && !square(c, m) {
			return nil
		}
		if batch, ok = tolerances(c, batch, "tol", "atol", "rtol"); !ok {
			return nil
		}
	}
	return matOut(c, dtype.I64, batch)
}

// condRule: the norms 2, -2 and the default come from singular values, which any matrix has; the others from
// the inverse, which only square ones have.
func condRule(c *ops.Call) value.Value {
	if t := c.Tensor("self"); t != nil && t.Type().Rank() >= 2 && isEmpty(t.Type().Shape) {
		if _, named := value.AsStr(c.Value("p")); !named { // zeros, whatever the dtype and the norm
			s := t.Type().Shape
			return matOut(c, t.Type().DType.Real(), s[:len(s)-2])
		}
	}
	m, ok := matrixArg(c, "self")
	if !ok {
		return nil
	}
	switch v := value.Plain(c.Value("p")).(type) {
	case value.NoneType:
	case value.Str:
		if v != "fro" && v != "nuc" {
			return c.Errorf("RuntimeError", diag.BadValue, "cond() does not know the norm '%s'", string(v))
		}
		if !square(c, m) {
			return nil
		}
	default:
		p, known := value.AsFloat(v)
		if known {
			switch p {
			case 2, -2:
			case 1, -1, ops.Inf, -ops.Inf:
				if !square(c, m) {
					return nil
				}
			default:
				return c.Errorf("RuntimeError", diag.BadValue, "cond() does not know the norm %v", p)
			}
		} else if _, sym := v.(*value.SymFloat); !sym {
			return c.Errorf("TypeError", diag.TypeMismatch, "cond() needs p to be a number or a str, not %s", ops.TypeName(v))
		}
	}
	return matOut(c, m.d.Real(), m.batch)
}

// traceRule: a matrix alone, no batch of them; integers are summed in int64 as by torch.sum, but bools are
// refused.
func traceRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	if !c.Rank(t, "a matrix", 2) {
		return nil
	}
	d := t.Type().DType
	if d == dtype.Bool {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "trace() is not implemented for bool")
	}
	if d.IsIntegral() {
		d = dtype.I64
	}
	return c.Out(d, symshape.Shape{})
}

// lowrankRule needs matrices and a q from 0 to the lesser of their rows and columns, by default 6 where
// that fits; svd_lowrank reduces a greater q to that, which PyTorch 1 refuses. The results U, S and V have
// q columns, q values and q columns; S has the real dtype.
func lowrankRule(c *ops.Call) value.Value {
	a := c.Tensor("A")
	if a != nil && c.Torch1() && c.Is(svdLowRank) && !ops.RealFloats.Has(a.Type().DType) && len(a.Type().Shape) >= 2 {
		if n := len(a.Type().Shape); zero(c, "q") || isEmpty(a.Type().Shape[:n-2]) && !isEmpty(a.Type().Shape[n-2:]) {
			return c.Lose("of nothing PyTorch 1 gives float32")
		}
	}
	m, ok := matrixArg(c, "A")
	if !ok {
		return nil
	}
	if !pythonInt(c, "q", true) || !pythonInt(c, "niter", c.Is(svdLowRank)) {
		return nil
	}
	if c.Torch1() && m.d.IsComplex() && zero(c, "q") && len(a.Type().Shape) > 2 {
		return c.Lose("of nothing PyTorch 1 gives float32")
	}
	if c.Torch1() && m.d.IsComplex() && !c.Empty(a) && !zero(c, "q") {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): PyTorch 1 multiplies by float32 numbers, which do not fit %s", c.Short(), a)
	}
	k := c.P.DimMin(m.rows, m.cols)
	q := c.Const(6)
	if c.Has("q") {
		q = c.Dim("q")
	}
	// The approximation computes in q columns, of which more than there are rows and columns say
	// nothing.
	if c.Is(svdLowRank) { // at most as many as there are columns and rows; PyTorch 1 refuses more
		if !requireLE(c, c.Const(0), q) {
			return c.Errorf("RuntimeError", diag.BadValue, "svd_lowrank(): q is %s, but must not be negative", q)
		}
		most := k
		if zero(c, "niter") { // each iteration takes a basis of the rows as well
			most = m.rows
		}
		if c.Torch1() && !requireLE(c, q, most) {
			return c.Errorf("AssertionError", diag.BadValue, "svd_lowrank(): q is %s, but must not be greater than %s for %s", q, most, a)
		}
		q = c.P.DimMin(q, k)
	} else if !c.Has("q") {
		q = c.P.DimMin(q, k)
	} else if !requireLE(c, q, k) || !requireLE(c, c.Const(0), q) {
		return c.Errorf("ValueError", diag.BadValue, "%s", fmt.Sprintf("%s(): q is %s, but must be between 0 and %s", c.Short(), q, k))
	}
	return value.NewTuple(matOut(c, m.d, m.with(m.rows, q)), matOut(c, m.d.Real(), m.with(q)), matOut(c, m.d, m.with(m.cols, q)))
}

// zero reports whether a number is 0, or may be; a parameter that is None is not.
func zero(c *ops.Call, name string) bool {
	n, ok := value.AsInt(c.Value(name))
	return c.Has(name) && (!ok || n == 0)
}

// pythonInt checks a number that only Python's code looks at, for which a bool is an int. Others
// are a TypeError. What is not known passes, and None where the parameter is optional.
func pythonInt(c *ops.Call, name string, optional bool) bool {
	v := c.Value(name)
	if ops.FitsType(ops.IntType, v) || ops.FitsType(ops.BoolType, v) || value.IsUnknown(v) || optional && v == value.None {
		return true
	}
	c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be int, not %s", c.Short(), name, ops.TypeName(v))
	return false
}
