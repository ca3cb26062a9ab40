package export

// This file says which sizes NumPy fixes in a graph of Dynamo, which makes operations of torch of its functions.

import (
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// elements fixes the sizes that a function of NumPy takes for elements.
func (x *Run) elements(op *ops.Op, args []value.Value) {
	switch {
	case op.Trace.Has(ops.TakesFill) && len(args) > 1:
		args = args[1:2]
	case op.Trace.Has(ops.TakesSizes):
		return
	}
	for _, a := range args {
		for v := range value.Walk(a, value.Deep, value.Sequences) {
			switch v := v.(type) {
			case *value.SymInt:
				x.fixed(v)
			case *value.SymFloat:
				for _, s := range v.R.Symbols() {
					x.fixed(value.FromDim(symshape.MakeDim(s)))
				}
			}
		}
	}
}
