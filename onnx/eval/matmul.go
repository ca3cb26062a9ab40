package eval

// This file multiplies matrices.

import (
	"slices"

	"shapecheck/onnx"
)

type number interface{ int64 | float64 }

// A product says which rows and columns matMul multiplies.
type product struct {
	left, right bool // the operand is a vector
	batch       []int64
	m, k, n     int
	x, y        *Tensor // sizes alone, of the batches
}

// productOf checks the sizes of a product of matrices as numpy has it.
func (c *call) productOf(x, y *Tensor) product {
	xd, yd := x.Dims, y.Dims
	if len(xd) == 0 || len(yd) == 0 {
		c.failf("a tensor of no dimensions")
	}
	p := product{left: len(xd) == 1, right: len(yd) == 1}
	if p.left {
		xd = []int64{1, xd[0]}
	}
	if p.right {
		yd = []int64{yd[0], 1}
	}
	k := xd[len(xd)-1]
	if yd[len(yd)-2] != k {
		c.failf("sizes %d and %d do not fit", k, yd[len(yd)-2])
	}
	p.m, p.k, p.n = int(xd[len(xd)-2]), int(k), int(yd[len(yd)-1])
	p.x, p.y = &Tensor{Dims: xd[:len(xd)-2]}, &Tensor{Dims: yd[:len(yd)-2]}
	p.batch = c.broadcast(p.x, p.y)
	return p
}

// make makes the result with all its dimensions.
func (p product) make(c *call, d onnx.DType) *Tensor {
	return c.make(d, slices.Concat(p.batch, []int64{int64(p.m), int64(p.n)}))
}

// result drops the dimensions that a vector does not have.
func (p product) result(t *Tensor) *Tensor {
	dims := slices.Clone(t.Dims)
	if p.right {
		dims = dims[:len(dims)-1]
	}
	if p.left {
		at := len(p.batch)
		dims = slices.Delete(dims, at, at+1)
	}
	return t.with(dims)
}

// multiply computes the products; each is a sum over k in order.
func multiply[T number](c *call, p product, x, y, out []T) {
	c.eachOf(p.batch, []*Tensor{p.x, p.y}, func(b int, at []int) {
		u, v, o := x[at[0]*p.m*p.k:], y[at[1]*p.k*p.n:], out[b*p.m*p.n:]
		for i := range p.m {
			c.tick(p.k*p.n + 1)
			row := o[i*p.n : (i+1)*p.n]
			for l := range p.k {
				f := u[i*p.k+l]
				for j, w := range v[l*p.n : (l+1)*p.n] {
					row[j] += f * w
				}
			}
		}
	})
}

// matMul is the product of matrices.
func matMul(c *call) []Value {
	x, y := c.arg(0), c.arg(1)
	c.same(x, y)
	return []Value{c.matMul(x, y)}
}

// matMul multiplies as numpy.matmul does. Integers are summed in their own type, which wraps
// around.
func (c *call) matMul(x, y *Tensor) *Tensor {
	p := c.productOf(x, y)
	out := p.make(c, x.DType)
	switch {
	case x.F != nil && y.F != nil:
		multiply(c, p, x.F, y.F, out.F)
	case x.I != nil && y.I != nil:
		multiply(c, p, x.I, y.I, out.I)
	default:
		c.failf("elements of type %s", x.DType)
	}
	return p.result(out)
}

