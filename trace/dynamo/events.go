package dynamo

// This file has what Dynamo hears of a run: what a compiled function reads and writes, and what ends a graph.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
	"shapecheck/trace/export"
)

// Name notes that a variable is read.
func (d *Run) Name(f Frame, n *ast.Name, b resolve.Binding, v value.Value) {
	d.Evaluate(f, n)
	d.name(f, b, n.ID, v)
	d.Evaluated(f, n, v)
}

// Unpack notes that a call is given all elements of a dict.
func (d *Run) Unpack(dict *value.Dict) { d.everyKey(dict, true, true) }

// Contains notes that the program looks for a key.
func (d *Run) Contains(container, x value.Value) value.Value {
	d.hasKey(container, x)
	return x
}

// Iterator notes that the program goes through the keys of a dict or a set. It returns neither an iterator nor an
// error: Python's own goes on.
func (d *Run) Iterator(v value.Value) (*value.Iterator, error) {
	switch v := v.(type) {
	case *value.Dict:
		d.everyKey(v, true, false)
	case *value.Set:
		d.elements(v)
	}
	return nil, nil
}

// Format notes floats that are written into a text.
func (d *Run) Format(f Frame, v value.Value) value.Value {
	if !f.InLibrary() {
		d.fixes(v)
	}
	return v
}

// Call notes what a function of Python or torch does to a graph.
func (d *Run) Call(fn value.Value, args []value.Value) { d.calls(fn, args) }

// Perform notes the numbers that NumPy draws. The error is that of do.
func (d *Run) Perform(fn value.Value, args []value.Value, do func([]value.Value) (value.Value, error)) (value.Value, error) {
	v, err := do(args)
	if b, ok := fn.(*value.Builtin); ok && err == nil {
		d.drawsNumbers(b, v)
	}
	return v, err
}

// drawsNumbers notes a call of a function of numpy.random whose result is no part of the graph.
func (d *Run) drawsNumbers(fn *value.Builtin, v value.Value) {
	if _, ok := export.NumpyDraw(fn); ok && d.host.Recording() && !export.DrawsInGraph(fn, v, d.host.OwnCode()) {
		d.breaks()
	}
}

// Apply notes the numbers that an operation takes, and that the graph has it. The error is that of do.
func (d *Run) Apply(op *ops.Op, name string, args []value.Value, kw []value.Kw,
	do func([]value.Value) (value.Value, error)) (value.Value, error) {
	args = d.itemOf(op, args)
	d.asksCounts(op, args, kw)
	d.op(name, args)
	d.takesFloats(op, args, kw)
	d.asksElements(op, args, kw)
	v, err := do(args)
	d.computed(op.Form == graph.SetItem, v, err)
	return v, err
}

// Assert notes whether the condition of an assertion asks for the truth value of a tensor. The error is that of test.
func (d *Run) Assert(test func() (value.Value, error)) (value.Value, error) {
	outer, tensor := d.asserting, d.onTensor
	d.asserting, d.onTensor = true, false
	v, err := test()
	d.asserted = d.onTensor
	d.asserting, d.onTensor = outer, tensor
	return v, err
}

// asksElements notes an operation that asks elements: a graph ends at it.
func (d *Run) asksElements(op *ops.Op, args []value.Value, kw []value.Kw) {
	use := export.ElementUseOf(op, args, kw)
	if use.Class == "" || d.node == nil {
		return
	}
	if d.opts.Fullgraph && d.refused == "" {
		d.refused = use.Class
	}
	d.breaks()
}
