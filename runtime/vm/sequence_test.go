package vm

import (
	"context"
	"errors"
	"strings"
	"testing"

	"shapecheck/runtime/tensor"
)

// A position of a sequence counts from either end; without one it is the last.
func TestPositionsInSequences(t *testing.T) {
	const text = `program "positions" format 1.0
sym K 0..
input "k" i64[K]
output "y" f32[2]
const @0 f32[2] = 0x0000803f0000803f
const @1 f32[2] = 0x0000004000000040
in %0 = {port=0} -> i64[K]
MADE
out %2 {port=0}
free %0
free %1
free %2
`
	const both = "SequenceConstruct %1 = @0, @1 -> seq(f32[2])\n"
	const one = "SequenceConstruct %1 = @0 -> seq(f32[2])\n"
	erased := "SequenceConstruct %3 = @0, @1 -> seq(f32[2])\nSequenceErase %1 = %3WHERE -> seq(f32[2])\nfree %3\nSequenceAt %2 = %1, @2 -> f32[2]"
	inserted := "SequenceConstruct %3 = @0 -> seq(f32[2])\nSequenceInsert %1 = %3, @1WHERE -> seq(f32[2])\nfree %3\nSequenceAt %2 = %1, @2 -> f32[2]"
	at := func(where string) string { return "SequenceAt %2 = %1" + where + " -> f32[2]" }
	for _, c := range []struct {
		made, where string
		k           []int64
		want        float64
		fault       string
	}{
		{both + at(", %0"), "", []int64{0}, 1, ""},
		{both + at(", %0"), "", []int64{1}, 2, ""},
		{both + at(", %0"), "", []int64{-2}, 1, ""},
		{both + at(", %0"), "", []int64{2}, 0, "the position 2 is not within a sequence of 2"},
		{both + at(", %0"), "", []int64{-3}, 0, "the position -3 is not within a sequence of 2"},
		{both + at(", %0"), "", []int64{0, 1}, 0, "has not one element"},
		{one + at(", %0"), "", []int64{0}, 1, ""},
		{erased, "", nil, 1, ""},    // no operand
		{erased, ", ~", nil, 1, ""}, // an absent one
		{erased, ", %0", []int64{0}, 2, ""},
		{inserted, "", nil, 1, ""},
		{inserted, ", ~", nil, 1, ""},
		{inserted, ", %0", []int64{0}, 2, ""},
		{inserted, ", %0", []int64{1}, 1, ""},
		{inserted, ", %0", []int64{2}, 0, "the position 2 is not within a sequence of 1"},
		{"SequenceConstruct %3 = @0 -> seq(f32[2])\nSequenceErase %4 = %3 -> seq(f32[2])\nfree %3\nSequenceInsert %1 = %4, @1 -> seq(f32[2])\nfree %4\n" +
			"SequenceAt %2 = %1, @2 -> f32[2]", "", nil, 2, ""},
		{"SequenceEmpty %3 = {dtype=1} -> seq(f32[2])\nSequenceErase %1 = %3 -> seq(f32[2])\nfree %3\n" +
			"SequenceAt %2 = %1, @2 -> f32[2]", "", nil, 0, "the sequence is empty"},
	} {
		made := strings.Replace(c.made, "WHERE", c.where, 1)
		program := strings.Replace(text, "MADE", made, 1)
		if strings.Contains(made, "@2") {
			program = strings.Replace(program, "in %0", "const @2 i64[] = 0x0000000000000000\nin %0", 1)
		}
		p := parse(t, program)
		for _, engine := range []Engine{Fast, Reference} {
			y, err := mustLoad(t, p, Config{Engine: engine, Threads: 1}).Run(context.Background(), Inputs{"k": tensor.Of(c.k, int64(len(c.k)))})
			if c.fault != "" {
				var e *Error
				if !errors.As(err, &e) || !strings.Contains(e.Reason, c.fault) {
					t.Errorf("%s at %v: %v; want %q", made, c.k, err, c.fault)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s at %v: %v", made, c.k, err)
			} else if got := y["y"].(*tensor.Tensor).Float(1); got != c.want {
				t.Errorf("%s at %v is %v, want %v", made, c.k, got, c.want)
			}
		}
	}
}
