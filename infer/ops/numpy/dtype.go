package numpy

// This file holds numpy's dtype objects and its promotion, which differs
// between numpy 1 and 2. A dtype object is an instance with the dtype as its Data. Python's numbers
// and NumPy's abstract classes have default dtypes, texts are parsed, and all other dtypes
// (objects, texts, dates, records) are known to exist but not modelled, which is different from
// what NumPy refuses.

import (
	"math"
	"regexp"
	"strings"
	"sync"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// NewDType makes a numpy.dtype object. dtype objects are equal by their Data.
func NewDType(th value.Thread, d dtype.DType) value.Value {
	i := th.Heap().NewInstance(th.Class("numpy.dtype"))
	i.Data = d
	return i
}

// DTypeOf reads what numpy takes as a dtype; known is false when it is one
// that is not modelled (object, str, structured) or not known. An unknown value gives false as
// well.
func DTypeOf(v value.Value) (d dtype.DType, known bool) {
	switch v := v.(type) {
	case *value.Instance:
		if d, ok := v.Data.(dtype.DType); ok && ops.IsNumpyClass(v.Class, "dtype") {
			return d, true
		}
		if s, ok := value.AsStr(v); ok {
			return dtype.ParseNumpy(s)
		}
	case *value.Class:
		if d, ok := v.Data.(dtype.DType); ok {
			return d, true
		}
		// NumPy's abstract classes stand for their default.
		if v.Module == "numpy" {
			switch v.Name {
			case "floating", "inexact":
				return dtype.F64, true
			case "integer", "signedinteger":
				return dtype.I64, true
			case "unsignedinteger":
				return dtype.U64, true
			case "complexfloating":
				return dtype.C128, true
			}
			return dtype.Unknown, false
		}
		switch v.Name {
		case "float":
			return dtype.F64, true
		case "int":
			return dtype.I64, true
		case "bool":
			return dtype.Bool, true
		case "complex":
			return dtype.C128, true
		}
	case value.Str:
		s := string(v)
		if d, ok := dtype.ParseNumpy(s); ok {
			return d, true
		}
	}
	return dtype.Unknown, false
}

// arrayDType returns the parameter dtype, or def when it is absent or None. A fault is reported for
// what is no dtype; for one that is not modelled the result is lost.
func arrayDType(c *ops.Call, def dtype.DType) dtype.DType {
	if !c.HasParam("dtype") || !c.Has("dtype") {
		return def
	}
	v := c.Value("dtype")
	if u, ok := v.(*value.Unknown); ok {
		if u.Cause != nil && u.Cause.Reason == OwnShape { // the array's shape ends with it
			c.Lose(OwnShape)
		}
		return dtype.Unknown
	}
	d, known := DTypeOf(v)
	if known {
		return d
	}
	if why := NoDType(v); why != "" {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): %s", c.Short(), why)
		return dtype.Unknown
	}
	c.Lose("arrays of this dtype are not modelled")
	return dtype.Unknown
}

// NoDType says why numpy takes v for no dtype, or is "": structured ones and those of
// texts, dates and objects are dtypes that are not modelled. It parses texts only as far as to see
// whether they have the form of a dtype.
func NoDType(v value.Value) string {
	switch x := v.(type) {
	case value.DType:
		return "numpy does not take torch." + x.D.Torch() + " as a dtype"
	case value.Bool, value.Int, value.Float, *value.SymInt, *value.SymFloat, *value.SymBool:
		return "a dtype cannot be made of " + string(ops.TypeName(v)) + ": " + v.String()
	case value.Str:
		for _, field := range strings.Split(shapeText().ReplaceAllString(string(x), ""), ",") {
			if !dtypeText().MatchString(strings.TrimSpace(field)) {
				return "there is no dtype '" + field + "'"
			}
		}
	}
	return ""
}

// OwnShape is the cause of a dtype whose elements are arrays, of which nothing more is known.
const OwnShape = "a dtype with a shape of its own"

// HasOwnShape reports whether v makes such a dtype: "3f4", "(2,3)f4", ("f4", (3,)). In the text no
// comma may follow outside of the shape, as that would make a record.
func HasOwnShape(v value.Value) bool {
	if t, ok := v.(*value.Tuple); ok {
		return len(t.Elems) == 2 // of a dtype and a shape
	}
	s, _ := value.AsStr(v)
	s = strings.TrimLeft(s, " ")
	return s != "" && (s[0] == '(' || s[0] >= '0' && s[0] <= '9') && !strings.Contains(shapeText().ReplaceAllString(s, ""), ",")
}

