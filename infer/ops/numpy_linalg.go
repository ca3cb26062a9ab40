package ops

// This file holds numpy's products and linear algebra.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var arrayLinalgOps = [...]Op{
	array("matmul", "(any x1, any x2, any out=None, *, any casting='same_kind', any order='K', any dtype=None)", matmulArrays, "matrix product; leading axes broadcast"),
	array("__matmul__", dunderPair, matmulArrays, "matrix product"),
	array("__rmatmul__", dunderPair, func(c *Call) value.Value { return c.product("x2", "x1") }, "matrix product with the operands exchanged"),
	array("+dot", "(any a, any b, any out=None)", dotArrays, "product over the last axis and the last but one"),
	array("inner", "(any a, any b)", innerArrays, "product over the last axes"),
	array("vdot", "(any a, any b)", func(c *Call) value.Value {
		ts := c.pair("a", "b")
		if ts == nil {
			return nil
		}
		for i, t := range ts {
			ts[i] = c.torchTensor("torch.flatten", []value.Value{t})
		}
		return c.torch("torch.matmul", ts)
	}, "product of all elements"),
	array("outer", "(any a, any b, any out=None)", func(c *Call) value.Value {
		ts := c.pair("a", "b")
		if ts == nil {
			return nil
		}
		for i, t := range ts {
			ts[i] = c.torchTensor("torch.flatten", []value.Value{t})
		}
		return c.torch("torch.outer", ts)
	}, "all products of two vectors"),
	array("tensordot", "(any a, any b, any axes=2)", tensordotArrays, "product over given axes"),
	array("kron", "(any a, any b)", func(c *Call) value.Value { return c.torch("torch.kron", c.pair("a", "b")) }, "Kronecker product"),
	array("cross", "(any a, any b, any axisa=-1, any axisb=-1, any axisc=-1, any axis=None)", func(c *Call) value.Value {
		ts := c.pair("a", "b")
		if ts == nil {
			return nil
		}
		s := c.Shape(ts[0].(*value.Tensor))
		if !c.OK() || len(s) == 0 || !IsConst(s[len(s)-1], 3) {
			return c.Lose("the cross product of vectors that are not of three dimensions")
		}
		return c.pointwise(ts[0].(*value.Tensor).Type().DType, nil, ts...)
	}, "cross product"),
	array("einsum", "(*operands, **kwargs)", einsumArrays, "sums of products by Einstein's convention"),
	array("linalg.inv", "(any a, *args, **kwargs)", linalgRule("torch.linalg.inv"), "inverse"),
	array("linalg.pinv", "(any a, *args, **kwargs)", linalgRule("torch.linalg.pinv"), "pseudo-inverse"),
	array("linalg.det", "(any a)", linalgRule("torch.linalg.det"), "determinant"),
	array("linalg.cholesky", "(any a, *, any upper=False)", linalgRule("torch.linalg.cholesky"), "Cholesky factor"),
	array("linalg.eigh", "(any a, any UPLO='L')", linalgRule("torch.linalg.eigh"), "eigenvalues and vectors of symmetric matrices"),
	array("linalg.eigvalsh", "(any a, any UPLO='L')", linalgRule("torch.linalg.eigvalsh"), "eigenvalues of symmetric matrices"),
	array("linalg.svd", "(any a, any full_matrices=True, any compute_uv=True, any hermitian=False)", svdArray, "singular value decomposition"),
	array("linalg.qr", "(any a, any mode='reduced')", func(c *Call) value.Value {
		t := c.floats("a")
		if t == nil {
			return nil
		}
		return c.torch("torch.linalg.qr", []value.Value{t, c.Value("mode")})
	}, "QR decomposition"),
	array("linalg.solve", "(any a, any b)", func(c *Call) value.Value {
		a, b := c.floats("a"), c.floats("b")
		if a == nil || b == nil {
			return nil
		}
		d := dtype.Numpy(a.Type().DType, b.Type().DType)
		return c.torch("torch.linalg.solve", []value.Value{c.astype(a, d), c.astype(b, d)})
	}, "solution of linear equations"),
	array("linalg.eig", "(any a)", func(c *Call) value.Value {
		t, w := c.eigenvalues()
		if t == nil {
			return nil
		}
		return value.NewTuple(w, c.Out(dtype.Unknown, t.Type().Shape))
	}, "eigenvalues and vectors; complex when data make them so"),
	array("linalg.eigvals", "(any a)", func(c *Call) value.Value {
		t, w := c.eigenvalues()
		if t == nil {
			return nil
		}
		return w
	}, "eigenvalues; complex when data make them so"),
	arrayGet("linalg.matrix_rank", "(any a, any tol=None, any hermitian=False, *, any rtol=None)", func(c *Call, t *value.Tensor) value.Value {
		return c.Th.DataInt("rank", 0, t.V)
	}, "the rank of a matrix"),
	array("linalg.norm", "(any x, any ord=None, any axis=None, any keepdims=False)", func(c *Call) value.Value {
		t := c.floats("x")
		if t == nil {
			return nil
		}
		s := c.Shape(t)
		if !c.OK() {
			return nil
		}
		axes, _ := c.arrayAxes(len(s))
		keep := c.keepdims()
		if !c.OK() {
			return nil
		}
		return c.Out(t.Type().DType.Real(), reduceShape(c, s, axes, keep))
	}, "norm of vectors or matrices"),
	array("linalg.lstsq", "(any a, any b, any rcond=None)", func(c *Call) value.Value { return c.Lose("the result of lstsq is not modelled") }, "least squares"),
	array("cov corrcoef", "(any m, any y=None, any rowvar=True, any bias=False, any ddof=None, any fweights=None, any aweights=None, *, any dtype=None)", func(c *Call) value.Value {
		t := c.arrayArg("m")
		if t == nil {
			return nil
		}
		s := c.Shape(t)
		if !c.OK() || c.Has("y") || len(s) > 2 {
			return c.Lose("the covariance of two arrays")
		}
		d := c.arrayDType(dtype.Numpy(t.Type().DType, dtype.F64))
		if len(s) < 2 {
			return c.Out(d, symshape.Shape{})
		}
		n := s[0]
		if c.Value("rowvar") == value.Value(value.Bool(false)) {
			n = s[1]
		}
		return c.Out(d, symshape.Shape{n, n})
	}, "covariance or correlation of rows"),
	array("convolve", "(any a, any v, any mode='full')", convolveArrays, "convolution of vectors"),
	array("correlate", "(any a, any v, any mode='valid')", convolveArrays, "correlation of vectors"),
	array("interp", "(any x, any xp, any fp, any left=None, any right=None, any period=None)", func(c *Call) value.Value {
		t := c.arrayArg("x")
		if t == nil {
			return nil
		}
		return c.Like(t, dtype.F64)
	}, "linear interpolation"),
	array("polyval", "(any p, any x)", func(c *Call) value.Value {
		p, x := c.arrayArg("p"), c.arrayArg("x")
		if p == nil || x == nil {
			return nil
		}
		return c.Like(x, c.lib.Promote(c, p, x))
	}, "value of a polynomial"),
}

