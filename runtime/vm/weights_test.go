package vm

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/tensor"
)

// weighty has a product and a convolution with large weights.
const weighty = `program "weighty" format 1.0
sym K 1..
sym N 1..
input "x" f32[N,128]
input "p" f32[1,32,K,8]
output "y" f32[N,256]
output "z" f32[1,64,K,8]
segment 0 "data" at 0 length 204800
const @0 f32[128,256] = segment 0 at 0
const @1 f32[64,32,3,3] = segment 0 at 131072
in %0 = {port=0} -> f32[N,128]
in %1 = {port=1} -> f32[1,32,K,8]
matmul %2 = %0, @0 -> f32[N,256]
conv %3 = %1, @1 {pads=[1,1,1,1]} -> f32[1,64,K,8]
out %2 {port=0}
free %2
out %3 {port=1}
free %3
free %0
free %1
`

// Elements of constants go when all their uses have packed forms, and come back when somebody wants them.
func TestWeightsAreHeldOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	weights := make([]float32, 204800/4)
	for i := range weights {
		weights[i] = r.Float32() - 0.5
	}
	p := parse(t, weighty)
	data := &isa.Data{}
	data.Add(tensor.Of(weights, int64(len(weights))).Bytes())
	in := func(n int64) Inputs {
		x, y := make([]float32, n*128), make([]float32, n*32*8)
		for i := range x {
			x[i] = float32(i%17) - 8
		}
		for i := range y {
			y[i] = float32(i%19) - 9
		}
		return Inputs{"x": tensor.Of(x, n, 128), "p": tensor.Of(y, 1, 32, n, 8)}
	}
	run := func(m *Model, n int64) Outputs {
		t.Helper()
		y, err := m.Run(context.Background(), in(n))
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	load := func(c Config) *Model {
		t.Helper()
		m, err := LoadMemory(p, []*isa.Data{data}, c)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	held := func(m *Model) (out [2]bool) {
		for k := range out {
			out[k] = m.consts[k].now.Load().Bytes() != nil
		}
		return out
	}
	plain := load(Config{CheckReference: &Tolerance{Rel: 1e-4}})
	m := load(Config{Hooks: &Hooks{}})
	for _, n := range []int64{3, 1, 7} {
		want, got := run(plain, n), run(m, n)
		for name := range want {
			if !tensor.Equal(want[name], got[name]) {
				t.Errorf("with %d rows %s differs", n, name)
			}
		}
		if held(m) != [2]bool{} || held(plain) != [2]bool{true, true} {
			t.Fatalf("held: %v, with a reference %v", held(m), held(plain))
		}
	}
	*m.cfg.Hooks = Hooks{After: func(_ int, _ *isa.Instruction, in, _ []tensor.Value) {
		for _, x := range in {
			if x.(*tensor.Tensor).Bytes() == nil {
				t.Error("an observer sees a constant without elements")
			}
		}
	}}
	if run(m, 3); held(m) != [2]bool{true, true} {
		t.Errorf("held after an observed run: %v", held(m))
	}
	for k, at := range []int{0, 131072 / 4} {
		x, _ := tensor.Data[float32](m.consts[k].now.Load())
		for i, v := range x {
			if v != weights[at+i] {
				t.Fatalf("element %d of constant %d is %v, not %v", i, k, v, weights[at+i])
			}
		}
	}
}

const square = `program "product" format 1.0
sym N 1..
input "x" f32[N,8]
output "y" f32[N,8]
const @0 f32[8,8] = zeros
in %0 = {port=0} -> f32[N,8]
matmul %1 = %0, @0 -> f32[N,8]
free %0
out %1 {port=0}
free %1
`

// Only who asks for bf16 gets it, and then whatever the threads are the same bits.
func TestPrecisionIsAsked(t *testing.T) {
	p := parse(t, strings.Replace(square, "zeros", "0x"+strings.Repeat("0000803f9a99993e", 32), 1))
	if _, err := Load(p, Config{Precision: "f8"}); err == nil {
		t.Error("f8 is a precision")
	}
	x := make([]float32, 24*8)
	for i := range x {
		x[i] = float32(i%31)/7 - 2
	}
	kernelsOf := func(precision string, threads int) (names []string, y Outputs) {
		m := mustLoad(t, p, Config{Precision: precision, Tier: kernel.Best().String(), Threads: threads,
			Hooks: &Hooks{Kernel: func(_ int, name string) { names = append(names, name) }}})
		defer m.Close()
		y, err := m.Run(context.Background(), Inputs{"x": tensor.Of(x, 24, 8)})
		if err != nil {
			t.Fatal(err)
		}
		return names, y
	}
	plain, _ := kernelsOf("", 1)
	names, one := kernelsOf("bf16", 1)
	_, two := kernelsOf("bf16", 2)
	if plain[0] != "matmul.f32.panel" || len(kernel.BF16(kernel.Best())) > 0 && !strings.HasPrefix(names[0], "matmul.bf16.") {
		t.Errorf("the kernels are %v and %v", plain, names)
	}
	for name := range one {
		if !tensor.Equal(one[name], two[name]) {
			t.Errorf("%s differs with two threads", name)
		}
	}
}

// Models of a process that have the same weights share them, in both forms, until the last one is closed.
func TestModelsShareWeights(t *testing.T) {
	p := parse(t, weighty)
	load := func(first float32) *Model {
		t.Helper()
		list := make([]float32, 204800/4)
		for i := range list {
			list[i] = first + float32(i%101)/100
		}
		data := &isa.Data{}
		data.Add(tensor.Of(list, int64(len(list))).Bytes())
		m, err := LoadMemory(p, []*isa.Data{data}, Config{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	run := func(m *Model) Outputs {
		t.Helper()
		y, err := m.Run(context.Background(), Inputs{"x": zeros(3, 128), "p": zeros(1, 32, 3, 8)})
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	forms := func(m *Model) map[*byte]bool {
		out := map[*byte]bool{}
		for _, b := range m.packed.list {
			out[&b[0]] = true
		}
		return out
	}
	a, b, other := load(0), load(0), load(1)
	if x, y := a.consts[0].now.Load(), b.consts[0].now.Load(); x != y {
		t.Error("equal elements are held twice")
	}
	want := run(a)
	run(b)
	run(other)
	if x := forms(a); len(x) != 2 || !maps.Equal(x, forms(b)) {
		t.Errorf("forms: %v and %v", x, forms(b))
	}
	for f := range forms(other) {
		if forms(a)[f] {
			t.Error("other weights are shared")
		}
	}
	a.Close()
	a.Close()
	for name, y := range run(b) { // whose forms were made by the first one
		if !tensor.Equal(y, want[name]) {
			t.Errorf("%s differs", name)
		}
	}
	c := load(0)
	run(c)
	if !maps.Equal(forms(c), forms(b)) {
		t.Error("a later model makes the forms again")
	}
	owner := a.packed
	b.Close()
	if run(c); owner.users != 1 {
		t.Errorf("%d models use the forms", owner.users)
	}
	c.Close()
	other.Close()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	for k, f := range shared.forms {
		if f.owner == owner || f.owner == other.packed {
			t.Errorf("%s is left", k.form)
		}
	}
}

// A thousand runs at random sizes hold as much memory as one at the largest.
func TestRandomSizesHoldWhatTheLargestNeeds(t *testing.T) {
	p := parse(t, weighty)
	data := &isa.Data{}
	data.Add(zeros(204800 / 4).Bytes())
	held := func(sizes func(k int) (int64, int64), runs int) int64 {
		m, err := LoadMemory(p, []*isa.Data{data}, Config{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		r := m.NewRunner()
		for k := range runs {
			n, h := sizes(k)
			if err := errors.Join(r.SetInput(0, zeros(n, 128)), r.SetInput(1, zeros(1, 32, h, 8)), r.Run(context.Background())); err != nil {
				t.Fatal(err)
			}
		}
		r.Close()
		return m.arenas.Held() + m.store.Held()
	}
	const rows, lines = 700, 90
	random := rand.New(rand.NewPCG(7, 7))
	many := held(func(k int) (int64, int64) {
		if k == 500 {
			return rows, lines
		}
		return 1 + random.Int64N(rows), 1 + random.Int64N(lines)
	}, 1000)
	if one := held(func(int) (int64, int64) { return rows, lines }, 1); 100*many > 102*one {
		t.Errorf("%d bytes are held, %d after the largest run alone", many, one)
	}
}
