// Opfuzz compares the rules for operators with PyTorch on random calls: it
// changes recorded calls a little, runs them in PyTorch (the Python given with
// -python must have it) and through package opstest, and prints each call on
// which they disagree as a record of opdb, with the verdict on standard error.
//
//	go run ./internal/cmd/opfuzz -for 20m -seed 1 > found.jsonl
//
// Beside the recorded spelling of a function its others are tried: the method,
// the in-place form, names in other namespaces. With -all, results that are not
// known, strides and exception classes that differ are printed as well. With
// -calls FILE the calls of a file (records of opdb without results, one per line)
// are compared instead of random ones.
package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/opstest"
)

//go:embed driver.py
var driverSource string

func main() {
	dir := flag.String("opdb", "infer/ops/testdata/opdb", "the folder of recorded calls to start from")
	python := flag.String("python", "/usr/bin/python3", "a Python with torch")
	span := flag.Duration("for", time.Minute, "how long to run")
	seed := flag.Int64("seed", 1, "seed of the changes")
	match := flag.String("match", "", "only calls that match")
	errs := flag.Bool("errors", true, "also tell of errors that are not found")
	all := flag.Bool("all", false, "also tell of unknown results, and of strides and classes of exceptions that differ")
	count := flag.Int("n", 0, "how many calls to run at most; 0: as many as the time allows")
	calls := flag.String("calls", "", "a file of calls to compare, instead of random ones")
	flag.Parse()
	o := options{dir: *dir, python: *python, match: *match, calls: *calls, span: *span, seed: *seed, count: *count, errs: *errs, all: *all}
	if err := o.run(); err != nil {
		fmt.Fprintf(os.Stderr, "opfuzz: %v\n", err)
		os.Exit(1)
	}
}

// torchCall matches what the driver can call without harm to itself.
var torchCall = regexp.MustCompile(`^torch\.(Tensor\.|nn\.functional\.|linalg\.|fft\.|special\.)?[a-z]\w*$`)

// never are calls that change the process or give other results each time.
var never = regexp.MustCompile(`set_|seed|empty|resize_|_?sparse|from_|save|load|as_strided|quantiz`)

type options struct {
	dir, python, match, calls string
	span                      time.Duration
	seed                      int64
	count                     int
	errs, all                 bool
}

// A corpus holds the calls to start from, by the name of the function.
type corpus struct {
	names    []string
	byCall   map[string][]*call
	keywords map[string][]keyword
}

