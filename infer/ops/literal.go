package ops

// This file reads nested Python data as the contents of a tensor. torch.tensor, numpy.array and the
// like take lists of lists of numbers. The libraries differ in what a number is, in how uneven
// lists are refused, and in how dtypes are joined; that is a dataReader's, and the walk is shared.

import (
	"errors"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A Literal is nested Python data read as a tensor. Elems are in row-major order.
type Literal struct {
	Shape symshape.Shape // the sizes at each depth of nesting
	Elems []value.Value  // nil when not all are known
	Kind  dtype.DType    // promoted dtype of the elements; Unknown when there are none
	Lost  bool           // elems are not complete
	// Mixed says that there are elements of which the dtype is not known: Kind is that of
	// the others.
	Mixed bool
}

// Read collects data, as torch/csrc/utils/tensor_new.cpp does: sizes along the
// first elements, then everything must agree with them. The error is noted in the call. depth is
// the number of lists around v.
func (c *Call) Read(v value.Value, depth int) (lit Literal) {
	// PyTorch's limit is by its own number of dimensions, 64.
	if depth > 64 {
		c.Errorf("ValueError", diag.RankMismatch, "%s(): the data are nested too deep", c.Short())
		return lit
	}
	if IsArray(v) || IsNumpyScalar(v) { // they keep their dtype and shape
		return c.ReadArray(v, depth)
	}
	return c.readNested(v, depth, tensorReader{})
}

// A dataReader says how a library reads nested Python data. element may call the library's own Read
// for arrays; even reports whether two parts have the same sizes, and notes a fault.
type dataReader interface {
	element(c *Call, v value.Value, depth int) Literal // which may be nested itself
	number(c *Call, v value.Value, depth int) Literal  // what is no sequence
	even(c *Call, want, have symshape.Shape, depth int) bool
	promote(a, b dtype.DType) dtype.DType
}

// tensorReader is torch's.
type tensorReader struct{}

func (tensorReader) element(c *Call, v value.Value, depth int) Literal { return c.Read(v, depth) }
func (tensorReader) number(c *Call, v value.Value, depth int) Literal {
	return c.readScalar(v, depth)
}
func (tensorReader) even(c *Call, want, have symshape.Shape, depth int) bool {
	return c.sameNesting(want, have, depth)
}
func (tensorReader) promote(a, b dtype.DType) dtype.DType { return dtype.Promote(a, b) }

// readNested reads a sequence of data, or what stands at the end of the nesting. The result is that
// of an empty literal after a fault.
func (c *Call) readNested(v value.Value, depth int, by dataReader) (lit Literal) {
	if c.SetErr(c.Th.Enter("")); !c.OK() {
		return lit
	}
	defer c.Th.Leave()
	v = value.Plain(v)
	elems, isList, open := c.Sequence(v)
	// A list of unknown length has elements of one kind, which are not known one by one.
	if open != nil {
		inner := by.element(c, open.Elem, depth+1)
		inner.Shape = append(symshape.Shape{open.Len}, inner.Shape...)
		inner.Elems, inner.Lost = nil, true
		return inner
	}
	if !c.OK() {
		return lit
	}
	if !isList {
		return by.number(c, v, depth)
	}
	lit.Shape = symshape.Shape{c.Const(int64(len(elems)))}
	for i, e := range elems {
		if c.SetErr(c.Th.Step(1)); !c.OK() {
			return lit
		}
		x := by.element(c, e, depth+1)
		if !c.OK() {
			return lit
		}
		// The first element gives the sizes of the level below.
		if i == 0 {
			lit.Shape = append(lit.Shape, x.Shape...)
		} else if !by.even(c, lit.Shape[1:], x.Shape, depth+1) {
			return lit
		}
		// Of an element whose dtype is not known the others say what is known.
		lit.Mixed = lit.Mixed || x.Mixed
		switch {
		case lit.Kind == dtype.Unknown:
			lit.Kind = x.Kind
		case x.Kind != dtype.Unknown:
			lit.Kind = by.promote(lit.Kind, x.Kind)
		}
		// More elements than a tensor may keep are dropped, not their sizes.
		if lit.Lost = lit.Lost || x.Lost || len(lit.Elems)+len(x.Elems) > value.MaxElems; lit.Lost {
			lit.Elems = nil
			continue
		}
		lit.Elems = append(lit.Elems, x.Elems...)
	}
	return lit
}

// sameNesting compares the lengths of two parts of nested data, with PyTorch's messages for lists that are not
// rectangular. depth is that of the two parts. It reports whether they agree.
func (c *Call) sameNesting(want, have symshape.Shape, depth int) bool {
	for i := range min(len(want), len(have)) {
		if _, ok := c.Same(want[i], have[i]); !ok {
			c.Errorf("ValueError", diag.ShapeMismatch, "%s(): expected a sequence of length %s at dimension %d, but got one of %s", c.Short(),
				want[i], depth+i, have[i])
			return false
		}
	}
	if len(want) == len(have) {
		return true
	}
	if len(have) < len(want) {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): expected a sequence of length %s at dimension %d, but got a number", c.Short(),
			want[len(have)],
			depth+len(have))
	} else {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): expected a number at dimension %d, but got a sequence", c.Short(), depth+len(want))
	}
	return false
}

