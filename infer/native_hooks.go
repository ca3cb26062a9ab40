package infer

// This file runs the forward hooks of modules. The tables are copied first: a
// hook may remove itself, as those of lazy modules do.

import (
	"shapecheck/infer/value"
)

// The tables of a module; those for all modules come first.
const (
	preHookTable  = "_forward_pre_hooks"
	postHookTable = "_forward_hooks"
)

// A hook is an entry of _forward_hooks or _forward_pre_hooks.
type hook struct {
	fn     value.Value
	kwargs bool // it takes the keyword arguments, too
}

// hooks lists a table of hooks of a module; its companion with the suffix
// _with_kwargs has the ids of those that take keyword arguments.
func (in *Interp) hooks(m *value.Instance, table string) ([]hook, error) {
	var list []hook
	if d := in.globalHooks[0]; d != nil && table == preHookTable {
		list = appendHooks(list, d)
	}
	if d := in.globalHooks[1]; d != nil && table == postHookTable {
		list = appendHooks(list, d)
	}
	v, _ := m.Attrs.Get(table)
	d, ok := v.(*value.Dict)
	if !ok || d.Len() == 0 {
		return list, nil
	}
	shared := len(list)
	list = appendHooks(list, d)
	w, _ := m.Attrs.Get(table + "_with_kwargs")
	with, _ := w.(*value.Dict)
	if with == nil {
		return list, nil
	}
	for i := range d.Len() {
		key, err := in.HashKey(d.Key(i))
		if err != nil {
			return nil, err
		}
		_, list[shared+i].kwargs = with.Get(key)
	}
	return list, nil
}

func appendHooks(list []hook, d *value.Dict) []hook {
	for i := range d.Len() {
		list = append(list, hook{fn: d.At(i)})
	}
	return list
}

// preHooks runs the forward pre-hooks: what one returns replaces the arguments.
func (in *Interp) preHooks(m *value.Instance, args []value.Value, kw []value.Kw) ([]value.Value, []value.Kw, error) {
	list, err := in.hooks(m, preHookTable)
	if err != nil {
		return nil, nil, err
	}
	for _, h := range list {
		if h.kwargs {
			r, err := in.Call(h.fn, []value.Value{m, value.NewTuple(args...), kwDict(in, kw)}, nil)
			if err != nil {
				return nil, nil, err
			}
			if t, ok := r.(*value.Tuple); ok && len(t.Elems) == 2 {
				a, okA := t.Elems[0].(*value.Tuple)
				k, okK := t.Elems[1].(*value.Dict)
				if okA && okK {
					args, kw = a.Elems, dictKw(k)
				}
			}
			continue
		}
		r, err := in.Call(h.fn, []value.Value{m, value.NewTuple(args...)}, nil)
		if err != nil {
			return nil, nil, err
		}
		switch r := r.(type) {
		case value.NoneType, *value.Unknown:
		case *value.Tuple:
			args = r.Elems
		default:
			args = []value.Value{r}
		}
	}
	return args, kw, nil
}

// postHooks runs the forward hooks: what one returns replaces the result.
func (in *Interp) postHooks(m *value.Instance, args []value.Value, kw []value.Kw, out value.Value) (v value.Value, ran bool, err error) {
	list, err := in.hooks(m, postHookTable)
	if err != nil {
		return nil, false, err
	}
	for _, h := range list {
		given := []value.Value{m, value.NewTuple(args...), out}
		if h.kwargs {
			given = []value.Value{m, value.NewTuple(args...), kwDict(in, kw), out}
		}
		r, err := in.Call(h.fn, given, nil)
		if err != nil {
			return nil, true, err
		}
		if r != value.None && !value.IsUnknown(r) {
			out = r
		}
	}
	return out, len(list) > 0, nil
}

func kwDict(th value.Thread, kw []value.Kw) *value.Dict {
	d := th.Heap().NewDict()
	for _, k := range kw {
		d.SetStr(th.Heap(), k.Name, k.Value)
	}
	return d
}

func dictKw(d *value.Dict) []value.Kw {
	var kw []value.Kw
	for i := range d.Len() {
		if name, ok := value.AsStr(d.Key(i)); ok {
			kw = append(kw, value.Kw{Name: name, Value: d.At(i)})
		}
	}
	return kw
}
