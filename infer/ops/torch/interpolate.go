package torch

// This file holds resampling: interpolate, grid_sample, affine_grid and the
// shuffles of channels and pixels. interpolate follows the Python of
// torch/nn/functional.py and aten/src/ATen/native/UpSample.cpp. Sizes after scale_factor are
// floor(size · factor), computed as a real expression of the size and the factor (scale), because programs compute
// factors from sizes, as in scale_factor=h / x.shape[2].

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var interpolateOps = [...]ops.Op{
	{Names: []string{"torch.nn.functional.interpolate"},
		Sig:  "(Tensor input, any size=None, any scale_factor=None, str mode='nearest', bool? align_corners=None, any recompute_scale_factor=None, any antialias=False)",
		Rule: interpolate, Form: graph.Interpolate, Is: graph.KeepsAxes | graph.BatchFirst | graph.OneTensor,
		Trace: ops.ComparesNumbers, Floats: "scale_factor", Doc: "resizes the axes of space to a size or by a factor"},
	{Names: []string{"torch.nn.functional.upsample"},
		Sig:  "(Tensor input, any size=None, any scale_factor=None, str mode='nearest', bool? align_corners=None)",
		Rule: interpolate, Floats: "scale_factor", Doc: "deprecated name of interpolate"},
	{Names: []string{"torch.nn.functional.upsample_nearest"}, Sig: "(Tensor input, any size=None, any scale_factor=None)",
		Rule: upsampleAs("nearest"), Doc: "interpolate with mode='nearest'"},
	{Names: []string{"torch.nn.functional.upsample_bilinear"}, Sig: "(Tensor input, any size=None, any scale_factor=None)",
		Rule: upsampleAs("bilinear"), Doc: "interpolate with mode='bilinear', align_corners=True"},
	{Names: []string{"torch.nn.functional.grid_sample"},
		Sig:  "(Tensor input, Tensor grid, str mode='bilinear', str padding_mode='zeros', bool? align_corners=None)",
		Rule: gridSample(4, 5), Quirks: ops.OneDevice, Doc: "samples images at positions given by a grid"},
	{Names: []string{"torch.grid_sampler"}, Sig: gridSamplerSig, Rule: gridSample(4, 5), Doc: "grid_sample with modes as numbers"},
	{Names: []string{"torch.grid_sampler_2d"}, Sig: gridSamplerSig, Rule: gridSample(4), Doc: "grid_sample of images with modes as numbers"},
	{Names: []string{"torch.grid_sampler_3d"}, Sig: gridSamplerSig, Rule: gridSample(5), Doc: "grid_sample of volumes with modes as numbers"},
	{Names: []string{"torch.nn.functional.affine_grid"}, Sig: "(Tensor theta, int[] size, bool? align_corners=None)",
		Rule: affineGrid, Variant: checkedGrid, Doc: "a grid for grid_sample from affine matrices"},
	{Names: []string{"torch.affine_grid_generator"}, Sig: "(Tensor theta, int[] size, bool align_corners)", Rule: affineGrid,
		Doc: "a grid for grid_sample from affine matrices"},
	{Names: []string{"torch.nn.functional.pixel_shuffle", "torch.pixel_shuffle"}, Sig: "(Tensor input, int upscale_factor)",
		Rule: pixelShuffle, Quirks: ops.Compiled, Doc: "moves channels into space"},
	{Names: []string{"torch.nn.functional.pixel_unshuffle", "torch.pixel_unshuffle"}, Sig: "(Tensor input, int downscale_factor)",
		Rule: pixelUnshuffle, Quirks: ops.Compiled, Doc: "moves space into channels"},
	{Names: []string{"torch.nn.functional.channel_shuffle", "torch.channel_shuffle"},
		Sig: "(Tensor input, int groups)", Rule: channelShuffle, Out: true, Quirks: ops.Compiled, Doc: "interleaves groups of channels"},
	{Names: []string{"torch.nn.functional.native_channel_shuffle", "torch.native_channel_shuffle"}, Sig: "(Tensor input, int groups)",
		Rule: nativeChannelShuffle, Quirks: ops.Compiled, Doc: "channel_shuffle without its checks"},
}

const gridSamplerSig = "(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners)"

// A scale is a factor by which a size is multiplied. r is unknown where the factor has no
// expression; val is the example's value.
type scale struct {
	r     symshape.Real
	val   float64
	known bool
}

