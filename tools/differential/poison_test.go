package differential

// This file runs programs in memory that is filled with ones before it is written and when it is
// given back, beside runs in ordinary memory: who reads what was not written, or what has ended,
// has other outputs. All examples, instead of some, and in bf16:
//
//	go test ./tools/differential -run Poison -timeout 2h -args -models . -torchvision DIST [-precision bf16]

import (
	"context"
	"testing"

	"shapecheck/codegen"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

func TestPoisonInFreeMemoryChangesNothing(t *testing.T) {
	same, runs, refused, plans := tally{}, 0, tally{}, map[string]*arenas{}
	eachExample(t, share{9, 40, 40, someModels}, func(x *example) {
		p, err := codegen.Compile(context.Background(), unmarshal(x.file), codegen.Options{})
		if err != nil || len(x.ins) == 0 {
			refused[x.kind]++
			return
		}
		if plans[x.kind] == nil {
			plans[x.kind] = &arenas{}
		}
		n := poisoned(t, x, p, plans)
		if runs += n; n > 0 {
			same[x.kind]++
		} else {
			refused[x.kind]++
		}
	})
	t.Logf("%d runs of %v; not run: %v", runs, same, refused)
	for k, a := range plans {
		t.Logf("%s: %d runs with an arena, %d without; at most %.3f of what is in use at one time", k, a.with, a.without, a.worst)
		if *kinds == "" && a.with < 4 {
			t.Errorf("%d runs of %s had an arena", a.with, k)
		}
	}
	for _, k := range []string{"node tests", "numeric programs", "models", "random graphs"} {
		if *kinds == "" && same[k] < 4 || same[k] < refused[k] && k != "models" {
			t.Errorf("%d %s ran", same[k], k)
		}
	}
}

// An arenas counts runs with a plan, and has the largest part that it has above its bound.
type arenas struct {
	with, without int
	worst         float64
}

func (a *arenas) add(s vm.Stats) {
	if s.ArenaBytes == 0 {
		a.without++
		return
	}
	a.with++
	a.worst = max(a.worst, float64(s.ArenaBytes)/float64(s.ArenaBound))
}

// poisoned compares the runs of a program and counts them.
func poisoned(t *testing.T, x *example, p *codegen.Program, plans map[string]*arenas) (n int) {
	t.Helper()
	plain, err := vm.LoadMemory(p.ISA, p.Segments, vm.Config{Threads: 1, Precision: *precision})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	planned := &vm.Hooks{End: func(s vm.Stats) { // the planner's promise, for each model and size
		if s.ArenaBytes < s.ArenaBound || 10*s.ArenaBytes > 11*s.ArenaBound {
			t.Errorf("%s: the arena has %d bytes for %d", x.name, s.ArenaBytes, s.ArenaBound)
		}
		plans[x.kind].add(s)
	}}
	filled, err := vm.LoadMemory(p.ISA, p.Segments, vm.Config{Threads: 2, Poison: true, Hooks: planned, Precision: *precision})
	if err != nil {
		t.Fatal(err)
	}
	defer filled.Close()
	r := filled.NewRunner()
	defer r.Close()
	for _, in := range x.ins {
		want, err := plain.Run(context.Background(), in)
		if err != nil {
			continue
		}
		n++
		for i := range 2 { // what a run has left is there for the next one
			got, err := filled.Run(context.Background(), in)
			if err != nil {
				t.Errorf("%s, run %d: %v", x.name, i, err)
				return n
			}
			for name, v := range want {
				if !tensor.Equal(v, got[name]) {
					t.Errorf("%s, run %d: the output %q differs", x.name, i, name)
				}
			}
			for k, port := range p.ISA.Inputs {
				if err := r.SetInput(k, in[port.Name]); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.Run(context.Background()); err != nil {
				t.Errorf("%s, run %d of a runner: %v", x.name, i, err)
				return n
			}
			for k, port := range p.ISA.Outputs {
				if !tensor.Equal(want[port.Name], r.Output(k)) {
					t.Errorf("%s, run %d of a runner: the output %q differs", x.name, i, port.Name)
				}
			}
		}
	}
	return n
}
