package torch

// This file holds cat, stack and their relatives, and the functions that give
// tensors a minimum number of dimensions. A join knows its inputs in one of two forms: as a list of
// tensors, each with its shape (joinInputs), or as a list of which only the number and the type of
// its elements are known, as a loop of unknown length makes it (openInputs). vstack and its kin
// bring the shapes to a rank first and then join as cat does.

import (
	"fmt"
	"math"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var joinOps = [...]ops.Op{
	{Names: []string{"torch.cat", "torch.concat", "torch.concatenate"}, Sig: "(Tensor[] tensors, int dim=0)", Out: true, Rule: catRule,
		Form: graph.Concat, Is: graph.KeepsAxes, Quirks: ops.NamedDims | ops.OneDevice, Doc: "joins tensors along a dimension"},
	{Names: []string{"torch._chunk_cat"}, Sig: "(Tensor[] tensors, int dim, int num_chunks)", Out: true, Rule: chunkCatRule,
		Doc: "the chunks of tensors, filled up to one size, joined chunk by chunk"},
	{Names: []string{"torch.stack"}, Sig: "(Tensor[] tensors, int dim=0)", Out: true, Rule: stackRule,
		Form: graph.Stack, Quirks: ops.OneDevice, Trace: ops.ComparesResult, Doc: "joins tensors along a new dimension"},
	{Names: []string{"torch.hstack"}, Sig: "(Tensor[] tensors)", Out: true, Rule: hstackRule,
		Quirks: ops.OneDevice, Doc: "joins along the second dimension, or the only one"},
	{Names: []string{"torch.vstack", "torch.row_stack"}, Sig: "(Tensor[] tensors)", Out: true, Rule: vstackRule,
		Quirks: ops.OneDevice, Doc: "joins along the first of at least two dimensions"},
	{Names: []string{"torch.dstack"}, Sig: "(Tensor[] tensors)", Out: true, Rule: dstackRule, Quirks: ops.OneDevice,
		Doc: "joins along the third dimension"},
	{Names: []string{"torch.column_stack"}, Sig: "(Tensor[] tensors)", Out: true, Rule: columnStackRule,
		Doc: "hstack, with vectors as columns"},
	{Names: []string{"torch.block_diag", "torch.functional.block_diag"}, Sig: "(*tensors)", Rule: blockDiagRule,
		Doc: "matrices along the diagonal of one"},
	{Names: []string{"torch.atleast_1d", "torch.functional.atleast_1d"}, Sig: "(*tensors)", Rule: atleastRule(1),
		Is: graph.View, Quirks: ops.InPython, Doc: "adds dimensions up to one"},
	{Names: []string{"torch.atleast_2d", "torch.functional.atleast_2d"}, Sig: "(*tensors)", Rule: atleastRule(2),
		Is: graph.View, Doc: "adds dimensions up to two"},
	{Names: []string{"torch.atleast_3d", "torch.functional.atleast_3d"}, Sig: "(*tensors)", Rule: atleastRule(3),
		Is: graph.View, Doc: "adds dimensions up to three"},
	{Names: []string{"torch.broadcast_tensors", "torch.functional.broadcast_tensors"}, Sig: "(*tensors)", Rule: broadcastTensorsRule,
		Is: graph.View, Doc: "expands tensors to their common shape"},
	{Names: []string{"torch.broadcast_shapes", "torch.functional.broadcast_shapes"}, Sig: "(*shapes)", Rule: broadcastShapesRule, Pure: true,
		Doc: "the shape that shapes are broadcast to"},
}

// joinInputs reads the list of tensors and gives the dtype of their join. An empty list is a
// RuntimeError; after that the call has failed.
func joinInputs(c *ops.Call) ([]*value.Tensor, dtype.DType) {
	ts := c.Tensors("tensors")
	if !c.OK() {
		return nil, 0
	}
	if len(ts) == 0 {
		c.Saying(diag.Fact{Kind: diag.EmptyList}).Errorf("RuntimeError", diag.BadValue, "%s() expects a non-empty list of tensors", c.Short())
		return nil, 0
	}
	return ts, promoteAll(c, ts)
}

// promoteAll is the dtype of a concatenation. Unlike in arithmetic all tensors count alike, those without
// dimensions, too.
func promoteAll(c *ops.Call, ts []*value.Tensor) dtype.DType {
	d := ts[0].Type().DType
	for _, t := range ts[1:] {
		d = c.Promote(d, t.Type().DType)
	}
	return d
}

// openInputs is the list of tensors when their number is not known: each is like elem. ok is false
// where the list is another one. That it has an element becomes a condition of the run.
func openInputs(c *ops.Call) (elem *value.Tensor, count symshape.Dim, ok bool) {
	l, isList := c.Value("tensors").(*value.List)
	if !isList || l.Open == nil {
		return nil, count, false
	}
	elem, isTensor := l.Open.Elem.(*value.Tensor)
	if !isTensor || !elem.Type().Ranked {
		return nil, count, false
	}
	count = l.Open.Len
	if !c.AtLeast(count, 1) {
		c.Saying(diag.Fact{Kind: diag.EmptyList}).Errorf("RuntimeError", diag.BadValue, "%s() expects a non-empty list of tensors", c.Short())
	}
	return elem, count, true
}

// openResult makes the result of a join of an open list, of the dtype and device of its elements.
func openResult(c *ops.Call, elem *value.Tensor, shape symshape.Shape) value.Value {
	return c.OutType(graph.TensorType{DType: elem.Type().DType, Ranked: true, Shape: shape, Device: elem.Type().Device})
}

// total is the sum of count sizes of which each is described by size: where data decide that, each
// of the sizes may be another, and the sum is a symbol of its own. Otherwise it is their product.
func total(c *ops.Call, size, count symshape.Dim) symshape.Dim {
	if size.Expr != nil {
		for _, s := range size.Expr.Symbols() {
			if s.IsFresh() {
				return c.Th.DataInt("n", 0, nil).D
			}
		}
	}
	return c.P.DimMul(size, count)
}

// catRule: sizes must be equal on all axes but one, on which they add up. A list of unknown length is a number
// of tensors of one type (openInputs): the result's axis is that number times the size. Tensors of shape [0]
// are passed over, as they were before PyTorch had empty tensors of several dimensions; concat does that.
func catRule(c *ops.Call) value.Value {
	if elem, count, ok := openInputs(c); ok {
		s := elem.Type().Shape
		axis := c.Axis("dim", len(s))
		if len(s) == 0 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "%s(): 0-dim tensors cannot be joined", c.Short())
		}
		if !c.OK() {
			return nil
		}
		return openResult(c, elem, ops.With(s, axis, total(c, s[axis], count)))
	}
	ts, d := joinInputs(c)
	if !c.OK() {
		return nil
	}
	return concat(c, ts, shapesOf(c, ts), d, c.Value("dim"))
}

