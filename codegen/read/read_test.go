package read

import (
	"strings"
	"testing"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
)

func tensor(name string, d onnx.DType, dims ...onnx.Dim) *onnx.ValueInfo {
	return &onnx.ValueInfo{Name: name, Type: onnx.TensorOf(d, dims...)}
}

func model(opset int64, ins, outs []*onnx.ValueInfo, nodes ...*onnx.Node) *onnx.Model {
	return &onnx.Model{IRVersion: 8, Opsets: []onnx.Opset{{Version: opset}},
		Graph: &onnx.Graph{Name: "g", Inputs: ins, Outputs: outs, Nodes: nodes}}
}

func read(t *testing.T, m *onnx.Model) *ir.Module {
	t.Helper()
	b, err := onnx.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = onnx.Unmarshal(b); err != nil {
		t.Fatal(err)
	}
	mod, err := Model(t.Context(), m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := mod.Verify(ir.Building); err != nil {
		t.Fatal(err)
	}
	return mod
}

func holds(t *testing.T, m *ir.Module, want ...string) {
	t.Helper()
	got := m.String()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("the module lacks %q:\n%s", w, got)
		}
	}
}

func TestOldVersionsAreUpgradedAndTyped(t *testing.T) {
	x := tensor("x", onnx.Float, onnx.Sym("N"), onnx.Static(3), onnx.Sym("H"))
	y := tensor("y", onnx.Float, onnx.Sym("a"), onnx.Sym("b"))
	m := read(t, model(11, []*onnx.ValueInfo{x}, []*onnx.ValueInfo{y},
		&onnx.Node{Op: "ReduceMean", Name: "mean", Inputs: []string{"x"}, Outputs: []string{"m"},
			Attrs: []*onnx.Attr{onnx.IntsAttr("axes", 1), onnx.IntAttr("keepdims", 0)}, Doc: "net.py:7"},
		&onnx.Node{Op: "Softmax", Inputs: []string{"m"}, Outputs: []string{"y"}, Attrs: []*onnx.Attr{onnx.IntAttr("axis", 1)}}))
	holds(t, m, "sym N 1.. ; port 0 axis 0", "sym H 1.. ; port 0 axis 2",
		`f32[N,H] = ReduceMean(%0, @0) {keepdims=0}  # "net.py":7 | "mean"`, "Softmax(")
}

// A branch that uses values of the outside gets them as parameters, and gives a size that
// only the run knows.
func TestBodiesAreClosed(t *testing.T) {
	n := onnx.Sym("N")
	branch := func(op string, ins ...string) *onnx.Attr {
		g := &onnx.Graph{Name: op, Outputs: []*onnx.ValueInfo{{Name: op + "_out"}},
			Nodes: []*onnx.Node{{Op: op, Inputs: ins, Outputs: []string{op + "_out"}}}}
		name := "then_branch"
		if op == "Concat" {
			name, g.Nodes[0].Attrs = "else_branch", []*onnx.Attr{onnx.IntAttr("axis", 0)}
		}
		return onnx.GraphAttr(name, g)
	}
	m := read(t, model(18, []*onnx.ValueInfo{tensor("c", onnx.Bool), tensor("x", onnx.Float, n), tensor("w", onnx.Float, n)},
		[]*onnx.ValueInfo{tensor("y", onnx.Float, onnx.Sym("q"))},
		&onnx.Node{Op: "Relu", Inputs: []string{"x"}, Outputs: []string{"r"}},
		&onnx.Node{Op: "If", Inputs: []string{"c"}, Outputs: []string{"y"}, Attrs: []*onnx.Attr{branch("Neg", "r"), branch("Concat", "r", "w")}}))
	holds(t, m, "= If(%0, %3, %2) captured 2 binds unk0", "graph(%", "return %")
}

func TestFaultsNameAllNodes(t *testing.T) {
	x := tensor("x", onnx.Float, onnx.Static(2), onnx.Static(3))
	m := model(18, []*onnx.ValueInfo{x}, []*onnx.ValueInfo{tensor("y", onnx.Float, onnx.Sym("a"), onnx.Sym("b"))},
		&onnx.Node{Op: "MatMul", Name: "one", Inputs: []string{"x", "x"}, Outputs: []string{"y"}, Doc: "net.py:3"},
		&onnx.Node{Op: "Reshape", Name: "two", Inputs: []string{"x"}, Outputs: []string{"z"}},
	)
	_, err := Model(t.Context(), m, Options{})
	if err == nil || !strings.Contains(err.Error(), `node "two" (Reshape): the operator has at least 2 inputs`) {
		t.Errorf("%v", err)
	}
	m.Graph.Nodes = m.Graph.Nodes[:1]
	if _, err = Model(t.Context(), m, Options{}); err == nil || !strings.Contains(err.Error(), `net.py:3: node "one" (MatMul)`) {
		t.Errorf("%v", err)
	}
}

