package torch

// This file holds x[...]: parsing of index expressions and the shape of what
// they select. Slices, ints, None and Ellipsis make a view; index tensors, lists
// and masks then gather from that view (gatherIndexed). The order of the steps
// follows torch/csrc/autograd/python_variable_indexing.cpp, and so do its
// oddities: a mask of two dimensions takes one place while the indices after it
// are applied. An axis of the view is described by an AxisMap: which axis of the base it comes
// from, with what step, or that it is new. Known elements are followed through the same maps.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var indexOps = [...]ops.Op{
	{Names: []string{"torch.Tensor.__getitem__"}, Sig: "(Tensor self, any key)", Rule: getitemRule,
		Form: graph.GetItem, Is: graph.View, Quirks: ops.TakesIndices,
		Trace: ops.AsksMasks, Doc: "indexing with ints, slices, None, Ellipsis, masks and index tensors"},
	{Names: []string{"torch.Tensor.__setitem__"}, Sig: "(Tensor self, any key, any value)", Rule: setitemRule,
		Form: graph.SetItem, Is: graph.Writes, Quirks: ops.OnFirst | ops.TakesIndices,
		Trace: ops.AsksMasks, Doc: "writes a value, broadcast, into what the index selects"},
	{Names: []string{"torch.select_scatter", "torch.Tensor.select_scatter"}, Sig: "(Tensor self, Tensor src, int dim, int index)",
		Rule: scatterViewRule,
		Doc:  "a copy with one index of a dimension replaced"},
	{Names: []string{"torch.slice_scatter", "torch.Tensor.slice_scatter"},
		Sig:  "(Tensor self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1)",
		Rule: scatterViewRule, Doc: "a copy with a slice replaced"},
	{Names: []string{"torch.diagonal_scatter", "torch.Tensor.diagonal_scatter"},
		Sig:  "(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1)",
		Rule: scatterViewRule, Doc: "a copy with a diagonal replaced"},
	{Names: []string{"torch.as_strided_scatter", "torch.Tensor.as_strided_scatter"},
		Sig: "(Tensor self, Tensor src, int[] size, int[] stride, int? storage_offset=None)", Rule: scatterViewRule,
		Doc: "a copy with a strided view replaced"},
}

// An indexer is the state of an index expression on its way. It is made by indexView for one key.
// base is not changed.
type indexer struct {
	c    *ops.Call
	base *value.Tensor
	axes []ops.AxisMap // of the view so far
	dim  int           // the axis of the view that comes next
	// The first index of each axis of the base, where it is not 0.
	start map[int]symshape.Dim
	adv   []*indexTensor // per axis of the view: what gathers from it, or nil
}

// An indexTensor selects along one axis. Elems are its contents where known. A mask's elements are
// truths. shape is that of the tensor or nested list.
type indexTensor struct {
	shape  symshape.Shape
	elems  []value.Value
	mask   bool
	source *graph.Value   // the mask; nil for a list
	ends   []symshape.Dim // the least and the greatest element, where elems is nil and they are known
}

// indexView parses key and makes the view that its basic parts select. nil after a report. More
// indices than axes are an IndexError.
func indexView(c *ops.Call, t *value.Tensor, key value.Value) *indexer {
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	ix := &indexer{c: c, base: t, axes: keepAll(s), start: map[int]symshape.Dim{}}
	items := ops.IndexItems(key)
	// What an Ellipsis stands for depends on how many axes the other indices take.
	used := 0
	for _, it := range items {
		used += ops.SpecifiedAxes(it)
	}
	if len(s) == 0 && used > 0 {
		// Only the message differs by what was used as an index.
		switch v := key.(type) {
		case *value.Slice:
			c.Errorf("IndexError", diag.RankMismatch, "slice cannot be applied to a 0-dim tensor")
		case *value.Tensor, *value.List, *value.Tuple:
		default:
			// A str may be meant for a dict, which the report says.
			if s, ok := v.(value.Str); ok {
				c.Saying(diag.Fact{Kind: diag.LacksKey, Of: t.String(), Names: []string{string(s)}})
			}
			c.Errorf("IndexError", diag.RankMismatch, "a 0-dim tensor cannot be indexed with %s; use item() to get its number", ops.TypeName(v))
		}
	}
	for _, it := range items {
		ix.apply(it, len(s)-used)
		if !c.OK() {
			return nil
		}
	}
	if used > len(s) {
		c.Errorf("IndexError", diag.RankMismatch, "too many indices for %s: it has %s, but %d were indexed", t,
			ops.CountWord(len(s), "dimension"), used)
		return nil
	}
	return ix
}

