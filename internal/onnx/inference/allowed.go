package inference

// This file checks element types against what operators take.

import (
	"shapecheck/internal/onnx"
	"shapecheck/internal/onnx/schema"
)

// allowed checks the element types of a node's inputs.
func (c *call) allowed(known *schema.Op) {
	for i, v := range c.ins {
		if v != nil && !v.absent && v.Kind == onnx.TensorType && known.Rejects(i, v.Elem) {
			c.errorAt(i, "element type %s; in opset %d the operator takes %s there", v.Elem, c.version, known.Input(i).Types)
			return
		}
	}
}
