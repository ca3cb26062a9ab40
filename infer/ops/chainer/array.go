package chainer

// This file holds the functions that change the shape or the order of elements of one
// input. Every rule begins with apply, which reads the inputs and makes their names known to the
// expressions of the type check. Short rules are functions in the table; those that read more than
// one argument with care have a name below it. The formulas of sizes are those of
// chainer/functions/array, whose functions mostly call NumPy's function of the same name: where a
// fault arises in NumPy and not in the type check, its class is NumPy's (ValueError,
// numpy.AxisError) and not Chainer's InvalidType.

import (
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// arrays lists the functions of chainer.functions.array that change the shape or order of one input. An
// axis counts from either end and must exist; sizes must not be negative. The dtype stays except in cast,
// and a record's expectations are the type checks of Chainer's function class, with its messages.
func arrays() []ops.Op {
	return []ops.Op{
		fn("reshape", "Reshape", "(x, shape)", func(k *call) value.Value { return k.reshape("x", k.Value("shape")) },
			"another shape of the same elements; -1 is what remains").With(ops.Op{Is: graph.OneTensor}),
		// flatten gives one axis, of the product of all sizes; of a scalar that is one element.
		fn("flatten", "Reshape", "(x)", func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			return k.out(k.d("x"), k.Numel(k.s("x")))
		}, "all elements in one dimension").With(ops.Op{Is: graph.OneTensor}),
		fn("transpose", "Transpose", "(x, axes=None)", func(k *call) value.Value { return k.transpose("x", k.Value("axes")) },
			"the axes in another order").
			With(ops.Op{Is: graph.OneTensor}),
		fn("expand_dims", "ExpandDims", "(x, axis)", func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			// The axis may be given as what int() converts, since ExpandDims.__init__ calls
			// int(axis).
			n := k.toInt("axis")
			s := k.s("x")
			if !k.OK() {
				return nil
			}
			// The axis counts in the result, which has one dimension more: -ndim-1 to ndim.
			if n > len(s) || n < -len(s)-1 {
				k.invalid(diag.DimOutOfRange, "x.ndim >= axis", itoa(len(s))+" < "+itoa(n))
				return nil
			}
			if n < 0 {
				n += len(s) + 1
			}
			return k.out(k.d("x"), ops.Insert(s, n, k.Const(1))...)
		}, "an axis of size 1 more"),
		fn("squeeze", "Squeeze", "(x, axis=None)", squeezeRule, "without axes of size 1").With(ops.Op{Is: graph.OneTensor}),
		fn("swapaxes", "Swapaxes", "(x, axis1, axis2)", func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			i, j := k.integer("axis1"), k.integer("axis2")
			n := len(k.s("x"))
			// NumPy refuses any axis of a scalar, but WrapAxis would accept 0 and -1, as PyTorch
			// does.
			if k.OK() && n == 0 {
				return k.Errorf("numpy.AxisError", diag.DimOutOfRange, "swapaxes(): axis1: axis %d is out of bounds for array of dimension 0", i)
			}
			a, b := k.WrapAxis(i, n), k.WrapAxis(j, n)
			if !k.OK() {
				return nil
			}
			s := append(symshape.Shape(nil), k.s("x")...)
			s[a], s[b] = s[b], s[a]
			return k.out(k.d("x"), s...)
		}, "two axes exchanged"),
		fn("moveaxis", "Moveaxis", "(x, source, destination)", moveaxisRule, "axes at other places"),
		fn("rollaxis", "Rollaxis", "(x, axis, start=0)", func(k *call) value.Value {
			a, to := k.integer("axis"), k.integer("start")
			if !k.apply("x") {
				return nil
			}
			s := k.s("x")
			a = k.wrap(a, "x")
			if !k.OK() {
				return nil
			}
			// start is a place between axes, so that ndim, behind the last one, is allowed.
			if to > len(s) || to < -len(s) {
				k.invalid(diag.DimOutOfRange, "x.ndim >= start", itoa(len(s))+" < "+itoa(to))
				return nil
			}
			if to < 0 {
				to += len(s)
			}
			// Without the moved axis all places behind it are one less.
			if a < to {
				to--
			}
			return k.out(k.d("x"), ops.Insert(ops.Without(s, a), to, s[a])...)
		}, "an axis moved before another"),
		fn("broadcast_to", "BroadcastTo", "(x, shape)", func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			to := k.sizes("shape")
			s := k.s("x")
			if !k.OK() {
				return nil
			}
			// A negative size is refused by NumPy before the ranks are compared.
			for _, d := range to {
				if n, ok := ops.DimVal(d); ok && n < 0 {
					return k.Errorf("ValueError", diag.InvalidSize, "broadcast_to(): a size of %d", n)
				}
			}
			if len(to) < len(s) {
				k.invalid(diag.RankMismatch, "x.ndim <= len(shape)", itoa(len(s))+" > "+itoa(len(to)))
				return nil
			}
			if !k.BroadcastsTo(s, to) {
				k.invalid(diag.ShapeMismatch, "x.shape that broadcasts to "+to.String(), s.String())
				return nil
			}
			return k.out(k.d("x"), to...)
		}, "repeated along axes to a shape"),
		// The inputs are unified from the last axis on; each result keeps the dtype of its own
		// input. One input alone is returned as a Variable, not as a tuple, as
		// chainer.functions.broadcast does.
		fn("broadcast", "Broadcast|?", "(*args)", func(k *call) value.Value {
			var ts []*value.Tensor
			for _, v := range k.Rest() {
				ts = append(ts, k.asInput("args", v))
			}
			if len(ts) == 0 {
				return k.Errorf(InvalidType, diag.BadCall, "broadcast(): needs inputs")
			}
			if !k.OK() {
				return nil
			}
			s := k.BroadcastTensors(ts...)
			var out []value.Value
			for _, t := range ts {
				if k.OK() {
					out = append(out, k.Out(t.Type().DType, s))
				}
			}
			if len(out) == 1 {
				return out[0]
			}
			return value.NewTuple(out...)
		}, "inputs repeated to one shape"),
		fn("cast", "Cast", "(x, typ)", func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			d := k.dtype("typ")
			if !k.OK() {
				return nil
			}
			return k.Like(k.t("x"), d)
		}, "another dtype"),
		// copy has the type of x: dst is a device. A number that is not negative names a GPU, which
		// is taken not to be there. Other texts than those of NumPy's and Intel's backends name no
		// device.
		fn("copy", "Copy", "(x, dst)", func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			switch v := k.Value("dst").(type) {
			case value.Int, value.Str, *value.Instance, *value.SymInt:
				if n, ok := value.AsInt(v); ok && n >= 0 {
					return k.Errorf(runtimeError, diag.DeviceMismatch, "copy(): there is no GPU %d", n)
				}
				if s, ok := value.AsStr(v); ok && s != "-1" && s != "@numpy" && s != "@intel64" {
					return k.Errorf("ValueError", diag.DeviceMismatch, "copy(): no device %q", s)
				}
			case *value.Unknown:
			default:
				return k.Errorf("ValueError", diag.TypeMismatch, "copy(): no device: %s", ops.TypeName(v))
			}
			return k.like("x")
		}, "the same on another device"),
		fn("depth2space", "Depth2Space", "(X, r)", func(k *call) value.Value { return k.blocks(true) }, "channels as blocks of r by r pixels"),
		fn("space2depth", "Space2Depth", "(X, r)", func(k *call) value.Value { return k.blocks(false) }, "blocks of r by r pixels as channels"),
		// diagonal removes both axes and appends one: torch.diagonal has the formula of its size,
		// which depends on the sign of the offset.
		fn("diagonal", "Diagonal", "(x, offset=0, axis1=0, axis2=1)", func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			a, b := k.axis("axis1", "x"), k.axis("axis2", "x")
			off := k.number("offset")
			if !k.OK() {
				return nil
			}
			if a == b {
				return k.Errorf("ValueError", diag.DimOutOfRange, "diagonal(): axis1 and axis2 are the same axis")
			}
			return k.Delegate("torch.diagonal", []value.Value{k.t("x"), value.FromDim(off), value.Int(a), value.Int(b)})
		}, "the diagonal of two axes, as the last axis"),
		fn("flip", "Flip", "(x, axis)", func(k *call) value.Value {
			n := k.integer("axis")
			if !k.apply("x") || !k.expect("x.ndim > 0") {
				return nil
			}
			k.wrap(n, "x")
			return k.like("x")
		}, "the other way round along an axis"),
		fn("flipud", "FlipUD", "(a)", func(k *call) value.Value {
			if !k.apply("a") || !k.expect("a.dtype.kind == f", "a.ndim >= 1") {
				return nil
			}
			return k.like("a")
		}, "the first axis the other way round"),
		fn("fliplr", "FlipLR", "(a)", func(k *call) value.Value {
			if !k.apply("a") || !k.expect("a.dtype.kind == f", "a.ndim >= 2") {
				return nil
			}
			return k.like("a")
		}, "the second axis the other way round"),
		// im2col: an image (N, C, H, W) gives (N, C·kh·kw, H', W') with the sizes of a convolution.
		fn("im2col", "Im2Col", "(x, ksize, stride=1, pad=0, cover_all=False, dilate=1)", func(k *call) value.Value {
			kk, st, p, dl := k.several("ksize", 2), k.several("stride", 2), k.several("pad", 2), k.several("dilate", 2)
			cover := k.flag("cover_all")
			if !k.apply("x") || !k.expect(floating, "x.ndim == 4") {
				return nil
			}
			s := k.s("x")
			h := k.convOut(s[2], kk[0], st[0], p[0], dl[0], cover, "AssertionError")
			w := k.convOut(s[3], kk[1], st[1], p[1], dl[1], cover, "AssertionError")
			return k.out(k.d("x"), s[0], k.P.DimMul(s[1], k.P.DimMul(kk[0], kk[1])), h, w)
		}, "the windows of an image, as channels"),
		fn("pad", "Pad", "(x, pad_width, mode, **keywords)", padRule, "elements added at the ends of axes").
			With(ops.Op{Is: graph.OneTensor}),
		fn("repeat", "Repeat", "(x, repeats, axis=None)", repeatRule, "elements repeated along an axis"),
		fn("tile", "Tile", "(x, reps)", tileRule, "the whole repeated along axes"),
		// resize_images: (N, C, H, W) gives (N, C, height, width). An input without elements and
		// most sizes of 0 end as ZeroDivisionErrors in its forward.
		fn("resize_images", "ResizeImages", "(x, output_shape, *, mode='bilinear', align_corners=True)", func(k *call) value.Value {
			to := k.sizes("output_shape")
			if k.OK() && len(to) < 2 {
				return k.Errorf("IndexError", diag.BadValue, "resize_images(): output_shape must be (height, width)")
			}
			k.oneOf("mode", "AssertionError", "bilinear", "nearest")
			if !k.apply("x") || !k.expect("x.dtype == float32", "x.ndim == 4") {
				return nil
			}
			s := k.s("x")
			for _, d := range to[:2] {
				if n, ok := ops.DimVal(d); ok && n < 0 {
					return k.Errorf("ValueError", diag.InvalidSize, "resize_images(): a size of %d", n)
				}
			}
			if z, ok := ops.DimVal(k.Numel(s)); ok && z == 0 {
				return k.Errorf("ZeroDivisionError", diag.BadValue, "resize_images(): %s has no elements", k.t("x"))
			}
			// A height of 0 is always divided by; a width of 0 only in mode "nearest" or without
			// align_corners.
			mode, _ := value.AsStr(k.Value("mode"))
			for i, d := range to[:2] {
				if n, ok := ops.DimVal(d); ok && n == 0 && (i == 0 || mode == "nearest" || !k.flag("align_corners")) {
					return k.Errorf("ZeroDivisionError", diag.BadValue, "resize_images(): a size of 0")
				}
			}
			return k.out(k.d("x"), s[0], s[1], to[0], to[1])
		}, "images of another size"),
		// The affine maps are (N, 2, 3); the grid is (N, 2, height, width), of x and y coordinates.
		fn("spatial_transformer_grid", "SpatialTransformerGrid", "(theta, output_shape)", func(k *call) value.Value {
			if !k.apply("theta") || !k.expect("theta.dtype.kind == f", "theta.ndim == 3", "theta.shape[1] == 2", "theta.shape[2] == 3") {
				return nil
			}
			to := k.several("output_shape", 2)
			for _, d := range to {
				if n, ok := ops.DimVal(d); k.OK() && ok && n < 0 {
					return k.Errorf("ValueError", diag.InvalidSize, "spatial_transformer_grid(): a size of %d", n)
				}
			}
			return k.out(k.d("theta"), k.s("theta")[0], k.Const(2), to[0], to[1])
		}, "where affine maps take points from"),
		// The sampled image has the batch and channels of x and the height and width of the grid.
		fn("spatial_transformer_sampler", "SpatialTransformerSampler", "(x, grid)", func(k *call) value.Value {
			if !k.apply("x", "grid") || !k.expect(floating, "grid.dtype == x.dtype", "x.ndim == 4", "grid.ndim == 4", "grid.shape[1] == 2",
				"x.shape[0] == grid.shape[0]") {
				return nil
			}
			s, g := k.s("x"), k.s("grid")
			return k.out(k.d("x"), s[0], s[1], g[2], g[3])
		}, "images sampled at the points of a grid"),
		// as_strided takes strides in elements, not in bytes as NumPy's function does.
		fn("as_strided", "AsStrided", "(x, shape, strides, storage_offset=None)", func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			to, st := k.sizes("shape"), k.sizes("strides")
			if k.Has("storage_offset") {
				k.number("storage_offset")
			}
			if k.OK() && len(to) != len(st) {
				return k.Errorf("ValueError", diag.BadValue, "as_strided(): shape has %d elements, but strides has %d",
					diag.Count(len(to)), diag.Count(len(st)))
			}
			if !k.inside(to, st) {
				return nil
			}
			return k.out(k.d("x"), to...)
		}, "a view of the memory with strides"),
		fn("normalize", "NormalizeL2", "(x, eps=1e-05, axis=1)", func(k *call) value.Value {
			k.real("eps")
			if !k.apply("x") || !k.expect(floating) {
				return nil
			}
			k.axes("axis", "x")
			return k.like("x")
		}, "x over its norm along axes"),
	}
}

