package torch

// This file holds functions that repeat and reorder elements: repeat, tile,
// repeat_interleave, roll, flip and rot90. The dtype always stays. Repeats multiply sizes by
// counts, so the size is an expression as long as the count is; rolls and flips keep the shape and
// only check their axes.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var repeatOps = [...]ops.Op{
	{Names: []string{"torch.Tensor.repeat"}, Sig: "(Tensor self, int[]* repeats)", Rule: repeatRule,
		Is: graph.KeepsElements, Doc: "copies of the tensor along each dimension"},
	{Names: []string{"torch.tile"}, Sig: "(Tensor self, int[] dims)", Rule: tileRule, Is: graph.KeepsElements,
		Doc: "repeat that pads missing counts with 1"},
	{Names: []string{"torch.Tensor.tile"}, Sig: "(Tensor self, int[]* dims)", Rule: tileRule,
		Is: graph.KeepsElements, Doc: "repeat that pads missing counts with 1"},
	{Names: []string{"torch.repeat_interleave"},
		Sig:  "(Tensor repeats, *, int? output_size=None) | (Tensor self, int repeats, int? dim=None, *, int? output_size=None) | (Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None)",
		Rule: repeatInterleaveRule, Trace: ops.ComparesRepeats, Doc: "repeats each element"},
	{Names: []string{"torch.Tensor.repeat_interleave"},
		Sig:  "(Tensor self, int repeats, int? dim=None, *, int? output_size=None) | (Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None)",
		Rule: repeatInterleaveRule, Trace: ops.ComparesRepeats, Doc: "repeats each element"},
	{Names: []string{"torch.roll", "torch.Tensor.roll"}, Sig: "(Tensor self, int[1] shifts, int[1]? dims=[])", Rule: rollRule,
		Trace: ops.KeepsNumbers, Doc: "shifts elements around"},
	{Names: []string{"torch.flip"}, Sig: "(Tensor self, int[] dims)", Rule: flipRule, Doc: "reverses dimensions"},
	{Names: []string{"torch.Tensor.flip"}, Sig: "(Tensor self, int[]* dims)", Rule: flipRule, Doc: "reverses dimensions"},
	{Names: []string{"torch.fliplr", "torch.Tensor.fliplr"}, Sig: "(Tensor self)", Rule: flipAxisRule(1),
		Doc: "reverses the second dimension"},
	{Names: []string{"torch.flipud", "torch.Tensor.flipud"}, Sig: "(Tensor self)", Rule: flipAxisRule(0), Doc: "reverses the first dimension"},
	{Names: []string{"torch.rot90", "torch.Tensor.rot90"}, Sig: "(Tensor self, int k=1, int[] dims=[0,1])", Rule: rot90Rule,
		Form: graph.Rearrange, Doc: "rotates in a plane by k quarter turns"},
}

// repeatRule: a count for each axis, and more counts than axes add axes in front; fewer are refused, unlike by
// tile. counts are numbers or sizes.
func repeatRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	counts := c.Ints("repeats")
	if !c.OK() {
		return nil
	}
	if len(counts) < len(s) {
		return c.Errorf("RuntimeError", diag.RankMismatch, "repeat() needs a count for each of the %s of %s, but got %d",
			ops.CountWord(len(s), "dimension"), t,
			len(counts))
	}
	return repeated(c, t, s, counts)
}

// tileRule is NumPy's tile: missing counts are ones in front. Fewer dimensions than counts get ones
// in front as well, by repeated.
func tileRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	counts := c.Ints("dims")
	if !c.OK() {
		return nil
	}
	return repeated(c, t, s, withOnes(c, counts, len(s)))
}

// withOnes puts as many ones in front of sizes as make them n. n may be less than the number of
// sizes, and then nothing is put.
func withOnes(c *ops.Call, sizes []symshape.Dim, n int) symshape.Shape {
	out := make(symshape.Shape, 0, max(n, len(sizes)))
	for range n - len(sizes) {
		out = append(out, c.Const(1))
	}
	return append(out, sizes...)
}

// repeated multiplies sizes by counts. Small tensors of which the elements are known keep them, since programs
// build index tensors in that way. A count must not be negative, which is a condition where it
// depends on sizes; it is not asked of an axis without elements.
func repeated(c *ops.Call, t *value.Tensor, s symshape.Shape, counts []symshape.Dim) value.Value {
	padded := withOnes(c, s, len(counts))
	shape := make(symshape.Shape, len(counts))
	for i, n := range counts {
		if n.Expr != nil && !ops.IsConst(padded[i], 0) && !require(c, c.P.Ge(n.Expr, c.P.Const(0))) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "%s(): count %s is negative", c.Short(), n)
		}
		shape[i] = c.P.DimMul(padded[i], n)
	}
	out := c.Out(t.Type().DType, shape)
	in, ok1 := ops.ConstShape(padded)
	sizes, ok2 := ops.ConstShape(shape)
	if e := t.Contents(); e != nil && ok1 && ok2 && ops.Product(in) == len(e) && ops.Product(sizes) <= value.MaxElems {
		strides := ops.RowMajorInts(in)
		elems := make([]value.Value, 0, ops.Product(sizes))
		// Element idx of the result is element idx modulo the sizes.
		forEachIndex(sizes, func(idx []int) {
			at := 0
			for i, k := range idx {
				at += k % in[i] * strides[i]
			}
			elems = append(elems, e[at])
		})
		out.SetContents(elems)
	}
	return out
}

