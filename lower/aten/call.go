package aten

// This file holds Call, the arguments of a node as a rule reads them.

import (
	"fmt"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A Call is one node that is being lowered: its arguments, as a rule reads them, and the interface of the function that
// the rule writes. The nodes of the body are the part emit.
type Call struct {
	Node *graph.Node
	Pool *symshape.Pool
	emit *Emitter

	formals []Formal
	attrs   []*onnx.Attr
	outs    []V
	// paired says that complex tensors are those that store them (complex.go); part then gives,
	// where one part of an argument is meant, its number.
	paired bool
	// python says that the function takes Python's numbers and lists for tensors, as NumPy's do.
	python bool
	part   func(v *graph.Value) int
}

// Arg returns the argument of that name; nil when it is None or was not given.
func (c *Call) Arg(name string) graph.Operand {
	for _, a := range c.Node.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// Has reports whether an argument is there and not None.
func (c *Call) Has(name string) bool { return c.Arg(name) != nil }

// Type returns the type of a tensor argument.
func (c *Call) Type(name string) *graph.TensorType {
	v, ok := c.Arg(name).(*graph.Value)
	if ok {
		return &v.Type
	}
	t := c.literalType(c.Arg(name))
	if t == nil {
		failf("argument %s is not a tensor", name)
	}
	return t
}

// literalType is the type of the array that NumPy makes of numbers in lists; nil for other operands.
func (c *Call) literalType(o graph.Operand) *graph.TensorType {
	switch o.(type) {
	case graph.List, graph.Tuple:
	default:
		return nil
	}
	if !c.python {
		return nil
	}
	leaves, dims := flatten(o)
	d := dtype.Bool
	for _, l := range leaves {
		switch l.(type) {
		case graph.Bool:
		case graph.Int, graph.Dim:
			d = dtype.Numpy(d, dtype.I64)
		case graph.Float, graph.Real:
			d = dtype.F64
		default:
			return nil
		}
	}
	if len(leaves) == 0 {
		d = dtype.F64
	}
	t := &graph.TensorType{DType: d, Ranked: true}
	for _, n := range dims {
		t.Shape = append(t.Shape, c.Pool.ConstDim(n))
	}
	return t
}

// Rank returns the number of dimensions of a tensor argument.
func (c *Call) Rank(name string) int {
	r := c.Type(name).Rank()
	if r < 0 {
		failf("the number of dimensions of %s is not known", name)
	}
	return r
}

// OutType returns the type of a result; OutRank its number of dimensions.
func (c *Call) OutType(i int) *graph.TensorType { return &c.Node.Outputs[i].Type }

func (c *Call) OutRank(i int) int {
	r := c.OutType(i).Rank()
	if r < 0 {
		failf("the number of dimensions of the result is not known")
	}
	return r
}

// OutDType returns the element type in which a result is computed. Where the result
// is then written into a tensor of another type (out=, in place), the body converts it
// at its end.
func (c *Call) OutDType(i int) onnx.DType {
	if d, ok := c.converted(i); ok {
		return d
	}
	return c.dtype(c.OutType(i).DType)
}

// converted is the element type in which a result is computed, if it is converted
// afterwards.
func (c *Call) converted(i int) (onnx.DType, bool) {
	if i >= len(c.Node.Computed) || c.Node.Computed[i] == dtype.Unknown {
		return onnx.Undefined, false
	}
	return c.dtype(c.Node.Computed[i]), true
}

// DType returns the element type of a tensor argument.
func (c *Call) DType(name string) onnx.DType { return c.dtype(c.Type(name).DType) }

func (c *Call) dtype(d dtype.DType) onnx.DType {
	if part, ok := Stored(d); ok && c.paired {
		return part
	}
	t, ok := DTypeOf(d)
	if !ok {
		failf("ONNX has no element type for %s", d)
	}
	return t
}

// Tensor returns a tensor argument as an input of the function.
func (c *Call) Tensor(name string) V {
	v, ok := c.Arg(name).(*graph.Value)
	if !ok {
		if t := c.literalType(c.Arg(name)); t != nil {
			return c.data(c.Arg(name), c.dtype(t.DType))
		}
		failf("argument %s is not a tensor", name)
	}
	return c.Value(name, v)
}

// Opt is Tensor of an argument that may be None: then it has no name, which is
// how ONNX writes an absent input.
func (c *Call) Opt(name string) V {
	if !c.Has(name) {
		return V{}
	}
	return c.Tensor(name)
}

// Value makes any value of the graph an input of the function.
func (c *Call) Value(name string, v *graph.Value) V {
	x := c.wholeTensor(name, v)
	if _, ok := Stored(v.Type.DType); ok && c.part != nil {
		x = c.emit.partOf(x, int64(c.part(v)))
	}
	return x
}

func (c *Call) wholeTensor(name string, v *graph.Value) V {
	for _, f := range c.formals {
		if f.Value == v {
			return V{f.Name, c.dtype(v.Type.DType)}
		}
	}
	f := Formal{Name: c.formal(name), Value: v}
	c.formals = append(c.formals, f)
	return V{f.Name, c.dtype(v.Type.DType)}
}

// formal returns a free name for an input.
func (c *Call) formal(name string) string {
	for i := 0; ; i++ {
		s := name
		if i > 0 {
			s = fmt.Sprintf("%s_%d", name, i)
		}
		free := true
		for _, f := range c.formals {
			free = free && f.Name != s
		}
		if free {
			c.emit.reserve(s)
			return s
		}
	}
}

// List returns the tensors of a list argument.
func (c *Call) List(name string) []V {
	var out []V
	for i, o := range c.Items(name) {
		v, ok := o.(*graph.Value)
		if !ok || v.Kind == graph.SequenceKind {
			failf("argument %s is not a list of tensors of known length", name)
		}
		out = append(out, c.Value(fmt.Sprintf("%s_%d", name, i), v))
	}
	return out
}

// Items returns the elements of a list or tuple argument; a single value is a
// list of one.
func (c *Call) Items(name string) []graph.Operand {
	if o := c.Arg(name); o != nil {
		return operandList(o)
	}
	return nil
}

// Spread are the operands of an argument that is written as several or as one list of them.
func (c *Call) Spread(name string) []graph.Operand {
	items := c.Items(name)
	if len(items) == 1 {
		return operandList(items[0])
	}
	return items
}

// operandList is the elements of a list or tuple, or the operand alone.
func operandList(o graph.Operand) []graph.Operand {
	switch o := o.(type) {
	case graph.List:
		return o
	case graph.Tuple:
		return o
	}
	return []graph.Operand{o}
}

// Operand returns a tensor or number argument as a tensor of element type d.
func (c *Call) Operand(name string, d onnx.DType) V {
	if v, ok := c.Arg(name).(*graph.Value); ok {
		return c.emit.Cast(c.Value(name, v), d)
	}
	if t := c.literalType(c.Arg(name)); t != nil {
		return c.emit.Cast(c.data(c.Arg(name), c.dtype(t.DType)), d)
	}
	return c.Number(name, d)
}

// Number returns a number argument as a tensor of no dimensions.
func (c *Call) Number(name string, d onnx.DType) V { return c.number(name, c.Arg(name), d) }

func (c *Call) number(name string, o graph.Operand, d onnx.DType) V {
	e := c.emit
	switch o := o.(type) {
	case graph.Int:
		if d == onnx.Int64 { // a float64 does not hold all of them
			return e.I64Scalar(int64(o))
		}
		return e.Scalar(d, float64(o))
	case graph.Bool:
		if o {
			return e.Scalar(d, 1)
		}
		return e.Scalar(d, 0)
	case graph.Float:
		return e.Scalar(d, float64(o))
	case graph.Complex:
		failf("there are no complex numbers")
	case *graph.Value:
		return e.Cast(c.Value(name, o), d)
	case graph.Dim:
		if n, ok := o.Const(); ok {
			return e.Scalar(d, float64(n))
		}
		return e.Cast(c.sizes(name, []graph.Operand{o}, true), d)
	case graph.Real:
		if f, ok := o.Const(); ok {
			return e.Scalar(d, f)
		}
		return e.Cast(c.sizes(name, []graph.Operand{o}, true), d)
	}
	failf("argument %s (%s) is not a number", name, graph.OperandString(o))
	return V{}
}

// Int returns an integer argument that is known.
func (c *Call) Int(name string) int64 {
	n, ok := ConstInt(c.Arg(name))
	if !ok {
		failf("argument %s must be known when the model is exported, but is %s", name, graph.OperandString(c.Arg(name)))
	}
	return n
}

// ConstInt returns an operand that is a known integer.
func ConstInt(o graph.Operand) (int64, bool) {
	switch o := o.(type) {
	case graph.Int:
		return int64(o), true
	case graph.Bool:
		if o {
			return 1, true
		}
		return 0, true
	case graph.Dim:
		return o.Const()
	}
	return 0, false
}

// IntOr is Int with a default for None.
func (c *Call) IntOr(name string, def int64) int64 {
	if !c.Has(name) {
		return def
	}
	return c.Int(name)
}

// Ints returns n integers of a list argument; one integer stands for n equal ones.
// With n < 0 it returns as many as there are.
func (c *Call) Ints(name string, n int) []int64 {
	var out []int64
	for _, o := range c.Items(name) {
		i, ok := ConstInt(o)
		if !ok {
			failf("argument %s must be known when the model is exported, but is %s", name, graph.OperandString(c.Arg(name)))
		}
		out = append(out, i)
	}
	if len(out) == 1 && n > 1 {
		for len(out) < n {
			out = append(out, out[0])
		}
	}
	if n >= 0 && len(out) != n {
		failf("argument %s has %d numbers instead of %d", name, len(out), n)
	}
	return out
}

// Float returns a float or integer argument that is known.
func (c *Call) Float(name string) float64 {
	switch o := c.Arg(name).(type) {
	case graph.Float:
		return float64(o)
	case graph.Real:
		if f, ok := o.Const(); ok {
			return f
		}
	}
	return float64(c.Int(name))
}

// Bool returns a flag; None is false.
func (c *Call) Bool(name string) bool {
	if !c.Has(name) {
		return false
	}
	return c.Int(name) != 0
}

// Str returns a string argument; None is empty.
func (c *Call) Str(name string) string {
	if !c.Has(name) {
		return ""
	}
	s, ok := c.Arg(name).(graph.Str)
	if !ok {
		failf("argument %s is not a string", name)
	}
	return string(s)
}

// Axis returns a known dimension number of a tensor with rank dimensions, from 0.
func (c *Call) Axis(name string, rank int) int64 { return wrap(c.Int(name), rank) }

// Axes returns the dimension numbers of a list argument, from 0; of None all.
func (c *Call) Axes(name string, rank int) []int64 {
	var out []int64
	if !c.Has(name) || len(c.Items(name)) == 0 {
		for i := range rank {
			out = append(out, int64(i))
		}
		return out
	}
	for _, i := range c.Ints(name, -1) {
		out = append(out, wrap(i, rank))
	}
	return out
}

func wrap(i int64, rank int) int64 {
	if i < 0 {
		return i + int64(max(rank, 1))
	}
	return i
}

// IntAttr makes an attribute of the argument arg; the body refers to it.
func (c *Call) IntAttr(attr, arg string) *onnx.Attr {
	return c.ref(attr, arg, onnx.IntAttr(arg, c.Int(arg)))
}

// IntsAttr is IntAttr of n integers.
func (c *Call) IntsAttr(attr, arg string, n int) *onnx.Attr {
	return c.ref(attr, arg, onnx.IntsAttr(arg, c.Ints(arg, n)...))
}

// FloatAttr is IntAttr of a float.
func (c *Call) FloatAttr(attr, arg string) *onnx.Attr {
	return c.ref(attr, arg, onnx.FloatAttr(arg, float32(c.Float(arg))))
}

func (c *Call) ref(attr, arg string, value *onnx.Attr) *onnx.Attr {
	for _, a := range c.attrs {
		if a.Name == arg {
			return onnx.RefAttr(attr, value.Type, arg)
		}
	}
	c.attrs = append(c.attrs, value)
	return onnx.RefAttr(attr, value.Type, arg)
}
