package infer

// This file bounds a run: steps, which are the same on every machine, then time,
// and memory. What a run has found when a limit ends it stays.
//
// The memory of a run is bounded by Go's heap, which is shared by all runs of
// a process (Config.ProcessMemory): where the limit is reached while several run, the one that notices ends,
// and its caller may run it again alone.
//
// It also tells who waits for a run where the run is.

import (
	"cmp"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"shapecheck/internal/cputime"
	"shapecheck/internal/source"
)

// The limits of the program.
const (
	DefaultTimeout   = 30 * time.Second
	DefaultMaxMemory = 512 << 20 // bytes
	DefaultMaxSteps  = 50_000_000
)

// The grain of the accounts.
const (
	checkSteps     = 256                   // steps between two looks at the clock
	checkMemory    = 10 * time.Millisecond // between two looks at the memory
	workPerStep    = 8                     // of the pool of expressions
	bytesPerStep   = 4 << 10               // that are written in the time of a step
	elemsPerStep   = 64                    // of arrays
	objectsPerStep = 16                    // that native code makes
	smallElems     = 64                    // of an array that is computed whatever was spent
	maxComputed    = 1 << 20               // elements of larger arrays in a run, a second or so
	triedPart      = 16                    // with guessed arguments, of which many are tried: this part of them
	maxNested      = 1000                  // native calls inside each other, as CPython's recursion limit
)

// errBudget ends the analysis when a budget is spent.
type errBudget struct {
	msg string
	at  source.Span
}

func (e errBudget) Error() string { return e.msg }

// A budget is what a run has spent. Once a limit is reached, over ends whatever the
// run does next, however often an error is caught or dropped on the way.
type budget struct {
	*base
	host  budgetHost
	stack *stack
	rec   *recorder

	steps int // of the program
	load  int // of them, those before the entry
	extra int // what single steps took beyond one
	check int // the number of steps at which the next look is due
	fault int // the number of steps at the first error of a run that ends soon after it; 0: there is none
	over  error
	// crowded says that the memory that ran out was shared with other runs.
	crowded bool
	elems   int // of large arrays that were computed

	start, cpuStart time.Duration // of the clock and of the processors
	looked          time.Duration // when memory was looked at
	stood           time.Duration // when the run said where it is
	nested          int           // native calls inside each other
	alarm           *alarm
	native          int // 1 + the depth of frames at which native code runs that may be left; 0: none
}

// A budgetHost makes the exception of native calls that are too deep, and tells whether a call of a package is to be taken back.
type budgetHost interface {
	Raise(class, format string, args ...any) error
	isLost() bool
}

// restart forgets what was spent.
func (b *budget) restart() {
	*b = budget{base: b.base, host: b.host, stack: b.stack, rec: b.rec, alarm: b.alarm, start: clock(), cpuStart: cputime.Used()}
}

// An alarm tells a run that it is time to look at its limits of time and memory, whatever its steps are: one of them may copy a list of a
// million. Where there are no threads it says nothing while the run works.
type alarm struct {
	due   atomic.Bool
	timer *time.Timer // nil: the run has not begun
}

// alarmEvery is the time between two looks.
const alarmEvery = 20 * time.Millisecond

// begin sets the alarm until it ends.
func (a *alarm) begin() (end func()) {
	if a.timer != nil {
		return func() {}
	}
	a.timer = time.AfterFunc(alarmEvery, func() { a.due.Store(true) })
	return func() {
		a.timer.Stop()
		a.timer = nil
		a.due.Store(false)
	}
}

// reset sets the alarm once more if it has told.
func (a *alarm) reset() {
	if a.due.Load() {
		a.due.Store(false)
		if a.timer != nil {
			a.timer.Reset(alarmEvery)
		}
	}
}

// clock is the time since the process began to measure.
func clock() time.Duration { return time.Since(epoch) }

var epoch = time.Now()

// step spends n units of the budget.
func (b *budget) step(n int) error {
	b.steps += n
	if b.steps >= b.check {
		return b.account()
	}
	if b.alarm.due.Load() {
		return b.look()
	}
	return nil
}

// Step is part of value.Thread. It returns an error once the run is seen to have passed a limit of steps, time or
// memory, and in each call after that.
func (in *Interp) Step(n int) error { return in.spent.step(n) }

