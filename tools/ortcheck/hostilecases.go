package main

// This file makes models whose sizes are hostile, out of operators whose results are as large as data or attributes say.
//
// The space is operators times sizes: each operator whose result is as large as a number says
// gets each of hostileSizes in that place. What is looked for are sizes that overflow when they
// are multiplied and so pass a check, memory that is taken before it is asked for, and loops over
// a number that no time suffices for. The models are small and valid by the schema, so that they
// reach the code behind the checks of the file; whether one has a meaning does not matter, as an
// orderly error is a good end.

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"shapecheck/onnx"
)

// A hostileCase is a model with its inputs. inputs are given by name; files are by name with a
// length in bytes, made as files with holes.
type hostileCase struct {
	name   string
	model  *onnx.Model
	inputs map[string]*onnx.Tensor
	// files are files beside the model, which are so long and have nothing in them.
	files map[string]int64
}

// hostileSizes are sizes that fit, that no memory has, and whose products overflow. -1 and the
// least integer stand for sizes that are no sizes.
var hostileSizes = []int64{1 << 20, 1 << 27, 1 << 31, 1 << 42, 1 << 62, math.MaxInt64, -1, math.MinInt64}

// A maker collects cases. The order of the list decides the numbers of --every, and so must not
// depend on maps: keys are sorted everywhere below.
type maker struct{ list []*hostileCase }

// A body is what a model computes: operands by name, nodes, and the type of the result y. result
// 0 is f32 and opset 0 is 21.
type body struct {
	operands  map[string]*onnx.Tensor
	nodes     []*onnx.Node
	result    onnx.DType
	sequence  bool // the result is a sequence of tensors
	functions []*onnx.Function
	opset     int64
}

// operation is a node; in and out list names, with commas between them.
func operation(op, in, out string, attrs ...*onnx.Attr) *onnx.Node {
	n := &onnx.Node{Op: op, Attrs: attrs, Outputs: strings.Split(out, ",")}
	if in != "" {
		n.Inputs = strings.Split(in, ",")
	}
	return n
}

// longs is a vector of int64.
func longs(list ...int64) *onnx.Tensor { return onnx.NewInts(nil, list...) }

// long is one int64 without dimensions.
func long(x int64) *onnx.Tensor { return onnx.NewInts([]int64{}, x) }

// filled is a small tensor whose elements are all f. It panics if the type has no such number,
// which is a fault of this file.
func filled(d onnx.DType, f float64, dims ...int64) *onnx.Tensor {
	if dims == nil {
		dims = []int64{}
	}
	t, err := onnx.NewFull(d, dims, f)
	if err != nil {
		panic(err)
	}
	return t
}

// ones is a small tensor of f32.
func ones(dims ...int64) *onnx.Tensor { return filled(onnx.Float, 1, dims...) }

// words is a vector of strings.
func words(list ...string) *onnx.Tensor {
	t := &onnx.Tensor{DType: onnx.String, Dims: []int64{int64(len(list))}}
	for _, s := range list {
		t.Strings = append(t.Strings, []byte(s))
	}
	return t
}

// add makes two cases of a body: operands as inputs, so that the run meets them, and as constants, so that the compiler does.
func (m *maker) add(name string, b body) {
	m.made(name+", given", b, false)
	if len(b.operands) > 0 {
		m.made(name+", constant", b, true)
	}
}

// made makes one case of a body, with the operands as initializers if constant is set; strings
// are inputs always.
func (m *maker) made(name string, b body, constant bool) {
	g := &onnx.Graph{Name: "g", Nodes: b.nodes}
	c := &hostileCase{name: name, inputs: map[string]*onnx.Tensor{}}
	for _, key := range slices.Sorted(maps.Keys(b.operands)) {
		t := b.operands[key]
		x := *t
		x.Name = key
		if constant && t.DType != onnx.String {
			g.Initializers = append(g.Initializers, &x)
			continue
		}
		var dims []onnx.Dim
		for _, d := range t.Dims {
			dims = append(dims, onnx.Static(d))
		}
		g.Inputs = append(g.Inputs, &onnx.ValueInfo{Name: key, Type: onnx.TensorOf(t.DType, dims...)})
		c.inputs[key] = &x
	}
	y := &onnx.Type{Kind: onnx.TensorType, Elem: b.result}
	if b.result == 0 {
		y.Elem = onnx.Float
	}
	if b.sequence {
		y = &onnx.Type{Kind: onnx.SequenceType, Of: y}
	}
	g.Outputs = []*onnx.ValueInfo{{Name: "y", Type: y}}
	if b.opset == 0 {
		b.opset = 21
	}
	c.model = &onnx.Model{IRVersion: 10, Graph: g, Functions: b.functions,
		Opsets: []onnx.Opset{{Version: b.opset}, {Domain: "own", Version: 1},
			{Domain: "ai.onnx.ml", Version: 3}}}
	m.list = append(m.list, c)
}

// hostileCases makes all of them, in the same order each time.
func hostileCases() []*hostileCase {
	m := &maker{}
	for _, n := range hostileSizes {
		m.sized(n)
		m.attributes(n)
	}
	m.loops()
	m.others()
	m.initializers()
	return m.list
}

