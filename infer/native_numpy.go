package infer

// This file makes the native part of the module numpy: the array class with its
// methods, the scalar classes, dtype objects and constants. Python's part of numpy is in the
// prelude; functions are the records'. What is here needs classes of special layouts, which Python
// of the prelude cannot define.

import (
	"math"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// numpyScalars are numpy's scalar classes with their bases, each after those. d is 0 for classes
// without numbers.
var numpyScalars = [...]struct {
	name, bases string
	d           dtype.DType
}{
	{"generic", "object", 0}, {"number", "generic", 0}, {"integer", "number", 0}, {"signedinteger", "integer", 0},
	{"unsignedinteger", "integer", 0}, {"inexact", "number", 0}, {"floating", "inexact", 0}, {"complexfloating", "inexact", 0},
	{"flexible", "generic", 0}, {"character", "flexible", 0},
	{"bool_", "generic", dtype.Bool},
	{"int8", "signedinteger", dtype.I8}, {"int16", "signedinteger", dtype.I16}, {"int32", "signedinteger", dtype.I32},
	{"int64", "signedinteger", dtype.I64},
	{"uint8", "unsignedinteger", dtype.U8}, {"uint16", "unsignedinteger", dtype.U16}, {"uint32", "unsignedinteger", dtype.U32},
	{"uint64", "unsignedinteger", dtype.U64},
	{"float16", "floating", dtype.F16}, {"float32", "floating", dtype.F32}, {"float64", "floating float", dtype.F64},
	{"complex64", "complexfloating", dtype.C64}, {"complex128", "complexfloating complex", dtype.C128},
	{"str_", "character", 0}, {"bytes_", "character", 0}, {"object_", "generic", 0}, {"void", "flexible", 0},
}

// numpyAliases are other names of the scalar classes. Those that numpy 2 removed
// stay known: PyTorch's version does not say which numpy is installed.
var numpyAliases = [...]struct{ name, of string }{
	{"double", "float64"}, {"single", "float32"}, {"half", "float16"}, {"float_", "float64"}, {"int_", "int64"}, {"bool", "bool_"},
	{"bool8", "bool_"},
	{"long", "int64"}, {"ulong", "uint64"}, {"intp", "int64"}, {"intc", "int32"}, {"uintp", "uint64"}, {"uintc", "uint32"}, {"uint", "uint64"},
	{"longlong", "int64"}, {"ulonglong", "uint64"}, {"byte", "int8"}, {"ubyte", "uint8"}, {"short", "int16"}, {"ushort", "uint16"},
	{"csingle", "complex64"}, {"cdouble", "complex128"}, {"complex_", "complex128"}, {"cfloat", "complex128"}, {"unicode_", "str_"},
	{"string_", "bytes_"},
}

// Names that NumPy 2 removed are among them.
var numpyConstants = [...]struct {
	name string
	x    float64
}{
	{"pi", math.Pi}, {"e", math.E}, {"euler_gamma", 0.5772156649015329}, {"inf", math.Inf(1)}, {"nan", math.NaN()},
	{"Inf", math.Inf(1)}, {"Infinity", math.Inf(1)}, {"infty", math.Inf(1)}, {"PINF", math.Inf(1)}, {"NINF", math.Inf(-1)},
	{"NaN", math.NaN()}, {"NAN", math.NaN()},
}

// nativeNumpy makes the compiled part of the module numpy: the hierarchy of scalar classes, ndarray, dtype and
// constants. Functions are not here: they come from the records.
func (na *natives) nativeNumpy() *value.Attrs {
	h := &na.heap
	a := h.NewAttrs()
	object := na.world.Class("object")
	// class makes a class and registers it under its full name.
	class := func(name string, layout value.Layout, bases ...*value.Class) *value.Class {
		c := &value.Class{Name: name, Qualname: name, Module: "numpy", Layout: layout, Attrs: h.NewAttrs(), Prelude: true, Bases: bases}
		c.MRO = []*value.Class{c}
		for _, b := range bases {
			for _, k := range b.MRO {
				if k != object {
					c.MRO = append(c.MRO, k)
				}
			}
		}
		c.MRO = append(c.MRO, object)
		na.world.Register("numpy."+name, c)
		a.Set(h, name, c)
		return c
	}
	// A base comes before the classes that derive from it.
	for _, s := range numpyScalars {
		var bases []*value.Class
		for _, b := range strings.Fields(s.bases) {
			k := na.world.Class("numpy." + b)
			if k == nil {
				k = na.world.Class(b)
			}
			bases = append(bases, k)
		}
		c := class(s.name, value.ScalarLayout, bases...)
		if s.d != dtype.Unknown {
			// Classes of numbers make scalars by the record.
			c.Data = s.d
			constructor(na.in, c, na.in.opFunc("numpy.generic.__new__").Fn)
		} else if s.name == "str_" || s.name == "bytes_" || s.name == "object_" || s.name == "void" {
			constructor(na.in, c, otherScalar(s.name))
		}
	}
	for _, s := range numpyAliases {
		a.Set(h, s.name, na.world.Class("numpy."+s.of))
	}
	array := class("ndarray", value.TensorLayout, object)
	na.arrayMethods(array, true)
	na.arrayMethods(na.world.Class("numpy.generic"), false)
	constructor(na.in, array, na.newArray)
	na.dtypeClass(class("dtype", value.ObjectLayout, object))
	for _, k := range numpyConstants {
		a.Set(h, k.name, value.Float(k.x))
	}
	a.Set(h, "newaxis", value.None)
	a.Set(h, "__version__", value.Str(na.in.versions.numpyVersion()))
	return a
}

// otherScalar constructs what is no number: texts are Python's, and any object is itself. args has
// the class first.
func otherScalar(name string) value.NativeFunc {
	return func(th value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 2 {
			_, isStr := args[1].(value.Str)
			_, isBytes := args[1].(value.Bytes)
			if name == "object_" || name == "str_" && isStr || name == "bytes_" && isBytes {
				return args[1], nil
			}
		}
		return th.Unknown("scalars of numpy that are no numbers"), nil
	}
}

// arrayMethods gives a class the records numpy.ndarray.*: the array class all of
// them, the scalar classes those that are no operators (operator.go finds these). Methods that the
// installed version lacks are left out.
func (na *natives) arrayMethods(c *value.Class, operators bool) {
	prefix := numpy.Library.Method("")
	catalog.Of(numpy.Library, func(op *ops.Op) {
		for _, full := range op.Names {
			name, ok := strings.CutPrefix(full, prefix)
			if !ok || !operators && arrayOnly[name] || na.in.versions.numpyLacks(strings.TrimSuffix(full, ".get")) != "" {
				continue
			}
			// Records that end in .get and .set are properties.
			if attr, ok := strings.CutSuffix(name, ".get"); ok {
				p := &value.Property{Get: na.in.opFunc(full)}
				if set := prefix + attr + ".set"; operators && hasRecord(set) {
					p.Set = na.in.opFunc(set)
				}
				c.Attrs.Set(&na.heap, attr, p)
				continue
			}
			if strings.HasSuffix(name, ".set") {
				continue
			}
			c.Attrs.Set(&na.heap, name, na.in.opFunc(full))
		}
	})
	// Arrays have no hash, scalars that of their number.
	if operators {
		c.Attrs.Set(&na.heap, "__hash__", value.None)
		return
	}
	c.Attrs.Set(&na.heap, "__hash__", &value.Builtin{Name: "numpy.generic.__hash__",
		Fn: func(th value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
			return th.CallMethod(value.Plain(args[0]), "__hash__")
		}})
}

// hasRecord reports whether there is a record of a name.
func hasRecord(name string) bool {
	_, ok := catalog.Lookup(name)
	return ok
}

// arrayOnly are the methods that scalars do not have.
var arrayOnly = map[string]bool{"__iter__": true, "__len__": true, "__contains__": true, "__setitem__": true}

// newArray implements np.ndarray(shape, dtype). On given memory, with buffer or strides, it is not
// known.
func (na *natives) newArray(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	op, _ := catalog.Lookup("numpy.empty")
	for _, k := range kw {
		if k.Name != "shape" && k.Name != "dtype" {
			return na.in.Unknown("an array on given memory"), nil
		}
	}
	if len(args) > 3 {
		return na.in.Unknown("an array on given memory"), nil
	}
	v, err := catalog.Apply(th, op, "numpy.empty", args[1:], kw)
	if t, ok := v.(*value.Tensor); ok && err == nil {
		if cls, ok := args[0].(*value.Class); ok {
			t.Class = cls
		}
	}
	return v, err
}

// dtypeClass makes the class of dtype objects. dtype objects are instances with the dtype in them;
// all their attributes follow from it.
func (na *natives) dtypeClass(c *value.Class) {
	h := &na.heap
	c.Attrs.Set(h, "__new__", &value.Builtin{Name: "numpy.dtype.__new__", Static: true,
		// The dtype may be given by name.
		Fn: func(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			for _, k := range kw {
				switch k.Name {
				case "dtype":
					args = append(args[:min(1, len(args))], append([]value.Value{k.Value}, args[min(1, len(args)):]...)...)
				case "align", "copy", "metadata":
				default:
					return nil, na.in.Raise("TypeError", "'%s' is an invalid keyword argument for dtype()", k.Name)
				}
			}
			if len(args) < 2 {
				return nil, na.in.Raise("TypeError", "dtype() missing required argument 'dtype'")
			}
			// What is no dtype is a TypeError.
			if why := numpy.NoDType(args[1]); why != "" {
				return nil, na.in.Fail("TypeError", diag.New(diag.TypeMismatch, na.in.Here(), why))
			}
			if t, ok := args[1].(value.DType); ok {
				return nil, na.in.Fail("TypeError", diag.New(diag.TypeMismatch, na.in.Here(), "numpy does not take torch."+t.D.Torch()+" as a dtype"))
			}
			d, known := numpy.DTypeOf(args[1])
			if args[1] == value.None {
				d, known = dtype.F64, true
			}
			// NumPy has two dtypes of 64 bits.
			if s, isText := value.AsStr(args[1]); isText && strings.Trim(s, "<=>|qQ") == "" {
				return na.in.Unknown("the dtype of C's long long, which has the size of int64 and another name"), nil
			}
			if !known && numpy.HasOwnShape(args[1]) {
				return na.in.Unknown(numpy.OwnShape), nil
			}
			if !known {
				return na.in.Unknown("a dtype that is not modelled"), nil
			}
			return numpy.NewDType(na.in, d), nil
		}})
	c.Attrs.Set(h, "__init__", &value.Builtin{Name: "numpy.dtype.__init__",
		Fn: func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
			return value.None, nil
		}})
	of := func(v value.Value) dtype.DType { d, _ := numpy.DTypeOf(v); return d }
	// A dtype of PyTorch is never equal.
	equal := func(name string, want bool) {
		c.Attrs.Set(h, name, &value.Builtin{Name: "numpy.dtype." + name,
			Fn: func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
				if len(args) != 2 {
					return nil, na.in.Raise("TypeError", "expected 1 argument")
				}
				if _, isTorch := args[1].(value.DType); isTorch {
					return value.Bool(!want), nil
				}
				d, _ := numpy.DTypeOf(args[1])
				return value.Bool((d == of(args[0])) == want), nil
			}})
	}
	equal("__eq__", true)
	equal("__ne__", false)
	c.Attrs.Set(h, "__hash__", &value.Builtin{Name: "numpy.dtype.__hash__",
		Fn: func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
			return value.Int(of(args[0])), nil
		}})
	// get defines a property.
	get := func(name string, f func(d dtype.DType) value.Value) {
		c.Attrs.Set(h, name, &value.Property{Get: &value.Builtin{Name: "numpy.dtype." + name,
			Fn: func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
				return f(of(args[0])), nil
			}}})
	}
	get("name", func(d dtype.DType) value.Value { return value.Str(strings.TrimSuffix(d.Numpy(), "_")) })
	get("itemsize", func(d dtype.DType) value.Value { return value.Int(d.Size()) })
	get("kind", func(d dtype.DType) value.Value { return value.Str(d.NumpyKind()) })
	get("type", func(d dtype.DType) value.Value { return na.world.Class("numpy." + d.Numpy()) })
	get("str", func(d dtype.DType) value.Value { return value.Str(dtypeText(d)) })
	get("char", func(d dtype.DType) value.Value { return value.Str(dtypeChars[d]) })
	get("shape", func(dtype.DType) value.Value { return value.NewTuple() })
	get("ndim", func(dtype.DType) value.Value { return value.Int(0) })
	get("names", func(dtype.DType) value.Value { return value.None })
	get("fields", func(dtype.DType) value.Value { return value.None })
	get("num", func(d dtype.DType) value.Value { return value.Int(dtypeNumbers[d]) })
	// Complex numbers are aligned as their parts.
	get("alignment", func(d dtype.DType) value.Value {
		if d.IsComplex() {
			return value.Int(d.Size() / 2)
		}
		return value.Int(d.Size())
	})
	get("isnative", func(dtype.DType) value.Value { return value.Bool(true) })
	get("isbuiltin", func(dtype.DType) value.Value { return value.Int(1) })
	get("isalignedstruct", func(dtype.DType) value.Value { return value.Bool(false) })
	get("byteorder", func(d dtype.DType) value.Value {
		if d.Size() == 1 {
			return value.Str("|")
		}
		return value.Str("=")
	})
	get("base", func(d dtype.DType) value.Value { return numpy.NewDType(na.in, d) })
	get("subdtype", func(dtype.DType) value.Value { return value.None })
	get("metadata", func(dtype.DType) value.Value { return value.None })
	get("descr", func(d dtype.DType) value.Value {
		return h.NewList([]value.Value{value.NewTuple(value.Str(""), value.Str(dtypeText(d)))})
	})
	c.Attrs.Set(h, "newbyteorder", &value.Builtin{Name: "numpy.dtype.newbyteorder",
		Fn: func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
			return na.in.Unknown("a dtype with another order of bytes"), nil
		}})
	get("hasobject", func(dtype.DType) value.Value { return value.Bool(false) })
	// text defines __str__ and __repr__.
	text := func(name, before, after string) {
		c.Attrs.Set(h, name, &value.Builtin{Name: "numpy.dtype." + name,
			Fn: func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
				return value.Str(before + strings.TrimSuffix(of(args[0]).Numpy(), "_") + after), nil
			}})
	}
	text("__str__", "", "")
	text("__repr__", "dtype('", "')")
}

