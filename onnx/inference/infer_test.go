package inference

// This file tests the inference: sizes that are computed, functions, faults, and a
// sample of ONNX's node tests (with the types of their recorded outputs).

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/onnx"
)

// model makes a model of inputs "x: f32[N,3]", constants "c = 1,2" and nodes
// "y, z = Op(x, c)", with attributes after the call.
func model(inputs []*onnx.ValueInfo, consts map[string][]int64, nodes ...*onnx.Node) *onnx.Model {
	g := &onnx.Graph{Name: "g", Inputs: inputs, Nodes: nodes}
	for name, list := range consts {
		t := onnx.NewInts(nil, list...)
		t.Name = name
		g.Initializers = append(g.Initializers, t)
	}
	last := nodes[len(nodes)-1]
	g.Outputs = []*onnx.ValueInfo{{Name: last.Outputs[0]}}
	return &onnx.Model{IRVersion: 8, Graph: g, Opsets: []onnx.Opset{{Version: 18}}}
}

func input(name string, d onnx.DType, dims ...string) *onnx.ValueInfo {
	t := &onnx.Type{Kind: onnx.TensorType, Elem: d, Shape: &onnx.Shape{}}
	for _, s := range dims {
		var n int64
		if _, err := fmt.Sscanf(s, "%d", &n); err == nil {
			t.Shape.Dims = append(t.Shape.Dims, onnx.Static(n))
		} else {
			t.Shape.Dims = append(t.Shape.Dims, onnx.Sym(s))
		}
	}
	return &onnx.ValueInfo{Name: name, Type: t}
}

// node reads "Op a b -> y z".
func node(text string, attrs ...*onnx.Attr) *onnx.Node {
	left, right, _ := strings.Cut(text, " -> ")
	words := strings.Fields(left)
	for i, w := range words {
		if w == "_" {
			words[i] = ""
		}
	}
	return &onnx.Node{Op: words[0], Name: "n_" + words[0], Inputs: words[1:], Outputs: strings.Fields(right), Attrs: attrs}
}

