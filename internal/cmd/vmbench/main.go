// Command vmbench runs ONNX models in our machine and in ONNX Runtime beside each other: the
// same files, inputs and threads, in turn, so that a change of the machine's load meets both.
//
//	go run ./internal/cmd/vmbench --python PYTHON [--threads 1,2] [--rounds 3] [--seconds 1] MODEL.onnx…
//
// PYTHON has numpy and onnxruntime. The sizes of a model's inputs are numbers. It prints
// medians, of processor time with one thread and of the clock's with more, their ratios, the time to the first result
// with compiling, resident memory, the largest difference of the first output, and with --profile where our time goes.
//
// Our side compiles in a process of its own. Each side is then a process that loads the model, writes the first output as npy, prints a line of
// JSON, and then for each line with a number runs so many times and prints the times.
package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

//go:embed ort.py
var ortScript string

func main() {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		exit(worker(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == "compile" {
		exit(compile(os.Args[2:]))
	}
	python := flag.String("python", "python3", "a Python with numpy and onnxruntime")
	threads := flag.String("threads", "1,2", "numbers of threads")
	rounds := flag.Int("rounds", 3, "how often each side has its turn")
	seconds := flag.Float64("seconds", 1, "about how long a turn is")
	profile := flag.Bool("profile", false, "print where our time goes")
	flag.Parse()
	exit(compare(*python, *threads, *rounds, *seconds, *profile, flag.Args()))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "vmbench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// A side is a process that runs a model.
type side struct {
	cmd         *exec.Cmd
	in          io.WriteCloser
	out         *bufio.Reader
	load, first float64 // seconds from the process's start
	ms          []float64
	mb          int64
}

// start starts a process and waits for its first result.
func start(name string, args ...string) (*side, error) {
	s := &side{cmd: exec.Command(name, args...)}
	s.cmd.Stderr = os.Stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in, s.out = in, bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	var r struct{ Load, First float64 }
	if err := s.read(&r); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	s.load, s.first = r.Load, r.First
	return s, nil
}

func (s *side) read(v any) error {
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, v)
}

// run runs so many times.
func (s *side) run(n int) error {
	if _, err := fmt.Fprintln(s.in, n); err != nil {
		return err
	}
	var r struct {
		MS []float64
		MB int64
	}
	if err := s.read(&r); err != nil {
		return err
	}
	s.ms, s.mb = append(s.ms, r.MS...), r.MB
	return nil
}

// stop ends the process and gives what it still says.
func (s *side) stop() (string, error) {
	if err := s.in.Close(); err != nil {
		return "", err
	}
	rest, err := io.ReadAll(s.out)
	if err != nil {
		return "", err
	}
	return string(rest), s.cmd.Wait()
}

func (s *side) median() float64 {
	slices.Sort(s.ms)
	return s.ms[len(s.ms)/2]
}

// compare runs all models on both sides and prints the table.
func compare(python, threads string, rounds int, seconds float64, profile bool, models []string) (err error) {
	dir, err := os.MkdirTemp("", "vmbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	script := filepath.Join(dir, "ort.py")
	if err := os.WriteFile(script, []byte(ortScript), 0o666); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Println("| Model | Threads | Ours, ms | ONNX Runtime, ms | Ratio | First result, s | its | Memory, MB | its | Difference |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	var logs []float64
	for _, path := range models {
		for _, n := range strings.Split(threads, ",") {
			r, rest, err := one(dir, script, self, python, path, n, rounds, seconds, profile)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			logs = append(logs, math.Log(r))
			if profile {
				fmt.Fprintln(os.Stderr, path, n, "threads")
				fmt.Fprintln(os.Stderr, rest)
			}
		}
	}
	if len(logs) > 0 {
		sum := 0.0
		for _, x := range logs {
			sum += x
		}
		fmt.Printf("\ngeometric mean of the ratios: %.2f\n", math.Exp(sum/float64(len(logs))))
	}
	return nil
}

// one compares both sides on a model, prints the row, and gives the ratio and our profile.
func one(dir, script, self, python, path, threads string, rounds int, seconds float64, profile bool) (float64, string, error) {
	prog := filepath.Join(dir, "model.prog")
	begin := time.Now()
	if out, err := exec.Command(self, "compile", path, prog).CombinedOutput(); err != nil {
		return 0, "", fmt.Errorf("%w: %s", err, out)
	}
	compiling := time.Since(begin).Seconds()
	inputs, err := draw(dir, prog)
	if err != nil {
		return 0, "", err
	}
	mine, theirs := filepath.Join(dir, "mine.npy"), filepath.Join(dir, "theirs.npy")
	ours, err := start(self, append([]string{"worker", prog, threads, mine, strconv.FormatBool(profile)}, inputs...)...)
	if err != nil {
		return 0, "", err
	}
	ort, err := start(python, append([]string{script, path, threads, theirs}, inputs...)...)
	if err != nil {
		return 0, "", err
	}
	counts := map[*side]int{}
	for _, s := range []*side{ours, ort} {
		begin := time.Now()
		if err := s.run(1); err != nil {
			return 0, "", err
		}
		counts[s] = max(1, int(seconds/time.Since(begin).Seconds()))
		s.ms = nil
	}
	for range rounds {
		for _, s := range []*side{ours, ort} {
			if err := s.run(counts[s]); err != nil {
				return 0, "", err
			}
		}
	}
	rest, err := ours.stop()
	if err != nil {
		return 0, "", err
	}
	if _, err := ort.stop(); err != nil {
		return 0, "", err
	}
	diff, err := difference(mine, theirs)
	if err != nil {
		return 0, "", err
	}
	ratio := ours.median() / ort.median()
	fmt.Printf("| %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f | %d | %d | %.1e |\n", strings.TrimSuffix(filepath.Base(path), ".onnx"), threads,
		ours.median(), ort.median(), ratio, ours.first+compiling, ort.first, ours.mb, ort.mb, diff)
	return ratio, rest, nil
}

// difference is the largest one of two files, as a part of the second's largest element.
func difference(a, b string) (float64, error) {
	var list [2]*tensor.Tensor
	for i, path := range []string{a, b} {
		x, err := tensor.ReadFile(path, tensor.TensorKind)
		if err != nil {
			return 0, err
		}
		list[i] = x[0].Value.(*tensor.Tensor)
	}
	if list[0].Type() != list[1].Type() {
		return 0, fmt.Errorf("our output is %s, its %s", list[0].Type(), list[1].Type())
	}
	if !tensor.IsFloat(list[0].DType()) {
		if vm.Differ(list[0], list[1], vm.Tolerance{}) != "" {
			return math.Inf(1), nil
		}
		return 0, nil
	}
	worst, largest := 0.0, 0.0
	for i := range list[0].Len() {
		worst = max(worst, math.Abs(list[0].Float(i)-list[1].Float(i)))
		largest = max(largest, math.Abs(list[1].Float(i)))
	}
	return worst / max(largest, math.SmallestNonzeroFloat64), nil
}
