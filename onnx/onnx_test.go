package onnx

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
)

// sample is a model that uses every field of every message.
func sample() *Model {
	leaf := &Tensor{Name: "w", DType: Float, Dims: []int64{2}, Floats: []float32{1, -2.5}, Doc: "d", Metadata: []Entry{{Key: "k", Value: "v"}}}
	ext := &Tensor{Name: "big", DType: Double, Dims: []int64{1 << 40}, IsExternal: true, External: []Entry{{Key: "location", Value: "w.bin"}}}
	raw := &Tensor{Name: "raw", DType: Int64, Dims: []int64{1, 2}, Raw: bytes.Repeat([]byte{7}, 16), HasRaw: true}
	all := []*Tensor{
		leaf, ext, raw,
		{Name: "i", DType: Int32, Dims: []int64{1}, Int32s: []int32{-1}},
		{Name: "l", DType: Int64, Dims: []int64{1}, Int64s: []int64{math.MinInt64}},
		{Name: "d", DType: Double, Dims: []int64{1}, Doubles: []float64{math.Pi}},
		{Name: "u", DType: Uint64, Dims: []int64{1}, Uint64s: []uint64{math.MaxUint64}},
		{Name: "s", DType: String, Dims: []int64{2}, Strings: [][]byte{[]byte("a"), {}}},
		{Name: "large", DType: Uint8, Dims: []int64{5000}, Raw: bytes.Repeat([]byte{9}, 5000), HasRaw: true},
	}
	f32 := TensorOf(Float, Sym("N"), Static(0), Dim{Denotation: "DATA"})
	types := []*ValueInfo{
		{Name: "x", Type: f32, Doc: "doc", Metadata: []Entry{{Key: "a", Value: "b"}}},
		{Name: "scalar", Type: TensorOf(Bool)},
		{Name: "any", Type: &Type{Kind: TensorType, Elem: Float}},
		{Name: "seq", Type: &Type{Kind: SequenceType, Of: &Type{Kind: OptionalType, Of: f32}}},
		{Name: "map", Type: &Type{Kind: MapType, Key: String, Of: f32, Denotation: "M"}},
		{Name: "sparse", Type: &Type{Kind: SparseTensorType, Elem: Float, Shape: &Shape{Dims: []Dim{Static(3)}}}},
		{Name: "unknown"},
	}
	sparse := &SparseTensor{Values: leaf, Indices: raw, Dims: []int64{4}}
	sub := &Graph{Name: "body", Nodes: []*Node{{Op: "Identity", Inputs: []string{"x"}, Outputs: []string{"y"}}},
		Outputs: []*ValueInfo{{Name: "y"}}}
	attrs := []*Attr{
		IntAttr("i", 0), FloatAttr("f", 0), StringAttr("s", ""), IntsAttr("is", 1, -2), FloatsAttr("fs", 0.5), StringsAttr("ss", "a", ""),
		TensorAttr("t", leaf), GraphAttr("g", sub), {Name: "ts", Type: AttrTensors, Tensors: all},
		{Name: "gs", Type: AttrGraphs, Graphs: []*Graph{sub}},
		{Name: "tp", Type: AttrTypeProto, TypeProto: f32}, {Name: "tps", Type: AttrTypeProtos, TypeProtos: []*Type{f32}},
		{Name: "sp", Type: AttrSparseTensor, SparseTensor: sparse}, {Name: "sps", Type: AttrSparseTensors,
			SparseTensors: []*SparseTensor{sparse}},
		RefAttr("ref", AttrInt, "axis"),
	}
	node := &Node{Op: "Op", Domain: "d", Overload: "o", Name: "n", Inputs: []string{"x", "", "w"}, Outputs: []string{"", "z"}, Attrs: attrs,
		Doc: "line 1", Metadata: []Entry{{Key: "m"}}}
	opsets := []Opset{{Version: 18}, {Domain: "d", Version: 1}}
	return &Model{
		IRVersion: 8, ProducerName: "p", ProducerVersion: "1", Domain: "dom", ModelVersion: -3, Doc: "doc", Opsets: opsets,
		Metadata: []Entry{{Key: "contract", Value: "N % 2 == 0"}},
		Graph: &Graph{Name: "g", Nodes: []*Node{node}, Initializers: all, SparseInitializers: []*SparseTensor{sparse}, Doc: "gd",
			Inputs: types[:1], Outputs: types[1:2], Values: types, Metadata: []Entry{{Key: "x"}}},
		Functions: []*Function{{Name: "f", Domain: "d", Overload: "v", Inputs: []string{"a"}, Outputs: []string{"b"}, Attrs: []string{"axis"},
			Defaults: []*Attr{IntAttr("k", 1)}, Nodes: []*Node{node}, Doc: "fd", Opsets: opsets, Values: types, Metadata: []Entry{{Key: "y"}}}},
	}
}

