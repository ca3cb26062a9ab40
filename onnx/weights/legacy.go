package weights

// This file reads what torch.save wrote before PyTorch 1.6, and writes since with _use_new_zipfile_serialization=False: pickles
// of a number that marks the format, of its version, of the machine, of what was saved and of the keys of the storages; then
// each storage as its number of elements, 8 bytes, and the elements, little endian on all machines.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"shapecheck/onnx"
)

// legacyMagic is the number that marks the format, with the opcode and the end of its pickle.
const legacyMagic = "\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."

// legacyVersion is the version of the format; there is no other.
const legacyVersion = 1001

// isLegacy reports whether a file begins with the pickle of legacyMagic.
func isLegacy(head []byte) bool {
	return bytes.HasPrefix(head, []byte{0x80}) && bytes.Contains(head[:min(len(head), 32)], []byte(legacyMagic))
}

// A legacyFile is one that is read.
type legacyFile struct {
	at     int64 // where the next pickle begins
	r      io.ReaderAt
	size   int64
	roots  map[string]*storage
	parts  map[string]*storage
	places []legacyPart
}

// A legacyPart is a storage that is a part of another.
type legacyPart struct {
	part, root *storage
	off        int64
}

// readLegacy gives what was saved.
func readLegacy(r io.ReaderAt, size int64) (any, error) {
	f := &legacyFile{r: r, size: size, roots: map[string]*storage{}, parts: map[string]*storage{}}
	if _, err := f.pickle(); err != nil { // the magic number, which has more than 64 bits
		return nil, err
	}
	version, err := f.pickle()
	if err != nil {
		return nil, err
	}
	if version != int64(legacyVersion) {
		return nil, fmt.Errorf("version %v of PyTorch's old format is not known", version)
	}
	machine, err := f.pickle()
	if err != nil {
		return nil, err
	}
	if d, ok := machine.(*dict); ok {
		if little, ok := d.get("little_endian"); ok && little != true {
			return nil, errors.New("a file of PyTorch's old format from a big-endian machine: load it in PyTorch and save it again")
		}
	} else {
		return nil, errors.New("what PyTorch's old format says about the machine is no dict")
	}
	root, err := f.pickle()
	if err != nil {
		return nil, err
	}
	keys, err := f.pickle()
	if err != nil {
		return nil, err
	}
	return root, f.place(keys)
}

// pickle reads the next pickle.
func (f *legacyFile) pickle() (any, error) {
	// How long it is shows when it is read: it is tried with more until it ends.
	for n := int64(64 << 10); ; n *= 8 {
		n = min(n, maxPickle, f.size-f.at)
		data := make([]byte, n)
		if _, err := readAt(f.r, data, f.at); err != nil {
			return nil, err
		}
		u := &unpickler{data: data, globals: torchGlobals(), persistent: f.storage}
		if f.at == 0 {
			u.wide = legacyMagic
		}
		v, err := u.run()
		if errors.Is(err, errPickleEnds) && n < min(maxPickle, f.size-f.at) {
			continue // storages are found again by their keys
		}
		f.at += int64(u.pos)
		return v, err
	}
}

// storage makes the storage of a persistent id; where it lies is not known yet.
func (f *legacyFile) storage(id any) (any, error) {
	x, err := parseStorageID(id, 6)
	if err != nil {
		return nil, err
	}
	if x.dtype == onnx.Undefined {
		return nil, errors.New(
			"a file of PyTorch's old format with elements whose storage has no type, which PyTorch does not load either: save it again without _use_new_zipfile_serialization=False")
	}
	root := f.roots[x.key]
	switch {
	case root == nil:
		root = &storage{dtype: x.dtype, size: x.size}
		f.roots[x.key] = root
	case root.dtype != x.dtype:
		return nil, fmt.Errorf("the storage %q has two types", x.key)
	case root.size != x.size:
		return nil, fmt.Errorf("the storage %q has two sizes", x.key)
	}
	if x.part == nil {
		return root, nil
	}
	t, ok := x.part.(*tuple) // (key, offset, elements)
	if !ok || len(t.items) != 3 {
		return nil, errors.New("a part of a storage that is no tuple of 3")
	}
	key, ok1 := t.items[0].(string)
	off, ok2 := t.items[1].(int64)
	n, ok3 := t.items[2].(int64)
	elem := int64(x.dtype.Bits()) / 8
	if !ok1 || !ok2 || !ok3 || off < 0 || n < 0 || off > root.size/elem || n > root.size/elem-off {
		return nil, fmt.Errorf("a part of the storage %q that is not inside of it", x.key)
	}
	if s := f.parts[key]; s != nil {
		return s, nil
	}
	s := &storage{dtype: x.dtype, size: n * elem}
	f.parts[key] = s
	f.places = append(f.places, legacyPart{s, root, off * elem})
	return s, nil
}

// place finds the storages by the list of their keys.
func (f *legacyFile) place(keys any) error {
	order, ok := keys.(*list)
	if !ok {
		return errors.New("the keys of the storages are no list")
	}
	placed := map[string]bool{}
	for _, k := range order.items {
		key, ok := k.(string)
		s := f.roots[key]
		if !ok || s == nil || placed[key] {
			return fmt.Errorf("the storage %v is not known, or there twice", k)
		}
		placed[key] = true
		var b [8]byte
		if _, err := readAt(f.r, b[:], f.at); err != nil {
			return err
		}
		hi, n := bits.Mul64(binary.LittleEndian.Uint64(b[:]), uint64(s.dtype.Bits()/8))
		if hi != 0 || n != uint64(s.size) {
			return fmt.Errorf("the storage %q has %d elements, other than the pickle says", key, binary.LittleEndian.Uint64(b[:]))
		}
		if f.at += 8; s.size > f.size-f.at {
			return fmt.Errorf("the storage %q is beyond the end of the file", key)
		}
		s.off = f.at
		f.at += s.size
	}
	for key := range f.roots {
		if !placed[key] {
			return fmt.Errorf("the storage %q is not in the file", key)
		}
	}
	for _, p := range f.places {
		p.part.off = p.root.off + p.off
	}
	return nil
}
