package vm

import (
	"context"
	"testing"

	"shapecheck/internal/cputime"
	"shapecheck/runtime/tensor"
)

// trips has a loop with three small nodes.
const trips = `program "trips" format 1.0
input "n" i64[]
input "x" f32[4]
output "y" f32[4]
const @0 f32[] = 0x0000803f
in %0 = {port=0} -> i64[]
in %1 = {port=1} -> f32[4]
loop.begin %2, %3, %4 = %0, ~, %1 r0 -> i64[], bool[], f32[4]
jmpf %3 r0
Add %5 = %4, @0 -> f32[4]
Mul %6 = %5, @0 -> f32[4]
free %5
Sub %7 = %6, @0 -> f32[4]
free %6
loop.next %2, %3, %4 = %2, %0, ~, %7 r0 -> i64[], bool[], f32[4]
jmpt %3 r0
loop.end %2, %3 r0
out %4 {port=0}
free %4
free %1
free %0
`

func BenchmarkTrip(b *testing.B) {
	m := mustLoad(b, parse(b, trips), Config{Threads: 1})
	const n = 1000
	in := Inputs{"n": tensor.Scalar(int64(n)), "x": zeros(4)}
	b.ReportAllocs()
	begin := cputime.Used()
	for b.Loop() {
		if _, err := m.Run(context.Background(), in); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((cputime.Used()-begin).Nanoseconds())/float64(b.N)/n, "cpu-ns/trip")
}

// A trip makes no garbage: values take the memory of the last trip's.
func TestTripsAllocateNothing(t *testing.T) {
	m := mustLoad(t, parse(t, trips), Config{Threads: 1})
	count := func(n int64) float64 {
		in := Inputs{"n": tensor.Scalar(n), "x": zeros(4)}
		return testing.AllocsPerRun(5, func() {
			y, err := m.Run(context.Background(), in)
			if err != nil || f32s(t, y["y"])[0] != 0 {
				t.Fatal(err, y)
			}
		})
	}
	if few, many := count(2), count(2000); many > few+8 {
		t.Errorf("%v allocations with 2 trips, %v with 2000", few, many)
	}
}
