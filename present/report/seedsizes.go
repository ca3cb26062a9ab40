package report

// This file writes sizes as chainer-compiler's engine wrote them (seednotation.go). That engine kept the expression that a convolution or a
// pooling computes, with constants folded, where ours has the simplest one of the same value:
// ceil(((height - 1) // 2 - 2) / 2) + 1 for (height + 1) // 4. The graph is walked once, and for
// each size that a window computes the expression of that engine is noted under ours, if its value
// agrees for the example. Later windows use the noted expressions of their inputs.

import (
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// A seedExpr is an expression as text, with its outermost operator: 0 for a name or a call, 4 for + and -, 5 for //
// and *. Of a sum with a constant the rest and the constant are kept, for the next one to be
// folded. The values are those of the example and serve to check the expression.
type seedExpr struct {
	text     string
	priority int
	rest     *seedExpr
	constant int64
	val      int64 // for the example sizes
}

// Parentheses are needed where the operator binds weaker.
func (e *seedExpr) operand(priority int) string {
	if e.priority != 0 && e.priority < priority {
		return "(" + e.text + ")"
	}
	return e.text
}

// plus is e + n. Constants are folded: (e - 1) + 3 is e + 2.
func (e *seedExpr) plus(n int64) *seedExpr {
	rest := e
	if e.rest != nil {
		rest, n = e.rest, n+e.constant
	}
	if n == 0 {
		return rest
	}
	op := " + "
	if n < 0 {
		op = " - "
	}
	return &seedExpr{rest.operand(4) + op + strings.TrimPrefix(strconv.FormatInt(n, 10), "-"), 4, rest, n, rest.val + n}
}

// over is e // n, or ceil(e / n). n is positive.
func (e *seedExpr) over(n int64, up bool) *seedExpr {
	switch {
	case n == 1:
		return e
	case up:
		return &seedExpr{text: "ceil(" + e.operand(5) + " / " + strconv.FormatInt(n, 10) + ")", val: -floorDiv(-e.val, n)}
	}
	return &seedExpr{text: e.operand(5) + " // " + strconv.FormatInt(n, 10), priority: 5, val: floorDiv(e.val, n)}
}

// times is e * n. n is positive, too.
func (e *seedExpr) times(n int64) *seedExpr {
	if n == 1 {
		return e
	}
	return &seedExpr{text: e.operand(5) + " * " + strconv.FormatInt(n, 10), priority: 5, val: e.val * n}
}

// b is positive.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// seedSizes are the expressions of that engine by ours.
type seedSizes map[*symshape.Expr]*seedExpr

// of writes a size. A size without such an expression is written as ours.
func (s seedSizes) of(d symshape.Dim) string {
	if e := s[d.Expr]; e != nil && d.Known {
		return strconv.FormatInt(d.Val, 10) + " (" + e.text + ")"
	}
	return d.String()
}

// seedSizesOf goes through a graph. Regions of loops and branches are walked, too.
func seedSizesOf(g *graph.Graph) seedSizes {
	s := seedSizes{}
	if g != nil && g.Body != nil {
		s.region(g.Body)
	}
	return s
}

func (s seedSizes) region(r *graph.Region) {
	for _, n := range r.Nodes {
		for _, sub := range n.Regions {
			s.region(sub)
		}
		s.node(n)
	}
}

// node adds the sizes that windows give a result.
func (s seedSizes) node(n *graph.Node) {
	w := windowsOf(n)
	if w == nil || len(n.Outputs) == 0 {
		return
	}
	in, out := w.input.Type.Shape, n.Outputs[0].Type.Shape
	if len(in) != len(out) || len(in) < 3 {
		return
	}
	for i := 2; i < len(in); i++ {
		e := s.window(w, i, in[i])
		// The first expression of a size stays.
		if e == nil || s[out[i].Expr] != nil || out[i].Expr == nil || !out[i].Known || e.val != out[i].Val {
			continue
		}
		if _, constant := out[i].Expr.Const(); !constant && e.text != out[i].Expr.String() {
			s[out[i].Expr] = e
		}
	}
}

// nil where the window's numbers are not known.
func (s seedSizes) window(w *windows, axis int, d symshape.Dim) *seedExpr {
	if !d.Known || d.Expr == nil {
		return nil
	}
	e := s[d.Expr]
	if e == nil {
		e = &seedExpr{text: d.Expr.String(), val: d.Val}
		if strings.ContainsAny(e.text, "+-*/% ") {
			e.priority = 4
		}
	}
	k, ok := w.kernel(axis)
	stride, a := w.number(axis, 1, "stride")
	pad, b := w.number(axis, 0, "pad", "padding")
	dilate, c := w.number(axis, 1, "dilate", "dilation")
	if !ok || !a || !b || !c || stride < 1 {
		return nil
	}
	if w.defaultStride && w.arg("stride") == nil {
		stride = k
	}
	// Dilation widens the window.
	k += (k - 1) * (dilate - 1)
	if w.transposed {
		return e.plus(-1).times(stride).plus(k - 2*pad)
	}
	return e.plus(2*pad-k).over(stride, w.up).plus(1)
}

// windows are what a convolution or a pooling moves over its input. Arguments are named as in
// Chainer or PyTorch.
type windows struct {
	n                             *graph.Node
	input                         *graph.Value
	weight                        *graph.Value // nil for a pooling
	transposed, up, defaultStride bool
}

// nil for nodes that are none, and where an output size is given.
func windowsOf(n *graph.Node) *windows {
	w := &windows{n: n}
	for _, name := range [...]string{"x", "input"} {
		if v, ok := w.arg(name).(*graph.Value); ok {
			w.input = v
		}
	}
	if w.input == nil || !w.input.Type.Ranked {
		return nil
	}
	for _, name := range [...]string{"W", "weight"} {
		if v, ok := w.arg(name).(*graph.Value); ok {
			w.weight = v
		}
	}
	switch {
	case w.weight != nil && w.arg("stride") != nil:
		w.transposed = w.arg("outsize") != nil || w.arg("output_padding") != nil
	case w.weight == nil && (w.arg("ksize") != nil || w.arg("kernel_size") != nil):
		w.defaultStride = true
	default:
		return nil
	}
	for _, name := range [...]string{"cover_all", "ceil_mode"} {
		if on, ok := w.arg(name).(graph.Bool); ok && bool(on) {
			w.up = true
		}
	}
	for _, name := range [...]string{"outsize", "output_padding"} { // these say more than the window does
		if v := w.arg(name); v != nil {
			if n, known := w.number(2, 0, name); known && n != 0 {
				return nil
			}
		}
	}
	return w
}

// nil for an argument that the node lacks.
func (w *windows) arg(name string) graph.Operand {
	for _, a := range w.n.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// kernel is the size of the window along an axis.
func (w *windows) kernel(axis int) (int64, bool) {
	if w.weight == nil {
		return w.number(axis, 0, "ksize", "kernel_size")
	}
	if s := w.weight.Type.Shape; axis < len(s) {
		return s[axis].Val, s[axis].Known
	}
	return 0, false
}

// number reads an argument: a number, or one for each axis of space; otherwise where it is not
// given. The second result is false where it is not a number.
func (w *windows) number(axis int, otherwise int64, names ...string) (int64, bool) {
	for _, name := range names {
		switch v := w.arg(name).(type) {
		case nil:
		case graph.Int:
			return int64(v), true
		case graph.Dim:
			return v.Val, v.Known
		case graph.List:
			return element(v, axis-2, otherwise)
		case graph.Tuple:
			return element(v, axis-2, otherwise)
		default:
			return 0, false
		}
	}
	return otherwise, true
}

// One element stands for all axes.
func element(list []graph.Operand, i int, otherwise int64) (int64, bool) {
	if len(list) == 1 {
		i = 0
	}
	if i >= len(list) {
		return 0, false
	}
	switch v := list[i].(type) {
	case graph.Int:
		return int64(v), true
	case graph.Dim:
		return v.Val, v.Known
	case nil:
		return otherwise, true
	}
	return 0, false
}
