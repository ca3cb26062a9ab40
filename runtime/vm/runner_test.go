package vm

import (
	"context"
	"runtime"
	"testing"

	"shapecheck/runtime/tensor"
)

// grows adds one to each element and appends a row of zeros.
const grows = `program "grows" format 1.0
sym N 1..
input "x" f32[N,4]
output "y" f32[N+1,4]
const @0 f32[] = 0x0000803f
const @1 f32[1,4] = 0x00000000000000000000000000000000
in %0 = {port=0} -> f32[N,4]
Add %1 = %0, @0 -> f32[N,4]
free %0
Concat %2 = %1, @1 {axis=0} -> f32[N+1,4]
free %1
out %2 {port=0}
free %2
`

// A state that comes back as an input is not overwritten while it is read, and outputs of fewer elements lie where those of more did.
func TestOutputsLieWhereTheLastOnesDidUnlessTheyAreRead(t *testing.T) {
	m := mustLoad(t, parse(t, grows), Config{Threads: 1, Poison: true})
	r := m.NewRunner()
	defer r.Close()
	run := func(x tensor.Value) *tensor.Tensor {
		t.Helper()
		if err := r.SetInput(0, x); err != nil {
			t.Fatal(err)
		}
		if err := r.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		return r.Output(0).(*tensor.Tensor)
	}
	long := run(zeros(50, 4))
	short := run(zeros(2, 4))
	if &long.Bytes()[0] != &short.Bytes()[0] {
		t.Error("an output of fewer rows has other memory")
	}
	state := short
	for step := range 5 {
		state = run(state)
		if want := float64(2 + step); state.Float(0) != want || state.Float(4*(2+step)) != 1 || state.Float(state.Len()-1) != 0 {
			t.Fatalf("step %d: the rows begin with %v", step, f32s(t, state))
		}
	}
}

// What outputs lay in before they grew does not wait for Go's collector, which would let the heap grow to twice of it.
func TestMemoryOfOutputsThatGrowGoesBack(t *testing.T) {
	m := mustLoad(t, parse(t, grows), Config{Threads: 1})
	r := m.NewRunner()
	defer r.Close()
	const most = 3 << 20 // rows of 16 bytes
	memory := zeros(most, 4).Bytes()
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	before := stats.HeapInuse
	for rows := int64(most - 8); rows < most; rows++ {
		x, err := tensor.Wrap(tensor.Float32, []int64{rows, 4}, memory[:16*rows])
		if err != nil {
			t.Fatal(err)
		}
		if err := r.SetInput(0, x); err != nil {
			t.Fatal(err)
		}
		if err := r.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&stats)
	if more, one := stats.HeapInuse-before, uint64(16*most); more > one+one/4 {
		t.Errorf("after outputs of %d bytes the heap has %d more", one, more)
	}
}
