package codegen_test

// This file compiles hostile models and runs what is compiled: nothing may panic, hang, or be
// refused by the verifier that the compiler has made.

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"shapecheck/codegen"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/pass"
	"shapecheck/onnx"
	"shapecheck/onnx/eval/evaltest"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// nodeFiles are the models of ONNX's node tests.
func nodeFiles(t testing.TB) (out [][]byte) {
	t.Helper()
	fsys, err := evaltest.Archive("../onnx/eval/testdata/onnx1.23.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := evaltest.List(fsys)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		b, err := fs.ReadFile(fsys, dir+"/model.onnx")
		if err != nil {
			t.Fatal(err)
		}
		if len(b) < 10000 {
			out = append(out, b)
		}
	}
	return out
}

// hostile compiles a model's file at a level and runs it in both engines; it reports whether it compiles.
func hostile(t *testing.T, file []byte, level pass.Level) bool {
	t.Helper()
	m, err := onnx.Unmarshal(file)
	if err != nil {
		return false
	}
	start := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	p, err := codegen.Compile(ctx, m, codegen.Options{Passes: pass.Options{Level: level, Verify: true}})
	if d := time.Since(start); d > 40*time.Second {
		t.Errorf("it took %v to compile it", d)
	}
	if err != nil {
		if s := err.Error(); strings.Contains(s, "fault of the compiler") || strings.Contains(s, "not well-formed") {
			t.Error(err)
		}
		return false
	}
	for _, engine := range []vm.Engine{vm.Fast, vm.Reference} {
		x, err := vm.LoadMemory(p.ISA, p.Segments, vm.Config{Engine: engine, Threads: 1,
			Budget: vm.Budget{Instructions: 2000, Bytes: 64 << 20, Trips: 50}})
		if err != nil {
			t.Errorf("it is not loaded: %v", err)
			return true
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		start := time.Now()
		_, err = x.Run(ctx, small(p.ISA))
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("a run of 2 s took %v", d)
		}
		cancel()
		x.Close()
		var e *vm.Error
		if errors.As(err, &e) && e.Code == vm.CodePanic {
			t.Errorf("%v", err)
		}
	}
	return true
}

// small makes inputs as the ports say, each symbol with a small size.
func small(p *isa.Program) vm.Inputs {
	in := vm.Inputs{}
	syms, known := make([]int64, len(p.Symbols)), make([]bool, len(p.Symbols))
	for i, s := range p.Symbols {
		syms[i], known[i] = max(s.Lo, 2), true
	}
	vals, ready := make([]int64, len(p.Sizes)), make([]bool, len(p.Sizes))
	if p.EvalSizes(syms, known, vals, ready) != nil {
		return in
	}
	for _, port := range p.Inputs {
		switch port.Type.Kind {
		case isa.Type_SEQUENCE:
			in[port.Name] = tensor.NewSequence()
		case isa.Type_OPTIONAL:
			in[port.Name] = &tensor.Optional{}
		case isa.Type_TENSOR:
			n, dims := int64(1), []int64{}
			for _, d := range port.Type.Dims {
				if dims, n = append(dims, vals[d]), n*max(1, min(vals[d], 1<<21)); n > 1<<20 || vals[d] < 0 {
					return in
				}
			}
			x, err := tensor.New(tensor.DType(port.Type.Elem), dims...)
			if err != nil {
				return in
			}
			for i := range x.Bytes() {
				x.Bytes()[i] = byte(i * 37 % 3)
			}
			in[port.Name] = x
		}
	}
	return in
}

// A mutator changes a model in one place.
type mutator struct {
	*rand.Rand
	nodes  []*onnx.Node
	values []*onnx.ValueInfo
	names  []string
	ops    []string
}

func (m *mutator) graph(g *onnx.Graph) {
	for _, list := range [][]*onnx.ValueInfo{g.Inputs, g.Outputs, g.Values} {
		for _, v := range list {
			m.values, m.names = append(m.values, v), append(m.names, v.Name)
		}
	}
	for _, n := range g.Nodes {
		m.nodes, m.names = append(m.nodes, n), append(m.names, n.Outputs...)
		n.Subgraphs(func(_ string, g *onnx.Graph) { m.graph(g) })
	}
}

func oneOf[T any](m *mutator, list []T) T { return list[m.IntN(len(list))] }

var hostileInts = []int64{-1, 0, 1, 2, 3, 5, -2, -7, 64, 1 << 20, 1<<31 - 1, 1 << 31, 1 << 40, math.MaxInt64, math.MinInt64}

