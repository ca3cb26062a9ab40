package infer

// This file follows what a program does to its modules: a module can put another
// object in its own place in sys.modules, and asks for its own specification.

import (
	"shapecheck/infer/value"
)

// imported gives what sys.modules has under a name: what the program put there, such as
// an object that a module puts in its own place, else the module that was loaded; nil
// when there is neither.
func (f *finder) imported(name string) value.Value {
	if v, ok := f.world.Loaded(name); ok {
		return v
	}
	if m := f.modules[name]; m != nil {
		return m
	}
	return nil
}

// moduleOf is the module behind an object that sys.modules has under a name.
func (f *finder) moduleOf(v value.Value, name string) *value.Module {
	if m, ok := v.(*value.Module); ok {
		return m
	}
	if m := f.modules[name]; m != nil {
		return m
	}
	return &value.Module{Name: name, Attrs: f.heap.NewAttrs()}
}

// starOfObject imports the public names of an object that stands for a module.
func (im *imports) starOfObject(f *frame, m value.Value) error {
	names, ok, err := im.host.LookupAttr(m, "__all__")
	if err != nil {
		return err
	}
	if !ok {
		var list []value.Value
		if a := attrsOf(m); a != nil {
			for i := range a.Len() {
				if n := a.Name(i); n[:1] != "_" {
					list = append(list, value.Str(n))
				}
			}
		}
		names = im.heap.NewList(list)
	}
	if u, ok := names.(*value.Unknown); ok {
		if f.globals.Partial == nil {
			f.globals.Partial = u.Cause
		}
		return nil
	}
	return im.host.Iterate(names, func(v value.Value) error {
		s, ok := value.AsStr(v)
		if !ok {
			return nil
		}
		x, ok, err := im.host.LookupAttr(m, s)
		if ok && err == nil {
			f.globals.Attrs.Set(&im.heap, s, x)
		}
		return err
	})
}

// moduleSpec gives the __spec__ or __loader__ of a module; a script has none.
func (im *imports) moduleSpec(m *value.Module, name string) (value.Value, error) {
	if im.cfg.Script != nil && m == im.main {
		return value.None, nil
	}
	var origin, dirs value.Value = value.None, value.None
	if v, ok := m.Attrs.Get("__file__"); ok {
		origin = v
	}
	if m.Dirs != nil {
		dirs = im.heap.NewList(strs(m.Dirs))
	}
	return im.newSpec(m.Name, origin, dirs, name)
}

// newSpec makes the specification of a module, or its loader.
func (im *imports) newSpec(name string, origin, dirs value.Value, attr string) (value.Value, error) {
	lib, err := im.importModule("importlib.machinery")
	if err != nil {
		return nil, err
	}
	spec, err := im.host.CallMethod(lib, "_spec", value.Str(name), origin, dirs)
	if err != nil || attr == "__spec__" {
		return spec, err
	}
	return im.host.GetAttr(spec, "loader")
}

func strs(list []string) []value.Value {
	out := make([]value.Value, len(list))
	for i, s := range list {
		out[i] = value.Str(s)
	}
	return out
}
