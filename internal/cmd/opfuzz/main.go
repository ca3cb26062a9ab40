// Opfuzz compares the rules for operators with PyTorch on random calls: it
// changes recorded calls a little, runs them in PyTorch (the Python given with
// -python must have it) and through package opstest, and prints each call on
// which they disagree as a record of opdb, with the verdict on standard error.
//
//	go run ./internal/cmd/opfuzz -for 20m -seed 1 > found.jsonl
package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"regexp"
	"time"

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
	flag.Parse()
	if err := run(*dir, *python, *match, *span, *seed, *errs); err != nil {
		fmt.Fprintf(os.Stderr, "opfuzz: %v\n", err)
		os.Exit(1)
	}
}

// torchCall matches what the driver can call without harm to itself.
var torchCall = regexp.MustCompile(`^torch\.(Tensor\.|nn\.functional\.|linalg\.|fft\.|special\.)?[a-z]\w*$`)

// never are calls that change the process or give other results each time.
var never = regexp.MustCompile(`set_|seed|empty|resize_|_?sparse|from_|save|load|as_strided|quantiz`)

func run(dir, python, match string, span time.Duration, seed int64, errs bool) error {
	re, err := regexp.Compile(match)
	if err != nil {
		return err
	}
	recs, err := opstest.Read(dir)
	if err != nil {
		return err
	}
	byCall := map[string][]*call{}
	var names []string
	for _, r := range recs {
		if r.Ctor != nil || r.Src != "" || !torchCall.MatchString(r.Call) || never.MatchString(r.Call) || !re.MatchString(r.Call) || r.BE != 0 {
			continue
		}
		c := &call{Op: r.Op, Variant: r.Variant, Gen: "fuzzed", Call: r.Call, Kwargs: map[string]any{}}
		ok := true
		for _, a := range r.Args {
			var v any
			ok = ok && json.Unmarshal(a, &v) == nil && plain(v)
			c.Args = append(c.Args, v)
		}
		for _, f := range r.Kwargs {
			var v any
			ok = ok && json.Unmarshal(f.Val, &v) == nil && plain(v)
			c.Kwargs[f.Key] = v
		}
		if !ok {
			continue
		}
		if byCall[r.Call] == nil {
			names = append(names, r.Call)
		}
		byCall[r.Call] = append(byCall[r.Call], c)
	}
	if len(names) == 0 {
		return fmt.Errorf("no calls to start from in %s", dir)
	}
	rng := rand.New(rand.NewSource(seed))
	d := &driver{python: python}
	defer d.stop()
	counts := map[opstest.Verdict]int{}
	shown := map[string]int{}
	ran, skipped := 0, 0
	for start := time.Now(); time.Since(start) < span; {
		list := byCall[names[rng.Intn(len(names))]] // each function as often as any other
		c := list[rng.Intn(len(list))].clone()
		if !mutate(rng, c) {
			continue
		}
		line, err := d.ask(c)
		if err != nil {
			return err
		}
		var r opstest.Record
		if err := json.Unmarshal(line, &r); err != nil || r.Call == "" {
			skipped++
			continue
		}
		ran++
		j := opstest.Judge(&r, opstest.Run(&r, opstest.Concrete))
		counts[j.Verdict]++
		switch j.Verdict {
		case opstest.Wrong, opstest.FalseError:
		case opstest.MissedError:
			if !errs {
				continue
			}
		default:
			continue
		}
		if key := r.Call + j.Verdict.String(); shown[key] < 3 {
			shown[key]++
			fmt.Printf("%s\n", line)
			fmt.Fprintf(os.Stderr, "%s: %s: %s\n    %s\n", r.Call, j.Verdict, j.Why, line)
		}
	}
	fmt.Fprintf(os.Stderr, "%d calls of %d functions, %d skipped:", ran, len(names), skipped)
	for v := opstest.Verdict(0); v < opstest.NumVerdicts; v++ {
		fmt.Fprintf(os.Stderr, " %s %d", v, counts[v])
	}
	fmt.Fprintln(os.Stderr)
	return nil
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