// node changes a node.
func (m *mutator) node(n *onnx.Node) {
	switch k := m.IntN(8); {
	case k < 2 && len(n.Inputs) > 0:
		n.Inputs[m.IntN(len(n.Inputs))] = oneOf(m, append(m.names, ""))
	case k == 2 && len(n.Inputs) > 0:
		n.Inputs = n.Inputs[:len(n.Inputs)-1]
	case k == 3:
		n.Inputs = append(n.Inputs, oneOf(m, m.names))
	case k == 4:
		n.Op = oneOf(m, m.ops)
	case k == 5 && len(n.Outputs) > 0:
		n.Outputs = append(n.Outputs, "", "more")[:m.IntN(len(n.Outputs)+2)]
	case len(n.Attrs) > 0:
		a := n.Attrs[m.IntN(len(n.Attrs))]
		switch {
		case m.IntN(6) == 0:
			n.Attrs = n.Attrs[1:]
		case a.Type == onnx.AttrInt:
			a.Int = oneOf(m, hostileInts)
		case a.Type == onnx.AttrInts && len(a.Ints) > 0 && m.IntN(2) == 0:
			a.Ints[m.IntN(len(a.Ints))] = oneOf(m, hostileInts)
		case a.Type == onnx.AttrInts:
			a.Ints = append(a.Ints, oneOf(m, hostileInts))
		case a.Type == onnx.AttrFloat:
			a.Float = oneOf(m, []float32{0, -1, 1e30, float32(math.NaN()), float32(math.Inf(-1))})
		case a.Type == onnx.AttrString:
			a.String = []byte(oneOf(m, []string{"", "linear", "constant", "SAME_UPPER", "cubic", "\xff"}))
		case a.Type == onnx.AttrTensor && a.Tensor != nil:
			a.Tensor.DType = onnx.DType(m.IntN(27))
		}
	}
}

// value changes the type of a value.
func (m *mutator) value(v *onnx.ValueInfo) {
	if v.Type == nil || v.Type.Kind != onnx.TensorType || v.Type.Shape == nil || m.IntN(8) == 0 {
		v.Type = nil
		return
	}
	dims := &v.Type.Shape.Dims
	d := oneOf(m, []onnx.Dim{onnx.Sym("N"), onnx.Sym("M"), onnx.Static(0), onnx.Static(1), onnx.Static(3), onnx.Static(1 << 40),
		onnx.Sym("2*N"), {}})
	switch k := m.IntN(6); {
	case k == 0:
		v.Type.Elem = onnx.DType(m.IntN(27))
	case k == 1:
		v.Type.Shape = nil
	case k == 2 || len(*dims) == 0:
		*dims = append(*dims, d)
	case k == 3:
		*dims = (*dims)[1:]
	default:
		(*dims)[m.IntN(len(*dims))] = d
	}
}

// mutant changes a model's file in some places.
func mutant(t testing.TB, file []byte, ops []string, seed uint64) []byte {
	m, err := onnx.Unmarshal(file)
	if err != nil {
		t.Fatal(err)
	}
	x := &mutator{Rand: rand.New(rand.NewPCG(seed, 5)), ops: ops}
	x.graph(m.Graph)
	for range 1 + x.IntN(3) {
		switch {
		case x.IntN(3) > 0 && len(x.nodes) > 0:
			x.node(oneOf(x, x.nodes))
		case len(x.values) > 0:
			x.value(oneOf(x, x.values))
		}
	}
	b, err := onnx.Marshal(m)
	if err != nil {
		return nil // it has no form in a file
	}
	return b
}

// operatorsOf lists the operators of models.
func operatorsOf(t testing.TB, files [][]byte) (out []string) {
	seen := map[string]bool{}
	for _, b := range files {
		m, err := onnx.Unmarshal(b)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range m.Graph.Nodes {
			if !seen[n.Op] {
				seen[n.Op] = true
				out = append(out, n.Op)
			}
		}
	}
	return out
}

func TestMutatedModelsCompileOrAreRefused(t *testing.T) {
	files := nodeFiles(t)
	ops := operatorsOf(t, files)
	compiled := 0
	const all = 600
	for i := range all {
		file := mutant(t, files[i*7919%len(files)], ops, uint64(i))
		if file != nil && hostile(t, file, pass.Level(i%3)) {
			compiled++
		}
		if t.Failed() {
			t.Fatalf("mutant %d", i)
		}
	}
	if compiled < all/10 {
		t.Errorf("only %d of %d mutants are compiled: the test says little", compiled, all)
	}
	t.Logf("%d of %d mutants are compiled", compiled, all)
}

// FuzzMutants changes models of node tests in places that a seed draws.
func FuzzMutants(f *testing.F) {
	files := nodeFiles(f)
	ops := operatorsOf(f, files)
	for i := range 20 {
		f.Add(uint16(i*97), uint64(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, which uint16, seed uint64, level uint8) {
		if file := mutant(t, files[int(which)%len(files)], ops, seed); file != nil {
			hostile(t, file, pass.Level(level%3))
		}
	})
}

// FuzzModels changes the bytes of models.
func FuzzModels(f *testing.F) {
	for i, b := range nodeFiles(f) {
		if i%29 == 0 {
			f.Add(b, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, level uint8) { hostile(t, file, pass.Level(level%3)) })
}
