package infer

// This file binds what a class has to the object or the class it is read from.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
)

// bindAttr turns a class attribute into what an access through v gives.
func (in *Interp) bindAttr(attr, v value.Value, c *value.Class) (value.Value, error) {
	switch a := attr.(type) {
	case *value.Func:
		return &value.BoundMethod{Self: v, Func: a}, nil
	case *value.Builtin:
		if a.Static {
			return a, nil
		}
		return &value.BoundMethod{Self: v, Func: a}, nil
	case *value.StaticMethod:
		return a.Func, nil
	case *value.ClassMethod:
		return &value.BoundMethod{Self: c, Func: a.Func}, nil
	case *value.Property:
		if a.Get == nil {
			return nil, in.Raise("AttributeError", "unreadable attribute")
		}
		return in.Call(a.Get, []value.Value{v}, nil)
	case *value.Choice: // defined in other ways under a condition
		return in.fork(a.Cond, graph.Cond{Cond: a.Cond},
			func() (value.Value, error) { return in.bindAttr(a.Then, v, c) },
			func() (value.Value, error) { return in.bindAttr(a.Else, v, c) })
	case *value.Instance:
		if get, ok := a.Class.Lookup("__get__"); ok {
			if err := in.Enter(""); err != nil { // __get__ may be such an object
				return nil, err
			}
			defer in.Leave()
			fn, err := in.bindAttr(get, a, a.Class)
			if err != nil {
				return nil, err
			}
			return in.Call(fn, []value.Value{v, c}, nil)
		}
	}
	return attr, nil
}

// calledAttr is bindAttr for who calls it at once: what to call, and with which arguments before the others.
func (in *Interp) calledAttr(m, v value.Value, c *value.Class) (fn value.Value, first []value.Value, err error) {
	b, native := m.(*value.Builtin)
	if _, plain := m.(*value.Func); plain || native && !b.Static { // no bound method is made
		return m, append(make([]value.Value, 0, 3), v), nil
	}
	fn, err = in.bindAttr(m, v, c)
	return fn, nil, err
}

// ofClass turns a class attribute into what an access through the class c gives.
func (in *Interp) ofClass(attr value.Value, c *value.Class) (value.Value, error) {
	switch a := attr.(type) {
	case *value.StaticMethod:
		return a.Func, nil
	case *value.ClassMethod:
		return &value.BoundMethod{Self: c, Func: a.Func}, nil
	case *value.Choice: // see bindAttr
		return in.fork(a.Cond, graph.Cond{Cond: a.Cond}, func() (value.Value, error) { return in.ofClass(a.Then, c) },
			func() (value.Value, error) { return in.ofClass(a.Else, c) })
	case *value.Instance:
		if get, ok := a.Class.Lookup("__get__"); ok {
			fn, err := in.bindAttr(get, a, a.Class)
			if err != nil {
				return nil, err
			}
			return in.Call(fn, []value.Value{value.None, c}, nil)
		}
	}
	return attr, nil
}
