package main

// This file is our side of a comparison.
//
// It runs in a process of its own, as the other sides do, so that memory and start are measured
// alike: the program vmbench starts itself with the arguments "compile" or "worker". The protocol
// of a worker: arguments, one line of JSON after the first run with the seconds of loading and of
// the first result, then for each number on standard input a line with that many times.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"shapecheck/codegen"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/op"
	"shapecheck/codegen/pass"
	"shapecheck/internal/cputime"
	"shapecheck/onnx"
	"shapecheck/runtime/observe"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// compile writes the program of a model, with packed weights, and prints who exported the model:
// MODEL PROGRAM. The program is run once before it is written, since weights are packed when a
// kernel first needs them. It returns the errors of reading, compiling, loading and running.
func compile(args []string) error {
	if len(args) != 2 {
		return errors.New("compile MODEL PROGRAM")
	}
	m, err := onnx.ReadFile(nil, args[0])
	if err != nil {
		return err
	}
	exporter := m.ProducerName
	o, err := options()
	if err != nil {
		return err
	}
	o.File = args[0]
	p, err := codegen.Compile(context.Background(), m, o)
	if err != nil {
		return err
	}
	packed, err := vm.LoadMemory(p.ISA, p.Segments, vm.Config{Precision: os.Getenv(precisionEnv)})
	if err != nil {
		return err
	}
	defer packed.Close()
	in := vm.Inputs{}
	for i, x := range p.ISA.Inputs {
		if in[x.Name], err = draw(p.ISA, i); err != nil {
			return err
		}
	}
	if _, err := packed.Run(context.Background(), in); err != nil {
		return err
	}
	p.Add(packed.Packed())
	if err := p.WriteFile(args[1]); err != nil {
		return err
	}
	fmt.Println(exporter)
	return nil
}

// options are the compiler's. The level comes from the environment, since the process is started
// by name.
func options() (o codegen.Options, err error) {
	o.Passes.Level, err = pass.ParseLevel(os.Getenv(optEnv))
	return o, err
}

// load loads a program's file, or compiles a model and loads it. A file that does not end in
// .onnx is a program.
func load(path string, cfg vm.Config) (*vm.Model, error) {
	if filepath.Ext(path) != ".onnx" {
		return vm.LoadFile(path, cfg)
	}
	o, err := options()
	if err != nil {
		return nil, err
	}
	p, err := codegen.CompileFile(context.Background(), path, o)
	if err != nil {
		return nil, err
	}
	return vm.LoadMemory(p.ISA, p.Segments, cfg)
}

// profiledRuns is how many runs a profile is the mean of: they have the memory of those before, as the runs that are measured.
const profiledRuns = 10

// idBound bounds the integers that are drawn, which are indices in all models of the comparison.
// Embedding tables of the models have at least as many rows.
const idBound = 60

// draw makes an input of a program's sizes, which are numbers. Numbers of floats are drawn by
// tensor.FromType from the seed 1, the same for all sides. It returns an error if a size is a
// symbol.
func draw(p *isa.Program, input int) (*tensor.Tensor, error) {
	x := p.Inputs[input]
	text, ok := p.StaticType(x.Type)
	if !ok {
		return nil, fmt.Errorf("the sizes of %s, %s, are no numbers", x.Name, p.TypeText(x.Type))
	}
	t, err := tensor.FromType(context.Background(), text, x.Name, 1)
	if err != nil || tensor.IsFloat(t.DType()) {
		return t, err
	}
	for k := range t.Len() {
		n := t.Int(k) % idBound
		t.SetInt(k, (n+idBound)%idBound)
	}
	return t, nil
}

// drawAll writes inputs of a program's sizes, and gives the files. It returns an error if the
// program cannot be read or a file cannot be written.
func drawAll(dir, path string) ([]string, error) {
	f, closer, err := isa.ReadFile(path)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	var out []string
	for i, x := range f.Program.Inputs {
		t, err := draw(f.Program, i)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(dir, fmt.Sprintf("in%d.npy", i))
		if err := tensor.WriteFile(file, x.Name, t); err != nil {
			return nil, err
		}
		out = append(out, file)
	}
	return out, nil
}

