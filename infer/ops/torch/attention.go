package torch

// This file holds attention. multi_head_attention_forward is one record, as
// PyTorch's own tools see it as one call; its checks follow
// torch/nn/functional.py (_mha_shape_check and what comes after). Scaled dot-product attention
// multiplies [L, E] by [E, S], adds a mask of [L, S] and multiplies by [S, V]; all axes before
// these broadcast. The multi-head form has the length first, [L, N, E] (batch_first is done by the
// module before), and projects each of query, key and value to embed_dim.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var attentionOps = [...]ops.Op{
	{Names: []string{nnf + "scaled_dot_product_attention", "torch._C._nn.scaled_dot_product_attention"},
		Sig:  "(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False)",
		Rule: sdpa, Form: graph.Attention, Quirks: ops.OneDevice | ops.Compiled, Axes: "query: … L E; key: … S E; value: … S Ev",
		Doc: "softmax(query @ key.T · scale + mask) @ value"},
	{Names: []string{nnf + "_scaled_dot_product_attention", "torch._C._nn._scaled_dot_product_attention"},
		Sig:  "(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool need_attn_weights=False, bool is_causal=False)",
		Rule: sdpaWeights, Removed: "torch.nn.functional.scaled_dot_product_attention", Form: graph.Attention,
		Doc: "PyTorch 1.13's scaled_dot_product_attention, which also gives the weights"},
	{Names: []string{nnf + "multi_head_attention_forward"},
		Sig: "(Tensor query, Tensor key, Tensor value, any embed_dim_to_check, int num_heads, Tensor? in_proj_weight, Tensor? in_proj_bias, Tensor? bias_k, " +
			"Tensor? bias_v, any add_zero_attn, float dropout_p, Tensor out_proj_weight, Tensor? out_proj_bias, any training=True, Tensor? key_padding_mask=None, " +
			"any need_weights=True, Tensor? attn_mask=None, any use_separate_proj_weight=False, Tensor? q_proj_weight=None, Tensor? k_proj_weight=None, " +
			"Tensor? v_proj_weight=None, Tensor? static_k=None, Tensor? static_v=None, any average_attn_weights=True, any is_causal=False)",
		Rule: multiHeadAttention,
		Form: graph.MultiHead, Is: graph.TimeFirst | graph.OneTensor,
		Doc: "projections, scaled dot-product attention over several heads, and the output projection"},
}

// attention checks query [..., L, E], key [..., S, E] and value [..., S, V], and
// gives the leading sizes with L, S and V. ok is false after a report. Broadcast symbols become
// conditions.
func attention(c *ops.Call) (lead symshape.Shape, l, s, v symshape.Dim, ok bool) {
	q, k, val := c.Tensor("query"), c.Tensor("key"), c.Tensor("value")
	qs, ks, vs := c.Shape(q), c.Shape(k), c.Shape(val)
	if !c.OK() {
		return
	}
	name := c.Short()
	for _, t := range [...]*value.Tensor{q, k, val} {
		if len(t.Type().Shape) < 2 {
			c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
				"%s needs inputs of 2 or more dimensions, but they are %s, %s and %s", name, q, k, val)
			return
		}
	}
	// Blame names the axes of a report that comes next.
	nq, nk, nv := len(qs), len(ks), len(vs)
	c.Blame(ops.Ref{Tensor: q, Axis: nq - 1}, ops.Ref{Tensor: k, Axis: nk - 1})
	if _, same := c.Same(qs[nq-1], ks[nk-1]); !same {
		c.Shapef("%s: query and key must have the same last dimension, but they are %s and %s", name, q, k)
		return
	}
	c.Blame(ops.Ref{Tensor: k, Axis: nk - 2}, ops.Ref{Tensor: val, Axis: nv - 2})
	if s, ok = c.Same(ks[nk-2], vs[nv-2]); !ok {
		c.Shapef("%s: key and value must have the same length, but they are %s and %s", name, k, val)
		return
	}
	c.Blame()
	kl, vl := ks[:nk-2], vs[:nv-2]
	// With enable_gqa several heads of query share one of key and value, whose heads count as
	// repeated.
	if c.HasParam("enable_gqa") && c.Bool("enable_gqa") && len(kl) > 0 && len(vl) > 0 && nq > 2 {
		// The heads of query are a multiple of those of key and value.
		heads := qs[nq-3]
		for _, h := range [...]symshape.Dim{kl[len(kl)-1], vl[len(vl)-1]} {
			if !c.MultipleOf(heads, h) {
				c.Shapef("%s: the %s heads of query %s are not a multiple of the %s heads of key %s and value %s", name, heads, q, h, k, val)
				return
			}
		}
		kl, vl = ops.With(kl, len(kl)-1, heads), ops.With(vl, len(vl)-1, heads)
	}
	lead, axis, fits := c.Broadcast(qs[:nq-2], kl, vl)
	if !fits {
		c.Shapef("%s: the leading dimensions of query %s, key %s and value %s do not match at dimension %d", name, q, k, val, -axis-2)
		return
	}
	if old := c.HasParam("need_attn_weights"); old && q.Type().DType.IsIntegralOrBool() {
		// It divides query first, and so takes integers.
		if !wantDType(c, k, "key", 1<<c.DefaultDType()) || !matchDType(c, k, "key", val, "value") {
			return
		}
	} else if !matchDType(c, q, "query", k, "key") || !matchDType(c, q, "query", val, "value") || !wantDType(c, q, "query", ops.RealFloats) {
		return
	}
	l, v = qs[nq-2], vs[nv-1]
	return lead, l, s, v, attentionMask(c, q, lead, l, s)
}

