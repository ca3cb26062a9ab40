package numpy

// This file holds numpy's products and linear algebra.

import (
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

func arrayLinalgOps() []ops.Op {
	return []ops.Op{
		array("matmul", "(any x1, any x2, any out=None, *, any casting='same_kind', any order='K', any dtype=None)", matmulArrays, "matrix product; leading axes broadcast"),
		array("__matmul__", dunderPair, matmulArrays, "matrix product"),
		array("__rmatmul__", dunderPair, func(c *ops.Call) value.Value { return product(c, "x2", "x1") }, "matrix product with the operands exchanged"),
		array("+dot", "(any a, any b, any out=None)", dotArrays, "product over the last axis and the last but one"),
		array("inner", "(any a, any b)", innerArrays, "product over the last axes"),
		array("vdot", "(any a, any b)", func(c *ops.Call) value.Value {
			ts := pair(c, "a", "b")
			if ts == nil {
				return nil
			}
			for i, t := range ts {
				ts[i] = c.DelegateTensor("torch.flatten", []value.Value{t})
			}
			return c.Delegate("torch.matmul", ts)
		}, "product of all elements"),
		array("outer", "(any a, any b, any out=None)", func(c *ops.Call) value.Value {
			ts := pair(c, "a", "b")
			if ts == nil {
				return nil
			}
			for i, t := range ts {
				ts[i] = c.DelegateTensor("torch.flatten", []value.Value{t})
			}
			return c.Delegate("torch.outer", ts)
		}, "all products of two vectors"),
		array("tensordot", "(any a, any b, any axes=2)", tensordotArrays, "product over given axes"),
		array("kron", "(any a, any b)", func(c *ops.Call) value.Value { return c.Delegate("torch.kron", pair(c, "a", "b")) }, "Kronecker product"),
		array("cross", "(any a, any b, any axisa=-1, any axisb=-1, any axisc=-1, any axis=None)", func(c *ops.Call) value.Value {
			ts := pair(c, "a", "b")
			if ts == nil {
				return nil
			}
			s := c.Shape(ts[0].(*value.Tensor))
			if !c.OK() || len(s) == 0 || !ops.IsConst(s[len(s)-1], 3) {
				return c.Lose("the cross product of vectors that are not of three dimensions")
			}
			return c.Pointwise(ts[0].(*value.Tensor).Type().DType, nil, ts...)
		}, "cross product"),
		array("einsum", "(*operands, **kwargs)", einsumArrays, "sums of products by Einstein's convention"),
		array("linalg.inv", "(any a, *args, **kwargs)", linalgRule("torch.linalg.inv"), "inverse"),
		array("linalg.pinv", "(any a, *args, **kwargs)", linalgRule("torch.linalg.pinv"), "pseudo-inverse"),
		array("linalg.det", "(any a)", linalgRule("torch.linalg.det"), "determinant"),
		array("linalg.cholesky", "(any a, *, any upper=False)", linalgRule("torch.linalg.cholesky"), "Cholesky factor"),
		array("linalg.eigh", "(any a, any UPLO='L')", linalgRule("torch.linalg.eigh"), "eigenvalues and vectors of symmetric matrices"),
		array("linalg.eigvalsh", "(any a, any UPLO='L')", linalgRule("torch.linalg.eigvalsh"), "eigenvalues of symmetric matrices"),
		array("linalg.svd", "(any a, any full_matrices=True, any compute_uv=True, any hermitian=False)", svdArray, "singular value decomposition"),
		array("linalg.qr", "(any a, any mode='reduced')", func(c *ops.Call) value.Value {
			t := floats(c, "a")
			if t == nil {
				return nil
			}
			return c.Delegate("torch.linalg.qr", []value.Value{t, c.Value("mode")})
		}, "QR decomposition"),
		array("linalg.solve", "(any a, any b)", func(c *ops.Call) value.Value {
			a, b := floats(c, "a"), floats(c, "b")
			if a == nil || b == nil {
				return nil
			}
			d := dtype.Numpy(a.Type().DType, b.Type().DType)
			return c.Delegate("torch.linalg.solve", []value.Value{astype(c, a, d), astype(c, b, d)})
		}, "solution of linear equations"),
		array("linalg.eig", "(any a)", func(c *ops.Call) value.Value {
			t, w := eigenvalues(c)
			if t == nil {
				return nil
			}
			return value.NewTuple(w, c.Out(dtype.Unknown, t.Type().Shape))
		}, "eigenvalues and vectors; complex when data make them so"),
		array("linalg.eigvals", "(any a)", func(c *ops.Call) value.Value {
			t, w := eigenvalues(c)
			if t == nil {
				return nil
			}
			return w
		}, "eigenvalues; complex when data make them so"),
		arrayGet("linalg.matrix_rank", "(any a, any tol=None, any hermitian=False, *, any rtol=None)", func(c *ops.Call, t *value.Tensor) value.Value {
			return c.Th.DataInt("rank", 0, t.V)
		}, "the rank of a matrix"),
		array("linalg.norm", "(any x, any ord=None, any axis=None, any keepdims=False)", func(c *ops.Call) value.Value {
			t := floats(c, "x")
			if t == nil {
				return nil
			}
			s := c.Shape(t)
			if !c.OK() {
				return nil
			}
			axes, _ := arrayAxes(c, len(s))
			keep := keepdims(c)
			if !c.OK() {
				return nil
			}
			return c.Out(t.Type().DType.Real(), ops.ReduceShape(c, s, axes, keep))
		}, "norm of vectors or matrices"),
		array("linalg.lstsq", "(any a, any b, any rcond=None)", func(c *ops.Call) value.Value { return c.Lose("the result of lstsq is not modelled") }, "least squares"),
		array("cov corrcoef", "(any m, any y=None, any rowvar=True, any bias=False, any ddof=None, any fweights=None, any aweights=None, *, any dtype=None)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "m")
			if t == nil {
				return nil
			}
			s := c.Shape(t)
			if !c.OK() || c.Has("y") || len(s) > 2 {
				return c.Lose("the covariance of two arrays")
			}
			d := arrayDType(c, dtype.Numpy(t.Type().DType, dtype.F64))
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
		array("interp", "(any x, any xp, any fp, any left=None, any right=None, any period=None)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "x")
			if t == nil {
				return nil
			}
			return c.Like(t, dtype.F64)
		}, "linear interpolation"),
		array("polyval", "(any p, any x)", func(c *ops.Call) value.Value {
			p, x := arrayArg(c, "p"), arrayArg(c, "x")
			if p == nil || x == nil {
				return nil
			}
			return c.Like(x, c.Lib.Promote(c, p, x))
		}, "value of a polynomial"),
	}
}

// pair reads two arrays and converts them to one dtype.
func pair(c *ops.Call, a, b string) []value.Value {
	x, y := arrayArg(c, a), arrayArg(c, b)
	if x == nil || y == nil {
		return nil
	}
	d := dtype.Unknown
	if x.Type().DType != d && y.Type().DType != d {
		d = dtype.Numpy(x.Type().DType, y.Type().DType)
	}
	x, y = astype(c, x, d), astype(c, y, d)
	if x == nil || y == nil {
		return nil
	}
	return []value.Value{x, y}
}

// floats reads an array and makes floats of integers, as linear algebra does.
func floats(c *ops.Call, name string) *value.Tensor {
	t := arrayArg(c, name)
	if t == nil {
		return nil
	}
	return astype(c, t, quotient(c, t.Type().DType))
}

// eigenvalues reads square matrices and makes the tensor of their eigenvalues: real or
// complex, as data decide.
func eigenvalues(c *ops.Call) (t, w *value.Tensor) {
	t = floats(c, "a")
	if t == nil {
		return nil, nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil, nil
	}
	if len(s) < 2 {
		c.Errorf("ValueError", diag.RankMismatch, "%s() needs matrices, not %s", c.Short(), t)
		return nil, nil
	}
	if _, ok := c.Same(s[len(s)-1], s[len(s)-2]); !ok {
		c.Errorf("ValueError", diag.ShapeMismatch, "%s() needs square matrices, not %s", c.Short(), t)
		return nil, nil
	}
	return t, c.Out(dtype.Unknown, s[:len(s)-1])
}

func matmulArrays(c *ops.Call) value.Value { return product(c, "x1", "x2") }

// product is the matrix product of two arguments.
func product(c *ops.Call, left, right string) value.Value {
	ts := pair(c, left, right)
	if ts == nil {
		return nil
	}
	for i, t := range ts {
		if len(c.Shape(t.(*value.Tensor))) == 0 && c.OK() {
			return c.Errorf("ValueError", diag.RankMismatch, "matmul: operand %d has no dimensions: use *", i)
		}
	}
	v := c.Delegate("torch.matmul", ts)
	if t, ok := v.(*value.Tensor); ok && c.HasParam("out") && c.Has("out") {
		return writeArray(c, c.Value("out"), t)
	}
	return v
}

// overAxes multiplies a and b over one axis of each.
func overAxes(c *ops.Call, ts []value.Value, i, j int) value.Value {
	a, b := ts[0].(*value.Tensor), ts[1].(*value.Tensor)
	s, r := c.Shape(a), c.Shape(b)
	if _, ok := c.Same(s[i], r[j]); !ok {
		c.Blame(ops.Ref{Tensor: a, Axis: i}, ops.Ref{Tensor: b, Axis: j})
		return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): size %s at dimension %d of %s and size %s at dimension %d of %s do not match", c.Short(), s[i], i, a, r[j], j, b)
	}
	return c.Out(a.Type().DType, append(ops.Without(s, i), ops.Without(r, j)...))
}