type operands = map[string]*onnx.Tensor

// sized makes operations whose result is as large as an operand says. The operators are all of
// ONNX that take a size, a number of elements or a place as data.
func (m *maker) sized(n int64) {
	one := func(name, op, in string, result onnx.DType, o operands, attrs ...*onnx.Attr) {
		m.add(fmt.Sprintf("%s of %d", name, n), body{operands: o, nodes: []*onnx.Node{operation(op, in, "y", attrs...)}, result: result})
	}
	one("ConstantOfShape", "ConstantOfShape", "n", onnx.Float, operands{"n": longs(n)})
	one("ConstantOfShape of a square", "ConstantOfShape", "n", onnx.Int8, operands{"n": longs(n, n)},
		onnx.TensorAttr("value", filled(onnx.Int8, 3, 1)))
	one("Range", "Range", "a,n,d", onnx.Int64, operands{"a": long(0), "n": long(n), "d": long(1)})
	one("Range down", "Range", "a,n,d", onnx.Int64, operands{"a": long(n), "n": long(math.MinInt64), "d": long(-1)})
	one("Range of floats", "Range", "a,n,d", onnx.Float, operands{"a": ones(), "n": filled(onnx.Float, float64(n)),
		"d": filled(onnx.Float, 0.25)})
	one("Tile", "Tile", "x,n", onnx.Float, operands{"x": ones(2, 3), "n": longs(n, 2)})
	one("Expand", "Expand", "x,n", onnx.Float, operands{"x": ones(1, 1), "n": longs(n, n)})
	one("Pad", "Pad", "x,p", onnx.Float, operands{"x": ones(2, 2), "p": longs(n, 0, 0, n)}, onnx.StringAttr("mode", "constant"))
	one("Pad by reflection", "Pad", "x,p", onnx.Float, operands{"x": ones(2, 2), "p": longs(n, 0, n, 0)}, onnx.StringAttr("mode", "reflect"))
	one("Resize", "Resize", "x,,,n", onnx.Float, operands{"x": ones(1, 1, 2, 2), "n": longs(1, 1, n, 2)}, onnx.StringAttr("mode", "linear"))
	one("Resize, cubic", "Resize", "x,,,n", onnx.Float, operands{"x": ones(1, 1, 2, 2), "n": longs(1, 1, n, n)},
		onnx.StringAttr("mode", "cubic"))
	one("Resize by scales", "Resize", "x,,s", onnx.Float, operands{"x": ones(1, 1, 2, 2), "s": filled(onnx.Float, math.Abs(float64(n)), 4)},
		onnx.StringAttr("mode", "nearest"))
	one("OneHot", "OneHot", "i,n,v", onnx.Float, operands{"i": longs(1, 2, 3), "n": long(n), "v": ones(2)})
	one("Reshape", "Reshape", "x,n", onnx.Float, operands{"x": ones(4), "n": longs(n, -1)})
	one("Slice", "Slice", "x,a,b,z,d", onnx.Float, operands{"x": ones(4, 4), "a": longs(n), "b": longs(-n), "z": longs(0), "d": longs(n)})
	one("TopK", "TopK", "x,n", onnx.Float, operands{"x": ones(4, 4), "n": longs(n)})
	one("Trilu", "Trilu", "x,k", onnx.Float, operands{"x": ones(4, 4), "k": long(n)})
	one("MaxUnpool", "MaxUnpool", "x,i,n", onnx.Float, operands{"x": ones(1, 1, 2, 2), "i": filled(onnx.Int64, 1, 1, 1, 2, 2),
		"n": longs(1, 1, n, 4)},
		onnx.IntsAttr("kernel_shape", 2, 2))
	one("BlackmanWindow", "BlackmanWindow", "n", onnx.Float, operands{"n": long(n)})
	one("HannWindow", "HannWindow", "n", onnx.Float, operands{"n": long(n)})
	one("MelWeightMatrix", "MelWeightMatrix", "m,n,r,a,b", onnx.Float, operands{"m": long(n), "n": long(n), "r": long(8000), "a": ones(),
		"b": filled(onnx.Float, 4000)})
	one("DFT", "DFT", "x,n", onnx.Float, operands{"x": ones(1, 4, 1), "n": long(n)})
	one("STFT", "STFT", "x,s,w,n", onnx.Float, operands{"x": ones(1, 64, 1), "s": long(1), "w": ones(8), "n": long(n)})
	one("Col2Im", "Col2Im", "x,n,b", onnx.Float, operands{"x": ones(1, 4, 4), "n": longs(n, 2), "b": longs(2, 2)})
	one("AffineGrid", "AffineGrid", "x,n", onnx.Float, operands{"x": ones(1, 2, 3), "n": longs(1, 1, n, 2)})
	one("CenterCropPad", "CenterCropPad", "x,n", onnx.Float, operands{"x": ones(4, 4), "n": longs(n, n)})
	m.add(fmt.Sprintf("Upsample of %d", n), body{operands: operands{"x": ones(1, 1, 2, 2), "s": filled(onnx.Float, math.Abs(float64(n)), 4)},
		nodes: []*onnx.Node{operation("Upsample", "x,s", "y")}, opset: 9})
	m.add(fmt.Sprintf("SplitToSequence of %d", n), body{operands: operands{"x": ones(4), "n": long(n)},
		nodes: []*onnx.Node{operation("SplitToSequence",
			"x,n", "y")}, sequence: true})
	m.add(fmt.Sprintf("pieces of Range of %d", n), body{operands: operands{"a": long(0), "n": long(n), "d": long(1), "k": long(1)},
		result:   onnx.Int64,
		sequence: true,
		nodes:    []*onnx.Node{operation("Range", "a,n,d", "r"), operation("SplitToSequence", "r,k", "y")}})
	m.add(fmt.Sprintf("trips, %d", n), body{operands: operands{"n": long(n), "x": ones(4)},
		nodes: []*onnx.Node{loopNode("n", "x", "y", operation("Add",
			"s,s", "t"))}})
	m.add(fmt.Sprintf("work over Expand of %d", n), body{operands: operands{"x": ones(1), "n": longs(n), "k": long(0)}, nodes: []*onnx.Node{
		operation("Expand", "x,n", "e"), operation("Exp", "e", "f"), operation("CumSum", "f,k", "g"), operation("ReduceSum", "g", "y")}})
}

