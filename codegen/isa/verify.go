package isa

// This file holds the verifier: what it accepts can be run safely. It is linear in the size
// of the program.
//
//	verify.go       the tables             verify_code.go  the walk over the instructions
//	verify_inst.go  one instruction, and the memory of classes
//
// The machine trusts a program: it indexes tables, frees values and reads operands without
// asking. Everything that this needs is checked here once, so that a file from somewhere else can
// do no more harm than compute something wrong. The order is that of dependence: symbols and
// sizes first, as types are made of them, then ports and constants, then the code, and at the end
// the memory plan, which needs the lives that the walk over the code has found.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/internal/localfile"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

// A VerifyError says why a program is refused. PC counts from 0, and Op is the instruction's
// opcode; both are of no meaning when PC is -1.
type VerifyError struct {
	PC     int // the instruction, or -1
	Op     Op
	Reason string
}

func (e *VerifyError) Error() string {
	if e.PC < 0 {
		return "refused: " + e.Reason
	}
	return fmt.Sprintf("refused: instruction %d, %s: %s", e.PC, e.Op, e.Reason)
}

// Verify checks the program. Whatever it accepts uses no value that is not set, frees every
// value once on every path, jumps only where its regions say, has operands and attributes as the
// opcodes want them, and refers to nothing outside of its tables. Sizes of values are
// checked against the kernels when they are bound. The error is a *VerifyError with the first fault and the index of
// its instruction, or -1 if it is in the tables.
func Verify(p *Program) (err error) {
	if err := p.checkTables(); err != nil {
		return &VerifyError{-1, 0, strings.TrimPrefix(err.Error(), "not a program: ")}
	}
	v := &verifier{p: p, pc: -1}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			op := Op(0)
			if v.pc >= 0 && v.pc < len(p.Code) {
				op = Op(p.Code[v.pc].Op)
			} else {
				v.pc = -1
			}
			err = &VerifyError{v.pc, op, string(r)}
		default:
			panic(r)
		}
	}()
	v.head()
	v.bindings()
	v.ports()
	v.constants()
	v.code()
	v.static()
	return nil
}

// refusal is the panic of verifier.refuse.
type refusal string

// A verifier checks a program before it is loaded: what it accepts, the machine runs without looking at
// indices, types or freed values again. It goes once over the code and follows what each value and symbol is at
// each instruction. log and frames let a region be left again: changes of slots are logged, and
// those that an arm of a conditional made are undone before the other arm is checked. groups
// counts, for each piece of memory that results made, the values that lie in it; group 0 is
// memory that nobody may overwrite.
type verifier struct {
	p  *Program
	pc int

	// Of symbols: by input or the instruction that binds them; of sizes: how many of their
	// parts are not known, who is made of them, and their value when it is constant.
	byPort   []bool
	binder   []int      // the instruction, or -1
	entries  [][]uint32 // the sizes that are the symbol
	missing  []int
	users    [][]uint32
	fixed    []bool
	constant []int64

	symbols map[string]int

	slots  []slot // of values
	vars   elemVars
	types  []*Type // of the instruction's operands
	log    []change
	bound  []uint32 // symbols that instructions bound, in order
	frames []frame
	groups []int // of memory: how many values have it
	busy   []int // of classes: how many values have it
	spans  []span
	inDone []bool
	out    []bool
}

// It is a panic that Verify recovers, because checks are many and nested, and the first fault
// ends all of them.
func (v *verifier) refuse(format string, args ...any) { panic(refusal(fmt.Sprintf(format, args...))) }

func (v *verifier) name(what, s string) {
	if len(s) > MaxText {
		v.refuse("%s has %d bytes, more than %d", what, len(s), MaxText)
	}
}

