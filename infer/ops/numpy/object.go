package numpy

// This file holds the records of what an array or scalar tells about itself, and
// of its conversions to Python values. None of these makes a node of the graph. Sizes that are
// given keep the axis they come from (SizeValue), so that arithmetic on them is seen as arithmetic
// on that axis.

import (
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// The parameters of a property.
const anyArray = "(any a)"

// arrayGet makes the record of a function of an array that gives a Python value. The rule gets the
// array.
func arrayGet(names, sig string, rule func(c *ops.Call, t *value.Tensor) value.Value, doc string) ops.Op {
	return arrayPure(names, sig, func(c *ops.Call) value.Value {
		t := arrayArg(c, "a")
		if t == nil {
			return nil
		}
		return rule(c, t)
	}, doc)
}

// arrayObjectOps lists what an array or dtype is asked for as an object: sizes, dtype, base and bytes,
// conversions to Python numbers, and the promotion and casting of dtypes. len() needs at least one
// dimension.
func arrayObjectOps() []ops.Op {
	return []ops.Op{
		arrayPure("shape", anyArray, func(c *ops.Call) value.Value {
			v := c.Value("a")
			if notNumber(v) != "" { // texts and None count as elements
				v = parsedShape(&value.Visit{Thread: c.Th, Repeats: value.MaxElems}, v, 0)
			}
			t := ToArray(c, v)
			if t == nil {
				return nil
			}
			return shapeOf(c, t)
		}, "the sizes, as a tuple"),
		arrayGet(".shape.get", anyArray, shapeOf, "the sizes, as a tuple"),
		arrayGet("ndim .ndim.get", anyArray, func(c *ops.Call, t *value.Tensor) value.Value { return value.Int(len(c.Shape(t))) },
			"the number of dimensions"),
		// size of several axes is since NumPy 2 their product.
		arrayGet("size", "(any a, any axis=None)", func(c *ops.Call, t *value.Tensor) value.Value {
			if c.Has("axis") {
				how := asIndex
				if !c.Numpy1() {
					how = asIndices
				}
				readIntegers(c, []readParam{{"axis", how}})
				axes, _ := looseAxes(c, len(c.Shape(t)))
				if !c.OK() {
					return nil
				}
				if len(axes) == 1 {
					return c.SizeValue(t, axes[0])
				}
				n := c.Const(1)
				for _, a := range axes {
					n = c.P.DimMul(n, t.Type().Shape[a])
				}
				return value.FromDim(n)
			}
			return value.FromDim(c.Numel(c.Shape(t)))
		}, "the number of elements, or the size of one dimension"),
		arrayGet(".size.get", anyArray, func(c *ops.Call, t *value.Tensor) value.Value { return value.FromDim(c.Numel(c.Shape(t))) },
			"the number of elements"),
		arrayGet("__len__", anyArray, func(c *ops.Call, t *value.Tensor) value.Value {
			s := c.Shape(t)
			if !c.OK() {
				return nil
			}
			if len(s) == 0 {
				return c.Errorf("TypeError", diag.RankMismatch, "len() of an array without dimensions")
			}
			return c.SizeValue(t, 0)
		}, "the size of the first dimension").With(ops.Op{Trace: ops.ReadsNumber}),
		arrayGet(".dtype.get", anyArray, func(c *ops.Call, t *value.Tensor) value.Value {
			if t.Type().DType == dtype.Unknown {
				return c.Lose("the dtype is not known")
			}
			return NewDType(c.Th, t.Type().DType)
		}, "the dtype"),
		arrayGet(".itemsize.get", anyArray, ops.ElemBytes, "bytes of an element"),
		arrayGet(".nbytes.get", anyArray, ops.AllBytes, "bytes of all elements"),
		// Whether an array has memory of its own is followed as far as it is known.
		arrayGet(".base.get", anyArray, func(c *ops.Call, t *value.Tensor) value.Value {
			if m := memoryOf(t.V); !m.known || !m.own {
				return c.Lose("whose memory an array has")
			}
			return value.None
		}, "the array whose memory it views, or None"),
		arrayGet(".tolist", anyArray, func(c *ops.Call, t *value.Tensor) value.Value {
			return c.Delegate("torch.Tensor.tolist", []value.Value{t})
		}, "nested lists of Python numbers").With(ops.Op{Trace: ops.TakesItem | ops.GivesNumber}),
		arrayGet(".item", "(any a, *args)", itemOfArray, "an element as a Python number").With(ops.Op{Trace: ops.TakesItem | ops.GivesNumber}),
		arrayItem("__int__").With(ops.Op{Trace: ops.GivesNumber}), arrayItem("__float__").With(ops.Op{Trace: ops.GivesNumber}),
		arrayItem("__bool__").With(ops.Op{Trace: ops.ReadsNumber}), arrayItem("__index__").With(ops.Op{Trace: ops.GivesNumber}),
		arrayItem("__complex__"),
		// The other byte order has the same dtype here; elements are not known from then on.
		arrayGet(".byteswap", "(any a, any inplace=False)", func(c *ops.Call, t *value.Tensor) value.Value {
			if c.Bool("inplace") {
				ops.Overwrite(c.Th, t, "byteswap", false)
				return t
			}
			return c.Out(t.Type().DType, t.Type().Shape)
		}, "the elements with their bytes in the other order"),
		arrayGet(".tobytes", "(any a, any order='C')", func(c *ops.Call, _ *value.Tensor) value.Value {
			return &value.Abstract{Class: c.Th.Class("bytes")}
		}, "the memory as bytes"),
		arrayPure("isscalar", "(any element)", func(c *ops.Call) value.Value {
			v := c.Value("element")
			name := ops.TypeName(v)
			return value.Bool(name == "str" || name == "bytes" || name == "Fraction" || ops.NumberKind(v) != dtype.KindInvalid)
		}, "whether the argument is a number or text and no array"),
		arrayPure("isrealobj", "(any x)", complexObject(false), "whether the dtype is not complex"),
		arrayPure("iscomplexobj", "(any x)", complexObject(true), "whether the dtype is complex"),
		arrayPure("result_type", "(*args)", resultTypeOfArrays, "the dtype to which arguments are promoted"),
		arrayPure("promote_types", "(any type1, any type2)", func(c *ops.Call) value.Value {
			for _, name := range [...]string{"type1", "type2"} {
				if why := NoDType(c.Value(name)); why != "" {
					return c.Errorf("TypeError", diag.TypeMismatch, "promote_types(): %s", why)
				}
			}
			a, ok1 := DTypeOf(c.Value("type1"))
			b, ok2 := DTypeOf(c.Value("type2"))
			if !ok1 || !ok2 {
				return c.Lose("a dtype is not known")
			}
			return NewDType(c.Th, dtype.Numpy(a, b))
		}, "the smallest dtype that holds both"),
		arrayPure("can_cast", "(any from_, any to, any casting='safe')", canCastArray, "whether a conversion is allowed"),
		arrayPure("min_scalar_type", "(any a)", func(c *ops.Call) value.Value {
			v := c.Value("a")
			if notNumber(v) != "" {
				return c.Lose("a dtype that is not modelled")
			}
			t := ToArray(c, v)
			if t == nil {
				return nil
			}
			d := t.Type().DType
			if len(c.Shape(t)) == 0 && c.OK() {
				var e value.Value
				if x := t.Contents(); len(x) == 1 {
					e = x[0]
				} else if _, isComplex := v.(value.Complex); isComplex {
					e = v
				}
				d, _ = leastDType(d, e)
			}
			if d == dtype.Unknown || !c.OK() {
				return c.Lose("the value is not known")
			}
			return NewDType(c.Th, d)
		}, "the smallest dtype that holds a value"),
		arrayPure("issubdtype", "(any arg1, any arg2)", issubdtype, "whether a dtype is of a class of dtypes"),
	}
}

// arrayItem makes the record of a conversion of the only element, which is PyTorch's. What arrays
// of several dimensions and empty ones are worth depends on the version of NumPy.
func arrayItem(name string) ops.Op {
	if name == "__bool__" {
		return arrayGet(name, anyArray, func(c *ops.Call, t *value.Tensor) value.Value {
			if v := c.Th.Option("numpy-version"); t.Type().Ranked && ops.IsConst(c.Numel(t.Type().Shape), 0) &&
				(c.Numpy1() || v != "" && before(v, "2.2")) {
				return value.Bool(false) // with a warning
			}
			return c.Delegate("torch.Tensor.__bool__", []value.Value{t})
		}, "the only element as a truth value; false where there is none before numpy 2.2")
	}
	float := name == "__int__" || name == "__float__" || name == "__complex__"
	return arrayGet(name, anyArray, func(c *ops.Call, t *value.Tensor) value.Value {
		if v := c.Th.Option("numpy-version"); float && v != "" && !before(v, "2.4") && t.Type().Ranked && len(t.Type().Shape) > 0 {
			return c.Errorf("TypeError", diag.RankMismatch,
				"only arrays without dimensions can be converted to Python scalars since numpy 2.4, not %s", t)
		}
		return c.Delegate("torch.Tensor."+name, []value.Value{t})
	}, "the only element as a Python number")
}

// complexObject makes the rule of a question about the dtype.
func complexObject(want bool) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := arrayArg(c, "x")
		if t == nil || t.Type().DType == dtype.Unknown {
			return c.Lose("the dtype is not known")
		}
		return value.Bool(t.Type().DType.IsComplex() == want)
	}
}

