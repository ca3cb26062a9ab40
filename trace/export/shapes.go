package export

// This file is about tracers whose traces are for the sizes of their arguments: jax.jit and
// tf.function. Both make a trace at the first call with arguments of new sizes. jax.jit never has
// symbolic sizes, so each combination is a trace. tf.function can be given a signature with None
// for a size; then one trace serves all, provided that the function can be traced with it, which is
// tried by running the entry.

import (
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// byShape finds out whether one trace serves all sizes, which tf.function with input_signature can, else each combination of
// sizes has a trace. It sets Text to the source of the tracer that was found, Each to the symbols
// of which every value needs a trace, Complete and Count if their number is known, and Why or
// Refused where there is none. The error is that of the host.
func (s *sharing) byShape() error {
	names := s.names()
	// A set of sizes that the entry takes: the calls below need arrays with numbers.
	env := s.Sizes(nil)
	if names == nil || env == nil {
		s.Why = "no sizes were found that the entry takes"
		return nil
	}
	if len(s.Kw) > 0 {
		s.Why = "arguments by name are not followed here"
		return nil
	}
	arrays, specs, ok := s.arrays(env)
	if !ok {
		s.Why = "an argument is no tensor"
		return nil
	}
	entry, call := s.Name, "("+strings.Join(arrays, ", ")+")"
	s.Classes = []*Class{{Example: env}}
	// each is the result where each combination of sizes has a trace: the class of the example
	// fixes every symbol.
	each := func(text string) error {
		s.Text = text + "\n"
		s.Each, s.Complete = slices.Clone(s.Symbols), len(s.Symbols) == 0
		for _, sym := range s.Symbols {
			s.Classes[0].Conds = append(s.Classes[0].Conds, s.pool.Eq(sym, s.pool.Const(env[sym.String()])))
		}
		s.counted()
		return nil
	}
	// jax.jit: only whether the function can be traced at all is to be found out.
	if s.For == ForJAX {
		failed, err := s.fails("__import__('jax').jit(" + entry + ")" + call)
		if err != nil {
			return err
		}
		if failed != nil {
			s.Classes, s.Refused = nil, failed
			return nil
		}
		return each("traced = jax.jit(" + entry + ")")
	}
	// tf.function: first with the most general signature, then without one, to tell a function that
	// cannot be traced from one that only needs its sizes.
	signature := "tf.function(" + entry + ", input_signature=[" + strings.Join(specs, ", ") + "])"
	failed, err := s.fails(signature + call)
	if err != nil {
		return err
	}
	if failed == nil {
		s.Complete, s.Count = true, 1
		s.Text = "traced = " + signature + "\n"
		return nil
	}
	one, err := s.fails("tf.function(" + entry + ")" + call)
	if err != nil {
		return err
	}
	if one != nil {
		s.Classes, s.Refused = nil, one
		return nil
	}
	s.Refused = failed
	return each("traced = tf.function(" + entry + ")")
}

// arrays are the arguments as arrays of the framework with example sizes, and as signatures. A size
// that has a symbol is None in a signature, others are numbers. ok is false where an argument is no
// tensor or has a rank or size that is not known.
func (s *sharing) arrays(env map[string]int64) (arrays, specs []string, ok bool) {
	for _, v := range s.Args {
		t, ok := v.(*value.Tensor)
		if !ok || !t.Type().Ranked {
			return nil, nil, false
		}
		var sizes, dims []string
		for _, d := range t.Type().Shape {
			if d.Expr == nil {
				return nil, nil, false
			}
			n, err := d.Expr.Eval(symshape.Env(env))
			if err != nil {
				return nil, nil, false
			}
			text := symshape.MakeDim(s.pool.Const(n)).String()
			sizes = append(sizes, text)
			if len(d.Expr.Symbols()) > 0 {
				text = "None"
			}
			dims = append(dims, text)
		}
		shape, kind := "["+strings.Join(sizes, ", ")+"]", t.Type().DType.Numpy()
		if s.For == ForJAX {
			arrays = append(arrays, "__import__('jax').numpy.zeros("+shape+", '"+kind+"')")
		} else {
			arrays = append(arrays, "tf.zeros("+shape+", tf."+kind+")")
			specs = append(specs, "tf.TensorSpec(["+strings.Join(dims, ", ")+"], tf."+kind+")")
		}
	}
	return arrays, specs, true
}

// fails evaluates an expression as in a script whose calls are followed; nil: it raises nothing. The error is one that ends the
// program's run.
func (s *sharing) fails(text string) (*Error, error) {
	vars := map[string]value.Value{}
	// The script has no imports of its own: JAX is imported in the expression, TensorFlow is given
	// as tf.
	if s.For == ForTF {
		tf, err := s.host.Eval("entry", "__import__('tensorflow')", nil)
		if err != nil {
			return nil, err
		}
		vars["tf"] = tf
	}
	e, err := s.host.Try("entry", text, vars)
	if e == nil {
		return nil, err
	}
	return &Error{Type: e.Value.Class.Name, Message: e.Error(), At: e.At}, nil
}