func infer(t *testing.T, m *onnx.Model) *Result {
	t.Helper()
	res, err := Run(m, Config{})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestComputedSizesStaySymbolic(t *testing.T) {
	x := input("x", onnx.Float, "N", "C", "H + 5", "W")
	axis := func(n int64) *onnx.Attr { return onnx.IntAttr("axis", n) }
	// s is the vector of the sizes of x, h its third element.
	size := []*onnx.Node{node("Shape x -> s"), node("Gather s two -> h", axis(0)), node("Unsqueeze h zero -> hv")}
	consts := map[string][]int64{"zero": {0}, "one": {1}, "two_": {2}, "rest": {-1}, "five": {5}, "pads": {0, 0, 1, 2, 0, 0, 3, 4},
		"far": {1 << 62}, "three": {3}}
	for _, c := range []struct {
		name, want string
		nodes      []*onnx.Node
	}{
		{"reshape", "f32[N*C,W*H+5*W]", []*onnx.Node{node("Slice s zero two_ zero -> nc"),
			node("ReduceProd nc -> p", onnx.IntAttr("keepdims", 1)), node("Concat p rest -> to", axis(0)), node("Reshape x to -> y")}},
		{"flatten_to_batch", "f32[N,C*W*H+5*C*W]", []*onnx.Node{node("Slice s zero one zero -> n"), node("Concat n rest -> to", axis(0)),
			node("Reshape x to -> y")}},
		{"range", "i64[H+10]", []*onnx.Node{node("Add h five -> e"), node("Squeeze e -> l"), node("Squeeze zero -> o"),
			node("Squeeze one -> d"), node("Range o l d -> y")}},
		{"constant_of_shape", "f32[H+5,(H+5)//2]", []*onnx.Node{node("Div hv two_ -> half"), node("Concat hv half -> to", axis(0)),
			node("ConstantOfShape to -> y")}},
		{"expand", "f32[H+5,N,C,H+5,W]", []*onnx.Node{node("Concat hv one one one one -> to", axis(0)), node("Expand x to -> y")}},
		{"tile", "f32[5*N,C,H+5,W]", []*onnx.Node{node("Concat five one one one -> r", axis(0)), node("Tile x r -> y")}},
		{"pad", "f32[N,C,H+9,W+6]", []*onnx.Node{node("Pad x pads -> y")}},
		{"slice_tail", "f32[N,C,H+5,W-1]", []*onnx.Node{node("Slice x one far three -> y")}},
		{"slice_by_size", "f32[N,C,H,W]", []*onnx.Node{node("Sub hv five -> e"), node("Slice x zero e two_ -> y")}},
		{"resize", "f32[N,C,2*H+10,W]", []*onnx.Node{node("Slice s zero two_ zero -> nc"), node("Mul hv two_ -> d"),
			node("Slice s three far zero -> w"), node("Concat nc d w -> to", axis(0)), node("Resize x _ _ to -> y")}},
		{"cast", "f32[H+5]", []*onnx.Node{node("Cast hv -> i", onnx.IntAttr("to", int64(onnx.Int32))),
			node("Cast i -> l", onnx.IntAttr("to", int64(onnx.Int64))), node("ConstantOfShape l -> y")}},
		{"compared", "bool[1]", []*onnx.Node{node("Equal hv zero -> y")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := model([]*onnx.ValueInfo{x}, consts, append(append([]*onnx.Node{}, size...), c.nodes...)...)
			two := &onnx.Tensor{Name: "two", DType: onnx.Int64, Int64s: []int64{2}}
			m.Graph.Initializers = append(m.Graph.Initializers, two)
			res := infer(t, m)
			for _, e := range res.Errors {
				t.Error(e)
			}
			want, err := res.Pool.ParseShape(c.want[strings.Index(c.want, "["):])
			if err != nil {
				t.Fatal(err)
			}
			got := res.Graphs[m.Graph]["y"]
			if got.Elem.String() != c.want[:strings.Index(c.want, "[")] || len(got.Dims) != len(want) {
				t.Fatalf("got %s, want %s", got, c.want)
			}
			for i, d := range want {
				if got.Dims[i] != d.Expr {
					t.Errorf("got %s, want %s", got, c.want)
				}
			}
		})
	}
}

// Two sizes fit if they are equal or one of them is 1; symbols are at least 1 here.
func TestSizesThatAreBroadcast(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{ // empty: they never fit
		{"0", "0", "0"},
		{"0", "1", "0"},
		{"0", "2", ""},
		{"0", "3", ""},
		{"1", "2", "2"},
		{"2", "2", "2"},
		{"2", "3", ""},
		{"N", "0", "0"}, // N is 1
		{"N", "1", "N"},
		{"N", "2", "2"},
		{"N + 1", "0", ""},
		{"N + 1", "1", "N+1"},
		{"N + 1", "N + 2", ""},
		{"N", "N + 1", "N+1"},
	} {
		for _, swapped := range []bool{false, true} {
			a, b := c.a, c.b
			if swapped {
				a, b = b, a
			}
			m := model([]*onnx.ValueInfo{input("n", onnx.Float, "N"), input("x", onnx.Float, a), input("y", onnx.Float, b)}, nil,
				node("Add x y -> z"))
			res := infer(t, m)
			if c.want == "" {
				if len(res.Errors) != 1 || !strings.Contains(res.Errors[0].Error(), "cannot be broadcast") {
					t.Errorf("%s and %s: %v, want the fault that they cannot be broadcast", a, b, res.Errors)
				}
				continue
			}
			if got := res.Graphs[m.Graph]["z"].String(); got != "f32["+c.want+"]" || len(res.Errors) > 0 {
				t.Errorf("%s and %s: %s, %v, want %s", a, b, got, res.Errors, c.want)
			}
		}
	}
}

func TestFunctionsAreInferredWithTheCallsTypes(t *testing.T) {
	f := &onnx.Function{
		Domain: "f", Name: "pick", Inputs: []string{"a", "b"}, Outputs: []string{"r"}, Attrs: []string{"along"},
		Opsets: []onnx.Opset{{Version: 18}},
		Nodes:  []*onnx.Node{node("Concat a b -> r", onnx.RefAttr("axis", onnx.AttrInt, "along"))},
	}
	call := func(along int64, out string) *onnx.Node {
		n := node("pick x y -> "+out, onnx.IntAttr("along", along))
		n.Domain = "f"
		return n
	}
	m := model([]*onnx.ValueInfo{input("x", onnx.Float, "N", "3"), input("y", onnx.Float, "N", "3")}, nil, call(0, "u"), call(1, "v"))
	m.Functions, m.Opsets = []*onnx.Function{f}, append(m.Opsets, onnx.Opset{Domain: "f", Version: 1})
	res := infer(t, m)
	if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["u"], res.Graphs[m.Graph]["v"]); got != "[] f32[2*N,3] f32[N,6]" {
		t.Error(got)
	}
}

