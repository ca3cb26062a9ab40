package inference

// This file holds normalisation and dropout.

import "shapecheck/onnx"

var normOps = [...]op{
	{"BatchNormalization", batchNorm, nil},
	{"InstanceNormalization", channelNorm, nil},
	{"GroupNormalization", groupNorm, nil},
	{"LayerNormalization", layerNorm, nil},
	{"RMSNormalization", rmsNorm, nil},
	{"LpNormalization", withAxis, nil},
	{"MeanVarianceNormalization", same, nil},
	{"LRN", same, nil},
	{"Dropout", dropout, nil},
}

// channels checks that a vector has as many elements as the input has channels.
func (c *call) channels(i int) expr {
	x, ok := c.dims(0)
	s, ok2 := c.ranked(i, 1)
	if c.failed || !ok2 {
		return nil
	}
	if ok && len(x) > 1 {
		return c.unify(s[0], x[1], "%q has %s and the input %s: channels", c.inputName(i), c.in(i).Type, c.in(0).Type)
	}
	return s[0]
}

// batchNorm has up to five results in its old versions: the normalised tensor and, in training,
// statistics like the operands 3 and 4.
func batchNorm(c *call) {
	// Without spatial, which version 9 dropped, there are statistics for each position.
	if c.version >= 7 && (!c.a.Has("spatial") || c.a.Bool("spatial")) {
		for i := 1; i < 5; i++ {
			c.channels(i)
		}
	}
	if c.failed {
		return
	}
	same(c)
	for i := 1; i < len(c.outs); i++ {
		from := 3
		if i == 2 || i == 4 {
			from = 4
		}
		c.outLike(i, c.elem(from), from)
	}
}

func channelNorm(c *call) {
	c.sameElem(0, 1, 2)
	c.channels(1)
	c.channels(2)
	if !c.failed {
		same(c)
	}
}

// groupNorm has one scale for each channel from opset 21 on, for each group before.
func groupNorm(c *call) {
	if c.version >= 21 {
		c.channels(1)
		c.channels(2)
	}
	if !c.failed {
		same(c)
	}
}

// layerNorm has the normalised tensor and, in the type stash_type, mean and inverse deviation
// with ones on the axes that were normalised.
func layerNorm(c *call) {
	same(c)
	stash := c.a.DType("stash_type")
	x, ok := c.dims(0)
	if !ok || c.failed {
		for i := 1; i < len(c.outs); i++ {
			c.outUnranked(i, stash)
		}
		return
	}
	a, ok := c.axis(c.a.Int("axis"), len(x))
	if !ok {
		return
	}
	c.broadcastTo(1, x)
	c.broadcastTo(2, x)
	stats := make([]expr, len(x))
	copy(stats, x[:a])
	for i := a; i < len(x); i++ {
		stats[i] = c.pool().Const(1)
	}
	for i := 1; i < len(c.outs); i++ {
		c.out(i, stash, stats)
	}
}

// rmsNorm has the scale's element type.
func rmsNorm(c *call) {
	if x, ok := c.dims(0); ok {
		if _, good := c.axis(c.a.Int("axis"), len(x)); !good {
			return
		}
		c.broadcastTo(1, x)
	}
	if !c.failed {
		c.outLike(0, c.elem(1), 0)
	}
}

// broadcastTo checks that input i can be broadcast to a shape.
func (c *call) broadcastTo(i int, to []expr) {
	s, ok := c.dims(i)
	if !ok {
		return
	}
	if len(s) > len(to) {
		c.errorAt(i, "%s has more dimensions than the input %s", c.in(i).Type, c.in(0).Type)
		return
	}
	for j, x := range s {
		if t := to[len(to)-len(s)+j]; low(x) >= 2 && c.e.neverEqual(x, t) {
			c.errorAt(i, "%s cannot be broadcast to the input %s", c.in(i).Type, c.in(0).Type)
			return
		}
	}
}

// dropout has a mask of booleans from opset 10 on.
func dropout(c *call) {
	same(c)
	mask := onnx.Bool
	if c.version < 10 {
		mask = c.elem(0)
	}
	if len(c.outs) > 1 {
		c.outLike(1, mask, 0)
	}
}
