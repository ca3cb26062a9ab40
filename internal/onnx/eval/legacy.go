package eval

// This file computes the forms that operators had before opset 7.

import (
	"slices"

	"shapecheck/internal/onnx/schema"
)

// legacy prepares a node of a version that opset 7 has replaced for the newest kernel. It
// reports whether the node is such a one.
func (c *call) legacy(op *schema.Op) bool {
	if op.Domain != "" || op.Since >= 7 || !slices.ContainsFunc(schema.Ops(), func(o *schema.Op) bool {
		return o.Domain == "" && o.Name == op.Name && o.Since > op.Since && o.Since <= 7
	}) {
		return false
	}
	var err error
	if c.Attrs, err = op.Decode(c.node, c.scope.attrs); err != nil {
		c.failf("%v", err)
	}
	switch op.Name {
	case "Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Greater", "Less", "Equal":
		c.aligned()
	case "PRelu":
		if x, slope := c.ranked(0, 1), c.arg(1); len(slope.Dims) == 1 && len(x.Dims) > 2 {
			c.ins[1] = slope.with(append([]int64{slope.Dims[0]}, slices.Repeat([]int64{1}, len(x.Dims)-2)...))
		}
	case "BatchNormalization", "Dropout":
		if c.int("is_test") == 0 {
			c.failf("training as it was before opset 7")
		}
	case "Gemm", "AveragePool":
	default:
		last := schema.Last("", op.Name)
		for _, a := range op.Attrs {
			if d := last.Attr(a.Name); a.Name != "consumed_inputs" && (d == nil || d.Type != a.Type) {
				c.failf("version %d of the operator is older than opset 7", op.Since)
			}
		}
	}
	return true
}

// aligned gives the second operand the dimensions that the attribute axis says; without
// broadcast both have the same sizes.
func (c *call) aligned() {
	x, y := c.arg(0), c.arg(1)
	if c.int("broadcast") == 0 {
		c.sized("the second operand", y, x.Dims...)
		return
	}
	if !c.has("axis") {
		return
	}
	axis := c.axis(c.int("axis"), len(x.Dims))
	rest := len(x.Dims) - axis - len(y.Dims)
	if rest < 0 {
		c.failf("an operand of the sizes %v at dimension %d of %v", y.Dims, axis, x.Dims)
	}
	c.ins[1] = y.with(append(slices.Clone(y.Dims), slices.Repeat([]int64{1}, rest)...))
}
