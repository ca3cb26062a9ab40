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

// A WorldChange is the classes that came to a World.
type WorldChange struct {
	classes map[string]*value.Class
	derived []derivation
}

type derivation struct{ base, class *value.Class }

// Since returns what has come to w since it was kept; ok is false where anything but classes has.
func (w *World) Since(k KeptWorld) (change WorldChange, ok bool) {
	c := WorldChange{classes: map[string]*value.Class{}}
	for name, class := range w.classes {
		if old := k.classes[name]; old == nil {
			c.classes[name] = class
		} else if old != class {
			return WorldChange{}, false
		}
	}
	for base, list := range w.subs {
		for _, class := range list[min(len(k.subs[base]), len(list)):] {
			c.derived = append(c.derived, derivation{base, class})
		}
	}
	return c, len(w.ids) == len(k.ids) && w.loaded == k.loaded
}

// Add adds classes that had come to w before it went back.
func (w *World) Add(c WorldChange) {
	maps.Copy(w.classes, c.classes)
	for _, d := range c.derived {
		if !slices.Contains(w.subs[d.base], d.class) {
			w.subs[d.base] = append(w.subs[d.base], d.class)
		}
	}
}
