// Opfuzz compares the rules for operators with PyTorch on random calls: it
// runs them in PyTorch (the Python given with -python must have it) and through
// package opstest, and prints each call on which they disagree as a record of
// opdb, with the verdict on standard error.
//
//	go run ./tools/opfuzz -for 20m -seed 1 > found.jsonl
//
// Calls come from three sources, of which -from picks some: recorded calls that
// are changed a little, under any name of the function (records); the signatures
// of all records, with arguments made up (signatures); and recorded modules, of
// which the constructor or the call is changed (modules). A module is made and
// called in a small Python program, as a user would write it; with -programs the
// other calls are, too.
//
// With -all, results that are not known, strides and exception classes that differ
// are printed as well. With -calls FILE the calls of a file (records of opdb without
// results, one per line) are compared instead of random ones.
//
//	main.go      the flags, the sources    corpus.go    recorded calls and modules
//	mutate.go    calls changed a little    generate.go  calls made of signatures
//	program.go   calls as programs         driver.go    the process of PyTorch
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"shapecheck/infer/ops/opstest"
)

func main() {
	var o options
	flag.StringVar(&o.dir, "opdb", "infer/ops/torch/testdata/opdb", "the folder of recorded calls to start from")
	flag.StringVar(&o.modules, "modules", "infer/testdata/modules.jsonl.gz", "the file of recorded modules to start from")
	flag.StringVar(&o.from, "from", "records,signatures,modules", "where calls come from, one as often as another")
	flag.StringVar(&o.python, "python", "/usr/bin/python3", "a Python with torch")
	flag.DurationVar(&o.span, "for", time.Minute, "how long to run")
	flag.Int64Var(&o.seed, "seed", 1, "seed of the changes")
	flag.StringVar(&o.match, "match", "", "only calls that match")
	flag.BoolVar(&o.errs, "errors", true, "also tell of errors that are not found")
	flag.BoolVar(&o.all, "all", false, "also tell of unknown results, and of strides and classes of exceptions that differ")
	flag.BoolVar(&o.programs, "programs", false, "run all calls as programs")
	flag.IntVar(&o.count, "n", 0, "how many calls to run at most; 0: as many as the time allows")
	flag.StringVar(&o.calls, "calls", "", "a file of calls to compare, instead of random ones")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintf(os.Stderr, "opfuzz: %v\n", err)
		os.Exit(1)
	}
}

type options struct {
	dir, modules, from, python, match, calls string
	span                                     time.Duration
	seed                                     int64
	count                                    int
	errs, all, programs                      bool
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// run compares calls until the time or the number is used up, and prints what differs. A call
// that PyTorch's process cannot answer is skipped.
func (o *options) run() error {
	next, what, err := o.source()
	if err != nil {
		return err
	}
	d := &driver{python: o.python}
	defer d.stop()
	t := &tally{o: o, shown: map[string]int{}}
	for start := time.Now(); time.Since(start) < o.span && (o.count == 0 || t.ran < o.count); {
		c := next()
		if c == nil {
			break
		}
		line, err := d.ask(c)
		if err != nil {
			return err
		}
		var r opstest.Record
		if err := json.Unmarshal(line, &r); err != nil || r.Out == nil && r.Error == "" {
			t.skipped++
			continue
		}
		t.add(&r, line)
	}
	fmt.Fprintf(os.Stderr, "%d calls of %s, %d skipped, %d with results:", t.ran, what, t.skipped, t.results)
	for v := opstest.Verdict(0); v < opstest.NumVerdicts; v++ {
		fmt.Fprintf(os.Stderr, " %s %d", v, t.counts[v])
	}
	fmt.Fprintln(os.Stderr)
	return nil
}

// source gives the calls to compare one by one, nil after the last, and says what
// they are.
func (o *options) source() (next func() *call, what string, err error) {
	if o.calls != "" {
		next, err = fileCalls(o.calls)
		return next, o.calls, err
	}
	p, err := o.corpus()
	if err != nil {
		return nil, "", err
	}
	rng := rand.New(rand.NewSource(o.seed))
	m := &mutator{rng: rng, keywords: p.keywords, values: p.values}
	var sources []func() *call
	for _, from := range strings.Split(o.from, ",") {
		var list map[string][]*call
		switch from {
		case "records":
			list = p.byCall
		case "modules":
			list = p.byClass
		case "signatures":
			if g := newGenerator(m, p.re); len(g.targets) > 0 {
				sources = append(sources, g.call)
				what += fmt.Sprintf(", %d signatures", len(g.targets))
			}
			continue
		default:
			return nil, "", fmt.Errorf("-from: there is no source named %q", from)
		}
		if names := sortedKeys(list); len(names) > 0 {
			sources = append(sources, func() *call {
				name := names[rng.Intn(len(names))] // each function as often as any other
				c := clone(list[name][rng.Intn(len(list[name]))])
				c.rename(name)
				return c
			})
			what += fmt.Sprintf(", %d %s", len(names), from)
		}
	}
	if len(sources) == 0 {
		return nil, "", fmt.Errorf("no calls to start from in %s", o.dir)
	}
	return func() *call {
		for {
			if c := sources[rng.Intn(len(sources))](); m.mutate(c) {
				return c
			}
		}
	}, what[2:], nil
}

// fileCalls reads calls from a file.
func fileCalls(name string) (func() *call, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(f)
	dec.UseNumber()
	return func() *call {
		c := &call{}
		if err := dec.Decode(c); err != nil {
			if err != io.EOF {
				fmt.Fprintf(os.Stderr, "opfuzz: %s: %v\n", name, err)
			}
			f.Close()
			return nil
		}
		return c
	}, nil
}

// A tally counts verdicts and prints the records that disagree.
type tally struct {
	o                     *options
	counts                [opstest.NumVerdicts]int
	shown                 map[string]int
	ran, skipped, results int
	programs              programs
}

// add judges a call and prints it if that was asked for, up to a number of times for each
// function and kind of difference.
func (t *tally) add(r *opstest.Record, line []byte) {
	t.ran++
	if r.Error == "" {
		t.results++
	}
	j := t.judge(r)
	t.counts[j.Verdict]++
	what := j.Verdict.String()
	switch {
	case j.Verdict == opstest.Wrong, j.Verdict == opstest.FalseError, j.Verdict == opstest.MissedError && t.o.errs,
		j.Verdict == opstest.Unknown && t.o.all:
	case j.Layout != "":
		what, j.Why = "layout", j.Layout
	case t.o.all && j.Class != "":
		what, j.Why = "class", j.Class
	case t.o.all && j.Strides > 0:
		what = "strides"
	default:
		return
	}
	name := r.Call
	if r.Ctor != nil {
		name = r.Ctor.Module
	}
	if t.shown[name+what]++; t.shown[name+what] <= 3 || t.o.calls != "" {
		fmt.Printf("%s\n", line)
		fmt.Fprintf(os.Stderr, "%s: %s: %s\n    %s\n", name, what, j.Why, line)
	}
}

// judge runs a record through the rules; a panic is a wrong result.
func (t *tally) judge(r *opstest.Record) (j opstest.Judgement) {
	defer func() {
		if e := recover(); e != nil {
			j = opstest.Judgement{Verdict: opstest.Wrong, Why: fmt.Sprintf("panic: %v: %s", e, debug.Stack())}
		}
	}()
	if r.Ctor != nil || t.o.programs {
		return t.programs.judge(r)
	}
	return opstest.Judge(r, opstest.Run(r, opstest.Concrete))
}
