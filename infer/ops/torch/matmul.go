package torch

// This file holds products of matrices and vectors. Unlike pointwise functions
// they do not promote: all operands must have one dtype. The shapes are those of PyTorch's
// documentation of each function; which fault comes first, and what is not looked at where an
// operand is empty, is from recorded calls, since messages must name the fault that PyTorch
// reports. Sizes that are summed over go through contract, which makes their equality a condition
// of the run.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var matmulOps = [...]ops.Op{
	{Names: []string{"torch.matmul", "torch.Tensor.matmul", "torch.Tensor.__matmul__", "torch.linalg.matmul"},
		Sig: "(Tensor self, Tensor other)", Out: true, ExactOut: true,
		Rule: func(c *ops.Call) value.Value { return matmul(c, c.Tensor("self"), c.Tensor("other")) },
		Form: graph.MatMul, Quirks: ops.OneDevice, Sparse: ops.SparseProduct,
		Axes:  "self: … rows columns; input: … rows columns; other: … rows columns",
		Trace: ops.ComparesVectors, Is: graph.OneTensor, Doc: "matrix product with broadcast batch dimensions; vectors are rows or columns"},
	{Names: []string{"torch.Tensor.__rmatmul__"}, Sig: "(Tensor self, Tensor other)",
		Rule: func(c *ops.Call) value.Value { return matmul(c, c.Tensor("other"), c.Tensor("self")) },
		Form: graph.ProductOf, Quirks: ops.OneDevice, Doc: "matrix product with the operands swapped"},
	{Names: []string{"torch.mm", "torch.Tensor.mm"}, Sig: "(Tensor self, Tensor mat2)", Out: true, ExactOut: true,
		Rule: mmRule("self", "mat2", 2),
		Form: graph.MatMul, Quirks: ops.OneDevice, Sparse: ops.SparseProduct,
		Axes: "self: rows columns; input: rows columns; mat2: rows columns", Doc: "product of two matrices"},
	{Names: []string{"torch.spmm"}, Sig: "(Tensor self, Tensor mat2)", Rule: mmRule("self", "mat2", 2),
		Form: graph.Product, Sparse: ops.SparseProduct, Doc: "product of a sparse or dense matrix and a matrix"},
	{Names: []string{"torch.bmm", "torch.Tensor.bmm"}, Sig: "(Tensor self, Tensor mat2)", Out: true, ExactOut: true,
		Rule: mmRule("self", "mat2", 3),
		Form: graph.MatMul, Quirks: ops.OneDevice, Axes: "self: batch rows columns; input: batch rows columns; mat2: batch rows columns",
		Is: graph.OneTensor, Doc: "products of batches of matrices"},
	{Names: []string{"torch.mv", "torch.Tensor.mv"}, Sig: "(Tensor self, Tensor vec)", Out: true, ExactOut: true, Rule: mvRule,
		Form: graph.Product, Quirks: ops.OneDevice, Sparse: ops.SparseProduct,
		Trace: ops.ComparesResult, Doc: "product of a matrix and a vector"},
	{Names: []string{"torch.dot", "torch.Tensor.dot"}, Sig: "(Tensor self, Tensor tensor)", Out: true, ExactOut: true, Rule: dotRule("tensor"),
		Form: graph.Product, Quirks: ops.EmptyChecked | ops.OneDevice, Trace: ops.ComparesOperands, Doc: "inner product of two vectors"},
	{Names: []string{"torch.vdot", "torch.Tensor.vdot"}, Sig: "(Tensor self, Tensor other)", Out: true, ExactOut: true, Rule: dotRule("other"),
		Form: graph.Product, Quirks: ops.EmptyChecked, Doc: "inner product with the first vector conjugated"},
	{Names: []string{"torch.addmm", "torch.Tensor.addmm"}, Sig: "(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)",
		InPlace: true, Out: true, ExactOut: true,
		Rule: addmmRule("mat1", "mat2", 2, false), Form: graph.AddProduct, Quirks: ops.OneDevice,
		Trace: ops.ComparesResult, Doc: "beta·self + alpha·(mat1 @ mat2)"},
	{Names: []string{"torch.baddbmm", "torch.Tensor.baddbmm"},
		Sig: "(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)", InPlace: true, Out: true, ExactOut: true,
		Rule: addmmRule("batch1", "batch2", 3, false), Form: graph.AddProduct, Quirks: ops.OneDevice,
		Doc: "beta·self + alpha·bmm(batch1, batch2)"},
	{Names: []string{"torch.addbmm", "torch.Tensor.addbmm"},
		Sig: "(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)", InPlace: true, Reshapes: true, Out: true,
		ExactOut: true,
		Rule:     addmmRule("batch1", "batch2", 3, true), Form: graph.AddProducts, Quirks: ops.OneDevice,
		Doc: "beta·self + alpha·(sum of bmm(batch1, batch2))"},
	{Names: []string{"torch.addmv", "torch.Tensor.addmv"}, Sig: "(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1)",
		InPlace: true, Out: true, ExactOut: true,
		Rule: addmvRule, Form: graph.AddProduct, Quirks: ops.OneDevice, Trace: ops.ComparesResult, Doc: "beta·self + alpha·(mat @ vec)"},
	{Names: []string{"torch.addr", "torch.Tensor.addr"}, Sig: "(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1)",
		InPlace: true, Out: true,
		Rule: addrRule, Numbers: []ops.Converted{{Param: "beta"}, {Param: "alpha"}},
		Trace: ops.ComparesResult, Doc: "beta·self + alpha·outer(vec1, vec2); promotes dtypes"},
	{Names: []string{"torch.outer", "torch.Tensor.outer", "torch.ger", "torch.Tensor.ger"}, Sig: "(Tensor self, Tensor vec2)", Out: true,
		Rule: outerRule,
		Form: graph.Outer, Quirks: ops.OneDevice, Trace: ops.ComparesResult, Doc: "all products of two vectors' elements; promotes dtypes"},
	{Names: []string{"torch.inner", "torch.Tensor.inner"}, Sig: "(Tensor self, Tensor other)", Out: true, ExactOut: true, Rule: innerRule,
		Form: graph.Product, Quirks: ops.EmptyWhole | ops.OneDevice,
		Trace: ops.ComparesVectors, Doc: "sum of products over the last dimensions"},
	{Names: []string{"torch.kron", "torch.Tensor.kron"}, Sig: "(Tensor self, Tensor other)", Out: true, Rule: kronRule,
		Doc: "Kronecker product; promotes dtypes"},
	{Names: []string{"torch.tensordot", "torch.functional.tensordot"}, Sig: "(Tensor a, Tensor b, any dims=2)", Out: true, ExactOut: true,
		Rule: tensordotRule,
		Is:   graph.Uncounted, Quirks: ops.EmptyWhole | ops.InPython | ops.OneDevice,
		Doc: "contracts dimensions: the last dims of a with the first of b, or two lists of them"},
	{Names: []string{"torch.linalg.multi_dot"}, Sig: "(Tensor[] tensors)", Out: true, ExactOut: true, Rule: multiDotRule,
		Is: graph.Uncounted, Quirks: ops.EmptyChecked | ops.ByColumns, Doc: "product of a chain of matrices, the ends of which may be vectors"},
	{Names: []string{"torch.chain_matmul", "torch.functional.chain_matmul"}, Sig: "(*matrices)", Out: true, ExactOut: true,
		Rule: chainMatmulRule,
		Is:   graph.Uncounted, Doc: "product of a chain of matrices"},
	{Names: []string{"torch.cross", "torch.Tensor.cross"}, Sig: "(Tensor self, Tensor other, int? dim=None)", Out: true, ExactOut: true,
		Rule:   crossRule,
		Quirks: ops.EmptyChecked | ops.OneDevice, Doc: "cross product along dim, or along the first dimension of size 3"},
	{Names: []string{"torch.linalg.cross"}, Sig: "(Tensor self, Tensor other, *, int dim=-1)", Out: true, ExactOut: true, Rule: crossRule,
		Quirks: ops.EmptyChecked | ops.ByColumns | ops.OneDevice, Doc: "cross product along dim"},
	{Names: []string{"torch.linalg.vecdot"}, Sig: "(Tensor x, Tensor y, *, int dim=-1)", Out: true, ExactOut: true, Rule: vecdotRule,
		Is: graph.Uncounted, Quirks: ops.EmptyChecked | ops.ByColumns, Doc: "inner products along a dimension"},
	{Names: []string{"torch.cdist", "torch.functional.cdist"},
		Sig: "(Tensor x1, Tensor x2, float p=2.0, str? compute_mode=\"use_mm_for_euclid_dist_if_necessary\")", Rule: cdistRule,
		Is: graph.Uncounted, Quirks: ops.InPython | ops.OneDevice, Doc: "distances between the rows of two matrices"},
}

