package inference

// This file holds Fourier transforms and the windows for them.

import "slices"

var signalOps = [...]op{
	{"DFT", dft, nil},
	{"STFT", stft, nil},
	{"BlackmanWindow", signalWindow, nil},
	{"HammingWindow", signalWindow, nil},
	{"HannWindow", signalWindow, nil},
	{"MelWeightMatrix", melWeights, nil},
}

// scalar gives the one element of an integer input, or nil.
func (c *call) scalar(i int) expr {
	if list, ok := c.exprs(i); ok && len(list) == 1 {
		return list[0]
	}
	return nil
}

// dft: the last dimension holds real and imaginary parts. The axis is an attribute,
// from opset 20 on an input. One-sided, a real signal becomes half of the symmetric
// spectrum, and the inverse makes a real signal of that, of an even length unless it is
// given.
func dft(c *call) {
	in, ok := c.ranked(0, -2)
	if c.failed {
		return
	}
	if !ok {
		c.outUnranked(0, c.elem(0))
		return
	}
	at, known := int64(1), true
	if c.version >= 20 {
		at = -2
		if c.has(2) {
			x := c.scalar(2)
			if known = x != nil; known {
				at, known = x.Const()
			}
		}
	} else {
		at = c.a.Int("axis")
	}
	out := slices.Clone(in)
	oneSided, inverse := c.a.Bool("onesided"), c.a.Bool("inverse")
	p := c.pool()
	out[len(out)-1] = p.Const(2)
	if oneSided && inverse {
		out[len(out)-1] = p.Const(1)
	}
	if !known {
		if oneSided || c.has(1) { // some size changes
			clear(out[:len(out)-1])
		}
		c.out(0, c.elem(0), out)
		return
	}
	a, good := c.axis(at, len(in))
	if !good {
		return
	}
	if a == len(in)-1 {
		c.errorf("axis %d is that of the real and imaginary parts", at)
		return
	}
	n := in[a]
	if oneSided && inverse {
		n = p.Mul(p.Const(2), p.AddConst(n, -1))
	}
	if c.has(1) {
		n = c.scalar(1)
	}
	switch {
	case !oneSided || inverse:
		out[a] = n
	case n != nil:
		out[a] = p.AddConst(p.FloorDiv(n, p.Const(2)), 1)
	default:
		out[a] = nil
	}
	c.out(0, c.elem(0), out)
}

// stft cuts the signal [batch, length, 1 or 2] in frames: [batch, frames, bins, 2].
func stft(c *call) {
	in, ok := c.ranked(0, 3)
	if c.failed {
		return
	}
	p := c.pool()
	out := []expr{nil, nil, nil, p.Const(2)}
	frame := c.scalar(3)
	if c.has(2) {
		if w, sized := c.ranked(2, 1); sized {
			frame = w[0]
		}
	}
	if frame != nil {
		out[2] = frame
		if c.a.Bool("onesided") {
			out[2] = p.AddConst(p.FloorDiv(frame, p.Const(2)), 1)
		}
	}
	if ok {
		out[0] = in[0]
		if step := c.scalar(1); step != nil && frame != nil && low(step) >= 1 {
			if room := p.Sub(in[1], frame); room != nil {
				out[1] = p.AddConst(p.FloorDiv(room, step), 1)
			}
		}
	}
	if !c.failed {
		c.out(0, c.elem(0), out)
	}
}

func signalWindow(c *call) {
	d := c.a.DType("output_datatype")
	if !c.failed {
		c.out(0, d, []expr{c.scalar(0)})
	}
}

func melWeights(c *call) {
	d := c.a.DType("output_datatype")
	if c.failed {
		return
	}
	var bins expr
	if n := c.scalar(1); n != nil {
		bins = c.pool().AddConst(c.pool().FloorDiv(n, c.pool().Const(2)), 1)
	}
	c.out(0, d, []expr{bins, c.scalar(0)})
}
