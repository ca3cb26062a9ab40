package numpy

// This file holds numpy's dtype objects and its promotion, which differs
// between numpy 1 and 2.

import (
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// NewDType makes a numpy.dtype object.
func NewDType(th value.Thread, d dtype.DType) value.Value {
	i := th.Heap().NewInstance(th.Class("numpy.dtype"))
	i.Data = d
	return i
}

// DTypeOf reads what numpy takes as a dtype; known is false when it is one
// that is not modelled (object, str, structured) or not known.
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

// arrayDType returns the parameter dtype, or def when it is absent or None.
func arrayDType(c *ops.Call, def dtype.DType) dtype.DType {
	if !c.HasParam("dtype") || !c.Has("dtype") {
		return def
	}
	v := c.Value("dtype")
	if value.IsUnknown(v) {
		return dtype.Unknown
	}
	d, known := DTypeOf(v)
	if known {
		return d
	}
	if t, ok := v.(value.DType); ok {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): numpy does not take torch.%s as a dtype", c.Short(), t.D.Torch())
		return dtype.Unknown
	}
	c.Lose("arrays of this dtype are not modelled")
	return dtype.Unknown
}

// numpyPromote is the dtype of the result of an operation on arrays, scalars and
// Python numbers: by the dtypes alone in numpy 2 (NEP 50), and with regard to the
// kinds of what has no dimensions in numpy 1.
func numpyPromote(c *ops.Call, vs ...value.Value) dtype.DType {
	var strong, zero dtype.DType // of arrays with dimensions, and without
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
	case strong.Kind() < zero.Kind():
		return dtype.Numpy(strong, zero)
	case strong.Kind() == dtype.KindInt && zero.Kind() == dtype.KindInt && strong != zero:
		return valueBased(c, strong, vs)
	}
	return strong
}

// valueBased is the dtype of an integer array combined with integers without
// dimensions in numpy 1, where their values count.
func valueBased(c *ops.Call, d dtype.DType, vs []value.Value) dtype.DType {
	for _, v := range vs {
		if t, ok := v.(*value.Tensor); ok {
			if len(t.Type().Shape) > 0 {
				continue
			}
			e := t.Contents()
			if len(e) != 1 {
				return dtype.Unknown
			}
			v = e[0]
		}
		n, known := value.AsInt(value.Plain(v))
		if !known {
			return dtype.Unknown
		}
		if w, ok := ops.WrapInt(d, c.Const(n)).(value.Int); !ok || int64(w) != n {
			return dtype.Unknown
		}
	}
	return d
}
