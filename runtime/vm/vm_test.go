package vm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/tensor"
)

func parse(t testing.TB, text string) *isa.Program {
	t.Helper()
	p, err := isa.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// engines are the ways of running that must agree.
func engines() (list []Config) {
	list = append(list, Config{Engine: Reference})
	for tier := kernel.Portable; tier <= kernel.Best(); tier++ {
		list = append(list, Config{Tier: tier.String(), Threads: 1}, Config{Tier: tier.String(), Threads: 3})
	}
	return list
}

func mustLoad(t testing.TB, p *isa.Program, cfg Config) *Model {
	t.Helper()
	m, err := Load(p, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

func f32s(t testing.TB, v tensor.Value) []float32 {
	t.Helper()
	x, ok := tensor.Data[float32](v.(*tensor.Tensor))
	if !ok {
		t.Fatalf("%s has no f32", v.Type())
	}
	return x
}

// The program of isa's tests: a loop with a condition in its body and a sequence that grows; the
// places of what is not zero decide a size.
func TestConditionsLoopsAndSequencesRun(t *testing.T) {
	text, err := os.ReadFile("../../codegen/isa/testdata/control.txt")
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, string(text))
	for _, cfg := range engines() {
		m := mustLoad(t, p, cfg)
		for _, c := range []bool{true, false} {
			for _, n := range []int64{0, 1, 5} {
				x := []float32{-2, 0, 3}
				y, err := m.Run(context.Background(), Inputs{"x": tensor.Of(x), "c": tensor.Scalar(c), "n": tensor.Scalar(n)})
				if err != nil {
					t.Fatal(err)
				}
				// With c each trip adds one, without it multiplies by one.
				want := []float32{-2, 0, 3}
				var places []int64
				for i := range want {
					if c {
						want[i] += float32(n)
					}
					if want[i] != 0 {
						places = append(places, int64(i))
					}
				}
				if got := f32s(t, y["y"]); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%+v c=%v n=%d: y is %v, not %v", cfg, c, n, got, want)
				}
				if s := y["s"].(*tensor.Sequence); int64(s.Len()) != n {
					t.Errorf("%+v c=%v n=%d: s has %d elements", cfg, c, n, s.Len())
				} else if n > 0 && fmt.Sprint(f32s(t, s.At(int(n)-1))) != fmt.Sprint(want) {
					t.Errorf("the last element is %v, not %v", f32s(t, s.At(int(n)-1)), want)
				}
				if k, _ := y["k"].(*tensor.Tensor).Ints(); fmt.Sprint(k) != fmt.Sprint(places) {
					t.Errorf("k is %v, not %v", k, places)
				}
				if x[0] != -2 {
					t.Error("the input was written")
				}
			}
		}
	}
}

// network is a convolution with bias and ReLU, a view, a product with weights in the file, and
// a softmax.
const network = `program "net" format 1.0
sym N 1..
sym H 4..64
require "H % 2 == 0" because "net.py:41: halves are joined"
input "x" f32[N,3,H,H]
output "y" f32[N,10]
segment 0 "data" at 0 length 20736
const @0 "w" f32[8,3,3,3] = segment 0 at 0
const @1 "b" f32[8] = segment 0 at 864
const @2 "v" f32[8,10] = segment 0 at 896
in %0 = {port=0} -> f32[N,3,H,H]
conv %1 = %0, @0, @1 {act="relu" pads=[1,1,1,1] strides=[2,2]} -> f32[N,8,(H-1)//2+1,(H-1)//2+1] ; at "net.py":12 "conv1" node "Conv_0"
free %0
GlobalAveragePool %2 = %1 -> f32[N,8,1,1]
free %1
view %3 = %2 -> f32[N,8] alias 0
free %2
matmul %4 = %3, @2 -> f32[N,10]
free %3
Softmax %5 = %4 {axis=-1} -> f32[N,10]
free %4
out %5 {port=0}
free %5
`

func networkData() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]float32, 20736/4)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return tensor.Of(x).Bytes()
}

func TestEnginesAgreeOnANetwork(t *testing.T) {
	p := parse(t, network)
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int64{{1, 4}, {3, 10}, {2, 64}} {
		xs := make([]float32, size[0]*3*size[1]*size[1])
		for i := range xs {
			xs[i] = float32(r.NormFloat64())
		}
		x := tensor.Of(xs, size[0], 3, size[1], size[1])
		want := plainNetwork(xs, int(size[0]), int(size[1]))
		bits := map[string][]float32{}
		for _, cfg := range engines() {
			m, err := LoadSegments(p, bytes.NewReader(networkData()), cfg)
			if err != nil {
				t.Fatal(err)
			}
			y, err := m.Run(context.Background(), Inputs{"x": x})
			if err != nil {
				t.Fatal(err)
			}
			got := f32s(t, y["y"])
			for i := range want {
				if math.Abs(float64(got[i])-want[i]) > 1e-5 {
					t.Fatalf("%+v: element %d is %v, not %v", cfg, i, got[i], want[i])
				}
			}
			if before := bits[cfg.Tier]; cfg.Engine == Fast && before != nil {
				for i := range got {
					if got[i] != before[i] {
						t.Fatalf("%+v: the bits depend on the threads", cfg)
					}
				}
			}
			bits[cfg.Tier] = got
			m.Close()
		}
	}
}

