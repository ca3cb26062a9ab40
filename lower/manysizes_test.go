package lower_test

import (
	"testing"

	"shapecheck/onnx/eval"
)

// The sum of very many sizes that data decide ends in a symbol of its own, whose value is read from the tensor that has the sum.
func TestSumsOfManySizesAreKnown(t *testing.T) {
	m, err := export(t, "import torch\n\n\ndef forward(x):\n    y = torch.cat([x[x > i][:3] for i in range(90)])\n"+
		"    if y.numel() > 20:\n        return y * 2\n    return y + 1\n", "x:f32[n]")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x    []float64
		n    int
		last float64
	}{{[]float64{4, 9}, 13, 10}, {[]float64{30, 2, 40}, 72, 80}, {[]float64{10, 9}, 19, 11}, {[]float64{10, 11}, 21, 22}} {
		out, err := eval.Model(m, map[string]eval.Value{"x": floats([]int64{int64(len(c.x))}, c.x...)}, eval.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := out[0].(*eval.Tensor).F; len(got) != c.n || got[len(got)-1] != c.last {
			t.Errorf("%v: %d elements, the last %v", c.x, len(got), got[len(got)-1])
		}
	}
}