// shapesOf gives the shapes of the tensors; a tensor without a known rank ends the rule, as c.Shape says.
func shapesOf(c *ops.Call, ts []*value.Tensor) []symshape.Shape {
	shapes := make([]symshape.Shape, len(ts))
	for i, t := range ts {
		shapes[i] = c.Shape(t)
	}
	return shapes
}

// concat joins tensors taken with the given shapes along dim. All have the rank of the first one
// that is no legacy empty tensor, and equal sizes but on the axis, where they add up. A tensor of
// shape [0] fits anything, as in PyTorch. A 0-dim tensor is refused.
func concat(c *ops.Call, ts []*value.Tensor, shapes []symshape.Shape, d dtype.DType, dim value.Value) value.Value {
	if !c.OK() {
		return nil
	}
	// The first tensor that counts decides rank and sizes.
	first := -1
	for i, s := range shapes {
		if len(s) == 0 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "%s(): tensor number %d is 0-dim and cannot be joined", c.Short(), i)
		}
		if first < 0 && !isLegacyEmpty(s) {
			first = i
		}
	}
	rank := 1
	if first >= 0 {
		rank = len(shapes[first])
	}
	n, ok := value.AsInt(dim)
	if t, isTensor := dim.(*value.Tensor); isTensor && len(t.Contents()) == 1 {
		n, ok = value.AsInt(t.Contents()[0])
	}
	if !ok {
		if dim == value.None {
			return c.Errorf("RuntimeError", diag.BadValue, "%s(): dim must not be None", c.Short())
		}
		if d, symbol := value.AsDim(c.P, dim); symbol {
			c.AxisOf(d, "dim", rank)
		}
		return c.Lose("the value of 'dim' is not known")
	}
	if first < 0 && c.Torch1() { // dim is not looked at
		n = 0
	}
	axis := c.WrapAxis(int(n), rank)
	if !c.OK() {
		return nil
	}
	if first < 0 {
		return joined(c, ts, shapes, d, symshape.Shape{c.Const(0)}, 0)
	}
	out := append(symshape.Shape(nil), shapes[first]...)
	for i, s := range shapes {
		if i == first || isLegacyEmpty(s) {
			continue
		}
		// A vector whose size may be 0 could be one that is passed over: what is then is not
		// decided.
		if len(s) != rank {
			if len(s) == 1 && s[0].Expr != nil && c.Decide(c.P.Eq(s[0].Expr, c.P.Const(0))) == symshape.Unknown {
				return c.Lose("whether a tensor is empty is not known")
			}
			return c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs equal numbers of dimensions, but got %s and %s", c.Short(), ts[first],
				ts[i])
		}
		for k := range s {
			if k == axis {
				out[k] = sum(c, out[k], s[k])
				continue
			}
			same, ok := c.Same(out[k], s[k])
			if !ok {
				c.Blame(ops.Ref{Tensor: ts[first], Axis: k}, ops.Ref{Tensor: ts[i], Axis: k})
				return c.Shapef("%s(): sizes must match except in dimension %d, but dimension %d is %s in %s and %s in tensor number %d, %s",
					c.Short(), axis, k, out[k], ts[first], s[k], int64(i), ts[i]) // a list, and so its sizes, is the program's
			}
			out[k] = same
		}
	}
	return joined(c, ts, shapes, d, out, axis)
}

