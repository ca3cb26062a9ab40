package torch

// This file holds x[...] = v. An assignment is a node of the graph whose result is the tensor from
// then on (Mutate); views of the same memory see it, too. The key is read as in x[...] (index.go).

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// setitemRule finds the part that is selected, checks that the value fits it, and follows known
// elements. The result is None, as that of a statement. The type of the tensor stays what it was;
// errors are those of the key, of a value that does not fit and of a part that overlaps itself.
func setitemRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	if !c.OK() {
		return nil
	}
	ix := indexView(c, t, c.Value("key"))
	if ix == nil {
		return nil
	}
	// A number of a subclass, as a member of an IntEnum, counts as its plain number.
	v := value.Plain(c.Value("value"))
	view := shapeOf(ix.axes)
	target := view
	// Index arrays select elements one by one; else the part is a view.
	var g *gathering
	if len(ix.adv) > 0 {
		if g = ix.resolve(); g == nil {
			return nil
		}
		target = g.shape
	}
	if !assignable(c, t, v, target, g != nil) || g == nil && !writable(c, t, ix, v) {
		return nil
	}
	elems := assigned(c, t, ix, g, v)
	old := *t // the node's operand is the tensor as it was
	c.Args[0] = &old
	out := c.OutType(*t.Type())
	t.Mutate(c.Th.Heap(), out.V, elems)
	return value.None
}

// assignable checks that v fits the selected part of t: a number must fit the dtype, a tensor
// broadcast to the shape. gathered says that index arrays selected the part. It reports whether
// there is no fault. Of values that are not known, or one of two, nothing is refused.
func assignable(c *ops.Call, t *value.Tensor, v value.Value, target symshape.Shape, gathered bool) bool {
	d := t.Type().DType
	switch v := v.(type) {
	// A complex number without an imaginary part can be written to a real tensor.
	case value.Complex:
		if d != dtype.Unknown && !d.IsComplex() && imag(complex128(v)) != 0 {
			c.Errorf("RuntimeError", diag.DTypeMismatch, "a complex number cannot be written into a tensor of %s", d)
		}
	case value.Int, value.Float:
		// One element is filled without a look at floating-point numbers.
		n, known := c.Numel(target).Const()
		if one := known && n == 1; !ops.FitsDType(v, d) && !(d.IsFloat() && (one && !gathered || c.Torch1())) {
			c.Errorf("RuntimeError", diag.BadValue, "%s does not fit into %s", ops.NumberText(v), d)
		}
	case value.Bool, *value.SymInt, *value.SymBool, *value.SymFloat, *value.BigInt:
	case *value.Tensor:
		if ops.IsArray(v) && c.Lib.OwnArrays {
			c.Errorf("TypeError", diag.TypeMismatch, "an array cannot be assigned to a part of a tensor: use torch.from_numpy")
		}
		fitsPart(c, t, v, target, gathered)
	case *value.Unknown, *value.Choice, *value.Abstract:
		return true
	default:
		c.Errorf("TypeError", diag.TypeMismatch, "%s cannot be assigned to an element of a tensor", ops.TypeName(v))
	}
	return c.OK()
}

// writable checks that a tensor of one dimension or more is not copied to a part of which several
// elements are one place in memory, as expand makes them. It reports whether there is no fault. A
// number, and a tensor without axes, is filled in instead of copied, which PyTorch allows there.
func writable(c *ops.Call, t *value.Tensor, ix *indexer, v value.Value) bool {
	x, ok := v.(*value.Tensor)
	if !ok || t.Type().Strides == nil || x.Type().Rank() <= 0 {
		return true
	}
	part := graph.TensorType{Shape: shapeOf(ix.axes), Strides: c.MapStrides(c.StridesOf(t), ix.axes)}
	if ops.Repeating(&part) {
		c.Errorf("RuntimeError", diag.BadValue,
			"several elements of the part that is written to are one place in memory: clone the tensor first: %s", t)
	}
	return c.OK()
}

// fitsPart checks that v broadcasts to the part. By index arrays the dtypes must be equal, but for
// scalars. Leading axes of one element of the value are dropped if it has more axes than the part.
// Then the sizes are compared from the right: each is that of the part or 1.
func fitsPart(c *ops.Call, t, v *value.Tensor, target symshape.Shape, gathered bool) {
	have := c.Shape(v)
	if !c.OK() {
		return
	}
	d, e := t.Type().DType, v.Type().DType
	if gathered && d != e && d != dtype.Unknown && e != dtype.Unknown && len(have) > 0 {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "index assignment needs equal dtypes, but the tensor is %s and the value %s", t, v)
		return
	}
	s := have
	if gathered || len(s) > len(target) { // leading sizes of 1 do not count
		for len(s) > 0 && len(s) > len(target) && ops.IsConst(s[0], 1) {
			s = s[1:]
		}
	}
	if !c.BroadcastsTo(s, target) {
		c.Errorf("RuntimeError", diag.ShapeMismatch, "a value of shape %s cannot be broadcast to the indexed part of shape %s", have, target)
	}
}

// assigned returns the contents of t after the assignment, or nil where not all are known. It makes
// the same selection in a tensor of positions, 0, 1, 2 … in row-major order, which gives the place
// of each written element. Of a place that is selected twice the last value stays; PyTorch
// documents no order.
func assigned(c *ops.Call, t *value.Tensor, ix *indexer, g *gathering, v value.Value) []value.Value {
	elems := t.Contents()
	shape, ok := ops.ConstShape(t.Type().Shape)
	if elems == nil || !ok || ops.Product(shape) != len(elems) {
		return nil
	}
	// Index a tensor of positions in the same way.
	positions := make([]value.Value, len(elems))
	for i := range positions {
		positions[i] = value.Int(i)
	}
	probe := &value.Tensor{V: t.V, Elems: positions}
	at := c.MapContents(probe, ix.axes, ix.start)
	target := shapeOf(ix.axes)
	if g != nil {
		at = g.pick(at)
		target = g.shape
	}
	if at == nil {
		return nil
	}
	vals := spread(c, v, target, len(at))
	if vals == nil {
		return nil
	}
	out := append([]value.Value(nil), elems...)
	for i, p := range at {
		x := c.CastElem(t.Type().DType, vals[i])
		if x == nil {
			return nil
		}
		out[int(p.(value.Int))] = x
	}
	return out
}

// spread broadcasts a value to n elements of shape target, or returns nil where they are not known.
// A number is repeated. Axes of one element get a step of 0, and so do those that the value lacks.
func spread(c *ops.Call, v value.Value, target symshape.Shape, n int) []value.Value {
	t, ok := v.(*value.Tensor)
	if !ok {
		out := make([]value.Value, n)
		for i := range out {
			out[i] = v
		}
		return out
	}
	elems := t.Contents()
	from, ok1 := ops.ConstShape(t.Type().Shape)
	to, ok2 := ops.ConstShape(target)
	if elems == nil || !ok1 || !ok2 || ops.Product(from) != len(elems) {
		return nil
	}
	for len(from) > len(to) {
		from = from[1:]
	}
	in := ops.RowMajorInts(from)
	steps := make([]int, len(to))
	for i := range from {
		if from[i] != 1 {
			steps[len(to)-len(from)+i] = in[i]
		}
	}
	return ops.PickStrided(elems, to, steps, 0)
}
