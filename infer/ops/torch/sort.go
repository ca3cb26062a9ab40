package torch

// This file holds the records of sorting, searching, counting and of what finds
// elements by their values, with results whose sizes depend on data. The dtypes that a function
// takes are those of its CPU kernel. Results that hold elements have the dtype of the input,
// positions are int64. Where the number of results depends on data it is counted if the elements
// are known, and else a fresh symbol with the bounds that are certain. Named results (values and
// indices) are named tuples as in torch.return_types.

import (
	"cmp"
	"math"
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var sortOps = [...]ops.Op{
	{Names: spelled("sort"), Sig: "(Tensor input, int dim=-1, bool descending=False) | (Tensor input, *, bool? stable, int dim=-1, bool descending=False)", Rule: sortRule, Out: true,
		Quirks: ops.NamedDims, Doc: "sorted values and their indices"},
	{Names: spelled("argsort"), Sig: "(Tensor input, int dim=-1, bool descending=False) | (Tensor input, *, bool stable, int dim=-1, bool descending=False)", Rule: argsortRule,
		Quirks: ops.NamedDims, Doc: "indices that sort"},
	{Names: spelled("msort"), Sig: "(Tensor input)", Rule: msortRule, Out: true, ExactOut: true, Doc: "sorted along the first axis"},
	{Names: spelled("topk"), Sig: "(Tensor input, int k, int dim=-1, bool largest=True, bool sorted=True)", Rule: topkRule, Out: true,
		Trace: ops.SelectsNumber, Doc: "k greatest values and their indices"},
	{Names: spelled("torch.searchsorted"),
		Sig:  "(Tensor sorted_sequence, Operand input, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None)",
		Rule: searchsortedRule, Out: true, Doc: "insertion points"},
	{Names: spelled("torch.bucketize"), Sig: "(Operand input, Tensor boundaries, *, bool out_int32=False, bool right=False)",
		Rule: bucketizeRule, Out: true, Doc: "insertion points into one list"},
	{Names: spelled("nonzero"), Sig: "(Tensor input) | (Tensor input, *, bool as_tuple)", Rule: nonzeroRule, Out: true,
		Trace: ops.AsksElements | ops.EndsGraph | ops.SizesByElements, Doc: "indices of the elements that are not zero"},
	{Names: spelled("nonzero_static"), Sig: "(Tensor input, *, int size, int fill_value=-1)", Rule: nonzeroStaticRule, Out: true,
		ExactOut: true,
		Doc:      "indices of a given number of elements that are not zero, filled up"},
	{Names: spelled("argwhere"), Sig: "(Tensor input)", Rule: nonzeroRule,
		Trace: ops.EndsGraph | ops.SizesByElements, Doc: "indices of the elements that are not zero"},
	{Names: spelled("unique"), Sig: "(Tensor input, bool sorted=True, bool return_inverse=False, bool return_counts=False, int? dim=None)",
		Rule:   uniqueRule,
		Quirks: ops.InPython, Trace: ops.EndsGraph | ops.SizesByElements, Doc: "different elements, or slices along dim"},
	{Names: spelled("unique_consecutive"), Sig: "(Tensor input, bool return_inverse=False, bool return_counts=False, int? dim=None)",
		Rule:   uniqueRule,
		Quirks: ops.InPython, Variant: consecutive,
		Trace: ops.EndsGraph | ops.SizesByElements, Doc: "elements that differ from the one before"},
	{Names: spelled("bincount"), Sig: "(Tensor input, Tensor? weights=None, int minlength=0)", Rule: bincountRule,
		Doc: "frequencies of integers"},
	{Names: spelled("histc"), Sig: "(Tensor input, int bins=100, Scalar min=0, Scalar max=0)", Rule: histcRule, Out: true, ExactOut: true,
		Numbers: []ops.Converted{{Param: "min", To: ops.ToComputed}, {Param: "max", To: ops.ToComputed}}, Doc: "histogram"},
	{Names: spelled("histogram"), Sig: "(Tensor input, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) | (Tensor input, Tensor bins, *, Tensor? weight=None, bool density=False)", Rule: histogramRule, Out: true, Variant: flatHistogram, Doc: "histogram and edges of the bins"},
	{Names: spelled("torch.histogramdd"), Sig: "(Tensor input, any bins, float[]? range=None, Tensor? weight=None, bool density=False)",
		Rule: histogramddRule, Doc: "histogram over the last axis as coordinates"},
}

// ordered checks that there is an order for the dtype of t; a 0-dim tensor needs none. It reports
// whether there is. Its dtype is not looked at, as PyTorch copies it.
func ordered(c *ops.Call, t *value.Tensor, accept ops.DTypeSet) bool {
	return t.Type().Rank() == 0 || c.Accepts(accept, t.Type().DType)
}

// sortRule keeps the shape and the order of the axes in memory. Complex numbers have no order. The
// indices have the same strides. dim is checked where the rank is known.
func sortRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	scanAxis(c, t)
	if !ordered(c, t, realDTypes|ops.Unsigned) {
		return nil
	}
	return named(c, "sort", []string{"values", "indices"}, c.Preserving(t, t.Type().DType), c.Preserving(t, dtype.I64))
}