// sum adds two sizes. A sum with too many terms for an expression becomes a
// symbol of its own, within the same bounds.
func sum(c *ops.Call, a, b symshape.Dim) symshape.Dim {
	s := c.P.DimAdd(a, b)
	if s.Expr != nil || a.Expr == nil || b.Expr == nil {
		return s
	}
	f := c.Th.Facts()
	alo, ahi := f.Range(a.Expr)
	blo, bhi := f.Range(b.Expr)
	if alo < 0 || blo < 0 || alo > math.MaxInt64-blo {
		return s
	}
	whole := c.Th.DataInt("u", alo+blo, nil).D
	if ahi < symshape.PosInf-bhi {
		c.Th.Require(c.P.Le(whole.Expr, c.P.Const(ahi+bhi)), "")
	}
	return symshape.Dim{Expr: whole.Expr, Val: s.Val, Known: s.Known}
}

// isLegacyEmpty reports whether a tensor has shape [0], the only empty one that PyTorch had before
// 0.4.
func isLegacyEmpty(s symshape.Shape) bool { return len(s) == 1 && ops.IsConst(s[0], 0) }

// joined makes the result of a concatenation with its contents.
func joined(c *ops.Call, ts []*value.Tensor, shapes []symshape.Shape, d dtype.DType, shape symshape.Shape, axis int) *value.Tensor {
	out := c.OutType(graph.TensorType{DType: d, Ranked: true, Shape: shape, Device: deviceOf(ts)})
	for _, t := range ts {
		if len(shape) >= 4 && t.Type().Strides != nil { // the order in memory may follow that of the inputs
			out.Type().Strides = make([]*symshape.Expr, len(shape))
		}
	}
	out.SetContents(joinContents(c, ts, shapes, d, shape, axis))
	return out
}

// deviceOf is the first device that is known: functions of several tensors need them on one.
func deviceOf(ts []*value.Tensor) string {
	for _, t := range ts {
		if d := t.Type().Device; d != "" {
			return d
		}
	}
	return ""
}

// joinContents interleaves tracked contents, or returns nil where one is not known or there are
// more than value.MaxElems. Elements are converted to the dtype of the result.
func joinContents(c *ops.Call, ts []*value.Tensor, shapes []symshape.Shape, d dtype.DType, shape symshape.Shape, axis int) []value.Value {
	sizes, ok := ops.ConstShape(shape)
	if !ok || ops.Product(sizes) > value.MaxElems {
		return nil
	}
	// Each block of a part has the elements that follow one index of the axes before the join's.
	outer, inner := ops.Product(sizes[:axis]), ops.Product(sizes[axis+1:])
	parts := make([][]value.Value, 0, len(ts))
	for i, t := range ts {
		e := t.Contents()
		s, ok := ops.ConstShape(shapes[i])
		if e == nil || !ok || ops.Product(s) != len(e) {
			return nil
		}
		if isLegacyEmpty(shapes[i]) {
			continue
		}
		parts = append(parts, e)
	}
	out := make([]value.Value, 0, outer*sizes[axis]*inner)
	for k := range outer {
		for _, e := range parts {
			n := len(e) / max(outer, 1)
			for _, v := range e[k*n : (k+1)*n] {
				x := c.CastElem(d, v)
				if x == nil {
					return nil
				}
				out = append(out, x)
			}
		}
	}
	return out
}