// loopNode runs a node, from the state s to t, so many times. The state's type has no shape, so
// that it may grow. The loop's condition is left out: trips alone end it.
func loopNode(trips, from, to string, nodes ...*onnx.Node) *onnx.Node {
	info := func(name string, d onnx.DType, dims ...onnx.Dim) *onnx.ValueInfo {
		return &onnx.ValueInfo{Name: name, Type: onnx.TensorOf(d, dims...)}
	}
	any := &onnx.Type{Kind: onnx.TensorType, Elem: onnx.Float}
	g := &onnx.Graph{Name: "body", Inputs: []*onnx.ValueInfo{info("i", onnx.Int64), info("c", onnx.Bool), {Name: "s", Type: any}},
		Outputs: []*onnx.ValueInfo{info("c", onnx.Bool), {Name: "t", Type: any}}, Nodes: nodes}
	g.Outputs[0].Name = "c2"
	g.Nodes = append(g.Nodes, operation("Identity", "c", "c2"))
	return operation("Loop", trips+",,"+from, to, onnx.GraphAttr("body", g))
}

// attributes makes operations with attributes of that number. Attributes are constants by
// themselves, so that each makes one case.
func (m *maker) attributes(n int64) {
	one := func(name, op, in string, result onnx.DType, o operands, attrs ...*onnx.Attr) {
		m.made(fmt.Sprintf("%s with %d", name, n), body{operands: o, nodes: []*onnx.Node{operation(op, in, "y", attrs...)}, result: result},
			false)
	}
	ints := onnx.IntsAttr
	one("Conv with pads", "Conv", "x,w", onnx.Float, operands{"x": ones(1, 1, 4, 4), "w": ones(1, 1, 3, 3)}, ints("pads", n, n, n, n))
	one("Conv with dilations", "Conv", "x,w", onnx.Float, operands{"x": ones(1, 1, 4, 4), "w": ones(1, 1, 3, 3)}, ints("dilations", n, n),
		ints("pads", n,
			n, n, n))
	one("Conv with strides", "Conv", "x,w", onnx.Float, operands{"x": ones(1, 1, 4, 4), "w": ones(1, 1, 3, 3)}, ints("strides", n, n))
	one("Conv with groups", "Conv", "x,w", onnx.Float, operands{"x": ones(1, 1, 4, 4), "w": ones(1, 1, 3, 3)}, onnx.IntAttr("group", n))
	one("ConvTranspose with a shape", "ConvTranspose", "x,w", onnx.Float, operands{"x": ones(1, 1, 4, 4), "w": ones(1, 1, 3, 3)},
		ints("output_shape", n, n))
	one("ConvTranspose with strides", "ConvTranspose", "x,w", onnx.Float, operands{"x": ones(1, 1, 4, 4), "w": ones(1, 1, 3, 3)},
		ints("strides", n, 1))
	one("ConvInteger with pads", "ConvInteger", "x,w", onnx.Int32,
		operands{"x": filled(onnx.Uint8, 1, 1, 1, 4, 4), "w": filled(onnx.Uint8, 1, 1, 1, 3,
			3)}, ints("pads", n, n, n, n))
	one("MaxPool with a window", "MaxPool", "x", onnx.Float, operands{"x": ones(1, 1, 4, 4)}, ints("kernel_shape", n, n),
		ints("pads", n, n, n, n))
	one("AveragePool with pads", "AveragePool", "x", onnx.Float, operands{"x": ones(1, 1, 4, 4)}, ints("kernel_shape", 3, 3),
		ints("pads", n, n, n, n),
		onnx.IntAttr("count_include_pad", 1))
	one("LpPool with strides", "LpPool", "x", onnx.Float, operands{"x": ones(1, 1, 4, 4)}, ints("kernel_shape", n, 3), ints("strides", n, 1))
	one("RandomNormal", "RandomNormal", "", onnx.Float, nil, ints("shape", n))
	one("RandomUniform", "RandomUniform", "", onnx.Float, nil, ints("shape", n, n))
	one("Multinomial", "Multinomial", "x", onnx.Int32, operands{"x": ones(2, 4)}, onnx.IntAttr("sample_size", n))
	one("EyeLike", "EyeLike", "x", onnx.Float, operands{"x": ones(4, 4)}, onnx.IntAttr("k", n))
	one("DepthToSpace", "DepthToSpace", "x", onnx.Float, operands{"x": ones(1, 4, 2, 2)}, onnx.IntAttr("blocksize", n))
	one("SpaceToDepth", "SpaceToDepth", "x", onnx.Float, operands{"x": ones(1, 4, 2, 2)}, onnx.IntAttr("blocksize", n))
	one("RoiAlign", "RoiAlign", "x,r,b", onnx.Float, operands{"x": ones(1, 1, 4, 4), "r": ones(1, 4), "b": longs(0)},
		onnx.IntAttr("output_height", n),
		onnx.IntAttr("output_width", 2))
	one("RoiAlign with samples", "RoiAlign", "x,r,b", onnx.Float, operands{"x": ones(1, 1, 4, 4), "r": ones(1, 4), "b": longs(0)},
		onnx.IntAttr("sampling_ratio", n))
	one("RNN", "RNN", "x,w,r", onnx.Float, operands{"x": ones(2, 1, 2), "w": ones(1, 3, 2), "r": ones(1, 3, 3)},
		onnx.IntAttr("hidden_size", n))
	one("LSTM", "LSTM", "x,w,r", onnx.Float, operands{"x": ones(2, 1, 2), "w": ones(1, 12, 2), "r": ones(1, 12, 3)},
		onnx.IntAttr("hidden_size", n))
	one("GRU", "GRU", "x,w,r", onnx.Float, operands{"x": ones(2, 1, 2), "w": ones(1, 9, 2), "r": ones(1, 9, 3)},
		onnx.IntAttr("hidden_size", n))
	one("LRN", "LRN", "x", onnx.Float, operands{"x": ones(1, 4, 2, 2)}, onnx.IntAttr("size", n))
	one("Flatten", "Flatten", "x", onnx.Float, operands{"x": ones(1, 4, 2, 2)}, onnx.IntAttr("axis", n))
	m.made(fmt.Sprintf("Attention with %d heads", n), body{operands: operands{"q": ones(1, 4, 8)}, opset: 23, nodes: []*onnx.Node{
		operation("Attention", "q,q,q", "y", onnx.IntAttr("q_num_heads", n), onnx.IntAttr("kv_num_heads", n))}}, false)
	one("TfIdfVectorizer", "TfIdfVectorizer", "x", onnx.Float, operands{"x": longs(1, 2, 3)}, onnx.IntAttr("min_gram_length", 1),
		onnx.IntAttr("max_gram_length", n), onnx.IntAttr("max_skip_count", n),
		onnx.StringAttr("mode", "TF"), ints("ngram_counts", 0), ints("ngram_indexes", n), ints("pool_int64s", 1))
}