// account compares what was spent with the limits.
func (b *budget) account() error {
	b.pool.CheckCancel()
	if b.over != nil {
		return b.over
	}
	if b.totalSteps() > b.cfg.maxSteps() || b.steps < 0 || b.extra < 0 {
		return b.exceed(fmt.Sprintf("the analysis stopped after %d steps (--max-steps)", b.cfg.maxSteps()))
	}
	if b.fault > 0 && b.steps-b.fault > b.cfg.AfterFault {
		return b.end(errCurtailed{})
	}
	if b.host.isLost() {
		return b.end(errLostInCall)
	}
	b.check = b.steps + checkSteps
	return b.look()
}

// look compares the time and the memory with their limits. It leaves the steps alone, since a run ends after the same number of them on
// every machine.
func (b *budget) look() error {
	b.pool.CheckCancel()
	b.alarm.reset()
	now := clock()
	b.noteStage(now)
	if t := b.cfg.Timeout; t > 0 && b.elapsed(now) > t {
		return b.exceed(fmt.Sprintf("the analysis stopped after %v (--timeout)", t))
	}
	if now-b.looked > checkMemory {
		b.looked = now
		return b.roomFor(0)
	}
	return nil
}

// allowsCalls reports whether so many calls of the entry are within the limits, of which each takes what the entry took so far: what looks
// further than a run must not end it.
func (b *budget) allowsCalls(calls int) bool {
	steps := b.totalSteps()
	if steps+calls*(steps-b.load) > b.cfg.maxSteps() {
		return false
	}
	t := b.cfg.Timeout
	return t <= 0 || b.elapsed(clock())*time.Duration(calls+1) <= t
}

// maxWait is how much longer than its limit of time a run may take where it waits for
// processors that are busy with others.
const maxWait = 10

// elapsed is the time that counts for the limit. On a machine that is busy with others
// the clock says little: it is the run's part of what the processors worked.
func (b *budget) elapsed(now time.Duration) time.Duration {
	clock := now - b.start
	if clock*time.Duration(runtime.NumCPU()) <= b.cfg.Timeout {
		return clock / maxWait
	}
	return b.worked(now)
}

// worked is the run's part of what the processors worked since it began; the clock where that is not measured.
func (b *budget) worked(now time.Duration) time.Duration {
	return partOf(now-b.start, b.cpuStart, b.cfg.Cache.runs.Load())
}

// partOf is the part of one of several runs in what the processors worked since they had worked cpuStart.
func partOf(clock, cpuStart time.Duration, runs int32) time.Duration {
	cpu := cputime.Used()
	if cpu == 0 {
		return clock
	}
	return max((cpu-cpuStart)/time.Duration(max(runs, 1)), clock/maxWait)
}

// Stopwatch measures what is done beside the runs of a cache that are under way, as Result.Spent does one of them.
func (c *Cache) Stopwatch() func() time.Duration {
	start, cpuStart := clock(), cputime.Used()
	return func() time.Duration { return partOf(clock()-start, cpuStart, c.runs.Load()+1) }
}

// totalSteps are the steps of the run with what expressions of sizes took.
func (b *budget) totalSteps() int {
	return b.steps + b.extra + int((b.pool.Work()+b.pool.Evals())/workPerStep)
}

// charge spends n steps that are none of the program's.
func (b *budget) charge(n int) error {
	b.extra += n
	b.check -= n
	return b.step(0)
}

// exceed ends the run at a limit.
func (b *budget) exceed(msg string) error {
	return b.end(errBudget{msg: msg, at: b.stack.currentSpan()})
}

// errCurtailed ends a run that went on for long enough after its first error.
type errCurtailed struct{}

func (errCurtailed) Error() string { return "the analysis stopped after an error" }

// failed notes that the run has an error.
func (b *budget) failed() {
	if b.cfg.AfterFault > 0 && b.fault == 0 {
		b.fault = max(b.steps, 1)
	}
}

// end ends the run: the next step gives err.
func (b *budget) end(err error) error {
	b.over, b.check = err, 0
	return err
}

// computes charges the computation of n elements of an array and reports whether it is to be
// done. Tables that a program fills row by row in loops are known by their types alone once they
// took maxComputed elements, so that the run ends.
func (b *budget) computes(n int) bool {
	if n <= smallElems {
		return true
	}
	limit := maxComputed
	if b.cfg.Fill != nil {
		limit /= triedPart
	}
	if b.elems += n; b.elems > limit {
		return false
	}
	b.extra += n / elemsPerStep
	b.check -= n / elemsPerStep
	return true
}

// Computes is part of value.Thread.
func (in *Interp) Computes(n int) bool { return in.spent.computes(n) }

