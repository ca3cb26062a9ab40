package infer

// This file compares what two runs gave: their types, their elements where they are known, and
// how they were computed. It is for tracers: whether a trace or an exported program gives what the
// model gives. Where elements are known they are compared; otherwise two values are equal if they
// were computed by the same operations from the same values, which numbers for texts (prints)
// decide.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// sameOutcome reports whether two calls with the same inputs gave the same, as far as that is
// known. Two calls that both raise count as alike.
func (tc *tracing) sameOutcome(a, b *TracedCall) (same, known bool) {
	if a.Error != nil || b.Error != nil {
		return a.Error != nil && b.Error != nil, true
	}
	return tc.newPrints().same(a.Output, b.Output)
}

// prints gives values of the graph numbers: equal numbers are computed in one way from the same.
// Random draws and values that branches give have numbers of their own.
type prints struct {
	in  *Interp
	ids map[string]int
	of  map[*graph.Value]int
	// unsure says that some value's number is its own for want of knowledge.
	unsure bool
	// anyDraw says that random numbers are alike.
	anyDraw bool
	visit   value.Visit // of the first of two results
}

func (tc *tracing) newPrints() *prints {
	return &prints{in: tc.in, visit: value.Visit{Repeats: value.SomeRepeats}, ids: map[string]int{}, of: map[*graph.Value]int{}}
}

// same compares two results. known is false where the two may be equal or not.
func (p *prints) same(a, b value.Value) (same, known bool) {
	if !p.visit.Enter(a) {
		return false, false
	}
	defer p.visit.Leave()
	switch x := a.(type) {
	case *value.Tensor:
		y, ok := b.(*value.Tensor)
		if !ok {
			return false, Known(b)
		}
		return p.sameTensor(x, y)
	// Lists and tuples of the same elements are alike.
	case *value.Tuple, *value.List:
		xs, _ := value.AsSequence(a)
		ys, ok := value.AsSequence(b)
		if !ok || len(xs) != len(ys) {
			return false, Known(a) && Known(b)
		}
		return p.sameAll(xs, ys)
	case *value.Dict:
		y, ok := b.(*value.Dict)
		if !ok || x.Len() != y.Len() || x.Open != nil || y.Open != nil {
			return false, ok && x.Open == nil && y.Open == nil
		}
		var xs, ys []value.Value
		for i := range x.Len() {
			if x.Key(i) != y.Key(i) {
				return false, false
			}
			xs, ys = append(xs, x.At(i)), append(ys, y.At(i))
		}
		return p.sameAll(xs, ys)
	case value.Int, value.Float, value.Bool, value.Str, value.NoneType:
		return a == b, Known(b)
	}
	return false, false
}

// sameAll compares two lists of equal length.
func (p *prints) sameAll(xs, ys []value.Value) (same, known bool) {
	same, known = true, true
	for i := range xs {
		s, k := p.same(xs[i], ys[i])
		if k && !s {
			return false, true
		}
		same, known = same && s, known && k
	}
	return same, known
}

// sameTensor compares type, computation, then elements.
func (p *prints) sameTensor(x, y *value.Tensor) (same, known bool) {
	if constantType(x) && constantType(y) && x.Type().String() != y.Type().String() {
		return false, true
	}
	// The same computation.
	if i, j := p.value(x.V), p.value(y.V); i == j {
		return true, true
	}
	// Different draws make other numbers.
	if !p.anyDraw && constantType(x) && constantType(y) && !maps.Equal(p.in.tracing.drawnIn(x.V), p.in.tracing.drawnIn(y.V)) {
		if same, known := p.in.tracing.sameNumbers(x, y); known { // what has no part in the result may be drawn, as what is multiplied by 0
			return same, true
		}
		return false, true
	}
	xs, ys := x.Contents(), y.Contents()
	if xs == nil || len(xs) != len(ys) {
		return p.in.tracing.sameNumbers(x, y)
	}
	// Elements are compared with a tolerance (allClose).
	for i := range xs {
		s, t, ok := numbers(xs[i], ys[i])
		if !ok {
			return false, false
		}
		if !allClose(s, t) {
			return false, true
		}
	}
	return true, true
}

// numbers are two elements. ok is false where one is not known.
func numbers(a, b value.Value) (x, y float64, ok bool) {
	one := func(v value.Value) (float64, bool) {
		switch v := value.Plain(v).(type) {
		case value.Int:
			return float64(v), true
		case value.Float:
			return float64(v), true
		case *value.SymFloat: // right but for digits that do not count here
			return v.Val, v.Near
		case value.Bool:
			if v {
				return 1, true
			}
			return 0, true
		}
		return 0, false
	}
	x, ok1 := one(a)
	y, ok2 := one(b)
	return x, y, ok1 && ok2
}

// constantType reports whether rank and sizes are numbers.
func constantType(t *value.Tensor) bool { return t.Type().Ranked && constantShape(t) }

// drawnIn are the random numbers that have a part in a value: of tensors and arrays, and the
// symbols of those of Python. Parameters and inputs end the search.
func (tc *tracing) drawnIn(v *graph.Value) map[any]bool {
	seen, drawn := map[*graph.Value]bool{}, map[any]bool{}
	var walk func(v *graph.Value)
	walk = func(v *graph.Value) {
		if v == nil || seen[v] || v.Def == nil || v.Param {
			return
		}
		seen[v] = true
		if draws(v.Def) {
			drawn[v] = true
		}
		for _, a := range v.Def.Args {
			graph.Operands(a.Value, walk)
			graph.Symbols(a.Value, func(s *symshape.Expr) {
				if tc.in.rec.random[s] && !tc.in.rec.clock[s] {
					drawn[s] = true
				}
			})
		}
	}
	walk(v)
	return drawn
}

