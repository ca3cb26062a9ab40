package vm

import (
	"context"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// turning has a loop of small nodes, one of which looks at elements, with an If in it.
const turning = `program "turning" format 1.0
sym N 1..
input "n" i64[]
input "x" f32[N]
input "k" i64[]
output "y" f32[N]
const @0 f32[] = 0x0000803f
const @1 i64[] = 0x0200000000000000
in %0 = {port=0} -> i64[]
in %1 = {port=1} -> f32[N]
in %2 = {port=2} -> i64[]
loop.begin %3, %4, %5 = %0, ~, %1 r0 -> i64[], bool[], f32[N]
jmpf %4 r0
Add %6 = %3, %2 -> i64[]
Gather %7 = %1, %6 {axis=0} -> f32[]
free %6
Add %8 = %5, %7 -> f32[N]
free %7
Mul %11 = %8, @0 -> f32[N] alias 0
free %8
Less %9 = %3, @1 -> bool[]
jmpf %9 r1
Mul %10 = %11, %11 -> f32[N]
jmp r1
else r1:
Sub %10 = %11, @0 -> f32[N]
end r1:
free %11
free %9
loop.next %3, %4, %5 = %3, %0, ~, %10 r0 -> i64[], bool[], f32[N]
jmpt %4 r0
loop.end %3, %4 r0
out %5 {port=0}
free %5
free %2
free %1
free %0
`

// Trips that are run as an earlier one was give the bits of trips that hooks look at one by one, also when sizes
// change from run to run, and end at the same instruction when elements are wrong.
func TestTripsThatAreRepeatedAreAsOthers(t *testing.T) {
	quick := mustLoad(t, parse(t, turning), Config{Threads: 1, Poison: true})
	slow := mustLoad(t, parse(t, turning), Config{Threads: 1, Hooks: &Hooks{Before: func(int, *isa.Instruction, []tensor.Value) {}}})
	r := quick.NewRunner()
	defer r.Close()
	ctx := context.Background()
	for _, c := range []struct{ trips, size, first int64 }{{6, 9, 0}, {6, 9, 0}, {1, 9, 3}, {0, 9, 3}, {6, 12, 2}, {6, 9, -6}, {6, 6, 3},
		{6, 9, 0}, {5, 6, 1}} {
		x := zeros(c.size)
		for i := range x.Len() {
			x.SetFloat(i, float64(i)/8-0.25)
		}
		in := Inputs{"n": tensor.Scalar(c.trips), "x": x, "k": tensor.Scalar(c.first)}
		want, wrong := slow.Run(ctx, in)
		got, err := quick.Run(ctx, in)
		for k, name := range []string{"n", "x", "k"} {
			if err := r.SetInput(k, in[name]); err != nil {
				t.Fatal(err)
			}
		}
		again := r.Run(ctx)
		if wrong != nil {
			if err == nil || again == nil || err.Error() != wrong.Error() || again.Error() != wrong.Error() ||
				!strings.Contains(err.Error(), "Gather") {
				t.Errorf("%v: %v, of a runner %v, want %v", c, err, again, wrong)
			}
			continue
		}
		if err != nil || again != nil {
			t.Fatal(err, again)
		}
		if !tensor.Equal(got["y"], want["y"]) || !tensor.Equal(r.Output(0), want["y"]) {
			t.Errorf("%v: %v, of a runner %v, want %v", c, got["y"], r.Output(0), want["y"])
		}
	}
}

// A state may be a constant from the second trip on, which stays where it is, and results of the body may be absent, as the condition is.
func TestStatesThatAreConstants(t *testing.T) {
	const text = `program "constant" format 1.0
input "n" i64[]
input "x" f32[3]
output "y" f32[3]
const @0 f32[3] = 0x0000803f0000004000004040
const @1 i64[1] = 0x0300000000000000
in %0 = {port=0} -> i64[]
in %1 = {port=1} -> f32[3]
loop.begin %2, %3, %4, %5 = %0, ~, %1, %1 r0 -> i64[], bool[], f32[3], f32[3]
jmpf %3 r0
Add %6 = %4, %5 -> f32[3]
TopK %7, ~ = %6, @1 -> f32[3], ?
free %7
loop.next %2, %3, %4, %5 = %2, %0, ~, %6, @0 r0 -> i64[], bool[], f32[3], f32[3]
jmpt %3 r0
loop.end %2, %3 r0
out %4 {port=0}
free %4
free %5
free %1
free %0
`
	p := parse(t, text)
	for _, cfg := range []Config{{Threads: 1, Poison: true}, {Engine: Reference}} {
		m := mustLoad(t, p, cfg)
		for n, want := range []float32{4, 8, 9, 10} {
			y, err := m.Run(context.Background(), Inputs{"n": tensor.Scalar(int64(n)), "x": tensor.Of([]float32{4, 4, 4})})
			if err != nil || f32s(t, y["y"])[0] != want {
				t.Fatal(err, n, y)
			}
		}
	}
}