func TestContractAndRangesBecomeFacts(t *testing.T) {
	m := model(18, []*onnx.ValueInfo{tensor("x", onnx.Float, onnx.Sym("H"), onnx.Sym("2*H"), onnx.Sym("2*K"))},
		[]*onnx.ValueInfo{tensor("y", onnx.Float, onnx.Sym("a"), onnx.Sym("b"), onnx.Sym("c"))},
		&onnx.Node{Op: "Relu", Inputs: []string{"x"}, Outputs: []string{"y"}})
	m.Metadata = []onnx.Entry{{Key: "contract", Value: "H % 32 == 0"}, {Key: "ranges", Value: "32 <= H <= 512"}}
	got := read(t, m)
	holds(t, got, "require H % 32 == 0 ; \n", "f32[H,2*H,x_2_0]", `require x_2_0 % 2 == 0 ; "dimension 2 of x is 2*K"`)

	m.Metadata[0].Value = "K % 3 == 0 # net.py:7: view"
	holds(t, read(t, m), `require x_2_0 // 2 == 3*(x_2_0 // 6) ; "net.py:7: view"`)
	m.Metadata[0].Value = "H % 32 == 0 # net.py:41: cat needs 32*(H//32) = H; net.py:42: view\nH <= 480"
	holds(t, read(t, m), `require H % 32 == 0 ; "net.py:41: cat needs 32*(H//32) = H", "net.py:42: view"`, "require H <= 480")
}

// The branch that cannot run may be wrong for what is known: it is not read.
func TestTheBranchThatRunsStandsForTheIf(t *testing.T) {
	branch := func(name, op string, ins ...string) *onnx.Attr {
		g := &onnx.Graph{Name: name, Outputs: []*onnx.ValueInfo{{Name: name + "_out"}},
			Nodes: []*onnx.Node{{Op: op, Inputs: ins, Outputs: []string{name + "_out"}}}}
		return onnx.GraphAttr(name, g)
	}
	m := model(18, []*onnx.ValueInfo{tensor("x", onnx.Float, onnx.Static(2), onnx.Static(3))},
		[]*onnx.ValueInfo{tensor("y", onnx.Float, onnx.Sym("a"), onnx.Sym("b"))},
		&onnx.Node{Op: "Constant", Outputs: []string{"c"}, Attrs: []*onnx.Attr{onnx.TensorAttr("value",
			&onnx.Tensor{DType: onnx.Bool, Dims: []int64{}, Raw: []byte{1}, HasRaw: true})}},
		&onnx.Node{Op: "If", Inputs: []string{"c"}, Outputs: []string{"y"},
			Attrs: []*onnx.Attr{branch("then_branch", "Relu", "x"), branch("else_branch", "MatMul", "x", "x")}})
	got := read(t, m)
	holds(t, got, "= Relu(%0)")
	if len(got.Main.Nodes) != 1 {
		t.Errorf("%d nodes:\n%s", len(got.Main.Nodes), got)
	}
}

// FlexAttention is read as its body; its graphs may use values from outside, and must give the
// type that they are given.
func TestFlexAttentionIsReadAsItsBody(t *testing.T) {
	four := func(name string, heads onnx.Dim) *onnx.ValueInfo {
		return tensor(name, onnx.Float, onnx.Sym("B"), heads, onnx.Sym("L"), onnx.Static(8))
	}
	mod := func(nodes ...*onnx.Node) *onnx.Attr {
		return onnx.GraphAttr("score_mod", &onnx.Graph{Name: "m", Inputs: []*onnx.ValueInfo{{Name: "s"}},
			Outputs: []*onnx.ValueInfo{{Name: "t"}}, Nodes: nodes})
	}
	flex := func(attrs ...*onnx.Attr) *onnx.Model {
		m := model(24, []*onnx.ValueInfo{four("q", onnx.Static(4)), four("k", onnx.Static(2)), four("v", onnx.Static(2)),
			tensor("bias", onnx.Float)},
			[]*onnx.ValueInfo{four("y", onnx.Static(4))},
			&onnx.Node{Op: "FlexAttention", Domain: "ai.onnx.preview", Name: "attend", Inputs: []string{"q", "k", "v"}, Outputs: []string{"y"},
				Attrs: attrs})
		m.Opsets = append(m.Opsets, onnx.Opset{Domain: "ai.onnx.preview", Version: 1})
		return m
	}
	add := &onnx.Node{Op: "Add", Inputs: []string{"s", "bias"}, Outputs: []string{"t"}}
	holds(t, read(t, flex(mod(add))), `f32[B,4,L,L] = Add(`, `= Softmax(`, `"y": f32[B,4,L,8]`)
	for _, c := range []struct {
		attr *onnx.Attr
		want string
	}{
		{mod(&onnx.Node{Op: "Cast", Inputs: []string{"s"}, Outputs: []string{"t"},
			Attrs: []*onnx.Attr{onnx.IntAttr("to", int64(onnx.Double))}}), "score_mod gives"},
		{mod(&onnx.Node{Op: "Add", Inputs: []string{"s"}, Outputs: []string{"t"}}), "at least 2 inputs"},
		{onnx.GraphAttr("score_mod", &onnx.Graph{Name: "m"}), "score_mod has 0 inputs and 0 outputs"},
	} {
		if _, err := Model(t.Context(), flex(c.attr), Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
