package check

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

func anyNumber(int) bool { return true }

// Parts that end in any order are released in theirs, each as soon as those before it ended.
func TestPartsAreReleasedInOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const n = 100
	second := make(chan struct{})
	var got []int
	done, err := inOrder(t.Context(), n, 4, anyNumber, func(i int) (int, bool) {
		if i == 0 {
			<-second
		} else if i == n/2 {
			close(second)
		}
		return 2 * i, false
	}, func(i, x int) error {
		if x != 2*i {
			t.Errorf("part %d has %d", i, x)
		}
		got = append(got, i)
		return nil
	})
	if err != nil || slices.Contains(done, false) || len(got) != n || !slices.IsSorted(got) {
		t.Errorf("%v, %v", got, err)
	}
}

// A cut releases what ended, also after a part that did not.
func TestACutReleasesWhatEnded(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	ctx, cancel := context.WithCancelCause(t.Context())
	var got []int
	done, err := inOrder(ctx, 5, 4, anyNumber, func(i int) (int, bool) {
		switch i {
		case 1, 4: // which may have begun before
			<-ctx.Done()
		case 3:
			cancel(&Cut{Signal: "SIGTERM"})
		}
		return i, false
	}, func(i, _ int) error { got = append(got, i); return nil })
	if err != nil || !slices.Equal(got, []int{0, 2}) || !slices.Equal(done, []bool{true, false, true, false, false}) {
		t.Errorf("%v, %v, %v", got, done, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := inOrder(ctx, 1, 4, anyNumber, func(int) (int, bool) { return 0, false }, func(int, int) error { return nil }); !errors.Is(err,
		context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
}

// A part that found too little memory beside others is checked again alone, and no more begin than there is memory for.
func TestACrowdedPartRunsAlone(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	var running, most atomic.Int32
	tries := make([]atomic.Int32, 40)
	_, err := inOrder(t.Context(), len(tries), 8, func(n int) bool { return n < 3 }, func(i int) (string, bool) {
		now := running.Add(1)
		defer running.Add(-1)
		if most.Load() < now {
			most.Store(now)
		}
		again := tries[i].Add(1) > 1
		if again && now != 1 {
			t.Errorf("part %d runs again beside %d others", i, now-1)
		}
		runtime.Gosched()
		return fmt.Sprint(i, again), i%7 == 0
	}, func(i int, x string) error {
		if x != fmt.Sprint(i, i%7 == 0) {
			t.Errorf("part %d: %s", i, x)
		}
		return nil
	})
	if err != nil || most.Load() > 3 {
		t.Errorf("%d at the same time, %v", most.Load(), err)
	}
}

// Files that are checked at the same time share the memory of the process; one alone has that of an entry.
func TestFilesShareTheMemory(t *testing.T) {
	s := &Session{Limits: Limits{MaxMemory: 1 << 20, ProcessMemory: 1 << 30}}
	for n, want := range map[int]int64{0: 0, 1: 0, 2: 1 << 30, 500: 1 << 30} {
		if got := s.forParallel(n).Limits.ProcessMemory; got != want {
			t.Errorf("%d files share %d bytes, want %d", n, got, want)
		}
	}
}
