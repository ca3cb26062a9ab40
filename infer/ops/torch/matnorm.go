package torch

// This file holds norms of vectors and matrices other than torch.norm, which is
// a reduction (reduce.go). A norm reduces one axis or several (vectors) or two (matrices) and gives
// the real dtype of the input: complex64 gives float32. Integers are refused. The order decides
// what an empty operand does: only an order that is a maximum or has a negative power is undefined
// for no elements.

import (
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var matnormOps = [...]ops.Op{
	{Names: []string{"torch.linalg.vector_norm"},
		Sig: "(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)", Out: true, ExactOut: true,
		Rule:   func(c *ops.Call) value.Value { return normOfVectors(c, c.Tensor("self"), c.Value("ord")) },
		Quirks: ops.ByColumns, Numbers: []ops.Converted{{Param: "ord", To: ops.ToReal}}, Doc: "norm over dimensions taken as one vector"},
	{Names: []string{"torch.linalg.matrix_norm"},
		Sig: "(Tensor self, Scalar ord, int[] dim=[-2,-1], bool keepdim=False, *, ScalarType? dtype=None) | (Tensor self, str ord=\"fro\", int[] dim=[-2,-1], bool keepdim=False, *, ScalarType? dtype=None)",
		Out: true, ExactOut: true, Rule: func(c *ops.Call) value.Value {
			return matrixNorm(c, c.Tensor("self"), c.Value("ord"),
				c.Ints("dim"))
		}, Quirks: ops.ByColumns, Doc: "norm of matrices"},
	{Names: []string{"torch.linalg.norm"},
		Sig: "(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) | (Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)",
		Out: true, ExactOut: true, Rule: linalgNormRule, Quirks: ops.ByColumns,
		Trace: ops.ComparesResult, Doc: "norm of a vector or a matrix, as ord and dim say"},
	{Names: []string{"torch.frobenius_norm"}, Sig: "(Tensor self) | (Tensor self, int[1] dim, bool keepdim=False)", Out: true,
		Rule: func(c *ops.Call) value.Value {
			var dims []symshape.Dim
			if c.HasParam("dim") {
				dims = c.Ints("dim")
			}
			return frobenius(c, c.Tensor("self"), dims, c.HasParam("dim"))
		}, Doc: "square root of the sum of squares"},
	{Names: []string{"torch.nuclear_norm"}, Sig: "(Tensor self, bool keepdim=False) | (Tensor self, int[2] dim, bool keepdim=False)",
		Out: true, Rule: func(c *ops.Call) value.Value {
			var dims []symshape.Dim
			if c.HasParam("dim") {
				dims = c.Ints("dim")
			}
			return nuclear(c, c.Tensor("self"), dims, c.HasParam("dim"))
		}, Doc: "sum of singular values"},
}

// normAxes counts axes from 0; no axes mean all. WrapAxis reports an axis that is out of range.
// Unknown axes lose the result, and an axis that is given twice is an error. The result is nil
// after any of them.
func normAxes(c *ops.Call, dims []symshape.Dim, rank int) []int {
	var axes []int
	seen := map[int]bool{}
	for _, d := range dims {
		n, ok := ops.DimVal(d)
		if !ok {
			c.Lose("the value of 'dim' is not known")
			return nil
		}
		a := c.WrapAxis(int(n), rank)
		if seen[a] {
			c.Errorf("RuntimeError", diag.DimOutOfRange, "%s(): dimension %d appears twice in 'dim'", c.Short(), a)
		}
		if !c.OK() {
			return nil
		}
		seen[a] = true
		axes = append(axes, a)
	}
	// identity gives all axes of the tensor.
	if len(dims) == 0 {
		return identity(rank)
	}
	return axes
}

// reducedShape drops axes, or makes them 1. keep is keepdim. The order of axes does not matter.
func reducedShape(c *ops.Call, s symshape.Shape, axes []int, keep bool) symshape.Shape {
	gone := make([]bool, max(len(s), 1))
	for _, a := range axes {
		gone[a] = true
	}
	var out symshape.Shape
	for i, d := range s {
		switch {
		case !gone[i]:
			out = append(out, d)
		case keep:
			out = append(out, c.Const(1))
		}
	}
	return out
}

// normDType checks the dtypes of a norm of torch.linalg and gives the result's. dtype= converts
// before the norm is taken. It must be floating or complex as the input is, and not narrower. The
// result is the real dtype, or Unknown after a report and where the input's is not known.
func normDType(c *ops.Call, t *value.Tensor) dtype.DType {
	have := t.Type().DType
	if have == dtype.Unknown {
		return c.DType("dtype", dtype.Unknown).Real()
	}
	if !have.IsFloat() && !have.IsComplex() {
		class := "NotImplementedError"
		if c.Torch1() {
			class = "RuntimeError"
		}
		c.Errorf(class, diag.DTypeMismatch, "%s() needs a float or complex tensor, but got %s", c.Short(), t)
		return dtype.Unknown
	}
	want := c.DType("dtype", have)
	switch {
	case want == dtype.Unknown:
	case !want.IsFloat() && !want.IsComplex():
		c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() needs dtype to be a float or complex dtype, but got %s", c.Short(), want)
	case want.IsComplex() != have.IsComplex():
		c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): dtype %s does not fit %s", c.Short(), want, t)
	case dtype.Promote(have, want) != want:
		c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): dtype %s is narrower than that of %s", c.Short(), want, t)
	}
	return want.Real()
}