// scales reads a number or n numbers, symbolic or not. More than n pass unless exact. One number
// holds for all axes. A ValueError is reported for another number of them. The result is nil after
// any report.
func scales(c *ops.Call, name string, n int, exact bool) []scale {
	elems, ok := c.Elems(name)
	if !ok {
		return nil
	}
	if v := c.Value(name); !ops.IsSequence(v) {
		for len(elems) < n {
			elems = append(elems[:len(elems):len(elems)], v)
		}
	}
	if len(elems) < n || exact && len(elems) > n {
		c.Errorf("ValueError", diag.BadValue, "%s: %s must have %s, one for each axis of space, but it has %d",
			c.Short(), name, ops.CountWord(n, "number"), len(elems))
		return nil
	}
	out := make([]scale, n)
	for i, e := range elems[:n] {
		out[i] = readScale(c, name, e)
	}
	if !c.OK() {
		return nil
	}
	return out
}

// readScale reads one factor of scale_factor as a real expression beside its example. A tensor of one element
// counts, as Python's float() takes it. Numbers that are unknown give the zero scale, of which no
// size is known, and lose the result.
func readScale(c *ops.Call, name string, v value.Value) scale {
	switch v := value.Plain(v).(type) {
	case value.Float:
		return scale{c.P.RealConst(float64(v), ""), float64(v), true}
	case *value.SymFloat:
		return scale{v.R, v.Val, v.Known}
	case value.Int, *value.SymInt:
		d, _ := value.AsDim(c.P, v)
		return scale{c.P.RealFromInt(d.Expr), float64(d.Val), d.Known}
	case *value.Tensor:
		if e := v.Contents(); len(e) == 1 {
			if _, isTensor := e[0].(*value.Tensor); !isTensor {
				return readScale(c, name, e[0])
			}
		}
		return scale{}
	case *value.Unknown, *value.Choice, *value.Abstract:
		c.Lose("argument '%s' is not known", name)
	default:
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): %s must be numbers, not %s", c.Short(), name, ops.TypeName(v))
	}
	return scale{}
}

// scaled is int(d·s). The product is truncated, as Python's int() does; factors are positive in
// what succeeds.
func scaled(c *ops.Call, d symshape.Dim, s scale) symshape.Dim {
	out := symshape.Dim{}
	if s.r.Known() && d.Expr != nil {
		out.Expr = c.P.TruncReal(c.P.RealMul(c.P.RealFromInt(d.Expr), s.r))
	}
	if n, ok := out.Expr.Const(); ok {
		return c.Const(n)
	}
	// The example is computed in floating point, as PyTorch does.
	if s.known && d.Known {
		out.Val, out.Known = int64(float64(d.Val)*s.val), true
	}
	return out
}

// resizeModes says for each mode which ranks of input it takes. It also says where align_corners is
// allowed, and the dtypes that the CPU kernel has.
var resizeModes = [...]struct {
	mode  string
	ranks [3]bool // 3D, 4D, 5D
	align bool    // align_corners may be given
	set   ops.DTypeSet
}{
	{"nearest", [3]bool{true, true, true}, false, ops.RealFloats | 1<<dtype.U8},
	{"nearest-exact", [3]bool{true, true, true}, false, ops.RealFloats | 1<<dtype.U8},
	{"area", [3]bool{true, true, true}, false, ops.RealFloats},
	{"linear", [3]bool{true, false, false}, true, ops.RealFloats},
	{"bilinear", [3]bool{false, true, false}, true, ops.RealFloats | 1<<dtype.U8},
	{"bicubic", [3]bool{false, true, false}, true, ops.RealFloats | 1<<dtype.U8},
	{"trilinear", [3]bool{false, false, true}, true, ops.RealFloats},
}

// The default mode is nearest.
func interpolate(c *ops.Call) value.Value { return resize(c, c.Str("mode")) }

// The deprecated functions fix the mode.
func upsampleAs(mode string) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value { return resize(c, mode) }
}

