package numpy

// This file holds numpy.fft. numpy 1 computes in double precision, numpy 2 in the
// precision of its argument. The shapes are those of torch.fft (infer/ops/torch/fft.go): n points
// along an axis, n/2 + 1 for real input, 2(m-1) for the way back. The differences are NumPy's
// promotion, its errors, the order in which several axes are transformed, and that an axis may be
// given twice.

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// The kinds of transforms: from complex numbers, from real ones to half of the
// frequencies, and back to real numbers.
const (
	complexFFT ops.Variant = "complex"
	realFFT    ops.Variant = "real"
	backFFT    ops.Variant = "back"
	hermitian  ops.Variant = "hermitian" // ihfft: from real numbers, by a name of its own
)

const (
	fftSig  = "(any a, any n=None, any axis=-1, any norm=None, any out=None)"
	fft2Sig = "(any a, any s=None, any axes=[-2, -1], any norm=None, any out=None)"
	fftnSig = "(any a, any s=None, any axes=None, any norm=None, any out=None)"
)

// transform makes the record of a transform: along one axis, or along several, as the signature
// says. names are separated by blanks.
func transform(names, sig string, kind ops.Variant, doc string) ops.Op {
	rule := fftAxes
	if sig == fftSig {
		rule = fftAxis
	}
	return array(names, sig, rule, doc).With(ops.Op{Variant: kind})
}

// arrayFFTOps lists the functions of numpy.fft. Shifting keeps shape and dtype, and needs at least one
// axis, each within the rank.
func arrayFFTOps() []ops.Op {
	return []ops.Op{
		transform("fft.fft fft.ifft", fftSig, complexFFT, "Fourier transform along an axis"),
		transform("fft.rfft", fftSig, realFFT, "Fourier transform of real numbers"),
		transform("fft.ihfft", fftSig, hermitian, "inverse transform of real numbers"),
		transform("fft.irfft fft.hfft", fftSig, backFFT, "inverse transform to real numbers"),
		transform("fft.fft2 fft.ifft2", fft2Sig, complexFFT, "Fourier transform along two axes"),
		transform("fft.rfft2", fft2Sig, realFFT, "Fourier transform of real numbers along two axes"),
		transform("fft.irfft2", fft2Sig, backFFT, "inverse transform to real numbers along two axes"),
		transform("fft.fftn fft.ifftn", fftnSig, complexFFT, "Fourier transform along several axes"),
		transform("fft.rfftn", fftnSig, realFFT, "Fourier transform of real numbers along several axes"),
		transform("fft.irfftn", fftnSig, backFFT, "inverse transform to real numbers along several axes"),
		array("fft.fftfreq", "(any n, any d=1.0, any device=None)", frequencies(false), "frequencies of a transform"),
		array("fft.rfftfreq", "(any n, any d=1.0, any device=None)", frequencies(true), "frequencies of a transform of real numbers"),
		array("fft.fftshift fft.ifftshift", "(any x, any axes=None)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "x")
			if t == nil {
				return nil
			}
			s := c.Shape(t)
			if !c.OK() {
				return nil
			}
			if len(s) == 0 {
				return c.Errorf("ValueError", diag.RankMismatch, "%s(): %s has no axes", c.Short(), t)
			}
			if c.Has("axes") {
				elems, isList, open := c.Sequence(c.Value("axes"))
				if open != nil {
					return c.Lose("the axes are not known")
				}
				if !isList {
					elems = []value.Value{c.Value("axes")}
				}
				for _, e := range elems {
					anAxis(c, e, len(s))
				}
			}
			if !c.OK() {
				return nil
			}
			return KeepArray(c, c.Like(t, t.Type().DType))
		}, "the zero frequency moved to the middle"),
	}
}

// fftDType makes the dtype of a transform's result from that of its argument. Complex results have
// the complex dtype of the precision.
func fftDType(c *ops.Call, d dtype.DType, toComplex bool) dtype.DType {
	f := dtype.F64
	switch d.Real() {
	case dtype.F16, dtype.F32:
		if !c.Numpy1() { // which has no half precision there
			f = dtype.F32
		}
	}
	if d == dtype.Unknown && !c.Numpy1() {
		return dtype.Unknown
	}
	switch {
	case !toComplex && d == dtype.F16 && f == dtype.F32: // the transform back to real numbers keeps it
		return d
	case !toComplex:
		return f
	case f == dtype.F32:
		return dtype.C64
	}
	return dtype.C128
}

// checkNorm checks how a transform is scaled. A norm that is not known passes.
func checkNorm(c *ops.Call) {
	v := c.Value("norm")
	s, ok := value.AsStr(v)
	if v != value.None && !value.IsUnknown(v) && (!ok || s != "backward" && s != "ortho" && s != "forward") {
		c.Errorf("ValueError", diag.BadValue, "%s(): norm must be 'backward', 'ortho' or 'forward', not %s", c.Short(), v)
	}
}

