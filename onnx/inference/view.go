package inference

// This file holds operators that rearrange dimensions and keep all elements.

import (
	"slices"

	"shapecheck/symshape"
)

var viewOps = [...]op{
	{"Reshape", reshape, dataSame},
	{"Flatten", flatten, dataSame},
	{"Squeeze", squeeze, dataSame},
	{"Unsqueeze", unsqueeze, dataSame},
	{"Transpose", transpose, dataTranspose},
	{"DepthToSpace", depthToSpace, nil},
	{"SpaceToDepth", spaceToDepth, nil},
}

// numel is the number of elements; nil when it is not known. A tensor without axes has one
// element.
func (c *call) numel(dims []expr) expr {
	if slices.Contains(dims, nil) {
		return nil
	}
	return c.pool().Product(append([]expr{c.pool().Const(1)}, dims...)...)
}

// divide divides sizes that are known to divide without rest; nil when the divisor
// may be zero. It reports constants that do not divide. The quotient is that of the floor
// division, which is exact when the model runs.
func (c *call) divide(a, b expr) expr {
	if a == nil || b == nil || low(b) < 1 {
		return nil
	}
	x, ok := a.Const()
	y, ok2 := b.Const()
	if ok && ok2 && x%y != 0 {
		c.errorf("%d elements cannot be divided by %d", x, y)
		return nil
	}
	return c.pool().FloorDiv(a, b)
}

// reshape reads the new shape from the attribute, from opset 5 on from an input:
// 0 copies a dimension, unless allowzero, and -1 is what remains. An unknown element of the new
// shape leaves its size unknown; it may be 0 or -1, and with two such elements nothing can be
// computed. When the elements are unknown but their number is not, the rank is known.
func reshape(c *call) {
	d := c.elem(0)
	var list []expr
	if c.version < 5 {
		shape := c.a.Ints("shape")
		list = c.e.consts(shape)
	} else if !c.has(1) {
		c.errorf("the input shape is missing")
		return
	} else {
		if s, ok := c.ranked(1, 1); c.failed {
			return
		} else if ok && !c.in(1).hasInts() {
			if n, isConst := s[0].Const(); isConst && n <= maxData {
				c.outRank(0, d, int(n))
			} else {
				c.outUnranked(0, d)
			}
			return
		}
		var ok bool
		if list, ok = c.exprs(1); !ok {
			c.outUnranked(0, d)
			return
		}
	}
	in, ranked := c.dims(0)
	zeros := c.a.Bool("allowzero")
	out := make([]expr, len(list))
	positive := !zeros && ranked && c.positive(in, list)
	rest, missing := -1, 0
	for i, x := range list {
		switch {
		case x == nil:
			missing++
		case x.IsConst(-1):
			if rest >= 0 {
				c.errorAt(1, "the new shape has -1 twice")
				return
			}
			rest = i
			missing++
		case x.IsConst(0) && !zeros:
			if ranked && i >= len(in) {
				c.errorAt(1, "the new shape copies dimension %d, and the input is %s", i, c.in(0).Type)
				return
			}
			if ranked {
				out[i] = in[i]
			} else {
				missing++
			}
		case low(x) >= 1 || zeros && low(x) >= 0 || ranked && i < len(in) && in[i] == x || !zeros && low(x) == 0 && positive:
			out[i] = x
		default:
			if n, ok := x.Const(); ok && n < -1 {
				c.errorAt(1, "the new shape has the size %d", n)
				return
			}
			missing++ // it may be 0 or -1
		}
	}
	c.fill(in, ranked, out, missing, rest >= 0)
	if !c.failed {
		c.out(0, d, out)
	}
}

