package codegen_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"shapecheck/codegen"
	"shapecheck/codegen/ir"
	"shapecheck/codegen/pass"
	"shapecheck/onnx"
	"shapecheck/onnx/eval/evaltest"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// Programs of node tests are accepted by the verifier at every level, also with schedules
// and aliases, and compiling twice gives equal bytes.
func TestProgramsAreAcceptedAndDeterministic(t *testing.T) {
	fsys, err := evaltest.Archive("../onnx/eval/testdata/onnx1.23.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := evaltest.List(fsys)
	if err != nil {
		t.Fatal(err)
	}
	compile := func(dir string, level pass.Level) []byte {
		b, err := fs.ReadFile(fsys, dir+"/model.onnx")
		if err != nil {
			t.Fatal(err)
		}
		m, err := onnx.Unmarshal(b)
		if err != nil {
			t.Fatal(err)
		}
		p, err := codegen.Compile(context.Background(), m, codegen.Options{Passes: pass.Options{Level: level, Verify: true, Types: true}})
		if err != nil {
			t.Logf("%s: %v", dir, err)
			return nil
		}
		if level != pass.NoneO && (p.Report.Memory == nil || p.Report.Memory.Peak < 0) {
			t.Errorf("%s: the report says nothing of memory", dir)
		}
		out, err := p.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	done, all := 0, 0
	for i, dir := range dirs {
		if i%6 != 0 {
			continue
		}
		all++
		none, exact, fast := compile(dir, pass.NoneO), compile(dir, pass.ExactO), compile(dir, pass.Fast)
		if (none == nil) != (exact == nil) || (none == nil) != (fast == nil) {
			t.Errorf("%s compiles at some levels only", dir)
		}
		if !bytes.Equal(fast, compile(dir, pass.Fast)) {
			t.Errorf("%s: two compilations differ", dir)
		}
		if fast != nil {
			done++
		}
	}
	if done < all*9/10 {
		t.Errorf("only %d of %d models compile", done, all)
	}
}

// A wrong rule is planted among the right ones: the bisection finds it, the application that
// does harm, and the node with its line. The first application is harmless.
func TestBisectionFindsAWrongRule(t *testing.T) {
	value := func(name string) *onnx.ValueInfo {
		return &onnx.ValueInfo{Name: name, Type: onnx.TensorOf(onnx.Float, onnx.Static(2), onnx.Sym("N"))}
	}
	at := func(n *onnx.Node, place string) *onnx.Node {
		n.Metadata = []onnx.Entry{{Key: "source", Value: place}}
		return n
	}
	file, err := onnx.Marshal(&onnx.Model{IRVersion: 8, Opsets: []onnx.Opset{{Version: 18}}, Graph: &onnx.Graph{Name: "g",
		Inputs: []*onnx.ValueInfo{value("x"), value("y")}, Outputs: []*onnx.ValueInfo{value("z")},
		Nodes: []*onnx.Node{
			at(&onnx.Node{Op: "Identity", Name: "copy", Inputs: []string{"x"}, Outputs: []string{"a"}}, "net.py:1"),
			at(&onnx.Node{Op: "Sub", Name: "nothing", Inputs: []string{"a", "a"}, Outputs: []string{"b"}}, "net.py:2"),
			at(&onnx.Node{Op: "Max", Name: "same", Inputs: []string{"a", "a"}, Outputs: []string{"c"}}, "net.py:3"),
			at(&onnx.Node{Op: "Max", Name: "greater", Inputs: []string{"c", "y"}, Outputs: []string{"d"}}, "net.py:4"),
			at(&onnx.Node{Op: "Mul", Name: "last", Inputs: []string{"d", "b"}, Outputs: []string{"e"}}, "net.py:5"),
			at(&onnx.Node{Op: "Add", Name: "sum", Inputs: []string{"d", "e"}, Outputs: []string{"z"}}, "net.py:6"),
		}}})
	if err != nil {
		t.Fatal(err)
	}
	wrong := pass.Rule{Name: "max-is-left", Ops: []string{"Max"}, Apply: func(_ *pass.Context, _ *ir.Graph, n *ir.Node,
		ok func() bool) ([]*ir.Value, error) {
		if len(n.Ins) != 2 || !ok() {
			return nil, nil
		}
		return n.Ins[:1], nil
	}}
	ctx := context.Background()
	in := vm.Inputs{"x": tensor.Of([]float32{1, -2, 3, 4, 5, 6}, 2, 3), "y": tensor.Of([]float32{0, 3, 0, 0, 0, 0}, 2, 3)}
	outputs := func(p *codegen.Program) []float32 {
		m, err := vm.LoadMemory(p.ISA, p.Segments, vm.Config{Engine: vm.Reference})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		y, err := m.Run(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := tensor.Data[float32](y["z"].(*tensor.Tensor))
		return out
	}
	load := func() (*onnx.Model, error) { return onnx.Unmarshal(file) }
	differs := func(p *codegen.Program) (string, error) {
		if got := outputs(p); !slices.Equal(got, []float32{1, 3, 3, 4, 5, 6}) {
			return fmt.Sprint(got), nil
		}
		return "", nil
	}
	if s, err := codegen.Bisect(ctx, load, codegen.Options{}, differs); s != nil || err != nil {
		t.Errorf("without the rule: %v, %v", s, err)
	}
	o := codegen.Options{Passes: pass.Options{Rules: []pass.Rule{wrong}}}
	s, err := codegen.Bisect(ctx, load, o, differs)
	if err != nil || s == nil || s.Pass != "canon" || s.Rule != "canon:max-is-left" || s.Node != `Max "greater" at net.py:4` ||
		s.Application < 2 {
		t.Errorf("%v, %v", s, err)
	}
	if s, err := codegen.Bisect(ctx, load, codegen.Options{Passes: pass.Options{Rules: []pass.Rule{wrong},
		Disable: []string{"canon:max-is-left"}}}, differs); s != nil || err != nil {
		t.Errorf("with the rule disabled: %v, %v", s, err)
	}
}

// A rule that gives a value of another type is found by the full verification, with the node
// that reads it.
func TestFullVerificationFindsAWrongType(t *testing.T) {
	value := func(name string, dims ...int64) *onnx.ValueInfo {
		out := &onnx.Type{Kind: onnx.TensorType, Elem: onnx.Float, Shape: &onnx.Shape{}}
		for _, d := range dims {
			out.Shape.Dims = append(out.Shape.Dims, onnx.Static(d))
		}
		return &onnx.ValueInfo{Name: name, Type: out}
	}
	wrong := pass.Rule{Name: "max-is-left", Ops: []string{"Max"}, Apply: func(_ *pass.Context, _ *ir.Graph, n *ir.Node,
		ok func() bool) ([]*ir.Value, error) {
		if len(n.Ins) != 2 || !ok() {
			return nil, nil
		}
		return n.Ins[:1], nil
	}}
	for _, types := range []bool{false, true} {
		m := &onnx.Model{IRVersion: 8, Opsets: []onnx.Opset{{Version: 18}}, Graph: &onnx.Graph{Name: "g",
			Inputs: []*onnx.ValueInfo{value("x", 2, 1), value("y", 2, 3)}, Outputs: []*onnx.ValueInfo{value("z", 2, 3)},
			Nodes: []*onnx.Node{
				{Op: "Max", Name: "greater", Inputs: []string{"x", "y"}, Outputs: []string{"a"}},
				{Op: "Relu", Name: "positive", Inputs: []string{"a"}, Outputs: []string{"z"}},
			}}}
		_, err := codegen.Compile(context.Background(), m, codegen.Options{Passes: pass.Options{Rules: []pass.Rule{wrong}, Verify: true,
			Types: types}})
		if found := err != nil && strings.Contains(err.Error(),
			"after canon the module is not well-formed: node 1 (Relu): result 0 is f32[2,3]; the operands make it f32[2,1]"); found != types {
			t.Errorf("types %t: %v", types, err)
		}
	}
}
