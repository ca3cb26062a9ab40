package compare

// This file goes back from two values that differ to the first that do.

import (
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
)

// maxChain bounds how far back is looked.
const maxChain = 4096

// chain lists what a value was made of, along the first operands, oldest first, from
// one of the known values or an input on.
func chain(v *graph.Value, known []*graph.Value) []*graph.Value {
	var out []*graph.Value
	for len(out) < maxChain {
		out = append(out, v)
		if v.Def == nil || slices.Contains(known, v) {
			break
		}
		var next *graph.Value
		for _, a := range v.Def.Args {
			graph.Operands(a.Value, func(x *graph.Value) {
				if next == nil && !x.Param && x.Kind == graph.TensorKind {
					next = x
				}
			})
		}
		if next == nil {
			break
		}
		v = next
	}
	slices.Reverse(out)
	return out
}

// explain shows of two values that differ the first steps, since what was the same, that
// give another type. It is false where it finds none.
func (c *comparison) explain(f *finding, a, b value.Value, beforeA, beforeB []*graph.Value) bool {
	x, y := values(a), values(b)
	for i := range min(len(x), len(y)) {
		if c.type2(x[i], y[i]) == nil {
			continue
		}
		p, q := steps(chain(x[i], beforeA)), steps(chain(y[i], beforeB))
		for k := range max(len(p), len(q)) {
			u, v := p[min(k, len(p)-1)], q[min(k, len(q)-1)]
			if k < len(p) && k < len(q) && c.type2(u, v) == nil {
				continue
			}
			if k == 0 && slices.Contains(beforeA, u) && slices.Contains(beforeB, v) { // as many rows, in another number of axes
				continue
			}
			f.Places[0] = c.places(0, u.Type.String(), u.At)
			f.Places[1] = c.places(1, v.Type.String(), v.At)
			return len(f.Places[0]) > 0 || len(f.Places[1]) > 0
		}
	}
	return false
}

// type2 compares the types of two values of the graphs.
func (c *comparison) type2(a, b *graph.Value) *finding {
	return c.tensors(&value.Tensor{V: a}, &value.Tensor{V: b}, "")
}

// steps leaves out what has the type of the one before.
func steps(list []*graph.Value) []*graph.Value {
	var out []*graph.Value
	for _, v := range list {
		if len(out) == 0 || out[len(out)-1].Type.String() != v.Type.String() {
			out = append(out, v)
		}
	}
	return out
}

// place resolves a span; not ok where it is in no file.
func place(r *infer.Result, at source.Span, note string) (Place, bool) {
	p := r.Files.Position(at.Start)
	if p.File == nil {
		return Place{}, false
	}
	text := strings.TrimSpace(p.File.Line(p.Line))
	if runes := []rune(text); len(runes) > maxText {
		text = string(runes[:maxText-1]) + "…"
	}
	where, line := p.File.Where(p.Line)
	return Place{filepath.ToSlash(where), line, text, note}, true
}