// itemOfArray is ndarray.item: without an index for arrays of one element, by an index into the flattened
// array, or by one for each axis.
func itemOfArray(c *ops.Call, t *value.Tensor) value.Value {
	args := c.Rest()
	if len(args) == 0 {
		return c.Delegate("torch.Tensor.item", []value.Value{t})
	}
	if len(args) == 1 {
		if tup, ok := args[0].(*value.Tuple); ok {
			args = tup.Elems
		}
	}
	// A single index counts in the flattened array.
	if len(args) == 1 && len(c.Shape(t)) != 1 {
		t = c.DelegateTensor("torch.flatten", []value.Value{t})
	}
	v := c.DelegateTensor("torch.Tensor.__getitem__", []value.Value{t, value.NewTuple(args...)})
	if v == nil {
		return nil
	}
	return c.Delegate("torch.Tensor.item", []value.Value{v})
}

// canCastArray reports whether a dtype, array or numpy scalar can be cast to another dtype under the rule
// of casting=. Python's numbers fail since numpy 2; before that their values decided, as did those of
// scalars: the smallest dtype that represents the value is the one that is cast.
func canCastArray(c *ops.Call) value.Value {
	v := c.Value("from_")
	if why := NoDType(c.Value("to")); why != "" {
		return c.Errorf("TypeError", diag.TypeMismatch, "can_cast(): %s", why)
	}
	to, ok := DTypeOf(c.Value("to"))
	if !ok {
		return c.Lose("a dtype is not known")
	}
	rule := casting(c)
	if ops.NumberKind(v) != dtype.KindInvalid && !ops.IsNumpyScalar(v) {
		if !c.Numpy1() {
			return c.Errorf("TypeError", diag.TypeMismatch, "can_cast() takes no Python numbers: %s", v)
		}
		least, small := leastDType(dtype.NumpyNumber(ops.NumberKind(v)), v)
		// NumPy 1: the smallest dtype that has the value.
		if least == dtype.Unknown {
			return c.Lose("the value is not known")
		}
		if small && to.IsIntegral() && to.IsSigned() {
			least = signedOf(least)
		}
		return value.Bool(canCast(least, to, rule))
	}
	if v == value.None || isSequence(c, v) {
		return c.Errorf("TypeError", diag.TypeMismatch, "can_cast() takes dtypes, arrays and scalars, not %s", ops.TypeName(v))
	}
	from, ok := DTypeOf(v)
	if t := valued(c, v); t != nil && c.Numpy1() && c.OK() && !canCast(t.Type().DType, to, rule) { // its value counts
		e := t.Contents()
		if len(e) != 1 {
			return c.Lose("the value is not known")
		}
		least, small := leastDType(t.Type().DType, e[0])
		if least == dtype.Unknown {
			return c.Lose("the value is not known")
		}
		if small && to.IsIntegral() && to.IsSigned() {
			least = signedOf(least)
		}
		return value.Bool(canCast(least, to, rule))
	}
	if t, isArray := v.(*value.Tensor); isArray {
		from, ok = t.Type().DType, t.Type().DType != dtype.Unknown
	} else if i, isScalar := v.(*value.Instance); isScalar && ops.IsNumpyScalar(i) {
		from, ok = ops.ScalarDType(i), true
	}
	if why := NoDType(v); !ok && why != "" {
		return c.Errorf("TypeError", diag.TypeMismatch, "can_cast(): %s", why)
	}
	if !ok {
		return c.Lose("a dtype is not known")
	}
	return value.Bool(canCast(from, to, rule))
}

