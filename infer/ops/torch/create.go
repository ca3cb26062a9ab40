package torch

// This file holds the records of tensors made from sizes: zeros, full, arange,
// linspace, eye, windows and their variants after another tensor. All take dtype, layout, device
// and requires_grad, which MadeType applies to the result. The dtype of a result without dtype= is
// the default float, that of the number given, int64, or that of the tensor that it is made after,
// as each rule says. Contents are kept for small tensors of integers and bools, since sizes are
// computed from them.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// factoryTail are the keyword arguments that all factories take; namedTail those of
// factories that name dimensions, likeTail of those that follow a tensor's layout.
const (
	factoryTail = "*, ScalarType? dtype=None, any layout=None, Device? device=None, bool? pin_memory=None, bool requires_grad=False"
	namedTail   = factoryTail + ", any names=None"
	likeTail    = factoryTail + ", any memory_format=None"
)

// size may be a tuple, or ints one by one.
const (
	sizeSig   = "(int[]* size, " + namedTail + ")"
	likeSig   = "(Tensor input, " + likeTail + ")"
	windowSig = "(int window_length, bool periodic=True, " + factoryTail + ")"
	newSig    = "(Tensor input, int[]* size, " + factoryTail + ")"
)

var createOps = [...]ops.Op{
	{Names: spelled("torch.zeros"), Sig: sizeSig, Rule: filledRule(value.Int(0)), Out: true,
		Trace: ops.ComparesNumbers, Doc: "zeros of a size"},
	{Names: spelled("torch.ones"), Sig: sizeSig, Rule: filledRule(value.Int(1)), Out: true,
		Trace: ops.ComparesNumbers, Doc: "ones of a size"},
	{Names: spelled("torch.empty"), Sig: "(int[]* size, " + namedTail + ", any memory_format=None)", Rule: filledRule(nil), Out: true,
		Is: graph.Uninitialised, Trace: ops.ComparesNumbers, Doc: "memory of a size"},
	{Names: spelled("torch.full"), Sig: "(int[] size, Scalar fill_value, " + namedTail + ")", Rule: fullRule, Out: true,
		Numbers: []ops.Converted{{Param: "fill_value", Fills: true}}, Doc: "one number of a size; its type decides the dtype"},
	{Names: spelled("torch.empty_strided"), Sig: "(int[] size, int[] stride, " + factoryTail + ")", Rule: stridedRule,
		Is: graph.Uninitialised, Doc: "memory of a size with strides"},
	{Names: spelled("torch.empty_permuted"), Sig: "(int[] size, int[] physical_layout, " + factoryTail + ")", Rule: permutedRule,
		Is: graph.Uninitialised, Doc: "memory of a size whose axes lie in a given order"},
	{Names: spelled("torch.zeros_like"), Sig: likeSig, Rule: likeRule(value.Int(0)), Is: graph.CutsGradient,
		Doc: "zeros of a tensor's shape and dtype"},
	{Names: spelled("torch.ones_like"), Sig: likeSig, Rule: likeRule(value.Int(1)), Is: graph.CutsGradient,
		Doc: "ones of a tensor's shape and dtype"},
	{Names: spelled("torch.empty_like"), Sig: likeSig, Rule: likeRule(nil), Is: graph.CutsGradient | graph.Uninitialised,
		Doc: "memory of a tensor's shape and dtype"},
	{Names: []string{"torch._stand_in"}, Sig: "(Tensor input, str what='', " + likeTail + ")", Rule: likeRule(nil), Is: graph.StandIn,
		Doc: "in the prelude: a tensor of the input's shape and dtype in place of what is not computed"},
	{Names: spelled("torch.full_like"), Sig: "(Tensor input, Scalar fill_value, " + likeTail + ")", Rule: likeRule(nil),
		Numbers: []ops.Converted{{Param: "fill_value", Fills: true}}, Is: graph.CutsGradient, Doc: "one number of a tensor's shape and dtype"},
	{Names: spelled(".new_zeros"), Sig: newSig, Rule: filledRule(value.Int(0)), Is: graph.CutsGradient,
		Trace: ops.ComparesNumbers, Doc: "zeros of a tensor's dtype"},
	{Names: spelled(".new_ones"), Sig: newSig, Rule: filledRule(value.Int(1)), Is: graph.CutsGradient,
		Trace: ops.ComparesNumbers, Doc: "ones of a tensor's dtype"},
	{Names: spelled(".new_empty"), Sig: newSig, Rule: filledRule(nil), Is: graph.CutsGradient | graph.Uninitialised,
		Trace: ops.ComparesNumbers, Doc: "memory of a tensor's dtype"},
	{Names: spelled(".new"), Sig: "(Tensor input, *args, any device=None)", Rule: newRule,
		Quirks: ops.PlacesResult, Doc: "memory of sizes, or data, of a tensor's dtype"},
	{Names: spelled(".new_full"), Sig: "(Tensor input, int[] size, Scalar fill_value, " + factoryTail + ")", Rule: fullRule,
		Numbers: []ops.Converted{{Param: "fill_value", Fills: true}}, Is: graph.CutsGradient, Doc: "one number, of a tensor's dtype"},
	{Names: spelled(".new_empty_strided"), Sig: "(Tensor input, int[] size, int[] stride, " + factoryTail + ")", Rule: stridedRule,
		Is: graph.CutsGradient | graph.Uninitialised, Doc: "memory of a size with strides"},
	{Names: spelled("torch.arange"), Sig: "(Scalar end, " + factoryTail + ") | (Scalar start, Scalar end, Scalar step=1, " + factoryTail +
		")", Rule: arangeRule, Out: true, Numbers: []ops.Converted{{Param: "start", To: ops.ToReal}, {Param: "end", To: ops.ToReal},
		{Param: "step", To: ops.ToReal}},
		Trace: ops.ComparesNumbers, Doc: "ceil((end - start) / step) numbers"},
	{Names: spelled("torch.range"), Sig: "(Scalar start, Scalar end, Scalar step=1, " + factoryTail + ")", Rule: rangeRule, Out: true,
		Numbers: []ops.Converted{{Param: "start", To: ops.ToReal}, {Param: "end", To: ops.ToReal}, {Param: "step", To: ops.ToReal}},
		Doc:     "floor((end - start) / step) + 1 numbers, in the default dtype"},
	{Names: spelled("torch.linspace"), Sig: "(Scalar start, Scalar end, int steps, " + factoryTail + ")", Rule: linspaceRule, Out: true,
		Numbers: []ops.Converted{{Param: "start"}, {Param: "end"}}, Variant: linspace,
		Trace: ops.FixesNumbers | ops.ComparesNumbers, Doc: "numbers from start to end"},
	{Names: spelled("torch.logspace"), Sig: "(Scalar start, Scalar end, int steps, float base=10.0, " + factoryTail + ")",
		Rule: linspaceRule, Out: true, Numbers: []ops.Converted{{Param: "start", Steps: true}, {Param: "end", Steps: true}},
		Trace: ops.FixesNumbers, Doc: "powers of base"},
	{Names: spelled("torch.eye"), Sig: "(int n, " + factoryTail + ") | (int n, int m, " + factoryTail + ")", Rule: eyeRule, Out: true,
		Trace: ops.ComparesNumbers, Doc: "identity matrix"},
	{Names: spelled("torch.tril_indices"), Sig: "(int row, int col, int offset=0, " + factoryTail + ")", Rule: triIndicesRule(false),
		Doc: "indices of the lower triangle"},
	{Names: spelled("torch.triu_indices"), Sig: "(int row, int col, int offset=0, " + factoryTail + ")", Rule: triIndicesRule(true),
		Doc: "indices of the upper triangle"},
	{Names: spelled("torch.hann_window"), Sig: windowSig, Rule: windowRule, Doc: "window function"},
	{Names: spelled("torch.hamming_window"), Sig: "(int window_length, bool periodic=True, float alpha=0.54, float beta=0.46, " +
		factoryTail + ")", Rule: windowRule, Doc: "window function"},
	{Names: spelled("torch.blackman_window"), Sig: windowSig, Rule: windowRule, Doc: "window function"},
	{Names: spelled("torch.bartlett_window"), Sig: windowSig, Rule: windowRule, Doc: "window function"},
	{Names: spelled("torch.kaiser_window"), Sig: "(int window_length, bool periodic=True, float beta=12.0, " + factoryTail + ")",
		Rule: windowRule, Doc: "window function"},
	{Names: spelled("torch.scalar_tensor"), Sig: "(Scalar s, " + factoryTail + ")", Rule: scalarTensorRule,
		Numbers: []ops.Converted{{Param: "s"}},
		Trace:   ops.KeepsContents, Doc: "0-dim tensor"},
}

