package torch

// This file holds the gathering half of indexing: masks become index tensors,
// index tensors are broadcast together, and the selected axes move to the front
// when they are not neighbours. The rules are those of at::index
// (aten/src/ATen/native/IndexingUtils.h, TensorAdvancedIndexing.cpp). All index tensors together
// are one index of the broadcast shape; the result's shape is that of the view without the indexed
// axes, with the index shape at the place of the first one if they are neighbours, else in front.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// A gathering is a resolved set of index tensors over the axes of a view. It serves reading and
// writing (setitem.go).
type gathering struct {
	shape symshape.Shape // of the result
	index symshape.Shape // of the index tensors together
	at    []*indexTensor // per axis of the view
	first int            // where the index axes stand in the result
	view  symshape.Shape // the view that is gathered from
	picks [][]int64      // per axis: the known indices, broadcast; nil when not known
}

// gather is the result of x[...] with index tensors. The result is a copy, whose strides are not
// known where it has several axes.
func (ix *indexer) gather() value.Value {
	c := ix.c
	g := ix.resolve()
	if g == nil {
		return nil
	}
	out := c.Out(ix.base.Type().DType, g.shape)
	if ix.base.Type().Strides != nil && len(g.shape) > 1 { // the order of the axes that stay is kept, in part
		out.Type().Strides = make([]*symshape.Expr, len(g.shape))
	}
	out.SetContents(g.pick(c.MapContents(ix.base, ix.axes, ix.start)))
	return out
}

// resolve checks the index tensors and finds the shape of the result. nil after a report.
func (ix *indexer) resolve() *gathering {
	adv := ix.adv
	if !ix.c.Torch1() { // a mask stands for all of its axes, behind which record went on
		adv = nil
		for i := 0; i < len(ix.adv); i++ {
			adv = append(adv, ix.adv[i])
			if t := ix.adv[i]; t != nil && t.mask {
				i += max(len(t.shape)-1, 0)
			}
		}
	}
	return resolveIndices(ix.c, shapeOf(ix.axes), adv)
}

// resolveIndices assigns index tensors to the axes of a view. A mask must have the sizes of the axes that
// it covers and becomes one index tensor for each; there must not be more than axes. All index tensors
// broadcast together, and known indices must be in range. adv has one entry for each axis of the
// view in order, of which a mask may cover several.
func resolveIndices(c *ops.Call, view symshape.Shape, adv []*indexTensor) *gathering {
	g := &gathering{view: view}
	for _, t := range adv {
		if t == nil || !t.mask {
			g.at = append(g.at, t)
			continue
		}
		// The sizes are compared axis by axis, and become conditions where they are symbols.
		for j, d := range t.shape {
			k := len(g.at) + j
			if k >= len(view) {
				c.Errorf("IndexError", diag.RankMismatch, "too many indices for a tensor of shape %s", view)
				return nil
			}
			if _, ok := c.Same(view[k], d); !ok {
				c.Errorf("IndexError", diag.ShapeMismatch, "the mask of shape %s does not fit dimension %d of the indexed tensor of shape %s",
					t.shape, k, view)
				return nil
			}
		}
		g.at = append(g.at, maskIndices(c, t)...)
	}
	if len(g.at) > len(view) {
		c.Errorf("IndexError", diag.RankMismatch, "too many indices for a tensor of %s: got %d", ops.CountWord(len(view), "dimension"), len(g.at))
		return nil
	}
	// Axes without an index are kept.
	for len(g.at) < len(view) {
		g.at = append(g.at, nil)
	}
	var shapes []symshape.Shape
	for _, t := range g.at {
		if t != nil {
			shapes = append(shapes, t.shape)
		}
	}
	index, _, ok := c.Broadcast(shapes...)
	if !ok {
		texts := make([]string, len(shapes))
		for i, s := range shapes {
			texts[i] = s.String()
		}
		c.Measuring("index tensors", valuesOf(shapes)...).Errorf("IndexError",
			diag.ShapeMismatch, "index tensors of shapes %s cannot be broadcast together", strings.Join(texts, ", "))
		return nil
	}
	g.index = index
	if !checkIndices(c, g) {
		return nil
	}
	g.place()
	return g
}

