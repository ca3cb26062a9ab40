// Package kernel holds the code that computes instructions: an Entry for each operation and
// way of computing it, for each tier of processor.
//
// An entry is chosen when a program is bound to sizes, by its signature: element types,
// layouts, sizes and attributes. The work of a call is cut into tiles, which are the unit of
// threads, of cancelling and of the budget. The cut depends on the signature alone, and no
// tile's result depends on another's, so that bits are the same for any number of threads.
//
// Kernels share no code with the reference (onnx/eval), also where both compute the same places and weights: tests
// compare them, and a mistake in a shared function would be on both sides.
//
//	kernel.go    Entry, Sig, Call      tier.go     what the processor has
//	product.go   matrix products       conv.go     convolution
//	vectors.go   convolution with channels in vectors   integer.go  products of integers of 8 bits
//	quantize.go  f32 to integers of a scale, and back
//	rows.go      softmax, norms              reduce.go   sums, means, extremes of axes
//	fold.go      those of other types than f32, products, logarithms   logsumexp.go  logarithms of sums of exponentials
//	pointwise.go functions of elements       number.go   those of other types than f32
//	walk.go      loops over operands with steps     part.go      parts of long rows, between which a run may end
//	move.go      transposes, slices, concats    place.go    gathers, paddings, triangles
//	pool.go      pooling                     depthwise.go  convolutions of single channels
//	plane.go     planes of images for windows  winograd.go  convolutions of 3×3 with fewer products
//	transposed.go  transposed convolutions   transposedblocks.go  those on tiles
//	recurrent.go  LSTM, GRU, RNN
//	bf16.go      products and convolutions in bf16   bf16blocks.go  products on the processor's tiles (AMX)   convblocks.go  convolutions there
//	narrow.go    images of bf16 between instructions   group.go  chains of functions of elements
//	chain.go     those of f32 on the vector machine    attention.go  attention
//	elu.go       exponential units         sample.go    images sampled at the places of a grid
//	regions.go   regions of images pooled         columns.go   sums of rows that lie one behind the other
//	resize.go    interpolation         extreme.go   places of extremes, counts
//	scatter.go   elements at places that operands give   order.go  the first elements in order, sums along an axis
//	finder.go    what elements alone say the number of    windows.go   windows added up to images
//	half.go      f16 and bf16 by the entries of f32    rotary.go    pairs turned by angles
//	fourier.go   Fourier transforms of signals
//	tile/        the innermost loops: assembly and portable Go
package kernel

import (
	"slices"
	"sync"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/tensor"
)

// An Operand is what a signature says of an operand or a result. Sizes are numbers, since a
// signature belongs to a binding of the symbols; memory is dense and row-major, without strides.
type Operand struct {
	// Absent says that an optional operand is not there; the other fields are then zero.
	Absent bool
	DType  tensor.DType
	Dims   []int64
	// Const holds the elements of a constant; nil for what only a run knows.
	Const []byte
	// Elems holds the elements of an operand that the entry's Values names, whether constant or not: they
	// are part of the signature.
	Elems []byte
}

// Len is the number of elements without a border.
func (o *Operand) Len() int64 {
	n := int64(1)
	for _, d := range o.Dims {
		n *= d
	}
	return n
}

// A Sig is the signature of an instruction at one binding of the symbols: what a kernel is
// chosen by and all it knows before it runs. The verifier has checked the operands' kinds
// and the attributes by the opcode's schema. Extents of results are the program's claim,
// which the loader compares with what Shape says.
type Sig struct {
	Inst *isa.Instruction
	In   []Operand
	Out  []Operand

	readings []reading
}

// A reading is what an entry, or a family of them, has read of a signature. It is not changed.
// Match, Cost, Split and Prepare of an entry often need the same analysis of the operands (a
// convolution's geometry, say); it is made once for a signature and found again by a key that its
// readers share.
type reading struct{ key, value any }

// read gives what look has read of the signature when it was called first with the key. The list
// is searched from its front, as few analyses are made of one signature.
func read[T any](s *Sig, key any, look func() T) T {
	for _, r := range s.readings {
		if r.key == key {
			return r.value.(T)
		}
	}
	value := look()
	s.readings = append(s.readings, reading{key, value})
	return value
}

