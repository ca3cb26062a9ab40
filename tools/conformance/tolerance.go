package conformance

// This file compares elements with recorded ones.

import (
	"fmt"
	"math"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

// tolerances are the absolute and the relative difference that two computations of
// the same number may have, by element type; others must be equal.
var tolerances = map[onnx.DType]struct{ abs, rel float64 }{
	onnx.Float: {1e-5, 1e-4}, onnx.Double: {1e-8, 1e-7}, onnx.Float16: {2e-3, 4e-3}, onnx.BFloat16: {2e-2, 2e-2},
}

// ofLargest is the part of the largest element that is added to the absolute
// difference: sums of terms that cancel are as exact as their terms. binary64 needs
// none.
const ofLargest = 2e-6

// sameElements compares the elements of two tensors of equal type and sizes. NaN
// equals NaN, and zeros of both signs are equal.
func sameElements(got, want *eval.Tensor) error {
	tol := tolerances[want.DType]
	if want.DType != onnx.Double && tol.abs > 0 {
		largest := 0.0
		for i := range want.Len() {
			if x := math.Abs(want.At(i)); x > largest && !math.IsInf(x, 0) {
				largest = x
			}
		}
		tol.abs += ofLargest * largest
	}
	differ, first := 0, -1
	for i := range want.Len() {
		if want.I != nil && got.I[i] == want.I[i] {
			continue
		}
		if want.I == nil && equalNear(got.F[i], want.F[i], tol.abs, tol.rel) {
			continue
		}
		if differ++; first < 0 {
			first = i
		}
	}
	switch {
	case differ == 0:
		return nil
	case want.I != nil:
		return fmt.Errorf("%d of %d elements differ, [%d] is %d instead of %d", differ, want.Len(), first, got.I[first], want.I[first])
	}
	return fmt.Errorf("%d of %d elements differ, [%d] is %v instead of %v", differ, want.Len(), first, got.F[first], want.F[first])
}

func equalNear(got, want, abs, rel float64) bool {
	switch {
	case got == want, math.IsNaN(got) && math.IsNaN(want):
		return true
	case math.IsInf(got, 0), math.IsInf(want, 0), math.IsNaN(got), math.IsNaN(want):
		return false
	}
	return math.Abs(got-want) <= abs+rel*math.Abs(want)
}