// place puts the index axes where the indexed axes were if those are neighbours,
// else first. It is called once, after index is known.
func (g *gathering) place() {
	first, last, count := -1, -1, 0
	for i, t := range g.at {
		if t != nil {
			if first < 0 {
				first = i
			}
			last = i
			count++
		}
	}
	// Without gaps between them.
	adjacent := last-first+1 == count
	if adjacent {
		g.first = first
	} else {
		g.shape = append(g.shape, g.index...)
	}
	for i, t := range g.at {
		if adjacent && i == first {
			g.shape = append(g.shape, g.index...)
		}
		if t == nil {
			g.shape = append(g.shape, g.view[i])
		}
	}
}

// trues is the number of elements of a mask that are true. It is one symbol for
// one mask, so that what is selected by it fits together. limit is the number of elements.
func trues(c *ops.Call, mask *graph.Value) symshape.Dim {
	if mask.Trues == nil {
		limit := symshape.Dim{}
		if mask.Type.Ranked {
			limit = c.Numel(mask.Type.Shape)
		}
		mask.Trues = dataDim(c, mask, limit).Expr
	}
	return symshape.MakeDim(mask.Trues)
}

// maskIndices are the index tensors that mask.nonzero() gives, one per dimension. All have the
// length of the number of true elements, which is known only if all elements are.
func maskIndices(c *ops.Call, t *indexTensor) []*indexTensor {
	out := make([]*indexTensor, len(t.shape))
	sizes, ok := ops.ConstShape(t.shape)
	known := ok && t.elems != nil && len(t.elems) == ops.Product(sizes)
	var truth []bool
	if known {
		for _, e := range t.elems {
			n, ok := value.AsInt(e)
			// Elements that are sizes may be 0 or not.
			if _, sym := e.(*value.SymInt); !ok || sym {
				known = false
				break
			}
			truth = append(truth, n != 0)
		}
	}
	if !known {
		n := c.Const(0)
		switch {
		case isEmpty(t.shape):
		case t.source != nil:
			n = trues(c, t.source)
		// The same mask used twice selects as many.
		default:
			n = dataDim(c, nil, c.Numel(t.shape))
		}
		for i := range out {
			out[i] = &indexTensor{shape: symshape.Shape{n}}
		}
		return out
	}
	for i := range out {
		out[i] = &indexTensor{elems: []value.Value{}}
	}
	count := int64(0)
	strides := ops.RowMajorInts(sizes)
	for k, b := range truth {
		if b {
			count++
			for i := range out {
				out[i].elems = append(out[i].elems, value.Int(k/strides[i]%sizes[i]))
			}
		}
	}
	for i := range out {
		out[i].shape = symshape.Shape{c.Const(count)}
	}
	return out
}

// knownIndices are the elements of t that are numbers, and whether all of them are.
func knownIndices(c *ops.Call, t *indexTensor) (vals []int64, all bool) {
	c.Th.Heap().Spend(len(t.elems))
	for _, e := range t.elems {
		if n, ok := e.(value.Int); ok {
			vals = append(vals, int64(n))
		}
	}
	return vals, t.elems != nil && len(vals) == len(t.elems)
}

// decisive are those of the indices of an axis of the size that decide whether all are in range: the first that is not, where the size is a
// number, and otherwise the least and the greatest. A condition for each index would say no more.
func decisive(indices []int64, size symshape.Dim) []int64 {
	if size.Known {
		for _, k := range indices {
			if k < -size.Val || k >= size.Val {
				return []int64{k}
			}
		}
	}
	if len(indices) == 0 {
		return nil
	}
	least, greatest := slices.Min(indices), slices.Max(indices)
	if least >= 0 || least == greatest {
		return []int64{greatest}
	}
	if greatest < 0 {
		return []int64{least}
	}
	return []int64{least, greatest}
}

