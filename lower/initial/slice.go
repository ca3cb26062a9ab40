package initial

// This file finds the nodes on which a value depends.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
)

// isInit reports whether a node is one of torch.nn.init, and gives its kind.
func isInit(n *graph.Node) (string, bool) { return strings.CutPrefix(n.Op, graph.InitPrefix) }

// arg returns an argument of a node.
func arg(n *graph.Node, name string) graph.Operand {
	for _, a := range n.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// root is the value that made the memory of v.
func (d *Drawer) root(v *graph.Value) *graph.Value {
	for {
		switch from := d.shares[v]; {
		case from != nil:
			v = from
		case v.Base != nil:
			v = v.Base
		default:
			return v
		}
	}
}

// prepare notes who writes what.
func (d *Drawer) prepare() {
	for _, n := range d.nodes {
		if kind, ok := isInit(n); ok && kind == "share" {
			self, _ := arg(n, "self").(*graph.Value)
			from, _ := tensorArg(n)
			if self != nil && from != nil && d.root(from) != self {
				d.shares[self] = from
			}
		}
	}
	for i, n := range d.nodes {
		d.index[n] = i
		for _, o := range n.Outputs {
			d.defs[o] = n
		}
		d.writes(n, i)
	}
}

// tensorArg is the tensor that init.share and init.copy are given.
func tensorArg(n *graph.Node) (*graph.Value, bool) {
	if t, ok := arg(n, "args").(graph.Tuple); ok && len(t) == 1 {
		v, ok := t[0].(*graph.Value)
		return v, ok
	}
	return nil, false
}

// writes notes that node i of the entry writes the memory of values, also within its regions.
func (d *Drawer) writes(n *graph.Node, i int) {
	note := func(v *graph.Value) {
		r := d.root(v)
		if l := d.writers[r]; len(l) == 0 || l[len(l)-1] != i {
			d.writers[r] = append(l, i)
		}
	}
	if kind, ok := isInit(n); ok && kind != "share" {
		if self, ok := arg(n, "self").(*graph.Value); ok {
			note(self)
		}
	}
	for _, o := range n.Outputs {
		if o.Base == nil || ops.Writes(n) || !usesValue(n, o.Base) {
			note(o)
		}
	}
	for _, r := range n.Regions {
		for _, m := range r.Nodes {
			d.writes(m, i)
		}
	}
}

// usesValue reports whether v is an argument of n: an output whose base is not was
// written by out=.
func usesValue(n *graph.Node, v *graph.Value) bool {
	return slices.ContainsFunc(n.Args, func(a graph.Arg) (found bool) {
		graph.Operands(a.Value, func(u *graph.Value) { found = found || u == v })
		return found
	})
}

// slice lists the nodes before a place that v's elements depend on, in order.
func (d *Drawer) slice(v *graph.Value, before int) []int {
	in := map[int]bool{}
	type task struct {
		root   *graph.Value
		before int
	}
	var work []task
	need := func(v *graph.Value, before int) {
		work = append(work, task{d.root(v), before})
		for x := v; x != nil; { // the nodes that made the views on the way
			if n := d.defs[x]; n != nil && x.Base != nil && !ops.Writes(n) && usesValue(n, x.Base) {
				if i := d.index[n]; i < before && !in[i] {
					in[i] = true
					for _, a := range n.Args {
						graph.Operands(a.Value, func(u *graph.Value) { work = append(work, task{u, -i - 1}) })
					}
				}
			}
			if from := d.shares[x]; from != nil {
				x = from
			} else {
				x = x.Base
			}
		}
	}
	need(v, before)
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		if t.before < 0 {
			need(t.root, -t.before-1)
			continue
		}
		list := d.writers[t.root]
		for k := len(list) - 1; k >= 0; k-- {
			i := list[k]
			if i >= t.before {
				continue
			}
			n := d.nodes[i]
			if !in[i] {
				in[i] = true
				for _, a := range n.Args {
					graph.Operands(a.Value, func(u *graph.Value) { work = append(work, task{u, -i - 1}) })
				}
			}
			if d.overwrites(n, t.root) { // what was there before does not matter
				break
			}
		}
	}
	out := make([]int, 0, len(in))
	for i := range in {
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}

// overwrites reports whether a node writes all of a root's memory and reads nothing
// of it.
func (d *Drawer) overwrites(n *graph.Node, root *graph.Value) bool {
	var self *graph.Value
	if kind, ok := isInit(n); ok {
		if _, known := fills[kind]; !known && kind != "copy" && kind != "unknown" {
			return false
		}
		self, _ = arg(n, "self").(*graph.Value)
	} else if n.Is.Has(graph.Overwrites) && len(n.Args) > 0 {
		self, _ = n.Args[0].Value.(*graph.Value)
	}
	return self != nil && d.coversRoot(self, root)
}

// coversRoot reports whether v is all of the root's memory in its order.
func (d *Drawer) coversRoot(v, root *graph.Value) bool {
	for v != root {
		switch {
		case d.shares[v] != nil:
			v = d.shares[v]
		case v.Base == nil:
			return false
		case d.defs[v] != nil && (ops.Writes(d.defs[v]) || d.defs[v].Is.Has(graph.Ordered)):
			v = v.Base
		default:
			return false
		}
	}
	return true
}
