package infer

// This file performs operations on dicts whose keys depend on a condition, once for each
// of their contents.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// inWays gives the dict that v is or holds, if its contents are one of two; else nil.
func inWays(v value.Value) *value.Dict {
	if d, ok := value.Plain(v).(*value.Dict); ok && d.Ways() != nil {
		return d
	}
	return nil
}

// eachWay performs an operation with each of the contents that d may have.
func (in *Interp) eachWay(d *value.Dict, op func() (value.Value, error)) (value.Value, error) {
	if err := in.Enter(""); err != nil {
		return nil, err
	}
	defer in.Leave()
	w := d.Ways()
	with := func(contents any) func() (value.Value, error) {
		return func() (value.Value, error) {
			in.heap.Replace(d, contents)
			return op()
		}
	}
	switch in.Decide(w.Cond) {
	case symshape.Yes:
		return with(w.Then)()
	case symshape.No:
		return with(w.Else)()
	}
	return in.fork(w.Cond, graph.Cond{Cond: w.Cond}, with(w.Then), with(w.Else))
}

// callOnWays calls a builtin once for each of the contents that a dict among its operands
// may have; ok is false where there is none.
func (in *Interp) callOnWays(fn value.Value, operands, args []value.Value, kw []value.Kw) (v value.Value, ok bool, err error) {
	for _, a := range operands {
		if d := inWays(a); d != nil {
			v, err = in.eachWay(d, func() (value.Value, error) {
				if v, ok, err := in.callOnEach(fn, args, kw); ok {
					return v, err
				}
				return in.Call(fn, args, kw)
			})
			return v, true, err
		}
	}
	return nil, false, nil
}
