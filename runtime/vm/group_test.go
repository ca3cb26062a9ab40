package vm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"shapecheck/runtime/tensor"
)

// chains has functions of elements that broadcast, that go on in place, and that end what others still need.
const chains = `program "chains" format 1.0
sym M 1..
sym N 1..
input "x" f32[M,N]
input "b" f32[N]
input "s" f32[M,1]
output "y" f32[M,N]
output "z" bool[M,N]
const @0 f32[] = 0x0000003f
in %0 = {port=0} -> f32[M,N]
in %1 = {port=1} -> f32[N]
in %2 = {port=2} -> f32[M,1]
Add %3 = %0, %1 -> f32[M,N]
Mul %4 = %3, %2 -> f32[M,N]
free %3
Sigmoid %5 = %4 -> f32[M,N] alias 0
free %4
Mul %6 = %5, %0 -> f32[M,N]
Sub %7 = %6, %5 -> f32[M,N] alias 0
free %6
free %5
Tanh %8 = %7 -> f32[M,N] alias 0
free %7
Mul %9 = %8, @0 -> f32[M,N] alias 0
free %8
Less %10 = %9, %0 -> bool[M,N]
out %9 {port=0}
out %10 {port=1}
free %9
free %10
free %0
free %1
free %2
`

// A group gives the bits of its instructions one by one, whatever the threads, and less often goes over the memory.
func TestGroupsAreTheirInstructions(t *testing.T) {
	text := chains
	p := parse(t, text)
	r := rand.New(rand.NewPCG(1, 1))
	drawn := func(dims ...int64) *tensor.Tensor {
		x := zeros(dims...)
		v, _ := tensor.Data[float32](x)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return x
	}
	grouped := 0
	alone := &Hooks{Kernel: func(int, string) {}} // an observer sees each instruction by itself
	for _, d := range [][2]int64{{1, 1}, {3, 70}, {200, 300}, {1, 20000}, {20000, 1}, {7, 9001}, {1025, 64}} {
		in := Inputs{"x": drawn(d[0], d[1]), "b": drawn(d[1]), "s": drawn(d[0], 1)}
		var want Outputs
		for _, c := range []Config{{Threads: 1, Hooks: alone}, {Threads: 1}, {Threads: 3}, {Threads: 2, Poison: true}, {Threads: 1, Tier: "portable"}} {
			m := mustLoad(t, p, c)
			for range 2 {
				y, err := m.Run(context.Background(), in)
				if err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = y
				}
				if c.Tier == "" && (!tensor.Equal(y["y"], want["y"]) || !tensor.Equal(y["z"], want["z"])) {
					t.Fatalf("%v with %+v: the results are others", d, c)
				}
			}
			for _, plan := range m.plans.list {
				for _, g := range plan.groups {
					if g != nil {
						grouped++
					}
				}
			}
			m.Close()
		}
	}
	if grouped == 0 {
		t.Error("there was no group")
	}
}

// BenchmarkChain has eight functions on 2²⁰ elements.
func BenchmarkChain(b *testing.B) {
	var code strings.Builder
	for k, op := range []string{"Add", "Mul", "Relu", "Sub", "Sigmoid", "Mul", "Add", "Neg"} {
		operands, alias := fmt.Sprintf("%%%d", k), " alias 0"
		if op != "Relu" && op != "Sigmoid" && op != "Neg" {
			operands += ", @0"
		}
		if k == 0 {
			alias = ""
		}
		fmt.Fprintf(&code, "%s %%%d = %s -> f32[1048576]%s\nfree %%%d\n", op, k+1, operands, alias, k)
	}
	text := "program \"chain\" format 1.0\ninput \"x\" f32[1048576]\noutput \"y\" f32[1048576]\nconst @0 f32[] = 0x0000003f\nin %0 = {port=0} -> f32[1048576]\n" + code.String() + "out %8 {port=0}\nfree %8\n"
	for name, hooks := range map[string]*Hooks{"grouped": nil, "alone": {Kernel: func(int, string) {}}} {
		b.Run(name, func(b *testing.B) {
			m := mustLoad(b, parse(b, text), Config{Threads: 1, Hooks: hooks})
			r := m.NewRunner()
			defer r.Close()
			if err := r.SetInput(0, zeros(1<<20)); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := r.Run(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// apartness has a neighbour of each kind that is not computed with the one before.
const apartness = `program "apart" format 1.0
input "x" f32[200,300]
input "b" f32[200]
output "y" f32[200,300]
output "u" f32[200,300]
const @0 f32[300,300] = zeros
in %0 = {port=0} -> f32[200,300]
in %1 = {port=1} -> f32[200]
matmul %2 = %0, @0 -> f32[200,300]
Tanh %3 = %2 -> f32[200,300]
free %2
Exp %4 = %3 -> f32[200,300] alias 0
free %3
Softmax %5 = %4 {axis=1} -> f32[200,300]
free %4
Neg %6 = %5 -> f32[200,300]
free %5
matmul %7 = %6, @0 -> f32[200,300]
free %6
Relu %8 = %7 -> f32[200,300]
Abs %9 = %1 -> f32[200]
Neg %10 = %9 -> f32[200]
free %9
free %10
out %7 {port=0}
out %8 {port=1}
free %7
free %8
free %0
free %1
`

func TestFusionsHaveReasons(t *testing.T) {
	text := strings.Replace(apartness, "zeros", "0x"+strings.Repeat("0000803f", 300*300), 1)
	m := mustLoad(t, parse(t, text), Config{Threads: 1})
	list, err := m.Fusions(Inputs{"x": zeros(200, 300), "b": zeros(200)})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range list {
		got = append(got, fmt.Sprint(x.PCs, " ", x.Reason))
	}
	want := `[3 5] 
[2 3] the epilogue of matmul adds and bounds, it does not compute Tanh
[5 7] Softmax is no function of elements
[7 9] Softmax is no function of elements
[9 11] matmul is no function of elements
[11 13] the result of matmul is an output
[14 15] 200 elements are too few`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("%s\nwant\n%s", s, want)
	}
}