// gemm is alpha·A·B + beta·C of matrices that may be transposed.
func gemm(c *call) []Value {
	x, y := c.ranked(0, 2), c.ranked(1, 2)
	c.same(x, y)
	if len(x.Dims) != 2 || len(y.Dims) != 2 {
		c.failf("tensors of %d and %d dimensions", len(x.Dims), len(y.Dims))
	}
	if c.int("transA") != 0 {
		x = c.transposed(x, []int{1, 0})
	}
	if c.int("transB") != 0 {
		y = c.transposed(y, []int{1, 0})
	}
	out := c.matMul(x, y)
	alpha, beta := c.float("alpha"), c.float("beta")
	for i := range out.Len() {
		out.scale(i, alpha)
	}
	z := c.opt(2)
	if z == nil {
		return []Value{out}
	}
	c.same(x, z)
	c.sized("the sum", &Tensor{Dims: c.broadcast(out, z)}, out.Dims...)
	c.eachOf(out.Dims, []*Tensor{z}, func(i int, at []int) {
		if out.F != nil {
			out.F[i] += beta * z.F[at[0]]
		} else {
			out.I[i] += toInt(onnx.Int64, beta*float64(z.I[at[0]]))
		}
	})
	return []Value{out}
}

// scale multiplies an element.
func (t *Tensor) scale(i int, f float64) {
	switch {
	case f == 1:
	case t.F != nil:
		t.F[i] *= f
	default:
		t.I[i] = toInt(onnx.Int64, f*float64(t.I[i]))
	}
}

// matMulInteger subtracts zero points first: of the rows of the first and the columns of
// the second matrix.
func matMulInteger(c *call) []Value {
	x, y := c.arg(0), c.arg(1)
	return []Value{c.integerProduct(x, y, c.opt(2), c.opt(3), onnx.Int32)}
}

func (c *call) integerProduct(x, y, zx, zy *Tensor, d onnx.DType) *Tensor {
	p := c.productOf(x, y)
	out := p.make(c, d)
	multiply(c, p, c.centred(x, zx, len(x.Dims)-2), c.centred(y, zy, len(y.Dims)-1), out.I)
	return p.result(out)
}

// centred are integers without their zero point, which is one number, one for each place
// of a dimension, or one for each row or column of each matrix.
func (c *call) centred(x, zero *Tensor, axis int) []int64 {
	if x.I == nil {
		c.failf("elements of type %s", x.DType)
	}
	if zero == nil {
		return x.I
	}
	c.same(x, zero)
	if zero.Len() != 1 && len(zero.Dims) == 1 {
		dims := slices.Repeat([]int64{1}, len(x.Dims))
		if axis < 0 {
			c.failf("a zero point for each row of a vector")
		}
		dims[axis] = int64(zero.Len())
		zero = zero.with(dims)
	} else if zero.Len() == 1 {
		zero = zero.with([]int64{})
	}
	out := make([]int64, x.Len())
	c.sized("the difference", &Tensor{Dims: c.broadcast(x, zero)}, x.Dims...)
	c.eachOf(x.Dims, []*Tensor{zero}, func(i int, at []int) { out[i] = x.I[i] - zero.I[at[0]] })
	return out
}

// det is the determinant of each matrix, by elimination with the largest pivot.
func det(c *call) []Value {
	x := c.floatArg(0)
	r := len(x.Dims)
	if r < 2 || x.Dims[r-1] != x.Dims[r-2] {
		c.failf("matrices of the sizes %v", x.Dims)
	}
	n := int(x.Dims[r-1])
	out := c.make(x.DType, x.Dims[:r-2])
	for b := range out.F {
		c.tick(n*n*n + 1)
		a := slices.Clone(x.F[b*n*n : (b+1)*n*n])
		d := 1.0
		for k := range n {
			p := k
			for i := k + 1; i < n; i++ {
				if abs(a[i*n+k]) > abs(a[p*n+k]) {
					p = i
				}
			}
			if a[p*n+k] == 0 {
				d = 0
				break
			}
			if p != k {
				d = -d
				for j := range n {
					a[p*n+j], a[k*n+j] = a[k*n+j], a[p*n+j]
				}
			}
			d *= a[k*n+k]
			for i := k + 1; i < n; i++ {
				f := a[i*n+k] / a[k*n+k]
				for j := k; j < n; j++ {
					a[i*n+j] -= f * a[k*n+j]
				}
			}
		}
		out.F[b] = d
	}
	return []Value{out}
}

func abs(x float64) float64 { return max(x, -x) }
