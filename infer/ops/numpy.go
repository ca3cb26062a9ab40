package ops

// This file is the ground of the records of numpy: arrays, numpy's scalars and
// their dtypes as arguments and results, and the use of PyTorch's rules where
// the two libraries agree.
//
// An array is a *value.Tensor whose class is numpy.ndarray. A scalar (what an
// operation without dimensions gives: np.float64, np.int64 …) is an instance of
// its class whose payload is the Python number, so that it goes wherever a number
// goes. The records that array() makes take care of both.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// IsArray reports whether v is a numpy array.
func IsArray(v value.Value) bool {
	t, ok := v.(*value.Tensor)
	return ok && t.Class != nil && numpyClass(t.Class, "ndarray")
}

// IsArrayClass reports whether instances of c are arrays.
func IsArrayClass(c *value.Class) bool { return numpyClass(c, "ndarray") }

// IsNumpyScalar reports whether v is one of numpy's scalars.
func IsNumpyScalar(v value.Value) bool {
	i, ok := v.(*value.Instance)
	return ok && i.Payload != nil && numpyClass(i.Class, "generic")
}

func numpyClass(c *value.Class, name string) bool {
	for _, k := range c.MRO {
		if k.Name == name && k.Module == "numpy" {
			return true
		}
	}
	return false
}

// array makes a record of numpy. In names, "f" is numpy.f, ".f" a method or
// property of arrays, "+f" both.
func array(names, sig string, rule func(c *Call) value.Value, doc string) Op {
	return Op{Names: arrayNames(names), Sig: sig, Doc: doc, Rule: func(c *Call) value.Value {
		c.array = true
		v := rule(c)
		if !c.OK() || v == nil {
			return nil
		}
		if !c.array { // a tensor of PyTorch after all
			return v
		}
		return c.arrays(v)
	}}
}

// arrayPure is array for records that give Python values.
func arrayPure(names, sig string, rule func(c *Call) value.Value, doc string) Op {
	op := array(names, sig, rule, doc)
	op.Pure = true
	return op
}

func arrayNames(names string) []string {
	var out []string
	for _, n := range strings.Fields(names) {
		switch {
		case strings.HasPrefix(n, "+"):
			out = append(out, "numpy."+n[1:], "numpy.ndarray."+n[1:])
		case strings.HasPrefix(n, "."):
			out = append(out, "numpy.ndarray"+n)
		case strings.HasPrefix(n, "__"):
			out = append(out, "numpy.ndarray."+n)
		case strings.HasPrefix(n, "torch."):
			out = append(out, n)
		default:
			out = append(out, "numpy."+n)
		}
	}
	return out
}

// numpyError is the exception that numpy raises where PyTorch raises class.
func (c *Call) numpyError(class string, code diag.Code) string {
	switch name := c.Op.Names[0]; {
	case strings.HasPrefix(name, "torch.linalg.") && class == "RuntimeError":
		return "numpy.linalg.LinAlgError"
	case class == "RuntimeError":
		return "ValueError"
	case class == "IndexError" && code == diag.DimOutOfRange && !strings.HasSuffix(name, "item__"):
		return "numpy.AxisError"
	}
	return class
}

func (c *Call) ndarray() *value.Class { return c.Th.Class("numpy.ndarray") }

// refuseArrays says which argument for a tensor is an array, or "".
func (c *Call) refuseArrays() string {
	for i, a := range c.args {
		p := &c.sig.Params[i]
		if p.Type != TensorType && p.Type != OperandType {
			continue
		}
		if IsArray(a) {
			return "argument '" + p.Name + "' must be a Tensor, not numpy.ndarray"
		}
		var elems []value.Value
		switch v := a.(type) {
		case *value.Tuple:
			elems = v.Elems
		case *value.List:
			elems = v.Elems
		}
		for _, e := range elems {
			if IsArray(e) {
				return "argument '" + p.Name + "' must hold Tensors, not numpy.ndarray"
			}
		}
	}
	return ""
}

// arrays makes numpy's objects of what a rule gave: arrays of tensors, scalars of
// tensors without dimensions. Tensors that are arrays already stay as they are.
func (c *Call) arrays(v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Tensor:
		if v.Class != nil {
			return v
		}
		if v.Type().Ranked && len(v.Type().Shape) == 0 {
			return c.scalar(v)
		}
		v.Class = c.ndarray()
	case *value.Tuple:
		for i, e := range v.Elems {
			if _, ok := e.(*value.Tensor); ok {
				v.Elems[i] = c.arrays(e)
			}
		}
		if v.Class != nil && v.Class.Module == "torch" {
			v.Class = nil
		}
	case *value.List:
		for i, e := range v.Elems {
			if _, ok := e.(*value.Tensor); ok {
				v.Elems[i] = c.arrays(e)
			}
		}
	}
	return v
}

