package torch

// This file holds functions of masks and diagonals: masked_fill and its
// relatives, tril, triu, diag, and a few that pick or sum by shape. Masks are bool tensors that
// broadcast with the tensor; where their elements are known the results are exact.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var maskedOps = [...]ops.Op{
	{Names: []string{"torch.masked_fill", "torch.Tensor.masked_fill"},
		Sig:     "(Tensor self, Tensor mask, Scalar value) | (Tensor self, Tensor mask, Tensor value)",
		InPlace: true, Repeats: true, Rule: maskedFillRule,
		Quirks: ops.OneDevice, Numbers: []ops.Converted{{Param: "value"}}, Doc: "fills the elements where the mask, broadcast, is true"},
	{Names: []string{"torch._unsafe_masked_index"}, Sig: "(Tensor self, Tensor mask, any indices, Scalar fill)", Rule: maskedIndexRule,
		Doc: "self[indices] where the mask is true, with indices that lie outside cut off"},
	{Names: []string{"torch._unsafe_masked_index_put_accumulate"}, Sig: "(Tensor self, Tensor mask, any indices, Tensor values)",
		Rule: maskedIndexPutRule,
		Doc:  "adds values to self[indices] where the mask is true"},
	{Names: []string{"torch.masked_select", "torch.Tensor.masked_select"}, Sig: "(Tensor self, Tensor mask)", Out: true, ExactOut: true,
		Rule:   maskedSelectRule,
		Quirks: ops.OneDevice, Variant: maskChecked,
		Trace: ops.AsksElements | ops.EndsGraph | ops.SizesByElements,
		Doc:   "the elements where the mask is true, as a vector whose size data decide"},
	{Names: []string{"torch.masked_scatter", "torch.Tensor.masked_scatter"}, Sig: "(Tensor self, Tensor mask, Tensor source)", InPlace: true,
		Rule: maskedScatterRule,
		Doc:  "writes the elements of source, in order, where the mask is true"},
	{Names: []string{"torch.tril", "torch.Tensor.tril", "torch.triu", "torch.Tensor.triu"}, Sig: "(Tensor self, int diagonal=0)",
		InPlace: true, Repeats: true, Out: true, ExactOut: true, Rule: triangleRule,
		Doc: "zeroes the elements on one side of a diagonal"},
	{Names: []string{"torch.diag", "torch.Tensor.diag"}, Sig: "(Tensor self, int diagonal=0)", Out: true, ExactOut: true, Rule: diagRule,
		Doc: "a matrix with a vector as its diagonal, or the diagonal of a matrix"},
	{Names: []string{"torch.diag_embed", "torch.Tensor.diag_embed"}, Sig: "(Tensor self, int offset=0, int dim1=-2, int dim2=-1)",
		Rule: diagEmbedRule,
		Doc:  "the last dimension as diagonals of matrices"},
	{Names: []string{"torch.diagflat", "torch.Tensor.diagflat"}, Sig: "(Tensor self, int offset=0)", Rule: diagflatRule,
		Doc: "a matrix with all elements as its diagonal"},
	{Names: []string{"torch.Tensor.fill_diagonal_"}, Sig: "(Tensor self, Scalar fill_value, bool wrap=False)", Rule: fillDiagonalRule,
		Repeats: true, Numbers: []ops.Converted{{Param: "fill_value"}}, Doc: "fills the main diagonal"},
	{Names: []string{"torch.renorm", "torch.Tensor.renorm"}, Sig: "(Tensor self, Scalar p, int dim, Scalar maxnorm)", InPlace: true,
		Out: true, ExactOut: true, Rule: renormRule,
		Doc: "scales slices down to a norm"},
	{Names: []string{"torch.Tensor.sum_to_size"}, Sig: "(Tensor self, int[]* size)", Rule: sumToSizeRule,
		Form: graph.SumTo, Is: graph.View, Doc: "sums over the dimensions that broadcasting from size would repeat"},
	{Names: []string{"torch.combinations"}, Sig: "(Tensor self, int r=2, bool with_replacement=False)", Rule: combinationsRule,
		Doc: "all choices of r elements of a vector"},
}

// maskChecked: the dtype of the mask is checked in PyTorch 1, too.
const maskChecked ops.Variant = "mask checked"

// maskDType checks the dtype of a mask. Before torch 2.0 the functions that write
// through a mask took any, as long as its elements were 0 and 1. False after a report.
func maskDType(c *ops.Call, mask *value.Tensor) bool {
	if !c.Torch1() {
		return indexDType(c, mask, "a mask", dtype.Bool)
	}
	if (atLeastTorch2(c) || c.Is(maskChecked)) && !indexDType(c, mask, "a mask", dtype.Bool, dtype.U8) || atLeastTorch2(c) {
		return c.OK()
	}
	for _, e := range mask.Contents() {
		if n, ok := e.(value.Int); ok && n != 0 && n != 1 {
			c.Errorf("RuntimeError", diag.BadValue, "%s() needs a mask of zeros and ones, but %s holds %d", c.Short(), mask, int64(n))
			return false
		}
	}
	return true
}

