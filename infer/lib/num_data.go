package lib

// This file records what is computed with floats that data decide: their values
// are not known, but the typed graph shows where they come from.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape/dtype"
)

// floatOps and floatTests are the functions that the operators stand for.
var floatOps = map[ast.BinOperator]string{ast.Add: "torch.add", ast.Sub: "torch.sub", ast.Mult: "torch.mul", ast.Div: "torch.div"}

var floatTests = map[ast.CmpOperator]string{ast.Lt: "torch.lt", ast.LtE: "torch.le", ast.Gt: "torch.gt", ast.GtE: "torch.ge",
	ast.Eq: "torch.eq", ast.NotEq: "torch.ne"}

// floatNode records an operation on numbers of which at least one comes from a
// tensor. It gives nil when none does or one has no form in the typed graph.
func floatNode(th value.Thread, op string, a, b value.Value, d dtype.DType) *graph.Value {
	x, y := numberOperand(a), numberOperand(b)
	_, left := x.(*graph.Value)
	_, right := y.(*graph.Value)
	if op == "" || !left && !right || x == nil || y == nil {
		return nil
	}
	out := th.Graph().Scalar(nil, th.Here())
	out.Type = graph.TensorType{DType: d, Ranked: true}
	n := catalog.NewNode(op)
	n.Args, n.Outputs = []graph.Arg{{Name: "input", Value: x}, {Name: "other", Value: y}}, []*graph.Value{out}
	n.At, n.Module = th.Here(), th.ModulePath()
	th.Graph().Emit(n)
	return out
}

// numberOperand is a number in the typed graph, or nil.
func numberOperand(v value.Value) graph.Operand {
	switch v := v.(type) {
	case value.Int:
		return graph.Int(v)
	case value.Bool:
		return graph.Bool(v)
	case value.Float:
		return graph.Float(v)
	case *value.SymInt:
		switch {
		case v.Source != nil:
			return v.Source
		case v.D.Expr != nil:
			return graph.Dim{Dim: v.D}
		}
	case *value.SymFloat:
		switch {
		case v.Source != nil:
			return v.Source
		case v.R.Known():
			return graph.Real{Real: v.R}
		}
	}
	return nil
}
