package pass

// This file holds the rules of arithmetic with constants, and of chains of operators.

import (
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/internal/onnx"
)

var arithmeticRules = []Rule{
	{Name: "neutral", Ops: []string{"Add", "Sub", "Mul", "Div"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
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
	{Name: "double-negation", Ops: []string{"Neg", "Not", "BitwiseNot"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		d := n.Ins[0].Def
		if d == nil || d.Op != n.Op || !covers(d.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		return d.Ins, nil
	}},
	{Name: "idempotent", Ops: []string{"Relu", "Abs", "Floor", "Ceil", "Round", "Sign"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
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
	{Name: "sum-of-one", Ops: []string{"Sum", "Mean", "Max", "Min"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
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
}

// maxLooked bounds the elements of a constant that a rule looks at.
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
