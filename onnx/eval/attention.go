package eval

// This file is attention.

import (
	"math"
	"slices"

	"shapecheck/onnx"
)

// heads turns [batch, length, heads·size] into [batch, heads, length, size].
func (c *call) heads(x *Tensor, n int64) *Tensor {
	if len(x.Dims) == 4 {
		return x
	}
	if len(x.Dims) != 3 || n < 1 || x.Dims[2]%n != 0 {
		c.failf("%d heads of a tensor of the sizes %v", n, x.Dims)
	}
	return c.transposed(x.with([]int64{x.Dims[0], x.Dims[1], n, x.Dims[2] / n}), []int{0, 2, 1, 3})
}

// attended are the operands of attention with heads apart. q, k and v are [batch, heads, length,
// size]; value is the size of a value.
type attended struct {
	q, k, v                *Tensor
	batch, heads, length   int
	size, keys, value, per int // per: query heads of each head of keys
}

// attended checks the three operands, [batch, heads, length, size]: there may be more heads of queries than of
// keys, and then several share one.
func (c *call) attended(q, k, v *Tensor) attended {
	for _, t := range []*Tensor{q, k, v} {
		if len(t.Dims) != 4 || t.F == nil {
			c.failf("an operand %s%v", t.DType, t.Dims)
		}
	}
	a := attended{q: q, k: k, v: v, batch: int(q.Dims[0]), heads: int(q.Dims[1]), length: int(q.Dims[2]), size: int(q.Dims[3]),
		keys: int(k.Dims[2]), value: int(v.Dims[3])}
	if k.Dims[0] != q.Dims[0] || k.Dims[3] != q.Dims[3] || !slices.Equal(k.Dims[:3], v.Dims[:3]) || k.Dims[1] < 1 || q.Dims[1]%k.Dims[1] != 0 {
		c.failf("operands of the sizes %v, %v, %v", q.Dims, k.Dims, v.Dims)
	}
	a.per = a.heads / int(k.Dims[1])
	return a
}

// scores are the products of a query with all keys, times scale. b, h and i are batch, head and
// row.
func (a attended) scores(b, h, i int, scale float64) []float64 {
	out := make([]float64, a.keys)
	q := a.q.F[((b*a.heads+h)*a.length+i)*a.size:][:a.size]
	for j := range out {
		k := a.k.F[((b*(a.heads/a.per)+h/a.per)*a.keys+j)*a.size:][:a.size]
		for e, f := range q {
			out[j] += f * k[e]
		}
		out[j] *= scale
	}
	return out
}

// mix adds values up by their weights.
func (a attended) mix(b, h int, weights []float64) []float64 {
	out := make([]float64, a.value)
	for j, w := range weights {
		v := a.v.F[((b*(a.heads/a.per)+h/a.per)*a.keys+j)*a.value:][:a.value]
		for e, f := range v {
			out[e] += w * f
		}
	}
	return out
}

