package timing

// This file sums up what was measured.

import (
	"runtime"
	"slices"
	"time"

	"shapecheck/internal/cputime"
)

// A Report is what a recorder has measured until now.
type Report struct {
	// Workers is how many goroutines worked at the same time, at most; Processors is how many the process may use.
	Workers, Processors int
	// ByThread says that times are those of threads; else they are those of the clock.
	ByThread bool
	// Clock is how long it took, and Processor what the process used of its processors, from its start; 0 where that is not measured.
	Clock, Processor time.Duration
	// Total is the sum of all phases' own amounts.
	Total Amounts
	// Allocated is what the process allocated, Peak the most memory that it held, in bytes; 0 where that is not measured.
	Allocated, Peak int64
	// BytesByRow says that rows have their bytes: one goroutine worked at a time.
	BytesByRow bool
	// Running is how many workers had not ended, of which nothing is in the rows.
	Running int
	// Rows are sorted by kind, file, line and name.
	Rows []*Row
	// Events are those of a trace, by worker and time; spans shorter than Shortest are left out, as many as LeftOut.
	Events   []Event
	Shortest time.Duration
	LeftOut  int
}

// Report ends what is measured on the main track and sums up all tracks. It is to be called by the goroutine that has the main track.
func (r *Recorder) Report() *Report {
	r.Main().finish()
	r.mu.Lock()
	defer r.mu.Unlock()
	p := &Report{Processors: runtime.GOMAXPROCS(0), ByThread: r.Main().seen.ok, Clock: r.clock(), Processor: cputime.Used(), Peak: cputime.Peak(),
		Allocated: allocated() - r.bytes, BytesByRow: !r.shared.Load(), Shortest: time.Duration(r.shortest.Load()), LeftOut: r.leftOut}
	all := map[rowKey]*Row{}
	add := func(x *Row) {
		key := rowKey{x.Kind, x.Name, x.File, x.Line}
		s := all[key]
		if s == nil {
			s = &Row{Kind: x.Kind, Name: x.Name, File: x.File, Line: x.Line}
			all[key] = s
			p.Rows = append(p.Rows, s)
		}
		s.Count += x.Count
		s.Self.add(x.Self)
		s.Total.add(x.Total)
	}
	for i, t := range r.tracks {
		if t.worked {
			p.Workers++
		}
		if t.active && i > 0 {
			p.Running++
			continue
		}
		for _, x := range t.rows {
			if x == t.base {
				t.base.Count, t.base.Total = 1, t.base.Self
			}
			add(x)
		}
	}
	p.Workers = max(p.Workers, 1) // else the main goroutine waited for them
	var measured time.Duration
	for _, x := range p.Rows {
		if x.Kind == Phase {
			measured += x.Self.Time
		}
	}
	if r.start > 0 {
		spent := Amounts{Time: r.start}
		add(&Row{Kind: Phase, Name: Start, Count: 1, Self: spent, Total: spent})
	}
	if rest := p.Processor - r.start - measured; rest > 0 {
		spent := Amounts{Time: rest}
		add(&Row{Kind: Phase, Name: Elsewhere, Count: 1, Self: spent, Total: spent})
	}
	for _, x := range p.Rows {
		if !p.BytesByRow {
			x.Self.Bytes, x.Total.Bytes = 0, 0
		}
		if x.Kind == Phase {
			p.Total.add(x.Self)
		}
	}
	slices.SortFunc(p.Rows, order)
	p.Events = r.sorted()
	return p
}