func (o *options) corpus() (*corpus, error) {
	re, err := regexp.Compile(o.match)
	if err != nil {
		return nil, err
	}
	recs, err := opstest.Read(o.dir)
	if err != nil {
		return nil, err
	}
	p := &corpus{byCall: map[string][]*call{}, keywords: map[string][]keyword{}}
	add := func(name string, c *call) {
		if !torchCall.MatchString(name) || never.MatchString(name) || !re.MatchString(name) {
			return
		}
		if p.byCall[name] == nil {
			p.names = append(p.names, name)
		}
		p.byCall[name] = append(p.byCall[name], c)
	}
	for _, r := range recs {
		if r.Ctor != nil || r.Src != "" || r.BE != 0 || r.Gen == "trace" {
			continue
		}
		name := strings.Replace(r.Call, "torch.torch.", "torch.", 1)
		c := &call{Op: r.Op, Variant: r.Variant, Gen: "fuzzed", Call: name, Kwargs: map[string]any{}}
		ok := true
		for _, a := range r.Args {
			var v any
			ok = ok && decode(a, &v) == nil && plain(v)
			c.Args = append(c.Args, v)
		}
		for _, f := range r.Kwargs {
			var v any
			ok = ok && decode(f.Val, &v) == nil && plain(v)
			c.Kwargs[f.Key] = v
			if list := p.keywords[r.Op]; ok && len(list) < 200 && r.Error == "" {
				p.keywords[r.Op] = append(list, keyword{f.Key, v})
			}
		}
		if !ok {
			continue
		}
		add(name, c)
		if len(p.byCall[name]) > 30 || r.Error != "" {
			continue
		}
		if op, ok := ops.Lookup(name); ok {
			for _, n := range op.Names {
				if n != name {
					add(n, c)
				}
				if op.InPlace && !strings.HasSuffix(n, "_") {
					add(n+"_", c)
				}
			}
		}
	}
	if len(p.names) == 0 {
		return nil, fmt.Errorf("no calls to start from in %s", o.dir)
	}
	return p, nil
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

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
		if err := json.Unmarshal(line, &r); err != nil || r.Call == "" {
			t.skipped++
			continue
		}
		t.add(&r, line)
	}
	fmt.Fprintf(os.Stderr, "%d calls of %s, %d skipped:", t.ran, what, t.skipped)
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
		f, err := os.Open(o.calls)
		if err != nil {
			return nil, "", err
		}
		dec := json.NewDecoder(f)
		dec.UseNumber()
		return func() *call {
			c := &call{}
			if err := dec.Decode(c); err != nil {
				if err != io.EOF {
					fmt.Fprintf(os.Stderr, "opfuzz: %s: %v\n", o.calls, err)
				}
				f.Close()
				return nil
			}
			return c
		}, o.calls, nil
	}
	p, err := o.corpus()
	if err != nil {
		return nil, "", err
	}
	rng := rand.New(rand.NewSource(o.seed))
	m := &mutator{rng: rng, keywords: p.keywords}
	return func() *call {
		for {
			name := p.names[rng.Intn(len(p.names))] // each function as often as any other
			list := p.byCall[name]
			c := clone(list[rng.Intn(len(list))])
			if c.Call = name; c.Kwargs == nil {
				c.Kwargs = map[string]any{}
			}
			if m.mutate(c) {
				return c
			}
		}
	}, fmt.Sprintf("%d functions", len(p.names)), nil
}

// A tally counts verdicts and prints the records that disagree.
type tally struct {
	o            *options
	counts       [opstest.NumVerdicts]int
	shown        map[string]int
	ran, skipped int
}

func (t *tally) add(r *opstest.Record, line []byte) {
	t.ran++
	j := judge(r)
	t.counts[j.Verdict]++
	what := j.Verdict.String()
	switch {
	case j.Verdict == opstest.Wrong, j.Verdict == opstest.FalseError, j.Verdict == opstest.MissedError && t.o.errs, j.Verdict == opstest.Unknown && t.o.all:
	case t.o.all && j.Class != "":
		what, j.Why = "class", j.Class
	case t.o.all && j.Strides > 0:
		what = "strides"
	default:
		return
	}
	if key := r.Call + what; t.shown[key] < 3 || t.o.calls != "" {
		t.shown[key]++
		fmt.Printf("%s\n", line)
		fmt.Fprintf(os.Stderr, "%s: %s: %s\n    %s\n", r.Call, what, j.Why, line)
	}
}

// judge runs a record through the rules; a panic is a wrong result.
func judge(r *opstest.Record) (j opstest.Judgement) {
	defer func() {
		if e := recover(); e != nil {
			j = opstest.Judgement{Verdict: opstest.Wrong, Why: fmt.Sprintf("panic: %v: %s", e, debug.Stack())}
		}
	}()
	return opstest.Judge(r, opstest.Run(r, opstest.Concrete))
}

// A driver is the Python process; it is started anew when a call kills it.
type driver struct {
	python string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
}

func (d *driver) start() error {
	d.cmd = exec.Command(d.python, "-c", driverSource)
	in, err := d.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	d.in, d.out = in, bufio.NewReaderSize(out, 1<<20)
	return d.cmd.Start()
}

// ask runs a call. The answer is empty when the call killed the process.
func (d *driver) ask(c *call) ([]byte, error) {
	if d.cmd == nil {
		if err := d.start(); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	if _, err = d.in.Write(append(text, '\n')); err == nil {
		var line []byte
		if line, err = d.out.ReadBytes('\n'); err == nil {
			return line[:len(line)-1], nil
		}
	}
	d.stop()
	return nil, nil
}

func (d *driver) stop() {
	if d.cmd == nil {
		return
	}
	d.in.Close()
	d.cmd.Process.Kill()
	d.cmd.Wait() // its status says nothing: it was killed
	d.cmd = nil
}
