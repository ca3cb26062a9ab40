package timing

import (
	"testing"
	"time"
)

// A hand is a clock and a thread that tests move.
type hand struct {
	wall, used, process time.Duration
	thread              int
}

// work has so much time pass, in which the thread works.
func (h *hand) work(d time.Duration) { h.wall, h.used, h.process = h.wall+d, h.used+d, h.process+d }

func recorderWith(h *hand, traces bool) *Recorder {
	r := New(traces)
	r.clock = func() time.Duration { return h.wall }
	r.thread = func() (int, time.Duration, bool) { return h.thread, h.used, true }
	r.process = func() time.Duration { return h.process }
	r.start = 0
	r.Main().begin()
	return r
}

func rowOf(t *testing.T, p *Report, k Kind, name string) *Row {
	t.Helper()
	for _, x := range p.Rows {
		if x.Kind == k && x.Name == name {
			return x
		}
	}
	t.Fatalf("no row %v %q", k, name)
	return nil
}

func want(t *testing.T, x *Row, self, total time.Duration, count int64) {
	t.Helper()
	if x.Self.Time != self || x.Total.Time != total || x.Count != count {
		t.Errorf("%v %s: self %v, total %v, %d times; want %v, %v, %d", x.Kind, x.Name, x.Self.Time, x.Total.Time, x.Count, self, total, count)
	}
}

const ms = time.Millisecond

// An imported module's time is its own and part of its importer's total, as a function's is.
func TestNestedSpansHaveTheirOwnTime(t *testing.T) {
	h := &hand{}
	r := recorderWith(h, false)
	m := r.Main()
	h.work(ms)
	run := m.Begin(Phase, Trial)
	h.work(2 * ms)
	imp := m.Begin(Phase, Import)
	a := m.BeginIn(Module, "a", "a.py")
	h.work(3 * ms)
	b := m.BeginIn(Module, "b", "b.py")
	h.work(5 * ms)
	f := m.BeginRow(m.Row(Function, "f", "b.py", 1))
	h.work(7 * ms)
	again := m.BeginRow(m.Row(Function, "f", "b.py", 1))
	h.work(11 * ms)
	again.End()
	f.End()
	b.End()
	a.End()
	imp.End()
	run.End()
	h.work(13 * ms)
	p := r.Report()
	want(t, rowOf(t, p, Phase, Other), 14*ms, 14*ms, 1)
	want(t, rowOf(t, p, Phase, Trial), 2*ms, 28*ms, 1)
	want(t, rowOf(t, p, Phase, Import), 26*ms, 26*ms, 1)
	want(t, rowOf(t, p, Module, "a"), 3*ms, 26*ms, 1)
	want(t, rowOf(t, p, Module, "b"), 5*ms, 23*ms, 1)
	want(t, rowOf(t, p, Function, "f"), 18*ms, 18*ms, 2)
}

// The sum is the thread's time, also where many spans are too short to look at it.
func TestShortSpansSumUpToTheTimeOfTheThread(t *testing.T) {
	h := &hand{}
	r := recorderWith(h, false)
	m := r.Main()
	row := m.Row(Function, "f", "a.py", 1)
	for range 1000 {
		s := m.BeginRow(row)
		h.work(time.Microsecond)
		s.End()
		h.wall += time.Microsecond // in which another one worked
	}
	p := r.Report()
	f, other := rowOf(t, p, Function, "f"), rowOf(t, p, Phase, Other)
	if d := other.Self.Time - ms; d < 0 || d > atMost {
		t.Errorf("the phase has %v, want %v", other.Self.Time, ms)
	}
	if f.Self.Time > ms+atMost {
		t.Errorf("the function has %v, more than there was", f.Self.Time)
	}
}

// A thread that worked for another goroutine meanwhile, or another thread, does not count for more than the clock.
func TestTheTimeOfAnotherGoroutineIsNotCounted(t *testing.T) {
	h := &hand{}
	r := recorderWith(h, false)
	s := r.Main().Begin(Phase, Run)
	h.wall, h.used = h.wall+ms, h.used+5*ms
	s.End()
	s = r.Main().Begin(Phase, Run) // on another thread it has what the process worked, and no more than the clock says
	h.wall, h.used, h.thread, h.process = h.wall+20*ms, 100*ms, 1, h.process+2*ms
	s.End()
	s = r.Main().Begin(Phase, Run)
	h.wall, h.used, h.thread, h.process = h.wall+3*ms, 100*ms, 2, h.process+50*ms
	s.End()
	h.wall += 50 * ms // waiting
	want(t, rowOf(t, r.Report(), Phase, Run), 6*ms, 6*ms, 3)
}

