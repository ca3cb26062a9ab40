package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// gcPercent trades memory for time: a run is short, and its heap small.
const gcPercent = 400

// firstGC is the size of the heap, in megabytes, at which garbage is first collected. Most
// checks end below it; each collection reads what lives, and that is modules and syntax
// trees, which live as long as the run.
const firstGC = 128

// largeHeap is the size, in megabytes, to which garbage alone does not let the heap grow: beyond
// it the heap is at most twice what lives, so that a run that makes much garbage does not come near
// a limit of memory that what lives in it is far from.
const largeHeap = 192

// entryLimit is the largest limit of the collector, in megabytes, for which that counts: that of one entry is less by
// default. Where several entries share a larger one, the collector's limit alone bounds what garbage takes.
const entryLimit = 448

// delayGC has the first collection wait until the heap has firstGC megabytes, unless a
// limit of memory asks for it before; from then on the collector runs by percentFor.
func delayGC() {
	const least = 4 // megabytes that Go's collector lets be at 100 percent
	debug.SetGCPercent(100 * firstGC / least)
	adaptGC()
}

// adaptGC sets the percentage after each collection.
func adaptGC() {
	// The cleanup runs behind a collection. An object of at least 16 bytes has memory of its own.
	runtime.AddCleanup(new([16]uint64), func(struct{}) {
		debug.SetGCPercent(percentFor(liveHeap(), debug.SetMemoryLimit(-1)))
		adaptGC()
	}, struct{}{})
}

// percentFor gives the percentage for a heap in which so many bytes live, under a limit of the collector in bytes.
func percentFor(live uint64, limit int64) int {
	if limit > entryLimit<<20 {
		return gcPercent
	}
	room := largeHeap<<20 - int64(live)
	return int(min(gcPercent, max(100, 100*room/int64(max(live, 1)))))
}

// liveHeap is the number of bytes that the last collection left.
func liveHeap() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
