package pass

// This file merges neighbours into convolutions and products. Each merge needs that the
// value between the two nodes is used once and is no output of a graph, and that what is
// computed with at compile time is constant.
//
// The file has two lists. weightRules compute new constants: a convolution is linear, so a factor
// and a shift of each output channel can be put into its weights and bias, which removes the node
// behind it. epilogueRules turn products and convolutions into the machine's own, which add a
// bias and a residual and clamp the result while sums are in registers, so that the tensor is
// written once.
//
// Each rule gives the values that stand for the results of its node, or nil where it does not
// apply; ok is asked last, when everything else is known to fit, as it counts the rule as used
// and may refuse it (see rewrite.go).

import (
	"encoding/binary"
	"math"
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

var merge = Pass{
	Name: "merge", Doc: "paddings, transposes, normalisation, factors, biases, residuals and activations become part of convolutions and products", Class: Exact,
	After: []string{"canon", "fold"},
	Run:   func(c *Context) error { return c.rewrite(mergeRules()) },
}

func mergeRules() []Rule { return slices.Concat(weightRules, epilogueRules) }

// weightRules change the weights of convolutions. They round the weights: outputs differ by
// a few units of the last place of the largest product.
var weightRules = []Rule{
	{Name: "pad-conv", Ops: []string{"Conv"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		d, pads := spatialPad(n.Ins[0])
		if d == nil || !explicit(n) || !finite(n.Ins[1]) { // nothing times infinity is no number
			return nil, nil
		}
		pads = joined(pads, n.Attr.Ints("pads"))
		if pads == nil || !ok() {
			return nil, nil
		}
		ins := slices.Clone(n.Ins)
		ins[0] = d.Ins[0]
		a, err := n.Op.Schema.With(n.Attr, onnx.IntsAttr("pads", pads...), onnx.StringAttr("auto_pad", "NOTSET"))
		if err != nil {
			return nil, err
		}
		return c.like(g, n, "Conv", n.Outs[0], ir.Union("", n.From, d.From), ins, a.All()...)
	}},
	{Name: "pad-pool", Ops: []string{"AveragePool"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		d, pads := spatialPad(n.Ins[0])
		old := n.Attr.Ints("pads")
		padded := slices.ContainsFunc(old, func(p int64) bool { return p != 0 })
		if d == nil || !explicit(n) || n.Attr.Bool("ceil_mode") || padded && !n.Attr.Bool("count_include_pad") {
			return nil, nil
		}
		pads = joined(pads, old)
		kernel := n.Attr.Ints("kernel_shape")
		for i := range pads { // a window must hold more than padding
			if pads[i] >= kernel[i%len(kernel)] {
				return nil, nil
			}
		}
		if pads == nil || !ok() {
			return nil, nil
		}
		a, err := n.Op.Schema.With(n.Attr, onnx.IntsAttr("pads", pads...), onnx.IntAttr("count_include_pad", 1),
			onnx.StringAttr("auto_pad", "NOTSET"))
		if err != nil {
			return nil, err
		}
		return c.like(g, n, "AveragePool", n.Outs[0], ir.Union("", n.From, d.From), d.Ins[:1], a.All()...)
	}},
	{Name: "conv-norm", Ops: []string{"BatchNormalization"}, Class: Rounding,
		Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
			if n.Attr.Bool("training_mode") || slices.ContainsFunc(n.Outs[1:], func(v *ir.Value) bool { return v != nil }) {
				return nil, nil
			}
			var p [4][]float64
			for i := range p {
				if p[i] = floatsOf(n.Ins[1+i]); p[i] == nil || len(p[i]) != len(p[0]) {
					return nil, nil
				}
			}
			factor, shift := make([]float64, len(p[0])), make([]float64, len(p[0]))
			for i := range factor {
				factor[i] = p[0][i] / math.Sqrt(p[3][i]+float64(n.Attr.Float("epsilon")))
				shift[i] = p[1][i] - p[2][i]*factor[i]
			}
			out, err := c.scaled(g, n, n.Ins[0], factor, shift, ok)
			if out == nil || err != nil {
				return nil, err
			}
			return append(out, make([]*ir.Value, len(n.Outs)-1)...), nil
		}},
	{Name: "conv-factor", Ops: []string{"Mul"}, Class: Rounding, Apply: func(c *Context, g *ir.Graph, n *ir.Node,
		ok func() bool) ([]*ir.Value, error) {
		for i, v := range n.Ins {
			if f := perChannel(n.Ins[1-i], n.Outs[0]); f != nil {
				return c.scaled(g, n, v, f, make([]float64, len(f)), ok)
			}
		}
		return nil, nil
	}},
	{Name: "conv-bias", Ops: []string{"Add"}, Class: Rounding, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value,
		error) {
		for i, v := range n.Ins {
			if b := perChannel(n.Ins[1-i], n.Outs[0]); b != nil {
				return c.scaled(g, n, v, nil, b, ok)
			}
		}
		return nil, nil
	}},
}

