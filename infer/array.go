package infer

// This file applies operators to numpy's arrays and scalars: to each other, to
// Python's numbers and sequences, and beside PyTorch's tensors. The order follows the dunder
// methods: an operand that does not know the other one leaves it to that.

import (
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape/dtype"
)

// isNumpy reports whether numpy's operators apply to v. NumPy's scalars are instances of its
// classes, arrays are tensors of another library here.
func isNumpy(v value.Value) bool {
	switch v.(type) {
	case *value.Tensor:
		return ops.IsArray(v)
	case *value.Instance:
		return ops.IsNumpyScalar(v)
	}
	return false
}

// tensorPrefix begins the names of the methods of t.
func tensorPrefix(t value.Value) string {
	return catalog.ArrayLibrary(t).Method("")
}

// arrayBinary gives a op b when one of them is numpy's. ok is false when numpy
// leaves the operation to the other operand. The error is that of the operation, or a TypeError of
// a tensor on the right, which NumPy refuses.
func (in *Interp) arrayBinary(op ast.BinOperator, a, b value.Value) (v value.Value, ok bool, err error) {
	na, nb := isNumpy(a), isNumpy(b)
	if !na && !nb {
		return nil, false, nil
	}
	names := &binaryTable[op]
	switch {
	case catalog.IsTorch(a):
		if !ops.IsArray(b) {
			return nil, false, nil // a scalar is a number
		}
		v, err := in.tensorWithArray(names.tensor, a.(*value.Tensor), b.(*value.Tensor))
		return v, true, err
	case catalog.IsTorch(b):
		if !ops.IsArray(a) {
			return nil, false, nil
		}
		if op == ast.Div { // Tensor.__rdiv__ multiplies by the reciprocal
			v, err := in.tensorWithArray(names.tensorReflected, b.(*value.Tensor), a.(*value.Tensor))
			return v, true, err
		}
		return nil, false, in.Raise("TypeError",
			"unsupported operand types for %s: 'numpy.ndarray' and 'Tensor': use torch.from_numpy, or put the tensor first", op)
	case op == ast.Mult && (na && !ops.IsArray(a) && pythonSequence(b) || nb && !ops.IsArray(b) && pythonSequence(a)):
		return nil, false, nil // a sequence repeats
	// The method of the left operand comes first, then the reflected one of the right.
	case na && arrayOperand(b):
		v, err = in.applyTensor(names.method, a, b)
	case nb && arrayOperand(a):
		v, err = in.applyTensor(names.reflected, b, a)
	default:
		return nil, false, nil
	}
	return v, err == nil, err
}

// A list or tuple, which NumPy's integers repeat.
func pythonSequence(v value.Value) bool {
	switch v.(type) {
	case *value.List, *value.Tuple:
		return true
	}
	return false
}

// arrayOperand reports whether numpy makes an array of v beside another one. Texts and other
// objects would make arrays of objects, which are left to the other operand.
func arrayOperand(v value.Value) bool {
	switch v.(type) {
	case *value.List, *value.Tuple, *value.Range:
		return true
	}
	return tensorOperand(v)
}

// tensorWithArray is tensor op array, which gives a tensor: numpy computes and
// the tensor's __array_wrap__ wraps. Where the libraries promote differently the
// dtype stays open.
func (in *Interp) tensorWithArray(name string, t, a *value.Tensor) (value.Value, error) {
	// The array is taken as a plain tensor, so that the rules of torch apply to it.
	x := *a
	x.Header, x.Class = in.heap.Header(), nil
	d := dtype.Unknown
	if t.Type().DType != d && a.Type().DType != d {
		d = dtype.Numpy(t.Type().DType, a.Type().DType)
	}
	operands := []value.Value{t, &x}
	for i, o := range operands {
		// Both operands are brought to the dtype that NumPy promotes to; without it nothing is
		// converted.
		if d == dtype.Unknown || o.(*value.Tensor).Type().DType == d {
			continue
		}
		v, err := in.applyTensor("to", o, value.DType{D: d})
		if err != nil {
			return nil, err
		}
		operands[i] = v
	}
	v, err := in.applyTensor(name, operands...)
	// A dtype that torch's rule changed, as a division of integers does, stays open.
	if r, ok := v.(*value.Tensor); ok && err == nil && r.Type().DType != d {
		r.V.Type.DType = dtype.Unknown
	}
	return v, err
}

