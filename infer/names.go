package infer

// This file lists the names of library modules and tensors. Their functions come
// from records, and classes are loaded when they are first used, so that what a
// module has so far is not all it has.

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/torch"
	"shapecheck/infer/value"
)

// libraryNames are the public names of a library module, or of tensors, in the
// PyTorch of the run.
func (im *imports) libraryNames(owner string) []string {
	return slices.DeleteFunc(torch.NamesIn(owner), func(name string) bool { return im.versions.tooNew(owner+"."+name) != "" })
}

// moduleDict is the __dict__ of a module.
func (im *imports) moduleDict(m *value.Module) *value.Dict {
	d := im.losses.dictView(m.Attrs)
	if !m.Prelude {
		return d
	}
	for _, name := range im.libraryNames(m.Name) {
		full := m.Name + "." + name
		if _, ok := m.Attrs.Get(name); ok || im.finder.imported(full) != nil {
			continue
		}
		if _, ok := catalog.Lookup(full); ok {
			m.Attrs.Set(&im.heap, name, im.host.opFunc(full))
		}
	}
	return d
}

// dir follows dir() of one argument; known is what its attributes give.
func (im *imports) dir(v value.Value, known *value.List) value.Value {
	owner := ""
	switch v := v.(type) {
	case *value.Module:
		if v.Prelude {
			owner = v.Name
		}
	case *value.Tensor:
		if !ops.IsArray(v) {
			owner = "torch.Tensor"
		}
	case *value.Class:
		if t := im.host.Class("torch.Tensor"); t != nil && v.IsSubclass(t) {
			owner = "torch.Tensor"
		}
	}
	if owner == "" || known.Open != nil {
		return known
	}
	names := im.libraryNames(owner)
	for _, e := range known.Elems {
		if s, ok := value.AsStr(e); ok {
			names = append(names, s)
		}
	}
	slices.Sort(names)
	var elems []value.Value
	for _, name := range slices.Compact(names) {
		elems = append(elems, value.Str(name))
	}
	return im.heap.NewList(elems)
}
