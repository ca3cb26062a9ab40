package ops

// This file finds the lines that made a size, for diagnostics.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

const (
	// maxChain bounds the lines shown for one size.
	maxChain = 4
	// maxMoves bounds the lines for one size that say where its axis was before.
	maxMoves = 3
)

// maxBack bounds the operations through which a size is followed to where it was made.
const maxBack = 10_000

// Chain walks back from each axis to the operations that made its size: from a
// value to the input of its node that has the same size, until none has.
func Chain(th value.Thread, refs []Ref) []diag.Related {
	var out []diag.Related
	for _, r := range refs {
		if r.Tensor == nil {
			continue
		}
		ty := r.Tensor.Type()
		if r.Axis < 0 || r.Axis >= len(ty.Shape) {
			continue
		}
		out = append(out, Births(r.Tensor.V, r.Axis)...)
	}
	return dedupe(out, th.Here())
}

// Born are the places where the sizes of axes were made: nil where one of them is not known.
func Born(refs []Ref) []source.Span {
	var out []source.Span
	for _, r := range refs {
		if r.Tensor == nil {
			return nil
		}
		ty := r.Tensor.Type()
		if r.Axis < 0 || r.Axis >= len(ty.Shape) {
			return nil
		}
		at := bornAt(r.Tensor.V, r.Axis)
		if !at.IsValid() {
			return nil
		}
		if !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

// bornAt is where the size of an axis was made.
func bornAt(v *graph.Value, axis int) source.Span {
	d := v.Type.Shape[axis]
	for steps := 0; steps < maxBack; steps++ {
		from, fromAxis := origin(v, axis, d)
		if from == nil {
			break
		}
		v, axis = from, fromAxis
	}
	return v.At
}

// maxMakers bounds the tensors of a fault whose lines are shown.
const maxMakers = 2

// makers are the lines that made the shapes of tensors, for a fault that is about no axis: of
// what has the shape of its operand, that operand's.
func makers(args []value.Value, here source.Span) []diag.Related {
	var out []diag.Related
	for _, a := range args {
		t, ok := a.(*value.Tensor)
		if !ok || len(out) == maxMakers {
			continue
		}
		v := t.V
		for steps := 0; steps < 1000; steps++ {
			in := sameOperand(v)
			if in == nil {
				break
			}
			v = in
		}
		if v.Def != nil && v.At.IsValid() && v.At != here {
			out = append(out, diag.Related{At: v.At, Msg: fmt.Sprintf("%s: made by %s", &v.Type, shortName(v.Def.Op))})
		}
	}
	return dedupe(out, here)
}

// Producers are the lines where tensors that a fault is about were made, which is where one looks first: of an operand that
// the faulty expression makes itself, what it is made from. Lines in have are not said again.
func Producers(tensors []*value.Tensor, here source.Span, have []diag.Related) []diag.Related {
	var out []diag.Related
	for _, t := range tensors {
		if t == nil || len(out) == maxMakers {
			continue
		}
		v := t.V
		for steps := 0; v != nil && here.Contains(v.At) && steps < 1000; steps++ {
			v = madeFrom(v)
		}
		if v == nil || v.Param || v.Def == nil || !v.At.IsValid() || !v.Type.Ranked {
			continue
		}
		said := func(r diag.Related) bool { return r.At.Contains(v.At) || v.At.Contains(r.At) }
		if !slices.ContainsFunc(have, said) && !slices.ContainsFunc(out, said) {
			out = append(out, diag.Related{At: v.At, Msg: fmt.Sprintf("%s: made by %s", &v.Type, strings.Trim(shortName(v.Def.Op), "_"))})
		}
	}
	return dedupe(out, here)
}

// madeFrom is the first operand of v's node that is no parameter, nil without one.
func madeFrom(v *graph.Value) *graph.Value {
	var found *graph.Value
	if v.Def == nil {
		return nil
	}
	for _, a := range v.Def.Args {
		graph.Operands(a.Value, func(in *graph.Value) {
			if found == nil && in != v && !in.Param && in.Kind == graph.TensorKind {
				found = in
			}
		})
	}
	return found
}

// sameOperand is an operand of v's node that has v's shape, nil without one.
func sameOperand(v *graph.Value) *graph.Value {
	var found *graph.Value
	if v.Def == nil || !v.Type.Ranked {
		return nil
	}
	for _, a := range v.Def.Args {
		graph.Operands(a.Value, func(in *graph.Value) {
			same := in.Type.Ranked && slices.EqualFunc(in.Type.Shape, v.Type.Shape, func(a, b symshape.Dim) bool { return a.Expr == b.Expr })
			if same && found == nil && in != v && !in.Param {
				found = in
			}
		})
	}
	return found
}

// Births returns the lines that made the size of an axis, newest first.
func Births(v *graph.Value, axis int) []diag.Related {
	var out []diag.Related
	d := v.Type.Shape[axis]
	births, moves := 0, 0
	for steps := 0; v != nil && steps < maxBack; steps++ {
		from, fromAxis := origin(v, axis, d)
		if from != nil {
			if m := moved(v, axis, from, fromAxis, d); m != "" && moves < maxMoves && births == 0 && !from.Param {
				out = append(out, diag.Related{At: v.At, Msg: m})
				moves++
			}
			v, axis = from, fromAxis
			continue
		}
		out = append(out, related(v, axis, d, births == 0)...)
		if births++; v.Def == nil || births == maxChain {
			break
		}
		if v.Def.Form == graph.Concat {
			return append(out, pieces(v, axis)...)
		}
		// The size that it was computed from: the largest input's same axis.
		v, axis = computedFrom(v, axis)
		if v == nil {
			break
		}
		d = v.Type.Shape[axis]
	}
	return out
}

// related are the lines of the birth of a size: where it was made, the layer that made it,
// and the calls that told the layer.
func related(v *graph.Value, axis int, d symshape.Dim, first bool) []diag.Related {
	out := []diag.Related{{At: v.At, Msg: birth(v, axis, d)}}
	if v.Def != nil && first && (v.Def.Form == graph.Conv || v.Def.Form == graph.ConvTransp) {
		for _, a := range v.Def.Args {
			if w, ok := a.Value.(*graph.Value); ok && w != nil && w.Param && w.At != v.At && len(out) == 1 {
				out = append(out, diag.Related{At: w.At, Msg: fmt.Sprintf("%s: by the layer of the parameter %s %s", d, w.Name, &w.Type)})
				v = w
			}
		}
	}
	if v.Param {
		for _, at := range v.Calls {
			out = append(out, diag.Related{At: at, Msg: "its arguments come from this call"})
		}
	}
	return out
}

// pieces are the lines that made the sizes which a concatenation joined on an axis.
func pieces(v *graph.Value, axis int) []diag.Related {
	var out []diag.Related
	n := 0
	for _, a := range v.Def.Args {
		graph.Operands(a.Value, func(in *graph.Value) {
			if n++; n < maxChain && axis < len(in.Type.Shape) {
				out = append(out, Births(in, axis)...)
			}
		})
	}
	return out
}

// moved says that an axis came from another place of the input: that axes before it were
// taken away, or put there, or all after it taken away, as by a reduction; "" where it
// stayed. Axes of size 1 do not count.
func moved(v *graph.Value, axis int, from *graph.Value, fromAxis int, d symshape.Dim) string {
	rank, before := v.Type.Rank(), from.Type.Rank()
	if rank < 0 || before < 0 || v.Def.Is.Has(graph.KeepsAxes) && rank == before {
		return ""
	}
	here, there := v.Type.Shape, from.Type.Shape
	added := wider(here[:axis]) - wider(there[:fromAxis])
	last := rank < before && !v.Def.Is.Has(graph.MergesAxes) && wider(here[axis+1:]) == 0 && wider(there[fromAxis+1:]) > 0
	broadcast := rank >= before && rank-axis == before-fromAxis && v.Def.Form != graph.Stack
	if added == 0 && !last || added > 0 && broadcast {
		return ""
	}
	return fmt.Sprintf("%s: dimension %d of %s becomes dimension %d by %s: %s", d, fromAxis, &from.Type, axis, shortName(v.Def.Op), &v.Type)
}

// wider counts the sizes that are not 1.
func wider(s symshape.Shape) int {
	n := 0
	for _, d := range s {
		if c, ok := d.Const(); !ok || c != 1 {
			n++
		}
	}
	return n
}

// origin finds the input of v's node that passed the size on: the one that has it
// in the same place, else one that has it where the operation may take it from.
func origin(v *graph.Value, axis int, d symshape.Dim) (*graph.Value, int) {
	if v.Def == nil || d.Expr == nil {
		return nil, 0
	}
	var best, other *graph.Value
	bestAxis, otherAxis := 0, 0
	for _, a := range v.Def.Args {
		graph.Operands(a.Value, func(in *graph.Value) {
			if best != nil || in == v {
				return
			}
			s := in.Type.Shape
			if same := axis - len(v.Type.Shape) + len(s); !in.Param && same >= 0 && same < len(s) && s[same].Expr == d.Expr {
				best, bestAxis = in, same
				return
			}
			for i := range s {
				if other == nil && s[i].Expr == d.Expr && mayMove(v.Def, in, i, axis, len(v.Type.Shape)) {
					other, otherAxis = in, i
				}
			}
		})
	}
	if best != nil {
		return best, bestAxis
	}
	return other, otherAxis
}

// mayMove reports whether an operation may take the size of axis of its result,
// which has rank dimensions, from axis i of in. The channels of a convolution come
// from the weight, other axes from the input's.
func mayMove(n *graph.Node, in *graph.Value, i, axis, rank int) bool {
	switch {
	case n.Is.Has(graph.KeepsAxes):
		return false
	case n.Form == graph.Conv || n.Form == graph.ConvTransp:
		return in.Param && axis == rank-int(n.Spatial)-1 && i < 2
	}
	return true
}

// computedFrom guesses the axis from which a new size was computed: the same
// axis of the first tensor argument.
func computedFrom(v *graph.Value, axis int) (*graph.Value, int) {
	var in *graph.Value
	for _, a := range v.Def.Args {
		graph.Operands(a.Value, func(x *graph.Value) {
			if in == nil && !x.Param && len(x.Type.Shape) == len(v.Type.Shape) {
				in = x
			}
		})
	}
	if in == nil && v.Def.Is.Has(graph.MergesAxes) {
		// A product of sizes: the last of them tells of pooling and padding.
		for _, a := range v.Def.Args {
			graph.Operands(a.Value, func(x *graph.Value) {
				if in == nil && !x.Param && len(x.Type.Shape) > 0 && x.Def != nil {
					in, axis = x, len(x.Type.Shape)-1
				}
			})
		}
	}
	if in == nil {
		return nil, 0
	}
	if _, ok := in.Type.Shape[axis].Expr.Const(); ok && in.Def == nil {
		return nil, 0
	}
	return in, axis
}

// birth says where a size begins: at an argument, a parameter, or a function.
func birth(v *graph.Value, axis int, d symshape.Dim) string {
	switch {
	case v.Param && v.Name == "":
		return fmt.Sprintf("%s: dimension %d of a parameter %s", d, axis, &v.Type)
	case v.Param:
		return fmt.Sprintf("%s: dimension %d of the parameter %s %s", d, axis, v.Name, &v.Type)
	case v.Def == nil && v.Name != "":
		return fmt.Sprintf("%s: dimension %d of the argument %s: %s", d, axis, v.Name, &v.Type)
	case v.Def == nil:
		return fmt.Sprintf("%s: dimension %d of %s", d, axis, &v.Type)
	}
	return fmt.Sprintf("%s: made by %s: %s", d, shortName(v.Def.Op), &v.Type)
}

func dedupe(list []diag.Related, here source.Span) []diag.Related {
	seen := make(map[diag.Related]bool)
	out := list[:0]
	for _, r := range list {
		if !r.At.IsValid() || seen[r] {
			continue
		}
		seen[r] = true
		out = append(out, r)
	}
	return out
}
