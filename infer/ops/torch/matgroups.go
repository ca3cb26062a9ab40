package torch

// This file holds products of groups of rows, with which mixtures of experts run all
// experts in one call. The number of rows of each group is data, in offs, so that the sizes of
// single groups are not known: only that the operands fit as a whole, and how many groups there
// are, which is the size of offs.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

const groupedSig = "(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None)"

// The first record is the operator of ATen, which releases before the public function have.
var groupedOps = [...]ops.Op{
	{Names: []string{"torch._grouped_mm"}, Sig: groupedSig, Rule: groupedMM,
		Form: graph.Product, Quirks: ops.OneDevice, Doc: "products of groups of rows or columns, which end at offs, with a matrix each"},
	{Names: []string{"torch.nn.functional.grouped_mm"},
		Sig: "(Tensor mat_a, Tensor mat_b, *, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None)", Rule: groupedMM,
		Form: graph.Product, Quirks: ops.OneDevice, Doc: "products of groups of rows or columns, which end at offs, with a matrix each"},
}

// groupedMM types the four forms. What is two-dimensional has its groups side by side along
// an axis, and offs says where each ends: [S,K] and [G,K,N] give [S,N], [G,M,K] and [K,S] give
// [M,S], [M,S] and [S,N] give [G,M,N]. Of two batches the groups are the batch.
func groupedMM(c *ops.Call) value.Value {
	names := [2]string{"self", "mat2"}
	if !c.HasParam("self") {
		names = [2]string{"mat_a", "mat_b"}
	}
	a, b := c.Tensor(names[0]), c.Tensor(names[1])
	s, r := c.Shape(a), c.Shape(b)
	if !c.OK() {
		return nil
	}
	n, m := len(s), len(r)
	if n < 2 || n > 3 || m < 2 || m > 3 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
			"%s() needs operands of 2 or 3 dimensions, but got %s and %s", c.Short(), a, b)
	}
	// The last axis of the first operand is summed over with the last but one of the second.
	if !contract(c, a, n-1, b, m-2) {
		return nil
	}
	// Two batches have the same number of groups.
	if n == 3 && m == 3 && !contract(c, a, 0, b, 0) {
		return nil
	}
	var offs *value.Tensor
	if c.Has("offs") {
		offs = c.Tensor("offs")
	}
	if (offs != nil) != (n == 2 || m == 2) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s() needs offs where an operand has 2 dimensions, and nowhere else", c.Short())
	}
	d := productDType(c, a, b)
	if !c.OK() {
		return nil
	}
	// out_dtype replaces the dtype that the operands give.
	d = c.DType("out_dtype", d)
	var groups symshape.Dim
	if offs != nil {
		o := c.Shape(offs)
		if !c.OK() {
			return nil
		}
		// The ends are cumulative sums of int32.
		if t := offs.Type().DType; len(o) != 1 || t != dtype.I32 && t != dtype.Unknown {
			return c.Errorf("RuntimeError", diag.BadValue, "%s() needs offs of one dimension and int32, but got %s", c.Short(), offs)
		}
		groups = o[0]
		// A batch has a matrix for each end.
		for _, batch := range [...]*value.Tensor{a, b} {
			if batch.Type().Rank() == 3 && !contract(c, batch, 0, offs, 0) {
				return nil
			}
		}
	}
	// The result has the groups side by side where one operand has, and as a batch otherwise.
	switch {
	case n == 2 && m == 2:
		return c.Out(d, symshape.Shape{groups, s[0], r[1]})
	case n == 2:
		return c.Out(d, symshape.Shape{s[0], r[2]})
	case m == 2:
		return c.Out(d, symshape.Shape{s[1], r[1]})
	}
	return c.Out(d, symshape.Shape{s[0], s[1], r[2]})
}
