package vm

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// Slices along an input's first axis lie in the input, whatever is done with them: the results are the reference's,
// in new memory and in that of the last run, and nobody writes the input.
func TestRowsOfInputsLieThere(t *testing.T) {
	p := parse(t, `program "rows" format 1.0
input "x" f32[5,2,3]
output "y" f32[2,2,3]
output "z" f32[1,2,3]
output "w" f32[2,2,3]
output "v" f32[3,3]
const @0 i64[1] = 0x0000000000000000
const @1 i64[1] = 0x0100000000000000
const @2 i64[1] = 0x0300000000000000
const @3 i64[1] = 0xfdffffffffffffff
const @4 i64[1] = 0xffffffffffffff7f
in %0 = {port=0} -> f32[5,2,3]
Slice %1 = %0, @1, @2, @0, @1 -> f32[2,2,3]
Slice %2 = %1, @1, @4, @0 -> f32[1,2,3]
Relu %3 = %1 -> f32[2,2,3] alias 0
free %1
out %3 {port=0}
free %3
out %2 {port=1}
Slice %4 = %0, @3, @4, @0, @1 -> f32[3,2,3]
Slice %5 = %4, @0, @4, @0, @2 -> f32[1,2,3]
view %6 = %4 -> f32[6,3] alias 0
free %4
Slice %7 = %6, @2, @4, @0, @1 -> f32[3,3]
free %6
Exp %8 = %7 -> f32[3,3] alias 0
free %7
out %8 {port=3}
free %8
Concat %9 = %5, %2 {axis=0} -> f32[2,2,3]
free %5
free %2
free %0
out %9 {port=2}
free %9
`)
	x := zeros(5, 2, 3)
	for i := range x.Len() {
		x.SetFloat(i, float64(i%7)-3)
	}
	before := bytes.Clone(x.Bytes())
	want, err := mustLoad(t, p, Config{Engine: Reference}).Run(context.Background(), Inputs{"x": x})
	if err != nil {
		t.Fatal(err)
	}
	m := mustLoad(t, p, Config{Threads: 2, Poison: true})
	marked := 0
	for _, is := range m.rowsOfInput {
		if is {
			marked++
		}
	}
	if marked != 3 { // %1, %4 and %7; %2 is an output and %5 has steps of 3
		t.Errorf("%d slices lie in an input", marked)
	}
	r := m.NewRunner()
	defer r.Close()
	if err := r.SetInput(0, x); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		got, err := m.Run(context.Background(), Inputs{"x": x})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		for k, w := range want {
			if !bytes.Equal(got[k].(*tensor.Tensor).Bytes(), w.(*tensor.Tensor).Bytes()) {
				t.Errorf("the output %s is %v, not %v", k, got[k], w)
			}
		}
		for k, port := range p.Outputs {
			if g, w := r.Output(k).(*tensor.Tensor), want[port.Name].(*tensor.Tensor); !bytes.Equal(g.Bytes(), w.Bytes()) {
				t.Errorf("the runner's output %s is %v, not %v", port.Name, g, w)
			}
		}
	}
	if !bytes.Equal(x.Bytes(), before) {
		t.Error("the input is written")
	}
}