// inside checks that a view with strides stays in the memory of x: from the offset, each axis of n
// elements reaches (n-1)·stride further, downwards for a negative stride. A view without elements
// touches no memory. Where a size, a stride or the offset is a symbol nothing is refused. The
// result says whether the call is still without a fault.
func (k *call) inside(to, strides symshape.Shape) bool {
	if !k.OK() {
		return false
	}
	lo, hi := int64(0), int64(0)
	if k.Has("storage_offset") {
		n, ok := ops.DimVal(k.number("storage_offset"))
		if !ok {
			return k.OK()
		}
		lo, hi = n, n
	}
	for i, d := range to {
		n, ok1 := ops.DimVal(d)
		s, ok2 := ops.DimVal(strides[i])
		switch {
		case !ok1 || !ok2:
			return k.OK()
		case n < 0:
			k.Errorf("ValueError", diag.InvalidSize, "as_strided(): a size of %d", n)
			return false
		case n == 0:
			return k.OK()
		case s < 0:
			lo += (n - 1) * s
		default:
			hi += (n - 1) * s
		}
	}
	size, ok := ops.DimVal(k.NumelOf(k.t("x")))
	if k.OK() && ok && (lo < 0 || hi >= size) {
		k.Errorf("ValueError", diag.BadValue, "as_strided(): the view reaches from element %d to %d of %d", lo, hi, size)
	}
	return k.OK()
}

