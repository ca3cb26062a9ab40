package infer

// This file tells which operations of torch ask elements of their arguments in Python, so that no graph of torch.export and
// torch.compile takes them, or take no symbol for a number.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
)

// elementsWithin notes an operation that asks elements: gaussian_nll_loss whether a tensor of variances is negative
// anywhere, one_hot for the greatest class where the number of classes is not given; it fixes a size given for it.
func (in *Interp) elementsWithin(op *ops.Op, args []value.Value, kw []value.Kw) {
	var x *exporting
	if in.decisions != nil {
		x = in.decisions.export
	}
	if in.dynamo == nil && x == nil {
		return
	}
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
	class := userError
	switch {
	case op.Trace.Has(ops.AsksSign):
		if _, ok := given(2, "var").(*value.Tensor); !ok {
			return
		}
	case op.Form == graph.OneHot:
		if n := given(1, "num_classes"); n != nil && n != value.Int(-1) {
			if x != nil && !x.jit {
				x.fixed(in, n)
			}
			return
		} else if len(args)+len(kw) == 1 || len(args) == 2 {
			class = unsupportedError // Dynamo looks for these ways to write it
		}
	default:
		return
	}
	if d := in.dynamo; d != nil && d.node != nil {
		if d.opts.fullgraph && d.refused == "" {
			d.refused = class
		}
		d.breaks()
	}
	switch what := "this operation asks elements of a tensor, which are not known while a graph is made"; {
	case x == nil || x.jit:
	case !x.strict:
		x.fails(in, guardError, "data-dependent guard", what)
	case class == unsupportedError:
		x.fails(in, class, "unsupported", what)
	default:
		x.fails(in, class, "data-dependent guard", what)
	}
}
