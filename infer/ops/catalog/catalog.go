package catalog

// This file finds records and libraries.

import (
	"slices"
	"strings"
	"sync"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/ops/einops"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/ops/torch"
	"shapecheck/infer/value"
)

// A shelf has the records of one library. They are made and indexed when the first of
// them is asked for: a program pays for the libraries that it uses.
type shelf struct {
	library  *ops.Library
	families func() [][]ops.Op
	// records are those of each name, namespaces what stands before its dots.
	records    func() map[string]*ops.Op
	namespaces func() map[string]bool
}

func newShelf(l *ops.Library, families func() [][]ops.Op) *shelf {
	s := &shelf{library: l, families: sync.OnceValue(families)}
	s.records, s.namespaces = sync.OnceValue(s.index), sync.OnceValue(s.spaces)
	return s
}

// shelves are all libraries. A name with the prefix of none is PyTorch's, the first's.
var shelves = [...]*shelf{
	newShelf(ops.Torch, func() [][]ops.Op { return append(torch.Families(), numpy.OfTensors()) }),
	newShelf(numpy.Library, numpy.Families),
	newShelf(einops.Library, einops.Families),
	newShelf(chainer.Library, chainer.Families),
}

func shelfOf(name string) *shelf {
	for _, s := range shelves[1:] {
		if strings.HasPrefix(name, s.library.Prefix) {
			return s
		}
	}
	return shelves[0]
}

// LibraryOf is the library of a function's name, PyTorch if it is that of none.
func LibraryOf(name string) *ops.Library { return shelfOf(name).library }

// IsLibrary reports whether a module is the package of a library of tensors.
func IsLibrary(module string) bool {
	return slices.ContainsFunc(shelves[:], func(s *shelf) bool { return s.library.Prefix == module+"." })
}

// ArrayLibrary is the library of a tensor, an array or a scalar of numpy.
func ArrayLibrary(v value.Value) *ops.Library {
	if ops.IsArray(v) || ops.IsNumpyScalar(v) {
		return numpy.Library
	}
	if chainer.IsVariable(v) {
		return chainer.Library
	}
	return ops.Torch
}

func (s *shelf) index() map[string]*ops.Op {
	n := 0
	for _, f := range s.families() {
		n += len(f)
	}
	m := make(map[string]*ops.Op, 3*n)
	for _, f := range s.families() {
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
}

func (s *shelf) spaces() map[string]bool {
	m := make(map[string]bool)
	for name := range s.records() {
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
	records := shelfOf(name).records()
	if op := records[name]; op != nil {
		return op, true
	}
	if ops.IsInPlace(name) {
		if op := records[strings.TrimSuffix(name, "_")]; op != nil && op.InPlace {
			return op, true
		}
	}
	return numpy.UfuncMethod(name, func(name string) (*ops.Op, bool) {
		op, ok := records[name]
		return op, ok
	})
}

// RecordOf is the record of a library's function by any of its names; it is NoRecord where there is none.
func RecordOf(name string) *ops.Op {
	if op, ok := Lookup(name); ok {
		return op
	}
	return &NoRecord
}

// NoRecord stands for the record of what has none.
var NoRecord ops.Op

// IsTorch reports whether v is a tensor of PyTorch.
func IsTorch(v value.Value) bool {
	_, ok := v.(*value.Tensor)
	return ok && ArrayLibrary(v) == ops.Torch
}

// HasPrefix reports whether any record's name starts with prefix and a dot:
// whether a library namespace is known.
func HasPrefix(prefix string) bool { return shelfOf(prefix + ".").namespaces()[prefix] }

// Apply calls a record of any library under one of its names: see ops.Op.Apply. The error is that of ops.Op.Apply.
func Apply(th value.Thread, op *ops.Op, name string, args []value.Value, kw []value.Kw) (value.Value, error) {
	return op.Apply(th, LibraryOf(name), Lookup, name, args, kw)
}

// All calls f for every record.
func All(f func(*ops.Op)) {
	for _, s := range shelves {
		s.all(f)
	}
}

// Of calls f for every record of one library.
func Of(l *ops.Library, f func(*ops.Op)) {
	for _, s := range shelves {
		if s.library == l {
			s.all(f)
		}
	}
}

func (s *shelf) all(f func(*ops.Op)) {
	for _, fam := range s.families() {
		for i := range fam {
			f(&fam[i])
		}
	}
}
