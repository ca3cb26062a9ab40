package eval

// This file holds attention by a state that grows with time, and the convolution that
// stands before it.

import (
	"math"
	"slices"
)

// linearAttention keeps a matrix for each head of keys, to which each place of time adds
// the product of its key and value: S = exp(decay)·S + key·valueᵀ. The rules with delta
// take out before what the key already gives.
func linearAttention(c *call) []Value {
	q, k, v := c.floatArg(0), c.floatArg(1), c.floatArg(2)
	qh, kh := c.int("q_num_heads"), c.int("kv_num_heads")
	if kh < 1 || qh%kh != 0 || len(q.Dims) != 3 || len(k.Dims) != 3 || len(v.Dims) != 3 {
		c.failf("%d and %d heads of operands of the sizes %v, %v, %v", qh, kh, q.Dims, k.Dims, v.Dims)
	}
	a := c.attended(c.heads(q, qh), c.heads(k, kh), c.heads(v, kh))
	if a.keys != a.length {
		c.failf("%d queries and %d keys", a.length, a.keys)
	}
	rule := c.text("update_rule")
	gated, delta := rule == "gated" || rule == "gated_delta", rule == "delta" || rule == "gated_delta"
	decay, beta := c.opt(4), c.opt(5)
	if gated != (decay != nil) || delta != (beta != nil) {
		c.failf("the rule %s with decay %v and beta %v", rule, decay != nil, beta != nil)
	}
	b, t, heads := int64(a.batch), int64(a.length), int(kh)
	if decay != nil {
		if n := int64(decay.Len()) / max(b*t, 1); n != kh {
			c.sized("the decay", decay, b, t, kh*int64(a.size))
		} else {
			c.sized("the decay", decay, b, t, kh)
		}
	}
	if beta != nil && !slices.Equal(beta.Dims, []int64{b, t, 1}) {
		c.sized("beta", beta, b, t, kh)
	}
	d := q.DType
	shape := []int64{b, kh, int64(a.size), int64(a.value)}
	if past := c.opt(3); past != nil {
		d = c.sized("the state", c.floatArg(3), shape...).DType
	}
	state := c.make(d, shape)
	if past := c.opt(3); past != nil {
		copy(state.F, past.F)
	}
	scale := c.float("scale")
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(a.size))
	}
	y := c.make(q.DType, []int64{b, t, qh * int64(a.value)})
	at := func(x *Tensor, bi, ti, h, i int) float64 { // of [batch, time, …]
		n := x.Len() / (a.batch * a.length)
		switch n {
		case 1:
			return x.F[bi*a.length+ti]
		case heads:
			return x.F[(bi*a.length+ti)*n+h]
		}
		return x.F[(bi*a.length+ti)*n+h*a.size+i]
	}
	for bi := range a.batch {
		for h := range heads {
			s := state.F[(bi*heads+h)*a.size*a.value:][:a.size*a.value]
			for ti := range a.length {
				c.tick(a.size*a.value*(2+a.per) + 1)
				key := a.k.F[((bi*heads+h)*a.length+ti)*a.size:][:a.size]
				value := slices.Clone(a.v.F[((bi*heads+h)*a.length+ti)*a.value:][:a.value])
				if gated {
					for i := range a.size {
						f := math.Exp(at(decay, bi, ti, h, i))
						for m := range a.value {
							s[i*a.value+m] *= f
						}
					}
				}
				if delta {
					for m := range value {
						had := 0.0
						for i, f := range key {
							had += s[i*a.value+m] * f
						}
						value[m] = at(beta, bi, ti, h, 0) * (value[m] - had)
					}
				}
				for i, f := range key {
					for m, g := range value {
						s[i*a.value+m] += f * g
					}
				}
				for g := range a.per {
					qi := h*a.per + g
					query := a.q.F[((bi*a.heads+qi)*a.length+ti)*a.size:][:a.size]
					for m := range a.value {
						sum := 0.0
						for i, f := range query {
							sum += f * s[i*a.value+m]
						}
						y.F[((bi*a.length+ti)*a.heads+qi)*a.value+m] = scale * sum
					}
				}
			}
		}
	}
	return []Value{y, state}
}

// causalConv is a convolution of each channel with what came before, of which the last
// places are kept for the next call.
func causalConv(c *call) []Value {
	x, w := c.floatArg(0), c.floatArg(1)
	if len(x.Dims) != 3 || len(w.Dims) != 3 || w.Dims[2] < 1 {
		c.failf("an input of the sizes %v and weights of %v", x.Dims, w.Dims)
	}
	batch, ch, k := x.Dims[0], x.Dims[1], w.Dims[2]
	c.sized("the weights", w, ch, 1, k)
	past := c.opt(3)
	if past == nil {
		past = c.make(x.DType, []int64{batch, ch, k - 1})
	}
	c.sized("the state", past, batch, ch, k-1)
	all := c.concat([]*Tensor{past, x}, 2)
	out := c.like(x, x.DType)
	bias := c.opt(2)
	if bias != nil {
		c.vector("the bias", c.floatArg(2), ch)
	}
	act := c.text("activation")
	n := int(all.Dims[2])
	c.walk(x.Dims, func(i int, pos []int64) {
		row := int(pos[0]*ch+pos[1])*n + int(pos[2])
		sum := 0.0
		for j := range int(k) {
			sum += all.F[row+j] * w.F[int(pos[1]*k)+j]
		}
		c.tick(int(k))
		if bias != nil {
			sum += bias.F[pos[1]]
		}
		if act != "none" {
			sum = swish(1, sum)
		}
		out.F[i] = sum
	})
	return []Value{out, c.takeRange(all, 2, x.Dims[2], k-1)}
}