// argsortRule gives positions in the shape of the input. Its result is the indices of sort.
func argsortRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	scanAxis(c, t)
	if !ordered(c, t, realDTypes|ops.Unsigned) {
		return nil
	}
	return c.Preserving(t, dtype.I64)
}

// msortRule sorts along the first axis. A tensor without dimensions is given back in the same
// shape.
func msortRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil || !ordered(c, t, realDTypes|ops.Unsigned) {
		return nil
	}
	return c.Preserving(t, t.Type().DType)
}

// topkRule: k elements of the axis, no more than it has. A tensor without dimensions has one. The
// result has k in place of the axis. Bool has no kernel.
func topkRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	k := c.Dim("k")
	if t == nil || !c.OK() {
		return nil
	}
	axis := c.Axis("dim", len(s))
	if !c.OK() || !ordered(c, t, ops.RealNums) {
		return nil
	}
	if len(s) == 0 {
		if !selects(c, k, c.Const(1), t, 0, 0) {
			return nil
		}
		return named(c, "topk", []string{"values", "indices"}, c.Like(t, t.Type().DType), c.Like(t, dtype.I64))
	}
	if !selects(c, k, s[axis], t, axis, 0) {
		return nil
	}
	s = ops.With(s, axis, k)
	return named(c, "topk", []string{"values", "indices"}, c.Out(t.Type().DType, s), c.Out(dtype.I64, s))
}

// searchType is the dtype of indices: int64, or int32 with out_int32. out_int32 must be a bool.
func searchType(c *ops.Call) dtype.DType {
	if c.Bool("out_int32") {
		return dtype.I32
	}
	return dtype.I64
}

// searchsortedRule needs a sequence of at least one dimension, and a sorter of int64 with its shape. An
// input of any shape fits a vector, and otherwise one of equal rank and sizes but for the last; a number
// needs a vector. side "left" and right=True exclude each other. The result has the input's shape and is
// int64, or int32 on demand. The documentation of torch.searchsorted has these demands.
func searchsortedRule(c *ops.Call) value.Value {
	seq := c.Tensor("sorted_sequence")
	s := c.Shape(seq)
	if seq == nil || !c.OK() || !searchable(c, seq) {
		return nil
	}
	if c.Has("side") {
		side := c.Str("side")
		if c.OK() && side != "left" && side != "right" {
			return c.Errorf("RuntimeError", diag.BadValue, "searchsorted(): side must be left or right, not '%s'", side)
		}
		if side == "left" && c.Bool("right") {
			return c.Errorf("RuntimeError", diag.BadValue, "searchsorted(): side is left, but right is True")
		}
	}
	// Without a sorter the sequence is taken to be sorted, which is not checked.
	if c.Has("sorter") {
		x := c.Tensor("sorter")
		if x == nil {
			return nil
		}
		if d := x.Type().DType; d != dtype.I64 && d != dtype.Unknown {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "searchsorted(): sorter must be int64, but is %s", x)
		}
		if xs := c.Shape(x); c.OK() && (len(xs) != len(s) || !c.SameSizes(xs, s)) {
			return c.Shapef("searchsorted(): sorter must have the shape of the sequence: %s and %s", x, seq)
		}
	}
	if len(s) == 0 {
		// Without dimensions there is nothing to search in.
		return c.Errorf("RuntimeError", diag.RankMismatch, "searchsorted(): the sequence must have at least one dimension, but is %s", seq)
	}
	d := searchType(c)
	in, ok := c.Value("input").(*value.Tensor)
	if !ok {
		if len(s) != 1 {
			return c.Errorf("RuntimeError", diag.RankMismatch,
				"searchsorted(): a number can be searched for in a sequence of one dimension only, not in %s", seq)
		}
		return c.Out(d, symshape.Shape{})
	}
	if c.OutDType != dtype.Unknown && c.OutDType != d && c.OutMismatch(d) {
		return nil
	}
	// A vector serves all values.
	if len(s) == 1 {
		return c.Like(in, d)
	}
	is := c.Shape(in)
	if !c.OK() {
		return nil
	}
	if len(is) != len(s) {
		return c.Errorf("RuntimeError", diag.RankMismatch,
			"searchsorted(): sequence and input must have the same number of dimensions: %s and %s", seq, in)
	}
	// All sizes but the last are a batch.
	for i := range len(s) - 1 {
		if _, ok := c.Same(s[i], is[i]); !ok {
			c.Blame(ops.Ref{Tensor: seq, Axis: i}, ops.Ref{Tensor: in, Axis: i})
			return c.Shapef("searchsorted(): sizes %s and %s at dimension %d differ: %s and %s", s[i], is[i], i, seq, in)
		}
	}
	return c.Like(in, d)
}