// spatialPad is the Pad of constant zeros, at least none, of spatial axes that alone makes a
// value; with its begins, then its ends. Batch and channel axes must have no padding, and no
// padding is negative, which would crop. The result is in ONNX's order: all begins of the spatial
// axes, then all ends; nil when the value is something else.
func spatialPad(v *ir.Value) (*ir.Node, []int64) {
	d := defOf(v, "Pad")
	if d == nil || !v.Single() || !v.Type.Ranked || d.Attr.String("mode") != "constant" {
		return nil, nil
	}
	if len(d.Ins) > 2 && d.Ins[2] != nil && !all(d.Ins[2], 0) {
		return nil, nil
	}
	rank := len(v.Type.Dims)
	pads := intsOf(d.Ins[1])
	var axes []int64
	if len(d.Ins) > 3 && d.Ins[3] != nil {
		if axes = intsOf(d.Ins[3]); axes == nil {
			return nil, nil
		}
	} else {
		for a := range rank {
			axes = append(axes, int64(a))
		}
	}
	if rank < 3 || len(pads) != 2*len(axes) {
		return nil, nil
	}
	out := make([]int64, 2*(rank-2))
	for i, a := range axes {
		if a < 0 {
			a += int64(rank)
		}
		for side, p := range []int64{pads[i], pads[len(axes)+i]} {
			switch {
			case p < 0 || p > isa.MaxTaps/2 || a < 2 && p != 0:
				return nil, nil
			case a >= 2:
				out[side*(rank-2)+int(a)-2] = p
			}
		}
	}
	return d, out
}

// joined adds paddings; nil when they do not fit each other, or are none. The sum is written to
// a, which the caller owns.
func joined(a, b []int64) []int64 {
	if b != nil && len(a) != len(b) {
		return nil
	}
	for i, p := range b {
		a[i] += p
	}
	return a
}

// explicit reports whether a convolution or pooling has its paddings written. With SAME_UPPER and
// SAME_LOWER the padding depends on the size of the image, and a Pad before it would change it.
func explicit(n *ir.Node) bool {
	switch n.Attr.String("auto_pad") {
	case "", "NOTSET":
		return true
	case "VALID":
		return !slices.ContainsFunc(n.Attr.Ints("pads"), func(p int64) bool { return p != 0 })
	}
	return false
}

// maxWeights bounds the elements of weights that merges compute.
const maxWeights = 1 << 28

// floatsOf are the elements of a constant of floats; nil for another value.
func floatsOf(v *ir.Value) []float64 {
	if v == nil || v.Const == nil || !isFloat(v.Const.Tensor.DType) {
		return nil
	}
	if n, err := v.Const.Tensor.Count(); err != nil || n == 0 || n > maxWeights {
		return nil
	}
	list, err := v.Const.Tensor.Float64s()
	if err != nil {
		return nil
	}
	return list
}

// finite reports whether a value is a constant of finite numbers. A float32 is infinite or NaN
// exactly when all bits of its exponent are set. The fast form reads the bytes of large weights
// where they are.
func finite(v *ir.Value) bool {
	if v != nil && v.Const != nil && v.Const.Tensor.DType == onnx.Float && v.Const.Bytes > 0 { // without a copy
		raw := v.Const.Tensor.Raw
		for i := 0; i < len(raw); i += 4 {
			if raw[i+3]&0x7f == 0x7f && raw[i+2]&0x80 != 0 { // all bits of the exponent
				return false
			}
		}
		return true
	}
	list := floatsOf(v)
	return list != nil && !slices.ContainsFunc(list, infinite)
}