// scalar makes a scalar of a tensor without dimensions.
func (c *Call) scalar(t *value.Tensor) value.Value {
	d := t.Type().DType
	cls := c.scalarClass(d)
	p := c.elementOf(t, 0, t.Contents())
	if cls == nil || p == nil {
		t.Class = c.ndarray()
		return t
	}
	return c.scalarOf(cls, p, t.V)
}

func (c *Call) scalarOf(cls *value.Class, payload value.Value, from *graph.Value) value.Value {
	i := c.Th.Heap().NewInstance(cls)
	i.Payload = payload
	if from != nil {
		i.Data = from
	}
	return i
}

func (c *Call) scalarClass(d dtype.DType) *value.Class {
	if d == dtype.Unknown || d == dtype.BF16 || d == dtype.C32 {
		return nil
	}
	return c.Th.Class("numpy." + d.Numpy())
}

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

// torch applies the rule of a PyTorch function to arrays, where numpy has the
// same rule. The node of the typed graph is PyTorch's.
func (c *Call) torch(name string, args []value.Value, kw ...value.Kw) value.Value {
	if !c.OK() {
		return nil
	}
	op, ok := c.find(name)
	if !ok {
		return c.Lose("no rule for %s", name)
	}
	sub := &Call{Th: c.Th, P: c.P, Op: op, Name: c.Name, array: c.array, find: c.find}
	if why := sub.bind(args, kw); why != nil {
		c.err = c.Th.Fail("TypeError", why)
		return nil
	}
	v := op.Rule(sub)
	switch {
	case sub.err != nil:
		c.err = sub.err
		return nil
	case sub.lost != "":
		return c.Lose("%s", sub.lost)
	case v == nil:
		return c.Lose("%s gave no result", name)
	}
	if !op.Pure {
		sub.record(false)
	}
	return v
}

// torchTensor is torch for functions that give one tensor.
func (c *Call) torchTensor(name string, args []value.Value, kw ...value.Kw) *value.Tensor {
	t, _ := c.torch(name, args, kw...).(*value.Tensor)
	return t
}

// astype converts an array to a dtype.
func (c *Call) astype(t *value.Tensor, d dtype.DType) *value.Tensor {
	if t == nil || t.Type().DType == d {
		return t
	}
	if d == dtype.Unknown {
		return c.Like(t, d)
	}
	out := c.torchTensor("torch.Tensor.to", []value.Value{t, value.DType{D: d}})
	return out
}

// arrayArg reads a parameter that takes anything array-like.
func (c *Call) arrayArg(name string) *value.Tensor { return c.toArray(c.Value(name)) }

// toArray is np.asarray: arrays as they are, scalars without dimensions, lists
// and numbers as new arrays, PyTorch's tensors as arrays on the same memory.
func (c *Call) toArray(v value.Value) *value.Tensor {
	if !c.OK() {
		return nil
	}
	switch x := v.(type) {
	case *value.Tensor:
		if IsArray(x) {
			return x
		}
		return c.arrayOfTensor(x)
	case *value.Instance:
		if IsNumpyScalar(x) {
			return c.arrayOfScalar(x)
		}
	}
	lit := c.readArray(v, 0)
	if !c.OK() {
		return nil
	}
	return c.literalArray(v, lit)
}

func (c *Call) arrayOfScalar(x *value.Instance) *value.Tensor {
	d := scalarDType(x)
	from, _ := x.Data.(*graph.Value)
	if from == nil {
		from = c.Th.Graph().NewValue(graph.TensorKind, graph.TensorType{DType: d, Ranked: true, Shape: symshape.Shape{}}, c.Th.Here())
	}
	t := &value.Tensor{Header: c.Th.Heap().Header(), Class: c.ndarray(), V: from}
	switch x.Payload.(type) {
	case value.Int, *value.SymInt, value.Float, *value.SymFloat, value.Bool, *value.SymBool:
		if tracked(d) {
			t.SetContents([]value.Value{x.Payload})
		}
	}
	return t
}

// arrayOfTensor is tensor.numpy(): an array on the memory of a tensor.
func (c *Call) arrayOfTensor(x *value.Tensor) *value.Tensor {
	ty := x.Type()
	switch {
	case x.RequiresGrad:
		c.array = false // the exception is PyTorch's
		c.Errorf("RuntimeError", diag.BadValue, "a tensor that requires gradients cannot be made an array: use detach() first: %s", x)
		return nil
	case strings.HasPrefix(ty.Device, "cuda"):
		c.Errorf("TypeError", diag.DeviceMismatch, "a tensor on %s cannot be made an array: use cpu() first", ty.Device)
		return nil
	case ty.DType == dtype.BF16 || ty.DType == dtype.C32:
		c.Errorf("TypeError", diag.DTypeMismatch, "numpy has no %s", ty.DType.Torch())
		return nil
	}
	t := &value.Tensor{Header: c.Th.Heap().Header(), Class: c.ndarray(), V: x.V, Elems: x.Contents()}
	t.ShareStorage(c.Th.Heap(), x)
	return t
}

