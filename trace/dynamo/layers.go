package dynamo

// This file notes what layers of torch read of themselves: numbers, flags, parameters and buffers, several for each call of
// each layer. They are kept once, with the function that runs, and get their sources, which differ from function to function,
// when a graph is made.

import (
	"shapecheck/infer/value"
)

// A layerAttr is an attribute of a layer.
type layerAttr struct {
	of   *value.Instance
	name string
}

// A layerRead is an attribute that a layer reads of itself, and what it is then, without its source.
type layerRead struct {
	layerAttr
	is *guardedRead
}

// ofLayer notes an attribute that a layer of torch reads of itself; false: it is none, or has to be noted at once.
func (d *Run) ofLayer(base *value.Instance, name string, x value.Value) bool {
	if !d.inLibrary() || !base.Class.Prelude || d.element != "" || d.changed[base] {
		return false
	}
	fixed := registered(base, name, "_parameters", "_buffers")
	switch v := x.(type) {
	case value.Float, value.Bool, value.Str, value.NoneType:
	case value.Int:
		fixed = true
	case *value.Tensor: // sizes of parameters are never symbols
		fixed = fixed || v.Class != nil && v.Class.Prelude && v.Class.Name == "Parameter"
	default:
		return false
	}
	n, attr := d.node, layerAttr{base, name}
	if part, ok := n.layers[attr]; ok && part == n.part || d.lost() {
		return true
	}
	if n.layers == nil {
		n.layers = map[layerAttr]int{}
	}
	n.layers[attr] = n.part
	r := d.readOf("", x)
	r.fixed, r.ofModule = fixed, true
	n.events = append(n.events, event{layer: &layerRead{attr, r}})
	return true
}

// addLayer adds what a layer read of itself to a part of a function that reaches the layer.
func (p *framePart) addLayer(n *node, l *layerRead) {
	src := n.paths[l.of]
	if src == "" {
		return
	}
	r := *l.is
	r.source = src + "." + l.name
	if was := p.of[r.source]; was != nil { // more than one function looks at it
		was.lazy = nil
		return
	}
	p.add(&r)
}

// addLayers adds what layers read of themselves in a function that n called, and in those that this one called.
func (p *framePart) addLayers(n, called *node) {
	for _, e := range called.events {
		switch {
		case e.layer != nil:
			p.addLayer(n, e.layer)
		case e.child != nil:
			p.addLayers(n, e.child)
		}
	}
}
