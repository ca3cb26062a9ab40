package infer_test

// This file holds programs that ask for too much, with the limits of the program:
// each ends by itself, in bounded time and memory, with what was found until then.

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/internal/cputime"
	"shapecheck/internal/diag"
)

// hostileArgs are the arguments of the programs of testdata/hostile that are no
// scripts.
var hostileArgs = map[string][]string{
	"crash_duplicate_param": {"x:f32[B,3]"}, "crash_nonlocal_self": {"x:f32[B,3]"}, "crash_global_param": {"a:f32[B]", "x:f32[B]"},
	"size_power": {"x:f32[N]"}, "size_square": {"x:f32[N]"}, "split_many": {"x:f32[2,3,1000000]"}, "index_list": {"x:f32[B,C]"},
	"hang_fork_recursion": {"x:f32[B,3]"}, "arg_list_forks": {"x:f32[B,3]"},
}

// limitsTimeout is the limit of time of these tests, which wait for some programs to
// reach it; limitsWide the processor time that a run may take beyond it: 2 s, and as
// much again for a machine that is slow.
const (
	limitsTimeout = 250 * time.Millisecond
	limitsWide    = slower * 4 * time.Second
)

func TestHostileFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/hostile/*.py")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".py")
		t.Run(name, func(t *testing.T) {
			cfg := infer.Config{File: file, Args: hostileArgs[name], MaxMemory: infer.DefaultMaxMemory, Timeout: limitsTimeout}
			if cfg.Args == nil {
				cfg.Script = []string{}
			}
			checkLimited(t, cfg)
		})
	}
}

// checkLimited runs a program and checks that it ends well. Its limit of memory, which
// is one of the whole process, is for what it adds to what other tests hold.
func checkLimited(t *testing.T, cfg infer.Config) *infer.Result {
	t.Helper()
	runtime.GC() // what earlier programs left is not this one's
	held := heapSize()
	if cfg.MaxMemory > 0 {
		cfg.MaxMemory += 2 * held // a part of the limit alone is for values
	}
	peak, stop := watchHeap()
	start := cputime.Used()
	res, err := infer.Run(cfg)
	took := cputime.Used() - start
	stop()
	if errors.As(err, new(*infer.UsageError)) {
		return &infer.Result{}
	}
	if err != nil {
		t.Fatal(err)
	}
	if took > limitsTimeout+limitsWide {
		t.Errorf("it took %v", took)
	}
	if n := peak.Load() - held; n > infer.DefaultMaxMemory {
		t.Errorf("the heap grew by %d MB from %d", n>>20, held>>20)
	}
	syntax := false
	for _, d := range res.Diagnostics {
		syntax = syntax || d.Code == diag.SyntaxError
		if d.Code == diag.InternalError {
			t.Errorf("%s\n%s", d.Msg, strings.Join(d.Notes, "\n"))
		}
	}
	if syntax && len(res.Reached) > 0 {
		t.Error("a file with a syntax error was run")
	}
	if err := graph.Verify(res.Graph); err != nil {
		t.Errorf("the typed graph: %v", err)
	}
	return res
}

// heapSize returns the bytes of the heap's objects.
func heapSize() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// watchHeap keeps the largest size of the heap until stop is called.
func watchHeap() (peak *atomic.Int64, stop func()) {
	peak = &atomic.Int64{}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			peak.Store(max(peak.Load(), heapSize()))
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	return peak, func() { close(done); <-ended }
}

// limitMB is the limit of memory in a message, which is not the same in each run here.
var limitMB = regexp.MustCompile(`\b\d+ MB\b`)

// TestLimitsAreTold checks that each limit ends a run with SC904 that names it, keeps
// what was found, and gives the same result each time where it is no limit of time.
func TestLimitsAreTold(t *testing.T) {
	const found = "import torch\ntorch.zeros(2, 3) @ torch.zeros(4, 5)\n"
	for _, c := range []struct {
		name, text, msg string
		cfg             infer.Config
	}{
		{"steps", "for i in range(10**6):\n    for j in range(10**6):\n        pass\n", "the analysis stopped after 1000 steps",
			infer.Config{MaxSteps: 1000}},
		{"time", "import itertools\nsum(1 for i in itertools.count())\n", "the analysis stopped after 50ms (--timeout)",
			infer.Config{Timeout: 50 * time.Millisecond}},
		{"memory", "xs = []\nwhile True:\n    xs.append([0] * 4000000)\n",
			"the analysis stopped as it needs more than N MB of memory (--max-memory)", infer.Config{MaxMemory: infer.DefaultMaxMemory}},
		{"one operation", "x = (1 << 1000000) - 1\npow(3, x, x + 2)\n", "the analysis stopped after 50000000 steps", infer.Config{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var first string
			for range 2 {
				c.cfg.File, c.cfg.Text, c.cfg.Script, c.cfg.Cache = "limits.py", found+c.text, []string{}, infer.NewCache()
				res := checkLimited(t, c.cfg)
				var got []string
				for _, d := range res.Diagnostics {
					got = append(got, string(d.Code)+" "+limitMB.ReplaceAllString(d.Msg, "N MB"))
				}
				if len(got) != 2 || !strings.Contains(got[1]+got[0], string(diag.BudgetExceeded)+" "+c.msg) || !res.Exceeded {
					t.Errorf("%q", got)
				}
				if text := strings.Join(got, "\n"); first != "" && text != first {
					t.Errorf("%s\nand then\n%s", first, text)
				} else {
					first = text
				}
			}
		})
	}
}

// TestSharedMemory checks that runs that share the memory of a process have its limit.
func TestSharedMemory(t *testing.T) {
	for _, c := range []struct {
		one, all int64
		flag     string
	}{{32, 0, "--max-memory"}, {32, 1 << 10, "--max-memory"}, {512, 32, "--max-process-memory"}, {0, 32, "--max-process-memory"},
		{512, 1 << 10, ""}, {0, 0, ""}} {
		res, err := infer.Run(infer.Config{File: "big.py", Text: "x = [0] * 4000000\n", Script: []string{}, MaxMemory: c.one << 20,
			ProcessMemory: c.all << 20})
		if err != nil || res.Exceeded != (c.flag != "") {
			t.Errorf("%d MB for one, %d for all: exceeded %v, %v", c.one, c.all, res.Exceeded, err)
			continue
		}
		names := func(d *diag.Diagnostic) bool { return d.Code == diag.BudgetExceeded && strings.Contains(d.Msg, c.flag) }
		if res.Exceeded && !slices.ContainsFunc(res.Diagnostics, names) {
			t.Errorf("%d MB for one, %d for all: %v", c.one, c.all, res.Diagnostics)
		}
	}
}

// TestDeepRecursionIsCaught checks that the recursion of the interpreter itself is a
// RecursionError of the program.
func TestDeepRecursionIsCaught(t *testing.T) {
	for name, stmts := range map[string]string{
		"equality": "x == y", "order": "x < y", "hash": "hash(t)", "key": "{t: 1}", "copy": "import copy; copy.deepcopy(x)",
		"isinstance": "isinstance(1.5, types)", "iterator": "list(it)",
	} {
		t.Run(name, func(t *testing.T) {
			text := "x, y, t, types, it = [], [], (), int, iter([1])\nfor i in range(5000):\n" +
				"    x, y, t, types, it = [x], [y], (t,), (types,), zip(it)\n" +
				"ok = False\ntry:\n    " + stmts + "\nexcept RecursionError:\n    ok = True\nassert ok\n"
			file := filepath.Join(t.TempDir(), "deep.py")
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			res := checkLimited(t, infer.Config{File: file, Script: []string{}})
			for _, d := range res.Diagnostics {
				t.Errorf("%s %s", d.Code, d.Msg)
			}
		})
	}
}

// TestChargedMethods checks values of CPython 3.12 of the methods that are charged in
// the midst of their work.
func TestChargedMethods(t *testing.T) {
	const text = `import re
m = re.compile("a+").search("xxaaxaa", 3, 4)
assert (m.string, m.pos, m.endpos, m.span()) == ("xxaaxaa", 3, 4, (3, 4))
m = list(re.compile("a").finditer("aba", 1))
assert len(m) == 1 and (m[0].string, m[0].pos, m[0].endpos) == ("aba", 1, 3)
assert re.sub("a", lambda m: m.group() * 2, "bab") == "baab" and re.split("(,)", "a,b") == ["a", ",", "b"]
assert "a b  c ".rsplit(None, 1) == ["a b", "c"] and " a b".rsplit(None, 0) == [" a b"] and "  a b c".rsplit(None, 5) == ["a", "b", "c"]
assert "a,b,c".rsplit(",", 1) == ["a,b", "c"] and ",a,".rsplit(",", 5) == ["", "a", ""]
assert "abc".translate({97: None, 98: "xy", 99: 0x141}) == "xy\u0141"
s = {1, 2, 3, 4}
s.intersection_update([4, 2, 9])
assert s == {2, 4} and s <= {2, 4, 5} and not s <= {2} and s.isdisjoint({7})
s.clear()
assert s == set() and {1: 2, 3: 4} == {3: 4, 1: 2}
x = [1, 2]
x[len(x):] = x
del x[::2]
assert x == [2, 2]
`
	res := checkLimited(t, infer.Config{File: "methods.py", Text: text, Script: []string{}})
	for _, d := range res.Diagnostics {
		t.Errorf("%s %s", d.Code, d.Msg)
	}
}
