package einops

// This file holds the records of einops for tensors and arrays: rearrange,
// reduce, repeat, einsum, pack, unpack, parse_shape. The rules follow einops'
// documentation and its einops.py; faults point at the pattern's characters where
// the pattern is a literal of the call. A pattern is parsed by pattern.go into groups of axes, one
// for each axis of the tensor. measure gives each named axis its size, from the tensor or from
// axes_lengths; transform makes the result: the shape is the product of sizes in each group of the
// right side. Where the elements or the strides of the tensor are known, those of the result are,
// too, so that later views and sizes stay exact.

import (
	"fmt"
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// einopsOps lists einops' functions. A pattern is checked completely before the tensor is looked at, as einops
// does, and faults point into its text.
func einopsOps() []ops.Op {
	return []ops.Op{
		{Names: []string{"einops.rearrange"}, Sig: "(any tensor, str pattern, **axes_lengths)", Rule: einRule("rearrange"),
			Form: graph.Rearrange, Is: graph.View, Doc: "splits, merges and reorders axes as a pattern says"},
		{Names: []string{"einops.repeat"}, Sig: "(any tensor, str pattern, **axes_lengths)", Rule: einRule("repeat"),
			Form: graph.Rearrange, Is: graph.View, Doc: "rearrange with new axes, along which elements repeat"},
		{Names: []string{"einops.reduce"}, Sig: "(any tensor, str pattern, any reduction, **axes_lengths)", Rule: einRule("reduce"),
			Form: graph.Rearrange, Doc: "rearrange that reduces the axes missing on the right"},
		{Names: []string{"einops.check_pattern"}, Sig: "(str pattern, str operation, **axes_lengths)", Pure: true, Rule: einCheck,
			Doc: "what a layer checks when it is made; not einops' own"},
		{Names: []string{"einops.einsum"}, Sig: "(*tensors)", Rule: einEinsum,
			Form: graph.Rearrange, Quirks: ops.OneDevice, Doc: "einsum with names of axes; the pattern comes last"},
		{Names: []string{"einops.pack"}, Sig: "(any tensors, str pattern)", Rule: einPack,
			Doc: "joins tensors along one axis of flattened ones, with their shapes"},
		{Names: []string{"einops.unpack"}, Sig: "(any tensor, any packed_shapes, str pattern)", Rule: einUnpack, Is: graph.View,
			Doc: "splits what pack joined"},
		{Names: []string{"einops.parse_shape"}, Sig: "(any x, str pattern)", Pure: true, Rule: einParseShape,
			Doc: "a dict of the sizes by the names of axes"},
		// asnumpy copies to the processor, and gives an array on the tensor's memory otherwise.
		{Names: []string{"einops.asnumpy"}, Sig: "(any tensor)", Pure: true, Rule: func(c *ops.Call) value.Value {
			t := einTensor(c, "tensor")
			if t == nil {
				return nil
			}
			c.Lib = numpy.Library
			if dev := t.Type().Device; dev != "" && dev != "cpu" && !ops.IsArray(t) {
				ty := *t.Type()
				ty.Device = "cpu"
				return numpy.KeepArray(c, c.OutType(ty))
			}
			plain := *t
			plain.RequiresGrad = false
			return numpy.ToArray(c, &plain)
		}, Doc: "a tensor as an array"},
	}
}

// Library is einops, which works on the arrays of any library.
var Library = &ops.Library{Prefix: "einops.", Promote: (*ops.Call).ResultType, Devices: true}

// einFail reports a fault at its part of the pattern.
func einFail(c *ops.Call, pattern string, f *einFault, refs ...ops.Ref) value.Value {
	return einError(c, "einops.EinopsError", diag.BadValue, pattern, f, refs...)
}

// einError reports a fault at its place in the pattern, where that is a literal of the source. refs
// are the axes that the fault is about, whose lines it shows.
func einError(c *ops.Call, class string, code diag.Code, pattern string, f *einFault, refs ...ops.Ref) value.Value {
	if !c.OK() {
		return nil
	}
	d := diag.New(code, literal(c, pattern, f.off, f.len), fmt.Sprintf("%s('%s'): %s", c.Short(), pattern, f.msg))
	c.Measure(d, pattern+" "+strconv.Itoa(f.off))
	d.Sizes.Numbered = true // what a pattern asks of sizes is no guess
	d.Related, d.Born = ops.Chain(c.Th, refs), ops.Born(refs)
	c.SetErr(c.Th.Fail(class, d))
	return nil
}

// literal is the span of a part of a string that stands as a literal, once, in
// the source of the call; else the call's.
func literal(c *ops.Call, text string, off, n int) source.Span {
	here := c.Th.Here()
	th, ok := c.Th.(value.SourceReader)
	if !ok || text == "" {
		return here
	}
	src := th.SpanText(here)
	for _, quote := range [...]string{"'", `"`} {
		if lit := quote + text + quote; strings.Count(src, lit) == 1 {
			at := here.Start + source.Pos(strings.Index(src, lit)+1+off)
			return source.Span{Start: at, End: at + source.Pos(max(n, 1))}
		}
	}
	return here
}

// einInput reads the tensor: a list of tensors, though no tuple, is stacked first. It gives nil
// after a fault and after a loss.
func einInput(c *ops.Call, name string) *value.Tensor {
	switch v := c.Value(name).(type) {
	case *value.List:
		elems, isList, open := c.Sequence(v)
		if !isList || open != nil {
			c.Lose("the number of tensors in the list is not known")
			return nil
		}
		if len(elems) == 0 {
			c.Errorf("TypeError", diag.BadCall, "%s() cannot be applied to an empty list", c.Short())
			return nil
		}
		if einForeign(c, elems[0]) {
			return nil
		}
		if ops.IsArray(elems[0]) {
			if elems = numpy.ToArrays(c, elems); elems == nil {
				return nil
			}
			t := c.DelegateTensor("torch.stack", []value.Value{value.NewTuple(elems...)})
			if t != nil {
				t.Class = c.NDArray()
			}
			return t
		}
		return c.DelegateTensor("torch.stack", []value.Value{value.NewTuple(elems...)})
	}
	return einTensor(c, name)
}

// einTensor reads a tensor or an array; nil after a fault or a loss.
func einTensor(c *ops.Call, name string) *value.Tensor {
	v := c.Value(name)
	t, ok := v.(*value.Tensor)
	if !ok && !einForeign(c, v) {
		c.Lose("the tensor is not known")
	}
	return t
}

// einForeign refuses what einops has no backend for, and reports that it did. What is not known
// passes.
func einForeign(c *ops.Call, v value.Value) bool {
	switch v.(type) {
	case *value.Tensor, *value.Unknown, *value.Choice, *value.Abstract:
		return false
	}
	c.Errorf("RuntimeError", diag.TypeMismatch, "%s() needs a tensor, not %s", c.Short(), ops.TypeName(v))
	return true
}

// einLengths reads the lengths of axes given by keyword: their names in order, and the size of
// each. A length that is not known is a loss, and one that is no int a TypeError.
func einLengths(c *ops.Call, name string) (names []string, dims map[string]symshape.Dim) {
	d, ok := c.Value(name).(*value.Dict)
	dims = map[string]symshape.Dim{}
	if !ok {
		return nil, dims
	}
	for i := range d.Len() {
		key, _ := value.AsStr(d.Key(i))
		v := d.At(i)
		if value.IsUnknown(v) {
			c.Lose("the length of axis '%s' is not known", key)
			return nil, dims
		}
		n, isInt := value.AsDim(c.P, value.Plain(v))
		if !isInt {
			if f, ok := v.(value.Float); ok && len(c.Args) > 0 && ops.IsArray(c.Args[0]) && f == value.Float(int64(f)) { // it repeats by tile
				names, dims[key] = append(names, key), c.Const(int64(f))
				continue
			}
			t, isTensor := v.(*value.Tensor)
			if !isTensor {
				c.Errorf("TypeError", diag.TypeMismatch, "%s(): the length of axis '%s' must be an int, not %s", c.Short(), key, ops.TypeName(v))
				return nil, dims
			}
			n = c.ToDim(key, t)
		}
		names, dims[key] = append(names, key), n
	}
	return names, dims
}

// patternPerStep is how many pairs of characters of a pattern take a step: its axes are compared with each other.
const patternPerStep = 1 << 10

// einRule makes the rule of rearrange, repeat and reduce: the pattern says which axes are split, merged,
// dropped and added, and axes_lengths the sizes that it cannot derive.
func einRule(op string) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		pattern := c.Str("pattern")
		given, lengths := einLengths(c, "axes_lengths")
		if !c.OK() {
			return nil
		}
		// A long pattern must not take time without bounds.
		if c.SetErr(c.Th.Step(len(pattern) * len(pattern) / patternPerStep)); !c.OK() {
			return nil
		}
		// op of the closure stays as it is for other calls.
		op := op
		if op == "reduce" && c.Value("reduction") == value.Value(value.Str("repeat")) { // which repeat is made of
			op = "repeat"
		} else if op == "reduce" && !knownReduction(c, pattern) {
			return nil
		}
		p, f := parseEin(pattern, op, given)
		// Patterns without one arrow raise another class in einops.
		if f != nil {
			class := "einops.EinopsError"
			if strings.Count(pattern, "->") != 1 {
				class = "ValueError"
			}
			return einError(c, class, diag.BadValue, pattern, f)
		}
		t := einInput(c, "tensor")
		if t == nil {
			return nil
		}
		return transform(c, p, t, lengths)
	}
}

