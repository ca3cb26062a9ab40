package eval

// This file holds the recurrent networks.
//
// The equations and the order of gates are those of the operators' texts. Everything goes element
// by element of the batch, as plainly as the text says it: this is what the fast kernels are
// compared with.

import (
	"math"
	"slices"
	"strings"
)

// A recurrence is what RNN, GRU and LSTM have in common. Sizes are without layout: the
// input is [time, batch, features]. lens has for each element of the batch the number of steps.
type recurrence struct {
	c                                   *call
	x, w, r, b                          *Tensor
	time, batch, features, hidden, dirs int
	gates                               int
	lens                                []int64
	layout                              bool
	clip                                float64
}

// recurrence reads the operands of a network with a number of gates; biases are the
// number of them in the bias for each direction. It fails on sizes that do not fit each other, on
// unknown directions, and on lengths beyond the time.
func (c *call) recurrence(gates int) *recurrence {
	n := &recurrence{c: c, x: c.floatArg(0), w: c.floatArg(1), r: c.floatArg(2), b: c.opt(3), gates: gates, layout: c.int("layout") != 0}
	if len(n.x.Dims) != 3 || len(n.w.Dims) != 3 || len(n.r.Dims) != 3 {
		c.failf("operands of the sizes %v, %v, %v", n.x.Dims, n.w.Dims, n.r.Dims)
	}
	n.clip = math.Inf(1)
	if c.has("clip") {
		n.clip = c.float("clip")
	}
	if n.layout {
		n.x = c.transposed(n.x, []int{1, 0, 2})
	}
	n.time, n.batch, n.features = int(n.x.Dims[0]), int(n.x.Dims[1]), int(n.x.Dims[2])
	n.dirs, n.hidden = int(n.w.Dims[0]), int(n.r.Dims[2])
	want := 1
	switch d := c.text("direction"); d {
	case "forward", "reverse":
	case "bidirectional":
		want = 2
	default:
		c.failf("the direction %s", d)
	}
	if n.dirs != want {
		c.failf("weights of %d directions", n.dirs)
	}
	if c.has("hidden_size") && int(c.int("hidden_size")) != n.hidden {
		c.failf("hidden_size is %d, of weights of %d", c.int("hidden_size"), n.hidden)
	}
	rows := int64(gates * n.hidden)
	c.sized("the weights", n.w, int64(n.dirs), rows, int64(n.features))
	c.sized("the recurrent weights", n.r, int64(n.dirs), rows, int64(n.hidden))
	if n.b != nil {
		c.sized("the bias", c.floatArg(3), int64(n.dirs), 2*rows)
	}
	n.lens = slices.Repeat([]int64{int64(n.time)}, n.batch)
	if c.opt(4) != nil {
		n.lens = length(c, "the list of lengths", c.list(4), n.batch)
		for _, l := range n.lens {
			if l < 0 || l > int64(n.time) {
				c.failf("a length of %d of %d", l, n.time)
			}
		}
	}
	return n
}

// state reads an initial state [dirs, batch, hidden], or makes zeros. It is a copy, as steps
// change it.
func (n *recurrence) state(i int) []float64 {
	size := n.dirs * n.batch * n.hidden
	if n.c.opt(i) == nil {
		return make([]float64, size)
	}
	s := n.c.floatArg(i)
	if n.layout {
		n.c.sized("an initial state", s, int64(n.batch), int64(n.dirs), int64(n.hidden))
		s = n.c.transposed(s, []int{1, 0, 2})
	}
	n.c.sized("an initial state", s, int64(n.dirs), int64(n.batch), int64(n.hidden))
	return slices.Clone(s.F)
}

