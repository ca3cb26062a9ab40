package vm

// This file runs programs on hostile inputs, and mutated programs: nothing may panic, hang or take
// much memory.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// A keptProgram is one of testdata/vm/kept, or of the tests of the format.
type keptProgram struct {
	text string
	file string // where the segments are; empty: there are none
}

func keptPrograms(t testing.TB) (out []keptProgram) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/vm/kept/*/program.prog")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	for _, name := range files {
		f, c, err := isa.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := isa.Text(f.Program)
		if err := errors.Join(err, c.Close()); err != nil {
			t.Fatal(err)
		}
		out = append(out, keptProgram{text, name})
	}
	text, err := os.ReadFile("../../codegen/isa/testdata/control.txt")
	if err != nil {
		t.Fatal(err)
	}
	return append(out, keptProgram{string(text), ""})
}

// safely runs a program within small budgets. Only a panic is a fault.
func safely(t *testing.T, p *isa.Program, file string, in func(*isa.Program) Inputs) {
	cfg := Config{Threads: 1, Budget: Budget{Instructions: 3000, Bytes: 64 << 20, Trips: 50}}
	for _, cfg.Engine = range []Engine{Fast, Reference} {
		var m *Model
		var err error
		if file == "" {
			m, err = Load(p, cfg)
		} else {
			f, c, err1 := isa.ReadFile(file)
			if err1 != nil {
				t.Fatal(err1)
			}
			m, err = LoadSegments(p, f.Segments, cfg)
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err == nil {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			start := time.Now()
			_, err = m.Run(ctx, in(p))
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("a run of 2 s took %v", d)
			}
			cancel()
			m.Close()
		}
		var e *Error
		if errors.As(err, &e) && e.Code == CodePanic {
			t.Fatalf("%v", err)
		}
	}
}

// plain makes inputs as the program's ports say, each symbol with a small size.
func plain(p *isa.Program) Inputs {
	in := Inputs{}
	syms, known := make([]int64, len(p.Symbols)), make([]bool, len(p.Symbols))
	for i, s := range p.Symbols {
		syms[i], known[i] = max(s.Lo, 2), true
	}
	vals, ready := make([]int64, len(p.Sizes)), make([]bool, len(p.Sizes))
	if p.EvalSizes(syms, known, vals, ready) != nil {
		return in
	}
	for _, port := range p.Inputs {
		if port.Type.Kind != isa.Type_TENSOR {
			in[port.Name] = tensor.NewSequence()
			continue
		}
		n, dims := int64(1), []int64{}
		for _, d := range port.Type.Dims {
			dims, n = append(dims, vals[d]), n*max(1, min(vals[d], 1<<21))
			if vals[d] < 0 || n > 1<<20 {
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
	return in
}

// FuzzInputs gives files of inputs to programs: npy, npz and ONNX's messages.
func FuzzInputs(f *testing.F) {
	list := keptPrograms(f)
	dir := filepath.Dir(list[0].file)
	pb, err := os.ReadFile(filepath.Join(dir, "input_0.pb"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint8(0), uint8(0), pb)
	x, err := tensor.UnmarshalProto(pb, tensor.TensorKind)
	if err != nil {
		f.Fatal(err)
	}
	for i, name := range []string{"x.npy", "x.npz"} {
		path := filepath.Join(f.TempDir(), name)
		if err := tensor.WriteFile(path, "x", x); err != nil {
			f.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), uint8(1+i), b)
	}
	f.Fuzz(func(t *testing.T, which, form uint8, b []byte) {
		path := filepath.Join(t.TempDir(), "input"+[]string{".pb", ".npy", ".npz"}[form%3])
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, kind := range []tensor.Kind{tensor.TensorKind, tensor.SequenceKind, tensor.OptionalKind} {
			values, err := tensor.ReadFile(nil, path, kind)
			if err != nil {
				continue
			}
			q := list[int(which)%len(list)]
			p, err := isa.Parse(q.text)
			if err != nil {
				t.Fatal(err)
			}
			safely(t, p, q.file, func(p *isa.Program) Inputs {
				in := plain(p)
				for i, port := range p.Inputs {
					if len(values) > 0 {
						in[port.Name] = values[i%len(values)].Value
					}
				}
				return in
			})
		}
	})
}

// FuzzMutatedRuns puts words of a program's text in other places of it, and runs what the verifier
// accepts.
func FuzzMutatedRuns(f *testing.F) {
	list := keptPrograms(f)
	for i := range list {
		f.Add(uint8(i), uint16(7*i+12), uint8(3), uint16(11*i+14), uint8(3))
		f.Add(uint8(i), uint16(13*i+30), uint8(1), uint16(3*i+25), uint8(2))
	}
	f.Fuzz(func(t *testing.T, which uint8, line uint16, word uint8, from uint16, source uint8) {
		q := list[int(which)%len(list)]
		p, err := isa.Parse(mutated(q.text, int(line), int(word), int(from), int(source)))
		if err != nil || isa.Verify(p) != nil {
			return
		}
		safely(t, p, q.file, plain)
	})
}

// mutated replaces one word of a line by one of another line.
func mutated(text string, line, word, from, source int) string {
	lines := strings.Split(text, "\n")
	a, b := strings.Fields(lines[line%len(lines)]), strings.Fields(lines[from%len(lines)])
	if len(a) == 0 || len(b) == 0 {
		return text
	}
	a[word%len(a)] = b[source%len(b)]
	lines[line%len(lines)] = strings.Join(a, " ")
	return strings.Join(lines, "\n")
}

// TestMutatedProgramsRunOrAreRefused does a little of it in every run of the tests.
func TestMutatedProgramsRunOrAreRefused(t *testing.T) {
	accepted := 0
	for i, q := range keptPrograms(t) {
		for n := range 150 {
			p, err := isa.Parse(mutated(q.text, 37*n+i, n, 91*n+5*i, n/3))
			if err != nil || isa.Verify(p) != nil {
				continue
			}
			accepted++
			safely(t, p, q.file, plain)
		}
	}
	if accepted < 30 {
		t.Errorf("only %d of the mutated programs are accepted: the test says little", accepted)
	}
}