// valued is the array of a scalar or of an array without dimensions of a number; nil for others.
// NumPy 1 promotes by the value of such.
func valued(c *ops.Call, v value.Value) *value.Tensor {
	if _, isArray := v.(*value.Tensor); !isArray && !ops.IsNumpyScalar(v) {
		return nil
	}
	t := ToArray(c, v)
	if t == nil || !t.Type().Ranked || len(t.Type().Shape) > 0 {
		return nil
	}
	return t
}

// resultTypeOfArrays promotes dtypes, arrays and numbers alike: numbers of Python count by their kind (NEP 50),
// or by their value in NumPy 1.
func resultTypeOfArrays(c *ops.Call) value.Value {
	var vs []value.Value
	for _, a := range c.Rest() {
		switch a.(type) {
		case *value.Tensor:
			vs = append(vs, ToArray(c, a))
			continue
		case *value.List, *value.Tuple: // a structured dtype
			return c.Errorf("TypeError", diag.TypeMismatch, "result_type(): a dtype cannot be made of %s", ops.TypeName(a))
		}
		if ops.IsNumpyScalar(a) {
			vs = append(vs, ToArray(c, a))
		} else if ops.NumberKind(a) != dtype.KindInvalid {
			vs = append(vs, a)
		} else {
			// A dtype takes part as an array of unknown rank: no value decides.
			d, ok := DTypeOf(a)
			if !ok {
				return c.Lose("a dtype is not known")
			}
			vs = append(vs, c.Out(d, nil))
			vs[len(vs)-1].(*value.Tensor).V.Type.Ranked = false
		}
		if !c.OK() {
			return nil
		}
	}
	d := c.Lib.Promote(c, vs...)
	c.Outs = nil
	if d == dtype.Unknown {
		return c.Lose("a dtype is not known")
	}
	return NewDType(c.Th, d)
}

