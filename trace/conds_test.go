package trace

import (
	"strings"
	"testing"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// TestMayAliasKnowsEveryView calls each method of tensors: those whose records say that they give
// a view, or the tensor itself, need a copy in a branch of torch.cond, others none.
func TestMayAliasKnowsEveryView(t *testing.T) {
	views := map[string]bool{}
	catalog.Of(ops.Torch, func(op *ops.Op) {
		for _, name := range op.Names {
			method, ok := strings.CutPrefix(name, "torch.Tensor.")
			if !ok || strings.Contains(method, ".") {
				continue
			}
			tree, faults := parser.ParseExpr(source.NewFile("", "x."+method+"()"))
			if len(faults) > 0 || len(tree.Body) != 1 {
				t.Fatalf("x.%s() is no expression", method)
			}
			want := op.Is&(graph.View|graph.MaybeSelf) != 0
			if got := mayAlias(tree.Body[0].(*ast.ExprStmt).Value); got != want {
				t.Errorf("x.%s(): %t", method, got)
			}
			views[method] = want
		}
	})
	for method, want := range map[string]bool{"transpose": true, "movedim": true, "swapaxes": true, "reshape_as": true, "unbind": true,
		"unfold": true,
		"float":  true, "type_as": true, "clone": false, "add": false} {
		if views[method] != want {
			t.Errorf("x.%s() is a view: %t", method, views[method])
		}
	}
}