// room reports the fault that the view has no axis left. False after a report.
func (ix *indexer) room() bool {
	if ix.dim >= len(ix.axes) {
		ix.c.Errorf("IndexError", diag.RankMismatch, "too many indices for %s", ix.base)
		return false
	}
	return true
}

// apply applies one index. rest is the number of axes that an Ellipsis stands for.
func (ix *indexer) apply(v value.Value, rest int) {
	c := ix.c
	switch v := value.Plain(v).(type) {
	// None makes a new axis.
	case value.NoneType:
		ix.insert(c.Const(1))
		ix.dim++
	case value.EllipsisType:
		ix.dim += max(rest, 0)
	case *value.Slice:
		if !ix.room() {
			return
		}
		a := &ix.axes[ix.dim]
		k := sliceCut(c, a.Size, v.Start, v.Stop, v.Step)
		if a.From >= 0 {
			ix.start[a.From] = k.start
			*a = k.axis(c, ix.base, a.From)
		}
		ix.dim++
	case value.Bool:
		ix.truth(bool(v))
	// A truth that is not known selects one element or none.
	case *value.SymBool:
		ix.insert(c.Const(1))
		ix.record(&indexTensor{shape: symshape.Shape{dataDim(c, v.Source, c.Const(1))}})
	case value.Int, *value.SymInt, *value.BigInt:
		d, _ := value.AsDim(c.P, v)
		ix.selectAt(d)
	case *value.Tensor:
		ix.tensor(v)
	case *value.List, *value.Tuple, *value.Range:
		ix.sequence(v)
	case *value.Unknown, *value.Choice, *value.Abstract:
		c.Lose("an index is not known")
	case value.Str:
		c.Saying(diag.Fact{Kind: diag.LacksKey, Of: ix.base.String(), Names: []string{string(v)}})
		c.Errorf("TypeError", diag.TypeMismatch, "a tensor cannot be indexed with the str %s", value.StrRepr(string(v)))
	default:
		// An instance of a class that is not known may define __index__.
		if i, ok := v.(*value.Instance); ok && i.Class.UnknownBase != nil {
			c.Lose("an index is not known")
			return
		}
		c.Errorf("IndexError", diag.TypeMismatch, "a tensor cannot be indexed with %s", ops.TypeName(v))
	}
}

// insert adds an axis of size 1, for None, or for a bool. Its stride is the one that unsqueeze
// gives it. size is 1 for both.
func (ix *indexer) insert(size symshape.Dim) {
	if ix.c.Th.Step(len(ix.axes)/axesPerStep) != nil { // the run ends at its next step
		return
	}
	at := min(ix.dim, len(ix.axes))
	axes := append([]ops.AxisMap(nil), ix.axes[:at]...)
	stride := ix.c.P.Const(1)
	// Its stride plays no part for size 1 but shows in the type.
	if at < len(ix.axes) {
		if a := ix.axes[at]; a.From >= 0 {
			stride = ix.c.P.Mul(ix.c.StridesOf(ix.base)[a.From], a.Size.Expr)
		}
	}
	axes = append(axes, ops.NewAxis(size, stride))
	ix.axes = append(axes, ix.axes[at:]...)
}

// selectAt takes one index of the current axis, which goes: the view starts there. d may be
// negative. An index out of range is reported by indexOf.
func (ix *indexer) selectAt(d symshape.Dim) {
	if !ix.room() {
		return
	}
	a := ix.axes[ix.dim]
	at := indexOf(ix.c, d, a.Size, ix.dim)
	if a.From >= 0 {
		ix.start[a.From] = at
	}
	ix.axes = append(append([]ops.AxisMap(nil), ix.axes[:ix.dim]...), ix.axes[ix.dim+1:]...)
}