// shapeText are shapes in texts of dtypes.
var shapeText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(\s*\d+(\s*,\s*\d+)*,?\s*\)`) })

// dtypeText are the texts of dtypes: names, or kinds with sizes, after a shape and an
// order of bytes.
var dtypeText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^(\d+|\(\s*\d+(\s*,\s*\d+)*,?\s*\))?[<>=|]?(\?|[bhilqpBHILQPefdgFDGOcmM]|[SUaVT]\d*|b1|i[1248]|u[1248]|f(2|4|8|12|16)|c(8|16|24|32)|O[48]?|[mM]8(\[.*\])?|` +
			`bool_?|byte|ubyte|short|ushort|u?intc|u?intp?|int_|u?long|u?longlong|u?int(8|16|32|64)|half|single|double|longdouble|float_?|float(16|32|64|128)|` +
			`complex_?|complex(64|128|256)|csingle|cdouble|clongdouble|cfloat|object_?|str_?|unicode_?|string_?|bytes_?|void|datetime64(\[.*\])?|timedelta64(\[.*\])?)$`)
})

// numpyPromote is the dtype of the result of an operation on arrays, scalars and
// Python numbers: by the dtypes alone in numpy 2 (NEP 50), and with regard to the
// kinds of what has no dimensions in numpy 1. vs are tensors and Python numbers. Unknown where the
// dtype of any array is, and for integers that fit no dtype.
func numpyPromote(c *ops.Call, vs ...value.Value) dtype.DType {
	if tooBig(vs) && (c.Numpy1() || !anyFloat(vs)) { // an object, or refused
		return dtype.Unknown
	}
	var strong, zero dtype.DType // of arrays with dimensions, and without
	// weak is the highest kind of the Python numbers.
	var weak dtype.Kind
	for _, v := range vs {
		t, ok := v.(*value.Tensor)
		if !ok {
			weak = max(weak, ops.NumberKind(v))
			continue
		}
		d := t.Type().DType
		if d == dtype.Unknown {
			return dtype.Unknown
		}
		into := &strong
		if t.Type().Ranked && len(t.Type().Shape) == 0 {
			into = &zero
		}
		if *into == dtype.Unknown {
			*into = d
		} else {
			*into = dtype.Numpy(*into, d)
		}
	}
	if strong == dtype.Unknown && zero == dtype.Unknown {
		return dtype.NumpyNumber(weak)
	}
	// NumPy 2 looks at no values.
	if !c.Numpy1() {
		switch {
		case strong == dtype.Unknown:
			strong = zero
		case zero != dtype.Unknown:
			strong = dtype.Numpy(strong, zero)
		}
		if weak == dtype.KindInvalid {
			return strong
		}
		return dtype.NumpyScalar(strong, weak)
	}
	// In NumPy 1 numbers count like arrays without dimensions.
	if w := dtype.NumpyNumber(weak); w != dtype.Unknown {
		if zero == dtype.Unknown {
			zero = w
		} else {
			zero = dtype.Numpy(zero, w)
		}
	}
	switch {
	case strong == dtype.Unknown:
		return zero
	case zero == dtype.Unknown:
		return strong
	case strong.Kind() < zero.Kind() && !(strong.IsFloat() && zero.IsComplex()): // of which numpy 1 makes one kind
		return dtype.Numpy(strong, zero)
	}
	return valueBased(c, strong, vs)
}

// tooBig reports whether one is a Python int of more than 64 bits. 64 bits with or without a sign.
func tooBig(vs []value.Value) bool {
	for _, v := range vs {
		if x, ok := v.(*value.BigInt); ok && !x.V.IsUint64() && !x.V.IsInt64() {
			return true
		}
	}
	return false
}

// anyFloat reports whether one is an array of floats or complex numbers. Numbers do not count.
func anyFloat(vs []value.Value) bool {
	for _, v := range vs {
		if t, ok := v.(*value.Tensor); ok && (t.Type().DType.IsFloat() || t.Type().DType.IsComplex()) {
			return true
		}
	}
	return false
}

