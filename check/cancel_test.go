//go:build unix

package check

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"shapecheck/infer"
	"shapecheck/internal/reads"
	"shapecheck/symshape"
)

// cpu is the processor time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// maxCancel is how much processor time a check may use after its context ended.
const maxCancel = 20 * time.Millisecond

// TestACheckEndsSoonAfterItsContext cancels checks of all programs of testdata in
// their course. A slow machine may need more by chance, but not three times.
func TestACheckEndsSoonAfterItsContext(t *testing.T) {
	cache := infer.NewCache()
	tried, cancelled := 0, 0
	archived(t, func(name string, run []string, files map[string]string) {
		target, err := ParseTarget(run)
		if err != nil {
			return // of another command
		}
		s := &Session{FS: reads.NewMemory(files), Cache: cache}
		start := time.Now()
		if _, err := s.Check(t.Context(), target); err != nil {
			return // a usage error
		}
		took := time.Since(start)
		if took <= maxCancel {
			return // it is over before it could be late
		}
		tried++
		for _, part := range []time.Duration{2, 6, 9} {
			var late time.Duration
			for range 3 {
				var ok bool
				if late, ok = cancelAfter(t, s, target, took*part/10); !ok {
					break // it was over before
				}
				if cancelled++; late <= maxCancel {
					break
				}
			}
			if late > maxCancel {
				t.Errorf("%s: cancelled after %d %% of its time, it used %v more", name, part*10, late)
			}
		}
	})
	if tried == 0 || cancelled < tried/4 { // of three tries each, most are in time on a quiet machine
		t.Errorf("%d checks of %d programs were cancelled", cancelled, tried)
	}
	t.Logf("%d checks of %d programs were cancelled", cancelled, tried)
}

// cancelAfter checks, cancels after some time, and gives the processor time from then
// on; false when the check was over by then.
func cancelAfter(t *testing.T, s *Session, target *Target, after time.Duration) (time.Duration, bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	at := make(chan time.Duration, 1)
	timer := time.AfterFunc(after, func() { at <- cpu(); cancel() })
	defer timer.Stop()
	_, err := s.Check(ctx, target)
	now := cpu()
	if err == nil {
		return 0, false
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("a cancelled check: %v", err)
	}
	return now - <-at, true
}

func TestACheckOfAllEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	target := &Target{Run: infer.Config{File: "f.py", Text: "def f(x):\n    return x\n", Entry: "f", Args: []string{"x:f32[B,4]"}}}
	if p, err := new(Session).CheckAll(ctx, []*Target{target}, silent{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestWhoPrintsACancelledResultIsNotCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	pool := symshape.NewPool()
	err := Cancellable(ctx, pool, func() error { pool.CheckCancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Cancellable: %v", err)
	}
	pool.CheckCancel() // panics where the channel is still looked at
}
