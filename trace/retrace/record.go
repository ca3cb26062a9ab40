package retrace

// This file keeps the calls that a run of a script makes.

import (
	"slices"
	"strings"

	"shapecheck/internal/source"
)

// maxCalls bounds the calls that are recorded.
const maxCalls = 100_000

// A Record has the calls of traced functions that a script makes.
type Record struct {
	Calls []*Call
	// Maybe are those of which it is not known whether they run, met by what they are.
	Maybe []*MaybeCall
	met   map[maybeKey]bool
	// Open is the call that runs, Inside counts the calls within it that run.
	Open   *Call
	Inside int
	// Ended says that an exception ended the program.
	Ended bool
	// line is what was printed of a line that has not ended.
	line string
}

// IsFull reports whether no further call is recorded.
func (r *Record) IsFull() bool { return len(r.Calls) >= maxCalls }

// Add records a call.
func (r *Record) Add(c *Call) {
	if c.Index = len(r.Calls); !r.IsFull() {
		r.Calls = append(r.Calls, c)
	}
}

// Begin records a call that runs until End.
func (r *Record) Begin(c *Call) {
	r.Add(c)
	r.Open, r.line = c, ""
}

// End ends the call that runs.
func (r *Record) End() {
	if r.line != "" {
		r.Open.prints(r.line, true)
	}
	r.Open, r.line = nil, ""
}

// Print notes a text that the call that runs prints; known says that it is all that is printed.
func (r *Record) Print(text string, known bool) {
	lines := strings.Split(r.line+text, "\n")
	n := len(lines) - 1
	for _, line := range lines[:n] {
		r.Open.prints(line, known)
	}
	r.line = lines[n]
}

func (c *Call) prints(line string, known bool) {
	c.Printed, c.Unread = append(c.Printed, line), append(c.Unread, !known)
}

// PrintedMark and Forget take back what rounds of a loop printed that run again.
func (r *Record) PrintedMark() int {
	if r.Open == nil {
		return 0
	}
	return len(r.Open.Printed)
}

// Forget takes back what was printed since a mark.
func (r *Record) Forget(n int) {
	if r.Open != nil && len(r.Open.Printed) > n {
		r.Open.Printed, r.Open.Unread = r.Open.Printed[:n], r.Open.Unread[:n]
	}
}

// A maybeKey is what makes two such calls the same; with framework and function alone it stands for all of these.
type maybeKey struct {
	at                              source.Span
	framework, kind, function, args string
}

// MayCall notes a call that may not run; rounds of a loop make it once.
func (r *Record) MayCall(c *MaybeCall) {
	c.After = len(r.Calls)
	key := maybeKey{c.At, c.Framework, c.Kind, c.Function, strings.Join(c.Args, "\x00")}
	if len(r.Maybe) >= maxCalls || r.met[key] {
		return
	}
	if r.met == nil {
		r.met = map[maybeKey]bool{}
	}
	r.Maybe, r.met[key], r.met[maybeKey{framework: c.Framework, function: c.Function}] = append(r.Maybe, c), true, true
}

// Doubt takes back that a call traced where an earlier one that may not have run may have done so.
func (r *Record) Doubt(c *Call) {
	if c.Traces != nil && *c.Traces == 0 || slices.Contains(c.Args, "?") || !r.met[maybeKey{framework: c.Framework, function: c.Function}] {
		return
	}
	c.Traces, c.Changed, c.Again, c.Compiled = nil, nil, false, nil
	c.Unprinted, c.Doubted = true, true
}
