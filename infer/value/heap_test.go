package value

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func ints(l *List) []int {
	var out []int
	for _, e := range l.Elems {
		out = append(out, int(e.(Int)))
	}
	return out
}

// TestRollbackRestoresWhatWasBefore runs random writes under nested marks beside
// a naive model that copies everything.
func TestRollbackRestoresWhatWasBefore(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var h Heap
		objs := make([]*List, 4)
		for i := range objs {
			objs[i] = h.NewList([]Value{Int(i)})
		}
		state := func() [][]int {
			var s [][]int
			for _, o := range objs {
				s = append(s, ints(o))
			}
			return s
		}
		same := func(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal[[]int]) }
		var marks []Mark
		var saved [][][]int
		for range 60 {
			switch k := rnd.IntN(6); {
			case k == 0 && len(marks) < 5:
				marks = append(marks, h.Mark())
				saved = append(saved, state())
			case k == 1 && len(marks) > 0: // back to the innermost mark, which stays open
				h.Rollback(marks[len(marks)-1])
				if want := saved[len(saved)-1]; !same(state(), want) {
					t.Fatalf("seed %d: rollback gives %v, want %v", seed, state(), want)
				}
			case k == 2 && len(marks) > 0: // keep the changes
				before := state()
				h.Close(marks[len(marks)-1])
				marks, saved = marks[:len(marks)-1], saved[:len(saved)-1]
				if !same(state(), before) {
					t.Fatalf("seed %d: closing a mark changed the state", seed)
				}
			default:
				o := objs[rnd.IntN(len(objs))]
				h.Touch(o)
				if rnd.IntN(2) == 0 || len(o.Elems) == 0 {
					o.Elems = append(o.Elems, Int(rnd.IntN(100)))
				} else {
					o.Elems[rnd.IntN(len(o.Elems))] = Int(rnd.IntN(100))
				}
			}
		}
		for len(marks) > 0 { // outer marks still know the oldest contents
			m := marks[len(marks)-1]
			h.Rollback(m)
			if !same(state(), saved[len(saved)-1]) {
				t.Fatalf("seed %d: outer rollback gives %v, want %v", seed, state(), saved[len(saved)-1])
			}
			h.Close(m)
			marks, saved = marks[:len(marks)-1], saved[:len(saved)-1]
		}
	}
}

func TestObjectsBornInABranchSurviveItsRollback(t *testing.T) {
	var h Heap
	m := h.Mark()
	l := h.NewList(nil)
	h.Touch(l)
	l.Elems = append(l.Elems, Int(7))
	if n := len(h.Changes(m)); n != 0 {
		t.Errorf("%d changes for an object that nothing older can reach", n)
	}
	h.Rollback(m)
	h.Close(m)
	if got := ints(l); !slices.Equal(got, []int{7}) {
		t.Errorf("contents %v", got)
	}
}

func TestContentsBeforeAMark(t *testing.T) {
	var h Heap
	l, other := h.NewList([]Value{Int(1)}), h.NewList([]Value{Int(2)})
	m := h.Mark()
	for n := range 3 {
		h.Touch(l)
		l.Elems = append(l.Elems, Int(n))
		inner := h.Mark()
		h.Touch(other)
		other.Elems = append(other.Elems, Int(n))
		h.Rollback(inner)
		h.Close(inner)
	}
	before := h.Before(m)
	h.Close(m)
	if len(before) != 1 || before[0].Obj != l {
		t.Fatalf("%v", before)
	}
	h.Replace(l, before[0].Contents)
	if got := ints(l); !slices.Equal(got, []int{1}) {
		t.Errorf("contents %v", got)
	}
}

func TestDictKeepsOrderAndRollsBack(t *testing.T) {
	var h Heap
	d := h.NewDict()
	d.SetStr(&h, "a", Int(1))
	d.SetStr(&h, "b", Int(2))
	m := h.Mark()
	d.Delete(&h, "a")
	d.SetStr(&h, "c", Int(3))
	if d.Len() != 2 || d.Key(0) != Value(Str("b")) || d.Key(1) != Value(Str("c")) {
		t.Errorf("after the changes: %s", d)
	}
	h.Rollback(m)
	h.Close(m)
	if v, ok := d.GetStr("a"); d.Len() != 2 || !ok || v != Value(Int(1)) {
		t.Errorf("after rollback: %s", d)
	}
	if _, ok := d.GetStr("c"); ok {
		t.Error("a key of the branch is left")
	}
}