// loops makes loops that grow their state, that nest, and that never end. 2⁴⁰ trips end by the
// time limit alone; 2²⁰ are done if a trip takes a microsecond, so that these models show what
// trips cost in memory.
func (m *maker) loops() {
	grow := map[string][]*onnx.Node{
		"that joins its state with itself": {operation("Concat", "s,s", "t", onnx.IntAttr("axis", 0))},
		"that joins its state with x":      {operation("Concat", "s,x", "t", onnx.IntAttr("axis", 0))},
		"that tiles its state":             {operation("Constant", "", "k", onnx.IntsAttr("value_ints", 3)), operation("Tile", "s,k", "t")},
		"that pads its state": {operation("Constant", "", "k", onnx.IntsAttr("value_ints", 1000, 1000)),
			operation("Pad", "s,k", "t")},
		"that expands its state": {operation("Shape", "s", "k"), operation("Add", "k,k", "k2"),
			operation("ConstantOfShape", "k2", "t")},
		"that spins":                   {operation("Identity", "s", "t")},
		"that computes":                {operation("Sin", "s", "a"), operation("Add", "a,s", "t")},
		"that multiplies matrices":     {operation("MatMul", "s,s", "t")},
		"that sorts":                   {operation("Constant", "", "k", onnx.IntsAttr("value_ints", 4)), operation("TopK", "s,k", "t,u")},
		"of the reference's operators": {operation("Erf", "s", "a"), operation("Hardmax", "a", "b"), operation("Mish", "b", "t")},
		"within a loop":                {inner("n", "s", "t", operation("Identity", "s2", "t2"))},
		"within a loop that grows":     {inner("n", "s", "t", operation("Concat", "s2,s2", "t2", onnx.IntAttr("axis", 0)))},
		"with a condition":             {choice("c", "s", "t")},
	}
	for _, key := range slices.Sorted(maps.Keys(grow)) {
		x := ones(4)
		if strings.Contains(key, "matrices") {
			x = ones(64, 64)
		}
		for _, n := range []int64{1 << 20, 1 << 40} {
			m.add(fmt.Sprintf("loop %s, %d trips", key, n), body{operands: operands{"n": long(n), "x": x},
				nodes: []*onnx.Node{loopNode("n", "x", "y", grow[key]...)}})
		}
	}
	// sequences that grow: of scalars, of one tensor again and again, of new tensors
	for _, n := range []int64{1 << 20, 1 << 24, 1 << 40} {
		elements := map[string][]*onnx.Node{
			"the counter": {operation("Cast", "i", "e", onnx.IntAttr("to", 1)), operation("SequenceInsert", "s,e", "t")},
			"x":           {operation("SequenceInsert", "s,x", "t")},
			"a tensor": {operation("Constant", "", "k", onnx.IntsAttr("value_ints", 4096)), operation("ConstantOfShape", "k", "e"),
				operation("SequenceInsert", "s,e", "t")},
		}
		for _, name := range slices.Sorted(maps.Keys(elements)) {
			nodes := elements[name]
			seq := &onnx.Type{Kind: onnx.SequenceType, Of: &onnx.Type{Kind: onnx.TensorType, Elem: onnx.Float}}
			l := loopNode("n", "q", "y", nodes...)
			g := l.Attrs[0].Graph
			g.Inputs[2].Type, g.Outputs[1].Type = seq, seq
			m.made(fmt.Sprintf("sequence of %s, %d trips", name, n), body{operands: operands{"n": long(n), "x": ones(4)}, sequence: true,
				nodes: []*onnx.Node{operation("SequenceEmpty", "", "q"), l}}, false)
		}
		// what each trip makes is joined behind the loop
		l := loopNode("n", "x", "z,y", operation("Identity", "s", "t"), operation("Exp", "s", "row"))
		g := l.Attrs[0].Graph
		g.Outputs = append(g.Outputs, &onnx.ValueInfo{Name: "row", Type: &onnx.Type{Kind: onnx.TensorType, Elem: onnx.Float}})
		m.made(fmt.Sprintf("rows of a loop, %d trips", n), body{operands: operands{"n": long(n), "x": ones(256)}, nodes: []*onnx.Node{l}}, false)
	}
	for _, n := range []int64{1 << 20, 1 << 26, 1 << 42} { // Scan over what is made
		info := func(name string) *onnx.ValueInfo {
			return &onnx.ValueInfo{Name: name, Type: &onnx.Type{Kind: onnx.TensorType, Elem: onnx.Float}}
		}
		g := &onnx.Graph{Name: "body", Inputs: []*onnx.ValueInfo{info("s"), info("e")}, Outputs: []*onnx.ValueInfo{info("t"), info("o")},
			Nodes: []*onnx.Node{operation("Add", "s,e", "t"), operation("Expand", "t,k", "o"),
				operation("Constant", "", "k", onnx.IntsAttr("value_ints", 64))}}
		g.Nodes = []*onnx.Node{g.Nodes[2], g.Nodes[0], g.Nodes[1]}
		m.add(fmt.Sprintf("Scan of %d", n), body{operands: operands{"n": longs(n), "x": ones()},
			nodes: []*onnx.Node{operation("ConstantOfShape", "n", "e"), operation("Scan", "x,e", "z,y", onnx.GraphAttr("body", g),
				onnx.IntAttr("num_scan_inputs", 1))}})
	}
}