// length is the size of an axis along which a transform goes: the size that is asked for, or its
// own. A float or a text is no size.
func length(c *ops.Call, v value.Value, own symshape.Dim) symshape.Dim {
	if v == value.None {
		return own
	}
	switch value.Plain(v).(type) {
	case value.Float, *value.SymFloat, value.Str, value.NoneType, *value.Tuple, *value.List:
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): a size must be an int, not %s", c.Short(), ops.TypeName(v))
		return own
	}
	return c.ToDim("n", value.Plain(v))
}

// points checks that a transform has points. A number of points that may be less than one gets a
// condition.
func points(c *ops.Call, n symshape.Dim) {
	if c.OK() && !c.AtLeast(n, 1) {
		c.Errorf("ValueError", diag.InvalidSize, "%s(): there must be at least one point, not %s", c.Short(), n)
	}
}

// half is the number of frequencies of n real numbers.
func half(c *ops.Call, n symshape.Dim) symshape.Dim {
	return c.P.DimAdd(c.P.DimFloorDiv(n, c.Const(2)), c.Const(1))
}

// realLength is the number of real numbers of n frequencies.
func realLength(c *ops.Call, n symshape.Dim) symshape.Dim {
	return c.P.DimMul(c.P.DimSub(n, c.Const(1)), c.Const(2))
}

// fftArg reads the argument of a transform. out= is not modelled. NumPy 2 refuses complex input to
// the transforms of real numbers, while NumPy 1 drops the imaginary part. nil after a report.
func fftArg(c *ops.Call) (*value.Tensor, symshape.Shape) {
	t := numbers(c, "a")
	if t == nil {
		return nil, nil
	}
	checkNorm(c)
	s := c.Shape(t)
	if c.OK() && c.Has("out") {
		c.Lose("a transform into a given array")
	}
	if (c.Is(realFFT) || c.Is(hermitian)) && t.Type().DType.IsComplex() && !c.Numpy1() {
		c.Errorf("TypeError", diag.DTypeMismatch, "%s() needs real numbers, not %s", c.Short(), t)
	}
	return t, s
}

// fftAxis: n cuts or pads the axis. The transform of real numbers gives n/2+1 points, its inverse 2·(m-1)
// unless n says otherwise. The axis may be any one; the others stay.
func fftAxis(c *ops.Call) value.Value {
	t, s := fftArg(c)
	if !c.OK() {
		return nil
	}
	a := anAxis(c, c.Value("axis"), len(s))
	if !c.OK() {
		return nil
	}
	n := length(c, c.Value("n"), s[a])
	out := n
	switch {
	case c.Is(backFFT):
		if !c.Has("n") {
			n = realLength(c, s[a])
		}
		out = n
	case c.Is(realFFT) || c.Is(hermitian):
		out = half(c, n)
	}
	if points(c, n); !c.OK() {
		return nil
	}
	return c.Out(fftDType(c, t.Type().DType, !c.Is(backFFT)), ops.With(s, a, out))
}

// fftList reads a sequence of ints; the second result says that it was given.
func fftList(c *ops.Call, name string) ([]value.Value, bool) {
	if !c.Has(name) {
		return nil, false
	}
	elems, isList, open := c.Sequence(plainArgs(c.Value(name)))
	if open != nil {
		c.Lose("'%s' is not known", name)
	} else if x, ok := c.Value(name).(*value.Tensor); ok && x.Contents() != nil && len(x.Type().Shape) == 1 {
		return x.Contents(), true
	} else if !isList {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be a sequence of ints, not %s", c.Short(), name, ops.TypeName(c.Value(name)))
	}
	return elems, true
}

// fftAxes follows numpy/fft/_pocketfft.py, _raw_fftnd and _cook_nd_args.
func fftAxes(c *ops.Call) value.Value {
	t, s := fftArg(c)
	if !c.OK() {
		return nil
	}
	sizes, axes := fftSizesAndAxes(c, t, s)
	if !c.OK() {
		return nil
	}
	out := fftShape(c, s, sizes, axes)
	if !c.OK() {
		return nil
	}
	d := t.Type().DType
	if len(axes) == 0 {
		return KeepArray(c, c.Out(d, out))
	}
	if len(axes) > 1 && d == dtype.F16 { // the axes before the last give complex numbers
		d = dtype.F32
	}
	return c.Out(fftDType(c, d, !c.Is(backFFT)), out)
}

