package observe

// This file writes a timeline in the Trace Event Format, which Perfetto and Chrome read:
// complete events ("X") in microseconds of a monotonic clock, one row for each worker. The
// run's own thread is worker 0: its instructions are there, and under them what it did of
// their kernels.

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// maxEvents bounds the memory of a timeline: a loop may run for hours.
const maxEvents = 1 << 20

// A Chrome collects the timeline of runs.
type Chrome struct {
	p       *isa.Program
	start   time.Time
	begin   time.Time
	kernel  string
	spans   []span // by worker: its tiles of the instruction that runs
	events  []event
	dropped int64
}

// A span is the tiles that a worker has done of an instruction.
type span struct {
	begin, end time.Time
	tiles      int
}

type event struct {
	Name string         `json:"name"`
	Cat  string         `json:"cat,omitempty"`
	Ph   string         `json:"ph"`
	TS   float64        `json:"ts"`
	Dur  *float64       `json:"dur,omitempty"`
	PID  int            `json:"pid"`
	TID  int            `json:"tid"`
	Args map[string]any `json:"args,omitempty"`
}

// Hooks are those of a run with that many threads.
func (c *Chrome) Hooks(p *isa.Program, threads int) *vm.Hooks {
	c.p, c.start, c.spans = p, time.Now(), make([]span, threads)
	return &vm.Hooks{
		Borrow: true,
		Before: func(int, *isa.Instruction, []tensor.Value) { c.begin, c.kernel = time.Now(), "" },
		Kernel: func(_ int, name string) { c.kernel = name },
		Tile: func(_, worker int, begin, end time.Time) {
			s := &c.spans[worker]
			if s.tiles == 0 {
				s.begin = begin
			}
			s.end = end
			s.tiles++
		},
		After: c.after,
	}
}

func (c *Chrome) add(name, cat string, worker int, begin, end time.Time, args map[string]any) {
	if len(c.events) >= maxEvents {
		c.dropped++
		return
	}
	us := func(t time.Time) float64 { return float64(t.Sub(c.start).Nanoseconds()) / 1e3 }
	dur := us(end) - us(begin)
	c.events = append(c.events, event{Name: name, Cat: cat, Ph: "X", TS: us(begin), Dur: &dur, PID: 1, TID: worker, Args: args})
}

// after writes the event of an instruction, with its kernel, its place in the source and the
// types of its values. Free instructions have none.
func (c *Chrome) after(pc int, i *isa.Instruction, in, out []tensor.Value) {
	end := time.Now()
	op := isa.Op(i.Op)
	if op != isa.Free {
		args := map[string]any{"pc": pc}
		if c.kernel != "" {
			args["kernel"] = c.kernel
		}
		if place, nodes := vm.Origin(c.p, pc); place != "" {
			args["place"] = place
		} else if len(nodes) > 0 {
			args["node"] = nodes[0]
		}
		var types []string
		for _, v := range in {
			types = append(types, typeOf(v))
		}
		if types != nil {
			args["operands"] = types
		}
		if len(out) > 0 {
			args["result"] = typeOf(out[0])
		}
		c.add(op.String(), "instruction", 0, c.begin, end, args)
	}
	for w := range c.spans {
		if s := &c.spans[w]; s.tiles > 0 {
			c.add(c.kernel, "kernel", w, s.begin, s.end, map[string]any{"pc": pc, "tiles": s.tiles})
			*s = span{}
		}
	}
}

// Write writes the timeline. The error is that of w.
func (c *Chrome) Write(w io.Writer) error {
	list := []event{{Name: "process_name", Ph: "M", PID: 1, Args: map[string]any{"name": "shapecheck"}}}
	for t := range c.spans {
		list = append(list, event{Name: "thread_name", Ph: "M", PID: 1, TID: t, Args: map[string]any{"name": fmt.Sprintf("worker %d", t)}})
	}
	return json.NewEncoder(w).Encode(struct {
		TraceEvents     []event          `json:"traceEvents"`
		DisplayTimeUnit string           `json:"displayTimeUnit"`
		OtherData       map[string]int64 `json:"otherData"`
	}{append(list, c.events...), "ms", map[string]int64{"droppedEvents": c.dropped}})
}
