package infer

// This file notes what a graph of torch.compile asks of objects that are not the program's own classes, and whether objects have attributes.

import (
	"strconv"

	"shapecheck/infer/value"
)

// dequeItems are the elements of a collections.deque.
func dequeItems(v *value.Instance) ([]value.Value, bool) {
	if !v.Class.Prelude || v.Class.Module != "collections" || v.Class.Name != "deque" {
		return nil, false
	}
	items, _ := v.Attrs.Get("_items")
	list, ok := items.(*value.List)
	if !ok || list.Open != nil {
		return nil, false
	}
	return list.Elems, true
}

// partsOf notes the elements of a deque, and what a functools.partial holds.
func (d *dynamoRun) partsOf(n *dynamoNode, src string, v *value.Instance) {
	if !v.Class.Prelude {
		return
	}
	items, _ := dequeItems(v)
	for i, e := range items {
		d.note(n, elementSource(src, i), e, false)
	}
	if v.Class.Module != "functools" || v.Class.Name != "partial" {
		return
	}
	args, _ := v.Attrs.Get("args")
	for i, a := range sequence(args) {
		d.note(n, src+".args["+strconv.Itoa(i)+"]", a, false)
	}
	keywords, _ := v.Attrs.Get("keywords")
	if kw, ok := keywords.(*value.Dict); ok {
		for i := range kw.Len() {
			d.note(n, src+".keywords["+keyText(kw.Key(i))+"]", kw.At(i), false)
		}
	}
}

// asksAttr notes that it is asked whether an object has an attribute, and what it is where getattr gives it.
func (d *dynamoRun) asksAttr(name string, args []value.Value) {
	if name != "hasattr" && (name != "getattr" || len(args) != 3) || len(args) < 2 {
		return
	}
	base, ok := args[0].(*value.Instance)
	attr, text := value.AsStr(args[1])
	if !ok || !text {
		return
	}
	x, has := base.Attrs.Get(attr)
	_, fallback := base.Class.Lookup("__getattr__")
	switch module := d.in.moduleClass(); {
	case has:
	case module != nil && base.Class.IsSubclass(module):
		has = registered(base, attr, "_parameters", "_buffers", "_modules")
		fallback = false
	}
	if !has {
		if _, has = base.Class.Lookup(attr); !has && fallback { // the program's own __getattr__ tells
			return
		}
	}
	for p := d.node; p != nil; p = p.parent {
		src := p.paths[base]
		if src == "" {
			continue
		}
		if key := keyText(args[1]) + " in " + src + ".__dict__"; !p.hasRead(key) && !d.lost() {
			d.read(p, &dynamoRead{source: key, kind: "attribute", has: has})
		}
	}
	if x != nil && name == "getattr" {
		d.attr(base, attr, x)
	}
}
