package torch

// This file holds the rules of counting: bincount, histc, histogram. Numbers of bins are sizes and
// may be symbolic. The elements decide only the size of bincount's result.

import (
	"math"
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// bincountRule needs a vector of integers >= 0, weights of the same length, and minlength >= 0. The result
// counts in int64, or adds in float32 for float32 weights and in float64 for others; its size is the
// greatest element + 1, at least minlength, and depends on the data where they are not known.
func bincountRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	if len(s) != 1 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "bincount() needs a tensor of one dimension, but got %s", t)
	}
	if !c.Accepts(ops.Integers, t.Type().DType) {
		return nil
	}
	least := c.Dim("minlength")
	if !c.AtLeast(least, 0) {
		return c.Errorf("RuntimeError", diag.BadValue, "bincount(): minlength must not be negative, but is %s", least)
	}
	if ops.IsConst(s[0], 0) {
		return c.Out(dtype.I64, symshape.Shape{least}) // before the weights are looked at
	}
	d := dtype.I64
	if c.Has("weights") {
		w := c.Tensor("weights")
		ws := c.Shape(w)
		if w == nil || !c.OK() {
			return nil
		}
		if len(ws) != 1 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "bincount(): weights must have one dimension, but are %s", w)
		}
		if _, ok := c.Same(s[0], ws[0]); !ok {
			c.Blame(ops.Ref{Tensor: t, Axis: 0}, ops.Ref{Tensor: w, Axis: 0})
			return c.Shapef("bincount(): weights have %s elements, but the input has %s: %s and %s", ws[0], s[0], w, t)
		}
		if d = w.Type().DType; d != dtype.F32 && d != dtype.Unknown {
			d = dtype.F64
		}
	}
	// The size is at least 1, as the vector has an element.
	n := freshSize(c, 1, t)
	if elems := t.Contents(); elems != nil {
		greatest := int64(-1)
		for _, e := range elems {
			v, ok := ops.ConcreteElem(e)
			if !ok {
				// One that is not known makes the size unknown.
				greatest = -1
				break
			}
			if v < 0 {
				return c.Errorf("RuntimeError", diag.BadValue, "bincount() needs integers that are not negative, but got %d", v)
			}
			greatest = max(greatest, v)
		}
		if greatest >= 0 {
			n = c.Const(greatest + 1)
		}
	}
	// minlength may be greater, also as a symbol.
	return c.Out(d, symshape.Shape{c.P.DimMax(n, least)})
}

// Integers are not implemented.
const histFloats = ops.RealFloats

// The input has any shape. The result has bins elements in the dtype of the input; min and max must
// be finite and in order, where equal ones stand for the range of the elements.
func histcRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil || !c.Accepts(histFloats, t.Type().DType) {
		return nil
	}
	bins := c.Dim("bins")
	if !c.AtLeast(bins, 1) {
		return c.Errorf("RuntimeError", diag.BadValue, "histc(): bins must be positive, but is %s", bins)
	}
	lo, ok1 := c.Float("min")
	hi, ok2 := c.Float("max")
	for _, f := range [...]float64{lo, hi} {
		if math.IsInf(f, 0) || f != f {
			return c.Errorf("RuntimeError", diag.BadValue, "histc(): the range from %v to %v is not finite", lo, hi)
		}
	}
	if ok1 && ok2 && lo > hi {
		return c.Errorf("RuntimeError", diag.BadValue, "histc(): max must not be less than min, but they are %v and %v", hi, lo)
	}
	return c.Out(t.Type().DType, symshape.Shape{bins})
}

// bins is a number, or a vector of edges of the input's dtype. The result is the named tuple of the
// counts and the edges, of which there is one more.
func histogramRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil || !c.Accepts(histFloats, t.Type().DType) {
		return nil
	}
	d := t.Type().DType
	if !histWeight(c, t, t.Type().Shape, t.Type().Ranked) {
		return nil
	}
	edges, ok := binEdges(c, c.Value("bins"), t)
	if !ok {
		return nil
	}
	one := c.Const(1)
	return named(c, "histogram", []string{"hist", "bin_edges"}, c.Out(d, symshape.Shape{c.P.DimSub(edges, one)}),
		c.Out(d, symshape.Shape{edges}))
}

// flatHistogram is that of one dimension, which flattens its tensors. It flattens both the input
// and the weight.
const flatHistogram ops.Variant = "flat"

