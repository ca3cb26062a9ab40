package vm

import (
	"context"
	"strings"
	"testing"

	"shapecheck/runtime/kernel"
	"shapecheck/runtime/tensor"
)

// joins are programs with joins, and how many values of each lie in others or have others in them when N is 1.
var joins = []struct {
	name, code string
	over       int
}{
	{"of two values", `Softmax %1 = %0 {axis=-1} -> f32[N,4,16]
Neg %2 = %0 -> f32[N,4,16]
free %0
Concat %3 = %1, %2 {axis=1} -> f32[N,8,16]
free %1
free %2
Softmax %4 = %3 {axis=-1} -> f32[N,8,16]
free %3
`, 3},
	{"of a join, and of the same value twice", `Softmax %1 = %0 {axis=-1} -> f32[N,4,16]
Neg %2 = %0 -> f32[N,4,16]
free %0
Concat %3 = %1, %2, %1 {axis=1} -> f32[N,12,16]
free %1
free %2
Softmax %5 = %3 {axis=-1} -> f32[N,12,16]
Concat %6 = %5, %3 {axis=1} -> f32[N,24,16]
free %5
free %3
Softmax %4 = %6 {axis=-1} -> f32[N,24,16]
free %6
`, 5},
	{"of a value that is used later", `Softmax %1 = %0 {axis=-1} -> f32[N,4,16]
Neg %2 = %0 -> f32[N,4,16]
Concat %3 = %1, %2 {axis=1} -> f32[N,8,16]
free %2
Softmax %5 = %3 {axis=-1} -> f32[N,8,16]
free %3
Softmax %6 = %0 {axis=-1} -> f32[N,4,16]
free %0
ReduceMax %8 = %6 {keepdims=0} -> f32[]
free %6
Concat %7 = %5, %1 {axis=1} -> f32[N,12,16]
free %5
free %1
Softmax %9 = %7 {axis=-1} -> f32[N,12,16]
free %7
Mul %4 = %9, %8 -> f32[N,12,16]
free %9
free %8
`, 5},
	{"along an inner axis", `Softmax %1 = %0 {axis=-1} -> f32[N,4,16]
Neg %2 = %0 -> f32[N,4,16]
free %0
Concat %3 = %1, %2 {axis=2} -> f32[N,4,32]
free %1
free %2
Softmax %4 = %3 {axis=-1} -> f32[N,4,32]
free %3
`, 0},
	{"of the input", `Softmax %1 = %0 {axis=-1} -> f32[N,4,16]
Concat %2 = %0, %1 {axis=1} -> f32[N,8,16]
free %1
free %0
Softmax %3 = %2 {axis=-1} -> f32[N,8,16]
free %2
Concat %4 = %3, %3 {axis=1} -> f32[N,16,16]
free %3
`, 2},
	{"in each trip of a loop", `Softmax %1 = %0 {axis=-1} -> f32[N,4,16]
loop.begin %5, %6, %7 = @2, ~, %1 r0 -> i64[], bool[], f32[N,4,16]
jmpf %6 r0
Softmax %2 = %0 {axis=-1} -> f32[N,4,16]
Neg %3 = %0 -> f32[N,4,16]
Concat %8 = %2, %3 {axis=1} -> f32[N,8,16]
free %2
free %3
Softmax %9 = %8 {axis=1} -> f32[N,8,16]
free %8
ReduceMax %10 = %9 {keepdims=0} -> f32[]
free %9
Sub %11 = %7, %10 -> f32[N,4,16]
free %10
loop.next %5, %6, %7 = %5, @2, ~, %11 r0 -> i64[], bool[], f32[N,4,16]
jmpt %6 r0
loop.end %5, %6 r0
Softmax %4 = %7 {axis=1} -> f32[N,4,16]
free %7
free %1
free %0
`, 3},
	{"where another way makes the same value of an operand", `Softmax %1 = %0 {axis=-1} -> f32[N,4,16]
Neg %2 = %0 -> f32[N,4,16]
free %0
ReduceMax %5 = %2 {keepdims=0} -> f32[]
Greater %6 = %5, @0 -> bool[]
free %5
jmpf %6 r0
Gather %3 = %1, @1 {axis=1} -> f32[N,8,16]
jmp r0
else r0:
Concat %3 = %1, %2 {axis=1} -> f32[N,8,16]
end r0:
free %1
free %2
free %6
Softmax %4 = %3 {axis=-1} -> f32[N,8,16]
free %3
`, 0},
}

// TestJoinsLieWhereTheirOperandsWereMade compares programs with the reference, with and without a batch, and counts the values that are
// not moved.
func TestJoinsLieWhereTheirOperandsWereMade(t *testing.T) {
	for _, c := range joins {
		p := parse(t, "program \"joins\" format 1.0\nsym N 1..\ninput \"x\" f32[N,4,16]\noutput \"y\" f32[...]\nconst @0 f32[] = 0x0000003f\n"+
			"const @1 i64[8] = 0x"+strings.Repeat("0300000000000000020000000000000001000000000000000000000000000000", 2)+"\n"+
			"const @2 i64[] = 0x0500000000000000\nin %0 = {port=0} -> f32[N,4,16]\n"+c.code+"out %4 {port=0}\nfree %4\n")
		for _, n := range []int64{1, 3} {
			x := zeros(n, 4, 16)
			for i := range x.Len() {
				x.SetFloat(i, float64(i%13)/4-1)
			}
			var want tensor.Value
			for _, cfg := range append(engines(), Config{Threads: 2, Poison: true}) {
				m := mustLoad(t, p, cfg)
				r := m.NewRunner()
				if err := r.SetInput(0, x); err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if err := r.Run(context.Background()); err != nil {
						t.Fatalf("%s: %v", c.name, err)
					}
					if want == nil {
						want = r.Output(0).(*tensor.Tensor).Clone()
					} else if why := Differ(r.Output(0), want, Tolerance{Rel: 1e-5, Abs: 1e-6}); why != "" {
						t.Fatalf("joins %s, N = %d, %+v: %s", c.name, n, cfg, why)
					}
				}
				if plan := r.f.plan; n == 1 && cfg.Engine == Fast && cfg.Tier == kernel.Best().String() {
					over := 0
					for _, z := range plan.over {
						if z {
							over++
						}
					}
					if over != c.over {
						t.Errorf("joins %s: %d values lie in others or have others in them", c.name, over)
					}
				}
				r.Close()
			}
		}
	}
}