// number is that of a text. The first text has the number 1.
func (p *prints) number(text string) int {
	n, ok := p.ids[text]
	if !ok {
		n = len(p.ids) + 1
		p.ids[text] = n
	}
	return n
}

// value is the number of a value. Operations with regions, draws, inputs and parameters are equal
// to themselves alone.
func (p *prints) value(v *graph.Value) int {
	if n, ok := p.of[v]; ok {
		return n
	}
	alone := func() int {
		n := p.number(fmt.Sprintf("%p", v))
		p.of[v] = n
		return n
	}
	n := v.Def
	if n == nil || v.Param || len(n.Regions) > 0 || draws(n) && !p.anyDraw {
		p.unsure = p.unsure || n != nil && len(n.Regions) > 0
		return alone()
	}
	// The text is the operation, the place among its results, and its operands by number.
	var b strings.Builder
	b.WriteString(n.Op)
	fmt.Fprintf(&b, "#%d", slices.Index(n.Outputs, v))
	for _, a := range n.Args {
		b.WriteString(" " + a.Name + "=")
		p.operand(&b, a.Value)
	}
	k := p.number(b.String())
	p.of[v] = k
	return k
}

// operand writes an argument. Values are written by their numbers.
func (p *prints) operand(b *strings.Builder, o graph.Operand) {
	switch o := o.(type) {
	case *graph.Value:
		if o == nil {
			b.WriteString("None")
			return
		}
		fmt.Fprintf(b, "%%%d", p.value(o))
	case graph.List, graph.Tuple:
		list, _ := o.(graph.List)
		if t, ok := o.(graph.Tuple); ok {
			list = graph.List(t)
		}
		b.WriteString("(")
		for _, e := range list {
			p.operand(b, e)
			b.WriteString(",")
		}
		b.WriteString(")")
	case graph.Dict:
		for _, e := range o {
			b.WriteString(e.Name + ":")
			p.operand(b, e.Value)
		}
	case graph.Slice:
		for _, e := range []graph.Operand{o.Start, o.Stop, o.Step} {
			p.operand(b, e)
			b.WriteString(":")
		}
	case graph.Dim:
		p.symbols(b, o.Dim.String(), o.Expr.Symbols())
	case graph.Opaque:
		p.unknown(b)
	case graph.Real:
		if o.Real == (symshape.Real{}) {
			p.unknown(b)
			return
		}
		p.symbols(b, o.Real.String(), o.Real.Symbols())
	case graph.Cond:
		p.symbols(b, o.Cond.String(), o.Cond.Symbols())
	default:
		fmt.Fprintf(b, "%T %v", o, o)
	}
}

// unknown writes what nothing is known of: it equals nothing. Its number is never used again.
func (p *prints) unknown(b *strings.Builder) {
	p.unsure = true
	fmt.Fprintf(b, "unknown%d", p.number(fmt.Sprintf("unknown%d", len(p.ids))))
}

// symbols writes an expression and what its symbols stand for. A symbol that is bound to a value is
// written as the value.
func (p *prints) symbols(b *strings.Builder, text string, list []*symshape.Expr) {
	names := map[string]string{}
	for _, s := range list {
		if p.in.rec.clock[s] {
			p.unknown(b)
			continue
		}
		if v := p.in.retraces.bound[s]; v != nil {
			names[s.String()] = fmt.Sprintf("§%d", p.value(v))
		}
	}
	b.WriteString(renamed(text, names))
}

// renamed replaces names in an expression. Only whole words count.
func renamed(text string, names map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && (text[j] == '_' || '0' <= text[j] && text[j] <= '9' || 'a' <= text[j]|0x20 && text[j]|0x20 <= 'z') {
			j++
		}
		if j == i {
			b.WriteByte(text[i])
			i++
			continue
		}
		word := text[i:j]
		if n, ok := names[word]; ok {
			word = n
		}
		b.WriteString(word)
		i = j
	}
	return b.String()
}

// draws reports whether an operation draws random numbers. Dropout draws only in training and with
// a probability other than 0.
func draws(n *graph.Node) bool {
	op := catalog.RecordOf(n.Op)
	if !op.Trace.Has(ops.DrawsInTraining) {
		return op.Trace.Has(ops.Draws)
	}
	on := true
	for _, a := range n.Args {
		switch a.Name {
		case "training", "train":
			b, ok := a.Value.(graph.Bool)
			on = on && !(ok && !bool(b))
		case "p":
			f, ok := a.Value.(graph.Float)
			on = on && !(ok && f == 0)
		}
	}
	return on
}

// otherGraph reports whether two calls with the same inputs certainly made other graphs, leaving
// out random numbers of tensors: those are drawn by the graph. random says that the program drew
// random numbers, or read a clock. Decisions by draws may come out either way.
func (tc *tracing) otherGraph(a, b *TracedCall, random bool) bool {
	if a.Error != nil || b.Error != nil {
		return a.Error == nil || b.Error == nil
	}
	byDraw := func(d *Decision) bool { return d.Drawn != nil }
	if slices.ContainsFunc(a.Decisions, byDraw) || slices.ContainsFunc(b.Decisions, byDraw) { // both may go the same way
		return false
	}
	p := tc.newPrints()
	p.anyDraw = true
	same, known := p.same(a.Output, b.Output)
	return !same && (known || random || !p.unsure)
}