// productDType checks the dtypes of the operands of a product and gives that of the result. Nothing
// is computed, and so nothing is checked, where an operand is empty. Different dtypes are a
// RuntimeError, and so is bool, for which there is no kernel. An unknown dtype agrees with all.
func productDType(c *ops.Call, ts ...*value.Tensor) dtype.DType {
	d := ts[0].Type().DType
	for _, t := range ts[1:] {
		e := t.Type().DType
		if d == dtype.Unknown {
			d = e
		}
		if e != d && e != dtype.Unknown {
			if !c.Op.Has(ops.EmptyChecked) && (c.Torch1() || len(ts[0].Type().Shape) > 2) &&
				(isEmpty(ts[0].Type().Shape) || isEmpty(t.Type().Shape)) {
				if len(ts) == 2 && !c.Op.Has(ops.EmptyWhole) && emptyBatch(c, ts[0], t) { // bmm of nothing looks at the second operand only
					return e
				}
				return d
			}
			c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() needs operands of one dtype, but got %s and %s", c.Short(), ts[0], t)
			return d
		}
	}
	if d == dtype.Bool && len(ts) > 1 && !ops.IsArray(ts[0]) && !isEmpty(ts[0].Type().Shape) && !isEmpty(ts[1].Type().Shape) {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() is not implemented for bool", c.Short())
	}
	return d
}

