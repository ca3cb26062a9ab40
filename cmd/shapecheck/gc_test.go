package main

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestTheFirstCollectionEndsTheDelay(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	delayGC()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		runtime.GC()
		p := debug.SetGCPercent(gcPercent)
		if p == gcPercent {
			return
		}
		debug.SetGCPercent(p)
	}
	t.Errorf("the collector does not run by %d percent after its first collection", gcPercent)
}