// bucketizeRule: boundaries are one sorted vector for all values, so only its number of dimensions can be
// wrong; the result has the values' shape, with int64 or int32 positions. A number gives a position
// without dimensions.
func bucketizeRule(c *ops.Call) value.Value {
	b := c.Tensor("boundaries")
	s := c.Shape(b)
	if b == nil || !c.OK() {
		return nil
	}
	if len(s) != 1 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "bucketize(): boundaries must have one dimension, but are %s", b)
	}
	if !searchable(c, b) {
		return nil
	}
	d := searchType(c)
	if c.OutDType != dtype.Unknown && c.OutDType != d && c.OutMismatch(d) {
		return nil
	}
	in, ok := c.Value("input").(*value.Tensor)
	if !ok {
		return c.Out(d, symshape.Shape{})
	}
	return c.Like(in, d)
}

// searchable checks the dtypes of a sorted sequence and of what is searched for in it, where that
// is anything. Complex numbers have no order. An empty input is not looked at.
func searchable(c *ops.Call, seq *value.Tensor) bool {
	v := c.Value("input")
	if t, ok := v.(*value.Tensor); ok {
		if c.Empty(t) {
			return true
		}
		return c.Accepts(realDTypes, t.Type().DType) && c.Accepts(realDTypes, seq.Type().DType)
	}
	if _, isComplex := value.Plain(v).(value.Complex); isComplex {
		return c.Accepts(realDTypes, dtype.C64)
	}
	return c.Accepts(realDTypes, seq.Type().DType)
}

// freshSize is a size of at least lo that the contents of t decide: a symbol of its own for each
// call. The symbol knows its tensor, so that exports can compute it.
func freshSize(c *ops.Call, lo int64, t *value.Tensor) symshape.Dim {
	return c.Th.DataInt("u", lo, t.V).D
}

// truths returns the tracked elements of t as truth values that hold for all
// sizes, or nil. They are used only where they hold for all sizes: an element that depends on a
// symbol has none.
func truths(c *ops.Call, t *value.Tensor) []bool {
	elems := t.Contents()
	if elems == nil {
		return nil
	}
	out := make([]bool, len(elems))
	for i, e := range elems {
		b, ok := c.ElemTruth(e).(value.Bool)
		if !ok {
			return nil
		}
		out[i] = bool(b)
	}
	return out
}

// nonzeroIndices returns the indices of true elements, one row each, in row-major order, when the
// contents are known. rows is nil too for no true element; known tells the two apart.
func nonzeroIndices(c *ops.Call, t *value.Tensor) (rows [][]int, known bool) {
	shape, ok := ops.ConstShape(t.Type().Shape)
	set := truths(c, t)
	if !ok || set == nil || len(set) != ops.Product(shape) {
		return nil, false
	}
	strides := ops.RowMajorInts(shape)
	for at, b := range set {
		if !b {
			continue
		}
		row := make([]int, len(shape))
		for k := range shape {
			row[k] = at / strides[k] % shape[k]
		}
		rows = append(rows, row)
	}
	return rows, true
}

