package vm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// rowLoops have loops whose rows are joined. Each takes x, f32[4,3], and n trips; OUT stands for what is done with the joined tensor %20.
var rowLoops = map[string]string{
	"a state, and twice of it as a row": `SequenceEmpty %2 = {dtype=1} -> seq(f32[3])
loop.begin %3, %4, %5, %6 = %1, ~, @0, %2 r0 -> i64[], bool[], f32[3], seq(f32[3])
jmpf %4 r0
Gather %7 = %0, %3 {axis=0} -> f32[3]
Add %8 = %5, %7 -> f32[3]
free %7
Add %9 = %8, %8 -> f32[3]
SequenceInsert %10 = %6, %9 -> seq(f32[3])
free %9
loop.next %3, %4, %5, %6 = %3, %1, ~, %8, %10 r0 -> i64[], bool[], f32[3], seq(f32[3])
jmpt %4 r0
loop.end %3, %4 r0
free %5
seq.stack %20 = %6 -> f32[N,3]
free %6
free %2
`,
	"the state itself as a row": `SequenceEmpty %2 = {dtype=1} -> seq(f32[3])
loop.begin %3, %4, %5, %6 = %1, ~, @0, %2 r0 -> i64[], bool[], f32[3], seq(f32[3])
jmpf %4 r0
Gather %7 = %0, %3 {axis=0} -> f32[3]
Add %8 = %5, %7 -> f32[3]
free %7
SequenceInsert %10 = %6, %8 -> seq(f32[3])
loop.next %3, %4, %5, %6 = %3, %1, ~, %8, %10 r0 -> i64[], bool[], f32[3], seq(f32[3])
jmpt %4 r0
loop.end %3, %4 r0
free %5
seq.stack %20 = %6 -> f32[N,3]
free %6
free %2
`,
	"a loop in a loop, each with rows": `SequenceEmpty %2 = {dtype=1} -> seq(f32[3])
SequenceEmpty %11 = {dtype=1} -> seq(f32[3])
loop.begin %3, %4, %6 = %1, ~, %2 r0 -> i64[], bool[], seq(f32[3])
jmpf %4 r0
loop.begin %12, %13, %14 = @1, ~, %11 r1 -> i64[], bool[], seq(f32[3])
jmpf %13 r1
Gather %7 = %0, %12 {axis=0} -> f32[3]
Gather %8 = %0, %3 {axis=0} -> f32[3]
Mul %9 = %7, %8 -> f32[3]
free %7
free %8
SequenceInsert %15 = %14, %9 -> seq(f32[3])
free %9
loop.next %12, %13, %14 = %12, @1, ~, %15 r1 -> i64[], bool[], seq(f32[3])
jmpt %13 r1
loop.end %12, %13 r1
seq.stack %16 = %14 -> f32[4,3]
free %14
Gather %17 = %16, %3 {axis=0} -> f32[3]
free %16
SequenceInsert %10 = %6, %17 -> seq(f32[3])
free %17
loop.next %3, %4, %6 = %3, %1, ~, %10 r0 -> i64[], bool[], seq(f32[3])
jmpt %4 r0
loop.end %3, %4 r0
seq.stack %20 = %6 -> f32[N,3]
free %6
free %11
free %2
`,
	"a sequence that somebody else has": `SequenceEmpty %2 = {dtype=1} -> seq(f32[3])
loop.begin %3, %4, %6 = %1, ~, %2 r0 -> i64[], bool[], seq(f32[3])
jmpf %4 r0
Gather %7 = %0, %3 {axis=0} -> f32[3]
SequenceInsert %10 = %6, %7 -> seq(f32[3])
SequenceInsert %11 = %6, @0 -> seq(f32[3])
free %11
free %7
loop.next %3, %4, %6 = %3, %1, ~, %10 r0 -> i64[], bool[], seq(f32[3])
jmpt %4 r0
loop.end %3, %4 r0
seq.stack %20 = %6 -> f32[N,3]
free %6
free %2
`,
}

// rowProgram is a program of rowLoops: the joined tensor is an output, or what an output is computed of.
func rowProgram(t testing.TB, loop string, output bool) *isa.Program {
	end := "Neg %21 = %20 -> f32[N,3]\nout %21 {port=0}\nfree %21\nfree %20\n"
	if output {
		end = "out %20 {port=0}\nfree %20\n"
	}
	names := map[string]string{} // values are numbered in their order
	return parse(t, regexp.MustCompile(`%\d+`).ReplaceAllStringFunc(`program "rows" format 1.0
sym N 0..
input "x" f32[4,3]
input "n" i64[]
output "y" f32[N,3]
const @0 f32[3] = 0x0000803f0000803f0000803f
const @1 i64[] = 0x0400000000000000
in %0 = {port=0} -> f32[4,3]
in %1 = {port=1} -> i64[]
view %30 = %1 -> i64[1]
bind %30 binds N
free %30
`+loop+end+"free %1\nfree %0\n", func(s string) string {
		if names[s] == "" {
			names[s] = fmt.Sprintf("%%%d", len(names))
		}
		return names[s]
	}))
}