// size returns the parameter size, checked. Sizes may be symbolic. A negative one is reported, and
// a size that may be negative gets a condition.
func size(c *ops.Call) symshape.Shape {
	s := symshape.Shape(c.Ints("size"))
	if s == nil {
		s = symshape.Shape{}
	}
	for i, d := range s {
		if !c.AtLeast(d, 0) {
			c.Errorf("RuntimeError", diag.InvalidSize, "%s(): size %s at dimension %d is negative: %s", c.Short(), d, i, s)
		}
	}
	return s
}

// made makes the result of a factory: the dtype of the parameter dtype, else of
// out=, else def; on the device of the parameter device. nil after a report.
func made(c *ops.Call, def dtype.DType, shape symshape.Shape) *value.Tensor {
	return c.MadeType(graph.TensorType{DType: def, Ranked: true, Shape: shape})
}

// filledRule makes the rule of zeros, ones and empty (v is nil), and of new_zeros and so on, whose dtype and
// device are those of self where none is given.
func filledRule(v value.Value) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		def := c.DefaultDType()
		if c.HasParam("input") {
			if t := c.Tensor("input"); t != nil {
				def = t.Type().DType
			}
		}
		s := size(c)
		if !c.OK() {
			return nil
		}
		out := made(c, def, s)
		if out == nil {
			return nil
		}
		setFormat(c, out)
		return c.Filled(out, v)
	}
}

