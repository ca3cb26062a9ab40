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
	return Op{Names: arrayNames(names), Sig: sig, Doc: doc, Rule: Numpy.of(rule)}
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
func numpyError(c *Call, class string, code diag.Code) string {
	switch name := c.Op.Names[0]; {
	case strings.HasPrefix(name, "torch.linalg.") && class == "RuntimeError":
		return "numpy.linalg.LinAlgError"
	case class == "RuntimeError":
		return "ValueError"
	case class == "IndexError" && code == diag.DimOutOfRange && !c.Op.Has(TakesIndices):
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
	sub := &Call{Th: c.Th, P: c.P, Op: op, Name: c.Name, lib: c.lib, find: c.find}
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