// Sequence returns the elements of a list, tuple or range, or what is known of an
// open list. ok is false for what is none of these. The numbers of a range are counted as steps;
// one of unknown bounds is an open list.
func (c *Call) Sequence(v value.Value) (elems []value.Value, ok bool, open *value.Open) {
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

// readScalar reads an innermost element of nested data: a number, or a tensor of exactly one element.
// Texts fail with TypeError outside a list and with ValueError inside one. Lost is set where the kind of
// the element is known and its value is not. The result has no dimensions.
func (c *Call) readScalar(v value.Value, depth int) (lit Literal) {
	lit.Shape = symshape.Shape{}
	switch x := v.(type) {
	case *value.Tensor:
		ty := x.Type()
		lit.Kind = ty.DType
		if !ty.Ranked {
			c.Lose("the number of dimensions of an element is not known")
			return lit
		}
		if n := c.Numel(ty.Shape); n.Expr != nil && c.Th.Require(c.P.Eq(n.Expr, c.P.Const(1)), "") == symshape.No {
			c.Errorf("ValueError", diag.RankMismatch,
				"%s(): only tensors of one element can be elements of the data, not %s; use torch.stack for others", c.Short(), x)
			return lit
		}
		if ty.DType == dtype.Unknown {
			c.Lose("the dtype of an element is not known")
		}
		if e := x.Contents(); len(e) == 1 {
			lit.Elems = e
		} else {
			lit.Lost = true
		}
		return lit
	case value.Str, value.Bytes:
		if depth == 0 {
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): a tensor cannot be made of a str", c.Short())
		} else {
			c.Errorf("ValueError", diag.TypeMismatch, "%s(): the data contain a str", c.Short())
		}
		return lit
	// An unknown value that is surely one element (One) leaves the shape known.
	case *value.Unknown, *value.Choice, *value.Iterator:
		if u, ok := x.(*value.Unknown); ok && u.One {
			lit.Lost, lit.Mixed = true, true
			return lit
		}
		c.Lose("the data are not known")
		return lit
	}
	k := NumberKind(v)
	if k == dtype.KindInvalid {
		switch v.(type) {
		case value.NoneType, *value.Dict, *value.Set, *value.Func, *value.Class, value.DType, value.Device:
			c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): a tensor cannot be made of %s", c.Short(), TypeName(v))
		default:
			c.Lose("a tensor of %s", TypeName(v))
		}
		return lit
	}
	lit.Kind = c.NumberDType(v)
	// Complex elements are not kept.
	if k == dtype.KindComplex {
		lit.Lost = true
	} else {
		lit.Elems = []value.Value{v}
	}
	return lit
}
