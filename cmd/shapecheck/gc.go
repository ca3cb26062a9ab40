package main

import (
	"runtime"
	"runtime/debug"
)

// gcPercent trades memory for time: a run is short, and its heap small.
const gcPercent = 400

// firstGC is the size of the heap, in megabytes, at which garbage is first collected. Most
// checks end below it; each collection reads what lives, and that is modules and syntax
// trees, which live as long as the run.
const firstGC = 128

// delayGC has the first collection wait until the heap has firstGC megabytes, unless a
// limit of memory asks for it before; from then on the collector runs by gcPercent.
func delayGC() {
	const least = 4 // megabytes that Go's collector lets be at 100 percent
	debug.SetGCPercent(100 * firstGC / least)
	// It ends with the first collection. An object of at least 16 bytes has memory of its own.
	runtime.AddCleanup(new([16]uint64), func(percent int) { debug.SetGCPercent(percent) }, gcPercent)
}
