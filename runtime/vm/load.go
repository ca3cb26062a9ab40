package vm

// This file loads programs: it verifies them, reads their constants and chooses kernels' tier.
//
// Loading does all that does not depend on sizes: the program is verified, conditions are parsed,
// each opcode gets the list of kernels for it, constants get their tensors, and tables are made
// of the code (jump targets, loops, which values may share memory). Choosing kernels and packing
// constants waits for the first run, as both need sizes.
//
// Constants come from four places: the program's message, segments of its own file (read, mapped,
// or in memory), files beside it, and tensors that the caller binds by name. Large ones are
// shared between models by their content.

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/internal/localfile"
	"shapecheck/internal/reads"
	"shapecheck/onnx"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/pool"
	"shapecheck/runtime/tensor"
	"shapecheck/symshape"
)

// A Model is a loaded program. It never changes and may be used by many goroutines. Tables
// without another word are indexed by instruction or by value, as their comments say.
type Model struct {
	p       *isa.Program
	cfg     Config
	consts  []constant
	conds   []*symshape.Cond
	kernels []*kernels // by instruction; nil for the reference engine
	pool    *pool.Pool
	// narrow says of which instructions operands or results are of bf16 here, and of f32 in the program that was loaded; nil: of none.
	narrow []bool
	// redo lists, for each symbol that an instruction binds, the sizes that change with it.
	redo [][]int
	// types are those of values that the program fixes; nil: it does not.
	types []*isa.Type
	// turns is what is known of regions that are loops, targets where jumps go, within what is in the body of a loop.
	turns   []turn
	targets []int32
	within  []bool
	packed  *packs
	file    *mapping // nil: the program was read
	weights weights
	// kept and inside are the values whose memory may be in use after they end, with those that become
	// outputs and without; nil: results have memory of their own.
	kept, inside []bool
	// rows has, for states of loops that may be rows and what trips make of them, 1 + the value that they are joined to.
	rows []int32
	// direct has 1 + the port of values that are made as an output and nothing else.
	direct []int32
	// rowsOfInput says which instructions are slices that lie in an input; nil: none are.
	rowsOfInput []bool
	store       memory.Store
	arenas      memory.Slabs
	plans       plans
	// inputs are the ports by name.
	inputs map[string]int
}

// maxConstants bounds the constants of a program in bytes.
const maxConstants = 1 << 40

// Load verifies and loads a program whose constants are in its message, in files beside it, or
// bound by name. Programs with segments in their own file are loaded by LoadFile. The error is an *Error: CodeVerify if
// the verifier refuses the program, CodeLoad if a constant, the tier or the precision is not there, CodeBudget if the
// memory is not.
func Load(p *isa.Program, cfg Config) (*Model, error) { return load(p, nil, cfg) }