// pair reads two arrays and converts them to one dtype.
func (c *Call) pair(a, b string) []value.Value {
	x, y := c.arrayArg(a), c.arrayArg(b)
	if x == nil || y == nil {
		return nil
	}
	d := dtype.Unknown
	if x.Type().DType != d && y.Type().DType != d {
		d = dtype.Numpy(x.Type().DType, y.Type().DType)
	}
	x, y = c.astype(x, d), c.astype(y, d)
	if x == nil || y == nil {
		return nil
	}
	return []value.Value{x, y}
}

// floats reads an array and makes floats of integers, as linear algebra does.
func (c *Call) floats(name string) *value.Tensor {
	t := c.arrayArg(name)
	if t == nil {
		return nil
	}
	return c.astype(t, quotient(c, t.Type().DType))
}

// eigenvalues reads square matrices and makes the tensor of their eigenvalues: real or
// complex, as data decide.
func (c *Call) eigenvalues() (t, w *value.Tensor) {
	t = c.floats("a")
	if t == nil {
		return nil, nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil, nil
	}
	if len(s) < 2 {
		c.Errorf("ValueError", diag.RankMismatch, "%s() needs matrices, not %s", c.short(), t)
		return nil, nil
	}
	if _, ok := c.Same(s[len(s)-1], s[len(s)-2]); !ok {
		c.Errorf("ValueError", diag.ShapeMismatch, "%s() needs square matrices, not %s", c.short(), t)
		return nil, nil
	}
	return t, c.Out(dtype.Unknown, s[:len(s)-1])
}

func matmulArrays(c *Call) value.Value { return c.product("x1", "x2") }

// product is the matrix product of two arguments.
func (c *Call) product(left, right string) value.Value {
	ts := c.pair(left, right)
	if ts == nil {
		return nil
	}
	for i, t := range ts {
		if len(c.Shape(t.(*value.Tensor))) == 0 && c.OK() {
			return c.Errorf("ValueError", diag.RankMismatch, "matmul: operand %d has no dimensions: use *", i)
		}
	}
	v := c.torch("torch.matmul", ts)
	if t, ok := v.(*value.Tensor); ok && c.HasParam("out") && c.Has("out") {
		return c.writeArray(c.Value("out"), t)
	}
	return v
}

