package numpy

// This file makes arrays of arguments: np.asarray for Python data, scalars and
// PyTorch's tensors.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// arrayArg reads a parameter that takes anything array-like.
func arrayArg(c *ops.Call, name string) *value.Tensor { return ToArray(c, c.Value(name)) }

// ToArray is np.asarray: arrays as they are, scalars without dimensions, lists
// and numbers as new arrays, PyTorch's tensors as arrays on the same memory.
func ToArray(c *ops.Call, v value.Value) *value.Tensor {
	if !c.OK() {
		return nil
	}
	switch x := v.(type) {
	case *value.Tensor:
		if ops.IsArray(x) {
			return x
		}
		return c.ArrayOfTensor(x)
	case *value.Instance:
		if ops.IsNumpyScalar(x) {
			return arrayOfScalar(c, x)
		}
	}
	if t, ok := ownArray(c, v).(*value.Tensor); ok || !c.OK() {
		return t
	}
	lit := c.ReadArray(v, 0)
	if !c.OK() {
		return nil
	}
	return literalArray(c, v, lit)
}

// ownArray is the array that an object gives of itself by __array__, as a picture does; nil
// where it has none.
func ownArray(c *ops.Call, v value.Value) value.Value {
	i, ok := v.(*value.Instance)
	if !ok || ops.IsNumpyScalar(i) {
		return nil
	}
	fn, ok, err := c.Th.LookupAttr(i, "__array__")
	if c.SetErr(err); err != nil || !ok {
		return nil
	}
	a, err := c.Th.Call(fn, nil, nil)
	if c.SetErr(err); err != nil {
		return nil
	}
	if t, ok := a.(*value.Tensor); ok && ops.IsArray(t) {
		return t
	}
	c.Lose("the array that a %s gives of itself is not known", i.Class.Name)
	return nil
}

func arrayOfScalar(c *ops.Call, x *value.Instance) *value.Tensor {
	d := ops.ScalarDType(x)
	from, _ := x.Data.(*graph.Value)
	if from == nil {
		from = c.Th.Graph().NewValue(graph.TensorKind, graph.TensorType{DType: d, Ranked: true, Shape: symshape.Shape{}}, c.Th.Here())
	}
	t := &value.Tensor{Header: c.Th.Heap().Header(), Class: c.NDArray(), V: from}
	switch x.Payload.(type) {
	case value.Int, *value.SymInt, value.Float, *value.SymFloat, value.Bool, *value.SymBool:
		if _, whole := x.Payload.(value.Int); ops.Tracked(d) || d == dtype.U64 && whole {
			t.SetContents([]value.Value{x.Payload})
		}
	}
	return t
}

// literalArray makes the array of Python data.
func literalArray(c *ops.Call, v value.Value, lit ops.Literal) *value.Tensor {
	d := lit.Kind
	if d == dtype.Unknown {
		d = dtype.F64 // np.array([])
	}
	val := c.Th.Graph().NewValue(graph.TensorKind, graph.TensorType{DType: d, Ranked: true, Shape: lit.Shape}, c.Th.Here())
	t := &value.Tensor{Header: c.Th.Heap().Header(), Class: c.NDArray(), V: val}
	if !lit.Lost {
		c.Convert(t, append([]value.Value{}, lit.Elems...))
	}
	n := &graph.Node{At: c.Th.Here(), Module: c.Th.ModulePath(), Outputs: []*graph.Value{val},
		Args: []graph.Arg{{Name: "object", Value: ops.Operand(c.P, v)}}}
	op, _ := c.Find("numpy.array")
	op.Describe(n, "")
	c.Th.Graph().Emit(n)
	return t
}
