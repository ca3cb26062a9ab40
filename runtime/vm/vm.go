// Package vm runs programs.
//
//	m, err := vm.Load(p, vm.Config{})
//	y, err := m.Run(ctx, vm.Inputs{"x": tensor.Of(xs, 1, 3, 224, 224)})
//
// A Model is a program that was verified and loaded; it never changes and may be used by many
// goroutines. Sizes are bound at each run: the input's dimensions give the symbols their
// values, the contract is checked with them, and a plan for these sizes is made or found
// among the last ones. An input that breaks the contract is refused before anything runs.
//
// Two engines give one meaning: the reference engine computes with onnx/eval, in
// float64 with one rounding for each node, and checks everything; the fast engine uses the
// kernels of runtime/kernel and, where there is none, the reference's.
//
//	vm.go         Config, Hooks                     load.go    Model, Load
//	bind.go       sizes and the contract of a run   run.go     Run
//	step.go       the results of an instruction     errors.go  errors of loading and running
//	reference.go  the reference engine              pack.go    packed forms of constants
//	kernels.go    instructions on fast kernels      blocks.go  memory of results
//	runner.go     runs in the same memory          repeat.go  instructions of loops, again
//	weights.go    constants, with their elements or without
//	group.go      chains of functions of elements, tile by tile
//	fusion.go     what is computed together, and why other things are not
//	mapped.go     programs' files in memory, with packed constants
//	share.go      constants that several models have
//	plan.go       where values lie in an arena
//	sequence.go   sequences and optionals           rows.go    rows that the trips of a loop make
//	narrow.go     values of bf16 where precision allows them  inputs.go  rows of inputs where they lie
//	check.go      kernels, as hooks and checks see them   find.go  what elements say the sizes of
package vm

import (
	"time"

	"shapecheck/codegen/isa"
	"shapecheck/internal/reads"
	"shapecheck/runtime/tensor"
)

// An Engine is a way of running.
type Engine uint8

// The engines.
const (
	Fast Engine = iota
	Reference
)

// A Config says how to load and run a program. The zero Config is the fast engine on all
// processors, whose runs only the memory of the process bounds.
type Config struct {
	Engine Engine
	// Threads is the number of threads of a run; 0: as many as GOMAXPROCS says.
	Threads int
	// Tier lowers the tier of kernels: portable, avx2, avx512; empty: the best one.
	Tier string
	// Precision allows products, convolutions and recurrent networks with constant weights to be computed in bf16,
	// with sums in f32, where the processor has such products: bf16. Results then have some three digits; with tiles
	// (AMX) images between such instructions are of bf16, and seen as such by hooks. Empty, or f32: they are not.
	Precision string
	// Weights are the elements of constants that the program leaves to be bound by name.
	Weights map[string]*tensor.Tensor
	// Dir is the folder in which external segments are looked for; LoadFile takes the program's own.
	Dir string
	// FS is where external segments come from; nil: the disk.
	FS reads.FS
	// CheckSums compares the SHA-256 of all segments of a program's file with those that the program has, also when
	// the file is used where it is in memory. Segments that are read are always compared.
	CheckSums bool
	// Budget bounds each run.
	Budget Budget
	// CheckNaN and CheckInf stop a run at the first result with such an element.
	CheckNaN, CheckInf bool
	// CheckReference computes what a kernel has computed with the reference as well, and stops a run
	// at the first result that differs by more than this; nil: it does not.
	CheckReference *Tolerance
	// SkipTypeCheck leaves out the comparison of each result's element type and sizes with the
	// program's; kinds of values are always compared.
	SkipTypeCheck bool
	// Poison fills the memory of results before kernels write them and when nobody has it any more: what
	// reads there shows in the outputs. It is for tests.
	Poison bool
	// NoCatch lets a kernel's panic through, with its stack, instead of making an error of it.
	NoCatch bool
	// Hooks are called around each instruction; nil: none.
	Hooks *Hooks
}

// A Budget bounds a run; a limit of 0 is none. Time is bounded by the run's context, and all that models and runs
// make by the memory of the process, which is bounded whatever a Budget says: see memory.SetLimit.
type Budget struct {
	Instructions int64 // executed ones
	Bytes        int64 // of values, arena and outputs together
	Trips        int64 // of one loop
}

// Hooks observe runs; each may be nil. They are called on the goroutine of the run, but for
// Tile, must not change values, and may keep them, unless they say that they borrow. Runs at the same time call them at the same
// time. Package runtime/observe has some.
type Hooks struct {
	// Before gets the instruction's index and its operands (nil: absent).
	Before func(pc int, inst *isa.Instruction, in []tensor.Value)
	// After gets its results as well.
	After func(pc int, inst *isa.Instruction, in, out []tensor.Value)
	// Kernel gets the name of what computes the instruction before it does: a kernel's, or
	// ReferenceKernel. It is not called for the machine's own operations.
	Kernel func(pc int, name string)
	// Tile gets the begin and the end of a tile of a kernel, on the goroutine of the worker.
	Tile func(pc, worker int, begin, end time.Time)
	// End gets the figures of a run that has ended, also by an error.
	End func(Stats)
	// Borrow says that Before and After keep no value and read none of its elements: the memory of values is then used again as in a
	// run that nobody observes, and takes as long.
	Borrow bool
}

// ReferenceKernel is the name of the reference evaluator among the names of kernels.
const ReferenceKernel = "reference"

// Stats are figures of a run.
type Stats struct {
	Instructions int64
	// PeakBytes is the most that values held at one time, without inputs and constants.
	PeakBytes int64
	// ArenaBytes is the memory that was planned for values and for what kernels need beside them, ArenaBound the most of it that
	// is in use at one time: no plan has less. Both are 0 when there was no plan.
	ArenaBytes, ArenaBound int64
}

// Inputs are the values of input ports by name.
type Inputs map[string]tensor.Value

// Outputs are the values of output ports by name.
type Outputs map[string]tensor.Value
