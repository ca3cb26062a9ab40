package infer

// This file is about tracers whose traces are for the sizes of their arguments: jax.jit and tf.function.

import (
	"errors"
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// byShape finds out whether one trace serves all sizes, which tf.function with input_signature can, else each combination of
// sizes has a trace.
func (s *sharing) byShape() error {
	names := s.names()
	env := s.sizes(nil)
	if names == nil || env == nil {
		s.Why = "no sizes were found that the entry takes"
		return nil
	}
	if len(s.kw) > 0 {
		s.Why = "arguments by name are not followed here"
		return nil
	}
	arrays, specs, ok := s.arrays(env)
	if !ok {
		s.Why = "an argument is no tensor"
		return nil
	}
	entry, call := s.in.entryName, "("+strings.Join(arrays, ", ")+")"
	s.Classes = []*SizeClass{{Example: env}}
	each := func(text string) error {
		s.Text = text + "\n"
		s.Each, s.Complete = slices.Clone(s.syms), len(s.syms) == 0
		for _, sym := range s.syms {
			s.Classes[0].Conds = append(s.Classes[0].Conds, s.in.pool.Eq(sym, s.in.pool.Const(env[sym.String()])))
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
	for _, v := range s.args {
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
			text := symshape.MakeDim(s.in.pool.Const(n)).String()
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

// fails evaluates an expression as in a script whose calls are followed, and takes back what that does; nil: it raises nothing.
func (s *sharing) fails(text string) (*ExportError, error) {
	in := s.in
	vars := map[string]value.Value{}
	if s.For == ForTF {
		tf, err := in.evalText(s.module, "entry", "__import__('tensorflow')", nil)
		if err != nil {
			return nil, err
		}
		vars["tf"] = tf
	}
	found := in.sink.Len()
	var err error
	in.takeBack(nil, func() {
		in.catchAll(func() { _, err = in.evalText(s.module, "entry", text, vars) })
	})
	in.sink.Truncate(found)
	if e := (*value.Exception)(nil); errors.As(err, &e) {
		return &ExportError{Type: e.Value.Class.Name, Message: errorText(e), At: e.At}, nil
	}
	return nil, err
}
