// Command vmbench runs ONNX models in our machine and in ONNX Runtime beside each other: the
// same files, inputs and threads, in turn, so that a change of the machine's load meets both.
//
//	go run ./tools/vmbench --python PYTHON [--threads 1,2] [--rounds 3] [--seconds 1] [--openvino] [--precision bf16] [--opt exact]
//		[--write FILE --as NAME] MODEL.onnx…
//	go run ./tools/vmbench --machine [--threads 1,2] MODEL.onnx…
//	go run ./tools/vmbench --sizes T=1..128 [--runs 1000] MODEL.onnx…
//
// PYTHON has numpy and onnxruntime, and with --openvino openvino, which then has its turn as well. With --precision bf16 ours and
// OpenVINO may compute in it, ONNX Runtime does not. The sizes of a model's inputs are numbers. It prints, for each model and number of
// threads, medians of the time of a run and their ratio; the time that loading takes (of ours with compiling, of ONNX Runtime's the making
// of a session) and the time to the first result, without the process's start and the import of libraries, and the largest resident
// memory; these three also when a program is loaded that was compiled before, with packed weights; the allocations of a run of ours; the
// largest difference
// of the first output; and at the end geometric means. Times are the processor's with one thread, and the clock's with more. With
// --profile it says where our time goes. With --write the table also takes the place of what stands between the lines
// <!-- vmbench NAME --> and <!-- end --> of a file: docs/performance.md.
//
// With --machine it measures ours alone (machine.go), with --sizes our memory at random sizes (sizes.go).
//
// Each side is a process that loads the model, writes the first output as npy, prints a line of
// JSON, and then for each line with a number runs so many times and prints the times. What is compiled before lies in the system's
// cache of files, as does then the model.
package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
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

//go:embed ov.py
var openvinoScript string

