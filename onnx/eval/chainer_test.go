package eval_test

// This file holds the operators of ONNX+: gradients against central differences of the
// operators that they belong to, the others against their definitions.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/eval/evaltest"
)

const plus = "org.chainer"

func TestChainer(t *testing.T) {
	t.Run("gradients are central differences", gradientsAreCentralDifferences)
	t.Run("operators follow their definitions", operatorsFollowTheirDefinitions)
	t.Run("sequences are values", sequencesAreValues)
	for _, op := range eval.Supported() {
		if op.Domain == plus && !ran[op] {
			t.Errorf("no case runs %s", op.Name)
		}
	}
}

// ran are the operators that run was given.
var ran = map[eval.Op]bool{}

func node(op, domain string, ins, outs []string, attrs ...*onnx.Attr) *onnx.Node {
	return &onnx.Node{Op: op, Domain: domain, Inputs: ins, Outputs: outs, Attrs: attrs}
}

func ints(list ...int64) *eval.Tensor { return eval.Ints(nil, list...) }

func f64(dims []int64, list ...float64) *eval.Tensor {
	return &eval.Tensor{DType: onnx.Double, Dims: dims, F: list}
}

func random(r *rand.Rand, dims ...int64) *eval.Tensor {
	n, _ := onnx.Count(dims)
	t := f64(dims, make([]float64, n)...)
	for i := range t.F {
		t.F[i] = r.Float64()*2 - 1
	}
	return t
}

func run(nodes []*onnx.Node, in map[string]eval.Value, outs ...string) ([]eval.Value, error) {
	note(ran, nodes)
	m := &onnx.Model{Opsets: []onnx.Opset{{Version: 13}, {Domain: plus, Version: 9}}, Graph: &onnx.Graph{Nodes: nodes}}
	for name := range in {
		m.Graph.Inputs = append(m.Graph.Inputs, &onnx.ValueInfo{Name: name})
	}
	for _, name := range outs {
		m.Graph.Outputs = append(m.Graph.Outputs, &onnx.ValueInfo{Name: name})
	}
	return eval.Model(m, in, eval.Config{})
}

func gradientsAreCentralDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	k2, s2 := onnx.IntsAttr("kernel_shape", 2, 2), onnx.IntsAttr("strides", 2, 2)
	for _, c := range []struct {
		name    string
		forward *onnx.Node // makes y, maybe ctx
		grads   []*onnx.Node
		of      []string // the inputs whose gradients are outputs g0, g1 …
		in      map[string]eval.Value
	}{
		{"Relu", node("Relu", "", []string{"x"}, []string{"y"}), []*onnx.Node{node("ChainerReluGrad", plus, []string{"y", "gy"},
			[]string{"g0"})}, []string{"x"},
			map[string]eval.Value{"x": random(r, 3, 4)}},
		{"MaxPool", node("MaxPool", "", []string{"x"}, []string{"y", "", "ctx"}, k2, s2),
			[]*onnx.Node{node("ChainerMaxPoolGrad", plus, []string{"gy", "ctx"}, []string{"g0"}, k2)}, []string{"x"},
			map[string]eval.Value{"x": random(r, 1, 2, 4, 4)}},
		{"AveragePool", node("AveragePool", "", []string{"x"}, []string{"y", "ctx"}, k2, onnx.IntsAttr("pads", 1, 0, 0, 1)),
			[]*onnx.Node{node("ChainerAveragePoolGrad", plus, []string{"gy", "ctx"}, []string{"g0"}, k2)}, []string{"x"},
			map[string]eval.Value{"x": random(r, 1, 2, 4, 4)}},
		{"BatchNormalization", node("BatchNormalization", "", []string{"x", "s", "b", "m", "v"}, []string{"y", "", "", "", "", "ctx"}),
			[]*onnx.Node{node("ChainerBatchNormalizationGrad", plus, []string{"gy", "ctx"}, []string{"g0", "g1", "g2"})}, []string{"x", "s", "b"},
			map[string]eval.Value{"x": random(r, 3, 2, 4), "s": random(r, 2), "b": random(r, 2), "m": random(r, 2), "v": f64([]int64{2}, 1, 2)}},
		{"LRN", node("LRN", "", []string{"x"}, []string{"y", "unit"}, onnx.IntAttr("size", 4), onnx.FloatAttr("alpha", 0.3)),
			[]*onnx.Node{node("ChainerLRNGrad", plus, []string{"x", "y", "gy", "unit"}, []string{"g0"}, onnx.IntAttr("size", 4),
				onnx.FloatAttr("alpha", 0.3))}, []string{"x"},
			map[string]eval.Value{"x": random(r, 1, 6, 2)}},
		{"Conv", node("Conv", "", []string{"x", "w"}, []string{"y"}, onnx.IntAttr("group", 2), onnx.IntsAttr("pads", 1, 0, 0, 1), s2),
			[]*onnx.Node{node("ChainerConvGradWeight", plus, []string{"w", "x", "gy"}, []string{"g0"}, onnx.IntAttr("group", 2),
				onnx.IntsAttr("pads", 1, 0, 0, 1), s2)}, []string{"w"},
			map[string]eval.Value{"x": random(r, 2, 4, 5, 5), "w": random(r, 4, 2, 3, 2)}},
		{"Linear", node("ChainerLinear", plus, []string{"x", "w"}, []string{"y"}),
			[]*onnx.Node{node("ChainerLinearGradWeight", plus, []string{"x", "gy"}, []string{"g0"})}, []string{"w"},
			map[string]eval.Value{"x": random(r, 3, 2, 2), "w": random(r, 5, 4)}},
		{"Gather", node("Gather", "", []string{"x", "i"}, []string{"y"}, onnx.IntAttr("axis", 1)),
			[]*onnx.Node{node("ChainerGatherGrad", plus, []string{"gy", "i", "shape"}, []string{"g0"}, onnx.IntAttr("axis", 1))}, []string{"x"},
			map[string]eval.Value{"x": random(r, 2, 3), "i": ints(0, 2, 0, -1), "shape": ints(2, 3)}},
		{"Slice", node("Slice", "", []string{"x", "from", "to", "axes", "by"}, []string{"y"}),
			[]*onnx.Node{node("ChainerDynamicSliceGrad", plus, []string{"gy", "shape", "from", "to", "axes", "by"}, []string{"g0"})}, []string{"x"},
			map[string]eval.Value{"x": random(r, 5, 4), "from": ints(-1, 1), "to": ints(-100, 9), "axes": ints(0, 1), "by": ints(-2, 1),
				"shape": ints(5, 4)}},
		{"Concat", node("Concat", "", []string{"x", "z"}, []string{"y"}, onnx.IntAttr("axis", 1)),
			[]*onnx.Node{node("ChainerConcatGrad", plus, []string{"gy", "sx", "sz"}, []string{"g0", "g1"}, onnx.IntAttr("axis", 1))},
			[]string{"x", "z"},
			map[string]eval.Value{"x": random(r, 2, 3), "z": random(r, 2, 1), "sx": ints(2, 3), "sz": ints(2, 1)}},
		{"SelectItem", node("ChainerSelectItem", plus, []string{"x", "t"}, []string{"y"}),
			[]*onnx.Node{node("ChainerSelectItemGrad", plus, []string{"gy", "t", "shape"}, []string{"g0"})}, []string{"x"},
			map[string]eval.Value{"x": random(r, 3, 4), "t": ints(0, 3, 1), "shape": ints(3, 4)}},
		{"GetItem", node("ChainerGetItem", plus, []string{"x", "i", "from", "to", "by"}, []string{"y"}, onnx.IntsAttr("slice_specs", 1, 3)),
			[]*onnx.Node{node("ChainerGetItemGrad", plus, []string{"gy", "shape", "i", "from", "to", "by"}, []string{"g0"},
				onnx.IntsAttr("slice_specs", 1, 3))}, []string{"x"},
			map[string]eval.Value{"x": random(r, 3, 5, 2), "shape": ints(3, 5, 2), "i": eval.Ints([]int64{}, -1), "from": eval.Ints([]int64{}, 4),
				"to": eval.Ints([]int64{}, 0), "by": eval.Ints([]int64{}, -2)}},
		{"Resize", node("Resize", "", []string{"x", "", "scales"}, []string{"y"},
			onnx.StringAttr("coordinate_transformation_mode", "asymmetric"), onnx.StringAttr("nearest_mode", "floor")),
			[]*onnx.Node{node("ChainerResizeGrad", plus, []string{"gy", "scales"}, []string{"g0"})}, []string{"x"},
			map[string]eval.Value{"x": random(r, 1, 1, 3, 4), "scales": &eval.Tensor{DType: onnx.Float, Dims: []int64{4},
				F: []float64{1, 1, 3, 0.5}}}},
	} {
		y, err := run([]*onnx.Node{c.forward}, c.in, "y")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		gy := random(r, y[0].(*eval.Tensor).Dims...)
		loss := func() float64 {
			y, err := run([]*onnx.Node{c.forward}, c.in, "y")
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for i, f := range y[0].(*eval.Tensor).F {
				sum += f * gy.F[i]
			}
			return sum
		}
		all := map[string]eval.Value{"gy": gy}
		for k, v := range c.in {
			all[k] = v
		}
		var outs []string
		for i := range c.of {
			outs = append(outs, fmt.Sprintf("g%d", i))
		}
		got, err := run(append([]*onnx.Node{c.forward}, c.grads...), all, outs...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i, name := range c.of {
			x, g := c.in[name].(*eval.Tensor), got[i].(*eval.Tensor)
			for j, f := range x.F {
				const h = 1e-6
				x.F[j] = f + h
				up := loss()
				x.F[j] = f - h
				want := (up - loss()) / (2 * h)
				x.F[j] = f
				if math.Abs(g.F[j]-want) > 1e-5 {
					t.Errorf("%s: the gradient of %s[%d] is %v, not %v", c.name, name, j, g.F[j], want)
					break
				}
			}
		}
	}
}

