package cli

// This file holds the flags that bound a check.

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/project/config"
)

// limits bound each entry that is run, and the process that runs several.
type limits struct {
	timeout seconds
	memory  megabytes
	process megabytes
	steps   int
	// asked, askedMemory and budgeted report whether the command line has a timeout, a limit of memory, and a budget.
	asked, askedMemory, budgeted func() bool
	// untimed is the context without the time of a run; see timed.
	untimed context.Context
	budget  seconds
}

func (l *limits) flags(c *cobra.Command) {
	l.timeout, l.memory = seconds(infer.DefaultTimeout), megabytes(infer.DefaultMaxMemory)
	f := c.Flags()
	l.asked = func() bool { return f.Changed("timeout") }
	l.askedMemory = func() bool { return f.Changed("max-memory") }
	f.Var(&l.timeout, "timeout", "end an entry that takes longer, with what was found until then: 30 (seconds), 2m; 0: never")
	f.Var(&l.memory, "max-memory", "end an entry that needs more memory, with what was found until then: 512 (MB), 2GB; 0: never")
	f.IntVar(&l.steps, "max-steps", infer.DefaultMaxSteps, "end an entry that takes more steps, which are the same on every machine; 0: never")
}

// processMemory is what a process of several entries takes by default, in bytes.
const processMemory = 1 << 30

// processFlags are those of commands that run several entries.
func (l *limits) processFlags(c *cobra.Command) {
	l.process = processMemory
	c.Flags().Var(&l.process, "max-process-memory",
		"what the program takes where it checks several entries, which share it: 1024 (MB), 2GB, at least --max-memory; 0: any amount")
}

// defaultBudget is the processor time that a check of folders may take.
const defaultBudget = time.Minute

// budgetFlag is that of a check.
func (l *limits) budgetFlag(c *cobra.Command) {
	l.budget = seconds(defaultBudget)
	f := c.Flags()
	l.budgeted = func() bool { return f.Changed("budget") }
	f.Var(&l.budget, "budget", "the processor time of a check of folders, after which files are left out: 60 (seconds), 5m; 0: all are looked at, as on CI systems and where files are named")
}

// runBudget is the processor time that a check may take; 0: as much as it needs. Folders says whether that is bounded where nobody
// asked for it.
func (l *limits) runBudget(c *config.Config, folders bool) time.Duration {
	own, asked := c.RunBudget()
	switch {
	case l.budgeted != nil && l.budgeted():
		return time.Duration(l.budget)
	case asked:
		return own
	case folders && !onCI():
		return defaultBudget
	}
	return 0
}

// forAll is what the process may take for several entries, in bytes; 0: any amount.
func (l *limits) forAll() int64 {
	if l.process == 0 || l.process == processMemory && l.memory == 0 {
		return 0
	}
	return int64(max(l.process, l.memory))
}

// set gives the limits for a session. The collector works harder near the limit.
func (l *limits) set() check.Limits {
	l.collect(int64(l.memory))
	steps := l.steps
	if steps <= 0 {
		steps = math.MaxInt
	}
	return check.Limits{Timeout: time.Duration(l.timeout), MaxMemory: int64(l.memory), MaxSteps: steps, ProcessMemory: l.forAll()}
}

// collect has the collector keep the process below so many bytes; 0: as it likes.
func (l *limits) collect(bytes int64) {
	heap := int64(math.MaxInt64)
	if bytes > 0 {
		heap = bytes / 100 * heapShare
	}
	debug.SetMemoryLimit(heap)
}

// setFor is set, with the timeout of a configuration, which may be nil, where the command line has none.
func (l *limits) setFor(c *config.Config) check.Limits {
	if !l.asked() {
		l.timeout = seconds(c.Limit(time.Duration(l.timeout)))
	}
	return l.set()
}

// serverHeap is what a server's memory is to stay below, in bytes, where what lives is less than half of it; else
// half of it is for garbage. It is there for hours.
const serverHeap = 120 << 20

// serve has the collector keep the process small, by what lives in it now. It is called again and again.
func (l *limits) serve() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	heap := max(serverHeap, int64(live[0].Value.Uint64())+serverHeap/2)
	if l.memory > 0 {
		heap = min(heap, int64(l.memory)/100*heapShare)
	}
	debug.SetMemoryLimit(heap)
}

// heapShare is the part of the memory limit, in percent, that Go's runtime is to stay
// below; the rest is for the program's own pages.
const heapShare = 85

// seconds is a duration that may be given as a number of seconds.
type seconds time.Duration

func (s *seconds) Type() string   { return "duration" }
func (s *seconds) String() string { return time.Duration(*s).String() }

// Set reads a number of seconds, or a duration such as 500ms. It returns an error for other text, for a negative time
// and for 1e9 seconds or more.
func (s *seconds) Set(text string) error {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		if !(n >= 0 && n < 1e9) {
			return errors.New("it must be a number of seconds, 0 or more")
		}
		*s = seconds(n * float64(time.Second))
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New("it must be a number of seconds, or a duration such as 500ms or 2m")
	}
	*s = seconds(d)
	return nil
}

// megabytes is a number of bytes that may be given in megabytes (2^20 bytes).
type megabytes int64

func (m *megabytes) Type() string { return "size" }

func (m *megabytes) String() string { return strconv.FormatInt(int64(*m)>>20, 10) + "MB" }

// Set reads a number of megabytes, or a size with the unit KB, MB or GB. It returns an error for other text, for a
// negative size and for one that does not fit an int64 of bytes.
func (m *megabytes) Set(text string) error {
	number, shift := strings.ToUpper(text), 20
	for _, u := range [...]struct {
		name  string
		shift int
	}{{"KB", 10}, {"MB", 20}, {"GB", 30}} {
		if s, ok := strings.CutSuffix(number, u.name); ok {
			number, shift = s, u.shift
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>shift {
		return errors.New("it must be a number of megabytes, or a size such as 800MB or 2GB")
	}
	*m = megabytes(n << shift)
	return nil
}
