package aten

// This file lowers norms of matrices and distances, and says why factorisations
// have no form.
//
// What ONNX lacks falls in two classes. Inverses and Cholesky factors of small matrices are
// written out here as elimination, with an operator for each step over whole batches.
// Factorisations whose number of iterations depends on the numbers (eigenvalues, singular values)
// have no form.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

const noFactors = "ONNX has no factorisation of matrices"

var linalgRecords = []Record{
	{Op: "torch.linalg.det", Lower: func(c *Call) { c.Return(c.emit.Op("Det", In(c.first()))) }},
	{Op: "torch.logdet", Lower: func(c *Call) { c.Return(c.emit.Op("Log", In(c.emit.Op("Det", In(c.first()))))) }},
	{Op: "torch.linalg.slogdet torch.slogdet", Lower: func(c *Call) {
		e := c.emit
		det := e.Op("Det", In(c.first()))
		c.Return(e.Op("Sign", In(det)), e.Op("Log", In(e.abs(det))))
	}},
	{Op: "torch.linalg.inv torch.linalg.inv_ex torch.linalg.pinv torch.pinverse torch.linalg.tensorinv torch.cholesky_inverse",
		None: "ONNX has no inverse of matrices"},
	{Op: "torch.linalg.solve torch.linalg.solve_ex torch.linalg.solve_triangular torch.triangular_solve torch.cholesky_solve torch.linalg.lu_solve " +
		"torch.lu_solve torch.linalg.ldl_solve torch.linalg.lstsq torch.linalg.tensorsolve torch.lobpcg",
		None: "ONNX solves no systems of equations"},
	{Op: "torch.linalg.cholesky torch.cholesky torch.linalg.cholesky_ex torch.linalg.ldl_factor torch.linalg.ldl_factor_ex torch.linalg.lu " +
		"torch.linalg.lu_factor torch.linalg.lu_factor_ex torch.lu torch.Tensor.lu torch.lu_unpack torch.linalg.qr torch.qr torch.geqrf torch.ormqr " +
		"torch.linalg.householder_product", None: noFactors},
	{Op: "torch.linalg.svd torch.svd torch.linalg.svdvals torch.svd_lowrank torch.pca_lowrank torch.linalg.matrix_rank torch.linalg.cond " +
		"torch.nuclear_norm", None: "ONNX has no singular values"},
	{Op: "torch.linalg.eig torch.linalg.eigvals torch.linalg.eigh torch.linalg.eigvalsh torch.symeig", None: "ONNX has no eigenvalues"},
	{Op: "torch.linalg.matrix_sqrth torch.linalg.polar", None: "ONNX has no singular values and no eigenvalues"},
	{Op: "torch.matrix_exp", None: "ONNX has no exponential of matrices"},
	{Op: "torch.linalg.matrix_norm", Lower: func(c *Call) {
		c.Return(c.matrixNorm(c.first(), c.Axes("dim", c.Rank("self")), c.Bool("keepdim")))
	}},
	{Op: "torch.linalg.norm", Lower: linalgNorm},
	{Op: "torch.norm_except_dim", Lower: func(c *Call) { c.Return(c.normExcept(c.Float("pow"))) }},
	{Op: "torch._weight_norm", Lower: func(c *Call) {
		c.Return(c.emit.mul(c.first(), c.emit.over(c.Operand("g", c.OutDType(0)), c.normExcept(2))))
	}},
	{Op: "torch.cdist", Lower: cdist},
	{Op: "torch.nn.functional.pdist", Lower: pdist},
	{Op: "torch.nn.functional.pairwise_distance", Lower: func(c *Call) {
		e := c.emit
		rank := max(c.Rank("x1"), c.Rank("x2"))
		diff := e.plus(e.sub(c.Operand("x1", c.OutDType(0)), c.Operand("x2", c.OutDType(0))), c.Float("eps"))
		c.Return(e.normAlong(diff, c.Float("p"), c.Bool("keepdim"), int64(rank-1)))
	}},
	{Op: "torch.nn.functional.cosine_similarity", Lower: cosineSimilarity},
	{Op: "torch.cov", Lower: func(c *Call) {
		if c.Has("fweights") || c.Has("aweights") {
			failf("weights of observations")
		}
		c.Return(c.covariance(c.first(), c.Number("correction", c.OutDType(0))))
	}},
	{Op: "torch.corrcoef", Lower: func(c *Call) { c.Return(c.correlation(c.first())) }},
}

