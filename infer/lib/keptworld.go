package lib

import (
	"maps"
	"slices"

	"shapecheck/infer/value"
)

// A KeptWorld is what a World knows of a program besides what is on the heap.
type KeptWorld struct {
	classes map[string]*value.Class
	subs    map[*value.Class][]*value.Class
	ids     map[any]int64
	loaded  *value.Attrs
}

// Keep copies what w knows of the program, for Rewind.
func (w *World) Keep() KeptWorld {
	return KeptWorld{maps.Clone(w.classes), copiedSubs(w.subs), maps.Clone(w.ids), w.loaded}
}

// Rewind has w know what it knew then.
func (w *World) Rewind(k KeptWorld) {
	w.classes, w.subs, w.ids, w.loaded = maps.Clone(k.classes), copiedSubs(k.subs), maps.Clone(k.ids), k.loaded
	w.depth = 0
}

func copiedSubs(m map[*value.Class][]*value.Class) map[*value.Class][]*value.Class {
	out := maps.Clone(m)
	for c, list := range out {
		out[c] = slices.Clip(list)
	}
	return out
}
