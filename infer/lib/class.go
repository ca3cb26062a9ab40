package lib

// This file makes classes: method resolution order, layout, metaclass.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/value"
)

// NewClass makes a class as type.__new__ does, without calling __set_name__ and
// __init_subclass__ (FinishClass does). attrs is taken over as the namespace.
// meta is the metaclass that the statement gives, or nil; the class gets the most
// derived one of it and the bases' own. The error text is that of the TypeError
// that CPython raises.
func (w *World) NewClass(h *value.Heap, name, module string, bases []*value.Class, attrs *value.Attrs, meta *value.Class) (*value.Class,
	error) {
	if len(bases) == 0 {
		bases = []*value.Class{w.object}
	}
	if attrs == nil {
		attrs = h.NewAttrs()
	}
	c := &value.Class{Name: name, Qualname: name, Module: module, Bases: bases, Attrs: attrs}
	if q, ok := attrs.Get("__qualname__"); ok {
		if s, ok := q.(value.Str); ok {
			c.Qualname = string(s)
		}
		attrs.Delete(h, "__qualname__")
	}
	duplicate := firstDuplicate(bases)
	for _, b := range bases {
		if _, final := b.Data.(finalClass); final {
			return nil, fmt.Errorf("type '%s' is not an acceptable base type", b.Name)
		}
		if b == duplicate {
			return nil, fmt.Errorf("duplicate base class %s", b.Name)
		}
		if b.UnknownBase != nil {
			c.UnknownBase = b.UnknownBase
		}
		if c.Fields == nil {
			c.Fields = b.Fields
		}
	}
	var err error
	if c.Meta, err = w.metaclass(meta, bases); err != nil {
		return nil, err
	}
	if c.Layout, err = layoutOf(bases); err != nil {
		return nil, err
	}
	if c.MRO, err = linearise(h, c); err != nil {
		return nil, err
	}
	// A class that defines equality without a hash is not hashable.
	if _, ok := attrs.Get("__eq__"); ok {
		if _, ok := attrs.Get("__hash__"); !ok {
			attrs.Set(h, "__hash__", value.None)
		}
	}
	if _, ok := attrs.Get("__module__"); !ok {
		attrs.Set(h, "__module__", value.Str(module))
	}
	// These are static or class methods without a decorator.
	for _, n := range [...]string{"__init_subclass__", "__class_getitem__"} {
		if f, ok := attrs.Get(n); ok {
			if _, isFunc := f.(*value.Func); isFunc {
				attrs.Set(h, n, &value.ClassMethod{Func: f})
			}
		}
	}
	if f, ok := attrs.Get("__new__"); ok {
		if _, isFunc := f.(*value.Func); isFunc {
			attrs.Set(h, "__new__", &value.StaticMethod{Func: f})
		}
	}
	for _, b := range bases {
		w.subs[b] = append(w.subs[b], c)
	}
	return c, nil
}

// metaclass finds the most derived metaclass.
func (w *World) metaclass(meta *value.Class, bases []*value.Class) (*value.Class, error) {
	best := orClass(meta, w.typ)
	for _, b := range bases {
		m := orClass(b.Meta, w.typ)
		switch {
		case best.IsSubclass(m):
		case m.IsSubclass(best):
			best = m
		default:
			return nil, errors.New(
				"metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases")
		}
	}
	if best == w.typ {
		return nil, nil
	}
	return best, nil
}

// layoutOf finds the storage of instances: all bases that are not plain objects
// must agree on it, and on the builtin class that it comes from.
func layoutOf(bases []*value.Class) (value.Layout, error) {
	layout := value.ObjectLayout
	var solid *value.Class
	for _, b := range bases {
		if b.Layout == value.ObjectLayout {
			continue
		}
		s := solidBase(b)
		if solid != nil && !s.IsSubclass(solid) && !solid.IsSubclass(s) {
			return 0, errors.New("multiple bases have instance lay-out conflict")
		}
		layout, solid = b.Layout, s
	}
	return layout, nil
}

// solidBase is the builtin class that gives c its layout.
func solidBase(c *value.Class) *value.Class {
	for _, k := range c.MRO {
		if k.Module == "builtins" && k.Layout == c.Layout {
			return k
		}
	}
	return c
}

