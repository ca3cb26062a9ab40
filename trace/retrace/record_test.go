package retrace

import (
	"slices"
	"testing"

	"shapecheck/internal/source"
)

// What a call prints is kept by lines, also one that does not end; rounds of a loop that run again are taken back.
func TestPrintedLines(t *testing.T) {
	var r Record
	r.Begin(NewCall("tf", source.Span{}))
	r.Print("a", true)
	r.Print("b\nc\n", false)
	mark := r.PrintedMark()
	r.Print("again\n", true)
	r.Forget(mark)
	r.Print("rest", true)
	c := r.Open
	r.End()
	if want := []string{"ab", "c", "rest"}; !slices.Equal(c.Printed, want) || !slices.Equal(c.Unread, []bool{true, true, false}) {
		t.Errorf("printed %q, not known %v, want %q", c.Printed, c.Unread, want)
	}
	if r.Open != nil || r.PrintedMark() != 0 {
		t.Error("the call is still open")
	}
}

// A call that may not have run puts in doubt what a later one of the same function traced, and no other.
func TestDoubt(t *testing.T) {
	var r Record
	for range 2 { // rounds of a loop
		r.MayCall(&MaybeCall{Framework: "jax", Function: "f", At: source.Span{Start: 1, End: 2}})
	}
	if len(r.Maybe) != 1 {
		t.Errorf("%d calls that may not run, want one", len(r.Maybe))
	}
	for _, c := range []struct {
		function string
		traces   int
		doubted  bool
	}{{"f", 1, true}, {"f", 0, false}, {"g", 1, false}} {
		call := NewCall("jax", source.Span{})
		call.Function, call.Traces = c.function, &c.traces
		if r.Doubt(call); call.Doubted != c.doubted || (call.Traces == nil) != c.doubted {
			t.Errorf("%s that traced %d times: doubted %v, want %v", c.function, c.traces, call.Doubted, c.doubted)
		}
	}
}

// No more calls are kept than the limit says; each has its number.
func TestRecordIsBounded(t *testing.T) {
	var r Record
	for range maxCalls {
		r.Add(NewCall("jit", source.Span{}))
	}
	last := NewCall("jit", source.Span{})
	if r.Add(last); !r.IsFull() || len(r.Calls) != maxCalls || last.Index != maxCalls || r.Calls[7].Index != 7 {
		t.Errorf("%d calls are kept, the last has the number %d", len(r.Calls), last.Index)
	}
}