func TestOverloadsOfFunctions(t *testing.T) {
	make := func(overload, body string) *onnx.Function {
		return &onnx.Function{Domain: "f", Name: "both", Overload: overload, Inputs: []string{"a", "b"}, Outputs: []string{"r"},
			Opsets: []onnx.Opset{{Version: 18}}, Nodes: []*onnx.Node{node(body)}}
	}
	call := func(overload, out string) *onnx.Node {
		n := node("both x y -> " + out)
		n.Domain, n.Overload = "f", overload
		return n
	}
	m := model([]*onnx.ValueInfo{input("x", onnx.Float, "N", "3"), input("y", onnx.Float, "3", "M")}, nil, call("product", "u"),
		call("", "v"), call("third", "w"))
	m.Functions, m.Opsets = []*onnx.Function{make("", "Shape a -> r"), make("product", "MatMul a b -> r")},
		append(m.Opsets, onnx.Opset{Domain: "f", Version: 1})
	res := infer(t, m)
	types := res.Graphs[m.Graph]
	if got := fmt.Sprint(res.Errors, types["u"], types["v"], types["w"]); got != "[] f32[N,M] i64[2] ?" {
		t.Error(got)
	}
}

// TestNestedBodies has an If in a Loop in a Scan: what changes from pass to pass is
// not known, what does not is, at each level.
func TestNestedBodies(t *testing.T) {
	branch := func(name, text string, attrs ...*onnx.Attr) *onnx.Graph {
		return &onnx.Graph{Name: name, Nodes: []*onnx.Node{node(text, attrs...)}, Outputs: []*onnx.ValueInfo{{Name: name}}}
	}
	loop := &onnx.Graph{
		Name: "loop", Inputs: []*onnx.ValueInfo{input("i", onnx.Int64), input("c", onnx.Bool), {Name: "u"}},
		Nodes: []*onnx.Node{node("Identity c -> more"), node("Less i zero -> cond"),
			node("If cond -> v", onnx.GraphAttr("then_branch", branch("a", "Relu u -> a")),
				onnx.GraphAttr("else_branch", branch("b", "Concat u slice -> b", onnx.IntAttr("axis", 0))))},
		Outputs: []*onnx.ValueInfo{{Name: "more"}, {Name: "v"}},
	}
	scan := &onnx.Graph{
		Name: "scan", Inputs: []*onnx.ValueInfo{{Name: "state"}, {Name: "slice"}},
		Nodes: []*onnx.Node{node("Add state slice -> next"), node("Loop count _ slice -> grown", onnx.GraphAttr("body", loop)),
			node("ReduceSum grown zero -> row", onnx.IntAttr("keepdims", 0))},
		Outputs: []*onnx.ValueInfo{{Name: "next"}, {Name: "row"}},
	}
	zero := onnx.NewInts([]int64{}, 0)
	zero.Name = "zero"
	for count, want := range map[int64]string{3: "[] f32[H,W] f32[N,W] f32[unk", 0: "[] f32[H,W] f32[N,W] f32[H,W]"} {
		m := model([]*onnx.ValueInfo{input("x", onnx.Float, "N", "H", "W"), input("s", onnx.Float, "H", "W")}, nil,
			node("Scan s x -> y z", onnx.GraphAttr("body", scan), onnx.IntAttr("num_scan_inputs", 1)))
		n := onnx.NewInts([]int64{}, count)
		n.Name = "count"
		m.Graph.Initializers = append(m.Graph.Initializers, zero, n)
		res := infer(t, m)
		if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"], res.Graphs[m.Graph]["z"], res.Graphs[scan]["grown"]); !strings.HasPrefix(got,
			want) {
			t.Errorf("%d passes: %s, want %s", count, got, want)
		}
	}
}

