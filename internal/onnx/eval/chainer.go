package eval

// This file lists the kernels of ONNX+, the domain org.chainer.

var chainer = map[opName]kernel{}

// withContext adds what the operator's gradient needs as a last output.
func (c *call) withContext(outs []Value, items ...Value) []Value {
	return append(outs, &Opaque{Kind: c.node.Op, Items: items, node: c})
}