// normOfVectors is linalg.vector_norm with the given order. dim takes any number of axes, where
// none means all. A complex order is refused, and an order without a value for empty vectors where
// an axis has size 0 (orderOfEmpty).
func normOfVectors(c *ops.Call, t *value.Tensor, ord value.Value) value.Value {
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	d := normDType(c, t)
	if !c.OK() {
		return nil
	}
	if _, isComplex := ord.(value.Complex); isComplex {
		return c.Errorf("RuntimeError", diag.BadValue, "%s() needs a real order", c.Short())
	}
	dims := c.Ints("dim")
	axes := normAxes(c, dims, len(s))
	// fewAxes refuses tensors of more than 64 dimensions, for whose axes PyTorch's bit set has no room.
	if !c.OK() || len(dims) > 0 && !fewAxes(c, len(s)) || !orderOfEmpty(c, ord, t, s, axes) {
		return nil
	}
	return c.Out(d, reducedShape(c, s, axes, c.Bool("keepdim")))
}

// normSince2 is torch.norm since 2.0: the norms of torch.linalg. p is a number, 'fro', 'nuc' or
// None, and a Frobenius norm of one axis or of all is the 2-norm of vectors. torch.norm in Python
// (torch/functional.py) makes these cases in this order.
func normSince2(c *ops.Call, t *value.Tensor) value.Value {
	p := value.Plain(c.Value("p"))
	name, named := value.AsStr(p)
	switch {
	case ops.IsSequence(p):
		return c.Errorf("TypeError", diag.TypeMismatch, "norm(): p must be a number or a name, not %s", ops.TypeName(p))
	case name == "fro" && !c.Has("dim") || p == value.None:
		return normOfVectors(c, t, value.Int(2))
	case !named:
		return normOfVectors(c, t, p)
	}
	dims := c.Ints("dim")
	if name == "fro" && (len(dims) == 1 || len(dims) == 0) {
		return normOfVectors(c, t, value.Int(2))
	}
	// Without dim the nuclear norm is that of the last two axes.
	if name == "nuc" && !c.Has("dim") {
		dims = []symshape.Dim{c.Const(-2), c.Const(-1)}
	}
	return matrixNorm(c, t, p, dims)
}

// orderOfEmpty refuses orders that have no value for an empty vector. Inf and negative orders are
// minima and maxima, or divide by zero; other orders give 0 for nothing. Only constant sizes are
// looked at. The result is false after a report.
func orderOfEmpty(c *ops.Call, ord value.Value, t *value.Tensor, s symshape.Shape, axes []int) bool {
	p, known := value.AsFloat(value.Plain(ord))
	if !known || p >= 0 && p != ops.Inf {
		return true
	}
	for _, a := range axes {
		if a < len(s) && ops.IsConst(s[a], 0) {
			c.Errorf("RuntimeError", diag.InvalidSize, "%s(): the norm of order %v of an empty vector is not defined: dimension %d of %s",
				c.Short(), p, a, t)
			return false
		}
	}
	return true
}