// emptyBatch reports whether a product is one of batches of matrices, or of a matrix and a vector.
func emptyBatch(c *ops.Call, a, b *value.Tensor) bool {
	n, m := a.Type().Rank(), b.Type().Rank()
	return n >= 2 && (m > 2 || m == 1)
}

// contract makes it a condition that axis i of a and axis j of b agree. It reports whether they
// may; if not, the fault blames both axes.
func contract(c *ops.Call, a *value.Tensor, i int, b *value.Tensor, j int) bool {
	x, y := a.Type().Shape[i], b.Type().Shape[j]
	if _, ok := c.Same(x, y); ok {
		return true
	}
	c.Blame(ops.Ref{Tensor: a, Axis: i}, ops.Ref{Tensor: b, Axis: j})
	c.Shapef("%s(): size %s of dimension %d of %s does not match size %s of dimension %d of %s", c.Short(), x, i, a, y, j, b)
	return false
}

// matmul follows at::native::matmul (LinearAlgebra.cpp): a vector on the left is a row and one on the right a
// column, whose axis goes from the result again; all axes before the last two are a batch and broadcast. The
// sizes that are summed over must be equal: they do not broadcast, so that a 1 against a 3 is a fault here
// although it is none in a sum. PyTorch finds unequal sizes before unequal dtypes, hence the order of the
// checks.
func matmul(c *ops.Call, a, b *value.Tensor) value.Value {
	s, r := c.Shape(a), c.Shape(b)
	if !c.OK() {
		return nil
	}
	n, m := len(s), len(r)
	if n == 0 || m == 0 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "matmul() needs operands of at least one dimension, but got %s and %s", a, b)
	}
	// The axis of rows of b is its last but one, or its only one.
	if !contract(c, a, n-1, b, max(m-2, 0)) {
		return nil
	}
	if n == 1 && m == 1 && !sameDType(c, a, b, "other") { // a dot product, also of nothing
		return nil
	}
	d := productDType(c, a, b)
	if !c.OK() {
		return nil
	}
	batch, axis, ok := c.Broadcast(s[:max(n-2, 0)], r[:max(m-2, 0)])
	if !ok {
		c.Blame(ops.Ref{Tensor: a, Axis: n - 2 - axis}, ops.Ref{Tensor: b, Axis: m - 2 - axis})
		c.Saying(c.OfSizes(diag.UnequalSizes, s[n-2-axis], r[m-2-axis]))
		return c.Shapef("matmul(): batch sizes %s and %s do not match at dimension %d: %s and %s", s[n-2-axis], r[m-2-axis], -axis-2, a, b)
	}
	// The batch, then the rows of a matrix on the left and the columns of one on the right.
	shape := append(symshape.Shape(nil), batch...)
	if n >= 2 {
		shape = append(shape, s[n-2])
	}
	if m >= 2 {
		shape = append(shape, r[m-1])
	}
	return c.Out(d, shape)
}

// mmRule makes the rule of mm and bmm, which take matrices (rank 2) and batches of them (3) and nothing else:
// no broadcasting, no vectors. Package advice proposes matmul where an operand has another rank.
func mmRule(first, second string, rank int) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		a, b := c.Tensor(first), c.Tensor(second)
		if !c.Rank(a, "a first operand", rank) || !c.Rank(b, "a second operand", rank) {
			return nil
		}
		shape := mmShape(c, a, b, rank)
		// The dtypes are compared after the sizes, as in PyTorch: a call with both faults is reported for its sizes.
		d := dtype.Unknown
		if c.OK() {
			d = productDType(c, a, b)
		}
		return c.Out(d, shape)
	}
}

// mmShape is the shape of the product of matrices (rank 2) or batches of them (3): [batch,] rows of
// a, columns of b. The batches must be equal, and the columns of a and the rows of b; nil
// otherwise.
func mmShape(c *ops.Call, a, b *value.Tensor, rank int) symshape.Shape {
	s, r := c.Shape(a), c.Shape(b)
	if !c.OK() || rank == 3 && !contract(c, a, 0, b, 0) || !contract(c, a, rank-1, b, rank-2) {
		return nil
	}
	shape := append(symshape.Shape(nil), s[:rank-1]...)
	return append(shape, r[rank-1])
}

// mvRule: the matrix's columns are summed over with the vector; the result is a vector of its rows.
func mvRule(c *ops.Call) value.Value {
	a, b := c.Tensor("self"), c.Tensor("vec")
	if !c.Rank(a, "a matrix", 2) || !c.Rank(b, "a vector", 1) || !contract(c, a, 1, b, 0) {
		return nil
	}
	return c.Out(productDType(c, a, b), c.Shape(a)[:1])
}

