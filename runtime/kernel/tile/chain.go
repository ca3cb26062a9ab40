package tile

import "unsafe"

// This file holds the vector machine of chains of functions of elements. A chain is a program of steps that work on a
// bank of vectors; the machine takes the elements a block at a time through all of them, so that what lies between
// two functions never leaves the registers, or, where it is needed later, the first cache.

// A Step is one step of a chain. The assembly knows the offsets of the fields.
type Step struct {
	code uintptr
	// The block that the step reads or writes is at Base + At; after each block Move is added to At. Both are in bytes.
	Base     unsafe.Pointer
	At, Move int
	A, B     float32 // the numbers of a function
}

// The ways in which a function of two elements takes them.
const (
	bankFirst  = iota // the bank and memory
	bankSecond        // memory and the bank
	numberLast        // the bank and A
	numberFirst
	ways
)

// A Machine computes chains on a tier.
type Machine struct {
	// Block is the number of elements of a block.
	Block            int
	load, store, end uintptr
	one              [Affine + 1]uintptr
	two              [Min + 1][ways]uintptr
	run              func(steps *Step, blocks int)
}

// Load reads a block into the bank.
func (m *Machine) Load() Step { return Step{code: m.load} }

// Store writes the bank.
func (m *Machine) Store() Step { return Step{code: m.store} }

// End is the last step.
func (m *Machine) End() Step { return Step{code: m.end} }

// One is a function of the bank.
func (m *Machine) One(op Unary, a, b float32) Step { return Step{code: m.one[op], A: a, B: b} }

// Two is a function of the bank and a block of memory, which is its first operand where behind says so.
func (m *Machine) Two(op Binary, behind bool) Step {
	if behind {
		return Step{code: m.two[op][bankSecond]}
	}
	return Step{code: m.two[op][bankFirst]}
}

// Number is a function of the bank and the number A, which is its first operand where behind says so.
func (m *Machine) Number(op Binary, behind bool) Step {
	if behind {
		return Step{code: m.two[op][numberFirst]}
	}
	return Step{code: m.two[op][numberLast]}
}

// Run takes so many blocks, at least one, through steps that End ends. It moves the steps' places.
func (m *Machine) Run(steps []Step, blocks int) { m.run(&steps[0], blocks) }

// mapped writes a function of whole blocks of x to y, which may be x, and gives the number of elements. One call takes as long as one of
// a row.
func (m *Machine) mapped(op Unary, x, y []float32, a, b float32) int {
	most := 2 * MaxRow / m.Block
	n := len(x) / m.Block
	for done := 0; done < n; done += most {
		at := done * m.Block
		steps := [...]Step{{code: m.load, Move: 4 * m.Block}, m.One(op, a, b), {code: m.store, Move: 4 * m.Block}, m.End()}
		steps[0].Base, steps[2].Base = unsafe.Pointer(&x[at]), unsafe.Pointer(&y[at])
		m.run(hidden(&steps[0]), min(most, n-done))
	}
	return n * m.Block
}