// inner is a loop within a loop, whose state is s2 inside. Its names differ from those of the
// loop around it, since ONNX forbids that a name is hidden.
func inner(trips, from, to string, nodes ...*onnx.Node) *onnx.Node {
	l := loopNode(trips, from, to, nodes...)
	g := l.Attrs[0].Graph
	g.Inputs[0].Name, g.Inputs[1].Name, g.Inputs[2].Name = "i2", "c3", "s2"
	g.Outputs[0].Name, g.Outputs[1].Name = "c4", "t2"
	g.Nodes[len(g.Nodes)-1] = operation("Identity", "c3", "c4")
	return l
}

// choice is an If of which both branches double a value. The first branch doubles the tensor's
// length, the second one negates it, so that the result's size depends on the data.
func choice(condition, from, to string) *onnx.Node {
	branch := func(name string, node *onnx.Node) *onnx.Graph {
		return &onnx.Graph{Name: name, Nodes: []*onnx.Node{node}, Outputs: []*onnx.ValueInfo{{Name: name, Type: &onnx.Type{Kind: onnx.TensorType,
			Elem: onnx.Float}}}}
	}
	return operation("If", condition, to, onnx.GraphAttr("then_branch",
		branch("a", operation("Concat", from+","+from, "a", onnx.IntAttr("axis", 0)))),
		onnx.GraphAttr("else_branch", branch("b", operation("Neg", from, "b"))))
}