func TestRowsOfLoopsAreJoined(t *testing.T) {
	x := zeros(4, 3)
	for i := range x.Len() {
		x.SetFloat(i, math.Sin(float64(i)))
	}
	for name, loop := range rowLoops {
		for _, output := range []bool{true, false} {
			p := rowProgram(t, loop, output)
			reference := mustLoad(t, p, Config{Engine: Reference})
			for _, cfg := range []Config{{Threads: 1}, {Threads: 2, Poison: true},
				{Threads: 1, Hooks: &Hooks{Borrow: true, After: func(int, *isa.Instruction, []tensor.Value, []tensor.Value) {}}}} {
				m := mustLoad(t, p, cfg)
				if rows := slices.ContainsFunc(m.rows, func(x int32) bool { return x > 0 }); rows != (name != "a sequence that somebody else has") {
					t.Fatalf("%s: rows are %v", name, m.rows)
				}
				r := m.NewRunner()
				for _, n := range []int64{3, 1, 0, 4, 4} {
					in := Inputs{"x": x, "n": tensor.Scalar(n)}
					want, err := reference.Run(context.Background(), in)
					if err != nil {
						t.Fatal(err)
					}
					got, err := m.Run(context.Background(), in)
					if err != nil {
						t.Fatalf("%s, %d trips: %v", name, n, err)
					}
					if !tensor.Equal(got["y"], want["y"]) {
						t.Errorf("%s, %d trips: %v, not %v", name, n, f32s(t, got["y"]), f32s(t, want["y"]))
					}
					if err := r.SetInput(0, x); err != nil {
						t.Fatal(err)
					}
					if err := r.SetInput(1, tensor.Scalar(n)); err != nil {
						t.Fatal(err)
					}
					if err := r.Run(context.Background()); err != nil {
						t.Fatal(err)
					}
					if !tensor.Equal(r.Output(0), want["y"]) {
						t.Errorf("%s, %d trips of a runner: %v, not %v", name, n, f32s(t, r.Output(0)), f32s(t, want["y"]))
					}
				}
				r.Close()
				if used := m.store.Held(); used > 1<<20 {
					t.Errorf("%s: %d bytes are held", name, used)
				}
			}
		}
	}
}

// What leaves a run is the caller's: the next run does not write there.
func TestJoinedRowsThatLeaveARunStay(t *testing.T) {
	m := mustLoad(t, rowProgram(t, rowLoops["the state itself as a row"], true), Config{Threads: 1})
	x := zeros(4, 3)
	first, err := m.Run(context.Background(), Inputs{"x": x, "n": tensor.Scalar(int64(4))})
	if err != nil {
		t.Fatal(err)
	}
	for i := range x.Len() {
		x.SetFloat(i, 7)
	}
	if _, err := m.Run(context.Background(), Inputs{"x": x, "n": tensor.Scalar(int64(4))}); err != nil {
		t.Fatal(err)
	}
	if got := f32s(t, first["y"])[11]; got != 1 {
		t.Errorf("the first run's last element is now %v", got)
	}
}

func TestRowsKeepTheBudgetAndTheirType(t *testing.T) {
	p := rowProgram(t, rowLoops["the state itself as a row"], false)
	m := mustLoad(t, p, Config{Threads: 1, Budget: Budget{Bytes: 1500}})
	x := zeros(4, 3)
	if _, err := m.Run(context.Background(), Inputs{"x": x, "n": tensor.Scalar(int64(1 << 40))}); err == nil {
		t.Error("rows without end are within the budget")
	}
	r := &rows{dtype: tensor.Float32, dims: []int64{2, 3}, n: 2}
	if got := r.Type(); got != "[f32[2,3], f32[2,3]]" {
		t.Error(got)
	}
	f := m.newFrame(nil)
	i := &isa.Instruction{In: []int32{6, 8}, Out: []*isa.Result{{Value: 10}}}
	if _, err := f.appendRow(i, r, zeros(2, 4)); err == nil || !strings.Contains(err.Error(),
		"row 2 is f32[2,4] and not f32[2,3] as the first") {
		t.Errorf("a row of other sizes: %v", err)
	}
}

