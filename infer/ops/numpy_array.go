package ops

// This file makes arrays of arguments: np.asarray for Python data, scalars and
// PyTorch's tensors.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

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
		c.lib = Torch // the exception is PyTorch's
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
	n := &graph.Node{At: c.Th.Here(), Module: c.Th.ModulePath(), Outputs: []*graph.Value{val},
		Args: []graph.Arg{{Name: "object", Value: Operand(c.P, v)}}}
	op, _ := c.find("numpy.array")
	op.Describe(n, "")
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
