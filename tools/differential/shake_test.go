package differential

// This file changes a model so that it computes what a run with other roundings might: every
// operand and result of a node that rounds is multiplied with numbers next to 1. What such a model gives for
// several seeds is how far results may be apart (backward error, by sampling).

import (
	"fmt"

	"shapecheck/onnx"
	"shapecheck/onnx/inference"
)

// exactOps are operators whose results are the same in bits however they are computed.
var exactOps = map[string]bool{}

func init() {
	for _, list := range [][]string{
		{"Abs", "Ceil", "Clip", "Floor", "Identity", "IsInf", "IsNaN", "Max", "Min", "Neg", "Relu", "Round", "Sign", "Where", "Cast",
			"CastLike", "Dropout", "ThresholdedRelu", "LeakyRelu", "Shrink", "PRelu"},
		{"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Mul", "Div", "Mod", "Sqrt", "Reciprocal", "Constant"},
		{"ArgMax", "ArgMin", "ReduceMax", "ReduceMin", "TopK", "Hardmax", "MaxPool", "GlobalMaxPool", "NonZero", "Unique", "OneHot"},
		{"Concat", "ConstantOfShape", "DepthToSpace", "Expand", "EyeLike", "Flatten", "Gather", "GatherElements", "GatherND", "Pad", "Range",
			"Reshape", "ReverseSequence", "ScatterElements",
			"ScatterND", "Shape", "Size", "Slice", "SpaceToDepth", "Split", "Squeeze", "Tile", "Transpose", "Trilu", "Unsqueeze", "CenterCropPad",
			"Compress"},
		{"If", "Loop", "Scan", "SequenceMap", "SequenceConstruct", "SequenceEmpty", "SequenceAt", "SequenceInsert", "SequenceErase",
			"SequenceLength", "ConcatFromSequence", "SplitToSequence",
			"Optional", "OptionalHasElement", "OptionalGetElement"},
		{"DequantizeLinear"},
	} {
		for _, op := range list {
			exactOps[op] = true
		}
	}
}

// unitOps are built of numbers near 1: 1-z of a gate near 1 has few digits left, and the logarithm
// of a sum near 1 may be 0 or not.
var unitOps = map[string]bool{"GRU": true, "LSTM": true, "RNN": true, "Gelu": true, "Elu": true, "Celu": true, "Selu": true,
	"Softplus": true, "Mish": true, "HardSwish": true, "LogSoftmax": true}

// shake changes a model in place.
func shake(m *onnx.Model) {
	types, err := inference.Run(m, inference.Config{})
	if err != nil {
		panic(err)
	}
	s := &shaker{types: types}
	s.graph(m.Graph, nil)
}

type shaker struct {
	types *inference.Result
	names int
}

func (s *shaker) graph(g *onnx.Graph, around []map[string]*inference.Type) {
	around = append(around, s.types.Graphs[g])
	var nodes []*onnx.Node
	for _, n := range g.Nodes {
		n.Subgraphs(func(_ string, body *onnx.Graph) { s.graph(body, around) })
		if exactOps[n.Op] {
			nodes = append(nodes, n)
			continue
		}
		for i, name := range n.Inputs {
			if d := elemOf(name, around); isFloat(d) {
				more, shaken := s.shaken(name, "", d, 8)
				nodes = append(nodes, more...)
				n.Inputs[i] = shaken
			}
		}
		var after []*onnx.Node
		for i, name := range n.Outputs {
			if d := elemOf(name, around); isFloat(d) {
				n.Outputs[i] = name + "_exact"
				if unitOps[n.Op] {
					more, near := s.shaken(n.Outputs[i], "", d, 2)
					after = append(append(after, more...), s.moved(near, name, d, 4)...)
					continue
				}
				more, _ := s.shaken(n.Outputs[i], name, d, 2)
				after = append(after, more...)
			}
		}
		nodes = append(append(nodes, n), after...)
	}
	g.Nodes = nodes
}

func elemOf(name string, around []map[string]*inference.Type) onnx.DType {
	for i := len(around) - 1; i >= 0; i-- {
		if t := around[i][name]; t != nil && t.Kind == onnx.TensorType {
			return t.Elem
		}
	}
	return onnx.Undefined
}

// shaken multiplies a value with 1 + r·u, where r is random and u some units of the last place.
func (s *shaker) shaken(name, result string, d onnx.DType, units float64) ([]*onnx.Node, string) {
	s.names++
	v := func(part string) string { return fmt.Sprintf("shaken%d%s", s.names, part) }
	if result == "" {
		result = v("x")
	}
	return []*onnx.Node{
		number(d, v("u"), units*unit(d)), number(d, v("1"), 1),
		{Op: "RandomUniformLike", Name: v("n"), Inputs: []string{name}, Outputs: []string{v("r")},
			Attrs: []*onnx.Attr{onnx.FloatAttr("low", -1), onnx.FloatAttr("high", 1)}},
		{Op: "Mul", Inputs: []string{v("r"), v("u")}, Outputs: []string{v("e")}},
		{Op: "Add", Inputs: []string{v("e"), v("1")}, Outputs: []string{v("f")}},
		{Op: "Mul", Inputs: []string{name, v("f")}, Outputs: []string{result}},
	}, result
}

// moved adds r·u to a value, and rounds it as a sum with 1 is.
func (s *shaker) moved(name, result string, d onnx.DType, units float64) []*onnx.Node {
	s.names++
	v := func(part string) string { return fmt.Sprintf("shaken%d%s", s.names, part) }
	return []*onnx.Node{
		number(d, v("u"), units*unit(d)), number(d, v("1"), 1),
		{Op: "RandomUniformLike", Name: v("n"), Inputs: []string{name}, Outputs: []string{v("r")},
			Attrs: []*onnx.Attr{onnx.FloatAttr("low", -1), onnx.FloatAttr("high", 1)}},
		{Op: "Mul", Inputs: []string{v("r"), v("u")}, Outputs: []string{v("e")}},
		{Op: "Add", Inputs: []string{name, v("e")}, Outputs: []string{v("m")}},
		{Op: "Add", Inputs: []string{v("m"), v("1")}, Outputs: []string{v("s")}},
		{Op: "Sub", Inputs: []string{v("s"), v("1")}, Outputs: []string{result}},
	}
}

// number makes a constant of one element.
func number(d onnx.DType, name string, x float64) *onnx.Node {
	raw, err := evalNumber(d, x).AppendRaw(nil, 0, 1)
	if err != nil {
		panic(err)
	}
	t := &onnx.Tensor{DType: d, Dims: []int64{}, Raw: raw, HasRaw: true}
	return &onnx.Node{Op: "Constant", Outputs: []string{name}, Attrs: []*onnx.Attr{onnx.TensorAttr("value", t)}}
}