// attention is the operator with masks, a window, a cache and grouped heads. A query that
// may see no key gives zeros. The steps are those of the operator's text: scores, soft cap, bias
// and exclusions, softmax, weighted sum; qk_matmul_output_mode says after which of them the
// scores are the fourth result. A window counts from the query's position, which past keys move.
func attention(c *call) []Value {
	q := c.floatArg(0)
	flat := len(q.Dims) == 3
	k, v := c.heads(c.floatArg(1), c.int("kv_num_heads")), c.heads(c.floatArg(2), c.int("kv_num_heads"))
	q = c.heads(q, c.int("q_num_heads"))
	past := int64(0)
	if (c.opt(4) == nil) != (c.opt(5) == nil) {
		c.failf("past keys without past values, or values without keys")
	}
	if c.opt(4) != nil {
		k, v = c.concat([]*Tensor{c.arg(4), k}, c.axis(2, len(c.arg(4).Dims))), c.concat([]*Tensor{c.arg(5), v}, c.axis(2, len(c.arg(5).Dims)))
		past = c.arg(4).Dims[2]
	}
	a := c.attended(q, k, v)
	scale := 1 / math.Sqrt(float64(a.size))
	if c.has("scale") {
		scale = c.float("scale")
	}
	offsets := slices.Repeat([]int64{past}, a.batch)
	var used []int64
	if c.opt(6) != nil {
		used = length(c, "the list of lengths", c.list(6), a.batch)
		if c.opt(4) == nil {
			for b := range offsets {
				offsets[b] = used[b] - int64(a.length)
			}
		}
	}
	mask := c.mask(a)
	left, right := int64(-1), int64(-1)
	if c.has("left_window_size") {
		left, right = c.int("left_window_size"), c.int("right_window_size")
	}
	causal, softcap, mode := c.int("is_causal") != 0, c.float("softcap"), c.int("qk_matmul_output_mode")
	y := c.make(q.DType, []int64{int64(a.batch), int64(a.heads), int64(a.length), int64(a.value)})
	seen := c.make(q.DType, []int64{int64(a.batch), int64(a.heads), int64(a.length), int64(a.keys)})
	row := 0
	for b := range a.batch {
		for h := range a.heads {
			for i := range a.length {
				c.tick(a.keys*(a.size+a.value) + 1)
				s := a.scores(b, h, i, scale)
				show := seen.F[row*a.keys:][:a.keys]
				copy(show, s)
				if softcap > 0 {
					for j := range s {
						s[j] = softcap * math.Tanh(s[j]/softcap)
					}
				}
				if mode == 1 {
					copy(show, s)
				}
				none := true
				for j := range s {
					bias := mask(b, h, i, j)
					ahead := int64(j) - int64(i) - offsets[b]
					if causal && ahead > 0 || left >= 0 && -ahead > left || right >= 0 && ahead > right || used != nil && int64(j) >= used[b] {
						bias += math.Inf(-1)
					}
					s[j] += bias
					none = none && math.IsInf(bias, -1)
				}
				if mode == 2 {
					copy(show, s)
				}
				softmax(s, false)
				if none {
					clear(s)
				}
				if mode == 3 {
					copy(show, s)
				}
				copy(y.F[row*a.value:], a.mix(b, h, s))
				row++
			}
		}
	}
	if flat {
		y = c.unrounded(y, []int{0, 2, 1, 3}).with([]int64{int64(a.batch), int64(a.length), int64(a.heads * a.value)})
	}
	return []Value{y, k, v, seen}
}

// mask gives what is added to a score. A mask that has fewer keys excludes the others. Bools
// exclude by -∞. It fails on sizes that do not broadcast.
func (c *call) mask(a attended) func(b, h, i, j int) float64 {
	m := c.opt(3)
	if m == nil {
		return func(_, _, _, _ int) float64 { return 0 }
	}
	if m.F == nil && m.DType != onnx.Bool || len(m.Dims) < 1 || len(m.Dims) > 4 {
		c.failf("a mask %s%v", m.DType, m.Dims)
	}
	full := []int64{int64(a.batch), int64(a.heads), int64(a.length), int64(a.keys)}
	steps := make([]int, 4)
	own := strides(m.Dims)
	for i, d := range m.Dims {
		at := 4 - len(m.Dims) + i
		switch {
		case at == 3 && d <= full[3], d == full[at]:
			steps[at] = own[i]
		case d != 1:
			c.failf("a mask of the sizes %v for scores of %v", m.Dims, full)
		}
	}
	keys := int(m.Dims[len(m.Dims)-1])
	return func(b, h, i, j int) float64 {
		if j >= keys {
			return math.Inf(-1)
		}
		at := b*steps[0] + h*steps[1] + i*steps[2] + j*steps[3]
		switch {
		case m.F != nil:
			return m.F[at]
		case m.I[at] != 0:
			return 0
		}
		return math.Inf(-1)
	}
}

