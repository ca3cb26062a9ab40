package eval_test

// This file holds what the recorded runs do not have, because no runtime does it: layouts with the
// batch first, elements that are complex, states of other sizes than their weights, and what
// rounding leaves of a distribution.

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/eval/evaltest"
)

func apply(t *testing.T, n *onnx.Node, version int64, ins ...eval.Value) ([]eval.Value, error) {
	t.Helper()
	n.Inputs = nil
	for i, v := range ins {
		name := ""
		if v != nil {
			name = fmt.Sprint("x", i)
		}
		n.Inputs = append(n.Inputs, name)
	}
	return eval.NewSession(eval.Config{}, nil).Apply(n, []onnx.Opset{{Domain: n.Domain, Version: version}}, ins)
}

// swapped exchanges dimensions.
func swapped(t *testing.T, x eval.Value, perm ...int64) eval.Value {
	t.Helper()
	y, err := apply(t, node("Transpose", "", nil, []string{"y"}, onnx.IntsAttr("perm", perm...)), 13, x)
	if err != nil {
		t.Fatal(err)
	}
	return y[0]
}

// TestBatchFirstIsATransposition runs recurrent operators in both layouts.
func TestBatchFirstIsATransposition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const time, batch, features, hidden = 4, 3, 2, 5
	for op, gates := range map[string]int64{"RNN": 1, "GRU": 3, "LSTM": 4} {
		for direction, dirs := range map[string]int64{"forward": 1, "reverse": 1, "bidirectional": 2} {
			for _, lens := range []eval.Value{nil, &eval.Tensor{DType: onnx.Int32, Dims: []int64{batch}, I: []int64{4, 1, 3}}} {
				outs := []string{"y", "h"}
				x, h, c := random(r, time, batch, features), eval.Value(random(r, dirs, batch, hidden)), eval.Value(random(r, dirs, batch, hidden))
				ins := []eval.Value{x, random(r, dirs, gates*hidden, features), random(r, dirs, gates*hidden, hidden),
					random(r, dirs, 2*gates*hidden), lens, h}
				if op == "LSTM" {
					ins, outs = append(ins, c), append(outs, "c")
				}
				attrs := []*onnx.Attr{onnx.IntAttr("hidden_size", hidden), onnx.StringAttr("direction", direction)}
				want, err := apply(t, node(op, "", nil, outs, attrs...), 14, ins...)
				if err != nil {
					t.Fatal(op, err)
				}
				ins[0], ins[5] = swapped(t, x, 1, 0, 2), swapped(t, h, 1, 0, 2)
				if op == "LSTM" {
					ins[6] = swapped(t, c, 1, 0, 2)
				}
				got, err := apply(t, node(op, "", nil, outs, append(attrs, onnx.IntAttr("layout", 1))...), 14, ins...)
				if err != nil {
					t.Fatal(op, err)
				}
				for i, w := range want[:len(outs)] {
					perm := []int64{1, 0, 2}
					if i == 0 {
						perm = []int64{2, 0, 1, 3}
					}
					if why := evaltest.Differ(got[i], swapped(t, w, perm...), false); why != "" {
						t.Errorf("%s %s, result %d: %s", op, direction, i, why)
					}
				}
				ins[5] = h // with the batch second
				if _, err := apply(t, node(op, "", nil, outs, append(attrs, onnx.IntAttr("layout", 1))...), 14, ins...); err == nil && dirs != batch {
					t.Errorf("%s %s takes a state of the other layout", op, direction)
				}
			}
		}
	}
}

func TestOptimizersAskForStatesOfTheWeightsSizes(t *testing.T) {
	one, two := f64([]int64{1}, 1), f64([]int64{2}, 1, 2)
	for op, states := range map[string]int{"Adagrad": 1, "Momentum": 1, "Adam": 2} {
		attrs := []*onnx.Attr{onnx.FloatAttr("norm_coefficient", 0), onnx.FloatAttr("alpha", 0.5), onnx.FloatAttr("beta", 0.5),
			onnx.StringAttr("mode", "standard")}
		if op != "Momentum" {
			attrs = attrs[:1]
		}
		groups := 2 + states
		tensors := func(odd int) []eval.Value {
			ins := []eval.Value{f64([]int64{}, 0.1), eval.Ints([]int64{}, 1)}
			for k := range 2 * groups { // of each group two tensors: of one element and of two
				x := []*eval.Tensor{one, two}[k%2]
				if k == odd {
					x = []*eval.Tensor{two, one}[k%2]
				}
				ins = append(ins, x)
			}
			return ins
		}
		var outs []string
		for k := range 2 * (1 + states) {
			outs = append(outs, fmt.Sprint("y", k))
		}
		for odd := -1; odd < 2*groups; odd++ {
			_, err := apply(t, node(op, "ai.onnx.preview.training", nil, outs, attrs...), 1, tensors(odd)...)
			var e *eval.Error
			if (err != nil) != (odd >= 0) || err != nil && (!errors.As(err, &e) || e.Internal) {
				t.Errorf("%s with operand %d of another size: %v", op, odd+2, err)
			}
		}
	}
}

