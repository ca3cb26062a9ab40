package inference

// This file holds gathering, scattering and what finds indices.

import (
	"slices"

	"shapecheck/onnx"
)

var indexOps = [...]op{
	{"Gather", gather, dataGather},
	{"GatherElements", gatherElements, nil},
	{"GatherND", gatherND, nil},
	{"Scatter", scatterElements, nil},
	{"ScatterElements", scatterElements, nil},
	{"ScatterND", scatterND, nil},
	{"OneHot", oneHot, nil},
	{"NonZero", nonZero, nil},
	{"Unique", unique, nil},
}

// gather puts the axes of the indices in the place of the indexed one. Indices that are known are compared with
// the size, as runtimes fail only when they run.
func gather(c *call) {
	in, ok := c.ranked(0, -1)
	at, ok2 := c.dims(1)
	if c.failed {
		return
	}
	if !ok || !ok2 {
		c.outUnranked(0, c.elem(0))
		return
	}
	a, good := c.axis(c.a.Int("axis"), len(in))
	if !good {
		return
	}
	if list, known := c.exprs(1); known {
		for _, x := range list {
			if x == nil {
				continue
			}
			n, isConst := x.Const()
			if size, sized := in[a].Const(); isConst && sized && (n >= size || n < -size) {
				c.errorAt(1, "index %d is out of range: axis %d of %s", n, a, c.in(0).Type)
				return
			}
		}
	}
	c.out(0, c.elem(0), slices.Concat(in[:a], at, in[a+1:]))
}

// elementwiseIndices are the dimensions of input 0 and of the indices, one for each
// element, which must be as many; nil when they are not known. false after an error.
func (c *call) elementwiseIndices() (in, at []expr, ok bool) {
	in, ranked := c.ranked(0, -1)
	at, ranked2 := c.dims(1)
	if c.failed {
		return nil, nil, false
	}
	if ranked && ranked2 && len(in) != len(at) {
		c.errorAt(1, "%s and the input %s must have as many dimensions", c.in(1).Type, c.in(0).Type)
		return nil, nil, false
	}
	if ranked {
		if _, good := c.axis(c.a.Int("axis"), len(in)); !good {
			return nil, nil, false
		}
	}
	return in, at, true
}

// gatherElements has the sizes of the indices and the element type of the operand.
func gatherElements(c *call) {
	in, at, ok := c.elementwiseIndices()
	switch d := c.elem(0); {
	case !ok:
	case at != nil:
		c.out(0, d, at)
	case in != nil:
		c.outRank(0, d, len(in))
	default:
		c.outUnranked(0, d)
	}
}

// gatherND reads elements or slices at index tuples, after batch_dims common
// dimensions.
func gatherND(c *call) {
	in, ok := c.ranked(0, -1)
	at, ok2 := c.ranked(1, -1)
	if c.failed {
		return
	}
	if !ok || !ok2 {
		c.outUnranked(0, c.elem(0))
		return
	}
	k, isConst := at[len(at)-1].Const()
	b := c.a.Int("batch_dims")
	if !isConst {
		c.outUnranked(0, c.elem(0))
		return
	}
	if b < 0 || b >= int64(min(len(in), len(at))) || b+k > int64(len(in)) {
		c.errorAt(1, "tuples of %d indices after %d batch dimensions do not fit the input %s", k, b, c.in(0).Type)
		return
	}
	c.out(0, c.elem(0), slices.Concat(at[:len(at)-1], in[b+k:]))
}

func scatterElements(c *call) {
	d := c.sameElem(0, 2)
	if _, _, ok := c.elementwiseIndices(); ok && !c.failed {
		c.outLike(0, d, 0)
	}
}

func scatterND(c *call) {
	d := c.sameElem(0, 2)
	if !c.failed {
		c.outLike(0, d, 0)
	}
}

// oneHot inserts an axis of depth elements; depth may be a float by the operator's definition.
func oneHot(c *call) {
	d := c.elem(2)
	in, ok := c.dims(0)
	if !ok {
		c.outUnranked(0, d)
		return
	}
	a, good := c.axis(c.a.Int("axis"), len(in)+1)
	if !good {
		return
	}
	var depth expr
	if list, known := c.exprs(1); known && len(list) == 1 {
		depth = list[0]
	} else if f := c.in(1).floats; len(f) == 1 && f[0] >= 0 && f[0] < farAway {
		depth = c.pool().Const(int64(f[0]))
	}
	c.out(0, d, slices.Insert(slices.Clone(in), a, depth))
}

// nonZero gives a column of indices for each element that is not zero.
func nonZero(c *call) {
	var rank expr
	if in, ok := c.dims(0); ok && len(in) > 0 { // of a scalar there are no indices; runtimes say 0
		rank = c.pool().Const(int64(len(in)))
	}
	if in, ok := c.dims(0); ok && len(in) > 0 && c.in(0).nonZero {
		c.out(0, onnx.Int64, []expr{rank, c.numel(in)})
		return
	}
	if list, known := c.ints(0); known && rank != nil && !rank.IsConst(0) {
		n := int64(0)
		for _, x := range list {
			if x != 0 {
				n++
			}
		}
		c.out(0, onnx.Int64, []expr{rank, c.pool().Const(n)})
		return
	}
	c.out(0, onnx.Int64, []expr{rank, nil})
}

// unique: data decides how many different elements there are; all results that
// count them have the same size.
func unique(c *call) {
	in, ok := c.dims(0)
	n := c.e.fresh()
	var inverse expr
	switch {
	case !c.a.Has("axis"):
		c.out(0, c.elem(0), []expr{n})
		if ok {
			inverse = c.numel(in)
		}
	case !ok:
		c.outUnranked(0, c.elem(0))
	default:
		at, good := c.axis(c.a.Int("axis"), len(in))
		if !good {
			return
		}
		out := slices.Clone(in)
		out[at], inverse = n, in[at]
		c.out(0, c.elem(0), out)
	}
	c.out(1, onnx.Int64, []expr{n})
	c.out(2, onnx.Int64, []expr{inverse})
	c.out(3, onnx.Int64, []expr{n})
}