// record notes an index tensor at the current axis. A mask of several dimensions takes as many axes; in PyTorch
// 1 it counted as one place, and the indices after it were applied to the wrong axes.
func (ix *indexer) record(t *indexTensor) {
	for len(ix.adv) <= ix.dim {
		ix.adv = append(ix.adv, nil)
	}
	ix.adv[ix.dim] = t
	ix.dim++
	if t.mask && len(t.shape) > 1 && !ix.c.Torch1() {
		ix.dim += len(t.shape) - 1
	}
}

// truth applies a bool. x[True] is x[None] and x[False] is empty along the new axis.
func (ix *indexer) truth(b bool) {
	ix.insert(ix.c.Const(1))
	ix.record(boolIndex(ix.c, b))
}

// boolIndex makes what x[True] and x[False] stand for: an index of one element or of none along a new axis.
func boolIndex(c *ops.Call, b bool) *indexTensor {
	if b {
		return &indexTensor{shape: symshape.Shape{c.Const(1)}, elems: []value.Value{value.Int(0)}}
	}
	return &indexTensor{shape: symshape.Shape{c.Const(0)}, elems: []value.Value{}}
}

// dataDim is a size that the contents of source decide, at most limit. Without a source the size is
// one of its own.
func dataDim(c *ops.Call, source *graph.Value, limit symshape.Dim) symshape.Dim {
	d := c.Th.DataInt("u", 0, source).D
	if d.Expr != nil && limit.Expr != nil { // a fact, not a contract, since data decide it
		c.Th.Require(c.P.Le(d.Expr, limit.Expr), "")
	}
	return d
}

// tensor applies a tensor as an index. Without dimensions an integer selects as an int does, and a bool or
// uint8 acts as True or False; with dimensions a bool or uint8 tensor is a mask, and int64 (int32 since
// PyTorch 2) are indices. Other dtypes are an IndexError. An integer without dimensions makes a
// view, while with dimensions elements are gathered.
func (ix *indexer) tensor(t *value.Tensor) {
	c := ix.c
	ty := t.Type()
	if !ty.Ranked {
		c.Lose("the number of dimensions of an index is not known")
		return
	}
	switch d := ty.DType; {
	case d == dtype.Unknown:
		c.Lose("the dtype of an index is not known")
	case d.IsIntegralOrBool() && len(ty.Shape) == 0:
		e := t.Contents()
		switch {
		case d != dtype.Bool && d != dtype.U8:
			at := symshape.Dim{}
			if len(e) == 1 {
				at, _ = value.AsDim(c.P, e[0])
			}
			ix.selectAt(at)
		case len(e) == 1 && isBool(e[0]):
			ix.truth(e[0] == value.Value(value.Bool(true)))
		case len(e) == 1 && d == dtype.U8:
			n, ok := value.AsInt(e[0])
			if !ok {
				c.Lose("whether an index is true is not known")
				return
			}
			ix.truth(n != 0)
		// A truth that is not known.
		default:
			ix.insert(c.Const(1))
			ix.record(&indexTensor{shape: symshape.Shape{trues(c, t.V)}})
		}
	case d == dtype.Bool || d == dtype.U8:
		ix.record(&indexTensor{shape: ty.Shape, elems: t.Contents(), mask: true, source: t.V})
	case d == dtype.I64 || d == dtype.I32 && atLeastTorch2(c):
		it := &indexTensor{shape: ty.Shape, elems: t.Contents()}
		if it.elems == nil {
			it.ends = ops.ElemEnds(t)
		}
		ix.record(it)
	default:
		c.Errorf("IndexError", diag.DTypeMismatch, "tensors used as indices must be i64, u8 or bool, but got %s", t)
	}
}

func isBool(v value.Value) bool {
	_, ok := v.(value.Bool)
	return ok
}

