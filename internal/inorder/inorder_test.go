package inorder

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestOrdersAreThoseOfSlices(t *testing.T) {
	type pair struct{ key, place int }
	by := func(a, b pair) int { return a.key - b.key }
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		list := make([]pair, n)
		for i := range list {
			list[i] = pair{rnd.IntN(1 + n/3), i}
		}
		got, want := slices.Clone(list), slices.Clone(list)
		By(got, by)
		slices.SortFunc(want, by)
		if !slices.Equal(got, want) {
			t.Fatalf("%v in order is %v, want %v", list, got, want)
		}
		got, want = slices.Clone(list), slices.Clone(list)
		StableBy(got, by)
		slices.SortStableFunc(want, by)
		if !slices.Equal(got, want) {
			t.Fatalf("%v in stable order is %v, want %v", list, got, want)
		}
	}
}