// flexAttention lets graphs change scores and probabilities, which have the type of
// softmax_precision. Each graph gets the whole tensor of scores.
func flexAttention(c *call) []Value {
	a := c.attended(c.arg(0), c.arg(1), c.arg(2))
	scale := 1 / math.Sqrt(float64(a.size))
	if c.has("scale") {
		scale = c.float("scale")
	}
	d := onnx.Float
	if c.has("softmax_precision") {
		d = onnx.DType(c.int("softmax_precision"))
	} else if a.q.DType == onnx.Double {
		d = onnx.Double
	}
	if !isFloat(d) {
		c.failf("a softmax of %s", d)
	}
	s := c.make(d, []int64{int64(a.batch), int64(a.heads), int64(a.length), int64(a.keys)})
	y := c.make(a.v.DType, []int64{int64(a.batch), int64(a.heads), int64(a.length), int64(a.value)})
	rows := func(f func(b, h, i, row int)) {
		row := 0
		for b := range a.batch {
			for h := range a.heads {
				for i := range a.length {
					c.tick(a.keys*(a.size+a.value) + 1)
					f(b, h, i, row)
					row++
				}
			}
		}
	}
	rows(func(b, h, i, row int) { copy(s.F[row*a.keys:], a.scores(b, h, i, scale)) })
	s = c.modified("score_mod", s)
	rows(func(_, _, _, row int) { softmax(s.F[row*a.keys:][:a.keys], false) })
	s = c.modified("prob_mod", s)
	rows(func(b, h, _, row int) { copy(y.F[row*a.value:], a.mix(b, h, s.F[row*a.keys:][:a.keys])) })
	return []Value{y}
}

// modified runs a graph over a tensor, if there is one.
func (c *call) modified(name string, s *Tensor) *Tensor {
	if !c.has(name) {
		return s
	}
	s.round(c.tick)
	outs := c.sub(c.body(name), []Value{s})
	if len(outs) != 1 {
		c.failf("%s has %d outputs", name, len(outs))
	}
	t, ok := outs[0].(*Tensor)
	if !ok || t.DType != s.DType {
		c.failf("%s gives %s", name, describe(outs[0]))
	}
	c.sized("the result of "+name, t, s.Dims...)
	return c.copied(t)
}

// rotaryEmbedding turns pairs of features by angles of their positions. A pair (x1, x2) becomes
// (cos·x1 - sin·x2, sin·x1 + cos·x2); pairs are neighbours when interleaved, else halves of the
// row.
func rotaryEmbedding(c *call) []Value {
	x, cos, sin := c.floatArg(0), c.floatArg(1), c.floatArg(2)
	flat := len(x.Dims) == 3
	h := c.heads(x, c.int("num_heads"))
	if len(h.Dims) != 4 {
		c.failf("a tensor of %d dimensions", len(x.Dims))
	}
	batch, length, size := h.Dims[0], h.Dims[2], int(h.Dims[3])
	dim := int(c.int("rotary_embedding_dim"))
	if dim == 0 {
		dim = size
	}
	if dim < 0 || dim > size || dim%2 != 0 {
		c.failf("rotary_embedding_dim is %d of %d", dim, size)
	}
	half := dim / 2
	place := func(b, t int) int { return b*int(length) + t }
	if ids := c.opt(3); ids != nil {
		c.sized("the positions", ids, batch, length)
		list := c.list(3)
		if len(cos.Dims) != 2 {
			c.failf("angles of the sizes %v", cos.Dims)
		}
		place = func(b, t int) int { return int(c.place(list[b*int(length)+t], cos.Dims[0])) }
		c.sized("the cosines", cos, cos.Dims[0], int64(half))
	} else {
		c.sized("the cosines", cos, batch, length, int64(half))
	}
	c.sized("the sines", sin, cos.Dims...)
	out := c.copied(h)
	interleaved := c.int("interleaved") != 0
	for row := range h.Len() / max(size, 1) {
		c.tick(size)
		t := row % int(length)
		b := row / (int(length) * int(h.Dims[1]))
		p := place(b, t) * half
		for i := range half {
			u, v := row*size+i, row*size+i+half
			if interleaved {
				u, v = row*size+2*i, row*size+2*i+1
			}
			x1, x2, cs, sn := h.F[u], h.F[v], cos.F[p+i], sin.F[p+i]
			out.F[u], out.F[v] = cs*x1-sn*x2, sn*x1+cs*x2
		}
	}
	if flat {
		out = c.unrounded(out, []int{0, 2, 1, 3}).with(x.Dims)
	}
	return []Value{out}
}