// Done forgets what entries have read of the signature: a kernel is chosen and prepared. Until then the signature
// belongs to one goroutine, and those that pack for it.
func (s *Sig) Done() { s.readings = nil }

// Op is the opcode.
func (s *Sig) Op() isa.Op { return isa.Op(s.Inst.Op) }

// Opt gives an operand, or an absent one when it is not written.
func (s *Sig) Opt(i int) *Operand {
	if i < len(s.In) {
		return &s.In[i]
	}
	return &absent
}

var absent = Operand{Absent: true}

// A Grid is the cut of a call's work. Phases are for algorithms that need all of one step before
// the next, as a convolution that first lays out the planes of its images.
type Grid struct {
	// Tiles is the number of calls of Run. A tile takes at most about 100 µs, because the
	// garbage collector and cancelling wait for one.
	Tiles int
	// Phases is how often the tiles are run, numbered on; all tiles of a phase end before the next one
	// begins. 0 is 1.
	Phases int
}

// A Call is one execution of an instruction. It is shared by the workers and read only,
// except for the memory of results and, for each worker, of its scratch.
type Call struct {
	Entry *Entry
	Sig   *Sig
	// In and Out are the memory of operands and results, nil when absent. A result has the memory
	// of an operand only where the opcode's schema allows it.
	In, Out [][]byte
	// Packed are the forms that the entry's Packs made of constant operands, nil where an operand is none.
	Packed [][]byte
	// State is what Prepare made.
	State any
	// Scratch has the bytes that Scratch asked for, one slice for each worker, Shared those that Shared
	// asked for.
	Scratch [][]byte
	Shared  []byte
	// Over reports whether the run has ended: a tile that takes long asks it now and then, and leaves its part of the results as it is
	// where it has. Workers ask at the same time. nil: the run does not end before the call has.
	Over func() bool
}

// A Pack is how an entry wants a constant operand. Forms are shared: two entries that name
// the same form read the same bytes.
type Pack struct {
	Operand int
	// Form names the form and its version, and the tier when the form is only that tier's.
	Form string
	// Size is the number of bytes; 0: the operand is taken as it is.
	Size func(*Sig) int64
	// Parts is the number of parts, which may be written at the same time; nil: one.
	Parts func(*Sig) int
	// Write fills a part of the bytes from the operand's elements.
	Write func(s *Sig, elems, dst []byte, part int)
	// Read fills the operand's elements from the whole form; nil: the form has not got them. The kernel does not read the operand
	// beside a form that has.
	Read func(s *Sig, form, elems []byte)
}

// Count is the number of parts; 0 where the operand is taken as it is.
func (p *Pack) Count(s *Sig) int {
	switch {
	case p.Size(s) == 0:
		return 0
	case p.Parts == nil:
		return 1
	}
	return p.Parts(s)
}

// An Entry is one way of computing an operation. An entry is a value without state, shared by all
// models. Match, Shape and Cost are asked in this order: Shape first, with operands alone, then
// Match of each entry of the operation, then Cost of those that match. What they say may depend
// on the signature alone, never on the processor's load or on earlier calls, because the choice
// must be the same in each run.
type Entry struct {
	Op   isa.Op
	Name string // unique among all entries: matmul.f32.panel
	Tier Tier
	// Values names operands whose elements are part of the signature: positions, sizes, axes. Only
	// small ones are: an operand of more than MaxElems elements has no Elems.
	Values []int
	// Match reports whether the entry can compute the signature. Everything after a match
	// must succeed for all elements of the operands.
	Match func(*Sig) bool
	// Shape computes the extents of all results from the operands, or says why these do not
	// go together. It is called before Match and must not trust the signature's Out.
	Shape func(*Sig) ([][]int64, error)
	// Cost estimates the time on one thread in nanoseconds; the cheapest entry is chosen.
	Cost func(*Sig) float64
	// Scratch is the memory in bytes that each worker needs, Shared what all tiles of a call need
	// together; nil: none. What is in it at first is not defined.
	Scratch, Shared func(*Sig) int64
	// Split cuts the work.
	Split func(*Sig) Grid
	// Packs are the forms of constant operands; others are taken as they are.
	Packs []*Pack
	// Prepare builds tables at bind, which all calls share; nil: none.
	Prepare func(*Sig) any
	// InPlace reports whether the first result may have the memory of an operand that has its type and
	// sizes; nil: of none. It is asked only where the opcode's schema allows it.
	InPlace func(s *Sig, operand int) bool
	// Joins reports whether the result is the operands one behind the other, each of which may lie there already; nil: it is not.
	Joins func(*Sig) bool
	// Check looks at elements of operands before they are used as places; on an error the reference
	// computes the instruction, and says what is wrong. nil: nothing is to be checked.
	Check func(c *Call) error
	// checksFloats says that Check reads operands of floats, which halves are not before the call.
	checksFloats bool
	// Run computes the tile of that number on the worker of that number. It writes nothing but
	// its part of the results and its worker's scratch, and cannot fail.
	Run func(c *Call, worker, tile int)
	// elementwise says that the state is one of group.go.
	elementwise bool
}

