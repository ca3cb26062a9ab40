package pool

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestEveryPieceIsDoneOnce(t *testing.T) {
	for _, threads := range []int{1, 2, 5} {
		p := New(threads)
		for round := range 300 {
			if round%10 != 9 {
				p.Begin()
			}
			n := round * 3 % 70
			counts := make([]atomic.Int32, n)
			p.Do(n, func(worker, piece int) {
				if worker < 0 || worker >= threads {
					t.Errorf("worker %d of %d", worker, threads)
				}
				counts[piece].Add(1)
			})
			for i := range counts {
				if counts[i].Load() != 1 {
					t.Fatalf("%d threads: piece %d of %d is done %d times", threads, i, n, counts[i].Load())
				}
			}
			if round%10 != 9 {
				p.End()
			}
		}
		p.Close()
	}
}

func TestRunsShareTheWorkers(t *testing.T) {
	p := New(3)
	defer p.Close()
	var all sync.WaitGroup
	var sum atomic.Int64
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			p.Begin()
			defer p.End()
			for range 50 {
				p.Do(20, func(_, piece int) { sum.Add(int64(piece)) })
			}
		}()
	}
	all.Wait()
	if got := sum.Load(); got != 8*50*190 {
		t.Errorf("the pieces add up to %d", got)
	}
}

func TestWorkersHelp(t *testing.T) {
	p := New(2)
	defer p.Close()
	p.Begin()
	defer p.End()
	met := make(chan struct{})
	// Both pieces can only end together, so that two threads must have them.
	p.Do(2, func(_, _ int) {
		select {
		case met <- struct{}{}:
		case <-met:
		case <-time.After(20 * time.Second):
			t.Error("the second piece has not begun")
		}
	})
}

func TestAPanicIsThatOfTheCall(t *testing.T) {
	p := New(2)
	defer p.Close()
	p.Begin()
	defer p.End()
	for range 50 {
		func() {
			defer func() {
				if r := recover(); r != "seven" {
					t.Errorf("the panic is %v", r)
				}
			}()
			p.Do(20, func(_, piece int) {
				if piece == 7 {
					panic("seven")
				}
			})
		}()
	}
}

func TestIdleWorkersPark(t *testing.T) {
	p := New(4)
	defer p.Close()
	p.Begin()
	p.Do(100, func(_, _ int) {})
	p.End()
	for end := time.Now().Add(20 * time.Second); p.parked.Load() < 3; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d of 3 workers are parked", p.parked.Load())
		}
	}
}