// attentionMask checks attn_mask against [..., L, S]. A bool mask selects, any other is added to the scores and
// so must have the query's dtype; PyTorch 1 took any float. It excludes is_causal, which makes a mask of its
// own. The mask broadcasts to [.., L, S]. False after a report.
func attentionMask(c *ops.Call, q *value.Tensor, lead symshape.Shape, l, s symshape.Dim) bool {
	m := c.Tensor("attn_mask")
	if !c.OK() {
		return false
	}
	if m == nil {
		return c.OK()
	}
	if c.Surely("is_causal") {
		c.Errorf("RuntimeError", diag.BadCall, "%s: attn_mask must not be given with is_causal=True", c.Short())
		return false
	}
	if d := m.Type().DType; d != dtype.Unknown && d != dtype.Bool && d != q.Type().DType && !(d.IsFloat() && c.Torch1()) {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "%s: attn_mask must be bool or have query's dtype %s, but it is %s", c.Short(),
			q.Type().DType, m)
		return false
	}
	full := append(append(symshape.Shape(nil), lead...), l, s)
	return broadcastable(c, m, "attn_mask", full)
}

// sdpa: query [.., L, E], key [.., S, E] and value [.., S, Ev] give [.., L, Ev]. The dtype is the
// query's.
func sdpa(c *ops.Call) value.Value {
	lead, l, _, v, ok := attention(c)
	if !ok || !c.OK() {
		return nil
	}
	return c.Out(c.Tensor("query").Type().DType, append(append(symshape.Shape(nil), lead...), l, v))
}

// sdpaWeights gives the weights, too, [.., L, S]. The weights lack the broadcast of value's leading
// axes.
func sdpaWeights(c *ops.Call) value.Value {
	lead, l, s, v, ok := attention(c)
	if !ok || !c.OK() {
		return nil
	}
	q, k := c.Tensor("query"), c.Tensor("key")
	d := c.ToFloat(q.Type().DType)
	qs, ks := c.Shape(q), c.Shape(k)
	heads, _, _ := c.Broadcast(qs[:len(qs)-2], ks[:len(ks)-2]) // the weights do not depend on value
	return value.NewTuple(c.Out(d, append(append(symshape.Shape(nil), lead...), l, v)), c.Out(d, append(heads, l, s)))
}

// assert reports what PyTorch refuses by an assert statement. The code is that of the fault; the
// class of the exception is AssertionError.
func assert(c *ops.Call, code diag.Code, format string, args ...any) value.Value {
	return c.Errorf("AssertionError", code, format, args...)
}

