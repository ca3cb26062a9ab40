package numpy

// This file says which parameters of functions the versions of numpy have: what later ones
// removed, what earlier ones lack. From the signatures of numpy 1.23.5 and 2.4.6 and the
// notes of the releases between them.

import (
	"strings"
	"sync"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

// removedParams and addedParams are parameters with the functions that have them, by version.
var removedParams = []struct{ version, name, functions string }{
	{"1.24", "normed", "histogram"},
	{"2.4", "interpolation", "percentile quantile nanpercentile nanquantile"},
	{"2.4", "newshape", "reshape"},
	{"2.4", "bias", "corrcoef"},
	{"2.4", "ddof", "corrcoef"},
}

var addedParams = []struct{ version, name, functions string }{
	{"1.24", "dtype", "stack hstack vstack row_stack"},
	{"1.24", "casting", "stack hstack vstack row_stack"},
	{"2.0", "stable", "sort argsort ndarray.sort ndarray.argsort"},
	{"2.0", "mean", "std var nanstd nanvar ndarray.std ndarray.var"},
	{"2.0", "correction", "std var nanstd nanvar ndarray.std ndarray.var"},
	{"2.0", "weights", "percentile quantile nanpercentile nanquantile"},
	{"2.0", "out", "fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft fft.fft2 fft.ifft2 fft.rfft2 fft.irfft2 fft.fftn fft.ifftn fft.rfftn fft.irfftn"},
	{"2.0", "upper", "linalg.cholesky"},
	{"2.0", "rtol", "linalg.matrix_rank linalg.pinv"},
	{"2.0", "device", "eye full ones zeros empty full_like ones_like zeros_like empty_like arange linspace asarray asanyarray fft.fftfreq fft.rfftfreq"},
	{"2.0", "copy", "asarray asanyarray ndarray.__array__"},
	{"2.1", "min", "clip"},
	{"2.1", "max", "clip"},
	{"2.1", "shape", "reshape"},
	{"2.1", "copy", "reshape ndarray.reshape"},
	{"2.3", "sorted", "unique"},
	{"2.4", "ndmax", "array"},
}

// positionalParams are parameters that take their arguments by position alone, in the versions from and before two.
var positionalParams = []struct{ from, before, names, functions string }{
	{"", "", "type1 type2", "promote_types"},
	{"", "", "a", "min_scalar_type matrix_transpose"},
	{"", "", "a b", "inner vdot"},
	{"", "", "a dtype", "astype"},
	{"", "", "x", "bincount modf frexp generic.__new__ linalg.matrix_norm linalg.svdvals"},
	{"", "", "x1 x2", "divmod matmul vecdot"},
	{"", "", "condition x y", "where"},
	{"", "", "arrays", "concatenate concat"},
	{"", "", "axis1 axis2", "ndarray.swapaxes"},
	{"", "", "value", "ndarray.fill"},
	{"", "", "shape", "ndarray.reshape"},
	{"", "2.0", "x", "random.permutation random.shuffle"},
	{"", "2.0", "length", "random.bytes"},
	{"2.0", "", "a", "putmask linalg.cholesky"},
	{"2.1", "", "a", "reshape"},
}

// A versioned is a parameter that not all versions have, or take by keyword.
type versioned struct {
	name, added, removed string
	// positional is the function that takes it by position alone.
	positional string
}

var versionedParams = sync.OnceValue(func() map[string][]versioned {
	m := map[string][]versioned{}
	for _, r := range removedParams {
		for _, f := range strings.Fields(r.functions) {
			m["numpy."+f] = append(m["numpy."+f], versioned{r.name, "", r.version, ""})
		}
	}
	for _, r := range addedParams {
		for _, f := range strings.Fields(r.functions) {
			m["numpy."+f] = append(m["numpy."+f], versioned{r.name, r.version, "", ""})
		}
	}
	for _, r := range positionalParams {
		for _, f := range strings.Fields(r.functions) {
			for _, n := range strings.Fields(r.names) {
				m["numpy."+f] = append(m["numpy."+f], versioned{n, r.from, r.before, "numpy." + f})
			}
		}
	}
	return m
})

// versionedOf gives the parameters of the functions of a record that not all versions have.
func versionedOf(names []string) (out []versioned) {
	for _, n := range names {
		if out = versionedParams()[n]; out != nil {
			break
		}
	}
	return out
}

// checkKeywords refuses arguments for parameters that the function does not have in this version.
func checkKeywords(c *ops.Call, params []versioned) {
	if len(params) == 0 {
		return
	}
	v := c.Th.Option("numpy-version")
	if v == "" {
		return
	}
	for _, p := range params {
		for i := range c.Sig.Params {
			if c.Sig.Params[i].Name != p.name || !isGiven(c, i) {
				continue
			}
			switch {
			case p.positional != "":
				if p.positional == c.Name && i >= c.Positional && !before(v, p.added) && (p.removed == "" || before(v, p.removed)) {
					c.Errorf("TypeError", diag.BadCall, "%s() takes '%s' by position alone", c.Short(), p.name)
				}
			case p.added != "" && before(v, p.added):
				c.Errorf("TypeError", diag.BadCall, "%s() has the parameter '%s' since numpy %s, this is %s", c.Short(), p.name, p.added, v)
			case p.removed != "" && !before(v, p.removed) && i >= c.Positional:
				c.Errorf("TypeError", diag.BadCall, "%s() has no parameter '%s' since numpy %s, this is %s", c.Short(), p.name, p.removed, v)
			}
		}
	}
}

// isGiven reports whether a parameter has an argument that is not its default.
func isGiven(c *ops.Call, i int) bool {
	p := &c.Sig.Params[i]
	return !p.HasDef || c.Args[i] != p.Default && c.Args[i] != value.None
}