// dotRule makes the rule of dot and vdot. Unlike in matmul the dtypes are compared first, and vectors of size 1
// do not broadcast.
func dotRule(other string) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		a, b := c.Tensor("self"), c.Tensor(other)
		if !c.Rank(a, "a vector", 1) || !c.Rank(b, "a second vector", 1) {
			return nil
		}
		// Dtypes are compared before sizes here.
		d := productDType(c, a, b)
		if !c.OK() || !contract(c, a, 0, b, 0) {
			return nil
		}
		return c.Out(d, symshape.Shape{})
	}
}

// added checks that self can be expanded to the shape of a product, and reports whether it can.
func added(c *ops.Call, self *value.Tensor, shape symshape.Shape) bool {
	s := c.Shape(self)
	if !c.OK() {
		return false
	}
	if !c.BroadcastsTo(s, shape) {
		c.Shapef("%s(): the added tensor %s cannot be expanded to the product's shape %s", c.Short(), self, shape)
		return false
	}
	return true
}

// addmmRule makes the rule of addmm, baddbmm and addbmm; sum says that the products of the batch are added up
// (addbmm), which drops the batch from the result. The tensor that is added broadcasts to the product, never
// the other way round, so a product of one row is not repeated for it.
//
// Which dtypes and factors are looked at depends on what is computed at all: nothing where the result has no
// elements, and beta alone where the factors have none. The branches are what the recorded calls answered.
func addmmRule(first, second string, rank int, sum bool) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		self, a, b := c.Tensor("self"), c.Tensor(first), c.Tensor(second)
		if !c.Rank(a, "a first factor", rank) || !c.Rank(b, "a second factor", rank) {
			return nil
		}
		shape := mmShape(c, a, b, rank)
		if !c.OK() {
			return nil
		}
		// The sum over the batch drops its axis.
		if sum {
			shape = shape[1:]
		}
		if !added(c, self, shape) {
			return nil
		}
		d := productDType(c, a, b)
		if sum && ops.IsConst(a.Type().Shape[0], 0) { // no product is taken
			d = self.Type().DType
		} else if rank == 2 || sum && c.OutDType == dtype.Unknown { // baddbmm does not look at the dtype of self
			d = productDType(c, a, b, self)
		}
		if !c.OK() {
			return nil
		}
		switch batches := ops.IsConst(a.Type().Shape[0], 0); { // PyTorch looks at the factors it needs
		case isEmpty(shape) && !(sum && batches):
		case isEmpty(a.Type().Shape):
			factorScales(c, "beta", d)
		default:
			factorsFit(c, d, "beta", "alpha")
		}
		return c.Out(d, shape)
	}
}

// factorsFit refuses factors that cannot be converted for products of dtype d, and reports whether
// all fit. Half precision is computed in float32, to which its factors are converted.
func factorsFit(c *ops.Call, d dtype.DType, names ...string) bool {
	if d == dtype.F16 || d == dtype.BF16 {
		d = dtype.F32
	}
	for _, name := range names {
		v := value.Plain(c.Value(name))
		if !scalarFits(c, v, d) {
			return false
		}
		if !ops.FitsDType(v, d) {
			c.Errorf("RuntimeError", diag.BadValue, "%s(): %s does not fit into %s: %s", c.Short(), name, d, v)
			return false
		}
	}
	return true
}

// factorScales refuses a factor with which a tensor of dtype d cannot be multiplied in
// place. A factor of zero is not used.
func factorScales(c *ops.Call, name string, d dtype.DType) bool {
	v := value.Plain(c.Value(name))
	zero := false
	// An unknown factor may be zero, and then is not used.
	switch v := v.(type) {
	case value.Complex:
		zero = v == 0
	default:
		f, known := value.AsFloat(v)
		zero = !known || f == 0
	}
	if d == dtype.Unknown || ops.NumberKind(v) == dtype.KindInvalid {
		return c.OK()
	}
	if got := dtype.ResultType(c.DefaultDType(), dtype.TensorOp(d, 1), dtype.NumberOp(ops.NumberKind(v))); !zero && !dtype.CanCast(got, d) {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): %s=%s times %s does not fit into %s", c.Short(), name, v, d, d)
	}
	return c.OK()
}

