package torch

// This file holds the functions that solve linear systems or apply factors to a
// second operand. All of them read the last two axes as a matrix and the axes before as a batch
// (matrixArg, asMatrix), which broadcast where PyTorch's function says so. They demand that the
// matrix is square where the system must be, equal row counts on both sides, and one floating or
// complex dtype. What they return is stored by columns, as LAPACK leaves it, which the quirk
// ByColumns tells the strides.
//
// Sizes that are not known make conditions on the program's symbols instead of answers. Whether a
// matrix is singular depends on its elements and is never asked.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var solveOps = [...]ops.Op{
	{Names: []string{"torch.linalg.solve"}, Sig: "(Tensor A, Tensor B, *, bool left=True)", Out: true, ExactOut: true, Rule: solveRule,
		Is: graph.Uncounted, Quirks: ops.ByColumns, Doc: "X with A @ X = B, or X @ A = B"},
	{Names: []string{"torch.linalg.solve_ex"}, Sig: "(Tensor A, Tensor B, *, bool left=True, bool check_errors=False)", Out: true,
		Rule:   solveRule,
		Quirks: ops.ByColumns, Variant: solveEx, Doc: "solve, with an error code"},
	{Names: []string{"torch.linalg.solve_triangular"},
		Sig: "(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False)", Out: true, ExactOut: true,
		Rule: func(c *ops.Call) value.Value {
			return systemRule(c, "self", "B", c.Bool("left"))
		}, Quirks: ops.ByColumns, Variant: triangular, Doc: "solve for a triangular matrix"},
	{Names: []string{"torch.triangular_solve", "torch.Tensor.triangular_solve"},
		Sig: "(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False)", Out: true,
		Rule: func(c *ops.Call) value.Value {
			x, a := system(c, "A", "self", true)
			if !c.OK() {
				return nil
			}
			return named(c, "triangular_solve", []string{"solution", "cloned_coefficient"}, matOut(c, a.d, x),
				matOut(c, a.d, append(append(symshape.Shape(nil), x[:len(x)-2]...), a.rows, a.cols)))
		}, Quirks: ops.ByColumns, Doc: "solve for a triangular matrix, which is returned as well"},
	{Names: []string{"torch.cholesky_solve", "torch.Tensor.cholesky_solve"}, Sig: "(Tensor self, Tensor input2, bool upper=False)",
		Out: true, Rule: func(c *ops.Call) value.Value {
			return systemRule(c, "input2", "self", true)
		}, Quirks: ops.ByColumns, Doc: "solve from a Cholesky factor"},
	{Names: []string{"torch.linalg.lu_solve"}, Sig: "(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False)", Out: true,
		ExactOut: true, Rule: func(c *ops.Call) value.Value {
			if !pivots(c, "LU", "pivots", dtype.I32) {
				return nil
			}
			return systemRule(c, "LU", "B", c.Bool("left"))
		}, Quirks: ops.ByColumns, Variant: pivotsChecked, Doc: "solve from LU factors"},
	{Names: []string{"torch.lu_solve", "torch.Tensor.lu_solve"}, Sig: "(Tensor self, Tensor LU_data, Tensor LU_pivots)", Out: true,
		ExactOut: true, Rule: func(c *ops.Call) value.Value {
			if !pivots(c, "LU_data", "LU_pivots", dtype.I32) {
				return nil
			}
			if b := c.Tensor("self"); b != nil && c.Empty(b) && (b.Type().DType == dtype.F16 || b.Type().DType == dtype.BF16) {
				return c.Lose("of nothing the dtype is not looked at")
			}
			return systemRule(c, "LU_data", "self", true)
		}, Quirks: ops.ByColumns, Variant: pivotsChecked, Doc: "solve from LU factors"},
	{Names: []string{"torch.linalg.ldl_solve"}, Sig: "(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False)", Out: true,
		ExactOut: true, Rule: func(c *ops.Call) value.Value {
			if !pivots(c, "LD", "pivots", dtype.I32, dtype.I64, dtype.I16, dtype.I8, dtype.U8) {
				return nil
			}
			return systemRule(c, "LD", "B", true)
		}, Quirks: ops.ByColumns, Doc: "solve from LDL factors"},
	{Names: []string{"torch.linalg.lstsq"}, Sig: "(Tensor self, Tensor b, float? rcond=None, *, str? driver=None)", Rule: lstsqRule,
		Doc: "least squares"},
	{Names: []string{"torch.linalg.householder_product", "torch.orgqr", "torch.Tensor.orgqr"},
		Sig: "(Tensor self, Tensor input2) | (Tensor input, Tensor tau)", Out: true, Rule: householderRule,
		Quirks: ops.ByColumns, Doc: "the orthogonal factor of packed QR factors"},
	{Names: []string{"torch.ormqr", "torch.Tensor.ormqr"},
		Sig: "(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False)", Out: true, ExactOut: true, Rule: ormqrRule,
		Quirks: ops.ByColumns, Doc: "product with the orthogonal factor of packed QR factors"},
	{Names: []string{"torch.linalg.tensorinv"}, Sig: "(Tensor self, int ind=2)", Out: true, Rule: tensorinvRule,
		Quirks: ops.ByColumns, Doc: "inverse of a tensor taken as a matrix"},
	{Names: []string{"torch.linalg.tensorsolve"}, Sig: "(Tensor self, Tensor other, int[]? dims=None)", Out: true, Rule: tensorsolveRule,
		Quirks: ops.ByColumns, Doc: "solve for a tensor taken as a matrix"},
	{Names: []string{"torch.linalg.vander"}, Sig: "(Tensor x, *, int? N=None)", Rule: linalgVanderRule, Doc: "Vandermonde matrices"},
}

