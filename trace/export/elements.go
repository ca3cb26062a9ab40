package export

// This file tells which operations of torch ask elements of their arguments in Python, so that no graph of torch.export and
// torch.compile takes them, or take no symbol for a number.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
)

// An ElementUse is what an operation asks of its arguments in Python.
type ElementUse struct {
	// Class is the exception of a graph for an operation that asks elements; empty: it asks none.
	Class string
	// Fixed is a number for which no symbol is taken; nil: there is none.
	Fixed value.Value
}

// ElementUseOf says what an operation asks: gaussian_nll_loss whether a tensor of variances is negative anywhere, one_hot for the
// greatest class where the number of classes is not given; it fixes a size given for it.
func ElementUseOf(op *ops.Op, args []value.Value, kw []value.Kw) ElementUse {
	given := func(i int, name string) value.Value {
		if i < len(args) {
			return args[i]
		}
		for _, k := range kw {
			if k.Name == name {
				return k.Value
			}
		}
		return nil
	}
	switch {
	case op.Trace.Has(ops.AsksSign):
		if _, ok := given(2, "var").(*value.Tensor); ok {
			return ElementUse{Class: UserError}
		}
	case op.Form == graph.OneHot:
		if n := given(1, "num_classes"); n != nil && n != value.Int(-1) {
			return ElementUse{Fixed: n}
		}
		if len(args)+len(kw) == 1 || len(args) == 2 {
			return ElementUse{Class: UnsupportedError} // Dynamo looks for these ways to write it
		}
		return ElementUse{Class: UserError}
	}
	return ElementUse{}
}

// asksElements notes an operation that asks elements: it is not exported.
func (x *Run) asksElements(op *ops.Op, args []value.Value, kw []value.Kw) {
	if x.jit {
		return
	}
	use := ElementUseOf(op, args, kw)
	if use.Fixed != nil {
		x.fixed(use.Fixed)
	}
	switch what := "this operation asks elements of a tensor, which are not known while a graph is made"; {
	case use.Class == "":
	case !x.strict:
		x.fails(GuardError, DataDependentGuard, what)
	case use.Class == UnsupportedError:
		x.fails(use.Class, Unsupported, what)
	default:
		x.fails(use.Class, DataDependentGuard, what)
	}
}
