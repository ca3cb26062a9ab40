package differential

// This file exports and compiles the models of testdata/export, and compares runs of one program
// with each other: a batch with its rows, threads, repeated runs, sizes between. Outputs are equal
// in bits. All models, instead of some, and in bf16:
//
//	go test ./tools/differential -run Metamorphic -timeout 1h -args -models . -torchvision DIST [-precision bf16]

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/codegen"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/pass"
	"shapecheck/onnx"
	"shapecheck/present/cli"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
	"shapecheck/symshape"
)

var (
	models      = flag.String("models", "", "the models of testdata/export that are compared, as a pattern; empty: some")
	precision   = flag.String("precision", "", "the precision of runs that are compared with each other: f32 or bf16")
	torchvision = flag.String("torchvision", "", "the folder that holds torchvision's sources, for its models, too")
)

// A modelCase is a line of a file in testdata/export (tools/ortcheck).
type modelCase struct {
	Name, File, Module, Entry string
	Path                      []string
	Train                     bool
	Args                      []string
	Below                     map[string]int64
	Sizes                     []map[string]int64
	Values                    []map[string]any // inputs as nested lists
	Refused                   string

	dir string // where the file was written, with what is beside it when it has more than 2 GiB
}

const exports = "../../testdata/export/"

// modelCases lists the models of a file that match: the flag's pattern, or another when there is none.
func modelCases(t *testing.T, file, some string) []*modelCase {
	t.Helper()
	pattern := *models
	if pattern == "" {
		pattern = some
	}
	re := regexp.MustCompile(pattern)
	b, err := os.ReadFile(exports + file)
	if err != nil {
		t.Fatal(err)
	}
	var out []*modelCase
	for line := range bytes.Lines(b) {
		c := &modelCase{}
		if err := json.Unmarshal(line, c); err != nil {
			t.Fatal(err)
		}
		if c.Refused == "" && re.MatchString(c.Name) {
			out = append(out, c)
		}
	}
	return out
}

// export makes the model's file, with parameters as its constructors draw them.
func (c *modelCase) export(t *testing.T) []byte {
	t.Helper()
	c.dir = t.TempDir()
	out := filepath.Join(c.dir, "model.onnx")
	args := []string{"export", "-o", out, "--init=0", "--opset", "22", "--entry", c.Entry}
	if c.Train {
		args = append(args, "--train")
	}
	for _, a := range c.Args {
		args = append(args, "--arg", a)
	}
	if *torchvision != "" {
		args = append(args, "--path", *torchvision)
	}
	if c.Module != "" {
		args = append(args, "-m", c.Module)
	} else {
		args = append(args, exports+c.File)
	}
	var text bytes.Buffer
	if code := cli.Run(args, strings.NewReader(""), &text, &text); code > 1 {
		t.Fatalf("%s is not exported: %s", c.Name, text.String())
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatalf("%s: %v\n%s", c.Name, err, text.String())
	}
	return b
}

