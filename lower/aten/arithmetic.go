package aten

// This file lowers arithmetic on two operands, which are promoted to the
// result's element type first.

import "shapecheck/internal/onnx"

var arithmeticRecords = []Record{
	{Op: "torch.add", Lower: addLike("Add")},
	{Op: "torch.sub", Lower: addLike("Sub")},
	{Op: "torch.mul", Lower: binary("Mul")},
	{Op: "torch.gt", Lower: compare("Greater")},
}

// binary lowers to one operator on both operands.
func binary(op string) func(c *Call) {
	return func(c *Call) {
		d := c.OutDType(0)
		c.Return(c.Op(op, In(c.Operand("input", d), c.Operand("other", d))))
	}
}

// addLike is input ± alpha·other.
func addLike(op string) func(c *Call) {
	return func(c *Call) {
		d := c.OutDType(0)
		other := c.Operand("other", d)
		if c.Has("alpha") && !isOne(c.Arg("alpha")) {
			other = c.Op("Mul", In(other, c.Number("alpha", d)))
		}
		c.Return(c.Op(op, In(c.Operand("input", d), other)))
	}
}

func isOne(o any) bool { return o == int64(1) || o == 1.0 }

// compare compares in the promoted type of the operands.
func compare(op string) func(c *Call) {
	return func(c *Call) {
		d := c.common("input", "other")
		c.Return(c.Op(op, In(c.Operand("input", d), c.Operand("other", d))))
	}
}

// common returns the element type to which PyTorch promotes two operands.
func (c *Call) common(a, b string) onnx.DType {
	d, ok := c.promoted(a, b)
	if !ok {
		c.Failf("the operands' types are not known")
	}
	return d
}