// run goes over directions, elements of the batch and time; step changes the states of
// one element. It returns the outputs Y and the states. A backward direction begins at the end of
// the element's own length; outputs behind the length stay zero.
func (n *recurrence) run(states [][]float64, step func(dir int, x []float64, s [][]float64)) []Value {
	c := n.c
	y := c.make(n.x.DType, []int64{int64(n.time), int64(n.dirs), int64(n.batch), int64(n.hidden)})
	for d := range n.dirs {
		back := d == 1 || c.text("direction") == "reverse"
		for b := range n.batch {
			own := make([][]float64, len(states))
			for k, s := range states {
				own[k] = s[(d*n.batch+b)*n.hidden:][:n.hidden]
			}
			for k := range int(n.lens[b]) {
				t := k
				if back {
					t = int(n.lens[b]) - 1 - k
				}
				c.tick(n.gates * n.hidden * (n.features + n.hidden))
				step(d, n.x.F[(t*n.batch+b)*n.features:][:n.features], own)
				copy(y.F[((t*n.dirs+d)*n.batch+b)*n.hidden:][:n.hidden], own[0])
			}
		}
	}
	outs := []Value{y}
	if n.layout {
		outs[0] = c.unrounded(y, []int{2, 0, 1, 3})
	}
	for _, s := range states {
		t := c.make(n.x.DType, []int64{int64(n.dirs), int64(n.batch), int64(n.hidden)})
		copy(t.F, s)
		if n.layout {
			t = c.unrounded(t, []int{1, 0, 2})
		}
		outs = append(outs, t)
	}
	return outs
}

// unrounded transposes what is rounded later.
func (c *call) unrounded(t *Tensor, perm []int) *Tensor {
	o := c.transposed(t, perm)
	o.fresh = true
	return o
}

// input is W·x + Wb of a row of gates, recurrent R·h + Rb.
func (n *recurrence) input(dir, row int, x []float64) float64 {
	rows := n.gates * n.hidden
	sum := 0.0
	for i, f := range n.w.F[(dir*rows+row)*n.features:][:n.features] {
		sum += f * x[i]
	}
	if n.b != nil {
		sum += n.b.F[dir*2*rows+row]
	}
	return sum
}

// recurrent is a row of the recurrent weights times the state, with the second bias.
func (n *recurrence) recurrent(dir, row int, h []float64) float64 {
	rows := n.gates * n.hidden
	sum := 0.0
	for i, f := range n.r.F[(dir*rows+row)*n.hidden:][:n.hidden] {
		sum += f * h[i]
	}
	if n.b != nil {
		sum += n.b.F[dir*2*rows+rows+row]
	}
	return sum
}

func (n *recurrence) clipped(x float64) float64 { return nanMax(-n.clip, nanMin(n.clip, x)) }

// activations are the functions of each direction, each of which takes its alpha and beta
// from the lists where it has them. The result has for each direction its functions in the order
// of names. alpha and beta are taken from their lists in the order of the functions that need
// them.
func (n *recurrence) activations(names ...string) [][]func(float64) float64 {
	c := n.c
	all := slices.Repeat(names, n.dirs)
	if c.has("activations") {
		given := c.texts("activations")
		if !c.Given("activations") && len(given) > len(all) {
			given = given[:len(all)] // the default is that of two directions
		}
		all = length(c, "activations", given, len(all))
	}
	var alphas, betas []float64
	if c.has("activation_alpha") {
		alphas = c.floats("activation_alpha")
	}
	if c.has("activation_beta") {
		betas = c.floats("activation_beta")
	}
	take := func(list *[]float64, op, attr string) float64 {
		if len(*list) == 0 {
			return c.defaultOf(op, attr)
		}
		f := (*list)[0]
		*list = (*list)[1:]
		return f
	}
	out := make([][]func(float64) float64, n.dirs)
	for i, name := range all {
		var f func(float64) float64
		switch strings.ToLower(name) {
		case "relu":
			f = relu
		case "tanh":
			f = math.Tanh
		case "sigmoid":
			f = sigmoid
		case "softsign":
			f = softsign
		case "softplus":
			f = softplus
		case "leakyrelu":
			alpha := take(&alphas, "LeakyRelu", "alpha")
			f = func(x float64) float64 { return leakyRelu(alpha, x) }
		case "thresholdedrelu":
			alpha := take(&alphas, "ThresholdedRelu", "alpha")
			f = func(x float64) float64 { return thresholdedRelu(alpha, x) }
		case "elu":
			alpha := take(&alphas, "Elu", "alpha")
			f = func(x float64) float64 { return elu(alpha, x) }
		case "hardsigmoid":
			alpha, beta := take(&alphas, "HardSigmoid", "alpha"), take(&betas, "HardSigmoid", "beta")
			f = func(x float64) float64 { return hardSigmoid(alpha, beta, x) }
		case "affine", "scaledtanh":
			if len(alphas) == 0 || len(betas) == 0 {
				c.failf("the activation %s without alpha and beta", name)
			}
			alpha, beta := take(&alphas, "", ""), take(&betas, "", "")
			f = func(x float64) float64 { return alpha*x + beta }
			if strings.ToLower(name) == "scaledtanh" {
				f = func(x float64) float64 { return alpha * math.Tanh(beta*x) }
			}
		default:
			c.failf("the activation %s", name)
		}
		out[i/len(names)] = append(out[i/len(names)], f)
	}
	return out
}

