package inference

// This file checks element types against what operators take.

import (
	"shapecheck/internal/onnx"
	"shapecheck/internal/onnx/schema"
)

// allowed checks the element types of a node's inputs. Those of ONNX+ are not defined
// so exactly.
func (c *call) allowed() {
	if c.op.Domain == schema.Chainer {
		return
	}
	for i, v := range c.ins {
		if v != nil && !v.absent && v.Kind == onnx.TensorType && c.op.Rejects(i, v.Elem) && !(c.upgraded && c.op.Took(i).Has(v.Elem)) {
			c.errorAt(i, "element type %s; in opset %d the operator takes %s there", v.Elem, c.version, c.op.Input(i).Types)
			return
		}
	}
}