func dotArrays(c *ops.Call) value.Value {
	ts := pair(c, "a", "b")
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
		return c.Delegate("torch.matmul", ts)
	}
	return overAxes(c, ts, n-1, max(0, m-2))
}

func innerArrays(c *ops.Call) value.Value {
	ts := pair(c, "a", "b")
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
	return overAxes(c, ts, n-1, m-1)
}

func tensordotArrays(c *ops.Call) value.Value {
	ts := pair(c, "a", "b")
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
	return c.Delegate("torch.tensordot", ts, value.Kw{Name: "dims", Value: axes})
}

func einsumArrays(c *ops.Call) value.Value {
	args := c.Rest()
	if len(args) < 2 {
		return c.Errorf("ValueError", diag.BadCall, "einsum() needs an equation and operands")
	}
	if _, ok := value.AsStr(args[0]); !ok {
		return c.Lose("einsum with lists of subscripts")
	}
	ts := OneDType(c, value.NewTuple(args[1:]...))
	if ts == nil {
		return nil
	}
	return c.Delegate("torch.einsum", append([]value.Value{args[0]}, ts...))
}

// linalgRule makes a rule of PyTorch's for matrices of floats.
func linalgRule(torch string) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := floats(c, "a")
		if t == nil {
			return nil
		}
		return c.Delegate(torch, []value.Value{t})
	}
}

