package aten

// This file lowers norms of matrices and distances, and says why factorisations
// have no form.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

const noFactors = "ONNX has no factorisation of matrices"

var linalgRecords = []Record{
	{Op: "torch.linalg.det", Lower: func(c *Call) { c.Return(c.Op("Det", In(c.first()))) }},
	{Op: "torch.logdet", Lower: func(c *Call) { c.Return(c.Op("Log", In(c.Op("Det", In(c.first()))))) }},
	{Op: "torch.linalg.slogdet torch.slogdet", Lower: func(c *Call) {
		det := c.Op("Det", In(c.first()))
		c.Return(c.Op("Sign", In(det)), c.Op("Log", In(c.abs(det))))
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
	{Op: "torch._weight_norm", Lower: func(c *Call) { c.Return(c.mul(c.first(), c.over(c.Operand("g", c.OutDType(0)), c.normExcept(2)))) }},
	{Op: "torch.cdist", Lower: cdist},
	{Op: "torch.nn.functional.pdist", Lower: pdist},
	{Op: "torch.nn.functional.pairwise_distance", Lower: func(c *Call) {
		rank := max(c.Rank("x1"), c.Rank("x2"))
		diff := c.plus(c.sub(c.Operand("x1", c.OutDType(0)), c.Operand("x2", c.OutDType(0))), c.Float("eps"))
		c.Return(c.normAlong(diff, c.Float("p"), c.Bool("keepdim"), int64(rank-1)))
	}},
	{Op: "torch.nn.functional.cosine_similarity", Lower: cosineSimilarity},
	{Op: "torch.cov", Lower: func(c *Call) {
		if c.Has("fweights") || c.Has("aweights") {
			c.Failf("weights of observations")
		}
		c.Return(c.covariance(c.first(), c.Number("correction", c.OutDType(0))))
	}},
	{Op: "torch.corrcoef", Lower: func(c *Call) { c.Return(c.correlation(c.first())) }},
}

// mostRows bounds the matrices whose inverse is written: each row is some fifteen operators.
const mostRows = 32

// inverse is that of the matrices of x, of the given shape: of up to 3 rows their minors over the determinant, else what
// elimination makes of the identity beside them.
func (c *Call) inverse(x V, shape symshape.Shape) V {
	n, ok := shape[len(shape)-1].Const()
	if !ok || n < 1 {
		c.Failf("ONNX has no inverse of matrices: it is written for a known number of rows")
	}
	if n > mostRows {
		c.Failf("ONNX has no inverse of matrices: it is written for at most %d rows", mostRows)
	}
	last := int64(len(shape) - 1)
	if n > 3 {
		eye := c.Op("Expand", In(c.unit(x.DType, n), c.Shape(x)))
		return c.Slice(c.eliminated(c.Concat(last, x, eye), last, n), last, n, 2*n, 1)
	}
	row := func(i int64) V { return c.Op("Gather", In(x, c.I64Scalar(i)), onnx.IntAttr("axis", last-1)) }
	at := func(v V, list ...int64) V { return c.Op("Gather", In(v, c.I64(list...)), onnx.IntAttr("axis", last-1)) }
	switch n {
	case 1:
		return c.Op("Reciprocal", In(x))
	case 2:
		a, b := row(0), row(1)
		det := c.sub(c.mul(at(a, 0), at(b, 1)), c.mul(at(a, 1), at(b, 0)))
		top, bottom := c.Concat(last-1, at(b, 1), c.neg(at(a, 1))), c.Concat(last-1, c.neg(at(b, 0)), at(a, 0))
		return c.Concat(last-1, c.Unsqueeze(c.over(top, det), last-1), c.Unsqueeze(c.over(bottom, det), last-1))
	}
	cross := func(a, b V) V {
		return c.sub(c.mul(at(a, 1, 2, 0), at(b, 2, 0, 1)), c.mul(at(a, 2, 0, 1), at(b, 1, 2, 0)))
	}
	a, b, d := row(0), row(1), row(2)
	minors := cross(b, d)
	det := c.Reduce("ReduceSum", c.mul(a, minors), true, last-1)
	columns := make([]V, 3)
	for i, v := range [...]V{minors, cross(d, a), cross(a, b)} {
		columns[i] = c.Unsqueeze(c.over(v, det), last)
	}
	return c.Concat(last, columns...)
}

// unit is the identity of n rows.
func (c *Call) unit(d onnx.DType, n int64) V {
	list := make([]float64, n*n)
	for i := range n {
		list[i*n+i] = 1
	}
	t, err := onnx.NewFloats(d, []int64{n, n}, list)
	if err != nil {
		c.Failf("%v", err)
	}
	return c.Const(t)
}

// eliminated makes the identity of the first n columns of matrices of n rows, by Gauss and Jordan with pivots; last is
// the axis of their columns. What stands beside these columns is multiplied by their inverse.
func (c *Call) eliminated(m V, last, n int64) V {
	rows := c.Unsqueeze(c.rangeTo(c.I64Scalar(n)), 1)
	for k := range n {
		size := c.abs(c.Slice(m, last, k, k+1, 1))
		if k > 0 { // the rows above are done
			size = c.either(c.less(rows, c.I64(k)), c.Scalar(m.DType, -1), size)
		}
		pivot := c.Op("ArgMax", In(size), onnx.IntAttr("axis", last-1), onnx.IntAttr("keepdims", 1))
		isPivot := c.Cast(c.Op("Equal", In(rows, pivot)), m.DType)
		isRow := c.Cast(c.Op("Equal", In(rows, c.I64(k))), m.DType)
		row := c.Reduce("ReduceSum", c.mul(m, isPivot), true, last-1)
		m = c.add(m, c.mul(c.sub(isRow, isPivot), c.sub(row, c.Slice(m, last-1, k, k+1, 1))))
		one := c.over(row, c.Slice(row, last, k, k+1, 1))
		m = c.sub(m, c.mul(c.sub(c.Slice(m, last, k, k+1, 1), isRow), one))
	}
	return m
}

// cholesky is the lower triangle whose product with its transpose is a matrix, of which the lower triangle is read:
// column by column, each one's square taken off.
func (c *Call) cholesky(x V, shape symshape.Shape) V {
	rank := len(shape)
	n, ok := shape[rank-1].Const()
	if !ok || n < 1 || n > mostRows {
		c.Failf("ONNX has no factors of matrices: they are written for a known number of rows, at most %d", mostRows)
	}
	last := int64(rank - 1)
	rows := c.Unsqueeze(c.rangeTo(c.I64Scalar(n)), 1)
	columns := make([]V, n)
	for k := range n {
		root := c.sqrt(c.Slice(c.Slice(x, last-1, k, k+1, 1), last, k, k+1, 1))
		column := c.over(c.Slice(x, last, k, k+1, 1), root)
		if k > 0 {
			column = c.either(c.less(rows, c.I64(k)), c.Scalar(x.DType, 0), column)
		}
		columns[k] = column
		x = c.sub(x, c.mul(column, c.swapLast(column, rank)))
	}
	return c.Concat(last, columns...)
}

// correlation is that of the rows of x, which the argument input is.
func (c *Call) correlation(x V) V {
	cov := c.covariance(x, c.Scalar(x.DType, 1))
	if c.OutRank(0) == 0 {
		return c.over(cov, cov)
	}
	std := c.sqrt(c.Reduce("ReduceSum", c.either(c.diagonalOf(cov), cov, c.Scalar(x.DType, 0)), false, 1))
	return c.clip(c.over(c.over(cov, c.Unsqueeze(std, 1)), std), -1, 1)
}

// normAlong is the p-norm along axes, whatever the first argument's rank.
func (c *Call) normAlong(x V, p float64, keep bool, axes ...int64) V {
	return c.normOf(x, p, func(op string, x V) V { return c.Reduce(op, x, keep, axes...) })
}

// matrixNorm is a norm of the matrices that two axes make.
func (c *Call) matrixNorm(x V, axes []int64, keep bool) V {
	if s, ok := c.Arg("ord").(graph.Str); ok {
		if s == "nuc" {
			c.Failf("the nuclear norm needs singular values")
		}
		return c.normAlong(x, 2, keep, axes...)
	}
	p := c.Float("ord")
	sum, extreme := axes[0], axes[1]
	if infinite(p) {
		sum, extreme = extreme, sum
	} else if math.Abs(p) != 1 {
		c.Failf("this norm needs singular values")
	}
	op := "ReduceMax"
	if p < 0 {
		op = "ReduceMin"
	}
	v := c.Reduce(op, c.Reduce("ReduceSum", c.abs(x), true, sum), true, extreme)
	if !keep {
		v = c.Squeeze(v, axes...)
	}
	return v
}

// linalgNorm is the 2-norm of all elements without ord; else that of a vector or a
// matrix, as dim or the rank says.
func linalgNorm(c *Call) {
	x, rank, keep := c.first(), c.Rank("self"), c.Bool("keepdim")
	axes := c.Axes("dim", rank)
	switch {
	case rank == 0:
		p := 2.0
		if c.Has("ord") {
			p = c.Float("ord")
		}
		c.Return(c.normOf(x, p, func(_ string, x V) V { return x }))
	case !c.Has("ord"):
		c.Return(c.normAlong(x, 2, keep, axes...))
	case len(axes) == 2:
		c.Return(c.matrixNorm(x, axes, c.Bool("keepdim")))
	default:
		c.Return(c.normAlong(x, c.Float("ord"), keep, axes...))
	}
}

// normExcept is the norm over all dimensions but dim; of all when dim is -1.
func (c *Call) normExcept(p float64) V {
	x, rank := c.Cast(c.Tensor("v"), c.OutDType(0)), c.Rank("v")
	dim := c.Int("dim")
	var axes []int64
	for i := range int64(rank) {
		if i != dim {
			axes = append(axes, i)
		}
	}
	return c.normAlong(x, p, dim != -1, axes...)
}

// cdist is the distance of each row of x1 from each of x2.
func cdist(c *Call) {
	d := c.OutDType(0)
	rank := int64(max(c.Rank("x1"), c.Rank("x2")))
	x, y := c.Operand("x1", d), c.Operand("x2", d)
	diff := c.sub(c.Unsqueeze(x, int64(c.Rank("x1"))-1), c.Unsqueeze(y, int64(c.Rank("x2"))-2))
	c.Return(c.normAlong(diff, c.Float("p"), false, rank))
}

// pdist is the distance of each pair of rows: the places above the diagonal of the
// matrix of distances, row by row.
func pdist(c *Call) {
	x := c.first()
	n := c.Op("Shape", In(x), onnx.IntAttr("start", 0), onnx.IntAttr("end", 1))
	above := c.Op("Trilu", In(c.filled(c.Concat(0, n, n), onnx.Float, 1), c.I64Scalar(1)), onnx.IntAttr("upper", 1))
	pairs := c.Op("NonZero", In(above))
	row := func(i int64) V { return c.Op("Gather", In(x, c.Squeeze(c.Slice(pairs, 0, i, i+1, 1), 0))) }
	c.Return(c.normAlong(c.sub(row(0), row(1)), c.Float("p"), false, 1))
}

// cosineSimilarity is the product of the vectors, each divided by its length or
// eps if that is more.
func cosineSimilarity(c *Call) {
	d := c.OutDType(0)
	rank := max(c.Rank("x1"), c.Rank("x2"))
	axis := c.Axis("dim", rank)
	x, y := c.Operand("x1", d), c.Operand("x2", d)
	if rank == 0 {
		x, y = c.Unsqueeze(x, 0), c.Unsqueeze(y, 0)
	}
	c.Return(c.cosine(x, y, axis, c.Float("eps")))
}

func (c *Call) cosine(x, y V, axis int64, eps float64) V {
	shape := c.Shape(c.mul(x, y))
	unit := func(v V) V {
		v = c.Op("Expand", In(v, shape))
		return c.over(v, c.atLeastOf(c.normAlong(v, 2, true, axis), eps))
	}
	return c.Reduce("ReduceSum", c.mul(unit(x), unit(y)), false, axis)
}

// covariance of the rows of a matrix, or the variance of a vector.
func (c *Call) covariance(x V, correction V) V {
	rank := c.Rank("input")
	switch rank {
	case 0:
		x = c.Unsqueeze(x, 0, 1)
	case 1:
		x = c.Unsqueeze(x, 0)
	}
	diff := c.sub(x, c.Reduce("ReduceMean", x, true, 1))
	n := c.Cast(c.Op("Shape", In(x), onnx.IntAttr("start", 1), onnx.IntAttr("end", 2)), x.DType)
	free := c.atLeastOf(c.sub(n, correction), 0)
	v := c.over(c.matMul(diff, c.Transpose(diff, 1, 0)), free)
	if c.OutRank(0) == 0 {
		v = c.Squeeze(v, 0, 1)
	}
	return v
}