// maskedFillRule: tensor and mask broadcast to each other in the function; the form in place keeps the tensor's
// shape, which c.Out sees to. The value must be a number or a tensor without dimensions.
func maskedFillRule(c *ops.Call) value.Value {
	t, mask := c.Tensor("self"), c.Tensor("mask")
	c.Shape(t)
	c.Shape(mask)
	if !c.OK() {
		return nil
	}
	// The value is a number, or a tensor without dimensions.
	if !c.Empty(t) && !maskDType(c, mask) || !fillValue(c, t) {
		return nil
	}
	shape := c.BroadcastTensors(t, mask)
	if !c.OK() {
		return nil
	}
	return c.Out(t.Type().DType, shape)
}

// indexedShape is the shape of self[indices] for tensors of indices. nil after a report. None in
// place of a tensor keeps the axis.
func indexedShape(c *ops.Call, s symshape.Shape) symshape.Shape {
	elems, ok := c.Elems("indices")
	if !ok || !c.OK() {
		return nil
	}
	adv := make([]*indexTensor, 0, len(elems))
	for _, e := range elems {
		t, isTensor := e.(*value.Tensor)
		if !isTensor {
			adv = append(adv, nil)
			continue
		}
		if shape := c.Shape(t); c.OK() && indexDType(c, t, "indices", dtype.I64, dtype.I32) {
			adv = append(adv, &indexTensor{shape: shape})
		}
	}
	if !c.OK() {
		return nil
	}
	if g := resolveIndices(c, s, adv); g != nil {
		return g.shape
	}
	return nil
}

// maskedIndexRule is that of torch._unsafe_masked_index: the part that the indices select, and the mask,
// broadcast. It reads nothing where the mask is false, so that indices out of range are no fault.
func maskedIndexRule(c *ops.Call) value.Value {
	t, mask := c.Tensor("self"), c.Tensor("mask")
	s, ms := c.Shape(t), c.Shape(mask)
	if !c.OK() {
		return nil
	}
	if isEmpty(s) {
		return c.Out(t.Type().DType, ms)
	}
	part := indexedShape(c, s)
	if !c.OK() {
		return nil
	}
	out, axis, ok := c.Broadcast(part, ms)
	if !ok {
		return c.Shapef("%s(): the mask %s does not fit the indexed part, %s, at dimension %d", c.Short(), mask, part, -axis)
	}
	return c.Out(t.Type().DType, out)
}

// The values and the mask broadcast to the part; the result has the shape of self.
func maskedIndexPutRule(c *ops.Call) value.Value {
	t, mask, v := c.Tensor("self"), c.Tensor("mask"), c.Tensor("values")
	s, ms, vs := c.Shape(t), c.Shape(mask), c.Shape(v)
	if !c.OK() {
		return nil
	}
	if isEmpty(s) {
		return c.Out(t.Type().DType, s)
	}
	part := indexedShape(c, s)
	if !c.OK() || !sameDTypes(c, t, v, "values") {
		return nil
	}
	filled, axis, ok := c.Broadcast(vs, ms)
	if !ok {
		return c.Shapef("%s(): the mask %s does not fit the values %s at dimension %d", c.Short(), mask, v, -axis)
	}
	if !c.BroadcastsTo(filled, part) {
		return c.Shapef("%s(): values of shape %s do not fit the indexed part, %s", c.Short(), filled, part)
	}
	return c.Out(t.Type().DType, s)
}

// maskedSelectRule gives a vector of the elements where the mask is true: a size that only data decides. Where
// the mask's elements are known they are counted; where tensor and mask broadcast, each true element of the
// mask stands for several of the result. Otherwise the size is a symbol that stands for the number of true
// elements of that mask, so that two selections by one mask agree. The dtype is that of the tensor.
func maskedSelectRule(c *ops.Call) value.Value {
	t, mask := c.Tensor("self"), c.Tensor("mask")
	if !c.OK() || !maskDType(c, mask) {
		return nil
	}
	shape := c.BroadcastTensors(t, mask)
	if !c.OK() {
		return nil
	}
	n := symshape.Dim{}
	if k, ok := trueCount(c, mask); ok {
		if times, exact := times(c, shape, mask.Type().Shape); exact {
			n = c.P.DimMul(c.Const(k), times)
		}
	}
	if n.Unknown() && isEmpty(shape) {
		n = c.Const(0)
	}
	if n.Unknown() {
		times, _ := times(c, shape, mask.Type().Shape)
		n = c.P.DimMul(trues(c, mask.V), times)
	}
	return c.Out(t.Type().DType, symshape.Shape{n})
}