// matrixNorm is linalg.matrix_norm with the given order and two axes. The tensor needs two
// dimensions and dims must be two different ones. The orders are 'fro', 'nuc', ±1 (sums of
// columns), ±2 (singular values) and ±inf (sums of rows). Other numbers are refused, while an order
// that is not known passes.
func matrixNorm(c *ops.Call, t *value.Tensor, ord value.Value, dims []symshape.Dim) value.Value {
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) < 2 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
			"%s() of matrices needs at least 2 dimensions, but got %s", c.Short(), t)
	}
	d := normDType(c, t)
	if !c.OK() {
		return nil
	}
	if len(dims) != 2 {
		return c.Errorf("RuntimeError", diag.BadValue, "%s() of matrices needs two dims, but got %d", c.Short(), len(dims))
	}
	axes := normAxes(c, dims, len(s))
	if !c.OK() {
		return nil
	}
	if name, ok := value.AsStr(ord); ok {
		if name != "fro" && name != "nuc" {
			return c.Errorf("RuntimeError", diag.BadValue, "%s() does not know the order '%s'", c.Short(), name)
		}
	} else if p, known := value.AsFloat(value.Plain(ord)); known {
		rows, cols := s[axes[0]], s[axes[1]]
		// Which axis must not be empty depends on the order: it is the one over which the greatest
		// or least is taken.
		var empty bool
		switch p {
		case 1, -1:
			empty = ops.IsConst(cols, 0)
		case ops.Inf, -ops.Inf:
			empty = ops.IsConst(rows, 0)
		case 2, -2:
			empty = ops.IsConst(rows, 0) || ops.IsConst(cols, 0)
		default:
			return c.Errorf("RuntimeError", diag.BadValue, "%s() does not know the order %v of a matrix", c.Short(), p)
		}
		if empty && (p < 0 || c.Torch1()) { // the greatest of none is 0 since 2.0
			return c.Errorf("IndexError", diag.InvalidSize, "%s(): the norm of order %v of an empty matrix is not defined: %s", c.Short(), p, t)
		}
	}
	return c.Out(d, reducedShape(c, s, axes, c.Bool("keepdim")))
}

// linalgNormRule decides between a norm of vectors and one of matrices as at::linalg_norm does: by the number
// of dims where they are given, else by that of the tensor; without an order it is the 2-norm of
// everything. A str as the order always means matrices.
func linalgNormRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	dims := c.Ints("dim")
	if !c.OK() {
		return nil
	}
	ord := c.Value("ord")
	if c.Has("dim") {
		if len(dims) != 1 && len(dims) != 2 {
			return c.Errorf("RuntimeError", diag.BadValue, "norm() needs one or two dims, but got %d", len(dims))
		}
	} else if ord != value.None && len(s) != 1 && len(s) != 2 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "norm() with an order but no dim needs a vector or a matrix, but got %s", t)
	}
	if _, isStr := value.AsStr(ord); isStr {
		if !c.Has("dim") {
			dims = []symshape.Dim{c.Const(0), c.Const(1)}
		}
		return matrixNorm(c, t, ord, dims)
	}
	if ord != value.None && (len(dims) == 2 || !c.Has("dim") && len(s) == 2) {
		if !c.Has("dim") {
			dims = []symshape.Dim{c.Const(0), c.Const(1)}
		}
		return matrixNorm(c, t, ord, dims)
	}
	if ord == value.None {
		ord = value.Int(2)
	}
	return normOfVectors(c, t, ord)
}

// oldNormDType checks the dtype of the norms outside torch.linalg. torch.frobenius_norm and
// torch.nuclear_norm promote nothing and take no dtype. The second result is false after a report.
func oldNormDType(c *ops.Call, t *value.Tensor) (dtype.DType, bool) {
	d := t.Type().DType
	if d != dtype.Unknown && !d.IsFloat() && !d.IsComplex() {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "norm() needs a float or complex tensor, but got %s", t)
		return d, false
	}
	return d.Real(), true
}

// frobenius is torch.norm with p='fro': over up to two dims, or over all of them. given says that
// dim was passed; an empty list means all axes, as no dim does.
func frobenius(c *ops.Call, t *value.Tensor, dims []symshape.Dim, given bool) value.Value {
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	d, ok := oldNormDType(c, t)
	if !ok {
		return nil
	}
	if len(dims) > 2 {
		return c.Errorf("RuntimeError", diag.BadValue, "norm() with p='fro' takes at most 2 dims, but got %d", len(dims))
	}
	axes := normAxes(c, dims, len(s))
	if !c.OK() {
		return nil
	}
	// The overload without dim has no keepdim.
	keep := c.HasParam("keepdim") && c.Bool("keepdim")
	return c.Out(d, reducedShape(c, s, axes, keep))
}

// nuclear is torch.norm with p='nuc', the sum of singular values, which a matrix has and a vector
// does not. Without dim the tensor must be a matrix.
func nuclear(c *ops.Call, t *value.Tensor, dims []symshape.Dim, given bool) value.Value {
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if !given {
		if len(s) != 2 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "norm() with p='nuc' needs a matrix when no dim is given, but got %s", t)
		}
		dims = []symshape.Dim{c.Const(0), c.Const(1)}
	}
	if len(dims) != 2 {
		return c.Errorf("RuntimeError", diag.BadValue, "norm() with p='nuc' takes two dims, but got %d", len(dims))
	}
	axes := normAxes(c, dims, len(s))
	if !c.OK() || !floatMatrix(c, t) {
		return nil
	}
	keep := c.HasParam("keepdim") && c.Bool("keepdim")
	return c.Out(t.Type().DType.Real(), reducedShape(c, s, axes, keep))
}
