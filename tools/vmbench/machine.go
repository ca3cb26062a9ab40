package main

// This file measures how our machine behaves beside other work: how soon a run ends that is cancelled, how long the garbage collector
// stops the process, and what runs cost that come ten times a second; and how long threads that run no model are stopped as well.
//
// Who embeds the machine in a larger program wants to know these numbers and not the throughput
// alone: a kernel that does not look for a cancellation, memory that the collector has to walk
// over, or threads that spin while they wait are felt by the rest of the program. The worst case
// of many trials is printed, as a mean would hide it.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"shapecheck/internal/cputime"
	"shapecheck/runtime/vm"
)

const (
	cancels = 40 // how many runs are cancelled, and as many meet a deadline
	beats   = 20 // how many runs come at the rate
	rate    = 100 * time.Millisecond
	gcTime  = 2 * time.Second // how long the collector works beside runs
)

// machine prints the table: MODEL…, each in a process of its own for each number of threads. It
// returns the errors of all models joined, after the rest of the table was printed.
func (b *bench) machine(threads string, models []string) error {
	fmt.Println("| Model | Threads | A run, ms | Ends after cancel, ms | After a deadline, ms | The collector stops all, ms: 99 of 100, the longest | A collection, ms |" +
		" Processor a run at 10 a second, ms | Idle, ms a second |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	var errs []error
	for _, path := range models {
		for n := range strings.SplitSeq(threads, ",") {
			s, err := b.start(b.self, "behave", path, n)
			if err == nil {
				var rest string
				if rest, err = s.stop(); err == nil {
					fmt.Print(rest)
				}
			}
			errs = append(errs, err)
		}
	}
	for n := range strings.SplitSeq(threads, ",") {
		count, err := strconv.Atoi(n)
		if err != nil || count < 1 {
			return errors.Join(append(errs, fmt.Errorf("%q is no number of threads", n))...)
		}
		fmt.Printf("\nOn %d threads that only read the clock the longest time between two looks is %.2f ms.\n", count, ms(gap(count)))
	}
	return errors.Join(errs...)
}

// gap is the longest time between two looks at the clock of threads that do nothing else. It is
// what the machine's scheduler takes by itself: pauses below it say nothing about our code.
func gap(threads int) time.Duration {
	longest := make([]time.Duration, threads)
	var group sync.WaitGroup
	for t := range threads {
		group.Go(func() {
			last := time.Now()
			for end := last.Add(gcTime); last.Before(end); {
				now := time.Now()
				longest[t], last = max(longest[t], now.Sub(last)), now
			}
		})
	}
	group.Wait()
	return slices.Max(longest)
}

// behave prints the row of a model: MODEL THREADS. The cancellations come at times that are drawn
// evenly from the length of one run, so that they meet all instructions.
func behave(args []string) error {
	if len(args) != 2 {
		return errors.New("behave MODEL THREADS")
	}
	threads, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	m, err := load(args[0], vm.Config{Threads: threads, Precision: os.Getenv(precisionEnv)})
	if err != nil {
		return err
	}
	defer m.Close()
	r := m.NewRunner()
	defer r.Close()
	for k := range m.Program().Inputs {
		x, err := draw(m.Program(), k)
		if err != nil {
			return err
		}
		if err := r.SetInput(k, x); err != nil {
			return err
		}
	}
	ctx := context.Background()
	var one time.Duration
	for range 3 {
		begin := time.Now()
		if err := r.Run(ctx); err != nil {
			return err
		}
		one = time.Since(begin)
	}
	fmt.Println("{}") // what start waits for

	var cancelled, late time.Duration
	for range cancels {
		ctx, cancel := context.WithCancel(ctx)
		at := make(chan time.Time, 1)
		time.AfterFunc(rand.N(one), func() {
			at <- time.Now()
			cancel()
		})
		err := r.Run(ctx)
		end := time.Now()
		if err != nil {
			cancelled = max(cancelled, end.Sub(<-at))
		}
		cancel()
		limit := time.Now().Add(rand.N(one))
		ctx, cancel = context.WithDeadline(context.Background(), limit)
		if err := r.Run(ctx); err != nil {
			late = max(late, time.Since(limit))
		}
		cancel()
	}

	most, stopped, collection, err := collect(r)
	if err != nil {
		return err
	}

	// The last part runs ten times a second, as a robot's loop would, and measures the
	// processor's time for a run, and of a second without any.
	var used time.Duration
	for k := range beats + 2 {
		if k == 2 {
			used = cputime.Used()
		}
		begin := time.Now()
		if err := r.Run(ctx); err != nil {
			return err
		}
		time.Sleep(rate - time.Since(begin))
	}
	each := (cputime.Used() - used) / beats
	used = cputime.Used()
	time.Sleep(time.Second)
	idle := cputime.Used() - used
	fmt.Printf("| %s | %d |", strings.TrimSuffix(filepath.Base(args[0]), ".onnx"), threads)
	fmt.Printf(" %.2f | %.2f | %.2f | %.2f, %.2f |", ms(one), ms(cancelled), ms(late), most*1e3, stopped*1e3)
	fmt.Printf(" %.2f | %.2f | %.2f |\n", ms(collection), ms(each), ms(idle))
	return nil
}

// ms is a time in milliseconds.
func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// collect runs while Go's collector works all the time, and gives the pause in seconds that 99 of 100 are below and
// the longest one, as the runtime counts pauses, and the longest collection. The collector is
// called without a break for gcTime; the runtime's histogram before and after gives the pauses in
// between, as upper ends of its buckets.
func collect(r *vm.Runner) (most, pause float64, longest time.Duration, err error) {
	const name = "/sched/pauses/total/gc:seconds"
	before := []metrics.Sample{{Name: name}}
	after := []metrics.Sample{{Name: name}}
	metrics.Read(before)
	stop, done := make(chan bool), make(chan time.Duration)
	go func() {
		longest := time.Duration(0)
		for {
			select {
			case <-stop:
				done <- longest
				return
			default:
				begin := time.Now()
				runtime.GC()
				longest = max(longest, time.Since(begin))
			}
		}
	}()
	for begin := time.Now(); time.Since(begin) < gcTime && err == nil; {
		err = r.Run(context.Background())
	}
	stop <- true
	longest = <-done
	metrics.Read(after)
	old, now := before[0].Value.Float64Histogram(), after[0].Value.Float64Histogram()
	all, seen := uint64(0), uint64(0)
	for k, n := range now.Counts {
		all += n - old.Counts[k]
	}
	for k, n := range now.Counts {
		if n > old.Counts[k] {
			pause = now.Buckets[k+1]
			if seen += n - old.Counts[k]; most == 0 && 100*seen >= 99*all {
				most = pause
			}
		}
	}
	return most, pause, longest, err
}
