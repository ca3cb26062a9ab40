package infer

// This file says which of Python's own functions AutoGraph makes operations of where they get tensors.

import "shapecheck/infer/value"

// graphBuiltins are those functions: of a symbolic tensor range is tf.range, int a cast, sorted a sort.
var graphBuiltins = map[string]bool{"range": true, "int": true, "float": true, "sorted": true}

// graphBuiltin gives what AutoGraph makes of the call of one of Python's functions; nil: it makes nothing of it.
func (in *Interp) graphBuiltin(f *frame, fn value.Value, args []value.Value, kw []value.Kw) (value.Value, error) {
	if !in.retraces.graph || f.prelude || len(kw) > 0 {
		return nil, nil
	}
	name := in.builtinName(fn)
	if !graphBuiltins[name] {
		return nil, nil
	}
	for _, a := range args {
		if i, ok := isWrapped(a); ok {
			return in.CallMethod(i, "__shapecheck_builtin__", value.Str(name), in.tupleOf(args))
		}
	}
	return nil, nil
}