// perChannel gives the elements of a constant that has one for each channel of y, along
// its axis 1, or one for all; nil for another value. Dimensions that are missing in front
// are those that broadcasting adds, so that [C] is no vector of channels. The axis of channels is
// 1 counted from the front of y, so a vector [C] would be aligned with the last axis instead. One
// element is repeated for all channels.
func perChannel(v, y *ir.Value) []float64 {
	list := floatsOf(v)
	if list == nil || !y.Type.Ranked || len(y.Type.Dims) < 3 || v.Type.Elem != y.Type.Elem {
		return nil
	}
	channels, known := y.Type.Dims[1].Const()
	rank := len(y.Type.Dims)
	dims := v.Const.Tensor.Dims
	if !known || len(dims) > rank {
		return nil
	}
	for i, d := range dims {
		if d != 1 && (rank-len(dims)+i != 1 || d != channels) {
			return nil
		}
	}
	if int64(len(list)) == channels {
		return list
	}
	if len(list) != 1 || channels > maxLooked {
		return nil
	}
	return slices.Repeat(list, int(channels))
}

// scaled writes x·factor + shift, for each channel of what a convolution gives, as the
// convolution with other weights and bias. No factor leaves the weights. With the convolution y =
// W∗x + b the result is (f·W)∗x + (f·b + s). Weights of Conv have the output channel as their
// first axis; those of ConvTranspose are [inputs, outputs of a group, ...], so the channel
// follows from the group of the first axis and the second one. It gives up when the convolution
// is used elsewhere, when its result is broadcast by n, when a new number is not finite (an
// infinite weight would make NaN where x is 0), and on groups of weights that are too large to
// compute with.
func (c *Context) scaled(g *ir.Graph, n *ir.Node, x *ir.Value, factor, shift []float64, ok func() bool) ([]*ir.Value, error) {
	d := defOf(x, "Conv")
	if d == nil {
		d = defOf(x, "ConvTranspose")
	}
	if d == nil || !x.Single() || !covers(x, n.Outs[0]) {
		return nil, nil
	}
	w := d.Ins[1]
	bias := make([]float64, len(shift))
	if len(d.Ins) > 2 && d.Ins[2] != nil {
		bias = floatsOf(d.Ins[2])
	}
	if w.Const == nil || !isFloat(w.Type.Elem) || len(bias) != len(shift) {
		return nil, nil
	}
	dims := w.Const.Tensor.Dims
	runs := dims[0] // pieces of the weights that have one factor
	channel := func(run int) int { return run }
	if d.Op.Name == "ConvTranspose" {
		runs *= dims[1]
		inputs, outputs := int(dims[0]/d.Attr.Int("group")), int(dims[1])
		channel = func(run int) int { return run/outputs/inputs*outputs + run%outputs }
	}
	for i := range bias {
		if factor != nil {
			bias[i] *= factor[i]
		}
		bias[i] += shift[i]
	}
	weights := w.Const.Tensor
	if factor != nil {
		weights = scaledRuns(weights, runs, func(run int) float64 { return factor[channel(run)] })
	} else if !finite(w) {
		return nil, nil
	}
	if weights == nil || slices.ContainsFunc(bias, infinite) || !ok() {
		return nil, nil
	}
	b, err := onnx.NewFloats(weights.DType, []int64{int64(len(bias))}, bias)
	if err != nil {
		return nil, err
	}
	if factor != nil {
		if w, err = c.Module.AddConst(w.Name, weights); err != nil {
			return nil, err
		}
	}
	k, err := c.Module.AddConst("", b)
	if err != nil {
		return nil, err
	}
	return c.like(g, n, d.Op.Name, n.Outs[0], ir.Union("", d.From, n.From), []*ir.Value{d.Ins[0], w, k}, d.Attr.All()...)
}

func infinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// scaledRuns multiplies the elements of floats, cut into so many runs, by a factor for each. It is nil when a result
// is not finite, or there are none or too many. Weights of float32 are multiplied in their bytes,
// without a list of float64 that would take twice their memory.
func scaledRuns(t *onnx.Tensor, runs int64, factor func(run int) float64) *onnx.Tensor {
	n, err := t.Count()
	if err != nil || n == 0 || n > maxWeights {
		return nil
	}
	size := int(n / runs)
	if t.DType == onnx.Float && t.HasRaw {
		raw := make([]byte, len(t.Raw))
		for run := range int(runs) {
			f := factor(run)
			for i := 4 * run * size; i < 4*(run+1)*size; i += 4 {
				x := float64(math.Float32frombits(binary.LittleEndian.Uint32(t.Raw[i:]))) * f
				if infinite(x) {
					return nil
				}
				binary.LittleEndian.PutUint32(raw[i:], math.Float32bits(float32(x)))
			}
		}
		return &onnx.Tensor{DType: t.DType, Dims: t.Dims, Raw: raw, HasRaw: true}
	}
	list, err := t.Float64s()
	if err != nil {
		return nil
	}
	for i := range list {
		if list[i] *= factor(i / size); infinite(list[i]) {
			return nil
		}
	}
	out, err := onnx.NewFloats(t.DType, t.Dims, list)
	if err != nil {
		return nil
	}
	return out
}

