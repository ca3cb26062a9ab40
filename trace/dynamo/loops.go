package dynamo

// This file says which elements of a list or dict a loop of a graph of torch.compile looks at: Dynamo guards one when the variable
// that holds it is read, so that those of rounds that do not read it, or do not come, are not looked at.

import (
	"strings"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// A loopTarget is a variable of a loop that holds an element of what an expression gives, in each round the next one.
type loopTarget struct {
	of   ast.Expr
	name *ast.Name
}

// A heldVariable is a variable of a frame in its slot.
type heldVariable struct {
	frame Frame
	slot  int
}

// A heldElement is what such a variable holds, with its source in each of the functions that know what it is taken from.
type heldElement struct {
	v  value.Value
	of []heldSource
}

type heldSource struct {
	node  *node
	src   string
	fixed bool
}

// loopTargets are the variables of a loop over lists and dicts that hold elements as they are: for x in a, in enumerate(a), in zip(a, b),
// in
// d.items() and d.values().
func loopTargets(target, iter ast.Expr) []loopTarget {
	one := func(of, to ast.Expr) []loopTarget {
		if name, ok := to.(*ast.Name); ok {
			return []loopTarget{{of, name}}
		}
		return nil
	}
	c, ok := iter.(*ast.Call)
	if !ok {
		return one(iter, target)
	}
	var parts []ast.Expr
	if t, ok := target.(*ast.Tuple); ok {
		parts = t.Elts
	}
	switch fn := c.Func.(type) {
	case *ast.Name:
		switch {
		case fn.ID == "enumerate" && len(c.Args) > 0 && len(parts) == 2:
			return one(c.Args[0], parts[1])
		case fn.ID == "zip" && len(c.Args) == len(parts):
			var out []loopTarget
			for i, a := range c.Args {
				out = append(out, one(a, parts[i])...)
			}
			return out
		}
	case *ast.Attribute:
		switch {
		case fn.Attr.Name == "items" && len(c.Args) == 0 && len(parts) == 2:
			return one(fn.Value, parts[1])
		case fn.Attr.Name == "values" && len(c.Args) == 0:
			return one(fn.Value, target)
		}
	}
	return nil
}

// iterates notes the value of an expression whose elements a loop goes through one by one.
func (d *Run) iterates(e ast.Expr, v value.Value) {
	if d.iterated == nil {
		d.iterated = map[ast.Expr]value.Value{}
	}
	d.iterated[e] = v
}

// goesThrough reports whether a call is what a loop goes through one by one: enumerate, zip, or a method of a dict.
func (d *Run) goesThrough(e *ast.Call, fn value.Value) bool {
	targets := d.node.loops[e]
	if len(targets) == 0 {
		return false
	}
	name := ""
	switch fn := fn.(type) {
	case *value.Builtin:
		name = fn.Name
	case *value.Class:
		if d.host.IsBuiltin(fn) {
			name = fn.Name
		}
	}
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "enumerate", "zip", "items", "values":
		return true
	}
	return false
}

// Iterate notes that a round of a loop begins: its variables hold the elements of it.
func (d *Run) Iterate(f Frame, iter ast.Expr, i int) {
	if d.node == nil || f.InLibrary() {
		return
	}
	for _, t := range d.node.loops[iter] {
		v := d.iterated[t.of]
		elem, part := value.Value(nil), ""
		switch v := v.(type) {
		case *value.Dict:
			if i < v.Len() {
				elem, part = v.At(i), "["+keyText(v.Key(i))+"]"
			}
		default:
			if elems := sequence(v); i < len(elems) {
				elem, part = elems[i], elementSource("", i)
			}
		}
		if elem == nil {
			continue
		}
		h := heldElement{v: elem}
		for p := d.node; p != nil; p = p.parent {
			src := p.paths[v]
			if src == "" {
				continue
			}
			r := p.reads[src]
			h.of = append(h.of, heldSource{p, src + part, r != nil && r.fixed})
		}
		b := f.Binding(t.name)
		if b.Kind != resolve.Local && b.Kind != resolve.Cell {
			d.usesHeld(h, true)
			continue
		}
		if d.held == nil {
			d.held = map[heldVariable]heldElement{}
		}
		d.held[heldVariable{f, int(b.Slot)}] = h
	}
}

// readsHeld notes that a variable was read: the element that it holds, whose source in the innermost function it gives; empty: it holds
// none.
func (d *Run) readsHeld(f Frame, slot int, v value.Value, whole bool) string {
	h, ok := d.held[heldVariable{f, slot}]
	if !ok || h.v != v {
		return ""
	}
	d.usesHeld(h, whole)
	if len(h.of) > 0 && h.of[0].node == d.node {
		return h.of[0].src
	}
	return ""
}

func (d *Run) usesHeld(h heldElement, whole bool) {
	for _, s := range h.of {
		d.notes(s.node, s.src, h.v, s.fixed, whole)
	}
}
