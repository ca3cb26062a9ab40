package eval

// This file bounds what a run may use.

import (
	"context"
	"fmt"
	"time"

	"shapecheck/runtime/memory"
)

// Limits bound a run, beside the memory of the process (memory.SetLimit), which all elements are asked of. What is zero has the default.
type Limits struct {
	Elems int64 // of one value; MaxElems
	Bytes int64 // of all values that are held at a time; 8 GiB
	Steps int64 // elements made or read, and nodes; 2^36
	Depth int   // calls of functions and graphs within each other; 200
}

// filled gives limits that are 0 their defaults.
func (l Limits) filled() Limits {
	if l.Elems == 0 {
		l.Elems = MaxElems
	}
	if l.Bytes == 0 {
		l.Bytes = 8 << 30
	}
	if l.Steps == 0 {
		l.Steps = 1 << 36
	}
	if l.Depth == 0 {
		l.Depth = 200
	}
	return l
}

// pollEvery is the number of steps between two looks at the context: about a
// millisecond.
const pollEvery = 1 << 18

// A Stop is why a run ended early: a limit, the memory of the process, or the context's error.
type Stop struct {
	Reason string
	Cause  error // of the context, or a *memory.FullError; nil: a limit
}

func (s *Stop) Error() string { return s.Reason }

// Unwrap returns the error of the context or of the memory; nil if a limit was reached.
func (s *Stop) Unwrap() error { return s.Cause }

// A budget counts what a run uses.
type budget struct {
	Limits
	ctx   context.Context
	steps int64
	poll  int64 // steps at which the context is asked next
	held  int64 // bytes of named values
	node  int64 // bytes that the running kernels have made
	depth int
}

// tick counts steps. It panics with a *Stop when there are too many or the context
// has ended.
func (b *budget) tick(n int) {
	b.steps += int64(n)
	if b.steps >= b.poll {
		b.look()
	}
}

// look stops the run if its steps are used up, its context has ended or the deadline has passed,
// and says when to look again. It is called every pollEvery steps, so that a step costs an
// addition and a comparison.
func (b *budget) look() {
	if b.steps > b.Steps {
		panic(&Stop{Reason: fmt.Sprintf("the run takes more than %d steps", b.Steps)})
	}
	if b.ctx != nil {
		err := b.ctx.Err()
		if end, ok := b.ctx.Deadline(); err == nil && ok && time.Now().After(end) { // the timer may find no processor
			err = context.DeadlineExceeded
		}
		if err != nil {
			panic(&Stop{Reason: "the run was stopped: " + err.Error(), Cause: err})
		}
	}
	b.poll = min(b.steps+pollEvery, b.Steps+1)
}

// ask asks the process for memory before it is made. It panics with a *Stop when there is none.
func ask(n int64) {
	if err := asked(n); err != nil {
		panic(err)
	}
}

// asked is ask for functions that are no kernels: the error is a *Stop.
func asked(n int64) error {
	if err := memory.Ask(n); err != nil {
		return &Stop{Reason: err.Error(), Cause: err}
	}
	return nil
}

// space asks for memory before it is made.
func (b *budget) space(n int64) {
	ask(n)
	b.node += n
	if b.held+b.node > b.Bytes {
		panic(&Stop{Reason: fmt.Sprintf("the values take more than %d bytes", b.Bytes)})
	}
}

// hold counts the memory of a named value, or with a negative number gives it back.
func (b *budget) hold(n int64) { b.held += n }
