package memory

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// checkPlan fails when classes that are in use at the same time overlap, or do not lie in the arena.
func checkPlan(t testing.TB, list []Class, at []int64, size int64) {
	t.Helper()
	for i, a := range list {
		if at[i]%Align != 0 || at[i] < 0 || at[i]+a.Bytes > size {
			t.Fatalf("class %d of %d bytes lies at %d of %d", i, a.Bytes, at[i], size)
		}
		for j, b := range list[:i] {
			if a.From <= b.To && b.From <= a.To && at[i] < at[j]+b.Bytes && at[j] < at[i]+a.Bytes {
				t.Fatalf("classes %v at %d and %v at %d overlap", a, at[i], b, at[j])
			}
		}
	}
}

// least is the size of the best plan. When the classes of a best plan get the lowest free places in the order of their offsets, none
// comes to lie higher: so the best of all orders is a best plan.
func least(list []Class) int64 {
	p := planner{list: list, at: make([]int64, len(list))}
	p.overlaps(eventsOf(list))
	best := int64(1 << 62)
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	var try func(k int)
	try = func(k int) {
		if k == len(order) {
			p.inOrder(order, false)
			best = min(best, p.size)
			return
		}
		for i := k; i < len(order); i++ {
			order[k], order[i] = order[i], order[k]
			try(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	try(0)
	return best
}

func randomClasses(r *rand.Rand, n, steps int, most int64) []Class {
	var list []Class
	for range n {
		from := r.IntN(steps)
		list = append(list, Class{r.Int64N(most), from, min(steps-1, from+r.IntN(1+steps/2))})
	}
	return list
}

func TestPlanBesideAllPlans(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	worst := 1.0
	for range 300 {
		list := randomClasses(r, 1+r.IntN(8), 8, 64*12)
		at, size, _, err := Plan(list)
		if err != nil {
			t.Fatal(err)
		}
		checkPlan(t, list, at, size)
		if best := least(list); best > 0 {
			if ratio := float64(size) / float64(best); ratio > worst {
				worst = ratio
			}
			if 10*size > 11*best {
				t.Errorf("%v: %d bytes, the best plan has %d", list, size, best)
			}
		}
	}
	t.Logf("at most %.3f of the best", worst)
}

func TestPlanOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		list := randomClasses(r, 300, 300, 1<<20)
		at, size, _, err := Plan(list)
		if err != nil {
			t.Fatal(err)
		}
		checkPlan(t, list, at, size)
		again, _, _, err := Plan(slices.Clone(list))
		if err != nil || !slices.Equal(at, again) {
			t.Fatalf("a second plan differs: %v", err)
		}
	}
	for _, list := range [][]Class{{{-1, 0, 0}}, {{1, 1, 0}}, {{1 << 48, 0, 0}}, slices.Repeat([]Class{{1 << 47, 0, 9}}, 1<<14)} {
		if _, _, _, err := Plan(list); err == nil {
			t.Errorf("%v is planned", list[0])
		}
	}
	// Where too many are in use at the same time, the plan is the one by time.
	list := randomClasses(r, 3000, 3, 1<<10)
	at, size, _, err := Plan(list)
	if err != nil {
		t.Fatal(err)
	}
	checkPlan(t, list, at, size)
}

func FuzzPlan(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add([]byte("\x10\x00\x02\x20\x01\x01\x10\x02\x02\x30\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var list []Class
		for ; len(b) >= 3 && len(list) < 64; b = b[3:] {
			list = append(list, Class{int64(b[0]) * 40, int(b[1] % 32), int(b[1]%32) + int(b[2]%8)})
		}
		at, size, bound, err := Plan(list)
		if err != nil {
			t.Fatal(err)
		}
		checkPlan(t, list, at, size)
		if size < bound || bound != Bound(list) {
			t.Fatalf("%d bytes are less than the bound %d, or it is not %d", size, bound, Bound(list))
		}
	})
}

// BenchmarkPlan has 2,000 classes as a network has them: most end soon.
func BenchmarkPlan(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	var list []Class
	for i := range 2000 {
		list = append(list, Class{1 + r.Int64N(1<<22), i, i + 1 + r.IntN(4)})
	}
	for b.Loop() {
		if _, _, _, err := Plan(list); err != nil {
			b.Fatal(err)
		}
	}
}

// A program of equal layers, as a vision transformer is: orders of all classes that are drawn do not suit all layers.
func TestPlanOfLayers(t *testing.T) {
	const u, scores = 197 * 768 * 4, 12 * 197 * 197 * 4
	layer := []Class{{u, 8, 66}, {u, 11, 15}, {3 * u, 14, 19}, {3 * u, 18, 33}, {u, 22, 26}, {u, 25, 49}, {u, 31, 43}, {u, 32, 39},
		{u, 38, 55}, {u, 42, 50}, {scores, 48, 52}, {scores, 51, 54},
		{u, 53, 57}, {u, 56, 61}, {u, 60, 74}, {u, 67, 69}, {4 * u, 68, 73}, {2 * u, 72, 72}, {u / 2, 14, 14}, {u / 2, 60, 60}, {u / 2, 68, 68}}
	for layers := range 25 {
		var list []Class
		for l := range layers {
			for _, c := range layer {
				list = append(list, Class{c.Bytes, c.From + 64*l, c.To + 64*l})
			}
		}
		_, size, bound, err := Plan(list)
		if err != nil || 10*size > 11*bound {
			t.Errorf("%d layers: %d bytes for %d (%v)", layers, size, bound, err)
		}
	}
}
