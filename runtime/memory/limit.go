package memory

// This file bounds the memory of the process. Whoever makes something whose size comes from a model or its inputs asks here first.

import (
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
)

// A FullError says that memory was not made, because the process would have more than its limit.
type FullError struct {
	Bytes int64 // asked for
	Used  int64 // by the process, when it was asked
	Limit int64
}

func (e *FullError) Error() string {
	return fmt.Sprintf("%d bytes are needed, and %d of the %d that the process may have are in use", e.Bytes, e.Used, e.Limit)
}

// process is what is known of the memory of the process.
var process struct {
	// room is how many bytes may be asked for before the memory is measured again. Below 0 it is to be measured.
	room atomic.Int64
	// mapped is the memory outside of Go's heap.
	mapped atomic.Int64

	mu      sync.Mutex
	limit   int64 // 0: not known yet; below 0: none
	rest    int64 // what the process has beside Go's memory and what is mapped: the program itself
	granted int64 // the room of the last measurement
	asked   int64 // since the collector ran for want of room
}

const (
	// stride is the most that may be asked for between two measurements, which take some microseconds.
	stride = 64 << 20
	// unlimited is the room where there is no limit.
	unlimited = math.MaxInt64 / 2
)

// Limit is how many bytes the process may have: what SetLimit said, else DefaultLimit. 0: any number.
func Limit() int64 {
	process.mu.Lock()
	defer process.mu.Unlock()
	return max(limit(), 0)
}

// limit is the limit, below 0 without one. The lock is held.
func limit() int64 {
	if process.limit == 0 {
		setLimit(DefaultLimit())
	}
	return process.limit
}

// SetLimit bounds the memory of the process, in bytes, and gives the limit before; 0 is no limit. It holds for what
// is made from now on: Ask refuses what would exceed it. Everything counts that the process has then, also what other
// parts of it have made.
func SetLimit(bytes int64) (before int64) {
	process.mu.Lock()
	defer process.mu.Unlock()
	before = max(limit(), 0)
	setLimit(bytes)
	return before
}

func setLimit(bytes int64) {
	process.limit, process.asked, process.granted = bytes, math.MaxInt64/4, 0
	process.room.Store(0)
	if bytes <= 0 {
		process.limit = -1
	}
	process.rest = 0
	process.rest = max(resident()-used(), 0)
}

// DefaultLimit is the limit of a process that has set none: 80 % of what it can have, which is the machine's memory
// or the part that its control group, or its address space, is limited to. 0: the system does not say.
func DefaultLimit() int64 {
	least := int64(0)
	for _, n := range bounds() {
		if n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least / 5 * 4
}

// Ask reports whether n bytes may be made. The error is a *FullError: the process would exceed its limit, or n is
// negative. Nothing need be given back, as the memory is measured.
func Ask(n int64) error {
	if n >= 0 && n <= largest && process.room.Add(-n) >= 0 {
		return nil
	}
	return measure(n)
}

// measure is Ask when the room is used up.
func measure(n int64) error {
	p := &process
	p.mu.Lock()
	defer p.mu.Unlock()
	most := limit()
	if most < 0 {
		p.room.Store(unlimited)
		if n < 0 || n > largest {
			return &FullError{Bytes: n, Limit: largest}
		}
		return nil
	}
	p.asked += p.granted
	now := used()
	if n < 0 || n > most {
		grant(most - now)
		return &FullError{Bytes: n, Used: now, Limit: most}
	}
	// What the collector could free counts until it has run. It does not run again for little: what is asked for in between would take as
	// long.
	if n > most-now && n <= most-p.mapped.Load() && p.asked > most/32 {
		debug.FreeOSMemory()
		p.asked = 0
		now = used()
	}
	if n > most-now || !mayMap(n+2*stride) { // Go's heap grows by a stride, and another one may be asked for before the next measurement
		grant(most - now)
		return &FullError{Bytes: n, Used: now, Limit: most}
	}
	p.asked += n
	grant(most - now - n)
	return nil
}

// grant gives room of the bytes that are left. The lock is held.
func grant(left int64) {
	p := &process
	p.granted = min(max(left, 0), stride, p.limit/64)
	p.room.Store(p.granted)
}

var gauges = []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}

// used measures the memory of the process, with what is garbage. The lock is held.
func used() int64 {
	metrics.Read(gauges)
	return int64(gauges[0].Value.Uint64()-gauges[1].Value.Uint64()) + process.mapped.Load() + process.rest
}

// Used measures the memory of the process as the limit sees it, with garbage of Go's collector.
func Used() int64 {
	process.mu.Lock()
	defer process.mu.Unlock()
	return used()
}