func main() {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		exit(worker(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == "compile" {
		exit(compile(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == "behave" {
		exit(behave(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == "vary" {
		exit(vary(os.Args[2:]))
	}
	python := flag.String("python", "python3", "a Python with numpy and onnxruntime")
	threads := flag.String("threads", "1,2", "numbers of threads")
	rounds := flag.Int("rounds", 3, "how often each side has its turn")
	seconds := flag.Float64("seconds", 1, "about how long a turn is")
	profile := flag.Bool("profile", false, "print where our time goes")
	precision := flag.String("precision", "f32", "ours and OpenVINO's: f32 or bf16")
	openvino := flag.Bool("openvino", false, "compare with OpenVINO as well")
	opt := flag.String("opt", "fast", "our compiler's level: exact or fast")
	write, as := flag.String("write", "", "a file that gets the table as well"), flag.String("as", "", "where in that file")
	alone := flag.Bool("machine", false, "measure ours alone: cancelling, the collector's pauses, runs that come ten times a second")
	ranges := flag.String("sizes", "", "measure memory at random sizes alone, of symbols as B=1..2,T=1..128")
	runs := flag.Int("runs", 1000, "how many runs --sizes makes")
	flag.Parse()
	self, err := os.Executable()
	if err != nil {
		exit(err)
	}
	b := &bench{self: self, opt: *opt, write: *write, as: *as, python: *python, rounds: *rounds, seconds: *seconds, profile: *profile,
		precision: *precision, openvino: *openvino}
	if *ranges != "" {
		exit(b.sizes(*ranges, *runs, flag.Args()))
	}
	if *alone {
		exit(b.machine(*threads, flag.Args()))
	}
	exit(b.compare(*threads, flag.Args()))
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
	load, first float64 // seconds
	ms          []float64
	mb          int64
	allocations uint64 // of a run
}

// start starts a process and waits for its first result.
func (b *bench) start(name string, args ...string) (*side, error) {
	s := &side{cmd: exec.Command(name, args...)}
	s.cmd.Env = append(os.Environ(), precisionEnv+"="+b.precision, optEnv+"="+b.opt)
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
		MS          []float64
		MB          int64
		Allocations uint64
	}
	if err := s.read(&r); err != nil {
		return err
	}
	s.ms, s.mb, s.allocations = append(s.ms, r.MS...), r.MB, r.Allocations
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

// A bench says what is compared and how.
type bench struct {
	dir, self, python, precision, opt, write, as string
	out                                          strings.Builder
	rounds                                       int
	seconds                                      float64
	profile, openvino                            bool
}

// These name the precision and the level to the sides.
const precisionEnv, optEnv = "VMBENCH_PRECISION", "VMBENCH_OPT"

// A row is what both sides did on a model.
type row struct {
	exporter, threads string // and, behind the exporter, the engine where it is not ONNX Runtime
	ratio             float64
}

// compare runs all models on both sides and prints the table. A model that fails does not stop the others.
func (b *bench) compare(threads string, models []string) (err error) {
	if b.dir, err = os.MkdirTemp("", "vmbench"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	for name, text := range map[string]string{"ort.py": ortScript, "ov.py": openvinoScript} {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	head := "| Model | Exporter | Threads | Ours, ms | ONNX Runtime, ms | Ratio | Load, s | its | Of a program | First result, s | its | Of a program | Memory, MB | its | Of a program | Allocations | Difference |"
	if b.openvino {
		head += " OpenVINO, ms | Ratio | Its load, s | Its memory, MB |"
	}
	b.print("%s\n|%s\n", head, strings.Repeat("---|", strings.Count(head, "|")-1))
	var rows []row
	var errs []error
	for _, path := range models {
		prog, exporter, inputs, err := b.compiled(path)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", path, err))
			continue
		}
		for n := range strings.SplitSeq(threads, ",") {
			list, err := b.one(path, prog, exporter, n, inputs)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s, %s threads: %w", path, n, err))
				continue
			}
			rows = append(rows, list...)
		}
	}
	b.print("\n%s", strings.ReplaceAll(means(rows), "\n", "  \n"))
	if b.write != "" && len(errs) == 0 {
		text, err := os.ReadFile(b.write)
		if err != nil {
			return err
		}
		out, err := replaced(string(text), b.as, b.out.String())
		if err != nil {
			return fmt.Errorf("%s: %w", b.write, err)
		}
		return os.WriteFile(b.write, []byte(out), 0o666)
	}
	return errors.Join(errs...)
}

// print prints a part of the table.
func (b *bench) print(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	fmt.Print(text)
	b.out.WriteString(text)
}

// replaced is text with another table in the place of that name.
func replaced(text, name, table string) (string, error) {
	const end = "\n<!-- end -->"
	begin := "<!-- vmbench " + name + " -->\n"
	before, rest, ok := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("there is no place for the table %q", name)
	}
	return before + begin + "\n" + table + end + after, nil
}

// openvinoMark is behind the exporter in a row of OpenVINO's.
const openvinoMark = ", OpenVINO"

// engineName is the engine of a row that is not ONNX Runtime's.
func (r row) engineName() string {
	if strings.HasSuffix(r.exporter, openvinoMark) {
		return openvinoMark[2:]
	}
	return ""
}

// means writes, for each number of threads, the geometric mean and the largest of the ratios, of all and of each exporter.
func means(rows []row) string {
	var keys []row
	for _, r := range rows {
		all := []row{{threads: r.threads}, {threads: r.threads, exporter: r.exporter}}
		if r.engineName() != "" {
			all = []row{{threads: r.threads, exporter: r.engineName()}}
		}
		for _, k := range all {
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	slices.SortStableFunc(keys, func(a, b row) int { return strings.Compare(a.threads+" "+a.exporter, b.threads+" "+b.exporter) })
	var out strings.Builder
	for _, k := range keys {
		sum, worst, n := 0.0, 0.0, 0
		for _, r := range rows {
			if r.threads == k.threads && (k.exporter == r.engineName() || r.exporter == k.exporter) {
				sum, worst, n = sum+math.Log(r.ratio), max(worst, r.ratio), n+1
			}
		}
		name := k.exporter
		if name == "" {
			name = "all"
		}
		fmt.Fprintf(&out, "%s threads, %s: geometric mean of %d ratios %.2f, largest %.2f\n", k.threads, name, n, math.Exp(sum/float64(n)), worst)
	}
	return out.String()
}

// compiled writes a model's program and inputs of its sizes, and gives who exported the model.
func (b *bench) compiled(path string) (prog, exporter string, inputs []string, err error) {
	prog = filepath.Join(b.dir, "model.prog")
	c := exec.Command(b.self, "compile", path, prog)
	c.Env = append(os.Environ(), optEnv+"="+b.opt)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return "", "", nil, err
	}
	inputs, err = drawAll(b.dir, prog)
	return prog, strings.TrimSpace(string(out)), inputs, err
}

// one compares the sides on a model and prints the row.
func (b *bench) one(path, prog, exporter, threads string, inputs []string) ([]row, error) {
	mine, theirs := filepath.Join(b.dir, "mine.npy"), filepath.Join(b.dir, "theirs.npy")
	worker := func(file string) (*side, error) {
		return b.start(b.self, append([]string{"worker", file, threads, mine, strconv.FormatBool(b.profile)}, inputs...)...)
	}
	program, err := worker(prog)
	if err != nil {
		return nil, err
	}
	if err := program.run(1); err != nil {
		return nil, err
	}
	if _, err := program.stop(); err != nil {
		return nil, err
	}
	ours, err := worker(path)
	if err != nil {
		return nil, err
	}
	python := func(script, out string) (*side, error) {
		return b.start(b.python, append([]string{filepath.Join(b.dir, script), path, threads, out}, inputs...)...)
	}
	ort, err := python("ort.py", theirs)
	if err != nil {
		return nil, err
	}
	sides := []*side{ours, ort}
	if b.openvino {
		if s, err := python("ov.py", filepath.Join(b.dir, "openvino.npy")); err == nil { // else it has said why
			sides = append(sides, s)
		}
	}
	counts := map[*side]int{}
	for _, s := range sides {
		begin := time.Now()
		if err := s.run(1); err != nil {
			return nil, err
		}
		counts[s] = max(1, int(b.seconds/time.Since(begin).Seconds()))
		s.ms = nil
	}
	for range b.rounds {
		for _, s := range sides {
			if err := s.run(counts[s]); err != nil {
				return nil, err
			}
		}
	}
	rest, err := ours.stop()
	if err != nil {
		return nil, err
	}
	for _, s := range sides[1:] {
		if _, err := s.stop(); err != nil {
			return nil, err
		}
	}
	diff, err := difference(mine, theirs)
	if err != nil {
		return nil, err
	}
	rows := []row{{exporter, threads, ours.median() / ort.median()}}
	b.print("| %s | %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.3f | %.2f | %.2f | %.2f | %d | %d | %d | %d | %.1e |",
		strings.TrimSuffix(filepath.Base(path), ".onnx"), exporter, threads, ours.median(), ort.median(), rows[0].ratio,
		ours.load, ort.load, program.load, ours.first, ort.first, program.first, ours.mb, ort.mb, program.mb, ours.allocations, diff)
	for _, s := range sides[2:] {
		r := row{exporter + openvinoMark, threads, ours.median() / s.median()}
		b.print(" %.2f | %.2f | %.2f | %d |", s.median(), r.ratio, s.load, s.mb)
		rows = append(rows, r)
	}
	if b.openvino && len(sides) == 2 {
		b.print(" – | – | – | – |")
	}
	b.print("\n")
	if b.profile {
		fmt.Fprintf(os.Stderr, "%s, %s threads\n%s\n", path, threads, rest)
	}
	return rows, nil
}

// difference is the largest one of two files, as a part of the second's largest element.
func difference(a, b string) (float64, error) {
	var list [2]*tensor.Tensor
	for i, path := range []string{a, b} {
		x, err := tensor.ReadFile(nil, path, tensor.TensorKind)
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
