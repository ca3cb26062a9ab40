package ops

// This file holds the functions that solve linear systems or apply factors to a
// second operand.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var solveOps = [...]Op{
	{Names: []string{"torch.linalg.solve"}, Sig: "(Tensor A, Tensor B, *, bool left=True)", Out: true, ExactOut: true, Rule: solveRule,
		Is: graph.Uncounted, Quirks: ByColumns, Doc: "X with A @ X = B, or X @ A = B"},
	{Names: []string{"torch.linalg.solve_ex"}, Sig: "(Tensor A, Tensor B, *, bool left=True, bool check_errors=False)", Out: true, Rule: solveRule,
		Quirks: ByColumns, Variant: solveEx, Doc: "solve, with an error code"},
	{Names: []string{"torch.linalg.solve_triangular"}, Sig: "(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False)", Out: true, ExactOut: true, Rule: func(c *Call) value.Value {
		return systemRule(c, "self", "B", c.Bool("left"))
	}, Quirks: ByColumns, Variant: triangular, Doc: "solve for a triangular matrix"},
	{Names: []string{"torch.triangular_solve", "torch.Tensor.triangular_solve"}, Sig: "(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False)", Out: true,
		Rule: func(c *Call) value.Value {
			x, a := c.system("A", "self", true)
			if !c.OK() {
				return nil
			}
			return c.named("triangular_solve", []string{"solution", "cloned_coefficient"}, c.matOut(a.d, x), c.matOut(a.d, append(append(symshape.Shape(nil), x[:len(x)-2]...), a.rows, a.cols)))
		}, Quirks: ByColumns, Doc: "solve for a triangular matrix, which is returned as well"},
	{Names: []string{"torch.cholesky_solve", "torch.Tensor.cholesky_solve"}, Sig: "(Tensor self, Tensor input2, bool upper=False)", Out: true, Rule: func(c *Call) value.Value {
		return systemRule(c, "input2", "self", true)
	}, Quirks: ByColumns, Doc: "solve from a Cholesky factor"},
	{Names: []string{"torch.linalg.lu_solve"}, Sig: "(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False)", Out: true, ExactOut: true, Rule: func(c *Call) value.Value {
		if !c.pivots("LU", "pivots", dtype.I32) {
			return nil
		}
		return systemRule(c, "LU", "B", c.Bool("left"))
	}, Quirks: ByColumns, Variant: pivotsChecked, Doc: "solve from LU factors"},
	{Names: []string{"torch.lu_solve", "torch.Tensor.lu_solve"}, Sig: "(Tensor self, Tensor LU_data, Tensor LU_pivots)", Out: true, ExactOut: true, Rule: func(c *Call) value.Value {
		if !c.pivots("LU_data", "LU_pivots", dtype.I32) {
			return nil
		}
		if b := c.Tensor("self"); b != nil && c.empty(b) && (b.Type().DType == dtype.F16 || b.Type().DType == dtype.BF16) {
			return c.Lose("of nothing the dtype is not looked at")
		}
		return systemRule(c, "LU_data", "self", true)
	}, Quirks: ByColumns, Variant: pivotsChecked, Doc: "solve from LU factors"},
	{Names: []string{"torch.linalg.ldl_solve"}, Sig: "(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False)", Out: true, ExactOut: true, Rule: func(c *Call) value.Value {
		if !c.pivots("LD", "pivots", dtype.I32, dtype.I64, dtype.I16, dtype.I8, dtype.U8) {
			return nil
		}
		return systemRule(c, "LD", "B", true)
	}, Quirks: ByColumns, Doc: "solve from LDL factors"},
	{Names: []string{"torch.linalg.lstsq"}, Sig: "(Tensor self, Tensor b, float? rcond=None, *, str? driver=None)", Rule: lstsqRule, Doc: "least squares"},
	{Names: []string{"torch.linalg.householder_product", "torch.orgqr", "torch.Tensor.orgqr"}, Sig: "(Tensor self, Tensor input2) | (Tensor input, Tensor tau)", Out: true, Rule: householderRule,
		Quirks: ByColumns, Doc: "the orthogonal factor of packed QR factors"},
	{Names: []string{"torch.ormqr", "torch.Tensor.ormqr"}, Sig: "(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False)", Out: true, ExactOut: true, Rule: ormqrRule,
		Quirks: ByColumns, Doc: "product with the orthogonal factor of packed QR factors"},
	{Names: []string{"torch.linalg.tensorinv"}, Sig: "(Tensor self, int ind=2)", Out: true, Rule: tensorinvRule,
		Quirks: ByColumns, Doc: "inverse of a tensor taken as a matrix"},
	{Names: []string{"torch.linalg.tensorsolve"}, Sig: "(Tensor self, Tensor other, int[]? dims=None)", Out: true, Rule: tensorsolveRule,
		Quirks: ByColumns, Doc: "solve for a tensor taken as a matrix"},
	{Names: []string{"torch.linalg.vander"}, Sig: "(Tensor x, *, int? N=None)", Rule: linalgVanderRule, Doc: "Vandermonde matrices"},
}

