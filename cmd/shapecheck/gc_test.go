package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// The percentage is read, not exchanged: exchanging it and putting it back would undo what
// the cleanup sets in between.
func TestTheFirstCollectionEndsTheDelay(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	delayGC()
	if p := percent(); p <= gcPercent {
		t.Fatalf("before the first collection the collector runs by %d percent, not later than by %d", p, gcPercent)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		runtime.GC()
		if percent() == gcPercent {
			return
		}
	}
	t.Errorf("the collector runs by %d percent after its first collection, want %d", percent(), gcPercent)
}

func TestALargeHeapGrowsToTwiceWhatLives(t *testing.T) {
	for _, c := range []struct {
		live  uint64 // megabytes, as limit is
		limit int64
		want  int
	}{{0, 435, 400}, {10, 435, 400}, {38, 435, 400}, {64, 435, 200}, {96, 435, 100}, {400, 435, 100}, {30, 92, 400}, {400, 870, 400},
		{400, math.MaxInt64 >> 20, 400}} {
		if got := percentFor(c.live<<20, c.limit<<20); got != c.want {
			t.Errorf("with %d MB that live the percentage is %d, want %d", c.live, got, c.want)
		}
	}
}

// percent is the setting by which the collector runs now.
func percent() uint64 {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
