package ops

// This file says which arguments may be unknown without the result's type being
// so: numbers on whose value no shape and no dtype depends, as the probability
// of a dropout that comes from a configuration, and sizes among others.

import (
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// valueOnly are such parameters of PyTorch's functions, by name, with the type they must
// be declared with; what takes any value takes a float.
var valueOnly = map[string]ParamType{
	"eps": FloatType, "margin": FloatType, "p": FloatType, "std": FloatType, "mean": FloatType, "momentum": FloatType, "dropout_p": FloatType,
	"dropout": FloatType, "label_smoothing": FloatType, "lambd": FloatType, "delta": FloatType, "beta": FloatType, "padding_value": FloatType,
	"norm_type": FloatType, "max_norm": FloatType, "scale": FloatType, "spatial_scale": FloatType, "sigma": FloatType, "rtol": FloatType,
	"atol": FloatType, "rcond": FloatType, "tol": FloatType, "a": FloatType, "b": FloatType, "gamma": FloatType, "tau": FloatType,
	"ignore_index": IntType, "padding_idx": IntType, "blank": IntType, "high": IntType,
	"negative_slope": ScalarType, "value": ScalarType,
}

// ofSize are the parameters of numpy's distributions that broadcast to the parameter
// size where that is given.
var ofSize = map[string]bool{"loc": true, "scale": true, "low": true, "high": true, "lam": true, "p": true}

// anyNumber gives the number that stands for an unknown argument of a parameter
// on whose value the result's type does not depend; nil for all others. Nearly every
// parameter of numpy takes an array, whatever it is called.
func (c *Call) anyNumber(p *Param) value.Value {
	if c.Lib != Torch {
		if ofSize[p.Name] && c.HasParam("size") && c.Has("size") {
			return &value.SymFloat{}
		}
		return nil
	}
	t, ok := valueOnly[p.Name]
	if !ok || p.List || t != p.Type && (t != FloatType || p.Type != AnyType) {
		return nil
	}
	if t == FloatType {
		return &value.SymFloat{}
	}
	return c.Th.DataInt("n", 0, nil) // fits every dtype, as a float does not
}

// anySizes gives the argument of parameter i with unknown sizes in the place of
// what is not known in it: one of several sizes can only be a number, so the
// others and the number of dimensions are known. A size that stands alone may
// be a tuple of them.
func (c *Call) anySizes(i int) value.Value {
	a, p := c.Args[i], &c.Sig.Params[i]
	if !p.List || p.Type != IntType || p.Name != "size" && p.Name != "shape" {
		return a
	}
	t, ok := a.(*value.Tuple)
	if !ok {
		return a
	}
	if len(t.Elems) < 2 && p.Variadic {
		return a
	}
	var elems []value.Value
	for k, e := range t.Elems {
		if value.IsUnknown(e) {
			if elems == nil {
				elems = append(elems, t.Elems...)
			}
			elems[k] = &value.SymInt{D: symshape.Dim{}}
		}
	}
	if elems == nil {
		return a
	}
	return &value.Tuple{Class: t.Class, Elems: elems}
}