// Slices of anything but an input's first axis, and those whose memory is needed elsewhere, are no rows of an input.
func TestOtherSlicesAreNoRowsOfInputs(t *testing.T) {
	const text = `program "slices" format 1.0
input "x" f32[4,3]
output "y" f32[2,3]
const @0 i64[1] = 0x0000000000000000
const @1 i64[1] = 0x0100000000000000
const @2 i64[1] = 0x0300000000000000
const @3 i64[1] = 0x0400000000000000
in %0 = {port=0} -> f32[4,3]
MADE
out OUT {port=0}
free %0
free OUT
`
	const relu = "\nRelu %2 = %1 -> f32[2,3] alias 0\nfree %1"
	for _, c := range []struct {
		made string
		rows int
	}{
		{"Slice %1 = %0, @1, @2, @0 -> f32[2,3]" + relu, 1},
		{"Slice %1 = %0, @1, @2, @0 -> f32[...]" + relu, 0},                                                     // of a rank that is not known
		{"Slice %1 = %0, @1, @2, @0 -> f32[2,3]", 0},                                                            // made as the output
		{"Relu %3 = %0 -> f32[4,3]\nSlice %1 = %3, @1, @2, @0 -> f32[2,3]\nfree %3" + relu, 0},                  // of what is no input
		{"Slice %1 = %0, @0, @3, @0, @2 -> f32[2,3]" + relu, 0},                                                 // with a step
		{"view %3 = %0 -> f32[4,3] alias 0\nSlice %1 = %3, @1, @2, @0 -> f32[2,3]" + relu + "\nfree %3", 1},     // of a view
		{"view %3 = %0 -> f32[2,6] alias 0\nSlice %1 = %3, @0, @2, @1 -> f32[2,3]" + relu + "\nfree %3", 0},     // along another axis
		{"Slice %3 = %0, @1, @2, @0 -> f32[2,3]\nview %1 = %3 -> f32[2,3] alias 0\nfree %3" + relu, 1},          // which is then viewed
		{"Slice %2 = %0, @1, @2, @0 -> f32[2,3]\nview %1 = %2 -> f32[2,3] alias 0\nfree %2", 0},                 // and is the output
		{"Gather %3 = %0, @1 {axis=0} -> f32[1,3]\nConcat %1 = %3, %3 {axis=0} -> f32[2,3]\nfree %3" + relu, 1}, // a place
		{"Gather %3 = %0, @1 {axis=1} -> f32[4,1]\nConcat %4 = %3, %3, %3 {axis=1} -> f32[4,3]\nfree %3\nSlice %1 = %4, @1, @2, @0 -> f32[2,3]\nfree %4" + relu, 0},
	} {
		last := "%1"
		if strings.Contains(c.made, relu) {
			last = "%2"
		}
		p := parse(t, strings.NewReplacer("MADE", c.made, "OUT", last).Replace(text))
		m := mustLoad(t, p, Config{Threads: 1, Poison: true})
		marked := 0
		for _, is := range m.rowsOfInput {
			if is {
				marked++
			}
		}
		if marked != c.rows {
			t.Errorf("%s: %d rows of an input", c.made, marked)
		}
		in := Inputs{"x": tensor.Of([]float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 4, 3)}
		want, err := mustLoad(t, p, Config{Engine: Reference}).Run(t.Context(), in)
		if err != nil {
			t.Errorf("%s: %v", c.made, err)
			continue
		}
		if got, err := m.Run(t.Context(), in); err != nil || !tensor.Equal(got["y"], want["y"]) {
			t.Errorf("%s: %v %v, want %v", c.made, got["y"], err, want["y"])
		}
	}
}

// delayed has a loop whose states keep the slices of an input that the last three trips have seen.
const delayed = `program "delay" format 1.0
input "n" i64[]
input "x" f32[9,2]
output "y" f32[1,2]
const @0 i64[1] = 0x0000000000000000
const @1 i64[1] = 0x0100000000000000
const @2 f32[] = 0x0000803f
in %0 = {port=0} -> i64[]
in %1 = {port=1} -> f32[9,2]
fill %2 = @2 -> f32[1,2]
loop.begin %3, %4, %5, %6, %7, %8 = %0, ~, %2, %2, %2, @0 r0 -> i64[], bool[], f32[1,2], f32[1,2], f32[1,2], i64[1]
jmpf %4 r0
Add %9 = %8, @1 -> i64[1]
Slice %10 = %1, %8, %9, @0 -> f32[1,2]
loop.next %3, %4, %5, %6, %7, %8 = %3, %0, ~, %10, %5, %6, %9 r0 -> i64[], bool[], f32[1,2], f32[1,2], f32[1,2], i64[1]
jmpt %4 r0
loop.end %3, %4 r0
out %7 {port=0}
free %2
free %8
free %7
free %6
free %5
free %1
free %0
`

// A slice that lies in an input, or a place of its first axis, is another tensor in each trip, also where states still have those of
// trips before.
func TestRowsOfInputsAreStatesOfLoops(t *testing.T) {
	places := strings.NewReplacer("f32[9,2]", "f32[9,600]", "f32[1,2]", "f32[600]", "Slice %10 = %1, %8, %9, @0",
		"Gather %10 = %1, %3 {axis=0}")
	for _, text := range []string{delayed, places.Replace(delayed)} {
		delays(t, parse(t, text))
	}
}

func delays(t *testing.T, p *isa.Program) {
	m := mustLoad(t, p, Config{Threads: 1, Poison: true})
	reference := mustLoad(t, p, Config{Engine: Reference})
	r := m.NewRunner()
	defer r.Close()
	x := zeros(9, p.Sizes[p.Inputs[1].Type.Dims[1]].GetConst())
	for i := range x.Len() {
		x.SetFloat(i, float64(i))
	}
	ctx := context.Background()
	for n := range int64(10) {
		in := Inputs{"n": tensor.Scalar(n), "x": x}
		want, err := reference.Run(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Run(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(r.SetInput(0, in["n"]), r.SetInput(1, x), r.Run(ctx)); err != nil {
			t.Fatal(err)
		}
		if !tensor.Equal(got["y"], want["y"]) || !tensor.Equal(r.Output(0), want["y"]) {
			t.Errorf("%d trips: %v, of a runner %v, want %v", n, f32s(t, got["y"])[:2], f32s(t, r.Output(0))[:2], f32s(t, want["y"])[:2])
		}
	}
}
