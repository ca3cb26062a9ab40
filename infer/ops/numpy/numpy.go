package numpy

// This file is the ground of the records of numpy: how they are written, and numpy's
// objects as results. The records that array() makes take care of arrays and of
// scalars: see array.go of package ops.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// Library is numpy.
var Library = &ops.Library{Prefix: "numpy.", Class: "numpy.ndarray", Error: numpyError, Promote: numpyPromote, Wrap: Arrays,
	MaxAxes: maxAxes}

// maxAxes is NPY_MAXDIMS, which NumPy 2 doubled (numpy/_core/include/numpy/ndarraytypes.h).
func maxAxes(c *ops.Call) int {
	if c.Numpy1() {
		return 32
	}
	return 64
}

// array makes a record of numpy. In names, "f" is numpy.f, ".f" a method or
// property of arrays, "+f" both.
func array(names, sig string, rule func(c *ops.Call) value.Value, doc string) ops.Op {
	all := arrayNames(names)
	params, integers := versionedOf(all), readParamsOf(all)
	return ops.Op{Names: all, Sig: sig, Doc: doc, Rule: Library.Of(func(c *ops.Call) value.Value {
		checkKeywords(c, params)
		if checkOptions(c); !c.OK() {
			return nil
		}
		if readIntegers(c, integers); !c.OK() {
			return nil
		}
		return rule(c)
	})}
}

// arrayPure is array for records that give Python values.
func arrayPure(names, sig string, rule func(c *ops.Call) value.Value, doc string) ops.Op {
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
func numpyError(c *ops.Call, class string, code diag.Code) string {
	switch name := c.Op.Names[0]; {
	case strings.HasPrefix(name, "torch.linalg.") && class == "RuntimeError":
		return "numpy.linalg.LinAlgError"
	case class == "RuntimeError":
		return "ValueError"
	case class == "IndexError" && code == diag.DimOutOfRange && !c.Op.Has(ops.TakesIndices):
		return "numpy.AxisError"
	}
	return class
}

// NDArray is numpy's class of arrays.

// Arrays makes numpy's objects of what a rule gave: arrays of tensors, scalars of
// tensors without dimensions. Tensors that are arrays already stay as they are.
func Arrays(c *ops.Call, v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Tensor:
		return arrayOrScalar(c, v)
	case *value.Tuple:
		for i, e := range v.Elems {
			if t, ok := e.(*value.Tensor); ok {
				v.Elems[i] = arrayOrScalar(c, t)
			}
		}
		if v.Class != nil && v.Class.Module == "torch" {
			v.Class = nil
		}
	case *value.List:
		for i, e := range v.Elems {
			if t, ok := e.(*value.Tensor); ok {
				v.Elems[i] = arrayOrScalar(c, t)
			}
		}
	}
	return v
}

func arrayOrScalar(c *ops.Call, t *value.Tensor) value.Value {
	if t.Class != nil {
		return t
	}
	if t.Type().Ranked && len(t.Type().Shape) == 0 {
		return scalar(c, t)
	}
	t.Class = c.NDArray()
	return t
}

// scalar makes a scalar of a tensor without dimensions.
func scalar(c *ops.Call, t *value.Tensor) value.Value {
	d := t.Type().DType
	if d == dtype.Unknown { // in an array of objects it is one of these
		u := c.Th.Unknown("an element of an array of which the dtype is not known")
		u.One = true
		return u
	}
	cls := scalarClass(c, d)
	p := c.ElementOf(t, 0, t.Contents())
	if cls == nil || p == nil {
		t.Class = c.NDArray()
		return t
	}
	return scalarOf(c, cls, sourced(p, t.V), t.V)
}

// sourced is a number that data decide with the value of the graph that it is the element of.
func sourced(p value.Value, from *graph.Value) value.Value {
	switch x := p.(type) {
	case *value.SymFloat:
		if x.Source == nil && !x.R.Known() {
			y := *x
			y.Source = from
			return &y
		}
	case *value.SymInt:
		if x.Source == nil && x.D.Expr == nil {
			y := *x
			y.Source = from
			return &y
		}
	}
	return p
}

func scalarOf(c *ops.Call, cls *value.Class, payload value.Value, from *graph.Value) value.Value {
	i := c.Th.Heap().NewInstance(cls)
	i.Payload = payload
	if from != nil {
		i.Data = from
	}
	return i
}

func scalarClass(c *ops.Call, d dtype.DType) *value.Class {
	if d == dtype.Unknown || d == dtype.BF16 || d == dtype.C32 {
		return nil
	}
	return c.Th.Class("numpy." + d.Numpy())
}

// astype converts an array to a dtype.
func astype(c *ops.Call, t *value.Tensor, d dtype.DType) *value.Tensor {
	if t == nil || t.Type().DType == d {
		return t
	}
	if d == dtype.Unknown {
		return c.Like(t, d)
	}
	out := c.DelegateTensor("torch.Tensor.to", []value.Value{t, value.DType{D: d}})
	return out
}
