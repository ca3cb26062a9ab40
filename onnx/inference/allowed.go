package inference

// This file checks element types against what operators take and make.

import (
	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// allowed checks the types of a node's inputs: that they are tensors, sequences or what
// else the operator takes, and their elements. Those of ONNX+ are not defined so exactly.
func (c *call) allowed() {
	if c.op.Domain == schema.Chainer {
		return
	}
	for i, v := range c.ins {
		p := c.op.Input(i)
		switch {
		case v == nil || v.absent || p == nil:
		case v.Kind == onnx.TensorType:
			if c.op.Rejects(i, v.Elem) && !(c.upgraded && c.op.Took(i).Has(v.Elem)) {
				c.errorAt(i, "element type %s; in opset %d the operator takes %s there", v.Elem, c.version, p.Types)
				return
			}
		case !p.Types.Accepts(v.ONNX()):
			c.errorAt(i, "it is %s; in opset %d the operator takes %s there", v.Type, c.version, p.Types)
			return
		}
	}
}

// sameElements checks that tensors of one type variable have one element type.
func (c *call) sameElements() {
	if c.op.Domain == schema.Chainer {
		return
	}
	first := map[string]int{}
	for i, v := range c.ins {
		p := c.op.Input(i)
		if v == nil || v.absent || p == nil || p.Var == "" || p.Mixed || v.Kind != onnx.TensorType || v.Elem == onnx.Undefined {
			continue
		}
		k, ok := first[p.Var]
		if !ok {
			first[p.Var] = i
			continue
		}
		if elem := c.ins[k].Elem; elem != v.Elem {
			c.errorAt(i, "element type %s; that of input %d is %s, and the operator takes one there", v.Elem, k, elem)
			return
		}
	}
}

// makes checks the element types of the results, which attributes and other operands decide.
func (c *call) makes() {
	if c.op.Domain == schema.Chainer || c.op.Name == "Constant" { // models of old versions have constants of all types
		return
	}
	for i, v := range c.outs {
		p := c.op.Output(i)
		if v == nil || v.Type == nil || p == nil || p.Types == nil || p.Types.Tensors == 0 || v.Kind != onnx.TensorType ||
			v.Elem == onnx.Undefined {
			continue
		}
		if !p.Types.Tensors.Has(v.Elem) && !(c.upgraded && c.op.Made(i).Has(v.Elem)) {
			c.errorf("result %d has the element type %s; in opset %d the operator makes %s there", i, v.Elem, c.version, p.Types)
			return
		}
	}
}