// mostRows bounds the matrices whose inverse is written: each row is some fifteen operators.
const mostRows = 32

// inverse is that of the matrices of x, of the given shape: of up to 3 rows their minors over the determinant, else what
// elimination makes of the identity beside them. Up to 3 rows the adjugate needs few operators
// and no pivots; from 4 on its minors grow like the factorial. It fails for more than mostRows
// rows and for a number that is not known. A singular matrix gives infinities or NaN, where
// PyTorch raises.
func (e *Emitter) inverse(x V, shape symshape.Shape) V {
	n, ok := shape[len(shape)-1].Const()
	if !ok || n < 1 {
		failf("ONNX has no inverse of matrices: it is written for a known number of rows")
	}
	if n > mostRows {
		failf("ONNX has no inverse of matrices: it is written for at most %d rows", mostRows)
	}
	last := int64(len(shape) - 1)
	if n > 3 {
		eye := e.Op("Expand", In(e.unit(x.DType, n), e.Shape(x)))
		return e.Slice(e.eliminated(e.Concat(last, x, eye), last, n), last, n, 2*n, 1)
	}
	row := func(i int64) V { return e.Op("Gather", In(x, e.I64Scalar(i)), onnx.IntAttr("axis", last-1)) }
	at := func(v V, list ...int64) V { return e.Op("Gather", In(v, e.I64(list...)), onnx.IntAttr("axis", last-1)) }
	switch n {
	case 1:
		return e.Op("Reciprocal", In(x))
	case 2:
		a, b := row(0), row(1)
		det := e.sub(e.mul(at(a, 0), at(b, 1)), e.mul(at(a, 1), at(b, 0)))
		top, bottom := e.Concat(last-1, at(b, 1), e.neg(at(a, 1))), e.Concat(last-1, e.neg(at(b, 0)), at(a, 0))
		return e.Concat(last-1, e.Unsqueeze(e.over(top, det), last-1), e.Unsqueeze(e.over(bottom, det), last-1))
	}
	// The inverse of three rows a, b, d has the columns b×d, d×a and a×b over the determinant
	// a·(b×d).
	cross := func(a, b V) V {
		return e.sub(e.mul(at(a, 1, 2, 0), at(b, 2, 0, 1)), e.mul(at(a, 2, 0, 1), at(b, 1, 2, 0)))
	}
	a, b, d := row(0), row(1), row(2)
	minors := cross(b, d)
	det := e.Reduce("ReduceSum", e.mul(a, minors), true, last-1)
	columns := make([]V, 3)
	for i, v := range [...]V{minors, cross(d, a), cross(a, b)} {
		columns[i] = e.Unsqueeze(e.over(v, det), last)
	}
	return e.Concat(last, columns...)
}

// unit is the identity of n rows.
func (e *Emitter) unit(d onnx.DType, n int64) V {
	list := make([]float64, n*n)
	for i := range n {
		list[i*n+i] = 1
	}
	t, err := onnx.NewFloats(d, []int64{n, n}, list)
	if err != nil {
		failf("%v", err)
	}
	return e.Const(t)
}

// eliminated makes the identity of the first n columns of matrices of n rows, by Gauss and Jordan
// with pivots; last is the axis of their columns. What stands beside these columns is multiplied
// by their inverse. Rows are exchanged without branches or indices: the pivot's row is picked by
// a mask of ArgMax, and m plus (isRow - isPivot)·(row - row k) swaps it with row k. Then the
// multiple of the pivot's row is taken from every other row at once. For n rows it takes n steps
// of about fifteen operators, each over the whole matrix, which is n³ work. ArgMax does not see
// the rows above k, whose size is set to -1.
func (e *Emitter) eliminated(m V, last, n int64) V {
	rows := e.Unsqueeze(e.rangeTo(e.I64Scalar(n)), 1)
	for k := range n {
		size := e.abs(e.Slice(m, last, k, k+1, 1))
		if k > 0 { // the rows above are done
			size = e.either(e.less(rows, e.I64(k)), e.Scalar(m.DType, -1), size)
		}
		pivot := e.Op("ArgMax", In(size), onnx.IntAttr("axis", last-1), onnx.IntAttr("keepdims", 1))
		isPivot := e.Cast(e.Op("Equal", In(rows, pivot)), m.DType)
		isRow := e.Cast(e.Op("Equal", In(rows, e.I64(k))), m.DType)
		row := e.Reduce("ReduceSum", e.mul(m, isPivot), true, last-1)
		m = e.add(m, e.mul(e.sub(isRow, isPivot), e.sub(row, e.Slice(m, last-1, k, k+1, 1))))
		one := e.over(row, e.Slice(row, last, k, k+1, 1))
		m = e.sub(m, e.mul(e.sub(e.Slice(m, last, k, k+1, 1), isRow), one))
	}
	return m
}