// histWeight checks the parameter weight against the shape it must have. want is the shape that the
// weight must have, ranked whether it is known. False after a report.
func histWeight(c *ops.Call, t *value.Tensor, want symshape.Shape, ranked bool) bool {
	if !c.Has("weight") {
		return true
	}
	w := c.Tensor("weight")
	if w == nil || !sameDType(c, t, w, "weight") {
		return false
	}
	if ws := w.Type(); ws.Ranked && ranked && c.Is(flatHistogram) { // both are flattened
		if _, ok := c.Same(c.Numel(ws.Shape), c.Numel(want)); !ok {
			c.Shapef("histogram(): weight must have as many elements as the input, but they are %s and %s", w, t)
			return false
		}
	} else if ws.Ranked && ranked && (len(ws.Shape) != len(want) || !c.SameSizes(ws.Shape, want)) {
		c.Shapef("%s(): weight must have shape %s, but has %s", c.Short(), want, ws.Shape)
		return false
	}
	return true
}

// binEdges is the number of edges that a number of bins, or a tensor of edges, makes. t is the
// input, whose dtype edges must have. False after a report: at least one bin, or two edges, are
// needed.
func binEdges(c *ops.Call, v value.Value, t *value.Tensor) (symshape.Dim, bool) {
	if x, ok := v.(*value.Tensor); ok {
		if !sameDType(c, t, x, "bins") {
			return symshape.Dim{}, false
		}
		s := c.Shape(x)
		if !c.OK() {
			return symshape.Dim{}, false
		}
		if len(s) != 1 {
			c.Errorf("RuntimeError", diag.RankMismatch, "%s(): bins must have one dimension, but are %s", c.Short(), x)
			return symshape.Dim{}, false
		}
		if !c.AtLeast(s[0], 2) {
			c.Errorf("RuntimeError", diag.InvalidSize, "%s(): bins must have two edges at least, but are %s", c.Short(), x)
			return symshape.Dim{}, false
		}
		return s[0], true
	}
	n := c.ToDim("bins", v)
	if !c.OK() {
		return symshape.Dim{}, false
	}
	if !c.AtLeast(n, 1) {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): bins must be positive, but is %s", c.Short(), n)
		return symshape.Dim{}, false
	}
	return c.P.DimAdd(n, c.Const(1)), true
}

// histogramddRule needs points along the last of at least two dimensions, and bins for each coordinate: a
// number, or a tensor of edges. weight has the shape without the last dimension. The result is a histogram
// with a dimension for each coordinate, and the tuple of edges, in the input's dtype.
func histogramddRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() || !c.Accepts(histFloats, t.Type().DType) {
		return nil
	}
	if len(s) < 2 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
			"histogramdd() needs a tensor of at least 2 dimensions, but got %s", t)
	}
	// A number of coordinates that is not known leaves the rank of the histogram open, and none or
	// very many are not modelled.
	n, ok := ops.DimVal(s[len(s)-1])
	if !ok || n > 64 || n == 0 {
		return c.Lose("the number of coordinates is not known")
	}
	if !histWeight(c, t, s[:len(s)-1], true) {
		return nil
	}
	bins, isList := c.Elems("bins")
	if !isList {
		return nil
	}
	// One number of bins for all coordinates.
	if !ops.IsSequence(c.Value("bins")) {
		bins = slices.Repeat(bins, int(n))
	}
	// PyTorch 1 ignores what is too much, and reads past the end of what is not enough
	if _, edges := bins[0].(*value.Tensor); len(bins) > int(n) && c.Torch1() && !edges {
		bins = bins[:n]
	}
	if len(bins) != int(n) {
		return c.Errorf("RuntimeError", diag.BadValue, "histogramdd(): bins has %d elements for %d coordinates: %s",
			diag.Count(len(bins)), n, t)
	}
	d := t.Type().DType
	var hist symshape.Shape
	var edges []value.Value
	for _, b := range bins {
		e, ok := binEdges(c, b, t)
		if !ok {
			return nil
		}
		hist = append(hist, c.P.DimSub(e, c.Const(1)))
		edges = append(edges, c.Out(d, symshape.Shape{e}))
	}
	return named(c, "histogramdd", []string{"hist", "bin_edges"}, c.Out(d, hist), value.NewTuple(edges...))
}
