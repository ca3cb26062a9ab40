// Package pool holds the worker threads that a run shares its work with.
//
// Waking a parked thread costs 70 to 95 µs, more than most pieces of work last. So workers spin
// while a run is in flight and park when the last one ends: an idle process uses no
// processor. Each thread has the same part of the pieces in every call, so that it finds in its caches
// what it has written there, and takes from the end of another's part when its own is done. What is counted at the end
// are pieces and not workers, so that a worker that the system has taken away holds up only
// the piece that it has.
package pool

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// spin is how long a worker looks for work before it parks within a run.
const spin = 2 * time.Millisecond

// patience is how long a worker looks before it lets others run: that costs it its thread, and 5 to 50 µs until it has
// one again, which is longer than what lies between most pieces of work.
const patience = 200 * time.Microsecond

// looks is how often a worker looks before it asks for the time and lets others run.
const looks = 2000

// A Pool is a number of threads: the caller's of Do, and workers. It is safe for concurrent
// use; of two calls of Do at the same time one has the workers and the other goes on alone.
type Pool struct {
	threads int
	busy    sync.Mutex // held by the call of Do that has the workers
	job     job        // of the call that has the workers
	parts   []part     // of the job, by thread
	runs    atomic.Int32
	parked  atomic.Int32
	wake    chan struct{}
	quit    chan struct{}
	started sync.Once
	stopped sync.Once
	group   sync.WaitGroup
}

// A part is the pieces of a job that are left to a thread: the first one in the upper half of the word and the end in the lower one.
// Who has changed the word has a piece of the job that is in the pool now, whatever it was when the word was read.
type part struct {
	atomic.Uint64
	_ [56]byte // a line of the cache for each
}

// maxPieces bounds the pieces of a job.
const maxPieces = 1<<32 - 1

// A job is one call of Do.
// It is used again: who has taken a piece reads what Do wrote before it gave pieces out, and Do writes anew only
// when all pieces are done.
type job struct {
	f     func(worker, piece int)
	done  atomic.Int64
	fault atomic.Pointer[fault]
}

// A fault is what a piece panicked with.
type fault struct{ value any }

// New makes a pool of that many threads, at least one; 0 means GOMAXPROCS. Workers start at the first
// run; Close ends them.
func New(threads int) *Pool {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return &Pool{threads: threads, parts: make([]part, threads), wake: make(chan struct{}, threads), quit: make(chan struct{})}
}

// Threads is the number of threads: worker numbers are below it.
func (p *Pool) Threads() int { return p.threads }

// Begin says that a run begins: workers wake up and look for work until End.
func (p *Pool) Begin() {
	p.started.Do(func() {
		for w := 1; w < p.threads; w++ {
			p.group.Add(1)
			go p.work(w)
		}
	})
	p.runs.Add(1)
	if p.parked.Load() > 0 {
		p.unpark()
	}
}

// End says that a run has ended.
func (p *Pool) End() { p.runs.Add(-1) }

// Close ends the workers and waits for them. No run may be in flight.
func (p *Pool) Close() {
	p.stopped.Do(func() { close(p.quit) })
	p.group.Wait()
}

func (p *Pool) unpark() {
	for range p.parked.Load() {
		select {
		case p.wake <- struct{}{}:
		default:
			return
		}
	}
}

// Do calls f for the pieces 0 to n-1, each once, on the caller's thread as worker 0 and on the
// others, and returns when all are done. A panic of f is the panic of Do, after the other
// pieces. Outside of Begin and End, or when another call has the workers, all pieces are done on the
// caller's thread, in order.
func (p *Pool) Do(n int, f func(worker, piece int)) {
	if n > 1 && int64(n) <= maxPieces && p.threads > 1 && p.runs.Load() > 0 && p.busy.TryLock() {
		defer p.busy.Unlock()
		p.share(n, f)
		return
	}
	for i := range n {
		f(0, i)
	}
}

// share runs n pieces on all threads and returns when all are done. Each thread has a range of
// them to begin with, as one word of two halves, and takes pieces from others when its own is
// empty. A panic of any piece is raised again here.
func (p *Pool) share(n int, f func(worker, piece int)) {
	j := &p.job
	j.f = f
	j.done.Store(0)
	j.fault.Store(nil)
	for t := range p.parts {
		p.parts[t].Store(uint64(t*n/p.threads)<<32 | uint64((t+1)*n/p.threads))
	}
	if p.parked.Load() > 0 {
		p.unpark()
	}
	for p.take(0) {
	}
	for i := 0; j.done.Load() < int64(n); i++ {
		if i > looks {
			runtime.Gosched()
		}
	}
	j.f = nil
	if x := j.fault.Load(); x != nil {
		panic(x.value)
	}
}

// take does one piece, if there is one: the next of the worker's own part, or the last of another's.
func (p *Pool) take(worker int) bool {
	for k := range p.parts {
		part := &p.parts[(worker+k)%len(p.parts)]
		for w := part.Load(); w>>32 < w&maxPieces; w = part.Load() {
			piece, rest := w>>32, w+1<<32
			if k > 0 {
				piece, rest = w&maxPieces-1, w-1
			}
			if part.CompareAndSwap(w, rest) {
				p.job.do(worker, int(piece))
				return true
			}
		}
	}
	return false
}

func (j *job) do(worker, piece int) {
	defer func() {
		if r := recover(); r != nil {
			j.fault.CompareAndSwap(nil, &fault{r})
		}
		j.done.Add(1)
	}()
	j.f(worker, piece)
}

// work is the life of a worker.
func (p *Pool) work(worker int) {
	defer p.group.Done()
	runtime.LockOSThread()
	for {
		p.parked.Add(1)
		if p.runs.Load() > 0 { // between a look at runs and parking a run may have begun
			select {
			case p.wake <- struct{}{}:
			default:
			}
		}
		select {
		case <-p.quit:
			return
		case <-p.wake:
		}
		p.parked.Add(-1)
		p.look(worker)
	}
}

// look takes pieces until there is no run, or nothing to do for a while.
func (p *Pool) look(worker int) {
	idle, since := false, time.Time{}
	for i := 0; p.runs.Load() > 0; i++ {
		if p.take(worker) {
			i, idle = 0, false
		} else if i >= looks {
			i = 0
			if !idle {
				idle, since = true, time.Now()
			}
			switch d := time.Since(since); {
			case d > spin:
				return
			case d > patience:
				runtime.Gosched()
			}
		}
	}
}