// The functions of a rule that differ from the others.
const (
	triangular    ops.Variant = "triangular" // the dtypes of the operands are not compared
	solveEx       ops.Variant = "result, info"
	pivotsChecked ops.Variant = "pivots checked" // the values of the pivots are
)

// sameOperands reports SC201 when the two operands of a system differ in dtype. An unknown dtype on
// either side passes, so that no report is made on a guess.
func sameOperands(c *ops.Call, a, b *value.Tensor) bool {
	x, y := a.Type().DType, b.Type().DType
	if x == y || x == dtype.Unknown || y == dtype.Unknown {
		return true
	}
	c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() needs operands of one dtype, but got %s and %s", c.Short(), a, b)
	return false
}

// system checks A @ X = B (left) or X @ A = B and gives the shape of X. first names the parameter
// of the square matrix A and second that of B. Where it fails, the fault is reported and the shape
// is nil. A is returned for its dtype and sizes.
func system(c *ops.Call, first, second string, left bool) (symshape.Shape, matrix) {
	b := c.Tensor(second)
	s := c.Shape(b)
	a, ok := matrixArg(c, first)
	if !ok || !c.OK() {
		return nil, a
	}
	// solve_triangular alone does not compare the dtypes.
	m, ok := asMatrix(c, b, s)
	if !ok || !c.Is(triangular) && !sameOperands(c, a.t, b) || !square(c, a) {
		return nil, a
	}
	return systemShape(c, a, m, left), a
}

// systemShape is the shape of X in A @ X = B, or in X @ A = B where left is false. A is square, so X has the
// shape of B but for the batches, which broadcast. The fault names the axis of B that A does not fit.
func systemShape(c *ops.Call, a, b matrix, left bool) symshape.Shape {
	// The rows of B meet A when A is on its left, the columns when A is on its right.
	n, x := b.rows, len(b.shape)-2
	if !left {
		n, x = b.cols, len(b.shape)-1
	}
	if _, ok := c.Same(a.rows, n); !ok {
		c.Blame(ops.Ref{Tensor: a.t, Axis: len(a.shape) - 2}, ops.Ref{Tensor: b.t, Axis: x})
		c.Shapef("%s(): %s by %s matrices do not fit a right-hand side of %s by %s: %s and %s", c.Short(), a.rows, a.cols, b.rows, b.cols, a.t,
			b.t)
		return nil
	}
	batch, axis, ok := c.Broadcast(a.batch, b.batch)
	if !ok {
		c.Shapef("%s(): batch sizes of %s and %s do not match at dimension %d", c.Short(), a.t, b.t, -axis-2)
		return nil
	}
	return append(append(symshape.Shape(nil), batch...), b.rows, b.cols)
}

