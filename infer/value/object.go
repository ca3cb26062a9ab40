package value

// This file defines classes, instances, modules and the attribute tables that
// they share.

import (
	"maps"
	"slices"

	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// Attrs is an ordered table of attributes, the __dict__ of an object. Dict
// gives Python's view of it when code asks for one.
type Attrs struct {
	Header
	names []string
	vals  []Value
	index *attrsIndex // made when the table grows beyond a few names
	// layout, if set, says where the first names are: index is its own, and the names after them have none.
	layout *NameLayout
	// Class is that of the instance whose attributes these are, or nil.
	Class *Class
	// maybe are the names that are bound on some of the paths that met only.
	maybe map[string]Presence
	// open, if set, is why there may be other attributes, and other numbers and texts.
	open *Cause
}

// attrsScan is the size up to which a linear scan beats a map.
const attrsScan = 8

// A NameLayout is the names with which the tables of many objects begin. These tables share its index.
type NameLayout struct {
	names []string
	index *attrsIndex
}

// NewNameLayout makes a layout of names that differ.
func NewNameLayout(names ...string) *NameLayout {
	return &NameLayout{names: names, index: newAttrsIndex(names, len(names))}
}

// Begin gives an empty table the names of a layout, and their values.
func (a *Attrs) Begin(h *Heap, l *NameLayout, vals []Value) {
	h.Touch(a)
	n := len(l.names) + attrsScan
	a.names = append(make([]string, 0, n), l.names...)
	a.vals = append(make([]Value, 0, n), vals...)
	a.layout, a.index = l, l.index
}

// An attrsIndex finds names. Most names that a class is asked for are another class's: filter, in which each name has set
// a bit, says so without hashing the name.
type attrsIndex struct {
	at     map[string]int
	filter [4]uint64
}

func newAttrsIndex(names []string, size int) *attrsIndex {
	x := &attrsIndex{at: make(map[string]int, size)}
	for i, n := range names {
		x.add(n, i)
	}
	return x
}

func (x *attrsIndex) add(name string, i int) {
	x.at[name] = i
	word, bit := filterBit(name)
	x.filter[word] |= bit
}

// find gives -1 for a name that is not there.
func (x *attrsIndex) find(name string) int {
	if word, bit := filterBit(name); x.filter[word]&bit == 0 {
		return -1
	}
	if i, ok := x.at[name]; ok {
		return i
	}
	return -1
}

// filterBit is the bit of a name, from its length and three of its bytes.
func filterBit(name string) (word int, bit uint64) {
	n := len(name)
	if n == 0 {
		return 0, 1
	}
	h := uint(name[n/2])*7 ^ uint(name[n-1])*31 ^ uint(name[n/3])*13 ^ uint(n)*3
	return int(h >> 6 & 3), 1 << (h & 63)
}

func (a *Attrs) find(name string) int {
	if a == nil {
		return -1
	}
	from := 0
	if a.index != nil {
		if i := a.index.find(name); i >= 0 || a.layout == nil {
			return i
		}
		from = len(a.layout.names)
	}
	for i := from; i < len(a.names); i++ {
		if a.names[i] == name {
			return i
		}
	}
	return -1
}

// Get returns an attribute.
func (a *Attrs) Get(name string) (Value, bool) {
	i := a.find(name)
	if i < 0 {
		return nil, false
	}
	return a.vals[i], true
}

// Maybe reports whether an attribute is there on some of the paths only.
func (a *Attrs) Maybe(name string) bool {
	if a == nil {
		return false
	}
	_, ok := a.maybe[name]
	return ok
}

// Presence says when an attribute that Maybe tells of is there.
func (a *Attrs) Presence(name string) Presence { return a.maybe[name] }

// Open is why attributes may be there that the table does not have; nil: all are known.
func (a *Attrs) Open() *Cause {
	if a == nil {
		return nil
	}
	return a.open
}

// SetOpen notes a write to attributes of which the names are not known. It may have been
// to those in the table: of these keep names the ones that it did not reach.
func (a *Attrs) SetOpen(h *Heap, c *Cause, keep func(name string, v Value) bool) {
	h.Touch(a)
	if a.open == nil {
		a.open = c
	}
	for i, name := range a.names {
		if !keep(name, a.vals[i]) {
			a.vals[i] = &Unknown{Cause: a.open}
		}
	}
}

// A Presence is the condition under which an attribute is there: that Cond holds, or
// with Not that it does not. Cond is nil where no one condition tells.
type Presence struct {
	Cond *symshape.Cond
	Not  bool
}

// Grow makes room for n more attributes.
func (a *Attrs) Grow(n int) {
	n += len(a.names)
	a.names = append(make([]string, 0, n), a.names...)
	a.vals = append(make([]Value, 0, n), a.vals...)
	if n > attrsScan {
		a.layout, a.index = nil, newAttrsIndex(a.names, n)
	}
}

// Set writes an attribute.
func (a *Attrs) Set(h *Heap, name string, v Value) {
	h.Touch(a)
	if i := a.find(name); i >= 0 {
		a.vals[i] = v
		if a.Maybe(name) {
			a.maybe = maps.Clone(a.maybe) // the journal may hold the old one
			delete(a.maybe, name)
		}
		return
	}
	h.countMade()
	a.names = append(a.names, name)
	a.vals = append(a.vals, v)
	switch {
	case a.layout != nil:
		if len(a.names)-len(a.layout.names) > attrsScan {
			a.reindex()
		}
	case a.index != nil:
		a.index.add(name, len(a.names)-1)
	case len(a.names) > attrsScan:
		a.reindex()
	}
}

func (a *Attrs) reindex() {
	if l := a.layout; l != nil && len(a.names) >= len(l.names) && len(a.names)-len(l.names) <= attrsScan &&
		slices.Equal(a.names[:len(l.names)], l.names) {
		return
	}
	a.layout, a.index = nil, nil
	if len(a.names) > attrsScan {
		a.index = newAttrsIndex(a.names, 2*len(a.names))
	}
}

// Delete removes an attribute and reports whether it was there.
func (a *Attrs) Delete(h *Heap, name string) bool {
	i := a.find(name)
	if i < 0 {
		return false
	}
	h.Touch(a)
	a.names = append(append([]string(nil), a.names[:i]...), a.names[i+1:]...)
	a.vals = append(append([]Value(nil), a.vals[:i]...), a.vals[i+1:]...)
	a.reindex()
	return true
}

// Clear removes all attributes.
func (a *Attrs) Clear(h *Heap) {
	h.Touch(a)
	a.names, a.vals, a.layout, a.index, a.maybe, a.open = nil, nil, nil, nil, nil, nil
}

// Len returns the number of attributes.
func (a *Attrs) Len() int {
	if a == nil {
		return 0
	}
	return len(a.names)
}

// Name returns the i-th name in insertion order.
func (a *Attrs) Name(i int) string { return a.names[i] }

// At returns the i-th value in insertion order.
func (a *Attrs) At(i int) Value { return a.vals[i] }

// A Class is a Python class: the user's, the prelude's, or a builtin one.
type Class struct {
	Name     string
	Qualname string
	Module   string
	Bases    []*Class
	MRO      []*Class // starts with the class itself
	Attrs    *Attrs
	Meta     *Class // nil: type
	// Layout says which Go type instances have; subclasses inherit it.
	Layout Layout
	// Fields are the names of a namedtuple class, in order.
	Fields []string
	// UnknownBase is set when a base class could not be known: then a missing
	// attribute is Unknown and not an error.
	UnknownBase *Cause
	// Decorated is why a decorator, or the metaclass, is not known that was taken to leave the class as it is;
	// nil without one.
	Decorated *Cause
	// Prelude marks library classes that ship with shapecheck.
	Prelude bool
	At      source.Span
	// Data is for the library code that made the class (enum members, dataclass fields).
	Data any
}

// A Layout says how instances of a class are stored.
type Layout uint8

const (
	ObjectLayout Layout = iota // *Instance
	ScalarLayout               // *Instance with a Payload (int, float, str, bytes …) when subclassed
	TupleLayout
	ListLayout
	DictLayout
	SetLayout
	TensorLayout
	ClassLayout // metaclasses
)

// IsSubclass reports whether c is base or derives from it.
func (c *Class) IsSubclass(base *Class) bool {
	if c == base {
		return true
	}
	for _, k := range c.MRO {
		if k == base {
			return true
		}
	}
	return false
}

// Lookup finds a name along the MRO.
func (c *Class) Lookup(name string) (Value, bool) {
	for _, k := range c.MRO {
		if v, ok := k.Attrs.Get(name); ok {
			return v, true
		}
	}
	return nil, false
}

// FullName returns module.qualname, as "torch.nn.modules.conv.Conv2d".
func (c *Class) FullName() string {
	if c.Module == "" || c.Module == "builtins" {
		return c.Qualname
	}
	return c.Module + "." + c.Qualname
}

// An Instance is an object of a class with ObjectLayout or ScalarLayout.
type Instance struct {
	Class   *Class
	Attrs   *Attrs
	Payload Value // the builtin value of an instance of a subclass of int, str …; else nil
	// Data is for native library classes. It is not journaled: library code that
	// changes it must keep it monotone (caches) or immutable.
	Data any
}

// A Module is an imported module.
type Module struct {
	Name  string
	File  *source.File // nil for native modules
	Attrs *Attrs
	// Fallback gives attributes that are not in Attrs: lazily loaded submodules
	// and library functions. It may be nil.
	Fallback func(th Thread, name string) (Value, bool, error)
	// Package says that submodules may exist; Dirs are where.
	Package bool
	Dirs    []string
	Prelude bool
	// Partial is why top-level code stopped early, or set names that are not known; or nil: a
	// missing name is then Unknown.
	Partial *Cause
}

// Lost is why the module may have names and values that are not known: it stopped early, or something unknown was written into its
// __dict__; or nil.
func (m *Module) Lost() *Cause {
	if m.Partial != nil {
		return m.Partial
	}
	return m.Attrs.Open()
}

// A Cell is a variable that is shared with inner functions. V is nil while unbound.
type Cell struct {
	Header
	V Value
}

// Set writes the variable.
func (c *Cell) Set(h *Heap, v Value) {
	h.Touch(c)
	c.V = v
}

func (*Class) value()    {}
func (*Instance) value() {}
func (*Module) value()   {}