// toInt reads what int() takes: an int, a float, whose fraction is dropped, or a text of an int.
// Other texts are a ValueError, as in Python. It gives 0 after a fault.
func (k *call) toInt(name string) int {
	switch v := k.Value(name).(type) {
	case value.Float:
		return int(v)
	case value.Str:
		if n, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(string(v)), "_", "")); err == nil {
			return n
		}
		k.Errorf("ValueError", diag.BadValue, "%s(): '%s' is no int", k.Short(), v)
		return 0
	}
	return k.integer(name)
}

// dtype reads a dtype in numpy's forms: a type, a dtype object or its name. None is numpy's
// default, float64. An unknown argument, and a call that has failed already, give dtype.Unknown.
func (k *call) dtype(name string) dt {
	if !k.OK() {
		return dtype.Unknown
	}
	v := k.Value(name)
	if value.IsUnknown(v) {
		return dtype.Unknown
	}
	if v == value.None {
		return dtype.F64
	}
	d, ok := numpy.DTypeOf(v)
	if !ok {
		k.Errorf("TypeError", diag.TypeMismatch, "%s(): %s is not understood as a dtype", k.Short(), v)
	}
	return d
}

// reshape gives an input another shape. One negative size stands for what is left; the product of
// the others must divide the number of elements, and without a negative size both products must be
// equal. For symbols both become conditions of the run. A shape in which the known sizes have
// product 0 leaves the negative one open, which NumPy refuses.
func (k *call) reshape(name string, shape value.Value) value.Value {
	if !k.apply(name) {
		return nil
	}
	elems, ok := k.sequence("shape", shape)
	if !ok {
		return nil
	}
	to := make(symshape.Shape, len(elems))
	for i, e := range elems {
		to[i] = k.asInt("shape", e)
	}
	s := k.s(name)
	if !k.OK() {
		return nil
	}
	// free is the place of the negative size, known the product of the others.
	free, known := -1, k.Const(1)
	for i, d := range to {
		if n, ok := ops.DimVal(d); ok && n < 0 {
			if free >= 0 { // NumPy takes any negative size for what is left
				return k.Errorf("AssertionError", diag.InvalidSize, "reshape(): only one size can be negative: %s", to)
			}
			free = i
			continue
		}
		known = k.P.DimMul(known, d)
	}
	total := k.Numel(s)
	// The fault is about all axes at once: no line made a single one of them.
	k.Blame()
	if free >= 0 {
		if n, ok := ops.DimVal(known); ok && n == 0 {
			return k.Errorf("ValueError", diag.InvalidSize, "reshape(): what -1 stands for in %s is not decided", to)
		}
		if !k.MultipleOf(total, known) {
			k.invalid(diag.ShapeMismatch, "prod(x.shape) % known_size(="+known.String()+") == 0",
				total.String()+" % "+known.String()+" != 0, to "+to.String())
			return nil
		}
		to[free] = k.P.DimFloorDiv(total, known)
	} else if _, ok := k.Same(total, known); !ok {
		k.invalid(diag.ShapeMismatch, "prod(x.shape) == prod("+to.String()+")", total.String()+" != "+known.String())
		return nil
	}
	return k.out(k.d(name), to...)
}