// addmvRule: the product of a matrix and a vector, to which self is added. Written into self, self must have
// the product's dimension; otherwise a self without dimensions broadcasts to it.
func addmvRule(c *ops.Call) value.Value {
	self, a, b := c.Tensor("self"), c.Tensor("mat"), c.Tensor("vec")
	if !c.Rank(a, "a matrix", 2) || !c.Rank(b, "a vector", 1) || !contract(c, a, 1, b, 0) {
		return nil
	}
	shape := c.Shape(a)[:1]
	if !added(c, self, shape) {
		return nil
	}
	d := productDType(c, a, b) // the dtype of self is not looked at, unless it is written to
	if e := self.Type().DType; c.InPlace && e != d && e != dtype.Unknown && d != dtype.Unknown {
		sameOperands(c, self, a)
	}
	if c.InPlace && len(c.Shape(self)) != 1 {
		return c.Shapef("addmv_() writes a result of shape %s into %s", shape, self)
	}
	if !c.OK() {
		return nil
	}
	if isEmpty(c.Shape(a)) {
		factorsFit(c, d, "beta")
	} else {
		factorsFit(c, d, "beta", "alpha")
	}
	if beta, ok := value.AsFloat(c.Value("beta")); ok && beta != 0 && isEmpty(c.Shape(a)) {
		shape = c.Shape(self) // beta·self is written over the result
	}
	return c.Out(d, shape)
}

// resultType is the dtype to which tensors are promoted, as torch.result_type has it: tensors
// without dimensions count less than others. It is unknown if one of them is.
func resultType(c *ops.Call, ts ...*value.Tensor) dtype.DType {
	operands := make([]dtype.Operand, len(ts))
	for i, t := range ts {
		if t.Type().DType == dtype.Unknown {
			return dtype.Unknown
		}
		operands[i] = dtype.TensorOp(t.Type().DType, t.Type().Rank())
	}
	return dtype.ResultType(c.DefaultDType(), operands...)
}

// addrRule: vectors of m and n elements make a matrix (m, n), to which self broadcasts. The dtype
// is the promoted one of all three.
func addrRule(c *ops.Call) value.Value {
	self, a, b := c.Tensor("self"), c.Tensor("vec1"), c.Tensor("vec2")
	if !c.Rank(a, "a first vector", 1) || !c.Rank(b, "a second vector", 1) {
		return nil
	}
	shape := symshape.Shape{c.Shape(a)[0], c.Shape(b)[0]}
	if !added(c, self, shape) {
		return nil
	}
	d := resultType(c, self, a, b)
	if s := self.Type(); s.DType != dtype.Unknown && d != dtype.Unknown { // self is expanded to a matrix first
		d = dtype.Promote(s.DType, resultType(c, a, b))
	}
	// A float factor needs a float result, and a bool one a result of bools.
	for _, name := range []string{"beta", "alpha"} {
		switch value.Plain(c.Value(name)).(type) {
		case value.Float, *value.SymFloat, value.Complex:
			if d.IsIntegralOrBool() {
				return c.Errorf("RuntimeError", diag.DTypeMismatch, "addr() of integer tensors needs an integer %s", name)
			}
		case value.Bool, *value.SymBool:
			if d != dtype.Bool && d != dtype.Unknown {
				return c.Errorf("RuntimeError", diag.DTypeMismatch, "addr(): %s may be a bool only if the result is bool, but it is %s", name, d)
			}
		}
	}
	if !factorsFit(c, d, "beta", "alpha") {
		return nil
	}
	return c.Unsure(c.Out(d, shape), self)
}

// outerRule: vectors of m and n elements make a matrix (m, n) of the promoted dtype.
func outerRule(c *ops.Call) value.Value {
	a, b := c.Tensor("self"), c.Tensor("vec2")
	if !c.Rank(a, "a first vector", 1) || !c.Rank(b, "a second vector", 1) {
		return nil
	}
	return c.Out(resultType(c, a, b), symshape.Shape{c.Shape(a)[0], c.Shape(b)[0]})
}

// innerRule sums over the last axes of both, which must be equal; the result has the other axes of
// both. An operand without dimensions multiplies all elements instead, and then dtypes are
// promoted.
func innerRule(c *ops.Call) value.Value {
	a, b := c.Tensor("self"), c.Tensor("other")
	s, r := c.Shape(a), c.Shape(b)
	if !c.OK() {
		return nil
	}
	if len(s) == 0 || len(r) == 0 {
		c.CastOut = true // a product of elements
		return c.Unsure(c.Out(resultType(c, a, b), append(append(symshape.Shape(nil), s...), r...)), a, b)
	}
	if !contract(c, a, len(s)-1, b, len(r)-1) {
		return nil
	}
	d := productDType(c, a, b)
	return c.Out(d, append(append(symshape.Shape(nil), s[:len(s)-1]...), r[:len(r)-1]...))
}

// kronRule: shapes are filled with 1 in front to the same rank; each size is the product of both.
func kronRule(c *ops.Call) value.Value {
	a, b := c.Tensor("self"), c.Tensor("other")
	s, r := c.Shape(a), c.Shape(b)
	if !c.OK() {
		return nil
	}
	// The shorter shape has sizes of 1 in front.
	for len(s) < len(r) {
		s = append(symshape.Shape{c.Const(1)}, s...)
	}
	for len(r) < len(s) {
		r = append(symshape.Shape{c.Const(1)}, r...)
	}
	shape := make(symshape.Shape, len(s))
	for i := range s {
		shape[i] = c.P.DimMul(s[i], r[i])
	}
	d := resultType(c, a, b)
	if x, y := a.Type().DType, b.Type().DType; d != dtype.Unknown { // both are taken with as many dimensions
		d = dtype.Promote(x, y)
	}
	if c.Torch1() && c.OutShape == nil && !kronViewable(c, a, b, s, r) { // with out= its products are written where they belong
		return c.Shapef("kron(): PyTorch 1 cannot view the products of %s and %s, which are not contiguous: call contiguous() first", a, b)
	}
	return c.Unsure(c.Out(d, shape), a, b)
}

