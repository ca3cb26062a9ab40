package numpy

// This file says which names the versions of numpy have: what later ones removed, what
// earlier ones lack. From the modules of numpy 1.23.5, 1.26.4 and 2.4.6.

import (
	"strconv"
	"strings"
	"sync"
)

// removed are names by the version that has them no more.
var removed = []struct{ version, names string }{
	{"1.24", "Tester bool8 bytes0 int0 object0 str0 uint0 void0 math os sys warnings matrixlib float int complex object str use_hugepage"},
	{"2.0", "ALLOW_THREADS AxisError BUFSIZE CLIP ComplexWarning DataSource ERR_CALL ERR_DEFAULT ERR_IGNORE ERR_LOG ERR_PRINT ERR_RAISE ERR_WARN FLOATING_POINT_SUPPORT " +
		"FPE_DIVIDEBYZERO FPE_INVALID FPE_OVERFLOW FPE_UNDERFLOW Inf Infinity MAXDIMS MAY_SHARE_BOUNDS MAY_SHARE_EXACT ModuleDeprecationWarning NAN NINF NZERO NaN PINF PZERO RAISE " +
		"RankWarning SHIFT_DIVIDEBYZERO SHIFT_INVALID SHIFT_OVERFLOW SHIFT_UNDERFLOW TooHardError UFUNC_BUFSIZE_DEFAULT UFUNC_PYVALS_NAME VisibleDeprecationWarning WRAP add_docstring " +
		"add_newdoc add_newdoc_ufunc alltrue asfarray byte_bounds cast cfloat clongfloat compare_chararrays compat complex_ cumproduct deprecate deprecate_with_doc disp " +
		"fastCopyAndTranspose find_common_type float_ format_parser get_array_wrap geterrobj infty issctype issubclass_ issubsctype kernel_version longcomplex longfloat lookfor mat " +
		"maximum_sctype msort nbytes numarray obj2sctype oldnumeric product recfromcsv recfromtxt round_ safe_eval sctype2char sctypes set_numeric_ops " +
		"set_string_function seterrobj singlecomplex sometrue source string_ tracemalloc_domain unicode_ who " +
		"lib.stride_tricks.broadcast_to lib.stride_tricks.broadcast_arrays lib.stride_tricks.broadcast_shapes ndarray.__array_prepare__ ndarray.itemset ndarray.newbyteorder ndarray.ptp"},
	{"2.3", "ndarray.tostring"},
	{"2.4", "in1d trapz"},
}

// added are names by the first version that has them.
var added = []struct{ version, names string }{
	{"1.24", "show_runtime"},
	{"1.25", "exceptions"},
	{"2.0", "acos acosh asin asinh astype atan atan2 atanh bitwise_invert bitwise_left_shift bitwise_right_shift concat isdtype matrix_transpose permute_dims pow trapezoid " +
		"unique_all unique_counts unique_inverse unique_values vecdot bitwise_count long ulong strings linalg.cross linalg.diagonal linalg.matmul linalg.matrix_norm linalg.matrix_transpose " +
		"linalg.outer linalg.svdvals linalg.tensordot linalg.trace linalg.vecdot linalg.vector_norm ndarray.__array_namespace__ ndarray.device ndarray.mT ndarray.to_device"},
	{"2.1", "cumulative_prod cumulative_sum unstack"},
	{"2.2", "matvec vecmat"},
}

var versions = sync.OnceValue(func() map[string][2]string {
	m := map[string][2]string{}
	for _, r := range removed {
		for _, n := range strings.Fields(r.names) {
			x := m[n]
			x[1] = r.version
			m[n] = x
		}
	}
	for _, r := range added {
		for _, n := range strings.Fields(r.names) {
			x := m[n]
			x[0] = r.version
			m[n] = x
		}
	}
	return m
})

// Lacks says why a version of numpy does not have the name full ("numpy.trapz"), or is "".
func Lacks(version, full string) string {
	name, ok := strings.CutPrefix(full, "numpy.")
	if !ok {
		return ""
	}
	v := versions()[name]
	switch {
	case v[0] != "" && before(version, v[0]):
		return "it came with numpy " + v[0] + ", this is " + version
	case v[1] != "" && !before(version, v[1]):
		return "numpy " + v[1] + " removed it, this is " + version
	}
	return ""
}

// before compares versions by their first two numbers.
func before(a, b string) bool {
	x, y := twoNumbers(a), twoNumbers(b)
	return x[0] < y[0] || x[0] == y[0] && x[1] < y[1]
}

func twoNumbers(v string) (n [2]int) {
	for i, part := range strings.SplitN(v, ".", 3) {
		if i < 2 {
			n[i], _ = strconv.Atoi(part)
		}
	}
	return n
}
