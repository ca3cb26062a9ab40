package infer

// This file tells which operations of torch ask elements of their arguments in Python, so that no graph of torch.export and
// torch.compile takes them, or take no symbol for a number.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
)

// An elementUse is what an operation asks of its arguments in Python.
type elementUse struct {
	// class is the exception of a graph for an operation that asks elements; empty: it asks none.
	class string
	// fixed is a number for which no symbol is taken; nil: there is none.
	fixed value.Value
}

// elementUseOf says what an operation asks: gaussian_nll_loss whether a tensor of variances is negative anywhere, one_hot for the
// greatest class where the number of classes is not given; it fixes a size given for it.
func elementUseOf(op *ops.Op, args []value.Value, kw []value.Kw) elementUse {
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
			return elementUse{class: userError}
		}
	case op.Form == graph.OneHot:
		if n := given(1, "num_classes"); n != nil && n != value.Int(-1) {
			return elementUse{fixed: n}
		}
		if len(args)+len(kw) == 1 || len(args) == 2 {
			return elementUse{class: unsupportedError} // Dynamo looks for these ways to write it
		}
		return elementUse{class: userError}
	}
	return elementUse{}
}

// asksElements notes an operation that asks elements: a graph ends at it.
func (d *dynamoRun) asksElements(op *ops.Op, args []value.Value, kw []value.Kw) {
	use := elementUseOf(op, args, kw)
	if use.class == "" || d.node == nil {
		return
	}
	if d.opts.fullgraph && d.refused == "" {
		d.refused = use.class
	}
	d.breaks()
}

// asksElements notes an operation that asks elements: it is not exported.
func (x *exporting) asksElements(op *ops.Op, args []value.Value, kw []value.Kw) {
	if x.jit {
		return
	}
	use := elementUseOf(op, args, kw)
	if use.fixed != nil {
		x.fixed(x.in, use.fixed)
	}
	switch what := "this operation asks elements of a tensor, which are not known while a graph is made"; {
	case use.class == "":
	case !x.strict:
		x.fails(x.in, guardError, "data-dependent guard", what)
	case use.class == unsupportedError:
		x.fails(x.in, use.class, "unsupported", what)
	default:
		x.fails(x.in, use.class, "data-dependent guard", what)
	}
}
