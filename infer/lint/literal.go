package lint

// This file reads the calls in the source for numbers that are written there.

import (
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// writtenSize reports whether the first size in the text of a call of view or
// reshape is the number n itself.
func writtenSize(text string, n int64) bool {
	file := source.NewFile("<call>", text)
	if err := source.NewFileSet().Add(file); err != nil {
		return false
	}
	tree, faults := parser.ParseExpr(file)
	if len(faults) > 0 || len(tree.Body) != 1 {
		return false
	}
	s, ok := tree.Body[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := s.Value.(*ast.Call)
	if !ok || len(call.Args) == 0 {
		return false
	}
	first := call.Args[0]
	if f, ok := call.Func.(*ast.Attribute); ok && len(call.Args) > 1 {
		if m, ok := f.Value.(*ast.Name); ok && m.ID == "torch" { // torch.reshape(x, sizes)
			first = call.Args[1]
		}
	}
	switch x := first.(type) {
	case *ast.Tuple:
		if len(x.Elts) == 0 {
			return false
		}
		first = x.Elts[0]
	case *ast.List:
		if len(x.Elts) == 0 {
			return false
		}
		first = x.Elts[0]
	}
	sign := int64(1)
	if u, ok := first.(*ast.UnaryOp); ok && u.Op == ast.USub {
		first, sign = u.Operand, -1
	}
	c, ok := first.(*ast.Constant)
	return ok && c.Kind == ast.IntConst && c.Big == nil && sign*c.Int == n
}