// LoadFile loads a program file. One that nobody else may write is used where the system has it in memory, and must
// not be changed while the model is there; others are read. The error is an *Error: CodeFormat if the file cannot be
// opened or is no program of this version, else as of Load. A mapped file is not read: the system
// brings in the pages that runs touch.
func LoadFile(path string, cfg Config) (m *Model, err error) {
	refuse := func(err error) error { return failed(CodeFormat, err) }
	f, info, err := localfile.OpenRegular(path)
	if err != nil {
		return nil, refuse(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if cfg.Dir == "" {
		cfg.Dir = filepath.Dir(path)
	}
	p, file, err := mapProgram(f, info)
	if err != nil {
		return nil, refuse(fmt.Errorf("%s: %w", path, err))
	}
	if file != nil {
		m, err := load(p, file, cfg)
		if err != nil {
			file.free()
		}
		return m, err
	}
	x, err := isa.Read(f, info.Size())
	if err != nil {
		return nil, refuse(fmt.Errorf("%s: %w", path, err))
	}
	return load(x.Program, x.Segments, cfg)
}

// LoadSegments loads a program whose embedded segments are read from r: their offsets are places in it. The error is
// that of Load.
func LoadSegments(p *isa.Program, r io.ReaderAt, cfg Config) (*Model, error) { return load(p, r, cfg) }

// LoadMemory loads a program whose embedded segments are in memory, as a compiler has just
// made them. They are used where they are and must not change. It returns an *Error with CodeLoad if a segment is
// missing or has another length than the program says, else the error of Load.
func LoadMemory(p *isa.Program, segments []*isa.Data, cfg Config) (*Model, error) {
	m := make(inMemory, len(p.Segments))
	for i, s := range p.Segments {
		if s.File == "" && s.Name == "" {
			if i >= len(segments) || segments[i] == nil || uint64(segments[i].Length) != s.Length {
				return nil, &Error{Code: CodeLoad, PC: -1, Reason: fmt.Sprintf("segment %d has not the %d bytes that the program says", i, s.Length)}
			}
			m[s] = segments[i]
		}
	}
	return load(p, m, cfg)
}

// inMemory holds the contents of embedded segments.
type inMemory map[*isa.Segment]*isa.Data

// ReadAt is there because segments are read from files otherwise; nobody calls it. Its error says
// that there is nothing to read.
func (inMemory) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }

// load verifies a program and prepares it: conditions of the contract are parsed, kernels of the tier and
// precision are chosen for the fast engine, and constants and packed weights are read from segments. A
// program that is refused is an Error with the instruction and its origin. Symbols are declared
// without their ranges, because a range would decide a condition while it is parsed, and the user
// would see no reason. In bf16 the program may be rewritten so that images between convolutions
// are narrow. Halves of the kernels are added only for programs that have such types.
func load(p *isa.Program, segments io.ReaderAt, cfg Config) (*Model, error) {
	if err := isa.Verify(p); err != nil {
		e := &Error{Code: CodeVerify, PC: -1, Reason: err.Error(), Err: err}
		var v *isa.VerifyError
		if errors.As(err, &v) && v.PC >= 0 {
			e.PC, e.Op, e.Reason = v.PC, v.Op, "refused: "+v.Reason
			e.Place, e.Nodes = Origin(p, v.PC)
		}
		return nil, e
	}
	m := &Model{p: p, cfg: cfg, redo: p.Dependents(), inputs: map[string]int{}, pool: pool.New(cfg.Threads), packed: &packs{}}
	m.store.Poison, m.packed.poison = cfg.Poison, cfg.Poison
	m.file, _ = segments.(*mapping)
	for i, x := range p.Inputs {
		m.inputs[x.Name] = i
	}
	symbols := symshape.NewPool()
	for _, s := range p.Symbols { // not their ranges, which would decide conditions that have reasons
		symbols.Declare(s.Name, 0, symshape.PosInf)
	}
	for _, c := range p.Contract {
		cond, err := symbols.ParseCond(c.Cond)
		if err != nil {
			return nil, failed(CodeLoad, err)
		}
		m.conds = append(m.conds, cond)
	}
	if cfg.Engine == Fast {
		tier, err := kernel.ChooseTier(cfg.Tier)
		if err != nil {
			return nil, failed(CodeLoad, err)
		}
		list := kernel.Entries(tier)
		switch cfg.Precision {
		case "", "f32":
		case "bf16":
			list = append(list, kernel.BF16(tier)...)
			if kernel.Narrows(tier) {
				m.p, m.narrow = narrow(p)
			}
		default:
			return nil, &Error{Code: CodeLoad, PC: -1, Reason: fmt.Sprintf("%q is no precision: there are f32 and bf16", cfg.Precision)}
		}
		if m.hasHalves() {
			list = append(list, kernel.Halves(tier, list)...)
		}
		m.packed.tier = tier
		m.findKernels(list)
		m.rows = m.findRows()
		m.kept, m.inside, m.direct = m.findKept(true), m.findKept(false), m.findDirect()
	}
	if err := m.constants(segments); err != nil {
		return nil, failed(CodeLoad, err)
	}
	if m.kernels != nil {
		m.findRowsOfInputs()
	}
	if err := m.usePacked(); err != nil {
		return nil, failed(CodeLoad, err)
	}
	m.findUses()
	m.findFixed()
	m.findTurns()
	return m, nil
}

// hasHalves reports whether operands or results are of floats of two bytes.
func (m *Model) hasHalves() bool {
	half := func(t *isa.Type) bool {
		d := tensor.DType(t.GetElem())
		return d == tensor.Float16 || d == tensor.BFloat16
	}
	for _, i := range m.p.Code {
		if slices.ContainsFunc(i.Out, func(r *isa.Result) bool { return half(r.Type) }) {
			return true
		}
	}
	return slices.ContainsFunc(m.p.Inputs, func(p *isa.Port) bool { return half(p.Type) }) ||
		slices.ContainsFunc(m.p.Constants, func(c *isa.Constant) bool { return half(c.Type) })
}

// Close ends the model's threads and gives packed constants back. No run may be in flight. When
// hooks may have kept values, a mapped file is left mapped.
func (m *Model) Close() {
	m.pool.Close()
	m.packed.free()
	m.store.Free()
	m.arenas.Free()
	if h := m.cfg.Hooks; h == nil || h.Borrow { // others may keep values
		m.file.free()
	}
}

// Threads is the number of threads of a run.
func (m *Model) Threads() int { return m.pool.Threads() }

// Program is the program, which must not be changed.
func (m *Model) Program() *isa.Program { return m.p }

// Origin gives the first place in the source ("net.py:12", or empty) and the names of the model's nodes that an
// instruction comes from.
func Origin(p *isa.Program, pc int) (string, []string) {
	if pc < 0 || pc >= len(p.Code) || p.Code[pc].Debug == 0 {
		return "", nil
	}
	o := p.Debug.Origins[p.Code[pc].Debug-1]
	if len(o.Places) == 0 {
		return "", o.Nodes
	}
	x := p.Debug.Places[o.Places[0]]
	return fmt.Sprintf("%s:%d", x.File, x.Line), o.Nodes
}

// constants reads all constants. The verifier has compared their sizes with their segments. Sizes
// of constants have no symbols, so they are evaluated without any. The error is that of a segment
// that is not there, or has other bytes than its hash says.
func (m *Model) constants(segments io.ReaderAt) error {
	vals := make([]int64, len(m.p.Sizes))
	if err := m.p.EvalSizes(make([]int64, len(m.p.Symbols)), make([]bool, len(m.p.Symbols)), vals, make([]bool, len(vals))); err != nil {
		return err
	}
	m.consts = make([]constant, len(m.p.Constants))
	blocks := make([]*isa.Data, len(m.p.Segments))
	total := uint64(0)
	for i, c := range m.p.Constants {
		dims := make([]int64, len(c.Type.Dims))
		for k, d := range c.Type.Dims {
			dims[k] = vals[d]
		}
		data := c.Data
		if c.Segment > 0 {
			s := m.p.Segments[c.Segment-1]
			if s.Name != "" {
				t, err := m.named(s.Name, onnx.DType(c.Type.Elem), dims)
				if err != nil {
					return err
				}
				m.consts[i].now.Store(t)
				continue
			}
			block := blocks[c.Segment-1]
			if block == nil {
				if total += s.Length; total > maxConstants {
					return fmt.Errorf("the constants have more than %d bytes", int64(maxConstants))
				}
				var err error
				if block, err = m.segment(s, segments, m.large(c.Segment, vals)); err != nil {
					return fmt.Errorf("segment %d: %w", c.Segment-1, err)
				}
				blocks[c.Segment-1] = block
			}
			n, err := onnx.Count(dims)
			if err != nil {
				return err
			}
			size, err := onnx.ByteSize(onnx.DType(c.Type.Elem), n)
			if err != nil {
				return err
			}
			data = block.Slice(int64(c.Offset), size)
		}
		t, err := tensor.FromProto(&onnx.Tensor{DType: onnx.DType(c.Type.Elem), Dims: dims, Raw: data, HasRaw: true})
		if err != nil {
			return fmt.Errorf("constant %d: %w", i, err)
		}
		if b := t.Bytes(); len(b) >= largeConstant && !m.file.has(b) {
			m.consts[i].content = contentOf(b)
			t = sharedTensor(t, m.consts[i].content)
		}
		m.consts[i].now.Store(t)
	}
	return nil
}

// The error says that no weights have the name, or that they are of another type or size.
func (m *Model) named(name string, d tensor.DType, dims []int64) (*tensor.Tensor, error) {
	t := m.cfg.Weights[name]
	if t == nil {
		return nil, fmt.Errorf("the weights %q are not given", name)
	}
	want, err := tensor.Wrap(d, dims, t.Bytes())
	if err != nil || t.DType() != d || fmt.Sprint(t.Dims()) != fmt.Sprint(dims) {
		return nil, fmt.Errorf("the weights %q are %s, not %s%v", name, t.Type(), d, dims)
	}
	return want, nil
}

// segment reads a segment, whose length is first compared with what is there, in pieces that
// begin at the places of cuts. External files are opened through the gate, which keeps a program
// from reaching outside of its folder by their names.
func (m *Model) segment(s *isa.Segment, embedded io.ReaderAt, cuts []int64) (*isa.Data, error) {
	r := embedded
	if s.File == "" {
		switch x := r.(type) {
		case inMemory:
			return x[s], nil
		case *mapping:
			return &isa.Data{Length: int64(s.Length), Pieces: []isa.Piece{{Bytes: x.segment(s)}}}, nil
		}
	}
	if s.File != "" {
		gate := reads.NewGate(m.cfg.FS, reads.Root{Path: m.cfg.Dir, Reach: reads.Everything})
		f, size, err := gate.OpenIn(m.cfg.Dir, s.File)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if size < int64(s.Offset) || size-int64(s.Offset) < int64(s.Length) {
			return nil, fmt.Errorf("%s has %d bytes, less than %d at %d", s.File, size, s.Length, s.Offset)
		}
		r = f
	}
	if r == nil {
		return nil, errors.New("the program was loaded without its file")
	}
	if x, ok := r.(*io.SectionReader); ok && x.Size()-int64(s.Offset) < int64(s.Length) {
		return nil, io.ErrUnexpectedEOF
	}
	data := &isa.Data{Length: int64(s.Length)}
	for at, cuts := int64(0), append(cuts, data.Length); at < data.Length; cuts = cuts[1:] {
		if end := min(cuts[0], data.Length); end > at {
			t, err := tensor.New(tensor.Uint8, end-at)
			if err != nil {
				return nil, err
			}
			data.Pieces = append(data.Pieces, isa.Piece{Offset: at, Bytes: t.Bytes()})
			at = end
		}
	}
	sum, err := readHashed(data, io.NewSectionReader(r, int64(s.Offset), int64(s.Length)))
	if err != nil {
		return nil, err
	}
	if len(s.Sha256) > 0 && string(sum) != string(s.Sha256) {
		return nil, errSum
	}
	return data, nil
}

var errSum = errors.New("the bytes are not those whose sum the program has")

// readPiece is how much is read before it is hashed, while the next piece is read.
const readPiece = 1 << 20

// readHashed fills the pieces, which lie side by side, and gives their SHA-256. Reading and
// hashing overlap in two goroutines, so it takes the longer of both times.
func readHashed(data *isa.Data, r io.Reader) ([]byte, error) {
	pieces, sum := make(chan []byte, 64), make(chan []byte)
	go func() {
		h := sha256.New()
		for p := range pieces {
			h.Write(p)
		}
		sum <- h.Sum(nil)
	}()
	var err error
	for _, p := range data.Pieces {
		for b := p.Bytes; len(b) > 0 && err == nil; {
			piece := b[:min(len(b), readPiece)]
			if _, err = io.ReadFull(r, piece); err == nil {
				pieces <- piece
			}
			b = b[len(piece):]
		}
	}
	close(pieces)
	return <-sum, err
}