func plainNetwork(x []float32, n, h int) (out []float64) {
	data := tensor.Of(make([]float32, 20736/4))
	copy(data.Bytes(), networkData())
	d, _ := tensor.Data[float32](data)
	w, b, v := d[:216], d[216:224], d[224:304]
	o := (h-1)/2 + 1
	for s := range n {
		var mean [8]float64
		for c := range 8 {
			for oy := range o {
				for ox := range o {
					sum := float64(b[c])
					for ch := range 3 {
						for k := range 9 {
							y, z := 2*oy+k/3-1, 2*ox+k%3-1
							if y >= 0 && y < h && z >= 0 && z < h {
								sum += float64(x[((s*3+ch)*h+y)*h+z]) * float64(w[(c*3+ch)*9+k])
							}
						}
					}
					mean[c] += math.Max(sum, 0) / float64(o*o)
				}
			}
		}
		var e [10]float64
		total := 0.0
		for j := range e {
			for c := range mean {
				e[j] += mean[c] * float64(v[c*10+j])
			}
			e[j] = math.Exp(e[j])
			total += e[j]
		}
		for _, x := range e {
			out = append(out, x/total)
		}
	}
	return out
}

func TestInputsThatBreakTheContractAreRefused(t *testing.T) {
	p := parse(t, network)
	m, err := LoadSegments(p, bytes.NewReader(networkData()), Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, c := range []struct {
		in   Inputs
		code string
		want string
	}{
		{Inputs{"x": zeros(1, 3, 9, 9)}, CodeContract,
			"H % 2 == 0 is needed (net.py:41: halves are joined), but x has H = 9; the nearest sizes are 8 and 10"},
		{Inputs{"x": zeros(1, 3, 2, 2)}, CodeContract, "H must be from 4 to 64, but x has H = 2"},
		{Inputs{"x": zeros(1, 3, 8, 10)}, CodeInput, "the program says f32[1,3,8,8]"},
		{Inputs{"x": zeros(1, 4, 8, 8)}, CodeInput, "f32[1,4,8,8]: the program says f32[1,3,8,8], where axis 1 is fixed"},
		{Inputs{"x": zeros(1, 3, 8)}, CodeInput, "not of 4 dimensions"},
		{Inputs{"x": tensor.Scalar(int64(1))}, CodeInput, "not f32"},
		{Inputs{"x": tensor.NewSequence()}, CodeInput, "another kind"},
		{Inputs{}, CodeInput, "is missing"},
		{Inputs{"x": zeros(1, 3, 8, 8), "z": zeros(1)}, CodeInput, `no input "z"`},
	} {
		ran := false
		m.cfg.Hooks = &Hooks{Before: func(int, *isa.Instruction, []tensor.Value) { ran = true }}
		_, err := m.Run(context.Background(), c.in)
		var e *Error
		if !errors.As(err, &e) || e.Code != c.code || !strings.Contains(err.Error(), c.want) || ran {
			t.Errorf("%v, ran %v; it should be %s: %s", err, ran, c.code, c.want)
		}
	}
}

// An If whose arms have other ranks: the memory of a runner's output does not suit the next run.
func TestRunnersHaveOutputsOfAnyRank(t *testing.T) {
	const ranks = `program "ranks" format 1.0
input "c" bool[]
input "x" f32[2,3]
output "y" f32[...]
in %0 = {port=0} -> bool[]
in %1 = {port=1} -> f32[2,3]
jmpf %0 r0
  ReduceSum %2 = %1 {keepdims=0} -> f32[...]
jmp r0
else r0:
  Neg %2 = %1 -> f32[...]
end r0:
free %1
free %0
out %2 {port=0}
free %2
`
	for _, cfg := range engines() {
		r := mustLoad(t, parse(t, ranks), cfg).NewRunner()
		for n, c := range []bool{true, false, false, true} {
			for k, v := range []tensor.Value{tensor.Scalar(c), zeros(2, 3)} {
				if err := r.SetInput(k, v); err != nil {
					t.Fatal(err)
				}
			}
			want := "f32[2,3]"
			if c {
				want = "f32[]"
			}
			if err := r.Run(context.Background()); err != nil || r.Output(0).Type() != want {
				t.Errorf("run %d: %v, %v instead of %s", n, err, r.Output(0), want)
			}
		}
		r.Close()
	}
}

func zeros(dims ...int64) *tensor.Tensor {
	t, err := tensor.New(tensor.Float32, dims...)
	if err != nil {
		panic(err)
	}
	return t
}

// spin adds one to its state until the input is negative, which it never is.
const spin = `program "spin" format 1.0
input "x" f32[4]
output "y" f32[4]
const @0 f32[] = 0x0000803f
in %0 = {port=0} -> f32[4]
loop.begin %1, %2, %3 = ~, ~, %0 r0 -> i64[], bool[], f32[4]
jmpf %2 r0
Add %4 = %3, @0 -> f32[4] ; at "spin.py":3 node "Add_1"
loop.next %1, %2, %3 = %1, ~, ~, %4 r0 -> i64[], bool[], f32[4]
jmpt %2 r0
loop.end %1, %2 r0
out %3 {port=0}
free %3
free %0
`

func TestBudgetsEndARunWithTheInstruction(t *testing.T) {
	p := parse(t, spin)
	for _, c := range []struct {
		b    Budget
		want string
	}{{Budget{Instructions: 1000}, "more than 1000 instructions"}, {Budget{Trips: 70}, "more than 70 trips"},
		{Budget{Bytes: 500}, "spin.py:3: instruction 3, Add of f32[4], f32[]"}} {
		m := mustLoad(t, p, Config{Budget: c.b})
		_, err := m.Run(context.Background(), Inputs{"x": zeros(4)})
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeBudget || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.b, err)
		}
	}
	m := mustLoad(t, p, Config{})
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	m.cfg.Hooks = &Hooks{After: func(int, *isa.Instruction, []tensor.Value, []tensor.Value) {
		if n++; n == 500 {
			cancel()
		}
	}}
	_, err := m.Run(ctx, Inputs{"x": zeros(4)})
	if !errors.Is(err, context.Canceled) || n > 501 {
		t.Errorf("cancelled after %d instructions: %v", n, err)
	}
}