// work charges n units of the heap. Native code that makes much in a loop is left where a limit is reached.
func (b *budget) work(n int) {
	if err := b.charge(n / objectsPerStep); err != nil && b.native == b.stack.depth+1 {
		panic(leftNative{err})
	}
}

// leftNative is the panic that leaves native code. A panic, since rules and methods make objects in many
// loops, and the functions that make one cannot fail. leaveNative recovers it.
type leftNative struct{ error }

// enterNative begins native code that may be left; leaveNative, which is to be deferred, ends it. What the interpreter does
// for such code in frames of its own is not left: it has errors.
func (b *budget) enterNative() (outer int) {
	outer = b.native
	b.native = b.stack.depth + 1
	return outer
}

// leaveNative ends a native function whose run was cut short. Go's panics carry that up through native code,
// which cannot go on; anything else that panics is a bug and goes on as a panic.
func (b *budget) leaveNative(outer int, err *error) {
	b.native = outer
	if r := recover(); r != nil {
		left, ok := r.(leftNative)
		if !ok {
			panic(r)
		}
		*err = left.error
	}
}

// alloc charges n bytes that are about to be made, with the time that it takes.
func (b *budget) alloc(n int) error {
	if n < 0 { // more than an int can count
		n = int(^uint(0) >> 1)
	}
	if n >= largeAlloc {
		if err := b.roomFor(int64(n)); err != nil {
			return err
		}
	}
	return b.charge(n / bytesPerStep)
}

// Alloc is part of value.Thread. It returns an error where the bytes do not fit into the limit of memory, or where Step
// returns one.
func (in *Interp) Alloc(n int) error { return in.spent.alloc(n) }

// enter begins a native call that may come back to itself through the values it is
// given; Leave ends it. Too many inside each other are a RecursionError.
func (b *budget) enter(what string) error {
	b.nested++
	if b.nested > maxNested {
		b.nested--
		return b.host.Raise("RecursionError", "maximum recursion depth exceeded%s", what)
	}
	return nil
}

// Enter is part of value.Thread. A RecursionError is the only error that it returns.
func (in *Interp) Enter(what string) error { return in.spent.enter(what) }

// leave ends what Enter began.
func (b *budget) leave() { b.nested-- }

// Leave is part of value.Thread.
func (in *Interp) Leave() { in.spent.leave() }

// remaining is the time that is left, at most of the given time.
func (b *budget) remaining(most time.Duration) time.Duration {
	if b.cfg.Timeout <= 0 {
		return most
	}
	return max(min(most, b.cfg.Timeout-b.elapsed(clock())), time.Millisecond)
}

// Remaining is part of value.Thread.
func (in *Interp) Remaining(most time.Duration) time.Duration { return in.spent.remaining(most) }

const (
	// largeAlloc is the size from which room is looked for before something is made.
	largeAlloc = 1 << 20
	// usableMemory is the part of the limit, in percent, that values may fill; the
	// rest is for the program itself, its stacks, and what waits to be collected.
	usableMemory = 70
	// runMemory is what a run usually takes, in bytes.
	runMemory = 32 << 20
)

// MemoryFor reports whether one more run may begin beside others that share the memory of a process: it and they usually stay
// below half of what values may fill. 0 is no limit.
func MemoryFor(running int, limit int64) bool {
	return limit <= 0 || running == 0 || Live()+int64(running)*runMemory < limit/100*usableMemory/2
}

// roomFor reports whether n more bytes fit into the limit. What is kept for later runs is dropped before this one ends.
func (b *budget) roomFor(n int64) error {
	most, flag := b.cfg.MaxMemory, "--max-memory"
	if p := b.cfg.ProcessMemory; p > 0 {
		// Nobody knows whose an object is: the runs may take so much together, and once more for trees and texts.
		if most *= int64(b.cfg.Cache.runs.Load() + 1); most <= 0 || most > p {
			most, flag = p, "--max-process-memory"
		}
	}
	if most <= 0 {
		return nil
	}
	limit := most / 100 * usableMemory
	if n < limit {
		if footprint() < limit-n {
			return nil
		}
		runtime.GC()
		if footprint() < limit-n {
			return nil
		}
		trees, states := b.cfg.Cache.Shed(), b.cfg.Modules.shed()
		if trees || states {
			runtime.GC()
			if footprint() < limit-n {
				return nil
			}
		}
	}
	err := b.exceed(fmt.Sprintf("the analysis stopped as it needs more than %d MB of memory (%s)", most>>20, flag))
	if n < limit && b.cfg.Cache.runs.Load() > 1 {
		b.crowded = true
	}
	return err
}

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
