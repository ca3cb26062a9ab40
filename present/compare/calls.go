package compare

// This file compares the calls of layers that have parameters, in the order in which
// they end: what is between them (activations, pooling, reshapes) is a module in one
// program and a function in another, and shows in the sizes. The first call that differs is told
// with its cause: which operation before it made its input another one. Calls that agree are
// counted.

import (
	"fmt"
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A call is one of a layer with parameters. own are its parameters in their order.
type call struct {
	*infer.ModuleCall
	own []parameter
}

// Both libraries' names are brought to one form.
func (c *call) label() string {
	if c.Name != "" {
		return canonicalOr(c.Name, c.Class.Name)
	}
	return c.Class.Name
}

// otherwise is used for a name that says nothing.
func canonicalOr(name, otherwise string) string {
	if n := canonical(name); n != "" {
		return n
	}
	return otherwise
}

// layers lists the calls of a run, those inside of another before it. side is 0 or 1.
func (c *comparison) layers(side int) []*call {
	r := c.runs[side]
	inside := map[int][]int{}
	for i, m := range r.Calls {
		inside[m.Parent] = append(inside[m.Parent], i)
	}
	steps := c.hasTorchRecurrence(1 - side)
	var out []*call
	// The calls stand before those inside of them, so there are no cycles.
	var walk func(i int)
	walk = func(i int) {
		if i >= 0 && steps { // Chainer's LSTM calls two layers, PyTorch's computes itself
			if k := recurrenceOf(r.Calls[i]); k != nil && k.cell && !k.torch {
				if own := c.parameters.ofLayers(side, r.Calls[i].Name); len(own) > 0 {
					out = append(out, &call{r.Calls[i], own})
					return
				}
			}
		}
		for _, k := range inside[i] {
			walk(k)
		}
		if i < 0 {
			return
		}
		own := c.parameters.ofModule(side, r.Calls[i].Module)
		if len(own) == 0 && len(inside[i]) == 0 { // Chainer's NStepLSTM has links for its layers, which it does not call
			own = c.parameters.ofLayers(side, r.Calls[i].Name)
		}
		if len(own) > 0 {
			out = append(out, &call{r.Calls[i], own})
		}
	}
	walk(-1)
	return out
}

// calls compares them one by one. nil: all calls are the same. A difference ends it; what is not
// known does not.
func (c *comparison) calls() *finding {
	lists := [2][]*call{c.layers(0), c.layers(1)}
	var unknown *finding
	var before [2][]*graph.Value
	for k := range max(len(lists[0]), len(lists[1])) {
		if k >= len(lists[0]) || k >= len(lists[1]) {
			return firstOf(unknown, c.missing(lists, k))
		}
		f := c.layer(k, lists[0][k], lists[1][k], before)
		if f != nil && f.verdict == Different {
			return f
		}
		if unknown == nil {
			unknown = f
		}
		if f == nil {
			c.out.Calls++
		}
		for i := range lists {
			before[i] = append(before[i], values(lists[i][k].Out)...)
		}
	}
	return unknown
}

// A certain difference goes before.
func firstOf(unknown, f *finding) *finding {
	if unknown != nil && f.verdict == Unknown {
		return unknown
	}
	return f
}

// missing is a call that only one model makes. Where the other one lost values, it may
// have lost calls, too. k is the place of the call in the longer list.
func (c *comparison) missing(lists [2][]*call, k int) *finding {
	i, which := 0, [2]string{"first", "second"}
	if k >= len(lists[0]) {
		i, which = 1, [2]string{"second", "first"}
	}
	x := lists[i][k]
	f := &finding{Different, Difference{What: fmt.Sprintf(
		"call %d, of %s: the %s model makes it, and the %s has no further layer with parameters", k+1, x.label(), which[0], which[1])}}
	if len(c.runs[1-i].Unknown) > 0 {
		f.verdict = Unknown
		cause := c.runs[1-i].Unknown[0]
		f.What += ": " + cause.Reason
		f.Places[1-i] = c.places(1-i, "", cause.At)
	}
	f.Places[i] = c.places(i, x.own[0].tensor.Type().String(), x.At, x.own[0].tensor.V.At)
	return f
}

// layer compares a call with the one of the same number. before are the tensors that earlier calls
// gave, for the search of a cause. Parameters are compared first, then results.
func (c *comparison) layer(k int, a, b *call, before [2][]*graph.Value) *finding {
	where := fmt.Sprintf("call %d, of %s and %s: ", k+1, a.label(), b.label())
	if f, compared := c.recurrent(where, a, b); compared {
		return f
	}
	if len(a.own) != len(b.own) {
		f := &finding{Different, Difference{What: fmt.Sprintf("%sit has %s and %s", where, listed(a.own), listed(b.own))}}
		for i, x := range []*call{a, b} {
			f.Places[i] = c.places(i, listed(x.own), x.At, x.own[0].tensor.V.At)
		}
		return f
	}
	var unknown *finding
	// Parameters may be in another order.
	for i, y := range c.parameters.arrange(a.own, b.own) {
		f := c.match(a.own[i], y)
		if f == nil {
			continue
		}
		f.What = where + f.What
		for i, x := range []*call{a, b} {
			if own := c.places(i, "", x.At); len(f.Places[i]) == 0 || len(own) > 0 &&
				(own[0].File != f.Places[i][0].File || own[0].Line != f.Places[i][0].Line) {
				f.Places[i] = append(own, f.Places[i]...)
			}
		}
		if f.verdict == Different {
			return f
		}
		unknown = f
	}
	// A call without a result raised.
	if a.Out == nil || b.Out == nil {
		if (a.Out == nil) == (b.Out == nil) {
			return unknown
		}
		f := &finding{Different, Difference{What: where + "one of them raises"}}
		f.Places[0], f.Places[1] = c.places(0, a.Err, a.At), c.places(1, b.Err, b.At)
		return f
	}
	f := c.value(a.Out, b.Out)
	if f == nil || c.sameRows(a, b) {
		return unknown
	}
	f.What = where + "it gives " + f.What
	if !c.cause(f, a, b, before) {
		f.Places[0] = c.places(0, text(a.Out), a.At, a.own[0].tensor.V.At)
		f.Places[1] = c.places(1, text(b.Out), b.At, b.own[0].tensor.V.At)
	}
	return f
}

// sameRows reports whether two calls of layers that work on the last axis give as many rows of one size: Chainer's take
// f32[B*T,N] where PyTorch's take f32[B,T,N]. The parameters, which are the same, tell such layers
// from others. An image's or sequence's axes may be flattened in one of the programs.
func (c *comparison) sameRows(a, b *call) bool {
	x, ok := a.Out.(*value.Tensor)
	y, both := b.Out.(*value.Tensor)
	if !ok || !both || strings.Contains(b.Class.Name, "BatchNorm") { // which works on the second axis
		return false
	}
	for _, p := range a.own {
		if t := p.tensor.Type(); !t.Ranked || len(t.Shape) > 2 {
			return false
		}
	}
	tx, ty := x.Type(), y.Type()
	if tx.DType != ty.DType || !tx.Ranked || !ty.Ranked || len(tx.Shape) == len(ty.Shape) || len(tx.Shape) < 2 || len(ty.Shape) < 2 {
		return false
	}
	rows, ok := leading(c.sizes.pools[0], tx.Shape)
	others, both := leading(c.sizes.pools[1], ty.Shape)
	return ok && both && c.dim(tx.Shape[len(tx.Shape)-1], ty.Shape[len(ty.Shape)-1]) == nil && c.sizes.same(rows, others) == nil
}

// leading is the product of all sizes but the last. The second result is false where a size has no
// expression.
func leading(p *symshape.Pool, s symshape.Shape) (*symshape.Expr, bool) {
	out := p.Const(1)
	for _, d := range s[:len(s)-1] {
		if d.Expr == nil {
			return nil, false
		}
		out = p.Mul(out, d.Expr)
	}
	return out, true
}

// cause shows what made the arguments of two calls different, if they are. The first argument is
// looked at.
func (c *comparison) cause(f *finding, a, b *call, before [2][]*graph.Value) bool {
	if len(a.In) == 0 || len(b.In) == 0 {
		return false
	}
	return c.explain(f, a.In[0], b.In[0], before[0], before[1])
}

// Names with their types.
func listed(list []parameter) string {
	out := ""
	for i, x := range list {
		if i > 0 {
			out += ", "
		}
		out += x.name + " " + x.tensor.Type().String()
	}
	return out
}

// values are the tensors in what a call gave. In the order of the structure.
func values(v value.Value) []*graph.Value {
	var out []*graph.Value
	if v == nil {
		return nil
	}
	for x := range value.Walk(v, maxDepth, value.Sequences) {
		if t, ok := x.(*value.Tensor); ok {
			out = append(out, t.V)
		}
	}
	return out
}

// places are lines of a run: the first with a note, the others say where the layer was
// made. A place that would repeat the first is left out.
func (c *comparison) places(side int, note string, spans ...source.Span) []Place {
	var out []Place
	for i, at := range spans {
		if i > 0 {
			note = "made here"
		}
		if p, ok := place(c.runs[side], at, note); ok && (len(out) == 0 || out[0].File != p.File || out[0].Line != p.Line) {
			out = append(out, p)
		}
	}
	return out
}
