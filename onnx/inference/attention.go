package inference

// This file holds attention and what goes with it in transformers.

import (
	"slices"

	"shapecheck/onnx"
)

var attentionOps = [...]op{
	{"Attention", attention, nil},
	{"LinearAttention", linearAttention, nil},
	{"CausalConvWithState", causalConv, nil},
	{"RotaryEmbedding", rotary, nil},
	{"TensorScatter", tensorScatter, nil},
	{"SwiGLU", swiGLU, nil},
}

// A head is an operand of an attention: batch, heads, length and size of a head. What
// is not known is nil.
type head struct{ batch, heads, length, size expr }

// headOf reads input i: [batch, heads, length, size], or [batch, length, heads · size]
// with the heads in an attribute. rank is 0 where nothing is known. An attribute that is given
// must be positive.
func (c *call) headOf(i int, attr string) (h head, rank int) {
	d, ok := c.dims(i)
	switch {
	case !ok:
	case len(d) == 4:
		return head{d[0], d[1], d[2], d[3]}, 4
	case len(d) == 3:
		h = head{batch: d[0], length: d[1]}
		if n := c.a.Int(attr); n > 0 {
			h.heads = c.pool().Const(n)
			h.size = c.divide(d[2], h.heads)
		} else if c.a.Given(attr) {
			c.errorf("attribute %s is %d; it must be positive", attr, n)
		}
		return h, 3
	default:
		c.errorAt(i, "expected 3 or 4 dimensions, got %s", c.in(i).Type)
	}
	return h, 0
}

// groups checks that each head of keys serves as many heads of queries. It is reported only when
// both numbers are constants.
func (c *call) groups(q, kv expr) {
	if q == nil || kv == nil {
		return
	}
	a, ok := q.Const()
	b, ok2 := kv.Const()
	if ok && ok2 && (b <= 0 || a%b != 0) {
		c.errorf("%d heads of queries cannot share %d heads of keys", a, b)
	}
}

func (c *call) times(a, b expr) expr {
	if a == nil || b == nil {
		return nil
	}
	return c.pool().Mul(a, b)
}

// attention has up to four results: the values, the keys and values of past and present
// joined, and the scores. Past keys and values are operands 4 and 5, and their lengths add up
// with the new ones. Batch, heads and sizes of all operands are unified, which reports those that
// cannot be equal.
func attention(c *call) {
	q, rank := c.headOf(0, "q_num_heads")
	k, _ := c.headOf(1, "kv_num_heads")
	v, _ := c.headOf(2, "kv_num_heads")
	c.sameElem(0, 1)
	if c.failed {
		return
	}
	c.groups(q.heads, k.heads)
	batch := c.unify(c.unify(q.batch, k.batch, "queries and keys have different batches"), v.batch,
		"queries and values have different batches")
	kvHeads := c.unify(k.heads, v.heads, "keys and values have different numbers of heads")
	length := c.unify(k.length, v.length, "keys and values have different lengths")
	size := c.unify(q.size, k.size, "the heads of queries and keys have different sizes")
	past := c.pool().Const(0)
	for _, i := range []int{4, 5} {
		if !c.has(i) {
			continue
		}
		if past = nil; c.failed {
			return
		}
		if d, ok := c.ranked(i, 4); ok {
			c.unify(d[0], batch, "%s: the batch", c.inputName(i))
			c.unify(d[1], kvHeads, "%s: the heads", c.inputName(i))
			past = d[2]
		}
	}
	if c.failed {
		return
	}
	total := past
	if past != nil && length != nil {
		total = c.pool().Add(past, length)
	} else {
		total = nil
	}
	switch rank {
	case 4:
		c.out(0, c.elem(0), []expr{batch, q.heads, q.length, v.size})
	case 3:
		c.out(0, c.elem(0), []expr{batch, q.length, c.times(q.heads, v.size)})
	default:
		c.outUnranked(0, c.elem(0))
	}
	c.out(1, c.elem(0), []expr{batch, kvHeads, total, size})
	c.out(2, c.elem(2), []expr{batch, kvHeads, total, v.size})
	c.out(3, c.elem(0), []expr{batch, q.heads, q.length, total})
}

// flexAttention runs its bodies on the scores and on the probabilities. It is an operator of
// ONNX's preview domain; its bodies change single scores and have no further operands.
func flexAttention(c *call) {
	d := c.sameElem(0, 1, 2)
	q, ok := c.ranked(0, 4)
	k, ok2 := c.ranked(1, 4)
	v, ok3 := c.ranked(2, 4)
	if c.failed {
		return
	}
	for _, x := range []*[]expr{&q, &k, &v} {
		if len(*x) == 0 {
			*x = make([]expr, 4)
		}
	}
	batch := c.unify(c.unify(q[0], k[0], "queries and keys have different batches"), v[0], "queries and values have different batches")
	length := c.unify(k[2], v[2], "keys and values have different lengths")
	c.unify(q[3], k[3], "the heads of queries and keys have different sizes")
	c.groups(q[1], c.unify(k[1], v[1], "keys and values have different numbers of heads"))
	if c.failed {
		return
	}
	precision := onnx.Float
	if d == onnx.Double {
		precision = d
	}
	scores := &Type{Kind: onnx.TensorType, Elem: c.dtypeOr("softmax_precision", precision), Ranked: true,
		Dims: []expr{batch, q[1], q[2], length}}
	if !ok || !ok2 && !ok3 {
		scores.Dims = make([]expr, 4)
	}
	c.e.normalize(scores)
	for _, name := range []string{"score_mod", "prob_mod"} {
		if _, given := c.bodies[name]; !given && !c.a.Has(name) {
			continue
		}
		b := c.body(name)
		if b.Inputs != 1 || b.Outputs != 1 {
			c.errorf("%s has %d inputs and %d outputs; expected one of each", name, b.Inputs, b.Outputs)
			return
		}
		b.Infer([]*Value{{Type: scores}})
	}
	c.out(0, d, []expr{batch, q[1], q[2], v[3]})
}

