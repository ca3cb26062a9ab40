package dynamo

// This file notes what a call of a compiled function asks of dicts and sets: their keys guard a graph where they are asked for.

import (
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/trace/export"
)

// asksDict notes a call of a method of a dict.
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
	case all:
		d.everyKey(dict, name != "len", (name == "dict.values" || name == "dict.items") && !d.through)
	case len(args) > 1:
		d.hasKey(dict, args[1])
		if name != "dict.__contains__" { // what is there is asked for
			d.misses(dict, args[1], true)
		}
	}
}

// misses notes that a key that a dict has, or has not, is asked for, and not only whether it is there.
func (d *Run) misses(dict *value.Dict, key value.Value, has bool) {
	for p := d.node; p != nil; p = p.parent {
		if r := p.reads[keyText(key)+" in "+p.paths[dict]]; r != nil && r.has == has {
			r.missing = true
		}
	}
}

// keyText is a key as a source has it.
func keyText(key value.Value) string {
	if s, ok := key.(value.Str); ok {
		return "'" + string(s) + "'"
	}
	return key.String()
}

// hasKey notes that it is asked whether a dict or set has a key.
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

// valueUnder is the value under a key.
func (d *Run) valueUnder(dict *value.Dict, key value.Value) (v value.Value, found, known bool) {
	k, ok, err := d.host.Key(key)
	if err != nil || !ok || !dict.Plain() {
		return nil, false, false
	}
	v, found = dict.Get(k)
	return v, found, true
}

// elements notes that a program goes over a set or asks how many elements it has.
func (d *Run) elements(set *value.Set) {
	if d.node == nil || !d.host.OwnCode() || set.Open != nil {
		return
	}
	var texts []string
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

// everyKey notes that a program asks how many keys a dict has, which they are, or what is under them.
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

// literals are the elements of a set of numbers and texts, which is guarded as a whole; nil: it has others.
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
