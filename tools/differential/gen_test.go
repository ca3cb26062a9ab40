package differential

// This file makes random models. Every node is typed by the inference and computed by the
// evaluator when it is made, and left out when either refuses it: the models are valid for
// the inputs with which they were made.

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// opset is that of the models.
const opset = 24

// maxElems bounds the elements of one value of a random model.
const maxElems = 1500

// A val is a value of the model: its name, what is known of it, and what it is for the
// inputs with which the model is made.
type val struct {
	name string
	t    *inference.Value
	v    eval.Value
	uses int
}

func (v *val) tensor() *eval.Tensor { t, _ := v.v.(*eval.Tensor); return t }

func (v *val) dims() []int64 {
	if t := v.tensor(); t != nil {
		return t.Dims
	}
	return nil
}

func (v *val) dtype() onnx.DType {
	if t := v.tensor(); t != nil {
		return t.DType
	}
	return onnx.Undefined
}

// A builder makes one model.
type builder struct {
	*rand.Rand
	pool  *symshape.Pool
	types *inference.Session
	evals *eval.Session
	graph *onnx.Graph
	vals  []*val // those that can be used, also of graphs around this one
	from  int    // the first of this graph
	names int
	depth int
	left  int // nodes that may be made
	// special says that floats have elements such as NaN.
	special bool
	consts  *onnx.Graph    // the graph that gets constants
	inits   []*onnx.Tensor // all of them, of all graphs
}

// specials are elements that kernels and rules are wrong about first.
var specials = []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 0.5, 2, -2.5, 65504, 1e-40, 1e6, 1e-7}

// A randomModel is a model with the inputs for which it was made.
type randomModel struct {
	model *onnx.Model
	ins   map[string]eval.Value
	// sizes are the symbols of the inputs with their sizes.
	sizes map[string]int64
}

var floatTypes = []onnx.DType{onnx.Float, onnx.Float, onnx.Float, onnx.Float, onnx.Float, onnx.Float, onnx.Double, onnx.Float16,
	onnx.BFloat16}
var intTypes = []onnx.DType{onnx.Int64, onnx.Int64, onnx.Int32, onnx.Int8, onnx.Uint8, onnx.Int16, onnx.Uint16, onnx.Uint32, onnx.Uint64}

// randomGraph makes the model of a seed.
func randomGraph(seed uint64) *randomModel {
	b := &builder{Rand: rand.New(rand.NewPCG(seed, 0x5eed)), pool: symshape.NewPool()}
	b.types, b.evals = inference.NewSession(b.pool), eval.NewSession(eval.Config{Limits: small}, nil)
	b.special = b.IntN(4) == 0
	b.graph = &onnx.Graph{Name: "random"}
	b.consts = b.graph
	out := &randomModel{ins: map[string]eval.Value{}, sizes: map[string]int64{}}
	for i, n := range []string{"N", "H", "T"}[:b.IntN(4)] {
		out.sizes[n] = int64(1 + b.IntN(3+i))
	}
	for i := range 1 + b.IntN(4) {
		b.input(i, out)
	}
	b.left = 3 + b.IntN(38)
	for tries := 0; b.left > 0 && tries < 600; tries++ {
		b.step()
	}
	b.results()
	out.model = &onnx.Model{IRVersion: 10, ProducerName: "shapecheck", Graph: b.graph, Opsets: []onnx.Opset{{Version: opset}}}
	return out
}

// small are the limits of one node.
var small = eval.Limits{Elems: maxElems * 8, Bytes: 1 << 22, Steps: 1 << 40}

// input adds an input of the model; sizes are numbers or symbols.
func (b *builder) input(i int, out *randomModel) {
	d := onnx.Float
	switch k := b.IntN(10); {
	case i == 0:
	case k < 2:
		d = floatTypes[b.IntN(len(floatTypes))]
	case k < 4:
		d = intTypes[b.IntN(len(intTypes))]
	case k == 4:
		d = onnx.Bool
	}
	rank := []int{0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5}[b.IntN(11)]
	if i == 0 {
		rank = 2 + b.IntN(3)
	}
	info := &onnx.ValueInfo{Name: fmt.Sprintf("x%d", i), Type: onnx.TensorOf(d)}
	var dims []int64
	var exprs []*symshape.Expr
	symbols := slices.Sorted(maps.Keys(out.sizes))
	for range rank {
		if len(symbols) > 0 && b.IntN(2) == 0 {
			s := symbols[b.IntN(len(symbols))]
			info.Type.Shape.Dims = append(info.Type.Shape.Dims, onnx.Sym(s))
			dims, exprs = append(dims, out.sizes[s]), append(exprs, b.pool.Symbol(s))
			continue
		}
		n := int64([]int{1, 2, 3, 3, 4, 4, 5, 6, 8}[b.IntN(9)])
		if b.IntN(60) == 0 {
			n = 0
		}
		info.Type.Shape.Dims = append(info.Type.Shape.Dims, onnx.Static(n))
		dims, exprs = append(dims, n), append(exprs, b.pool.Const(n))
	}
	v := b.elements(d, dims)
	b.graph.Inputs = append(b.graph.Inputs, info)
	out.ins[info.Name] = v
	t := b.types.ValueOf(&inference.Type{Kind: onnx.TensorType, Elem: d, Ranked: true, Dims: exprs}, nil)
	b.vals = append(b.vals, &val{name: info.Name, t: t, v: v})
}