var einReductions = map[string]bool{"min": true, "max": true, "sum": true, "mean": true, "prod": true, "any": true, "all": true}

// knownReduction checks the argument reduction: a name, or a function of a tensor and axes. It
// reports whether there is neither fault nor loss.
func knownReduction(c *ops.Call, pattern string) bool {
	switch v := c.Value("reduction").(type) {
	case value.Str:
		if !einReductions[string(v)] {
			c.Errorf("einops.EinopsError", diag.BadValue,
				"reduce('%s'): unknown reduction '%s': it must be min, max, sum, mean, prod, any, all, or a function", pattern, string(v))
		}
	case *value.Func, *value.Builtin, *value.BoundMethod, *value.Instance, *value.Class:
	default:
		c.Lose("the reduction is not known")
	}
	return c.OK()
}

// sized is a pattern with its ellipsis expanded and the sizes of all axes.
type sized struct {
	left, right *einSide
	size        map[string]symshape.Dim
}

// measure fits the left side to the shape of t: an ellipsis takes the axes that are left, numbers
// and given lengths must multiply to the size of their axis, and one name without a length in a
// group gets what remains, if the size is a multiple. It gives nil after a fault, and makes
// conditions of what symbols must fulfil.
func measure(c *ops.Call, p *einPattern, t *value.Tensor, lengths map[string]symshape.Dim) *sized {
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	// n is the number of axes that the ellipsis stands for.
	dims := len(p.left.groups)
	n := 0
	if p.left.ellipsis {
		if n = len(s) - (dims - 1); n < 0 {
			einError(c, "einops.EinopsError", diag.RankMismatch, p.text,
				&einFault{fmt.Sprintf("the pattern needs at least %s, but the tensor has %d: %s", ops.CountWord(dims-1, "dimension"), len(s), t), 0,
					strings.Index(p.text, "->")})
			return nil
		}
	} else if dims != len(s) {
		einError(c, "einops.EinopsError", diag.RankMismatch, p.text, &einFault{fmt.Sprintf("the pattern needs %s, but the tensor has %d: %s",
			ops.CountWord(dims, "dimension"), len(s), t), 0, strings.Index(p.text, "->")})
		value.Saying(c.Err(), diag.Fact{Kind: diag.WrongRank, Of: t.String(), Wants: int64(dims)})
		return nil
	}
	z := &sized{left: p.left.expand(n), right: p.right.expand(n), size: map[string]symshape.Dim{}}
	for i, g := range z.left.groups {
		// The product of the sizes that are given, its text for a message, and the axis of the
		// group without a size.
		known := c.Const(1)
		var product []string
		var open *einAxis
		for k, a := range g.axes {
			d, ok := lengths[a.name]
			switch {
			case a.size > 0:
				d = c.Const(a.size)
			case !ok:
				open = &g.axes[k]
				continue
			}
			z.size[a.name] = d
			known = c.P.DimMul(known, d)
			product = append(product, a.label()+"="+d.String())
		}
		// A fault shows the whole group.
		end := g.off + 1
		if len(g.axes) > 0 {
			last := g.axes[len(g.axes)-1]
			end = last.off + len(last.label())
		}
		if g.bracket {
			end = g.off + strings.IndexByte(p.text[g.off:], ')') + 1
		}
		if open != nil {
			d := s[i]
			if len(product) > 0 {
				if n, ok := known.Const(); ok && n == 0 || !c.MultipleOf(d, known) {
					einError(c, "einops.EinopsError", diag.ShapeMismatch, p.text,
						&einFault{fmt.Sprintf("axis %d of size %s is not divisible by %s (%s), so '%s' has no length: %s",
							i, d, known, strings.Join(product, ", "), open.name, t), g.off, end - g.off}, ops.Ref{Tensor: t, Axis: i})
					return nil
				}
				d = c.P.DimFloorDiv(d, known)
			}
			z.size[open.name] = d
			continue
		}
		if _, ok := c.Same(s[i], known); !ok {
			what := "the pattern says " + known.String()
			if len(product) > 0 {
				what = "the pattern says " + strings.Join(product, " * ")
			}
			einError(c, "einops.EinopsError", diag.ShapeMismatch, p.text,
				&einFault{fmt.Sprintf("axis %d has size %s, but %s: %s", i, s[i], what, t), g.off, end - g.off}, ops.Ref{Tensor: t, Axis: i})
			return nil
		}
	}
	// New axes of the right side have their sizes from numbers or keywords.
	z.right.axes(func(a einAxis) {
		if _, ok := z.size[a.name]; ok {
			return
		}
		if a.size > 0 {
			z.size[a.name] = c.Const(a.size)
		} else if d, ok := lengths[a.name]; ok {
			z.size[a.name] = d
		}
	})
	return z
}