// linearAttention: queries, keys and values are [batch, length, heads · size]; the
// state is [batch, heads, size of keys, size of values]. The result has the queries' heads times
// the size of a value.
func linearAttention(c *call) {
	d := c.sameElem(0, 1, 2)
	q, _ := c.headOf(0, "q_num_heads")
	k, _ := c.headOf(1, "kv_num_heads")
	v, _ := c.headOf(2, "kv_num_heads")
	for i := range 3 {
		c.ranked(i, 3)
	}
	c.groups(q.heads, k.heads)
	batch := c.unify(c.unify(q.batch, k.batch, "queries and keys have different batches"), v.batch,
		"queries and values have different batches")
	length := c.unify(c.unify(q.length, k.length, "queries and keys have different lengths"), v.length,
		"queries and values have different lengths")
	size := c.unify(q.size, k.size, "the heads of queries and keys have different sizes")
	if c.failed {
		return
	}
	state := []expr{batch, c.pool().Const(c.a.Int("kv_num_heads")), size, v.size}
	elem := d
	if c.has(3) {
		elem = c.elem(3)
		if s, ok := c.ranked(3, 4); ok {
			for i := range state {
				state[i] = c.unify(state[i], s[i], "dimension %d of the state %s", i, c.in(3).Type)
			}
		}
	}
	if c.failed {
		return
	}
	c.out(0, d, []expr{batch, length, c.times(c.pool().Const(c.a.Int("q_num_heads")), state[3])})
	c.out(1, elem, state)
}

// causalConv: an input [batch, channels, length] and a weight [channels, 1, kernel]; the
// state is what the next call needs of this one, one less than the kernel. The result has the
// input's length, as the state stands in front of it.
func causalConv(c *call) {
	d := c.sameElem(0, 1, 2, 3)
	x, ok := c.ranked(0, 3)
	w, ok2 := c.ranked(1, 3)
	if c.failed {
		return
	}
	out, state := make([]expr, 3), make([]expr, 3)
	if ok {
		copy(out, x)
	}
	if ok2 {
		out[1] = c.unify(out[1], w[0], "the input %s and the weight %s have different channels", c.in(0).Type, c.in(1).Type)
		state[2] = c.pool().AddConst(w[2], -1)
	}
	copy(state, out[:2])
	if s, known := c.ranked(3, 3); known && c.has(3) {
		for i := range state {
			state[i] = c.unify(state[i], s[i], "dimension %d of the state %s", i, c.in(3).Type)
		}
	}
	if b, known := c.ranked(2, 1); known && c.has(2) {
		c.unify(b[0], out[1], "the bias %s and the channels", c.in(2).Type)
	}
	if !c.failed {
		c.out(0, d, out)
		c.out(1, d, state)
	}
}

func rotary(c *call) {
	c.sameElem(0, 1, 2)
	if d, ok := c.dims(0); ok && len(d) != 3 && len(d) != 4 {
		c.errorAt(0, "expected 3 or 4 dimensions, got %s", c.in(0).Type)
	}
	if !c.failed {
		same(c)
	}
}

// tensorScatter writes an update into a cache that is as large in all dimensions but the
// sequence's, where it may be larger.
func tensorScatter(c *call) {
	d := c.sameElem(0, 1)
	x, ok := c.ranked(0, -2)
	u, ok2 := c.dims(1)
	if c.failed {
		return
	}
	if !ok {
		c.outUnranked(0, d)
		return
	}
	at, good := c.axis(c.a.Int("axis"), len(x))
	if !good {
		return
	}
	out := slices.Clone(x)
	if ok2 {
		if len(u) != len(x) {
			c.errorAt(1, "%s and the cache %s must have as many dimensions", c.in(1).Type, c.in(0).Type)
			return
		}
		for i := range x {
			if i != at {
				out[i] = c.unify(x[i], u[i], "dimension %d of the update and the cache", i)
			}
		}
	}
	if !c.failed {
		c.out(0, d, out)
	}
}

// swiGLU does not broadcast.
func swiGLU(c *call) {
	d := c.sameElem(0, 1)
	a, ok := c.dims(0)
	b, ok2 := c.dims(1)
	switch {
	case c.failed:
	case ok && ok2 && len(a) != len(b):
		c.errorAt(1, "%s and %s must have one shape", c.in(0).Type, c.in(1).Type)
	case ok && ok2:
		out := make([]expr, len(a))
		for i := range a {
			out[i] = c.unify(a[i], b[i], "dimension %d of the inputs", i)
		}
		if !c.failed {
			c.out(0, d, out)
		}
	case ok2:
		c.out(0, d, b)
	default:
		same(c)
	}
}
