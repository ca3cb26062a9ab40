package infer

// This file bounds the memory of a run. What Go's heap holds is shared by all runs of
// a process (Config.ProcessMemory): where the limit is reached while several run, the one that notices ends,
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
	// runMemory is what a run usually takes, in bytes.
	runMemory = 32 << 20
)

// MemoryFor reports whether one more run may begin beside others that share the memory of a process: it and they usually stay
// below half of what values may fill. 0 is no limit.
func MemoryFor(running int, limit int64) bool {
	return limit <= 0 || running == 0 || Live()+int64(running)*runMemory < limit/100*usableMemory/2
}

// roomFor reports whether n more bytes fit into the limit. What is kept for later runs is dropped before this one ends.
func (b *budget) roomFor(n int64) error {
	most, flag := b.cfg.MaxMemory, "--max-memory"
	if p := b.cfg.ProcessMemory; p > 0 {
		// Nobody knows whose an object is: the runs may take so much together, and once more for trees and texts.
		if most *= int64(b.cfg.Cache.runs.Load() + 1); most <= 0 || most > p {
			most, flag = p, "--max-process-memory"
		}
	}
	if most <= 0 {
		return nil
	}
	limit := most / 100 * usableMemory
	if n < limit {
		if footprint() < limit-n {
			return nil
		}
		runtime.GC()
		if footprint() < limit-n {
			return nil
		}
		trees, states := b.cfg.Cache.Shed(), b.cfg.Modules.shed()
		if trees || states {
			runtime.GC()
			if footprint() < limit-n {
				return nil
			}
		}
	}
	err := b.exceed(fmt.Sprintf("the analysis stopped as it needs more than %d MB of memory (%s)", most>>20, flag))
	if n < limit && b.cfg.Cache.runs.Load() > 1 {
		b.crowded = true
	}
	return err
}
