package infer

// This file implements the walks over a tree of modules: named_modules,
// named_children and the parameters and buffers. A child that is one of two
// modules, since a condition is not decided, counts as both; one that is not
// known is left out.

import (
	"shapecheck/infer/value"
)

func (in *Interp) walkNatives(def func(name string, fn value.NativeFunc)) {
	def("module_children", in.moduleChildren)
	def("module_walk", in.moduleWalk)
	def("module_members", in.moduleMembers)
}

// A namedModule is a module with its path.
type namedModule struct {
	path string
	m    *value.Instance
}

// walkChildren calls f for each child of m in order.
func walkChildren(m *value.Instance, f func(name string, child *value.Instance)) {
	t, _ := m.Attrs.Get("_modules")
	d, ok := t.(*value.Dict)
	if !ok {
		return
	}
	var each func(name string, v value.Value)
	each = func(name string, v value.Value) {
		switch v := v.(type) {
		case *value.Instance:
			f(name, v)
		case *value.Choice:
			each(name, v.Then)
			each(name, v.Else)
		}
	}
	for i := range d.Len() {
		if name, ok := value.AsStr(d.Key(i)); ok {
			each(name, d.At(i))
		}
	}
}

// walkModules lists the tree below m, m first, as named_modules does.
func walkModules(m *value.Instance, prefix string, once bool) []namedModule {
	var out []namedModule
	seen := map[*value.Instance]bool{}
	var walk func(m *value.Instance, path string)
	walk = func(m *value.Instance, path string) {
		if seen[m] {
			return
		}
		seen[m] = true
		out = append(out, namedModule{path, m})
		if path != "" {
			path += "."
		}
		walkChildren(m, func(name string, child *value.Instance) { walk(child, path+name) })
		if !once {
			delete(seen, m) // only a cycle ends the walk
		}
	}
	walk(m, prefix)
	return out
}

// walkArgs reads the arguments (self, prefix, remove_duplicate).
func walkArgs(args []value.Value) (m *value.Instance, prefix string, once bool) {
	once = true
	if len(args) > 0 {
		m, _ = args[0].(*value.Instance)
	}
	if len(args) > 1 {
		prefix, _ = value.AsStr(args[1])
	}
	if len(args) > 2 && args[2] == value.Bool(false) {
		once = false
	}
	return m, prefix, once
}

// moduleWalk implements module_walk(self, prefix, remove_duplicate): a list of
// (name, module).
func (in *Interp) moduleWalk(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	m, prefix, once := walkArgs(args)
	if m == nil {
		return in.heap.NewList(nil), nil
	}
	list := walkModules(m, prefix, once)
	elems := make([]value.Value, len(list))
	for i, x := range list {
		elems[i] = value.NewTuple(value.Str(x.path), x.m)
	}
	return in.heap.NewList(elems), in.Step(len(elems))
}

// moduleChildren implements module_children(self): a list of (name, module).
func (in *Interp) moduleChildren(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	m, _, _ := walkArgs(args)
	if m == nil {
		return in.heap.NewList(nil), nil
	}
	var elems []value.Value
	seen := map[*value.Instance]bool{}
	walkChildren(m, func(name string, child *value.Instance) {
		if !seen[child] {
			seen[child] = true
			elems = append(elems, value.NewTuple(value.Str(name), child))
		}
	})
	return in.heap.NewList(elems), in.Step(len(elems))
}

// moduleMembers implements module_members(self, prefix, remove_duplicate,
// table, recurse): a list of (name, tensor) from _parameters or _buffers.
func (in *Interp) moduleMembers(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	m, prefix, once := walkArgs(args)
	if m == nil || len(args) < 5 {
		return in.heap.NewList(nil), nil
	}
	table, _ := value.AsStr(args[3])
	list := []namedModule{{prefix, m}}
	if args[4] != value.Bool(false) {
		list = walkModules(m, prefix, once)
	}
	var elems []value.Value
	seen := map[value.Value]bool{}
	for _, x := range list {
		t, _ := x.m.Attrs.Get(table)
		d, ok := t.(*value.Dict)
		if !ok {
			continue
		}
		path := x.path
		if path != "" {
			path += "."
		}
		for i := range d.Len() {
			v := d.At(i)
			t, ok := v.(*value.Tensor)
			if !ok || seen[t] {
				continue
			}
			if once {
				seen[t] = true
			}
			name, _ := value.AsStr(d.Key(i))
			elems = append(elems, value.NewTuple(value.Str(path+name), t))
		}
	}
	return in.heap.NewList(elems), in.Step(len(elems))
}