// elements draws a tensor.
func (b *builder) elements(d onnx.DType, dims []int64) *eval.Tensor {
	return drawn(b.Rand, d, dims, b.special)
}

// drawn draws a tensor's elements.
func drawn(r *rand.Rand, d onnx.DType, dims []int64, special bool) *eval.Tensor {
	t, err := eval.New(d, append([]int64{}, dims...))
	if err != nil {
		panic(err)
	}
	for i := range t.F {
		t.F[i] = eval.Round(d, r.NormFloat64()*2)
		if special && r.IntN(6) == 0 {
			t.F[i] = eval.Round(d, specials[r.IntN(len(specials))])
		}
	}
	for i := range t.I {
		switch x := r.Int64N(10); {
		case d == onnx.Bool:
			t.I[i] = x & 1
		case special && x == 0:
			t.I[i] = wrapped(d, int64(r.Uint64()))
		case signed(d):
			t.I[i] = r.Int64N(13) - 4
		default:
			t.I[i] = r.Int64N(9)
		}
	}
	return t
}

func signed(d onnx.DType) bool {
	return d == onnx.Int64 || d == onnx.Int32 || d == onnx.Int16 || d == onnx.Int8
}

func isFloat(d onnx.DType) bool {
	return d == onnx.Float || d == onnx.Double || d == onnx.Float16 || d == onnx.BFloat16
}

func isInt(d onnx.DType) bool { return signed(d) || isUnsigned(d) }

func isUnsigned(d onnx.DType) bool {
	return d == onnx.Uint64 || d == onnx.Uint32 || d == onnx.Uint16 || d == onnx.Uint8
}

// wrapped cuts an integer to the bits of its type.
func wrapped(d onnx.DType, x int64) int64 {
	switch bits := d.Bits(); {
	case d == onnx.Bool:
		return x & 1
	case bits >= 64:
		return x
	case signed(d):
		return x << (64 - bits) >> (64 - bits)
	default:
		return x & (1<<bits - 1)
	}
}

// fresh is a name that nothing has.
func (b *builder) fresh(prefix string) string {
	b.names++
	return fmt.Sprintf("%s%d", prefix, b.names)
}

// constant adds a constant: an initializer, or a node now and then.
func (b *builder) constant(t *eval.Tensor) *val {
	raw, err := t.AppendRaw(nil, 0, t.Len())
	if err != nil {
		panic(err)
	}
	x := &onnx.Tensor{Name: b.fresh("c"), DType: t.DType, Dims: t.Dims, Raw: raw, HasRaw: true}
	info, err := b.types.Constant(x)
	if err != nil {
		panic(err)
	}
	v := &val{name: x.Name, t: info, v: t}
	if b.IntN(8) == 0 {
		b.graph.Nodes = append(b.graph.Nodes, &onnx.Node{Op: "Constant", Outputs: []string{x.Name},
			Attrs: []*onnx.Attr{onnx.TensorAttr("value", x)}})
		return v
	}
	b.consts.Initializers, b.inits = append(b.consts.Initializers, x), append(b.inits, x)
	return v
}

// ints and scalar make constants of i64.
func (b *builder) ints(list ...int64) *val { return b.constant(eval.Ints(nil, list...)) }

func (b *builder) scalar(x int64) *val { return b.constant(eval.Ints([]int64{}, x)) }

// number makes a constant of one element without dimensions.
func (b *builder) number(d onnx.DType, x float64) *val { return b.full(d, x) }

// full makes a constant of equal elements.
func (b *builder) full(d onnx.DType, x float64, dims ...int64) *val {
	t, err := eval.New(d, append([]int64{}, dims...))
	if err != nil {
		panic(err)
	}
	for i := range t.F {
		t.F[i] = eval.Round(d, x)
	}
	for i := range t.I {
		t.I[i] = wrapped(d, int64(x))
	}
	return b.constant(t)
}

// drawnConst makes a constant of random elements.
func (b *builder) drawnConst(d onnx.DType, dims ...int64) *val {
	return b.constant(drawn(b.Rand, d, dims, false))
}

