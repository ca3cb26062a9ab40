package einops

// This file holds the rules of einops' einsum, pack and unpack. pack flattens what stands for the
// star in each tensor, concatenates along that axis, and gives the shapes that it flattened; unpack
// undoes it. einsum has names of any length where torch.einsum has letters: the names are replaced
// after they have been checked, so that messages have those of the program.

import (
	"fmt"
	"strconv"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// einEinsum checks the axes by their names, then applies torch.einsum. Axes of one name have one
// size, or size 1 in some operand; what the right side has not is summed. Arrays are brought to one
// dtype first. It follows einops.einsum: the tensors come first and the pattern last. An axis of
// the right side must be on the left; parentheses and numbers are not allowed
// (NotImplementedError).
func einEinsum(c *ops.Call) value.Value {
	args := c.Rest()
	if len(args) < 2 {
		return c.Errorf("ValueError", diag.BadCall, "einsum() needs tensors and, as the last argument, a pattern")
	}
	// The last argument; a tensor there is the common mistake of passing the pattern first, as
	// torch.einsum has it.
	pattern, ok := value.AsStr(args[len(args)-1])
	if !ok {
		if _, isTensor := args[len(args)-1].(*value.Tensor); isTensor {
			return c.Errorf("ValueError", diag.BadCall, "einsum(): the last argument must be the pattern, a str, not a tensor")
		}
		return c.Lose("the pattern is not known")
	}
	args = args[:len(args)-1]
	l, r, arrow := strings.Cut(pattern, "->")
	if !arrow {
		return einError(c, "ValueError", diag.BadValue, pattern, &einFault{"the pattern of einsum needs ->", 0, len(pattern)})
	}
	parts := strings.Split(l, ",")
	if len(parts) != len(args) {
		return einError(c, "ValueError", diag.BadCall, pattern, &einFault{fmt.Sprintf("the pattern is for %s, but %d were given",
			ops.CountWord(len(parts), "tensor"), len(args)), 0, len(l)})
	}
	// The letter of each name, in the order of appearance; the equation of torch has 52. A pattern
	// with more than 52 names loses the result.
	letters := map[string]string{}
	// equation gives the term of one side in letters; ok is false after a fault.
	equation := func(s *einSide) (string, bool) {
		var b strings.Builder
		for _, g := range s.groups {
			if len(g.axes) != 1 || g.bracket || g.axes[0].size > 0 {
				einError(c, "NotImplementedError", diag.BadValue, pattern,
					&einFault{"einsum takes only names of axes and ..., no parentheses and numbers", g.off, 1})
				return "", false
			}
			a := g.axes[0]
			if a.name == einEllipsis {
				b.WriteString("...")
				continue
			}
			if letters[a.name] == "" {
				if len(letters) >= 52 {
					c.Lose("too many axes")
					return "", false
				}
				letters[a.name] = string("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(letters)])
			}
			b.WriteString(letters[a.name])
		}
		return b.String(), true
	}
	// The size of each name, and the axis that a fault shows beside another one of that name.
	sizes := map[string]symshape.Dim{}
	where := map[string]ops.Ref{}
	var terms []string
	off := 0
	for i, part := range parts {
		s, f := parseEinSide(part, off, true, true)
		if f != nil {
			return einFail(c, pattern, f)
		}
		off += len(part) + 1
		term, ok := equation(s)
		if !ok {
			return nil
		}
		terms = append(terms, term)
		t, isTensor := args[i].(*value.Tensor)
		if !isTensor {
			return c.Lose("operand %d is not a known tensor", i)
		}
		shape := c.Shape(t)
		if !c.OK() {
			return nil
		}
		// extra is the number of axes that the ellipsis stands for. It is negative for a tensor of
		// too few axes.
		extra := 0
		if s.ellipsis {
			extra = len(shape) - len(s.groups) + 1
		}
		if extra < 0 || !s.ellipsis && len(shape) != len(s.groups) {
			return einError(c, "RuntimeError", diag.RankMismatch, pattern,
				&einFault{fmt.Sprintf("the pattern gives operand %d %s, but it has %d: %s", i, axesWord(len(s.groups)), len(shape), t),
					off - len(part) - 1, len(part)})
		}
		// Axes of the ellipsis have names of their own, which may differ between operands and are
		// broadcast by torch.einsum.
		for k, g := range s.expand(extra).groups {
			a := g.axes[0]
			if strings.HasPrefix(a.name, einEllipsis) {
				continue
			}
			old, seen := sizes[a.name]
			// A size of 1 broadcasts: another operand decides.
			if !seen || ops.IsConst(old, 1) {
				sizes[a.name], where[a.name] = shape[k], ops.Ref{Tensor: t, Axis: k}
				continue
			}
			if ops.IsConst(shape[k], 1) {
				continue
			}
			if _, same := c.Same(old, shape[k]); !same {
				return einError(c, "RuntimeError", diag.ShapeMismatch, pattern,
					&einFault{fmt.Sprintf("axis '%s' has size %s in one operand and %s in operand %d", a.name, old, shape[k], i), a.off, len(a.name)},
					where[a.name], ops.Ref{Tensor: t, Axis: k})
			}
		}
	}
	right, f := parseEinSide(r, len(l)+2, true, false)
	if f != nil {
		return einFail(c, pattern, f)
	}
	known := len(letters)
	out, ok := equation(right)
	if !ok {
		return nil
	}
	// A new letter on the right is an axis that no operand has.
	if len(letters) > known {
		for _, g := range right.groups {
			if _, seen := sizes[g.axes[0].name]; !seen && g.axes[0].name != einEllipsis {
				return einError(c, "RuntimeError", diag.BadValue, pattern, &einFault{"the axis '" + g.axes[0].name +
					"' of the right side is missing on the left", g.off, len(g.axes[0].name)})
			}
		}
	}
	// All checks by names are done: what torch.einsum still finds is broadcasting of the ellipsis
	// and dtypes.
	eq := value.Str(strings.Join(terms, ",") + "->" + out)
	if ops.IsArray(args[0]) {
		c.Lib = numpy.Library
		ts := numpy.OneDType(c, value.NewTuple(args...))
		if ts == nil {
			return nil
		}
		return numpy.Arrays(c, c.Delegate("torch.einsum", append([]value.Value{eq}, ts...)))
	}
	return c.Delegate("torch.einsum", append([]value.Value{eq}, args...))
}

// A packing is the pattern of pack and unpack: axes before and after the star. Both are numbers of
// axes; their names only serve messages.
type packing struct{ before, after int }

// packPattern reads a pattern of pack and unpack: names of axes and one star, which stands for any
// number of them. It gives nil after a fault: a repeated or wrong name, or no star.
func packPattern(c *ops.Call, pattern string) *packing {
	words := strings.Fields(pattern)
	star := -1
	seen := map[string]bool{}
	for i, w := range words {
		off := strings.Index(pattern, w)
		if seen[w] {
			einFail(c, pattern, &einFault{"the axis '" + w + "' appears twice", strings.LastIndex(pattern, w), len(w)})
			return nil
		}
		seen[w] = true
		if w == "*" {
			star = i
		} else if why := badAxisName(w, false); why != "" {
			einFail(c, pattern, &einFault{"'" + w + "' is no name of an axis: " + why, off, len(w)})
			return nil
		}
	}
	if star < 0 {
		einFail(c, pattern, &einFault{"the pattern has no *", 0, len(pattern)})
		return nil
	}
	return &packing{star, len(words) - 1 - star}
}

// einPack needs at least one tensor, each with at least the axes that the pattern names before and
// after its "*". The axes in between are flattened to one, along which all are concatenated; the
// result is that and the list of the shapes that were flattened. A single tensor counts as the list
// of its rows. The result of reshaping keeps the dtype; concatenation promotes it. The shapes are
// tuples as einops gives them: torch.Size for tensors, plain tuples for arrays. A shape is empty
// for a tensor with nothing in place of the star.
func einPack(c *ops.Call) value.Value {
	pattern := c.Str("pattern")
	p := packPattern(c, pattern)
	elems, isList, open := c.Sequence(c.Value("tensors"))
	if p == nil || !c.OK() {
		return nil
	}
	// einops goes over a tensor as over a list.
	if t, ok := c.Value("tensors").(*value.Tensor); ok { // its rows
		parts, _ := c.Delegate("torch.unbind", []value.Value{t}).(*value.Tuple)
		if parts == nil {
			return nil
		}
		elems, isList = parts.Elems, true
	}
	if !isList || open != nil {
		return c.Lose("the tensors are not known")
	}
	if len(elems) == 0 {
		return c.Errorf("IndexError", diag.BadCall, "pack() needs at least one tensor")
	}
	// A tensor of a library that is not followed loses the result.
	if einForeign(c, elems[0]) {
		return nil
	}
	flat := make([]value.Value, len(elems))
	shapes := make([]value.Value, len(elems))
	for i, e := range elems {
		t, ok := e.(*value.Tensor)
		if !ok {
			return c.Lose("element %d is not a known tensor", i)
		}
		s := c.Shape(t)
		if !c.OK() {
			return nil
		}
		if len(s) < p.before+p.after {
			return einError(c, "einops.EinopsError", diag.RankMismatch, pattern,
				&einFault{fmt.Sprintf("tensor %d is %s, but the pattern needs at least %s", i, t, axesWord(p.before+p.after)), 0, len(pattern)})
		}
		// The shape before the star, the product of what stands for it, and the shape after it. The
		// tensor is reshaped to these, so that all have the same number of axes.
		end := len(s) - p.after
		var sizes, packed []value.Value
		for _, d := range s[:p.before] {
			sizes = append(sizes, value.FromDim(d))
		}
		for k := p.before; k < end; k++ {
			packed = append(packed, c.SizeValue(t, k))
		}
		sizes = append(sizes, value.FromDim(c.Numel(s[p.before:end])))
		for _, d := range s[end:] {
			sizes = append(sizes, value.FromDim(d))
		}
		tuple := value.NewTuple(packed...)
		if !ops.IsArray(t) {
			tuple.Class = c.Th.Class("torch.Size")
		}
		shapes[i] = tuple
		if flat[i] = c.Delegate("torch.reshape", []value.Value{t, value.NewTuple(sizes...)}); !c.OK() {
			return nil
		}
	}
	if len(flat) == 0 {
		return c.Errorf("RuntimeError", diag.BadCall, "pack() needs at least one tensor")
	}
	join := "torch.cat"
	if ops.IsArray(elems[0]) { // of one dtype or several
		join = "numpy.concatenate"
	}
	out := c.DelegateTensor(join, []value.Value{value.NewTuple(flat...), value.Int(p.before)})
	if out == nil {
		return nil
	}
	if ops.IsArray(elems[0]) {
		out.Class = c.NDArray()
	}
	return value.NewTuple(out, c.Th.Heap().NewList(shapes))
}

// einUnpack needs a tensor with one axis in the place of the pattern's "*" and a list of shapes, whose
// products must add up to its size. One shape may have a -1, which takes what the others leave. Each
// result has its shape in that place, the tensor's dtype, and shares its memory. torch's split
// gives views, so that writing to a part writes to the tensor; so it is here.
func einUnpack(c *ops.Call) value.Value {
	pattern := c.Str("pattern")
	p := packPattern(c, pattern)
	t := einTensor(c, "tensor")
	if p == nil || t == nil || !c.OK() {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) != p.before+1+p.after {
		return einError(c, "einops.EinopsError", diag.RankMismatch, pattern,
			&einFault{fmt.Sprintf("the pattern has %s, but the tensor has %d: %s", axesWord(p.before+1+p.after), len(s), t), 0, len(pattern)})
	}
	// A number of shapes that is not known gives a list of unknown length: lost.
	list, isList, open := c.Sequence(c.Value("packed_shapes"))
	if !isList || open != nil {
		return c.Lose("the shapes are not known")
	}
	// total is what is to be split, sum what the shapes take that are known.
	total := s[p.before]
	sum := c.Const(0)
	lengths := make([]symshape.Dim, len(list))
	dims := make([][]value.Value, len(list))
	// free is the shape with the -1; its length is what the others leave.
	free := -1
	for i, e := range list {
		elems, ok, open := c.Sequence(e)
		if !ok || open != nil {
			return c.Lose("shape %d is not known", i)
		}
		// The length of a shape is the product of its sizes, without the -1.
		dims[i] = elems
		lengths[i] = c.Const(1)
		minus := false
		for _, x := range elems {
			d := c.ToDim("packed_shapes", x)
			if n, ok := d.Const(); ok && n == -1 {
				minus = true
				continue
			}
			lengths[i] = c.P.DimMul(lengths[i], d)
		}
		if !c.OK() {
			return nil
		}
		if minus {
			if free >= 0 {
				return einFail(c, pattern, &einFault{"only one of the shapes may hold -1", 0, len(pattern)})
			}
			free = i
			continue
		}
		sum = c.P.DimAdd(sum, lengths[i])
	}
	// The message names all parts. It is built only on failure.
	fail := func() value.Value {
		return einError(c, "einops.EinopsError", diag.ShapeMismatch, pattern,
			&einFault{fmt.Sprintf("axis %d of size %s cannot be split into parts of the sizes %s", p.before, total, sizeList(lengths, free)), 0,
				len(pattern)}, ops.Ref{Tensor: t, Axis: p.before})
	}
	// Without -1 the parts must add up, which for symbols becomes a condition.
	if free < 0 {
		if _, ok := c.Same(total, sum); !ok {
			return fail()
		}
	} else {
		rest := c.P.DimSub(total, sum)
		if !c.AtLeast(rest, 0) || !c.MultipleOf(rest, lengths[free]) {
			return fail()
		}
		// The -1 stands for what is left over the product of the other sizes of its shape.
		one := c.P.DimFloorDiv(rest, lengths[free])
		lengths[free] = rest
		// The list of the program is left as it is: dims has a copy.
		for k, x := range dims[free] {
			if n, ok := value.AsInt(x); ok && n == -1 {
				dims[free] = append([]value.Value(nil), dims[free]...)
				dims[free][k] = value.FromDim(one)
			}
		}
	}
	// The axes before and after the star stay around each shape.
	outs := make([]value.Value, len(list))
	for i := range list {
		shape := append(symshape.Shape{}, s[:p.before]...)
		for _, x := range dims[i] {
			shape = append(shape, c.ToDim("packed_shapes", x))
		}
		shape = append(shape, s[p.before+1:]...)
		out := c.Out(t.Type().DType, shape)
		out.Class, out.V.Type.Device = t.Class, t.Type().Device
		out.ShareStorage(c.Th.Heap(), t)
		outs[i] = out
	}
	return c.Th.Heap().NewList(outs)
}

// axesWord is "1 axis" or "n axes". It is for messages.
func axesWord(n int) string {
	if n == 1 {
		return "1 axis"
	}
	return strconv.Itoa(n) + " axes"
}

// sizeList joins the lengths for a message; free is the one that was not given.
func sizeList(dims []symshape.Dim, free int) string {
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = d.String()
		if i == free {
			parts[i] = strconv.Itoa(-1)
		}
	}
	return strings.Join(parts, ", ")
}
