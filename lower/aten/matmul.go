package aten

// This file lowers products of matrices and vectors and what is made of them.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

var matmulRecords = []Record{
	{Op: "torch.addmm", Lower: addProduct("mat1", "mat2", (*Emitter).matMul)},
	{Op: "torch.baddbmm", Lower: addProduct("batch1", "batch2", (*Emitter).matMul)},
	{Op: "torch.addbmm", Lower: addProduct("batch1", "batch2", func(e *Emitter, x, y V) V {
		return e.Reduce("ReduceSum", e.matMul(x, y), false, 0)
	})},
	{Op: "torch.addmv", Lower: addProduct("mat", "vec", (*Emitter).matMul)},
	{Op: "torch.addr", Lower: addProduct("vec1", "vec2", (*Emitter).outer)},
	{Op: "torch.mv", Lower: product((*Emitter).matMul)},
	{Op: "torch.Tensor.__rmatmul__", Lower: product(swapped((*Emitter).matMul))},
	{Op: "torch.frombuffer", None: "the buffer is no tensor of the model"},
	{Op: "torch.spmm torch.sparse.mm", Lower: product((*Emitter).matMul)}, // what makes an operand sparse is refused
	{Op: "torch.nn.functional.grouped_mm torch._grouped_mm", None: "which rows a matrix multiplies is data"},
	{Op: "torch.sparse.addmm", None: "its first operand is sparse"},
	{Op: "torch.sparse_coo_tensor torch.sparse_csr_tensor torch.sparse_csc_tensor torch.Tensor.to_sparse torch.Tensor.to_sparse_csr " +
		"torch.Tensor.to_dense torch.Tensor.coalesce", None: "ONNX's operators take no sparse tensors"},
	{Op: "torch.dot torch.vdot", Lower: product(func(e *Emitter, x, y V) V { return e.Reduce("ReduceSum", e.mul(x, y), false, 0) })},
	{Op: "torch.outer", Lower: product((*Emitter).outer)},
	{Op: "torch.inner", Lower: inner},
	{Op: "torch.tensordot", Lower: tensordot},
	{Op: "torch.kron", Lower: kron},
	{Op: "torch.linalg.multi_dot torch.chain_matmul", Lower: multiDot},
	{Op: "torch.cross torch.linalg.cross", Lower: cross},
	{Op: "torch.linalg.vecdot", Lower: func(c *Call) {
		axis := c.Axis("dim", c.OutRank(0)+1)
		product(func(e *Emitter, x, y V) V { return e.Reduce("ReduceSum", e.mul(x, y), false, axis) })(c)
	}},
	{Op: "torch.trace", Lower: func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		x := e.Cast(c.Tensor("self"), workType(out))
		c.Return(e.Cast(e.Reduce("ReduceSum", e.either(e.diagonalOf(x), x, e.Scalar(x.DType, 0)), false, 0, 1), out))
	}},
	{Op: "torch.linalg.matrix_power", Lower: matrixPower},
	{Op: "torch.nn.functional.bilinear", Lower: bilinear},
}

// product computes f of the two operands in the result's element type.
func product(f func(e *Emitter, x, y V) V) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		d := workType(out)
		if out == onnx.Bool {
			d = onnx.Int32
		}
		x, y := c.Operand(c.Node.Args[0].Name, d), c.Operand(c.Node.Args[1].Name, d)
		c.Return(c.emit.Cast(c.summed(f(c.emit, x, y), d), out))
	}
}

// addProduct is beta·self + alpha·f(x, y). With beta 0 self does not count, not
// even its NaNs.
func addProduct(x, y string, f func(e *Emitter, x, y V) V) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		d := workType(out)
		if out == onnx.Bool { // a sum that is not zero
			d = onnx.Int32
		}
		v := f(e, c.Operand(x, d), c.Operand(y, d))
		if !isOne(c.Arg("alpha")) {
			v = e.mul(v, c.Number("alpha", d))
		}
		self := c.Operand("self", d)
		switch beta := c.Arg("beta"); {
		case beta == graph.Int(0) || beta == graph.Float(0.0) || beta == graph.Bool(false):
			c.Return(e.Cast(c.expandTo(v, c.Type("self").Shape), out))
			return
		case !isOne(beta):
			self = e.mul(self, c.Number("beta", d))
		}
		c.Return(e.Cast(e.add(self, c.summed(v, d)), out))
	}
}

