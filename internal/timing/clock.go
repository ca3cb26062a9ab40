package timing

// This file holds the clocks.
//
// Go gives no processor time of a goroutine. Three things were compared: the clock on the wall, which on a busy machine says
// mostly how busy it is; the thread's processor time with the goroutine locked to the thread, which is exact, but a coroutine
// (the interpreter runs generators in them) that another thread goes on with later ends the process; and the thread's
// processor time without a lock, which is taken here. Where a goroutine was on the same thread at both ends of a stretch, the
// stretch has the time of the thread, and never more than the clock says, since the thread may have worked for another goroutine
// meanwhile; else it has its part of what the whole process worked meanwhile. So it is exact but for the stretches in which the scheduler
// moved the goroutine, of which there are some hundred in a second at most.
//
// A look at these times is three system calls, of a microsecond or two together. Spans shorter than grain are therefore measured by the
// clock, which costs a tenth of that, until a look is due: what they had too much is taken from the next stretch. Their sum is
// that of the thread.
//
// Bytes are counted by the runtime for the process as a whole, when a processor takes a block of memory for small objects or makes a
// large one: a short span may have those of its neighbours. They are read with the thread's time. What runs at the same time
// cannot be told apart, so that rows have no bytes where several workers run.

import (
	"runtime/metrics"
	"time"
)

const (
	// grain is the length of a stretch from which on it is measured by the time of the thread: shorter ones are seldom interrupted.
	grain = 20 * time.Microsecond
	// atMost is how long stretches may be measured by the clock until a look at the thread's time is due.
	atMost = 200 * time.Microsecond
)

// allocated is how many bytes the process has allocated.
func allocated() int64 {
	s := []metrics.Sample{{Name: allocs}}
	metrics.Read(s)
	return bytesIn(s)
}

const allocs = "/gc/heap/allocs:bytes"

func bytesIn(s []metrics.Sample) int64 {
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(s[0].Value.Uint64())
}
