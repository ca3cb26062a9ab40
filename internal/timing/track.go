package timing

// This file measures.

import (
	"runtime/metrics"
	"time"
)

// A Track measures what one goroutine does. Tracks are used again: each has the rows of all that it measured.
type Track struct {
	of     *Recorder
	number int
	active bool // somebody has it; under the recorder's lock
	worker bool // it is Fork's
	worked bool // it was Fork's at some time

	rows  map[rowKey]*Row
	count [kinds]int
	tops  [axes]*Row // the innermost spans
	spans []open
	base  *Row // of what is in no phase

	now     Amounts // since the track was made
	charged Amounts // what of that is in rows
	wall    time.Duration
	// seen is when the thread was looked at, how much it and the process had worked then, and which it was.
	seen struct {
		wall, used, process time.Duration
		thread              int
		ok                  bool
	}
	credit time.Duration // what passed since then in stretches that were measured by the clock
	debt   time.Duration // how much more was counted than the thread has worked
	sample []metrics.Sample
	others int64 // bytes that were allocated while the track did not measure
	waits  int   // while positive, time is not counted
	whole  int   // while positive, time is that of all threads
	// steps and nodes are the counts of the run, as it said last.
	steps, nodes int
}

// An open is a span that has not ended.
type open struct {
	row, outer *Row
	begun      Amounts
	wall       time.Duration
	waits      bool
	whole      bool
}

func newTrack(r *Recorder, number int) *Track {
	t := &Track{of: r, number: number, rows: map[rowKey]*Row{}, sample: []metrics.Sample{{Name: allocs}}}
	t.base = t.Row(Phase, Other, "", 0)
	t.begin()
	return t
}

// begin has the track measure from now on.
func (t *Track) begin() {
	t.tops = [axes]*Row{}
	t.tops[Phase] = t.base
	t.skip()
}

// skip leaves out what passed since the last look.
func (t *Track) skip() {
	t.wall = t.of.clock()
	t.look()
	t.credit = 0
	if t.countsBytes() {
		metrics.Read(t.sample)
		t.others = bytesIn(t.sample) - t.now.Bytes
	}
	t.charged = t.now
}

// look notes how much the thread has worked.
func (t *Track) look() {
	t.seen.wall = t.wall
	t.seen.thread, t.seen.used, t.seen.ok = t.of.thread()
	t.seen.process = t.of.process()
}

// countsBytes reports whether what the process allocates is known to be for this goroutine.
func (t *Track) countsBytes() bool { return (t.worker || t.number == 0) && !t.of.shared.Load() }

// finish ends all spans.
func (t *Track) finish() {
	for len(t.spans) > 0 {
		t.end()
	}
	t.charge(true)
}

// charge adds what passed since it was last called to the innermost spans. Unless exact, a short stretch is measured by the clock alone.
func (t *Track) charge(exact bool) {
	if t.waits > 0 {
		t.skip()
		return
	}
	now := t.of.clock()
	passed := now - t.wall
	t.wall = now
	if !exact && t.whole == 0 && passed < grain && now-t.seen.wall < atMost {
		paid := min(passed, t.debt)
		t.debt -= paid
		t.now.Time += passed - paid
		t.credit += passed
	} else {
		before := t.seen
		t.look()
		used := now - before.wall
		all := t.seen.process - before.process
		switch {
		case t.whole > 0 && t.seen.process > 0:
			used = all
		case before.ok && t.seen.ok && before.thread == t.seen.thread:
			used = min(used, t.seen.used-before.used)
		case t.seen.process > 0:
			used = min(used, all/time.Duration(max(t.of.busy.Load(), 1)))
		}
		// What was counted by the clock is due; what it was too much by is left out of the stretches that follow.
		due := used - t.credit - t.debt
		t.now.Time += max(due, 0)
		t.debt, t.credit = max(-due, 0), 0
		if t.countsBytes() {
			metrics.Read(t.sample)
			t.now.Bytes = bytesIn(t.sample) - t.others
		}
	}
	d := t.now.minus(t.charged)
	t.charged = t.now
	for _, row := range t.tops {
		if row != nil {
			row.Self.add(d)
		}
	}
}

