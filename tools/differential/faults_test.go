package differential

// This file has a test for each fault that the ancestor had and that must not return. The name of
// each is the fault.

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/codegen/pass"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// A fault is shown by a function, by a small model whose outputs are known, or by tests elsewhere.
type fault struct {
	name string
	run  func(t *testing.T)
	// a model: inputs, outputs by name as the specification has them, nodes
	ins   map[string]eval.Value
	want  map[string]eval.Value
	outs  string
	nodes []*onnx.Node
	// tests are FOLDER TEST
	tests []string
	// until names a package without which the fault cannot be.
	until string
}

func fl(dims []int64, x ...float64) *eval.Tensor {
	return &eval.Tensor{DType: onnx.Float, Dims: dims, F: x}
}

// ramp is 1, 2, 3 …
func ramp(dims ...int64) *eval.Tensor {
	t := drawnZeros(onnx.Float, dims)
	for i := range t.F {
		t.F[i] = float64(i + 1)
	}
	return t
}

// constant makes a node of a constant.
func constant(name string, v *eval.Tensor) *onnx.Node {
	raw, err := v.AppendRaw(nil, 0, v.Len())
	if err != nil {
		panic(err)
	}
	return line("Constant -> "+name, onnx.TensorAttr("value", &onnx.Tensor{DType: v.DType, Dims: v.Dims, Raw: raw, HasRaw: true}))
}

var ones = []int64{}

