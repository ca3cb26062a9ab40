package differential

// This file holds small models of faults that random graphs have found.

import (
	"math"
	"strings"
	"testing"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

// line makes a node: "Add x y -> z"; a name of "_" is absent.
func line(text string, attrs ...*onnx.Attr) *onnx.Node {
	left, right, _ := strings.Cut(text, "->")
	names := func(s string) []string {
		list := strings.Fields(s)
		for i, x := range list {
			if x == "_" {
				list[i] = ""
			}
		}
		return list
	}
	ins := names(left)
	return &onnx.Node{Op: ins[0], Inputs: ins[1:], Outputs: names(right), Attrs: attrs}
}

// values names the inputs or outputs of a graph, with the types of given values.
func values(names string, given map[string]eval.Value) []*onnx.ValueInfo {
	var out []*onnx.ValueInfo
	for _, n := range strings.Fields(names) {
		v := &onnx.ValueInfo{Name: n}
		if x, ok := given[n]; ok {
			v.Type = typeOf(x)
		}
		out = append(out, v)
	}
	return out
}

// loopOf makes the body of a loop with one state and rows.
func loopOf(d onnx.DType, dims []int64, results string, nodes ...*onnx.Node) *onnx.Attr {
	given := map[string]eval.Value{"i": eval.Ints([]int64{}, 0), "c": truth(true), "s": drawnZeros(d, dims)}
	return onnx.GraphAttr("body", &onnx.Graph{Name: "body", Nodes: nodes, Inputs: values("i c s", given), Outputs: values(results, nil)})
}

func truth(x bool) *eval.Tensor {
	t := &eval.Tensor{DType: onnx.Bool, Dims: []int64{}, I: []int64{0}}
	if x {
		t.I[0] = 1
	}
	return t
}

func drawnZeros(d onnx.DType, dims []int64) *eval.Tensor {
	t, err := eval.New(d, dims)
	if err != nil {
		panic(err)
	}
	return t
}

func TestModelsOfFoundFaults(t *testing.T) {
	seqOf := &onnx.Type{Kind: onnx.SequenceType, Of: onnx.TensorOf(onnx.Float, onnx.Static(2))}
	floats := func(d onnx.DType, x ...float64) *eval.Tensor {
		return &eval.Tensor{DType: d, Dims: []int64{int64(len(x))}, F: x}
	}
	for _, c := range []struct {
		name  string
		ins   map[string]eval.Value
		outs  string
		nodes []*onnx.Node
	}{
		{"a loop with a count and no condition of its own ends by that of its body",
			map[string]eval.Value{"x": floats(onnx.Float, 1, 2), "n": eval.Ints([]int64{}, 5), "one": eval.Ints([]int64{}, 1)}, "y rows",
			[]*onnx.Node{line("Loop n _ x -> y rows", loopOf(onnx.Float, []int64{2}, "more t row", line("Less i one -> more"), line("Neg s -> t"),
				line("Identity t -> row")))}},
		{"rows of a loop may be of bf16",
			map[string]eval.Value{"x": floats(onnx.BFloat16, 1, -2), "n": eval.Ints([]int64{}, 3)}, "y rows",
			[]*onnx.Node{line("Loop n _ x -> y rows", loopOf(onnx.BFloat16, []int64{2}, "more t row", line("Identity c -> more"),
				line("Neg s -> t"), line("Identity t -> row")))}},
		{"types that a newer version of an operator does not take are compiled",
			map[string]eval.Value{"x": eval.Ints(nil, 1, 2, 5)}, "y z",
			[]*onnx.Node{line("ReduceLogSum x -> y"), line("ReduceLogSumExp x -> z")}},
		{"a loop whose only state does not change, and whose result nobody uses",
			map[string]eval.Value{"x": floats(onnx.Float, 1, 2), "n": eval.Ints([]int64{}, 3)}, "y",
			[]*onnx.Node{line("Loop n _ x -> dead", loopOf(onnx.Float, []int64{2}, "c s")), line("Relu x -> y")}},
		{"a loop whose only state does not change, and whose result is used",
			map[string]eval.Value{"x": floats(onnx.Float, 1, 2), "n": eval.Ints([]int64{}, 3)}, "y",
			[]*onnx.Node{line("Loop n _ x -> same", loopOf(onnx.Float, []int64{2}, "c s")), line("Neg same -> y")}},
		{"a sum over no axes leaves the sign of zero",
			map[string]eval.Value{"x": floats(onnx.Float, math.Copysign(0, -1), 1)}, "y",
			[]*onnx.Node{line("ReduceSum x -> y", onnx.IntAttr("noop_with_empty_axes", 1))}},
		{"what is no less than a bound of 0 keeps the sign of zero", // as in PyTorch and ONNX Runtime
			map[string]eval.Value{"x": floats(onnx.Float, math.Copysign(0, -1), 0, -1), "d": floats(onnx.Double, math.Copysign(0, -1), 0)}, "y z w",
			[]*onnx.Node{line("Relu x -> r"), line("Reciprocal r -> y"), constant("lo", fl([]int64{}, 0)), line("Clip x lo -> c"),
				line("Reciprocal c -> z"),
				line("Relu d -> s"), line("Reciprocal s -> w")}},
		{"a product of operands whose batches data decide",
			map[string]eval.Value{"x": floats(onnx.Float, 1, 0, 2), "y": floats(onnx.Float, 0, 3, 4), "rows": eval.Ints(nil, -1, 1, 1)}, "z",
			[]*onnx.Node{line("NonZero x -> a"), line("NonZero y -> b"), line("Cast a -> af", onnx.IntAttr("to", 1)),
				line("Cast b -> bf", onnx.IntAttr("to", 1)),
				line("Reshape af rows -> ar"), line("Reshape bf rows -> br"), line("MatMul ar br -> z")}},
		{"an axis of size 1 that an Expand has added",
			map[string]eval.Value{"x": floats(onnx.Float, 1, 2), "s": eval.Ints(nil, 1, 2), "two": floats(onnx.Float, 2)}, "z",
			[]*onnx.Node{line("Constant -> shape", onnx.TensorAttr("value", onnx.NewInts([]int64{2}, 1, 2))), line("Expand x shape -> e"),
				line("Mul e two -> z")}},
		{"a sequence with elements of a size that the body which made them has bound",
			map[string]eval.Value{"x": floats(onnx.Float, 1, 0, 3), "n": eval.Ints([]int64{}, 2)}, "m",
			[]*onnx.Node{line("NonZero x -> z"), line("SplitToSequence z -> q", onnx.IntAttr("axis", 0)),
				line("SequenceMap q -> s", onnx.GraphAttr("body", &onnx.Graph{Name: "map", Nodes: []*onnx.Node{line("Neg e -> f")},
					Inputs: []*onnx.ValueInfo{{Name: "e", Type: onnx.TensorOf(onnx.Int64)}}, Outputs: values("f", nil)})),
				line("Loop n _ s -> r", onnx.GraphAttr("body", &onnx.Graph{Name: "body",
					Nodes: []*onnx.Node{line("Identity c -> more"), line("Identity o -> p")},
					Inputs: []*onnx.ValueInfo{{Name: "i", Type: onnx.TensorOf(onnx.Int64)}, {Name: "c", Type: onnx.TensorOf(onnx.Bool)},
						{Name: "o", Type: &onnx.Type{Kind: onnx.SequenceType, Of: onnx.TensorOf(onnx.Int64)}}}, Outputs: values("more p", nil)})),
				line("SequenceLength r -> m")}},
		{"a norm of a row whose squares are outside of f32",
			map[string]eval.Value{"x": floats(onnx.Float, 0x9p64, -0x5p62), "tiny": floats(onnx.Float, 0x3p-77, 0x4p-77)}, "rms centred length mean",
			[]*onnx.Node{constant("w", fl([]int64{2}, 1.75, 1)), line("RMSNormalization x w -> rms"), line("LayerNormalization x w -> centred"),
				line("ReduceL2 tiny -> length"), constant("most", fl([]int64{2}, 0x1.cp127, 0x1.8p127)), line("ReduceMean most -> mean")}},
		{"an empty optional that a loop fills",
			map[string]eval.Value{"x": floats(onnx.Float, 1, 2), "n": eval.Ints([]int64{}, 3)}, "m",
			[]*onnx.Node{line("Optional -> none", &onnx.Attr{Name: "type", Type: onnx.AttrTypeProto, TypeProto: seqOf}),
				line("Loop n _ none -> s", onnx.GraphAttr("body", &onnx.Graph{Name: "body",
					Nodes: []*onnx.Node{line("Identity c -> more"), line("SequenceConstruct x x -> q")},
					Inputs: []*onnx.ValueInfo{{Name: "i", Type: onnx.TensorOf(onnx.Int64)}, {Name: "c", Type: onnx.TensorOf(onnx.Bool)},
						{Name: "o", Type: &onnx.Type{Kind: onnx.OptionalType, Of: seqOf}}}, Outputs: values("more q", nil)})),
				line("SequenceLength s -> m")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			names := ""
			for n := range c.ins {
				names += " " + n
			}
			g := &onnx.Graph{Name: "g", Nodes: c.nodes, Inputs: values(names, c.ins), Outputs: values(c.outs, nil)}
			m := &onnx.Model{IRVersion: 10, Graph: g, Opsets: []onnx.Opset{{Version: opset}}}
			want, err := eval.Model(m, c.ins, eval.Config{})
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range want {
				m.Graph.Outputs[i].Type = loosened(typeOf(v))
			}
			for seed := range uint64(4) {
				s := &subject{file: marshal(m), ins: c.ins, seed: seed}
				if _, _, err := s.oracle(); err != nil {
					t.Fatal(err)
				}
				if w, what := s.fault(ways(seed)); w != "" {
					t.Fatalf("%s: %s", w, what)
				}
			}
		})
	}
}

// TestKernelBeyondEmptyAxis checks that the evaluator refuses a kernel that is more than
// a stride larger than an axis that data make empty, as ONNX Runtime and the machine do.
func TestKernelBeyondEmptyAxis(t *testing.T) {
	for name, node := range map[string]*onnx.Node{
		"Conv":    line("Conv r w -> y"),
		"MaxPool": line("MaxPool r -> y", onnx.IntsAttr("kernel_shape", 3)),
	} {
		t.Run(name, func(t *testing.T) {
			ins := map[string]eval.Value{"x": eval.Ints(nil, 0, 0), "shape": eval.Ints(nil, 1, 1, -1)}
			nodes := []*onnx.Node{line("Constant -> w", onnx.TensorAttr("value",
				&onnx.Tensor{DType: onnx.Float, Dims: []int64{1, 1, 3}, HasRaw: true, Raw: make([]byte, 12)})),
				line("NonZero x -> i"), line("Cast i -> f", onnx.IntAttr("to", 1)), line("Reshape f shape -> r"), node}
			g := &onnx.Graph{Name: "g", Nodes: nodes, Inputs: values("x shape", ins), Outputs: values("y", nil)}
			m := &onnx.Model{IRVersion: 10, Graph: g, Opsets: []onnx.Opset{{Version: opset}}}
			if _, err := eval.Model(m, ins, eval.Config{}); err == nil || !strings.Contains(err.Error(), "a kernel of [3]") {
				t.Errorf("%v", err)
			}
		})
	}
}