// Row is the row of a name, for who begins many spans of it. It is nil where nothing is measured.
func (t *Track) Row(k Kind, name, file string, line int) *Row {
	if t == nil {
		return nil
	}
	key := rowKey{k, name, file, line}
	r := t.rows[key]
	if r == nil && t.count[k] >= maxRows {
		key = rowKey{kind: k, name: OthersName}
		r = t.rows[key]
	}
	if r == nil {
		r = &Row{Kind: k, Name: key.name, File: key.file, Line: key.line}
		t.rows[key] = r
		t.count[k]++
	}
	return r
}

// A Span is what lies between Begin and End.
type Span struct {
	of    *Track
	depth int
}

// Begin begins a span, inside of those that have not ended.
func (t *Track) Begin(k Kind, name string) Span {
	if t == nil {
		return Span{}
	}
	return t.BeginRow(t.Row(k, name, "", 0))
}

// BeginIn begins a span of what lies in a file.
func (t *Track) BeginIn(k Kind, name, file string) Span {
	if t == nil {
		return Span{}
	}
	return t.BeginRow(t.Row(k, name, file, 0))
}

// Wait begins a stretch in which the goroutine waits for others: its time is not counted.
func (t *Track) Wait() Span {
	if t == nil {
		return Span{}
	}
	s := t.push(nil)
	t.spans[s.depth].waits = true
	t.waits++
	return s
}

// WholeProcess begins a stretch in which all that the process does is done for this goroutine, on other threads, too.
func (t *Track) WholeProcess() Span {
	if t == nil {
		return Span{}
	}
	s := t.push(nil)
	t.spans[s.depth].whole = true
	t.whole++
	t.skip()
	return s
}

// BeginRow begins a span of a row.
func (t *Track) BeginRow(row *Row) Span {
	if t == nil {
		return Span{}
	}
	s := t.push(row)
	o := &t.spans[s.depth]
	a := row.Kind.axis()
	o.outer, t.tops[a] = t.tops[a], row
	row.Count++
	row.open++
	return s
}

func (t *Track) push(row *Row) Span {
	t.charge(row == nil || row.Kind != Function)
	t.spans = append(t.spans, open{row: row, begun: t.now, wall: t.wall})
	return Span{t, len(t.spans) - 1}
}

// End ends a span, and those inside of it that were left by a panic.
func (s Span) End() {
	if s.of == nil {
		return
	}
	for len(s.of.spans) > s.depth {
		s.of.end()
	}
}

func (t *Track) end() {
	i := len(t.spans) - 1
	o := t.spans[i]
	t.charge(o.row == nil || o.row.Kind != Function)
	t.spans = t.spans[:i]
	switch {
	case o.waits:
		t.waits--
	case o.whole:
		t.whole--
		t.skip()
	default:
		t.tops[o.row.Kind.axis()] = o.outer
		if o.row.open--; o.row.open == 0 {
			o.row.Total.add(t.now.minus(o.begun))
		}
		if t.of.traces {
			t.of.note(t.number, &o, t.wall, t.now.minus(o.begun))
		}
	}
}

// From says that what follows counts from these numbers of steps and nodes on: those of another run.
func (t *Track) From(steps, nodes int) {
	if t != nil {
		t.steps, t.nodes = steps, nodes
	}
}

// At says how many steps and nodes the run has by now. It is to be called before a span begins or ends. A run that went back to an
// earlier state has fewer than before, and counts on from there.
func (t *Track) At(steps, nodes int) {
	if t == nil {
		return
	}
	t.now.Steps += int64(max(steps-t.steps, 0))
	t.now.Nodes += int64(max(nodes-t.nodes, 0))
	t.steps, t.nodes = steps, nodes
}

// Count adds steps and nodes.
func (t *Track) Count(steps, nodes int) {
	if t != nil {
		t.now.Steps += int64(steps)
		t.now.Nodes += int64(nodes)
	}
}

// CountRun counts the run of an entry.
func (t *Track) CountRun() {
	if t != nil {
		t.now.Runs++
	}
}

// Do calls f in a span of a phase; its error is that of f.
func (t *Track) Do(phase string, f func() error) error {
	defer t.Begin(Phase, phase).End()
	return f()
}