// others makes operations over large operands, functions, deep graphs and text. The operand is
// expanded at run time, so that what is large is not in the file. n is a power of two, of which
// some shapes are factors.
func (m *maker) others() {
	over := func(name string, n int64, result onnx.DType, o operands, nodes ...*onnx.Node) {
		all := operands{"x": ones(1), "n": longs(n)}
		for k, v := range o {
			all[k] = v
		}
		m.made(fmt.Sprintf("%s over %d", name, n), body{operands: all, nodes: append([]*onnx.Node{operation("Expand", "x,n", "e")}, nodes...),
			result: result}, false)
	}
	for _, n := range []int64{1 << 22, 1 << 26} {
		over("NonZero", n, onnx.Int64, nil, operation("NonZero", "e", "y"))
		over("Unique", n, onnx.Float, nil, operation("Unique", "e", "y"))
		over("Compress", n, onnx.Float, nil, operation("Cast", "e", "b", onnx.IntAttr("to", 9)), operation("Compress", "e,b", "y"))
		over("TopK", n, onnx.Float, operands{"k": longs(n)}, operation("TopK", "e,k", "y"))
		over("CumSum", n, onnx.Float, operands{"k": long(0)}, operation("CumSum", "e,k", "y"))
		over("Bernoulli", n, onnx.Float, nil, operation("Bernoulli", "e", "y"))
		over("RandomNormalLike", n, onnx.Float, nil, operation("RandomNormalLike", "e", "y"))
		over("Gather", n, onnx.Float, nil, operation("Cast", "e", "i", onnx.IntAttr("to", 7)), operation("Gather", "e,i", "y"))
		over("GatherElements", n, onnx.Float, nil, operation("Cast", "e", "i", onnx.IntAttr("to", 7)), operation("GatherElements", "e,i", "y"))
		over("ScatterElements", n, onnx.Float, nil, operation("Cast", "e", "i", onnx.IntAttr("to", 7)), operation("ScatterElements", "e,i,e", "y",
			onnx.StringAttr("reduction", "add")))
		over("ScatterND", n, onnx.Float, operands{"k": longs(n, 1)}, operation("Cast", "e", "i", onnx.IntAttr("to", 7)),
			operation("Reshape", "i,k", "j"),
			operation("ScatterND", "e,j,e", "y"))
		over("outer product by Einsum", n, onnx.Float, nil, operation("Einsum", "e,e", "y", onnx.StringAttr("equation", "i,j->ij")))
		over("sum of an outer product", n, onnx.Float, nil, operation("Einsum", "e,e", "y", onnx.StringAttr("equation", "i,j->")))
		over("outer product by MatMul", n, onnx.Float, operands{"k": longs(n, 1), "l": longs(1, n)}, operation("Reshape", "e,k", "a"),
			operation("Reshape",
				"e,l", "b"), operation("MatMul", "a,b", "y"))
		over("outer sum", n, onnx.Float, operands{"k": longs(n, 1)}, operation("Reshape", "e,k", "a"), operation("Add", "a,e", "y"))
		over("outer Where", n, onnx.Float, operands{"k": longs(n, 1)}, operation("Reshape", "e,k", "a"), operation("Less", "a,e", "b"),
			operation("Where",
				"b,a,e", "y"))
		over("Softmax", n, onnx.Float, nil, operation("Softmax", "e", "y"))
		over("LayerNormalization", n, onnx.Float, nil, operation("LayerNormalization", "e,e", "y"))
		over("Transpose", n, onnx.Float, operands{"k": longs(1<<11, n>>11)}, operation("Reshape", "e,k", "a"), operation("Transpose", "a", "y",
			onnx.IntsAttr("perm", 1, 0)))
		over("Conv with the kernel", n, onnx.Float, operands{"k": longs(1, 1, n)}, operation("Reshape", "e,k", "a"), operation("Conv", "a,a", "y",
			onnx.StringAttr("auto_pad", "SAME_UPPER")))
		over("product of matrices", n, onnx.Float, operands{"k": longs(1<<11, n>>11), "l": longs(n>>11, 1<<11)}, operation("Reshape", "e,k", "a"),
			operation("Reshape", "e,l", "b"), operation("MatMul", "a,b", "y"))
		over("Det", n, onnx.Float, operands{"k": longs(n>>22, 1<<11, 1<<11)}, operation("Reshape", "e,k", "a"), operation("Det", "a", "y"))
		over("DFT", n, onnx.Float, operands{"k": longs(1, n, 1)}, operation("Reshape", "e,k", "a"), operation("DFT", "a", "y"))
		over("GridSample", n, onnx.Float, operands{"i": ones(1, 1, 2, 2), "k": longs(1, n/2, 1, 2)}, operation("Reshape", "e,k", "a"),
			operation("GridSample",
				"i,a", "y"))
		over("NonMaxSuppression", n, onnx.Int64, operands{"k": longs(1, n/4, 4), "l": longs(1, 1, n/4), "z": longs(0), "w": longs(n / 4),
			"o": long(math.MaxInt64)},
			operation("Reshape", "e,k", "a"), operation("Slice", "e,z,w", "f"), operation("Reshape", "f,l", "b"),
			operation("NonMaxSuppression", "a,b,o", "y"))
		over("LSTM", n, onnx.Float, operands{"k": longs(n/4, 1, 4), "w": ones(1, 16, 4), "r": ones(1, 16, 4)}, operation("Reshape", "e,k", "a"),
			operation("LSTM", "a,w,r", "y", onnx.IntAttr("hidden_size", 4)))
		over("QuantizeLinear", n, onnx.Uint8, operands{"q": ones()}, operation("QuantizeLinear", "e,q", "y"))
		over("MaxPool", n, onnx.Float, operands{"k": longs(1, 1, n)}, operation("Reshape", "e,k", "a"), operation("MaxPool", "a", "y",
			onnx.IntsAttr("kernel_shape", n/2)))
		over("Mod", n, onnx.Float, nil, operation("Mod", "e,e", "y", onnx.IntAttr("fmod", 1)))
		over("Cast to text", n, onnx.String, nil, operation("Cast", "e", "y", onnx.IntAttr("to", 8)))
	}
	m.calls()
	m.text()
}

