package infer

// This file holds the natives that the stubs of annotation libraries call.

import (
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

func (in *Interp) annotationNatives(def func(name string, fn value.NativeFunc)) {
	// isinstance(x, Float[Tensor, "b c"])
	def("matches_annotation", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 2 {
			return value.Bool(false), nil
		}
		if value.IsUnknown(args[0]) {
			return args[0], nil
		}
		f := in.stack.frame
		for f != nil && f.prelude {
			f = f.caller
		}
		if f == nil {
			return in.DataBool(nil), nil
		}
		r := &annReader{an: &in.annotations, module: f.globals}
		switch answer, _ := in.annotations.fits(f, r.fromValue(args[1]), args[0]); answer {
		case symshape.Yes:
			return value.Bool(true), nil
		case symshape.No:
			return value.Bool(false), nil
		}
		return in.DataBool(nil), nil
	})
}