// systemRule is the rule of a system whose right side is a matrix: triangular, Cholesky, LU and LDL
// factors. The result has A's dtype, and the shape that systemShape gives.
func systemRule(c *ops.Call, first, second string, left bool) value.Value {
	shape, a := system(c, first, second, left)
	if !c.OK() {
		return nil
	}
	return matOut(c, a.d, shape)
}

// pivots checks pivots against the factors they belong to. factors and pivots name the parameters.
// Pivots have the shape of the factors without the last axis, which is asked exactly, without
// broadcasting, and one of the allowed dtypes. Where their elements are known and the function
// checks them, each must be at least 1, since LAPACK counts rows from 1. The result is false after
// a report.
func pivots(c *ops.Call, factors, pivots string, allowed ...dtype.DType) bool {
	a, p := c.Tensor(factors), c.Tensor(pivots)
	s, ps := c.Shape(a), c.Shape(p)
	if !c.OK() || !indexDType(c, p, "pivots", allowed...) {
		return false
	}
	if _, ok := asMatrix(c, a, s); !ok {
		return false
	}
	if len(ps) != len(s)-1 || !c.SameSizes(ps, s[:len(s)-1]) {
		c.Shapef("%s() needs pivots of shape %s, but got %s", c.Short(), s[:len(s)-1], p)
		return false
	}
	// With an empty right side nothing is solved, and the pivots are not read.
	if b := rightSide(c); c.Is(pivotsChecked) && (b == nil || !c.Empty(b)) {
		for _, e := range p.Contents() {
			if n, ok := ops.ConcreteElem(e); ok && n < 1 {
				c.Errorf("RuntimeError", diag.BadValue, "%s(): pivot %d is less than 1", c.Short(), n)
				return false
			}
		}
	}
	return true
}

// vectorRHS reports whether b is a batch of vectors rather than of matrices, as
// at::native::linalg_solve_is_vector_rhs decides. PyTorch compares the shape of B with that of A
// without its last axis, and takes vectors only where they are equal. A size that is not known to
// be equal makes it a matrix.
func vectorRHS(c *ops.Call, a, b symshape.Shape) bool {
	if len(b) == 1 {
		return true
	}
	if len(a)-1 != len(b) {
		return false
	}
	for i := range b {
		if b[i].Expr == nil || a[i].Expr == nil || b[i].Expr != a[i].Expr && c.Decide(c.P.Eq(a[i].Expr, b[i].Expr)) != symshape.Yes {
			return false
		}
	}
	return true
}

// solveRule decides first whether B is a batch of vectors: a vector is made a matrix of one column, whose axis
// goes from the result. That decision hangs on equal batch sizes (vectorRHS), which is why [3,3] and [3] are a
// system of one vector, and [2,3,3] and [2,3] one of two.
func solveRule(c *ops.Call) value.Value {
	b := c.Tensor("B")
	s := c.Shape(b)
	a, ok := matrixArg(c, "A")
	left := c.Bool("left")
	if !ok || !c.OK() {
		return nil
	}
	vector := vectorRHS(c, a.shape, s)
	if !sameOperands(c, a.t, b) {
		return nil
	}
	if vector {
		if !left {
			return c.Errorf("RuntimeError", diag.BadValue, "solve() with left=False needs a matrix on the right-hand side, but got %s", b)
		}
		s = append(append(symshape.Shape(nil), s...), c.Const(1))
	}
	m, ok := asMatrix(c, b, s)
	if !ok || !square(c, a) {
		return nil
	}
	shape := systemShape(c, a, m, left)
	if !c.OK() {
		return nil
	}
	// The axis of one column that was added above is taken off again.
	if vector {
		shape = shape[:len(shape)-1]
	}
	// info has one int32 for each matrix of A's batch, not of the broadcast batch.
	if c.Is(solveEx) {
		return named(c, "linalg_solve_ex", []string{"result", "info"}, matOut(c, a.d, shape), matOut(c, dtype.I32, a.batch))
	}
	return matOut(c, a.d, shape)
}