// calls makes functions that call themselves, and that double with each call, and graphs that are deep.
//
// A function that is called twice by one that is called twice… has 2ⁿ calls at n levels, and a
// chain of Concat 2ⁿ elements: text of a few lines asks for all memory. Self-reference must be
// refused before functions are inlined.
func (m *maker) calls() {
	call := func(name, in, out string) *onnx.Node {
		n := operation(name, in, out)
		n.Domain = "own"
		return n
	}
	function := func(name string, nodes ...*onnx.Node) *onnx.Function {
		return &onnx.Function{Name: name, Domain: "own", Inputs: []string{"a"}, Outputs: []string{"z"}, Nodes: nodes,
			Opsets: []onnx.Opset{{Version: 21},
				{Domain: "own", Version: 1}}}
	}
	m.add("a function that calls itself", body{operands: operands{"x": ones(4)}, nodes: []*onnx.Node{call("f", "x", "y")},
		functions: []*onnx.Function{function("f", call("f", "a", "z"))}})
	m.add("functions that call each other", body{operands: operands{"x": ones(4)}, nodes: []*onnx.Node{call("f", "x", "y")},
		functions: []*onnx.Function{function("f", call("g", "a", "z")), function("g", call("f", "a", "z"))}})
	for _, depth := range []int{16, 40, 300} {
		var list []*onnx.Function
		for k := range depth {
			list = append(list, function(fmt.Sprint("f", k), call(fmt.Sprint("f", k+1), "a", "b"), call(fmt.Sprint("f", k+1), "b", "z")))
		}
		list = append(list, function(fmt.Sprint("f", depth), operation("Neg", "a", "z")))
		m.add(fmt.Sprintf("functions that double, %d deep", depth), body{operands: operands{"x": ones(4)},
			nodes:     []*onnx.Node{call("f0", "x", "y")},
			functions: list})
	}
	for _, depth := range []int{25, 3000} {
		var chain []*onnx.Node
		last := "x"
		for k := range depth {
			chain = append(chain, operation("Concat", last+","+last, fmt.Sprint("v", k), onnx.IntAttr("axis", 0)))
			last = fmt.Sprint("v", k)
		}
		m.add(fmt.Sprintf("values that double %d times", depth), body{operands: operands{"x": ones(4)},
			nodes: append(chain, operation("Identity", last, "y"))})
		node := operation("Neg", "x", "y")
		for k := range min(depth, 30) { // readers of protobuf take 100 levels
			node = nest(node, k)
		}
		node.Outputs[0] = "y"
		m.add(fmt.Sprintf("conditions %d deep", depth), body{operands: operands{"x": ones(4), "c": filled(onnx.Bool, 1)},
			nodes: []*onnx.Node{node}})
	}
}

// nest puts a node into both branches of an If. The new If stands for the node, whose result gets
// a name by its level k.
func nest(node *onnx.Node, k int) *onnx.Node {
	out := fmt.Sprint("w", k)
	node.Outputs[0] = out
	branch := func(n *onnx.Node) *onnx.Graph {
		return &onnx.Graph{Name: "g", Nodes: []*onnx.Node{n}, Outputs: []*onnx.ValueInfo{{Name: n.Outputs[0],
			Type: &onnx.Type{Kind: onnx.TensorType,
				Elem: onnx.Float}}}}
	}
	return operation("If", "c", "y", onnx.GraphAttr("then_branch", branch(node)),
		onnx.GraphAttr("else_branch", branch(operation("Neg", "x", out+"e"))))
}

