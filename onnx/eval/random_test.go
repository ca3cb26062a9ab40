package eval_test

import (
	"math"
	"slices"
	"testing"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

// The first numbers of Philox 4×32-10 with counter and key zero are in its authors' list of
// known answers: 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
func TestPhiloxKnownAnswers(t *testing.T) {
	r := eval.NewRandom(0, 0)
	for _, want := range []uint64{0x6627e8d5e169c58d, 0xbc57ac4c9b00dbd8} {
		if got := r.Float64(); got != float64(want>>11)/(1<<53) {
			t.Errorf("%v, want %v", got, float64(want>>11)/(1<<53))
		}
	}
}

// draw runs one node without inputs, or with x.
func draw(t *testing.T, n *onnx.Node, x *eval.Tensor, seed uint64) *eval.Tensor {
	t.Helper()
	n.Outputs = []string{"y"}
	in := eval.Input{Nodes: []*onnx.Node{n}, Outputs: n.Outputs, Values: map[string]*eval.Tensor{}, Config: eval.Config{Seed: seed}}
	if x != nil {
		n.Inputs = []string{"x"}
		in.Values["x"] = x
	}
	out, err := eval.Run(in)
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

func TestRandomOperators(t *testing.T) {
	shape := onnx.IntsAttr("shape", 100, 100)
	zeros, err := eval.New(onnx.Double, []int64{100, 100})
	if err != nil {
		t.Fatal(err)
	}
	odds := &eval.Tensor{DType: onnx.Float, Dims: []int64{1, 3}, F: []float64{math.Log(1), math.Log(2), math.Log(5)}}
	for _, c := range []struct {
		n              *onnx.Node
		x              *eval.Tensor
		mean, variance float64
	}{
		{&onnx.Node{Op: "RandomUniform", Attrs: []*onnx.Attr{shape, onnx.FloatAttr("low", 1), onnx.FloatAttr("high", 4)}}, nil, 2.5, 0.75},
		{&onnx.Node{Op: "RandomNormal", Attrs: []*onnx.Attr{shape, onnx.FloatAttr("mean", -1), onnx.FloatAttr("scale", 2)}}, nil, -1, 4},
		{&onnx.Node{Op: "RandomNormalLike"}, zeros, 0, 1},
		{&onnx.Node{Op: "RandomUniformLike"}, zeros, 0.5, 1.0 / 12},
		{&onnx.Node{Op: "Multinomial", Attrs: []*onnx.Attr{onnx.IntAttr("sample_size", 10000)}}, odds, 1.5, 0.5},
	} {
		y := draw(t, c.n, c.x, 7)
		mean, square := 0.0, 0.0
		for i := range y.Len() {
			mean += y.At(i) / float64(y.Len())
			square += y.At(i) * y.At(i) / float64(y.Len())
		}
		if v := square - mean*mean; math.Abs(mean-c.mean) > 0.1 || math.Abs(v-c.variance) > 0.1*c.variance {
			t.Errorf("%s: mean %v and variance %v, not %v and %v", c.n.Op, mean, v, c.mean, c.variance)
		}
		if again := draw(t, c.n, c.x, 7); !slices.Equal(again.F, y.F) || !slices.Equal(again.I, y.I) {
			t.Errorf("%s: two runs with one seed differ", c.n.Op)
		}
		if other := draw(t, c.n, c.x, 8); slices.Equal(other.F, y.F) && slices.Equal(other.I, y.I) {
			t.Errorf("%s: two seeds give the same", c.n.Op)
		}
		c.n.Attrs = append(slices.Clone(c.n.Attrs), onnx.FloatAttr("seed", 3))
		if own := draw(t, c.n, c.x, 7); !slices.Equal(own.F, draw(t, c.n, c.x, 8).F) {
			t.Errorf("%s: the node's own seed does not count", c.n.Op)
		}
	}
}

// A node draws others each time it runs, and so do two nodes.
func TestNodesDrawDifferentNumbers(t *testing.T) {
	n := func(out string) *onnx.Node {
		return &onnx.Node{Op: "RandomUniform", Outputs: []string{out}, Attrs: []*onnx.Attr{onnx.IntsAttr("shape", 4)}}
	}
	outs, err := eval.Run(eval.Input{Nodes: []*onnx.Node{n("a"), n("b")}, Outputs: []string{"a", "b"}})
	if err != nil || slices.Equal(outs[0].F, outs[1].F) {
		t.Errorf("%v, %v", outs, err)
	}
}