// lstsqRule needs matrices and right sides of one floating dtype, with equal rows: of equal rank, or of
// one less as vectors, with batches that broadcast. Besides the solution, what driver computes is not
// empty: the rank (int64, all but gels), singular values (gelsd, gelss), and residuals for more rows than
// columns (all but gelsy).
func lstsqRule(c *ops.Call) value.Value {
	t, b := c.Tensor("self"), c.Tensor("b")
	s, r := c.Shape(t), c.Shape(b)
	if !c.OK() {
		return nil
	}
	// The left operand may be of any shape, also with more columns than rows.
	a, ok := asMatrix(c, t, s)
	if !ok {
		return nil
	}
	if len(r) < 1 || len(s) < len(r) || len(s)-len(r) > 1 {
		return c.Errorf("RuntimeError", diag.RankMismatch,
			"lstsq() needs a right-hand side of as many dimensions as the matrix or one less, but got %s for %s", b, t)
	}
	if !sameOperands(c, t, b) || !floatMatrix(c, t) {
		return nil
	}
	// gelsy is the default on the CPU.
	driver := "gelsy"
	if c.Has("driver") {
		driver = c.Str("driver")
	}
	switch driver {
	case "gels", "gelsy", "gelsd", "gelss":
	default:
		return c.Errorf("RuntimeError", diag.BadValue, "lstsq() knows the drivers gels, gelsy, gelsd and gelss, not '%s'", driver)
	}
	if len(s)-len(r) == 1 { // vectors: their batch is that of the matrices
		if _, ok := c.Same(a.rows, r[len(r)-1]); !ok {
			return c.Shapef("lstsq(): the matrix %s has %s rows, but the right-hand side %s has %s", t, a.rows, b, r[len(r)-1])
		}
		if !c.SameSizes(a.batch, r[:len(r)-1]) {
			return c.Lose("the batch of a right-hand side of vectors differs from that of the matrices")
		}
		r = append(append(symshape.Shape(nil), r...), c.Const(1))
	}
	vector := len(r) > len(b.Type().Shape)
	m, ok := asMatrix(c, b, r)
	if !ok {
		return nil
	}
	if _, ok := c.Same(a.rows, m.rows); !ok {
		return c.Shapef("lstsq(): the matrix %s has %s rows, but the right-hand side %s has %s", t, a.rows, b, m.rows)
	}
	batch, axis, ok := c.Broadcast(a.batch, m.batch)
	if !ok {
		return c.Shapef("lstsq(): batch sizes of %s and %s do not match at dimension %d", t, b, -axis-2)
	}
	// LAPACK's gelsd and gelss fail on no right-hand sides only for some matrices.
	if ops.IsConst(m.cols, 0) && (driver == "gelsd" || driver == "gelss") {
		return c.Lose("whether the driver %s takes no right-hand sides depends on the matrices", driver)
	}
	with := func(dims ...symshape.Dim) symshape.Shape {
		return append(append(symshape.Shape(nil), batch...), dims...)
	}
	solution := with(a.cols, m.cols)
	if vector {
		solution = solution[:len(solution)-1]
	}
	// What is not computed is an empty tensor of shape [0], not None.
	none := symshape.Shape{c.Const(0)}
	residuals, rank, sv := none, none, none
	// Only gels does not find the rank.
	if driver != "gels" {
		rank = a.batch
	}
	// The smaller of the two sizes is the number of singular values.
	if driver == "gelsd" || driver == "gelss" {
		sv = a.with(c.P.DimMin(a.rows, a.cols))
	}
	// Whether there are residuals depends on whether rows exceed columns. If that is not decided
	// for all sizes, the example of the run decides, and a condition records the assumption. Also
	// for a rank below the number of columns PyTorch returns none, which cannot be seen here.
	if driver != "gelsy" {
		over := symshape.Unknown
		if a.rows.Expr != nil && a.cols.Expr != nil {
			tall := c.P.Gt(a.rows.Expr, a.cols.Expr)
			if over = c.Decide(tall); over == symshape.Unknown && a.rows.Known && a.cols.Known { // the example decides
				over = symshape.Yes
				if a.rows.Val <= a.cols.Val {
					over, tall = symshape.No, c.P.Not(tall)
				}
				c.Th.Require(tall, "")
			}
		}
		switch {
		// For an empty batch the other drivers look at the rank, of which there is none.
		case over == symshape.Unknown, over == symshape.Yes && driver != "gels" && isEmpty(s):
			residuals = nil
		case over == symshape.Yes:
			residuals = with(m.cols)
		}
	}
	var res value.Value = c.Th.Unknown("lstsq: whether there are residuals is not known")
	if residuals != nil {
		res = matOut(c, a.d.Real(), residuals)
	}
	return named(c, "linalg_lstsq", []string{"solution", "residuals", "rank", "singular_values"}, matOut(c, a.d, solution), res,
		matOut(c, dtype.I64, rank), matOut(c, a.d.Real(), sv))
}

