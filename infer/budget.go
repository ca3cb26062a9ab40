package infer

// This file bounds a run: steps, which are the same on every machine, then time,
// and memory (memory.go). What a run has found when a limit ends it stays.

import (
	"fmt"
	"runtime"
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
	over  error
	// crowded says that the memory that ran out was shared with other runs.
	crowded bool
	elems   int // of large arrays that were computed

	start, cpuStart time.Duration // of the clock and of the processors
	looked          time.Duration // when memory was looked at
	stood           time.Duration // when the run said where it is
	nested          int           // native calls inside each other
	native          int           // 1 + the depth of frames at which native code runs that may be left; 0: none
}

// A budgetHost makes the exception of native calls that are too deep.
type budgetHost interface {
	Raise(class, format string, args ...any) error
}

// restart forgets what was spent.
func (b *budget) restart() {
	*b = budget{base: b.base, host: b.host, stack: b.stack, rec: b.rec, start: clock(), cpuStart: cputime.Used()}
}

// clock is the time since the process began to measure.
func clock() time.Duration { return time.Since(epoch) }

var epoch = time.Now()

// step spends n units of the budget.
func (b *budget) step(n int) error {
	b.steps += n
	if b.steps < b.check {
		return nil
	}
	return b.account()
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
	b.check = b.steps + checkSteps
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

// exceed ends the run.
func (b *budget) exceed(msg string) error {
	b.over, b.check = errBudget{msg: msg, at: b.stack.currentSpan()}, 0
	return b.over
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
