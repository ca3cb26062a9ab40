package vm

// This file runs programs from their files in memory: elements are used where the system has the file, and forms that
// the file has are not made again. Nothing but what runs touch is read.

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/internal/inorder"
	"shapecheck/internal/localfile"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/tensor"
)

// A mapping is a program's file in memory, where the embedded segments begin.
type mapping struct {
	file *memory.Buffer
	base int64
	// lent says that somebody outside may have elements that lie in the file, which then stays until the process ends.
	lent atomic.Bool
	// filling is waited for before pages go.
	filling sync.WaitGroup
}

// fill brings the pages of parts of the file into the process, beside whoever goes on: he touches few of them at first.
func (m *mapping) fill(parts [][]byte) {
	m.filling.Go(func() {
		for _, b := range parts {
			m.file.Populate(m.place(b), int64(len(b)))
		}
	})
}

// forget lets pages go.
func (m *mapping) forget(b []byte) {
	m.filling.Wait()
	m.file.Forget(m.place(b), int64(len(b)))
}

// ReadAt is there because segments are read from files otherwise; nobody calls it. Its error says
// that there is nothing to read.
func (*mapping) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }

// mapProgram maps a program's file when nobody else can change it, and decodes the program; nil: it is to be read.
func mapProgram(f *os.File, info fs.FileInfo) (*isa.Program, *mapping, error) {
	if !localfile.Own(info) {
		return nil, nil, nil
	}
	b := memory.MapFile(f, info.Size())
	if b == nil {
		return nil, nil, nil
	}
	x, err := isa.Read(bytes.NewReader(b.Bytes), info.Size())
	if err != nil {
		b.Free()
		return nil, nil, err
	}
	return x.Program, &mapping{file: b, base: x.Base}, nil
}

// segment is an embedded segment, whose place isa.Read has checked.
func (m *mapping) segment(s *isa.Segment) []byte {
	at := m.base + int64(s.Offset)
	return m.file.Bytes[at : at+int64(s.Length) : at+int64(s.Length)]
}

// has reports whether elements lie in the file.
func (m *mapping) has(b []byte) bool {
	if m == nil || len(b) == 0 {
		return false
	}
	at := m.place(b)
	return at >= 0 && at < int64(len(m.file.Bytes))
}

// place is where elements that lie in the file begin there.
func (m *mapping) place(b []byte) int64 {
	return int64(uintptr(unsafe.Pointer(unsafe.SliceData(b))) - uintptr(unsafe.Pointer(unsafe.SliceData(m.file.Bytes))))
}

// lend notes that a value goes to somebody outside of the model.
func (m *mapping) lend(v tensor.Value) {
	if m == nil {
		return
	}
	if t, ok := v.(*tensor.Tensor); !ok || m.has(t.Bytes()) {
		m.lent.Store(true)
	}
}

// free ends the mapping, unless somebody may still read there.
func (m *mapping) free() {
	if m != nil && !m.lent.Load() {
		m.filling.Wait()
		m.file.Free()
	}
}

// usePacked compares the segments' sums where that is wanted, takes the forms that the file has for the model's tier,
// and begins to bring the pages that runs will read into the process.
func (m *Model) usePacked() error {
	if m.file == nil {
		return nil
	}
	for i, s := range m.p.Segments {
		if m.cfg.CheckSums && embedded(s) && len(s.Sha256) > 0 {
			if sum := sha256.Sum256(m.file.segment(s)); string(sum[:]) != string(s.Sha256) {
				return fmt.Errorf("segment %d: %w", i, errSum)
			}
		}
	}
	if m.kernels == nil {
		return nil
	}
	m.packed.list = map[packKey][]byte{}
	packed := map[uint32]bool{}
	var parts [][]byte
	for _, s := range m.p.Segments {
		if s.Kind != packedKind || s.Tier != m.packed.tier.String() {
			continue
		}
		data := m.file.segment(s)
		parts = append(parts, data)
		for _, x := range s.Packed {
			if c := m.p.Constants[x.Constant]; c.Segment > 0 && !embedded(m.p.Segments[c.Segment-1]) {
				continue // its elements may be others than those that were packed
			}
			packed[x.Constant] = true
			key := packKey{operand: isa.ConstOperand(int(x.Constant)), form: x.Form, op: x.Op, size: int64(x.Length), flags: int64(x.Flags)}
			m.packed.list[key] = data[x.Offset:][:x.Length:x.Length]
		}
	}
	if len(packed) == 0 {
		return nil
	}
	for i := range m.consts {
		if b := m.consts[i].now.Load().Bytes(); len(b) >= largeConstant && !packed[uint32(i)] && m.file.has(b) {
			parts = append(parts, b)
		}
	}
	m.file.fill(parts)
	return nil
}

// packedKind is the kind of segments that have packed constants.
const packedKind = "packed"

// embedded reports whether a segment is in the program's file.
func embedded(s *isa.Segment) bool { return s.File == "" && s.Name == "" }

// Packed gives the forms of constants that the model's runs have made until now, as a segment for the program's file. It is for
// processors of the model's tier, and changes no result: who has another tier makes forms of its own.
func (m *Model) Packed() (*isa.Segment, *isa.Data) {
	m.packed.mu.Lock()
	defer m.packed.mu.Unlock()
	s, data := &isa.Segment{Kind: packedKind, Tier: m.packed.tier.String()}, &isa.Data{}
	keys := make([]packKey, 0, len(m.packed.list))
	for k := range m.packed.list {
		keys = append(keys, k)
	}
	inorder.By(keys, func(a, b packKey) int {
		return cmp.Or(cmp.Compare(b.operand, a.operand), cmp.Compare(a.form, b.form), cmp.Compare(a.op, b.op), cmp.Compare(a.size, b.size),
			cmp.Compare(a.flags, b.flags))
	})
	for _, k := range keys {
		if c, ok := isa.ConstIndex(k.operand); ok {
			at := data.Add(m.packed.list[k])
			x := &isa.Packed{Constant: uint32(c), Form: k.form, Op: k.op, Flags: uint64(k.flags), Offset: uint64(at), Length: uint64(k.size)}
			s.Packed = append(s.Packed, x)
		}
	}
	s.Length = uint64(data.Length)
	return s, data
}