// overAxes multiplies a and b over one axis of each.
func (c *Call) overAxes(ts []value.Value, i, j int) value.Value {
	a, b := ts[0].(*value.Tensor), ts[1].(*value.Tensor)
	s, r := c.Shape(a), c.Shape(b)
	if _, ok := c.Same(s[i], r[j]); !ok {
		c.Blame(Ref{a, i}, Ref{b, j})
		return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): size %s at dimension %d of %s and size %s at dimension %d of %s do not match", c.short(), s[i], i, a, r[j], j, b)
	}
	return c.Out(a.Type().DType, append(Without(s, i), Without(r, j)...))
}

func dotArrays(c *Call) value.Value {
	ts := c.pair("a", "b")
	if ts == nil {
		return nil
	}
	n, m := len(c.Shape(ts[0].(*value.Tensor))), len(c.Shape(ts[1].(*value.Tensor)))
	switch {
	case !c.OK():
		return nil
	case n == 0 || m == 0:
		return ufMul.apply(c, ts...)
	case n <= 2 && m <= 2:
		return c.torch("torch.matmul", ts)
	}
	return c.overAxes(ts, n-1, max(0, m-2))
}

func innerArrays(c *Call) value.Value {
	ts := c.pair("a", "b")
	if ts == nil {
		return nil
	}
	n, m := len(c.Shape(ts[0].(*value.Tensor))), len(c.Shape(ts[1].(*value.Tensor)))
	switch {
	case !c.OK():
		return nil
	case n == 0 || m == 0:
		return ufMul.apply(c, ts...)
	}
	return c.overAxes(ts, n-1, m-1)
}

func tensordotArrays(c *Call) value.Value {
	ts := c.pair("a", "b")
	if ts == nil {
		return nil
	}
	axes := plainArgs(c.Value("axes"))
	if t, ok := axes.(*value.Tuple); ok { // an int stands for one axis
		list := make([]value.Value, len(t.Elems))
		for i, e := range t.Elems {
			if _, isInt := value.AsDim(c.P, e); isInt {
				e = value.NewTuple(e)
			}
			list[i] = e
		}
		axes = value.NewTuple(list...)
	}
	return c.torch("torch.tensordot", ts, value.Kw{Name: "dims", Value: axes})
}

func einsumArrays(c *Call) value.Value {
	args := c.rest()
	if len(args) < 2 {
		return c.Errorf("ValueError", diag.BadCall, "einsum() needs an equation and operands")
	}
	if _, ok := value.AsStr(args[0]); !ok {
		return c.Lose("einsum with lists of subscripts")
	}
	ts := c.oneDType(value.NewTuple(args[1:]...))
	if ts == nil {
		return nil
	}
	return c.torch("torch.einsum", append([]value.Value{args[0]}, ts...))
}

// linalgRule makes a rule of PyTorch's for matrices of floats.
func linalgRule(torch string) func(*Call) value.Value {
	return func(c *Call) value.Value {
		t := c.floats("a")
		if t == nil {
			return nil
		}
		return c.torch(torch, []value.Value{t})
	}
}

func svdArray(c *Call) value.Value {
	t := c.floats("a")
	if t == nil {
		return nil
	}
	if c.Value("compute_uv") == value.Value(value.Bool(false)) {
		return c.torch("torch.linalg.svdvals", []value.Value{t})
	}
	return c.torch("torch.linalg.svd", []value.Value{t}, value.Kw{Name: "full_matrices", Value: c.Value("full_matrices")})
}

func convolveArrays(c *Call) value.Value {
	ts := c.pair("a", "v")
	if ts == nil {
		return nil
	}
	a, v := c.Shape(ts[0].(*value.Tensor)), c.Shape(ts[1].(*value.Tensor))
	if !c.OK() {
		return nil
	}
	if len(a) > 1 || len(v) > 1 {
		return c.Errorf("ValueError", diag.RankMismatch, "%s() needs vectors, not %s and %s", c.short(), ts[0], ts[1])
	}
	n, m := c.Numel(a), c.Numel(v)
	for i, x := range [...]symshape.Dim{n, m} {
		if !c.AtLeast(x, 1) {
			return c.Errorf("ValueError", diag.InvalidSize, "%s(): argument %d is empty", c.short(), i)
		}
	}
	if !c.Has("mode") {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s(): mode must be 'full', 'same' or 'valid', not None", c.short())
	}
	mode := c.Str("mode")
	if !c.OK() {
		return nil
	}
	d := ts[0].(*value.Tensor).Type().DType
	one := c.Const(1)
	switch mode {
	case "full":
		return c.Out(d, symshape.Shape{c.P.DimSub(c.P.DimAdd(n, m), one)})
	case "same":
		return c.Out(d, symshape.Shape{c.P.DimMax(n, m)})
	case "valid":
		return c.Out(d, symshape.Shape{c.P.DimAdd(c.P.DimSub(c.P.DimMax(n, m), c.P.DimMin(n, m)), one)})
	}
	return c.Errorf("ValueError", diag.BadValue, "%s(): mode must be 'full', 'same' or 'valid', not '%s'", c.short(), mode)
}