// multiHeadAttention needs a query (length, [batch,] embed) and a key and value of its rank and batch; key
// and value agree in length, and in features unless they have projections of their own. embed is a
// multiple of the heads. Results: one of the query's shape with out_proj's features, and the weights
// (length, source), by batch and, not averaged, by head.
func multiHeadAttention(c *ops.Call) value.Value {
	const name = "multi_head_attention_forward"
	q, k, v := c.Tensor("query"), c.Tensor("key"), c.Tensor("value")
	qs, ks, vs := c.Shape(q), c.Shape(k), c.Shape(v)
	heads := c.Dim("num_heads")
	pad, mask := c.Tensor("key_padding_mask"), c.Tensor("attn_mask")
	if !c.OK() {
		return nil
	}
	batched := len(qs) == 3
	if len(qs) != 2 && !batched {
		return assert(c.FixingRank(), diag.RankMismatch, "%s: query must have 2 dimensions, or 3 with a batch, but it is %s", name, q)
	}
	if len(ks) != len(qs) || len(vs) != len(qs) {
		return assert(c, diag.RankMismatch, "%s: query, key and value must have the same number of dimensions, but they are %s, %s and %s",
			name, q, k, v)
	}
	// Without a batch it is one.
	batch := c.Const(1)
	if batched {
		batch = qs[1]
	}
	last := len(qs) - 1
	embed := qs[last]
	// The parameter is compared with the last axis; a float is possible where it was computed by a
	// division.
	if f, ok := c.Value("embed_dim_to_check").(value.Float); !ok {
		embed = c.Dim("embed_dim_to_check")
	} else if float64(f) == float64(int64(f)) {
		embed = c.Const(int64(f)) // it is only compared
	}
	c.Blame(ops.Ref{Tensor: q, Axis: last})
	if _, ok := c.Same(qs[last], embed); !ok {
		return assert(c, diag.ShapeMismatch, "%s: the last dimension of query %s must be embed_dim=%s", name, q, embed)
	}
	// The head's size is embed_dim / num_heads, without a remainder.
	if !need(c, heads, 1, "%s: num_heads must be positive, but it is %s", name, heads) {
		return nil
	}
	if !c.MultipleOf(embed, heads) {
		return assert(c, diag.InvalidSize, "%s: embed_dim=%s is not divisible by num_heads=%s", name, embed, heads)
	}
	// With separate projections key and value may have features of their own.
	separate := truthy(c, "use_separate_proj_weight")
	upTo := last + 1
	if separate {
		upTo = min(2, last)
	}
	for i := range upTo {
		c.Blame(ops.Ref{Tensor: k, Axis: i}, ops.Ref{Tensor: v, Axis: i})
		if _, ok := c.Same(ks[i], vs[i]); !ok {
			return assert(c, diag.ShapeMismatch, "%s: key and value must have the same shape, but they are %s and %s", name, k, v)
		}
	}
	if batched {
		c.Blame(ops.Ref{Tensor: q, Axis: 1}, ops.Ref{Tensor: k, Axis: 1})
		if _, ok := c.Same(ks[1], batch); !ok {
			return c.Shapef("%s: query and key must have the same batch size (dimension 1, or dimension 0 with batch_first), but they are %s and %s", name, q, k)
		}
	}
	c.Blame()
	// The hint needs a mask, which may then be left out.
	if !c.Torch1() && truthy(c, "is_causal") {
		if mask == nil && c.OK() {
			return c.Errorf("RuntimeError", diag.BadCall, "%s: is_causal is a hint about attn_mask, which is not given", name)
		}
		if pad == nil && !truthy(c, "need_weights") { // attn_mask is not even looked at
			mask = nil
		}
	}
	if !mhaProjections(c, q, k, v, embed, separate, batched) || !mhaMasks(c, q, k, pad, mask, batch, heads, batched) {
		return nil
	}
	// Without a known projection the features stay.
	out := ops.With(qs, last, embed)
	if w := c.Tensor("out_proj_weight"); w != nil && w.Type().Ranked {
		ws := w.Type().Shape
		if len(ws) != 2 {
			return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
				"%s: out_proj_weight must have 2 dimensions, but it is %s", name, w)
		}
		if !matchDType(c, q, "query", w, "out_proj_weight") || !matchDType(c, q, "query", c.Tensor("out_proj_bias"), "out_proj_bias") {
			return nil
		}
		if b := c.Tensor("out_proj_bias"); b != nil && b.Type().Rank() == 1 && !broadcastable(c, b, "out_proj_bias", symshape.Shape{ws[0]}) {
			return nil
		}
		if _, ok := c.Same(ws[1], embed); !ok {
			return c.Shapef("%s: out_proj_weight %s must take embed_dim=%s features", name, w, embed)
		}
		out[last] = ws[0]
	}
	res := c.Out(q.Type().DType, out)
	if !truthy(c, "need_weights") {
		return value.NewTuple(res, value.None)
	}
	// The number of keys is the length of key, plus those that are added.
	source := ks[0]
	if c.Has("static_k") {
		if st := c.Shape(c.Tensor("static_k")); c.OK() && len(st) == 3 {
			source = st[1]
		}
	}
	if !mhaBiasKV(c, q, embed) {
		return nil
	}
	if c.Has("bias_k") {
		source = c.P.DimAdd(source, c.Const(1))
	}
	if truthy(c, "add_zero_attn") {
		source = c.P.DimAdd(source, c.Const(1))
	}
	// Averaged weights lack the axis of the heads.
	weights := symshape.Shape{qs[0], source}
	if !truthy(c, "average_attn_weights") {
		weights = append(symshape.Shape{heads}, weights...)
	}
	if batched {
		weights = append(symshape.Shape{batch}, weights...)
	}
	return value.NewTuple(res, c.Out(q.Type().DType, weights))
}

