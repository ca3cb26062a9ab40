package lint

import (
	"slices"
	"testing"

	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// TestAxesThatStayHaveABoundary: the product of [B,h,t,16] and that of [B,h*t//L,L,16] are
// equal, but do not look so; the last axis is in no group with the others all the same.
func TestAxesThatStayHaveABoundary(t *testing.T) {
	p := symshape.NewPool()
	b, h, w, n, c := p.SymDim("B"), p.SymDim("h"), p.SymDim("t"), p.SymDim("L"), p.ConstDim(16)
	rows := symshape.Dim{Expr: p.FloorDiv(p.Mul(h.Expr, w.Expr), n.Expr)}
	in := &graph.Value{Type: graph.TensorType{Shape: symshape.Shape{b, h, w, c}, Ranked: true}}
	out := &graph.Value{Type: graph.TensorType{Shape: symshape.Shape{b, rows, n, c}}}
	l := &linter{Input: Input{Pool: p}, axes: map[*graph.Value][]axis{}}
	for _, d := range in.Type.Shape {
		l.axes[in] = append(l.axes[in], axis{{size: d}})
	}
	groups := l.align(in, out)
	var got []int
	for _, g := range groups {
		got = append(got, len(g.from), len(g.to))
	}
	if want := []int{1, 1, 2, 2, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("axes of the groups before and after: %v, want %v", got, want)
	}
}