// setFormat gives a new tensor the strides of the parameter memory_format. Only channels_last
// formats change strides; they need a rank of four or five.
func setFormat(c *ops.Call, out *value.Tensor) {
	if !c.HasParam("memory_format") {
		return
	}
	f, ok := c.Value("memory_format").(value.Constant)
	if !ok || !out.Type().Ranked {
		return
	}
	rank := len(out.Type().Shape)
	want := map[string]int{"torch.channels_last": 4, "torch.channels_last_3d": 5}[f.Name]
	if want == 0 {
		return
	}
	if rank != want {
		c.Errorf("RuntimeError", diag.RankMismatch, "%s(): the memory format %s needs %d dimensions, not %d", c.Short(), f.Name, want, rank)
		return
	}
	c.SetStrides(out, channelsLast(c, out.Type().Shape))
}

// channelsLast returns the strides of a tensor with the channels (axis 1) innermost. Axis 1 has
// stride 1, then come the axes from the last to the third, and the batch is outermost. A size of 0
// counts as 1.
func channelsLast(c *ops.Call, s symshape.Shape) []*symshape.Expr {
	out := make([]*symshape.Expr, len(s))
	acc := c.P.Const(1)
	order := []int{1}
	for i := len(s) - 1; i >= 2; i-- {
		order = append(order, i)
	}
	for _, axis := range append(order, 0) {
		out[axis] = acc
		if !ops.IsConst(s[axis], 0) {
			acc = c.P.Mul(acc, s[axis].Expr)
		}
	}
	return out
}

// fullRule: the dtype follows from the value: bool, int64, the default float or complex. A tensor as value
// gives its own dtype. For new_full it is that of the tensor.
func fullRule(c *ops.Call) value.Value {
	v := c.Value("fill_value")
	def := c.NumberDType(v)
	if t, ok := v.(*value.Tensor); ok {
		def = t.Type().DType
		if e := t.Contents(); len(e) == 1 {
			v = e[0]
		} else {
			v = nil
		}
	}
	if c.HasParam("input") {
		if t := c.Tensor("input"); t != nil {
			def = t.Type().DType
		}
	}
	s := size(c)
	if !c.OK() {
		return nil
	}
	out := made(c, def, s)
	if out == nil || !holds(c, v, out) {
		return nil
	}
	return c.Filled(out, v)
}

// holds checks that a number can be written into a tensor. A complex number cannot be written to a
// real tensor, unless its imaginary part is 0. False after a report.
func holds(c *ops.Call, v value.Value, t *value.Tensor) bool {
	d := t.Type().DType
	if v != nil && ops.NumberKind(v) == dtype.KindComplex && d != dtype.Unknown && d != dtype.Bool && !d.IsComplex() {
		if z, ok := v.(value.Complex); ok && imag(complex128(z)) == 0 {
			return true
		}
		c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): a complex number cannot be written into a tensor of %s", c.Short(), d)
		return false
	}
	return true
}