// literalArray makes the array of Python data.
func (c *Call) literalArray(v value.Value, lit literal) *value.Tensor {
	d := lit.kind
	if d == dtype.Unknown {
		d = dtype.F64 // np.array([])
	}
	val := c.Th.Graph().NewValue(graph.TensorKind, graph.TensorType{DType: d, Ranked: true, Shape: lit.shape}, c.Th.Here())
	t := &value.Tensor{Header: c.Th.Heap().Header(), Class: c.ndarray(), V: val}
	if !lit.lost {
		c.convert(t, append([]value.Value{}, lit.elems...))
	}
	n := &graph.Node{Op: "numpy.array", At: c.Th.Here(), Module: c.Th.ModulePath(), Outputs: []*graph.Value{val},
		Args: []graph.Arg{{Name: "object", Value: Operand(c.P, v)}}}
	c.Th.Graph().Emit(n)
	return t
}

// readArray collects Python data as np.array does: nested sequences of numbers,
// scalars and arrays, promoted by numpy's rules.
func (c *Call) readArray(v value.Value, depth int) (lit literal) {
	if depth > 64 {
		c.Errorf("ValueError", diag.RankMismatch, "%s(): the data are nested too deep", c.short())
		return lit
	}
	switch x := v.(type) {
	case *value.Tensor:
		if !IsArray(x) {
			if x = c.arrayOfTensor(x); x == nil {
				return lit
			}
		}
		lit.shape, lit.kind = c.Shape(x), x.Type().DType
		if lit.kind == dtype.Unknown {
			c.Lose("the dtype of an array is not known")
		}
		if lit.elems = x.Contents(); lit.elems == nil {
			lit.lost = true
		}
		return lit
	case *value.Instance:
		if IsNumpyScalar(x) {
			return literal{shape: symshape.Shape{}, kind: scalarDType(x), elems: []value.Value{x.Payload}, lost: !tracked(scalarDType(x))}
		}
	}
	v = value.Plain(v)
	elems, isList, open := c.sequence(v)
	if open != nil {
		inner := c.readArray(open.Elem, depth+1)
		inner.shape = append(symshape.Shape{open.Len}, inner.shape...)
		inner.elems, inner.lost = nil, true
		return inner
	}
	if !c.OK() {
		return lit
	}
	if !isList {
		k := numberKind(v)
		if k == dtype.KindInvalid {
			c.Lose("an array of %s is not modelled", TypeName(v))
			return lit
		}
		lit = literal{shape: symshape.Shape{}, kind: dtype.NumpyNumber(k), elems: []value.Value{v}}
		if _, big := v.(*value.BigInt); big || k == dtype.KindComplex {
			lit.elems, lit.lost = nil, true
		}
		return lit
	}
	lit.shape = symshape.Shape{c.Const(int64(len(elems)))}
	for i, e := range elems {
		x := c.readArray(e, depth+1)
		if !c.OK() {
			return lit
		}
		if i == 0 {
			lit.shape = append(lit.shape, x.shape...)
		} else if !c.evenNesting(lit.shape[1:], x.shape, depth+1) {
			return lit
		}
		switch {
		case lit.kind == dtype.Unknown:
			lit.kind = x.kind
		case x.kind != dtype.Unknown:
			lit.kind = dtype.Numpy(lit.kind, x.kind)
		}
		lit.lost = lit.lost || x.lost
		lit.elems = append(lit.elems, x.elems...)
	}
	if lit.elems == nil && !lit.lost {
		lit.elems = []value.Value{}
	}
	return lit
}

// evenNesting makes it a condition that all rows have one shape.
func (c *Call) evenNesting(want, have symshape.Shape, depth int) bool {
	ok := len(want) == len(have)
	for i := range min(len(want), len(have)) {
		if _, same := c.Same(want[i], have[i]); !same {
			ok = false
		}
	}
	if !ok {
		if c.numpy1() && strings.HasPrefix(c.Th.Option("torch-version"), "1.") {
			c.Lose("an array of rows of different lengths") // an object array before numpy 1.24
		} else {
			c.Errorf("ValueError", diag.ShapeMismatch, "%s(): the data are not rectangular: at depth %d there are elements of shape %s and of shape %s", c.short(), depth, want, have)
		}
	}
	return ok
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