// chunkCatRule cuts dimension dim of each tensor in so many parts, the last filled up
// with zeros, lays out what is in a part in one row, and joins the rows.
func chunkCatRule(c *ops.Call) value.Value {
	list, n := c.Tensors("tensors"), c.Dim("num_chunks")
	if !c.OK() {
		return nil
	}
	if !c.AtLeast(n, 1) {
		return c.Errorf("RuntimeError", diag.BadValue, "_chunk_cat() needs a positive number of chunks, not %s", n)
	}
	if len(list) == 0 {
		return c.Errorf("RuntimeError", diag.BadCall, "_chunk_cat() needs tensors")
	}
	first := c.Shape(list[0])
	// row is the number of elements in a row of the result: for each tensor that of a part.
	axis, row := c.Axis("dim", len(first)), c.Const(0)
	for _, t := range list {
		s := c.Shape(t)
		if !c.OK() || !sameDTypes(c, list[0], t, "tensors") {
			return nil
		}
		if isEmpty(s) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "_chunk_cat() takes no empty tensor: %s", t)
		}
		if axis >= len(s) {
			return c.Errorf("RuntimeError", diag.RankMismatch, "_chunk_cat(): %s has no dimension %d", t, axis)
		}
		if !c.SameSizes(first[:axis], s[:axis]) {
			return c.Shapef("_chunk_cat(): the sizes before dimension %d differ: %s and %s", axis, list[0], t)
		}
		row = c.P.DimAdd(row, c.P.DimMul(c.P.DimCeilDiv(s[axis], n), c.Numel(s[axis+1:])))
	}
	return c.Out(list[0].Type().DType, append(append(symshape.Shape(nil), first[:axis]...), n, row))
}

// stackRule: all shapes must be equal, also the axes of size 1 and empty tensors, unlike for cat. The sizes
// that two tensors agree on are taken from whichever of them is known.
func stackRule(c *ops.Call) value.Value {
	if elem, count, ok := openInputs(c); ok {
		s := elem.Type().Shape
		axis := newAxisIndex(c, c.Int("dim"), len(s))
		if !c.OK() {
			return nil
		}
		return openResult(c, elem, ops.Insert(s, axis, count))
	}
	ts, d := joinInputs(c)
	if !c.OK() {
		return nil
	}
	shapes := shapesOf(c, ts)
	if !c.OK() {
		return nil
	}
	axis := newAxisIndex(c, c.Int("dim"), len(shapes[0]))
	if !c.OK() {
		return nil
	}
	s := append(symshape.Shape(nil), shapes[0]...)
	for i, t := range shapes[1:] {
		fits := len(t) == len(s)
		for k := 0; fits && k < len(s); k++ {
			s[k], fits = c.Same(s[k], t[k])
			if !fits {
				c.Blame(ops.Ref{Tensor: ts[0], Axis: k}, ops.Ref{Tensor: ts[i+1], Axis: k})
			}
		}
		if !fits {
			return c.Shapef("stack() needs tensors of equal shape, but got %s and, as number %d, %s", ts[0], i+1, ts[i+1])
		}
	}
	// In the contents each tensor is a slice of size 1 along the new axis.
	for i := range shapes {
		shapes[i] = ops.Insert(shapes[i], axis, c.Const(1))
	}
	return joined(c, ts, shapes, d, ops.Insert(s, axis, c.Const(int64(len(ts)))), axis)
}

// hstackRule: vectors are joined end to end (axis 0), everything else along axis 1; the first tensor decides.
// Numbers count as vectors of one element.
func hstackRule(c *ops.Call) value.Value {
	ts, d := joinInputs(c)
	shapes := atleastShapes(c, ts, 1)
	if !c.OK() {
		return nil
	}
	dim := value.Int(1)
	if len(shapes[0]) == 1 {
		dim = 0
	}
	return concat(c, ts, shapes, d, dim)
}