// resident is the largest resident memory of the process in MB; 0 where the system does not say.
func resident() int64 {
	kb, err := memoryLine("VmHWM:")
	if err != nil {
		return 0
	}
	return kb >> 10
}

// memoryLine gives a line of what the system says of the process's memory, in kB. It reads /proc,
// which Linux alone has.
func memoryLine(name string) (int64, error) {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.SplitSeq(string(b), "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] == name {
			return strconv.ParseInt(f[1], 10, 64)
		}
	}
	return 0, fmt.Errorf("the system does not say %s", name)
}

// stopwatch gives the time: the processor's that the process has used when there is one thread,
// else the clock's. The processor's time leaves out what other processes take, so that it is
// steadier; with more threads it would count their waiting loops and not what a user waits for.
func stopwatch(threads int) func() time.Duration {
	if threads == 1 {
		return cputime.Used
	}
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}

// worker runs a program or a model: FILE THREADS OUTPUT PROFILE INPUT…. A number of runs is timed
// one by one; allocations are the mean of a run. Hooks for the profile are installed from the
// start but set after the measurements, so that these are not slowed by them.
func worker(args []string) error {
	if len(args) < 4 {
		return errors.New("worker FILE THREADS OUTPUT PROFILE INPUT…")
	}
	threads, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(threads) // also of the compiler
	var list []tensor.Value
	for _, file := range args[4:] {
		x, err := tensor.ReadFile(nil, file, tensor.TensorKind)
		if err != nil {
			return err
		}
		list = append(list, x[0].Value)
	}
	clock := stopwatch(threads)
	since := clock()
	profiled := args[3] == "true"
	var hooks vm.Hooks
	cfg := vm.Config{Threads: threads, Precision: os.Getenv(precisionEnv)}
	if profiled {
		cfg.Hooks = &hooks
	}
	m, err := load(args[0], cfg)
	if err != nil {
		return err
	}
	ready := clock() - since
	defer m.Close()
	p := m.Program()
	in := vm.Inputs{}
	for i, x := range list {
		in[p.Inputs[i].Name] = x
	}
	ctx := context.Background()
	r := m.NewRunner()
	defer r.Close()
	for k, x := range p.Inputs {
		if err := r.SetInput(k, in[x.Name]); err != nil {
			return err
		}
	}
	if err := r.Run(ctx); err != nil {
		return err
	}
	first := clock() - since
	if err := tensor.WriteFile(args[2], p.Outputs[0].Name, r.Output(0)); err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(map[string]float64{"load": ready.Seconds(), "first": first.Seconds()}); err != nil {
		return err
	}
	for s := bufio.NewScanner(os.Stdin); s.Scan(); {
		n, err := strconv.Atoi(s.Text())
		if err != nil {
			return err
		}
		ms := make([]float64, n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range ms {
			since := clock()
			if err := r.Run(ctx); err != nil {
				return err
			}
			ms[i] = float64((clock() - since).Nanoseconds()) / 1e6
		}
		runtime.ReadMemStats(&after)
		if err := out.Encode(map[string]any{"ms": ms, "mb": resident(),
			"allocations": (after.Mallocs - before.Mallocs) / uint64(max(n, 1))}); err != nil {
			return err
		}
	}
	if !profiled {
		return nil
	}
	profile := observe.Profile{Flops: func(i *isa.Instruction, in, out []tensor.Value) (int64, bool) {
		return op.Flops(i, observe.Dims(in), observe.Dims(out))
	}}
	hooks = *profile.Hooks(p)
	for range profiledRuns {
		if err := r.Run(ctx); err != nil {
			return err
		}
	}
	profile.WriteOperators(os.Stdout, profiledRuns)
	return nil
}