// The functions of a rule that differ from the others.
const (
	triangular    Variant = "triangular" // the dtypes of the operands are not compared
	solveEx       Variant = "result, info"
	pivotsChecked Variant = "pivots checked" // the values of the pivots are
)

// sameOperands reports SC201 when the two operands of a system differ in dtype.
func (c *Call) sameOperands(a, b *value.Tensor) bool {
	x, y := a.Type().DType, b.Type().DType
	if x == y || x == dtype.Unknown || y == dtype.Unknown {
		return true
	}
	c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() needs operands of one dtype, but got %s and %s", c.short(), a, b)
	return false
}

// system checks A @ X = B (left) or X @ A = B and gives the shape of X.
func (c *Call) system(first, second string, left bool) (symshape.Shape, matrix) {
	b := c.Tensor(second)
	s := c.Shape(b)
	a, ok := c.matrixArg(first)
	if !ok || !c.OK() {
		return nil, a
	}
	m, ok := c.asMatrix(b, s)
	if !ok || !c.is(triangular) && !c.sameOperands(a.t, b) || !c.square(a) {
		return nil, a
	}
	return c.systemShape(a, m, left), a
}

func (c *Call) systemShape(a, b matrix, left bool) symshape.Shape {
	n, x := b.rows, len(b.shape)-2
	if !left {
		n, x = b.cols, len(b.shape)-1
	}
	if _, ok := c.Same(a.rows, n); !ok {
		c.Blame(Ref{a.t, len(a.shape) - 2}, Ref{b.t, x})
		c.Shapef("%s(): %s by %s matrices do not fit a right-hand side of %s by %s: %s and %s", c.short(), a.rows, a.cols, b.rows, b.cols, a.t, b.t)
		return nil
	}
	batch, axis, ok := c.Broadcast(a.batch, b.batch)
	if !ok {
		c.Shapef("%s(): batch sizes of %s and %s do not match at dimension %d", c.short(), a.t, b.t, -axis-2)
		return nil
	}
	return append(append(symshape.Shape(nil), batch...), b.rows, b.cols)
}

func systemRule(c *Call, first, second string, left bool) value.Value {
	shape, a := c.system(first, second, left)
	if !c.OK() {
		return nil
	}
	return c.matOut(a.d, shape)
}

// pivots checks pivots against the factors they belong to.
func (c *Call) pivots(factors, pivots string, allowed ...dtype.DType) bool {
	a, p := c.Tensor(factors), c.Tensor(pivots)
	s, ps := c.Shape(a), c.Shape(p)
	if !c.OK() || !c.indexDType(p, "pivots", allowed...) {
		return false
	}
	if _, ok := c.asMatrix(a, s); !ok {
		return false
	}
	if len(ps) != len(s)-1 || !c.sameSizes(ps, s[:len(s)-1]) {
		c.Shapef("%s() needs pivots of shape %s, but got %s", c.short(), s[:len(s)-1], p)
		return false
	}
	if b := c.rightSide(); c.is(pivotsChecked) && (b == nil || !c.empty(b)) {
		for _, e := range p.Contents() {
			if n, ok := concreteElem(e); ok && n < 1 {
				c.Errorf("RuntimeError", diag.BadValue, "%s(): pivot %d is less than 1", c.short(), n)
				return false
			}
		}
	}
	return true
}