// kronViewable reports whether the products of two tensors, of shape (s0, r0, s1,
// r1 …) and in the order in memory that element-wise work gives them, can be
// viewed as (s0·r0, s1·r1 …). It is true when that is not known.
func kronViewable(c *ops.Call, a, b *value.Tensor, s, r symshape.Shape) bool {
	if a.Type().Strides == nil && b.Type().Strides == nil {
		return true
	}
	// Each operand has sizes of 1 in the places of the other.
	spread := func(t *value.Tensor, at int) *value.Tensor {
		ty := *t.Type()
		own := c.StridesOf(t)
		n := len(s) - len(ty.Shape)
		shape, strides := make(symshape.Shape, 2*len(s)), make([]*symshape.Expr, 2*len(s))
		for i := range shape {
			shape[i], strides[i] = c.Const(1), c.P.Const(1)
			if k := i/2 - n; i%2 == at && k >= 0 {
				shape[i], strides[i] = ty.Shape[k], own[k]
			}
		}
		ty.Shape, ty.Strides = shape, strides
		return &value.Tensor{V: &graph.Value{Type: ty}}
	}
	// The shape in which the products are computed, two axes for each axis of the result.
	full := make(symshape.Shape, 0, 2*len(s))
	for i := range s {
		full = append(full, s[i], r[i])
	}
	strides := c.PointwiseStrides(full, []*value.Tensor{spread(a, 0), spread(b, 1)})
	// Two axes can be one where the stride of the first is that of the second times its size.
	for i := range s {
		p, q := full[2*i], full[2*i+1]
		x, y := strides[2*i], strides[2*i+1]
		if x == nil || y == nil || p.Expr == nil || q.Expr == nil || ops.IsConst(p, 1) || ops.IsConst(q, 1) || isEmpty(full) {
			continue
		}
		m, ok1 := x.Const()
		n, ok2 := c.P.Mul(q.Expr, y).Const()
		if ok1 && ok2 && m != n {
			return false
		}
	}
	return true
}

// tensordotRule needs as many dimensions of a as of b to sum over, pairwise of one size or with a size of
// 1, against which the other is summed. Operands have one dtype; a sum in PyTorch 1 makes integers int64.
// The result has the remaining dimensions of a, then those of b.
func tensordotRule(c *ops.Call) value.Value {
	a, b := c.Tensor("a"), c.Tensor("b")
	s, r := c.Shape(a), c.Shape(b)
	if !c.OK() {
		return nil
	}
	x, y, ok := tensordotAxes(c, len(s), len(r))
	if !ok {
		return nil
	}
	if len(x) != len(y) {
		return c.Errorf("RuntimeError", diag.BadValue, "tensordot(): both lists of dims must have the same length, but have %d and %d", len(x),
			len(y))
	}
	// What is summed over, of a and of b, and whether an axis was summed alone, against a size of
	// 1.
	gone, gone2 := make([]bool, len(s)), make([]bool, len(r))
	summed, summed2 := false, false
	for i := range x {
		p, q := c.WrapAxis(x[i], len(s)), c.WrapAxis(y[i], len(r))
		if !c.OK() {
			return nil
		}
		if p >= len(s) || q >= len(r) {
			return c.Errorf("RuntimeError", diag.RankMismatch, "tensordot(): a 0-dim tensor has no dimension to contract")
		}
		if ops.IsConst(s[p], 1) || ops.IsConst(r[q], 1) { // the other is summed away
			gone[p], gone2[q] = true, true
			summed = summed || ops.IsConst(r[q], 1)
			summed2 = summed2 || !ops.IsConst(r[q], 1)
			continue
		}
		if !contract(c, a, p, b, q) {
			return nil
		}
		if gone[p] || gone2[q] {
			return c.Errorf("RuntimeError", diag.DimOutOfRange, "tensordot(): a dimension appears twice")
		}
		gone[p], gone2[q] = true, true
	}
	d := dtype.Unknown
	// a sum of integers is int64
	if x, y := a.Type().DType, b.Type().DType; c.Torch1() && (summed && x.IsIntegralOrBool() || summed2 && y.IsIntegralOrBool()) {
		if summed {
			x = ops.SumType(x)
		}
		if summed2 {
			y = ops.SumType(y)
		}
		if d = x; x != y && y != dtype.Unknown && !isEmpty(s) && !isEmpty(r) {
			return c.Errorf("RuntimeError", diag.DTypeMismatch,
				"tensordot() needs operands of one dtype, but the sums of PyTorch 1 make them %s and %s", x, y)
		}
	} else {
		d = productDType(c, a, b)
	}
	// The axes that are left, of a and then of b.
	var shape symshape.Shape
	for i := range s {
		if !gone[i] {
			shape = append(shape, s[i])
		}
	}
	for i := range r {
		if !gone2[i] {
			shape = append(shape, r[i])
		}
	}
	return c.Out(d, shape)
}