// head checks version, features and symbols. What is kept in maps must be sorted in the file, so that equal
// programs are equal bytes. Unknown features are refused: a program with one may mean something
// that this machine does not know.
func (v *verifier) head() {
	p := v.p
	if p.Major != Major {
		v.refuse("the format is %d.%d, not %d", p.Major, p.Minor, Major)
	}
	for i, f := range p.Features {
		if !features[f] || i > 0 && p.Features[i-1] >= f {
			v.refuse("the feature %q is not known, or is not in order", f)
		}
	}
	for i, m := range p.Metadata {
		if i > 0 && p.Metadata[i-1].Key >= m.Key {
			v.refuse("the metadata are not sorted, or have a key twice")
		}
	}
	if len(p.Groups) > 0 {
		v.refuse("groups are not known to this version")
	}
	v.symbols = map[string]int{}
	for i, s := range p.Symbols {
		if _, twice := v.symbols[s.Name]; twice || !isIdent(s.Name) || len(s.Name) > MaxText {
			v.refuse("%q is no name of a symbol, or is there twice", s.Name)
		}
		v.symbols[s.Name] = i
		if s.Lo < 0 || s.Hi < 0 || s.Hi > 0 && s.Hi < s.Lo {
			v.refuse("the range of symbol %s is empty or negative", s.Name)
		}
	}
}

// max and min are functions of the expression language, so no symbol may have their names.
func isIdent(s string) bool {
	for i, c := range []byte(s) {
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && s != "max" && s != "min"
}

// bindings finds what binds each symbol, and what sizes are known before the first instruction.
// It counts for each size how many of its parts are unknown (missing), with the users of each
// part, so that binding a symbol later costs only what is made of it. Sizes that are constant are
// evaluated now, and an error of it (a division by zero, an overflow) refuses the program. A
// symbol has one binder, except that loop.next binds again what its loop.begin has bound.
func (v *verifier) bindings() {
	p := v.p
	v.byPort, v.binder = make([]bool, len(p.Symbols)), make([]int, len(p.Symbols))
	for i := range v.binder {
		v.binder[i] = -1
	}
	for _, x := range p.Inputs {
		if x.Type.GetKind() == Type_TENSOR {
			for _, d := range x.Type.Dims {
				if s, ok := p.Sizes[d].E.(*Size_Symbol); ok {
					v.byPort[s.Symbol] = true
				}
			}
		}
	}
	for pc, i := range p.Code {
		for _, s := range i.Binds {
			again := Op(i.Op) == LoopNext && v.binder[s] >= 0 && Op(p.Code[v.binder[s]].Op) == LoopBegin && p.Code[v.binder[s]].Region == i.Region
			if v.pc = pc; v.byPort[s] || v.binder[s] >= 0 && !again {
				v.refuse("the symbol %s is bound twice", p.Symbols[s].Name)
			}
			if !again {
				v.binder[s] = pc
			}
		}
	}
	v.pc = -1
	for k, s := range p.Symbols {
		if !v.byPort[k] && v.binder[k] < 0 {
			v.refuse("nothing binds the symbol %s", s.Name)
		}
	}
	n := len(p.Sizes)
	v.entries = make([][]uint32, len(p.Symbols))
	v.missing, v.users, v.fixed, v.constant = make([]int, n), make([][]uint32, n), make([]bool, n), make([]int64, n)
	for i, z := range p.Sizes {
		switch e := z.E.(type) {
		case *Size_Const:
			v.fixed[i], v.constant[i] = true, e.Const
		case *Size_Symbol:
			v.entries[e.Symbol] = append(v.entries[e.Symbol], uint32(i))
			if !v.byPort[e.Symbol] {
				v.missing[i] = 1
			}
		default:
			fixed := true
			for _, x := range z.parts() {
				v.users[x] = append(v.users[x], uint32(i))
				if v.missing[x] > 0 {
					v.missing[i]++
				}
				fixed = fixed && v.fixed[x]
			}
			if _, ok := e.(*Size_Real); ok && !slices.Contains(p.Features, FeatureReal) {
				v.refuse("size %d is made of a float, but the program does not name the feature %q", i, FeatureReal)
			}
			if fixed {
				if err := p.evalSize(i, nil, nil, v.constant, nil); err != nil {
					v.refuse("%v", err)
				}
				v.fixed[i] = true
			}
		}
	}
	v.symbolEntries()
}

// symbolEntries checks bounds: they are made of earlier symbols. Otherwise two bounds could refer
// to each other, and neither could be evaluated.
func (v *verifier) symbolEntries() {
	newest := make([]int, len(v.p.Sizes)) // 1 + the last symbol that an entry has
	for i, z := range v.p.Sizes {
		switch e := z.E.(type) {
		case *Size_Symbol:
			newest[i] = int(e.Symbol) + 1
		default:
			for _, x := range z.parts() {
				newest[i] = max(newest[i], newest[x])
			}
		}
	}
	for k, s := range v.p.Symbols {
		if s.Upper > 0 && newest[s.Upper-1] > k {
			v.refuse("the bound of symbol %s is not made of earlier ones", s.Name)
		}
	}
}

// setSymbol makes a symbol known or unknown, and with it what is made of it. It walks only as far
// as a size changes between known and unknown, and is undone by the opposite call.
func (v *verifier) setSymbol(s uint32, known bool) {
	work := slices.Clone(v.entries[s])
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		before := v.missing[i] > 0
		if known {
			v.missing[i]--
		} else {
			v.missing[i]++
		}
		if after := v.missing[i] > 0; before != after {
			work = append(work, v.users[i]...)
		}
	}
}

