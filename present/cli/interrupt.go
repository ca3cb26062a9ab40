package cli

// This file ends the program by signals: the work is cancelled, what ended is printed, and the exit code is that of the signal.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"shapecheck/check"
	"shapecheck/internal/atomicfile"
)

// Main runs a command line as the program does: signals end it. A second one ends it at once.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := newSignals()
	return start(&app{ctx: s.ctx, signals: s}, args, stdin, stdout, stderr)
}

// An endingSignal is a signal that ends the program.
type endingSignal struct {
	sig  syscall.Signal
	name string
}

// grace is how long the program may take to end after a signal.
const grace = 5 * time.Second

// signals are those that arrived. A nil *signals gets none.
type signals struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	got    chan os.Signal
	// work says that what runs looks at ctx; else a signal ends it at once.
	work atomic.Bool
	mu   sync.Mutex
	// first is the place in ending of the first one, -1 while there is none.
	first int
}

// newSignals waits for the signals from now on; those that are ignored stay so.
func newSignals() *signals {
	s := &signals{first: -1, got: make(chan os.Signal, 2)}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	for _, e := range ending {
		if !signal.Ignored(e.sig) {
			signal.Notify(s.got, e.sig)
		}
	}
	go s.wait()
	return s
}

func (s *signals) wait() {
	sig := <-s.got
	s.mu.Lock()
	for i, e := range ending {
		if e.sig == sig {
			s.first = i
		}
	}
	first := ending[s.first]
	s.mu.Unlock()
	s.cancel(&check.Cut{Signal: first.name})
	if s.work.Load() {
		select {
		case <-s.got:
		case <-time.After(grace):
		}
	}
	atomicfile.Abandon()
	fmt.Fprintf(os.Stderr, "shapecheck: interrupted by %s\n", first.name)
	os.Exit(signalCode + int(first.sig))
}

// signalCode is added to the number of a signal, as shells do.
const signalCode = 128

// name is that of the first signal, with the exit code that it causes; empty: there was none.
func (s *signals) name() (name string, code int) {
	if s == nil {
		return "", 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first < 0 {
		return "", 0
	}
	return ending[s.first].name, signalCode + int(ending[s.first].sig)
}

// context is that of work that ends soon after it: a signal waits for what that prints.
func (a *app) context() context.Context {
	if a.signals != nil {
		a.signals.work.Store(true)
	}
	return a.ctx
}

// interrupted gives the outcome of a command line that a signal ended: err is for nobody then.
func (a *app) interrupted(err error) error {
	name, code := a.signals.name()
	if name == "" {
		return err
	}
	var cut *check.Cut
	ended := errors.Is(err, context.Canceled) || errors.As(err, &cut)
	if a.reads != nil && !ended { // who waits for changes is ended by a signal
		return err
	}
	a.code = code
	if err != nil && !ended {
		a.say("shapecheck: %v", err)
	}
	if !a.cutSaid {
		what := "no file was written"
		if list := atomicfile.Written(); len(list) > 0 {
			what = "written: " + strings.Join(list, ", ")
		}
		a.say("shapecheck: interrupted by %s; %s", name, what)
	}
	return nil
}