// summed is a product of sizes that are known to be 0: zeros, which not every
// runtime makes.
func (c *Call) summed(v V, d onnx.DType) V {
	for _, a := range c.Node.Args {
		if x, ok := a.Value.(*graph.Value); ok && emptyShape(&x.Type) {
			return c.emit.filled(c.ShapeTensor(c.OutType(0).Shape), d, 0)
		}
	}
	return v
}

// expandTo gives a product the result's shape, should the summand that is left out
// be larger.
func (c *Call) expandTo(v V, summand symshape.Shape) V {
	if len(summand) < c.OutRank(0) {
		return v
	}
	return c.emit.Op("Expand", In(v, c.ShapeTensor(c.OutType(0).Shape)))
}

// outer is the product of each element of x with each of y.
func (e *Emitter) outer(x, y V) V { return e.mul(e.Unsqueeze(x, 1), e.Unsqueeze(y, 0)) }

// inner contracts the last dimensions; a number multiplies.
func inner(c *Call) {
	rx, ry := c.Rank("self"), c.Rank("other")
	if rx == 0 || ry == 0 {
		product((*Emitter).mul)(c)
		return
	}
	product(func(_ *Emitter, x, y V) V {
		return c.contract(x, y, rx, ry, []int64{int64(rx - 1)}, []int64{int64(ry - 1)})
	})(c)
}

// contract sums the products over pairs of axes. Both operands become matrices,
// the contracted dimensions last in x and first in y.
func (c *Call) contract(x, y V, rx, ry int, ax, ay []int64) V {
	e := c.emit
	free := func(rank int, axes []int64) []int64 {
		var rest []int64
		for i := range int64(rank) {
			if !contains(axes, i) {
				rest = append(rest, i)
			}
		}
		return rest
	}
	fx, fy := free(rx, ax), free(ry, ay)
	x = e.Op("Flatten", In(e.permute(x, append(fx, ax...))), onnx.IntAttr("axis", int64(len(fx))))
	y = e.Op("Flatten", In(e.permute(y, append(append([]int64{}, ay...), fy...))), onnx.IntAttr("axis", int64(len(ay))))
	return c.Reshape(e.matMul(x, y), nil, c.OutType(0).Shape)
}

func contains(list []int64, x int64) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// tensordot contracts the last dims dimensions of a with the first of b, or the
// listed ones. A size of 1 is broadcast: the other side is summed first.
func tensordot(c *Call) {
	rx, ry := c.Rank("a"), c.Rank("b")
	var ax, ay []int64
	if n, ok := ConstInt(c.Arg("dims")); ok {
		for i := range n {
			ax, ay = append(ax, int64(rx)-n+i), append(ay, i)
		}
	} else {
		items := c.Items("dims")
		if len(items) != 2 {
			failf("dims must be known when the model is exported")
		}
		lists := [2][]int64{}
		for i, o := range items {
			for _, e := range operandList(o) {
				n, ok := ConstInt(e)
				if !ok {
					failf("dims must be known when the model is exported")
				}
				lists[i] = append(lists[i], wrap(n, [2]int{rx, ry}[i]))
			}
		}
		ax, ay = lists[0], lists[1]
	}
	product(func(e *Emitter, x, y V) V {
		for i := range ax {
			nx, okx := c.Type("a").Shape[ax[i]].Const()
			ny, oky := c.Type("b").Shape[ay[i]].Const()
			switch {
			case okx && nx == 1 && !(oky && ny == 1):
				y = e.Reduce("ReduceSum", y, true, ay[i])
			case oky && ny == 1 && !(okx && nx == 1):
				x = e.Reduce("ReduceSum", x, true, ax[i])
			}
		}
		return c.contract(x, y, rx, ry, ax, ay)
	})(c)
}