// transform applies a pattern to a tensor. Axes that the right side has not are reduced, those that
// the left side has not repeat elements; which of both an operation may do the parser has checked.
func transform(c *ops.Call, p *einPattern, t *value.Tensor, lengths map[string]symshape.Dim) value.Value {
	z := measure(c, p, t, lengths)
	if z == nil {
		return nil
	}
	for _, name := range p.given {
		if d := lengths[name]; !c.AtLeast(d, 0) {
			return einFail(c.Measuring("", d), p.text, &einFault{"the length of axis '" + name + "' is negative: " + d.String(), 0,
				len(p.text)})
		}
	}
	// A group without axes is a new axis of size 1.
	shape := make(symshape.Shape, len(z.right.groups))
	for i, g := range z.right.groups {
		shape[i] = c.Const(1)
		for _, a := range g.axes {
			shape[i] = c.P.DimMul(shape[i], z.size[a.name])
		}
	}
	var reduced []einAxis
	z.left.axes(func(a einAxis) {
		if _, kept := z.right.find(a.name); !kept {
			reduced = append(reduced, a)
		}
	})
	d := t.Type().DType
	if c.HasParam("reduction") && len(reduced) > 0 {
		name, isStr := value.AsStr(c.Value("reduction"))
		if !isStr {
			return reduceWith(c, z, t, shape, reduced)
		}
		d = einReduced(c, name, t)
	}
	if !c.OK() {
		return nil
	}
	out := c.Out(d, shape)
	out.V.Type.Device = t.Type().Device
	if ops.IsArray(t) {
		name := ""
		if c.HasParam("reduction") {
			name, _ = value.AsStr(c.Value("reduction"))
		}
		// NumPy refuses a maximum of nothing where PyTorch's rule does so itself.
		for _, a := range reduced {
			if (name == "max" || name == "min") && ops.IsConst(z.size[a.name], 0) {
				return c.Errorf("ValueError", diag.InvalidSize, "reduce(): axis '%s' has size 0, so there is nothing to choose from", a.name)
			}
		}
		if name == "prod" && len(shape) == 0 && len(reduced) > 0 { // einops reshapes all other results to arrays
			return numpy.Arrays(c, out)
		}
		out.Class = c.NDArray()
	}
	// Without a reduction each element of the result is one of the tensor.
	if len(reduced) == 0 {
		c.SetStrides(out, einStrides(c, z, t, shape))
		out.SetContents(einElems(c, z, t))
		if c.Op.Is.Has(graph.View) {
			out.ShareStorage(c.Th.Heap(), t)
			out.SetContents(out.Elems)
		}
	}
	return out
}