func svdArray(c *ops.Call) value.Value {
	t := floats(c, "a")
	if t == nil {
		return nil
	}
	if c.Value("compute_uv") == value.Value(value.Bool(false)) {
		return c.Delegate("torch.linalg.svdvals", []value.Value{t})
	}
	return c.Delegate("torch.linalg.svd", []value.Value{t}, value.Kw{Name: "full_matrices", Value: c.Value("full_matrices")})
}

func convolveArrays(c *ops.Call) value.Value {
	ts := pair(c, "a", "v")
	if ts == nil {
		return nil
	}
	a, v := c.Shape(ts[0].(*value.Tensor)), c.Shape(ts[1].(*value.Tensor))
	if !c.OK() {
		return nil
	}
	if len(a) > 1 || len(v) > 1 {
		return c.Errorf("ValueError", diag.RankMismatch, "%s() needs vectors, not %s and %s", c.Short(), ts[0], ts[1])
	}
	n, m := c.Numel(a), c.Numel(v)
	for i, x := range [...]symshape.Dim{n, m} {
		if !c.AtLeast(x, 1) {
			return c.Errorf("ValueError", diag.InvalidSize, "%s(): argument %d is empty", c.Short(), i)
		}
	}
	if !c.Has("mode") {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s(): mode must be 'full', 'same' or 'valid', not None", c.Short())
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
	return c.Errorf("ValueError", diag.BadValue, "%s(): mode must be 'full', 'same' or 'valid', not '%s'", c.Short(), mode)
}
