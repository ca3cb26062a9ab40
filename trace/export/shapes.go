package export

// This file is about tracers whose traces are for the sizes of their arguments: jax.jit and tf.function.

import (
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// byShape finds out whether one trace serves all sizes, which tf.function with input_signature can, else each combination of
// sizes has a trace.
func (s *sharing) byShape() error {
	names := s.names()
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
	each := func(text string) error {
		s.Text = text + "\n"
		s.Each, s.Complete = slices.Clone(s.Symbols), len(s.Symbols) == 0
		for _, sym := range s.Symbols {
			s.Classes[0].Conds = append(s.Classes[0].Conds, s.pool.Eq(sym, s.pool.Const(env[sym.String()])))
		}
		s.counted()
		return nil
	}
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

// arrays are the arguments as arrays of the framework with example sizes, and as signatures.
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