// mhaBiasKV checks bias_k and bias_v, which are added to the sequences of keys
// and values: both or neither, [1,1,embed]. False after a report.
func mhaBiasKV(c *ops.Call, q *value.Tensor, embed symshape.Dim) bool {
	const name = "multi_head_attention_forward"
	if c.Has("bias_k") != c.Has("bias_v") {
		assert(c, diag.BadCall, "%s: bias_k and bias_v must both be given or neither", name)
		return false
	}
	for _, what := range [...]string{"bias_k", "bias_v"} {
		t := c.Tensor(what)
		if t == nil || !t.Type().Ranked {
			continue
		}
		if !matchDType(c, q, "query", t, what) {
			return false
		}
		want := symshape.Shape{c.Const(1), c.Const(1), embed}
		if n := t.Type().Rank(); n > 0 && n < 3 { // repeat adds the leading axes
			want = want[3-n:]
		}
		if !fitsExactly(c, t, want) {
			c.Shapef("%s: %s must have shape %s, but it is %s", name, what, want, t)
			return false
		}
	}
	return c.OK()
}

// mhaProjections checks the weights that make queries, keys and values. in_proj_weight has the rows
// of all three projections, one below the other. False after a report.
func mhaProjections(c *ops.Call, q, k, v *value.Tensor, embed symshape.Dim, separate, batched bool) bool {
	const name = "multi_head_attention_forward"
	if b := c.Tensor("in_proj_bias"); b != nil {
		if !biasBroadcasts(q, k, v, b, embed, batched) && !vector(c, b, "in_proj_bias", c.P.DimMul(embed, c.Const(3)),
			ops.Ref{Tensor: q, Axis: len(q.Type().Shape) - 1}, "3·embed_dim is") ||
			!matchDType(c, q, "query", b, "in_proj_bias") {
			return false
		}
	}
	// rows is how many times embed_dim the weight has.
	type proj struct {
		weight string
		of     *value.Tensor
		rows   int64 // times embed
	}
	list := []proj{{"in_proj_weight", q, 3}, {"in_proj_weight", k, 3}, {"in_proj_weight", v, 3}}
	if separate {
		list = []proj{{"q_proj_weight", q, 1}, {"k_proj_weight", k, 1}, {"v_proj_weight", v, 1}}
	}
	for _, p := range list {
		w := c.Tensor(p.weight)
		if w == nil {
			if c.OK() {
				assert(c, diag.BadCall, "%s: %s is needed but it is None", name, p.weight)
			}
			return false
		}
		if w.Type().Ranked && w.Type().Rank() != 2 {
			class := "RuntimeError"
			if separate {
				class = "AssertionError"
			}
			c.FixingRank().Errorf(class, diag.RankMismatch, "%s: %s must have 2 dimensions, but it is %s", name, p.weight, w)
			return false
		}
		if !w.Type().Ranked {
			continue
		}
		ws, xs := w.Type().Shape, p.of.Type().Shape
		rows := c.P.DimMul(embed, c.Const(p.rows))
		_, ok1 := c.Same(ws[0], rows)
		c.Blame(ops.Ref{Tensor: p.of, Axis: len(xs) - 1}, ops.Ref{Tensor: w, Axis: 1})
		_, ok2 := c.Same(ws[1], xs[len(xs)-1])
		if !ok1 || !ok2 {
			class := "RuntimeError"
			if separate {
				class = "AssertionError"
			}
			c.Errorf(class, diag.ShapeMismatch, "%s: %s must have shape [%s,%s] for the input %s, but it is %s", name, p.weight, rows,
				xs[len(xs)-1], p.of, w)
			return false
		}
		c.Blame()
		if !matchDType(c, p.of, "the input", w, p.weight) {
			return false
		}
	}
	return c.OK()
}

