package main

// This file runs hostile models in the program itself, and demands that each ends in its limits.
//
// Each case is a process for each of run with both engines, compile and infer, with one thread
// and the same limits. What counts is how it ends: an exit code of 0, 1 or 2 (done, findings,
// refused), no trace of a panic, processor time and peak memory within the limits plus a margin.
// The processor's time is compared and not the clock's, since the machine may be busy with other
// things.

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"shapecheck/onnx"
)

// hostileFlags say what is run, and in which limits. margin is what a run may take beyond the
// timeout in all, late what it may take after the timeout has passed.
type hostileFlags struct {
	binary, only   string
	every          int
	memory, beside int64 // MB
	timeout        time.Duration
	margin, late   time.Duration
	verbose        bool
	keep           string
}

// runHostile reads the flags of the command; its error is that of a flag, of the files, or that a
// run ended wrongly.
func runHostile(args []string) error {
	var h hostileFlags
	f := flag.NewFlagSet("hostile", flag.ExitOnError)
	f.StringVar(&h.binary, "binary", "", "the program; it is built when none is given")
	f.StringVar(&h.only, "only", "", "run the cases whose name matches")
	f.IntVar(&h.every, "every", 1, "run one case of so many")
	f.Int64Var(&h.memory, "memory", 512, "--max-memory, in MB")
	f.Int64Var(&h.beside, "beside", 40, "what the process may have besides, in MB: its code, stacks and the collector's own memory")
	f.DurationVar(&h.timeout, "timeout", time.Second, "--timeout")
	f.DurationVar(&h.margin, "margin", time.Second, "the processor time that a run may take besides")
	f.DurationVar(&h.late, "late", 300*time.Millisecond, "the processor time that a run may take after its time is up")
	f.BoolVar(&h.verbose, "v", false, "print what each run said")
	f.StringVar(&h.keep, "keep", "", "a folder for the models, which stay there")
	if err := f.Parse(args); err != nil {
		return err
	}
	return h.run()
}

// A hostileRun is what became of one process. peak is in bytes.
type hostileRun struct {
	args []string
	code int
	cpu  time.Duration
	late time.Duration // of it, after its time was up
	peak int64
	said string
	why  string // it is wrong; empty: it is not
}

