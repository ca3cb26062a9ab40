package pass

// This file holds the rules of arithmetic with constants, and of chains of operators.
//
// A rule's Apply gets a node whose operator is in Ops. It must find out, without any change,
// whether the rule holds, then call ok, which asks whether the rule may be used here (its class,
// the limits of the run and the bisection of faults count) and then make the values that stand
// for the node's results. nil means that nothing was done.
//
// Rules of the class Exact give the same bits, with NaN, infinities and both zeros; those whose
// last place may differ are of the class Rounding and are used at the level Fast alone. Where an
// identity of algebra is missing it is mostly because of one of these cases: x+0 turns -0 into 0,
// x·0 is NaN for an infinity, x-x is NaN for NaN, and x/x is NaN for 0.
//
// The test covers(x, y) means that x has the type of y at least as exactly, so that x may stand
// wherever y was used: a neutral operand that broadcasts x to a larger shape fails it.

import (
	"math"
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
)

var arithmeticRules = []Rule{
	{Name: "neutral", Ops: []string{"Add", "Sub", "Mul", "Div"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node,
		ok func() bool) ([]*ir.Value, error) {
		// x·1 and x/1 are x; x-0 is x with its sign; x+0 is not where x is -0
		want := 1.0
		if n.Op.Name == "Sub" {
			want = 0
		}
		for i, x := range n.Ins {
			other := n.Ins[1-i]
			if i == 1 && n.Op.Name != "Mul" && n.Op.Name != "Add" { // only on the right
				continue
			}
			if n.Op.Name == "Add" {
				if want = 0; !isInteger(x.Type.Elem) {
					continue
				}
			}
			if all(other, want) && covers(x, n.Outs[0]) && ok() {
				return []*ir.Value{x}, nil
			}
		}
		return nil, nil
	}},
	{Name: "double-negation", Ops: []string{"Neg", "Not", "BitwiseNot"},
		Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
			d := n.Ins[0].Def
			if d == nil || d.Op != n.Op || !covers(d.Ins[0], n.Outs[0]) || !ok() {
				return nil, nil
			}
			return d.Ins, nil
		}},
	{Name: "idempotent", Ops: []string{"Relu", "Abs", "Floor", "Ceil", "Round", "Sign"},
		Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
			d := n.Ins[0].Def
			if d == nil || d.Op != n.Op || !ok() {
				return nil, nil
			}
			return n.Ins, nil
		}},
	{Name: "lossless-cast", Ops: []string{"Cast"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		d := n.Ins[0].Def
		if d == nil || d.Op.Name != "Cast" || d.Op.Domain != "" || !holdsAll(d.Ins[0].Type.Elem, n.Ins[0].Type.Elem) || !ok() {
			return nil, nil
		}
		m, err := c.Make(g, n, "Cast", 1, ir.Union("", n.From, d.From), []*ir.Value{d.Ins[0]}, n.Attr.All()...)
		if err != nil {
			return nil, err
		}
		return m.Outs, nil
	}},
	{Name: "known-where", Ops: []string{"Where"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		for i, want := range []float64{1, 0} {
			if all(n.Ins[0], want) && covers(n.Ins[1+i], n.Outs[0]) && ok() {
				return []*ir.Value{n.Ins[1+i]}, nil
			}
		}
		return nil, nil
	}},
	{Name: "sum-of-one", Ops: []string{"Sum", "Mean", "Max", "Min"},
		Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
			if len(n.Ins) != 1 || !covers(n.Ins[0], n.Outs[0]) || !ok() {
				return nil, nil
			}
			return n.Ins, nil
		}},
	{Name: "sum-of-two", Ops: []string{"Sum"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		if len(n.Ins) != 2 || !ok() {
			return nil, nil
		}
		m, err := c.Make(g, n, "Add", 1, n.From, n.Ins)
		if err != nil {
			return nil, err
		}
		return m.Outs, nil
	}},
	{Name: "sum-of-more", Ops: []string{"Sum"}, Class: Rounding, Apply: func(c *Context, g *ir.Graph, n *ir.Node,
		ok func() bool) ([]*ir.Value, error) {
		// an addition each, which rounds each: at most one unit of the last place for an addition
		if len(n.Ins) < 3 || c.binds(n) || !ok() {
			return nil, nil
		}
		v := n.Ins[0]
		for _, w := range n.Ins[1:] {
			m, err := c.Make(g, n, "Add", 1, n.From, []*ir.Value{v, w})
			if err != nil {
				return nil, err
			}
			v = m.Outs[0]
		}
		if !covers(v, n.Outs[0]) {
			return nil, nil
		}
		return []*ir.Value{v}, nil
	}},
	{Name: "square", Ops: []string{"Pow"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		if !oneOf(n.Ins[1], 2) || n.Ins[0].Type.Elem == onnx.Double || !isFloat(n.Ins[0].Type.Elem) && !isInteger(n.Ins[1].Type.Elem) ||
			!covers(n.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		return c.like(g, n, "Mul", n.Outs[0], n.From, []*ir.Value{n.Ins[0], n.Ins[0]})
	}},
	{Name: "root", Ops: []string{"Pow"}, Class: Rounding, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value,
		error) {
		// -0 stays -0 in a root, and is 0 as a power; less than nothing is NaN in both, but for -Inf
		if !oneOf(n.Ins[1], 0.5) || !isFloat(n.Ins[0].Type.Elem) || !covers(n.Ins[0], n.Outs[0]) || !nonNegative(n.Ins[0], 0) || !ok() {
			return nil, nil
		}
		return c.like(g, n, "Sqrt", n.Outs[0], n.From, n.Ins[:1])
	}},
	{Name: "reciprocal", Ops: []string{"Pow"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		if !oneOf(n.Ins[1], -1) || !isFloat(n.Ins[0].Type.Elem) || n.Ins[0].Type.Elem == onnx.Double || !covers(n.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		return c.like(g, n, "Reciprocal", n.Outs[0], n.From, n.Ins[:1])
	}},
	{Name: "first-power", Ops: []string{"Pow"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		if !oneOf(n.Ins[1], 1) || !covers(n.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		return n.Ins[:1], nil
	}},
	{Name: "div-by-power-of-two", Ops: []string{"Div"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		return c.inverse(g, n, ok)
	}},
}

// inverse writes the division of floats by powers of two as a product with their
// inverses, which are exact. They must be normal numbers, far from the ends of the type's
// range. Other divisors have no rule: a quotient that is rounded otherwise before a floor
// or a truncation is another whole number. The limits of the exponents keep both the divisor and
// its inverse among normal numbers, so that the product rounds where the quotient does, also if
// the result is subnormal. Products are several times as fast as quotients on all of the
// machines.
func (c *Context) inverse(g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
	d, y := n.Ins[1], n.Outs[0]
	if d.Const == nil || n.Ins[0].Const != nil {
		return nil, nil
	}
	t := d.Const.Tensor
	limit := map[onnx.DType]int{onnx.Float: 120, onnx.Double: 1000, onnx.Float16: 12, onnx.BFloat16: 120}[t.DType] // of the exponent
	if count, err := t.Count(); err != nil || count == 0 || count > maxLooked || limit == 0 {
		return nil, nil
	}
	list, err := t.Float64s()
	if err != nil {
		return nil, err
	}
	for i, x := range list {
		f, e := math.Frexp(x)
		if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) || e > limit || e < -limit || math.Abs(f) != 0.5 {
			return nil, nil
		}
		list[i] = 1 / x
	}
	if !ok() {
		return nil, nil
	}
	k, err := onnx.NewFloats(t.DType, t.Dims, list)
	if err != nil {
		return nil, err
	}
	v, err := c.Module.AddConst("", k)
	if err != nil {
		return nil, err
	}
	return c.like(g, n, "Mul", y, n.From, []*ir.Value{n.Ins[0], v})
}