// transpose puts the axes of an input in another order: axes is a sequence with each axis once, or
// None, which reverses them. An axis that is a symbol loses the result.
func (k *call) transpose(name string, axes value.Value) value.Value {
	if !k.apply(name) {
		return nil
	}
	s := k.s(name)
	if !k.OK() {
		return nil
	}
	out := make(symshape.Shape, len(s))
	if axes == value.None {
		for i := range s {
			out[len(s)-1-i] = s[i]
		}
		return k.out(k.d(name), out...)
	}
	elems, ok := k.sequence("axes", axes)
	if !ok {
		return nil
	}
	// NumPy itself says no more than "axes don't match array"; the message here names both sides.
	if len(elems) != len(s) {
		return k.Errorf("ValueError", diag.RankMismatch, "%s(): %s for %s", k.Short(), ops.CountWord(len(elems), "axis"), k.t(name))
	}
	seen := map[int]bool{}
	for i, e := range elems {
		n, ok := ops.DimVal(k.asInt("axes", e))
		if !k.OK() {
			return nil
		}
		if !ok {
			return k.Lose("an axis is not known")
		}
		a := k.WrapAxis(int(n), len(s))
		if k.OK() && seen[a] {
			return k.Errorf("ValueError", diag.DimOutOfRange, "%s(): axis %d is repeated", k.Short(), a)
		}
		if !k.OK() {
			return nil
		}
		seen[a] = true
		out[i] = s[a]
	}
	return k.out(k.d(name), out...)
}

