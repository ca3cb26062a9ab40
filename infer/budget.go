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
	steps int // of the program
	load  int // of them, those before the entry
	extra int // what single steps took beyond one
	check int // the number of steps at which the next look is due
	over  error
	elems int // of large arrays that were computed

	start, cpuStart time.Duration // of the clock and of the processors
	looked          time.Duration // when memory was looked at
	stood           time.Duration // when the run said where it is
	nested          int           // native calls inside each other
	native          int           // 1 + the depth of frames at which native code runs that may be left; 0: none
}

// clock is the time since the process began to measure.
func clock() time.Duration { return time.Since(epoch) }

var epoch = time.Now()

// Step spends n units of the budget.
func (in *Interp) Step(n int) error {
	in.spent.steps += n
	if in.spent.steps < in.spent.check {
		return nil
	}
	return in.account()
}

// account compares what was spent with the limits.
func (in *Interp) account() error {
	b := &in.spent
	in.pool.CheckCancel()
	if b.over != nil {
		return b.over
	}
	if in.spentSteps() > in.cfg.maxSteps() || b.steps < 0 || b.extra < 0 {
		return in.exceed(fmt.Sprintf("the analysis stopped after %d steps (--max-steps)", in.cfg.maxSteps()))
	}
	b.check = b.steps + checkSteps
	now := clock()
	in.stand(now)
	if t := in.cfg.Timeout; t > 0 && in.elapsed(now) > t {
		return in.exceed(fmt.Sprintf("the analysis stopped after %v (--timeout)", t))
	}
	if now-b.looked > checkMemory {
		b.looked = now
		return in.roomFor(0)
	}
	return nil
}

// affords reports whether so many calls of the entry are within the limits, of which each takes what the entry took so far: what looks
// further than a run must not end it.
func (in *Interp) affords(calls int) bool {
	steps := in.spentSteps()
	if steps+calls*(steps-in.spent.load) > in.cfg.maxSteps() {
		return false
	}
	t := in.cfg.Timeout
	return t <= 0 || in.elapsed(clock())*time.Duration(calls+1) <= t
}

// maxWait is how much longer than its limit of time a run may take where it waits for
// processors that are busy with others.
const maxWait = 10

// elapsed is the time that counts for the limit. On a machine that is busy with others
// the clock says little: it is the run's part of what the processors worked.
func (in *Interp) elapsed(now time.Duration) time.Duration {
	b := &in.spent
	clock := now - b.start
	if clock*time.Duration(runtime.NumCPU()) <= in.cfg.Timeout {
		return clock / maxWait
	}
	return in.worked(now)
}

// worked is the run's part of what the processors worked since it began; the clock where that is not measured.
func (in *Interp) worked(now time.Duration) time.Duration {
	return partOf(now-in.spent.start, in.spent.cpuStart, in.cfg.Cache.runs.Load())
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

// spentSteps are the steps of the run with what expressions of sizes took.
func (in *Interp) spentSteps() int {
	return in.spent.steps + in.spent.extra + int((in.pool.Work()+in.pool.Evals())/workPerStep)
}

// charge spends n steps that are none of the program's.
func (in *Interp) charge(n int) error {
	in.spent.extra += n
	in.spent.check -= n
	return in.Step(0)
}

// exceed ends the run.
func (in *Interp) exceed(msg string) error {
	b := &in.spent
	b.over, b.check = errBudget{msg: msg, at: in.Here()}, 0
	return b.over
}

// Computes charges the computation of n elements of an array and reports whether it is to be
// done. Tables that a program fills row by row in loops are known by their types alone once they
// took maxComputed elements, so that the run ends.
func (in *Interp) Computes(n int) bool {
	if n <= smallElems {
		return true
	}
	b := &in.spent
	limit := maxComputed
	if in.cfg.Fill != nil {
		limit /= triedPart
	}
	if b.elems += n; b.elems > limit {
		return false
	}
	b.extra += n / elemsPerStep
	b.check -= n / elemsPerStep
	return true
}

// work charges n units of the heap. Native code that makes much in a loop is left where a limit is reached.
func (in *Interp) work(n int) {
	if err := in.charge(n / objectsPerStep); err != nil && in.spent.native == in.depth+1 {
		panic(leftNative{err})
	}
}

// leftNative is the panic that leaves native code. A panic, since rules and methods make objects in many
// loops, and the functions that make one cannot fail. leaveNative recovers it.
type leftNative struct{ error }

// enterNative begins native code that may be left; leaveNative, which is to be deferred, ends it. What the interpreter does
// for such code in frames of its own is not left: it has errors.
func (in *Interp) enterNative() (outer int) {
	outer = in.spent.native
	in.spent.native = in.depth + 1
	return outer
}

func (in *Interp) leaveNative(outer int, err *error) {
	in.spent.native = outer
	if r := recover(); r != nil {
		left, ok := r.(leftNative)
		if !ok {
			panic(r)
		}
		*err = left.error
	}
}

// Alloc charges n bytes that are about to be made, with the time that it takes.
func (in *Interp) Alloc(n int) error {
	if n < 0 { // more than an int can count
		n = int(^uint(0) >> 1)
	}
	if n >= largeAlloc {
		if err := in.roomFor(int64(n)); err != nil {
			return err
		}
	}
	return in.charge(n / bytesPerStep)
}

// Enter begins a native call that may come back to itself through the values it is
// given; Leave ends it. Too many inside each other are a RecursionError.
func (in *Interp) Enter(what string) error {
	in.spent.nested++
	if in.spent.nested > maxNested {
		in.spent.nested--
		return in.Raise("RecursionError", "maximum recursion depth exceeded%s", what)
	}
	return nil
}

// Leave ends what Enter began.
func (in *Interp) Leave() { in.spent.nested-- }

// Remaining is the time that is left, at most of the given time.
func (in *Interp) Remaining(most time.Duration) time.Duration {
	if in.cfg.Timeout <= 0 {
		return most
	}
	return max(min(most, in.cfg.Timeout-in.elapsed(clock())), time.Millisecond)
}