// vstackRule: at::atleast_2d makes a vector a row, and rows are stacked.
func vstackRule(c *ops.Call) value.Value {
	ts, d := joinInputs(c)
	return concat(c, ts, atleastShapes(c, ts, 2), d, value.Int(0))
}

// dstackRule: at::atleast_3d makes a vector [1,N,1] and a matrix [M,N,1], and these are joined along the third
// axis.
func dstackRule(c *ops.Call) value.Value {
	ts, d := joinInputs(c)
	return concat(c, ts, atleastShapes(c, ts, 3), d, value.Int(2))
}

// columnStackRule: vectors become columns, unlike by atleast_2d, which makes rows of them; a number is a column
// of one element.
func columnStackRule(c *ops.Call) value.Value {
	ts, d := joinInputs(c)
	shapes := shapesOf(c, ts)
	if !c.OK() {
		return nil
	}
	for i, s := range shapes {
		if len(s) <= 1 {
			shapes[i] = symshape.Shape{c.Numel(s), c.Const(1)}
		}
	}
	return concat(c, ts, shapes, d, value.Int(1))
}

// atleastShapes are the shapes of the tensors with a minimum number of dimensions.
func atleastShapes(c *ops.Call, ts []*value.Tensor, rank int) []symshape.Shape {
	shapes := shapesOf(c, ts)
	if c.OK() {
		for i := range shapes {
			shapes[i] = atleastShape(c, shapes[i], rank)
		}
	}
	return shapes
}

// atleastShape adds sizes of 1: a vector becomes a row, a matrix gets a last dimension.
func atleastShape(c *ops.Call, s symshape.Shape, rank int) symshape.Shape {
	one := c.Const(1)
	for len(s) < rank {
		if len(s) == 1 {
			s = symshape.Shape{one, s[0]}
		} else {
			s = append(append(symshape.Shape(nil), s...), one)
		}
	}
	return s
}

// restTensors reads *tensors, which may be one list or tuple of tensors; wrapped says that it was.
// Elements that are no tensors are a TypeError.
func restTensors(c *ops.Call) (ts []*value.Tensor, wrapped bool) {
	elems := c.Rest()
	if len(elems) == 1 && ops.IsSequence(elems[0]) {
		wrapped = true
		switch v := elems[0].(type) {
		case *value.Tuple:
			elems = v.Elems
		case *value.List:
			if v.Open != nil {
				c.Lose("the length of a list is not known")
				return nil, true
			}
			elems = v.Elems
		}
	}
	for i, e := range elems {
		switch e := e.(type) {
		case *value.Tensor:
			ts = append(ts, e)
		case *value.Unknown, *value.Choice:
			c.Lose("argument %d is not known", i)
			return nil, wrapped
		default:
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): expected a Tensor as argument %d, not %s", c.Short(), i, ops.TypeName(e))
			return nil, wrapped
		}
	}
	return ts, wrapped
}

// atleastRule makes the rule of atleast_1d, _2d and _3d. They take one tensor, several, or one sequence of
// them, and give one tensor or a tuple accordingly. A tensor with enough dimensions comes back as the same
// object, not as a view.
func atleastRule(rank int) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		ts, wrapped := restTensors(c)
		out := make([]value.Value, len(ts))
		for i, t := range ts {
			s := c.Shape(t)
			if !c.OK() {
				return nil
			}
			if len(s) >= rank {
				out[i] = itself(c, t)
			} else {
				out[i] = reshaped(c, t, atleastShape(c, s, rank))
			}
		}
		if !c.OK() {
			return nil
		}
		if len(out) == 1 && !wrapped {
			return out[0]
		}
		if len(out) == 0 && wrapped {
			return value.NewTuple()
		}
		return value.NewTuple(out...)
	}
}