// biasBroadcasts reports whether in_proj_bias has another length than 3·embed and is
// accepted, as torch.nn.functional._in_projection_packed uses it: one product for three
// inputs that are one tensor adds one element to all; three products take the parts of
// chunk(3), of which each may be one element. Without a batch the inputs get one of
// their own each, so that they are never one tensor. Sizes that are not constants never count as
// such a bias.
func biasBroadcasts(q, k, v, bias *value.Tensor, embed symshape.Dim, batched bool) bool {
	if !bias.Type().Ranked || bias.Type().Rank() != 1 {
		return false
	}
	e, ok1 := embed.Const()
	n, ok2 := bias.Type().Shape[0].Const()
	switch {
	case !ok1 || !ok2:
		return false
	case batched && k == v:
		return q == k && n == 1
	}
	part := (n + 2) / 3
	rest := n - 2*part
	return (part == e || part == 1) && (rest == e || rest == 1)
}

// mhaMasks checks the two masks of MultiheadAttention. The padding mask is [N, S], or [S] without a batch;
// attn_mask is [L, S] for all heads, or [N·heads, L, S], with the batch and the heads in one axis. Both are
// compared exactly: a mask of one row does not broadcast. A float mask is added to the scores.
// uint8 is deprecated, but taken. False after a report.
func mhaMasks(c *ops.Call, q, k, pad, mask *value.Tensor, batch, heads symshape.Dim, batched bool) bool {
	const name = "multi_head_attention_forward"
	l, s := q.Type().Shape[0], k.Type().Shape[0]
	if pad != nil && pad.Type().Ranked {
		want := symshape.Shape{s}
		if batched {
			want = symshape.Shape{batch, s}
		}
		if !fitsExactly(c, pad, want) {
			assert(c, diag.ShapeMismatch, "%s: key_padding_mask must have shape %s, but it is %s", name, want, pad)
			return false
		}
		if d := pad.Type().DType; d != dtype.Unknown && d != dtype.Bool && !d.IsFloat() && d != dtype.U8 {
			assert(c, diag.DTypeMismatch, "%s: key_padding_mask must be bool or floating-point, but it is %s", name, pad)
			return false
		}
	}
	if mask == nil || !mask.Type().Ranked {
		return c.OK()
	}
	var want symshape.Shape
	switch mask.Type().Rank() {
	case 2:
		want = symshape.Shape{l, s}
	case 3:
		want = symshape.Shape{c.P.DimMul(batch, heads), l, s}
	default:
		c.FixingRank().Errorf("RuntimeError", diag.RankMismatch, "%s: attn_mask must have 2 or 3 dimensions, but it is %s", name, mask)
		return false
	}
	if !fitsExactly(c, mask, want) {
		c.Shapef("%s: attn_mask must have shape %s, but it is %s", name, want, mask)
		return false
	}
	if d := mask.Type().DType; d != dtype.Unknown && d != dtype.Bool && !d.IsFloat() && d != dtype.U8 {
		assert(c, diag.DTypeMismatch, "%s: attn_mask must be bool or floating-point, but it is %s", name, mask)
		return false
	}
	return c.OK()
}

// fitsExactly makes it a condition that t has the shape want. On failure the
// axes that differ are to blame. Nothing broadcasts.
func fitsExactly(c *ops.Call, t *value.Tensor, want symshape.Shape) bool {
	s := t.Type().Shape
	if len(s) != len(want) {
		return false
	}
	for i := range s {
		c.Blame(ops.Ref{Tensor: t, Axis: i})
		if _, ok := c.Same(s[i], want[i]); !ok {
			return false
		}
	}
	c.Blame()
	return true
}