// nonNegative reports whether no element is less than zero, where that is easy to see; NaN
// and -0 may be there. It looks at most 8 nodes up, which is enough for a variance, the mean of a
// square plus a constant. The search has no memory of nodes that were seen, and Add, Mul, Max and
// Min branch; the depth bounds that.
func nonNegative(v *ir.Value, depth int) bool {
	if v == nil || depth > 8 {
		return false
	}
	if v.Const != nil {
		t := v.Const.Tensor
		n, err := t.Count()
		if err != nil || n > maxLooked || !isFloat(t.DType) {
			return false
		}
		list, err := t.Float64s()
		return err == nil && !slices.ContainsFunc(list, func(x float64) bool { return !(x >= 0) })
	}
	d := v.Def
	if d == nil || d.Op.Domain != "" && d.Op.Opcode != isa.View {
		return false
	}
	switch d.Op.Name {
	case "Abs", "Relu", "Exp", "Sigmoid", "ReduceSumSquare", "ReduceL1", "ReduceL2", "Softmax", "Softplus":
		return true
	case "Mul":
		return d.Ins[0] == d.Ins[1] || nonNegative(d.Ins[0], depth+1) && nonNegative(d.Ins[1], depth+1)
	case "Add", "Max", "Min":
		return !slices.ContainsFunc(d.Ins, func(x *ir.Value) bool { return !nonNegative(x, depth+1) })
	case "ReduceMean", "ReduceSum", "ReduceMax", "view", "Reshape", "Transpose", "Sqrt", "Identity":
		return nonNegative(d.Ins[0], depth+1)
	case "Pow":
		return oneOf(d.Ins[1], 2)
	}
	return false
}