// resize needs either size or scale_factor, and an input (batch, channels, 1 to 3 spatial dimensions) of a
// rank and dtype that the mode takes. align_corners is for linear modes, antialias for bilinear and
// bicubic ones in two dimensions. No spatial size of the result may be 0, except of area. Its dtype is the
// input's.
func resize(c *ops.Call, mode string) value.Value {
	x := c.Tensor("input")
	s := c.Shape(x)
	if !c.OK() {
		return nil
	}
	align := c.HasParam("align_corners") && c.Has("align_corners")
	// -1 stands for a mode that does not exist, which is reported later.
	kind := -1
	for i := range resizeModes {
		if resizeModes[i].mode == mode {
			kind = i
		}
	}
	if align && kind >= 0 && !resizeModes[kind].align {
		return c.Errorf("ValueError", diag.BadValue, "%s: align_corners is only for the modes linear, bilinear, bicubic and trilinear, not %s",
			c.Short(), mode)
	}
	// The axes of space.
	n := len(s) - 2
	sized, factored := c.Has("size"), c.Has("scale_factor")
	recompute := c.HasParam("recompute_scale_factor") && c.Has("recompute_scale_factor") && truthy(c, "recompute_scale_factor")
	switch {
	case sized && factored:
		return c.Errorf("ValueError", diag.BadCall, "%s: size and scale_factor cannot both be given", c.Short())
	case !sized && !factored:
		return c.Errorf("ValueError", diag.BadCall, "%s: size or scale_factor must be given", c.Short())
	case sized && recompute:
		return c.Errorf("ValueError", diag.BadCall, "%s: recompute_scale_factor makes no sense with a size", c.Short())
	case n < 1 || n > 3 || kind < 0 || !resizeModes[kind].ranks[n-1]:
		// The order of these checks is that of the Python function.
		return resizeRefuse(c, x, n, mode)
	}
	if c.HasParam("antialias") && truthy(c, "antialias") && (n != 2 || mode != "bilinear" && mode != "bicubic") {
		return c.Errorf("ValueError", diag.BadValue, "%s: antialias is only for the modes bilinear and bicubic, with a 4D input", c.Short())
	}
	var out symshape.Shape
	if sized {
		out = resizeSize(c, s[2:], mode)
	} else {
		for i, f := range scales(c, "scale_factor", n, true) {
			out = append(out, scaled(c, s[2+i], f))
		}
	}
	if !c.OK() {
		return nil
	}
	// uint8 came with PyTorch 2 for the modes of images.
	set := resizeModes[kind].set
	if c.Torch1() && mode != "nearest" && mode != "nearest-exact" {
		set &^= 1 << dtype.U8
	}
	// Batch may be empty, other axes may not.
	least, axes := int64(1), n+1
	if mode == "area" { // adaptive_avg_pool, which is a mean where all sizes are 1
		least = 0
		if n < 3 {
			axes = n
		}
		ones := true
		for _, d := range out {
			ones = ones && ops.IsConst(d, 1)
		}
		if ones {
			axes, set = 0, ops.Inexact
		}
	}
	if !wantDType(c, x, "the input", set) || !nonEmpty(c, x, axes) {
		return nil
	}
	for i, d := range out {
		c.Blame(ops.Ref{Tensor: x, Axis: 2 + i})
		if !need(c, d, least, "%s: dimension %d of the output would have size %s (input %s)", c.Short(), 2+i, d, x) {
			return nil
		}
	}
	c.Blame()
	// Memory order follows the input.
	return laidOut(c, c.Out(x.Type().DType, append(symshape.Shape{s[0], s[1]}, out...)), x)
}

// resizeRefuse reports a mode that does not take the input; that the number of
// sizes is wrong is checked first.
func resizeRefuse(c *ops.Call, x *value.Tensor, n int, mode string) value.Value {
	for _, name := range [...]string{"size", "scale_factor"} {
		if !ops.IsSequence(c.Value(name)) {
			continue
		}
		if elems, ok := c.Elems(name); ok && len(elems) != n {
			return c.Errorf("ValueError", diag.BadValue, "%s: %s has %s, but the input %s has %d axes of space",
				c.Short(), name, ops.CountWord(len(elems), "number"), x, n)
		}
	}
	return c.Errorf("NotImplementedError", diag.RankMismatch, "%s: mode '%s' does not take a %dD input: %s", c.Short(), mode, n+2, x)
}

