package inference

// This file tests the operators of opsets 22 to 28, of ai.onnx.ml and of ai.onnx.preview
// by the shapes that their documentation gives.

import (
	"fmt"
	"strings"
	"testing"

	"shapecheck/onnx"
)

func TestOperatorsOfOpsets22To28(t *testing.T) {
	f := func(name string, dims ...string) *onnx.ValueInfo { return input(name, onnx.Float, dims...) }
	h := func(name string, dims ...string) *onnx.ValueInfo { return input(name, onnx.Float16, dims...) }
	heads := func(q, kv int64) []*onnx.Attr {
		return []*onnx.Attr{onnx.IntAttr("q_num_heads", q), onnx.IntAttr("kv_num_heads", kv)}
	}
	four := []*onnx.ValueInfo{f("q", "B", "8", "L", "64"), f("k", "B", "2", "S", "64"), h("v", "B", "2", "S", "32")}
	three := []*onnx.ValueInfo{f("q", "B", "L", "512"), f("k", "B", "S", "128"), f("v", "B", "S", "64")}
	past := []*onnx.ValueInfo{f("pk", "B", "2", "P", "64"), h("pv", "B", "2", "P", "32")}
	for _, c := range []struct {
		name, want string
		inputs     []*onnx.ValueInfo
		node       *onnx.Node
	}{
		{"attention", "[] f32[B,8,L,32]", four, node("Attention q k v -> y")},
		{"attention, its keys", "[] f32[B,2,P+S,64]", append(past, four...), node("Attention q k v _ pk pv -> o y")},
		{"attention, its values", "[] f16[B,2,P+S,32]", append(past, four...), node("Attention q k v _ pk pv -> o k2 y")},
		{"attention, its scores", "[] f32[B,8,L,S]", four, node("Attention q k v -> o k2 v2 y")},
		{"attention of joined heads", "[] f32[B,L,256]", three, node("Attention q k v -> y", heads(8, 2)...)},
		{"attention of joined heads, its keys", "[] f32[B,2,S,64]", three, node("Attention q k v -> o y", heads(8, 2)...)},
		{"attention without the number of heads", "[] f32[B,L,unk0]", three, node("Attention q k v -> y")},
		{"attention whose heads do not fit", "4 heads of queries cannot share 8 heads of keys", three,
			node("Attention q k v -> y", heads(4, 8)...)},
		{"attention whose sizes do not fit", "have different sizes", []*onnx.ValueInfo{f("q", "B", "8", "L", "64"), f("k", "B", "2", "S", "63"),
			f("v", "B", "2", "S", "32")}, node("Attention q k v -> y")},
		{"linear attention", "[] f32[B,L,256]", []*onnx.ValueInfo{f("q", "B", "L", "512"), f("k", "B", "L", "128"), f("v", "B", "L", "64")},
			node("LinearAttention q k v -> y s", heads(8, 2)...)},
		{"linear attention, its state", "[] f32[B,2,64,32]", []*onnx.ValueInfo{f("q", "B", "L", "512"), f("k", "B", "L", "128"),
			f("v", "B", "L", "64")},
			node("LinearAttention q k v -> o y", heads(8, 2)...)},
		{"causal convolution", "[] f32[B,C,L]", []*onnx.ValueInfo{f("x", "B", "C", "L"), f("w", "C", "1", "4")},
			node("CausalConvWithState x w -> y s")},
		{"causal convolution, its state", "[] f32[B,C,3]", []*onnx.ValueInfo{f("x", "B", "C", "L"), f("w", "C", "1", "4")},
			node("CausalConvWithState x w -> o y")},
		{"causal convolution of other channels", "different channels", []*onnx.ValueInfo{f("x", "B", "5", "L"), f("w", "6", "1", "4")},
			node("CausalConvWithState x w -> y s")},
		{"RMS norm", "[] f16[B,C]", []*onnx.ValueInfo{f("x", "B", "C"), h("s", "C")}, node("RMSNormalization x s -> y")},
		{"RMS norm, axis", "axis 2 is out of range", []*onnx.ValueInfo{f("x", "B", "C"), h("s", "C")},
			node("RMSNormalization x s -> y", onnx.IntAttr("axis", 2))},
		{"rotary", "[] f32[B,8,L,64]", []*onnx.ValueInfo{f("x", "B", "8", "L", "64"), f("c", "M", "32")}, node("RotaryEmbedding x c c -> y")},
		{"scatter in a cache", "[] f32[B,8,M,64]", []*onnx.ValueInfo{f("x", "B", "8", "M", "64"), f("u", "B", "8", "L", "64")},
			node("TensorScatter x u -> y")},
		{"scatter of another size", "dimension 3 of the update", []*onnx.ValueInfo{f("x", "B", "8", "M", "64"), f("u", "B", "8", "L", "63")},
			node("TensorScatter x u -> y")},
		{"bits", "[] u32[B]", []*onnx.ValueInfo{f("x", "B")}, node("BitCast x -> y", onnx.IntAttr("to", int64(onnx.Uint32)))},
		{"bits of another size", "the bits of f32 cannot be those of f64", []*onnx.ValueInfo{f("x", "B")},
			node("BitCast x -> y", onnx.IntAttr("to", int64(onnx.Double)))},
		{"products", "[] f32[B,C]", []*onnx.ValueInfo{f("x", "B", "C"), input("a", onnx.Int64)}, node("CumProd x a -> y")},
		{"swish", "[] f32[B,C]", []*onnx.ValueInfo{f("x", "B", "C")}, node("Swish x -> y")},
		{"gated", "[] f32[B,4]", []*onnx.ValueInfo{f("x", "B", "C"), f("g", "B", "4")}, node("SwiGLU x g -> y")},
		{"gated, no broadcast", "dimension 1 of the inputs: 1 and 4", []*onnx.ValueInfo{f("x", "B", "1"), f("g", "B", "4")},
			node("SwiGLU x g -> y")},
		{"dequantized", "[] f16[B]", []*onnx.ValueInfo{input("x", onnx.Int8, "B"), h("s")}, node("DequantizeLinear x s -> y")},
		{"dequantized as something else", "[] f32[B]", []*onnx.ValueInfo{input("x", onnx.Int8, "B"), h("s")},
			node("DequantizeLinear x s -> y", onnx.IntAttr("output_dtype", 1))},
		{"dequantized by powers of two", "[] ?[B]", []*onnx.ValueInfo{input("x", onnx.Int8, "B"), input("s", onnx.Float8E8M0)},
			node("DequantizeLinear x s -> y")},
		{"quantized as two things", "element type u8, and output_dtype is i8", []*onnx.ValueInfo{f("x", "B"), f("s"), input("z", onnx.Uint8)},
			node("QuantizeLinear x s z -> y", onnx.IntAttr("output_dtype", int64(onnx.Int8)))},
		{"two bits", "[] i2[B]", []*onnx.ValueInfo{f("x", "B")}, node("Cast x -> y", onnx.IntAttr("to", int64(onnx.Int2)))},
		{"six bits", "[] f6e3m2[B]", []*onnx.ValueInfo{f("x", "B")}, node("Cast x -> y", onnx.IntAttr("to", int64(onnx.Float6E3M2)))},
		// [1,6,10,2] with n = 6 frequencies is a signal of 2·(6-1); an axis that is not known changes some size.
		{"real signal", "[] f32[B,2*L-2,1]", []*onnx.ValueInfo{f("x", "B", "L", "2")},
			node("DFT x -> y", onnx.IntAttr("inverse", 1), onnx.IntAttr("onesided", 1))},
		{"real signal, axis unknown", "[] f32[unk0,unk1,1]", []*onnx.ValueInfo{f("x", "B", "L", "2"), input("a", onnx.Int64)},
			node("DFT x _ a -> y", onnx.IntAttr("inverse", 1), onnx.IntAttr("onesided", 1))},
		{"both sides, axis unknown", "[] f32[B,L,2]", []*onnx.ValueInfo{f("x", "B", "L", "2"), input("a", onnx.Int64)}, node("DFT x _ a -> y")},
		// Windows that would start in the padding are ignored.
		{"pool", "[] f32[1,3,1,1]", []*onnx.ValueInfo{f("x", "1", "3", "2", "2")},
			node("AveragePool x -> y", onnx.IntsAttr("kernel_shape", 3, 3), onnx.IntsAttr("pads", 1, 1, 1, 1), onnx.IntsAttr("strides", 3, 3),
				onnx.IntAttr("ceil_mode", 1))},
		{"pool of any size", "[] f32[B,C,ceil(L/2)]", []*onnx.ValueInfo{f("x", "B", "C", "L")},
			node("MaxPool x -> y", onnx.IntsAttr("kernel_shape", 1), onnx.IntsAttr("strides", 2), onnx.IntAttr("ceil_mode", 1))},
	} {
		m := model(c.inputs, nil, c.node)
		m.Opsets[0].Version = 28
		res := infer(t, m)
		got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"])
		if got != c.want && (strings.HasPrefix(c.want, "[") || !strings.Contains(got, c.want)) {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestClassicalOperators(t *testing.T) {
	x := input("x", onnx.Float, "N", "F")
	ints, strs := onnx.IntsAttr, onnx.StringsAttr
	for _, c := range []struct {
		want   string
		inputs []*onnx.ValueInfo
		node   *onnx.Node
	}{
		{"f32[N,K]", []*onnx.ValueInfo{x, input("i", onnx.Int64, "K")}, node("ArrayFeatureExtractor x i -> y")},
		{"f32[1,K]", []*onnx.ValueInfo{input("x", onnx.Float, "F"), input("i", onnx.Int64, "K")}, node("ArrayFeatureExtractor x i -> y")},
		{"i64[N]", []*onnx.ValueInfo{input("x", onnx.Int64, "N")}, node("Imputer x -> y")},
		{"f32[N]", []*onnx.ValueInfo{input("x", onnx.Int64, "N")}, node("Scaler x -> y")},
		{"str[N]", []*onnx.ValueInfo{input("x", onnx.Int64, "N")}, node("CategoryMapper x -> y", onnx.StringAttr("default_string", "?"))},
		{"i64[N]", []*onnx.ValueInfo{input("x", onnx.String, "N")}, node("LabelEncoder x -> y", strs("keys_strings", "a"),
			ints("values_int64s", 1))},
		{"i32[N]", []*onnx.ValueInfo{input("x", onnx.String, "N")}, node("LabelEncoder x -> y", strs("keys_strings", "a"),
			onnx.TensorAttr("values_tensor", &onnx.Tensor{DType: onnx.Int32, Dims: []int64{1}, Int32s: []int32{1}}))},
		{"f32[N,F,3]", []*onnx.ValueInfo{x}, node("OneHotEncoder x -> y", ints("cats_int64s", 1, 2, 3))},
		{"str[N]", []*onnx.ValueInfo{x}, node("LinearClassifier x -> y s", onnx.FloatsAttr("coefficients", 1),
			strs("classlabels_strings", "a", "b"))},
		{"f32[N,unk0]", []*onnx.ValueInfo{x}, node("SVMClassifier x -> c y")},
		{"f32[N,1]", []*onnx.ValueInfo{x}, node("SVMRegressor x -> y")},
		{"f32[N,1]", []*onnx.ValueInfo{x}, node("LinearRegressor x -> y")},
		{"f32[N,4]", []*onnx.ValueInfo{x}, node("TreeEnsembleRegressor x -> y", onnx.IntAttr("n_targets", 4))},
		{"f32[N,5]", []*onnx.ValueInfo{x}, node("FeatureVectorizer x -> y", ints("inputdimensions", 5))},
		{"seq(map(i64, f32[]))", []*onnx.ValueInfo{x}, node("ZipMap x -> y", ints("classlabels_int64s", 1, 2))},
	} {
		c.node.Domain = classical
		m := model(c.inputs, nil, c.node)
		m.Opsets = append(m.Opsets, onnx.Opset{Domain: classical, Version: 4})
		res := infer(t, m)
		if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"]); got != "[] "+c.want {
			t.Errorf("%s: got %s, want %s", c.node.Op, got, c.want)
		}
	}
}

// A flexible attention runs a graph on its scores.
func TestFlexibleAttention(t *testing.T) {
	body := &onnx.Graph{Name: "b", Inputs: []*onnx.ValueInfo{{Name: "s"}}, Outputs: []*onnx.ValueInfo{{Name: "t"}},
		Nodes: []*onnx.Node{node("Relu s -> t")}}
	n := node("FlexAttention q k v -> y", onnx.GraphAttr("score_mod", body))
	n.Domain = experimental
	m := model([]*onnx.ValueInfo{input("q", onnx.Float16, "B", "8", "L", "64"), input("k", onnx.Float16, "B", "2", "S", "64"),
		input("v", onnx.Float16, "B", "2", "S", "32")}, nil, n)
	m.Opsets = append(m.Opsets, onnx.Opset{Domain: experimental, Version: 1})
	res := infer(t, m)
	if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"], res.Graphs[body]["t"]); got != "[] f16[B,8,L,32] f32[B,8,L,S]" {
		t.Error(got)
	}
}
