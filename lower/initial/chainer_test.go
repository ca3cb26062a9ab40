package initial_test

// This file compares what Chainer's initializers give with what they gave in Chainer 7.8.1: elements where they are
// numbers of their own, the spread where they are random.

import (
	"math"
	"os"
	"slices"
	"testing"

	"shapecheck/lower/initial"
)

func TestParametersOfLinksAreThoseOfChainer(t *testing.T) {
	text, err := os.ReadFile("testdata/chainer.py")
	if err != nil {
		t.Fatal(err)
	}
	res, params := state(t, string(text), "Net()")
	d := initial.New(res.Graph.Setup, res.Pool, 3)
	draw := func(name string) []float64 {
		t.Helper()
		p, ok := params[name]
		if !ok {
			t.Fatalf("%s is not in the state", name)
		}
		x, err := d.Tensor(name, res.AtCall(p.Tensor))
		if err != nil {
			t.Fatal(err)
		}
		return elements(t, x)
	}
	for name, want := range map[string][]float64{
		"lazy/b": make([]float64, 50), "he/b": slices.Repeat([]float64{3}, 50), "own/b": {3, 2, 2, 2}, "eye/W": {3, 0, 0, 3}, "eye/b": {1, 2},
		"bn/gamma": {1, 1, 1, 1}, "bn/beta": {0, 0, 0, 0}, "bn/avg_mean": {0, 0, 0, 0}, "bn/avg_var": {1, 1, 1, 1},
		"lazy_bn/avg_mean": {5, 5, 5, 5}, "lazy_bn/avg_var": {1, 1, 1, 1}, "lstm/upward/b": {0, 0, 2, 0, 0, 0, 2, 0},
		"up/W":       {.0625, .1875, .1875, .0625, .1875, .5625, .5625, .1875, .1875, .5625, .5625, .1875, .0625, .1875, .1875, .0625},
		"steps/0/b3": make([]float64, 30),
	} {
		if got := draw(name); !slices.Equal(got, want) {
			t.Errorf("%s is %v instead of %v", name, got, want)
		}
	}
	for i, x := range draw("own/W") {
		if x != float64(i) {
			t.Fatalf("own/W: element %d is %v", i, x)
		}
	}
	for name, want := range map[string]struct{ spread, bound float64 }{
		"lazy/W": {1 / math.Sqrt(3), 9}, "he/W": {math.Sqrt(2.0 / 50), 9},
		"glorot/W":       {2 * math.Sqrt(6.0/100) / math.Sqrt(3), 2 * math.Sqrt(6.0/100)},
		"lstm/lateral/W": {math.Sqrt(1.0 / 2), 9}, "steps/0/w0": {math.Sqrt(1.0 / 2), 9}, "steps/0/w7": {math.Sqrt(1.0 / 30), 9},
		"free": {.5 / math.Sqrt(3), .5},
	} {
		got, sum := draw(name), 0.0
		for _, x := range got {
			sum += x * x
			if math.Abs(x) > want.bound {
				t.Errorf("%s has the element %v", name, x)
			}
		}
		n := float64(len(got))
		if spread := math.Sqrt(sum / n); math.Abs(spread/want.spread-1) > 4/math.Sqrt(2*n) {
			t.Errorf("%s has the spread %v instead of %v", name, spread, want.spread)
		}
	}
}