func TestLoopWithoutCountAndCondition(t *testing.T) {
	scalar := func(name string, d onnx.DType) *onnx.ValueInfo { return input(name, d) }
	body := &onnx.Graph{
		Name: "body", Inputs: []*onnx.ValueInfo{scalar("i", onnx.Int64), scalar("c", onnx.Bool), {Name: "u"}},
		Nodes:   []*onnx.Node{node("Relu u -> v"), node("Less i i -> more")},
		Outputs: []*onnx.ValueInfo{{Name: "more"}, {Name: "v"}},
	}
	x := []*onnx.ValueInfo{input("x", onnx.Float, "N", "3")}
	m := model(x, nil, node("Loop _ _ x -> y", onnx.GraphAttr("body", body)))
	res := infer(t, m)
	got := fmt.Sprint(res.Graphs[m.Graph]["y"])
	if len(res.Errors) > 0 || got != "f32[N,3]" {
		t.Errorf("got %s, errors %v", got, res.Errors)
	}
	// the body's condition ends a loop that has a count alone, too (ONNX Runtime)
	body.Outputs = append(body.Outputs, &onnx.ValueInfo{Name: "v"})
	m = model(append(x, scalar("n", onnx.Int64)), nil, node("Loop n _ x -> y z", onnx.GraphAttr("body", body)))
	if res := infer(t, m); len(res.Errors) > 0 || !strings.HasPrefix(fmt.Sprint(res.Graphs[m.Graph]["z"]), "f32[unk") {
		t.Errorf("rows %s, errors %v", res.Graphs[m.Graph]["z"], res.Errors)
	}
	body.Outputs = body.Outputs[:2]
	count := []*onnx.ValueInfo{scalar("n", onnx.Int64)}
	if res := infer(t, model(count, nil, node("Loop n -> y", onnx.GraphAttr("body", body)))); len(res.Errors) != 1 ||
		!strings.Contains(res.Errors[0].Error(), "at least 2 inputs") {
		t.Errorf("a loop with one input: errors %v", res.Errors)
	}
}

func TestErrorsNameNodeValueReasonAndLine(t *testing.T) {
	two := []*onnx.ValueInfo{input("x", onnx.Float, "N", "3"), input("y", onnx.Float, "4", "N + 1")}
	for _, c := range []struct {
		want string
		node *onnx.Node
	}{
		{`net.py:7: node "n_MatMul" (MatMul): the matrices f32[N,3] and f32[4,N+1] do not fit: 3 and 4`, node("MatMul x y -> z")},
		{`net.py:7: node "n_Relu" (Relu), value "q": input 0 is "q", which no node before this one computes`, node("Relu q -> z")},
		{`net.py:7: node "n_Concat" (Concat): dimension 1 of the inputs differs: 3 and N + 3`, node("Concat x w -> z", onnx.IntAttr("axis", 0))},
		{`net.py:7: node "n_Mish" (Mish): the operator takes at most 1 inputs; the node has 2`, node("Mish x y -> z")},
	} {
		c.node.Doc = "net.py:7"
		m := model(append(two, input("w", onnx.Float, "N", "N + 3")), nil, c.node)
		res := infer(t, m)
		if len(res.Errors) != 1 || res.Errors[0].Error() != c.want {
			t.Errorf("got %v, want %s", res.Errors, c.want)
		}
	}
}

