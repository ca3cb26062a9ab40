package eval

// This file places the windows of convolutions and pools.

import (
	"slices"

	"shapecheck/onnx"
)

// A window says where a kernel of some spatial dimensions is laid.
type window struct {
	in, kernel, step, dilation, before, after, out []int64
}

// spatial reads an attribute with a number for each dimension, or gives n times 1.
func (c *call) spatial(name string, n int) []int64 {
	if !c.has(name) || len(c.ints(name)) == 0 {
		return slices.Repeat([]int64{1}, n)
	}
	list := length(c, name, c.ints(name), n)
	for _, x := range list {
		if x < 1 || x > 1<<31 {
			c.failf("%s is %v", name, list)
		}
	}
	return list
}

// pads are the attribute's, or zeros.
func (c *call) pads(n int) (before, after []int64) {
	list := make([]int64, 2*n)
	if c.has("pads") && len(c.ints("pads")) > 0 {
		list = length(c, "pads", c.ints("pads"), 2*n)
	}
	for _, x := range list {
		if x < 0 || x > 1<<31 {
			c.failf("pads are %v", list)
		}
	}
	return slices.Clone(list[:n]), slices.Clone(list[n:])
}

// window reads strides, dilations, pads, auto_pad and, for pools, ceil_mode. dilated
// says whether the operator has dilations.
func (c *call) window(in, kernel []int64, ceil bool) window {
	n := len(in)
	w := window{in: in, kernel: kernel, step: c.spatial("strides", n), dilation: c.spatial("dilations", n), out: make([]int64, n)}
	for _, k := range kernel {
		if k < 1 || k > 1<<31 {
			c.failf("a kernel of %v", kernel)
		}
	}
	w.before, w.after = c.pads(n)
	auto := ""
	if c.Knows("auto_pad") {
		auto = c.text("auto_pad")
	}
	for i := range n {
		extent := (kernel[i]-1)*w.dilation[i] + 1
		switch auto {
		case "NOTSET", "":
		case "VALID":
			w.before[i], w.after[i] = 0, 0
		case "SAME_UPPER", "SAME_LOWER":
			out := (in[i] + w.step[i] - 1) / w.step[i]
			total := max((out-1)*w.step[i]+extent-in[i], 0)
			w.before[i], w.after[i] = total/2, total-total/2
			if auto == "SAME_LOWER" {
				w.before[i], w.after[i] = w.after[i], w.before[i]
			}
		default:
			c.failf("auto_pad %s", auto)
		}
		room := in[i] + w.before[i] + w.after[i] - extent
		switch {
		case room >= 0:
			w.out[i] = room/w.step[i] + 1
			if ceil && room%w.step[i] != 0 && w.out[i]*w.step[i] < in[i]+w.before[i] {
				w.out[i]++ // a last window that begins within the input
			}
		case room == -w.step[i] || in[i] == 0 && (room > -w.step[i] || ceil && room > -2*w.step[i]): // none
		case ceil && room > -w.step[i]:
			w.out[i] = 1 // which is not full
		default:
			// The specification rounds a quotient down, runtimes round it towards zero.
			c.failf("a kernel of %v in %v", kernel, in)
		}
	}
	if _, err := onnx.Count(kernel); err != nil {
		c.failf("%v", err)
	}
	return w
}

// A tap is an element of a kernel that meets one of the input.
type tap struct{ in, kernel int }

// taps are those of the window at a place of the output, and the number of places in the
// padded input.
func (w window) taps(pos []int64) (list []tap, padded int) {
	n := len(pos)
	first, count := make([]int64, n), make([]int64, n) // the part of the kernel over the input
	padded = 1
	for i := range n {
		from := pos[i]*w.step[i] - w.before[i]
		upTo := func(end int64) int64 { // how many elements of the kernel lie before a place
			return min(max((end-from+w.dilation[i]-1)/w.dilation[i], 0), w.kernel[i])
		}
		if from < 0 {
			first[i] = upTo(0)
		}
		count[i] = max(upTo(w.in[i])-first[i], 0)
		padded *= int(upTo(w.in[i] + w.after[i]))
	}
	xs, ks := strides(w.in), strides(w.kernel)
	windows(count, func(k []int64) {
		var t tap
		for i := range k {
			at := first[i] + k[i]
			t.in += int(pos[i]*w.step[i]+at*w.dilation[i]-w.before[i]) * xs[i]
			t.kernel += int(at) * ks[i]
		}
		list = append(list, t)
	})
	return list, padded
}