func compiled(t *testing.T, file []byte, level pass.Level) *codegen.Program {
	t.Helper()
	p, err := codegen.Compile(context.Background(), unmarshal(file), codegen.Options{Passes: pass.Options{Level: level}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func loaded(t *testing.T, p *codegen.Program, c vm.Config) *vm.Model {
	t.Helper()
	c.Precision = *precision
	m, err := vm.LoadMemory(p.ISA, p.Segments, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// dimsAt gives the sizes of an input for values of the symbols.
func dimsAt(x *onnx.ValueInfo, sizes map[string]int64) ([]int64, error) {
	pool, dims := symshape.NewPool(), []int64{}
	for _, d := range x.Type.Shape.Dims {
		if d.Known {
			dims = append(dims, d.Value)
			continue
		}
		e, err := pool.Parse(d.Param)
		if err != nil {
			return nil, err
		}
		n, err := e.Eval(func(s string) (int64, bool) { n, ok := sizes[s]; return n, ok })
		if err != nil {
			return nil, err
		}
		dims = append(dims, n)
	}
	return dims, nil
}

// inputs draws inputs of a model at some sizes.
func (c *modelCase) inputs(m *onnx.Model, sizes map[string]int64, seed uint64) (vm.Inputs, error) {
	r := rand.New(rand.NewPCG(seed, 3))
	in := vm.Inputs{}
	for _, port := range m.Graph.Inputs {
		if port.Type.Kind != onnx.TensorType || port.Type.Shape == nil {
			return nil, fmt.Errorf("the input %q is of a kind that is not drawn here", port.Name)
		}
		dims, err := dimsAt(port, sizes)
		if err != nil {
			return nil, err
		}
		x := drawn(r, port.Type.Elem, dims, false)
		name, _, _ := strings.Cut(port.Name, ".")
		for i := range x.I {
			if below := c.Below[name]; below > 0 {
				x.I[i] = r.Int64N(below)
			} else {
				x.I[i] = r.Int64N(2)
			}
		}
		if in[port.Name], err = toTensor(x); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// allInputs makes inputs at all sizes of the contract, and those that are given.
func (c *modelCase) allInputs(t *testing.T, m *onnx.Model) (out []vm.Inputs) {
	t.Helper()
	c.Sizes = slices.DeleteFunc(c.Sizes, func(s map[string]int64) bool { // 0 is outside of every contract
		return slices.Contains(slices.Collect(maps.Values(s)), 0)
	})
	for i, sizes := range c.Sizes {
		in, err := c.inputs(m, sizes, uint64(i+1))
		if err != nil {
			return nil
		}
		out = append(out, in)
	}
	for _, values := range c.Values {
		in, err := givenInputs(m, values)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		out = append(out, in)
	}
	return out
}

// axisOf finds the only axis of a port that is the symbol itself; -1 when there is none or more.
func axisOf(p *isa.Program, port *isa.Port, symbol string) int {
	at := -1
	for k, d := range port.Type.Dims {
		s, ok := p.Sizes[d].E.(*isa.Size_Symbol)
		if !ok || p.Symbols[s.Symbol].Name != symbol {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = k
	}
	return at
}

// row cuts one place of an axis out of a tensor.
func row(t *tensor.Tensor, axis int, i int64) (*tensor.Tensor, error) {
	dims := slices.Clone(t.Dims())
	outer, inner := 1, len(t.Bytes())
	for _, d := range dims[:axis] {
		outer *= int(d)
	}
	inner /= max(1, outer*int(dims[axis]))
	var b []byte
	for k := range outer {
		at := (k*int(dims[axis]) + int(i)) * inner
		b = append(b, t.Bytes()[at:at+inner]...)
	}
	dims[axis] = 1
	return tensor.Wrap(t.DType(), dims, b)
}

// someModels are compared in every run of the tests.
const someModels = `^(unet.labels|vae.ConvVAE|gpt.GPT|misc.PointNet|misc.Experts|audio.Separator|text.Classifier|misc.Generator)$`

func TestMetamorphicBits(t *testing.T) {
	rows, whole := 0, 0
	var cases []*modelCase
	for _, file := range []string{"models.jsonl", "control.jsonl", "layers.jsonl", "indexing.jsonl", "patterns.jsonl"} {
		cases = append(cases, modelCases(t, file, someModels)...)
	}
	if *torchvision != "" {
		cases = append(cases, modelCases(t, "torchvision.jsonl", ".")...)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			file := c.export(t)
			model, p := unmarshal(file), compiled(t, file, pass.Fast)
			ctx := context.Background()
			ins := c.allInputs(t, model)
			if len(ins) == 0 {
				t.Skip("its inputs are not drawn here")
			}
			in, first := ins[len(ins)-1], ins[0]
			run := func(m *vm.Model, in vm.Inputs) vm.Outputs {
				t.Helper()
				y, err := m.Run(ctx, in)
				if err != nil {
					t.Fatal(err)
				}
				return y
			}
			one := loaded(t, p, vm.Config{Threads: 1})
			want := run(one, in)
			equal := func(what string, got vm.Outputs) {
				t.Helper()
				for name, v := range want {
					if !tensor.Equal(v, got[name]) {
						t.Errorf("%s: the output %q differs", what, name)
					}
				}
			}
			whole++
			equal("a second run", run(one, in))
			equal("2 threads", run(loaded(t, p, vm.Config{Threads: 2}), in))
			eight := loaded(t, p, vm.Config{Threads: 8})
			equal("8 threads", run(eight, in))
			if len(ins) > 1 { // other sizes, or other paths, leave nothing behind
				run(one, first)
				run(eight, first)
				equal("a run after one of other sizes", run(one, in))
				equal("8 threads after a run of other sizes", run(eight, in))
			}
			if n := len(c.Sizes); n > 0 && c.batch(t, p, in, c.Sizes[n-1], want) {
				rows++
			}
		})
	}
	t.Logf("%d models, %d of them by rows", whole, rows)
	if rows == 0 {
		t.Errorf("no model has a batch")
	}
}

// batch compares a batch with its rows in both engines. Models that mix the rows, as losses do,
// are found by the reference engine, in which bits never depend on neighbours.
func (c *modelCase) batch(t *testing.T, p *codegen.Program, in vm.Inputs, sizes map[string]int64, want vm.Outputs) bool {
	n, ok := sizes["b"]
	if !ok || n < 2 {
		return false
	}
	for _, port := range slices.Concat(p.ISA.Inputs, p.ISA.Outputs) {
		if port.Type.Kind != isa.Type_TENSOR || axisOf(p.ISA, port, "b") < 0 {
			return false
		}
	}
	differ := func(cfg vm.Config, want vm.Outputs) string {
		m := loaded(t, p, cfg)
		for i := range n {
			part := vm.Inputs{}
			for _, port := range p.ISA.Inputs {
				x, err := row(in[port.Name].(*tensor.Tensor), axisOf(p.ISA, port, "b"), i)
				if err != nil {
					t.Fatal(err)
				}
				part[port.Name] = x
			}
			got, err := m.Run(context.Background(), part)
			if err != nil {
				return err.Error()
			}
			for _, port := range p.ISA.Outputs {
				w, err := row(want[port.Name].(*tensor.Tensor), axisOf(p.ISA, port, "b"), i)
				if err != nil {
					t.Fatal(err)
				}
				if !tensor.Equal(got[port.Name], w) {
					return fmt.Sprintf("row %d of %q differs", i, port.Name)
				}
			}
		}
		return ""
	}
	if c.Module == "" { // the rows of torchvision's models do not, and the reference takes minutes
		ref := vm.Config{Engine: vm.Reference}
		y, err := loaded(t, p, ref).Run(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		if why := differ(ref, y); why != "" {
			t.Logf("its rows depend on each other: %s", why)
			return false
		}
	}
	for _, threads := range []int{1, 2} {
		if why := differ(vm.Config{Threads: threads}, want); why != "" {
			t.Errorf("%d threads: %s", threads, why)
		}
	}
	return true
}
