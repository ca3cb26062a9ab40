package cli

// This file compares results with recorded ones. Elements are compared in float64, whatever their
// type; integers exactly. The tolerances are those of a testFlags.

import (
	"fmt"
	"math"
	"slices"

	"shapecheck/runtime/observe"
	"shapecheck/runtime/tensor"
)

// same compares a value with the recorded one; types: not its elements. An error says what differs:
// the kind, the type, the sizes, or elements.
func (t *testFlags) same(types bool, got, want tensor.Value) error {
	switch w := want.(type) {
	case *tensor.Tensor:
		g, ok := got.(*tensor.Tensor)
		if !ok || g.DType() != w.DType() || !slices.Equal(g.Dims(), w.Dims()) {
			return fmt.Errorf("it is %s, recorded is %s", got.Type(), w.Type())
		}
		if types {
			return nil
		}
		return t.sameElements(g, w)
	case *tensor.Sequence:
		g, ok := got.(*tensor.Sequence)
		if !ok || g.Len() != w.Len() {
			return fmt.Errorf("it is %s, recorded is %s", got.Type(), w.Type())
		}
		for i := range w.Len() {
			if err := t.same(types, g.At(i), w.At(i)); err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
		}
	case *tensor.Optional:
		g, ok := got.(*tensor.Optional)
		if !ok || (g.Of == nil) != (w.Of == nil) {
			return fmt.Errorf("it is %s, recorded is %s", got.Type(), w.Type())
		}
		if w.Of != nil {
			return t.same(types, g.Of, w.Of)
		}
	}
	return nil
}

// Both have one type and as many elements. All differing elements are counted, and the first is
// named.
func (t *testFlags) sameElements(g, w *tensor.Tensor) error {
	wrong, first, worst := 0, -1, 0.0
	for i := range w.Len() {
		x, y := g.Float(i), w.Float(i)
		if !tensor.IsFloat(w.DType()) && !tensor.IsComplex(w.DType()) {
			if g.Int(i) == w.Int(i) {
				continue
			}
			x, y = float64(g.Int(i)), float64(w.Int(i))
		} else if t.equalNear(w.DType(), x, y) && (!tensor.IsComplex(w.DType()) || t.equalNear(w.DType(), g.Imag(i), w.Imag(i))) {
			continue
		}
		if wrong++; first < 0 {
			first = i
		}
		worst = max(worst, math.Abs(x-y))
	}
	if wrong == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d elements differ, by at most %.6g; number %d is %s, recorded is %s", wrong, w.Len(), worst, first,
		observe.Element(g, first), observe.Element(w, first))
}

// equalNear compares numbers that were recorded in a type. A negative tolerance of the flags stands
// for that of the type.
func (t *testFlags) equalNear(d tensor.DType, x, y float64) bool {
	if x == y || t.equalNaN && math.IsNaN(x) && math.IsNaN(y) {
		return true
	}
	atol, rtol := 1e-5, 1e-3
	switch d {
	case tensor.Float16:
		atol, rtol = 2e-3, 4e-3
	case tensor.BFloat16:
		atol, rtol = 2e-2, 2e-2
	}
	if t.atol >= 0 {
		atol = t.atol
	}
	if t.rtol >= 0 {
		rtol = t.rtol
	}
	return math.Abs(x-y) <= atol+rtol*math.Abs(y)
}

// distance says how far a value is from the recorded one, whatever the tolerance. It is for people
// and has no verdict.
func distance(got, want tensor.Value) string {
	w, ok := want.(*tensor.Tensor)
	g, both := got.(*tensor.Tensor)
	switch {
	case got == nil || got.Type() != want.Type():
		return fmt.Sprintf("it is %v, recorded is %s", got.Type(), want.Type())
	case !ok || !both:
		if tensor.Equal(got, want) {
			return "equal"
		}
		return "the values differ"
	case tensor.IsComplex(w.DType()) && !tensor.Equal(g, w):
		return "elements differ"
	}
	differ, abs, rel := 0, 0.0, 0.0
	for i := range w.Len() {
		var x, y float64
		if tensor.IsFloat(w.DType()) {
			x, y = g.Float(i), w.Float(i)
		} else {
			x, y = float64(g.Int(i)), float64(w.Int(i))
		}
		if x == y || math.IsNaN(x) && math.IsNaN(y) {
			continue
		}
		differ++
		// The distance to a NaN is infinite.
		d := math.Abs(x - y)
		if math.IsNaN(d) {
			d = math.Inf(1)
		}
		abs = max(abs, d)
		if y != 0 {
			rel = max(rel, d/math.Abs(y))
		}
	}
	if differ == 0 {
		return "equal"
	}
	return fmt.Sprintf("%d of %d elements differ, by at most %.3g, as a part of the recorded one by %.3g", differ, w.Len(), abs, rel)
}
