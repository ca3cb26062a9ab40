package main

// This file measures what sizes that change cost in memory: runs at random sizes, beside a process that runs at the largest ones alone.
//
// A machine that plans memory for each size could keep all plans, or fragment its heap: resident
// memory would grow with the number of sizes that were seen. The ratio in the table says whether
// it stays near what the largest size needs.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// sizes prints the table of MODEL…, whose symbols have the values of ranges, as B=1..2,T=1..128, in so many runs. Symbols without a range
// are 1. It returns an error if a range is malformed, and those of all models joined.
func (b *bench) sizes(ranges string, runs int, models []string) error {
	if _, err := parseRanges(ranges); err != nil {
		return err
	}
	fmt.Println("| Model | Sizes | Runs | Resident after a tenth, MB | After all | Ratio | After the largest alone, MB | Ratio | The largest and as much garbage, MB | Ratio |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	var errs []error
	for _, path := range models {
		row, err := b.varied(path, ranges, runs)
		errs = append(errs, err)
		if err == nil {
			fmt.Printf("| %s | %s | %d |%s\n", strings.TrimSuffix(filepath.Base(path), ".onnx"), ranges, runs, row)
		}
	}
	return errors.Join(errs...)
}

// varied measures a model: random sizes in one process, and the largest alone, without and with
// as much garbage a run, in another one. The garbage of the first process is repeated in the
// second one, so that the collector has as much to do and its share of the memory does not count
// as ours.
func (b *bench) varied(path, ranges string, runs int) (string, error) {
	var warm, all, alone, idle, garbage float64
	for _, random := range []bool{true, false} {
		s, err := b.start(b.self, "vary", path, ranges, strconv.Itoa(runs), strconv.FormatBool(random), fmt.Sprint(int(garbage)))
		if err != nil {
			return "", err
		}
		text, err := s.stop()
		if err != nil {
			return "", err
		}
		if random {
			_, err = fmt.Sscan(text, &warm, &all, &garbage)
		} else {
			_, err = fmt.Sscan(text, &alone, &idle)
		}
		if err != nil {
			return "", err
		}
	}
	return fmt.Sprintf(" %.1f | %.1f | %.3f | %.1f | %.3f | %.1f | %.3f |", warm, all, all/warm, alone, all/alone, idle, all/idle), nil
}

// A span is the values that a symbol may have. Both ends are possible.
type span struct{ lo, hi int64 }

// parseRanges reads NAME=LO..HI, with commas in between.
func parseRanges(text string) (map[string]span, error) {
	out := map[string]span{}
	for part := range strings.SplitSeq(text, ",") {
		name, values, _ := strings.Cut(part, "=")
		lo, hi, ok := strings.Cut(values, "..")
		a, err1 := strconv.ParseInt(lo, 10, 64)
		b, err2 := strconv.ParseInt(hi, 10, 64)
		if !ok || err1 != nil || err2 != nil || a < 0 || b < a {
			return nil, fmt.Errorf("%q is no range as T=1..128", part)
		}
		out[name] = span{a, b}
	}
	return out, nil
}

// sized makes the inputs of a program when its symbols have values, in memory that is used again.
// It returns an error if a size has no value at these symbols.
func sized(p *isa.Program, memory [][]byte, value func(symbol string) int64) ([]tensor.Value, error) {
	syms, known := make([]int64, len(p.Symbols)), make([]bool, len(p.Symbols))
	for k, s := range p.Symbols {
		syms[k], known[k] = value(s.Name), true
	}
	vals, ready := make([]int64, len(p.Sizes)), make([]bool, len(p.Sizes))
	if err := p.EvalSizes(syms, known, vals, ready); err != nil {
		return nil, err
	}
	var out []tensor.Value
	for n, port := range p.Inputs {
		dims, elem := make([]int64, len(port.Type.Dims)), tensor.DType(port.Type.Elem)
		size := int64(elem.Bits() / 8)
		for k, d := range port.Type.Dims {
			dims[k] = vals[d]
			size *= vals[d]
		}
		if int64(len(memory[n])) < size {
			memory[n] = make([]byte, size)
		}
		t, err := tensor.Wrap(elem, dims, memory[n][:size])
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// vary prints resident memory in MB: MODEL RANGES RUNS RANDOM GARBAGE. Random are a tenth of the runs at random
// sizes, then at the largest, then the same of all runs, and a last number is the bytes that a run has made in Go's
// heap. Others are at the largest, and again after as many runs with so many bytes of garbage
// each. Numbers of the random generator are the same in each run of the command.
func vary(args []string) error {
	if len(args) != 5 {
		return errors.New("vary MODEL RANGES RUNS RANDOM GARBAGE")
	}
	spans, err := parseRanges(args[1])
	if err != nil {
		return err
	}
	runs, err1 := strconv.Atoi(args[2])
	random, err2 := strconv.ParseBool(args[3])
	garbage, err3 := strconv.Atoi(args[4])
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	m, err := load(args[0], vm.Config{Threads: 1})
	if err != nil {
		return err
	}
	defer m.Close()
	fmt.Println("{}") // what start waits for
	v := &varying{r: m.NewRunner(), p: m.Program(), spans: spans, memory: make([][]byte, len(m.Program().Inputs)),
		random: rand.New(rand.NewPCG(1, 2))}
	defer v.r.Close()
	// the inputs' memory is not what is measured
	if _, err := sized(v.p, v.memory, func(name string) int64 { return max(spans[name].hi, 1) }); err != nil {
		return err
	}
	if !random {
		if err := v.largest(3); err != nil {
			return err
		}
		for range runs {
			for at := 0; at < garbage; at += len(v.garbage) {
				v.garbage = make([]byte, 1<<10)
			}
			if err := v.largest(1); err != nil {
				return err
			}
		}
		return v.largest(3)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, n := range []int{runs / 10, runs - runs/10} {
		if err := errors.Join(v.runs(n), v.largest(3)); err != nil {
			return err
		}
	}
	runtime.ReadMemStats(&after)
	fmt.Println(int(after.TotalAlloc-before.TotalAlloc) / max(runs, 1))
	return nil
}

// A varying is a model that runs at sizes that change.
type varying struct {
	r       *vm.Runner
	p       *isa.Program
	spans   map[string]span
	memory  [][]byte // of the inputs
	random  *rand.Rand
	garbage []byte
}

// run runs once, with the symbols as value says for their ranges.
func (v *varying) run(value func(span) int64) error {
	in, err := sized(v.p, v.memory, func(name string) int64 {
		if s, ok := v.spans[name]; ok {
			return value(s)
		}
		return 1
	})
	if err != nil {
		return err
	}
	for k, x := range in {
		if err := v.r.SetInput(k, x); err != nil {
			return err
		}
	}
	return v.r.Run(context.Background())
}

// runs runs at so many random sizes. Sizes that the model's contract excludes are drawn again, a
// hundred times as often at most.
func (v *varying) runs(n int) error {
	for done, tries := 0, 0; done < n; tries++ {
		err := v.run(func(s span) int64 { return s.lo + v.random.Int64N(s.hi-s.lo+1) })
		var e *vm.Error
		switch {
		case err == nil:
			done++
		case errors.As(err, &e) && e.Code == vm.CodeContract && tries < 100*n: // these sizes are none of the model's
		default:
			return err
		}
	}
	return nil
}

// largest runs at the largest sizes, and prints the resident memory after the last one of several runs.
func (v *varying) largest(n int) error {
	for range n {
		if err := v.run(func(s span) int64 { return s.hi }); err != nil {
			return err
		}
	}
	if n == 1 {
		return nil
	}
	kb, err := memoryLine("VmRSS:")
	fmt.Printf("%.3f\n", float64(kb)/1024)
	return err
}