// text makes strings that grow. The BMP header at the end claims 2²⁴ × 2²⁴ pixels of three bytes
// in a file of 54 bytes.
func (m *maker) text() {
	x := words(strings.Repeat("a b ", 1000))
	chain := []*onnx.Node{}
	last := "x"
	for k := range 60 {
		chain = append(chain, operation("StringConcat", last+","+last, fmt.Sprint("v", k)))
		last = fmt.Sprint("v", k)
	}
	m.made("text that doubles", body{operands: operands{"x": x}, nodes: append(chain, operation("Identity", last, "y")),
		result: onnx.String}, false)
	m.made("words of a text", body{operands: operands{"x": x}, nodes: []*onnx.Node{operation("StringSplit", "x", "y,z")},
		result: onnx.String}, false)
	m.made("text in a large tensor", body{operands: operands{"x": x, "n": longs(1 << 32)},
		nodes:  []*onnx.Node{operation("Expand", "x,n", "y")},
		result: onnx.String}, false)
	m.made("an image of bytes", body{operands: operands{"x": filled(onnx.Uint8, 255, 4096)},
		nodes:  []*onnx.Node{operation("ImageDecoder", "x", "y")},
		result: onnx.Uint8}, false)
	bmp := make([]byte, 54)
	copy(bmp, "BM")
	bmp[10], bmp[14], bmp[26], bmp[28] = 54, 40, 1, 24
	bmp[21], bmp[25] = 1, 1 // 2^24 by 2^24
	m.made("an image that says it is large", body{operands: operands{"x": {DType: onnx.Uint8, Dims: []int64{54}, Raw: bmp, HasRaw: true}},
		nodes: []*onnx.Node{operation("ImageDecoder", "x", "y")}, result: onnx.Uint8}, false)
}

// initializers makes constants that are not what their dimensions say, in the model and in files
// beside it. Each of the four places where elements may be (raw, typed list, nowhere, packed)
// meets dimensions whose product overflows, is negative or is not the number of elements; files
// beside the model are too short, too long, or the offset points beyond them.
func (m *maker) initializers() {
	add := func(name string, t *onnx.Tensor, files map[string]int64) {
		t.Name = "w"
		m.made(name, body{operands: operands{"x": ones(1)}, nodes: []*onnx.Node{operation("ReduceSum", "w", "s"),
			operation("Add", "s,x", "y")}}, false)
		c := m.list[len(m.list)-1]
		c.model.Graph.Initializers, c.files = []*onnx.Tensor{t}, files
	}
	for _, dims := range [][]int64{{1 << 62}, {1 << 31}, {1 << 28}, {1 << 32, 1 << 32}, {-1}, {-1, -1}, {0, 1 << 62}, {math.MinInt64},
		{1 << 31, 1 << 31, 4}} {
		add(fmt.Sprintf("initializer %v of 4 bytes", dims), &onnx.Tensor{DType: onnx.Float, Dims: dims, Raw: make([]byte, 4), HasRaw: true}, nil)
		add(fmt.Sprintf("initializer %v of a list", dims), &onnx.Tensor{DType: onnx.Float, Dims: dims, Floats: []float32{1}}, nil)
		add(fmt.Sprintf("initializer %v of nothing", dims), &onnx.Tensor{DType: onnx.Float, Dims: dims}, nil)
		add(fmt.Sprintf("initializer %v of packed integers", dims), &onnx.Tensor{DType: onnx.Int4, Dims: dims, Int32s: []int32{1}}, nil)
		external := func(name string, size int64, entries ...onnx.Entry) {
			add(fmt.Sprintf("external %v, %s", dims, name), &onnx.Tensor{DType: onnx.Float, Dims: dims, IsExternal: true,
				External: append([]onnx.Entry{{Key: "location", Value: "w.bin"}}, entries...)},
				map[string]int64{"w.bin": size})
		}
		external("8 GB", 8<<30)
		external("a length of 8 GB", 8<<30, onnx.Entry{Key: "length", Value: fmt.Sprint(int64(8 << 30))})
		external("1 GB", 1<<30, onnx.Entry{Key: "offset", Value: "0"}, onnx.Entry{Key: "length", Value: fmt.Sprint(int64(1 << 30))})
		external("far away", 16, onnx.Entry{Key: "offset", Value: fmt.Sprint(int64(math.MaxInt64))})
		external("a negative offset", 16, onnx.Entry{Key: "offset", Value: "-8"})
	}
	add("a small tensor in 8 GB", &onnx.Tensor{DType: onnx.Float, Dims: []int64{2}, IsExternal: true, External: []onnx.Entry{{Key: "location",
		Value: "w.bin"}}}, map[string]int64{"w.bin": 8 << 30})
	for _, n := range []int64{1 << 28, 1 << 40, 1 << 62, -1} {
		sparse := &onnx.SparseTensor{Dims: []int64{n}, Values: &onnx.Tensor{Name: "w", DType: onnx.Float, Dims: []int64{1}, Floats: []float32{1}},
			Indices: longs(0)}
		m.made(fmt.Sprintf("sparse initializer of %d", n), body{operands: operands{"x": ones(1)},
			nodes: []*onnx.Node{operation("ReduceSum", "w", "s"),
				operation("Add", "s,x", "y")}}, false)
		m.list[len(m.list)-1].model.Graph.SparseInitializers = []*onnx.SparseTensor{sparse}
		value := *sparse
		value.Values = &onnx.Tensor{DType: onnx.Float, Dims: []int64{1}, Floats: []float32{1}}
		m.made(fmt.Sprintf("sparse constant of %d", n), body{operands: operands{"x": ones(1)}, nodes: []*onnx.Node{
			operation("Constant", "", "w", &onnx.Attr{Name: "sparse_value", Type: onnx.AttrSparseTensor, SparseTensor: &value}),
			operation("ReduceSum", "w",
				"s"), operation("Add", "s,x", "y")}}, false)
	}
}
