package main

// This file measures what sizes that change cost in memory: runs at random sizes, beside a process that runs at the largest ones alone.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// sizes prints the table of MODEL…, whose symbols have the values of ranges, as B=1..2,T=1..128, in so many runs. Symbols without a range are 1.
func (b *bench) sizes(ranges string, runs int, models []string) error {
	if _, err := parseRanges(ranges); err != nil {
		return err
	}
	fmt.Println("| Model | Sizes | Runs | Resident after them, MB | After runs at the largest alone, MB | Ratio |")
	fmt.Println("|---|---|---|---|---|---|")
	var errs []error
	for _, path := range models {
		var mb [2]float64
		for k, n := range []int{runs, 0} {
			s, err := b.start(b.self, "vary", path, ranges, strconv.Itoa(n))
			if err == nil {
				var text string
				if text, err = s.stop(); err == nil {
					mb[k], err = strconv.ParseFloat(strings.TrimSpace(text), 64)
				}
			}
			errs = append(errs, err)
		}
		fmt.Printf("| %s | %s | %d | %.1f | %.1f | %.3f |\n", strings.TrimSuffix(filepath.Base(path), ".onnx"), ranges, runs, mb[0], mb[1], mb[0]/mb[1])
	}
	return errors.Join(errs...)
}

// A span is the values that a symbol may have.
type span struct{ lo, hi int64 }

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

// vary prints the resident memory in MB: MODEL RANGES RUNS, at random sizes and then at the largest.
func vary(args []string) error {
	if len(args) != 3 {
		return errors.New("vary MODEL RANGES RUNS")
	}
	spans, err := parseRanges(args[1])
	if err != nil {
		return err
	}
	runs, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	m, err := load(args[0], vm.Config{Threads: 1})
	if err != nil {
		return err
	}
	defer m.Close()
	fmt.Println("{}") // what start waits for
	r := m.NewRunner()
	defer r.Close()
	memory := make([][]byte, len(m.Program().Inputs))
	run := func(value func(span) int64) error {
		in, err := sized(m.Program(), memory, func(name string) int64 {
			if s, ok := spans[name]; ok {
				return value(s)
			}
			return 1
		})
		if err != nil {
			return err
		}
		for k, x := range in {
			if err := r.SetInput(k, x); err != nil {
				return err
			}
		}
		return r.Run(context.Background())
	}
	if _, err := sized(m.Program(), memory, func(name string) int64 { return max(spans[name].hi, 1) }); err != nil { // the inputs' memory is not what is measured
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	for done, tries := 0, 0; done < runs; tries++ {
		err := run(func(s span) int64 { return s.lo + random.Int64N(s.hi-s.lo+1) })
		var e *vm.Error
		switch {
		case err == nil:
			done++
		case errors.As(err, &e) && e.Code == vm.CodeContract && tries < 100*runs: // these sizes are none of the model's
		default:
			return err
		}
	}
	for range 3 {
		if err := run(func(s span) int64 { return s.hi }); err != nil {
			return err
		}
	}
	kb, err := memoryLine("VmRSS:")
	fmt.Printf("%.3f\n", float64(kb)/1024)
	return err
}
