package parser

// This file allocates nodes in chunks: a tree is dropped as a whole, so nothing
// is lost by keeping neighbours alive, and the allocator is called once for many
// nodes.

import "shapecheck/parser/ast"

// A slab hands out pointers into chunks that grow with use.
type slab[T any] struct{ free []T }

func (s *slab[T]) new() *T {
	if len(s.free) == cap(s.free) {
		s.free = make([]T, 0, min(max(2*cap(s.free), 16), 512))
	}
	n := len(s.free)
	s.free = s.free[:n+1]
	return &s.free[n]
}

// take hands out a slice of n elements without spare capacity.
func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return nil
	}
	if cap(s.free)-len(s.free) < n {
		s.free = make([]T, 0, max(n, min(max(2*cap(s.free), 32), 1024)))
	}
	i := len(s.free)
	s.free = s.free[:i+n]
	return s.free[i : i+n : i+n]
}

// slabs holds one slab for each frequent type.
type slabs struct {
	name      slab[ast.Name]
	constant  slab[ast.Constant]
	attribute slab[ast.Attribute]
	call      slab[ast.Call]
	subscript slab[ast.Subscript]
	binOp     slab[ast.BinOp]
	compare   slab[ast.Compare]
	tuple     slab[ast.Tuple]
	keyword   slab[ast.Keyword]
	param     slab[ast.Param]
	assign    slab[ast.Assign]
	exprStmt  slab[ast.ExprStmt]
	ret       slab[ast.Return]
	ifStmt    slab[ast.If]

	exprs    slab[ast.Expr]
	stmts    slab[ast.Stmt]
	params   slab[*ast.Param]
	keywords slab[*ast.Keyword]
}
