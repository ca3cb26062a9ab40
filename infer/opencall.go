package infer

// This file makes calls of which some arguments are not known even by number or by name:
// f(*args) and f(**options) of unknown values. What is given is bound, each parameter that
// the rest may reach is unknown, and the body runs: what it makes of its receiver stays, as
// after super().__init__(**options).

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// openArgs are the arguments of such a call beyond the known ones.
type openArgs struct {
	pos []value.Value  // from the first openElems on; nil: all positional arguments are known
	kw  *value.Unknown // what the keyword arguments are; nil: all are known
}

// openArg is what a parameter is that the arguments may reach.
func openArg(th value.Thread, open *openArgs) *value.Unknown {
	if open.kw != nil {
		return open.kw
	}
	if u, ok := open.pos[0].(*openElems).open.Elem.(*value.Unknown); ok {
		return u
	}
	return th.Unknown("the number of arguments of this call is not known")
}

// splitOpen parts positional arguments before the first of unknown number.
func splitOpen(args []value.Value) (known, open []value.Value) {
	i := slices.IndexFunc(args, func(v value.Value) bool { _, ok := v.(*openElems); return ok })
	if i < 0 {
		return args, nil
	}
	return args[:i:i], args[i:]
}

// callOpen calls fn with more arguments than args and kw. What is no function written in
// Python gives an unknown value.
func (in *Interp) callOpen(fn value.Value, args []value.Value, kw []value.Kw, open *openArgs) (value.Value, error) {
	switch fn := fn.(type) {
	case *value.Func:
		return in.callFunc(fn, args, kw, open)
	case *value.BoundMethod:
		if m, ok := fn.Func.(*value.Func); ok {
			return in.callFunc(m, append([]value.Value{fn.Self}, args...), kw, open)
		}
		return openArg(in, open), nil
	case *value.StaticMethod:
		return in.callOpen(fn.Func, args, kw, open)
	case *value.GenericAlias:
		return in.callOpen(fn.Origin, args, kw, open)
	case *value.Class:
		return in.constructOpen(fn, args, kw, open)
	case *value.Instance:
		c := in.TypeOf(fn)
		if m, ok := c.Lookup("__call__"); ok {
			if m, ok := m.(*value.Func); ok {
				return in.callFunc(m, append([]value.Value{fn}, args...), kw, open)
			}
		}
	case *value.Unknown:
		in.callsUnknown(args, kw)
		return fn, nil
	}
	return openArg(in, open), nil
}

// constructOpen makes an object of a class whose __init__ is written in Python.
func (in *Interp) constructOpen(c *value.Class, args []value.Value, kw []value.Kw, open *openArgs) (value.Value, error) {
	if c.Meta != nil {
		if m, ok := c.Meta.Lookup("__call__"); ok && !in.isTypes(m, "__call__") {
			return openArg(in, open), nil
		}
	}
	if m, ok := c.Lookup("__new__"); ok && !in.isObjects(m, "__new__") || abstractMethods(c) != "" {
		return openArg(in, open), nil
	}
	m, _ := c.Lookup("__init__")
	init, ok := m.(*value.Func)
	if !ok {
		return openArg(in, open), nil
	}
	obj := in.heap.NewInstance(c)
	if _, err := in.callFunc(init, append([]value.Value{obj}, args...), kw, open); err != nil {
		return nil, err
	}
	return obj, nil
}

// bindOpen is bindParams for a call with open arguments.
func (in *Interp) bindOpen(f *frame, fn *value.Func, args []value.Value, kw []value.Kw, open *openArgs) error {
	p, u := fn.Params, openArg(in, open)
	npos := len(p.PosOnly) + len(p.Args)
	known := len(args)
	args, kw = slices.Clone(args), slices.Clone(kw)
	for open.pos != nil && len(args) < len(p.PosOnly) {
		args = append(args, u)
	}
	fill := func(params []*ast.Param) {
		for _, q := range params {
			if !slices.ContainsFunc(kw, func(k value.Kw) bool { return k.Name == q.Name }) {
				kw = append(kw, value.Kw{Name: q.Name, Value: u})
			}
		}
	}
	fill(p.Args[min(max(len(args)-len(p.PosOnly), 0), len(p.Args)):])
	if open.kw != nil {
		fill(p.KwOnly)
	}
	if err := in.bindParams(f, fn, args, kw); err != nil {
		return err
	}
	slot := npos + len(p.KwOnly)
	if p.VarArg != nil {
		if open.pos != nil {
			rest := openElemsOf(in, open.pos)
			if known < npos { // of which some are parameters
				rest = &value.Open{Elem: rest.Elem, Len: in.DataInt("n", 0, nil).D}
			} else if known > npos {
				rest = openElemsOf(in, slices.Concat(args[npos:known], open.pos))
			}
			f.setParam(slot, in.world.OpenTuple(in, rest))
		}
		slot++
	}
	if p.KwArg != nil && open.kw != nil {
		f.param(slot).(*value.Dict).Open = &value.Open{Key: u, Elem: u}
	}
	return nil
}