var faults = []fault{
	{name: "opcodes renumbered by each insertion", tests: []string{"codegen/isa TestOpcodesKeepTheirNumbers",
		"tools/differential TestKeptProgramsRun"}},
	{name: "CHECK aborts instead of errors", tests: []string{"runtime/vm TestHostileInputsAreErrors",
		"codegen/isa TestMutationsAreReadOrRefused"},
		run: func(t *testing.T) { neverCalled(t, "os.Exit", "log.Fatal", "log.Fatalf", "log.Panic") }},
	{name: "flags that are global to the process", run: func(t *testing.T) { neverImported(t, "flag", "os/signal") }},
	{name: "sequences shared by pointer, so that an append in a loop empties the caller's",
		ins: map[string]eval.Value{"x": ramp(2), "n": eval.Ints(ones, 3)}, outs: "before after",
		want: map[string]eval.Value{"before": eval.Ints(ones, 1), "after": eval.Ints(ones, 4)},
		nodes: []*onnx.Node{line("SequenceConstruct x -> s"), line("Loop n _ s -> grown", onnx.GraphAttr("body", &onnx.Graph{
			Name: "body", Inputs: []*onnx.ValueInfo{{Name: "i", Type: onnx.TensorOf(onnx.Int64)}, {Name: "c", Type: onnx.TensorOf(onnx.Bool)},
				{Name: "q", Type: &onnx.Type{Kind: onnx.SequenceType, Of: onnx.TensorOf(onnx.Float, onnx.Static(2))}}},
			Nodes: []*onnx.Node{line("Identity c -> more"), line("SequenceInsert q x -> r")}, Outputs: values("more r", nil)})),
			line("SequenceLength s -> before"), line("SequenceLength grown -> after")}},
	{name: "null operands that silently skip instructions", run: func(t *testing.T) {
		p, err := isa.Parse("program \"p\" format 1.0\ninput \"x\" f32[2]\noutput \"y\" f32[2]\nin %0 = {port=0} -> f32[2]\nAdd %1 = %0, ~ -> f32[2]\nfree %0\nout %1 {port=0}\nfree %1\n")
		if err == nil {
			err = isa.Verify(p)
		}
		if err == nil || !strings.Contains(err.Error(), "Add") {
			t.Errorf("an addition of one operand: %v", err)
		}
	}},
	{name: "scan outputs of zero trips fail",
		ins: map[string]eval.Value{"x": ramp(2), "n": eval.Ints(ones, 0)}, outs: "y rows",
		want: map[string]eval.Value{"y": ramp(2), "rows": fl([]int64{0, 2})},
		nodes: []*onnx.Node{line("Loop n _ x -> y rows", onnx.GraphAttr("body", &onnx.Graph{Name: "body",
			Inputs:  values("i c s", map[string]eval.Value{"i": eval.Ints(ones, 0), "c": truth(true), "s": ramp(2)}),
			Nodes:   []*onnx.Node{line("Identity c -> more"), line("Neg s -> t"), line("Identity t -> row")},
			Outputs: []*onnx.ValueInfo{{Name: "more"}, {Name: "t"}, {Name: "row", Type: onnx.TensorOf(onnx.Float, onnx.Static(2))}}}))}},
	{name: "compile order, and so the program, depends on node addresses", tests: []string{"tools/differential TestProgramsHaveOneForm"},
		run: func(t *testing.T) {
			for seed := range uint64(5) {
				file := marshal(randomGraph(seed).model)
				first, err := compiled(t, file, pass.Fast).Bytes()
				for range 4 {
					next, err1 := compiled(t, file, pass.Fast).Bytes()
					if err != nil || err1 != nil || !bytes.Equal(first, next) {
						t.Fatalf("random graph %d has other bytes when it is compiled again", seed)
					}
				}
			}
		}},
	{name: "constants as lists of doubles inside of the program", run: func(t *testing.T) {
		m := &onnx.Model{IRVersion: 10, Opsets: []onnx.Opset{{Version: opset}},
			Graph: &onnx.Graph{Name: "g", Inputs: values("x", map[string]eval.Value{"x": ramp(300, 300)}),
				Outputs: values("y", map[string]eval.Value{"y": ramp(300, 300)}),
				Nodes:   []*onnx.Node{constant("c", ramp(300, 300)), line("Add x c -> y")}}}
		p := compiled(t, marshal(m), pass.Fast)
		msg, err := isa.Encode(p.ISA)
		if err != nil || len(msg) > 2000 || len(p.Segments) != 1 || p.Segments[0].Length > 4*300*300+64 {
			t.Errorf("90,000 f32 are a message of %d bytes and %d segments, %v", len(msg), len(p.Segments), err)
		}
	}},
	{name: "no size limit on folding", tests: []string{"codegen/pass TestFoldingIsBounded"}},
	{name: "initializers not constant", tests: []string{"codegen/pass TestConstantsAreComputed"}, run: func(t *testing.T) {
		c := ramp(2)
		raw, _ := c.AppendRaw(nil, 0, 2)
		m := &onnx.Model{IRVersion: 10, Opsets: []onnx.Opset{{Version: opset}},
			Graph: &onnx.Graph{Name: "g", Inputs: values("x", map[string]eval.Value{"x": ramp(2)}),
				Initializers: []*onnx.Tensor{{Name: "c", DType: onnx.Float, Dims: []int64{2}, Raw: raw, HasRaw: true}},
				Outputs:      values("y", map[string]eval.Value{"y": ramp(2)}), Nodes: []*onnx.Node{line("Exp c -> e"), line("Add x e -> y")}}}
		if text, err := compiled(t, marshal(m), pass.ExactO).Text(); err != nil || strings.Contains(text, "Exp") {
			t.Errorf("the Exp of an initializer is computed in each run: %v\n%s", err, text)
		}
	}},
	{name: "merges that test uses but not outputs, and lose an output",
		ins: map[string]eval.Value{"x": ramp(1, 1, 2, 2)}, outs: "y z",
		want: map[string]eval.Value{"y": fl([]int64{1, 1, 2, 2}, 2, 4, 6, 8), "z": fl([]int64{1, 1, 2, 2}, 6, 12, 18, 24)},
		nodes: []*onnx.Node{constant("w", fl([]int64{1, 1, 1, 1}, 2)), constant("k", fl([]int64{1, 1, 1}, 3)), line("Conv x w -> y"),
			line("Mul y k -> z")}},
	{name: "Conv+Add takes [C] for a channel bias", // ONNX aligns [2] with the last axis
		ins: map[string]eval.Value{"x": fl([]int64{1, 1, 2, 2}, 1, 1, 1, 1)}, outs: "z",
		want: map[string]eval.Value{"z": fl([]int64{1, 2, 2, 2}, 11, 21, 11, 21, 12, 22, 12, 22)},
		nodes: []*onnx.Node{constant("w", fl([]int64{2, 1, 1, 1}, 1, 2)), constant("b", fl([]int64{2}, 10, 20)), line("Conv x w -> y"),
			line("Add y b -> z")}},
	{name: "Conv+Add loses pads",
		ins: map[string]eval.Value{"x": fl([]int64{1, 1, 1, 2}, 1, 2)}, outs: "z",
		want: map[string]eval.Value{"z": fl([]int64{1, 1, 1, 4}, 10, 11, 12, 10)},
		nodes: []*onnx.Node{constant("w", fl([]int64{1, 1, 1, 1}, 1)), constant("b", fl([]int64{1, 1, 1, 1}, 10)),
			line("Conv x w -> y", onnx.IntsAttr("pads", 0, 1, 0, 1)), line("Add y b -> z")}},
	{name: "Pad+Conv reads begin pads for the end",
		ins: map[string]eval.Value{"x": fl([]int64{1, 1, 1, 2}, 1, 2)}, outs: "z",
		want: map[string]eval.Value{"z": fl([]int64{1, 1, 1, 4}, 0, 0, 1, 2)},
		nodes: []*onnx.Node{constant("w", fl([]int64{1, 1, 1, 1}, 1)), constant("p", eval.Ints(nil, 0, 0, 0, 2, 0, 0, 0, 0)),
			line("Pad x p -> y"), line("Conv y w -> z")}},
	{name: "Pad+Conv reads pads that are not there",
		ins: map[string]eval.Value{"x": fl([]int64{1, 1, 1, 2}, 1, 2)}, outs: "z",
		want: map[string]eval.Value{"z": fl([]int64{1, 1, 1, 3}, 1, 2, 0)},
		nodes: []*onnx.Node{constant("w", fl([]int64{1, 1, 1, 1}, 1)), constant("p", eval.Ints(nil, 0, 1)), constant("a", eval.Ints(nil, -1)),
			line("Pad x p _ a -> y"), line("Conv y w -> z")}},
	{name: "Transpose+Gemm wrong for X·Xᵀ",
		ins: map[string]eval.Value{"x": ramp(2, 3)}, outs: "y z", want: map[string]eval.Value{"y": fl([]int64{2, 2}, 14, 32, 32, 77),
			"z": fl([]int64{2, 2}, 14, 32, 32, 77)},
		nodes: []*onnx.Node{line("Transpose x -> t"), line("MatMul x t -> y"), line("Gemm x t -> z")}},
	{name: "convolution exchanges the pads of height and width",
		ins: map[string]eval.Value{"x": fl([]int64{1, 1, 1, 1}, 5)}, outs: "y",
		want:  map[string]eval.Value{"y": fl([]int64{1, 1, 2, 4}, 0, 0, 0, 0, 0, 0, 0, 5)},
		nodes: []*onnx.Node{constant("w", fl([]int64{1, 1, 1, 1}, 1)), line("Conv x w -> y", onnx.IntsAttr("pads", 1, 3, 0, 0))}},
	{name: "AveragePool drops count_include_pad",
		ins: map[string]eval.Value{"x": fl([]int64{1, 1, 2}, 4, 8)}, outs: "y z",
		want: map[string]eval.Value{"y": fl([]int64{1, 1, 2}, 2, 6), "z": fl([]int64{1, 1, 2}, 4, 6)},
		nodes: []*onnx.Node{line("AveragePool x -> y", onnx.IntsAttr("kernel_shape", 2), onnx.IntsAttr("pads", 1, 0),
			onnx.IntAttr("count_include_pad", 1)),
			line("AveragePool x -> z", onnx.IntsAttr("kernel_shape", 2), onnx.IntsAttr("pads", 1, 0))}},
	{name: "ReduceLogSumExp without subtracting the maximum",
		ins: map[string]eval.Value{"x": fl([]int64{2}, 1000, 1000)}, outs: "y",
		want:  map[string]eval.Value{"y": fl([]int64{1}, eval.Round(onnx.Float, 1000+math.Ln2))},
		nodes: []*onnx.Node{line("ReduceLogSumExp x -> y")}},
	{name: "LpNormalization adds 1e-5",
		ins: map[string]eval.Value{"x": fl([]int64{2}, 0x3p-20, 0x4p-20)}, outs: "y",
		want:  map[string]eval.Value{"y": fl([]int64{2}, eval.Round(onnx.Float, 0.6), eval.Round(onnx.Float, 0.8))},
		nodes: []*onnx.Node{line("LpNormalization x -> y")}},
	{name: "ArgMin as ArgMax of a negation (wrong for unsigned and the least integer)",
		ins: map[string]eval.Value{"x": &eval.Tensor{DType: onnx.Uint8, Dims: []int64{3}, I: []int64{7, 0, 9}},
			"y": &eval.Tensor{DType: onnx.Int8, Dims: []int64{3}, I: []int64{5, -128, 127}}}, outs: "a b",
		want:  map[string]eval.Value{"a": eval.Ints(nil, 1), "b": eval.Ints(nil, 1)},
		nodes: []*onnx.Node{line("ArgMin x -> a"), line("ArgMin y -> b")}},
	{name: "symmetric pads only",
		ins: map[string]eval.Value{"x": fl([]int64{1, 1, 3}, 1, 5, 2)}, outs: "y",
		want:  map[string]eval.Value{"y": fl([]int64{1, 1, 3}, 5, 5, 2)},
		nodes: []*onnx.Node{line("MaxPool x -> y", onnx.IntsAttr("kernel_shape", 2), onnx.IntsAttr("pads", 0, 1), onnx.IntsAttr("strides", 1))}},
	{name: "dilation 1 only",
		ins: map[string]eval.Value{"x": fl([]int64{1, 1, 4}, 1, 2, 4, 8)}, outs: "y z",
		want: map[string]eval.Value{"y": fl([]int64{1, 1, 2}, 5, 10), "z": fl([]int64{1, 1, 2}, 4, 8)},
		nodes: []*onnx.Node{constant("w", fl([]int64{1, 1, 2}, 1, 1)), line("Conv x w -> y", onnx.IntsAttr("dilations", 2)),
			line("MaxPool x -> z", onnx.IntsAttr("kernel_shape", 2), onnx.IntsAttr("dilations", 2))}},
	{name: "integer resize only",
		ins: map[string]eval.Value{"x": fl([]int64{1, 1, 2}, 0, 6)}, outs: "y", want: map[string]eval.Value{"y": fl([]int64{1, 1, 3}, 0, 3, 6)},
		nodes: []*onnx.Node{constant("s", fl([]int64{3}, 1, 1, 1.5)), line("Resize x _ s -> y", onnx.StringAttr("mode", "linear"))}},
	{name: "quantisation rounds negatives wrongly",
		ins: map[string]eval.Value{"x": fl([]int64{6}, -0.5, -1.5, -2.5, -2.75, 0.5, 1.5)}, outs: "y",
		want: map[string]eval.Value{"y": &eval.Tensor{DType: onnx.Int8, Dims: []int64{6}, I: []int64{0, -2, -2, -3, 0, 2}}},
		nodes: []*onnx.Node{constant("s", fl(ones, 1)), constant("z", &eval.Tensor{DType: onnx.Int8, Dims: ones, I: []int64{0}}),
			line("QuantizeLinear x s z -> y")}},
	{name: "dropout without 1/(1−p)", run: dropout},
	{name: "dropout's identity gradient", until: "codegen/grad"},
	{name: "gradients that do not undo broadcasting", until: "codegen/grad"},
	{name: "gradients of one output only", until: "codegen/grad"},
	{name: "no inference after gradients", until: "codegen/grad"},
	{name: "\"gradient\" decided by a name containing Grad", until: "codegen/grad",
		ins: map[string]eval.Value{"Grad": ramp(2)}, outs: "y_Grad", want: map[string]eval.Value{"y_Grad": fl([]int64{2}, -1, -2)},
		nodes: []*onnx.Node{line("Neg Grad -> y_Grad")}},
	{name: "output buffer reused between runs", run: buffers},
	{name: "predictable file names in /tmp and commands through a shell", run: func(t *testing.T) {
		neverImported(t, "os/exec")
		neverCalled(t, "os.TempDir", "os.MkdirTemp", "os.CreateTemp")
	}},
	{name: "chrome trace with duplicate keys and a wall clock", tests: []string{"runtime/observe TestTimelineHasTheFormThatPerfettoTakes"}},
	{name: "memory simulation that counts unknown sizes as 0", tests: []string{"codegen/sched TestSizesOfNodesAndThePoint"}},
	{name: "a heap object per variable", tests: []string{"runtime/vm TestRunnersRunAsRunDoesAndAllocateNothing"}},
	{name: "single thread", tests: []string{"runtime/pool TestWorkersHelp", "runtime/pool TestEveryPieceIsDoneOnce"}, run: func(t *testing.T) {
		p := compiled(t, marshal(randomGraph(1).model), pass.Fast)
		if n := loaded(t, p, vm.Config{Threads: 2}).Threads(); n != 2 {
			t.Errorf("%d threads", n)
		}
	}},
}

