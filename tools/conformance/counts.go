package conformance

// This file adds up outcomes.

import "fmt"

// Counts are the outcomes of a comparison.
type Counts struct {
	Compared, Equal int
	// Data are those whose sizes depend on data, within the bounds we know.
	Data               int
	Different, Unknown int
}

func (c *Counts) add(v verdict) {
	c.Compared++
	switch v {
	case equal:
		c.Equal++
	case dataDependent:
		c.Data++
	case unknown:
		c.Unknown++
	default:
		c.Different++
	}
}

// Add adds other to c.
func (c *Counts) Add(other Counts) {
	c.Compared += other.Compared
	c.Equal += other.Equal
	c.Data += other.Data
	c.Different += other.Different
	c.Unknown += other.Unknown
}

// OK reports whether nothing differed or was lost.
func (c Counts) OK() bool { return c.Different == 0 && c.Unknown == 0 }

func (c Counts) String() string {
	return fmt.Sprintf("%d compared, %d equal, %d data-dependent, %d different, %d unknown", c.Compared, c.Equal, c.Data, c.Different,
		c.Unknown)
}

// A Total adds up the results of traces.
type Total struct {
	Traces, Good     int
	ModuleCalls, Ops Counts
}

// Count adds a trace.
func (t *Total) Count(r *ZooResult) {
	t.Traces++
	if r.OK() {
		t.Good++
	}
	t.ModuleCalls.Add(r.ModuleCalls)
	t.Ops.Add(r.Ops)
}

// Add adds other to t.
func (t *Total) Add(other Total) {
	t.Traces += other.Traces
	t.Good += other.Good
	t.ModuleCalls.Add(other.ModuleCalls)
	t.Ops.Add(other.Ops)
}

// OK reports whether all traces agree.
func (t Total) OK() bool { return t.Good == t.Traces }

func (t Total) String() string {
	return fmt.Sprintf("%d of %d traces agree; module calls: %s; ops: %s", t.Good, t.Traces, t.ModuleCalls, t.Ops)
}
