package timing

// This file keeps single spans for a trace.

import (
	"cmp"
	"slices"
	"time"
)

// An Event is one span.
type Event struct {
	Kind Kind
	Name string
	File string
	Line int
	// Track is the number of the worker, from 0.
	Track int
	// Begin is when it began by the clock, since the recorder was made, Duration how long it took by the clock.
	Begin, Duration time.Duration
	// Spent is what was spent in it, what lies in it included.
	Spent Amounts
}

// An event is an Event as it is kept.
type event struct {
	row             int32
	track           int32
	begin, duration time.Duration
	spent           Amounts
}

// MaxEvents bounds the spans that are kept.
const MaxEvents = 100_000

// shortestKept is the duration from which on spans are kept where there is no room for all; it grows by a quarter as often as need be.
const shortestKept = time.Microsecond

// note keeps a span that ended, unless it is shorter than what there is room for. What is left out is shorter than all that stays, so
// that what is around a span that stays also stays.
func (r *Recorder) note(track int, o *open, end time.Duration, spent Amounts) {
	e := event{track: int32(track), begin: o.wall, duration: end - o.wall, spent: spent}
	r.mu.Lock()
	defer r.mu.Unlock()
	if int64(e.duration) < r.shortest.Load() {
		r.leftOut++
		return
	}
	key := rowKey{o.row.Kind, o.row.Name, o.row.File, o.row.Line}
	n, ok := r.rowsOf[key]
	if !ok {
		n = int32(len(r.named))
		r.rowsOf[key], r.named = n, append(r.named, key)
	}
	e.row = n
	r.events = append(r.events, e)
	for len(r.events) > MaxEvents {
		shortest := max(time.Duration(r.shortest.Load())*5/4, shortestKept)
		r.shortest.Store(int64(shortest))
		before := len(r.events)
		r.events = slices.DeleteFunc(r.events, func(e event) bool { return e.duration < shortest })
		r.leftOut += before - len(r.events)
	}
}

// sorted are the events by workers and time; what is around others comes before them.
func (r *Recorder) sorted() []Event {
	out := make([]Event, len(r.events))
	for i, e := range r.events {
		k := r.named[e.row]
		out[i] = Event{k.kind, k.name, k.file, k.line, int(e.track), e.begin, e.duration, e.spent}
	}
	// Spans are kept as they end: of two that begin and end at the same time the outer one is kept later.
	slices.Reverse(out)
	slices.SortStableFunc(out, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.Track, b.Track), cmp.Compare(a.Begin, b.Begin), cmp.Compare(b.Duration, a.Duration))
	})
	return out
}