// nonzeroStaticRule: torch.nonzero_static has as many rows as size says, padded or cut, which is why it exists:
// its shape does not depend on data. The dtype is int64. fill_value is not looked at.
func nonzeroStaticRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	n := c.Dim("size")
	if t == nil || !c.OK() {
		return nil
	}
	if !c.AtLeast(n, 0) {
		return c.Errorf("RuntimeError", diag.InvalidSize, "%s(): size must not be negative, but is %s", c.Short(), n)
	}
	return c.Out(dtype.I64, symshape.Shape{n, c.Const(int64(len(s)))})
}

// nonzeroRule: a row for each element that is not zero, a column for each axis. How many there are is data: it
// is counted where the elements are known, else it is a symbol for this tensor's number.
// as_tuple=True gives a vector for each axis instead.
func nonzeroRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	if c.HasParam("as_tuple") && c.Bool("as_tuple") {
		return nonzeroTuple(c, t)
	}
	if c.OutDType != dtype.Unknown && c.OutDType != dtype.I64 && c.OutMismatch(dtype.I64) {
		return nil
	}
	rows, known := nonzeroIndices(c, t)
	n := c.Const(int64(len(rows)))
	if !known {
		n = nonzeroCount(c, t)
	}
	out := c.Out(dtype.I64, symshape.Shape{n, c.Const(int64(len(s)))})
	if len(s) > 1 && !ops.IsConst(n, 0) {
		// The indices are written axis by axis: the result is the transpose of what is stored.
		c.SetStrides(out, []*symshape.Expr{c.P.Const(1), n.Expr})
	}
	if known {
		elems := make([]value.Value, 0, len(rows)*len(s))
		for _, r := range rows {
			for _, i := range r {
				elems = append(elems, value.Int(i))
			}
		}
		out.SetContents(elems)
	}
	return out
}

// nonzeroCount is the unknown number of true elements; 0 of an empty tensor. Its bounds are those
// of trues.
func nonzeroCount(c *ops.Call, t *value.Tensor) symshape.Dim {
	if numelIsZero(c, t.Type().Shape) {
		return c.Const(0)
	}
	return trues(c, t.V)
}

// nonzeroTuple gives the indices along each axis. All vectors have one size, so that they may index
// together.
func nonzeroTuple(c *ops.Call, t *value.Tensor) value.Value {
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	rows, known := nonzeroIndices(c, t)
	n := c.Const(int64(len(rows)))
	if !known {
		n = nonzeroCount(c, t)
	}
	cols := make([]value.Value, max(len(s), 1)) // a 0-dim tensor counts as one of 1 element
	for k := range cols {
		out := c.Out(dtype.I64, symshape.Shape{n})
		if known {
			elems := make([]value.Value, len(rows))
			for i, r := range rows {
				elems[i] = value.Int(0)
				if k < len(r) {
					elems[i] = value.Int(r[k])
				}
			}
			out.SetContents(elems)
		}
		cols[k] = out
	}
	return value.NewTuple(cols...)
}

// consecutive: only equal neighbours become one. torch.unique_consecutive has it.
const consecutive ops.Variant = "consecutive"

