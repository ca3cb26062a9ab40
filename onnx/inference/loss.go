package inference

// This file holds losses, and the operators of training.

import "slices"

var lossOps = [...]op{
	{"NegativeLogLikelihoodLoss", loss, nil},
	{"SoftmaxCrossEntropyLoss", loss, nil},
}

// previewOps are those of the domain ai.onnx.preview.training.
var previewOps = [...]op{
	{"Adagrad", optimizer(3), nil},
	{"Adam", optimizer(4), nil},
	{"Momentum", optimizer(3), nil},
	{"Gradient", gradient, nil},
}

// loss: scores [N, C, …] and classes [N, …].
func loss(c *call) {
	x, ok := c.ranked(0, -2)
	y, ok2 := c.ranked(1, -1)
	if c.failed {
		return
	}
	if ok && ok2 {
		if len(y) != len(x)-1 {
			c.errorAt(1, "the classes %s do not fit the scores %s", c.in(1).Type, c.in(0).Type)
			return
		}
		for i, s := range y {
			j := i
			if i > 0 {
				j++
			}
			c.unify(s, x[j], "the classes %s do not fit the scores %s", c.in(1).Type, c.in(0).Type)
		}
		if c.failed {
			return
		}
	}
	switch r := c.a.String("reduction"); {
	case r != "none":
		c.out(0, c.elem(0), nil)
	case ok2:
		c.out(0, c.elem(0), y)
	case ok:
		c.out(0, c.elem(0), slices.Delete(slices.Clone(x), 1, 2))
	default:
		c.outUnranked(0, c.elem(0))
	}
	if len(c.outs) > 1 {
		c.outLike(1, c.elem(0), 0)
	}
}

// gradient gives what its first inputs, the variables, are like.
func gradient(c *call) {
	for i := range c.a.Strings("xs") {
		c.outLike(i, c.elem(i), i)
	}
}

// optimizer takes a rate, a step count, and then groups of tensors: the weights, the
// gradients and the states. The results are the new weights and states.
func optimizer(groups int) func(*call) {
	return func(c *call) {
		n := len(c.ins) - 2
		if n%groups != 0 || len(c.outs) != n/groups*(groups-1) {
			c.errorf("%d inputs and %d results do not fit", len(c.ins), len(c.outs))
			return
		}
		each := n / groups
		for i := range c.outs {
			from := 2 + i
			if i >= each { // the gradients have no results
				from += each
			}
			c.outLike(i, c.elem(from), from)
		}
	}
}
