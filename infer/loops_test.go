package infer

// This file holds what loops of known length leave behind against CPython: testdata/loops/record.py records it, for loops of all
// kinds and counts up to a million, each at the top of a script and in a function.

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

var (
	loopsOnly = flag.String("loops-only", "", "run only the loops whose `names` begin so")
	loopsAll  = flag.Bool("loops-all", false, "run all loops for a million turns, in both forms")
)

// A loopCase is a text that reads N and sets state, and what repr(state) is in CPython by N.
type loopCase struct {
	name, text string
	want       map[int]string
}

func loopCases(t *testing.T) (list []*loopCase) {
	text, err := os.ReadFile("testdata/loops/loops.txt")
	if err != nil {
		t.Fatal(err)
	}
	truth, err := os.ReadFile("testdata/loops/truth.tsv")
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*loopCase{}
	for _, part := range strings.Split("\n"+string(text), "\n### ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		c := &loopCase{name: strings.Fields(head)[0], text: body + "\n", want: map[int]string{}}
		list = append(list, c)
		byName[c.name] = c
	}
	for _, line := range strings.Split(strings.TrimSpace(string(truth)), "\n") {
		var n int
		cells := strings.SplitN(line, "\t", 3)
		fmt.Sscan(cells[1], &n)
		byName[cells[0]].want[n] = cells[2]
	}
	return list
}

// run gives repr(state) as the run has it, empty where it is not known, and the steps that the loop took.
func (c *loopCase) run(t *testing.T, cache *Cache, n int, inFunction bool) (got string, steps int) {
	cfg := Config{File: "loop.py", Script: []string{}, Cache: cache, Text: fmt.Sprintf("N = %d\n%sstate = repr(state)\n", n, c.text)}
	if inFunction {
		body := strings.ReplaceAll("\n"+c.text, "\n", "\n    ")
		cfg.Text = fmt.Sprintf("def forward(N=%d):%s\n    return repr(state)\n", n, body)
		cfg.Script, cfg.Entry = nil, "forward"
	}
	in := begin(&cfg)
	var state value.Value
	res, err := in.guarded(func() (*Result, error) {
		m, err := in.entry.loadMain()
		if err != nil {
			return nil, err
		}
		if !inFunction {
			state, _ = m.Attrs.Get("state")
		}
		return in.entry.runLoaded(m)
	})
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	if inFunction {
		state = res.Output
	}
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			t.Errorf("%s, N = %d: %s", c.name, n, d.Msg)
		}
	}
	if s, ok := state.(value.Str); ok {
		got = string(s)
	}
	return got, in.spent.steps
}

// longPart is the part of the loops that run for a million turns without -loops-all.
const longPart = 4

// TestLoopsLeaveWhatPythonLeaves runs each loop at the top of a script and in a function. A million turns must not take more steps than
// ten, but for the kinds of testdata/loops/linear.tsv, which says why.
func TestLoopsLeaveWhatPythonLeaves(t *testing.T) {
	cache := NewCache()
	linear := map[string]bool{}
	list, err := os.ReadFile("testdata/loops/linear.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(list)), "\n") {
		name, _, _ := strings.Cut(line, "\t")
		linear[name] = true
	}
	equal, unknown := 0, 0
	for i, c := range loopCases(t) {
		if *loopsOnly != "" && !strings.HasPrefix(c.name, *loopsOnly) {
			continue
		}
		few := 0
		for _, n := range []int{0, 1, 2, 3, 10, 1000, 1_000_000} {
			want, ok := c.want[n]
			if !ok || n > 1000 && (linear[c.name] || i%longPart > 0) && !*loopsAll {
				continue
			}
			for _, inFunction := range []bool{false, true} {
				if n > 1000 && inFunction && !*loopsAll {
					continue
				}
				start := time.Now()
				got, steps := c.run(t, cache, n, inFunction)
				switch {
				case got == want:
					equal++
				case got != "":
					t.Errorf("%s, N = %d: %s, in CPython %s", c.name, n, got, want)
				default:
					unknown++
					t.Logf("%s, N = %d, function %v: not known", c.name, n, inFunction)
				}
				if n == 10 {
					few = steps
				}
				if n > 1000 && steps > 2*few+100 {
					if !linear[c.name] {
						t.Errorf("%s takes %d steps for 10 turns, %d for a million", c.name, few, steps)
					}
					t.Logf("LINEAR\t%s\t%v", c.name, time.Since(start))
				}
			}
		}
	}
	t.Logf("%d equal, %d not known", equal, unknown)
	if unknown > 2 { // of N = 0 in train_linear
		t.Error("what a loop leaves is not known")
	}
}
