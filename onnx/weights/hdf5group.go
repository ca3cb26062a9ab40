package weights

// This file reads the groups of HDF5 files: symbol tables, and links as messages or in a heap with a tree.
//
// A group of the first kind has a B-tree whose leaves are nodes (SNOD) of entries, and a local
// heap with their names. A group of the second kind has its links as messages of its header, or,
// when they are many, in a fractal heap with a B-tree of version 2. Soft and external links are
// refused and not followed, as they would lead out of the file or in circles.

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"shapecheck/internal/inorder"
)

// member reads the object that a link of a group leads to.
func (f *h5file) member(group, link string, at uint64, depth int) error {
	if group != "" {
		link = group + "/" + link
	}
	return f.object(link, at, depth+1)
}

func notFollowed(link, kind string) error {
	return fmt.Errorf("the link %q leads to %s and is not followed: store the array itself", link, kind)
}

// table reads the members of a group of the first kind: a tree whose leaves are lists of names
// and addresses. Entries of symbolic links (cache type 2) are refused. Errors name the group.
func (f *h5file) table(name string, tree, heap uint64, depth int) error {
	h, err := f.bytes(heap, 32)
	if err != nil {
		return named(name, err)
	}
	if string(h[:4]) != "HEAP" {
		return named(name, errors.New("a group has no names"))
	}
	length, names := le64(h[8:]), le64(h[24:])
	return f.tree(tree, 0, 8, func(_ []byte, child uint64) error {
		head, err := f.bytes(child, 8)
		if err != nil {
			return err
		}
		if string(head[:4]) != "SNOD" {
			return errors.New("a group's tree has no list of members")
		}
		n := int(le16(head[6:]))
		entries, err := f.bytes(child+8, 40*n)
		if err != nil {
			return err
		}
		for i := range n {
			e := entries[40*i:]
			link, err := f.name(names, length, le64(e))
			if err != nil {
				return named(name, err)
			}
			if le32(e[16:]) == 2 {
				return named(name, notFollowed(link, "a path"))
			}
			if err := f.member(name, link, le64(e[8:]), depth); err != nil {
				return err
			}
		}
		return nil
	})
}

// name reads a text of a heap of length bytes.
func (f *h5file) name(heap, length, at uint64) (string, error) {
	if at >= length {
		return "", errors.New("a name is outside of its heap")
	}
	b, err := f.bytes(heap+at, int(min(length-at, maxHDF5Name)))
	if err != nil {
		return "", err
	}
	n := bytes.IndexByte(b, 0)
	if n <= 0 {
		return "", errors.New("a name is empty or too long")
	}
	return string(b[:n]), nil
}

// An h5link is a member of a group of the second kind.
type h5link struct {
	name string
	at   uint64
}

// links reads the members of a group of the second kind, in the order of their names. Sorting by
// name makes the order independent of how the links are stored.
func (f *h5file) links(name string, list []message, depth int) error {
	var members []h5link
	add := func(b []byte) error {
		l, err := parseLink(b)
		members = append(members, l)
		return err
	}
	for _, m := range list {
		var err error
		switch {
		case m.shared && (m.kind == msgLink || m.kind == msgLinks):
			err = errors.New("links that objects share in a table are not read")
		case m.kind == msgLink:
			err = add(m.data)
		case m.kind == msgLinks:
			err = f.denseLinks(m.data, add)
		}
		if err != nil {
			return named(name, err)
		}
	}
	inorder.StableBy(members, func(a, b h5link) int { return strings.Compare(a.name, b.name) })
	for _, l := range members {
		if err := f.member(name, l.name, l.at, depth); err != nil {
			return err
		}
	}
	return nil
}

// linkKinds are the kinds of links that are not followed.
var linkKinds = map[byte]string{1: "a path", 64: "another file"}