func TestRunsAtTheSameTimeDoNotMeet(t *testing.T) {
	text := strings.NewReplacer("= ~, ~, %0 r0", "= @1, ~, %0 r0", "%1, ~, ~, %4 r0", "%1, @1, ~, %4 r0", "in %0 =",
		"const @1 i64[] = 0x3200000000000000\nin %0 =").Replace(spin)
	m := mustLoad(t, parse(t, text), Config{Threads: 2})
	var all sync.WaitGroup
	for k := range 6 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 10 {
				y, err := m.Run(context.Background(), Inputs{"x": tensor.Of([]float32{float32(k), 0, 0, 0})})
				if err != nil {
					t.Error(err)
					return
				}
				if got := f32s(t, y["y"])[0]; got != float32(k+50) {
					t.Errorf("%d and 50 is %v", k, got)
				}
			}
		}()
	}
	all.Wait()
}

func TestFilesAreLoadedAndTheirSumsChecked(t *testing.T) {
	dir := t.TempDir()
	p := parse(t, network)
	var b bytes.Buffer
	if err := isa.Write(&b, p, []io.Reader{bytes.NewReader(networkData())}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "net.prog")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := LoadFile(path, Config{})
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	p.Segments[0].Sha256 = make([]byte, 32)
	if _, err := LoadSegments(p, bytes.NewReader(networkData()), Config{}); err == nil || !strings.Contains(err.Error(), "sum") {
		t.Errorf("a wrong sum: %v", err)
	}
	p.Segments[0].Sha256, p.Segments[0].File = nil, "weights.bin"
	for _, n := range []int{20735, 20736} {
		if err := os.WriteFile(filepath.Join(dir, "weights.bin"), networkData()[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := Load(p, Config{Dir: dir})
		if (err == nil) != (n == 20736) {
			t.Errorf("external data of %d bytes: %v", n, err)
		}
		if err == nil {
			m.Close()
		}
	}
	if _, err := LoadFile(filepath.Join(dir, "weights.bin"), Config{}); err == nil || !strings.Contains(err.Error(), CodeFormat) {
		t.Errorf("weights are no program: %v", err)
	}
	p.Code = p.Code[1:]
	if _, err := Load(p, Config{Dir: dir}); err == nil || !strings.Contains(err.Error(), CodeVerify) {
		t.Errorf("a broken program: %v", err)
	}
}

func TestNumbersAreCheckedWhenAsked(t *testing.T) {
	text := strings.NewReplacer("Add %4 = %3, @0", "Div %4 = %3, %3").Replace(spin)
	m := mustLoad(t, parse(t, text), Config{CheckNaN: true})
	_, err := m.Run(context.Background(), Inputs{"x": zeros(4)})
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeNumber || e.PC != 3 || e.Place != "spin.py:3" || fmt.Sprint(e.Nodes) != "[Add_1]" {
		t.Errorf("%#v", err)
	}
}