// drawnLoop is a loop with states of three elements and rows that it draws, as a program writes it; the joined tensor is %20.
func drawnLoop(r *rand.Rand) string {
	states := 1 + r.IntN(3)
	rows := 1 + r.IntN(3)
	var code strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&code, format+"\n", args...) }
	list := func(first, n int, format string) (out string) {
		for k := range n {
			out += fmt.Sprintf(format, first+k)
		}
		return out
	}
	for k := range rows {
		line("SequenceEmpty %%%d = {dtype=1} -> seq(f32[3])", 40+k)
	}
	types := strings.Repeat(", f32[3]", states) + strings.Repeat(", seq(f32[3])", rows)
	outs := "%3, %4" + list(50, states, ", %%%d") + list(60, rows, ", %%%d")
	line("loop.begin %s = %%1, ~%s%s r0 -> i64[], bool[]%s", outs, strings.Repeat(", @0", states), list(40, rows, ", %%%d"), types)
	line("jmpf %%4 r0")
	line("Gather %%70 = %%0, %%3 {axis=0} -> f32[3]")
	values := []int{70}
	for k := range states {
		values = append(values, 50+k)
	}
	next := 80
	for k := range max(states, 1+r.IntN(6)) { // functions of what is there
		a, b := fmt.Sprintf("%%%d", pick(r, values...)), "@0"
		if r.IntN(3) > 0 {
			b = fmt.Sprintf("%%%d", pick(r, values...))
		}
		line("%s %%%d = %s, %s -> f32[3]", pick(r, "Add", "Sub", "Mul", "Max"), next+k, a, b)
		values = append(values, next+k)
	}
	made := values[1+states:]
	taken := r.Perm(len(made))[:states] // each state gets a value of its own
	for k := range rows {
		line("SequenceInsert %%%d = %%%d, %%%d -> seq(f32[3])", 110+k, 60+k, pick(r, values...))
	}
	line("free %%70")
	args := ""
	for k, v := range made {
		if !slices.Contains(taken, k) {
			line("free %%%d", v)
		}
	}
	for _, k := range taken {
		args += fmt.Sprintf(", %%%d", made[k])
	}
	line("loop.next %s = %%3, %%1, ~%s%s r0 -> i64[], bool[]%s", outs, args, list(110, rows, ", %%%d"), types)
	line("jmpt %%4 r0\nloop.end %%3, %%4 r0")
	for k := range states {
		line("free %%%d", 50+k)
	}
	for k := range rows { // joined, and added up
		line("seq.stack %%%d = %%%d -> f32[N,3]\nfree %%%d", 130+k, 60+k, 60+k)
	}
	sum := 130
	for k := range rows - 1 {
		line("Add %%%d = %%%d, %%%d -> f32[N,3]\nfree %%%d\nfree %%%d", 150+k, sum, 131+k, sum, 131+k)
		sum = 150 + k
	}
	for k := range rows {
		line("free %%%d", 40+k)
	}
	return regexp.MustCompile(fmt.Sprintf("%%%d\\b", sum)).ReplaceAllString(code.String(), "%20")
}

// FuzzLoops draws loops whose results must be those of the reference, with any number of trips, in new memory and in that of the last run.
func FuzzLoops(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 5))
		loop, output := drawnLoop(r), r.IntN(2) == 0
		p := rowProgram(t, loop, output)
		x := zeros(4, 3)
		for i := range x.Len() {
			x.SetFloat(i, math.Sin(float64(i)+float64(seed%7)))
		}
		reference := mustLoad(t, p, Config{Engine: Reference})
		m := mustLoad(t, p, Config{Threads: 1 + r.IntN(2), Poison: true})
		runner := m.NewRunner()
		defer runner.Close()
		for range 6 {
			n := r.Int64N(5)
			in := Inputs{"x": x, "n": tensor.Scalar(n)}
			want, err := reference.Run(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Run(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			for port, v := range []tensor.Value{x, in["n"]} {
				if err := runner.SetInput(port, v); err != nil {
					t.Fatal(err)
				}
			}
			if err := runner.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			if !tensor.Equal(got["y"], want["y"]) || !tensor.Equal(runner.Output(0), want["y"]) {
				t.Fatalf("%d trips: %v and %v, not %v, of\n%s", n, f32s(t, got["y"]), f32s(t, runner.Output(0)), f32s(t, want["y"]), loop)
			}
		}
	})
}
