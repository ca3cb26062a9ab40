package lower_test

import (
	"slices"
	"testing"

	"shapecheck/onnx/eval"
)

// A number of rounds is an input, also where it leaves none; what nothing reads is none.
func TestRoundsThatAnInputCounts(t *testing.T) {
	m, err := export(t, "def forward(x, n: int, unused: int):\n    for _ in range(n):\n        x = x * 2\n    return x\n", "x:f32[2]",
		"n:int", "unused:int")
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Graph.Inputs) != 2 || m.Graph.Inputs[1].Name != "n" {
		t.Fatalf("%d inputs", len(m.Graph.Inputs))
	}
	for n, want := range map[int64][]float64{-1: {1, 3}, 0: {1, 3}, 3: {8, 24}} {
		out, err := eval.Model(m, map[string]eval.Value{"x": floats([]int64{2}, 1, 3), "n": integer(n)}, eval.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := out[0].(*eval.Tensor).F; !slices.Equal(got, want) {
			t.Errorf("n = %d: %v instead of %v", n, got, want)
		}
	}
}
