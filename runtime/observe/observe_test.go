package observe

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

const program = `program "net" format 1.0
sym N 1..
input "x" f32[N,200]
input "w" f32[200,300]
output "y" f32[N,300]
in %0 = {port=0} -> f32[N,200]
in %1 = {port=1} -> f32[200,300]
matmul %2 = %0, %1 -> f32[N,300] ; at "net.py":7 "fc" node "/fc/MatMul"
free %0
free %1
Softmax %3 = %2 {axis=-1} -> f32[N,300]
free %2
out %3 {port=0}
free %3
`

// run runs the program with hooks.
func run(t *testing.T, threads int, hooks func(*vm.Model) *vm.Hooks) *isa.Program {
	t.Helper()
	p, err := isa.Parse(program)
	if err != nil {
		t.Fatal(err)
	}
	var h vm.Hooks
	m, err := vm.Load(p, vm.Config{Threads: threads, Hooks: &h})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if x := hooks(m); x != nil {
		h = *x
	}
	x, w := tensor.Of(make([]float32, 100*200), 100, 200), tensor.Of(make([]float32, 200*300), 200, 300)
	if _, err := m.Run(context.Background(), vm.Inputs{"x": x, "w": w}); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTraceHasPlacesTypesAndElements(t *testing.T) {
	var b bytes.Buffer
	run(t, 1, func(m *vm.Model) *vm.Hooks { return Trace(&b, m.Program(), Detail{Types: true}) })
	want := "   2  matmul           %0 f32[100,200], %1 f32[200,300] -> %2 f32[100,300]  ; net.py:7 /fc/MatMul\n"
	if lines := strings.Count(b.String(), "\n"); !strings.Contains(b.String(), want) || lines != 5 {
		t.Errorf("%d lines:\n%s", lines, b.String())
	}
	b.Reset()
	run(t, 1, func(m *vm.Model) *vm.Hooks { return Trace(&b, m.Program(), Detail{Elements: true}) })
	if !strings.Contains(b.String(), want+"      %2  0 0 0 0 0 0 …  (min 0, max 0, mean 0)\n") {
		t.Error(b.String())
	}
}

func TestDumpWritesEveryResult(t *testing.T) {
	d := Dump{Dir: t.TempDir()}
	run(t, 1, func(m *vm.Model) *vm.Hooks { return d.Hooks(m.Program()) })
	if d.Err() != nil {
		t.Fatal(d.Err())
	}
	files, err := filepath.Glob(filepath.Join(d.Dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	if want := []string{"00000_in_0.npy", "00001_in_1.npy", "00002__fc_MatMul.npy", "00003_Softmax_3.npy"}; !slices.Equal(files, want) {
		t.Errorf("%v, not %v", files, want)
	}
	list, err := tensor.ReadFile(nil, filepath.Join(d.Dir, files[3]), tensor.TensorKind)
	if err != nil || list[0].Value.Type() != "f32[100,300]" {
		t.Errorf("%v: %v", list, err)
	}
	gone := Dump{Dir: filepath.Join(d.Dir, "none")}
	run(t, 1, func(m *vm.Model) *vm.Hooks { return gone.Hooks(m.Program()) })
	if !os.IsNotExist(gone.Err()) {
		t.Errorf("no folder: %v", gone.Err())
	}
}

func TestProfileCountsTimeWorkAndKernels(t *testing.T) {
	f := Profile{Flops: func(i *isa.Instruction, _, _ []tensor.Value) (int64, bool) {
		return 2 * 100 * 200 * 300, isa.Op(i.Op) == isa.MatMul
	}}
	run(t, 1, func(m *vm.Model) *vm.Hooks { return f.Hooks(m.Program()) })
	all := time.Duration(0)
	for _, c := range f.Instructions() {
		all += c.Time
		if c.Count != 1 || c.Time < 0 {
			t.Errorf("%+v", c)
		}
		switch c.Op {
		case isa.MatMul:
			if !strings.HasPrefix(c.Kernel, "matmul.f32") || c.PC != 2 || c.Flops != 12e6 {
				t.Errorf("%+v", c)
			}
		case isa.In:
			if c.Kernel != "" {
				t.Errorf("%+v", c)
			}
		}
	}
	sum := time.Duration(0)
	ops := f.Operators()
	for i, c := range ops {
		sum += c.Time
		if i > 0 && c.Time > ops[i-1].Time || c.Op == isa.In && c.Count != 2 {
			t.Errorf("%+v", ops)
		}
	}
	if sum != all || all == 0 {
		t.Errorf("operators took %v, instructions %v", sum, all)
	}
	var b bytes.Buffer
	f.WriteOperators(&b, 1)
	f.WriteInstructions(&b, 1)
	if !strings.Contains(b.String(), "net.py:7") || !strings.Contains(b.String(), "machine") {
		t.Error(b.String())
	}
}

// noDuplicates reads one JSON value and reports keys that an object has twice.
func noDuplicates(t *testing.T, d *json.Decoder) {
	t.Helper()
	tok, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return
	}
	keys := map[json.Token]bool{}
	for d.More() {
		if delim == '{' {
			key, err := d.Token()
			if err != nil {
				t.Fatal(err)
			}
			if keys[key] {
				t.Errorf("the key %v is there twice", key)
			}
			keys[key] = true
		}
		noDuplicates(t, d)
	}
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
}

// The form is that of the Trace Event Format: an object with traceEvents, complete events with
// ts and dur that are not negative, nested or apart on each row, and names of rows.
func TestTimelineHasTheFormThatPerfettoTakes(t *testing.T) {
	var c Chrome
	run(t, 3, func(m *vm.Model) *vm.Hooks { return c.Hooks(m.Program(), m.Threads()) })
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(b.Bytes()))
	noDuplicates(t, d)
	if _, err := d.Token(); err != io.EOF {
		t.Errorf("more than one value: %v", err)
	}
	var f struct {
		TraceEvents []struct {
			Name, Cat, Ph string
			TS, Dur       *float64
			PID, TID      *int
			Args          map[string]any
		}
	}
	if err := json.Unmarshal(b.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	rows, named, instructions := map[int][]([2]float64){}, map[int]bool{}, 0
	for _, e := range f.TraceEvents {
		if e.Name == "" || e.PID == nil || e.TID == nil || e.TS == nil {
			t.Fatalf("%+v lacks a field", e)
		}
		switch e.Ph {
		case "M":
			if s, ok := e.Args["name"].(string); !ok || s == "" {
				t.Errorf("%+v names nothing", e)
			}
			if e.Name == "thread_name" {
				named[*e.TID] = true
			}
		case "X":
			if e.Dur == nil || *e.Dur < 0 || *e.TS < 0 {
				t.Errorf("%+v has no duration", e)
			}
			if e.Cat == "instruction" {
				instructions++
				if *e.TID != 0 {
					t.Errorf("%+v is not on the run's row", e)
				}
			}
			rows[*e.TID] = append(rows[*e.TID], [2]float64{*e.TS, *e.TS + *e.Dur})
		default:
			t.Errorf("an event %q", e.Ph)
		}
	}
	if instructions != 5 {
		t.Errorf("%d instructions", instructions)
	}
	for tid, list := range rows {
		if !named[tid] {
			t.Errorf("the row %d has no name", tid)
		}
		for i, x := range list {
			for _, y := range list[:i] {
				if x[0] < y[1] && y[0] < x[1] && !(x[0] >= y[0] && x[1] <= y[1]) && !(y[0] >= x[0] && y[1] <= x[1]) {
					t.Errorf("row %d: %v and %v cross", tid, x, y)
				}
			}
		}
	}
}

func TestJoinCallsAll(t *testing.T) {
	if Join(nil, nil) != nil {
		t.Error("hooks of nothing")
	}
	calls := map[string]int{}
	if !Join(&vm.Hooks{Borrow: true, After: func(int, *isa.Instruction, []tensor.Value, []tensor.Value) {}}, &vm.Hooks{}).Borrow {
		t.Error("who gets no values keeps none")
	}
	one := func() *vm.Hooks {
		return &vm.Hooks{
			Before: func(int, *isa.Instruction, []tensor.Value) { calls["before"]++ },
			After:  func(int, *isa.Instruction, []tensor.Value, []tensor.Value) { calls["after"]++ },
			Kernel: func(int, string) { calls["kernel"]++ },
			Tile:   func(int, int, time.Time, time.Time) { calls["tile"]++ },
			End: func(s vm.Stats) {
				calls["end"]++
				if s.Instructions != 9 || s.PeakBytes < 2*100*300*4 {
					t.Errorf("%+v", s)
				}
			},
		}
	}
	borrows := one()
	borrows.Borrow = true
	if Join(one(), borrows).Borrow {
		t.Error("one of the hooks may keep values")
	}
	run(t, 1, func(*vm.Model) *vm.Hooks { return Join(one(), nil, one()) })
	if calls["before"] != 18 || calls["after"] != 18 || calls["end"] != 2 || calls["kernel"] != 4 || calls["tile"] < 4 ||
		calls["tile"]%2 != 0 {
		t.Errorf("%v", calls)
	}
}