// dtypeText is a dtype as dtype.str has it: the order of bytes, the kind and the size.
func dtypeText(d dtype.DType) string {
	order := "<"
	if d.Size() == 1 {
		order = "|"
	}
	return order + d.NumpyKind() + itoa(int64(d.Size()))
}

// dtypeNumbers are numpy's numbers of dtypes (NPY_TYPES of ndarraytypes.h).
var dtypeNumbers = map[dtype.DType]int64{
	dtype.Bool: 0, dtype.I8: 1, dtype.U8: 2, dtype.I16: 3, dtype.U16: 4, dtype.I32: 5, dtype.U32: 6, dtype.I64: 7, dtype.U64: 8,
	dtype.F16: 23, dtype.F32: 11, dtype.F64: 12, dtype.C64: 14, dtype.C128: 15,
}

// They are the one-letter codes of dtype.char.
var dtypeChars = map[dtype.DType]string{
	dtype.Bool: "?", dtype.I8: "b", dtype.U8: "B", dtype.I16: "h", dtype.U16: "H", dtype.I32: "i", dtype.U32: "I", dtype.I64: "l",
	dtype.U64: "L",
	dtype.F16: "e", dtype.F32: "f", dtype.F64: "d", dtype.C64: "F", dtype.C128: "D",
}