// epilogueRules make the machine's conv and matmul.
var epilogueRules = []Rule{
	{Name: "product-transpose", Ops: []string{"MatMul", "vm::matmul"},
		Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
			p := productOf(n)
			if p == nil {
				return nil, nil
			}
			did := false
			for i, flag := range []*int64{&p.ta, &p.tb} {
				if d := defOf(n.Ins[i], "Transpose"); d != nil && swapsLast(permOf(d)) && d.Ins[0].Type.Ranked {
					p.ins[i], *flag, did = d.Ins[0], 1-*flag, true
					p.from = ir.Union("", p.from, d.From)
				}
			}
			if !did || !ok() {
				return nil, nil
			}
			return p.write(c, g, n)
		}},
	{Name: "gemm", Ops: []string{"Gemm"}, Class: Rounding, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value,
		error) {
		y := n.Outs[0]
		if !isFloat(y.Type.Elem) || !y.Type.Ranked || n.Attr.Float("alpha") != 1 || len(n.Ins) > 2 && n.Ins[2] != nil &&
			n.Attr.Float("beta") != 1 {
			return nil, nil
		}
		p := &product{name: "matmul", ins: []*ir.Value{n.Ins[0], n.Ins[1], nil, nil}, ta: n.Attr.Int("transA"), tb: n.Attr.Int("transB"),
			from: n.From}
		if len(n.Ins) > 2 && n.Ins[2] != nil && !p.add(n.Ins[2], y) || !ok() {
			return nil, nil
		}
		return p.write(c, g, n)
	}},
	{Name: "product-rows", Ops: []string{"vm::view"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		p, y := productBefore(n.Ins[0]), n.Outs[0].Type
		if p == nil || p.name != "matmul" || p.ta != 0 || p.ins[3] != nil || len(n.Ins[0].Type.Dims) != 2 || len(p.ins[0].Type.Dims) != 2 {
			return nil, nil
		}
		d, last := p.ins[0].Def, len(y.Dims)-1 // the rows of a larger tensor are multiplied: then that is
		if d == nil || d.Op.Opcode != isa.View || last < 2 || y.Dims[last] != n.Ins[0].Type.Dims[1] || !ok() {
			return nil, nil
		}
		x := &ir.Value{Type: p.ins[0].Type}
		x.Type.Dims = append(slices.Clone(y.Dims[:last]), p.ins[0].Type.Dims[1])
		p.ins[0], p.from = c.machine(g, n, "view", x, d.Ins[0]), ir.Union("", p.from, d.From)
		return p.write(c, g, n)
	}},
	{Name: "product-add", Ops: []string{"Add"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		for i, v := range n.Ins {
			p := productBefore(v)
			if p == nil || !covers(v, n.Outs[0]) || !p.add(n.Ins[1-i], n.Outs[0]) || !ok() {
				continue
			}
			return p.write(c, g, n)
		}
		return nil, nil
	}},
	{Name: "product-relu", Ops: []string{"Relu"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		p := productBefore(n.Ins[0])
		if p == nil || p.act || !covers(n.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		p.attrs = append(p.attrs, onnx.StringAttr("act", "relu"))
		return p.write(c, g, n)
	}},
	{Name: "product-clip", Ops: []string{"Clip"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		p := productBefore(n.Ins[0])
		if p == nil || p.act || len(n.Ins) < 3 || !covers(n.Ins[0], n.Outs[0]) {
			return nil, nil
		}
		lo, hi := floatsOf(n.Ins[1]), floatsOf(n.Ins[2])
		if len(lo) != 1 || len(hi) != 1 || !single(lo[0]) || !single(hi[0]) || !ok() {
			return nil, nil
		}
		p.attrs = append(p.attrs, onnx.StringAttr("act", "clip"), onnx.FloatAttr("hi", float32(hi[0])), onnx.FloatAttr("lo", float32(lo[0])))
		return p.write(c, g, n)
	}},
}

// single reports whether a number is finite and a float32. Bounds are attributes of float32; a
// number that is rounded on the way would clamp at another place.
func single(x float64) bool { return !math.IsInf(x, 0) && float64(float32(x)) == x }