// valueBased is the dtype of arrays of dtype d combined with what has no dimensions and
// no higher kind, in numpy 1: there the smallest dtype counts that holds the value
// (numpy/core/src/multiarray/convert_datatype.c, PyArray_ResultType). An array of lower kind than
// the scalar was promoted before.
func valueBased(c *ops.Call, d dtype.DType, vs []value.Value) dtype.DType {
	out := d
	for _, v := range vs {
		own := dtype.NumpyNumber(ops.NumberKind(v))
		if t, ok := v.(*value.Tensor); ok {
			if len(t.Type().Shape) > 0 {
				continue
			}
			own, v = t.Type().DType, nil
			if e := t.Contents(); len(e) == 1 {
				v = e[0]
			}
		}
		// v is nil where the value is not known.
		least, small := leastDType(own, v)
		switch {
		case dtype.Numpy(d, own) == d:
			continue // whatever its value is
		case least == dtype.Unknown && d.Kind() == own.Kind() && !d.IsIntegral(), least == dtype.Unknown && d.Kind() > own.Kind() &&
			d != dtype.F16:
			continue // floats and sizes are taken to fit
		case least == dtype.Unknown:
			return dtype.Unknown
		case small && out.IsIntegral() && out.IsSigned():
			least = signedOf(least)
		}
		if out = dtype.Numpy(out, least); out == dtype.Unknown {
			return out
		}
	}
	return out
}

// leastDType is the smallest dtype of own's kind that holds a value (numpy.min_scalar_type),
// unknown where the value is not known; small says that the signed type of that size holds it, too.
// The value's sign decides between signed and unsigned dtypes.
func leastDType(own dtype.DType, v value.Value) (d dtype.DType, small bool) {
	switch {
	case own == dtype.Bool:
		return dtype.Bool, false
	case own.IsIntegral():
		n, ok := int64(0), false
		if v != nil {
			v = value.Plain(v)
			n, ok = value.AsInt(v)
			if s, isSym := v.(*value.SymInt); isSym {
				n, ok = s.D.Val, s.D.Known
			}
		}
		if !ok {
			return dtype.Unknown, false
		}
		// The least signed dtype for negative numbers, the least unsigned one for others.
		switch {
		case n < math.MinInt32:
			return dtype.I64, false
		case n < math.MinInt16:
			return dtype.I32, false
		case n < math.MinInt8:
			return dtype.I16, false
		case n < 0:
			return dtype.I8, false
		case n <= math.MaxUint8:
			return dtype.U8, n <= math.MaxInt8
		case n <= math.MaxUint16:
			return dtype.U16, n <= math.MaxInt16
		case n <= math.MaxUint32:
			return dtype.U32, n <= math.MaxInt32
		}
		return dtype.U64, true
	case own.IsFloat():
		if v == nil {
			return dtype.Unknown, false
		}
		x, ok := value.AsFloat(value.Plain(v))
		if s, isSym := v.(*value.SymFloat); isSym {
			x, ok = s.Val, s.Known
		}
		switch a := math.Abs(x); {
		case !ok:
			return dtype.Unknown, false
		// float16 holds up to 65504; infinities and NaN fit any float.
		case a < 65000 || math.IsInf(a, 0) || math.IsNaN(a):
			return dtype.F16, false
		case a < 3.4e38:
			return min(dtype.F32, own), false
		}
		return own, false
	case own.IsComplex():
		if z, known := value.Plain(v).(value.Complex); known && max(math.Abs(real(z)), math.Abs(imag(z))) >= 3.4e38 {
			return own, false
		}
		return dtype.C64, false // numbers are taken to fit
	}
	return dtype.Unknown, false
}

// 64 bits stay 64 bits.
func signedOf(d dtype.DType) dtype.DType {
	switch d {
	case dtype.U8:
		return dtype.I8
	case dtype.U16:
		return dtype.I16
	case dtype.U32:
		return dtype.I32
	}
	return dtype.I64
}

// firstFits says that arrays and numbers, which promote to the unsigned dtype d because of
// a number's value, fit the signed dtype of that size, too: loops of that come first. It is only
// asked in NumPy 1.
func firstFits(d dtype.DType, xs []value.Value) bool {
	if !d.IsIntegral() || d.IsSigned() {
		return false
	}
	valued := false
	for _, x := range xs {
		own := dtype.NumpyNumber(ops.NumberKind(x))
		if t, ok := x.(*value.Tensor); ok {
			own, x = t.Type().DType, nil
			if len(t.Type().Shape) > 0 {
				if own.Size() >= d.Size() {
					return false
				}
				valued = valued || own.IsIntegral()
				continue
			}
			if e := t.Contents(); len(e) == 1 {
				x = e[0]
			}
		}
		if least, small := leastDType(own, x); least == dtype.Unknown || least == d && !small {
			return false
		}
	}
	return valued
}