// rnnKernel is the simplest of the three; the others differ in the function of one step.
func rnnKernel(c *call) []Value {
	n := c.recurrence(1)
	act := n.activations("Tanh")
	return n.run([][]float64{n.state(5)}, func(dir int, x []float64, s [][]float64) {
		h := s[0]
		new := make([]float64, n.hidden)
		for i := range new {
			new[i] = act[dir][0](n.clipped(n.input(dir, i, x) + n.recurrent(dir, i, h)))
		}
		copy(h, new)
	})
}

// gruKernel has the gates z (update), r (reset), h. h' = (1 - z)·g(v) + z·h, where the reset gate
// acts on the state before its product, or with linear_before_reset on the product.
func gruKernel(c *call) []Value {
	n := c.recurrence(3)
	act := n.activations("Sigmoid", "Tanh")
	after := c.int("linear_before_reset") != 0
	return n.run([][]float64{n.state(5)}, func(dir int, x []float64, s [][]float64) {
		h, f, g := s[0], act[dir][0], act[dir][1]
		z, reset, new := make([]float64, n.hidden), make([]float64, n.hidden), make([]float64, n.hidden)
		for i := range h {
			z[i] = f(n.clipped(n.input(dir, i, x) + n.recurrent(dir, i, h)))
			j := n.hidden + i
			reset[i] = f(n.clipped(n.input(dir, j, x) + n.recurrent(dir, j, h)))
		}
		rh := make([]float64, n.hidden)
		for i := range h {
			rh[i] = reset[i] * h[i]
		}
		for i := range h {
			j := 2*n.hidden + i
			v := n.input(dir, j, x)
			if after {
				v += reset[i] * n.recurrent(dir, j, h)
			} else {
				v += n.recurrent(dir, j, rh)
			}
			new[i] = (1-z[i])*g(n.clipped(v)) + z[i]*h[i]
		}
		copy(h, new)
	})
}

// lstmKernel has the gates i (input), o (output), f (forget), c (cell), and peepholes. Peepholes
// let the input and forget gates see the old cell and the output gate the new one. With
// input_forget the forget gate is 1 - input.
func lstmKernel(c *call) []Value {
	n := c.recurrence(4)
	act := n.activations("Sigmoid", "Tanh", "Tanh")
	var peep []float64
	if c.opt(7) != nil {
		peep = c.sized("the peepholes", c.floatArg(7), int64(n.dirs), int64(3*n.hidden)).F
	}
	coupled := c.int("input_forget") != 0
	outs := n.run([][]float64{n.state(5), n.state(6)}, func(dir int, x []float64, s [][]float64) {
		h, cell, f, g, out := s[0], s[1], act[dir][0], act[dir][1], act[dir][2]
		gate := func(k, i int, seen float64, p int) float64 {
			row := k*n.hidden + i
			v := n.input(dir, row, x) + n.recurrent(dir, row, h)
			if peep != nil && p >= 0 {
				v += peep[(dir*3+p)*n.hidden+i] * seen
			}
			return n.clipped(v)
		}
		newH, newC := make([]float64, n.hidden), make([]float64, n.hidden)
		for i := range h {
			in := f(gate(0, i, cell[i], 0))
			forget := 1 - in
			if !coupled {
				forget = f(gate(2, i, cell[i], 2))
			}
			newC[i] = forget*cell[i] + in*g(gate(3, i, 0, -1))
			newH[i] = f(gate(1, i, newC[i], 1)) * out(newC[i])
		}
		copy(h, newH)
		copy(cell, newC)
	})
	return c.withContext(outs, c.ins...)
}