func TestRoundTrip(t *testing.T) {
	want := sample()
	b, err := Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the model changed: %+v", got)
	}
	if n := Size(want); n != int64(len(b)) {
		t.Errorf("Size = %d, written %d", n, len(b))
	}
}

func TestUnknownFieldsAreKept(t *testing.T) {
	m := sample()
	m.Extra = []byte{0xfa, 0x3e, 1, 'x'} // field 1007
	m.Graph.Nodes[0].Extra = []byte{0xf8, 0x3e, 5}
	b, err := Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, m) {
		t.Error("unknown fields were lost")
	}
}

func TestMalformed(t *testing.T) {
	deep := []byte{}
	for range 300 { // type of sequence of type …
		deep = msg(9, msg(1, deep))
	}
	cases := map[string]struct {
		in   []byte
		want string
	}{
		"empty":      {nil, "no graph"},
		"text":       {[]byte("hello, world"), "not a valid ONNX file"},
		"truncated":  {[]byte{0x3a, 0x7f, 1}, "unexpected EOF"},
		"wrong type": {[]byte{0x0a, 1, 0}, "wire type"},
		"deep":       {msg(7, msg(11, msg(2, deep))), "deeper"},
	}
	for name, c := range cases {
		_, err := Unmarshal(c.in)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

// msg is a field with bytes.
func msg(num byte, b []byte) []byte {
	var e encoder
	e.bytes(1, b)
	out := e.buf
	for _, p := range e.parts {
		out = append(out, p.data...)
	}
	if len(e.parts) > 0 {
		out = append(append([]byte{}, e.parts[0].data...), b...)
	}
	out[0] = num<<3 | 2
	return out
}

func TestElements(t *testing.T) {
	for _, d := range []DType{Float, Double, Float16, BFloat16} {
		list := []float64{0, 1, -2.5, 65504, 0.00048828125}
		if d == BFloat16 {
			list = []float64{0, 1, -2.5, 65536}
		}
		x, err := NewFloats(d, []int64{int64(len(list))}, list)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := x.Float64s(); err != nil || !reflect.DeepEqual(got, list) {
			t.Errorf("%s: %v, %v", d, got, err)
		}
	}
	for _, d := range []DType{Int64, Int32, Int16, Int8, Uint8, Bool} {
		x, err := NewFull(d, []int64{2}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := x.Ints(); err != nil || !reflect.DeepEqual(got, []int64{1, 1}) {
			t.Errorf("%s: %v, %v", d, got, err)
		}
	}
	for h := range 1 << 16 {
		if f := FromHalf(uint16(h)); f == f && ToHalf(f) != uint16(h) {
			t.Fatalf("half %#x is %v, which is %#x", h, f, ToHalf(f))
		}
	}
}

func TestElementCounts(t *testing.T) {
	for _, x := range []*Tensor{
		{DType: Int64, Dims: []int64{1 << 40}, HasRaw: true},
		{DType: Int64, Dims: []int64{-1}, HasRaw: true},
		{DType: Int64, Dims: []int64{1 << 40, 1 << 40}, HasRaw: true},
		{DType: Int64, Dims: []int64{3}, Int64s: []int64{1}},
		{DType: Int64, Dims: []int64{1}, IsExternal: true},
	} {
		if got, err := x.Ints(); err == nil {
			t.Errorf("%v: %d elements and no error", x.Dims, len(got))
		}
	}
	if n, err := Count([]int64{1 << 62, 8, 0}); n != 0 || err != nil {
		t.Errorf("an empty tensor has %d elements, %v", n, err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	b, err := Marshal(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Unmarshal(b)
		if err != nil {
			return
		}
		again, err := Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Unmarshal(again); err != nil {
			t.Fatalf("written back it cannot be read: %v", err)
		}
	})
}

// Readers of protobuf in other languages take 100 messages inside of each other.
func TestModelsThatNestTooDeepAreNotWritten(t *testing.T) {
	for _, c := range []struct {
		levels int
		ok     bool
	}{{33, true}, {34, false}} { // each level is a graph, a node and an attribute, and the graph in it one more
		g := &Graph{Name: "g"}
		for range c.levels {
			g = &Graph{Name: "g", Nodes: []*Node{{Op: "If", Attrs: []*Attr{GraphAttr("then_branch", g)}}}}
		}
		if _, err := Marshal(&Model{Graph: g}); (err == nil) != c.ok {
			t.Errorf("%d levels: error %v", c.levels, err)
		}
	}
}