// cholesky is the lower triangle whose product with its transpose is a matrix, of which the lower triangle is read:
// column by column, each one's square taken off. This is the outer product form: column k is x[:,
// k] / √x[k, k], and its product with itself is subtracted from the rest. A matrix that is not
// positive definite gives NaN, where PyTorch raises.
func (e *Emitter) cholesky(x V, shape symshape.Shape) V {
	rank := len(shape)
	n, ok := shape[rank-1].Const()
	if !ok || n < 1 || n > mostRows {
		failf("ONNX has no factors of matrices: they are written for a known number of rows, at most %d", mostRows)
	}
	last := int64(rank - 1)
	rows := e.Unsqueeze(e.rangeTo(e.I64Scalar(n)), 1)
	columns := make([]V, n)
	for k := range n {
		root := e.sqrt(e.Slice(e.Slice(x, last-1, k, k+1, 1), last, k, k+1, 1))
		column := e.over(e.Slice(x, last, k, k+1, 1), root)
		if k > 0 {
			column = e.either(e.less(rows, e.I64(k)), e.Scalar(x.DType, 0), column)
		}
		columns[k] = column
		x = e.sub(x, e.mul(column, e.swapLast(column, rank)))
	}
	return e.Concat(last, columns...)
}

// correlation is that of the rows of x, which the argument input is. It is cov[i, j] / (σi·σj),
// divided by one after the other, and limited to -1 … 1, as PyTorch does. Of one row it is cov /
// cov, 1 or NaN.
func (c *Call) correlation(x V) V {
	e := c.emit
	cov := c.covariance(x, e.Scalar(x.DType, 1))
	if c.OutRank(0) == 0 {
		return e.over(cov, cov)
	}
	std := e.sqrt(e.Reduce("ReduceSum", e.either(e.diagonalOf(cov), cov, e.Scalar(x.DType, 0)), false, 1))
	return e.clip(e.over(e.over(cov, e.Unsqueeze(std, 1)), std), -1, 1)
}

// normAlong is the p-norm along axes, whatever the first argument's rank.
func (e *Emitter) normAlong(x V, p float64, keep bool, axes ...int64) V {
	return e.normOf(x, p, func(op string, x V) V { return e.Reduce(op, x, keep, axes...) })
}

// matrixNorm is a norm of the matrices that two axes make. Strings are "fro", the 2-norm of all
// elements, and "nuc", which fails, as do ±2. ±1 are the extreme of the columns' sums, ±∞ of the
// rows' sums.
func (c *Call) matrixNorm(x V, axes []int64, keep bool) V {
	e := c.emit
	if s, ok := c.Arg("ord").(graph.Str); ok {
		if s == "nuc" {
			failf("the nuclear norm needs singular values")
		}
		return e.normAlong(x, 2, keep, axes...)
	}
	p := c.Float("ord")
	sum, extreme := axes[0], axes[1]
	if infinite(p) {
		sum, extreme = extreme, sum
	} else if math.Abs(p) != 1 {
		failf("this norm needs singular values")
	}
	op := "ReduceMax"
	if p < 0 {
		op = "ReduceMin"
	}
	v := e.Reduce(op, e.Reduce("ReduceSum", e.abs(x), true, sum), true, extreme)
	if !keep {
		v = e.Squeeze(v, axes...)
	}
	return v
}

// linalgNorm is the 2-norm of all elements without ord; else that of a vector or a
// matrix, as dim or the rank says.
func linalgNorm(c *Call) {
	e := c.emit
	x, rank, keep := c.first(), c.Rank("self"), c.Bool("keepdim")
	axes := c.Axes("dim", rank)
	switch {
	case rank == 0:
		p := 2.0
		if c.Has("ord") {
			p = c.Float("ord")
		}
		c.Return(e.normOf(x, p, func(_ string, x V) V { return x }))
	case !c.Has("ord"):
		c.Return(e.normAlong(x, 2, keep, axes...))
	case len(axes) == 2:
		c.Return(c.matrixNorm(x, axes, c.Bool("keepdim")))
	default:
		c.Return(e.normAlong(x, c.Float("ord"), keep, axes...))
	}
}