// repeatInterleaveRule needs counts >= 0 of an integer dtype: a number, or a vector with one for each
// slice along dim (for each element without it). That dimension becomes their sum, which depends on the
// data where counts are not known. With counts alone the result is a vector of indices in their
// dtype. The result of counts alone is range(n) with each number as often as its count.
func repeatInterleaveRule(c *ops.Call) value.Value {
	if !c.HasParam("dim") {
		r := c.Tensor("repeats")
		// The only overload without dim.
		s := c.Shape(r)
		if !c.OK() {
			return nil
		}
		if d := r.Type().DType; !byVersion(c, 1<<dtype.I32|1<<dtype.I64, ops.Integers).Has(d) {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "repeat_interleave() needs integer counts of a width that it takes, but got %s", r)
		}
		if len(s) != 1 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "repeat_interleave() needs a vector of counts, but got %s", r)
		}
		n := interleaved(c, r, sumOf(c, r))
		return c.Out(r.Type().DType, symshape.Shape{n})
	}
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	// Without dim the tensor is flattened.
	axis, n := 0, c.Numel(s)
	flat := !c.Has("dim")
	if !flat {
		axis = c.Axis("dim", len(s))
		if !c.OK() {
			return nil
		}
		if len(s) == 0 {
			return c.Errorf("IndexError", diag.DimOutOfRange, "repeat_interleave(): dimension %d does not exist in %s", axis, t)
		}
		n = s[axis]
	}
	var total symshape.Dim
	r, isTensor := c.Value("repeats").(*value.Tensor)
	if isTensor {
		rs := c.Shape(r)
		if !c.OK() {
			return nil
		}
		if d := r.Type().DType; !byVersion(c, 1<<dtype.I32|1<<dtype.I64, ops.Integers).Has(d) {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "repeat_interleave() needs integer counts of a width that it takes, but got %s", r)
		}
		if len(rs) > 1 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "repeat_interleave() needs counts of at most one dimension, but got %s", r)
		}
		// One count for all.
		if len(rs) == 0 || ops.IsConst(rs[0], 1) {
			count := symshape.Dim{}
			if e := r.Contents(); len(e) == 1 {
				count, _ = value.AsDim(c.P, e[0])
			}
			total = c.P.DimMul(n, count)
		} else {
			if _, ok := c.Same(rs[0], n); !ok {
				return c.Shapef("repeat_interleave() needs as many counts as elements, but got %s for %s in %s", r, n, t)
			}
			total = sumOf(c, r)
		}
		// Negative counts are only seen where they are known, and only matter where there is
		// something to repeat.
		for _, e := range r.Contents() {
			if k, ok := value.AsInt(e); ok && k < 0 && !ops.IsConst(n, 0) {
				return c.Errorf("RuntimeError", diag.InvalidSize, "repeat_interleave(): count %d is negative", k)
			}
		}
	} else {
		count := c.Dim("repeats")
		if v, ok := ops.DimVal(count); ok && v < 0 && !ops.IsConst(n, 0) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "repeat_interleave(): count %d is negative", v)
		}
		total = c.P.DimMul(n, count)
	}
	if !c.OK() {
		return nil
	}
	total = interleaved(c, t, total)
	if !c.OK() {
		return nil
	}
	shape := symshape.Shape{total}
	if !flat && len(s) > 0 {
		shape = ops.With(s, axis, total)
	}
	return c.Out(t.Type().DType, shape)
}

// interleaved is the size of the result: output_size, the known sum, or a size
// that data decide. t is the tensor whose elements decide the size. output_size must be the sum
// where that is known; it is a promise of the program otherwise.
func interleaved(c *ops.Call, t *value.Tensor, total symshape.Dim) symshape.Dim {
	if c.Has("output_size") {
		want := c.Dim("output_size")
		if total.Unknown() {
			return want
		}
		if ops.IsConst(total, 0) { // of nothing it is not looked at
			return total
		}
		if _, ok := c.Same(total, want); !ok {
			c.Errorf("RuntimeError", diag.InvalidSize, "repeat_interleave(): output_size is %s, but the result has size %s", want, total)
		}
	}
	if total.Unknown() {
		// A size that depends on data.
		return dataDim(c, t.V, symshape.Dim{})
	}
	return total
}

// sumOf adds up the tracked contents of a tensor of ints. The zero Dim where an element is not
// known.
func sumOf(c *ops.Call, t *value.Tensor) symshape.Dim {
	e := t.Contents()
	if e == nil {
		return symshape.Dim{}
	}
	sum := c.Const(0)
	for _, v := range e {
		d, ok := value.AsDim(c.P, v)
		if !ok {
			return symshape.Dim{}
		}
		sum = c.P.DimAdd(sum, d)
	}
	return sum
}

