package numpy

// This file says how parameters read integers: what numpy takes as an axis, a size or a
// count. From every function called with each form of the number 1 in numpy 1.23.5 and 2.4.6. NumPy
// reads them by several ways, which differ in what they take: a bool, an integer of NumPy, an array
// of one element, a float, a sequence. The table below gives each parameter its way; parameters
// that are not in it are read by the rule of the function alone.

import (
	"strings"
	"sync"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// A reading is how a parameter reads an integer or several of them. The fields are the differences
// between these ways; the zero value takes one integer by __index__.
type reading struct {
	// strict: by the conversion of axes and sizes in numpy's C, which refuses bools. Else by Python's __index__,
	// which bools have; those of numpy lost it in numpy 2.
	strict bool
	// several: a sequence of integers stands for several; tuples: only a tuple does.
	several, tuples bool
	// none: None is read elsewhere. Parameters that are None by default take it anyway.
	none bool
	// number: floats and what else computes like an int are taken; sequences of asNumbers are read, other elsewhere.
	number bool
	// check: the argument stays as it is, for those that are truths.
	check bool
}

// The names say what is read: an index by __index__, an int, axes or sizes by NumPy's own
// conversion, a number by arithmetic, and a truth by its truth value.
var (
	asIndex         = reading{}
	asIndexOrNone   = reading{none: true}
	asIndices       = reading{several: true}
	asIndicesOrNone = reading{several: true, none: true}
	asInt           = reading{strict: true, none: true}
	asAxes          = reading{strict: true, several: true, tuples: true}
	asAxesOrNone    = reading{strict: true, several: true, tuples: true, none: true}
	asSizes         = reading{strict: true, several: true, none: true}
	asNumber        = reading{number: true}
	asNumbers       = reading{number: true, several: true}
	asTruth         = reading{check: true}
)

// integerParams are the parameters with the functions that have them, by reading; "random."
// is all that it begins. Names are without numpy., several of each are separated by blanks, and
// every function of a line has each of its parameters. A function may stand in several lines.
var integerParams = [...]struct {
	how              reading
	names, functions string
}{
	{asIndex, "axis1 axis2 offset", "swapaxes ndarray.swapaxes diagonal ndarray.diagonal trace ndarray.trace"},
	{asIndex, "axis start", "rollaxis"},
	{asIndex, "axis", "stack ndarray.sort ndarray.partition diff split array_split fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft random._g_permutation random._g_shuffle"},
	{asIndex, "k", "diag eye"},
	{asIndex, "n", "diff linalg.matrix_power"},
	{asIndex, "num", "linspace logspace geomspace"},
	{asIndex, "decimals", "round around round_ ndarray.round"},
	{asIndex, "ndmin", "array"},
	{asIndex, "axis", "_windows"},
	{asIndexOrNone, "axis", "insert delete sort partition cross random.permuted"},
	{asIndexOrNone, "n", "fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft"},
	{asIndices, "axis", "expand_dims linspace logspace geomspace"},
	{asIndices, "source destination", "moveaxis"},
	{asIndices, "size", "random.multinomial random.dirichlet"},
	{asIndicesOrNone, "axis", "flip roll median nanmedian percentile quantile nanpercentile nanquantile"},
	{asInt, "axis", "concatenate concat append repeat ndarray.repeat cumsum ndarray.cumsum cumprod ndarray.cumprod nancumsum nancumprod argmax ndarray.argmax argmin ndarray.argmin " +
		"nanargmax nanargmin argsort ndarray.argsort argpartition ndarray.argpartition take ndarray.take compress ndarray.compress random._g_choice"},
	{asInt, "minlength", "bincount"},
	{asInt, "size", "_windows"},
	{asAxes, "axis", "squeeze ndarray.squeeze sum ndarray.sum prod product ndarray.prod mean ndarray.mean std ndarray.std var ndarray.var max amax ndarray.max min amin ndarray.min " +
		"ptp ndarray.ptp any sometrue ndarray.any all alltrue ndarray.all nansum nanprod nanmean nanstd nanvar nanmax nanmin count_nonzero"},
	{asAxesOrNone, "axis", "ufunc.reduce"},
	{asAxes, "axis", "ufunc.accumulate ufunc.reduceat"},
	{asSizes, "shape", "zeros ones empty full zeros_like ones_like empty_like full_like broadcast_to reshape _strided"},
	{asSizes, "strides", "_strided"},
	{asSizes, "dimensions", "indices"},
	{asSizes, "newshape", "reshape"},
	{asSizes, "new_shape", "ndarray.resize"},
	{asSizes, "axes", "transpose permute_dims ndarray.transpose"},
	{asSizes, "size", "random."},
	{asNumber, "k", "tri tril triu tril_indices triu_indices rot90"},
	{asNumber, "n", "tril_indices triu_indices"},
	{asNumber, "N M", "tri"},
	{asNumber, "m", "tril_indices triu_indices"},
	{asNumbers, "shift", "roll"},
	{asNumbers, "indices_or_sections", "split array_split hsplit vsplit dsplit"},
	{asNumbers, "reps", "tile"},
	{asNumber, "ord axis", "linalg.norm"},
	{asNumbers, "bins", "histogram histogram_bin_edges"},
	{asTruth, "keepdims", "sum ndarray.sum prod product ndarray.prod mean ndarray.mean std ndarray.std var ndarray.var max amax ndarray.max min amin ndarray.min " +
		"ptp ndarray.ptp any sometrue ndarray.any all alltrue ndarray.all nansum nanprod nanmean nanstd nanvar nanmax nanmin count_nonzero average linalg.norm"},
}

// A readParam is a parameter that reads integers.
type readParam struct {
	name string
	how  reading
}

// The table is turned into a map by the full name of the function, once, at its first use.
var readParams = sync.OnceValue(func() map[string][]readParam {
	m := map[string][]readParam{}
	for _, r := range integerParams {
		for _, f := range strings.Fields(r.functions) {
			for _, n := range strings.Fields(r.names) {
				m["numpy."+f] = append(m["numpy."+f], readParam{n, r.how})
			}
		}
	}
	return m
})

// readParamsOf gives the parameters of the functions of a record that read integers. The first name
// of the record that the table has decides; the methods of universal functions share three lines,
// and the functions of numpy.random that have none of their own share one. Nil: the record has no
// such parameter.
func readParamsOf(names []string) []readParam {
	for _, n := range names {
		if out := readParams()[n]; out != nil {
			return out
		}
	}
	for _, method := range [...]string{"reduce", "accumulate", "reduceat"} { // of universal functions
		if strings.HasSuffix(names[0], "."+method) {
			return readParams()["numpy.ufunc."+method]
		}
	}
	if strings.HasPrefix(names[0], "numpy.random.") {
		return readParams()["numpy.random."]
	}
	return nil
}

// readIntegers refuses arguments of which numpy makes no integers, and puts ints in the place
// of bools and arrays without dimensions that it takes. An argument that is the default itself is
// not read, and neither are the *args of a signature. It stops at the first fault, which is a
// TypeError.
func readIntegers(c *ops.Call, params []readParam) {
	for i := range c.Sig.Params {
		for _, p := range params {
			if c.Sig.Params[i].Name != p.name || c.Args[i] == c.Sig.Params[i].Default || i == c.Sig.Rest {
				continue
			}
			c.Args[i] = readInteger(c, p, c.Args[i])
			if !c.OK() {
				return
			}
		}
	}
}

// readInteger reads an argument. A sequence of unknown length stays as it is, and a sequence of
// which an element changes becomes a tuple of the new elements.
func readInteger(c *ops.Call, p readParam, v value.Value) value.Value {
	if v == value.None && p.how.none {
		return v
	}
	if t, ok := v.(*value.Tensor); ok && p.how.several && p.how.strict && !p.how.tuples && ops.IsArray(t) && t.Type().Rank() == 1 {
		if n := integersIn(t); n != nil {
			v = value.NewTuple(n...)
		}
	}
	elems, several, open := c.Sequence(v)
	switch {
	case open != nil || several && p.how.number && !p.how.several:
		return v
	case !several:
		return oneInteger(c, p, v, !p.how.several || p.how.tuples)
	}
	if _, isTuple := v.(*value.Tuple); !p.how.several || p.how.tuples && !isTuple {
		return noInteger(c, p, v)
	}
	out := make([]value.Value, len(elems))
	same := true
	for i, e := range elems {
		if out[i] = oneInteger(c, p, e, true); !c.OK() {
			return v
		}
		same = same && out[i] == e
	}
	if same {
		return v
	}
	return value.NewTuple(out...)
}

// maxIntegers bounds the integers that an array is taken for whose elements are not known: NumPy's arrays have no more axes.
const maxIntegers = 64

// integersIn are the elements of an array with one axis, or for one of integers that are not known as many unknown ones; nil where that
// cannot be said.
func integersIn(t *value.Tensor) []value.Value {
	if e := t.Contents(); e != nil {
		return e
	}
	n, ok := t.Type().Shape[0].Const()
	if !ok || n > maxIntegers || !t.Type().DType.IsIntegral() {
		return nil
	}
	out := make([]value.Value, n)
	for i := range out {
		out[i] = &value.SymInt{}
	}
	return out
}

// oneInteger reads one integer; single says that it cannot be a vector of several. The result is v
// itself where nothing is known against it: of an array without known elements, or of an unknown
// dtype.
func oneInteger(c *ops.Call, p readParam, v value.Value, single bool) value.Value {
	switch x := value.Plain(v).(type) {
	case value.Bool:
		switch {
		// The conversion of axes and sizes refuses every bool, and since NumPy 2 __index__ refuses
		// its own.
		case p.how.strict || !p.how.number && ops.IsNumpyScalar(v) && !c.Numpy1():
			return noInteger(c, p, v)
		case p.how.check:
			return v
		}
		return intOf(x)
	case value.NoneType, value.Float, *value.SymFloat, value.Str, value.Complex, *value.Tuple, *value.List:
		if !p.how.number {
			return noInteger(c, p, v)
		}
	case *value.Tensor:
		ty := x.Type()
		switch {
		// An array with axes may be a vector of several, which the rule of the function reads.
		case !ops.IsArray(x) || ty.DType == dtype.Unknown || !ty.Ranked || len(ty.Shape) > 0 && !single:
			return v
		// Of arrays only an integer without axes has __index__.
		case !p.how.number && (len(ty.Shape) > 0 || !ty.DType.IsIntegral()):
			return noInteger(c, p, v)
		}
		if e := x.Contents(); len(e) == 1 && !p.how.check {
			switch n := e[0].(type) {
			case value.Int, value.Float:
				return n
			case value.Bool:
				return intOf(n)
			}
		}
	}
	return v
}

// noInteger is the TypeError, which says what the parameter takes. The result is v.
func noInteger(c *ops.Call, p readParam, v value.Value) value.Value {
	what := "an int"
	switch {
	case p.how.tuples:
		what = "an int or a tuple of ints"
	case p.how.several:
		what = "an int or a sequence of ints"
	}
	c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be %s, not %s", c.Short(), p.name, what, holding(v))
	return v
}

// holding names the type of v, an array by its dtype and shape.
func holding(v value.Value) diag.TypeName {
	if t, ok := v.(*value.Tensor); ok {
		return diag.TypeName(t.String())
	}
	return ops.TypeName(v)
}

// intOf is the number that a bool is in Python's arithmetic.
func intOf(b value.Bool) value.Value {
	if b {
		return value.Int(1)
	}
	return value.Int(0)
}
