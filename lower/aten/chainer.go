package aten

// This file lowers Chainer's functions. Where they are PyTorch's by other names, the record of PyTorch's function lowers
// them (As); what Chainer defines otherwise is written here.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

const (
	chainerFunctions = "chainer.functions."
	chainerVariable  = "chainer.Variable."
)

var chainerRecords = []Record{
	{Op: chainerFunctions + "relu", As: "torch.relu", Args: "input=x"},
	{Op: chainerFunctions + "relu6", As: "torch.nn.functional.relu6", Args: "input=x"},
	{Op: chainerFunctions + "sigmoid", As: "torch.sigmoid", Args: "input=x"},
	{Op: chainerFunctions + "tanh", As: "torch.tanh", Args: "input=x"},
	{Op: chainerFunctions + "exp", As: "torch.exp", Args: "input=x"},
	{Op: chainerFunctions + "sin", As: "torch.sin", Args: "input=x"},
	{Op: chainerFunctions + "elu", As: "torch.nn.functional.elu", Args: "input=x alpha=alpha"},
	{Op: chainerFunctions + "leaky_relu", As: "torch.nn.functional.leaky_relu", Args: "input=x negative_slope=slope"},
	{Op: chainerFunctions + "softmax", As: "torch.softmax", Args: "input=x dim=axis"},
	{Op: chainerFunctions + "log_softmax", As: "torch.log_softmax", Args: "input=x dim=axis"},
	{Op: chainerFunctions + "clipped_relu", Lower: func(c *Call) { c.Return(c.emit.clip(c.first(), 0, c.Float("z"))) }},
	{Op: chainerFunctions + "hard_sigmoid", Lower: func(c *Call) { // min(max(0.2·x + 0.5, 0), 1)
		e := c.emit
		x := c.first()
		c.Return(e.clip(e.plus(e.mul(x, e.Scalar(x.DType, 0.2)), 0.5), 0, 1))
	}},
	{Op: chainerFunctions + "softplus", Lower: func(c *Call) { // PyTorch's is x itself above a threshold
		e := c.emit
		x := c.first()
		beta := c.Number("beta", x.DType)
		c.Return(e.over(e.Op("Softplus", In(e.mul(x, beta))), beta))
	}},
	{Op: chainerFunctions + "linear", Lower: chainerLinear},
	{Op: chainerFunctions + "concat", As: "torch.cat", Args: "tensors=xs dim=axis"},
	{Op: chainerFunctions + "stack", As: "torch.stack", Args: "tensors=xs dim=axis"},
	{Op: chainerFunctions + "sum", As: "torch.sum", Args: "input=x dim=axis keepdim=keepdims"},
	{Op: chainerFunctions + "log", As: "torch.log", Args: "input=x"},
	{Op: chainerFunctions + "sqrt", As: "torch.sqrt", Args: "input=x"},
	{Op: chainerFunctions + "erf", As: "torch.erf", Args: "input=x"},
	{Op: chainerFunctions + "maximum", As: "torch.maximum", Args: "input=x1 other=x2"},
	{Op: chainerFunctions + "clip", As: "torch.clamp", Args: "input=x min=x_min max=x_max"},
	{Op: chainerFunctions + "max", As: "torch.amax", Args: "input=x dim=axis keepdim=keepdims"},
	{Op: chainerFunctions + "expand_dims", As: "torch.unsqueeze", Args: "input=x dim=axis"},
	{Op: chainerFunctions + "broadcast_to", As: "torch.broadcast_to", Args: "self=x size=shape"},
	{Op: chainerFunctions + "tile", As: "torch.tile", Args: "self=x dims=reps"},
	{Op: chainerVariable + "__abs__", As: "torch.abs", Args: "input=x"},
	{Op: chainerVariable + "__add__", Lower: variablePair("Add", false)},
	{Op: chainerVariable + "__sub__", Lower: variablePair("Sub", false)},
	{Op: chainerVariable + "__rsub__", Lower: variablePair("Sub", true)},
	{Op: chainerVariable + "__mul__", Lower: variablePair("Mul", false)},
	{Op: chainerVariable + "__truediv__", Lower: variablePair("Div", false)},
	{Op: chainerVariable + "__rtruediv__", Lower: variablePair("Div", true)},
	{Op: chainerVariable + "__floordiv__", Lower: variablePair("Div", false, "Floor")},
	{Op: chainerVariable + "__rfloordiv__", Lower: variablePair("Div", true, "Floor")},
	{Op: chainerVariable + "__pow__", Lower: variablePair("Pow", false)},
	{Op: chainerVariable + "__rpow__", Lower: variablePair("Pow", true)},
}

// rename makes the call one of another function, whose arguments have other names: pairs "theirs=ours". An argument of
// theirs that is not named is None; more are arguments that are theirs alone.
func (c *Call) rename(op, names string, more ...graph.Arg) {
	n := *c.Node
	n.Op, n.Args = op, nil
	for _, pair := range strings.Fields(names) {
		theirs, ours, _ := strings.Cut(pair, "=")
		if v := c.Arg(ours); v != nil {
			n.Args = append(n.Args, graph.Arg{Name: theirs, Value: v})
			c.emit.reserve(theirs)
		}
	}
	for _, a := range more {
		n.Args = append(n.Args, a)
		c.emit.reserve(a.Name)
	}
	c.Node = &n
}

// flag is an argument of adapt.
func flag(name string) graph.Arg { return graph.Arg{Name: name, Value: graph.Bool(true)} }

// adapt lowers by the rule of another function, op, with the arguments of rename.
func adapt(rule func(c *Call), op, names string, more ...graph.Arg) func(c *Call) {
	return func(c *Call) {
		c.rename(op, names, more...)
		rule(c)
	}
}

// chainerLinear is x·Wᵀ + b; the axes of x after the first n_batch_axes are one.
func chainerLinear(c *Call) {
	batch, rank := c.Int("n_batch_axes"), int64(c.Rank("x"))
	switch {
	case batch == rank-1:
		c.rename("torch.nn.functional.linear", "input=x weight=W bias=b")
		linear(c)
	case batch == 1 && isFloat(c.OutDType(0)):
		x := c.emit.Op("Flatten", In(c.first()), onnx.IntAttr("axis", 1))
		c.Return(c.emit.Op("Gemm", In(x, c.Operand("W", x.DType), c.Opt("b")), onnx.IntAttr("transB", 1)))
	default:
		failf("%d of %d axes count examples: the others are joined, which is written for one axis of examples alone", batch, rank)
	}
}

// variablePair lowers an operator of a Variable: the other operand has, as an array or a number, the Variable's element type. The
// operators of then are applied
// to the result: Chainer rounds the quotient of floats, where NumPy corrects it by the remainder.
func variablePair(op string, swap bool, then ...string) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		d := c.OutDType(0)
		w := workType(d)
		if !isFloat(d) {
			alike := op == "Add" || op == "Sub" || op == "Mul"
			switch o := c.Arg("other").(type) {
			case *graph.Value:
				alike = alike && o.Type.DType == c.Type("x").DType
			case graph.Int:
			default:
				alike = false
			}
			if !alike || d == onnx.Bool {
				failf("of Variables of whole numbers it is not written")
			}
		}
		x, y := c.Operand("x", w), c.Operand("other", w)
		if swap {
			x, y = y, x
		}
		out := e.Cast(e.Op(op, In(x, y)), d)
		for _, next := range then {
			out = e.Op(next, In(out))
		}
		c.Return(out)
	}
}