// likeRule makes the rule of zeros_like and so on. memory_format=torch.preserve_format, the default, keeps the
// order of the axes in memory but not gaps: strides are those of an element-wise result of the tensor, as
// TensorIterator computes them. The dtype and device are those of the tensor. Elements that are a
// tensor's are not followed.
func likeRule(v value.Value) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		ty := *t.Type()
		if ty.Strides != nil && ty.Ranked {
			ty.Strides = c.PointwiseStrides(ty.Shape, []*value.Tensor{t})
			if c.IsRowMajor(ty.Shape, ty.Strides) {
				ty.Strides = nil
			}
		}
		if f, ok := c.Value("memory_format").(value.Constant); ok && f.Name != "torch.preserve_format" {
			ty.Strides = nil
		}
		out := c.MadeType(ty)
		if out == nil {
			return nil
		}
		setFormat(c, out)
		if c.HasParam("fill_value") {
			x := c.Value("fill_value")
			if !holds(c, x, out) {
				return nil
			}
			if _, isTensor := x.(*value.Tensor); isTensor {
				return out
			}
			return c.Filled(out, x)
		}
		return c.Filled(out, v)
	}
}

// permutedRule makes row-major memory of the axes in the order of physical_layout. The order is a
// permutation of all axes; the result has the sizes in their own order.
func permutedRule(c *ops.Call) value.Value {
	s, order := size(c), c.Ints("physical_layout")
	if !c.OK() {
		return nil
	}
	if len(s) != len(order) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): size and physical_layout must have the same length, not %d and %d", c.Short(),
			len(s), len(order))
	}
	inner, seen := make(symshape.Shape, len(s)), make([]bool, len(s))
	for i, d := range order {
		a, ok := ops.DimVal(d)
		switch {
		case !ok:
			return c.Lose("the value of 'physical_layout' is not known")
		case a < 0 || int(a) >= len(s):
			return c.Errorf("RuntimeError", diag.DimOutOfRange, "%s(): %d in physical_layout is no dimension of %d",
				c.Short(), int(a), len(s))
		case seen[a]:
			return c.Errorf("RuntimeError", diag.DimOutOfRange, "%s(): dimension %d appears twice in physical_layout", c.Short(), int(a))
		}
		seen[a], inner[i] = true, s[a]
	}
	out := made(c, c.DefaultDType(), s)
	if out != nil {
		rows, strides := c.RowMajor(inner), make([]*symshape.Expr, len(s))
		for i, d := range order {
			a, _ := ops.DimVal(d)
			strides[a] = rows[i]
		}
		c.SetStrides(out, strides)
	}
	return out
}

// stridedRule is that of empty_strided: one stride for each size, none of them negative. Zero and
// overlapping strides are allowed.
func stridedRule(c *ops.Call) value.Value {
	def := c.DefaultDType()
	if c.HasParam("input") {
		if t := c.Tensor("input"); t != nil {
			def = t.Type().DType
		}
	}
	s, strides := size(c), c.Ints("stride")
	if !c.OK() {
		return nil
	}
	if len(s) != len(strides) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): size and stride must have the same length, not %d and %d", c.Short(), len(s),
			len(strides))
	}
	exprs := make([]*symshape.Expr, len(strides))
	for i, d := range strides {
		if !c.AtLeast(d, 0) {
			if n, ok := ops.DimVal(s[i]); ok && n <= 1 || isEmpty(s) {
				return c.Lose("a negative stride, which no element needs")
			}
			return c.Errorf("RuntimeError", diag.BadValue, "%s(): strides must not be negative, but stride %d is %s", c.Short(), i, d)
		}
		exprs[i] = d.Expr
	}
	out := made(c, def, s)
	if out != nil {
		c.SetStrides(out, exprs)
		return out
	}
	return nil
}

