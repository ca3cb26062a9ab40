package eval_test

// This file holds what hostile models meet: limits, a context that ends, and errors instead
// of panics.

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/eval/evaltest"
)

// forever is a loop without an end whose state goes through nodes.
func forever(nodes ...*onnx.Node) *onnx.Node {
	body := &onnx.Graph{Inputs: []*onnx.ValueInfo{{Name: "i"}, {Name: "go"}, {Name: "s"}},
		Outputs: []*onnx.ValueInfo{{Name: "go"}, {Name: "t"}}, Nodes: nodes}
	return node("Loop", "", []string{"", "", "x"}, []string{"y"}, onnx.GraphAttr("body", body))
}

func TestLimits(t *testing.T) {
	x := map[string]eval.Value{"x": ints(1, 2, 3)}
	big := onnx.TensorAttr("value", onnx.NewInts([]int64{2}, 1<<20, 1<<20))
	self := &onnx.Function{Name: "f", Domain: "own", Inputs: []string{"x"}, Outputs: []string{"y"},
		Opsets: []onnx.Opset{{Version: 13}, {Domain: "own", Version: 1}},
		Nodes:  []*onnx.Node{node("f", "own", []string{"x"}, []string{"y"})}}
	for _, c := range []struct {
		name   string
		nodes  []*onnx.Node
		limits eval.Limits
		want   string
	}{
		{"a loop that does nothing", []*onnx.Node{forever(node("Identity", "", []string{"s"}, []string{"t"}))}, eval.Limits{Steps: 1e5}, "steps"},
		{"a value that doubles", []*onnx.Node{forever(node("Concat", "", []string{"s", "s"}, []string{"t"}, onnx.IntAttr("axis", 0)))},
			eval.Limits{}, "elements"},
		{"values that add up", []*onnx.Node{forever(node("SequenceInsert", "", []string{"s", "i"}, []string{"t"}))}, eval.Limits{Bytes: 1e5},
			"bytes"},
		{"a size from the file", []*onnx.Node{node("Constant", "", nil, []string{"n"}, big),
			node("ConstantOfShape", "", []string{"n"}, []string{"y"})}, eval.Limits{}, "elements"},
		{"a function that calls itself", []*onnx.Node{node("f", "own", []string{"x"}, []string{"y"})}, eval.Limits{}, "deeper"},
	} {
		in := map[string]eval.Value{"x": x["x"], "f": f64([]int64{}, 0)}
		if strings.HasPrefix(c.name, "values") {
			in["x"] = seq()
		}
		m := &onnx.Model{Opsets: []onnx.Opset{{Version: 15}, {Domain: "own", Version: 1}}, Functions: []*onnx.Function{self},
			Graph: &onnx.Graph{Nodes: c.nodes, Inputs: []*onnx.ValueInfo{{Name: "x"}, {Name: "f"}}, Outputs: []*onnx.ValueInfo{{Name: "y"}}}}
		_, err := eval.Model(m, in, eval.Config{Limits: c.limits})
		var stop *eval.Stop
		if err == nil || c.want != "" && (!errors.As(err, &stop) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestContextEndsARun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	m := &onnx.Model{Opsets: []onnx.Opset{{Version: 15}}, Graph: &onnx.Graph{Nodes: []*onnx.Node{forever(node("Identity", "", []string{"s"},
		[]string{"t"}))},
		Inputs: []*onnx.ValueInfo{{Name: "x"}}, Outputs: []*onnx.ValueInfo{{Name: "y"}}}}
	if _, err := eval.Model(m, map[string]eval.Value{"x": ints(1)}, eval.Config{Context: ctx}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// mutate changes an attribute, a name or an operand.
func mutate(r *rand.Rand, c *evaltest.Case) {
	odd := []int64{-1, 0, 1, 2, 3, -2, 7, 1 << 20, 1<<31 - 1, 1 << 40, -1 << 63, 1<<63 - 1}
	pick := func() int64 { return odd[r.IntN(len(odd))] }
	n := c.Model.Graph.Nodes[r.IntN(len(c.Model.Graph.Nodes))]
	switch k := r.IntN(6); {
	case k == 0 && len(n.Attrs) > 0:
		a := n.Attrs[r.IntN(len(n.Attrs))]
		a.Int, a.Float = pick(), float32(pick())
		for i := range a.Ints {
			if r.IntN(2) == 0 {
				a.Ints[i] = pick()
			}
		}
	case k == 1 && len(n.Attrs) > 0:
		if a := n.Attrs[r.IntN(len(n.Attrs))]; len(a.Ints) > 0 {
			a.Ints = a.Ints[:len(a.Ints)-1]
		}
	case k == 2 && len(n.Inputs) > 1:
		i, j := r.IntN(len(n.Inputs)), r.IntN(len(n.Inputs))
		n.Inputs[i], n.Inputs[j] = n.Inputs[j], n.Inputs[i]
	case k == 3 && len(n.Inputs) > 0:
		n.Inputs[r.IntN(len(n.Inputs))] = ""
	default:
		for name, v := range c.Sets[0].Inputs {
			x, ok := v.(*eval.Tensor)
			if !ok || r.IntN(2) == 0 {
				continue
			}
			y := *x
			y.I = append([]int64(nil), x.I...)
			for i := range y.I {
				if r.IntN(3) == 0 {
					y.I[i] = pick()
				}
			}
			if x.I == nil {
				y.I = nil
			}
			switch r.IntN(4) {
			case 0:
				y.Dims = []int64{int64(x.Len())}
			case 1:
				y.Dims = append([]int64{1}, x.Dims...)
			case 2:
				if len(x.Dims) > 1 {
					y.Dims = append([]int64{x.Dims[0] * x.Dims[1]}, x.Dims[2:]...)
				}
			}
			c.Sets[0].Inputs[name] = &y
		}
	}
}

func TestChangedModelsGiveErrors(t *testing.T) {
	fsys, err := evaltest.Archive("testdata/onnx1.23.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := evaltest.List(fsys)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	rounds := 1500
	if testing.Short() {
		rounds = 400
	}
	failed := 0
	for range rounds {
		dir := dirs[r.IntN(len(dirs))]
		c, err := evaltest.Load(fsys, dir)
		if err != nil || len(c.Sets) == 0 || len(c.Model.Graph.Nodes) == 0 {
			continue
		}
		for range 1 + r.IntN(3) {
			mutate(r, c)
		}
		_, err = eval.Model(c.Model, c.Sets[0].Inputs, eval.Config{Limits: eval.Limits{Elems: 1 << 16, Bytes: 1 << 24, Steps: 1 << 20}})
		var e *eval.Error
		if errors.As(err, &e) && e.Internal {
			t.Errorf("%s: %v", dir, err)
		}
		if err != nil {
			failed++
		}
	}
	if failed < rounds/4 {
		t.Errorf("only %d of %d changed models were refused", failed, rounds)
	}
}

func TestSessionRunsSingleNodes(t *testing.T) {
	s := eval.NewSession(eval.Config{Limits: eval.Limits{Steps: 100}}, nil)
	n, old := node("Add", "", []string{"a", "b"}, []string{"c"}), []onnx.Opset{{Version: 13}}
	outs, err := s.Apply(n, old, []eval.Value{ints(1, 2), ints(10, 20)})
	if err != nil || evaltest.Differ(outs[0], ints(11, 22), false) != "" {
		t.Errorf("%v, %v", outs, err)
	}
	// before opset 13 all dimensions from axis on are one
	soft := node("Softmax", "", []string{"x"}, []string{"y"})
	outs, err = s.Apply(soft, []onnx.Opset{{Version: 11}}, []eval.Value{f64([]int64{1, 2, 2}, 0, 0, 0, 0)})
	if err != nil || evaltest.Differ(outs[0], f64([]int64{1, 2, 2}, 0.25, 0.25, 0.25, 0.25), false) != "" {
		t.Errorf("%v, %v", outs, err)
	}
	if _, err := s.Apply(n, old, []eval.Value{&eval.Tensor{DType: onnx.Int64, Dims: []int64{5}}, ints(1)}); err == nil {
		t.Error("a tensor of fewer elements than its sizes say was taken")
	}
	for err = nil; err == nil; {
		_, err = s.Apply(n, old, []eval.Value{ints(1, 2), ints(10, 20)})
	}
	if !strings.Contains(err.Error(), "steps") {
		t.Error(err)
	}
}
