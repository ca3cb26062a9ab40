package main

// This file compares results.

import (
	"fmt"
	"math"
	"slices"

	"shapecheck/onnx"
)

// tolerances are relative, by element type; of types that are not listed the
// elements must be equal.
var tolerances = map[string]float64{"f32": 1e-4, "f64": 1e-6, "f16": 2e-2, "bf16": 1e-1}

// elements is the verdict on tensors of one type and shape.
const elements = "elements"

// differ says in what two tensors differ, and how; verdict is empty when they agree.
func differ(got, want *tensor) (verdict, why string) {
	if got.T != want.T {
		return "type", fmt.Sprintf("type %s instead of %s", got.T, want.T)
	}
	if !slices.Equal(got.S, want.S) {
		return "shape", fmt.Sprintf("shape %v instead of %v", got.S, want.S)
	}
	tol, float := tolerances[want.T]
	if !float {
		if !slices.Equal(got.B, want.B) {
			return elements, fmt.Sprintf("elements %v instead of %v", head(got), head(want))
		}
		return "", ""
	}
	a, errA := floats(got)
	b, errB := floats(want)
	if errA != nil || errB != nil {
		return elements, fmt.Sprint(errA, errB)
	}
	scale := 0.0 // the tolerance of elements near zero follows the largest
	for _, x := range b {
		if !math.IsInf(x, 0) && !math.IsNaN(x) {
			scale = max(scale, math.Abs(x))
		}
	}
	for i := range b {
		if a[i] == b[i] || math.IsNaN(a[i]) && math.IsNaN(b[i]) {
			continue
		}
		if d := math.Abs(a[i] - b[i]); !(d <= tol*max(math.Abs(b[i]), scale*0.1, 1e-3)) {
			return elements, fmt.Sprintf("element %d is %v instead of %v", i, a[i], b[i])
		}
	}
	return "", ""
}

func floats(t *tensor) ([]float64, error) {
	d, ok := onnx.DTypeOf(t.T)
	if !ok {
		return nil, fmt.Errorf("type %s", t.T)
	}
	x := onnx.Tensor{DType: d, Dims: t.S, Raw: t.B, HasRaw: true}
	return x.Float64s()
}

// head shows the first elements of a tensor of integers or bools.
func head(t *tensor) []int64 {
	d, _ := onnx.DTypeOf(t.T)
	x := onnx.Tensor{DType: d, Dims: t.S, Raw: t.B, HasRaw: true}
	list, err := x.Ints()
	if err != nil {
		return nil
	}
	return list[:min(len(list), 8)]
}