// State is what Prepare makes of a signature, which is made once until it is done; nil: the entry
// prepares nothing. It must be called before Done, by the goroutine that owns the signature.
func (e *Entry) State(s *Sig) any {
	if e.Prepare == nil {
		return nil
	}
	return read(s, e, func() any { return e.Prepare(s) })
}

// MaxElems bounds the elements of an operand that is part of a signature.
const MaxElems = 256

// Entries lists the entries for a tier, with its tiles, which all models of the process share. Some are for tiers with vectors alone.
func Entries(t Tier) []*Entry { return slices.Clip(entries[t]()) }

var entries = [...]func() []*Entry{
	Portable: sync.OnceValue(func() []*Entry { return makeEntries(Portable) }),
	AVX2:     sync.OnceValue(func() []*Entry { return makeEntries(AVX2) }),
	AVX512:   sync.OnceValue(func() []*Entry { return makeEntries(AVX512) }),
}

// makeEntries lists all entries of a tier. Of several that match an instruction the cost decides.
func makeEntries(t Tier) []*Entry {
	var out []*Entry
	for _, family := range []func(Tier) []*Entry{products, convolutions, vectorEntries, winogradEntries, depthwiseEntries, transposedEntries,
		rowFunctions, pointwise, exponentialUnits, moves, reductions, pools, recurrences, integerEntries, quantizations, attentions, resizes,
		samples, regions, extremes, scatters, orders, windowSums, rotations, transforms} {
		out = append(out, family(t)...)
	}
	for _, e := range out {
		e.Tier = t
	}
	return out
}

// Choose gives the cheapest entry that matches, or nil. Of equal costs the first in the list
// wins, so the order of makeEntries is part of the choice.
func Choose(list []*Entry, s *Sig) *Entry {
	var best *Entry
	cost := 0.0
	for _, e := range list {
		if e.Op != s.Op() || !e.Match(s) {
			continue
		}
		if c := e.Cost(s); best == nil || c < cost {
			best, cost = e, c
		}
	}
	return best
}

// elems reads memory as elements of a type. The memory must be aligned for T: tensors and blocks
// are aligned to memory.Align. It makes no copy, and an empty slice gives an empty one.
func elems[T any](b []byte) []T {
	var one T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(one)))
}

// ints reads the elements of an operand of integers that is part of the signature; false: it is
// not known. An absent operand is not known, one without elements is known and gives an empty
// list. Elements of 32 bits are widened.
func (o *Operand) ints() ([]int64, bool) {
	if o.Absent || o.Len() == 0 {
		return nil, !o.Absent
	}
	if o.Elems == nil {
		return nil, false
	}
	switch o.DType {
	case tensor.Int64:
		return elems[int64](o.Elems), true
	case tensor.Int32:
		var out []int64
		for _, x := range elems[int32](o.Elems) {
			out = append(out, int64(x))
		}
		return out, true
	}
	return nil, false
}

// always is the InPlace of what reads an element before it writes the one at its place.
func always(*Sig, int) bool { return true }

// allPlain reports whether all operands and results that are there are dense tensors of that type.
func allPlain(s *Sig, d tensor.DType) bool {
	for _, list := range [][]Operand{s.In, s.Out} {
		for i := range list {
			if o := &list[i]; !o.Absent && o.DType != d {
				return false
			}
		}
	}
	return true
}

// ask asks the process for the memory of tables and lists before they are made. Without it the panic is a *memory.FullError, which ends
// the run.
func ask(bytes int64) {
	if err := memory.Ask(bytes); err != nil {
		panic(err)
	}
}