// kron multiplies each element of self with the whole of other: the dimensions of
// the two take turns and are then joined in pairs.
func kron(c *Call) {
	product(func(e *Emitter, x, y V) V {
		rx, ry := c.Rank("self"), c.Rank("other")
		rank := max(rx, ry)
		if rank == 0 {
			return e.mul(x, y)
		}
		var one, two []int64
		for i := range int64(2 * rank) {
			if i%2 == 1 || i < int64(2*(rank-rx)) {
				one = append(one, i)
			}
			if i%2 == 0 || i < int64(2*(rank-ry)) {
				two = append(two, i)
			}
		}
		return c.Reshape(e.mul(e.Unsqueeze(x, one...), e.Unsqueeze(y, two...)), nil, c.OutType(0).Shape)
	})(c)
}

// multiDot multiplies from the left: the result does not depend on the order.
func multiDot(c *Call) {
	e := c.emit
	name := c.Node.Args[0].Name
	list := c.List(name)
	if len(list) == 0 {
		failf("there is no matrix")
	}
	out := c.OutDType(0)
	v := e.Cast(list[0], workType(out))
	for _, x := range list[1:] {
		v = e.matMul(v, e.Cast(x, v.DType))
	}
	c.Return(e.Cast(v, out))
}

// cross is the vector product along a dimension of size 3, without dim the first
// such.
func cross(c *Call) {
	rank := c.Rank("self")
	axis := int64(-1)
	if c.Has("dim") {
		axis = c.Axis("dim", rank)
	} else {
		for i, d := range c.Type("self").Shape {
			if n, ok := d.Const(); ok && n == 3 {
				axis = int64(i)
				break
			} else if !ok {
				failf("which dimension has the size 3 must be known when the model is exported")
			}
		}
	}
	turn := func(x V, order ...int64) V {
		return c.emit.Op("Gather", In(x, c.emit.I64(order...)), onnx.IntAttr("axis", axis))
	}
	product(func(e *Emitter, x, y V) V {
		return e.sub(e.mul(turn(x, 1, 2, 0), turn(y, 2, 0, 1)), e.mul(turn(x, 2, 0, 1), turn(y, 1, 2, 0)))
	})(c)
}

// diagonalOf says which elements of the matrices x are on the diagonal.
func (e *Emitter) diagonalOf(x V) V {
	ones := e.likeOf(V{x.Name, onnx.Int64}, 1)
	upper := e.Op("Trilu", In(ones), onnx.IntAttr("upper", 1))
	return e.Cast(e.Op("Trilu", In(upper), onnx.IntAttr("upper", 0)), onnx.Bool)
}

// matrixPower squares as often as the exponent has bits.
func matrixPower(c *Call) {
	e := c.emit
	x, n := c.first(), c.Int("n")
	if n < 0 {
		failf("ONNX has no inverse of matrices")
	}
	if n == 0 {
		c.Return(e.Cast(e.diagonalOf(x), x.DType))
		return
	}
	var v V
	for ; n > 0; n >>= 1 {
		switch {
		case n&1 == 0:
		case v.Name == "":
			v = x
		default:
			v = e.matMul(v, x)
		}
		if n > 1 {
			x = e.matMul(x, x)
		}
	}
	c.Return(v)
}

// bilinear is x1·W[k]·x2 for each k: x1 is multiplied with the matrices W[k] laid
// side by side.
func bilinear(c *Call) {
	e := c.emit
	d := workType(c.OutDType(0))
	rank := int64(c.Rank("input1"))
	x, w := c.Operand("input1", d), c.Operand("weight", d)
	side := e.Op("Flatten", In(e.Transpose(w, 1, 0, 2)), onnx.IntAttr("axis", 1))
	batch := e.Op("Shape", In(x), onnx.IntAttr("end", -1))
	v := e.ReshapeTo(e.matMul(x, side), e.Concat(0, batch, c.SizeOf("weight", 0), c.SizeOf("weight", 2)))
	v = e.Reduce("ReduceSum", e.mul(v, e.Unsqueeze(c.Operand("input2", d), rank-1)), false, rank)
	if c.Has("bias") {
		v = e.add(v, c.Operand("bias", d))
	}
	c.Return(e.Cast(v, c.OutDType(0)))
}

// infinite reports whether an order of a norm is one of the infinities.
func infinite(p float64) bool { return math.IsInf(p, 0) }