// squeezeRule removes axes of size 1. Axes that are named must have that size, as NumPy has it;
// without a name all are removed that have it. Where a size is a symbol that may be 1, the rank of
// the result depends on it, and torch.squeeze decides what is known then.
func squeezeRule(k *call) value.Value {
	if !k.apply("x") {
		return nil
	}
	s := k.s("x")
	if !k.OK() {
		return nil
	}
	if !k.Has("axis") {
		var out symshape.Shape
		for _, d := range s {
			n, ok := ops.DimVal(d)
			if !ok {
				return k.Delegate("torch.squeeze", []value.Value{k.t("x")})
			}
			if n != 1 {
				out = append(out, d)
			}
		}
		return k.out(k.d("x"), out...)
	}
	axes, _ := k.axes("axis", "x")
	if !k.OK() {
		return nil
	}
	for _, a := range axes {
		if _, ok := k.Same(s[a], k.Const(1)); !ok {
			return k.Errorf("ValueError", diag.ShapeMismatch, "squeeze(): axis %d has size %s, not 1: %s", a, s[a], k.t("x"))
		}
	}
	return k.out(k.d("x"), k.reduced(s, axes, false)...)
}

// moveaxisRule needs a floating input and as many axes as destinations, none of them repeated; each is an
// int or a sequence of ints. The axes that are not moved keep their order.
func moveaxisRule(k *call) value.Value {
	if !k.apply("x") || !k.expect(floating) {
		return nil
	}
	// An int stands for a sequence of one.
	read := func(name string) []int {
		v := k.Value(name)
		if !ops.IsSequence(v) {
			return []int{k.axis(name, "x")}
		}
		elems, _ := k.sequence(name, v)
		var out []int
		for _, e := range elems {
			n, ok := ops.DimVal(k.asInt(name, e))
			if !ok {
				k.Lose("an axis is not known")
				return nil
			}
			out = append(out, k.wrap(int(n), "x"))
		}
		return out
	}
	from, to := read("source"), read("destination")
	s := k.s("x")
	if !k.OK() {
		return nil
	}
	if len(from) != len(to) {
		return k.Errorf("ValueError", diag.BadValue, "moveaxis(): %d axes to %d places", len(from), len(to))
	}
	place := make([]int, len(s)) // the axis that comes to each place
	for i := range place {
		place[i] = -1
	}
	moved := map[int]bool{}
	for i := range from {
		if moved[from[i]] || place[to[i]] >= 0 {
			return k.Errorf("ValueError", diag.DimOutOfRange, "moveaxis(): an axis is repeated")
		}
		moved[from[i]] = true
		place[to[i]] = from[i]
	}
	// The axes that are not moved fill the remaining places from the left.
	next := 0
	out := make(symshape.Shape, len(s))
	for i := range place {
		if place[i] < 0 {
			for moved[next] {
				next++
			}
			place[i] = next
			next++
		}
		out[i] = s[place[i]]
	}
	return k.out(k.d("x"), out...)
}

