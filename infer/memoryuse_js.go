package infer

import "runtime"

// footprint is the number of bytes that the program's objects and stacks take, with
// what was not collected yet. There is one thread in a browser, so that nobody is stopped by the look; the tables of
// package metrics, which are made and translated for it, are a twentieth of the page's start.
func footprint() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// Live is the number of bytes that the program's objects take.
func Live() int64 { return footprint() }