// checkIndices checks known indices against the sizes and prepares picks. Indices that are not all
// known leave picks nil. False after a report.
func checkIndices(c *ops.Call, g *gathering) bool {
	g.picks = make([][]int64, len(g.at))
	empty := false
	for _, d := range g.index {
		empty = empty || ops.IsConst(d, 0)
	}
	for i, t := range g.at {
		if t == nil {
			continue
		}
		// An axis of size 0 has no element to select, unless nothing is selected.
		if ops.IsConst(g.view[i], 0) && !empty {
			if n, ok := c.Numel(g.index).Const(); ok && n > 0 {
				c.Errorf("IndexError", diag.DimOutOfRange, "dimension %d of size 0 cannot be indexed", i)
				return false
			}
		}
		// Where only the least and greatest element are known, both must be in range.
		for _, e := range t.ends {
			if !empty && g.view[i].Expr != nil {
				indexOf(c, e, g.view[i], i)
			}
		}
		size, sized := g.view[i].Const()
		vals, known := knownIndices(c, t)
		if !empty && g.view[i].Expr != nil {
			for _, k := range decisive(vals, g.view[i]) {
				indexOf(c, c.Const(k), g.view[i], i)
			}
			// A symbolic index makes the condition that it is in range.
			for _, e := range t.elems {
				if s, isSym := e.(*value.SymInt); isSym && s.D.Expr != nil && c.OK() {
					indexOf(c, s.D, g.view[i], i)
				}
			}
		}
		if !c.OK() {
			return false
		}
		if sized {
			for j, k := range vals {
				if k < 0 {
					vals[j] = k + size
				}
			}
		}
		if known && sized {
			g.picks[i] = broadcastInts(vals, t.shape, g.index)
		}
	}
	return c.OK()
}

// broadcastInts repeats values of shape from to shape to, or returns nil. nil also for more
// elements than are kept.
func broadcastInts(vals []int64, from, to symshape.Shape) []int64 {
	a, ok1 := ops.ConstShape(from)
	b, ok2 := ops.ConstShape(to)
	if !ok1 || !ok2 || ops.Product(b) > value.MaxElems || ops.Product(a) != len(vals) {
		return nil
	}
	steps := make([]int, len(b))
	in := ops.RowMajorInts(a)
	// An axis of size 1 is repeated by a step of 0.
	for i := range a {
		if a[i] != 1 {
			steps[len(b)-len(a)+i] = in[i]
		}
	}
	out := make([]int64, 0, ops.Product(b))
	forEachIndex(b, func(idx []int) {
		at := 0
		for i, k := range idx {
			at += k * steps[i]
		}
		out = append(out, vals[at])
	})
	return out
}

// forEachIndex calls f for all indices of a shape in row-major order. The slice is used again for
// each call.
func forEachIndex(sizes []int, f func(idx []int)) {
	n := ops.Product(sizes)
	idx := make([]int, len(sizes))
	for range n {
		f(idx)
		for k := len(sizes) - 1; k >= 0; k-- {
			if idx[k]++; idx[k] < sizes[k] {
				break
			}
			idx[k] = 0
		}
	}
}

// pick gathers the elements of the result from those of the view, or returns nil. They must be
// known for all of them.
func (g *gathering) pick(elems []value.Value) []value.Value {
	view, ok1 := ops.ConstShape(g.view)
	sizes, ok2 := ops.ConstShape(g.shape)
	index, ok3 := ops.ConstShape(g.index)
	if elems == nil || !ok1 || !ok2 || !ok3 || len(elems) != ops.Product(view) || ops.Product(sizes) > value.MaxElems {
		return nil
	}
	for i, t := range g.at {
		if t != nil && g.picks[i] == nil {
			return nil
		}
	}
	strides := ops.RowMajorInts(view)
	out := make([]value.Value, 0, ops.Product(sizes))
	forEachIndex(sizes, func(idx []int) {
		// Which of the picks belongs to an element is found by the index axes.
		k := 0 // position in the index tensors
		for j, n := range index {
			k = k*n + idx[g.first+j]
		}
		at, next := 0, 0
		for i := range view {
			if g.at[i] != nil {
				at += int(g.picks[i][k]) * strides[i]
				continue
			}
			// The index axes are passed over in the result.
			if next == g.first {
				next += len(index)
			}
			at += idx[next] * strides[i]
			next++
		}
		out = append(out, elems[at])
	})
	return out
}
