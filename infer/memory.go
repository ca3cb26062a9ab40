package infer

// This file bounds the memory of a run. What Go's heap holds is shared by all runs of
// a process (Config.MemoryParts): where the limit is reached while several run, the one that notices ends,
// and its caller may run it again alone.

import (
	"fmt"
	"runtime"
)

const (
	// largeAlloc is the size from which room is looked for before something is made.
	largeAlloc = 1 << 20
	// usableMemory is the part of the limit, in percent, that values may fill; the
	// rest is for the program itself, its stacks, and what waits to be collected.
	usableMemory = 70
)

// roomFor reports whether n more bytes fit into the limit.
func (in *Interp) roomFor(n int64) error {
	limit := in.cfg.MaxMemory
	if limit <= 0 {
		return nil
	}
	limit = limit / 100 * usableMemory * int64(max(in.cfg.MemoryParts, 1))
	if n < limit && footprint() < limit-n {
		return nil
	}
	if n < limit {
		runtime.GC()
		if footprint() < limit-n {
			return nil
		}
	}
	err := in.exceed(fmt.Sprintf("the analysis stopped as it needs more than %d MB of memory (--max-memory)", in.cfg.MaxMemory>>20))
	if n < limit && in.cfg.Cache.runs.Load() > 1 {
		in.crowded = true
	}
	return err
}
