package inference

// This file holds operators that join, split and repeat tensors.

import "slices"

// Each operator has its rule for types and, where it moves integers that may be sizes, one for
// data.
var joinOps = [...]op{
	{"Concat", concat, dataConcat},
	{"Split", split, dataSplit},
	{"Expand", expand, dataExpand},
	{"Tile", tile, nil},
}

// isEmpty reports whether a size is known to be 0.
func isEmpty(dims []expr) bool {
	return slices.ContainsFunc(dims, func(x expr) bool { return x != nil && x.IsConst(0) })
}

// concat adds up the sizes along the axis and takes each other size from whichever input knows it. Inputs
// without elements are passed over by runtimes, each in its own way, so that next to one only what is the same
// in all ways is known. It reports an error where inputs differ in rank, in element type or, when
// none of them is empty, in another size. A size that no input knows stays unknown; the size on
// the axis is known if all inputs' are.
func concat(c *call) {
	ins := make([]int, len(c.ins))
	for i := range ins {
		ins[i] = i
	}
	d := c.sameElem(ins...)
	if c.failed {
		return
	}
	var out []expr
	var sum expr = c.pool().Const(0)
	at := -1
	for i := range c.ins {
		x, ok := c.dims(i)
		if !ok {
			sum = nil
			continue
		}
		if out == nil {
			axis := c.a.Int("axis")
			var good bool
			if at, good = c.axis(axis, len(x)); !good {
				return
			}
			out = slices.Clone(x)
		}
		if len(x) != len(out) {
			c.errorAt(i, "%s has %d dimensions; the inputs before it have %d", c.in(i).Type, len(x), len(out))
			return
		}
		before := sum
		if sum != nil {
			sum = c.pool().Add(sum, x[at])
		}
		// The sum keeps its value only if the empty one has the size 0 on the axis, since then it
		// adds nothing in any runtime; other sizes that differ become unknown.
		if isEmpty(x) != isEmpty(out) { // runtimes pass over what is empty, in their own ways
			none := x[at].IsConst(0)
			if isEmpty(out) {
				none = before != nil && before.IsConst(0)
				out, x = slices.Clone(x), out
			}
			if !none {
				sum = nil
			}
			for j, s := range x {
				if j != at && (s.IsConst(0) || out[j] != nil && c.e.neverEqual(out[j], s)) {
					out[j] = nil
				}
			}
			continue
		}
		for j, s := range x {
			if j != at {
				out[j] = c.unify(out[j], s, "dimension %d of the inputs differs", j)
			}
		}
	}
	if out == nil {
		c.outUnranked(0, d)
		return
	}
	out[at] = sum
	c.out(0, d, out)
}

// split cuts along an axis: at sizes from an attribute (before opset 13) or an
// input, or in equal parts. Equal parts: up to opset 17 the size must be a multiple of the number
// of results. From opset 18 on each part is ceil(size / parts) and the last one is smaller; if
// that could be negative, for a symbolic size, the last part is unknown.
func split(c *call) {
	d := c.elem(0)
	n := len(c.outs)
	in, ok := c.dims(0)
	if !ok {
		for i := range n {
			c.outUnranked(i, d)
		}
		return
	}
	a, good := c.axis(c.a.Int("axis"), len(in))
	if !good {
		return
	}
	sizes := make([]expr, n)
	given := false
	if list := c.a.Ints("split"); len(list) > 0 {
		given = true
		if len(list) != n {
			c.errorf("the attribute split has %d sizes for %d results", len(list), n)
			return
		}
		copy(sizes, c.e.consts(list))
	}
	if c.has(1) {
		given = true
		if list, ok := c.exprs(1); ok {
			if len(list) != n {
				c.errorAt(1, "%d sizes for %d results", len(list), n)
				return
			}
			copy(sizes, list)
		}
	}
	if given && !slices.Contains(sizes, nil) {
		c.unify(c.pool().Sum(sizes...), in[a], "the sizes of the parts do not add up to axis %d of %s", a, c.in(0).Type)
	}
	if !given {
		p := c.pool()
		parts := int64(n)
		if k := c.a.Int("num_outputs"); c.a.Has("num_outputs") && k != parts {
			c.errorf("num_outputs is %d; the node has %d results", k, n)
			return
		}
		size := p.CeilDiv(in[a], p.Const(parts))
		total, known := in[a].Const()
		if c.version < 18 {
			if known && total%parts != 0 {
				c.errorf("axis %d of %s cannot be split in %d equal parts", a, c.in(0).Type, n)
				return
			}
			size = p.FloorDiv(in[a], p.Const(parts))
		}
		for i := range sizes { // from opset 18 on the last part is what remains
			sizes[i] = size
		}
		if c.version >= 18 {
			sizes[n-1] = nil
			if size != nil {
				if last := p.Sub(in[a], p.Mul(size, p.Const(parts-1))); last != nil && low(last) >= 0 {
					sizes[n-1] = last
				} else if exact := p.FloorDiv(in[a], p.Const(parts)); exact == size {
					sizes[n-1] = size
				}
			}
		}
	}
	for i, s := range sizes {
		out := slices.Clone(in)
		out[a] = s
		c.out(i, d, out)
	}
}

// expand broadcasts the input and a shape that is data. The result is the broadcast of both, so
// that a size of the operand which is above 1 stays whatever the shape says. With an unknown
// shape of known length that is all that can be said.
func expand(c *call) {
	in, ok := c.dims(0)
	d := c.elem(0)
	list, known := c.exprs(1)
	if c.ranked(1, 1); c.failed {
		return
	}
	if !known {
		n, sized := c.length(1)
		switch {
		case ok && sized && n == 0:
			c.out(0, d, in)
		case ok && sized: // sizes above 1 stay
			out := make([]expr, max(n, len(in)))
			for i, x := range in {
				if low(x) >= 2 {
					out[len(out)-len(in)+i] = x
				}
			}
			c.out(0, d, out)
		default:
			c.outUnranked(0, d)
		}
		return
	}
	if !ok {
		c.outUnranked(0, d)
		return
	}
	shape := slices.Clone(list)
	for i, x := range shape {
		if x != nil && low(x) < 0 {
			if n, isConst := x.Const(); isConst && n < -1 {
				c.errorAt(1, "the shape has the size %d", n)
				return
			} else if isConst { // -1 is not in the specification; runtimes keep the size
				shape[i] = c.pool().Const(1)
			} else {
				shape[i] = nil
			}
		}
	}
	c.out(0, d, c.broadcast(in, shape))
}

// tile multiplies each size by its number of repeats. Version 1 had one number and an axis, whose
// result has the same rank.
func tile(c *call) {
	if c.version < 6 { // one number and one axis
		if in, ok := c.dims(0); ok {
			c.outRank(0, c.elem(0), len(in))
		}
		return
	}
	in, ok := c.dims(0)
	d := c.elem(0)
	if !ok {
		if n, sized := c.length(1); sized {
			c.outRank(0, d, n)
		} else {
			c.outUnranked(0, d)
		}
		return
	}
	out := make([]expr, len(in))
	if n, sized := c.length(1); sized && n != len(in) {
		c.errorAt(1, "%d repeats for %s", n, c.in(0).Type)
		return
	}
	if list, known := c.exprs(1); known {
		for i, x := range list {
			if x != nil && i < len(in) {
				out[i] = c.pool().Mul(in[i], x)
			}
		}
	}
	c.out(0, d, out)
}
