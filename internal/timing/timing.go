// Package timing measures where a command spends its time: by phases, files, entries, imported modules, functions of the program
// and passes of the compiler.
//
//	timing.go  Recorder, Row: what is measured    track.go   Track, Span: the measuring, one for each worker
//	clock.go   the clocks; clock_linux.go clock_other.go: that of a thread
//	report.go  Report: the rows of all workers    events.go  single spans, in the order of time
//
// Who works has a Track and begins and ends spans:
//
//	defer track.Begin(timing.Phase, timing.Lint).End()
//
// A nil Recorder and a nil Track measure nothing: their methods return at once, so that who works asks nobody whether
// time is measured. Nothing is global: a command has a Recorder, a session and a run its Track.
//
// Memory is bounded. A span adds to a row, and rows are as many as there are modules and functions, at most maxRows of a kind.
// Single spans are kept for a trace alone, at most MaxEvents, of which the shortest are left out.
package timing

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"shapecheck/internal/cputime"
)

// A Kind is what a row is of.
type Kind uint8

// The kinds. Each is measured apart: the time of a function is also that of the module that calls it as it is imported, of an
// entry, a file and a phase. Only modules and functions are of one kind in this: what runs in a function is not the module's own.
const (
	Phase Kind = iota
	Pass       // of the compiler
	File
	Entry
	Module   // its top level
	Function // of the program and of installed packages, not of our own
	kinds
)

func (k Kind) String() string {
	return [...]string{"phase", "pass", "file", "entry", "module", "function"}[k]
}

// axis is the stack on which spans of a kind lie: the innermost span of each stack has the time that passes.
func (k Kind) axis() int {
	if k == Function {
		return int(Module)
	}
	return int(k)
}

// axes is the number of stacks.
const axes = int(Module) + 1

// The names of phases.
const (
	Start        = "start" // what the process did before there was a Recorder
	Other        = "other" // what is in no other phase
	Reading      = "reading"
	Parsing      = "parsing"
	Discovery    = "discovery"
	Import       = "import" // the top level of modules, that of the entry's file among them
	Trial        = "trial"
	Run          = "run"
	Explore      = "explore"    // runs under other settings
	Numbers      = "numbers"    // runs with other numbers
	OpenSizes    = "open sizes" // runs with symbols for numbers
	Linting      = "lint"
	Contract     = "contract"
	Findings     = "findings" // filters, comments, what several entries have in common
	Fixes        = "fixes"    // runs with fixes applied
	Weights      = "weights"
	Lowering     = "lowering"
	Model        = "model" // an ONNX model as the graph of the compiler
	Passes       = "passes"
	Code         = "codegen"
	Loading      = "loading" // of a program
	Execution    = "execution"
	Writing      = "writing"
	Verification = "verification" // of a model that was written
	Print        = "print"
	Elsewhere    = "other threads" // the collector, and what measures nothing
	OthersName   = "(others)"      // of a kind of which there are more than maxRows
)

// Amounts are what is measured.
type Amounts struct {
	Time  time.Duration // of a processor
	Bytes int64         // that were allocated
	Steps int64         // of the evaluation; of a pass, the rules that it applied
	Nodes int64         // of graphs that were made; of a pass, those that it found
	Runs  int64         // of entries
}

func (a *Amounts) add(b Amounts) {
	a.Time += b.Time
	a.Bytes += b.Bytes
	a.Steps += b.Steps
	a.Nodes += b.Nodes
	a.Runs += b.Runs
}

func (a Amounts) minus(b Amounts) Amounts {
	return Amounts{a.Time - b.Time, a.Bytes - b.Bytes, a.Steps - b.Steps, a.Nodes - b.Nodes, a.Runs - b.Runs}
}

// A Row is what spans of one name took together.
type Row struct {
	Kind Kind
	Name string
	// File is where it lies, Line the line there from 1; empty and 0: nowhere.
	File string
	Line int
	// Count is how many spans there were.
	Count int64
	// Self is what was spent in no further span of the same stack, Total what was spent from the begin to the end; what a span
	// inside one of its own name takes counts once.
	Self, Total Amounts
	open        int // spans of it that have not ended
}

type rowKey struct {
	kind Kind
	name string
	file string
	line int
}

// maxRows bounds the rows of a kind; what comes later is summed as one.
const maxRows = 20_000

// A Recorder measures a command. It is safe for concurrent use; each of its Tracks is for one goroutine.
type Recorder struct {
	clock   func() time.Duration // since it was made
	thread  func() (id int, used time.Duration, ok bool)
	process func() time.Duration
	start   time.Duration // of the processors, before it was made
	bytes   int64         // that the process had allocated then
	traces  bool

	mu       sync.Mutex
	tracks   []*Track
	events   []event
	rowsOf   map[rowKey]int32 // the numbers of the rows in events
	named    []rowKey
	leftOut  int          // events
	shortest atomic.Int64 // the duration from which on an event is kept
	// shared says that several workers ran at the same time: whose the bytes are that were allocated is then unknown.
	shared atomic.Bool
	busy   atomic.Int32 // workers that run
}

// New makes a recorder. traces keeps single spans, for a trace.
func New(traces bool) *Recorder {
	begun := time.Now()
	r := &Recorder{clock: func() time.Duration { return time.Since(begun) }, thread: threadTime, process: cputime.Used, start: cputime.Used(), bytes: allocated(), traces: traces}
	r.rowsOf = map[rowKey]int32{}
	r.tracks = []*Track{newTrack(r, 0)}
	r.tracks[0].active = true
	return r
}

// Main is the track of the goroutine that made the recorder; nil where that is nil.
func (r *Recorder) Main() *Track {
	if r == nil {
		return nil
	}
	return r.tracks[0]
}

// Fork gives a track to a worker that runs beside others; Join gives it back. The track of who forks does not measure meanwhile where
// it waits (Wait).
func (t *Track) Fork() *Track {
	if t == nil {
		return nil
	}
	return t.of.free(true)
}

// Helper gives a track to a goroutine that does a part of t's work; Join gives it back. What it allocates counts as t's.
func (t *Track) Helper() *Track {
	if t == nil {
		return nil
	}
	return t.of.free(false)
}

// free is the first track that nobody has, which is from now on the caller's: as many are made as goroutines run at the same time.
func (r *Recorder) free(worker bool) *Track {
	r.mu.Lock()
	i := slices.IndexFunc(r.tracks, func(t *Track) bool { return !t.active })
	if i < 0 {
		i = len(r.tracks)
		r.tracks = append(r.tracks, newTrack(r, i))
	}
	t := r.tracks[i]
	t.active, t.worker, t.worked = true, worker, t.worked || worker
	r.mu.Unlock()
	if worker && r.busy.Add(1) > 1 {
		r.shared.Store(true)
	}
	t.begin()
	return t
}

// Join ends the use of a track that Fork or Helper gave.
func (t *Track) Join() {
	if t == nil {
		return
	}
	t.finish()
	if t.worker {
		t.of.busy.Add(-1)
	}
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	t.active = false
}

// order compares rows by what does not change from run to run.
func order(a, b *Row) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
}