// einReduced is the dtype of a reduction: that of the tensor for min and max, of sums as the
// library has it, and bool for any and all. A mean is defined for floats only.
func einReduced(c *ops.Call, name string, t *value.Tensor) dtype.DType {
	d := t.Type().DType
	switch name {
	case "mean":
		if d != dtype.Unknown && !d.IsFloat() {
			c.Errorf("NotImplementedError", diag.DTypeMismatch, "reduce(): mean is only defined for floats, not for %s", t)
		}
	case "sum", "prod":
		if d == dtype.Unknown {
			return d
		}
		if ops.IsArray(t) {
			return numpy.WideSum(c, d)
		}
		return ops.SumType(d)
	case "any", "all":
		if ops.IsArray(t) {
			return dtype.Bool
		}
		return ops.BoolButByte(d)
	}
	return d
}

// reduceWith calls a reduction that is a function of a tensor and a tuple of axes; einops moves the
// axes to be reduced to the end first. What it gives is reshaped to the groups of the right side.
// An error is that of the function.
func reduceWith(c *ops.Call, z *sized, t *value.Tensor, shape symshape.Shape, reduced []einAxis) value.Value {
	// The axes that are kept, in the order of the right side, and then those to reduce.
	var moved symshape.Shape
	z.right.axes(func(a einAxis) { moved = append(moved, z.size[a.name]) })
	axes := make([]value.Value, len(reduced))
	for i, a := range reduced {
		axes[i] = value.Int(len(moved))
		moved = append(moved, z.size[a.name])
	}
	in := c.Out(t.Type().DType, moved)
	in.Class, in.V.Type.Device = t.Class, t.Type().Device
	c.Record(false) // before what the function does
	c.Outs = nil
	v, err := c.Th.Call(c.Value("reduction"), []value.Value{in, value.NewTuple(axes...)}, nil)
	if err != nil {
		c.SetErr(err)
		return nil
	}
	r, ok := v.(*value.Tensor)
	if !ok {
		return c.Lose("the function that reduces gives no tensor")
	}
	sizes := make([]value.Value, len(shape))
	for i, d := range shape {
		sizes[i] = value.FromDim(d)
	}
	out := c.DelegateTensor("torch.reshape", []value.Value{r, value.NewTuple(sizes...)})
	if out != nil {
		out.Class = t.Class
	}
	return out
}

