package ops

// This file reads nested Python data as the contents of a tensor.

import (
	"errors"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A literal is nested Python data read as a tensor.
type literal struct {
	shape symshape.Shape
	elems []value.Value // nil when not all are known
	kind  dtype.DType   // promoted dtype of the elements; Unknown when there are none
	lost  bool          // elems are not complete
}

// read collects data, as torch/csrc/utils/tensor_new.cpp does: sizes along the
// first elements, then everything must agree with them.
func (c *Call) read(v value.Value, depth int) (lit literal) {
	if depth > 64 {
		c.Errorf("ValueError", diag.RankMismatch, "%s(): the data are nested too deep", c.short())
		return lit
	}
	if IsArray(v) || IsNumpyScalar(v) { // they keep their dtype and shape
		return c.readArray(v, depth)
	}
	v = value.Plain(v)
	elems, isList, open := c.sequence(v)
	if open != nil {
		inner := c.read(open.Elem, depth+1)
		inner.shape = append(symshape.Shape{open.Len}, inner.shape...)
		inner.elems, inner.lost = nil, true
		return inner
	}
	if !c.OK() {
		return lit
	}
	if !isList {
		return c.readScalar(v, depth)
	}
	lit.shape = symshape.Shape{c.Const(int64(len(elems)))}
	for i, e := range elems {
		x := c.read(e, depth+1)
		if !c.OK() {
			return lit
		}
		if i == 0 {
			lit.shape = append(lit.shape, x.shape...)
		} else if !c.sameNesting(lit.shape[1:], x.shape, depth+1) {
			return lit
		}
		switch {
		case lit.kind == dtype.Unknown:
			lit.kind = x.kind
		case x.kind != dtype.Unknown:
			lit.kind = dtype.Promote(lit.kind, x.kind)
		}
		lit.lost = lit.lost || x.lost
		lit.elems = append(lit.elems, x.elems...)
	}
	return lit
}

func (c *Call) sameNesting(want, have symshape.Shape, depth int) bool {
	for i := range min(len(want), len(have)) {
		if _, ok := c.Same(want[i], have[i]); !ok {
			c.Errorf("ValueError", diag.ShapeMismatch, "%s(): expected a sequence of length %s at dimension %d, but got one of %s", c.short(), want[i], depth+i, have[i])
			return false
		}
	}
	if len(want) == len(have) {
		return true
	}
	if len(have) < len(want) {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): expected a sequence of length %s at dimension %d, but got a number", c.short(), want[len(have)],
			depth+len(have))
	} else {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): expected a number at dimension %d, but got a sequence", c.short(), depth+len(want))
	}
	return false
}

// sequence returns the elements of a list, tuple or range, or what is known of an
// open list.
func (c *Call) sequence(v value.Value) (elems []value.Value, ok bool, open *value.Open) {
	switch v := v.(type) {
	case *value.List:
		return v.Elems, true, v.Open
	case *value.Tuple:
		return v.Elems, true, nil
	case *value.Range:
		err := c.Th.Iterate(v, func(e value.Value) error {
			elems = append(elems, e)
			return c.Th.Step(1)
		})
		var oe *value.OpenError
		if errors.As(err, &oe) {
			return nil, true, oe.Open
		}
		c.SetErr(err)
		return elems, true, nil
	}
	return nil, false, nil
}

func (c *Call) readScalar(v value.Value, depth int) (lit literal) {
	lit.shape = symshape.Shape{}
	switch x := v.(type) {
	case *value.Tensor:
		ty := x.Type()
		lit.kind = ty.DType
		if !ty.Ranked {
			c.Lose("the number of dimensions of an element is not known")
			return lit
		}
		if n := c.Numel(ty.Shape); n.Expr != nil && c.Th.Require(c.P.Eq(n.Expr, c.P.Const(1)), "") == symshape.No {
			c.Errorf("ValueError", diag.RankMismatch, "%s(): only tensors of one element can be elements of the data, not %s; use torch.stack for others", c.short(), x)
			return lit
		}
		if ty.DType == dtype.Unknown {
			c.Lose("the dtype of an element is not known")
		}
		if e := x.Contents(); len(e) == 1 {
			lit.elems = e
		} else {
			lit.lost = true
		}
		return lit
	case value.Str, value.Bytes:
		if depth == 0 {
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): a tensor cannot be made of a str", c.short())
		} else {
			c.Errorf("ValueError", diag.TypeMismatch, "%s(): the data contain a str", c.short())
		}
		return lit
	case *value.Unknown, *value.Choice, *value.Iterator:
		c.Lose("the data are not known")
		return lit
	}
	k := numberKind(v)
	if k == dtype.KindInvalid {
		switch v.(type) {
		case value.NoneType, *value.Dict, *value.Set, *value.Func, *value.Class, value.DType, value.Device:
			c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): a tensor cannot be made of %s", c.short(), TypeName(v))
		default:
			c.Lose("a tensor of %s", TypeName(v))
		}
		return lit
	}
	lit.kind = c.numberDType(v)
	if k == dtype.KindComplex {
		lit.lost = true
	} else {
		lit.elems = []value.Value{v}
	}
	return lit
}