// rollRule: a shift for each dim, or one shift of the flattened tensor. The shape stays; only dims can be
// wrong. Several shifts need as many dims, and without dims there is one shift.
func rollRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	shifts, dims := c.Ints("shifts"), c.Ints("dims")
	if !c.OK() {
		return nil
	}
	// The shifts themselves may be any numbers.
	if len(shifts) == 0 || len(shifts) != len(dims) && (len(dims) != 0 || len(shifts) != 1) {
		return c.Errorf("RuntimeError", diag.BadValue, "roll(): %d shifts do not fit %d dims", len(shifts), len(dims))
	}
	if n, ok := c.Numel(s).Const(); ok && n == 0 && len(shifts) == len(dims) { // nothing to shift: the dimension is not looked at
		return c.Like(t, t.Type().DType)
	}
	for _, d := range dims {
		n, ok := ops.DimVal(d)
		if !ok {
			return c.Lose("the value of 'dims' is not known")
		}
		c.WrapAxis(int(n), len(s))
		if len(s) == 0 {
			return c.Errorf("IndexError", diag.RankMismatch, "roll(): %s has no dimension to roll", t)
		}
	}
	if !c.OK() {
		return nil
	}
	return c.Like(t, t.Type().DType)
}

// flipRule: each axis at most once, and no more axes than ATen's 64-bit set holds (fewAxes). Axes
// reports one that is given twice.
func flipRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	axes := c.Axes("dims", len(s))
	if !c.OK() || !fewAxes(c, len(s)) {
		return nil
	}
	return flipped(c, t, axes)
}

// flipAxisRule makes the rule of flipud and fliplr, which need the axis that they flip. The result
// is a copy.
func flipAxisRule(axis int) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("self")
		s := c.Shape(t)
		if !c.OK() {
			return nil
		}
		if len(s) <= axis {
			return c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs at least %s, but got %s", c.Short(), ops.CountWord(axis+1, "dimension"),
				t)
		}
		if !fewAxes(c, len(s)) {
			return nil
		}
		return flipped(c, t, []int{axis})
	}
}

// flipped copies: PyTorch has no negative strides, unlike NumPy, whose flip is a view. The elements
// are reversed with negative steps through the old ones.
func flipped(c *ops.Call, t *value.Tensor, axes []int) *value.Tensor {
	out := c.Like(t, t.Type().DType)
	c.Preserved(out, t)
	// Strides are kept by Preserved, as PyTorch allocates the result like the input.
	sizes, ok := ops.ConstShape(t.Type().Shape)
	if e := t.Contents(); e != nil && ok && ops.Product(sizes) == len(e) {
		steps, off := ops.RowMajorInts(sizes), 0
		for _, a := range axes {
			if a < len(sizes) {
				off += (sizes[a] - 1) * steps[a]
				steps[a] = -steps[a]
			}
		}
		out.SetContents(ops.PickStrided(e, sizes, steps, off))
	}
	return out
}

// rot90Rule needs at least two dimensions and two different dims within them. An odd k exchanges their
// sizes, an even one keeps the shape; the strides are permuted with them where the tensor is dense.
func rot90Rule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	k, dims := c.Int("k"), c.Ints("dims")
	if !c.OK() {
		return nil
	}
	if len(dims) != 2 {
		return c.Errorf("RuntimeError", diag.BadValue, "rot90() needs two dims, but got %d", len(dims))
	}
	if len(s) < 2 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch, "rot90() needs at least 2 dimensions, but got %s", t)
	}
	// In the order of dims, counted from 0.
	var plane [2]int
	for i, d := range dims {
		n, ok := ops.DimVal(d)
		if !ok {
			return c.Lose("the value of 'dims' is not known")
		}
		if n < -int64(len(s)) || n >= int64(len(s)) {
			return c.Errorf("RuntimeError", diag.DimOutOfRange, "rot90(): dimension %d is out of range for %s", int(n), t)
		}
		plane[i] = int(n)
		if n < 0 {
			plane[i] += len(s)
		}
	}
	if plane[0] == plane[1] {
		return c.Errorf("RuntimeError", diag.DimOutOfRange, "rot90() needs two different dims, but got %d twice", plane[0])
	}
	// A full turn is a copy, without a limit on dimensions.
	if k%4 != 0 && !fewAxes(c, len(s)) {
		return nil
	}
	if k%2 == 0 {
		out := c.Like(t, t.Type().DType)
		if k%4 == 0 { // a contiguous clone
			out.SetContents(t.Contents())
		} else {
			c.Preserved(out, t)
		}
		return out
	}
	// A quarter turn exchanges the two sizes.
	axes := keepAll(s)
	axes[plane[0]], axes[plane[1]] = axes[plane[1]], axes[plane[0]]
	out := c.Out(t.Type().DType, shapeOf(axes))
	strides := c.StridesOf(t)
	// What is not dense gets the strides of a fresh tensor.
	if !c.IsDense(s, strides) {
		strides = make([]*symshape.Expr, len(s))
	}
	c.SetStrides(out, c.MapStrides(strides, axes))
	return out
}