// pick gives a value for which ok holds, newer ones more often; nil when there is none.
func (b *builder) pick(ok func(*val) bool) *val {
	var list []*val
	for _, v := range b.vals {
		if ok(v) {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return nil
	}
	if b.IntN(2) == 0 { // one of the last ones, so that chains grow
		list = list[max(0, len(list)-3):]
	}
	return list[b.IntN(len(list))]
}

// Conditions for pick.
func anyTensor(v *val) bool { return v.tensor() != nil }
func aFloat(v *val) bool    { return isFloat(v.dtype()) }
func aNumber(v *val) bool   { return isFloat(v.dtype()) || isInt(v.dtype()) }
func anInt(v *val) bool     { return isInt(v.dtype()) }
func aBool(v *val) bool     { return v.dtype() == onnx.Bool }

func rankAtLeast(n int, ok func(*val) bool) func(*val) bool {
	return func(v *val) bool { return ok(v) && len(v.dims()) >= n }
}

func rankIs(n int, ok func(*val) bool) func(*val) bool {
	return func(v *val) bool { return ok(v) && len(v.dims()) == n }
}

func filled(ok func(*val) bool) func(*val) bool {
	return func(v *val) bool { return ok(v) && v.tensor().Len() > 0 }
}

// add makes a node of one result.
func (b *builder) add(op string, ins []*val, attrs ...*onnx.Attr) *val {
	if list := b.addN(op, ins, 1, attrs...); list != nil {
		return list[0]
	}
	return nil
}

// addN makes a node, unless it is not valid: then it gives nil. Nil operands are absent;
// when one of them should be there and could not be made, the caller has returned before.
func (b *builder) addN(op string, ins []*val, outs int, attrs ...*onnx.Attr) []*val {
	n := &onnx.Node{Op: op, Attrs: attrs}
	var types []*inference.Value
	var values []eval.Value
	for _, v := range ins {
		if v == nil {
			n.Inputs, types, values = append(n.Inputs, ""), append(types, nil), append(values, nil)
			continue
		}
		n.Inputs, types, values = append(n.Inputs, v.name), append(types, v.t), append(values, v.v)
	}
	for range outs {
		n.Outputs = append(n.Outputs, b.fresh("v"))
	}
	t, errs := b.types.Apply(n, opset, types)
	if len(errs) > 0 {
		return nil
	}
	v, err := b.evals.Apply(n, []onnx.Opset{{Version: opset}}, values)
	if err != nil {
		return nil
	}
	return b.made(n, ins, t, v)
}

// made adds a node whose results are known.
func (b *builder) made(n *onnx.Node, ins []*val, t []*inference.Value, v []eval.Value) []*val {
	var out []*val
	for i, name := range n.Outputs {
		if i >= len(v) || v[i] == nil || !modest(v[i]) {
			return nil
		}
		x := &val{name: name, v: v[i]}
		if i >= len(t) || t[i] == nil || t[i].ONNX() == nil {
			return nil
		}
		x.t = t[i]
		out = append(out, x)
	}
	for _, x := range ins {
		if x != nil {
			x.uses++
		}
	}
	n.Name = b.fresh("n")
	b.graph.Nodes = append(b.graph.Nodes, n)
	b.vals = append(b.vals, out...)
	b.left--
	return out
}

// modest reports whether a value is small enough to go on with, and of types that are here.
func modest(v eval.Value) bool {
	switch v := v.(type) {
	case *eval.Tensor:
		return v.Len() <= maxElems && len(v.Dims) <= 6 && (isFloat(v.DType) || isInt(v.DType) || v.DType == onnx.Bool)
	case *eval.Sequence:
		return len(v.Items) < 12
	case *eval.Optional:
		return true
	}
	return false
}

// results makes outputs of what nobody uses, and of some other values.
func (b *builder) results() {
	for _, v := range b.vals[len(b.graph.Inputs):] {
		if v.uses == 0 && b.IntN(8) > 0 || b.IntN(8) == 0 {
			b.result(v)
		}
	}
	for i := len(b.vals) - 1; len(b.graph.Outputs) == 0; i-- {
		b.result(b.vals[i])
	}
}

func (b *builder) result(v *val) {
	t := v.t.ONNX()
	if t != nil && b.IntN(3) == 0 {
		t = loosened(t)
	}
	b.graph.Outputs = append(b.graph.Outputs, &onnx.ValueInfo{Name: v.name, Type: t})
}

// loosened leaves out of a type what a file need not say.
func loosened(t *onnx.Type) *onnx.Type {
	o := *t
	o.Shape = nil
	if t.Of != nil {
		o.Of = loosened(t.Of)
	}
	return &o
}

// step makes a node, or several that belong together.
func (b *builder) step() {
	total := 0
	for _, m := range makers {
		total += m.weight
	}
	k := b.IntN(total)
	for _, m := range makers {
		if k -= m.weight; k < 0 {
			m.make(b)
			return
		}
	}
}

// A maker makes nodes of one kind, or nothing when there are no operands for them.
type maker struct {
	weight int
	make   func(*builder)
}

var makers []maker

func init() { // not a literal: bodies of loops are made by the makers, too
	makers = slices.Concat(pointMakers, reduceMakers, productMakers, moveMakers, sizeMakers, controlMakers)
}
