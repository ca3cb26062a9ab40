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

// An index has the records of the names that begin with one library's prefix. It is
// made when the first of them is asked for: a program pays for the libraries it uses.
type index struct {
	records    map[string]*ops.Op
	namespaces func() map[string]bool // what stands before the dots of the names
}

var indexes = func() map[*ops.Library]func() *index {
	m := make(map[*ops.Library]func() *index, len(libraries))
	for _, l := range libraries {
		m[l] = sync.OnceValue(func() *index { return newIndex(l) })
	}
	return m
}()

func newIndex(l *ops.Library) *index {
	x := &index{records: make(map[string]*ops.Op)}
	x.namespaces = sync.OnceValue(x.spaces)
	for _, f := range families {
		for i := range f {
			for _, name := range f[i].Names {
				if LibraryOf(name) != l {
					continue
				}
				if x.records[name] != nil {
					panic("catalog: two records are named " + name)
				}
				x.records[name] = &f[i]
			}
		}
	}
	return x
}

func (x *index) spaces() map[string]bool {
	m := make(map[string]bool)
	for name := range x.records {
		for i := range name {
			if name[i] == '.' && name[i+1:] != "__new__" { // what has a constructor is a class
				m[name[:i]] = true
			}
		}
	}
	return m
}

// Lookup finds the record of a name, also of an in-place form.
func Lookup(name string) (*ops.Op, bool) {
	records := indexes[LibraryOf(name)]().records
	if op := records[name]; op != nil {
		return op, true
	}
	if ops.IsInPlace(name) {
		if op := records[strings.TrimSuffix(name, "_")]; op != nil && op.InPlace {
			return op, true
		}
	}
	return nil, false
}

// HasPrefix reports whether any record's name starts with prefix and a dot:
// whether a library namespace is known.
func HasPrefix(prefix string) bool { return indexes[LibraryOf(prefix+".")]().namespaces()[prefix] }

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