// tensordotAxes reads dims: an int, for the last axes of a and the first of b, or two lists of
// ints, of which one of a single axis may be an int. Negative and too many dims are faults; ok is
// false after one, and where dims are not known.
func tensordotAxes(c *ops.Call, n, m int) (x, y []int, ok bool) {
	v := c.Value("dims")
	if t, isTensor := v.(*value.Tensor); isTensor {
		e := t.Contents()
		if t.Type().Rank() > 1 || e == nil {
			c.Lose("the dims of tensordot are not known")
			return nil, nil, false
		}
		if len(e) == 1 {
			v = e[0]
		}
	}
	if k, isInt := value.AsInt(v); isInt {
		if k < 0 {
			c.Errorf("RuntimeError", diag.BadValue, "tensordot() needs dims that are not negative, but got %d", k)
			return nil, nil, false
		}
		if k > int64(min(n, m)) {
			c.Errorf("IndexError", diag.DimOutOfRange, "tensordot(): %d dims are more than the operands have (%d and %d)", k, n, m)
			return nil, nil, false
		}
		for i := range int(k) {
			x = append(x, i-int(k))
			y = append(y, i)
		}
		return x, y, true
	}
	var lists []value.Value
	switch v := v.(type) {
	case *value.Tuple:
		lists = v.Elems
	case *value.List:
		lists = v.Elems
	}
	if len(lists) != 2 {
		c.Errorf("RuntimeError", diag.TypeMismatch, "tensordot() needs dims to be an int or two lists of ints, not %s", ops.TypeName(v))
		return nil, nil, false
	}
	// read gives the axes of one of the two lists; they are wrapped by the caller.
	read := func(v value.Value) (out []int) {
		elems := []value.Value{v}
		switch v := v.(type) {
		case *value.Tuple:
			elems = v.Elems
		case *value.List:
			elems = v.Elems
		}
		for _, e := range elems {
			k, isInt := value.AsInt(e)
			if !isInt {
				if value.IsUnknown(e) {
					c.Lose("the dims of tensordot are not known")
				}
				c.Errorf("TypeError", diag.TypeMismatch, "tensordot(): dims must be ints, not %s", ops.TypeName(e))
				return nil
			}
			out = append(out, int(k))
		}
		return out
	}
	x, y = read(lists[0]), read(lists[1])
	return x, y, c.OK()
}

// multiDotRule needs at least two tensors, of which the first and last may be vectors and the
// others are matrices.
func multiDotRule(c *ops.Call) value.Value {
	ts := c.Tensors("tensors")
	shapes := shapesOf(c, ts)
	if !c.OK() {
		return nil
	}
	if len(ts) < 2 {
		return c.Errorf("RuntimeError", diag.BadValue, "multi_dot() needs at least 2 tensors, but got %d", len(ts))
	}
	for i, s := range shapes {
		ends := i == 0 || i == len(ts)-1
		if len(s) != 2 && !(ends && len(s) == 1) {
			return c.Errorf("RuntimeError", diag.RankMismatch, "multi_dot(): tensor number %d must be a matrix, but is %s", i, ts[i])
		}
	}
	return chain(c, ts)
}

// chainMatmulRule needs at least one argument, all of them matrices; a list of them is refused.
func chainMatmulRule(c *ops.Call) value.Value {
	ts, wrapped := restTensors(c)
	shapes := shapesOf(c, ts)
	if wrapped && c.OK() {
		return c.Errorf("TypeError", diag.TypeMismatch, "chain_matmul() takes matrices as separate arguments")
	}
	if !c.OK() {
		return nil
	}
	if len(ts) == 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "chain_matmul() needs at least one matrix")
	}
	for i, s := range shapes {
		if len(s) != 2 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "chain_matmul(): tensor number %d must be a matrix, but is %s", i, ts[i])
		}
	}
	return chain(c, ts)
}

// chain is the product of matrices, the first and last of which may be vectors: neighbours must
// agree in the axis between them. The result has the rows of the first and the columns of the last.
func chain(c *ops.Call, ts []*value.Tensor) value.Value {
	d := productDType(c, ts...)
	var shape symshape.Shape
	for i, t := range ts {
		s := t.Type().Shape
		if i > 0 {
			before := ts[i-1]
			if !c.OK() || !contract(c, before, len(before.Type().Shape)-1, t, 0) {
				return nil
			}
		} else if len(s) == 2 {
			shape = append(shape, s[0])
		}
	}
	if last := ts[len(ts)-1].Type().Shape; len(last) == 2 {
		shape = append(shape, last[1])
	}
	return c.OutType(graph.TensorType{DType: d, Ranked: true, Shape: shape, Device: deviceOf(ts)})
}