// oneOf reports whether a value is a constant of one element that is the number. The shape of one
// element does not matter: [1, 1] is taken as well.
func oneOf(v *ir.Value, want float64) bool {
	if v == nil || v.Const == nil {
		return false
	}
	n, err := v.Const.Tensor.Count()
	return err == nil && n == 1 && all(v, want)
}

// maxLooked bounds the elements of a constant that a rule looks at. Larger ones are weights,
// where the rule hardly ever holds and reading them for each node would take longer than what it
// saves.
const maxLooked = 1 << 16

// all reports whether a value is a constant all of whose elements are a number.
func all(v *ir.Value, want float64) bool {
	if v == nil || v.Const == nil {
		return false
	}
	t := v.Const.Tensor
	if n, err := t.Count(); err != nil || n == 0 || n > maxLooked {
		return false
	}
	if isInteger(t.DType) || t.DType == onnx.Bool {
		list, err := t.Ints()
		return err == nil && !slices.ContainsFunc(list, func(x int64) bool { return float64(x) != want })
	}
	list, err := t.Float64s()
	return err == nil && !slices.ContainsFunc(list, func(x float64) bool { return x != want || x == 0 && 1/x < 0 })
}

func isFloat(d onnx.DType) bool {
	switch d {
	case onnx.Float, onnx.Double, onnx.Float16, onnx.BFloat16:
		return true
	}
	return false
}

func isInteger(d onnx.DType) bool {
	switch d {
	case onnx.Int64, onnx.Int32, onnx.Int16, onnx.Int8, onnx.Uint64, onnx.Uint32, onnx.Uint16, onnx.Uint8:
		return true
	}
	return false
}

// holdsAll reports whether a type has every value of another.
func holdsAll(of, in onnx.DType) bool {
	if of == in {
		return true
	}
	floats := map[onnx.DType]int{onnx.BFloat16: 8, onnx.Float16: 11, onnx.Float: 24, onnx.Double: 53} // bits of the significand
	signed := map[onnx.DType]int{onnx.Int8: 7, onnx.Int16: 15, onnx.Int32: 31, onnx.Int64: 63}
	unsigned := map[onnx.DType]int{onnx.Bool: 1, onnx.Uint8: 8, onnx.Uint16: 16, onnx.Uint32: 32, onnx.Uint64: 64}
	if b, ok := unsigned[of]; ok {
		return b <= unsigned[in] || b <= signed[in] || b <= floats[in]
	}
	if b, ok := signed[of]; ok {
		return b <= signed[in] || b <= floats[in]
	}
	return floats[of] > 0 && (in == onnx.Double || in == onnx.Float && of != onnx.Double)
}