// condition checks a part of the contract. Conditions are checked before anything runs, so they
// may have symbols of inputs alone.
func (v *verifier) condition(pool *symshape.Pool, c *Condition) {
	if len(c.Cond) > MaxCondition {
		v.refuse("a condition has %d bytes, more than %d", len(c.Cond), MaxCondition)
	}
	cond, err := pool.ParseCond(c.Cond)
	if err != nil || cond == nil {
		v.refuse("the condition %q cannot be read: %v", c.Cond, err)
	}
	for _, s := range cond.Symbols() {
		name, _ := s.IsSymbol()
		if k, ok := v.symbols[name]; !ok || !v.byPort[k] {
			v.refuse("the condition %q has the symbol %s, which no input binds", c.Cond, name)
		}
	}
	for _, b := range c.Because {
		v.name("a reason", b)
	}
}

// ports checks the contract and the inputs and outputs. All sizes of inputs must be known from
// inputs. An input that takes over an output's value in the next run (State) needs the same kind
// and element type; its sizes are compared when it runs.
func (v *verifier) ports() {
	p := v.p
	pool := symshape.NewPool()
	for _, c := range p.Contract {
		v.condition(pool, c)
	}
	for _, list := range [][]*Port{p.Inputs, p.Outputs} {
		seen := map[string]bool{}
		for _, x := range list {
			if v.name("the name of a port", x.Name); x.Name == "" || seen[x.Name] {
				v.refuse("the port %q has no name of its own", x.Name)
			}
			seen[x.Name] = true
			v.typ(x.Type, nil)
		}
	}
	for _, x := range p.Inputs {
		for t := x.Type; t != nil; t = t.Of {
			for _, d := range t.Dims {
				v.ready(d)
			}
		}
		if x.State > 0 {
			if o := p.Outputs[x.State-1]; o.Type.Kind != x.Type.Kind || o.Type.Elem != x.Type.Elem {
				v.refuse("the input %q cannot have the value of the output %q", x.Name, o.Name)
			}
		}
	}
	v.inDone, v.out = make([]bool, len(p.Inputs)), make([]bool, len(p.Outputs))
}

// typ checks a type by itself; ready, unless nil, is called for each of its sizes. A tensor's
// element type must have a size in bits, which strings have not. Sequences and optionals nest at
// most MaxNesting deep.
func (v *verifier) typ(t *Type, ready func(uint32)) {
	for depth := 0; ; depth++ {
		if depth > MaxNesting || t == nil {
			v.refuse("a type is missing, or nested more than %d deep", MaxNesting)
		}
		isTensor := t.Kind == Type_TENSOR
		if !isTensor && (t.Elem != 0 || t.Unranked || len(t.Dims) > 0) || (t.Of != nil) != (t.Kind == Type_SEQUENCE || t.Kind == Type_OPTIONAL) {
			v.refuse("a type has parts that its kind does not have, or lacks one")
		}
		switch t.Kind {
		case Type_TENSOR:
			if d := onnx.DType(t.Elem); t.Elem > 255 || !d.Valid() || d.Bits() == 0 {
				v.refuse("tensors of element type %d are not supported", t.Elem)
			}
			if len(t.Dims) > MaxRank || t.Unranked && len(t.Dims) > 0 {
				v.refuse("a tensor has %d dimensions, more than %d or than its rank", len(t.Dims), MaxRank)
			}
			for _, d := range t.Dims {
				if ready != nil {
					ready(d)
				}
				if v.fixed[d] && v.constant[d] < 0 {
					v.refuse("a tensor has the negative dimension %d", v.constant[d])
				}
			}
			return
		case Type_SEQUENCE, Type_OPTIONAL:
			t = t.Of
		default:
			v.refuse("a type has no kind")
		}
	}
}