// Only such a transpose is what a product can do by itself, with its flags ta and tb.
func swapsLast(perm []int64) bool {
	l := len(perm)
	for i, k := range perm {
		want := int64(i)
		switch i {
		case l - 1:
			want = int64(l - 2)
		case l - 2:
			want = int64(l - 1)
		}
		if k != want {
			return false
		}
	}
	return l >= 2
}

// A product is a conv or matmul of the machine that is being made. Operands are x, weights, bias
// and residual.
type product struct {
	name   string
	ins    []*ir.Value // with bias and residual, nil where there is none
	ta, tb int64
	attrs  []*onnx.Attr // but ta and tb
	act    bool         // an activation follows: nothing more can be added
	from   ir.Origin
}

// productOf reads a product of floats; nil for another node. Both factors must have at least two
// axes: the machine's product has no vectors. Attributes are translated from ONNX's names (group
// becomes groups); those of a machine's product are taken over, so that rules can be applied one
// after the other.
func productOf(n *ir.Node) *product {
	if n == nil || len(n.Outs) == 0 || n.Outs[0] == nil || !isFloat(n.Outs[0].Type.Elem) || !n.Outs[0].Type.Ranked {
		return nil
	}
	p := &product{ins: slices.Clone(n.Ins), from: n.From}
	switch {
	case n.Op.Domain == "" && n.Op.Name == "MatMul":
		p.name = "matmul"
	case n.Op.Domain == "" && n.Op.Name == "Conv":
		if !explicit(n) {
			return nil
		}
		p.name = "conv"
		for _, a := range n.Attr.All() {
			switch a.Name {
			case "group":
				p.attrs = append(p.attrs, onnx.IntAttr("groups", a.Int))
			case "dilations", "pads", "strides":
				p.attrs = append(p.attrs, a)
			}
		}
	case n.Op.Opcode == isa.Conv, n.Op.Opcode == isa.MatMul:
		p.name = n.Op.Name
		for _, a := range n.Attr.All() {
			switch a.Name {
			case "ta":
				p.ta = a.Int
			case "tb":
				p.tb = a.Int
			default:
				p.act = p.act || a.Name == "act"
				p.attrs = append(p.attrs, a)
			}
		}
	default:
		return nil
	}
	for i := range 2 {
		if x := p.ins[i]; !x.Type.Ranked || len(x.Type.Dims) < 2 {
			return nil
		}
	}
	for len(p.ins) < 4 {
		p.ins = append(p.ins, nil)
	}
	return p
}

// productBefore is the product that alone makes a value, which nothing else needs. The product
// would otherwise be computed twice.
func productBefore(v *ir.Value) *product {
	if v.Def == nil || !v.Single() || v.Index != 0 {
		return nil
	}
	return productOf(v.Def)
}

// add takes an operand of an addition as bias or residual, if it can. It must broadcast
// into the product: one element for each column, or one for each element. After an activation
// nothing can be added, since the epilogue clamps last. A residual comes after a bias in the same
// sum, so at most one of each is taken.
func (p *product) add(v, y *ir.Value) bool {
	if p.act || p.ins[3] != nil || !v.Type.Ranked || v.Type.Elem != y.Type.Elem {
		return false
	}
	dims := y.Type.Dims
	switch {
	case slices.Equal(v.Type.Dims, dims) && len(dims) > 1:
		p.ins[3] = v
	case p.name == "matmul" && p.ins[2] == nil && len(v.Type.Dims) == 1 && v.Type.Dims[0] == dims[len(dims)-1]:
		p.ins[2] = v
	default:
		return false
	}
	return true
}

// write makes the node, which stands for the results of n.
func (p *product) write(c *Context, g *ir.Graph, n *ir.Node) ([]*ir.Value, error) {
	for k, flag := range []int64{p.ta, p.tb} {
		if flag == 1 {
			p.attrs = append(p.attrs, onnx.IntAttr([]string{"ta", "tb"}[k], 1))
		}
	}
	for len(p.ins) > 2 && p.ins[len(p.ins)-1] == nil {
		p.ins = p.ins[:len(p.ins)-1]
	}
	m, err := c.machineNode(g, n, p.name, n.Outs[0].Type, ir.Union("", p.from, n.From), p.ins, p.attrs...)
	if err != nil {
		return nil, err
	}
	return m.Outs, nil
}

// product is the number of elements of some dimensions; nil when it is too large a formula.
func (c *Context) product(dims []*symshape.Expr) *symshape.Expr {
	return c.Module.Pool.Product(append([]*symshape.Expr{c.Module.Pool.Const(1)}, dims...)...)
}