// blocks is depth2space (spread) and space2depth: (N, C·r², H, W) and (N, C, H·r, W·r) become each
// other. The axes that shrink must be multiples of r² or r; an input without elements passes, since
// the work is done by numpy.reshape, which accepts it.
func (k *call) blocks(spread bool) value.Value {
	if !k.apply("X") || !k.expect("X.dtype.kind == f", "X.ndim == 4") {
		return nil
	}
	r := k.number("r")
	s := k.s("X")
	if !k.OK() {
		return nil
	}
	if n, ok := ops.DimVal(r); ok && n == 0 {
		return k.Errorf("ZeroDivisionError", diag.BadValue, "%s(): r is 0", k.Short())
	}
	if n, ok := ops.DimVal(r); ok && n < 0 {
		return k.Errorf("ValueError", diag.BadValue, "%s(): r is %d", k.Short(), n)
	}
	rr := k.P.DimMul(r, r)
	fits := func(axis int, by symshape.Dim) bool {
		if n, ok := ops.DimVal(k.Numel(s)); ok && n == 0 || k.MultipleOf(s[axis], by) { // a reshape: of nothing all fit
			return true
		}
		k.Errorf("ValueError", diag.ShapeMismatch, "%s(): axis %d of %s is no multiple of %s", k.Short(), axis, k.t("X"), by)
		return false
	}
	if spread {
		if !fits(1, rr) {
			return nil
		}
		return k.out(k.d("X"), s[0], k.P.DimFloorDiv(s[1], rr), k.P.DimMul(s[2], r), k.P.DimMul(s[3], r))
	}
	if !fits(2, r) || !fits(3, r) {
		return nil
	}
	return k.out(k.d("X"), s[0], k.P.DimMul(s[1], rr), k.P.DimFloorDiv(s[2], r), k.P.DimFloorDiv(s[3], r))
}