// positive reports whether the sizes of a new shape that may be 0 are not: a 0 would
// copy the input's size, and the number of elements would change. It assumes each combination of
// zeros in turn, at most 2³ of them, and asks whether the product could then still be the number
// of elements.
func (c *call) positive(in, list []expr) bool {
	p := c.pool()
	total := c.numel(in)
	var open []int
	for i, x := range list {
		if x == nil || low(x) < 0 {
			return false
		}
		if low(x) == 0 && i < len(in) && x != in[i] && !x.IsConst(0) {
			open = append(open, i)
		}
	}
	const most = 3
	if len(open) == 0 || len(open) > most || total == nil {
		return false
	}
	for zero := 1; zero < 1<<len(open); zero++ {
		facts, possible := symshape.Facts{}, true
		dims := slices.Clone(list)
		for i, x := range dims {
			if x.IsConst(0) && i < len(in) {
				dims[i] = in[i]
			}
		}
		for k, i := range open {
			cond := p.Ge(list[i], p.Const(1))
			if zero>>k&1 == 1 {
				cond, dims[i] = p.Eq(list[i], p.Const(0)), in[i]
			}
			var ok bool
			if facts, ok = facts.Assume(cond); !ok {
				possible = false
				break
			}
		}
		if product := p.Product(dims...); possible && (product == nil || facts.Decide(p.Eq(product, total)).Answer != symshape.No) {
			return false
		}
	}
	return true
}

// fill computes the one size of a new shape that is not given, or is -1 (computed), and
// checks the number of elements when all are. The remaining size is the number of elements
// divided by the product of the others. It reports a fault when both products are known never to
// be equal.
func (c *call) fill(in []expr, ranked bool, out []expr, missing int, computed bool) {
	if !ranked || missing > 1 {
		return
	}
	total := c.numel(in)
	product := c.pool().Const(1)
	hole := -1
	for i, x := range out {
		if x == nil {
			hole = i
		} else if product != nil {
			product = c.pool().Mul(product, x)
		}
	}
	if missing == 0 {
		if total != nil && product != nil && c.e.neverEqual(total, product) {
			c.errorf("%s has %s elements; the new shape %s has %s", c.in(0).Type, total, dimsText(out), product)
		}
		return
	}
	// Equal factors cancel before the division, which keeps it exact and short.
	factors := slices.Clone(in)
	product = c.pool().Const(1)
	for _, x := range out {
		if x == nil {
			continue
		}
		// A size -1 beside a size 0 is a fault when the model runs.
		if i := slices.Index(factors, x); i >= 0 && (low(x) >= 1 || computed) {
			factors = slices.Delete(factors, i, i+1)
		} else if product != nil {
			product = c.pool().Mul(product, x)
		}
	}
	if product != nil {
		out[hole] = c.divide(c.numel(factors), product)
	}
}

func dimsText(dims []expr) string {
	return (&Type{Ranked: true, Kind: 1, Dims: dims}).String()[1:]
}

func (v *Value) hasInts() bool { return v.ints != nil }

// flatten: before version 11 a negative axis was refused. The result is always a matrix: the
// product of the sizes before the axis, and that of the others.
func flatten(c *call) {
	in, ok := c.dims(0)
	if !ok {
		c.outRank(0, c.elem(0), 2)
		return
	}
	a := c.a.Int("axis")
	if a < -int64(len(in)) || a > int64(len(in)) || a < 0 && c.version < 11 {
		c.errorf("axis %d is out of range for %s", a, c.in(0).Type)
		return
	}
	if a < 0 {
		a += int64(len(in))
	}
	c.out(0, c.elem(0), []expr{c.numel(in[:a]), c.numel(in[a:])})
}

// listed gives axes from an attribute, from opset 13 on from an input. none says
// that there are none; known is false when the data decides.
func (c *call) listed() (axes []int64, none, known bool) {
	if c.version < 13 {
		list, ok := c.a.Ints("axes"), c.a.Has("axes")
		return list, !ok, true
	}
	if !c.has(1) {
		return nil, true, true
	}
	list, ok := c.ints(1)
	return list, false, ok
}