// fftSizesAndAxes reads s= and axes=, which must be as many. Without axes the last ones are taken, as many as there are
// sizes; sizes are nil where none are given.
func fftSizesAndAxes(c *ops.Call, t *value.Tensor, s symshape.Shape) (sizes []value.Value, axes []int) {
	sizes, hasSizes := fftList(c, "s")
	given, hasAxes := fftList(c, "axes")
	if !c.OK() {
		return nil, nil
	}
	switch {
	case hasAxes:
		for _, e := range given {
			axes = append(axes, anAxis(c, e, len(s)))
		}
	case hasSizes:
		if len(sizes) > len(s) {
			c.Errorf("IndexError", diag.RankMismatch, "%s(): %d sizes for %s", c.Short(), len(sizes), t)
			return nil, nil
		}
		axes = ops.LastAxes(len(s), len(sizes))
	default:
		axes = ops.LastAxes(len(s), len(s))
	}
	switch {
	case !c.OK():
	case hasSizes && len(sizes) != len(axes):
		c.Errorf("ValueError", diag.BadValue, "%s(): %d sizes for %d axes", c.Short(), len(sizes), len(axes))
	case len(axes) == 0 && !c.Is(complexFFT):
		c.Errorf("IndexError", diag.BadValue, "%s() needs an axis", c.Short())
	}
	return sizes, axes
}

// fftShape is the shape s after the transforms along the axes, each of which sees the sizes that the ones before it left.
// Without sizes an axis keeps its own; the last one is halved or restored.
func fftShape(c *ops.Call, s symshape.Shape, sizes []value.Value, axes []int) symshape.Shape {
	out := slices.Clone(s)
	for _, i := range fftOrder(c, len(axes)) {
		a := axes[i]
		n := s[a]
		if i < len(sizes) {
			if n = fftSize(c, sizes[i], n); !c.OK() {
				return out
			}
		}
		last := i == len(axes)-1
		if last && c.Is(backFFT) && len(sizes) == 0 {
			n = realLength(c, n)
		}
		points(c, n)
		if last && c.Is(realFFT) {
			n = half(c, n)
		}
		out[a] = n
	}
	return out
}

// fftOrder is the order in which n axes are transformed: of an axis that is given twice the later transform counts.
func fftOrder(c *ops.Call, n int) []int {
	order := make([]int, n)
	for i := range order {
		switch {
		case c.Is(backFFT):
			order[i] = i
		case c.Is(realFFT):
			order[i] = (n - 1 + i) % n
		default:
			order[i] = n - 1 - i
		}
	}
	return order
}

// fftSize reads one of the sizes that s= gives. Since NumPy 2, None and -1 leave the axis its own.
func fftSize(c *ops.Call, v value.Value, own symshape.Dim) symshape.Dim {
	k, isInt := value.AsInt(value.Plain(v))
	if !c.Numpy1() && (v == value.None || isInt && k == -1) {
		return own
	}
	n := length(c, v, own)
	if v == value.None && c.OK() {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): a size must be an int, not None", c.Short())
	}
	return n
}

// frequencies returns the rule of fftfreq, or with real of rfftfreq: n is an int >= 1 and d a number other
// than 0. The result is a float64 vector of n elements, or of the first half of them that a real transform
// has. A scalar d only scales.
func frequencies(real bool) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		n := value.Plain(c.Value("n"))
		if b, isBool := n.(value.Bool); isBool && !ops.IsNumpyScalar(c.Value("n")) {
			n = intOf(b)
		}
		switch n.(type) {
		case value.Bool, *value.Tensor, value.Float, *value.SymFloat, value.Str, value.NoneType, *value.Tuple, *value.List, value.Complex:
			return c.Errorf("ValueError", diag.TypeMismatch, "%s(): n must be an int, not %s", c.Short(), ops.TypeName(n))
		}
		if s := notNumber(c.Value("d")); s != "" {
			return c.Errorf("TypeError", diag.TypeMismatch, "%s(): d must be a number, not %s", c.Short(), s)
		}
		k := c.ToDim("n", n)
		if !c.OK() {
			return nil
		}
		if ops.IsConst(k, 0) {
			return c.Errorf("ZeroDivisionError", diag.BadValue, "%s(): n is 0", c.Short())
		}
		if !c.AtLeast(k, 0) {
			if real {
				return c.Lose("frequencies of a negative number of points")
			}
			return c.Errorf("ValueError", diag.BadValue, "%s(): n must not be negative, but is %s", c.Short(), k)
		}
		d := dtype.F64
		if x := c.Value("d"); !ops.IsNumpyScalar(x) {
			if f, ok := value.AsFloat(x); ok && f == 0 {
				return c.Errorf("ZeroDivisionError", diag.BadValue, "%s(): d is 0", c.Short())
			}
		}
		if t, ok := c.Value("d").(*value.Tensor); ok && len(t.Type().Shape) > 0 {
			return c.Lose("frequencies for several spacings")
		}
		if real {
			k = half(c, k)
		}
		return c.Out(d, symshape.Shape{k})
	}
}
