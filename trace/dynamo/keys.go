package dynamo

// This file notes what a call of a compiled function asks of dicts and sets: their keys guard a
// graph where they are asked for. Dynamo guards the keys of a dict as a list, in their order, if a
// program goes over it or asks for its length; else it guards only those keys that are asked for.
// Sets are guarded as a whole. As elsewhere in this package a read is noted at the running node and
// at all of its parents that know a source of the dict.

import (
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/trace/export"
)

// asksDict notes a call of a method of a dict. name is that of the method with its class, as
// dict.get; methods that are not in export.DictMethods ask for nothing, as those that write.
func (d *Run) asksDict(name string, args []value.Value) {
	all, ok := export.DictMethods[name]
	if !ok || len(args) == 0 {
		return
	}
	if set, ok := args[0].(*value.Set); ok {
		d.elements(set)
		return
	}
	dict, ok := args[0].(*value.Dict)
	if !ok {
		return
	}
	switch {
	// A method of all keys. len asks for their number alone; values and items also for the values,
	// unless these are read through an iterator, which notes each when it is reached.
	case all:
		d.everyKey(dict, name != "len", (name == "dict.values" || name == "dict.items") && !d.through)
	// A method of one key. dict.get and the like also ask for what is under it, which "in" does
	// not.
	case len(args) > 1:
		d.hasKey(dict, args[1])
		if name != "dict.__contains__" { // what is there is asked for
			d.misses(dict, args[1], true)
		}
	}
}

// misses notes that a key that a dict has, or has not, is asked for, and not only whether it is
// there. The difference decides which failure a later call is said to have: a key that came or
// went, or another value.
func (d *Run) misses(dict *value.Dict, key value.Value, has bool) {
	for p := d.node; p != nil; p = p.parent {
		if r := p.reads[keyText(key)+" in "+p.paths[dict]]; r != nil && r.has == has {
			r.missing = true
		}
	}
}

// keyText is a key as a source has it. It is not a literal of Python for every text: quotes in it
// are not escaped, as the text only serves to compare sources.
func keyText(key value.Value) string {
	if s, ok := key.(value.Str); ok {
		return "'" + string(s) + "'"
	}
	return key.String()
}

// hasKey notes that it is asked whether a dict or set has a key. Where the key or the container is
// not known as a whole, the graph's reads are lost from here on: what guards it cannot be told.
// Only code of the program counts.
func (d *Run) hasKey(container, key value.Value) {
	if d.node == nil || !d.host.OwnCode() {
		return
	}
	var v value.Value
	var found, known bool
	switch c := container.(type) {
	case *value.Dict:
		v, found, known = d.valueUnder(c, key)
	case *value.Set:
		k, ok, err := d.host.Key(key)
		found, known = c.Has(k), err == nil && ok && c.Plain() && c.Open == nil
	default:
		return
	}
	if !known {
		d.loses()
		return
	}
	for p := d.node; p != nil; p = p.parent {
		src := p.paths[container]
		if src == "" {
			continue
		}
		src += "[" + keyText(key) + "]"
		d.read(p, &guardedRead{source: keyText(key) + " in " + p.paths[container], kind: readKey, has: found})
		if found && v != nil {
			d.note(p, src, v, false)
		}
	}
}

// valueUnder is the value under a key. known is false where the key has no hash or is not known, or
// the dict may have other keys.
func (d *Run) valueUnder(dict *value.Dict, key value.Value) (v value.Value, found, known bool) {
	k, ok, err := d.host.Key(key)
	if err != nil || !ok || !dict.Plain() {
		return nil, false, false
	}
	v, found = dict.Get(k)
	return v, found, true
}

// elements notes that a program goes over a set or asks how many elements it has. They are sorted,
// since the order of a set is no part of its guard.
func (d *Run) elements(set *value.Set) {
	if d.node == nil || !d.host.OwnCode() || set.Open != nil {
		return
	}
	var texts []string
	// The read has both the number and the texts, so that a later failure can say which of them
	// differs.
	for _, e := range set.Inserted() {
		texts = append(texts, keyText(e))
	}
	slices.Sort(texts)
	for p := d.node; p != nil; p = p.parent {
		if src := p.paths[set]; src != "" {
			d.read(p, &guardedRead{source: "keys of " + src, kind: readKeys, length: len(texts), scalar: value.Str(strings.Join(texts, ", "))})
		}
	}
}

// everyKey notes that a program asks how many keys a dict has, which they are, or what is under
// them. which says whether their names are asked for, values whether what is under them is.
func (d *Run) everyKey(dict *value.Dict, which, values bool) {
	if d.node == nil || !d.host.OwnCode() {
		return
	}
	var keys []string
	for _, k := range dict.Keys() {
		keys = append(keys, keyText(k))
	}
	for p := d.node; p != nil; p = p.parent {
		src := p.paths[dict]
		if src == "" {
			continue
		}
		r := &guardedRead{source: "keys of " + src, kind: readKeys, length: len(keys)}
		if which {
			r.scalar = value.Str(strings.Join(keys, ", "))
		}
		d.read(p, r)
		for i, k := range keys {
			if values {
				d.note(p, src+"["+k+"]", dict.At(i), false)
			}
		}
	}
}

// literals are the elements of a set of numbers and texts, which is guarded as a whole; nil: it has
// others. Its result is a text for comparison, with the elements sorted.
func literals(set *value.Set) value.Value {
	var texts []string
	for _, e := range set.Inserted() {
		switch e.(type) {
		case value.Int, value.Float, value.Bool, value.Str, value.NoneType:
		default:
			return nil
		}
		texts = append(texts, keyText(e))
	}
	slices.Sort(texts)
	return value.Str(strings.Join(texts, ", "))
}
