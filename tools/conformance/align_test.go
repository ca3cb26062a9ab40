package conformance

// This file tests the alignment of recorded calls with ours.

import (
	"slices"
	"testing"

	"shapecheck/infer"
)

func TestAlignFindsThePathOfTheRecord(t *testing.T) {
	always := infer.OpCall{}
	maybe := infer.OpCall{Maybe: true}
	loop := infer.OpCall{Loops: []int{1}}
	inner := infer.OpCall{Loops: []int{1, 2}}
	for _, tc := range []struct {
		name     string
		recorded string // the types of the recorded calls, a letter each
		ours     string
		kinds    []infer.OpCall
		want     []int // the call of ours for each recorded one
		extra    []int
	}{
		{"one for one", "ab", "ab", []infer.OpCall{always, always}, []int{0, 1}, nil},
		{"a branch that was not taken", "ac", "abc", []infer.OpCall{always, maybe, always}, []int{0, 2}, nil},
		{"the other side of a branch", "bc", "abc", []infer.OpCall{maybe, maybe, always}, []int{1, 2}, nil},
		{"a call that every run makes is not recorded", "ac", "abc", []infer.OpCall{always, always, always}, []int{0, 2}, []int{1}},
		{"a recorded call is missing", "abc", "ac", []infer.OpCall{always, always}, []int{0, -1, 1}, nil},
		{"iterations of a loop", "xababy", "xaby", []infer.OpCall{always, loop, loop, always}, []int{0, 1, 2, 1, 2, 3}, nil},
		{"a loop that does not run", "xy", "xaby", []infer.OpCall{always, loop, loop, always}, []int{0, 3}, nil},
		{"a loop in a loop", "abbabb", "ab", []infer.OpCall{loop, inner}, []int{0, 1, 1, 0, 1, 1}, nil},
		{"what follows a loop runs once", "aaa", "aa", []infer.OpCall{always, always}, []int{-1, 0, 1}, nil},
		{"order counts", "ba", "ab", []infer.OpCall{maybe, maybe}, []int{1, -1}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var ours []*infer.OpCall
			for i := range tc.kinds {
				ours = append(ours, &tc.kinds[i])
			}
			steps, extra := align(len(tc.recorded), ours, func(i, j int) (verdict, string) {
				if tc.recorded[i] == tc.ours[j] {
					return equal, ""
				}
				return different, "another"
			})
			var got []int
			for _, s := range steps {
				if s.ours >= 0 && s.verdict == different {
					s.ours = -1
				}
				got = append(got, s.ours)
			}
			if !slices.Equal(got, tc.want) || !slices.Equal(extra, tc.extra) {
				t.Errorf("got %v, extra %v; want %v, extra %v", got, extra, tc.want, tc.extra)
			}
		})
	}
}
