package ops

// This file holds numpy's dtype objects and its promotion, which differs
// between numpy 1 and 2.

import (
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// scalarDType is the dtype of a scalar.
func scalarDType(i *value.Instance) dtype.DType {
	for _, k := range i.Class.MRO {
		if d, ok := k.Data.(dtype.DType); ok {
			return d
		}
	}
	return dtype.Unknown
}

// NewDType makes a numpy.dtype object.
func NewDType(th value.Thread, d dtype.DType) value.Value {
	i := th.Heap().NewInstance(th.Class("numpy.dtype"))
	i.Data = d
	return i
}

// NumpyDType reads what numpy takes as a dtype; known is false when it is one
// that is not modelled (object, str, structured) or not known.
func NumpyDType(v value.Value) (d dtype.DType, known bool) {
	switch v := v.(type) {
	case *value.Instance:
		if d, ok := v.Data.(dtype.DType); ok && numpyClass(v.Class, "dtype") {
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
func (c *Call) arrayDType(def dtype.DType) dtype.DType {
	if !c.HasParam("dtype") || !c.Has("dtype") {
		return def
	}
	v := c.Value("dtype")
	if value.IsUnknown(v) {
		return dtype.Unknown
	}
	d, known := NumpyDType(v)
	if known {
		return d
	}
	if t, ok := v.(value.DType); ok {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): numpy does not take torch.%s as a dtype", c.short(), t.D.Torch())
		return dtype.Unknown
	}
	c.Lose("arrays of this dtype are not modelled")
	return dtype.Unknown
}

// numpy1 reports whether the run is to behave like numpy 1.x: PyTorch works with
// numpy 2 since 2.3.
func (c *Call) numpy1() bool { return !NumpyTwo(c.Th) }

// NumpyTwo reports whether the numpy beside the run's PyTorch is 2.x.
func NumpyTwo(th value.Thread) bool {
	major, rest, _ := strings.Cut(th.Option("torch-version"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	switch {
	case major == "" || major > "2" || len(major) > 1:
		return true
	case major < "2":
		return false
	}
	return len(minor) > 1 || minor >= "3"
}

// numpyPromote is the dtype of the result of an operation on arrays, scalars and
// Python numbers: by the dtypes alone in numpy 2 (NEP 50), and with regard to the
// kinds of what has no dimensions in numpy 1.
func (c *Call) numpyPromote(vs ...value.Value) dtype.DType {
	var strong, zero dtype.DType // of arrays with dimensions, and without
	var weak dtype.Kind
	for _, v := range vs {
		t, ok := v.(*value.Tensor)
		if !ok {
			weak = max(weak, numberKind(v))
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
	if !c.numpy1() {
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
		return c.valueBased(strong, vs)
	}
	return strong
}

// valueBased is the dtype of an integer array combined with integers without
// dimensions in numpy 1, where their values count.
func (c *Call) valueBased(d dtype.DType, vs []value.Value) dtype.DType {
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
		if w, ok := wrapInt(d, c.Const(n)).(value.Int); !ok || int64(w) != n {
			return dtype.Unknown
		}
	}
	return d
}