func TestFaultsThatMustNotReturn(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			if _, err := os.Stat("../../" + f.until); f.until != "" && err == nil {
				t.Errorf("%s is there, and no test for this", f.until)
			}
			for _, name := range f.tests {
				folder, test, _ := strings.Cut(name, " ")
				if !slices.Contains(testsOf(t, folder), test) {
					t.Errorf("%s has no %s", folder, test)
				}
			}
			if f.run != nil {
				f.run(t)
			}
			if f.nodes != nil {
				f.model(t)
			}
			if f.nodes == nil && f.run == nil && f.tests == nil && f.until == "" {
				t.Error("nothing shows it")
			}
		})
	}
}

// model compares the outputs of the model with those that are known, in all ways.
func (f *fault) model(t *testing.T) {
	var names, outs []string
	for n := range f.ins {
		names = append(names, n)
	}
	slices.Sort(names)
	outs = strings.Fields(f.outs)
	m := &onnx.Model{IRVersion: 10, Opsets: []onnx.Opset{{Version: opset}},
		Graph: &onnx.Graph{Name: "g", Nodes: f.nodes, Inputs: values(strings.Join(names, " "), f.ins), Outputs: values(f.outs, f.want)}}
	for _, o := range m.Graph.Outputs {
		o.Type = loosened(o.Type)
	}
	s := &subject{file: marshal(m), ins: f.ins}
	for _, w := range ways(0) {
		got, err := s.run(w)
		if err != nil {
			t.Fatalf("%s: %v", w.name, err)
		}
		values, err := fromTensors(got)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range outs {
			if what := compareNear(values[i], f.want[o]); what != "" {
				t.Errorf("%s: %s: %s", w.name, o, what)
			}
		}
	}
}

