package differential

// This file runs programs that older versions have written: testdata/vm/kept. They must run forever.
// How one is added is in the README there.

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/codegen"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/pass"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

var keep = flag.String("keep", "", "writes the program of this model of testdata/export, or of random:SEED, into testdata/vm/kept")

const kept = "../../testdata/vm/kept"

// kindOf is the message of a port's values.
func kindOf(t *isa.Type) tensor.Kind {
	switch t.Kind {
	case isa.Type_SEQUENCE:
		return tensor.SequenceKind
	case isa.Type_OPTIONAL:
		return tensor.OptionalKind
	}
	return tensor.TensorKind
}

func TestKeptProgramsRun(t *testing.T) {
	if *keep != "" {
		keepProgram(t, *keep)
	}
	dirs, err := filepath.Glob(kept + "/*/program.prog")
	if err != nil || len(dirs) < 8 {
		t.Fatalf("%d programs, %v", len(dirs), err)
	}
	for _, file := range dirs {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			for name, cfg := range map[string]vm.Config{"reference": {Engine: vm.Reference}, "fast": {Threads: 2}} {
				m, err := vm.LoadFile(file, cfg)
				if err != nil {
					t.Fatal(err)
				}
				defer m.Close()
				value := func(file string, port *isa.Port) tensor.Value {
					b, err := os.ReadFile(filepath.Join(dir, file))
					if err != nil {
						t.Fatal(err)
					}
					v, err := tensor.UnmarshalProto(b, kindOf(port.Type))
					if err != nil {
						t.Fatalf("%s: %v", file, err)
					}
					return v
				}
				in := vm.Inputs{}
				for i, port := range m.Program().Inputs {
					in[port.Name] = value(fmt.Sprintf("input_%d.pb", i), port)
				}
				got, err := m.Run(context.Background(), in)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for i, port := range m.Program().Outputs {
					if what := nearly(t, got[port.Name], value(fmt.Sprintf("output_%d.pb", i), port)); what != "" {
						t.Errorf("%s: the output %q: %s", name, port.Name, what)
					}
				}
			}
		})
	}
}

// nearly compares floats within 1e-4 of the largest, and all else in bits.
func nearly(t *testing.T, got, want tensor.Value) string {
	t.Helper()
	g, err := fromTensor(got)
	if err != nil {
		return err.Error()
	}
	w, err := fromTensor(want)
	if err != nil {
		t.Fatal(err)
	}
	return compareNear(g, w)
}

func compareNear(got, want eval.Value) string {
	if s, ok := want.(*eval.Sequence); ok {
		g, ok := got.(*eval.Sequence)
		if !ok || len(g.Items) != len(s.Items) {
			return fmt.Sprintf("%s instead of %s", describe(got), describe(want))
		}
		for i, x := range s.Items {
			if what := compareNear(g.Items[i], x); what != "" {
				return fmt.Sprintf("item %d: %s", i, what)
			}
		}
		return ""
	}
	x, ok := want.(*eval.Tensor)
	if !ok || x.F == nil {
		return differ(got, want, nil)
	}
	y, ok := got.(*eval.Tensor)
	if !ok || y.DType != x.DType || fmt.Sprint(y.Dims) != fmt.Sprint(x.Dims) {
		return fmt.Sprintf("%s instead of %s", describe(got), describe(want))
	}
	most := 0.0
	for _, f := range x.F {
		if a := math.Abs(f); a < math.Inf(1) {
			most = max(most, a)
		}
	}
	tol := 1e-4
	if x.DType == onnx.Float16 || x.DType == onnx.BFloat16 {
		tol = 1e-2
	}
	for i, f := range x.F {
		if y.F[i] != f && !(math.Abs(y.F[i]-f) <= tol*most) && !sameKind(y.F[i], f) {
			return fmt.Sprintf("element %d is %v instead of %v", i, y.F[i], f)
		}
	}
	return ""
}

// keepProgram writes a program with inputs, and the outputs of the reference engine.
func keepProgram(t *testing.T, what string) {
	var file []byte
	var in vm.Inputs
	if seed, ok := strings.CutPrefix(what, "random:"); ok {
		var n uint64
		if _, err := fmt.Sscan(seed, &n); err != nil {
			t.Fatal(err)
		}
		m := randomGraph(n)
		file, in = marshal(m.model), vm.Inputs{}
		for name, v := range m.ins {
			x, err := toTensor(v)
			if err != nil {
				t.Fatal(err)
			}
			in[name] = x
		}
	} else {
		for _, f := range []string{"models.jsonl", "control.jsonl"} {
			*models = "^" + what + "$"
			for _, c := range modelCases(t, f, "") {
				var err error
				file = c.export(t)
				if in, err = c.inputs(unmarshal(file), c.Sizes[0], 1); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	p, err := codegen.Compile(context.Background(), unmarshal(file), codegen.Options{Passes: pass.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := loaded(t, p, vm.Config{Engine: vm.Reference}).Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(kept, strings.NewReplacer(":", "_", ".", "_").Replace(what))
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err) // what is kept is never written again
	}
	if err := p.WriteFile(filepath.Join(dir, "program.prog")); err != nil {
		t.Fatal(err)
	}
	write := func(name string, port *isa.Port, v tensor.Value) {
		b, err := tensor.MarshalProto(port.Name, v)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i, port := range p.ISA.Inputs {
		write(fmt.Sprintf("input_%d.pb", i), port, in[port.Name])
	}
	for i, port := range p.ISA.Outputs {
		write(fmt.Sprintf("output_%d.pb", i), port, out[port.Name])
	}
}
