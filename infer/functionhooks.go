package infer

// This file calls the hooks of Chainer's functions: what they see is made by package chainer's Python.

import (
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/value"
)

// hooksModule defines hooks of functions, and the table of those that are in force.
const hooksModule = "chainer.function_node"

// hasFunctionHooks reports whether hooks see the functions that run now.
func (vr *variables) hasFunctionHooks() bool {
	m := vr.modules[hooksModule]
	if m == nil {
		return false
	}
	v, _ := m.Attrs.Get("_hooks")
	hooks, ok := v.(*value.Dict)
	return v != nil && !(ok && hooks.Len() == 0 && hooks.Open == nil)
}

func callHooks(th value.Thread, name string, args ...value.Value) (value.Value, error) {
	m, err := th.Import(hooksModule)
	if err != nil {
		return nil, err
	}
	return th.CallMethod(m, name, args...)
}

// tellFunctionHooks tells the hooks of a record that has been applied: before and after it are one time for them, as
// nothing lies between.
func (vr *variables) tellFunctionHooks(op *ops.Op, c *creator, args []value.Value, kw []value.Kw) error {
	if op.Pure || c.none || !vr.hasFunctionHooks() {
		return nil
	}
	label, inputs := value.Value(value.None), value.Value(value.None)
	if c.label != "" {
		label = value.Str(c.label)
		inputs = vr.host.Unknown("the inputs of the function " + c.label)
	}
	if c.label != "" && c.exact {
		arrays := make([]value.Value, len(c.inputs))
		for i, x := range c.inputs {
			if chainer.IsVariable(x) {
				x = chainer.NewVariable(&vr.heap, vr.host.Class("numpy.ndarray"), x)
			}
			arrays[i] = x
		}
		inputs = value.NewTuple(arrays...)
	}
	_, err := callHooks(vr.host, "_tell_hooks", label, inputs)
	return err
}