// einStrides follows reshape, permute, expand, reshape: a view with the strides of the axes where
// no merged axes have to be copied; nil says that it is a copy in row-major order.
func einStrides(c *ops.Call, z *sized, t *value.Tensor, shape symshape.Shape) []*symshape.Expr {
	own := c.StridesOf(t)
	strides := map[string]*symshape.Expr{}
	// The axes of a group lie inside of that axis of the tensor.
	for i, g := range z.left.groups {
		step := own[i]
		for k := len(g.axes) - 1; k >= 0; k-- {
			strides[g.axes[k].name] = step
			if step != nil && z.size[g.axes[k].name].Expr != nil {
				step = c.P.Mul(step, z.size[g.axes[k].name].Expr)
			} else {
				step = nil
			}
		}
	}
	out := make([]*symshape.Expr, len(shape))
	acc := c.P.Const(1)
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = acc
		var after *einAxis // the axis that follows in the same dimension
		for k := len(z.right.groups[i].axes) - 1; k >= 0; k-- {
			a := z.right.groups[i].axes[k]
			if ops.IsConst(z.size[a.name], 1) {
				continue
			}
			st, ok := strides[a.name]
			// An axis that repeats elements does not move in memory.
			if !ok {
				st = c.P.Const(0)
			}
			if after == nil {
				out[i] = st
			} else if b := strides[after.name]; b == nil || st == nil || z.size[after.name].Expr == nil ||
				c.P.Mul(b, z.size[after.name].Expr) != st {
				return nil // a copy
			}
			x := a
			after = &x
			strides[a.name] = st
		}
		if out[i] != nil && shape[i].Expr != nil {
			acc = c.P.Mul(out[i], shape[i].Expr)
		}
	}
	return out
}

