package infer

// This file compares what two runs gave: their types, their elements where they are known, and
// how they were computed.

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
// known.
func (in *Interp) sameOutcome(a, b *TracedCall) (same, known bool) {
	if a.Error != nil || b.Error != nil {
		return a.Error != nil && b.Error != nil, true
	}
	return in.newPrints().same(a.Output, b.Output)
}

// prints gives values of the graph numbers: equal numbers are computed in one way from the same.
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

func (in *Interp) newPrints() *prints {
	return &prints{in: in, visit: value.Visit{Repeats: value.SomeRepeats}, ids: map[string]int{}, of: map[*graph.Value]int{}}
}

// same compares two results.
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

func (p *prints) sameTensor(x, y *value.Tensor) (same, known bool) {
	if constantType(x) && constantType(y) && x.Type().String() != y.Type().String() {
		return false, true
	}
	if i, j := p.value(x.V), p.value(y.V); i == j {
		return true, true
	}
	if !p.anyDraw && constantType(x) && constantType(y) && !maps.Equal(p.in.drawnIn(x.V), p.in.drawnIn(y.V)) {
		if same, known := p.in.sameNumbers(x, y); known { // what has no part in the result may be drawn, as what is multiplied by 0
			return same, true
		}
		return false, true
	}
	xs, ys := x.Contents(), y.Contents()
	if xs == nil || len(xs) != len(ys) {
		return p.in.sameNumbers(x, y)
	}
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

// numbers are two elements.
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

func constantType(t *value.Tensor) bool { return t.Type().Ranked && constantShape(t) }

// drawnIn are the random numbers that have a part in a value: of tensors and arrays, and the symbols of those of Python.
func (in *Interp) drawnIn(v *graph.Value) map[any]bool {
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
				if in.rec.random[s] && !in.rec.clock[s] {
					drawn[s] = true
				}
			})
		}
	}
	walk(v)
	return drawn
}

// number is that of a text.
func (p *prints) number(text string) int {
	n, ok := p.ids[text]
	if !ok {
		n = len(p.ids) + 1
		p.ids[text] = n
	}
	return n
}

// value is the number of a value.
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

// operand writes an argument.
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

// unknown writes what nothing is known of: it equals nothing.
func (p *prints) unknown(b *strings.Builder) {
	p.unsure = true
	fmt.Fprintf(b, "unknown%d", p.number(fmt.Sprintf("unknown%d", len(p.ids))))
}

// symbols writes an expression and what its symbols stand for.
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

// renamed replaces names in an expression.
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

// draws reports whether an operation draws random numbers.
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
// random numbers, or read a clock.
func (in *Interp) otherGraph(a, b *TracedCall, random bool) bool {
	if a.Error != nil || b.Error != nil {
		return a.Error == nil || b.Error == nil
	}
	byDraw := func(d *Decision) bool { return d.Drawn != nil }
	if slices.ContainsFunc(a.Decisions, byDraw) || slices.ContainsFunc(b.Decisions, byDraw) { // both may go the same way
		return false
	}
	p := in.newPrints()
	p.anyDraw = true
	same, known := p.same(a.Output, b.Output)
	return !same && (known || random || !p.unsure)
}