// issubdtype compares scalar classes: a dtype is under np.floating and so on by inheritance, as NumPy's classes
// have it.
func issubdtype(c *ops.Call) value.Value {
	d, known := DTypeOf(c.Value("arg1"))
	cls, isClass := c.Value("arg2").(*value.Class)
	if !known {
		return c.Lose("a dtype is not known")
	}
	if !isClass {
		e, ok := DTypeOf(c.Value("arg2"))
		if !ok {
			return c.Lose("a dtype is not known")
		}
		return value.Bool(d == e)
	}
	// The class of a dtype is asked whether it is below the other one.
	own := scalarClass(c, d)
	if own == nil {
		return c.Lose("a dtype is not known")
	}
	if cls.Module != "numpy" {
		e, ok := DTypeOf(cls)
		if !ok {
			return c.Lose("a dtype is not known")
		}
		cls = scalarClass(c, e)
	}
	return value.Bool(own.IsSubclass(cls))
}

// shapeOf is the shape of an array as a tuple of its sizes.
func shapeOf(c *ops.Call, t *value.Tensor) value.Value {
	sizes := c.SizeValues(t)
	if !c.OK() {
		return nil
	}
	return value.NewTuple(sizes...)
}

// parsedShape replaces what is no number in nested data by numbers, since only the shape is asked
// for.
func parsedShape(w *value.Visit, v value.Value, depth int) value.Value {
	var elems []value.Value
	switch x := v.(type) {
	case value.NoneType, value.Str:
		return value.Int(0)
	case *value.List:
		elems = x.Elems
	case *value.Tuple:
		elems = x.Elems
	default:
		return v
	}
	if !w.Enter(v) {
		return v
	}
	defer w.Leave()
	out := make([]value.Value, len(elems))
	for i, e := range elems {
		if out[i] = e; depth < 8 {
			out[i] = parsedShape(w, e, depth+1)
		}
	}
	return value.NewTuple(out...)
}