// parseLink reads a link message. Its flags say which parts are there: the kind, the order of
// creation, the encoding, and the width of the name's length. Names with a slash or a zero byte
// are refused.
func parseLink(b []byte) (l h5link, err error) {
	cut := errors.New("a link is cut off")
	if len(b) < 3 {
		return l, cut
	}
	if b[0] != 1 {
		return l, fmt.Errorf("version %d of links is not known", b[0])
	}
	flags, kind := b[1], byte(0)
	b = b[2:]
	if flags&8 != 0 {
		kind, b = b[0], b[1:]
	}
	skip := 0
	if flags&4 != 0 { // the order of creation
		skip += 8
	}
	if flags&16 != 0 { // the encoding of the name
		skip++
	}
	width := 1 << (flags & 3)
	if len(b) < skip+width {
		return l, cut
	}
	n := leN(b[skip : skip+width])
	if b = b[skip+width:]; n == 0 || n > maxHDF5Name {
		return l, errors.New("a name is empty or too long")
	}
	if uint64(len(b)) < n {
		return l, cut
	}
	l.name, b = string(b[:n]), b[n:]
	if strings.Contains(l.name, "\x00") || strings.Contains(l.name, "/") {
		return l, fmt.Errorf("the name %q of a link", l.name)
	}
	if kind != 0 {
		what := linkKinds[kind]
		if what == "" {
			what = fmt.Sprintf("what the kind %d is for", kind)
		}
		return l, notFollowed(l.name, what)
	}
	if len(b) < 8 {
		return l, cut
	}
	l.at = le64(b)
	return l, nil
}

// denseLinks reads the links of a group that has many: they lie in a heap, and a tree has them by the hash of their names.
func (f *h5file) denseLinks(b []byte, add func([]byte) error) error {
	if len(b) < 2 || b[0] != 0 {
		return errors.New("what a group says about its links is not known")
	}
	at := 2
	if b[1]&1 != 0 { // the order of creation
		at += 8
	}
	if len(b) < at+16 {
		return errors.New("what a group says about its links is cut off")
	}
	heap, tree := le64(b[at:]), le64(b[at+8:])
	if heap == noAddress {
		return nil
	}
	h, err := f.openHeap(heap)
	if err != nil {
		return err
	}
	return f.tree2(tree, treeLinks, func(record []byte) error {
		if len(record) < 4+h.id {
			return errors.New("a record of a tree of links is cut off")
		}
		link, err := h.object(record[4 : 4+h.id])
		if err != nil {
			return err
		}
		return add(link)
	})
}

// An h5heap is a heap whose space lies in blocks: a table of blocks, in rows of blocks of one size, those of the last rows being
// tables themselves. Rows of a table of blocks have width blocks each; the first two rows have
// blocks of size start, and each later row twice the size of the one before.
type h5heap struct {
	file         *h5file
	at           uint64 // of its header
	id           int    // the size of an object's id
	offset, size int    // the sizes of its parts
	summed       bool   // direct blocks have checksums
	width        uint64
	start, most  uint64 // sizes of the first and of the largest direct block
	root         uint64
	rows         int // of the root; 0: it is a direct block
	verified     map[uint64]bool
	read         uint64 // bytes of blocks that were verified
}

// openHeap reads the header of a fractal heap ("FRHP"), where groups keep their links. Offsets and lengths have
// as many bytes as the header's numbers need; a heap id has to have room for both. The error says that the heap
// is broken or filtered.
func (f *h5file) openHeap(at uint64) (*h5heap, error) {
	b, err := f.bytes(at, 144)
	if err != nil {
		return nil, err
	}
	if le16(b[7:]) != 0 {
		return nil, errors.New("a group whose links are compressed is not read: h5repack writes it anew")
	}
	if b, err = f.block(at, 146, "FRHP"); err != nil {
		return nil, err
	}
	h := &h5heap{
		file: f, at: at, id: int(le16(b[5:])), summed: b[9]&2 != 0,
		width: uint64(le16(b[110:])), start: le64(b[112:]), most: le64(b[120:]), root: le64(b[132:]), rows: int(le16(b[140:])),
		verified: map[uint64]bool{},
	}
	space := int(le16(b[128:])) // its addresses have so many bits
	managed := uint64(le32(b[10:]))
	pow := func(n uint64) bool { return n != 0 && n&(n-1) == 0 }
	if !pow(h.width) || !pow(h.start) || !pow(h.most) || h.start > h.most || h.most > 1<<32 || space == 0 || space > 64 || managed == 0 ||
		h.rows > 64 {
		return nil, errors.New("a heap is broken")
	}
	h.offset = (space + 7) / 8
	h.size = min((bits.Len64(h.most)-1+7)/8, (bits.Len64(managed)-1)/8+1)
	if h.id < 1+h.offset+h.size {
		return nil, errors.New("a heap is broken")
	}
	return h, nil
}