// blockDiagRule: the blocks lie on the diagonal, so rows and columns add up by themselves. Vectors are blocks
// of one row. Of no tensors at all the result is [1,0], as PyTorch makes it.
func blockDiagRule(c *ops.Call) value.Value {
	ts, wrapped := restTensors(c)
	if wrapped && c.OK() {
		return c.Errorf("TypeError", diag.TypeMismatch, "block_diag() takes tensors as separate arguments")
	}
	rows, cols := c.Const(0), c.Const(0)
	if len(ts) == 0 {
		rows = c.Const(1)
	}
	for i, t := range ts {
		s := c.Shape(t)
		if !c.OK() {
			return nil
		}
		if len(s) > 2 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "block_diag() takes tensors of at most 2 dimensions, but number %d is %s", i, t)
		}
		c.Th.Heap().Spend(1) // for sums that are longer each time
		// A number is a block of one element.
		s = atleastShape(c, s, 2)
		rows, cols = c.P.DimAdd(rows, s[0]), c.P.DimAdd(cols, s[1])
	}
	d := c.DefaultDType()
	if len(ts) > 0 {
		operands := make([]dtype.Operand, len(ts))
		for i, t := range ts {
			operands[i] = dtype.TensorOp(t.Type().DType, t.Type().Rank())
		}
		d = dtype.ResultType(d, operands...)
	}
	return c.OutType(graph.TensorType{DType: d, Ranked: true, Shape: symshape.Shape{rows, cols}, Device: deviceOf(ts)})
}

// broadcastTensorsRule gives each tensor as a view in the common shape, as expand does.
func broadcastTensorsRule(c *ops.Call) value.Value {
	ts, _ := restTensors(c)
	if !c.OK() {
		return nil
	}
	shape := c.BroadcastTensors(ts...)
	out := make([]value.Value, len(ts))
	for i, t := range ts {
		if !c.OK() {
			return nil
		}
		out[i] = expanded(c, t, shape)
	}
	return value.NewTuple(out...)
}

// broadcastShapesRule takes ints and sequences of ints that are not negative, and returns the torch.Size
// to which they broadcast. A float that is an integer may be compared with other sizes, but not be in the
// result.
func broadcastShapesRule(c *ops.Call) value.Value {
	// A single int is a shape of one size.
	var shapes []symshape.Shape
	var floats [][]bool // sizes that are floats: they may be compared, but not be in the result
	for _, v := range c.Rest() {
		elems := []value.Value{v}
		switch v := v.(type) {
		case *value.Tuple:
			elems = v.Elems
		case *value.List:
			if v.Open != nil {
				return c.Lose("the length of a shape is not known")
			}
			elems = v.Elems
		}
		s, isF := make(symshape.Shape, len(elems)), make([]bool, len(elems))
		for i, e := range elems {
			if f, isFloat := e.(value.Float); isFloat && f == value.Float(int64(f)) { // only compared
				e, isF[i] = value.Int(f), true
			}
			d, ok := value.AsDim(c.P, e)
			switch {
			case value.IsUnknown(e):
				return c.Lose("a size is not known")
			case !ok && ops.IsSequence(v):
				return c.Errorf("TypeError", diag.TypeMismatch, "broadcast_shapes(): a size must be int, not %s", ops.TypeName(e))
			case !ok:
				return c.Errorf("RuntimeError", diag.TypeMismatch, "broadcast_shapes() takes shapes, not %s", ops.TypeName(e))
			}
			if n, known := ops.DimVal(d); known && n < 0 {
				return c.Errorf("RuntimeError", diag.InvalidSize, "broadcast_shapes(): size %d is negative", n)
			}
			s[i] = d
		}
		shapes, floats = append(shapes, s), append(floats, isF)
	}
	out, axis, ok := c.Broadcast(shapes...)
	if !ok {
		return c.Measuring("broadcast_shapes", valuesOf(shapes)...).Shapef("%s",
			fmt.Sprintf("shapes %v cannot be broadcast together: dimension %d differs", shapes, -axis))
	}
	elems := make([]value.Value, len(out))
	for i, d := range out {
		elems[i] = value.FromDim(d)
		for k, s := range shapes { // the first size that is not 1 is taken
			if j := i - len(out) + len(s); j >= 0 && !ops.IsConst(s[j], 1) {
				if floats[k][j] {
					return c.Errorf("TypeError", diag.TypeMismatch, "broadcast_shapes(): a size must be int, not float")
				}
				break
			}
		}
	}
	t := value.NewTuple(elems...)
	t.Class = c.Th.Class("torch.Size")
	return t
}

// valuesOf are shapes as values of a message.
func valuesOf(shapes []symshape.Shape) []any {
	out := make([]any, len(shapes))
	for i, s := range shapes {
		out[i] = s
	}
	return out
}