// normExcept is the norm over all dimensions but dim; of all when dim is -1. dim keeps a size of
// 1 on the others, so that the result broadcasts against v.
func (c *Call) normExcept(p float64) V {
	x, rank := c.emit.Cast(c.Tensor("v"), c.OutDType(0)), c.Rank("v")
	dim := c.Int("dim")
	var axes []int64
	for i := range int64(rank) {
		if i != dim {
			axes = append(axes, i)
		}
	}
	return c.emit.normAlong(x, p, dim != -1, axes...)
}

// cdist is the distance of each row of x1 from each of x2. It is written as differences of all
// pairs, P·R·M elements of memory, and not by |x|² + |y|² - 2xy, which is faster and loses digits
// for near points.
func cdist(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	rank := int64(max(c.Rank("x1"), c.Rank("x2")))
	x, y := c.Operand("x1", d), c.Operand("x2", d)
	diff := e.sub(e.Unsqueeze(x, int64(c.Rank("x1"))-1), e.Unsqueeze(y, int64(c.Rank("x2"))-2))
	c.Return(e.normAlong(diff, c.Float("p"), false, rank))
}

// pdist is the distance of each pair of rows: the places above the diagonal of the
// matrix of distances, row by row. The number of pairs is n(n-1)/2; they are found by NonZero of
// a triangle of ones, so that n may be symbolic.
func pdist(c *Call) {
	e := c.emit
	x := c.first()
	n := e.Op("Shape", In(x), onnx.IntAttr("start", 0), onnx.IntAttr("end", 1))
	above := e.Op("Trilu", In(e.filled(e.Concat(0, n, n), onnx.Float, 1), e.I64Scalar(1)), onnx.IntAttr("upper", 1))
	pairs := e.Op("NonZero", In(above))
	row := func(i int64) V { return e.Op("Gather", In(x, e.Squeeze(e.Slice(pairs, 0, i, i+1, 1), 0))) }
	c.Return(e.normAlong(e.sub(row(0), row(1)), c.Float("p"), false, 1))
}

// cosineSimilarity is the product of the vectors, each divided by its length or eps if that is
// more. Each length is limited from below and not their product, as PyTorch does.
func cosineSimilarity(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	rank := max(c.Rank("x1"), c.Rank("x2"))
	axis := c.Axis("dim", rank)
	x, y := c.Operand("x1", d), c.Operand("x2", d)
	if rank == 0 {
		x, y = e.Unsqueeze(x, 0), e.Unsqueeze(y, 0)
	}
	c.Return(e.cosine(x, y, axis, c.Float("eps")))
}

// cosine is the similarity along an axis of two tensors that broadcast.
func (e *Emitter) cosine(x, y V, axis int64, eps float64) V {
	shape := e.Shape(e.mul(x, y))
	unit := func(v V) V {
		v = e.Op("Expand", In(v, shape))
		return e.over(v, e.atLeastOf(e.normAlong(v, 2, true, axis), eps))
	}
	return e.Reduce("ReduceSum", e.mul(unit(x), unit(y)), false, axis)
}

// covariance of the rows of a matrix, or the variance of a vector. Rows are variables, columns
// observations. The divisor is n - correction, not less than 0.
func (c *Call) covariance(x V, correction V) V {
	e := c.emit
	rank := c.Rank("input")
	switch rank {
	case 0:
		x = e.Unsqueeze(x, 0, 1)
	case 1:
		x = e.Unsqueeze(x, 0)
	}
	diff := e.sub(x, e.Reduce("ReduceMean", x, true, 1))
	n := e.Cast(e.Op("Shape", In(x), onnx.IntAttr("start", 1), onnx.IntAttr("end", 2)), x.DType)
	free := e.atLeastOf(e.sub(n, correction), 0)
	v := e.over(e.matMul(diff, e.Transpose(diff, 1, 0)), free)
	if c.OutRank(0) == 0 {
		v = e.Squeeze(v, 0, 1)
	}
	return v
}
