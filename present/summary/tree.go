package summary

// This file makes the rows: the calls of modules in the order of the run, each
// below the call that made it, with the containers between them, which are not
// called themselves (ModuleList), and last what was never called.

import (
	"fmt"
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// A Row is a call of a module, or a module that was not called.
type Row struct {
	// Class is the module's class without its package, Name the attribute that
	// holds it, Path the whole way from the model.
	Class, Name, Path string
	// Depth is 0 for the model; Index counts the rows of one depth from 1.
	Depth, Index int
	Called       bool
	// Leaf modules have no modules of their own.
	Leaf          bool
	Input, Output string // type strings; empty when it was not called
	// Own are the parameters that belong to no module below; Params those below,
	// too. What an earlier row has shown is not in them.
	Own, Params symshape.Dim
	// Trainable is "yes", "no", "partly", or empty without parameters.
	Trainable string
	// Again is set for a further call of the same module, Shared when all its
	// parameters belong to other modules, too, that come before.
	Again, Shared bool
	// More is how many further calls that are like this one are counted in its row.
	More int
	// MultAdds is torchinfo's number: of the module itself when it is a leaf,
	// otherwise the sum of the leaves below.
	MultAdds    symshape.Dim
	OutputBytes symshape.Dim
	Children    []*Row

	mod  *module
	call *infer.ModuleCall
}

// A module is a node of the model's tree.
type module struct {
	inst     *value.Instance
	name     string
	path     string
	parent   *module
	children []*module
	own      []param
	called   bool
	row      *Row // its first row
}

type param struct {
	name   string
	tensor *value.Tensor
	first  bool // no module before has it
}

func (m *module) leaf() bool { return len(m.children) == 0 }

func (m *module) isInside(a *module) bool {
	for p := m.parent; p != nil; p = p.parent {
		if p == a {
			return true
		}
	}
	return false
}

type tree struct {
	s      *Summary
	byInst map[*value.Instance]*module
	seen   map[*value.Tensor]bool
	order  []*module
	all    []*Row
	top    []*Row
	visit  value.Visit
}

func newTree(s *Summary) *tree {
	t := &tree{s: s, byInst: map[*value.Instance]*module{}, seen: map[*value.Tensor]bool{}}
	if s.res.Model != nil {
		t.add(s.res.Model, nil, "", "")
	}
	return t
}

// add adds a module and those below, in PyTorch's order.
func (t *tree) add(inst *value.Instance, parent *module, name, path string) *module {
	if m := t.byInst[inst]; m != nil {
		return m
	}
	m := &module{inst: inst, name: name, path: path, parent: parent}
	t.byInst[inst] = m
	t.order = append(t.order, m)
	each(inst, "_parameters", func(k string, v value.Value) {
		if x, ok := v.(*value.Tensor); ok {
			m.own = append(m.own, param{k, x, !t.seen[x]})
			t.seen[x] = true
		}
	})
	each(inst, "_modules", func(k string, v value.Value) {
		c, ok := v.(*value.Instance)
		if !ok {
			return
		}
		child := t.byInst[c]
		if child == nil && t.visit.Enter(c) {
			sub := k
			if path != "" {
				sub = path + "." + k
			}
			child = t.add(c, m, k, sub)
			t.visit.Leave()
		}
		if child != nil {
			m.children = append(m.children, child)
		}
	})
	return m
}

// each goes through a table of a module: _parameters, _modules.
func each(inst *value.Instance, table string, f func(name string, v value.Value)) {
	v, _ := inst.Attrs.Get(table)
	d, ok := v.(*value.Dict)
	if !ok {
		return
	}
	for i := range d.Len() {
		k, _ := value.AsStr(d.Key(i))
		f(k, d.At(i))
	}
}

// calls makes the rows of the calls.
func (t *tree) calls() {
	rows := make([]*Row, len(t.s.res.Calls))
	for i, c := range t.s.res.Calls {
		var above *Row
		if c.Parent >= 0 {
			above = rows[c.Parent]
		}
		m := t.byInst[c.Module]
		if m == nil { // not a part of the model
			m = t.add(c.Module, nil, c.Name, c.Name)
		}
		if above != nil && m.isInside(above.mod) {
			above = t.containers(above, m)
		}
		rows[i] = t.row(m, above, c)
	}
}

// containers gives the row of the module that holds m, made where it is missing
// below the row of a call.
func (t *tree) containers(above *Row, m *module) *Row {
	if m.parent == above.mod {
		return above
	}
	above = t.containers(above, m.parent)
	for _, r := range above.Children {
		if r.mod == m.parent && r.call == nil {
			return r
		}
	}
	return t.row(m.parent, above, nil)
}

func (t *tree) row(m *module, above *Row, c *infer.ModuleCall) *Row {
	r := &Row{Class: m.inst.Class.Name, Name: m.name, Path: m.path, Leaf: m.leaf(), mod: m, call: c, Again: m.row != nil}
	if m.row == nil {
		m.row = r
	}
	if above == nil {
		t.top = append(t.top, r)
	} else {
		r.Depth = above.Depth + 1
		above.Children = append(above.Children, r)
	}
	zero := t.s.res.Pool.ConstDim(0)
	r.Own, r.Params, r.MultAdds, r.OutputBytes = zero, zero, zero, zero
	if c != nil {
		r.Called, m.called = true, true
		r.Input, r.Output = list(c.In), ""
		if c.Out != nil {
			r.Output = c.Out.String()
			r.OutputBytes = t.s.allBytes(c.Out)
		}
		if m.leaf() {
			r.MultAdds = t.s.multAdds(m, c)
		}
	}
	t.all = append(t.all, r)
	return r
}

func list(in []value.Value) string {
	parts := make([]string, len(in))
	for i, v := range in {
		parts[i] = v.String()
	}
	return strings.Join(parts, ", ")
}

// uncalled adds rows for modules that hold parameters and were not called, so
// that the rows hold all parameters.
func (t *tree) uncalled() {
	for _, m := range t.order {
		if m.row != nil || len(m.own) == 0 {
			continue
		}
		t.row(m, t.rowAbove(m), nil)
	}
}

func (t *tree) rowAbove(m *module) *Row {
	p := m.parent
	if p == nil {
		return nil
	}
	if p.row == nil {
		return t.row(p, t.rowAbove(p), nil)
	}
	return p.row
}

// complete counts what the rows have.
func (t *tree) complete() {
	var walk func(r *Row)
	walk = func(r *Row) {
		t.params(r)
		for _, c := range r.Children {
			walk(c)
			if !r.mod.leaf() {
				r.MultAdds = t.s.res.Pool.DimAdd(r.MultAdds, c.MultAdds)
			}
		}
	}
	for _, r := range t.top {
		walk(r)
	}
}

// maxEqualCalls is how many calls of a module below one row that are equal but for their place have rows: loops call a cell for
// each step of a sequence.
const maxEqualCalls = 8

// rows gives the rows in order. Calls beyond maxEqualCalls are counted in the row of the last.
func (t *tree) rows() []*Row {
	var out []*Row
	index := map[int]int{}
	var walk func(r *Row)
	walk = func(r *Row) {
		index[r.Depth]++
		r.Index = index[r.Depth]
		out = append(out, r)
		r.Children = t.fold(r.Children)
		for _, c := range r.Children {
			walk(c)
		}
	}
	t.top = t.fold(t.top)
	for _, r := range t.top {
		walk(r)
	}
	return out
}

// fold counts calls in the rows of equal ones.
func (t *tree) fold(list []*Row) []*Row {
	type kind struct {
		mod  *module
		text string
	}
	last, met := map[kind]*Row{}, map[kind]int{}
	var out []*Row
	for _, r := range list {
		k := kind{r.mod, r.text()}
		if met[k]++; r.Again && met[k] > maxEqualCalls {
			last[k].add(r, t.s.res.Pool)
			continue
		}
		last[k] = r
		out = append(out, r)
	}
	return out
}

// text tells a row from others of its module: its types, and those of the rows below.
func (r *Row) text() string {
	var b strings.Builder
	var walk func(r *Row)
	walk = func(r *Row) {
		fmt.Fprintf(&b, "%p (%s) %s {", r.mod, r.Input, r.Output)
		for _, c := range r.Children {
			walk(c)
		}
		b.WriteByte('}')
	}
	walk(r)
	return b.String()
}

// add counts an equal call, and those below it.
func (r *Row) add(x *Row, p *symshape.Pool) {
	r.More++
	r.MultAdds, r.OutputBytes = p.DimAdd(r.MultAdds, x.MultAdds), p.DimAdd(r.OutputBytes, x.OutputBytes)
	for i, c := range r.Children {
		c.add(x.Children[i], p)
	}
}

// params counts the parameters of a row.
func (t *tree) params(r *Row) {
	p := t.s.res.Pool
	var on, all int
	hidden := true
	seen := map[*module]bool{}
	var walk func(m *module, own bool)
	walk = func(m *module, own bool) {
		if seen[m] {
			return
		}
		seen[m] = true
		for _, x := range m.own {
			all++
			if x.tensor.RequiresGrad {
				on++
			}
			if !x.first {
				continue
			}
			hidden = false
			n := t.s.numel(x.tensor)
			r.Params = p.DimAdd(r.Params, n)
			if own {
				r.Own = p.DimAdd(r.Own, n)
			}
		}
		for _, c := range m.children {
			walk(c, false)
		}
	}
	walk(r.mod, true)
	switch {
	case all == 0:
		return
	case on == all:
		r.Trainable = "yes"
	case on == 0:
		r.Trainable = "no"
	default:
		r.Trainable = "partly"
	}
	r.Shared = hidden
}