// sequence makes an index tensor of a (nested) list of numbers. The list becomes a tensor: of bools
// a mask, of others int64, in which True is 1.
func (ix *indexer) sequence(v value.Value) {
	c := ix.c
	t := &indexTensor{}
	allBool, some := true, false
	ok := flattenSequence(c, v, 0, t, func(e value.Value) bool {
		switch e := value.Plain(e).(type) {
		case value.Bool, *value.SymBool:
		case value.Int, *value.SymInt:
			allBool = false
		case value.Float, *value.SymFloat: // the list becomes a tensor of ints
			allBool = false
			f, known := value.AsFloat(e)
			if !known {
				return false
			}
			t.elems = append(t.elems, value.Int(int64(f)))
			some = true
			return true
		case *value.Tensor: // a 0-dim tensor among numbers
			// Tensors with dimensions cannot be elements.
			if e.Type().Rank() != 0 {
				return false
			}
			allBool = allBool && e.Type().DType == dtype.Bool
			x := e.Contents()
			if len(x) != 1 {
				x = []value.Value{&value.SymInt{}}
			}
			t.elems = append(t.elems, x[0])
			some = true
			return true
		default:
			return false
		}
		some = true
		t.elems = append(t.elems, e)
		return true
	})
	switch {
	case !c.OK():
		return
	case !ok:
		c.Errorf("TypeError", diag.TypeMismatch, "a tensor cannot be indexed with %s", v)
		return
	}
	if t.elems == nil {
		t.elems = []value.Value{}
	}
	if some && allBool {
		t.mask = true
	} else {
		for i, e := range t.elems {
			if b, ok := e.(value.Bool); ok {
				t.elems[i] = value.Int(0)
				if b {
					t.elems[i] = value.Int(1)
				}
			}
		}
	}
	if t.mask && len(t.shape) == 0 || !ix.room() && !t.mask {
		return
	}
	ix.record(t)
}

// maxIndexNesting is how many dimensions a tensor has at most (MAX_DIMS in torch/csrc/utils/tensor_new.cpp).
const maxIndexNesting = 128

// flattenSequence walks a nested sequence, whose parts must have equal lengths. leaf adds an
// element, or gives false for one that cannot be in an index. The result is false after a report,
// and for a leaf that was refused.
func flattenSequence(c *ops.Call, v value.Value, depth int, t *indexTensor, leaf func(value.Value) bool) bool {
	if c.SetErr(c.Th.Enter("")); !c.OK() {
		return false
	}
	defer c.Th.Leave()
	if depth > maxIndexNesting {
		c.Errorf("ValueError", diag.RankMismatch, "a list used as an index is nested too deep")
		return false
	}
	if c.SetErr(c.Th.Step(1)); !c.OK() {
		return false
	}
	var elems []value.Value
	switch v := v.(type) {
	case *value.Tuple:
		elems = v.Elems
	case *value.List:
		if v.Open != nil {
			c.Lose("the length of a list used as an index is not known")
			return false
		}
		elems = v.Elems
	case *value.Range:
		if err := c.Th.Iterate(v, func(e value.Value) error { elems = append(elems, e); return nil }); err != nil {
			c.Lose("the length of a range used as an index is not known")
			return false
		}
	default:
		return depth == len(t.shape) && leaf(v)
	}
	n := c.Const(int64(len(elems)))
	switch {
	// The first list of a depth decides the size.
	case depth == len(t.shape):
		if len(t.elems) > 0 {
			return false
		}
		t.shape = append(t.shape, n)
	case t.shape[depth] != n:
		c.Errorf("ValueError", diag.BadValue, "expected sequences of equal length %s in an index, but one has %d", t.shape[depth], len(elems))
		return false
	}
	for _, e := range elems {
		if value.IsUnknown(e) {
			c.Lose("an index is not known")
			return false
		}
		if !flattenSequence(c, e, depth+1, t, leaf) {
			return false
		}
	}
	return true
}

// getitemRule: slices, ints and None alone give a view; with index tensors elements are gathered from that
// view. nil after a report.
func getitemRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	if !c.OK() {
		return nil
	}
	ix := indexView(c, t, c.Value("key"))
	if ix == nil {
		return nil
	}
	if len(ix.adv) == 0 {
		return c.ViewOf(t, ix.axes, ix.start)
	}
	return ix.gather()
}
