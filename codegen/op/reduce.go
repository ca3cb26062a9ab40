package op

// This file lists the operators that fold axes, and those that normalise along them.

import (
	"shapecheck/codegen/ir"
	"shapecheck/symshape"
)

const folds = ir.Pure | ir.Reduction

// ofInput counts one operation for each element of the first operand.
func ofInput(p *symshape.Pool, n *ir.Node) *symshape.Expr { return size(p, n.Ins[0]) }

// perElement counts k operations for each element of the first result.
func perElement(k int64) func(*symshape.Pool, *ir.Node) *symshape.Expr {
	return func(p *symshape.Pool, n *ir.Node) *symshape.Expr {
		s := size(p, n.Outs[0])
		if s == nil {
			return nil
		}
		return p.Mul(p.Const(k), s)
	}
}

var reduceOps = []row{
	{name: "ArgMax", traits: folds, flops: ofInput},
	{name: "ArgMin", traits: folds, flops: ofInput},
	{name: "ReduceL1", traits: folds, sizes: []int{1}, unranked: true, flops: ofInput},
	{name: "ReduceL2", traits: folds, sizes: []int{1}, unranked: true, flops: ofInput},
	{name: "ReduceLogSum", traits: folds, sizes: []int{1}, unranked: true, flops: ofInput},
	{name: "ReduceLogSumExp", traits: folds, sizes: []int{1}, unranked: true, flops: ofInput},
	{name: "ReduceMax", traits: folds, sizes: []int{1}, unranked: true, flops: ofInput},
	{name: "ReduceMean", traits: folds, sizes: []int{1}, unranked: true, flops: ofInput},
	{name: "ReduceMin", traits: folds, sizes: []int{1}, unranked: true, flops: ofInput},
	{name: "ReduceProd", traits: folds, sizes: []int{1}, unranked: true, flops: ofInput},
	{name: "ReduceSum", traits: folds, sizes: []int{1}, unranked: true, flops: ofInput},
	{name: "ReduceSumSquare", traits: folds, sizes: []int{1}, unranked: true, flops: ofInput},

	{name: "CumProd", traits: pure, sizes: []int{1}},
	{name: "CumSum", traits: pure, sizes: []int{1}},
	{name: "Hardmax", traits: pure, perElement: 2},
	{name: "LogSoftmax", traits: pure, perElement: 5},
	{name: "LpNormalization", traits: pure, perElement: 3},
	{name: "Softmax", traits: pure, perElement: 4},

	{name: "BatchNormalization", traits: pure, perElement: 4},
	{name: "GroupNormalization", traits: pure, perElement: 6},
	{name: "InstanceNormalization", traits: pure, perElement: 6},
	{name: "LayerNormalization", traits: pure, perElement: 6},
	{name: "LRN", traits: pure, perElement: 6},
	{name: "MeanVarianceNormalization", traits: pure, perElement: 6},
	{name: "RMSNormalization", traits: pure, perElement: 5},

	{name: "AveragePool", traits: folds, flops: pooled},
	{name: "GlobalAveragePool", traits: folds, flops: ofInput},
	{name: "GlobalLpPool", traits: folds, flops: ofInput},
	{name: "GlobalMaxPool", traits: folds, flops: ofInput},
	{name: "LpPool", traits: folds, flops: pooled},
	{name: "MaxPool", traits: folds, flops: pooled},
	{name: "MaxRoiPool", traits: pure},
	{name: "MaxUnpool", traits: pure, sizes: []int{2}},
	{name: "RoiAlign", traits: pure},

	{name: "NegativeLogLikelihoodLoss", traits: pure, flops: ofInput},
	{name: "SoftmaxCrossEntropyLoss", traits: pure, flops: ofInput},
}

// pooled counts one operation for each element of each window.
func pooled(p *symshape.Pool, n *ir.Node) *symshape.Expr {
	window := int64(1)
	for _, k := range n.Attr.Ints("kernel_shape") {
		window *= k
	}
	return perElement(window)(p, n)
}