// trueCount counts the true elements of a mask with known contents. The second result is false
// where an element is not known.
func trueCount(c *ops.Call, mask *value.Tensor) (int64, bool) {
	e := mask.Contents()
	if e == nil {
		return 0, false
	}
	n := int64(0)
	for _, v := range e {
		k, ok := value.AsInt(v)
		if _, sym := v.(*value.SymInt); !ok || sym {
			return 0, false
		}
		if k != 0 {
			n++
		}
	}
	return n, true
}

// times is how often a shape is repeated when it is broadcast to another. The second result is
// false where that is no expression.
func times(c *ops.Call, to, from symshape.Shape) (symshape.Dim, bool) {
	n := c.Const(1)
	for i := range to {
		j := i - (len(to) - len(from))
		if j < 0 || ops.IsConst(from[j], 1) {
			n = c.P.DimMul(n, to[i])
		}
	}
	return n, n.Expr != nil
}

// maskedScatterRule: the elements of source go, one after the other, where the mask is true, so it needs at
// least as many as there are; more are ignored. That is compared only where the mask's elements are known.
func maskedScatterRule(c *ops.Call) value.Value {
	t, mask, src := c.Tensor("self"), c.Tensor("mask"), c.Tensor("source")
	c.Shape(src)
	if !c.OK() || !sameDTypes(c, t, src, "a source") || !maskDType(c, mask) {
		return nil
	}
	shape := c.BroadcastTensors(t, mask)
	if !c.OK() {
		return nil
	}
	if k, ok := trueCount(c, mask); ok {
		if times, exact := times(c, shape, mask.Type().Shape); exact && !requireLE(c, c.P.DimMul(c.Const(k), times), c.Numel(src.Type().Shape)) {
			return c.Shapef("%s(): the mask has %d true elements, more than the source %s has elements", c.Short(), k, src)
		}
	}
	return c.Out(t.Type().DType, shape)
}

// triangleRule is that of triu and tril: matrices or batches of them. The diagonal may lie outside of the
// matrix. The shape stays.
func triangleRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) < 2 && !(len(s) == 1 && isEmpty(s) && c.Torch1()) {
		return c.FixingRank().Errorf("IndexError", diag.RankMismatch, "%s() needs at least 2 dimensions, but got %s", c.Short(), t)
	}
	c.Dim("diagonal")
	return c.Out(t.Type().DType, s)
}

// diagRule: a vector becomes a square matrix with it on the diagonal, a matrix gives its diagonal. Each step
// away from the main diagonal makes the square one larger, or the diagonal shorter. diagonalSize is
// the length of a diagonal, at least 0.
func diagRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	k := c.Dim("diagonal")
	if !c.OK() {
		return nil
	}
	switch len(s) {
	case 1:
		n := c.P.DimAdd(s[0], c.P.DimAbs(k))
		return c.Out(t.Type().DType, symshape.Shape{n, n})
	case 2:
		if v, ok := ops.DimVal(k); ok && c.Torch1() { // an offset of the size itself still gives an empty diagonal
			rows, r := ops.DimVal(s[0])
			cols, q := ops.DimVal(s[1])
			if v < 0 && r && -v > rows || v > 0 && q && v > cols {
				return c.Errorf("RuntimeError", diag.InvalidSize, "diag(): diagonal %d is outside %s", v, t)
			}
		}
		return c.Out(t.Type().DType, symshape.Shape{diagonalSize(c, s[0], s[1], k)})
	}
	return c.Errorf("RuntimeError", diag.RankMismatch, "diag() needs a vector or a matrix, but got %s", t)
}

// diagEmbedRule: the last axis becomes the diagonal of two new ones, which dim1 and dim2 place in the result's
// shape; the order of the two only transposes. The rank grows by one.
func diagEmbedRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	k := c.Dim("offset")
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		return c.Errorf("IndexError", diag.RankMismatch, "diag_embed() needs at least one dimension, but got %s", t)
	}
	a, b, ok := diagonalAxes(c, len(s)+1)
	if !ok {
		return nil
	}
	n := c.P.DimAdd(s[len(s)-1], c.P.DimAbs(k))
	shape := append(symshape.Shape(nil), s[:len(s)-1]...)
	shape = ops.Insert(shape, min(a, b), n)
	return c.Out(t.Type().DType, ops.Insert(shape, max(a, b), n))
}

