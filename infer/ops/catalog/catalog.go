package catalog

// This file finds records and libraries.

import (
	"slices"
	"strings"
	"sync"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/einops"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/ops/torch"
	"shapecheck/infer/value"
)

// families are the tables of records of all libraries.
var families = slices.Concat(torch.Families[:], numpy.Families[:], einops.Families[:])

// libraries are those that have records. Records without one are PyTorch's.
var libraries = [...]*ops.Library{ops.Torch, numpy.Library, einops.Library}

// LibraryOf is the library of a function's name, PyTorch if it is that of none.
func LibraryOf(name string) *ops.Library {
	for _, l := range libraries {
		if strings.HasPrefix(name, l.Prefix) {
			return l
		}
	}
	return ops.Torch
}

// ArrayLibrary is the library of a tensor, an array or a scalar of numpy.
func ArrayLibrary(v value.Value) *ops.Library {
	if ops.IsArray(v) || ops.IsNumpyScalar(v) {
		return numpy.Library
	}
	return ops.Torch
}

var index = sync.OnceValue(func() map[string]*ops.Op {
	n := 0
	for _, f := range families {
		n += len(f)
	}
	m := make(map[string]*ops.Op, 3*n)
	for _, f := range families {
		for i := range f {
			for _, name := range f[i].Names {
				if m[name] != nil {
					panic("catalog: two records are named " + name)
				}
				m[name] = &f[i]
			}
		}
	}
	return m
})

// Lookup finds the record of a name, also of an in-place form.
func Lookup(name string) (*ops.Op, bool) {
	if op := index()[name]; op != nil {
		return op, true
	}
	if ops.IsInPlace(name) {
		if op := index()[strings.TrimSuffix(name, "_")]; op != nil && op.InPlace {
			return op, true
		}
	}
	return nil, false
}

// HasPrefix reports whether any record's name starts with prefix and a dot:
// whether a library namespace is known.
func HasPrefix(prefix string) bool { return namespaces()[prefix] }

var namespaces = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for name := range index() {
		for i := range name {
			if name[i] == '.' && name[i+1:] != "__new__" { // what has a constructor is a class
				m[name[:i]] = true
			}
		}
	}
	return m
})

// Apply calls a record of any library under one of its names: see ops.Op.Apply.
func Apply(th value.Thread, op *ops.Op, name string, args []value.Value, kw []value.Kw) (value.Value, error) {
	return op.Apply(th, LibraryOf(name), Lookup, name, args, kw)
}

// All calls f for every record.
func All(f func(*ops.Op)) {
	for _, fam := range families {
		for i := range fam {
			f(&fam[i])
		}
	}
}