func seq(items ...eval.Value) *eval.Sequence { return &eval.Sequence{Items: items} }

func one(i int64) *eval.Tensor { return eval.Ints([]int64{}, i) }

func operatorsFollowTheirDefinitions(t *testing.T) {
	truth := func(b int64) *eval.Tensor { return &eval.Tensor{DType: onnx.Bool, Dims: []int64{}, I: []int64{b}} }
	x23 := f64([]int64{2, 3}, 1, 2, 3, 4, 5, 6)
	image := f64([]int64{1, 1, 3, 3}, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	box := f64([]int64{1, 4}, 0, 0, 2, 2)
	shape2, scale := onnx.IntsAttr("output_shape", 2, 2), onnx.FloatAttr("spatial_scale", 1)
	none := eval.Value(nil)
	for _, c := range []struct {
		op    string
		in    []eval.Value
		want  []eval.Value
		attrs []*onnx.Attr
	}{
		{"Linear", []eval.Value{x23, f64([]int64{1, 3}, 1, 0, 2), f64([]int64{1}, 10)}, []eval.Value{f64([]int64{2, 1}, 17, 26)}, nil},
		{"ReduceSumTo", []eval.Value{x23, ints(1, 3)}, []eval.Value{f64([]int64{1, 3}, 5, 7, 9)}, nil},
		{"ReduceSumTo", []eval.Value{x23, ints()}, []eval.Value{f64([]int64{}, 21)}, nil},
		{"Square", []eval.Value{x23}, []eval.Value{f64([]int64{2, 3}, 1, 4, 9, 16, 25, 36)}, nil},
		{"Dtype", []eval.Value{x23}, []eval.Value{one(int64(onnx.Double))}, nil},
		{"DynamicCast", []eval.Value{f64([]int64{2}, 1.5, -2.5), one(int64(onnx.Int64))}, []eval.Value{ints(1, -2)}, nil},
		{"ROIMaxPool2D", []eval.Value{image, box, ints(0)}, []eval.Value{f64([]int64{1, 1, 2, 2}, 1, 2, 4, 5)}, []*onnx.Attr{shape2, scale}},
		{"ROIAveragePool2D", []eval.Value{image, f64([]int64{1, 4}, 0, 0, 3, 3), ints(0)}, []eval.Value{f64([]int64{1, 1, 2, 2}, 3, 4, 6, 7)},
			[]*onnx.Attr{shape2, scale}},
		{"ROIAverageAlign2D", []eval.Value{image, box, ints(0)}, []eval.Value{f64([]int64{1, 1, 2, 2}, 3, 4, 6, 7)},
			[]*onnx.Attr{shape2, scale, onnx.IntsAttr("sampling_ratio", 1, 1)}},
		{"ROIMaxAlign2D", []eval.Value{image, box, ints(0)}, []eval.Value{f64([]int64{1, 1, 1, 1}, 7)},
			[]*onnx.Attr{onnx.IntsAttr("output_shape", 1, 1), scale, onnx.IntsAttr("sampling_ratio", 2, 2)}},
		{"ResizeImages", []eval.Value{f64([]int64{1, 1, 2, 2}, 0, 2, 4, 6)}, []eval.Value{f64([]int64{1, 1, 3, 3}, 0, 1, 2, 2, 3, 4, 4, 5, 6)},
			[]*onnx.Attr{onnx.IntsAttr("output_shape", 3, 3)}},
		{"PadBatchSize", []eval.Value{f64([]int64{1, 2}, 1, 2)}, []eval.Value{f64([]int64{2, 2}, 1, 2, 0, 0)},
			[]*onnx.Attr{onnx.IntAttr("size", 2)}},
		{"BatchNormalizationExpandedStatsShape", []eval.Value{image}, []eval.Value{ints(1, 1, 1, 1)}, nil},
		{"ConvTransposeWithDynamicOutputShape", []eval.Value{f64([]int64{1, 1, 2}, 1, 2), f64([]int64{1, 1, 2}, 1, 10), ints(1, 1, 5)},
			[]eval.Value{f64([]int64{1, 1, 5}, 1, 10, 2, 20, 0)}, []*onnx.Attr{onnx.IntsAttr("strides", 2)}},
		{"SoftmaxCrossEntropy", []eval.Value{f64([]int64{2, 2}, 0, 0, math.Log(3), 0), ints(1, 0)},
			[]eval.Value{f64([]int64{}, (math.Log(2)+math.Log(4.0/3))/2)}, nil},
		{"SelectItem", []eval.Value{x23, ints(2, 0)}, []eval.Value{f64([]int64{2}, 3, 4)}, nil},
		{"GetItem", []eval.Value{x23, one(-1), one(0), one(2)}, []eval.Value{f64([]int64{2}, 4, 5)},
			[]*onnx.Attr{onnx.IntsAttr("slice_specs", 1, 2)}},
		{"GetItem", []eval.Value{x23, seq(one(2), one(0))}, []eval.Value{f64([]int64{2, 2}, 3, 1, 6, 4)},
			[]*onnx.Attr{onnx.IntsAttr("slice_specs", 0, 4)}},
		{"SetItem", []eval.Value{x23, one(1), f64([]int64{}, 9)}, []eval.Value{f64([]int64{2, 3}, 1, 2, 3, 9, 9, 9)},
			[]*onnx.Attr{onnx.IntsAttr("slice_specs", 1)}},
		{"SequenceConstants", nil, []eval.Value{seq(ints(1, 2))}, []*onnx.Attr{{Name: "tensor_values", Type: onnx.AttrTensors,
			Tensors: []*onnx.Tensor{onnx.NewInts(nil, 1, 2)}}}},
		{"SequenceExtend", []eval.Value{seq(one(1)), seq(one(2))}, []eval.Value{seq(one(1), one(2))}, nil},
		{"SequencePop", []eval.Value{seq(one(1), one(2))}, []eval.Value{seq(one(1)), one(2)}, nil},
		{"SequenceUpdate", []eval.Value{seq(one(1), one(2)), one(-1), one(7)}, []eval.Value{seq(one(1), one(7))}, nil},
		{"SequenceGetSlice", []eval.Value{seq(one(0), one(1), one(2), one(3)), none, none, one(-2)}, []eval.Value{seq(one(3), one(1))}, nil},
		{"SequencePad", []eval.Value{seq(ints(1), ints(2, 3))}, []eval.Value{eval.Ints([]int64{2, 2}, 1, 9, 2, 3)},
			[]*onnx.Attr{onnx.FloatAttr("value", 9)}},
		{"SequenceUnpad", []eval.Value{eval.Ints([]int64{2, 2}, 1, 9, 2, 3), seq(one(1), one(2))}, []eval.Value{seq(ints(1), ints(2, 3))}, nil},
		{"SequenceLengths", []eval.Value{seq(ints(1), ints(2, 3))}, []eval.Value{seq(one(1), one(2))}, nil},
		{"SequenceRange", []eval.Value{one(5), one(0), one(-2)}, []eval.Value{seq(one(5), one(3), one(1))}, nil},
		{"SequenceRange", []eval.Value{one(2)}, []eval.Value{seq(one(0), one(1))}, nil},
		{"SequenceAtGrad", []eval.Value{ints(5), one(1), one(0)}, []eval.Value{seq(ints(5))}, nil},
		{"SequenceGetSliceGrad", []eval.Value{seq(one(7), one(8)), one(2), none, none, one(-1)}, []eval.Value{seq(one(8), one(7))}, nil},
		{"GenericLen", []eval.Value{x23}, []eval.Value{one(2)}, nil},
		{"GenericLen", []eval.Value{seq(one(1))}, []eval.Value{one(1)}, nil},
		{"GenericGetItem", []eval.Value{x23, one(-1)}, []eval.Value{f64([]int64{3}, 4, 5, 6)}, nil},
		{"GenericGetSlice", []eval.Value{ints(1, 2, 3), one(1)}, []eval.Value{ints(2, 3)}, nil},
		{"GenericAdd", []eval.Value{seq(one(1)), seq(one(2))}, []eval.Value{seq(one(1), one(2))}, nil},
		{"GenericAdd", []eval.Value{seq(one(1), one(2)), ints(10, 20)}, []eval.Value{ints(11, 22)}, nil},
		{"GenericIs", []eval.Value{truth(1), truth(1)}, []eval.Value{truth(1)}, nil},
		{"GenericIs", []eval.Value{one(1), one(1)}, []eval.Value{truth(0)}, nil},
		{"GenericAccumulateGrad", []eval.Value{seq(ints(1), ints(2)), seq(ints(10), ints(20))}, []eval.Value{seq(ints(11), ints(22))}, nil},
		{"GenericAccumulateGrad", []eval.Value{none, ints(3)}, []eval.Value{ints(3)}, nil},
		{"Print", []eval.Value{x23}, nil, nil},
	} {
		in := map[string]eval.Value{}
		n := node("Chainer"+c.op, plus, nil, nil, c.attrs...)
		for i, v := range c.in {
			n.Inputs = append(n.Inputs, "")
			if v != nil {
				n.Inputs[i] = fmt.Sprintf("x%d", i)
				in[n.Inputs[i]] = v
			}
		}
		for i := range c.want {
			n.Outputs = append(n.Outputs, fmt.Sprintf("y%d", i))
		}
		got, err := run([]*onnx.Node{n}, in, n.Outputs...)
		if err != nil {
			t.Errorf("%s: %v", c.op, err)
			continue
		}
		for i, w := range c.want {
			if why := evaltest.Differ(got[i], w, false); why != "" {
				t.Errorf("%s: output %d: %s", c.op, i, why)
			}
		}
	}
}

// What the ancestor got wrong: a sequence that is bound into a loop and appended to there
// must not change outside.
func sequencesAreValues(t *testing.T) {
	body := &onnx.Graph{Inputs: []*onnx.ValueInfo{{Name: "i"}, {Name: "go"}, {Name: "s"}},
		Outputs: []*onnx.ValueInfo{{Name: "go"}, {Name: "more"}},
		Nodes:   []*onnx.Node{node("SequenceInsert", "", []string{"s", "i"}, []string{"more"})}}
	got, err := run([]*onnx.Node{
		node("Loop", "", []string{"n", "", "list"}, []string{"long"}, onnx.GraphAttr("body", body)),
		node("ChainerSequencePop", plus, []string{"list"}, []string{"short", "last"}),
		node("SequenceLength", "", []string{"list"}, []string{"still"}),
		node("SequenceLength", "", []string{"long"}, []string{"after"}),
		node("ChainerNullConstant", plus, nil, []string{"null"}),
		node("ChainerGenericAccumulateGrad", plus, []string{"null", "last"}, []string{"same"}),
		node("ChainerFusionGroup", plus, []string{"last"}, []string{"twice"},
			onnx.GraphAttr("subgraph", &onnx.Graph{Inputs: []*onnx.ValueInfo{{Name: "a"}}, Outputs: []*onnx.ValueInfo{{Name: "b"}},
				Nodes: []*onnx.Node{node("Add", "", []string{"a", "a"}, []string{"b"})}})),
	}, map[string]eval.Value{"n": one(3), "list": seq(one(5))}, "still", "after", "same", "twice")
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range []int64{1, 4, 5, 10} {
		if why := evaltest.Differ(got[i], one(w), false); why != "" {
			t.Errorf("output %d: %s", i, why)
		}
	}
}