// dropout draws with p = 3/4: what is kept is four times as large.
func dropout(t *testing.T) {
	x := drawnZeros(onnx.Float, []int64{4000})
	for i := range x.F {
		x.F[i] = 2
	}
	ins := map[string]eval.Value{"x": x}
	m := &onnx.Model{IRVersion: 10, Opsets: []onnx.Opset{{Version: opset}},
		Graph: &onnx.Graph{Name: "g", Inputs: values("x", ins), Outputs: values("y", map[string]eval.Value{"y": x}),
			Nodes: []*onnx.Node{constant("p", fl(ones, 0.75)), constant("train", truth(true)),
				line("Dropout x p train -> y", onnx.IntAttr("seed", 7))}}}
	s := &subject{file: marshal(m), ins: ins}
	for _, w := range ways(0) {
		got, err := s.run(w)
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for i := range got[0].(*tensor.Tensor).Len() {
			switch y := got[0].(*tensor.Tensor).Float(i); y {
			case 8:
				kept++
			case 0:
			default:
				t.Fatalf("%s: 2 becomes %v", w.name, y)
			}
		}
		if kept < 800 || kept > 1200 {
			t.Errorf("%s: %d of 4000 are kept", w.name, kept)
		}
	}
}

// buffers runs a model twice; the first outputs stay as they are.
func buffers(t *testing.T) {
	g := randomGraph(1)
	p := compiled(t, marshal(g.model), pass.Fast)
	for _, cfg := range []vm.Config{{}, {Engine: vm.Reference}} {
		m := loaded(t, p, cfg)
		run := func(ins map[string]eval.Value) vm.Outputs {
			in := vm.Inputs{}
			for n, v := range ins {
				x, err := toTensor(v)
				if err != nil {
					t.Fatal(err)
				}
				in[n] = x
			}
			y, err := m.Run(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			return y
		}
		first := run(g.ins)
		before := map[string]eval.Value{}
		for n, v := range first {
			x, err := fromTensor(v)
			if err != nil {
				t.Fatal(err)
			}
			before[n] = x
		}
		other := map[string]eval.Value{}
		for n, v := range g.ins {
			x := *v.(*eval.Tensor)
			x.F = slices.Clone(x.F)
			for i := range x.F {
				x.F[i]++
			}
			other[n] = &x
		}
		run(other)
		for n, v := range first {
			x, err := fromTensor(v)
			if err != nil {
				t.Fatal(err)
			}
			if what := differ(x, before[n], nil); what != "" {
				t.Errorf("after another run the output %q of the first has changed: %s", n, what)
			}
		}
	}
}

// testsOf lists the tests of a package.
func testsOf(t *testing.T, folder string) (out []string) {
	t.Helper()
	eachFile(t, filepath.Join("../..", folder), true, func(name string, f *ast.File) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && strings.HasSuffix(name, "_test.go") && fn.Recv == nil {
				out = append(out, fn.Name.Name)
			}
		}
	})
	return out
}

