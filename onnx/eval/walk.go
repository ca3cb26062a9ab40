package eval

// This file goes over the elements of tensors.

// next counts to the next place.
func next(pos, dims []int64) {
	for a := len(dims) - 1; a >= 0; a-- {
		if pos[a]++; pos[a] < dims[a] {
			return
		}
		pos[a] = 0
	}
}

// dot is the place of an element.
func dot(pos []int64, steps []int) int {
	n := 0
	for i, p := range pos {
		n += int(p) * steps[i]
	}
	return n
}

// walk calls f for each place of a shape, in row-major order.
func (c *call) walk(dims []int64, f func(i int, pos []int64)) {
	pos := make([]int64, len(dims))
	for i := range count(dims) {
		c.tick(1)
		f(i, pos)
		next(pos, dims)
	}
}

// picked makes a tensor of which element pos is that of x at place(pos).
func (c *call) picked(x *Tensor, dims []int64, place func(pos []int64) int) *Tensor {
	out := c.make(x.DType, dims)
	out.fresh = false
	c.walk(dims, func(i int, pos []int64) { out.set(i, x, place(pos)) })
	return out
}

// windows calls f for each place of a small window.
func windows(dims []int64, f func(pos []int64)) {
	pos := make([]int64, len(dims))
	for range count(dims) {
		f(pos)
		next(pos, dims)
	}
}