// arrayInPlace gives a op= b for an array a. ok is false where the name is bound to a new value
// instead, as by an operator without such a method.
func (in *Interp) arrayInPlace(op ast.BinOperator, a, b value.Value) (value.Value, bool, error) {
	if !ops.IsArray(a) || !arrayOperand(b) || catalog.IsTorch(b) || chainer.IsVariable(b) {
		return nil, false, nil
	}
	name := binaryTable[op].inPlace
	if _, ok := catalog.Lookup(numpy.Library.Method(name)); !ok {
		return nil, false, nil
	}
	v, err := in.applyTensor(name, a, b)
	return v, err == nil, err
}

// arrayCompare gives a op b when one of them is numpy's. The error is that of the comparison, or a
// TypeError for an order of a tensor and an array.
func (in *Interp) arrayCompare(op ast.CmpOperator, a, b value.Value) (v value.Value, ok bool, err error) {
	na, nb := isNumpy(a), isNumpy(b)
	if !na && !nb {
		return nil, false, nil
	}
	names := &compareTable[op]
	_, isStr := b.(value.Str)
	text := isStr && (op == ast.Eq || op == ast.NotEq) // which no number equals
	switch {
	case catalog.IsTorch(a) && ops.IsArray(b) || catalog.IsTorch(b) && ops.IsArray(a):
		if op == ast.Eq || op == ast.NotEq { // neither compares with the other, and so they differ
			return value.Bool(op == ast.NotEq), true, nil
		}
		return nil, false, in.Raise("TypeError", "'%s' not supported between 'Tensor' and 'numpy.ndarray': use torch.from_numpy", op)
	case catalog.IsTorch(a) || catalog.IsTorch(b):
		return nil, false, nil
	case na && (arrayOperand(b) || ops.IsArray(a) && (b == value.None || text)):
		v, err = in.applyTensor(names.method, a, b)
	case nb && (arrayOperand(a) || ops.IsArray(b) && a == value.None):
		v, err = in.applyTensor(names.reflected, b, a)
	default:
		return nil, false, nil
	}
	return v, err == nil, err
}

// manyRows is from how many rows on a loop over an array is one of an unknown number: one row stands for all.
const manyRows = 1 << 14

// iterArray iterates over the first axis of an array. A size that is known for this run alone
// becomes a condition, since the loop fixes it. An array of unknown rank gives unknown elements,
// and one without axes is a TypeError.
func (in *Interp) iterArray(t *value.Tensor) (*value.Iterator, error) {
	ty := t.Type()
	switch {
	case !ty.Ranked:
		return unknownIterator(in.Unknown("iteration over an array of unknown rank")), nil
	case len(ty.Shape) == 0:
		return nil, in.Raise("TypeError", "iteration over a 0-d array")
	}
	d := ty.Shape[0]
	n, ok := d.Expr.Const()
	if !ok && d.Known {
		n, ok = d.Val, true
		if d.Expr != nil {
			in.Require(in.pool.Eq(d.Expr, in.pool.Const(n)), "a loop over the dimension")
		}
	}
	it := &value.Iterator{Header: in.heap.Header(), Name: "iterator"}
	if !ok || n > manyRows && t.Contents() == nil {
		elem, err := in.applyTensor("__getitem__", t, value.Int(0))
		if err != nil {
			return nil, err
		}
		if s, isScalar := elem.(*value.Instance); isScalar { // any element, not the first
			e := *s
			e.Payload = anyNumber(e.Payload)
			elem = &e
		}
		it.Open = &value.Open{Elem: elem, Len: d, At: func(_ value.Thread, i *value.SymInt) (value.Value,
			error) {
			return in.applyTensor("__getitem__", t, i)
		}}
		return it, nil
	}
	it.Next = func(value.Thread) (value.Value, bool, error) {
		if int64(it.Pos) >= n {
			return nil, false, nil
		}
		in.heap.Touch(it)
		it.Pos++
		v, err := in.applyTensor("__getitem__", t, value.Int(it.Pos-1))
		return v, err == nil, err
	}
	return it, nil
}

// anyNumber is a number of v's type of which nothing else is known.
func anyNumber(v value.Value) value.Value {
	switch v.(type) {
	case value.Int, *value.SymInt, *value.BigInt:
		return &value.SymInt{}
	case value.Float, *value.SymFloat:
		return &value.SymFloat{}
	}
	return v
}