// ready refuses a size with parts that nothing has bound yet.
func (v *verifier) ready(i uint32) {
	if v.missing[i] > 0 {
		v.refuse("size %d has symbols that are not bound here", i)
	}
}

// packed checks where packed constants are. Their forms are the loader's, which takes those that it knows with the size that it expects.
func (v *verifier) packed(i int, s *Segment) {
	if len(s.Packed) > 0 && (s.Kind != "packed" || s.File != "" || s.Name != "" || v.p.Minor < MinorPacked) {
		v.refuse("segment %d has packed constants and is not of that kind, or the format is older than they are", i)
	}
	for _, x := range s.Packed {
		v.name("a packed form", x.GetForm())
		if x == nil || int(x.Constant) >= len(v.p.Constants) || x.Flags > 1<<62 || x.Offset%segmentAlign != 0 || x.Offset > s.Length ||
			x.Length > s.Length-x.Offset {
			v.refuse("a packed constant of segment %d is not there", i)
		}
	}
}

// constants checks constants and segments. Segments of the program's own file are aligned, in
// order and apart from each other; those of other files and of names are checked when they are
// read. A constant's bytes are exactly as many as its type says.
func (v *verifier) constants() {
	p := v.p
	end := uint64(0)
	for i, s := range p.Segments {
		v.name("a segment", s.Kind+s.Tier+s.Name)
		if s.Kind == "" || len(s.Sha256) != 0 && len(s.Sha256) != 32 || s.File != "" && s.Name != "" || s.Offset > 1<<62 || s.Length > 1<<62 {
			v.refuse("segment %d is not described rightly", i)
		}
		switch {
		case s.File != "":
			if err := localfile.CheckName(s.File); err != nil {
				v.refuse("segment %d: %v", i, err)
			}
		case s.Name == "":
			if s.Offset%segmentAlign != 0 || s.Offset < end {
				v.refuse("segment %d is not aligned or overlaps another", i)
			}
			end = s.Offset + s.Length
		}
	}
	for i, s := range p.Segments {
		v.packed(i, s)
	}
	for i, c := range p.Constants {
		v.name("the name of a constant", c.Name)
		if v.typ(c.Type, nil); c.Type.Kind != Type_TENSOR || c.Type.Unranked {
			v.refuse("constant %d is no plain tensor", i)
		}
		dims := make([]int64, len(c.Type.Dims))
		for k, d := range c.Type.Dims {
			if !v.fixed[d] {
				v.refuse("constant %d has a dimension that is not constant", i)
			}
			dims[k] = v.constant[d]
		}
		n, err := onnx.Count(dims)
		if err != nil {
			v.refuse("constant %d: %v", i, err)
		}
		size, err := onnx.ByteSize(onnx.DType(c.Type.Elem), n)
		if err != nil {
			v.refuse("constant %d: %v", i, err)
		}
		if c.Segment == 0 {
			if int64(len(c.Data)) != size || c.Offset != 0 {
				v.refuse("constant %d has %d bytes, not %d", i, len(c.Data), size)
			}
			continue
		}
		s := p.Segments[c.Segment-1]
		if len(c.Data) > 0 || s.Kind != "data" || c.Offset > 1<<62 || c.Offset%8 != 0 || c.Offset+uint64(size) > s.Length {
			v.refuse("constant %d is not within its segment", i)
		}
	}
}
