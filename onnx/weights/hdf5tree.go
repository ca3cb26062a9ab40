package weights

// This file reads the trees of HDF5 files, of both versions, and their checksums.

import (
	"errors"
	"fmt"
	"math/bits"
)

// tree calls leaf for the children of a tree of version 1, with their keys of size bytes, in order.
func (f *h5file) tree(at uint64, kind byte, size int, leaf func(key []byte, child uint64) error) error {
	return f.node(at, kind, size, -1, leaf)
}

// spend counts nodes of trees and their records.
func (f *h5file) spend(n int) error {
	if f.nodes += int64(n); f.nodes > f.most {
		return fmt.Errorf("a tree of more than %d nodes", f.most)
	}
	return nil
}

// node is tree for a node of a level; -1 is any.
func (f *h5file) node(at uint64, kind byte, size, level int, leaf func(key []byte, child uint64) error) error {
	if at == noAddress {
		return nil
	}
	head, err := f.bytes(at, 24)
	if err != nil {
		return err
	}
	if string(head[:4]) != "TREE" || head[4] != kind || level >= 0 && int(head[5]) != level {
		return errors.New("a tree is broken")
	}
	n := int(le16(head[6:]))
	if err := f.spend(n + 1); err != nil {
		return err
	}
	b, err := f.bytes(at+24, n*(size+8))
	if err != nil {
		return err
	}
	for i := range n {
		key, child := b[i*(size+8):i*(size+8)+size], le64(b[i*(size+8)+size:])
		if head[5] > 0 {
			err = f.node(child, kind, size, int(head[5])-1, leaf)
		} else {
			err = leaf(key, child)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Kinds of trees of version 2: what their records are.
const (
	treeLinks    = 5
	treeChunks   = 10
	treeFiltered = 11
)

// An h5tree is a tree of version 2. Its inner nodes have records, too.
type h5tree struct {
	file   *h5file
	kind   byte
	node   uint64 // the size of a node
	record int    // the size of a record
	counts []int  // by level, the sizes of the number of records below a node
	own    int    // the size of the number of records in a node
	visit  func(record []byte) error
}

// tree2 calls visit for the records of a tree of version 2.
func (f *h5file) tree2(at uint64, kind byte, visit func(record []byte) error) error {
	if at == noAddress {
		return nil
	}
	b, err := f.block(at, 38, "BTHD")
	if err != nil {
		return err
	}
	t := &h5tree{file: f, kind: b[5], node: uint64(le32(b[6:])), record: int(le16(b[10:])), visit: visit}
	depth := int(le16(b[12:]))
	if t.kind != kind || t.node < 32 || t.record == 0 || uint64(t.record) > t.node-10 || depth > 32 {
		return errors.New("a tree is broken")
	}
	// How numbers are stored follows from how many records a node may have.
	most := (t.node - 10) / uint64(t.record)
	t.own = width(most)
	t.counts = []int{0}
	below := most
	for level := 1; level <= depth; level++ {
		pointer := uint64(8 + t.own + t.counts[level-1])
		if t.node < 10+pointer {
			return errors.New("a tree is broken")
		}
		n := (t.node - 10 - pointer) / (uint64(t.record) + pointer)
		hi, lo := bits.Mul64(n+1, below)
		if hi != 0 || lo > 1<<62 {
			return errors.New("a tree is broken")
		}
		below = lo + n
		t.counts = append(t.counts, width(below))
	}
	root, n := le64(b[16:]), int(le16(b[24:]))
	if root == noAddress {
		return nil
	}
	return t.walk(root, n, depth)
}

// width is the number of bytes of numbers up to n.
func width(n uint64) int { return (bits.Len64(max(n, 1))-1)/8 + 1 }

// walk visits the n records of a node and those below.
func (t *h5tree) walk(at uint64, n, level int) error {
	if err := t.file.spend(n + 1); err != nil {
		return err
	}
	signature := "BTLF"
	if level > 0 {
		signature = "BTIN"
	}
	pointer := 0
	size := uint64(10) + uint64(n)*uint64(t.record)
	if level > 0 {
		pointer = 8 + t.own + t.counts[level-1]
		size += uint64(n+1) * uint64(pointer)
	}
	if size > t.node {
		return errors.New("a tree is broken")
	}
	b, err := t.file.block(at, size, signature)
	if err != nil {
		return err
	}
	if b[5] != t.kind {
		return errors.New("a tree is broken")
	}
	records, pointers := b[6:6+n*t.record], b[6+n*t.record:]
	for i := range n + 1 {
		if level > 0 {
			p := pointers[i*pointer:]
			if err := t.walk(le64(p), int(leN(p[8:8+t.own])), level-1); err != nil {
				return err
			}
		}
		if i < n {
			if err := t.visit(records[i*t.record : (i+1)*t.record]); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookup3 is the checksum of HDF5's blocks: Bob Jenkins's hash of that name.
func lookup3(b []byte) uint32 {
	x := uint32(0xdeadbeef) + uint32(len(b))
	y, z := x, x
	word := func(i int) uint32 {
		v := uint32(0)
		for k := range 4 {
			if i+k < len(b) {
				v |= uint32(b[i+k]) << (8 * k)
			}
		}
		return v
	}
	for ; len(b) > 12; b = b[12:] {
		x, y, z = x+le32(b), y+le32(b[4:]), z+le32(b[8:])
		x = (x - z) ^ bits.RotateLeft32(z, 4)
		z += y
		y = (y - x) ^ bits.RotateLeft32(x, 6)
		x += z
		z = (z - y) ^ bits.RotateLeft32(y, 8)
		y += x
		x = (x - z) ^ bits.RotateLeft32(z, 16)
		z += y
		y = (y - x) ^ bits.RotateLeft32(x, 19)
		x += z
		z = (z - y) ^ bits.RotateLeft32(y, 4)
		y += x
	}
	if len(b) == 0 {
		return z
	}
	x, y, z = x+word(0), y+word(4), z+word(8)
	z = (z ^ y) - bits.RotateLeft32(y, 14)
	x = (x ^ z) - bits.RotateLeft32(z, 11)
	y = (y ^ x) - bits.RotateLeft32(x, 25)
	z = (z ^ y) - bits.RotateLeft32(y, 16)
	x = (x ^ z) - bits.RotateLeft32(z, 4)
	y = (y ^ x) - bits.RotateLeft32(x, 14)
	return (z ^ y) - bits.RotateLeft32(y, 24)
}