// run has the command deal with hostile models and prints those runs that did not end as they should: by an exit code of a
// finding or a refusal, in the time and memory that they were allowed. Cases are made anew each
// time, always in the same order.
func (h *hostileFlags) run() error {
	only, err := regexp.Compile(h.only)
	if err != nil {
		return err
	}
	work := h.keep
	if work == "" {
		if work, err = os.MkdirTemp("", "hostile"); err != nil {
			return err
		}
		defer os.RemoveAll(work)
	}
	if h.binary == "" {
		h.binary = filepath.Join(work, "shapecheck")
		if out, err := exec.Command("go", "build", "-o", h.binary, "./cmd/shapecheck").CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	cases, runs, wrong := 0, 0, 0
	codes := map[int]int{}
	said := map[string]int{}
	var longest, latest time.Duration
	var most int64
	for k, c := range hostileCases() {
		if k%h.every != 0 || !only.MatchString(c.name) {
			continue
		}
		cases++
		list, err := h.one(filepath.Join(work, fmt.Sprint(k)), c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		for _, r := range list {
			runs++
			codes[r.code]++
			longest, latest, most = max(longest, r.cpu), max(latest, r.late), max(most, r.peak)
			if code := codePattern.FindString(r.said); code != "" {
				said[code]++
			}
			if r.why != "" {
				wrong++
			}
			if r.why != "" || h.verbose {
				fmt.Printf("%s %s: %s [exit %d, %v, %v late, %d MB]\n    %s\n", c.name, strings.Join(r.args, " "), r.why, r.code,
					r.cpu.Round(time.Millisecond),
					r.late.Round(time.Millisecond), r.peak>>20, firstLines(r.said))
			}
		}
	}
	fmt.Printf("%d hostile models, %d runs: %d wrong; exit codes %v, %v; %v of processor time, %v after the time was up, and %d MB at most\n", cases, runs,
		wrong, codes, said,
		longest.Round(time.Millisecond), latest.Round(time.Millisecond), most>>20)
	if wrong > 0 {
		return errors.New("a hostile model did not end as it should")
	}
	return nil
}

// codePattern matches the codes of findings about models, which limits have too.
var codePattern = regexp.MustCompile(`SC8\d\d`)

// firstLines are at most four lines of an output, of at most 300 bytes each.
func firstLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, l := range lines {
		lines[i] = l[:min(len(l), 300)]
	}
	return strings.Join(lines[:min(len(lines), 4)], "\n    ")
}

// one runs a case with every command and engine. Large files beside the model are files with
// holes, which take no room on the disk. The model and its files are removed afterwards unless
// they are kept.
func (h *hostileFlags) one(dir string, c *hostileCase) ([]hostileRun, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if h.keep == "" {
		defer os.RemoveAll(dir)
	}
	b, err := onnx.Marshal(c.model)
	if err != nil {
		return nil, err
	}
	model := filepath.Join(dir, "m.onnx")
	if err := os.WriteFile(model, b, 0o666); err != nil {
		return nil, err
	}
	for name, size := range c.files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o666), os.Truncate(path, size)); err != nil {
			return nil, err
		}
	}
	limits := []string{"--timeout", h.timeout.String(), "--max-memory", fmt.Sprintf("%dMB", h.memory)}
	inputs := []string{"--threads", "1"}
	for _, name := range slices.Sorted(maps.Keys(c.inputs)) {
		b, err := onnx.MarshalTensor(c.inputs[name])
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, name+".pb")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			return nil, err
		}
		inputs = append(inputs, "--input", name+"="+path)
	}
	var list []hostileRun
	for _, engine := range []string{"fast", "ref"} {
		list = append(list, h.process(slices.Concat([]string{"run", model, "--engine", engine}, limits, inputs)))
	}
	list = append(list, h.process(slices.Concat([]string{"compile", model, "-o", filepath.Join(dir, "m.prog")}, limits)))
	return append(list, h.process([]string{"infer", model})), nil
}

// process runs the program once. What does not end is killed long after its time. Standard output
// and error are read together, for messages of the runtime. 50 ms after the timeout the
// processor's time that was used by then is noted; what comes after it is late.
func (h *hostileFlags) process(args []string) hostileRun {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second+10*h.timeout)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, h.binary, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	var used atomic.Int64 // when the time is up; on a machine that does other things the processor's time says more than the clock's
	err := cmd.Start()
	if err == nil {
		end := time.AfterFunc(h.timeout+50*time.Millisecond, func() { used.Store(int64(processorTime(cmd.Process.Pid))) })
		err = cmd.Wait()
		end.Stop()
	}
	r := hostileRun{args: []string{args[0]}, said: out.String()}
	if args[0] == "run" {
		r.args = []string{"run", args[3]}
	}
	if cmd.ProcessState == nil {
		r.code, r.why = -1, fmt.Sprint("it did not start: ", err)
		return r
	}
	r.code, r.cpu, r.peak = cmd.ProcessState.ExitCode(), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), peak(cmd.ProcessState)
	if x := time.Duration(used.Load()); x > 0 && args[0] != "infer" {
		r.late = r.cpu - x
	}
	switch {
	case r.code < 0 || r.code > 2:
		r.why = fmt.Sprintf("exit code %d", r.code)
	case strings.Contains(r.said, "goroutine ") || strings.Contains(r.said, "fatal error:") || strings.Contains(r.said, "internal "):
		r.why = "a fault of the program"
	case r.cpu > h.timeout+h.margin:
		r.why = "more time than allowed"
	case r.late > h.late:
		r.why = "it goes on after its time"
	case r.peak > (h.memory+h.beside)<<20:
		r.why = "more memory than allowed"
	}
	return r
}