// batchesEqual checks that the batch dimensions of an operand are those of the first. Nothing
// broadcasts here: PyTorch asks for equal batches. The result is false after a report.
func batchesEqual(c *ops.Call, a matrix, t *value.Tensor, batch symshape.Shape) bool {
	if len(batch) != len(a.batch) || !c.SameSizes(a.batch, batch) {
		c.Shapef("%s(): batch sizes of %s and %s differ", c.Short(), a.t, t)
		return false
	}
	return true
}

// householderRule: LAPACK's orgqr. The columns of A below the diagonal are the reflectors, tau their factors,
// so there are at most as many factors as columns, and at most as many columns as rows.
func householderRule(c *ops.Call) value.Value {
	// torch.linalg.householder_product and torch.orgqr name their parameters differently.
	first, second := c.Sig.Params[0].Name, c.Sig.Params[1].Name
	tau := c.Tensor(second)
	ts := c.Shape(tau)
	t := c.Tensor(first)
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	a, ok := asMatrix(c, t, s)
	if !ok {
		return nil
	}
	if !requireLE(c, a.cols, a.rows) {
		return c.Shapef("%s() needs at least as many rows as columns, but got %s", c.Short(), t)
	}
	if len(ts) != len(s)-1 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs tau to have one dimension less than %s, but got %s", c.Short(), t, tau)
	}
	if !requireLE(c, ts[len(ts)-1], a.cols) {
		return c.Shapef("%s() needs at most as many numbers in tau as columns, but got %s for %s", c.Short(), tau, t)
	}
	if !batchesEqual(c, a, tau, ts[:len(ts)-1]) || !sameOperands(c, t, tau) || !floatMatrix(c, t) {
		return nil
	}
	// Q has the shape of A, with as many columns.
	return matOut(c, a.d, s)
}

// ormqrRule: LAPACK's ormqr multiplies by Q without making it. Q has as many rows as A, so the side of other
// that it is multiplied with must have that many: its rows, or its columns with left=False.
func ormqrRule(c *ops.Call) value.Value {
	t, tau, other := c.Tensor("self"), c.Tensor("input2"), c.Tensor("input3")
	s, ts, os := c.Shape(t), c.Shape(tau), c.Shape(other)
	left := c.Bool("left")
	if !c.OK() {
		return nil
	}
	a, ok := asMatrix(c, t, s)
	if !ok {
		return nil
	}
	b, ok := asMatrix(c, other, os)
	if !ok {
		return nil
	}
	n := b.rows
	if !left {
		n = b.cols
	}
	// All three have one rank, but for tau, which lacks the last axis.
	if len(ts) != len(s)-1 || len(os) != len(s) {
		return c.Errorf("RuntimeError", diag.RankMismatch, "ormqr(): the numbers of dimensions of %s, %s and %s do not fit", t, tau, other)
	}
	k := ts[len(ts)-1]
	if !requireLE(c, k, n) || !requireLE(c, k, a.cols) {
		return c.Shapef("ormqr(): tau %s is too long for %s and %s", tau, t, other)
	}
	if _, ok := c.Same(n, a.rows); !ok {
		return c.Shapef("ormqr(): size %s of %s does not match %s rows of %s", n, other, a.rows, t)
	}
	if !batchesEqual(c, a, tau, ts[:len(ts)-1]) || !batchesEqual(c, a, other, b.batch) || !sameOperands(c, t, tau) ||
		!sameOperands(c, t, other) || !floatMatrix(c, t) {
		return nil
	}
	// The product has the shape of other.
	return matOut(c, a.d, os)
}