// eyeRule: the elements of small identity matrices are kept, since programs index with them and multiply by
// them on the way to sizes. The shape is [n, m], by default [n, n], in the default dtype.
func eyeRule(c *ops.Call) value.Value {
	n := c.Dim("n")
	m := n
	if c.HasParam("m") {
		m = c.Dim("m")
	}
	for _, d := range [...]symshape.Dim{n, m} {
		if !c.AtLeast(d, 0) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "eye(): a size must not be negative, but is %s", d)
		}
	}
	if !c.OK() {
		return nil
	}
	out := made(c, c.DefaultDType(), symshape.Shape{n, m})
	if out == nil {
		return nil
	}
	rows, ok1 := n.Const()
	cols, ok2 := m.Const()
	if d := out.Type().DType; ok1 && ok2 && max(rows, cols) <= 256 && rows*cols <= 256 && ops.Tracked(d) {
		elems := make([]value.Value, 0, rows*cols)
		for i := range rows {
			for j := range cols {
				e := value.Int(0)
				if i == j {
					e = 1
				}
				elems = append(elems, c.CastElem(d, e))
			}
		}
		out.SetContents(elems)
	}
	return out
}

// triIndicesRule returns the rule of triu_indices, or tril_indices without upper: sizes must not be
// negative, and the dtype is int64 or int32. The result has shape (2, n) for the n elements of the
// triangle, which are known for constant sizes, and for squares with the diagonal or the next one.
func triIndicesRule(upper bool) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		row, col, off := c.Dim("row"), c.Dim("col"), c.Dim("offset")
		for _, d := range [...]symshape.Dim{row, col} {
			if !c.AtLeast(d, 0) {
				return c.Errorf("RuntimeError", diag.InvalidSize, "%s(): a size must not be negative, but is %s", c.Short(), d)
			}
		}
		d := c.FactoryDType(dtype.I64)
		if !c.Accepts(1<<dtype.I64|1<<dtype.I32, d) {
			return nil
		}
		r, ok1 := row.Const()
		n, ok2 := col.Const()
		o, ok3 := off.Const()
		// Larger triangles are not counted one by one.
		if ok1 && ok2 && ok3 && r*n <= 1<<22 {
			var is, js []value.Value
			count := int64(0)
			for i := range r {
				for j := range n {
					if upper && j-i >= o || !upper && j-i <= o {
						count++
						if count <= value.MaxElems/2 {
							is, js = append(is, value.Int(i)), append(js, value.Int(j))
						}
					}
				}
			}
			out := made(c, dtype.I64, symshape.Shape{c.Const(2), c.Const(count)})
			if out != nil && int(count) == len(is) {
				out.SetContents(slices.Concat(is, js))
			}
			return out
		}
		// The zero Dim stands for a number that depends on both sizes.
		var k symshape.Dim
		if ok3 && row.Expr == col.Expr && row.Expr != nil {
			// Of a square: n(n+1)/2 on and beyond the diagonal, n more or less for each offset next to it.
			one := c.Const(1)
			switch {
			case o == 0:
				k = c.P.DimFloorDiv(c.P.DimMul(row, c.P.DimAdd(row, one)), c.Const(2))
			case upper && o == 1, !upper && o == -1:
				k = c.P.DimFloorDiv(c.P.DimMul(row, c.P.DimSub(row, one)), c.Const(2))
			}
		}
		out := made(c, dtype.I64, symshape.Shape{c.Const(2), k})
		if out == nil {
			return nil
		}
		return out
	}
}

// windowRule is that of hann_window and its kin. Windows of length 0 and 1 are made of ones before the dtype is
// looked at, so complex ones exist there. The dtype must be real and floating, the default float if
// none is given.
func windowRule(c *ops.Call) value.Value {
	n := c.Dim("window_length")
	if !c.AtLeast(n, 0) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): the length must not be negative, but is %s", c.Short(), n)
	}
	accept := ops.RealFloats
	if length, ok := ops.DimVal(n); ok && length <= 1 {
		accept = ops.Inexact // ones and nothing are made before the numbers are looked at
	}
	if d := c.FactoryDType(c.DefaultDType()); !c.OK() || !c.Accepts(accept, d) {
		return nil
	}
	out := made(c, c.DefaultDType(), symshape.Shape{n})
	if out == nil {
		return nil
	}
	return out
}

// scalarTensorRule: unlike torch.tensor it has the default dtype for integers, too. The device and
// dtype arguments apply.
func scalarTensorRule(c *ops.Call) value.Value {
	out := made(c, c.DefaultDType(), symshape.Shape{})
	if out == nil {
		return nil
	}
	return c.Filled(out, c.Value("s"))
}