// vectorRHS reports whether b is a batch of vectors rather than of matrices, as
// at::native::linalg_solve_is_vector_rhs decides.
func (c *Call) vectorRHS(a, b symshape.Shape) bool {
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

func solveRule(c *Call) value.Value {
	b := c.Tensor("B")
	s := c.Shape(b)
	a, ok := c.matrixArg("A")
	left := c.Bool("left")
	if !ok || !c.OK() {
		return nil
	}
	vector := c.vectorRHS(a.shape, s)
	if !c.sameOperands(a.t, b) {
		return nil
	}
	if vector {
		if !left {
			return c.Errorf("RuntimeError", diag.BadValue, "solve() with left=False needs a matrix on the right-hand side, but got %s", b)
		}
		s = append(append(symshape.Shape(nil), s...), c.Const(1))
	}
	m, ok := c.asMatrix(b, s)
	if !ok || !c.square(a) {
		return nil
	}
	shape := c.systemShape(a, m, left)
	if !c.OK() {
		return nil
	}
	if vector {
		shape = shape[:len(shape)-1]
	}
	if c.is(solveEx) {
		return c.named("linalg_solve_ex", []string{"result", "info"}, c.matOut(a.d, shape), c.matOut(dtype.I32, a.batch))
	}
	return c.matOut(a.d, shape)
}

func lstsqRule(c *Call) value.Value {
	t, b := c.Tensor("self"), c.Tensor("b")
	s, r := c.Shape(t), c.Shape(b)
	if !c.OK() {
		return nil
	}
	a, ok := c.asMatrix(t, s)
	if !ok {
		return nil
	}
	if len(r) < 1 || len(s) < len(r) || len(s)-len(r) > 1 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "lstsq() needs a right-hand side of as many dimensions as the matrix or one less, but got %s for %s", b, t)
	}
	if !c.sameOperands(t, b) || !c.floatMatrix(t) {
		return nil
	}
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
		if !c.sameSizes(a.batch, r[:len(r)-1]) {
			return c.Lose("the batch of a right-hand side of vectors differs from that of the matrices")
		}
		r = append(append(symshape.Shape(nil), r...), c.Const(1))
	}
	vector := len(r) > len(b.Type().Shape)
	m, ok := c.asMatrix(b, r)
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
	if IsConst(m.cols, 0) && (driver == "gelsd" || driver == "gelss") {
		return c.Lose("whether the driver %s takes no right-hand sides depends on the matrices", driver)
	}
	with := func(dims ...symshape.Dim) symshape.Shape {
		return append(append(symshape.Shape(nil), batch...), dims...)
	}
	solution := with(a.cols, m.cols)
	if vector {
		solution = solution[:len(solution)-1]
	}
	none := symshape.Shape{c.Const(0)}
	residuals, rank, sv := none, none, none
	if driver != "gels" {
		rank = a.batch
	}
	if driver == "gelsd" || driver == "gelss" {
		sv = a.with(c.P.DimMin(a.rows, a.cols))
	}
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
		case over == symshape.Unknown, over == symshape.Yes && driver != "gels" && isEmpty(s):
			residuals = nil
		case over == symshape.Yes:
			residuals = with(m.cols)
		}
	}
	var res value.Value = c.Th.Unknown("lstsq: whether there are residuals is not known")
	if residuals != nil {
		res = c.matOut(a.d.Real(), residuals)
	}
	return c.named("linalg_lstsq", []string{"solution", "residuals", "rank", "singular_values"}, c.matOut(a.d, solution), res, c.matOut(dtype.I64, rank), c.matOut(a.d.Real(), sv))
}

// batchesEqual checks that the batch dimensions of an operand are those of the first.
func (c *Call) batchesEqual(a matrix, t *value.Tensor, batch symshape.Shape) bool {
	if len(batch) != len(a.batch) || !c.sameSizes(a.batch, batch) {
		c.Shapef("%s(): batch sizes of %s and %s differ", c.short(), a.t, t)
		return false
	}
	return true
}