// resizeSize reads size=: one number for all axes of space, or one for each. That None keeps a size is so for
// mode 'area' alone, which is an adaptive pooling. The elements are converted like ints. The result
// is nil after a report.
func resizeSize(c *ops.Call, in symshape.Shape, mode string) symshape.Shape {
	n := len(in)
	elems, ok := c.Elems("size")
	if !ok {
		return nil
	}
	v := c.Value("size")
	if !ops.IsSequence(v) {
		for len(elems) < n {
			elems = append(elems[:len(elems):len(elems)], v)
		}
	}
	if len(elems) != n {
		c.Errorf("ValueError", diag.BadValue, "%s: size has %s, but the input has %d axes of space", c.Short(),
			ops.CountWord(len(elems), "number"), n)
		return nil
	}
	out := make(symshape.Shape, n)
	for i, e := range elems {
		if e == value.None && mode == "area" && n > 1 { // as in adaptive_avg_pool
			out[i] = in[i]
			continue
		}
		if _, isBool := e.(value.Bool); isBool && i == 0 { // only the first decides
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): size must be ints, not bool", c.Short())
			return nil
		}
		out[i] = c.ToDim("size", e)
	}
	return out
}

// gridSample makes the rule of a function that samples inputs of the given ranks. input [N, C,
// *in], grid [N, *out, n] for n axes of space; the result is [N, C, *out] in the input's dtype.
func gridSample(ranks ...int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		x, grid := c.Tensor("input"), c.Tensor("grid")
		if !c.Rank(x, "an input", ranks...) {
			return nil
		}
		xs, gs := c.Shape(x), c.Shape(grid)
		if !c.OK() {
			return nil
		}
		if len(gs) != len(xs) {
			return c.Errorf("RuntimeError", diag.RankMismatch,
				"%s: input and grid must have the same number of dimensions, but they are %s and %s", c.Short(), x, grid)
		}
		c.Blame(ops.Ref{Tensor: x, Axis: 0}, ops.Ref{Tensor: grid, Axis: 0})
		batch, ok := c.Same(xs[0], gs[0])
		if !ok {
			return c.Shapef("%s: the batch sizes of input %s and grid %s differ: %s and %s", c.Short(), x, grid, xs[0], gs[0])
		}
		// The last axis of the grid has one coordinate for each axis of space.
		last := len(gs) - 1
		c.Blame(ops.Ref{Tensor: grid, Axis: last})
		if _, ok := c.Same(gs[last], c.Const(int64(len(xs)-2))); !ok {
			return c.Shapef("%s: the last dimension of the grid %s must be %d, one for each axis of space", c.Short(), grid, len(xs)-2)
		}
		if c.HasParam("mode") {
			mode, pad := c.Str("mode"), c.Str("padding_mode")
			switch {
			case mode != "bilinear" && mode != "nearest" && mode != "bicubic" && c.OK():
				return c.Errorf("ValueError", diag.BadValue, "%s: mode must be bilinear, nearest or bicubic, not '%s'", c.Short(), mode)
			case mode == "bicubic" && len(xs) == 5:
				return c.Errorf("RuntimeError", diag.BadValue, "%s: mode bicubic is only for 4D inputs, but it is %s", c.Short(), x)
			case pad != "zeros" && pad != "border" && pad != "reflection" && c.OK():
				return c.Errorf("ValueError", diag.BadValue, "%s: padding_mode must be zeros, border or reflection, not '%s'", c.Short(), pad)
			}
		}
		if !matchDType(c, x, "the input", grid, "the grid") || !nonEmpty(c, x, len(xs)-2) || !wantDType(c, x, "the input", ops.RealFloats) {
			return nil
		}
		out := append(symshape.Shape{batch, xs[1]}, gs[1:last]...)
		return c.Out(x.Type().DType, out)
	}
}

// checkedGrid is the function in Python, which checks the theta and the sizes first.
const checkedGrid ops.Variant = "checked"

// affineGrid: theta has one matrix of n rows and n+1 columns for each image, and the grid one coordinate of n
// numbers for each pixel of size.
func affineGrid(c *ops.Call) value.Value {
	theta, size := c.Tensor("theta"), c.Ints("size")
	if !c.OK() {
		return nil
	}
	n := len(size) - 2
	if n != 2 && n != 3 {
		return c.Errorf("NotImplementedError", diag.BadValue, "%s: size must have 4 or 5 elements, but it has %d", c.Short(), len(size))
	}
	if c.Is(checkedGrid) && (!wantDType(c, theta, "theta", ops.RealFloats) || !needAll(c, "size", size, 1)) ||
		!needAll(c, "size", size[2:], 0) ||
		!c.Rank(theta, "theta", 3) {
		return nil
	}
	ts := theta.Type().Shape
	for i, want := range []symshape.Dim{size[0], c.Const(int64(n)), c.Const(int64(n + 1))} {
		c.Blame(ops.Ref{Tensor: theta, Axis: i})
		if _, ok := c.Same(ts[i], want); !ok {
			return c.Shapef("%s: theta must have shape [%s, %d, %d], but it is %s", c.Short(), size[0], n, n+1, theta)
		}
	}
	out := append(symshape.Shape{size[0]}, size[2:]...)
	return c.Out(theta.Type().DType, append(out, c.Const(int64(n))))
}