// einElems rearranges tracked contents: for each axis of the left side the step between its
// elements, by which the right side picks them. Nil where sizes or elements are not known.
func einElems(c *ops.Call, z *sized, t *value.Tensor) []value.Value {
	elems := t.Contents()
	if elems == nil {
		return nil
	}
	size := func(a einAxis) int {
		n, ok := z.size[a.name].Const()
		if !ok {
			return -1
		}
		return int(n)
	}
	steps := map[string]int{}
	step, known := 1, true
	for i := len(z.left.groups) - 1; i >= 0; i-- {
		axes := z.left.groups[i].axes
		for k := len(axes) - 1; k >= 0; k-- {
			n := size(axes[k])
			known = known && n >= 0
			steps[axes[k].name] = step
			step *= n
		}
	}
	var sizes, by []int
	z.right.axes(func(a einAxis) {
		n := size(a)
		known = known && n >= 0
		sizes, by = append(sizes, n), append(by, steps[a.name])
	})
	if !known || step != len(elems) {
		return nil
	}
	return ops.PickStrided(elems, sizes, by, 0)
}

// einCheck is what a layer of einops checks when it is made: the pattern without a tensor.
func einCheck(c *ops.Call) value.Value {
	given, _ := einLengths(c, "axes_lengths")
	pattern := c.Str("pattern")
	if !c.OK() {
		return nil
	}
	c.Name = "einops." + c.Str("operation")
	if _, f := parseEin(pattern, c.Str("operation"), given); f != nil {
		return einFail(c, pattern, f)
	}
	return value.None
}

// einParseShape needs a tensor with as many axes as the pattern, in which an ellipsis takes any
// number. "1" and numbers demand those sizes, parentheses are refused, "_" is skipped; the result
// is a dict of each name and its size.
func einParseShape(c *ops.Call) value.Value {
	pattern := c.Str("pattern")
	t := einTensor(c, "x")
	if t == nil || !c.OK() {
		return nil
	}
	side, f := parseEinSide(pattern, 0, true, false)
	if f != nil {
		return einFail(c, pattern, f)
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	n := 0
	if side.ellipsis {
		n = len(s) - len(side.groups) + 1
	}
	if n < 0 || !side.ellipsis && len(s) != len(side.groups) {
		return einError(c, "RuntimeError", diag.RankMismatch, pattern,
			&einFault{fmt.Sprintf("the pattern has %s, but the tensor has %d: %s", ops.CountWord(len(side.groups), "dimension"), len(s), t), 0,
				len(pattern)})
	}
	side = side.expand(n)
	out := c.Th.Heap().NewDict()
	for i, g := range side.groups {
		switch {
		case len(g.axes) == 0:
			if _, ok := c.Same(s[i], c.Const(1)); !ok {
				return einError(c, "RuntimeError", diag.ShapeMismatch, pattern,
					&einFault{fmt.Sprintf("axis %d has size %s and not 1: %s", i, s[i], t), g.off, 1}, ops.Ref{Tensor: t, Axis: i})
			}
		case g.bracket:
			return einError(c, "RuntimeError", diag.BadValue, pattern, &einFault{"parentheses are not allowed in parse_shape", g.off, 1})
		case g.axes[0].size > 0:
			if _, ok := c.Same(s[i], c.Const(g.axes[0].size)); !ok {
				return einError(c, "RuntimeError", diag.ShapeMismatch, pattern,
					&einFault{fmt.Sprintf("axis %d has size %s and not %s: %s", i, s[i], g.axes[0].label(), t), g.off, 1}, ops.Ref{Tensor: t, Axis: i})
			}
		case g.axes[0].name != "_" && !strings.HasPrefix(g.axes[0].name, einEllipsis):
			out.SetStr(c.Th.Heap(), g.axes[0].name, c.SizeValue(t, i))
		}
	}
	return out
}
