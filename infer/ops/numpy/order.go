package numpy

// This file says in which order the elements of new arrays lie in memory: what order= of
// functions that make and copy arrays asks for.

import (
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// orderOf reads order= as one of C, F, A and K; without one it is def.
func orderOf(c *ops.Call, def string) string {
	if !c.HasParam("order") {
		return def
	}
	if s, ok := value.AsStr(c.Value("order")); ok && len(s) == 1 {
		return strings.ToUpper(s)
	}
	return def
}

// lay gives out, a new array, the order that is asked for: rows first (C), columns first (F), columns
// where src has them (A), or that of src (K). Without src K and A are C.
func lay(c *ops.Call, out, src *value.Tensor, order string) {
	if out == nil || !c.OK() || !out.Type().Ranked {
		return
	}
	out.Type().Strides = nil
	if src != nil && (!src.Type().Ranked || len(src.Type().Shape) != len(out.Type().Shape)) {
		src = nil
	}
	switch {
	case order == "F", order == "A" && src != nil && columnsFirst(c, src):
		c.SetStrides(out, columnStrides(c, out.Type().Shape))
	case order == "K" && src != nil && src.Type().Strides != nil:
		c.SetStrides(out, c.PointwiseStrides(out.Type().Shape, []*value.Tensor{src}))
	}
}

// columnStrides are the strides of an array whose first axis is the innermost.
func columnStrides(c *ops.Call, s symshape.Shape) []*symshape.Expr {
	back := slices.Clone(s)
	slices.Reverse(back)
	out := c.RowMajor(back)
	slices.Reverse(out)
	return out
}

// columnsFirst reports whether t surely lies with the first axis innermost, and not also in C order.
func columnsFirst(c *ops.Call, t *value.Tensor) bool {
	ty := t.Type()
	if !ty.Ranked || ty.Strides == nil {
		return false
	}
	s, strides := slices.Clone(ty.Shape), slices.Clone(ty.Strides)
	slices.Reverse(s)
	slices.Reverse(strides)
	return c.IsRowMajor(s, strides)
}

// copied is a copy of t in the order that is asked for.
func copied(c *ops.Call, t *value.Tensor, order string) *value.Tensor {
	out := c.DelegateTensor("torch.clone", []value.Value{t})
	lay(c, out, t, order)
	return out
}

// readOrder is the order in which elements are read: that of order=, where A and K are what the
// array's own memory makes of them. It is "" where that is neither C nor F, or not known.
func readOrder(c *ops.Call, t *value.Tensor) string {
	order := orderOf(c, "C")
	if order != "A" && order != "K" {
		return order
	}
	switch ty := t.Type(); {
	case !ty.Ranked || len(ty.Shape) < 2:
		return "C"
	case columnsFirst(c, t):
		return "F"
	case order == "A" || ty.Strides == nil:
		return "C"
	}
	return ""
}

// lockArray is the rule of setflags: what follows of write= is kept, the other flags say nothing of sizes.
func lockArray(c *ops.Call) value.Value {
	t, ok := c.Value("a").(*value.Tensor)
	if !ok {
		return c.Lose("the array is not known")
	}
	v := c.Value("write")
	if v == value.None {
		return value.None
	}
	n, known := value.AsInt(value.Plain(v))
	switch m := memoryOf(t.V); {
	case !known:
		return c.Lose("whether an array may be written to")
	case n == 0:
		t.Lock(c.Th.Heap(), true)
	case t.Locked && m.known && !m.own, m.known && !m.writeable:
		return c.Errorf("ValueError", diag.BadValue, "setflags(): the memory of %s is another array's, and cannot be made writeable here", t)
	default:
		t.Lock(c.Th.Heap(), false)
	}
	return value.None
}

// stridedArray is the rule of as_strided, by strides in bytes. What surely lies within the array is
// PyTorch's function; of anything else only the type is known, and that it shares the memory.
func stridedArray(c *ops.Call) value.Value {
	t := arrayArg(c, "x")
	if t == nil {
		return nil
	}
	s := arrayShape(c, c.Value("shape"))
	if !c.OK() || !t.Type().Ranked {
		return orLost(c, t, false)
	}
	sizes, constant := ops.ConstShape(s)
	bytes, ok, open := c.Sequence(c.Value("strides"))
	item := int64(t.Type().DType.Size())
	steps := make([]int, len(bytes))
	within := constant && ok && open == nil && item > 0 && len(bytes) == len(s) && t.Type().Strides == nil
	last := int64(0)
	for i, b := range bytes {
		n, known := value.AsInt(value.Plain(b))
		if within = within && known && n >= 0 && n%item == 0; within {
			steps[i] = int(n / item)
			last += n / item * int64(max(sizes[i]-1, 0))
		}
	}
	all, known := c.Numel(t.Type().Shape).Const()
	if !within || !known || last >= all {
		out := c.View(t, s)
		out.Type().Strides = make([]*symshape.Expr, len(s))
		return KeepArray(c, out)
	}
	dims, strides := make([]value.Value, len(s)), make([]value.Value, len(s))
	for i := range s {
		dims[i], strides[i] = value.Int(sizes[i]), value.Int(steps[i])
	}
	out := c.DelegateTensor("torch.as_strided", []value.Value{t, value.NewTuple(dims...), value.NewTuple(strides...)})
	if e := t.Contents(); out != nil && e != nil && len(e) == int(all) {
		out.SetContents(ops.PickStrided(e, sizes, steps, 0))
	}
	return KeepArray(c, out)
}