// pixelShuffle: r² channels become one with r times the height and width. The message gives the factor squared,
// since the program has the factor alone.
func pixelShuffle(c *ops.Call) value.Value {
	x, r := c.Tensor("input"), c.Dim("upscale_factor")
	if !atLeastRank(c, x, 3) || !need(c, r, 1, "%s: upscale_factor must be positive, but it is %s", c.Short(), r) {
		return nil
	}
	t, p := tail(x, 3), c.P
	square := p.DimMul(r, r)
	c.Blame(ref(x, 3))
	if !c.MultipleOf(t[0], square) {
		c.Saying(c.OfSizes(diag.NotMultiple, t[0], square))
		return c.Errorf("RuntimeError", diag.InvalidSize, "%s: the %s channels of %s are not divisible by upscale_factor² = %s", c.Short(),
			t[0], x, square)
	}
	return retail(c, x, x.Type().DType, 3, p.DimFloorDiv(t[0], square), p.DimMul(t[1], r), p.DimMul(t[2], r))
}

// pixelUnshuffle: height and width must be multiples of the factor; they do not become shorter by rounding.
func pixelUnshuffle(c *ops.Call) value.Value {
	x, r := c.Tensor("input"), c.Dim("downscale_factor")
	if !atLeastRank(c, x, 3) || !need(c, r, 1, "%s: downscale_factor must be positive, but it is %s", c.Short(), r) {
		return nil
	}
	t, p := tail(x, 3), c.P
	for i, name := range [...]string{1: "height", 2: "width"} {
		if i == 0 {
			continue
		}
		c.Blame(ref(x, 3-i))
		if !c.MultipleOf(t[i], r) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "%s: the %s %s of %s is not divisible by downscale_factor %s", c.Short(), name, t[i],
				x, r)
		}
	}
	if c.Torch1() && c.Empty(x) { // it gives the input itself
		return c.Like(x, x.Type().DType)
	}
	return retail(c, x, x.Type().DType, 3, p.DimMul(t[0], p.DimMul(r, r)), p.DimFloorDiv(t[1], r), p.DimFloorDiv(t[2], r))
}

// atLeastRank checks that x has n dimensions or more. An unknown rank passes. False after a report.
func atLeastRank(c *ops.Call, x *value.Tensor, n int) bool {
	if x == nil || !c.OK() {
		return false
	}
	if x.Type().Ranked && len(x.Type().Shape) < n {
		c.Errorf("RuntimeError", diag.RankMismatch, "%s needs an input of %d or more dimensions, but it is %s", c.Short(), n, x)
		return false
	}
	return true
}

// nativeChannelShuffle is ATen's function without the checks that torch.channel_shuffle does: channels that
// groups do not divide come out wrong, and not as an error. The shape stays, and so do the sizes of
// channels.
func nativeChannelShuffle(c *ops.Call) value.Value {
	x, g := c.Tensor("input"), c.Dim("groups")
	if x == nil || !c.OK() {
		return nil
	}
	if n, ok := g.Const(); ok && n == 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "%s: groups must not be 0", c.Short())
	}
	if !atLeastRank(c, x, 2) {
		return nil
	}
	return likeLaid(c, x, x.Type().DType)
}

// channelShuffle needs space behind the channels: at least three axes. The channels are a multiple
// of groups; the shape stays.
func channelShuffle(c *ops.Call) value.Value {
	x, g := c.Tensor("input"), c.Dim("groups")
	if !atLeastRank(c, x, 3) || !need(c, g, 1, "%s: groups must be positive, but it is %s", c.Short(), g) {
		return nil
	}
	s := c.Shape(x)
	if !c.OK() {
		return nil
	}
	c.Blame(ops.Ref{Tensor: x, Axis: 1})
	if !c.MultipleOf(s[1], g) {
		c.Saying(c.OfSizes(diag.NotMultiple, s[1], g))
		return c.Errorf("RuntimeError", diag.InvalidSize, "%s: the %s channels of %s are not divisible by groups %s", c.Short(), s[1], x, g)
	}
	return c.Like(x, x.Type().DType)
}