func eachFile(t *testing.T, folder string, tests bool, do func(string, *ast.File)) {
	t.Helper()
	list, err := filepath.Glob(folder + "/*.go")
	if err != nil || len(list) == 0 {
		t.Fatalf("%s has %d files: %v", folder, len(list), err)
	}
	for _, name := range list {
		if strings.HasSuffix(name, "_test.go") && !tests {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		do(name, f)
	}
}

// machineFiles goes through the sources of the compiler and the machine.
func machineFiles(t *testing.T, do func(string, *ast.File)) {
	t.Helper()
	for _, root := range []string{"../../codegen", "../../runtime"} {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() && !strings.Contains(path, "testdata") && d.Name() != "protogen" {
				if list, _ := filepath.Glob(path + "/*.go"); len(list) > 0 {
					eachFile(t, path, false, do)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func neverImported(t *testing.T, packages ...string) {
	t.Helper()
	machineFiles(t, func(name string, f *ast.File) {
		for _, i := range f.Imports {
			if slices.Contains(packages, strings.Trim(i.Path.Value, `"`)) {
				t.Errorf("%s imports %s", name, i.Path.Value)
			}
		}
	})
}

func neverCalled(t *testing.T, functions ...string) {
	t.Helper()
	machineFiles(t, func(name string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && slices.Contains(functions, x.Name+"."+s.Sel.Name) {
					t.Errorf("%s calls %s.%s", name, x.Name, s.Sel.Name)
				}
			}
			return true
		})
	})
}