func TestComplexElements(t *testing.T) {
	x := &eval.Tensor{DType: onnx.Complex64, Dims: []int64{2, 2}, C: []complex128{0, 1i, 2, 0}}
	got, err := apply(t, node("NonZero", "", nil, []string{"y"}), 13, x)
	if err != nil || evaltest.Differ(got[0], eval.Ints([]int64{2, 2}, 0, 1, 1, 0), false) != "" {
		t.Errorf("NonZero: %v %v", got, err)
	}
	text := &eval.Tensor{DType: onnx.String, Dims: []int64{3}, S: []string{"", "a", ""}}
	if got, err = apply(t, node("NonZero", "", nil, []string{"y"}), 13, text); err != nil ||
		evaltest.Differ(got[0], eval.Ints([]int64{1, 1}, 1), false) != "" {
		t.Errorf("NonZero: %v %v", got, err)
	}
	for _, to := range []onnx.DType{onnx.Float, onnx.Complex64, onnx.Complex128, onnx.String, onnx.Bool} {
		for _, from := range []*eval.Tensor{x, f64([]int64{1}, 1)} {
			cast, err := apply(t, node("Cast", "", nil, []string{"y"}, onnx.IntAttr("to", int64(to))), 13, from)
			complexes := from == x || to == onnx.Complex64 || to == onnx.Complex128
			if (err != nil) != complexes || complexes && !strings.Contains(err.Error(), "a conversion from") {
				t.Errorf("Cast from %s to %s: %v %v", from.DType, to, cast, err)
			}
		}
	}
	moved, err := apply(t, node("Transpose", "", nil, []string{"y"}), 13, x)
	if y, ok := moved[0].(*eval.Tensor); err != nil || !ok || y.C[1] != 2 || y.C[2] != 1i {
		t.Errorf("Transpose: %v %v", moved, err)
	}
}

// TestAGridOfOnePlaceIsAtTheStart holds what onnx's reference implementation gives for dimensions of one
// element whose corners are aligned: the places go from -1 on.
func TestAGridOfOnePlaceIsAtTheStart(t *testing.T) {
	theta := &eval.Tensor{DType: onnx.Float, Dims: []int64{1, 2, 3}, F: []float64{1, 0, 0, 0, 1, 0}}
	for _, c := range []struct {
		h, w int64
		want []float64
	}{
		{1, 3, []float64{-1, -1, 0, -1, 1, -1}},
		{2, 1, []float64{-1, -1, -1, 1}},
		{1, 1, []float64{-1, -1}},
	} {
		n := node("AffineGrid", "", nil, []string{"y"}, onnx.IntAttr("align_corners", 1))
		got, err := apply(t, n, 20, theta, ints(1, 1, c.h, c.w))
		want := &eval.Tensor{DType: onnx.Float, Dims: []int64{1, c.h, c.w, 2}, F: c.want}
		if err != nil || evaltest.Differ(got[0], want, false) != "" {
			t.Errorf("%d by %d: %v %v", c.h, c.w, got, err)
		}
	}
}

// TestSizesByScalesAreOfBinary32 holds products that binary32 rounds to an integer and binary64 leaves below it.
func TestSizesByScalesAreOfBinary32(t *testing.T) {
	for scale, sizes := range map[float64][2]int64{0.7: {30, 21}, 0.3: {10, 3}, 2.3: {10, 23}} {
		x := &eval.Tensor{DType: onnx.Float, Dims: []int64{sizes[0]}, F: make([]float64, sizes[0])}
		s := &eval.Tensor{DType: onnx.Float, Dims: []int64{1}, F: []float64{float64(float32(scale))}}
		got, err := apply(t, node("Resize", "", nil, []string{"y"}), 18, x, nil, s)
		if err != nil || got[0].(*eval.Tensor).Dims[0] != sizes[1] {
			t.Errorf("%d elements by %v: %v %v", sizes[0], scale, got, err)
		}
	}
}

