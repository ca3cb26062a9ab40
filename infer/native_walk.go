package infer

// This file implements the walks over a tree of modules: named_modules,
// named_children and the parameters and buffers. A child that is one of two
// modules, since a condition is not decided, counts as both; one that is not
// known is left out, and what a program sees of the walk has an unknown length.

import (
	"shapecheck/infer/value"
)

func (na *natives) walkNatives(def func(name string, fn value.NativeFunc)) {
	def("module_children", na.moduleChildren)
	def("module_walk", na.moduleWalk)
	def("module_members", na.moduleMembers)
	def("module_unseen", na.moduleUnseen)
	def("module_seen", na.moduleSeen)
	// has_numbers(tensor): all its elements are numbers that are known.
	def("has_numbers", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		t, ok := args[0].(*value.Tensor)
		if !ok {
			return value.Bool(false), nil
		}
		elems := t.Contents()
		for _, e := range elems {
			switch e.(type) {
			case value.Int, value.Bool, value.Float:
			default:
				return value.Bool(false), nil
			}
		}
		return value.Bool(len(elems) > 0), nil
	})
	// generator(iterator) has the type of a generator: a list is cheaper to make in Python than the frames of one.
	def("generator", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		it, ok := args[0].(*value.Iterator)
		if ok && it.Send == nil {
			it.Name = "generator"
			if it.Open == nil {
				next := it.Next
				it.Send = func(th value.Thread, _ value.Value) (value.Value, bool, error) { return next(th) }
				it.Close = func(th value.Thread) error {
					th.Heap().Touch(it)
					it.Pos = -1
					return nil
				}
			}
		}
		return args[0], nil
	})
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
	for i := range d.Len() {
		name, ok := value.AsStr(d.Key(i))
		if !ok {
			continue
		}
		for v := range value.Walk(d.At(i), 0, value.Sides) {
			if c, ok := v.(*value.Instance); ok {
				f(name, c)
			}
		}
	}
}

// walkModules lists the tree below m, m first, as named_modules does.
func walkModules(m *value.Instance, prefix string, once bool) []namedModule {
	var out []namedModule
	seen := map[*value.Instance]bool{}
	w := value.Visit{Repeats: value.SomeRepeats}
	var walk func(m *value.Instance, path string)
	walk = func(m *value.Instance, path string) {
		if seen[m] || !w.Enter(m) {
			return
		}
		defer w.Leave()
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
func (na *natives) moduleWalk(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	m, prefix, once := walkArgs(args)
	if m == nil {
		return na.heap.NewList(nil), nil
	}
	list := walkModules(m, prefix, once)
	elems := make([]value.Value, len(list))
	for i, x := range list {
		elems[i] = value.NewTuple(value.Str(x.path), x.m)
	}
	return na.heap.NewList(elems), na.in.Step(len(elems))
}

// moduleChildren implements module_children(self): a list of (name, module).
func (na *natives) moduleChildren(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	m, _, _ := walkArgs(args)
	if m == nil {
		return na.heap.NewList(nil), nil
	}
	var elems []value.Value
	seen := map[*value.Instance]bool{}
	walkChildren(m, func(name string, child *value.Instance) {
		if !seen[child] {
			seen[child] = true
			elems = append(elems, value.NewTuple(value.Str(name), child))
		}
	})
	return na.heap.NewList(elems), na.in.Step(len(elems))
}

// moduleMembers implements module_members(self, prefix, remove_duplicate,
// table, recurse): a list of (name, tensor) from _parameters or _buffers.
func (na *natives) moduleMembers(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	m, prefix, once := walkArgs(args)
	if m == nil || len(args) < 5 {
		return na.heap.NewList(nil), nil
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
	return na.heap.NewList(elems), na.in.Step(len(elems))
}

// unseen finds a part of the tree below m, or of m alone, that is not known and so may
// hold modules, parameters and buffers that the walks leave out; nil without one. What
// a class of the library keeps beside its tables is settings.
func (na *natives) unseen(m *value.Instance, recurse bool) *value.Unknown {
	list := []namedModule{{"", m}}
	if recurse {
		list = walkModules(m, "", true)
	}
	for _, x := range list {
		for _, table := range moduleTables {
			t, _ := x.m.Attrs.Get(table)
			d, ok := t.(*value.Dict)
			if u := unknownSide(t); u != nil {
				return u
			}
			if !ok {
				continue
			}
			for i := range d.Len() {
				if u := unknownSide(d.At(i)); u != nil {
					return u
				}
			}
		}
		if !na.ownClass(x.m.Class) {
			continue
		}
		for i := range x.m.Attrs.Len() {
			if u := unknownSide(x.m.Attrs.At(i)); u != nil {
				return u
			}
		}
	}
	return nil
}

// ownClass reports whether a class, or one it derives from, is the program's own.
func (na *natives) ownClass(c *value.Class) bool {
	for _, k := range c.MRO {
		if m := na.modules[k.Module]; m != nil && !m.Prelude {
			return true
		}
	}
	return false
}

// unknownSide is what of a value, or of one of the values that it is chosen from, is
// not known.
func unknownSide(v value.Value) *value.Unknown {
	for x := range value.Walk(v, maxChoices, value.Sides) {
		if u, ok := x.(*value.Unknown); ok {
			return u
		}
	}
	return nil
}

// moduleUnseen implements module_unseen(self): something unknown in the tree, or None.
func (na *natives) moduleUnseen(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if m, _, _ := walkArgs(args); m != nil {
		if u := na.unseen(m, true); u != nil {
			return u, nil
		}
	}
	return value.None, nil
}

// moduleSeen implements module_seen(self, list, recurse): the list, or one of unknown
// length where parts of the tree are not known.
func (na *natives) moduleSeen(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 3 {
		return nil, na.in.Raise("TypeError", "module_seen() takes 3 arguments")
	}
	m, ok := args[0].(*value.Instance)
	if !ok {
		return args[1], nil
	}
	u := na.unseen(m, args[2] != value.Bool(false))
	if u == nil {
		return args[1], nil
	}
	return na.heap.NewOpenList(&value.Open{Elem: u, Len: na.in.DataInt("n", 0, nil).D}), nil
}
