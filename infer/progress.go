package infer

// This file tells who waits for a run where it is.

import (
	"cmp"
	"sync/atomic"
	"time"
)

// A Stage is where a run is. It is safe for concurrent use: the run writes it, and others read it.
type Stage struct {
	// Every is how often the run says where it is; 0 stands for 20 times a second.
	Every time.Duration
	now   atomic.Pointer[Standing]
}

// A Standing is the place that a run has reached.
type Standing struct {
	File string // what findings call it
	Line int
	// Function is the qualified name of the function there, "Trainer.fit"; empty at the top level.
	Function string
	// Typed counts the values whose types are known by now.
	Typed int
}

// Now is where the run is; nil before it has begun.
func (s *Stage) Now() *Standing { return s.now.Load() }

const stageEvery = 50 * time.Millisecond

// noteStage notes where the run is: at a line of the program, not of what it imports from the library.
func (b *budget) noteStage(now time.Duration) {
	if b.cfg.Stage == nil || now-b.stood < cmp.Or(b.cfg.Stage.Every, stageEvery) {
		return
	}
	b.stood = now
	for f := b.stack.frame; f != nil; f = f.caller {
		if f.prelude || !f.at.IsValid() {
			continue
		}
		at := b.files.Position(f.at.Start)
		if at.File == nil {
			return
		}
		s := &Standing{File: at.File.Label(), Line: at.Line, Typed: b.rec.typed}
		if f.fn != nil {
			s.Function = f.fn.Qualname
		}
		b.cfg.Stage.now.Store(s)
		return
	}
}