// TestNearestElementsAreThoseOfRuntimes holds places that lie on an element and that binary64 puts below it: 3/0.6, and x/(m/n) of
// sizes where only x*n/m is exact.
func TestNearestElementsAreThoseOfRuntimes(t *testing.T) {
	floor := []*onnx.Attr{onnx.StringAttr("mode", "nearest"), onnx.StringAttr("nearest_mode", "floor"),
		onnx.StringAttr("coordinate_transformation_mode", "asymmetric")}
	ramp := func(n int64) *eval.Tensor {
		x := &eval.Tensor{DType: onnx.Float, Dims: []int64{n}, F: make([]float64, n)}
		for i := range x.F {
			x.F[i] = float64(i)
		}
		return x
	}
	scale := &eval.Tensor{DType: onnx.Float, Dims: []int64{1}, F: []float64{float64(float32(0.6))}}
	got, err := apply(t, node("Resize", "", nil, []string{"y"}, floor...), 18, ramp(9), nil, scale)
	if err != nil || !slices.Equal(got[0].(*eval.Tensor).F, []float64{0, 1, 3, 5, 6}) {
		t.Errorf("by a scale: %v %v", got, err)
	}
	for n := int64(1); n < 60; n++ {
		for m := int64(1); m < 60; m++ {
			got, err := apply(t, node("Resize", "", nil, []string{"y"}, floor...), 18, ramp(n), nil, nil, ints(m))
			if err != nil {
				t.Fatal(err)
			}
			for i, y := range got[0].(*eval.Tensor).F {
				if y != float64(int64(i)*n/m) {
					t.Errorf("%d elements to %d: element %d is that at %v", n, m, i, y)
				}
			}
		}
	}
}

// TestColumnsOfTfIdfVectorizerAreBounded numbers the last column by the limit of elements: no
// row has one too many, a row has.
func TestColumnsOfTfIdfVectorizerAreBounded(t *testing.T) {
	const limit = 64
	for last, want := range map[int64][2]bool{limit - 1: {true, true}, limit: {true, false}, limit + 1: {false, false}, -1: {false, false}} {
		for rows, runs := range want {
			n := node("TfIdfVectorizer", "", []string{"x"}, []string{"y"}, onnx.StringAttr("mode", "TF"), onnx.IntAttr("min_gram_length", 1),
				onnx.IntAttr("max_gram_length", 1),
				onnx.IntAttr("max_skip_count", 0), onnx.IntsAttr("ngram_counts", 0), onnx.IntsAttr("ngram_indexes", last),
				onnx.IntsAttr("pool_int64s", 7))
			x := eval.Ints([]int64{int64(rows), 2}, []int64{7, 7}[:2*rows]...)
			got, err := eval.NewSession(eval.Config{Limits: eval.Limits{Elems: limit}}, nil).Apply(n, []onnx.Opset{{Version: 13}}, []eval.Value{x})
			if (err == nil) != runs {
				t.Errorf("column %d of %d rows: %v", last, rows, err)
			}
			if err != nil {
				continue
			}
			y := got[0].(*eval.Tensor)
			if !slices.Equal(y.Dims, []int64{int64(rows), last + 1}) || rows > 0 && y.F[last] != 2 {
				t.Errorf("column %d of %d rows: %v", last, rows, y)
			}
		}
	}
}

// almostOne draws the greatest number below one.
type almostOne struct{}

func (almostOne) Float64() float64     { return math.Nextafter(1, 0) }
func (almostOne) NormFloat64() float64 { return 9 }

// A kernel may be larger than any tensor where paddings make room for it. What counts
// is its part over the input; found by fuzzing, as a run that did not end.
func TestKernelsLargerThanTheInput(t *testing.T) {
	x := f64([]int64{1, 1, 3}, 1, 3, 8)
	size, pads := onnx.IntsAttr("kernel_shape", 1<<31), onnx.IntsAttr("pads", 1<<31-1, 0)
	for _, c := range []struct {
		op    string
		attrs []*onnx.Attr
		want  []float64
	}{
		{"MaxPool", nil, []float64{1, 3, 8}},
		{"AveragePool", nil, []float64{1, 2, 4}},
		{"AveragePool", []*onnx.Attr{onnx.IntAttr("count_include_pad", 1)}, []float64{1.0 / (1 << 31), 4.0 / (1 << 31), 12.0 / (1 << 31)}},
		{"LpPool", []*onnx.Attr{onnx.IntAttr("p", 1)}, []float64{1, 4, 12}},
	} {
		out, err := apply(t, node(c.op, "", []string{"x"}, []string{"y"}, append(c.attrs, size, pads)...), 18, x)
		if err != nil {
			t.Errorf("%s: %v", c.op, err)
			continue
		}
		if d := cmp.Diff(c.want, out[0].(*eval.Tensor).F); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.op, d)
		}
	}
}

func TestTheLastClassTakesWhatRoundingLeaves(t *testing.T) {
	for classes := int64(1); classes < 40; classes++ {
		x := f64([]int64{1, classes}, make([]float64, classes)...)
		n := node("Multinomial", "", []string{"x"}, []string{"y"}, onnx.IntAttr("sample_size", 2))
		got, err := eval.NewSession(eval.Config{Random: almostOne{}}, nil).Apply(n, []onnx.Opset{{Version: 13}}, []eval.Value{x})
		want := &eval.Tensor{DType: onnx.Int32, Dims: []int64{1, 2}, I: []int64{classes - 1, classes - 1}}
		if err != nil || evaltest.Differ(got[0], want, false) != "" {
			t.Errorf("%d classes: %v %v", classes, got, err)
		}
	}
}