// object reads an object by its id. The offset in the id is in the heap's own space; tables lead
// from the root to the direct block that has it.
func (h *h5heap) object(id []byte) ([]byte, error) {
	if id[0] != 0 { // bits of the version, and of huge and tiny objects
		return nil, errors.New("a link with a very long name is not read: h5repack does not help, give it a shorter name")
	}
	off, n := leN(id[1:1+h.offset]), leN(id[1+h.offset:1+h.offset+h.size])
	if n > maxHDF5Name+64 {
		return nil, errors.New("a link is too long")
	}
	at, base, size := h.root, uint64(0), h.start
	for rows := h.rows; rows > 0; {
		block, err := h.indirect(at, base, rows)
		if err != nil {
			return nil, err
		}
		row, first, length, err := h.find(off-base, rows)
		if err != nil {
			return nil, err
		}
		column := (off - base - first) / length
		child := le64(block[8*(uint64(row)*h.width+column):])
		at, base, size = child, base+first+column*length, length
		if rows = 0; length > h.most {
			if rows = bits.Len64(length / (h.start * h.width)); rows == 0 {
				return nil, errors.New("a heap is broken")
			}
		}
	}
	if off < base || off-base >= size || n > size-(off-base) {
		return nil, errors.New("an object is outside of its heap")
	}
	head := uint64(13 + h.offset)
	if h.summed {
		head += 4
	}
	if off-base < head {
		return nil, errors.New("an object is outside of its heap")
	}
	if err := h.verify(at, size, base); err != nil {
		return nil, err
	}
	return h.file.bytes(at+off-base, int(n))
}

// verify looks at a block of objects when it is met first. The checksum counts with its own bytes
// as zero. Bytes that are verified are bounded by the file's size, so a broken heap ends.
func (h *h5heap) verify(at, size, base uint64) error {
	if h.verified[at] {
		return nil
	}
	if h.read += size; h.read > uint64(h.file.size) { // blocks do not overlap
		return errors.New("a heap is larger than the file")
	}
	b, err := h.file.bytes(at, int(size))
	if err != nil {
		return err
	}
	n := 13 + h.offset
	if len(b) < n+4 || string(b[:4]) != "FHDB" || b[4] != 0 || le64(b[5:]) != h.at || leN(b[13:n]) != base {
		return errors.New("a block of a heap is broken")
	}
	if h.summed {
		sum := le32(b[n:])
		clear(b[n : n+4])
		if !h.file.unsummed && sum != lookup3(b) {
			return errors.New("block FHDB: the checksum is wrong")
		}
	}
	h.verified[at] = true
	return nil
}

// find gives the row of an offset in a table of blocks, where the row begins and the size of its blocks.
func (h *h5heap) find(off uint64, rows int) (row int, first, length uint64, err error) {
	length = h.start
	for row = range rows {
		if row > 1 {
			length *= 2
		}
		if length > 1<<48 {
			break
		}
		if off < first+h.width*length {
			return row, first, length, nil
		}
		first += h.width * length
	}
	return 0, 0, 0, errors.New("an object is outside of its heap")
}

// indirect reads the addresses of a table of blocks.
func (h *h5heap) indirect(at, base uint64, rows int) ([]byte, error) {
	head := uint64(13 + h.offset)
	b, err := h.file.block(at, head+8*h.width*uint64(rows)+4, "FHIB")
	if err != nil {
		return nil, err
	}
	if le64(b[5:]) != h.at || leN(b[13:head]) != base {
		return nil, errors.New("a block of a heap is broken")
	}
	return b[head:], nil
}
