package infer

// This file says which operations compare sizes with 1 while torch.export or torch.compile runs them, so that a graph is not for a size
// that turns out to be 1. The lists were found by calls with sizes that make one of 1.

import (
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// comparing are operations that are not element-wise and compare the sizes of their results with 1 under torch.compile; sameOrder are
// those that do not, although their results have the sizes of an argument; comparingGiven are those that compare the sizes of their
// arguments, as losses do, which are element-wise before they are reduced.
var (
	comparing      = []string{"logsumexp", "norm", "any", "unsqueeze", "expand", "stack", "einsum", "outer", "glu", "mv", "addmm", "addmv", "addr", "bilinear"}
	sameOrder      = []string{"softmax", "bernoulli", "detach", "add_", "sub_", "mul_", "div_", "gather", "scatter"}
	comparingGiven = []string{"cross_entropy", "binary_cross_entropy", "binary_cross_entropy_with_logits", "kl_div", "cosine_similarity",
		"pairwise_distance", "dot"}
)

// compares reports whether an operation compares the sizes of its result with 1.
func (x *exporting) compares(op *ops.Op, last string, args []value.Value, elementwise bool) bool {
	switch {
	case !x.strict, op.Names[0] == "torch.mean": // a mean divides a sum
		return true
	case !x.guards:
		return elementwise
	case slices.Contains(sameOrder, last):
		return false
	case elementwise:
		return true
	}
	switch last {
	case "__getitem__": // None adds an axis, as unsqueeze does
		return slices.ContainsFunc(args, hasNewAxis)
	case "linear": // adds a bias to a matrix
		t := firstTensor(args)
		return len(args) > 2 && isTensor(args[2]) && t != nil && len(t.Type().Shape) == 2
	case "one_hot": // it asks elements for the number of classes where that is not given
		return len(args) > 1 && args[1] != value.Int(-1)
	case "matmul", "__matmul__", "inner":
		return len(args) > 1 && isVector(args[1])
	}
	return slices.Contains(comparing, last)
}

// comparesGiven notes the sizes of the arguments of an operation that compares them with 1 under torch.compile.
func (x *exporting) comparesGiven(in *Interp, last string, args []value.Value) {
	product := last == "matmul" || last == "__matmul__" || last == "inner"
	if !x.guards || !product && !strings.HasSuffix(last, "_loss") && !slices.Contains(comparingGiven, last) {
		return
	}
	for i, a := range args {
		if t, ok := a.(*value.Tensor); ok && (!product || i == 0 && isVector(a)) {
			x.sizes(in, t, nil, nil, symshape.PosInf, true)
		}
	}
}

// hasNewAxis reports whether an index has None.
func hasNewAxis(v value.Value) bool {
	for x := range value.Walk(v, value.Deep, value.TupleElems) {
		if x == value.None {
			return true
		}
	}
	return false
}

// isVector reports whether a value is a tensor of rank 1.
func isVector(v value.Value) bool {
	t, ok := v.(*value.Tensor)
	return ok && t.Type().Ranked && len(t.Type().Shape) == 1
}