// boundary makes a library function, which is Python of the prelude, give the first
// unknown argument where there is one, as a record does. It keeps the function's own code from
// failing over values that are not known.
func (na *natives) boundary(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 2 {
		return nil, na.in.Raise("TypeError", "boundary() takes a function and its name")
	}
	fn := args[0]
	name, _ := value.AsStr(args[1])
	return &value.Builtin{Name: name, Fn: func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		var unknown value.Value
		for _, a := range args {
			if u := ops.FirstUnknown(a, 2); u != nil && unknown == nil {
				unknown = u
			}
		}
		for _, k := range kw {
			if u := ops.FirstUnknown(k.Value, 2); u != nil && unknown == nil {
				unknown = u
			}
		}
		if unknown == nil {
			return th.Call(fn, args, kw)
		}
		// Functions that write in place leave elements that are not known.
		switch strings.TrimPrefix(name, numpy.Library.Prefix) {
		case "put_along_axis", "fill_diagonal":
			if len(args) > 0 {
				ops.Overwrite(th, args[0], name, false)
			}
		}
		for _, k := range kw {
			if k.Name == "out" {
				ops.Overwrite(th, k.Value, name, false)
			}
		}
		return unknown, nil
	}}, nil
}

// sharesStorage reports whether two arrays may be on one memory. Arrays on the same storage may
// still not overlap, which is left to data.
func (na *natives) sharesStorage(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 2 {
		return value.Bool(false), nil
	}
	a, ok1 := args[0].(*value.Tensor)
	b, ok2 := args[1].(*value.Tensor)
	switch {
	case !ok1 || !ok2:
		return value.Bool(false), nil
	case a == b || a.Storage != nil && a.Storage == b.Storage:
		return na.in.DataBool(nil), nil
	}
	return value.Bool(false), nil
}
