package vm

import (
	"context"
	"fmt"
	"math"
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
		for _, c := range []Config{{Threads: 1, Hooks: alone}, {Threads: 1}, {Threads: 3}, {Threads: 2, Poison: true},
			{Threads: 1, Tier: "portable"}} {
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

// drawnChain writes a program of functions of elements of a matrix, a row, a column and a number, and of each other's results, which end
// after their last use, some in place.
func drawnChain(r *rand.Rand) string {
	const n = 14
	code := "in %0 = {port=0} -> f32[M,N]\nin %1 = {port=1} -> f32[N]\nin %2 = {port=2} -> f32[M,1]\n"
	whole := []int{0} // values of the result's sizes
	last := map[int]int{}
	type op struct {
		text    string
		in      []int
		inPlace int
	}
	var ops []op
	for k := 3; k < 3+n; k++ {
		x := whole[max(0, len(whole)-1-r.IntN(4))]
		if two := r.IntN(3) > 0; two {
			z, name := "@0", pick(r, "Add", "Sub", "Mul", "Div", "Max", "Min")
			in := []int{x}
			switch r.IntN(6) {
			case 0:
			case 1:
				z, in = "%1", []int{x, 1}
			case 2:
				z, in = "%2", []int{x, 2}
			default:
				other := whole[r.IntN(len(whole))]
				z, in = fmt.Sprintf("%%%d", other), []int{x, other}
			}
			left, right := fmt.Sprintf("%%%d", x), z
			at := 0
			if r.IntN(2) == 0 {
				left, right, at = z, left, 1
			}
			if len(in) == 2 && in[0] == in[1] {
				at = -1
			}
			ops = append(ops, op{fmt.Sprintf("%s %%%d = %s, %s -> f32[M,N]", name, k, left, right), in, at})
		} else {
			ops = append(ops, op{fmt.Sprintf("%s %%%d = %%%d -> f32[M,N]",
				pick(r, "Exp", "Tanh", "Erf", "Sigmoid", "Relu", "Abs", "Neg", "Sqrt", "Floor", "LeakyRelu", "HardSwish", "Swish", "Gelu"), k, x),
				[]int{x}, 0})
		}
		for _, v := range ops[len(ops)-1].in {
			last[v] = k
		}
		whole = append(whole, k)
	}
	outputs := []int{2 + n, whole[1+r.IntN(n)]}
	for _, v := range outputs {
		last[v] = 1000
	}
	free := map[int]bool{}
	for i, o := range ops {
		k := 3 + i
		code += o.text
		if o.inPlace >= 0 && o.in[0] > 2 && last[o.in[0]] == k && r.IntN(2) == 0 {
			code += fmt.Sprintf(" alias %d", o.inPlace)
		}
		code += "\n"
		for _, v := range append(o.in, k) {
			if v > 2 && !free[v] && (last[v] == k || v == k && last[v] == 0) {
				free[v] = true
				code += fmt.Sprintf("free %%%d\n", v)
			}
		}
	}
	ports := ""
	for i, v := range outputs {
		code += fmt.Sprintf("out %%%d {port=%d}\n", v, i)
		ports += fmt.Sprintf("output \"y%d\" f32[M,N]\n", i)
	}
	for v := range 3 + n {
		if !free[v] {
			code += fmt.Sprintf("free %%%d\n", v)
		}
	}
	return "program \"drawn\" format 1.0\nsym M 1..\nsym N 1..\ninput \"x\" f32[M,N]\ninput \"b\" f32[N]\ninput \"s\" f32[M,1]\n" + ports +
		"const @0 f32[] = 0x0000003f\n" + code
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// FuzzGroups draws chains, whose results on the vector machine of each tier must have the bits that their functions give one by one.
func FuzzGroups(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		text := drawnChain(r)
		p := parse(t, text)
		d := pick(r, [2]int64{1, 8192}, [2]int64{20, 700}, [2]int64{9, 1024}, [2]int64{3, 8191}, [2]int64{300, 100}, [2]int64{8200, 1})
		special := []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1e-42,
			math.MaxFloat32}
		drawn := func(dims ...int64) *tensor.Tensor {
			x := zeros(dims...)
			v, _ := tensor.Data[float32](x)
			for i := range v {
				if v[i] = float32(r.NormFloat64() * 3); r.IntN(50) == 0 {
					v[i] = pick(r, special...)
				}
			}
			return x
		}
		in := Inputs{"x": drawn(d[0], d[1]), "b": drawn(d[1]), "s": drawn(d[0], 1)}
		for _, tier := range []string{"avx512", "avx2", "portable"} {
			var want Outputs
			for _, c := range []Config{{Threads: 1, Hooks: &Hooks{Kernel: func(int, string) {}}}, {Threads: 1}, {Threads: 2, Poison: true}} {
				c.Tier = tier
				m, err := Load(p, c)
				if err != nil {
					break // the processor has not got the tier
				}
				y, err := m.Run(context.Background(), in)
				m.Close()
				if err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = y
				}
				if !tensor.Equal(y["y0"], want["y0"]) || !tensor.Equal(y["y1"], want["y1"]) {
					t.Fatalf("%s, %v, %d threads: the results are others in\n%s", tier, d, c.Threads, text)
				}
			}
		}
	})
}

// eightFunctions are functions in place of each other on 2²⁰ elements.
func eightFunctions() string {
	var code strings.Builder
	for k, op := range []string{"Add", "Mul", "Tanh", "Sub", "Sigmoid", "Mul", "Add", "Abs"} {
		operands, alias := fmt.Sprintf("%%%d", k), " alias 0"
		if op != "Tanh" && op != "Sigmoid" && op != "Abs" {
			operands += ", @0"
		}
		if k == 0 {
			alias = ""
		}
		fmt.Fprintf(&code, "%s %%%d = %s -> f32[1048576]%s\nfree %%%d\n", op, k+1, operands, alias, k)
	}
	return "program \"chain\" format 1.0\ninput \"x\" f32[1048576]\noutput \"y\" f32[1048576]\nconst @0 f32[] = 0x0000003f\nin %0 = {port=0} -> f32[1048576]\n" + code.String() + "out %8 {port=0}\nfree %8\n"
}

// Results of a group that take the memory of what the group has done with are where the plan says.
func TestGroupsInPlaceTakeNoMemoryOfTheirOwn(t *testing.T) {
	m := mustLoad(t, parse(t, eightFunctions()), Config{Threads: 1})
	r := m.NewRunner()
	defer r.Close()
	if err := r.SetInput(0, zeros(1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := r.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if held := m.store.Held(); held > 0 {
		t.Errorf("%d bytes beside the arena", held)
	}
}

// BenchmarkChain computes them together and one by one.
func BenchmarkChain(b *testing.B) {
	for name, hooks := range map[string]*Hooks{"grouped": nil, "alone": {Kernel: func(int, string) {}}} {
		b.Run(name, func(b *testing.B) {
			m := mustLoad(b, parse(b, eightFunctions()), Config{Threads: 1, Hooks: hooks})
			r := m.NewRunner()
			defer r.Close()
			x := zeros(1 << 20) // in memory of its own, which zeros that nobody has written are not
			for i := range x.Len() {
				x.SetFloat(i, math.Sin(float64(i)))
			}
			if err := r.SetInput(0, x); err != nil {
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