// tensorinvRule takes the first ind axes as the rows of a matrix and the others as its columns; their products
// must be equal. The result has the two groups exchanged. ind must be from 1 to the rank; 0 is
// refused although the products could agree for it.
func tensorinvRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	k := c.Int("ind")
	if !c.OK() {
		return nil
	}
	if k <= 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "tensorinv() needs a positive ind, but got %d", k)
	}
	if k > len(s) {
		return c.Errorf("RuntimeError", diag.RankMismatch, "tensorinv(): ind %d is more than %s has dimensions", k, t)
	}
	// The message names both products, since neither of them is a size of the tensor.
	if _, ok := c.Same(c.Numel(s[:k]), c.Numel(s[k:])); !ok {
		return c.Shapef("tensorinv(): %s has %s elements before dimension %d, but %s after it", t, c.Numel(s[:k]), k, c.Numel(s[k:]))
	}
	if !floatMatrix(c, t) {
		return nil
	}
	return matOut(c, t.Type().DType, append(append(symshape.Shape(nil), s[k:]...), s[:k]...))
}

// tensorsolveRule: the axes named by dims move to the end; then the first axes, as many as the right side has,
// are the rows of a square matrix, and the others the columns and the shape of the solution.
func tensorsolveRule(c *ops.Call) value.Value {
	t, b := c.Tensor("self"), c.Tensor("other")
	s, r := c.Shape(t), c.Shape(b)
	if !c.OK() {
		return nil
	}
	// Repeated axes are reported by Axes.
	axes := c.Axes("dims", len(s)) // moved to the end
	if !c.OK() {
		return nil
	}
	moved := make([]bool, max(len(s), 1))
	for _, a := range axes {
		moved[a] = true
	}
	var shape symshape.Shape
	// The axes that stay keep their order, and dims keep the order in which they were given, as
	// torch.movedim does.
	for i := range s {
		if !moved[i] {
			shape = append(shape, s[i])
		}
	}
	for _, a := range axes {
		if a < len(s) {
			shape = append(shape, s[a])
		}
	}
	if len(r) > len(shape) {
		return c.Errorf("RuntimeError", diag.RankMismatch, "tensorsolve(): %s has more dimensions than %s", b, t)
	}
	rows, cols := c.Numel(shape[:len(r)]), c.Numel(shape[len(r):])
	if _, ok := c.Same(rows, cols); !ok {
		return c.Shapef("tensorsolve(): %s, with dims moved, is a matrix of %s by %s", t, rows, cols)
	}
	// The elements of the right-hand side must be as many as the rows, whatever its shape.
	if _, ok := c.Same(rows, c.Numel(r)); !ok {
		return c.Shapef("tensorsolve(): the right-hand side %s has %s elements, not %s", b, c.Numel(r), rows)
	}
	if !sameOperands(c, t, b) || !floatMatrix(c, t) {
		return nil
	}
	return matOut(c, t.Type().DType, shape[len(r):])
}

// linalgVanderRule: row i has the powers 0 to N-1 of element i. N is by default the length, and a scalar counts
// as one element. The result has N more at the end: [..., n] gives [..., n, N]. Integers give
// int64. N must be at least 2, unless it is not known.
func linalgVanderRule(c *ops.Call) value.Value {
	t := c.Tensor("x")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	d := t.Type().DType
	if d == dtype.Bool || d == dtype.F16 || d == dtype.BF16 {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "vander() is not implemented for %s", d)
	}
	if d.IsIntegral() {
		d = dtype.I64
	}
	if len(s) == 0 {
		s = symshape.Shape{c.Const(1)}
	}
	n := s[len(s)-1]
	if c.Has("N") {
		n = c.Dim("N")
	}
	if v, ok := ops.DimVal(n); ok && v <= 1 {
		return c.Errorf("RuntimeError", diag.BadValue, "vander() needs N to be greater than 1, but got %d", v)
	}
	return c.Out(d, append(append(symshape.Shape(nil), s...), n))
}

// rightSide is the right-hand side of a system of equations, or nil. The functions call it B, b or,
// where it is the object of a method, self.
func rightSide(c *ops.Call) *value.Tensor {
	for _, name := range [...]string{"B", "b", "self"} {
		if c.HasParam(name) {
			return c.Tensor(name)
		}
	}
	return nil
}
