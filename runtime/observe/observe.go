// Package observe watches runs of package vm through its hooks. An observer is for one run at a
// time.
//
// Observers are hooks, so that the machine knows nothing of files and formats. The comparison with the reference is
// none of them, as it needs operands while they live.
//
//	trace.go    Trace: a line for each instruction      dump.go     Dump: a file for each result
//	profile.go  Profile: times and rates                chrome.go   Chrome: a timeline for Perfetto
//	text.go     Describe: what elements are like        observe.go  Join: several observers
package observe

import (
	"time"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// Join makes hooks that call all of the list in its order; nil ones are left out. It is nil
// when there is nothing to call, and borrows values when all do that get some.
func Join(list ...*vm.Hooks) *vm.Hooks {
	out := &vm.Hooks{Borrow: true}
	any := false
	for _, h := range list {
		if h == nil {
			continue
		}
		any = true
		out.Borrow = out.Borrow && (h.Borrow || h.Before == nil && h.After == nil)
		if a, b := out.Before, h.Before; a == nil {
			out.Before = b
		} else if b != nil {
			out.Before = func(pc int, i *isa.Instruction, in []tensor.Value) { a(pc, i, in); b(pc, i, in) }
		}
		if a, b := out.After, h.After; a == nil {
			out.After = b
		} else if b != nil {
			out.After = func(pc int, i *isa.Instruction, in, res []tensor.Value) { a(pc, i, in, res); b(pc, i, in, res) }
		}
		if a, b := out.Kernel, h.Kernel; a == nil {
			out.Kernel = b
		} else if b != nil {
			out.Kernel = func(pc int, name string) { a(pc, name); b(pc, name) }
		}
		if a, b := out.Tile, h.Tile; a == nil {
			out.Tile = b
		} else if b != nil {
			out.Tile = func(pc, worker int, begin, end time.Time) { a(pc, worker, begin, end); b(pc, worker, begin, end) }
		}
		if a, b := out.End, h.End; a == nil {
			out.End = b
		} else if b != nil {
			out.End = func(s vm.Stats) { a(s); b(s) }
		}
	}
	if !any {
		return nil
	}
	return out
}