// arrayAttr finds attributes of arrays that their class does not hold.
func (in *Interp) arrayAttr(t *value.Tensor, name string) (value.Value, bool, error) {
	if err := in.Enter(""); err != nil {
		return nil, false, err
	}
	defer in.Leave()
	switch name {
	case "__class__":
		return in.TypeOf(t), true, nil
	case "__dict__":
		return in.losses.dictView(ensureAttrs(in, t)), true, nil
	case "flush": // of a memmap, which is an array like others here
		return &value.Builtin{Name: "flush", Static: true, Fn: func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
			return value.None, nil
		}}, true, nil
	}
	if name == "data" {
		m, err := in.Import("numpy._types")
		if err != nil {
			return nil, false, err
		}
		class, err := in.GetAttr(m, "_Memory")
		if err != nil {
			return nil, false, err
		}
		v, err := in.Call(class, []value.Value{t}, nil)
		return v, err == nil, err
	}
	if name == "choose" || name == "compress" { // the functions of those names, one with the array behind the condition
		m, err := in.Import("numpy")
		if err != nil {
			return nil, false, err
		}
		fn, err := in.GetAttr(m, name)
		if err != nil {
			return nil, false, err
		}
		return &value.Builtin{Name: name, Static: true, Fn: func(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			switch {
			case name == "choose":
				return in.Call(fn, slices.Insert(slices.Clone(args), 0, value.Value(t)), kw)
			case len(args) > 0:
				return in.Call(fn, slices.Insert(slices.Clone(args), 1, value.Value(t)), kw)
			}
			return in.Call(fn, nil, append(slices.Clone(kw), value.Kw{Name: "a", Value: t}))
		}}, true, nil
	}
	if name == "__array_namespace__" && in.versions.numpyLacks(numpy.Library.Method(name)) == "" {
		m, err := in.Import("numpy")
		return &value.Builtin{Name: name, Static: true, Fn: func(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			for _, k := range kw {
				version, isText := value.AsStr(k.Value)
				switch {
				case k.Name != "api_version":
					return nil, in.Raise("TypeError", "__array_namespace__() got an unexpected keyword argument '%s'", k.Name)
				case isText && !slices.Contains(apiVersions, version):
					return nil, in.Raise("ValueError", "Version %q of the Array API Standard is not supported.", version)
				}
			}
			if len(args) > 0 {
				return nil, in.Raise("TypeError", "__array_namespace__() takes no positional arguments")
			}
			return m, nil
		}}, err == nil, err
	}
	if strings.Contains(arrayAttrs, " "+name+" ") && in.versions.numpyLacks(numpy.Library.Method(name)) == "" {
		return in.losses.noRecord(numpy.Library.Method(name)), true, nil
	}
	return nil, false, nil
}

// apiVersions are the versions of the array API standard that NumPy's arrays take.
var apiVersions = []string{"2021.12", "2022.12", "2023.12", "2024.12", "2025.12"}

// arrayAttrs are the attributes of numpy.ndarray, those with a record among them.
const arrayAttrs = " T __abs__ __add__ __and__ __array__ __array_finalize__ __array_function__ __array_interface__ __array_prepare__ __array_priority__ " +
	"__array_struct__ __array_ufunc__ __array_wrap__ __bool__ __class_getitem__ __complex__ __contains__ __copy__ __deepcopy__ __delitem__ __divmod__ __dlpack__ __dlpack_device__ " +
	"__eq__ __float__ __floordiv__ __ge__ __getitem__ __gt__ __iadd__ __iand__ __ifloordiv__ __ilshift__ __imatmul__ __imod__ __imul__ __index__ " +
	"__int__ __invert__ __ior__ __ipow__ __irshift__ __isub__ __iter__ __itruediv__ __ixor__ __le__ __len__ __lshift__ __lt__ __matmul__ __mod__ __mul__ " +
	"__ne__ __neg__ __or__ __pos__ __pow__ __radd__ __rand__ __rdivmod__ __reduce__ __reduce_ex__ __repr__ __rfloordiv__ __rlshift__ __rmatmul__ __rmod__ __rmul__ " +
	"__ror__ __rpow__ __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __setitem__ __setstate__ __str__ __sub__ __truediv__ __xor__ " +
	"all any argmax argmin argpartition argsort astype base byteswap choose clip compress conj conjugate copy ctypes cumprod cumsum data device diagonal dot dtype dump dumps " +
	"fill flags flat flatten getfield imag item itemset itemsize mT max mean min nbytes ndim newbyteorder nonzero partition prod ptp put ravel real repeat reshape resize round " +
	"searchsorted setfield setflags shape size sort squeeze std strides sum swapaxes take to_device tobytes tofile tolist tostring trace transpose var view "
