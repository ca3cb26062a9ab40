package op

// This file lists the operators that are sums of products, and counts their work.

import (
	"shapecheck/codegen/ir"
	"shapecheck/symshape"
)

const product = ir.Pure | ir.Contraction

var productOps = []row{
	{name: "Attention", traits: product, flops: attention},
	{name: "CausalConvWithState", traits: product},
	{name: "Conv", traits: product, flops: conv},
	{name: "ConvInteger", traits: product, flops: conv},
	{name: "ConvTranspose", traits: product, flops: convTranspose},
	{name: "DeformConv", traits: product, flops: conv},
	{name: "Det", traits: pure},
	{name: "DFT", traits: product, sizes: []int{1, 2}},
	{name: "Einsum", traits: product},
	{name: "GRU", traits: product, flops: recurrent},
	{name: "Gemm", traits: product, flops: gemm},
	{name: "LSTM", traits: product, flops: recurrent},
	{name: "LinearAttention", traits: product},
	{name: "MatMul", traits: product, flops: matMul},
	{name: "MatMulInteger", traits: product, flops: matMul},
	{name: "QLinearConv", traits: product, flops: func(p *symshape.Pool,
		n *ir.Node) *symshape.Expr {
		return convWith(p, n.Outs[0], n.Ins[3])
	}},
	{name: "QLinearMatMul", traits: product, flops: func(p *symshape.Pool,
		n *ir.Node) *symshape.Expr {
		return matMulOf(p, n.Ins[0], n.Outs[0])
	}},
	{name: "RNN", traits: product, flops: recurrent},
	{name: "RotaryEmbedding", traits: pure, perElement: 6},
	{name: "STFT", traits: product, sizes: []int{1, 3}},
	{name: "SwiGLU", traits: pure, perElement: 6},
}

// twice is 2 times a product of sizes: a multiplication and an addition each.
func twice(p *symshape.Pool, xs ...*symshape.Expr) *symshape.Expr {
	for _, x := range xs {
		if x == nil {
			return nil
		}
	}
	return p.Mul(p.Const(2), p.Product(xs...))
}

// matMul counts the products of stacks of matrices: each element of the result is a sum
// over the last axis of the first operand.
func matMul(p *symshape.Pool, n *ir.Node) *symshape.Expr { return matMulOf(p, n.Ins[0], n.Outs[0]) }

func matMulOf(p *symshape.Pool, a, y *ir.Value) *symshape.Expr {
	if !a.Type.Ranked || len(a.Type.Dims) == 0 {
		return nil
	}
	return twice(p, size(p, y), a.Type.Dims[len(a.Type.Dims)-1])
}

func gemm(p *symshape.Pool, n *ir.Node) *symshape.Expr {
	a := n.Ins[0]
	if !a.Type.Ranked || len(a.Type.Dims) != 2 {
		return nil
	}
	k := a.Type.Dims[1]
	if n.Attr.Bool("transA") {
		k = a.Type.Dims[0]
	}
	return twice(p, size(p, n.Outs[0]), k)
}

// conv counts one product for each element of the result and each weight of its channel.
func conv(p *symshape.Pool, n *ir.Node) *symshape.Expr { return convWith(p, n.Outs[0], n.Ins[1]) }

func convWith(p *symshape.Pool, y, w *ir.Value) *symshape.Expr {
	if !w.Type.Ranked || len(w.Type.Dims) < 2 {
		return nil
	}
	return twice(p, append([]*symshape.Expr{size(p, y)}, w.Type.Dims[1:]...)...)
}

// convTranspose counts one product for each element of the operand and each weight of its
// channel.
func convTranspose(p *symshape.Pool, n *ir.Node) *symshape.Expr {
	return convWith(p, n.Ins[0], n.Ins[1])
}

// attention counts both products of queries with keys and of weights with values.
func attention(p *symshape.Pool, n *ir.Node) *symshape.Expr {
	q, k := n.Ins[0], n.Ins[1]
	if !q.Type.Ranked || !k.Type.Ranked || len(q.Type.Dims) != 4 || len(k.Type.Dims) != 4 {
		return nil
	}
	return p.Mul(p.Const(2), twice(p, size(p, q), k.Type.Dims[2]))
}

// recurrent counts the products of a recurrent layer: each step multiplies the input and
// the state with their weights.
func recurrent(p *symshape.Pool, n *ir.Node) *symshape.Expr {
	x, w, r := n.Ins[0], n.Ins[1], n.Ins[2]
	if !x.Type.Ranked || len(x.Type.Dims) != 3 {
		return nil
	}
	a, b := twice(p, x.Type.Dims[0], x.Type.Dims[1], size(p, w)), twice(p, x.Type.Dims[0], x.Type.Dims[1], size(p, r))
	if a == nil || b == nil {
		return nil
	}
	return p.Add(a, b)
}
