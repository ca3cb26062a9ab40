package value

// This file finds writes to one of several objects: what an iteration that stands for
// all of a loop's has made is, once the loop is over, one object for those of every
// iteration. A write to one of them leaves the others as they were.

import "slices"

// Iterate begins the iteration number id of a loop of unknown length; what it returns
// ends it. Until done is called what is born still belongs to it.
func (h *Heap) Iterate(id int) (end, done func()) {
	outer := h.iter
	h.iter = uint32(id)
	h.running = append(h.running, h.iter)
	end = func() {
		h.running = slices.DeleteFunc(h.running, func(i uint32) bool { return i == uint32(id) })
	}
	return end, func() { h.iter = outer }
}

// noteSeveral notes that an object that stands for several is about to change.
// Tensors are left out: what stands for several in a list are their types.
func (h *Heap) noteSeveral(o Mutable) {
	switch o.(type) {
	case *List, *Dict, *Set, *Attrs:
	default:
		return
	}
	if !slices.ContainsFunc(h.several, func(e entry) bool { return e.obj == o }) {
		h.several = append(h.several, entry{o, o.save()})
	}
}

// Several gives the objects standing for several that were written to since it was
// last called, with their contents before.
func (h *Heap) Several() []Change {
	if len(h.several) == 0 {
		return nil
	}
	list := make([]Change, len(h.several))
	for i, e := range h.several {
		list[i] = Change{e.obj, e.contents}
	}
	h.several = nil
	return list
}