// padRule follows numpy.pad: an int, a pair, or a pair for each axis. Each axis grows by its pair;
// the widths must not be negative. The mode decides which further keywords there may be, and has no
// influence on the shape.
func padRule(k *call) value.Value {
	if !k.apply("x") || !k.expect(floating) {
		return nil
	}
	s := k.s("x")
	if !k.OK() {
		return nil
	}
	if v := k.Value("mode"); !value.IsUnknown(v) {
		switch m, ok := value.AsStr(v); {
		case !ok:
			return k.Errorf("TypeError", diag.TypeMismatch, "pad(): mode must be a text, not %s", ops.TypeName(v))
		case !strings.Contains(padModes, " "+m+" "):
			return k.Errorf("ValueError", diag.BadValue, "pad(): mode %q is not supported", m)
		}
	}
	if m, ok := value.AsStr(k.Value("mode")); ok && !k.padKeywords(m) {
		return nil
	}
	pairs := k.padWidths(len(s))
	if !k.OK() {
		return nil
	}
	out := make(symshape.Shape, len(s))
	for i, p := range pairs {
		for _, d := range p {
			if !k.AtLeast(d, 0) {
				return k.Errorf("ValueError", diag.BadValue, "pad(): pad_width cannot be negative: %s", d)
			}
		}
		out[i] = k.P.DimAdd(s[i], k.P.DimAdd(p[0], p[1]))
	}
	return k.out(k.d("x"), out...)
}

// padModes are the modes of numpy.pad.
const padModes = " constant edge linear_ramp maximum mean median minimum reflect symmetric wrap empty "

// padKeywords checks the keywords that a mode of numpy.pad takes: one or none for each. It reports
// whether the call is still without a fault; keywords that are not known pass.
func (k *call) padKeywords(mode string) bool {
	kw, ok := k.Value("keywords").(*value.Dict)
	if !ok {
		return true
	}
	allowed := map[string]string{"constant": "constant_values", "linear_ramp": "end_values", "maximum": "stat_length", "mean": "stat_length",
		"median":  "stat_length",
		"minimum": "stat_length", "reflect": "reflect_type", "symmetric": "reflect_type"}[mode]
	for i := range kw.Len() {
		if name, ok := value.AsStr(kw.Key(i)); ok && name != allowed {
			k.Errorf("ValueError", diag.BadCall, "pad(): unsupported keyword argument for mode '%s': %s", mode, name)
		}
	}
	return k.OK()
}

