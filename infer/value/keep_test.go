package value

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Whatever was written since Keep, under marks that were rolled back, closed or left open, or
// outside of them, Rewind gives back what was; and it can be done again, also inside of an older
// state.
func TestRewind(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		var h Heap
		objs := make([]*List, 4)
		for i := range objs {
			objs[i] = h.NewList([]Value{Int(i)})
		}
		state := func() (s [][]int) {
			for _, o := range objs {
				s = append(s, ints(o))
			}
			return s
		}
		scribble := func() {
			var marks []Mark
			var ends []func()
			for range 40 {
				switch k := rnd.IntN(9); {
				case k == 0 && len(marks) < 5 && len(ends) == 0:
					marks = append(marks, h.Mark())
				case k == 1 && len(marks) > 0 && len(ends) == 0:
					h.Rollback(marks[len(marks)-1])
				case k == 2 && len(marks) > 0 && len(ends) == 0:
					h.Close(marks[len(marks)-1])
					marks = marks[:len(marks)-1]
				case k == 3 && len(ends) < 2:
					ends = append(ends, h.Outside())
				case k == 4 && len(ends) > 0:
					ends[len(ends)-1]()
					ends = ends[:len(ends)-1]
				default:
					o := objs[rnd.IntN(len(objs))]
					h.Touch(o)
					o.Elems = append(o.Elems, Int(rnd.IntN(100)))
				}
			}
		}
		plainly := func() {
			for range rnd.IntN(4) {
				o := objs[rnd.IntN(len(objs))]
				h.Touch(o)
				o.Elems = append(o.Elems, Int(rnd.IntN(100)))
			}
		}
		back := func(number int, want [][]int) {
			t.Helper()
			young := h.NewList(nil)
			scribble()
			h.Touch(young)
			young.Elems = append(young.Elems, Int(1))
			h.Rewind(number)
			if got := state(); !slices.EqualFunc(got, want, slices.Equal[[]int]) || h.Depth() != 0 || len(young.Elems) != 1 {
				t.Fatalf("seed %d: %v, want %v; depth %d, young %v", seed, got, want, h.Depth(), ints(young))
			}
		}
		outer := state()
		first := h.Keep()
		for range 3 {
			plainly()
			inner := state()
			second := h.Keep()
			for range rnd.IntN(3) {
				back(second, inner)
			}
			back(first, outer)
		}
	}
}
