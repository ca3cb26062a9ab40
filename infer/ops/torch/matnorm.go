package torch

// This file holds norms of vectors and matrices other than torch.norm, which is
// a reduction (reduce.go).

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

// normAxes counts axes from 0; no axes mean all.
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
	if len(dims) == 0 {
		return identity(rank)
	}
	return axes
}

// reducedShape drops axes, or makes them 1.
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

// normDType checks the dtypes of a norm of torch.linalg and gives the result's.
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

// normOfVectors is linalg.vector_norm with the given order.
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
	if !c.OK() || len(dims) > 0 && !fewAxes(c, len(s)) || !orderOfEmpty(c, ord, t, s, axes) {
		return nil
	}
	return c.Out(d, reducedShape(c, s, axes, c.Bool("keepdim")))
}

// normSince2 is torch.norm since 2.0: the norms of torch.linalg.
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
	if name == "nuc" && !c.Has("dim") {
		dims = []symshape.Dim{c.Const(-2), c.Const(-1)}
	}
	return matrixNorm(c, t, p, dims)
}

// orderOfEmpty refuses orders that have no value for an empty vector.
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

// matrixNorm is linalg.matrix_norm with the given order and two axes.
func matrixNorm(c *ops.Call, t *value.Tensor, ord value.Value, dims []symshape.Dim) value.Value {
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) < 2 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s() of matrices needs at least 2 dimensions, but got %s", c.Short(), t)
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
// of dims where they are given, else by that of the tensor; without an order it is the 2-norm of everything.
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

// oldNormDType checks the dtype of the norms outside torch.linalg.
func oldNormDType(c *ops.Call, t *value.Tensor) (dtype.DType, bool) {
	d := t.Type().DType
	if d != dtype.Unknown && !d.IsFloat() && !d.IsComplex() {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "norm() needs a float or complex tensor, but got %s", t)
		return d, false
	}
	return d.Real(), true
}

// frobenius is torch.norm with p='fro': over up to two dims, or over all of them.
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
	keep := c.HasParam("keepdim") && c.Bool("keepdim")
	return c.Out(d, reducedShape(c, s, axes, keep))
}

// nuclear is torch.norm with p='nuc', the sum of singular values, which a matrix has and a vector does not.
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
