package check

// This file checks the parts of a project, files or entries, several at the same time, and releases what came of them in their
// order: what is printed is the same from run to run, and is printed as soon as the parts before it are.

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"shapecheck/infer"
)

// A Cut is the cause with which a context ends a run that keeps what ended before (context.WithCancelCause): CheckAll and
// CheckFiles return it as the error, and the project with it.
type Cut struct {
	// Signal is the name of the signal that ended the run; empty: Budget is used up.
	Signal string
	// Budget is the processor time that the run might take.
	Budget time.Duration
}

func (c *Cut) Error() string {
	if c.Signal != "" {
		return "interrupted by " + c.Signal
	}
	return fmt.Sprintf("%v s of processor time are used up", c.Budget.Seconds())
}

// Skipped are the parts of a project that a cut left out.
type Skipped struct {
	Cut *Cut
	// Names are the files that were not looked at, or the entries that were not checked, of Total.
	Names []string
	Total int
	// Files says that the names are of files.
	Files bool
}

// Why says what is missing: "interrupted after 212 of 655 files".
func (s *Skipped) Why() string {
	unit, done := "entries", "not checked"
	if s.Files {
		unit, done = "files", "not looked at"
	}
	if s.Cut.Signal != "" {
		return fmt.Sprintf("interrupted after %d of %d %s", s.Total-len(s.Names), s.Total, unit)
	}
	return fmt.Sprintf("%v: %d of %d %s %s (--budget 0)", s.Cut, len(s.Names), s.Total, unit, done)
}

// cutBy is the cut that ended a context; nil: nothing or something else did.
func cutBy(ctx context.Context) *Cut {
	var c *Cut
	if errors.As(context.Cause(ctx), &c) {
		return c
	}
	return nil
}

// A gate lets runs begin while there is memory for them.
type gate struct {
	fits    func(running int) bool
	mu      sync.Mutex
	changed *sync.Cond
	running int
	waiting int // for being alone
	alone   bool
}

func newGate(fits func(running int) bool) *gate {
	g := &gate{fits: fits}
	g.changed = sync.NewCond(&g.mu)
	return g
}

func (g *gate) enter() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.alone || g.waiting > 0 || !g.fits(g.running) {
		g.changed.Wait()
	}
	g.running++
}

// enterAlone waits until nobody else runs.
func (g *gate) enterAlone() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting++
	for g.alone || g.running > 0 {
		g.changed.Wait()
	}
	g.waiting--
	g.alone = true
	g.running++
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.alone = false
	g.changed.Broadcast()
}

// patience is how long a run that was cut waits for what still runs; that is cancelled, but may be in the middle of something.
const patience = 100 * time.Millisecond

// inOrder calls check for n parts, as many as workers at the same time, and release for what came of each, in their order and never at the
// same time. A part of which check says that it found too little memory beside others is checked again, alone. It returns which
// parts were released; where a Cut ended ctx those that ended are, also after one that did not. Any other end of ctx, and a fault
// of release, is an error.
func inOrder[T any](ctx context.Context, n, workers int, fits func(running int) bool,
	check func(i int) (x T, crowded bool), release func(i int, x T) error) ([]bool, error) {
	type state struct {
		ended, released bool
		x               T
	}
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		parts = make([]state, n)
		begun int // parts
		next  int // to be released
		fault error
		over  bool // nobody waits for what ends now
		none  T
	)
	one := func(i int) error {
		parts[i].released = true
		x := parts[i].x
		parts[i].x = none
		return release(i, x)
	}
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if begun == n || fault != nil || ctx.Err() != nil {
			return -1
		}
		begun++
		return begun - 1
	}
	end := func(i int, x T) {
		mu.Lock()
		defer mu.Unlock()
		if over || ctx.Err() != nil { // it may be cancelled
			return
		}
		parts[i].ended, parts[i].x = true, x
		for next < n && parts[next].ended && fault == nil {
			fault = one(next)
			next++
		}
	}
	g := newGate(fits)
	for range min(workers, n) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				i := take()
				if i < 0 {
					return
				}
				g.enter()
				x, crowded := check(i)
				g.leave()
				if crowded && ctx.Err() == nil { // alone it may get further
					g.enterAlone()
					x, _ = check(i)
					g.leave()
				}
				end(i, x)
			}
		}()
	}
	ended := make(chan struct{})
	go func() { wg.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-ctx.Done():
		if cutBy(ctx) == nil {
			<-ended
			break
		}
		select {
		case <-ended:
		case <-time.After(patience):
		}
	}
	mu.Lock()
	defer mu.Unlock()
	over = true
	if fault == nil && ctx.Err() != nil && next < n && cutBy(ctx) == nil {
		fault = ctx.Err()
	}
	for ; next < n && fault == nil; next++ {
		if parts[next].ended {
			fault = one(next)
		}
	}
	done := make([]bool, n)
	for i := range parts {
		done[i] = parts[i].released
	}
	return done, fault
}

// fits reports whether one more run may begin beside others. Where it may not, trees that are kept for later are dropped.
func (s *Session) fits(running int) bool {
	if infer.MemoryFor(running, s.Limits.ProcessMemory) {
		return true
	}
	s.Parsed().Shed()
	return false
}

// workers is how many parts are checked at the same time, if there is memory for them.
func (s *Session) workers() int {
	if s.Jobs > 0 {
		return s.Jobs
	}
	return runtime.GOMAXPROCS(0)
}