func TestDeclaredTypesAreJoined(t *testing.T) {
	m := model([]*onnx.ValueInfo{input("x", onnx.Float, "N", "3")}, nil, node("NonZero x -> y"))
	m.Graph.Outputs[0] = input("y", onnx.Int64, "2", "K")
	res := infer(t, m)
	if got := res.Graphs[m.Graph]["y"].String(); got != "i64[2,K]" || len(res.Errors) > 0 {
		t.Errorf("%s %v", got, res.Errors)
	}
	m.Graph.Outputs[0] = input("y", onnx.Int64, "5", "K")
	if res := infer(t, m); len(res.Errors) != 1 || !strings.Contains(res.Errors[0].Error(), `value "y"`) {
		t.Errorf("%v", res.Errors)
	}
	rep, err := Compare(m)
	if err != nil || len(rep.Wrong) != 1 {
		t.Errorf("%v %v", rep, err)
	}
}

// TestDeclarationsOfNoValueSayNothing: the name of a result that nobody wants is empty, and no
// symbol is spent on what is declared of it.
func TestDeclarationsOfNoValueSayNothing(t *testing.T) {
	m := model([]*onnx.ValueInfo{input("x", onnx.Float, "N", "3")}, nil, node("NonZero x -> y"))
	m.Graph.Values = []*onnx.ValueInfo{input("", onnx.Float, "?", "?"), {Name: "y"}, input("y", onnx.Int64, "2", "?")}
	res := infer(t, m)
	without := model([]*onnx.ValueInfo{input("x", onnx.Float, "N", "3")}, nil, node("NonZero x -> y"))
	without.Graph.Values = []*onnx.ValueInfo{input("y", onnx.Int64, "2", "?")}
	want := infer(t, without).Graphs[without.Graph]["y"].String()
	if got := res.Graphs[m.Graph]["y"].String(); got != want || len(res.Errors) > 0 {
		t.Errorf("%s, not %s: %v", got, want, res.Errors)
	}
}

func TestNodeTests(t *testing.T) {
	list, err := os.ReadFile("testdata/nodes/outputs.txt")
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]*Result{}
	models := map[string]*onnx.Model{}
	for line := range strings.Lines(string(list)) {
		var name, out, dims string
		var elem onnx.DType
		if _, err := fmt.Sscan(line, &name, &out, &elem, &dims); err != nil {
			t.Fatal(err)
		}
		if results[name] == nil {
			b, err := os.ReadFile(filepath.Join("testdata/nodes", name+".onnx"))
			if err != nil {
				t.Fatal(err)
			}
			m, err := onnx.Unmarshal(b)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range m.Graph.Outputs {
				o.Type = nil
			}
			models[name], results[name] = m, infer(t, m)
			for _, e := range results[name].Errors {
				t.Errorf("%s: %s", name, e)
			}
		}
		got := results[name].Graphs[models[name].Graph][out]
		if got.Elem != elem || !got.Ranked {
			t.Errorf("%s: %s is %s; recorded %s[%s]", name, out, got, elem, dims)
			continue
		}
		want := strings.Split(strings.TrimSuffix(dims, "-"), ",")
		if dims == "-" {
			want = nil
		}
		if len(want) != len(got.Dims) {
			t.Errorf("%s: %s is %s; recorded %s[%s]", name, out, got, elem, dims)
			continue
		}
		for i, d := range got.Dims {
			if d.String() != want[i] && !unknownDim(d) {
				t.Errorf("%s: %s is %s; recorded %s[%s]", name, out, got, elem, dims)
			}
		}
	}
}

func FuzzInfer(f *testing.F) {
	files, err := filepath.Glob("testdata/nodes/*.onnx")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := onnx.Unmarshal(b)
		if err != nil {
			return
		}
		if res, err := Run(m, Config{}); err == nil {
			res.Apply(m)
			res.Print(&bytes.Buffer{}, m)
		}
		if _, err := Compare(m); err != nil {
			return
		}
	})
}