// uniqueRule needs real elements, and with dim at least one dimension and no other of size 0. The
// different elements are a vector, or slices along dim; their number depends on the data where elements
// are not known. The inverse has the input's shape, or is a vector of the size of dim; it and the counts
// are int64. The results are those of torch.unique: the elements alone, or a tuple with what was
// asked for.
func uniqueRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	if !c.Accepts(realDTypes|ops.Unsigned, t.Type().DType) {
		return nil
	}
	inverse, counts := c.Bool("return_inverse"), c.Bool("return_counts")
	// The parameter's order changed with PyTorch 2.
	if inverse && c.Positional > 1 && c.Torch1() && c.Is(consecutive) {
		return c.Lose("PyTorch 1 takes return_inverse for return_counts where it is not named")
	}
	d := t.Type().DType
	var values, inv, num *value.Tensor
	if c.Has("dim") {
		axis := c.Axis("dim", len(s))
		if !c.OK() {
			return nil
		}
		if len(s) == 0 {
			return c.Errorf("IndexError", diag.RankMismatch, "%s(): a tensor without dimensions has no dimension %d", c.Short(), axis)
		}
		for i := range s {
			if i != axis && ops.IsConst(s[i], 0) {
				return c.Errorf("RuntimeError", diag.InvalidSize, "%s(): slices along dimension %d are empty: %s", c.Short(), axis, t)
			}
		}
		// Only of a vector are slices elements.
		var found *uniques
		if len(s) == 1 {
			found = uniqueElems(c, t)
		}
		n := found.count(c, t, s[axis])
		values = c.Out(d, ops.With(s, axis, n))
		// The strides of such a result are not known.
		if len(s) > 1 && axis > 0 { // made of rows along the axis, and transposed
			values.Type().Strides = make([]*symshape.Expr, len(s))
		}
		inv, num = c.Out(dtype.I64, symshape.Shape{s[axis]}), c.Out(dtype.I64, symshape.Shape{n})
		found.put(values, inv, num)
	} else {
		found := uniqueElems(c, t)
		n := found.count(c, t, c.Numel(s))
		values = c.Out(d, symshape.Shape{n})
		inv, num = c.Out(dtype.I64, s), c.Out(dtype.I64, symshape.Shape{n})
		if !c.HasParam("sorted") || c.Bool("sorted") { // else the order is that of a hash table
			found.put(values, inv, num)
		}
	}
	if !inverse && !counts {
		return values
	}
	out := []value.Value{values}
	if inverse {
		out = append(out, inv)
	}
	if counts {
		out = append(out, num)
	}
	return value.NewTuple(out...)
}

// uniques are the different elements of a tensor, the index among them of each element, and how
// often each is there. A nil one says that elements are not known; its methods take that.
type uniques struct{ elems, inverse, counts []value.Value }

// count is the number of different elements among n of a tensor: where they are not known, for 0
// and 1. The number is between 1 and n where there are elements for certain, else from 0.
func (u *uniques) count(c *ops.Call, t *value.Tensor, n symshape.Dim) symshape.Dim {
	if u != nil {
		return c.Const(int64(len(u.elems)))
	}
	if ops.IsConst(n, 0) || ops.IsConst(n, 1) {
		return n
	}
	lo := int64(0)
	if n.Expr != nil {
		if l, _ := n.Expr.Bounds(); l > 0 {
			lo = 1
		}
	}
	return freshSize(c, lo, t)
}

// put sets the contents of the results.
func (u *uniques) put(values, inverse, counts *value.Tensor) {
	if u != nil {
		values.SetContents(u.elems)
		inverse.SetContents(u.inverse)
		counts.SetContents(u.counts)
	}
}

// uniqueElems computes the result where all elements are known numbers, else it is nil. NaN is not
// equal to itself, so that a tensor with it is not computed.
func uniqueElems(c *ops.Call, t *value.Tensor) *uniques {
	elems := t.Contents()
	if elems == nil {
		return nil
	}
	order := make([]int, len(elems))
	for i, e := range elems {
		order[i] = i
		if _, ok := ops.ConcreteElem(e); ok {
			continue
		}
		if f, ok := value.Plain(e).(value.Float); !ok || math.IsNaN(float64(f)) {
			return nil
		}
	}
	less := func(i, j int) int {
		if a, ok := ops.ConcreteElem(elems[i]); ok {
			b, _ := ops.ConcreteElem(elems[j])
			return cmp.Compare(a, b)
		}
		return cmp.Compare(value.Plain(elems[i]).(value.Float), value.Plain(elems[j]).(value.Float))
	}
	// Without sorting only neighbours are compared.
	if !c.Is(consecutive) {
		slices.SortStableFunc(order, less)
	}
	u := &uniques{inverse: make([]value.Value, len(elems))}
	n := 0
	for k, i := range order {
		if k == 0 || less(order[k-1], i) != 0 {
			u.elems = append(u.elems, elems[i])
			u.counts = append(u.counts, value.Int(0))
			n = 0
		}
		n++
		u.counts[len(u.counts)-1] = value.Int(n)
		u.inverse[i] = value.Int(len(u.elems) - 1)
	}
	return u
}
