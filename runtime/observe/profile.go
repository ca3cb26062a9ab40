package observe

// This file measures instructions.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"shapecheck/codegen/isa"
	"shapecheck/internal/inorder"
	"shapecheck/internal/safetext"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// A Profile sums the times of instructions over all runs that its hooks see.
type Profile struct {
	// Flops counts the floating-point operations of an instruction, and whether they are known; nil: of
	// none they are.
	Flops func(i *isa.Instruction, in, out []tensor.Value) (int64, bool)
	p     *isa.Program
	rows  []Cost // by instruction
	begin time.Time
}

// A Cost is what an instruction, or all of an operator, took.
type Cost struct {
	Op     isa.Op
	PC     int // -1 for an operator
	Count  int64
	Time   time.Duration
	Flops  int64  // 0: not known
	Bytes  int64  // of operands and results
	Kernel string // the last one; empty: the machine itself
}

// rate is in 1e9 operations a second.
func (c *Cost) rate() string {
	if c.Flops == 0 || c.Time == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(c.Flops)/float64(c.Time.Nanoseconds()))
}

// Hooks are those of the runs.
func (f *Profile) Hooks(p *isa.Program) *vm.Hooks {
	f.p, f.rows = p, make([]Cost, len(p.Code))
	return &vm.Hooks{
		Borrow: true,
		Before: func(int, *isa.Instruction, []tensor.Value) { f.begin = time.Now() },
		Kernel: func(pc int, name string) { f.rows[pc].Kernel = name },
		After: func(pc int, i *isa.Instruction, in, out []tensor.Value) {
			r := &f.rows[pc]
			r.Time += time.Since(f.begin)
			r.Op, r.PC = isa.Op(i.Op), pc
			r.Count++
			if f.Flops != nil {
				n, _ := f.Flops(i, in, out)
				r.Flops += n
			}
			r.Bytes += bytesOf(in) + bytesOf(out)
		},
	}
}

// Instructions are the costs of those that ran, in the program's order.
func (f *Profile) Instructions() []Cost {
	return slices.DeleteFunc(slices.Clone(f.rows), func(c Cost) bool { return c.Count == 0 })
}

// Operators are the costs by operator and kernel, the largest first.
func (f *Profile) Operators() []Cost {
	type key struct {
		op     isa.Op
		kernel string
	}
	sums := map[key]*Cost{}
	for _, c := range f.Instructions() {
		s := sums[key{c.Op, c.Kernel}]
		if s == nil {
			s = &Cost{Op: c.Op, Kernel: c.Kernel, PC: -1}
			sums[key{c.Op, c.Kernel}] = s
		}
		s.Count, s.Time, s.Flops, s.Bytes = s.Count+c.Count, s.Time+c.Time, s.Flops+c.Flops, s.Bytes+c.Bytes
	}
	var out []Cost
	for _, s := range sums {
		out = append(out, *s)
	}
	inorder.By(out, func(a, b Cost) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Op, b.Op), cmp.Compare(a.Kernel, b.Kernel))
	})
	return out
}

// total is the time of all instructions.
func (f *Profile) total() (t time.Duration) {
	for i := range f.rows {
		t += f.rows[i].Time
	}
	return t
}

func share(part, all time.Duration) float64 {
	if all == 0 {
		return 0
	}
	return 100 * float64(part) / float64(all)
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

func kernelName(c *Cost) string {
	if c.Kernel == "" {
		return "machine"
	}
	return c.Kernel
}

// WriteOperators writes the table of operators; of n runs, the mean of one.
func (f *Profile) WriteOperators(w io.Writer, n int) {
	fmt.Fprintf(w, "%-20s %6s %10s %6s %8s %10s  %s\n", "operator", "count", "ms", "%", "GFLOP/s", "MB", "kernel")
	all := f.total()
	for _, c := range f.Operators() {
		fmt.Fprintf(w, "%-20s %6d %10.3f %6.1f %8s %10.3f  %s\n", c.Op, c.Count/int64(n), ms(c.Time)/float64(n), share(c.Time, all), c.rate(),
			float64(c.Bytes)/float64(n)/1e6, kernelName(&c))
	}
}

// WriteInstructions writes the table of instructions; of n runs, the mean of one. Instructions that only end
// lives are left out.
func (f *Profile) WriteInstructions(w io.Writer, n int) {
	fmt.Fprintf(w, "%5s %-20s %6s %10s %6s %8s  %-28s %s\n", "pc", "operator", "count", "ms", "%", "GFLOP/s", "kernel", "place")
	all := f.total()
	for _, c := range f.Instructions() {
		if c.Op == isa.Free {
			continue
		}
		place, nodes := vm.Origin(f.p, c.PC)
		if place == "" && len(nodes) > 0 {
			place = nodes[0]
		}
		fmt.Fprintf(w, "%5d %-20s %6d %10.3f %6.1f %8s  %-28s %s\n", c.PC, c.Op, c.Count/int64(n),
			ms(c.Time)/float64(n), share(c.Time, all), c.rate(), kernelName(&c), safetext.Line(place))
	}
}

// bytesOf is the size of tensors; other values are not counted.
func bytesOf(list []tensor.Value) (n int64) {
	for _, v := range list {
		if t, ok := v.(*tensor.Tensor); ok && t != nil {
			n += int64(len(t.Bytes()))
		}
	}
	return n
}

// Dims are the dims of tensors, and nil of other values: what formulas of work take.
func Dims(list []tensor.Value) [][]int64 {
	all := make([][]int64, len(list))
	for k, v := range list {
		if t, ok := v.(*tensor.Tensor); ok {
			all[k] = append([]int64{}, t.Dims()...)
		}
	}
	return all
}
