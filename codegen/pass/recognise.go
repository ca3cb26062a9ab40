package pass

// This file finds composites that exporters have taken apart.
//
// Exporters write attention as MatMul, scale, Add of a mask, Softmax and MatMul. As one node its
// scores need not be written to memory: they are n² numbers for n rows, and the kernel keeps a
// block of them in the cache (as in FlashAttention, Dao et al. 2022). The search begins at the
// second product and goes backwards over the operands. When it fails it says at which step, for
// the user who asks why a model is slow (the report of what was not recognised).
//
// Two differences from the parts are accepted and said in the pass's description: sums are in
// another order, hence the class Rounding, and a row that sees no key gives 0, which the guard of
// exporters gives too.

import (
	"fmt"
	"math"
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

var recognise = Pass{
	Name: "recognise", Doc: "products, softmax and mask of attention become one node, with the transposes of its heads: sums in another order, and 0 where no key is seen, also beside infinities", Class: Rounding,
	After: []string{"canon", "fold"},
	Run: func(c *Context) error {
		if err := c.rewrite(recogniseRules); err != nil {
			return err
		}
		c.run.refuse(c.Module, func(n *ir.Node) string {
			if _, why := attentionOf(n); why != "" {
				return why
			}
			return "the rule recognise:attention is left out"
		})
		return nil
	},
}

var recogniseRules = []Rule{
	{Name: "attention", Ops: []string{"MatMul"}, Class: Rounding, Apply: func(c *Context, g *ir.Graph, n *ir.Node,
		ok func() bool) ([]*ir.Value, error) {
		a, _ := attentionOf(n)
		if a == nil || !ok() {
			return nil, nil
		}
		return a.write(c, g, n)
	}},
}

// An attention is what softmax(scale·q·kᵀ + mask)·v is made of. kt is the keys as the first
// product has them, transposed. causal says that row i sees the keys up to i alone, and then mask
// is nil.
type attention struct {
	// [batch, heads, length, size], [batch, heads, size, keys], [batch, heads, keys, value]; batch and heads may be one axis
	q, kt, v *ir.Value
	scale    float64
	mask     *ir.Value // nil: none
	causal   bool
}

// used reports whether a value has so many uses and is no output.
func used(v *ir.Value, times int) bool { return usedElsewhere(v, times) == "" }

// usedElsewhere says who uses a value beside so many nodes; empty: nobody. A value that is used
// elsewhere has to be computed anyway, and the composite would compute it twice.
func usedElsewhere(v *ir.Value, times int) string {
	if slices.ContainsFunc(v.Uses, func(u ir.Use) bool { return u.Node == nil }) {
		return "an output"
	}
	if len(v.Uses) != times {
		return "needed elsewhere"
	}
	return ""
}

// attentionOf reads the product with the values. Nil: it is another one, and why. Factors are
// collected wherever they stand: on the product, on the queries, on the keys. The second result
// is a sentence for people, and empty only when the first is not nil.
func attentionOf(n *ir.Node) (*attention, string) {
	y := n.Outs[0].Type
	if y.Elem != onnx.Float || !y.Ranked || len(y.Dims) != 3 && len(y.Dims) != 4 {
		return nil, fmt.Sprintf("its product with the values is %s, and not f32 of 3 or 4 axes", &y)
	}
	soft, guarded, why := softmaxOf(n.Ins[0])
	if soft == nil {
		return nil, why
	}
	a := &attention{v: n.Ins[1], scale: 1}
	scores := soft.Ins[0]
	if d := defOf(scores, "Add"); d != nil {
		for i, v := range d.Ins {
			if p, factor := scaledProduct(v); p != nil && slices.Equal(v.Type.Dims, scores.Type.Dims) {
				a.mask, a.scale = d.Ins[1-i], factor
				scores = p
				break
			}
		}
		if a.mask == nil {
			return nil, "what it adds as a mask is added to no product with a constant scale, or has other sizes than the product"
		}
	} else if p, factor := scaledProduct(scores); p != nil {
		scores, a.scale = p, factor
	} else {
		return nil, scoresOf(scores)
	}
	p := defOf(scores, "MatMul")
	if by := usedElsewhere(scores, 1); by != "" {
		return nil, "the product of queries and keys is " + by
	}
	a.q, a.kt = p.Ins[0], p.Ins[1]
	for _, v := range []**ir.Value{&a.q, &a.kt} {
		x, factor := scaled(*v)
		*v, a.scale = x, a.scale*factor
	}
	if math.IsInf(a.scale, 0) || a.scale != a.scale {
		return nil, "the scale is no finite number"
	}
	if !a.fits(y.Dims) {
		return nil, fmt.Sprintf("the sizes of queries %s, transposed keys %s and values %s differ", &a.q.Type, &a.kt.Type, &a.v.Type)
	}
	if why := a.readMask(guarded); why != "" {
		return nil, why
	}
	return a, ""
}

// scoresOf says what makes scores that are no product with a constant scale.
func scoresOf(scores *ir.Value) string {
	switch d := scores.Def; {
	case d == nil:
		return "the scores are not computed in this graph"
	case defOf(scores, "Mul") != nil || defOf(scores, "Div") != nil:
		return "the scale of the scores is no constant number"
	default:
		return fmt.Sprintf("%s makes the scores, and no product, constant scale or added mask", nameOf(d.Op))
	}
}

// softmaxOf is the Softmax of the last axis that makes the weights; nil: there is none, and why. guarded says that
// rows without keys give 0 and not NaN: PyTorch's exporter asks where the result is NaN, ours where the largest score
// is minus infinity. The guard is a Where that gives 0 in rows that have no key, in one of the
// two forms; all its parts must be used by it alone. Softmax must be along the last axis, as
// written or with a negative number.
func softmaxOf(v *ir.Value) (soft *ir.Node, guarded bool, why string) {
	uses := 1
	const form = "the guard of rows without keys has another form"
	if w := defOf(v, "Where"); w != nil {
		if by := usedElsewhere(v, 1); by != "" {
			return nil, false, "the weights are " + by
		}
		if !all(w.Ins[1], 0) {
			return nil, false, form
		}
		if nan := defOf(w.Ins[0], "IsNaN"); nan != nil && nan.Ins[0] == w.Ins[2] && used(w.Ins[0], 1) {
			guarded, uses, v = true, 2, w.Ins[2]
		} else if lost := defOf(w.Ins[0], "Equal"); lost != nil && used(w.Ins[0], 1) {
			s := defOf(w.Ins[2], "Softmax")
			most := defOf(lost.Ins[0], "ReduceMax")
			if s == nil || most == nil || most.Ins[0] != s.Ins[0] || !most.Attr.Bool("keepdims") || !lastAxis(most) {
				return nil, false, form
			}
			if !used(lost.Ins[0], 1) || !all(lost.Ins[1], math.Inf(-1)) || !used(s.Ins[0], 2) {
				return nil, false, form
			}
			guarded, v = true, w.Ins[2]
		} else {
			return nil, false, form
		}
	}
	d := defOf(v, "Softmax")
	if d == nil {
		if v.Def == nil {
			return nil, false, "the weights are not computed in this graph"
		}
		return nil, false, fmt.Sprintf("%s stands between the softmax and the product with the values", nameOf(v.Def.Op))
	}
	if by := usedElsewhere(v, uses); by != "" {
		return nil, false, "the weights are " + by
	}
	if !d.Ins[0].Type.Ranked || axisOf(d) != int64(len(d.Ins[0].Type.Dims))-1 {
		return nil, false, "the softmax is along another axis than the last one"
	}
	if by := usedElsewhere(d.Ins[0], 1); by != "" && !(guarded && uses == 1) { // the scores are not needed beside it, but by our guard
		return nil, false, "the scores are " + by
	}
	return d, guarded, ""
}

// lastAxis reports whether a reduction is along the last axis alone.
func lastAxis(n *ir.Node) bool {
	if len(n.Ins) < 2 || n.Ins[1] == nil || !n.Ins[0].Type.Ranked {
		return false
	}
	axes := intsOf(n.Ins[1])
	return len(axes) == 1 && (axes[0] == -1 || axes[0] == int64(len(n.Ins[0].Type.Dims))-1)
}

// scaled strips a constant factor off a value. A division counts only when the value is the
// dividend. The shape must stay the same, since a factor with more axes would enlarge it.
func scaled(v *ir.Value) (*ir.Value, float64) {
	for _, name := range []string{"Mul", "Div"} {
		d := defOf(v, name)
		if d == nil {
			continue
		}
		for i, f := range d.Ins {
			if list := floatsOf(f); len(list) == 1 && slices.Equal(d.Ins[1-i].Type.Dims, v.Type.Dims) {
				if name == "Mul" {
					return d.Ins[1-i], list[0]
				}
				if i == 1 {
					return d.Ins[0], 1 / list[0]
				}
			}
		}
	}
	return v, 1
}

// scaledProduct is a MatMul that is used once, with the factor that its result has; nil: the value is none.
func scaledProduct(v *ir.Value) (*ir.Value, float64) {
	x, factor := scaled(v)
	if defOf(x, "MatMul") == nil || x != v && !used(v, 1) && !used(v, 2) {
		return nil, 1
	}
	return x, factor
}

// fits compares the sizes: nothing is broadcast but a single head of both keys and values. Batch
// axes of queries, keys and values are those of the result. A single head of keys and values for
// all heads of queries is multi-query attention; other numbers are found by fewer in heads.go.
func (a *attention) fits(y []*symshape.Expr) bool {
	n := len(y)
	for _, v := range []*ir.Value{a.q, a.kt, a.v} {
		if !v.Type.Ranked || len(v.Type.Dims) != n || v.Type.Elem != onnx.Float {
			return false
		}
	}
	shared := slices.Clone(y[:n-2])
	if n == 4 && isOne(a.kt.Type.Dims[1]) {
		shared[1] = a.kt.Type.Dims[1]
	}
	if !slices.Equal(a.q.Type.Dims[:n-2], y[:n-2]) || !slices.Equal(a.kt.Type.Dims[:n-2], shared) ||
		!slices.Equal(a.v.Type.Dims[:n-2], shared) {
		return false
	}
	return a.q.Type.Dims[n-1] == a.kt.Type.Dims[n-2] && a.kt.Type.Dims[n-1] == a.v.Type.Dims[n-2]
}

// readMask says why the mask is none that the composite may have; empty: it is one. Rows that exclude every key must give 0, as guarded
// says, or not be there. A mask is added to the scores, so it broadcasts to [batch, heads, rows,
// keys], with one number for each key. What it excludes is -∞ or a number below -hidden. If a
// constant mask is exactly the lower triangle, it becomes the flag causal, with which the kernel
// skips half of the work.
func (a *attention) readMask(guarded bool) string {
	if a.mask == nil {
		return ""
	}
	t := a.mask.Type
	rank := len(a.q.Type.Dims)
	length, keys := a.q.Type.Dims[rank-2], a.v.Type.Dims[rank-2]
	full := append(slices.Clone(a.q.Type.Dims[:rank-1]), keys)
	if !t.Ranked || len(t.Dims) < 1 || len(t.Dims) > rank || t.Dims[len(t.Dims)-1] != keys {
		return fmt.Sprintf("the mask %s has not a number for each key", &t)
	}
	for i, d := range t.Dims {
		if d != full[rank-len(t.Dims)+i] && !isOne(d) {
			return fmt.Sprintf("the sizes of the mask %s and of the scores differ", &t)
		}
	}
	if length == keys && triangle(a.mask) {
		a.causal, a.mask = true, nil
		return ""
	}
	unknown := "the mask may exclude all keys of a row, which gives NaN here and 0 in attention"
	if guarded {
		unknown = ""
	}
	n, ok := keys.Const()
	if !ok || a.mask.Const == nil {
		return unknown
	}
	list := floatsOf(a.mask)
	if len(list) == 0 || n == 0 {
		return unknown
	}
	causal := length == keys && int64(len(list)) == n*n
	for i := range len(list) / int(n) {
		row := list[i*int(n):][:n]
		if slices.ContainsFunc(row, math.IsNaN) {
			return "the mask has NaN"
		}
		if !guarded && !slices.ContainsFunc(row, func(x float64) bool { return x > -hidden }) {
			return "the mask excludes all keys of a row, which gives NaN here and 0 in attention"
		}
		for j, x := range row {
			causal = causal && (j <= i && x == 0 || j > i && x <= -hidden)
		}
	}
	if causal {
		a.causal, a.mask = true, nil
	}
	return ""
}

// triangle reports whether a mask of two axes is made so that it lets row i see the keys up to i:
// by Where of a lower triangle of ones. It knows the forms Where(tril(1), 0, -∞), with a Not or a
// comparison with 0 in between and the branches exchanged.
func triangle(v *ir.Value) bool {
	w := defOf(v, "Where")
	if w == nil || len(v.Type.Dims) != 2 {
		return false
	}
	on, seen, lost := w.Ins[0], w.Ins[1], w.Ins[2]
	if d := defOf(on, "Not"); d != nil {
		on, seen, lost = d.Ins[0], lost, seen
	} else if d := defOf(on, "Equal"); d != nil && all(d.Ins[1], 0) {
		on, seen, lost = d.Ins[0], lost, seen
	}
	if d := defOf(on, "Cast"); d != nil {
		on = d.Ins[0]
	}
	d := defOf(on, "Trilu")
	if d == nil || d.Attr.Bool("upper") || len(d.Ins) > 1 && d.Ins[1] != nil && !all(d.Ins[1], 0) || !slices.Equal(on.Type.Dims, v.Type.Dims) {
		return false
	}
	ones := d.Ins[0]
	if f := ones.Def; f != nil && (f.Op.Opcode == isa.Fill || defOf(ones, "Expand") != nil) {
		ones = f.Ins[0]
	}
	low := floatsOf(lost)
	return all(ones, 1) && all(seen, 0) && len(low) == 1 && low[0] <= -hidden
}

// hidden is below what scores of finite operands can make up for: the weight of a key with it is 0.
const hidden = 1e30

// isOne reports whether a size is 1.
func isOne(d *symshape.Expr) bool {
	one, known := d.Const()
	return known && one == 1
}

// splitHeads is a value [batch, length, heads, size] whose heads a transpose has put before the
// rows; nil: there is none. Attention with rows that hold all heads ([batch, length, heads·size])
// saves two transposes. With a batch of 1 the exporter may have put the batch axis elsewhere,
// which is the same memory.
func (c *Context) splitHeads(g *ir.Graph, n *ir.Node, v *ir.Value, dims []*symshape.Expr) *ir.Value {
	alone := isOne(dims[0]) // a batch of 1 may be anywhere
	if d := defOf(v, "Transpose"); d != nil {
		switch perm := permOf(d); {
		case slices.Equal(perm, []int64{0, 2, 1, 3}):
			return d.Ins[0]
		case alone && slices.Equal(perm, []int64{1, 2, 0, 3}):
			return c.view(g, n, d.Ins[0], []*symshape.Expr{dims[0], dims[2], dims[1], dims[3]})
		}
	}
	if alone && v.Def != nil && v.Def.Op.Opcode == isa.View {
		if d := defOf(v.Def.Ins[0], "Transpose"); d != nil && slices.Equal(permOf(d), []int64{1, 0, 2}) &&
			slices.Equal(v.Def.Ins[0].Type.Dims, dims[1:]) {
			return c.view(g, n, d.Ins[0], []*symshape.Expr{dims[0], dims[2], dims[1], dims[3]})
		}
	}
	return nil
}

// keys gives the keys of their transpose: with heads before the rows, and, where they come from
// there, apart. When no known transpose makes kt, it is transposed here, which costs what the
// model has paid before. An error is of making a node.
func (c *Context) keys(g *ir.Graph, n *ir.Node, kt *ir.Value) (whole, apart *ir.Value, err error) {
	t := kt.Type.Dims
	dims := []*symshape.Expr{t[0], t[1], t[3], t[2]}
	alone := isOne(t[0])
	turned := func(v *ir.Value) *ir.Value { return c.view(g, n, v, []*symshape.Expr{t[0], t[3], t[1], t[2]}) }
	if d := defOf(kt, "Transpose"); d != nil {
		switch perm := permOf(d); {
		case slices.Equal(perm, []int64{0, 1, 3, 2}):
			return d.Ins[0], c.splitHeads(g, n, d.Ins[0], dims), nil
		case slices.Equal(perm, []int64{0, 2, 3, 1}):
			return nil, d.Ins[0], nil
		case alone && slices.Equal(perm, []int64{1, 2, 3, 0}):
			return nil, turned(d.Ins[0]), nil
		}
	}
	if kt.Def != nil && kt.Def.Op.Opcode == isa.View {
		x := kt.Def.Ins[0] // [batch·heads, size, keys]
		if d := defOf(x, "Transpose"); d != nil && len(x.Type.Dims) == 3 && slices.Equal(x.Type.Dims[1:], t[2:]) {
			switch perm := permOf(d); {
			case slices.Equal(perm, []int64{0, 2, 1}):
				whole = d.Ins[0]
				if w := whole.Def; w != nil && w.Op.Opcode == isa.View && slices.Equal(w.Ins[0].Type.Dims, dims) {
					return w.Ins[0], c.splitHeads(g, n, w.Ins[0], dims), nil
				}
				return c.view(g, n, whole, dims), nil, nil
			case alone && x.Type.Dims[0] == t[1] && slices.Equal(perm, []int64{1, 2, 0}):
				return nil, turned(d.Ins[0]), nil
			}
		}
	}
	m, err := c.Make(g, n, "Transpose", 1, n.From, []*ir.Value{kt}, onnx.IntsAttr("perm", 0, 1, 3, 2))
	if err != nil {
		return nil, nil, err
	}
	return m.Outs[0], nil, nil
}

// write makes the node. Where the heads of all three come from rows that hold all of them, it
// reads these, and its result is such rows. It prefers rows with all heads for operands and
// result, where all three come from such; the view and transpose behind it then restore the
// result's layout, and cancel with the model's own. Otherwise the operands are [batch, heads,
// length, size].
func (a *attention) write(c *Context, g *ir.Graph, n *ir.Node) ([]*ir.Value, error) {
	y := n.Outs[0].Type.Dims
	if len(y) == 3 {
		return a.writeJoined(c, g, n)
	}
	k, kRows, err := c.keys(g, n, a.kt)
	if err != nil {
		return nil, err
	}
	v, qRows, vRows := a.v, c.splitHeads(g, n, a.q, a.q.Type.Dims), c.splitHeads(g, n, a.v, a.v.Type.Dims)
	fewer, own := c.fewer(g, n, k, kRows), c.fewer(g, n, v, vRows)
	kv := a.v.Type.Dims[1]
	if fewer != nil && own != nil && fewer.heads == own.heads {
		k, kRows, v, vRows, kv = fewer.whole, fewer.rows, own.whole, own.rows, fewer.heads
	}
	if isOne(kv) && kv != y[1] { // a single head lies the same before and behind the rows
		for _, x := range []struct {
			whole *ir.Value
			rows  **ir.Value
		}{{k, &kRows}, {v, &vRows}} {
			if *x.rows == nil {
				d := x.whole.Type.Dims
				*x.rows = c.view(g, n, x.whole, []*symshape.Expr{d[0], d[2], d[1], d[3]})
			}
		}
	}
	attrs := []*onnx.Attr{onnx.FloatAttr("scale", float32(a.scale))}
	if a.causal {
		attrs = append(attrs, onnx.IntAttr("is_causal", 1))
	}
	heads, known := y[1].Const()
	kvHeads, kvKnown := kv.Const()
	ins := []*ir.Value{a.q, k, v}
	rows := qRows != nil && kRows != nil && vRows != nil && known && heads > 0 && kvKnown && kvHeads > 0
	if rows {
		attrs = append(attrs, onnx.IntAttr("q_num_heads", heads), onnx.IntAttr("kv_num_heads", kvHeads))
		for i, v := range []*ir.Value{qRows, kRows, vRows} {
			d := v.Type.Dims
			ins[i] = c.view(g, n, v, []*symshape.Expr{d[0], d[1], c.product(d[2:])})
		}
	} else {
		for i, from := range []*ir.Value{1: kRows, 2: vRows} {
			if i > 0 && ins[i] == nil {
				m, err := c.Make(g, n, "Transpose", 1, n.From, []*ir.Value{from}, onnx.IntsAttr("perm", 0, 2, 1, 3))
				if err != nil {
					return nil, err
				}
				ins[i] = m.Outs[0]
			}
		}
	}
	if a.mask != nil {
		ins = append(ins, a.mask)
	}
	m, err := c.Make(g, n, "Attention", 1, n.From, ins, attrs...)
	if err != nil {
		return nil, err
	}
	if !rows {
		return m.Outs, nil
	}
	v = c.view(g, n, m.Outs[0], []*symshape.Expr{y[0], y[2], y[1], y[3]})
	if m, err = c.Make(g, n, "Transpose", 1, n.From, []*ir.Value{v}, onnx.IntsAttr("perm", 0, 2, 1, 3)); err != nil {
		return nil, err
	}
	return m.Outs, nil
}

// writeJoined is write where batch and heads are one axis: each is a batch of one head. The
// joined axis becomes the batch, with one head each; a mask of three axes gets the axis of heads
// too.
func (a *attention) writeJoined(c *Context, g *ir.Graph, n *ir.Node) ([]*ir.Value, error) {
	var k *ir.Value
	if d := defOf(a.kt, "Transpose"); d != nil && slices.Equal(permOf(d), []int64{0, 2, 1}) {
		k = d.Ins[0]
	} else {
		m, err := c.Make(g, n, "Transpose", 1, n.From, []*ir.Value{a.kt}, onnx.IntsAttr("perm", 0, 2, 1))
		if err != nil {
			return nil, err
		}
		k = m.Outs[0]
	}
	alone := func(v *ir.Value) *ir.Value {
		d := v.Type.Dims
		return c.view(g, n, v, []*symshape.Expr{d[0], c.Module.Pool.Const(1), d[1], d[2]})
	}
	ins := []*ir.Value{alone(a.q), alone(k), alone(a.v)}
	if a.mask != nil {
		if len(a.mask.Type.Dims) == 3 {
			a.mask = alone(a.mask)
		}
		ins = append(ins, a.mask)
	}
	attrs := []*onnx.Attr{onnx.FloatAttr("scale", float32(a.scale))}
	if a.causal {
		attrs = append(attrs, onnx.IntAttr("is_causal", 1))
	}
	m, err := c.Make(g, n, "Attention", 1, n.From, ins, attrs...)
	if err != nil {
		return nil, err
	}
	return []*ir.Value{c.view(g, n, m.Outs[0], n.Outs[0].Type.Dims)}, nil
}
