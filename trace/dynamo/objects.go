package dynamo

// This file notes what a graph of torch.compile asks of objects: their attributes, whether these are their own or of their classes, and
// what
// objects of classes that are not the program's hold. Each question becomes a guardedRead of the
// graph, under a source as Dynamo would print it in its guards. A later call compares the same
// reads with what it finds. A question is noted at the node of the running graph and at all its
// parents, as they inline what the node does.

import (
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer/value"
)

// dequeItems are the elements of a collections.deque. The deque is the model's own class of the
// prelude, with a list in _items. ok is false for any other object, and where the list is not known
// as a whole.
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

// partsOf notes the elements of a deque, and what a functools.partial holds. Dynamo guards the
// parts of both without a read by the program, as soon as the object is used. A partial has its
// function, the number of its positional arguments, each of them, and its keywords.
func (d *Run) partsOf(n *node, src string, v *value.Instance) {
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
	if fn, ok := v.Attrs.Get("func"); ok {
		d.note(n, src+".func", fn, false)
	}
	args, _ := v.Attrs.Get("args")
	d.read(n, &guardedRead{source: src + ".args", kind: readTuple, length: len(sequence(args))})
	for i, a := range sequence(args) {
		d.note(n, src+".args["+strconv.Itoa(i)+"]", a, false)
	}
	keywords, _ := v.Attrs.Get("keywords")
	if kw, ok := keywords.(*value.Dict); ok {
		d.read(n, &guardedRead{source: "keys of " + src + partialKeywords, kind: readKeys, length: kw.Len()})
		for i := range kw.Len() {
			d.note(n, src+partialKeywords+"["+keyText(kw.Key(i))+"]", kw.At(i), false)
		}
	}
}

// partialKeywords is the attribute with the keywords of functools.partial. It is part of a source,
// which attrMoved cuts at.
const partialKeywords = ".keywords"

// asksAttr notes that it is asked whether an object has an attribute, and what it is where getattr
// gives it. It is called for hasattr, and for getattr with a default, by which a missing attribute
// is no error. An object whose class has __getattr__ answers by itself, and this is not noted.
func (d *Run) asksAttr(name string, args []value.Value) {
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
	// Modules keep parameters, buffers and submodules in dicts of their own, and find them by
	// torch.nn.Module's __getattr__, which is no sign of an own one.
	if !has && d.isModule(base) {
		has = registered(base, attr, "_parameters", "_buffers", "_modules")
		fallback = false
	}
	if !has {
		if x, has = base.Class.Lookup(attr); !has && fallback { // the program's own __getattr__ tells
			return
		}
		d.ofClass(base, attr, x)
	} else {
		d.asksOwn(base, attr, true, nil)
	}
	// One read under each node that knows a source of the object; missing marks that the value is
	// asked for too.
	for p := d.node; p != nil; p = p.parent {
		src := p.paths[base]
		if src == "" {
			continue
		}
		if key := keyText(args[1]) + " in " + src; !p.hasRead(key) && !d.lost() {
			d.read(p, &guardedRead{source: key, kind: readAttribute, has: has, missing: name == "getattr"})
		}
	}
	if x != nil && name == "getattr" {
		d.Attr(base, attr, x)
	}
}

// ofClass notes that an object has no attribute of a name of its own: its class has one, or none of its classes. It gives the number of
// that
// class in the order in which they are looked in, -1 where another value than x is there, as a
// property. The class that has the value is found by identity in the method resolution order.
func (d *Run) ofClass(base *value.Instance, attr string, x value.Value) int {
	if base.Class.Prelude {
		return -1
	}
	d.asksOwn(base, attr, false, x)
	return slices.IndexFunc(base.Class.MRO, func(c *value.Class) bool {
		own, ok := c.Attrs.Get(attr)
		return ok && own == x
	})
}

// asksOwn notes whether an object itself has an attribute, and what its class has. class is kept in
// the read, so that a later call can tell whether the class's value is another one. An attribute
// that the graph itself wrote is not asked of its caller.
func (d *Run) asksOwn(base *value.Instance, attr string, has bool, class value.Value) {
	for p := d.node; p != nil; p = p.parent {
		src := p.paths[base]
		if src == "" {
			continue
		}
		if key := ownAttr(src + "." + attr); !p.hasRead(key) && !p.written[src+"."+attr] && !d.lost() {
			d.read(p, &guardedRead{source: key, kind: readOwn, has: has, scalar: class})
		}
	}
}

// ownAttr is the source of whether an object itself has an attribute, of the source of that. It is
// empty where the source does not end in an attribute, as for an element.
func ownAttr(src string) string {
	i := strings.LastIndexByte(src, '.')
	if i < 0 || strings.HasSuffix(src, "]") {
		return ""
	}
	return "'" + src[i+1:] + "' in " + src[:i] + ".__dict__"
}

// attrMoved says why an attribute of an object that a graph read is not what it was where it is found elsewhere now: in its class, where
// it was in the object, or in the object, where its class had it. GuardNone: neither, or it is
// equal. A read of the kind readOwn compares keys of __dict__; other reads find that their source
// is gone because the attribute moved.
func (was *guardedRead) attrMoved(now *framePart) GuardKind {
	if was.kind == readOwn {
		if !was.has && now.of[was.attr()] != nil {
			return GuardKeys
		}
		return GuardNone
	}
	// it has no such keyword
	if of, _, ok := strings.Cut(was.source, partialKeywords+"["); ok && now.of["keys of "+of+partialKeywords] != nil {
		return GuardOther
	}
	// The other graph did not ask for the attribute itself but for whether the object has it.
	r := now.of[ownAttr(was.source)]
	switch {
	case r == nil || r.has || was.scalar != nil && was.scalar == r.scalar:
		return GuardNone
	case was.ofModule:
		return GuardOther
	}
	return GuardValue
}