// firstDuplicate is the first class that occurs in a list again; nil where there is none.
func firstDuplicate(list []*value.Class) *value.Class {
	if len(list) < 2 {
		return nil
	}
	seen := make(map[*value.Class]bool, len(list))
	for _, c := range list {
		if seen[c] {
			return c
		}
		seen[c] = true
	}
	return nil
}

// linearise computes the C3 linearisation of c.
func linearise(h *value.Heap, c *value.Class) ([]*value.Class, error) {
	if len(c.Bases) == 1 {
		return append([]*value.Class{c}, c.Bases[0].MRO...), nil
	}
	lists := make([][]*value.Class, 0, len(c.Bases)+1)
	for _, b := range c.Bases {
		lists = append(lists, b.MRO)
	}
	lists = append(lists, c.Bases)
	total := 0
	for _, l := range lists {
		total += len(l)
	}
	h.Spend(4 * total)
	// A class follows when it is in the tail of no list. Where a class was rejected it is the head of its list
	// until it is taken, so that each step looks at the lists in front of that which it takes from.
	tails := make(map[*value.Class]int, total)
	heads := make(map[*value.Class][]int, len(lists)) // the lists whose first class it is
	for i, l := range lists {
		if len(l) > 0 {
			heads[l[0]] = append(heads[l[0]], i)
			for _, k := range l[1:] {
				tails[k]++
			}
		}
	}
	mro := []*value.Class{c}
	first := 0 // the lists before it are empty
	for {
		for first < len(lists) && len(lists[first]) == 0 {
			first++
		}
		if first == len(lists) {
			return mro, nil
		}
		at := first
		for at < len(lists) && (len(lists[at]) == 0 || tails[lists[at][0]] > 0) {
			at++
		}
		h.Spend((at - first) / 8)
		if at == len(lists) {
			return nil, inconsistent(lists)
		}
		pick := lists[at][0]
		mro = append(mro, pick)
		taken := heads[pick]
		delete(heads, pick)
		for _, i := range taken {
			l := lists[i][1:]
			if lists[i] = l; len(l) > 0 {
				tails[l[0]]--
				heads[l[0]] = append(heads[l[0]], i)
			}
		}
	}
}

// inconsistent is the error of bases that cannot be ordered; lists is what is left of them.
func inconsistent(lists [][]*value.Class) error {
	var names []string
	for _, l := range lists {
		if len(l) > 0 && !slices.Contains(names, l[0].Name) {
			names = append(names, l[0].Name)
		}
	}
	return errors.New("Cannot create a consistent method resolution\norder (MRO) for bases " + strings.Join(names, ", "))
}

// FinishClass does what type.__new__ does after the class exists: __set_name__ of
// the attributes, then __init_subclass__ of the parent with the keywords of the
// class statement. It returns the error of the first of these calls that raises one, and a TypeError for keywords that
// object.__init_subclass__ would get.
func (w *World) FinishClass(th value.Thread, c *value.Class, kw []value.Kw) error {
	for i := 0; i < c.Attrs.Len(); i++ {
		inst, ok := c.Attrs.At(i).(*value.Instance)
		if !ok {
			continue
		}
		f, ok := inst.Class.Lookup("__set_name__")
		if !ok {
			continue
		}
		if _, err := th.Call(f, []value.Value{inst, c, value.Str(c.Attrs.Name(i))}, nil); err != nil {
			return err
		}
	}
	for _, k := range c.MRO[1:] {
		f, ok := k.Attrs.Get("__init_subclass__")
		if !ok {
			continue
		}
		if k == w.object {
			if len(kw) > 0 && c.UnknownBase == nil {
				return th.Raise("TypeError", "%s.__init_subclass__() takes no keyword arguments", c.Name)
			}
			return nil
		}
		if cm, ok := f.(*value.ClassMethod); ok {
			f = cm.Func
		}
		_, err := th.Call(f, []value.Value{c}, kw)
		return err
	}
	return nil
}

// runningModule is the name of the module whose code runs, or other where that is not known.
func runningModule(th value.Thread, other string) string {
	if t, ok := th.(value.ModuleTeller); ok {
		if name := t.RunningModule(); name != "" {
			return name
		}
	}
	return other
}