func TestWaitingIsNotCounted(t *testing.T) {
	h := &hand{}
	r := recorderWith(h, false)
	m := r.Main()
	s := m.Begin(Phase, Run)
	w := m.Wait()
	h.wall += 50 * ms
	f := m.Fork()
	x := f.BeginIn(File, "a.py", "a.py")
	h.work(4 * ms)
	x.End()
	f.Join()
	w.End()
	h.work(ms)
	s.End()
	p := r.Report()
	want(t, rowOf(t, p, Phase, Run), ms, ms, 1)
	want(t, rowOf(t, p, File, "a.py"), 4*ms, 4*ms, 1)
	if p.Workers != 1 || p.Total.Time != 5*ms && p.Processor == 0 {
		t.Errorf("%d workers, %v", p.Workers, p.Total.Time)
	}
}

// A run that goes back to an earlier state has fewer steps than before; they are not taken back.
func TestStepsAreCountedOnce(t *testing.T) {
	r := recorderWith(&hand{}, false)
	m := r.Main()
	m.From(100, 10)
	s := m.Begin(Phase, Run)
	m.At(150, 12)
	m.At(20, 3)
	m.At(25, 3)
	s.End()
	if x := rowOf(t, r.Report(), Phase, Run); x.Self.Steps != 55 || x.Self.Nodes != 2 {
		t.Errorf("%d steps, %d nodes", x.Self.Steps, x.Self.Nodes)
	}
}

func TestAPanicEndsTheSpansThatItLeaves(t *testing.T) {
	h := &hand{}
	r := recorderWith(h, false)
	s := r.Main().Begin(Phase, Run)
	r.Main().Begin(Phase, Import)
	h.work(ms)
	s.End()
	h.work(ms)
	p := r.Report()
	want(t, rowOf(t, p, Phase, Import), ms, ms, 1)
	want(t, rowOf(t, p, Phase, Run), 0, ms, 1)
	want(t, rowOf(t, p, Phase, Other), ms, ms, 1)
}

// A helper's time is its own, its bytes are those of whom it helps; two workers cannot tell theirs apart.
func TestWhoseBytesTheyAre(t *testing.T) {
	r := New(false)
	m := r.Main()
	s := m.Begin(Phase, Run)
	h := m.Helper()
	hs := h.Begin(Phase, Parsing)
	sink = make([]byte, 1<<20)
	hs.End()
	h.Join()
	s.End()
	p := r.Report()
	if run, parsing := rowOf(t, p, Phase, Run), rowOf(t, p, Phase, Parsing); !p.BytesByRow || run.Self.Bytes < 1<<20 || parsing.Self.Bytes != 0 {
		t.Errorf("run %d, parsing %d bytes", run.Self.Bytes, parsing.Self.Bytes)
	}
	r = New(false)
	a := r.Main().Fork()
	b := r.Main().Fork()
	a.Begin(Phase, Run).End()
	a.Join()
	b.Join()
	if p := r.Report(); p.BytesByRow || rowOf(t, p, Phase, Run).Total.Bytes != 0 || p.Workers != 2 {
		t.Errorf("%d workers, bytes %v", p.Workers, p.BytesByRow)
	}
}

var sink []byte

// Rows and events are bounded; the longest events stay, each with what is around it.
func TestMemoryIsBounded(t *testing.T) {
	h := &hand{}
	r := recorderWith(h, true)
	m := r.Main()
	outer := m.Begin(Phase, Run)
	for i := range 3 * MaxEvents {
		s := m.BeginRow(m.Row(Function, "f", "a.py", i))
		h.work(time.Duration(1+i%50) * time.Microsecond)
		s.End()
	}
	outer.End()
	p := r.Report()
	if len(p.Rows) > maxRows+10 || len(p.Events) > MaxEvents || len(p.Events) < MaxEvents/4 {
		t.Errorf("%d rows, %d events", len(p.Rows), len(p.Events))
	}
	if rest := rowOf(t, p, Function, OthersName); rest.Count != 3*MaxEvents-maxRows {
		t.Errorf("%d calls of others", rest.Count)
	}
	if len(p.Events)+p.LeftOut != 3*MaxEvents+1 {
		t.Errorf("%d events and %d left out", len(p.Events), p.LeftOut)
	}
	if e := p.Events[0]; e.Kind != Phase || e.Name != Run {
		t.Errorf("what is around all events is not the first: %v %s", e.Kind, e.Name)
	}
	for _, e := range p.Events {
		if e.Duration < p.Shortest {
			t.Fatalf("an event of %v, where %v is the shortest", e.Duration, p.Shortest)
		}
	}
}

func TestNothingIsMeasuredWithoutARecorder(t *testing.T) {
	var r *Recorder
	m := r.Main()
	f := m.Fork()
	s := f.Begin(Phase, Run)
	f.At(1, 1)
	f.From(1, 1)
	f.Count(1, 1)
	f.CountRun()
	f.Wait().End()
	f.WholeProcess().End()
	f.Helper().Join()
	f.BeginIn(File, "a", "a").End()
	f.BeginRow(f.Row(Function, "f", "a", 1)).End()
	s.End()
	f.Join()
	if n := testing.AllocsPerRun(10, func() { m.Begin(Phase, Run).End() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSpan(b *testing.B) {
	m := New(false).Main()
	row := m.Row(Function, "f", "a.py", 1)
	for b.Loop() {
		m.BeginRow(row).End()
	}
}