// diagflatRule is diag of the flattened tensor. The size is Numel + |offset|.
func diagflatRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	k := c.Dim("offset")
	if !c.OK() {
		return nil
	}
	n := c.P.DimAdd(c.Numel(s), c.P.DimAbs(k))
	return c.Out(t.Type().DType, symshape.Shape{n, n})
}

// fillDiagonalRule: more than two dimensions must be of one size. The tensor is written to. Two
// dimensions may differ, since wrap= is for tall matrices.
func fillDiagonalRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) < 2 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch, "fill_diagonal_() needs at least 2 dimensions, but got %s", t)
	}
	for i := 1; i < len(s) && len(s) > 2; i++ {
		if _, ok := c.Same(s[0], s[i]); !ok {
			return c.Shapef("fill_diagonal_() needs dimensions of one size, but got %s", t)
		}
	}
	return c.Out(t.Type().DType, s)
}

// renormRule keeps the shape: each slice along dim is scaled down to a norm of maxnorm. PyTorch checks p and
// maxnorm before it computes, and both must be real. The rank must be at least 2, and integers are
// refused.
func renormRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) < 2 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch, "renorm() needs at least 2 dimensions, but got %s", t)
	}
	axis := c.Axis("dim", len(s))
	if !c.OK() {
		return nil
	}
	if d := t.Type().DType; d != dtype.Unknown && !d.IsFloat() && !d.IsComplex() {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "renorm() needs a float or complex tensor, but got %s", t)
	}
	if !fewAxes(c, len(s)) {
		return nil
	}
	p, known := value.AsFloat(c.Value("p"))
	if _, isComplex := c.Value("p").(value.Complex); isComplex || known && !(p > 0) {
		return c.Errorf("RuntimeError", diag.BadValue, "renorm() needs a positive real p")
	}
	m, mKnown := value.AsFloat(c.Value("maxnorm"))
	if _, isComplex := c.Value("maxnorm").(value.Complex); isComplex || mKnown && !(m >= 0) {
		return c.Errorf("RuntimeError", diag.BadValue, "renorm() needs a maxnorm that is not negative")
	}
	if known && p == ops.Inf && !isEmpty(s[axis:axis+1]) && isEmpty(ops.Without(s, axis)) {
		return c.Errorf("RuntimeError", diag.InvalidSize, "renorm(): the inf norm of an empty slice of %s is not defined", t)
	}
	return c.Out(t.Type().DType, s)
}

// sumToSizeRule undoes a broadcast: size must be a shape that could be expanded to the tensor's. Where it is
// the shape already, the tensor itself comes back; else integers become int64 if anything is summed.
func sumToSizeRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	want := symshape.Shape(c.Ints("size"))
	if !c.OK() {
		return nil
	}
	if !c.BroadcastsTo(want, s) {
		return c.Shapef("sum_to_size(): a tensor of shape %s cannot be expanded to %s", want, s)
	}
	// A view, as PyTorch returns self.
	if len(s) > 0 && ops.SameShape(want, s) { // the tensor itself
		return aliasOf(c, t)
	}
	d := t.Type().DType
	if sums := len(want) == 0 || len(want) < len(s); d.IsIntegralOrBool() {
		for i := range want {
			sums = sums || len(want) == len(s) && ops.IsConst(want[i], 1) && !ops.IsConst(s[i], 1)
		}
		if sums { // a sum of ints is i64
			d = dtype.I64
		}
	}
	return c.Out(d, want)
}

// combinationsRule: n over r rows of r elements, with replacement n+r-1 over r. The binomial is computed by
// alternating products and exact divisions, which keeps it an integer at each step, with symbols
// too. r may be at most 16 here; an r of 0 gives an empty vector.
func combinationsRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	r := c.Int("r")
	again := c.Bool("with_replacement")
	if !c.OK() {
		return nil
	}
	if len(s) != 1 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "combinations() needs a vector, but got %s", t)
	}
	if r < 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "combinations() needs a number that is not negative, but got %d", r)
	}
	if r == 0 {
		return c.Out(t.Type().DType, symshape.Shape{c.Const(0)})
	}
	if r > 16 {
		return c.Lose("r is too large")
	}
	n := s[0]
	if again {
		n = c.P.DimAdd(n, c.Const(int64(r-1)))
	}
	count := c.Const(1) // n·(n-1)·…·(n-r+1) // r!, which is 0 for n < r
	for i := range r {
		count = c.P.DimFloorDiv(c.P.DimMul(count, c.P.DimMax(c.P.DimSub(n, c.Const(int64(i))), c.Const(0))), c.Const(int64(i+1)))
	}
	return c.Out(t.Type().DType, symshape.Shape{count, c.Const(int64(r))})
}