// padWidths broadcasts pad_width to (rank, 2): elements before and after each axis. numpy.pad takes
// an int for all, (n,) for all, (before, after) for all, ((before, after),) for all, and one pair
// for each axis. An array counts by its elements where they are known and it has at most one
// dimension.
func (k *call) padWidths(rank int) [][2]symshape.Dim {
	v := k.Value("pad_width")
	out := make([][2]symshape.Dim, rank)
	fail := func() [][2]symshape.Dim {
		k.Errorf("ValueError", diag.BadValue, "pad(): pad_width %s does not fit %s", v, ops.CountWord(rank, "axis"))
		return out
	}
	if t, ok := v.(*value.Tensor); ok {
		if t.Contents() == nil || t.Type().Rank() > 1 {
			k.Lose("pad_width is not known")
			return out
		}
		v = value.NewTuple(t.Contents()...)
	}
	if !ops.IsSequence(v) {
		d := k.asInt("pad_width", v)
		for i := range out {
			out[i] = [2]symshape.Dim{d, d}
		}
		return out
	}
	rows, ok := k.sequence("pad_width", v)
	if !ok {
		return out
	}
	nested := false
	for _, r := range rows {
		nested = nested || ops.IsSequence(r)
	}
	if !nested { // (before, after) or (both,)
		var pair [2]symshape.Dim
		switch len(rows) {
		case 1:
			pair[0] = k.asInt("pad_width", rows[0])
			pair[1] = pair[0]
		case 2:
			pair = [2]symshape.Dim{k.asInt("pad_width", rows[0]), k.asInt("pad_width", rows[1])}
		default:
			return fail()
		}
		for i := range out {
			out[i] = pair
		}
		return out
	}
	// One row alone is broadcast to all axes.
	if len(rows) != rank && len(rows) != 1 {
		return fail()
	}
	for i := range out {
		r := rows[0]
		if len(rows) > 1 {
			r = rows[i]
		}
		if !ops.IsSequence(r) {
			return fail()
		}
		e, _ := k.sequence("pad_width", r)
		switch len(e) {
		case 1:
			d := k.asInt("pad_width", e[0])
			out[i] = [2]symshape.Dim{d, d}
		case 2:
			out[i] = [2]symshape.Dim{k.asInt("pad_width", e[0]), k.asInt("pad_width", e[1])}
		default:
			return fail()
		}
	}
	return out
}

// counts reads an int or a tuple of ints that are not negative, as the constructors of Repeat and
// Tile do. It gives nil after a fault.
func (k *call) counts(name string) []symshape.Dim {
	v := k.Value(name)
	list := []value.Value{v}
	if t, ok := v.(*value.Tuple); ok {
		list = t.Elems
	}
	var out []symshape.Dim
	for _, e := range list {
		d := k.asInt(name, e)
		if !k.OK() {
			return nil
		}
		if !k.AtLeast(d, 0) {
			k.Errorf("ValueError", diag.BadValue, "%s(): %s must not be negative: %s", k.Short(), name, d)
			return nil
		}
		out = append(out, d)
	}
	return out
}

// repeatRule repeats elements along an axis, or of the flattened input without one. One count is
// for all: the size is multiplied by it. Several are one for each element of the axis, whose size
// becomes their sum; their number must be the size of the axis.
func repeatRule(k *call) value.Value {
	n := k.counts("repeats")
	if !k.apply("x") {
		return nil
	}
	// s is the shape before the repetition, in which axis is the one that grows.
	s, axis := k.s("x"), 0
	if !k.Has("axis") {
		s = symshape.Shape{k.Numel(s)}
	} else {
		if _, ok := k.Value("axis").(value.Bool); ok {
			return k.Errorf("TypeError", diag.TypeMismatch, "repeat(): axis must be an int or None")
		}
		a := k.integer("axis")
		axis = k.WrapAxis(a, len(s))
		if k.OK() && len(s) == 0 {
			return k.Errorf("numpy.AxisError", diag.DimOutOfRange, "repeat(): a 0-d array has no axis")
		}
	}
	if !k.OK() {
		return nil
	}
	switch len(n) {
	case 1:
		return k.out(k.d("x"), ops.With(s, axis, k.P.DimMul(s[axis], n[0]))...)
	default:
		if _, ok := k.Same(s[axis], k.Const(int64(len(n)))); !ok {
			return k.Errorf("ValueError", diag.ShapeMismatch, "repeat(): %d repeats for an axis of %s", int64(len(n)), s[axis])
		}
		total := k.Const(0)
		for _, d := range n {
			total = k.P.DimAdd(total, d)
		}
		return k.out(k.d("x"), ops.With(s, axis, total)...)
	}
}

// tileRule is NumPy's: each size is multiplied by its count. Where there are fewer counts than
// axes, ones are missing in front, and where there are fewer axes, axes of size 1 are.
func tileRule(k *call) value.Value {
	n := k.counts("reps")
	if !k.apply("x") {
		return nil
	}
	s := append(symshape.Shape(nil), k.s("x")...)
	for len(s) < len(n) {
		s = ops.Insert(s, 0, k.Const(1))
	}
	// Counts belong to the last axes.
	for i := range n {
		j := len(s) - len(n) + i
		s[j] = k.P.DimMul(s[j], n[i])
	}
	return k.out(k.d("x"), s...)
}