func householderRule(c *Call) value.Value {
	first, second := c.sig.Params[0].Name, c.sig.Params[1].Name
	tau := c.Tensor(second)
	ts := c.Shape(tau)
	t := c.Tensor(first)
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	a, ok := c.asMatrix(t, s)
	if !ok {
		return nil
	}
	if !c.requireLE(a.cols, a.rows) {
		return c.Shapef("%s() needs at least as many rows as columns, but got %s", c.short(), t)
	}
	if len(ts) != len(s)-1 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs tau to have one dimension less than %s, but got %s", c.short(), t, tau)
	}
	if !c.requireLE(ts[len(ts)-1], a.cols) {
		return c.Shapef("%s() needs at most as many numbers in tau as columns, but got %s for %s", c.short(), tau, t)
	}
	if !c.batchesEqual(a, tau, ts[:len(ts)-1]) || !c.sameOperands(t, tau) || !c.floatMatrix(t) {
		return nil
	}
	return c.matOut(a.d, s)
}

func ormqrRule(c *Call) value.Value {
	t, tau, other := c.Tensor("self"), c.Tensor("input2"), c.Tensor("input3")
	s, ts, os := c.Shape(t), c.Shape(tau), c.Shape(other)
	left := c.Bool("left")
	if !c.OK() {
		return nil
	}
	a, ok := c.asMatrix(t, s)
	if !ok {
		return nil
	}
	b, ok := c.asMatrix(other, os)
	if !ok {
		return nil
	}
	n := b.rows
	if !left {
		n = b.cols
	}
	if len(ts) != len(s)-1 || len(os) != len(s) {
		return c.Errorf("RuntimeError", diag.RankMismatch, "ormqr(): the numbers of dimensions of %s, %s and %s do not fit", t, tau, other)
	}
	k := ts[len(ts)-1]
	if !c.requireLE(k, n) || !c.requireLE(k, a.cols) {
		return c.Shapef("ormqr(): tau %s is too long for %s and %s", tau, t, other)
	}
	if _, ok := c.Same(n, a.rows); !ok {
		return c.Shapef("ormqr(): size %s of %s does not match %s rows of %s", n, other, a.rows, t)
	}
	if !c.batchesEqual(a, tau, ts[:len(ts)-1]) || !c.batchesEqual(a, other, b.batch) || !c.sameOperands(t, tau) || !c.sameOperands(t, other) || !c.floatMatrix(t) {
		return nil
	}
	return c.matOut(a.d, os)
}

func tensorinvRule(c *Call) value.Value {
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
	if _, ok := c.Same(c.Numel(s[:k]), c.Numel(s[k:])); !ok {
		return c.Shapef("tensorinv(): %s has %s elements before dimension %d, but %s after it", t, c.Numel(s[:k]), k, c.Numel(s[k:]))
	}
	if !c.floatMatrix(t) {
		return nil
	}
	return c.matOut(t.Type().DType, append(append(symshape.Shape(nil), s[k:]...), s[:k]...))
}

func tensorsolveRule(c *Call) value.Value {
	t, b := c.Tensor("self"), c.Tensor("other")
	s, r := c.Shape(t), c.Shape(b)
	if !c.OK() {
		return nil
	}
	axes := c.Axes("dims", len(s)) // moved to the end
	if !c.OK() {
		return nil
	}
	moved := make([]bool, max(len(s), 1))
	for _, a := range axes {
		moved[a] = true
	}
	var shape symshape.Shape
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
	if _, ok := c.Same(rows, c.Numel(r)); !ok {
		return c.Shapef("tensorsolve(): the right-hand side %s has %s elements, not %s", b, c.Numel(r), rows)
	}
	if !c.sameOperands(t, b) || !c.floatMatrix(t) {
		return nil
	}
	return c.matOut(t.Type().DType, shape[len(r):])
}

func linalgVanderRule(c *Call) value.Value {
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
	if v, ok := DimVal(n); ok && v <= 1 {
		return c.Errorf("RuntimeError", diag.BadValue, "vander() needs N to be greater than 1, but got %d", v)
	}
	return c.Out(d, append(append(symshape.Shape(nil), s...), n))
}

// rightSide is the right-hand side of a system of equations, or nil.
func (c *Call) rightSide() *value.Tensor {
	for _, name := range [...]string{"B", "b", "self"} {
		if c.HasParam(name) {
			return c.Tensor(name)
		}
	}
	return nil
}