// crossRule needs operands of one dtype and rank, with size 3 in dim, or without it in the first dimension
// of a that has that size. They broadcast to the shape of the result.
func crossRule(c *ops.Call) value.Value {
	a, b := c.Tensor("self"), c.Tensor("other")
	s, r := c.Shape(a), c.Shape(b)
	if !c.OK() {
		return nil
	}
	if len(s) != len(r) {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs operands with equal numbers of dimensions, but got %s and %s", c.Short(),
			a, b)
	}
	// Without dim it is the first dimension of size 3, which unknown sizes leave open.
	axis := -1
	if c.Has("dim") {
		axis = c.Axis("dim", len(s))
	} else {
		for i := range s {
			if v, ok := ops.DimVal(s[i]); ok && v == 3 {
				axis = i
				break
			}
		}
		if axis < 0 {
			for i := range s {
				if _, known := ops.DimVal(s[i]); !known {
					return c.Lose("which dimension has size 3 is not known")
				}
			}
			return c.Errorf("RuntimeError", diag.ShapeMismatch, "cross() needs a dimension of size 3, but got %s", a)
		}
	}
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs a dimension of size 3, but got %s", c.Short(), a)
	}
	for _, t := range []*value.Tensor{a, b} {
		if _, ok := c.Same(t.Type().Shape[axis], c.Const(3)); !ok {
			c.Blame(ops.Ref{Tensor: t, Axis: axis})
			return c.Shapef("%s() needs size 3 in dimension %d, but got %s", c.Short(), axis, t)
		}
	}
	// The other axes broadcast.
	shape := c.BroadcastTensors(a, b)
	if !c.OK() {
		return nil
	}
	return c.Out(productDType(c, a, b), shape)
}

// vecdotRule sums the products along dim, which goes from the shape to which the operands
// broadcast. Only floats and complex numbers are taken.
func vecdotRule(c *ops.Call) value.Value {
	a, b := c.Tensor("x"), c.Tensor("y")
	s, r := c.Shape(a), c.Shape(b)
	if !c.OK() {
		return nil
	}
	for _, t := range []*value.Tensor{a, b} {
		if d := t.Type().DType; d != dtype.Unknown && !d.IsFloat() && !d.IsComplex() {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "vecdot() needs float or complex operands, but got %s", t)
		}
	}
	d := productDType(c, a, b)
	if len(s) == 1 && len(r) == 1 { // dot, which neither broadcasts nor looks at dim
		if !c.OK() || !contract(c, a, 0, b, 0) {
			return nil
		}
		return c.Out(d, symshape.Shape{})
	}
	shape := c.BroadcastTensors(a, b)
	if !c.OK() {
		return nil
	}
	axis := c.Axis("dim", len(shape))
	if !c.OK() {
		return nil
	}
	if len(shape) > 0 {
		shape = ops.Without(shape, axis)
	}
	return c.Out(d, shape)
}

// cdistModes are the values of compute_mode, which change how is computed and not the result.
var cdistModes = map[string]bool{
	"use_mm_for_euclid_dist_if_necessary": true, "use_mm_for_euclid_dist": true, "donot_use_mm_for_euclid_dist": true,
}

// cdistRule: (…, P, M) and (…, R, M) give (…, P, R), with leading axes that broadcast. Both are
// floats.
func cdistRule(c *ops.Call) value.Value {
	a, b := c.Tensor("x1"), c.Tensor("x2")
	s, r := c.Shape(a), c.Shape(b)
	if !c.OK() {
		return nil
	}
	for _, t := range []*value.Tensor{a, b} {
		if len(t.Type().Shape) < 2 {
			return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch, "cdist() needs at least 2 dimensions, but got %s", t)
		}
		if d := t.Type().DType; d != dtype.Unknown && !d.IsFloat() {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "cdist() needs float tensors, but got %s", t)
		}
	}
	if !contract(c, a, len(s)-1, b, len(r)-1) {
		return nil
	}
	if p, ok := c.Float("p"); ok && p < 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "cdist() needs p not to be negative, but got %v", p)
	}
	if mode := c.Str("compute_mode"); c.Has("compute_mode") && c.OK() && !cdistModes[mode] {
		return c.Errorf("ValueError", diag.BadValue, "cdist(): %q is no compute mode", mode)
	}
	batch, axis, ok := c.Broadcast(s[:len(s)-2], r[:len(r)-2])
	d := a.Type().DType // also of nothing, without a look at the other
	if !isEmpty(batch) && !isEmpty(s) && !isEmpty(r) {
		d = productDType(c, a, b)
	}
	if !ok && c.OK() {
		return c.Shapef("cdist(): batch sizes of %s and %s do not match at dimension %d", a, b, -axis-2)
	}
	return c.Out(d, append(append(symshape.Shape(nil), batch...), s[len(s)-2], r[len(r)-2]))
}