// attr is the source of an attribute, of whether the object itself has it.
func (was *guardedRead) attr() string {
	name, of, _ := strings.Cut(was.source, "' in ")
	return strings.TrimSuffix(of, ".__dict__") + "." + strings.TrimPrefix(name, "'")
}

// isModule reports whether an object is a torch.nn.Module. Subclasses count too; false where torch
// is not imported.
func (d *Run) isModule(v *value.Instance) bool {
	module := d.moduleClass()
	return module != nil && v.Class.IsSubclass(module)
}

// Attr notes that an attribute was read. It is called by the interpreter at each read of an
// attribute, with its value, so the cheap tests come first. Reads inside PyTorch's own code count
// only for what Dynamo guards of a layer: plain values, tensors, submodules. Dunder names are never
// noted, functions of classes are the business of the class.
func (d *Run) Attr(v value.Value, name string, x value.Value) {
	// A value that was handed on by a call is read here but not looked at.
	handed := d.site != nil
	if t, ok := v.(*value.Tuple); ok && d.node != nil {
		d.fieldOf(t, name, x)
	}
	d.site = nil
	if class, ok := v.(*value.Class); ok {
		d.classAttr(class, name, x)
		return
	}
	base, ok := v.(*value.Instance)
	if !ok || d.node == nil || strings.HasPrefix(name, "__") {
		return
	}
	// Containers such as Sequential are guarded by their dict of layers as a whole.
	if d.inLibrary() { // a layer: its numbers and flags
		switch x := x.(type) {
		case value.Int, value.Float, value.Bool, value.Str, value.NoneType, *value.Instance, *value.Tensor:
		case *value.Dict:
			if name == "_modules" && base.Class.Module == containers {
				d.layers(base, x)
			}
			return
		default:
			return
		}
		if strings.HasPrefix(name, "_") {
			return
		}
	}
	own, isOwn := base.Attrs.Get(name)
	function := isFunction(x)
	if function && d.inLibrary() {
		return
	}
	module := d.isModule(base)
	number, fixed, class := false, false, -1
	if module && d.ofLayer(base, name, x) {
		return
	}
	// Integers of modules are specialised by Dynamo and parameters and buffers do not change their
	// identity: neither is taken as a dynamic number.
	if module {
		_, number = x.(value.Int)
		fixed = registered(base, name, "_parameters", "_buffers")
		isOwn = isOwn || fixed || registered(base, name, "_modules")
	}
	// An attribute that is not the object's own is one of a class in its order: the source says
	// which.
	if !isOwn && !d.inLibrary() {
		raw := x
		if m, ok := x.(*value.BoundMethod); ok {
			raw = m.Func
		}
		if class = d.ofClass(base, name, raw); class < 0 || function { // a function of a class is not asked for again
			return
		}
	}
	if function && own != x {
		return
	}
	// Every node up to the root gets the read under its own path of the object.
	for p := d.node; p != nil; p = p.parent {
		src := p.paths[base]
		switch {
		case src == "":
			continue
		case class > 0:
			src = "type(" + src + ").__mro__[" + strconv.Itoa(class) + "]"
		case class == 0:
			src = "type(" + src + ")"
		}
		src += "." + name
		d.notes(p, src, x, fixed || number, !handed)
		if !module {
			continue
		}
		// Failures of a module's attribute have a kind of their own.
		if r := p.reads[src]; r != nil {
			r.ofModule, r.layer = true, isOwn && own == nil && !fixed
		}
	}
}

// isFunction reports whether a value is a function or method.
func isFunction(v value.Value) bool {
	switch v.(type) {
	case *value.Func, *value.BoundMethod, *value.Builtin:
		return true
	}
	return false
}

// registered reports whether a module has something of a name under one of the kinds. The kinds are
// _parameters, _buffers and _modules, which are dicts by name.
func registered(module *value.Instance, name string, kinds ...string) bool {
	for _, kind := range kinds {
		if v, ok := module.Attrs.Get(kind); ok {
			if tensors, ok := v.(*value.Dict); ok {
				if _, ok := tensors.GetStr(name); ok {
					return true
				}
			}
		}
	}
	return false
}

// classAttr notes that an attribute of a class of the program was read. A class without a path is a
// global of the program. Functions and dunder names are not noted.
func (d *Run) classAttr(c *value.Class, name string, x value.Value) {
	if c.Prelude || strings.HasPrefix(name, "__") || !d.host.OwnCode() {
		return
	}
	switch x.(type) {
	case *value.Func, *value.BoundMethod, *value.Builtin:
		return
	}
	for p := d.node; p != nil; p = p.parent {
		src := p.paths[c]
		if src == "" {
			src = "G['" + c.Name + "']"
			p.paths[c] = src
		}
		d.note(p, src+"."+name, x, false)
	}
}

// WriteAttr notes that an attribute was written. From now on the object is one that the program
// changed, and a read of that attribute in this graph is not one of what the caller gave.
func (d *Run) WriteAttr(v value.Value, name string, _ value.Value) {
	if d.changed == nil {
		d.changed = map[value.Value]bool{}
	}
	d.changed[v] = true
	for p := d.node; p != nil; p = p.parent {
		if src := p.paths[v]; src != "" {
			p.writes(src + "." + name)
		}
	}
}