// squeeze: without axes, each size that may be 1 or not makes even the rank of the result unknown. Axes come as
// an input since version 13, whose elements may not be known: then at least their number may be.
func squeeze(c *call) {
	in, ok := c.dims(0)
	d := c.elem(0)
	list, none, known := c.listed()
	if !ok {
		c.outUnranked(0, d)
		return
	}
	if !known {
		if n, sized := c.length(1); sized && n <= len(in) {
			c.outRank(0, d, len(in)-n)
		} else {
			c.outUnranked(0, d)
		}
		return
	}
	var out []expr
	if none {
		for _, x := range in {
			if x.IsConst(1) {
				continue
			}
			if low(x) < 2 && !x.IsConst(0) { // it may be 1
				c.outUnranked(0, d)
				return
			}
			out = append(out, x)
		}
		c.out(0, d, out)
		return
	}
	axes, good := c.axes(list, len(in))
	if !good {
		return
	}
	for i, x := range in {
		if !slices.Contains(axes, i) {
			out = append(out, x)
		} else if c.e.neverEqual(x, c.pool().Const(1)) {
			c.errorf("dimension %d of %s cannot be dropped: it is %s", i, c.in(0).Type, x)
			return
		}
	}
	c.out(0, d, out)
}

// unsqueeze: axes count in the result.
func unsqueeze(c *call) {
	in, ok := c.dims(0)
	d := c.elem(0)
	list, none, known := c.listed()
	if none {
		c.errorf("the axes are missing")
		return
	}
	if !known || !ok {
		n, sized := c.length(1)
		if known {
			n, sized = len(list), true
		}
		if sized && ok {
			c.outRank(0, d, len(in)+n)
		} else {
			c.outUnranked(0, d)
		}
		return
	}
	rank := len(in) + len(list)
	axes, good := c.axes(list, rank)
	if !good {
		return
	}
	out := make([]expr, 0, rank)
	next := 0
	for i := range rank {
		if slices.Contains(axes, i) {
			out = append(out, c.pool().Const(1))
		} else {
			out = append(out, in[next])
			next++
		}
	}
	c.out(0, d, out)
}

// permutation is the order of the input's dimensions in the result. false was reported: a list of
// another length, an axis twice or out of range.
func (c *call) permutation(rank int) ([]int, bool) {
	list, ok := c.a.Ints("perm"), c.a.Has("perm")
	if !ok || len(list) == 0 && rank > 0 {
		out := make([]int, rank)
		for i := range out {
			out[i] = rank - 1 - i
		}
		return out, true
	}
	if len(list) != rank {
		c.errorf("perm has %d elements for %s", len(list), c.in(0).Type)
		return nil, false
	}
	return c.axes(list, rank)
}

// transpose: without a perm the axes are reversed; of an unranked tensor a perm gives at least the rank.
func transpose(c *call) {
	in, ok := c.dims(0)
	if !ok {
		if list, given := c.a.Ints("perm"), c.a.Has("perm"); given && len(list) > 0 {
			c.outRank(0, c.elem(0), len(list))
		} else {
			c.outUnranked(0, c.elem(0))
		}
		return
	}
	perm, good := c.permutation(len(in))
	if !good {
		return
	}
	out := make([]expr, len(in))
	for i, from := range perm {
		out[i] = in[from]
	}
	c.out(0, c.elem(0), out)
}

// blocks reads what DepthToSpace and SpaceToDepth have in common.
func (c *call) blocks() (b expr, in []expr, ok bool) {
	in, ok = c.ranked(0, 4)
	n := c.a.Int("blocksize")
	if c.failed {
		return nil, nil, false
	}
	if !ok {
		c.outRank(0, c.elem(0), 4)
	}
	return c.pool().Const(max(n, 1)), in, ok
}

// depthToSpace: the channels must be a multiple of the block squared. [N, C, H, W] becomes [N,
// C/b², H·b, W·b].
func depthToSpace(c *call) {
	b, in, ok := c.blocks()
	if !ok {
		return
	}
	p := c.pool()
	out := []expr{in[0], c.divide(in[1], p.Mul(b, b)), p.Mul(in[2], b), p.Mul(in[3], b)}
	c.out(0, c.elem(0), out)
}

func spaceToDepth(c *call) {
	b, in, ok := c.blocks()
	if !ok {
		return
	}
	out := []expr{in[0], c.pool().Mul(in[1], c.pool().Mul(b, b)), c.divide(in[2], b), c.divide(in[3], b)}
	c.out(0, c.elem(0), out)
}
